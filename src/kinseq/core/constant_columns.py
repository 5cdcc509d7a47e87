"""Columns constant within every sequence: labels, subjects and other attributes, not channels."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .arrays import FloatArray
from .clock_columns import words_of
from .wording import as_typed, count, listed

_SESSION = frozenset(
    """
    session trial run subject participant recording rec device file user patient animal experiment id no nr
    min mins h hr hours rel abs start since num number sys system pc host local utc stamp s
    """.split()  # noqa: SIM905  a list of so many words is hard to read
)
"""Words for numbers of recordings, or next to these."""
_NEARLY = 0.9
"""Share of recordings with distinct numbers for a column to number them."""
_FEWEST = 4
"""Least number of recordings for their numbers to be informative."""


def find_constant(
    names: Sequence[Hashable],
    sequences: Sequence[FloatArray],
    named: bool = True,
    texts: Sequence[FloatArray] = (),
    devices: bool = False,
) -> dict[int, int]:
    """Return columns that are attributes of sequences, by position, with their numbers of values.

    They have one value within every sequence, but not the same in all.

    Parameters
    ----------
    names : sequence of hashable
        Of the columns, those of text last.
    sequences : sequence of ndarray, each of shape (T_i, d)
        Columns of numbers. NaN stands for what is missing, and counts as any value.
    named : bool
        Whether the names are those of the data, and not numbers: without names, columns of numbers stay.
    texts : sequence of ndarray, each of shape (T_i, k), optional
        Columns of text by :func:`codes_of`.
    devices : bool
        Whether the first columns may be numbers of devices though there are no names.

    Returns
    -------
    dict of int to int
        Text; and numbers if all are whole, and another column varies within a sequence or a name says that they number the
        recordings.
    """
    if len(sequences) < 2 or not all(map(len, sequences)):
        return {}
    d = sequences[0].shape[1]
    steady, firsts = _steady(sequences)
    numbers_of = [_number_of_values(column) for column in firsts.T]
    varies, left_out = not steady.all(), dict[int, int]()
    if sum(len(sequence) > 1 for sequence in sequences) < 2:
        # In a sequence of a single frame every number is constant.
        steady = np.zeros_like(steady)
    for j in np.flatnonzero(steady).tolist():
        known = firsts[~np.isnan(firsts[:, j]), j]
        numbers = _numbers_sessions(str(names[j]), numbers_of[j], len(sequences))
        may_be = named or (devices and varies and bool(steady[: j + 1].all()))
        if numbers_of[j] > 1 and may_be and (known == np.round(known)).all() and (varies or numbers):
            left_out[j] = numbers_of[j]
    left_out = left_out if len(left_out) < d else {}
    if len(texts):
        steady, firsts = _steady(texts)
        own = {j: _number_of_values(firsts[:, j]) for j in np.flatnonzero(steady).tolist()}
        left_out |= {d + j: number for j, number in own.items() if number > 1}
    return left_out


_BLANK_FROM = 10
"""Rows of a sequence from which on a column with a number on a single one of them is blank."""


def find_blank(sequences: Sequence[FloatArray]) -> list[int]:
    """Return columns without numbers in any sequence, or with one in the first row alone, where others have them."""
    if not len(sequences):
        return []
    filled = np.zeros(sequences[0].shape[1], dtype=bool)
    for values in sequences:
        filled |= np.isfinite(values[1 if len(values) >= _BLANK_FROM else 0 :]).any(axis=0)
        if filled.all():
            return []
    return np.flatnonzero(~filled).tolist() if filled.any() else []


def note_on_blank_columns(names: Sequence[str]) -> str:
    """Return a sentence on columns that are blank."""
    one = len(names) == 1
    return (
        f"left out the column{'s' * (not one)} {listed(list(map(repr, names)))}, which {'is' if one else 'are'} blank in all rows"
        " (but perhaps the first)"
    )


def note_on_text_columns(names: Sequence[str], hint: str) -> str:
    """Return a sentence on columns that hold text and are left out, with a hint how they are used."""
    which, holds = ("column", "holds") if len(names) == 1 else ("columns", "hold")
    return f"left out the {which} {listed(list(map(repr, names)))}, which {holds} text ({hint})"


STATES = frozenset(
    [
        "class",
        "classes",
        "label",
        "labels",
        "target",
        "activity",
        "activityid",
        "activity_id",
        "gesture",
        "stimulus",
        "restimulus",
    ]
)
"""Names of columns of classes, which are states of rows where they change within sequences."""
_MOST_STATES, _LEAST_STRETCH = 40, 5
"""Values of such a column at most, and rows of a stretch of one value at least, as a mean."""


def find_states(names: Sequence[Hashable], sequences: Sequence[FloatArray]) -> dict[int, int]:
    """Return columns of numbers, by their places, that are called as classes and change within sequences, with how many do.

    They hold few whole numbers, in stretches of several rows.
    """
    found = {}
    for j in (j for j, name in enumerate(names) if str(name).lower() in STATES):
        number = are_states([values[:, j : j + 1] for values in sequences])
        if number:
            found[j] = number
    return found if len(found) < len(names) else {}


def are_states(sequences: Sequence[FloatArray]) -> int:
    """Return within how many sequences columns, each of shape (T_i, 1), change, if they hold states; 0 if they do not."""
    known = np.unique(np.concatenate(sequences))
    changes = [int(np.count_nonzero(np.diff(values[:, 0]))) for values in sequences]
    rows = sum(map(len, sequences))
    if not (np.isfinite(known).all() and (known == np.round(known)).all() and len(known) <= _MOST_STATES):
        return 0
    return sum(map(bool, changes)) if rows >= _LEAST_STRETCH * (sum(changes) + len(sequences)) else 0


def note_on_state_column(name: str, number: int) -> str:
    """Return a sentence on a column of classes that changes within sequences."""
    return (
        f"left out the column {name!r}, which changes within {count(number, 'sequence')} and so is a state of rows and no feature;"
        f" {as_typed('cut_at', name)} cuts the sequences there, {as_typed('id_column', name)} divides each file by it; to keep it"
        f" as data, name the features ({as_typed('value_columns')})"
    )


def note_on_lasting_values(names: Sequence[str]) -> str:
    """Return a sentence on columns that hold few whole numbers, each for many rows, as states do, and stay data."""
    one, first = len(names) == 1, names[0]
    return (
        f"column{'s' * (not one)} {listed(list(names))} hold{'s' * one} few whole numbers, each for many rows, as states do,"
        f" and {'is' if one else 'are'} compared as data; {as_typed('cut_at', first)} cuts the sequences where {first} changes,"
        f" {as_typed('drop_columns', first)} leaves it out"
    )


def steady_columns(sequences: Sequence[FloatArray]) -> list[int]:
    """Return numeric columns constant within every sequence but not across sequences, if other columns vary."""
    if not len(sequences):
        return []
    steady, firsts = _steady(sequences)
    return [] if steady.all() else [j for j in np.flatnonzero(steady).tolist() if _number_of_values(firsts[:, j]) > 1]


def _steady(sequences: Sequence[FloatArray]) -> tuple[NDArray[np.bool_], FloatArray]:
    """Return which columns are constant in each sequence, shape (d,), and these values, shape (N, d)."""
    least = np.stack([np.fmin.reduce(values, axis=0) for values in sequences])
    most = np.stack([np.fmax.reduce(values, axis=0) for values in sequences])
    return ((least == most) | np.isnan(least)).all(axis=0), least


def _number_of_values(firsts: FloatArray) -> int:
    return len(np.unique(firsts[~np.isnan(firsts)]))


def _numbers_sessions(name: str, n_values: int, n_sequences: int) -> bool:
    """Return whether a column numbers the recordings: by its name, with distinct numbers for nearly all."""
    words = words_of(name)
    return bool(words) and words <= _SESSION and n_sequences >= _FEWEST and n_values >= _NEARLY * n_sequences


def codes_of(cells: Sequence[str], missing: frozenset[str] = frozenset({""})) -> FloatArray:
    """Return a whole number for each text cell, equal for equal texts in any file; NaN if missing."""
    codes = {
        cell: np.nan
        if cell in missing
        else float(int.from_bytes(hashlib.blake2b(cell.encode("utf-8", "surrogatepass"), digest_size=6).digest()))
        for cell in set(cells)
    }
    return np.array([codes[cell] for cell in cells], dtype=np.float64)


def notes_on_attributes(left_out: Mapping[Any, int], symbols: bool = False) -> list[str]:
    """Return a sentence on columns that are attributes of sequences (of numbers, or of symbols), with their numbers of values."""
    if not left_out:
        return []
    shown = [f"{str(name)!r} ({count(number, 'value')})" for name, number in left_out.items()]
    one, first = len(shown) == 1, str(next(iter(left_out)))
    which, are, it = ("column", "is", "it") if one else ("columns", "are", "them")
    kept = "" if symbols else f"; to keep {it} as data: name the features with {as_typed('value_columns')}"
    return [
        f"left out {which} {listed(shown)}, which {are} constant within each sequence (to use {'it' if one else 'one'} as"
        f" labels: {as_typed('labels', first)}{kept})"
    ]


def note_on_labels(word: str, name: str, n_values: int) -> str:
    """Return a sentence on a column of labels or groups (`word` is "label" or "group") that was recognised by its name."""
    return (
        f"using column {name!r} as the {word}s of the sequences ({count(n_values, 'value')}; to leave it out:"
        f" {as_typed('drop_columns', name)}; to keep it as data, rename it)"
    )


def notes_on_constant_columns(shown: Sequence[str]) -> list[str]:
    """Return a sentence on columns that are constant within sequences and not left out."""
    if not shown:
        return []
    is_, differs, it = (
        ("is", "differs", "it is a label, leave it")
        if len(shown) == 1
        else ("are", "differ", "they are labels, leave them")
    )
    return [f"{listed(list(shown))} {is_} constant within each sequence but {differs} between sequences; if {it} out"]
