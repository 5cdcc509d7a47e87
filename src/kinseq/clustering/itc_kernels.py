"""One run of information-theoretic clustering, compiled: seeds, growth, removal of the weakest cluster, regrowth.

What is kept is of size N (K + d): distances are computed row by row when they are needed, and the costs of an assignment
follow from sums that are brought up to date as points join a cluster (thesis 2012, algorithm 1). A kNN trial of one point
uses every labelled point once for all clusters; a trial of the kernel cost needs a number per cluster.

Clusters are numbered in the order of their seeds. A removed one closes the gap, so that the lowest index means the same
throughout a run, and ties go to it.

Arrays are set entry by entry: numba takes seconds to compile an array that is set from another one as a whole, with the
message for shapes that do not fit.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import FloatArray, IntArray
from ..core.compiled import compiled

NONE: Any = np.int64(-1)
FIRST: Any = np.int64(0)
"""Indices of one type: numba would compile a function again for a literal number as start value."""

MIN_SIMILARITY = 1e-300
"""Least similarity of two clusters."""


class Space(NamedTuple):
    """Points or dissimilarities, and their conversion to numbers."""

    data: FloatArray
    """Vectors as columns, shape (d, N), or a matrix, shape (N, N)."""
    precomputed: bool
    unit: float
    """Unit of distances, which are divided by it."""
    floor: float
    """Squared distance, in units, that replaces zero."""
    squares: FloatArray
    """Squared distances between all points, shape (N, N), if kept for all runs; otherwise shape (0, 0)."""
    weights: FloatArray
    """Weights by :func:`weights_from`, of the same shape."""


class Cost(NamedTuple):
    """The cost function, see :mod:`kinseq.divergences.information` for its formulas."""

    knn: bool
    exponent: float
    rate: float
    """The kernel is ``exp(-rate * squared distance)``."""
    near: int
    """k of the numerator."""
    own: int
    """k of the denominator; 0 for the farthest member."""
    factor: bool


class State(NamedTuple):
    """State of a partition of some points into clusters; K columns, of which the first `k` are in use."""

    labels: IntArray
    nearest: FloatArray
    """Squared distance of each point to the nearest member of each cluster, shape (N, K)."""
    sizes: IntArray
    top: FloatArray
    """Largest inverse volumes to the members of each cluster, without the point itself, shape (L, N, K)."""
    far: FloatArray
    """Inverse volume to the farthest member of the own cluster, shape (N,)."""
    crossing: FloatArray
    """Entry (p, q): sum over the members of p of the inverse volume to the k-th neighbour in q."""
    within: FloatArray
    """Sum over the members of p of the inverse volume to the k-th neighbour, or the farthest one, in p."""
    similar: FloatArray
    """Sum of the kernel between each point and the members of each cluster, shape (N, K)."""
    masses: FloatArray
    """Sums of the kernel over all pairs of members of two clusters; on the diagonal over ordered pairs of one."""


class Trial(NamedTuple):
    """Workspace of an assignment."""

    crossing: FloatArray
    own: FloatArray
    least: FloatArray
    pairs: FloatArray
    """Cost of the pairs of each cluster, if it took the point."""


@compiled()
def squares_from(space: Space, x: int, out: FloatArray) -> None:
    """Squared distances of point x to all points, in units, with zeros replaced by the floor."""
    data, n = space.data, space.data.shape[1]
    scale = 1.0 / space.unit
    if space.precomputed:
        for i in range(n):
            distance = data[x, i] * scale
            out[i] = distance * distance
    else:
        # Loop over features outside, so that the loop over points is contiguous in memory.
        out[:] = 0.0
        for j in range(len(data)):
            own = data[j, x]
            for i in range(n):
                difference = (data[j, i] - own) * scale
                out[i] += difference * difference
    out[x] = 0.0
    for i in range(n):
        out[i] = out[i] if out[i] > 0.0 else space.floor


@compiled()
def inverse_volumes(squares: FloatArray, exponent: float, base: FloatArray, out: FloatArray) -> None:
    """``distance ** -exponent`` from squared distances; the constant of the ball cancels in every cost.

    Whole exponents are products of repeated squares, which are left in `base`.
    """
    whole, n = int(exponent), len(squares)
    if whole != exponent:
        for i in range(n):
            out[i] = squares[i] ** (-0.5 * exponent)
        return
    for i in range(n):
        out[i], base[i] = 1.0, squares[i]
    left = whole // 2
    while left > 0:
        if left & 1:
            for i in range(n):
                out[i] *= base[i]
        left >>= 1
        if left > 0:
            for i in range(n):
                base[i] *= base[i]
    if whole & 1:
        for i in range(n):
            out[i] *= math.sqrt(squares[i])
    for i in range(n):
        out[i] = 1.0 / out[i]


@compiled()
def weights_from(squares: FloatArray, cost: Cost, base: FloatArray, out: FloatArray) -> None:
    """Inverse volumes or kernels of squared distances; `base` is a workspace."""
    if cost.knn:
        inverse_volumes(squares, cost.exponent, base, out)
    else:
        for i in range(len(squares)):
            out[i] = math.exp(-cost.rate * squares[i])


@compiled()
def rows_of(
    space: Space, cost: Cost, x: int, squares: FloatArray, base: FloatArray, weights: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the squared distances and weights of point x, cached or computed in the workspaces."""
    if len(space.squares) > 0:
        return space.squares[x], space.weights[x]
    squares_from(space, x, squares)
    weights_from(squares, cost, base, weights)
    return squares, weights


