"""Sums over iterations for every pair of samples, compiled: the cost of an iteration is the sum of squared class sizes.

A row of a matrix stays in the cache while all iterations are added to it in their order. An entry is therefore the same
sum, to the last bit, however the rows are cut into blocks, and a matrix is symmetric without being mirrored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import FloatArray, IntArray
from ..core.compiled import compiled

BLOCK_ROWS = 256
"""Rows of a block; fixed, so that sums over blocks do not depend on the number of threads."""


class Members(NamedTuple):
    """The samples of every class of every iteration."""

    labels: NDArray[np.int16]
    """(N, I), negative for samples that take no part"""
    order: NDArray[np.int32]
    """(I, N), samples by class"""
    starts: IntArray
    """First position of each class in a row of `order`, concatenated over iterations"""
    first: IntArray
    """(I,), first position of the classes of an iteration in `starts`"""


def members(labels: NDArray[np.int16]) -> Members:
    """Sort the samples of every iteration by class; `labels` (N, I) is negative for samples that take no part."""
    n, n_iterations = labels.shape
    order = np.empty((n_iterations, n), dtype=np.int32)
    starts: list[IntArray] = []
    for i in range(n_iterations):
        column = labels[:, i]
        order[i] = np.argsort(column, kind="stable")
        out = int((column < 0).sum())
        sizes = np.bincount(column[column >= 0], minlength=1)
        starts.append(out + np.concatenate([[0], np.cumsum(sizes)]))
    lengths = [len(part) for part in starts]
    first = np.concatenate([[0], np.cumsum(lengths)[:-1]]) if lengths else np.zeros(0)
    flat = np.concatenate(starts) if starts else np.zeros(0)
    return Members(np.ascontiguousarray(labels), order, flat.astype(np.int64), first.astype(np.int64))


@compiled()
def _add(labels, order, starts, first, weights, low, high, room, total):  # type: ignore[no-untyped-def]
    """Add weights[i] for every other member of the class to rows low .. high - 1 of `total`, block by block."""
    n = order.shape[1]
    for p in range(low, high):
        for q in range(n):
            room[q] = total[p - low, q]
        for i in range(labels.shape[1]):
            label = labels[p, i]
            if label >= 0:
                w = weights[i]
                at = first[i] + label
                for j in range(starts[at], starts[at + 1]):
                    room[order[i, j]] += w
        for q in range(n):
            total[p - low, q] = room[q]


@compiled()
def _sums(labels, order, starts, first, matrix, low, high, sums):  # type: ignore[no-untyped-def]
    """Add to sums[i] the entries of rows low .. high - 1 with other members of the class at iteration i."""
    for p in range(low, high):
        for i in range(labels.shape[1]):
            label = labels[p, i]
            if label >= 0:
                at = first[i] + label
                total = 0.0
                for j in range(starts[at], starts[at + 1]):
                    q = order[i, j]
                    if q != p:
                        total += matrix[p, q]
                sums[i] += total


@compiled()
def _uniform(key, p, q):  # type: ignore[no-untyped-def]
    """Return a reproducible number in [0, 1) for a pair (the mixer of SplitMix64)."""
    low, high = (p, q) if p < q else (q, p)
    z = key + np.uint64(0x9E3779B97F4A7C15) * (np.uint64(low) * np.uint64(0x100000000) + np.uint64(high) + np.uint64(1))
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return (z >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@compiled()
def _flip(labels, weights, chances, keys, low, high, total):  # type: ignore[no-untyped-def]
    """Add weights[i] to pairs tested apart whose draw falls below chances[i]."""
    n = labels.shape[0]
    for i in range(labels.shape[1]):
        if chances[i] > 0.0:
            for p in range(low, high):
                label = labels[p, i]
                if label >= 0:
                    for q in range(n):
                        other = labels[q, i]
                        if other >= 0 and other != label and _uniform(keys[i], p, q) < chances[i]:
                            total[p - low, q] += weights[i]


@compiled()
def entropy_sum(together, counts):  # type: ignore[no-untyped-def]
    """Sum over pairs of the entropy, in nats, of being classified together; pairs never tested together count 0."""
    total = 0.0
    for p in range(together.shape[0]):
        row = 0.0
        for q in range(p + 1, together.shape[0]):
            if 0 < together[p, q] < counts[p, q]:
                s = together[p, q] / counts[p, q]
                row -= s * np.log(s) + (1.0 - s) * np.log(1.0 - s)
        total += row
    return total


@compiled()
def responsibilities(odds, counts, prior):  # type: ignore[no-untyped-def]
    """Turn log odds of tested pairs into probabilities in place, 0 for the others; sums log(1 + exp(odds)) of the rows."""
    total = 0.0
    for p in range(odds.shape[0]):
        row = 0.0
        for q in range(odds.shape[1]):
            if counts[p, q] > 0:
                x = odds[p, q] + prior
                e = np.exp(-abs(x))
                row += max(x, 0.0) + np.log1p(e)
                odds[p, q] = 1.0 / (1.0 + e) if x >= 0.0 else e / (1.0 + e)
            else:
                odds[p, q] = 0.0
        total += row
    return total


def blocks(n: int) -> Iterator[tuple[int, int]]:
    """Return rows in blocks of a fixed size."""
    return ((low, min(low + BLOCK_ROWS, n)) for low in range(0, n, BLOCK_ROWS))


def each_block(work: Callable[[int, int], Any], n: int, threads: int = 1) -> list[Any]:
    """Yield results of ``work(low, high)`` for all blocks of rows, in order."""
    if threads == 1 or n <= BLOCK_ROWS:
        return [work(low, high) for low, high in blocks(n)]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(lambda block: work(*block), blocks(n)))


def add(groups: Members, weights: FloatArray, total: NDArray[Any], threads: int = 1) -> None:
    """Add weights[i] to `total` (N, N) for pairs in one class at iteration i.

    Sums are taken in float64, whatever the type of `total`; the diagonal takes part.
    """
    n = len(total)
    w = np.asarray(weights, dtype=np.float64)
    each_block(
        lambda low, high: _add(*groups, w, low, high, np.empty(n), total[low:high]),
        n,
        threads,
    )


def class_sums(groups: Members, matrix: NDArray[Any], threads: int = 1) -> FloatArray:
    """Return the sum of the entries of a symmetric matrix over unordered pairs of one class, for every iteration, shape (I,)."""
    n = len(matrix)

    def work(low: int, high: int) -> FloatArray:
        sums = np.zeros(groups.labels.shape[1])
        _sums(*groups, matrix, low, high, sums)
        return sums

    return np.asarray(0.5 * np.sum(each_block(work, n, threads), axis=0))


def flip(
    labels: NDArray[np.int16],
    weights: FloatArray,
    chances: FloatArray,
    keys: NDArray[np.uint64],
    total: NDArray[Any],
    threads: int = 1,
) -> None:
    """Add weights[i] to `total` with probability chances[i] for pairs tested apart, one draw per pair."""
    each_block(lambda low, high: _flip(labels, weights, chances, keys, low, high, total[low:high]), len(total), threads)
