"""K-medoids: partitions around items, for any dissimilarity."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..core.arrays import FloatArray, IntArray, as_count, as_dissimilarity, require_clusters
from ..core.graphs.kmeans import relabel
from ..core.graphs.laplacian import TIE_TOLERANCE, without_last_digits
from ..core.random_state import RandomState, check_seed
from ..core.seeds import stream
from .registry import Clusterer


def _start(cost: FloatArray, n_clusters: int, random: np.random.Generator) -> IntArray:
    """First medoids: one at random, then each with a probability proportional to its distance to the nearest so far."""
    medoids = [int(random.integers(len(cost)))]
    while len(medoids) < n_clusters:
        nearest = cost[:, medoids].min(axis=1)
        nearest[medoids] = 0.0
        total = nearest.sum()
        if total > 0:
            medoids.append(int(random.choice(len(cost), p=nearest / total)))
        else:
            medoids.append(next(i for i in range(len(cost)) if i not in medoids))
    return np.array(medoids, dtype=np.int64)


def kmedoids(
    distance: ArrayLike, n_clusters: int, n_init: int = 10, max_iter: int = 100, random_state: RandomState = 0
) -> IntArray:
    """Alternate between assigning items to the nearest medoid and moving each medoid to the centre of its cluster.

    Parameters
    ----------
    distance : array_like, shape (N, N)
        Symmetric. Negative entries shift all off-diagonal ones up by the least.
    n_clusters : int
        K, between 1 and N.
    n_init : int
        Number of random starts, of which the one with the least sum of dissimilarities is kept.
    max_iter : int
        Most rounds of one start.
    random_state : int, RandomState, Generator or None
        Names the random stream of the starts.

    Returns
    -------
    ndarray, shape (N,), int64
        Cluster numbers from 0 in order of first appearance, exactly K of them.

    References
    ----------
    Park and Jun (2009); starts as in Arthur and Vassilvitskii (2007).
    """
    seed = check_seed(random_state)
    square = as_dissimilarity(distance)
    clusters = require_clusters(len(square), n_clusters, "k-medoids")
    starts, rounds = as_count(n_init, "n_init"), as_count(max_iter, "max_iter")
    cost = without_last_digits(square - min(0.0, float(square.min())))
    np.fill_diagonal(cost, 0.0)
    random = stream(seed, "kmedoids")
    best_loss, best = np.inf, np.zeros(len(cost), dtype=np.int64)
    for _ in range(starts):
        medoids = _start(cost, clusters, random)
        for _ in range(rounds):
            labels = cost[:, medoids].argmin(axis=1)
            # A medoid stays in its own cluster even if another medoid coincides with it.
            labels[medoids] = np.arange(clusters)
            moved = medoids.copy()
            for k in range(clusters):
                members = np.flatnonzero(labels == k)
                sums = cost[np.ix_(members, members)].sum(axis=1)
                moved[k] = members[int(np.flatnonzero(sums <= sums.min() * (1 + TIE_TOLERANCE))[0])]
            if (moved == medoids).all():
                break
            medoids = moved
        labels = cost[:, medoids].argmin(axis=1)
        labels[medoids] = np.arange(clusters)
        loss = float(cost[np.arange(len(cost)), medoids[labels]].sum())
        if loss < best_loss * (1 - TIE_TOLERANCE):
            best_loss, best = loss, labels
        if best_loss == 0:
            break
    return relabel(best)


def _partition(distance: FloatArray, n_clusters: int, seed: int, **params: Any) -> IntArray:
    return kmedoids(distance, n_clusters, random_state=seed, **params)


CLUSTERERS = (
    Clusterer(
        name="kmedoids",
        label="k-medoids",
        source="Park and Jun 2009",
        partition=_partition,
        params={"n_init": 10, "max_iter": 100},
    ),
)
