"""Second stage: models, one per sequence or one per task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..errors import ParameterError, unknown_name
from ..models.hmm import HMMBank, fit_bank, fit_global
from ..progress import Progress
from ..seeds import derive_seed
from ..sequences import SequenceSet, Task
from ..store import PathLike, read_arrays, write_arrays
from .sequences import members, tasks_of

Key = tuple[str, int, str]
"""Model, trial, and the task for a model fitted per task, or :data:`EACH` for one model per sequence."""

EACH = "each"
FITS = {"hmm": fit_bank, "hmm_global": fit_global}


def fit_models(
    sequences: SequenceSet,
    tasks: Sequence[Task],
    specs: Mapping[str, Mapping[str, Any]],
    trials: Sequence[int],
    seed: int,
    threads: int = 1,
) -> dict[Key, HMMBank]:
    """Fit every model in every trial.

    Parameters
    ----------
    sequences : SequenceSet
    tasks : sequence of Task
    specs : mapping
        Model name to its entry in ``models.yaml``: ``kind`` ("hmm": one per sequence; "hmm_global": one per task) and
        arguments of :func:`kinseq.models.hmm.fit_bank`.
    trials : sequence of int
    seed : int
        Root seed; the stream of a fit is named by data set, model and trial.
    threads : int
        Threads the kernels may use; no number depends on it.

    Returns
    -------
    dict
        ``(model, trial, unit)`` to the bank. The models of a bank with unit "each" stand in the order of
        :func:`~kinseq.stages.sequences.members`.
    """
    banks: dict[Key, HMMBank] = {}
    progress = Progress(f"fit {'+'.join(specs)} on {sequences.name}", len(specs) * len(trials))
    for name, spec in specs.items():
        options = {key: value for key, value in spec.items() if key not in ("kind", "label")}
        kind = spec.get("kind", "hmm")
        if kind not in FITS:
            raise ParameterError(f"model {name!r}: {unknown_name('kind', kind, FITS)}")
        for trial in trials:
            fit_seed = derive_seed(seed, "fit", sequences.name, name, trial)
            own = {task.name: task.indices for task in tasks_of(tasks, trial)}
            units = {EACH: members(tasks, trial)} if kind == "hmm" else own
            for unit, indices in units.items():
                banks[name, trial, unit] = FITS[kind](
                    sequences.subset(indices), seed=fit_seed, threads=threads, **options
                )
            progress.step()
    return banks


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
