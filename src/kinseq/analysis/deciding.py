"""How many groups there are, and by what they are seen: by the matrix, by one of its views, or by a plain property.

1. Groups that are beyond doubt in one view are taken, whatever the other views say; of several such views, those of the
   clearest. Sequences of one process, spliced of the given ones, must not fall into groups as clear under that view: machines
   of one duty cycle do, by the moment at which they begin. Views without a vote are heard if another view or a property
   shows the same groups, or if sequences of one process hardly ever show as much under them. Where a plain property shows the
   same groups, or divides or joins them, more clearly still, its groups are taken.
2. Where nothing is beyond doubt, the views are compared with those of sequences of one process. If groups stand out, those
   of a view without a vote that another source shows too are taken if one process hardly ever shows as much under that view,
   and nothing stands out again within them. Or else the matrix is cut; the number is the one whose groups are most like
   those of the other numbers that do well, unless a plain property shows groups of some number that are the same, and
   nothing stands out within them.
3. If nothing stands out, groups by a plain property are taken if they are clear, and no process shows the like.
4. Or else there is one group.

Groups that are beyond doubt, more so than those of one process, and that are not taken are told, and so are those that stand
out in views which see nothing of the groups beyond doubt. With the number given, groups of that number are looked for in the
same steps; those of a view without a vote, but for models of each sequence, need no other source: who gives a number says that
there are groups. Whether one process shows as much is looked at too, and said. The matrix is cut where there are none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil
from typing import Literal

import numpy as np

from ..core.arrays import FloatArray, IntArray
from ..core.graphs.network_fusion import fuse, local_affinity
from ..core.progress import counter
from ..core.seeds import derive_seed
from ..core.sequences import SequenceSet
from ..features.frames import averaged
from ..features.properties import apart, properties
from ..measures.view_texts import COURSES
from ..metrics.clustering import ari
from ..metrics.groupings import (
    CLEAR,
    LEAST,
    MOST,
    NEARLY,
    WEAKEST,
    Grouping,
    Structure,
    clearest,
    completed,
    groupings,
    of_labels,
    outdoes,
    strongest,
    structure,
)
from ..metrics.maps import classical_mds
from ..metrics.unlabelled import LEVEL, Numbers, compare_numbers, representative, silhouettes
from . import limits
from .options import Options, Range
from .sampling import subsample
from .surrogates import KINDS, begins_anywhere, spliced, surrogates

FIRM, FIRM_WEAKEST = 0.9, 0.8
"""Silhouettes of groups by one property, and of the weakest of them, from which on they count by themselves: there are many
properties, and numbers on a line fall into groups by chance more easily than sequences."""
WEAKEST_ON_A_LINE = 0.7
"""Least silhouette of the weakest group by a property: numbers on a line that are halved by chance reach more than half of that
of groups."""
SAME_GROUPS = 0.8
"""Adjusted Rand index from which on two groupings are the same."""
OTHER_GROUPS = 0.5
"""The same below which they are different."""
IDENTICAL = 0.98
"""The same from which on nothing is gained by taking the other."""
RELATED = 0.25
"""The same from which on one may be the other with some groups divided or joined."""
TESTED, TESTED_FRAMES = 100, 50
"""Sequences, and frames of one of median length, that are compared with sets of one process; more hardly change the answer."""
DRAWN_FRAMES = 200
"""Frames with which these sets are drawn, before neighbouring ones are averaged: pieces are joined to a frame, which means over
several frames would blur. One view without a vote is compared with as many: a model of each sequence tells how one frame
follows from that before."""
DOUBTED_FRAMES = 100
"""Frames with which groups that look beyond doubt are held against one process, under the view that shows them."""
DIRECT = ("spectrum", "lockstep_shape")
"""Views without a vote whose groups need no other source, where there are groups anyhow: they neither align nor fit a model, so
that nothing is bent until it fits. Of models and alignments, most groups that no other source shows are none."""
SQUARED = ("kl_ll_shape",)
"""Views without a vote that are divergences, which grow as squares of distances do: their silhouettes are larger of the same
groups, and of none. Where the number is given they still need another source."""
SUPPORT = 0.9
"""Silhouette in the matrix of groups that others show, in units of that of its own, from which on it sees them too."""
MOST_TOLD = 3
"""Other groupings that are told, the clearest; of many columns there are easily more than anyone reads."""
STRICT = LEVEL / 2
"""Largest p-value at which groups stand out from one process: it is asked of the views that vote, of those without a vote and of
properties, so that each of these tests gets a part of :data:`LEVEL`."""
ENDLESS = 10_000
"""Sets of one process that could be drawn."""
UNSEEN = 0.1
"""Silhouette of groups in a view below which it sees nothing of them."""
FEW = 6
"""Most groups by a property that are compared with one process."""
ABOUT = 0.05
"""Difference in silhouettes below which another number of groups does about as well."""


Standing = Literal["apart", "as one process", "not compared"]
"""How groups that one source shows stand against sequences of one process."""


@dataclass(frozen=True)
class Sighting:
    """Groups that one view, or one property, shows by itself.

    Attributes
    ----------
    name : str
        The view, a measure; or the property.
    grouping : Grouping
    by_property : bool
    is_alone : bool
        Whether the view has no vote, and no other source shows the same groups.
    points : ndarray, shape (N, 2), or None
        Coordinates in the plane in which the groups are seen; of groups that are told beside those taken.
    standing : str
        ``"apart"`` where sequences of one process hardly ever fall into groups as clear as these, ``"as one process"`` where they
        do; ``"not compared"`` where no such sequences could be looked at.
    """

    name: str
    grouping: Grouping
    by_property: bool = False
    is_alone: bool = False
    points: FloatArray | None = None
    standing: Standing = "not compared"

    @property
    def firm(self) -> bool:
        """Whether groups by a property count by themselves."""
        return self.grouping.silhouette >= FIRM and self.grouping.weakest >= FIRM_WEAKEST


@dataclass(frozen=True)
class Decision:
    """How many groups there are, and why.

    Attributes
    ----------
    n_clusters : int
    why : str
        One sentence.
    by : Sighting or None
        Whose groups are taken; None for those of the matrix.
    others : tuple of Sighting
        Groups beyond doubt that are different from those taken, the clearest first.
    structure : Structure or None
        Whether groups stand out from sequences of one process, where that was looked at.
    numbers : Numbers or None
        What speaks for each number.
    items : ndarray, int64
        Some of the sequences; of a small set all.
    views : mapping of str to ndarray
        The views that vote, of these sequences by themselves; empty for a measure that is not made of views.
    """

    n_clusters: int
    why: str
    by: Sighting | None = None
    others: tuple[Sighting, ...] = ()
    structure: Structure | None = None
    numbers: Numbers | None = None
    items: IntArray = field(default_factory=lambda: np.zeros(0, dtype=np.int64), compare=False)
    views: Mapping[str, FloatArray] = field(default_factory=dict, compare=False)

    def in_order(self, places: IntArray) -> Decision:
        """The same of items in another order, or with copies: where each of them stands in the present one."""

        def placed(entry: Sighting) -> Sighting:
            points = None if entry.points is None else entry.points[places]
            return replace(entry, grouping=replace(entry.grouping, labels=entry.grouping.labels[places]), points=points)

        by = None if self.by is None else placed(self.by)
        first = np.full(int(places.max(initial=-1)) + 1, -1, dtype=np.int64)
        first[places[::-1]] = np.arange(len(places))[::-1]
        return replace(
            self,
            by=by,
            others=tuple(placed(entry) for entry in self.others),
            items=first[self.items] if self.items.size else self.items,
        )


Look = Callable[[SequenceSet, Sequence[str]], Mapping[str, FloatArray]]
"""Views of other sequences, of the names that are given."""


@dataclass(frozen=True)
class Question:
    """What is to be decided, of sequences that differ.

    Attributes
    ----------
    sequences : SequenceSet or None
        As they are compared; None where only a matrix is known.
    views : mapping of str to ndarray, each of shape (N, N)
        What the measure is made of, by the names of measures; or the matrix by that of its own.
    square : callable
        ``square(items)`` is the matrix of some items.
    cuts : callable
        ``cuts(matrix, numbers)`` are its partitions.
    look : callable or None
        ``look(sequences, names)`` are views of other sequences; None where these would take too long.
    beside : mapping of str to ndarray, each of shape (N, N)
        Measures that have no part in the matrix. Their groups count where they stand out from what they show of sequences of
        one process: alone, they would find groups where there are none.
    open_to_properties : bool
        Whether groups by a property may be taken. Where somebody named a measure, they are told only.
    n_clusters : int or None
        The number, where it was given.
    n_range : (int, int) or None
        Lowest and highest number, where these were given.
    """

    sequences: SequenceSet | None
    views: Mapping[str, FloatArray]
    square: Callable[[IntArray], FloatArray]
    cuts: Callable[[FloatArray, list[int]], list[IntArray]]
    look: Look | None
    beside: Mapping[str, FloatArray] = field(default_factory=dict)
    open_to_properties: bool = True
    n_clusters: int | None = None
    n_range: Range | None = None


def decide(question: Question, run: Options) -> Decision | None:
    """Answer the question; None where it takes sets without clusters that only the matrix says something of."""
    decision = _decide(question, run)
    if decision is None or not run.alternatives:
        return decision
    if (second := _second(question, decision, run)) is not None:
        decision = replace(decision, others=(*decision.others, second)[:MOST_TOLD])
    return replace(decision, others=tuple(replace(entry, points=_points(entry, question)) for entry in decision.others))


def _second(question: Question, first: Decision, run: Options) -> Sighting | None:
    """Groups that views show which see nothing of those taken beyond doubt, where they stand out from one process."""
    if first.by is None or question.n_clusters is not None or question.look is None or question.sequences is None:
        return None
    groups = first.by.grouping
    views = {
        name: distance for name, distance in question.views.items() if _silhouette(distance, groups.labels) < UNSEEN
    }
    n = len(groups.labels)
    least, most = _bounds(question, n, run)
    if (
        not views
        or most <= least
        or not _against_one_process(question, list(views), most, run, together=len(views) > 1).stands_out
    ):
        return None
    items = subsample(n, limits.COMPARED, run.seed, "numbers")
    joined = _joined({name: np.abs(distance)[np.ix_(items, items)] for name, distance in views.items()})
    tried = [number for number in range(least, most + 1) if number < len(items)]
    partitions = dict(zip(tried, question.cuts(joined, tried), strict=True))
    number = max(representative(joined, partitions, ABOUT).candidates)
    sightings = [
        Sighting(name, of_labels(distance, question.cuts(np.abs(distance), [number])[0]))
        for name, distance in views.items()
    ]
    sighting = max(sightings, key=lambda entry: ari(entry.grouping.labels[items], partitions[number]))
    there = [groups, *(entry.grouping for entry in first.others)]
    return sighting if all(_likeness(sighting.grouping, entry) < OTHER_GROUPS for entry in there) else None


def _silhouette(distance: FloatArray, labels: IntArray) -> float:
    inside = np.flatnonzero(labels >= 0)
    return float(silhouettes(np.abs(distance)[np.ix_(inside, inside)], labels[inside]).mean())


def _joined(views: Mapping[str, FloatArray]) -> FloatArray:
    """One matrix of several views."""
    if len(views) == 1:
        return next(iter(views.values()))
    affinity = fuse([local_affinity(distance) for distance in views.values()])
    distance = -np.log(np.clip(affinity / affinity.max(), 1e-12, 1.0))
    np.fill_diagonal(distance, 0.0)
    return np.asarray(distance)


def _points(entry: Sighting, question: Question) -> FloatArray | None:
    """Where items are in the plane of a view; of a property, along its values."""
    if not entry.by_property:
        return classical_mds({**question.views, **question.beside}[entry.name])
    if question.sequences is None:
        return None
    values = properties(question.sequences).of(entry.name)
    # Beside each other, so that equal values do not cover each other.
    return np.stack([values, np.linspace(-0.1, 0.1, len(values)) * float(np.ptp(values))], axis=1)


def _decide(question: Question, run: Options) -> Decision | None:
    n = len(next(iter(question.views.values())))
    least, most = _bounds(question, n, run)
    clear = _clear_views(question.views, least, most)
    beside = _clear_views(question.beside, least, most)
    every = _clear_properties(question, least, most)
    plain = _clearest_of_each(every)
    sources = [*clear, *beside, *plain]
    confirmed, unconfirmed = _by_confirmation(beside, clear, sources)
    firm = [entry for entry in plain if entry.firm]
    if not question.open_to_properties:
        every, plain = [], []
    is_fixed = question.n_clusters is not None
    doubts = _Doubts(question, run)
    best = None
    while clear and best is None:
        best = _more_clearly(_finest(clear, confirmed, sources), plain)
        if not is_fixed and doubts.standing(best) == "as one process":
            clear, confirmed, plain = (_without(best, some) for some in (clear, confirmed, plain))
            best = None
    if best is None and is_fixed:
        best = _of_any_view(beside, plain)
    if best is not None:
        # What is not new is not told, and needs no comparison.
        unconfirmed = [entry for entry in unconfirmed if _likeness(entry.grouping, best.grouping) < OTHER_GROUPS]
    there_are_groups = is_fixed or best is not None
    unconfirmed = [
        entry for entry in unconfirmed if (there_are_groups and entry.name in DIRECT) or doubts.stands_out_alone(entry)
    ]
    direct = [entry for entry in unconfirmed if entry.name in DIRECT and not entry.grouping.is_lonely]
    aside = [*confirmed, *unconfirmed]
    sightings = [*clear, *confirmed, *sorted(unconfirmed, key=lambda entry: entry.name not in DIRECT), *firm]
    curve = _curve_only(question, run) if is_fixed or best is not None else None
    if best is not None:
        return _by(best, sightings, None, curve, doubts)
    if is_fixed:
        best = _supported(question, confirmed, aside, plain, least, most, run) or _as_without_the_number(
            question, aside, plain, run
        )
        if best is not None:
            return _by(best, sightings, None, curve, doubts)
        return Decision(least, "given", None, _others(None, sightings, doubts), None, curve)
    if question.look is None or question.sequences is None:
        return None
    evidence = _against_one_process(question, list(question.views), most, run)
    numbers, partitions = _numbers(question, least, most, run, evidence)
    # Levels of any size are a continuum, of which the level and an alignment may show the same pieces.
    confirmed = [entry for entry in confirmed if doubts.stands_out_alone(entry)]
    aside = [*confirmed, *unconfirmed]
    if evidence.stands_out:
        assert numbers is not None
        whole = [entry for entry in (*confirmed, *direct) if not _is_coarse(question, entry, numbers, run)]
        best = _supported(question, whole, unconfirmed, plain, least, most, run)
    elif aside:
        best = _more_clearly(aside[0], plain)
    if best is not None:
        return _by(best, sightings, evidence, numbers, doubts)
    sightings = [*aside, *firm]
    if evidence.stands_out or question.n_range is not None:
        items = subsample(n, limits.COMPARED, run.seed, "numbers")
        return _cut(
            numbers,
            partitions,
            every,
            sightings,
            evidence,
            items,
            lambda labels: _falls_apart(question, labels, run),
            doubts,
        )
    if plain and doubts.properties_stand_out(plain[0], most):
        return _by(plain[0], sightings, evidence, numbers, doubts)
    # Of all properties together none may stand out where one by itself does, since another is in groups for any process.
    alone = next((entry for entry in plain if entry.firm and doubts.standing(entry) == "apart"), None)
    if alone is not None:
        return _by(alone, sightings, evidence, numbers, doubts)
    against = f"p = {evidence.p_value:.2g}, against {evidence.n_sets} sets of sequences of one process"
    why = f"nothing stands out ({against})" if numbers is not None else "fewer than six sequences"
    return Decision(1, why, None, _others(None, sightings, doubts), evidence, numbers)


def _without(doubted: Sighting, entries: Sequence[Sighting]) -> list[Sighting]:
    """What is left where one source shows what one process does: those that look at the same and show the same too."""
    return [
        entry
        for entry in entries
        if _looks_at(entry) != _looks_at(doubted) or _likeness(entry.grouping, doubted.grouping) < SAME_GROUPS
    ]


class _Doubts:
    """Whether sequences of one process fall into groups as clear as those that one source shows, each asked for once."""

    def __init__(self, question: Question, run: Options) -> None:
        self.question, self.run = question, run
        self.known: dict[tuple[str, int], Standing] = {}

    def standing(self, entry: Sighting) -> Standing:
        key = entry.name, entry.grouping.n_clusters
        if key not in self.known:
            self.known[key] = self._standing(entry)
        return self.known[key]

    def stands_out_alone(self, entry: Sighting) -> bool:
        """Whether a view without a vote hardly ever shows as much of one process; that is a comparison too."""
        stands_out = _stands_out_alone(self.question, entry, self.run)
        if stands_out:
            self.known[entry.name, entry.grouping.n_clusters] = "apart"
        return stands_out

    def properties_stand_out(self, entry: Sighting, most: int) -> bool:
        """The same of the clearest property, in what all properties show."""
        assert self.question.sequences is not None
        stands_out = _properties_stand_out(self.question.sequences, most, self.run).stands_out
        if stands_out:
            self.known[entry.name, entry.grouping.n_clusters] = "apart"
        return stands_out

    def _standing(self, entry: Sighting) -> Standing:
        sequences, views = self.question.sequences, self.question.look
        if sequences is None or (views is None and not entry.by_property):
            return "not compared"
        sample = _tested(sequences, self.run)
        factor = 1 if entry.by_property else _averaging(sample, DOUBTED_FRAMES)

        def look(drawn: SequenceSet) -> FloatArray | None:
            some = averaged(drawn, factor)
            if entry.by_property:
                return apart(properties(some).of(entry.name))
            assert views is not None
            return views(some, [entry.name]).get(entry.name)

        shown = look(sample)
        if shown is None:
            # Nothing is left to be seen of fewer frames.
            return "not compared"
        labels = entry.grouping.labels[subsample(len(sequences), TESTED, self.run.seed, "one process")]
        counts = np.bincount(labels[labels >= 0], minlength=entry.grouping.n_clusters)
        labels = np.where((labels >= 0) & (counts[labels] > 1), labels, -1)
        if np.unique(labels[labels >= 0]).size < 2:
            return "not compared"
        observed = of_labels(np.abs(shown), labels).strength
        most = _bounds(replace(self.question, n_clusters=None, n_range=None), len(sequences), self.run)[1]
        most = max(min(most, len(sample) // LEAST), entry.grouping.n_clusters)
        one_process, seed = spliced, derive_seed(self.run.seed, "one process")
        if not begins_anywhere(sample):
            # Pieces would make courses that no sequence has; combinations fall into groups under some views that have no say.
            if not entry.by_property:
                return "not compared"
            one_process = surrogates
        sets = one_process(sample, ENDLESS, seed, same_lengths=not entry.by_property)
        seen = (look(drawn) for drawn in sets)
        strengths = (0.0 if one is None else strongest(one, most, entry.grouping.is_lonely) for one in seen)
        return "apart" if outdoes(observed, strengths) else "as one process"


def _by(
    best: Sighting,
    sightings: Sequence[Sighting],
    evidence: Structure | None,
    numbers: Numbers | None,
    doubts: _Doubts,
) -> Decision:
    """Groups that one source shows are taken."""
    best = replace(best, standing=doubts.standing(best))
    why = "given" if doubts.question.n_clusters is not None else _beyond_doubt(best)
    return Decision(best.grouping.n_clusters, why, best, _others(best, sightings, doubts), evidence, numbers)


def _bounds(question: Question, n: int, run: Options) -> Range:
    if question.n_clusters is not None:
        return question.n_clusters, question.n_clusters
    if question.n_range is not None:
        return question.n_range
    # Clusters of fewer than three sequences on average are not worth suggesting.
    return 2, min(run.max_clusters, max(2, min(n, limits.COMPARED) // LEAST))


def _clear_views(views: Mapping[str, FloatArray], least: int, most: int) -> list[Sighting]:
    """Views that show groups beyond doubt, the clearest first."""
    sightings = []
    for name, distance in views.items():
        within = {k: entry for k, entry in groupings(distance, most).items() if k >= least}
        if (grouping := clearest(within)) is not None:
            sightings.append(Sighting(name, grouping))
    return sorted(sightings, key=_rank)


def _by_confirmation(
    beside: Sequence[Sighting], clear: Sequence[Sighting], sources: Sequence[Sighting]
) -> tuple[list[Sighting], list[Sighting]]:
    """Views without a vote whose groups others show too, those of the most others first; and those that stand alone.

    Without those that show what a view that votes does.
    """
    other = [entry for entry in beside if all(_likeness(entry.grouping, there.grouping) < IDENTICAL for there in clear)]
    # Many sources show the same outliers.
    counts = {entry.name: 0 if entry.grouping.is_lonely else _confirmations(entry, sources) for entry in other}
    confirmed = sorted(
        (entry for entry in other if counts[entry.name]), key=lambda entry: (-counts[entry.name], _rank(entry))
    )
    return confirmed, [replace(entry, is_alone=True) for entry in other if not counts[entry.name]]


def _stands_out_alone(question: Question, entry: Sighting, run: Options) -> bool:
    """Whether a view without a vote hardly ever shows as much of one process."""
    if question.look is None or question.sequences is None:
        return False
    free = _bounds(replace(question, n_clusters=None, n_range=None), len(question.beside[entry.name]), run)[1]
    return _against_one_process(question, [entry.name], free, run, alone=True).stands_out


def _confirmations(entry: Sighting, sources: Sequence[Sighting]) -> int:
    """Other views and properties that show the same groups beyond doubt.

    A view may be as sure of groups that are there in no other sense; that two of them fall into the same ones by chance is rare.
    """
    return sum(_looks_at(there) != _looks_at(entry) and _shows_the_same(there, entry) for there in sources)


def _looks_at(entry: Sighting) -> str:
    """What a source looks at: that two that look at the same show the same groups says nothing more."""
    if entry.by_property:
        kind = entry.name.partition(" of ")[0]
        return "values" if kind in ("level", "spread", "length") else entry.name
    return {"statistics": "values"}.get(entry.name, "course" if entry.name in COURSES else entry.name)


def _rank(entry: Sighting) -> tuple[bool, float]:
    """The clearest first; groups that are a few outliers beside all others last."""
    return entry.grouping.is_lonely, -entry.grouping.strength


def _finest(clear: Sequence[Sighting], confirmed: Sequence[Sighting], sources: Sequence[Sighting]) -> Sighting:
    """The clearest view, or one about as clear that divides its groups further, as among the numbers of one view.

    A view without a vote goes first where it is clearer than any source shows the groups of those that vote, unless it
    only joins these.
    """
    first = min(clear, key=_rank)
    bar = first.grouping.is_lonely, -_strength(first, sources)
    ahead = [entry for entry in confirmed if _rank(entry) < bar and _within(first.grouping, entry.grouping) < IDENTICAL]
    first = min(ahead, key=_rank, default=first)
    finer = [
        entry
        for entry in (*clear, *confirmed)
        if entry.grouping.strength >= first.grouping.strength - NEARLY
        and _within(entry.grouping, first.grouping) >= IDENTICAL
    ]
    return max(finer, key=lambda entry: (entry.grouping.n_clusters, entry.grouping.strength))


def _of_any_view(beside: Sequence[Sighting], plain: Sequence[Sighting]) -> Sighting | None:
    """Groups of the clearest view without a vote, none of :data:`SQUARED`, where somebody knows how many groups there are.

    A view may be as sure of groups of sequences of one process; but who gives a number says that there are groups.
    """
    known = [entry for entry in beside if not entry.grouping.is_lonely and entry.name not in SQUARED]
    return _more_clearly(min(known, key=_rank), plain) if known else None


def _strength(entry: Sighting, sources: Sequence[Sighting]) -> float:
    same = [there.grouping.strength for there in sources if _shows_the_same(there, entry)]
    return max([entry.grouping.strength, *same])


def _shows_the_same(one: Sighting, other: Sighting) -> bool:
    return (
        one.grouping.n_clusters == other.grouping.n_clusters and _likeness(one.grouping, other.grouping) >= SAME_GROUPS
    )


def _within(fine: Grouping, coarse: Grouping) -> float:
    """Share of the items that lie in the main coarse group of their fine one."""
    both = (fine.labels >= 0) & (coarse.labels >= 0)
    counts = np.zeros((fine.n_clusters, coarse.n_clusters))
    np.add.at(counts, (fine.labels[both], coarse.labels[both]), 1)
    return float(counts.max(axis=1).sum() / max(counts.sum(), 1.0))


def _clearest_of_each(sightings: Sequence[Sighting]) -> list[Sighting]:
    """Of each property one number of groups, chosen as of views."""
    by_name: dict[str, dict[int, Sighting]] = {}
    for entry in sightings:
        by_name.setdefault(entry.name, {})[entry.grouping.n_clusters] = entry
    best = [(of, clearest({k: entry.grouping for k, entry in of.items()})) for of in by_name.values()]
    return sorted((of[grouping.n_clusters] for of, grouping in best if grouping is not None), key=_rank)


def _clear_properties(question: Question, least: int, most: int) -> list[Sighting]:
    """The same of plain properties, all numbers of groups."""
    if question.sequences is None or len(question.sequences) > limits.MANY:
        return []
    plain = properties(question.sequences)
    sightings = [
        Sighting(name, grouping, by_property=True)
        for name in plain.names
        for k, grouping in groupings(apart(plain.of(name)), most).items()
        if k >= least and grouping.is_clear and grouping.weakest >= WEAKEST_ON_A_LINE
    ]
    return sorted(sightings, key=_rank)


def _more_clearly(best: Sighting, plain: Sequence[Sighting]) -> Sighting:
    """The property that shows related groups, and more clearly; or else the view. Fewer groups have to be clearer by some."""
    for entry in plain:
        fewer = entry.grouping.n_clusters < best.grouping.n_clusters
        if (
            entry.grouping.strength > best.grouping.strength + NEARLY * fewer
            and RELATED <= _likeness(entry.grouping, best.grouping) < IDENTICAL
        ):
            return entry
    return best


def _supported(
    question: Question,
    sure: Sequence[Sighting],
    aside: Sequence[Sighting],
    plain: Sequence[Sighting],
    least: int,
    most: int,
    run: Options,
) -> Sighting | None:
    """The first of those that need no support, or the clearest of others, firm ones by a property included, that have it.

    The matrix supports groups if they are about as far apart in it as any that it is cut into.
    """
    if sure:
        return sure[0]
    candidates = [*aside, *(entry for entry in plain if entry.firm)]
    if not candidates:
        return None
    items = subsample(len(next(iter(question.views.values()))), limits.COMPARED, run.seed, "numbers")
    square = question.square(items)
    tried = [number for number in range(least, most + 1) if number < len(items)]
    largest = max(float(silhouettes(square, cut).mean()) for cut in question.cuts(square, tried))
    for entry in candidates:
        labels = entry.grouping.labels[items]
        inside = np.flatnonzero(labels >= 0)
        if len(np.unique(labels[inside])) == entry.grouping.n_clusters and (
            silhouettes(square[np.ix_(inside, inside)], labels[inside]).mean() >= SUPPORT * largest
        ):
            return entry
    return None


def _as_without_the_number(
    question: Question, aside: Sequence[Sighting], plain: Sequence[Sighting], run: Options
) -> Sighting | None:
    """Groups that would be taken if the number were not given, where nothing stands out in the views that vote."""
    if question.look is None or question.sequences is None or not (aside or plain):
        return None
    free = _bounds(replace(question, n_clusters=None, n_range=None), len(question.sequences), run)[1]
    # Properties first, since their references take no alignments.
    if not aside and not _properties_stand_out(question.sequences, free, run).stands_out:
        return None
    if _against_one_process(question, list(question.views), free, run).stands_out:
        return None
    return _more_clearly(aside[0], plain) if aside else plain[0]


def _others(best: Sighting | None, sightings: Sequence[Sighting], doubts: _Doubts) -> tuple[Sighting, ...]:
    """Groups that differ from those taken and from each other; views before properties, the clearest first.

    None that sequences of one process show as clearly under an alignment, a model or a property.
    """
    distinct: list[Sighting] = [] if best is None else [best]
    told: list[Sighting] = []
    for entry in sightings:
        if len(told) == MOST_TOLD:
            break
        if any(_likeness(entry.grouping, there.grouping) >= OTHER_GROUPS for there in distinct):
            continue
        # Spliced sequences begin as the given ones do: what begins at one of a few moments is in groups for them too.
        standing: Standing = "not compared" if entry.name in DIRECT else doubts.standing(entry)
        if standing != "as one process":
            told.append(replace(entry, standing=standing))
            distinct.append(entry)
    return tuple(told)


def _likeness(one: Grouping, other: Grouping) -> float:
    both = (one.labels >= 0) & (other.labels >= 0)
    return ari(one.labels[both], other.labels[both]) if both.any() else 0.0


def _beyond_doubt(sighting: Sighting) -> str:
    what = f"the property {sighting.name!r}" if sighting.by_property else f"{sighting.name} alone"
    return f"{what} sets {sighting.grouping.n_clusters} groups apart beyond doubt (silhouette {sighting.grouping.silhouette:.2f})"


def _against_one_process(
    question: Question, names: Sequence[str], most: int, run: Options, alone: bool = False, together: bool | None = None
) -> Structure:
    """Whether some views show more than of sequences of one process; several also together."""
    look = question.look
    assert question.sequences is not None
    assert look is not None
    sample = _tested(question.sequences, run)
    factor = _averaging(sample, DRAWN_FRAMES if alone else TESTED_FRAMES)
    step = counter(run.progress, "sequences of one process", KINDS * MOST, "set")

    def some(sequences: SequenceSet) -> Mapping[str, FloatArray]:
        return look(averaged(sequences, factor), names)

    references = _looks(some, sample, run, step)
    together = set(names) == set(question.views) if together is None else together
    return structure(some(sample), references, min(most, len(sample) // LEAST), together, KINDS, STRICT)


def _tested(sequences: SequenceSet, run: Options) -> SequenceSet:
    """Some of the sequences, with as many frames as sets of one process are drawn with."""
    some = sequences.subset(subsample(len(sequences), TESTED, run.seed, "one process"))
    return averaged(some, _averaging(some, DRAWN_FRAMES))


def _averaging(sequences: SequenceSet, frames: int) -> int:
    """How many frames are averaged so that a sequence of median length has so many."""
    return ceil(float(np.median(sequences.lengths)) / frames)


def _looks(
    look: Callable[[SequenceSet], Mapping[str, FloatArray]],
    sample: SequenceSet,
    run: Options,
    step: Callable[[], None] | None,
    same_lengths: bool = True,
) -> Iterator[Mapping[str, FloatArray]]:
    # More than the most that any level asks for: they are drawn one by one, and only as many as are needed.
    for sequences in surrogates(sample, ENDLESS, derive_seed(run.seed, "one process"), same_lengths):
        yield look(sequences)
        if step is not None:
            step()


def _properties_stand_out(sequences: SequenceSet, most: int, run: Options) -> Structure:
    def look(items: SequenceSet) -> dict[str, FloatArray]:
        plain = properties(items)
        return {name: apart(plain.of(name)) for name in plain.names}

    sample = sequences.subset(subsample(len(sequences), TESTED, run.seed, "one process"))
    references = _looks(look, sample, run, None, same_lengths=False)
    fewest = min(most, FEW, len(sample) // LEAST)
    return structure(look(sample), references, fewest, fused=False, kinds=KINDS, level=STRICT)


def _curve_only(question: Question, run: Options) -> Numbers | None:
    """Silhouettes of numbers of clusters, for the page, where nothing is decided by them."""
    n = len(next(iter(question.views.values())))
    if not run.alternatives or n < 3:
        return None
    least, most = _bounds(replace(question, n_clusters=None), n, run)
    square = question.square(subsample(n, limits.COMPARED, run.seed, "numbers"))
    return compare_numbers(square, (), range(least, most + 1), question.cuts)


def _numbers(
    question: Question, least: int, most: int, run: Options, evidence: Structure
) -> tuple[Numbers | None, dict[int, IntArray]]:
    """What speaks for each number of clusters of the matrix, of many items on some drawn at random."""
    n = len(next(iter(question.views.values())))
    square = question.square(subsample(n, limits.COMPARED, run.seed, "numbers"))
    tried = [number for number in range(least, most + 1) if number < len(square)]
    if not tried:
        return None, {}
    partitions = dict(zip(tried, question.cuts(square, tried), strict=True))
    numbers = representative(square, partitions, ABOUT)
    if not evidence.stands_out and question.n_range is None:
        numbers = numbers.none_stands_out()
    return numbers.tested(evidence.p_value, evidence.n_sets), partitions


def _cut(
    numbers: Numbers | None,
    partitions: Mapping[int, IntArray],
    plain: Sequence[Sighting],
    sightings: Sequence[Sighting],
    evidence: Structure,
    items: IntArray,
    falls_apart: Callable[[IntArray], bool],
    doubts: _Doubts,
) -> Decision:
    """The number of groups where there are some, and none is beyond doubt."""
    assert numbers is not None
    p_value = f"p = {evidence.p_value:.2g}, against {evidence.n_sets} sets of sequences of one process"
    coarse: dict[int, bool] = {}
    for entry in plain:
        number = entry.grouping.n_clusters
        labels = entry.grouping.labels[items]
        inside = labels >= 0
        if number in partitions and ari(labels[inside], partitions[number][inside]) >= SAME_GROUPS:
            if number not in coarse:
                coarse[number] = number < max(numbers.candidates) and falls_apart(entry.grouping.labels)
            if coarse[number]:
                continue
            silhouette = f"silhouette {entry.grouping.silhouette:.2f}"
            why = f"the property {entry.name!r} shows the same {number} groups ({silhouette}; {p_value})"
            sighting = Sighting(entry.name, entry.grouping, by_property=True)
            return Decision(
                number, why, None, _others(sighting, sightings, doubts), evidence, numbers.with_best(number)
            )
    # Groups that are divided too far can be joined by eye; what lies in one group together is not seen apart.
    if evidence.stands_out:
        numbers = numbers.with_best(max(numbers.candidates))
    others = " or ".join(map(str, numbers.candidates[1:]))
    tried, of_these = (
        f"{numbers.n_clusters[0]} to {numbers.n_clusters[-1]}",
        "the largest of those" if others and evidence.stands_out else "the one",
    )
    why = f"of {tried}, {of_these} whose groups are most like those of the others that do well ({p_value})"
    why = f"{why}; {others} would do about as well" if others else why
    cut = partitions[numbers.best]
    sightings = [entry for entry in sightings if ari(entry.grouping.labels[items], cut) < OTHER_GROUPS]
    return Decision(numbers.best, why, None, _others(None, sightings, doubts), evidence, numbers)


def _is_coarse(question: Question, entry: Sighting, numbers: Numbers, run: Options) -> bool:
    """Whether groups are fewer than those that the matrix shows, which stand out again within one of them."""
    return entry.grouping.n_clusters < max(numbers.candidates) and _falls_apart(question, entry.grouping.labels, run)


def _falls_apart(question: Question, labels: IntArray, run: Options) -> bool:
    """Whether groups stand out within one of several groups, the largest first."""
    assert question.sequences is not None
    for group in np.argsort(-np.bincount(labels[labels >= 0]), kind="stable"):
        members = np.flatnonzero(labels == group)
        if len(members) < 2 * LEAST:
            return False
        within = replace(question, sequences=question.sequences.subset(members))
        most = _bounds(replace(question, n_clusters=None, n_range=None), len(members), run)[1]
        if _against_one_process(within, list(question.views), most, run).stands_out:
            return True
    return False


def labels_of(sighting: Sighting, distance: FloatArray) -> IntArray:
    """Groups of a sighting, with those that belong to none where they are nearest, shape (N,)."""
    return completed(sighting.grouping.labels, distance)


__all__ = ["CLEAR", "WEAKEST", "Decision", "Question", "Sighting", "decide", "labels_of"]
