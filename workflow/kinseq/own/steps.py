"""Steps of an analysis of sequences, and what each hands to the next: functions of what they are given, and nothing else.

:mod:`.pipeline` takes them one after another in one process, :mod:`.batched` in several, with files in between.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..arrays import IntArray, require_clusters
from ..data.readers.batches import Opened
from ..measures.registry import Measure
from ..ordering import Ordering, by_content
from ..sequences import SequenceSet
from ..store import PathLike
from .analysis import Analysis
from .partition import choose_number, cut, tell_fewer
from .preparation import Scaling, cut_long, leave_out_short, load, scaled_in_order
from .run import Run
from .sampled import Whole
from .sampling import drawn, sample_size
from .views import View, view_of


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
    """

    measures: list[Measure]
    n_clusters: int | None
    run: Run
    name: str | None = None
    source: str | None = None
    command: str | None = None
    every: bool = False

    def analysis(self, **found: Any) -> Analysis:
        """What was found, as an answer to this."""
        run = self.run
        return Analysis(
            settings=run.settings,
            seed=run.seed,
            asked=self.n_clusters,
            source=self.source,
            notes=run.notes,
            choices=run.choices,
            threads=run.threads,
            progress=run.progress,
            command=self.command,
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
    """

    given: SequenceSet
    ordered: SequenceSet
    ordering: Ordering
    scaling: Scaling


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
        return Part(self.every.given.subset(positions), ordered, ordering, self.every.scaling)

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


def prepare(asked: Asked, data: Any, cache: PathLike | None = None, opened: Opened | None = None) -> Ready:
    """Read, leave out what is too short, cut what is too long, scale, and draw a sample of many.

    Parameters
    ----------
    asked : Asked
    data : object
        As :func:`~kinseq.own.pipeline.cluster` takes it.
    cache : path-like, optional
        Folder in which features of audio files are remembered.
    opened : Opened, optional
        What opening the files has given, where it was done in batches.
    """
    run = asked.run
    given = load(data, run, cache, ordered=any(entry.ordered for entry in asked.measures), opened=opened)
    given = replace(given, name=asked.name or given.name)
    given = leave_out_short(given, asked.measures, run, asked.every)
    if asked.n_clusters is not None:
        require_clusters(len(given), asked.n_clusters, given.name)
    sequences = cut_long(given, run)
    size = sample_size(sequences, asked.measures, asked.n_clusters, run)
    # No number depends on the order of files: everything is computed in an order of content, and put back at the end.
    placed = any(entry.columns_by_place for entry in asked.measures)
    ordered, scaling, ordering = scaled_in_order(sequences, run, all_columns=placed)
    every = Part(given, ordered, ordering, scaling)
    if size == len(given):
        return Ready(every, None, np.zeros(0, dtype=np.int64))
    return Ready(every, *drawn(ordered, size, run.seed))


def compare(asked: Asked, part: Part, made: Mapping[str, Any] | None = None) -> Analysis:
    """Compare sequences with each other, choose how many clusters there are, and cut.

    The first measure's matrix decides how many, unless somebody said. Parts of it that were `made` before are not computed
    again.
    """
    views: list[View] = []
    count, numbers, ordering, run = asked.n_clusters, None, part.ordering, asked.run
    for measure in asked.measures:
        view = view_of(measure, part.ordered, count, run, made if not views else None)
        view.distance = ordering.equal_alike(view.distance)
        if not views:
            count, numbers = choose_number(asked.n_clusters, view.distance, view.width, run, view.reference)
        view.labels = cut(view.distance, count or 1, view.width, run, ordering.first)
        if not views:
            tell_fewer(asked.n_clusters, view.labels, view.distance, run)
        views.append(view)
    return asked.analysis(
        sequences=part.ordered.subset(ordering.ranks),
        given=part.given,
        views=[restored(view, ordering) for view in views],
        numbers=numbers,
        scaling=part.scaling,
        ordering=ordering,
    )


def restored(view: View, ordering: Ordering) -> View:
    """A view in the order that the sequences were given in."""
    distance, labels = ordering.restore_matrix(view.distance), view.labels[ordering.ranks]
    return replace(view, distance=distance, labels=labels)
