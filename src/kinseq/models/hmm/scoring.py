"""Log-likelihood of every sequence under every model."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np

from ...core.arrays import FloatArray, IntArray
from ...core.compiled import compiled, inlined
from ...core.errors import ParameterError
from ...core.jobs import ThreadLocal, as_threads, each
from ...core.sequences import Sequences
from .bank import HMMBank, compatible
from .densities import Model, log_densities, stacked
from .logspace import LogChain, log_chain, log_forward, take_logarithms
from .packing import groups, pack
from .recursions import SMALLEST_TRANSITION, clear, forward, forward_doubtful, log_likelihood_of
from .running import Reporter, reporter
from .simd import LANES, aligned, load, store

PIECE_BYTES = 2**18
"""Approximate size of the pieces in which the frames of a group are scored, which stay in the cache for model after model;
it also bounds the memory, whatever the length of a sequence."""


class Score(NamedTuple):
    """Workspace for scoring one group of sequences under M models."""

    x: FloatArray
    """(P, d, lanes), one piece of the frames"""
    b: FloatArray
    """(P, K, lanes)"""
    alpha: FloatArray
    """(P + 1, K, lanes)"""
    scale: FloatArray
    """(P, lanes)"""
    gap: FloatArray
    """(1, d, lanes)"""
    carried: FloatArray
    """(M, K, lanes), alpha at the end of the previous piece"""
    sums: FloatArray
    """(M, 5, lanes)"""
    lengths: FloatArray
    """(lanes,)"""
    doubtful: FloatArray
    """(lanes,)"""
    loglik: FloatArray
    """(lanes,)"""
    chain: LogChain


def _score_room(steps: int, n_models: int, k: int, d: int) -> Score:
    piece = min(steps, max(16, PIECE_BYTES // (d * LANES * 8)))
    return Score(
        aligned(piece, d, LANES),
        aligned(piece, k, LANES),
        aligned(piece + 1, k, LANES),
        aligned(piece, LANES),
        aligned(1, d, LANES),
        aligned(n_models, k, LANES),
        aligned(n_models, 5, LANES),
        aligned(LANES),
        aligned(LANES),
        aligned(LANES),
        log_chain(k),
    )


@inlined
def score_piece(models, full, m, begin, steps, work):  # type: ignore[no-untyped-def]
    """Densities and forward recursion of model m over the frames in ``work.x``, in log space if the model says so."""
    log_densities(work.x, steps, models.means[m], models.white[m], models.constants[m], full, work.gap, work.b)
    for j in range(work.b.shape[1]):
        store(load(work.carried, m, j), work.alpha, 0, j)
    forward(
        work.b, begin, steps, work.lengths, models.start[m], models.trans[m], work.alpha, work.scale, work.sums[m]
    )  # fmt: skip
    for j in range(work.b.shape[1]):
        store(load(work.alpha, steps, j), work.carried, m, j)


@inlined
def score_in_log_space(values, offsets, members, steps, models, full, m, work):  # type: ignore[no-untyped-def]
    """Log-likelihoods of one group under model m, in log space, into ``work.loglik``."""
    clear(work.sums[m], 1.0)
    take_logarithms(models.start[m], models.trans[m], work.chain)
    for begin in range(0, steps, work.x.shape[0]):
        piece = min(work.x.shape[0], steps - begin)
        pack(values, offsets, members, begin, piece, work.x, work.lengths)
        log_densities(work.x, piece, models.means[m], models.white[m], models.constants[m], full, work.gap, work.b)
        log_forward(work.b, begin, piece, work.lengths, work.chain, work.alpha, work.scale, work.sums[m])
        for j in range(work.b.shape[1]):
            store(load(work.alpha, piece, j), work.alpha, 0, j)
    log_likelihood_of(work.sums[m], work.loglik)


@compiled()
def score_group(values, offsets, members, steps, models, full, least, work, result):  # type: ignore[no-untyped-def]
    """Fill `result` (M, lanes), piece by piece of the frames, model by model."""
    for m in range(result.shape[0]):
        clear(work.sums[m], least[m])
    for begin in range(0, steps, work.x.shape[0]):
        piece = min(work.x.shape[0], steps - begin)
        pack(values, offsets, members, begin, piece, work.x, work.lengths)
        for m in range(result.shape[0]):
            score_piece(models, full, m, begin, piece, work)
    for m in range(result.shape[0]):
        log_likelihood_of(work.sums[m], work.loglik)
        doubt = forward_doubtful(work.sums[m], work.doubtful)
        for lane in range(LANES):
            if members[lane] >= 0:
                result[m, lane] = work.loglik[lane]
        if doubt:
            score_in_log_space(values, offsets, members, steps, models, full, m, work)
            for lane in range(LANES):
                if members[lane] >= 0 and work.doubtful[lane] > 0.0:
                    result[m, lane] = work.loglik[lane]


def _rows(bank: HMMBank, block: slice | tuple[int, int] | None) -> tuple[int, int]:
    """Return the first and past-the-last model of a block of consecutive rows."""
    rows = block if isinstance(block, slice) else slice(*(block or (None,)))
    if rows.step not in (None, 1):
        raise ParameterError(f"block has step {rows.step}, expected consecutive rows")
    start, stop, _ = rows.indices(len(bank))
    return start, stop


def log_likelihood(
    bank: HMMBank,
    sequences: Sequences,
    block: slice | tuple[int, int] | None = None,
    n_jobs: int | None = None,
    progress: Reporter = None,
) -> FloatArray:
    """Return the log-likelihood of every sequence under every model.

    Parameters
    ----------
    bank : HMMBank
        M models.
    sequences : SequenceSet or list of array_like, each of shape (T, d)
        N sequences.
    block : slice or (start, stop), optional
        Rows (models) to compute; all if not given.
    n_jobs : int or None
        Number of threads; no number depends on it.
    progress : str or callable, optional
        A label under which lines with an ETA go to standard error, or ``progress(done, total)``.

    Returns
    -------
    ndarray, shape (M, N)
        Total log-likelihoods in nats (not divided by length); rows are models. Values are finite or ``-inf``, the
        latter only where a model gives a sequence probability zero.

    Raises
    ------
    DataError
        If the sequences have another number of features than the models.
    ParameterError
        If `block` does not name consecutive rows.
    """
    threads = as_threads(n_jobs)
    data = compatible(bank, sequences)
    start, stop = _rows(bank, block)
    if start >= stop:
        return np.empty((0, len(data)))
    if (start, stop) != (0, len(bank)):
        bank = bank.subset(np.arange(start, stop))
    models = stacked(bank)
    grouped = groups(data.lengths)
    steps = data.lengths[grouped[:, 0]]
    result = np.empty((len(bank), len(data)))
    tiny = ((models.trans > 0.0) & (models.trans < SMALLEST_TRANSITION)).any(axis=(1, 2))
    tiny |= ((models.start > 0.0) & (models.start < SMALLEST_TRANSITION)).any(axis=1)
    least = np.where(tiny, 0.0, 1.0)
    room = ThreadLocal(partial(_score_room, int(steps[0]), len(bank), bank.n_states, bank.n_features))
    report = reporter(progress, len(grouped), "group")
    scored = each(_scored, grouped, threads, data.values, data.offsets, models, bank.full, least, room)
    for members, logliks in zip(grouped, scored, strict=True):
        filled = members >= 0
        result[:, members[filled]] = logliks[:, filled]
        report(1)
    return result


def _scored(
    members: IntArray,
    values: FloatArray,
    offsets: IntArray,
    models: Model,
    full: bool,
    least: FloatArray,
    room: ThreadLocal[Score],
) -> FloatArray:
    """Log-likelihoods of one group under all models, shape (M, lanes)."""
    logliks = np.empty((len(least), LANES))
    steps = int(offsets[members[0] + 1] - offsets[members[0]])
    score_group(values, offsets, members, steps, models, full, least, room(), logliks)
    return logliks
