"""Integrals over priors, in the log-odds ``u = log(pi / (1 - pi))``, where ``d pi = pi (1 - pi) du``.

Weights of divergences are powers of pi and 1 - pi, so that integrands rise and fall exponentially in u, and both pi and
1 - pi can be held to full relative accuracy at either end.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import pairwise

import numpy as np

from ..core.arrays import FloatArray

MAX_LOG_ODDS = 200.0
"""Log-odds at which an integral over all priors is cut off; priors of 1e-87."""

# Integrands here are analytic within a distance of pi from the real line: on panels of this length, this many
# Gauss-Legendre nodes are exact to the last digits.
_PANEL, _NODES = 8.0, 24

# An integrand that has not fallen to this share of its peak at the cut-off is taken to diverge.
_MAX_TAIL_SHARE = 1e-9


def log_odds(prior: float, reach: float = MAX_LOG_ODDS) -> float:
    """Log-odds of a prior; plus or minus `reach` at 1 and 0."""
    if prior <= 0.0 or prior >= 1.0:
        return -reach if prior <= 0.0 else reach
    return float(np.log(prior) - np.log1p(-prior))


@cache
def _gauss() -> tuple[FloatArray, FloatArray]:
    """Nodes and weights on a panel from -1 to 1."""
    at, weight = np.polynomial.legendre.leggauss(_NODES)
    at.setflags(write=False)
    weight.setflags(write=False)
    return at, weight


def nodes(edges: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Nodes and weights of Gauss-Legendre quadrature between ascending edges; long intervals are cut into panels."""
    pieces = [np.linspace(a, b, max(1, int(np.ceil((b - a) / _PANEL))) + 1)[:-1] for a, b in pairwise(edges) if b > a]
    cuts = np.concatenate([*pieces, edges[-1:]])
    at, weight = _gauss()
    half, middle = 0.5 * np.diff(cuts)[:, None], 0.5 * (cuts[1:] + cuts[:-1])[:, None]
    return (half * at + middle).ravel(), (half * weight).ravel()


def priors_at(odds: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Priors pi and 1 - pi at log-odds."""
    return 1.0 / (1.0 + np.exp(-odds)), 1.0 / (1.0 + np.exp(odds))


def over_priors(
    integrand: Callable[[FloatArray, FloatArray], FloatArray],
    limits: tuple[float, float] = (0.0, 1.0),
    breaks: FloatArray | None = None,
) -> float | None:
    """Return the integral of ``integrand(pi, 1 - pi)`` between two priors, or None if it diverges at prior 0 or 1.

    `breaks` are log-odds at which it is not smooth.
    """
    low, high = (log_odds(limit) for limit in limits)
    inner = np.array([0.0]) if breaks is None else breaks
    odds, weights = nodes(np.concatenate([[low], np.unique(inner[(inner > low) & (inner < high)]), [high]]))
    prior, rest = priors_at(odds)
    values = integrand(prior, rest) * prior * rest
    peak = float(np.abs(values).max())
    ends = (values[0] if limits[0] <= 0.0 else 0.0, values[-1] if limits[1] >= 1.0 else 0.0)
    if max(abs(float(end)) for end in ends) > _MAX_TAIL_SHARE * peak:
        return None
    return float(weights @ values)
