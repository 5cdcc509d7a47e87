"""Estimates of the risk of the nearest-neighbour rule against the prior (thesis 2011, figure 5.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import stats

from kinseq.core.arrays import FloatArray, as_count
from kinseq.core.seeds import stream
from kinseq.divergences.families import statistical_information
from kinseq.divergences.nearest import nn_risk_curve

from ..plotting import array_figures
from ..problems.risks import even_priors, resampled_risks
from .registry import Arrays, Drawing

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def asymptotic_risk(priors: FloatArray, shift: float) -> FloatArray:
    """Return the risk of the 1-NN rule with ever more vectors of N(0, 1) and N(shift, 1), shape (P,): ``E[2 eta (1 - eta)]``.

    Cover and Hart (1967); thesis 2011, eq. 5.22.
    """
    at, step = np.linspace(-9.0 + min(shift, 0.0), 9.0 + max(shift, 0.0), 2001, retstep=True)
    densities = stats.norm.pdf(at), stats.norm.pdf(at, shift)
    information = statistical_information(*densities, priors, "square", np.full(len(at), step))
    return np.asarray(2.0 * (priors * (1.0 - priors) - information))


def _compute(seed: int, n: int, shift: float, n_priors: int, repeats: int) -> Arrays:
    size = as_count(n, "n", least=40)
    x = stream(seed, "risk curves", "first").normal(size=(size, 1))
    y = stream(seed, "risk curves", "second").normal(shift, size=(size, 1))
    priors = even_priors(n_priors)
    return {
        "priors": priors,
        "closed_form": nn_risk_curve(x, y, priors),
        "scheme_a": resampled_risks(x, y, priors, "fixed_size", repeats, seed).mean(axis=1),
        "scheme_b": resampled_risks(x, y, priors, "one_set", repeats, seed).mean(axis=1),
        "asymptotic": asymptotic_risk(priors, shift),
    }


def _draw(arrays: Arrays, n: int, shift: float, n_priors: int, repeats: int) -> Figure:
    names = {
        "closed_form": "closed-form sampling",
        "scheme_a": f"scheme A, mean of {repeats} subsets",
        "scheme_b": f"scheme B, mean of {repeats} subsets",
        "asymptotic": "exact, asymptotic",
    }
    lines = {text: arrays[name] for name, text in names.items()}
    return array_figures.lines(arrays["priors"], lines, "Prior π", "Risk of the 1-NN rule", against=names["asymptotic"])


DRAWINGS = (
    Drawing(
        name="risk_curves",
        label="estimates of the risk of the 1-NN rule against the prior",
        source="thesis 2011, figure 5.2",
        compute=_compute,
        draw=_draw,
        params={"n": 1000, "shift": 1.0, "n_priors": 37, "repeats": 10},
    ),
)
