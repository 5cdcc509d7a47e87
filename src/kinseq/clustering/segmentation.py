"""Spectral segmentation: the eigenvectors of spectral clustering, cut into runs instead of clusters.

Items are consecutive windows of one recording. Their spectral embedding is close to piecewise constant, so that the
segments are the pieces of its best piecewise constant approximation, which dynamic programming finds exactly (thesis
2011, appendix C; Bellman, 1961).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.arrays import FloatArray, IntArray, as_count, require_clusters, require_finite
from ..core.compiled import compiled
from ..core.errors import DataError, ParameterError, is_one_of, unknown_name
from ..core.graphs.affinity import Diagonal, Grid, Kernel, WidthRule, as_matrix, best_eigengap, spectral_embedding
from ..core.graphs.kmeans import kmeans, relabel
from ..core.random_state import RandomState, check_seed
from ..core.seeds import derive_seed, stream
from .graph import resolve_width
from .registry import Clusterer

SegmentEmbedding = Literal["njw", "literal", "skip_first"]
EMBEDDINGS = ("njw", "literal", "skip_first")

MOST_SEGMENTS = 50
"""Largest number of segments tried if none is given."""

MOST_SOURCES = 10
"""Largest number of sources tried if none is given."""

CHANGE_LEVEL, N_PERMUTATIONS = 0.01, 199
"""Largest p-value of an accepted change, and number of random orders it is compared with."""

LEAST_WINDOWS = 2
"""Least number of windows of a segment if the number of segments is tested: a single window has no dissimilarity to others
of its segment."""

# Share of the variance below which a piecewise constant fit counts as perfect. Eigenvectors of well separated sources
# are flat to many digits, and the residuals are not independent noise: without this limit, BIC would keep cutting.
MIN_RESIDUAL_SHARE = 1e-2


@dataclass(frozen=True, eq=False)
class Segmentation:
    """Segments of a recording; converts to the array `labels`.

    Attributes
    ----------
    labels : ndarray, shape (N,), int64
        Number of the segment each item belongs to, 0, 1, ... in order.
    boundaries : ndarray, shape (S - 1,), int64
        First item of every segment but the first.
    sources : ndarray, shape (N,), int64
        Source of each item, the same within a segment: the k-means cluster that most of the segment's items belong to.
    embedding : ndarray, shape (N, D)
        What was cut.
    n_sources : int
        Number of sources looked for.
    width : float or ndarray
        Kernel width of the affinity.
    """

    labels: IntArray
    boundaries: IntArray
    sources: IntArray
    embedding: FloatArray
    n_sources: int
    width: float | FloatArray

    @property
    def n_segments(self) -> int:
        """Number of segments S."""
        return int(self.boundaries.size) + 1

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.labels, dtype=dtype)


@compiled()
def _costs(points):  # type: ignore[no-untyped-def]
    """``cost[i, j]``: squared distances of items i .. j to their mean, for i <= j, by Welford's update."""
    n, d = points.shape
    cost = np.zeros((n, n))
    mean = np.empty(d)
    for i in range(n):
        for k in range(d):
            mean[k] = points[i, k]
        total = 0.0
        for j in range(i + 1, n):
            size = j - i + 1
            for k in range(d):
                gap = points[j, k] - mean[k]
                mean[k] += gap / size
                total += gap * (points[j, k] - mean[k])
            cost[i, j] = total
    return cost


@compiled()
def _best_starts(cost, most):  # type: ignore[no-untyped-def]
    """Least cost of items 0 .. j in s segments, and the start of the last segment; the earliest of equals."""
    n = cost.shape[0]
    total = np.full((most, n), np.inf)
    start = np.zeros((most, n), np.int64)
    total[0] = cost[0]
    for s in range(1, most):
        for j in range(s, n):
            for i in range(s, j + 1):
                value = total[s - 1, i - 1] + cost[i, j]
                if value < total[s, j]:
                    total[s, j] = value
                    start[s, j] = i
    return total[:, n - 1], start


