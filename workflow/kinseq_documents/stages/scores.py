"""Sixth stage: one tidy table of scores for an experiment.

Scores hold only numbers that repeat. Which metrics are computed, the experiment says; each is found in the registry of
:mod:`kinseq.metrics.registry`, so that a new metric changes nothing here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from kinseq.core.arrays import FloatArray
from kinseq.core.errors import DataError
from kinseq.core.seeds import derive_seed, stream
from kinseq.core.tokens import Items, TokenSet
from kinseq.metrics import registry
from kinseq.metrics.external import random_labels, true_labels

from ..batches import base_of
from ..evaluation.summary import SCORE_COLUMNS
from ..tasks import Task
from .distances import Distance
from .partitions import Partition
from .tasks import tasks_of

NO_CLUSTERER = "none"
NO_MODEL = "none"

CONTROLS = ("true_labels", "random_labels", "random_distances", "bayes_error")
"""Names of the controls: those that must score perfectly, those that must score at chance level as a partition or as a
matrix, and the error of a classifier that knows how the data were made."""


def _row(dataset: str, task: Task, trial: int, **rest: Any) -> dict[str, Any]:
    return {"dataset": dataset, "task": task.name, "trial": trial, "x": task.x, **rest}


def _task(tasks: Sequence[Task], trial: int, name: str) -> Task:
    return next(task for task in tasks_of(tasks, trial) if task.name == name)


def _classes(sequences: Items, task: Task) -> NDArray[Any]:
    if sequences.labels is None and isinstance(sequences, TokenSet) and sequences.neighbours is not None:
        return sequences.subset(task.indices).are_neighbours()
    if sequences.labels is None:
        raise DataError(f"{sequences.name}: has no labels, so that nothing can be scored; give one of each sequence")
    return np.asarray(sequences.labels[task.indices])


def _of_matrix(
    metrics: Iterable[str], sequences: Items, task: Task, truth: NDArray[Any], matrix: FloatArray
) -> dict[str, float]:
    """Return values of the metrics that judge a matrix, and of those that distinguish groups if there are any."""
    values = _values(metrics, "matrix", truth, matrix)
    if truth.ndim == 1 and sequences.groups is not None:
        values |= _values(metrics, "grouped_matrix", (truth, sequences.groups[task.indices]), matrix)
    return values


def _values(metrics: Iterable[str], judges: str, truth: Any, result: Any) -> dict[str, float]:
    """Return values of those metrics that judge one kind of result."""
    values = {}
    for name in registry.judged_by(metrics, judges):
        values[name] = float(registry.function(name)(truth, result))
        if not np.isfinite(values[name]):
            raise DataError(f"metric {name!r}: is {values[name]}, which is not a finite number; mend its function")
    return values


def _numbers(findings: Mapping[str, Any]) -> dict[str, float]:
    """Findings of a measure that are numbers."""
    return {name: float(value) for name, value in findings.items() if isinstance(value, (int, float))}


def scores_of_partitions(
    sequences: Items,
    tasks: Sequence[Task],
    results: Iterable[Partition],
    metrics: Sequence[str] | None = None,
) -> list[dict[str, Any]]:
    """Return rows for partitions: every metric, and every finding of the measure that is a number.

    Sequences have labels. Of `metrics`, or the default ones, those that judge a partition are computed for partitions,
    those that judge a segmentation for segmentations. The columns ``experiment`` and ``seed`` are not there yet.
    """
    metric_names = registry.defaults() if metrics is None else metrics
    rows: list[dict[str, Any]] = []
    for part in results:
        task = _task(tasks, part.trial, part.task)
        fields = {"model": part.model, "measure": part.measure, "clusterer": part.clusterer}
        if part.segments:
            values = _values(metric_names, "segmentation", _segments(sequences, task, part), part.labels)
        else:
            values = _values(metric_names, "partition", _classes(sequences, task), part.labels)
        for name, value in (values | _numbers(part.findings)).items():
            rows.append(_row(sequences.name, task, part.trial, metric=name, value=value, **fields))
    return rows


def shown_under(rows: Iterable[dict[str, Any]], readings: Iterable[Mapping[str, Any]] = ()) -> list[dict[str, Any]]:
    """Return rows of a job, once for each reading that shows them, under the names that the experiment gives.

    `readings` are mappings with ``reading`` and the names of its ``clusterers``, none where the job is not taken under any; rows of
    matrices are shown by all. Without readings the column ``reading`` is empty.
    """
    shown: list[tuple[str, set[str] | None]] = [
        (one["reading"], {*one["clusterers"], NO_CLUSTERER}) for one in readings
    ] or [("", None)]
    return [
        row | {key: base_of(row[key]) for key in ("model", "measure", "clusterer")} | {"reading": reading}
        for row in rows
        for reading, clusterers in shown
        if clusterers is None or row["clusterer"] in clusterers
    ]


def _segments(sequences: Items, task: Task, part: Partition) -> NDArray[Any]:
    """True segment of each window; segments are matched one to one in the best way (thesis 2011, C.3)."""
    if sequences.groups is None or task.n_segments is None:
        raise DataError(
            f"{sequences.name}: task {task.name!r} has no segments for clusterer {part.clusterer!r} to be scored by;"
            " use it on recordings that were cut into windows"
        )
    return np.asarray(sequences.groups[task.indices])


def scores_of_matrices(
    sequences: Items,
    tasks: Sequence[Task],
    matrices: Iterable[Distance],
    metrics: Sequence[str] | None = None,
) -> list[dict[str, Any]]:
    """Return rows for matrices, which nothing clusters: the clusterer is ``none``.

    Of `metrics`, or the default ones, those that judge a matrix, and every finding of the measure that is a number.
    Sequences have labels. The columns ``experiment`` and ``seed`` are not there yet.
    """
    metric_names = registry.defaults() if metrics is None else metrics
    rows: list[dict[str, Any]] = []
    for distance in matrices:
        task = _task(tasks, distance.trial, distance.task.name)
        truth = _classes(sequences, task)
        values = _of_matrix(metric_names, sequences, task, truth, distance.matrix) | _numbers(distance.findings)
        fields = {"model": distance.model, "measure": distance.measure, "clusterer": NO_CLUSTERER}
        for name, value in values.items():
            rows.append(_row(sequences.name, task, distance.trial, metric=name, value=value, **fields))
    return rows


def scores_of_estimates(
    problem: str,
    estimator: str,
    trial: int,
    estimates: ArrayLike,
    truth: ArrayLike,
    metrics: Sequence[str] | None = None,
    x: float | None = None,
    task: str = "all",
) -> list[dict[str, Any]]:
    """Return rows for the estimates of one trial; the problem stands for the data set and the estimator for the measure.

    Estimates and truth are scalars or of shape (R,). Of `metrics`, or the default ones, those that judge an estimate
    are computed. `x` is the position on the axis, for example the sample size; `task` is what else tells rows of one
    problem apart. The columns ``experiment`` and ``seed`` are not there yet; model and clusterer are ``none``.
    """
    metric_names = registry.defaults() if metrics is None else metrics
    fields = {"dataset": problem, "task": task, "trial": trial, "x": x}
    fields |= {"model": NO_MODEL, "measure": estimator, "clusterer": NO_CLUSTERER}
    judging_metrics = registry.judged_by(metric_names, "estimate")
    return [
        fields | {"metric": name, "value": float(registry.function(name)(estimates, truth))} for name in judging_metrics
    ]


def scores_of_controls(
    sequences: Items,
    tasks: Sequence[Task],
    trials: Sequence[int],
    seed: int,
    metrics: Sequence[str] | None = None,
) -> list[dict[str, Any]]:
    """Return rows for the controls: the true labels must score perfectly, random labels and distances chance.

    Metrics of a partition judge the true labels and random ones; metrics of a matrix judge 0 within and 1 across the
    true classes, and distances drawn independently. What a task knows to be attained by whoever knows how the data were made
    (the Bayes error) stands next to the metric that says so.
    """
    metric_names = registry.defaults(("partition",)) if metrics is None else metrics
    rows: list[dict[str, Any]] = []
    # True labels of a task shared by all trials score the same in each.
    perfect: dict[str, dict[str, float]] = {}
    for trial in trials:
        for task in tasks_of(tasks, trial):
            truth = _classes(sequences, task)
            values: dict[str, dict[str, float]] = {}
            if registry.judged_by(metric_names, "partition") and truth.ndim == 1:
                stream_seed = derive_seed(seed, "control", sequences.name, task.name, trial)
                clusters = task.n_clusters or len(np.unique(truth))
                guesses = random_labels(truth, clusters, random_state=stream_seed)
                values["true_labels"] = _values(metric_names, "partition", truth, true_labels(truth))
                values["random_labels"] = _values(metric_names, "partition", truth, guesses)
            for name in metric_names:
                control = registry.describe(name).attained
                if control and getattr(task, control) is not None:
                    values.setdefault(control, {})[name] = float(getattr(task, control))
            if registry.judged_by(metric_names, "matrix"):
                rng = stream(seed, "control distances", sequences.name, task.name, trial)
                if task.trial is not None or task.name not in perfect:
                    perfect[task.name] = _of_matrix(metric_names, sequences, task, truth, _true_distances(truth))
                values["true_labels"] = values.get("true_labels", {}) | perfect[task.name]
                by_chance = _random_distances(rng, len(truth))
                values["random_distances"] = _of_matrix(metric_names, sequences, task, truth, by_chance)
            for measure, scores in values.items():
                fields = {"model": NO_MODEL, "measure": measure, "clusterer": "control"}
                for name, value in scores.items():
                    rows.append(_row(sequences.name, task, trial, metric=name, value=value, **fields))
    return rows


def _true_distances(truth: NDArray[Any]) -> FloatArray:
    """0 between items of one class, or where one is to be retrieved for the other; 1 elsewhere."""
    related = truth[:, None] == truth if truth.ndim == 1 else truth | truth.T
    return np.where(related | np.eye(len(truth), dtype=bool), 0.0, 1.0)


def _random_distances(draw: np.random.Generator, n: int) -> FloatArray:
    """Symmetric matrix of independent uniform numbers with a zero diagonal."""
    upper = np.triu(draw.random((n, n)), k=1)
    return np.asarray(upper + upper.T)


def table(experiment: str, rows: Sequence[dict[str, Any]], seed: int) -> pd.DataFrame:
    """Return the tidy table of an experiment, sorted so that it does not depend on how the work was cut into jobs."""
    frame = pd.DataFrame(rows, columns=[c for c in SCORE_COLUMNS if c not in ("experiment", "seed")])
    frame.insert(0, "experiment", experiment)
    # Rows without a reading, such as controls and estimates, belong to all.
    frame["reading"] = frame["reading"].fillna("")
    frame["seed"] = np.full(len(frame), seed, dtype=np.int64)
    keys = ["dataset", "x", "task", "model", "measure", "clusterer", "reading", "metric", "trial"]
    return frame[list(SCORE_COLUMNS)].sort_values(keys, kind="stable", ignore_index=True).drop_duplicates()
