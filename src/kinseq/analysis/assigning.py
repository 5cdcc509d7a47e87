"""Sequences outside a sample: each goes to the cluster whose representatives are nearest to it.

Comparing every sequence with all of a sample would cost more than the sample itself. So each cluster is represented by
some of its members, at even steps from the most typical one to the least. They are what `predict` of an analysis calls
the old sequences: everything that a measure fits or scales is fitted to them, and a sequence is compared with nothing else.
Its answer depends on no other sequence.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeVar

import numpy as np

from ..core.arrays import FloatArray, IntArray
from ..core.ordering import by_content
from ..core.progress import Progress
from ..core.sequences import SequenceSet
from ..metrics.unlabelled import nearness, typicality
from . import limits
from .options import Options
from .prediction import compared
from .result import Result

AnyResult = TypeVar("AnyResult", bound=Result)


def representatives(sample: Result) -> IntArray:
    """Positions of those members of each cluster that represent it, in order of content."""
    order = sample.ordering.positions
    labels = sample.labels[order]
    # Sums in the order of content: that of files must not decide between equals.
    ranked = np.argsort(typicality(sample.ordering.sort_matrix(sample.distance), labels), kind="stable")
    share = limits.REPRESENTATIVES // sample.n_clusters
    most = min(limits.REPRESENTATIVES_MOST, max(limits.REPRESENTATIVES_LEAST, share))
    members_by_cluster = []
    for cluster in range(sample.n_clusters):
        members = ranked[labels[ranked] == cluster]
        steps = np.linspace(0, len(members) - 1, min(most, len(members)))
        members_by_cluster.append(members[np.round(steps).astype(np.int64)])
    return order[np.sort(np.concatenate(members_by_cluster))]


def represented(sample: AnyResult) -> AnyResult:
    """The analysis of a sample with nothing left of it but its representatives.

    What a measure decided by the size of the sample, it does not decide anew.
    """
    positions = representatives(sample)
    sequences = sample.sequences.subset(positions)
    first = sample.views[0]
    decisions = {
        name: first.findings[name]
        for name, default in first.measure.params.items()
        if default is None and first.params.get(name) is None and name in first.findings
    }
    view = replace(
        first,
        distance=first.distance[np.ix_(positions, positions)],
        labels=first.labels[positions],
        params={**first.params, **decisions},
        reference=None,
        reference_views=None,
    )
    return replace(
        sample,
        sequences=sequences,
        original=sample.original.subset(positions),
        views=[view],
        decision=replace(sample.decision, numbers=None),
        ordering=by_content(sequences),
        notes=[],
        choices=[],
    )


def blocks(sequences: SequenceSet) -> Iterator[SequenceSet]:
    """Sequences a number at a time, so that no matrix is larger than it has to be."""
    for start in range(0, len(sequences), limits.BLOCK):
        yield sequences.subset(np.arange(start, min(start + limits.BLOCK, len(sequences))))


def assigned(base: Result, new: SequenceSet, options: Options) -> IntArray:
    """Clusters of sequences in the scale of the representatives, shape (M,)."""
    if base.n_clusters == 1:
        return np.zeros(len(new), dtype=np.int64)
    labels = base.labels[base.ordering.positions]
    reported = Progress("assign sequences", len(new), unit="sequence") if options.progress else None
    clusters = []
    for block in blocks(new):
        clusters.append(nearest(compared(base, block, options), labels))
        if reported is not None:
            reported.step(len(block))
    return np.concatenate(clusters)


def come_back(sample: Result, base: Result, options: Options) -> float | None:
    """Share, 0 to 1, of the sampled sequences that represent nothing which are assigned to their own cluster.

    None if all of them represent their cluster.
    """
    others = np.flatnonzero(~np.isin(sample.sequences.ids, base.sequences.ids))
    if not others.size:
        return None
    labels = assigned(base, sample.sequences.subset(others), replace(options, progress=False))
    return float((labels == sample.labels[others]).mean())


def nearest(distance: FloatArray, labels: IntArray) -> IntArray:
    """The cluster whose nearest representatives are least far on average, shape (M,); of equals the first.

    `distance`, shape (M, R), holds dissimilarities from the representatives, `labels`, shape (R,), their clusters.
    """
    return _means(distance, labels).argmin(axis=0).astype(np.int64)


def _means(distance: FloatArray, labels: IntArray) -> FloatArray:
    """Mean dissimilarity to the nearest representatives of each cluster, shape (number of clusters, M)."""
    means = []
    for cluster in range(int(labels.max()) + 1):
        own = np.sort(distance[:, labels == cluster], axis=1)[:, : limits.NEAREST]
        means.append(own.mean(axis=1))
    return np.array(means)


def strengths(base: Result, new: SequenceSet, options: Options) -> FloatArray:
    """How strongly sequences belong to the clusters that they are assigned to, by the same means; shape (M,)."""
    if base.n_clusters == 1:
        return np.ones(len(new))
    labels = base.labels[base.ordering.positions]
    means = [np.sort(_means(compared(base, block, options), labels), axis=0)[:2] for block in blocks(new)]
    own, other = np.concatenate(means, axis=1)
    return nearness(own, other)
