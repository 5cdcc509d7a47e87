"""Density estimates against integrals, SciPy and exhaustive search; decision rules against closed forms."""

import math

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from scipy.stats import gaussian_kde, multivariate_normal, norm

from kinseq.core.errors import DataError, ParameterError
from kinseq.divergences import density
from tests.sentences import Recorded

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(80, 2)) * np.array([1.0, 3.0])
Q = RANDOM.normal(size=(30, 2)) * 2.0


def test_widths():
    deviations = X.std(axis=0, ddof=1)
    assert density.mean_deviation(X) == pytest.approx(deviations.mean())
    assert density.silverman(X) == pytest.approx(deviations.mean() * (4 / (80 * 5)) ** (1 / 6))
    # In one dimension this is the rule that SciPy has.
    line = X[:, :1]
    factor = gaussian_kde(line.T, "silverman").factor
    assert density.silverman(line) == pytest.approx(factor * line.std(ddof=1))


def test_parzen_is_the_mean_of_gaussians():
    expected = np.mean([multivariate_normal(x, 0.49 * np.eye(2)).pdf(Q) for x in X], axis=0)
    np.testing.assert_allclose(density.parzen(Q, X, 0.7), np.log(expected), rtol=1e-10)
    far = density.parzen([[1e6, 0.0]], X, 1e-3)
    assert np.isfinite(far).all()


@pytest.mark.parametrize(("name", "order"), [("1", 1), ("2", 2), ("inf", np.inf)])
def test_volumes_are_those_of_random_points_in_a_cube(name, order):
    for d in (1, 2, 3, 4):
        inside = (np.linalg.norm(RANDOM.uniform(-1, 1, (200_000, d)), ord=order, axis=1) <= 1.0).mean()
        volume = np.exp(density.log_ball_volume([1.0, 2.0], d, name))
        assert volume[0] == pytest.approx(2**d * inside, rel=0.02)
        assert volume[1] == pytest.approx(2**d * volume[0])


@pytest.mark.parametrize(("name", "metric"), [("1", "cityblock"), ("2", "euclidean"), ("inf", "chebyshev")])
def test_knn_by_exhaustive_search(name, metric):
    radius = np.sort(cdist(Q, X, metric))[:, 4]
    expected = math.log(5 / 80) - 0.7 * density.log_ball_volume(radius, 2, name)
    np.testing.assert_allclose(density.knn(Q, X, 5, name, alpha=0.7), expected, rtol=1e-12)
    own = np.sort(cdist(X, X, metric))[:, 5]
    np.testing.assert_allclose(
        density.knn(X, X, 5, name, own=True), math.log(5 / 79) - density.log_ball_volume(own, 2, name)
    )


def test_share_of_the_points():
    assert density.as_neighbours(0.1, 80) == 8
    assert density.as_neighbours(0.001, 80) == 1
    assert density.as_neighbours(80, 80) == 80
    np.testing.assert_array_equal(density.knn(Q, X, 0.1), density.knn(Q, X, 8))


def test_estimates_come_close_to_the_density():
    points = np.random.default_rng(1).normal(size=(20_000, 2))
    q = np.random.default_rng(2).normal(size=(200, 2))
    truth = multivariate_normal(np.zeros(2)).logpdf(q)
    for found in (
        density.parzen(q, points, density.silverman(points)),
        density.knn(q, points, 0.01),
        density.gaussian(q, points),
    ):
        assert np.median(np.abs(found - truth)) < 0.12


def test_points_that_coincide_have_a_finite_density():
    twice = np.concatenate([X, X])
    assert np.isfinite(density.knn(twice, twice, 1, own=True)).all()
    assert np.isfinite(density.knn(np.zeros((3, 2)), np.zeros((5, 2)), 2)).all()


def test_gaussian_is_the_maximum_likelihood_fit():
    expected = multivariate_normal(X.mean(axis=0), np.cov(X.T, ddof=0)).logpdf(Q)
    np.testing.assert_allclose(density.gaussian(Q, X), expected)
    with pytest.raises(DataError, match="singular"):
        density.gaussian(Q, np.column_stack([X[:, 0], X[:, 0]]))


