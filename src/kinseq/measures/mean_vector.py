"""The baseline that uses only the mean of a sequence (T section 6.3)."""

from __future__ import annotations

import numpy as np

from ..core.arrays import FloatArray
from ..core.sequences import Sequences, SequenceSet, as_sequence_set
from .registry import Measure, MeasureInput


def mean_vectors(sequences: Sequences) -> FloatArray:
    """Return the Euclidean distance, (N, N), between the means of sequences, in the unit of the features.

    Thesis 2011, section 6.3 (mean of all MAR vectors of a song).
    """
    data = as_sequence_set(sequences)
    return _distances(data, data)


def _distances(new: SequenceSet, old: SequenceSet) -> FloatArray:
    from scipy.spatial.distance import cdist

    means = [np.array([frames.mean(axis=0) for frames in part]) for part in (new, old)]
    return np.asarray(cdist(*means))


def _compute(evidence: MeasureInput) -> FloatArray:
    return mean_vectors(evidence.sequences)


def _cross(old: MeasureInput, new: MeasureInput) -> FloatArray:
    return _distances(new.sequences, old.sequences)


MEASURES = (
    Measure(
        name="mean_vector",
        description="mean values, and nothing else",
        label="mean vectors",
        source="thesis 2011, section 6.3",
        function=_compute,
        cross=_cross,
        requires="sequences",
        ordered=False,
    ),
)
