"""NPZ archives: the frames of all sequences in one array, and where each begins."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

from ...errors import DataError
from .raw import Raw, RawSet
from .wording import listed


def read_npz(path: Path, notes: list[str]) -> RawSet:
    """Sequences of an archive of `values` and `offsets`, optionally with `ids`, `labels` and `groups`."""
    try:
        with np.load(path, allow_pickle=False) as archive:
            arrays = {entry: archive[entry] for entry in archive.files}
    except (OSError, ValueError, EOFError, zipfile.BadZipFile, AttributeError, KeyError) as error:
        raise DataError(
            f"{path}: is no archive of plain arrays (it is damaged, of another kind, or holds Python objects);"
            " write it again with numpy.savez"
        ) from error
    for entry in ("values", "offsets"):
        if entry not in arrays:
            raise DataError(
                f"{path}: lacks the array {entry!r} (it holds {listed(sorted(arrays)) or 'nothing'}); write values of"
                " shape (frames, d) and offsets of shape (N + 1,)"
            )
    values, offsets = arrays["values"], arrays["offsets"]
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
    offsets = offsets.astype(np.int64)
    if offsets[0] != 0 or offsets[-1] != len(values) or (np.diff(offsets) < 0).any():
        raise DataError(
            f"{path}: offsets must rise from 0 to the number of frames {len(values)}, they run from {offsets[0]} to"
            f" {offsets[-1]}; write them again"
        )
    n = offsets.size - 1
    ids = arrays.get("ids", np.array([f"s{i:05d}" for i in range(n)]))
    columns = {name: arrays[name] for name in ("labels", "groups") if name in arrays}
    for name, entries in {"ids": ids, **columns}.items():
        if entries.shape != (n,):
            raise DataError(f"{path}: {name} have shape {entries.shape} but there are {n} sequences; give one each")
    values = values.astype(np.float64)

    def placed(start: int) -> Callable[[int, int], str]:
        return lambda row, column: f"row (from 0) {start + row}, column {column}"

    sequences = []
    for i in range(n):
        start, stop = int(offsets[i]), int(offsets[i + 1])
        if start == stop:
            raise DataError(f"{path}: sequence {str(ids[i])!r} is empty (0 frames); remove it")
        sequences.append(Raw(str(ids[i]), str(path), values[start:stop], placed(start)))
    return RawSet(sequences, labels=columns.get("labels"), groups=columns.get("groups"))
