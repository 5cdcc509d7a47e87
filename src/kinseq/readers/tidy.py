"""Tidy tables: each row is one value with its sequence, moment and variable."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ..core.arrays import IntArray
from ..core.clock import named_time
from ..core.errors import DataError
from ..core.wording import as_typed, listed
from .columns import Column, found_name, numbers_of
from .reading import Reading
from .times import tells_time

_BESIDE = ("label", "group")


def widened(
    names: Sequence[str],
    columns: Sequence[Column],
    rows: IntArray,
    row_word: str,
    path: Path,
    options: Reading,
) -> tuple[list[str], list[Column], IntArray, tuple[str, ...]]:
    """Return a table with one column per variable, and one row per moment of a sequence.

    Parameters
    ----------
    names, columns, rows, row_word, path
        As :func:`kinseq.readers.table.table_of` is given them.
    options : Reading
        With `value_name`.

    Returns
    -------
    names, columns, rows
        Of the wide table, in the order of appearance.
    kinds : tuple of str
        Names of the kinds; empty if the table has a single one, and its rows stay.

    Raises
    ------
    DataError
        If a column is not there, it is not given which one names the kinds, or a moment has two values of one kind.
    """
    by_name = dict(zip(names, columns, strict=True))
    value = found_name(options.value_name or "value", names, path, "value_name")
    entry = _column(str(options.id_column or "id"), names, path, "id_column", options.id_column is not None)
    time = _column(str(options.time_column or "time"), names, path, "time_column", options.time_column is not None)
    time = time or named_time(names) or next((name for name in names if tells_time(by_name[name])), None)
    attached = [name for name in names if name.lower() in _BESIDE]
    known = {value, entry, time, *attached}
    kind = _kind(names, [name for name in names if name not in known], path, options)
    if kind is None:
        kept = [name for name in names if name in known]
        return kept, [by_name[name] for name in kept], rows, ()
    numbers = numbers_of(by_name[value], path, lambda row: f"{row_word} {row}, column {value!r}", rows)
    kinds = by_name[kind].cells
    if "" in kinds:
        raise DataError(
            f"{path}: {row_word} {rows[kinds.index('')]} does not say what its value is of; fill {kind!r} in"
        )
    entries = by_name[entry].cells if entry is not None else [""] * len(kinds)
    times: Sequence[object] = (
        by_name[time].cells if time is not None else _turns(list(zip(entries, kinds, strict=True)))
    )
    place_of = {name: j for j, name in enumerate(dict.fromkeys(kinds))}
    row_of: dict[tuple[str, object], int] = {}
    # Each moment of a sequence is a row, in order of appearance.
    target = np.array([row_of.setdefault(key, len(row_of)) for key in zip(entries, times, strict=True)], dtype=np.int64)
    first = np.unique(target, return_index=True)[1]
    places_of = np.array([place_of[name] for name in kinds])
    where = target * len(place_of) + places_of
    order = np.argsort(where, kind="stable")
    twice = order[1:][np.diff(where[order]) == 0]
    if len(twice):
        i = int(twice.min())
        of = f" of sequence {entries[i]!r}" if entry is not None else ""
        raise DataError(
            f"{path}: {row_word} {rows[i]} gives a second value of {kinds[i]!r}{of} at the time {times[i]}; keep one of them"
        )
    wide = np.full((len(first), len(place_of)), np.nan)
    wide[target, places_of] = numbers
    kept = [name for name in (entry, time, *attached) if name is not None]
    texts = [by_name[name].cells for name in kept]
    picked = [Column(text=[cells[i] for i in first.tolist()]) for cells in texts]
    return (
        [*kept, *place_of],
        [*picked, *(Column(numbers=wide[:, j]) for j in range(len(place_of)))],
        rows[first],
        tuple(place_of),
    )


def _kind(names: Sequence[str], rest: Sequence[str], path: Path, options: Reading) -> str | None:
    """Return the name of the variable column; None if all columns have known roles."""
    if options.variable_name is not None:
        return found_name(options.variable_name, names, path, "variable_name")
    if len(rest) > 1:
        raise DataError(
            f"{path}: any of the columns {listed(rest)} may say what a value is of; name it ({as_typed('variable_name')}),"
            f" and the sequence ({as_typed('id_column')}) and the time ({as_typed('time_column')}) if they are among"
            " these"
        )
    return rest[0] if rest else None


def _turns(pairs: Sequence[tuple[str, str]]) -> list[int]:
    """Return the number of previous occurrences of each pair."""
    seen: Counter[tuple[str, str]] = Counter()
    turns = []
    for pair in pairs:
        turns.append(seen[pair])
        seen[pair] += 1
    return turns


def _column(wanted: str, names: Sequence[str], path: Path, option: str, needed: bool) -> str | None:
    """Return the name of a column; None if it is absent and optional."""
    if not needed and not any(name.lower() == wanted.lower() for name in names):
        return None
    return found_name(wanted, names, path, option)
