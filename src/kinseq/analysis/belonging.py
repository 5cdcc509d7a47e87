"""Whether new sequences are like any that were clustered: clusters say which one is nearest, also to what is like none of them.

A sequence of a cluster is compared with some of its members, at even steps from the most typical one to the least. How far it is
from the nearest of these is reported for each view of the measure by itself, since a fusion of views says who is nearer, but not
how near. What members themselves are at most, each from the others, is usual, and somewhat more where there are few of them. A
sequence that exceeds this by :data:`MIN_FAR_RATIO` under one view fits nowhere.

If a new sequence is drawn as the members were, it exceeds the largest of n of them with a chance of 1 / (n + 1) already without
that factor, under each view.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..core.arrays import FloatArray, IntArray
from ..core.sequences import SequenceSet
from ..measures.fusion import WITHOUT_MODELS, across, frames_averaged
from .comparison import PARTS
from .options import Options
from .result import Result

COMPARED, JUDGED = 10, 100
"""Most members of a cluster that sequences are compared with, and that say what is usual."""
NEAREST_MEMBERS = 3
"""Members whose mean dissimilarity is how far a sequence is from a cluster: the nearest of those that are compared."""
MIN_FAR_RATIO = 1.5
"""How many times as far as usual a sequence is at least that fits nowhere; see docs/reports/many.md."""
SLACK_TIMES_MEMBERS = 3.0
"""How much further than the furthest of n members others may be, in units of 1 / n: few say less of what there is."""
MIN_MEMBERS = 3
"""Members from which on a cluster says what is usual in it; of smaller ones, that is the largest of the others."""


@dataclass(frozen=True)
class Cluster:
    """What is usual in a cluster.

    Attributes
    ----------
    known : ndarray, int64
        Positions of the members that sequences are compared with.
    beside : ndarray, int64
        Positions of the most typical members of all other clusters: what a view takes from a whole set (units, columns in which
        anything happens), it takes from these too.
    usual : dict of float
        By view: how far members are from the others at most, and 1 + 3 / n times as much where n say so.
    """

    known: IntArray
    beside: IntArray
    usual: Mapping[str, float]


def usual_in(result: Result, positions: IntArray) -> list[Cluster]:
    """What is usual in each cluster of a result; new sequences are compared with the old ones at `positions` in any case."""
    clusters = []
    for k in range(result.n_clusters):
        members = _members(result, k)
        known = _at_even_steps(members, COMPARED) if _views(result) else np.intersect1d(members, positions)
        beside = result.medoid_indices_[np.arange(result.n_clusters) != k]
        usual = {}
        judged = _at_even_steps(members, JUDGED)
        for view, distance in _among(result, known, beside, judged).items():
            # Nobody is compared with himself.
            distance = np.where(judged[:, None] == known, np.inf, distance)
            furthest = float(_nearest(distance, len(known) - 1).max()) if len(members) >= MIN_MEMBERS else 0.0
            usual[view] = (1.0 + SLACK_TIMES_MEMBERS / len(judged)) * furthest
        clusters.append(Cluster(known, beside, usual))
    largest = {view: max(cluster.usual[view] for cluster in clusters) for view in clusters[0].usual}
    return [
        Cluster(one.known, one.beside, {view: value or largest[view] for view, value in one.usual.items()})
        for one in clusters
    ]


def how_far(
    result: Result,
    usual: list[Cluster],
    new: SequenceSet,
    labels: IntArray,
    rows: FloatArray,
    positions: IntArray,
    options: Options,
) -> FloatArray:
    """How many times as far new sequences are from the members of their cluster as is usual, at most over views; shape (M,).

    `new` are in the scale of the old ones, `rows` their dissimilarities from the old ones at `positions`, shape (M, R). Infinite
    of a sequence that differs where all members of a cluster are equal.
    """
    times = np.zeros(len(new))
    for k, cluster in enumerate(usual):
        here = np.flatnonzero(labels == k)
        if not here.size:
            continue
        if _views(result):
            found = _under_views(result, cluster, new.subset(here), options.threads)
        else:
            found = {"": rows[np.ix_(here, np.flatnonzero(np.isin(positions, cluster.known)))]}
        for view, distance in found.items():
            away = _nearest(distance, len(cluster.known) - 1)
            with np.errstate(divide="ignore", invalid="ignore"):
                ratio = np.where(away > 0, away / cluster.usual[view], 0.0)
            times[here] = np.maximum(times[here], ratio)
    return times


def _members(result: Result, cluster: int) -> IntArray:
    """Members of a cluster, the most typical first; those that belong nowhere themselves say nothing of it."""
    ranked = result._typical(cluster, len(result.labels))
    inside = ranked[~np.isin(ranked, result._scattered)]
    return inside if inside.size else ranked


def _at_even_steps(members: IntArray, most: int) -> IntArray:
    steps = np.linspace(0, len(members) - 1, min(most, len(members)))
    return members[np.round(steps).astype(np.int64)]


def _nearest(distance: FloatArray, others: int) -> FloatArray:
    """Mean of the least entries of each row, as many as count where there are so many `others`."""
    return np.asarray(np.sort(distance, axis=1)[:, : max(1, min(NEAREST_MEMBERS, others))].mean(axis=1))


def _views(result: Result) -> list[str]:
    """Return the views that are looked at: those of the measure that was asked for, and the one that was taken, if they align.

    All of them, also where one view, one model or one property showed the groups by itself: that one is blind to most of what makes
    a sequence like no other. Empty where the measure is no fusion, or of models alone: then its own dissimilarities count.
    """
    measure = result.options.measures[0]
    if measure.looks is None:
        return []
    asked = result.options.params.get(PARTS, measure.params[PARTS])
    names = dict.fromkeys([*asked, *result.views[0].params.get(PARTS, ())])
    return [name for name in names if name in WITHOUT_MODELS]


def _among(result: Result, known: IntArray, beside: IntArray, judged: IntArray) -> Mapping[str, FloatArray]:
    """Return dissimilarities of some members from those that others are compared with, by view."""
    if not _views(result):
        return {"": result.distance[np.ix_(judged, known)]}
    return _under_views(result, Cluster(known, beside, {}), result.sequences.subset(judged), result.options.threads)


def _under_views(result: Result, cluster: Cluster, new: SequenceSet, threads: int) -> dict[str, FloatArray]:
    old = result.sequences.subset(np.concatenate([cluster.known, cluster.beside]))
    given = result.options.params.get("frames_averaged")
    factor = given or frames_averaged(result.sequences.lengths, result.sequences.n_features)
    found = across(_views(result), old, new, int(factor), threads)
    return {name: distance[:, : len(cluster.known)] for name, distance in found.items()}
