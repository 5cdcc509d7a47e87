"""Spreadsheet workbooks, by the optional package openpyxl: one sheet as cells of a text table, several as sequences."""

from __future__ import annotations

import csv
import datetime
import io
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..core.errors import DataError
from ..core.extras import from_extra
from .delimited import Sheet, sheet_of
from .reading import USUAL, Reading
from .text import is_number


def read_workbook(path: Path, how: Reading = USUAL) -> Sheet:
    """Return cells of the non-empty sheet; several sheets with equal columns are sequences named after them.

    Of formulas, the cells are what they gave when the file was saved.

    Raises
    ------
    ParameterError
        If openpyxl is not installed.
    DataError
        If the file is no workbook, or is empty.
    """
    with from_extra("files", f"{path}: reading a workbook"):
        import openpyxl
    try:
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
        try:
            filled = [
                sheet for sheet in book.worksheets if any(any(_text(cell) for cell in row) for row in _rows(sheet))
            ]
            if not filled:
                raise DataError(f"{path}: holds no row; leave it out or write it again")
            rows = [[[_text(cell) for cell in row] for row in _rows(sheet)] for sheet in filled]
            sheets = _joined(rows, [sheet.title for sheet in filled], path) if len(filled) > 1 else rows[0]
            text = io.StringIO()
            csv.writer(text, lineterminator="\n").writerows(sheets)
        finally:
            book.close()
    except (OSError, ValueError, KeyError, TypeError, zipfile.BadZipFile) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(f"{path}: cannot be read as a workbook ({error!r:.80}); save it again, or as CSV") from error
    return sheet_of(text.getvalue(), path, how)


def _joined(sheets: Sequence[list[list[str]]], titles: Sequence[str], path: Path) -> list[list[str]]:
    """Return the rows of sheets with equal columns as a long table with the titles as ids.

    Raises
    ------
    DataError
        If their columns differ, or there is no header.
    """
    bodies = [_below_titles([_stripped(row) for row in rows if any(row)]) for rows in sheets]
    header = bodies[0][0]
    if any(is_number(cell) for cell in header):
        # Without names, every row is data.
        if len({len(row) for body in bodies for row in body}) == 1:
            names = [f"column_{j + 1}" for j in range(len(header))]
            return [
                ["id", *names],
                *([title, *row] for title, body in zip(titles, bodies, strict=True) for row in body),
            ]
        header = []
    odd = next((title for title, body in zip(titles, bodies, strict=True) if body[0] != header), None)
    if odd is not None:
        raise DataError(
            f"{path}: has {len(titles)} sheets with cells, and {odd!r} has other columns than {titles[0]!r}; give all"
            " sheets the same columns, a sheet a sequence, or save the one to be read as a file"
        )
    if "id" in map(str.lower, header):
        return [header, *(row for body in bodies for row in body[1:])]
    return [["id", *header], *([title, *row] for title, body in zip(titles, bodies, strict=True) for row in body[1:])]


def _below_titles(rows: list[list[str]]) -> list[list[str]]:
    """Return rows without those above a header that have fewer cells than it."""
    width = max(sum(map(bool, row)) for row in rows)
    begin = next(i for i, row in enumerate(rows) if sum(map(bool, row)) == width)
    titles = all(not is_number(row[0]) for row in rows[:begin])
    return rows[begin:] if titles and not any(map(is_number, rows[begin])) else rows


def _stripped(row: list[str]) -> list[str]:
    """Return a row without empty cells at its end."""
    while len(row) > 1 and not row[-1]:
        row = row[:-1]
    return row


def _rows(sheet: Any) -> Any:
    return sheet.iter_rows(values_only=True)


def _text(cell: Any) -> str:
    """Return a cell as in a text table."""
    if cell is None:
        return ""
    if isinstance(cell, datetime.datetime):
        return cell.isoformat(sep=" ")
    if isinstance(cell, (datetime.date, datetime.time)):
        return cell.isoformat()
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() else repr(cell)
    return str(cell).strip()
