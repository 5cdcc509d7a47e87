"""Likelihood, posteriors and expected transition counts of sequences under given models."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from ...arrays import FloatArray, as_count
from ...errors import DataError
from ...progress import Progress
from ...sequences import Sequences, SequenceSet, as_sequence_set
from .densities import log_densities
from .recursions import backward, forward, log_transition_counts, logsumexp

if TYPE_CHECKING:
    from .bank import HMMBank


def _log(p: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(p))


def _door(bank: HMMBank, sequences: Sequences) -> SequenceSet:
    data = as_sequence_set(sequences)
    if data.n_features != bank.n_features:
        raise DataError(
            f"{data.name}: frames have {data.n_features} features but the models have {bank.n_features};"
            " score with the features the models were fitted on"
        )
    return data


def reporter(progress: str | Callable[[int, int], None] | None, total: int, unit: str) -> Callable[[int], None]:
    """A function that takes the number of steps done since it was last called."""
    if progress is None:
        return lambda count: None
    if isinstance(progress, str):
        return Progress(progress, total, unit).step
    done = 0

    def step(count: int) -> None:
        nonlocal done
        done += count
        progress(done, total)

    return step


def log_likelihood(
    bank: HMMBank, sequences: Sequences, threads: int = 1, progress: str | Callable[[int, int], None] | None = None
) -> FloatArray:
    """See :meth:`HMMBank.log_likelihood`."""
    data = _door(bank, sequences)
    as_count(threads, "threads")
    step = reporter(progress, len(bank), "model")
    result = np.empty((len(bank), len(data)))
    for m in range(len(bank)):
        log_b = log_densities(data.values, bank.means[m], bank.covars[m])
        for s in range(len(data)):
            rows = log_b[data.offsets[s] : data.offsets[s + 1]]
            result[m, s] = logsumexp(forward(_log(bank.startprob[m]), _log(bank.transmat[m]), rows)[-1])
        step(1)
    return result


def posteriors(bank: HMMBank, sequences: Sequences, threads: int = 1) -> list[FloatArray]:
    """See :meth:`HMMBank.posteriors`."""
    data = _door(bank, sequences)
    as_count(threads, "threads")
    if len(bank) not in (1, len(data)):
        raise DataError(
            f"{data.name}: there are {len(data)} sequences but {len(bank)} models; posteriors need one model, or one each"
        )
    result = []
    for s, x in enumerate(data):
        m = s if len(bank) > 1 else 0
        log_b = log_densities(x, bank.means[m], bank.covars[m])
        log_trans = _log(bank.transmat[m])
        both = forward(_log(bank.startprob[m]), log_trans, log_b) + backward(log_trans, log_b)
        gamma = np.exp(both - both.max(axis=1, keepdims=True))
        result.append(gamma / gamma.sum(axis=1, keepdims=True))
    return result


def _log_transitions(bank: HMMBank, sequences: Sequences) -> FloatArray:
    data = _door(bank, sequences)
    if len(bank) != 1:
        raise DataError(f"{data.name}: transitions are counted under one common model but the bank holds {len(bank)}")
    log_trans = _log(bank.transmat[0])
    counts = np.empty((len(data), bank.n_states, bank.n_states))
    for s, x in enumerate(data):
        log_b = log_densities(x, bank.means[0], bank.covars[0])
        alpha = forward(_log(bank.startprob[0]), log_trans, log_b)
        counts[s] = log_transition_counts(log_trans, log_b, alpha, backward(log_trans, log_b)) - logsumexp(alpha[-1])
    return counts


def expected_transitions(bank: HMMBank, sequences: Sequences, threads: int = 1) -> FloatArray:
    """Expected number of transitions from state i to state j in each sequence, under a bank of one model.

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
        Counts that sum to ``T - 1`` for each sequence.
    """
    as_count(threads, "threads")
    return np.asarray(np.exp(_log_transitions(bank, sequences)))


def induced_transitions(bank: HMMBank, sequences: Sequences, threads: int = 1) -> FloatArray:
    """Transition matrix that each sequence induces on the states of a common model (2011 thesis, Algorithm 1).

    ``a_ij`` is proportional to ``sum_{t<T} alpha_t(i) a_ij b_j(x_{t+1}) beta_{t+1}(j)``, rows normalised. A row whose
    counts are too small for float64 is the ratio of their logarithms; a state that cannot be left with positive
    probability (an unreachable state, a sequence of one frame) gets a uniform row, never the common one.

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
    """
    as_count(threads, "threads")
    logs = _log_transitions(bank, sequences)
    top = logs.max(axis=2, keepdims=True)
    empty = np.isneginf(top)
    rows = np.exp(logs - np.where(empty, 0.0, top))
    rows = np.where(empty, 1.0, rows)
    return np.asarray(rows / rows.sum(axis=2, keepdims=True))
