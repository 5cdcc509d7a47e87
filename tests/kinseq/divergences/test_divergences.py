"""Estimators between sets of vectors, against enumeration, closed forms and invariances."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.spatial.distance import pdist

from kinseq import divergences as dv
from kinseq.core.arrays import FloatArray
from kinseq.core.content_cache import forget
from kinseq.core.sequences import SequenceSet
from kinseq.divergences import mmd, nearest, neighbours


def draw(n: int, d: int, seed: int, shift: float = 0.0) -> FloatArray:
    return np.random.default_rng(seed).normal(loc=shift, size=(n, d))


def squares(a: FloatArray, b: FloatArray) -> FloatArray:
    return np.asarray(((a[:, None] - b) ** 2).sum(axis=-1))


# Nearest-neighbour risk


def risk_by_enumeration(x: FloatArray, y: FloatArray, train: float, prior: str) -> float:
    """Mean error over every training set of floor(train n); vectors at equal distances share the decision."""
    both, label = np.concatenate([x, y]), np.repeat([0, 1], [len(x), len(y)])
    n, distance = len(both), squares(both, both)
    errors, counts = np.zeros(n), np.zeros(n)
    for training in combinations(range(n), int(train * n)):
        chosen = list(training)
        for z in set(range(n)) - set(chosen):
            nearest_ones = distance[z, chosen] == distance[z, chosen].min()
            errors[z] += np.mean(label[chosen][nearest_ones] != label[z])
            counts[z] += 1
    errors /= counts
    if prior == "empirical":
        return float(errors.mean())
    return float(0.5 * (errors[: len(x)].mean() + errors[len(x) :].mean()))


@pytest.mark.parametrize("train", [0.3, 0.5, 0.8])
@pytest.mark.parametrize("prior", ["half", "empirical"])
def test_nn_risk_is_the_mean_over_all_splits(train: float, prior: str) -> None:
    x, y = draw(4, 2, 0), draw(5, 2, 1, 0.7)
    assert dv.nn_risk(x, y, train, prior) == pytest.approx(risk_by_enumeration(x, y, train, prior), abs=1e-14)


def test_ties_are_orders_with_the_same_probability() -> None:
    x, y = np.array([[0.0], [1.0], [1.0]]), np.array([[1.0], [0.0], [2.0], [2.0]])
    # Among tied neighbours each is first with the same probability, whichever of them train.
    assert dv.nn_risk(x, y) == pytest.approx(risk_by_enumeration(x, y, 0.5, "half"), abs=1e-14)


def test_samples_of_one_distribution_have_risk_one_half_whatever_their_sizes() -> None:
    found = [dv.nn_risk(draw(7, 2, s), draw(26, 2, 1000 + s)) for s in range(200)]
    literal = [dv.nn_risk(draw(7, 2, s), draw(26, 2, 1000 + s), prior="empirical") for s in range(200)]
    assert np.mean(found) == pytest.approx(0.5 * 33 / 32, abs=0.01)
    assert np.mean(literal) == pytest.approx(0.5 - 0.166, abs=0.02)


def test_risk_is_symmetric_and_does_not_change_with_scale_shift_and_order() -> None:
    x, y = draw(9, 3, 0), draw(12, 3, 1, 0.5)
    risk = dv.nn_risk(x, y)
    assert dv.nn_risk(y, x) == pytest.approx(risk, abs=1e-15)
    assert dv.nn_risk(1024.0 * x[::-1], 1024.0 * y) == pytest.approx(risk, abs=1e-15)
    assert dv.nn_risk(x * 1e250, y * 1e250) == pytest.approx(risk, abs=1e-12)
    assert dv.nn_risk(x, x + 100.0) < 0.01


# Risk at every prior


def thinned_errors(x: FloatArray, y: FloatArray, k: int) -> tuple[float, float]:
    """Mean leave-one-out errors of either set over all choices of k vectors of the first."""
    of_x, of_y = [], []
    within, across, beyond = squares(x, x), squares(x, y), squares(y, y)
    for stay in combinations(range(len(x)), k):
        for z in stay:
            own = min((within[z, s] for s in stay if s != z), default=np.inf)
            of_x.append(across[z].min() < own)
        for z in range(len(y)):
            own = min(beyond[z, s] for s in range(len(y)) if s != z)
            of_y.append(min(across[s, z] for s in stay) < own)
    return float(np.mean(of_x)), float(np.mean(of_y))


def curve_by_enumeration(x: FloatArray, y: FloatArray) -> FloatArray:
    n, m = len(x), len(y)
    found = []
    for k in range(1, n + 1):
        prior = k / (k + m)
        a, b = thinned_errors(x, y, k)
        found.append(prior * a + (1 - prior) * b)
    for k in range(m - 1, 0, -1):
        prior = n / (n + k)
        b, a = thinned_errors(y, x, k)
        found.append(prior * a + (1 - prior) * b)
    return np.array(found)


def test_risk_curve_is_the_leave_one_out_error_over_all_thinned_samples() -> None:
    x, y = draw(4, 2, 0), draw(6, 2, 1, 0.5)
    np.testing.assert_allclose(dv.nn_risk_curve(x, y), curve_by_enumeration(x, y), atol=1e-14)


@pytest.mark.parametrize("pool", ["printed", "holdout"])
def test_other_pools_by_monte_carlo(pool: str) -> None:
    x, y = draw(6, 2, 0), draw(8, 2, 1, 0.8)
    prior, k, rng = 3 / 11, 3, np.random.default_rng(2)
    within, across = squares(x, x), squares(x, y)
    errors = np.zeros(6)
    for z in range(6):
        # Eq. 5.41 counts the vectors of X before the nearest one of Y, and requires that all of them are left out of a
        # pool.
        nearer = int(((within[z] < across[z].min()) & (np.arange(6) != z)).sum())
        size = 6 if pool == "printed" else 5
        errors[z] = np.mean([(rng.permutation(size)[:k] >= nearer).all() for _ in range(4000)])
    of_y = thinned_errors(x, y, k)[1]
    expected = prior * errors.mean() + (1 - prior) * of_y
    assert dv.nn_risk_curve(x, y, [prior], pool=pool)[0] == pytest.approx(expected, abs=0.006)


def test_risk_curve_turns_round_with_the_sets_and_rounds_priors_to_whole_vectors() -> None:
    x, y = draw(10, 2, 0), draw(7, 2, 1, 0.5)
    priors = np.array([0.0, 0.05, 0.3, 10 / 17, 0.8, 0.99, 1.0])
    np.testing.assert_allclose(dv.nn_risk_curve(x, y, priors), dv.nn_risk_curve(y, x, 1 - priors), atol=1e-14)
    # Two of ten stay at priors about 2 / 9; errors are weighted by the prior itself.
    at = dv.nn_risk_curve(x, y, [2 / 9 - 0.01, 2 / 9, 2 / 9 + 0.01])
    assert at[0] + at[2] == pytest.approx(2 * at[1], abs=1e-14)


def test_curves_of_all_pairs_are_those_of_single_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    sets = SequenceSet.from_arrays([rng.normal(size=(n, 3)) for n in (1, 2, 5, 9, 5, 12)])
    # In no order, with repetitions, and with many where a number of vectors is half way between two whole ones.
    priors = np.array([0.5, 0.0, 0.001, 0.2, 0.77, 1.0, 0.2, *(np.arange(1, 40) / 40), *(np.arange(1, 14) / 14)])
    for limit in (1 << 24, 0):
        monkeypatch.setattr(nearest, "_TABLES", limit)
        for pairs, risks in nearest.pairwise_nn_risk_curves(sets, priors):
            for (i, j), curve in zip(pairs, risks, strict=True):
                np.testing.assert_allclose(curve, dv.nn_risk_curve(sets[i], sets[j], priors), atol=1e-14)


# Divergences by nearest neighbours


def test_jeffreys_is_the_sum_of_both_directions() -> None:
    x, y = draw(20, 2, 0), draw(33, 2, 1, 0.5)
    for options in ({}, {"tail": "linear"}, {"limits": (0.1, 0.8)}, {"grid": "uniform", "n_priors": 50}):
        both = dv.nn_kl(x, y, **options) + dv.nn_kl(y, x, **{**options, "limits": turned(options.get("limits"))})
        assert dv.nn_jeffreys(x, y, **options, clip=False) == pytest.approx(both, abs=1e-9)


def turned(limits: tuple[float, float] | None) -> tuple[float, float] | None:
    return None if limits is None else (1 - limits[1], 1 - limits[0])


def test_nn_kl_is_the_integral_of_the_curve() -> None:
    x, y = draw(15, 2, 0), draw(10, 2, 1, 1.0)
    priors = dv.realisable_priors(15, 10)
    information = priors * (1 - priors) - 0.5 * dv.nn_risk_curve(x, y)
    expected = np.trapezoid(information / (priors**2 * (1 - priors)), priors)
    assert dv.nn_kl(x, y) == pytest.approx(expected, abs=1e-12)
    uniform = np.linspace(1e-3, 1 - 1e-3, 300)
    information = uniform * (1 - uniform) - 0.5 * dv.nn_risk_curve(x, y, uniform)
    expected = np.trapezoid(information / (uniform**2 * (1 - uniform)), uniform)
    assert dv.nn_kl(x, y, grid="uniform", n_priors=300) == pytest.approx(expected, abs=1e-10)


def test_nn_kl_comes_near_the_divergence_of_gaussians() -> None:
    found = np.mean([dv.nn_kl(draw(500, 2, s), draw(500, 2, 100 + s, 1.0)) for s in range(20)])
    assert found == pytest.approx(1.0, abs=0.12)


def test_the_printed_grid_is_far_off_on_small_sets() -> None:
    pairs = [(draw(25, 1, s), draw(25, 1, 500 + s, 0.5)) for s in range(60)]
    printed = np.mean([dv.nn_kl(x, y, grid="uniform") for x, y in pairs]) - 0.125
    default = np.mean([dv.nn_kl(x, y) for x, y in pairs]) - 0.125
    assert printed > 1.0
    assert abs(default) < 0.15


def test_duplicated_points_are_exactly_tied_wherever_they_stand() -> None:
    values = np.random.default_rng(0).normal(size=(9, 7)) / 3.0
    x, y = np.repeat(values, 2, axis=0), np.repeat(values[:6], 3, axis=0)
    for estimate in (dv.nn_kl, dv.nn_jeffreys, dv.wang_kl, dv.wang_jeffreys):
        found = estimate(x, y)
        assert np.isfinite(found)
        assert estimate(x[::-1], y[np.random.default_rng(1).permutation(len(y))]) == pytest.approx(found, abs=1e-12)
    # Equal sets, each vector with its twin in the other one, are indistinguishable.
    assert dv.nn_jeffreys(values, values) == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("n, m", [(1, 2), (2, 1), (1, 40), (3, 200), (2, 2)])
def test_small_and_unequal_sets_have_an_estimate(n: int, m: int) -> None:
    x, y = draw(n, 3, 0), draw(m, 3, 1)
    assert np.isfinite([dv.nn_kl(x, y), dv.nn_kl(y, x), dv.nn_jeffreys(x, y), dv.nn_risk(x, y)]).all()
    assert np.isfinite(dv.nn_kl(np.zeros_like(x), np.zeros_like(y)))


# Wang, Kulkarni and Verdu


def wang_from_its_definition(x: FloatArray, y: FloatArray, k: int) -> float:
    to_y = np.sqrt(np.sort(squares(x, y), axis=1)[:, k - 1])
    to_x = np.sqrt(np.sort(squares(x, x), axis=1)[:, k])
    return float(x.shape[1] * np.log(to_y / to_x).mean() + np.log(len(y) / (len(x) - 1)))


@pytest.mark.parametrize("k", [1, 2, 5])
def test_wang_by_its_definition(k: int) -> None:
    x, y = draw(40, 3, 0), draw(55, 3, 1, 0.3)
    forth, back = wang_from_its_definition(x, y, k), wang_from_its_definition(y, x, k)
    assert dv.wang_kl(x, y, k) == pytest.approx(forth, abs=1e-12)
    assert dv.wang_jeffreys(x, y, k, clip=False) == pytest.approx(forth + back, abs=1e-12)
    assert dv.wang_jeffreys(x, x + 1e-9, k) >= 0.0


def test_a_feature_of_one_value_is_no_dimension() -> None:
    sets = [draw(12, 2, seed, 0.3 * seed) for seed in range(4)]
    idle = [np.column_stack([vectors, np.full(12, 7.0)]) for vectors in sets]
    assert dv.wang_kl(idle[0], idle[1]) == pytest.approx(dv.wang_kl(sets[0], sets[1]), abs=1e-12)
    # Two sets at other values differ in that feature, and those at the same value do not.
    idle[2][:, 2], idle[3][:, 2] = 8.0, 8.0
    found, plain = (dv.pairwise_jeffreys(some, ("wang",))["wang"] for some in (idle, sets))
    for i, j in ((0, 1), (2, 3)):
        assert found[i, j] == pytest.approx(plain[i, j], abs=1e-10)
    assert found[0, 2] == pytest.approx(
        sum(wang_from_its_definition(*pair, 1) for pair in ((idle[0], idle[2]), (idle[2], idle[0]))), abs=1e-10
    )


def test_a_zero_distance_counts_as_a_tenth_of_the_least_positive_one() -> None:
    x, y = np.array([[0.0], [0.0], [4.0]]), np.array([[0.0], [1.0], [7.0]])
    nu, rho = np.array([0.1, 0.1, 3.0]), np.array([0.1, 0.1, 4.0])
    assert dv.wang_kl(x, y) == pytest.approx(np.log(nu / rho).mean() + np.log(3 / 2), abs=1e-14)


# All pairs


def test_all_pairs_agree_with_single_pairs() -> None:
    rng = np.random.default_rng(3)
    arrays = [rng.normal(size=(int(rng.integers(2, 30)), 5)) for _ in range(9)] + [np.ones((3, 5)), np.ones((2, 5))]
    sets = SequenceSet.from_arrays(arrays)
    found = dv.pairwise_jeffreys(sets, ("nn", "wang"))
    risk, bound = dv.pairwise_nn_risk(sets), dv.pairwise_mahalanobis_bound_jeffreys(sets, (1e-3, 1 - 1e-3), "pinv")
    for i, j in combinations(range(len(arrays)), 2):
        x, y = arrays[i], arrays[j]
        assert found["nn"][i, j] == pytest.approx(dv.nn_jeffreys(x, y, clip=False), abs=1e-11)
        assert found["wang"][i, j] == pytest.approx(dv.wang_jeffreys(x, y, clip=False), abs=1e-11)
        assert risk[i, j] == pytest.approx(dv.nn_risk(x, y), abs=1e-13)
        alone = dv.mahalanobis_bound_jeffreys(x, y, (1e-3, 1 - 1e-3), "pinv")
        assert bound[i, j] == pytest.approx(alone, rel=1e-9, abs=1e-12)


def test_estimates_of_one_pair_share_its_neighbours_and_of_no_other() -> None:
    x, y = draw(30, 2, 0), draw(25, 2, 1, 0.7)

    def estimates(x: np.ndarray, y: np.ndarray) -> list[float]:
        return [
            dv.nn_kl(x, y),
            dv.wang_kl(x, y),
            dv.nn_kl(x, y, grid="uniform"),
            dv.wang_kl(x, y, 3),
            dv.nn_jeffreys(x, y),
        ]

    def alone(x: np.ndarray, y: np.ndarray) -> list[float]:
        found = []
        for k in range(5):
            forget()
            found.append(estimates(x, y)[k])
            forget()
        return found

    first = estimates(x, y)
    assert first == estimates(x, y)
    # The same arrays with other numbers in them, the sets in the other order, other sets of the same vectors.
    x[4] += 1.0
    assert estimates(x, y) == alone(x, y) != first
    assert estimates(y, x) == alone(y, x)
    both = np.concatenate([x, y])
    assert estimates(both[:20], both[20:]) == alone(both[:20], both[20:])
    # The distances themselves are not kept.
    within, _ = neighbours.compared(both[:20], both[20:], 1)
    assert within.own.nbytes + within.columns.nbytes == 0


def test_collections_too_large_to_keep_their_distances(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(4)
    arrays = [rng.normal(size=(n, 2)) for n in (300, 5, 270)] + [np.repeat(rng.normal(size=(9, 2)), 2, axis=0)]
    kept, risk = dv.pairwise_jeffreys(arrays, ("nn", "wang")), dv.pairwise_nn_risk(SequenceSet.from_arrays(arrays))
    monkeypatch.setattr(neighbours, "MAX_STORED_DISTANCES", 100)
    again = dv.pairwise_jeffreys(arrays, ("nn", "wang"))
    for name in kept:
        np.testing.assert_allclose(again[name], kept[name], atol=1e-11)
    np.testing.assert_allclose(dv.pairwise_nn_risk(SequenceSet.from_arrays(arrays)), risk, atol=1e-13)


@pytest.mark.parametrize("most", [1 << 20, 100])
def test_a_pair_too_large_to_keep_its_distances(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbours, "STORED_OF_A_PAIR", most)
    x, y = draw(300, 2, 0), np.repeat(draw(140, 2, 1, 0.4), 2, axis=0)
    forget()
    within, runs = neighbours.compared(x, y, 2)
    cross = ((x[:, None] - y) ** 2).sum(axis=2)
    own = [((a[:, None] - a) ** 2).sum(axis=2) + np.diag(np.full(len(a), np.inf)) for a in (x, y)]
    np.testing.assert_allclose(within.near, np.concatenate([a.min(axis=1) for a in own]), rtol=1e-12)
    second = [np.sort(a, axis=1)[:, 1] for a in (cross, cross.T)]
    np.testing.assert_allclose(runs.logs[:, 0], [0.5 * np.log(a).sum() for a in second], rtol=1e-9)
    before = (own[0] < cross.min(axis=1)[:, None]).sum(axis=1)
    np.testing.assert_allclose(runs.own[0, 0], np.bincount(before, minlength=runs.own.shape[2]), atol=1e-12)
    forget()


# Gaussians and bounds


def test_kl_of_gaussians_in_closed_form_and_by_integration() -> None:
    def density(t: float, mean: float, variance: float) -> float:
        return float(np.exp(-((t - mean) ** 2) / (2 * variance)) / np.sqrt(2 * np.pi * variance))

    def integrand(t: float) -> float:
        return density(t, 0.3, 0.5) * np.log(density(t, 0.3, 0.5) / density(t, -1.0, 2.0))

    from kinseq.divergences.gaussian import kl_of_gaussians

    assert kl_of_gaussians([0.3], [[0.5]], [-1.0], [[2.0]]) == pytest.approx(quad(integrand, -9, 9)[0], abs=1e-9)
    x, y = draw(30, 4, 0), draw(50, 4, 1, 0.5)
    p, q, gap = np.cov(x.T), np.cov(y.T), y.mean(axis=0) - x.mean(axis=0)
    expected = 0.5 * (
        np.trace(np.linalg.solve(q, p))
        + gap @ np.linalg.solve(q, gap)
        - 4
        + np.log(np.linalg.det(q) / np.linalg.det(p))
    )
    assert dv.gaussian_kl(x, y) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("limits", [(0.0, 1.0), (0.1, 0.7), (1e-3, 1.0)])
def test_bounds_by_quadrature(limits: tuple[float, float]) -> None:
    x, y = draw(50, 3, 0) * [1.0, 2.0, 0.3], draw(60, 3, 1, 1.0)
    p, q, gap = np.cov(x.T), np.cov(y.T), x.mean(axis=0) - y.mean(axis=0)

    def distance(prior: float) -> float:
        return float(gap @ np.linalg.solve(prior * p + (1 - prior) * q, gap))

    def kl(prior: float) -> float:
        return (1 - prior) * distance(prior) / (1 + prior * (1 - prior) * distance(prior))

    def jeffreys(prior: float) -> float:
        return distance(prior) / (1 + prior * (1 - prior) * distance(prior))

    assert dv.mahalanobis_bound_kl(x, y, limits) == pytest.approx(quad(kl, *limits)[0], abs=1e-10)
    assert dv.mahalanobis_bound_jeffreys(x, y, limits) == pytest.approx(quad(jeffreys, *limits)[0], abs=1e-10)


@pytest.mark.parametrize("d", [3, 40])
def test_bounds_of_all_pairs_by_quadrature(d: int) -> None:
    """Floored covariances are low rank plus a multiple of the identity for small sets, and any matrix for large ones."""
    rng = np.random.default_rng(d)
    units = np.exp(rng.normal(size=d, scale=2.0))
    arrays = [(rng.normal(size=(n, d)) + 0.5 * rng.normal(size=d)) * units for n in (1, 2, 5, 12, 5, 90)]
    arrays.append(np.repeat(arrays[2][:1], 3, axis=0))
    found = dv.pairwise_mahalanobis_bound_jeffreys(arrays)
    scale = np.concatenate(arrays).var(axis=0)

    def lifted(x: np.ndarray) -> np.ndarray:
        matrix = np.atleast_2d(np.cov(x.T)) if len(x) > 1 else np.zeros((d, d))
        values, vectors = np.linalg.eigh(matrix / np.sqrt(scale[:, None] * scale))
        return (vectors * np.maximum(values, 1e-3)) @ vectors.T * np.sqrt(scale[:, None] * scale)

    for i, j in combinations(range(len(arrays)), 2):
        p, q, gap = lifted(arrays[i]), lifted(arrays[j]), arrays[i].mean(axis=0) - arrays[j].mean(axis=0)

        def integrand(odds: float, p: np.ndarray = p, q: np.ndarray = q, gap: np.ndarray = gap) -> float:
            prior = 1.0 / (1.0 + np.exp(-odds))
            distance = float(gap @ np.linalg.solve(prior * p + (1 - prior) * q, gap)) * prior * (1 - prior)
            return distance / (1 + distance)

        assert found[i, j] == pytest.approx(quad(integrand, -40, 40, limit=200)[0], rel=1e-7)
        assert found[j, i] == found[i, j]


def test_bounds_lie_below_the_divergence_of_the_gaussians() -> None:
    for seed in range(5):
        x, y = draw(400, 3, seed, 0.4 * seed), draw(400, 3, 50 + seed) * [1.0, 1.5, 0.7]
        assert dv.mahalanobis_bound_kl(x, y) <= dv.gaussian_kl(x, y)
        both = dv.gaussian_kl(x, y) + dv.gaussian_kl(y, x)
        assert dv.mahalanobis_bound_jeffreys(x, y) <= both
    # Equal means: the bound sees nothing.
    centred = draw(40, 2, 0) - draw(40, 2, 0).mean(axis=0)
    assert dv.mahalanobis_bound_jeffreys(centred, 3.0 * centred) == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("covariance", ["floor", "pinv", "ledoit_wolf"])
def test_fewer_vectors_than_features(covariance: str) -> None:
    x, y = draw(4, 9, 0), draw(3, 9, 1)
    assert 0 < dv.mahalanobis_bound_jeffreys(x, y, (1e-3, 1 - 1e-3), covariance) < 100
    one = dv.mahalanobis_bound_jeffreys(np.ones((3, 2)), np.ones((4, 2)), (1e-3, 1 - 1e-3), covariance)
    assert one == pytest.approx(0.0, abs=1e-12)
    if covariance == "floor":
        assert np.isfinite(dv.gaussian_kl(x[:1], y))


# Maximum mean discrepancy


def test_mmd_by_the_double_sum() -> None:
    x, y, sigma = draw(20, 3, 0), draw(31, 3, 1, 0.5), 1.3

    def kernel(a: FloatArray, b: FloatArray) -> FloatArray:
        return np.exp(-squares(a, b) / (2 * sigma**2))

    xx, yy, xy = kernel(x, x), kernel(y, y), kernel(x, y)
    biased = xx.mean() + yy.mean() - 2 * xy.mean()
    unbiased = (xx.sum() - 20) / (20 * 19) + (yy.sum() - 31) / (31 * 30) - 2 * xy.mean()
    assert dv.mmd2(x, y, sigma) == pytest.approx(biased, abs=1e-14)
    assert dv.mmd2(x, y, sigma, unbiased=True) == pytest.approx(unbiased, abs=1e-14)
    both = np.concatenate([x, y])
    median = np.median(np.sqrt(squares(both, both)[np.triu_indices(51, k=1)]))
    assert dv.median_distance(both) == pytest.approx(median, rel=1e-3)
    assert dv.mmd2(x, y) == dv.mmd2(x, y, dv.median_distance(both))
    assert dv.median_distance(np.zeros((5, 2))) == 1.0
    assert dv.median_distance(1e200 * both) == pytest.approx(1e200 * dv.median_distance(both))


def test_mmd_of_all_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    sets = SequenceSet.from_arrays([rng.normal(size=(int(n), 5)) for n in rng.integers(1, 40, size=12)])
    monkeypatch.setattr(mmd, "_ROWS", 30)
    monkeypatch.setattr(mmd, "_COLUMNS", 50)
    found = dv.pairwise_mmd2(sets, 2.0)
    assert (found == found.T).all()
    assert (np.diag(found) == 0).all()
    for i, j in combinations(range(12), 2):
        assert found[i, j] == pytest.approx(dv.mmd2(sets[i], sets[j], 2.0), abs=1e-14)


@pytest.mark.parametrize("train", [0.5, 0.05])
@pytest.mark.parametrize("grid", [None, 1.0])
def test_nn_risk_of_many_vectors_is_the_sum_over_all_ranks(train: float, grid: float | None) -> None:
    """Far neighbours are passed over where their chance is nil; ties, of vectors on a grid, are shared."""
    draw = np.random.default_rng(4)
    x, y = draw.normal(size=(150, 2)), draw.normal(0.7, 1.0, size=(130, 2))
    if grid is not None:
        x, y = np.round(x / grid) * grid, np.round(y / grid) * grid
    both, n = np.concatenate([x, y]), len(x)
    size = int(train * len(both))
    errors = np.zeros(2)
    for i, vector in enumerate(both):
        others = np.arange(len(both)) != i
        squares = ((both[others] - vector) ** 2).sum(axis=1)
        foreign = (np.arange(len(both))[others] < n) != (i < n)
        # The nearest training vector is at a distance if one there trains and no nearer one does.
        for value in np.unique(squares):
            nearer, here = int((squares < value).sum()), squares == value
            ahead = math.comb(len(squares) - nearer, size) - math.comb(len(squares) - nearer - int(here.sum()), size)
            errors[int(i >= n)] += ahead / math.comb(len(squares), size) * foreign[here].mean()
    expected = 0.5 * (errors[0] / n + errors[1] / len(y))
    assert dv.nn_risk(x, y, train) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("n", [2, 3, 4, 5, 300, 701])
def test_median_distance_is_that_of_all_pairs(n: int) -> None:
    """The root of the median square, whether the number of pairs is odd or even."""
    values = np.random.default_rng(n).normal(size=(n, 3))
    assert dv.median_distance(values) ** 2 == pytest.approx(np.median(pdist(values, "sqeuclidean")), rel=1e-12)
    mostly = np.concatenate([values[:2], np.repeat(values[:1], 9, axis=0)])
    squares = pdist(mostly, "sqeuclidean")
    assert dv.median_distance(mostly) ** 2 == pytest.approx(np.median(squares[squares > 0]), rel=1e-12)
