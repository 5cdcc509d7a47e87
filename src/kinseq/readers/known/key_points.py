"""Key points of a person a frame a file, in JSON: of OpenPose, or of MediaPipe.

A video is a folder of files, or files of one name but for the number of the frame.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.arrays import FloatArray
from ...core.errors import DataError
from ...core.wording import count
from ..poses import Pose, of_short_gaps, on_every_frame, table_of_poses
from ..raw import Raw, RawSet
from ..reading import Reading
from ..text import decode, read_bytes
from .known_layout import FolderLayout, Open

_NUMBERED = re.compile(r"(.*?)[_.\- ]*(\d+)(?:[_.\- ]*(?:keypoints|landmarks|pose))?")
_OF_PERSON = "pose_keypoints_2d"
_LANDMARKS = ("pose_landmarks", "landmarks", "pose_world_landmarks", "keypoints")
_LEAST_FRAMES = 5
"""Least number of frames of a video."""


def matches(files: Sequence[Path], how: Reading) -> bool:
    """Return whether the first file holds key points of one frame, and all are JSON with numbers in their names."""
    if len(files) < _LEAST_FRAMES or files[0].suffix.lower() != ".json":
        return False
    if not all(path.suffix.lower() == ".json" and _NUMBERED.fullmatch(path.stem) for path in files):
        return False
    try:
        return _points(json.loads(files[0].read_bytes())) is not None
    except (OSError, ValueError):
        return False


def _points(data: Any) -> FloatArray | None:
    """Return key points of the first person, shape (parts, 3 or 4): position and confidence; None if there are none.

    An image without a person has an array of shape (0, 3).
    """
    if isinstance(data, Mapping) and isinstance(data.get("people"), list):
        people = [person[_OF_PERSON] for person in data["people"] if _OF_PERSON in person]
        sure = [np.asarray(person, dtype=np.float64).reshape(-1, 3) for person in people]
        # Take the best detected one of several.
        return max(sure, key=lambda points: float(points[:, 2].mean())) if sure else np.empty((0, 3))
    if isinstance(data, Mapping):
        data = next((data[name] for name in _LANDMARKS if name in data), None)
    if isinstance(data, list) and data and isinstance(data[0], list):
        data = data[0]
    if isinstance(data, list) and all(isinstance(point, Mapping) and {"x", "y"} <= set(point) for point in data):
        axes = [axis for axis in ("x", "y", "z") if all(axis in point for point in data)]
        score = next((name for name in ("visibility", "score", "confidence") if data and name in data[0]), None)
        rows = [[*(point[axis] for axis in axes), point[score] if score else 1.0] for point in data]
        return np.array(rows, dtype=np.float64).reshape(len(data), -1)
    return None


def read(files: Sequence[Path], names: Mapping[Path, str], how: Reading, opened: Open) -> RawSet | None:
    """Return the videos as sequences, without points never seen; frames without a person are missing.

    Raises
    ------
    DataError
        If a file holds no key points, or others than the first.
    """
    videos: dict[str, list[tuple[int, Path]]] = defaultdict(list)
    for path in files:
        match = _NUMBERED.fullmatch(path.stem)
        assert match is not None
        folder = names[path].rpartition("/")[0]
        videos["/".join(part for part in (folder, match[1]) if part) or path.parent.name].append((int(match[2]), path))
    poses = {name: _pose(frames) for name, frames in sorted(videos.items())}
    widths = {pose.positions.shape[1:] for pose in poses.values()}
    if len(widths) > 1:
        raise DataError(f"{files[0].parent}: videos have different key points; give those of one model")
    seen = np.all([np.isfinite(pose.positions).all(axis=2).any(axis=0) for pose in poses.values()], axis=0)
    parts = [f"point {j}" for j in np.flatnonzero(seen)]
    sequences, every = [], []
    for name, pose in poses.items():
        frames = videos[name]
        kept = Pose(
            "",
            parts,
            pose.positions[:, seen],
            None if pose.likelihood is None else pose.likelihood[:, seen],
            pose.lines,
        )
        every.append(kept)
        table = table_of_poses([kept], frames[0][1].parent, how)
        sequences.append(Raw(name, str(frames[0][1].parent), table.values, table.place, columns=table.columns))
    gone, gaps = int((~seen).sum()), of_short_gaps(every, how)
    said = (
        f"read {count(len(files), 'file')} as frames of {count(len(sequences), 'video')} with {count(len(parts), 'key point')}"
        + (f"; left out {count(gone, 'point')} that a video never shows" if gone else "")
        + (f"; {gaps}" if gaps else "")
    )
    labels = _labels(list(poses)) if how.labels == "folders" else None
    return RawSet(sequences, labels=labels, provenance={"files": len(files)}, notes=(said,))


def _labels(ids: Sequence[str]) -> NDArray[np.str_]:
    return np.array([name.partition("/")[0] if "/" in name else "" for name in ids], dtype=np.str_)


def _pose(frames: list[tuple[int, Path]]) -> Pose:
    """Return the positions on the frames of a video; points with confidence 0 are missing."""
    found = []
    for _, path in frames:
        try:
            points = _points(json.loads(decode(read_bytes(path), path)[0]))
        except (ValueError, KeyError, TypeError) as error:
            raise DataError(f"{path}: holds no key points ({error!r:.80}); leave it out or write it again") from error
        if points is None:
            raise DataError(f"{path}: holds no key points, but the files next to it do; leave it out")
        found.append(points)
    shape = next((points.shape for points in found if len(points)), None)
    if shape is None:
        raise DataError(f"{frames[0][1].parent}: no frame of a video shows a person; leave it out")
    stacked = np.full((len(found), *shape), np.nan)
    for i, points in enumerate(found):
        if len(points) and points.shape != shape:
            raise DataError(
                f"{frames[i][1]}: has {len(points)} key points, where others have {shape[0]}; give those of one model"
            )
        if len(points):
            stacked[i] = points
    positions, sure = stacked[:, :, :-1], stacked[:, :, -1]
    positions = np.where((sure > 0)[:, :, None], positions, np.nan)
    numbers = np.array([number for number, _ in frames], dtype=np.int64)
    pose = Pose("", [str(j) for j in range(shape[0])], positions, sure, np.arange(1, len(found) + 1))
    return on_every_frame(pose, numbers, frames[0][1].parent)


LAYOUT = FolderLayout("key points a frame a file", matches, read)
