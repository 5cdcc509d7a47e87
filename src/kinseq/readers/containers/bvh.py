"""BVH files of motion capture: a skeleton, and one row of positions and rotations per frame."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ...core.clock import SECONDS
from ...core.errors import DataError
from ...core.wording import count
from ..reading import Reading
from ..table import Table, selected
from ..text import decode, read_bytes
from .container import Container


def read_bvh(path: Path, how: Reading) -> Table:
    """Return the channels of all joints, as ``Hips Xposition``, with the time of the frames.

    Raises
    ------
    DataError
        If there is no motion, or a row has other numbers than the skeleton has channels.
    """
    lines = decode(read_bytes(path), path)[0].splitlines()
    begin = next((i for i, line in enumerate(lines) if line.strip().upper() == "MOTION"), None)
    if begin is None:
        raise DataError(f"{path}: has no line MOTION below its skeleton; export it again")
    joint, names = "", []
    for line in lines[:begin]:
        words = line.split()
        if words and words[0].upper() in ("ROOT", "JOINT"):
            joint = " ".join(words[1:])
        elif words and words[0].upper() == "CHANNELS":
            names += [f"{joint} {channel}" for channel in words[2:]]
    if not names:
        raise DataError(f"{path}: no joint of its skeleton has channels; export it again")
    step, rows, numbers = None, [], []
    for number, line in enumerate(lines[begin + 1 :], start=begin + 2):
        name, _, value = line.partition(":")
        if name.strip().lower() in ("frames", "frame time"):
            step = value if name.strip().lower() == "frame time" else step
        elif line.strip():
            cells = line.split()
            if len(cells) != len(names):
                raise DataError(
                    f"{path}: line {number} has {count(len(cells), 'number')} for {len(names)} channels; export it again"
                )
            rows.append(cells)
            numbers.append(number)
    if not rows:
        raise DataError(f"{path}: holds no frame below MOTION; leave it out")
    try:
        values, seconds = np.array(rows, dtype=np.float64), float(step or "nan")
    except ValueError as error:
        raise DataError(f"{path}: {error} below MOTION; export it again") from error
    table = Table(
        values, tuple(names), True, np.array(numbers), "line", said=f"{CONTAINER.name}: read the channels of joints"
    )
    if seconds > 0:
        table.time, table.unit = np.asarray(np.arange(len(values)) * seconds, dtype=np.float64), SECONDS
    return selected(table, how, path)


CONTAINER = Container("BVH", (".bvh",), read_bvh)
