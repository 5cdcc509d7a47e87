"""Last stage: the table of an experiment, its means next to the printed numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..evaluation import fidelity, summary
from ..experiments import RenderedExperiment
from ..plotting.layout import SECTIONS
from ..rendering import tables


def make(
    experiment: RenderedExperiment,
    files: Mapping[str, Any],
    labels: Mapping[str, str],
    unavailable: Mapping[str, str],
    metrics: Sequence[str] = (),
    sections: Sequence[str] = SECTIONS,
) -> tables.Table:
    """Build the table of an experiment.

    `files` are paths by name: ``scores``, and ``published`` if there are printed numbers. `unavailable` maps data sets
    that cannot be had to the reason. For `metrics` and `sections` see :func:`~kinseq_documents.rendering.tables.build`.
    """
    means = summary.summarise(summary.read_scores(files["scores"]))
    path = files.get("published")
    printed = fidelity.to_common_scale(fidelity.read_published(path), experiment.shown_metric) if path else None
    return tables.build(experiment, means, printed, labels, unavailable, metrics=metrics, sections=sections)
