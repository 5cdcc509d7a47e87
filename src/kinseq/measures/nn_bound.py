"""The lower bound of the Jeffreys divergence by Mahalanobis distances."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.arrays import FloatArray
from ..divergences.checks import as_limits
from ..divergences.gaussian import Covariance, pairwise_mahalanobis_bound_jeffreys
from .registry import Measure, MeasureInput


def _compute(evidence: MeasureInput, limits: Sequence[float], regularisation: Covariance) -> FloatArray:
    return pairwise_mahalanobis_bound_jeffreys(evidence.sequences, as_limits(limits), regularisation)


MEASURES = (
    Measure(
        name="nn_bound_j",
        description="how different the distributions of values are at least, by their means and covariances",
        label="NN Bound-J",
        source="Devijver and Kittler 1982; thesis 2011, eq. 5.43",
        function=_compute,
        requires="sequences",
        ordered=False,
        scope="task",
        params={"limits": [0.0, 1.0], "regularisation": "floor"},
    ),
)
