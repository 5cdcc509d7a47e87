"""Tables of anipose: positions ``nose_x``, ``nose_y``, ``nose_z`` next to ``nose_error``, ``nose_ncams``, ``nose_score``."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...core.arrays import FloatArray
from ...core.errors import DataError
from ..delimited import Sheet
from ..poses import AXES, Pose, numbers_or_missing, on_every_frame, table_of_poses, what_was_read
from ..reading import Reading
from ..table import Table
from .known_layout import KnownLayout, Read

_ERROR, _SCORE, _FRAME = "_error", "_score", "fnum"


def matches(sheet: Sheet) -> bool:
    """Return whether the header has reprojection errors and camera counts of the same body parts."""
    names = set(sheet.first)
    return any(name.endswith(_ERROR) and f"{name.removesuffix(_ERROR)}_ncams" in names for name in sheet.first)


def read(sheets: Sequence[Sheet], how: Reading) -> Read:
    """Return tables of the positions, and a description."""
    tables: list[Table | DataError] = []
    read_in: list[list[Pose]] = []
    for sheet in sheets:
        try:
            pose = _pose(sheet)
            tables.append(table_of_poses([pose], sheet.path, how))
            read_in.append([pose])
        except DataError as error:
            tables.append(error)
    said = what_was_read("anipose", read_in, how) if read_in else ""
    return tables, [f"{said}; errors, cameras and rotations are left out"] if said else []


def _pose(sheet: Sheet) -> Pose:
    names, path = sheet.first, sheet.path
    parts = [name.removesuffix(_ERROR) for name in names if name.endswith(_ERROR)]
    for part in parts:
        lacking = [f"{part}_{axis}" for axis in AXES if f"{part}_{axis}" not in names]
        if lacking:
            raise DataError(f"{path}: looks like a table of anipose, but has no column {lacking[0]!r}; export it again")
    if not len(sheet.lines) or len(sheet.columns) != len(names):
        raise DataError(f"{path}: looks like a table of anipose, but holds no row for its header; export it again")

    def numbers(name: str) -> FloatArray:
        column = sheet.columns[names.index(name)]
        return numbers_or_missing(column.numbers, column.odd, path, name)

    positions = np.stack([np.stack([numbers(f"{part}_{axis}") for axis in AXES], axis=1) for part in parts], axis=1)
    scored = all(f"{part}{_SCORE}" in names for part in parts)
    likelihood = np.stack([numbers(f"{part}{_SCORE}") for part in parts], axis=1) if scored else None
    pose = Pose("", parts, positions, likelihood, sheet.lines)
    frames = numbers(_FRAME) if _FRAME in names else np.arange(len(sheet.lines), dtype=np.float64)
    if not (np.isfinite(frames).all() and (frames == np.round(frames)).all()):
        raise DataError(f"{path}: the column {_FRAME!r} holds what is no number of a frame; export the table again")
    return on_every_frame(pose, frames.astype(np.int64), path)


LAYOUT = KnownLayout("anipose", matches, read, poses=True)
