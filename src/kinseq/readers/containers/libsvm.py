"""LIBSVM: a vector a line, with its class and the numbers of its entries."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from ...core.errors import DataError
from ...core.wording import count
from ..npy import stacked
from ..reading import Reading
from ..table import Table, selected
from ..text import beginning_of, decode, read_bytes
from .container import Container

_LINE = re.compile(r"(\S+?)(;\S+)?((\s+\d+:[^\s:]+)+)\s*")
_START = re.compile(rb"[^\s:#]+(\s+\d+:[-+.\deE]+){2}")


def begins(path: Path) -> bool:
    """Return whether a file begins with a class and numbered entries."""
    return _START.match(beginning_of(path)) is not None


def read_libsvm(path: Path, how: Reading) -> Table:
    """Return the vectors of a file as series of one feature, with their classes as labels.

    Entries that are not given are 0.

    Raises
    ------
    DataError
        If a line is none of this form.
    """
    vectors: list[dict[int, float]] = []
    classes: list[str] = []
    for number, line in enumerate(decode(read_bytes(path), path)[0].splitlines(), start=1):
        text = line.partition("#")[0]
        if not text.strip():
            continue
        match = _LINE.fullmatch(text)
        try:
            entries = [] if match is None else [cell.split(":") for cell in match[3].split()]
            vectors.append({int(place): float(value) for place, value in entries})
        except ValueError:
            match = None
        if match is None:
            raise DataError(
                f"{path}: line {number} is no class followed by entries such as 1:0.5; correct it or remove it"
            )
        classes.append(match[1].removeprefix("+"))
    first = min(min(vector) for vector in vectors)
    values = np.zeros((len(vectors), max(max(vector) for vector in vectors) - first + 1))
    for row, vector in zip(values, vectors, strict=True):
        row[np.array(list(vector)) - first] = list(vector.values())
    width = len(str(len(vectors)))
    ids = [f"{i + 1:0{width}d}" for i in range(len(vectors))]
    table = stacked(list(values[:, :, None]), ids, ("value",), path)
    table.label = np.repeat(np.array(classes, dtype=np.str_), values.shape[1])
    table.said = (
        f"{CONTAINER.name}: read {count(len(vectors), 'vector')} as series of one feature, with their classes as labels"
    )
    return selected(table, how, path)


CONTAINER = Container(
    "LIBSVM",
    (".libsvm", ".svm", ".svmlight"),
    read_libsvm,
    begins,
    shared=(".dat", ".txt", ".data", ".train", ".test", ""),
)
