"""The section on the clusters: facts on each, and its most typical sequences to see and to hear."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from kinseq.core.arrays import FloatArray, IntArray
from kinseq_drawing.html import uri

from .apart import Apart, Courses, apart
from .content import Content
from .parts import Cell, Entry, Thumbnail, badge, graded, thumbnail

CLUSTERS, EXAMPLES = 40, 4
"""Most clusters, and examples of each, that are shown."""
AUDIO_FILE, AUDIO_ALL = 400_000, 6_000_000
"""Bytes up to which an audio file is put into the page, and all of them together."""
_MIME = {".wav": "audio/wav", ".flac": "audio/flac", ".ogg": "audio/ogg", ".mp3": "audio/mpeg"}


@dataclass(frozen=True)
class Example:
    """A sequence to see, and to hear if `sound` is not empty."""

    name: str
    drawn: Thumbnail | None
    sound: str


@dataclass(frozen=True)
class Cluster:
    """What is shown of one cluster; each fact is a list of texts in a row."""

    number: int
    badge: Cell
    facts: Sequence[Sequence[Entry]]
    examples: Sequence[Example]
    apart: Apart | None


@dataclass(frozen=True)
class Section:
    """The clusters, a sentence on the small figures, and how many clusters and recordings are not shown."""

    legend: str
    shown: Sequence[Cluster]
    more: int
    refused: int


def clusters(content: Content) -> Section:
    """The clusters with their typical sequences."""
    result, players = content.result, _Players(content.result)
    drawn = Courses.of(content)
    low, high = (np.quantile(result.sequences.values, q, axis=0) for q in (0.01, 0.99))
    shown = [
        Cluster(
            k + 1,
            badge(k),
            _facts(content, k),
            [_example(result, item, low, high, players) for item in result.typical(k, EXAMPLES).tolist()],
            apart(content, k, drawn),
        )
        for k in range(min(result.n_clusters, CLUSTERS))
    ]
    return Section(_legend(result), shown, max(0, result.n_clusters - CLUSTERS), players.refused)


def _legend(result: Any) -> str:
    if not result.has_content:
        return "Each cluster with its most typical items, the medoid first."
    kind = "coefficients by time" if result.sequences.n_features > 3 else "columns over time"
    return (
        "Each cluster with its most typical sequences, the medoid first: the one with the least mean"
        f" dissimilarity to the others. The small figures show {kind}"
        f"{' (z-scores)' if result.is_scaled else ''}."
    )


def _facts(content: Content, k: int) -> list[Sequence[Entry]]:
    """What is known of one cluster."""
    result, every = content.result, content.everything
    members = np.flatnonzero(every.labels == k)
    facts: list[Sequence[Entry]] = [[f"{members.size} sequence{'s' * (members.size != 1)}"]]
    if content.whole is not None:
        facts.append([f"{int((result.labels == k).sum())} of them sampled"])
    if 1 < result.n_clusters < len(result.sequences):
        silhouette = float(result.silhouettes[result.labels == k].mean())
        facts.append(["silhouette ", graded(content, silhouette, 0.5, 0.25)])
    if result.stability is not None:
        facts.append(["stability ", graded(content, float(result.stability.jaccard[k]), 0.75, 0.6)])
    lengths = every.given.lengths[members]
    if result.has_content:
        facts.append([f"length {lengths.min()}–{lengths.max()} frames"])
    return facts + _commonest_labels(every, members)


def _commonest_labels(result: Any, members: IntArray) -> list[Sequence[Entry]]:
    known = np.intersect1d(members, result.labelled)
    if not known.size:
        return []
    names, counts = np.unique(result.sequences.labels[known].astype(str), return_counts=True)
    best = np.argsort(-counts, kind="stable")[:4]
    return [["labels: " + ", ".join(f"{names[j]} ({counts[j]})" for j in best)]]


def _example(result: Any, item: int, low: FloatArray, high: FloatArray, players: _Players) -> Example:
    name = str(result.sequences.ids[item])
    drawn = thumbnail(result.sequences[item], low, high) if result.has_content else None
    return Example(name, drawn, players.sound(name))


class _Players:
    """Sounds of audio files, until the page would grow too large."""

    def __init__(self, result: Any) -> None:
        self.folder = result.folder if result.sequences.provenance.get("kind") == "audio" else None
        self.left, self.refused = AUDIO_ALL, 0

    def sound(self, name: str) -> str:
        if self.folder is None:
            return ""
        path = Path(self.folder) / name
        mime = _MIME.get(path.suffix.lower())
        try:
            size = path.stat().st_size
            if mime is None or size > min(AUDIO_FILE, self.left):
                self.refused += 1
                return ""
            data = path.read_bytes()
        except OSError:
            self.refused += 1
            return ""
        self.left -= size
        return uri(data, mime)
