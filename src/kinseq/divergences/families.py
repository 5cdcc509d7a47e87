"""f-divergences, proper losses, and the divergences combined from both.

An f-divergence is an integral of statistical information under the 0-1 loss over priors, with a weight of its own
(thesis 2011, eq. 5.10, table 5.1). Information under another loss gives an (f, l)-divergence (eq. 5.23), which is the
f-divergence of another weight, found by an integral operator (eq. 5.33).

Distributions are given as arrays of probabilities, or of densities at points with the weights of a quadrature. The
prior pi is that of the first one, P.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import rel_entr, xlogy

from ..core.arrays import FloatArray
from ..core.errors import DataError, ParameterError, is_one_of, unknown_name
from .checks import as_limits, as_priors
from .quadrature import over_priors

_TOTAL = 1e-3


@dataclass(frozen=True)
class FDivergence:
    """An f-divergence in its three forms.

    Attributes
    ----------
    name, label : str
    formula : str
        The generator, in words of mathematics.
    generator : callable
        ``f(t)`` for t > 0, convex with f(1) = 0.
    term : callable
        ``term(p, q)`` is ``q f(p / q)`` up to terms that sum to zero, with its limits where p or q is zero.
    weight : callable
        ``weight(pi, 1 - pi)``, the density of the integral representation.
    atom : float
        Mass of the weight at prior 1/2, in addition to the density.
    symmetric : bool
        Whether swapping P and Q changes nothing.
    """

    name: str
    label: str
    formula: str
    generator: Callable[[FloatArray], FloatArray]
    term: Callable[[FloatArray, FloatArray], FloatArray]
    weight: Callable[[FloatArray, FloatArray], FloatArray]
    atom: float = 0.0
    symmetric: bool = True


def _none(pi: FloatArray, rest: FloatArray) -> FloatArray:
    return np.zeros(np.broadcast(pi, rest).shape)


def _mixture_entropy(p: FloatArray, q: FloatArray) -> FloatArray:
    return np.asarray(0.5 * (rel_entr(p, 0.5 * (p + q)) + rel_entr(q, 0.5 * (p + q))))


def _over(numerator: FloatArray, denominator: FloatArray) -> FloatArray:
    """Ratio that is 0 if both are 0, and infinite if only the denominator is."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(numerator == 0.0, 0.0, numerator / denominator)


DIVERGENCES: dict[str, FDivergence] = {
    entry.name: entry
    for entry in (
        FDivergence(
            name="variational",
            label="variational divergence",
            formula="|t - 1|",
            generator=lambda t: np.abs(t - 1.0),
            term=lambda p, q: np.abs(p - q),
            weight=_none,
            atom=4.0,
        ),
        FDivergence(
            name="triangular",
            label="triangular discrimination",
            formula="(t - 1)^2 / (t + 1)",
            generator=lambda t: (t - 1.0) ** 2 / (t + 1.0),
            term=lambda p, q: _over((p - q) ** 2, p + q),
            weight=lambda pi, rest: np.full(np.broadcast(pi, rest).shape, 8.0),
        ),
        FDivergence(
            name="kl",
            label="Kullback-Leibler divergence",
            formula="t ln t",
            generator=lambda t: xlogy(t, t),
            term=rel_entr,
            weight=lambda pi, rest: 1.0 / (pi**2 * rest),
            symmetric=False,
        ),
        FDivergence(
            name="jensen_shannon",
            label="Jensen-Shannon divergence",
            formula="t/2 ln t - (t + 1)/2 ln(t + 1) + ln 2",
            generator=lambda t: 0.5 * xlogy(t, t) - 0.5 * xlogy(t + 1.0, t + 1.0) + np.log(2.0),
            term=_mixture_entropy,
            weight=lambda pi, rest: 0.5 / (pi * rest),
        ),
        FDivergence(
            name="jeffreys",
            label="Jeffreys divergence",
            formula="(t - 1) ln t",
            generator=lambda t: (t - 1.0) * np.log(t),
            term=lambda p, q: rel_entr(p, q) + rel_entr(q, p),
            weight=lambda pi, rest: 1.0 / (pi**2 * rest**2),
        ),
        FDivergence(
            name="chi2",
            label="Pearson chi-squared divergence",
            formula="(t - 1)^2",
            generator=lambda t: (t - 1.0) ** 2,
            term=lambda p, q: _over((p - q) ** 2, q),
            weight=lambda pi, rest: 2.0 / pi**3,
            symmetric=False,
        ),
        FDivergence(
            name="hellinger",
            label="Hellinger divergence",
            formula="(sqrt(t) - 1)^2",
            generator=lambda t: (np.sqrt(t) - 1.0) ** 2,
            term=lambda p, q: (np.sqrt(p) - np.sqrt(q)) ** 2,
            weight=lambda pi, rest: 0.5 / (pi * rest) ** 1.5,
        ),
    )
}
"""The divergences of table 5.1 of the thesis of 2011, by name."""


