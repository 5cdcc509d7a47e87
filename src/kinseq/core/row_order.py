"""The order of rows by their times: kept, sorted, or kept because the clock restarted.

A clock without a day begins again at midnight, a 12-hour clock at noon too, and a counter when its last number is reached.
Sorted by such times, what follows midnight would come first, and several days would be mixed row by row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from .arrays import FloatArray, IntArray
from .errors import DataError
from .wording import as_typed, count, listed

Times = Literal["numbers", "clock", "dates"]
"""Numbers of any unit; times of day in seconds since midnight; dates in seconds since the first."""
DAY_SECONDS = 86_400.0
_HALF_DAY = 43_200.0
_PERIODS = {
    12.0: "12-hour clock",
    24.0: "hours of the day",
    60.0: "seconds of the minute",
    256.0: "counter of 8 bits",
    1000.0: "counter that ends at 999",
    1024.0: "counter of 10 bits",
    1440.0: "minutes of the day",
    2400.0: "hours and minutes of the day",
    3600.0: "seconds of the hour",
    4096.0: "counter of 12 bits",
    _HALF_DAY: "12-hour clock",
    65_536.0: "counter of 16 bits",
    DAY_SECONDS: "seconds of the day",
    240_000.0: "hours, minutes and seconds of the day",
    2.0**24: "counter of 24 bits",
    1000.0 * DAY_SECONDS: "milliseconds of the day",
    2.0**32: "counter of 32 bits",
    1e6 * DAY_SECONDS: "microseconds of the day",
}
"""Numbers at which clocks and counters start again, ascending, with descriptions."""
_WRITTEN = {240_000.0: 100, 2400.0: 100}
"""Times of day written as one number, 223000 or 2230: the last two digits count sixtieths, as do those before them."""
_SIGNED = frozenset({256.0, 65_536.0, 2.0**24, 2.0**32})
"""Those that also restart at their lowest negative number."""
_MAX_LATE_PLACES = 3
"""Largest number of joints of stretches for late rows: each is inserted between two others."""


@dataclass(frozen=True)
class RowOrder:
    """Order of the rows of one sequence.

    Attributes
    ----------
    positions : ndarray, shape (T,), int64
        Of the rows, in order.
    times : ndarray, shape (T,), float64
        In that order; they never fall, a clock that begins again goes on.
    moved : bool
        Whether rows were moved.
    again : int
        How often the clock began again.
    clock : str
        What kind of clock that is; empty if it never began again.
    seconds : bool
        Whether `times` are seconds, though the numbers were not.
    """

    positions: IntArray
    times: FloatArray
    moved: bool
    again: int = 0
    clock: str = ""
    seconds: bool = False


def row_order(times: FloatArray, kind: Times, where: str) -> RowOrder:
    """Return the order of rows.

    Parameters
    ----------
    times : ndarray, shape (T,), float64
        Finite, as the rows stand.
    kind : {"numbers", "clock", "dates"}
    where : str
        What the column is called, for the message.

    Returns
    -------
    RowOrder
        Rows whose times never fall stay as they are; where a known clock begins again, they do too; a few late rows, blocks
        in another order, the newest first, or rows without any order are sorted, equal times as they stand.

    Raises
    ------
    DataError
        If the times begin again in a way that fits no clock, so that sorting would mix stretches that follow each other.
    """
    places = np.arange(len(times), dtype=np.int64)
    steps = np.diff(times)
    falls = steps < 0
    if not falls.any():
        return RowOrder(places, times, moved=False)
    # The newest row may come first.
    turned = int(falls.sum()) > int((steps > 0).sum())
    forward, back = (times[::-1], places[::-1]) if turned else (times, places)
    continued = _continued(forward, kind)
    if continued is not None:
        on, again, clock, seconds = continued
        order = np.argsort(on, kind="stable")
        moved = bool((np.diff(back[order]) < 0).any())
        return RowOrder(back[order], on[order], moved, again, clock, seconds)
    if _mixes(forward, kind):
        row = int(np.argmax(falls))
        unit = " seconds of the day" if kind == "clock" else ""
        raise DataError(
            f"{where} begins again below row {row + 1} of the sequence (from {times[row]:g} to {times[row + 1]:g}{unit}), and"
            " sorting would mix rows that follow each other; write times that go on (the day with the time of day), separate"
            f" several recordings by an id, which may be several columns ({as_typed('id_column', 'id,trial')}), or leave the"
            " column out to keep the rows as they stand"
        )
    order = np.argsort(times, kind="stable")
    return RowOrder(order, times[order], moved=True)


def orders_within(
    times: FloatArray, codes: IntArray, kind: Times, where: Callable[[int], str]
) -> tuple[IntArray, FloatArray, dict[int, RowOrder]]:
    """Return the order of the rows of several concatenated sequences.

    Parameters
    ----------
    times : ndarray, shape (rows,), float64
        As the rows stand.
    codes : ndarray, shape (rows,), int64
        Which sequence each row is of.
    kind : {"numbers", "clock", "dates"}
    where : callable
        ``where(code)`` says what the column of a sequence is called, for the message.

    Returns
    -------
    positions : ndarray, shape (rows,), int64
        Of the rows, in order.
    times : ndarray, shape (rows,), float64
        In that order.
    orders : dict
        By code, of the sequences whose times fall somewhere.

    Raises
    ------
    DataError
        As :func:`row_order`.
    """
    positions = np.argsort(codes, kind="stable")
    stands, own = times[positions], codes[positions]
    falling = np.unique(own[1:][(np.diff(stands) < 0) & (np.diff(own) == 0)]).tolist()
    orders: dict[int, RowOrder] = {}
    for code in falling:
        begin, end = (int(np.searchsorted(own, code, side)) for side in ("left", "right"))
        found = orders[code] = row_order(stands[begin:end], kind, where(code))
        positions[begin:end] = positions[begin:end][found.positions]
        stands[begin:end] = found.times
    return positions, stands, orders


def notes_on_order(orders: Mapping[str, RowOrder], what: str) -> list[str]:
    """Return sentences on sequences, by name, whose rows were moved, or whose clock restarted; `what` they are, as "file"."""
    said = []
    moved = [name for name, order in orders.items() if order.moved]
    if moved:
        said.append(f"sorted the rows of {count(len(moved), what)} by time: {listed(moved)}")
    for clock in dict.fromkeys(order.clock for order in orders.values() if order.again):
        again = [name for name, order in orders.items() if order.clock == clock]
        often = max(orders[name].again for name in again)
        said.append(
            f"the time of {count(len(again), what)} begins again ({clock}, {count(often, 'time')} at most): it goes on from there,"
            f" in the order of the rows: {listed(again)}"
        )
    return said


def as_one_clock(times: FloatArray) -> bool:
    """Return whether times of day, in seconds, rise throughout or restart only at midnight or noon."""
    return not (np.diff(times) < 0).any() or _continued(times, "clock") is not None


def goes_on(times: FloatArray) -> bool:
    """Return whether numbers never fall, or are a counter that restarts."""
    return not (np.diff(times) < 0).any() or _continued(times, "numbers") is not None


def _continued(times: FloatArray, kind: Times) -> tuple[FloatArray, int, str, bool] | None:
    """Return continued times of a restarted clock, the number of restarts, the kind of clock, whether seconds; or None."""
    steps = np.diff(times)
    rises = steps[steps > 0]
    if not rises.size:
        return None
    low, high, largest = float(times.min()), float(times.max()), float(rises.max())
    periods = [(period, name) for period, name in _PERIODS.items() if kind == "numbers"] or [
        (_HALF_DAY, "12-hour clock"),
        (DAY_SECONDS, "24-hour clock"),
    ]
    for period, name in periods:
        signed = kind == "numbers" and low >= -0.5 * period and high < 0.5 * period and period in _SIGNED
        early = kind == "clock" and period == _HALF_DAY and (low < 3600.0 or high >= 46_800.0) and high >= _HALF_DAY
        if high - low >= period or (kind != "dates" and low < 0 and not signed) or early:
            continue
        again = steps <= -0.5 * period
        if not again.any() or (period + steps[again]).max() > 2.0 * largest:
            continue
        if kind == "numbers" and _are_trials(times, again):
            continue
        values, seconds = times, False
        if period in _WRITTEN and (in_seconds := _in_seconds(times, period)) is not None:
            values, seconds = in_seconds, True
        on = values + (DAY_SECONDS if seconds else period) * np.concatenate([[0], np.cumsum(again)])
        late = np.diff(on) < 0
        if 20 * int(late.sum()) > len(times) or (late.any() and _mixes(on, kind)):
            continue
        # Unordered numbers fall often, and form an even grid once sorted.
        if kind == "numbers" and (
            len(times) < 4 * (int(again.sum()) + 1) or (_is_even(np.sort(times)) and not _is_even(on))
        ):
            continue
        return on, int(again.sum()), name, seconds
    return None


def _are_trials(times: FloatArray, again: NDArray[np.bool_]) -> bool:
    """Return whether stretches of times begin alike, as stacked recordings do, unlike a clock that continues.

    A counter that began at its first number begins alike too; then it has gone round often, and breaks off. Few stretches of
    one length may be trials, of which the last was cut short.
    """
    begins = np.concatenate([[0], np.flatnonzero(again) + 1])
    rows = np.diff(np.append(begins, len(times)))
    if (times[begins] != times[0]).any():
        return False
    return len(rows) <= _MOST_TRIALS or bool((rows[:-1] != rows[0]).any()) or rows[-1] >= rows[0]


_MOST_TRIALS = 5
"""Largest number of stretches of equal lengths, but the last, that may be trials rather than rounds of a counter."""


def telling_apart(times: FloatArray, codes: IntArray, columns: Mapping[str, IntArray]) -> tuple[str, IntArray] | None:
    """Return the column that changes exactly where times restart within a sequence, and new codes.

    Parameters
    ----------
    times : ndarray, shape (rows,), float64
        As the rows stand.
    codes : ndarray, shape (rows,), int64
        Which sequence each row is of.
    columns : mapping of str to ndarray, shape (rows,), int64
        Codes of the cells of columns.

    Returns
    -------
    (name, codes) or None
        None where no sequence has times that begin again, or no column tells its stretches apart.
    """
    order = np.argsort(codes, kind="stable")
    within = np.diff(codes[order]) == 0
    falls = within & (np.diff(times[order]) < 0)
    if not falls.any() or _MIN_STRETCH * int(falls.sum()) > len(times):
        return None
    for name, entries in columns.items():
        changes = within & (np.diff(entries[order]) != 0)
        if not _changes_with(changes, falls, entries[order], codes[order]):
            continue
        _, joined = np.unique(np.stack([codes, entries]), axis=1, return_inverse=True)
        return name, np.asarray(joined, dtype=np.int64).reshape(-1)
    return None


_MIN_STRETCH = 3
"""Least mean number of rows per stretch of times for a recording."""


def _changes_with(changes: NDArray[np.bool_], falls: NDArray[np.bool_], entries: IntArray, codes: IntArray) -> bool:
    """Return whether cells change exactly where times fall, without repeating in a sequence."""
    if (changes != falls).any():
        return False
    begins = np.concatenate([[True], changes | (np.diff(codes) != 0)])
    stretches = np.stack([codes[begins], entries[begins]], axis=1)
    return len(np.unique(stretches, axis=0)) == len(stretches)


def _is_even(times: FloatArray) -> bool:
    """Return whether ascending times have equal steps."""
    steps = np.diff(times)
    return bool(steps.min() > 0 and np.ptp(steps) <= 0.01 * steps.min())


def _in_seconds(times: FloatArray, period: float) -> FloatArray | None:
    """Seconds since midnight of 223000 or 2230; None if the numbers are not times of day."""
    whole = times if period == 240_000.0 else 100.0 * times
    hours, rest = np.divmod(whole, 10_000.0)
    minutes, seconds = np.divmod(rest, 100.0)
    return None if (minutes >= 60).any() or (seconds >= 60).any() else 3600.0 * hours + 60.0 * minutes + seconds


def is_written_clock(times: FloatArray) -> bool:
    """Return whether ascending numbers are times of day written as 223000 or 2230, with equal steps if read so."""
    if len(times) < 3 or times[0] < 0 or (times != np.floor(times)).any():
        return False
    read = [_in_seconds(times, period) for period in _WRITTEN if times[-1] < period]
    return any(seconds is not None and _is_even(seconds) for seconds in read)


def _mixes(times: FloatArray, kind: Times) -> bool:
    """Return whether sorting would mix stretches of ascending times, beyond a few late rows or reordered blocks."""
    falls = np.diff(times) < 0
    stretch: NDArray[np.int64] = np.concatenate([[0], np.cumsum(falls)]).astype(np.int64)
    order = np.argsort(times, kind="stable")
    number, ordered = int(falls.sum()), stretch[order]
    meets = np.diff(ordered) != 0
    steps = np.diff(times[order])
    if 4 * int((meets & (steps == 0)).sum()) >= len(times) and 2 * len(times) >= 5 * (number + 1) and len(times) >= 6:
        return True  # equal times in several stretches
    if int(meets.sum()) > _MAX_LATE_PLACES * number and len(times) >= 4 * (number + 1):
        return True
    # One fall, and a gap where the end would meet the beginning: a clock of some period.
    if kind == "dates" or number != 1 or int(meets.sum()) > 1 or np.bincount(stretch).min() < 3:
        return False
    return bool(steps[meets].max() > 2.0 * steps[~meets].max())
