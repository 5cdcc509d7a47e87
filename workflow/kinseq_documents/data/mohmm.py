"""Mixtures of hidden Markov models: the synthetic data of the documents (after Smyth, 1997)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from kinseq.core.arrays import FloatArray, IntArray
from kinseq.core.errors import ParameterError
from kinseq.core.seeds import stream
from kinseq.core.sequences import SequenceSet

from ..tasks import Task
from .registry import Loader

TRANSITIONS: dict[str, FloatArray] = {
    "theta1": np.array([[0.6, 0.4], [0.4, 0.6]]),
    "theta2": np.array([[0.4, 0.6], [0.6, 0.4]]),
    "theta3": np.array([[0.7, 0.3], [0.3, 0.7]]),
}
"""Transition matrices of the generating models; emissions are N(0, 1) and N(3, 1), starts equiprobable (T 2.4.1)."""

MEANS = np.array([0.0, 3.0])


def sample_two_state(transmat: FloatArray, lengths: IntArray, rng: np.random.Generator) -> list[FloatArray]:
    """Draw sequences of shape (T, 1), of some lengths, from one two-state model with emissions N(0, 1) and N(3, 1)."""
    longest = int(lengths.max())
    uniform = rng.random((longest, lengths.size))
    states = np.empty((longest, lengths.size), dtype=np.int64)
    states[0] = uniform[0] < 0.5
    for t in range(1, longest):
        states[t] = uniform[t] >= transmat[states[t - 1], 0]
    values = MEANS[states] + rng.standard_normal((longest, lengths.size))
    return [values[:length, i, None].copy() for i, length in enumerate(lengths)]


def mixture(
    seed: int, n_sequences: int, mean_length: int, variation: float, models: Sequence[str] = ("theta1", "theta2")
) -> tuple[list[FloatArray], IntArray]:
    """Draw a data set: each sequence, of shape (T, 1), comes from one of the models with equal probability.

    Lengths are uniform in ``mean_length * (1 -+ variation / 100)``; `models` are names in :data:`TRANSITIONS`. Labels,
    shape (n_sequences,), are indices of the generating models. There are at least as many sequences as models.
    """
    if n_sequences < len(models):
        raise ParameterError(f"mohmm: n_sequences is {n_sequences}, fewer than the {len(models)} generating models")
    if not 0 <= variation < 100:
        raise ParameterError(f"mohmm: variation is {variation}, expected a percentage in [0, 100)")
    rng = stream(seed, "mohmm", n_sequences, mean_length)
    labels = rng.integers(len(models), size=n_sequences)
    # A task needs every class it is to find: a draw that misses one (2**-79 at N = 80) is repeated.
    while np.unique(labels).size < len(models):
        labels = rng.integers(len(models), size=n_sequences)
    low, high = mean_length * (1 - variation / 100), mean_length * (1 + variation / 100)
    lengths = np.maximum(1, np.rint(rng.uniform(low, high, size=n_sequences))).astype(np.int64)
    sequences: list[FloatArray] = [np.empty((0, 1))] * n_sequences
    for label, model in enumerate(models):
        members = np.flatnonzero(labels == label)
        for i, values in zip(members, sample_two_state(TRANSITIONS[model], lengths[members], rng), strict=True):
            sequences[int(i)] = values
    return sequences, labels.astype(np.int64)


def sweep(
    seed: int, n_sequences: Sequence[int], mean_length: Sequence[int], variation: float, models: Sequence[str]
) -> tuple[SequenceSet, list[Task]]:
    """Return one replicate of a curve: a data set for every point, each a task of its own.

    Exactly one of `n_sequences` and `mean_length` may have several values; it becomes the horizontal axis.
    """
    if min(len(n_sequences), len(mean_length)) != 1:
        raise ParameterError("mohmm: give several values to one of n_sequences and mean_length, not to both")
    along_length = len(n_sequences) == 1
    arrays: list[FloatArray] = []
    labels: list[IntArray] = []
    tasks: list[Task] = []
    for count in n_sequences:
        for length in mean_length:
            sequences, truth = mixture(seed, count, length, variation, models)
            name = f"l{length}" if along_length else f"n{count}"
            start = len(arrays)
            arrays.extend(sequences)
            labels.append(truth)
            indices = np.arange(start, start + count)
            tasks.append(Task(name, indices, len(models), x=float(length if along_length else count)))
    return SequenceSet.from_arrays(arrays, labels=np.concatenate(labels), name="mohmm"), tasks


_DEFAULTS: dict[str, Any] = {
    "n_sequences": [80],
    "mean_length": [125],
    "variation": 40.0,
    "models": ["theta1", "theta2"],
}

LOADERS = (
    Loader(
        name="mohmm",
        label="a mixture of two-state HMMs with emissions N(0, 1) and N(3, 1), anew in every trial",
        notes={
            "n_sequences": "several values here or for `mean_length`: one task each, the horizontal axis of a curve",
            "variation": "percent",
            "models": "also `theta3`",
        },
        function=sweep,
        kind="generated",
        params=_DEFAULTS,
    ),
)
