"""Statistics that mostly ignore the order of frames: levels, spreads, speeds and lengths."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..core.arrays import FloatArray
from ..core.sequences import Sequences, SequenceSet, as_sequence_set
from ..features.frames import fit_scaling, summarised
from .registry import Measure, MeasureInput

MIN_SPREAD = 1e-3
"""Deviations, relative to the spread of the feature, below which sequences do not differ: of centred sequences, means and spreads
differ by the digits with which values are written, and scaled to unit variance these would be noise."""


def summaries(sequences: Sequences) -> FloatArray:
    """Statistics of each sequence, (N, 3 d + 1).

    Of each feature its mean, its standard deviation (1/n) and the root mean square of its steps from frame to frame (0 for a
    single frame), in its unit; and the logarithm of the number of frames.
    """
    return summarised(as_sequence_set(sequences), _of_one_length)


def _of_one_length(frames: FloatArray) -> FloatArray:
    """Statistics of sequences of one length, shape (n, T, d)."""
    length = frames.shape[1]
    steps = np.diff(frames, axis=1) if length > 1 else np.zeros_like(frames)
    parts = [frames.mean(axis=1), frames.std(axis=1), np.sqrt(np.square(steps).mean(axis=1))]
    return np.concatenate([*parts, np.full((len(frames), 1), np.log(length))], axis=1)


def statistics(sequences: Sequences) -> FloatArray:
    """Return the Euclidean distance between statistics of sequences, each in units of its deviation over the set.

    Parameters
    ----------
    sequences : SequenceSet or list of array_like, each of shape (T, d)

    Returns
    -------
    ndarray, shape (N, N)
        Without unit; symmetric, not negative, zero diagonal. A statistic that all sequences share counts for nothing.
    """
    data = as_sequence_set(sequences)
    return _distances(data, data)


def _distances(new: SequenceSet, old: SequenceSet) -> FloatArray:
    from scipy.spatial.distance import cdist

    before = summaries(old)
    scaling = fit_scaling(before)
    spread = fit_scaling(old).scale
    unit = np.append(np.tile(spread, 3), 1.0)
    scaling = replace(scaling, scale=np.where(scaling.scale > MIN_SPREAD * unit, scaling.scale, unit))
    return np.asarray(cdist(scaling.apply(summaries(new)), scaling.apply(before)))


def _compute(evidence: MeasureInput) -> FloatArray:
    return statistics(evidence.sequences)


def _cross(old: MeasureInput, new: MeasureInput) -> FloatArray:
    return _distances(new.sequences, old.sequences)


MEASURES = (
    Measure(
        name="statistics",
        description="levels, spreads, speeds and lengths",
        label="statistics",
        source="in no document; the baseline of means and deviations",
        function=_compute,
        cross=_cross,
        requires="sequences",
        cheap=True,
        every_frame=True,
        scope="task",
    ),
)
