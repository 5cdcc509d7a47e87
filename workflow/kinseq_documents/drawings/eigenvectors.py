"""Eigenvectors over time and the segments cut from them (thesis 2011, figure C.1)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from kinseq.clustering.segmentation import segment
from kinseq.core.errors import DataError
from kinseq.core.seeds import derive_seed
from kinseq.core.sequences import SequenceSet
from kinseq.plotting import array_figures

from ..stages.distances import Distance
from ..tasks import Task
from .registry import Arrays, Drawing

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def _compute(
    seed: int, sequences: SequenceSet, tasks: Sequence[Task], distances: Iterable[Distance], task: str, **_: Any
) -> Arrays:
    """Return eigenvectors and segments of one task, with the numbers of sources and segments known.

    The random stream is that of the scored partitions.
    """
    task_distance = next((distance for distance in distances if distance.task.name == task), None)
    if task_distance is None:
        task_names = ", ".join(dict.fromkeys(entry.name for entry in tasks))
        raise DataError(f"{sequences.name}: there is no task {task!r} to draw; tasks: {task_names}")
    windows = task_distance.task
    if sequences.groups is None or windows.n_segments is None or windows.n_clusters is None:
        raise DataError(f"{sequences.name}: is no recording cut into windows; there are no segments to draw")
    stream = derive_seed(seed, "cluster", sequences.name, windows.name, task_distance.trial)
    cut = segment(task_distance.matrix, windows.n_segments, windows.n_clusters, random_state=stream)
    edges = np.concatenate([[0], np.cumsum(sequences.lengths[windows.indices])]).astype(np.int64)
    true = np.flatnonzero(np.diff(sequences.groups[windows.indices])) + 1
    first = np.concatenate([[0], cut.boundaries]).astype(np.int64)
    return {
        "embedding": cut.embedding,
        "edges": edges,
        "boundaries": edges[cut.boundaries],
        "sources": cut.sources[first],
        "true_boundaries": edges[true],
    }


def _draw(arrays: Arrays, x_label: str, n_shown: int, **_: Any) -> Figure:
    return array_figures.eigenmap(**arrays, x_label=x_label, n_shown=n_shown)


DRAWINGS = (
    Drawing(
        name="eigenvectors",
        label="eigenvectors of a recording and the segments cut from them, one task in the first trial",
        notes={"n_shown": "eigenvectors that are drawn, as in print"},
        source="thesis 2011, figure C.1",
        compute=_compute,
        draw=_draw,
        requires=("sequences", "distances"),
        shows_items=False,
        params={"task": None, "x_label": "Sample", "n_shown": 5},
    ),
)
