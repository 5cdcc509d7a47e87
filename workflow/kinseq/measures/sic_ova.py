"""One item against all others at a time, as a measure of items that occur many times in sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..arrays import FloatArray
from ..seeds import derive_seed
from ..sic.recipes import named
from ..sic.versus import one_versus_all
from .registry import Evidence, Measure


def _compute(
    evidence: Evidence, settings: Mapping[str, Any] | None, **params: Any
) -> tuple[FloatArray, dict[str, Any]]:
    found = one_versus_all(
        evidence.tokens,
        named("crf", **(settings or {})),
        seed=derive_seed(evidence.seed, "sic_ova"),
        progress="sic_ova",
        **params,
    )
    distance = float(found.matrix.max()) - found.matrix
    np.fill_diagonal(distance, 0.0)
    return distance, found.findings


MEASURES = (
    Measure(
        name="sic_ova",
        label="SIC+OVA",
        source="report RR-8880, section 3.2.2 and equation 11",
        function=_compute,
        needs="tokens",
        scope="task",
        random=True,
        params={
            "settings": None,
            "n_iterations": 100,
            "train": 0.25,
            "negatives": 5.0,
            "normalised": True,
            "counting": "presence",
            "test": None,
        },
    ),
)
