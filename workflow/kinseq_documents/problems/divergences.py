"""Estimators of the Kullback-Leibler divergence between the distributions of two samples (thesis 2011, section 5.5.7)."""

from __future__ import annotations

from typing import Any

from kinseq.core.arrays import FloatArray
from kinseq.divergences.gaussian import gaussian_kl, mahalanobis_bound_kl
from kinseq.divergences.nearest import nn_kl
from kinseq.divergences.wang import wang_kl

from .registry import Estimator

Pair = tuple[FloatArray, FloatArray]


def _nn(pair: Pair, seed: int, **params: Any) -> float:
    return nn_kl(*pair, **params)


def _wang(pair: Pair, seed: int, k: int) -> float:
    return wang_kl(*pair, k)


def _bound(pair: Pair, seed: int, limits: list[float]) -> float:
    return mahalanobis_bound_kl(*pair, (limits[0], limits[1]))


def _gaussian(pair: Pair, seed: int) -> float:
    return gaussian_kl(*pair)


ESTIMATORS = (
    Estimator(
        name="nn_kl",
        label="NN-KL",
        source="thesis 2011, eq. 5.45",
        function=_nn,
        estimates="kl",
        params={"grid": "realisable", "n_priors": 1000, "limits": None, "pool": "loo", "tail": "zero"},
    ),
    Estimator(
        name="wang_kl",
        label="Wang",
        source="Wang, Kulkarni and Verdu 2009; thesis 2011, section 5.5.7",
        function=_wang,
        estimates="kl",
        params={"k": 1},
    ),
    Estimator(
        name="bound_kl",
        label="NN bound",
        source="thesis 2011, eq. 5.42",
        function=_bound,
        estimates="kl",
        params={"limits": [0.0, 1.0]},
    ),
    Estimator(
        name="gaussian_kl",
        label="fitted Gaussians",
        source="closed form between Gaussians of the samples' means and covariances",
        function=_gaussian,
        estimates="kl",
    ),
)
