"""What was found, as text for a terminal or a log."""

from __future__ import annotations

from textwrap import fill
from typing import Any

import numpy as np

from .run import plural

WIDTH = 100
LARGEST = 20
"""Most clusters that have a line of their own."""


def summary(found: Any) -> str:
    """See :meth:`~kinseq.analysis.clusters.Clusters.summary`, whose object this is."""
    parts = [
        _wrapped(f"{found.given.name}: {plural(len(found.labels), 'sequence')}: {found.verdict}"),
        _clusters(found),
    ]
    parts.append(_list("What sets them apart", _apart(found)))
    parts += [_list("Also there", found.also_there), _list("Look out", found.warnings()), _list("Notes", found.notes)]
    parts.append(_list("Chosen", [f"{what}: {value} ({why})" for what, value, why in found.choices]))
    parts.append(_list("Scores against the labels", _scores(found)))
    return "\n\n".join(part for part in parts if part)


def _clusters(found: Any) -> str:
    table = found.to_frame()
    sizes = np.bincount(found.labels, minlength=found.n_clusters)
    lines = ["cluster  sequences  silhouette  most typical"]
    silhouette, medoids = table.groupby("cluster")["silhouette"].mean(), found.given.ids[found.medoid_indices_]
    for k in range(min(found.n_clusters, LARGEST)):
        shown = f"{silhouette[k]:.2f}" if found.n_clusters > 1 else ""
        lines.append(f"{k:7d}  {sizes[k]:9d}  {shown:>10}  {medoids[k]}")
    if found.n_clusters > LARGEST:
        lines.append(f"... and {found.n_clusters - LARGEST} more")
    return "\n".join(lines)


def _apart(found: Any) -> list[str]:
    """The strongest statement on each cluster."""
    if found.n_clusters < 2 or not found.has_content:
        return []
    first = found.explain().groupby("cluster").first()["sentence"]
    return [f"cluster {k}: {said}" for k, said in first.items() if k < LARGEST]


def _scores(found: Any) -> list[str]:
    return [
        f"{measure}: {', '.join(f'{name} {value:.3g}' for name, value in scores.items())}"
        for measure, scores in found.scores.items()
    ]


def _list(title: str, entries: list[str]) -> str:
    return "\n".join([f"{title}:", *(_wrapped(entry, "- ") for entry in entries)]) if entries else ""


def _wrapped(text: str, start: str = "") -> str:
    return fill(text, WIDTH, initial_indent=start, subsequent_indent=" " * len(start), break_on_hyphens=False)
