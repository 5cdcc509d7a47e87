"""Bad input to problems of two samples, and to the estimators of divergences on them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from kinseq_documents.problems import registry

from .table import Case

PAIR = np.arange(12.0).reshape(6, 2), np.arange(12.0).reshape(6, 2) + 1.0


def truth(name: str, **params: Any) -> Callable[[Path], Any]:
    return lambda _: registry.problem(name).true_value("kl", **params)


def draw(name: str, n: Any = 5, **params: Any) -> Callable[[Path], Any]:
    return lambda _: registry.problem(name).sample(n, 0, **params)


def estimate(name: str, pair: Any = PAIR, **params: Any) -> Callable[[Path], Any]:
    return lambda _: registry.estimator(name).estimate(pair, 0, **params)


CASES: tuple[Case, ...] = (
    Case("samples in no dimension", draw("gaussians", d=0), says="d.*0.*1"),
    Case("truth in half a dimension", truth("gaussians", d=1.5), says="d.*1.5"),
    Case("no vectors", draw("gaussians", n=0), says="n.*0.*1"),
    Case("infinite shift", draw("gaussians", shift=float("inf")), says="shift is inf"),
    Case("shift that is no number", truth("heavy_tails", shift=float("nan")), says="shift is nan"),
    Case("cube without width", truth("gaussian_uniform", reach=0.0), says="reach is 0"),
    Case("components on the wrong side", draw("gaussian_mixtures", gap=-1.0), says="gap is -1"),
    Case("no degrees of freedom", draw("heavy_tails", degrees=0), says="degrees is 0"),
    Case(
        "plane of more dimensions than space", truth("manifold", d=2, inner=3), says="inner is 3, more than the 2 dim"
    ),
    Case("plane without noise", draw("manifold", noise=0.0), says="noise is 0"),
    Case("parameter that a problem does not have", draw("gaussians", shifts=1.0), says="'shifts'.*mean 'shift'"),
    Case("neighbour 0", estimate("wang_kl", k=0), says="k.*0"),
    Case("more neighbours than vectors", estimate("wang_kl", k=6), says="first set: has 6 vectors, at least 7"),
    Case("unknown grid of priors", estimate("nn_kl", grid="even"), says="unknown grid 'even'.*realisable"),
    Case("samples of other widths", estimate("nn_kl", (PAIR[0], PAIR[1][:, :1])), says="1 features.*has 2"),
    Case("limits that fall", estimate("bound_kl", limits=[0.9, 0.1]), says="limits.*rise"),
)
