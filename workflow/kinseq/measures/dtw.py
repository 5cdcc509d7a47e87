"""Dynamic time warping, the model-free control beside the likelihood-based distances."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from ..arrays import FloatArray
from ..sequences import Sequences, SequenceSet, as_sequence_set
from .registry import Evidence, Measure


def dtw(sequences: Sequences, threads: int = 1) -> FloatArray:
    """Cost of the best warping path over the sum of the two lengths.

    Multivariate (one path for all features), squared Euclidean local cost, steps (1,0), (0,1), (1,1) of equal weight,
    no window.

    Parameters
    ----------
    sequences : SequenceSet or list of array_like, each of shape (T, d)
        Any lengths.
    threads : int
        Number of threads; no number depends on it.

    Returns
    -------
    ndarray, shape (N, N)
        Squared units of the data per frame; symmetric, not negative, zero diagonal.

    References
    ----------
    Sakoe and Chiba (1978). Only the control of the experiments; no document prints numbers for it on these data.
    """
    given = as_sequence_set(sequences)
    distance = _dtw(given, None, threads)
    np.fill_diagonal(distance, 0.0)
    return distance


def dtw_between(new: SequenceSet, old: SequenceSet, threads: int = 1) -> FloatArray:
    """:func:`dtw` between the sequences of two sets, shape (M, N)."""
    return _dtw(new, old, threads)


def _dtw(first: SequenceSet, second: SequenceSet | None, threads: int) -> FloatArray:
    from aeon.distances import dtw_pairwise_distance

    other = first if second is None else second
    with quiet():
        # The matrix of a single set mirrors one triangle.
        cost = dtw_pairwise_distance(
            channels_first(first), None if second is None else channels_first(second), n_jobs=at_most(threads)
        )
    return np.asarray(np.asarray(cost, dtype=np.float64) / (first.lengths[:, None] + other.lengths))


def channels_first(sequences: SequenceSet) -> list[FloatArray]:
    """Sequences as aeon wants them: (features, time)."""
    return [np.ascontiguousarray(frames.T) for frames in sequences]


def at_most(threads: int) -> int:
    """A number of threads that numba can start."""
    from numba import config

    return max(1, min(threads, int(config.NUMBA_NUM_THREADS)))


@contextmanager
def quiet() -> Iterator[None]:
    """Without what numba says about aeon's own integers while it compiles them."""
    from numba.core.errors import NumbaWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NumbaWarning)
        yield


def _compute(evidence: Evidence) -> FloatArray:
    return dtw(evidence.sequences, evidence.threads)


def _cross(old: Evidence, new: Evidence) -> FloatArray:
    return dtw_between(new.sequences, old.sequences, old.threads)


MEASURES = (
    Measure(
        name="dtw",
        label="DTW",
        source="Sakoe and Chiba 1978",
        function=_compute,
        cross=_cross,
        needs="sequences",
    ),
)
