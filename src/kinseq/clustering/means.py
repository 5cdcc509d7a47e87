"""K-means on the mean vectors of the items: a baseline without dynamics."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from ..core.arrays import IntArray, require_clusters
from ..core.errors import ParameterError, is_one_of, unknown_name
from ..core.graphs.kmeans import kmeans
from ..core.random_state import RandomState, check_seed
from ..core.seeds import derive_seed
from ..core.sequences import Sequences, SequenceSet, as_sequence_set
from .registry import Clusterer

Scale = Literal["none", "zscore"]

SCALES = ("none", "zscore")


def kmeans_of_means(
    items: Sequences, n_clusters: int, scale: Scale = "zscore", random_state: RandomState = 0
) -> IntArray:
    """Cluster sequences or sets of vectors by the means of their frames.

    Parameters
    ----------
    items : SequenceSet or list of array_like, each of shape (T, d)
        N sequences or sets of vectors.
    n_clusters : int
        K, between 1 and N.
    scale : {"none", "zscore"}
        Whether columns of the mean vectors are divided by their standard deviations over the items; a constant column
        counts for nothing either way.
    random_state : int, RandomState, Generator or None
        Names the random stream of the starts.

    Returns
    -------
    ndarray, shape (N,), int64
        Cluster numbers from 0 in order of first appearance. Fewer than K may occur where means coincide.

    Raises
    ------
    ParameterError
        If K exceeds N or the scale is unknown.

    References
    ----------
    Thesis 2011, section 6.2 (mean vectors).
    """
    seed = check_seed(random_state)
    data = as_sequence_set(items)
    clusters = require_clusters(len(data), n_clusters, "k-means of means")
    if not is_one_of(scale, SCALES):
        raise ParameterError(unknown_name("scale", scale, SCALES))
    means = np.array([frames.mean(axis=0) for frames in data])
    # Divide by the largest entry first, so that squares stay in the range of float64.
    means /= max(float(np.abs(means).max()), float(np.finfo(np.float64).tiny))
    means -= means.mean(axis=0)
    if scale == "zscore":
        deviation = means.std(axis=0)
        means /= np.where(deviation > 0.0, deviation, 1.0)
    return kmeans(means, clusters, derive_seed(seed, "means"))[0]


def _partition(items: SequenceSet, n_clusters: int, seed: int, **params: Any) -> IntArray:
    return kmeans_of_means(items, n_clusters, random_state=seed, **params)


CLUSTERERS = (
    Clusterer(
        name="kmeans_of_means",
        label="k-means of mean vectors",
        source="baseline; thesis 2011, section 6.2",
        partition=_partition,
        takes="items",
        params={"scale": "zscore"},
    ),
)
