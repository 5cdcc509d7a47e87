"""TS files, the text format of the UEA archive."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from ...arrays import FloatArray
from ...errors import DataError
from .raw import Raw, RawSet
from .text import MISSING_CELLS, decode, plain_text, read_bytes
from .wording import count


def read_ts(path: Path, notes: list[str]) -> RawSet:
    """The text format of the UEA archive: ``@`` lines, then one case per line, dimensions between colons."""
    text, _ = decode(read_bytes(path), path)
    header: dict[str, str] = {}
    sequences: list[Raw] = []
    targets: list[str] = []
    in_data = False
    padded = 0
    for number, line in enumerate(text.splitlines(), start=1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if not in_data:
            if not line.startswith("@"):
                raise DataError(f"{path}: line {number} stands before @data but starts with no @; add the header")
            key, _, value = line[1:].partition(" ")
            in_data = key.lower() == "data"
            header[key.lower()] = value.strip().lower()
            if key.lower() == "timestamps" and value.strip().lower().startswith("true"):
                raise DataError(f"{path}: holds time stamps, which are not read; write it as a CSV with id and time")
            continue
        parts = line.split(":")
        if _has_target(header):
            targets.append(plain_text(parts.pop()))
        values, cut = _case(parts, path, number)
        padded += cut
        if sequences and values.shape[1] != sequences[0].values.shape[1]:
            raise DataError(
                f"{path}: line {number} has {count(values.shape[1], 'dimension')} but the first case has"
                f" {sequences[0].values.shape[1]}; give all the same"
            )
        place = partial(_place, f"line {number}")
        sequences.append(Raw(f"s{len(sequences):05d}", str(path), values, place))
    if not sequences:
        raise DataError(f"{path}: holds no case; check that the cases follow a line @data")
    if padded:
        notes.append(f"{path.name}: {count(padded, 'frame')} of padding at the ends of cases were dropped")
    return RawSet(sequences, labels=np.array(targets, dtype=np.str_) if targets else None)


def _place(line: str, row: int, column: int) -> str:
    return f"{line}, frame (from 0) {row}, dimension (from 0) {column}"


def _has_target(header: Mapping[str, str]) -> bool:
    return any(header.get(key, "").startswith("true") for key in ("classlabel", "targetlabel"))


def _case(parts: Sequence[str], path: Path, number: int) -> tuple[FloatArray, int]:
    """One case as a (T, d) array, and how many frames at its end held no number at all."""
    dimensions = []
    for part in parts:
        cells = [cell.strip() for cell in part.split(",")]
        try:
            dimensions.append([np.nan if cell in MISSING_CELLS else float(cell) for cell in cells])
        except ValueError as error:
            raise DataError(f"{path}: line {number}: {error}; correct the cell") from error
    if not dimensions:
        raise DataError(f"{path}: line {number} holds no numbers; remove the line")
    lengths = {len(dimension) for dimension in dimensions}
    if len(lengths) > 1:
        raise DataError(
            f"{path}: line {number} has dimensions of {min(lengths)} to {max(lengths)} frames; give all of a case the"
            " same"
        )
    values = np.array(dimensions, dtype=np.float64).T
    known = np.flatnonzero(~np.isnan(values).all(axis=1))
    if not known.size:
        raise DataError(f"{path}: line {number} holds no number; remove the line")
    last = int(known[-1]) + 1
    return np.ascontiguousarray(values[:last]), len(values) - last
