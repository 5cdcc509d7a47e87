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
    Case("samples in no dimension", draw("gaussians", d=0)),
    Case("truth in half a dimension", truth("gaussians", d=1.5)),
    Case("no vectors", draw("gaussians", n=0)),
    Case("infinite shift", draw("gaussians", shift=float("inf"))),
    Case("shift that is no number", truth("heavy_tails", shift=float("nan"))),
    Case("cube without width", truth("gaussian_uniform", reach=0.0)),
    Case("components on the wrong side", draw("gaussian_mixtures", gap=-1.0)),
    Case("no degrees of freedom", draw("heavy_tails", degrees=0)),
    Case("plane of more dimensions than space", truth("manifold", d=2, inner=3)),
    Case("plane without noise", draw("manifold", noise=0.0)),
    Case("parameter that a problem does not have", draw("gaussians", shifts=1.0)),
    Case("neighbour 0", estimate("wang_kl", k=0)),
    Case("more neighbours than vectors", estimate("wang_kl", k=6)),
    Case("unknown grid of priors", estimate("nn_kl", grid="even")),
    Case("samples of other widths", estimate("nn_kl", (PAIR[0], PAIR[1][:, :1]))),
    Case("limits that fall", estimate("bound_kl", limits=[0.9, 0.1])),
)
