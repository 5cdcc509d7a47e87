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
from ..core.graphs.kmeans import relabel
from ..core.ordering import Ordering, by_content
from ..core.progress import waiting
from ..core.seeds import derive_seed
from ..core.sequences import SequenceSet
from ..core.store import PathLike
from ..measures.properties import params_of
from ..measures.registry import Measure, get
from . import limits
from .analysis import Analysis
from .deciding import Decision, Look, Question, labels_of
from .number import Range, require_reached
from .partition import SPECTRAL, by_size, choose_number, cut, remarks_on_fewer, several_cuts, some_of
from .preparation import Scaling, cut_long, leave_out_short, load, remarks_on_copies, scaled_in_order
from .remarks import NONE, Remarks, noted
from .run import Run, subsample
from .sampled import Whole
from .sampling import draw_sample, sample_size
from .views import View, is_open, look_of, looks_of, view_of


@dataclass(frozen=True)
class Request:
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

    def analysis(self, remarks: Remarks, **attributes: Any) -> Analysis:
        """The analysis that answers this request, by the attributes that its steps computed."""
        run = self.run
        return Analysis(
            settings=run.settings,
            seed=run.seed,
            n_requested=self.n_clusters,
            n_range=self.n_range,
            source=self.source,
            notes=list(remarks.notes),
            choices=list(remarks.choices),
            threads=run.threads,
            progress=run.progress,
            command=self.command,
            measures=tuple(entry.name for entry in self.measures),
            **attributes,
        )


@dataclass(frozen=True)
class Part:
    """Sequences that are compared with each other: all, or a sample.

    Attributes
    ----------
    original : SequenceSet
        As they were given.
    ordered : SequenceSet
        As they are compared, in order of content.
    ordering : Ordering
        That order.
    scaling : Scaling
        How new sequences get into the form of these.
    remarks : Remarks
        Of the steps so far.
    """

    original: SequenceSet
    ordered: SequenceSet
    ordering: Ordering
    scaling: Scaling
    remarks: Remarks

    def distinct(self) -> SequenceSet:
        """The sequences as they are compared, each once."""
        positions = self.ordering.distinct
        return self.ordered if len(positions) == len(self.ordered) else self.ordered.subset(positions)


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
        return Part(self.every.original.subset(positions), ordered, ordering, self.every.scaling, self.every.remarks)

    def whole(self) -> Whole:
        """What all sequences are, beside the sample."""
        ordering = self.every.ordering
        places = np.arange(len(self.every.original)) if self.sampled is None else self.sampled
        sampled, unlike = (np.sort(ordering.positions[some]) for some in (places, self.unlike))
        return Whole(self.every.original, ordering, sampled, unlike)

    def left_out(self) -> SequenceSet | None:
        """The sequences that are assigned, in order of content; None if there are none."""
        left = self.whole().left_out()
        return self.every.ordered.subset(left) if left.size else None


def prepare(request: Request, data: Any, cache: PathLike | None = None) -> Ready:
    """Read data in any form that :func:`kinseq.cluster` takes, leave out what is too short, cut what is too long,
    scale, and draw a sample of many.
    """
    run = request.run
    originals, of_reading = load(data, run, cache, ordered=any(entry.ordered for entry in request.measures))
    originals = replace(originals, name=request.name or originals.name)
    originals, of_short = leave_out_short(originals, request.measures, run, request.every)
    require_reached(request.n_clusters, request.n_range, len(originals), originals.name)
    sequences, of_long = cut_long(originals, run)
    size, of_sample = sample_size(sequences, request.measures, request.n_most, run)
    # No number depends on the order of files: everything is computed in an order of content, and put back at the end.
    placed = any(entry.columns_by_place for entry in request.measures)
    counted = any(entry.counts_features for entry in request.measures)
    ordered, scaling, ordering, of_scale = scaled_in_order(sequences, run, all_columns=placed, counted=counted)
    remarks = (
        of_reading + of_short + of_long + of_sample + of_scale + remarks_on_copies(originals, ordering, counted=True)
    )
    every = Part(originals, ordered, ordering, scaling, remarks)
    if size == len(originals):
        return Ready(every, None, np.zeros(0, dtype=np.int64))
    # A copy in the sample would be one sequence less.
    distinct = ordering.distinct
    if size >= len(distinct):
        return Ready(every, distinct, np.zeros(0, dtype=np.int64))
    sampled, unlike = draw_sample(every.distinct(), size, run.seed)
    return Ready(every, distinct[sampled], distinct[unlike])


