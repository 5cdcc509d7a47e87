"""From distances to graphs: Gaussian affinities, the spectrum of their normalised Laplacian, and the kernel width.

With A the affinity and D the diagonal matrix of its row sums, the symmetric normalised Laplacian is
``L_sym = I - D^-1/2 A D^-1/2``, eigenvalues ``lambda_1 <= ... <= lambda_N``. Everything here works on
``S = D^-1/2 A D^-1/2`` (eigenvalues ``1 - lambda``), built from exponentials of differences to each item's nearest
neighbour, so that no affinity underflows before it is normalised: an item far from all others keeps the limit that a
smaller unit of length would give, and no width yields NaN.

Sources: thesis 2011, sections 2.3-2.4 and appendix A; Ng, Jordan and Weiss (2002); Shi and Malik (2000); Zelnik-Manor
and Perona (2004).
"""

from __future__ import annotations

from typing import Any, Literal, overload

import numpy as np
from numpy.typing import ArrayLike

from .arrays import FloatArray, IntArray, as_distance, require_clusters
from .errors import ParameterError, unknown_name
from .seeds import derive_seed

Diagonal = Literal["zero", "one"]
Embedding = Literal["njw", "shi_malik"]
WidthRule = Literal["eigengap", "tightness", "median", "local"]

DIAGONALS = ("zero", "one")
EMBEDDINGS = ("njw", "shi_malik")
WIDTH_RULES = ("eigengap", "tightness", "median", "local")

# Two eigengaps (or tightnesses) nearer than this are a tie, which the lowest index wins. Far above what rounding does
# to eigenvalues of magnitude one, far below any difference that says something about the data.
TIE = 1e-10

# A ratio of distance to width that is beyond any use; its square is still finite.
_FAR = 1e150


def _choice(kind: str, value: Any, valid: tuple[str, ...]) -> str:
    if value not in valid:
        raise ParameterError(unknown_name(kind, value, valid))
    return str(value)