def test_bayes_rule_moves_the_border():
    x = np.linspace(-4, 4, 80_001)[:, None]
    logs = np.column_stack([norm(-2).logpdf(x[:, 0]), norm(2).logpdf(x[:, 0])])

    def border(priors=None, losses=None):
        return float(x[np.argmax(density.bayes_rule(logs, priors, losses)), 0])

    assert border() == pytest.approx(0.0, abs=1e-3)
    # From eq. B.9: -2 x + ... = log of the ratio, divided by the distance of the means.
    assert border([0.7, 0.3]) == pytest.approx(math.log(0.7 / 0.3) / 4, abs=1e-3)
    # Mistaking class 1 for class 2 is worse: the region of class 1 grows, the border moves right (the text says left).
    assert border(losses=[[0.0, 5.0], [1.0, 0.0]]) == pytest.approx(math.log(5.0) / 4, abs=1e-3)
    assert border([0.2, 0.8], [[0.0, 4.0], [1.0, 0.0]]) == pytest.approx(0.0, abs=1e-3)


def test_ties_go_to_the_lowest_class():
    assert density.bayes_rule(np.zeros((2, 3))).tolist() == [0, 0]


def test_classify_compares_volumes_and_takes_no_vote():
    one, two = np.array([[0.0], [10.0], [11.0]]), np.array([[1.0], [1.5], [2.0]])
    # The three nearest of 0.4 are mostly of the second class; the nearest one of all is of the first.
    assert density.classify([[0.4]], [one, two], "knn", k=1).tolist() == [0]
    assert density.classify([[0.4]], [one, two], "knn", k=2).tolist() == [1]


def test_linear_boundary_is_where_the_densities_are_equal():
    covariance = np.array([[2.0, 0.5], [0.5, 1.0]])
    m1, m2 = np.array([0.0, 0.0]), np.array([2.5, 2.5])
    w, x0 = density.linear_boundary(m1, m2, covariance, 0.7)
    along = np.array([-w[1], w[0]])
    for x in (x0, x0 + along, x0 - 3 * along):
        a, b = (multivariate_normal(m, covariance).logpdf(x) for m in (m1, m2))
        assert math.log(0.7) + a == pytest.approx(math.log(0.3) + b)
    assert w @ (m1 - x0) > 0
    found = density.classify(
        Q, [RANDOM.multivariate_normal(m, covariance, 20_000) for m in (m1, m2)], "gaussian", [0.7, 0.3]
    )
    assert ((found == 0) == ((Q - x0) @ w > 0)).mean() > 0.95
    with pytest.raises(ParameterError, match="coincide"):
        density.linear_boundary(m1, m1, covariance)


@pytest.mark.parametrize("unit", [1e160, 1e-200])
def test_densities_do_not_depend_on_units(unit):
    assert density.mean_deviation(unit * X) == pytest.approx(unit * density.mean_deviation(X), rel=1e-12)
    assert density.silverman(unit * X) == pytest.approx(unit * density.silverman(X), rel=1e-12)
    # A density is per unit of each of the two features.
    for found, expected in (
        (density.gaussian(unit * Q, unit * X), density.gaussian(Q, X)),
        (density.parzen(unit * Q, unit * X, 0.7 * unit), density.parzen(Q, X, 0.7)),
        (density.knn(unit * Q, unit * X, 3), density.knn(Q, X, 3)),
    ):
        np.testing.assert_allclose(found + 2 * math.log(unit), expected, atol=1e-9)
    one = np.array([unit, 1.0])
    np.testing.assert_allclose(density.gaussian(one * Q, one * X) + math.log(unit), density.gaussian(Q, X), atol=1e-9)


def test_the_kernel_of_a_point_itself_is_left_out():
    expected = [density.parzen(X[i : i + 1], np.delete(X, i, axis=0), 0.7)[0] for i in range(len(X))]
    np.testing.assert_allclose(density.parzen(X, X, 0.7, own=True), expected, rtol=1e-12)


def test_what_leaves_the_range_of_numbers_is_refused(recorded: Recorded):
    with recorded.raises(DataError):
        density.parzen(1e160 * Q, X, 1.0)
    with recorded.raises(DataError):
        density.parzen(X[:1], X[:1], 1.0, own=True)