@compiled()
def fill(space: Space, cost: Cost, squares: FloatArray, weights: FloatArray) -> None:
    """Squared distances and weights of all points, for :class:`Space` to keep."""
    base = np.empty(space.data.shape[1])
    for x in range(space.data.shape[1]):
        squares_from(space, x, squares[x])
        weights_from(squares[x], cost, base, weights[x])


@compiled()
def extremes(space: Space) -> tuple[float, float]:
    """Return the least positive and largest squared distance between two points, in units; (inf, 0) if there is none."""
    n = space.data.shape[1]
    row = np.empty(n)
    least, largest = np.inf, 0.0
    for x in range(n):
        squares_from(space, x, row)
        for i in range(x):
            if row[i] > 0.0:
                least = min(least, row[i])
                largest = max(largest, row[i])
    return least, largest


@compiled()
def join(state: State, cost: Cost, x: int, m: int, squares: FloatArray, weights: FloatArray) -> None:
    """Update the sums of all points for point x as a member of cluster m, without the sums over clusters."""
    depth = len(state.top)
    state.far[x] = weights[x]
    for i in range(len(squares)):
        if squares[i] < state.nearest[i, m]:
            state.nearest[i, m] = squares[i]
        if not cost.knn:
            state.similar[i, m] += weights[i]
            continue
        if i == x:
            continue
        entry = weights[i]
        for level in range(depth):
            if entry > state.top[level, i, m]:
                entry, state.top[level, i, m] = state.top[level, i, m], entry
        if state.labels[i] == m:
            state.far[i] = min(state.far[i], weights[i])
            state.far[x] = min(state.far[x], weights[i])
    state.labels[x] = m
    state.sizes[m] += 1


@compiled()
def tally(state: State, cost: Cost, k: int) -> None:
    """Sums over the members of clusters, from scratch."""
    state.crossing[:] = 0.0
    state.within[:] = 0.0
    state.masses[:] = 0.0
    for i in range(len(state.labels)):
        p = state.labels[i]
        if p < 0:
            continue
        if not cost.knn:
            for q in range(k):
                state.masses[p, q] += state.similar[i, q]
            continue
        for q in range(k):
            if q != p:
                state.crossing[p, q] += state.top[cost.near - 1, i, q]
        state.within[p] += state.far[i] if cost.own == 0 else state.top[cost.own - 1, i, p]


@compiled()
def information(cost: Cost, within: float, size: float) -> float:
    """Estimate of the integral of the squared density of a cluster, up to the constant of the ball (eq. 4.2)."""
    if not cost.factor:
        return within / (size * size)
    return within / size if cost.own == 0 else cost.own * within / (size * size)


@compiled()
def pair_cost(cost: Cost, crossing: float, p_within: float, p_size: float, q_within: float, q_size: float) -> float:
    """Return the cost of one pair of clusters (eq. 4.3); `crossing` is summed over both directions."""
    numerator = 0.5 * crossing / (p_size * q_size)
    if cost.factor:
        numerator *= cost.near
    # Take roots one by one: their product stays in range where that of the terms overflows.
    return numerator / (math.sqrt(information(cost, p_within, p_size)) * math.sqrt(information(cost, q_within, q_size)))


