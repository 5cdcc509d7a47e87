"""Agreement of two dissimilarities about the nearest neighbours of each item, independent of partitions."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..core.arrays import FloatArray, as_distance
from ..core.errors import DataError
from ..core.random_state import RandomState, check_seed
from ..core.seeds import stream

N_NEAREST = 10
"""Number of nearest neighbours compared; a third of the others for few items."""
MAX_ITEMS = 1000
"""Number of items above which the neighbours of a random sample of this size are compared."""
TIE_TOLERANCE = 1e-9
"""Difference, relative to the largest dissimilarity, below which two are tied: their order is rounding."""


def neighbour_agreement(first: ArrayLike, other: ArrayLike, random_state: RandomState = 0) -> float:
    """Return the correlation of neighbourhoods under two dissimilarities (N, N): at most 1, about 0 by chance.

    Each item shares out k = 10 memberships among the others: one to each of its k nearest, and where several tie for
    the last places, an equal part to each of those. The correlation is over all ordered pairs of items, of a draw where
    there are more than :data:`MAX_ITEMS`. It equals the share of common neighbours, corrected for chance, where there are no
    ties; it is 0 where one of the matrices tells no neighbours apart, and 1 for fewer than three items, which have one
    neighbour each.
    """
    seed = check_seed(random_state)
    one, two = as_distance(first), as_distance(other)
    if one.shape != two.shape:
        raise DataError(f"the matrices have shapes {one.shape} and {two.shape}; give two of the same items")
    n = len(one)
    if n < 3:
        return 1.0
    count = min(N_NEAREST, max(1, (n - 1) // 3))
    rows = np.arange(n) if n <= MAX_ITEMS else np.sort(stream(seed, "neighbours").permutation(n)[:MAX_ITEMS])
    ties = [TIE_TOLERANCE * float(np.abs(square).max()) for square in (one, two)]
    products = np.zeros(3)
    for i in rows:
        u, v = (
            _memberships(np.delete(square[i], i), count, tie) - count / (n - 1)
            for square, tie in zip((one, two), ties, strict=True)
        )
        products += [u @ v, u @ u, v @ v]
    common, own, others = products
    # Rounding errors where all neighbours tie.
    blind = min(own, others) <= 1e-12 * rows.size
    return 0.0 if blind else float(common / np.sqrt(own * others))


def _memberships(distance: FloatArray, count: int, tie: float) -> FloatArray:
    """Return the share of each other item in the `count` nearest ones."""
    last = np.partition(distance, count - 1)[count - 1]
    nearer, tied = distance < last - tie, np.abs(distance - last) <= tie
    return nearer + tied * ((count - nearer.sum()) / tied.sum())
