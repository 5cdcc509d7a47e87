"""Agglomerative hierarchical clustering of a dissimilarity matrix."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from ..core.arrays import FloatArray, IntArray, as_dissimilarity, require_clusters
from ..core.errors import ParameterError, is_one_of, unknown_name
from ..core.graphs.kmeans import relabel
from ..core.graphs.laplacian import without_last_digits
from .registry import Clusterer

Linkage = Literal["complete", "average", "single", "weighted"]

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
)
