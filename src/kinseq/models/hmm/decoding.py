"""The most probable path of the states of each sequence (Viterbi)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...core.arrays import FloatArray, IntArray
from ...core.compiled import compiled
from ...core.errors import DataError
from ...core.jobs import as_threads, in_threads
from ...core.sequences import Sequences
from .bank import HMMBank, compatible
from .densities import Model, log_densities, stacked
from .simd import LANES, aligned, choose, load, repeat, store

BLOCK_STEPS = 16
"""Densities are computed for this many times LANES frames at once; they stay in the cache until they are used."""


class Search(NamedTuple):
    """Workspace of the path search. States are in lanes here, padded to G groups of LANES."""

    x: FloatArray
    """(BLOCK_STEPS, d, lanes), frames; LANES consecutive ones side by side"""
    b: FloatArray
    """(BLOCK_STEPS, K, lanes), their log-densities"""
    gap: FloatArray
    """(1, d, lanes)"""
    start: FloatArray
    """(G, lanes), logarithms, -inf for padding"""
    trans: FloatArray
    """(K, G, lanes), logarithms of a_ij with j in lanes"""
    delta: FloatArray
    """(G * LANES,), log-probability of the best path to each state, minus the removed part"""
    best: FloatArray
    """(G, lanes)"""
    origin: FloatArray
    """(G, lanes), previous state on that path"""


def _room(bank: HMMBank) -> Search:
    k, d = bank.n_states, bank.n_features
    padded = -(-k // LANES)
    start, trans = aligned(padded, LANES), aligned(k, padded, LANES)
    start[:], trans[:] = -np.inf, -np.inf
    with np.errstate(divide="ignore"):
        start.reshape(-1)[:k] = np.log(bank.startprob[0])
        trans.reshape(k, -1)[:, :k] = np.log(bank.transmat[0])
    best, origin = aligned(padded, LANES), aligned(padded, LANES)
    delta = aligned(padded * LANES)
    return Search(
        aligned(BLOCK_STEPS, d, LANES),
        aligned(BLOCK_STEPS, k, LANES),
        aligned(1, d, LANES),
        start,
        trans,
        delta,
        best,
        origin,
    )


@compiled()
def search(values, offsets, first, last, model, full, room, back, paths, loglik):  # type: ignore[no-untyped-def]
    """delta_t(j) = log b_t(j) + max_i (delta_{t-1}(i) + log a_ij), and the way back from the best last state.

    Fills ``paths`` (frames,) and ``loglik`` (N,) of the sequences ``first .. last - 1``; `back` (T, K) is used. Ties go to
    the lowest state. What is common to all states is taken out every few frames and summed apart with its rounding error.
    """
    k, d = model.means.shape
    padded = room.best.shape[0]
    for s in range(first, last):
        begin, end = offsets[s], offsets[s + 1]
        total, error = 0.0, 0.0
        for block in range(begin, end, BLOCK_STEPS * LANES):
            filled = min(BLOCK_STEPS * LANES, end - block)
            steps = (filled + LANES - 1) // LANES
            for f in range(steps * LANES):
                row = block + min(f, filled - 1)
                for i in range(d):
                    room.x[f // LANES, i, f % LANES] = values[row, i]
            log_densities(room.x, steps, model.means, model.white, model.constants, full, room.gap, room.b)
            for f in range(filled):
                t = block + f - begin
                if t == 0:
                    for g in range(padded):
                        store(load(room.start, g), room.best, g)
                else:
                    for g in range(padded):
                        best, origin = repeat(-np.inf), repeat(0.0)
                        for i in range(k):
                            reached = load(room.trans, i, g) + load(room.delta, i)
                            origin = choose(best, reached, float(i), origin)
                            best = choose(best, reached, reached, best)
                        store(best, room.best, g)
                        store(origin, room.origin, g)
                    for j in range(k):
                        back[t, j] = np.uint16(room.origin[j // LANES, j % LANES])
                for j in range(k):
                    room.delta[j] = room.best[j // LANES, j % LANES] + room.b[f // LANES, j, f % LANES]
                if f % LANES == 0 or block + f == end - 1:
                    top = room.delta[0]
                    for j in range(1, k):
                        top = max(top, room.delta[j])
                    for j in range(k):
                        room.delta[j] -= top
                    added = total + top
                    part = added - total
                    error += (total - (added - part)) + (top - part)
                    total = added
        state = 0
        for j in range(1, k):
            if room.delta[j] > room.delta[state]:
                state = j
        loglik[s] = total + error
        for t in range(end - begin - 1, 0, -1):
            paths[begin + t] = state
            state = int(back[t, state])
        paths[begin] = state


def viterbi(bank: HMMBank, sequences: Sequences, n_jobs: int | None = None) -> tuple[FloatArray, list[IntArray]]:
    """Return the most probable path of the states of each sequence.

    Parameters
    ----------
    bank : HMMBank
        One model with at most 65 535 states.
    sequences : SequenceSet or list of array_like, each of shape (T, d)
    n_jobs : int or None
        Number of threads; no number depends on it.

    Returns
    -------
    log_likelihood : ndarray, shape (N,)
        ``log p(path, sequence)`` in nats.
    paths : list of ndarray, each of shape (T,), int64
        States from 0; among equally probable paths the one of the lowest states, seen from the end.

    Raises
    ------
    DataError
        If the bank holds more than one model or has another number of features.

    Notes
    -----
    Viterbi's algorithm (Rabiner, 1989, III.B). In addition to the result it takes 2 bytes a frame and state of the longest
    sequence.
    """
    threads = as_threads(n_jobs)
    data = compatible(bank, sequences)
    if len(bank) != 1:
        raise DataError(
            f"{data.name}: paths are those of one model but the bank holds {len(bank)}; take a subset of one"
        )
    if bank.n_states > np.iinfo(np.uint16).max:
        raise DataError(f"{data.name}: the model has {bank.n_states} states, and paths can be found of at most 65535")
    model = Model(*(array[0] for array in stacked(bank)))
    paths = np.empty(len(data.values), dtype=np.int64)
    loglik = np.empty(len(data))
    # As many runs of sequences as threads, with about equal numbers of frames.
    aims = np.arange(1, threads) * (len(data.values) / threads)
    bounds = np.unique([0, *np.searchsorted(data.offsets, aims), len(data)])

    def run(part: int) -> None:
        first, last = int(bounds[part]), int(bounds[part + 1])
        back = np.empty((int(data.lengths[first:last].max()), bank.n_states), dtype=np.uint16)
        search(data.values, data.offsets, first, last, model, bank.full, _room(bank), back, paths, loglik)

    for _ in in_threads(run, range(len(bounds) - 1), threads):
        pass
    return loglik, np.split(paths, data.offsets[1:-1])
