"""Spectrum of the normalised Laplacian of a graph, at one kernel width and swept over many.

With A the affinity and D the diagonal matrix of its row sums, ``L_sym = I - D^-1/2 A D^-1/2`` has eigenvalues
``lambda_1 <= ... <= lambda_N``. Everything here works on ``S = D^-1/2 A D^-1/2``, whose eigenvalues are ``1 - lambda``.

S is built from exponentials of differences to each item's nearest neighbour, so that no affinity underflows before it
is normalised: an item far from all others keeps the limit that a smaller unit of length would give, and no width yields
NaN.

The sweep over widths needs two eigenvalues per width and no eigenvector. It tridiagonalises S only at widths where a
cheap upper bound of the eigengap does not rule the maximum out; the width that it finds is the one a plain sweep finds.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ..arrays import FloatArray

# Two eigengaps nearer than this tie, and the lowest index wins. Far above rounding errors of eigenvalues of magnitude
# one, far below differences that carry information.
TIE_TOLERANCE = 1e-10

# As above for eigenvalues whose vectors are needed: rounding turns these by its size over the difference.
TIE_OF_EIGENVALUES = 1e-8

# As above for the share of items that lies in a space.
TIE_OF_ITEMS = 1e-6

# Ten decimal digits, as a power of two.
_DIGITS = 2.0**33

# A ratio of distance to width beyond any use; its square is still finite.
_MAX_RATIO = 1e150

_LARGEST = float(np.finfo(np.float64).max)

# Allowance of the bounds for rounding.
_ROUNDING_SLACK = 1e-9

# Below this number of items, an eigenvalue is cheaper than its bound.
_MIN_BOUNDED_ITEMS = 48

# From this number of items on, a first pass in single precision is faster.
_MIN_SINGLE_PRECISION_ITEMS = 160


def typical(magnitude: FloatArray) -> float:
    """Median off-diagonal entry of a symmetric matrix of magnitudes.

    The median of the positive ones if more than half are zero, and 1 if there is no positive one at all.
    """
    entries = magnitude[np.triu_indices(len(magnitude), k=1)]
    if entries.size:
        median = float(np.median(entries))
        if median > 0:
            return median
        positive = entries[entries > 0]
        if positive.size:
            return float(np.median(positive))
    return 1.0


def without_last_digits(values: FloatArray) -> FloatArray:
    """Return numbers rounded to ten digits, so that rounding errors tie and the first of equals wins."""
    mantissa, exponent = np.frexp(values)
    return np.asarray(np.ldexp(np.round(mantissa * _DIGITS) / _DIGITS, exponent))


class Graph:
    """Graph over the items of a distance matrix, with computations independent of the kernel width done once.

    Parameters
    ----------
    magnitude : ndarray, shape (N, N)
        Symmetric, finite, not negative.
    diagonal : {"zero", "one", "own"}
        Diagonal of the affinity: 0, 1, or the kernel's value at the diagonal of `magnitude`.
    kernel : {"gaussian", "linear"}
        ``exp(-d^2 / (2 sigma^2))``, or ``exp(-d unit / (2 sigma^2))``: the Gaussian kernel of ``sqrt(d unit)``.

    Attributes
    ----------
    magnitude : ndarray, shape (N, N)
        Distances of which the affinity is a Gaussian.
    unit : float
        Typical distance, see :func:`typical`.
    """

    def __init__(self, magnitude: FloatArray, diagonal: str, kernel: str = "gaussian") -> None:
        self.n_items = len(magnitude)
        # A single item has no neighbour whose distance could stand in for a row without any.
        self._diagonal = "one" if self.n_items == 1 else diagonal
        self.unit = typical(magnitude)
        squares = np.minimum(magnitude / self.unit, _MAX_RATIO)
        if kernel == "linear":
            magnitude = np.sqrt(squares) * self.unit
        else:
            squares *= squares
        self.magnitude = magnitude
        self._beyond, self._nearest = self._relative(squares)

    def _relative(self, squares: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Subtract the least square of each row, in place, and return it."""
        if self._diagonal != "own":
            np.fill_diagonal(squares, 0.0 if self._diagonal == "one" else np.inf)
        nearest = squares.min(axis=1)
        squares -= nearest[:, None]
        return squares, nearest

    def walk(self, width: FloatArray | float, out: FloatArray | None = None) -> tuple[FloatArray, FloatArray]:
        """Random walk on the graph at one kernel width.

        Parameters
        ----------
        width : float, or ndarray of shape (N,)
            Kernel width; one per item gives ``exp(-d_ij^2 / (2 sigma_i sigma_j))``.
        out : ndarray, shape (N, N), optional
            Memory for the first result.

        Returns
        -------
        roots : ndarray, shape (N, N)
            Square roots of the transition probabilities.
        log_degree : ndarray, shape (N,)
            Natural logarithms of the row sums of A.
        """
        if np.ndim(width):
            root = np.sqrt(width)
            ratio = self.magnitude / np.minimum(root[:, None] * root, _LARGEST)
            np.minimum(ratio, _MAX_RATIO, out=ratio)
            beyond, nearest = self._relative(ratio * ratio)
            scale = 1.0
        else:
            beyond, nearest = self._beyond, self._nearest
            with np.errstate(over="ignore"):
                scale = min(float(np.square(np.float64(self.unit) / width)), _LARGEST)
        with np.errstate(over="ignore", invalid="ignore"):
            exponents = np.multiply(beyond, -0.25 * scale, out=out)
        if self._diagonal != "own":
            np.fill_diagonal(exponents, 0.0 if self._diagonal == "one" else -np.inf)
        roots = np.exp(exponents, out=exponents)
        mass = np.einsum("ij,ij->i", roots, roots)
        roots *= (1.0 / np.sqrt(mass))[:, None]
        with np.errstate(over="ignore"):
            log_degree = np.log(mass) - np.minimum(0.5 * scale * nearest, _LARGEST)
        return roots, log_degree

    def normalised(self, width: FloatArray | float) -> FloatArray:
        """S at one kernel width, shape (N, N): the geometric mean of the walk's probabilities there and back."""
        roots, _ = self.walk(width)
        return roots * roots.T


