"""New sequences among the clusters of a result: which one is nearest, how clearly, and whether they fit anywhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from ..core.arrays import FloatArray, IntArray
from ..core.clock import clock_of
from ..core.errors import DataError, ParameterError
from ..core.progress import Progress
from ..core.sequences import SequenceSet
from ..core.settings import unknown_option
from ..core.shard import Part
from ..core.wording import count, listed
from ..metrics.internal import nearness
from ..readers.folder import Work, reading_like
from ..readers.reading import OPTIONS as READING
from .novelty import how_far, usual_in
from .options import Options
from .prediction import blocks, compared, located, nearest_means, representatives, silhouettes_of_means
from .preparation import in_columns_of, load
from .result import Result

MAX_STEP_DIFFERENCE = 0.01
"""Part by which the time from frame to frame of new sequences may differ from that of the old ones."""


class Assignments(NamedTuple):
    """Where some new sequences are, an entry for each.

    Attributes
    ----------
    labels : ndarray, shape (M,), int64
        The nearest cluster.
    silhouettes, memberships : ndarray, shape (M,)
        How clearly it is that one and not the next.
    times : ndarray, shape (M,)
        How many times as far from its members as is usual there.
    points : ndarray, shape (M, 2)
        Coordinates in the plane of the old ones.
    """

    labels: IntArray
    silhouettes: FloatArray
    memberships: FloatArray
    times: FloatArray
    points: FloatArray


class New(NamedTuple):
    """New sequences as they were given and in the scale of the old ones, how they are worked on, and the notes of reading."""

    given: SequenceSet
    scaled: SequenceSet
    options: Options
    notes: list[str]


def read(result: Result, data: Any, changes: Mapping[str, Any], work: Work, part: Part | None = None) -> New:
    """New sequences, read as the old ones were, but for what `changes` say of how files are read.

    ParameterError if `changes` hold anything else; DataError if the sequences are not of the kind of the old ones.
    """
    valid = [name for name, entry in READING.items() if "predict" not in entry.not_for]
    for name in changes:
        if name not in valid:
            raise ParameterError(unknown_option("setting", name, valid))
    reading = reading_like(result.original, data)
    if changes:
        reading = replace(reading, **changes)
    given, remarks = load(data, reading, work, alone=True, part=part)
    given = replace(in_columns_of(given, result.original), name=given.name)
    _require_time(given, result.original)
    given, left_out = _long_enough(given, result)
    options = result.options.altered(threads=work.jobs, progress=work.progress)
    return New(given, result.scaling.apply(given), options, [*remarks.notes, *left_out])


def _require_time(new: SequenceSet, old: SequenceSet) -> None:
    """Refuse frames that follow each other at another rate than the old ones, where both are known."""
    theirs, ours = clock_of(new), clock_of(old)
    if theirs is None or ours is None or theirs.unit != ours.unit:
        return
    if abs(theirs.step - ours.step) > MAX_STEP_DIFFERENCE * ours.step:
        raise DataError(
            f"{new.name}: has a frame every {theirs.step:.4g} {theirs.unit} but the clusters were made from one every"
            f" {ours.step:.4g}; resample the new sequences"
        )


def _long_enough(new: SequenceSet, result: Result) -> tuple[SequenceSet, list[str]]:
    """New sequences without those of a single frame, if the measure cannot use them, and what is said of these."""
    short = new.lengths < 2
    if not short.any() or (result.views[0].measure.one_frame and result.scaling.length is None):
        return new, []
    ids = [str(name) for name in new.ids[short]]
    if short.all():
        raise DataError(f"{new.name}: every sequence has a single frame, which cannot be compared; give longer ones")
    return new.subset(np.flatnonzero(~short)), [
        f"left out {count(len(ids), 'sequence')} of a single frame: {listed(ids)}"
    ]


def places(
    result: Result, base: Result | None, new: SequenceSet, options: Options, progress: bool = False
) -> Assignments:
    """Where new sequences are, in the scale of the old ones.

    `base` holds the representatives of the clusters of a sample, `result` its analysis; without it, all old sequences are
    compared with. A sequence's answer does not depend on the others.
    """
    positions = np.arange(len(result.sequences)) if base is None else representatives(result)
    old = result if base is None else base
    positions = positions[old.ordering.positions]
    clusters, usual = result.labels[positions], usual_in(result, positions)
    reported = Progress("place sequences", len(new), unit="sequence") if progress else None
    parts = []
    for block in blocks(new):
        rows = compared(old, block, options)
        means = nearest_means(rows, clusters) if base is not None else _means_of_all(rows, clusters)
        labels = means.argmin(axis=0).astype(np.int64)
        near = np.sort(means, axis=0)[:2]
        parts.append(
            Assignments(
                labels,
                silhouettes_of_means(means),
                nearness(*near) if len(near) > 1 else np.ones(len(block)),
                how_far(result, usual, block, labels, rows, positions, options),
                located(old, rows, block),
            )
        )
        if reported is not None:
            reported.step(len(block))
    return Assignments(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _means_of_all(rows: FloatArray, clusters: IntArray) -> FloatArray:
    """Mean dissimilarity to all members of each cluster, shape (number of clusters, M)."""
    return np.stack([rows[:, clusters == k].mean(axis=1) for k in range(int(clusters.max()) + 1)])
