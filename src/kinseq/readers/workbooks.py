"""Workbooks of spreadsheets, by the optional package openpyxl: their first sheet as cells of a text table."""

from __future__ import annotations

import csv
import datetime
import io
import zipfile
from pathlib import Path
from typing import Any

from kinseq.core.errors import DataError
from kinseq.core.extras import from_extra

from .delimited import Sheet, sheet_of
from .reading import USUAL, Reading


def read_workbook(path: Path, how: Reading = USUAL) -> Sheet:
    """Return cells of the first sheet that holds any; of formulas what they gave when the file was saved.

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
            if len(filled) > 1:
                names = ", ".join(repr(sheet.title) for sheet in filled[:4])
                raise DataError(
                    f"{path}: has {len(filled)} sheets with cells ({names}); save the one to be read as a file"
                )
            text = io.StringIO()
            csv.writer(text, lineterminator="\n").writerows([_text(cell) for cell in row] for row in _rows(filled[0]))
        finally:
            book.close()
    except (OSError, ValueError, KeyError, TypeError, zipfile.BadZipFile) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(f"{path}: cannot be read as a workbook ({error!r:.80}); save it again, or as CSV") from error
    return sheet_of(text.getvalue(), path, how)


def _rows(sheet: Any) -> Any:
    return sheet.iter_rows(values_only=True)


def _text(cell: Any) -> str:
    """Return a cell as a text table has it."""
    if cell is None:
        return ""
    if isinstance(cell, datetime.datetime):
        return cell.isoformat(sep=" ")
    if isinstance(cell, (datetime.date, datetime.time)):
        return cell.isoformat()
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() else repr(cell)
    return str(cell).strip()
