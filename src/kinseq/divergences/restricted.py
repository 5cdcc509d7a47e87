"""Class-restricted divergences: information under the 0-1 loss that a class of decisions can use.

The risk of a decision is linear in the prior, so that the least risk over a class is the lower envelope of lines; the
points (misses, false alarms) on the lower convex hull make it. The two constant decisions belong to every class here,
which keeps the divergence between 0 and the unrestricted one (thesis 2011, theorem 5.4.1).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..core.arrays import FloatArray, as_count
from ..core.errors import DataError
from ..core.random_state import RandomState, check_seed
from ..core.seeds import stream
from .checks import as_limits, as_pair
from .families import FDivergence, as_distributions, as_divergence
from .quadrature import over_priors


def _hull(misses: FloatArray, alarms: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Vertices of the lower convex hull of points and the two constant decisions, by ascending misses."""
    points = np.unique(np.stack([np.append(misses, [0.0, 1.0]), np.append(alarms, [1.0, 0.0])], axis=1), axis=0)
    hull: list[tuple[float, float]] = []
    for a, b in points:
        while len(hull) > 1 and (hull[-1][0] - hull[-2][0]) * (b - hull[-2][1]) <= (hull[-1][1] - hull[-2][1]) * (
            a - hull[-2][0]
        ):
            hull.pop()
        if not hull or b < hull[-1][1]:
            hull.append((float(a), float(b)))
    vertices = np.array(hull)
    return vertices[:, 0], vertices[:, 1]


def _envelope_divergence(
    misses: FloatArray, alarms: FloatArray, divergence: FDivergence, limits: tuple[float, float]
) -> float:
    """Return the integral of information over priors for decisions with these shares of misses and of false alarms."""
    a, b = _hull(misses, alarms)
    with np.errstate(divide="ignore"):
        # Log-odds at which the best decision changes, from few misses at large priors to few alarms at small ones.
        changes = np.log((b[:-1] - b[1:]) / (a[1:] - a[:-1]))

    def information(pi: FloatArray, rest: FloatArray) -> FloatArray:
        # `changes` fall, since the trade-off curve is convex; searchsorted needs rising values.
        active = len(changes) - np.searchsorted(changes[::-1], np.log(pi) - np.log(rest))
        alone = np.where(
            pi <= rest, pi * (1.0 - a[active]) - rest * b[active], rest * (1.0 - b[active]) - pi * a[active]
        )
        return np.maximum(alone, 0.0)

    breaks = np.concatenate([[0.0], changes[np.isfinite(changes)]])
    value = over_priors(lambda pi, rest: information(pi, rest) * divergence.weight(pi, rest), limits, breaks)
    if value is None:
        raise DataError(
            f"distributions: their restricted {divergence.label} is infinite, since a decision is never wrong about one"
            " of them; give limits inside (0, 1)"
        )
    half = np.array([0.5])
    inside = limits[0] <= 0.5 <= limits[1]
    return value + (divergence.atom * float(information(half, half)[0]) if inside else 0.0)


