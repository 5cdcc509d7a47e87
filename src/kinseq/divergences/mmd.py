"""Maximum mean discrepancy with a Gaussian kernel (Gretton et al., 2007; thesis 2011, section 4.2.2)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..core.arrays import FloatArray, IntArray
from ..core.errors import ParameterError
from ..core.sequences import Sequences, SequenceSet, as_sequence_set
from .checks import as_pair, as_real, require_vectors
from .neighbours import comparable, squared_distances

MEDIAN_OF = 4000
"""Number of vectors for the median width; of more, as many at even steps."""

# Avoid powers of two, where distant rows share cache lines.
_ROWS, _COLUMNS = 250, 1000


def median_distance(values: ArrayLike) -> float:
    """Median distance between vectors, the usual width of a Gaussian kernel.

    Parameters
    ----------
    values : array_like, shape (n, d)
        Of more than :data:`MEDIAN_OF` vectors, so many at even steps are examined.

    Returns
    -------
    float
        Positive: the median of the positive distances if more than half are zero, 1 if all are.
    """
    array = np.asarray(values, dtype=np.float64)
    if len(array) > MEDIAN_OF:
        array = array[np.linspace(0, len(array) - 1, MEDIAN_OF).astype(np.int64)]
    scaled = comparable(array)
    squares = _squares_of_pairs(scaled)
    median = _median(squares) or _median(squares[squares > 0.0])
    if median == 0.0:
        return 1.0
    # Scaling is by a power of two, hence exact.
    peak, scaled_peak = float(np.abs(array).max()), float(np.abs(scaled).max())
    return float(np.sqrt(median) * (peak / scaled_peak))


def _median(values: FloatArray) -> float:
    """Return the median of finite numbers, reordering them in place; 0 of none."""
    if not values.size:
        return 0.0
    middle = (values.size - 1) // 2, values.size // 2
    values.partition(middle)
    return float(values[list(middle)].mean())


def _squares_of_pairs(values: FloatArray) -> FloatArray:
    """Return the squared distances of every two of n vectors, shape (n (n - 1) / 2,), by runs of rows."""
    n, columns = len(values), np.ascontiguousarray(values.T)
    squares, filled = np.empty(n * (n - 1) // 2), 0
    for first in range(0, n, _ROWS):
        rows = values[first : first + _ROWS]
        block = np.empty((len(rows), n - first))
        squared_distances(rows, columns[:, first:], block)
        for r in range(len(rows)):
            beyond = block[r, r + 1 :]
            squares[filled : filled + len(beyond)] = beyond
            filled += len(beyond)
    return squares


def _width(sigma: float | None, values: FloatArray) -> float:
    if sigma is None:
        return median_distance(values)
    return as_real(sigma, "sigma", 0.0, float("inf"))


def mean_kernels(sets: SequenceSet, sigma: float) -> FloatArray:
    """Mean of the Gaussian kernel ``exp(-|x - y|^2 / (2 sigma^2))`` between the vectors of every two of N sets, (N, N), by blocks.

    These are inner products of the mean embeddings. :class:`ParameterError` if the width is too small for the data to compute their
    ratio to be held.
    """
    with np.errstate(over="ignore"):
        values = sets.values / (np.sqrt(2.0) * sigma)
    if not np.isfinite(values).all():
        raise ParameterError(
            f"sigma is {sigma!r}, too small for these data; give a value of the order of their distances"
        )
    lengths, offsets, columns = sets.lengths, sets.offsets, np.ascontiguousarray(values.T)
    means = np.zeros((len(sets), len(sets)))
    for a, b in _ranges(offsets, 0, _ROWS):
        room = np.empty(int(offsets[b] - offsets[a]) * max(_COLUMNS, int(lengths.max())))
        for c, e in _ranges(offsets, a, _COLUMNS):
            shape = int(offsets[b] - offsets[a]), int(offsets[e] - offsets[c])
            block = room[: shape[0] * shape[1]].reshape(shape)
            squared_distances(values[offsets[a] : offsets[b]], columns[:, offsets[c] : offsets[e]], block)
            np.negative(block, out=block)
            np.exp(block, out=block)
            sums = np.add.reduceat(block, offsets[c:e] - offsets[c], axis=1)
            means[a:b, c:e] = np.add.reduceat(sums, offsets[a:b] - offsets[a], axis=0)
    means /= lengths[:, None] * lengths
    upper = np.triu(means, k=1)
    return np.asarray(upper + upper.T + np.diag(np.diag(means)))


def _ranges(offsets: IntArray, first: int, size: int) -> list[tuple[int, int]]:
    """Ranges of sets from `first` on, each of at most `size` vectors or one set."""
    ranges, a = [], first
    while a < len(offsets) - 1:
        b = max(a + 1, int(np.searchsorted(offsets, offsets[a] + size, side="right")) - 1)
        ranges.append((a, b))
        a = b
    return ranges


def mmd2(X: ArrayLike, Y: ArrayLike, sigma: float | None = None, unbiased: bool = False) -> float:
    """Return the squared maximum mean discrepancy between two sets.

    Parameters
    ----------
    X, Y : array_like, shapes (n, d) and (m, d)
    sigma : float, optional
        Positive width of the kernel ``exp(-|x - y|^2 / (2 sigma^2))``; the median distance between all vectors of both
        sets if not given.
    unbiased : bool
        Whether the kernel of a vector with itself is left out, which needs two vectors each and may give a negative
        number. Otherwise the squared distance of the mean embeddings, at least 0.

    Returns
    -------
    float

    Raises
    ------
    DataError, ParameterError
        If the sets or the width are not usable.

    References
    ----------
    Gretton et al. (2007); thesis 2011, lemma 4.2.1.
    """
    x, y = as_pair(X, Y)
    if unbiased:
        require_vectors(len(x), 2, "first set")
        require_vectors(len(y), 2, "second set")
    width = _width(sigma, np.concatenate([x, y]))
    means = mean_kernels(SequenceSet.from_arrays([x, y]), width)
    if not unbiased:
        return max(float(means[0, 0] + means[1, 1] - 2.0 * means[0, 1]), 0.0)
    own = sum((n * mean - 1.0) / (n - 1.0) for n, mean in ((len(x), means[0, 0]), (len(y), means[1, 1])))
    return float(own - 2.0 * means[0, 1])


def pairwise_mmd2(sets: Sequences, sigma: float | None = None) -> FloatArray:
    """Return the squared maximum mean discrepancy of every two sets, at one width of the kernel.

    Parameters
    ----------
    sets : SequenceSet or list of array_like, each of shape (n_i, d)
        N sets of vectors.
    sigma : float, optional
        Positive width; the median distance between all vectors of all sets if not given (:func:`median_distance`).

    Returns
    -------
    ndarray, shape (N, N)
        Symmetric, at least 0, zero diagonal.
    """
    data = as_sequence_set(sets)
    means = mean_kernels(data, _width(sigma, data.values))
    own = np.diag(means)
    return np.asarray(np.maximum(own[:, None] + own - 2.0 * means, 0.0))
