"""EM for a mixture of two products of Bernoulli variables: pairs of one class, and pairs of different ones.

Pairs are the observations and iterations the dimensions; a pair that was not tested at an iteration says nothing there,
and one that never was takes no part. Both steps are sums over the classes of each iteration, so that an iteration of EM
costs twice as much as the similarity itself and needs one matrix over pairs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.arrays import FloatArray, as_count, as_numbers, as_real, require_finite
from ..core.errors import DataError, ParameterError
from ..core.jobs import as_threads
from . import kernels
from .labels import Labels, add_tested, add_together, pairs_tested, pairs_together, sums_of_tested, sums_of_together
from .scores import binary, pair_counts

LEAST_PROBABILITY = 1e-9
"""Probabilities are kept this far from 0 and 1, so that no single pair decides alone."""


@dataclass(frozen=True, eq=False)
class Mixture:
    """Pairs of one class, component 1, and pairs of different ones, component 0.

    Component 1 is the one whose probabilities have the larger mean.

    Attributes
    ----------
    pi1 : float
        Share of the pairs that belong to one class.
    p1, p0 : ndarray, shape (I,)
        Probability of being put into one class at each iteration; 0 where an iteration was skipped.
    responsibilities : ndarray, shape (N, N)
        Probability that a pair is of component 1, the EM similarity (definition 2); 0 for pairs that are never tested
        together, 1 on the diagonal.
    trace : ndarray
        Log-likelihood in nats before each iteration of EM and at the end.
    converged : bool
    """

    pi1: float
    p1: FloatArray
    p0: FloatArray
    responsibilities: NDArray[Any]
    trace: FloatArray
    converged: bool

    @property
    def pi0(self) -> float:
        """Share of the pairs that belong to different classes."""
        return 1.0 - self.pi1

    @property
    def chances(self) -> FloatArray:
        """Probability that two samples are of one class, given that they are put into different ones: q_i of equation 9."""
        of_one, of_two = self.pi1 * (1.0 - self.p1), self.pi0 * (1.0 - self.p0)
        return np.asarray(of_one / np.maximum(of_one + of_two, LEAST_PROBABILITY))


def _inside(p: FloatArray) -> FloatArray:
    return np.asarray(np.clip(p, LEAST_PROBABILITY, 1.0 - LEAST_PROBABILITY))


class _Pairs:
    """Sums over pairs of some labels for both steps."""

    def __init__(self, labels: Labels, threads: int) -> None:
        self.labels, self.threads = labels, threads
        self.counts = pair_counts(labels, threads)
        np.fill_diagonal(self.counts, 0)
        self.n_pairs = 0.5 * float((self.counts > 0).sum())
        self.tested, self.together = pairs_tested(labels), pairs_together(labels)

    def expect(self, pi1: float, p1: FloatArray, p0: FloatArray, room: NDArray[Any]) -> float:
        """Store the responsibilities in `room` and return the log-likelihood."""
        room[...] = 0.0
        apart = np.log1p(-p1) - np.log1p(-p0)
        add_tested(self.labels, apart, room, self.threads)
        add_together(self.labels, np.log(p1) - np.log(p0) - apart, room, self.threads)
        loglik = float((self.together * np.log(p0) + (self.tested - self.together) * np.log1p(-p0)).sum())
        loglik += self.n_pairs * np.log1p(-pi1)
        prior = np.log(pi1) - np.log1p(-pi1)
        whole = kernels.each_block(
            lambda low, high: kernels.responsibilities(room[low:high], self.counts[low:high], prior),
            len(room),
            self.threads,
        )
        # Every pair occurs twice.
        loglik += 0.5 * sum(whole)
        return loglik

    def maximise(self, shares: NDArray[Any]) -> tuple[float, FloatArray, FloatArray]:
        """pi1, p1 and p0 from responsibilities."""
        whole = 0.5 * float(shares.sum(dtype=np.float64))
        hits, of_one = (
            sums_of_together(self.labels, shares, self.threads),
            sums_of_tested(self.labels, shares, self.threads),
        )
        of_two = self.tested - of_one
        pi1 = float(_inside(np.array(whole / self.n_pairs)))
        return (
            pi1,
            _inside(hits / np.where(of_one > 0, of_one, 1.0)),
            _inside((self.together - hits) / np.where(of_two > 0, of_two, 1.0)),
        )


def _as_start(start: tuple[float, ArrayLike, ArrayLike], labels: Labels) -> tuple[float, FloatArray, FloatArray]:
    """Initial pi1, p1 and p0, from the iterations that were not skipped."""
    if not isinstance(start, (tuple, list)) or len(start) != 3:
        raise ParameterError("start is not of three parts; give pi1, p1 and p0")
    parts = [as_numbers(part, f"{name} of start") for part, name in zip(start, ("pi1", "p1", "p0"), strict=True)]
    for part, name, shape in zip(
        parts, ("pi1", "p1", "p0"), ((), (labels.n_iterations,), (labels.n_iterations,)), strict=True
    ):
        if part.shape != shape:
            raise ParameterError(f"start: {name} has shape {part.shape}, expected {shape}, one number an iteration")
        require_finite(part, f"start: {name}", "give probabilities")
        if part.size and not 0.0 <= part.min() <= part.max() <= 1.0:
            raise ParameterError(f"start: {name} runs from {part.min():g} to {part.max():g}, expected probabilities")
    on = ~labels.skipped
    return float(_inside(parts[0])), _inside(parts[1][on]), _inside(parts[2][on])


def bernoulli_mixture(
    labels: Labels,
    max_iter: int = 200,
    tol: float = 1e-7,
    n_jobs: int | None = None,
    start: tuple[float, ArrayLike, ArrayLike] | None = None,
) -> Mixture:
    """Estimate how often pairs of one class and pairs of different ones are put together.

    EM starts from the share of iterations at which a pair is put together as its responsibility, so that it draws
    nothing and the result is the same in any order of the samples; or from parameters that are given.

    Parameters
    ----------
    labels : Labels
    max_iter : int
    tol : float
        EM stops when the log-likelihood gains less than this share of itself.
    n_jobs : int or None
        No number depends on it.
    start : (float, array_like, array_like), optional
        Probabilities pi1, and p1 and p0 of shape (I,), from which EM starts; those of skipped iterations are ignored.
        ``trace`` then begins with the log-likelihood of the start. A run continues from ``(m.pi1, m.p1, m.p0)``. Where p1
        and p0 are equal, EM cannot distinguish pairs, and stays there.

    Returns
    -------
    Mixture

    Raises
    ------
    DataError
        If no two samples are ever tested together.
    ParameterError
        If a number is out of range, or the start does not fit the iterations.

    References
    ----------
    Report RR-8880, sections 2.1.3 B and 2.2, appendix A.
    """
    threads = as_threads(n_jobs)
    rounds, least = as_count(max_iter, "max_iter"), as_real(tol, "tol")
    used = labels.used()
    pairs = _Pairs(used, threads)
    if pairs.n_pairs == 0.0:
        raise DataError("no two samples are tested together at any iteration; test more samples or run more iterations")
    trace: list[float] = []
    shares = binary(used, pairs.counts, threads)
    if start is None:
        np.fill_diagonal(shares, 0.0)
        shares[pairs.counts == 0] = 0.0
    else:
        trace.append(pairs.expect(*_as_start(start, labels), shares))
    converged = False
    while True:
        pi1, p1, p0 = pairs.maximise(shares)
        trace.append(pairs.expect(pi1, p1, p0, shares))
        converged = len(trace) > 1 and trace[-1] - trace[-2] < least * abs(trace[-1])
        if converged or len(trace) > rounds:
            break
    if p1.mean() < p0.mean():
        pi1, p1, p0 = 1.0 - pi1, p0, p1
        shares[...] = np.where(pairs.counts > 0, 1.0 - shares, 0.0)
    np.fill_diagonal(shares, 1.0)
    on = ~labels.skipped
    whole = [np.zeros(labels.n_iterations) for _ in range(2)]
    whole[0][on], whole[1][on] = p1, p0
    return Mixture(pi1, whole[0], whole[1], shares, np.array(trace), converged)
