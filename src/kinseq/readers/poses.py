"""Positions of body parts over time, as animal tracking programs write them, and their tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import FloatArray, IntArray
from ..core.errors import DataError
from ..core.wording import as_typed, count, listed, plain
from .reading import Reading
from .table import Table, selected
from .text import MISSING_CELLS

AXES = ("x", "y", "z")
SHORT_GAP = 0.2
"""Default longest gap, in seconds, of a point whose positions are interpolated."""
USUAL_RATE = 30.0
"""Default frames per second, which a table of poses does not state."""


@dataclass
class Pose:
    """Positions of one animal.

    Attributes
    ----------
    animal : str
        Its name; empty where a table has one animal, which is not named.
    parts : list of str
        Names of the body parts.
    positions : ndarray, shape (frames, parts, 2 or 3), float64
        NaN where they are missing.
    likelihood : ndarray, shape (frames, parts), or None
        How sure the program is, mostly 0 to 1.
    lines : ndarray of int, shape (frames,)
        Line of each frame in the file.
    """

    animal: str
    parts: list[str]
    positions: FloatArray
    likelihood: FloatArray | None
    lines: IntArray


def on_every_frame(pose: Pose, frames: IntArray, path: Path) -> Pose:
    """Return the pose on all frames from the first to the last; frames omitted from the table are missing.

    Parameters
    ----------
    pose : Pose
    frames : ndarray of int, shape (frames,)
        Number of the frame of each row.
    path : Path
        File, for messages.

    Raises
    ------
    DataError
        If a frame occurs twice.
    """
    order = np.argsort(frames, kind="stable")
    frames = frames[order]
    twice = np.flatnonzero(np.diff(frames) == 0)
    if len(twice):
        whose = f" of {pose.animal!r}" if pose.animal else ""
        raise DataError(
            f"{path}: line {pose.lines[order][twice[0] + 1]} holds frame {frames[twice[0]]}{whose} again; give each animal a track"
            " of its own"
        )
    place = frames - frames[0]
    length = int(place[-1]) + 1
    if length > 100 * len(frames) + 1000:
        raise DataError(
            f"{path}: frames {frames[0]} to {frames[-1]} have {len(frames)} rows; look at the numbers of frames"
        )
    positions = np.full((length, *pose.positions.shape[1:]), np.nan)
    positions[place] = pose.positions[order]
    likelihood = None
    if pose.likelihood is not None:
        likelihood = np.full((length, len(pose.parts)), np.nan)
        likelihood[place] = pose.likelihood[order]
    before = np.searchsorted(place, np.arange(length), side="right") - 1
    return replace(pose, positions=positions, likelihood=likelihood, lines=pose.lines[order][before])


def table_of_poses(poses: Sequence[Pose], path: Path, how: Reading) -> Table:
    """Return the table of the animals of a file, according to the options.

    Returns
    -------
    Table
        With the animals as ids if there are several and they are sequences.

    Raises
    ------
    DataError
        If a body part is not there, or animals that have to be the same length or have the same parts are not.
    """
    made = [_in_own_frame(pose, path, how) for pose in poses]
    if how.animals == "columns" and len(made) > 1:
        return selected(_side_by_side(made, path), how, path)
    names = [f"{part}_{axis}" for part in made[0].parts for axis in AXES[: made[0].positions.shape[2]]]
    for pose in made[1:]:
        if pose.parts != made[0].parts:
            raise DataError(
                f"{path}: {pose.animal!r} has the body parts {listed(pose.parts)}, {made[0].animal!r} {listed(made[0].parts)}; pass"
                f" {as_typed('animals', 'columns')}, so that they are columns of one sequence"
            )
    ids = None
    if len(made) > 1:
        ids = np.array([pose.animal for pose in made for _ in range(len(pose.lines))], dtype=np.str_)
    values = np.concatenate([_flat(pose) for pose in made])
    table = Table(values, tuple(names), True, np.concatenate([pose.lines for pose in made]), "line", id=ids)
    return selected(_rotated_out(table, how), how, path)


def without_short_gaps(pose: Pose, how: Reading) -> tuple[FloatArray, int]:
    """Return positions with short gaps of points interpolated, and the number of interpolated positions.

    A short gap takes up to :data:`SHORT_GAP`. Positions that are less likely than was given are missing. Where it is given
    what is done with what is missing, or a point is hardly ever seen, nothing is interpolated here.
    """
    positions = pose.positions.copy()
    if how.likelihood is not None and pose.likelihood is not None:
        positions[pose.likelihood < how.likelihood] = np.nan
    if how.missing != "refuse":
        return positions, 0
    most, crossed = _short_gap(how), 0
    frames = np.arange(len(positions))
    for j in range(positions.shape[1]):
        seen = np.isfinite(positions[:, j]).all(axis=1)
        if seen.all() or not seen.any():
            continue
        edges = np.flatnonzero(np.diff(np.concatenate([[False], ~seen, [False]]).astype(np.int8)))
        for begin, end in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
            if end - begin <= most:
                crossed += end - begin
                for column in positions[:, j].T:
                    column[begin:end] = np.interp(frames[begin:end], frames[seen], column[seen])
    return positions, crossed


def _short_gap(how: Reading) -> int:
    """Return the longest gap to interpolate, in frames."""
    return int(SHORT_GAP * (how.rate or USUAL_RATE) + 1e-9)


def of_short_gaps(poses: Sequence[Pose], how: Reading) -> str:
    """Return a few words on gaps that were interpolated; empty if none were."""
    crossed = sum(without_short_gaps(pose, how)[1] for pose in poses)
    if not crossed:
        return ""
    rate = "" if how.rate else f" at {plain(USUAL_RATE)} frames per second, {as_typed('rate')} gives another"
    return (
        f"{count(crossed, 'missing position')} in gaps of up to {_short_gap(how)} frames ({plain(SHORT_GAP)} s{rate}) became"
        " lines between the others"
    )


def _side_by_side(made: Sequence[Pose], path: Path) -> Table:
    lengths = {len(pose.lines) for pose in made}
    if len(lengths) > 1:
        raise DataError(
            f"{path}: animals are seen on {min(lengths)} to {max(lengths)} frames, so that they are no columns of one sequence;"
            f" pass {as_typed('animals', 'sequences')}"
        )
    names = [
        f"{pose.animal}_{part}_{axis}"
        for pose in made
        for part in pose.parts
        for axis in AXES[: pose.positions.shape[2]]
    ]
    return Table(np.hstack([_flat(pose) for pose in made]), tuple(names), True, made[0].lines, "line")


def _flat(pose: Pose) -> FloatArray:
    return pose.positions.reshape(len(pose.positions), -1)


def _rotated_out(table: Table, how: Reading) -> Table:
    """Return a table without the coordinate set to 0 by the rotation."""
    name = f"{how.heading}_y"
    if how.heading is None or name not in table.columns:
        return table
    kept = [j for j, column in enumerate(table.columns) if column != name]
    return replace(table, values=table.values[:, kept], columns=tuple(table.columns[j] for j in kept))


def _in_own_frame(pose: Pose, path: Path, how: Reading) -> Pose:
    """Return a pose without unlikely points, and in the animal's frame of reference, if requested."""
    if how.likelihood is not None and pose.likelihood is None:
        raise DataError(f"{path}: holds no likelihoods; leave {as_typed('likelihood')} out")
    positions, _ = without_short_gaps(pose, how)
    parts = list(pose.parts)
    if how.relative_to is not None:
        places = [_part(name, parts, path, option) for option, name in _body_parts(how)]
        positions = positions - positions[:, places[0], None, :]
        if len(places) > 1:
            ahead = positions[:, places[1], :2]
            positions[:, :, :2] = rotated(positions[:, :, :2], ahead)
        positions = np.delete(positions, places[0], axis=1)
        parts.pop(places[0])
    return replace(pose, positions=positions, parts=parts)


