"""The section on the clusters: facts on each, and its most typical sequences to see and to hear."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from kinseq.core.arrays import FloatArray, IntArray

from .apart import Courses, apart
from .content import Content
from .html import badge, graded, thumbnail, uri

CLUSTERS, EXAMPLES = 40, 4
"""Most clusters, and examples of each, that are shown."""
AUDIO_FILE, AUDIO_ALL = 400_000, 6_000_000
"""Bytes up to which an audio file is put into the page, and all of them together."""
_MIME = {".wav": "audio/wav", ".flac": "audio/flac", ".ogg": "audio/ogg", ".mp3": "audio/mpeg"}


def clusters(content: Content) -> str:
    """The clusters with their typical sequences."""
    result, players = content.result, _Players(content.result)
    drawn = Courses.of(content)
    low, high = (np.quantile(result.sequences.values, q, axis=0) for q in (0.01, 0.99))
    out = ["<section><h2>The clusters and what is typical of them</h2>", _legend(result)]
    for k in range(min(result.n_clusters, CLUSTERS)):
        out.append(f'<div class="cluster"><div>{badge(k)}<b>Cluster {k + 1}</b><br><span class="soft">')
        out.append("<br>".join(_facts(content, k)) + '</span></div><div class="examples">')
        out += [_example(result, item, low, high, players) for item in result.typical(k, EXAMPLES).tolist()]
        out.append(f"</div>{apart(content, k, drawn)}</div>")
    if result.n_clusters > CLUSTERS:
        out.append(f'<p class="soft">The other {result.n_clusters - CLUSTERS} clusters are in partition.csv.</p>')
    if players.refused:
        out.append(f'<p class="soft">{players.refused} recordings are too large to be put into the page.</p>')
    return "".join([*out, "</section>"])


def _legend(result: Any) -> str:
    if not result.has_content:
        return '<p class="soft">Each cluster with its most typical items, the medoid first.</p>'
    kind = "coefficients by time" if result.sequences.n_features > 3 else "columns over time"
    return (
        '<p class="soft">Each cluster with its most typical sequences, the medoid first: the one with the least mean'
        f" dissimilarity to the others. The small figures show {kind}"
        f"{' (z-scores)' if result.is_scaled else ''}.</p>"
    )


def _facts(content: Content, k: int) -> list[str]:
    """What is known of one cluster, finished HTML."""
    result, every = content.result, content.everything
    members = np.flatnonzero(every.labels == k)
    facts = [f"{members.size} sequence{'s' * (members.size != 1)}"]
    if content.whole is not None:
        facts.append(f"{int((result.labels == k).sum())} of them sampled")
    if 1 < result.n_clusters < len(result.sequences):
        facts.append(f"silhouette {graded(content, float(result.silhouettes[result.labels == k].mean()), 0.5, 0.25)}")
    if result.stability is not None:
        facts.append(f"stability {graded(content, float(result.stability.jaccard[k]), 0.75, 0.6)}")
    lengths = every.given.lengths[members]
    if result.has_content:
        facts.append(f"length {lengths.min()}–{lengths.max()} frames")
    return facts + _commonest_labels(every, members)


def _commonest_labels(result: Any, members: IntArray) -> list[str]:
    known = np.intersect1d(members, result.labelled)
    if not known.size:
        return []
    names, counts = np.unique(result.sequences.labels[known].astype(str), return_counts=True)
    best = np.argsort(-counts, kind="stable")[:4]
    return ["labels: " + ", ".join(f"{escape(str(names[j]))} ({counts[j]})" for j in best)]


def _example(result: Any, item: int, low: FloatArray, high: FloatArray, players: _Players) -> str:
    name = str(result.sequences.ids[item])
    drawn = thumbnail(result.sequences[item], low, high) if result.has_content else ""
    return f"<figure>{drawn}{players.player(name)}<figcaption>{escape(name)}</figcaption></figure>"


class _Players:
    """Players of audio files, until the page would grow too large."""

    def __init__(self, result: Any) -> None:
        self.folder = result.folder if result.sequences.provenance.get("kind") == "audio" else None
        self.left, self.refused = AUDIO_ALL, 0

    def player(self, name: str) -> str:
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
        return f'<audio controls preload="none" src="{uri(data, mime)}"></audio>'
