"""Figures of arrays: confusion matrices, samples of sequences, costs, functions, circles.

Nothing is computed here; every function takes the arrays it draws.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from kinseq.core.arrays import FloatArray, IntArray
from kinseq.core.errors import DataError
from kinseq.plotting.array_figures import COLOURS, DASHES, INK, squares
from kinseq.plotting.figures import PAGE_WIDTH, figure_style
from kinseq.plotting.style import axis_start, capital, label

from .ticks import label_powers

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def hinton(panels: Mapping[str, FloatArray], names: Sequence[str], note: str = "") -> Figure:
    """Hinton diagrams of confusion matrices, a panel each: the area of a square is the share of its row.

    `panels` maps titles to matrices of shape (C, D): rows are true classes, called `names`, columns clusters matched
    with them (further columns: clusters without a class). The title of a single panel may be empty. `note` is written
    below. Thesis 2011, figures 3.2 and 6.1; arXiv 1004.1982, figure 3.
    """
    from matplotlib.figure import Figure

    shares = {title: _shares(confusion, len(names)) for title, confusion in panels.items()}
    if not shares:
        raise DataError("hinton: there is nothing to draw; give at least one confusion matrix")
    columns = min(3, len(shares))
    rows = -(-len(shares) // columns)
    side = 0.62 * PAGE_WIDTH if len(shares) == 1 else PAGE_WIDTH / columns
    with figure_style():
        figure = Figure(figsize=(side * columns, side * rows))
        grid = figure.subplots(rows, columns, squeeze=False)
        for k, (title, share) in enumerate(shares.items()):
            axis = grid.flat[k]
            squares(axis, share, fits=0.5 if len(shares) == 1 else 0.68)
            below = [*names, *(f"cluster {k + 1}" for k in range(len(names), share.shape[1]))][: share.shape[1]]
            axis.set_xticks(range(share.shape[1]), below, rotation=35, ha="right")
            axis.set_yticks(range(len(names)), list(names) if k % columns == 0 else [""] * len(names))
            if k + columns >= len(shares):
                axis.set_xlabel("cluster matched with")
            if k % columns == 0:
                axis.set_ylabel("true class")
            if title:
                letter = f"({'abcdefghijklmnopqrstuvwxyz'[k % 26]}) " if len(shares) > 1 else ""
                axis.set_title(f"{letter}{title}", loc="left")
        for axis in list(grid.flat)[len(shares) :]:
            axis.set_visible(False)
        if note:
            figure.supxlabel(note, fontsize=7.5)
    return figure


def _shares(confusion: FloatArray, n_names: int) -> FloatArray:
    table = np.asarray(confusion, dtype=np.float64)
    if table.ndim != 2 or n_names != len(table) or not (table.sum(axis=1) > 0).all():
        raise DataError(
            f"confusion matrix of shape {table.shape} and {n_names} names: expected one row a class, none empty"
        )
    return np.asarray(table / table.sum(axis=1, keepdims=True))


def samples(panels: Mapping[str, Sequence[FloatArray]], x_label: str = "sample") -> Figure:
    """Return a few sequences of each class, of shape (T, d), a panel a class, on one scale; the first feature is drawn.

    Thesis 2011, figure D.1; arXiv 1004.1982, figure 2.
    """
    from matplotlib.figure import Figure

    if not panels or not all(panels.values()):
        raise DataError("samples: there is nothing to draw; give at least one sequence of each class")
    columns = min(3, len(panels))
    rows = -(-len(panels) // columns)
    with figure_style():
        figure = Figure(figsize=(PAGE_WIDTH, 0.5 + 1.55 * rows))
        grid = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
        for axis, (name, members) in zip(grid.flat, panels.items(), strict=False):
            for k, frames in enumerate(members):
                axis.plot(np.asarray(frames)[:, 0], color=COLOURS[k % len(COLOURS)], linewidth=0.9)
            axis.set_title(name, loc="left")
        for axis in list(grid.flat)[len(panels) :]:
            axis.set_visible(False)
        for axis in grid[-1]:
            axis.set_xlabel(x_label)
    return figure


def spectrograms(panels: Mapping[str, FloatArray], seconds: float, rows: int) -> Figure:
    """Return levels of sounds over time, a panel a sound, which fill the rows one after another.

    `panels` maps titles to levels in dB, shape (bands, frames), low bands first; each sound lasts `seconds`.
    """
    from matplotlib.figure import Figure

    if not panels or len(panels) % rows:
        raise DataError(f"spectrograms: {len(panels)} panels do not fill {rows} rows; give as many in each row")
    columns = len(panels) // rows
    low = min(float(levels.min()) for levels in panels.values())
    with figure_style():
        figure = Figure(figsize=(PAGE_WIDTH, 0.5 + 1.3 * rows))
        grid = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
        for axis, (title, levels) in zip(grid.flat, panels.items(), strict=True):
            # An image, so that it does not become thousands of shapes.
            axis.imshow(levels, origin="lower", aspect="auto", extent=(0.0, seconds, 0.0, 1.0), vmin=low, vmax=0.0,
                        cmap="viridis", interpolation="none")  # fmt: skip
            axis.set_title(title, loc="left")
            axis.set_yticks([])
            axis.grid(visible=False)
        for axis in grid[-1]:
            axis.set_xlabel("seconds")
        for axis in grid[:, 0]:
            axis.set_ylabel("pitch (mel)")
    return figure


def costs(table: pd.DataFrame, labels: Mapping[str, str] | None = None, x_label: str = "Number of sequences") -> Figure:
    """Processor time against the size of the data, both on logarithmic scales.

    `table` is what :func:`kinseq_documents.stages.estimates.times` gives.
    """
    from matplotlib.figure import Figure

    if table.empty:
        raise DataError("costs: there is nothing to draw; measure at least one size of data")
    with figure_style():
        figure = Figure(figsize=(PAGE_WIDTH, 3.6))
        axis = figure.subplots()
        for k, (name, line) in enumerate(table.groupby("method", sort=False)):
            slope = float(line["slope"].iloc[0])
            method = label(str(name), labels)
            axis.plot(
                line["n"], line["cpu_seconds"], color=COLOURS[k % len(COLOURS)], marker="osv^D"[k % 5],
                linestyle=DASHES[k % len(DASHES)], label=f"{method} (slope {slope:.1f})" if np.isfinite(slope) else method,
            )  # fmt: skip
        axis.set_xscale("log")
        axis.set_yscale("log")
        label_powers(axis)
        axis.set_xlabel(x_label)
        axis.set_ylabel("Processor time (s)")
        handles, texts = axis.get_legend_handles_labels()
        # Below the panel: the lines rise through every corner of it.
        figure.legend(handles, texts, loc="outside lower center", ncols=1, frameon=False)
    return figure


def lines(
    x: FloatArray, named: Mapping[str, FloatArray], x_label: str, y_label: str, against: str | None = None
) -> Figure:
    """Functions of one variable, shape (n,) each, in one panel, and optionally their differences in a second one.

    `named` maps names that are printed to the values. `against` names the function from which the others differ too
    little to be distinguished: a second panel shows them minus it.
    """
    from matplotlib.figure import Figure

    if not named:
        raise DataError("lines: there is nothing to draw; give at least one function")
    with figure_style():
        panels: list[tuple[str, Any]] = [("", 0.0)]
        if against is not None:
            panels.append((f"minus {against}", named[against]))
        figure = Figure(figsize=((0.75 if len(panels) == 1 else 1.0) * PAGE_WIDTH, 3.4))
        axes = figure.subplots(1, len(panels), squeeze=False)[0]
        for axis, (title, level) in zip(axes, panels, strict=True):
            for k, (name, values) in enumerate(named.items()):
                look = {"color": COLOURS[k % len(COLOURS)], "linestyle": DASHES[k % len(DASHES)]}
                axis.plot(x, np.subtract(values, level), label=name, **look)
            axis.set_xlim(float(np.min(x)), float(np.max(x)))
            axis.set_xlabel(x_label)
            axis.set_ylabel(f"{y_label}\n{title}".strip())
        axis = axes[0]
        axis.set_ylim(bottom=0.0)
        handles, texts = axis.get_legend_handles_labels()
        figure.legend(handles, texts, loc="outside lower center", ncols=2, frameon=False)
    return figure


@dataclass(frozen=True)
class Circles:
    """One panel of :func:`circles`.

    Attributes
    ----------
    title : str
    points : ndarray, shape (n, 2), optional
    of_point : ndarray of int, shape (n,), optional
        Which colour each point has.
    centres, radii : ndarray, shapes (C, 2) and (C,), optional
        Circles.
    of_circle : ndarray of int, shape (C,), optional
        Which colour each circle has.
    names : sequence of str
        Written next to the centres; none if empty.
    line : ndarray, shape (2, 2), optional
        Ends of a dotted line.
    """

    title: str = ""
    points: FloatArray | None = None
    of_point: IntArray | None = None
    centres: FloatArray | None = None
    radii: FloatArray | None = None
    of_circle: IntArray | None = None
    names: Sequence[str] = ()
    line: FloatArray | None = None


def circles(panels: Sequence[Circles], width: float = 1.0) -> Figure:
    """Return points and circles in the plane, panels side by side on one scale; `width` is the share of the width of a page."""
    from matplotlib.figure import Figure

    if not panels:
        raise DataError("circles: there is nothing to draw; give at least one panel")
    with figure_style():
        side = width * PAGE_WIDTH / len(panels)
        figure = Figure(figsize=(width * PAGE_WIDTH, (side if len(panels) == 1 else 0.7 * side) + 0.2))
        for axis, panel in zip(
            figure.subplots(1, len(panels), sharex=True, sharey=True, squeeze=False)[0], panels, strict=True
        ):
            _circles(axis, panel)
            axis.set_title(panel.title, loc="left")
            axis.set_aspect("equal")
    return figure


def _circles(axis: Axes, panel: Circles) -> None:
    from matplotlib.patches import Circle

    if panel.line is not None:
        axis.plot(panel.line[:, 0], panel.line[:, 1], color=INK, linestyle=":", linewidth=0.9)
    if panel.points is not None and panel.of_point is not None:
        colours = [COLOURS[k % len(COLOURS)] for k in panel.of_point]
        axis.scatter(panel.points[:, 0], panel.points[:, 1], s=7, c=colours, linewidth=0, zorder=2)
    if panel.centres is None or panel.radii is None or panel.of_circle is None:
        return
    for centre, radius, k in zip(panel.centres, panel.radii, panel.of_circle, strict=True):
        look = {"color": COLOURS[k % len(COLOURS)], "linestyle": DASHES[0 if k == 0 or not panel.names else 1]}
        axis.add_patch(Circle((centre[0], centre[1]), radius, fill=False, linewidth=1.2, zorder=3, **look))
        axis.plot(*centre, marker="+", markersize=6, color=look["color"], zorder=3)
    for centre, name in zip(panel.centres, panel.names, strict=False):
        axis.annotate(name, centre, (2, -11), textcoords="offset points", fontsize=9)
    low = (panel.centres - panel.radii[:, None]).min(axis=0)
    high = (panel.centres + panel.radii[:, None]).max(axis=0)
    axis.update_datalim([low, high])
    axis.autoscale_view()


def scatter(scores: pd.DataFrame, render: Mapping[str, Any], metric: str, labels: Mapping[str, str]) -> Figure:
    """Return one finding of a measure against the metric: a point a trial, a colour a model and reading, a panel a clusterer.

    The finding is a metric among the tidy `scores`; `render` has ``x``, ``x_label``, ``panels`` and optionally
    ``y_label``.
    """
    from matplotlib.figure import Figure

    cell = ["dataset", "task", "trial", "model", "reading", "measure", "clusterer"]
    wide = scores[scores["clusterer"] != "control"].pivot_table(index=cell, columns="metric", values="value")
    for name in (render["x"], metric):
        if name not in wide:
            raise DataError(f"scatter: there are no scores of {name!r}; the scores have {', '.join(wide.columns)}")
    points = wide.reset_index()
    models = list(dict.fromkeys(zip(points["model"], points["reading"], strict=True)))
    with figure_style():
        figure = Figure(figsize=(PAGE_WIDTH, 3.4))
        axes = figure.subplots(1, len(render["panels"]), sharex=True, sharey=True, squeeze=False)[0]
        for axis, clusterer in zip(axes, render["panels"], strict=True):
            for k, (model, reading) in enumerate(models):
                own = (points["model"] == model) & (points["reading"] == reading)
                part = points[own & (points["clusterer"] == clusterer)]
                axis.scatter(
                    part[render["x"]], part[metric], s=14, marker="osv^D"[k % 5], color=COLOURS[k % len(COLOURS)],
                    alpha=0.75, linewidth=0, label=", ".join(label(name, labels) for name in (model, reading) if name),
                )  # fmt: skip
            axis.set_title(capital(label(clusterer, labels)), loc="left")
            axis.set_xlabel(render["x_label"])
            axis.locator_params(axis="x", nbins=5)
        # Set only now: the panels share the axis, and a fixed limit would not grow with later points.
        axes[0].set_ylim(bottom=axis_start(metric, 0.015))
        axes[0].set_ylabel(render.get("y_label", label(metric, labels)))
        handles, texts = axes[0].get_legend_handles_labels()
        figure.legend(handles, texts, loc="outside lower center", ncols=2, frameon=False)
    return figure
