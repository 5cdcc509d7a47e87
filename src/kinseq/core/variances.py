"""Variances of pools of sequences, the unit of floors of covariances and lengths of columns."""

from __future__ import annotations

import numpy as np

from .arrays import FloatArray, IntArray
from .compiled import compiled
from .sequences import SequenceSet


@compiled()
def add_deviations(values, begin, end, origin, mean, sums, largest):  # type: ignore[no-untyped-def]
    """Add ``x - origin - mean`` and its square to the rows of `sums` (2, d); `largest` keeps the largest size of x."""
    for t in range(begin, end):
        for i in range(values.shape[1]):
            gap = values[t, i] - values[origin, i] - mean[i]
            sums[0, i] += gap
            sums[1, i] += gap * gap
            largest[i] = max(largest[i], abs(values[t, i]))


@compiled()
def variances_of(values, offsets, order, bounds, variances):  # type: ignore[no-untyped-def]
    """Variances of the columns of each pool of sequences, with zeros replaced by a positive value.

    Pool p holds the sequences ``order[bounds[p]:bounds[p + 1]]``. A column that is constant up to rounding takes the
    least variance among the others, or 1 if there is none: a floor relative to it then stays a floor.
    """
    d = values.shape[1]
    for p in range(bounds.size - 1):
        origin = offsets[order[bounds[p]]]
        mean, largest = np.zeros(d), np.zeros(d)
        # Centre twice, because the mean of a column with a large offset is itself rounded.
        for centring in range(2):
            sums, n = np.zeros((2, d)), 0
            for m in range(bounds[p], bounds[p + 1]):
                begin, end = offsets[order[m]], offsets[order[m] + 1]
                add_deviations(values, begin, end, origin, mean, sums, largest)
                n += end - begin
            for i in range(d):
                mean[i] += sums[0, i] / n if centring == 0 else 0.0
                variances[p, i] = sums[1, i] / n
        least = np.inf
        for i in range(d):
            rounding = 8.0 * 2.220446049250313e-16 * largest[i]
            if variances[p, i] <= max(rounding * rounding, 2.2250738585072014e-308):
                variances[p, i] = 0.0
            else:
                least = min(least, variances[p, i])
        for i in range(d):
            if variances[p, i] == 0.0:
                variances[p, i] = least if least < np.inf else 1.0


def pooled_variances(sequences: SequenceSet, order: IntArray, bounds: IntArray) -> FloatArray:
    """:func:`variances_of` pools of sequences, shape (number of pools, d)."""
    variances = np.empty((bounds.size - 1, sequences.n_features))
    variances_of(sequences.values, sequences.offsets, order, bounds, variances)
    return variances
