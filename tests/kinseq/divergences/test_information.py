"""Entropies and divergences against the closed forms of Gaussians, and against their definitions."""

import math

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from scipy.stats import multivariate_normal

from kinseq.clustering import itc_kernels
from kinseq.clustering.itc import information_theoretic, space_of
from kinseq.core.errors import DataError, ParameterError
from kinseq.divergences import gaussian_kl
from kinseq.divergences import information as info
from tests.sentences import Recorded

N, D, SHIFT = 4000, 2, 1.0
RANDOM = np.random.default_rng(0)
P = RANDOM.normal(size=(N, D))
Q = RANDOM.normal(size=(N, D)) + np.array([SHIFT, 0.0])
WIDE = 2.0 * RANDOM.normal(size=(N, D))

ENTROPY = 0.5 * D * math.log(2 * math.pi * math.e)
QUADRATIC = 0.5 * D * math.log(4 * math.pi)
BOTH = ("knn", "kernel")


def cross(variance, gap):
    """Integral of the product of two Gaussians whose variances sum to `variance`."""
    return multivariate_normal(np.zeros(D), variance * np.eye(D)).pdf([gap, 0.0])


@pytest.mark.parametrize("method", BOTH)
def test_entropies_of_a_gaussian(method):
    assert info.shannon_entropy(P, method) == pytest.approx(ENTROPY, abs=0.15)
    assert info.shannon_entropy(WIDE, method) == pytest.approx(ENTROPY + D * math.log(2), abs=0.15)
    assert info.renyi_entropy(P, 2.0, method, k=20) == pytest.approx(QUADRATIC, abs=0.15)
    # H_alpha of a Gaussian: d/2 (log 2 pi - log(alpha) / (1 - alpha)).
    for alpha in (0.7, 1.5):
        exact = 0.5 * D * (math.log(2 * math.pi) - math.log(alpha) / (1 - alpha))
        assert info.renyi_entropy(P, alpha, method, k=20) == pytest.approx(exact, abs=0.2)
    assert info.renyi_entropy(P, 1.0, method) == info.shannon_entropy(P, method)


def test_the_potential_of_kernels_takes_all_pairs_of_points():
    """Minus its logarithm is the quadratic entropy (eq. 3.14)."""
    width = 0.2
    kernel = np.exp(-cdist(P[:500], P[:500], "sqeuclidean") / (4 * width**2)) / (4 * math.pi * width**2)
    few = P[:500]
    assert info.potential(few, few, "kernel", width=width) == pytest.approx(kernel.mean())
    assert -math.log(info.potential(P, P, "kernel", width=0.1)) == pytest.approx(QUADRATIC, abs=0.1)
    other = info.potential(few, few, "kernel", width=width * 2**0.5, convention="plug_in")
    assert info.potential(few, few, "kernel", width=width) == pytest.approx(other)


@pytest.mark.parametrize("method", BOTH)
def test_divergences_of_gaussians(method):
    # KL = shift^2 / 2, and Renyi's of order alpha is alpha times that.
    assert info.kl(P, Q, method) == pytest.approx(0.5, abs=0.12)
    assert info.renyi(P, Q, 0.5, method, k=30) == pytest.approx(0.25, abs=0.05)
    assert info.renyi(P, Q, 1.0, method) == info.kl(P, Q, method)
    forth = D * (0.5 / 4 + math.log(2) - 0.5)
    assert info.kl(P, WIDE, method) == pytest.approx(forth, abs=0.08)
    # If the first density has wider tails, the second is poorly estimated there; so the scales are similar here.
    back = D * (0.5 * 1.3**2 - math.log(1.3) - 0.5)
    assert info.kl(0.65 * WIDE, P, method) == pytest.approx(back, abs=0.08)
    assert info.jeffreys(P, WIDE, method) == pytest.approx(
        math.hypot(info.kl(P, WIDE, method), info.kl(WIDE, P, method)) / math.sqrt(2)
    )
    assert gaussian_kl(P, Q) == pytest.approx(info.kl(P, Q, method), abs=0.15)


