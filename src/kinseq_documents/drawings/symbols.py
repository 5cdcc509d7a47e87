"""Symbols of the thesis of 2012 beside the names that the library has for them (table 1)."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np

from kinseq.clustering import itc
from kinseq.core.errors import DataError
from kinseq.divergences import density, information

from ..rendering.grids import Grid
from . import embeddings
from .registry import Arrays, Drawing

SYMBOLS: tuple[tuple[str, str, str, ModuleType | None, str], ...] = (
    ("x_i", "point", "a row of points", None, ""),
    ("d, N", "features, points", "points.shape", None, ""),
    ("ω_1 .. ω_C, P(ω_i)", "classes and their priors", "bayes_rule(..., priors)", density, "bayes_rule"),
    ("λ_ij", "loss of deciding for j where i is true", "bayes_rule(..., losses)", density, "bayes_rule"),
    ("κ_σ", "Gaussian kernel of width σ", "parzen", density, "parzen"),
    ("σ_M, σ_S", "rules for the width", "mean_deviation, silverman", density, "silverman"),
    ("V_k(x)", "volume to the k-th neighbour", "log_ball_volume, neighbour_distances", density, "log_ball_volume"),
    ("p̂_kNN", "density by k neighbours", "knn", density, "knn"),
    ("H_S, H_α", "Shannon's and Renyi's entropy", "shannon_entropy, renyi_entropy", information, "renyi_entropy"),
    ("D_KL, D_J", "Kullback-Leibler and Jeffreys", "kl, jeffreys", information, "jeffreys"),
    ("D_α, D_CS", "Renyi and Cauchy-Schwarz divergence", "renyi, cauchy_schwarz", information, "cauchy_schwarz"),
    ("∫ p q", "cross information potential", "potential", information, "potential"),
    ("J_CS(C)", "cost of a partition", "mean_cost, log_product_cost", information, "mean_cost"),
    ("K_init, N_init", "seeded clusters and their points", "seeding", itc, "seeding"),
    ("C_1 .. C_M", "clusters", "information_theoretic", itc, "information_theoretic"),
    ("L, L_rw", "graph Laplacians", "eigenmap", embeddings, "eigenmap"),
)
"""Symbol, meaning, name in the code, and the module and the function that has to exist."""


def _compute(seed: int) -> Arrays:
    """The table; a name that the library does not have is refused, so that the table stays true."""
    for *_, module, name in SYMBOLS:
        if module is not None and not hasattr(module, name):
            raise DataError(f"table of symbols: {module.__name__}.{name} does not exist; name what took its place")
    return {
        "symbol": np.array([row[0] for row in SYMBOLS]),
        "meaning": np.array([row[1] for row in SYMBOLS]),
        "name": np.array([row[2] for row in SYMBOLS]),
        "module": np.array(["" if row[3] is None else row[3].__name__ for row in SYMBOLS]),
    }


def _table(arrays: Arrays, **_: Any) -> list[Grid]:
    columns = (arrays[key].tolist() for key in ("symbol", "meaning", "name", "module"))
    return [Grid(("Symbol", "Meaning", "In the library", "Module"), tuple(zip(*columns, strict=True)), names=4)]


DRAWINGS = (
    Drawing(
        name="symbols",
        label="symbols and their names in the library",
        source="thesis 2012, table 1",
        compute=_compute,
        table=_table,
    ),
)
