"""How the moments of one sequence correspond to those of another one by dynamic time warping, compiled."""

from __future__ import annotations

import numpy as np

from .compiled import compiled


@compiled()
def warping_path(one, other):  # type: ignore[no-untyped-def]
    """Return the cost of the best alignment, and the moments of both sequences along it from first to last, shape (P, 2)."""
    n, m, width = one.shape[0], other.shape[0], one.shape[1]
    costs = np.empty((n, m))
    for i in range(n):
        for j in range(m):
            own = 0.0
            for k in range(width):
                gap = one[i, k] - other[j, k]
                own += gap * gap
            if i == 0 and j == 0:
                before = 0.0
            elif i == 0:
                before = costs[i, j - 1]
            elif j == 0:
                before = costs[i - 1, j]
            else:
                before = min(costs[i - 1, j - 1], costs[i - 1, j], costs[i, j - 1])
            costs[i, j] = own + before
    path = np.empty((n + m, 2), dtype=np.int64)
    i, j, place = n - 1, m - 1, n + m
    while True:
        place -= 1
        path[place, 0], path[place, 1] = i, j
        if i == 0 and j == 0:
            break
        if i == 0:
            j -= 1
        elif j == 0:
            i -= 1
        elif costs[i - 1, j - 1] <= costs[i - 1, j] and costs[i - 1, j - 1] <= costs[i, j - 1]:
            i, j = i - 1, j - 1
        elif costs[i - 1, j] <= costs[i, j - 1]:
            i -= 1
        else:
            j -= 1
    return costs[n - 1, m - 1], path[place:]
