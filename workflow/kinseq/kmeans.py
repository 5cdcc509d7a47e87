"""K-means, and canonical cluster numbers.

The algorithm is scikit-learn's, random draws included, for all starts side by side: importing that library takes longer
than most of what is clustered here, and so does each of its calls on the few points of a spectral embedding.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .arrays import FloatArray, IntArray
from .seeds import derive_seed

ITERATIONS = 300
TOLERANCE = 1e-4
"""A start ends when its centres move by less, squared and relative to the mean variance of the columns."""

_TIE = 1e-12
_TOGETHER = 1 << 20
"""Distances that are held at a time, unless one start has more."""


@cache
def _threads() -> Any:
    from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

    return ThreadpoolController()


def kmeans(points: FloatArray, n_clusters: int, seed: int, n_init: int = 10) -> tuple[IntArray, float]:
    """K-means, the best of several starts by distortion.

    Parameters
    ----------
    points : ndarray, shape (N, D)
        Finite.
    n_clusters : int
        Between 1 and N.
    seed : int
        Names the random stream.
    n_init : int
        Number of starts, by greedy k-means++; of equal results the first.

    Returns
    -------
    labels : ndarray, shape (N,), int64
        Numbered in order of first appearance; fewer than `n_clusters` clusters if there are fewer distinct points.
    distortion : float
        Sum of squared distances to the own centre.

    References
    ----------
    Thesis 2011, section 2.4 (ten runs, least intra-cluster distortion). Arthur and Vassilvitskii (2007).
    """
    x = np.asarray(points, dtype=np.float64)
    # Distances are differences of products, which lose digits far from zero.
    x = np.ascontiguousarray(x - x.mean(axis=0))
    trials = 2 + int(np.log(n_clusters))
    stream = np.random.RandomState(derive_seed(seed, "kmeans") % 2**32)
    draws = stream.random_sample((n_init, 1 + (n_clusters - 1) * trials))
    together = max(1, _TOGETHER // (len(x) * max(n_clusters, trials)))
    # Sums over chunks of points are rounded differently by different numbers of threads.
    with _threads().limit(limits=1):
        found = [_from_starts(x, n_clusters, draws[s : s + together]) for s in range(0, n_init, together)]
    labels, distortion = (np.concatenate(part) for part in zip(*found, strict=True))
    best = int(np.flatnonzero(distortion <= distortion.min() * (1.0 + _TIE))[0])
    return relabel(labels[best]), float(distortion[best])


def _from_starts(x: FloatArray, n_clusters: int, draws: FloatArray) -> tuple[IntArray, FloatArray]:
    """Labels (S, N) and distortions (S,) of S starts, by Lloyd's iterations until no label changes."""
    centres = _spread(x, n_clusters, draws)
    labels = np.full((len(draws), len(x)), -1, dtype=np.int64)
    least_move = TOLERANCE * float(x.var(axis=0).mean())
    running = np.arange(len(draws))
    for _ in range(ITERATIONS):
        now = _nearest(x, centres[running])
        moved = _means(x, now, centres[running])
        still = (now == labels[running]).all(axis=1)
        small = ((moved - centres[running]) ** 2).sum(axis=(1, 2)) <= least_move
        labels[running], centres[running] = now, moved
        # Centres that have hardly moved may yet have changed whose points are nearest.
        ended = running[small & ~still]
        labels[ended] = _nearest(x, centres[ended])
        running = running[~(still | small)]
        if not running.size:
            break
    own = np.take_along_axis(centres, labels[:, :, None], axis=1)
    return labels, ((x - own) ** 2).sum(axis=(1, 2))


def _relative(x: FloatArray, centres: FloatArray) -> FloatArray:
    """Squared distances (S, M, N) of N points from S times M centres, less the squared norms of the points."""
    found = ((-2.0 * centres).reshape(-1, x.shape[1]) @ x.T).reshape(*centres.shape[:2], len(x))
    found += (centres**2).sum(axis=2)[:, :, None]
    return np.asarray(found)


