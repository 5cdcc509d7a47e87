"""NPY files as tables without names of columns."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ...errors import DataError
from .table import Table


def read_npy(path: Path) -> Table:
    """Table of an array of shape (T, d) or (T,)."""
    try:
        array = np.load(path, allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise DataError(
            f"{path}: is no plain array (it is damaged, of another kind, or holds Python objects);"
            " write it again with numpy.save"
        ) from error
    if not isinstance(array, np.ndarray) or array.dtype.kind not in "fiub":
        raise DataError(f"{path}: holds no real numbers; save an array of shape (T, d)")
    if array.ndim == 1:
        array = array[:, None]
    if array.ndim != 2 or 0 in array.shape:
        raise DataError(
            f"{path}: has shape {array.shape}, expected one sequence of shape (T, d); write one file for each"
        )
    columns = tuple(str(i) for i in range(array.shape[1]))
    rows = np.arange(len(array))
    return Table(array.astype(np.float64), columns, False, rows, "row (from 0)")
