"""Groups that are far apart under one measure, and whether more stands out than sequences of one process would show.

A silhouette near 1 needs no comparison with anything: every item is many times as far from other groups as from its own. So
partitions along the tree of average linkage are looked at, small branches left aside as outliers, and one of them is *clear*
where its mean silhouette and that of its weakest group are large. Where nothing is clear, the silhouettes are compared with
those of sequences of one process (:mod:`kinseq.surrogates`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import FloatArray, IntArray, as_count, as_distance
from ..network_fusion import is_constant
from .unlabelled import LEVEL, SMALLEST, silhouettes

CLEAR = 0.8
"""Mean silhouette from which on groups are beyond doubt: on average five times as far from the next group as within."""
WEAKEST = 0.6
"""The same of the weakest group; where one group is halved by chance, its halves stay far below."""
SCATTERED = 0.1
"""Largest share of items that belong to no group."""
LEAST = 3
"""Fewest items of a group."""


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
        Mean silhouette over all items, 0 for those that belong to no group.
    weakest : float
        Mean silhouette of the group where it is least.
    """

    n_clusters: int
    labels: IntArray
    silhouette: float
    weakest: float

    @property
    def is_clear(self) -> bool:
        """Whether the groups are beyond doubt."""
        return self.silhouette >= CLEAR and self.weakest >= WEAKEST


def groupings(distance: ArrayLike, most: int, least: int = LEAST) -> dict[int, Grouping]:
    """Partitions along the tree of average linkage, by their number of groups.

    Parameters
    ----------
    distance : array_like, shape (N, N)
        Symmetric; magnitudes count.
    most : int
        Largest number of groups.
    least : int
        Branches of fewer items are no groups; items in them belong to none.

    Returns
    -------
    dict of int to Grouping
        For each number from 2 on that occurs with at most :data:`SCATTERED` of the items left over, the first such
        partition from the root. Empty if all items are equally far apart.

    References
    ----------
    Rousseeuw (1987) for the silhouette.
    """
    from scipy.cluster.hierarchy import fcluster, linkage
    from scipy.spatial.distance import squareform

    square = np.abs(as_distance(distance))
    np.fill_diagonal(square, 0.0)
    n, found = len(square), {}
    if n < 2 * least or is_constant(square):
        return {}
    tree = linkage(squareform(square, checks=False), "average")
    for branches in range(2, min(n, as_count(most, "most") + int(SCATTERED * n)) + 1):
        codes = fcluster(tree, branches, "maxclust") - 1
        large = np.flatnonzero(np.bincount(codes) >= least)
        inside = np.isin(codes, large)
        if not 2 <= large.size <= most or large.size in found or (~inside).sum() > SCATTERED * n:
            continue
        found[int(large.size)] = _grouping(square, np.where(inside, codes, -1))
    return found


def _grouping(square: FloatArray, codes: IntArray) -> Grouping:
    inside = np.flatnonzero(codes >= 0)
    first = np.unique(codes[inside], return_index=True)[1]
    order = codes[inside][np.sort(first)]
    labels = np.full(len(codes), -1, dtype=np.int64)
    for number, code in enumerate(order):
        labels[codes == code] = number
    each = silhouettes(square[np.ix_(inside, inside)], labels[inside])
    weakest = min(float(each[labels[inside] == k].mean()) for k in range(len(order)))
    return Grouping(len(order), labels, float(each.sum()) / len(codes), weakest)


def clearest(found: Mapping[int, Grouping]) -> Grouping | None:
    """The clear partition with the largest number of groups; None where none is clear.

    A group that falls into clear ones itself is divided: of three groups of which two are near each other, the two pairs are
    clear, and so are the three.
    """
    clear = [number for number, grouping in found.items() if grouping.is_clear]
    return found[max(clear)] if clear else None


def completed(labels: IntArray, distance: FloatArray) -> IntArray:
    """Labels in which items that belong to no group are with the one that is nearest on average, shape (N,)."""
    full = labels.copy()
    means = np.stack([distance[:, labels == k].mean(axis=1) for k in range(int(labels.max()) + 1)], axis=1)
    full[labels < 0] = means[labels < 0].argmin(axis=1)
    return full


@dataclass(frozen=True)
class Structure:
    """Whether groups stand out from what sequences of one process show.

    Attributes
    ----------
    p_value : float
        Share of the sets, the given one among them, in which as much stands out.
    n_sets : int
        Sets of one process that were drawn until it was decided.
    """

    p_value: float
    n_sets: int

    @property
    def stands_out(self) -> bool:
        """Whether one process would show as much in at most one of twenty sets."""
        return self.p_value <= LEVEL


Views = Mapping[str, FloatArray]
"""Dissimilarities of the same items under several measures, by their names."""
FIRST, MOST = 29, 59
"""Sets of one process after which it is decided if none shows as much, and after which it is decided in any case."""
HOPELESS = 4
"""Sets that show as much, after which it is decided that nothing stands out."""


def structure(views: Views, references: Iterable[Views], most: int) -> Structure:
    """Compare the silhouettes of all views and numbers of groups with those of sequences of one process.

    The statistic is the largest silhouette over views and numbers, each corrected for chance by its mean over all sets. Sets
    are drawn until it is decided: :data:`HOPELESS` of them show as much, or none of the first :data:`FIRST` does, or there
    are :data:`MOST`.

    Parameters
    ----------
    views : mapping of str to ndarray, each of shape (N, N)
    references : iterable of such mappings
        Sets of one process under the same measures, drawn one after another.
    most : int
        Largest number of groups.

    Returns
    -------
    Structure
        Where there is no reference, nothing stands out.

    References
    ----------
    Besag and Clifford (1991), "Sequential Monte Carlo p-values".
    """
    curves, as_much = [_curve(views, most)], 0
    for drawn in references:
        curves.append(_curve(drawn, most))
        tops = _tops(curves)
        as_much, count = int((tops[1:] >= tops[0]).sum()), len(curves) - 1
        if as_much >= HOPELESS or count >= MOST or (count >= FIRST and not as_much):
            break
    return Structure((1.0 + as_much) / len(curves), len(curves) - 1)


def _curve(views: Views, most: int) -> dict[tuple[str, int], float]:
    return {
        (name, number): grouping.silhouette
        for name, distance in views.items()
        for number, grouping in groupings(distance, most).items()
    }


def _tops(curves: Sequence[Mapping[tuple[str, int], float]]) -> FloatArray:
    """Largest corrected silhouette of each set; one without a partition of some number has none to show there."""
    keys = sorted({key for curve in curves for key in curve})
    if not keys:
        return np.zeros(len(curves))
    table = np.array([[curve.get(key, 0.0) for key in keys] for curve in curves])
    expected = table.mean(axis=0)
    return np.asarray(((table - expected) / np.maximum(1.0 - expected, SMALLEST)).max(axis=1))