def _boundaries(start: IntArray, n_segments: int) -> IntArray:
    boundaries = []
    last = start.shape[1] - 1
    for s in range(n_segments - 1, 0, -1):
        boundaries.append(int(start[s, last]))
        last = boundaries[-1] - 1
    return np.array(boundaries[::-1], dtype=np.int64)


def _as_points(points: ArrayLike) -> FloatArray:
    array = np.ascontiguousarray(points, dtype=np.float64)
    if array.ndim != 2 or 0 in array.shape:
        raise DataError(f"points: have shape {np.shape(points)}, expected (N, D), none of them zero")
    require_finite(array, "points")
    return array


def k_segmentation(points: ArrayLike, n_segments: int) -> tuple[IntArray, float]:
    """Return the best piecewise constant approximation of points (N, D) in the L2 norm: S - 1 boundaries, and the cost.

    A boundary is the first item of every piece but the first; of equals, the earliest last one, then the earliest
    before it. The cost is the sum of squared distances to the mean of the own piece. Bellman (1961); thesis 2011,
    section C.2.1. Time grows as ``S N^2 + D N^2``, memory as ``N^2``.
    """
    array = _as_points(points)
    count = as_count(n_segments, "n_segments")
    if count > len(array):
        raise ParameterError(f"n_segments is {count} but there are only {len(array)} items; ask for fewer segments")
    totals, start = _best_starts(_costs(array), count)
    return _boundaries(start, count), float(totals[count - 1])


def choose_n_segments(points: ArrayLike, most: int = MOST_SEGMENTS) -> int:
    """Number of segments of points (N, D), at most `most`, with the least Bayesian information criterion; the least of equals.

    The model has one mean a segment, a variance common to all coordinates, and a position for each boundary: ``N D
    log(cost / (N D)) + (S D + S) log(N)``, with the cost at least 1 % of that of a single segment. Thesis 2011, section
    C.3.
    """
    array = _as_points(points)
    n, d = array.shape
    count = min(as_count(most, "most"), n)
    cost, _ = _best_starts(_costs(array), count)
    floor = MIN_RESIDUAL_SHARE * cost[0]
    if floor <= 0:
        return 1
    pieces = np.arange(1, count + 1)
    bic = n * d * np.log(np.maximum(cost, floor) / (n * d)) + pieces * (d + 1) * np.log(n)
    return int(bic.argmin()) + 1


def find_changes(
    distance: ArrayLike, most: int = MOST_SEGMENTS, random_state: RandomState = 0
) -> tuple[IntArray, FloatArray]:
    """Return changes among consecutive items, and the probability that random orders show one as clear.

    Parameters
    ----------
    distance : array_like, shape (N, N)
        Symmetric dissimilarities between items in order.
    most : int
        Largest number of segments.
    random_state : int, RandomState, Generator or None
        Names the stream of the permutations.

    Returns
    -------
    changes : ndarray, int64
        First item of every segment but the first, rising; empty where no change is clearer than chance.
    p_values : ndarray
        Of the changes in the order in which they were found, and last that of the next one, which is not taken; the latter is left
        out where no segment can be divided.

    Notes
    -----
    Dissimilarities are compared by their ranks. The clearest part of each segment, which may begin or end with it, is that with the
    largest energy statistic: twice the mean dissimilarity of its items from the others less those within either, times
    n m / (n + m). It is compared with that of the items of the segment in random order, and its ends are taken with a p-value of
    at most :data:`CHANGE_LEVEL`; then what lies before, within and behind it is examined. After Matteson and James (2014).
    """
    from scipy.stats import rankdata  # slow to import

    given, seed = as_matrix(distance, "zero"), check_seed(random_state)
    # By ranks, since a few windows far from all others would hide the differences between the rest.
    upper, square = np.triu_indices(len(given), k=1), np.zeros_like(given)
    square[upper] = rankdata(given[upper])
    square += square.T
    parts = [(0, len(square))]
    changes: list[int] = []
    p_values: list[float] = []
    rejected: list[float] = []
    while parts and len(changes) + 1 < as_count(most, "most"):
        begin, end = parts.pop(0)
        if end - begin < 2 * LEAST_WINDOWS:
            continue
        inner = square[begin:end, begin:end]
        size, cuts = _clearest_change(inner)
        rng = stream(seed, "changes", begin, end)
        orders = (rng.permutation(end - begin) for _ in range(N_PERMUTATIONS))
        as_clear = sum(_clearest_change(inner[np.ix_(order, order)])[0] >= size - 1e-12 * abs(size) for order in orders)
        p_value = (1 + as_clear) / (1 + N_PERMUTATIONS)
        if p_value > CHANGE_LEVEL:
            rejected.append(p_value)
            continue
        inside = [begin + cut for cut in cuts if 0 < cut < end - begin]
        changes += inside
        p_values += [p_value] * len(inside)
        ends = [begin, *inside, end]
        parts += list(pairwise(ends))
    return np.sort(np.array(changes, dtype=np.int64)), np.array([*p_values, *([min(rejected)] if rejected else [])])


