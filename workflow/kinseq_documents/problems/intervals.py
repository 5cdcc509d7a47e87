"""How often the intervals of a comparison hold the true value, and its p-values fall below a level."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from kinseq.core.arrays import FloatArray, as_count
from kinseq.core.errors import DataError
from kinseq.core.seeds import stream
from kinseq.divergences.checks import as_real
from kinseq.divergences.comparison import Comparison, compare
from kinseq.divergences.quadrature import over_priors

from .registry import Estimator, Problem

COVERAGE = 0.95
"""Coverage that the intervals aim at."""


@dataclass(frozen=True)
class Samples:
    """Two samples, and the estimates of a comparison.

    Attributes
    ----------
    x, y : ndarray, shapes (n, d)
    sigma : float
        Width of the kernel of MMD.
    truths : mapping
        True values by the names of :data:`kinseq.divergences.comparison.ESTIMATORS`.
    """

    x: FloatArray
    y: FloatArray
    sigma: float
    truths: Mapping[str, float]
    compared: dict[tuple[Any, ...], Comparison] = field(default_factory=dict, compare=False, repr=False)

    def comparison(self, names: tuple[str, ...], **settings: Any) -> Comparison:
        """:func:`kinseq.divergences.compare`, made once for all estimators that require the same."""
        key = (names, *sorted(settings.items()))
        if key not in self.compared:
            self.compared[key] = compare(self.x, self.y, names, **settings)
        return self.compared[key]


def _draw(n: int, seed: int, d: int, shift: float) -> Samples:
    as_count(d, "d")
    x, y = (stream(seed, name).normal(at, size=(n, d)) for name, at in (("first", 0.0), ("second", shift)))
    sigma = float(np.sqrt(2.0 * d))
    return Samples(x, y, sigma, true_values(d, shift, sigma))


def true_values(d: int, shift: float, sigma: float) -> dict[str, float]:
    """Return the estimate from samples of N(0, I) and N(shift 1, I) in d dimensions.

    The Jeffreys divergence and its bound in nats, and MMD^2 with a Gaussian kernel of width `sigma`.
    """
    squared = d * as_real(shift, "shift", -np.inf, np.inf) ** 2
    bound = over_priors(lambda pi, rest: squared / (1.0 + pi * rest * squared))
    assert bound is not None
    # The mean of the kernel over two Gaussians is that of a wider kernel at their means.
    wide = sigma**2 + 2.0
    mmd2 = 2.0 * (sigma**2 / wide) ** (0.5 * d) * (1.0 - np.exp(-0.5 * squared / wide))
    return {"nn_j": squared, "wang_j": squared, "nn_bound_j": bound, "mmd2": float(mmd2)}


def _truth(d: int, shift: float) -> dict[str, float]:
    """Shares of runs as they should be; those of p-values if the shift is 0."""
    return {"covered": COVERAGE, "below_5": 0.05, "below_25": 0.25, "below_50": 0.5, "below_75": 0.75}


def _covers(samples: Samples, seed: int, of: str, subsamples: int) -> float:
    if of not in samples.truths:
        raise DataError(f"the true value of {of} is not known; valid: {', '.join(samples.truths)}")
    settings = {"level": COVERAGE, "n_subsamples": subsamples, "n_permutations": 19, "sigma": samples.sigma}
    interval = samples.comparison(tuple(samples.truths), **settings, random_state=seed)[of]
    if interval.low is None:
        raise DataError(f"{of} has no interval with {samples.x.shape[1]} features; leave it out there")
    return float(interval.low <= samples.truths[of] and (interval.high is None or samples.truths[of] <= interval.high))


def _below(samples: Samples, seed: int, of: str, percent: int, permutations: int) -> float:
    test_result = samples.comparison((of,), n_subsamples=20, n_permutations=permutations, random_state=seed)[of]
    if test_result.p_value is None:
        raise DataError(f"{of} has no p-value; take nn_risk or mmd2")
    # Levels are fractions that floating-point numbers may miss by one digit.
    return float(test_result.p_value <= percent / 100.0 + 1e-9)


PROBLEMS = (
    Problem(
        name="two_samples",
        label="Gaussian samples",
        source="not in the documents",
        draw=_draw,
        truth=_truth,
        quantities=("covered", "below_5", "below_25", "below_50", "below_75"),
        params={"d": 2, "shift": 1.0},
    ),
)

ESTIMATORS = (
    Estimator(
        name="interval_holds",
        label="NN-J",
        source="not in the documents",
        function=_covers,
        estimates="covered",
        params={"of": "nn_j", "subsamples": 60},
    ),
    Estimator(
        name="p_below_5",
        label="MMD^2, p <= 0.05",
        source="not in the documents",
        function=_below,
        estimates="below_5",
        params={"of": "mmd2", "percent": 5, "permutations": 199},
    ),
    Estimator(
        name="p_below_25",
        label="MMD^2, p <= 0.25",
        source="not in the documents",
        function=_below,
        estimates="below_25",
        params={"of": "mmd2", "percent": 25, "permutations": 199},
    ),
    Estimator(
        name="p_below_50",
        label="MMD^2, p <= 0.5",
        source="not in the documents",
        function=_below,
        estimates="below_50",
        params={"of": "mmd2", "percent": 50, "permutations": 199},
    ),
    Estimator(
        name="p_below_75",
        label="MMD^2, p <= 0.75",
        source="not in the documents",
        function=_below,
        estimates="below_75",
        params={"of": "mmd2", "percent": 75, "permutations": 199},
    ),
)
