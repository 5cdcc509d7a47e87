"""Data for the script of the page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ..analysis.verdict import NOT_IN_A_GROUP, in_words, suggestions
from ..core.arrays import FloatArray, IntArray
from ..core.folders import FURTHER_COLUMNS, LABELS_FILE
from .content import PALETTE, Content
from .drawing import WIDE, places
from .files import N_NEIGHBOURS, explanation_csv
from .sections import is_compared
from .thumbnails import Thumbnails

N_LISTED_NEIGHBOURS = 5
"""Number of neighbours of each sequence."""
KNOWN = ("name", "cluster", "membership", "silhouette", "length", "label")
"""Names in the script of the values for colouring and sorting sequences."""
MAX_PARTITIONS = 6
"""Largest number of partitions to switch between."""


def partitions(content: Content) -> list[tuple[str, IntArray]]:
    """Partitions to switch between with their names: those suggested, the chosen one first, and further ones."""
    result = content.result
    how = "as requested" if result.options.n_clusters == result.n_clusters else "chosen"
    choices = [(f"{_clusters(result.n_clusters)}, {how}", result.labels)]
    suggested = suggestions(result, result._by_leaves)
    choices += [(f"{_clusters(one.n_clusters)}, {one.why}", one.labels) for one in suggested[1:]]
    further = [(f"{_clusters(k)}, does about as well", labels) for k, labels in result.details.candidates.items()]
    if not further and result.views[0].whole is None:
        # Clusters of one property would mix groups that others separate.
        seen, first = ", as in the curve" if is_compared(result) else "", result._division.n_clusters
        further = [
            (f"{_clusters(k)}, one {'fewer' if k < first else 'more'}{seen}", labels)
            for k, labels in result.details.neighbouring.items()
        ]
    for entry in result.decision.others:
        name = f"{_clusters(entry.grouping.n_clusters)} by {in_words(entry)}"
        further.append((name, np.maximum(entry.grouping.labels, 0)))
    choices += [
        (name, labels) for name, labels in further if not any(np.array_equal(labels, one.labels) for one in suggested)
    ]
    choices += [
        (f"{_clusters(int(view.labels.max()) + 1)} under {view.measure.name}", view.labels) for view in result.views[1:]
    ]
    return choices[:MAX_PARTITIONS]


def _clusters(number: int) -> str:
    return f"{number} cluster{'s' * (number != 1)}"


def for_script(content: Content, thumbnails: Thumbnails, page: Path | None = None) -> dict[str, Any]:
    """All data as lists and texts: sequences by position, numbers as short as displayed."""
    result, offered = content.result, partitions(content)
    near = result.details.neighbours(N_LISTED_NEIGHBOURS)
    away = np.take_along_axis(result._overall, near, axis=1)
    sequences = result.sequences
    return {
        "name": sequences.name,
        "colours": len(PALETTE),
        "looks": [[look.number, look.style] for look in content.looks],
        "ids": sequences.ids.astype(str).tolist(),
        "labels": None if sequences.labels is None else sequences.labels.astype(str).tolist(),
        "columns": _columns(content),
        "lengths": result.original.lengths.tolist() if result.details.has_content else None,
        "silhouettes": _rounded(result.silhouettes),
        "memberships": _rounded(result.membership_),
        "none": NOT_IN_A_GROUP if result.details.unassigned.size else "fits none",
        "outside": content.outside.tolist(),
        "typical": result.medoid_indices_.tolist(),
        "neighbours": near.tolist(),
        "away": [[float(f"{value:.3g}") for value in row] for row in away.tolist()],
        "exported": N_NEIGHBOURS,
        "partitions": [{"name": name, "labels": labels.tolist()} for name, labels in offered],
        "views": [{"name": view.measure.name, "labels": view.labels.tolist()} for view in result.views[1:]],
        "shown": content.positions.tolist(),
        "maps": {method: np.round(places(points, WIDE), 1).ravel().tolist() for method, points in content.maps.items()},
        "order": content.order.tolist(),
        "thumbnails": [thumbnails.packed(item) for item in content.positions.tolist()] if thumbnails.there else [],
        "curves": [[column.name, column.unit, column.low, column.high] for column in thumbnails.columns],
        "longest": thumbnails.longest,
        "top": f"{thumbnails.recordings.top / 1000.0:.3g} kHz" if thumbnails.recordings else "",
        "sounds": thumbnails.recordings.clips(),
        "recordings": thumbnails.recordings.path_from(page),
        "places": thumbnails.recordings.places(),
        "explanation": "" if content.explanation is None else explanation_csv(content.explanation),
        "times": [thumbnails.time(item) for item in range(len(sequences))] if thumbnails.there else [],
    }


def _columns(content: Content) -> dict[str, list[str]]:
    """Columns to colour sequences by, in addition to labels and numbers."""
    sequences = content.result.sequences
    columns: dict[str, list[str]] = {}
    ids = sequences.ids.astype(str).tolist()
    if content.varying is not None:
        columns |= content.varying.values
    if sequences.groups is not None:
        columns["group"] = sequences.groups.astype(str).tolist()
    for name, texts in (sequences.provenance.get(FURTHER_COLUMNS) or {}).items():
        # In addition to the names that the script defines itself.
        is_taken = name in KNOWN or name in columns
        columns[f"{name} ({LABELS_FILE})" if is_taken else str(name)] = [str(texts.get(entry, "")) for entry in ids]
    return columns


def _rounded(values: FloatArray) -> list[float | None]:
    return [None if np.isnan(value) else float(f"{value:.4f}") for value in values.tolist()]
