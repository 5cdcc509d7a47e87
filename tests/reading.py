"""Files as an analysis reads them, with the notes next to the sequences."""

from __future__ import annotations

from typing import Any

from kinseq.core.folders import LABELS_FILE
from kinseq.core.jobs import as_threads
from kinseq.core.sequences import SequenceSet
from kinseq.core.store import PathLike
from kinseq.readers.folder import Processing, read_files
from kinseq.readers.reading import reading_of


def read_folder(
    path: PathLike,
    labels: PathLike | None = LABELS_FILE,
    *,
    name: str | None = None,
    cache: PathLike | None = None,
    n_jobs: int | None = None,
    progress: bool = False,
    alone: bool = False,
    **options: Any,
) -> tuple[SequenceSet, list[str]]:
    """Read a folder or file, and return its sequences and notes."""
    reading = reading_of(None, {"labels": labels, **options})
    work = Processing(as_threads(n_jobs), progress, cache)
    sequences = read_files(path, reading, work=work, name=name, alone=alone)
    return sequences, list(sequences.notes)
