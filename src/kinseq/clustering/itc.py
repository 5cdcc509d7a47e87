"""Information-theoretic clustering with nearest neighbours or kernels (thesis 2012, chapters 3 to 5).

A run seeds many small clusters, assigns the other points one by one so that the Cauchy-Schwarz divergence between the
clusters stays large, and removes the weakest cluster until the number wanted is left (:mod:`.itc_kernels`). Runs start at
random; the best of them by their mean pairwise divergence vote on the label of each point.

With the exponent 1 the cost needs nothing but dissimilarities, so that any measure of sequences can be clustered.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.arrays import (
    MAX_ASYMMETRY,
    FloatArray,
    IntArray,
    as_count,
    as_flag,
    as_frames,
    as_numbers,
    as_positive,
    as_real,
    as_whole_numbers,
    require_clusters,
    require_finite,
)
from ..core.content_cache import ContentCache
from ..core.errors import DataError, KinseqWarning, ParameterError, unknown_name
from ..core.graphs.kmeans import relabel
from ..core.jobs import as_threads, each
from ..core.random_state import RandomState, check_seed
from ..core.seeds import content_key, stream
from ..core.sequences import SequenceSet
from ..divergences.density import mean_deviation, silverman
from . import itc_kernels as kernels
from .registry import Clusterer

Method = Literal["knn", "kernel"]
Metric = Literal["euclidean", "precomputed"]

METHODS = ("knn", "kernel")
METRICS = ("euclidean", "precomputed")
CONVENTIONS = {"convolution": 4.0, "plug_in": 2.0}
"""Factor of the squared width in the exponent by kernel convention: eqs. 3.27 and 3.29."""
GROWTHS = ("member", "start")
WIDTHS: dict[str, Callable[[FloatArray], float]] = {"mean_deviation": mean_deviation, "silverman": silverman}
"""Rules for the kernel width: sigma_M and sigma_S of the thesis."""

ZERO_DISTANCE = 0.1
"""Distance that replaces zero, in units of the least positive one."""

LOG_RANGE = 575.0
"""Largest magnitude of the logarithm of a volume (1e250), so that sums of inverse volumes stay in range."""

UNIT_POINTS = 256
"""Number of points used to find the unit of distances, which only affects rounding."""

BLOCK = 256

MAX_KEPT_POINTS = 2048
"""Largest number of points whose distances are kept for all runs (64 MB) instead of being recomputed at every step."""


@dataclass(frozen=True)
class Run:
    """The trace of one run; K falls from K_init to the requested number.

    Attributes
    ----------
    stages : ndarray, shape (2 + 2 R, N), int16
        Labels after seeding, after growth, then after each of R removals and each regrowth; numbers are those of the
        seeds, -1 stands for points without a label.
    steps : ndarray, shape (2 + 2 R, N), int32
        Number of the step in which each point got its label.
    n_clusters : ndarray, shape (1 + R,)
        Numbers of clusters of the complete partitions.
    costs : ndarray, shape (1 + R,)
        Their costs: eq. 4.7 for kNN, the logarithm of eq. 3.32 for the kernel.
    divergences : ndarray, shape (1 + R,)
        Their mean pairwise Cauchy-Schwarz divergences, in nats; estimates may be negative.
    removed : ndarray, shape (R,)
        Seeds of the removed clusters in their order.
    """

    stages: NDArray[np.int16]
    steps: NDArray[np.int32]
    n_clusters: IntArray
    costs: FloatArray
    divergences: FloatArray
    removed: IntArray

    def labels(self, n_clusters: int) -> IntArray:
        """Return the partition into `n_clusters` clusters, numbered in order of first appearance."""
        stage = int(np.flatnonzero(self.n_clusters == n_clusters)[0])
        return relabel(self.stages[2 * stage + 1].astype(np.int64))

    def divergence(self, n_clusters: int) -> float:
        """Mean pairwise divergence of the partition into `n_clusters` clusters."""
        return float(self.divergences[self.n_clusters == n_clusters][0])


@dataclass(frozen=True)
class ItcClustering:
    """Result of several runs.

    Attributes
    ----------
    labels : ndarray, shape (N,), int64
        Vote of the best runs, numbered in order of first appearance.
    n_clusters : int
        Number of clusters; the suggested one if none was given.
    runs : tuple of Run
    ranking : ndarray, shape (n_runs,)
        Positions of the runs, the largest divergence first.
    """

    labels: IntArray
    n_clusters: int
    runs: tuple[Run, ...]
    ranking: IntArray

    @property
    def divergences(self) -> FloatArray:
        """Mean pairwise divergence of each run at the number of clusters, shape (n_runs,)."""
        return np.array([run.divergence(self.n_clusters) for run in self.runs])

    def run_labels(self) -> IntArray:
        """Return the partition of each run, shape (n_runs, N)."""
        return np.array([run.labels(self.n_clusters) for run in self.runs])

    def curve(self) -> tuple[IntArray, FloatArray]:
        """Return numbers of clusters, rising, and the divergence of each run there, shape (n_runs, n)."""
        return self.runs[0].n_clusters[::-1], np.array([run.divergences[::-1] for run in self.runs])


@dataclass(frozen=True)
class PartitionCost:
    """Cost that information-theoretic clustering minimises, for a given partition.

    Attributes
    ----------
    cost : float
        Eq. 4.7 for kNN, the mean of `pairs`; the logarithm of eq. 3.32 for the kernel.
    divergence : float
        Mean pairwise Cauchy-Schwarz divergence, minus the mean logarithm of `pairs`, in nats; estimates may be negative.
    pairs : ndarray, shape (K, K)
        Cost of each pair of clusters (eq. 4.3), symmetric, 0 on the diagonal.
    clusters : ndarray, shape (K,)
        The cluster numbers that rows and columns stand for, rising.
    """

    cost: float
    divergence: float
    pairs: FloatArray
    clusters: IntArray


@dataclass(frozen=True)
class RunSettings:
    """Checked settings of a run; see :func:`information_theoretic`."""

    cost: kernels.Cost
    n_clusters: int
    k_init: int
    n_init: int
    from_start: bool


def _choice(kind: str, value: Any, valid: Sequence[str] | dict[str, Any]) -> None:
    if not isinstance(value, str) or value not in valid:
        raise ParameterError(f"information-theoretic clustering: {unknown_name(kind, value, valid)}")


def seeding(
    n_items: int,
    n_clusters: int,
    k_init: int | None = None,
    n_init: int | None = None,
    share: float = 0.8,
    least: int = 1,
) -> tuple[int, int]:
    """Return numbers of seeded clusters and of their points (thesis 2012, section 4.3.2); ParameterError if they do not fit.

    By default ``k_init`` is ``max(10, K + 7)``, or fewer, with a warning, if there are not 2 points for each, and
    ``n_init`` as many as make `share` of all points; `least` is the fewest points that the cost is defined for.
    """
    part = as_real(share, "share", "a number above 0 and at most 1")
    if not 0.0 < part <= 1.0:
        raise ParameterError(f"share is {share!r}, expected a number above 0 and at most 1")
    where = "information-theoretic clustering"
    seeded = int(part * n_items + 1e-9)
    if k_init is None:
        wanted = max(10, n_clusters + 7)
        number = max(n_clusters, min(wanted, seeded // max(2, least)))
        if number < wanted:
            warnings.warn(
                f"{where}: {n_items} points are too few for {wanted} seeded clusters; {number} are seeded, which leaves"
                f" {number - n_clusters} to remove",
                KinseqWarning,
                stacklevel=4,
            )
    else:
        number = as_count(k_init, "k_init", least=2)
        if number < n_clusters:
            raise ParameterError(
                f"{where}: k_init is {number}, fewer than the {n_clusters} clusters at the end; raise it"
            )
        if number > n_items:
            raise ParameterError(f"{where}: k_init is {number} but there are only {n_items} points; lower it")
    size = max(least, seeded // number) if n_init is None else as_count(n_init, "n_init")
    if number * size > n_items:
        raise ParameterError(
            f"{where}: {number} seeded clusters of {size} points need {number * size} points, but there are {n_items};"
            " lower k_init or n_init"
        )
    if size < least:
        raise ParameterError(
            f"{where}: seeded clusters of {size} points are too small for the given k, which needs {least};"
            " raise n_init or lower k"
        )
    return number, size


def _as_k(value: Any, name: str, farthest: bool = False) -> int:
    if farthest and isinstance(value, str):
        if value != "farthest":
            raise ParameterError(f"{name} is {value!r}, expected a whole number of at least 1 or 'farthest'")
        return 0
    return as_count(value, name)


def _as_columns(data: ArrayLike) -> FloatArray:
    """Return vectors as the compiled functions take them, shape (d, N)."""
    points = as_frames(data, "points")
    # Divide by the largest entry, so that squares stay in the range of float64.
    return np.ascontiguousarray(points.T / (float(np.abs(points).max()) or 1.0))


def _as_matrix(data: ArrayLike) -> tuple[FloatArray, float]:
    """Return a dissimilarity matrix, not copied, and its least off-diagonal entry if that is negative, otherwise 0.

    Blocks of rows are checked one after another, since a copy would double the memory.
    """
    where = "distance"
    matrix = as_numbers(data, where)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise DataError(f"{where}: has shape {matrix.shape}, expected a square matrix (N, N)")
    if not len(matrix):
        raise DataError(f"{where}: is empty; at least one item is needed")
    if not matrix.flags.c_contiguous and matrix.flags.f_contiguous:
        matrix = matrix.T
    largest, least, asymmetry, place = 0.0, 0.0, -1.0, (0, 0)
    similar = len(matrix) > 1
    for start in range(0, len(matrix), BLOCK):
        rows = matrix[start : start + BLOCK]
        require_finite(rows, where, "a matrix over all pairs must be finite; check how it was computed")
        largest = max(largest, float(np.abs(rows).max()))
        # Halve first: the difference of two of the largest numbers overflows.
        gap = np.abs(0.5 * rows - 0.5 * matrix[:, start : start + BLOCK].T)
        if gap.max() > asymmetry:
            i, j = (int(k) for k in np.unravel_index(int(gap.argmax()), gap.shape))
            asymmetry, place = float(gap.max()), (start + i, j)
        diagonal = np.diagonal(matrix)[start : start + BLOCK]
        similar = similar and bool((diagonal > 0.0).all() and (diagonal >= rows.max(axis=1)).all())
        off = rows.copy()
        off[np.arange(len(rows)), np.arange(start, start + len(rows))] = 0.0
        least = min(least, float(off.min()))
    if asymmetry > 0.5 * MAX_ASYMMETRY * largest:
        i, j = place
        raise DataError(
            f"{where}: is not symmetric, entry ({i}, {j}) is {matrix[i, j]:g} but ({j}, {i}) is {matrix[j, i]:g};"
            " symmetrise it first, for example with (d + d.T) / 2"
        )
    if similar and np.ptp(matrix[0]) > 0.0:
        raise DataError(
            f"{where}: looks like a similarity, as every item has its largest entry with itself; turn it into a"
            " dissimilarity first, for example s.max() - s"
        )
    return matrix, least


def _bare(values: FloatArray, precomputed: bool, unit: float, floor: float) -> kernels.Space:
    """Return a space that keeps no distances."""
    return kernels.Space(values, precomputed, unit, floor, np.empty((0, 0)), np.empty((0, 0)))


def keeping(space: kernels.Space, cost: kernels.Cost) -> kernels.Space:
    """Return the space with distances and weights of all pairs, unless it has more than :data:`MAX_KEPT_POINTS` vectors.

    A matrix is not copied: its rows are at hand.
    """
    n = space.data.shape[1]
    if space.precomputed or n > MAX_KEPT_POINTS:
        return space
    squares, weights = np.empty((n, n)), np.empty((n, n))
    kernels.fill(space, cost, squares, weights)
    return space._replace(squares=squares, weights=weights)


def space_of(data: ArrayLike, metric: Metric = "euclidean") -> tuple[kernels.Space, tuple[float, float]]:
    """Return points as the compiled run takes them, with the range of their distances.

    `data` are vectors (N, d), or symmetric dissimilarities (N, N), which may be slightly negative: the least one is
    then taken from all. The range is the distance that stands for zero, and the largest one, in the unit of the space.
    """
    _choice("metric", metric, METRICS)
    if metric == "precomputed":
        values, least = _as_matrix(data)
        if least < 0.0:
            values = values - least
    else:
        values = _as_columns(data)
    whole = metric == "precomputed"
    n = values.shape[1]
    sample = np.unique(np.linspace(0, n - 1, min(n, UNIT_POINTS)).astype(np.int64))
    first = float(np.abs(values[:, sample]).max()) or 1.0
    bare = _bare(values, whole, first, 0.0)
    row, parts = np.empty(n), []
    for x in sample:
        kernels.squares_from(bare, int(x), row)
        parts.append(row[row > 0.0])
    distances = np.concatenate(parts)
    unit = first * float(np.sqrt(np.median(distances))) if distances.size else first
    bare = _bare(values, whole, unit, 0.0)
    least_square, largest_square = kernels.extremes(bare)
    if not np.isfinite(least_square):
        # All points coincide, so all distances are equal.
        return _bare(values, whole, unit, 1.0), (1.0, 1.0)
    floor = ZERO_DISTANCE**2 * least_square
    return _bare(values, whole, unit, floor), (float(np.sqrt(floor)), float(np.sqrt(largest_square)))


def _exponent(exponent: float | Literal["d"] | None, space: kernels.Space, limits: tuple[float, float]) -> float:
    d = len(space.data)
    if exponent is None:
        value = 1.0 if space.precomputed else float(d)
    elif isinstance(exponent, str):
        if exponent != "d" or space.precomputed:
            raise ParameterError(f"exponent is {exponent!r}, expected a positive number, or 'd' for vectors")
        value = float(d)
    else:
        value = as_positive(exponent, "exponent")
    reach = value * max(abs(np.log(limits[0])), abs(np.log(limits[1])))
    if reach > LOG_RANGE:
        raise ParameterError(
            f"information-theoretic clustering: volumes leave the range of float64 with the exponent {value:g} on distances"
            f" from {limits[0]:.3g} to {limits[1]:.3g} times the median; pass exponent=1 (thesis 2012, section 4.5)"
        )
    return value


def width_of(width: float | str, points: FloatArray) -> float:
    """Return the kernel width for some vectors, from a number or the name of a rule; 1 if the rule gives 0."""
    if isinstance(width, str):
        _choice("width", width, WIDTHS)
        # One point, or coinciding points, have no width; any width works, such as 1.
        return (WIDTHS[width](points) if len(points) > 1 else 0.0) or 1.0
    return as_positive(width, "width")


def _cost(
    space: kernels.Space,
    limits: tuple[float, float],
    data: ArrayLike,
    method: Method,
    exponent: float | Literal["d"] | None,
    k_numerator: int,
    k_denominator: int | str,
    factor: bool,
    width: float | str,
    convention: str,
) -> kernels.Cost:
    """Return the cost function in the units of the space."""
    _choice("method", method, METHODS)
    _choice("convention", convention, CONVENTIONS)
    near, own = _as_k(k_numerator, "k_numerator"), _as_k(k_denominator, "k_denominator", farthest=True)
    has_factor = as_flag(factor, "factor")
    if method == "knn":
        return kernels.Cost(True, _exponent(exponent, space, limits), 0.0, near, own, has_factor)
    if space.precomputed:
        if isinstance(width, str):
            raise ParameterError(
                f"information-theoretic clustering: the width {width!r} needs vectors; give a number for a matrix"
            )
        sigma = as_positive(width, "width")
    else:
        points = as_frames(data, "points")
        largest = float(np.abs(points).max()) or 1.0
        sigma = width_of(width, points / largest) if isinstance(width, str) else as_positive(width, "width") / largest
    ratio = sigma / space.unit
    rate = min(1.0 / ratio / ratio / CONVENTIONS[convention], 1e300) if ratio > 0.0 else 1e300
    return kernels.Cost(False, 1.0, rate, 1, 0, True)


def match(labels: ArrayLike, reference: ArrayLike, n_clusters: int) -> IntArray:
    """Renumber clusters, below `n_clusters`, so that as many points as possible have the label of a reference."""
    from scipy.optimize import linear_sum_assignment

    codes, other = np.asarray(labels), np.asarray(reference)
    table = np.zeros((n_clusters, n_clusters), dtype=np.int64)
    np.add.at(table, (codes, other), 1)
    rows, columns = linear_sum_assignment(table, maximize=True)
    names = np.empty(n_clusters, dtype=np.int64)
    names[rows] = columns
    return names[codes]


def vote(labels: Sequence[ArrayLike]) -> IntArray:
    """Majority of several partitions, best first, after matching their clusters to those of the first.

    Numbered in order of first appearance. Where labels tie, the one of them that the best partition has. Thesis 2012,
    section 4.4.
    """
    partitions = [np.asarray(partition, dtype=np.int64) for partition in labels]
    if not partitions:
        raise ParameterError("vote: there are no partitions; give at least one")
    k = 1 + max(int(partition.max()) for partition in partitions)
    matched = np.array([partitions[0], *(match(partition, partitions[0], k) for partition in partitions[1:])])
    counts = (matched[:, :, None] == np.arange(k)).sum(axis=0)
    # Among labels that win equally often, take that of the best partition.
    wins = np.take_along_axis(counts, matched.T, axis=1) == counts.max(axis=1)[:, None]
    return relabel(matched.T[np.arange(len(matched[0])), wins.argmax(axis=1)])


def suggested(numbers: ArrayLike, divergences: ArrayLike) -> int:
    """Return the number of clusters with the largest divergence averaged over runs; the least one in a tie.

    `numbers` rise, `divergences` have shape (n_runs, n); thesis 2012, section 5.1.2.
    """
    return int(np.asarray(numbers)[int(np.mean(np.asarray(divergences), axis=0).argmax())])


def _run(number: int, space: kernels.Space, settings: RunSettings, seed: int, starts_of_runs: IntArray | None) -> Run:
    starts = None if starts_of_runs is None else starts_of_runs[number]
    draws = stream(seed, "itc", number).random(settings.k_init)
    start_points = np.full(settings.k_init, -1) if starts is None else starts
    result = kernels.run(
        space, settings.cost, draws, start_points, settings.n_init, settings.n_clusters, settings.from_start
    )
    stages, steps, costs, divergences, removed = result
    if starts is not None and (conflicts := np.flatnonzero(stages[0][starts] != np.arange(settings.k_init))).size:
        m = int(conflicts[0])
        raise DataError(
            f"starts: point {starts[m]} of run {number} is to start cluster {m}, but cluster {stages[0][starts[m]]} has taken"
            " it by then; give points that lie further apart, or lower n_init"
        )
    numbers = np.arange(settings.k_init, settings.n_clusters - 1, -1)
    return Run(stages, steps, numbers, costs, divergences, removed)


def information_theoretic(
    data: ArrayLike,
    n_clusters: int | None = None,
    *,
    method: Method = "knn",
    metric: Metric = "euclidean",
    n_runs: int = 50,
    n_voters: int = 5,
    exponent: float | Literal["d"] | None = None,
    k_numerator: int = 1,
    k_denominator: int | str = "farthest",
    factor: bool = True,
    width: float | str = "mean_deviation",
    convention: str = "convolution",
    k_init: int | None = None,
    n_init: int | None = None,
    share: float = 0.8,
    growth: str = "member",
    max_clusters: int = 8,
    n_jobs: int | None = None,
    random_state: RandomState = 0,
    starts: ArrayLike | None = None,
) -> ItcClustering:
    """Cluster points so that the Cauchy-Schwarz divergence between the clusters is large.

    Parameters
    ----------
    data : array_like, shape (N, d) or (N, N)
        Vectors, or a symmetric dissimilarity matrix. Negative dissimilarities shift all of them up by the least.
    n_clusters : int, optional
        K, between 1 and N. Without it, the number from 2 to `max_clusters` whose divergence is largest.
    method : {"knn", "kernel"}
        How densities are estimated.
    metric : {"euclidean", "precomputed"}
    n_runs : int
        Number of random starts.
    n_voters : int
        How many of the runs with the largest divergence vote; at most `n_runs`. An even number is warned of.
    exponent : float or "d", optional
        Power of the distance that stands for a volume; d for vectors and 1 for a matrix if not given.
    k_numerator : int
        Number k of the nearest neighbour for densities of one cluster at the points of another.
    k_denominator : int or "farthest"
        Number k of the nearest neighbour for densities of a cluster at its own points.
    factor : bool
        Whether densities carry the factor k, as in eq. 2.21; without it they do as eq. 4.3 does where both k are equal.
    width : float or {"mean_deviation", "silverman"}
        Width of the kernel in the units of the data: a number, sigma_M or sigma_S. A matrix needs a number.
    convention : {"convolution", "plug_in"}
        Whether the kernel in the cost has the width times the root of 2 (eq. 3.27), or the width itself (eq. 3.29).
    k_init, n_init, share
        Seeded clusters, see ``seeding``.
    growth : {"member", "start"}
        Whether seeds grow by the points nearest to any of their members, or to their start.
    max_clusters : int
        Largest number of clusters tried where none is given.
    n_jobs : int or None
        Threads that runs are spread over; the result does not depend on it.
    random_state : int, RandomState, Generator or None
        Names the random streams of the runs.
    starts : array_like of int, shape (n_runs, K_init), optional
        Positions of the points that clusters are seeded at, in place of drawn ones: a row a run, the first start first.
        They say `k_init`, and `n_runs` too, which are then ignored. A cluster grows to `n_init` points before the
        next one starts, and must not take the start of that.

    Returns
    -------
    ItcClustering

    Raises
    ------
    DataError
        If the data are not usable.
    ParameterError
        If a parameter is out of range, or volumes leave the range of float64.

    References
    ----------
    Thesis 2012, algorithm 1 and section 4.4.
    """
    seed = check_seed(random_state)
    where = "information-theoretic clustering"
    start_points = None if starts is None else _as_starts(starts)
    if start_points is not None:
        n_runs, k_init = start_points.shape
    runs, voters, threads = as_count(n_runs, "n_runs"), as_count(n_voters, "n_voters"), as_threads(n_jobs)
    if voters > runs:
        raise ParameterError(f"{where}: n_voters is {voters} but there are only {runs} runs; lower it or raise n_runs")
    _choice("growth", growth, GROWTHS)
    space, limits = space_of(data, metric)
    n = space.data.shape[1]
    cost = _cost(space, limits, data, method, exponent, k_numerator, k_denominator, factor, width, convention)
    if not cost.knn:
        space = space._replace(floor=0.0)
    if n_clusters is None:
        highest = min(as_count(max_clusters, "max_clusters", least=2), n)
    else:
        highest = require_clusters(n, n_clusters, where)
    if voters % 2 == 0:
        warnings.warn(
            f"{where}: {voters} runs vote, so that votes can tie; an odd number cannot for two clusters",
            KinseqWarning,
            stacklevel=3,
        )
    if highest == 1:
        return ItcClustering(np.zeros(n, dtype=np.int64), 1, (_nothing(n),), np.zeros(1, dtype=np.int64))
    if start_points is not None and start_points.max() >= n:
        raise DataError(f"starts: there is no point at position {start_points.max()}, expected 0 to {n - 1}")
    number, size = seeding(n, highest, k_init, n_init, share, _least(cost))
    settings = RunSettings(cost, 2 if n_clusters is None else highest, number, size, growth == "start")
    space = keeping(space, cost)
    results = tuple(each(_run, range(runs), threads, space, settings, seed, start_points))
    final_number = highest
    if n_clusters is None:
        numbers = results[0].n_clusters[::-1]
        curve = np.array([run.divergences[::-1] for run in results])
        final_number = suggested(numbers[numbers <= highest], curve[:, numbers <= highest])
    divergences = np.array([run.divergence(final_number) for run in results])
    ranking = np.argsort(-divergences, kind="stable").astype(np.int64)
    labels = vote([results[one].labels(final_number) for one in ranking[:voters]])
    first = _first_of_equal(space.data.T)
    labels = relabel(labels[first])
    if labels.max() + 1 < highest and n_clusters is not None:
        differing = len(np.unique(first))
        warnings.warn(
            f"{where}: {labels.max() + 1} of {highest} clusters are left, since equal points are in one cluster and"
            f" {f'only {differing} of the points differ' if differing > 1 else 'no two points differ'}; ask for fewer",
            KinseqWarning,
            stacklevel=3,
        )
    return ItcClustering(labels, final_number, results, ranking)


def _first_of_equal(rows: FloatArray) -> IntArray:
    """Position of the first equal row for each row, shape (N,)."""
    found: dict[bytes, int] = {}
    return np.array([found.setdefault(content_key(row + 0.0), i) for i, row in enumerate(rows)], dtype=np.int64)


def _as_starts(starts: ArrayLike) -> IntArray:
    """Return starting positions of runs, distinct within a run."""
    array = as_whole_numbers(starts, "starts")
    if array.ndim != 2 or array.size == 0:
        raise DataError(f"starts: have shape {array.shape}, expected a row of positions for each run, (n_runs, K_init)")
    if array.min() < 0:
        raise DataError(f"starts: hold {array.min()}, expected positions from 0")
    for run, row in enumerate(array):
        if np.unique(row).size < row.size:
            raise DataError(f"starts: a point starts two clusters of run {run}; give different ones")
    return array


def _least(cost: kernels.Cost) -> int:
    """Fewest points per cluster for which the cost is defined."""
    return max(cost.near, cost.own + 1)


def partition_cost(
    data: ArrayLike,
    labels: ArrayLike,
    *,
    method: Method = "knn",
    metric: Metric = "euclidean",
    exponent: float | Literal["d"] | None = None,
    k_numerator: int = 1,
    k_denominator: int | str = "farthest",
    factor: bool = True,
    width: float | str = "mean_deviation",
    convention: str = "convolution",
) -> PartitionCost:
    """Return the cost that :func:`information_theoretic` minimises, for a given partition.

    Parameters
    ----------
    data : array_like, shape (N, d) or (N, N)
        Vectors, or a symmetric dissimilarity matrix. Negative dissimilarities shift all of them up by the least.
    labels : array_like of int, shape (N,)
        Cluster of each point, any whole numbers; at least two clusters.
    method, metric, exponent, k_numerator, k_denominator, factor, width, convention
        See :func:`information_theoretic`.

    Returns
    -------
    PartitionCost

    Raises
    ------
    DataError
        If the data or labels are not usable.
    ParameterError
        If a parameter is out of range, volumes leave the range of float64, or a cluster has fewer points than the given k needs.

    References
    ----------
    Thesis 2012, equations 3.32, 4.3 and 4.7.
    """
    where = "information-theoretic clustering"
    space, limits = space_of(data, metric)
    n = space.data.shape[1]
    codes = as_whole_numbers(labels, "labels")
    if codes.shape != (n,):
        raise DataError(f"labels: have shape {codes.shape} but there are {n} points; give one to each")
    clusters, numbers, sizes = np.unique(codes, return_inverse=True, return_counts=True)
    if clusters.size < 2:
        raise DataError("labels: name a single cluster, which has no cost; at least two are needed")
    cost = _cost(space, limits, data, method, exponent, k_numerator, k_denominator, factor, width, convention)
    if not cost.knn:
        space = space._replace(floor=0.0)
    if sizes.min() < _least(cost):
        raise ParameterError(
            f"{where}: cluster {clusters[sizes.argmin()]} has {sizes.min()} points, but the given k needs"
            f" {_least(cost)}; lower k"
        )
    value, divergence, pairs = kernels.measure(space, cost, numbers.astype(np.int64), clusters.size)
    return PartitionCost(float(value), float(divergence), pairs, clusters)


def _nothing(n: int) -> Run:
    """Return the trace if all points are in one cluster."""
    none = np.zeros(1)
    return Run(
        np.zeros((2, n), np.int16),
        np.zeros((2, n), np.int32),
        np.ones(1, dtype=np.int64),
        none,
        none,
        np.zeros(0, dtype=np.int64),
    )


def points_of(items: SequenceSet) -> FloatArray:
    """Return items as points: the means of their frames, or the only frame."""
    values = items.values / (float(np.abs(items.values).max()) or 1.0)
    return np.asarray(np.add.reduceat(values, items.offsets[:-1], axis=0) / items.lengths[:, None])


def _best_by_labels(items: SequenceSet, clusterings: Sequence[ItcClustering]) -> IntArray:
    """Return the run that agrees best with the true labels, called best in the documents: an upper bound, not a method."""
    if items.labels is None:
        raise DataError(f"{items.name}: has no labels, which choose='labels' compares with; choose 'vote'")
    truth = np.unique(items.labels, return_inverse=True)[1].astype(np.int64)
    runs = [labels for one in clusterings for labels in one.run_labels()]
    k = 1 + max(int(truth.max()), max(int(labels.max()) for labels in runs))
    right = [int((match(labels, truth, k) == truth).sum()) for labels in runs]
    return relabel(runs[int(np.argmax(right))])


def _labels_of_choice(items: SequenceSet, choose: str, rank: int, clusterings: Sequence[ItcClustering]) -> IntArray:
    if choose == "labels":
        return _best_by_labels(items, clusterings)
    best, place = clusterings[0], as_count(rank, "rank")
    if place > len(best.runs):
        raise ParameterError(f"rank is {rank} but there are only {len(best.runs)} runs; lower it")
    return best.labels if choose == "vote" else best.runs[best.ranking[place - 1]].labels(best.n_clusters)


_last: ContentCache[ItcClustering] = ContentCache()
"""Cache of the latest runs: variants of a clusterer that keep different partitions share them."""


def _clustered(points: FloatArray, n_clusters: int | None, seed: int, **params: Any) -> ItcClustering:
    """Cached :func:`information_theoretic`."""
    return _last.get(
        (points,),
        lambda: information_theoretic(points, n_clusters, random_state=seed, **params),
        (n_clusters, seed, tuple(sorted(params.items()))),
    )


def _partition_points(
    items: SequenceSet, n_clusters: int | None, seed: int, choose: str, rank: int, **params: Any
) -> IntArray:
    _choice("choose", choose, CHOICES)
    return _labels_of_choice(items, choose, rank, [_clustered(points_of(items), n_clusters, seed, **params)])


def _partition_kernel(
    items: SequenceSet, n_clusters: int | None, seed: int, choose: str, width: Any, **params: Any
) -> IntArray:
    _choice("choose", choose, CHOICES)
    swept = list(width) if isinstance(width, (list, tuple)) else [width]
    if len(swept) != 1 and choose != "labels":
        raise ParameterError(f"kernel_itc: there are {len(swept)} widths, between which nothing chooses; give one")
    unit = float(np.abs(items.values).max()) or 1.0
    points = points_of(items)
    widths = [one if isinstance(one, str) else as_positive(one, "width") / unit for one in swept]
    clusterings = [
        information_theoretic(points, n_clusters, method="kernel", width=one, random_state=seed, **params)
        for one in widths
    ]
    return _labels_of_choice(items, choose, 1, clusterings)


def _width(items: SequenceSet, width: Any, **_: Any) -> dict[str, float]:
    """Return the kernel width in the units of the items; None if several are tried."""
    if isinstance(width, (list, tuple)):
        return {}
    unit = float(np.abs(items.values).max()) or 1.0
    return {"bandwidth": width_of(width, points_of(items)) * unit if isinstance(width, str) else float(width)}


def _partition_matrix(distance: FloatArray, n_clusters: int | None, seed: int, **params: Any) -> IntArray:
    return information_theoretic(distance, n_clusters, metric="precomputed", random_state=seed, **params).labels


CHOICES = ("vote", "divergence", "labels")
"""Which partition of several runs is kept."""

CLUSTERERS = (
    Clusterer(
        name="knn_itc",
        label="kNN ITC",
        source="thesis 2012, chapter 4",
        partition=_partition_points,
        takes="items",
        requires_n_clusters=False,
        runs="n_runs",
        params={
            "n_runs": 50,
            "n_voters": 5,
            "exponent": None,
            "k_numerator": 1,
            "k_denominator": "farthest",
            "factor": True,
            "k_init": None,
            "n_init": None,
            "share": 0.8,
            "growth": "member",
            "max_clusters": 8,
            "choose": "vote",
            "rank": 1,
        },
    ),
    Clusterer(
        name="kernel_itc",
        label="kernel ITC",
        source="thesis 2012, section 3.4.1",
        partition=_partition_kernel,
        findings=_width,
        takes="items",
        requires_n_clusters=False,
        runs="n_runs",
        params={
            "n_runs": 50,
            "n_voters": 5,
            "width": "mean_deviation",
            "convention": "convolution",
            "k_init": None,
            "n_init": None,
            "share": 0.8,
            "growth": "member",
            "max_clusters": 8,
            "choose": "vote",
        },
    ),
    Clusterer(
        name="itc",
        label="kNN ITC",
        source="thesis 2012, sections 4.2 and 4.5",
        partition=_partition_matrix,
        requires_n_clusters=False,
        params={
            "n_runs": 50,
            "n_voters": 5,
            "exponent": None,
            "k_numerator": 1,
            "k_denominator": "farthest",
            "factor": True,
            "k_init": None,
            "n_init": None,
            "share": 0.8,
            "growth": "member",
            "max_clusters": 8,
        },
    ),
)
