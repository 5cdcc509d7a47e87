"""New sequences among the clusters of a result: the nearest cluster, how clearly, and whether they fit anywhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import FloatArray, IntArray
from ..core.clock import clock_of
from ..core.errors import DataError, ParameterError
from ..core.progress import Progress
from ..core.sequences import SequenceSet
from ..core.settings import unknown_option
from ..core.shard import Part
from ..core.wording import count, listed
from ..features.column_names import column_labels
from ..features.explanatory import courses, traits
from ..metrics.internal import nearness
from ..readers.folder import Processing, reading_like
from ..readers.reading import OPTIONS as READING
from .explaining import called, in_unit, words_for
from .novelty import MIN_FAR_RATIO, how_far, usual_in
from .options import Options
from .prediction import (
    blocks,
    distances_to_old,
    embed,
    nearest_means,
    representatives,
    require_groups,
    silhouettes_of_means,
)
from .preparation import in_columns_of, load
from .result import Result

MAX_STEP_DIFFERENCE = 0.01
"""Largest relative difference between the time steps of new sequences and those of the old ones."""


MAX_DRAWN_COLUMNS, MAX_IN_BAND = 3, 300
"""Largest numbers of columns drawn for new sequences, and of members behind the band of a cluster."""


class Assignments(NamedTuple):
    """Assignment of some new sequences, with one entry for each.

    Attributes
    ----------
    labels, next_labels : ndarray, shape (M,), int64
        The nearest cluster, and the next one; the same where there is one cluster.
    silhouettes, memberships : ndarray, shape (M,)
        How clearly it is that one and not the next.
    times : ndarray, shape (M,)
        How many times as far from its members as is usual there.
    points : ndarray, shape (M, 2)
        Coordinates in the plane of the old ones.
    """

    labels: IntArray
    next_labels: IntArray
    silhouettes: FloatArray
    memberships: FloatArray
    times: FloatArray
    points: FloatArray


class New(NamedTuple):
    """New sequences as given and in the scale of the old ones, their transform, and the notes of reading."""

    given: SequenceSet
    scaled: SequenceSet
    options: Options
    notes: list[str]


def read(result: Result, data: Any, changes: Mapping[str, Any], work: Processing, part: Part | None = None) -> New:
    """New sequences, read like the old ones except for `changes` to the reading options.

    ParameterError if `changes` hold anything else; DataError if the sequences are not of the kind of the old ones.
    """
    valid = [name for name, entry in READING.items() if "predict" not in entry.not_for]
    for name in changes:
        if name not in valid:
            raise ParameterError(unknown_option("setting", name, valid))
    reading = reading_like(result.original, data)
    if changes:
        reading = replace(reading, **changes)
    loaded, remarks = load(data, reading, work, alone=True, part=part)
    given = replace(in_columns_of(loaded, result.original), name=loaded.name)
    of_columns = [note for note in given.notes if note not in loaded.notes]
    _require_time(given, result.original)
    given, left_out = _long_enough(given, result)
    options = result.options.altered(threads=work.jobs, progress=work.progress)
    return New(given, result.scaling.apply(given), options, [*remarks.notes, *of_columns, *left_out])


def _require_time(new: SequenceSet, old: SequenceSet) -> None:
    """Refuse frames at another rate than the old ones, if both rates are known."""
    theirs, ours = clock_of(new), clock_of(old)
    if theirs is None or ours is None or theirs.unit != ours.unit:
        return
    if abs(theirs.step - ours.step) > MAX_STEP_DIFFERENCE * ours.step:
        raise DataError(
            f"{new.name}: has a frame every {theirs.step:.4g} {theirs.unit} but the clusters were made from one every"
            f" {ours.step:.4g}; resample the new sequences"
        )


def _long_enough(new: SequenceSet, result: Result) -> tuple[SequenceSet, list[str]]:
    """New sequences without those of a single frame if the measure cannot use them, and notes on these."""
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
    """Assign new sequences in the scale of the old ones.

    `base` holds the representatives of the clusters of a sample, `result` its analysis; without it, all old sequences are
    compared with. A sequence's answer does not depend on the others.
    """
    require_groups(result)
    positions = np.arange(len(result.sequences)) if base is None else representatives(result)
    old = result if base is None else base
    positions = positions[old.ordering.positions]
    clusters, usual = result.labels[positions], usual_in(result, positions)
    reported = Progress("place sequences", len(new), unit="sequence") if progress else None
    parts = []
    for block in blocks(new):
        rows = distances_to_old(old, block, options)
        means = nearest_means(rows, clusters) if base is not None else _means_of_all(rows, clusters)
        ranked = np.argsort(means, axis=0, kind="stable").astype(np.int64)
        labels, near = ranked[0], np.take_along_axis(means, ranked[:2], axis=0)
        parts.append(
            Assignments(
                labels,
                ranked[min(1, len(ranked) - 1)],
                silhouettes_of_means(means),
                nearness(*near) if len(near) > 1 else np.ones(len(block)),
                how_far(result, usual, block, labels, rows, positions, options),
                embed(old, rows, block),
            )
        )
        if reported is not None:
            reported.step(len(block))
    return Assignments(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _means_of_all(rows: FloatArray, clusters: IntArray) -> FloatArray:
    """Mean dissimilarity to all members of each cluster, shape (number of clusters, M)."""
    return np.stack([rows[:, clusters == k].mean(axis=1) for k in range(int(clusters.max()) + 1)])


class WithMembers(NamedTuple):
    """New sequences with the members of the clusters, for drawing; see :class:`kinseq.api.assignment.Assignment`."""

    curves: FloatArray
    furthest: NDArray[np.str_]
    bands: FloatArray
    columns: NDArray[np.str_]
    words: NDArray[np.str_]


def with_members(result: Result, new: SequenceSet, found: Assignments) -> WithMembers:
    """Curves of new sequences with bands of their clusters' members, and the most extreme property of those that fit nowhere."""
    names, k = column_labels(result.original), result.n_clusters
    table = result.explain()
    stated = [name for name in dict.fromkeys(table["column"]) if name in names]
    undrawn = "features" in result.original.provenance or result.original.alphabet is not None
    columns = [] if undrawn else [*dict.fromkeys([*stated, *names])][:MAX_DRAWN_COLUMNS]
    at = [names.index(name) for name in columns]
    members = [
        np.setdiff1d(np.flatnonzero(result.labels == j), result.details.scattered)[:MAX_IN_BAND] for j in range(k)
    ]
    bands, curves = np.zeros((k, 3, len(at), 0)), np.zeros((len(new), len(at), 0))
    if at:
        bands = np.stack(
            [
                np.quantile(np.stack([courses(result.original.subset(items))[c] for c in at]), (0.1, 0.5, 0.9), axis=1)
                for items in members
            ]
        )
        # One at a time, since courses may be as long as the longest sequence of a set.
        curves = np.stack([np.stack([courses(new.subset(np.array([i])))[c][0] for c in at]) for i in range(len(new))])
    first = table.drop_duplicates("cluster").set_index("cluster")["words"]
    words = np.array([str(first.get(j + 1, "")) for j in range(k)])
    return WithMembers(curves, _furthest(result, new, found, members), bands, np.array(columns, dtype=np.str_), words)


