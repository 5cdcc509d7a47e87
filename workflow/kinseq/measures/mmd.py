"""Maximum mean discrepancy between sets of vectors."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..arrays import FloatArray
from ..divergences.mmd import median_distance, pairwise_mmd2
from ..sequences import SequenceSet
from .registry import Evidence, Measure


def _compute(evidence: Evidence, sigma: float | None, squared: bool) -> FloatArray:
    found = pairwise_mmd2(evidence.sequences, sigma)
    return found if squared else np.sqrt(found)


def _cross(old: Evidence, new: Evidence, sigma: float | None, squared: bool) -> FloatArray:
    width = median_distance(old.sequences.values) if sigma is None else sigma
    both = SequenceSet.from_arrays([*old.sequences, *new.sequences])
    found = pairwise_mmd2(both, width)[len(old.sequences) :, : len(old.sequences)]
    return found if squared else np.sqrt(found)


_PARAMS: dict[str, Any] = {"sigma": None, "squared": False}

MEASURES = (
    Measure(
        name="mmd",
        label="MMD",
        source="Gretton et al. 2007; thesis 2011, lemma 4.2.1",
        function=_compute,
        needs="sequences",
        scope="task",
        params=_PARAMS,
        cross=_cross,
    ),
)
