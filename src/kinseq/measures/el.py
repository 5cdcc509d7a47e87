"""Expected-likelihood kernel between Gaussian mixtures.

The probability product kernel of single vectors with rho = 1: ``k(p, q)`` is the integral of ``p(x) q(x)``, a sum over
pairs of components of the density of one mean under the other with both covariances added. (The printed closed form
has ``C^-1`` where ``C`` belongs.)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.arrays import FloatArray
from ..models.hmm import HMMBank
from .ppk import MAX_DISTANCE, log_ppk
from .registry import Measure, MeasureInput


def log_expected_likelihood(bank: HMMBank) -> FloatArray:
    """Natural logarithm of the kernel between all mixtures of a bank, whose weights are ``startprob``; shape (N, N).

    Lyu (2005); thesis 2011, section 4.2.1.
    """
    return log_ppk(bank, rho=1.0, n_frames=1)


def _compute(evidence: MeasureInput, normalised: bool) -> tuple[FloatArray, dict[str, Any]]:
    assert evidence.bank is not None
    logs = log_expected_likelihood(evidence.bank)
    if normalised:
        own = np.diag(logs)
        logs = np.minimum(logs - 0.5 * (own[:, None] + own), 0.0)
    floored = int(np.triu(logs < -MAX_DISTANCE, k=1).sum())
    distance = -np.maximum(logs, -MAX_DISTANCE)
    np.fill_diagonal(distance, 0.0)
    return distance, {"el_floored": floored}


MEASURES = (
    Measure(
        name="el",
        description="how far the distributions of values overlap, by one model of each sequence, regardless of the order of frames",
        label="EL",
        source="Lyu 2005; thesis 2011, section 4.2.1",
        function=_compute,
        requires="bank",
        ordered=False,
        model_kinds=("gmm", "gaussian"),
        params={"normalised": True},
    ),
)
