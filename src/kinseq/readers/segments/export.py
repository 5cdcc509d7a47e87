"""Tables of segments with the clusters of their rows, in the format of the original programs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

from ...core.sequences import SequenceSet
from ...features.recordings import recording_info
from . import LAYOUTS, audacity

NAMED = "cluster {}"
"""Return the label of a cluster, counted from 1."""


def tables_with_clusters(sequences: SequenceSet, labels: Any) -> dict[str, str]:
    """Return tables to write next to a page, by file name; empty for sequences that are not segments.

    Parameters
    ----------
    sequences : SequenceSet
        Segments, as :func:`~.segmentation.cut` made them.
    labels : array_like of int, shape (N,)
        Their clusters from 0.

    Returns
    -------
    dict
        Each table that was read with a column ``Cluster`` (of a TextGrid a tier, of Audacity the cluster in brackets), as
        ``<name>.clusters<ending>``; and of each recording labels of Audacity, as ``<recording>.audacity.txt``.
    """
    segments = recording_info(sequences).segments
    if not segments:
        return {}
    clusters = {entry: int(label) + 1 for entry, label in zip(sequences.ids.astype(str).tolist(), labels, strict=True)}
    files: dict[str, str] = {}
    writers = {layout.name: layout.write for layout in LAYOUTS}
    for number, table in enumerate(segments["tables"]):
        rows = {
            row: NAMED.format(clusters[entry]) if table["layout"] in _TEXTS else str(clusters[entry])
            for entry, (of, own) in segments["rows"].items()
            if of == number and entry in clusters
            for row in own
        }
        files[_free(_output_name(table["name"]), files)] = writers[table["layout"]](
            table["text"], rows, segments.get("tier")
        )
    recordings: dict[str, list[tuple[float, float, str]]] = {}
    for entry, cluster in clusters.items():
        place = segments["of"][entry]
        recordings.setdefault(place["file"], []).append((place["start"], place["stop"], NAMED.format(cluster)))
    for name, rows_of in recordings.items():
        stem = str(PurePosixPath(name).with_suffix("")).replace("/", "_")
        files[_free(f"{stem}.audacity.txt", files)] = audacity.labels(sorted(rows_of))
    return files


_TEXTS = ("labels of Audacity", "TextGrid of Praat")


def _output_name(name: str) -> str:
    path = PurePosixPath(name)
    return f"{path.stem}.clusters{path.suffix}"


def _free(name: str, taken: Mapping[str, str]) -> str:
    """Return an unused file name, since tables in several folders may have the same."""
    path, number = PurePosixPath(name), 1
    while name.lower() in {entry.lower() for entry in taken}:
        number += 1
        name = f"{path.stem}-{number}{path.suffix}"
    return name
