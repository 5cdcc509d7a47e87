"""Number of states of a common model: information criteria, and the use of each state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ..core.arrays import FloatArray, IntArray, as_count
from ..core.errors import ParameterError, is_one_of, unknown_name
from ..core.random_state import RandomState, check_seed
from ..core.seeds import stream
from ..core.sequences import Sequences, SequenceSet, as_sequence_set

if TYPE_CHECKING:
    from .hmm import HMMBank

__all__ = ["StateSweep", "candidates", "n_parameters", "state_occupancy", "sweep_states"]

Criterion = Literal["bic", "aic"]
CRITERIA = ("bic", "aic")
FRAMES_PER_STATE = 10
"""Least number of frames per state for a common model to be tried."""


@dataclass(frozen=True)
class StateSweep:
    """Information criteria over numbers of states.

    Attributes
    ----------
    n_states : ndarray, shape (M,), int64
        Numbers that were tried.
    loglik : ndarray, shape (M,)
        Log-likelihood of the data in nats.
    n_parameters : ndarray, shape (M,), int64
        Free parameters of each model.
    bic, aic : ndarray, shape (M,)
        ``-2 L + p log n`` with n the number of frames, and ``-2 L + 2 p``; less is better.
    least_occupancy : ndarray, shape (M,)
        Share of frames in the least used state.
    best : int
        Number of states with the least value of the criterion requested; the smallest of equals.
    """

    n_states: IntArray
    loglik: FloatArray
    n_parameters: IntArray
    bic: FloatArray
    aic: FloatArray
    least_occupancy: FloatArray
    best: int


def n_parameters(n_states: int, n_features: int, full: bool) -> int:
    """Number of free parameters of a hidden Markov model with Gaussian emissions, of full covariances or of variances."""
    shape = n_features * (n_features + 1) // 2 if full else n_features
    return n_states - 1 + n_states * (n_states - 1) + n_states * (n_features + shape)


def state_occupancy(bank: HMMBank, sequences: Sequences) -> FloatArray:
    """Mean share of frames in each state of a common model, over all frames of all sequences.

    States with next to no frames are a sign that the model has more states than the data call for.

    Parameters
    ----------
    bank : HMMBank
        One model.
    sequences : SequenceSet or list of array_like, each of shape (T, d)

    Returns
    -------
    ndarray, shape (K,)
        Sums to one.

    References
    ----------
    Thesis 2011, section 3.3.3.
    """
    if len(bank) != 1:
        raise ParameterError(f"the bank holds {len(bank)} models; occupancy is that of one common model")
    from .hmm import posteriors

    total = np.zeros(bank.n_states)
    for gamma in posteriors(bank, sequences):
        total += gamma.sum(axis=0)
    return np.asarray(total / total.sum())


def random_subset(
    sequences: SequenceSet, seed: int, frames: int | None = None, items: int | None = None
) -> SequenceSet:
    """Return a random subset of the sequences, at least one, within a number of frames or of sequences."""
    order = stream(seed, "part").permutation(len(sequences))
    if items is not None:
        return sequences.subset(np.sort(order[:items]))
    held = np.cumsum(sequences.lengths[order])
    return sequences.subset(np.sort(order[: max(1, int((held <= (frames or 0)).sum()))]))


def candidates(n_frames: int, numbers: Sequence[int]) -> list[int]:
    """Return numbers of states of a common model that the frames support: each state needs a minimum."""
    return [k for k in numbers if k * FRAMES_PER_STATE <= n_frames] or [min(2, n_frames)]


def sweep_states(
    sequences: Sequences,
    candidates: Sequence[int],
    criterion: Criterion = "bic",
    random_state: RandomState = 0,
    until_worse: bool = False,
    **fit: Any,
) -> StateSweep:
    """Fit a common model for each number of states and compare them by an information criterion.

    Parameters
    ----------
    sequences : SequenceSet or list of array_like, each of shape (T, d)
    candidates : sequence of int
        Numbers of states to try.
    criterion : {"bic", "aic"}
        Which criterion names the best one.
    random_state : int, RandomState, Generator or None
        Root seed of the fits.
    until_worse : bool
        Go up from the smallest number and stop at the first one that is no better than the one before, which spares the
        largest models; the numbers beyond it are not in the result.
    **fit
        Further arguments of :func:`kinseq.models.hmm.fit_common`.

    Returns
    -------
    StateSweep

    Raises
    ------
    ParameterError
        If there is no candidate, or the criterion is unknown.

    References
    ----------
    Thesis 2011, sections 3.2 and 3.3.3.
    """
    seed = check_seed(random_state)
    from .hmm import fit_common

    if not is_one_of(criterion, CRITERIA):
        raise ParameterError(unknown_name("criterion", criterion, CRITERIA))
    numbers = sorted({as_count(number, "number of states") for number in candidates})
    if not numbers:
        raise ParameterError("candidates is empty; give at least one number of states")
    data = as_sequence_set(sequences)
    price = {"bic": float(np.log(len(data.values))), "aic": 2.0}
    loglik, parameters, least, values = [], [], [], []
    for number in numbers:
        bank = fit_common(data, number, random_state=seed, **fit)
        assert bank.loglik is not None
        loglik.append(float(bank.loglik[0]))
        of_symbols = number * number - 1 + number * (bank.means.shape[2] - 1)
        parameters.append(of_symbols if bank.categorical else n_parameters(number, data.n_features, bank.full))
        least.append(float(state_occupancy(bank, data).min()))
        values.append(-2.0 * loglik[-1] + price[criterion] * parameters[-1])
        if until_worse and len(values) > 1 and values[-1] >= values[-2]:
            break
    likelihoods, counts = np.array(loglik), np.array(parameters, dtype=np.int64)
    bic, aic = (-2.0 * likelihoods + price[name] * counts for name in CRITERIA)
    tried = np.array(numbers[: len(values)], dtype=np.int64)
    return StateSweep(tried, likelihoods, counts, bic, aic, np.array(least), numbers[int(np.argmin(values))])
