"""Entropies of points and divergences between sets of points, by kernels and by nearest neighbours.

Integrals are estimated as in chapters 3 and 4 of the thesis of 2012: a mean over the points of one set of the density
estimated from another. Where a density is estimated from the set of its own point, that point is left out. Results are in
nats. The estimates may be negative where the divergence itself is not.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from .arrays import FloatArray, as_count, as_frames, as_positive
from .density import FLOOR, knn, log_ball_volume, parzen, silverman
from .errors import DataError, ParameterError, unknown_name

Method = Literal["knn", "kernel"]

METHODS = ("knn", "kernel")
CONVENTIONS = {"convolution": math.sqrt(2.0), "plug_in": 1.0}
"""Kernel convention to what the width is multiplied with in integrals of products: eqs. 3.27 and 3.29."""

TINY = 1e-300
"""Least estimate of an integral that is positive."""


def _sets(*sets: ArrayLike) -> list[FloatArray]:
    given = [as_frames(points, f"set {i + 1}") for i, points in enumerate(sets)]
    for i, points in enumerate(given):
        if points.shape[1] != given[0].shape[1]:
            raise DataError(
                f"set {i + 1}: has {points.shape[1]} features but set 1 has {given[0].shape[1]}; use the same ones"
            )
        if len(points) < 2:
            raise DataError(f"set {i + 1}: has {len(points)} point, at least 2 are needed to estimate a density")
    return given


def _log_density(
    queries: FloatArray, points: FloatArray, method: Method, width: float | None, k: float, own: bool
) -> FloatArray:
    """Logarithm of the estimated density of a set at some points, the point itself left out if `own`."""
    if method not in METHODS:
        raise ParameterError(unknown_name("method", method, METHODS))
    if method == "knn":
        return knn(queries, points, k, own=own)
    sigma = silverman(points) if width is None else as_positive(width, "width")
    logs = parzen(queries, points, sigma)
    if not own:
        return logs
    n, d = points.shape
    peak = -0.5 * d * math.log(2.0 * math.pi) - d * math.log(sigma)
    # The sum without the term of the point itself; rounding may leave nothing of it.
    rest = np.maximum(n * np.exp(logs - peak) - 1.0, TINY)
    return np.asarray(peak + np.log(rest / (n - 1)))


def _mean_power(logs: FloatArray) -> float:
    """Logarithm of the mean of exponentials."""
    top = float(logs.max())
    return top + math.log(float(np.exp(logs - top).mean()))


def shannon_entropy(points: ArrayLike, method: Method = "knn", width: float | None = None, k: float = 5) -> float:
    """Shannon entropy, minus the mean logarithm of the density.

    Parameters
    ----------
    points : array_like, shape (N, d)
    method : {"knn", "kernel"}
    width : float, optional
        Width of the kernel, Silverman's if not given.
    k : int or float
        Number of neighbours, or a share of the points.

    Returns
    -------
    float
        In nats, of either sign.

    References
    ----------
    Thesis 2012, eq. 3.1.
    """
    (given,) = _sets(points)
    return -float(_log_density(given, given, method, width, k, own=True).mean())


def renyi_entropy(
    points: ArrayLike, alpha: float = 2.0, method: Method = "knn", width: float | None = None, k: float = 5
) -> float:
    """Renyi entropy of order alpha; Shannon's for alpha = 1.

    Parameters
    ----------
    points, method, width, k
        As for :func:`shannon_entropy`.
    alpha : float
        Positive; 2 is the quadratic entropy.

    References
    ----------
    Thesis 2012, eqs. 3.8 to 3.11.
    """
    order = as_positive(alpha, "alpha")
    if order == 1.0:
        return shannon_entropy(points, method, width, k)
    (given,) = _sets(points)
    logs = _log_density(given, given, method, width, k, own=True)
    return _mean_power((order - 1.0) * logs) / (1.0 - order)


def quadratic_entropy(points: ArrayLike, width: float | None = None, convention: str = "convolution") -> float:
    """Renyi's quadratic entropy by kernels, all pairs of points included (eq. 3.14).

    Parameters
    ----------
    points : array_like, shape (N, d)
    width : float, optional
        Silverman's if not given.
    convention : {"convolution", "plug_in"}
    """
    (given,) = _sets(points)
    sigma = silverman(given) if width is None else as_positive(width, "width")
    return -math.log(potential(given, given, "kernel", width=sigma, convention=convention))


def kl(p: ArrayLike, q: ArrayLike, method: Method = "knn", width: float | None = None, k: float = 5) -> float:
    """Kullback-Leibler divergence of q from p, a mean over the points of p.

    Parameters
    ----------
    p, q : array_like, shapes (N, d) and (M, d)
    method, width, k
        As for :func:`shannon_entropy`; without a width each set has Silverman's.

    References
    ----------
    Thesis 2012, eq. 3.17.
    """
    one, two = _sets(p, q)
    ratio = _log_density(one, one, method, width, k, own=True) - _log_density(one, two, method, width, k, own=False)
    return float(ratio.mean())


def jeffreys(p: ArrayLike, q: ArrayLike, method: Method = "knn", width: float | None = None, k: float = 5) -> float:
    """Root of the mean square of the two Kullback-Leibler divergences.

    Parameters
    ----------
    p, q, method, width, k
        As for :func:`kl`.

    Notes
    -----
    Elsewhere Jeffreys' divergence is the sum of the two; this is the version that the thesis prints.

    References
    ----------
    Thesis 2012, eq. 3.18.
    """
    return math.sqrt(0.5 * kl(p, q, method, width, k) ** 2 + 0.5 * kl(q, p, method, width, k) ** 2)


def renyi(
    p: ArrayLike, q: ArrayLike, alpha: float = 2.0, method: Method = "knn", width: float | None = None, k: float = 5
) -> float:
    """Renyi divergence of order alpha of q from p; Kullback-Leibler's for alpha = 1.

    Parameters
    ----------
    p, q, method, width, k
        As for :func:`kl`.
    alpha : float
        Positive.

    References
    ----------
    Thesis 2012, eqs. 3.19 and 3.20.
    """
    order = as_positive(alpha, "alpha")
    if order == 1.0:
        return kl(p, q, method, width, k)
    one, two = _sets(p, q)
    ratio = _log_density(one, one, method, width, k, own=True) - _log_density(one, two, method, width, k, own=False)
    return _mean_power((order - 1.0) * ratio) / (order - 1.0)


def _distances(p: FloatArray, q: FloatArray) -> FloatArray:
    from scipy.spatial.distance import cdist

    return np.asarray(cdist(p, q))


def potential(
    p: ArrayLike,
    q: ArrayLike,
    method: Method = "knn",
    k: int | Literal["farthest"] = 1,
    width: float | None = None,
    convention: str = "convolution",
) -> float:
    """Estimate of the integral of the product of two densities, the cross information potential.

    Parameters
    ----------
    p, q : array_like, shapes (N, d) and (M, d)
        The same array, or equal ones, for the integral of a squared density. Nearest neighbours leave the point itself
        out; the kernel does not, as in eq. 3.14.
    method : {"knn", "kernel"}
    k : int or "farthest"
        Neighbour of the kNN densities; the farthest member of a set counts as its N-th neighbour.
    width : float, optional
        Width of the kernel, Silverman's for both sets together if not given.
    convention : {"convolution", "plug_in"}

    Returns
    -------
    float
        Positive. For two sets and nearest neighbours the mean of both directions.

    References
    ----------
    Thesis 2012, eqs. 3.27, 3.29, 4.2 and section 4.6.
    """
    one, two = _sets(p, q)
    same = one.shape == two.shape and bool((one == two).all())
    d = one.shape[1]
    if method not in METHODS:
        raise ParameterError(unknown_name("method", method, METHODS))
    if convention not in CONVENTIONS:
        raise ParameterError(unknown_name("convention", convention, CONVENTIONS))
    if method == "kernel":
        sigma = silverman(np.concatenate([one, two])) if width is None else as_positive(width, "width")
        logs = parzen(one, two, CONVENTIONS[convention] * sigma)
        return max(math.exp(min(_mean_power(logs), 690.0)), TINY)
    logs_of = _LogVolumes(_distances(one, two), d, same)
    if same:
        return max(math.exp(min(logs_of.mean(k, axis=1), 690.0)), TINY)
    both = np.array([logs_of.mean(k, axis=1), logs_of.mean(k, axis=0)])
    return max(math.exp(min(_mean_power(both), 690.0)), TINY)


@dataclass(frozen=True)
class _LogVolumes:
    """Distances between two sets, or within one."""

    distances: FloatArray
    d: int
    same: bool

    def mean(self, k: int | str, axis: int) -> float:
        """Logarithm of the mean of k / (N V_k), with the points of one axis as neighbours."""
        table = self.distances if axis == 1 else self.distances.T
        n = table.shape[1]
        number = n - self.same if k == "farthest" else as_count(k, "k")
        if number > n - self.same:
            raise ParameterError(f"k is {k!r} but a set has only {n - self.same} neighbours; lower it")
        found = np.partition(table, number - 1 + self.same, axis=1)[:, number - 1 + self.same]
        positive = self.distances[self.distances > 0.0]
        found = np.where(found > 0.0, found, FLOOR * positive.min() if positive.size else 1.0)
        weight = n if k == "farthest" else number
        return math.log(weight) - math.log(n) + _mean_power(-log_ball_volume(found, self.d))


def euclidean(p: ArrayLike, q: ArrayLike, method: Method = "knn", **options: Any) -> float:
    """Integral of the squared difference of two densities.

    Parameters
    ----------
    p, q : array_like, shapes (N, d) and (M, d)
    method : {"knn", "kernel"}
    **options
        `k`, `width` and `convention` of :func:`potential`.

    References
    ----------
    Thesis 2012, eq. 3.22.
    """
    one, two = _sets(p, q)
    chosen = _one_width(one, two, method, options)
    own = potential(one, one, method, **chosen) + potential(two, two, method, **chosen)
    return own - 2.0 * potential(one, two, method, **chosen)


def _one_width(p: FloatArray, q: FloatArray, method: str, options: dict[str, Any]) -> dict[str, Any]:
    """Options with one width of the kernel for all integrals."""
    if method == "kernel" and options.get("width") is None:
        return {**options, "width": silverman(np.concatenate([p, q]))}
    return options


def cauchy_schwarz(
    p: ArrayLike,
    q: ArrayLike,
    method: Method = "knn",
    k_numerator: int = 1,
    k_denominator: int | Literal["farthest"] = "farthest",
    **options: Any,
) -> float:
    """Cauchy-Schwarz divergence of two densities.

    Parameters
    ----------
    p, q : array_like, shapes (N, d) and (M, d)
    method : {"knn", "kernel"}
    k_numerator, k_denominator : int, or "farthest" for the denominator
        Neighbours of the kNN densities across and within the sets. Only where both are the same k is this a consistent
        estimate; the defaults are those that the thesis clusters with.
    **options
        `width` and `convention` of :func:`potential`, for kernels.

    Returns
    -------
    float
        In nats; kernels give no negative value, nearest neighbours may.

    References
    ----------
    Thesis 2012, eqs. 3.24, 3.31 and 4.3.
    """
    one, two = _sets(p, q)
    if method == "kernel":
        chosen = _one_width(one, two, method, options)
        cross = potential(one, two, method, **chosen)
        own = [potential(points, points, method, **chosen) for points in (one, two)]
    else:
        cross = potential(one, two, method, k_numerator, **options)
        own = [potential(points, points, method, k_denominator, **options) for points in (one, two)]
    return 0.5 * math.log(own[0]) + 0.5 * math.log(own[1]) - math.log(cross)


def _clusters(points: ArrayLike, labels: ArrayLike) -> list[FloatArray]:
    given, names = as_frames(points, "points"), np.asarray(labels)
    if names.shape != (len(given),):
        raise DataError(f"labels: have shape {names.shape}, expected one for each of the {len(given)} points")
    found = [given[names == name] for name in np.unique(names)]
    if len(found) < 2:
        raise DataError("labels: name one cluster, at least 2 are needed to tell how far they are apart")
    return found


def mean_divergence(
    points: ArrayLike, labels: ArrayLike, divergence: Callable[..., float] = cauchy_schwarz, **options: Any
) -> float:
    """Mean divergence of the pairs of clusters, in nats.

    Parameters
    ----------
    points : array_like, shape (N, d)
    labels : array_like, shape (N,)
    divergence : callable
        ``divergence(p, q, **options)``, a function of this module.
    **options
        Passed on.

    References
    ----------
    Thesis 2012, eq. 4.5, without the logarithm in front of the sum.
    """
    pairs = list(combinations(_clusters(points, labels), 2))
    return float(np.mean([divergence(p, q, **options) for p, q in pairs]))


def mean_cost(points: ArrayLike, labels: ArrayLike, **options: Any) -> float:
    """Mean over the pairs of clusters of the cost exp(-D_CS), which the clustering by nearest neighbours makes small.

    Parameters
    ----------
    points, labels
        As for :func:`mean_divergence`.
    **options
        Those of :func:`cauchy_schwarz`.

    References
    ----------
    Thesis 2012, eq. 4.7.
    """
    pairs = list(combinations(_clusters(points, labels), 2))
    return float(np.mean([math.exp(-cauchy_schwarz(p, q, **options)) for p, q in pairs]))


def log_product_cost(points: ArrayLike, labels: ArrayLike, width: float, convention: str = "convolution") -> float:
    """Logarithm of the cost of several clusters by kernels: all that lies between clusters over the root of the product.

    Parameters
    ----------
    points : array_like, shape (N, d)
    labels : array_like, shape (N,)
    width : float
        Width of the kernel.
    convention : {"convolution", "plug_in"}

    Returns
    -------
    float
        For two clusters minus the Cauchy-Schwarz divergence by kernels.

    References
    ----------
    Thesis 2012, eq. 3.32.
    """
    if convention not in CONVENTIONS:
        raise ParameterError(unknown_name("convention", convention, CONVENTIONS))
    spread = 2.0 * (CONVENTIONS[convention] * as_positive(width, "width")) ** 2
    found: Sequence[FloatArray] = _clusters(points, labels)
    masses = np.array([[np.exp(-(_distances(p, q) ** 2) / spread).sum() for q in found] for p in found])
    cross = 0.5 * (masses.sum() - np.trace(masses))
    return math.log(max(float(cross), TINY)) - 0.5 * float(np.log(np.diag(masses)).sum())
