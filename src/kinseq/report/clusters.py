"""The section on the clusters: facts on each, and its most typical sequences to view and play."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.arrays import IntArray
from .content import CLUSTERS, EXAMPLES, Content
from .groups import LISTED, short_sentences, span, statements
from .parts import Cell, Entry, badge, graded
from .thumbnails import CurveColumn, Thumbnail, Thumbnails


@dataclass(frozen=True)
class Example:
    """A sequence to view, and to play if the script has its sound."""

    item: int
    name: str
    thumbnail: Thumbnail | None


@dataclass(frozen=True)
class ClusterCard:
    """One cluster: its facts, each a list of texts in a row, its typical sequences, and statements; `left` are omitted."""

    number: int
    badge: Cell
    facts: Sequence[Sequence[Entry]]
    examples: Sequence[Example]
    statements: Sequence[str]
    left: int


@dataclass(frozen=True)
class Section:
    """The clusters, a sentence on the small figures with the columns of curves, and the number of omitted clusters."""

    legend: str
    columns: Sequence[CurveColumn]
    clusters: Sequence[ClusterCard]
    more: int


def clusters(content: Content, thumbnails: Thumbnails) -> Section:
    """The clusters with their typical sequences."""
    result, said = content.result, _said(content)
    entries = [
        ClusterCard(
            k + 1,
            badge(k),
            _facts(content, k),
            [
                Example(item, str(result.sequences.ids[item]), thumbnails.of(item))
                for item in result.details.typical(k, EXAMPLES).tolist()
            ],
            said[k][:LISTED],
            max(0, len(said[k]) - LISTED),
        )
        for k in range(min(result.n_clusters, CLUSTERS))
    ]
    return Section(_legend(result, thumbnails), thumbnails.columns, entries, max(0, result.n_clusters - CLUSTERS))


def _said(content: Content) -> list[list[str]]:
    """Statements on each cluster; none without sequences, or for a single cluster."""
    result = content.result
    if content.explanation is None or not result.details.has_content or result.n_clusters == 1:
        return [[]] * result.n_clusters
    return [short_sentences(rows) for rows in statements(content.explanation)]


def _legend(result: Any, thumbnails: Thumbnails) -> str:
    if not result.details.has_content:
        return "Each cluster with its most typical items; the first is the medoid."
    typical = (
        "Each cluster with its most typical sequences. The first is the medoid: the one with the smallest mean dissimilarity to the"
        " others."
    )
    if thumbnails.recordings:
        return (
            f"{typical} The small figures are spectrograms: time from left to right, frequency from bottom to top; loud sounds are "
            "brighter than the background."
        )
    if thumbnails.are_states:
        return f"{typical} The small figures show the states over time, in the colours of the pictures above."
    if not thumbnails.columns:
        return typical
    scale = " on one scale of time" if thumbnails.longest else ", each over its own length"
    return f"{typical} The small figures show columns over time{scale}:"


def _facts(content: Content, k: int) -> list[Sequence[Entry]]:
    """Content of the card of one cluster."""
    result, every = content.result, content.everything
    members = np.setdiff1d(np.flatnonzero(every.labels == k), content.outside if content.whole is None else [])
    facts: list[Sequence[Entry]] = [[f"{members.size} sequence{'s' * (members.size != 1)}"]]
    if content.whole is not None:
        facts.append([f"{int((result.labels == k).sum())} of them sampled"])
    if result.stability is not None:
        facts.append(["stability ", graded(content, float(result.stability.jaccard[k]), 0.75, 0.6)])
    lengths = every.original.lengths[members]
    if result.details.has_content:
        facts.append([f"length {span(every.original, lengths)}"])
    return facts + _commonest_labels(every, members)


def _commonest_labels(result: Any, members: IntArray) -> list[Sequence[Entry]]:
    labelled = np.intersect1d(members, result.details.labelled)
    if not labelled.size:
        return []
    names, counts = np.unique(result.sequences.labels[labelled].astype(str), return_counts=True)
    order = np.argsort(-counts, kind="stable")[:4]
    return [["labels: " + ", ".join(f"{names[j]} ({counts[j]})" for j in order)]]
