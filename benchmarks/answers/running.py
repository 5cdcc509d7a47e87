"""One contender on one set, in a separate process that is stopped when its time is over; results are kept and reused."""

from __future__ import annotations

import itertools
import json
import multiprocessing
import os
import time
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Literal

import numpy as np
import psutil

from kinseq import SequenceSet
from kinseq.analysis.diagnostics import CHECKS
from kinseq.analysis.result import Result
from kinseq.api.results import Clustering
from kinseq.core.errors import DataError, KinseqError
from kinseq.core.store import write_text
from kinseq.features.frames import fit_scaling
from kinseq.metrics.external import ari, nmi
from kinseq_documents.data.registry import checksum

from .contenders import CONTENDERS, Contender, named
from .loading import BenchSet, classes_of

Status = Literal["ok", "failed", "out of time", "not installed", "not run"]
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
PRELOADED = (__name__, "kinseq.analysis", "sklearn.cluster", "aeon.clustering", "tslearn.clustering", "dtaidistance")
"""Imported once for all processes; those that are not installed are passed over."""
POLL = 0.2
"""Seconds between two checks of a contender's CPU time."""


@dataclass(frozen=True)
class Outcome:
    """How a contender did on a set.

    Attributes
    ----------
    contender, data : str
    status : str
        ``"ok"``, or why there are no clusters.
    ari, nmi : float or None
        Against the labels, at the true number of clusters.
    cpu : float or None
        Seconds of CPU of the clustering alone, after a call on a few short sequences that compiles what is compiled.
    why : str
        What the contender said where it failed.
    n_clusters : int or None
        Number of clusters that were found.
    cautions : list of str or None
        Kinds of cautions (:data:`kinseq.analysis.diagnostics.CHECKS`) that speak against the clusters, of contenders that have any.
    """

    contender: str
    data: str
    status: Status
    ari: float | None = None
    nmi: float | None = None
    cpu: float | None = None
    why: str = ""
    n_clusters: int | None = None
    cautions: list[str] | None = None


@dataclass(frozen=True)
class Limits:
    """Limits of a run.

    Attributes
    ----------
    each : float
        Seconds of CPU for one contender on one set.
    budget : float
        Seconds of this call as a whole, by the clock.
    """

    each: float = 180.0
    budget: float = 1800.0


def prepared(sequences: SequenceSet) -> SequenceSet:
    """Return sequences as every contender gets them: columns scaled over the whole set, without labels, ids or groups."""
    scaled = fit_scaling(sequences, "zscore").apply(sequences)
    return SequenceSet.from_arrays(list(scaled), name=sequences.name, layout="channels_last")


def outcomes(
    sets: Sequence[tuple[BenchSet, SequenceSet]],
    contenders: Sequence[Contender],
    folder: Path,
    limits: Limits,
    seed: int = 0,
    say: Callable[[str], None] = print,
) -> list[Outcome]:
    """Return every contender on every set: what is known from an earlier call, else run while the budget lasts.

    `folder` keeps results, one file a set and contender; `say` gets a line for every run.
    """
    end, results = time.monotonic() + limits.budget, []
    # Contenders come first, on all sets; explanatory runs use the remaining time.
    blocks = [[entry for entry in contenders if (entry in CONTENDERS) == compared] for compared in (True, False)]
    for block in blocks:
        for (entry, sequences), contender in itertools.product(sets, block):
            file = folder / f"{entry.name}--{contender.name}.json"
            stamp = f"{checksum(sequences)[:16]} {contender.stamp()} seed {seed}"
            outcome = _earlier(file, stamp, limits)
            if outcome is None and not contender.installed:
                outcome = Outcome(
                    contender.name, entry.name, "not installed", why=f"{contender.package} is not installed"
                )
            elif outcome is None and time.monotonic() > end:
                outcome = Outcome(contender.name, entry.name, "not run", why="the budget was spent; call again")
            elif outcome is None:
                outcome = run_one(contender, entry.name, sequences, limits.each, seed)
                record = {"stamp": stamp, "limit": limits.each, **asdict(outcome)}
                write_text(file, json.dumps(record, indent=1) + "\n")
                say(_line(outcome))
            results.append(outcome)
    return results


def run_one(contender: Contender, data: str, sequences: SequenceSet, limit: float, seed: int = 0) -> Outcome:
    """Run a contender on a set, and end it when it has used `limit` seconds of CPU."""
    truth = classes_of(sequences)
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(PRELOADED))
    here, there = context.Pipe()
    job = (contender.name, prepared(sequences), int(np.unique(truth).size), seed)
    with _one_thread():
        process = context.Process(target=_serve, args=(there, *job), daemon=True)
        process.start()
    there.close()
    try:
        answer = _answer(here, process.pid or 0, limit)
    finally:
        process.kill()
        process.join()
    if answer is None:
        return Outcome(contender.name, data, "out of time", why=f"more than {limit:.0f} s of CPU")
    if "why" in answer:
        return Outcome(contender.name, data, "failed", why=answer["why"])
    labels = np.asarray(answer["labels"])
    n_clusters = int(np.unique(labels).size)
    scores = ari(truth, labels), nmi(truth, labels), answer["cpu"]
    return Outcome(contender.name, data, "ok", *scores, n_clusters=n_clusters, cautions=answer["cautions"])


