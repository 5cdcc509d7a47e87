"""The divergence estimator of Wang, Kulkarni and Verdu (2009), by distances to nearest neighbours."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..core.arrays import FloatArray, as_count
from ..core.errors import DataError
from ..core.sequences import SequenceSet
from .checks import as_pair, require_vectors
from .neighbours import Within, compared

ZERO_DISTANCE = 0.1
"""Distance that replaces zero, in units of the least positive distance among the vectors of both sets."""


def _require(n: int, m: int, k: int) -> None:
    require_vectors(n, k + 1, "first set")
    require_vectors(m, k, "second set")


class PairwiseWang:
    """Estimates of both directions for blocks of pairs."""

    def __init__(self, within: Within) -> None:
        sets, self._k = within.sets, within.k
        self._lengths, bounds = sets.lengths, sets.offsets[:-1]
        self._low = np.minimum.reduceat(sets.values, bounds, axis=0)
        self._high = np.maximum.reduceat(sets.values, bounds, axis=0)
        with np.errstate(divide="ignore"):
            logs = np.where(within.kth > 0.0, 0.5 * np.log(within.kth), 0.0)
        self._logs = np.add.reduceat(logs, bounds)
        self._zeros = np.add.reduceat((within.kth == 0.0).astype(np.float64), bounds)
        self._least = within.least

    def __call__(self, runs: Any) -> FloatArray:
        """Return estimates in nats, shape (2, P): of set i from each of the others, and of each of those from set i."""
        i, j = runs.i, np.array(runs.others)
        # A feature that is constant in both sets adds no dimension to the space of their vectors.
        d = (np.maximum(self._high[i], self._high[j]) > np.minimum(self._low[i], self._low[j])).sum(axis=1)
        n = np.stack([np.full(len(j), self._lengths[i]), self._lengths[j]]).astype(np.float64)
        own_logs = np.stack([np.full(len(j), self._logs[i]), self._logs[j]])
        own_zeros = np.stack([np.full(len(j), self._zeros[i]), self._zeros[j]])
        logs, zeros = runs.logs - own_logs, runs.zeros - own_zeros
        least = np.minimum(runs.least, np.minimum(self._least[i], self._least[j]))
        # All distances are zero, so the ratio of two of them is one.
        floor = np.where(
            np.isfinite(least), 0.5 * np.log(np.where(np.isfinite(least), least, 1.0)) + math.log(ZERO_DISTANCE), 0.0
        )
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(d * (logs + zeros * floor) / n + np.log(n[::-1] / (n - 1.0)))


def _both(X: ArrayLike, Y: ArrayLike, k: int, symmetric: bool) -> FloatArray:
    count = as_count(k, "k")
    x, y = as_pair(X, Y)
    _require(len(x), len(y), count)
    if symmetric:
        require_vectors(len(y), count + 1, "second set")
    within, runs = compared(x, y, count)
    return PairwiseWang(within)(runs)[:, 0]


def wang_kl(X: ArrayLike, Y: ArrayLike, k: int = 1, clip: bool = False) -> float:
    """Return the Kullback-Leibler divergence of the distribution of X from that of Y by k-th nearest neighbours.

    ``d / n sum_i log(nu_k(x_i) / rho_k(x_i)) + log(m / (n - 1))``, where nu_k and rho_k are the distances from x_i to
    its k-th nearest vector of Y and of the rest of X, and d is the number of features that take more than one value.

    Parameters
    ----------
    X, Y : array_like, shapes (n, d) and (m, d)
        At least k + 1 and k vectors.
    k : int
        At least 1.
    clip : bool
        Whether a negative estimate becomes 0.

    Returns
    -------
    float
        In nats; may be negative. A distance of zero, between vectors that coincide, counts as a tenth of the least
        positive one.

    Raises
    ------
    DataError, ParameterError
        If the sets or the number of neighbours are not usable.

    References
    ----------
    Wang, Kulkarni and Verdu (2009); thesis 2011, section 5.5.7.
    """
    value = float(_both(X, Y, k, symmetric=False)[0])
    return max(value, 0.0) if clip else value


def wang_jeffreys(X: ArrayLike, Y: ArrayLike, k: int = 1, clip: bool = True) -> float:
    """Jeffreys divergence, the sum of :func:`wang_kl` in both directions.

    Parameters
    ----------
    X, Y : array_like, shapes (n, d) and (m, d)
        At least k + 1 vectors each.
    k : int
        At least 1.
    clip : bool
        Whether a negative sum becomes 0.

    Returns
    -------
    float
        In nats.
    """
    value = float(_both(X, Y, k, symmetric=True).sum())
    return max(value, 0.0) if clip else value


def require_for_all(sets: SequenceSet, k: int) -> None:
    """Raise :class:`DataError` that names the first set with fewer than ``k + 1`` vectors."""
    short = np.flatnonzero(sets.lengths < k + 1)
    if short.size:
        raise DataError(
            f"{sets.name}: set {str(sets.ids[short[0]])!r} has {int(sets.lengths[short[0]])} vectors, neighbour k = {k}"
            f" needs {k + 1}; remove it or take a smaller k"
        )