def restricted_divergence(
    p: ArrayLike,
    q: ArrayLike,
    decisions: ArrayLike,
    divergence: str | FDivergence = "kl",
    weights: ArrayLike | None = None,
    limits: tuple[float, float] = (0.0, 1.0),
) -> float:
    """Class-restricted f-divergence of two distributions at the same points, with the class listed by decision.

    Parameters
    ----------
    p, q : array_like, shape (n,)
        Probabilities, or densities if there are weights.
    decisions : array_like of bool, shape (C, n)
        Each row says at which points a decision is for the first distribution. Both constant ones are added.
    divergence : str or FDivergence
        A name of ``kinseq.divergences.families.DIVERGENCES``.
    weights : array_like, shape (n,), optional
        Weights of a quadrature.
    limits : tuple of float
        Priors between which is integrated.

    Returns
    -------
    float
        At least 0, and not above the f-divergence.

    Raises
    ------
    DataError
        If the input is not usable or the divergence is infinite.

    References
    ----------
    Thesis 2011, eqs 5.13 and 5.14.
    """
    kind, between = as_divergence(divergence), as_limits(limits)
    first, second = as_distributions(p, q, weights)
    rows = np.atleast_2d(np.asarray(decisions, dtype=bool))
    if rows.ndim != 2 or rows.shape[1] != len(first):
        raise DataError(f"decisions: have shape {rows.shape}, expected one column for each of the {len(first)} points")
    # Rounding must not leave a sliver of probability to a decision that catches all or nothing of a distribution.
    misses = np.where((rows @ first) > 0.0, np.minimum(~rows @ first, 1.0), 1.0)
    alarms = np.where((~rows @ second) > 0.0, np.minimum(rows @ second, 1.0), 1.0)
    return _envelope_divergence(misses, alarms, kind, between)


def _thresholds(x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Shares of misses and false alarms of every threshold on a line, in both directions."""
    values = np.unique(np.concatenate([x, y]))
    below_x = np.searchsorted(np.sort(x), values, side="right") / len(x)
    below_y = np.searchsorted(np.sort(y), values, side="right") / len(y)
    return np.concatenate([below_x, 1.0 - below_x]), np.concatenate([1.0 - below_y, below_y])


def _directions(x: FloatArray, y: FloatArray, n_random: int, seed: int) -> FloatArray:
    """Directions to project on: Fisher's at several priors, the axes, and random ones."""
    from .gaussian import regular_moments

    d = x.shape[1]
    means, covariances = regular_moments(x, y)
    gap = means[0] - means[1]
    fisher = [np.linalg.solve(w * covariances[0] + (1.0 - w) * covariances[1], gap) for w in np.linspace(0.0, 1.0, 9)]
    random = stream(seed, "linear_divergence").normal(size=(n_random, d)) / np.sqrt(np.diag(covariances.mean(axis=0)))
    return np.concatenate([np.array(fisher), np.eye(d), random])


def linear_divergence(
    X: ArrayLike,
    Y: ArrayLike,
    divergence: str | FDivergence = "jeffreys",
    limits: tuple[float, float] | None = None,
    n_directions: int = 200,
    random_state: RandomState = 0,
) -> float:
    """Divergence of two samples restricted to linear classifiers, from their training errors.

    In one dimension every threshold is tried, which is exact. In more, every threshold on projections is, along Fisher's
    directions at several priors, the axes and random directions: a lower bound of the divergence of the samples.

    Parameters
    ----------
    X, Y : array_like, shapes (n, d) and (m, d)
    divergence : str or FDivergence
    limits : tuple of float, optional
        Priors between which is integrated; ``1 / (1 + m)`` and ``n / (1 + n)`` if not given, since samples that can be
        distinguished in part without error are infinitely far from each other otherwise.
    n_directions : int
        Number of random directions, at least 1.
    random_state : int, RandomState, Generator or None
        Names the stream of the random directions.

    Returns
    -------
    float
        At least 0; errors on the samples flatter the classifiers.

    Raises
    ------
    DataError, ParameterError
        If the sets or the arguments are not usable.

    References
    ----------
    Thesis 2011, section 5.4 and corollary 5.4.6.
    """
    seed = check_seed(random_state)
    kind, count = as_divergence(divergence), as_count(n_directions, "n_directions")
    x, y = as_pair(X, Y)
    between = (1.0 / (1.0 + len(y)), len(x) / (1.0 + len(x))) if limits is None else as_limits(limits)
    along = np.ones((1, 1)) if x.shape[1] == 1 else _directions(x, y, count, seed)
    hulls = [_hull(*_thresholds(x @ w, y @ w)) for w in along]
    return _envelope_divergence(
        np.concatenate([a for a, _ in hulls]), np.concatenate([b for _, b in hulls]), kind, between
    )
