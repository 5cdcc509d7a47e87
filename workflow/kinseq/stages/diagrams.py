"""Kinds of figures that are not drawn from the means of scores; see :mod:`kinseq.render.diagrams`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from ..evaluation import summary
from ..render import diagrams
from ..store import read_sequences
from . import distances, partitions, views
from .figures import Drawing, Kinds

if TYPE_CHECKING:
    from matplotlib.figure import Figure

X_LABEL = "Sample"


def _hinton(drawing: Drawing) -> Figure:
    names = drawing.render["names"]
    files = zip(drawing.files["sequences"], drawing.files["partitions"], strict=True)
    tables = [views.confusion_over_trials(*read_sequences(s), partitions.read(p), list(names)) for s, p in files]
    return diagrams.hinton(np.sum(tables, axis=0), list(names.values()))


def _samples(drawing: Drawing) -> Figure:
    render = drawing.render
    sequences, _ = read_sequences(drawing.files["sequences"][0])
    assert sequences.labels is not None
    panels = {
        title: [sequences[i] for i in np.flatnonzero(sequences.labels == name)[: render.get("n_samples", 3)]]
        for name, title in render["names"].items()
    }
    return diagrams.samples(panels, render.get("x_label", X_LABEL))


def _eigenmap(drawing: Drawing) -> Figure:
    render, point = drawing.render, drawing.point
    sequences, tasks = read_sequences(drawing.files["sequences"][0])
    made = distances.distances(
        sequences,
        tasks,
        point["measures"],
        [point["trial"]],
        drawing.seed,
        distances.read_fitted(drawing.files),
    )
    shown = views.eigenmap(sequences, made, render["task"], point["dataset"], drawing.seed)
    return diagrams.eigenmap(**vars(shown), x_label=render.get("x_label", X_LABEL))


def _scatter(drawing: Drawing) -> Figure:
    scores = summary.read_scores(drawing.files["scores"])
    return diagrams.scatter(scores, drawing.render, drawing.experiment["metric"], drawing.labels)


def _costs(drawing: Drawing) -> Figure:
    return diagrams.costs(pd.read_csv(drawing.files["costs"]))


KINDS: Kinds = {
    "hinton": _hinton,
    "samples": _samples,
    "eigenmap": _eigenmap,
    "scatter": _scatter,
    "costs": _costs,
}
"""A kind is an entry here, one in :mod:`kinseq.render.layout` for its keys, and the files that the workflow gives it."""
