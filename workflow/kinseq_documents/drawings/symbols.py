"""Symbols of the thesis of 2012 next to the names that the library has for them (table 1)."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import Any, NamedTuple

import numpy as np

from kinseq.clustering.itc import information_theoretic, seeding
from kinseq.core.errors import DataError
from kinseq.core.graphs.laplacian import Graph, leading_vectors
from kinseq.divergences.density import (
    bayes_rule,
    knn,
    log_ball_volume,
    mean_deviation,
    neighbour_distances,
    parzen,
    silverman,
)
from kinseq.divergences.information import (
    cauchy_schwarz,
    jeffreys,
    kl,
    log_product_cost,
    mean_cost,
    potential,
    renyi,
    renyi_entropy,
    shannon_entropy,
)

from ..rendering.grids import Grid
from .registry import Arrays, Drawing

LIBRARY = "kinseq."


class Symbol(NamedTuple):
    """A symbol, its meaning, and its counterparts: functions of the library, an argument of one, or an expression."""

    symbol: str
    meaning: str
    functions: tuple[Callable[..., Any], ...] = ()
    argument: str = ""
    expression: str = ""


SYMBOLS = (
    Symbol("x_i", "point", expression="a row of points"),
    Symbol("d, N", "features, points", expression="points.shape"),
    Symbol("ω_1 .. ω_C, P(ω_i)", "classes and their priors", (bayes_rule,), "priors"),
    Symbol("λ_ij", "loss of deciding for j where i is true", (bayes_rule,), "losses"),
    Symbol("κ_σ", "Gaussian kernel of width σ", (parzen,)),
    Symbol("σ_M, σ_S", "rules for the width", (mean_deviation, silverman)),
    Symbol("V_k(x)", "volume to the k-th neighbour", (log_ball_volume, neighbour_distances)),
    Symbol("p̂_kNN", "density by k neighbours", (knn,)),
    Symbol("H_S, H_α", "Shannon's and Renyi's entropy", (shannon_entropy, renyi_entropy)),
    Symbol("D_KL, D_J", "Kullback-Leibler and Jeffreys", (kl, jeffreys)),
    Symbol("D_α, D_CS", "Renyi and Cauchy-Schwarz divergence", (renyi, cauchy_schwarz)),
    Symbol("∫ p q", "cross information potential", (potential,)),
    Symbol("J_CS(C)", "cost of a partition", (mean_cost, log_product_cost)),
    Symbol("K_init, N_init", "seeded clusters and their points", (seeding,)),
    Symbol("C_1 .. C_M", "clusters", (information_theoretic,)),
    Symbol("L, L_rw", "graph Laplacians and their eigenvectors", (Graph, leading_vectors)),
)
"""Rows in the order of the table. Refuses names and arguments missing from the library."""


def named(entry: Symbol) -> tuple[str, str]:
    """Return the library name and module of a symbol's counterpart."""
    modules = {function.__module__ for function in entry.functions}
    for module in modules:
        if not module.startswith(LIBRARY):
            raise DataError(f"table of symbols: {entry.symbol} is in {module}, expected the library; name what it has")
    for function in entry.functions if entry.argument else ():
        if entry.argument not in signature(function).parameters:
            raise DataError(
                f"table of symbols: {function.__name__} has no argument {entry.argument!r}; name what took its place"
            )
    names = [f"{each.__name__}(..., {entry.argument})" if entry.argument else each.__name__ for each in entry.functions]
    return entry.expression or ", ".join(names), ", ".join(sorted(modules))


def _compute(seed: int) -> Arrays:
    names = [named(entry) for entry in SYMBOLS]
    return {
        "symbol": np.array([entry.symbol for entry in SYMBOLS]),
        "meaning": np.array([entry.meaning for entry in SYMBOLS]),
        "name": np.array([name for name, _ in names]),
        "module": np.array([module for _, module in names]),
    }


def _table(arrays: Arrays, **_: Any) -> list[Grid]:
    columns = (arrays[key].tolist() for key in ("symbol", "meaning", "name", "module"))
    return [Grid(("Symbol", "Meaning", "In the library", "Module"), tuple(zip(*columns, strict=True)), names=4)]


DRAWINGS = (
    Drawing(
        name="symbols",
        label="symbols and their names in the library, a table",
        source="thesis 2012, table 1",
        compute=_compute,
        table=_table,
    ),
)
