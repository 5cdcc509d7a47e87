"""FIT files of watches and bicycle computers by the optional package fitdecode: records of an activity, as tracks of GPX."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ...core.arrays import FloatArray
from ...core.clock import SECONDS
from ...core.errors import DataError
from ...core.extras import from_extra
from ..reading import Reading
from ..table import Table, selected
from .container import Container
from .gpx import metres, motion

_DEGREES = 180.0 / 2**31
"""Units of position in a semicircle."""
_PLACES = ("position_lat", "position_long")
_CHANNELS = (
    (("enhanced_altitude", "altitude"), "height [m]"),
    (("heart_rate",), "heart rate [1/min]"),
    (("cadence",), "cadence [1/min]"),
    (("power",), "power [W]"),
    (("temperature",), "temperature [C]"),
)
"""Fields of records, the preferred one first, and names of their columns."""


def read_fit(path: Path, how: Reading) -> Table:
    """Return the records of an activity, with missing columns as NaN.

    Raises
    ------
    ParameterError
        If fitdecode is not installed.
    DataError
        If the file cannot be read, or holds no records with times.
    """
    import pandas

    with from_extra("fit", f"{path}: reading a FIT file"):
        import fitdecode
    records: list[dict[str, Any]] = []
    try:
        with fitdecode.FitReader(path) as file:
            for frame in file:
                if frame.frame_type == fitdecode.FIT_FRAME_DATA and frame.name == "record":
                    records.append({field.name: field.value for field in frame.fields})
    except Exception as error:  # of many kinds, for a truncated file or another format
        raise DataError(
            f"{path}: cannot be read as FIT ({' '.join(str(error).split())[:120]}); export it again"
        ) from error
    records = [record for record in records if record.get("timestamp") is not None]
    if not records:
        raise DataError(f"{path}: holds no records with times; export the activity and not its course or settings")
    moments = pandas.to_datetime(pandas.Series([record["timestamp"] for record in records]), utc=True)
    time = np.asarray((moments - moments[0]).dt.total_seconds(), dtype=np.float64)
    named: dict[str, FloatArray] = {}
    places = np.column_stack([_numbers(records, (name,)) for name in _PLACES]) * _DEGREES
    known = np.isfinite(places).all(axis=1)
    if known.any():
        moved = np.full((len(records), 5), np.nan)
        east, north = metres(places[known])
        way = motion(east, north, time[known])
        moved[known] = np.column_stack([east, north, *way.values()])
        named |= dict(zip(("east [m]", "north [m]", *way), moved.T, strict=True))
    for fields, name in _CHANNELS:
        values = _numbers(records, fields)
        if np.isfinite(values).any():
            named[name] = values
    if not named:
        raise DataError(
            f"{path}: its records hold neither places nor heart rate, cadence, power or temperature; leave it out"
        )
    table = Table(np.column_stack(list(named.values())), tuple(named), True, np.arange(1, len(records) + 1), "record")
    table.time, table.unit, table.origin = time, SECONDS, moments[0]
    table.said = f"{CONTAINER.name}: read the records of activities, places as metres east and north of the start"
    return selected(table, how, path)


def _numbers(records: list[dict[str, Any]], fields: tuple[str, ...]) -> FloatArray:
    """Return the first available field of each record; NaN if there is none."""
    found = [next((record[f] for f in fields if record.get(f) is not None), np.nan) for record in records]
    return np.array(found, dtype=np.float64)


CONTAINER = Container("FIT", (".fit",), read_fit)
