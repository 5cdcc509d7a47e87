"""f-divergences, losses, restricted and classifier-induced divergences; the theorems on finite alphabets, exactly."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest
from scipy.special import beta

from kinseq import divergences as dv
from kinseq.core.arrays import FloatArray
from kinseq.core.errors import DataError, ParameterError

NAMES = sorted(dv.DIVERGENCES)
PROPER = ("zero_one", "square", "log", "hinge")
RNG = np.random.default_rng(0)
PAIRS = [(RNG.dirichlet(np.ones(5)), RNG.dirichlet(np.ones(5))) for _ in range(6)]
EVERY = np.array(list(product([False, True], repeat=5)))
PRIORS = np.array([0.05, 0.2, 0.5, 0.7, 0.95])


def bayes_risk(p: FloatArray, q: FloatArray, prior: float, loss: str) -> float:
    """Risk of the best prediction at each symbol, found by trying predictions."""
    grid = np.linspace(1e-6, 1 - 1e-6, 20001)[:, None]
    if loss == "zero_one":
        candidates = np.stack([(1 - prior) * q, prior * p])
    elif loss == "square":
        candidates = prior * p * (1 - grid) ** 2 + (1 - prior) * q * grid**2
    elif loss == "log":
        candidates = -prior * p * np.log(grid) - (1 - prior) * q * np.log(1 - grid)
    else:
        margin = np.linspace(-2, 2, 4001)[:, None]
        candidates = prior * p * np.maximum(0, 1 - margin) + (1 - prior) * q * np.maximum(0, 1 + margin)
    return float(candidates.min(axis=0).sum())


# Table 5.1


@pytest.mark.parametrize("name", NAMES)
def test_generator_weight_and_closed_form_are_one_divergence(name: str) -> None:
    made = dv.DIVERGENCES[name]
    for p, q in PAIRS:
        closed = dv.f_divergence(p, q, name)
        assert (q * made.generator(p / q)).sum() == pytest.approx(closed, rel=1e-10)
        assert dv.fl_divergence(p, q, name) == pytest.approx(closed, rel=1e-10)
        swapped = dv.f_divergence(q, p, name)
        assert (swapped == pytest.approx(closed, rel=1e-12)) == made.symmetric
    # Eq. 5.12: the weight is the curvature of the generator.
    pi, h = np.array([0.2, 0.4, 0.6, 0.85]), 1e-4
    t = (1 - pi) / pi
    curvature = (made.generator(t + h) - 2 * made.generator(t) + made.generator(t - h)) / h**2
    np.testing.assert_allclose(made.weight(pi, 1 - pi), curvature / pi**3, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("name", NAMES)
def test_densities_of_gaussians(name: str) -> None:
    t = np.linspace(-12, 13, 1501)
    w = np.full(t.size, t[1] - t[0])
    p, q = (np.exp(-0.5 * (t - mean) ** 2) / np.sqrt(2 * np.pi) for mean in (0.0, 0.8))
    expected = {
        "kl": 0.32, "jeffreys": 0.64, "hellinger": 2 - 2 * np.exp(-0.08), "chi2": np.exp(0.64) - 1,
        "variational": 4 * 0.6554217416103242 - 2,
    }  # fmt: skip
    integral = dv.fl_divergence(p, q, name, weights=w)
    assert integral == pytest.approx(dv.f_divergence(p, q, name, weights=w), rel=1e-8)
    if name in expected:
        assert integral == pytest.approx(expected[name], rel=1e-4)


# Losses


@pytest.mark.parametrize("loss", PROPER)
def test_information_is_what_the_bayes_risk_falls_by(loss: str) -> None:
    p, q = PAIRS[0]
    found = dv.statistical_information(p, q, PRIORS, loss)
    for prior, information in zip(PRIORS, found, strict=True):
        prior_risk = float(dv.LOSSES[loss].bayes_risk(np.asarray(prior)))
        assert information == pytest.approx(prior_risk - bayes_risk(p, q, prior, loss), abs=1e-5)


@pytest.mark.parametrize("loss", PROPER)
def test_information_at_a_prior_is_an_f_divergence(loss: str) -> None:
    """Equations 5.28 and 5.29."""
    for p, q in PAIRS:
        for prior in PRIORS:
            generator = dv.information_generator(loss, prior)
            information = dv.statistical_information(p, q, [prior], loss)[0]
            assert (q * generator(p / q)).sum() == pytest.approx(information, abs=1e-14)
            assert generator(1.0) == pytest.approx(0.0, abs=1e-15)


# The integral operator


def test_eigendivergences_of_the_square_loss() -> None:
    at = np.array([0.01, 0.3, 0.5, 0.9])
    for name, a, b in (("kl", 2, 1), ("jeffreys", None, None), ("hellinger", 1.5, 1.5)):
        eigenvalue = 1.0 if a is None else 2 * beta(a, b)
        weight = dv.DIVERGENCES[name].weight(at, 1 - at)
        np.testing.assert_allclose(dv.transformed_weight(name, "square", at), eigenvalue * weight, rtol=1e-12)
        p, q = PAIRS[1]
        expected = eigenvalue * dv.f_divergence(p, q, name)
        assert dv.fl_divergence(p, q, name, "square") == pytest.approx(expected, rel=1e-12)


def test_the_01_loss_changes_nothing_and_the_hinge_loss_doubles() -> None:
    at = np.array([0.1, 0.5, 0.8])
    for name in set(NAMES) - {"variational"}:
        weight = dv.DIVERGENCES[name].weight(at, 1 - at)
        np.testing.assert_allclose(dv.transformed_weight(name, "zero_one", at), weight, rtol=1e-14)
        np.testing.assert_allclose(dv.transformed_weight(name, "hinge", at), 2 * weight, rtol=1e-14)
        p, q = PAIRS[2]
        assert dv.fl_divergence(p, q, name, "hinge") == pytest.approx(2 * dv.f_divergence(p, q, name), rel=1e-9)


def test_the_variational_divergence_under_the_square_loss_is_half_the_triangular_discrimination() -> None:
    p, q = PAIRS[3]
    expected = 0.5 * dv.f_divergence(p, q, "triangular")
    assert dv.fl_divergence(p, q, "variational", "square") == pytest.approx(expected, rel=1e-12)
    np.testing.assert_allclose(dv.transformed_weight("variational", "square", [0.1, 0.6]), 4.0, rtol=1e-12)


def test_an_fl_divergence_is_the_f_divergence_of_the_transformed_weight() -> None:
    p, q = PAIRS[4]
    pi, w = np.polynomial.legendre.leggauss(60)
    pi, w = 0.5 * pi + 0.5, 0.5 * w
    information = dv.statistical_information(p, q, pi)
    for name, loss in (("triangular", "log"), ("triangular", "square"), ("jensen_shannon", "square")):
        by_weight = w @ (information * dv.transformed_weight(name, loss, pi))
        assert dv.fl_divergence(p, q, name, loss) == pytest.approx(by_weight, rel=2e-3)


def test_chi2_under_the_square_loss_diverges() -> None:
    with pytest.raises(ParameterError, match="diverges"):
        dv.transformed_weight("chi2", "square", [0.3])
    with pytest.raises(DataError, match="infinite"):
        dv.fl_divergence(*PAIRS[0], "chi2", "square")


# Theorems on (f, l)-divergences


@pytest.mark.parametrize("loss", PROPER)
@pytest.mark.parametrize("name", ["variational", "triangular", "jensen_shannon", "hellinger"])
def test_theorems_of_fl_divergences(name: str, loss: str) -> None:
    merge = np.array([[1, 0], [1, 0], [0, 1], [0, 1], [0, 1]], dtype=float)
    for p, q in PAIRS:
        value = dv.fl_divergence(p, q, name, loss)
        assert value > 0  # 5.5.1, strictly concave or not: these pairs differ
        assert dv.fl_divergence(p, p, name, loss) == pytest.approx(0, abs=1e-12)
        if dv.DIVERGENCES[name].symmetric:  # 5.5.3
            assert dv.fl_divergence(q, p, name, loss) == pytest.approx(value, rel=1e-9)
        # Information processing: symbols merged.
        assert dv.fl_divergence(p @ merge, q @ merge, name, loss) <= value + 1e-12
    # Blackwell (5.5.4): of two pairs, the one with the larger divergence has the smaller Bayes risk at some prior.
    grid = np.linspace(0.001, 0.999, 999)
    for one, other in pairwise(PAIRS):
        if dv.fl_divergence(*one, name, loss) > dv.fl_divergence(*other, name, loss):
            gain = dv.statistical_information(*one, grid, loss) - dv.statistical_information(*other, grid, loss)
            assert (gain > 0).any()


# Theorems on the nearest-neighbour risk


def nn_risk_of(p: FloatArray, q: FloatArray, prior: float) -> float:
    mixture = prior * p + (1 - prior) * q
    return float((2 * prior * (1 - prior) * p * q / mixture).sum())


def test_the_asymptotic_risk_is_positive_definite_at_prior_one_half_only() -> None:
    rng = np.random.default_rng(1)
    distributions = rng.dirichlet(np.ones(4), size=12)

    def least_eigenvalue(prior: float) -> float:
        matrix = np.array([[nn_risk_of(p, q, prior) for q in distributions] for p in distributions])
        return float(np.linalg.eigvalsh(0.5 * (matrix + matrix.T)).min())

    assert least_eigenvalue(0.5) > -1e-12
    assert all(0 <= nn_risk_of(p, q, 0.5) <= 0.5 for p, q in PAIRS)
    # Away from it the kernel is not even symmetric, and its symmetric part is not positive definite.
    extreme = np.array([[1 - 1e-4, 1e-4], [0.5, 0.5], [1e-4, 1 - 1e-4]])
    matrix = np.array([[nn_risk_of(p, q, 0.02) for q in extreme] for p in extreme])
    assert np.abs(matrix - matrix.T).max() > 1e-4
    assert np.linalg.eigvalsh(0.5 * (matrix + matrix.T)).min() < -1e-6


def test_half_the_asymptotic_risk_is_the_bayes_risk_under_the_square_loss() -> None:
    p, q = PAIRS[5]
    for prior in PRIORS:
        information = prior * (1 - prior) - 0.5 * nn_risk_of(p, q, prior)
        assert dv.statistical_information(p, q, [prior], "square")[0] == pytest.approx(information, abs=1e-14)


# Class-restricted divergences


@pytest.mark.parametrize("name", NAMES)
def test_theorems_of_restricted_divergences(name: str) -> None:
    rng = np.random.default_rng(2)
    for p, q in PAIRS:
        whole = dv.f_divergence(p, q, name)
        assert dv.restricted_divergence(p, q, EVERY, name) == pytest.approx(whole, rel=1e-10)
        order, last = rng.permutation(len(EVERY)), 0.0
        for size in (1, 3, 8, 20):  # 5.4.1 to 5.4.3: not negative, rising with the class, below the f-divergence
            value = dv.restricted_divergence(p, q, EVERY[order[:size]], name)
            assert last - 1e-12 <= value <= whole * (1 + 1e-10)
            last = value
        closed = np.concatenate([EVERY[order[:4]], ~EVERY[order[:4]]])
        if dv.DIVERGENCES[name].symmetric:  # 5.4.7: classes closed under complement
            there, back = (dv.restricted_divergence(*pair, closed, name) for pair in ((p, q), (q, p)))
            assert there == pytest.approx(back, rel=1e-10)


def test_restricted_information_does_not_obey_information_processing() -> None:
    """Intervals cannot tell these two apart on a line; after a change of the order of the symbols they can."""
    p, q = np.array([0.5, 0.0, 0.5, 0.0]), np.array([0.0, 0.5, 0.0, 0.5])
    thresholds = np.array([[i < k for i in range(4)] for k in range(5)])
    thresholds = np.concatenate([thresholds, ~thresholds])
    before = dv.restricted_divergence(p, q, thresholds, "triangular")
    after = dv.restricted_divergence(p[[0, 2, 1, 3]], q[[0, 2, 1, 3]], thresholds, "triangular")
    assert after > before + 0.5


def test_linear_divergence_on_a_line_is_that_of_the_best_thresholds() -> None:
    rng = np.random.default_rng(3)
    x, y = np.round(rng.normal(size=(15, 1)), 1), np.round(rng.normal(size=(11, 1)) + 1, 1)
    values = np.unique(np.concatenate([x, y]))
    decisions = np.array([values < edge for edge in [*values, np.inf]])
    p, q = ((values[:, None] == z.ravel()).mean(axis=1) for z in (x, y))
    limits = (1 / 12, 15 / 16)
    expected = dv.restricted_divergence(p, q, np.concatenate([decisions, ~decisions]), "jeffreys", limits=limits)
    assert dv.linear_divergence(x, y, "jeffreys") == pytest.approx(expected, rel=1e-10)


def test_linear_divergence_is_zero_for_equal_sets_only_and_sees_no_spread() -> None:
    rng = np.random.default_rng(4)
    x = rng.normal(size=(60, 2))
    assert dv.linear_divergence(x, x) == pytest.approx(0.0, abs=1e-12)
    assert dv.linear_divergence(x, x + np.array([3.0, 0.0])) > 3.0
    # A shift along no axis is found by Fisher's direction.
    assert dv.linear_divergence(x, x + np.array([2.0, 2.0]), n_directions=1) > 3.0


# Classifiers


def test_the_risk_of_a_1nn_classifier_is_the_risk_curve() -> None:
    from sklearn.neighbors import KNeighborsClassifier

    rng = np.random.default_rng(5)
    x, y = rng.normal(size=(60, 2)), rng.normal(size=(60, 2)) + 1.0
    at = np.array([0.1, 0.5, 0.8])
    rule = KNeighborsClassifier(1, algorithm="brute")
    found = dv.classifier_information(x, y, rule, at, "square", n_splits=10, n_repeats=3, quiet=True)
    curve = dv.nn_risk_curve(x, y, at, pool="holdout")
    np.testing.assert_allclose(found.risks, curve, atol=0.03)
    np.testing.assert_allclose(found.information, at * (1 - at) - 0.5 * found.risks, atol=1e-15)
    value = dv.classifier_divergence(x, y, rule, loss="square", limits=(0.1, 0.9), n_priors=6, quiet=True)
    assert value == pytest.approx(dv.nn_jeffreys(x, y, limits=(0.1, 0.9), pool="holdout"), rel=0.25)


@pytest.mark.parametrize("loss", ["zero_one", "square"])
def test_logistic_regression_on_two_gaussians_comes_near_the_closed_form(loss: str) -> None:
    from sklearn.linear_model import LogisticRegression

    rng = np.random.default_rng(6)
    x, y = rng.normal(size=(4000, 1)), rng.normal(size=(4000, 1)) + 1.0
    found = dv.classifier_divergence(x, y, LogisticRegression(), loss=loss, n_priors=14, n_splits=2, quiet=True)
    assert found == pytest.approx(1.0, rel=0.1)


def test_classifier_information_counts_and_says_what_it_costs(capsys: pytest.CaptureFixture[str]) -> None:
    from sklearn.dummy import DummyClassifier

    rng = np.random.default_rng(7)
    x, y = rng.normal(size=(12, 2)), rng.normal(size=(9, 2))
    guess = DummyClassifier(strategy="uniform", random_state=0)
    found = dv.classifier_information(x, y, guess, [0.1, 0.9], n_splits=3)
    assert found.n_clipped == 2
    assert (found.information == 0).all()
    assert found.n_fits == 6
    assert "6 fits of DummyClassifier" in capsys.readouterr().err.splitlines()[0]
    value = dv.classifier_divergence(x, y, guess, "variational", n_splits=3, n_priors=2, quiet=True)
    assert value == 0.0
