"""Similarity network fusion: one affinity from several views of the same items.

Each view's affinity is diffused, again and again, along the nearest neighbours of that view and over the mean of the
other views. Links that several views support grow, links that only one view has fade.

Source: Wang et al. (2014), "Similarity network fusion for aggregating data types on a genomic scale", Nature Methods 11.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import FloatArray, IntArray, as_count, as_distance
from ..errors import DataError
from ..jobs import workers
from .affinity import gaussian, local_widths

if TYPE_CHECKING:
    from scipy.sparse import csr_array

N_ITERATIONS = 20
"""Rounds of diffusion; the authors report convergence within 20."""
MIN_DIFFUSED_ITEMS = 40
"""Number of items below which affinities are averaged: neighbourhoods of a handful of items are too small for diffusion."""
N_NEIGHBOURS = 10
"""Number of neighbours of an item in each view, for large enough sets."""


def neighbour_count(n_items: int) -> int:
    """Return the number of neighbours for the diffusion of a view: 10, for fewer than 100 items a tenth, at least 3.

    It does not depend on the number of clusters, which is not known yet.
    """
    return min(N_NEIGHBOURS, max(3, n_items // 10), max(1, n_items - 1))


def local_affinity(distance: ArrayLike) -> FloatArray:
    """Gaussian affinity with one width per item, so that views of any unit and density can be compared.

    Of an (N, N) distance whose magnitudes count: symmetric, between 0 and 1, zero diagonal. Zelnik-Manor and Perona
    (2004).
    """
    square = as_distance(distance)
    return gaussian(square, local_widths(square))


def local_exponent(distance: FloatArray) -> FloatArray:
    """Minus the logarithm of :func:`local_affinity`, without underflow for distant items."""
    root = np.sqrt(local_widths(distance))
    ratio = np.minimum(np.abs(distance) / root[:, None] / root, 1e150)
    return np.asarray(0.5 * ratio * ratio)


def join_components(distance: FloatArray, parts: IntArray, exponent: FloatArray) -> FloatArray:
    """Set distances between disconnected parts from their nearest items.

    Parts, one of `parts` (N,) an item, are joined one after another, the nearest first, each by one link between the
    two items that are nearest to each other; entries of `distance` between parts are ignored. A link is longer
    than all distances within parts, by ``log(1 + e)`` with e the exponent of its items (:func:`local_exponent`); other
    pairs of two parts are as far apart as the way over the link.
    """
    joined, group = distance.copy(), parts.copy()
    longest = float(distance[parts[:, None] == parts].max())
    between = np.where(parts[:, None] != parts, exponent, np.inf)
    while (group != group[0]).any():
        i, j = (int(k) for k in np.unravel_index(int(between.argmin()), between.shape))
        here, there = np.flatnonzero(group == group[i]), np.flatnonzero(group == group[j])
        way = joined[here, i][:, None] + (longest + np.log1p(between[i, j])) + joined[j, there]
        joined[np.ix_(here, there)] = way
        joined[np.ix_(there, here)] = way.T
        between[np.ix_(here, there)] = between[np.ix_(there, here)] = np.inf
        group[there] = group[i]
    return joined


def is_constant(distance: FloatArray, negligible: float = 0.0) -> bool:
    """Whether all pairs are equally far apart up to `negligible` rounding, so that a view is uninformative."""
    if len(distance) < 2:
        return True
    entries = np.abs(distance)
    # Ignore pairs of an item and itself: replace them by the distance of another pair.
    np.fill_diagonal(entries, entries[0, 1])
    largest = entries.max()
    return bool(largest - entries.min() <= max(1e-9 * largest, negligible))


def transitions(affinity: FloatArray, n_neighbours: int) -> csr_array:
    """Random walk from each row's item to its nearest neighbours, in proportion to their (M, N) affinities.

    An affinity of 0 is an item that must not be reached, as itself; of equal ones the first. Rows sum to one, but that
    a row whose affinities all underflow to 0 passes nothing on.
    """
    from scipy.sparse import csr_array

    m, n = affinity.shape
    near, weights = _neighbours(affinity, n_neighbours)
    k = near.shape[1]
    return csr_array((weights.ravel(), near.ravel(), np.arange(0, m * k + 1, k)), shape=(m, n))


def _neighbours(affinity: FloatArray, n_neighbours: int) -> tuple[IntArray, FloatArray]:
    """Nearest neighbours of the walk and their weights, both of shape (M, k)."""
    near = np.argsort(-affinity, axis=1, kind="stable")[:, : min(n_neighbours, affinity.shape[1])]
    weights = np.take_along_axis(affinity, near, axis=1)
    total = weights.sum(axis=1, keepdims=True)
    return np.ascontiguousarray(near), weights / np.where(total > 0, total, 1.0)


def fuse(
    affinities: Sequence[FloatArray],
    n_neighbours: int | None = None,
    n_iterations: int = N_ITERATIONS,
    threads: int = 1,
) -> FloatArray:
    """Fuse the symmetric affinities (N, N) of several views, not negative, into one with a zero diagonal.

    Each is diffused along `n_neighbours`, by default :func:`neighbour_count`, and for fewer than :data:`MIN_DIFFUSED_ITEMS` items
    the plain mean is taken; their diagonals are ignored. A single view stays as it is; a DataError if there is none,
    or views differ in shape. Wang et al. (2014), equations 2 to 5; with neighbourhoods as sparse matrices, so that a
    round costs time in proportion to ``n_neighbours * N**2``. Views go on side by side in `threads`; no number depends on it.
    """
    views = [np.array(affinity, dtype=np.float64) for affinity in affinities]
    if not views or len({view.shape for view in views}) > 1:
        raise DataError(
            f"fusion: {len(views)} views of {len({view.shape for view in views})} shapes; give views of one set"
        )
    n, m = len(views[0]), len(views)
    for view in views:
        np.fill_diagonal(view, 0.0)
    if m == 1 or (n < MIN_DIFFUSED_ITEMS and n_neighbours is None):
        return _total(views) / m
    k = neighbour_count(n) if n_neighbours is None else as_count(n_neighbours, "n_neighbours")
    from .diffusion import balance, diffuse

    rounds = as_count(n_iterations, "n_iterations")
    with workers(min(threads, m)) as spread:
        walks = list(spread(lambda view: _neighbours(view, k), views))
        for _ in spread(balance, views):
            pass
        for _ in range(rounds):
            # The sum of the other views replaces their mean: balancing removes common factors.
            total = _total(views)
            for _ in spread(lambda walk, view, total=total: diffuse(*walk, total, view), walks, views):
                pass
    fused = _total(views) / m
    fused = 0.5 * (fused + fused.T)
    np.fill_diagonal(fused, 0.0)
    return fused


def _total(views: Sequence[FloatArray]) -> FloatArray:
    out = views[0].copy()
    for view in views[1:]:
        out += view
    return out