def rotated(positions: FloatArray, ahead: FloatArray) -> FloatArray:
    """Return positions in the plane, rotated so that a direction lies along the first axis.

    Parameters
    ----------
    positions : ndarray, shape (frames, parts, 2)
    ahead : ndarray, shape (frames, 2)
        A direction on each frame, of any length above 0; where it is missing or 0, all positions of the frame are.

    Returns
    -------
    ndarray, shape (frames, parts, 2)
    """
    length = np.hypot(ahead[:, 0], ahead[:, 1])
    with np.errstate(invalid="ignore", divide="ignore"):
        cosine, sine = ahead[:, 0] / length, ahead[:, 1] / length
    x, y = positions[..., 0], positions[..., 1]
    return np.stack([cosine[:, None] * x + sine[:, None] * y, cosine[:, None] * y - sine[:, None] * x], axis=-1)


def _body_parts(how: Reading) -> list[tuple[str, str]]:
    named = (("relative_to", how.relative_to), ("heading", how.heading))
    return [(option, name) for option, name in named if name is not None]


def _part(name: str, parts: Sequence[str], path: Path, option: str) -> int:
    if name not in parts:
        raise DataError(
            f"{path}: holds no body part {name!r}, which {as_typed(option)} names ({listed(list(parts), 12)}); name another"
            " one"
        )
    return parts.index(name)


