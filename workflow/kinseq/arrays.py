"""Checks at the door: arrays that enter the library are validated here, once, with the place named."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .errors import DataError, ParameterError

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


def as_frames(array: ArrayLike, where: str) -> FloatArray:
    """Return one sequence as a C-contiguous ``(T, d)`` float64 array, or say what is wrong with it.

    Parameters
    ----------
    array : array_like, shape (T, d)
        Frames of one sequence, ``T >= 1`` and ``d >= 1``.
    where : str
        Name of the sequence, used in messages.

    Returns
    -------
    ndarray, shape (T, d)

    Raises
    ------
    DataError
        If the array is not numeric, not two-dimensional, empty, or holds NaN or infinity.
    """
    try:
        given = np.asarray(array)
        if np.iscomplexobj(given):
            raise DataError(
                f"{where}: Complex data not supported; give real and imaginary parts as features of their own"
            )
        frames = np.ascontiguousarray(given, dtype=np.float64)
    except DataError:
        raise
    except (TypeError, ValueError) as error:
        raise DataError(f"{where}: cannot be read as numbers ({error}); give an array of shape (T, d)") from error
    if frames.ndim != 2:
        hint = "; reshape a univariate sequence with x[:, None]" if frames.ndim == 1 else ""
        raise DataError(f"{where}: has shape {frames.shape}, expected two dimensions (T, d){hint}")
    if frames.shape[0] == 0:
        raise DataError(f"{where}: is empty (0 frames); remove it or check how it was read")
    if frames.shape[1] == 0:
        raise DataError(f"{where}: has 0 features per frame; at least one is needed")
    require_finite(frames, where)
    return frames


def require_finite(array: FloatArray, where: str) -> None:
    """Raise :class:`DataError` that names the first entry of `array` that is NaN or infinite."""
    finite = np.isfinite(array)
    if not finite.all():
        place = tuple(int(i) for i in np.argwhere(~finite)[0])
        value = array[place]
        raise DataError(
            f"{where}: holds {value} at index {place} ({int((~finite).sum())} such values in all);"
            " remove or interpolate missing values first"
        )


def as_square(matrix: ArrayLike, where: str) -> FloatArray:
    """Return a finite ``(N, N)`` float64 matrix, or say what is wrong with it."""
    square = np.asarray(matrix, dtype=np.float64)
    if square.ndim != 2 or square.shape[0] != square.shape[1]:
        raise DataError(f"{where}: has shape {square.shape}, expected a square matrix (N, N)")
    if square.shape[0] == 0:
        raise DataError(f"{where}: is empty; at least one item is needed")
    require_finite(square, where)
    return square


def as_distance(matrix: ArrayLike, where: str = "distance") -> FloatArray:
    """Return a finite, symmetric ``(N, N)`` dissimilarity matrix, or say what is wrong with it.

    Asymmetry up to rounding (1e-8 of the largest entry) is averaged away. Negative entries are allowed: some printed
    "distances" are signed, and each clusterer states what it makes of them.
    """
    square = as_square(matrix, where)
    asymmetry = np.abs(square - square.T)
    scale = max(float(np.abs(square).max()), float(np.finfo(np.float64).tiny))
    if float(asymmetry.max()) > 1e-8 * scale:
        i, j = (int(k) for k in np.unravel_index(int(asymmetry.argmax()), square.shape))
        raise DataError(
            f"{where}: is not symmetric, entry ({i}, {j}) is {square[i, j]:g} but ({j}, {i}) is {square[j, i]:g};"
            " symmetrise it first, for example with (d + d.T) / 2"
        )
    return np.asarray(0.5 * (square + square.T))


def as_count(value: Any, name: str, least: int = 1) -> int:
    """Return `value` as an int that is at least `least`, or raise :class:`ParameterError`."""
    try:
        count = int(value)
    except (TypeError, ValueError) as error:
        raise ParameterError(f"{name} is {value!r}, expected a whole number of at least {least}") from error
    if count != value or isinstance(value, bool) or count < least:
        raise ParameterError(f"{name} is {value!r}, expected a whole number of at least {least}")
    return count


def require_clusters(n_items: int, n_clusters: Any, where: str = "clustering") -> int:
    """Check that `n_items` items can be split into `n_clusters` clusters and return the number as an int."""
    count = as_count(n_clusters, "n_clusters")
    if count > n_items:
        raise ParameterError(
            f"{where}: n_clusters is {count} but there are only {n_items} items; ask for fewer clusters"
        )
    return count
