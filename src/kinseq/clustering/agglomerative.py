"""Agglomerative hierarchical clustering of a dissimilarity matrix."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from ..core.arrays import FloatArray, IntArray, as_count, as_dissimilarity, require_clusters
from ..core.errors import ParameterError, is_one_of, unknown_name
from ..core.graphs.kmeans import relabel
from ..core.graphs.laplacian import without_last_digits
from .registry import Clusterer

Linkage = Literal["complete", "average", "single", "weighted"]

FLAT_EIGENVALUE = 1e-12
"""Variance of a coordinate, relative to the largest one, below which it is a rounding error."""
LINKAGES = ("complete", "average", "single", "weighted")


def hierarchical(distance: ArrayLike, n_clusters: int, linkage: Linkage = "complete") -> IntArray:
    """Merge the two nearest clusters until `n_clusters` are left.

    Parameters
    ----------
    distance : array_like, shape (N, N)
        Symmetric. Negative entries shift all off-diagonal ones up by the least, which changes no order.
    n_clusters : int
        K, between 1 and N.
    linkage : {"complete", "average", "single", "weighted"}
        Distance of two clusters: of their furthest members, the mean over pairs, of their nearest members, or the mean
        of the distances of the parts merged last.

    Returns
    -------
    ndarray, shape (N,), int64
        Cluster numbers from 0 in order of first appearance, exactly K of them.

    Raises
    ------
    DataError
        If the distance is not square, finite and symmetric.
    ParameterError
        If K exceeds N or the linkage is unknown.

    References
    ----------
    Thesis 2011, section 2.2.2; "furthest neighbour" merging as in Smyth (1997).
    """
    from scipy.cluster.hierarchy import cut_tree
    from scipy.cluster.hierarchy import linkage as scipy_linkage

    square = as_dissimilarity(distance)
    clusters = require_clusters(len(square), n_clusters, "hierarchical clustering")
    if not is_one_of(linkage, LINKAGES):
        raise ParameterError(unknown_name("linkage", linkage, LINKAGES))
    if len(square) == 1:
        return np.zeros(1, dtype=np.int64)
    condensed = square[np.triu_indices(len(square), k=1)]
    condensed = without_last_digits(condensed - min(0.0, float(condensed.min())))
    # cut_tree undoes the last K - 1 merges, where a threshold would return fewer clusters on ties.
    return relabel(cut_tree(scipy_linkage(condensed, method=linkage), n_clusters=clusters))


def ward(distance: ArrayLike, n_clusters: int, n_dimensions: int | None = None) -> IntArray:
    """Merge the clusters that raise the sum of squares least, of items embedded by classical scaling.

    Parameters
    ----------
    distance : array_like, shape (N, N)
        Symmetric; any dissimilarities. Negative entries shift all off-diagonal ones up by the least.
    n_clusters : int
        K, between 1 and N.
    n_dimensions : int, optional
        Coordinates of the embedding, those of largest variance first; by default all whose variance is positive, which
        reproduce Euclidean distances.

    Returns
    -------
    ndarray, shape (N,), int64
        Cluster numbers from 0 in order of first appearance, exactly K of them.

    Raises
    ------
    DataError
        If the distance is not square, finite and symmetric.
    ParameterError
        If K exceeds N, or `n_dimensions` is no positive number.

    References
    ----------
    Ward (1963), "Hierarchical grouping to optimize an objective function"; Torgerson (1952) for the embedding.
    """
    from scipy.cluster.hierarchy import cut_tree
    from scipy.cluster.hierarchy import linkage as scipy_linkage
    from scipy.linalg import eigh

    square = as_dissimilarity(distance)
    clusters = require_clusters(len(square), n_clusters, "Ward's method")
    most = len(square) if n_dimensions is None else as_count(n_dimensions, "n_dimensions")
    if len(square) == 1:
        return np.zeros(1, dtype=np.int64)
    square = square - min(0.0, float(square.min()))
    np.fill_diagonal(square, 0.0)
    # Divide by the largest entry, so that squares stay in the range of float64.
    power = np.square(without_last_digits(square / (float(square.max()) or 1.0)))
    means = power.mean(axis=0)
    values, vectors = eigh(-0.5 * (power - means - means[:, None] + means.mean()))
    kept = np.flatnonzero(values > FLAT_EIGENVALUE * max(float(values[-1]), 0.0))[::-1][:most]
    points = vectors[:, kept] * np.sqrt(values[kept]) if kept.size else np.zeros((len(square), 1))
    return relabel(cut_tree(scipy_linkage(points, method="ward"), n_clusters=clusters))


def _by_ward(distance: FloatArray, n_clusters: int, seed: int, **params: Any) -> IntArray:
    return ward(distance, n_clusters, **params)


def _partition(distance: FloatArray, n_clusters: int, seed: int, **params: Any) -> IntArray:
    return hierarchical(distance, n_clusters, **params)


CLUSTERERS = (
    Clusterer(
        name="hierarchical",
        label="hierarchical clustering",
        source="thesis 2011, section 2.2.2",
        partition=_partition,
        params={"linkage": "complete"},
    ),
    Clusterer(
        name="ward",
        label="Ward's method",
        source="Ward 1963",
        partition=_by_ward,
        random=False,
        params={"n_dimensions": None},
    ),
)
