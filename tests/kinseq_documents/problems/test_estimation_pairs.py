"""Problems with known divergences, and the estimators on them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

from kinseq import divergences
from kinseq_documents.problems import registry

# log p - log q at vectors of P, by the densities of scipy.


def of_gaussians(x: Any, shift: float = 0.5, **_: Any) -> Any:
    return (stats.norm.logpdf(x) - stats.norm.logpdf(x, shift)).sum(axis=1)


def of_uniform(x: Any, reach: float = 3.0, truncated: bool = False, **_: Any) -> Any:
    density = stats.truncnorm(-reach, reach) if truncated else stats.norm()
    return (density.logpdf(x) + np.log(2 * reach)).sum(axis=1)


def of_mixtures(x: Any, shift: float = 1.5, gap: float = 3.0, **_: Any) -> Any:
    p = 0.5 * stats.norm.pdf(x, -gap) + 0.5 * stats.norm.pdf(x, gap)
    q = 0.5 * stats.norm.pdf(x, shift - gap) + 0.5 * stats.norm.pdf(x, shift + gap)
    return np.log(p[:, 0] / q[:, 0])


def of_heavy(x: Any, shift: float = 1.0, degrees: float = 3.0, **_: Any) -> Any:
    return (stats.t.logpdf(x, degrees) - stats.t.logpdf(x, degrees, loc=shift)).sum(axis=1)


def of_manifold(x: Any, inner: int = 2, shift: float = 1.0, **_: Any) -> Any:
    return of_gaussians(x[:, :inner], shift)


CASES = [
    ("gaussians", of_gaussians, {"d": 3, "shift": 0.75}),
    ("gaussian_uniform", of_uniform, {}),
    ("gaussian_uniform", of_uniform, {"truncated": True, "reach": 1.5, "d": 2}),
    ("gaussian_mixtures", of_mixtures, {"shift": 2.0}),
    ("heavy_tails", of_heavy, {"degrees": 4.0}),
    ("manifold", of_manifold, {"d": 6}),
]


@pytest.mark.parametrize(("name", "log_ratio", "params"), CASES)
def test_the_truth_is_the_mean_log_ratio(name: str, log_ratio: Any, params: dict[str, Any]) -> None:
    problem = registry.problem(name)
    ratios = log_ratio(problem.sample(40_000, 3, **params)[0], **params)
    assert abs(ratios.mean() - problem.true_value("kl", **params)) < 4 * ratios.std() / np.sqrt(len(ratios))


@pytest.mark.parametrize(("name", "log_ratio", "params"), CASES)
def test_the_second_sample_is_of_the_other_distribution(name: str, log_ratio: Any, params: dict[str, Any]) -> None:
    """Under Q the mean of the likelihood ratio is 1, whatever the pair (less what lies outside the cube)."""
    x, y = registry.problem(name).sample(40_000, 4, **params)
    assert x.shape == y.shape
    ratio = np.exp(log_ratio(y, **params))
    outside = 0.0027 * 3 if name == "gaussian_uniform" and not params else 0.0
    assert abs(ratio.mean() - 1.0 + outside) < 5 * ratio.std() / np.sqrt(len(ratio))


def test_divergences_against_a_uniform_are_those_of_the_text() -> None:
    """1.118 leaves out what lies outside the cube; truncating adds what it should."""
    problem = registry.problem("gaussian_uniform")
    assert problem.true_value("kl") == pytest.approx(3 * np.log(6) - 1.5 * np.log(2 * np.pi * np.e))
    assert round(problem.true_value("kl"), 3) == 1.118
    assert round(problem.true_value("kl", truncated=True), 3) == 1.167


def test_estimators_are_those_of_the_library() -> None:
    x, y = registry.problem("gaussians").sample(60, 5, d=2)
    found = {
        ("nn_kl", ()): divergences.nn_kl(x, y),
        ("nn_kl", (("grid", "uniform"),)): divergences.nn_kl(x, y, grid="uniform"),
        ("wang_kl", (("k", 3),)): divergences.wang_kl(x, y, 3),
        ("bound_kl", (("limits", (1e-3, 0.999)),)): divergences.mahalanobis_bound_kl(x, y, (1e-3, 0.999)),
        ("gaussian_kl", ()): divergences.gaussian_kl(x, y),
    }
    for (name, params), value in found.items():
        assert registry.estimator(name).estimate((x, y), 0, **dict(params)) == value


def test_estimates_approach_the_truth() -> None:
    problem = registry.problem("gaussians")
    pair = problem.sample(2000, 6, d=1, shift=1.5)
    truth = problem.true_value("kl", d=1, shift=1.5)
    for name, within in (("nn_kl", 0.3), ("wang_kl", 0.15), ("gaussian_kl", 0.1)):
        assert abs(registry.estimator(name).estimate(pair, 0) - truth) < within, name
    assert registry.estimator("bound_kl").estimate(pair, 0) < truth
