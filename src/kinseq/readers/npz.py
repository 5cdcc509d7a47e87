"""NPZ archives: concatenated frames of all sequences, and their offsets."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import DataError
from ..core.wording import listed
from .arrays import as_floats, load_array
from .npy import is_time_first, stacked
from .raw import Raw, RawSet
from .text import plain_text

# Entries that kinseq stores in addition to the sequences
_OWN = ("meta", "task_indices")


def read_npz(path: Path) -> RawSet:
    """Return sequences of an archive of `values` and `offsets`, optionally with `ids`, `labels` and `groups`."""
    arrays = _arrays(path)
    if not {"values", "offsets"} & set(arrays):
        named = _named(arrays, path)
        if named is not None:
            return named
    for entry in ("values", "offsets"):
        if entry not in arrays:
            raise DataError(
                f"{path}: lacks the array {entry!r} (it holds {listed(sorted(arrays)) or 'nothing'}); write values of"
                " shape (frames, d) and offsets of shape (N + 1,), or arrays of the same number of columns, each a sequence"
            )
    unread = sorted(set(arrays) - {"values", "offsets", "ids", "labels", "groups", *_OWN})
    notes = (f"{path.name}: did not read {listed(unread)}; only values, offsets, ids, labels and groups count",)
    values, offsets = _frames(arrays["values"], arrays["offsets"], path)
    n = offsets.size - 1
    columns = _of_sequences(arrays, n, path)
    own_ids = columns.pop("ids", None)
    ids = [f"s{i:05d}" for i in range(n)] if own_ids is None else [plain_text(entry) for entry in own_ids]
    if "" in ids:
        raise DataError(f"{path}: the id of sequence {ids.index('')} (from 0) is blank; write ids that tell all apart")
    values = as_floats(values, path, "has values")

    def placed(start: int) -> Callable[[int, int], str]:
        return lambda row, column: f"row {start + row + 1}, column {column + 1}"

    sequences = []
    for i in range(n):
        start, stop = int(offsets[i]), int(offsets[i + 1])
        if start == stop:
            raise DataError(f"{path}: sequence {ids[i]!r} is empty (0 frames); remove it")
        sequences.append(Raw(ids[i], str(path), values[start:stop], placed(start)))
    return RawSet(sequences, labels=columns.get("labels"), groups=columns.get("groups"), notes=notes if unread else ())


def _frames(values: NDArray[Any], offsets: NDArray[Any], path: Path) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return frames of shape (frames, d) and the bounds of sequences; :class:`DataError` if they are invalid."""
    if values.ndim == 1:
        values = values[:, None]
    if values.dtype.kind not in "fiub" or values.ndim != 2 or values.shape[1] == 0:
        raise DataError(
            f"{path}: values have shape {values.shape} and type {values.dtype}, expected numbers (frames, d)"
        )
    if offsets.ndim != 1 or offsets.size < 2 or offsets.dtype.kind not in "iu":
        raise DataError(
            f"{path}: offsets have shape {offsets.shape} and type {offsets.dtype}, expected N + 1 whole numbers"
        )
    steps = np.diff(offsets.astype(object))  # unsigned numbers would wrap around
    if offsets[0] != 0 or offsets[-1] != len(values) or (steps < 0).any():
        raise DataError(
            f"{path}: offsets must rise from 0 to the number of frames {len(values)}, they run from {offsets[0]} to"
            f" {offsets[-1]}; write them again"
        )
    return values, offsets


def _of_sequences(arrays: Mapping[str, NDArray[Any]], n: int, path: Path) -> dict[str, NDArray[Any]]:
    """Return existing ids, labels and groups, one per sequence; :class:`DataError` unless they are text or numbers."""
    columns = {name: arrays[name] for name in ("ids", "labels", "groups") if name in arrays}
    for name, entries in columns.items():
        if entries.shape != (n,):
            raise DataError(f"{path}: {name} have shape {entries.shape} but there are {n} sequences; give one each")
        if entries.dtype.kind == "f" and not np.isfinite(entries).all():
            raise DataError(f"{path}: {name} hold {entries[~np.isfinite(entries)][0]}; write text for what is unknown")
        if entries.dtype.kind == "S":
            columns[name] = np.array([plain_text(entry) for entry in entries], dtype=np.str_)
    return columns


def _named(arrays: dict[str, NDArray[Any]], path: Path) -> RawSet | None:
    """Return sequences of an archive of named arrays, or of one array of shape (N, T, d), possibly with labels.

    None if it is neither.
    """
    numbers = {name: entry for name, entry in arrays.items() if entry.dtype.kind in "fiub" and entry.size}
    cubes = [name for name, entry in numbers.items() if entry.ndim == 3]
    if len(cubes) == 1 and not is_time_first(numbers[cubes[0]].shape):
        # Epochs of EEG: sequences, channels, time
        cube = arrays[cubes[0]]
        if any(entry.shape == cube.shape[:1] for name, entry in arrays.items() if name != cubes[0]):
            numbers[cubes[0]] = cube.transpose(0, 2, 1)
    several = {name: entry for name, entry in numbers.items() if entry.ndim == 3 and is_time_first(entry.shape)}
    if len(several) == 1:
        ((name, whole),) = several.items()
        labels = [entry for other, entry in arrays.items() if other != name and entry.shape == (len(whole),)]
        if len(arrays) > 1 + len(labels) or len(labels) > 1:
            return None
        width = len(str(len(whole) - 1))
        values = as_floats(whole, path, f"has an array {name!r}")
        ids = [f"{i:0{width}d}" for i in range(len(values))]
        table = stacked(list(values), ids, tuple(str(i + 1) for i in range(values.shape[2])), path)
        said = f"{path.name}: read {name} as {len(whole)} sequences" + ", with their labels" * len(labels)
        assert table.id is not None
        begins = np.flatnonzero(table.id[1:] != table.id[:-1]) + 1
        sequences = [
            Raw(entry, str(path), part, _place) for entry, part in zip(ids, np.split(table.values, begins), strict=True)
        ]
        texts = np.array([plain_text(entry) for entry in labels[0]], dtype=np.str_) if labels else None
        return RawSet(sequences, labels=texts, notes=(said,))
    if not 2 <= len(numbers) == len(arrays) or any(entry.ndim not in (1, 2) for entry in numbers.values()):
        return None
    flat = {name: entry if entry.ndim == 2 else entry[:, None] for name, entry in numbers.items()}
    if len({entry.shape[1] for entry in flat.values()}) != 1:
        return None
    return RawSet(
        [
            Raw(name, str(path), as_floats(entry, path, f"has an array {name!r}"), _place)
            for name, entry in sorted(flat.items())
        ],
        notes=(f"{path.name}: read each of {len(flat)} arrays as a sequence",),
    )


def _place(row: int, column: int) -> str:
    return f"row {row + 1}, column {column + 1}"


def _arrays(path: Path) -> dict[str, NDArray[Any]]:
    """Return every array of an archive."""
    arrays = {}
    try:
        with zipfile.ZipFile(path) as archive:
            for member in archive.infolist():
                name = member.filename.removesuffix(".npy")
                with archive.open(member) as stream:
                    arrays[name] = load_array(stream, member.file_size, path, name)
    except (OSError, ValueError, EOFError, NotImplementedError, RuntimeError, zipfile.BadZipFile) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(
            f"{path}: is no archive of plain arrays (it is damaged, of another kind, or holds Python objects);"
            " write it again with numpy.savez"
        ) from error
    return arrays
