"""Divergences from means and covariances: of fitted Gaussians, and Mahalanobis bounds.

Covariances of small sets are singular. The readings offered: ``"floor"`` lifts the eigenvalues of ``D^-1/2 S D^-1/2`` to
:data:`MIN_EIGENVALUE`, D being the variances of all vectors given (the rule of the hidden Markov models); ``"ledoit_wolf"``
shrinks towards a multiple of the identity; ``"pinv"`` leaves out directions in which neither set varies.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from ..core.arrays import FloatArray, require_finite
from ..core.errors import DataError, ParameterError
from ..core.sequences import Sequences, SequenceSet, as_sequence_set
from ..core.variances import pooled_variances
from .checks import as_choice, as_limits, as_pair
from .quadrature import log_odds, nodes, priors_at

Covariance = Literal["floor", "pinv", "ledoit_wolf"]

COVARIANCES = ("floor", "pinv", "ledoit_wolf")

MIN_EIGENVALUE = 1e-3
"""Least eigenvalue of a covariance in units of the pooled variances."""

_RANK = 1e-12


def _moments(array: FloatArray, covariance: Covariance, scale: FloatArray, where: str) -> tuple[FloatArray, FloatArray]:
    """Return the mean and regular covariance (ddof = 1) of a set of vectors."""
    mean = array.mean(axis=0)
    if covariance == "ledoit_wolf":
        from sklearn.covariance import ledoit_wolf

        if len(array) < 2:
            raise DataError(
                f"{where}: has 1 vector, covariance 'ledoit_wolf' needs at least 2; take covariance 'floor'"
            )
        return mean, np.asarray(ledoit_wolf(array)[0])
    centred = array - mean
    matrix = centred.T @ centred / max(len(array) - 1, 1)
    if covariance == "pinv":
        return mean, matrix
    root = np.sqrt(scale)
    values, vectors = np.linalg.eigh(matrix / (root[:, None] * root))
    lifted = (vectors * np.maximum(values, MIN_EIGENVALUE)) @ vectors.T
    return mean, np.asarray(0.5 * (lifted + lifted.T) * (root[:, None] * root))


def _scale(sets: SequenceSet) -> FloatArray:
    """Variances of all vectors of all sets, shape (d,), positive."""
    with np.errstate(over="ignore", invalid="ignore"):
        return np.asarray(pooled_variances(sets, np.arange(len(sets)), np.array([0, len(sets)]))[0])


def _fits(sets: SequenceSet, covariance: Covariance) -> tuple[FloatArray, FloatArray]:
    as_choice("covariance", covariance, COVARIANCES)
    scale = _scale(sets)
    with np.errstate(over="ignore", invalid="ignore"):
        fits = [
            _moments(array, covariance, scale, f"{sets.name}: set {str(name)!r}")
            for array, name in zip(sets, sets.ids, strict=True)
        ]
    means, covariances = np.array([mean for mean, _ in fits]), np.array([matrix for _, matrix in fits])
    require_finite(covariances, f"{sets.name}: covariances (scale the features)")
    return means, covariances


def regular_moments(x: FloatArray, y: FloatArray, covariance: Covariance = "floor") -> tuple[FloatArray, FloatArray]:
    """Return means (2, d) and regular covariances (2, d, d) of two sets."""
    return _fits(SequenceSet.from_arrays([x, y]), covariance)


def kl_of_gaussians(mean_p: ArrayLike, cov_p: ArrayLike, mean_q: ArrayLike, cov_q: ArrayLike) -> float:
    """Return the Kullback-Leibler divergence between two Gaussian distributions in closed form.

    Parameters
    ----------
    mean_p, mean_q : array_like, shape (d,)
    cov_p, cov_q : array_like, shape (d, d)
        Positive definite.

    Returns
    -------
    float
        In nats, at least 0.

    Raises
    ------
    DataError
        If a covariance is not positive definite.
    """
    gap = np.atleast_1d(np.asarray(mean_q, dtype=np.float64) - np.asarray(mean_p, dtype=np.float64))
    p, q = np.atleast_2d(np.asarray(cov_p, dtype=np.float64)), np.atleast_2d(np.asarray(cov_q, dtype=np.float64))
    try:
        lower_p, lower_q = np.linalg.cholesky(p), np.linalg.cholesky(q)
    except np.linalg.LinAlgError:
        raise DataError("Gaussians: a covariance is not positive definite; regularise it first") from None
    ratio, shift = np.linalg.solve(lower_q, lower_p), np.linalg.solve(lower_q, gap)
    logs = np.log(np.diag(lower_q)).sum() - np.log(np.diag(lower_p)).sum()
    return max(float(0.5 * ((ratio**2).sum() - len(gap) + shift @ shift) + logs), 0.0)


def gaussian_kl(X: ArrayLike, Y: ArrayLike, covariance: Literal["floor", "ledoit_wolf"] = "floor") -> float:
    """Return the Kullback-Leibler divergence between Gaussians fitted to two sets.

    Parameters
    ----------
    X, Y : array_like, shapes (n, d) and (m, d)
    covariance : {"floor", "ledoit_wolf"}
        How singular covariances (ddof = 1) are made regular; see the module.

    Returns
    -------
    float
        In nats, at least 0.

    Raises
    ------
    DataError, ParameterError
        If the sets or the arguments are not usable.
    """
    as_choice("covariance", covariance, ("floor", "ledoit_wolf"))
    means, covariances = _fits(SequenceSet.from_arrays(as_pair(X, Y)), covariance)
    return kl_of_gaussians(means[0], covariances[0], means[1], covariances[1])


def _directions(gap: FloatArray, p: FloatArray, q: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Mixtures of two covariances in a basis where all of them are diagonal, for stacks of shape (P, d) and (P, d, d).

    Returns squared components of the gaps, and the diagonals of p and of q where p + q is the identity; directions in
    which neither varies have component zero.
    """
    values, vectors = np.linalg.eigh(p + q)
    inside = values > _RANK * np.maximum(values[:, -1:], np.finfo(np.float64).tiny)
    root = np.where(inside, 1.0 / np.sqrt(np.where(inside, values, 1.0)), 0.0)
    whitener = vectors * root[:, None, :]
    share, turn = np.linalg.eigh(whitener.swapaxes(1, 2) @ p @ whitener)
    component = np.einsum("pij,pi->pj", turn, np.einsum("pij,pi->pj", whitener, gap))
    share = np.clip(share, 0.0, 1.0)
    return component**2, share, 1.0 - share


