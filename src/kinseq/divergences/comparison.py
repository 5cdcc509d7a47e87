"""Do two samples come from the same distribution, and how different are they: estimates, intervals and p-values.

Intervals come from subsamples without replacement. A bootstrap would draw vectors twice, and a vector at distance zero from
itself is what estimators by nearest neighbours must not see. P-values come from permutations of the labels.

Both require observations that are independent of each other. A vector that one sample holds several times and the other does
not may be a value that is frequent there, or one observation and its copies. The latter would be a difference to every
estimator, so that such vectors count once. Vectors that both samples hold are values that are frequent.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.arrays import FloatArray, IntArray, as_count
from ..core.compiled import compiled
from ..core.errors import DataError
from ..core.random_state import RandomState, check_seed
from ..core.seeds import stream
from ..core.sequences import SequenceSet
from .checks import REPEATS, Repeats, as_choice, as_pair, as_real, require_vectors
from .cross_validation import rank_weights, training_size
from .gaussian import mahalanobis_bound_jeffreys
from .mmd import median_distance
from .nearest import Integral, weights_of_runs
from .neighbours import Within, comparable, squared_distances
from .wang import PairwiseWang

if TYPE_CHECKING:
    import pandas

ESTIMATORS = ("nn_risk", "nn_j", "wang_j", "nn_bound_j", "mmd2")
TESTED_ESTIMATORS = ("nn_risk", "mmd2")
"""Estimators with a p-value."""

BIAS_FALLS = {"nn_j": 0.5, "wang_j": 0.5, "nn_bound_j": 1.0}
"""Assumed power of the sample size in the bias. Moments have a bias of order 1/n. That of distances to neighbours is of
order n^(-1/d) at worst, and indistinguishable from noise in many dimensions; 1/2 is a compromise. The others have no bias:
MMD is the unbiased estimate, and the risk is that of a training set of this size."""

COVERED = {"wang_j": 3, "nn_j": 32}
"""Largest number of features with an interval; with more, intervals missed the true value. The bias of these estimates is
as large as their spread there, and hardly differs between parts of the samples that could show it."""

SMALLEST_BOUND = 2
"""Least number of vectors per feature in each sample for an interval of the bound."""

MIN_WIDTH = 1e-9
"""Width of intervals below which they are rounding errors."""

WHY_TOO_FEW = "if repeats of a vector count once, fewer than 8 vectors or groups of a sample are left"
"""Reason for missing intervals and p-values if nearly all vectors are repeats."""

MIN_VECTORS, MAX_VECTORS = 8, 4000
"""Least number of vectors of each sample, and of units (vectors, or groups of them) for intervals; largest number of
vectors of both."""

MIN_LABELLINGS = 40
"""Least number of ways to divide the units for p-values: with fewer, the least p-value, doubled for two tests, exceeds 0.05."""

WHY_FEW_UNITS = "fewer than 8 groups of a sample show nothing of how estimates vary"
"""Reason for missing intervals if groups are few."""

_BLOCK_ROWS = 256


@dataclass(frozen=True)
class Estimate:
    """One estimate of a comparison.

    Attributes
    ----------
    name : str
        ``"nn_risk"`` (1/2 for equal distributions, 0 for distant ones), ``"nn_j"``, ``"wang_j"``, ``"nn_bound_j"`` (Jeffreys
        divergence in nats, and a lower bound of it) or ``"mmd2"`` (unbiased).
    value : float
        Not clipped; estimates of what is never negative may be.
    low, high : float or None
        Ends of the interval; None where intervals are not good, as `why` says, or the upper one alone.
    p_value : float or None
        Probability of an estimate that is as far from equality if the distributions are equal.
    null : ndarray, shape (n_permutations,), or None
        Estimates under permuted labels, where there is a p-value.
    why : str
        Why there is no interval, or no upper end; empty if there is one.
    """

    name: str
    value: float
    low: float | None
    high: float | None
    p_value: float | None
    null: FloatArray | None = field(default=None, compare=False, repr=False)
    why: str = field(default="", compare=False)

    @property
    def interval(self) -> str:
        """The interval as text."""
        if self.low is None:
            return "no interval"
        return f"above {self.low:.4g}" if self.high is None else f"[{self.low:.4g}, {self.high:.4g}]"


@dataclass(frozen=True, repr=False)
class Comparison:
    """Result of :func:`compare`.

    Attributes
    ----------
    n, m, d : int
        Numbers of vectors that were compared, and of features.
    units : tuple of int
        Numbers of units, which are vectors unless there are groups.
    level : float
        Coverage that the intervals aim at.
    sigma : float
        Width of the Gaussian kernel.
    estimates : tuple of Estimate
    repeated : tuple of int
        Numbers of vectors that are equal to others of their sample, and to none of the other one, and were left out.
    why_untested : str
        Why there are no p-values; empty if there are some, or none was requested.
    """

    n: int
    m: int
    d: int
    units: tuple[int, int]
    level: float
    sigma: float
    estimates: tuple[Estimate, ...]
    repeated: tuple[int, int] = (0, 0)
    why_untested: str = ""

    def __getitem__(self, name: str) -> Estimate:
        for estimate in self.estimates:
            if estimate.name == name:
                return estimate
        raise KeyError(name)

    def __repr__(self) -> str:
        values = ", ".join(f"{estimate.name} {estimate.value:.4g}" for estimate in self.estimates)
        return f"{type(self).__name__}({self.n} and {self.m} vectors: {values})"

    def to_frame(self) -> pandas.DataFrame:
        """Return one row per estimate, by name: ``value``, ``low`` and ``high`` (ends of its interval), ``p_value``."""
        import pandas as pd

        columns = ("value", "low", "high", "p_value")
        rows = [[getattr(estimate, column) for column in columns] for estimate in self.estimates]
        index = pd.Index([estimate.name for estimate in self.estimates], name="estimate")
        return pd.DataFrame(rows, index=index, columns=list(columns)).astype(np.float64)

    def _repr_html_(self) -> str:
        """Return the table of estimates, for notebooks."""
        return str(self.to_frame().to_html(float_format="{:.4g}".format, na_rep=""))

    def __str__(self) -> str:
        grouped = "" if self.units == (self.n, self.m) else f" in {self.units[0]} and {self.units[1]} groups"
        lines = [f"{self.n} and {self.m} vectors{grouped}, {self.d} features; {100 * self.level:g} % intervals"]
        if any(self.repeated):
            lines.append(
                f"{self.repeated[0]} and {self.repeated[1]} vectors that repeat others of their sample were left out"
            )
        for estimate in self.estimates:
            tail = "" if estimate.p_value is None else f"  p = {estimate.p_value:.3g}"
            lines.append(f"{estimate.name:>10}  {estimate.value:8.4g}  {estimate.interval}{tail}")
        return "\n".join(lines)


def _nearest_first(squares: FloatArray) -> NDArray[np.int32]:
    """Return positions of all other vectors by distance, for each vector; shape (N, N - 1), the lower position first in ties."""
    n = len(squares)
    order = np.empty((n, n - 1), dtype=np.int32)
    for first in range(0, n, _BLOCK_ROWS):
        rows = squares[first : first + _BLOCK_ROWS].copy()
        rows[np.arange(len(rows)), np.arange(first, first + len(rows))] = np.inf
        order[first : first + _BLOCK_ROWS] = np.argsort(rows, axis=1, kind="stable")[:, : n - 1]
    return order


@compiled()
def _chances(squares, order, sums):  # type: ignore[no-untyped-def]
    """Probability that vector c is the nearest training vector of vector r, shared among ties. Diagonal 0."""
    n = squares.shape[0]
    chances = np.zeros((n, n))
    for r in range(n):
        a = 0
        # Sums converge when further neighbours add less than the precision.
        while a < n - 1 and sums[a] < sums[-1]:
            b = a + 1
            while b < n - 1 and squares[r, order[r, b]] == squares[r, order[r, a]]:
                b += 1
            share = (sums[b] - sums[a]) / (b - a)
            for k in range(a, b):
                chances[r, order[r, k]] = share
            a = b
    return chances


@compiled()
def _errors_among(squares, order, side, sums):  # type: ignore[no-untyped-def]
    """Sums of errors of the vectors of side 1 and of side 2 without those of side 0."""
    errors = np.zeros(2)
    for r in range(order.shape[0]):
        if side[r] == 0:
            continue
        a, k = 0, 0
        while k < order.shape[1] and sums[a] < sums[-1]:
            value = squares[r, order[r, k]]
            same, tied = 0, 0
            while k < order.shape[1] and squares[r, order[r, k]] == value:
                same += side[order[r, k]] == side[r]
                tied += side[order[r, k]] == 3 - side[r]
                k += 1
            if tied:
                errors[side[r] - 1] += (sums[a + same + tied] - sums[a]) * tied / (same + tied)
            a += same + tied
    return errors


def _risks(chances: FloatArray, first: FloatArray) -> FloatArray:
    """Return the risk of the 1-NN rule for labellings, the columns of `first` (1 for vectors of the first sample)."""
    second = 1.0 - first
    return np.asarray(
        0.5 * ((chances @ second) * first).sum(axis=0) / first.sum(axis=0)
        + 0.5 * ((chances @ first) * second).sum(axis=0) / second.sum(axis=0)
    )


def _discrepancies(kernel: FloatArray, first: FloatArray) -> FloatArray:
    """Unbiased squared MMD for labellings; the diagonal of the kernel is 0."""
    second = 1.0 - first
    n, m = first.sum(axis=0), second.sum(axis=0)
    onto = kernel @ first
    cross, own = (onto * second).sum(axis=0), (onto * first).sum(axis=0)
    theirs = ((kernel @ second) * second).sum(axis=0)
    return np.asarray(own / (n * (n - 1.0)) + theirs / (m * (m - 1.0)) - 2.0 * cross / (n * m))


@dataclass(frozen=True)
class _Pooled:
    """Concatenated samples, with computations shared by the estimates of all their parts.

    Attributes
    ----------
    vectors : ndarray, shape (N, d)
    squares : ndarray, shape (N, N)
        Squared distances, of vectors scaled by a power of two where they would overflow.
    order : ndarray, shape (N, N - 1)
        Neighbours of each vector, nearest first.
    kernel : ndarray, shape (N, N)
        Gaussian kernel, its diagonal 0.
    """

    vectors: FloatArray
    squares: FloatArray
    order: NDArray[np.int32]
    kernel: FloatArray

    @property
    def tied(self) -> bool:
        """Whether some vectors are equal."""
        rows = np.arange(len(self.order))
        return bool((self.squares[rows, self.order[:, 0]] == 0.0).any())

    @classmethod
    def of(cls, vectors: FloatArray, sigma: float) -> _Pooled:
        """Compare all vectors with each other; `sigma` is the width of the kernel."""
        scaled = comparable(vectors)
        squares = np.empty((len(vectors), len(vectors)))
        squared_distances(scaled, np.ascontiguousarray(scaled.T), squares)
        peak = float(np.abs(vectors).max())
        scale = float(np.abs(scaled).max()) / peak if peak > 0.0 else 1.0
        kernel = np.exp(-0.5 * squares / (scale * sigma) ** 2)
        np.fill_diagonal(kernel, 0.0)
        return cls(vectors, squares, _nearest_first(squares), kernel)

    def __call__(self, names: Sequence[str], first: IntArray, second: IntArray) -> FloatArray:
        """Return estimates from the vectors at these positions, shape (E,)."""
        x, y = self.vectors[first], self.vectors[second]
        if {"nn_j", "wang_j"} & set(names):
            within = Within.of(SequenceSet.from_arrays([x, y]))
            runs = next(within.blocks())
        estimates = []
        for name in names:
            if name == "nn_j":
                constant, functional = weights_of_runs(Integral(), len(x), len(y), both=True)
                estimates.append(constant - float(functional(runs.own, runs.other)[0]))
            elif name == "wang_j":
                estimates.append(float(PairwiseWang(within)(runs).sum()))
            elif name == "nn_bound_j":
                estimates.append(mahalanobis_bound_jeffreys(x, y))
            elif name == "nn_risk":
                estimates.append(self._risk(first, second))
            else:
                estimates.append(self._discrepancy(first, second))
        return np.array(estimates)

    def _risk(self, first: IntArray, second: IntArray) -> float:
        side = np.zeros(len(self.vectors), dtype=np.int64)
        side[first], side[second] = 1, 2
        errors = _errors_among(self.squares, self.order, side, _weights(len(first) + len(second)))
        return float(0.5 * (errors[0] / len(first) + errors[1] / len(second)))

    def _discrepancy(self, first: IntArray, second: IntArray) -> float:
        n, m = len(first), len(second)
        own, theirs = (self.kernel[np.ix_(part, part)].sum() for part in (first, second))
        cross = self.kernel[np.ix_(first, second)].sum()
        return float(own / (n * (n - 1.0)) + theirs / (m * (m - 1.0)) - 2.0 * cross / (n * m))

    def relabelled(self, name: str, labels: FloatArray) -> FloatArray:
        """Return estimates of a test for labellings of all vectors, the columns of `labels`."""
        if name == "mmd2":
            return _discrepancies(self.kernel, labels)
        return _risks(_chances(self.squares, self.order, _weights(len(labels))), labels)


def _weights(n: int) -> FloatArray:
    """Running sums of the chances of neighbours under complete cross-validation with half of n vectors for training."""
    return rank_weights(n, training_size(n, 0.5))


@dataclass(frozen=True)
class _Units:
    """Units that are drawn and permuted whole: the vectors of a sample, or groups of them.

    `of` (n,) is the unit of each vector, from 0; `start` is the place of the first vector among those of both samples.
    """

    of: IntArray
    start: int

    @classmethod
    def from_groups(cls, n: int, groups: ArrayLike | None, where: str, start: int) -> _Units:
        """Units of n vectors by the given groups; without groups, every vector is one."""
        require_vectors(n, MIN_VECTORS, where)
        if groups is None:
            return cls(np.arange(n), start)
        names = np.asarray(groups)
        if names.shape != (n,):
            raise DataError(f"groups of the {where}: have shape {names.shape} but there are {n} vectors; give one each")
        return cls(np.unique(names, return_inverse=True)[1], start)

    @property
    def number(self) -> int:
        """Number of units."""
        return int(self.of.max()) + 1

    @property
    def all(self) -> IntArray:
        """Positions of all vectors."""
        return self.start + np.arange(len(self.of))

    def within(self, mask: NDArray[np.bool_], start: int) -> _Units:
        """Return the units of some vectors, whose first one has another position in both samples."""
        return _Units(np.unique(self.of[mask], return_inverse=True)[1], start)

    def subsamples(self, rng: np.random.Generator) -> tuple[IntArray, IntArray]:
        """Return positions of half of the units, drawn without replacement, and of a quarter of the units, part of that half."""
        place = rng.permutation(self.number)[self.of]
        return self.all[place < self.number // 2], self.all[place < self.number // 4]


def _counted_once(both: FloatArray, first: _Units, second: _Units) -> IntArray:
    """Return positions of the vectors of both samples with repeats counted once.

    Of equal units of one sample the first one is left, unless the other sample holds the same, and of equal vectors of one
    unit the first one, unless another unit holds the same.
    """
    import pandas as pd

    value = np.unique(both + 0.0, axis=0, return_inverse=True)[1].reshape(-1)
    if value.max() == len(value) - 1:
        return np.arange(len(value))
    rows = pd.DataFrame({"value": value, "unit": np.concatenate([first.of, first.number + second.of])})
    units = pd.DataFrame({"held": [tuple(sorted(held)) for _, held in rows.groupby("unit")["value"]]})
    units["second"] = units.index >= first.number
    of_one = units.groupby("held")["second"].transform("nunique") == 1
    repeating = units.index[units.duplicated("held") & of_one]
    rows = rows[~rows["unit"].isin(repeating)]
    of_one = rows.groupby("value")["unit"].transform("nunique") == 1
    return np.asarray(rows.index[~(rows.duplicated("value") & of_one)], dtype=np.int64)


def compare(
    X: ArrayLike,
    Y: ArrayLike,
    estimators: Sequence[str] = ESTIMATORS,
    level: float = 0.95,
    n_subsamples: int = 200,
    n_permutations: int = 999,
    sigma: float | None = None,
    random_state: RandomState = 0,
    groups: tuple[ArrayLike, ArrayLike] | None = None,
    step: Callable[[], None] | None = None,
    repeats: Repeats = "once",
) -> Comparison:
    """Compare two samples: estimate how much their distributions differ, and test whether they are equal.

    Parameters
    ----------
    X, Y : array_like, shapes (n, d) and (m, d)
        At least 8 vectors of each, and at most 4000 together.
    estimators : sequence of str
        Some of ``ESTIMATORS``.
    level : float
        Coverage of the intervals, in (0, 1).
    n_subsamples, n_permutations : int
        Number of subsamples for the intervals, at least 20, and of permutations for the p-values, at least 19.
    sigma : float, optional
        Width of the Gaussian kernel of MMD; the median distance between all vectors if not given.
    random_state : int, RandomState, Generator or None
        Names the random streams.
    groups : pair of array_like, shapes (n,) and (m,), optional
        What each vector belongs to, such as its recording. Groups have to be independent of each other, the vectors of a
        group need not: groups are drawn and permuted whole. Without, every vector is a unit. There are no intervals with fewer
        than 8 groups of a sample, and no p-values with so few that they can be divided in less than 40 ways.
    step : callable, optional
        Called after each of the `n_subsamples` subsamples, for those who report progress.
    repeats : {"once", "each"}
        What a vector counts that one sample holds several times and the other does not: once, as the copies of one
        observation, or each time, as a value that was observed so often. Groups that hold the same count in the same way,
        and equal vectors of one group that are in no other. Where this leaves fewer than 8 units of a sample, all vectors
        are compared, and there is neither an interval nor a p-value.

    Returns
    -------
    Comparison

    Raises
    ------
    DataError, ParameterError
        If the samples or the arguments are not usable.

    Notes
    -----
    Half of the units of each sample are drawn without replacement, again and again. The spread of an estimate over such
    halves is that of the estimate on the whole sample, as far as the variance falls with the inverse of the sample size: a
    half has twice the variance, and half of that is common to all halves. Intervals are the value plus and minus a normal
    quantile of this spread.

    The difference between the means over halves and over quarters shows where an estimate moves as samples grow. If its bias
    falls with a power of the size (``BIAS_FALLS``), what it has yet to move follows, and the interval is extended by
    that, on that side only. See :doc:`/explanation/divergences` for how often the true value is inside; where it is too seldom, no
    interval is given (``Estimate.why``).

    P-values come from permutations of the units over both samples; the given labels are one of them.
    """
    seed = check_seed(random_state)
    names = tuple(dict.fromkeys(estimators))
    for name in names:
        as_choice("estimator", name, ESTIMATORS)
    share = as_real(level, "level", 0.0, 1.0)
    subsamples = as_count(n_subsamples, "n_subsamples", least=20)
    permutations = as_count(n_permutations, "n_permutations", least=19)
    x, y = as_pair(X, Y)
    n, m = len(x), len(y)
    as_choice("repeats", repeats, REPEATS)
    of_x, of_y = (None, None) if groups is None else groups
    first, second = _Units.from_groups(n, of_x, "first set", 0), _Units.from_groups(m, of_y, "second set", n)
    if n + m > MAX_VECTORS:
        raise DataError(
            f"first set and second set: have {n + m} vectors together, more than the {MAX_VECTORS} that are compared at once;"
            " give a random part of each"
        )
    both, why_untested = np.concatenate([x, y]), too_few(first.number, second.number)
    fewest = min(first.number, second.number)
    why_none = WHY_FEW_UNITS if fewest < MIN_VECTORS else ""
    if repeats == "once":
        left = np.zeros(n + m, dtype=bool)
        left[_counted_once(both, first, second)] = True
        fewer = first.within(left[:n], 0), second.within(left[n:], int(left[:n].sum()))
        if min(fewer[0].number, fewer[1].number) >= min(MIN_VECTORS, fewest):
            both, (first, second) = both[left], fewer
        else:
            why_untested = why_none = WHY_TOO_FEW
    repeated = n - len(first.of), m - len(second.of)
    width = median_distance(both) if sigma is None else as_real(sigma, "sigma", 0.0, float("inf"))
    pooled = _Pooled.of(both, width)
    values = pooled(names, first.all, second.all)
    spread = drift = np.zeros(len(names))
    if min(first.number, second.number) >= MIN_VECTORS:
        rng = stream(seed, "compare", "subsamples")
        spread, drift = _subsampled(pooled, names, first, second, subsamples, rng, step)
    reach = NormalDist().inv_cdf(0.5 + 0.5 * share) * spread
    lows, highs = values - reach + np.minimum(drift, 0.0), values + reach + np.maximum(drift, 0.0)
    tests: dict[str, tuple[float, FloatArray]] = {}
    if not why_untested:
        labels = _labellings(first, second, permutations, stream(seed, "compare", "permutations"))
        tests = {name: _tested(pooled.relabelled(name, labels), name) for name in names if name in TESTED_ESTIMATORS}
    estimates = []
    for name, value, low, high in zip(names, values.tolist(), lows.tolist(), highs.tolist(), strict=True):
        none = why_none or _why_no_interval(name, pooled, first, second, high - low)
        why = none or _why_open(name, value, len(first.of), len(second.of))
        p_value, null = tests.get(name, (None, None))
        estimates.append(Estimate(name, value, None if none else low, None if why else high, p_value, null, why))
    return Comparison(
        len(first.of),
        len(second.of),
        x.shape[1],
        (first.number, second.number),
        share,
        width,
        tuple(estimates),
        repeated,
        why_untested if set(names) & set(TESTED_ESTIMATORS) else "",
    )


def too_few(n: int, m: int) -> str:
    """Reason why these numbers of units give no p-value; empty if they do."""
    return f"{n} and {m} groups are too few to be permuted" if math.comb(n + m, n) < MIN_LABELLINGS else ""


def _why_no_interval(name: str, pooled: _Pooled, first: _Units, second: _Units, width: float) -> str:
    """Return why an estimate has no interval; empty if it has one."""
    d = pooled.vectors.shape[1]
    if d > COVERED.get(name, d):
        return f"with more than {COVERED[name]} features its bias is as large as its spread"
    if name == "wang_j" and pooled.tied:
        return "some vectors are equal, where there is no density, which it compares"
    least = SMALLEST_BOUND * d
    if name == "nn_bound_j" and min(len(first.of), len(second.of)) < least:
        return f"with fewer than {least} vectors of each sample and {d} features it is large whatever they come from"
    if width <= MIN_WIDTH:
        return "all parts of the samples give the same, which does not show how far it may be from the truth"
    return ""


def _why_open(name: str, value: float, n: int, m: int) -> str:
    """Return why the interval of an estimate has no upper end; empty if it has one."""
    most = math.log(min(n, m))
    if name in ("nn_j", "wang_j") and value > most:
        return f"above {most:.2g}, the logarithm of the number of vectors, it falls short of divergences however large"
    return ""


def _subsampled(
    pooled: _Pooled,
    names: tuple[str, ...],
    first: _Units,
    second: _Units,
    count: int,
    rng: np.random.Generator,
    step: Callable[[], None] | None,
) -> tuple[FloatArray, FloatArray]:
    """Spread of each estimate, and its expected change as samples grow without limit; both of shape (E,)."""
    falls = np.array([BIAS_FALLS.get(name, np.inf) for name in names])
    biased = np.isfinite(falls)
    moving = [name for name in names if name in BIAS_FALLS]
    halves, quarters = np.empty((count, len(names))), np.zeros((count, len(moving)))
    for k in range(count):
        (half_x, quarter_x), (half_y, quarter_y) = first.subsamples(rng), second.subsamples(rng)
        halves[k] = pooled(names, half_x, half_y)
        if moving:
            quarters[k] = pooled(moving, quarter_x, quarter_y)
        if step is not None:
            step()
    drift, ratio = np.zeros(len(names)), 2.0 ** falls[biased]
    # The bias of halves is `ratio` times that of the whole, and that of quarters its square.
    drift[biased] = (halves[:, biased].mean(axis=0) - quarters.mean(axis=0)) / ((ratio - 1.0) * ratio)
    return halves.std(axis=0, ddof=1), drift


def _labellings(first: _Units, second: _Units, permutations: int, rng: np.random.Generator) -> FloatArray:
    """Labels, 1 for the first sample, of all vectors: the given ones, and permutations of the units, as columns."""
    unit_of = np.concatenate([first.of, first.number + second.of])
    n_units = first.number + second.number
    labels = np.zeros((n_units, permutations + 1))
    labels[: first.number, 0] = 1.0
    for k in range(1, permutations + 1):
        labels[rng.permutation(n_units)[: first.number], k] = 1.0
    return np.asarray(labels[unit_of])


def _tested(values: FloatArray, name: str) -> tuple[float, FloatArray]:
    """Share of labellings that look as different as the first, given one; and the estimates of the others."""
    unlike = -values if name == "nn_risk" else values
    # Values that differ by rounding alone are equal.
    tolerance = 1e-12 * max(1.0, float(np.abs(unlike).max()))
    return float((unlike >= unlike[0] - tolerance).mean()), values[1:]
