"""Second stage: models, one per sequence or one per task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kinseq.core.arrays import IntArray
from kinseq.core.progress import Progress
from kinseq.core.seeds import derive_seed
from kinseq.core.sequences import SequenceSet
from kinseq.models.kinds import registry as kinds

from ..batches import base_of
from ..tasks import Task
from .banks import EACH, Banks
from .tasks import members, tasks_of


def fit_models(
    sequences: SequenceSet,
    tasks: Sequence[Task],
    specs: Mapping[str, Mapping[str, Any]],
    trials: Sequence[int],
    seed: int,
    threads: int = 1,
) -> Banks:
    """Fit every model in every trial: ``(model, trial, unit)`` to the bank.

    `specs` maps a model to its entry in ``models.yaml``: ``kind``, ``common`` (true: one per task; false: one per
    sequence) and parameters of the kind. `seed` is the root seed; the stream of a fit is named by data set, model and
    trial, whatever reading the model is taken under. No number depends on `threads`. The models of a bank with unit "each"
    stand in the order of
    :func:`~kinseq_documents.stages.tasks.members`.
    """
    banks: Banks = {}
    progress = Progress(f"fit {'+'.join(specs)} on {sequences.name}", len(specs) * len(trials))
    for name, spec in specs.items():
        kind, common = kinds.get(spec["kind"]), bool(spec.get("common", False))
        params = {key: value for key, value in spec.items() if key not in kinds.RESERVED}
        for trial in trials:
            fit_seed = derive_seed(seed, "fit", sequences.name, base_of(name), trial)
            units: dict[str, tuple[IntArray, int | None]]
            if common:
                units = {task.name: (task.indices, task.n_clusters) for task in tasks_of(tasks, trial)}
            else:
                units = {EACH: (members(tasks, trial), None)}
            for unit, (indices, n_clusters) in units.items():
                banks[name, trial, unit] = kind.fit(
                    sequences.subset(indices), common, n_clusters, fit_seed, n_jobs=threads, **params
                )
            progress.step()
    return banks
