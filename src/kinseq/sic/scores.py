"""Similarities from labels: binary, weighted and flipped scores (report RR-8880, section 2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.arrays import FloatArray, as_numbers, as_positive, as_real, require_finite
from ..core.errors import DataError, ParameterError, unknown_name
from ..core.jobs import as_threads
from ..core.random_state import RandomState, check_seed
from . import kernels
from .classifying import flip_keys
from .labels import Labels, add_tested, add_together, pairs_tested, pairs_together

SCORES = ("binary", "weighted", "flipped", "em")
FLOAT32_FROM = 4096
"""Number of samples from which on matrices are float32."""


@dataclass(frozen=True)
class Weights:
    """Scores of a pair at each iteration, by whether it is put into one class (definition 3).

    Attributes
    ----------
    same, apart : ndarray, shape (I,)
        a_i and b_i.
    chances : ndarray, shape (I,)
        q_i: probability that a pair in different classes is given a_i nevertheless (equation 9).
    """

    same: FloatArray
    apart: FloatArray
    chances: FloatArray


def matrix_type(n: int) -> type[np.floating[Any]]:
    """Type of a matrix over pairs of `n` samples."""
    return np.float32 if n >= FLOAT32_FROM else np.float64


def pair_counts(labels: Labels, n_jobs: int | None = None) -> NDArray[np.int32]:
    """Return the number of iterations that test both of two samples, shape (N, N); the diagonal counts those of one."""
    threads = as_threads(n_jobs)
    used = labels.used()
    counts = np.zeros((len(labels), len(labels)), dtype=np.int32)
    add_tested(used, np.ones(used.n_iterations), counts, threads)
    return counts


def co_classified(labels: Labels, n_jobs: int | None = None) -> NDArray[Any]:
    """Return the number of iterations at which two samples are put into one class, shape (N, N), as floats."""
    threads = as_threads(n_jobs)
    used = labels.used()
    total = np.zeros((len(labels), len(labels)), dtype=matrix_type(len(labels)))
    add_together(used, np.ones(used.n_iterations), total, threads)
    return total


def divide(total: NDArray[Any], counts: NDArray[Any]) -> NDArray[Any]:
    """Divide `total` by the counts in place; pairs never tested together get 0."""
    for low, high in kernels.blocks(len(total)):
        total[low:high] /= np.maximum(counts[low:high], 1)
        total[low:high][counts[low:high] == 0] = 0.0
    return total


def binary(labels: Labels, counts: NDArray[Any] | None = None, n_jobs: int | None = None) -> NDArray[Any]:
    """Return the share of the iterations at which two samples are put into one class, among those at which both are tested.

    Parameters
    ----------
    labels : Labels
    counts : ndarray, shape (N, N), optional
        What ``pair_counts`` gives, if it is at hand.
    n_jobs : int or None

    Returns
    -------
    ndarray, shape (N, N)
        Between 0 and 1, symmetric, with ones on the diagonal.

    References
    ----------
    Report RR-8880, definition 1 and equation 2.
    """
    threads = as_threads(n_jobs)
    total = divide(co_classified(labels, threads), pair_counts(labels, threads) if counts is None else counts)
    np.fill_diagonal(total, 1.0)
    return total


def independent_rate(labels: Labels) -> FloatArray:
    """Return the probability that two samples fall into one class if classes are drawn independently, for every iteration.

    It is the pooled rate over all pairs, a sample and itself among them, and thus includes pairs of one true class: it
    is too high for pairs of different ones, whose weighted scores have a negative mean for good.

    Returns
    -------
    ndarray, shape (I,)
        Sum of squared shares of the classes; 0 where nothing was tested.

    References
    ----------
    Report RR-8880, section 2.1.3 A.
    """
    rates = np.zeros(labels.n_iterations)
    for i, column in enumerate(labels.values.T):
        sizes = np.bincount(column[column >= 0], minlength=1).astype(np.float64)
        rates[i] = (sizes**2).sum() / max(1.0, sizes.sum()) ** 2
    return rates


def pooled_rate(labels: Labels) -> FloatArray:
    """Return the share of the tested pairs that are put into one class, for every iteration, shape (I,)."""
    tested = pairs_tested(labels)
    return np.asarray(pairs_together(labels) / np.where(tested > 0, tested, 1.0))


def as_rates(rates: ArrayLike, n_iterations: int, name: str) -> FloatArray:
    """Return one probability per iteration from one or as many, or raise an error."""
    probabilities = as_numbers(np.atleast_1d(np.asarray(rates)), name)
    if probabilities.shape not in ((1,), (n_iterations,)):
        raise ParameterError(
            f"{name} has shape {probabilities.shape}, expected one number or {n_iterations}, one an iteration"
        )
    require_finite(probabilities, name, "give probabilities")
    if (probabilities < 0.0).any() or (probabilities > 1.0).any():
        raise ParameterError(
            f"{name} runs from {probabilities.min():g} to {probabilities.max():g}, expected probabilities"
        )
    return np.broadcast_to(probabilities, (n_iterations,)).copy()


def weights(rates: FloatArray, chances: FloatArray | float = 0.0, mu: float = 0.0, sigma: float = 1.0) -> Weights:
    """Return scores with mean `mu` and standard deviation `sigma` for pairs that are put into one class at the given rates.

    With p = p_0 + (1 - p_0) q, the probability of a_i, they are ``a = mu + sigma sqrt((1 - p) / p)`` and
    ``b = mu - sigma sqrt(p / (1 - p))``. Where p is 0 or 1, an iteration tells nothing: both are `mu`.

    Parameters
    ----------
    rates : ndarray, shape (I,)
        p_0: probability that two samples of different classes are put into one.
    chances : float or ndarray, shape (I,)
        q of equation 9.
    mu, sigma : float

    References
    ----------
    Report RR-8880, section 2.3.2 and equation 9; its general a and b are not those of the mean that they are for.
    """
    centre, spread = as_real(mu, "mu"), as_positive(sigma, "sigma")
    q = np.broadcast_to(np.asarray(chances, dtype=np.float64), rates.shape)
    p = rates + (1.0 - rates) * q
    telling = (p > 0.0) & (p < 1.0)
    odds = np.where(telling, p, 0.5) / (1.0 - np.where(telling, p, 0.5))
    step = np.where(telling, spread, 0.0)
    return Weights(centre + step / np.sqrt(odds), centre - step * np.sqrt(odds), np.asarray(q, dtype=np.float64).copy())


def scored(
    labels: Labels,
    given: Weights,
    counts: NDArray[Any] | None = None,
    random_state: RandomState = 0,
    n_jobs: int | None = None,
) -> NDArray[Any]:
    """Mean score of every pair over the iterations at which both are tested (equation 2).

    Parameters
    ----------
    labels : Labels
    given : Weights
        Of every iteration of `labels`.
    counts : ndarray, shape (N, N), optional
        What ``pair_counts`` gives, if it is at hand.
    random_state : int, RandomState, Generator or None
        Names the draws of pairs in different classes, one for each unordered pair and iteration.
    n_jobs : int or None

    Returns
    -------
    ndarray, shape (N, N)
        Symmetric; 0 for pairs that are never tested together.
    """
    seed, threads = check_seed(random_state), as_threads(n_jobs)
    if given.same.shape != (labels.n_iterations,):
        raise DataError(f"there are weights of {given.same.size} iterations but labels of {labels.n_iterations}")
    on = ~labels.skipped
    used, gain = labels.used(), (given.same - given.apart)[on]
    counts = pair_counts(used, threads) if counts is None else counts
    total = np.zeros((len(labels), len(labels)), dtype=matrix_type(len(labels)))
    add_tested(used, given.apart[on], total, threads)
    add_together(used, gain, total, threads)
    if given.chances.any():
        kernels.flip(used.values, gain, given.chances[on], flip_keys(seed, used.iterations), total, threads)
    return divide(total, counts)


def rates_of(labels: Labels, p0: str | ArrayLike) -> FloatArray:
    """Rates of pairs of different classes: by a rule, or as given."""
    if not isinstance(p0, str):
        return as_rates(p0, labels.n_iterations, "p0")
    rules = {"independence": independent_rate, "pooled": pooled_rate}
    if p0 not in rules:
        raise ParameterError(unknown_name("p0", p0, rules))
    return rules[p0](labels)
