"""One item against all others at a time, as a measure of items that occur many times in sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..core.arrays import FloatArray, as_flag
from ..core.seeds import derive_seed
from ..sic.cache import Remembered, key_of
from ..sic.one_vs_all import OneVersusAll, one_versus_all
from ..sic.recipes import named
from .registry import Measure, MeasureInput

_RUNS: Remembered[OneVersusAll] = Remembered()
"""Measures with and without normalisation, which share a run."""


def _compute(
    evidence: MeasureInput, settings: Mapping[str, Any] | None, normalised: bool, **params: Any
) -> tuple[FloatArray, dict[str, Any]]:
    way, recipe = as_flag(normalised, "normalised"), named("crf", **(settings or {}))
    seed = derive_seed(evidence.seed, "sic_ova")
    key = key_of(evidence.tokens, {**params, "recipe": repr(recipe), "seed": seed})
    result = _RUNS.get(key)
    if result is None:
        result = one_versus_all(evidence.tokens, recipe, random_state=seed, progress="sic_ova", **params)
        _RUNS.put(key, result, result.counts.nbytes + sum(array.nbytes for array in result.both.values()))
    similarity = result.symmetric(result.both[way])
    distance = float(similarity.max()) - similarity
    np.fill_diagonal(distance, 0.0)
    return distance, result.findings


MEASURES = (
    Measure(
        name="sic_ova",
        description="how often words get the same label, each against all others",
        label="SIC+OVA",
        source="report RR-8880, section 3.2.2 and equation 11",
        function=_compute,
        requires="tokens",
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
