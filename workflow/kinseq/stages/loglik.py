"""Third stage: the log-likelihood of every sequence under every model that it is ever compared with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..arrays import FloatArray, IntArray
from ..errors import DataError
from ..models.hmm import HMMBank
from ..progress import Progress
from ..sequences import SequenceSet, Task
from ..store import PathLike, read_arrays, write_arrays
from .models import EACH, Key
from .sequences import members, tasks_of


@dataclass(frozen=True)
class Block:
    """Total log-likelihoods among sequences that share tasks: rows are models, columns sequences, both at `indices`."""

    indices: IntArray
    loglik: FloatArray

    def holds(self, task: Task) -> bool:
        """Whether every sequence of the task is in this block."""
        return bool(np.isin(task.indices, self.indices).all())

    def of(self, task: Task) -> FloatArray:
        """The matrix of one task, shape (N, N), in the order of its indices."""
        at = np.searchsorted(self.indices, task.indices)
        return np.ascontiguousarray(self.loglik[np.ix_(at, at)])


Logliks = dict[tuple[str, int], list[Block]]


def connected(tasks: Sequence[Task]) -> list[IntArray]:
    """Groups of sequences that must be scored against each other: tasks that share a sequence share a group."""
    groups: list[set[int]] = []
    for task in tasks:
        joined = set(task.indices.tolist())
        apart = []
        for group in groups:
            if group & joined:
                joined |= group
            else:
                apart.append(group)
        groups = [*apart, joined]
    return [np.array(sorted(group), dtype=np.int64) for group in groups]


def log_likelihoods(
    sequences: SequenceSet,
    tasks: Sequence[Task],
    banks: Mapping[Key, HMMBank],
    threads: int = 1,
) -> Logliks:
    """Score sequences under the per-sequence models of `banks`.

    Parameters
    ----------
    sequences : SequenceSet
    tasks : sequence of Task
    banks : mapping
        From :func:`kinseq.stages.models.fit_models`; models fitted per task are passed over.
    threads : int
        Threads the kernels may use.

    Returns
    -------
    dict
        ``(model, trial)`` to its blocks; sequences that no task compares are not scored against each other.
    """
    each = [key for key in banks if key[2] == EACH]
    progress = Progress(f"score {sequences.name}", len(each))
    found: Logliks = {}
    for model, trial, unit in each:
        order = members(tasks, trial)
        blocks = []
        for indices in connected(tasks_of(tasks, trial)):
            bank = banks[model, trial, unit].subset(np.searchsorted(order, indices))
            blocks.append(Block(indices, bank.log_likelihood(sequences.subset(indices), threads=threads)))
        found[model, trial] = blocks
        progress.step()
    return found


def find(logliks: Logliks, model: str, task: Task, trial: int) -> FloatArray:
    """The matrix of one task."""
    for block in logliks.get((model, trial), []):
        if block.holds(task):
            return block.of(task)
    raise DataError(f"there are no log-likelihoods of model {model!r}, trial {trial}, task {task.name!r} in this file")


def write(path: PathLike, logliks: Logliks) -> None:
    """Store the matrices of one job in one file."""
    arrays: dict[str, FloatArray | IntArray] = {}
    for (model, trial), blocks in logliks.items():
        for number, block in enumerate(blocks):
            arrays[f"{model}/{trial}/{number}/indices"] = block.indices
            arrays[f"{model}/{trial}/{number}/loglik"] = block.loglik
    write_arrays(path, arrays)


def read(path: PathLike) -> Logliks:
    """Read what :func:`write` wrote."""
    arrays, _ = read_arrays(path)
    found: Logliks = {}
    for name, indices in arrays.items():
        if name.endswith("/indices"):
            model, trial, _, _ = name.split("/")
            block = Block(indices, arrays[name.removesuffix("indices") + "loglik"])
            found.setdefault((model, int(trial)), []).append(block)
    return found
