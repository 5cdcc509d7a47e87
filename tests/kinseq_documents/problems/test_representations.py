"""Integral representations of table 5.1, and risks by resampling next to the closed form."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special
from scipy.integrate import quad
from scipy.stats import norm

from kinseq.core.errors import DataError
from kinseq_documents.drawings import registry as drawings
from kinseq_documents.drawings.risk_curves import asymptotic_risk
from kinseq_documents.problems import registry, risks
from kinseq_documents.problems.representations import EIGENVALUES, Densities
from tests.sentences import Recorded

# Closed forms between N(0, 1) and N(1, 1).
CLOSED = {
    "kl": 0.5,
    "jeffreys": 1.0,
    "chi2": np.e - 1.0,
    "hellinger": 2.0 * (1.0 - np.exp(-1.0 / 8.0)),
    "variational": 2.0 * (2.0 * norm.cdf(0.5) - 1.0),
}


def pair(divergence: str, n: int = 120) -> Densities:
    given: Densities = registry.problem("density_pair").sample(n, 0, divergence=divergence)
    return given


@pytest.mark.parametrize("divergence", [*CLOSED, "triangular", "jensen_shannon"])
def test_generator_and_weight_give_the_same_divergence(divergence: str) -> None:
    truth = registry.problem("density_pair").true_value("divergence", divergence=divergence)
    if divergence in CLOSED:
        assert truth == pytest.approx(CLOSED[divergence], abs=1e-9)
    given = pair(divergence)
    assert registry.estimator("f_generator").estimate(given, 0) == pytest.approx(truth, abs=1e-9)
    assert registry.estimator("f_weight").estimate(given, 0) == pytest.approx(truth, abs=1e-9)
    assert abs(registry.estimator("f_deviation").estimate(given, 0)) < 1e-9


def test_square_loss_multiplies_some_weights_by_a_number(recorded: Recorded) -> None:
    for divergence, (a, b) in {"kl": (2, 1), "hellinger": (1.5, 1.5)}.items():
        assert pytest.approx(2.0 * special.beta(a, b)) == EIGENVALUES[divergence]
    for divergence in ("kl", "jeffreys", "hellinger"):
        found = registry.estimator("f_square_loss").estimate(pair(divergence), 0)
        assert found == pytest.approx(CLOSED[divergence], abs=1e-8)
    with recorded.raises(DataError):
        registry.estimator("f_square_loss").estimate(pair("triangular"), 0)


def test_asymptotic_risk_is_that_of_a_separate_integral() -> None:
    for prior in (0.05, 0.5, 0.9):

        def risk(x: float, pi: float = prior) -> float:
            p, q = pi * norm.pdf(x), (1 - pi) * norm.pdf(x, 1.0)
            return 2 * p * q / (p + q)

        assert asymptotic_risk(np.array([prior]), 1.0)[0] == pytest.approx(quad(risk, -9, 10)[0], abs=1e-9)


def test_resampling_one_set_agrees_with_the_closed_form() -> None:
    x, y = registry.problem("gaussians").sample(60, 7, d=2, shift=1.0)
    priors = np.array([0.2, 0.5, 0.75])
    found = risks.resampled_risks(x, y, priors, "one_set", 400, seed=1)
    exact = risks.nn_risk_curve(x, y, priors)
    error = found.std(axis=1, ddof=1) / 20.0
    assert (np.abs(found.mean(axis=1) - exact) <= 4 * error + 1e-12).all()
    # At the prior of the sample nothing is left out.
    assert np.ptp(found[1]) == 0.0


def test_subsets_have_the_share_that_the_prior_says() -> None:
    assert risks._sizes(100, 100, 0.25, "fixed_size") == (25, 75)
    assert risks._sizes(100, 100, 0.25, "one_set") == (33, 100)
    assert risks._sizes(100, 100, 0.75, "one_set") == (100, 33)
    assert risks._sizes(40, 100, 0.5, "one_set") == (40, 40)


def test_both_schemes_approach_the_asymptotic_risk() -> None:
    arrays = drawings.get("risk_curves").arrays(1, {"n": 1000, "shift": 1.0, "n_priors": 5, "repeats": 4})
    for name in ("closed_form", "scheme_a", "scheme_b"):
        np.testing.assert_allclose(arrays[name], arrays["asymptotic"], atol=0.05)


def test_the_error_of_the_rule_is_twice_the_risk_under_the_square_loss() -> None:
    arrays = drawings.get("point_risks").arrays(1, {"n_points": 101})
    np.testing.assert_array_equal(arrays["nn"], 2 * arrays["square"])
    # Cover and Hart: between the Bayes risk and twice the Bayes risk.
    assert (arrays["nn"] >= arrays["zero_one"] - 1e-15).all()
    assert (arrays["nn"] <= 2 * arrays["zero_one"] + 1e-15).all()