def _zero_one_information(p: FloatArray, q: FloatArray, pi: FloatArray, rest: FloatArray) -> FloatArray:
    gap = pi * p - rest * q
    return np.maximum(np.where(pi <= 0.5, gap, -gap), 0.0)


def _square_information(p: FloatArray, q: FloatArray, pi: FloatArray, rest: FloatArray) -> FloatArray:
    return _over((pi * rest * (p - q)) ** 2, pi * p + rest * q)


def _log_information(p: FloatArray, q: FloatArray, pi: FloatArray, rest: FloatArray) -> FloatArray:
    """Return the reduction of entropy by the posterior; logarithms of ``p / m`` are computed from ``m - p``, which may be tiny."""
    with np.errstate(divide="ignore", invalid="ignore"):
        of_p = np.where(p > 0.0, -pi * p * np.log1p(rest * (q - p) / p), 0.0)
        of_q = np.where(q > 0.0, -rest * q * np.log1p(pi * (p - q) / q), 0.0)
    return np.asarray(of_p + of_q)


@dataclass(frozen=True)
class Loss:
    """A loss defined by its point-wise Bayes risk, a concave function L of the posterior probability.

    Attributes
    ----------
    name : str
    bayes_risk : callable
        ``L(eta)``.
    information : callable
        ``information(p, q, pi, 1 - pi)`` at each point; its sum is the statistical information.
    curvature : callable
        ``-L''(eta)`` as a function of eta and 1 - eta, away from 1/2.
    kink : float
        Drop of the slope of L at 1/2.
    """

    name: str
    bayes_risk: Callable[[FloatArray], FloatArray]
    information: Callable[[FloatArray, FloatArray, FloatArray, FloatArray], FloatArray]
    curvature: Callable[[FloatArray, FloatArray], FloatArray]
    kink: float = 0.0


LOSSES: dict[str, Loss] = {
    entry.name: entry
    for entry in (
        Loss("zero_one", lambda eta: np.minimum(eta, 1.0 - eta), _zero_one_information, _none, kink=2.0),
        Loss(
            "square",
            lambda eta: eta * (1.0 - eta),
            _square_information,
            lambda eta, rest: np.full(np.broadcast(eta, rest).shape, 2.0),
        ),
        Loss(
            "log",
            lambda eta: -xlogy(eta, eta) - xlogy(1.0 - eta, 1.0 - eta),
            _log_information,
            lambda eta, rest: 1.0 / (eta * rest),
        ),
        Loss(
            "hinge",
            lambda eta: 2.0 * np.minimum(eta, 1.0 - eta),
            lambda p, q, pi, rest: 2.0 * _zero_one_information(p, q, pi, rest),
            _none,
            kink=4.0,
        ),
    )
}
"""Losses by name: 0-1, square, logarithmic, and hinge (margins with labels -1 and 1)."""


def as_divergence(divergence: str | FDivergence) -> FDivergence:
    """Return the named divergence, or the given one; :class:`ParameterError` lists the names."""
    if isinstance(divergence, FDivergence):
        return divergence
    if not is_one_of(divergence, DIVERGENCES):
        raise ParameterError(unknown_name("divergence", divergence, DIVERGENCES))
    return DIVERGENCES[divergence]


def as_loss(loss: str | Loss) -> Loss:
    """Return the named loss, or the given one; :class:`ParameterError` lists the names."""
    if isinstance(loss, Loss):
        return loss
    if not is_one_of(loss, LOSSES):
        raise ParameterError(unknown_name("loss", loss, LOSSES))
    return LOSSES[loss]


