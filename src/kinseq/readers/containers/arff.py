"""ARFF files: one row per series, or a relational attribute with one line per channel, as in the UEA archive."""

from __future__ import annotations

import csv
import re
from dataclasses import replace
from pathlib import Path

import numpy as np

from ...core.arrays import FloatArray
from ...core.errors import DataError
from ...core.wording import count
from ..npy import stacked
from ..reading import Reading
from ..table import Table, selected
from ..text import MISSING_CELLS, decode, read_bytes, to_number
from .container import Container

_ATTRIBUTE = re.compile(r"@attribute\s+('[^']*'|\"[^\"]*\"|\S+)\s+(.+)", re.IGNORECASE)


def read_arff(path: Path, how: Reading) -> Table:
    """Return the sequences of an ARFF file, with the nominal attribute as labels.

    Raises
    ------
    DataError
        If there is no @data, a line does not have the attributes, or a cell is no number.
    """
    text, _ = decode(read_bytes(path), path)
    lines = text.splitlines()
    begin = next((i for i, line in enumerate(lines) if line.strip().lower() == "@data"), None)
    if begin is None:
        raise DataError(f"{path}: has no line @data; add it between the attributes and the cases")
    relational, kinds, inside = False, [], False
    for line in lines[:begin]:
        if line.strip().lower().startswith("@end"):
            inside = False
        elif (match := _ATTRIBUTE.match(line.strip())) and not inside:
            kind = match[2].strip()
            inside = kind.lower() == "relational"
            relational = relational or inside
            kinds.append(
                "relational" if inside else "nominal" if kind.startswith("{") or kind.lower() == "string" else "number"
            )
    nominal = [j for j, kind in enumerate(kinds) if kind == "nominal"]
    if len(nominal) > 1 or not kinds:
        raise DataError(f"{path}: has {count(len(nominal), 'nominal attribute')} of {len(kinds)}; keep one, the class")
    sequences: list[FloatArray] = []
    labels: list[str] = []
    for number, line in enumerate(lines[begin + 1 :], start=begin + 2):
        if not line.strip() or line.lstrip().startswith("%"):
            continue
        row = [cell.strip() for cell in next(csv.reader([line.strip()], quotechar=_quote(line), skipinitialspace=True))]
        if len(row) != len(kinds):
            raise DataError(
                f"{path}: line {number} has {count(len(row), 'value')} for {len(kinds)} attributes; correct it"
            )
        labels += [row[j].strip("'\"") for j in nominal]
        cells = [cell for j, cell in enumerate(row) if j not in nominal]
        channels = re.split(r"\\n|\n", cells[0]) if relational else [",".join(cells)]
        sequences.append(_numbers(channels, path, number))
    if not sequences:
        raise DataError(f"{path}: holds no case below @data; write it again")
    if len({values.shape[1] for values in sequences}) > 1:
        raise DataError(f"{path}: its cases differ in the number of channels; give all the same")
    width = len(str(len(sequences)))
    ids = [f"{i + 1:0{width}d}" for i in range(len(sequences))]
    table = stacked(sequences, ids, tuple(str(j + 1) for j in range(sequences[0].shape[1])), path)
    if labels and how.labels is not None:
        of = dict(zip(ids, labels, strict=True))
        assert table.id is not None
        table.label = np.array([of[entry] for entry in table.id.tolist()], dtype=np.str_)
    said = f"{CONTAINER.name}: read {count(len(sequences), 'case')} of {count(len(table.columns), 'channel')}"
    return selected(replace(table, said=said + ", the nominal attribute as labels" * bool(labels)), how, path)


def _quote(line: str) -> str:
    return '"' if '"' in line and "'" not in line else "'"


def _numbers(channels: list[str], path: Path, line: int) -> FloatArray:
    """Return the channels of a case, shape (frames, channels)."""
    try:
        rows = [
            [np.nan if cell.strip() in MISSING_CELLS else to_number(cell.strip()) for cell in channel.split(",")]
            for channel in channels
        ]
    except ValueError as error:
        raise DataError(f"{path}: line {line}: {error}; correct the cell") from error
    if len({len(row) for row in rows}) > 1:
        raise DataError(f"{path}: line {line} has channels of different lengths; give all of a case the same")
    return np.ascontiguousarray(np.array(rows, dtype=np.float64).T)


CONTAINER = Container("ARFF", (".arff",), read_arff)
