"""MATLAB files: 4 to 7.2 by scipy, 7.3 by h5py."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ...core.errors import DataError
from ..reading import Reading
from ..table import Table
from .container import Container
from .hdf5 import SIGNATURE, tree_of_hdf5
from .tree import table_of_tree


def read_matlab(path: Path, how: Reading) -> Table:
    """Return the sequences of a MATLAB file, see :func:`.tree.table_of_tree`.

    Raises
    ------
    DataError
        If it is damaged, or holds objects or strings alone.
    """
    from scipy.io import loadmat
    from scipy.io.matlab import MatlabFunction, MatlabObject, MatlabOpaque, MatReadError

    try:
        with path.open("rb") as stream:
            start = stream.read(520)
        if start.startswith(b"MATLAB 7.3") or SIGNATURE in (start[:8], start[512:520]):
            return table_of_tree(tree_of_hdf5(path), path, how, CONTAINER.name)
        content = loadmat(path, chars_as_strings=True)
    except DataError:
        raise
    except (
        OSError,
        ValueError,
        TypeError,
        KeyError,
        NotImplementedError,
        MatReadError,
        EOFError,
        MemoryError,
    ) as error:
        raise DataError(
            f"{path}: cannot be read as a MATLAB file ({' '.join(str(error).split())[:120]}); save it again"
        ) from error
    held = {name: value for name, value in content.items() if not name.startswith("__")}
    objects = [name for name, value in held.items() if isinstance(value, (MatlabObject, MatlabOpaque, MatlabFunction))]
    tree = {name: _plain(value) for name, value in held.items() if name not in objects}
    if objects and not tree:
        raise DataError(
            f"{path}: holds a table, a text or another object of MATLAB, which only MATLAB can read; save its numbers as a plain"
            " matrix (table2array)"
        )
    return table_of_tree(tree, path, how, CONTAINER.name)


def _plain(value: Any) -> Any:
    """Return arrays of numbers unchanged; cells as lists, structs as trees, arrays of structs as trees of lists."""
    if not isinstance(value, np.ndarray):
        return value
    if value.dtype.names is not None:
        entries = value.reshape(-1, order="F")
        if len(entries) == 1:
            return {name: _plain(entries[0][name]) for name in value.dtype.names}
        return {name: [_single(_plain(entry[name])) for entry in entries] for name in value.dtype.names}
    if value.dtype.kind == "O":
        return [_single(_plain(entry)) for entry in value.reshape(-1, order="F")]
    if value.dtype.kind in "US":
        return [str(entry).strip() for entry in value.reshape(-1)]
    return value


def _single(value: Any) -> Any:
    """Return the text of a list of one text; other values are unchanged."""
    return value[0] if isinstance(value, list) and len(value) == 1 and isinstance(value[0], str) else value


_LARGEST_TYPE = 5000
"""Larger than the first number of a file of MATLAB 4."""


def begins(path: Path) -> bool:
    """Return whether a file begins as MATLAB 5 to 7.3, HDF5 or MATLAB 4 do."""
    try:
        with path.open("rb") as stream:
            start = stream.read(8)
    except OSError:
        return True  # opening it later reports the error
    return (
        start.startswith(b"MATLAB")
        or start == SIGNATURE
        or (len(start) == 8 and int.from_bytes(start[:4], "little") < _LARGEST_TYPE)
    )


CONTAINER = Container("MATLAB", (".mat",), read_matlab, begins)
