"""NPY files as tables without names of columns."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from kinseq.core.errors import DataError
from kinseq.core.table_options import USUAL, TableOptions

from .arrays import as_floats, load_array
from .table import Table


def several(shape: tuple[int, ...]) -> str:
    """What to do about an array of several sequences."""
    return (
        f"has shape {shape}, which is several sequences in one array; save one array of shape (T, d) for each, an .npz with values"
        " and offsets, or give the array itself to kinseq.cluster in Python"
    )


def read_npy(path: Path, how: TableOptions = USUAL) -> Table:
    """Table of an array of shape (T, d) or (T,).

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
    if array.ndim == 3 and 0 not in array.shape:
        raise DataError(f"{path}: {several(array.shape)}")
    if array.ndim != 2 or 0 in array.shape:
        raise DataError(
            f"{path}: has shape {array.shape}, expected one sequence of shape (T, d); write one file for each"
        )
    columns = tuple(str(i + 1) for i in range(array.shape[1]))
    return Table(as_floats(array, path, "is an array"), columns, False, np.arange(1, len(array) + 1), "row")
