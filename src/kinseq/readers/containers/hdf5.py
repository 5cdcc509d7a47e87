"""HDF5 files, by the optional package h5py; MATLAB 7.3 writes them too."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ...core.errors import DataError
from ...core.extras import from_extra
from ..reading import Reading
from ..table import Table
from .container import Container
from .tree import table_of_tree

SIGNATURE = b"\x89HDF\r\n\x1a\n"
"""First bytes of an HDF5 file."""


def read_hdf5(path: Path, how: Reading) -> Table:
    """Return the sequences of an HDF5 file, see :func:`.tree.table_of_tree`.

    Raises
    ------
    DataError
        If it is damaged, or holds no numbers.
    """
    return table_of_tree(tree_of_hdf5(path), path, how, CONTAINER.name)


def tree_of_hdf5(path: Path) -> dict[str, Any]:
    """Return the content of an HDF5 file; groups with equal fields as a tree of lists, with their names as ids.

    Raises
    ------
    ParameterError
        If h5py is not installed.
    DataError
        If the file is damaged.
    """
    with from_extra("files", f"{path}: reading HDF5"):
        import h5py
    try:
        with h5py.File(path, "r") as file:
            return _tree(file, file)
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        raise DataError(
            f"{path}: cannot be read as HDF5 ({' '.join(str(error).split())[:120]}); write it again"
        ) from error


def _tree(group: Any, file: Any) -> dict[str, Any]:
    tree = {name: _plain(group[name], file) for name in group if not name.startswith("#")}
    inner = list(tree.values())
    if len(inner) > 1 and all(isinstance(value, dict) and value.keys() == inner[0].keys() for value in inner):
        return {"id": list(tree), **{key: [value[key] for value in inner] for key in inner[0]}}
    return tree


_NOTES = frozenset({"label", "class", "target", "condition", "id", "name", "fs", "sampling_rate", "sample_rate"})
"""Names of attributes of groups that say something of a sequence."""


def _with_notes(group: Any, tree: dict[str, Any]) -> dict[str, Any]:
    """Return the tree of a group with its attributes that say something of the sequence."""
    notes = {name: value for name, value in group.attrs.items() if name.lower() in _NOTES and name not in tree}
    plain = {
        name: value.decode("utf-8", "replace") if isinstance(value, bytes) else value for name, value in notes.items()
    }
    return tree | {name: str(value) if isinstance(value, str) else np.asarray(value) for name, value in plain.items()}


def _plain(entry: Any, file: Any) -> Any:
    """Return a group as a tree and a dataset as an array, a list or a text."""
    import h5py

    if isinstance(entry, h5py.Group):
        return _with_notes(entry, _tree(entry, file))
    kind = entry.attrs.get("MATLAB_class", b"")
    if h5py.check_ref_dtype(entry.dtype) is not None:
        return [_plain(file[reference], file) for reference in entry[()].reshape(-1)]
    if kind == b"char":
        return "".join(map(chr, entry[()].reshape(-1)))
    if h5py.check_string_dtype(entry.dtype) is not None:
        texts = np.atleast_1d(entry.asstr()[()]).reshape(-1).tolist()
        return texts[0] if entry.shape == () else texts
    array = entry[()]
    # MATLAB stores arrays column by column.
    return np.asarray(array).T if kind else np.asarray(array)


CONTAINER = Container("HDF5", (".h5", ".hdf5", ".hdf"), read_hdf5)
