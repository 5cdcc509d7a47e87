"""Recordings of wristbands: the first row is the start time, the second the sampling rate, each once for every column.

Empatica's E4 writes its files so: without a header, the start in seconds since 1970, the rate in Hz. Some programs write the
start only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from ...core.clock import SECONDS
from ...core.epochs import epoch_unit
from ...core.errors import DataError
from ...core.wording import count, listed, plain
from ..delimited import Sheet
from ..reading import Reading
from ..table import Table, table_of
from ..text import to_number
from .known_layout import KnownLayout, Read

_FASTEST = 1e6
"""Highest plausible rate in Hz."""


def matches(sheet: Sheet) -> bool:
    """Return whether the first row holds one time since 1970, and no later row holds any."""
    start = _same(sheet.first)
    if start is None or not epoch_unit(start) or len(sheet.columns) != len(sheet.first) or len(sheet.lines) < 2:
        return False
    numbers = [column.numbers for column in sheet.columns if column.text is None]
    largest = [np.nanmax(cells) for cells in numbers if np.isfinite(cells).any()]
    return len(largest) == len(sheet.columns) and not any(map(epoch_unit, largest))


def read(sheets: Sequence[Sheet], how: Reading) -> Read:
    """Return tables with times from the rate, and a description."""
    rates = _rates(sheets)
    tables = [_table(sheet, rate, how) for sheet, rate in zip(sheets, rates, strict=True)]
    notes = []
    known = sorted({rate for rate in rates if rate is not None})
    if known:
        hertz = listed([plain(rate) for rate in known])
        number = sum(rate is not None for rate in rates)
        notes.append(f"read the first two rows of {count(number, 'file')} as start time and sampling rate ({hertz} Hz)")
    bare = sum(rate is None for rate in rates)
    if bare:
        notes.append(f"read the first row of {count(bare, 'file')} as the start time, which is no data")
    return tables, notes


def _rates(sheets: Sequence[Sheet]) -> list[float | None]:
    """Sampling rate of each sheet; None if the second row is data.

    Of one column, any number could be a rate: it is one where it is written as the start is, with the same places behind the
    point, or where most files have the same.
    """
    second = [_rate(sheet) for sheet in sheets]
    narrow = Counter(rate for sheet, rate in zip(sheets, second, strict=True) if len(sheet.first) == 1)
    usual, number = narrow.most_common(1)[0] if narrow else (None, 0)
    shared = usual if number > 1 and 2 * number > sum(narrow.values()) else None
    return [
        rate if len(sheet.first) > 1 or rate == shared or _alike(sheet.first[0], sheet.sample[0][0]) else None
        for sheet, rate in zip(sheets, second, strict=True)
    ]


def _rate(sheet: Sheet) -> float | None:
    rate = _same(sheet.sample[0])
    return rate if rate is not None and 0.0 < rate <= _FASTEST else None


def _alike(start: str, rate: str) -> bool:
    """Return whether two numbers have equally many decimals, all zeros."""
    (_, _, places), (_, point, zeros) = start.partition("."), rate.partition(".")
    return bool(point) and len(places) == len(zeros) and not zeros.strip("0")


def _same(cells: Sequence[str]) -> float | None:
    """Return the common number of all cells; None otherwise."""
    try:
        numbers = {to_number(cell) for cell in cells}
    except ValueError:
        return None
    return numbers.pop() if len(numbers) == 1 else None


def _table(sheet: Sheet, rate: float | None, how: Reading) -> Table | DataError:
    head = 0 if rate is None else 1
    columns = [column.after(head) for column in sheet.columns]
    if not len(columns[0]):
        return DataError(f"{sheet.path}: holds a start time and a rate but no row of numbers; leave it out")
    names = [str(i + 1) for i in range(len(columns))]
    try:
        table = table_of(columns, names, False, sheet.path, sheet.lines[head:], "line", how)
    except DataError as error:
        return error
    if rate is not None and table.time is None:
        table.time, table.unit = np.arange(len(table.values)) / rate, SECONDS
    return table


LAYOUT = KnownLayout("start and rate", matches, read)
