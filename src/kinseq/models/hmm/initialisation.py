"""Starts of EM: k-means for the emissions, Dirichlet draws for the start and transition rows.

Every start has a 64-bit seed of its own, derived from the root seed, the content of the sequence and the number of the
start. It drives a counter-based generator inside the kernels, so that a start depends on nothing else: not on the place
of a sequence in a list, its neighbours, or the number of threads.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ...core.arrays import FloatArray
from ...core.compiled import compiled, inlined, part
from ...core.errors import ParameterError, is_one_of, unknown_name
from ...core.random_state import RandomState, check_seed
from ...core.seeds import stream

RandomStarts = Literal["drawn", "fixed"]
RANDOM_STARTS = ("drawn", "fixed")
FIXED = b"fixed0"
"""Name of the one stream of starts that are fixed."""
KMEANS_ITERATIONS = 50
FEW_ITERATIONS = 5
"""Recipe of a start as a toolbox draws it."""
FRAMES_PER_STATE = 500
"""Largest number of frames per state for k-means; EM uses all of them."""


def root_of(random_starts: str, random_state: RandomState) -> int:
    """Return the root of the random starts: the given one, or the same for all where they are fixed."""
    if not is_one_of(random_starts, RANDOM_STARTS):
        raise ParameterError(unknown_name("random_starts", random_starts, RANDOM_STARTS))
    seed = check_seed(random_state)
    return seed if random_starts == "drawn" else 0


@part
def uniform(seed: np.uint64, counter: int) -> float:
    """Number `counter` of the stream `seed`, uniform over (0, 1): the SplitMix64 mixing of seed + counter * golden."""
    z = seed + np.uint64(counter + 1) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return (float(z >> np.uint64(11)) + 0.5) * 2.0**-53


@part
def dirichlet(seed, counter, row):  # type: ignore[no-untyped-def]
    """Fill `row` with a draw from the flat Dirichlet distribution: normalised exponentials -log u."""
    total = 0.0
    for j in range(row.size):
        row[j] = -math.log(uniform(seed, counter + j))
        total += row[j]
    for j in range(row.size):
        row[j] /= total


@part
def uniform_row(seed, counter, row):  # type: ignore[no-untyped-def]
    """Fill `row` with uniform numbers over their sum."""
    total = 0.0
    for j in range(row.size):
        row[j] = uniform(seed, counter + j)
        total += row[j]
    for j in range(row.size):
        row[j] /= total


@part
def squared_distance(x, t, centres, k):  # type: ignore[no-untyped-def]
    """|x_t - c_k|^2."""
    distance = 0.0
    for i in range(x.shape[1]):
        distance += (x[t, i] - centres[k, i]) ** 2
    return distance


@part
def take_row(x, t, centres, k):  # type: ignore[no-untyped-def]
    """c_k <- x_t."""
    for i in range(x.shape[1]):
        centres[k, i] = x[t, i]


@inlined
def spread_centres(x, seed, counter, centres, gap):  # type: ignore[no-untyped-def]
    """k-means++: each further centre is a row drawn with probability proportional to its squared distance `gap`."""
    n = x.shape[0]
    take_row(x, min(n - 1, int(uniform(seed, counter) * n)), centres, np.int64(0))
    for k in range(1, centres.shape[0]):
        mass = 0.0
        for t in range(n):
            # Only the newest centre can be nearer than the earlier ones.
            distance = squared_distance(x, t, centres, k - 1)
            gap[t] = distance if k == 1 else min(gap[t], distance)
            mass += gap[t]
        aim = uniform(seed, counter + k) * mass
        row = n - 1
        for t in range(n):
            aim -= gap[t]
            if aim < 0.0:
                row = t
                break
        take_row(x, row, centres, k)


@inlined
def random_centres(x, seed, counter, centres, labels):  # type: ignore[no-untyped-def]
    """Centres are distinct random rows, or all rows with repeats if there are fewer rows than centres.

    `labels` (T,) is room for an order of the rows, whose beginning is shuffled.
    """
    n = x.shape[0]
    for t in range(n):
        labels[t] = t
    for k in range(centres.shape[0]):
        first = k if k < n else 0
        other = min(n - 1, first + int(uniform(seed, counter + k) * (n - first)))
        labels[first], labels[other] = labels[other], labels[first]
        take_row(x, labels[first], centres, k)


@inlined
def assign(x, centres, labels, gap, count):  # type: ignore[no-untyped-def]
    """Assign each row to its nearest centre, the lowest index of equals, and return whether any row moved.

    A cluster that runs empty is given the row farthest from its centre.
    """
    moved = False
    for k in range(centres.shape[0]):
        count[k] = 0
    for t in range(x.shape[0]):
        best = 0
        gap[t] = np.inf
        for k in range(centres.shape[0]):
            distance = squared_distance(x, t, centres, k)
            if distance < gap[t]:
                best, gap[t] = k, distance
        moved = moved or best != labels[t]
        labels[t] = best
        count[best] += 1
    for k in range(centres.shape[0]):
        if count[k] == 0:
            far = 0
            for t in range(x.shape[0]):
                if gap[t] > gap[far]:
                    far = t
            if gap[far] > 0.0:
                count[labels[far]] -= 1
                labels[far], gap[far], count[k] = k, 0.0, 1
                moved = True
    return moved


@inlined
def kmeans(x, seed, counter, toolbox, centres, labels, gap, count):  # type: ignore[no-untyped-def]
    """k-means of the rows of `x` (T, d): :func:`spread_centres`, then Lloyd's iterations until no row moves.

    With `toolbox`, few of them from :func:`random_centres`.
    """
    max_iter = KMEANS_ITERATIONS
    if toolbox:
        max_iter = FEW_ITERATIONS
        random_centres(x, seed, counter, centres, labels)
    else:
        spread_centres(x, seed, counter, centres, gap)
    for t in range(x.shape[0]):
        labels[t] = -1
    for _ in range(max_iter):
        if not assign(x, centres, labels, gap, count):
            break
        for k in range(centres.shape[0]):
            for i in range(x.shape[1]):
                if count[k] > 0:
                    centres[k, i] = 0.0
        for t in range(x.shape[0]):
            for i in range(x.shape[1]):
                centres[labels[t], i] += x[t, i] / count[labels[t]]


@inlined
def cluster_moments(x, labels, k, full, mean, covar):  # type: ignore[no-untyped-def]
    """Mean and covariance (variances, or the packed lower triangle) of cluster k; of all rows if it is empty."""
    n, d = x.shape
    count = 0
    for t in range(n):
        count += labels[t] == k
    whole = count == 0
    weight = 1.0 / (n if whole else count)
    for i in range(d):
        mean[i] = 0.0
    for p in range(covar.size):
        covar[p] = 0.0
    for t in range(n):
        if whole or labels[t] == k:
            for i in range(d):
                mean[i] += weight * x[t, i]
    for t in range(n):
        if whole or labels[t] == k:
            p = 0
            for i in range(d):
                for j in range(0 if full else i, i + 1):
                    covar[p] += weight * (x[t, i] - mean[i]) * (x[t, j] - mean[j])
                    p += 1


def draw_symbol_starts(
    seeds: NDArray[np.uint64], startprob: FloatArray, transmat: FloatArray, emissionprob: FloatArray
) -> None:
    """Random starts of models of symbols: rows of probabilities from the flat Dirichlet distribution, into chains (C, ...)."""
    for chain, seed in enumerate(seeds.ravel().tolist()):
        random = stream(seed, "symbols")
        for rows in (startprob[chain], transmat[chain], emissionprob[chain]):
            rows[...] = random.dirichlet(np.ones(rows.shape[-1]), size=rows.shape[:-1] or None)


@compiled()
def draw_starts(values, offsets, scales, seeds, full, toolbox, startprob, transmat, means, covars):  # type: ignore[no-untyped-def]
    """Random starts: emissions from k-means on ``x / scale``, random start and transition rows.

    `toolbox` says how, see :class:`~kinseq.models.hmm.presets.TrainingRecipe`.
    Start r of sequence s has its own seed and becomes chain ``s * n_init + r`` of the output arrays.
    """
    n_init, k, d = seeds.shape[1], startprob.shape[1], values.shape[1]
    centres, count = np.empty((k, d)), np.empty(k, np.int64)
    for s in range(offsets.size - 1):
        n = offsets[s + 1] - offsets[s]
        x, scaled = np.empty((n, d)), np.empty((n, d))
        labels, gap = np.empty(n, np.int64), np.empty(n)
        for t in range(n):
            for i in range(d):
                # Centring at the first frame preserves all digits of a sequence at a large offset.
                x[t, i] = values[offsets[s] + t, i] - values[offsets[s], i]
                scaled[t, i] = x[t, i] / scales[s, i]
        for r in range(n_init):
            c, seed = s * n_init + r, seeds[s, r]
            if toolbox:
                uniform_row(seed, np.int64(0), startprob[c])
                for i in range(k):
                    uniform_row(seed, k * (i + 1), transmat[c, i])
            else:
                dirichlet(seed, np.int64(0), startprob[c])
                for i in range(k):
                    dirichlet(seed, k * (i + 1), transmat[c, i])
            kmeans(scaled, seed, k * (k + 1), toolbox, centres, labels, gap, count)
            for i in range(k):
                cluster_moments(x, labels, i, full, means[c, i], covars[c, i])
                for j in range(d):
                    means[c, i, j] += values[offsets[s], j]
