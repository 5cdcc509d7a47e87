"""Maximum mean discrepancy between sets of vectors."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.arrays import FloatArray, as_flag, as_positive
from ..core.sequences import SequenceSet
from ..divergences.checks import as_real
from ..divergences.mmd import median_distance, pairwise_mmd2
from .registry import Measure, MeasureInput


def _width(sets: SequenceSet, sigma: float | None, width_factor: float) -> float:
    """Return the width of the kernel: the given one or the median distance, times the factor."""
    factor = as_real(width_factor, "width_factor", 0.0, float("inf"))
    return factor * (median_distance(sets.values) if sigma is None else as_positive(sigma, "sigma"))


def _compute(evidence: MeasureInput, sigma: float | None, width_factor: float, squared: bool) -> FloatArray:
    squares = pairwise_mmd2(evidence.sequences, _width(evidence.sequences, sigma, width_factor))
    return squares if as_flag(squared, "squared") else np.sqrt(squares)


def _cross(old: MeasureInput, new: MeasureInput, sigma: float | None, width_factor: float, squared: bool) -> FloatArray:
    both = SequenceSet.from_arrays([*old.sequences, *new.sequences])
    squares = pairwise_mmd2(both, _width(old.sequences, sigma, width_factor))
    squares = squares[len(old.sequences) :, : len(old.sequences)]
    return squares if as_flag(squared, "squared") else np.sqrt(squares)


_PARAMS: dict[str, Any] = {"sigma": None, "width_factor": 1.0, "squared": False}

MEASURES = (
    Measure(
        name="mmd",
        description="how far the distributions of values differ in anything, regardless of the order of frames",
        label="MMD",
        source="Gretton et al. 2007; thesis 2011, lemma 4.2.1",
        function=_compute,
        requires="sequences",
        ordered=False,
        scope="task",
        params=_PARAMS,
        cross=_cross,
    ),
)
