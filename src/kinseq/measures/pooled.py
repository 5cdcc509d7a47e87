"""Mean and maximum of every feature over time, compared by the angle between them: content regardless of time."""

from __future__ import annotations

import numpy as np

from ..core.arrays import FloatArray
from ..core.sequences import Sequences, SequenceSet, as_sequence_set
from .registry import Measure, MeasureInput


def pooled(sequences: Sequences) -> FloatArray:
    """Return one minus the cosine of the angle between pooled sequences: the mean and the maximum of each feature over time.

    Parameters
    ----------
    sequences : SequenceSet or list of array_like, each of shape (T, d)
        Features in units of their spread (z-scores), as an analysis has them: else those of large numbers decide.

    Returns
    -------
    ndarray, shape (N, N)
        From 0 to 2, without unit; symmetric, zero diagonal. A sequence of zeros only is 1 from all others, and 0 from its like.

    References
    ----------
    In no document. Pooling by mean and maximum is usual for embeddings of words; ``docs/reports/words.md`` says what it was
    chosen by.
    """
    sequence_set = as_sequence_set(sequences)
    return _distances(sequence_set, sequence_set)


def _vectors(sequences: SequenceSet) -> FloatArray:
    """Pooled sequences of length 1, shape (N, 2 d)."""
    rows = np.array([np.concatenate([frames.mean(axis=0), frames.max(axis=0)]) for frames in sequences])
    # Before squares are summed, so that huge numbers stay in range.
    rows /= np.maximum(np.abs(rows).max(axis=1, keepdims=True), np.finfo(float).tiny)
    sizes = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(sizes > 0.0, sizes, 1.0))


def _distances(new: SequenceSet, old: SequenceSet) -> FloatArray:
    from scipy.spatial.distance import cdist

    # For vectors of length 1, half the squared distance is one minus the cosine, and exactly 0 for equal ones.
    first, second = _vectors(new), _vectors(old)
    distance = 0.5 * np.asarray(cdist(first, second, "sqeuclidean"))
    # One of the two is zero, and is half a step from the other.
    there = [np.abs(vectors).max(axis=1) > 0.0 for vectors in (first, second)]
    return np.where(there[0][:, None] != there[1], 1.0, distance)


def _compute(evidence: MeasureInput) -> FloatArray:
    return pooled(evidence.sequences)


def _cross(old: MeasureInput, new: MeasureInput) -> FloatArray:
    return _distances(new.sequences, old.sequences)


MEASURES = (
    Measure(
        name="pooled",
        description="mean and largest values together, at any time and regardless of overall size",
        label="pooled vectors",
        source="in no document; mean and maximum over time, by the cosine",
        function=_compute,
        cross=_cross,
        requires="sequences",
        ordered=False,
        cheap=True,
        every_frame=True,
    ),
)