@compiled()
def pair_costs(state: State, cost: Cost, k: int, out: FloatArray) -> None:
    """Costs of all pairs of the first k clusters, from the sums."""
    for p in range(k):
        out[p, p] = 0.0
        for q in range(p):
            if cost.knn:
                crossing = state.crossing[p, q] + state.crossing[q, p]
                value = pair_cost(cost, crossing, state.within[p], state.sizes[p], state.within[q], state.sizes[q])
            else:
                root = math.sqrt(state.masses[p, p]) * math.sqrt(state.masses[q, q])
                value = max(state.masses[p, q], MIN_SIMILARITY) / root
            out[p, q] = value
            out[q, p] = value


@compiled()
def total_cost(state: State, cost: Cost, k: int, costs: FloatArray, without: int) -> float:
    """Return the cost of a partition: the mean over pairs (eq. 4.7) for kNN, the logarithm of eq. 3.32 for the kernel.

    Cluster `without` is left out; -1 for none.
    """
    total, pairs, logs = 0.0, 0, 0.0
    for p in range(k):
        if p == without:
            continue
        logs += 0.0 if cost.knn else math.log(state.masses[p, p])
        for q in range(p):
            if q != without:
                total += costs[p, q] if cost.knn else state.masses[p, q]
                pairs += 1
    return total / pairs if cost.knn else math.log(max(total, MIN_SIMILARITY)) - 0.5 * logs


@compiled()
def mean_divergence(costs: FloatArray, k: int) -> float:
    """Mean Cauchy-Schwarz divergence of the pairs of clusters."""
    total = 0.0
    for p in range(k):
        for q in range(p):
            total -= math.log(costs[p, q])
    return 2.0 * total / (k * (k - 1))


@compiled()
def knn_choice(state: State, cost: Cost, k: int, x: int, weights: FloatArray, costs: FloatArray, trial: Trial) -> int:
    """Cluster with the least cost if it takes point x; leaves the sums with x in each cluster in `trial`."""
    near, above = cost.near - 1, cost.near - 2
    trial.crossing[:] = 0.0
    trial.own[:] = 0.0
    trial.least[:] = np.inf
    for i in range(len(weights)):
        q = state.labels[i]
        if q < 0:
            continue
        weight = weights[i]
        if above < 0:
            for m in range(k):
                largest = state.top[0, i, m]
                trial.crossing[q, m] += weight if weight > largest else largest
        else:
            for m in range(k):
                capped = min(weight, state.top[above, i, m])
                trial.crossing[q, m] += max(capped, state.top[near, i, m])
        if cost.own == 0:
            trial.own[q] += min(state.far[i], weight)
            trial.least[q] = min(trial.least[q], weight)
        else:
            capped = weight if cost.own == 1 else min(weight, state.top[cost.own - 2, i, q])
            trial.own[q] += max(capped, state.top[cost.own - 1, i, q])
    best, least = 0, np.inf
    for m in range(k):
        trial.own[m] += trial.least[m] if cost.own == 0 else state.top[cost.own - 1, x, m]
        change = 0.0
        for q in range(k):
            if q != m:
                crossing = state.crossing[m, q] + state.top[near, x, q] + trial.crossing[q, m]
                value = pair_cost(cost, crossing, trial.own[m], state.sizes[m] + 1, state.within[q], state.sizes[q])
                trial.pairs[m, q] = value
                change += value - costs[m, q]
        if change < least:
            best, least = m, change
    return best


@compiled()
def kernel_choice(state: State, k: int, x: int) -> int:
    """Cluster with the least logarithm of eq. 3.32 if it takes point x."""
    cross = 0.0
    for p in range(k):
        for q in range(p):
            cross += state.masses[p, q]
    others = 0.0
    for q in range(k):
        others += state.similar[x, q]
    best, least = 0, np.inf
    for m in range(k):
        mass = state.masses[m, m]
        change = math.log(max(cross + others - state.similar[x, m], MIN_SIMILARITY))
        change -= 0.5 * math.log((mass + 2.0 * state.similar[x, m] + 1.0) / mass)
        if change < least:
            best, least = m, change
    return best


