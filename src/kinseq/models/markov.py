"""Finite Markov chains, many at a time."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..core.arrays import FloatArray, require_finite
from ..core.errors import DataError

# Probability with which a chain restarts at a random state. Far below any informative transition probability, far above
# the least float64: it matters only between disconnected parts of a chain.
RESTART_PROBABILITY = 1e-100


def as_transitions(transitions: ArrayLike, where: str = "transitions") -> FloatArray:
    """Transition matrices as a finite (N, K, K) array; a single matrix is accepted.

    :class:`DataError` says what is wrong: another shape, an entry below 0, or a row that is off a sum of 1 by more than 1e-6.
    """
    matrices = np.asarray(transitions, dtype=np.float64)
    if matrices.ndim == 2:
        matrices = matrices[None]
    if matrices.ndim != 3 or matrices.shape[1] != matrices.shape[2] or 0 in matrices.shape:
        raise DataError(f"{where}: have shape {np.shape(transitions)}, expected (N, K, K), none of them zero")
    require_finite(matrices, where)
    wrong = (matrices < 0).any(axis=2) | (np.abs(matrices.sum(axis=2) - 1.0) > 1e-6)
    if wrong.any():
        n, row = (int(i) for i in np.argwhere(wrong)[0])
        raise DataError(
            f"{where}: row {row} of matrix {n} is not a probability distribution (sum {matrices[n, row].sum():g},"
            f" least entry {matrices[n, row].min():g}); divide each row by its sum"
        )
    return matrices


def stationary(transitions: ArrayLike) -> FloatArray:
    """Stationary distribution (N, K) of each chain, ``pi A = pi``; a DataError if a row does not sum to one.

    Where a chain has several closed classes it has many stationary distributions; the one returned is the long-run
    share of time in each state after a start drawn uniformly over all states. Found by elimination without subtractions
    (Grassmann, Taksar and Heyman, 1985), so that small probabilities keep their relative accuracy.
    """
    work = as_transitions(transitions) + RESTART_PROBABILITY
    n, k, _ = work.shape
    for last in range(k - 1, 0, -1):
        # The chain, observed only while it is in one of the first `last` states.
        leave = work[:, last, :last].sum(axis=1)
        work[:, :last, last] /= leave[:, None]
        work[:, :last, :last] += work[:, :last, last, None] * work[:, last, None, :last]
    pi = np.zeros((n, k))
    pi[:, 0] = 1.0
    for state in range(1, k):
        pi[:, state] = (pi[:, :state] * work[:, :state, state]).sum(axis=1)
        # Ratios between states can overflow float64 before scaling.
        pi /= pi.max(axis=1, keepdims=True)
    return np.asarray(pi / pi.sum(axis=1, keepdims=True))
