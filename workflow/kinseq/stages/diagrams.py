"""What figures need that are not drawn from scores: confusion over trials, eigenvectors of one trial, costs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from time import process_time
from typing import Any

import numpy as np
import pandas as pd

from ..arrays import FloatArray, IntArray
from ..clustering.segmentation import segment
from ..data.mohmm import mixture
from ..errors import DataError
from ..evaluation.clustering import matched_confusion
from ..measures import ppk, ssd
from ..models.hmm import fit_bank, fit_global, induced_transitions
from ..progress import Progress
from ..seeds import derive_seed
from ..sequences import SequenceSet, Task
from .distances import Distance
from .partitions import Partition
from .sequences import tasks_of

# The same work for every size of data: as many iterations, whether or not EM would stop earlier.
EM: dict[str, Any] = {"n_init": 1, "max_iter": 10, "tol": -float("inf")}
MEAN_LENGTH = 100


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


def _ssd(sequences: SequenceSet) -> Any:
    return ssd.features(induced_transitions(fit_global(sequences, 4, **EM), sequences))


def _ssd_matrix(sequences: SequenceSet) -> Any:
    return ssd.ssd(induced_transitions(fit_global(sequences, 4, **EM), sequences))


def _loglik(sequences: SequenceSet) -> Any:
    return fit_bank(sequences, 2, **EM).log_likelihood(sequences)


def _ppk(sequences: SequenceSet) -> Any:
    return ppk.ppk(fit_bank(sequences, 2, **EM))


METHODS: Mapping[str, tuple[Any, bool]] = {
    "SSD: common model, induced transitions": (_ssd, False),
    "SSD: with the matrix of distances": (_ssd_matrix, True),
    "PPK: models, matrix of kernels": (_ppk, True),
    "KL-LL, YY, BP, SYM: models, matrix of likelihoods": (_loglik, True),
}
"""What is timed, and whether it compares all pairs."""


def costs(n_sequences: Sequence[int], quadratic_up_to: int, seed: int) -> pd.DataFrame:
    """Processor time of the stages before clustering against the number of sequences, on mixtures of two HMMs.

    Parameters
    ----------
    n_sequences : sequence of int
        Sizes of data sets, rising.
    quadratic_up_to : int
        Largest size for methods that compare all pairs.
    seed : int
        Root seed of the data.

    Returns
    -------
    DataFrame
        Columns method, n_sequences, cpu_seconds (the least of three runs for data sets of up to 1000), and slope: of
        the logarithm of the time against that of the number over the upper decade of the method.
    """
    sizes = sorted(n_sequences)
    arrays, _ = mixture(derive_seed(seed, "costs"), sizes[-1], MEAN_LENGTH, 40.0)
    sequences = SequenceSet.from_arrays(arrays, name="costs")
    for method, _ in METHODS.values():
        method(sequences.subset(np.arange(20)))
    progress = Progress("costs", len(sizes), unit="size")
    rows = []
    for size in sizes:
        part = sequences.subset(np.arange(size))
        for name, (method, pairs) in METHODS.items():
            if pairs and size > quadratic_up_to:
                continue
            times = []
            for _ in range(3 if size <= 1000 else 1):
                start = process_time()
                method(part)
                times.append(process_time() - start)
            rows.append({"method": name, "n_sequences": size, "cpu_seconds": min(times)})
        progress.step()
    table = pd.DataFrame(rows)
    table["slope"] = 0.0
    for method_name, group in table.groupby("method"):
        upper = group[group["n_sequences"] >= group["n_sequences"].max() / 10]
        x, y = np.log(upper["n_sequences"]), np.log(np.maximum(upper["cpu_seconds"], 1e-9))
        slope = float(np.polyfit(x, y, 1)[0]) if len(upper) > 1 else float("nan")
        table.loc[table["method"] == method_name, "slope"] = slope
    return table.sort_values(["method", "n_sequences"], ignore_index=True)
