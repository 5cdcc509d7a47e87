"""Risk of the nearest-neighbour rule at many priors: closed form against resampling (thesis 2011, section 5.5.5)."""

from __future__ import annotations

from typing import Literal

import numpy as np
from scipy.spatial import cKDTree

from kinseq.core.arrays import FloatArray, as_count
from kinseq.core.errors import ParameterError
from kinseq.core.seeds import stream
from kinseq.divergences.checks import as_choice, as_pair, as_priors
from kinseq.divergences.nearest import nn_risk_curve

from .registry import Estimator

Pair = tuple[FloatArray, FloatArray]
Scheme = Literal["fixed_size", "one_set"]

SCHEMES = ("fixed_size", "one_set")


def _sizes(n: int, m: int, prior: float, scheme: Scheme) -> tuple[int, int]:
    """Return how many vectors of either set stay, so that the first has the prior as its share."""
    if scheme == "fixed_size":
        total = min(n, m)
        return round(prior * total), total - round(prior * total)
    if prior * (n + m) <= n:
        return min(n, round(m * prior / (1.0 - prior))), m
    return n, min(m, round(n * (1.0 - prior) / prior))


def _leave_one_out(x: FloatArray, y: FloatArray, prior: float) -> float:
    """Error of the rule on two sets, each vector classified by all others."""
    both = np.concatenate([x, y])
    first = np.arange(len(both)) < len(x)
    neighbour = cKDTree(both).query(both, k=2)[1]
    # A vector with a twin may come second in its own list.
    other = np.where(neighbour[:, 0] == np.arange(len(both)), neighbour[:, 1], neighbour[:, 0])
    wrong = first != first[other]
    return float(prior * wrong[: len(x)].mean() + (1.0 - prior) * wrong[len(x) :].mean())


def resampled_risks(
    X: FloatArray, Y: FloatArray, priors: FloatArray, scheme: Scheme, repeats: int, seed: int
) -> FloatArray:
    """Leave-one-out risk of the nearest-neighbour rule at each prior of the first set, on random subsets, shape (P, repeats).

    Sets have shapes (n, d) and (m, d); each prior leaves at least one vector of either. Subsets are of as many vectors
    as the smaller set has, mixed as the prior says (``"fixed_size"``, scheme A); or one set whole and the other thinned
    (``"one_set"``, scheme B, what :func:`kinseq.divergences.nn_risk_curve` gives in closed form). Thesis 2011, figure
    5.2.
    """
    as_choice("scheme", scheme, SCHEMES)
    count, at = as_count(repeats, "repeats"), as_priors(priors)
    x, y = as_pair(X, Y)
    rng = stream(seed, "subsets", scheme)
    risks = np.empty((len(at), count))
    for row, prior in zip(risks, at, strict=True):
        n, m = _sizes(len(x), len(y), float(prior), scheme)
        if min(n, m) < 1:
            raise ParameterError(
                f"priors: {prior:g} leaves no vector of one of two sets of {len(x)} and {len(y)}; give priors nearer to 1/2"
            )
        for r in range(count):
            row[r] = _leave_one_out(
                x[rng.choice(len(x), n, replace=False)], y[rng.choice(len(y), m, replace=False)], float(prior)
            )
    return risks


def even_priors(n_priors: int) -> FloatArray:
    """Evenly spaced priors from 0.05 to 0.95, those of figure 5.2."""
    return np.linspace(0.05, 0.95, as_count(n_priors, "n_priors", least=2))


def _closed_form(pair: Pair, seed: int, n_priors: int) -> FloatArray:
    return nn_risk_curve(*pair, even_priors(n_priors))


def _resampling(pair: Pair, seed: int, n_priors: int, repeats: int, scheme: Scheme) -> FloatArray:
    return resampled_risks(*pair, even_priors(n_priors), scheme, repeats, seed)


ESTIMATORS = (
    Estimator(
        name="risks_closed_form",
        label="closed-form sampling",
        source="thesis 2011, eq. 5.41",
        function=_closed_form,
        params={"n_priors": 19},
    ),
    Estimator(
        name="risks_fixed_size",
        label="scheme A, 10 subsets a prior",
        source="thesis 2011, section 5.5.5",
        function=_resampling,
        params={"n_priors": 19, "repeats": 10, "scheme": "fixed_size"},
    ),
    Estimator(
        name="risks_one_set",
        label="scheme B, 10 subsets a prior",
        source="thesis 2011, section 5.5.5",
        function=_resampling,
        params={"n_priors": 19, "repeats": 10, "scheme": "one_set"},
    ),
)
