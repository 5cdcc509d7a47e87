"""Interface of layouts of tables of segments, and code shared by their readers."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ...core.errors import DataError
from ..text import DECIMAL_COMMA, to_number

COLUMN = "Cluster"
"""Name of the column of clusters in an exported table."""


@dataclass(frozen=True)
class Segment:
    """A row of a table of segments, or several merged ones.

    Attributes
    ----------
    start, stop : float
        Seconds from the beginning of the recording, as the table has them.
    rows : tuple of int
        Its rows in the table, as the layout counts them.
    line : int
        Line of the first one in the file, from 1.
    label : str
        Empty where there is none.
    file : str
        Name or path of the recording; empty where the table does not say.
    low, high : float
        Edges of its band (Hz); 0 and infinity where it has none.
    channel : int or None
        Channel of the recording, from 1; None where the table does not say.
    """

    start: float
    stop: float
    rows: tuple[int, ...]
    line: int
    label: str = ""
    file: str = ""
    low: float = 0.0
    high: float = math.inf
    channel: int | None = None


@dataclass(frozen=True)
class SegmentLayout:
    """Layout of a table of segments.

    Attributes
    ----------
    name : str
        As a note calls it.
    matches : callable
        ``matches(path, text)``: whether a file is laid out like that.
    read : callable
        ``read(path, text, tier)``: its segments, in its order; `tier` is the name of the tier of a TextGrid, or None.
        :class:`DataError` with file and line where a row says something else.
    write : callable
        ``write(text, clusters, tier)``: the same text with the cluster of each row, by the rows of the segments.
    """

    name: str
    matches: Callable[[Path, str], bool]
    read: Callable[[Path, str, str | None], list[Segment]]
    write: Callable[[str, Mapping[int, str], str | None], str]


@dataclass(frozen=True)
class SegmentSheet:
    """Rows of a text with separators, with a separate header.

    Attributes
    ----------
    separator : str
    header : list of str
    rows : list of (int, list of str)
        Line in the file, from 1, and cells; blank lines are left out.
    names : dict
        Columns by their names: small letters, without units in brackets and signs between words.
    """

    separator: str
    header: list[str]
    rows: list[tuple[int, list[str]]]
    names: dict[str, int] = field(default_factory=dict)

    def cell(self, cells: Sequence[str], column: int | None) -> str:
        """Return a cell of a row; empty for a missing column or a short row."""
        return "" if column is None or column >= len(cells) else cells[column].strip()


def plain_name(cell: str) -> str:
    """Return a column name without differences between programs: capitals, blanks, units of seconds and Hz in brackets."""
    text = re.sub(r"[\[(](s|sec|secs|seconds|hz)[\])]", "", cell.strip().lower())
    text = re.sub(r"[\s_\-.]+", "_", text).strip("_")
    return re.sub(r"_(s|sec|secs|seconds|hz)$", "", text)


def sheet_of(text: str, separators: Sequence[str] = ("\t", ";", ",")) -> SegmentSheet | None:
    """Return a text as rows of cells, by the first separator in its first line; None without one."""
    lines = text.splitlines()
    head = next((i for i, line in enumerate(lines) if line.strip()), None)
    if head is None:
        return None
    separator = next((mark for mark in separators if mark in lines[head]), None)
    if separator is None:
        return None
    reader = csv.reader(io.StringIO("\n".join(lines[head:]) + "\n"), delimiter=separator)
    try:
        header = next(reader)
        rows = [(head + reader.line_num, cells) for cells in reader if any(cell.strip() for cell in cells)]
    except csv.Error:
        return None
    names: dict[str, int] = {}
    for column, cell in enumerate(header):
        names.setdefault(plain_name(cell), column)
    return SegmentSheet(separator, header, rows, names)


def with_column(text: str, clusters: Mapping[int, str], separators: Sequence[str] = ("\t", ";", ",")) -> str:
    """Return a table with its header, with a column added or replaced."""
    sheet = sheet_of(text, separators)
    assert sheet is not None
    known = [column for column, cell in enumerate(sheet.header) if cell.strip() == COLUMN]
    out = io.StringIO()
    writer = csv.writer(out, delimiter=sheet.separator, lineterminator="\n")
    for row, cells in [(-1, sheet.header), *enumerate(cells for _, cells in sheet.rows)]:
        value = COLUMN if row < 0 else clusters.get(row, "")
        cells = [*cells, *[""] * (len(sheet.header) - len(cells))]
        if known:
            cells[known[0]] = value
        else:
            cells = [*cells[: len(sheet.header)], value]
        writer.writerow(cells)
    return out.getvalue()


def number_in(cell: str, path: Path, line: int, what: str) -> float:
    """Return the number in a cell, with a decimal point or comma; :class:`DataError` with its place otherwise."""
    try:
        text = cell.strip()
        value = to_number(text.replace(",", ".") if DECIMAL_COMMA.fullmatch(text) else text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise DataError(f"{path}: line {line}: {what} is {cell!r}, expected a number of seconds or Hz; correct it")
    return value


def edges(
    sheet: SegmentSheet, cells: Sequence[str], columns: tuple[int | None, int | None], path: Path, line: int
) -> tuple[float, float]:
    """Band of a row, 0 and infinity where cells are empty."""
    low, high = (sheet.cell(cells, column) for column in columns)
    return (
        number_in(low, path, line, "the low frequency") if low else 0.0,
        number_in(high, path, line, "the high frequency") if high else math.inf,
    )
