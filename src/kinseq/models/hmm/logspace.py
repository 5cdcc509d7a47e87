"""The same recursions in log space, for probabilities beyond the range of scaled ones.

Two states that differ by more than 745 nats at one frame, with a transition of nearly zero between them, leave the
range of float64 however the recursion is scaled. Here every alpha and beta is a logarithm, still divided by c_t at
every frame so that long sequences keep their digits.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...core.arrays import FloatArray
from ...core.compiled import part
from .recursions import SHIFT, SHIFT_ERROR
from .simd import LANES, aligned, choose, exp, larger, load, log, repeat, store

_FINITE = -1e300


class LogChain(NamedTuple):
    """Logarithms of the probabilities of a chain, one per lane, so that these kernels exist once."""

    start: FloatArray
    """(K, lanes)"""
    trans: FloatArray
    """(K, K, lanes)"""
    back: FloatArray
    """(K, K, lanes), the transpose"""


def log_chain(n_states: int) -> LogChain:
    """Workspace of the logarithms."""
    k = n_states
    return LogChain(aligned(k, LANES), aligned(k, k, LANES), aligned(k, k, LANES))


@part
def take_logarithms(start, trans, chain):  # type: ignore[no-untyped-def]
    """Fill `chain` from probabilities of all lanes or of each."""
    for i in range(chain.start.shape[0]):
        store(log(load(start, i)), chain.start, i)
        for j in range(chain.start.shape[0]):
            value = log(load(trans, i, j))
            store(value, chain.trans, i, j)
            store(value, chain.back, j, i)


@part
def log_advance(rows, t, matrix, out, u):  # type: ignore[no-untyped-def]
    """out_u(j) = log sum_i exp(rows_t(i) + matrix(i, j)); -inf where every term is."""
    k = matrix.shape[0]
    for j in range(k):
        top = repeat(_FINITE)
        for i in range(k):
            top = larger(top, load(rows, t, i) + load(matrix, i, j))
        s = repeat(0.0)
        for i in range(k):
            s = s + exp(load(rows, t, i) + load(matrix, i, j) - top)
        store(top + log(s), out, u, j)


@part
def log_forward(b, begin, steps, lengths, chain, alpha, scale, sums):  # type: ignore[no-untyped-def]
    """Compute log alpha_t(j) = log b_t(j) - log c_t + log sum_i alpha_{t-1}(i) a_ij, with sum_j alpha_t(j) = 1.

    Arguments as for :func:`~kinseq.models.hmm.recursions.forward`, all in logarithms: `b` stays as it is, `scale`
    receives log c_t, and ``sums[SHIFT] + sums[SHIFT_ERROR]`` becomes the log-likelihood.
    """
    k = b.shape[1]
    length = load(lengths)
    shift, error = load(sums, SHIFT), load(sums, SHIFT_ERROR)
    for t in range(steps):
        frame = float(begin + t)
        if begin + t == 0:
            for j in range(k):
                store(load(chain.start, j), alpha, 1, j)
        else:
            log_advance(alpha, t, chain.trans, alpha, t + 1)
        top = repeat(_FINITE)
        for j in range(k):
            joint = load(alpha, t + 1, j) + load(b, t, j)
            store(joint, alpha, t + 1, j)
            top = larger(top, joint)
        s = repeat(0.0)
        for j in range(k):
            s = s + exp(load(alpha, t + 1, j) - top)
        c = choose(frame, length, top + log(s), 0.0)
        for j in range(k):
            store(load(alpha, t + 1, j) - c, alpha, t + 1, j)
        store(c, scale, t)
        added = shift + c
        part = added - shift
        error = error + ((shift - (added - part)) + (c - part))
        shift = added
    store(shift, sums, SHIFT)
    store(error, sums, SHIFT_ERROR)


@part
def log_backward(b, steps, lengths, chain, alpha, scale, gamma):  # type: ignore[no-untyped-def]
    """Compute log beta_t(i) = log sum_j a_ij w_{t+1}(j), w_t(j) = b_t(j) beta_t(j) / c_t; gamma_t = alpha_t beta_t.

    Overwrites `b` with log w (-inf past the end of a sequence) and fills `gamma` with log gamma.
    """
    k = b.shape[1]
    length = load(lengths)
    for t in range(steps - 1, -1, -1):
        inside, inner = float(t), float(t + 1)
        if t < steps - 1:
            log_advance(b, t + 1, chain.back, gamma, t)
        for j in range(k):
            beta = choose(inner, length, load(gamma, t, j), 0.0)
            store(choose(inside, length, beta + load(alpha, t + 1, j), -np.inf), gamma, t, j)
            store(choose(inside, length, beta + load(b, t, j) - load(scale, t), -np.inf), b, t, j)


@part
def log_count_transitions(alpha, w, steps, chain, counts):  # type: ignore[no-untyped-def]
    """Fill `counts` (K, K, lanes) with log xi(i, j) = log a_ij + log sum_{t < T-1} alpha_t(i) w_{t+1}(j)."""
    k = chain.start.shape[0]
    for i in range(k):
        for j in range(k):
            top = repeat(_FINITE)
            for t in range(1, steps):
                top = larger(top, load(alpha, t, i) + load(w, t, j))
            s = repeat(0.0)
            for t in range(1, steps):
                s = s + exp(load(alpha, t, i) + load(w, t, j) - top)
            store(top + log(s) + load(chain.trans, i, j), counts, i, j)
