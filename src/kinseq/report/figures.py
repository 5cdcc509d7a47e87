"""Figures on the page on a user's data: heat map, map, numbers of clusters, dendrogram."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.arrays import FloatArray, IntArray
from ..plotting.figures import figure_style
from ..plotting.style import capital
from .content import NO_GROUP, Content, colour

ALL_VIEWS = "all views together"
"""Title of the view or property that shows the groups and in which numbers of clusters are compared."""
WIDE_TITLE, NARROW_TITLE = 130, 70
"""Number of characters in a line of the title of the combined figure, and of the map alone: the first sentence of the page."""

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def figure_of(content: Content, name: str, titled: bool = True) -> Figure:
    """One of ``heatmap``, ``map``, ``numbers``, ``dendrogram`` as a figure; the page has its own headings."""
    from matplotlib.figure import Figure

    with figure_style():
        figure = Figure(figsize=_SIZES[name])
        axis = figure.subplots()
        _DRAW[name](axis, content)
        if not titled:
            axis.set_title("", loc="left")
        elif name == "map" and content.verdict:
            axis.set_title(fill(f"{capital(content.verdict)}.", NARROW_TITLE), loc="left")
    return figure


def tree_figure(tree: Any) -> Figure:
    """The tree of groups of :class:`~kinseq.api.results.GroupTree`, from left to right; lines are as wide as groups are large."""
    from ..plotting.shown import ShownFigure

    leaves = tree.at()
    height = {leaf.number: float(row) for row, leaf in enumerate(leaves)}
    for group in reversed(tree.walk()):
        if group.children:
            height[group.number] = float(np.mean([height[child.number] for child in group.children]))
    with figure_style():
        figure = ShownFigure(figsize=(7.0, 1.0 + 0.35 * len(leaves)))
        axis = figure.subplots()
        for group in tree.walk():
            depth = group.number.count(".") + 1 if group.number else 0
            for child in group.children:
                ink = colour(int(child.number.partition(".")[0]) - 1)
                width = 0.5 + 6.0 * len(child.members) / len(tree.members)
                axis.plot([depth, depth + 1], [height[group.number], height[child.number]], color=ink, linewidth=width)
            text = f"{group.number}: {len(group.members)}" if group.number else str(len(group.members))
            axis.annotate(text, (depth, height[group.number]), (4, 4), textcoords="offset points")
        axis.invert_yaxis()
        axis.set_axis_off()
        axis.set_title("Groups, the groups within them, and their sizes", loc="left")
    return figure


def overview(content: Content) -> Figure:
    """All four in one figure."""
    from ..plotting.shown import ShownFigure

    with figure_style():
        figure = ShownFigure(figsize=(11.0, 8.4))
        for axis, draw in zip(figure.subplots(2, 2, height_ratios=[1.6, 1]).flat, _DRAW.values(), strict=True):
            draw(axis, content)
        if content.verdict:
            figure.suptitle(fill(f"{capital(content.verdict)}.", WIDE_TITLE), x=0.01, ha="left", fontsize=10)
    return figure


def png(figure: Figure, dpi: int) -> bytes:
    """A figure as reproducible PNG bytes."""
    out = io.BytesIO()
    with figure_style(), _any_script():
        figure.savefig(out, format="png", dpi=dpi, metadata={"Software": None})
    return out.getvalue()


def svg(figure: Figure, name: str) -> str:
    """A figure as an SVG element with text kept as text; ids start with its name, so that they are unique."""
    import matplotlib

    out = io.StringIO()
    with figure_style(), _any_script(), matplotlib.rc_context({"svg.fonttype": "none"}):
        figure.savefig(out, format="svg", metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))
    text = out.getvalue()
    text = re.sub(r"^\s+", "", text[text.index("<svg") :], flags=re.MULTILINE)
    text = re.sub(r"(\d\.\d\d)\d+", r"\1", text)
    return re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{name}-", text)


@contextmanager
def _any_script() -> Iterator[None]:
    """Allow ids in scripts missing from the font: the page uses the reader's fonts, the PNG shows boxes."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        yield


def _heatmap(axis: Axes, content: Content) -> None:
    result, rows = content.result, content.order
    square = result._overall[np.ix_(rows, rows)]
    top = float(np.quantile(square, 0.98)) or float(square.max()) or 1.0
    image = axis.imshow(square, cmap="magma", vmin=min(0.0, float(square.min())), vmax=top, interpolation="nearest")
    borders = (np.flatnonzero(np.diff(content.group_of[rows])) + 0.5).tolist()
    for border in borders:
        axis.axhline(border, color="white", linewidth=0.8)
        axis.axvline(border, color="white", linewidth=0.8)
    _strip(axis, content, content.group_of[rows], borders)
    axis.grid(False)
    _without_frame(axis)
    axis.set_title("Dissimilarities, sequences ordered by cluster", loc="left")
    bar = axis.figure.colorbar(image, ax=axis, fraction=0.045, pad=0.02, extend="max")
    bar.outline.set_visible(False)
    bar.set_label(content.compared_by, fontsize=8)


def _strip(axis: Axes, content: Content, labels: IntArray, borders: list[float]) -> None:
    """Colours of the clusters along the left side, with their numbers if they fit."""
    n = len(labels)
    look: dict[str, Any] = {"fontsize": 7.5, "fontweight": "bold", "color": "white", "ha": "center", "va": "center"}
    for low, high in pairwise([-0.5, *borders, n - 0.5]):
        k = int(labels[int(low + 0.75)])
        box = (-0.047, 1 - (high + 0.5) / n, 0.04, (high - low) / n)
        axis.add_patch(_rectangle(box, content.look(k).ink, axis))
        if high - low >= n / 40 and k >= 0:
            middle = 1 - ((low + high) / 2 + 0.5) / n
            axis.text(-0.027, middle, content.looks[k].number, transform=axis.transAxes, **look)


