"""Risks at one point against the posterior probability there (thesis 2011, figure 5.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kinseq.core.arrays import as_count
from kinseq.divergences.families import LOSSES

from ..plotting import array_figures
from .registry import Arrays, Drawing

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def _compute(seed: int, n_points: int) -> Arrays:
    """Bayes risks under two losses; the asymptotic error of the 1-NN rule is twice that under the square loss."""
    posterior = np.linspace(0.0, 1.0, as_count(n_points, "n_points", least=2))
    square = LOSSES["square"].bayes_risk(posterior)
    return {
        "posterior": posterior,
        "zero_one": LOSSES["zero_one"].bayes_risk(posterior),
        "square": square,
        "nn": 2 * square,
    }


def _draw(arrays: Arrays, n_points: int) -> Figure:
    names = {"zero_one": "Bayes risk, 0-1 loss", "square": "Bayes risk, square loss", "nn": "error of the 1-NN rule"}
    lines = {text: arrays[name] for name, text in names.items()}
    return array_figures.lines(arrays["posterior"], lines, "Posterior probability η", "Risk at the point")


DRAWINGS = (
    Drawing(
        name="point_risks",
        label="risks at a point against the posterior probability",
        source="thesis 2011, figure 5.1",
        compute=_compute,
        draw=_draw,
        params={"n_points": 201},
    ),
)