def compare(request: Request, part: Part) -> Analysis:
    """Compare sequences with each other, choose how many clusters there are, and cut.

    Copies of a sequence count once, and are put with it afterwards. The first measure decides how many clusters there are,
    unless somebody said.
    """
    ordering, run, distinct = part.ordering, request.run, part.distinct()
    first, decision, of_number = _decided(request, distinct)
    views, remarks = [first], part.remarks + of_number
    for measure in request.measures[1:]:
        view, of_view = view_of(measure, distinct, min(decision.n_clusters, len(distinct)), run)
        remarks += of_view
        view.labels = _cut(view, decision.n_clusters, run)
        views.append(view)
    return request.analysis(
        remarks,
        sequences=part.ordered.subset(ordering.ranks),
        original=part.original,
        views=[restored(with_copies(view, ordering), ordering) for view in views],
        decision=decision.in_order(np.searchsorted(ordering.distinct, ordering.first)[ordering.ranks]),
        scaling=part.scaling,
        ordering=ordering,
    )


def _decided(request: Request, sequences: SequenceSet) -> tuple[View, Decision, Remarks]:
    """The view that is clustered, with its clusters, how it was decided on, and what is told of both."""
    measure, run = request.measures[0], request.run
    # Copies count once, so that there may be fewer sequences than clusters that were asked for.
    n_clusters = None if request.n_clusters is None else min(request.n_clusters, len(sequences))
    with waiting(
        run.task(f"{measure.name}: compare {len(sequences)} sequences of {sequences.lengths.sum()} frames in all")
    ):
        looks = looks_of(measure, sequences, run)
        view, remarks = view_of(measure, sequences, n_clusters, run, looks)
    distances = {name: look.distance for name, look in looks.items()}
    views = {name: distance for name, distance in distances.items() if f"agreement_{name}" in view.findings}
    beside = {name: distance for name, distance in distances.items() if name not in views}
    votes = views or {measure.name: view.distance}
    decision, of_number = _choose(request, view, sequences, votes, look_of(measure, run), beside)
    remarks, of_view = remarks + of_number, NONE
    if (sighting := decision.by) is not None and sighting.by_property:
        view, of_view = view_of(get("properties"), sequences, n_clusters, run, overrides=params_of(sighting.name))
    elif sighting is not None and looks and list(looks) != [sighting.name]:
        alone = measure if sighting.name in views else get("fusion")
        view, of_view = view_of(alone, sequences, n_clusters, run, looks, overrides={"views": [sighting.name]})
    # How the one view was chosen is told with the number of clusters.
    remarks += noted(*of_view.notes)
    items = subsample(len(sequences), limits.COMPARED, run.seed, "numbers")
    voting = {name: distance[np.ix_(items, items)] for name, distance in views.items()}
    view.labels = _labels(view, decision, run)
    remarks = remarks_on_fewer(request.n_clusters, view.labels, view.distance, remarks)
    return view, replace(decision, items=items, views=voting), remarks


def decided_by_matrix(request: Request, view: View, ordering: Ordering) -> tuple[Decision, Remarks]:
    """How a given matrix was decided on; its view gets its clusters, items with equal rows the same."""
    decision, remarks = _choose(request, view, None, {view.measure.name: view.distance}, None)
    view.labels = by_size(relabel(_labels(view, decision, request.run)[ordering.first]))
    return decision, remarks_on_fewer(request.n_clusters, view.labels, view.distance, remarks)


def _choose(
    request: Request,
    view: View,
    sequences: SequenceSet | None,
    views: Mapping[str, FloatArray],
    look: Look | None,
    beside: Mapping[str, FloatArray] | None = None,
) -> tuple[Decision, Remarks]:
    run = request.run
    square = partial(some_of, view, seed=derive_seed(run.seed, "reference"))
    cuts = several_cuts(view.width, run)
    free = is_open(request.measures[0], run)
    question = Question(sequences, views, square, cuts, look, beside or {}, free, request.n_clusters, request.n_range)
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
