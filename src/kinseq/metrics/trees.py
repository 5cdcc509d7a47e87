"""Trees of items, and the clarity of the groups they are cut into, in one compiled pass.

Many small trees are examined where groups are compared with sequences without groups: calls of a library with its checks, one
for each tree and each cut, would take many times as long as the arithmetic. Trees are those of ``scipy.cluster.hierarchy``, ties
included; sums of distances run over items in their order, and means are rounded as NumPy's.

Sources: Murtagh (1983), "A survey of recent advances in hierarchical clustering algorithms", for chains of nearest neighbours;
Rousseeuw (1987) for the silhouette.
"""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

import numpy as np

from ..core.arrays import FloatArray, IntArray
from ..core.compiled import compiled, part
from ..core.graphs.laplacian import without_last_digits
from ..core.pairwise_sum import pairwise_sum


@compiled()
def _join(distances, by_ward, pairs, heights):  # type: ignore[no-untyped-def]
    """Join branches along chains of nearest neighbours; `distances` (N, N) are overwritten.

    Each step puts one item of each of its two branches into `pairs` (N - 1, 2) and how far they are apart into `heights` (N - 1,).
    """
    n = distances.shape[0]
    sizes, chain = np.ones(n, np.int64), np.empty(n, np.int64)
    length = 0
    for step in range(n - 1):
        if length == 0:
            first = 0
            while sizes[first] == 0:
                first += 1
            chain[0] = first
            length = 1
        while True:
            last = chain[length - 1]
            # Of equally near branches the predecessor in the chain, so that chains have no cycles; otherwise the first.
            near, least = -1, np.inf
            if length > 1:
                near = chain[length - 2]
                least = distances[last, near]
            for i in range(n):
                if sizes[i] > 0 and i != last and (near < 0 or distances[last, i] < least):
                    near, least = i, distances[last, i]
            if length > 1 and near == chain[length - 2]:
                break
            chain[length] = near
            length += 1
        length -= 2
        one, other = (last, near) if last < near else (near, last)
        pairs[step, 0], pairs[step, 1], heights[step] = one, other, least
        a, b = sizes[one], sizes[other]
        sizes[one], sizes[other] = 0, a + b
        for i in range(n):
            size = sizes[i]
            if size == 0 or i == other:
                continue
            x, y = distances[one, i], distances[other, i]
            if by_ward:
                share = 1.0 / (a + b + size)
                new = math.sqrt((size + a) * share * x * x + (size + b) * share * y * y - size * share * least * least)
            else:
                new = (a * x + b * y) / (a + b)
            distances[other, i] = distances[i, other] = new


@compiled()
def _lay_out(pairs, items, spans):  # type: ignore[no-untyped-def]
    """Order the items of a tree so that each branch is contiguous; `spans` are those of the second part of a step."""
    n = items.shape[0]
    above, nodes = np.arange(2 * n - 1), np.empty((n - 1, 2), np.int64)
    sizes, starts = np.ones(2 * n - 1, np.int64), np.zeros(2 * n - 1, np.int64)
    for step in range(n - 1):
        for side in range(2):
            node = pairs[step, side]
            while above[node] != node:
                above[node] = above[above[node]]
                node = above[node]
            nodes[step, side] = node
        if nodes[step, 0] > nodes[step, 1]:
            nodes[step, 0], nodes[step, 1] = nodes[step, 1], nodes[step, 0]
        above[nodes[step, 0]] = above[nodes[step, 1]] = n + step
        sizes[n + step] = sizes[nodes[step, 0]] + sizes[nodes[step, 1]]
    for step in range(n - 2, -1, -1):
        one, other = nodes[step, 0], nodes[step, 1]
        starts[one] = starts[n + step]
        starts[other] = starts[one] + sizes[one]
        spans[step, 0], spans[step, 1] = starts[other], starts[other] + sizes[other]
    for item in range(n):
        items[starts[item]] = item


class Tree(NamedTuple):
    """A binary tree over N items.

    Attributes
    ----------
    items : ndarray, shape (N,), int64
        The items in such an order that each branch is a run of them.
    spans : ndarray, shape (N - 1, 2), int64
        Of each step, from the leaves on, the run of the second of its two branches: of the one that was made later.
    heights : ndarray, shape (N - 1,)
        How far the two are apart; rising.
    """

    items: IntArray
    spans: IntArray
    heights: FloatArray

    def labels(self, number: int) -> IntArray:
        """Return group labels from 0, fewer groups if several steps have the same height; shape (N,)."""
        n, codes, count = len(self.items), np.zeros(len(self.items), dtype=np.int64), 1
        while count < number and self.heights[n - 1 - count] > self.heights[n - 1 - number]:
            start, stop = self.spans[n - 1 - count]
            codes[self.items[start:stop]] = count
            count += 1
        return codes


def tree(square: FloatArray, linkage: Literal["average", "ward"] = "average") -> Tree:
    """Return the tree of a symmetric matrix (N, N) with zero diagonal, N at least 2."""
    n = len(square)
    pairs, heights = np.empty((n - 1, 2), dtype=np.int64), np.empty(n - 1)
    _join(square.copy(), linkage == "ward", pairs, heights)
    order = np.argsort(heights, kind="stable")
    found = Tree(np.empty(n, dtype=np.int64), np.empty((n - 1, 2), dtype=np.int64), heights[order])
    _lay_out(pairs[order], found.items, found.spans)
    return found