@compiled()
def add(state: State, cost: Cost, k: int, x: int, m: int, costs: FloatArray, trial: Trial) -> None:
    """Update sums over clusters after point x joins cluster m; call it before :func:`join`."""
    if not cost.knn:
        for q in range(k):
            if q != m:
                state.masses[m, q] += state.similar[x, q]
                state.masses[q, m] += state.similar[x, q]
        state.masses[m, m] += 2.0 * state.similar[x, m] + 1.0
        return
    for q in range(k):
        if q != m:
            state.crossing[m, q] += state.top[cost.near - 1, x, q]
            state.crossing[q, m] = trial.crossing[q, m]
            costs[m, q] = trial.pairs[m, q]
            costs[q, m] = trial.pairs[m, q]
    state.within[m] = trial.own[m]


@compiled()
def drop(state: State, k: int, r: int, names: IntArray, costs: FloatArray) -> None:
    """Remove cluster r: its points lose their labels, and later clusters move up by one."""
    for i in range(len(state.labels)):
        if state.labels[i] == r:
            state.labels[i] = -1
        elif state.labels[i] > r:
            state.labels[i] -= 1
        for m in range(r, k - 1):
            state.nearest[i, m] = state.nearest[i, m + 1]
            state.similar[i, m] = state.similar[i, m + 1]
            for level in range(len(state.top)):
                state.top[level, i, m] = state.top[level, i, m + 1]
    for m in range(r, k - 1):
        names[m] = names[m + 1]
        state.sizes[m] = state.sizes[m + 1]
        state.within[m] = state.within[m + 1]
        for table in (state.crossing, state.masses, costs):
            for q in range(k):
                table[m, q] = table[m + 1, q]
    for table in (state.crossing, state.masses, costs):
        for p in range(k):
            for m in range(r, k - 1):
                table[p, m] = table[p, m + 1]


@compiled()
def empty(n: int, k: int, cost: Cost) -> State:
    """Return the state without any labels."""
    return State(
        np.full(n, -1, dtype=np.int64),
        np.full((n, k), np.inf),
        np.zeros(k, dtype=np.int64),
        np.zeros((max(cost.near, cost.own) if cost.knn else 0, n, k)),
        np.zeros(n),
        np.zeros((k, k)),
        np.zeros(k),
        np.zeros((n, k)),
        np.zeros((k, k)),
    )


@compiled()
def measure(space: Space, cost: Cost, labels: IntArray, k: int) -> tuple[float, float, FloatArray]:
    """Return the cost and mean divergence of a partition into k clusters, and the costs of its pairs."""
    n = len(labels)
    state = empty(n, k, cost)
    near, heavy, base, pairs = np.empty(n), np.empty(n), np.empty(n), np.zeros((k, k))
    for x in range(n):
        squares, weights = rows_of(space, cost, x, near, base, heavy)
        join(state, cost, x, labels[x], squares, weights)
    tally(state, cost, k)
    pair_costs(state, cost, k, pairs)
    return total_cost(state, cost, k, pairs, NONE), mean_divergence(pairs, k), pairs


@compiled()
def seed(
    state: State,
    space: Space,
    cost: Cost,
    draws: FloatArray,
    starts: IntArray,
    n_init: int,
    from_start: bool,
    steps: IntArray,
) -> int:
    """Grow clusters of `n_init` points from random unlabelled starts; return the number of steps.

    A start that is given, and has no label yet, takes the place of one that is drawn.
    """
    n = len(state.labels)
    near, heavy, base, reach = np.empty(n), np.empty(n), np.empty(n), np.empty(n)
    step = 0
    for m in range(len(draws)):
        # Start at the point whose rank among unlabelled points was drawn.
        free = n - m * n_init
        left = min(int(draws[m] * free), free - 1)
        x = NONE
        while left >= 0:
            x += 1
            if state.labels[x] < 0:
                left -= 1
        if starts[m] >= 0 and state.labels[starts[m]] < 0:
            x = starts[m]
        for member in range(n_init):
            squares, weights = rows_of(space, cost, x, near, base, heavy)
            join(state, cost, x, m, squares, weights)
            steps[x] = step
            step += 1
            if member == 0:
                for i in range(n):
                    reach[i] = squares[i]
            best, x = np.inf, FIRST
            for i in range(n):
                distance = reach[i] if from_start else state.nearest[i, m]
                if state.labels[i] < 0 and distance < best:
                    best, x = distance, i
    return step


