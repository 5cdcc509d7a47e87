"""Limits: numbers to try, sizes from which a sample is used, thresholds for groups."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..metrics.internal import LEVEL

STATES_COMMON = (2, 4, 8, 16, 24, 32)
"""Numbers of states tried for a model of all sequences."""
STATES_EACH = (1, 2, 3, 4)
"""Numbers of states tried for a model of one sequence."""
MAX_FULL_FEATURES = 30
"""Largest number of features for which full covariances are tried."""
SWEEP_FRAMES = 20_000
"""Number of frames in the random sample of sequences on which numbers of states are compared."""
SWEEP_SEQUENCES = 60
"""As above for models of one sequence, in sequences."""
MAX_LIMITED_BY = 2000
"""Largest number of sequences used to find the usual limits of each column."""
MAX_OUTLYING = 0.05
"""Largest share of the sequences that take no part in forming a given number of groups."""
MAX_EXAMINED = 1000
"""Number of sequences above which kernel widths and figures use a random sample of this size."""
MAX_SINGLE_COLUMNS = 12
"""Largest number of columns of which each is examined by itself where all together show no groups."""
MAX_COUNTED_ON = 200
"""As above for the comparison of numbers of clusters with sets without clusters, each of which is fused and cut again."""
LOOKED_INTO = 20
"""Least number of distinct sequences in a group that is searched for groups within it."""
MAX_DEPTH = 4
"""Largest number of divisions from all sequences down to a group."""
N_REFERENCES = 19
"""Number of sets without clusters; the fewest with which a chance of 5 % can be seen."""
MAX_ALL_PAIRS = 3000
"""Largest number of sequences of which all pairs are compared; of more, a sample."""
SAMPLE_LEAST, SAMPLE_MOST = 1000, 2000
"""Smallest and largest default size of a sample."""
SAMPLE_CELLS = 3e8
"""Pairs of a sample times the frames of a sequence, each in units of one feature: decides the sample size in between."""
REPRESENTATIVES_LEAST, REPRESENTATIVES_MOST = 10, 30
"""Smallest and largest number of representatives of a cluster, if it has that many members."""
MAX_REPRESENTATIVES = 400
"""Limit for all clusters together, unless the smallest numbers add up to more."""
N_NEAREST = 5
"""Number of nearest representatives of a cluster that its dissimilarity from a sequence is computed from."""
ASSIGNED_AT_ONCE = 1000
"""Number of sequences assigned at a time, which bounds the memory of their dissimilarities."""
MAX_FULLY_PLACED = 20_000
"""Number of sequences outside a sample up to which each is compared with all representatives; of more, with a few if those
suffice."""
PLACED_OTHERWISE = 0.002
"""Largest share of sampled sequences that few representatives may assign to another cluster than all of them
(docs/reports/many.md)."""
SHORTENED_BY = 300
"""Least number of sampled sequences on which that is measured."""
SHORTENED_TO = 0.7
"""Share of the comparisons with all representatives, including doubtful ones, above which using few does not pay."""
MIN_IN_SIGHT = 10
"""Number of members in a sample at which a cluster counts as visible: the neighbours along which views are diffused."""
MIN_COUNTED = 3
"""As above for the comparison of numbers of clusters: smaller clusters are not suggested."""
SIGHT_PROBABILITY = 0.95
"""Probability with which the smallest named cluster is visible."""
FOUND_SHARE = 0.03
"""Share of compared sequences above which a cluster is mostly found, whatever the sample (docs/reports/many.md)."""


@dataclass(frozen=True)
class Thresholds:
    """Thresholds for groups of a view or a property, and for their comparison with sequences without groups.

    Silhouettes lie between -1 and 1, adjusted Rand indices (ARI) and shares are 1 where two groupings are the same. What makes
    groups *clear* belongs to the metric (:mod:`kinseq.metrics.groupings`). Each value is explained with the report that set it:
    ``answers.md``, ``machines.md`` and ``many.md`` lie in ``docs/reports``.
    """

    firm_silhouette: float = 0.9
    """Least mean silhouette for groups by one property to count without confirmation: there are many properties, and
    numbers on a line fall into groups by chance more easily than sequences (answers.md, step 4 of the rule)."""
    firm_weakest: float = 0.8
    """As above, for the mean silhouette of the weakest group (answers.md, step 4)."""
    property_weakest: float = 0.7
    """Least mean silhouette of the weakest group by a property: chance halves of numbers on a line reach more than half of
    that of groups (answers.md, step 1)."""
    lacking_share: float = 0.2
    """Largest share of sequences that may lack a property which decides for a given number: a constant column has no trend."""
    same_ari: float = 0.8
    """Least ARI of two equal groupings (answers.md, "What confirmation does")."""
    different_ari: float = 0.5
    """ARI below which two groupings are different, so that the other one is named in addition to the first (answers.md,
    step 1)."""
    identical: float = 0.98
    """ARI, or share of items in nested groups, above which the other grouping adds nothing (answers.md, step 1)."""
    related_ari: float = 0.25
    """Least ARI for one grouping to be the other with some groups divided or joined (answers.md, step 1)."""
    support: float = 0.9
    """Silhouette in the matrix of another source's groups, relative to that of its own cut, above which the matrix supports
    them (answers.md, step 3)."""
    unseen_silhouette: float = 0.1
    """Mean silhouette below which a view does not show the groups (answers.md, "How the number is decided today")."""
    number_margin: float = 0.05
    """Difference in mean silhouettes below which another number of groups does about as well (answers.md, step 2)."""
    shown_by_views: float = 0.8
    """Share of the views' largest mean silhouette that a number of groups of symbols has to reach, since their fusion
    divides courses of regular durations too finely (symbols.md)."""
    level: float = LEVEL / 2
    """Largest p-value of significant groups. Views that vote, other views and properties are tested one after another, so
    each test gets a part of the usual level (answers.md, "Nothing")."""
    max_others: int = 3
    """Number of other groupings named, clearest first; with many columns there are easily more than anyone reads (answers.md)."""
    max_property_groups: int = 6
    """Largest number of groupings by a property that are compared with data without groups (answers.md, step 4)."""
    null_sequences: int = 100
    """Number of sequences compared with sets without groups; more hardly change the answer (answers.md, step 2)."""
    null_frames: int = 50
    """Frames of a sequence of median length in these comparisons; more hardly change the answer (answers.md, step 2)."""
    drawn_frames: int = 200
    """Frames with which these sets are drawn before neighbouring ones are averaged: averaging first would blur the joints
    of pieces. A single auxiliary view is compared with as many, since a model of each sequence depends on successive frames
    (machines.md, "Sequences without groups that switch")."""
    lasting: float = 0.5
    """Least share of the mean silhouette of groups that remains when each sequence starts at another moment, if all moments
    are equivalent (machines.md, "Groups that last")."""
    property_frames: int = 2000
    """Middle frames of each sequence whose properties are compared with those of data without groups; drawing more is slow."""
    clear_frames: int = 100
    """Frames with which clear groups are compared with data without groups, under the view that shows them (machines.md)."""

    def shared_by(self, count: int) -> Thresholds:
        """Return thresholds at which several comparisons together err no more often than a single one."""
        return replace(self, level=self.level / count)


THRESHOLDS = Thresholds()
"""The states that hold."""
