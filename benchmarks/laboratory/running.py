"""Every set given to the product, to rules on one matrix and to single views; what was found is kept and reused."""

from __future__ import annotations

import json
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal

import kinseq
import numpy as np
from joblib import Parallel, delayed
from kinseq.arrays import IntArray
from kinseq.errors import KinseqError
from kinseq.evaluation.clustering import ari
from kinseq.fingerprint import fingerprint
from kinseq.measures.registry import modules as measures
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from .answer import answer_of
from .grid import Case, Placed
from .looking import FUSED, matrices, sights, truths
from .planted import Planted
from .rules import RULES, Matrix

Part = Literal["default", "beside"]
"""What the product answers; what rules and views answer, which does not change with what the product chooses."""
HERE = Path(__file__).parent
SOURCES: dict[Part, tuple[str, ...]] = {
    "default": ("kinds", "planted", "grid", "running", "answer"),
    "beside": ("kinds", "planted", "grid", "running", "looking", "rules"),
}
"""Modules of the laboratory that a part depends on."""
PATIENCE = 20.0
"""Seconds between two lines about the progress."""


def stamp(part: Part) -> str:
    """Digest of the code that a part depends on."""
    digest = blake2b(digest_size=8)
    for name in SOURCES[part]:
        digest.update((HERE / f"{name}.py").read_bytes())
    used = sorted(entry.module for entry in measures().values())
    ours = fingerprint("kinseq.own", *used) if part == "default" else fingerprint("kinseq.measures.fusion", *used)
    return f"{digest.hexdigest()} {ours}"


@dataclass(frozen=True)
class Work:
    """One part of one set."""

    case: Case
    part: Part

    @property
    def key(self) -> str:
        return f"{self.part} {self.case.key}"


def wanted(placed: Sequence[Placed]) -> list[Work]:
    """Parts of all cases, in their order."""
    return [
        Work(entry.case, part)
        for entry in placed
        for part in ("default", "beside")
        if part == "default" or entry.beside
    ]


# ---------------------------------------------------------------------------------------------------------------------
# One set
# ---------------------------------------------------------------------------------------------------------------------


def done(work: Work) -> dict[str, Any]:
    """What was found, ready for JSON; what went wrong where nothing was."""
    start = time.process_time()
    # One process has one thread, or they would stand in each other's way.
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore")
        try:
            planted = work.case.drawn()
            found = _default(planted) if work.part == "default" else _beside(planted)
        except KinseqError as error:
            found = {"why": str(error)}
    return {**asdict(work.case), "family": work.case.family, **found, "seconds": round(time.process_time() - start, 3)}


def _default(planted: Planted) -> dict[str, Any]:
    start = time.process_time()
    answer = answer_of(kinseq.cluster(planted.sequences, progress=False))
    between = time.process_time()
    given = {}
    for number in numbers_of(planted):
        found = kinseq.cluster(planted.sequences, n_clusters=number, progress=False)
        given[str(number)] = found_of(planted, found.labels)
    after = time.process_time()
    return {
        "found": found_of(planted, answer.labels),
        "given": given,
        "told": {name: found_of(planted, labels) for name, labels in answer.others.items()},
        "doubts": list(answer.doubts),
        "cautions": list(answer.cautions),
        "sentence": answer.sentence,
        "seconds_found": round(between - start, 3),
        "seconds_given": round((after - between) / max(len(given), 1), 3),
    }


def _beside(planted: Planted) -> dict[str, Any]:
    seen = matrices(planted.sequences)
    rules: dict[str, Any] = {}
    given: dict[str, Any] = {}
    for name in ("dtw", FUSED):
        if name in seen:
            matrix = Matrix(seen[name], logarithmic=name == FUSED)
            rules |= {f"{name} {rule}": found_of(planted, function(matrix)) for rule, function in RULES.items()}
            given[name] = {str(number): found_of(planted, matrix.cut(number)) for number in numbers_of(planted)}
    looked = {name: [asdict(sight) for sight in sights(seen, truth)] for name, truth in truths(planted).items()}
    return {"rules": rules, "given": given, "views": looked}