def _as_width(width: ArrayLike, n_items: int) -> FloatArray:
    """Width as a 0-d or (N,) array of positive finite numbers."""
    try:
        array = np.asarray(width, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ParameterError(f"width is {width!r}, expected a positive number or one per item") from error
    if array.ndim > 1 or (array.ndim == 1 and array.shape != (n_items,)):
        raise ParameterError(f"width has shape {array.shape}, expected a number or shape ({n_items},), one per item")
    if not (np.isfinite(array) & (array > 0)).all():
        raise ParameterError("width must be positive and finite; a median of 0 means that most items coincide")
    return array


def _exponents(magnitude: FloatArray, width: FloatArray) -> FloatArray:
    """``d^2 / (2 sigma^2)``, finite; with one width per item ``d_ij^2 / (2 sigma_i sigma_j)``."""
    if width.ndim == 0:
        ratio = magnitude / width
    else:
        root = np.sqrt(width)
        ratio = magnitude / root[:, None] / root
        # The two divisions round differently on the two sides of the diagonal.
        ratio = np.maximum(ratio, ratio.T)
    np.minimum(ratio, _FAR, out=ratio)
    return 0.5 * ratio * ratio


def gaussian(distance: ArrayLike, width: ArrayLike, diagonal: Diagonal = "zero") -> FloatArray:
    """Gaussian affinity ``exp(-d^2 / (2 sigma^2))`` of a matrix of distances.

    Parameters
    ----------
    distance : array_like, shape (N, N)
        Symmetric. Signed dissimilarities are squared as they are.
    width : float, or array_like of shape (N,)
        Kernel width sigma, in the unit of the distance. One width per item gives
        ``exp(-d_ij^2 / (2 sigma_i sigma_j))``.
    diagonal : {"zero", "one"}
        Value of the diagonal: 0 as Ng, Jordan and Weiss define it, or the kernel's own 1.

    Returns
    -------
    ndarray, shape (N, N)
        Symmetric, entries in [0, 1].

    Raises
    ------
    DataError
        If the distance is not square, finite and symmetric.
    ParameterError
        If a width is not positive.

    References
    ----------
    Thesis 2011, section 2.3; local widths: Zelnik-Manor and Perona (2004), whose sigma_i is sqrt(2) times ours.
    """
    square = np.abs(as_distance(distance))
    _choice("diagonal", diagonal, DIAGONALS)
    affinity = np.exp(-_exponents(square, _as_width(width, len(square))))
    np.fill_diagonal(affinity, 0.0 if diagonal == "zero" else 1.0)
    return affinity


def off_diagonal(matrix: FloatArray) -> FloatArray:
    """Entries above the diagonal of an ``(N, N)`` matrix, shape (N (N - 1) / 2,)."""
    return matrix[np.triu_indices(len(matrix), k=1)]


def unit_width(distance: ArrayLike) -> float:
    """Median magnitude of the off-diagonal distances, the unit in which widths are searched.

    The median of the positive ones if more than half are zero, and 1 if there is no positive distance at all.
    """
    return _unit(np.abs(as_distance(distance)))


def _unit(magnitude: FloatArray) -> float:
    entries = off_diagonal(magnitude)
    positive = entries[entries > 0]
    if positive.size == 0:
        return 1.0
    median = float(np.median(entries))
    return median if median > 0 else float(np.median(positive))


def width_grid(distance: ArrayLike, n_widths: int = 23, low: float = 0.03, high: float = 5.0) -> FloatArray:
    """Log-spaced kernel widths around the median off-diagonal distance.

    Parameters
    ----------
    distance : array_like, shape (N, N)
        Symmetric.
    n_widths : int
        Number of widths.
    low, high : float
        First and last width, in units of the median.

    Returns
    -------
    ndarray, shape (n_widths,)
        Rising.
    """
    return _grid(np.abs(as_distance(distance)), n_widths, low, high)


def _grid(magnitude: FloatArray, n_widths: int = 23, low: float = 0.03, high: float = 5.0) -> FloatArray:
    return np.geomspace(low, high, n_widths) * _unit(magnitude)


class _Graph:
    """The matrix S of one distance matrix at any width; what does not depend on the width is computed once."""

    def __init__(self, magnitude: FloatArray, diagonal: str) -> None:
        self.n_items = len(magnitude)
        self.diagonal = diagonal
        self._magnitude = magnitude

    def _masked(self, exponents: FloatArray) -> FloatArray:
        np.fill_diagonal(exponents, np.inf if self.diagonal == "zero" and self.n_items > 1 else 0.0)
        return exponents

    def walk(self, width: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Roots of the transition probabilities of the random walk on the graph, and the logs of the row sums of A."""
        exponents = self._masked(_exponents(self._magnitude, width))
        nearest = exponents.min(axis=1)
        exponents -= nearest[:, None]
        exponents *= -0.5
        roots = np.exp(exponents, out=exponents)
        mass = np.einsum("ij,ij->i", roots, roots)
        roots /= np.sqrt(mass)[:, None]
        return roots, np.log(mass) - nearest

    def normalised(self, width: FloatArray) -> FloatArray:
        """S at one width: the geometric mean of the walk's two transition probabilities, symmetric to the last bit."""
        roots, _ = self.walk(width)
        return roots * roots.T


def _top_eigenvalues(matrix: FloatArray, count: int) -> FloatArray:
    """The `count` largest eigenvalues of a symmetric matrix, falling."""
    from scipy.linalg import eigh

    n = len(matrix)
    values = eigh(matrix, eigvals_only=True, subset_by_index=[n - count, n - 1], check_finite=False)
    return np.asarray(values[::-1])


def spectrum(distance: ArrayLike, width: ArrayLike, diagonal: Diagonal = "zero") -> FloatArray:
    """All eigenvalues of the normalised Laplacian ``L_sym``, rising.

    Parameters
    ----------
    distance : array_like, shape (N, N)
        Symmetric.
    width : float, or array_like of shape (N,)
        Kernel width.
    diagonal : {"zero", "one"}
        Diagonal of the affinity.

    Returns
    -------
    ndarray, shape (N,)
        Between 0 and 2, the first 0.

    References
    ----------
    Thesis 2011, appendix A (the generalised problem A.1 has the same eigenvalues).
    """
    square = np.abs(as_distance(distance))
    _choice("diagonal", diagonal, DIAGONALS)
    if len(square) == 1:
        return np.zeros(1)
    matrix = _Graph(square, diagonal).normalised(_as_width(width, len(square)))
    return np.clip(1.0 - _top_eigenvalues(matrix, len(matrix)), 0.0, 2.0)


def _gap(matrix: FloatArray, n_clusters: int) -> float:
    """``lambda_{K+1} - lambda_K`` of the matrix S."""
    if n_clusters >= len(matrix):
        return 0.0
    from scipy.linalg import eigh

    n = len(matrix)
    lower, upper = eigh(
        matrix, eigvals_only=True, subset_by_index=[n - n_clusters - 1, n - n_clusters], check_finite=False
    )
    return max(0.0, float(upper - lower))


def eigengap(distance: ArrayLike, n_clusters: int, width: ArrayLike, diagonal: Diagonal = "zero") -> float:
    """Gap ``lambda_{K+1} - lambda_K`` between eigenvalues of the normalised Laplacian.

    Parameters
    ----------
    distance : array_like, shape (N, N)
        Symmetric.
    n_clusters : int
        K, between 1 and N.
    width : float, or array_like of shape (N,)
        Kernel width.
    diagonal : {"zero", "one"}
        Diagonal of the affinity.

    Returns
    -------
    float
        Between 0 and 2; 0 if K = N, where there is no next eigenvalue.

    References
    ----------
    Thesis 2011, section 2.4 and appendix A.
    """
    square = np.abs(as_distance(distance))
    _choice("diagonal", diagonal, DIAGONALS)
    clusters = require_clusters(len(square), n_clusters, "eigengap")
    return _gap(_Graph(square, diagonal).normalised(_as_width(width, len(square))), clusters)


def _sweep(
    magnitude: FloatArray, n_clusters: int, grid: FloatArray, diagonal: str, bar: float = -np.inf
) -> tuple[int, float]:
    graph = _Graph(magnitude, diagonal)
    gaps = np.array([_gap(graph.normalised(np.asarray(width)), n_clusters) for width in grid])
    best = int(np.flatnonzero(gaps >= gaps.max() - TIE)[0])
    return best, float(gaps[best])


def best_eigengap(
    distance: ArrayLike,
    n_clusters: int,
    grid: ArrayLike | None = None,
    diagonal: Diagonal = "zero",
    bar: float = -np.inf,
) -> tuple[float, float]:
    """Width with the largest eigengap, and that eigengap.

    Parameters
    ----------
    distance : array_like, shape (N, N)
        Symmetric.
    n_clusters : int
        K, between 1 and N.
    grid : array_like, shape (M,), optional
        Widths to try; :func:`width_grid` by default.
    diagonal : {"zero", "one"}
        Diagonal of the affinity.
    bar : float
        An eigengap found elsewhere. Where no width comes up to it, the sweep may stop short, and the result is ``-inf``
        with any width.

    Returns
    -------
    width, eigengap : float
        Of widths that tie (within 1e-10), the first on the grid.
    """
    magnitude = np.abs(as_distance(distance))
    _choice("diagonal", diagonal, DIAGONALS)
    clusters = require_clusters(len(magnitude), n_clusters, "eigengap")
    widths = _widths(magnitude, grid)
    index, gap = _sweep(magnitude, clusters, widths, diagonal, bar)
    return float(widths[index]), gap


def _widths(magnitude: FloatArray, grid: ArrayLike | None) -> FloatArray:
    if grid is None:
        return _grid(magnitude)
    widths = np.atleast_1d(np.asarray(grid, dtype=np.float64))
    if widths.ndim != 1 or widths.size == 0:
        raise ParameterError(f"grid has shape {widths.shape}, expected a list of at least one width")
    if not (np.isfinite(widths) & (widths > 0)).all():
        raise ParameterError("grid: every width must be positive and finite")
    return widths


def local_widths(distance: ArrayLike, neighbour: int = 7) -> FloatArray:
    """One width per item from the distance to its seventh neighbour.

    Parameters
    ----------
    distance : array_like, shape (N, N)
        Symmetric.
    neighbour : int
        Which neighbour; the last one if there are fewer.

    Returns
    -------
    ndarray, shape (N,)
        Distance to that neighbour over sqrt(2), so that :func:`gaussian` yields ``exp(-d_ij^2 / (s_i s_j))`` with s the
        distance itself. Where it is 0 the nearest positive distance stands in, or the median one.

    References
    ----------
    Zelnik-Manor and Perona (2004), section 2.
    """
    magnitude = np.abs(as_distance(distance))
    n = len(magnitude)
    if n == 1:
        return np.ones(1)
    others = np.sort(magnitude + np.diag(np.full(n, np.inf)), axis=1)
    reach = others[:, min(neighbour, n - 1) - 1].copy()
    for i in np.flatnonzero(reach <= 0):
        positive = others[i, :-1][others[i, :-1] > 0]
        reach[i] = positive[0] if positive.size else _unit(magnitude)
    return reach / np.sqrt(2.0)


def _signed(vectors: FloatArray) -> FloatArray:
    """Eigenvectors with the sign that makes the entry of largest magnitude positive."""
    largest = np.abs(vectors).argmax(axis=0)
    signs = np.sign(vectors[largest, np.arange(vectors.shape[1])])
    return vectors * np.where(signs == 0, 1.0, signs)


def spectral_embedding(
    distance: ArrayLike,
    n_clusters: int,
    width: ArrayLike,
    diagonal: Diagonal = "zero",
    embedding: Embedding = "njw",
) -> FloatArray:
    """Coordinates in which spectral clustering looks for compact groups.

    Parameters
    ----------
    distance : array_like, shape (N, N)
        Symmetric.
    n_clusters : int
        K, between 1 and N.
    width : float, or array_like of shape (N,)
        Kernel width.
    diagonal : {"zero", "one"}
        Diagonal of the affinity.
    embedding : {"njw", "shi_malik"}
        ``"njw"``: the K leading eigenvectors of ``D^-1/2 A D^-1/2``, rows scaled to length one.
        ``"shi_malik"``: phi_2 .. phi_K of ``(D - A) phi = lambda D phi``, rows as they are.

    Returns
    -------
    ndarray, shape (N, K) or (N, K - 1)
        At least one column.

    References
    ----------
    Ng, Jordan and Weiss (2002), section 2; thesis 2011, appendix A, equation A.1.
    """
    magnitude = np.abs(as_distance(distance))
    _choice("diagonal", diagonal, DIAGONALS)
    _choice("embedding", embedding, EMBEDDINGS)
    clusters = require_clusters(len(magnitude), n_clusters, "spectral embedding")
    return _embed(_Graph(magnitude, diagonal), clusters, _as_width(width, len(magnitude)), embedding)


def _embed(graph: _Graph, n_clusters: int, width: FloatArray, embedding: str) -> FloatArray:
    from scipy.linalg import eigh

    n = graph.n_items
    if n == 1:
        return np.ones((1, 1))
    roots, log_degree = graph.walk(width)
    _, vectors = eigh(roots * roots.T, subset_by_index=[n - n_clusters, n - 1], check_finite=False)
    vectors = _signed(np.asarray(vectors)[:, ::-1])
    if embedding == "njw":
        norms = np.sqrt((vectors**2).sum(axis=1, keepdims=True))
        return vectors / np.where(norms > 0, norms, 1.0)
    if n_clusters == 1:
        return np.ones((n, 1))
    # The scale of each vector is free; relative to the least degree no factor can overflow.
    return vectors[:, 1:] * np.exp(-0.5 * (log_degree - log_degree.min()))[:, None]


def kmeans(points: FloatArray, n_clusters: int, seed: int, n_init: int = 10) -> tuple[IntArray, float]:
    """K-means, the best of several starts by distortion.

    Parameters
    ----------
    points : ndarray, shape (N, D)
        Finite.
    n_clusters : int
        Between 1 and N.
    seed : int
        Names the random stream.
    n_init : int
        Number of starts.

    Returns
    -------
    labels : ndarray, shape (N,), int64
        Numbered in order of first appearance; fewer than `n_clusters` clusters if there are fewer distinct points.
    distortion : float
        Sum of squared distances to the own centre.

    References
    ----------
    Thesis 2011, section 2.4 (ten runs, least intra-cluster distortion).
    """
    import warnings

    from sklearn.cluster import KMeans
    from sklearn.exceptions import ConvergenceWarning

    state = derive_seed(seed, "kmeans") % 2**32
    with warnings.catch_warnings():
        # Fewer distinct points than clusters is a property of the data that the labels show.
        warnings.simplefilter("ignore", ConvergenceWarning)
        found = KMeans(n_clusters, n_init=n_init, random_state=state).fit(points)
    return relabel(found.labels_), float(found.inertia_)


def relabel(labels: ArrayLike) -> IntArray:
    """The same partition with clusters numbered 0, 1, ... in order of first appearance."""
    _, first, inverse = np.unique(np.asarray(labels), return_index=True, return_inverse=True)
    rank = np.empty(first.size, dtype=np.int64)
    rank[np.argsort(first)] = np.arange(first.size)
    return np.asarray(rank[inverse.reshape(-1)], dtype=np.int64)


def _tightest(
    magnitude: FloatArray, n_clusters: int, grid: FloatArray, diagonal: str, embedding: str, seed: int
) -> float:
    """Width whose embedding k-means fits with the least distortion."""
    graph = _Graph(magnitude, diagonal)
    losses = np.array([kmeans(_embed(graph, n_clusters, np.asarray(w), embedding), n_clusters, seed)[1] for w in grid])
    return float(grid[np.flatnonzero(losses <= losses.min() + TIE)[0]])


@overload
def choose_width(
    distance: ArrayLike,
    n_clusters: int,
    rule: Literal["eigengap", "tightness", "median"] = ...,
    grid: ArrayLike | None = ...,
    diagonal: Diagonal = ...,
    embedding: Embedding = ...,
    seed: int = ...,
) -> float: ...


@overload
def choose_width(
    distance: ArrayLike,
    n_clusters: int,
    rule: Literal["local"],
    grid: ArrayLike | None = ...,
    diagonal: Diagonal = ...,
    embedding: Embedding = ...,
    seed: int = ...,
) -> FloatArray: ...


@overload
def choose_width(
    distance: ArrayLike,
    n_clusters: int,
    rule: WidthRule,
    grid: ArrayLike | None = ...,
    diagonal: Diagonal = ...,
    embedding: Embedding = ...,
    seed: int = ...,
) -> float | FloatArray: ...


def choose_width(
    distance: ArrayLike,
    n_clusters: int,
    rule: WidthRule = "eigengap",
    grid: ArrayLike | None = None,
    diagonal: Diagonal = "zero",
    embedding: Embedding = "njw",
    seed: int = 0,
) -> float | FloatArray:
    """Choose the width of the Gaussian kernel without labels.

    Parameters
    ----------
    distance : array_like, shape (N, N)
        Symmetric; for signed dissimilarities magnitudes count.
    n_clusters : int
        K, between 1 and N.
    rule : {"eigengap", "tightness", "median", "local"}
        ``"eigengap"``: largest ``lambda_{K+1} - lambda_K``; ``"tightness"``: least k-means distortion in the embedding;
        ``"median"``: the median off-diagonal distance; ``"local"``: one width per item, see :func:`local_widths`.
    grid : array_like, shape (M,), optional
        Widths that the first two rules try; :func:`width_grid` by default.
    diagonal : {"zero", "one"}
        Diagonal of the affinity.
    embedding : {"njw", "shi_malik"}
        Embedding that the tightness is measured in.
    seed : int
        Stream of the k-means starts of the tightness.

    Returns
    -------
    float, or ndarray of shape (N,) for ``"local"``
        In the unit of the distance. Of widths that tie (within 1e-10), the first on the grid.

    References
    ----------
    Thesis 2011, section 2.4 (eigengap); Ng, Jordan and Weiss (2002), section 4 (tightness); Zelnik-Manor and Perona
    (2004) (local).
    """
    magnitude = np.abs(as_distance(distance))
    _choice("width rule", rule, WIDTH_RULES)
    _choice("diagonal", diagonal, DIAGONALS)
    _choice("embedding", embedding, EMBEDDINGS)
    clusters = require_clusters(len(magnitude), n_clusters, "choice of the width")
    widths = _widths(magnitude, grid)
    if rule == "median":
        return _unit(magnitude)
    if rule == "local":
        return local_widths(magnitude)
    if rule == "tightness":
        return _tightest(magnitude, clusters, widths, diagonal, embedding, seed)
    return float(widths[_sweep(magnitude, clusters, widths, diagonal)[0]])
