"""Sensors of one recording in files of their own, whose names differ by the sensor, as ``acc_01.txt`` and ``gyro_01.txt``.

The sensors of a recording are channels of one sequence. Of files without times they are if all are equally long.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from ..core.arrays import FloatArray
from ..core.errors import DataError
from ..core.spans import seconds_of_unit
from ..core.wording import as_typed, count, listed
from .columns import found_name
from .discovery import Contents
from .joining import Sensor, on_one_clock
from .raw import Raw, RawSet
from .reading import Reading
from .single_tables import read_tables

_KINDS = (
    "acc|accel|accelerometer|acceleration|accelerations|linacc|gyro|gyr|gyroscope|mag|magn|magnetometer|grav|gravity"
    "|emg|ecg|ekg|eog|eda|gsr|ppg|bvp|resp|temp|hr"
)
_SENSOR = re.compile(rf"(?<![A-Za-z])({_KINDS})(?![A-Za-z])", re.IGNORECASE)
_FEWEST = 2
"""Recordings, and sensors of one, at least."""
_NEARLY = 0.9
"""Least share of the recordings that have all sensors."""


def _without_sensor(name: str, start: int, end: int) -> str:
    """Return the name of a recording: that of a file without its sensor, or its folder where nothing else is left."""
    before, after = name[:start], name[end:]
    if before and not before.rstrip("_- .").endswith("/"):
        return before.rstrip("_- .") + after
    rest = after.lstrip("_- /")
    own = before + rest if "." in rest[1:] or "/" in after else ""
    return own or before.rstrip("/")


def _by_recording(contents: Contents) -> dict[str, dict[str, Path]]:
    """Return the files of each recording by sensor; empty unless nearly all recordings have the same sensors."""
    found: dict[str, dict[str, Path]] = defaultdict(dict)
    for path in contents.files:
        name = contents.names[path]
        marks = list(_SENSOR.finditer(name))
        if not marks:
            continue
        found[_without_sensor(name, *marks[-1].span())][marks[-1][0].lower()] = path
    sensors = {sensor for own in found.values() for sensor in own}
    complete = {name: own for name, own in sorted(found.items()) if len(own) == len(sensors)}
    if len(sensors) < _FEWEST or len(complete) < _FEWEST or len(complete) < _NEARLY * len(found):
        return {}
    return complete


def read_sensors(contents: Contents, how: Reading, *, jobs: int = 1, task: str | None = None) -> RawSet | None:
    """Return one sequence for the files of each recording; None if files are not of one sensor each."""
    if how.rows is not None or how.id_column is not None or how.on_bad_file == "refuse":
        return None
    recordings = _by_recording(contents)
    if not recordings:
        return None
    names = sorted(next(iter(recordings.values())))
    plain_how = how.altered(value_columns=None, drop_columns=())
    read: dict[str, RawSet] = {}
    for sensor in names:
        files = [own[sensor] for own in recordings.values()]
        read[sensor] = read_tables(replace(contents, files=files), plain_how, jobs=jobs, task=task)
    by_sensor = {sensor: {raw.id: raw for raw in raws.sequences} for sensor, raws in read.items()}
    whole = {
        name: {sensor: by_sensor[sensor][contents.names[path]] for sensor, path in own.items()}
        for name, own in recordings.items()
        if all(contents.names[path] in by_sensor[sensor] for sensor, path in own.items())
    }
    if len(whole) < _FEWEST or not all(_fit(own) for own in whole.values()):
        return None
    sequences = [_selected(_joined(name, own), how) for name, own in whole.items()]
    return RawSet(
        sequences,
        labels=_of_all(read, [own[names[0]].id for own in whole.values()], names[0]),
        provenance={"files": len(contents.files), "skipped": len(recordings) - len(whole)},
        notes=tuple(_notes(contents, recordings, names, read, len(whole))),
    )


def _notes(
    contents: Contents,
    recordings: Mapping[str, Mapping[str, Path]],
    names: Sequence[str],
    read: Mapping[str, RawSet],
    number: int,
) -> list[str]:
    """Return sentences on the files of recordings, on those left out, and on what was read of each sensor."""
    used = {path for own in recordings.values() for path in own.values()}
    rest = [contents.names[path] for path in contents.files if path not in used]
    clock = "" if next(iter(read.values())).sequences[0].time is None else ", on the clock of the slowest"
    said = [
        f"took files whose names differ by {listed(names)} for sensors of {count(number, 'recording')}, channels of one sequence"
        f" each{clock}; {as_typed('rows', 'frames')} takes each file for a sequence"
    ]
    if rest:
        said.append(f"left out {count(len(rest), 'file')} of no sensor: {listed(rest)}")
    return [*said, *dict.fromkeys(note for raws in read.values() for note in (*raws.first, *raws.notes))]


def _of_all(read: Mapping[str, RawSet], ids: Sequence[str], sensor: str) -> np.ndarray | None:
    """Return the labels in the files of one sensor; None without."""
    raws = read[sensor]
    if raws.labels is None:
        return None
    own = dict(zip([raw.id for raw in raws.sequences], raws.labels.tolist(), strict=True))
    return np.array([own[name] for name in ids], dtype=np.str_)


def _fit(own: Mapping[str, Raw]) -> bool:
    """Return whether the files of a recording have times, or none has and all are equally long."""
    timed = {raw.time is not None for raw in own.values()}
    if timed == {True}:
        return len({raw.unit for raw in own.values()}) == 1
    return timed == {False} and len({len(raw.values) for raw in own.values()}) == 1


def _joined(name: str, own: Mapping[str, Raw]) -> Raw:
    """Return the sequence of a recording."""
    parts = dict(sorted(own.items()))
    first = next(iter(parts.values()))
    columns = {sensor: _columns(sensor, raw) for sensor, raw in parts.items()}
    every = tuple(column for names in columns.values() for column in names)
    where = str(Path(first.where).parent / name)
    if first.time is None:
        values: FloatArray = np.hstack([raw.values for raw in parts.values()])
        return Raw(name, where, values, _place(every), columns=every)
    sensors = [Sensor(columns[sensor], raw.values, _times(raw, first)) for sensor, raw in parts.items()]
    values, times = on_one_clock(sensors, where)
    return replace(
        first,
        id=name,
        where=where,
        values=values,
        place=_place(every),
        time=times,
        columns=every,
        numbers=None,
        marks=None,
    )


def _columns(sensor: str, raw: Raw) -> tuple[str, ...]:
    """Return names of the columns of a sensor that no other sensor has."""
    own = raw.columns or raw.numbers or tuple(str(j + 1) for j in range(raw.values.shape[1]))
    return (sensor,) if len(own) == 1 else tuple(f"{sensor} {column}" for column in own)


def _times(raw: Raw, first: Raw) -> FloatArray:
    """Return the times of a file from the moment at which those of another are 0."""
    assert raw.time is not None
    if raw.origin is None or first.origin is None:
        return raw.time
    return raw.time + (raw.origin - first.origin).total_seconds() / (seconds_of_unit(raw.unit) or 1.0)


def _selected(raw: Raw, how: Reading) -> Raw:
    """Return a sequence with the requested columns."""
    columns, path = list(raw.columns or ()), Path(raw.where)
    dropped = {found_name(str(entry), columns, path, "drop_columns") for entry in how.drop_columns}
    wanted = [name for name in columns if name not in dropped]
    if how.value_columns is not None:
        wanted = [found_name(str(entry), columns, path, "value_columns") for entry in how.value_columns]
    if not wanted:
        raise DataError(f"{path}: no column is left; drop fewer")
    places = [columns.index(name) for name in wanted]
    return replace(raw, values=raw.values[:, places], columns=tuple(wanted), place=_place(tuple(wanted)))


def _place(columns: tuple[str, ...]) -> Callable[[int, int], str]:
    """Return what says where a number stands."""
    return lambda row, column: f"row {row + 1}, channel {columns[column]!r}"
