"""Files of fitted models: written by the stage that fits, read by those after it, which depend on no fitter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..models.hmm import HMMBank
from ..store import PathLike, read_arrays, write_arrays

Key = tuple[str, int, str]
"""Model, trial, and the task for a model fitted per task, or :data:`EACH` for one model per sequence."""

EACH = "each"


def write(path: PathLike, banks: Mapping[Key, HMMBank]) -> None:
    """Store the banks of one job in one file."""
    arrays = {
        "/".join([model, str(trial), unit, field]): array
        for (model, trial, unit), bank in banks.items()
        for field, array in bank.to_arrays().items()
    }
    write_arrays(path, arrays)


def read(path: PathLike) -> dict[Key, HMMBank]:
    """Read what :func:`write` wrote."""
    grouped: dict[Key, dict[str, np.ndarray[Any, Any]]] = {}
    for name, array in read_arrays(path)[0].items():
        model, trial, rest = name.split("/", 2)
        unit, field = rest.rsplit("/", 1)
        grouped.setdefault((model, int(trial), unit), {})[field] = array
    return {key: HMMBank.from_arrays(fields) for key, fields in grouped.items()}