@pytest.mark.parametrize("options", [{"method": "kernel", "width": 0.15}, {"method": "knn", "k": 20}], ids=BOTH[::-1])
def test_cauchy_schwarz_and_euclidean_divergences_of_gaussians(options):
    own, wide = cross(2.0, 0.0), cross(8.0, 0.0)
    exact = 2 * own - 2 * cross(2.0, SHIFT)
    assert info.euclidean(P, Q, **options) == pytest.approx(exact, abs=0.008)
    if options["method"] == "knn":
        options = {"method": "knn", "k_numerator": 20, "k_denominator": 20}
    assert info.cauchy_schwarz(P, Q, **options) == pytest.approx(SHIFT**2 / 4, abs=0.05)
    scales = 0.5 * math.log(own * wide) - math.log(cross(5.0, 0.0))
    assert info.cauchy_schwarz(P, WIDE, **options) == pytest.approx(scales, abs=0.06)


def test_potential_within_a_set_by_hand():
    points = np.array([[0.0], [1.0], [3.0]])
    # k = 1: nearest at 1, 1, 2, balls of length 2, 2, 4, densities 1 / (3 length).
    assert info.potential(points, points) == pytest.approx(np.mean([1 / 6, 1 / 6, 1 / 12]))
    assert info.potential(points, points, k="farthest") == pytest.approx(np.mean([1 / 6, 1 / 4, 1 / 6]))
    other = np.array([[1.5], [7.0]])
    forth, back = np.mean([1 / 3, 1 / 1, 1 / 3]) / 2, np.mean([1 / 1, 1 / 8]) / 3
    assert info.potential(points, other) == pytest.approx(0.5 * (forth + back))


def test_costs_of_clusters():
    x = np.concatenate([P[:30], Q[:20] + 2, WIDE[:25] - 4])
    labels = np.repeat([0, 1, 2], [30, 20, 25])
    sets = [x[labels == k] for k in range(3)]
    pairs = [info.cauchy_schwarz(a, b) for a, b in ((sets[0], sets[1]), (sets[0], sets[2]), (sets[1], sets[2]))]
    assert info.mean_divergence(x, labels) == pytest.approx(np.mean(pairs))
    assert info.mean_cost(x, labels) == pytest.approx(np.mean(np.exp(-np.array(pairs))))
    two = labels < 2
    assert info.log_product_cost(x[two], labels[two], 0.7) == pytest.approx(
        -info.cauchy_schwarz(sets[0], sets[1], "kernel", width=0.7)
    )


def test_a_clustering_reports_these_costs():
    x = np.concatenate([P[:30], Q[:30] + 2, WIDE[:30] - 4])
    found = information_theoretic(x, 3, n_runs=3, n_voters=1)
    for run, labels in zip(found.runs, found.run_labels(), strict=True):
        assert run.costs[-1] == pytest.approx(info.mean_cost(x, labels))
        assert run.divergence(3) == pytest.approx(info.mean_divergence(x, labels))
    kernel = information_theoretic(x, 3, method="kernel", width=0.8, n_runs=2, n_voters=1)
    for run, labels in zip(kernel.runs, kernel.run_labels(), strict=True):
        assert run.costs[-1] == pytest.approx(info.log_product_cost(x, labels, 0.8))
        assert run.divergence(3) == pytest.approx(info.mean_divergence(x, labels, method="kernel", width=0.8))


def test_volumes_of_any_exponent():
    squares = np.array([1.7**2, 0.3**2])
    for exponent in (1.0, 2.0, 3.0, 2.5, 13.0):
        found = np.empty(2)
        itc_kernels.inverse_volumes.py_func(squares, exponent, np.empty(2), found)
        np.testing.assert_allclose(found, np.array([1.7, 0.3]) ** -exponent)
    assert space_of(P[:50])[1][0] > 0