@lru_cache(maxsize=64)
def _workspace(n: int) -> int:
    from scipy.linalg.lapack import dsytrd_lwork

    return int(dsytrd_lwork(n, lower=1)[0])


def cut_eigenvalues(matrix: FloatArray, n_clusters: int, single: bool = False) -> tuple[float, float]:
    """Return the K-th and the next largest eigenvalue of a symmetric matrix, by tridiagonal reduction, then bisection.

    `n_clusters` is K, between 1 and N - 1. With `single`, reduced in single precision: faster, with errors up to
    :func:`single_error`.
    """
    from scipy.linalg import lapack

    n = len(matrix)
    if single:
        reduced = lapack.ssytrd(matrix.astype(np.float32).T, lower=1, lwork=_workspace(n), overwrite_a=1)
    else:
        reduced = lapack.dsytrd(matrix.T, lower=1, lwork=_workspace(n))
    diagonal, beside, failed = reduced[1].astype(np.float64), reduced[2].astype(np.float64), reduced[4]
    if not failed:
        tolerance = 1e-8 if single else 0.0
        count, values, _, _, failed = lapack.dstebz(
            diagonal, beside, 2, 0.0, 1.0, n - n_clusters, n - n_clusters + 1, tolerance, b"E"
        )
        if not failed and count == 2:
            return float(values[1]), float(values[0])
        # Bisection fails if rounding makes its counts contradict each other, on clusters of equal eigenvalues.
        values, failed = lapack.dsterf(diagonal, beside)
    if failed:
        values = np.linalg.eigvalsh(matrix)
    return float(values[n - n_clusters]), float(values[n - n_clusters - 1])


def single_error(n_items: int) -> float:
    """Error bound of an eigenvalue of S (of norm 1) from a reduction in single precision.

    The reduction is backward stable with an error of a few units of rounding; N units, more than fifty times what is
    seen, are allowed for.
    """
    return n_items * float(np.finfo(np.float32).eps)


def eigengap_of(matrix: FloatArray, n_clusters: int, single: bool = False) -> float:
    """Eigengap ``lambda_{K+1} - lambda_K`` of ``I - matrix``; 0 if K = N, where there is no next eigenvalue."""
    if n_clusters >= len(matrix):
        return 0.0
    upper, lower = cut_eigenvalues(matrix, n_clusters, single)
    return max(0.0, upper - lower)


