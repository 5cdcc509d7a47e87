"""Spectral clustering of dissimilarities that are minus the logarithm of an affinity."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from ..core.arrays import FloatArray, IntArray
from ..core.graphs.affinity import Diagonal, Embedding, as_matrix
from ..core.graphs.kmeans import Starts
from ..core.random_state import RandomState, check_seed
from .graph import spectral, spectral_path
from .registry import Clusterer


def as_gaussian(dissimilarity: ArrayLike, diagonal: Diagonal = "zero") -> FloatArray:
    """Return distances whose Gaussian affinity of width 1 is ``exp(-d)``, up to a common factor.

    From an (N, N) dissimilarity that is minus the logarithm of affinities: ``sqrt(2 (d - min d))`` off the diagonal, 0
    on it; the diagonal counts if it is the items' ``"own"``. The factor makes the largest affinity 1, so that
    dissimilarities may be negative, as minus the logarithm of a density is. The normalised Laplacian does not depend on
    it, unless items have an affinity of 1 with themselves.
    """
    square = as_matrix(dissimilarity, diagonal)
    seen = ~np.eye(len(square), dtype=bool) | (diagonal == "own")
    least = square[seen].min() if seen.any() else 0.0
    # Halve first, since the difference of two numbers of opposite signs may overflow.
    beyond = 0.5 * square - 0.5 * least
    return np.where(seen, 2.0 * np.sqrt(np.where(seen, beyond, 0.0)), 0.0)


def direct_spectral(
    dissimilarity: ArrayLike,
    n_clusters: int,
    diagonal: Diagonal = "zero",
    embedding: Embedding = "njw",
    random_state: RandomState = 0,
    starts: Starts = "k-means++",
) -> IntArray:
    """Spectral clustering on the affinity ``exp(-d)``, without a kernel and its width.

    For measures that are minus the logarithm of an affinity: ``nn_risk`` with ``log``, ``el``, ``ppk``, ``ssd``;
    entries may be negative. `diagonal` is the affinity of an item with itself: none, as large as the largest of two
    items, or the one that the matrix gives. Thesis 2011, sections 4.5 and 5.5.7, where kernels and risks enter the
    clustering as they are.
    """
    seed = check_seed(random_state)
    return spectral(as_gaussian(dissimilarity, diagonal), n_clusters, 1.0, diagonal, embedding, seed, starts=starts)


def _partition(
    dissimilarity: FloatArray, n_clusters: int, seed: int, diagonal: Diagonal, embedding: Embedding, starts: Starts
) -> IntArray:
    return direct_spectral(dissimilarity, n_clusters, diagonal, embedding, seed, starts)


def _path(
    dissimilarity: FloatArray,
    numbers: Sequence[int],
    seed: int,
    diagonal: Diagonal,
    embedding: Embedding,
    starts: Starts,
) -> list[IntArray]:
    square = as_gaussian(dissimilarity, diagonal)
    return spectral_path(square, numbers, 1.0, diagonal, embedding, seed, starts=starts)


CLUSTERERS = (
    Clusterer(
        name="spectral_direct",
        label="spectral, affinity as it is",
        source="thesis 2011, sections 4.5 and 5.5.7",
        partition=_partition,
        path=_path,
        params={"diagonal": "zero", "embedding": "njw", "starts": "k-means++"},
    ),
)
