"""Steps of an analysis of sequences, and what each hands to the next: functions of what they are given, and nothing else.

:mod:`.pipeline` takes them one after another.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from ..core.arrays import FloatArray, IntArray
from ..core.ordering import Ordering, by_content
from ..core.seeds import derive_seed
from ..core.sequences import SequenceSet
from ..core.store import PathLike
from ..graphs.kmeans import relabel
from ..measures.properties import params_of
from ..measures.registry import Measure, get
from . import limits
from .analysis import Analysis
from .deciding import Decision, Look, Question, labels_of
from .number import Range, require_reached
from .partition import SPECTRAL, by_size, choose_number, cut, several_cuts, some_of, told_of_fewer
from .preparation import Scaling, cut_long, leave_out_short, load, scaled_in_order, told_of_copies
from .remarks import NONE, Remarks, noted
from .run import Run
from .run import drawn as drawn_of
from .sampled import Whole
from .sampling import drawn, sample_size
from .views import View, is_open, look_of, looks_of, view_of


@dataclass(frozen=True)
class Asked:
    """An analysis as it was asked for, checked as far as it can be before data are read.

    Attributes
    ----------
    measures : list of Measure
    n_clusters : int or None
    run : Run
    name : str or None
        Title of the page; that of the data if None.
    source : str or None
        Path of the data; None for arrays.
    command : str or None
        What the page names as the command that repeats it.
    every : bool
        Refuse sequences that a measure cannot use, instead of leaving them out.
    n_range : (int, int) or None
        Lowest and highest number of clusters, where one of these is to be chosen; `n_clusters` is None then.
    """

    measures: list[Measure]
    n_clusters: int | None
    run: Run
    name: str | None = None
    source: str | None = None
    command: str | None = None
    every: bool = False
    n_range: Range | None = None

    @property
    def n_most(self) -> int | None:
        """The largest number of clusters that was asked for."""
        return self.n_clusters if self.n_range is None else self.n_range[1]

    def analysis(self, told: Remarks, **found: Any) -> Analysis:
        """What was found and is told of it, as an answer to this."""
        run = self.run
        return Analysis(
            settings=run.settings,
            seed=run.seed,
            asked=self.n_clusters,
            n_range=self.n_range,
            source=self.source,
            notes=list(told.notes),
            choices=list(told.choices),
            threads=run.threads,
            progress=run.progress,
            command=self.command,
            measures=tuple(entry.name for entry in self.measures),
            **found,
        )


@dataclass(frozen=True)
class Part:
    """Sequences that are compared with each other: all, or a sample.

    Attributes
    ----------
    given : SequenceSet
        As they were given.
    ordered : SequenceSet
        As they are compared, in order of content.
    ordering : Ordering
        That order.
    scaling : Scaling
        How new sequences get into the form of these.
    told : Remarks
        Of the steps so far.
    """

    given: SequenceSet
    ordered: SequenceSet
    ordering: Ordering
    scaling: Scaling
    told: Remarks

    def distinct(self) -> SequenceSet:
        """The sequences as they are compared, each once."""
        kept = self.ordering.distinct
        return self.ordered if len(kept) == len(self.ordered) else self.ordered.subset(kept)


@dataclass(frozen=True)
class Ready:
    """Sequences that were read, cut and scaled, and the sample that was drawn.

    Attributes
    ----------
    every : Part
        All of them.
    sampled : ndarray, int64, or None
        Where the sampled ones stand in order of content, rising; None where all are compared.
    unlike : ndarray, int64
        The same of those that are unlike everything that was sampled.
    """

    every: Part
    sampled: IntArray | None
    unlike: IntArray

    def part(self) -> Part:
        """The sequences that are compared with each other."""
        if self.sampled is None:
            return self.every
        ordered = self.every.ordered.subset(self.sampled)
        places, positions = self.every.ordering.positions[self.sampled], self.whole().positions
        ordering = Ordering(np.searchsorted(positions, places).astype(np.int64), by_content(ordered).first)
        return Part(self.every.given.subset(positions), ordered, ordering, self.every.scaling, self.every.told)

    def whole(self) -> Whole:
        """What all sequences are, beside the sample."""
        ordering = self.every.ordering
        places = np.arange(len(self.every.given)) if self.sampled is None else self.sampled
        sampled, unlike = (np.sort(ordering.positions[some]) for some in (places, self.unlike))
        return Whole(self.every.given, ordering, sampled, unlike)

    def left_out(self) -> SequenceSet | None:
        """The sequences that are assigned, in order of content; None if there are none."""
        left = self.whole().left_out()
        return self.every.ordered.subset(left) if left.size else None


def prepare(asked: Asked, data: Any, cache: PathLike | None = None) -> Ready:
    """Read, leave out what is too short, cut what is too long, scale, and draw a sample of many.

    Parameters
    ----------
    asked : Asked
    data : object
        As :func:`~kinseq.analysis.pipeline.cluster` takes it.
    cache : path-like, optional
        Folder in which features of audio files are remembered.
    """
    run = asked.run
    given, of_reading = load(data, run, cache, ordered=any(entry.ordered for entry in asked.measures))
    given = replace(given, name=asked.name or given.name)
    given, of_short = leave_out_short(given, asked.measures, run, asked.every)
    require_reached(asked.n_clusters, asked.n_range, len(given), given.name)
    sequences, of_long = cut_long(given, run)
    size, of_sample = sample_size(sequences, asked.measures, asked.n_most, run)
    # No number depends on the order of files: everything is computed in an order of content, and put back at the end.
    placed = any(entry.columns_by_place for entry in asked.measures)
    counted = any(entry.counts_features for entry in asked.measures)
    ordered, scaling, ordering, of_scale = scaled_in_order(sequences, run, all_columns=placed, counted=counted)
    told = of_reading + of_short + of_long + of_sample + of_scale + told_of_copies(given, ordering, counted=True)
    every = Part(given, ordered, ordering, scaling, told)
    if size == len(given):
        return Ready(every, None, np.zeros(0, dtype=np.int64))
    # A copy in the sample would be one sequence less.
    kept = ordering.distinct
    if size >= len(kept):
        return Ready(every, kept, np.zeros(0, dtype=np.int64))
    sampled, unlike = drawn(every.distinct(), size, run.seed)
    return Ready(every, kept[sampled], kept[unlike])


def compare(asked: Asked, part: Part) -> Analysis:
    """Compare sequences with each other, choose how many clusters there are, and cut.

    Copies of a sequence count once, and are put with it afterwards. The first measure decides how many clusters there are,
    unless somebody said.
    """
    ordering, run, distinct = part.ordering, asked.run, part.distinct()
    first, decision, of_number = _decided(asked, distinct)
    views, told = [first], part.told + of_number
    for measure in asked.measures[1:]:
        view, of_view = view_of(measure, distinct, min(decision.n_clusters, len(distinct)), run)
        told += of_view
        view.labels = _cut(view, decision.n_clusters, run)
        views.append(view)
    return asked.analysis(
        told,
        sequences=part.ordered.subset(ordering.ranks),
        given=part.given,
        views=[restored(with_copies(view, ordering), ordering) for view in views],
        decision=decision.in_order(np.searchsorted(ordering.distinct, ordering.first)[ordering.ranks]),
        scaling=part.scaling,
        ordering=ordering,
    )


def _decided(asked: Asked, sequences: SequenceSet) -> tuple[View, Decision, Remarks]:
    """The view that is clustered, with its clusters, how it was decided on, and what is told of both."""
    measure, run = asked.measures[0], asked.run
    # Copies count once, so that there may be fewer sequences than clusters that were asked for.
    known = None if asked.n_clusters is None else min(asked.n_clusters, len(sequences))
    looks = looks_of(measure, sequences, run)
    view, told = view_of(measure, sequences, known, run, looks)
    seen = {name: look.distance for name, look in looks.items()}
    views = {name: distance for name, distance in seen.items() if f"agreement_{name}" in view.findings}
    beside = {name: distance for name, distance in seen.items() if name not in views}
    votes = views or {measure.name: view.distance}
    decision, of_number = _choose(asked, view, sequences, votes, look_of(measure, run), beside)
    told, of_view = told + of_number, NONE
    if (best := decision.by) is not None and best.by_property:
        view, of_view = view_of(get("properties"), sequences, known, run, taken=params_of(best.name))
    elif best is not None and looks and list(looks) != [best.name]:
        alone = measure if best.name in views else get("fusion")
        view, of_view = view_of(alone, sequences, known, run, looks, taken={"views": [best.name]})
    # How the one view was chosen is told with the number of clusters.
    told += noted(*of_view.notes)
    items = drawn_of(len(sequences), limits.COMPARED, run.seed, "numbers")
    voting = {name: distance[np.ix_(items, items)] for name, distance in views.items()}
    view.labels = _labels(view, decision, run)
    told = told_of_fewer(asked.n_clusters, view.labels, view.distance, told)
    return view, replace(decision, items=items, views=voting), told


def decided_by_matrix(asked: Asked, view: View, ordering: Ordering) -> tuple[Decision, Remarks]:
    """How a given matrix was decided on; its view gets its clusters, items with equal rows the same."""
    decision, told = _choose(asked, view, None, {view.measure.name: view.distance}, None)
    view.labels = by_size(relabel(_labels(view, decision, asked.run)[ordering.first]))
    return decision, told_of_fewer(asked.n_clusters, view.labels, view.distance, told)


def _choose(
    asked: Asked,
    view: View,
    sequences: SequenceSet | None,
    views: Mapping[str, FloatArray],
    look: Look | None,
    beside: Mapping[str, FloatArray] | None = None,
) -> tuple[Decision, Remarks]:
    run = asked.run
    square = partial(some_of, view, seed=derive_seed(run.seed, "reference"))
    cuts = several_cuts(view.width, run)
    free = is_open(asked.measures[0], run)
    question = Question(sequences, views, square, cuts, look, beside or {}, free, asked.n_clusters, asked.n_range)
    return choose_number(question, view.reference, view.width, run)


def _labels(view: View, decision: Decision, run: Run) -> IntArray:
    """Groups beyond doubt as they were seen, unless another clusterer is asked for; or else the matrix is cut."""
    if decision.by is not None and run.settings.clusterer == SPECTRAL:
        return by_size(relabel(labels_of(decision.by, view.distance)))
    return _cut(view, decision.n_clusters, run)


def _cut(view: View, n_clusters: int, run: Run) -> IntArray:
    n = len(view.distance)
    return cut(view.distance, min(n_clusters, n), view.width, run, np.arange(n))


def with_copies(view: View, ordering: Ordering) -> View:
    """A view of sequences without copies as one of all, in the order of their contents."""
    places = np.searchsorted(ordering.distinct, ordering.first)
    return replace(view, distance=view.distance[np.ix_(places, places)], labels=by_size(view.labels[places]))


def restored(view: View, ordering: Ordering) -> View:
    """A view in the order that the sequences were given in."""
    distance, labels = ordering.restore_matrix(view.distance), view.labels[ordering.ranks]
    return replace(view, distance=distance, labels=labels)
