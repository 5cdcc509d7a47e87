"""Sixth stage: one tidy table of scores for an experiment."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ..errors import DataError
from ..evaluation import clustering as metrics
from ..seeds import derive_seed
from ..sequences import SequenceSet, Task
from .partitions import Partition
from .sequences import tasks_of

COLUMNS = ["experiment", "dataset", "task", "trial", "model", "measure", "clusterer", "metric", "value", "seed", "x"]
METRICS = {"error": metrics.clustering_error, "ari": metrics.ari, "nmi": metrics.nmi}
CONTROLS = ("true_labels", "random_labels")


def _row(dataset: str, task: Task, trial: int, **rest: Any) -> dict[str, Any]:
    return {"dataset": dataset, "task": task.name, "trial": trial, "x": task.x, **rest}


def score_partitions(
    sequences: SequenceSet, tasks: Sequence[Task], measure: str, found: Iterable[Partition]
) -> list[dict[str, Any]]:
    """Rows for the partitions of one measure: every metric, and every finding of the measure that is a number.

    Parameters
    ----------
    sequences : SequenceSet
        With labels.
    tasks : sequence of Task
    measure : str
        Identifier of the measure's entry.
    found : iterable of Partition

    Returns
    -------
    list of dict
        Without the columns ``experiment`` and ``seed``.
    """
    assert sequences.labels is not None
    rows: list[dict[str, Any]] = []
    for part in found:
        task = next(task for task in tasks_of(tasks, part.trial) if task.name == part.task)
        truth = sequences.labels[task.indices]
        given = {"model": part.model, "measure": measure, "clusterer": part.clusterer}
        if part.segments:
            values = {"segmentation_error": _segmentation_error(sequences, task, part)}
        else:
            values = {name: metric(truth, part.labels) for name, metric in METRICS.items()}
        values |= {name: value for name, value in part.findings.items() if isinstance(value, (int, float))}
        for metric, value in values.items():
            rows.append(_row(sequences.name, task, part.trial, metric=metric, value=float(value), **given))
    return rows


def _segmentation_error(sequences: SequenceSet, task: Task, part: Partition) -> float:
    """Percentage of windows in a wrong segment, segments matched one to one in the best way (thesis 2011, C.3)."""
    if sequences.groups is None or task.n_segments is None:
        raise DataError(
            f"{sequences.name}: task {task.name!r} has no segments for clusterer {part.clusterer!r} to be scored by;"
            " use it on recordings that were cut into windows"
        )
    return metrics.clustering_error(sequences.groups[task.indices], part.labels)


def score_controls(
    sequences: SequenceSet, tasks: Sequence[Task], trials: Sequence[int], seed: int
) -> list[dict[str, Any]]:
    """Rows for the two controls: the true labels must score 0 % error, random labels chance."""
    assert sequences.labels is not None
    rows: list[dict[str, Any]] = []
    for trial in trials:
        for task in tasks_of(tasks, trial):
            truth = sequences.labels[task.indices]
            stream = derive_seed(seed, "control", sequences.name, task.name, trial)
            guesses = {
                "true_labels": metrics.true_labels(truth),
                "random_labels": metrics.random_labels(truth, task.n_clusters, seed=stream),
            }
            for measure, labels in guesses.items():
                given = {"model": "none", "measure": measure, "clusterer": "control"}
                for name, metric in METRICS.items():
                    value = float(metric(truth, labels))
                    rows.append(_row(sequences.name, task, trial, metric=name, value=value, **given))
    return rows


def table(experiment: str, rows: Sequence[dict[str, Any]], seed: int) -> pd.DataFrame:
    """The tidy table of an experiment, sorted so that it does not depend on how the work was cut into jobs."""
    frame = pd.DataFrame(rows, columns=[c for c in COLUMNS if c not in ("experiment", "seed")])
    frame.insert(0, "experiment", experiment)
    frame["seed"] = np.full(len(frame), seed, dtype=np.int64)
    keys = ["dataset", "x", "task", "model", "measure", "clusterer", "metric", "trial"]
    return frame[COLUMNS].sort_values(keys, kind="stable", ignore_index=True).drop_duplicates()
