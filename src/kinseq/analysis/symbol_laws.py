"""Laws of symbol sequences: which part of its past a symbol depends on, chosen from the sequences, and drawn from.

A law looks up a symbol in the places of the given sequences that have the same past: the last symbols, how long the present one
has lasted, or the time. The law is chosen that predicts each sequence well from the others, in a short code. Groups
make the past informative too, since it shows to which group a sequence belongs; so what a sequence itself shows of its
transitions counts in every prediction, and a longer past has to shorten the code by more than a little beyond that.

Sources: Anderson and Goodman (1957) for the orders of chains; Stone (1974) for prediction of what was left out; MacKay and Peto
(1995) for the smoothing of a longer past by a shorter one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..core.arrays import FloatArray, IntArray

Level = tuple[str, ...]
"""Parts of the past that are looked up together."""
Law = tuple[Level, ...]
"""Pasts from the shortest to the longest; what did not occur in the given sequences is looked up in a shorter one."""

LAST, DURATION, TIME = ("last",), ("last", "duration"), ("last", "time")
HOMOGENEOUS: tuple[Law, ...] = (
    ((), LAST),
    ((), LAST, ("last", "second")),
    ((), LAST, ("last", "second"), ("last", "second", "third")),
    ((), LAST, DURATION),
)
"""Chains of order 1 to 3, and visits that have durations of their own. A chain of order 1 is one of order 0, too."""
BY_TIME: tuple[Law, ...] = (
    ((), LAST, TIME),
    ((), LAST, DURATION, ("last", "duration", "time")),
    ((), LAST, TIME, ("last", "moment")),
    ((), LAST, ("moment",), ("last", "moment")),
)
"""Laws that change with the time in a sequence, or with its single moments, as those of a rhythm that all have in common."""
SMOOTHING = 2.0
"""Number of symbols that a shorter past counts for in a longer one."""
OWN = (2.0, 8.0, 32.0, 128.0, np.inf)
"""Numbers of symbols, one of which is chosen, that the others' transitions count for next to those of the sequence itself."""
MARGIN = 0.05
"""Share of the shortest code by which a law of a shorter past may be longer: groups make a longer past informative by less, and
a law that explains them finds none (symbols.md)."""
STEP = 5
"""Number of moments that count as one time."""
GROWTH = 1.2
"""Ratio of successive durations that are distinguished."""


class Past(NamedTuple):
    """Codes of what precedes each symbol; -1 where it is unknown."""

    last: IntArray
    second: IntArray
    third: IntArray
    duration: IntArray
    time: IntArray
    moment: IntArray

    def keys(self, level: Level, k: int) -> IntArray:
        """Return one number for each past of a level; -1 where a part of it is unknown."""
        keys = np.zeros(len(self.last), dtype=np.int64)
        known = np.ones(len(self.last), dtype=bool)
        for part in level:
            codes = getattr(self, part)
            keys = keys * (k + 1 if part in ("last", "second", "third") else N_STEPS) + codes
            known &= codes >= 0
        return np.where(known, keys, -1)


N_STEPS = 1 << 16
"""More than there are times or durations that are distinguished."""


def duration_codes(lasted: IntArray, since_beginning: np.ndarray) -> IntArray:
    """Return codes of durations; what lasts since the beginning of a sequence, and may have begun before, has its own."""
    codes = np.floor(np.log(np.maximum(lasted, 1)) / np.log(GROWTH)).astype(np.int64)
    return 2 * codes + since_beginning