@compiled()
def grow(
    state: State, space: Space, cost: Cost, k: int, costs: FloatArray, trial: Trial, steps: IntArray, step: int
) -> int:
    """Label the unlabelled points, those closest to a labelled point first; return the number of steps."""
    n = len(state.labels)
    near, heavy, base, closest = np.empty(n), np.empty(n), np.empty(n), np.empty(n)
    left = 0
    for i in range(n):
        closest[i] = np.inf
        if state.labels[i] < 0:
            left += 1
            for m in range(k):
                closest[i] = min(closest[i], state.nearest[i, m])
    for _ in range(left):
        best, x = np.inf, NONE
        for i in range(n):
            if state.labels[i] < 0 and (x < 0 or closest[i] < best):
                best, x = closest[i], i
        squares, weights = rows_of(space, cost, x, near, base, heavy)
        m = knn_choice(state, cost, k, x, weights, costs, trial) if cost.knn else kernel_choice(state, k, x)
        add(state, cost, k, x, m, costs, trial)
        join(state, cost, x, m, squares, weights)
        for i in range(n):
            closest[i] = min(closest[i], squares[i])
        steps[x] = step
        step += 1
    return step


@compiled()
def record(
    stages: NDArray[np.int16], when: NDArray[np.int32], row: int, labels: IntArray, names: IntArray, steps: IntArray
) -> None:
    """Store the labels, by the numbers of the seeds, and their steps in a row of the trace."""
    for i in range(len(labels)):
        stages[row, i] = names[labels[i]] if labels[i] >= 0 else -1
        when[row, i] = steps[i]


@compiled()
def run(
    space: Space, cost: Cost, draws: FloatArray, starts: IntArray, n_init: int, k_end: int, from_start: bool
) -> tuple[NDArray[np.int16], NDArray[np.int32], FloatArray, FloatArray, IntArray]:
    """Return one run (thesis 2012, algorithm 1): labels, steps, costs, divergences, removed.

    `draws` are K_init uniform numbers in [0, 1) that starts are drawn with; `starts` the points that clusters are
    seeded at, -1 where a start is drawn; seeded clusters have `n_init` points each, which grow by the points nearest to
    their start with `from_start`, else to any member. With R = K_init - k_end removals, labels (2 + 2 R, N) are those
    after seeding, after growth, then after each removal and each regrowth, by the numbers of the seeds, -1 for none;
    steps (2 + 2 R, N) say at which step each point got its label; costs and mean pairwise divergences (1 + R,) are
    those of each complete partition, K_init to k_end clusters; removed (R,) the clusters in the order in which they
    went.
    """
    n, k = space.data.shape[1], len(draws)
    state = empty(n, k, cost)
    trial = Trial(np.zeros((k, k)), np.zeros(k), np.zeros(k), np.zeros((k, k)))
    removals = k - k_end
    stages = np.empty((2 + 2 * removals, n), dtype=np.int16)
    when = np.empty((2 + 2 * removals, n), dtype=np.int32)
    values, divergences = np.empty(1 + removals), np.empty(1 + removals)
    removed = np.empty(removals, dtype=np.int64)
    names, steps, pairs = np.arange(k), np.full(n, -1, dtype=np.int64), np.zeros((k, k))
    step = seed(state, space, cost, draws, starts, n_init, from_start, steps)
    record(stages, when, 0, state.labels, np.arange(k), steps)
    tally(state, cost, k)
    for stage in range(1 + removals):
        pair_costs(state, cost, k, pairs)
        if stage > 0:
            worst, least = FIRST, np.inf
            for r in range(k):
                value = total_cost(state, cost, k, pairs, r)
                if value < least:
                    worst, least = r, value
            removed[stage - 1] = names[worst]
            drop(state, k, worst, names, pairs)
            k -= 1
            record(stages, when, 2 * stage, state.labels, names, steps)
        step = grow(state, space, cost, k, pairs, trial, steps, step)
        pair_costs(state, cost, k, pairs)
        values[stage] = total_cost(state, cost, k, pairs, NONE)
        divergences[stage] = mean_divergence(pairs, k)
        record(stages, when, 2 * stage + 1, state.labels, names, steps)
    return stages, when, values, divergences, removed
