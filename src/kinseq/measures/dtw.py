"""Dynamic time warping, the model-free control for the likelihood-based distances."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.arrays import FloatArray, IntArray, as_flag, as_real
from ..core.errors import ParameterError
from ..core.jobs import as_threads
from ..core.sequences import Sequences, SequenceSet, as_sequence_set
from . import pairs
from .alignment import MORE_LANES, align_all, align_some, warped, warped_some
from .pairs import Alignment, Side
from .registry import Measure, MeasureInput


def dtw(
    sequences: Sequences, n_jobs: int | None = None, normalise: bool = True, window: float | None = None
) -> FloatArray:
    """Return the cost of the best warping path over the sum of the two lengths.

    Multivariate (one path for all features), squared Euclidean local cost, steps (1,0), (0,1), (1,1) of equal weight.

    Parameters
    ----------
    sequences : SequenceSet or list of array_like, each of shape (T, d)
        Any lengths.
    n_jobs : int or None
        Number of threads; no number depends on it.
    normalise : bool
        Whether the cost is divided by the sum of the two lengths. Without it, its root is the distance of tslearn.
    window : float, optional
        Half the width of the Sakoe-Chiba band, as a share of the length of the shorter sequence, 0 to 1; by default no band.
        Of two lengths, the band follows the straight line from corner to corner.

    Returns
    -------
    ndarray, shape (N, N)
        Squared units of the data per frame, or squared units where not normalised; symmetric, not negative, zero diagonal.

    References
    ----------
    Sakoe and Chiba (1978). Only the control of the experiments; no document prints numbers for it on these data.
    """
    threads = as_threads(n_jobs)
    return _dtw(as_sequence_set(sequences), None, threads, None, normalise, window)


def dtw_between(
    new: SequenceSet,
    old: SequenceSet,
    n_jobs: int | None = None,
    chosen: IntArray | None = None,
    normalise: bool = True,
    window: float | None = None,
) -> FloatArray:
    """:func:`dtw` between the sequences of two sets, shape (M, N).

    With ``chosen (M, K)``, positions in `old`, each new one is compared with these alone: shape (M, K).
    """
    return _dtw(new, old, as_threads(n_jobs), chosen, normalise, window)


def as_window(value: Any) -> float | None:
    """Return half the width of a band as a share, None for no band, or raise :class:`ParameterError`."""
    if value is None:
        return None
    expected = "a number from 0 to 1, a share of the length, or nothing"
    number = as_real(value, "window", expected)
    if not 0.0 <= number <= 1.0:
        raise ParameterError(f"window is {value!r}, expected {expected}")
    return number


def _dtw(
    first: SequenceSet,
    second: SequenceSet | None,
    threads: int,
    chosen: IntArray | None,
    normalise: bool,
    window: float | None,
) -> FloatArray:
    band = as_window(window)
    if band is not None:
        how = Alignment(pairs.SQUARED, pairs.LEAST, window=band)
        total = pairs.align(how, Side(first), None if second is None else Side(second), threads, chosen)
    elif second is not None and chosen is not None:
        total = align_some(warped_some, first, second, chosen, threads)
    else:
        total = align_all(warped, first, second, threads, MORE_LANES)
    if not as_flag(normalise, "normalise"):
        return total
    others = (first if second is None else second).lengths
    return np.asarray(total / (first.lengths[:, None] + (others if chosen is None else others[chosen])))


def _compute(evidence: MeasureInput, **params: Any) -> FloatArray:
    return dtw(evidence.sequences, evidence.threads, **params)


def _cross(old: MeasureInput, new: MeasureInput, chosen: IntArray | None = None, **params: Any) -> FloatArray:
    return dtw_between(new.sequences, old.sequences, old.threads, chosen, **params)


MEASURES = (
    Measure(
        name="dtw",
        description="the course of values over time, at any speed",
        label="DTW",
        source="Sakoe and Chiba 1978",
        function=_compute,
        cross=_cross,
        requires="sequences",
        params={"normalise": True, "window": None},
        cheap=True,
    ),
)
