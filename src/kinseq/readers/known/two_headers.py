"""Two rows of names above the numbers, as pandas writes them: one of channels, one of sequences, over a time.

The names of the two rows form a grid, in which each sequence has each channel. A row below them may name the time, as pandas does,
or hold units. Where one of the rows names axes (x, y, z), all columns are channels of one sequence.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...core.errors import DataError
from ...core.id_names import names_ids
from ...core.wording import as_typed, count, listed
from ..dates import settle_dates
from ..delimited import Sheet, is_word, with_units
from ..layout import agree, tabulate
from ..reading import Reading
from ..table import Table, ordered, selected
from ..text import is_number
from .known_layout import KnownLayout, Read

_AXES = frozenset(f"{before}{axis}" for before in ("", "q", "r", "t", "p") for axis in ("x", "y", "z", "w")) | {
    "likelihood",
    "confidence",
}
"""Names of spatial axes, positions and rotations, and words that may accompany them."""
_NUMBERED = re.compile(r"(\D*)\d+(\D*)")
_LEAST_ROWS = 3
"""Least number of rows below the names."""


@dataclass(frozen=True)
class _Head:
    """Rows of names of a sheet.

    Attributes
    ----------
    leading : int
        Columns before the grid.
    upper, lower : list of str
        Names of each column of the grid.
    names : list of str
        Names of the columns before it.
    titles : tuple of str
        Names of the two rows, blank where they have none.
    rows : int
        Rows below the first that hold names.
    """

    leading: int
    upper: list[str]
    lower: list[str]
    names: list[str]
    titles: tuple[str, str]
    rows: int


def matches(sheet: Sheet) -> bool:
    """Return whether names of the first row repeat, and differ by those of the second."""
    head = _head(sheet)
    return head is not None and len(sheet.lines) - head.rows >= _LEAST_ROWS


def _head(sheet: Sheet) -> _Head | None:
    rows = [sheet.first, *sheet.sample[:3]]
    width = sheet.width
    if len(rows) < 4 or any(len(row) != width for row in rows[:2]) or any(map(is_number, sheet.first)):
        return None
    first, second, third = rows[:3]
    leading = 1
    while leading < width and not first[leading]:
        leading += 1
    upper, lower = _filled(first[leading:]), second[leading:]
    if len(upper) < 2 or len(set(upper)) == len(upper) or not all(lower) or any(map(is_number, second[:leading])):
        return None
    if len(set(zip(upper, lower, strict=True))) < len(upper):
        return None
    # A row that names the time, or is empty, as in workbooks.
    named = not is_number(third[0]) and not any(third[leading:])
    # Numbers in the second row are names if they form a grid; otherwise they are data.
    whole = all(cell.isdecimal() for cell in lower)
    if not (all(map(is_word, lower)) or (whole and (named or len(set(upper)) > 1) and _is_grid(upper, lower))):
        return None
    titles = ("", "")
    names = [low or up for up, low in zip(first[:leading], second[:leading], strict=True)]
    if named:
        names, titles = list(third[:leading]), (first[0], second[0])
    elif first[0] and second[0] and first[0] != second[0]:
        names, titles = ["", *names[1:]], (first[0], second[0])
    return _Head(leading, upper, lower, names, titles, 2 if named else 1)


def _filled(cells: Sequence[str]) -> list[str]:
    """Return cells with blanks, as of merged cells, filled from the previous one."""
    result: list[str] = []
    for cell in cells:
        result.append(cell or result[-1])
    return result


def _is_grid(upper: Sequence[str], lower: Sequence[str]) -> bool:
    return len(set(upper)) * len(set(lower)) == len(upper)


def read(sheets: Sequence[Sheet], how: Reading) -> Read:
    """Return tables of the sequences of each sheet, and a description."""
    heads = [head for sheet in sheets if (head := _head(sheet)) is not None]
    flat = [_flattened(sheet, head) for sheet, head in zip(sheets, heads, strict=True)]
    dated, said = settle_dates(flat, how)
    own = how.altered(id_column=None, value_columns=None, drop_columns=())
    verdicts, sentences_on_sheets = agree(dated, _called)
    tables: list[Table | DataError] = []
    sentences: list[str] = []
    for sheet, head, verdict in zip(dated, heads, verdicts, strict=True):
        try:
            if isinstance(verdict, DataError):
                raise verdict
            table, sentence = _split_columns(tabulate(sheet, verdict, own), sheet, head, how)
            tables.append(selected(table, how.altered(id_column=None, time_column=None, cut_at=None), sheet.path))
            sentences.append(sentence)
        except DataError as error:
            tables.append(error)
    counted = Counter(sentences).items()
    notes = [sentence if number == 1 else f"{sentence} ({count(number, 'file')})" for sentence, number in counted]
    return tables, [*notes, *said, *sentences_on_sheets]


def _called(sheet: Sheet) -> str:
    return sheet.path.name


def _flattened(sheet: Sheet, head: _Head) -> Sheet:
    """Return a sheet with one row of names, those of the grid joined, and any units."""
    joint = [f"{up} {low}" for up, low in zip(head.upper, head.lower, strict=True)]
    return with_units(
        replace(
            sheet,
            first=[*head.names, *joint],
            columns=[column.after(head.rows) for column in sheet.columns],
            lines=sheet.lines[head.rows :],
            packed=json.dumps(sheet.sample[head.rows :]),
        )
    )


def _split_columns(table: Table, sheet: Sheet, head: _Head, how: Reading) -> tuple[Table, str]:
    """Return the table of the sequences in the columns of another, and a sentence.

    Raises
    ------
    DataError
        If a sequence lacks a channel.
    """
    if how.rows == "frames" or (how.id_column is None and _of_axes(head)):
        return table, "read two rows of names as the names of channels, joined"
    ids_above = _ids_above(head, how, sheet)
    rows = (head.upper, head.lower) if ids_above else (head.lower, head.upper)
    ids, channels = (list(dict.fromkeys(names)) for names in rows)
    # Units may have been appended to the names.
    joint = sheet.first[head.leading :]
    place = {pair: name for pair, name in zip(zip(*rows, strict=True), joint, strict=True) if name in table.columns}
    missing = next(((entry, name) for entry in ids for name in channels if (entry, name) not in place), None)
    if missing is not None:
        raise DataError(
            f"{sheet.path}: the sequence {missing[0]!r} has no column of numbers {missing[1]!r} in its two rows of names; add"
            f" it, or read all columns as channels of one sequence ({as_typed('rows', 'frames')})"
        )
    parts = []
    for entry in ids:
        values = table.values[:, [table.columns.index(place[entry, name]) for name in channels]]
        known = np.flatnonzero(np.isfinite(values).any(axis=1))
        if not len(known):
            raise DataError(f"{sheet.path}: the sequence {entry!r} holds no number; leave its columns out")
        span = slice(int(known[0]), int(known[-1]) + 1)
        parts.append((replace(table, values=values, columns=tuple(channels)), span, entry))
    stretches = [ordered(part, span) for part, span, _ in parts]
    whole = replace(
        stretches[0],
        id=np.repeat([entry for *_, entry in parts], [len(part.values) for part in stretches]),
        has_ids=True,
        **{name: _stacked(stretches, name) for name in ("values", "rows", "time", "texts", "mark", "label", "group")},
    )
    which = ("first", "second") if ids_above else ("second", "first")
    other = as_typed("id_column", "2" if ids_above else "1")
    return whole, (
        f"took the {which[0]} row of names for {count(len(ids), 'sequence')} ({listed(ids, 3)}) and the {which[1]} for their"
        f" channels ({listed(channels, 3)}); {other} takes them the other way round, {as_typed('rows', 'frames')} all columns for"
        " channels of one sequence"
    )


def _stacked(tables: Sequence[Table], name: str) -> Any:
    """Return the concatenated arrays of some tables; None if they have none."""
    entries = [getattr(table, name) for table in tables]
    return None if entries[0] is None else np.concatenate(entries)


def _of_axes(head: _Head) -> bool:
    """Return whether a row of names holds spatial axes, whose columns belong together."""
    return any({name.lower() for name in row} <= _AXES for row in (head.upper, head.lower))


def _ids_above(head: _Head, how: Reading, sheet: Sheet) -> bool:
    """Return whether the first row of names holds the sequences, as given or recognised; otherwise the second does.

    Raises
    ------
    DataError
        If none of the rows is called what was given.
    """
    if how.id_column is not None:
        wanted = str(how.id_column)
        if wanted in ("1", "2"):
            return wanted == "1"
        if wanted not in head.titles:
            raise DataError(
                f"{sheet.path}: has two rows of names, and {as_typed('id_column', wanted)} names none of them; 1 or 2 says which"
                " holds the sequences"
            )
        return wanted == head.titles[0]
    tests: tuple[Callable[[str, Sequence[str]], bool], ...] = (
        lambda title, _: bool(title) and names_ids(title),
        lambda _, names: _are_numbered(names),
    )
    for test in tests:
        above, below = (test(title, names) for title, names in zip(head.titles, (head.upper, head.lower), strict=True))
        if above != below:
            return above
    return False


def _are_numbered(names: Sequence[str]) -> bool:
    """Return whether names are equal except for numbers, as ``unit_1`` and ``unit_2``."""
    stems = {match.groups() if (match := _NUMBERED.fullmatch(name)) else name for name in names}
    return len(stems) == 1 and not isinstance(next(iter(stems)), str)


LAYOUT = KnownLayout("two rows of names", matches, read)
