"""Fifth stage: a partition of every task by every clusterer."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from kinseq.clustering import registry
from kinseq.core.arrays import FloatArray, IntArray
from kinseq.core.errors import DataError
from kinseq.core.progress import Progress
from kinseq.core.seeds import content_key, derive_seed
from kinseq.core.sequences import SequenceSet
from kinseq.core.store import PathLike, read_arrays, write_arrays
from kinseq.core.tokens import Items, TokenSet

from ..tasks import Task
from .distances import Distance
from .tasks import tasks_of

NOTHING = "none"
"""Measure and model of a partition that was made of the items themselves."""


@dataclass(frozen=True)
class Partition:
    """Cluster numbers of one task, in the order of its indices; numbers of segments if `segments` is true."""

    measure: str
    model: str
    trial: int
    task: str
    clusterer: str
    labels: IntArray
    findings: Mapping[str, Any]
    segments: bool = False


def partitions(
    matrices: Iterable[Distance], clusterers: Mapping[str, Mapping[str, Any]], dataset: str, seed: int
) -> Iterable[Partition]:
    """Cluster every matrix with every clusterer that takes matrices; for others see :func:`partitions_of_items`.

    `clusterers` maps an identifier to ``{"clusterer": registered name, "params": {...}}``. The root seed, data set,
    task and trial name the random stream, which all measures share.
    """
    entries = clusterers_accepting("matrix", clusterers)
    draws = {name: registry.get(entry["clusterer"]).random for name, entry in entries.items()}
    # A matrix common to all trials is clustered once by deterministic clusterers.
    same: dict[tuple[Any, ...], _Clustered] = {}
    for distance in matrices:
        where = (distance.measure, distance.model, distance.trial, distance.task.name)
        stream = derive_seed(seed, "cluster", dataset, distance.task.name, distance.trial)
        digest = b"" if all(draws.values()) else content_key(distance.matrix)
        for name, entry in entries.items():
            key = digest, distance.task.n_clusters, distance.task.n_segments, name
            result = same.get(key) or _clustered(distance.matrix, distance.task, entry, stream)
            if not draws[name]:
                same[key] = result
            yield Partition(*where, name, result.labels, {**distance.findings, **result.findings}, result.segments)


def partitions_of_items(
    sequences: Items,
    tasks: Sequence[Task],
    clusterers: Mapping[str, Mapping[str, Any]],
    trials: Sequence[int],
    seed: int,
) -> Iterator[Partition]:
    """Cluster the sequences of every task with every clusterer that takes the items themselves.

    Clusterers and streams are those of :func:`partitions`; measure and model are :data:`NOTHING`.
    """
    entries = clusterers_accepting("items", clusterers)
    if not entries:
        return
    if isinstance(sequences, TokenSet):
        raise DataError(
            f"{sequences.name}: holds words in sentences, which clusterer {next(iter(entries))!r} cannot take; use one"
            " that takes a matrix"
        )
    where = [(trial, task) for trial in trials for task in tasks_of(tasks, trial)]
    progress = Progress(f"{'+'.join(entries)} on {sequences.name}", len(where) * len(entries), unit="partition")
    same: dict[tuple[str, str], _Clustered] = {}
    for trial, task in where:
        stream = derive_seed(seed, "cluster", sequences.name, task.name, trial)
        items = sequences.subset(task.indices)
        for name, entry in entries.items():
            key = task.name, name
            result = same.get(key) or _clustered(items, task, entry, stream)
            if task.trial is None and not registry.get(entry["clusterer"]).random:
                same[key] = result
            yield Partition(NOTHING, NOTHING, trial, task.name, name, result.labels, result.findings, result.segments)
            progress.step()


def clusterers_accepting(
    what: registry.Takes, clusterers: Mapping[str, Mapping[str, Any]]
) -> dict[str, Mapping[str, Any]]:
    """Return those entries of some clusterers that take a matrix, or the items."""
    modules = {**registry.modules(), **registry.segmenters()}
    return {name: entry for name, entry in clusterers.items() if modules[entry["clusterer"]].fields["takes"] == what}


class _Clustered(NamedTuple):
    labels: IntArray
    segments: bool
    findings: Mapping[str, float]


def _clustered(data: FloatArray | SequenceSet, task: Task, entry: Mapping[str, Any], stream: int) -> _Clustered:
    params, segments = dict(entry.get("params", {})), entry["clusterer"] in registry.segmenters()
    if segments:
        params.setdefault("n_segments", task.n_segments)
    clusterer = registry.get(entry["clusterer"])
    labels = clusterer(data, task.n_clusters, random_state=stream, **params)
    return _Clustered(labels, segments, clusterer.findings_of(data, **params))


def write(path: PathLike, results: Iterable[Partition]) -> None:
    """Store the partitions of one job in one file."""
    arrays: dict[str, IntArray] = {}
    findings: dict[str, Any] = {}
    segmenters: set[str] = set()
    for part in results:
        if part.segments:
            segmenters.add(part.clusterer)
        where = f"{part.measure}/{part.model}/{part.trial}/{part.task}"
        arrays[f"{where}/{part.clusterer}"] = part.labels
        findings[f"{where}/{part.clusterer}"] = dict(part.findings)
    write_arrays(path, arrays, {"findings": findings, "segmenters": sorted(segmenters)})


def read(path: PathLike, measures: Collection[str] | None = None) -> list[Partition]:
    """Read the output of :func:`write`: the partitions of some measures, or all."""
    arrays, meta = read_arrays(path)
    findings, segmenters = meta["findings"], meta["segmenters"]
    results = []
    for key, labels in arrays.items():
        where, clusterer = key.rsplit("/", 1)
        measure, model, trial, task = where.split("/")
        if measures is None or measure in measures:
            segments = clusterer in segmenters
            results.append(Partition(measure, model, int(trial), task, clusterer, labels, findings[key], segments))
    return results
