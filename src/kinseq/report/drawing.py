"""Figures that can be touched: where each sequence is on the map, in the heat map and in the dendrogram, as data."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.spatial import KDTree

from kinseq.core.arrays import FloatArray, IntArray
from kinseq.plotting.html import uri

from .content import Content

EDGE, SIZE, WIDE = 16.0, 460.0, 660.0
"""Margin and size of a small map, in its own units, and width of the large one."""
DENDROGRAM_SIZE = (1000.0, 240.0)
"""Width and height of a dendrogram, in its own units."""
MAX_NAMED_LEAVES = 40
"""Most sequences whose names stand under a dendrogram."""
NEAREST, FILLED = 11.0, 0.4
"""Least distance of two dots on a map, and the part of it that dots may take."""
ROUNDS, STEPS, TOLERANCE = 8, 400, 0.1
"""Most rounds and steps in each by which dots are moved apart, and how much nearer they may be in the end."""
N_STOPS = 8
"""Colours that the key of a heat map runs through."""


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
    width: float = SIZE
    height: float = SIZE


def places(points: FloatArray, width: float = SIZE, height: float = SIZE) -> FloatArray:
    """Points of the plane as places on a map, the second axis from top to bottom; shape (N, 2)."""
    room = np.array([width, height]) - 2 * EDGE
    spans = np.ptp(points, axis=0)
    scale = min((float(r / s) for r, s in zip(room, spans, strict=True) if s > 0), default=1.0)
    middle = (points.max(axis=0) + points.min(axis=0)) / 2
    return np.asarray((points - middle) * scale * (1.0, -1.0) + np.array([width, height]) / 2)


def spread(points: FloatArray, width: float = SIZE, height: float = SIZE) -> FloatArray:
    """Places on a map such that none hides another: those that are too near are moved apart, the others stay; shape (N, 2).

    Each step moves all pairs that are nearer than a dot is wide by half of what is missing, as in layouts of graphs. What
    leaves the map by that is shrunk into it as a whole.
    """
    least = min(NEAREST, float(np.sqrt(FILLED * width * height / max(1, len(points)))))
    spots = points + _nudges(len(points))
    for _ in range(ROUNDS):
        spots = _parted(spots, least)
        if (spots >= EDGE - 0.5).all() and (spots <= np.array([width, height]) - EDGE + 0.5).all():
            break
        spots = places(spots * (1.0, -1.0), width, height)
    return np.asarray(spots)


def _parted(points: FloatArray, least: float) -> FloatArray:
    """Points of which no two are much nearer than `least`."""
    spots = points
    for _ in range(STEPS):
        near = KDTree(spots).query_pairs(least * (1.0 - TOLERANCE), output_type="ndarray")
        if not near.size:
            break
        away = spots[near[:, 1]] - spots[near[:, 0]]
        lengths = np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1e-12)
        move = away / lengths * (least - lengths) / 2
        step = np.zeros_like(spots)
        np.add.at(step, near[:, 1], move)
        np.add.at(step, near[:, 0], -move)
        # As many neighbours as push at once would push too far.
        spots = spots + step / np.maximum(np.bincount(near.ravel(), minlength=len(spots)), 1)[:, None] ** 0.5
    return spots


def _nudges(n: int) -> FloatArray:
    """Tiny steps, another for each of `n` points, so that points in one place have a direction to part in."""
    turns = np.arange(n) * np.pi * (3.0 - np.sqrt(5.0))
    return 1e-3 * np.sqrt(np.arange(n) / max(1, n))[:, None] * np.column_stack([np.cos(turns), np.sin(turns)])


def live_map(
    content: Content, method: str, points: FloatArray, clusters: IntArray | None = None, width: float = SIZE
) -> Map:
    """A map; of other clusters than those of the result, if given."""
    result, ids = content.result, content.result.sequences.ids
    labels = result.labels if clusters is None else clusters
    typical = {int(result._typical(k)[0]) for k in range(result.n_clusters)} if clusters is None else set()
    dots = [
        Dot(item, float(x), float(y), int(labels[item]), str(ids[item]), item in typical)
        for item, (x, y) in zip(content.positions.tolist(), spread(places(points, width), width), strict=True)
    ]
    return Map(method, sorted(dots, key=lambda dot: dot.typical), width)


@dataclass(frozen=True)
class Heatmap:
    """Dissimilarities as an image of one pixel a pair.

    Attributes
    ----------
    size : int
        Number of rows.
    image : str
        Address of it.
    rows : sequence of (int, int)
        Item and cluster of each row, from top to bottom.
    borders : sequence of int
        Rows with which a cluster begins.
    low, high : float
        What the first and the last colour stand for.
    measure : str
    key : sequence of str
        Colours between them.
    """

    size: int
    image: str
    rows: Sequence[tuple[int, int]]
    borders: Sequence[int]
    low: float
    high: float
    measure: str
    key: Sequence[str]


def heatmap(content: Content) -> Heatmap:
    """The heat map, rows and columns by cluster."""
    import matplotlib
    from matplotlib.colors import to_hex
    from PIL import Image

    result, rows = content.result, content.positions[content.order]
    square, labels = result.distance[np.ix_(rows, rows)], result.labels[rows]
    low = min(0.0, float(square.min()))
    high = float(np.quantile(square, 0.98)) or float(square.max()) or 1.0
    shades = matplotlib.colormaps["magma"]
    image = Image.fromarray(np.round(255.0 * np.clip((square - low) / (high - low), 0.0, 1.0)).astype(np.uint8), "P")
    image.putpalette(shades(np.arange(256), bytes=True)[:, :3].tobytes())
    return Heatmap(
        len(rows),
        _png(image),
        list(zip(rows.tolist(), labels.tolist(), strict=True)),
        (np.flatnonzero(np.diff(labels)) + 1).tolist(),
        low,
        high,
        result.views[0].measure.label,
        [to_hex(shades(part)) for part in np.linspace(0.0, 1.0, N_STOPS)],
    )


def grey(values: FloatArray) -> str:
    """An image of values between 0 and 1, the first row at the top and 1 black."""
    from PIL import Image

    return _png(Image.fromarray(np.round(255.0 * (1.0 - np.clip(values, 0.0, 1.0))).astype(np.uint8)))


def _png(image: object) -> str:
    out = io.BytesIO()
    image.save(out, format="PNG", optimize=True)  # type: ignore[attr-defined]
    return uri(out.getvalue(), "image/png")


@dataclass(frozen=True)
class Dendrogram:
    """A tree as the path of its branches, by the cluster whose colour they have, -1 for none.

    Attributes
    ----------
    leaves : sequence of (int, int, str)
        Item, cluster and name of each leaf, from left to right.
    branches : mapping of int to str
    top : float
        Dissimilarity at the top.
    width, height : float
    named : bool
        Whether there is room for names.
    """

    leaves: Sequence[tuple[int, int, str]]
    branches: dict[int, str]
    top: float
    named: bool
    width: float = DENDROGRAM_SIZE[0]
    height: float = DENDROGRAM_SIZE[1]


def dendrogram(content: Content) -> Dendrogram | None:
    """The tree of the sequences shown; None where there is none, or nothing differs."""
    if content.tree is None or not content.tree.merges[:, 2].any():
        return None
    merges, (width, height) = content.tree.merges, DENDROGRAM_SIZE
    items, ids = content.positions[content.tree.leaves], content.result.sequences.ids
    n, top = len(items), float(merges[:, 2].max())
    clusters: list[int] = content.result.labels[content.positions].tolist()
    x, y = np.empty(2 * n - 1), np.full(2 * n - 1, height)
    x[content.tree.leaves] = (np.arange(n) + 0.5) * width / n
    branches: dict[int, list[str]] = {}
    for node, (left, right, level) in enumerate(zip(*merges[:, :2].astype(int).T, merges[:, 2], strict=True), n):
        x[node], y[node] = (x[left] + x[right]) / 2, height - (height - 4.0) * level / top
        clusters.append(clusters[left] if clusters[left] == clusters[right] else -1)
        path = f"M{x[left]:.1f} {y[left]:.1f}V{y[node]:.1f}H{x[right]:.1f}V{y[right]:.1f}"
        branches.setdefault(clusters[node], []).append(path)
    leaves = [(item, int(content.result.labels[item]), str(ids[item])) for item in items.tolist()]
    return Dendrogram(leaves, {k: "".join(paths) for k, paths in sorted(branches.items())}, top, n <= MAX_NAMED_LEAVES)
