"""Tables with a column of times before the columns of each sensor, under the same name: ``X[s], EMG, X[s], ACC`` (Delsys)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from ...core.clock import unit_of
from ...core.clock_columns import names_time
from ...core.errors import DataError
from ...core.wording import count
from ..delimited import Sheet
from ..joining import Sensor, on_one_clock
from ..reading import Reading
from ..table import Table, selected
from .known_layout import KnownLayout, Read


def _clock(names: Sequence[str]) -> str | None:
    """Return the name of the column of times that is first and occurs again; None if there is none."""
    first = names[0] if names else ""
    repeated = Counter(names)[first] > 1 and names_time(first)
    others = Counter(name for name in names if name != first)
    return first if repeated and all(number == 1 for number in others.values()) else None


def matches(sheet: Sheet) -> bool:
    """Return whether the header has one name of times several times."""
    return len(sheet.first) == len(sheet.columns) and _clock([cell.strip() for cell in sheet.first]) is not None


def read(sheets: Sequence[Sheet], how: Reading) -> Read:
    """Return tables with all sensors on the clock of the slowest, and what was read."""
    tables: list[Table | DataError] = []
    for sheet in sheets:
        try:
            tables.append(selected(_table(sheet), how, sheet.path))
        except DataError as error:
            tables.append(error)
    number = sum(not isinstance(table, DataError) for table in tables)
    said = f"read {count(number, 'file')} in which each sensor has times of its own, on the clock of the slowest sensor"
    return tables, [said] if number else []


def _table(sheet: Sheet) -> Table:
    names = [cell.strip() for cell in sheet.first]
    clock = _clock(names)
    starts = [j for j, name in enumerate(names) if name == clock]
    sensors = []
    for start, stop in zip(starts, [*starts[1:], len(names)], strict=True):
        columns = sheet.columns[start:stop]
        wrong = next((j for j, column in enumerate(columns) if column.text is not None), None)
        if wrong is not None:
            raise DataError(
                f"{sheet.path}: column {start + wrong + 1} ({names[start + wrong]!r}) holds text; correct or remove it"
            )
        times = columns[0].numbers
        known = np.isfinite(times)
        if stop - start < 2 or known.sum() < 2 or (np.diff(times[known]) < 0).any():
            continue
        values = np.column_stack([column.numbers[known] for column in columns[1:]])
        sensors.append(Sensor(tuple(names[start + 1 : stop]), values, times[known]))
    if not sensors:
        raise DataError(f"{sheet.path}: no sensor has rows with times that rise; export it again")
    values, grid = on_one_clock(sensors, str(sheet.path))
    table = Table(
        values, tuple(name for own in sensors for name in own.columns), True, np.arange(1, len(grid) + 1), "step"
    )
    table.time, table.unit = grid - grid[0], unit_of(str(clock))[1]
    return table


LAYOUT = KnownLayout("a clock for each sensor", matches, read)
