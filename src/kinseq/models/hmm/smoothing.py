"""Posteriors of the states, and expected transition counts, under given models."""

from __future__ import annotations

from collections.abc import Callable
from threading import local
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ...core.arrays import FloatArray, IntArray
from ...core.errors import DataError, ParameterError, is_one_of, unknown_name
from ...core.jobs import as_threads, in_threads
from ...core.sequences import Sequences, SequenceSet
from .bank import HMMBank, compatible
from .densities import Model, stacked
from .expectation import Work, expect_group, room
from .packing import groups
from .simd import LANES, aligned

Rows = Literal["limit", "eps"]
ROWS = ("limit", "eps")

FEW_TRANSITIONS = 1e-200
"""Expected counts of a state below which they are computed in log space before normalisation."""


def _expect_groups(
    bank: HMMBank,
    data: SequenceSet,
    threads: int,
    take: Callable[[IntArray, Work, FloatArray, Callable[[], None]], None],
) -> None:
    """E-step of every sequence under one model; `take` receives the result of each group.

    That is its members, the working arrays, the transition counts, and a function that does all again in logarithms.
    """
    stack = stacked(bank)
    model = Model(*(array[0] for array in stack))
    k = bank.n_states
    grouped = groups(data.lengths)
    steps = data.lengths[grouped[:, 0]]
    thread = local()

    def run(g: int) -> None:
        if not hasattr(thread, "work"):
            thread.work = room(int(steps[0]), k, bank.n_features, bank.full), aligned(k, k, LANES)
        work, counts = thread.work
        counts[:] = 0.0

        def expectation(logarithms: bool) -> None:
            expect_group(
                data.values, data.offsets, grouped[g], int(steps[g]), False, logarithms, bank.full, model, work, counts
            )  # fmt: skip

        expectation(False)
        take(grouped[g], work, counts, lambda: expectation(True))

    for _ in in_threads(run, range(len(grouped)), threads):
        pass


def posteriors(bank: HMMBank, sequences: Sequences, n_jobs: int | None = None) -> list[FloatArray]:
    """Posterior probabilities of the states at every frame.

    Parameters
    ----------
    bank : HMMBank
        A bank of one model is applied to every sequence; a bank with as many models as there are sequences applies
        model i to sequence i.
    sequences : SequenceSet or list of array_like, each of shape (T, d)
    n_jobs : int or None
        Number of threads; no number depends on it.

    Returns
    -------
    list of ndarray, each of shape (T, K)
        Rows sum to 1.

    Raises
    ------
    DataError
        If there is neither one model nor one each, or the sequences have another number of features than the models.
    """
    threads = as_threads(n_jobs)
    data = compatible(bank, sequences)
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
        _expect_groups(bank, data, threads, lambda *results: take(0, *results))
    else:
        for s in range(len(data)):
            _expect_groups(bank.subset([s]), data.subset([s]), 1, lambda *results, s=s: take(s, *results))
    return result


def _for_each_sequence(
    bank: HMMBank,
    sequences: Sequences,
    threads: int,
    make: Callable[[FloatArray, NDArray[np.bool_], Callable[[], None]], FloatArray],
) -> FloatArray:
    """Return one matrix per sequence under a common model, (N, K, K), from transition counts.

    `make` is given the counts (K, K, lanes) of a group, which lanes are filled, and a function that puts the logarithms
    of the counts in their place.
    """
    data = compatible(bank, sequences)
    if len(bank) != 1:
        raise DataError(
            f"{data.name}: transitions are counted under one common model but the bank holds {len(bank)}; use fit_common"
        )
    result = np.empty((len(data), bank.n_states, bank.n_states))

    def take(members: IntArray, work: Work, counts: FloatArray, in_logarithms: Callable[[], None]) -> None:
        filled = members >= 0
        result[members[filled]] = np.moveaxis(make(counts, filled, in_logarithms), 2, 0)[filled]

    _expect_groups(bank, data, threads, take)
    return result


def expected_transitions(bank: HMMBank, sequences: Sequences, n_jobs: int | None = None) -> FloatArray:
    """Expected number of transitions from state i to state j in each sequence.

    Parameters
    ----------
    bank : HMMBank
        One model.
    sequences : SequenceSet or list of array_like, each of shape (T, d)
    n_jobs : int or None
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
    threads = as_threads(n_jobs)
    return _for_each_sequence(bank, sequences, threads, lambda counts, *others: counts)


def induced_transitions(
    bank: HMMBank, sequences: Sequences, n_jobs: int | None = None, rows: Rows = "limit"
) -> FloatArray:
    """Transition matrix that each sequence induces on the states of a common model.

    Row i is the expected number of transitions from state i, as in :func:`expected_transitions`, divided by its sum.

    Parameters
    ----------
    bank : HMMBank
        One model.
    sequences : SequenceSet or list of array_like, each of shape (T, d)
    n_jobs : int or None
        Number of threads; no number depends on it.
    rows : {"limit", "eps"}
        What becomes of rows of states that a sequence never visits. ``"limit"``: the ratio as it is printed; where the
        counts of a row are too small for float64 it is taken of their logarithms. A state that cannot be left with
        positive probability (it is unreachable, or the sequence has one frame) gets a uniform row: the common row would
        make sequences alike that have nothing in common. ``"eps"``: the spacing of float64 at 1 (2.2e-16) is added to
        every count before, so that such rows are uniform, and rows of states that are visited stay as they are.

    Returns
    -------
    ndarray, shape (N, K, K)
        Rows sum to 1.

    Raises
    ------
    DataError
        If the bank holds more than one model or has another number of features.
    ParameterError
        If `rows` is unknown.

    Notes
    -----
    2011 thesis, chapter 3, and the paper on state-space dynamics, Algorithm 1, with the sum running to T - 1 and the
    emission taken at the state that is entered. Neither says what becomes of states that are not visited.
    """
    threads = as_threads(n_jobs)
    if not is_one_of(rows, ROWS):
        raise ParameterError(unknown_name("rows", rows, ROWS))
    if rows == "eps":
        counts = expected_transitions(bank, sequences, n_jobs=threads) + np.finfo(np.float64).eps
        return np.asarray(counts / counts.sum(axis=2, keepdims=True))

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

    return _for_each_sequence(bank, sequences, threads, normalised)
