"""f-divergences of two densities by their generators and by their integrals over priors (thesis 2011, table 5.1)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from kinseq.core.arrays import FloatArray
from kinseq.core.errors import DataError
from kinseq.divergences.checks import as_real
from kinseq.divergences.families import as_divergence, f_divergence, fl_divergence

from .registry import Estimator, Problem

REACH = 9.0
"""Deviations beyond which a Gaussian density is cut off; what lies there is below the last digit."""

EIGENVALUES = {"kl": 1.0, "jeffreys": 1.0, "hellinger": np.pi / 4.0}
"""Factor by which the operator of the square loss multiplies the weight: 2 B(a, b) for pi^-a (1-pi)^-b, a + b = 3."""


@dataclass(frozen=True)
class Densities:
    """Two densities at the points of a quadrature, and the name of the divergence that is requested."""

    p: FloatArray
    q: FloatArray
    weights: FloatArray
    divergence: str


def _draw(n: int, seed: int, divergence: str, shift: float) -> Densities:
    """Gauss-Legendre quadrature of n points (n even), half of them either side of where p = q; nothing is random."""
    gap = as_real(shift, "shift", -REACH, REACH)
    edges = _edges(gap)
    nodes, weights = np.polynomial.legendre.leggauss(max(n // 2, 2))
    half, middle = 0.5 * np.diff(edges)[:, None], 0.5 * (edges[1:] + edges[:-1])[:, None]
    at = (half * nodes + middle).ravel()
    return Densities(_normal(at), _normal(at - gap), (half * weights).ravel(), as_divergence(divergence).name)


def _normal(x: FloatArray | float) -> Any:
    """Return the density of N(0, 1)."""
    return np.exp(-0.5 * np.square(x)) / np.sqrt(2.0 * np.pi)


def _edges(shift: float) -> FloatArray:
    """Return where the integral over x begins and ends, and between them the point at which |t - 1| has its kink."""
    return np.array([-REACH + min(shift, 0.0), 0.5 * shift, REACH + max(shift, 0.0)])


def _truth(divergence: str, shift: float) -> dict[str, float]:
    """Adaptive quadrature of ``q f(p / q)``, independent of the points that are drawn."""
    from scipy import integrate

    divergence_entry, gap = as_divergence(divergence), as_real(shift, "shift", -REACH, REACH)

    def integrand(x: float) -> float:
        ratio = np.exp(gap * (0.5 * gap - x))
        return float(_normal(x - gap) * divergence_entry.generator(ratio))

    parts = pairwise(_edges(gap))
    value = sum(integrate.quad(integrand, a, b, epsabs=1e-13, epsrel=1e-12)[0] for a, b in parts)
    return {"divergence": value, "deviation": 0.0}


def _by_generator(densities: Densities, seed: int) -> float:
    return f_divergence(densities.p, densities.q, densities.divergence, densities.weights)


def _by_weight(densities: Densities, seed: int) -> float:
    return fl_divergence(densities.p, densities.q, densities.divergence, "zero_one", densities.weights)


def _by_square_loss(densities: Densities, seed: int) -> float:
    if densities.divergence not in EIGENVALUES:
        names = ", ".join(EIGENVALUES)
        raise DataError(
            f"the weight of {densities.divergence} is no eigenfunction under the square loss; valid: {names}"
        )
    integral = fl_divergence(densities.p, densities.q, densities.divergence, "square", densities.weights)
    return integral / EIGENVALUES[densities.divergence]


def _deviation(densities: Densities, seed: int) -> float:
    return _by_weight(densities, seed) - _by_generator(densities, seed)


PROBLEMS = (
    Problem(
        name="density_pair",
        label="two Gaussian densities",
        source="thesis 2011, table 5.1",
        draw=_draw,
        truth=_truth,
        quantities=("divergence", "deviation"),
        params={"divergence": "kl", "shift": 1.0},
    ),
)

ESTIMATORS = (
    Estimator(
        name="f_generator",
        label="by f",
        source="thesis 2011, table 5.1",
        function=_by_generator,
        estimates="divergence",
    ),
    Estimator(
        name="f_weight",
        label="by the weight, 0-1 loss",
        source="thesis 2011, eq. 5.10",
        function=_by_weight,
        estimates="divergence",
    ),
    Estimator(
        name="f_square_loss",
        label="by the weight, square loss, over its eigenvalue",
        source="thesis 2011, eqs 5.23 and 5.33",
        function=_by_square_loss,
        estimates="divergence",
    ),
    Estimator(
        name="f_deviation",
        label="0-1 loss minus f",
        source="thesis 2011, eq. 5.10",
        function=_deviation,
        estimates="deviation",
    ),
)
