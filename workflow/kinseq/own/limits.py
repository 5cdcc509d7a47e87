"""What is tried, and from what size on a part stands for the whole."""

STATES_COMMON = (2, 4, 8, 16, 24, 32)
"""Numbers of states tried for a model of all sequences."""
STATES_EACH = (1, 2, 3, 4)
"""Numbers of states tried for a model of one sequence."""
FULL = 30
"""Full covariances are tried up to this number of features."""
SWEEP_FRAMES = 20_000
"""Numbers of states are compared on sequences drawn at random until they hold this many frames."""
SWEEP_SEQUENCES = 60
"""The same for models of one sequence, in sequences."""
MANY = 1000
"""With more sequences than this, kernel widths and pictures use as many drawn at random."""
COMPARED = 200
"""The same for the comparison of numbers of clusters with sets without clusters, each of which is fused and cut anew."""
REFERENCES = 19
"""Sets without clusters; the fewest with which a chance of 5 % can be told."""
QUADRATIC = 3000
"""With more sequences than this, a measure that scores every sequence under every model is skipped."""
LINEAR = "ssd"
"""The measure that takes the place of a fusion of more sequences than that."""
