"""Panels with points, surfaces, borders, images and curves, in the look that all figures share. Nothing is computed here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from kinseq.core.arrays import FloatArray, IntArray
from kinseq.plotting.array_figures import COLOURS, DASHES, INK
from kinseq.plotting.figures import PAGE_WIDTH, figure_style

from .figures import letters
from .ticks import label_powers

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PALE = "#B9B9B9"
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*", "<", ">", "h", "8")
SURFACE = "YlGnBu"

PLANE = ("x₁", "x₂")
"""Names of the axes of a plane of two features."""

Draw = Callable[["Axes"], None]


def panels(
    contents: Sequence[tuple[str, Draw]],
    columns: int = 3,
    height: float = 2.4,
    lettered: bool = True,
    width: float = 1.0,
) -> Figure:
    """Return a figure of panels, `columns` side by side at most.

    `contents` are the title of each panel and the function that draws into its axes. `height` is that of a row
    (inches), `width` the share of the page. If `lettered`, titles begin with (a), (b), ... where there are several.
    """
    from matplotlib.figure import Figure

    across = min(columns, len(contents))
    down = -(-len(contents) // across)
    with figure_style():
        figure = Figure(figsize=(width * PAGE_WIDTH, height * down + 0.2))
        grid = figure.subplots(down, across, squeeze=False)
        for axis in grid.flat[len(contents) :]:
            axis.set_visible(False)
        for letter, axis, (title, draw) in zip(letters(len(contents)), grid.flat, contents, strict=False):
            draw(axis)
            label_powers(axis)
            named = f"({letter}) {title}" if lettered and len(contents) > 1 else title
            axis.set_title(named.rstrip(), loc="left")
    return figure


def legend_below(figure: Figure, columns: int = 3, panels: Sequence[int] | None = None, title: str = "") -> Figure:
    """Return one legend for all panels, or for some in the given order, each name once; `title` holds further remarks."""
    handles: dict[str, Any] = {}
    for axis in figure.axes if panels is None else [figure.axes[k] for k in panels]:
        for handle, text in zip(*axis.get_legend_handles_labels(), strict=True):
            handles.setdefault(text, handle)
    with figure_style():
        figure.legend(
            handles.values(), handles.keys(), loc="outside lower center", ncols=columns, frameon=False,
            title=title or None, title_fontsize=7.5,
        )  # fmt: skip
    return figure


def legends_in_spare(figure: Figure, groups: Sequence[tuple[str, Sequence[Any]]], size: float = 6.5) -> Figure:
    """Legends of several panels, one below the other under a title each, in the place that the panels leave over."""
    from matplotlib.legend import Legend

    spare = next(axis for axis in figure.axes if not axis.get_visible())
    with figure_style():
        spare.set_visible(True)
        bare(spare)
        line = 1.35 * size / (72.0 * float(figure.get_figheight()) * spare.get_position().height)
        top = 1.0
        for title, handles in groups:
            columns = 2 if len(handles) > 5 else 1
            names = [str(handle.get_label()) for handle in handles]
            legend = Legend(
                spare, list(handles), names, title=title, loc="upper left", bbox_to_anchor=(-0.05, top), fontsize=size,
                title_fontsize=size, alignment="left", ncols=columns, frameon=False, borderaxespad=0.0, borderpad=0.0,
                labelspacing=0.25, columnspacing=1.0,
            )  # fmt: skip
            spare.add_artist(legend)
            top -= line * (1.6 + -(-len(handles) // columns))
    return figure


def points(
    axis: Axes,
    xy: FloatArray,
    label: IntArray | None = None,
    names: Sequence[str] = (),
    size: float = 7.0,
    equal: bool = True,
    named: tuple[str, str] = PLANE,
) -> None:
    """Points in the plane, a colour and a marker a cluster; pale dots where the label is -1; `named` are the axes."""
    labels = np.zeros(len(xy), dtype=np.int64) if label is None else np.asarray(label)
    for k in np.unique(labels):
        members = xy[labels == k]
        look: dict[str, Any] = (
            {"color": PALE, "marker": "."} if k < 0 else {"color": COLOURS[k % 10], "marker": MARKERS[k % 12]}
        )
        text = names[k] if 0 <= k < len(names) else None
        axis.scatter(members[:, 0], members[:, 1], s=size, linewidths=0, label=text, **look)
    axis.grid(visible=False)
    name_axes(axis, *named)
    if equal:
        axis.set_aspect("equal", adjustable="datalim")


def name_axes(axis: Axes, x: str, y: str) -> None:
    """Label the axes."""
    axis.set_xlabel(x)
    axis.set_ylabel(y)


def surface(axis: Axes, x: FloatArray, y: FloatArray, z: FloatArray, height: str) -> None:
    """A function of the plane as shades with lines of equal height, and a scale of them that `height` names."""
    shades = axis.contourf(x, y, z, levels=12, cmap=SURFACE)
    name_axes(axis, *PLANE)
    axis.figure.colorbar(shades, ax=axis, shrink=0.8, label=height)
    axis.contour(x, y, z, levels=12, colors=INK, linewidths=0.25, alpha=0.5)
    axis.grid(visible=False)
    axis.set_aspect("equal")


def regions(axis: Axes, x: FloatArray, y: FloatArray, decision: FloatArray) -> None:
    """Classes of a grid as pale areas with a line between them."""
    last = max(1.0, float(np.max(decision)))
    axis.contourf(x, y, decision, levels=np.arange(-0.5, last + 1.0), colors=COLOURS, alpha=0.13)
    axis.contour(x, y, decision, levels=np.arange(0.5, last), colors=INK, linewidths=0.9)
    axis.set_xlim(float(x[0]), float(x[-1]))
    axis.set_ylim(float(y[0]), float(y[-1]))
    name_axes(axis, *PLANE)


def curve(axis: Axes, x: FloatArray, named: Mapping[str, FloatArray], x_label: str = "", y_label: str = "") -> None:
    """Functions of one variable."""
    for k, (name, values) in enumerate(named.items()):
        axis.plot(x, values, color=COLOURS[k % 10], linestyle=DASHES[k % len(DASHES)], label=name)
    name_axes(axis, x_label, y_label)


def bare(axis: Axes) -> None:
    """No ticks, no names, no frame."""
    name_axes(axis, "", "")
    axis.set_xticks([])
    axis.set_yticks([])
    axis.grid(visible=False)
    for spine in axis.spines.values():
        spine.set_visible(False)


def image(axis: Axes, pixels: FloatArray, **options: Any) -> None:
    """An image, grey or with colours from 0 to 1; rows downwards."""
    axis.imshow(pixels, interpolation="nearest", cmap="gray" if pixels.ndim == 2 else None, **options)
    bare(axis)


def mosaic(images: FloatArray, columns: int) -> FloatArray:
    """Images of one size side by side, shape (n, h, w), with a pixel between them."""
    n, h, w = images.shape
    rows = -(-n // columns)
    whole = np.full((rows * (h + 1) - 1, columns * (w + 1) - 1), float(np.max(images)))
    for i, one in enumerate(images):
        r, c = divmod(i, columns)
        whole[r * (h + 1) : r * (h + 1) + h, c * (w + 1) : c * (w + 1) + w] = one
    return whole
