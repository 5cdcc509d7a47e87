"""Test whether clusters are separated by gaps, or are parts of a continuum cut where it is thin by chance.

Items along a curve or spread over a plane fall into pieces of any number, and a graph of nearest neighbours makes the
pieces look compact. What they lack are gaps: from one piece to the next the density does not fall by more than it does
anywhere else. So the density between neighbouring clusters is compared with that of items spread evenly over a line, which
Hartigan and Hartigan (1985) give as the least favourable distribution without a gap.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.arrays import FloatArray, IntArray, as_distance, as_whole_numbers
from ..core.errors import DataError
from ..core.graphs.reference import coordinates
from ..core.random_state import RandomState, check_seed
from ..core.seeds import stream

N_DRAWS = 199
"""Number of uniform reference sets for each gap."""
N_PLACES = 41
"""Number of places between two clusters at which the density is evaluated."""


@dataclass(frozen=True)
class Gaps:
    """Gaps between clusters and the nearest other ones.

    Attributes
    ----------
    pairs : ndarray, shape (P, 2), int64
        Clusters of which one is the nearest to the other; each pair once.
    depth : ndarray, shape (P,)
        Share by which the density falls between the two, 0 to 1.
    p_values : ndarray, shape (P,)
        How often as many items that are spread evenly, cut into two as large, show a gap as deep.
    p_value : float
        All of them in one, by Fisher's method: how often clusters of items spread evenly would be set apart as much. 1 for
        fewer than two clusters.
    """

    pairs: IntArray
    depth: FloatArray
    p_values: FloatArray
    p_value: float


def gaps(distance: ArrayLike, labels: ArrayLike, random_state: RandomState = 0) -> Gaps:
    """Depth of the gaps between each cluster and its nearest one, and how often uniform items show as much.

    The items of two clusters are put on the line along which they vary most, the first axis of classical scaling of
    their distances, of which magnitudes count. A cluster of one item has no density of its own, so that pairs with one
    are passed over. Hartigan and Hartigan (1985), "The dip test of unimodality"; Silverman (1986) for the width of the
    kernel.
    """
    seed = check_seed(random_state)
    from scipy.stats import combine_pvalues

    square, clusters = as_distance(distance), as_whole_numbers(labels, "labels")
    if clusters.shape != (len(square),):
        raise DataError(f"labels have shape {clusters.shape}, expected ({len(square)},), one per item")
    pairs, depths, chances = [], [], []
    for a, b in _neighbours(square, clusters):
        items = np.flatnonzero((clusters == a) | (clusters == b))
        line, first = _line(square[np.ix_(items, items)]), clusters[items] == a
        if min(first.sum(), (~first).sum()) < 2:
            continue
        depth = depth_between(line, first)
        even = _evenly(len(items), int(first.sum()), seed)
        pairs.append((a, b))
        depths.append(depth)
        chances.append((1.0 + float((even >= depth).sum())) / (1.0 + N_DRAWS))
    total = float(combine_pvalues(chances, method="fisher").pvalue) if chances else 1.0
    return Gaps(np.array(pairs, dtype=np.int64).reshape(-1, 2), np.array(depths), np.array(chances), total)


def gaps_in_views(views: Sequence[ArrayLike], labels: ArrayLike, random_state: RandomState = 0) -> Gaps:
    """Return the middle of the gaps in several views: the view with the median p-value, or the larger one of two.

    A fusion of views sharpens what it is made of: the parts of a continuum stand apart in it. So clusters count as set
    apart where most of the views by themselves show gaps between them.
    """
    seed = check_seed(random_state)
    entries = sorted((gaps(view, labels, seed) for view in views), key=lambda entry: entry.p_value)
    return entries[len(entries) // 2]


def depth_between(line: FloatArray, first: NDArray[np.bool_]) -> float:
    """Return the relative fall of the density of points on a line between the medians of two groups.

    1 less the least density over the smaller of the largest ones on its two sides; 0 where there is no fall.
    """
    # Half of Silverman's width, which is meant for one group and smooths away the gap between two.
    width = 0.45 * float(line.std()) * line.size**-0.2
    ends = float(np.median(line[first])), float(np.median(line[~first]))
    if width <= 0 or ends[0] == ends[1]:
        return 0.0
    places = np.linspace(*ends, N_PLACES)
    density = np.exp(-0.5 * ((places[:, None] - line) / width) ** 2).sum(axis=1)
    lowest = 1 + int(density[1:-1].argmin())
    sides = min(float(density[:lowest].max()), float(density[lowest + 1 :].max()))
    return max(0.0, 1.0 - float(density[lowest]) / sides)


def _neighbours(square: FloatArray, clusters: IntArray) -> list[tuple[int, int]]:
    """Return pairs of clusters, one of which is the nearest of the other by mean distance."""
    names = np.unique(clusters)
    members = np.array(clusters[:, None] == names, dtype=np.float64)
    mean = members.T @ square @ members / np.outer(members.sum(axis=0), members.sum(axis=0))
    np.fill_diagonal(mean, np.inf)
    if len(names) < 2:
        return []
    nearest = mean.argmin(axis=1)
    return sorted({(int(min(a, names[b])), int(max(a, names[b]))) for a, b in zip(names, nearest, strict=True)})


def _line(square: FloatArray) -> FloatArray:
    """Return items on the line along which they vary most."""
    points, _ = coordinates(square)
    return np.asarray(points[:, int((points**2).sum(axis=0).argmax())])


def _evenly(n_items: int, n_first: int, seed: int) -> FloatArray:
    """Depths between the first and the other items of a uniform sample on a line, shape (N_DRAWS,)."""
    random = stream(seed, "gaps", n_items, n_first)
    first = np.arange(n_items) < n_first
    return np.array([depth_between(np.sort(random.uniform(size=n_items)), first) for _ in range(N_DRAWS)])
