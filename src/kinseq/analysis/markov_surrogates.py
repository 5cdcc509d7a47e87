"""Symbol sequences without groups: sequences of one law (:mod:`.symbol_laws`) that is chosen from all given sequences.

Where sequences may begin anywhere, a hidden Markov model of all (:mod:`.hidden_law`) is one of the laws. Sets take turns between
a law that is the same at all times and, where sequences begin together, one that changes with the time. The given lengths are
kept, in another order.

Source: Theiler et al. (1992) for surrogate data.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from ..core.arrays import FloatArray, IntArray
from ..core.seeds import stream
from ..core.sequences import SequenceSet
from ..core.symbols import alphabet_of, symbols_of
from .hidden_law import HiddenLaw
from .null_sets import N_KINDS_OF_SETS, NullSets, Source
from .symbol_laws import BY_TIME, HOMOGENEOUS, MARGIN, Law, SymbolLaws

TOGETHER = 0.15
"""Least difference between the shares of states in the first fifth and overall, half the sum of absolute values, for
sequences to begin together."""
LEAST_SEQUENCES = 6
"""Least number of sequences for a hidden Markov model of half of them."""


class MarkovSets(NullSets):
    """Sets without groups for sequences of symbols."""

    has_third_kind = False

    def __init__(self, sequences: SequenceSet, seed: int) -> None:
        super().__init__(sequences, seed)
        k = len(alphabet_of(sequences))
        codes, lengths = symbols_of(sequences), sequences.lengths
        padded = np.full((len(sequences), int(lengths.max())), -1, dtype=np.int64)
        owner = np.repeat(np.arange(len(sequences)), lengths)
        time = np.arange(len(codes)) - np.repeat(sequences.offsets[:-1], lengths)
        padded[owner, time] = codes
        early = _shares(codes[(time < np.maximum(np.repeat(lengths, lengths) // 5, 1)) & (codes >= 0)], k)
        self._padded, self._laws = padded, SymbolLaws(padded, k)
        differs_early = bool(0.5 * np.abs(early - _shares(codes[codes >= 0], k)).sum() >= TOGETHER)
        # A rhythm that all have in common may begin with the usual shares.
        at_all_times, by_time = (min(map(self._laws.code_length, laws)) for laws in (HOMOGENEOUS, BY_TIME))
        self._begin_together = differs_early or by_time < (1.0 - MARGIN) * at_all_times

    @property
    def begin_anywhere(self) -> bool:
        """Whether states are as frequent at the beginning as later."""
        return not self._begin_together

    def drawn(self, source: Source, k: int, same_lengths: bool = True) -> SequenceSet:
        """Return the k-th set; spliced ones are of the law that is the same at all times."""
        if source == "moved":
            return self.moved(k)
        if source == "for properties":
            source, same_lengths = "surrogates", False
        by_time = self._begin_together and source == "surrogates" and k % N_KINDS_OF_SETS == 1
        random = stream(self._seed, "markov", source, k)
        given = self._given.lengths
        lengths = random.permutation(given) if same_lengths else _any_lengths(given, random)
        if not by_time and self._hidden is not None:
            states = self._hidden.drawn(lengths, random)
        else:
            states = self._laws.drawn(self._by_time if by_time else self._at_all_times, lengths, random)
        inside = np.arange(states.shape[1]) < lengths[:, None]
        offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        return self._given.with_frames(states[inside][:, None].astype(np.float64), offsets)

    @cached_property
    def _at_all_times(self) -> Law:
        return self._laws.best(HOMOGENEOUS)

    @cached_property
    def _hidden(self) -> HiddenLaw | None:
        """The hidden Markov model, if it predicts better; where courses begin together, groups may be paths in it."""
        if self._begin_together or len(self._given) < LEAST_SEQUENCES:
            return None
        least = min(self._laws.code_length(law) for law in HOMOGENEOUS)
        return HiddenLaw.better_than(least, self._given, self._padded, self._laws, self._seed)

    @cached_property
    def _by_time(self) -> Law:
        return self._laws.best(BY_TIME)


def _any_lengths(given: IntArray, random: np.random.Generator) -> IntArray:
    """Return lengths from a log-normal distribution with the spread of the given ones."""
    if not np.ptp(given):
        return given
    logs = np.log(given)
    drawn = np.exp(random.normal(logs.mean(), logs.std(), size=len(given)))
    return np.clip(np.rint(drawn), 1, 2 * given.max()).astype(np.int64)


def _shares(codes: IntArray, k: int) -> FloatArray:
    return np.bincount(codes, minlength=k) / max(len(codes), 1)
