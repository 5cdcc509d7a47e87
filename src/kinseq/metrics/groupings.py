"""Well separated groups under one measure, and their comparison with sequences without groups.

A silhouette near 1 needs no comparison with anything: every item is many times as far from other groups as from its own. So
partitions along the tree of average linkage are examined, small branches left aside as outliers, and one of them is *clear*
where its mean silhouette and that of its weakest group are large. Where nothing is clear, the silhouettes are compared with
those of sequences without groups (:mod:`kinseq.analysis.surrogates`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from ..core.arrays import FloatArray, IntArray, as_count, as_distance
from ..core.graphs.network_fusion import fuse, is_constant, local_affinity
from .internal import LEVEL, MIN_DIVISOR

CLEAR_SILHOUETTE = 0.8
"""Least mean silhouette of clear groups: on average five times as far from the next group as within."""
WEAKEST_SILHOUETTE = 0.6
"""Least strength of the weakest group; chance halves of a group stay far below."""
MAX_SCATTERED = 0.1
"""Largest share of items in no group; of few items, one is allowed."""
MIN_GROUP_SIZE = 3
"""Least number of items in a group."""
STRAY_SHARE = 0.05
"""Share of the items below which branches are also tried as no groups: among many items, outliers close to each other by
chance would be groups otherwise."""
STRENGTH_MARGIN = 0.05
"""Strength that a division into more groups may lose against one into fewer."""


@dataclass(frozen=True)
class Grouping:
    """A partition of most items.

    Attributes
    ----------
    n_clusters : int
        K.
    labels : ndarray, shape (N,), int64
        Groups from 0 in order of first appearance; -1 for items that belong to none.
    silhouette : float
        Mean silhouette over the items that belong to a group.
    weakest : float
        Mean silhouette of the group where it is least.
    """

    n_clusters: int
    labels: IntArray
    silhouette: float
    weakest: float

    @property
    def is_clear(self) -> bool:
        """Whether the groups are clear."""
        return self.silhouette >= CLEAR_SILHOUETTE and self.weakest >= WEAKEST_SILHOUETTE

    @property
    def has_singletons(self) -> bool:
        """Whether all but a few items are in one group, so that the others may be outliers."""
        return bool(np.bincount(self.labels[self.labels >= 0]).max() > (1.0 - MAX_SCATTERED) * len(self.labels))

    @property
    def strength(self) -> float:
        """Strength of the groups including the weakest: the mean of both silhouettes."""
        return 0.5 * (self.silhouette + self.weakest)


def groupings(distance: ArrayLike, most: int, least: int = MIN_GROUP_SIZE) -> dict[int, Grouping]:
    """Partitions along the tree of average linkage, by number of groups, at most `most`.

    For each number from 2 on that occurs with at most :data:`MAX_SCATTERED` of the items (or one) left over, in branches of fewer
    than `least`, the first such partition from the root, or the first in which branches of less than :data:`STRAY_SHARE` of
    the items are no groups either, if that is stronger, or is clear and not a few outliers against all others. Empty if all
    items are equally far apart; magnitudes of distances count. Rousseeuw (1987) for the silhouette.
    """
    return _groupings(np.abs(as_distance(distance)), as_count(most, "most"), least)


def _groupings(square: FloatArray, most: int, least: int = MIN_GROUP_SIZE) -> dict[int, Grouping]:
    """Groupings of a symmetric matrix without negative entries, which is not checked; sets its diagonal to 0."""
    from .trees import cuts_along_tree

    np.fill_diagonal(square, 0.0)
    n = len(square)
    best: dict[int, Grouping] = {}
    if n < 2 * least or is_constant(square):
        return {}
    spare = int(max(1.0, MAX_SCATTERED * n))
    for labels, (silhouette, weakest) in zip(
        *cuts_along_tree(square, most, spare, least, max(least, round(STRAY_SHARE * n))), strict=True
    ):
        grouping = Grouping(int(labels.max()) + 1, labels, float(silhouette), float(weakest))
        if grouping.n_clusters not in best or _worth(grouping) > _worth(best[grouping.n_clusters]):
            best[grouping.n_clusters] = grouping
    return dict(sorted(best.items()))


def _worth(grouping: Grouping) -> tuple[bool, float]:
    return grouping.is_clear and not grouping.has_singletons, grouping.strength


def of_labels(distance: FloatArray, labels: IntArray) -> Grouping:
    """A grouping from another method; for a symmetric matrix without negative entries, with zero diagonal."""
    from .trees import silhouettes_of_views

    inside = labels[labels >= 0]
    first = np.unique(inside, return_index=True)[1]
    order = inside[np.sort(first)]
    numbers = np.full(int(order.max()) + 2, -1, dtype=np.int64)
    numbers[order] = np.arange(len(order))
    # The last number counts items without a group, labelled -1.
    codes = numbers[labels]
    silhouette, weakest = silhouettes_of_views(distance[None], codes)[0]
    return Grouping(len(order), codes, float(silhouette), float(weakest))


def clearest(candidates: Mapping[int, Grouping]) -> Grouping | None:
    """The clear partition with the largest number of groups among those about as strong as any; None if none is clear.

    A group that falls into clear ones itself is divided: of three groups of which two are near each other, the two pairs are
    clear, and so are the three. Where a group is halved by chance, its halves are much weaker.
    """
    clear = [grouping for grouping in candidates.values() if grouping.is_clear]
    if not clear:
        return None
    best = max(grouping.strength for grouping in clear)
    return max(
        (grouping for grouping in clear if grouping.strength >= best - STRENGTH_MARGIN),
        key=lambda grouping: grouping.n_clusters,
    )


def max_strength(distance: ArrayLike, most: int, with_lonely: bool = False) -> float:
    """Strength of the strongest partition along the tree, at most `most` groups; 0 if there is none.

    Those of a few outliers against all others count `with_lonely` only.
    """
    found = groupings(distance, most).values()
    return max((entry.strength for entry in found if with_lonely or not entry.has_singletons), default=0.0)


MIN_NULL_SETS = 12
"""Number of sets without groups after which groups that are far stronger than in any of them need no more."""
FAR_DEVIATIONS = 5.0
"""Deviations over sets beyond which groups are far stronger."""
CLOSE_FACTOR = 5
"""How many times as many sets are drawn where one of them is as strong: by 40 sets a share of a hundredth cannot be distinguished
from a twentieth."""


def outdoes(observed: float, others: Iterable[float], level: float = LEVEL / 2) -> bool:
    """Whether groups are stronger than in all but a share `level` of sets without groups.

    Sets are requested one by one: as many as `level` needs if none of them is as strong, or fewer, where the groups are
    :data:`FAR_DEVIATIONS` deviations above the mean of :data:`MIN_NULL_SETS`. Once a set is as strong, the share is estimated from
    :data:`CLOSE_FACTOR` times as many, or until it cannot be that small any more: by the first such set alone, the answer would
    depend on which sets happen to be drawn. Besag and Clifford (1991).
    """
    seen: list[float] = []
    as_strong = 0
    most = max(MIN_NULL_SETS, round(1.0 / level) - 1)
    last = CLOSE_FACTOR * (most + 1) - 1
    for value in others:
        seen.append(value)
        as_strong += value >= observed
        if 1 + as_strong > level * (last + 1):
            return False
        if len(seen) >= (last if as_strong else most):
            break
        if (
            not as_strong
            and len(seen) >= MIN_NULL_SETS
            and observed > np.mean(seen) + FAR_DEVIATIONS * max(float(np.std(seen)), MIN_DEVIATION)
        ):
            break
    return not as_strong or 1 + as_strong <= level * (len(seen) + 1)


def completed(labels: IntArray, distance: FloatArray) -> IntArray:
    """Labels with ungrouped items assigned to the group nearest on average, shape (N,)."""
    full = labels.copy()
    means = np.stack([distance[:, labels == k].mean(axis=1) for k in range(int(labels.max()) + 1)], axis=1)
    full[labels < 0] = means[labels < 0].argmin(axis=1)
    return full


@dataclass(frozen=True)
class Structure:
    """Test whether groups are clearer than in sequences without groups.

    Attributes
    ----------
    p_value : float
        Share of the sets, the given one among them, in which groups are as clear; where it was decided by far before so many
        were drawn as the level needs (`is_bound`), the share if none of these showed as much.
    n_sets : int
        Sets without groups that were drawn until it was decided.
    level : float
        Largest p-value at which groups are significant, against each kind of sets.
    is_bound : bool
        Whether p is at most that, since it was decided by far.
    tops : tuple of float
        How clear the strongest grouping is, in the given sequences first and then in each set of the kind that decided.
    """

    p_value: float
    n_sets: int
    level: float = LEVEL
    is_bound: bool = False
    tops: tuple[float, ...] = field(default=(), compare=False)

    @property
    def stands_out(self) -> bool:
        """Whether data without groups would show as much too rarely for it to be chance."""
        return self.p_value <= self.level


Views = Mapping[str, FloatArray]
"""Dissimilarities of the same items by the name of the measure."""
FIRST_SETS, LAST_SETS = 24, 59
"""Number of sets of one kind after which the test ends if none shows as much (or as many as the level needs), and after
which it ends in any case."""
HOPELESS_SETS = 3
"""Number of sets of a kind that show as much above which no groups are significant, more than allowed at any level; before
as many are drawn of each kind nothing is decided, since deviations are those of the sets so far."""
ENOUGH_DEVIATIONS = ((4, 9.0), (6, 5.5), (12, 4.0), (18, 3.4), (24, 3.0), (30, 2.8))
"""Sets of each kind, and deviations above the mean of each, required for significance at half of the usual level: fewer
sets give less precise deviations (answers.md, "How many sets without groups it takes")."""
SETTLED_SETS = 39
"""Sets of each kind after which none that shows as much is expected to show less as deviations change."""
DEVIATION_PER_LEVEL = float(np.sqrt(6.0) / np.pi)
"""Additional deviations required by a level smaller by a factor e, from the distribution of the largest of many values
(Gumbel)."""
TOGETHER = (2, 3, 4, 5, 6, 8, 10, 12, 15, 20)
"""Numbers of groups that all views together are cut into."""
Silhouettes = dict[tuple[str, int], float]
"""Silhouettes, by the view and the number of groups."""
MIN_DEVIATION = 0.03
"""Floor of the deviation over sets, in corrected silhouettes, since a few sets may agree by chance."""


def structure(
    views: Views,
    references: Iterable[Views],
    most: int,
    fused: bool = True,
    kinds: int = 1,
    level: float = LEVEL,
) -> Structure:
    """Compare the views, each alone and all together, with those of sequences without groups.

    A view by itself shows the silhouettes of its :func:`groupings`; all together (with `fused`) those that the
    partitions of their fusion have in them on average; :func:`decided` compares them.
    """
    of_references = (shown(reference, most, fused) for reference in references)
    return decided(shown(views, most, fused), of_references, fused, kinds, level)


def decided(
    observed: Silhouettes,
    others: Iterable[Silhouettes],
    in_deviations: bool = True,
    kinds: int = 1,
    level: float = LEVEL,
) -> Structure:
    """Compare silhouettes with those of sequences without groups, of which sets are drawn as needed.

    Each silhouette is corrected for chance by its mean over all sets. Of each view the largest one over numbers of groups is taken,
    less its mean over the other sets and in units of its deviation there, but without `in_deviations`, where views are of one
    kind; the largest of these is the statistic. Sets are drawn until it is decided: some of a kind show as much
    (:data:`HOPELESS_SETS`), all show far less (:data:`ENOUGH_DEVIATIONS`), none of the first :data:`FIRST_SETS` of each shows as
    much, or so many do that :data:`LAST_SETS` of each could not make up for them; more of these where `level`, the largest p-value
    at which groups are significant, needs them. `kinds` of sets take turns, where it is not known which of them is right; the
    largest of their p-values counts. Without sets no groups are significant. Besag and Clifford (1991), "Sequential Monte Carlo
    p-values".
    """
    silhouettes, as_much, above = [[observed] for _ in range(kinds)], [0] * kinds, [0.0] * kinds
    first = max(FIRST_SETS, round(1.0 / level) - 1)
    last = max(LAST_SETS, first)
    more = max(0.0, float(np.log(LEVEL / 2 / level)) * DEVIATION_PER_LEVEL)
    for k, other in enumerate(others):
        kind = k % kinds
        silhouettes[kind].append(other)
        if len(silhouettes[kind]) <= HOPELESS_SETS:
            continue
        as_much[kind], above[kind] = _compared(silhouettes[kind], in_deviations)
        fewest = min(map(len, silhouettes)) - 1
        if fewest >= HOPELESS_SETS and as_much[kind] >= HOPELESS_SETS:
            break
        if not any(as_much) and any(
            fewest >= sets and min(above) > deviations + more for sets, deviations in ENOUGH_DEVIATIONS
        ):
            # No sample outside those drawn would show as much.
            tops = tuple(_tops(silhouettes[int(np.argmin(above))], in_deviations).tolist())
            return Structure(1.0 / (first + 1), sum(map(len, silhouettes)) - kinds, level, is_bound=True, tops=tops)
        if fewest >= last or (fewest >= first and not any(as_much)):
            break
        # Early on, one of them may still drop out while deviations settle.
        fewer = max(as_much) - (fewest < min(first, SETTLED_SETS))
        if fewest >= FIRST_SETS and (1.0 + fewer) / (last + 1) > level:
            break
    counts = [_compared(sets, in_deviations)[0] if len(sets) > 1 else 0 for sets in silhouettes]
    p_values = [(1.0 + count) / len(sets) for count, sets in zip(counts, silhouettes, strict=True)]
    weakest = max(range(kinds), key=lambda kind: (p_values[kind], -above[kind]))
    tops = tuple(_tops(silhouettes[weakest], in_deviations).tolist())
    return Structure(p_values[weakest], sum(map(len, silhouettes)) - kinds, level, tops=tops)


def _compared(sets: Sequence[Silhouettes], in_deviations: bool) -> tuple[int, float]:
    """Number of sets that show as much as the first one, and its deviations above their mean."""
    tops = _tops(sets, in_deviations)
    others = tops[1:]
    deviation = max(float(others.std()), 1.0 if in_deviations else MIN_DEVIATION)
    return int((others >= tops[0]).sum()), float(tops[0] - others.mean()) / deviation


def shown(views: Views, most: int, fused: bool = True) -> Silhouettes:
    """Silhouettes of the groups of each view, and with `fused` of those of all views together."""
    telling = {name: np.abs(distance) for name, distance in views.items() if not is_constant(distance)}
    silhouettes = {
        (name, number): grouping.silhouette
        for name, distance in telling.items()
        for number, grouping in _groupings(distance, most).items()
    }
    if telling and fused:
        silhouettes |= {
            ("", number): value for number, value in _together(np.stack(list(telling.values())), most).items()
        }
    return silhouettes


def _together(views: FloatArray, most: int) -> dict[int, float]:
    """Mean silhouette, over views, of the partitions of their fusion, by Ward's tree, which is faster than k-means."""
    from scipy.spatial.distance import cdist

    from .trees import silhouettes_of_views, tree

    affinity = fuse([local_affinity(view) for view in views])
    degrees = np.sqrt(np.maximum(affinity.sum(axis=1), np.finfo(float).tiny))
    vectors = np.linalg.eigh(affinity / degrees[:, None] / degrees)[1][:, ::-1]
    silhouettes = {}
    for number in TOGETHER:
        if number > min(most, len(affinity) - 1):
            break
        points = vectors[:, :number]
        points = points / np.maximum(np.linalg.norm(points, axis=1, keepdims=True), MIN_DIVISOR)
        labels = tree(cdist(points, points), "ward").labels(number)
        silhouettes[number] = float(np.mean(silhouettes_of_views(views, labels)[:, 0]))
    return silhouettes


