"""TS files, the text format of the UEA archive."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from ..core.arrays import FloatArray
from ..core.errors import DataError
from ..core.wording import count, listed
from .raw import Raw, RawSet
from .text import MISSING_CELLS, beginning_of, decode, is_number, marked, plain_text, read_bytes, to_number


def begins_as_ts(path: Path) -> bool:
    """Return whether a file may be of the archive: rows of numbers without a line that begins with @ or a comment are not."""
    text = beginning_of(path).decode("utf-8", errors="replace")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    numeric = all(is_number(cell) for line in lines[:-1][:3] for cell in re.split(r"[\s,;]+", line))
    return len(lines) < 4 or not numeric


def read_ts(path: Path) -> RawSet:
    """Return the text format of the UEA archive: ``@`` lines, then one case per line, dimensions between colons.

    Raises
    ------
    DataError
        If the header is left out or contradicts the cases, or a number cannot be read.
    """
    text, _ = decode(read_bytes(path), path)
    header: dict[str, list[str]] = {}
    sequences: list[Raw] = []
    targets: list[str] = []
    padded = 0
    passed: list[int] = []
    for number, line in enumerate(text.splitlines(), start=1):
        line = line.strip()
        if not line:
            continue
        if marked(line):
            passed += [number] if sequences else []
            continue
        if "data" not in header:
            _read_header(header, line, path, number)
            continue
        parts = line.split(":")
        if _has_target(header):
            targets.append(_target(parts, header, path, number))
        values, n_padded = _case(parts, path, number)
        padded += n_padded
        _check_dimensions(values, sequences, header, path, number)
        place = partial(_place, f"line {number}")
        sequences.append(Raw(f"s{len(sequences):05d}", str(path), values, place))
    if not sequences:
        raise DataError(f"{path}: holds no case; check that the cases follow a line @data")
    notes = []
    if passed:
        notes.append(
            f"{path.name}: passed over {count(len(passed), 'line')} among the cases as comments, since they begin with # or %"
            f" (the first is line {passed[0]})"
        )
    if padded:
        notes.append(f"{path.name}: {count(padded, 'frame')} of padding at the ends of cases were dropped")
    lengths = {len(sequence.values) for sequence in sequences}
    if _says(header, "equallength", "true") and len(lengths) > 1 and not padded:
        notes.append(f"{path.name}: says equalLength true but its cases have {min(lengths)} to {max(lengths)} frames")
    return RawSet(sequences, labels=np.array(targets, dtype=np.str_) if targets else None, notes=tuple(notes))


def _read_header(header: dict[str, list[str]], line: str, path: Path, number: int) -> None:
    if not line.startswith("@"):
        raise DataError(f"{path}: line {number} stands before @data but starts with no @; add the header")
    key, *words = line[1:].split() or [""]
    header[key.lower()] = words
    if _says(header, "timestamps", "true"):
        raise DataError(f"{path}: holds time stamps, which are not read; write it as a CSV with id and time")


def _says(header: Mapping[str, list[str]], key: str, word: str) -> bool:
    return [entry.lower() for entry in header.get(key, [])[:1]] == [word]


def _target(parts: list[str], header: Mapping[str, list[str]], path: Path, number: int) -> str:
    """Split the label from the end of a case."""
    target = plain_text(parts.pop())
    classes = header.get("classlabel", [])[1:]
    unknown = bool(classes) and target not in classes
    if not parts or not target or unknown or (not classes and "," in target):
        hint = f", expected one of {listed(classes)}" if classes else ""
        raise DataError(
            f"{path}: line {number} ends with {target[:40]!r} where its label belongs{hint}; add the label behind a"
            " colon, or write @classLabel false"
        )
    return target


def _check_dimensions(
    values: FloatArray, before: Sequence[Raw], header: Mapping[str, list[str]], path: Path, number: int
) -> None:
    dimensions = values.shape[1]
    if before and dimensions != before[0].values.shape[1]:
        raise DataError(
            f"{path}: line {number} has {count(dimensions, 'dimension')} but the first case has"
            f" {before[0].values.shape[1]}; give all the same"
        )
    declared = header.get("dimensions", ["1"] if _says(header, "univariate", "true") else [])[:1]
    if declared and declared[0].isdecimal() and int(declared[0]) != dimensions:
        raise DataError(
            f"{path}: line {number} has {count(dimensions, 'dimension')} but the header says {declared[0]}; correct either"
        )


def _place(line: str, row: int, column: int) -> str:
    return f"{line}, frame {row + 1}, dimension {column + 1}"


def _has_target(header: Mapping[str, list[str]]) -> bool:
    return any(_says(header, key, "true") for key in ("classlabel", "targetlabel"))


def _case(parts: Sequence[str], path: Path, number: int) -> tuple[FloatArray, int]:
    """Return one case as a (T, d) array, and the number of all-missing frames at its end."""
    dimensions = []
    for part in parts:
        cells = [cell.strip() for cell in part.split(",")]
        try:
            dimensions.append([np.nan if cell in MISSING_CELLS else to_number(cell) for cell in cells])
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
    present = np.flatnonzero(~np.isnan(values).all(axis=1))
    if not present.size:
        raise DataError(f"{path}: line {number} holds no number; remove the line")
    last = int(present[-1]) + 1
    return np.ascontiguousarray(values[:last]), len(values) - last
