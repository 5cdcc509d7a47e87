"""Last stage: the figure of an experiment, and the kinds of figures that are drawn from its scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..evaluation import fidelity, summary
from ..render import figures

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Drawing:
    """What a figure is drawn from.

    Attributes
    ----------
    experiment : mapping
        The parsed experiment; its ``render`` says the kind of figure.
    labels : mapping
        Id of what the experiment uses to the name to print.
    files : mapping
        Name to the path, or the list of paths, that the kind reads.
    point : mapping
        ``dataset``, ``trial`` and ``measures`` behind the one matrix that is shown; empty for kinds that show none.
    seed : int
        Root seed.
    stand_ins : sequence of str
        Titles of the data that stand in for missing ones; the figure names them.
    """

    experiment: Mapping[str, Any]
    labels: Mapping[str, str]
    files: Mapping[str, Any]
    point: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0
    stand_ins: Sequence[str] = ()

    @property
    def render(self) -> Mapping[str, Any]:
        """How the experiment is rendered."""
        render: Mapping[str, Any] = self.experiment["render"]
        return render


Kinds = Mapping[str, Callable[[Drawing], "Figure"]]
"""Functions that draw, by the ``kind`` of ``render``."""


def draw(kinds: Kinds, drawing: Drawing, missing: Mapping[str, str]) -> Figure:
    """Draw the figure of an experiment.

    Parameters
    ----------
    kinds : mapping
        :data:`KINDS`, or those of :mod:`kinseq.stages.diagrams`.
    drawing : Drawing
    missing : mapping
        Data set to the reason why it cannot be had, if that is so for all of them: the figure then says that.

    Returns
    -------
    matplotlib.figure.Figure
    """
    if missing:
        return figures.not_available(drawing.experiment, missing, drawing.labels)
    figure = kinds[drawing.render["kind"]](drawing)
    if drawing.stand_ins:
        figures.name_data(figure, drawing.stand_ins)
    return figure


def _curves(drawing: Drawing) -> Figure:
    means = summary.summarise(summary.read_scores(drawing.files["scores"]))
    return figures.curves(drawing.experiment, means, drawing.labels)


def _strip(drawing: Drawing) -> Figure:
    scores = summary.read_scores(drawing.files["scores"])
    path = drawing.files.get("published")
    metric = str(drawing.experiment.get("metric", "error"))
    printed = fidelity.to_common_scale(fidelity.read_published(path), metric) if path else None
    return figures.strip(drawing.experiment, scores, summary.summarise(scores), printed, drawing.labels)


KINDS: Kinds = {"curves": _curves, "table": _strip}
"""Kinds that are drawn from scores. A table has all its trials drawn beside it."""
