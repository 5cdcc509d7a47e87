"""Files that experiments of several kinds leave, relative to the results."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kinseq_drawing import layout

TABLE = ("md", "tex", "csv", "html")
FIGURE = ("svg", "png", "pdf")


def of_scores(experiment: Mapping[str, Any]) -> list[str]:
    """Scores and their table."""
    return [f"scores/{experiment['id']}.csv", *of_table(experiment)]


def of_table(experiment: Mapping[str, Any]) -> list[str]:
    """The table in its formats."""
    return [f"tables/{experiment['id']}.{ending}" for ending in TABLE]


def of_timings(experiment: Mapping[str, Any]) -> list[str]:
    """What the jobs cost, or the seconds that were recorded."""
    return [f"timings/{experiment['id']}.csv"]


def of_figure(experiment: Mapping[str, Any]) -> list[str]:
    """The figure in its formats."""
    return [f"figures/{experiment['id']}.{ending}" for ending in FIGURE]


def of_rendered_figure(experiment: Mapping[str, Any]) -> list[str]:
    """The figure that ``render`` asks for, if it does."""
    return of_figure(experiment) if layout.figure_files(experiment) else []
