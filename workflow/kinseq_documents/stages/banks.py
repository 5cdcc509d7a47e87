"""Files of fitted models: written by the stage that fits, read by those after it, which depend on no fitter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from kinseq.core.errors import DataError
from kinseq.core.store import PathLike, read_arrays, write_arrays
from kinseq.models.hmm import HMMBank

from ..tasks import Task
from .tasks import members

Key = tuple[str, int, str]
"""Model, trial, and the task for a model fitted per task, or :data:`EACH` for one model per sequence."""

EACH = "each"
Banks = dict[Key, HMMBank]


def write(path: PathLike, banks: Mapping[Key, HMMBank]) -> None:
    """Store the banks of one job in one file."""
    arrays = {
        "/".join([model, str(trial), unit, field]): array
        for (model, trial, unit), bank in banks.items()
        for field, array in bank.to_arrays().items()
    }
    write_arrays(path, arrays)


def read(path: PathLike) -> Banks:
    """Read the output of :func:`write`."""
    grouped: dict[Key, dict[str, np.ndarray[Any, Any]]] = {}
    for name, array in read_arrays(path)[0].items():
        model, trial, rest = name.split("/", 2)
        unit, field = rest.rsplit("/", 1)
        grouped.setdefault((model, int(trial), unit), {})[field] = array
    return {key: HMMBank.from_arrays(fields) for key, fields in grouped.items()}


def find(
    banks: Mapping[Key, HMMBank], tasks: Sequence[Task], common: bool, model: str, task: Task, trial: int
) -> HMMBank:
    """Return the models of one task: the common one of all its sequences, or one of each in the order of its indices."""
    unit = task.name if common else EACH
    if (model, trial, unit) not in banks:
        raise DataError(f"model {model!r} of trial {trial} ({unit}) is not in the file of models; run the stage again")
    bank = banks[model, trial, unit]
    return bank if common else bank.subset(members(tasks, trial).searchsorted(task.indices))
