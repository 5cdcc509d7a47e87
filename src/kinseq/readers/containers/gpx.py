"""GPX files of tracks, as metres east and north of the start, height, speed and heading."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np

from ...core.arrays import FloatArray
from ...core.clock import SECONDS
from ...core.errors import DataError
from ...core.wording import count
from ..reading import Reading
from ..table import Table, selected
from ..text import read_bytes
from .container import Container

EARTH = 6_371_008.8
"""Mean radius of the earth in metres."""


def read_gpx(path: Path, how: Reading) -> Table:
    """Return the tracks of a file, one sequence each, named as the tracks or by number.

    Raises
    ------
    DataError
        If it is no GPX, holds no track, or a point has no time or no place.
    """
    try:
        root = ElementTree.fromstring(read_bytes(path))
    except ElementTree.ParseError as error:
        raise DataError(f"{path}: line {error.position[0]} is no XML ({error}); export it again") from error
    tracks = {}
    for number, track in enumerate(root.findall("{*}trk"), start=1):
        points = track.findall("{*}trkseg/{*}trkpt")
        name = (track.findtext("{*}name") or "").strip() or f"{number}"
        if points:
            tracks[name if name not in tracks else f"{name} {number}"] = points
    if not tracks:
        raise DataError(f"{path}: holds no track with points; export the track and not its route or places")
    tables = [_track(points, path) for points in tracks.values()]
    columns = [name for name in tables[0].columns if all(name in table.columns for table in tables)]
    values = [table.values[:, [table.columns.index(name) for name in columns]] for table in tables]
    times = [table.time for table in tables if table.time is not None]
    whole = replace(
        tables[0],
        values=np.concatenate(values),
        columns=tuple(columns),
        rows=np.concatenate([table.rows for table in tables]),
        time=np.concatenate(times),
        id=np.repeat(list(tracks), [len(part) for part in values]) if len(tables) > 1 else None,
        said=f"{CONTAINER.name}: read tracks as metres east and north of their start, with speed and heading",
    )
    return selected(whole, how, path)


def _track(points: list[ElementTree.Element], path: Path) -> Table:
    """Return the table of the points of a track; heights are left out if some points have none."""
    import pandas

    try:
        places = np.array([[float(point.attrib["lat"]), float(point.attrib["lon"])] for point in points])
    except (KeyError, ValueError) as error:
        raise DataError(f"{path}: a point of a track has no latitude and longitude; export it again") from error
    stamps = [point.findtext("{*}time") for point in points]
    untimed = next((i for i, stamp in enumerate(stamps) if not stamp), None)
    if untimed is not None:
        raise DataError(
            f"{path}: point {untimed + 1} of {count(len(points), 'point')} of a track has no time; export tracks with their times"
        )
    try:
        moments = pandas.to_datetime(pandas.Series(stamps, dtype=object), utc=True, format="ISO8601")
    except ValueError as error:
        raise DataError(f"{path}: a point of a track has a time that is none ({error}); export it again") from error
    time = np.asarray((moments - moments[0]).dt.total_seconds(), dtype=np.float64)
    east, north = metres(places)
    named = {"east [m]": east, "north [m]": north}
    heights = [point.findtext("{*}ele") for point in points]
    if all(heights):
        named["height [m]"] = np.array(heights, dtype=np.float64)
    named |= motion(east, north, time)
    table = Table(np.column_stack(list(named.values())), tuple(named), True, np.arange(1, len(points) + 1), "point")
    table.time, table.unit, table.origin = time, SECONDS, moments[0]
    return table


def metres(places: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return metres east and north of the first of some places, shape (n, 2), of latitudes and longitudes in degrees."""
    latitude, longitude = np.radians(places[:, 0]), np.unwrap(np.radians(places[:, 1]))
    return EARTH * np.cos(latitude[0]) * (longitude - longitude[0]), EARTH * (latitude - latitude[0])


def motion(east: FloatArray, north: FloatArray, time: FloatArray) -> dict[str, FloatArray]:
    """Return speed, and the cosine and sine of the heading from north to east, by central differences."""
    if len(time) < 2:
        still = np.zeros(len(time))
        return {"speed [m/s]": still, "cosine of heading": still, "sine of heading": still}
    ahead, behind = np.minimum(np.arange(len(time)) + 1, len(time) - 1), np.maximum(np.arange(len(time)) - 1, 0)
    x, y, seconds = east[ahead] - east[behind], north[ahead] - north[behind], time[ahead] - time[behind]
    way = np.hypot(x, y)
    moved = np.where(way > 0, way, 1.0)
    return {
        "speed [m/s]": way / np.where(seconds > 0, seconds, np.inf),
        "cosine of heading": y / moved,
        "sine of heading": x / moved,
    }


CONTAINER = Container("GPX", (".gpx",), read_gpx)
