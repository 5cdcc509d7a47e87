"""Time columns as numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import FloatArray
from ..core.clock import SECONDS, time_unit
from ..core.cutting import origin_of_epoch
from ..core.epochs import NANOSECONDS, epoch_columns
from ..core.errors import DataError
from ..core.row_order import Times, as_one_clock
from .columns import Column
from .text import DECIMAL_COMMA, is_date, is_time_of_day, to_number


def tells_time(column: Column, ids: NDArray[np.str_] | None = None) -> bool:
    """Return whether a column must be the time, whatever its name.

    Dates can, in any order; times of day if they never fall within a sequence, except at midnight or noon, since durations are
    written alike; and nanoseconds since 1970, which are no numbers that float64 could hold.

    Parameters
    ----------
    column : Column
    ids : ndarray of str, optional
        Which sequence each row is of; all are of one if not given.
    """
    words = column.words
    if not words:
        whole = column.text is None and not column.odd and not column.points and len(column.numbers) > 0
        return whole and bool((column.numbers >= NANOSECONDS).all()) and epoch_columns([column.numbers[:, None]]) == [0]
    if len(words) < len(column):
        return False
    if all(map(is_date, words)):
        return True
    if not all(map(is_time_of_day, words)):
        return False
    moments = _as_dates(words)
    if ids is None:
        return as_one_clock(moments)
    order = np.argsort(ids, kind="stable")
    begins = np.flatnonzero(ids[order][1:] != ids[order][:-1]) + 1
    return all(map(as_one_clock, np.split(moments[order], begins)))


def moments(cells: Sequence[str], path: Path, rows: NDArray[np.int64], row_word: str, name: str = "time") -> FloatArray:
    """Return cells of a time column as numbers.

    Parameters
    ----------
    cells : sequence of str
        Numbers, dates as of ISO 8601 (``2024-05-31 10:00:00``) or times of day (``10:00:00.5``).
    path, rows, row_word, name
        Where they stand, and the name of the column, for messages.

    Returns
    -------
    ndarray, shape (rows,), float64
        Numbers as they are, if float64 holds them, else less the first; seconds for dates and times of day.

    Raises
    ------
    DataError
        If a cell is none of these; the day of ``05/06/2024`` would have to be guessed.
    """
    if kind_of_time(cells) == "dates" and not np.isnan(dates := _as_dates(cells)).any():
        return dates
    numbers = _as_numbers(cells)
    if np.isnan(numbers).any():
        dates = _as_dates(cells)
        numbers = dates if np.isnan(dates).sum() < np.isnan(numbers).sum() else numbers
    wrong = np.flatnonzero(~np.isfinite(numbers))
    if wrong.size:
        cell, others = cells[wrong[0]], ", as the others are," if wrong.size < len(cells) else ""
        raise DataError(
            f"{path}: {row_word} {rows[wrong[0]]}, column {name!r} is neither a number nor a date{others} but {cell[:40]!r}; write"
            " numbers or dates such as 2024-05-31 10:00:00, or remove the column if the rows stand in order"
        )
    return numbers


def kind_of_time(cells: Sequence[str]) -> Times:
    """Return the kind of the cells of a time column."""
    first = next((cell for cell in cells if cell), "")
    return "dates" if is_date(first) else "clock" if is_time_of_day(first) else "numbers"


def unit_of_time(cells: Sequence[str], name: str, steps: FloatArray) -> str:
    """Return the unit of :func:`moments` with some steps for a time column; empty if not given."""
    first = next((cell for cell in cells if cell), "")
    if is_date(first) or is_time_of_day(first):
        return SECONDS
    return time_unit(name, _number(first), steps)


def origin_of_time(cells: Sequence[str], moments: FloatArray, name: str) -> tuple[Any, bool]:
    """Return the zero of the times of :func:`moments`, in the time zone of the first cell; None without dates.

    Also returns whether the times count since 1970. Times of day and plain numbers have no dates.
    """
    first = next((cell for cell in cells if cell), "")
    if is_date(first):
        import pandas

        try:
            began = pandas.Timestamp(first.removesuffix("UTC").strip())
        except ValueError:
            return None, False
        origin = began - pandas.Timedelta(float(moments[cells.index(first)]), "s")
        zone = zone_of(cells, moments, origin)
        return (origin.tz_convert(zone) if zone else origin), False
    if is_time_of_day(first):
        return None, False
    number = _number(first)
    exact = abs(number) < 2**53 or not first.isdecimal()
    origin = origin_of_epoch(
        time_unit(name, number, np.diff(moments)), number, 0 if exact else int(first) - int(moments[cells.index(first)])
    )
    return origin, origin is not None


_OFFSET = re.compile(r"(Z|[+-]\d\d(:?\d\d)?)$")
_MOST_CHANGES = 60
"""Largest number of changes of the offset from UTC within times of one zone: two a year."""


def offsets_of(cells: Sequence[str]) -> dict[str, float]:
    """Return the offsets from UTC at the ends of dates, in seconds; empty where the first date has none."""
    if not cells or ":" not in cells[0] or _OFFSET.search(cells[0]) is None or not is_date(cells[0]):
        return {}
    found: dict[str, float] = {}
    for end in {cell[-6:] for cell in cells}:
        if (match := _OFFSET.search(end)) is not None:
            digits = match[1].lstrip("+-").replace(":", "")
            seconds = 0.0 if digits == "Z" else 3600.0 * int(digits[:2]) + 60.0 * int(digits[2:] or 0)
            found[end] = -seconds if match[1].startswith("-") else seconds
    return found


def zone_of(cells: Sequence[str], moments: FloatArray, origin: Any) -> str:
    """Return the first time zone that has the offsets from UTC of dates, where these change; empty otherwise.

    Zones of Europe come first. `origin` is the moment at which `moments`, in seconds, are 0.
    """
    known = offsets_of(cells)
    if len(set(known.values())) < 2:
        return ""
    from datetime import timedelta
    from zoneinfo import ZoneInfo, available_timezones

    import pandas

    order = np.argsort(moments, kind="stable")
    offsets = np.array([known.get(cell[-6:], np.nan) for cell in cells])[order]
    changes = np.flatnonzero(np.diff(offsets) != 0)
    if len(changes) > _MOST_CHANGES:
        return ""
    some = np.unique(np.concatenate([[0, len(order) - 1], changes, changes + 1]))
    at = [
        (origin + pandas.Timedelta(float(moments[order[k]]), "s"), timedelta(seconds=float(offsets[k]))) for k in some
    ]
    for name in sorted(available_timezones(), key=lambda name: (not name.startswith("Europe/"), name)):
        zone = ZoneInfo(name)
        if all(moment.tz_convert(zone).utcoffset() == offset for moment, offset in at):
            return name
    return ""


def _as_numbers(cells: Sequence[str]) -> FloatArray:
    numbers: dict[str, float]
    try:
        whole = {cell: int(cell) for cell in set(cells)}
        # Nanoseconds since 1970 exceed 2**53, so take differences first.
        base = whole[cells[0]] if max(map(abs, whole.values())) >= 2**53 else 0
        numbers = {cell: float(entry - base) for cell, entry in whole.items()}
    except (ValueError, OverflowError):
        try:
            if not any("_" in cell for cell in cells):
                return np.fromiter(map(float, cells), np.float64, len(cells))
        except ValueError:
            pass
        numbers = {cell: _number(cell) for cell in set(cells)}
    return np.array([numbers[cell] for cell in cells], dtype=np.float64)


def _number(cell: str) -> float:
    try:
        return to_number(cell.replace(",", ".") if DECIMAL_COMMA.fullmatch(cell) else cell)
    except ValueError:
        return np.nan


def _as_dates(cells: Sequence[str]) -> FloatArray:
    """Seconds since the first date, or since midnight; NaN for other cells."""
    import pandas

    series = pandas.Series(list(cells), dtype=object)
    zoned = series.str.replace(r" ?UTC$", "Z", regex=True) if any("UTC" in cell for cell in cells) else series
    dates = pandas.to_datetime(zoned, errors="coerce", utc=True, format="ISO8601")
    if bool(dates.isna().all()):
        clock = series.where(series.str.fullmatch(r"\d{1,3}:\d\d(:\d\d([.,]\d+)?)?"))
        padded = clock.str.replace(",", ".").str.replace(r"^(\d+:\d\d)$", r"\1:00", regex=True)
        since = pandas.to_timedelta(padded, errors="coerce")
    else:
        # Bare numbers among dates would be read as years.
        bare = np.array([cell.isdecimal() or not cell for cell in cells])
        since = (dates - dates.min()).mask(bare)
    return np.asarray(since.dt.total_seconds().to_numpy(dtype=np.float64, na_value=np.nan))
