"""Risks of the nearest-neighbour rule, and the divergences that follow from them.

The risk of the 1-NN rule tends to twice the Bayes risk under the square loss (thesis 2011, eq. 5.22), and the
Kullback-Leibler and Jeffreys divergences are integrals of statistical information under the square loss as they are
under the 0-1 loss (eqs 5.38, 5.40). Risks at all priors therefore give both divergences (eq. 5.45).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from ..core.arrays import FloatArray, IntArray, as_count, keep_checked
from ..core.compiled import compiled
from ..core.errors import DataError, ParameterError
from ..core.sequences import SequenceSet
from .checks import as_choice, as_limits, as_pair, as_priors
from .neighbours import Within, compared

Pool = Literal["loo", "printed", "holdout"]
Grid = Literal["realisable", "uniform"]
Tail = Literal["zero", "linear"]

POOLS = ("loo", "printed", "holdout")
GRIDS = ("realisable", "uniform")
TAILS = ("zero", "linear")

PRINTED_LIMITS = (1e-3, 1.0 - 1e-3)
"""Priors between which the thesis integrates; information beyond counts as zero (T 5.5.7)."""

_CHUNK = 512
_CACHED = 256
_TABLES = 1 << 24


# Risk at every prior


def realisable_priors(n: int, m: int) -> FloatArray:
    """Priors of the first set that are exact when leaving out vectors of one set only.

    ``k / (k + m)`` for k of the n vectors of the first set, and ``n / (n + k)`` for k of the m of the second.

    Returns
    -------
    ndarray, shape (n + m - 1,)
        Rising, from ``1 / (1 + m)`` to ``n / (n + 1)``.
    """
    n, m = as_count(n, "n"), as_count(m, "m")
    return np.concatenate([np.arange(1, n + 1) / (np.arange(1, n + 1) + m), n / (n + np.arange(m - 1, 0, -1))])


def _subset_sizes(priors: FloatArray, n: Any, m: Any) -> tuple[Any, IntArray]:
    """Return which set is thinned for each prior (True: the first), and its number of kept vectors; sizes may be arrays."""
    with np.errstate(divide="ignore", invalid="ignore"):
        first = np.where(priors < 1.0, m * priors / (1.0 - priors), np.inf)
        second = np.where(priors > 0.0, n * (1.0 - priors) / priors, np.inf)
    thinned = priors * (n + m) <= n * (1.0 + 1e-12)
    sizes = np.where(thinned, np.minimum(first, n), np.minimum(second, m))
    return thinned, np.floor(sizes + 0.5).astype(np.int64)


def _survival(pool: int, sizes: IntArray, n_runs: int) -> FloatArray:
    """``C(pool - k, kept) / C(pool, kept)`` for k from 0 to before `n_runs`: all of the k nearest are left out."""
    runs = np.arange(n_runs - 1)
    factors = np.maximum(pool - runs - sizes[:, None], 0) / (pool - runs)
    return np.concatenate([np.ones((len(sizes), 1)), np.cumprod(factors, axis=1)], axis=1)


def _own_errors(n: int, sizes: IntArray, pool: Pool) -> FloatArray:
    """Return the error probability of a vector whose own set is thinned, by its run: all nearer ones of its set are left out."""
    if pool == "printed":
        return _survival(n, sizes, n)
    # The vector is one of those kept, or adjacent to them.
    return _survival(n - 1, np.maximum(sizes - 1, 0) if pool == "loo" else np.minimum(sizes, n - 1), n)


def _other_errors(m: int, sizes: IntArray) -> FloatArray:
    """Error probability of a vector if the other set is thinned, by its run: one of the nearer others remains."""
    return 1.0 - _survival(m, sizes, m + 1)


@lru_cache(maxsize=64)
def _all_errors(n: int, pool: Pool) -> tuple[FloatArray, FloatArray]:
    sizes = np.arange(n + 1)
    return _own_errors(n, sizes, pool), _other_errors(n, sizes)


def _folded(coefficients: FloatArray, n: int, pool: Pool | None) -> FloatArray:
    """Return the sum of coefficients times errors over the numbers of kept vectors, 0 to n, of a thinned set of n.

    With a pool for vectors of that set itself, without for those of the other set.
    """
    if n <= _CACHED:
        own, other = _all_errors(n, pool or "loo")
        return np.asarray(coefficients @ (own if pool else other))
    total = np.zeros(n if pool else n + 1)
    for sizes in np.array_split(np.flatnonzero(coefficients), max(1, n // _CHUNK)):
        if sizes.size:
            total += coefficients[sizes] @ (_own_errors(n, sizes, pool) if pool else _other_errors(n, sizes))
    return total


@dataclass(frozen=True)
class Functional:
    """A weighted sum over priors of the risk between a set of n and one of m vectors, as weights of runs.

    `own_x` (n,) and `other_x` (m + 1,) weigh the histograms of runs of the first set's vectors, `own_y` (m,) and `other_y`
    (n + 1,) those of the second's; see :class:`kinseq.divergences.neighbours.Runs`.
    """

    own_x: FloatArray
    other_x: FloatArray
    own_y: FloatArray
    other_y: FloatArray

    @classmethod
    def weighted_risks(cls, n: int, m: int, priors: FloatArray, coefficients: FloatArray, pool: Pool) -> Functional:
        """Return weights of ``sum_k coefficients[k] * risk(priors[k])`` for ascending priors."""
        thinned, subset_sizes = _subset_sizes(priors, n, m)
        below = slice(0, int(np.count_nonzero(thinned)))
        above = slice(below.stop, None)

        def fold(side: slice, share: FloatArray, size: int) -> FloatArray:
            return np.asarray(np.bincount(subset_sizes[side], share[side], size + 1), dtype=np.float64)

        of_x = coefficients * priors
        of_y = coefficients - of_x
        return cls(
            _folded(fold(below, of_x, n), n, pool) / n,
            _folded(fold(above, of_x, m), m, None) / n,
            _folded(fold(above, of_y, m), m, pool) / m,
            _folded(fold(below, of_y, n), n, None) / m,
        )

    def __call__(self, own: FloatArray, other: FloatArray) -> FloatArray:
        """Return the sum for P pairs, from histograms of shape (2, P, R)."""
        parts = ((own[0], self.own_x), (other[0], self.other_x), (own[1], self.own_y), (other[1], self.other_y))
        return np.asarray(sum(histogram[:, : len(weights)] @ weights for histogram, weights in parts))


def _pair_runs(X: ArrayLike, Y: ArrayLike) -> tuple[int, int, Any]:
    x, y = as_pair(X, Y)
    return len(x), len(y), compared(x, y)[1]


def _curves(n: int, m: int, own: FloatArray, other: FloatArray, priors: FloatArray, pool: Pool) -> FloatArray:
    """Risks, shape (P, number of priors), from histograms of runs of shape (2, P, R)."""
    risks = np.empty((own.shape[1], len(priors)))
    thinned, subset_sizes = _subset_sizes(priors, n, m)
    x, y = own[0, :, :n], own[1, :, :m]
    beyond_x, beyond_y = other[0, :, : m + 1], other[1, :, : n + 1]
    for side, size, ours, theirs, ours_n, theirs_n, share in (
        (thinned, n, x, beyond_y, n, m, priors),
        (~thinned, m, y, beyond_x, m, n, 1.0 - priors),
    ):
        # Many priors need the same number of vectors.
        numbers, where = np.unique(subset_sizes[side], return_inverse=True)
        mine, others = np.empty((len(ours), len(numbers))), np.empty((len(ours), len(numbers)))
        for first in range(0, len(numbers), _CHUNK):
            chunk = slice(first, first + _CHUNK)
            mine[:, chunk] = ours @ _own_errors(size, numbers[chunk], pool).T / ours_n
            others[:, chunk] = theirs @ _other_errors(size, numbers[chunk]).T / theirs_n
        risks[:, side] = share[side] * mine[:, where] + (1.0 - share[side]) * others[:, where]
    return risks


def nn_risk_curve(X: ArrayLike, Y: ArrayLike, priors: ArrayLike | None = None, pool: Pool = "loo") -> FloatArray:
    """Return the risk of the nearest-neighbour rule at each prior of the first set, by closed-form sampling.

    For a prior below ``n / (n + m)`` the first set is thinned, above it the second, to the whole number of vectors that
    comes nearest to the prior. The expectation over all choices of the vectors that stay is found from the order of the
    neighbours. Errors are averaged with the prior's weight for each set.

    Parameters
    ----------
    X, Y : array_like, shapes (n, d) and (m, d)
    priors : array_like, shape (P,), optional
        In [0, 1]; ``realisable_priors`` if not given.
    pool : {"loo", "printed", "holdout"}
        What a vector of a set that is thinned to k vectors is classified by: the k - 1 others of those that stay, the
        vector being one of them (the exact leave-one-out error of the thinned sample); k drawn from all n, itself
        included (as printed); k drawn from the n - 1 others.

    Returns
    -------
    ndarray, shape (P,)
        Risks in [0, 1].

    Raises
    ------
    DataError, ParameterError
        If the sets or the arguments are not usable.

    References
    ----------
    Thesis 2011, eq. 5.41.
    """
    as_choice("pool", pool, POOLS)
    n, m, runs = _pair_runs(X, Y)
    at = realisable_priors(n, m) if priors is None else as_priors(priors)
    return _curves(n, m, runs.own, runs.other, at, pool)[0]


def pairwise_nn_risk_curves(
    sets: SequenceSet, priors: ArrayLike, pool: Pool = "loo"
) -> Iterator[tuple[IntArray, FloatArray]]:
    """:func:`nn_risk_curve` of every two sets of a collection, a block of pairs at a time.

    Parameters
    ----------
    sets : SequenceSet
        N sets of vectors.
    priors : array_like, shape (P,)
        In [0, 1].
    pool
        See :func:`nn_risk_curve`.

    Yields
    ------
    pairs : ndarray, shape (B, 2)
        Positions of the two sets, the first below the second.
    risks : ndarray, shape (B, P)
    """
    as_choice("pool", pool, POOLS)
    at, lengths = as_priors(priors), sets.lengths
    sizes, size_of = np.unique(lengths, return_inverse=True)
    width = int(sizes[-1]) + 1
    if len(sizes) * max(width**2, len(sizes) * len(at)) > _TABLES:
        for runs in Within.of(sets).blocks():
            of = [(int(lengths[runs.i]), int(lengths[j])) for j in runs.others]
            curves = [
                _curves(n, m, runs.own[:, p : p + 1], runs.other[:, p : p + 1], at, pool)[0]
                for p, (n, m) in enumerate(of)
            ]
            yield _pairs(runs), np.array(curves)
        return
    own, other = np.zeros((len(sizes), width, width)), np.zeros((len(sizes), width, width))
    places = np.empty((len(sizes), len(sizes), len(at)), dtype=np.uint16)
    for s, n in enumerate(sizes):
        errors_of_own, errors_of_other = _all_errors(int(n), pool)
        own[s, :n, : n + 1], other[s, : n + 1, : n + 1] = errors_of_own.T, errors_of_other.T
        thinned, subset_sizes = _subset_sizes(at, n, sizes[:, None])
        places[s] = np.where(thinned, subset_sizes, n + 1 + subset_sizes)
    for runs in Within.of(sets).blocks():
        risks = np.empty((len(runs.others), len(at)))
        size = size_of[runs.others.start : runs.others.stop]
        _fill_curves(runs.own, runs.other, sizes, size_of[runs.i], size, own, other, places, at, risks)
        yield _pairs(runs), risks


def _pairs(runs: Any) -> IntArray:
    pairs = np.empty((len(runs.others), 2), dtype=np.int64)
    pairs[:, 0], pairs[:, 1] = runs.i, np.arange(runs.others.start, runs.others.stop)
    return pairs


@compiled()
def _by_subset_sizes(runs, errors, n_runs, n_vectors, out):  # type: ignore[no-untyped-def]
    """Mean error for each number of kept vectors, from the histogram of runs; `errors` has a row for each run."""
    for k in range(out.shape[0]):
        out[k] = 0.0
    for a in range(n_runs):
        share = runs[a]
        if share != 0.0:  # most runs are short
            row = errors[a]
            for k in range(out.shape[0]):
                out[k] += share * row[k]
    for k in range(out.shape[0]):
        out[k] /= n_vectors


@compiled()
def _fill_curves(own_runs, other_runs, sizes, i, others, own, other, places, priors, risks):  # type: ignore[no-untyped-def]
    """Risks of the pairs of a block at every prior, from tables of errors for each size of a set.

    `places` say, for each two sizes and each prior, where the number of vectors kept stands: from 0 to n of the first
    set, and after these from 0 to m of the second.
    """
    n = sizes[i]
    room = np.empty((2, 2 * own.shape[1]))
    for p in range(others.shape[0]):
        s = others[p]
        m = sizes[s]
        of_x, of_y = room[0, : n + m + 2], room[1, : n + m + 2]
        _by_subset_sizes(own_runs[0, p], own[i, :, : n + 1], n, n, of_x[: n + 1])
        _by_subset_sizes(other_runs[1, p], other[i, :, : n + 1], n + 1, m, of_y[: n + 1])
        _by_subset_sizes(own_runs[1, p], own[s, :, : m + 1], m, m, of_y[n + 1 :])
        _by_subset_sizes(other_runs[0, p], other[s, :, : m + 1], m + 1, n, of_x[n + 1 :])
        # Branch-free: the numbers kept change every few priors, which no branch predictor foresees.
        place, out = places[i, s], risks[p]
        for q in range(priors.shape[0]):
            out[q] = priors[q] * of_x[place[q]] + (1.0 - priors[q]) * of_y[place[q]]


# Divergences


@dataclass(frozen=True)
class Integral:
    """Integration of risks over priors into a divergence; see :func:`nn_kl`."""

    grid: Grid = "realisable"
    n_priors: int = 1000
    limits: tuple[float, float] | None = None
    pool: Pool = "loo"
    tail: Tail = "zero"

    def __post_init__(self) -> None:
        as_choice("grid", self.grid, GRIDS)
        as_choice("pool", self.pool, POOLS)
        as_choice("tail", self.tail, TAILS)
        keep_checked(self, as_count, "n_priors", least=2)
        if self.limits is not None:
            object.__setattr__(self, "limits", as_limits(self.limits))
        low, high = as_limits(self.range)
        if self.grid == "uniform" and not 0.0 < low < high < 1.0:
            raise ParameterError(f"limits are {self.limits!r}, expected priors inside (0, 1) for a uniform grid")

    @property
    def range(self) -> tuple[float, float]:
        """Priors between which information counts."""
        if self.limits is not None:
            return self.limits
        return (0.0, 1.0) if self.grid == "realisable" else PRINTED_LIMITS

    def priors(self, n: int, m: int) -> FloatArray:
        """Priors at which risks are computed."""
        low, high = as_limits(self.range)
        if self.grid == "uniform":
            return np.linspace(low, high, self.n_priors)
        at = realisable_priors(n, m)
        at = at[(at >= low) & (at <= high)]
        if at.size < 2:
            raise DataError(
                f"first set and second set: of the priors that {n} and {m} vectors can realise, {at.size} lie within"
                f" the limits {low:g} to {high:g}, at least 2 are needed; widen the limits or give more vectors"
            )
        return at

    def functional(self, n: int, m: int, both: bool) -> tuple[float, Functional]:
        """Constant and weights of runs: the divergence is the constant minus the sum.

        With `both` the Jeffreys divergence, without the Kullback-Leibler divergence of the first set from the second.
        """
        at, scale = _uniform_rule(self, both) if self.grid == "uniform" else self.rule(self.priors(n, m), both)
        # Information under the square loss is half of what the risk of the 1-NN rule leaves of 2 pi (1 - pi).
        return float(scale @ (at * (1.0 - at))), Functional.weighted_risks(n, m, at, 0.5 * scale, self.pool)

    def rule(self, at: FloatArray, both: bool) -> tuple[FloatArray, FloatArray]:
        """Priors, and weights of the information at each in the integral: the trapezoidal rule times the weight."""
        steps = np.diff(at)
        weights = 0.5 * (np.concatenate([steps, [0.0]]) + np.concatenate([[0.0], steps]))
        complement = 1.0 - at
        scale = weights / (at**2 * complement**2) * (1.0 if both else complement)
        if self.tail == "linear":
            # Information over pi (1 - pi) falls to zero linearly; so does the integral's rest at either end.
            scale[0] += self._rest(at[0], both)
            scale[-1] += self._rest(complement[-1], True) if both else self._far_rest(complement[-1])
        return at, scale

    @staticmethod
    def _rest(prior: float, both: bool) -> float:
        """Return the integral from 0 to the prior of ``pi / prior`` over ``pi`` (or ``pi (1 - pi)``), per unit of information."""
        part = -np.log1p(-prior) if both else prior
        return float(part / prior / (prior * (1.0 - prior)))

    @staticmethod
    def _far_rest(rest: float) -> float:
        """Return the integral at the far end for the Kullback-Leibler divergence, whose weight is finite there."""
        # The integral of t / rest / (1 - t) for t from 0 to rest.
        return float((-np.log1p(-rest) - rest) / rest / (rest * (1.0 - rest)))


@lru_cache(maxsize=16)
def _uniform_rule(integral: Integral, both: bool) -> tuple[FloatArray, FloatArray]:
    return integral.rule(integral.priors(1, 1), both)


def _clipped(value: float, clip: bool) -> float:
    return max(value, 0.0) if clip else value


@lru_cache(maxsize=16)
def weights_of_runs(integral: Integral, n: int, m: int, both: bool) -> tuple[float, Functional]:
    """Cache weights, which depend only on the sizes, since those of large samples take longer than the neighbours."""
    return integral.functional(n, m, both)


def _estimate(X: ArrayLike, Y: ArrayLike, integral: Integral, both: bool) -> float:
    n, m, runs = _pair_runs(X, Y)
    if n + m < 3:
        raise DataError("first set and second set: have one vector each, at least 3 are needed together; add more")
    constant, functional = weights_of_runs(integral, n, m, both)
    return float(constant - functional(runs.own, runs.other)[0])


def nn_kl(
    X: ArrayLike,
    Y: ArrayLike,
    grid: Grid = "realisable",
    n_priors: int = 1000,
    limits: tuple[float, float] | None = None,
    pool: Pool = "loo",
    tail: Tail = "zero",
    clip: bool = False,
) -> float:
    """Return the Kullback-Leibler divergence of the distribution of X from that of Y by nearest-neighbour risks (NN-KL).

    Parameters
    ----------
    X, Y : array_like, shapes (n, d) and (m, d)
        At least three vectors together.
    grid : {"realisable", "uniform"}
        Priors of the integral: those that thinning one set can realise exactly (``realisable_priors``), or
        `n_priors` evenly spaced ones, rounded to whole vectors (as printed; on sets of fewer vectors than the inverse
        of the lower limit, no vector is left at small priors, and the estimate is far too large).
    n_priors : int
        Number of priors of the uniform grid, at least 2.
    limits : tuple of float, optional
        Least and largest prior; 0.001 and 0.999 for the uniform grid, no limits for the other.
    pool : {"loo", "printed", "holdout"}
        See :func:`nn_risk_curve`.
    tail : {"zero", "linear"}
        What is beyond the priors of the grid: nothing, or information over pi (1 - pi) that falls to zero linearly.
    clip : bool
        Whether negative estimates become 0.

    Returns
    -------
    float
        In nats. It may be negative, and cannot exceed about the logarithm of the smaller number of vectors.

    Raises
    ------
    DataError, ParameterError
        If the sets or the arguments are not usable.

    References
    ----------
    Thesis 2011, eq. 5.45 and section 5.5.7.
    """
    return _clipped(_estimate(X, Y, Integral(grid, n_priors, limits, pool, tail), both=False), clip)


def nn_jeffreys(
    X: ArrayLike,
    Y: ArrayLike,
    grid: Grid = "realisable",
    n_priors: int = 1000,
    limits: tuple[float, float] | None = None,
    pool: Pool = "loo",
    tail: Tail = "zero",
    clip: bool = True,
) -> float:
    """Jeffreys divergence, the sum of both Kullback-Leibler divergences, by nearest-neighbour risks (NN-J).

    Parameters
    ----------
    X, Y, grid, n_priors, limits, pool, tail
        See :func:`nn_kl`.
    clip : bool
        Whether a negative sum becomes 0.

    Returns
    -------
    float
        In nats; symmetric in X and Y.
    """
    return _clipped(_estimate(X, Y, Integral(grid, n_priors, limits, pool, tail), both=True), clip)


class PairwiseJeffreys:
    """NN-J of blocks of pairs, with weights of runs computed once for each pair of sizes."""

    def __init__(self, lengths: IntArray, integral: Integral) -> None:
        self._lengths, self._integral = lengths, integral
        self._sizes, self._size_of = np.unique(lengths, return_inverse=True)
        self._row: dict[int, tuple[FloatArray, list[FloatArray]]] = {}

    def _weights(self, n: int) -> tuple[FloatArray, list[FloatArray]]:
        """Constants, and weights of the four histograms, of a set of n against one of each size."""
        if n not in self._row:
            if len(self._row) * len(self._sizes) * int(self._sizes[-1]) > 1 << 21:
                self._row.clear()
            width = int(self._sizes[-1]) + 1
            constants, tables = np.zeros(len(self._sizes)), [np.zeros((len(self._sizes), width)) for _ in range(4)]
            for s, m in enumerate(self._sizes):
                if n + m < 3:
                    continue
                constants[s], functional = self._integral.functional(n, int(m), both=True)
                for table, weights in zip(
                    tables, (functional.own_x, functional.other_x, functional.own_y, functional.other_y), strict=True
                ):
                    table[s, : len(weights)] = weights
            self._row[n] = constants, tables
        return self._row[n]

    def __call__(self, runs: Any) -> FloatArray:
        """Return estimates of the pairs of a block, shape (P,), not clipped. Two single vectors give 0."""
        constants, tables = self._weights(int(self._lengths[runs.i]))
        size = self._size_of[runs.others.start : runs.others.stop]
        value = constants[size]
        for histogram, table in zip((runs.own[0], runs.other[0], runs.own[1], runs.other[1]), tables, strict=True):
            value = value - np.einsum("pk,pk->p", histogram, table[size])
        return value
