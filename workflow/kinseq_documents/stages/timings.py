"""Resources that the jobs of an experiment used, collected into one table."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from kinseq.core.store import PathLike

COLUMNS = ("job", "seconds", "cpu_seconds", "peak_memory_mb")


def collect(files: Iterable[PathLike]) -> str:
    """Return one line per job, as CSV, from the tables that :func:`kinseq_documents.jobs.used` gives; sorted by job."""
    lines = []
    for path in map(Path, files):
        values = path.read_text(encoding="utf-8").splitlines()[1].split("\t")
        lines.append(",".join([path.with_suffix("").as_posix(), *values]))
    return "\n".join([",".join(COLUMNS), *sorted(lines)]) + "\n"
