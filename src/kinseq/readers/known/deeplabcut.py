"""Tables of DeepLabCut: rows of names, ``scorer``, perhaps ``individuals``, ``bodyparts`` and ``coords``, above the frames."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...core.errors import DataError
from ..columns import Column
from ..delimited import Sheet
from ..poses import AXES, Pose, numbers_or_missing, on_every_frame, table_of_poses, what_was_read
from ..reading import Reading
from ..table import Table
from .known_layout import KnownLayout, Read

_ROWS = ("individuals", "bodyparts", "coords")
_LIKELIHOOD = "likelihood"


def matches(sheet: Sheet) -> bool:
    """Return whether the first row begins with ``scorer``."""
    return sheet.first[0].strip().lower() == "scorer"


def read(sheets: Sequence[Sheet], how: Reading) -> Read:
    """Return tables of the positions, and a description."""
    tables: list[Table | DataError] = []
    read_in: list[list[Pose]] = []
    for sheet in sheets:
        try:
            poses = _poses(sheet)
            tables.append(table_of_poses(poses, sheet.path, how))
            read_in.append(poses)
        except DataError as error:
            tables.append(error)
    return tables, [what_was_read("DeepLabCut", read_in, how)] if read_in else []


def _poses(sheet: Sheet) -> list[Pose]:
    begins = {row[0].lower(): k for k, row in enumerate(sheet.sample[: len(_ROWS)]) if row[0].lower() in _ROWS}
    for name in _ROWS[1:]:
        if name not in begins:
            raise DataError(
                f"{sheet.path}: begins as a table of DeepLabCut (scorer) but has no row {name!r} above the numbers; export it again"
            )
    head = len(begins)
    rows = {name: sheet.sample[k][1:] for name, k in begins.items()}
    individuals = rows.get("individuals", [""] * len(rows["coords"]))
    lines, columns = sheet.lines[head:], sheet.columns[1:]
    if not len(lines):
        raise DataError(f"{sheet.path}: holds no frame below its {head + 1} rows of names; leave it out")
    counted = sheet.columns[0].after(head).numbers
    # Hand-labelled frames are named after their images.
    whole = bool(np.isfinite(counted).all()) and bool((counted == np.round(counted)).all())
    frames = counted.astype(np.int64) if whole else np.arange(len(lines))
    places: dict[str, dict[str, dict[str, int]]] = {}
    for j, (animal, part, kind) in enumerate(zip(individuals, rows["bodyparts"], rows["coords"], strict=True)):
        if kind.lower() in (*AXES, _LIKELIHOOD):
            places.setdefault(animal, {}).setdefault(part, {})[kind.lower()] = j
    poses = []
    for animal, parts in places.items():
        axes = [axis for axis in AXES if any(axis in found for found in parts.values())]
        for part, found in parts.items():
            missing = [axis for axis in (axes if len(axes) > 1 else AXES[:2]) if axis not in found]
            if missing:
                raise DataError(
                    f"{sheet.path}: the body part {part!r} has no column {missing[0]!r} in the row coords; export the table again"
                )
        numbers = {
            (part, kind): _numbers(sheet, columns[j], head, f"{part} {kind}")
            for part, found in parts.items()
            for kind, j in found.items()
        }
        positions = np.stack([np.stack([numbers[part, axis] for axis in axes], axis=1) for part in parts], axis=1)
        scored = all(_LIKELIHOOD in found for found in parts.values())
        likelihood = np.stack([numbers[part, _LIKELIHOOD] for part in parts], axis=1) if scored else None
        if len(places) > 1 and not np.isfinite(positions).any():
            continue  # an animal of the project that does not appear in this recording
        poses.append(on_every_frame(Pose(animal, list(parts), positions, likelihood, lines), frames, sheet.path))
    if not poses:
        raise DataError(f"{sheet.path}: has no positions (columns x and y in the row coords); export the table again")
    return poses


def _numbers(sheet: Sheet, column: Column, head: int, name: str) -> np.ndarray:
    below = column.after(head)
    return numbers_or_missing(below.numbers, below.odd, sheet.path, name)


LAYOUT = KnownLayout("DeepLabCut", matches, read, poses=True)
