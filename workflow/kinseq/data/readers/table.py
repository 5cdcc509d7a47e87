"""A table: columns of numbers, beside them id, time, label and group, every cell checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...arrays import FloatArray, IntArray
from ...errors import DataError
from .text import plain_text

if TYPE_CHECKING:
    import pandas

_SPECIAL = ("id", "time", "label", "group")


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

    def place(self, row: int, column: int) -> str:
        """Where a number stands in the file, for messages."""
        name = self.columns[column]
        return f"{self.row_word} {self.rows[row]}, column {repr(name) if self.has_header else name}"


def table_of(frame: pandas.DataFrame, columns: Sequence[str], has_header: bool, path: Path, row_word: str) -> Table:
    """Split a data frame into numbers and the special columns, with every cell checked."""
    special: dict[str, Any] = {}
    numbers: list[NDArray[np.float64]] = []
    names: list[str] = []
    rows = frame.index.to_numpy(dtype=np.int64)
    for i, column in enumerate(columns):
        cells = frame[i]
        lowered = column.lower() if has_header else ""
        if lowered in _SPECIAL:
            special[lowered] = cells
            continue
        if column == "" and has_header and _is_row_counter(cells, i):
            continue
        if column == "" and has_header and i == len(columns) - 1 and bool(cells.isna().all()):
            continue  # every row ends with a separator
        numbers.append(_numbers(cells, path, column if has_header else f"{i + 1}", row_word))
        names.append(column)
    if not has_header and len(numbers) > 1 and np.isnan(numbers[-1]).all():
        numbers.pop()
        names.pop()
    if not numbers:
        raise DataError(f"{path}: holds no column of numbers; put the features beside the other columns")
    values = np.column_stack(numbers)
    # Rows without a single number at the end are blank lines or padding.
    known = np.flatnonzero(~np.isnan(values).all(axis=1))
    last = int(known[-1]) + 1 if known.size else 0
    if last < len(values) and "id" in special:
        blank = special["id"].isna() | (special["id"].astype(str).str.strip() == "")
        last = int(np.flatnonzero(~blank.to_numpy(dtype=bool)).max(initial=last - 1)) + 1
    if last == 0:
        raise DataError(f"{path}: holds no row of numbers; leave it out or write it again")
    table = Table(values[:last], tuple(names), has_header, rows[:last], row_word)
    for column in ("id", "label", "group"):
        if column in special:
            cells = special[column].iloc[:last]
            blank = cells.isna().to_numpy(dtype=bool)
            text = ["" if empty else plain_text(cell) for cell, empty in zip(cells, blank, strict=True)]
            setattr(table, column, np.array(text, dtype=np.str_))
    if table.id is not None and (table.id == "").any():
        row = int(np.flatnonzero(table.id == "")[0])
        raise DataError(f"{path}: {row_word} {rows[row]} has no id; fill it in or remove the row")
    if "time" in special:
        table.time = _moments(special["time"].iloc[:last], path, row_word)
    return table


def by_time(table: Table) -> IntArray:
    """Order of the rows by id (first appearance) and then by time; equal times keep their order."""
    if table.id is None:
        return np.arange(len(table.values)) if table.time is None else np.argsort(table.time, kind="stable")
    _, first, codes = np.unique(table.id, return_index=True, return_inverse=True)
    rank = np.argsort(np.argsort(first))[codes]
    keys = (rank,) if table.time is None else (table.time, rank)
    return np.asarray(np.lexsort(keys))


def ordered(table: Table, order: IntArray | slice) -> Table:
    """The rows of a table in another order, or some of them."""
    picked: dict[str, Any] = {name: getattr(table, name) for name in ("values", "rows", *_SPECIAL)}
    changes: dict[str, Any] = {name: entry if entry is None else entry[order] for name, entry in picked.items()}
    return replace(table, **changes)


def _is_row_counter(cells: pandas.Series[Any], position: int) -> bool:
    """Whether a nameless first column only counts the rows, as some programs write it."""
    if position != 0 or cells.dtype.kind not in "iu":
        return False
    counted = cells.to_numpy()
    return bool((counted == np.arange(len(counted)) + counted[0]).all() and counted[0] in (0, 1))


def _numbers(cells: pandas.Series[Any], path: Path, column: str, row_word: str) -> NDArray[np.float64]:
    import pandas

    if pandas.api.types.is_numeric_dtype(cells.dtype):
        return cells.to_numpy(dtype=np.float64, na_value=np.nan)
    numbers = pandas.to_numeric(cells, errors="coerce")
    wrong = np.flatnonzero((numbers.isna() & cells.notna()).to_numpy(dtype=bool))
    if wrong.size:
        place = int(cells.index[wrong[0]])
        raise DataError(
            f"{path}: {row_word} {place}, column {column!r} holds {str(cells.iloc[wrong[0]])[:40]!r}, which is no"
            " number; correct the cell or remove the column"
        )
    return np.asarray(numbers.to_numpy(dtype=np.float64, na_value=np.nan))


def _moments(cells: pandas.Series[Any], path: Path, row_word: str) -> FloatArray:
    """The time column as numbers; dates become seconds."""
    import pandas

    if pandas.api.types.is_numeric_dtype(cells.dtype):
        moments = cells.to_numpy(dtype=np.float64, na_value=np.nan)
    else:
        numbers = pandas.to_numeric(cells, errors="coerce") if cells.dtype.kind != "M" else None
        if numbers is not None and bool(numbers.notna().all()):
            moments = numbers.to_numpy(dtype=np.float64)
        else:
            dates = pandas.to_datetime(cells, errors="coerce", utc=True, format="ISO8601")
            if bool(dates.isna().any()):  # another way of writing dates, the same in all rows
                dates = pandas.to_datetime(cells, errors="coerce", utc=True)
            since = (dates - dates.min()).dt.total_seconds()
            moments = since.to_numpy(dtype=np.float64, na_value=np.nan)
    wrong = np.flatnonzero(~np.isfinite(moments))
    if wrong.size:
        place = int(cells.index[wrong[0]])
        raise DataError(
            f"{path}: {row_word} {place}, column 'time' is neither a number nor a date; fill it in or remove the column"
        )
    return np.asarray(moments)
