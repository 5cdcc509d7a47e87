"""Feature files in the layouts that GPM-UC3M, AHUMADA and the EEG recordings were published in.

The data themselves are gone from public stores; whoever holds a copy can put it where ``datasets.yaml`` says and the
rows of the tables fill. The loaders are tested on made-up files of the same layout.
"""

from __future__ import annotations

import warnings
from itertools import combinations
from pathlib import Path

import numpy as np

from ..arrays import FloatArray
from ..errors import DataError
from ..seeds import stream
from ..sequences import SequenceSet, Task
from .registry import Loader, pairs


def _read_table(path: Path) -> FloatArray:
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
    """One folder a speaker, one text or CSV file an utterance, one frame a line (T App. D.3).

    Parameters
    ----------
    folder : Path
        Holds a sub-folder for each speaker.
    name : str
        Name of the data set.
    """
    files = sorted(path for path in folder.glob("*/*") if path.suffix in {".txt", ".csv"} and path.is_file())
    if not files:
        raise DataError(
            f"{name}: {folder} holds no */*.txt or */*.csv; put one folder a speaker there, one file an utterance"
        )
    return SequenceSet.from_arrays(
        [_read_table(path) for path in files],
        labels=[path.parent.name for path in files],
        ids=[f"{path.parent.name}/{path.stem}" for path in files],
        name=name,
    )


def speaker_pairs(sequences: SequenceSet, seed: int, name: str) -> list[Task]:
    """Every pair of speakers as a two-class task (30 speakers give 435)."""
    speakers = sorted(set(map(str, sequences.labels if sequences.labels is not None else [])))
    return pairs(sequences.labels, list(combinations(speakers, 2)), lambda members: members)


def load_eeg(folder: Path, window: int) -> SequenceSet:
    """EEG trials of seven channels at 250 Hz, differenced and cut into windows (T App. D.1).

    Files are named ``<subject>_<task>_<session>.txt`` with one sample a line and seven columns.
    """
    sequences, labels, groups, ids = [], [], [], []
    for path in sorted(path for path in folder.glob("*_*_*.txt") if path.is_file()):
        subject, task, _ = path.stem.split("_", 2)
        steps = np.diff(_read_table(path), axis=0)
        for part in range(len(steps) // window):
            sequences.append(steps[part * window : (part + 1) * window])
            labels.append(task)
            groups.append(subject)
            ids.append(f"{path.stem}/{part:02d}")
    if not sequences:
        raise DataError(f"eeg: {folder} holds no <subject>_<task>_<session>.txt of at least {window + 1} samples")
    return SequenceSet.from_arrays(sequences, labels=labels, groups=groups, ids=ids, name="eeg")


def eeg_subjects(sequences: SequenceSet, seed: int, window: int, per_task: int = 10) -> list[Task]:
    """For each subject ten windows of each mental task, drawn at random, to be clustered into five groups."""
    rng = stream(seed, "eeg windows")
    assert sequences.labels is not None
    assert sequences.groups is not None
    tasks = []
    for subject in np.unique(sequences.groups):
        chosen = []
        for label in np.unique(sequences.labels):
            members = np.flatnonzero((sequences.groups == subject) & (sequences.labels == label))
            chosen.append(rng.permutation(members)[:per_task])
        indices = np.sort(np.concatenate(chosen))
        tasks.append(Task(f"subject{subject}", indices, int(np.unique(sequences.labels[indices]).size)))
    return tasks


LOADERS = (
    Loader(
        name="speaker_folders", function=load_speakers, params={"name": "speakers"}, tasks=speaker_pairs, draws=False
    ),
    Loader(name="eeg", function=load_eeg, params={"window": 125}, tasks=eeg_subjects),
)
