"""Parallel sequences: groups of similar length, with the lanes of their frames innermost."""

from __future__ import annotations

import numpy as np

from ...core.arrays import IntArray
from ...core.compiled import compiled, inlined
from .simd import LANES


def groups(lengths: IntArray) -> IntArray:
    """Split sequences into groups of :data:`LANES` of similar length.

    Returns positions (G, LANES), the longest first; -1 marks a lane that stays empty.
    """
    order = np.argsort(-lengths, kind="stable")
    filled = np.full(-(-order.size // LANES) * LANES, -1, dtype=np.int64)
    filled[: order.size] = order
    return filled.reshape(-1, LANES)


@inlined
def longest(offsets, members):  # type: ignore[no-untyped-def]
    """Number of frames of the longest sequence of a group."""
    steps = offsets[members[0] + 1] - offsets[members[0]]
    for s in members:
        if s >= 0:
            steps = max(steps, offsets[s + 1] - offsets[s])
    return steps


@compiled()
def pack(values, offsets, members, begin, steps, x, lengths):  # type: ignore[no-untyped-def]
    """Fill ``x[t, i, l]`` with feature i of frame ``begin + t`` of the sequence in lane l, and `lengths` with lengths.

    Frames past the end of a sequence repeat its first frame: they must be finite, and are masked later. An empty lane
    holds the sequence of lane 0 with length 0.
    """
    for lane in range(LANES):
        s = members[lane] if members[lane] >= 0 else members[0]
        length = offsets[s + 1] - offsets[s]
        for t in range(steps):
            row = offsets[s] + (begin + t if begin + t < length else 0)
            for i in range(values.shape[1]):
                x[t, i, lane] = values[row, i]
        lengths[lane] = length if members[lane] >= 0 else 0
