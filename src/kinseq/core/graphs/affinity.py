"""From distances to graphs: affinities, the spectrum of their normalised Laplacian, and the kernel width.

Sources: thesis 2011, sections 2.3-2.4 and appendix A; Ng, Jordan and Weiss (2002); Shi and Malik (2000); Zelnik-Manor
and Perona (2004).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import FloatArray, as_count, as_dissimilarity, as_distance, as_numbers, as_positive, require_clusters
from ..errors import ParameterError, is_one_of, unknown_name
from ..random_state import RandomState, check_seed
from .kmeans import STARTS, Starts, kmeans
from .laplacian import TIE_TOLERANCE, Graph, eigengap_of, leading_vectors, sweep, typical

__all__ = [
    "best_eigengap",
    "choose_width",
    "eigengap",
    "gaussian",
    "local_widths",
    "spectral_embedding",
    "spectrum",
    "width_grid",
]

Diagonal = Literal["zero", "one", "own"]
Embedding = Literal["njw", "shi_malik", "skip_first"]
Kernel = Literal["gaussian", "linear"]
WidthRule = Literal["eigengap", "tightness", "median", "local"]

DIAGONALS = ("zero", "one", "own")
EMBEDDINGS = ("njw", "shi_malik", "skip_first")
KERNELS = ("gaussian", "linear")
WIDTH_RULES = ("eigengap", "tightness", "median", "local")

RELATIVE_GRID = np.geomspace(0.03, 5.0, 23)
"""Default widths, in units of the median off-diagonal distance."""


Grid = ArrayLike | Mapping[str, float] | None
"""Widths that a rule tries: numbers in the unit of the distance, or ``{low, high, n}`` in units of the median."""


def _choice(kind: str, value: Any, valid: tuple[str, ...]) -> None:
    if not is_one_of(value, valid):
        raise ParameterError(unknown_name(kind, value, valid))


def as_matrix(distance: ArrayLike, diagonal: Diagonal = "zero") -> FloatArray:
    """Return a symmetric matrix that becomes an affinity with such a `diagonal`.

    One that looks like a similarity is refused, unless the diagonal is to be used as it is.
    """
    return as_distance(distance) if is_one_of(diagonal, ("own",)) else as_dissimilarity(distance)


def _magnitude(distance: ArrayLike, diagonal: Diagonal = "zero") -> FloatArray:
    return np.abs(as_matrix(distance, diagonal))


def _as_width(width: ArrayLike, n_items: int) -> float | FloatArray:
    """Return the width as a positive finite float, or as an (N,) array of them."""
    if np.ndim(width) == 0:
        return as_positive(width, "width")
    array = as_numbers(width, "width")
    if array.ndim > 1 or (array.ndim == 1 and array.shape != (n_items,)):
        raise ParameterError(f"width has shape {array.shape}, expected a number or shape ({n_items},), one per item")
    if not (np.isfinite(array) & (array > 0)).all():
        raise ParameterError(f"width is {width!r}, expected positive finite numbers only")
    return array


def gaussian(
    distance: ArrayLike, width: ArrayLike, diagonal: Diagonal = "zero", kernel: Kernel = "gaussian"
) -> FloatArray:
    """Affinity ``exp(-d^2 / (2 sigma^2))`` of a matrix of distances.

    Parameters
    ----------
    distance : array_like, shape (N, N)
        Symmetric. Signed dissimilarities are squared as they are.
    width : float, or array_like of shape (N,)
        Kernel width sigma, in the unit of the distance. One width per item gives
        ``exp(-d_ij^2 / (2 sigma_i sigma_j))``.
    diagonal : {"zero", "one", "own"}
        Value of the diagonal: 0 as Ng, Jordan and Weiss define it, 1, or the kernel's value at the diagonal of
        `distance`, which is 1 where that is 0.
    kernel : {"gaussian", "linear"}
        ``"linear"`` is ``exp(-|d| m / (2 sigma^2))`` with m the median off-diagonal ``|d|``, see
        :func:`width_grid`: with distance and width in units of m, ``exp(-d / (2 w^2))``.

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
    Thesis 2011, section 2.3; local widths: Zelnik-Manor and Perona (2004), whose sigma_i is sqrt(2) times ours. The
    linear kernel and the diagonal as it is are in no document; the thesis's tables agree best with them
    (docs/reports/reading.md).
    """
    ratio = _magnitude(distance, diagonal)
    _choice("diagonal", diagonal, DIAGONALS)
    _choice("kernel", kernel, KERNELS)
    sigma = _as_width(width, len(ratio))
    if kernel == "linear":
        unit = typical(ratio)
        ratio = np.sqrt(ratio / unit) * unit
    if isinstance(sigma, float):
        ratio /= sigma
    else:
        root = np.sqrt(sigma)
        ratio /= root[:, None] * root
    # Squares beyond this overflow, while the affinity has long been 0.
    np.minimum(ratio, 1e150, out=ratio)
    affinity = np.exp(-0.5 * ratio * ratio)
    if diagonal != "own":
        np.fill_diagonal(affinity, 0.0 if diagonal == "zero" else 1.0)
    return affinity


def width_grid(distance: ArrayLike, n_widths: int = 23, low: float = 0.03, high: float = 5.0) -> FloatArray:
    """Log-spaced kernel widths around the median off-diagonal distance.

    Parameters
    ----------
    distance : array_like, shape (N, N)
        Symmetric; for signed dissimilarities magnitudes count.
    n_widths : int
        Number of widths.
    low, high : float
        First and last width, in units of the median (of the positive distances, if more than half are zero).

    Returns
    -------
    ndarray, shape (n_widths,)
        Rising.
    """
    magnitude = _magnitude(distance)
    return _relative_grid({"low": low, "high": high, "n": as_count(n_widths, "n_widths")}) * typical(magnitude)


def _relative_grid(grid: Mapping[str, Any]) -> FloatArray:
    """Log-spaced widths ``{low, high, n}`` in units of the median."""
    if set(grid) != {"low", "high", "n"}:
        raise ParameterError(f"grid has the keys {', '.join(sorted(map(str, grid)))}; expected low, high and n")
    low, high = as_positive(grid["low"], "low"), as_positive(grid["high"], "high")
    if low >= high:
        raise ParameterError(f"the grid runs from {low!r} to {high!r}, expected positive numbers that rise")
    return np.geomspace(low, high, as_count(grid["n"], "n"))


def _widths(graph: Graph, grid: Grid) -> FloatArray:
    if grid is None:
        return RELATIVE_GRID * graph.unit
    if isinstance(grid, Mapping):
        return _relative_grid(grid) * graph.unit
    widths = np.atleast_1d(as_numbers(grid, "grid"))
    if widths.ndim != 1 or widths.size == 0:
        raise ParameterError(f"grid has shape {widths.shape}, expected a list of at least one width")
    if not (np.isfinite(widths) & (widths > 0)).all():
        raise ParameterError("grid: every width must be positive and finite")
    return widths


def _graph(distance: ArrayLike, diagonal: Diagonal, kernel: Kernel) -> Graph:
    magnitude = _magnitude(distance, diagonal)
    _choice("diagonal", diagonal, DIAGONALS)
    _choice("kernel", kernel, KERNELS)
    return Graph(magnitude, diagonal, kernel)


def spectrum(
    distance: ArrayLike, width: ArrayLike, diagonal: Diagonal = "zero", kernel: Kernel = "gaussian"
) -> FloatArray:
    """Return all eigenvalues of the normalised Laplacian ``L_sym``, rising.

    Parameters
    ----------
    distance : array_like, shape (N, N)
        Symmetric.
    width : float, or array_like of shape (N,)
        Kernel width.
    diagonal : {"zero", "one", "own"}
        Diagonal of the affinity, see ``gaussian``.
    kernel : {"gaussian", "linear"}
        See ``gaussian``.

    Returns
    -------
    ndarray, shape (N,)
        Between 0 and 2, the first 0.

    References
    ----------
    Thesis 2011, appendix A (the generalised problem A.1 has the same eigenvalues).
    """
    graph = _graph(distance, diagonal, kernel)
    matrix = graph.normalised(_as_width(width, graph.n_items))
    return np.clip(1.0 - np.linalg.eigvalsh(matrix)[::-1], 0.0, 2.0)


def eigengap(
    distance: ArrayLike,
    n_clusters: int,
    width: ArrayLike,
    diagonal: Diagonal = "zero",
    kernel: Kernel = "gaussian",
) -> float:
    """Gap ``lambda_{K+1} - lambda_K`` between eigenvalues of the normalised Laplacian.

    Parameters
    ----------
    distance : array_like, shape (N, N)
        Symmetric.
    n_clusters : int
        K, between 1 and N.
    width : float, or array_like of shape (N,)
        Kernel width.
    diagonal : {"zero", "one", "own"}
        Diagonal of the affinity, see ``gaussian``.
    kernel : {"gaussian", "linear"}
        See ``gaussian``.

    Returns
    -------
    float
        Between 0 and 2; 0 if K = N, where there is no next eigenvalue.

    References
    ----------
    Thesis 2011, section 2.4 and appendix A.
    """
    graph = _graph(distance, diagonal, kernel)
    clusters = require_clusters(graph.n_items, n_clusters, "eigengap")
    return eigengap_of(graph.normalised(_as_width(width, graph.n_items)), clusters)


def best_eigengap(
    distance: ArrayLike,
    n_clusters: int,
    grid: Grid = None,
    diagonal: Diagonal = "zero",
    bar: float = -np.inf,
    kernel: Kernel = "gaussian",
) -> tuple[float, float]:
    """Return the width with the largest eigengap, and that eigengap.

    Parameters
    ----------
    distance : array_like, shape (N, N)
        Symmetric.
    n_clusters : int
        K, between 1 and N.
    grid : array_like, shape (M,), or {"low": float, "high": float, "n": int}, optional
        Widths to try, in the unit of the distance, or n log-spaced ones in units of the median; :func:`width_grid` by default.
    diagonal : {"zero", "one", "own"}
        Diagonal of the affinity, see ``gaussian``.
    bar : float
        An eigengap found elsewhere. Where no width comes up to it, the sweep stops short: the eigengap is returned as
        ``-inf`` and the width does not matter.
    kernel : {"gaussian", "linear"}
        See ``gaussian``.

    Returns
    -------
    width : float
        Of widths that tie (within 1e-10), the first on the grid.
    eigengap : float
        Eigengap at this width, or ``-inf``.
    """
    if not isinstance(bar, (int, float)) or bar != bar:
        raise ParameterError(f"bar is {bar!r}, expected a number")
    graph = _graph(distance, diagonal, kernel)
    clusters = require_clusters(graph.n_items, n_clusters, "eigengap")
    widths = _widths(graph, grid)
    index, gap = sweep(graph, clusters, widths, bar)
    return float(widths[index]), gap


def local_widths(distance: ArrayLike, neighbour: int = 7) -> FloatArray:
    """Return one width per item from the distance to its seventh neighbour.

    Parameters
    ----------
    distance : array_like, shape (N, N)
        Symmetric; for signed dissimilarities magnitudes count.
    neighbour : int
        Which neighbour; the last one if there are fewer.

    Returns
    -------
    ndarray, shape (N,)
        Distance to that neighbour over sqrt(2), so that ``gaussian`` yields ``exp(-d_ij^2 / (s_i s_j))`` with s the
        distance itself. Where it is 0 the nearest positive distance stands in, or the median one.

    References
    ----------
    Zelnik-Manor and Perona (2004), section 2.
    """
    magnitude = _magnitude(distance)
    n = len(magnitude)
    rank = as_count(neighbour, "neighbour")
    if n == 1:
        return np.ones(1)
    np.fill_diagonal(magnitude, np.inf)
    others = np.sort(magnitude, axis=1)
    reach = others[:, min(rank, n - 1) - 1].copy()
    for i in np.flatnonzero(reach <= 0):
        positive = others[i, :-1][others[i, :-1] > 0]
        reach[i] = positive[0] if positive.size else typical(magnitude)
    return reach / np.sqrt(2.0)


def spectral_embedding(
    distance: ArrayLike,
    n_clusters: int,
    width: ArrayLike,
    diagonal: Diagonal = "zero",
    embedding: Embedding = "njw",
    kernel: Kernel = "gaussian",
) -> FloatArray:
    """Return coordinates in which spectral clustering finds compact groups.

    Parameters
    ----------
    distance : array_like, shape (N, N)
        Symmetric.
    n_clusters : int
        K, between 1 and N.
    width : float, or array_like of shape (N,)
        Kernel width.
    diagonal : {"zero", "one", "own"}
        Diagonal of the affinity, see ``gaussian``.
    embedding : {"njw", "shi_malik", "skip_first"}
        ``"njw"``: the K leading eigenvectors of ``D^-1/2 A D^-1/2``, rows scaled to length one.
        ``"shi_malik"``: phi_2 .. phi_K of ``(D - A) phi = lambda D phi``, rows as they are.
        ``"skip_first"``: the K eigenvectors of ``D^-1/2 A D^-1/2`` after the first, which says nothing but the degrees
        (phi_1 of the generalised problem is constant), rows scaled to length one. A pair of items far from all others
        takes one of the K vectors, so that with two clusters nothing is left for the others under ``"njw"``.
    kernel : {"gaussian", "linear"}
        See ``gaussian``.

    Returns
    -------
    ndarray, shape (N, K) or (N, K - 1)
        At least one column; of ``"skip_first"`` N - 1 at most.

    References
    ----------
    Ng, Jordan and Weiss (2002), section 2; thesis 2011, appendix A, equation A.1, which leaves phi_1 out. That K
    vectors follow it is printed nowhere: docs/reports/reading.md.
    """
    graph = _graph(distance, diagonal, kernel)
    _choice("embedding", embedding, EMBEDDINGS)
    clusters = require_clusters(graph.n_items, n_clusters, "spectral embedding")
    return _embed(graph, clusters, _as_width(width, graph.n_items), embedding)


def _embed(graph: Graph, n_clusters: int, width: float | FloatArray, embedding: str) -> FloatArray:
    n = graph.n_items
    if n == 1 or (embedding == "shi_malik" and n_clusters == 1):
        return np.ones((n, 1))
    roots, log_degree = graph.walk(width)
    matrix = roots * roots.T
    count = n_clusters
    if embedding == "skip_first":
        count = min(count, n - 1)
        # Subtract it instead of leaving it out: if the graph is disconnected, eigenvectors of the eigenvalue 1 are an
        # arbitrary basis, whose first one need not be this. Its eigenvalue becomes -1, the least possible.
        first = np.exp(0.5 * (log_degree - log_degree.max()))
        first /= np.sqrt(first @ first)
        matrix -= 2.0 * first[:, None] * first
    vectors = leading_vectors(matrix, count)
    # The sign of an eigenvector is arbitrary; make the entry of largest magnitude positive.
    largest = vectors[np.abs(vectors).argmax(axis=0), np.arange(count)]
    vectors = vectors * np.where(largest < 0, -1.0, 1.0)
    if embedding != "shi_malik":
        return unit_rows(vectors)
    # The scale of the embedding is arbitrary; relative to the least degree no factor overflows.
    return vectors[:, 1:] * np.exp(-0.5 * (log_degree - log_degree.min()))[:, None]


def unit_rows(vectors: FloatArray) -> FloatArray:
    """Return rows of leading eigenvectors normalised to length one; rows of rounding errors become 0."""
    norms = np.sqrt((vectors**2).sum(axis=1, keepdims=True))
    seen = norms > TIE_TOLERANCE
    return np.asarray(np.where(seen, vectors / np.where(seen, norms, 1.0), 0.0))


def _tightest(graph: Graph, n_clusters: int, grid: FloatArray, embedding: str, seed: int, starts: Starts) -> float:
    """Return the width whose embedding k-means fits with the least distortion."""
    points = (_embed(graph, n_clusters, width, embedding) for width in grid)
    losses = np.array([kmeans(each, n_clusters, seed, starts=starts)[1] for each in points])
    return float(grid[np.flatnonzero(losses <= losses.min() + TIE_TOLERANCE)[0]])


@overload
def choose_width(
    distance: ArrayLike,
    n_clusters: int,
    rule: Literal["eigengap", "tightness", "median"] = ...,
    grid: Grid = ...,
    diagonal: Diagonal = ...,
    embedding: Embedding = ...,
    random_state: RandomState = ...,
    kernel: Kernel = ...,
    starts: Starts = ...,
) -> float: ...


@overload
def choose_width(
    distance: ArrayLike,
    n_clusters: int,
    rule: Literal["local"],
    grid: Grid = ...,
    diagonal: Diagonal = ...,
    embedding: Embedding = ...,
    random_state: RandomState = ...,
    kernel: Kernel = ...,
    starts: Starts = ...,
) -> FloatArray: ...


@overload
def choose_width(
    distance: ArrayLike,
    n_clusters: int,
    rule: WidthRule,
    grid: Grid = ...,
    diagonal: Diagonal = ...,
    embedding: Embedding = ...,
    random_state: RandomState = ...,
    kernel: Kernel = ...,
    starts: Starts = ...,
) -> float | FloatArray: ...


def choose_width(
    distance: ArrayLike,
    n_clusters: int,
    rule: WidthRule = "eigengap",
    grid: Grid = None,
    diagonal: Diagonal = "zero",
    embedding: Embedding = "njw",
    random_state: RandomState = 0,
    kernel: Kernel = "gaussian",
    starts: Starts = "k-means++",
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
    grid : array_like, shape (M,), or {"low": float, "high": float, "n": int}, optional
        Widths that the first two rules try, in the unit of the distance, or n log-spaced ones in units of the median;
        :func:`width_grid` by default.
    diagonal : {"zero", "one", "own"}
        Diagonal of the affinity, see ``gaussian``.
    embedding : {"njw", "shi_malik", "skip_first"}
        Embedding that the tightness is measured in.
    random_state : int, RandomState, Generator or None
        Stream of the k-means starts of the tightness.
    kernel : {"gaussian", "linear"}
        See ``gaussian``.
    starts : {"k-means++", "random_rows"}
        Starts of the k-means of the tightness, see :func:`kinseq.clustering.spectral`.

    Returns
    -------
    float, or ndarray of shape (N,) for ``"local"``
        In the unit of the distance. Of widths that tie (within 1e-10), the first on the grid.

    References
    ----------
    Thesis 2011, section 2.4 (eigengap); Ng, Jordan and Weiss (2002), section 4 (tightness); Zelnik-Manor and Perona
    (2004) (local).
    """
    seed = check_seed(random_state)
    magnitude = _magnitude(distance, diagonal)
    _choice("width rule", rule, WIDTH_RULES)
    _choice("diagonal", diagonal, DIAGONALS)
    _choice("embedding", embedding, EMBEDDINGS)
    _choice("kernel", kernel, KERNELS)
    _choice("starts", starts, STARTS)
    clusters = require_clusters(len(magnitude), n_clusters, "choice of the width")
    if rule == "median":
        return typical(magnitude)
    if rule == "local":
        if kernel == "linear":
            magnitude = Graph(magnitude, diagonal, kernel).magnitude
        np.fill_diagonal(magnitude, 0.0)
        return local_widths(magnitude)
    graph = Graph(magnitude, diagonal, kernel)
    widths = _widths(graph, grid)
    if rule == "tightness":
        return _tightest(graph, clusters, widths, embedding, seed, starts)
    return float(widths[sweep(graph, clusters, widths)[0]])
