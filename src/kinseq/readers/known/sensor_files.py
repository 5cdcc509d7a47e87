"""Folders of a session each, with a file a sensor that begins with its start and rate, as wristbands write them (E4).

Sensors of a session are channels of one sequence, on the clock of the slowest of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from ...core.clock import SECONDS
from ...core.errors import DataError
from ...core.wording import as_typed, count, listed, plain
from ..columns import found_name
from ..delimited import Sheet
from ..joining import Sensor, on_one_clock
from ..raw import Raw, RawSet
from ..reading import Reading
from ..table import Table
from . import start_and_rate
from .known_layout import FolderLayout, Open

_FEWEST = 2
"""Sessions, and sensors of one, at least."""
Timed = tuple[Table, float]
"""Rows of a sensor, and when the first was taken, in seconds since 1970."""


def matches(files: Sequence[Path], how: Reading) -> bool:
    """Return whether files of the same names are in several folders."""
    if how.rows is not None or how.id_column is not None or files[0].suffix.lower() != ".csv":
        return False
    return len(_shared(files)) >= _FEWEST


def _shared(files: Sequence[Path]) -> list[str]:
    """Return the names of files that are in all folders; none where there is one folder."""
    folders = {path.parent for path in files}
    numbers = Counter(path.name for path in files)
    return [name for name, number in numbers.items() if number == len(folders)] if len(folders) >= _FEWEST else []


def read(files: Sequence[Path], names: Mapping[Path, str], how: Reading, opened: Open) -> RawSet | None:
    """Return the sequences of the sessions; None if fewer than two files of a session begin with start and rate."""
    shared, folders = _shared(files), list(dict.fromkeys(path.parent for path in files))
    plain_how = how.altered(value_columns=None, drop_columns=(), time_column=None)
    sensors: dict[str, list[Timed]] = {}
    for name in shared:
        # One file of each tells, before the others are opened.
        if _sheets([folders[0] / name], plain_how, opened) is None:
            continue
        if (found := _sensors([folder / name for folder in folders], plain_how, opened)) is not None:
            sensors[Path(name).stem] = found
    if len(sensors) < _FEWEST:
        return None
    wanted = list(sensors)
    if how.value_columns is not None:
        wanted = [
            found_name(str(entry), list(sensors), files[0].parent, "value_columns") for entry in how.value_columns
        ]
    dropped = {found_name(str(entry), list(sensors), files[0].parent, "drop_columns") for entry in how.drop_columns}
    wanted = [name for name in wanted if name not in dropped]
    if not wanted:
        raise DataError(f"{files[0].parent.parent}: no sensor is left; drop fewer")
    step = max(
        float(np.median(np.diff(table.time))) for name in wanted for table, _ in sensors[name] if table.time is not None
    )
    sequences = [
        _session(folder, names[folder / shared[0]].rpartition("/")[0], {name: sensors[name][i] for name in wanted})
        for i, folder in enumerate(folders)
    ]
    rest = sorted({path.name for path in files} - {f"{name}.csv" for name in sensors})
    said = (
        f"took {count(len(wanted), 'file')} of each of {count(len(folders), 'folder')} for sensors of a session ({listed(wanted)}),"
        f" as means on the clock of the slowest ({plain(step)} s); {as_typed('value_columns', wanted[0])} reads one at its own rate"
    )
    notes = [said, *([f"left out files that do not begin with a start and a rate: {listed(rest)}"] if rest else [])]
    return RawSet(sequences, provenance={"files": len(files)}, notes=tuple(notes))


def _sheets(paths: Sequence[Path], how: Reading, opened: Open) -> list[Sheet] | None:
    """Return the cells of files that begin with a start; None where one does not."""
    sheets: list[Sheet] = []
    for path in paths:
        try:
            sheet = opened(path, how)
        except DataError:
            return None
        if not isinstance(sheet, Sheet) or not start_and_rate.matches(sheet):
            return None
        sheets.append(sheet)
    return sheets


def _sensors(paths: Sequence[Path], how: Reading, opened: Open) -> list[Timed] | None:
    """Return the rows of a sensor in each file; None where one does not begin with start and rate."""
    sheets = _sheets(paths, how, opened)
    if sheets is None:
        return None
    tables, _ = start_and_rate.read(sheets, how)
    result: list[Timed] = []
    for sheet, table in zip(sheets, tables, strict=True):
        if isinstance(table, DataError) or table.time is None or len(table.time) < _FEWEST:
            return None
        result.append((table, float(sheet.first[0])))
    return result


def _session(folder: Path, name: str, sensors: Mapping[str, Timed]) -> Raw:
    """Return the sequence of a session: means of each sensor within steps of one clock, while all were recorded.

    Raises
    ------
    DataError
        If the sensors were not recorded at one time.
    """
    begin = min(start for _, start in sensors.values())
    parts = []
    for sensor, (table, start) in sensors.items():
        assert table.time is not None
        width = table.values.shape[1]
        columns = (sensor,) if width == 1 else tuple(f"{sensor} {j + 1}" for j in range(width))
        parts.append(Sensor(columns, table.values, table.time + (start - begin)))
    values, grid = on_one_clock(parts, str(folder))
    columns = tuple(column for part in parts for column in part.columns)
    return Raw(
        id=name,
        where=str(folder),
        values=values,
        place=_place(columns),
        time=grid - grid[0],
        columns=columns,
        unit=SECONDS,
    )


def _place(columns: Sequence[str]) -> Callable[[int, int], str]:
    return lambda row, column: f"step {row + 1}, sensor {columns[column]!r}"


LAYOUT = FolderLayout("a file a sensor", matches, read)
