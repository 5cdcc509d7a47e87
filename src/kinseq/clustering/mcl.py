"""Markov clustering: random walks that are reinforced where they are strong (van Dongen 2000)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.arrays import (
    FloatArray,
    IntArray,
    as_count,
    as_dissimilarity,
    as_flag,
    as_positive,
    as_real,
    as_square,
    require_clusters,
)
from ..core.compiled import compiled
from ..core.errors import DataError, ParameterError, is_one_of, unknown_name
from ..core.graphs.kmeans import relabel
from ..core.system import one_thread
from .registry import Clusterer

Symmetry = Literal["max", "mean"]
Loops = Literal["strongest", "given"]

DEFAULT_INFLATION = 2.0
"""Default if neither an inflation nor a number of clusters is given."""
LEAST, MOST = 1.05, 12.0
"""Inflations between which a number of clusters is searched."""
N_INFLATIONS = 12
"""Number of inflations tried in a search."""
MAX_EXCESS_SHARE = 0.05
"""Share of surplus clusters at which a search ends; they are then joined. Below twenty clusters it has to be exact."""
MAX_ROUNDS = 100
MAX_CHAOS = 1e-4
"""Distance of each column from equal flow to its entries, below which the walk has converged."""
DENSE_ABOVE = 0.1
"""Share of nonzero entries above which a matrix is multiplied as a dense one."""


def clean(similarity: Any, symmetrise: Symmetry = "max") -> Any:
    """Return the graph of a similarity: similarities of each item to the others in standard units, if above their mean.

    An (N, N) similarity, sparse or not, whose diagonal is ignored; adding a number and scaling change nothing.
    Items whose similarities to the others are all equal are joined to all of them with weight 1. Entries that a sparse
    matrix leaves out are zeros, and an item without any stays alone there. Returns a symmetric sparse matrix of weights
    of at least 0, nothing on the diagonal. Report RR-8880, section 3.1.2, which leaves open how the two weights of a
    pair are symmetrised.
    """
    from scipy.sparse import csr_matrix

    if not is_one_of(symmetrise, ("max", "mean")):
        raise ParameterError(unknown_name("symmetrise", symmetrise, ("max", "mean")))
    if hasattr(similarity, "tocsr"):
        matrix = _clean_sparse(similarity.tocsr())
    else:
        square = as_square(similarity, "similarity")
        n = len(square)
        # Scale first, so that squares stay in the range of float64.
        scaled = square / max(1e-300, float(np.abs(square).max()))
        others = scaled - np.diag(np.diag(scaled))
        mean = others.sum(axis=1) / max(1, n - 1)
        gaps = others - mean[:, None]
        np.fill_diagonal(gaps, 0.0)
        spread = np.sqrt((gaps**2).sum(axis=1) / max(1, n - 1))
        flat = spread <= 1e-12
        units = np.where(flat[:, None], 1.0, np.maximum(gaps, 0.0) / np.where(flat, 1.0, spread)[:, None])
        np.fill_diagonal(units, 0.0)
        matrix = csr_matrix(units)
    return (matrix.maximum(matrix.T) if symmetrise == "max" else 0.5 * (matrix + matrix.T)).tocsr()


def _clean_sparse(similarity: Any) -> Any:
    """:func:`clean` before it is made symmetric, for a sparse matrix whose missing entries are zeros below the mean."""
    from scipy.sparse import csr_matrix

    if similarity.shape[0] != similarity.shape[1]:
        raise DataError(f"similarity: has shape {similarity.shape}, expected a square matrix (N, N)")
    if similarity.nnz and (not np.isfinite(similarity.data).all() or similarity.data.min() < 0.0):
        raise DataError("similarity: a sparse matrix must hold numbers of at least 0")
    n = similarity.shape[0]
    rows = similarity.tolil()
    rows.setdiag(0.0)
    rows = rows.tocsr()
    rows.eliminate_zeros()
    # Scaled first, as dense matrices are.
    rows.data /= max(1e-300, rows.data.max(initial=0.0))
    sums = np.asarray(rows.sum(axis=1)).reshape(-1)
    squares = np.asarray(rows.multiply(rows).sum(axis=1)).reshape(-1)
    mean = sums / max(1, n - 1)
    spread = np.sqrt(np.maximum(squares / max(1, n - 1) - mean**2, 0.0))
    row = np.repeat(np.arange(n), np.diff(rows.indptr))
    varied = spread[row] > 1e-12
    units = np.where(varied, np.maximum(rows.data - mean[row], 0.0) / np.where(varied, spread[row], 1.0), 1.0)
    matrix = csr_matrix((units, rows.indices, rows.indptr), shape=similarity.shape)
    matrix.eliminate_zeros()
    return matrix


def _flow(graph: Any, loops: Loops) -> Any:
    """Return columns that sum to 1; an isolated item keeps its flow."""
    from scipy.sparse import diags

    strongest = np.asarray(graph.max(axis=0).todense()).reshape(-1)
    alone = np.where(strongest > 0.0, 0.0, 1.0)
    with_loops = graph + diags(alone if loops == "given" else strongest + alone)
    return _normalised(with_loops.tocsc())


def _normalised(flow: Any) -> Any:
    from scipy.sparse import diags

    return (flow @ diags(1.0 / np.asarray(flow.sum(axis=0)).reshape(-1))).tocsc()


class _Columns(NamedTuple):
    """A matrix stored by columns; zeros may be among the entries."""

    data: FloatArray
    indices: IntArray
    bounds: IntArray


def _columns_of(flow: Any) -> _Columns:
    columns = flow.tocsc()
    return _Columns(columns.data, columns.indices.astype(np.int64), columns.indptr.astype(np.int64))


@compiled()
def _raise(data, indices, bounds, power, least, most, values, rows, ends):  # type: ignore[no-untyped-def]
    """Raise entries to a power, prune each column, and scale it to a sum of 1; return the largest chaos of a column."""
    at, chaos = 0, 0.0
    for j in range(bounds.size - 1):
        column = data[bounds[j] : bounds[j + 1]]
        # Divide by the largest entry, so that powers stay in the range of float64.
        column = (column / column.max()) ** power
        low, level = min(least * column.sum(), 1.0), 0.0
        count = 0
        for i in range(column.size):
            if column[i] > 0.0 and column[i] >= low:
                values[at + count], rows[at + count] = column[i], indices[bounds[j] + i]
                count += 1
        if count > most:
            level = np.sort(values[at : at + count])[count - most]
            above = 0
            for i in range(count):
                above += values[at + i] > level
            room, filled = most - above, 0
            for i in range(count):
                equal = values[at + i] == level
                if values[at + i] > level or (equal and room > 0):
                    room -= equal
                    values[at + filled], rows[at + filled] = values[at + i], rows[at + i]
                    filled += 1
            count = most
        part = values[at : at + count]
        part /= part.sum()
        chaos = max(chaos, part.max() - (part * part).sum())
        at += count
        ends[j + 1] = at
    return chaos


def _inflate(flow: _Columns, power: float, least: float, most: int) -> tuple[Any, float]:
    """Inflate and prune: drop entries below `least` and those beyond the `most` largest of a column, never the largest.

    Returns the pruned matrix, whose columns sum to 1, and the chaos: how far the worst column is from putting all of
    its flow on equal entries.
    """
    from scipy.sparse import csc_matrix

    n = flow.bounds.size - 1
    room = min(flow.data.size, n * min(n, most) + n)
    values, rows, ends = np.empty(room), np.empty(room, dtype=np.int64), np.zeros(n + 1, dtype=np.int64)
    chaos = float(_raise(*flow, power, least, most, values, rows, ends))
    return csc_matrix((values[: ends[-1]], rows[: ends[-1]], ends), shape=(n, n)), chaos


def _expanded(flow: Any) -> _Columns:
    """Return the flow of two steps."""
    n = flow.shape[0]
    if flow.nnz <= DENSE_ABOVE * n * n:
        return _columns_of(flow @ flow)
    # In the transposed matrix, columns are rows.
    dense = flow.T.toarray()
    with one_thread():
        return _Columns((dense @ dense).reshape(-1), np.tile(np.arange(n), n), np.arange(0, n * n + 1, n))


def _attractors(flow: Any) -> IntArray:
    """Return clusters of a converged flow: items whose strongest flow ends in one system of attractors."""
    from scipy.sparse.csgraph import connected_components

    inner = np.flatnonzero(flow.diagonal() > 0.0)
    to = np.asarray(flow.argmax(axis=0)).reshape(-1)
    held = np.unique(np.concatenate([inner, to]))
    _, system = connected_components(flow[held][:, held], directed=False)
    return relabel(system[np.searchsorted(held, to)])


def mcl(
    graph: Any,
    inflation: float = DEFAULT_INFLATION,
    least: float = 1e-4,
    most: int = 500,
    sharpen: float = 1.0,
    loops: Loops = "strongest",
) -> IntArray:
    """Markov clustering of a graph.

    The transition matrix of a random walk is squared (expansion) and its entries are raised to a power (inflation) in
    turns, until it no longer changes. An item goes to where its strongest flow ends, to the lowest index of equals.

    Parameters
    ----------
    graph : array_like or scipy.sparse matrix, shape (N, N)
        Symmetric weights of at least 0.
    inflation : float
        Above 1; larger ones give more clusters.
    least : float
        Entries below it are left out after each expansion.
    most : int
        So many entries of a column are kept at most.
    sharpen : float
        Weights are raised to this power first, above 0 (inflation before the first expansion). In a graph with many weak
        edges the walk mixes at once; larger powers keep it apart.
    loops : {"strongest", "given"}
        What becomes of the diagonal, the weight of an item's edge to itself: one as strong as its strongest other edge is
        put in its place, or it is taken as it is given, 0 for none. Without self loops a walk may go to and fro between
        two sides of a graph. An item without any edge gets one in either case.

    Returns
    -------
    ndarray, shape (N,), int64
        Cluster numbers from 0 in order of first appearance.

    Raises
    ------
    DataError
        If the graph is not square and finite, or has negative weights.
    ParameterError
        If a parameter is out of range.

    References
    ----------
    van Dongen (2000); report RR-8880, sections 1.1.2 and 3.1.2.
    """
    power = _as_inflation(inflation)
    return _inflated(_start(graph, least, most, sharpen, loops), power)


def _as_inflation(inflation: float) -> float:
    power = as_real(inflation, "inflation")
    if power <= 1.0:
        raise ParameterError(f"inflation is {inflation!r}, expected a number above 1")
    return power


class _Start(NamedTuple):
    """State shared by runs with different inflations: the flow of the first two steps, and the pruning rule."""

    flow: _Columns
    least: float
    most: int


def _start(graph: Any, least: float, most: int, sharpen: float, loops: Loops) -> _Start:
    from scipy.sparse import csr_matrix

    if not is_one_of(loops, get_args(Loops)):
        raise ParameterError(unknown_name("loops", loops, get_args(Loops)))
    cut = as_real(least, "least")
    if not 0.0 <= cut < 1.0:
        raise ParameterError(f"least is {least!r}, expected a share of at least 0 and below 1")
    most_entries = as_count(most, "most")
    weights = graph.tocsr().copy() if hasattr(graph, "tocsr") else csr_matrix(as_square(graph, "graph"))
    if weights.nnz and weights.data.min() < 0.0:
        raise DataError("graph: holds negative weights; give similarities, cleaned up with clean()")
    if loops == "strongest":
        weights.setdiag(0.0)
    weights.eliminate_zeros()
    # Divide by the largest entry, so that powers stay in the range of float64.
    weights.data = (weights.data / max(1e-300, weights.data.max(initial=0.0))) ** as_positive(sharpen, "sharpen")
    flow, _ = _inflate(_columns_of(_flow(weights, loops)), 1.0, cut, most_entries)
    return _Start(_expanded(flow), cut, most_entries)


def _inflated(start: _Start, power: float) -> IntArray:
    """Return the clusters of one inflation."""
    columns = start.flow
    for _ in range(MAX_ROUNDS):
        flow, chaos = _inflate(columns, power, start.least, start.most)
        if chaos < MAX_CHAOS:
            break
        columns = _expanded(flow)
    return _attractors(flow)


class _Tried(NamedTuple):
    """An inflation and the number of clusters that it gave."""

    inflation: float
    number: int


def _next_inflation(low: _Tried | None, high: _Tried, wanted: int, halve: bool) -> float:
    """Return an inflation between two, or below one if no known inflation gives too few clusters.

    Numbers of clusters grow about as a power of the inflation: by that rule, or by halving where it has just been used.
    Weak inflation takes many dense rounds, so that the least one is tried only where nothing above it parts as little.
    """
    if low is None:
        return (
            DEFAULT_INFLATION if high.inflation > DEFAULT_INFLATION else max(LEAST, 1.0 + 0.5 * (high.inflation - 1.0))
        )
    share = 0.5 if halve else float(np.log(wanted / low.number) / np.log(high.number / low.number))
    share = min(0.9, max(0.1, share))
    return float(low.inflation * (high.inflation / low.inflation) ** share)


def _closest(cluster: Callable[[float], IntArray], wanted: int) -> IntArray:
    """Return the partition whose number of clusters is nearest to the requested one; a few too many are accepted."""
    low: _Tried | None = None
    high = _Tried(MOST, 0)
    at, best = MOST, None
    for trial in range(N_INFLATIONS):
        labels = cluster(at)
        tried = _Tried(at, int(labels.max()) + 1)
        off = tried.number - wanted
        # Too many clusters can be joined; too few cannot be divided.
        if best is None or (abs(off), off < 0) < (abs(int(best.max()) + 1 - wanted), int(best.max()) + 1 < wanted):
            best = labels
        if 0 <= off <= MAX_EXCESS_SHARE * wanted:
            return labels
        if (at == MOST and off < 0) or (at == LEAST and off > 0):
            break
        low, high = (low, tried) if off > 0 else (tried, high)
        at = _next_inflation(low, high, wanted, halve=trial % 2 == 0)
    assert best is not None
    return best


def _joined(labels: IntArray, distance: FloatArray, n_clusters: int) -> IntArray:
    """Join the two clusters nearest on average until the requested number is left."""
    clusters = labels.copy()
    while int(clusters.max()) + 1 > n_clusters:
        member = np.eye(int(clusters.max()) + 1)[clusters]
        sizes = member.sum(axis=0)
        mean = member.T @ distance @ member / np.outer(sizes, sizes)
        np.fill_diagonal(mean, np.inf)
        first, second = np.unravel_index(int(mean.argmin()), mean.shape)
        clusters[clusters == second] = first
        clusters = relabel(clusters)
    return clusters


def _partitions(
    distance: FloatArray,
    numbers: Sequence[int | None],
    inflation: float | None,
    cleaned: bool,
    symmetrise: Symmetry,
    least: float,
    most: int,
    sharpen: float,
    loops: Loops,
) -> list[IntArray]:
    """Return partitions for several numbers of clusters, trying each inflation once for all."""
    power = None if inflation is None else _as_inflation(inflation)
    scaled = distance / max(1e-300, float(np.abs(distance).max()))
    if as_flag(cleaned, "clean"):
        graph = clean(-scaled, symmetrise)
    else:
        graph = scaled.max() - scaled
        np.fill_diagonal(graph, 0.0)

    start = _start(graph, least, most, sharpen, loops)

    @cache
    def cluster(inflation: float) -> NDArray[np.int64]:
        return _inflated(start, inflation)

    partitions = []
    for number in numbers:
        if power is not None:
            partitions.append(cluster(power))
        elif number is None:
            partitions.append(cluster(DEFAULT_INFLATION))
        else:
            partitions.append(_joined(_closest(cluster, number), scaled, number))
    return [labels.copy() for labels in partitions]


def markov(
    distance: ArrayLike,
    n_clusters: int | None = None,
    inflation: float | None = None,
    clean: bool = True,
    symmetrise: Symmetry = "max",
    least: float = 1e-4,
    most: int = 500,
    sharpen: float = 1.0,
    loops: Loops = "strongest",
) -> IntArray:
    """Markov clustering of dissimilarities, whose negatives are the similarities.

    Parameters
    ----------
    distance : array_like, shape (N, N)
        Symmetric; entries may be negative.
    n_clusters : int, optional
        If it is given and no inflation is, an inflation is searched that gives as many clusters, which the method itself
        does not ask for, or up to 5 % more. If none does, the nearest number is taken; clusters that are nearest on
        average are joined where there are more than requested.
    inflation : float, optional
        Above 1; then the number of clusters is ignored. 2 if neither is given.
    clean : bool
        Whether similarities are put into standard units row by row and kept above the mean, see ``clean``; else they
        are differences to the largest dissimilarity.
    symmetrise, least, most, sharpen, loops
        See ``clean`` and ``mcl``. Nothing is given on the diagonal, so that ``loops="given"`` is a walk without
        self loops.

    Returns
    -------
    ndarray, shape (N,), int64
        Cluster numbers from 0 in order of first appearance.

    Raises
    ------
    DataError
        If the matrix is not square, finite and symmetric.
    ParameterError
        If a parameter is out of range.
    """
    square = as_dissimilarity(distance)
    number = None if n_clusters is None else require_clusters(len(square), n_clusters, "Markov clustering")
    return _partitions(square, [number], inflation, clean, symmetrise, least, most, sharpen, loops)[0]


def _partition(distance: FloatArray, n_clusters: int | None, seed: int, **params: Any) -> IntArray:
    return markov(distance, n_clusters, **params)


def _path(distance: FloatArray, numbers: Sequence[int], seed: int, clean: bool, **params: Any) -> list[IntArray]:
    return _partitions(distance, list(numbers), cleaned=clean, **params)


CLUSTERERS = (
    Clusterer(
        name="mcl",
        label="Markov clustering",
        source="van Dongen 2000; report RR-8880, section 3.1.2",
        partition=_partition,
        path=_path,
        requires_n_clusters=False,
        random=False,
        params={
            "inflation": None,
            "clean": True,
            "symmetrise": "max",
            "least": 1e-4,
            "most": 500,
            "sharpen": 1.0,
            "loops": "strongest",
        },
    ),
)
