"""Plain properties of sequences of symbols: time in states, entries, transitions, ends, changes, length."""

from __future__ import annotations

import numpy as np

from ..core.arrays import FloatArray, IntArray
from ..core.sequences import SequenceSet
from ..core.symbols import alphabet_of, symbols_of

MOST_STATES, MOST_TRANSITIONS = 12, 12
"""Number of the most frequent states and transitions that are examined."""
MIN_SHARE = 0.01
"""Share of all frames below which a state is too rare to be examined."""
MIN_SHARE_WITH = 0.1
"""Share of the sequences with a transition, or without it, below which it is ignored."""


def spells(sequences: SequenceSet) -> tuple[IntArray, IntArray]:
    """Return the state and the sequence of each spell; missing symbols end spells."""
    codes = symbols_of(sequences)
    owner = np.repeat(np.arange(len(sequences)), sequences.lengths)
    states, owners = codes[codes >= 0], owner[codes >= 0]
    begins = np.ones(len(states), dtype=bool)
    begins[1:] = (states[1:] != states[:-1]) | (owners[1:] != owners[:-1])
    return states[begins], owners[begins]


def times(sequences: SequenceSet) -> FloatArray:
    """Return the number of frames of each sequence in each state, shape (N, K)."""
    k, codes = len(alphabet_of(sequences)), symbols_of(sequences)
    owner = np.repeat(np.arange(len(sequences)), sequences.lengths)
    cells = owner[codes >= 0] * k + codes[codes >= 0]
    return np.bincount(cells, minlength=len(sequences) * k).reshape(-1, k).astype(np.float64)


def common_states(sequences: SequenceSet) -> IntArray:
    """Return the most frequent states, at most :data:`MOST_STATES`, in the order of the alphabet."""
    total = times(sequences).sum(axis=0)
    often = np.argsort(-total, kind="stable")[:MOST_STATES]
    return np.sort(often[total[often] >= MIN_SHARE * total.sum()]).astype(np.int64)


def plain_properties(sequences: SequenceSet) -> tuple[tuple[str, ...], FloatArray]:
    """Return names and values, shape (N, P), for describing groups: shares of time, number of changes, length.

    Shares are angles (the arcsine of their root), of which equal differences are about as easily seen anywhere; numbers are
    logarithms.
    """
    letters, states = alphabet_of(sequences), np.arange(len(alphabet_of(sequences)))[:MOST_STATES]
    shares = times(sequences) / sequences.lengths[:, None]
    angles = np.arcsin(np.sqrt(np.clip(shares[:, states], 0.0, 1.0)))
    names = [f"time in {letters[state]}" for state in states.tolist()]
    changes = np.log1p(n_changes(sequences))
    values = np.column_stack([angles, changes, np.log(sequences.lengths.astype(np.float64))])
    return (*names, "changes", "length"), values


def n_changes(sequences: SequenceSet) -> FloatArray:
    """Return the number of state changes of each sequence, shape (N,)."""
    return np.maximum(np.bincount(spells(sequences)[1], minlength=len(sequences)) - 1.0, 0.0)


def explained(sequences: SequenceSet) -> tuple[tuple[str, ...], tuple[str, ...], FloatArray]:
    """Return kinds, columns and values, shape (N, P), of properties that have words.

    Times and entries are those of a state; a transition, an end and an order (one state comes before another) are 1 where a
    sequence has it, else NaN.
    """
    letters, n = alphabet_of(sequences), len(sequences)
    states, (of_spells, owners) = common_states(sequences), spells(sequences)
    kinds: list[str] = ["length", "changes"]
    columns: list[str] = ["", ""]
    values: list[FloatArray] = [np.log(sequences.lengths.astype(np.float64)), n_changes(sequences)]
    time, k = times(sequences), len(letters)
    entries = np.bincount(owners * k + of_spells, minlength=n * k).reshape(n, k).astype(np.float64)
    first_spell = np.searchsorted(owners, np.arange(n))
    last_spell = np.searchsorted(owners, np.arange(n), side="right") - 1
    ends = {"first state": of_spells[first_spell], "last state": of_spells[last_spell]}
    for state in states.tolist():
        kinds += ["time in state", "entries"]
        columns += [letters[state]] * 2
        values += [time[:, state], entries[:, state]]
        for kind, at in ends.items():
            if _varies(own := (at == state).astype(np.float64)):
                kinds.append(kind)
                columns.append(letters[state])
                values.append(own)
    follows = owners[1:] == owners[:-1]
    pairs = of_spells[:-1][follows] * k + of_spells[1:][follows]
    kinds_of_pairs, counts = np.unique(pairs, return_counts=True)
    for pair in kinds_of_pairs[np.argsort(-counts, kind="stable")][:MOST_TRANSITIONS].tolist():
        own = np.zeros(n)
        own[owners[1:][follows][pairs == pair]] = 1.0
        if _varies(own):
            kinds.append("transition")
            columns.append(f"{letters[pair // k]} to {letters[pair % k]}")
            values.append(own)
    earliest = np.full((n, k), np.inf)
    np.minimum.at(earliest, (owners, of_spells), np.arange(len(owners), dtype=np.float64))
    for place, one in enumerate(states.tolist()):
        for other in states.tolist()[:place] + states.tolist()[place + 1 :]:
            before = np.isfinite(earliest[:, other]) & (earliest[:, one] < earliest[:, other])
            if _varies(before):
                kinds.append("order")
                columns.append(f"{letters[one]} before {letters[other]}")
                values.append(before.astype(np.float64))
    table = np.column_stack(values)
    told = np.isin(kinds, ("first state", "last state", "transition", "order"))
    table[:, told] = np.where(table[:, told] > 0.0, 1.0, np.nan)
    return tuple(kinds), tuple(columns), table


def _varies(own: FloatArray) -> bool:
    return MIN_SHARE_WITH <= float(own.mean()) <= 1.0 - MIN_SHARE_WITH


def state_courses(sequences: SequenceSet, n_points: int) -> FloatArray:
    """Return whether each sequence is in each common state at evenly spaced times, shape (S, N, `n_points`)."""
    codes, lengths = symbols_of(sequences), sequences.lengths
    places = np.minimum(
        ((np.arange(n_points) + 0.5) / n_points * lengths[:, None]).astype(np.int64), lengths[:, None] - 1
    )
    at = codes[sequences.offsets[:-1, None] + places]
    return np.stack([(at == state).astype(np.float64) for state in common_states(sequences)])
