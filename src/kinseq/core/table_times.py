"""Times in pandas tables: in a column, in the index, or as date and time of day in two columns."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Hashable, Sequence
from numbers import Real
from typing import Any

import numpy as np

from .arrays import FloatArray
from .clock import named_time, time_unit
from .clock_columns import find_clocks, notes_on_clocks
from .constant_columns import codes_of, find_constant
from .cutting import origin_of_epoch
from .errors import DataError
from .row_order import Times

TIME = "time"
"""Default name of the time column, as in files."""
TIME_OF_INDEX = "kinseq: time of the index"
"""Attribute of a table that holds the name of its former index."""
_INDEX = "index"


def holds_times(index: Any, choice: Any) -> bool:
    """Return whether an index is the time: dates, durations or periods, or a matching name."""
    if getattr(index, "nlevels", 1) > 1:
        return False
    if getattr(index.dtype, "kind", "O") in "mM" or _is_period(index.dtype):
        return True
    return index.name is not None and (index.name in (TIME, choice) or named_time([index.name]) is not None)


def with_time_of_index(table: Any, choice: Any) -> Any:
    """Move the times of a table's index to a column; unchanged if the index has none, or a column is the time."""
    columns, index = list(table.columns), table.index
    named = choice if choice is not None else TIME if TIME in columns else named_time(columns)
    if not holds_times(index, choice) or named in columns:
        return table
    name = index.name if index.name is not None else TIME if TIME not in columns else _INDEX
    if name in columns:
        return table
    moved = table.reset_index(names=name)
    moved.attrs = {**table.attrs, TIME_OF_INDEX: name}
    return moved


def with_levels(table: Any, choice: Any) -> Any:
    """Return a long table whose multi-level index names the sequences, with these levels as columns."""
    names = list(table.index.names)
    wanted = "id" if choice is None else choice
    if wanted not in names or wanted in table.columns:
        return table
    return table.reset_index([level for level, name in enumerate(names) if name is not None])


def with_day(tables: Sequence[Any], time_column: Any, id_column: Any = None) -> tuple[list[Any], Any]:
    """Return tables with separate date and time of day combined into one column; and the name of the time column.

    The time of day is `time_column`, or the only column of durations; the day the only other one of dates, all at midnight, that
    is no `id_column`.
    """
    columns = [name for name in tables[0].columns if id_column is None or name != id_column]
    days = [name for name in columns if name != time_column and all(_holds_days(table[name]) for table in tables)]
    clocks = [time_column] if time_column is not None else columns
    clocks = [name for name in clocks if name not in days and all(_is_clock(table[name]) for table in tables)]
    if len(days) != 1 or len(clocks) != 1:
        return list(tables), time_column
    (day,), (clock,) = days, clocks
    joined = []
    for table in tables:
        together = table.drop(columns=day)
        together[clock] = table[day] + _as_duration(table[clock])
        joined.append(together)
    return joined, clock


def moments_of(column: Any, where: str) -> tuple[FloatArray, Times]:
    """Return a column of times as numbers, and their kind.

    Returns
    -------
    moments : ndarray, shape (rows,), float64
        Numbers as they are; seconds since the first of dates; seconds of durations and times of day.
    kind : {"numbers", "clock", "dates"}

    Raises
    ------
    DataError
        If a row has no time, or the column holds something else.
    """
    if np.asarray(column.isna()).any():
        row = int(np.flatnonzero(np.asarray(column.isna()))[0])
        raise DataError(f"{where}: row {row} has no time; fill it in, or leave the row out")
    if _is_period(column.dtype):
        column = column.dt.to_timestamp()
    if _kind(column) == "M":
        return np.asarray((column - column.min()).dt.total_seconds(), dtype=np.float64), "dates"
    if _is_clock(column):
        return np.asarray(_as_duration(column).dt.total_seconds(), dtype=np.float64), "clock"
    if _kind(column) not in "iuf":
        raise DataError(
            f"{where}: holds {column.dtype}, expected numbers or dates; convert it by pandas.to_datetime, or"
            " pandas.to_timedelta if it holds times of day"
        )
    moments = np.asarray(column, dtype=np.float64)
    if not np.isfinite(moments).all():
        raise DataError(f"{where}: row {int(np.flatnonzero(~np.isfinite(moments))[0])} is infinite; correct it")
    # Whole numbers beyond 2**53, such as nanoseconds since 1970, would lose precision.
    exact = np.asarray(column - column.min(), dtype=np.float64) if np.abs(moments).max() >= 2.0**53 else moments
    return exact, "numbers"


def origin_of(column: Any) -> tuple[Any, bool]:
    """Return the zero of :func:`moments_of` for a column, in its time zone, and whether it counts since 1970.

    None for durations, times of day and plain numbers.
    """
    if _is_period(column.dtype):
        column = column.dt.to_timestamp()
    if _kind(column) == "M":
        return column.min(), False
    if _is_clock(column) or _kind(column) not in "iuf":
        return None, False
    first = float(column.iloc[0])
    least = column.min()
    subtracted = int(least) if float(column.abs().max()) >= 2.0**53 else 0
    origin = origin_of_epoch(time_unit(str(column.name), first), first, subtracted)
    return origin, origin is not None


def tells_seconds(column: Any) -> bool:
    """Return whether :func:`moments_of` gives seconds for a column, whatever its header says."""
    return _kind(column) == "M" or _is_period(column.dtype) or _is_clock(column)


