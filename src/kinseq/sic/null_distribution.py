"""The distribution of a similarity, and the level that few pairs of different classes reach (report RR-8880, section 2)."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.arrays import FloatArray, as_positive, as_real
from ..core.errors import DataError, ParameterError, is_one_of, unknown_name
from .scores import as_rates

Method = Literal["fft", "poisson", "recursion"]
METHODS = ("fft", "poisson", "recursion")


def _rates(p: ArrayLike) -> FloatArray:
    size = np.size(p)
    if size == 0:
        raise DataError("p is empty; give the probability of each iteration")
    return as_rates(p, size, "p")


def poisson_binomial(p: ArrayLike, method: Method = "fft") -> FloatArray:
    """Distribution of the number of successes of independent trials.

    Parameters
    ----------
    p : array_like, shape (I,)
        Probability of success of each trial.
    method : {"fft", "recursion", "poisson"}
        Exactly by the discrete Fourier transform or trial by trial, or the Poisson law of the same mean, which is close
        where all of `p` are small; its mass above I is put on I.

    Returns
    -------
    ndarray, shape (I + 1,)
        Probability of 0 .. I successes; sums to 1.

    References
    ----------
    Report RR-8880, equation 4; Fernandez and Williams (2010); Hodges and Le Cam (1960).
    """
    rates = _rates(p)
    if not is_one_of(method, METHODS):
        raise ParameterError(unknown_name("method", method, METHODS))
    n = rates.size
    if method == "poisson":
        from scipy.stats import poisson

        law = poisson.pmf(np.arange(n + 1), rates.sum())
        law[-1] += poisson.sf(n, rates.sum())
        return np.asarray(law)
    if method == "recursion":
        law = np.zeros(n + 1)
        law[0] = 1.0
        for rate in rates:
            law[1:] = law[1:] * (1.0 - rate) + law[:-1] * rate
            law[0] *= 1.0 - rate
        return law
    # A product over all trials at each root of unity
    roots = np.exp(2j * np.pi * np.arange(n + 1) / (n + 1))
    values = np.ones(n + 1, dtype=complex)
    for rate in rates:
        values *= 1.0 + (roots - 1.0) * rate
    law = np.maximum(np.fft.fft(values).real / (n + 1), 0.0)
    return np.asarray(law / law.sum())


class Law(NamedTuple):
    """Distribution of the similarity k / t of a pair."""

    values: FloatArray
    """Its values, ascending"""
    probabilities: FloatArray

    @property
    def mean(self) -> float:
        """Expectation."""
        return float(self.values @ self.probabilities)

    @property
    def variance(self) -> float:
        """Variance."""
        return float((self.values - self.mean) ** 2 @ self.probabilities)


def joint_law(p: ArrayLike, tested: ArrayLike = 1.0) -> FloatArray:
    """Joint distribution of the numbers of tests and of common classes of a pair, by iteration.

    Parameters
    ----------
    p : array_like, shape (I,)
        Probability of being put into one class at each iteration, once tested.
    tested : float or array_like, shape (I,)
        alpha: probability that a sample is tested. A pair is tested with probability alpha^2, and is not with
        1 - alpha^2, where the report prints 2 alpha (1 - alpha).

    Returns
    -------
    ndarray, shape (I + 1, I + 1)
        Entry (t, k): tested t times and put together k times; 0 above the diagonal.

    References
    ----------
    Report RR-8880, equation 3.
    """
    rates = _rates(p)
    both = as_rates(tested, rates.size, "tested") ** 2
    n = rates.size
    law = np.zeros((n + 1, n + 1))
    law[0, 0] = 1.0
    for i, (rate, alpha) in enumerate(zip(rates, both, strict=True)):
        part = law[: i + 1, : i + 1].copy()
        law[: i + 1, : i + 1] *= 1.0 - alpha
        law[1 : i + 2, : i + 1] += part * (alpha * (1.0 - rate))
        law[1 : i + 2, 1 : i + 2] += part * (alpha * rate)
    return law


def similarity_law(p: ArrayLike, tested: ArrayLike = 1.0, method: Method = "fft") -> Law:
    """Distribution of the similarity of a pair after I iterations.

    Parameters
    ----------
    p : array_like, shape (I,)
        Probability of being put into one class at each iteration.
    tested : float or array_like, shape (I,)
        Probability that a sample is tested. Where it is 1, the law is the Poisson-binomial one over I.
    method : {"fft", "recursion", "poisson"}
        Of the Poisson-binomial law; ignored where `tested` is below 1.

    Returns
    -------
    Law
        A pair that is never tested has similarity 0.
    """
    rates = _rates(p)
    n = rates.size
    if (as_rates(tested, n, "tested") == 1.0).all():
        return Law(np.arange(n + 1, dtype=np.float64) / n, poisson_binomial(rates, method))
    joint = joint_law(rates, tested)
    t, k = np.tril_indices(n + 1)
    divisor = np.gcd(t, k)
    divisor[divisor == 0] = 1
    never = t == 0
    # Fractions in lowest terms, so that equal values are one value.
    keys = np.where(never | (k == 0), 1, (t // divisor)) * (n + 2) + np.where(k == 0, 0, k // divisor)
    unique, inverse = np.unique(keys, return_inverse=True)
    probabilities = np.bincount(inverse.reshape(-1), weights=joint[t, k]).astype(np.float64)
    values = (unique % (n + 2)) / (unique // (n + 2))
    order = np.argsort(values, kind="stable")
    return Law(values[order], probabilities[order])


def moments(p: ArrayLike, tested: float = 1.0) -> tuple[float, float]:
    """Return the mean and variance of the similarity of a pair in closed form, for one probability of being tested.

    Given t tests, the iterations at which they take place are a random subset, so that with the mean p_bar and the
    variance v of the p_i over iterations ``E[k/t] = p_bar`` and
    ``V[k/t | t] = p_bar (1 - p_bar) / t - v (t - 1) / (t (I - 1))``.

    Parameters
    ----------
    p : array_like, shape (I,)
    tested : float
        Probability that a sample is tested.

    Returns
    -------
    mean, variance : float
    """
    rates = _rates(p)
    n, alpha = rates.size, float(as_rates(tested, 1, "tested")[0]) ** 2
    from scipy.stats import binom

    t = np.arange(n + 1)
    law = binom.pmf(t, n, alpha)
    share, spread = float(rates.mean()), float(rates.var())
    n_tested = np.maximum(t, 1)
    within = share * (1.0 - share) / n_tested - (spread * (t - 1) / (n_tested * (n - 1)) if n > 1 else 0.0)
    ever = law[1:].sum()
    mean = share * ever
    return float(mean), float((law * within)[1:].sum() + share**2 * ever * (1.0 - ever))


class Threshold(NamedTuple):
    """A level of the weighted scores, and the number of pairs above it."""

    levels: NDArray[Any]
    """(N, N), the level of each pair, which depends on how often it was tested"""
    above: float
    """Share of the pairs above their level"""
    across: float | None
    """Share of the pairs of different classes above it, which should be the risk; None without classes"""


def threshold(
    similarity: NDArray[Any],
    counts: NDArray[Any],
    risk: float = 0.05,
    sigma: float = 1.0,
    classes: ArrayLike | None = None,
) -> Threshold:
    """Return the level that pairs of different classes exceed with probability `risk`, by the Gaussian limit of weighted scores.

    Scores of pairs of different classes tend to N(0, sigma^2 / T) after T tests. How far the limit is from what a run
    gives shows in the share of pairs that are above.

    Parameters
    ----------
    similarity : ndarray, shape (N, N)
        Weighted or flipped scores.
    counts : ndarray, shape (N, N)
        Number of iterations at which two samples were both tested.
    risk : float
        Above 0 and below 1.
    sigma : float
        As the scores were computed with.
    classes : array_like, shape (N,), optional
        True classes.

    Returns
    -------
    Threshold
        Pairs that were never tested together have an infinite level and take no part in the shares.

    References
    ----------
    Report RR-8880, section 2.3.2.
    """
    from scipy.stats import norm

    level = as_real(risk, "risk")
    if not 0.0 < level < 1.0:
        raise ParameterError(f"risk is {risk!r}, expected a probability above 0 and below 1")
    if np.shape(similarity) != np.shape(counts) or np.ndim(similarity) != 2:
        raise DataError(
            f"similarity and counts have shapes {np.shape(similarity)} and {np.shape(counts)}, expected (N, N)"
        )
    spread = as_positive(sigma, "sigma")
    pairs = np.triu(counts > 0, k=1)
    if not pairs.any():
        raise DataError("no two samples were tested together, so that there are no scores to look at")
    levels = np.where(counts > 0, norm.isf(level) * spread / np.sqrt(np.maximum(counts, 1)), np.inf)
    above = similarity > levels
    across = None
    if classes is not None:
        truth = np.unique(np.asarray(classes), return_inverse=True)[1].reshape(-1)
        if truth.shape != (len(counts),):
            raise DataError(f"there are {truth.size} classes but {len(counts)} samples; give one each")
        others = pairs & (truth[:, None] != truth)
        across = float(above[others].mean()) if others.any() else None
    return Threshold(levels, float(above[pairs].mean()), across)
