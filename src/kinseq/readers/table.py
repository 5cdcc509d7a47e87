"""A table: columns of numbers, beside them id, time, label and group, every cell checked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinseq.core.arrays import FloatArray, IntArray
from kinseq.core.clock import SECONDS, named_time, time_unit
from kinseq.core.epochs import clock_columns
from kinseq.core.errors import DataError
from kinseq.core.oddities import name_it
from kinseq.core.row_order import RowOrder, Times, orders_within
from kinseq.core.wording import listed

from .columns import Column, column_of, numbers_of
from .text import day_of, is_clock, plain_text
from .times import kind_of_time, moments, tells_time, unit_of_time

SPECIAL = ("id", "time", "label", "group")


@dataclass
class Table:
    """A table of numbers with its named columns, and where its rows stand in the file."""

    values: FloatArray
    columns: tuple[str, ...]
    has_header: bool
    rows: IntArray  # line (or row) of the file that each row of `values` came from, counted from 1
    row_word: str
    time: FloatArray | None = None
    id: NDArray[np.str_] | None = None
    label: NDArray[np.str_] | None = None
    group: NDArray[np.str_] | None = None
    time_source: str | None = None  # name of a column that is the time by what it holds
    day: str | None = None  # name of the column of the day, where that and the time of day stand apart
    unit: str = ""  # of the time, if that is told
    time_name: str = "time"
    time_kind: Times = "numbers"

    def place(self, row: int, column: int) -> str:
        """Where a number stands in the file, for messages."""
        return f"{self.row_word} {self.rows[row]}, {_named(self.columns[column], self.has_header)}"


def table_of(
    columns: Sequence[Column],
    names: Sequence[str],
    has_header: bool,
    path: Path,
    rows: IntArray,
    row_word: str,
    time_column: str | None = None,
) -> Table:
    """Table of columns of cells.

    Parameters
    ----------
    columns : sequence of Column
        Equally long; those called id, time, label and group as text.
    names : sequence of str
        Name of each column.
    has_header : bool
        Whether the names come from the file.
    path : Path
        File, for messages.
    rows : ndarray of int, shape (rows,)
        Line or row of the file, for messages.
    row_word : str
        What `rows` counts.
    time_column : str, optional
        The column of the time; one called time if not given, perhaps with a unit as ``time [ms]``, else one that can be
        nothing else (:mod:`.times`).

    Raises
    ------
    DataError
        If a name is doubled, a cell is no number, a row has no id, several columns hold times, there is no column
        `time_column`, or nothing is left.
    """
    usual = SPECIAL if time_column is None else tuple(name for name in SPECIAL if name != "time")
    lowered = [name.lower() if has_header and name.lower() in usual else name for name in names]
    doubled = [name for name, count in Counter(lowered).items() if count > 1]
    if doubled:
        raise DataError(f"{path}: column {doubled[0]!r} occurs more than once; rename or remove one")
    special = {name: column for name, column in zip(lowered, columns, strict=True) if has_header and name in usual}
    features = [(name, column) for name, column in zip(lowered, columns, strict=True) if name not in special]
    timed, time_source, day = time_column, None, None
    if time_column is not None:
        timed = _named_time(time_column, lowered, special, path)
    elif "time" not in special:
        timed = named_time([name for name, _ in features]) if has_header else None
    else:
        timed = "time"
        features.append((timed, special.pop("time")))
    together = _day_and_clock(features, timed)
    if together is not None:
        day, timed, moment = together
        features = [(name, moment if name == timed else column) for name, column in features if name != day]
    elif timed is None:
        timed = time_source = _recognised_time(features, special.get("id"), path)
    if timed is not None:
        special["time"] = dict(features)[timed]
        features = [(name, column) for name, column in features if name != timed]
    if not features:
        raise DataError(f"{path}: holds no column of numbers; put the features beside the other columns")
    if not len(rows):
        raise DataError(f"{path}: holds no row of numbers; leave it out or write it again")

    def placed(name: str) -> Callable[[int], str]:
        return lambda row: f"{row_word} {row}, {_named(name, has_header)}"

    numeric = [(name, column if column.text is None else column_of(column.text)) for name, column in features]
    values = np.column_stack([numbers_of(column, path, placed(name), rows) for name, column in numeric])
    if np.isnan(values).all():
        raise DataError(f"{path}: holds no row of numbers; leave it out or write it again")
    columns_of = tuple(name for name, _ in features)
    table = Table(values, columns_of, has_header, rows, row_word, time_source=time_source, day=day)
    for name, column in special.items():
        if name == "time":
            table.time = moments(column.cells, path, rows, row_word, timed or name)
            table.unit = unit_of_time(column.cells, timed or name)
            table.time_name, table.time_kind = timed or name, kind_of_time(column.cells)
        else:
            setattr(table, name, np.array([plain_text(cell) for cell in column.cells], dtype=np.str_))
    if table.id is not None and (table.id == "").any():
        row = int(np.flatnonzero(table.id == "")[0])
        raise DataError(f"{path}: {row_word} {rows[row]} has no id; fill it in or remove the row")
    return table


def _named_time(time_column: str, names: Sequence[str], special: Mapping[str, Column], path: Path) -> str:
    """Name of the column that somebody called the time, in whatever case."""
    matches = [name for name in names if name == time_column] or [
        name for name in names if name.lower() == time_column.lower()
    ]
    if len(matches) != 1 or matches[0] in special:
        what = (
            "says which sequence, label or group a row is of"
            if matches and matches[0] in special
            else "is none of its columns"
        )
        raise DataError(f"{path}: the time column {time_column!r} {what} ({listed(list(names))}); name another one")
    return matches[0]


def _day_and_clock(features: Sequence[tuple[str, Column]], timed: str | None) -> tuple[str, str, Column] | None:
    """Names of the columns of the day and of the time of day, and both in one; None unless there is one of each.

    If a column is known to be the time, that is one of them.
    """
    days = [name for name, column in features if _all_are(column, day_of)]
    clocks = [name for name, column in features if _all_are(column, is_clock)] if days else []
    days, clocks = ([timed] if timed in names else names for names in (days, clocks))
    if len(days) != 1 or len(clocks) != 1 or timed not in (None, *days, *clocks):
        return None
    cells = dict(features)
    parts = zip(cells[days[0]].cells, cells[clocks[0]].cells, strict=True)
    return days[0], clocks[0], Column(text=[f"{day_of(day)} {'0' * (clock[1] == ':')}{clock}" for day, clock in parts])


def _all_are(column: Column, kind: Callable[[str], object]) -> bool:
    """Whether all cells are of a kind that no number is."""
    cells = column.text if column.text is not None else list(column.odd.values())
    return bool(cells) and len(cells) == len(column) and all(map(kind, cells))


def _recognised_time(features: Sequence[tuple[str, Column]], ids: Column | None, path: Path) -> str | None:
    """Name of the column that can be nothing but the time."""
    entries = None if ids is None else np.array(ids.cells)
    times = [name for name, column in features if tells_time(column, entries)]
    if len(times) > 1:
        raise DataError(
            f"{path}: the columns {listed([repr(name) for name in times])} hold times; {name_it()}, and remove the others"
        )
    return times[0] if times else None


def take_out(tables: Sequence[Table]) -> list[Table]:
    """Tables with times since 1970 as their time, where just one column holds such in all of them, and rises.

    Parameters
    ----------
    tables : sequence of Table
        With the same columns; rows of one id follow each other. Those that have a time stay as they are.
    """
    if any(table.time is not None for table in tables):
        return list(tables)
    clocks = clock_columns([values for table in tables for values in _by_id(table)])
    return [_with_time(table, clocks[0]) if len(clocks) == 1 else table for table in tables]


def _by_id(table: Table) -> list[FloatArray]:
    if table.id is None:
        return [table.values]
    return np.split(table.values, np.flatnonzero(table.id[1:] != table.id[:-1]) + 1)


def time_remarks(tables: Sequence[Table]) -> list[str]:
    """A sentence on each column that was taken for the time by what it holds."""
    said = [
        f"took the column {name!r} for the time, by what it holds; if another one is, {name_it()}"
        for name in sorted({table.time_source for table in tables if table.time_source is not None})
    ]
    pairs = sorted({(table.day, table.time_name) for table in tables if table.day is not None})
    return said + [f"read the columns {day!r} and {clock!r} together as the time" for day, clock in pairs]


def _with_time(table: Table, column: int) -> Table:
    columns = tuple(name for j, name in enumerate(table.columns) if j != column)
    return replace(
        table,
        values=np.delete(table.values, column, axis=1),
        columns=columns,
        time=table.values[:, column],
        time_source=table.columns[column],
        time_name=table.columns[column],
        unit=time_unit(table.columns[column], float(table.values[0, column])),
    )


def in_time(table: Table, path: Path) -> tuple[Table, dict[str, RowOrder]]:
    """A table with its rows by id (first appearance) and time, and by id the orders of those that were not so.

    Where there is no column of ids, the one sequence is called "". Equal times keep their order.

    Raises
    ------
    DataError
        If times begin again in a way that is that of no clock.
    """
    codes, names = np.zeros(len(table.values), dtype=np.int64), [""]
    if table.id is not None:
        unique, first, found = np.unique(table.id, return_index=True, return_inverse=True)
        codes, names = np.argsort(np.argsort(first))[found], unique[np.argsort(first)].tolist()
    if table.time is None:
        return (table if table.id is None else ordered(table, np.argsort(codes, kind="stable"))), {}

    def where(code: int) -> str:
        return f"{path}: column {table.time_name!r}" + (
            f", in sequence {names[code]!r}," if table.id is not None else ""
        )

    order, times, orders = orders_within(table.time, codes, table.time_kind, where)
    if table.id is not None or orders:
        unit = SECONDS if any(entry.seconds for entry in orders.values()) else table.unit
        table = replace(ordered(table, order), time=times, unit=unit)
    return table, {names[code]: entry for code, entry in orders.items()}


def ordered(table: Table, order: IntArray | slice) -> Table:
    """The rows of a table in another order, or some of them."""
    picked: dict[str, Any] = {name: getattr(table, name) for name in ("values", "rows", *SPECIAL)}
    changes: dict[str, Any] = {name: entry if entry is None else entry[order] for name, entry in picked.items()}
    return replace(table, **changes)


def _named(column: str, has_header: bool) -> str:
    return f"column {column!r}" if has_header else f"column {column}"
