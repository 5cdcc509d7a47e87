"""Figures, table and numbers of a multiverse: all readings at once, and their values of every printed number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from kinseq.core.store import PathLike, write_text
from kinseq.core.wording import count

from ..evaluation import multiverse, passes
from ..evaluation.axes import Reading
from ..evaluation.fidelity import read_published
from ..evaluation.multiverse import Piece, Verse
from ..experiments import MultiverseExperiment
from ..plotting.figures import not_available, write
from . import tables
from .grids import Grid

if TYPE_CHECKING:
    from matplotlib.axes import Axes as Panel
    from matplotlib.figure import Figure

COLOURS = {"print": "#D55E00", "authors": "#0072B2", "sets": "#0072B2", "modern": "#009E73", "best": "#CC79A7"}
"""Of marked readings; others are grey."""
MARKERS = {"print": "s", "authors": "o", "sets": "o", "modern": "^", "best": "*"}
WORDS = {
    "print": "print's own words",
    "authors": "the reading that agrees best",
    "sets": "the reading that agrees best",
    "modern": "today's recipe",
    "best": "best of all",
}
GREY = "#7A7A7A"
CHOSEN = ("authors", "sets")
"""Marked readings that were chosen by agreement."""
DRAWN = 1500
"""Readings that a curve shows at most, evenly from all of them."""


def render(
    experiment: MultiverseExperiment,
    files: Sequence[PathLike],
    published: Sequence[PathLike],
    out: Mapping[str, PathLike],
    labels: Mapping[str, str],
    missing: Mapping[str, str],
) -> None:
    """Write the outputs of an experiment, from the files of its passes and of printed numbers, into named files.

    `missing` are data sets that cannot be had, with the reason; cells of them are not judged.
    """
    cells_out = {kind: out[f"cells_{kind}"] for kind in ("svg", "png", "pdf")}
    if not files:
        for some in (out, cells_out):
            write(not_available(experiment, missing, labels), some["svg"], some["png"], some["pdf"])
        grids, numbers = [], {name: pd.DataFrame() for name in ("readings", "cells", "held_out", "effects")}
    else:
        found, marked = _found(experiment, files, published)
        write(curve(found, marked, experiment.title), out["svg"], out["png"], out["pdf"])
        write(
            strips(found, marked, labels, experiment.title),
            *(cells_out[kind] for kind in ("svg", "png", "pdf")),
        )
        grids = grids_of(found, marked)
        numbers = {
            "readings": multiverse.table_of_readings(found),
            "cells": multiverse.table_of_cells(found, marked),
            "held_out": multiverse.held_out(found),
            "effects": multiverse.effects(found),
        }
    for name, frame in numbers.items():
        write_text(out[name], frame.to_csv(index=False, lineterminator="\n", float_format="%.6g"))
    table = tables.of_grids(experiment, grids, labels, missing)
    tables.write(table, out["csv"], out["md"], out["tex"], out["html"], out["full"])


def _found(
    experiment: MultiverseExperiment, files: Sequence[PathLike], published: Sequence[PathLike]
) -> tuple[Verse, Mapping[str, Reading]]:
    printed = {Path(file).stem: read_published(file) for file in published}
    cells = multiverse.printed_cells(printed, experiment.tables, experiment.corrected)
    # .../<data set>/<levels>/<trials>.npz
    pieces = [Piece(Path(file).parts[-3], tuple(Path(file).parts[-2].split("+")), passes.read(file)) for file in files]
    return multiverse.verse(experiment.axes, cells, pieces), experiment.readings


def _with_best(found: Verse, marked: Mapping[str, Reading]) -> dict[str, int]:
    """Return rows of the marked readings, and of the best one."""
    rows = {name: found.index(reading) for name, reading in marked.items()}
    return {**rows, "best": multiverse.best(found)}


def _held_out(found: Verse) -> str:
    """Return the count to show next to that of the best reading."""
    held = multiverse.held_out(found)
    return f"{int(held['agree'].sum())} of {int(held['judged'].sum())} held out"


def _mark(panel: Panel, name: str, x: float, y: float, **how: Any) -> None:
    panel.plot(
        [x], [y], MARKERS.get(name, "D"), color=COLOURS.get(name, "black"), markersize=9 if name == "best" else 6,
        markeredgecolor="white", markeredgewidth=0.6, linestyle="", zorder=5, clip_on=False, **how,
    )  # fmt: skip


def curve(found: Verse, marked: Mapping[str, Reading], title: str) -> Figure:
    """Specification curve: readings by agreement, the tables they agree with, their levels; and the effect of each axis."""
    from matplotlib.figure import Figure

    agree = found.agree.sum(axis=1)
    judged = int((~np.isnan(found.means)).sum(axis=1).max(initial=0))
    differences = np.minimum(found.differences, multiverse.CAP)
    rows = _with_best(found, marked)
    order = np.lexsort((np.nan_to_num(np.nanmean(differences, axis=1), nan=multiverse.CAP), -agree))
    order = _thinned(order, list(rows.values()))
    place = np.full(len(found.readings), np.nan)
    place[order] = np.arange(len(order))
    axes = found.axes.axes
    n_levels = sum(len(axis.levels) for axis in axes)
    names = found.tables

    figure = Figure(figsize=(10.5, 3.6 + 0.25 * len(names) + 0.26 * n_levels + 0.3 * len(axes)))
    grid = figure.add_gridspec(
        3,
        2,
        height_ratios=[12, len(names) + 0.5, 1.25 * n_levels],
        width_ratios=[3, 1.15],
        hspace=0.06,
        wspace=0.3,
        left=0.21,
        right=0.985,
        top=0.95,
        bottom=0.07,
    )
    top = figure.add_subplot(grid[0, 0])
    top.plot(np.arange(len(order)), agree[order], ".", color=GREY, markersize=2.5)
    for name, row in rows.items():
        words = WORDS.get(name, name)
        text = f"{words}: {agree[row]} of {judged}" + (f" ({_held_out(found)})" if name == "best" else "")
        _mark(top, name, float(place[row]), float(agree[row]), label=text)
    top.set_ylabel("printed numbers\nthat agree")
    top.set_xlim(-0.5, len(order) - 0.5)
    # There is room for the key above the largest possible agreement.
    top.set_ylim(0, max(1.0, 1.4 * judged))
    top.axhline(judged, color=GREY, linewidth=0.6, linestyle=":")
    top.tick_params(labelbottom=False)
    top.legend(fontsize=7, frameon=False, loc="upper right")
    shown = "" if len(order) == len(found.readings) else f", {len(order)} of them"
    top.set_title(f"{title}: {len(found.readings)} readings{shown}", fontsize=10, loc="left")

    heat = figure.add_subplot(grid[1, 0], sharex=top)
    shares = np.array([_share(found, name)[order] for name in names])
    heat.imshow(
        shares, aspect="auto", cmap="Blues", vmin=0, vmax=1, interpolation="nearest",
        extent=(-0.5, len(order) - 0.5, len(names) - 0.5, -0.5),
    )  # fmt: skip
    heat.set_yticks(range(len(names)), names, fontsize=7)
    heat.tick_params(labelbottom=False, length=0)
    heat.set_ylabel("dark: all,\nwhite: none", fontsize=6)

    levels = figure.add_subplot(grid[2, 0], sharex=top)
    effects = multiverse.effects(found)
    _levels(levels, found, order, rows, place)
    beside = figure.add_subplot(grid[2, 1], sharey=levels)
    _effects(beside, effects, found)
    _held_out_panel(figure.add_subplot(grid[0, 1]), multiverse.held_out(found))
    return figure


def _thinned(order: np.ndarray[Any, Any], always: Sequence[int]) -> np.ndarray[Any, Any]:
    """Return :data:`DRAWN` readings of an order at most, evenly spaced, and some that are always there."""
    if len(order) <= DRAWN:
        return order
    drawn = np.zeros(len(order), dtype=bool)
    drawn[np.linspace(0, len(order) - 1, DRAWN - len(always)).round().astype(int)] = True
    return order[drawn | np.isin(order, always)]


def _share(found: Verse, table: str) -> np.ndarray[Any, Any]:
    """Return the share of the cells of a table that agree, by reading."""
    here = (found.cells["table"] == table).to_numpy()
    judged = (~np.isnan(found.means[:, here])).sum(axis=1)
    return np.asarray(np.where(judged > 0, found.agree[:, here].sum(axis=1) / np.maximum(judged, 1), np.nan))


def _positions(found: Verse) -> dict[tuple[str, str], float]:
    """Return where the levels of each axis stand, from above."""
    positions, y = {}, 0.0
    for axis in found.axes.axes:
        for level in axis.levels:
            positions[axis.name, level] = y
            y += 1.0
        y += 0.7
    return positions


def _levels(
    panel: Panel, found: Verse, order: np.ndarray[Any, Any], rows: Mapping[str, int], place: np.ndarray[Any, Any]
) -> None:
    """Levels of all readings, in the order of the curve."""
    positions = _positions(found)
    names, ticks = [], []
    for number, axis in enumerate(found.axes.axes):
        for level, entry in axis.levels.items():
            y = positions[axis.name, level]
            having = [k for k, row in enumerate(order) if found.readings[row][number] == level]
            panel.vlines(having, y - 0.36, y + 0.36, color=GREY, linewidth=max(0.25, min(2.5, 300 / len(order))))
            for name, row in rows.items():
                if found.readings[row][number] == level:
                    _mark(panel, name, float(place[row]), y)
            words = str(entry.get("label", level))
            names.append(f"{words} (print)" if level == axis.printed else words)
            ticks.append(y)
    panel.set_yticks(ticks, names, fontsize=7)
    # Above the first level there is room for the name of its axis.
    panel.set_ylim(max(ticks) + 0.8, -1.4)
    panel.set_xlabel("readings, by the numbers that agree")
    panel.tick_params(length=0)
    for axis in found.axes.axes:
        first = positions[axis.name, next(iter(axis.levels))]
        panel.text(1.0, first - 0.52, axis.label, transform=panel.get_yaxis_transform(), fontsize=6.5, ha="right",
                   va="bottom", color="black", style="italic")  # fmt: skip


def _effects(panel: Panel, effects: pd.DataFrame, found: Verse) -> None:
    """Best and middle reading with each level, and the best of all with only this level changed."""
    positions = _positions(found)
    for _, row in effects.iterrows():
        y = positions[str(row["axis"]), str(row["level"])]
        median, best, changed = float(row["median"]), float(row["best"]), float(row["changed"])
        panel.plot([median, best], [y, y], color=GREY, linewidth=1.2)
        panel.plot([median], [y], "|", color=GREY, markersize=9)
        panel.plot([best], [y], "o", color=GREY, markersize=3.5)
        panel.plot([changed], [y], "*", color=COLOURS["best"], markersize=7)
    panel.tick_params(labelleft=False, length=2, labelsize=7)
    panel.set_xlabel(
        "numbers that agree with each level:\nmiddle reading (|), best one (o),\nbest of all with this level (*)",
        fontsize=7,
    )
    panel.set_xlim(left=0)
    panel.grid(axis="x", linewidth=0.3)


def _held_out_panel(panel: Panel, held: pd.DataFrame) -> None:
    """Each table under the reading that is best on all others."""
    from matplotlib.ticker import MaxNLocator

    y = np.arange(len(held))
    panel.barh(y, held["judged"], color="#EEEEEE", label="judged")
    panel.barh(y, held["agree"], color=COLOURS["best"], height=0.5, label="held out")
    panel.plot(held["best"], y, "|", color="black", markersize=11, label="its own best")
    panel.plot(held["median"], y, "|", color=GREY, markersize=8, label="middle reading")
    panel.set_yticks(y, held["table"], fontsize=7)
    panel.invert_yaxis()
    panel.tick_params(labelsize=7, length=2)
    panel.xaxis.set_major_locator(MaxNLocator(integer=True))
    panel.set_title("reading chosen on all others", fontsize=8, loc="left")
    panel.legend(fontsize=6, frameon=False, loc="lower right")


def strips(found: Verse, marked: Mapping[str, Reading], labels: Mapping[str, str], title: str) -> Figure:
    """Return one strip a printed number: a tick for each value that some reading gives, print with its error, marked readings."""
    from matplotlib.figure import Figure

    rows = _with_best(found, marked)
    columns = 3 if len(found.cells) > 60 else 1
    held = np.array_split(np.arange(len(found.cells)), columns)
    longest = max(len(some) for some in held)
    figure = Figure(figsize=(4.4 * columns + 2.0, 1.5 + 0.2 * longest))
    panels = np.atleast_1d(figure.subplots(1, columns))
    anyone = np.asarray(found.agree.any(axis=0))
    for panel, some in zip(panels, held, strict=True):
        for y, c in enumerate(some):
            values = np.unique(np.round(found.means[:, c][~np.isnan(found.means[:, c])], 3))
            panel.vlines(values, y - 0.34, y + 0.34, color=GREY, linewidth=0.5, alpha=0.7)
            cell = found.cells.iloc[c]
            error = float(np.nan_to_num(cell["printed_std"]))
            panel.plot([cell["printed"] - error, cell["printed"] + error], [y, y], color="black", linewidth=2.2)
            panel.plot([cell["printed"]], [y], "|", color="black", markersize=11, markeredgewidth=1.8)
            for name in ("best", *CHOSEN):
                if name in rows and not np.isnan(found.means[rows[name], c]):
                    panel.plot(
                        [found.means[rows[name], c]],
                        [y],
                        MARKERS[name],
                        color=COLOURS[name],
                        markersize=6 if name == "best" else 4,
                    )
        panel.set_yticks(
            range(len(some)), [_cell_label(found.cells.iloc[c], labels, bool(anyone[c])) for c in some], fontsize=5.5
        )
        panel.set_ylim(len(some) - 0.4, -0.6)
        panel.set_xlim(left=-1)
        panel.tick_params(length=0, labelsize=6)
        panel.set_xlabel("error, %", fontsize=7)
        panel.grid(axis="y", linewidth=0.2)
    figure.suptitle(
        f"{title}\nprint and its deviation (black), all {len(found.readings)} readings (grey), the chosen one (o),"
        f" the best (*, {_held_out(found)});\n{count(int((~anyone).sum()), 'number')} that no reading reaches (†)",
        fontsize=8, x=0.01, ha="left",
    )  # fmt: skip
    figure.set_layout_engine("constrained")
    return figure


def _cell_label(cell: pd.Series[Any], labels: Mapping[str, str], reached: bool) -> str:
    words = [
        str(cell["table"]),
        labels.get(str(cell["measure"]), str(cell["measure"])),
        labels.get(str(cell["model"]), str(cell["model"])),
    ]
    if cell["x"]:
        words.append(str(cell["x"]))
    if str(cell["table"]).endswith("signs"):
        words[-1] = labels.get(str(cell["dataset"]), str(cell["dataset"])).removeprefix("AUSLAN, ")
    return ", ".join(words) + ("" if reached else " †")


def grids_of(found: Verse, marked: Mapping[str, Reading]) -> list[Grid]:
    """Return the table: marked readings and the best, by table of print; the tables held out; effects of the axes."""
    rows = _with_best(found, marked)
    readings = []
    for name, row in rows.items():
        judged = int((~np.isnan(found.means[row])).sum())
        words = WORDS.get(name, name) + (f", {_held_out(found)}" if name == "best" else "")
        by_table = [str(int(found.agree[row, (found.cells["table"] == t).to_numpy()].sum())) for t in found.tables]
        median = np.nanmedian(found.differences[row]) if judged else np.nan
        counts = [str(int(found.agree[row].sum())), str(int(found.strict[row].sum())), str(judged), f"{median:.1f}"]
        readings.append((words, *counts, *by_table))
    heads = ("Reading", "agree", "within 2 points", "judged", "median difference", *found.tables)
    held = multiverse.held_out(found)
    names = [axis.name for axis in found.axes.axes]
    chosen = [
        (str(row["table"]), str(row["agree"]), str(row["judged"]), str(row["best"]), f"{row['median']:g}",
         " ".join(str(row[name]) for name in names))
        for _, row in held.iterrows()
    ]  # fmt: skip
    effects = [
        (f"{row['axis']}: {row['label']}", str(row["best"]), f"{row['median']:g}", str(row["changed"]))
        for _, row in multiverse.effects(found).iterrows()
    ]
    return [
        Grid(heads, tuple(readings), title=f"Readings, of {len(found.readings)}"),
        Grid(
            ("Table", "held out", "judged", "its own best", "middle reading", "chosen on all others"),
            tuple(chosen),
            title="Tables held out",
        ),
        Grid(("Level", "best reading", "middle reading", "best of all with it"), tuple(effects), title="Axes"),
    ]
