"""Tables of SLEAP: a row is an animal on a frame, with ``track``, ``frame_idx`` and ``nose.x``, ``nose.y``, ``nose.score``."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...core.arrays import FloatArray
from ...core.errors import DataError
from ..delimited import Sheet
from ..poses import Pose, numbers_or_missing, on_every_frame, table_of_poses, what_was_read
from ..reading import Reading
from ..table import Table
from .known_layout import KnownLayout, Read

_FRAME, _TRACK, _SCORE = "frame_idx", "track", ".score"
_LEAST_X = ".x"


def matches(sheet: Sheet) -> bool:
    """Return whether the header names frames, and positions with a point before the axis."""
    return _FRAME in sheet.first and any(name.endswith(_LEAST_X) for name in sheet.first)


def read(sheets: Sequence[Sheet], how: Reading) -> Read:
    """Return tables of the positions, and a description."""
    tables: list[Table | DataError] = []
    read_in: list[list[Pose]] = []
    gaps = files = 0
    for sheet in sheets:
        try:
            poses, missing = _poses(sheet)
            tables.append(table_of_poses(poses, sheet.path, how))
            read_in.append(poses)
            gaps, files = gaps + missing, files + bool(missing)
        except DataError as error:
            tables.append(error)
    if not read_in:
        return tables, []
    said = what_was_read("SLEAP", read_in, how)
    return tables, [said + (f"; {gaps} frames that {files} of the files leave out are missing" if gaps else "")]


def _poses(sheet: Sheet) -> tuple[list[Pose], int]:
    """Poses of all tracks on all their frames, and the number of frames that the table omits."""
    names, path = sheet.first, sheet.path
    parts = [name.removesuffix(".x") for name in names if name.endswith(".x")]
    for part in parts:
        if f"{part}.y" not in names:
            raise DataError(
                f"{path}: looks like a table of SLEAP, but the body part {part!r} has no column '{part}.y'; export it again"
            )
    if not len(sheet.lines) or len(sheet.columns) != len(names):
        raise DataError(f"{path}: looks like a table of SLEAP, but holds no row for its header; export it again")

    def numbers(name: str) -> FloatArray:
        column = sheet.columns[names.index(name)]
        return numbers_or_missing(column.numbers, column.odd, path, name)

    frames = numbers(_FRAME)
    if not (np.isfinite(frames).all() and (frames == np.round(frames)).all()):
        raise DataError(f"{path}: the column {_FRAME!r} holds what is no number of a frame; export the table again")
    positions = np.stack([np.stack([numbers(f"{part}.{axis}") for axis in "xy"], axis=1) for part in parts], axis=1)
    scored = all(f"{part}{_SCORE}" in names for part in parts)
    likelihood = np.stack([numbers(f"{part}{_SCORE}") for part in parts], axis=1) if scored else None
    tracks = np.array(
        sheet.columns[names.index(_TRACK)].cells if _TRACK in names else [""] * len(frames), dtype=np.str_
    )
    poses, gaps = [], 0
    for track in dict.fromkeys(tracks.tolist()):
        own = tracks == track
        pose = Pose(
            track,
            parts,
            positions[own],
            None if likelihood is None else likelihood[own],
            sheet.lines[own],
        )
        whole = on_every_frame(pose, frames[own].astype(np.int64), path)
        gaps += len(whole.lines) - len(pose.lines)
        poses.append(whole)
    if len(poses) > 1 and "" in tracks:
        line = int(sheet.lines[int(np.flatnonzero(tracks == "")[0])])
        raise DataError(
            f"{path}: line {line} has no track, though others have one; track the animals, or remove the row"
        )
    return poses, gaps


LAYOUT = KnownLayout("SLEAP", matches, read, poses=True)
