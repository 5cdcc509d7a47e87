"""All sets, one part after another on several processes; what was found is kept and reused."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed

from kinseq.measures.registry import modules as measures
from kinseq_documents.fingerprint import closure

from .asking import Part, record_of
from .grid import Case, PlannedCase

OURS: Mapping[Part, tuple[str, ...]] = {
    "default": ("item", "kinds", "machines", "planted", "asking", "answer", "wording"),
    "beside": ("item", "kinds", "machines", "planted", "asking", "looking", "rules"),
    "changes": ("item", "kinds", "machines", "planted", "asking", "changes"),
}
"""Modules of the laboratory that a part depends on."""
THEIRS: Mapping[Part, tuple[str, ...]] = {
    "default": ("kinseq.api.clustering",),
    "beside": ("kinseq.measures.fusion",),
    "changes": ("kinseq.api.clustering",),
}
"""Packages of the library in addition to what these import and all measures."""
PAGE_PACKAGES = ("kinseq.report", "kinseq.plotting")
"""Packages that only show results; no number depends on them."""
PATIENCE = 20.0
"""Seconds between two lines about the progress."""


def sources(part: Part) -> list[str]:
    """Full names of the modules that a part depends on."""
    used = closure([*THEIRS[part], *(entry.module for entry in measures().values())])
    ours = [f"{__package__}.{name}" for name in OURS[part]]
    return ours + [name for name in used if not name.startswith(PAGE_PACKAGES)]


@cache
def stamp(part: Part) -> str:
    """Return the digest of the code that a part depends on."""
    digest = blake2b(digest_size=8)
    for name in sources(part):
        spec = find_spec(name)
        assert spec is not None
        assert spec.origin is not None
        digest.update(name.encode() + b"\0" + Path(spec.origin).read_bytes() + b"\0")
    return digest.hexdigest()


@dataclass(frozen=True)
class Work:
    """One part of one set."""

    case: Case
    part: Part

    @property
    def key(self) -> str:
        return f"{self.part} {self.case.key}"


def wanted(placed: Sequence[PlannedCase]) -> list[Work]:
    """Parts of all cases, in their order."""
    return [
        Work(entry.case, part)
        for entry in placed
        for part in ("default", "beside")
        if part == "default" or entry.beside
    ]


def earlier_records(file: Path) -> dict[str, dict[str, Any]]:
    """Records of earlier calls by the keys of their work, those of other states of the code left out.

    A line that a killed run has left half written is passed over.
    """
    if not file.is_file():
        return {}
    current, records = {part: stamp(part) for part in OURS}, {}
    for line in file.read_text(encoding="utf-8").splitlines():
        try:
            record = json.loads(line)
            if record["stamp"] == current[record["part"]]:
                records[record["key"]] = record
        except (ValueError, KeyError, TypeError):
            continue
    return records


def run(
    works: Sequence[Work], file: Path, minutes: float, jobs: int, say: Callable[[str], None] = print
) -> dict[str, dict[str, Any]]:
    """Run missing parts while the time lasts, and return all records by key.

    `file` holds JSON lines, one a record, to which new ones are added as they come. After so many `minutes` nothing
    more is begun. Each of the `jobs` processes has one thread. `say` gets a line now and then.
    """
    records = earlier_records(file)
    missing = [work for work in works if work.key not in records]
    end = time.monotonic() + 60.0 * minutes
    stamps = {part: stamp(part) for part in OURS}
    file.parent.mkdir(parents=True, exist_ok=True)

    def begun() -> Iterator[Any]:
        for work in missing:
            if time.monotonic() > end:
                return
            yield delayed(_work_and_record)(work)

    last, count = time.monotonic(), 0
    before = file.read_bytes() if file.is_file() else b""
    with file.open("a", encoding="utf-8") as stream:
        # A truncated line must not swallow the next one.
        stream.write("\n" if before and not before.endswith(b"\n") else "")
        pool = Parallel(
            n_jobs=jobs, backend="loky", return_as="generator_unordered", pre_dispatch=jobs + 1, batch_size=1
        )
        for work, result in pool(begun()):
            record = {"key": work.key, "part": work.part, "stamp": stamps[work.part], **result}
            stream.write(json.dumps(record) + "\n")
            stream.flush()
            records[work.key] = record
            count += 1
            if time.monotonic() - last > PATIENCE:
                say(f"laboratory: {count} of {len(missing)} parts")
                last = time.monotonic()
    return {work.key: records[work.key] for work in works if work.key in records}


def _work_and_record(work: Work) -> tuple[Work, dict[str, Any]]:
    return work, record_of(work.case, work.part)


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
