"""Do two samples come from the same distribution, and how far apart are they: estimates, intervals and p-values.

Intervals come from subsamples without replacement. A bootstrap would draw vectors twice, and a vector at distance zero from
itself is what estimators by nearest neighbours must not see. P-values come from permutations of the labels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import FloatArray, as_count
from ..compiled import compiled
from ..errors import DataError
from ..seeds import stream
from ..sequences import SequenceSet
from .checks import as_choice, as_pair, as_real, require_vectors
from .cross_validation import rank_weights, training_size
from .gaussian import mahalanobis_bound_jeffreys
from .mmd import median_distance
from .nearest import Integral
from .neighbours import Within, comparable, squared_distances
from .wang import PairwiseWang

ESTIMATORS = ("nn_risk", "nn_j", "wang_j", "nn_bound_j", "mmd2")
TESTED = ("nn_risk", "mmd2")
"""Estimators that have a p-value."""

LEAST, MOST = 8, 4000
"""Vectors that each sample must have, and that both may have together."""


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
    low, high : float
        Ends of the interval.
    p_value : float or None
        Probability of an estimate that is as far from equality if the distributions are equal.
    """

    name: str
    value: float
    low: float
    high: float
    p_value: float | None


@dataclass(frozen=True)
class Comparison:
    """Result of :func:`compare`.

    Attributes
    ----------
    n, m, d : int
        Numbers of vectors and of features.
    level : float
        Coverage that the intervals aim at.
    sigma : float
        Width of the Gaussian kernel.
    estimates : tuple of Estimate
    """

    n: int
    m: int
    d: int
    level: float
    sigma: float
    estimates: tuple[Estimate, ...]

    def __getitem__(self, name: str) -> Estimate:
        for estimate in self.estimates:
            if estimate.name == name:
                return estimate
        raise KeyError(name)

    def __str__(self) -> str:
        lines = [f"{self.n} and {self.m} vectors, {self.d} features; {100 * self.level:g} % intervals"]
        for made in self.estimates:
            tail = "" if made.p_value is None else f"  p = {made.p_value:.3g}"
            lines.append(f"{made.name:>10}  {made.value:8.4g}  [{made.low:.4g}, {made.high:.4g}]{tail}")
        return "\n".join(lines)


@compiled()
def _first_trained(squares, sums):  # type: ignore[no-untyped-def]
    """Chance that vector c is the nearest training vector of vector r; tied ones share. Diagonal 0."""
    n = squares.shape[0]
    chances = np.zeros((n, n))
    for r in range(n):
        row = squares[r].copy()
        row[r] = np.inf
        order = np.argsort(row, kind="mergesort")
        a = 0
        while a < n - 1:
            b = a + 1
            while b < n - 1 and row[order[b]] == row[order[a]]:
                b += 1
            share = (sums[b] - sums[a]) / (b - a)
            for k in range(a, b):
                chances[r, order[k]] = share
            a = b
    return chances


def _risks(chances: FloatArray, first: FloatArray) -> FloatArray:
    """Risk of the 1-NN rule for labellings, the columns of `first` (1 for vectors of the first sample)."""
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


def _labelled(n: int, m: int) -> FloatArray:
    return np.repeat([[1.0], [0.0]], [n, m], axis=0)


@dataclass(frozen=True)
class _Estimators:
    """The estimators of a comparison, for the samples and for subsamples of them."""

    names: tuple[str, ...]
    sigma: float

    def __call__(self, x: FloatArray, y: FloatArray) -> FloatArray:
        found = []
        n, m = len(x), len(y)
        if {"nn_j", "wang_j"} & set(self.names):
            within = Within.of(SequenceSet.from_arrays([x, y]))
            runs = next(within.blocks())
        if {"nn_risk", "mmd2"} & set(self.names):
            both = comparable(np.concatenate([x, y]))
            squares = np.empty((n + m, n + m))
            squared_distances(both, np.ascontiguousarray(both.T), squares)
        for name in self.names:
            if name == "nn_j":
                constant, functional = Integral().functional(n, m, both=True)
                found.append(constant - float(functional(runs.own, runs.other)[0]))
            elif name == "wang_j":
                found.append(float(PairwiseWang(within)(runs).sum()))
            elif name == "nn_bound_j":
                found.append(mahalanobis_bound_jeffreys(x, y))
            elif name == "nn_risk":
                found.append(float(_risks(self.chances(squares), _labelled(n, m))[0]))
            else:
                found.append(float(_discrepancies(self.kernel(squares, x, both), _labelled(n, m))[0]))
        return np.array(found)

    @staticmethod
    def chances(squares: FloatArray) -> FloatArray:
        """Weights of neighbours under complete cross-validation with half of the vectors for training."""
        n = len(squares)
        return np.asarray(_first_trained(squares, rank_weights(n, training_size(n, 0.5))))

    def kernel(self, squares: FloatArray, x: FloatArray, both: FloatArray) -> FloatArray:
        """Gaussian kernel of all vectors, its diagonal 0; `both` are the vectors as their distances were taken."""
        # Vectors may have been scaled by a power of two.
        peak = float(np.abs(x).max())
        scale = float(np.abs(both[: len(x)]).max()) / peak if peak > 0.0 else 1.0
        kernel = np.exp(-0.5 * squares / (scale * self.sigma) ** 2)
        np.fill_diagonal(kernel, 0.0)
        return np.asarray(kernel)


