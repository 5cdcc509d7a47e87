"""Differences of each cluster from all others in many properties, corrected for multiple testing by permutations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb, exp, lgamma, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import FloatArray, IntArray
from ..core.random_state import RandomState, check_seed
from ..core.seeds import stream

MAX_PERMUTATIONS = 999
"""Number of random labelings for comparison; fewer for many clusters and properties."""
MIN_PERMUTATIONS = 249
SHARE, TOGETHER, IN_A_ROW = 0.2, 0.4, 0.2
"""Shares of the error rate for rank sums, closeness and likeness, and for variance between clusters: p-values are divided
by them (Bonferroni). The last one finds small clusters; of three or more clusters, adjacent ones get their share out of
it."""
MOST_OTHERS = 0.5
"""Share of the other items above which a cluster is described by its position among all clusters."""
DEVIATION_WEIGHT = 1e-6
"""Weight of the deviation of values, 0 to 1, against that of ranks: less than any difference between two of these."""
AT_ONCE = 2e7
"""Largest number of values in memory at a time."""


@dataclass(frozen=True)
class Contrasts:
    """Each of K clusters against all other items in P properties and in the courses of d columns.

    Attributes
    ----------
    higher : ndarray, shape (K, P)
        Chance, 0 to 1, that a member exceeds another item, ties half: Mann and Whitney's U over the number of pairs.
    higher_p : ndarray, shape (K, P)
        Corrected p-value, two-sided. Of a property in which all clusters together differ, that of this difference, or that of the
        one cluster by itself where this is larger.
    close_p : ndarray, shape (K, P)
        Corrected p-value that members are closer together in ranks than by chance.
    alike_p : ndarray, shape (K, d)
        Corrected p-value that the shapes of members are more alike than those of members and others.
    places : ndarray of bool, shape (K, d, L)
        Where courses of members are higher or lower than those of others, corrected over all places, columns and clusters.
    course : ndarray, shape (K, d, L)
        By how many standard deviations under random labels.
    bent, bend : ndarray, shape (K, d, L)
        As `places` and `course`, of courses without their means: one that is higher throughout is not bent anywhere.
    """

    higher: FloatArray
    higher_p: FloatArray
    close_p: FloatArray
    alike_p: FloatArray
    places: NDArray[np.bool_]
    course: FloatArray
    bent: NDArray[np.bool_]
    bend: FloatArray


def contrasts(
    values: FloatArray,
    courses: FloatArray,
    labels: IntArray,
    level: float,
    random_state: RandomState = 0,
    blocks: Sequence[IntArray] = (),
) -> Contrasts:
    """Compare each cluster with all other items, by properties (N, P) and by courses (d, N, L), each column at L places.

    NaN stands for a property that an item does not have. Ranks are among those that have it; the others have the middle one.

    Statistics are rank sums (of Mann and Whitney), deviations of ranks within the cluster, and the mean correlation
    between members less that of members with others. Each is put into units of its deviation over random labelings with
    the same sizes; a p-value is the share of labelings in which the largest of its kind is as large (Westfall and
    Young, 1993), divided by the share of that kind (:data:`SHARES`), and so holds for all properties, columns and
    clusters together. The kinds are apart since their tails differ: those of the last two would hide what rank sums
    show.

    Few members are in the same order in some property by chance, so that ranks of a small cluster tell nothing once they are
    corrected for all properties. So the fourth kind is the share of the variance of each property that lies between clusters. Where
    that is more than in any property under random labels, each cluster is examined in that property alone: by its rank sum, or by
    the deviation of ranks within it, of equal ones that of values. Marcus, Peritz and Gabriel (1976) for tests in steps.

    A small cluster in the middle of others has no chance even then. So of three clusters or more it is enough that all of them
    together differ in a property, by its variance or since they lie in a row (:func:`_in_a_row`), where a cluster shares no
    value with those that most of the other items are of. One that is where it is by chance, among others that do differ, may be
    reported.

    `labels` are 0 to K - 1, none of them empty, K at least 2; `level` is that of the test of places. `blocks` are positions of
    items that depend on each other, in the order of time (pieces of one source): labels are permuted by whole blocks then.
    """
    seed = check_seed(random_state)
    n_clusters, n = int(labels.max()) + 1, len(labels)
    d, _, points = courses.shape
    from scipy.stats import rankdata  # slow to import, and plans of the workflow import this module

    present = ~np.isnan(values)
    ranks = np.where(present, rankdata(values, axis=0, nan_policy="omit") - (present.sum(axis=0) + 1) / 2.0, 0.0)
    usual = np.where(present, values, 0.0).sum(axis=0) / np.maximum(present.sum(axis=0), 1)
    values = np.where(present, values, usual)
    bends = courses - courses.mean(axis=2, keepdims=True)
    bends = np.where(np.abs(bends) > 1e-9 * np.abs(courses).max(axis=2, keepdims=True), bends, 0.0)
    flat = np.concatenate([np.moveaxis(part, 0, 1).reshape(n, d * points) for part in (courses, bends)], axis=1)
    places = rankdata(flat, axis=0) - (n + 1) / 2.0
    width = 2 * values.shape[1] + d + 2 * d * points
    count = int(np.clip(AT_ONCE / (n_clusters * width), MIN_PERMUTATIONS, MAX_PERMUTATIONS)) + 1
    labellings = _labellings(labels, count, seed, blocks)
    count = len(labellings)
    shapes, together = unit_shapes(courses), max(1, int(AT_ONCE / (n_clusters * (n + width))))
    computed = [
        _statistics(labellings[start : start + together], n_clusters, ranks, shapes, places)
        for start in range(0, count, together)
    ]
    rank, close, alike, course = (np.concatenate(parts) for parts in zip(*computed, strict=True))
    near, between = (
        np.concatenate(parts)
        for parts in zip(
            *(
                _of_values(labellings[start : start + together], n_clusters, values)
                for start in range(0, count, together)
            ),
            strict=True,
        )
    )
    together_p = _p_values(between[:, None]) / (TOGETHER if n_clusters < 3 else TOGETHER - IN_A_ROW)
    size = np.bincount(labels, minlength=n_clusters)[:, None]
    inside = (labels == np.arange(n_clusters)[:, None]).astype(np.float64) @ present
    higher = 0.5 + rank[0] / np.maximum(inside * (present.sum(axis=0) - inside), 1)
    # Adjacent ranks are equally close, whatever the values.
    near = close + DEVIATION_WEIGHT * near
    rank, course = rank / _deviation(ranks, size), course / _deviation(places, size)
    close, alike = _in_deviations(close), _in_deviations(alike)
    course_p = _p_values(np.abs(course))
    end_p, middle_p = _of_places(values, labels, n_clusters, together_p)
    return Contrasts(
        higher=higher,
        higher_p=np.minimum(_least(_p_values(np.abs(rank)) / SHARE, together_p, _alone(np.abs(rank))), end_p),
        close_p=np.minimum(_least(_p_values(close) / SHARE, together_p, _alone(near)), middle_p),
        alike_p=np.minimum(_p_values(alike) / SHARE, 1.0),
        **dict(zip(("places", "bent"), _halves(course_p <= level, d, points), strict=True)),
        **dict(zip(("course", "bend"), _halves(course[0], d, points), strict=True)),
    )


def _halves(entries: NDArray[Any], d: int, points: int) -> NDArray[Any]:
    """Entries (K, 2 d L) of courses and of bends one after the other, shape (2, K, d, L)."""
    return np.moveaxis(entries.reshape(len(entries), 2, d, points), 1, 0)


def _labellings(labels: IntArray, most: int, seed: int, blocks: Sequence[IntArray]) -> IntArray:
    """The labels and random permutations of them, `most` in total; for two clusters all permutations if there are no more."""
    if blocks:
        random = stream(seed, "contrasts")
        return np.stack([labels, *(labels[whole_blocks_permuted(blocks, random)] for _ in range(most - 1))])
    n, members = len(labels), int((labels == 1).sum())
    if int(labels.max()) == 1 and comb(n, members) <= most:
        every = np.zeros((comb(n, members), n), dtype=np.int64)
        for row, places in zip(every, combinations(range(n), members), strict=True):
            row[list(places)] = 1
        return np.concatenate([labels[None], every[(every != labels).any(axis=1)]])
    random = stream(seed, "contrasts")
    return np.stack([labels, *(labels[random.permutation(n)] for _ in range(most - 1))])


def whole_blocks_permuted(blocks: Sequence[IntArray], random: np.random.Generator) -> IntArray:
    """Return an order of items in which whole blocks change places, each rotated at random, shape (N,).

    What neighbours in a block have in common stays, as do the numbers of members where labels are ordered so. `blocks` are
    positions of all items, each once.
    """
    turned = [np.roll(blocks[i], random.integers(len(blocks[i]))) for i in random.permutation(len(blocks))]
    order = np.empty(sum(map(len, blocks)), dtype=np.int64)
    order[np.concatenate(blocks)] = np.concatenate(turned)
    return order


def unit_shapes(courses: FloatArray) -> FloatArray:
    """Courses without level and spread, of length 1, shape (d, N, L); constant ones are zero."""
    centred = courses - courses.mean(axis=2, keepdims=True)
    size = np.linalg.norm(centred, axis=2, keepdims=True)
    least = 1e-9 * np.maximum(np.abs(courses).max(axis=2, keepdims=True), np.finfo(float).tiny)
    return np.where(size > least, centred / np.maximum(size, np.finfo(float).tiny), 0.0)


def _statistics(
    labellings: IntArray, n_clusters: int, ranks: FloatArray, shapes: FloatArray, places: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Rank sums, closeness, likeness and rank sums of places, the first two of shape (labelings, clusters, P)."""
    n = labellings.shape[1]
    members = (labellings[:, None, :] == np.arange(n_clusters)[:, None]).astype(np.float64)
    size = members.sum(axis=2)[..., None]
    rank = members @ ranks
    close = -np.sqrt(np.maximum(members @ np.square(ranks) / size - np.square(rank / size), 0.0))
    alike = []
    for shape in shapes:
        total, own = members @ shape, (members @ np.square(shape).sum(axis=1))[..., None]
        square = np.square(total).sum(axis=2, keepdims=True)
        within = (square - own) / np.maximum(size * (size - 1.0), 1.0)
        other = (total @ shape.sum(axis=0))[..., None] - square
        alike.append(np.where(size > 1, within - other / np.maximum(size * (n - size), 1.0), 0.0))
    return rank, np.where(size > 1, close, 0.0), np.concatenate(alike, axis=2), members @ places


