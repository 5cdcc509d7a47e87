"""Third stage: the log-likelihood of every sequence under every model that it is ever compared with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from kinseq.core.arrays import IntArray
from kinseq.core.progress import Progress
from kinseq.core.sequences import SequenceSet
from kinseq.models.hmm import HMMBank, log_likelihood

from ..tasks import Task
from .banks import EACH, Key
from .logliks import Block, Logliks
from .tasks import members, tasks_of


def connected(tasks: Sequence[Task]) -> list[IntArray]:
    """Return groups of sequences that must be scored against each other: tasks that share a sequence share a group."""
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
    """Score sequences under the per-sequence models of :func:`kinseq_documents.stages.models.fit_models`.

    Other models are passed over. Gives ``(model, trial)`` to its blocks; sequences that no task compares are not scored against
    each other.
    """
    each = [key for key in banks if key[2] == EACH]
    progress = Progress(f"score {sequences.name}", len(each))
    logliks: Logliks = {}
    for model, trial, unit in each:
        order = members(tasks, trial)
        blocks = []
        for indices in connected(tasks_of(tasks, trial)):
            bank = banks[model, trial, unit].subset(np.searchsorted(order, indices))
            blocks.append(Block(indices, log_likelihood(bank, sequences.subset(indices), n_jobs=threads)))
        logliks[model, trial] = blocks
        progress.step()
    return logliks
