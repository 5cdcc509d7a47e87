"""Files of log-likelihoods: written by the stage that scores, read by those after it, which depend on no model."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kinseq.core.arrays import FloatArray, IntArray
from kinseq.core.errors import DataError
from kinseq.core.store import PathLike, read_arrays, write_arrays

from ..tasks import Task


@dataclass(frozen=True)
class Block:
    """Total log-likelihoods among sequences that share tasks: rows are models, columns sequences, both at `indices`."""

    indices: IntArray
    loglik: FloatArray

    def holds(self, task: Task) -> bool:
        """Return whether every sequence of the task is in this block."""
        return bool(np.isin(task.indices, self.indices).all())

    def of(self, task: Task) -> FloatArray:
        """Return the matrix of one task, shape (N, N), in the order of its indices."""
        at = np.searchsorted(self.indices, task.indices)
        return np.ascontiguousarray(self.loglik[np.ix_(at, at)])


Logliks = dict[tuple[str, int], list[Block]]


def find(logliks: Logliks, model: str, task: Task, trial: int) -> FloatArray:
    """Return the matrix of one task."""
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
    """Read the output of :func:`write`."""
    arrays, _ = read_arrays(path)
    blocks_of: Logliks = {}
    for name, indices in arrays.items():
        if name.endswith("/indices"):
            model, trial, _, _ = name.split("/")
            block = Block(indices, arrays[name.removesuffix("indices") + "loglik"])
            blocks_of.setdefault((model, int(trial)), []).append(block)
    return blocks_of
