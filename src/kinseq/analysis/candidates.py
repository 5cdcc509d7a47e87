"""Candidates: groups that one view of the sequences, or one plain property, shows by itself, and how they compare.

A view that votes is part of the matrix that is clustered; an auxiliary view (:data:`kinseq.measures.fusion.AUXILIARY_VIEWS`) is
not, and sees what the others blur. Auxiliary views show groups in sequences without groups more easily, so that what they show
has to be confirmed by another source.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from ..core.arrays import FloatArray, IntArray
from ..core.jobs import in_threads
from ..core.sequences import SequenceSet
from ..features.properties import lacking_properties, pairwise_gaps, properties
from ..measures.descriptions import COURSES
from ..metrics.external import ari
from ..metrics.groupings import STRENGTH_MARGIN, Grouping, clearest, groupings
from . import limits
from .limits import THRESHOLDS, Thresholds

DIRECT_VIEWS = ("spectrum", "lockstep_shape")
"""Auxiliary views whose groups need no confirmation by another source if there are groups at all: they neither align nor
fit a model, so they cannot bend sequences to fit. Groups of models and alignments that no other source shows are mostly
spurious."""
SQUARED_VIEWS = ("kl_ll_shape",)
"""Auxiliary views that are divergences, which grow like squared distances: their silhouettes are larger for true groups and
for spurious ones. With a given number they still need confirmation by another source."""


NullComparison = Literal["distinct", "like data without groups", "not compared"]
"""Comparison of the groups of one source with data without groups."""


@dataclass(frozen=True)
class Candidate:
    """Groups that one view, or one property, shows by itself.

    Attributes
    ----------
    name : str
        The view, a measure; or the property.
    grouping : Grouping
    by_property : bool
    is_unconfirmed : bool
        Whether the view is auxiliary, and no other source shows the same groups.
    points : ndarray, shape (N, 2), or None
        Coordinates in the plane in which the groups are seen; of groups that are named in addition to those taken.
    null_comparison : str
        ``"distinct"`` where sequences without groups hardly ever fall into groups as clear as these, ``"like data without
        groups"`` where
        they do; ``"not compared"`` where there are no such sequences.
    """

    name: str
    grouping: Grouping
    by_property: bool = False
    is_unconfirmed: bool = False
    points: FloatArray | None = None
    null_comparison: NullComparison = "not compared"

    @property
    def source(self) -> str:
        """Kind of data that the view or property compares; two of one kind do not confirm each other."""
        if self.by_property:
            kind = self.name.partition(" of ")[0]
            return "values" if kind in ("level", "spread", "length") else self.name
        return {"statistics": "values"}.get(self.name, "course" if self.name in COURSES else self.name)

    @property
    def rank(self) -> tuple[bool, float]:
        """Sort key of candidates: clearest first, groups of a few outliers last."""
        return self.grouping.has_singletons, -self.grouping.strength

    def is_strong(self, thresholds: Thresholds = THRESHOLDS) -> bool:
        """Return whether groups by a property count without confirmation."""
        return (
            self.grouping.silhouette >= thresholds.firm_silhouette and self.grouping.weakest >= thresholds.firm_weakest
        )

    def placed(self, places: IntArray) -> Candidate:
        """Return the candidate for items in another order, or with copies; `positions` of these among the present ones."""
        points = None if self.points is None else self.points[places]
        return replace(self, grouping=replace(self.grouping, labels=self.grouping.labels[places]), points=points)

    def among(self, places: IntArray, n_items: int) -> Candidate:
        """Return groups of some of `n_items` items, by their places, as those of all; the others are in no group."""
        labels, points = np.full(n_items, -1, dtype=np.int64), None
        labels[places] = self.grouping.labels
        if self.points is not None:
            # The others have no place in that plane.
            points = np.tile(self.points.mean(axis=0), (n_items, 1))
            points[places] = self.points
        return replace(self, grouping=replace(self.grouping, labels=labels), points=points)


def clear_views(views: Mapping[str, FloatArray], least: int, most: int, threads: int = 1) -> list[Candidate]:
    """Return views that show clear groups, `least` to `most` of them, the clearest first; one number of groups for each view."""
    candidates = []
    found = in_threads(lambda distance: groupings(distance, most), views.values(), threads)
    for name, grouped in zip(views, found, strict=True):
        within = {k: entry for k, entry in grouped.items() if k >= least}
        if (grouping := clearest(within)) is not None:
            candidates.append(Candidate(name, grouping))
    return sorted(candidates, key=lambda entry: entry.rank)


def clear_properties(
    sequences: SequenceSet | None,
    least: int,
    most: int,
    thresholds: Thresholds = THRESHOLDS,
    threads: int = 1,
    lacking: float = 1.0,
) -> list[Candidate]:
    """Return properties that show clear groups, the clearest first, for each number of groups; none of many sequences.

    Properties that more than the share `lacking` of the sequences do not have are left out.
    """
    if sequences is None or len(sequences) > limits.MAX_EXAMINED:
        return []
    plain = properties(sequences)
    names = plain.names
    if lacking < 1.0:
        missing = lacking_properties(sequences).mean(axis=0)
        names = tuple(name for name, share in zip(names, missing, strict=True) if share <= lacking)
    found = in_threads(lambda name: groupings(pairwise_gaps(plain.of(name)), most), names, threads)
    candidates = [
        Candidate(name, grouping, by_property=True)
        for name, grouped in zip(names, found, strict=True)
        for k, grouping in grouped.items()
        if k >= least and grouping.is_clear and grouping.weakest >= thresholds.property_weakest
    ]
    return sorted(candidates, key=lambda entry: entry.rank)


def clearest_of_each(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Return one number of groups for each property, chosen as for views; clearest first."""
    by_name: dict[str, dict[int, Candidate]] = {}
    for entry in candidates:
        by_name.setdefault(entry.name, {})[entry.grouping.n_clusters] = entry
    best = [(of, clearest({k: entry.grouping for k, entry in of.items()})) for of in by_name.values()]
    chosen = [of[grouping.n_clusters] for of, grouping in best if grouping is not None]
    return sorted(chosen, key=lambda entry: entry.rank)