def _tops(sets: Sequence[Silhouettes], in_deviations: bool) -> FloatArray:
    """Strongest grouping of each set."""
    names = sorted({name for silhouettes in sets for name, _ in silhouettes})
    tops = np.zeros((len(sets), max(len(names), 1)))
    for column, name in enumerate(names):
        numbers = sorted({number for silhouettes in sets for there, number in silhouettes if there == name})
        table = np.array([[silhouettes.get((name, number), 0.0) for number in numbers] for silhouettes in sets])
        expected = table.mean(axis=0)
        top = ((table - expected) / np.maximum(1.0 - expected, MIN_DIVISOR)).max(axis=1)
        tops[:, column] = _from_others(top, in_deviations)
    return np.asarray(tops.max(axis=1))


def _from_others(top: FloatArray, in_deviations: bool) -> FloatArray:
    """Distance of each entry from the mean of the others, optionally in units of their deviation."""
    others = len(top) - 1
    if others < 2:
        return top - top.mean()
    mean = (top.sum() - top) / others
    variance = (np.square(top).sum() - np.square(top)) / others - np.square(mean)
    unit = np.maximum(np.sqrt(np.maximum(variance, 0.0)), MIN_DEVIATION) if in_deviations else 1.0
    return np.asarray((top - mean) / unit)