LEAST = float(np.log(np.finfo(float).tiny))
"""Logarithm that stands for a size of zero."""


def _furthest(result: Result, new: SequenceSet, found: Assignments, members: Sequence[IntArray]) -> NDArray[np.str_]:
    """For each sequence that fits nowhere, the property furthest from the members of its cluster, in words."""
    texts = [""] * len(new)
    far = np.flatnonzero(found.times > MIN_FAR_RATIO)
    if not far.size:
        return np.array(texts, dtype=np.str_)
    words, theirs = words_for(result.original), traits(new.subset(far))
    of_members = {k: traits(result.original.subset(members[k])) for k in np.unique(found.labels[far]).tolist()}
    for row, i in enumerate(far.tolist()):
        ours = of_members[int(found.labels[i])]
        keys = list(zip(ours.kinds, ours.columns, strict=True))
        best = 0.0
        for j, key in enumerate(zip(theirs.kinds, theirs.columns, strict=True)):
            value = float(theirs.values[row, j])
            own = ours.values[:, keys.index(key)] if key in keys else np.zeros(0)
            own = own[np.isfinite(own)]
            # A constant sequence has the least logarithm for a size, which is no size to report.
            if key[0] not in words or not np.isfinite(value) or value <= LEAST or not own.size:
                continue
            low, high = (float(end) for end in np.quantile(own, (0.05, 0.95)))
            # In units of the usual spread; a property that never varies counts by its size.
            away = max(low - value, value - high) / max(high - low, 0.01 * max(abs(low), abs(high)), 1e-12)
            if away > best:
                kind, column = key
                text = words[kind].text_of
                usual = in_unit(words, kind, column, f"{text(low)} to {text(high)}")
                name = f"{kind} of {called(new, column)}" if column else kind
                best, texts[i] = away, f"{name} {in_unit(words, kind, column, text(value))}, usual {usual}"
    return np.array(texts, dtype=np.str_)