def as_distributions(p: ArrayLike, q: ArrayLike, weights: ArrayLike | None = None) -> tuple[FloatArray, FloatArray]:
    """Masses of two distributions at the same points (n,): probabilities, or densities times quadrature weights.

    :class:`DataError` says what is wrong: a shape, an entry below 0, or a total that is off one by more than 0.001.
    """
    try:
        first, second = np.asarray(p, dtype=np.float64), np.asarray(q, dtype=np.float64)
        measure = np.ones(first.shape) if weights is None else np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(f"distributions: cannot be read as numbers ({error})") from error
    if first.ndim != 1 or first.size == 0 or first.shape != second.shape or first.shape != measure.shape:
        raise DataError(
            f"distributions: have shapes {first.shape} and {second.shape}, weights {measure.shape}; give probabilities"
            " or densities at the same points, one-dimensional"
        )
    for name, masses in (("first", first * measure), ("second", second * measure)):
        if not np.isfinite(masses).all() or (masses < 0.0).any():
            raise DataError(f"distributions: the {name} one has entries that are negative or not finite")
        if abs(masses.sum() - 1.0) > _TOTAL:
            raise DataError(f"distributions: the {name} one sums to {masses.sum():g}, expected 1; normalise it first")
    return first * measure, second * measure


def f_divergence(
    p: ArrayLike, q: ArrayLike, divergence: str | FDivergence = "kl", weights: ArrayLike | None = None
) -> float:
    """Compute the f-divergence of one distribution from another, ``sum q f(p / q)``.

    Parameters
    ----------
    p, q : array_like, shape (n,)
        Probabilities, or densities if there are weights.
    divergence : str or FDivergence
        A name of ``DIVERGENCES``.
    weights : array_like, shape (n,), optional
        Weights of a quadrature.

    Returns
    -------
    float
        At least 0 up to rounding; in nats for those with logarithms.

    Raises
    ------
    DataError
        If the distributions are not usable, or the divergence is infinite.
    ParameterError
        If there is no such divergence.

    References
    ----------
    Thesis 2011, section 5.3.1 and table 5.1.
    """
    kind = as_divergence(divergence)
    masses = as_distributions(p, q, weights)
    value = float(kind.term(*masses).sum())
    if not np.isfinite(value):
        raise DataError(
            f"distributions: their {kind.label} is infinite, since one is zero where the other is not; smooth them"
            " or take a bounded divergence such as 'jensen_shannon'"
        )
    return value


