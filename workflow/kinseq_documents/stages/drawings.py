"""A drawing: read its inputs, compute and save its arrays, and draw the figure from them."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kinseq.core.errors import DataError
from kinseq.core.store import PathLike

from ..drawings import registry
from ..experiments import DrawingExperiment
from ..plotting import figures
from ..rendering.grids import Grid
from ..tasks import read_items
from . import distances
from .sequences import alone

if TYPE_CHECKING:
    from matplotlib.figure import Figure


FIRST_TRIAL = 0


class DrawingResult(NamedTuple):
    """Result of a drawing."""

    arrays: dict[str, Any]
    """Name to array"""
    figure: Figure | None
    """None of drawings that are a table"""
    page: str | None
    """An HTML page, of drawings that make one"""
    grids: tuple[Grid, ...]
    """The table, part by part, of drawings that make one"""


def read(files: Mapping[str, PathLike], measure: str | None = None) -> dict[str, Any]:
    """Read the inputs of a drawing from the files of the stages, by their names; other files and measures are ignored."""
    if "sequences" not in files:
        return {}
    sequences, tasks = read_items(files["sequences"])
    if sequences.provenance.get("generated"):
        # One trial is drawn, and figures show names as the generator gave them.
        sequences = alone(sequences, FIRST_TRIAL)
    inputs: dict[str, Any] = {"sequences": sequences, "tasks": tasks}
    if "distances" in files:
        inputs["distances"] = list(distances.read(files["distances"], tasks, None if measure is None else [measure]))
    return inputs


def printed(path: PathLike) -> dict[str, Any]:
    """Return the printed numbers as text with their identity, as arrays next to the computed ones."""
    with Path(path).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for column in ("row", "value", "place"):
        if any(row.get(column) is None for row in rows) or not rows:
            raise DataError(f"{path}: lacks the column {column!r}, or rows; put the printed numbers there")
    return {f"printed_{column}": np.array([row[column] for row in rows]) for column in ("row", "value", "place")}


def make(
    experiment: DrawingExperiment, files: Mapping[str, PathLike], seed: int, stand_ins: Sequence[str] = ()
) -> DrawingResult:
    """Compute and draw an experiment from its ``drawing`` and optional ``params``.

    `files` are paths by name: ``sequences`` and ``distances``, where the drawing needs them; ``published``, where there
    are printed numbers: they become the arrays ``printed_row``, ``printed_value`` and ``printed_place``. `seed` is the
    root seed. The figure names `stand_ins`, titles of the data that stand in for missing ones.
    """
    drawing = registry.get(experiment.drawing)
    params = drawing.completed(experiment.params)
    arrays = drawing.arrays(seed, params, **read(files, experiment.measure))
    if "published" in files:
        arrays |= printed(files["published"])
    figure = drawing.draw(arrays, **params) if drawing.draw else None
    if stand_ins and figure is not None:
        figures.name_data(figure, stand_ins)
    page = drawing.page(arrays, experiment.title, **params) if drawing.page else None
    return DrawingResult(arrays, figure, page, tuple(drawing.table(arrays, **params)) if drawing.table else ())
