"""First stage: the sequences of a data set and the tasks of each trial."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from kinseq.core.errors import DataError
from kinseq.core.seeds import derive_seed
from kinseq.core.sequences import SequenceSet
from kinseq.core.tokens import Items, TokenSet, join

from ..data import registry
from ..tasks import Task


def make_sequences(
    name: str,
    entry: Mapping[str, Any],
    trials: Sequence[int] | None,
    seed: int,
    folder: Path | None,
    sources: Sequence[Items] = (),
) -> tuple[Items, list[Task]]:
    """Load or generate the data of one data set: all items that any of the tasks uses, and the tasks.

    `entry` has ``loader``, and optionally ``params``, ``counts`` and ``sha256``, by which parsed files are checked.
    `trials` is None for data that are the same in every trial, `folder` for generated data. `sources` are what derived
    data are made of, one set a trial. `seed` is the root seed. The trial of a task is None where every trial clusters
    the same.
    """
    loader = registry.get(entry["loader"])
    params = dict(entry.get("params", {}))

    def data_seed(trial: int) -> int:
        return derive_seed(seed, "data", loader.name, trial)

    if loader.kind != "files":
        if trials is None:
            raise DataError(f"{name}: is generated anew in every trial; say which trials are wanted")
        replicates = (
            [alone(items, t) for items, t in zip(sources, trials, strict=True)] if sources else [None] * len(trials)
        )
        draws = zip(trials, replicates, strict=True)
        return _join(
            name, trials, [registry.make(name, loader.name, params, None, data_seed(t), of) for t, of in draws]
        )

    sequences, tasks = registry.make(name, loader.name, params, folder, data_seed(0))
    registry.verify(sequences, entry.get("counts", {}), entry.get("sha256"))
    origin = {**sequences.provenance, "url": entry.get("url", ""), "licence": entry.get("licence", "")}
    sequences = replace(sequences, name=name, provenance=origin)
    if trials is None:
        return sequences, tasks
    if loader.tasks is not None and loader.draws:
        full = loader.with_defaults(params)
        tasks = [replace(task, trial=t) for t in trials for task in loader.tasks(sequences, data_seed(t), **full)]
    return sequences, tasks


def alone(items: Items, trial: int) -> Items:
    """Return the replicate of one trial, its items named as they were before trials were joined."""
    return replace(items, ids=np.array([str(name).removeprefix(_prefix(trial)) for name in items.ids]))


def _prefix(trial: int) -> str:
    return f"t{trial:03d}/"


def _join(name: str, trials: Sequence[int], replicates: Sequence[tuple[Items, list[Task]]]) -> tuple[Items, list[Task]]:
    """Put the replicates of several trials into one set, tasks shifted to where their items went."""
    starts = np.cumsum([0, *(len(sequences) for sequences, _ in replicates)])
    tasks = [
        replace(task, indices=task.indices + start, trial=trial)
        for trial, start, (_, replicate_tasks) in zip(trials, starts, replicates, strict=False)
        for task in replicate_tasks
    ]
    ids = [f"{_prefix(t)}{i}" for t, (items, _) in zip(trials, replicates, strict=True) for i in items.ids]
    words = [items for items, _ in replicates if isinstance(items, TokenSet)]
    sets = [items for items, _ in replicates if isinstance(items, SequenceSet)]
    if words:
        return join(words, ids, name, {"generated": True}), tasks
    frames = np.cumsum([0, *(int(sequences.offsets[-1]) for sequences in sets)])
    joined = SequenceSet(
        values=np.concatenate([sequences.values for sequences in sets]),
        offsets=np.concatenate([[0], *(s.offsets[1:] + shift for s, shift in zip(sets, frames, strict=False))]),
        labels=np.concatenate([np.asarray(sequences.labels) for sequences in sets]),
        groups=None if sets[0].groups is None else np.concatenate([np.asarray(s.groups) for s in sets]),
        ids=np.array(ids),
        name=name,
        provenance={"generated": True},
    )
    return joined, tasks