def test_corrected_estimates_converge_and_printed_ones_do_not():
    points, other = np.random.default_rng(1).normal(size=(2, 20_000, 1))
    entropy, quadratic = 0.5 * math.log(2 * math.pi * math.e), 0.5 * math.log(4 * math.pi)
    # The volume to the k-th of n neighbours is gamma distributed: log k - digamma(k), and Gamma(k - a) k^a / Gamma(k).
    gap = math.log(5) - (1 + 1 / 2 + 1 / 3 + 1 / 4 - np.euler_gamma)
    assert info.shannon_entropy(points) == pytest.approx(entropy - gap, abs=0.02)
    assert info.shannon_entropy(points, estimate="corrected") == pytest.approx(entropy, abs=0.02)
    assert info.renyi_entropy(points) == pytest.approx(quadratic - math.log(5 / 4), abs=0.02)
    assert info.renyi_entropy(points, estimate="corrected") == pytest.approx(quadratic, abs=0.02)
    half = 0.5 * math.log(2 * math.pi) + math.log(2)  # alpha = 1/2: (log 2 pi - log(alpha) / (1 - alpha)) / 2
    assert info.renyi_entropy(points, 0.5, estimate="corrected") == pytest.approx(half, abs=0.02)
    # One distribution: every divergence is 0.
    assert info.renyi(points, other) == pytest.approx(math.log(5 / 4), abs=0.03)
    for alpha in (0.5, 2.0):
        assert info.renyi(points, other, alpha, estimate="corrected") == pytest.approx(0.0, abs=0.03)
    assert info.kl(points, other) == pytest.approx(0.0, abs=0.03)
    some = points[:28]
    assert -math.log(info.potential(some, some, k=5)) == pytest.approx(info.renyi_entropy(some) + math.log(28 / 27))
    for k in (2, 5):
        own = info.potential(some, some, k=k, estimate="corrected")
        assert -math.log(own) == pytest.approx(info.renyi_entropy(some, k=k, estimate="corrected"))
    product = info.potential(points[:2000], other[:2000], k=3, estimate="corrected")
    assert product == pytest.approx(1 / math.sqrt(4 * math.pi), rel=0.05)


def test_kernels_leave_the_point_itself_out_however_far_the_others_are():
    points = np.array([[0.0], [1.0], [30.0]])
    logs = [
        multivariate_normal([[1.0]][0], 0.01).logpdf(0.0) - math.log(2),
        multivariate_normal([[0.0]][0], 0.01).logpdf(1.0) - math.log(2),
        multivariate_normal([[1.0]][0], 0.01).logpdf(30.0) - math.log(2),
    ]
    assert info.shannon_entropy(points, "kernel", width=0.1) == pytest.approx(-np.mean(logs), rel=1e-12)


def test_no_density_is_made_up_where_points_coincide():
    whole = np.repeat(np.arange(50.0), 8)[:, None]
    for points in (whole, np.full((400, 1), 3.0)):
        for call in (
            info.shannon_entropy,
            info.renyi_entropy,
            lambda x: info.kl(x, x + 1.0),
            lambda x: info.potential(x, x),
        ):
            with pytest.raises(DataError, match=r"[15] nearest, .*density"):
                call(points)
    with pytest.raises(DataError, match=r"200 of 400 .*5 nearest"):
        info.kl(np.arange(400.0)[:, None], np.repeat(np.arange(200.0), 5)[:, None])
    with pytest.raises(DataError, match="zeros='floor'"):
        info.cauchy_schwarz(P[:9], P[:12])
    # As in the clustering: a tenth of the least positive distance.
    points = np.array([[0.0], [0.0], [2.0]])
    assert info.potential(points, points, zeros="floor") == pytest.approx((2 / 0.4 + 1 / 4) / 3 / 3)
    with pytest.raises(DataError, match="coincide"):
        info.potential(np.zeros((9, 1)), np.zeros((9, 1)), zeros="floor")
    assert info.shannon_entropy(whole, k=8) > 0


def test_what_is_refused(recorded: Recorded):
    for call in (
        info.shannon_entropy,
        lambda x, **o: info.renyi(x, x + 1, **o),
        lambda x, **o: info.potential(x, x, **o),
    ):
        with pytest.raises(ParameterError, match="unknown estimate"):
            call(P[:9], estimate="best")
        with recorded.raises(ParameterError):
            call(P[:9], method="kernel", estimate="corrected")
    with pytest.raises(ParameterError, match=r"k is 1, .*density"):
        info.renyi_entropy(P[:9], k=1, estimate="corrected")
    with pytest.raises(ParameterError, match=r"k is 1, .*density"):
        info.potential(P[:9], P[:9], estimate="corrected")
    with recorded.raises(ParameterError):
        info.potential(P[:9], P[:9], k="farthest", estimate="corrected")
    with pytest.raises(ParameterError, match="unknown zeros"):
        info.potential(P[:9], P[:9], zeros="none")
    with recorded.raises(DataError):
        info.kl(P[:5], P[:5, :1])
    with pytest.raises(DataError, match="at least 2"):
        info.shannon_entropy(P[:1])
    with pytest.raises(ParameterError, match="unknown method"):
        info.shannon_entropy(P[:5], "parzen")
    with pytest.raises(ParameterError, match="only 4 neighbours"):
        info.potential(P[:5], P[:5], k=5)
    with pytest.raises(DataError, match="one cluster"):
        info.mean_cost(P[:5], np.zeros(5))
