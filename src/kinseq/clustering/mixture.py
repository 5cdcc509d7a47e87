"""A mixture of Gaussians on the mean vectors of the items, fitted by expectation-maximisation."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ..core.arrays import IntArray, as_count, require_clusters
from ..core.graphs.kmeans import relabel
from ..core.random_state import RandomState, check_seed
from ..core.seeds import derive_seed
from ..core.sequences import Sequences, SequenceSet, as_sequence_set
from ..core.system import one_thread
from .registry import Clusterer


def mixture_of_means(items: Sequences, n_clusters: int, n_init: int = 10, random_state: RandomState = 0) -> IntArray:
    """Cluster sequences, or points of one frame, by the likeliest Gaussian of a mixture with full covariances of their means.

    `n_init` starts by k-means, of which the likeliest is kept; clusters are numbered in order of first appearance, and
    fewer than K may occur. Thesis 2012, appendix A.
    """
    seed = check_seed(random_state)
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.mixture import GaussianMixture

    data = as_sequence_set(items)
    clusters = require_clusters(len(data), n_clusters, "mixture of means")
    starts = as_count(n_init, "n_init")
    # Divide by the largest entry first, so that squares stay in the range of float64.
    values = data.values / (float(np.abs(data.values).max()) or 1.0)
    means = np.add.reduceat(values, data.offsets[:-1], axis=0) / data.lengths[:, None]
    means -= means.mean(axis=0)
    deviation = means.std(axis=0)
    means /= np.where(deviation > 0.0, deviation, 1.0)
    if clusters == len(data):
        return np.arange(clusters, dtype=np.int64)
    model = GaussianMixture(clusters, n_init=starts, random_state=derive_seed(seed, "mixture") % 2**32, reg_covar=1e-4)
    with one_thread(), warnings.catch_warnings():
        # With fewer distinct points than clusters or too few steps, the best start is used anyway.
        warnings.simplefilter("ignore", ConvergenceWarning)
        return relabel(model.fit_predict(means).astype(np.int64))


def _partition(items: SequenceSet, n_clusters: int, seed: int, **params: Any) -> IntArray:
    return mixture_of_means(items, n_clusters, random_state=seed, **params)


CLUSTERERS = (
    Clusterer(
        name="mixture_of_means",
        label="EM, Gaussian mixture",
        source="thesis 2012, appendix A",
        partition=_partition,
        takes="items",
        params={"n_init": 10},
    ),
)
