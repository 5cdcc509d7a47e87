"""Multivariate autoregression over windows: short-time features combined into one vector per second or so."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import numpy as np
from numpy.typing import ArrayLike

from ..core.arrays import FloatArray, IntArray, as_count, as_frames
from ..core.errors import DataError, KinseqWarning, ParameterError
from ..core.sequences import SequenceSet, as_sequence_set
from ..core.wording import count
from .frames import Frames, is_single

# Windows fitted at once, which bounds the memory of stacked regressors to some tens of megabytes.
_WINDOWS_PER_BATCH = 512
# A triangular factor whose diagonal spans more than this counts as rank-deficient.
_RANK_TOLERANCE = 1e-10


def mar(
    sequences: Frames, order: int = 3, window: float = 2.0, hop: float = 1.0, frame_period: float = 0.015
) -> Frames:
    """Fit a multivariate autoregressive model to each window and return its parameters as one vector per window.

    The model is ``z_j = sum_p B_p z_{j-p} + e_j``, p = 1 .. P, where e_j has mean v and covariance C. B and v are found
    together by least squares (v is the intercept, hence the mean of ``z_j - sum_p B_p z_{j-p}``), and C is the mean of
    the squared residuals (divided by the number of equations, window - P, without a correction for degrees of freedom).

    Parameters
    ----------
    sequences : ndarray of shape (T, D), list of such, or SequenceSet
        Short-time features, for example ``mfcc(signal, rate, "music")``.
    order : int
        Number of lags P, at least 1.
    window, hop : float
        Length of a window and distance between the starts of two, in seconds. Window i starts at frame
        ``floor(i hop / frame_period)``, so that windows do not drift if the hop is no whole number of frames.
    frame_period : float
        Seconds between two frames of `sequences`; 0.015 is that of the music recipe. Pass 1 to give window and hop in
        frames.

    Returns
    -------
    same kind as `sequences`
        Each sequence has one frame per whole window, of ``D D P + D + D (D + 1) / 2`` numbers (135 for D = 6, P = 3):
        the rows of B_1, then those of B_2 ... B_P, then v, then the rows of the upper triangle of C, the diagonal
        included.

    Raises
    ------
    ParameterError
        If a window is too short to determine the model, or an argument lies outside its range.
    DataError
        If a sequence is shorter than one window; it is named.

    Warns
    -----
    KinseqWarning
        If windows do not determine the model (constant or linearly dependent features, as in digital silence): the
        solution of least norm is taken there, on features scaled to deviation 1; constant features have coefficients 0.

    Notes
    -----
    Source: 2011 thesis, section 6.2 (Meng et al., 2007): P = 3, windows of 2 s every 1 s. Only whole windows are used,
    so a fragment of 60 s yields 59 vectors where the thesis rounds to 60. The sign follows the thesis: ``+ sum B_p
    z_{j-p}``.
    """
    lags = as_count(order, "order")
    for name, value in (("window", window), ("hop", hop), ("frame_period", frame_period)):
        if isinstance(value, (bool, str)) or not (np.isfinite(value) and value > 0):
            raise ParameterError(f"{name} is {value!r}, expected a positive number of seconds")
    length = int(np.floor(window / frame_period + 1e-9))
    if is_single(sequences):
        frames = as_frames(cast(FloatArray, sequences), "sequence")
        vectors, _ = _fit_all(frames, np.array([0, len(frames)]), ["sequence"], lags, length, hop / frame_period)
        return cast(Frames, vectors)
    sequence_set = as_sequence_set(cast("SequenceSet | Sequence[ArrayLike]", sequences))
    names = [f"{sequence_set.name}: sequence {name!r}" for name in sequence_set.ids.tolist()]
    vectors, offsets = _fit_all(sequence_set.values, sequence_set.offsets, names, lags, length, hop / frame_period)
    fitted = replace(sequence_set, values=vectors, offsets=offsets)
    return cast(Frames, fitted if isinstance(sequences, SequenceSet) else list(fitted))


def _fit_all(
    values: FloatArray, offsets: IntArray, names: Sequence[str], lags: int, length: int, step: float
) -> tuple[FloatArray, IntArray]:
    """MAR vectors of every window of every sequence, and the offsets of the sequences of vectors."""
    d = values.shape[1]
    if length - lags < d * lags + 2:
        raise ParameterError(
            f"window is {length} frames, which leaves {length - lags} equations for {d * lags + 1} unknowns per feature"
            f" ({d} features, order {lags}); use a longer window or a lower order"
        )
    starts, counts = [], []
    for i, name in enumerate(names):
        n = int(offsets[i + 1] - offsets[i])
        if n < length:
            raise DataError(
                f"{name}: has {count(n, 'frame')}, shorter than one window of {length}; leave it out or shorten the window"
            )
        most = np.arange(int((n - length + 1) / step) + 2)
        own = np.floor(most * step + 1e-9).astype(np.int64)
        own = own[own <= n - length]
        starts.append(own + offsets[i])
        counts.append(own.size)
    places = np.concatenate(starts)
    vectors = np.empty((places.size, d * d * lags + d + d * (d + 1) // 2))
    poor = 0
    for first in range(0, places.size, _WINDOWS_PER_BATCH):
        batch = slice(first, first + _WINDOWS_PER_BATCH)
        vectors[batch], deficient = _fit_windows(values[places[batch, None] + np.arange(length)], lags)
        poor += deficient
    if poor:
        warnings.warn(
            f"mar: {poor} of {places.size} windows do not determine the model (constant or dependent features);"
            " the solution of least norm was taken there",
            KinseqWarning,
            stacklevel=3,
        )
    return vectors, np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


def _fit_windows(windows: FloatArray, lags: int) -> tuple[FloatArray, int]:
    """MAR vectors of stacked windows of shape (n, length, d), and how many of them were rank-deficient."""
    n, length, d = windows.shape
    # Scaling each feature by its own deviation leaves the least-squares fit unchanged and keeps the factor well
    # conditioned when features differ in unit; centring replaces the column of ones.
    centre = windows.mean(axis=1, keepdims=True)
    unit = windows.std(axis=1, keepdims=True)
    peak = np.abs(windows).max(axis=1, keepdims=True)
    flat = (np.ptp(windows, axis=1, keepdims=True) == 0.0) | (unit <= 1e-12 * peak)
    unit = np.where(flat, 1.0, unit)
    scaled = np.where(flat, 0.0, (windows - centre) / unit)
    target = scaled[:, lags:]
    past = np.concatenate([scaled[:, lags - p : length - p] for p in range(1, lags + 1)], axis=2)
    target_mean, past_mean = target.mean(axis=1, keepdims=True), past.mean(axis=1, keepdims=True)
    target, past = target - target_mean, past - past_mean
    q, r = np.linalg.qr(past)
    diagonal = np.abs(np.diagonal(r, axis1=1, axis2=2))
    deficient = np.flatnonzero(diagonal.min(axis=1) <= _RANK_TOLERANCE * np.maximum(diagonal.max(axis=1), 1.0))
    r[deficient] = np.eye(d * lags)
    weights = np.linalg.solve(r, np.swapaxes(q, 1, 2) @ target)
    for i in deficient:
        weights[i] = np.linalg.lstsq(past[i], target[i], rcond=_RANK_TOLERANCE)[0]
    residual = target - past @ weights
    covariance = np.swapaxes(residual, 1, 2) @ residual / (length - lags)
    # weights[:, p d + a, b] is the effect of feature a at lag p + 1 on feature b: transpose to B_p[b, a], undo the
    # scaling.
    coefficients = np.swapaxes(weights.reshape(n, lags, d, d), 2, 3)
    intercept = (target_mean - past_mean @ weights)[:, 0]
    ratio = unit[:, 0, :, None] / unit[:, 0, None, :]
    coefficients = coefficients * ratio[:, None]
    mean = centre[:, 0]
    intercept = intercept * unit[:, 0] + mean - np.einsum("npba,na->nb", coefficients, mean)
    covariance = covariance * (unit[:, 0, :, None] * unit[:, 0, None, :])
    rows, columns = np.triu_indices(d)
    vectors = np.concatenate([coefficients.reshape(n, -1), intercept, covariance[:, rows, columns]], axis=1)
    return vectors, int(deficient.size)
