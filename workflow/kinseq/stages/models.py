"""Second stage: models, one per sequence or one per task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import ParameterError, unknown_name
from ..models.hmm import HMMBank, fit_bank, fit_global
from ..progress import Progress
from ..seeds import derive_seed
from ..sequences import SequenceSet, Task
from .banks import EACH, Key
from .tasks import members, tasks_of

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
        :func:`~kinseq.stages.tasks.members`.
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
