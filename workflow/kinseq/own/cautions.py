"""What a reader of a clustering should not overlook, in sentences."""

from __future__ import annotations

import numpy as np

from ..evaluation.unlabelled import STABLE, STRUCTURE
from ..measures.registry import get
from .result import Result

DISAGREE = 0.5
"""Adjusted Rand index between the partitions of two measures below which the page warns."""


def cautions(result: Result) -> list[str]:
    """Everything that speaks against believing a clustering."""
    return [*_unstable(result), *_without_structure(result), *_disagreeing(result), *_alone(result)]


def _unstable(result: Result) -> list[str]:
    if result.stability is None or not (result.stability.jaccard < STABLE).any():
        return []
    weak = [str(k + 1) for k in np.flatnonzero(result.stability.jaccard < STABLE)]
    every = len(weak) == result.n_clusters
    return [
        f"{'no cluster is' if every else 'not every cluster is'} stable: bootstrap samples"
        f" do not bring back {'any of them' if every else 'number ' + ', '.join(weak)}"
    ]


def _without_structure(result: Result) -> list[str]:
    if not 1 < result.n_clusters < len(result.sequences) or float(result.silhouettes.mean()) >= STRUCTURE:
        return []
    return [
        f"the mean silhouette is {result.silhouettes.mean():.2f}; below {STRUCTURE} there is no substantial"
        " cluster structure, so do not read much into the borders"
    ]


def _disagreeing(result: Result) -> list[str]:
    return [
        f"{' and '.join(get(word).label for word in entry['measures'])} disagree (adjusted Rand index"
        f" {entry['ari']:.2f}): what looks alike depends on the measure"
        for entry in result.agreement
        if entry["ari"] < DISAGREE
    ]


def _alone(result: Result) -> list[str]:
    sizes = np.bincount(result.labels)
    alone = np.flatnonzero(sizes == 1)
    if len(sizes) < 2 or len(result.labels) < 5 or not alone.size:
        return []
    ids = [str(result.sequences.ids[int(result.typical(int(k))[0])]) for k in alone[:3]]
    more = f" and {len(alone) - 3} more" if len(alone) > 3 else ""
    which = (
        "is alone in a cluster; if it is an outlier, remove it,"
        if len(alone) == 1
        else "are each alone in a cluster; if they are outliers, remove them,"
    )
    return [f"{', '.join(ids)}{more} {which} or ask for more clusters"]