def _rectangle(box: tuple[float, ...], fill: str, axis: Axes) -> Any:
    from matplotlib.patches import Rectangle

    left, bottom, width, height = box
    return Rectangle((left, bottom), width, height, color=fill, linewidth=0, transform=axis.transAxes, clip_on=False)


def _map(axis: Axes, content: Content) -> None:
    result = content.result
    if not content.maps:
        axis.text(0.5, 0.5, "too few sequences for a map", ha="center", transform=axis.transAxes)
        return
    method, points = next(iter(content.maps.items()))
    labels = result.labels[content.positions]
    for k, look in enumerate(content.looks):
        own = points[labels == k]
        axis.scatter(own[:, 0], own[:, 1], s=16, color=look.ink, linewidths=0.4, edgecolors="white", label=look.number)
    alone = points[labels < 0]
    axis.scatter(alone[:, 0], alone[:, 1], s=16, facecolors="none", linewidths=0.9, edgecolors=NO_GROUP)
    place = {int(item): row for row, item in enumerate(content.positions)}
    for k, look in enumerate(content.looks):
        row = place.get(int(result.details.typical(k)[0]))
        if row is not None:
            axis.annotate(look.number, points[row], fontsize=8.5, fontweight="bold", color="white", ha="center",
                          va="center", bbox={"boxstyle": "circle,pad=0.22", "fc": look.ink, "ec": "white"})  # fmt: skip
    axis.margins(0.06)
    _without_frame(axis)
    axis.set_title(f"Map of the sequences ({method}), numbers mark the most typical", loc="left")


def _without_frame(axis: Axes) -> None:
    axis.set(xticks=[], yticks=[])
    for spine in axis.spines.values():
        spine.set_visible(False)


def _numbers(axis: Axes, content: Content) -> None:
    numbers = content.result.numbers
    if numbers is None or not numbers.n_clusters.size:
        axis.text(0.5, 0.5, "too few sequences to compare numbers of clusters", ha="center", transform=axis.transAxes)
        axis.set_axis_off()
        return
    of_what = f", {ALL_VIEWS}" if content.result.decision.by is not None else ""
    axis.plot(
        numbers.n_clusters,
        numbers.silhouette,
        color="#1A1A1A",
        marker="o",
        mfc="white",
        label=f"mean silhouette{of_what}",
    )
    if numbers.references is not None:
        lines = axis.plot(numbers.n_clusters, numbers.references.T, color="#7A7A7A", linewidth=0.6, alpha=0.6)
        lines[0].set_label("data without groups")
    first = content.result._division.n_clusters
    chosen = numbers.n_clusters == first
    word = "chosen" if first == content.result.n_clusters else "in the first division"
    for k, height in zip(numbers.n_clusters[chosen], numbers.silhouette[chosen], strict=True):
        axis.plot([k], [height], color="#1A1A1A", marker="o", markersize=7)
        # Towards the middle, so that it hides no axis.
        side = "left" if 2 * k < numbers.n_clusters.min() + numbers.n_clusters.max() else "right"
        axis.annotate(f"{k} {word}", (k, height), (0, 8), textcoords="offset points", ha=side, fontweight="bold")
    axis.set(xlabel="number of clusters", xticks=numbers.n_clusters[:: 1 + len(numbers.n_clusters) // 15])
    axis.set_ylim(min(0.0, float(numbers.silhouette.min())) - 0.03, 1.1)
    axis.legend(frameon=False, loc="best")
    axis.set_title("How many clusters?", loc="left")


def _dendrogram(axis: Axes, content: Content) -> None:
    if content.tree is None or not content.tree.merges[:, 2].any():
        message = (
            "too few sequences for a tree" if content.tree is None else "no two sequences differ under this measure"
        )
        axis.text(0.5, 0.5, message, ha="center", transform=axis.transAxes)
        axis.set_axis_off()
        return
    from scipy.cluster.hierarchy import dendrogram

    labels = np.empty(len(content.order), dtype=np.int64)
    labels[content.tree.leaves] = content.group_of[content.order]
    pure = _pure(content.tree.merges, labels)
    dendrogram(
        content.tree.merges,
        ax=axis,
        no_labels=True,
        truncate_mode=None if len(labels) <= 400 else "lastp",
        p=200,
        link_color_func=lambda k: content.look(pure[k]).ink,
    )
    axis.grid(False)
    axis.spines["bottom"].set_visible(False)
    axis.set_ylabel("mean dissimilarity")
    axis.set_title("Tree of the clusters, and of average linkage within them", loc="left")


def _pure(merges: FloatArray, labels: IntArray) -> list[int]:
    """Cluster of every node of a tree, leaves first; -1 for a branch with several."""
    clusters: list[int] = labels.tolist()
    for left, right in merges[:, :2].astype(int):
        clusters.append(clusters[left] if clusters[left] == clusters[right] else -1)
    return clusters


_DRAW = {"heatmap": _heatmap, "map": _map, "numbers": _numbers, "dendrogram": _dendrogram}
_SIZES = {
    "heatmap": (5.6, 5.0),
    "map": (5.6, 5.0),
    "numbers": (5.6, 2.4),
    "dendrogram": (9.0, 3.2),
}
