"""Tables of which each row is a series: those of the UCR archive, label first, and wide ones with a header."""

from __future__ import annotations

import numpy as np

from kinseq.core.errors import DataError
from kinseq.core.wording import as_typed, count

from .columns import Column, column_of, joined
from .delimited import Sheet
from .layout import Layout
from .npy import stacked
from .reading import Reading
from .table import Table, table_of

_LEAST_ROWS, _LEAST_POINTS = 4, 8
"""A table without names may be one of series from so many rows and columns on."""


def are_series(sheet: Sheet, layout: Layout, how: Reading) -> bool:
    """Return whether the rows of a table by itself are series: as it is asked, or as a first column of classes tells.

    That is one of few whole numbers, each of several rows, beside columns that hold others.
    """
    if how.rows is not None:
        return how.rows == "series"
    if (
        layout.names is not None
        or how.given_of_tables
        or len(sheet.columns) < _LEAST_POINTS
        or len(sheet.lines) + 1 < _LEAST_ROWS
    ):
        return False
    classes, *others = _columns(sheet, layout)
    return _tells_classes(classes) and any(bool((np.mod(column.numbers, 1.0) != 0).any()) for column in others)


def series_of(sheet: Sheet, layout: Layout, how: Reading, notes: list[str]) -> Table:
    """Return the table of the series in the rows of a sheet, with their numbers, from 1, as ids where it has none.

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
    elif layout.names is None and len(columns) > 1 and _tells_classes(columns[0]):
        labels, names, columns = np.array(columns[0].cells, dtype=np.str_), names[1:], columns[1:]
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
    place = np.argsort(own)[rows]
    made.label = labels[place] if labels is not None else None if table.label is None else table.label[place]
    made.group = None if table.group is None else table.group[place]
    made.words, made.coded = table.words, table.coded
    first = ", the first column as their labels" if labels is not None else ""
    notes.append(f"{sheet.path.name}: read {count(len(own), 'row')} as series of one feature{first}")
    return made


def _columns(sheet: Sheet, layout: Layout) -> list[Column]:
    if layout.first_is_header:
        return sheet.columns
    above = [column_of([cell]) for cell in sheet.first]
    return (
        [joined([cell, column]) for cell, column in zip(above, sheet.columns, strict=True)] if sheet.columns else above
    )


def _tells_classes(column: Column) -> bool:
    """Return whether a column holds few whole numbers, most of them on several rows."""
    if column.text is not None or column.odd or len(column.numbers) < 2:
        return False
    kinds = set(column.numbers.tolist())
    return all(number.is_integer() for number in kinds) and 2 * len(kinds) <= len(column.numbers)
