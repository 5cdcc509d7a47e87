"""Published records: one per item, with all data of its page, made by a job from the results of a run."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import platform
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from kinseq import __version__
from kinseq.core.errors import DataError
from kinseq.core.store import PathLike, write_text

from ..data import acquire
from ..evaluation.fidelity import Fidelity, assess, read_published
from ..evaluation.readings import Tried, readings
from ..evaluation.summary import read_scores, records
from .index import Entry, cost

if TYPE_CHECKING:
    # So that a field of another record does not turn a document's record into a new one.
    from ..job_settings import RecordSettings

COMPARED = (
    "document",
    "item",
    "place",
    "row",
    "column",
    "dataset",
    "model",
    "measure",
    "clusterer",
    "metric",
    "x",
    "unit",
)
NUMBERS = ("printed", "published", "published_std", "published_n", "mean", "std", "n", "difference", "verdict")
BESIDE = ("mean", "std", "n", "verdict")
"""Numbers of a cell under readings that it is not judged by, with the name of the reading in front."""

Record = dict[str, Any]


def record(
    listed: Mapping[str, Any],
    fidelity: Fidelity | None,
    results: PathLike,
    settings: Mapping[str, Any],
    readings: Sequence[Tried] = (),
) -> Record:
    """Return the record of one experiment.

    `listed` is what :func:`kinseq_documents.plan.listed` gives of it; `fidelity` what was assessed, None where nothing is
    scored. `settings` are further entries, as ``scale``, ``seed``, ``configuration`` (its digest), ``shows_third_party``,
    ``data``, ``machine`` and ``readings`` (those that it is shown under, name to printed name). `readings` are those of
    :func:`kinseq_documents.evaluation.readings.readings`, one a
    cell.
    """
    home = Path(results)
    fields = {key: value for key, value in listed.items() if key != "usage"}
    cells, claims = [], []
    if fidelity is not None:
        beside = [f"{reading}_{number}" for reading in fidelity.beside for number in BESIDE]
        columns = [*COMPARED, *NUMBERS, *beside, "errata", "note", "reason"]
        told = list(readings) or [Tried()] * len(fidelity.cells)
        cells = _plain(
            fidelity.cells[columns].assign(
                under=fidelity.cells["reading"],
                reading=[one.nearest for one in told],
                tried=[one.number or "" for one in told],
            )
        )
        claims = _plain(
            fidelity.claims[
                [
                    *("claim", "document", "item", "place", "sentence", "verdict", "numbers", "note", "n"),
                    *("origin", "decided_on", "variant_of", "by_construction"),
                ]
            ]
        )
    seconds = cost(home / "timings" / f"{listed['id']}.csv", [home / file for file in listed["usage"]])
    results_of = {
        file: sha256(home / file)
        for file in listed["products"]
        if file.startswith("scores/") and (home / file).is_file()
    }
    spent = None if seconds is None else round(seconds, 1)
    return {**fields, "cells": cells, "claims": claims, "seconds": spent, "scores": results_of, **settings}


def write_records(path: PathLike, settings: RecordSettings, results: PathLike) -> None:
    """Write the records of some experiments, whose results are in a folder, into one file."""
    written = []
    machine = machine_here()
    folders = [Path(root) for root in settings.roots]
    for one in settings.experiments:
        assessed, near = None, []
        if one.experiment is not None:
            scores = read_scores(Path(results, "scores", f"{one.experiment['id']}.csv"))
            printed = read_published(one.printed[0]) if one.printed else None
            assessed = assess(one.experiment, scores, printed, one.missing, settings.labels, decided_on=one.decided_on)
            near = readings(assessed.cells, scores, settings.families, settings.labels)
        data = {
            name: {key: described[key] for key in ("title", "generated", "bundled")}
            | {"checksum": "" if described["generated"] else acquire.checksum(name, described["entry"], folders)}
            for name, described in one.data.items()
        }
        own = {
            "home": one.home,
            "configuration": one.configuration,
            "shows_third_party": one.shows_third_party,
            "readings": one.readings,
        }
        whole = {**settings.settings, **own, "data": data, "machine": machine}
        written.append(record(one.listed, assessed, results, whole, near))
    write_text(path, json.dumps(written, indent=1, sort_keys=True, default=str) + "\n")


def machine_here() -> Record:
    """Processor, number of cores, and versions that affect numbers."""
    cpu = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        cpu = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), cpu)
    except OSError:
        pass  # another system than Linux
    versions = {}
    for name in ("numpy", "scipy", "scikit-learn", "numba", "pandas"):
        with contextlib.suppress(PackageNotFoundError):  # not in the environment of the pages
            versions[name] = version(name)
    return {
        "cpu": cpu,
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "versions": {**versions, "kinseq": __version__},
    }


def _plain(table: pd.DataFrame) -> list[Record]:
    """Return rows in JSON form, without non-numbers."""
    rows = []
    for row in records(table):
        plain = {key: value.item() if hasattr(value, "item") else value for key, value in row.items()}
        rows.append({key: value for key, value in plain.items() if value not in ("", None) and value == value})
    return rows


def sha256(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal digits."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def read_records(path: PathLike) -> list[Record]:
    """Records of a document, as a job has written them."""
    try:
        return list(json.loads(Path(path).read_text(encoding="utf-8")))
    except (OSError, ValueError) as error:
        raise DataError(f"{path}: cannot be read ({error}); make it anew with snakemake") from None


def entry_of(one: Mapping[str, Any]) -> Entry:
    """Return the part of a record that the front pages share."""
    names = ("id", "title", "chapter", "caption", "sources", "products", "missing", "stand_ins", "nothing")
    fields = {name: one[name] for name in names}
    fields["sources"] = tuple((document, item) for document, item in one["sources"])
    return Entry(**{**fields, "products": tuple(one["products"]), "stand_ins": tuple(one["stand_ins"])})
