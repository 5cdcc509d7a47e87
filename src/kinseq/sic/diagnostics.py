"""Convergence of a similarity, and samples for which it is reliable (report RR-8880, section 4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.arrays import FloatArray, IntArray, as_count, as_positive, as_square
from ..core.errors import DataError, ParameterError, unknown_name
from ..core.jobs import as_threads
from . import kernels
from .labels import Labels, add_tested, add_together
from .scores import binary, divide, matrix_type

Kind = Literal["pearson", "spearman"]

ITERATIONS_BETWEEN = 5
"""Iterations between two computations of the entropy (section 4.1.2)."""


class Running:
    """Counts of pairs, updated with iterations."""

    def __init__(self, n: int, threads: int = 1) -> None:
        self.together = np.zeros((n, n), dtype=matrix_type(n))
        self.counts = np.zeros((n, n), dtype=np.int32)
        self.threads = threads

    def add(self, labels: Labels) -> None:
        """Add the iterations of a batch. Counts are whole numbers, so that batching does not matter."""
        used = labels.used()
        ones = np.ones(used.n_iterations)
        add_together(used, ones, self.together, self.threads)
        add_tested(used, ones, self.counts, self.threads)

    def entropy(self) -> float:
        """Mean entropy of the pairs, in nats."""
        n = len(self.counts)
        return float(kernels.entropy_sum(self.together, self.counts) / (n * (n - 1) / 2.0))


class EntropyTrace(NamedTuple):
    """Mean entropy over the iterations."""

    iterations: IntArray
    """Numbers of iterations at which it was computed"""
    entropy: FloatArray
    """Mean over all pairs of the entropy of being classified together, in nats"""


def settled(entropy: ArrayLike, tolerance: float) -> bool:
    """Return whether the last two steps of the mean entropy were both smaller than `tolerance`.

    One small step may be a coincidence: the entropy has just passed its largest value, say.
    """
    steps = np.abs(np.diff(np.asarray(entropy, dtype=np.float64)))
    return bool(steps.size >= 2 and (steps[-2:] < tolerance).all())


def entropy_trace(labels: Labels, every: int = 5, n_jobs: int | None = None) -> EntropyTrace:
    """Mean entropy of the pairs after every few iterations.

    Parameters
    ----------
    labels : Labels
    every : int
    n_jobs : int or None

    References
    ----------
    Report RR-8880, section 4.1.2.
    """
    threads = as_threads(n_jobs)
    step = as_count(every, "every")
    running = Running(len(labels), threads)
    at, entropies = [], []
    for stop in range(step, labels.n_iterations + 1, step):
        running.add(labels.of_iterations(np.arange(stop - step, stop)))
        at.append(stop)
        entropies.append(running.entropy())
    return EntropyTrace(np.array(at, dtype=np.int64), np.array(entropies))


def settled_at(labels: Labels, tolerance: float, n_jobs: int | None = None) -> int:
    """Return the number of iterations after which :func:`kinseq.sic.similarity` would have stopped, at most all."""
    threads = as_threads(n_jobs)
    limit = as_positive(tolerance, "stop")
    running = Running(len(labels), threads)
    entropy: list[float] = []
    for end in range(ITERATIONS_BETWEEN, labels.n_iterations + 1, ITERATIONS_BETWEEN):
        running.add(labels.of_iterations(np.arange(end - ITERATIONS_BETWEEN, end)))
        entropy.append(running.entropy())
        if settled(entropy, limit):
            return end
    return labels.n_iterations


def _pairs(matrix: NDArray[Any], kind: Kind) -> FloatArray:
    """Return values of the unordered pairs, or their ranks."""
    values = np.asarray(matrix[np.triu_indices(len(matrix), k=1)], dtype=np.float64)
    if kind == "pearson":
        return values
    if kind != "spearman":
        raise ParameterError(unknown_name("kind", kind, ("pearson", "spearman")))
    from scipy.stats import rankdata

    return np.asarray(rankdata(values))


def _correlation(x: FloatArray, y: FloatArray) -> float:
    if np.ptp(x) == 0.0 or np.ptp(y) == 0.0:
        return 0.0
    return float(np.clip(np.corrcoef(x, y)[0, 1], -1.0, 1.0))


def correlation(first: NDArray[Any], second: NDArray[Any], kind: Kind = "pearson") -> float:
    """Return the correlation of two matrices over their pairs.

    Parameters
    ----------
    first, second : ndarray, shape (N, N)
        Symmetric; each unordered pair counts once and the diagonal does not.
    kind : {"pearson", "spearman"}
        Of the values, or of their ranks, where ties have their mean rank.

    Returns
    -------
    float
        Between -1 and 1; 0 if one of them is the same for all pairs.
    """
    if np.shape(first) != np.shape(second):
        raise DataError(f"matrices have shapes {np.shape(first)} and {np.shape(second)}; compare those of one set")
    return _correlation(_pairs(first, kind), _pairs(second, kind))


class Convergence(NamedTuple):
    """Comparison of the similarity after some iterations with that after all, and with one of other iterations."""

    iterations: IntArray
    """(M,)"""
    pearson: FloatArray
    """Of the first X iterations against all of them: 1 at the end by construction"""
    spearman: FloatArray
    disjoint_pearson: FloatArray
    """Of two disjoint runs of X / 2 iterations each, which shows how well a run repeats"""
    disjoint_spearman: FloatArray


def convergence(labels: Labels, at: ArrayLike, n_jobs: int | None = None) -> Convergence:
    """Correlations of partial similarities with the final one, and between two disjoint halves of the iterations.

    Parameters
    ----------
    labels : Labels
    at : array_like of int, shape (M,)
        Numbers of iterations X, between 2 and I.
    n_jobs : int or None

    References
    ----------
    Report RR-8880, section 4.1.1.
    """
    threads = as_threads(n_jobs)
    wanted = [as_count(x, "number of iterations", least=2) for x in np.atleast_1d(np.asarray(at)).tolist()]
    if not wanted or max(wanted) > labels.n_iterations:
        raise ParameterError(f"at is {wanted}, expected numbers of iterations up to {labels.n_iterations}")
    kinds: tuple[Kind, ...] = ("pearson", "spearman")
    final = binary(labels, n_jobs=threads)
    ends = [_pairs(final, kind) for kind in kinds]
    halves, done = (Running(len(labels), threads), Running(len(labels), threads)), 0
    correlations: dict[int, list[float]] = {}
    for x in sorted(set(wanted)):
        for half in (0, 1):
            # Every second iteration, whichever number the first has.
            halves[half].add(labels.of_iterations(np.arange(done + (done + half) % 2, x, 2)))
        done = x
        whole = _share(halves[0].together + halves[1].together, halves[0].counts + halves[1].counts)
        one, other = (_share(half.together.copy(), half.counts) for half in halves)
        correlations[x] = [_correlation(_pairs(whole, kind), end) for kind, end in zip(kinds, ends, strict=True)]
        correlations[x] += [correlation(one, other, kind) for kind in kinds]
    return Convergence(np.array(wanted, dtype=np.int64), *np.array([correlations[x] for x in wanted]).T)


def _share(together: NDArray[Any], counts: NDArray[Any]) -> NDArray[Any]:
    """Return the similarity of some iterations, overwriting the sums."""
    np.fill_diagonal(divide(together, counts), 1.0)
    return together


CONFIDENCE = ("max", "variance", "skewness", "bimodality")


def confidence(similarity: NDArray[Any]) -> Mapping[str, FloatArray]:
    """Statistics of each sample's similarities that may indicate their reliability.

    Parameters
    ----------
    similarity : ndarray, shape (N, N), N at least 5
        The diagonal is left out.

    Returns
    -------
    mapping of str to ndarray, shape (N,)
        ``"max"``; ``"variance"``; ``"skewness"``: minus the skewness of the values above their mean, 0 for fewer than 3;
        ``"bimodality"``: ``(g^2 + 1) / (k + 3 (n - 1)^2 / ((n - 2) (n - 3)))`` of the sample skewness g and excess
        kurtosis k, which is 5/9 for a uniform variable. All are 0 where all similarities are equal.

    References
    ----------
    Report RR-8880, section 4.2; Pfister et al. (2013).
    """
    from scipy.stats import kurtosis, skew

    square = as_square(similarity, "similarity")
    size = len(square)
    if size < 5:
        raise DataError(f"similarity: is between {size} samples; its distribution needs at least 5")
    n = size - 1
    others = square[~np.eye(size, dtype=bool)].reshape(size, n)
    flat = np.ptp(others, axis=1) <= 1e-12 * np.abs(others).max(axis=1)
    scores = {name: np.zeros(size) for name in CONFIDENCE}
    scores["max"] = others.max(axis=1)
    scores["variance"] = np.where(flat, 0.0, others.var(axis=1))
    some = others[~flat]
    g, k = skew(some, axis=1, bias=False), kurtosis(some, axis=1, bias=False)
    scores["bimodality"][~flat] = (g**2 + 1.0) / (k + 3.0 * (n - 1) ** 2 / ((n - 2) * (n - 3)))
    for row in np.flatnonzero(~flat):
        upper = others[row][others[row] > others[row].mean()]
        if upper.size >= 3 and np.ptp(upper) > 1e-12 * float(np.abs(upper).max()):
            scores["skewness"][row] = -float(skew(upper))
    return scores
