"""Last stage: the figure of an experiment, drawn from the files that its kind of figure names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from kinseq.core.arrays import FloatArray
from kinseq.core.graphs.kmeans import relabel
from kinseq.plotting.style import capital, label

from ..batches import base_of
from ..evaluation import fidelity, summary
from ..experiments import RenderedExperiment
from ..plotting import array_figures, figures
from ..tasks import read_sequences
from . import confusion, partitions

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Files = Mapping[str, Any]
Labels = Mapping[str, str]


def draw(
    experiment: RenderedExperiment,
    files: Files,
    labels: Labels,
    missing: Mapping[str, str] | None = None,
    stand_ins: Sequence[str] = (),
) -> Figure:
    """Draw the figure of an experiment, whose ``render`` says of which kind it is.

    `files` maps names to a path or a list of paths; which ones, :data:`kinseq_documents.plotting.layout.FIGURES` says. `missing`
    maps data sets to the reason why they cannot be had, if that is so for all of them: the figure then says that. It
    names `stand_ins`, titles of the data that stand in for missing ones.
    """
    if missing:
        return figures.not_available(experiment, missing, labels)
    figure = KINDS[experiment.render["kind"]](experiment, files, labels)
    if stand_ins:
        figures.name_data(figure, stand_ins)
    return figure


def _curves(experiment: RenderedExperiment, files: Files, labels: Labels) -> Figure:
    means = summary.summarise(summary.read_scores(files["scores"]))
    return figures.curves(experiment, means, labels)


def _trials(experiment: RenderedExperiment, files: Files, labels: Labels) -> Figure:
    scores = summary.read_scores(files["scores"])
    path = files.get("published")
    metric = experiment.shown_metric
    printed = fidelity.to_common_scale(fidelity.read_published(path), metric) if path else None
    plot = figures.cells if "cells" in experiment.render else figures.strip
    return plot(experiment, scores, summary.summarise(scores), printed, labels)


def _hinton(experiment: RenderedExperiment, files: Files, labels: Labels) -> Figure:
    render = experiment.render
    inputs = [
        (*read_sequences(s), partitions.read(p)) for s, p in zip(files["sequences"], files["partitions"], strict=True)
    ]
    there = {str(name) for sequences, _, _ in inputs for name in np.unique(np.asarray(sequences.labels))}
    # Stand-in data have classes of their own.
    names = {name: text for name, text in render["names"].items() if name in there}
    panels: dict[str, FloatArray] = {}
    behind: dict[str, list[list[partitions.Partition]]] = {}
    for panel in render.get("panels", [None]):
        panel_partitions = [_selected(all_parts, panel, render.get("clusterers")) for _, _, all_parts in inputs]
        tables = [
            confusion.confusion_over_trials(sequences, tasks, parts, list(names))
            for (sequences, tasks, _), parts in zip(inputs, panel_partitions, strict=True)
        ]
        title = "" if panel is None else capital(label(panel, labels))
        panels[title], behind[title] = np.sum(tables, axis=0), panel_partitions
    return array_figures.hinton(panels, list(names.values()), _equal_panels(panels, behind))


def _equal_panels(panels: Mapping[str, FloatArray], behind: Mapping[str, list[list[partitions.Partition]]]) -> str:
    """Return a remark on panels with equal numbers: whether the clusters behind them are equal, too."""
    sentences = []
    for one, other in combinations(panels, 2):
        if np.array_equal(panels[one], panels[other]):
            pairs = [
                np.array_equal(relabel(first.labels), relabel(second.labels))
                for mine, theirs in zip(behind[one], behind[other], strict=True)
                for first in mine
                for second in theirs
                if (first.trial, first.task) == (second.trial, second.task)
            ]
            same = (
                "have the same clusters"
                if all(pairs)
                else f"have the same clusters in {sum(pairs)} of {len(pairs)} trials"
            )
            sentences.append(f"{one} and {other} show equal shares: they {same}.")
    return " ".join(sentences)


def _selected(
    parts: Sequence[partitions.Partition], panel: str | None, clusterers: Sequence[str] | None
) -> list[partitions.Partition]:
    """Return partitions of a measure or of a clusterer, if one is named, by the clusterers wanted, if they are named."""
    return [
        part
        for part in parts
        if (panel is None or panel in (base_of(part.measure), base_of(part.clusterer)))
        and (clusterers is None or base_of(part.clusterer) in clusterers)
    ]


def _scatter(experiment: RenderedExperiment, files: Files, labels: Labels) -> Figure:
    return array_figures.scatter(
        summary.read_scores(files["scores"]), experiment.render, experiment.shown_metric, labels
    )


def _costs(experiment: RenderedExperiment, files: Files, labels: Labels) -> Figure:
    options = {key: value for key, value in experiment.render.items() if key == "x_label"}
    return array_figures.costs(pd.read_csv(files["timings"]), labels, **options)


KINDS: Mapping[str, Callable[[RenderedExperiment, Files, Labels], Figure]] = {
    "curves": _curves,
    "table": _trials,
    "hinton": _hinton,
    "scatter": _scatter,
    "costs": _costs,
}
"""Kind of ``render`` to the function that draws it; a table has all its trials drawn next to it."""