class SymbolLaws:
    """Laws of some sequences, given as rows padded to one length.

    Parameters
    ----------
    padded : ndarray, shape (N, T), int64
        Codes; -1 where missing, or after the end.
    k : int
        Size of the alphabet.
    """

    def __init__(self, padded: IntArray, k: int) -> None:
        self._k = k
        n, length = padded.shape
        marked = np.concatenate([np.full((n, 3), k), padded], axis=1)
        same = marked[:, 3:] == marked[:, 2:-1]
        lasted = np.zeros((n, length), dtype=np.int64)
        from_start = np.zeros((n, length), dtype=np.int64)
        running, whole = np.zeros(n, dtype=np.int64), np.ones(n, dtype=bool)
        for t in range(1, length):
            running = np.where(same[:, t - 1] & (t > 1), running + 1, 1)
            whole &= same[:, t - 1] | (t == 1)
            lasted[:, t], from_start[:, t] = running, whole
        owner, at = np.nonzero(padded >= 0)
        self._symbols, self._owner = padded[owner, at], owner
        self._past = Past(
            marked[owner, at + 2],
            marked[owner, at + 1],
            marked[owner, at],
            duration_codes(lasted[owner, at], from_start[owner, at]),
            at // STEP,
            at,
        )
        self._tables: dict[Level, tuple[IntArray, IntArray]] = {}
        self._code_lengths: dict[Law, float] = {}

    def best(self, laws: Sequence[Law]) -> Law:
        """Return the first law whose code is about as short as the shortest."""
        lengths = [self.code_length(law) for law in laws]
        return next(law for law, own in zip(laws, lengths, strict=True) if own <= (1.0 + MARGIN) * min(lengths))

    def code_length(self, law: Law) -> float:
        """Return the code length of all sequences in nats, each predicted from the others and its own transitions; kept."""
        if law not in self._code_lengths:
            self._code_lengths[law] = self.with_own(self._predicted(law))
        return self._code_lengths[law]

    def _predicted(self, law: Law) -> FloatArray:
        """Probabilities of the known symbols under a law fitted to the other sequences, by sequence and time."""
        predicted = np.full(len(self._symbols), 1.0 / self._k)
        for level in law:
            keys = self._past.keys(level, self._k)
            with_symbol = np.where(keys < 0, -1, keys * self._k + self._symbols)
            symbol_count, own_symbol = self._counts(with_symbol)
            count, own = self._counts(keys)
            smoothed = (symbol_count - own_symbol + SMOOTHING * predicted) / (count - own + SMOOTHING)
            predicted = np.where(keys < 0, predicted, smoothed)
        return predicted

    def with_own(self, predicted: FloatArray) -> float:
        """Return the code length of all sequences in nats, each symbol predicted as given and from its sequence's own transitions.

        `predicted` are the probabilities of the known symbols, by sequence and time.
        """
        last = self._past.last
        own_symbol, own = self._counts(last * self._k + self._symbols)[1] - 1.0, self._counts(last)[1] - 1.0
        of_all = [
            np.log(predicted) if np.isinf(weight) else np.log((own_symbol + weight * predicted) / (own + weight))
            for weight in OWN
        ]
        return float(min(-logs.sum() for logs in of_all))

    def _counts(self, keys: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return how often the key of each place occurs in all sequences, and in its own."""
        _, codes = np.unique(keys, return_inverse=True)
        _, pairs, own = np.unique(
            codes * (int(self._owner[-1]) + 1) + self._owner, return_inverse=True, return_counts=True
        )
        return np.bincount(codes)[codes].astype(np.float64), own[pairs].astype(np.float64)

    def drawn(self, law: Law, lengths: IntArray, random: np.random.Generator) -> IntArray:
        """Return sequences of a law, padded to the largest length, shape (N, T)."""
        n, k = len(lengths), self._k
        states = np.full((n, int(lengths.max()) + 3), k, dtype=np.int64)
        lasted, whole = np.zeros(n, dtype=np.int64), np.ones(n, dtype=bool)
        for t in range(states.shape[1] - 3):
            past = Past(
                states[:, t + 2], states[:, t + 1], states[:, t], duration_codes(lasted, whole & (t > 0)),
                np.full(n, t // STEP), np.full(n, t),
            )  # fmt: skip
            # A state that nothing follows stays.
            found, open_ = past.last.copy(), np.ones(n, dtype=bool)
            ticket = random.random(n)
            for level in law[::-1]:
                if not level:
                    break
                keys, order = self._table(level)
                own = past.keys(level, k)
                low, high = np.searchsorted(keys, own), np.searchsorted(keys, own, side="right")
                there = open_ & (high > low) & (own >= 0)
                places = low[there] + (ticket[there] * (high - low)[there]).astype(np.int64)
                found[there] = self._symbols[order[places]]
                open_ &= ~there
            states[:, t + 3] = np.where(found == k, self._symbols[0], found)
            same = states[:, t + 3] == states[:, t + 2]
            lasted, whole = np.where(same, lasted + 1, 1), whole & (same | (t == 0))
        return states[:, 3:]

    def _table(self, level: Level) -> tuple[IntArray, IntArray]:
        """Return sorted pasts of a level, and the places of the symbols that follow them."""
        if level not in self._tables:
            keys = self._past.keys(level, self._k)
            order = np.argsort(keys, kind="stable")
            self._tables[level] = keys[order], order
        return self._tables[level]
