"""Second stage of a multiverse: one pass over the widths of a kernel for every matrix.

The first stage (:mod:`kinseq_documents.stages.multiverse_matrices`) is expensive and kept: models, likelihoods and one
matrix for each measure, for each level of the axes that enter them. This one uses every matrix once at each width: it
keeps the two eigenvalues in addition to the
eigengap, and at the widths that some rule picks, for each embedding, the errors and the distortion of k-means. Every
combination of levels is then a lookup (:mod:`kinseq_documents.evaluation.multiverse`).
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from kinseq.clustering.graph import spectral_embedding
from kinseq.clustering.segmentation import k_segmentation
from kinseq.core.arrays import FloatArray, IntArray
from kinseq.core.errors import DataError
from kinseq.core.graphs.kmeans import kmeans
from kinseq.core.graphs.laplacian import Graph, cut_eigenvalues
from kinseq.core.progress import Progress
from kinseq.core.seeds import derive_seed
from kinseq.core.sequences import SequenceSet
from kinseq.metrics import clustering_error

from ..evaluation.axes import Axes, picked
from ..evaluation.passes import METRICS, NOTHING, Pass
from ..tasks import Task
from .distances import Distance
from .partitions import Partition
from .tasks import tasks_of


def pass_over(
    matrices: Iterable[Distance],
    sequences: SequenceSet,
    axes: Axes,
    seed: int,
    tasks: Iterable[Task] = (),
    of_items: Iterable[Partition] = (),
) -> Pass:
    """Return eigenvalues at all widths that a rule uses; errors and distortions at those that one picks.

    Partitions of the items of some `tasks` have the same error under all of these.
    """
    every = list(matrices)
    progress = Progress(f"widths on {sequences.name}", len(every), unit="matrix")
    names: list[tuple[str, str, int, str, str]] = []
    eigenvalues: list[FloatArray] = []
    values: list[FloatArray] = []
    distortions: list[FloatArray] = []
    for distance in every:
        task = distance.task
        x = "" if np.isnan(task.x) else f"{task.x:g}"
        names.append((distance.measure, distance.model, distance.trial, task.name, x))
        stream = derive_seed(seed, "cluster", sequences.name, task.name, distance.trial)
        some = _of_matrix(distance.matrix, _classes(sequences, task), _segments_of(sequences, task), task, axes, stream)
        for parts, part in zip((eigenvalues, values, distortions), some, strict=True):
            parts.append(part)
        progress.step()
    every_task = list(tasks)
    for clustered in of_items:
        task = next(task for task in tasks_of(every_task, clustered.trial) if task.name == clustered.task)
        names.append(
            (clustered.clusterer, NOTHING, clustered.trial, clustered.task, "" if np.isnan(task.x) else f"{task.x:g}")
        )
        shape = len(axes.graphs), len(axes.widths), len(axes.embeddings)
        eigenvalues.append(np.zeros((*shape[:2], 2)))
        values.append(np.full((*shape, len(METRICS)), np.nan))
        values[-1][..., METRICS.index("error")] = clustering_error(_classes(sequences, task), clustered.labels)
        distortions.append(np.zeros(shape))
    if not names:
        raise DataError(f"{sequences.name}: no measure of the experiment is computed on it")
    found = np.array(eigenvalues), np.array(values), np.array(distortions)
    return Pass(names, list(axes.graphs), list(axes.embeddings), *found)


def _classes(sequences: SequenceSet, task: Task) -> IntArray:
    if sequences.labels is None:
        raise DataError(f"{sequences.name}: has no classes; errors need them")
    return np.unique(np.asarray(sequences.labels)[task.indices], return_inverse=True)[1]


def _of_matrix(
    distance: FloatArray, classes: IntArray, segments: IntArray | None, task: Task, axes: Axes, stream: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Eigenvalues, values and distortions of one matrix; the streams are those of the clusterers."""
    graphs, embeddings, widths = axes.graphs, axes.embeddings, axes.widths
    if task.n_clusters is None:
        raise DataError(f"task {task.name!r}: has no number of clusters; readings are compared with it given")
    k, m = task.n_clusters, len(widths)
    eigenvalues = np.full((len(graphs), m, 2), np.nan)
    values = np.full((len(graphs), m, len(embeddings), len(METRICS)), np.nan)
    distortions = np.full((len(graphs), m, len(embeddings)), np.nan)
    hollow = distance.copy()
    np.fill_diagonal(hollow, 0.0)
    for g, params in enumerate(graphs.values()):
        given = distance if params["diagonal"] == "own" else hollow
        graph = Graph(np.abs(given), params["diagonal"], params["kernel"])
        for w in axes.examined:
            matrix = graph.normalised(widths[w] * graph.unit)
            eigenvalues[g, w] = cut_eigenvalues(matrix, k) if k < len(matrix) else (0.0, 0.0)
        picks = {picked(rule, eigenvalues[g], widths) for rule in axes.rules.values()}
        for w in sorted(pick for pick in picks if pick is not None):
            for e, how in enumerate(embeddings.values()):
                points = spectral_embedding(given, k, widths[w] * graph.unit, embedding=how["embedding"], **params)
                labels, distortions[g, w, e] = kmeans(points, k, derive_seed(stream, "spectral"), starts=how["starts"])
                values[g, w, e, 0] = clustering_error(classes, labels)
                if segments is not None and task.n_segments is not None:
                    boundaries, _ = k_segmentation(points, task.n_segments)
                    values[g, w, e, 1] = clustering_error(segments, _numbered(boundaries, len(points)))
    return eigenvalues, values, distortions


def _segments_of(sequences: SequenceSet, task: Task) -> IntArray | None:
    """True segment of each window, of a task that has segments."""
    if task.n_segments is None or sequences.groups is None:
        return None
    return np.unique(np.asarray(sequences.groups)[task.indices], return_inverse=True)[1]


def _numbered(boundaries: IntArray, n: int) -> IntArray:
    starts = np.zeros(n, dtype=np.int64)
    starts[boundaries] = 1
    return np.cumsum(starts)
