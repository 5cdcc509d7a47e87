"""Confusion of classes over trials, computed from partitions for figures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from kinseq.core.arrays import FloatArray
from kinseq.core.errors import DataError
from kinseq.core.sequences import SequenceSet
from kinseq.metrics.external import matched_confusion

from ..tasks import Task
from .partitions import Partition
from .tasks import tasks_of


def confusion_over_trials(
    sequences: SequenceSet, tasks: Sequence[Task], partitions: Iterable[Partition], names: Sequence[str]
) -> FloatArray:
    """Confusion matrices summed over trials, clusters matched with classes in each trial by itself, shape (C, C).

    Sequences have labels, and partitions as many clusters as there are classes, or fewer. Rows are classes in the order
    of `names`, columns the clusters matched with them.
    """
    assert sequences.labels is not None
    rank = {name: i for i, name in enumerate(names)}
    total = np.zeros((len(names), len(names)))
    for part in partitions:
        task = next(task for task in tasks_of(tasks, part.trial) if task.name == part.task)
        truth = sequences.labels[task.indices]
        unknown = sorted(set(map(str, truth)) - set(rank))
        if unknown:
            raise DataError(
                f"{sequences.name}: label {unknown[0]!r} is not among the names of the figure; add it there"
            )
        total += matched_confusion([rank[str(label)] for label in truth], part.labels)[:, : len(names)]
    return total
