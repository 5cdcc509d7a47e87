"""Columns of cells, converted to numbers where possible."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import MAX_EXACT_INTEGER, FloatArray, IntArray
from ..core.data_checks import name_it
from ..core.epochs import epoch_columns
from ..core.errors import DataError
from ..core.wording import as_typed, listed
from .text import DECIMAL_COMMA, MISSING_CELLS, TRUTH, is_date, is_grouped, is_time_of_day, to_number, without_marks


@dataclass
class Column:
    """Cells of a column, as numbers where they are numbers.

    Attributes
    ----------
    numbers : ndarray, shape (rows,), float64
        NaN where a cell is in `odd`.
    odd : dict
        Cells that are no number with a decimal point, by row: missing ones, decimal commas, words.
    points : bool
        Whether a cell holds a decimal point.
    rounded : dict
        Whole numbers that float64 cannot hold, by row.
    text : list of str or None
        All cells as they stand, where they are wanted as text; `numbers` is empty then.
    dotted : ndarray of bool, shape (rows,), or None
        Which cells hold a point that may stand between thousands; None where some point is a decimal one.
    marks : str
        A cell with an apostrophe or a blank between thousands, or another minus; empty if there is none.
    """

    numbers: FloatArray = field(default_factory=lambda: np.zeros(0))
    odd: dict[int, str] = field(default_factory=dict)
    points: bool = False
    rounded: dict[int, str] = field(default_factory=dict)
    text: list[str] | None = None
    dotted: NDArray[np.bool_] | None = None
    marks: str = ""

    def __len__(self) -> int:
        return len(self.numbers) if self.text is None else len(self.text)

    @property
    def blank(self) -> NDArray[np.bool_]:
        """Which cells are empty."""
        if self.text is not None:
            return np.array([cell == "" for cell in self.text], dtype=bool)
        empty = np.zeros(len(self), dtype=bool)
        empty[[row for row, cell in self.odd.items() if cell == ""]] = True
        return empty

    @property
    def cells(self) -> list[str]:
        """All cells as text, including those parsed as numbers."""
        if self.text is not None:
            return self.text
        texts = {**self.odd, **self.rounded}
        return [texts.get(row) or _number_text(number) for row, number in enumerate(self.numbers.tolist())]

    @property
    def words(self) -> list[str]:
        """Non-missing cells that are not numbers."""
        cells: Iterable[str] = self.odd.values() if self.text is None else self.text
        return [cell for cell in cells if cell not in MISSING_CELLS]

    @property
    def commas(self) -> list[str]:
        """Cells that are numbers with a decimal comma."""
        return [cell for cell in self.odd.values() if DECIMAL_COMMA.fullmatch(cell)]

    @property
    def counts(self) -> bool:
        """Whether the cells are whole numbers that rise from row to row."""
        whole = not self.odd and not self.points and bool((self.numbers == np.round(self.numbers)).all())
        return self.text is None and whole and bool((np.diff(self.numbers) > 0).all())

    @property
    def counts_by_one(self) -> bool:
        """Whether the cells are whole numbers that rise by one from row to row."""
        return self.counts and bool((np.diff(self.numbers) == 1).all())

    def first(self, rows: int) -> Column:
        """Return the first rows."""
        if self.text is not None:
            return replace(self, text=self.text[:rows])
        parts: dict[str, dict[int, str]] = {
            name: {row: cell for row, cell in getattr(self, name).items() if row < rows} for name in ("odd", "rounded")
        }
        dotted = None if self.dotted is None else self.dotted[:rows]
        return replace(self, numbers=self.numbers[:rows], odd=parts["odd"], rounded=parts["rounded"], dotted=dotted)

    def after(self, rows: int) -> Column:
        """Return all but the first rows."""
        if self.text is not None:
            return replace(self, text=self.text[rows:])
        parts: dict[str, dict[int, str]] = {
            name: {row - rows: cell for row, cell in getattr(self, name).items() if row >= rows}
            for name in ("odd", "rounded")
        }
        dotted = None if self.dotted is None else self.dotted[rows:]
        return replace(self, numbers=self.numbers[rows:], odd=parts["odd"], rounded=parts["rounded"], dotted=dotted)

    def at(self, rows: IntArray) -> Column:
        """Return some rows, which rise."""
        if self.text is not None:
            return replace(self, text=[self.text[row] for row in rows.tolist()])
        places = {row: i for i, row in enumerate(rows.tolist())}
        parts: dict[str, dict[int, str]] = {
            name: {places[row]: cell for row, cell in getattr(self, name).items() if row in places}
            for name in ("odd", "rounded")
        }
        dotted = None if self.dotted is None else self.dotted[rows]
        return replace(self, numbers=self.numbers[rows], odd=parts["odd"], rounded=parts["rounded"], dotted=dotted)

    def in_thousands(self, mark: str) -> Column:
        """Return the column without points, or commas, between thousands."""
        if self.text is not None:
            return self
        numbers = self.numbers.copy()
        if mark == "." and self.dotted is not None:
            numbers[self.dotted] = np.round(1000.0 * numbers[self.dotted])
        odd = {row: cell.replace(mark, "") for row, cell in self.odd.items()}
        found = column_of(list(odd.values()))
        numbers[list(odd)] = found.numbers
        left = {row: cell for place, (row, cell) in enumerate(odd.items()) if place in found.odd}
        return replace(self, numbers=numbers, odd=left, points=self.points and self.dotted is None, dotted=None)


def column_of(cells: Sequence[str], *, as_text: bool = False) -> Column:
    """Return the column of some cells."""
    if as_text:
        return Column(text=list(cells))
    odd: dict[int, str] = {}
    marks = ""
    try:
        numbers = np.fromiter(map(float, cells), np.float64, len(cells))
        if any("_" in cell for cell in cells):
            raise ValueError
    except ValueError:
        numbers = np.full(len(cells), np.nan)
        for row, cell in enumerate(cells):
            try:
                numbers[row] = to_number(cell)
            except ValueError:
                plain = without_marks(cell)
                if plain == cell:
                    odd[row] = cell
                    continue
                marks = marks or cell
                try:
                    numbers[row] = to_number(plain)
                except ValueError:
                    odd[row] = plain
    rounded = {
        int(row): cells[row]
        for row in np.flatnonzero(np.abs(numbers) >= MAX_EXACT_INTEGER)
        if cells[row].lstrip("+-").isdigit() and int(cells[row]) != int(numbers[row])
    }
    points = any("." in cell for cell in cells)
    return Column(
        numbers, odd, points, rounded, dotted=_with_thousands_points(cells, numbers) if points else None, marks=marks
    )


def _with_thousands_points(cells: Sequence[str], numbers: FloatArray) -> NDArray[np.bool_] | None:
    """Return which cells hold a point before three digits; None if others occur, or nothing precedes the point."""
    if not all(cell[-4:-3] == "." or is_grouped(cell) for cell in cells if "." in cell):
        return None
    dotted = np.array(["." in cell for cell in cells], dtype=bool) & ~np.isnan(numbers)
    size = np.abs(numbers[dotted])
    return dotted if bool(((size >= 1.0) & (size < 1000.0)).all()) else None


def joined(parts: Sequence[Column]) -> Column:
    """Return columns concatenated."""
    if parts[0].text is not None:
        return Column(text=[cell for part in parts for cell in part.text or ()])
    starts = np.cumsum([0, *(len(part) for part in parts)]).tolist()
    pointed = any(part.points for part in parts)
    none = any(part.points and part.dotted is None for part in parts) or not pointed
    dotted = [np.zeros(len(part), dtype=bool) if part.dotted is None else part.dotted for part in parts]
    return Column(
        np.concatenate([part.numbers for part in parts]),
        {start + row: cell for start, part in zip(starts, parts, strict=False) for row, cell in part.odd.items()},
        pointed,
        {start + row: cell for start, part in zip(starts, parts, strict=False) for row, cell in part.rounded.items()},
        dotted=None if none else np.concatenate(dotted),
        marks=next((part.marks for part in parts if part.marks), ""),
    )


def found_name(wanted: str, names: Sequence[str], path: Path, option: str) -> str:
    """Return the name of a given column, ignoring case if that is unambiguous."""
    matches = [name for name in names if name == wanted] or [name for name in names if name.lower() == wanted.lower()]
    if len(matches) != 1:
        raise DataError(
            f"{path}: holds no column {wanted!r}, which {as_typed(option)} names ({listed([n for n in names if n], 12)});"
            " name another one"
        )
    return matches[0]


def numbers_of(
    column: Column, path: Path, place: Callable[[int], str], rows: Sequence[int] | NDArray[np.int64]
) -> FloatArray:
    """Return numbers of a column, NaN where a cell is missing.

    Parameters
    ----------
    column : Column
        The cells; decimal commas and words for true and false are understood.
    path : Path
        File, for messages.
    place : callable
        For messages, what the cell on some line is called.
    rows : sequence of int
        Line of each cell.

    Raises
    ------
    DataError
        If a cell is no number, or a whole number that float64 cannot hold.
    """
    numbers = column.numbers.copy()
    words = {row: cell for row, cell in column.odd.items() if cell not in MISSING_CELLS}
    count = len(numbers) - len(column.odd)
    if words and count == 0 and all(cell.lower() in TRUTH for cell in words.values()):
        _fill(numbers, {row: TRUTH[cell.lower()] for row, cell in words.items()})
        words = {}
    commas = {row: cell for row, cell in words.items() if DECIMAL_COMMA.fullmatch(cell)}
    _fill(numbers, {row: float(cell.replace(",", ".")) for row, cell in commas.items()})
    for row, cell in words.items():
        if row not in commas:
            hint = _hint(cell)
            if not hint and len(words) - len(commas) > max(0.5 * len(numbers), 1):
                hint = f" (if it holds symbols, name it: {as_typed('symbols', 'COLUMN')})"
            raise DataError(
                f"{path}: {place(int(rows[row]))} holds {cell[:40]!r}, which is no number; correct the cell or"
                f" remove the column{hint}"
            )
    # A clock in nanoseconds since 1970 is no feature, so that its last digits do not count.
    is_clock = bool(column.rounded) and not words and epoch_columns([numbers[:, None]]) == [0]
    for row, cell in column.rounded.items() if not is_clock else ():
        raise DataError(
            f"{path}: {place(int(rows[row]))} holds {cell[:40]}, a whole number beyond 2**53, which float64"
            " rounds; subtract a constant from the column or remove it"
        )
    return numbers


def _number_text(number: float) -> str:
    return "" if np.isnan(number) else str(int(number)) if number.is_integer() else repr(number)


def _fill(numbers: FloatArray, replacements: Mapping[int, float]) -> None:
    numbers[list(replacements)] = list(replacements.values())


def _hint(cell: str) -> str:
    if is_date(cell) or is_time_of_day(cell):
        return f" (if it is the time, {name_it()})"
    day = cell.replace("/", "-").replace(".", "-").partition(" ")[0].split("-")
    return " (if it is a date, write 2024-05-31 10:00:00)" if len(day) == 3 and all(map(str.isdigit, day)) else ""
