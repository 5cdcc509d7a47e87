"""Spectral clustering of items as points, the means of their frames."""

from __future__ import annotations

import numpy as np

from ..core.arrays import FloatArray, IntArray
from ..core.sequences import SequenceSet
from .graph import spectral
from .itc import points_of
from .registry import Clusterer


def distances(points: FloatArray) -> FloatArray:
    """Return the Euclidean distances between points, shape (N, N)."""
    from scipy.spatial.distance import pdist, squareform

    return np.asarray(squareform(pdist(points)))


def _spectral(items: SequenceSet, n_clusters: int, seed: int, width: str) -> IntArray:
    return spectral(distances(points_of(items)), n_clusters, width=width, random_state=seed)


CLUSTERERS = (
    Clusterer(
        name="spectral_of_means",
        label="spectral clustering",
        source="Ng, Jordan and Weiss 2002",
        partition=_spectral,
        takes="items",
        params={"width": "eigengap"},
    ),
)
