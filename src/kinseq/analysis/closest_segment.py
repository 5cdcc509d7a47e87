"""Search for the piece of a sequence most similar to another one, compiled, since each spliced set needs thousands."""

from __future__ import annotations

import numpy as np

from ..core.compiled import compiled
from ..core.pairwise_sum import pairwise_sum


@compiled()
def closest_segment(past, source):  # type: ignore[no-untyped-def]
    """Return the number of frames of a source before those most similar to the past; the first of equals."""
    memory, n_columns = past.shape
    squares, best, least = np.empty(memory * n_columns), 0, np.inf
    for start in range(source.shape[0] - memory + 1):
        k = 0
        for i in range(memory):
            for j in range(n_columns):
                gap = source[start + i, j] - past[i, j]
                squares[k] = gap * gap
                k += 1
        total = pairwise_sum(squares, 0, k)
        if total < least:
            best, least = start, total
    return best