def _squares(x: FloatArray, centres: FloatArray) -> FloatArray:
    """Squared distances (S, M, N) of N points from S times M centres."""
    found = _relative(x, centres)
    found += (x**2).sum(axis=1)
    return np.maximum(found, 0.0, out=found)


def _spread(x: FloatArray, n_clusters: int, draws: FloatArray) -> FloatArray:
    """Starting centres (S, K, D) by greedy k-means++.

    Each further centre is the one, among a few points drawn with chances proportional to their squared distances from the
    centres so far, that leaves the least sum of these distances.
    """
    share = np.cumsum(np.full(len(x), 1.0 / len(x)))
    first = np.minimum(np.searchsorted(share / share[-1], draws[:, 0], side="right"), len(x) - 1)
    starts = np.arange(len(draws))
    centres = np.empty((len(draws), n_clusters, x.shape[1]))
    centres[:, 0] = x[first]
    gap = _squares(x, centres[:, :1])[:, 0]
    trials = (draws.shape[1] - 1) // max(n_clusters - 1, 1)
    for c in range(1, n_clusters):
        aims = draws[:, 1 + (c - 1) * trials : 1 + c * trials] * gap.sum(axis=1)[:, None]
        mass = np.cumsum(gap, axis=1)
        drawn = np.stack([np.searchsorted(row, aim) for row, aim in zip(mass, aims, strict=True)])
        drawn = np.minimum(drawn, len(x) - 1)
        left = np.minimum(_squares(x, x[drawn]), gap[:, None])
        best = left.sum(axis=2).argmin(axis=1)
        centres[:, c], gap = x[drawn[starts, best]], left[starts, best]
    return centres


def _nearest(x: FloatArray, centres: FloatArray) -> IntArray:
    """Nearest centre of each point, the lowest index of equals, shape (S, N)."""
    return np.asarray(_relative(x, centres).argmin(axis=1), dtype=np.int64)


def _means(x: FloatArray, labels: IntArray, centres: FloatArray) -> FloatArray:
    """Means of the clusters (S, K, D); one that is empty takes the point farthest from its centre."""
    k = centres.shape[1]
    members = (labels[:, None] == np.arange(k)[:, None]).astype(np.float64)
    size = members.sum(axis=2)
    sums = (members.reshape(-1, len(x)) @ x).reshape(centres.shape)
    for s in np.flatnonzero((size == 0.0).any(axis=1)):
        _fill_empty(x, labels[s], centres[s], sums[s], size[s])
    return np.asarray(sums / np.maximum(size, 1.0)[:, :, None])


def _fill_empty(x: FloatArray, labels: IntArray, centres: FloatArray, sums: FloatArray, size: FloatArray) -> None:
    """Move points to the empty clusters of one start, the farthest first; no cluster loses its last one."""
    empty = np.flatnonzero(size == 0.0).tolist()
    gap = ((x - centres[labels]) ** 2).sum(axis=1)
    for t in np.argsort(-gap, kind="stable"):
        if not empty or gap[t] == 0.0:
            return
        if size[labels[t]] > 1.0:
            sums[labels[t]] -= x[t]
            size[labels[t]] -= 1.0
            k = empty.pop(0)
            sums[k], size[k] = x[t], 1.0


def relabel(labels: ArrayLike) -> IntArray:
    """The same partition with clusters numbered 0, 1, ... in order of first appearance.

    Parameters
    ----------
    labels : array_like, N entries
        Cluster numbers or names.

    Returns
    -------
    ndarray, shape (N,), int64
    """
    _, first, inverse = np.unique(np.asarray(labels), return_index=True, return_inverse=True)
    rank = np.empty(first.size, dtype=np.int64)
    rank[np.argsort(first)] = np.arange(first.size)
    return np.asarray(rank[inverse.reshape(-1)], dtype=np.int64)