def similarity(one: Grouping, other: Grouping) -> float:
    """Adjusted Rand index of two groupings over the items grouped by both; 0 if there are none."""
    both = (one.labels >= 0) & (other.labels >= 0)
    return ari(one.labels[both], other.labels[both]) if both.any() else 0.0


def nested_share(fine: Grouping, coarse: Grouping) -> float:
    """Return the share of the items, 0 to 1, in the main coarse group of their fine group."""
    both = (fine.labels >= 0) & (coarse.labels >= 0)
    counts = np.zeros((fine.n_clusters, coarse.n_clusters))
    np.add.at(counts, (fine.labels[both], coarse.labels[both]), 1)
    return float(counts.max(axis=1).sum() / max(counts.sum(), 1.0))


def same_groups(one: Candidate, other: Candidate, thresholds: Thresholds = THRESHOLDS) -> bool:
    """Return whether two candidates show the same groups."""
    return (
        one.grouping.n_clusters == other.grouping.n_clusters
        and similarity(one.grouping, other.grouping) >= thresholds.same_ari
    )


def by_confirmation(
    auxiliary: Sequence[Candidate],
    voting: Sequence[Candidate],
    sources: Sequence[Candidate],
    thresholds: Thresholds = THRESHOLDS,
) -> tuple[list[Candidate], list[Candidate]]:
    """Auxiliary views whose groups other sources show too, the most confirmed first; and those that no other source confirms.

    A view may show clear groups that are there in no other sense; that two of them fall into the same ones by chance is rare.
    Without those that show what a view that votes does.
    """
    other = [
        entry
        for entry in auxiliary
        if all(similarity(entry.grouping, there.grouping) < thresholds.identical for there in voting)
    ]
    counts = {
        # The same outliers appear in many sources.
        entry.name: 0
        if entry.grouping.has_singletons
        else sum(there.source != entry.source and same_groups(there, entry, thresholds) for there in sources)
        for entry in other
    }
    confirmed = sorted(
        (entry for entry in other if counts[entry.name]), key=lambda entry: (-counts[entry.name], entry.rank)
    )
    return confirmed, [replace(entry, is_unconfirmed=True) for entry in other if not counts[entry.name]]


def finest(
    voting: Sequence[Candidate],
    confirmed: Sequence[Candidate],
    sources: Sequence[Candidate],
    thresholds: Thresholds = THRESHOLDS,
) -> Candidate:
    """Return the clearest view, or one about as clear that divides its groups further, as for numbers within a view.

    An auxiliary view goes first where it is clearer than any source shows the groups of those that vote, unless it only joins
    these.
    """
    first = min(voting, key=lambda entry: entry.rank)
    same = [there.grouping.strength for there in sources if same_groups(there, first, thresholds)]
    bar = first.grouping.has_singletons, -max([first.grouping.strength, *same])
    ahead = [
        entry
        for entry in confirmed
        if entry.rank < bar and nested_share(first.grouping, entry.grouping) < thresholds.identical
    ]
    first = min(ahead, key=lambda entry: entry.rank, default=first)
    finer = [
        entry
        for entry in (*voting, *confirmed)
        if entry.grouping.strength >= first.grouping.strength - STRENGTH_MARGIN
        and nested_share(entry.grouping, first.grouping) >= thresholds.identical
    ]
    return max(finer, key=lambda entry: (entry.grouping.n_clusters, entry.grouping.strength))


def clearer_property(
    best: Candidate, by_property: Sequence[Candidate], thresholds: Thresholds = THRESHOLDS
) -> Candidate:
    """The property that shows related groups more clearly, otherwise the view. Fewer groups have to be clearer by a margin."""
    for entry in by_property:
        fewer = entry.grouping.n_clusters < best.grouping.n_clusters
        if (
            entry.grouping.strength > best.grouping.strength + STRENGTH_MARGIN * fewer
            and thresholds.related_ari <= similarity(entry.grouping, best.grouping) < thresholds.identical
        ):
            return entry
    return best


def without_source(
    doubtful: Candidate, candidates: Iterable[Candidate], thresholds: Thresholds = THRESHOLDS
) -> list[Candidate]:
    """Return candidates other than those of the same kind as a doubtful one that show the same groups."""
    return [
        entry
        for entry in candidates
        if entry.source != doubtful.source or similarity(entry.grouping, doubtful.grouping) < thresholds.same_ari
    ]
