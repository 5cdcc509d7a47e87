"""Density estimates from points, by kernels and by nearest neighbours, and the decision rules that follow from them.

Logarithms of densities are in nats. Points are arrays of shape (N, d), queries of shape (M, d).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from ..core.arrays import FloatArray, IntArray, as_count, as_flag, as_frames, as_numbers, as_positive, as_real
from ..core.errors import DataError, ParameterError, is_one_of, unknown_name
from ..core.wording import count

Norm = Literal["1", "2", "inf"]

NORMS: dict[str, float] = {"1": 1.0, "2": 2.0, "inf": math.inf}

ZERO_DISTANCE = 0.1
"""Distance that replaces zero, in units of the least positive one."""

BLOCK_ENTRIES = 1 << 20
"""Number of distances between queries and points in a block."""


def _as_points(points: ArrayLike, where: str = "points") -> FloatArray:
    return as_frames(points, where)


def _as_queries(queries: ArrayLike, points: FloatArray) -> FloatArray:
    array = as_frames(queries, "queries")
    if array.shape[1] != points.shape[1]:
        raise DataError(
            f"queries: have {count(array.shape[1], 'feature')} but the points have {points.shape[1]}; use the same"
        )
    return array


def _exponent(*arrays: FloatArray) -> int:
    """Power of two that scales arrays whose squares would leave the range of float64; usually 0."""
    peak = max(float(np.abs(array).max()) for array in arrays)
    return 0 if 1e-100 < peak < 1e100 or peak == 0.0 else math.frexp(peak)[1]


def mean_deviation(points: ArrayLike) -> float:
    """Return the mean over features of the standard deviation (ddof = 1) of two or more points: sigma_M of the thesis of 2012.

    Its eq. 2.20 prints the mean variance; the numbers in its tables, and its words, are those of the deviation.
    """
    sample = _as_points(points)
    if len(sample) < 2:
        raise DataError("points: one point has no standard deviation; give the width as a number")
    exponent = _exponent(sample)
    return math.ldexp(float(np.ldexp(sample, -exponent).std(axis=0, ddof=1).mean()), exponent)


def silverman(points: ArrayLike) -> float:
    """Rule of thumb for the width of a Gaussian kernel, sigma_S = sigma_M (4 / (N (2 d + 1)))^(1 / (d + 4)).

    Thesis 2012, eq. 2.19; Silverman (1986).
    """
    sample = _as_points(points)
    n, d = sample.shape
    return mean_deviation(sample) * (4.0 / (n * (2 * d + 1))) ** (1.0 / (d + 4))


def log_ball_volume(radius: ArrayLike, d: int, norm: Norm = "2") -> FloatArray:
    """Return the logarithm of the volume of a ball in d dimensions: in the norms 1, 2 and inf a cross-polytope, a sphere, a cube.

    Thesis 2012, eq. 2.22 and figure 2.2.
    """
    size = as_count(d, "d")
    if not is_one_of(norm, NORMS):
        raise ParameterError(unknown_name("norm", norm, NORMS))
    r = as_numbers(radius, "radius")
    if not (np.isfinite(r).all() and (r > 0.0).all()):
        raise ParameterError("radius: holds a number that is not positive and finite; check the distances")
    unit = {
        "1": size * math.log(2.0) - math.lgamma(size + 1.0),
        "2": 0.5 * size * math.log(math.pi) - math.lgamma(0.5 * size + 1.0),
        "inf": size * math.log(2.0),
    }[norm]
    return np.asarray(unit + size * np.log(r))


def parzen(queries: ArrayLike, points: ArrayLike, width: float, own: bool = False) -> FloatArray:
    """Logarithm of the Parzen density at queries (M, d), with a spherical Gaussian kernel of a standard deviation `width`.

    With `own` the queries are the points, and the kernel of a point itself is left out. Finite also far from all
    points; a DataError for a query so many widths away that the logarithm leaves the range of float64. Thesis 2012, eq.
    2.11.
    """
    sample, sigma = _as_points(points), as_positive(width, "width")
    at = _as_queries(queries, sample)
    n, d = sample.shape
    out = bool(as_flag(own, "own"))
    if n - out < 1:
        raise DataError("points: there is one, and it is no neighbour of itself; give more")
    logs = np.empty(len(at))
    rows = max(1, BLOCK_ENTRIES // n)
    for start in range(0, len(at), rows):
        part = at[start : start + rows]
        half = np.zeros((len(part), n))
        with np.errstate(over="ignore"):
            for column in range(d):
                half += ((part[:, column, None] - sample[:, column]) / sigma) ** 2
        half *= 0.5
        if out:
            half[np.arange(len(part)), np.arange(start, start + len(part))] = np.inf
        least = half.min(axis=1)
        if not np.isfinite(least).all():
            raise DataError(
                f"queries: query {start + int(np.flatnonzero(~np.isfinite(least))[0])} is too many widths of {sigma:g} away"
                " from all points; take a larger width"
            )
        logs[start : start + rows] = np.log(np.exp(least[:, None] - half).sum(axis=1)) - least
    return np.asarray(logs - math.log(n - out) - 0.5 * d * math.log(2.0 * math.pi) - d * math.log(sigma))


def as_neighbours(k: float, n: int) -> int:
    """Number of neighbours among n points: a whole number of at least 1, or a share below 1, which is rounded."""
    value = as_positive(k, "k")
    number = max(1, round(value * n)) if value < 1.0 else as_count(k, "k")
    if number > n:
        raise ParameterError(f"k is {k!r} but there are only {n} points; lower it")
    return number


def neighbour_distances(
    queries: ArrayLike, points: ArrayLike, k: float, norm: Norm = "2", own: bool = False
) -> FloatArray:
    """Return the distance of each of M queries to its k-th nearest point; zero is replaced by a tenth of the least positive one.

    With `own` the queries are the points, and none is a neighbour of itself. `k` as for :func:`as_neighbours`.
    """
    from scipy.spatial import KDTree

    sample = _as_points(points)
    at = _as_queries(queries, sample)
    if not is_one_of(norm, NORMS):
        raise ParameterError(unknown_name("norm", norm, NORMS))
    number = as_neighbours(k, len(sample) - bool(as_flag(own, "own")))
    exponent = _exponent(sample, at)
    distances, _ = KDTree(np.ldexp(sample, -exponent)).query(
        np.ldexp(at, -exponent), k=[number + bool(own)], p=NORMS[norm]
    )
    distance = np.ldexp(np.asarray(distances[:, 0], dtype=np.float64), exponent)
    positive = distance[distance > 0.0]
    return np.where(distance > 0.0, distance, ZERO_DISTANCE * positive.min() if positive.size else 1.0)


def knn(
    queries: ArrayLike, points: ArrayLike, k: float, norm: Norm = "2", alpha: float = 1.0, own: bool = False
) -> FloatArray:
    """Return the logarithm of the k-nearest-neighbour density, k / (N V^alpha), at queries (M, d).

    Below 1 `alpha` makes the estimate smoother and no density any more; the rest is as for :func:`neighbour_distances`.
    Thesis 2012, eqs. 2.21 and D.1.
    """
    sample, power = _as_points(points), as_positive(alpha, "alpha")
    radius = neighbour_distances(queries, sample, k, norm, own)
    n = len(sample) - bool(own)
    volume = log_ball_volume(radius, sample.shape[1], norm)
    return np.asarray(math.log(as_neighbours(k, n)) - math.log(n) - power * volume)


def gaussian(queries: ArrayLike, points: ArrayLike) -> FloatArray:
    """Return the logarithm of the density of a Gaussian with the mean and covariance of some points (maximum likelihood).

    Parameters
    ----------
    queries : array_like, shape (M, d)
    points : array_like, shape (N, d)
        More than d of them, not in one hyperplane.

    References
    ----------
    Thesis 2012, eqs. A.5 and A.6.
    """
    from scipy.linalg import solve_triangular

    sample = _as_points(points)
    at = _as_queries(queries, sample)
    # Scale each feature by a power of two, so that its squares stay in the range of float64.
    exponents = np.frexp(np.abs(sample).max(axis=0))[1]
    sample, at = np.ldexp(sample, -exponents), np.ldexp(at, -exponents)
    covariance = np.atleast_2d(np.cov(sample.T, ddof=0))
    deviation = np.sqrt(np.diag(covariance))
    # Correlations, since features may differ in scale; rounding leaves singular matrices slightly above 0.
    least = np.linalg.eigvalsh(covariance / np.outer(deviation, deviation))[0] if deviation.all() else 0.0
    if least <= 1e-12:
        raise DataError(
            f"points: the covariance of {len(sample)} points in {sample.shape[1]} dimensions is singular; give more points"
            " or leave out features that depend on others"
        )
    root = np.linalg.cholesky(covariance)
    scaled = solve_triangular(root, (at - sample.mean(axis=0)).T, lower=True)
    half = np.log(np.diag(root)).sum() + exponents.sum() * math.log(2.0)
    half += 0.5 * sample.shape[1] * math.log(2.0 * math.pi)
    return np.asarray(-0.5 * (scaled**2).sum(axis=0) - half)


def bayes_rule(log_densities: ArrayLike, priors: ArrayLike | None = None, losses: ArrayLike | None = None) -> IntArray:
    """Class with the least expected loss for each query, from log-densities (M, C); the lowest index in a tie.

    Priors (C,), positive, are made to sum to 1, and are equal if not given. Entry (k, i) of losses is that of deciding
    for class i where class k is true: by default 0 on the diagonal and 1 elsewhere. Thesis 2012, eqs. 2.26 and B.5 to
    B.9.
    """
    logs = as_frames(log_densities, "log_densities")
    c = logs.shape[1]
    weight = np.full(c, 1.0 / c) if priors is None else as_numbers(priors, "priors")
    if weight.shape != (c,) or not (np.isfinite(weight).all() and (weight > 0.0).all()):
        raise ParameterError(f"priors: expected {c} positive numbers, one a class; check their number and signs")
    loss = 1.0 - np.eye(c) if losses is None else as_numbers(losses, "losses")
    if loss.shape != (c, c) or not np.isfinite(loss).all():
        raise ParameterError(f"losses: have shape {loss.shape}, expected finite numbers of shape ({c}, {c})")
    joint = logs + np.log(weight / weight.sum())
    return np.asarray((np.exp(joint - joint.max(axis=1, keepdims=True)) @ loss).argmin(axis=1), dtype=np.int64)


DENSITIES: dict[str, Callable[..., FloatArray]] = {"gaussian": gaussian, "parzen": parzen, "knn": knn}
"""Density estimates that :func:`classify` accepts."""


def classify(
    queries: ArrayLike,
    sets: Sequence[ArrayLike],
    density: str,
    priors: ArrayLike | None = None,
    losses: ArrayLike | None = None,
    **params: Any,
) -> IntArray:
    """Bayes rule with densities estimated separately for each class; return positions in `sets`.

    With nearest neighbours the volumes to the k-th neighbour in each class are compared (eq. 2.29); no vote is taken.
    Priors are the shares of the points if not given (eq. B.11), losses those of :func:`bayes_rule`. `density` is
    "gaussian", "parzen" or "knn" with its parameters. Thesis 2012, eqs. 2.27 to 2.29.
    """
    if not is_one_of(density, DENSITIES):
        raise ParameterError(unknown_name("density", density, DENSITIES))
    samples = [_as_points(points, f"class {c}") for c, points in enumerate(sets)]
    if len(samples) < 2:
        raise DataError(f"sets: there are {len(samples)} classes, expected at least 2")
    shares = [len(points) for points in samples] if priors is None else priors
    logs = np.column_stack([DENSITIES[density](queries, points, **params) for points in samples])
    return bayes_rule(logs, shares, losses)


def linear_boundary(
    first: ArrayLike, second: ArrayLike, covariance: ArrayLike, prior: float = 0.5
) -> tuple[FloatArray, FloatArray]:
    """Optimal boundary between two Gaussians of one covariance: w and x0 of the points x with ``w @ (x - x0) = 0``.

    Positive on the side of the first class, whose prior, between 0 and 1, is given. Thesis 2012, eq. B.10.
    """
    share = as_real(prior, "prior", "a number between 0 and 1")
    if not 0.0 < share < 1.0:
        raise ParameterError(f"prior is {prior!r}, expected a number between 0 and 1")
    one, two = as_numbers(first, "first"), as_numbers(second, "second")
    gap = one - two
    w = np.linalg.solve(as_numbers(covariance, "covariance"), gap)
    distance = float(gap @ w)
    if not distance > 0.0:
        raise ParameterError("linear_boundary: the two means coincide, so that there is no boundary; give two means")
    return np.asarray(w, dtype=np.float64), 0.5 * (one + two) - math.log(share / (1.0 - share)) * gap / distance