def _of_values(labellings: IntArray, n_clusters: int, values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Closeness of members in each property, (labelings, K, P), and its share of variance between clusters, (labelings, P)."""
    centred = values - values.mean(axis=0)
    total = np.square(centred).sum(axis=0)
    varies = total > (1e-9 * np.abs(values).max(axis=0)) ** 2
    units = np.where(varies, centred / np.sqrt(np.where(varies, total, 1.0)), 0.0)
    members = (labellings[:, None, :] == np.arange(n_clusters)[:, None]).astype(np.float64)
    size = members.sum(axis=2)[..., None]
    means = members @ units / size
    within = members @ np.square(units) / size - np.square(means)
    return np.where(size > 1, -within, 0.0), (size * np.square(means)).sum(axis=1)


def _of_places(
    values: FloatArray, labels: IntArray, n_clusters: int, together_p: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """P-values, shape (K, P), of clusters that share no value with most others: at either end, and in the middle.

    They are those of all clusters together, 1 elsewhere.
    """
    if n_clusters < 3:
        return np.ones((n_clusters, values.shape[1])), np.ones((n_clusters, values.shape[1]))
    places = _places(values, labels, n_clusters)
    size = np.bincount(labels)
    elsewhere = np.einsum("kjp,j->kp", places[:, None] != places[None], size) / (len(labels) - size)[:, None]
    p_value = np.minimum(together_p, _in_a_row(values, places, size) / IN_A_ROW)
    told = np.where(elsewhere > MOST_OTHERS, p_value, 1.0)
    is_end = (places == 0) | (places == places.max(axis=0))
    return np.where(is_end, told, 1.0), np.where(is_end, 1.0, told)


def _places(values: FloatArray, labels: IntArray, n_clusters: int) -> IntArray:
    """Rank of each cluster in each property, from the lowest, shape (K, P); equal for overlapping values."""
    members = [values[labels == k] for k in range(n_clusters)]
    low, high = (np.stack([extreme(rows, axis=0) for rows in members]) for extreme in (np.min, np.max))
    order = low.argsort(axis=0)
    low, high = (np.take_along_axis(ends, order, axis=0) for ends in (low, high))
    is_next = np.zeros(low.shape, dtype=np.int64)
    is_next[1:] = low[1:] > np.maximum.accumulate(high, axis=0)[:-1]
    places = np.empty_like(is_next)
    np.put_along_axis(places, order, is_next.cumsum(axis=0), axis=0)
    return places


def _in_a_row(values: FloatArray, places: IntArray, size: IntArray) -> FloatArray:
    """P-value of properties that order all clusters without overlap, corrected for all properties, shape (P,); 1 elsewhere.

    Of all labelings with the same sizes, a share of K! n_1! ... n_K! / N! does in one property, fewer where values are tied.
    """
    varying = int(np.count_nonzero(np.ptp(values, axis=0) > 0))
    logarithm = sum(lgamma(n + 1) for n in [len(size), *size]) - lgamma(size.sum() + 1) + log(max(varying, 1))
    return np.where(places.max(axis=0) == len(size) - 1, min(1.0, exp(logarithm)), 1.0)


def _alone(statistic: FloatArray) -> FloatArray:
    """Share of labelings with as large a statistic of the same cluster and property, shape (K, P); up to rounding."""
    return np.asarray((statistic >= statistic[0] - 1e-9 * np.abs(statistic[0])).mean(axis=0))


def _least(corrected: FloatArray, together: FloatArray, alone: FloatArray) -> FloatArray:
    """The smaller p-value of two tests: of a cluster directly; of all clusters together and then of the one."""
    return np.minimum(np.minimum(corrected, np.maximum(together, alone)), 1.0)


def _deviation(ranks: FloatArray, size: IntArray) -> FloatArray:
    """Standard deviation of rank sums over all labelings with these sizes, shape (K, P); infinite if all are tied."""
    n = len(ranks)
    deviation = np.sqrt(size * (n - size) / (n - 1.0) * np.square(ranks).mean(axis=0))
    return np.where(deviation > 0, deviation, np.inf)


def _in_deviations(statistic: FloatArray) -> FloatArray:
    """Standardise by the deviation over labelings; 0 if they do not differ."""
    spread = statistic.std(axis=0)
    least = 1e-9 * np.maximum(np.abs(statistic).max(axis=0), 1.0)
    return np.where(spread > least, (statistic - statistic.mean(axis=0)) / np.maximum(spread, least), 0.0)


def _p_values(statistic: FloatArray) -> FloatArray:
    """Share of labelings, including the given first one, whose largest statistic is as large; up to rounding."""
    top = np.sort(statistic.max(axis=(1, 2)))
    return np.asarray((len(top) - np.searchsorted(top, statistic[0] * (1.0 - 1e-9))) / len(top))
