"""EEG of mental tasks in the layouts of Keirn and Aunon (1990), cut into windows as T App. D.1 does.

All recordings but one have gone from public stores. Whoever holds a copy puts it where ``datasets.yaml`` says;
:mod:`kinseq_documents.data.eeg_process` makes recordings that stand in for it.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from kinseq.core.arrays import FloatArray, as_count
from kinseq.core.errors import DataError, KinseqWarning
from kinseq.core.seeds import stream
from kinseq.core.sequences import SequenceSet
from kinseq.features.frames import difference

from ..tasks import Task
from .feature_files import read_table
from .registry import Loader

CHANNELS = ("C3", "C4", "P3", "P4", "O1", "O2", "EOG")
"""Places of the electrodes, in the order of the columns."""
RATE = 250.0
"""Samples per second (Hz)."""
PER_TASK = 10
"""Windows of each mental task that a clustering is about (T 2.4.2)."""

_TEXT, _MATLAB = ".txt", ".mat"


@dataclass(frozen=True)
class Recording:
    """A recording of a subject during one mental task.

    Attributes
    ----------
    subject, task, session : str
    samples : ndarray, shape (n, 7)
    where : str
        File, and place in it, for messages.
    """

    subject: str
    task: str
    session: str
    samples: FloatArray
    where: str

    @property
    def name(self) -> str:
        """Subject, task and session."""
        return f"{self.subject}_{self.task}_{self.session}"


def windows(samples: FloatArray, window: int) -> list[FloatArray]:
    """Return the first differences of a recording of shape (n, d), cut into whole windows of shape (window, d).

    The rest is dropped.
    """
    if len(samples) <= window:
        return []
    steps = difference(samples)
    return [steps[start : start + window] for start in range(0, len(steps) - window + 1, window)]


def recordings(folder: Path) -> Iterator[Recording]:
    """Yield the recordings in a folder.

    A recording without a single number, as one of the published ones is, is left out with a warning. The folder holds
    ``<subject>_<task>_<session>.txt`` files, of which the subject has no ``_``: seven numbers a line, a line a sample; or seven
    lines, a line a channel. Or the published ``.mat`` file, whose variable ``data`` is a cell array of recordings, each a cell
    array of subject, task, session and a matrix of a row a channel. Another number of channels, or a recording that is there
    twice, is refused.
    """
    places: dict[tuple[str, str, str], str] = {}
    files = sorted(path for path in folder.iterdir() if path.is_file() and not path.name.startswith("."))
    for path in files:
        kind = path.suffix.lower()
        for entry in _matlab_recordings(path) if kind == _MATLAB else _text_recordings(path) if kind == _TEXT else ():
            key = (entry.subject, entry.task, entry.session)
            if key in places:
                raise DataError(
                    f"{entry.where}: is the same subject, task and session as {places[key]}; keep one of them"
                )
            places[key] = entry.where
            if np.isnan(entry.samples).all():
                warnings.warn(f"{entry.where}: holds no number and was left out", KinseqWarning, stacklevel=2)
                continue
            bad = np.argwhere(~np.isfinite(entry.samples))
            if len(bad):
                raise DataError(
                    f"{entry.where}: sample {bad[0, 0] + 1} of channel {bad[0, 1] + 1} is"
                    f" {entry.samples[tuple(bad[0])]}; repair or remove the recording"
                )
            yield entry
    if not places:
        raise DataError(
            f"eeg: {folder} holds no recording; put <subject>_<task>_<session>.txt or the published .mat file there"
        )


def _text_recordings(path: Path) -> Iterator[Recording]:
    parts = path.stem.split("_")
    if len(parts) < 3 or not all(parts):
        raise DataError(f"{path}: is not named <subject>_<task>_<session>.txt; rename or remove it")
    yield Recording(parts[0], "_".join(parts[1:-1]), parts[-1], _by_sample(read_table(path), str(path)), str(path))


def _matlab_recordings(path: Path) -> Iterator[Recording]:
    from scipy.io import loadmat

    try:
        cells = loadmat(path)["data"].ravel()
        entries = [tuple(np.asarray(cell, dtype=object).ravel()) for cell in cells]
        named = [(*(str(np.asarray(part).item()) for part in entry[:3]), entry[3]) for entry in entries]
        matrices = [np.asarray(entry[3], dtype=np.float64) for entry in named]
    except Exception as error:  # scipy raises various errors on damaged files
        raise DataError(
            f"{path}: cannot be read as the published recordings ({' '.join(str(error).split()) or type(error).__name__});"
            " expected a variable data of cells of subject, task, session and matrix"
        ) from error
    for number, (entry, matrix) in enumerate(zip(named, matrices, strict=True), start=1):
        where = f"{path}, recording {number}"
        subject, session = (_number(str(entry[at]), what, where) for at, what in ((0, "subject"), (2, "trial")))
        yield Recording(subject, str(entry[1]).strip(), session, _by_sample(matrix, where), where)


def _number(text: str, what: str, where: str) -> str:
    """Return the number in ``"subject 1"``."""
    match = re.fullmatch(r"\D*(\d+)\s*", text)
    if not match:
        raise DataError(f"{where}: {text!r} is no {what} such as '{what} 1'; use the file as it was published")
    return match[1]


def _by_sample(table: FloatArray, where: str) -> FloatArray:
    """Return a table with a row per sample, however it lies."""
    if table.ndim != 2 or len(CHANNELS) not in table.shape:
        raise DataError(
            f"{where}: has the shape {table.shape}, expected {len(CHANNELS)} channels ({', '.join(CHANNELS)})"
        )
    return table if table.shape[1] == len(CHANNELS) else np.ascontiguousarray(table.T)


def load(folder: Path, window: int) -> SequenceSet:
    """Windows, `window` samples long, of the first differences of all :func:`recordings` (T App. D.1).

    Labels are the mental tasks, groups the subjects. Recordings that are left out are warned of.
    """
    length = as_count(window, "eeg: window", least=2)
    sequences, labels, groups, ids, short = [], [], [], [], []
    for entry in recordings(folder):
        parts = windows(entry.samples, length)
        if not parts:
            short.append(
                f"{entry.where}: has {len(entry.samples)} samples, a window needs {length + 1}; it was left out"
            )
        sequences += parts
        labels += [entry.task] * len(parts)
        groups += [entry.subject] * len(parts)
        ids += [f"{entry.name}/{part:02d}" for part in range(len(parts))]
    if not sequences:
        raise DataError(f"eeg: {folder} holds no recording of at least {length + 1} samples; lower window")
    for message in short:
        warnings.warn(message, KinseqWarning, stacklevel=2)
    return SequenceSet.from_arrays(sequences, labels=labels, groups=groups, ids=ids, name="eeg")


def subjects(sequences: SequenceSet, seed: int, **_: Any) -> list[Task]:
    """For each subject ten windows of each mental task, drawn at random, to be clustered into as many groups as tasks."""
    rng = stream(seed, "eeg windows")
    assert sequences.labels is not None
    assert sequences.groups is not None
    tasks = []
    for subject in np.unique(sequences.groups):
        of_subject = sequences.groups == subject
        samples = []
        for label in np.unique(sequences.labels[of_subject]):
            members = np.flatnonzero(of_subject & (sequences.labels == label))
            if len(members) < PER_TASK:
                raise DataError(
                    f"{sequences.name}: subject {subject} has {len(members)} windows of task {str(label)!r}, expected at"
                    f" least {PER_TASK}; add recordings or leave the subject out"
                )
            samples.append(rng.permutation(members)[:PER_TASK])
        if len(samples) < 2:
            raise DataError(f"{sequences.name}: subject {subject} has one mental task, expected several to tell apart")
        tasks.append(Task(f"subject{subject}", np.sort(np.concatenate(samples)), len(samples)))
    return tasks


LOADERS = (
    Loader(
        name="eeg",
        label="`<subject>_<task>_<session>.txt` of seven channels (a sample or a channel a line), or the published `.mat` file;"
        " differenced and cut, each subject is a task",
        notes={"window": "samples"},
        function=load,
        params={"window": 125},
        tasks=subjects,
    ),
)