@part
def _silhouettes(sums, sizes, labels, n_groups, found):  # type: ignore[no-untyped-def]
    """Store the mean silhouette, and that of the weakest group, in `found` (2,).

    ``sums (K, N)`` are sums of the distances from each group, of `sizes`, and `labels` are -1 for items of no group.
    """
    each, count = np.empty(labels.shape[0]), 0
    # Fill group by group in the order of the items, for the means of groups; in item order for the overall mean.
    by_group, place, end = np.empty(labels.shape[0]), np.empty(n_groups, np.int64), 0
    for group in range(n_groups):
        place[group] = end
        end += sizes[group]
    for i in range(labels.shape[0]):
        own = labels[i]
        if own < 0:
            continue
        value = 0.0
        if n_groups > 1 and sizes[own] > 1:
            within, nearest = sums[own, i] / (sizes[own] - 1), np.inf
            for group in range(n_groups):
                if group != own:
                    mean = sums[group, i] / sizes[group]
                    nearest = mean if mean < nearest else nearest
            widest = within if within > nearest else nearest
            value = (nearest - within) / widest if widest > 0.0 else 0.0
        each[count] = value
        count += 1
        by_group[place[own]] = value
        place[own] += 1
    weakest = np.inf
    for group in range(n_groups):
        mean = pairwise_sum(by_group, place[group] - sizes[group], place[group]) / sizes[group]
        weakest = mean if mean < weakest else weakest
    found[0], found[1] = pairwise_sum(each, 0, count) / count, weakest


@part
def _add_rows(square, codes, code, sums, row):  # type: ignore[no-untyped-def]
    """Store the sums of the rows of a group in a row of `sums`, in the order of the items."""
    for i in range(square.shape[1]):
        sums[row, i] = 0.0
    for j in range(square.shape[0]):
        if codes[j] == code:
            for i in range(square.shape[1]):
                sums[row, i] += square[j, i]


@compiled()
def _silhouettes_of_views(views, labels, n_groups, found):  # type: ignore[no-untyped-def]
    sums, sizes = np.empty((n_groups, labels.shape[0])), np.zeros(n_groups, np.int64)
    for i in range(labels.shape[0]):
        if labels[i] >= 0:
            sizes[labels[i]] += 1
    for view in range(views.shape[0]):
        for group in range(n_groups):
            _add_rows(views[view], labels, group, sums, group)
        _silhouettes(sums, sizes, labels, n_groups, found[view])


def silhouettes_of_views(views: FloatArray, labels: IntArray) -> FloatArray:
    """Return the mean silhouette of a partition in each view, and that of the weakest group, shape (M, 2).

    ``views (M, N, N)`` are symmetric, not negative, with zero diagonal; `labels` are 0 to K - 1, and -1 for items of no group.
    """
    found = np.empty((len(views), 2))
    _silhouettes_of_views(views, labels, int(labels.max()) + 1, found)
    return found


@compiled()
def _cuts(square, items, spans, most, spare, least, stray, labels, found):  # type: ignore[no-untyped-def]
    n = square.shape[0]
    branches = min(n, most + spare)
    kinds = 2 if stray > least else 1
    tried = np.zeros((kinds, most + 1), np.int64)
    codes, sizes = np.zeros(n, np.int64), np.zeros(branches, np.int64)
    # The sums of a branch are recomputed on first use after a change.
    sums, changed, names = np.empty((branches, n)), np.ones(branches, np.int64), np.empty(branches, np.int64)
    of_groups, counts = np.empty((most, n)), np.empty(most, np.int64)
    sizes[0], count = n, 0
    for code in range(1, branches):
        start, stop = spans[n - 1 - code, 0], spans[n - 1 - code, 1]
        old = codes[items[start]]
        for k in range(start, stop):
            codes[items[k]] = code
        sizes[code], sizes[old] = stop - start, sizes[old] - (stop - start)
        changed[code] = changed[old] = 1
        for kind in range(kinds):
            fewest = stray if kind == 1 else least
            number, left = 0, 0
            for k in range(code + 1):
                names[k] = -1
                if sizes[k] >= fewest:
                    number += 1
                else:
                    left += sizes[k]
            if number < 2 or number > most or left > spare or tried[kind, number] == 1:
                continue
            tried[kind, number] = 1
            known = 0
            for i in range(n):
                k = codes[i]
                if sizes[k] >= fewest and names[k] < 0:
                    names[k] = known
                    counts[known] = sizes[k]
                    if changed[k] == 1:
                        _add_rows(square, codes, k, sums, k)
                        changed[k] = 0
                    for j in range(n):
                        of_groups[known, j] = sums[k, j]
                    known += 1
                labels[count, i] = names[k]
            _silhouettes(of_groups, counts, labels[count], number, found[count])
            count += 1
    return count


def cuts_along_tree(square: FloatArray, most: int, spare: int, least: int, stray: int) -> tuple[IntArray, FloatArray]:
    """Partitions along the tree of average linkage, from the root.

    Parameters
    ----------
    square : ndarray, shape (N, N)
        Symmetric, not negative, zero diagonal.
    most, spare : int
        Most groups, and most items in branches that are too small to be groups.
    least, stray : int
        Fewest items of a group, tried both; `stray` is no less.

    Returns
    -------
    labels : ndarray, shape (C, N), int64
        Of each partition, groups in the order of their first items; -1 for items in small branches. Of each number of groups and
        each fewest, the first such partition from the root.
    silhouettes : ndarray, shape (C, 2)
        The mean silhouette, and that of the group where it is least.
    """
    along = tree(without_last_digits(square))
    labels, found = np.empty((2 * most, len(square)), dtype=np.int64), np.empty((2 * most, 2))
    count = _cuts(square, along.items, along.spans, most, spare, least, stray, labels, found)
    return labels[:count], found[:count]
