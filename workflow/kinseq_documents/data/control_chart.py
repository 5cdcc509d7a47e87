"""Synthetic control charts: six classes of univariate series of 60 samples (T App. D.4; Alcock and Manolopoulos, 1999).

Two sources: the file of the UCI archive, and fresh draws from the process that the file was made with. With m = 30,
noise uniform in (-6, 6) and t = 0 .. 59, a chart is ``m + noise`` plus, by class, nothing; a sine of amplitude and
period in (10, 15); a slope of +-(0.2, 0.5) a sample; a step of +-(7.5, 20) at a sample in the middle third.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from kinseq.core.arrays import FloatArray, as_count
from kinseq.core.errors import DataError, ParameterError
from kinseq.core.seeds import stream
from kinseq.core.sequences import SequenceSet

from ..tasks import Task
from .registry import Loader, everything

CLASSES = ("normal", "cyclic", "increasing", "decreasing", "upward", "downward")
"""Classes in the order of the file and of the documents."""

PER_CLASS = 100
LENGTH = 60
LEVEL = 30.0
NOISE = 6.0


def _as_set(charts: FloatArray, per_class: int, name: str) -> SequenceSet:
    labels = np.repeat(np.array(CLASSES), per_class)
    ids = [f"{label}{i:03d}" for label in CLASSES for i in range(per_class)]
    return SequenceSet.from_arrays([chart[:, None] for chart in charts], labels=labels, ids=ids, name=name)


def load(folder: Path, per_class: int) -> SequenceSet:
    """Read ``synthetic_control.data``: 600 rows of 60 numbers, 100 rows a class.

    `per_class` takes the first so many charts of each class, 1 to 100. Labels are the names in :data:`CLASSES`.
    """
    count = as_count(per_class, "control_chart: per_class")
    if count > PER_CLASS:
        raise ParameterError(f"control_chart: per_class is {count}, there are {PER_CLASS} charts of each class")
    path = folder / "synthetic_control.data"
    try:
        charts = np.loadtxt(path, dtype=np.float64, ndmin=2)
    except (OSError, ValueError) as error:
        raise DataError(f"{path}: cannot be read as numbers ({error}); fetch the file again") from error
    if charts.shape != (PER_CLASS * len(CLASSES), LENGTH):
        raise DataError(
            f"{path}: has {charts.shape[0]} rows of {charts.shape[1]} numbers, expected 600 of 60; fetch the file again"
        )
    first = charts.reshape(len(CLASSES), PER_CLASS, LENGTH)[:, :count].reshape(-1, LENGTH)
    return _as_set(first, count, "control_chart")


def draw(label: str, count: int, rng: np.random.Generator) -> FloatArray:
    """Draw charts of one of :data:`CLASSES`, shape (count, 60).

    Alcock and Manolopoulos (1999), as described with the UCI data.
    """
    if label not in CLASSES:
        raise ParameterError(f"control_chart: class is {label!r}, expected one of {', '.join(CLASSES)}")
    t = np.arange(LENGTH, dtype=np.float64)
    charts = LEVEL + rng.uniform(-NOISE, NOISE, size=(count, LENGTH))
    if label == "cyclic":
        amplitude, period = rng.uniform(10, 15, size=(2, count, 1))
        charts += amplitude * np.sin(2 * np.pi * t / period)
    elif label in ("increasing", "decreasing"):
        charts += np.where(label == "increasing", 1, -1) * rng.uniform(0.2, 0.5, size=(count, 1)) * t
    elif label in ("upward", "downward"):
        height = rng.uniform(7.5, 20, size=(count, 1))
        when = rng.uniform(LENGTH / 3, 2 * LENGTH / 3, size=(count, 1))
        charts += np.where(label == "upward", 1, -1) * height * (t >= when)
    return np.asarray(charts)


def generate(seed: int, per_class: int) -> tuple[SequenceSet, list[Task]]:
    """Draw one replicate from the generating process; the first charts of a larger replicate are those of a smaller one."""
    count = as_count(per_class, "control_chart_process: per_class")
    charts = np.concatenate(
        [draw(label, 1, stream(seed, "control chart", label, i)) for label in CLASSES for i in range(count)]
    )
    sequences = _as_set(charts, count, "control_chart_process")
    return sequences, [everything(sequences)]


LOADERS = (
    Loader(
        name="control_chart",
        label="the UCI control charts",
        notes={"per_class": "the first so many"},
        function=load,
        params={"per_class": 100},
    ),
    Loader(
        name="control_chart_process",
        label="the same classes drawn from the process that made them, anew in every trial",
        function=generate,
        kind="generated",
        params={"per_class": 100},
    ),
)