def leading_vectors(matrix: FloatArray, count: int) -> FloatArray:
    """Return eigenvectors of the `count` largest eigenvalues of a symmetric matrix, shape (N, count), largest first.

    Of eigenvalues that tie, any basis of their common space would do, and rounding would choose it: also which part of a space that
    does not fit into `count`. Such a basis is made from the items instead, see :func:`_basis_by_items`.
    """
    n = len(matrix)
    more = min(count + 1, n)
    values, vectors = _leading_pairs(matrix, more)
    while more < n and values[count - 1] - values[more - 1] <= TIE_OF_EIGENVALUES:
        more = min(2 * more, n)
        values, vectors = _leading_pairs(matrix, more)
    ends = np.append(np.flatnonzero(values[:-1] - values[1:] > TIE_OF_EIGENVALUES) + 1, more)
    for start, stop in zip(np.append(0, ends[:-1]), ends, strict=True):
        if stop - start > 1 and start < count:
            vectors[:, start:stop] = _basis_by_items(vectors[:, start:stop])
    return vectors[:, :count]


def _leading_pairs(matrix: FloatArray, count: int) -> tuple[FloatArray, FloatArray]:
    """Return the `count` largest eigenvalues of a symmetric matrix, falling, and their eigenvectors, shape (N, count)."""
    from scipy.linalg import LinAlgError, eigh

    n = len(matrix)
    try:
        values, vectors = eigh(matrix, subset_by_index=[n - count, n - 1], check_finite=False)
    except LinAlgError:
        values, vectors = np.empty(0), np.empty((n, 0))
    if vectors.shape[1] != count:
        # Bisection fails, or silently misses some, on clusters of equal eigenvalues; divide and conquer does not.
        values, vectors = (pairs[..., n - count :] for pairs in np.linalg.eigh(matrix))
    return values[::-1].copy(), vectors[:, ::-1].copy()


def _basis_by_items(vectors: FloatArray) -> FloatArray:
    """Return the orthonormal basis of the space of some vectors, shape (N, m), that its items determine, whatever the given basis.

    The first vector is the projection of the item that lies most in the space, the next one that of the item that lies most in what
    is left of it, and so on; of items that tie, the first.
    """
    left, basis = vectors.copy(), np.empty_like(vectors)
    for k in range(vectors.shape[1]):
        sizes = np.square(left).sum(axis=1)
        item = int(np.flatnonzero(sizes >= (1.0 - TIE_OF_ITEMS) * sizes.max())[0])
        direction = left[item] / np.sqrt(sizes[item])
        basis[:, k] = vectors @ direction
        left -= np.outer(left @ direction, direction)
    return basis


def moment_bound(matrix: FloatArray, n_clusters: int) -> float:
    """Upper bound of the eigengap of S, shape (N, N), from its trace and the trace of its square, rounding allowed for.

    The largest eigenvalue of S is 1. If the K - 1 after it and the N - K last are each replaced by their mean, the two
    traces leave at most ``sqrt(v / (p (1 - p)))`` between the means, with v the variance of all but the first and p the
    share of the former; the gap between neighbours is not larger. K is between 1 and N - 1.
    """
    n_rest = len(matrix) - 1
    mean = (float(np.trace(matrix)) - 1.0) / n_rest
    if n_clusters == 1:
        # The bound needs only the mean of all eigenvalues but the first, available from the trace.
        return 1.0 - mean + _ROUNDING_SLACK
    square = float(np.vdot(matrix, matrix))
    share = (n_clusters - 1) / n_rest
    variance = max((square - 1.0) / n_rest - mean * mean, 0.0) + 1e-14
    return float(np.sqrt(variance / (share * (1.0 - share)))) + _ROUNDING_SLACK


