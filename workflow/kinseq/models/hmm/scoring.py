"""Likelihood, posteriors and expected transition counts of sequences under given models."""

from __future__ import annotations

from collections.abc import Callable
from threading import local
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...arrays import FloatArray, IntArray, as_count
from ...errors import DataError
from ...sequences import Sequences, SequenceSet, as_sequence_set
from .common import LOGARITHMS, SCALED, common_group
from .densities import Model, log_densities, whiten
from .expectation import Work, room
from .jit import kernel, part
from .lanes import LANES, aligned, load, store
from .logspace import LogChain, log_chain, log_forward, take_logarithms
from .maximisation import moments
from .packing import groups, pack
from .recursions import SMALLEST_TRANSITION, clear, forward, forward_doubtful, log_likelihood_of
from .running import Reporter, in_threads, reporter

if TYPE_CHECKING:
    from .bank import HMMBank

PIECE_BYTES = 2**18
"""Frames of a group are scored in pieces of about this size, which stay in the cache while model after model reads them;
it also bounds the memory, whatever the length of a sequence."""
FEW_TRANSITIONS = 1e-200
"""Expected counts of a state below this are taken from log space before they are normalised."""


def _door(bank: HMMBank, sequences: Sequences) -> SequenceSet:
    data = as_sequence_set(sequences)
    if data.n_features != bank.n_features:
        raise DataError(
            f"{data.name}: frames have {data.n_features} features but the models have {bank.n_features};"
            " score with the features the models were fitted on"
        )
    return data


def stacked(bank: HMMBank) -> Model:
    """Parameters of all models of a bank, with a leading axis of models."""
    white, constants = whiten(bank.covars, bank.full)
    back = np.ascontiguousarray(np.swapaxes(bank.transmat, 1, 2))
    return Model(bank.startprob, bank.transmat, back, bank.means, white, constants)


# ---------------------------------------------------------------------------------------------------------------------
# Likelihood
# ---------------------------------------------------------------------------------------------------------------------


class Score(NamedTuple):
    """Room for scoring one group of sequences under M models."""

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
    """(M, K, lanes), alpha at the end of the piece before"""
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


@part
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


@part
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


@kernel
def score_group(values, offsets, members, steps, models, full, least, work, result):  # type: ignore[no-untyped-def]
    """Fill the columns `members` of `result` (M, N), piece by piece of the frames, model by model."""
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
                result[m, members[lane]] = work.loglik[lane]
        if doubt:
            score_in_log_space(values, offsets, members, steps, models, full, m, work)
            for lane in range(LANES):
                if members[lane] >= 0 and work.doubtful[lane] > 0.0:
                    result[m, members[lane]] = work.loglik[lane]


def log_likelihood(bank: HMMBank, sequences: Sequences, threads: int = 1, progress: Reporter = None) -> FloatArray:
    """See :meth:`HMMBank.log_likelihood`."""
    data = _door(bank, sequences)
    threads = as_count(threads, "threads")
    models = stacked(bank)
    grouped = groups(data.lengths)
    steps = data.lengths[grouped[:, 0]]
    result = np.empty((len(bank), len(data)))
    tiny = ((models.trans > 0.0) & (models.trans < SMALLEST_TRANSITION)).any(axis=(1, 2))
    tiny |= ((models.start > 0.0) & (models.start < SMALLEST_TRANSITION)).any(axis=1)
    least = np.where(tiny, 0.0, 1.0)
    thread = local()

    def score(g: int) -> None:
        if not hasattr(thread, "work"):
            thread.work = _score_room(int(steps[0]), len(bank), bank.n_states, bank.n_features)
        score_group(
            data.values, data.offsets, grouped[g], int(steps[g]), models, bank.full, least, thread.work, result
        )  # fmt: skip

    report = reporter(progress, len(grouped), "group")
    for _ in in_threads(score, range(len(grouped)), threads):
        report(1)
    return result


# ---------------------------------------------------------------------------------------------------------------------
# Posteriors and transitions
# ---------------------------------------------------------------------------------------------------------------------


def _expect_groups(
    bank: HMMBank,
    data: SequenceSet,
    threads: int,
    take: Callable[[IntArray, Work, FloatArray, Callable[[], None]], None],
) -> None:
    """E-step of every sequence under one model; `take` is given what was found in each group.

    That is its members, the working arrays, the transition counts, and a function that does all again in logarithms.
    """
    stack = stacked(bank)
    model = Model(*(array[0] for array in stack))
    k = bank.n_states
    grouped = groups(data.lengths)
    steps = data.lengths[grouped[:, 0]]
    _, nothing = moments(1, 1, 1)
    thread = local()

    def run(g: int) -> None:
        if not hasattr(thread, "work"):
            thread.work = room(int(steps[0]), k, bank.n_features, bank.full), aligned(k, k, LANES)
        work, counts = thread.work
        counts[:] = 0.0

        def expectation(task: int) -> None:
            common_group(
                data.values, data.offsets, grouped[g], int(steps[g]), False, task, bank.full, model, work, counts, nothing
            )  # fmt: skip

        expectation(SCALED)
        take(grouped[g], work, counts, lambda: expectation(LOGARITHMS))

    for _ in in_threads(run, range(len(grouped)), threads):
        pass