def _clearest_change(square: FloatArray) -> tuple[float, tuple[int, int]]:
    """The largest energy statistic of consecutive items against all others, their first item and the one after the last."""
    n = len(square)
    summed = np.zeros((n + 1, n + 1))
    summed[1:, 1:] = square.cumsum(axis=0).cumsum(axis=1)
    begin, end = np.triu_indices(n + 1, k=LEAST_WINDOWS)
    usable = (n - end + begin >= LEAST_WINDOWS) & ((begin == 0) | (begin >= LEAST_WINDOWS))
    usable &= (end == n) | (end <= n - LEAST_WINDOWS)
    begin, end = begin[usable], end[usable]
    size, others = end - begin, n - end + begin
    within = summed[end, end] - 2.0 * summed[begin, end] + summed[begin, begin]
    rows = summed[end, n] - summed[begin, n]
    across, rest = rows - within, summed[n, n] - 2.0 * rows + within
    energy = 2.0 * across / (size * others) - within / (size * (size - 1)) - rest / (others * (others - 1))
    sizes = energy * size * others / n
    best = int(sizes.argmax())
    return float(sizes[best]), (int(begin[best]), int(end[best]))


def _choose_n_sources(distance: FloatArray, diagonal: Diagonal, kernel: Kernel, grid: Grid) -> int:
    """Return the number of clusters with the largest eigengap at its best kernel width."""
    numbers = range(2, min(MOST_SOURCES, len(distance) - 1) + 1)
    gaps = [best_eigengap(distance, number, grid, diagonal, kernel=kernel)[1] for number in numbers]
    return int(numbers[int(np.argmax(gaps))]) if gaps else 1


