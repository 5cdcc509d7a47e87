"""NPY files as tables without column names."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ..core.arrays import FloatArray
from ..core.errors import DataError
from .arrays import as_floats, load_array
from .reading import USUAL, Reading
from .table import Table, selected


def read_npy(path: Path, how: Reading = USUAL) -> Table:
    """Table of an array of shape (T, d) or (T,), or of N sequences of shape (N, T, d) with numbers from 0 as ids.

    Frames of NaN at the ends of these are padding.

    Raises
    ------
    DataError
        If the file holds anything else than one such array of real numbers, or less than its header claims.
    """
    try:
        with path.open("rb") as stream:
            array = load_array(stream, path.stat().st_size, path)
    except OSError as error:
        raise DataError(f"{path}: cannot be opened ({error.strerror or error}); check its permissions") from error
    if array.ndim == 1:
        array = array[:, None]
    if array.ndim not in (2, 3) or 0 in array.shape:
        raise DataError(
            f"{path}: has shape {array.shape}, expected one sequence of shape (T, d), or several of shape (N, T, d)"
        )
    if array.ndim == 3 and not is_time_first(array.shape):
        raise DataError(
            f"{path}: has shape {array.shape}, which is several sequences in one array; save one array of shape (T, d) for each, or"
            " the array with time before channels and more steps than channels, or give it to kinseq.cluster in Python"
        )
    columns = tuple(str(i + 1) for i in range(array.shape[-1]))
    values = as_floats(array, path, "is an array")
    if values.ndim == 2:
        return selected(Table(values, columns, False, np.arange(1, len(values) + 1), "row"), how, path)
    ids = [f"{i:0{len(str(len(values) - 1))}d}" for i in range(len(values))]
    return selected(stacked(list(values), ids, columns, path), how, path)


def is_time_first(shape: tuple[int, ...]) -> bool:
    """Return whether an array of several sequences must be (N, time, channels), having fewer channels than steps."""
    return shape[2] < shape[1] or shape[1:] == (1, 1)


def stacked(arrays: Sequence[FloatArray], ids: Sequence[str], columns: tuple[str, ...], path: Path) -> Table:
    """Return the table of several sequences of the same columns, without the padding at their ends.

    Raises
    ------
    DataError
        If one of them has no number.
    """
    kept = []
    for entry, values in zip(ids, arrays, strict=True):
        filled = np.flatnonzero(~np.isnan(values).all(axis=1))
        if not filled.size:
            raise DataError(f"{path}: sequence {entry!r} holds no number; leave it out")
        kept.append(values[: int(filled[-1]) + 1])
    lengths = [len(values) for values in kept]
    rows = np.concatenate([np.arange(1, length + 1) for length in lengths])
    return Table(np.concatenate(kept), columns, False, rows, "frame", id=np.repeat(np.array(ids), lengths))
