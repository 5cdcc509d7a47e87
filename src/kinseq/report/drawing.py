"""Interactive figures: positions of sequences on the map, in the heat map and in the dendrogram, as data."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ..core.arrays import FloatArray, IntArray
from ..plotting.html import uri
from .content import Content, ink_class

EDGE, SIZE, WIDE = 16.0, 460.0, 660.0
"""Margin and size of a small map, in its own units, and width of the large one."""
DENDROGRAM_SIZE = (1000.0, 220.0)
"""Width and height of a dendrogram, in its own units."""
NUMBER = 16.0
"""Size of the number of a cluster on a map."""
MANY = 500
"""Number of sequences above which dots are small and more translucent."""
N_SHADES = 64
"""Number of shades of a heat map: more are invisible, and double the size of large images."""
N_STOPS = 8
"""Colours of the key of a heat map."""


class Dot(NamedTuple):
    """A sequence on a map: its position in the set, place, cluster (-1 if it fits none), CSS class of its group, and name."""

    item: int
    x: float
    y: float
    cluster: int
    look: str
    name: str


class Centre(NamedTuple):
    """Position of the number of a group: the middle of its dots."""

    number: str
    x: float
    y: float


@dataclass(frozen=True)
class Map:
    """A map with tooltips of names, and numbers of clusters."""

    method: str
    dots: Sequence[Dot]
    centres: Sequence[Centre]
    width: float = SIZE
    height: float = SIZE

    @property
    def is_dense(self) -> bool:
        """Whether dots are small, and get their names from the script, which halves the elements of the page."""
        return len(self.dots) >= MANY

    @property
    def radius(self) -> float:
        """Properties of a dot."""
        return 2.0 if self.is_dense else 4.5


def places(points: FloatArray, width: float = SIZE, height: float = SIZE) -> FloatArray:
    """Points of the plane as places on a map, the second axis from top to bottom; shape (N, 2)."""
    room = np.array([width, height]) - 2 * EDGE
    spans = np.ptp(points, axis=0)
    scale = min((float(r / s) for r, s in zip(room, spans, strict=True) if s > 0), default=1.0)
    middle = (points.max(axis=0) + points.min(axis=0)) / 2
    return np.asarray((points - middle) * scale * (1.0, -1.0) + np.array([width, height]) / 2)


def _centre(number: str, spots: FloatArray) -> Centre:
    """Position of the number of a group: the middle of its dots, or next to them if it would hide them."""
    x, y = np.median(spots, axis=0).tolist()
    beside = NUMBER if np.ptp(spots, axis=0).max() < 2 * NUMBER else 0.0
    return Centre(number, x, y + (beside if y < 2 * NUMBER else -beside))


def interactive_map(content: Content, method: str, points: FloatArray, width: float = SIZE) -> Map:
    """A map of the displayed sequences."""
    ids, spots = content.result.sequences.ids, places(points, width)
    group_of = content.group_of[content.positions]
    dots = [
        Dot(item, float(x), float(y), int(content.result.labels[item]) if place >= 0 else -1, look, str(ids[item]))
        for item, (x, y), place, look in zip(
            content.positions.tolist(), spots, group_of.tolist(), _looks(content, group_of), strict=True
        )
    ]
    centres = [
        _centre(number, spots[group_of == place])
        for place, (number, _, _) in enumerate(content.groups)
        if (group_of == place).any()
    ]
    return Map(method, sorted(dots, key=lambda dot: dot.cluster < 0), _parted(centres), width)


def _parted(centres: Sequence[Centre]) -> list[Centre]:
    """Numbers moved down until none covers another."""
    placed: list[Centre] = []
    for one in sorted(centres, key=lambda centre: centre.y):
        while any(abs(one.x - other.x) < 2 * NUMBER and abs(one.y - other.y) < NUMBER for other in placed):
            one = one._replace(y=one.y + NUMBER / 2)
        placed.append(one)
    return placed


def _looks(content: Content, group_of: IntArray) -> list[str]:
    """CSS classes of groups, by position."""
    return [content.groups[place][1] if place >= 0 else ink_class(-1) for place in group_of.tolist()]


class GroupRun(NamedTuple):
    """Consecutive rows of a heat map of one group: its class, first and last row, and number.

    The number stands in the longest run of a group, and is empty where it has no room.
    """

    look: str
    begin: int
    end: int
    number: str


def _runs(content: Content, rows: IntArray) -> list[GroupRun]:
    group_of = content.group_of[rows]
    borders = [0, *(np.flatnonzero(np.diff(group_of)) + 1).tolist(), len(rows)]
    firsts, sizes = group_of[borders[:-1]], np.diff(borders)
    longest = {place: int(np.where(firsts == place, sizes, 0).argmax()) for place in firsts.tolist() if place >= 0}
    numbered = {run: content.groups[place][0] for place, run in longest.items() if sizes[run] >= len(rows) / 40}
    return [
        GroupRun(look, begin, end, numbered.get(run, ""))
        for run, (look, (begin, end)) in enumerate(zip(_looks(content, firsts), pairwise(borders), strict=True))
    ]


@dataclass(frozen=True)
class Heatmap:
    """Dissimilarities as an image of one pixel per pair.

    Attributes
    ----------
    size : int
        Number of rows.
    image : str
        Address of it.
    runs : sequence of Run
        Groups of the rows, from top to bottom.
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
    runs: Sequence[GroupRun]
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

    result, rows = content.result, content.order
    square, labels = result._overall[np.ix_(rows, rows)], content.group_of[rows]
    borders: list[int] = (np.flatnonzero(np.diff(labels)) + 1).tolist()
    low = min(0.0, float(square.min()))
    high = float(np.quantile(square, 0.98)) or float(square.max()) or 1.0
    shades = matplotlib.colormaps["magma"]
    parts = np.clip((square - low) / (high - low), 0.0, 1.0)
    image = Image.fromarray(np.round((N_SHADES - 1) * parts).astype(np.uint8), "P")
    image.putpalette(shades(np.linspace(0.0, 1.0, N_SHADES), bytes=True)[:, :3].tobytes())
    return Heatmap(
        len(rows),
        _png(image),
        _runs(content, rows),
        borders,
        low,
        high,
        content.compared_by,
        [to_hex(shades(part)) for part in np.linspace(0.0, 1.0, N_STOPS)],
    )


