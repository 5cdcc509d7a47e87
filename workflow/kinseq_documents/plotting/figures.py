"""Figures of experiments, at the width of a journal page, the same bytes at every call.

What is drawn, ``render`` of the experiment says; see :mod:`kinseq_documents.plotting.layout`. Nothing is computed here: means and
bands come from :func:`kinseq_documents.evaluation.summary.summarise`.
"""

from __future__ import annotations

import re
import string
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from kinseq.core.errors import ConfigError, DataError
from kinseq.core.store import PathLike, replacing
from kinseq.plotting.figures import PAGE_WIDTH, PAPER_DPI, figure_style
from kinseq.plotting.style import Line, axis_start, capital, label, lines_of

from ..experiments import Experiment, RenderedExperiment
from .layout import check
from .ticks import label_powers, label_values

if TYPE_CHECKING:
    # A drawing needs no table, and importing pandas takes as long as many drawings.
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PANELS_IN_A_ROW = 3

SCREEN_DPI = 110
"""Pixels per inch of what is not kept as lines in an SVG, of which the report holds all."""


def curves(
    experiment: RenderedExperiment,
    summary: pd.DataFrame,
    labels: Mapping[str, str] | None = None,
) -> Figure:
    """Return one panel a clusterer or data set, one line per measure, a band for the uncertainty of the mean.

    Where there are more than :data:`MOST_BANDS` lines, bars next to one another take the place of bands, which would lie
    on top of each other. Curves that lie on top of each other are named below their panel. Of an experiment that is shown under
    several readings the first has lines with their uncertainty, the others thin ones without.

    For ``render`` of the experiment see :mod:`kinseq_documents.plotting.layout`. `summary` is what
    :func:`kinseq_documents.evaluation.summary.summarise` gives with its default groups; ``low``, ``high`` are the band.
    """
    from matplotlib.figure import Figure

    render = check(experiment)
    first, *others = experiment.readings or [""]
    every = summary[summary["metric"].isin(render["rows"]) & summary["x"].notna()]
    data, beside = every[every["reading"].isin([first, ""])], every[every["reading"].isin(others)]
    if not data["measure"].isin(render["lines"]).any():
        raise DataError(f"experiment {experiment.id!r}: no scores for any of its lines; run the stage that makes them")
    panels = [(metric, name) for metric in render["rows"] for name in render["panels"]]
    across = min(len(render["panels"]), PANELS_IN_A_ROW)
    down = -(-len(render["panels"]) // across)
    looks = lines_of([*render["lines"], *render["controls"]])
    with figure_style():
        figure = Figure(figsize=(PAGE_WIDTH, 3.25 + 2.35 * (down * len(render["rows"]) - 1)))
        grid = figure.subplots(down * len(render["rows"]), across, squeeze=False)
        handles: dict[str, Any] = {}
        for number, metric in enumerate(render["rows"]):
            axes = list(grid[number * down : (number + 1) * down].flat)
            for axis in axes[1:]:
                axis.sharey(axes[0])
                axis.tick_params(labelleft=False)
            for spare in axes[len(render["panels"]) :]:
                spare.set_visible(False)
            for name, axis in zip(render["panels"], axes, strict=False):
                letter = letters(len(panels))[panels.index((metric, name))]
                handles |= _panel(axis, data[data["metric"] == metric], name, render, looks)
                thin = beside[(beside["metric"] == metric) & (beside[render["panel_key"]] == name)]
                handles |= _beside(axis, thin, others, render["lines"], looks)
                axis.set_title(f"({letter}) {capital(label(name, labels))}", loc="left")
                axis.set_xscale(render["x_scale"])
                axis.set_yscale("log" if metric in render["y_log"] else "linear")
                label_powers(axis)
                if render["x_scale"] == "log":
                    label_values(axis.xaxis, data["x"])
                axis.margins(x=0.03)
            # Once all panels are drawn: a limit set earlier would stop the shared axis from growing with later panels.
            if metric not in render["y_log"]:
                axes[0].set_ylim(bottom=axis_start(metric, 0.015))
            for name, axis in zip(render["panels"], axes, strict=False):
                alike = _alike(axis, data[data["metric"] == metric], name, render, labels)
                axis.set_xlabel("\n".join([render["x_label"], *alike]))
            for first in axes[::across]:
                first.tick_params(labelleft=True)
                first.set_ylabel(render.get("y_label", label(metric)))
        _legend(
            figure,
            [(handles[name], label(name, labels)) for name in render["lines"] if name in handles],
            [(handles[name], label(name, labels)) for name in [*render["controls"], *others] if name in handles],
        )
    return figure


_THIN = ((1.0, 0.0), (4.0, 1.5), (1.2, 1.2))
"""Dashes of the thin lines of one reading after the other."""


def _beside(
    axis: Axes, data: pd.DataFrame, readings: Sequence[str], lines: Sequence[str], looks: Mapping[str, Line]
) -> dict[str, Any]:
    """Draw thin lines of readings that the figure is not judged by; return their legend entries."""
    from matplotlib.lines import Line2D

    handles: dict[str, Any] = {}
    for number, reading in enumerate(readings):
        style: dict[str, Any] = {"linewidth": 0.7, "linestyle": (0, _THIN[number % len(_THIN)])}
        for measure in lines:
            line = data[(data["reading"] == reading) & (data["measure"] == measure)].sort_values("x")
            if len(line):
                axis.plot(line["x"], line["mean"], color=looks[measure].colour, alpha=0.8, zorder=1.8, **style)
                handles[reading] = Line2D([], [], color="#7A7A7A", **style)
    return handles


def _panel(
    axis: Axes, data: pd.DataFrame, name: str, render: Mapping[str, Any], looks: Mapping[str, Line]
) -> dict[str, Any]:
    """Draw one panel; return the legend entries of the measures."""
    handles: dict[str, Any] = {}
    key = render["panel_key"]
    n = len(render["lines"])
    for k, measure in enumerate(render["lines"]):
        line = data[(data[key] == name) & (data["measure"] == measure)].sort_values("x")
        if len(line):
            aside = None if n <= MOST_BANDS else _BAR_GAP_POINTS * (k - (n - 1) / 2)
            handles[measure] = _curve(axis, line, looks[measure], aside)
    for measure in render["controls"]:
        # Controls have no clusterer.
        line = data[(data["measure"] == measure) & data[key].isin([name, "control"])].sort_values("x")
        if len(line):
            handles[measure] = _control(axis, line, looks[measure])
    return handles


MOST_BANDS = 2
"""As many bands as can be distinguished where they overlap."""

_BAR_GAP_POINTS = 2.2
"""Points between the bars of two measures at one place."""

MAX_CURVE_GAP = 0.012
"""Share of the height of a panel that two curves are nowhere further apart than, where they are said to coincide."""


def _alike(
    axis: Axes, data: pd.DataFrame, name: str, render: Mapping[str, Any], labels: Mapping[str, str] | None
) -> list[str]:
    """Return sentences that name the curves of a panel which cannot be distinguished; none if all can."""
    curves = {}
    for measure in render["lines"]:
        line = data[(data[render["panel_key"]] == name) & (data["measure"] == measure)].sort_values("x")
        if len(line):
            # Heights as shares of the panel, whatever the scale of its axis.
            heights = (axis.transScale + axis.transLimits).transform(line[["x", "mean"]].to_numpy())[:, 1]
            curves[label(measure, labels)] = dict(zip(line["x"], heights, strict=True))
    return [f"{', '.join(names)} coincide" for names in coinciding(curves, MAX_CURVE_GAP)]


def coinciding(curves: Mapping[str, Mapping[float, float]], within: float) -> list[list[str]]:
    """Groups, of two at least, of names of curves that share their places and are nowhere further apart than `within`.

    Each curve is its heights by their places; a name is in one group at most.
    """
    groups: list[list[str]] = []
    for name, heights in curves.items():
        for group in groups:
            if all(
                heights.keys() == curves[other].keys()
                and all(abs(height - curves[other][x]) <= within for x, height in heights.items())
                for other in group
            ):
                group.append(name)
                break
        else:
            groups.append([name])
    return [group for group in groups if len(group) > 1]


def letters(n: int) -> list[str]:
    """Return names of panels: a, b, ..., z, aa, ab, ..."""
    alphabet = string.ascii_lowercase
    return [(alphabet[k // 26 - 1] if k >= 26 else "") + alphabet[k % 26] for k in range(n)]


LEGEND_COLUMNS = 5
"""As many names as fit side by side across a page."""


def _legend(figure: Figure, lines: list[tuple[Any, str]], controls: list[tuple[Any, str]]) -> None:
    """Methods first, controls in a row of their own, below the panels where they cover nothing."""
    from matplotlib.lines import Line2D

    blank = (Line2D([], [], linestyle=""), "")
    columns = min(max(len(lines), len(controls)), LEGEND_COLUMNS)
    rows = [part[k : k + columns] for part in (lines, controls) for k in range(0, len(part), columns)]
    rows = [[*row, *[blank] * (columns - len(row))] for row in rows]
    # A legend is filled column by column.
    lines = [entry for column in zip(*rows, strict=True) for entry in column]
    figure.legend(
        [handle for handle, _ in lines],
        [text for _, text in lines],
        loc="outside lower center",
        ncols=columns,
        frameon=False,
        handlelength=3.2,
        columnspacing=1.8,
        labelspacing=0.35,
    )


def _curve(axis: Axes, line: pd.DataFrame, look: Line, aside: float | None) -> Any:
    """Return a line with its band, or with bars shifted by a number of points."""
    from matplotlib.transforms import ScaledTranslation

    x, low, high = line["x"].to_numpy(), line["low"].to_numpy(), line["high"].to_numpy()
    if aside is None:
        axis.fill_between(x, low, high, color=look.colour, alpha=0.10, linewidth=0, zorder=2)
        for edge in (low, high):
            axis.plot(x, edge, color=look.colour, alpha=0.5, linewidth=0.5, zorder=2.2)
    else:
        moved = axis.transData + ScaledTranslation(aside / 72.0, 0.0, axis.figure.dpi_scale_trans)
        axis.vlines(x, low, high, color=look.colour, alpha=0.75, linewidth=1.1, zorder=2, transform=moved)
        # Moved labels do not widen the axes by themselves.
        axis.update_datalim([*zip(x, low, strict=True), *zip(x, high, strict=True)])
        axis.autoscale_view()
    (handle,) = axis.plot(
        x,
        line["mean"].to_numpy(),
        color=look.colour,
        marker=look.marker,
        markeredgecolor="white",
        markeredgewidth=0.5,
        zorder=3,
    )
    if look.dash:
        handle.set_dashes(look.dash)
    return handle


def _control(axis: Axes, line: pd.DataFrame, look: Line) -> Any:
    (handle,) = axis.plot(line["x"], line["mean"], color=look.colour, linewidth=1.0, zorder=1.5)
    if look.dash:
        handle.set_dashes(look.dash)
    return handle


def strip(
    experiment: RenderedExperiment,
    scores: pd.DataFrame,
    summary: pd.DataFrame,
    published: pd.DataFrame | None = None,
    labels: Mapping[str, str] | None = None,
) -> Figure:
    """Return all trials of a table experiment as points, their mean as a bar, the printed mean as an open diamond.

    ``render.strip`` of the experiment names the data set and the panels. `summary` is what
    :func:`kinseq_documents.evaluation.summary.summarise` gives with its default groups, `published` what
    :func:`kinseq_documents.evaluation.fidelity.to_common_scale` gives. Each reading that the experiment is shown
    under gets a row of its own.
    """
    from matplotlib.figure import Figure

    render = check(experiment)
    wanted = dict(render.get("strip") or {})
    where = f"experiment {experiment.id!r}: render.strip"
    if not wanted:
        raise ConfigError(f"{where}: is missing; name the data set and the panels of the figure")
    metric = experiment.shown_metric

    def part_of(table: pd.DataFrame) -> pd.DataFrame:
        return table[(table["dataset"] == wanted["dataset"]) & (table["metric"] == metric)]

    trials, means, printed = part_of(scores), part_of(summary), part_of(published) if published is not None else None
    controls = {"true_labels", "random_labels", "random_distances", "bayes_error"}
    order = wanted.get("measures") or list(dict.fromkeys([*render["order"], *trials["measure"]]))
    measures = [name for name in order if name in set(trials["measure"]) and name not in controls]
    if not measures:
        raise DataError(
            f"{where}: there are no scores of data set {wanted['dataset']!r}; run the stage that makes them"
        )
    looks = lines_of(measures)
    readings = render["readings"] or experiment.readings or [""]
    models_here = sorted(set(trials["model"]) - {"none"}, key=_states)
    models_here = [model for model in models_here if model in wanted.get("models", models_here)]
    panels = [(clusterer, reading) for clusterer in wanted["panels"] for reading in readings]
    slots: list[tuple[str, str, float]] = []
    centres, position = [], 0.0
    for name in measures:
        models = ["none"] if set(trials.loc[trials["measure"] == name, "model"]) == {"none"} else models_here
        centres.append(position + (len(models) - 1) / 2)
        slots += [(name, model, position + k) for k, model in enumerate(models)]
        position += len(models) + 1.0
    with figure_style():
        figure = Figure(figsize=(PAGE_WIDTH, 0.9 + 1.45 * len(panels)))
        axes = figure.subplots(len(panels), 1, sharex=True, sharey=True, squeeze=False)[:, 0]
        for letter, (clusterer, reading), axis in zip(letters(len(panels)), panels, axes, strict=True):
            shown = [table[table["reading"].isin([reading, ""])] for table in (trials, means)]
            for name, model, at in slots:
                cell = {"measure": name, "clusterer": clusterer, "model": model}
                dots, bars = _matching(shown[0], cell)["value"], _matching(shown[1], cell)["mean"]
                beside = _matching(printed, cell)["published"] if printed is not None else ()
                _column(axis, at, dots, bars, beside, looks[name].colour)
            _level(axis, means, "random_labels")
            axis.set_title(
                f"({letter}) {', '.join([capital(label(clusterer, labels)), *([label(reading, labels)] if reading else [])])}",
                loc="left",
            )
            axis.set_xlim(-0.9, slots[-1][2] + 0.9)
            axis.grid(axis="x", visible=False)
            axis.tick_params(axis="x", length=0, pad=1)
        axes[0].set_ylim(bottom=axis_start(metric, 0.02))  # after all panels, as for curves
        figure.supylabel(label(metric, labels), fontsize=8.5)
        bottom = axes[-1]
        bottom.set_xticks([at for _, _, at in slots], [_states_text(model) for _, model, _ in slots])
        note = bottom.annotate(
            "states",
            (0, 0),
            (-4, -3),
            xycoords="axes fraction",
            textcoords="offset points",
            ha="right",
            va="top",
            fontsize=7.5,
        )
        note.set_in_layout(False)
        groups = bottom.secondary_xaxis(location="bottom")
        groups.set_xticks(centres, ["\n" + _wrapped(label(name, labels)) for name in measures])
        groups.tick_params(axis="x", length=0, labelsize=7.5)
        groups.spines["bottom"].set_visible(False)
        figure.legend(
            handles=_keys(printed is not None and len(printed) > 0, ["random_labels"]),
            loc="outside lower center",
            ncols=4,
            frameon=False,
        )
    return figure


def cells(
    experiment: RenderedExperiment,
    scores: pd.DataFrame,
    summary: pd.DataFrame,
    published: pd.DataFrame | None = None,
    labels: Mapping[str, str] | None = None,
) -> Figure:
    """Return some cells of a table with all their trials: a panel a data set, side by side what ``render.cells`` lists.

    Arguments are those of :func:`strip`.
    """
    from matplotlib.figure import Figure

    render = check(experiment)
    where = f"experiment {experiment.id!r}: render.cells"
    if "cells" not in render:
        raise ConfigError(f"{where}: is missing; name the panels and the columns of the figure")
    wanted, metric = render["cells"], experiment.shown_metric
    judged = [next(iter(experiment.readings), ""), ""]
    scores, summary = (table[table["reading"].isin(judged)] for table in (scores, summary))
    names = [cell["measure"] if cell["measure"] != "none" else cell["clusterer"] for cell in wanted["columns"]]
    looks = lines_of(names)
    texts = [
        label(name, labels) + (f" ({label(cell['model'], labels)})" if "model" in cell else "")
        for cell, name in zip(wanted["columns"], names, strict=True)
    ]
    with figure_style():
        figure = Figure(figsize=(PAGE_WIDTH, 3.4))
        axes = figure.subplots(1, len(wanted["panels"]), sharey=True, squeeze=False)[0]
        has_printed = False
        for letter, dataset, axis in zip(letters(len(axes)), wanted["panels"], axes, strict=True):
            here = {"dataset": dataset, "metric": metric}
            trials, means = _matching(scores, here), _matching(summary, here)
            if trials.empty:
                raise DataError(f"{where}: there are no scores of data set {dataset!r}; run the stage that makes them")
            printed = _matching(published, here) if published is not None else None
            for at, (cell, name) in enumerate(zip(wanted["columns"], names, strict=True)):
                beside = _matching(printed, cell)["published"] if printed is not None else ()
                has_printed = has_printed or len(beside) > 0
                _column(axis, at, _matching(trials, cell)["value"], _matching(means, cell)["mean"], beside,
                        looks[name].colour)  # fmt: skip
            for control in wanted["lines"]:
                _level(axis, means, control)
            axis.set_title(f"({letter}) {_filled(label(dataset, labels), 44)}", loc="left")
            axis.set_xticks(range(len(names)), [_wrapped(text) for text in texts])
            axis.set_xlim(-0.6, len(names) - 0.4)
            axis.grid(axis="x", visible=False)
            axis.tick_params(axis="x", length=0)
        axes[0].set_ylim(bottom=axis_start(metric, 0.02))
        axes[0].set_ylabel(label(metric, labels))
        figure.legend(handles=_keys(has_printed, wanted["lines"]), loc="outside lower center", ncols=5, frameon=False)
    return figure


def _filled(text: str, width: int) -> str:
    return "\n".join(textwrap.wrap(text, width))


def _column(
    axis: Axes, at: float, dots: Iterable[float], means: Iterable[float], printed: Iterable[float], colour: str
) -> None:
    """All trials of one cell above one position on the axis, their mean, and the printed number."""
    ordered = sorted(dots)
    if ordered:
        # Neighbouring dots step aside in turn, so that equal errors stay countable.
        aside = [at + 0.16 * ((k % 3) - 1) for k in range(len(ordered))]
        axis.scatter(aside, ordered, s=9, color=colour, alpha=0.55, linewidth=0, zorder=2)
    for mean in means:
        axis.plot([at - 0.36, at + 0.36], [mean, mean], color="#1A1A1A", linewidth=1.4, zorder=3)
    for value in printed:
        axis.scatter([at], [value], s=20, marker="D", facecolor="none", edgecolor="#1A1A1A", linewidth=0.8, zorder=4)


def _wrapped(text: str) -> str:
    lines = text.replace(" (", "\n(").split("\n")
    return "\n".join(
        part for line in lines for part in textwrap.wrap(line, 9, break_long_words=False, break_on_hyphens=False)
    )


def _keys(printed: bool, controls: Sequence[str]) -> list[Any]:
    from matplotlib.lines import Line2D

    keys = [
        Line2D([], [], linestyle="", marker="o", color="#7A7A7A", alpha=0.7, markersize=3.5, label="one trial"),
        Line2D([], [], color="#1A1A1A", linewidth=1.4, label="mean"),
    ]
    if printed:
        keys.append(
            Line2D(
                [],
                [],
                linestyle="",
                marker="D",
                markerfacecolor="none",
                color="#1A1A1A",
                markersize=4.5,
                label="printed mean",
            )
        )
    for name, look in lines_of(controls).items():
        keys.append(Line2D([], [], color=look.colour, linewidth=0.9, dashes=look.dash, label=label(name)))
    return keys


def _level(axis: Axes, means: pd.DataFrame, control: str) -> None:
    """A line across the panel at the mean of a control."""
    look = lines_of([control])[control]
    for mean in means.loc[means["measure"] == control, "mean"]:
        axis.axhline(mean, color=look.colour, linewidth=0.9, dashes=look.dash, zorder=1)


def _matching(table: pd.DataFrame, cell: Mapping[str, str]) -> pd.DataFrame:
    for key, value in cell.items():
        table = table[table[key] == value]
    return table


def _states(model: str) -> tuple[str, int]:
    name, digits = re.fullmatch(r"(.*?)(\d*)", model).groups()  # type: ignore[union-attr]
    return name, int(digits or 0)


def _states_text(model: str) -> str:
    return "" if model == "none" else str(_states(model)[1] or model)


_LETTER_INCHES = 0.058
"""Inches that a letter of seven points takes on average."""


def name_data(figure: Figure, titles: Sequence[str]) -> None:
    """Write the origin of the data above a figure, if they are not those of the documents."""
    figure.suptitle(textwrap.fill("; ".join(titles), int(figure.get_figwidth() / _LETTER_INCHES)), fontsize=7)


def not_available(experiment: Experiment, reasons: Mapping[str, str], labels: Mapping[str, str]) -> Figure:
    """Return a figure that states that none of its data are available, and how to get them.

    `reasons` maps data sets to the sentence that says why they are missing and what to do, `labels` to their printed
    names; of the experiment ``title`` is read.
    """
    from matplotlib.figure import Figure

    with figure_style():
        figure = Figure(figsize=(PAGE_WIDTH, 1.2 + 0.6 * len(reasons)))
        lines = [f"{experiment.title}: data not available", ""]
        for name, reason in reasons.items():
            lines += textwrap.fill(f"{label(name, labels)}: {reason}", 96).splitlines()
        figure.text(0.5, 0.5, "\n".join(lines), ha="center", va="center", fontsize=9)
    return figure


MAX_VECTOR_POINTS = 1000
"""Points of one set of shapes above which an SVG or a PDF gets it as pixels."""


def _rasterise_dense(figure: Figure) -> None:
    """Keep files small: shades and clouds of thousands of points become pixels, lines and text stay what they are."""
    import numpy as np
    from matplotlib.collections import Collection

    for shapes in figure.findobj(Collection):
        points = sum(np.shape(path.vertices)[0] for path in shapes.get_paths())
        if max(points, np.shape(shapes.get_offsets())[0]) > MAX_VECTOR_POINTS:
            shapes.set_rasterized(True)


def write(figure: Figure, svg: PathLike, png: PathLike, pdf: PathLike) -> None:
    """Write a figure in its three forms, without dates, so that equal figures are equal files."""
    _rasterise_dense(figure)
    with figure_style():
        # The layout of panels with a fixed aspect is right only at the second pass.
        figure.draw_without_rendering()
        for path, dpi, metadata in (
            (svg, SCREEN_DPI, {"Date": None, "Creator": "kinseq"}),
            (png, PAPER_DPI, {"Software": None}),
            (pdf, PAPER_DPI, {"CreationDate": None, "ModDate": None, "Creator": "kinseq", "Producer": None}),
        ):
            with replacing(path) as temporary:
                figure.savefig(temporary, format=str(path).rpartition(".")[2], dpi=dpi, metadata=metadata)
            # The layout is settled by now, and computing it again would take half of the time of each further file.
            figure.set_layout_engine("none")
