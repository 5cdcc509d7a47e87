"""Clusterers of items as points that choose the number of clusters by eigengap or silhouette if none is given."""

from __future__ import annotations

import numpy as np

from ..core.arrays import FloatArray, IntArray, as_count
from ..core.graphs.affinity import best_eigengap
from ..core.graphs.kmeans import kmeans
from ..core.seeds import derive_seed
from ..core.sequences import SequenceSet
from .graph import spectral
from .itc import points_of
from .points import distances
from .registry import Clusterer


def _candidates(n_items: int, max_clusters: int) -> range:
    """Return numbers of clusters to try: from 2 up to the number of items allows."""
    return range(2, min(as_count(max_clusters, "max_clusters", least=2), n_items - 1) + 1)


def number_by_eigengap(distance: FloatArray, max_clusters: int) -> int:
    """Number of clusters with the largest eigengap, each at its best kernel width; 1 if none can be tried."""
    tried = list(_candidates(len(distance), max_clusters))
    gaps = [best_eigengap(distance, k)[1] for k in tried]
    return tried[int(np.argmax(gaps))] if tried else 1


def number_by_silhouette(points: FloatArray, max_clusters: int, seed: int) -> int:
    """Return the number of clusters whose k-means partition has the largest mean silhouette; 1 if none can be tried."""
    from sklearn.metrics import silhouette_score

    best, number = -np.inf, 1
    for k in _candidates(len(points), max_clusters):
        labels = kmeans(points, k, derive_seed(seed, "silhouette", k))[0]
        if labels.max() > 0:
            value = float(silhouette_score(points, labels))
            if value > best:
                best, number = value, k
    return number


def _by_eigengap(items: SequenceSet, n_clusters: int | None, seed: int, max_clusters: int) -> IntArray:
    distance = distances(points_of(items))
    number = number_by_eigengap(distance, max_clusters) if n_clusters is None else n_clusters
    return spectral(distance, number, random_state=seed)


def _by_silhouette(items: SequenceSet, n_clusters: int | None, seed: int, max_clusters: int) -> IntArray:
    points = points_of(items)
    number = number_by_silhouette(points, max_clusters, seed) if n_clusters is None else n_clusters
    return kmeans(points, number, derive_seed(seed, "points"))[0]


CLUSTERERS = (
    Clusterer(
        name="spectral_by_eigengap",
        label="spectral clustering, number by the eigengap",
        source="Ng, Jordan and Weiss 2002",
        partition=_by_eigengap,
        takes="items",
        requires_n_clusters=False,
        params={"max_clusters": 8},
    ),
    Clusterer(
        name="kmeans_by_silhouette",
        label="k-means, number by the silhouette",
        source="Rousseeuw 1987",
        partition=_by_silhouette,
        takes="items",
        requires_n_clusters=False,
        params={"max_clusters": 8},
    ),
)