def posteriors(bank: HMMBank, sequences: Sequences, threads: int = 1) -> list[FloatArray]:
    """See :meth:`HMMBank.posteriors`."""
    data = _door(bank, sequences)
    threads = as_count(threads, "threads")
    if len(bank) not in (1, len(data)):
        raise DataError(
            f"{data.name}: there are {len(data)} sequences but {len(bank)} models; posteriors need one model, or one each"
        )
    result: list[FloatArray] = [np.empty((0, 0))] * len(data)

    def take(first: int, members: IntArray, work: Work, *others: object) -> None:
        for lane, s in enumerate(members):
            if s >= 0:
                gamma = work.gamma[: data.lengths[first + s], :, lane]
                result[first + s] = gamma / gamma.sum(axis=1, keepdims=True)

    if len(bank) == 1:
        _expect_groups(bank, data, threads, lambda *found: take(0, *found))
    else:
        for s in range(len(data)):
            _expect_groups(bank.subset([s]), data.subset([s]), 1, lambda *found, s=s: take(s, *found))
    return result


def _of_each(
    bank: HMMBank,
    sequences: Sequences,
    threads: int,
    make: Callable[[FloatArray, NDArray[np.bool_], Callable[[], None]], FloatArray],
) -> FloatArray:
    """One matrix a sequence under a common model, (N, K, K), made of transition counts.

    `make` is given the counts (K, K, lanes) of a group, which lanes are filled, and a function that puts the logarithms
    of the counts in their place.
    """
    data = _door(bank, sequences)
    if len(bank) != 1:
        raise DataError(
            f"{data.name}: transitions are counted under one common model but the bank holds {len(bank)}; use fit_global"
        )
    result = np.empty((len(data), bank.n_states, bank.n_states))

    def take(members: IntArray, work: Work, counts: FloatArray, in_logarithms: Callable[[], None]) -> None:
        filled = members >= 0
        result[members[filled]] = np.moveaxis(make(counts, filled, in_logarithms), 2, 0)[filled]

    _expect_groups(bank, data, as_count(threads, "threads"), take)
    return result


def expected_transitions(bank: HMMBank, sequences: Sequences, threads: int = 1) -> FloatArray:
    """Expected number of transitions from state i to state j in each sequence.

    Parameters
    ----------
    bank : HMMBank
        One model.
    sequences : SequenceSet or list of array_like, each of shape (T, d)
    threads : int
        Number of threads; no number depends on it.

    Returns
    -------
    ndarray, shape (N, K, K)
        ``sum_{t < T-1} P(state i at t, state j at t + 1 | sequence)``; sums to T - 1 for each sequence.

    Raises
    ------
    DataError
        If the bank holds more than one model or has another number of features.
    """
    return _of_each(bank, sequences, threads, lambda counts, *others: counts)


def induced_transitions(bank: HMMBank, sequences: Sequences, threads: int = 1) -> FloatArray:
    """Transition matrix that each sequence induces on the states of a common model.

    Row i is the expected number of transitions from state i, as in :func:`expected_transitions`, divided by its sum.
    Where the counts of a row are too small for float64 the ratio is taken of their logarithms. A state that cannot be
    left with positive probability (it is unreachable, or the sequence has one frame) gets a uniform row: the common
    row would make sequences alike that have nothing in common.

    Parameters
    ----------
    bank : HMMBank
        One model.
    sequences : SequenceSet or list of array_like, each of shape (T, d)
    threads : int
        Number of threads; no number depends on it.

    Returns
    -------
    ndarray, shape (N, K, K)
        Rows sum to 1.

    Raises
    ------
    DataError
        If the bank holds more than one model or has another number of features.

    Notes
    -----
    2011 thesis, chapter 3, and the paper on state-space dynamics, Algorithm 1, with the sum running to T - 1 and the
    emission taken at the state that is entered.
    """

    def normalised(counts: FloatArray, filled: NDArray[np.bool_], in_logarithms: Callable[[], None]) -> FloatArray:
        rare = counts.sum(axis=1) < FEW_TRANSITIONS
        leaving = np.where(rare, 1.0, counts.sum(axis=1))
        rows = counts / leaving[:, None, :]
        if rare[:, filled].any():
            in_logarithms()
            top = counts.max(axis=1, keepdims=True)
            never = np.isneginf(top)
            ratios = np.where(never, 1.0, np.exp(counts - np.where(never, 0.0, top)))
            rows = np.where(rare[:, None, :], ratios / ratios.sum(axis=1, keepdims=True), rows)
        return rows

    return _of_each(bank, sequences, threads, normalised)
