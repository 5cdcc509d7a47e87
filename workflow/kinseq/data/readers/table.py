"""A table: columns of numbers, beside them id, time, label and group, every cell checked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...arrays import FloatArray, IntArray
from ...errors import DataError
from .columns import Column, numbers_of
from .text import plain_text
from .times import moments

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

    def place(self, row: int, column: int) -> str:
        """Where a number stands in the file, for messages."""
        return f"{self.row_word} {self.rows[row]}, {_named(self.columns[column], self.has_header)}"


def table_of(
    columns: Sequence[Column], names: Sequence[str], has_header: bool, path: Path, rows: IntArray, row_word: str
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

    Raises
    ------
    DataError
        If a name is doubled, a cell is no number, a row has no id, or nothing is left.
    """
    lowered = [name.lower() if has_header and name.lower() in SPECIAL else name for name in names]
    doubled = [name for name, count in Counter(lowered).items() if count > 1]
    if doubled:
        raise DataError(f"{path}: column {doubled[0]!r} occurs more than once; rename or remove one")
    special = {name: column for name, column in zip(lowered, columns, strict=True) if has_header and name in SPECIAL}
    kept = [(name, column) for name, column in zip(lowered, columns, strict=True) if name not in special]
    if not kept:
        raise DataError(f"{path}: holds no column of numbers; put the features beside the other columns")
    if not len(rows):
        raise DataError(f"{path}: holds no row of numbers; leave it out or write it again")

    def placed(name: str) -> Callable[[int], str]:
        return lambda row: f"{row_word} {row}, {_named(name, has_header)}"

    values = np.column_stack([numbers_of(column, path, placed(name), rows) for name, column in kept])
    if np.isnan(values).all():
        raise DataError(f"{path}: holds no row of numbers; leave it out or write it again")
    table = Table(values, tuple(name for name, _ in kept), has_header, rows, row_word)
    for name, column in special.items():
        assert column.text is not None
        if name == "time":
            table.time = moments(column.text, path, rows, row_word)
        else:
            setattr(table, name, np.array([plain_text(cell) for cell in column.text], dtype=np.str_))
    if table.id is not None and (table.id == "").any():
        row = int(np.flatnonzero(table.id == "")[0])
        raise DataError(f"{path}: {row_word} {rows[row]} has no id; fill it in or remove the row")
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
    picked: dict[str, Any] = {name: getattr(table, name) for name in ("values", "rows", *SPECIAL)}
    changes: dict[str, Any] = {name: entry if entry is None else entry[order] for name, entry in picked.items()}
    return replace(table, **changes)


def _named(column: str, has_header: bool) -> str:
    return f"column {column!r}" if has_header else f"column {column}"
