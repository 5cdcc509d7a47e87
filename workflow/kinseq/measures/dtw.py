"""Dynamic time warping, the model-free control beside the likelihood-based distances."""

from __future__ import annotations

import warnings

import numpy as np

from ..arrays import FloatArray
from ..sequences import Sequences, as_sequence_set
from .registry import Evidence, Measure


def dtw(sequences: Sequences) -> FloatArray:
    """Cost of the best warping path over the sum of the two lengths.

    Multivariate (one path for all features), squared Euclidean local cost, steps (1,0), (0,1), (1,1) of equal weight,
    no window.

    Parameters
    ----------
    sequences : SequenceSet or list of array_like, each of shape (T, d)
        Any lengths.

    Returns
    -------
    ndarray, shape (N, N)
        Squared units of the data per frame; symmetric, not negative, zero diagonal.

    References
    ----------
    Sakoe and Chiba (1978). Only the control of the experiments; no document prints numbers for it on these data.
    """
    from aeon.distances import dtw_pairwise_distance
    from numba.core.errors import NumbaWarning

    given = as_sequence_set(sequences)
    with warnings.catch_warnings():
        # About aeon's own integers, while it is compiled.
        warnings.simplefilter("ignore", NumbaWarning)
        # aeon wants (features, time); its pairwise matrix mirrors one triangle.
        cost = np.asarray(dtw_pairwise_distance([np.ascontiguousarray(frames.T) for frames in given]), dtype=np.float64)
    lengths = given.lengths.astype(np.float64)
    distance: FloatArray = cost / (lengths[:, None] + lengths)
    np.fill_diagonal(distance, 0.0)
    return distance


def _compute(evidence: Evidence) -> FloatArray:
    return dtw(evidence.sequences)


MEASURES = (
    Measure(
        name="dtw",
        label="DTW",
        source="Sakoe and Chiba 1978",
        function=_compute,
        needs="sequences",
    ),
)
