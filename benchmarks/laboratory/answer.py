"""Answer of the product: the one place that reads an analysis."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from kinseq.analysis import limits
from kinseq.analysis.diagnostics import CHECKS
from kinseq.api.results import Clustering
from kinseq.core.arrays import IntArray


@dataclass(frozen=True)
class Answer:
    """Answer of an analysis to a set.

    Attributes
    ----------
    labels : ndarray, shape (N,)
    others : mapping of str to ndarray
        Other groupings that are named too, by the view that sees them.
    doubts : tuple of int
        Other numbers of clusters that are said to do about as well.
    cautions : tuple of str
        Kinds of cautions that speak against the clusters.
    sentence : str
        What is said first.
    says : str
        How sure the groups are, `degree` of a result.
    """

    labels: IntArray
    others: Mapping[str, IntArray]
    doubts: tuple[int, ...]
    cautions: tuple[str, ...]
    sentence: str
    says: str


def answer_of(analysis: Clustering) -> Answer:
    """Read an analysis."""
    return Answer(
        labels=analysis.labels,
        others={entry.name: entry.grouping.labels for entry in analysis.decision.others},
        doubts=tuple(analysis.details.candidates),
        cautions=tuple(kind for kind, check in CHECKS.items() if check(analysis)),
        sentence=repr(analysis),
        says=analysis.degree,
    )


def looks_of(analysis: Clustering) -> list[tuple[IntArray, IntArray]]:
    """Cluster within groups: positions of the members of each group, and their groups, zeros if there is one.

    Of sets in which no sequence is a copy of another.
    """
    if analysis.n_clusters < 2:
        return []
    first, within = analysis.level(1), analysis.details.within
    groups = [np.flatnonzero(first == k) for k in range(int(first.max()) + 1)]
    return [
        (members, within[k].labels if k in within else np.zeros(len(members), dtype=np.int64))
        for k, members in enumerate(groups)
        if len(members) >= limits.LOOKED_INTO
    ]
