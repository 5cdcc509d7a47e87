"""Tidy tables: a row is one value, and says which sequence, which moment and what it is of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from kinseq.core.arrays import IntArray
from kinseq.core.clock import named_time
from kinseq.core.errors import DataError
from kinseq.core.wording import as_typed, listed

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
    """Return columns of a table in which each kind of value is one, and a row a moment of a sequence.

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
    beside = [name for name in names if name.lower() in _BESIDE]
    rest = [name for name in names if name not in {value, entry, time, *beside}]
    if options.variable_name is not None:
        kind = found_name(options.variable_name, names, path, "variable_name")
    elif not rest:
        kept = [name for name in names if name in {value, entry, time, *beside}]
        return kept, [by_name[name] for name in kept], rows, ()
    elif len(rest) == 1:
        (kind,) = rest
    else:
        raise DataError(
            f"{path}: any of the columns {listed(rest)} may say what a value is of; name it ({as_typed('variable_name')}),"
            f" and the sequence ({as_typed('id_column')}) and the time ({as_typed('time_column')}) if they are among"
            " these"
        )
    numbers = numbers_of(by_name[value], path, lambda row: f"{row_word} {row}, column {value!r}", rows)
    kinds = by_name[kind].cells
    if "" in kinds:
        raise DataError(
            f"{path}: {row_word} {rows[kinds.index('')]} does not say what its value is of; fill {kind!r} in"
        )
    entries = by_name[entry].cells if entry is not None else [""] * len(kinds)
    if time is not None:
        moments: Sequence[object] = by_name[time].cells
    else:
        seen: Counter[tuple[str, str]] = Counter()
        places = []
        for pair in zip(entries, kinds, strict=True):
            places.append(seen[pair])
            seen[pair] += 1
        moments = places
    place_of = {name: j for j, name in enumerate(dict.fromkeys(kinds))}
    row_of: dict[tuple[str, object], int] = {}
    first: list[int] = []
    target = np.empty(len(kinds), dtype=np.int64)
    for i, key in enumerate(zip(entries, moments, strict=True)):
        if key not in row_of:
            row_of[key] = len(first)
            first.append(i)
        target[i] = row_of[key]
    places_of = np.array([place_of[name] for name in kinds])
    where = target * len(place_of) + places_of
    order = np.argsort(where, kind="stable")
    twice = order[1:][np.diff(where[order]) == 0]
    if len(twice):
        i = int(twice.min())
        of = f" of sequence {entries[i]!r}" if entry is not None else ""
        raise DataError(
            f"{path}: {row_word} {rows[i]} gives a second value of {kinds[i]!r}{of} at the time {moments[i]}; keep one of them"
        )
    wide = np.full((len(first), len(place_of)), np.nan)
    wide[target, places_of] = numbers
    kept = [name for name in (entry, time, *beside) if name is not None]
    texts = [by_name[name].cells for name in kept]
    picked = [Column(text=[cells[i] for i in first]) for cells in texts]
    return (
        [*kept, *place_of],
        [*picked, *(Column(numbers=wide[:, j]) for j in range(len(place_of)))],
        rows[first],
        tuple(place_of),
    )


def _column(wanted: str, names: Sequence[str], path: Path, option: str, needed: bool) -> str | None:
    """Return the name of a column; None if there is none and none is needed."""
    if not needed and not any(name.lower() == wanted.lower() for name in names):
        return None
    return found_name(wanted, names, path, option)
