"""Forward and backward recursions in log space."""

from __future__ import annotations

import math

import numba
import numpy as np


@numba.njit(cache=True, nogil=True)
def logsumexp(x):  # type: ignore[no-untyped-def]
    top = x.max()
    if top == -np.inf:
        return -np.inf
    total = 0.0
    for value in x:
        total += math.exp(value - top)
    return top + math.log(total)


@numba.njit(cache=True, nogil=True)
def forward(log_start, log_trans, log_b):  # type: ignore[no-untyped-def]
    """log alpha_t(j) = log sum_i alpha_{t-1}(i) a_ij + log b_j(x_t)."""
    n, k = log_b.shape
    alpha = np.empty((n, k))
    alpha[0] = log_start + log_b[0]
    for t in range(1, n):
        for j in range(k):
            alpha[t, j] = logsumexp(alpha[t - 1] + log_trans[:, j]) + log_b[t, j]
    return alpha


@numba.njit(cache=True, nogil=True)
def backward(log_trans, log_b):  # type: ignore[no-untyped-def]
    """log beta_t(i) = log sum_j a_ij b_j(x_{t+1}) beta_{t+1}(j)."""
    n, k = log_b.shape
    beta = np.zeros((n, k))
    for t in range(n - 2, -1, -1):
        for i in range(k):
            beta[t, i] = logsumexp(log_trans[i] + log_b[t + 1] + beta[t + 1])
    return beta


@numba.njit(cache=True, nogil=True)
def log_transition_counts(log_trans, log_b, alpha, beta):  # type: ignore[no-untyped-def]
    """log of sum_t alpha_t(i) a_ij b_j(x_{t+1}) beta_{t+1}(j), not divided by the likelihood."""
    n, k = log_b.shape
    counts = np.full((k, k), -np.inf)
    if n > 1:
        for i in range(k):
            for j in range(k):
                counts[i, j] = logsumexp(alpha[:-1, i] + log_b[1:, j] + beta[1:, j]) + log_trans[i, j]
    return counts
