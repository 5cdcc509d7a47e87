"""Feature files in the layout that GPM-UC3M and AHUMADA were published in.

The data themselves are gone from public stores; whoever holds a copy can put it where ``datasets.yaml`` says and the
rows of the tables fill. The loader is tested on made-up files of the same layout.
"""

from __future__ import annotations

import warnings
from itertools import combinations
from pathlib import Path

import numpy as np

from kinseq.core.arrays import FloatArray
from kinseq.core.errors import DataError
from kinseq.core.sequences import SequenceSet

from ..tasks import Task
from .registry import Loader, pairs


def read_table(path: Path) -> FloatArray:
    """Return a text or CSV file of finite numbers, shape (lines, numbers a line)."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # an empty file is refused below
            table = np.loadtxt(path, delimiter="," if path.suffix == ".csv" else None, ndmin=2)
    except (OSError, ValueError) as error:
        raise DataError(
            f"{path}: cannot be read as a table of numbers ({' '.join(str(error).split())}); repair or remove it"
        ) from error
    if not table.size:
        raise DataError(f"{path}: holds no number; repair or remove it")
    unknown = np.flatnonzero(~np.isfinite(table).all(axis=1))
    if unknown.size:
        row = table[unknown[0]]
        raise DataError(
            f"{path}: line {unknown[0] + 1} (comments not counted) holds {row[~np.isfinite(row)][0]}; repair or remove it"
        )
    return np.asarray(table, dtype=np.float64)


def load_speakers(folder: Path, name: str) -> SequenceSet:
    """Return one folder a speaker, one text or CSV file an utterance, one frame a line (T App. D.3)."""
    files = sorted(path for path in folder.glob("*/*") if path.suffix in {".txt", ".csv"} and path.is_file())
    if not files:
        raise DataError(
            f"{name}: {folder} holds no */*.txt or */*.csv; put one folder a speaker there, one file an utterance"
        )
    return SequenceSet.from_arrays(
        [read_table(path) for path in files],
        labels=[path.parent.name for path in files],
        ids=[f"{path.parent.name}/{path.stem}" for path in files],
        name=name,
    )


def speaker_pairs(sequences: SequenceSet, seed: int, name: str) -> list[Task]:
    """Return every pair of speakers as a two-class task (30 speakers give 435)."""
    speakers = sorted(set(map(str, sequences.labels if sequences.labels is not None else [])))
    return pairs(sequences.labels, list(combinations(speakers, 2)), lambda members: members)


LOADERS = (
    Loader(
        name="speaker_folders",
        label="one folder a speaker, one text or CSV file an utterance, one frame a line; every pair of speakers is a task",
        function=load_speakers,
        params={"name": "speakers"},
        tasks=speaker_pairs,
        draws=False,
    ),
)
