"""Fourth stage: the dissimilarity matrix of every task under one measure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..arrays import FloatArray
from ..errors import DataError
from ..measures import registry
from ..measures.registry import Evidence, Measure
from ..models.hmm import HMMBank
from ..progress import Progress
from ..seeds import derive_seed
from ..sequences import SequenceSet, Task
from ..store import PathLike, read_arrays, write_arrays
from . import loglik as loglik_stage
from . import models as model_stage
from .models import EACH, Key
from .sequences import members, tasks_of


@dataclass(frozen=True)
class Distance:
    """The dissimilarities of one task, in the order of its indices, with what the measure reported beside them."""

    model: str
    trial: int
    task: Task
    matrix: FloatArray
    findings: Mapping[str, Any]


def _evidence(
    measure: Measure,
    sequences: SequenceSet,
    tasks: Sequence[Task],
    task: Task,
    model: str,
    trial: int,
    seed: int,
    fitted: Mapping[Key, HMMBank] | loglik_stage.Logliks,
) -> Evidence:
    """What `measure` may look at for one task."""
    given: dict[str, Any] = {}
    try:
        if measure.needs == "loglik":
            given["loglik"] = loglik_stage.find(fitted, model, task, trial)  # type: ignore[arg-type]
        elif measure.needs == "bank":
            order = members(tasks, trial)
            given["bank"] = fitted[model, trial, EACH].subset(order.searchsorted(task.indices))  # type: ignore[index, union-attr]
        elif measure.needs == "global":
            given["common"] = fitted[model, trial, task.name]  # type: ignore[index]
    except KeyError as error:
        raise DataError(
            f"model {model!r} of trial {trial} is not in the file of models; run the stage again"
        ) from error
    return Evidence(
        sequences=sequences.subset(task.indices),
        n_clusters=task.n_clusters,
        seed=derive_seed(seed, "measure", sequences.name, task.name, trial),
        **given,
    )


def distances(
    sequences: SequenceSet,
    tasks: Sequence[Task],
    measure: str,
    params: Mapping[str, Any],
    models: Sequence[str],
    trials: Sequence[int],
    seed: int,
    fitted: Mapping[Key, HMMBank] | loglik_stage.Logliks,
) -> Iterator[Distance]:
    """Compute one measure on every model, trial and task, one matrix at a time.

    Parameters
    ----------
    sequences : SequenceSet
    tasks : sequence of Task
    measure : str
        Registered name.
    params : mapping
        Parameters of the measure that differ from its defaults.
    models : sequence of str
        Names of fitted models; ``("none",)`` for measures that need none.
    trials : sequence of int
    seed : int
        Root seed.
    fitted : mapping
        What the measure needs: log-likelihoods, or banks; empty for measures that need nothing.

    Yields
    ------
    Distance
    """
    chosen = registry.get(measure)
    total = sum(len(tasks_of(tasks, trial)) for trial in trials) * len(models)
    progress = Progress(f"{measure} on {sequences.name}", total, unit="matrix")
    same: dict[str, tuple[FloatArray, dict[str, Any]]] = {}
    for model in models:
        for trial in trials:
            for task in tasks_of(tasks, trial):
                # Without a fitted model nothing in a task that all trials share can differ between trials.
                repeats = chosen.needs == "sequences" and task.trial is None
                if repeats and task.name in same:
                    matrix, findings = same[task.name]
                else:
                    evidence = _evidence(chosen, sequences, tasks, task, model, trial, seed, fitted)
                    matrix, findings = chosen.compute(evidence, **params)
                    if repeats:
                        same[task.name] = matrix, findings
                yield Distance(model, trial, task, matrix, findings)
                progress.step()


def read_evidence(needs: str, path: PathLike | None) -> Mapping[Key, HMMBank] | loglik_stage.Logliks:
    """Read what a measure needs from the file of the stage that makes it; empty if it needs nothing fitted."""
    if not path or needs not in ("loglik", "bank", "global"):
        return {}
    return loglik_stage.read(path) if needs == "loglik" else model_stage.read(path)


def write(path: PathLike, found: Iterable[Distance]) -> None:
    """Store the matrices of one job in one file."""
    arrays: dict[str, FloatArray] = {}
    findings: dict[str, Any] = {}
    for distance in found:
        key = f"{distance.model}/{distance.trial}/{distance.task.name}"
        arrays[key] = distance.matrix
        findings[key] = dict(distance.findings)
    write_arrays(path, arrays, findings)


def read(path: PathLike, tasks: Sequence[Task]) -> Iterator[Distance]:
    """Read what :func:`write` wrote."""
    arrays, findings = read_arrays(path)
    for key, matrix in arrays.items():
        model, trial, name = key.split("/")
        task = next(task for task in tasks_of(tasks, int(trial)) if task.name == name)
        yield Distance(model, int(trial), task, matrix, findings[key])
