"""Long recordings made of segments, cut into windows that are compared like sequences (T App. C).

Windows do not overlap; what is left at the end joins the last window if it is shorter than half a window. The true
source of a window is the one most of its samples come from, the lowest of equals. A run of windows of one source is a
segment.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kinseq.core.arrays import FloatArray, IntArray, as_count
from kinseq.core.errors import DataError, ParameterError
from kinseq.core.seeds import stream
from kinseq.core.sequences import SequenceSet
from kinseq.features.frames import window_edges

from ..tasks import Task
from . import japanese_vowels
from .mohmm import TRANSITIONS, sample_two_state
from .registry import Loader


def majority(labels: NDArray[np.int64], edges: IntArray) -> IntArray:
    """Label that most samples of each window carry, the lowest of equals; shape (M,)."""
    return np.array(
        [np.bincount(labels[start:end]).argmax() for start, end in pairwise(edges)],
        dtype=np.int64,
    )


def _runs(labels: IntArray) -> IntArray:
    """Return the number of the run that each item belongs to, from 0."""
    return np.concatenate([[0], np.cumsum(labels[1:] != labels[:-1])]).astype(np.int64)


def cut(values: FloatArray, sources: IntArray, windows: Sequence[int], name: str) -> tuple[SequenceSet, list[Task]]:
    """Windows of several lengths over one recording of shape (T, d), each length a task of its own.

    `sources`, shape (T,), is the true source of each sample; `windows` are lengths in samples, the tasks' positions on
    the axis of a table. Labels of the set are true sources, groups the numbers of true segments within the task. Tasks
    have the numbers of sources and segments as the windows show them.
    """
    arrays: list[FloatArray] = []
    labels: list[IntArray] = []
    segments: list[IntArray] = []
    ids: list[str] = []
    tasks = []
    for window in windows:
        edges = window_edges(len(values), window)
        true = majority(sources, edges)
        runs = _runs(true)
        start = len(arrays)
        arrays += [values[a:b] for a, b in pairwise(edges)]
        ids += [f"w{window}/{i:05d}" for i in range(edges.size - 1)]
        labels.append(true)
        segments.append(runs)
        indices = np.arange(start, len(arrays))
        n_sources = int(np.unique(true).size)
        tasks.append(Task(f"w{window}", indices, n_sources, x=float(window), n_segments=int(runs[-1]) + 1))
    if not tasks:
        raise ParameterError(f"{name}: windows is empty; give at least one length")
    return (
        SequenceSet.from_arrays(
            arrays, labels=np.concatenate(labels), groups=np.concatenate(segments), ids=ids, name=name
        ),
        tasks,
    )


def mixture_segments(
    seed: int,
    n_segments: int,
    shortest: int,
    longest: int,
    windows: Sequence[int],
    models: Sequence[str],
) -> tuple[SequenceSet, list[Task]]:
    """Return one recording of segments that come from two-state models in turn, as many from each as can be.

    The models, at least two of :data:`kinseq_documents.data.mohmm.TRANSITIONS`, alternate: two neighbouring segments of
    one source would be a single segment to any method. Lengths of segments are uniform from `shortest` to `longest`.
    Thesis 2011, section C.3.1 (20 segments of U[350, 2000] samples from two models; the caption of Table C.1 has 8).
    """
    count = as_count(n_segments, "mohmm_segments: n_segments")
    if len(models) < 2:
        raise ParameterError("mohmm_segments: models needs at least two names, for segments to differ")
    if not 0 < shortest <= longest:
        raise ParameterError(f"mohmm_segments: lengths from {shortest} to {longest} are no range of positive numbers")
    rng = stream(seed, "mohmm segments", count, shortest, longest)
    lengths = rng.integers(shortest, longest, size=count, endpoint=True)
    source = np.arange(count) % len(models)
    parts = [
        sample_two_state(TRANSITIONS[models[m]], lengths[i : i + 1], rng)[0] for i, m in enumerate(source.tolist())
    ]
    return cut(np.concatenate(parts), np.repeat(source, lengths), windows, "mohmm_segments")


def _concatenated(folder: Path) -> tuple[FloatArray, IntArray]:
    utterances = japanese_vowels.load(folder, "train")
    assert utterances.labels is not None
    speakers = np.unique(utterances.labels, return_inverse=True)[1].astype(np.int64)
    return utterances.values, np.repeat(speakers, utterances.lengths)


def load_vowels(folder: Path, windows: Sequence[int]) -> SequenceSet:
    """Return all utterances of Japanese Vowels, speaker by speaker, as one recording cut into windows.

    Lengths are in frames of 6.4 ms. Thesis 2011, section C.3.2; arXiv 1004.1982, section 4.2.1.
    """
    return cut(*_concatenated(folder), windows, "japanese_vowels_concat")[0]


def vowel_tasks(sequences: SequenceSet, seed: int, windows: Sequence[int]) -> list[Task]:
    """Return one task per length of window; the same ones for every seed."""
    labels, groups = sequences.labels, sequences.groups
    if labels is None or groups is None:
        raise DataError(f"{sequences.name}: has no labels or segments; load it with its own loader")
    tasks = []
    for window in windows:
        indices = np.flatnonzero([name.startswith(f"w{window}/") for name in sequences.ids.tolist()])
        n_sources, n_segments = int(np.unique(labels[indices]).size), int(groups[indices].max()) + 1
        tasks.append(Task(f"w{window}", indices, n_sources, x=float(window), n_segments=n_segments))
    return tasks


LOADERS = (
    Loader(
        name="mohmm_segments",
        label="a recording whose segments come from two HMMs in turn, cut into windows, anew in every trial",
        notes={"longest": "samples"},
        function=mixture_segments,
        kind="generated",
        params={
            "n_segments": 20,
            "shortest": 350,
            "longest": 2000,
            "windows": [100, 125, 150],
            "models": ["theta1", "theta2"],
        },
    ),
    Loader(
        name="japanese_vowels_concat",
        label="the vowels of all speakers as one recording, cut into windows; each length of window is a task",
        notes={"windows": "frames"},
        function=load_vowels,
        params={"windows": [10, 15, 20]},
        tasks=vowel_tasks,
    ),
)
