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
"""With more sequences than this, kernel widths and figures use as many drawn at random."""
COMPARED = 200
"""The same for the comparison of numbers of clusters with sets without clusters, each of which is fused and cut anew."""
REFERENCES = 19
"""Sets without clusters; the fewest with which a chance of 5 % can be told."""
DENSE = 3000
"""Up to this number of sequences all pairs are compared; of more, a sample."""
SAMPLE_LEAST, SAMPLE_MOST = 1000, 2000
"""Fewest and most sequences of a sample whose size nobody gave."""
SAMPLE_CELLS = 3e8
"""Pairs of a sample times the frames of a sequence, each in units of one feature: what decides its size in between."""
REPRESENTATIVES_LEAST, REPRESENTATIVES_MOST = 10, 30
"""Fewest and most sequences of a cluster that others are compared with, where it has so many."""
REPRESENTATIVES = 400
"""The same of all clusters together, unless the fewest of each are more."""
NEAREST = 5
"""Representatives of a cluster that count for the dissimilarity of a sequence from it: the nearest ones."""
BLOCK = 1000
"""Sequences that are assigned at a time; no more memory than that of their dissimilarities is needed."""
SEEN = 10
"""A cluster with as many members in a sample is held to be in sight: the neighbours along which views are diffused."""
COUNTED = 3
"""The same for the comparison of numbers of clusters: clusters of fewer are not suggested."""
SURE = 0.95
"""Probability with which the smallest cluster that is told is in sight."""
FOUND = 0.03
"""Share of the sequences that are compared from which on a cluster is mostly found, whatever the sample (docs/reports/many.md)."""