def grey(values: FloatArray) -> str:
    """An image of values between 0 and 1, first row at the top, 1 black."""
    from PIL import Image

    return _png(Image.fromarray(np.round(255.0 * (1.0 - np.clip(values, 0.0, 1.0))).astype(np.uint8)))


def coloured(codes: IntArray, colours: Sequence[str]) -> str:
    """An image of one row with the colour of each code; -1 is white."""
    from matplotlib.colors import to_rgba_array
    from PIL import Image

    table = np.round(255.0 * to_rgba_array([*colours, "#fff"])[:, :3]).astype(np.uint8)
    return _png(Image.fromarray(table[codes][None]))


def _png(image: object) -> str:
    out = io.BytesIO()
    image.save(out, format="PNG", optimize=True)  # type: ignore[attr-defined]
    return uri(out.getvalue(), "image/png")


@dataclass(frozen=True)
class Dendrogram:
    """A tree over the columns of a heat map as paths of its branches, by the CSS class of the group that they are in.

    Attributes
    ----------
    branches : mapping of str to str
    top : float
        Dissimilarity at the top.
    width, height : float
    """

    branches: dict[str, str]
    top: float
    width: float = DENDROGRAM_SIZE[0]
    height: float = DENDROGRAM_SIZE[1]


def dendrogram(content: Content) -> Dendrogram | None:
    """The tree of the displayed sequences; None if there is none, or nothing differs."""
    if content.tree is None or not content.tree.merges[:, 2].any():
        return None
    merges, (width, height) = content.tree.merges, DENDROGRAM_SIZE
    n, top = len(content.order), float(merges[:, 2].max())
    clusters = np.empty(n, dtype=np.int64)
    clusters[content.tree.leaves] = content.group_of[content.order]
    looks = [content.look(k).style for k in clusters.tolist()]
    kinds = [ink_class(content.kinds[k] if k >= 0 else -1) for k in clusters.tolist()]
    x, y = np.empty(2 * n - 1), np.full(2 * n - 1, height)
    x[content.tree.leaves] = (np.arange(n) + 0.5) * width / n
    branches: dict[str, list[str]] = {}
    for node, (left, right, level) in enumerate(zip(*merges[:, :2].astype(int).T, merges[:, 2], strict=True), n):
        # Square roots of the heights keep branches within clear groups visible.
        x[node], y[node] = (x[left] + x[right]) / 2, height - (height - 4.0) * (level / top) ** 0.5
        kinds.append(kinds[left] if kinds[left] == kinds[right] else ink_class(-1))
        looks.append(looks[left] if looks[left] == looks[right] else kinds[node])
        path = f"M{x[left]:.1f} {y[left]:.1f}V{y[node]:.1f}H{x[right]:.1f}V{y[right]:.1f}"
        branches.setdefault(looks[node], []).append(path)
    return Dendrogram({look: "".join(paths) for look, paths in sorted(branches.items())}, top)
