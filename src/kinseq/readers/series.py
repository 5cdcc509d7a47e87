"""Tables with one series per row: those of the UCR archive, label first, and wide ones with a header."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np

from ..core.arrays import FloatArray
from ..core.constant_columns import STATES
from ..core.errors import DataError
from ..core.folders import LABEL_PLACES
from ..core.wording import as_typed, count, listed
from .columns import Column, column_of, joined
from .delimited import Sheet
from .layout import Layout
from .npy import stacked
from .reading import Reading
from .table import Table, table_of
from .text import plain_text

_LEAST_ROWS, _LEAST_POINTS = 4, 8
"""Least numbers of rows and columns of a table without names that may hold series."""


def are_series(sheet: Sheet, layout: Layout, how: Reading) -> bool:
    """Return whether the rows of a single table are series: as requested, or by a first column of classes.

    That is one of few whole numbers, each of several rows, next to columns that hold others.
    """
    if how.rows is not None:
        return how.rows == "series"
    if how.given_of_tables or len(sheet.columns) < _LEAST_POINTS or len(sheet.lines) + 1 < _LEAST_ROWS:
        return False
    columns = _columns(sheet, layout)
    if layout.names is not None:
        return _are_points(columns, layout.names)
    classes, *others = columns
    # A log has a clock or a counter among its first columns.
    if any(map(_reads_as_clock, (classes, *others[: _FIRST_COLUMNS - 1]))):
        return False
    if len(classes.odd) == len(classes) and classes.text is None:
        return _divides(classes, others) and all(not column.odd for column in others[:-1])
    if _tells_classes(classes) and any(bool((np.mod(column.numbers, 1.0) != 0).any()) for column in others):
        return True
    if len(columns) < _MANY_POINTS:
        return False
    return (_divides(columns[-1], columns[:-1]) and _go_along_rows(columns[:-1], columns[-1])) or (
        _divides(classes, others) and _go_along_rows(others, classes)
    )


def _are_points(columns: Sequence[Column], names: Sequence[str]) -> bool:
    """Return whether columns with names are those of series: consecutive numbers, and a class or a unique id at an end.

    A class does not stand in stretches of rows, as a state does, or the numbers go along the rows.
    """
    others = [j for j, name in enumerate(names) if _NUMBERED.fullmatch(name) is None and not name.isdecimal()]
    points = [j for j in range(len(names)) if j not in others]
    numbers = [int(re.findall(r"\d+", names[j])[0]) for j in points]
    if len(points) < _LEAST_POINTS or len({re.sub(r"\d+", "", names[j]) for j in points}) > 1:
        return False
    if not 1 <= len(others) <= 2 or not set(others) <= {0, 1, len(names) - 1} or set(np.diff(numbers).tolist()) != {1}:
        return False
    cells = {names[j].lower(): columns[j].cells for j in others}
    if "id" in cells:
        return len(set(cells["id"])) == len(cells["id"])
    (name, own), *more = cells.items()
    if more or name not in _CLASS_NAMES | STATES or any(columns[j].text is not None for j in points):
        return False
    changes = sum(a != b for a, b in pairwise(own))
    return len(own) < _STRETCH * (changes + 1) or _go_along_rows([columns[j] for j in points], columns[others[0]])


_STRETCH = 5
"""Rows of a stretch of one class, as a mean, from which on it may be a state."""
_MOST_LAG = 10


def _go_along_rows(columns: Sequence[Column], classes: Column) -> bool:
    """Return whether numbers correlate more with their neighbours in the row than with those in the column, within a class."""
    if any(column.text is not None for column in columns):
        return False
    values = np.column_stack([column.numbers for column in columns])
    codes = np.unique(np.array(classes.cells), return_inverse=True)[1]
    rest = values.copy()
    for code in range(int(codes.max()) + 1):
        rest[codes == code] -= np.nanmean(values[codes == code], axis=0)
    # Levels that channels have in all rows say nothing.
    return _relation(values - np.nanmean(values, axis=0)) > _relation(rest.T)


def _relation(values: FloatArray) -> float:
    """Return the largest mean product, at a lag of few columns, of rows of mean zero and mean square one."""
    centred = values - np.nanmean(values, axis=1, keepdims=True)
    scale = np.sqrt(np.nanmean(centred**2, axis=1, keepdims=True))
    scaled = np.divide(centred, scale, out=np.zeros_like(centred), where=scale > 0)
    lags = range(1, min(_MOST_LAG, values.shape[1] - 2) + 1)
    return max((float(np.abs(np.nanmean(scaled[:, lag:] * scaled[:, :-lag]))) for lag in lags), default=0.0)


_MANY_POINTS = 30
"""Columns from which on a table with the class in the last one may be one of series."""
_FIRST_COLUMNS = 3
"""Number of first columns among which a log without a header has its clock."""
_NEARLY = 0.9


def _reads_as_clock(column: Column) -> bool:
    """Return whether a column rises at nearly every row."""
    if column.text is not None or column.odd or len(column.numbers) < _LEAST_ROWS:
        return False
    return bool((np.diff(column.numbers) > 0).mean() >= _NEARLY)


_NUMBERED = re.compile(r"(\D*)\d+(\D*)")
_MANY_ITEMS = 8
"""Least number of numbered columns that are series, whatever else they are called."""
_LEAST_ITEMS = 4
"""Least number of numbered columns that are parallel series and not channels."""


def _items(names: Sequence[str]) -> tuple[list[str], list[str]] | None:
    """Return the items and channels of columns such as X1, Y1, X2, Y2; None unless every item has every channel."""
    matches = [re.fullmatch(r"(\D+?)_?(\d+)", name) for name in names]
    pairs = [(match[1], match[2]) for match in matches if match is not None]
    channels, items = list(dict.fromkeys(pair[0] for pair in pairs)), list(dict.fromkeys(pair[1] for pair in pairs))
    whole = len(pairs) == len(names) == len(set(pairs)) == len(channels) * len(items)
    in_order = pairs == [(channel, item) for item in items for channel in channels]
    return (items, channels) if whole and in_order and len(items) >= _LEAST_ITEMS and len(channels) > 1 else None


def items_of_columns(table: Table, path: Path, how: Reading) -> tuple[Table, str] | None:
    """Return the table of the items in the columns of a table, a sequence each, and a note; None for other tables."""
    if (
        table.id is not None
        or not table.has_header
        or how.rows is not None
        or how.given_of_tables
        or how.arrangement.cuts
    ):
        return None
    found = _items(table.columns)
    if found is None:
        return None
    items, channels = found
    rows, number = len(table.values), len(items)
    values = table.values.reshape(rows, number, len(channels)).transpose(1, 0, 2).reshape(-1, len(channels))
    made = replace(
        table,
        values=values,
        columns=tuple(channels),
        rows=np.tile(table.rows, number),
        time=None if table.time is None else np.tile(table.time, number),
        id=np.repeat(np.array(items), rows),
        label=None,
        group=None,
        words={},
        texts=None,
        mark=None,
    )
    return made, (
        f"{path.name}: read the columns as those of {count(number, 'sequence')}, by the number in their names, with the channels"
        f" {listed(channels)}; {as_typed('rows', 'frames')} reads them as channels of one sequence"
    )


def are_moments(table: Table, how: Reading) -> bool:
    """Return whether the columns of a single table are series: as requested, or by a time and the column names.

    These are the same but for numbers, as MT_001 and MT_002, or many that each have a number of their own.
    """
    if how.rows is not None:
        return how.rows == "moments"
    if table.id is not None or table.time is None or how.given_of_tables or not table.has_header:
        return False
    numbers = [re.findall(r"\d+", name) for name in table.columns]
    if len(table.columns) >= _MANY_ITEMS and all(len(found) == 1 for found in numbers):
        return len({found[0] for found in numbers}) == len(numbers)
    stems = {match.groups() if (match := _NUMBERED.fullmatch(name)) else name for name in table.columns}
    return len(table.columns) >= _LEAST_ITEMS and len(stems) == 1 and len(next(iter(stems))) == 2


def series_of_columns(table: Table, path: Path) -> tuple[Table, str]:
    """Return the table of the series in the columns of a table, with their names as ids, and a note.

    Raises
    ------
    DataError
        If an id column divides the rows.
    """
    if table.id is not None:
        raise DataError(
            f"{path}: a column says which sequence a row is of, so that its columns are channels; leave"
            f" {as_typed('rows', 'moments')} out"
        )
    rows, number = len(table.values), len(table.columns)
    made = replace(
        table,
        values=table.values.T.reshape(-1, 1),
        columns=("value",),
        rows=np.tile(table.rows, number),
        time=None if table.time is None else np.tile(table.time, number),
        id=np.repeat(np.array(table.columns), rows),
        label=None,
        group=None,
        texts=None if table.texts is None else np.tile(table.texts, (number, 1)),
        mark=None if table.mark is None else np.tile(table.mark, number),
    )
    return made, (
        f"{path.name}: read {count(number, 'column')} as series of one feature, each a sequence; {as_typed('rows', 'frames')} reads"
        " them as channels of one sequence"
    )


def series_of(sheet: Sheet, layout: Layout, how: Reading) -> tuple[Table, str]:
    """Return the table of the series in the rows of a sheet, by default with numbers from 1 as ids, and a note.

    Raises
    ------
    DataError
        See :func:`kinseq.readers.table.table_of`, or if a row has no number.
    """
    columns = _columns(sheet, layout)
    lines = sheet.lines if layout.first_is_header else np.concatenate([[sheet.first_line], sheet.lines])
    names = list(layout.names) if layout.names is not None else [str(i + 1) for i in range(len(columns))]
    labels = None
    if layout.index:
        names, columns = names[1:], columns[1:]
    place = _place_of_labels(columns, names, layout, sheet, how)
    if place is not None:
        labels = np.array([plain_text(cell) for cell in columns[place].cells], dtype=np.str_)
        kept = [j for j in range(len(columns)) if j != place % len(columns)]
        names, columns = [names[j] for j in kept], [columns[j] for j in kept]
    if how.label_column in LABEL_PLACES:
        how = replace(how, label_column=None)
    table = table_of(columns, names, layout.names is not None, sheet.path, lines, "line", how)
    if table.time is not None:
        raise DataError(
            f"{sheet.path}: the column {table.time_name!r} holds a time for each row, so that rows are frames; leave"
            f" {as_typed('rows', 'series')} out, or drop the column"
        )
    width = len(str(len(table.values)))
    own = table.id if table.id is not None else np.array([f"{i + 1:0{width}d}" for i in range(len(table.values))])
    if len(set(own.tolist())) < len(own):
        raise DataError(f"{sheet.path}: an id occurs on two rows, though each row is a series; give each its own")
    made = stacked(list(table.values[:, :, None]), own.tolist(), ("value",), sheet.path)
    assert made.id is not None
    rows = np.searchsorted(np.sort(own), made.id)
    order = np.argsort(own)[rows]
    made.label = labels[order] if labels is not None else None if table.label is None else table.label[order]
    made.group = None if table.group is None else table.group[order]
    made.words, made.coded = table.words, table.coded
    which = "first" if place == 0 else "last"
    first = (
        f", the {which} column as their labels ({as_typed('labels', 'none')} takes it for data)"
        if labels is not None
        else ""
    )
    return made, f"{sheet.path.name}: read {count(len(own), 'row')} as series of one feature{first}"


def _columns(sheet: Sheet, layout: Layout) -> list[Column]:
    if layout.first_is_header:
        return sheet.columns
    above = [column_of([cell]) for cell in sheet.first]
    return (
        [joined([cell, column]) for cell, column in zip(above, sheet.columns, strict=True)] if sheet.columns else above
    )


_CLASS_NAMES = frozenset({"class", "target", "label", "labels", "y", "category", "species"})
_MANY_MORE = 3
"""Least ratio of the number of values of other columns to that of a class column."""


def _place_of_labels(
    columns: Sequence[Column], names: Sequence[str], layout: Layout, sheet: Sheet, how: Reading
) -> int | None:
    """Return which column holds the labels of series, 0 or -1; None if neither does.

    Raises
    ------
    DataError
        If both may.
    """
    if how.label_column == "none" or len(columns) < 2 or how.label_column not in (None, *LABEL_PLACES):
        return None
    if how.label_column is not None:
        return 0 if how.label_column == "first" else -1
    if layout.names is not None:
        named = [place for place in (0, -1) if names[place].lower() in (_CLASS_NAMES | STATES) - {"label"}]
        return named[0] if len(named) == 1 and "label" not in map(str.lower, names) else None
    found = [place for place in (0, -1) if _divides(columns[place], [*columns[1:]] if place == 0 else [*columns[:-1]])]
    if len(found) == 2:
        raise DataError(
            f"{sheet.path}: the first and the last column hold few values each, and either may tell classes; pass"
            f" {as_typed('labels', 'first')}, {as_typed('labels', 'last')} or {as_typed('labels', 'none')}"
        )
    return found[0] if found else None


def _divides(column: Column, others: Sequence[Column]) -> bool:
    """Return whether a column holds classes: few values, words or whole numbers, that do not continue the other columns."""
    cells = column.cells
    kinds = len(set(cells))
    if kinds < 2 or 2 * kinds > len(cells):
        return False
    words = column.text is not None or len(column.odd) == len(column)
    if words:
        return True
    if not _tells_classes(column):
        return False
    numbers = [other.numbers[np.isfinite(other.numbers)] for other in others if other.text is None]
    if any(bool((np.mod(values, 1.0) != 0).any()) for values in numbers):
        return True
    return bool(np.median([len(np.unique(values)) for values in numbers]) >= _MANY_MORE * kinds)


def _tells_classes(column: Column) -> bool:
    """Return whether a column holds few whole numbers, mostly repeated."""
    if column.text is not None or column.odd or len(column.numbers) < 2:
        return False
    kinds = set(column.numbers.tolist())
    return len(kinds) > 1 and all(number.is_integer() for number in kinds) and 2 * len(kinds) <= len(column.numbers)