def numbers_of(planted: Planted) -> list[int]:
    """True numbers of groups, one for each grouping that has another."""
    return sorted({int(truth.max()) + 1 for truth in truths(planted).values()})


def found_of(planted: Planted, labels: IntArray) -> dict[str, Any]:
    """The number of clusters and, for each grouping there is, the adjusted Rand index.

    Only clusters that hold a member of a group count, and what a rule calls noise (below 0) is no cluster: an outlier by
    itself is none too many.
    """
    inside = labels[planted.members]
    number = max(1, int(np.unique(inside[inside >= 0]).size))
    return {"number": number, **{name: scored(planted, truth, labels) for name, truth in truths(planted).items()}}


def scored(planted: Planted, truth: IntArray, labels: IntArray) -> float:
    """Adjusted Rand index over the members of groups."""
    return round(ari(truth[planted.members], labels[planted.members]), 4)


# ---------------------------------------------------------------------------------------------------------------------
# All sets
# ---------------------------------------------------------------------------------------------------------------------


def known(file: Path) -> dict[str, dict[str, Any]]:
    """Records of earlier calls by the keys of their work, those of other states of the code left out.

    A line that a killed run has left half written is passed over.
    """
    if not file.is_file():
        return {}
    current, found = {part: stamp(part) for part in SOURCES}, {}
    for line in file.read_text(encoding="utf-8").splitlines():
        try:
            record = json.loads(line)
            if record["stamp"] == current[record["part"]]:
                found[record["key"]] = record
        except (ValueError, KeyError, TypeError):
            continue
    return found


def run(
    works: Sequence[Work], file: Path, minutes: float, jobs: int, say: Callable[[str], None] = print
) -> dict[str, dict[str, Any]]:
    """Do what is missing while the time lasts, and return all records by key.

    Parameters
    ----------
    works : sequence of Work
    file : Path
        JSON lines, one a record, to which new ones are added as they come.
    minutes : float
        Time after which nothing more is begun.
    jobs : int
        Processes; each has one thread.
    say : callable
        Gets a line now and then.
    """
    records = known(file)
    missing = [work for work in works if work.key not in records]
    end = time.monotonic() + 60.0 * minutes
    stamps = {part: stamp(part) for part in SOURCES}
    file.parent.mkdir(parents=True, exist_ok=True)

    def begun() -> Iterator[Any]:
        for work in missing:
            if time.monotonic() > end:
                return
            yield delayed(_kept)(work)

    last, count = time.monotonic(), 0
    with file.open("a", encoding="utf-8") as stream:
        pool = Parallel(
            n_jobs=jobs, backend="loky", return_as="generator_unordered", pre_dispatch=jobs + 1, batch_size=1
        )
        for work, found in pool(begun()):
            record = {"key": work.key, "part": work.part, "stamp": stamps[work.part], **found}
            stream.write(json.dumps(record) + "\n")
            stream.flush()
            records[work.key] = record
            count += 1
            if time.monotonic() - last > PATIENCE:
                say(f"laboratory: {count} of {len(missing)} parts")
                last = time.monotonic()
    return {work.key: records[work.key] for work in works if work.key in records}


def _kept(work: Work) -> tuple[Work, dict[str, Any]]:
    return work, done(work)


def minutes_left(works: Sequence[Work], records: dict[str, dict[str, Any]], jobs: int) -> float | None:
    """Minutes that the parts without a record will take, by the mean of those of the same size and part that have one.

    None where there is nothing to tell from.
    """
    if not records:
        return None
    seconds: dict[tuple[str, int, str], list[float]] = {}
    for work in works:
        if work.key in records:
            seconds.setdefault(_cost(work), []).append(records[work.key]["seconds"])
    all_of = [value for values in seconds.values() for value in values]
    missing = [work for work in works if work.key not in records]
    return sum(float(np.mean(seconds.get(_cost(work), all_of))) for work in missing) / jobs / 60.0


def _cost(work: Work) -> tuple[str, int, str]:
    return work.part, work.case.n, "one" if work.case.k == 1 else "groups"