def _information(masses: tuple[FloatArray, FloatArray], loss: Loss, pi: FloatArray, rest: FloatArray) -> FloatArray:
    p, q = masses
    # Blocks of priors, so that the products of priors and points stay small.
    step = max(1, (1 << 20) // len(p))
    parts = [
        loss.information(p, q, pi[k : k + step, None], rest[k : k + step, None]).sum(axis=1)
        for k in range(0, len(pi), step)
    ]
    return np.concatenate(parts)


def statistical_information(
    p: ArrayLike, q: ArrayLike, priors: ArrayLike, loss: str | Loss = "zero_one", weights: ArrayLike | None = None
) -> FloatArray:
    """Statistical information at each prior: reduction of the Bayes risk by the observation.

    Parameters
    ----------
    p, q, weights
        See :func:`f_divergence`.
    priors : array_like, shape (P,)
        Priors of the first distribution, in [0, 1].
    loss : str or Loss
        A name of ``LOSSES``.

    Returns
    -------
    ndarray, shape (P,)
        At least 0 up to rounding.

    References
    ----------
    DeGroot (1970); thesis 2011, eqs 5.11 and 5.24.
    """
    at = as_priors(priors)
    return _information(as_distributions(p, q, weights), as_loss(loss), at, 1.0 - at)


def fl_divergence(
    p: ArrayLike,
    q: ArrayLike,
    divergence: str | FDivergence = "kl",
    loss: str | Loss = "zero_one",
    weights: ArrayLike | None = None,
    limits: tuple[float, float] = (0.0, 1.0),
) -> float:
    """(f, l)-divergence: statistical information under a loss, integrated with the weight of an f-divergence.

    Under the 0-1 loss it is the f-divergence itself.

    Parameters
    ----------
    p, q, divergence, weights
        See :func:`f_divergence`.
    loss : str or Loss
        A name of ``LOSSES``.
    limits : tuple of float
        Priors between which is integrated.

    Returns
    -------
    float
        At least 0 up to rounding.

    Raises
    ------
    DataError
        If the distributions are not usable, or the integral diverges.

    References
    ----------
    Thesis 2011, eqs 5.10 and 5.23.
    """
    kind, under, between = as_divergence(divergence), as_loss(loss), as_limits(limits)
    masses = as_distributions(p, q, weights)
    with np.errstate(divide="ignore"):
        kinks = np.log(masses[1]) - np.log(masses[0]) if under.kink else np.zeros(0)
    breaks = np.concatenate([[0.0], kinks[np.isfinite(kinks)]])
    value = over_priors(lambda pi, rest: _information(masses, under, pi, rest) * kind.weight(pi, rest), between, breaks)
    if value is None:
        raise DataError(
            f"distributions: their ({kind.name}, {under.name})-divergence is infinite; give limits inside (0, 1)"
        )
    half = np.array([0.5])
    inside = between[0] <= 0.5 <= between[1]
    return value + (kind.atom * float(_information(masses, under, half, half)[0]) if inside else 0.0)


def information_generator(loss: str | Loss, prior: float) -> Callable[[ArrayLike], FloatArray]:
    """Generator of the f-divergence that equals the statistical information under a loss at one prior.

    References
    ----------
    Oesterreicher and Vajda (1993); thesis 2011, eqs 5.28 and 5.29.
    """
    under, pi = as_loss(loss), float(as_priors(prior)[0])

    def generator(t: ArrayLike) -> FloatArray:
        scale = pi * np.asarray(t, dtype=np.float64) + 1.0 - pi
        prior_risk = under.bayes_risk(np.asarray(pi))
        return np.asarray(prior_risk - scale * under.bayes_risk(pi * np.asarray(t) / scale))

    return generator


def _operator_kernel(loss: Loss, prior: float, pi: FloatArray, rest: FloatArray) -> FloatArray:
    """Weight, at `prior`, of the information under a loss at priors `pi` (eq. 5.32)."""
    scale = pi * (1.0 - prior) + rest * prior
    return np.asarray((pi * rest) ** 2 / scale**3 * loss.curvature(pi * (1.0 - prior) / scale, rest * prior / scale))


def transformed_weight(divergence: str | FDivergence, loss: str | Loss, priors: ArrayLike) -> FloatArray:
    """Weight of the f-divergence that equals an (f, l)-divergence: the integral operator of a loss.

    Parameters
    ----------
    divergence : str or FDivergence
    loss : str or Loss
    priors : array_like, shape (P,)
        Inside (0, 1). A mass at 1/2, which only a loss with a kink keeps, is left out.

    Returns
    -------
    ndarray, shape (P,)

    Raises
    ------
    ParameterError
        If the integral diverges, so that there is no such f-divergence.

    References
    ----------
    Thesis 2011, eq. 5.33. Weights ``pi^-a (1 - pi)^-b`` with a + b = 3 are eigenfunctions of the square loss with
    eigenvalue 2 B(a, b): 1 for the Kullback-Leibler and Jeffreys divergences, pi / 4 for the Hellinger divergence.
    """
    kind, under, at = as_divergence(divergence), as_loss(loss), as_priors(priors)
    if ((at <= 0.0) | (at >= 1.0)).any():
        raise ParameterError("priors: the weight of a divergence is defined inside (0, 1) only")
    weights = np.empty(len(at))
    for k, prior in enumerate(at):
        value = over_priors(
            lambda pi, rest, prior=prior: _operator_kernel(under, prior, pi, rest) * kind.weight(pi, rest)  # type: ignore[misc]
        )
        if value is None:
            raise ParameterError(
                f"divergence {kind.name!r} under loss {under.name!r}: the integral over priors diverges,"
                " it is no f-divergence"
            )
        half = np.array([0.5])
        weights[k] = value + kind.atom * float(_operator_kernel(under, float(prior), half, half)[0])
    # A kink of the Bayes risk acts at the prior itself, and contributes half the drop of the slope.
    return weights + 0.5 * under.kink * kind.weight(at, 1.0 - at)
