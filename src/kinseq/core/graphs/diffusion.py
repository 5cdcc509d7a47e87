"""One round of similarity network fusion, compiled: diffuse the other views along a view's walk.

The numbers are those of products of sparse matrices, to the last bit: sums run over neighbours in their order.
"""

from __future__ import annotations

import numpy as np

from ..compiled import compiled, part
from ..pairwise_sum import pairwise_sum

BLOCK_SIDE = 32
"""Side of the blocks of a transposed matrix, which fit in the cache."""
TINY = np.finfo(np.float64).tiny


@part
def _walk(near, weights, state, out):  # type: ignore[no-untyped-def]
    """Fill each row of `out` with the weighted rows of `state` that the walk leads to."""
    n = out.shape[0]
    for i in range(n):
        for j in range(n):
            out[i, j] = 0.0
        for k in range(near.shape[1]):
            row, weight = near[i, k], weights[i, k]
            for j in range(n):
                out[i, j] += weight * state[row, j]


@part
def _transpose(square, out):  # type: ignore[no-untyped-def]
    n = square.shape[0]
    for first in range(0, n, BLOCK_SIDE):
        for other in range(0, n, BLOCK_SIDE):
            for i in range(first, min(n, first + BLOCK_SIDE)):
                for j in range(other, min(n, other + BLOCK_SIDE)):
                    out[j, i] = square[i, j]


@compiled()
def balance(affinity):  # type: ignore[no-untyped-def]
    """Half of each row's weight to the item itself, the other half to the others, then symmetric; in place.

    The half that stays keeps an item nearest to itself through all rounds (Wang et al., equation 2). The affinity is
    symmetric, so that the mean of ``a_ij / (2 t_i)`` and ``a_ij / (2 t_j)`` needs no transpose. A factor that all entries
    share drops out.
    """
    n = affinity.shape[0]
    shares = np.empty(n)
    for i in range(n):
        affinity[i, i] = 0.0
        total = pairwise_sum(affinity[i], 0, n)
        # Dividing by a sum close to 0 would overflow.
        shares[i] = 0.25 / total if total >= TINY else 0.25
    for i in range(n):
        for j in range(n):
            affinity[i, j] *= shares[i] + shares[j]
        affinity[i, i] = 0.5


@compiled()
def diffuse(near, weights, total, state):  # type: ignore[no-untyped-def]
    """Replace the state of a view by the balanced ``S P S'``, with P the sum of the states of the others, ``total - state``.

    S is the walk to the neighbours ``near (N, k)`` with ``weights (N, k)``.
    """
    n = state.shape[0]
    others, walked = np.empty((n, n)), np.empty((n, n))
    for i in range(n):
        for j in range(n):
            others[i, j] = total[i, j] - state[i, j]
    _walk(near, weights, others, walked)
    _transpose(walked, others)
    _walk(near, weights, others, state)
    balance(state)
