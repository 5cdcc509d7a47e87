"""Sequences of symbols: a set of one column of codes, and its alphabet.

A symbol is kept as its place in the alphabet, which is sorted, so that no code depends on the order of files; a missing one is
:data:`MISSING`. The alphabet is in the provenance of the set, and goes where the set goes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from .arrays import FloatArray, IntArray
from .errors import DataError
from .sequences import ALPHABET, SequenceSet
from .wording import as_typed, count, listed

TIME_NAMES = ("time", "t", "date", "datetime", "timestamp", "time_stamp", "start_time", "moment", "time:timestamp")
"""Names of columns of times next to symbols, in lower case, the first of which that is there counts."""
MISSING = -1
"""Code of an unknown symbol."""
MISSING_SYMBOLS = frozenset({"", "-", "*", "?", "NA", "N/A", "NaN", "nan", "None", "null", "<NA>"})
"""Entries that denote an unknown symbol."""
MAX_SYMBOLS, MAX_SHARE_SINGLE = 200, 0.5
"""Number of distinct symbols, and share of unique ones, above which entries are free text."""
MIN_DIFFERENT = 20
"""Number of distinct symbols from which on many unique ones make entries free text."""
MOST_CODES = 12
"""Largest number of distinct whole numbers that may be codes of states."""
EVENTS = "events"
"""Provenance key of symbols that are events at uneven times, without a duration."""
CHARACTERS, WORDS = "characters", "words"
"""Values of ``symbols=`` that say how text is split into symbols; any other value is a column name."""


def as_symbol(entry: Any) -> str | None:
    """Return a cell as a symbol, None if missing."""
    if entry is None or entry is np.ma.masked:
        return None
    if isinstance(entry, bytes):
        entry = entry.decode("utf-8", "replace")
    text = str(entry).strip()
    if isinstance(entry, (float, np.floating)) and entry.is_integer():
        text = str(int(entry))
    return None if text in MISSING_SYMBOLS else text


def symbol_set(
    rows: Sequence[Sequence[Any]],
    ids: Sequence[str] | None = None,
    labels: Any = None,
    groups: Any = None,
    name: str = "sequences",
    column: str = "symbol",
    alphabet: Sequence[str] | None = None,
    provenance: Mapping[str, Any] | None = None,
) -> SequenceSet:
    """Return sequences of symbols as a set.

    Parameters
    ----------
    rows : sequence of sequences
        N sequences of T_i symbols each; what :func:`as_symbol` takes for None is missing.
    ids, labels, groups
        As of :meth:`SequenceSet.from_arrays`.
    name, column : str
        Of the set, and of its one column.
    alphabet : sequence of str, optional
        Symbols that may come; those that do come if not given.
    provenance : mapping, optional

    Raises
    ------
    DataError
        If a sequence is empty or all of it is missing, all symbols are the same, or entries are free text.
    """
    if not len(rows):
        raise DataError(f"{name}: holds no sequence; at least one is needed")
    names = [f"s{i:05d}" for i in range(len(rows))] if ids is None else [str(entry) for entry in ids]
    texts = [[as_symbol(entry) for entry in row] for row in rows]
    for own, row in zip(names, texts, strict=True):
        if not any(entry is not None for entry in row):
            what = "holds no symbol that is known" if row else "is empty"
            raise DataError(f"{name}: sequence {own!r} {what}; remove it")
    counts = Counter(entry for row in texts for entry in row if entry is not None)
    notes = _notes_on(counts) + _notes_on_codes(texts, names, counts)
    if alphabet is None:
        _require_symbols(counts, name, column)
    letters = tuple(sorted(counts if alphabet is None else {*map(str, alphabet)}))
    places: dict[str | None, int] = {symbol: code for code, symbol in enumerate(letters)}
    places[None] = MISSING
    if any(symbol not in places for symbol in counts):
        unknown = sorted(symbol for symbol in counts if symbol not in places)
        raise DataError(f"{name}: holds {unknown[0]!r}, which is not in the alphabet; add it")
    codes = np.array([places[entry] for row in texts for entry in row], dtype=np.float64)
    offsets = np.concatenate([[0], np.cumsum([len(row) for row in texts])]).astype(np.int64)
    known = {**(provenance or {}), "columns": [column], ALPHABET: list(letters)}
    return SequenceSet(
        codes[:, None], offsets, labels, groups, np.array(names, dtype=np.str_), name, known, notes=tuple(notes)
    )


def _require_symbols(counts: Mapping[str, int], name: str, column: str) -> None:
    """Refuse free text, numbers among symbols, and a single symbol."""
    single = sum(number == 1 for number in counts.values())
    if len(counts) > MAX_SYMBOLS or (len(counts) > MIN_DIFFERENT and single > MAX_SHARE_SINGLE * len(counts)):
        often = f"{single} of which come once" if single else "more than an alphabet has"
        raise DataError(
            f"{name}: column {column} holds {len(counts)} different entries ({listed(sorted(counts))}), {often}, which is free"
            f" text and no alphabet of at most {MAX_SYMBOLS} symbols; group them into few kinds, or name another column"
            f" ({as_typed('symbols')})"
        )
    if len(counts) == 1:
        raise DataError(
            f"{name}: every entry of column {column} is {next(iter(counts))!r}, so that no two sequences differ but in their"
            f" length; name another column ({as_typed('symbols')})"
        )
    numbers = [symbol for symbol in counts if _is_number(symbol)]
    if numbers and len(numbers) < len(counts):
        word = next(symbol for symbol in counts if not _is_number(symbol))
        if any(not symbol.lstrip("+-").isdigit() for symbol in numbers) or len(numbers) > MIN_DIFFERENT:
            raise DataError(
                f"{name}: column {column} holds numbers ({numbers[0]}) and symbols ({word!r}); put them into columns of their own"
            )


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _notes_on(counts: Mapping[str, int]) -> list[str]:
    """Return sentences on symbols that may be one in several spellings, and on two codes for one symbol."""
    alike: dict[str, list[str]] = {}
    for symbol in sorted(counts):
        alike.setdefault(" ".join(symbol.split()).casefold(), []).append(symbol)
    return [
        f"{' and '.join(map(repr, ways))} are taken for different symbols, and differ in case or blanks only; write them alike if"
        " they are one"
        for ways in alike.values()
        if len(ways) > 1
    ]


def _notes_on_codes(rows: Sequence[Sequence[str | None]], names: Sequence[str], known: Iterable[str]) -> list[str]:
    """Return a sentence if the symbols of some sequences may be codes for those of others, and no sequence has both."""
    digits = {symbol for symbol in known if _is_number(symbol)}
    if not digits:
        return []
    numbers, words = {}, {}
    for name, row in zip(names, rows, strict=True):
        own = {entry for entry in row if entry is not None}
        if own <= digits:
            numbers[name] = own
        elif own & digits:
            return []
        else:
            words[name] = own
    if not numbers or not words:
        return []
    one, other = min(numbers), min(words)
    return [
        f"{count(len(numbers), 'sequence')} ({one}) {'has' if len(numbers) == 1 else 'have'} numbers for symbols"
        f" ({listed(sorted(numbers[one]))}) and {count(len(words), 'sequence')} ({other}) letters"
        f" ({listed(sorted(words[other]))}): if they are codes of the same, write them alike"
    ]


def are_codes(entries: Iterable[Any]) -> bool:
    """Return whether entries are few whole numbers from 0 on, as codes of states are."""
    found = {as_symbol(entry) for entry in entries} - {None}
    return 0 < len(found) <= MOST_CODES and all(entry is not None and entry.isdecimal() for entry in found)


def are_words(entries: Iterable[Any]) -> bool:
    """Return whether most entries that are known are no numbers."""
    known = [symbol for entry in entries if (symbol := as_symbol(entry)) is not None]
    return sum(not _is_number(symbol) for symbol in known) > 0.5 * len(known)


def symbols_of(sequences: SequenceSet) -> IntArray:
    """Return the concatenated codes of all frames, shape (sum of T_i,), :data:`MISSING` for unknown symbols."""
    return sequences.values[:, 0].astype(np.int64)


def indicators(sequences: SequenceSet) -> SequenceSet:
    """Return sequences of symbols as sequences of numbers: a column for each symbol, 1 where it is; a missing one is 0 in all."""
    letters = alphabet_of(sequences)
    values = (symbols_of(sequences)[:, None] == np.arange(len(letters))).astype(np.float64)
    known = {name: entry for name, entry in sequences.provenance.items() if name != ALPHABET}
    return replace(sequences, values=values, provenance={**known, "columns": list(letters)})


def as_words(sequences: SequenceSet) -> list[list[str | None]]:
    """Return the symbols of each sequence, None for unknown ones."""
    letters = [*alphabet_of(sequences), None]
    return [[letters[code] for code in values[:, 0].astype(np.int64).tolist()] for values in sequences]


def alphabet_of(sequences: SequenceSet) -> tuple[str, ...]:
    """Return the alphabet of sequences of symbols; DataError for numbers."""
    if sequences.alphabet is None:
        raise DataError(
            f"{sequences.name}: holds numbers, but symbols are needed; name the column of symbols ({as_typed('symbols')})"
        )
    return sequences.alphabet


def with_alphabet(new: SequenceSet, alphabet: Sequence[str]) -> SequenceSet:
    """Return new sequences in the codes of another alphabet; unknown symbols are missing, and counted in a note.

    DataError where a sequence has no symbol of it.
    """
    own = alphabet_of(new)
    if own == tuple(alphabet):
        return new
    places = {symbol: code for code, symbol in enumerate(alphabet)}
    table = np.array([*(places.get(symbol, MISSING) for symbol in own), MISSING], dtype=np.int64)
    codes = symbols_of(new)
    known = table[codes]
    unknown = (codes != MISSING) & (known == MISSING)
    lost = np.add.reduceat(known != MISSING, new.offsets[:-1]) == 0
    if lost.any():
        first = str(new.ids[lost.argmax()])
        raise DataError(
            f"{new.name}: sequence {first!r} has no symbol that the clusters were made from"
            f" ({listed(sorted(alphabet))}); give sequences of the same alphabet"
        )
    notes = new.notes
    if unknown.any():
        strange = sorted({own[code] for code in codes[unknown].tolist()})
        notes += (
            f"{count(int(unknown.sum()), 'symbol')} of {count(len(strange), 'kind')} that the clusters were not made from"
            f" ({listed(strange)}): sequences are placed by the others",
        )
    return replace(
        new,
        values=known[:, None].astype(np.float64),
        notes=notes,
        provenance={**new.provenance, ALPHABET: list(alphabet)},
    )


def cut_text(text: str, how: str) -> list[str]:
    """Return the characters of a text, or its words, separated by blanks, commas, semicolons, arrows or tabs."""
    if how == CHARACTERS:
        return [character for character in text if not character.isspace()]
    for mark in ("\t", ";", ",", "->", "→"):
        if mark in text:
            return [word.strip() for word in text.split(mark)]
    return text.split()


def lasting(row: Sequence[Any], when: FloatArray, step: float) -> list[Any]:
    """Return the event that holds at every step from the first time to the last; `when` holds the rising times of the events."""
    grid = when[0] + step * np.arange(int((when[-1] - when[0]) / step + 1e-9) + 1)
    return [row[place] for place in np.searchsorted(when, grid + 1e-9 * step, side="right") - 1]


def is_uneven(when: FloatArray) -> bool:
    """Return whether events come at uneven times."""
    return len(when) > 2 and not np.allclose(np.diff(when, n=2), 0.0)
