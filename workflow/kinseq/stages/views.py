"""What diagrams show: the confusion over trials, the eigenvectors and segments of one task."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ..arrays import FloatArray, IntArray
from ..clustering.segmentation import segment
from ..errors import DataError
from ..evaluation.clustering import matched_confusion
from ..seeds import derive_seed
from ..sequences import SequenceSet, Task
from .distances import Distance
from .partitions import Partition
from .tasks import tasks_of


def confusion_over_trials(
    sequences: SequenceSet, tasks: Sequence[Task], found: Iterable[Partition], names: Sequence[str]
) -> FloatArray:
    """Confusion matrices summed over trials, clusters matched with classes in each trial by itself.

    Parameters
    ----------
    sequences : SequenceSet
        With labels.
    tasks : sequence of Task
    found : iterable of Partition
        As many clusters as there are classes, or fewer.
    names : sequence of str
        Labels in the order wanted.

    Returns
    -------
    ndarray, shape (C, C)
        Rows are classes in that order, columns the clusters matched with them.
    """
    assert sequences.labels is not None
    rank = {name: i for i, name in enumerate(names)}
    total = np.zeros((len(names), len(names)))
    for part in found:
        task = next(task for task in tasks_of(tasks, part.trial) if task.name == part.task)
        truth = sequences.labels[task.indices]
        unknown = sorted(set(map(str, truth)) - set(rank))
        if unknown:
            raise DataError(
                f"{sequences.name}: label {unknown[0]!r} is not among the names of the figure; add it there"
            )
        total += matched_confusion([rank[str(label)] for label in truth], part.labels)[:, : len(names)]
    return total


@dataclass(frozen=True)
class Eigenmap:
    """Arguments of :func:`kinseq.render.diagrams.eigenmap`."""

    embedding: FloatArray
    edges: IntArray
    boundaries: IntArray
    sources: IntArray
    true_boundaries: IntArray


def eigenmap(sequences: SequenceSet, found: Iterable[Distance], task: str, dataset: str, seed: int) -> Eigenmap:
    """Eigenvectors and segments of one task, with the numbers of sources and segments known.

    Parameters
    ----------
    sequences : SequenceSet
        Windows of recordings, groups the true segments.
    found : iterable of Distance
        One of them of the task.
    task : str
        Its name.
    dataset : str
        Name of the data set; names the random stream, as for the scored partitions.
    seed : int
        Root seed.
    """
    for distance in found:
        if distance.task.name == task:
            break
    else:
        raise DataError(f"{sequences.name}: there is no task {task!r} to draw; see the windows of the data set")
    if sequences.groups is None:
        raise DataError(f"{sequences.name}: is no recording cut into windows; there are no segments to draw")
    windows = distance.task
    stream = derive_seed(seed, "cluster", dataset, windows.name, distance.trial)
    cut = segment(distance.matrix, windows.n_segments, windows.n_clusters, seed=stream)
    edges = np.concatenate([[0], np.cumsum(sequences.lengths[windows.indices])]).astype(np.int64)
    true = np.flatnonzero(np.diff(sequences.groups[windows.indices])) + 1
    first = np.concatenate([[0], cut.boundaries]).astype(np.int64)
    return Eigenmap(cut.embedding, edges, edges[cut.boundaries], cut.sources[first], edges[true])
