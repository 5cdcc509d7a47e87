"""Density-based clustering of a dissimilarity matrix, which leaves items in no cluster."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from ..core.arrays import FloatArray, IntArray, as_count, as_dissimilarity, as_flag
from ..core.errors import ParameterError, is_one_of, unknown_name
from ..core.graphs.kmeans import relabel
from ..core.graphs.laplacian import without_last_digits
from .registry import Clusterer

Selection = Literal["eom", "leaf"]

SELECTIONS = ("eom", "leaf")


def hdbscan(
    distance: ArrayLike,
    min_cluster_size: int = 5,
    min_samples: int | None = None,
    epsilon: float = 0.0,
    selection: Selection = "eom",
    allow_single_cluster: bool = False,
) -> IntArray:
    """Cluster items by the density around them, with scikit-learn's HDBSCAN on the matrix.

    Parameters
    ----------
    distance : array_like, shape (N, N)
        Symmetric. Negative entries shift all off-diagonal ones up by the least.
    min_cluster_size : int
        Fewest items of a cluster, 2 or more.
    min_samples : int, optional
        Items, itself among them, within the distance that counts as the density around an item; that of `min_cluster_size`
        by default.
    epsilon : float
        Dissimilarity below which clusters are not divided, 0 or more.
    selection : {"eom", "leaf"}
        Which clusters of the hierarchy are taken: the most stable ones, or its leaves.
    allow_single_cluster : bool
        Whether all items may be one cluster.

    Returns
    -------
    ndarray, shape (N,), int64
        Cluster numbers from 0 in order of first appearance, -1 for items in no cluster.

    Raises
    ------
    DataError
        If the distance is not square, finite and symmetric.
    ParameterError
        If a parameter is out of range.

    References
    ----------
    Campello, Moulavi and Sander (2013), "Density-based clustering based on hierarchical density estimates".
    """
    square = as_dissimilarity(distance)
    fewest = as_count(min_cluster_size, "min_cluster_size", 2)
    neighbours = fewest if min_samples is None else as_count(min_samples, "min_samples")
    if not is_one_of(selection, SELECTIONS):
        raise ParameterError(unknown_name("selection", selection, SELECTIONS))
    if isinstance(epsilon, bool) or not isinstance(epsilon, (int, float)) or not 0.0 <= epsilon < np.inf:
        raise ParameterError(f"epsilon is {epsilon!r}, expected a number that is 0 or more")
    single = as_flag(allow_single_cluster, "allow_single_cluster")
    if len(square) < max(fewest, neighbours):
        return np.full(len(square), -1, dtype=np.int64)
    from sklearn.cluster import HDBSCAN

    square = without_last_digits(square - min(0.0, float(square.min())))
    np.fill_diagonal(square, 0.0)
    # Divide by the largest entry, so that densities stay in the range of float64.
    unit = float(square.max()) or 1.0
    model = HDBSCAN(
        min_cluster_size=fewest,
        min_samples=neighbours,
        cluster_selection_epsilon=float(epsilon) / unit,
        cluster_selection_method=selection,
        allow_single_cluster=single,
        metric="precomputed",
        copy=False,
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        # Equal items have an infinite density.
        return relabel(model.fit_predict(square / unit))


def _partition(distance: FloatArray, n_clusters: None, seed: int, **params: Any) -> IntArray:
    return hdbscan(distance, **params)


CLUSTERERS = (
    Clusterer(
        name="hdbscan",
        label="HDBSCAN",
        source="Campello, Moulavi and Sander 2013",
        partition=_partition,
        requires_n_clusters=False,
        finds_n_clusters=True,
        random=False,
        params={
            "min_cluster_size": 5,
            "min_samples": None,
            "epsilon": 0.0,
            "selection": "eom",
            "allow_single_cluster": False,
        },
    ),
)
