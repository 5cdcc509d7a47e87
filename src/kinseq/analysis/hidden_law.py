"""A hidden Markov model of all sequences of symbols as the law of sequences without groups.

The symbols of a hidden state depend on more of the past than any few symbols show. The number of states is chosen by two-fold
cross-validation. Rabiner (1989) for the model; Celeux and Durand (2008) for the choice.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..core.arrays import FloatArray, IntArray
from ..core.seeds import derive_seed
from ..core.sequences import SequenceSet
from ..models.hmm import fit_common
from .symbol_laws import SymbolLaws

STATES = (2, 3, 4, 6, 8, 12)
"""Numbers of states that are tried."""
MARGIN = 0.01
"""Share by which the code of a hidden Markov model has to be shorter than that of any law of the past: groups, of which each may
take states of its own, shorten it by less (symbols.md)."""
ABOUT_EQUAL = 0.005
"""Share of the shortest code by which that of fewer states may be longer."""
SMOOTHING = 0.5
"""Number of visits, starts and symbols that are added to each distribution, in equal parts."""
LONGEST_MEMORY = 0.25
"""Largest relaxation time of the states, as a share of the median length: states that last for whole sequences are groups."""
STARTS, ITERATIONS = 2, 40
"""Random starts of a fit, and its largest number of iterations."""


@dataclass(frozen=True)
class HiddenLaw:
    """A hidden Markov model with categorical emissions.

    Attributes
    ----------
    start : ndarray, shape (K,)
    transitions : ndarray, shape (K, K)
    emissions : ndarray, shape (K, S)
    """

    start: FloatArray
    transitions: FloatArray
    emissions: FloatArray

    @classmethod
    def better_than(
        cls, least: float, sequences: SequenceSet, padded: IntArray, laws: SymbolLaws, seed: int
    ) -> HiddenLaw | None:
        """Return the law of the sequences if its code length is less than `least` nats by :data:`MARGIN`, or else None.

        `padded`, shape (N, T), are the codes of the sequences, -1 where there is none; `laws` compute code lengths of them.
        """
        half = np.arange(len(sequences)) % 2
        parts = [sequences.subset(np.flatnonzero(half == part)) for part in (0, 1)]
        lengths: dict[int, float] = {}
        longest = LONGEST_MEMORY * float(np.median(sequences.lengths))
        whole: dict[int, HiddenLaw] = {}
        for k in STATES:
            if min(len(part.values) for part in parts) < k:
                break
            whole[k] = cls.of(sequences, k, seed)
            if whole[k].memory > longest:
                continue
            predicted = np.ones(padded.shape)
            for part, other in ((0, 1), (1, 0)):
                predicted[half == part] = cls.of(parts[other], k, seed).predicted(padded[half == part])
            lengths[k] = laws.with_own(predicted[padded >= 0])
        if not lengths or min(lengths.values()) >= (1.0 - MARGIN) * least:
            return None
        enough = (1.0 + ABOUT_EQUAL) * min(lengths.values())
        return whole[next(k for k, own in lengths.items() if own <= enough)]

    @classmethod
    def of(cls, sequences: SequenceSet, k: int, seed: int) -> HiddenLaw:
        """Fit a model of `k` states to all sequences, with smoothed probabilities."""
        seed = derive_seed(seed, "hidden law", k)
        bank = fit_common(sequences, k, n_init=STARTS, max_iter=ITERATIONS, random_state=seed, n_jobs=1)
        visits = np.full(k, len(sequences.values) / k)
        return cls(
            _smoothed(bank.startprob, np.array([float(len(sequences))]))[0],
            _smoothed(bank.transmat[0], visits),
            _smoothed(bank.emissionprob[0], visits),
        )

    @property
    def memory(self) -> float:
        """Relaxation time of the states, in steps: after as many, what is left of the first state's influence is 1/e."""
        second = np.sort(np.abs(np.linalg.eigvals(self.transitions)))[-2]
        return float(-1.0 / np.log(np.clip(second, 1e-9, 1.0 - 1e-9)))

    def predicted(self, padded: IntArray) -> FloatArray:
        """Return the probability of each symbol given those before it, shape (N, T); 1 where it is unknown."""
        now = np.tile(self.start, (len(padded), 1))
        found = np.ones(padded.shape)
        for t, symbols in enumerate(padded.T):
            joint = now * np.where((symbols >= 0)[:, None], self.emissions[:, symbols].T, 1.0)
            found[:, t] = joint.sum(axis=1)
            now = (joint / found[:, [t]]) @ self.transitions
        return found

    def drawn(self, lengths: IntArray, random: np.random.Generator) -> IntArray:
        """Return sequences of the law, padded to the largest length, shape (N, T)."""
        n = len(lengths)
        drawn = np.zeros((n, int(lengths.max())), dtype=np.int64)
        state = _one_of(np.tile(self.start, (n, 1)), random)
        for t in range(drawn.shape[1]):
            drawn[:, t] = _one_of(self.emissions[state], random)
            state = _one_of(self.transitions[state], random)
        return drawn


def _smoothed(rows: FloatArray, counts: FloatArray) -> FloatArray:
    """Return rows of probabilities with :data:`SMOOTHING` added to the counts that they are of."""
    return np.asarray((rows * counts[:, None] + SMOOTHING / rows.shape[1]) / (counts[:, None] + SMOOTHING))


def _one_of(probabilities: FloatArray, random: np.random.Generator) -> IntArray:
    """Draw one column of each row."""
    reached = probabilities.cumsum(axis=1)
    return np.asarray((random.random(len(reached))[:, None] * reached[:, [-1]] >= reached).sum(axis=1))
