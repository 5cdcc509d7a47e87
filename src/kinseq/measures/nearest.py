"""Dissimilarities of sets of vectors by nearest neighbours: the risk of the 1-NN rule, and Jeffreys divergences."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.arrays import FloatArray
from ..divergences.batch import pairwise_jeffreys
from ..divergences.cross_validation import pairwise_nn_risk
from ..divergences.nearest import Pool
from .registry import Measure, MeasureInput

LEAST_AFFINITY = 1e-300


def _clipped(matrix: FloatArray, name: str) -> tuple[FloatArray, dict[str, Any]]:
    """Set negative estimates to 0 and count them."""
    return np.maximum(matrix, 0.0), {f"{name}_clipped": int(np.triu(matrix < 0.0, k=1).sum())}


def _risk(evidence: MeasureInput, log: bool, **params: Any) -> tuple[FloatArray, dict[str, Any]]:
    risk = pairwise_nn_risk(evidence.sequences, **params)
    # The risk is an affinity d = -log(risk), so that a clusterer that computes exp(-d) recovers it.
    return _clipped(-np.log(np.maximum(2.0 * risk, LEAST_AFFINITY)) if log else 0.5 - risk, "nn_risk")


def _jeffreys(evidence: MeasureInput, sampling: Pool, **params: Any) -> tuple[FloatArray, dict[str, Any]]:
    # Models have a parameter called pool, and names of both kinds appear together in a request.
    return _clipped(pairwise_jeffreys(evidence.sequences, ("nn",), pool=sampling, **params)["nn"], "nn_j")


def _wang(evidence: MeasureInput, k: int) -> tuple[FloatArray, dict[str, Any]]:
    return _clipped(pairwise_jeffreys(evidence.sequences, ("wang",), k)["wang"], "wang_j")


MEASURES = (
    Measure(
        name="nn_risk",
        description="how often the nearest vector is of the other sequence, regardless of the order of frames",
        label="NN",
        source="thesis 2011, section 5.2.1",
        function=_risk,
        requires="sequences",
        ordered=False,
        params={"train": 0.5, "prior": "half", "log": False},
    ),
    Measure(
        name="nn_j",
        description="how different the distributions of values are, by errors of the nearest neighbour",
        label="NN-J",
        source="thesis 2011, eqs 5.41 and 5.45",
        function=_jeffreys,
        requires="sequences",
        ordered=False,
        params={"grid": "realisable", "n_priors": 1000, "limits": None, "sampling": "loo", "tail": "zero"},
    ),
    Measure(
        name="wang_j",
        description="how different the distributions of values are, by distances to nearest neighbours",
        label="Wang-J",
        source="Wang, Kulkarni and Verdu 2009; thesis 2011, section 5.5.7",
        function=_wang,
        requires="sequences",
        ordered=False,
        params={"k": 1},
        one_frame=False,
        counts_features=True,
    ),
)
