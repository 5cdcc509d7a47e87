"""What was found, as text for a terminal or a log."""

from __future__ import annotations

from textwrap import fill
from typing import Any

import numpy as np

from ..core.wording import count

WIDTH = 100
LARGEST = 20
"""Most clusters that have a line of their own."""


def summary(result: Any) -> str:
    """See :meth:`~kinseq.api.clusters.Clusters.summary`, whose object this is."""
    parts = [
        _wrapped(f"{result.original.name}: {count(len(result.labels), 'sequence')}: {result.verdict}"),
        _clusters(result),
    ]
    parts.append(_list("What sets them apart", _apart(result)))
    parts += [
        _list("Also there", result.also_there),
        _list("Look out", result.warnings()),
        _list("Notes", result.notes),
    ]
    parts.append(_list("Chosen", [f"{what}: {value} ({why})" for what, value, why in result.choices]))
    parts.append(_list("Scores against the labels", _scores(result)))
    return "\n\n".join(part for part in parts if part)


def _clusters(result: Any) -> str:
    table = result.to_frame()
    sizes = np.bincount(result.labels, minlength=result.n_clusters)
    lines = ["cluster  sequences  silhouette  most typical"]
    silhouette, medoids = table.groupby("cluster")["silhouette"].mean(), result.original.ids[result.medoid_indices_]
    for k in range(min(result.n_clusters, LARGEST)):
        mean = f"{silhouette[k]:.2f}" if result.n_clusters > 1 else ""
        lines.append(f"{k:7d}  {sizes[k]:9d}  {mean:>10}  {medoids[k]}")
    if result.n_clusters > LARGEST:
        lines.append(f"... and {result.n_clusters - LARGEST} more")
    return "\n".join(lines)


def _apart(result: Any) -> list[str]:
    """The strongest statement on each cluster."""
    if result.n_clusters < 2 or not result.has_content:
        return []
    first = result.explain().groupby("cluster").first()["sentence"]
    return [f"cluster {k}: {sentence}" for k, sentence in first.items() if k < LARGEST]


def _scores(result: Any) -> list[str]:
    return [
        f"{measure}: {', '.join(f'{name} {value:.3g}' for name, value in scores.items())}"
        for measure, scores in result.scores.items()
    ]


def _list(title: str, entries: list[str]) -> str:
    return "\n".join([f"{title}:", *(_wrapped(entry, "- ") for entry in entries)]) if entries else ""


def _wrapped(text: str, start: str = "") -> str:
    return fill(text, WIDTH, initial_indent=start, subsequent_indent=" " * len(start), break_on_hyphens=False)
