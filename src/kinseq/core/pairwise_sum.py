"""Sums in compiled functions with NumPy's rounding, to replace its calls on small arrays."""

from __future__ import annotations

import numpy as np

from .compiled import part

BLOCK_TERMS = 128
"""Number of terms up to which eight sums run in parallel; more terms are halved."""
MAX_HALVINGS = 64
"""Largest number of halvings."""


@part
def _of_block(values, start, stop):  # type: ignore[no-untyped-def]
    if stop - start < 8:
        total = 0.0
        for i in range(start, stop):
            total += values[i]
        return total
    a, b, c, d = values[start], values[start + 1], values[start + 2], values[start + 3]
    e, f, g, h = values[start + 4], values[start + 5], values[start + 6], values[start + 7]
    last = stop - (stop - start) % 8
    for i in range(start + 8, last, 8):
        a += values[i]
        b += values[i + 1]
        c += values[i + 2]
        d += values[i + 3]
        e += values[i + 4]
        f += values[i + 5]
        g += values[i + 6]
        h += values[i + 7]
    total = ((a + b) + (c + d)) + ((e + f) + (g + h))
    for i in range(last, stop):
        total += values[i]
    return total


@part
def pairwise_sum(values, start, stop):  # type: ignore[no-untyped-def]
    """Return the sum of ``values[start:stop]``, in the order of ``numpy.sum`` of a contiguous array."""
    if stop - start <= BLOCK_TERMS:
        return _of_block(values, start, stop)
    # Pairwise halves, left before right: recursion without calls, since Numba cannot cache recursive functions.
    spans, lefts, step = np.empty((MAX_HALVINGS, 2), np.int64), np.empty(MAX_HALVINGS), np.zeros(MAX_HALVINGS, np.int64)
    spans[0, 0], spans[0, 1] = start, stop
    depth, total = 0, 0.0
    while depth >= 0:
        first, end = spans[depth, 0], spans[depth, 1]
        if end - first <= BLOCK_TERMS:
            total = _of_block(values, first, end)
            depth -= 1
            continue
        half = (end - first) // 2
        half -= half % 8
        step[depth] += 1
        if step[depth] == 3:
            total = lefts[depth] + total
            step[depth] = 0
            depth -= 1
            continue
        if step[depth] == 1:
            spans[depth + 1, 0], spans[depth + 1, 1] = first, first + half
        else:
            lefts[depth] = total
            spans[depth + 1, 0], spans[depth + 1, 1] = first + half, end
        depth += 1
    return total
