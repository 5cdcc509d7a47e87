"""Fifth stage: a partition of every task by every clusterer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ..arrays import IntArray
from ..clustering import registry
from ..seeds import derive_seed
from ..store import PathLike, read_arrays, write_arrays
from .distances import Distance


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
    found: Iterable[Distance], clusterers: Mapping[str, Mapping[str, Any]], dataset: str, seed: int
) -> Iterable[Partition]:
    """Cluster every matrix with every clusterer.

    Parameters
    ----------
    found : iterable of Distance
    clusterers : mapping
        Identifier to ``{"clusterer": registered name, "params": {...}}``.
    dataset : str
        Name of the data set; with task and trial it names the random stream, which all measures share.
    seed : int
        Root seed.

    Yields
    ------
    Partition
    """
    segmenters = registry.segmenters()
    for distance in found:
        stream = derive_seed(seed, "cluster", dataset, distance.task.name, distance.trial)
        for name, entry in clusterers.items():
            clusterer = registry.get(entry["clusterer"])
            params = dict(entry.get("params", {}))
            segments = entry["clusterer"] in segmenters
            if segments:
                params.setdefault("n_segments", distance.task.n_segments)
            labels = clusterer.function(distance.matrix, distance.task.n_clusters, seed=stream, **params)
            where = (distance.measure, distance.model, distance.trial, distance.task.name)
            yield Partition(*where, name, labels, distance.findings, segments)


def write(path: PathLike, found: Iterable[Partition]) -> None:
    """Store the partitions of one job in one file."""
    arrays: dict[str, IntArray] = {}
    findings: dict[str, Any] = {}
    segmenters: set[str] = set()
    for part in found:
        if part.segments:
            segmenters.add(part.clusterer)
        where = f"{part.measure}/{part.model}/{part.trial}/{part.task}"
        arrays[f"{where}/{part.clusterer}"] = part.labels
        findings[where] = dict(part.findings)
    write_arrays(path, arrays, {"findings": findings, "segmenters": sorted(segmenters)})


def read(path: PathLike) -> list[Partition]:
    """Read what :func:`write` wrote."""
    arrays, meta = read_arrays(path)
    findings, segmenters = meta["findings"], meta["segmenters"]
    found = []
    for key, labels in arrays.items():
        where, clusterer = key.rsplit("/", 1)
        measure, model, trial, task = where.split("/")
        segments = clusterer in segmenters
        found.append(Partition(measure, model, int(trial), task, clusterer, labels, findings[where], segments))
    return found
