"""Find new sequences unlike any that were clustered: the nearest cluster exists for these too.

A sequence of a cluster is compared with some of its members, at even steps from the most typical one to the least. How far it is
from the nearest of these is reported for each view of the measure by itself, since a fusion of views says who is nearer, but not
how near. What members themselves are at most, each from the others, is usual, and somewhat more where they are few; members
that are outliers themselves say nothing of it. Plain properties are views too: what lies between two groups in its correlation may
be as near to both as their members are. A sequence that exceeds what is usual by :data:`MIN_FAR_RATIO` under one view fits nowhere,
and so does one that stands still in a column in which all members move, or for much longer than any of them.

If a new sequence is drawn as the members were, it exceeds the largest of n of them with a chance of 1 / (n + 1) already without
that factor, under each view; in one of all properties with a chance of :data:`REFUSED` if these are normal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import FloatArray, IntArray
from ..core.sequences import SequenceSet, numbered_columns
from ..features.column_names import of_recording
from ..features.frames import without_glitches
from ..features.properties import Properties, properties
from ..measures.fusion import WITHOUT_MODELS, across, frames_averaged
from .options import Options
from .partition import sizes_of
from .result import Result
from .views import PARTS

COMPARED, JUDGED = 10, 100
"""Largest number of members of a cluster that sequences are compared with, and that define the usual range."""
NEAREST_MEMBERS = 3
"""Number of nearest members whose mean dissimilarity is the distance of a sequence from a cluster."""
MIN_FAR_RATIO = 1.5
"""Least ratio to the usual distance for a sequence to fit nowhere; see docs/reports/many.md."""
SLACK_TIMES_MEMBERS = 3.0
"""Allowance beyond the furthest of n members, in units of 1 / n, since few members cover less of the range."""
MIN_QUARTILES = 3.0
"""Interquartile ranges above the upper quartile beyond which a member is itself an outlier."""
REFUSED, REFUSED_BY_FEW, MANY_MEMBERS = 0.01, 0.04, 30
"""Share of new members that plain properties may refuse in total, in large clusters and in small ones."""
FINEST_PROPERTY = 0.1
"""Deviation of properties that counts as none: 10 % of a spread, or a tenth of the deviation of a column over the set."""
MORE_CONSTANT = 0.25
"""Excess of the share of a sequence that stands still over that of any member, beyond which it fits nowhere."""
FEW_MEMBERS = 10
"""Number of members up to which a note warns that little can be refused."""
MIN_MEMBERS = 3
"""Number of members for a cluster to define its own usual range; smaller ones use the largest range of the others."""


@dataclass(frozen=True)
class UsualRange:
    """Usual distances within a cluster.

    Attributes
    ----------
    known : ndarray, int64
        Positions of the members that sequences are compared with.
    typical_of_others : ndarray, int64
        Positions of the most typical members of all other clusters: what a view takes from a whole set (units, columns in which
        anything happens), it takes from these too.
    usual : dict of float
        By view: how far members are from the others at most, and 1 + 3 / n times as much where n say so.
    middle, limit : ndarray, shape (P,)
        Of plain properties: the median of members, and how far from it fits nowhere; infinite of those that are not compared.
    constant_share : ndarray, shape (d,)
        Largest share of its time that a member stands still at a stretch, of each column.
    """

    known: IntArray
    typical_of_others: IntArray
    usual: Mapping[str, float]
    middle: FloatArray
    limit: FloatArray
    constant_share: FloatArray


def usual_in(result: Result, positions: IntArray) -> list[UsualRange]:
    """Return the usual distances of each cluster of a result.

    New sequences are compared with the old ones at `positions` in any case.
    """
    clusters = []
    plain, constant_share = properties(result.sequences), _constant_share(result.sequences)
    for k in range(result.n_clusters):
        members = _members(result, k)
        known = _at_even_steps(members, COMPARED) if _views(result) else np.intersect1d(members, positions)
        typical_of_others = result.medoid_indices_[np.arange(result.n_clusters) != k]
        usual = {}
        judged = _at_even_steps(members, JUDGED)
        for view, distance in _among(result, known, typical_of_others, judged).items():
            # An item is not compared with itself.
            distance = np.where(judged[:, None] == known, np.inf, distance)
            away = _nearest(distance, len(known) - 1)
            furthest = float(away[_inside(away)].max()) if len(members) >= MIN_MEMBERS else 0.0
            usual[view] = (1.0 + SLACK_TIMES_MEMBERS / len(judged)) * furthest
        middle, limit = (
            _limits(plain, members, result.sequences) if _views(result) else (np.zeros(1), np.full(1, np.inf))
        )
        clusters.append(UsualRange(known, typical_of_others, usual, middle, limit, constant_share[members].max(axis=0)))
    largest = {view: max(cluster.usual[view] for cluster in clusters) for view in clusters[0].usual}
    return [replace(one, usual={view: value or largest[view] for view, value in one.usual.items()}) for one in clusters]


def how_far(
    result: Result,
    usual: list[UsualRange],
    new: SequenceSet,
    labels: IntArray,
    rows: FloatArray,
    positions: IntArray,
    options: Options,
) -> FloatArray:
    """Largest ratio, over views, of the distance of new sequences to their cluster's members to the usual one; shape (M,).

    `new` are in the scale of the old ones, `rows` their dissimilarities from the old ones at `positions`, shape (M, R). Infinite
    of a sequence that differs where all members of a cluster are equal.
    """
    times, constant_share = np.zeros(len(new)), _constant_share(new)
    plain = properties(new, like=result.sequences).values if _views(result) else np.zeros((len(new), 1))
    for k, cluster in enumerate(usual):
        here = np.flatnonzero(labels == k)
        if not here.size:
            continue
        if _views(result):
            found = _under_views(result, cluster.known, cluster.typical_of_others, new.subset(here), options.threads)
        else:
            found = {"": rows[np.ix_(here, np.flatnonzero(np.isin(positions, cluster.known)))]}
        for view, distance in found.items():
            away = _nearest(distance, len(cluster.known) - 1)
            with np.errstate(divide="ignore", invalid="ignore"):
                ratio = np.where(away > 0, away / cluster.usual[view], 0.0)
            times[here] = np.maximum(times[here], ratio)
        beyond = MIN_FAR_RATIO * np.abs(plain[here] - cluster.middle) / cluster.limit
        times[here] = np.maximum(times[here], beyond.max(axis=1))
        is_dead = (constant_share[here] == 1.0) & (cluster.constant_share < 1.0)
        times[here[(is_dead | (constant_share[here] >= cluster.constant_share + MORE_CONSTANT)).any(axis=1)]] = np.inf
    return times


def _constant_share(sequences: SequenceSet) -> FloatArray:
    """The longest stretch of equal values in each column of each sequence, as a share of its frames, shape (N, d)."""
    shares = np.empty((len(sequences), sequences.n_features))
    for i, frames in enumerate(sequences):
        for k, column in enumerate(frames.T):
            ends = np.concatenate([[0], np.flatnonzero(np.diff(column)) + 1, [len(column)]])
            shares[i, k] = np.diff(ends).max() / len(column)
    return shares


def _inside(values: FloatArray) -> NDArray[np.bool_]:
    """Mark the values that are no outliers among the others."""
    low, high = np.quantile(values, (0.25, 0.75), axis=0)
    inside: NDArray[np.bool_] = values <= high + MIN_QUARTILES * (high - low)
    return inside


def _limits(plain: Properties, members: IntArray, sequences: SequenceSet) -> tuple[FloatArray, FloatArray]:
    """Median of members in each property, and the distance from it beyond which a sequence is unlike them, shape (P,) each.

    That is further than any of them, and further than one of all properties is in a share of :data:`REFUSED` of new members.
    """
    from scipy.stats import t  # slow to import

    values = plain.values[members]
    n, number = values.shape
    middle = np.median(values, axis=0)
    away = np.abs(values - middle)
    inside = _inside(away)
    own = np.where(inside, away, 0.0)
    deviation = np.sqrt(np.square(own).sum(axis=0) / np.maximum(inside.sum(axis=0) - 1, 1))
    columns = of_recording(sequences) or numbered_columns(sequences)
    units = dict(zip(columns, sequences.values.std(axis=0).tolist(), strict=True))
    finest = np.array([units.get(name.removeprefix("level of "), 1.0) for name in plain.names])
    deviation = np.maximum(deviation, FINEST_PROPERTY * finest)
    refused = REFUSED if n >= MANY_MEMBERS else REFUSED_BY_FEW
    quantile = float(t.ppf(1.0 - refused / (2.0 * number), max(n - 1, 1)))
    limit = np.maximum(
        (1.0 + SLACK_TIMES_MEMBERS / n) * own.max(axis=0),
        np.sqrt(1.0 + 1.0 / n) * quantile * deviation,
    )
    # Alignments depend on lengths; a few members do not show the usual range.
    limit[[name == "length" for name in plain.names]] = np.inf
    return middle, limit if n >= MIN_MEMBERS else np.full_like(limit, np.inf)


def remarks_on_few(result: Result) -> list[str]:
    """Name clusters with so few members that little can be refused."""
    few = [str(k + 1) for k, size in enumerate(sizes_of(result.labels).tolist()) if size < FEW_MEMBERS]
    if not few:
        return []
    which = f"group {few[0]} has" if len(few) == 1 else f"groups {', '.join(few)} have"
    return [
        f"{which} fewer than {FEW_MEMBERS} members, too few to know what is usual there: only distant sequences are refused"
    ]


def _members(result: Result, cluster: int) -> IntArray:
    """Members of a cluster, most typical first, without those that belong nowhere themselves."""
    ranked = result.details.typical(cluster, len(result.labels))
    inside = ranked[~np.isin(ranked, result.details.scattered)]
    return inside if inside.size else ranked


def _at_even_steps(members: IntArray, most: int) -> IntArray:
    steps = np.linspace(0, len(members) - 1, min(most, len(members)))
    return members[np.round(steps).astype(np.int64)]


def _nearest(distance: FloatArray, others: int) -> FloatArray:
    """Mean of the least entries of each row, as many as used for this number of `others`."""
    return np.asarray(np.sort(distance, axis=1)[:, : max(1, min(NEAREST_MEMBERS, others))].mean(axis=1))


def _views(result: Result) -> list[str]:
    """Return the examined views: those of the requested measure, and the one that was taken if it aligns.

    All of them, also where one view, one model or one property showed the groups by itself: that one is blind to most of what makes
    a sequence like no other. Empty where the measure is no fusion, or of models alone: then its own dissimilarities count.
    """
    measure = result.options.measures[0]
    if measure.components is None:
        return []
    asked = result.options.params.get(PARTS, measure.params[PARTS])
    names = dict.fromkeys([*asked, *result.views[0].params.get(PARTS, ())])
    return [name for name in names if name in WITHOUT_MODELS]


def _among(result: Result, known: IntArray, typical_of_others: IntArray, judged: IntArray) -> Mapping[str, FloatArray]:
    """Return dissimilarities of some members from those used for comparison, by view."""
    if not _views(result):
        return {"": result.distance[np.ix_(judged, known)]}
    return _under_views(result, known, typical_of_others, result.sequences.subset(judged), result.options.threads)


def _under_views(
    result: Result, known: IntArray, typical_of_others: IntArray, new: SequenceSet, threads: int
) -> dict[str, FloatArray]:
    old = result.sequences.subset(np.concatenate([known, typical_of_others]))
    given = result.options.params.get("frames_averaged")
    factor = given or frames_averaged(result.sequences.lengths, result.sequences.n_features)
    found = across(_views(result), without_glitches(old), without_glitches(new), int(factor), threads)
    return {name: distance[:, : len(known)] for name, distance in found.items()}
