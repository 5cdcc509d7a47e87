"""The E-step: posteriors of the states and expected transition counts of one group of sequences."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...core.arrays import FloatArray
from ...core.compiled import compiled, inlined
from .densities import log_densities
from .logspace import LogChain, log_backward, log_chain, log_count_transitions, log_forward, take_logarithms
from .packing import pack
from .recursions import backward, clear, count_transitions, forward, log_likelihood_of
from .simd import LANES, accumulate, aligned, choose, exp, load, store

GAP_FRAMES = 64


class Work(NamedTuple):
    """Workspace for one group of sequences, created once and reused for every group."""

    x: FloatArray
    """(T, d, lanes), frames"""
    b: FloatArray
    """(T, K, lanes), densities, later w"""
    alpha: FloatArray
    """(T + 1, K, lanes)"""
    gamma: FloatArray
    """(T, K, lanes), posteriors"""
    scale: FloatArray
    """(T, lanes)"""
    gap: FloatArray
    """(some, d, lanes), differences of some frames from a mean"""
    sums: FloatArray
    """(5, lanes)"""
    lengths: FloatArray
    """(lanes,)"""
    doubtful: FloatArray
    """(lanes,)"""
    loglik: FloatArray
    """(lanes,)"""
    chain: LogChain


def room(steps: int, n_states: int, n_features: int, full: bool, frames: bool = True) -> Work:
    """Working arrays for sequences of up to `steps` frames; without `frames`, none for the frames themselves."""
    return Work(
        x=aligned(steps if frames else 1, n_features, LANES),
        b=aligned(steps, n_states, LANES),
        alpha=aligned(steps + 1, n_states, LANES),
        gamma=aligned(steps, n_states, LANES),
        scale=aligned(steps, LANES),
        gap=aligned(min(steps, GAP_FRAMES) if full else 1, n_features, LANES),
        sums=aligned(5, LANES),
        lengths=aligned(LANES),
        doubtful=aligned(LANES),
        loglik=aligned(LANES),
        chain=log_chain(n_states),
    )


@inlined
def in_log_space(work, steps, counts):  # type: ignore[no-untyped-def]
    """E-step in log space, from the log-densities in ``work.b``.

    Fills ``work.gamma`` with log gamma, `counts` (K, K, lanes) with log xi, and the log-likelihood.
    """
    clear(work.sums, 1.0)
    log_forward(work.b, np.int64(0), steps, work.lengths, work.chain, work.alpha, work.scale, work.sums)
    log_likelihood_of(work.sums, work.loglik)
    log_backward(work.b, steps, work.lengths, work.chain, work.alpha, work.scale, work.gamma)
    log_count_transitions(work.alpha, work.b, steps, work.chain, counts)


@inlined
def set_aside(work, steps):  # type: ignore[no-untyped-def]
    """Copies (3, T, K, lanes) of gamma, alpha and w."""
    k = work.b.shape[1]
    backup = np.empty((3, steps, k, LANES))
    for t in range(steps):
        for j in range(k):
            store(load(work.gamma, t, j), backup, 0, t, j)
            store(load(work.alpha, t + 1, j), backup, 1, t, j)
            store(load(work.b, t, j), backup, 2, t, j)
    return backup


@inlined
def rescue(work, steps, backup, loglik):  # type: ignore[no-untyped-def]
    """Redo the E-step of the doubtful lanes in log space, from the log-densities in ``work.b``.

    Replaces their posteriors and log-likelihood, sets their alpha and w to 0 so that no transitions are counted from
    them, and returns their transition counts (K, K, lanes), 0 in the other lanes, which get back `backup`.
    """
    k = work.b.shape[1]
    counts = np.empty((k, k, LANES))
    in_log_space(work, steps, counts)
    doubtful = load(work.doubtful)
    for t in range(steps):
        for j in range(k):
            store(choose(0.5, doubtful, exp(load(work.gamma, t, j)), load(backup, 0, t, j)), work.gamma, t, j)
            store(choose(0.5, doubtful, 0.0, load(backup, 1, t, j)), work.alpha, t + 1, j)
            store(choose(0.5, doubtful, 0.0, load(backup, 2, t, j)), work.b, t, j)
    for i in range(k):
        for j in range(k):
            store(choose(0.5, doubtful, exp(load(counts, i, j)), 0.0), counts, i, j)
    store(choose(0.5, doubtful, load(work.loglik), loglik), work.loglik)
    return counts


@inlined
def expect(model, full, work, steps, counts):  # type: ignore[no-untyped-def]
    """Fill ``work.gamma`` and ``work.loglik`` and add the expected transition counts to `counts`.

    `counts` is (K, K, lanes). Returns the number of lanes that needed log space; they are marked in ``work.doubtful``.
    """
    k = model.trans.shape[0]
    log_densities(work.x, steps, model.means, model.white, model.constants, full, work.gap, work.b)
    clear(work.sums, 1.0)
    forward(work.b, np.int64(0), steps, work.lengths, model.start, model.trans, work.alpha, work.scale, work.sums)
    log_likelihood_of(work.sums, work.loglik)
    doubt = backward(
        work.b, steps, work.lengths, model.back, work.alpha, work.scale, work.gamma, work.sums, work.doubtful
    )
    if not doubt:
        count_transitions(work.alpha, work.b, steps, model.trans, counts)
        return 0
    backup = set_aside(work, steps)
    log_densities(work.x, steps, model.means, model.white, model.constants, full, work.gap, work.b)
    take_logarithms(model.start, model.trans, work.chain)
    rescued = rescue(work, steps, backup, load(work.loglik))
    count_transitions(work.alpha, work.b, steps, model.trans, counts)
    for i in range(k):
        for j in range(k):
            accumulate(load(rescued, i, j), counts, i, j)
    rescued_lanes = 0
    for lane in range(LANES):
        rescued_lanes += int(work.doubtful[lane])
    return rescued_lanes


@compiled()
def expect_group(values, offsets, members, steps, is_packed, logarithms, full, model, work, counts):  # type: ignore[no-untyped-def]
    """E-step of one group of sequences, in which one model serves all lanes.

    Fills ``work.gamma`` and ``work.loglik`` and adds transition counts to `counts` (K, K, lanes). With `logarithms` all is
    done in log space, and both hold logarithms. With `is_packed` the frames are in ``work.x`` already. Returns the number
    of lanes that needed log space.
    """
    if is_packed:
        for lane in range(LANES):
            s = members[lane]
            work.lengths[lane] = offsets[s + 1] - offsets[s] if s >= 0 else 0
    else:
        pack(values, offsets, members, np.int64(0), steps, work.x, work.lengths)
    if logarithms:
        log_densities(work.x, steps, model.means, model.white, model.constants, full, work.gap, work.b)
        take_logarithms(model.start, model.trans, work.chain)
        in_log_space(work, steps, counts)
        return 0
    return expect(model, full, work, steps, counts)