def time_by_content(tables: Sequence[Any], columns: Sequence[Any]) -> Any:
    """Return the only possible time column: dates or durations, otherwise ascending times since 1970."""
    dated = [name for name in columns if all(_kind(table[name]) in "mM" for table in tables)]
    # The day of a recording is no time of its rows.
    dated = [name for name in dated if not _is_steady([table[name] for table in tables])]
    if dated:
        return dated[0] if len(dated) == 1 else None
    whole = [name for name in columns if all(_kind(table[name]) in "iuf" for table in tables)]
    if not whole or len(columns) == 1 or not all(map(len, tables)):
        return None
    return clocks_of(tables, whole, timed=False)[0]


def clocks_of(tables: Sequence[Any], columns: Sequence[Any], timed: bool) -> tuple[Any, list[Any], list[str]]:
    """Return the numeric time column, other clocks or counters, and sentences on both.

    The time is None where there is none, or it is known already (`timed`).
    """
    whole = [name for name in columns if all(_kind(table[name]) in "iuf" for table in tables)]
    if not whole or len(columns) < 2 or not all(map(len, tables)):
        return None, [], []
    # A missing entry of a nullable column is NaN here.
    numbers = [table[whole].to_numpy(dtype=np.float64, na_value=np.nan) for table in tables]
    names = [str(name) for name in whole]
    found = find_clocks(names, numbers, timed, named=any(not isinstance(name, (int, np.integer)) for name in whole))
    if len(found.left_out) + (found.time is not None) >= len(columns):
        return None, [], []
    time = None if found.time is None else whole[found.time]
    return time, [whole[j] for j in found.left_out], notes_on_clocks(names, found)


def attributes_of(
    column_of: Callable[[Any], Any], columns: Sequence[Any], lengths: Sequence[int]
) -> dict[Hashable, int]:
    """Return columns that are attributes of sequences, with their numbers of values; see :func:`.find_constant`.

    ``column_of(name)`` has the rows of all sequences one after the other, of these `lengths`.
    """
    numbers, texts = {}, {}
    for name in columns:
        column = column_of(name)
        missing = np.asarray(column.isna())
        known = column[~missing]
        if not len(known):
            continue
        if _kind(column) in "iuf":
            numbers[name] = column.to_numpy(dtype=np.float64, na_value=np.nan)
        elif all(isinstance(cell, (Real, np.bool_)) for cell in known):
            numbers[name] = np.array(
                [np.nan if gap else float(cell) for cell, gap in zip(column, missing, strict=True)]
            )
        elif _holds_dates(column) or all(isinstance(cell, str) for cell in known):
            texts[name] = codes_of(["" if gap else str(cell) for cell, gap in zip(column, missing, strict=True)])
    stops = np.cumsum(lengths)[:-1]
    if not numbers:
        return {}
    parts = np.split(np.column_stack([*numbers.values()]), stops)
    coded = np.split(np.column_stack([*texts.values()]), stops) if texts else []
    named = any(not isinstance(name, (int, np.integer)) for name in columns)
    names = [*numbers, *texts]
    return {names[j]: count for j, count in find_constant(names, parts, named, coded).items()}


def unread(
    column_of: Callable[[Any], Any], columns: Sequence[Any], lengths: Sequence[int]
) -> tuple[list[Any], list[Any]]:
    """Return columns of text or dates that are constant within sequences, and those without entries; none if no other stays."""
    stops = np.cumsum(lengths)[:-1]
    words, blank = [], []
    for name in columns:
        column = column_of(name)
        known = column.dropna()
        if not len(known):
            blank.append(name)
        elif _holds_dates(known) or all(isinstance(cell, str) for cell in known.unique()):
            parts = [column.iloc[begin:end] for begin, end in zip([0, *stops], [*stops, None], strict=True)]
            words += [name] if _is_steady(parts) else []
    return (words, blank) if len(words) + len(blank) < len(columns) else ([], [])


def _is_steady(columns: Sequence[Any]) -> bool:
    """Return whether a column has one entry in each sequence, and some have several rows."""
    return any(len(column) > 1 for column in columns) and all(column.nunique(dropna=False) <= 1 for column in columns)


def _holds_dates(column: Any) -> bool:
    """Return whether all entries are dates, periods or durations."""
    if _kind(column) in "mM" or _is_period(column.dtype):
        return True
    return _kind(column) == "O" and all(
        isinstance(cell, (datetime.date, datetime.timedelta)) for cell in column.dropna()
    )


def _kind(column: Any) -> str:
    """Kind of the entries as in NumPy; ``O`` for other types."""
    return str(getattr(column.dtype, "kind", "O"))


def _is_period(dtype: Any) -> bool:
    return str(dtype).startswith("period[")


def _is_clock(column: Any) -> bool:
    """Return whether a column holds durations, or times of day in spreadsheet form."""
    if _kind(column) == "m":
        return True
    return _kind(column) == "O" and len(column) > 0 and all(isinstance(cell, datetime.time) for cell in column)


def _as_duration(column: Any) -> Any:
    if _kind(column) == "m":
        return column
    import pandas

    midnight = datetime.date(2000, 1, 1)
    since = [datetime.datetime.combine(midnight, cell.replace(tzinfo=None)) for cell in column]
    return pandas.Series(since, index=column.index, dtype="datetime64[us]") - pandas.Timestamp(midnight)


def _holds_days(column: Any) -> bool:
    """Return whether a column holds dates without a time of day."""
    if _kind(column) != "M" or not len(column) or np.asarray(column.isna()).any():
        return False
    return bool((column == column.dt.normalize()).all())
