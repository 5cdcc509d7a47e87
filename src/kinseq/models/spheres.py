"""Smallest enclosing spheres of sets of vectors in the feature space of a kernel, and of pairs of spheres.

Sources: thesis 2011, sections 4.3 and 4.4; Tax and Duin (1999); Shawe-Taylor and Cristianini (2004).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from ..core.arrays import FloatArray, IntArray, as_square, require_finite
from ..core.compiled import compiled
from ..core.errors import DataError, ParameterError, is_one_of, unknown_name
from ..core.sequences import SequenceSet
from ..divergences.mmd import median_distance
from ..divergences.neighbours import squared_distances

Radius = Literal["least", "dual", "maximum"]
Kernel = Literal["gaussian", "linear"] | Callable[[FloatArray, FloatArray], ArrayLike]

RADII = ("least", "dual", "maximum")
KERNELS = ("gaussian", "linear")

MAX_VIOLATION = 1e-9
"""Violation of the optimality conditions at which the optimisation ends, in units of the largest squared norm."""

_STEPS_PER_VECTOR = 10_000
_BOUND = 1e-7
_ROUNDING_SHARE = 1e-12
_BLOCK_COLUMNS = 1000


@compiled()
def _optimise(kernel, ceiling, tolerance, max_steps):  # type: ignore[no-untyped-def]
    """Minimise ``a' K a - a' diag(K)`` over ``0 <= a <= ceiling``, ``sum a = 1`` by pairs of coefficients."""
    n = kernel.shape[0]
    a = np.zeros(n)
    rest = 1.0
    for i in range(n):
        a[i] = min(ceiling, rest)
        rest -= a[i]
    gradient = np.empty(n)
    for i in range(n):
        total = 0.0
        for j in range(n):
            total += kernel[i, j] * a[j]
        gradient[i] = 2.0 * total - kernel[i, i]
    for _ in range(max_steps):
        # The coefficient that gains most by growing, and the one that gains most, to second order, by shrinking in
        # return.
        up = -1
        for i in range(n):
            if a[i] < ceiling and (up < 0 or gradient[i] < gradient[up]):
                up = i
        if up < 0:
            break
        down, best, worst = -1, 0.0, 0.0
        for j in range(n):
            if a[j] > 0.0:
                gap = gradient[j] - gradient[up]
                worst = max(worst, gap)
                if gap > 0.0:
                    bend = max(kernel[up, up] + kernel[j, j] - 2.0 * kernel[up, j], 1e-12 * tolerance)
                    if gap * gap / bend > best:
                        down, best = j, gap * gap / bend
        if down < 0 or worst <= tolerance:
            break
        bend = max(kernel[up, up] + kernel[down, down] - 2.0 * kernel[up, down], 1e-12 * tolerance)
        step = (gradient[down] - gradient[up]) / (2.0 * bend)
        # At a bound, set the coefficient exactly to it.
        if step >= ceiling - a[up] or step >= a[down]:
            if ceiling - a[up] <= a[down]:
                step = ceiling - a[up]
                a[down] -= step
                a[up] = ceiling
            else:
                step = a[down]
                a[up] += step
                a[down] = 0.0
        else:
            a[up] += step
            a[down] -= step
        for i in range(n):
            gradient[i] += 2.0 * step * (kernel[i, up] - kernel[i, down])
    return a


@dataclass(frozen=True)
class Sphere:
    """A sphere in feature space.

    Attributes
    ----------
    coefficients : ndarray, shape (n,)
        The centre is the sum of the embedded vectors times these; not negative, sum 1.
    radius : float
    distances : ndarray, shape (n,)
        Distances of the vectors from the centre.
    """

    coefficients: FloatArray
    radius: float
    distances: FloatArray


def _ceiling(n: int, C: float | None, nu: float | None) -> float:
    """Return the largest coefficient allowed, at least 1 / n so that coefficients can sum to one."""
    for name, value in (("C", C), ("nu", nu)):
        if value is not None and (isinstance(value, bool) or not isinstance(value, (int, float, np.number))):
            raise ParameterError(f"{name} is {value!r}, expected a number above 0 and at most 1")
        if value is not None and not 0.0 < value <= 1.0:
            raise ParameterError(
                f"{name} is {value!r}, expected a number above 0 and at most 1; 1 encloses every vector"
            )
    if C is not None and nu is not None:
        raise ParameterError(f"C is {C!r} and nu is {nu!r}; give one of them")
    if nu is not None:
        return min(1.0, 1.0 / (nu * n))
    return 1.0 if C is None else max(float(C), 1.0 / n)


def enclosing_sphere(K: ArrayLike, C: float | None = None, nu: float | None = None, radius: Radius = "least") -> Sphere:
    """Return the smallest sphere around embedded vectors, all of them or all but some outliers, by their kernel matrix (n, n).

    C is the largest coefficient of a soft sphere, in (0, 1]; ``max(C, 1 / n)`` is used, since coefficients sum to one.
    Without, or with 1, the sphere encloses all vectors. Instead of it, at most the share nu of the vectors lies
    outside, ``C = 1 / (nu n)``. `radius` is that of a soft sphere whose coefficients are all 0 or at the ceiling, as in
    sets of at most 1 / C vectors. The conditions of optimality then allow an interval: the least distance of a vector
    at the ceiling, which is its upper end, is the default. ``"dual"`` is the root of the dual objective, ``"maximum"``
    the largest distance. Otherwise the vectors with a coefficient in between lie on the sphere. A DataError if the
    matrix is not symmetric and positive semi-definite. Thesis 2011, eqs 4.1 to 4.3. Solved by pairs of coefficients
    with second-order selection, as in Fan, Chen and Lin (2005).
    """
    if not is_one_of(radius, RADII):
        raise ParameterError(unknown_name("radius", radius, RADII))
    kernel = as_square(K, "kernel matrix")
    n = len(kernel)
    size = float(np.abs(kernel).max())
    if np.abs(kernel - kernel.T).max() > 1e-8 * size:
        raise DataError("kernel matrix: is not symmetric; symmetrise it first")
    ceiling = _ceiling(n, C, nu)
    # Relative to the mean of the vectors, where no large common part cancels.
    means = kernel.mean(axis=0)
    centred = kernel - means - means[:, None] + means.mean()
    centred = np.ascontiguousarray(0.5 * (centred + centred.T))
    scale = float(np.diag(centred).max())
    if float(np.diag(centred).min()) < -1e-8 * size:
        raise DataError("kernel matrix: is not positive semi-definite; a squared distance is negative")
    if scale <= 1e-14 * size:
        return Sphere(np.full(n, 1.0 / n), 0.0, np.zeros(n))
    coefficients = _optimise(centred, ceiling, MAX_VIOLATION * scale, _STEPS_PER_VECTOR * n)
    # Rounding errors of coefficients that became zero.
    coefficients[coefficients < _ROUNDING_SHARE * ceiling] = 0.0
    onto = centred @ coefficients
    own = float(coefficients @ onto)
    squares = np.maximum(np.diag(centred) - 2.0 * onto + own, 0.0)
    return Sphere(
        coefficients,
        _radius(coefficients, squares, ceiling, coefficients @ np.diag(centred) - own, radius),
        np.sqrt(squares),
    )


def _radius(coefficients: FloatArray, squares: FloatArray, ceiling: float, dual: float, reading: Radius) -> float:
    free = (coefficients > _BOUND * ceiling) & (coefficients < (1.0 - _BOUND) * ceiling)
    if free.any():
        return float(np.sqrt(squares[free].mean()))
    if reading == "dual":
        return float(np.sqrt(max(dual, 0.0)))
    return float(np.sqrt(squares.max() if reading == "maximum" else squares[coefficients > 0.5 * ceiling].min()))


# Many sets


@dataclass(frozen=True)
class Spheres:
    """Spheres of N sets of vectors in one feature space.

    Attributes
    ----------
    coefficients : ndarray, shape (sum of n_i,)
        Those of each set one after another.
    radii : ndarray, shape (N,)
    squares : ndarray, shape (N, N)
        Squared distances between centres.
    """

    coefficients: FloatArray
    radii: FloatArray
    squares: FloatArray


def as_kernel(
    kernel: Kernel, values: FloatArray, sigma: float | None
) -> Callable[[FloatArray, FloatArray], FloatArray]:
    """Return a function ``kernel(X, Y) -> (n, m)``: Gaussian at a width (by default the median distance), linear, or given."""
    if callable(kernel):
        function = kernel
        return lambda x, y: np.asarray(function(x, y), dtype=np.float64)
    if not is_one_of(kernel, KERNELS):
        raise ParameterError(unknown_name("kernel", kernel, KERNELS))
    if kernel == "linear":
        return lambda x, y: x @ y.T
    if sigma is not None and (isinstance(sigma, bool) or not 0.0 < sigma < float("inf")):
        raise ParameterError(f"sigma is {sigma!r}, expected a positive number; leave it out for the median distance")
    width = np.sqrt(2.0) * (median_distance(values) if sigma is None else float(sigma))

    def gaussian(x: FloatArray, y: FloatArray) -> FloatArray:
        block = np.empty((len(x), len(y)))
        squared_distances(x / width, np.ascontiguousarray((y / width).T), block)
        np.negative(block, out=block)
        return np.asarray(np.exp(block, out=block))

    return gaussian


def enclosing_spheres(
    sets: SequenceSet,
    kernel: Kernel = "gaussian",
    sigma: float | None = None,
    C: float | None = 0.05,
    nu: float | None = None,
    radius: Radius = "least",
) -> Spheres:
    """Enclosing spheres (:func:`enclosing_sphere`) of sets of vectors, and the distances between their centres.

    The kernel is Gaussian, ``exp(-|x - y|^2 / (2 sigma^2))``, by default with the median distance between all vectors,
    linear, or a function ``kernel(X, Y)`` that gives an (n, m) matrix. Thesis 2011, eq. 4.5.
    """
    function, offsets = as_kernel(kernel, sets.values, sigma), sets.offsets
    spheres = [enclosing_sphere(function(array, array), C, nu, radius) for array in sets]
    coefficients = np.concatenate([sphere.coefficients for sphere in spheres])
    # From here on, only vectors with a coefficient take part.
    support = np.flatnonzero(coefficients > 0.0)
    values, weights = sets.values[support], coefficients[support]
    bounds = np.searchsorted(support, offsets)
    products = np.zeros((len(sets), len(sets)))
    a = 0
    while a < len(sets):
        b = max(a + 1, int(np.searchsorted(bounds, bounds[a] + _BLOCK_COLUMNS, side="right")) - 1)
        block = function(values[bounds[a] : bounds[b]], values[bounds[a] :]) * weights[bounds[a] :]
        block *= weights[bounds[a] : bounds[b], None]
        rows = np.add.reduceat(block, bounds[a:b] - bounds[a], axis=0)
        products[a:b, a:] = np.add.reduceat(rows, bounds[a:-1] - bounds[a], axis=1)
        a = b
    require_finite(products, "kernel")
    products = np.triu(products) + np.triu(products, k=1).T
    own = np.diag(products)
    squares = np.maximum(own[:, None] + own - 2.0 * products, 0.0)
    np.fill_diagonal(squares, 0.0)
    return Spheres(coefficients, np.array([sphere.radius for sphere in spheres]), squares)


# Merging


@compiled()
def _around(square, r, s):  # type: ignore[no-untyped-def]
    """Radius of the smallest sphere around two, and the position of its centre as a share of the way from the first."""
    d = math.sqrt(square)
    if d + s <= r:
        return r, 0.0
    if d + r <= s:
        return s, 1.0
    radius = 0.5 * (d + r + s)
    return radius, (radius - r) / d


@compiled()
def _nearest(squares, radii, active, i):  # type: ignore[no-untyped-def]
    best, where = np.inf, -1
    for j in range(radii.shape[0]):
        if active[j] and j != i:
            radius, _ = _around(squares[i, j], radii[i], radii[j])
            if radius < best:
                best, where = radius, j
    return best, where


@compiled()
def _merge(squares, radii):  # type: ignore[no-untyped-def]
    """Repeatedly merge the two spheres with the smallest common one; overwrites `squares` and `radii`."""
    n = radii.shape[0]
    merges, shares = np.empty((n - 1, 4)), np.empty(n - 1)
    active, name, count = np.ones(n, dtype=np.bool_), np.arange(n), np.ones(n)
    value, where = np.empty(n), np.empty(n, dtype=np.int64)
    for i in range(n):
        value[i], where[i] = _nearest(squares, radii, active, i)
    for step in range(n - 1):
        a = -1
        for i in range(n):
            if active[i] and (a < 0 or value[i] < value[a]):
                a = i
        b = where[a]
        radius, share = _around(squares[a, b], radii[a], radii[b])
        first = name[a] < name[b]
        merges[step, 0], merges[step, 1] = (name[a], name[b]) if first else (name[b], name[a])
        merges[step, 2], merges[step, 3] = radius, count[a] + count[b]
        shares[step] = share if first else 1.0 - share
        # Squared distances from a point on the line between two others (Stewart's theorem).
        gap = squares[a, b]
        active[b] = False
        radii[a], name[a], count[a] = radius, n + step, count[a] + count[b]
        for k in range(n):
            if active[k] and k != a:
                square = (1.0 - share) * squares[a, k] + share * squares[b, k] - share * (1.0 - share) * gap
                squares[a, k] = squares[k, a] = max(square, 0.0)
        value[a], where[a] = _nearest(squares, radii, active, a)
        for k in range(n):
            if active[k] and k != a:
                if where[k] == a or where[k] == b:
                    value[k], where[k] = _nearest(squares, radii, active, k)
                else:
                    common, _ = _around(squares[k, a], radii[k], radii[a])
                    if common < value[k] or (common == value[k] and a < where[k]):
                        value[k], where[k] = common, a
    return merges, shares


def merge_pair(square: float, r: float, s: float) -> tuple[float, float]:
    """Radius and centre of the smallest sphere around two with radii r and s and centres sqrt(square) apart.

    ``max(r, s, (d + r + s) / 2)``: the larger one's, if it contains the other. The centre is given as a share of the way from the
    first (0) to the second (1). Thesis 2011, eqs 4.4 and 4.6, with the containment that section 4.4 requires and algorithm 2
    leaves out.
    """
    radius, share = _around(float(square), float(r), float(s))
    return float(radius), float(share)


def merge_spheres(spheres: Spheres) -> tuple[FloatArray, FloatArray]:
    """Merge the two spheres with the smallest common sphere until one is left: merges (N - 1, 4) and shares (N - 1,).

    Merges are like a linkage of SciPy: the two that are merged (from N on, merge i makes number N + i), the radius of
    their common sphere, the number of sets in it. Radii never fall. A share says where the centre of the common sphere
    lies on the way from the first centre to the second. Thesis 2011, algorithm 2, eqs 4.4 to 4.7. Ties go to the lowest
    indices.
    """
    if len(spheres.radii) == 1:
        return np.empty((0, 4)), np.empty(0)
    merges, shares = _merge(spheres.squares.copy(), spheres.radii.copy())
    return merges, shares


def packed(
    merges: FloatArray, shares: FloatArray, radii: FloatArray, n_clusters: int
) -> tuple[IntArray, FloatArray, FloatArray]:
    """Return the spheres at `n_clusters`: labels (N,), weights (K, N) and radii (K,).

    From what :func:`merge_spheres` gave and the radii of the first spheres. Labels are the sphere that each set ended
    in, numbered from 0 by the first set in it; the centre of each is the sum of the first centres times its weights.
    """
    n = len(radii)
    left: dict[int, tuple[list[int], FloatArray, float]] = {
        i: ([i], np.eye(1, n, i)[0], float(radii[i])) for i in range(n)
    }
    for step in range(n - n_clusters):
        first, second = (left.pop(int(number)) for number in merges[step, :2])
        centre = (1.0 - shares[step]) * first[1] + shares[step] * second[1]
        left[n + step] = (first[0] + second[0], centre, float(merges[step, 2]))
    ordered = sorted(left.values(), key=lambda sphere: min(sphere[0]))
    labels = np.empty(n, dtype=np.int64)
    for k, (members, _, _) in enumerate(ordered):
        labels[members] = k
    return labels, np.array([centre for _, centre, _ in ordered]), np.array([radius for _, _, radius in ordered])
