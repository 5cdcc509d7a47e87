"""Where EM starts: k-means for the emissions, Dirichlet draws for the start and transition rows.

Every start has a 64-bit seed of its own, derived from the root seed, the content of the sequence and the number of the
start. It drives a counter-based generator inside the kernels, so that a start depends on nothing else: not on the place
of a sequence in a list, its neighbours, or the number of threads.
"""

from __future__ import annotations

import math

import numba
import numpy as np

from ...arrays import FloatArray
from ...sequences import SequenceSet

KMEANS_ITERATIONS = 50
FRAMES_PER_STATE = 500
"""k-means looks at no more than this many frames per state; EM sees all of them."""


@numba.njit(cache=True, nogil=True)
def uniform(seed: np.uint64, counter: int) -> float:
    """Number `counter` of the stream `seed`, uniform over (0, 1): the SplitMix64 mixing of seed + counter * golden."""
    z = seed + np.uint64(counter + 1) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return (float(z >> np.uint64(11)) + 0.5) * 2.0**-53


@numba.njit(cache=True, nogil=True)
def dirichlet_rows(seed, counter, rows):  # type: ignore[no-untyped-def]
    """Fill each row with a draw from the flat Dirichlet distribution: normalised exponentials -log u."""
    for i in range(rows.shape[0]):
        total = 0.0
        for j in range(rows.shape[1]):
            rows[i, j] = -math.log(uniform(seed, counter + i * rows.shape[1] + j))
            total += rows[i, j]
        rows[i] /= total
    return counter + rows.size


@numba.njit(cache=True, nogil=True)
def nearest(frame, centres, n_centres):  # type: ignore[no-untyped-def]
    """Index of, and squared distance to, the centre nearest to `frame`; the lowest index of equals."""
    best, least = 0, np.inf
    for k in range(n_centres):
        distance = 0.0
        for i in range(frame.size):
            distance += (frame[i] - centres[k, i]) ** 2
        if distance < least:
            best, least = k, distance
    return best, least


@numba.njit(cache=True, nogil=True)
def kmeans(x, n_clusters, seed, counter, max_iter):  # type: ignore[no-untyped-def]
    """k-means of the rows of `x` (T, d): k-means++ seeding, then Lloyd's iterations until no row moves.

    A cluster that runs empty is given the row farthest from its centre. Returns the cluster of each row.
    """
    n, d = x.shape
    centres = np.empty((n_clusters, d))
    labels = np.zeros(n, np.int64)
    gap = np.empty(n)
    centres[0] = x[min(n - 1, int(uniform(seed, counter) * n))]
    for k in range(1, n_clusters):
        for t in range(n):
            # Only the newest centre can come nearer than those before it.
            _, distance = nearest(x[t], centres[k - 1 : k], 1)
            gap[t] = distance if k == 1 else min(gap[t], distance)
        aim = uniform(seed, counter + k) * gap.sum()
        chosen = n - 1
        for t in range(n):
            aim -= gap[t]
            if aim < 0.0:
                chosen = t
                break
        centres[k] = x[chosen]
    count = np.zeros(n_clusters, np.int64)
    for iteration in range(max_iter):
        moved = iteration == 0
        for t in range(n):
            k, gap[t] = nearest(x[t], centres, n_clusters)
            moved = moved or k != labels[t]
            labels[t] = k
        count[:] = 0
        for t in range(n):
            count[labels[t]] += 1
        for k in range(n_clusters):
            if count[k] == 0:
                far = int(np.argmax(gap))
                if gap[far] > 0.0:
                    count[labels[far]] -= 1
                    labels[far], gap[far], count[k] = k, 0.0, 1
                    moved = True
        if not moved:
            break
        for k in range(n_clusters):
            if count[k] > 0:
                centres[k] = 0.0
        for t in range(n):
            for i in range(d):
                centres[labels[t], i] += x[t, i] / count[labels[t]]
    return labels


@numba.njit(cache=True, nogil=True)
def cluster_moments(x, labels, means, scatters):  # type: ignore[no-untyped-def]
    """Mean and covariance of each cluster of rows; an empty cluster is given those of all rows.

    `scatters` has shape (K, d) for variances or (K, d, d) for covariance matrices.
    """
    n, d = x.shape
    for k in range(means.shape[0]):
        inside = labels == k
        if not inside.any():
            inside[:] = True
        count = inside.sum()
        means[k] = 0.0
        scatters[k] = 0.0
        for t in range(n):
            if inside[t]:
                means[k] += x[t] / count
        for t in range(n):
            if inside[t]:
                for i in range(d):
                    if scatters.ndim == 2:
                        scatters[k, i] += (x[t, i] - means[k, i]) ** 2 / count
                    else:
                        for j in range(d):
                            scatters[k, i, j] += (x[t, i] - means[k, i]) * (x[t, j] - means[k, j]) / count


@numba.njit(cache=True, nogil=True)
def draw_start(x, scale, seed, startprob, transmat, means, covars):  # type: ignore[no-untyped-def]
    """Fill one random start: emissions from k-means on ``x / scale``, Dirichlet start and transition rows."""
    k = startprob.size
    counter = dirichlet_rows(seed, 0, startprob.reshape(1, k))
    counter = dirichlet_rows(seed, counter, transmat)
    labels = kmeans(x / scale, k, seed, counter, KMEANS_ITERATIONS)
    cluster_moments(x, labels, means, covars)


@numba.njit(cache=True, nogil=True)
def draw_starts(values, offsets, scales, seeds, startprob, transmat, means, covars):  # type: ignore[no-untyped-def]
    """:func:`draw_start` for each sequence s and start r; chain ``s * n_init + r`` of the output arrays."""
    n_init = seeds.shape[1]
    for s in range(offsets.size - 1):
        # Centred at its first frame, a sequence at a large offset keeps all its digits.
        x = values[offsets[s] : offsets[s + 1]] - values[offsets[s]]
        for r in range(n_init):
            c = s * n_init + r
            draw_start(x, scales[s], seeds[s, r], startprob[c], transmat[c], means[c], covars[c])
            means[c] += values[offsets[s]]


def pooled_variances(x: FloatArray) -> FloatArray:
    """Variances of the columns of `x` (T, d), with something positive in place of zeros.

    A column that is constant up to rounding takes the least variance among the others, or 1 if there is none: a floor
    relative to it then stays a floor.
    """
    # Twice centred: the mean of a column at a large offset is itself rounded.
    centred = x - x[0]
    centred = centred - centred.mean(axis=0)
    variances = np.asarray((centred * centred).mean(axis=0))
    rounding = (8.0 * np.finfo(np.float64).eps * np.abs(x).max(axis=0)) ** 2
    flat = variances <= np.maximum(rounding, np.finfo(np.float64).tiny)
    if flat.any():
        variances[flat] = variances[~flat].min() if not flat.all() else 1.0
    return variances


def sequence_variances(sequences: SequenceSet) -> FloatArray:
    """:func:`pooled_variances` of each sequence by itself, shape (N, d)."""
    return np.array([pooled_variances(x) for x in sequences])
