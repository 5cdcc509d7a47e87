"""Similarities of items that occur many times, and of sets whose matrix exceeds the memory."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import IntArray, as_count
from ..core.jobs import as_threads
from . import kernels
from .labels import UNTESTED, Labels


def _class_shares(column: NDArray[np.int16], owners: IntArray, n_items: int) -> Any:
    """Return the classes of the tested occurrences of each item: a sparse matrix (items, classes)."""
    from scipy.sparse import coo_matrix

    tested = np.flatnonzero(column >= 0)
    total = np.bincount(owners[tested], minlength=n_items).astype(np.float64)
    shape = (n_items, int(column.max()) + 1)
    shares = coo_matrix((1.0 / total[owners[tested]], (owners[tested], column[tested])), shape=shape)
    return shares.tocsr()


def by_occurrences(
    labels: Labels, owners: IntArray, neighbours: int | None = None
) -> tuple[Any, NDArray[np.int32] | None, dict[str, float]]:
    """Similarities of W items by the classes of their occurrences: matrix, counts and findings (report RR-8880, equation 10).

    At an iteration it is the sum over classes of the product of the shares of the tested occurrences that fall into it:
    the probability that an occurrence of one and an occurrence of the other are put into one class. The indicator that
    the report prints in front, which has no meaning for items in several classes, is left out. The matrix is the mean
    over the iterations at which some occurrence of both was tested, the counts (W, W) their number; with `neighbours`,
    so many largest similarities of each item are kept in a sparse matrix, and counts are None.
    """
    n_items, used = int(owners.max()) + 1, labels.used()
    shares = [_class_shares(column, owners, n_items) for column in used.values.T]
    present = np.zeros((n_items, used.n_iterations), dtype=np.float32)
    for i, column in enumerate(used.values.T):
        present[owners[column >= 0], i] = 1.0
    if neighbours is None:
        total = np.zeros((n_items, n_items))
        for part in shares:
            total += (part @ part.T).toarray()
        counts = (present @ present.T).astype(np.int32)
        matrix = np.where(counts > 0, total / np.maximum(counts, 1), 0.0)
        np.fill_diagonal(matrix, 1.0)
        return matrix, counts, {}
    n_nearest = as_count(neighbours, "neighbours")

    def rows(low: int, high: int) -> NDArray[np.float64]:
        block = np.zeros((high - low, n_items))
        for part in shares:
            block += (part[low:high] @ part.T).toarray()
        return np.asarray(block / np.maximum(present[low:high] @ present.T, 1.0), dtype=np.float64)

    return _largest(rows, n_items, n_nearest, 1), None, {}


def nearest(labels: Labels, neighbours: int, n_jobs: int | None = None) -> Any:
    """Binary similarities with only the largest of each sample kept, computed block by block.

    A sparse symmetric (N, N) matrix: an entry is there if it is among the largest of either sample. Ties are kept by
    lowest index.
    """
    threads = as_threads(n_jobs)
    used = labels.used()
    n = len(used)
    together = kernels.members(used.values)
    tested = kernels.members(np.where(used.tested, 0, UNTESTED).astype(np.int16))
    ones = np.ones(used.n_iterations)

    def rows(low: int, high: int) -> NDArray[np.float64]:
        sums = [np.zeros((high - low, n)) for _ in range(2)]
        for groups, total in zip((together, tested), sums, strict=True):
            kernels._add(*groups, ones, low, high, np.empty(n), total)
        return np.asarray(sums[0] / np.maximum(sums[1], 1.0))

    return _largest(rows, n, neighbours, threads)


def _largest(rows: Any, n: int, n_nearest: int, threads: int) -> Any:
    """Return the largest positive entries of each row and ones on the diagonal, symmetrised by the larger of two."""
    from scipy.sparse import csr_matrix, identity, vstack

    def some(low: int, high: int) -> Any:
        block = rows(low, high)
        block[np.arange(high - low), np.arange(low, high)] = 0.0
        if n_nearest < n:
            order = np.argsort(-block, axis=1, kind="stable")[:, n_nearest:]
            np.put_along_axis(block, order, 0.0, axis=1)
        return csr_matrix(block)

    graph = vstack(kernels.each_block(some, n, threads), format="csr")
    return (graph.maximum(graph.T) + identity(n, format="csr")).tocsr()
