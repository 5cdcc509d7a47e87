"""What the parts of the page are made of: cells, tables, maps and small figures as data, which templates write out."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from kinseq.core.arrays import FloatArray, IntArray
from kinseq_drawing.html import render, uri
from kinseq_drawing.style import number

from .content import PALETTE, Content

EDGE, SIZE = 16.0, 460.0
"""Margin and width of a map, in its own units."""


class Cell(NamedTuple):
    """A text with a look.

    Attributes
    ----------
    text : str
    kind : str
        Its class in the style sheet; ``"dot"`` is the number of a cluster in its colour.
    colour : int or None
        Cluster whose colour it has.
    """

    text: str
    kind: str = ""
    colour: int | None = None


Entry = str | Cell | Sequence[Cell]
"""What a cell of a table holds: a text, one with a look, or several."""


@dataclass(frozen=True)
class Table:
    """A table; columns in `numeric` stand flush right."""

    header: Sequence[str]
    rows: Sequence[Sequence[Entry]]
    numeric: Sequence[int] = ()


def grade(value: float, good: float, fair: float) -> Cell:
    """A number in the colour of what it is worth."""
    return Cell(number(value, 2), "good" if value >= good else "fair" if value >= fair else "poor")


def graded(content: Content, value: float, good: float, fair: float) -> Cell:
    """The same on a page about clusters; no green where its first sentence says that one cannot be sure."""
    return grade(value, good if content.sure else float("inf"), fair)


def badge(k: int) -> Cell:
    """Number of a cluster, counted from 0, in its colour."""
    return Cell(str(k + 1), "dot", k)


class Dot(NamedTuple):
    """A sequence on a map.

    Attributes
    ----------
    item : int
        Its position.
    x, y : float
    cluster : int
    name : str
    typical : bool
        Whether it is drawn large, with the number of its cluster.
    """

    item: int
    x: float
    y: float
    cluster: int
    name: str
    typical: bool


@dataclass(frozen=True)
class Map:
    """A map whose points tell their names under the pointer; the most typical ones lie on top."""

    method: str
    dots: Sequence[Dot]
    size: float = SIZE


def places(points: FloatArray) -> FloatArray:
    """Points of the plane as places on a map, the second axis from top to bottom; shape (N, 2)."""
    span = float(np.ptp(points, axis=0).max()) or 1.0
    middle = (points.max(axis=0) + points.min(axis=0)) / 2
    return np.asarray((points - middle) / span * (SIZE - 2 * EDGE) * (1.0, -1.0) + SIZE / 2)


def live_map(content: Content, method: str, points: FloatArray, clusters: IntArray | None = None) -> Map:
    """A map; of other clusters than those of the result, if given."""
    result, ids = content.result, content.result.sequences.ids
    labels = result.labels if clusters is None else clusters
    typical = {int(result.typical(k)[0]) for k in range(result.n_clusters)} if clusters is None else set()
    dots = [
        Dot(item, float(x), float(y), int(labels[item]), str(ids[item]), item in typical)
        for item, (x, y) in zip(content.shown.tolist(), places(points), strict=True)
    ]
    return Map(method, sorted(dots, key=lambda dot: dot.typical))


def written(template: str, **context: object) -> str:
    """A template of the page, which knows the palette."""
    return render("kinseq_app", "page", template, palette=PALETTE, **context)


def small_map(content: Content) -> str:
    """The first map with a line on what it shows, styled in place for notebooks."""
    method, points = next(iter(content.maps.items()))
    n, drawn = len(content.everything.sequences), len(content.shown)
    said = repr(content.everything) + ("" if n == drawn else f", {drawn} of them drawn")
    return written("small_map.html.jinja", said=said, map=live_map(content, method, points)).strip()


@dataclass(frozen=True)
class Thumbnail:
    """A small figure of a sequence: lines, each as the points of a polyline and its place among them, or an image."""

    lines: Sequence[str] = ()
    image: str = ""


def thumbnail(frames: FloatArray, low: FloatArray, high: FloatArray) -> Thumbnail:
    """A small figure of a sequence: lines for up to three columns, else an image of time by columns."""
    steps = np.unique(np.linspace(0, len(frames) - 1, min(len(frames), 120)).astype(int))
    part = (frames[steps] - low) / np.where(high > low, high - low, 1.0)
    return Thumbnail(lines=_lines(part)) if frames.shape[1] <= 3 else Thumbnail(image=_image(part))


def _lines(part: FloatArray) -> list[str]:
    x = np.linspace(0, 150, len(part)) if len(part) > 1 else np.array([75.0])
    return [
        " ".join(f"{a:.0f},{60 - 56 * b:.1f}" for a, b in zip(x, column, strict=True))
        for column in np.clip(part.T, -0.05, 1.05)
    ]


def _image(part: FloatArray) -> str:
    from matplotlib.image import imsave

    out = io.BytesIO()
    imsave(out, part.T[::-1], cmap="viridis", vmin=0.0, vmax=1.0, format="png", metadata={"Software": ""})
    return uri(out.getvalue(), "image/png")
