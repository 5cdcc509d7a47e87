"""Parameter files of HTK: features of speech, one file per utterance."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ...core.clock import SECONDS
from ...core.errors import DataError
from ..reading import Reading
from ..table import Table, selected
from ..text import read_bytes
from .container import Container

_HEADER = 12
_COMPRESSED, _CHECKED = 0o2000, 0o10000
"""Bits of the kind of parameters: two bytes per number, and a checksum at the end."""
_UNIT = 1e-7
"""Unit, in seconds, of the time from frame to frame."""


def _head(start: bytes) -> tuple[int, int, int, int]:
    """Return the numbers of frames, the time between them, bytes of a frame, and the kind of parameters."""
    frames, period = np.frombuffer(start[:8], dtype=">i4").tolist()
    size, kind = np.frombuffer(start[8:_HEADER], dtype=">u2").tolist()
    return frames, period, size, kind


def begins(path: Path) -> bool:
    """Return whether the header of a file matches its length."""
    try:
        with path.open("rb") as stream:
            start = stream.read(_HEADER)
        size_of_file = path.stat().st_size
    except OSError:
        return True  # opening it later reports the error
    if len(start) < _HEADER:
        return False
    frames, _, size, kind = _head(start)
    return frames > 0 and size > 0 and size_of_file == _HEADER + frames * size + 2 * bool(kind & _CHECKED)


def read_htk(path: Path, how: Reading) -> Table:
    """Return the frames of a file with their time.

    Raises
    ------
    DataError
        If it is shorter or longer than its header says.
    """
    content = read_bytes(path)
    if not begins(path):
        raise DataError(f"{path}: is not as long as the header of an HTK file says; write it again")
    frames, period, size, kind = _head(content)
    body = content[_HEADER : _HEADER + frames * size]
    if kind & _COMPRESSED:
        # The first four frames hold the two scale factors of each coefficient.
        width = size // 2
        scale, shift = np.frombuffer(body[: 8 * width], dtype=">f4").astype(np.float64).reshape(2, width)
        values = (np.frombuffer(body[8 * width :], dtype=">i2").reshape(-1, width) + shift) / scale
    else:
        values = np.frombuffer(body, dtype=">f4").astype(np.float64).reshape(frames, size // 4)
    columns = tuple(str(j + 1) for j in range(values.shape[1]))
    table = Table(
        values, columns, False, np.arange(1, len(values) + 1), "frame", said=f"{CONTAINER.name}: read features"
    )
    if period > 0:
        table.time, table.unit = np.asarray(np.arange(len(values)) * period * _UNIT, dtype=np.float64), SECONDS
    return selected(table, how, path)


CONTAINER = Container("HTK", (".htk", ".mfc", ".plp", ".fbank"), read_htk, begins)
