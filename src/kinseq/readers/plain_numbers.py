"""Numbers of plain tables, parsed from bytes: about ten times as fast as cell by cell.

Only decimals of at most 15 digits are parsed here. Their digits make a whole number, and the power of ten of their decimals is
below ``10**15``: float64 holds both, so that their quotient is the number next to the decimal, as ``float`` of the cell.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import FloatArray
from ..core.compiled import compiled
from .columns import Column

MOST_DIGITS = 15
_THOUSANDS_DECIMALS = 3
_MINUS, _POINT, _ZERO, _NINE, _LINE_FEED, _RETURN = b"-.09\n\r"


def plain_columns(text: str, separator: str, rows: int, width: int) -> list[Column] | None:
    """Return the columns of lines of plain decimals; None if a cell is not one.

    Parameters
    ----------
    text : str
        Whole lines, as they are read; the last one may lack its end.
    separator : str
        One character between cells.
    rows, width : int
        Lines, and cells in each.
    """
    if not text.isascii() or len(separator) != 1:
        return None
    numbers = np.empty((width, rows))
    decimals = np.empty((width, rows), np.int8)
    if not _parsed(np.frombuffer(text.encode("ascii"), np.uint8), ord(separator), numbers, decimals):
        return None
    return [_column(*both) for both in zip(numbers, decimals, strict=True)]


def _column(numbers: FloatArray, decimals: NDArray[np.int8]) -> Column:
    """Return a column; points before three digits each may be thousands separators."""
    pointed = decimals > 0
    size = np.abs(numbers[pointed])
    thousands = bool((decimals[pointed] == _THOUSANDS_DECIMALS).all() and ((size >= 1.0) & (size < 1000.0)).all())
    points = bool(pointed.any())
    return Column(numbers, points=points, dotted=pointed if points and thousands else None)


@compiled()
def _parsed(text, separator, numbers, decimals):  # type: ignore[no-untyped-def]
    """Fill arrays of shape (width, rows); return whether every line has `width` cells, each a plain decimal."""
    width, rows = numbers.shape
    place = 0
    for row in range(rows):
        for column in range(width):
            negative = place < text.size and text[place] == _MINUS
            place += negative
            whole, digits, behind, scale, pointed = np.int64(0), 0, 0, 1.0, False
            while place < text.size:
                byte = text[place]
                if _ZERO <= byte <= _NINE:
                    whole = 10 * whole + (byte - _ZERO)
                    digits += 1
                    if pointed:
                        behind += 1
                        scale *= 10.0
                    if digits > MOST_DIGITS:
                        return False
                elif byte == _POINT and not pointed and digits:
                    pointed = True
                else:
                    break
                place += 1
            if not digits or (pointed and not behind):
                return False
            number = whole / scale
            numbers[column, row] = -number if negative else number
            decimals[column, row] = behind
            if column + 1 < width:
                if place == text.size or text[place] != separator:
                    return False
                place += 1
        if place == text.size:
            return row + 1 == rows
        if text[place] == _RETURN:
            place += 1
        # A carriage return alone may end a line too, which the general parser handles.
        if place == text.size or text[place] != _LINE_FEED:
            return False
        place += 1
    return place == text.size