def segment(
    distance: ArrayLike,
    n_segments: int | None,
    n_sources: int | None = None,
    embedding: SegmentEmbedding = "njw",
    width: WidthRule | float = "eigengap",
    diagonal: Diagonal = "zero",
    random_state: RandomState = 0,
    kernel: Kernel = "gaussian",
    grid: Grid = None,
    boundaries: IntArray | None = None,
) -> Segmentation:
    """Cut consecutive items into segments.

    Parameters
    ----------
    distance : array_like, shape (N, N)
        Symmetric dissimilarities between the windows of a recording, in order.
    n_segments : int or None
        Number of segments, between 1 and N; None takes the one with the least BIC.
    n_sources : int or None
        Number of different sources that the segments come from, which is the number of eigenvectors; None takes the
        one with the largest eigengap.
    embedding : {"njw", "literal", "skip_first"}
        ``"njw"``: eigenvectors of all sources, rows scaled to length one, as for clustering. ``"literal"``: the second
        to the last eigenvector of the generalised problem as they are. ``"skip_first"``: as many eigenvectors as
        sources after the first, rows scaled to length one.
    width : {"eigengap", "tightness", "median", "local"} or float
        Kernel width, see :func:`kinseq.clustering.spectral`.
    diagonal : {"zero", "one", "own"}
        Diagonal of the affinity, see :func:`kinseq.clustering.spectral`.
    random_state : int, RandomState, Generator or None
        Names the stream of the k-means starts that group windows by source.
    kernel : {"gaussian", "linear"}
        See :func:`kinseq.core.graphs.affinity.gaussian`.
    grid : array_like, shape (M,), or {"low": float, "high": float, "n": int}, optional
        Widths that a rule tries, see :func:`kinseq.core.graphs.affinity.choose_width`.
    boundaries : ndarray, shape (S - 1,), optional
        First item of every segment but the first, where that is known, as from ``find_changes``. If `n_sources` is None,
        a segment that would have the source of the one before has one of its own then.

    Returns
    -------
    Segmentation

    Raises
    ------
    DataError
        If the distance is not square, finite and symmetric.
    ParameterError
        If there are to be more segments or sources than items, or a name is unknown.

    References
    ----------
    Thesis 2011, section C.2.1.
    """
    seed = check_seed(random_state)
    square = as_matrix(distance, diagonal)
    if not is_one_of(embedding, EMBEDDINGS):
        raise ParameterError(unknown_name("embedding", embedding, EMBEDDINGS))
    if n_segments is not None and as_count(n_segments, "n_segments") > len(square):
        raise ParameterError(
            f"n_segments is {n_segments} but there are only {len(square)} windows; ask for fewer segments"
        )
    if n_sources is None:
        sources = _choose_n_sources(square, diagonal, kernel, grid)
    else:
        sources = require_clusters(len(square), n_sources, "segmentation: sources")
    own_seed = derive_seed(seed, "segmentation")
    inner: Any = "shi_malik" if embedding == "literal" else embedding
    sigma = resolve_width(square, sources, cast(Any, width), diagonal, inner, own_seed, kernel, grid)
    points = spectral_embedding(square, sources, sigma, diagonal, inner, kernel)
    is_known = boundaries is not None
    if boundaries is None:
        count = choose_n_segments(points) if n_segments is None else as_count(n_segments, "n_segments")
        boundaries, _ = k_segmentation(points, count)
    labels = np.zeros(len(square), dtype=np.int64)
    labels[boundaries] = 1
    labels = np.cumsum(labels)
    if sources == 1:
        clusters = np.zeros(len(square), dtype=np.int64)
    elif sources == len(square):
        clusters = np.arange(sources, dtype=np.int64)
    else:
        clusters = kmeans(points, sources, own_seed)[0]
    votes = np.zeros((len(boundaries) + 1, sources), dtype=np.int64)
    np.add.at(votes, (labels, clusters), 1)
    of_segments = votes.argmax(axis=1)
    if is_known and n_sources is None:
        # Windows that differ significantly are not of one source, however similar they look.
        for i in np.flatnonzero(np.diff(of_segments) == 0) + 1:
            of_segments[i] = max(sources, of_segments.max() + 1)
    return Segmentation(labels, boundaries, relabel(of_segments[labels]), points, sources, sigma)


def _partition(
    distance: FloatArray, n_clusters: int | None, seed: int, n_segments: int | None, **params: Any
) -> IntArray:
    return segment(
        distance, n_clusters if n_segments is None else n_segments, n_clusters, random_state=seed, **params
    ).labels


SEGMENTERS = (
    Clusterer(
        name="spectral_segmentation",
        label="spectral segmentation",
        source="thesis 2011, appendix C",
        partition=_partition,
        requires_n_clusters=False,
        params={
            "n_segments": None,
            "embedding": "njw",
            "width": "eigengap",
            "diagonal": "zero",
            "kernel": "gaussian",
            "grid": None,
        },
    ),
)
