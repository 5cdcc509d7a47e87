"""Benchmark sets of labelled vectors: wines, irises, breast cancer, diabetes (V 5.2). A vector is a sequence of one frame."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from kinseq.core.arrays import FloatArray, as_flag
from kinseq.core.errors import DataError, ParameterError, is_one_of, unknown_name
from kinseq.core.sequences import SequenceSet

from ..tasks import Task
from .registry import Loader, everything

SCALES = ("range", "none")


def ranged(points: FloatArray) -> FloatArray:
    """Return columns scaled linearly to [-1, 1]; a constant column becomes 0."""
    low, high = points.min(axis=0), points.max(axis=0)
    middle, half = 0.5 * low + 0.5 * high, 0.5 * high - 0.5 * low
    return np.asarray((points - middle) / np.where(half > 0.0, half, 1.0))


def as_points(points: ArrayLike, labels: Sequence[Any] | None, name: str, scale: str = "none") -> SequenceSet:
    """Return a set of sequences of one frame each, from points of shape (N, d); ``"range"`` scales columns to [-1, 1]."""
    if not is_one_of(scale, SCALES):
        raise ParameterError(f"{name}: {unknown_name('scale', scale, SCALES)}")
    values = np.asarray(points, dtype=np.float64)
    return SequenceSet(
        values=ranged(values) if scale == "range" else values,
        offsets=np.arange(len(values) + 1),
        labels=None if labels is None else np.asarray(labels),
        name=name,
    )


def _rows(path: Path, width: int, skip: int = 0) -> list[list[str]]:
    """Return rows of a comma-separated file, each of `width` fields."""
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = [row for row in csv.reader(file) if row][skip:]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise DataError(f"{path}: cannot be read as a table ({error}); fetch the file again") from error
    for number, row in enumerate(rows, start=skip + 1):
        if len(row) != width:
            raise DataError(f"{path}: line {number} has {len(row)} fields, expected {width}; fetch the file again")
    if not rows:
        raise DataError(f"{path}: has no rows; fetch the file again")
    return rows


def _numbers(rows: Sequence[Sequence[str]], path: Path) -> FloatArray:
    try:
        return np.array([[float(field) for field in row] for row in rows])
    except ValueError as error:
        raise DataError(f"{path}: holds a field that is no number ({error}); fetch the file again") from error


def _load_bundled(folder: Path, file: str, names: Sequence[str], width: int, scale: str) -> SequenceSet:
    """Return a file as scikit-learn ships it: features, then the number of the class."""
    path = folder / file
    table = _numbers(_rows(path, width, skip=1), path)
    classes = table[:, -1].astype(np.int64)
    if not np.isin(classes, np.arange(len(names))).all():
        raise DataError(f"{path}: has class numbers outside 0 to {len(names) - 1}; fetch the file again")
    return as_points(table[:, :-1], [names[c] for c in classes], path.stem, scale)


def load_wine(folder: Path, scale: str, **_: Any) -> SequenceSet:
    """178 wines of three cultivars, 13 chemical features (``wine_data.csv``)."""
    return _load_bundled(folder, "wine_data.csv", ("cultivar 1", "cultivar 2", "cultivar 3"), 14, scale)


def load_iris(folder: Path, scale: str, **_: Any) -> SequenceSet:
    """150 flowers of three species, four lengths (``iris.csv``)."""
    return _load_bundled(folder, "iris.csv", ("setosa", "versicolor", "virginica"), 5, scale)


def load_wisconsin(folder: Path, scale: str, with_id: bool, **_: Any) -> SequenceSet:
    """683 breast masses without missing values, 9 features from 1 to 10 (``breast-cancer-wisconsin.data``).

    `with_id` puts the number of the sample first as a tenth feature, by which V has 10 of them.
    """
    path = folder / "breast-cancer-wisconsin.data"
    rows = [row for row in _rows(path, 11) if "?" not in row]
    table = _numbers(rows, path)
    classes = {2: "benign", 4: "malignant"}
    if not np.isin(table[:, -1], list(classes)).all():
        raise DataError(f"{path}: has classes other than 2 and 4; fetch the file again")
    first = 0 if as_flag(with_id, "wisconsin: with_id") else 1
    return as_points(table[:, first:-1], [classes[int(c)] for c in table[:, -1]], "wisconsin", scale)


def load_pima(folder: Path, scale: str, **_: Any) -> SequenceSet:
    """768 women, 8 physiological features, with or without diabetes (``pima-indians-diabetes.data.csv``).

    Zeros that stand for missing values are taken as they are, as V does.
    """
    path = folder / "pima-indians-diabetes.data.csv"
    table = _numbers(_rows(path, 9), path)
    if not np.isin(table[:, -1], (0, 1)).all():
        raise DataError(f"{path}: has classes other than 0 and 1; fetch the file again")
    return as_points(table[:, :-1], ["diabetes" if c else "none" for c in table[:, -1]], "pima", scale)


def tasks(sequences: SequenceSet, seed: int, known: bool, **_: Any) -> list[Task]:
    """Return all vectors, with as many clusters as classes, or with the number left open."""
    whole = everything(sequences)
    return [whole if as_flag(known, f"{sequences.name}: known") else Task(whole.name, whole.indices, None)]


LOADERS = (
    Loader(
        name="wine",
        label="178 wines of three cultivars, a vector of 13 features each, a sequence of one frame",
        notes={"scale": "features to [-1, 1]; or `none`", "known": "false: the number of clusters is left open"},
        function=load_wine,
        params={"scale": "range", "known": True},
        tasks=tasks,
        draws=False,
    ),
    Loader(
        name="iris",
        label="150 flowers of three species, 4 features",
        function=load_iris,
        params={"scale": "range", "known": True},
        tasks=tasks,
        draws=False,
    ),
    Loader(
        name="wisconsin",
        label="breast cancer, rows without missing values",
        notes={"with_id": "true: the number of the sample is a feature"},
        function=load_wisconsin,
        params={"scale": "range", "with_id": False, "known": True},
        tasks=tasks,
        draws=False,
    ),
    Loader(
        name="pima",
        label="768 women with and without diabetes, 8 features",
        function=load_pima,
        params={"scale": "range", "known": True},
        tasks=tasks,
        draws=False,
    ),
)
