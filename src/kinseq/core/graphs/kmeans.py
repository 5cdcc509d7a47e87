"""K-means with the conventions of this library around scikit-learn's, and canonical cluster numbers."""

from __future__ import annotations

import warnings
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import FloatArray, IntArray
from ..seeds import derive_seed
from ..system import one_thread

Starts = Literal["k-means++", "random_rows", "fixed"]
STARTS = ("k-means++", "random_rows", "fixed")


def kmeans(
    points: FloatArray, n_clusters: int, seed: int, n_init: int = 10, starts: Starts = "k-means++"
) -> tuple[IntArray, float]:
    """K-means of points (N, D): the best of several starts by distortion, the sum of squared distances to the nearest centre.

    Labels are numbered in order of first appearance; fewer than `n_clusters` if there are fewer distinct points. A start
    is drawn by k-means++ (Arthur and Vassilvitskii, 2007), or is K of the points, drawn without replacement
    (``"random_rows"``). ``"fixed"`` starts are those of k-means++ with one seed for all sets and the points in order of their
    distances, so that labels depend neither on `seed`, nor on the order or the last digits of the points. Thesis 2011, section
    2.4 (ten runs, least intra-cluster distortion).
    """
    from sklearn.cluster import KMeans
    from sklearn.exceptions import ConvergenceWarning

    if starts == "fixed":
        from scipy.spatial.distance import cdist

        order = np.argsort(cdist(points, points).sum(axis=1), kind="stable")
        labels, distortion = kmeans(points[order], n_clusters, 0, n_init)
        return relabel(labels[np.argsort(order)]), distortion
    state = derive_seed(seed, "kmeans") % 2**32
    with one_thread(), warnings.catch_warnings():
        # scikit-learn warns of fewer distinct points than clusters, which the labels show anyway.
        warnings.simplefilter("ignore", ConvergenceWarning)
        init = "random" if starts == "random_rows" else starts
        model = KMeans(n_clusters, init=init, n_init=n_init, random_state=state).fit(points)
    return relabel(model.labels_), float(model.inertia_)


def relabel(labels: ArrayLike) -> IntArray:
    """Return the same partition with clusters numbered 0, 1, ... in order of first appearance, shape (N,).

    Negative numbers are of items in no cluster, which get -1.
    """
    array = np.asarray(labels).reshape(-1)
    values, first, inverse = np.unique(array, return_index=True, return_inverse=True)
    outside = values < 0 if values.dtype.kind in "if" else np.zeros(values.size, dtype=bool)
    first = np.where(outside, array.size, first)
    rank = np.empty(first.size, dtype=np.int64)
    rank[np.argsort(first, kind="stable")] = np.arange(first.size)
    rank[outside] = -1
    return np.asarray(rank[inverse.reshape(-1)], dtype=np.int64)