class GroupBasis:
    """A partition of the items whose indicator vectors bound eigenvalues of S from below.

    Weighted by the square roots of the degrees, indicators of well separated groups are close to eigenvectors of S at
    small widths. Eigenvalues of the projection of S on any orthonormal vectors never exceed those of S itself (Cauchy's
    interlacing), so that the bound holds for every partition; a good one makes it tight.

    Parameters
    ----------
    magnitude : ndarray, shape (N, N)
        Symmetric, not negative.
    n_groups : int
        Number of groups requested.
    """

    def __init__(self, magnitude: FloatArray, n_groups: int) -> None:
        from scipy.cluster.hierarchy import fcluster, linkage

        tree = linkage(magnitude[np.triu_indices(len(magnitude), k=1)], method="average")
        _, self.group = np.unique(fcluster(tree, n_groups, criterion="maxclust"), return_inverse=True)
        self.n_groups = int(self.group.max()) + 1

    def eigenvalues(self, matrix: FloatArray, log_degree: FloatArray) -> FloatArray:
        """Return the lower bounds of the `n_groups` largest eigenvalues of S, falling."""
        # Weights relative to the largest of the group, so that not all members underflow.
        largest = np.full(self.n_groups, -np.inf)
        np.maximum.at(largest, self.group, log_degree)
        weight = np.exp(0.5 * (log_degree - largest[self.group]))
        weight /= np.sqrt(np.bincount(self.group, weight * weight))[self.group]
        basis = np.zeros((len(matrix), self.n_groups))
        basis[np.arange(len(matrix)), self.group] = weight
        return np.asarray(np.linalg.eigvalsh(basis.T @ (matrix @ basis))[::-1] - _ROUNDING_SLACK, dtype=np.float64)


def sweep(graph: Graph, n_clusters: int, widths: FloatArray, bar: float = -np.inf) -> tuple[int, float]:
    """Return the index of the width with the largest eigengap, and that eigengap; of widths that tie (within 1e-10), the first.

    `bar` is an eigengap found elsewhere that makes smaller ones (by more than 1e-10) worthless: ``-inf`` if no width
    comes up to it.
    """
    n, m = graph.n_items, len(widths)
    if n_clusters >= n:
        return 0, 0.0 if bar - TIE_TOLERANCE <= 0.0 else -np.inf
    if n < _MIN_BOUNDED_ITEMS:
        gaps = np.array([eigengap_of(graph.normalised(width), n_clusters) for width in widths])
        return _first_of_largest(gaps, bar)
    bounds, promise = np.empty(m), np.full(m, -np.inf)
    basis = GroupBasis(graph.magnitude, min(n, max(20, 2 * n_clusters + 2)))
    separated = basis.n_groups > n_clusters
    # Allocating memory at each width would cost as much as the computation.
    walk, matrix = np.empty((n, n)), np.empty((n, n))
    for i, width in enumerate(widths):
        _, log_degree = graph.walk(width, out=walk)
        np.multiply(walk, walk.T, out=matrix)
        bounds[i] = moment_bound(matrix, n_clusters)
        if separated and bounds[i] >= bar - TIE_TOLERANCE:
            least = basis.eigenvalues(matrix, log_degree)
            bounds[i] = min(bounds[i], 1.0 - least[n_clusters])
            promise[i] = least[n_clusters - 1] - least[n_clusters]
            # Groups hardly different from one group at some width differ even less at the next.
            separated = bool(least[n_clusters] > 0.01)

    def gap_at(i: int, single: bool = False) -> float:
        graph.walk(widths[i], out=walk)
        return eigengap_of(np.multiply(walk, walk.T, out=matrix), n_clusters, single)

    # From cheap to exact, the most promising width first, so that it rules out as many others as possible.
    floor = bar
    if n >= _MIN_SINGLE_PRECISION_ITEMS:
        error = 2.0 * single_error(n)
        for looks, i in enumerate(np.argsort(-promise, kind="stable")):
            if looks == 3 and floor <= 0.0:
                # This cannot distinguish eigengaps as small as the error.
                break
            if bounds[i] >= floor - TIE_TOLERANCE:
                rough = gap_at(i, single=True)
                bounds[i], promise[i] = min(bounds[i], rough + error), rough
                floor = max(floor, rough - error)
    gaps = np.full(m, -np.inf)
    for i in np.argsort(-promise, kind="stable"):
        if bounds[i] >= floor - TIE_TOLERANCE:
            gaps[i] = gap_at(i)
            floor = max(floor, gaps[i])
    return _first_of_largest(gaps, bar)


def _first_of_largest(gaps: FloatArray, bar: float) -> tuple[int, float]:
    largest = float(gaps.max())
    if largest < bar - TIE_TOLERANCE:
        return 0, -np.inf
    index = int(np.flatnonzero(gaps >= largest - TIE_TOLERANCE)[0])
    return index, float(gaps[index])
