"""The page on new sequences among the clusters of a result, and the tables beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from kinseq.analysis.novelty import MIN_FAR_RATIO
from kinseq.core.arrays import FloatArray
from kinseq.core.store import PathLike, replacing_files, shielded, write_text
from kinseq.core.wording import listed
from kinseq.plotting.style import capital

from .drawing import SIZE, WIDE, places
from .files import PAGE, PARTITION, csv_text, page_at
from .parts import Entry, PageTable, badge, written
from .sections import notes

SUMMARY = "summary.csv"
FILES = (PAGE, PARTITION, SUMMARY)
"""What is left of new sequences."""
ROWS, DRAWN = 200, 1000
"""Most sequences that the page lists, and that it draws of the old and of the new ones."""


class Mark(NamedTuple):
    """A sequence on the map: where, its cluster, what is said of it, and whether it is old, new or fits nowhere."""

    x: float
    y: float
    cluster: int
    text: str
    kind: str


@dataclass(frozen=True)
class AssignmentMap:
    """New sequences on the map of the old ones."""

    marks: Sequence[Mark]
    width: float = WIDE
    height: float = SIZE


def write_placed(placed: Any, path: PathLike, also: Mapping[str, str] | None = None) -> Path:
    """Write page and tables, all or none; see :meth:`kinseq.api.assignment.Placed.report`."""
    page = page_at(path)
    with replacing_files(page.parent) as folder:
        write_text(folder / PARTITION, partition_csv(placed))
        write_text(folder / SUMMARY, summary_csv(placed))
        write_text(folder / page.name, to_html(placed))
        for name, text in (also or {}).items():
            write_text(folder / name, text)
    return page


def partition_csv(placed: Any) -> str:
    """The new sequences as CSV, one row each; clusters are numbered from 1 as on the page."""
    columns = (placed.labels, placed.silhouettes, placed.memberships, placed.times)
    rows = [
        [shielded(name), int(k) + 1, f"{s:.4f}", f"{m:.4f}", f"{t:.4g}", "no" if t > MIN_FAR_RATIO else "yes"]
        for name, k, s, m, t in zip(placed.ids.tolist(), *(c.tolist() for c in columns), strict=True)
    ]
    return csv_text(["id", "cluster", "silhouette", "membership", "times_as_far", "fits"], rows)


def _counts(placed: Any) -> list[tuple[int, int, int, float]]:
    """Of each cluster: sequences that it was made of, new ones that it is nearest to, those that fit, their mean membership."""
    fits = placed.times <= MIN_FAR_RATIO
    rows = []
    for k in range(placed.n_clusters):
        here = placed.labels == k
        inside = placed.memberships[here & fits]
        rows.append((int(placed.sizes[k]), int(here.sum()), inside.size, float(inside.mean()) if inside.size else 0.0))
    return rows


def summary_csv(placed: Any) -> str:
    """The clusters as CSV, one row each."""
    rows = [
        [k + 1, old, new, fit, f"{mean:.4f}" if fit else ""] for k, (old, new, fit, mean) in enumerate(_counts(placed))
    ]
    return csv_text(["cluster", "old", "new", "fit", "mean_membership"], rows)


def to_html(placed: Any) -> str:
    """Text of the page, without anything to load from elsewhere."""
    far, ids = placed.nowhere, placed.ids
    rows: list[list[Entry]] = [
        [str(ids[i]), f"{placed.times[i]:.3g}", badge(int(placed.labels[i]))] for i in far[:ROWS].tolist()
    ]
    between = (
        np.flatnonzero((placed.memberships < MIN_MEMBERSHIP) & (placed.times <= MIN_FAR_RATIO))
        if placed.n_clusters > 1
        else far[:0]
    )
    counted: list[list[Entry]] = [
        [badge(k), str(old), str(new), str(fit), f"{mean:.2f}" if fit else "·"]
        for k, (old, new, fit, mean) in enumerate(_counts(placed))
    ]
    return written(
        "placed.html.jinja",
        title=placed.name,
        verdict=capital(placed.verdict),
        sure=not far.size,
        far=PageTable(["sequence", "times as far as usual", "nearest cluster"], rows, [1]),
        n_far=far.size,
        factor=f"{MIN_FAR_RATIO:g}",
        clusters=PageTable(
            ["cluster", "made of", "new ones nearest to it", "of these fit", "mean membership"], counted, [1, 2, 3, 4]
        ),
        between=listed([str(name) for name in ids[between]]),
        n_between=between.size,
        map=_map(placed),
        n_new=len(ids),
        drawn=min(DRAWN, len(ids)),
        notes=notes(placed.notes),
        command=placed.command,
        python=f"import kinseq\n{placed.call}",
    )


MIN_MEMBERSHIP = 0.55
"""Membership below which a sequence lies between two clusters."""


def _map(placed: Any) -> AssignmentMap:
    """Some old and new sequences; those that fit nowhere before all others."""
    old, new = _some(np.arange(len(placed.old))), _some(np.arange(len(placed.labels)))
    new = np.union1d(new, placed.nowhere[:ROWS])
    spots: FloatArray = places(np.concatenate([placed.old[old], placed.points[new]]), WIDE, SIZE)
    marks = [
        Mark(
            float(x),
            float(y),
            int(placed.old_labels[i]),
            f"{placed.old_ids[i]} · cluster {placed.old_labels[i] + 1}",
            "old",
        )
        for i, (x, y) in zip(old.tolist(), spots[: len(old)], strict=True)
    ]
    for i, (x, y) in zip(new.tolist(), spots[len(old) :], strict=True):
        far = placed.times[i] > MIN_FAR_RATIO
        text = f"{placed.ids[i]} · {'fits nowhere, nearest to ' if far else ''}cluster {placed.labels[i] + 1}"
        marks.append(Mark(float(x), float(y), int(placed.labels[i]), text, "far" if far else "new"))
    return AssignmentMap(sorted(marks, key=lambda mark: ("old", "new", "far").index(mark.kind)))


def _some(positions: Any) -> Any:
    """At most as many as are drawn, at even steps."""
    return positions[np.unique(np.linspace(0, len(positions) - 1, min(DRAWN, len(positions))).round().astype(int))]
