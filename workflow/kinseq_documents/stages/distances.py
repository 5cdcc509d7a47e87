"""Fourth stage: the dissimilarity matrix of every task under every measure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kinseq.core.arrays import FloatArray
from kinseq.core.errors import DataError
from kinseq.core.progress import Progress
from kinseq.core.seeds import content_key, derive_seed
from kinseq.core.store import PathLike, read_arrays, write_arrays
from kinseq.core.tokens import Items
from kinseq.measures import registry
from kinseq.measures.inputs import gather
from kinseq.measures.registry import Measure, MeasureInput
from kinseq.measures.requirements import REQUIREMENTS, Requirement

from ..costs import COSTS, USUAL
from ..tasks import Task
from . import banks, logliks
from .tasks import tasks_of


@dataclass(frozen=True)
class Distance:
    """The dissimilarities of one task, in the order of its indices, with the findings of the measure."""

    measure: str
    model: str
    trial: int
    task: Task
    matrix: FloatArray
    findings: Mapping[str, Any]


Fitted = Mapping[str, Any]
"""Outputs by stage (``"models"``, ``"loglik"``), limited to the stages that the measures need."""


def _evidence(
    measure: Measure,
    sequences: Items,
    tasks: Sequence[Task],
    task: Task,
    model: str,
    trial: int,
    seed: int,
    fitted: Fitted,
    params: Mapping[str, Any],
) -> MeasureInput:
    """Return the inputs of `measure` for one task; the classes only if it declares them."""
    fitted_inputs: dict[str, Any] = {}
    need = REQUIREMENTS[measure.requires]
    if need.stages:
        stage = need.stages[-1]
        if stage not in fitted:
            raise DataError(
                f"measure {measure.name!r} needs files of the stage {stage!r}, none was given; run it first"
            )
        fitted_inputs = _LOADERS[stage].find(fitted[stage], tasks, need, model, task, trial)
    stream = derive_seed(seed, "measure", sequences.name, task.name, trial)
    items = sequences.subset(task.indices)
    if not registry.sees_classes(measure.classes_by, params):
        items = replace(items, labels=None)
    return gather(measure, items, n_clusters=task.n_clusters, seed=stream, **fitted_inputs)


def distances(
    sequences: Items,
    tasks: Sequence[Task],
    measures: Mapping[str, Mapping[str, Any]],
    trials: Sequence[int],
    seed: int,
    fitted: Fitted,
) -> Iterator[Distance]:
    """Compute some measures on their models, every trial and task, one matrix at a time.

    `measures` maps an identifier to ``{"measure": registered name, "params": {...}, "models": [...]}``: the parameters
    that differ from the measure's defaults, and the names of fitted models it is run on, ``["none"]`` if it needs none.
    `seed` is the root seed; `fitted` is what the measures need, by stage, see :func:`read_fitted`.
    """
    for name, entry in sorted(measures.items(), key=_shortness):
        yield from _of_measure(sequences, tasks, name, entry, trials, seed, fitted)


def _shortness(measure: tuple[str, Mapping[str, Any]]) -> float:
    """Sorts measures so that a long run comes before those that begin like it."""
    registered = registry.get(measure[1]["measure"])
    run_length = COSTS.get(registered.name, USUAL).run_length
    if run_length is None:
        return 0.0
    return -run_length({**registered.params, **measure[1].get("params", {})})


def _of_measure(
    sequences: Items,
    tasks: Sequence[Task],
    name: str,
    entry: Mapping[str, Any],
    trials: Sequence[int],
    seed: int,
    fitted: Fitted,
) -> Iterator[Distance]:
    """Yield the matrices of one measure."""
    measure = registry.get(entry["measure"])
    params, models = entry.get("params", {}), entry["models"]
    total = sum(len(tasks_of(tasks, trial)) for trial in trials) * len(models)
    progress = Progress(f"{name} on {sequences.name}", total, unit="matrix")
    same: dict[str, tuple[FloatArray, dict[str, Any]]] = {}
    for model in models:
        for trial in trials:
            for task in tasks_of(tasks, trial):
                # Without a fitted model, a task shared by all trials cannot differ between trials.
                repeats = not (REQUIREMENTS[measure.requires].stages or measure.random) and task.trial is None
                if repeats and task.name in same:
                    matrix, findings = same[task.name]
                else:
                    evidence = _evidence(measure, sequences, tasks, task, model, trial, seed, fitted, params)
                    matrix, findings = measure.compute(evidence, **params)
                    if repeats:
                        same[task.name] = matrix, findings
                yield Distance(name, model, trial, task, matrix, findings)
                progress.step()


@dataclass(frozen=True)
class _Loader:
    """How to read the files of a stage, and the part of their content for a task, as arguments of :func:`gather`."""

    read: Callable[[PathLike], Any]
    find: Callable[[Any, Sequence[Task], Requirement, str, Task, int], dict[str, Any]]


def _models_of(all_banks: banks.Banks, tasks: Sequence[Task], need: Requirement, *where: Any) -> dict[str, Any]:
    return {"models": banks.find(all_banks, tasks, need.models == "common", *where)}


def _loglik_of(all_logliks: logliks.Logliks, tasks: Sequence[Task], need: Requirement, *where: Any) -> dict[str, Any]:
    return {"loglik": logliks.find(all_logliks, *where)}


_LOADERS = {"models": _Loader(banks.read, _models_of), "loglik": _Loader(logliks.read, _loglik_of)}
"""By stage, for every stage that :data:`~kinseq.measures.requirements.REQUIREMENTS` names last."""


def read_fitted(files: Mapping[str, PathLike]) -> dict[str, Any]:
    """Read fits: path by stage to content by stage; names other than stages of models are skipped."""
    return {stage: loader.read(files[stage]) for stage, loader in _LOADERS.items() if stage in files}


def write(path: PathLike, matrices: Iterable[Distance]) -> None:
    """Store the matrices of one job in one file."""
    arrays: dict[str, FloatArray] = {}
    meta: dict[str, Any] = {}
    for distance in matrices:
        key = f"{distance.measure}/{distance.model}/{distance.trial}/{distance.task.name}"
        arrays[key] = distance.matrix
        meta[key] = {"items": _key(distance.task), "findings": dict(distance.findings)}
    write_arrays(path, arrays, meta)


def _key(task: Task) -> str:
    """Return which items a task holds, in their order."""
    return content_key(task.indices).hex()


def read(path: PathLike, tasks: Sequence[Task], measures: Collection[str] | None = None) -> Iterator[Distance]:
    """Read matrices that :func:`write` wrote, of some measures or all.

    The tasks are the same, or have the same items with other classes.
    """
    arrays, meta = read_arrays(path, lambda key: measures is None or key.split("/")[0] in measures)
    for key, matrix in arrays.items():
        measure, model, trial, name = key.split("/")
        same = [task for task in tasks_of(tasks, int(trial)) if task.name == name and _key(task) == meta[key]["items"]]
        if not same:
            raise DataError(f"{path}: holds a matrix of task {name!r}, trial {trial}, of other items; compute it again")
        yield Distance(measure, model, int(trial), same[0], matrix, meta[key]["findings"])
