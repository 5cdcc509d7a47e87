"""Elastic distances: with increments added to the values, of shapes, and by moving, splitting and merging frames."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ..core.arrays import FloatArray, IntArray, as_positive
from ..core.jobs import as_threads
from ..core.sequences import Sequences, SequenceSet, as_sequence_set
from ..features.frames import delta, deviations, fit_scaling, median_length, normalise, to_length
from .alignment import align_all, align_some, edited, edited_some
from .dtw import dtw, dtw_between
from .registry import Measure, MeasureInput

STEADY_DEVIATION = 1e-9
"""Deviations of increments, relative to that of the values, below which they are rounding errors."""


def standardised(sequences: Sequences) -> SequenceSet:
    """Standardise each feature of every sequence; a constant feature becomes 0."""
    return normalise(as_sequence_set(sequences), "mean_variance")


def centred(sequences: SequenceSet, like: SequenceSet | None = None) -> SequenceSet:
    """Centre every sequence, and scale each feature by its remaining deviation, in `like` or in the sequences themselves.

    This removes differences in level, but keeps differences in variability.
    """
    rest = normalise(sequences, "mean")
    return fit_scaling(rest if like is None or like is sequences else normalise(like, "mean")).apply(rest)


def stretched(sequences: SequenceSet, like: SequenceSet | None = None) -> SequenceSet:
    """Return sequences at the median length of `like`, or their own: :func:`~kinseq.features.frames.to_length`."""
    return to_length(sequences, median_length(sequences if like is None else like))


def with_increments(sequences: SequenceSet, like: SequenceSet | None = None) -> SequenceSet:
    """Return frames of d features with their increments appended, 2 d features.

    Alignments see where a curve is, and not how it runs there: a sharp bend of a slow curve hardly counts. The
    increments, from the frame before to the frame after (:func:`~kinseq.features.delta` of width 1), are brought to the
    deviation of the values, feature by feature, so that both count alike in any unit; deviations are those of `like`,
    or of the sequences themselves, and increments that do not vary there become 0.
    """
    reference = sequences if like is None else like
    rises = delta(reference, width=1).values
    own = rises if reference is sequences else delta(sequences, width=1).values
    of_rises, of_values = deviations(rises), deviations(reference.values)
    unit = of_rises / np.where(of_values > 0.0, of_values, 1.0)
    varying = unit > STEADY_DEVIATION
    factor = np.where(varying, 1.0 / np.where(varying, unit, 1.0), 0.0)
    return sequences.with_frames(np.hstack([sequences.values, own * factor]))


def dtw_delta(sequences: Sequences, n_jobs: int | None = None) -> FloatArray:
    """:func:`~kinseq.measures.dtw.dtw` of frames with their increments: (N, N), squared units of the data per frame.

    Keogh and Pazzani (2001), "Derivative dynamic time warping"; Gorecki and Luczak (2013), "Using derivatives in time
    series classification", who add the costs of two alignments, where here values and increments share one.
    """
    threads = as_threads(n_jobs)
    return dtw(with_increments(as_sequence_set(sequences)), threads)


def dtw_delta_between(
    new: SequenceSet, old: SequenceSet, n_jobs: int | None = None, chosen: IntArray | None = None
) -> FloatArray:
    """Compute :func:`dtw_delta` between the sequences of two sets, shape (M, N), or (M, K) with ``chosen (M, K)``.

    `chosen` is that of :func:`~kinseq.measures.dtw.dtw_between`; the old sequences define the units.
    """
    threads = as_threads(n_jobs)
    return dtw_between(with_increments(new, old), with_increments(old), threads, chosen)


def msm(sequences: Sequences, cost: float = 1.0, n_jobs: int | None = None) -> FloatArray:
    """Move-split-merge distance over the sum of the two lengths: (N, N), units of the data per frame.

    The least total cost of turning one sequence into the other by moving the value of a frame, at its absolute change,
    and by splitting a frame into two or merging two into one, at `cost`, positive, and the way to the nearer neighbour
    beyond it. Features are aligned each by itself and their distances added. One that never changes in any sequence
    could only add what the lengths differ by, as often as there are such features, and is left out; unless none
    changes, where lengths are all that there is. Stefan, Athitsos and Das (2013), "The move-split-merge metric for time
    series".
    """
    threads = as_threads(n_jobs)
    return _msm(as_sequence_set(sequences), None, cost, threads)


def msm_between(
    new: SequenceSet,
    old: SequenceSet,
    cost: float = 1.0,
    n_jobs: int | None = None,
    chosen: IntArray | None = None,
) -> FloatArray:
    """Move-split-merge distances of two sets, shape (M, N), or (M, K) with ``chosen (M, K)``.

    `chosen` is that of :func:`~kinseq.measures.dtw.dtw_between`. Features that never change in `old` are left out.
    """
    threads = as_threads(n_jobs)
    return _msm(new, old, cost, threads, chosen)


def _msm(
    first: SequenceSet, second: SequenceSet | None, cost: float, threads: int, chosen: IntArray | None = None
) -> FloatArray:
    other = first if second is None else second
    changing = np.ptp(other.values, axis=0) > 0
    if changing.any() and not changing.all():
        first = first.with_frames(first.values[:, changing])
        second = None if second is None else second.with_frames(second.values[:, changing])
    if second is not None and chosen is not None:
        total = align_some(edited_some(as_positive(cost, "cost")), first, second, chosen, threads)
        return total / (first.lengths[:, None] + second.lengths[chosen])
    total = align_all(edited(as_positive(cost, "cost")), first, second, threads)
    return total / (first.lengths[:, None] + other.lengths)


Transform = Callable[[SequenceSet, SequenceSet], SequenceSet]
"""``prepare(sequences, like)`` returns sequences as a view uses them; properties of the whole set come from `like`."""


def _unchanged(sequences: SequenceSet, like: SequenceSet) -> SequenceSet:
    return sequences


def _shapes(sequences: SequenceSet, like: SequenceSet) -> SequenceSet:
    return standardised(sequences)


def _stretched_shapes(sequences: SequenceSet, like: SequenceSet) -> SequenceSet:
    return stretched(standardised(sequences), like)


class ElasticVariant(NamedTuple):
    """A view that a measure uses, and its words after the source of the measure."""

    look: Transform
    words: str = ""


GIVEN = ElasticVariant(_unchanged)
CENTRED = ElasticVariant(centred, ", of sequences less their means")
SHAPE = ElasticVariant(_shapes, ", of sequences in units of their own")
STRETCHED = ElasticVariant(stretched, ", of sequences stretched to one length")
STRETCHED_SHAPE = ElasticVariant(_stretched_shapes, ", of sequences in units of their own, stretched to one length")


def _measure_of_view(
    within: Callable[..., FloatArray],
    between: Callable[..., FloatArray],
    view: ElasticVariant,
    source: str,
    **fields: Any,
) -> Measure:
    """Return a measure of sequences as a view prepares them; new ones are compared with old ones, both prepared."""

    def function(evidence: MeasureInput, **params: Any) -> FloatArray:
        sequences = evidence.sequences
        return within(view.look(sequences, sequences), n_jobs=evidence.threads, **params)

    def cross(old: MeasureInput, new: MeasureInput, **params: Any) -> FloatArray:
        # The number of threads, and optionally the old sequences that each new one is compared with.
        like = old.sequences
        return between(view.look(new.sequences, like), view.look(like, like), n_jobs=old.threads, **params)

    return Measure(function=function, cross=cross, source=source + view.words, **fields)


INCREMENTS = "Keogh and Pazzani 2001"
SPLIT_AND_MERGE = "Stefan, Athitsos and Das 2013"

_by_increments = partial(_measure_of_view, within=dtw_delta, between=dtw_delta_between, cheap=True, scope="task")
_by_msm = partial(
    _measure_of_view, within=msm, between=msm_between, cheap=True, source=SPLIT_AND_MERGE, params={"cost": 1.0}
)

MEASURES = (
    _by_increments(name="dtw_delta", label="DTW with increments", view=GIVEN, source=f"{INCREMENTS}; Gorecki and Luczak 2013",
                   description="the course of values and how they change, at any speed"),
    _by_increments(name="dtw_delta_centred", label="DTW with increments (centred)", view=CENTRED, source=INCREMENTS,
                   description="the course of values and how they change, regardless of level"),
    _by_increments(name="dtw_delta_shape", label="DTW with increments (shape)", view=SHAPE, source=INCREMENTS,
                   description="the shape of the course and how it bends, regardless of level and spread"),
    _measure_of_view(within=dtw, between=dtw_between, cheap=True, source="Sakoe and Chiba 1978",
                     name="dtw_shape", label="DTW (shape)", view=SHAPE,
                     description="the shape of the course, regardless of level, spread and speed"),
    _by_msm(name="msm", label="MSM", view=GIVEN, description="the course of values over time, including pauses"),
    _by_msm(name="msm_shape", label="MSM (shape)", view=SHAPE,
            description="the shape of the course including pauses, regardless of level and spread"),
    _by_msm(name="msm_stretched", label="MSM (one length)", view=STRETCHED, scope="task",
            description="the course of values including pauses, regardless of length"),
    _by_msm(name="msm_stretched_shape", label="MSM (shape, one length)", view=STRETCHED_SHAPE, scope="task",
            description="the shape of the course including pauses, regardless of level, spread and length"),
)  # fmt: skip
