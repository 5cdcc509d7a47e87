"""Symbol sequences without groups: Markov chains of order 1 with the transitions of all given sequences together.

Sets take turns between a chain whose transitions are the same at all times and, where sequences begin together, one whose
transitions are those of each time. The given lengths are kept, in another order.

Source: Theiler et al. (1992) for surrogate data; Anderson and Goodman (1957) for the chains.
"""

from __future__ import annotations

import numpy as np

from ..core.arrays import FloatArray, IntArray
from ..core.seeds import stream
from ..core.sequences import SequenceSet
from ..core.symbols import alphabet_of, symbols_of
from .splicing import REACH_SHARE

TOGETHER = 0.15
"""Least difference between the shares of states in the first fifth and overall, half the sum of absolute values, for
sequences to begin together."""
REACH = 2
"""Number of steps before and after whose transitions also count for a step."""
N_KINDS = 2


class MarkovSets:
    """Sets without groups by their numbers, with the interface of :class:`.surrogates.Sets`."""

    def __init__(self, sequences: SequenceSet, seed: int) -> None:
        self._sequences, self._seed = sequences, seed
        k = len(alphabet_of(sequences))
        codes, lengths = symbols_of(sequences), sequences.lengths
        self._length = int(lengths.max())
        padded = np.full((len(sequences), self._length), -1, dtype=np.int64)
        owner = np.repeat(np.arange(len(sequences)), lengths)
        time = np.arange(len(codes)) - np.repeat(sequences.offsets[:-1], lengths)
        padded[owner, time] = codes
        before, after = padded[:, :-1], padded[:, 1:]
        known = (before >= 0) & (after >= 0)
        at = np.broadcast_to(np.arange(self._length - 1), before.shape)
        by_time = np.zeros((max(self._length - 1, 1), k, k))
        np.add.at(by_time, (at[known], before[known], after[known]), 1.0)
        self._first = np.bincount(padded[:, 0][padded[:, 0] >= 0], minlength=k) + 1e-9
        self._overall = by_time.sum(axis=0)
        early = _shares(codes[(time < np.maximum(np.repeat(lengths, lengths) // 5, 1)) & (codes >= 0)], k)
        self.begin_anywhere = bool(0.5 * np.abs(early - _shares(codes[codes >= 0], k)).sum() < TOGETHER)
        summed = np.concatenate([np.zeros((1, k, k)), np.cumsum(by_time, axis=0)])
        steps = np.arange(len(by_time))
        low, high = np.maximum(steps - REACH, 0), np.minimum(steps + REACH + 1, len(by_time))
        self._by_time = summed[high] - summed[low]

    def surrogate(self, k: int, same_lengths: bool = True) -> SequenceSet:
        """Return the k-th set."""
        inhomogeneous = not self.begin_anywhere and k % N_KINDS == 1
        return self._drawn(stream(self._seed, "markov", k), inhomogeneous, same_lengths)

    has_third_kind = False

    def between(self, k: int, same_lengths: bool = True) -> SequenceSet:
        """Not drawn, since nothing lies between symbols."""
        raise NotImplementedError

    def for_properties(self, k: int) -> SequenceSet:
        """Return the k-th set that properties are compared with, of any lengths."""
        return self.surrogate(k, same_lengths=False)

    def spliced(self, k: int, same_lengths: bool = True) -> SequenceSet:
        """Return the k-th set, of a chain with constant transitions."""
        return self._drawn(stream(self._seed, "markov at all times", k), False, same_lengths)

    def moved(self, k: int) -> SequenceSet:
        """Return the given sequences, each started later by a random part of its length, drawn again for each k."""
        random, lengths = stream(self._seed, "moved", k), self._sequences.lengths
        spare = (REACH_SHARE * lengths).astype(np.int64)
        first, kept = random.integers(0, spare + 1), lengths - spare
        offsets = np.concatenate([[0], np.cumsum(kept)]).astype(np.int64)
        rows = np.repeat(self._sequences.offsets[:-1] + first - offsets[:-1], kept) + np.arange(offsets[-1])
        return self._sequences.with_frames(self._sequences.values[rows], offsets)

    def _drawn(self, random: np.random.Generator, inhomogeneous: bool, same_lengths: bool) -> SequenceSet:
        n, given = len(self._sequences), self._sequences.lengths
        lengths = random.permutation(given) if same_lengths else self._lengths(random)
        overall = _cumulative(self._overall)
        states = np.empty((n, int(lengths.max())), dtype=np.int64)
        states[:, 0] = _pick(np.broadcast_to(np.cumsum(self._first) / self._first.sum(), (n, len(self._first))), random)
        for t in range(1, states.shape[1]):
            rates = overall
            if inhomogeneous and t - 1 < len(self._by_time):
                # States that nobody left at that time use the transitions of all times.
                own = self._by_time[t - 1]
                rates = np.where(own.sum(axis=1, keepdims=True) > 0, _cumulative(own), overall)
            states[:, t] = _pick(rates[states[:, t - 1]], random)
        inside = np.arange(states.shape[1]) < lengths[:, None]
        offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        return self._sequences.with_frames(states[inside][:, None].astype(np.float64), offsets)

    def _lengths(self, random: np.random.Generator) -> IntArray:
        """Lengths from a log-normal distribution with the spread of the given ones."""
        given = self._sequences.lengths
        if not np.ptp(given):
            return given
        logs = np.log(given)
        drawn = np.exp(random.normal(logs.mean(), logs.std(), size=len(given)))
        return np.clip(np.rint(drawn), 1, 2 * given.max()).astype(np.int64)


def _shares(codes: IntArray, k: int) -> FloatArray:
    return np.bincount(codes, minlength=k) / max(len(codes), 1)


def _cumulative(counts: FloatArray) -> FloatArray:
    """Return cumulative sums of shares of each row; rows without counts stay in their state."""
    total = counts.sum(axis=1, keepdims=True)
    shares = np.where(total > 0, counts / np.where(total > 0, total, 1.0), np.eye(len(counts)))
    return np.asarray(np.cumsum(shares, axis=1))


def _pick(cumulated: FloatArray, random: np.random.Generator) -> IntArray:
    drawn = random.random(len(cumulated))[:, None]
    return np.minimum((cumulated < drawn * cumulated[:, -1:]).sum(axis=1), cumulated.shape[1] - 1).astype(np.int64)
