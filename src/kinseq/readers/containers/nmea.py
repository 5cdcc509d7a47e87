"""Logs of receivers of satellite navigation, in sentences of NMEA 0183, as metres east and north of the start."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from ...core.clock import SECONDS
from ...core.errors import DataError
from ..reading import Reading
from ..table import Table, selected
from ..text import decode, read_bytes
from .container import Container
from .gpx import metres, motion

_SENTENCE = re.compile(r"\$G[A-Z](RMC|GGA),(.*?)(\*[0-9A-Fa-f]{2})?\s*")
_DATE, _VALID = re.compile(r"\d{6}"), "A"
_MINUTES = 60.0
_DAY = 86_400.0


def read_nmea(path: Path, how: Reading) -> Table:
    """Return the track of a log: places of its RMC sentences, and heights of the GGA sentences of the same moments.

    Raises
    ------
    DataError
        If it has no sentence with a time and a place, or one is damaged.
    """
    text, _ = decode(read_bytes(path), path)
    places: dict[float, tuple[int, float, float]] = {}
    heights: dict[float, float] = {}
    began, before = "", 0.0
    for line, sentence in enumerate(text.splitlines(), start=1):
        match = _SENTENCE.fullmatch(sentence.strip())
        if match is None:
            continue
        cells = match[2].split(",")
        try:
            if match[1] == "RMC" and cells[1] == _VALID:
                began = began or cells[8]
                moment = _seconds(cells[0])
                # Past midnight the times of day begin anew.
                moment += _DAY * np.ceil(max(0.0, before - moment - _DAY / 2) / _DAY)
                before = moment
                places[moment] = (line, _degrees(cells[2], cells[3]), _degrees(cells[4], cells[5]))
            elif match[1] == "GGA" and cells[8]:
                heights[_seconds(cells[0])] = float(cells[8])
        except (ValueError, IndexError) as error:
            raise DataError(
                f"{path}: line {line} is no sentence of NMEA that can be read ({error}); remove it"
            ) from error
    if not places:
        raise DataError(f"{path}: holds no RMC sentence with a valid place; record these, or convert the log to GPX")
    moments = np.array(list(places))
    lines, latitudes, longitudes = map(np.array, zip(*places.values(), strict=True))
    east, north = metres(np.column_stack([latitudes, longitudes]))
    named = {"east [m]": east, "north [m]": north}
    high = [heights.get(moment % _DAY) for moment in moments.tolist()]
    if None not in high:
        named["height [m]"] = np.array(high, dtype=np.float64)
    time = moments - moments[0]
    named |= motion(east, north, time)
    table = Table(np.column_stack(list(named.values())), tuple(named), True, lines.astype(np.int64), "line")
    table.time, table.unit, table.origin = time, SECONDS, _origin(began, float(moments[0]))
    table.said = f"{CONTAINER.name}: read tracks as metres east and north of their start, with speed and heading"
    return selected(table, how, path)


def _seconds(cell: str) -> float:
    """Return the seconds after midnight of ``hhmmss.ss``."""
    return 3600.0 * int(cell[:2]) + _MINUTES * int(cell[2:4]) + float(cell[4:])


def _degrees(cell: str, side: str) -> float:
    """Return the degrees of ``ddmm.mm``, south and west negative."""
    whole, minutes = divmod(float(cell), 100.0)
    return (whole + minutes / _MINUTES) * (-1.0 if side in ("S", "W") else 1.0)


def _origin(date: str, seconds: float) -> object:
    """Return the moment of the first place; None without a date."""
    import pandas

    if not _DATE.fullmatch(date):
        return None
    return pandas.to_datetime(date, format="%d%m%y", utc=True) + pandas.Timedelta(seconds, "s")


CONTAINER = Container("NMEA", (".nmea",), read_nmea)
