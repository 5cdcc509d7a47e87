"""Shapes compared frame by frame, without alignment: for sequences that begin at the same moment."""

from __future__ import annotations

import numpy as np

from ..core.arrays import FloatArray
from ..core.sequences import Sequences, SequenceSet, as_sequence_set
from ..features.frames import median_length
from .elastic import standardised, stretched
from .registry import Measure, MeasureInput


def lockstep_shape(sequences: Sequences) -> FloatArray:
    """Return the squared Euclidean distance of sequences stretched to one length, each in units of its own.

    Alignments forgive that the same comes earlier or later; here it counts. Two sines of one period are as far apart as
    their phases are.

    Parameters
    ----------
    sequences : SequenceSet or list of array_like, each of shape (T, d)
        Sequences are resampled at their median length; every feature is less its mean over its deviation, sequence by
        sequence. A constant feature becomes 0.

    Returns
    -------
    ndarray, shape (N, N)
        Mean over frames of the squared distance of frames, without unit; symmetric, not negative, zero diagonal.

    Notes
    -----
    Source: in no document; a lock-step distance in the sense of Paparrizos et al. (2020), "Debunking four long-standing
    misconceptions of time-series distance measures".
    """
    data = as_sequence_set(sequences)
    return _distances(data, data)


def _distances(new: SequenceSet, old: SequenceSet) -> FloatArray:
    from scipy.spatial.distance import cdist

    rows = [np.stack([frames.ravel() for frames in _shapes(some, old)]) for some in (new, old)]
    return np.asarray(cdist(*rows, metric="sqeuclidean") / median_length(old))


def _shapes(sequences: SequenceSet, like: SequenceSet) -> SequenceSet:
    return standardised(stretched(standardised(sequences), like))


def _compute(evidence: MeasureInput) -> FloatArray:
    return lockstep_shape(evidence.sequences)


def _cross(old: MeasureInput, new: MeasureInput) -> FloatArray:
    return _distances(new.sequences, old.sequences)


MEASURES = (
    Measure(
        name="lockstep_shape",
        description="the shape of the course at each moment, without alignment",
        label="lock-step distance of shapes",
        source="in no document; Paparrizos et al. 2020",
        function=_compute,
        cross=_cross,
        requires="sequences",
        cheap=True,
        scope="task",
        one_frame=False,
    ),
)