class _Floored:
    """Covariances with eigenvalues raised to :data:`MIN_EIGENVALUE`: multiples of the identity plus matrices of low rank.

    In units of the pooled deviations a covariance is ``FLOOR I + A A'``. All that tells two of them apart lies in the
    columns of both A, and the bound sees one direction more, the difference of the means. So a pair of sets of few
    vectors needs the eigenvalues of a small matrix only, whatever the number of features.
    """

    def __init__(self, means: FloatArray, covariances: FloatArray, scale: FloatArray) -> None:
        root = np.sqrt(scale)
        self._means = means / root
        values, vectors = np.linalg.eigh(covariances / (root[:, None] * root))
        # Largest first.
        self._values, self._vectors = values[:, ::-1], vectors[:, :, ::-1]
        beyond = self._values - MIN_EIGENVALUE
        beyond[beyond <= _RANK * self._values[:, :1]] = 0.0
        self._ranks = (beyond > 0.0).sum(axis=1)
        columns = int(self._ranks.max())
        self._factors = self._vectors[:, :, :columns] * np.sqrt(beyond[:, None, :columns])

    def directions(self, i: int, j: slice) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the directions of :func:`_directions`, for set i and each set of a slice."""
        rank, columns = int(self._ranks[i]), int(self._ranks[j].max())
        gaps = self._means[i] - self._means[j]
        factors = np.concatenate([self._factors[j, :, :columns], gaps[:, :, None]], axis=2)
        # Where the covariance of set i is diagonal, with one value after the first.
        turned = np.ascontiguousarray(self._vectors[i].T) @ factors
        if turned.shape[1] - rank > columns + 1:
            turned = np.concatenate([turned[:, :rank], np.linalg.qr(turned[:, rank:], mode="r")], axis=1)
        own = self._values[i, : turned.shape[1]]
        scaled = turned / np.sqrt(own)[:, None]
        factor, shift = scaled[:, :, :-1], scaled[:, :, -1]
        ratio, turn = np.linalg.eigh(factor @ factor.swapaxes(1, 2) + np.diag(MIN_EIGENVALUE / own))
        ratio = np.maximum(ratio, MIN_EIGENVALUE / own[0])
        component = np.einsum("pij,pi->pj", turn, shift)
        return component**2 / (1.0 + ratio), 1.0 / (1.0 + ratio), ratio / (1.0 + ratio)


def _integrals(
    squares: FloatArray, first: FloatArray, second: FloatArray, limits: tuple[float, float], jeffreys: bool
) -> FloatArray:
    """Return bounds for a stack of P pairs in the bases of :func:`_directions`; arrays have shape (P, directions)."""
    low, high = limits
    counts = squares > 0.0
    for end, share in ((low == 0.0, second), (high == 1.0, first)):
        if end and (counts & (share <= _RANK)).any():
            raise ParameterError(
                "limits are (0, 1), but one set does not vary in a direction in which the other does and the means"
                " differ, and the bound is infinite; give limits inside (0, 1) such as (0.001, 0.999),"
                " or take covariance 'floor'"
            )
    # Beyond this, the integrands are below the last digit, since their slopes in the log-odds are at least one.
    with np.errstate(divide="ignore"):
        largest = np.where(counts, squares / np.maximum(np.minimum(first, second), _RANK), 0.0).sum(axis=1).max()
    reach = 40.0 + np.log1p(largest)
    odds, weights = nodes(np.array([log_odds(low, reach), log_odds(high, reach)]))
    prior, rest = priors_at(odds)
    total = np.zeros(len(squares))
    step = max(1, (1 << 18) // squares.size)
    for k in range(0, len(odds), step):
        at, other = prior[k : k + step, None], rest[k : k + step, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            terms = squares / (at[..., None] * first + other[..., None] * second)
        distance = at * other * np.where(counts, terms, 0.0).sum(axis=2)
        # d pi = pi (1 - pi) d(log-odds).
        total += weights[k : k + step] @ ((1.0 if jeffreys else other) * distance / (1.0 + distance))
    return total


def _bound(X: ArrayLike, Y: ArrayLike, limits: tuple[float, float], covariance: Covariance, jeffreys: bool) -> float:
    between = as_limits(limits)
    means, covariances = _fits(SequenceSet.from_arrays(as_pair(X, Y)), covariance)
    directions = _directions((means[0] - means[1])[None], covariances[:1], covariances[1:])
    return float(_integrals(*directions, between, jeffreys)[0])


def mahalanobis_bound_kl(
    X: ArrayLike, Y: ArrayLike, limits: tuple[float, float] = (0.0, 1.0), covariance: Covariance = "floor"
) -> float:
    """Return the lower bound of the Kullback-Leibler divergence by the Mahalanobis distance at every prior (NN Bound-KL).

    ``int (1 - pi) D(pi) / (1 + pi (1 - pi) D(pi)) dpi``, where D(pi) is the squared Mahalanobis distance of the means
    under the covariance ``pi S_X + (1 - pi) S_Y``.

    Parameters
    ----------
    X, Y : array_like, shapes (n, d) and (m, d)
    limits : tuple of float
        Priors between which is integrated.
    covariance : {"floor", "pinv", "ledoit_wolf"}
        How singular covariances (ddof = 1) are dealt with; see the module.

    Returns
    -------
    float
        In nats, at least 0; 0 for equal means whatever else differs.

    Raises
    ------
    DataError, ParameterError
        If the sets or the arguments are not usable, or the bound is infinite.

    References
    ----------
    Devijver and Kittler (1982); thesis 2011, eq. 5.42.
    """
    return _bound(X, Y, limits, covariance, jeffreys=False)


def mahalanobis_bound_jeffreys(
    X: ArrayLike, Y: ArrayLike, limits: tuple[float, float] = (0.0, 1.0), covariance: Covariance = "floor"
) -> float:
    """Return the lower bound of the Jeffreys divergence by the Mahalanobis distance at every prior (NN Bound-J).

    ``int D(pi) / (1 + pi (1 - pi) D(pi)) dpi``; see :func:`mahalanobis_bound_kl`.

    References
    ----------
    Thesis 2011, eq. 5.43.
    """
    return _bound(X, Y, limits, covariance, jeffreys=True)


def pairwise_mahalanobis_bound_jeffreys(
    sets: Sequences, limits: tuple[float, float] = (0.0, 1.0), covariance: Covariance = "floor"
) -> FloatArray:
    """:func:`mahalanobis_bound_jeffreys` of every two sets; the floor is relative to the variances over all sets.

    Returns
    -------
    ndarray, shape (N, N)
        In nats; symmetric, zero diagonal.
    """
    data, between = as_sequence_set(sets), as_limits(limits)
    means, covariances = _fits(data, covariance)
    floored = _Floored(means, covariances, _scale(data)) if covariance == "floor" else None
    divergence = np.zeros((len(data), len(data)))
    # Blocks of pairs whose covariances fit in 64 MB.
    step = max(1, (1 << 23) // data.n_features**2)
    for i in range(len(data) - 1):
        for first in range(i + 1, len(data), step):
            j = slice(first, min(first + step, len(data)))
            if floored is not None:
                directions = floored.directions(i, j)
            else:
                own = np.broadcast_to(covariances[i], covariances[j].shape)
                directions = _directions(means[i] - means[j], own, covariances[j])
            divergence[i, j] = divergence[j, i] = _integrals(*directions, between, jeffreys=True)
    return divergence
