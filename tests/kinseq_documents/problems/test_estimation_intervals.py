"""The experiments that count how often intervals hold the truth: their truths, and that they can fail."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import integrate

from kinseq import divergences as dv
from kinseq_documents.problems import registry
from kinseq_documents.problems.intervals import true_values


def test_true_values_are_those_of_large_samples() -> None:
    found = true_values(2, 0.8, 1.7)
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(40000, 2)), rng.normal(0.8, size=(40000, 2))
    assert found["nn_j"] == found["wang_j"] == pytest.approx(2 * 0.64)
    assert found["nn_bound_j"] == pytest.approx(dv.mahalanobis_bound_jeffreys(x, y), rel=0.03)
    mixed = integrate.quad(lambda pi: 1.28 / (1 + pi * (1 - pi) * 1.28), 0, 1)[0]
    assert found["nn_bound_j"] == pytest.approx(mixed, rel=1e-9)
    # The kernel of independent pairs, by which MMD^2 is defined.
    near = np.exp(-0.5 * ((x[:20000] - x[20000:]) ** 2).sum(axis=1) / 1.7**2).mean()
    far = np.exp(-0.5 * ((x - y) ** 2).sum(axis=1) / 1.7**2).mean()
    assert found["mmd2"] == pytest.approx(2 * near - 2 * far, abs=0.01)


def test_an_interval_holds_the_truth_or_not() -> None:
    problem, holds = registry.problem("two_samples"), registry.estimator("interval_holds")
    samples = problem.sample(60, 3)
    for of in ("nn_j", "wang_j", "nn_bound_j", "mmd2"):
        assert holds.estimate(samples, 0, of=of, subsamples=20) in (0.0, 1.0)
        found = dv.compare(
            samples.x, samples.y, (of,), n_subsamples=20, n_permutations=19, sigma=samples.sigma, random_state=0
        )[of]
        for truth, expected in ((found.value, 1.0), (found.high + 1e-6, 0.0), (found.low - 1e-6, 0.0)):
            other = type(samples)(samples.x, samples.y, samples.sigma, {of: truth})
            assert holds.estimate(other, 0, of=of, subsamples=20) == expected
    assert problem.true_value("covered") == 0.95


@pytest.mark.parametrize("percent", [5, 25, 50, 75])
def test_a_p_value_is_held_against_the_level(percent: int) -> None:
    problem, below = registry.problem("two_samples"), registry.estimator(f"p_below_{percent}")
    assert below.params["percent"] == percent
    assert problem.true_value(below.estimates) == percent / 100
    for of in ("nn_risk", "mmd2"):
        found = {below.estimate(problem.sample(20, 1, shift=5.0), 0, of=of)}
        assert found == {1.0}
        for seed in range(3):
            samples = problem.sample(20, seed, shift=0.0)
            p = dv.compare(samples.x, samples.y, (of,), n_subsamples=20, n_permutations=199, random_state=0)[of].p_value
            assert p is not None
            assert below.estimate(samples, 0, of=of) == float(p <= percent / 100)
