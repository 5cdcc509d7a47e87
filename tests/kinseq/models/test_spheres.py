"""Enclosing spheres against a general solver, and their merging against geometry."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from kinseq.clustering import sphere_packing
from kinseq.core.arrays import FloatArray
from kinseq.core.sequences import SequenceSet
from kinseq.models.spheres import Spheres, enclosing_sphere, enclosing_spheres, merge_pair, merge_spheres, packed


def gaussian(x: FloatArray, y: FloatArray, sigma: float = 1.0) -> FloatArray:
    return np.exp(-((x[:, None] - y) ** 2).sum(axis=-1) / (2 * sigma**2))


def linear(x: FloatArray, y: FloatArray) -> FloatArray:
    return x @ y.T


def by_a_general_solver(K: FloatArray, ceiling: float) -> float:
    """Largest value of the dual: the squared radius of the hard sphere."""
    n = len(K)
    found = minimize(
        lambda a: a @ K @ a - a @ np.diag(K),
        np.full(n, 1 / n),
        jac=lambda a: 2 * K @ a - np.diag(K),
        bounds=[(0, ceiling)] * n,
        constraints={"type": "eq", "fun": lambda a: a.sum() - 1, "jac": lambda a: np.ones(n)},
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    )
    return -float(found.fun)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("C", [None, 0.4, 0.15, 0.05])
@pytest.mark.parametrize("kernel", [gaussian, linear])
def test_dual_is_that_of_a_general_solver(seed: int, C: float | None, kernel: object) -> None:
    x = np.random.default_rng(seed).normal(size=(12, 2)) + 3.0
    K = kernel(x, x)  # type: ignore[operator]
    found = enclosing_sphere(K, C)
    ceiling = 1.0 if C is None else max(C, 1 / 12)
    a = found.coefficients
    assert a.sum() == pytest.approx(1, abs=1e-12)
    assert (a >= 0).all()
    assert (a <= ceiling * (1 + 1e-12)).all()
    assert a @ np.diag(K) - a @ K @ a == pytest.approx(by_a_general_solver(K, ceiling), abs=1e-7)
    squares = np.diag(K) - 2 * K @ a + a @ K @ a
    np.testing.assert_allclose(found.distances**2, squares, atol=1e-9)
    # Conditions of optimality: vectors without a coefficient are inside, those at the ceiling not.
    assert (found.distances[a == 0] <= found.radius + 1e-6).all()
    assert (found.distances[a >= ceiling] >= found.radius - 1e-6).all()
    if C is None:
        assert found.radius == pytest.approx(np.sqrt(by_a_general_solver(K, 1.0)), abs=1e-6)
        assert found.distances.max() == pytest.approx(found.radius, abs=1e-6)


def test_spheres_of_known_figures() -> None:
    triangle = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(3) / 2], [0.5, 0.3]]) + 1e6
    assert enclosing_sphere(triangle @ triangle.T).radius == pytest.approx(1 / np.sqrt(3), rel=1e-3)
    line = np.array([[0.0], [1.0], [10.0]])
    found = enclosing_sphere(line @ line.T)
    assert found.radius == pytest.approx(5)
    np.testing.assert_allclose(found.coefficients, [0.5, 0, 0.5], atol=1e-9)
    assert enclosing_sphere([[2.0]]).radius == 0.0
    assert enclosing_sphere(np.ones((5, 5)), 0.1).radius == 0.0


def test_radius_without_a_vector_on_the_sphere() -> None:
    """Ten vectors with C = 0.05: all are at the ceiling 1 / 10, the centre is the mean."""
    x = np.random.default_rng(0).normal(size=(10, 2))
    distances = np.linalg.norm(x - x.mean(axis=0), axis=1)
    K = x @ x.T
    np.testing.assert_allclose(enclosing_sphere(K, 0.05).coefficients, 0.1)
    assert enclosing_sphere(K, 0.05).radius == pytest.approx(distances.min())
    assert enclosing_sphere(K, 0.05, radius="maximum").radius == pytest.approx(distances.max())
    assert enclosing_sphere(K, 0.05, radius="dual").radius == pytest.approx(np.sqrt((distances**2).mean()))
    # C = 1 / (nu n): with nu = 1 all vectors count alike, with nu = 1 / n the sphere is hard.
    np.testing.assert_allclose(enclosing_sphere(K, nu=1.0).coefficients, 0.1)
    assert enclosing_sphere(K, nu=0.1).radius == pytest.approx(enclosing_sphere(K).radius)


@pytest.mark.parametrize("nu", [0.1, 0.3, 0.6])
def test_nu_bounds_the_share_of_outliers_and_of_support(nu: float) -> None:
    x = np.concatenate([np.random.default_rng(0).normal(size=(95, 2)), np.full((5, 2), 8.0)])
    hard, soft = enclosing_sphere(gaussian(x, x, 2.0)), enclosing_sphere(gaussian(x, x, 2.0), nu=nu)
    assert soft.radius < hard.radius
    outside = soft.distances > soft.radius + 1e-6
    assert outside.mean() <= nu
    assert nu < 0.2 or outside[-5:].all()  # five of a hundred can hold the centre near them
    assert (soft.coefficients > 0).mean() >= nu


# Pairs


def test_merging_two_spheres_on_a_line() -> None:
    assert merge_pair(100.0, 1.0, 3.0) == pytest.approx((7.0, 0.6))
    assert merge_pair(1.0, 5.0, 2.0) == (5.0, 0.0)
    assert merge_pair(1.0, 2.0, 5.0) == (5.0, 1.0)
    assert merge_pair(0.0, 2.0, 2.0) == (2.0, 0.0)
    assert merge_pair(4.0, 0.0, 0.0) == pytest.approx((1.0, 0.5))


def merged_by_definition(centres: FloatArray, radii: FloatArray) -> FloatArray:
    """Algorithm 2 with explicit centres."""
    spheres = {i: (centre, float(radius), 1) for i, (centre, radius) in enumerate(zip(centres, radii, strict=True))}
    rows = []
    for step in range(len(radii) - 1):
        best = None
        for i in spheres:
            for j in spheres:
                if i < j:
                    d = np.linalg.norm(spheres[i][0] - spheres[j][0])
                    r = max(spheres[i][1], spheres[j][1], (d + spheres[i][1] + spheres[j][1]) / 2)
                    if best is None or r < best[0]:
                        best = (r, i, j, d)
        assert best is not None
        r, i, j, d = best
        (a, r_a, n_a), (b, r_b, n_b) = spheres.pop(i), spheres.pop(j)
        centre = a if r == r_a else b if r == r_b else a - (r - r_a) * (a - b) / d
        spheres[len(radii) + step] = (centre, r, n_a + n_b)
        rows.append([i, j, r, n_a + n_b])
    return np.array(rows)


@pytest.mark.parametrize("seed", range(5))
def test_merges_are_those_of_the_algorithm_with_explicit_centres(seed: int) -> None:
    rng = np.random.default_rng(seed)
    centres, radii = rng.normal(size=(25, 3)), rng.gamma(1.0, 0.7, size=25)
    squares = ((centres[:, None] - centres) ** 2).sum(axis=-1)
    merges, shares = merge_spheres(Spheres(np.zeros(0), radii, squares))
    np.testing.assert_allclose(merges, merged_by_definition(centres, radii), atol=1e-9)
    assert (np.diff(merges[:, 2]) >= -1e-12).all()
    labels, weights, last = packed(merges, shares, radii, 4)
    np.testing.assert_allclose(weights.sum(axis=1), 1)
    # Every sphere lies inside the one that it was packed into.
    for i in range(25):
        assert np.linalg.norm(centres[i] - weights[labels[i]] @ centres) + radii[i] <= last[labels[i]] + 1e-9


def test_distances_between_centres_in_feature_space() -> None:
    rng = np.random.default_rng(0)
    sets = SequenceSet.from_arrays([rng.normal(size=(int(n), 3)) + i % 2 for i, n in enumerate(rng.integers(1, 40, 9))])
    for kernel in ("gaussian", "linear"):
        found = enclosing_spheres(sets, kernel, sigma=1.3, C=0.1)
        by_hand = enclosing_spheres(sets, (lambda x, y: gaussian(x, y, 1.3)) if kernel == "gaussian" else linear, C=0.1)
        np.testing.assert_allclose(found.squares, by_hand.squares, atol=1e-9)
        np.testing.assert_allclose(found.radii, by_hand.radii, atol=1e-9)
    centres = np.array(
        [found.coefficients[a:b] @ sets.values[a:b] for a, b in zip(sets.offsets, sets.offsets[1:], strict=False)]
    )
    np.testing.assert_allclose(found.squares, ((centres[:, None] - centres) ** 2).sum(axis=-1), atol=1e-9)


# Clustering


def test_packing_recovers_blobs_and_puts_labelled_items_together() -> None:
    rng = np.random.default_rng(0)
    sets = [rng.normal(size=(30, 2)) + 6.0 * (i % 3) for i in range(12)]
    found = sphere_packing(sets, 3)
    assert found.labels.tolist() == [0, 1, 2] * 4
    assert found.merges.shape == (11, 4)
    single = [rng.normal(size=(1, 2)) + 6.0 * (i % 2) for i in range(10)]
    groups = [0, 1, 0, 1, -1, -1, -1, -1, -1, -1]
    half = sphere_packing(single, 2, kernel="linear", C=None, groups=groups)
    assert half.items.tolist() == [0, 1, 0, 1, 2, 3, 4, 5, 6, 7]
    assert half.labels.tolist() == [0, 1] * 5
    assert sphere_packing(sets, 12).labels.tolist() == list(range(12))
    assert sphere_packing(sets[:1], 1).labels.tolist() == [0]