def compare(
    X: ArrayLike,
    Y: ArrayLike,
    estimators: Sequence[str] = ESTIMATORS,
    level: float = 0.95,
    n_subsamples: int = 200,
    n_permutations: int = 999,
    sigma: float | None = None,
    seed: int = 0,
) -> Comparison:
    """Compare two samples: how far apart are their distributions, and could they be equal?

    Parameters
    ----------
    X, Y : array_like, shapes (n, d) and (m, d)
        Independent vectors, at least 8 of each and at most 4000 together.
    estimators : sequence of str
        Some of :data:`ESTIMATORS`.
    level : float
        Coverage of the intervals, in (0, 1).
    n_subsamples, n_permutations : int
        Number of subsamples for the intervals, at least 20, and of permutations for the p-values, at least 19.
    sigma : float, optional
        Width of the Gaussian kernel of MMD; the median distance between all vectors if not given.
    seed : int
        Names the random streams.

    Returns
    -------
    Comparison

    Raises
    ------
    DataError, ParameterError
        If the samples or the arguments are not usable.

    Notes
    -----
    Half of each sample is drawn without replacement, again and again. The spread of an estimate over such halves is that
    of the estimate on the whole sample, as far as the variance falls with the inverse of the sample size: a half has twice the
    variance, and half of that is common to all halves. Intervals are the value plus and minus a normal quantile of this
    spread. They tell how an estimate varies, not how far it is off on average: see docs/divergences.md.
    """
    names = tuple(dict.fromkeys(estimators))
    for name in names:
        as_choice("estimator", name, ESTIMATORS)
    share = as_real(level, "level", 0.0, 1.0)
    subsamples = as_count(n_subsamples, "n_subsamples", least=20)
    permutations = as_count(n_permutations, "n_permutations", least=19)
    x, y = as_pair(X, Y)
    n, m = len(x), len(y)
    require_vectors(n, LEAST, "first set")
    require_vectors(m, LEAST, "second set")
    if n + m > MOST:
        raise DataError(
            f"first set and second set: have {n + m} vectors together, more than the {MOST} that are compared at once;"
            " give a random part of each"
        )
    both = np.concatenate([x, y])
    width = median_distance(both) if sigma is None else as_real(sigma, "sigma", 0.0, float("inf"))
    estimate = _Estimators(names, width)
    values = estimate(x, y)
    rng = stream(seed, "compare", "subsamples")
    halves = np.array(
        [estimate(x[rng.permutation(n)[: n // 2]], y[rng.permutation(m)[: m // 2]]) for _ in range(subsamples)]
    )
    reach = NormalDist().inv_cdf(0.5 + 0.5 * share) * halves.std(axis=0, ddof=1)
    p_values = _p_values(estimate, x, both, n, permutations, seed)
    made = [
        Estimate(name, float(value), float(value - half), float(value + half), p_values.get(name))
        for name, value, half in zip(names, values, reach, strict=True)
    ]
    return Comparison(n, m, x.shape[1], share, width, tuple(made))


def _p_values(
    estimate: _Estimators, x: FloatArray, both: FloatArray, n: int, permutations: int, seed: int
) -> dict[str, float]:
    """Share of labellings, the given one among them, that look as different or more."""
    tested = [name for name in TESTED if name in estimate.names]
    if not tested:
        return {}
    values = comparable(both)
    squares = np.empty((len(both), len(both)))
    squared_distances(values, np.ascontiguousarray(values.T), squares)
    rng = stream(seed, "compare", "permutations")
    labels = np.zeros((len(both), permutations + 1))
    labels[:n, 0] = 1.0
    for k in range(1, permutations + 1):
        labels[rng.permutation(len(both))[:n], k] = 1.0
    found = {}
    for name in tested:
        if name == "nn_risk":
            unlike = -_risks(estimate.chances(squares), labels)
        else:
            unlike = _discrepancies(estimate.kernel(squares, x, values), labels)
        # What differs by rounding alone is equal.
        tolerance = 1e-12 * max(1.0, float(np.abs(unlike).max()))
        found[name] = float((unlike >= unlike[0] - tolerance).mean())
    return found
