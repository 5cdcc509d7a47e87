"""Elastic distances: of shapes, and by moving, splitting and merging frames."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ..arrays import FloatArray, as_positive
from ..features.frames import normalise
from ..sequences import Sequences, SequenceSet, as_sequence_set
from .alignment import align_all, edited
from .dtw import dtw, dtw_between
from .registry import Evidence, Measure


def standardised(sequences: Sequences) -> SequenceSet:
    """Every sequence in units of its own: each feature less its mean over its deviation; a constant feature becomes 0."""
    return normalise(as_sequence_set(sequences), "mean_variance")


def msm(sequences: Sequences, cost: float = 1.0, threads: int = 1) -> FloatArray:
    """Move-split-merge distance over the sum of the two lengths.

    The least total cost of turning one sequence into the other by moving the value of a frame, at its absolute change,
    and by splitting a frame into two or merging two into one, at `cost` and the way to the nearer neighbour beyond it.
    Features are aligned each by itself and their distances added. One that never changes in any sequence could only add what
    the lengths differ by, as often as there are such features, and is left out; unless none changes, where lengths are all
    that there is.

    Parameters
    ----------
    sequences : SequenceSet or list of array_like, each of shape (T, d)
        Any lengths.
    cost : float
        Cost of a split or a merge in the unit of the data; positive.
    threads : int
        Number of threads; no number depends on it.

    Returns
    -------
    ndarray, shape (N, N)
        Units of the data per frame; symmetric, not negative, zero diagonal.

    Raises
    ------
    ParameterError
        If the cost is not positive.

    References
    ----------
    Stefan, Athitsos and Das (2013), "The move-split-merge metric for time series".
    """
    return _msm(as_sequence_set(sequences), None, cost, threads)


def msm_between(new: SequenceSet, old: SequenceSet, cost: float = 1.0, threads: int = 1) -> FloatArray:
    """Move-split-merge distances of two sets, shape (M, N); features that never change in `old` are left out."""
    return _msm(new, old, cost, threads)


def _msm(first: SequenceSet, second: SequenceSet | None, cost: float, threads: int) -> FloatArray:
    other = first if second is None else second
    changing = np.ptp(other.values, axis=0) > 0
    if changing.any() and not changing.all():
        first = replace(first, values=first.values[:, changing])
        second = None if second is None else replace(second, values=second.values[:, changing])
    total = align_all(edited(as_positive(cost, "cost")), first, second, threads)
    return total / (first.lengths[:, None] + other.lengths)


def _of_shapes(measure: Callable[..., FloatArray]) -> Callable[..., FloatArray]:
    return lambda evidence, **params: measure(standardised(evidence.sequences), threads=evidence.threads, **params)


def _across(between: Callable[..., FloatArray], shapes: bool) -> Callable[..., FloatArray]:
    """Distances of new sequences from old ones, of their shapes or as they are."""
    seen = standardised if shapes else as_sequence_set

    def cross(old: Evidence, new: Evidence, **params: Any) -> FloatArray:
        return between(seen(new.sequences), seen(old.sequences), threads=old.threads, **params)

    return cross


def _compute_msm(evidence: Evidence, **params: Any) -> FloatArray:
    return msm(evidence.sequences, threads=evidence.threads, **params)


MEASURES = (
    Measure(
        name="dtw_shape",
        label="DTW (shape)",
        source="Sakoe and Chiba 1978, of sequences in units of their own",
        function=_of_shapes(dtw),
        cross=_across(dtw_between, shapes=True),
        needs="sequences",
    ),
    Measure(
        name="msm",
        label="MSM",
        source="Stefan, Athitsos and Das 2013",
        function=_compute_msm,
        cross=_across(msm_between, shapes=False),
        needs="sequences",
        params={"cost": 1.0},
    ),
    Measure(
        name="msm_shape",
        label="MSM (shape)",
        source="Stefan, Athitsos and Das 2013, of sequences in units of their own",
        function=_of_shapes(msm),
        cross=_across(msm_between, shapes=True),
        needs="sequences",
        params={"cost": 1.0},
    ),
)
