"""Spectral clustering of a dissimilarity matrix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike

from ..core.arrays import FloatArray, IntArray, as_numbers, as_positive, require_clusters
from ..core.errors import ParameterError, is_one_of, unknown_name
from ..core.graphs.affinity import (
    WIDTH_RULES,
    Diagonal,
    Embedding,
    Grid,
    Kernel,
    WidthRule,
    as_matrix,
    choose_width,
    spectral_embedding,
    unit_rows,
)
from ..core.graphs.kmeans import STARTS, Starts, kmeans
from ..core.random_state import RandomState, check_seed
from ..core.seeds import derive_seed
from .registry import Clusterer

__all__ = ["spectral", "spectral_embedding"]


POINTS_STEP = 1e-8
"""Step to which points of an embedding are rounded before grouping, relative to their largest coordinate."""


def resolve_width(
    distance: FloatArray,
    n_clusters: int,
    width: WidthRule | ArrayLike,
    diagonal: Diagonal = "zero",
    embedding: Embedding = "njw",
    random_state: RandomState = 0,
    kernel: Kernel = "gaussian",
    grid: Grid = None,
    starts: Starts = "k-means++",
) -> float | FloatArray:
    """Kernel width of an (N, N) distance by a rule (:func:`kinseq.core.graphs.affinity.choose_width`), or the given one or N."""
    seed = check_seed(random_state)
    if not isinstance(width, str):
        return as_numbers(width, "width") if np.ndim(width) else as_positive(width, "width")
    if not is_one_of(width, WIDTH_RULES):
        raise ParameterError(unknown_name("width rule", width, WIDTH_RULES))
    return choose_width(
        distance,
        n_clusters,
        cast(WidthRule, width),
        grid,
        diagonal=diagonal,
        embedding=embedding,
        random_state=seed,
        kernel=kernel,
        starts=starts,
    )


def spectral(
    distance: ArrayLike,
    n_clusters: int,
    width: WidthRule | ArrayLike = "eigengap",
    diagonal: Diagonal = "zero",
    embedding: Embedding = "njw",
    random_state: RandomState = 0,
    kernel: Kernel = "gaussian",
    grid: Grid = None,
    starts: Starts = "k-means++",
) -> IntArray:
    """Spectral clustering on the affinity of a dissimilarity matrix.

    Parameters
    ----------
    distance : array_like, shape (N, N)
        Symmetric. Signed dissimilarities enter squared, as ``exp(-d^2 / (2 sigma^2))`` is printed.
    n_clusters : int
        K, between 1 and N.
    width : {"eigengap", "tightness", "median", "local"}, float, or array_like of shape (N,)
        Rule that chooses the kernel width (see :func:`kinseq.core.graphs.affinity.choose_width`), or the width itself in the unit
        of the distance.
    diagonal : {"zero", "one", "own"}
        Diagonal of the affinity; ``"own"``: the kernel's value at the diagonal of `distance` as it is given.
    embedding : {"njw", "shi_malik", "skip_first"}
        See :func:`kinseq.core.graphs.affinity.spectral_embedding`.
    random_state : int, RandomState, Generator or None
        Names the stream of the ten k-means starts, of which the one with the least distortion is kept.
    kernel : {"gaussian", "linear"}
        See :func:`kinseq.core.graphs.affinity.gaussian`.
    grid : array_like, shape (M,), or {"low": float, "high": float, "n": int}, optional
        Widths that a rule tries, see :func:`kinseq.core.graphs.affinity.choose_width`.
    starts : {"k-means++", "random_rows", "fixed"}
        How k-means starts: by k-means++, from K rows of the embedding at random, or by k-means++ in a way that neither
        `random_state` nor the order of the items changes (:func:`kinseq.core.graphs.kmeans.kmeans`).

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
    Ng, Jordan and Weiss (2002); thesis 2011, sections 2.2.3 and 2.4, appendix A. Which options the thesis's tables
    agree with is measured in docs/reports/reading.md.
    """
    seed = check_seed(random_state)
    square = as_matrix(distance, diagonal)
    clusters = require_clusters(len(square), n_clusters, "spectral clustering")
    _require_starts(starts)
    stream = derive_seed(seed, "spectral")
    sigma = resolve_width(square, clusters, width, diagonal, embedding, stream, kernel, grid, starts)
    return _groups(spectral_embedding(square, clusters, sigma, diagonal, embedding, kernel), clusters, stream, starts)


def _require_starts(starts: object) -> None:
    if not is_one_of(starts, STARTS):
        raise ParameterError(unknown_name("starts", starts, STARTS))


def spectral_path(
    distance: ArrayLike,
    numbers: Sequence[int],
    width: WidthRule | ArrayLike = "eigengap",
    diagonal: Diagonal = "zero",
    embedding: Embedding = "njw",
    random_state: RandomState = 0,
    kernel: Kernel = "gaussian",
    grid: Grid = None,
    starts: Starts = "k-means++",
) -> list[IntArray]:
    """:func:`spectral` for several numbers of clusters, in their order.

    One decomposition serves all where the width is the same for all.
    """
    seed = check_seed(random_state)
    square = as_matrix(distance, diagonal)
    _require_starts(starts)
    clusters = [require_clusters(len(square), number, "spectral clustering") for number in numbers]
    if isinstance(width, str) and width != "local":
        return [spectral(square, number, width, diagonal, embedding, seed, kernel, grid, starts) for number in clusters]
    stream = derive_seed(seed, "spectral")
    sigma = resolve_width(square, max(clusters, default=1), width, diagonal, embedding, stream, kernel, grid, starts)
    points = spectral_embedding(square, max(clusters, default=1), sigma, diagonal, embedding, kernel)
    return [_groups(_leading(points, number, embedding), number, stream, starts) for number in clusters]


def _leading(points: FloatArray, n_clusters: int, embedding: Embedding) -> FloatArray:
    """Return the embedding for K clusters from one for more clusters: its first columns, with rows rescaled."""
    if embedding == "shi_malik":
        return points[:, : max(1, n_clusters - 1)]
    return unit_rows(points[:, :n_clusters])


def _groups(points: FloatArray, n_clusters: int, stream: int, starts: Starts) -> IntArray:
    if n_clusters == 1:
        return np.zeros(len(points), dtype=np.int64)
    if n_clusters == len(points):
        return np.arange(n_clusters, dtype=np.int64)
    # On a grid, equally good starts of k-means tie to the last bit, and the first one wins.
    step = POINTS_STEP * float(np.abs(points).max())
    return kmeans(np.round(points / step) * step if step > 0.0 else points, n_clusters, stream, starts=starts)[0]


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
        params={
            "width": "eigengap",
            "diagonal": "zero",
            "embedding": "njw",
            "kernel": "gaussian",
            "grid": None,
            "starts": "k-means++",
        },
    ),
)
