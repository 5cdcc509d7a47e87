"""Which tasks belong to a trial, and which sequences they use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from kinseq.core.errors import DataError

from ..tasks import Task


def tasks_of(tasks: Sequence[Task], trial: int) -> list[Task]:
    """Return the tasks of one trial: its own, and those that are the same in every trial."""
    return [task for task in tasks if task.trial in (None, trial)]


def members(tasks: Sequence[Task], trial: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Sorted positions of all sequences that the tasks of a trial use; this is the order of its models."""
    used = [task.indices for task in tasks_of(tasks, trial)]
    if not used:
        raise DataError(f"there is no task of trial {trial} in this file; it was made for other trials")
    return np.unique(np.concatenate(used))