def _answer(connection: Connection, pid: int, limit: float) -> dict[str, Any] | None:
    """Return what the process sends; None when it has used its time."""
    started: float | None = None
    while True:
        try:
            if connection.poll(POLL):
                message = connection.recv()
                if "started" not in message:
                    return dict(message)
                started = message["started"]
        except (EOFError, ConnectionError):
            return {"why": "the process died without a word"}
        try:
            used = sum(psutil.Process(pid).cpu_times()[:2])
        except psutil.Error:
            continue  # it has ended, but its output is still in the pipe
        # Limit imports and compilation too, since a hanging compiler would block everything.
        if used - (started or 0.0) > limit:
            return None


def _serve(connection: Connection, name: str, sequences: SequenceSet, n_clusters: int, seed: int) -> None:
    """Cluster in a separate process and send labels and CPU seconds, or what went wrong."""
    warnings.simplefilter("ignore")
    try:
        (contender,) = named([name])
        _warm_up(contender, sequences, seed)
        start = time.process_time()
        connection.send({"started": start})
        answer = contender.cluster(sequences, n_clusters, seed)
        labels = np.asarray(answer.labels if isinstance(answer, Clustering) else answer).astype(np.int64)
        cpu = time.process_time() - start
        if labels.shape != (len(sequences),):
            raise DataError(f"{name}: gave labels of shape {labels.shape}, expected ({len(sequences)},)")
        connection.send({"labels": labels, "cpu": cpu, "cautions": _cautions(answer)})
    except Exception as error:
        message = str(error) if isinstance(error, KinseqError) else traceback.format_exception_only(error)[-1].strip()
        connection.send({"why": message[:300]})


def _cautions(answer: object) -> list[str] | None:
    return [kind for kind, check in CHECKS.items() if check(answer)] if isinstance(answer, Result) else None


def _warm_up(contender: Contender, sequences: SequenceSet, seed: int) -> None:
    """Compile on the beginnings of a few sequences; whether they can be clustered does not matter."""
    few = sequences.subset(np.arange(min(8, len(sequences))))
    arrays = [frames[: max(4, min(20, len(frames) // 2))] for frames in few]
    try:
        contender.cluster(SequenceSet.from_arrays(arrays, layout="channels_last"), 2, seed)
    except Exception:
        return


class _one_thread:
    """The environment in which every library starts with one thread, for the processes that are started meanwhile."""

    def __enter__(self) -> None:
        self.before = {name: os.environ.get(name) for name in THREADS}
        os.environ.update(dict.fromkeys(THREADS, "1"))

    def __exit__(self, *_: object) -> None:
        for name, value in self.before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _earlier(file: Path, stamp: str, limits: Limits) -> Outcome | None:
    """Return the outcome of an earlier call; None if there is none, it is of another state, or more time is given now."""
    try:
        record = json.loads(file.read_text(encoding="utf-8"))
        if record.pop("stamp") != stamp:
            return None
        limit = float(record.pop("limit"))
        outcome = Outcome(**record)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return None if outcome.status == "out of time" and limit < limits.each else outcome


def _line(outcome: Outcome) -> str:
    if outcome.status != "ok":
        return f"{outcome.data}, {outcome.contender}: {outcome.status} ({outcome.why})"
    return f"{outcome.data}, {outcome.contender}: ARI {outcome.ari:.2f}, {outcome.cpu:.1f} s"


def available(
    sets: Sequence[BenchSet], roots: Sequence[Path], largest: int, draw: int = 0
) -> tuple[list[tuple[BenchSet, SequenceSet]], dict[str, str]]:
    """Return sets with their sequences, and by name why others cannot be had."""
    pairs, missing = [], {}
    for entry, loaded in _load(sets, roots, largest, draw):
        if isinstance(loaded, str):
            missing[entry.name] = loaded
        else:
            pairs.append((entry, loaded))
    return pairs, missing


def _load(
    sets: Sequence[BenchSet], roots: Sequence[Path], largest: int, draw: int
) -> Iterator[tuple[BenchSet, SequenceSet | str]]:
    for entry in sets:
        try:
            yield entry, entry.sequences(roots, largest, draw)
        except DataError as error:
            yield entry, str(error)
