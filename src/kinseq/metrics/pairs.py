"""Distances within classes and between classes.

For a similarity by iterative classifications that tests every item at every iteration, these are the true parameters of
the mixture behind it, averaged over iterations. A measure that estimates one without the classes reports a finding of
the same name, which then stands in its place.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.arrays import FloatArray, as_distance
from ..core.errors import DataError
from .external import true_labels
from .registry import Metric


def _split(truth: ArrayLike, distance: ArrayLike) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Return dissimilarities of the unordered pairs, and whether each pair is of one class; there must be pairs of both kinds."""
    square = as_distance(distance)
    array = np.asarray(truth)
    if array.ndim == 2:
        # One is in the list of the other.
        related = array | array.T
    else:
        classes = true_labels(array)
        related = classes[:, None] == classes
    if related.shape != square.shape:
        raise DataError(f"there are {len(related)} labels but the matrix has {len(square)} rows; give one of each item")
    upper = np.triu_indices(len(square), k=1)
    same = related[upper]
    if same.all() or not same.any():
        raise DataError("all pairs are of one class, or none is; give two classes, one of them with 2 items")
    return square[upper], same


def share_apart(truth: ArrayLike, distance: ArrayLike) -> float:
    """Return the share of the pairs that are of different classes. Report RR-8880, section 2.1.3 C (pi_0)."""
    return float(1.0 - _split(truth, distance)[1].mean())


def similarity_apart(truth: ArrayLike, distance: ArrayLike) -> float:
    """Mean similarity, one minus the dissimilarity, of the pairs of different classes (p_0).

    Report RR-8880, section 2.1.3 C. Its mean over iterations of the share of such pairs that are put together is the
    mean of these similarities where all items are tested at every iteration.
    """
    values, same = _split(truth, distance)
    return float(1.0 - values[~same].mean())


def similarity_within(truth: ArrayLike, distance: ArrayLike) -> float:
    """Mean similarity, one minus the dissimilarity, of the pairs of one class (p_1); see :func:`similarity_apart`."""
    values, same = _split(truth, distance)
    return float(1.0 - values[same].mean())


def normality_gap(truth: ArrayLike, distance: ArrayLike) -> float:
    """Return the largest difference of the distribution of pairs of different classes from a normal one of equal moments.

    Statistic of Kolmogorov and Smirnov, between 0 and 1; 1 if all these pairs are at one distance. Shifts and scales of
    the matrix do not matter. Report RR-8880, section 2.3.2, which compares by eye (figures 8 and 9).
    """
    from scipy.special import ndtr

    values, same = _split(truth, distance)
    apart = np.sort(values[~same])
    spread = float(apart.std())
    if spread <= 1e-12 * float(np.abs(apart).max()):
        return 1.0
    normal = ndtr((apart - apart.mean()) / spread)
    steps = np.arange(apart.size + 1) / apart.size
    return float(max((steps[1:] - normal).max(), (normal - steps[:-1]).max()))


METRICS = (
    Metric(
        name="pi_0",
        label="Share of pairs of different classes, π₀",
        unit="fraction",
        direction="none",
        judges="matrix",
        least=0.0,
        most=1.0,
        function=share_apart,
    ),
    Metric(
        name="p_0",
        label="Pairs of different classes put together, p₀",
        unit="fraction",
        direction="none",
        judges="matrix",
        reproduced_within=0.002,
        close_within=0.01,
        largest_se=0.005,
        function=similarity_apart,
    ),
    Metric(
        name="p_1",
        label="Pairs of one class put together, p₁",
        unit="fraction",
        direction="none",
        judges="matrix",
        function=similarity_within,
    ),
    Metric(
        name="normality_gap",
        label="Distance of pairs of different classes from a normal law",
        unit="fraction",
        direction="lower",
        judges="matrix",
        least=0.0,
        most=1.0,
        function=normality_gap,
    ),
)
