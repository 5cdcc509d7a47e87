"""Spectral clustering of a dissimilarity matrix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike

from ..core.arrays import FloatArray, IntArray, as_dissimilarity, as_numbers, as_positive, require_clusters
from ..core.errors import ParameterError, is_one_of, unknown_name
from ..core.graphs.affinity import WIDTH_RULES, Diagonal, Embedding, WidthRule, choose_width, spectral_embedding
from ..core.graphs.kmeans import kmeans
from ..core.roots import RandomState, as_root
from ..core.seeds import derive_seed
from .registry import Clusterer

__all__ = ["spectral", "spectral_embedding"]


def resolve_width(
    distance: FloatArray,
    n_clusters: int,
    width: WidthRule | ArrayLike,
    diagonal: Diagonal = "zero",
    embedding: Embedding = "njw",
    random_state: RandomState = 0,
) -> float | FloatArray:
    """Kernel width of an (N, N) distance by a rule (:func:`kinseq.core.graphs.affinity.choose_width`), or the given one or N."""
    seed = as_root(random_state)
    if not isinstance(width, str):
        return as_numbers(width, "width") if np.ndim(width) else as_positive(width, "width")
    if not is_one_of(width, WIDTH_RULES):
        raise ParameterError(unknown_name("width rule", width, WIDTH_RULES))
    return choose_width(
        distance, n_clusters, cast(WidthRule, width), diagonal=diagonal, embedding=embedding, random_state=seed
    )


def spectral(
    distance: ArrayLike,
    n_clusters: int,
    width: WidthRule | ArrayLike = "eigengap",
    diagonal: Diagonal = "zero",
    embedding: Embedding = "njw",
    random_state: RandomState = 0,
) -> IntArray:
    """Spectral clustering on the Gaussian affinity of a dissimilarity matrix.

    Parameters
    ----------
    distance : array_like, shape (N, N)
        Symmetric. Signed dissimilarities enter squared, as ``exp(-d^2 / (2 sigma^2))`` is printed.
    n_clusters : int
        K, between 1 and N.
    width : {"eigengap", "tightness", "median", "local"}, float, or array_like of shape (N,)
        Rule that chooses the kernel width (see :func:`kinseq.core.graphs.affinity.choose_width`), or the width itself in the unit
        of the distance.
    diagonal : {"zero", "one"}
        Diagonal of the affinity.
    embedding : {"njw", "shi_malik"}
        See :func:`kinseq.core.graphs.affinity.spectral_embedding`.
    random_state : int, RandomState, Generator or None
        Names the stream of the ten k-means starts, of which the one with the least distortion is kept.

    Returns
    -------
    ndarray, shape (N,), int64
        Cluster numbers from 0 in order of first appearance. Fewer than K may occur where items coincide in the
        embedding.

    Raises
    ------
    DataError
        If the distance is not square, finite and symmetric.
    ParameterError
        If K exceeds N, a width is not positive or a name is unknown.

    References
    ----------
    Ng, Jordan and Weiss (2002); thesis 2011, sections 2.2.3 and 2.4, appendix A.
    """
    seed = as_root(random_state)
    square = as_dissimilarity(distance)
    clusters = require_clusters(len(square), n_clusters, "spectral clustering")
    stream = derive_seed(seed, "spectral")
    sigma = resolve_width(square, clusters, width, diagonal, embedding, stream)
    return _groups(spectral_embedding(square, clusters, sigma, diagonal, embedding), clusters, stream)


def spectral_path(
    distance: ArrayLike,
    numbers: Sequence[int],
    width: WidthRule | ArrayLike = "eigengap",
    diagonal: Diagonal = "zero",
    embedding: Embedding = "njw",
    random_state: RandomState = 0,
) -> list[IntArray]:
    """:func:`spectral` for several numbers of clusters, in their order.

    One decomposition serves all where the width is the same for all.
    """
    seed = as_root(random_state)
    square = as_dissimilarity(distance)
    clusters = [require_clusters(len(square), number, "spectral clustering") for number in numbers]
    if isinstance(width, str) and width != "local":
        return [spectral(square, number, width, diagonal, embedding, seed) for number in clusters]
    stream = derive_seed(seed, "spectral")
    sigma = resolve_width(square, max(clusters, default=1), width, diagonal, embedding, stream)
    points = spectral_embedding(square, max(clusters, default=1), sigma, diagonal, embedding)
    return [_groups(_leading(points, number, embedding), number, stream) for number in clusters]


def _leading(points: FloatArray, n_clusters: int, embedding: Embedding) -> FloatArray:
    """The embedding for K clusters out of one for more of them: its first columns, rows scaled anew."""
    if embedding == "shi_malik":
        return points[:, : max(1, n_clusters - 1)]
    leading = points[:, :n_clusters]
    norms = np.sqrt((leading**2).sum(axis=1, keepdims=True))
    return np.asarray(leading / np.where(norms > 0, norms, 1.0))


def _groups(points: FloatArray, n_clusters: int, stream: int) -> IntArray:
    if n_clusters == 1:
        return np.zeros(len(points), dtype=np.int64)
    if n_clusters == len(points):
        return np.arange(n_clusters, dtype=np.int64)
    return kmeans(points, n_clusters, stream)[0]


def _partition(distance: FloatArray, n_clusters: int, seed: int, **params: Any) -> IntArray:
    return spectral(distance, n_clusters, random_state=seed, **params)


def _path(distance: FloatArray, numbers: Sequence[int], seed: int, **params: Any) -> list[IntArray]:
    return spectral_path(distance, numbers, random_state=seed, **params)


CLUSTERERS = (
    Clusterer(
        name="spectral",
        label="spectral clustering",
        source="Ng, Jordan and Weiss 2002; thesis 2011, section 2.2.3",
        partition=_partition,
        path=_path,
        params={"width": "eigengap", "diagonal": "zero", "embedding": "njw"},
    ),
)
