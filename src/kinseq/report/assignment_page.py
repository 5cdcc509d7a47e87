"""The page on new sequences among the clusters of a result, and its tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..analysis.novelty import MIN_FAR_RATIO
from ..core.arrays import FloatArray
from ..core.cutting import OF_PIECES
from ..core.store import PathLike, replacing_files, shielded, write_text
from ..core.wording import plain
from ..features.column_names import titled, with_unit
from ..plotting.style import capital
from .content import Look, looks_of, typeset
from .files import PAGE, PARTITION, csv_text, page_at
from .panels import Layer, Panel, path_of, ticks
from .parts import Entry, PageTable, badge, written
from .sections import notes

SUMMARY = "summary.csv"
FILES = (PAGE, PARTITION, SUMMARY)
"""Files on new sequences."""
ROWS = 200
"""Largest number of sequences listed on the page."""


@dataclass(frozen=True)
class NewSequence:
    """A row of the table.

    Attributes
    ----------
    name : str
    look : Look
        Number and colour of its cluster.
    words : str
        What sets the cluster apart.
    times : str
        How many times as far it is as is usual.
    bar : float
        The same in percent of a logarithmic axis.
    fits : bool
    membership : str
    between : str
        The two clusters that it lies between; empty of one that lies in a cluster, or nowhere.
    furthest : str
        Of one that fits nowhere, the property that is furthest out.
    courses : sequence of Panel
    """

    name: str
    look: Look
    words: str
    times: str
    bar: float
    fits: bool
    membership: str
    between: str
    furthest: str
    courses: Sequence[Panel]


def write_placed(placed: Any, path: PathLike, also: Mapping[str, str] | None = None) -> Path:
    """Write page and tables, all or none; see :meth:`kinseq.api.assignment.Assignment.report`."""
    page = page_at(path)
    with replacing_files(page.parent) as folder:
        write_text(folder / PARTITION, partition_csv(placed))
        write_text(folder / SUMMARY, summary_csv(placed))
        write_text(folder / page.name, to_html(placed))
        for name, text in (also or {}).items():
            write_text(folder / name, text)
    return page


def partition_csv(placed: Any) -> str:
    """The new sequences as CSV, one row each; clusters count from 1 as on the page."""
    columns = (placed.labels, placed.pieces, placed.silhouettes, placed.memberships, placed.times)
    rows = [
        [
            shielded(name),
            int(k) + 1,
            *map(shielded, piece),
            f"{s:.4f}",
            f"{m:.4f}",
            f"{t:.4g}",
            "no" if t > MIN_FAR_RATIO else "yes",
            between,
        ]
        for name, between, k, piece, s, m, t in zip(
            placed.ids.tolist(), placed.between_which(), *(c.tolist() for c in columns), strict=True
        )
    ]
    of_pieces = OF_PIECES[: placed.pieces.shape[1]]
    return csv_text(["id", "cluster", *of_pieces, "silhouette", "membership", "times_as_far", "fits", "between"], rows)


def _counts(placed: Any) -> list[tuple[int, int, int, float]]:
    """Count the sequences of each cluster: old ones, new ones nearest to it, and new ones that fit, with their mean membership.

    A sequence between two clusters does not count as one that fits.
    """
    fits = placed.times <= MIN_FAR_RATIO
    fits[placed.between] = False
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
    """Text of the page, self-contained."""
    far, looks = placed.nowhere, looks_of(placed.numbers.tolist())
    numbers = [look.number for look in looks]
    between = placed.between_which(numbers)
    is_nested = any("." in number for number in numbers)
    order = np.argsort(-placed.times, kind="stable")[:ROWS]
    counted: list[list[Entry]] = [
        [
            badge(looks[k]),
            str(placed.words[k]),
            *([str(k + 1)] if is_nested else []),
            str(old),
            str(new),
            str(fit),
            f"{mean:.2f}" if fit else "·",
        ]
        for k, (old, new, fit, mean) in enumerate(_counts(placed))
    ]
    header = ["cluster", "", *(["in the tables"] if is_nested else []), "made of", "new ones nearest", "of these fit"]
    reach = max(MAX_TIMES, float(placed.times[np.isfinite(placed.times)].max(initial=0.0)))
    return written(
        "placed.html.jinja",
        title=placed.name,
        verdict=capital(placed.sentence(numbers)),
        looks=looks,
        is_nested=is_nested,
        sure=not far.size and not placed.between.size,
        page=placed.page,
        rows=[_row(placed, i, looks, reach, between[i]) for i in order.tolist()],
        limit=_on_axis(MIN_FAR_RATIO, reach),
        reach=plain(reach, 2),
        factor=f"{MIN_FAR_RATIO:g}",
        clusters=PageTable([*header, "mean membership"], counted, range(2, len(header) + 1)),
        n_new=len(placed.ids),
        n_far=far.size,
        notes=notes(placed.notes),
        command=placed.command,
        python=f"import kinseq\n{placed.call}",
    )


MIN_TIMES, MAX_TIMES = 0.1, 10.0
"""Ends of the axis of relative distances; the upper one may be larger."""


def _on_axis(times: float, reach: float) -> float:
    """A ratio as a position, in percent, on the logarithmic axis."""
    return 100.0 * float(np.clip(np.log(max(times, MIN_TIMES) / MIN_TIMES) / np.log(reach / MIN_TIMES), 0.0, 1.0))


def _row(placed: Any, i: int, looks: Sequence[Look], reach: float, between: str) -> NewSequence:
    cluster, times = int(placed.labels[i]), float(placed.times[i])
    return NewSequence(
        str(placed.ids[i]),
        looks[cluster],
        str(placed.words[cluster]),
        plain(times, 2) if np.isfinite(times) else "more than 1000",
        _on_axis(times, reach),
        times <= MIN_FAR_RATIO,
        f"{placed.memberships[i]:.2f}",
        between,
        typeset(str(placed.furthest[i])),
        [_course(placed, i, cluster, c) for c in range(len(placed.columns))],
    )


def _course(placed: Any, i: int, cluster: int, c: int) -> Panel:
    """A new sequence over the band of its cluster, on one scale for all that fit; of one that fits nowhere, on its own."""
    low, median, high = placed.bands[cluster, :, c]
    own, title = placed.curves[i, c], with_unit(*titled(str(placed.columns[c])))
    fits = placed.times <= MIN_FAR_RATIO
    shown = [placed.bands[:, :, c], placed.curves[fits, c]] if fits[i] else [placed.bands[cluster, :, c], own]
    bottom, top = (float(end(np.concatenate(list(map(np.ravel, shown))))) for end in (np.min, np.max))
    heights: Callable[[FloatArray], FloatArray] = lambda values: (values - bottom) / ((top - bottom) or 1.0)  # noqa: E731
    band = path_of(heights(high)) + path_of(heights(low)[::-1], backwards=True).replace("M", "L") + "Z"
    axis = ticks(bottom, top)
    return Panel(
        title,
        f"{title} of {placed.ids[i]} over the band of cluster {placed.numbers[cluster]}",
        [Layer("band", band), Layer("other", path_of(heights(median))), Layer("new", path_of(heights(own)))],
        axis[:: max(1, len(axis) - 1)],
    )
