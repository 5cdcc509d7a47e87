"""Drawing of sequences of symbols: colours of states, rows of states, and shares of states over time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..core.arrays import FloatArray, IntArray
from ..core.sequences import SequenceSet
from ..core.symbols import MISSING, alphabet_of, symbols_of
from ..features.symbol_properties import times

COLOURS = (
    "#224564", "#F2DAB0", "#728EAE", "#BD9B68", "#78592F", "#A8BDD8", "#242D37", "#F6EDDF",
    "#8D743D", "#4D5661",
)  # fmt: skip
"""Slate and sand of several lightnesses, by the frequency of a state. Colour-blind people can distinguish them, and they are too
muted to be confused with the colours of clusters."""
OTHERS, UNKNOWN = "#B9B9B9", "none"
"""Colour of states without a colour of their own, and of a missing symbol."""
POINTS = 100
"""Largest number of times at which shares of states are drawn."""


class LegendState(NamedTuple):
    """A state in the legend."""

    name: str
    colour: str


def colours_of(sequences: SequenceSet) -> list[str]:
    """Return the colour of each symbol of the alphabet; the most frequent ones have distinct colours."""
    often = np.argsort(-times(sequences).sum(axis=0), kind="stable")
    colours = [OTHERS] * len(alphabet_of(sequences))
    for colour, state in zip(COLOURS, often.tolist(), strict=False):
        colours[state] = colour
    return colours


def legend_of(sequences: SequenceSet) -> list[LegendState]:
    """Return states with their colours, most frequent first; those without a distinct colour together."""
    letters, colours = alphabet_of(sequences), colours_of(sequences)
    often = np.argsort(-times(sequences).sum(axis=0), kind="stable").tolist()
    shown_states = [LegendState(letters[state], colours[state]) for state in often if colours[state] != OTHERS]
    rest = len(letters) - len(shown_states)
    return [*shown_states, *([LegendState(f"{rest} others", OTHERS)] if rest else [])]


def padded(sequences: SequenceSet, items: IntArray) -> IntArray:
    """Return codes of some sequences, shape (n, T) for the longest of all, padded with missing."""
    rows = np.full((len(items), int(sequences.lengths.max())), MISSING, dtype=np.int64)
    codes = symbols_of(sequences)
    for row, item in zip(rows, items.tolist(), strict=True):
        row[: sequences.lengths[item]] = codes[sequences.offsets[item] : sequences.offsets[item + 1]]
    return rows


def in_index_order(rows: IntArray) -> IntArray:
    """Return an order of rows of codes that puts similar beginnings next to each other."""
    return np.lexsort(rows.T[::-1]).astype(np.int64)


def state_shares(rows: IntArray, n_states: int) -> FloatArray:
    """Return the share of each state at each time among known symbols, shape (S, T)."""
    counts = np.stack([(rows == state).sum(axis=0) for state in range(n_states)]).astype(np.float64)
    return np.asarray(counts / np.maximum(counts.sum(axis=0), 1.0))


def transition_shares(rows: IntArray, n_states: int) -> FloatArray:
    """Return the share of each next state among changes out of each state, shape (S, S), the diagonal 0."""
    before, after = rows[:, :-1].ravel(), rows[:, 1:].ravel()
    changed = (before >= 0) & (after >= 0) & (before != after)
    counts = np.zeros((n_states, n_states))
    np.add.at(counts, (before[changed], after[changed]), 1.0)
    return np.asarray(counts / np.maximum(counts.sum(axis=1, keepdims=True), 1.0))
