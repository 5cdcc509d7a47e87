"""Dynamic time warping, the model-free control beside the likelihood-based distances."""

from __future__ import annotations

from ..core.arrays import FloatArray, IntArray
from ..core.jobs import as_threads
from ..core.sequences import Sequences, SequenceSet, as_sequence_set
from .alignment import MORE_LANES, align_all, align_some, warped, warped_some
from .registry import Evidence, Measure


def dtw(sequences: Sequences, n_jobs: int | None = None) -> FloatArray:
    """Return the cost of the best warping path over the sum of the two lengths.

    Multivariate (one path for all features), squared Euclidean local cost, steps (1,0), (0,1), (1,1) of equal weight,
    no window.

    Parameters
    ----------
    sequences : SequenceSet or list of array_like, each of shape (T, d)
        Any lengths.
    n_jobs : int or None
        Number of threads; no number depends on it.

    Returns
    -------
    ndarray, shape (N, N)
        Squared units of the data per frame; symmetric, not negative, zero diagonal.

    References
    ----------
    Sakoe and Chiba (1978). Only the control of the experiments; no document prints numbers for it on these data.
    """
    threads = as_threads(n_jobs)
    return _dtw(as_sequence_set(sequences), None, threads)


def dtw_between(
    new: SequenceSet, old: SequenceSet, n_jobs: int | None = None, chosen: IntArray | None = None
) -> FloatArray:
    """:func:`dtw` between the sequences of two sets, shape (M, N).

    With ``chosen (M, K)``, positions in `old`, each new one is compared with these alone: shape (M, K).
    """
    threads = as_threads(n_jobs)
    if chosen is not None:
        return align_some(warped_some, new, old, chosen, threads) / (new.lengths[:, None] + old.lengths[chosen])
    return _dtw(new, old, threads)


def _dtw(first: SequenceSet, second: SequenceSet | None, threads: int) -> FloatArray:
    other = first if second is None else second
    return align_all(warped, first, second, threads, MORE_LANES) / (first.lengths[:, None] + other.lengths)


def _compute(evidence: Evidence) -> FloatArray:
    return dtw(evidence.sequences, evidence.threads)


def _cross(old: Evidence, new: Evidence, chosen: IntArray | None = None) -> FloatArray:
    return dtw_between(new.sequences, old.sequences, old.threads, chosen)


MEASURES = (
    Measure(
        name="dtw",
        description="the course of the values over time, whatever its speed",
        label="DTW",
        source="Sakoe and Chiba 1978",
        function=_compute,
        cross=_cross,
        requires="sequences",
        cheap=True,
    ),
)
