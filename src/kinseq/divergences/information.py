"""Entropies of points and divergences between sets of points, by kernels and by nearest neighbours.

Integrals are estimated as in chapters 3 and 4 of the thesis of 2012: a mean over the points of one set of the density
estimated from another. Where a density is estimated from the set of its own point, that point is left out. Results are in
nats. The estimates may be negative where the divergence itself is not.

A density by a fixed number of neighbours does not settle as points become more: its logarithm is too large by
``log(k) - digamma(k)`` on average (0.10 for k = 5), and its powers by similar factors. In Kullback-Leibler's divergence these
cancel, in entropies and in Renyi's divergences they do not. ``estimate="corrected"`` takes them out, as in Kozachenko and Leonenko
(1987) for Shannon's entropy, in Leonenko, Pronzato and Savani (2008) for Renyi's, and in Poczos and Schneider (2011) for Renyi's
divergences; ``"printed"`` is what the thesis says. No density can be had where the k nearest points coincide with one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from ..core.arrays import FloatArray, as_count, as_frames, as_positive
from ..core.errors import DataError, ParameterError, is_one_of, unknown_name
from ..core.wording import count
from .density import ZERO_DISTANCE, as_neighbours, knn, log_ball_volume, parzen, silverman

Method = Literal["knn", "kernel"]
Form = Literal["printed", "corrected"]

Zeros = Literal["refuse", "floor"]

METHODS = ("knn", "kernel")
ZEROS = ("refuse", "floor")
ESTIMATES = ("printed", "corrected")
CONVENTIONS = {"convolution": math.sqrt(2.0), "plug_in": 1.0}
"""Factor of the width in integrals of products by kernel convention: eqs. 3.27 and 3.29."""

MIN_ESTIMATE = 1e-300
"""Floor of estimates of a positive integral."""


def _sets(*sets: ArrayLike) -> list[FloatArray]:
    arrays = [as_frames(points, f"set {i + 1}") for i, points in enumerate(sets)]
    for i, points in enumerate(arrays):
        if points.shape[1] != arrays[0].shape[1]:
            raise DataError(
                f"set {i + 1}: has {count(points.shape[1], 'feature')} but set 1 has {arrays[0].shape[1]}; use the same ones"
            )
        if len(points) < 2:
            raise DataError(f"set {i + 1}: has {len(points)} point, at least 2 are needed to estimate a density")
    return arrays


def _log_density(
    queries: FloatArray, points: FloatArray, method: Method, width: float | None, k: float, own: bool
) -> FloatArray:
    """Return the logarithm of the estimated density of a set at some points, excluding each point itself if `own`."""
    if not is_one_of(method, METHODS):
        raise ParameterError(unknown_name("method", method, METHODS))
    if method == "knn":
        _require_apart(queries, points, k, own)
        return knn(queries, points, k, own=own)
    sigma = silverman(points) if width is None else as_positive(width, "width")
    return parzen(queries, points, sigma, own=own)


def _require_apart(queries: FloatArray, points: FloatArray, k: float, own: bool) -> None:
    """Raise :class:`DataError` if a ball to the k-th neighbour has no volume."""
    from scipy.spatial import KDTree

    number = as_neighbours(k, len(points) - own)
    radius = KDTree(points).query(queries, k=[number + own])[0][:, 0]
    if not radius.all():
        raise DataError(
            f"points: {int((radius == 0.0).sum())} of {len(queries)} coincide with their {number} nearest, where there is no"
            " density; take a larger k, or a kernel with method='kernel' and a width"
        )


def _excess(method: Method, estimate: Form, k: float, n: int, power: float | None = None) -> float:
    """Logarithm of the bias factor of a power of a nearest-neighbour density; that of the logarithm without one.

    The volume to the k-th neighbour times n p(x) has a gamma distribution with shape k, as n grows. 0 for printed estimates.
    """
    from scipy.special import digamma, gammaln

    if not is_one_of(estimate, ESTIMATES):
        raise ParameterError(unknown_name("estimate", estimate, ESTIMATES))
    if estimate == "printed":
        return 0.0
    if method != "knn":
        raise ParameterError("estimate 'corrected' is for nearest neighbours; leave it out with kernels")
    number = as_neighbours(k, n)
    if power is None:
        return math.log(number) - float(digamma(number))
    if number <= power:
        raise ParameterError(
            f"k is {number}, but power {power:g} of a density has a mean with more neighbours only; raise k"
        )
    return power * math.log(number) + float(gammaln(number - power) - gammaln(number))


def _mean_power(logs: FloatArray) -> float:
    """Return the logarithm of the mean of exponentials."""
    top = float(logs.max())
    return top + math.log(float(np.exp(logs - top).mean()))


def shannon_entropy(
    points: ArrayLike,
    method: Method = "knn",
    width: float | None = None,
    k: float = 5,
    estimate: Form = "printed",
) -> float:
    """Shannon entropy in nats, minus the mean logarithm of the density.

    By neighbours and as printed it does not converge: it is too small by ``log(k) - digamma(k)`` however many points
    there are. ``estimate="corrected"`` is the estimate of Kozachenko and Leonenko, which does. k is a number or a share
    of the points, the width of the kernel Silverman's if not given. A DataError if a point coincides with its k
    nearest, as in data of few levels. Thesis 2012, eq. 3.1; Kozachenko and Leonenko (1987).
    """
    (sample,) = _sets(points)
    excess = _excess(method, estimate, k, len(sample) - 1)
    return excess - float(_log_density(sample, sample, method, width, k, own=True).mean())


def renyi_entropy(
    points: ArrayLike,
    alpha: float = 2.0,
    method: Method = "knn",
    width: float | None = None,
    k: float = 5,
    estimate: Form = "printed",
) -> float:
    """Renyi entropy of order alpha; Shannon's for alpha = 1, the quadratic entropy for 2.

    By neighbours and as printed it does not converge: for alpha = 2 it is too small by ``log(k / (k - 1))`` however
    many points there are. ``estimate="corrected"`` is the estimate of Leonenko, Pronzato and Savani, which does, for
    ``k > alpha - 1``. All else is as for :func:`shannon_entropy`. Thesis 2012, eqs. 3.8 to 3.11; Leonenko, Pronzato and
    Savani (2008).
    """
    order = as_positive(alpha, "alpha")
    if order == 1.0:
        return shannon_entropy(points, method, width, k, estimate)
    (sample,) = _sets(points)
    excess = _excess(method, estimate, k, len(sample) - 1, order - 1.0)
    logs = _log_density(sample, sample, method, width, k, own=True)
    return (_mean_power((order - 1.0) * logs) - excess) / (1.0 - order)


def kl(p: ArrayLike, q: ArrayLike, method: Method = "knn", width: float | None = None, k: float = 5) -> float:
    """Return the Kullback-Leibler divergence of q from p, a mean over the points of p.

    As for :func:`shannon_entropy`; without a width each set has Silverman's. With the same number of neighbours in both
    densities what is too large in one is so in the other, and the estimate by neighbours converges. A DataError if a
    point of p coincides with its k nearest of p, or with k points of q. Thesis 2012, eq. 3.17.
    """
    one, two = _sets(p, q)
    ratio = _log_density(one, one, method, width, k, own=True) - _log_density(one, two, method, width, k, own=False)
    return float(ratio.mean())


def jeffreys(p: ArrayLike, q: ArrayLike, method: Method = "knn", width: float | None = None, k: float = 5) -> float:
    """Return the root of the mean square of the two Kullback-Leibler divergences (:func:`kl`).

    Elsewhere Jeffreys' divergence is the sum of the two; this is the version that the thesis prints. Thesis 2012, eq.
    3.18.
    """
    return math.sqrt(0.5 * kl(p, q, method, width, k) ** 2 + 0.5 * kl(q, p, method, width, k) ** 2)


def renyi(
    p: ArrayLike,
    q: ArrayLike,
    alpha: float = 2.0,
    method: Method = "knn",
    width: float | None = None,
    k: float = 5,
    estimate: Form = "printed",
) -> float:
    """Renyi divergence of order alpha of q from p; Kullback-Leibler's (:func:`kl`) for alpha = 1.

    By neighbours and as printed it does not converge: for alpha = 2 it is too large by ``log(k / (k - 1))`` however
    many points there are. ``estimate="corrected"`` is the estimate of Poczos and Schneider, which does, for ``k >
    |alpha - 1|``. Thesis 2012, eqs. 3.19 and 3.20; Poczos and Schneider (2011).
    """
    order = as_positive(alpha, "alpha")
    if order == 1.0:
        return kl(p, q, method, width, k)
    one, two = _sets(p, q)
    power = order - 1.0
    excess = _excess(method, estimate, k, len(one) - 1, power) + _excess(method, estimate, k, len(two), -power)
    ratio = _log_density(one, one, method, width, k, own=True) - _log_density(one, two, method, width, k, own=False)
    return (_mean_power(power * ratio) - excess) / power


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
    estimate: Form = "printed",
    zeros: Zeros = "refuse",
) -> float:
    """Estimate of the integral of the product of two densities, the cross information potential; positive.

    By neighbours and as printed the densities are k / (N V), also within one set of N points, where N - 1 are
    neighbours and :func:`renyi_entropy` takes N - 1; and their mean is too large by k / (k - 1) however many points
    there are, for k = 1 without bound. ``estimate="corrected"``, from the second neighbour on, takes (k - 1) / V over
    the number of possible neighbours: ``-log(potential(p, p))`` is then the quadratic entropy of :func:`renyi_entropy`.
    Of the same array, or equal ones, it is the integral of a squared density: nearest neighbours leave the point itself
    out; the kernel does not, as in eq. 3.14. Of two sets and neighbours it is the mean of both directions; the farthest
    member of a set counts as its N-th neighbour. The width of the kernel is Silverman's for both sets together if not
    given. `zeros` says whether a distance of zero to the k-th neighbour is an error, or counts as a tenth of the least
    positive one between the sets, as the clustering takes it: then that choice decides the result. Thesis 2012, eqs.
    3.27, 3.29, 4.2 and section 4.6.
    """
    one, two = _sets(p, q)
    same = one.shape == two.shape and bool((one == two).all())
    d = one.shape[1]
    if not is_one_of(method, METHODS):
        raise ParameterError(unknown_name("method", method, METHODS))
    if not is_one_of(convention, CONVENTIONS):
        raise ParameterError(unknown_name("convention", convention, CONVENTIONS))
    if not is_one_of(zeros, ZEROS):
        raise ParameterError(unknown_name("zeros", zeros, ZEROS))
    if estimate != "printed":
        _excess(method, estimate, 2 if k == "farthest" else as_count(k, "k"), max(len(one), len(two)), 1.0)
        if k == "farthest":
            raise ParameterError("estimate 'corrected' is for near neighbours; give k as a number, or take 'printed'")
    if method == "kernel":
        sigma = silverman(np.concatenate([one, two])) if width is None else as_positive(width, "width")
        logs = parzen(one, two, CONVENTIONS[convention] * sigma)
        return max(math.exp(min(_mean_power(logs), 690.0)), MIN_ESTIMATE)
    logs_of = _LogVolumes(_distances(one, two), d, same, estimate == "corrected", zeros == "refuse")
    if same:
        return max(math.exp(min(logs_of.mean(k, axis=1), 690.0)), MIN_ESTIMATE)
    both = np.array([logs_of.mean(k, axis=1), logs_of.mean(k, axis=0)])
    return max(math.exp(min(_mean_power(both), 690.0)), MIN_ESTIMATE)


@dataclass(frozen=True)
class _LogVolumes:
    """Distances between two sets, or within one."""

    distances: FloatArray
    d: int
    same: bool
    corrected: bool
    refuse: bool

    def mean(self, k: int | str, axis: int) -> float:
        """Return the logarithm of the mean of k / (N V_k), with the points of one axis as neighbours."""
        table = self.distances if axis == 1 else self.distances.T
        n = table.shape[1]
        number = n - self.same if k == "farthest" else as_count(k, "k")
        if number > n - self.same:
            raise ParameterError(f"k is {k!r} but a set has only {n - self.same} neighbours; lower it")
        distances = np.partition(table, number - 1 + self.same, axis=1)[:, number - 1 + self.same]
        positive = self.distances[self.distances > 0.0]
        if not distances.all() and (self.refuse or not positive.size):
            raise DataError(
                f"points: {int((distances == 0.0).sum())} of {len(distances)} coincide with their {number} nearest, where there"
                " is no density; take a larger k, zeros='floor' as the clustering does, or a kernel with a width"
            )
        distances = np.where(distances > 0.0, distances, ZERO_DISTANCE * positive.min() if positive.size else 1.0)
        weight, n = (number - 1, n - self.same) if self.corrected else (n if k == "farthest" else number, n)
        return math.log(weight) - math.log(n) + _mean_power(-log_ball_volume(distances, self.d))


def euclidean(p: ArrayLike, q: ArrayLike, method: Method = "knn", **options: Any) -> float:
    """Integral of the squared difference of two densities; options are those of :func:`potential`. Thesis 2012, eq. 3.22."""
    one, two = _sets(p, q)
    options_of_both = _one_width(one, two, method, options)
    own = potential(one, one, method, **options_of_both) + potential(two, two, method, **options_of_both)
    return own - 2.0 * potential(one, two, method, **options_of_both)


def _one_width(p: FloatArray, q: FloatArray, method: str, options: dict[str, Any]) -> dict[str, Any]:
    """Return options with one width of the kernel for all integrals."""
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
    """Cauchy-Schwarz divergence of two densities in nats; kernels give no negative value, nearest neighbours may.

    Neighbours across and within the sets are `k_numerator` and `k_denominator`. Only where both are the same k is this
    a consistent estimate; the defaults are those that the thesis clusters with. Options are `width` and `convention` of
    :func:`potential`, for kernels, and its `estimate` and `zeros`, for neighbours. Thesis 2012, eqs. 3.24, 3.31 and
    4.3.
    """
    one, two = _sets(p, q)
    if method == "kernel":
        options_of_both = _one_width(one, two, method, options)
        cross = potential(one, two, method, **options_of_both)
        own = [potential(points, points, method, **options_of_both) for points in (one, two)]
    else:
        cross = potential(one, two, method, k_numerator, **options)
        own = [potential(points, points, method, k_denominator, **options) for points in (one, two)]
    return 0.5 * math.log(own[0]) + 0.5 * math.log(own[1]) - math.log(cross)


def _clusters(points: ArrayLike, labels: ArrayLike) -> list[FloatArray]:
    vectors, names = as_frames(points, "points"), np.asarray(labels)
    if names.shape != (len(vectors),):
        raise DataError(f"labels: have shape {names.shape}, expected one for each of the {len(vectors)} points")
    clusters = [vectors[names == name] for name in np.unique(names)]
    if len(clusters) < 2:
        raise DataError("labels: name one cluster, at least 2 are needed to tell how far they are apart")
    return clusters


def mean_divergence(
    points: ArrayLike, labels: ArrayLike, divergence: Callable[..., float] = cauchy_schwarz, **options: Any
) -> float:
    """Mean divergence of the pairs of clusters, in nats, by a function ``divergence(p, q, **options)`` of this module.

    Thesis 2012, eq. 4.5, without the logarithm in front of the sum.
    """
    pairs = list(combinations(_clusters(points, labels), 2))
    return float(np.mean([divergence(p, q, **options) for p, q in pairs]))


def mean_cost(points: ArrayLike, labels: ArrayLike, **options: Any) -> float:
    """Return the mean over pairs of clusters of the cost exp(-D_CS), which nearest-neighbour clustering minimises.

    Options are those of :func:`cauchy_schwarz`; ``zeros="floor"`` for the cost of the clustering where points coincide.
    Thesis 2012, eq. 4.7.
    """
    pairs = list(combinations(_clusters(points, labels), 2))
    return float(np.mean([math.exp(-cauchy_schwarz(p, q, **options)) for p, q in pairs]))


def log_product_cost(points: ArrayLike, labels: ArrayLike, width: float, convention: str = "convolution") -> float:
    """Logarithm of the kernel cost of several clusters: the sum between clusters over the root of the product.

    For two clusters minus the Cauchy-Schwarz divergence by kernels. Thesis 2012, eq. 3.32.
    """
    if not is_one_of(convention, CONVENTIONS):
        raise ParameterError(unknown_name("convention", convention, CONVENTIONS))
    spread = 2.0 * (CONVENTIONS[convention] * as_positive(width, "width")) ** 2
    clusters: Sequence[FloatArray] = _clusters(points, labels)
    masses = np.array([[np.exp(-(_distances(p, q) ** 2) / spread).sum() for q in clusters] for p in clusters])
    cross = 0.5 * (masses.sum() - np.trace(masses))
    return math.log(max(float(cross), MIN_ESTIMATE)) - 0.5 * float(np.log(np.diag(masses)).sum())
