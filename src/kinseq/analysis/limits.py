"""Limits: numbers that are tried, sizes from which a sample is used, thresholds of groups."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..metrics.internal import LEVEL

STATES_COMMON = (2, 4, 8, 16, 24, 32)
"""Numbers of states tried for a model of all sequences."""
STATES_EACH = (1, 2, 3, 4)
"""Numbers of states tried for a model of one sequence."""
MAX_FULL_FEATURES = 30
"""Full covariances are tried up to this number of features."""
SWEEP_FRAMES = 20_000
"""Numbers of states are compared on sequences drawn at random until they hold this many frames."""
SWEEP_SEQUENCES = 60
"""The same for models of one sequence, in sequences."""
MAX_LIMITED_BY = 2000
"""Sequences, at most, whose frames say within which limits each column usually lies."""
MAX_EXAMINED = 1000
"""With more sequences than this, kernel widths and figures use as many drawn at random."""
MAX_COUNTED_ON = 200
"""The same for the comparison of numbers of clusters with sets without clusters, each of which is fused and cut anew."""
LOOKED_INTO = 20
"""Sequences, copies once, from which on the groups within a group are searched."""
N_REFERENCES = 19
"""Sets without clusters; the fewest with which a chance of 5 % can be seen."""
MAX_ALL_PAIRS = 3000
"""Up to this number of sequences all pairs are compared; of more, a sample."""
SAMPLE_LEAST, SAMPLE_MOST = 1000, 2000
"""Fewest and most sequences of a sample whose size was not given."""
SAMPLE_CELLS = 3e8
"""Pairs of a sample times the frames of a sequence, each in units of one feature: what decides its size in between."""
REPRESENTATIVES_LEAST, REPRESENTATIVES_MOST = 10, 30
"""Fewest and most sequences of a cluster that others are compared with, where it has so many."""
MAX_REPRESENTATIVES = 400
"""Limit for all clusters together, unless the fewest of each are more."""
N_NEAREST = 5
"""Representatives of a cluster that count for the dissimilarity of a sequence from it: the nearest ones."""
ASSIGNED_AT_ONCE = 1000
"""Sequences that are assigned at a time; no more memory than that of their dissimilarities is needed."""
MAX_FULLY_PLACED = 20_000
"""Up to this number of sequences outside a sample each is compared with all representatives; of more, with few where these do."""
PLACED_OTHERWISE = 0.002
"""Largest share of sampled sequences that few representatives may give another cluster than all of them (docs/reports/many.md)."""
SHORTENED_BY = 300
"""Fewest sampled sequences on which that is measured."""
SHORTENED_TO = 0.7
"""Share of the comparisons with all representatives, of those in doubt included, from which on few of them do not pay."""
MIN_IN_SIGHT = 10
"""A cluster with as many members in a sample is held to be in sight: the neighbours along which views are diffused."""
MIN_COUNTED = 3
"""The same for the comparison of numbers of clusters: clusters of fewer are not suggested."""
SIGHT_PROBABILITY = 0.95
"""Probability with which the smallest cluster that is named is in sight."""
FOUND_SHARE = 0.03
"""Share of the sequences that are compared from which on a cluster is mostly found, whatever the sample (docs/reports/many.md)."""


@dataclass(frozen=True)
class Thresholds:
    """From what on groups of a view or a property count, and how they are compared with sequences without groups.

    Silhouettes lie between -1 and 1, adjusted Rand indices (ARI) and shares are 1 where two groupings are the same. What makes
    groups *clear* belongs to the metric (:mod:`kinseq.metrics.groupings`). Each value is explained with the report that set it:
    ``answers.md``, ``machines.md`` and ``many.md`` lie in ``docs/reports``.
    """

    firm_silhouette: float = 0.9
    """Mean silhouette from which on groups by one property count by themselves: there are many properties, and numbers on a line
    fall into groups by chance more easily than sequences (answers.md, step 4 of the rule)."""
    firm_weakest: float = 0.8
    """The same, mean silhouette of the weakest group (answers.md, step 4)."""
    property_weakest: float = 0.7
    """Least mean silhouette of the weakest group by a property: numbers on a line that are halved by chance reach more than
    half of that of groups (answers.md, step 1)."""
    lacking_share: float = 0.2
    """Share of the sequences that may lack a property which decides where the number is given: a still column has no trend."""
    same_ari: float = 0.8
    """ARI from which on two groupings are the same (answers.md, "What confirmation does")."""
    different_ari: float = 0.5
    """ARI below which two groupings are different, so that the other one is named in addition to the first (answers.md, step 1)."""
    identical: float = 0.98
    """ARI, or share of items in nested groups, from which on nothing is gained by taking the other (answers.md, step 1)."""
    related_ari: float = 0.25
    """ARI from which on one grouping may be the other with some groups divided or joined (answers.md, step 1)."""
    support: float = 0.9
    """Silhouette in the matrix of groups that others show, as a share of that of its own cut, from which on the matrix supports
    them (answers.md, step 3)."""
    unseen_silhouette: float = 0.1
    """Mean silhouette of groups in a view below which it sees nothing of them (answers.md, "How the number is decided today")."""
    number_margin: float = 0.05
    """Difference in mean silhouettes below which another number of groups does about as well (answers.md, step 2)."""
    shown_by_views: float = 0.8
    """Share of the largest mean silhouette of the views that a number of groups of symbols has to reach; their fusion divides
    courses of regular durations too finely (symbols.md)."""
    level: float = LEVEL / 2
    """Largest p-value at which groups are significant. The views that vote, those that do not and properties are
    tested one after another, so that each of these tests gets a part of the usual level (answers.md, "Nothing")."""
    max_others: int = 3
    """Groupings named next to those taken, the clearest; of many columns there are easily more than anyone reads (answers.md)."""
    max_property_groups: int = 6
    """Most groups by a property that are compared with data without groups (answers.md, step 4)."""
    null_sequences: int = 100
    """Sequences that are compared with sets without groups; more hardly change the answer (answers.md, step 2)."""
    null_frames: int = 50
    """Frames of a sequence of median length in these comparisons; more hardly change the answer (answers.md, step 2)."""
    drawn_frames: int = 200
    """Frames with which these sets are drawn, before neighbouring ones are averaged: pieces are joined to a frame, which means
    over several would blur. A single auxiliary view is compared with as many, since a model of each sequence depends on how
    one frame follows from that before (machines.md, "Sequences of one process that switch")."""
    lasting: float = 0.5
    """Share, at least, of the mean silhouette of groups that is left once each sequence begins at another moment, where any
    moment is as
    good as another (machines.md, "Groups that last")."""
    property_frames: int = 2000
    """Middle frames of each sequence whose properties are compared with those of data without groups; drawing more takes long."""
    clear_frames: int = 100
    """Frames with which clear groups are compared with data without groups, under the view that shows them (machines.md)."""

    def shared_by(self, count: int) -> Thresholds:
        """Return thresholds of several comparisons that together are wrong no more often than a single one."""
        return replace(self, level=self.level / count)


THRESHOLDS = Thresholds()
"""Those that hold."""
