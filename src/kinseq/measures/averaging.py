"""Barycentre of sequences of different lengths under dynamic time warping."""

from __future__ import annotations

import numpy as np

from ..core.arrays import FloatArray, as_count
from ..core.compiled import compiled
from ..core.sequences import Sequences, as_sequence_set
from ..core.warping_path import warping_path
from .dtw import dtw

MAX_ROUNDS = 30
"""Number of rounds of averaging; most sets need fewer than ten."""
LEAST_GAIN = 1e-6
"""Least share of the cost that a round must save."""


def barycentre(sequences: Sequences, max_iter: int = MAX_ROUNDS) -> FloatArray:
    """Average sequences along their alignments by dynamic time warping (DBA).

    It starts from the sequence with the least sum of dissimilarities to the others, and has its length. Each round aligns all
    sequences with the average and puts the mean of the frames that are aligned with a frame in its place, so that the sum of
    squared Euclidean costs never rises.

    Parameters
    ----------
    sequences : SequenceSet or list of array_like, each of shape (T, d)
        Of any lengths.
    max_iter : int
        Most rounds.

    Returns
    -------
    ndarray, shape (T, d)

    Raises
    ------
    DataError
        If the sequences are not usable.
    ParameterError
        If `max_iter` is no number of rounds.

    References
    ----------
    Petitjean, Ketterlin and Gançarski (2011), "A global averaging method for dynamic time warping, with applications to
    clustering".
    """
    items, rounds = as_sequence_set(sequences), as_count(max_iter, "max_iter")
    away = dtw(items, normalise=False).sum(axis=1)
    # Divide by the largest value, so that squares stay in the range of float64.
    unit = float(np.abs(items.values).max()) or 1.0
    values, offsets = np.ascontiguousarray(items.values / unit), items.offsets.astype(np.int64)
    middle = np.ascontiguousarray(items[int(away.argmin())] / unit)
    previous = np.inf
    for _ in range(rounds):
        sums, counts = np.zeros_like(middle), np.zeros(len(middle))
        cost = _averaged(values, offsets, middle, sums, counts)
        if cost >= previous * (1.0 - LEAST_GAIN):
            break
        middle, previous = sums / counts[:, None], cost
    return np.asarray(middle * unit)


@compiled()
def _averaged(values, offsets, middle, sums, counts):  # type: ignore[no-untyped-def]
    """Add to `sums` and `counts` the frames aligned with each frame of the average; return their cost."""
    total = 0.0
    for s in range(offsets.size - 1):
        start = offsets[s]
        cost, path = warping_path(middle, values[start : offsets[s + 1]])
        total += cost
        for place in range(path.shape[0] - 1, -1, -1):
            i, j = path[place, 0], path[place, 1]
            counts[i] += 1.0
            for k in range(middle.shape[1]):
                sums[i, k] += values[start + j, k]
    return total