def what_was_read(program: str, poses: Sequence[Sequence[Pose]], how: Reading) -> str:
    """Return a sentence on tables of poses, of one program.

    Parameters
    ----------
    program : str
    poses : sequence of sequences of Pose
        The animals of each file.
    how : Reading
    """
    parts = sorted({len(pose.parts) for animals in poses for pose in animals})
    number = sorted({len(animals) for animals in poses})
    animals = count(number[0], "animal") if len(number) == 1 else f"{number[0]} to {number[-1]} animals"
    body = count(parts[0], "body part") if len(parts) == 1 else f"{parts[0]} to {parts[-1]} body parts"
    words = [f"read {count(len(poses), 'pose table')} of {program}, {body}, {animals}"]
    if number[-1] > 1:
        words[0] += " as columns" if how.animals == "columns" else ", each a sequence"
    scored: list[FloatArray] = [pose.likelihood for each in poses for pose in each if pose.likelihood is not None]
    if how.likelihood is not None and scored:
        below = sum(int((entry < how.likelihood).sum()) for entry in scored)
        share = below / max(1, sum(entry.size for entry in scored))
        words.append(f"likelihood below {plain(how.likelihood)} is missing ({100 * share:.2g}% of the positions)")
    elif scored:
        words.append(
            f"likelihoods are left out ({as_typed('likelihood', 0.6)} takes less likely positions for missing)"
        )
    if how.heading is not None:
        words.append(f"positions are relative to {how.relative_to}, with {how.heading} ahead")
    elif how.relative_to is not None:
        words.append(f"positions are relative to {how.relative_to}")
    else:
        words.append(
            f"positions are absolute ({as_typed('relative_to')} makes them relative to a body part, such as"
            f" {poses[0][0].parts[0]})"
        )
    gaps = of_short_gaps([pose for animals in poses for pose in animals], how)
    return "; ".join([*words, gaps] if gaps else words)


def numbers_or_missing(cells: NDArray[np.float64], odd: dict[int, str], path: Path, column: str) -> FloatArray:
    """Return a column of numbers with blank cells missing, unchanged otherwise; `odd` are non-numeric cells, by row.

    Raises
    ------
    DataError
        If one of these is not missing.
    """
    for row, cell in odd.items():
        if cell not in MISSING_CELLS:
            raise DataError(
                f"{path}: row {row + 1} below the header, column {column!r} holds {cell[:40]!r}, which is no number"
            )
    return cells
