"""Dynamic time warping for spoken words: symmetric steps, cepstra without the energy."""

from __future__ import annotations

from typing import Any

from ..core.arrays import FloatArray
from ..core.jobs import as_threads
from ..core.sequences import Sequences, SequenceSet, as_sequence_set
from ..features.frames import PerSequence, normalise
from ..features.stacked import without_energy
from .alignment import align_all, warped_symmetric
from .registry import Measure, MeasureInput


def dtw_symmetric2(
    sequences: Sequences, normalisation: PerSequence = "none", kind: str | None = None, n_jobs: int | None = None
) -> FloatArray:
    """Cost of the best warping path over the sum of the two lengths, with symmetric steps: (N, N), units of the data per frame.

    Multivariate, Euclidean local cost, steps (1,0), (0,1) of weight 1 and (1,1) of weight 2, no window; the first
    frames are matched once. These are the step pattern and the normalisation of ``dtw(x, y)$normalizedDistance`` in R.
    Sequences are normalised by their own statistics first; of a set that holds several kinds of features, `kind` is
    compared, without its energy. Sakoe and Chiba (1978); Giorgino (2009), "Computing and visualizing dynamic time
    warping alignments in R". Report RR-8880, section 3.3, where it is the baseline; it states neither steps nor
    normalisation.
    """
    threads = as_threads(n_jobs)
    data = _preprocessed(as_sequence_set(sequences), normalisation, kind)
    return align_all(warped_symmetric, data, None, threads) / (data.lengths[:, None] + data.lengths)


def _preprocessed(sequences: SequenceSet, normalisation: PerSequence, kind: str | None) -> SequenceSet:
    return normalise(sequences if kind is None else without_energy(sequences, kind), normalisation)


def _compute(evidence: MeasureInput, **params: Any) -> FloatArray:
    return dtw_symmetric2(evidence.sequences, n_jobs=evidence.threads, **params)


def _cross(old: MeasureInput, new: MeasureInput, **params: Any) -> FloatArray:
    first, second = (_preprocessed(each.sequences, **params) for each in (new, old))
    return align_all(warped_symmetric, first, second, old.threads) / (first.lengths[:, None] + second.lengths)


MEASURES = (
    Measure(
        name="dtw_symmetric2",
        description="the course of values over time, at any speed, with diagonal steps counted twice",
        label="DTW (symmetric steps)",
        source="Sakoe and Chiba 1978; report RR-8880, section 3.3",
        function=_compute,
        cross=_cross,
        requires="sequences",
        params={"normalisation": "none", "kind": None},
    ),
)
