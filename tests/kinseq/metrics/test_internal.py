"""Scores without labels, against their definitions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.cluster.hierarchy import complete, fcluster
from scipy.spatial.distance import squareform

from kinseq.clustering import spectral
from kinseq.core.errors import DataError
from kinseq.core.graphs.reference import unclustered
from kinseq.metrics import internal, maps
from tests.sentences import Recorded

RNG = np.random.default_rng(3)


def blobs(centres: list[float], each: int = 10, spread: float = 0.5, seed: int = 3) -> tuple[np.ndarray, np.ndarray]:
    """Points on a plane and their distances; the same for every test, in whatever order tests are run."""
    rng = np.random.default_rng(seed)
    points = np.concatenate([rng.normal([centre, 0.0], spread, size=(each, 2)) for centre in centres])
    return points, np.linalg.norm(points[:, None] - points, axis=2)


def test_silhouettes_are_those_of_scikit_learn() -> None:
    from sklearn.metrics import silhouette_samples

    _, distance = blobs([0, 2, 5])
    labels = np.repeat([2, 0, 7], 10)
    labels[4] = 1
    expected = silhouette_samples(distance, labels, metric="precomputed")
    np.testing.assert_allclose(internal.silhouettes(distance, labels), expected, atol=1e-12)


def test_silhouettes_without_a_second_cluster_or_a_distance(recorded: Recorded) -> None:
    _, distance = blobs([0])
    assert not internal.silhouettes(distance, np.zeros(10)).any()
    assert not internal.silhouettes(np.zeros((4, 4)), [0, 0, 1, 1]).any()
    with recorded.raises(DataError):
        internal.silhouettes(distance, [0, 1])


def test_typicality_is_the_mean_over_the_others() -> None:
    _, distance = blobs([0, 4], 5)
    labels = np.repeat([0, 1], 5)
    expected = [np.mean([distance[i, j] for j in range(10) if j != i and labels[j] == labels[i]]) for i in range(10)]
    np.testing.assert_allclose(internal.typicality(distance, labels), expected)


def gaps(distance: np.ndarray, most: int = 7, seed: int = 0) -> internal.Numbers:
    drawn = (one for (one,) in unclustered([distance], 19, seed))
    return internal.compare_numbers(distance, drawn, range(2, most + 1), branches)


def branches(distance: np.ndarray, numbers: list[int]) -> list[np.ndarray]:
    """Cuts of the dendrogram, which cost little."""
    merges = complete(squareform(distance, checks=False))
    return [fcluster(merges, number, "maxclust") for number in numbers]


@pytest.mark.parametrize("number", [2, 3, 4])
def test_the_number_of_far_clusters_is_seen(number: int) -> None:
    draws = [gaps(blobs([10.0 * k for k in range(number)], seed=seed)[1]) for seed in range(20)]
    assert [found.best for found in draws] == [number] * 20
    # A second number is named if chance makes a peak of it, which is rare.
    assert sum(found.candidates == (number,) for found in draws) >= 17
    found = draws[0]
    assert found.p_value == 0.05
    assert found.n_clusters.tolist() == [2, 3, 4, 5, 6, 7]
    assert found.expected is not None
    assert (found.n_items, found.n_references) == (10 * number, 19)
    assert found.references is not None
    np.testing.assert_allclose(found.references.mean(axis=0), found.expected)
    assert np.mean(np.array(found.tops) >= found.tops[0]) == found.p_value


def test_one_gaussian_is_one_cluster_as_often_as_promised() -> None:
    found = [gaps(blobs([0.0], 30, seed=seed)[1], seed=seed) for seed in range(40)]
    # One in twenty is the promise; more than six of forty has a chance of half a percent.
    assert sum(one.best > 1 for one in found) <= 6
    assert all(len(one.candidates) == 2 for one in found if one.best == 1)


def curves(monkeypatch: pytest.MonkeyPatch, rows: list[list[float]]) -> internal.Numbers:
    """Comparison in which the k-th matrix has the k-th row for mean silhouettes."""
    flat = iter([value for row in rows for value in row])
    monkeypatch.setattr(internal, "silhouettes", lambda square, labels: np.array([next(flat)]))
    _, distance = blobs([0, 5])
    return internal.compare_numbers(distance, [distance] * (len(rows) - 1), range(2, len(rows[0]) + 2))


def test_what_counts_is_the_silhouette_corrected_for_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = [[0.6 + 0.01 * (-1) ** i, 0.2 - 0.01 * (-1) ** i, 0.2, 0.2] for i in range(20)]
    # Two clusters have the largest silhouette, also by chance; four are the most significant.
    found = curves(monkeypatch, [[0.65, 0.2, 0.5, 0.3], *chance])
    assert (found.best, found.candidates) == (4, (4,))
    np.testing.assert_allclose(found.corrected, [0.05 / 0.4, 0.0, 0.3 / 0.8, 0.1 / 0.8], atol=1e-12)
    np.testing.assert_allclose(found.expected, [0.6, 0.2, 0.2, 0.2])
    assert found.deviation == pytest.approx(0.01 * np.sqrt(20 / 19 * (1 / 0.4**2 + 1 / 0.8**2) / 4))
    assert found.p_value == pytest.approx(1 / 21)
    # A second peak within two deviations, 0.0287, is named, its neighbour is not.
    found = curves(monkeypatch, [[0.74, 0.2, 0.5, 0.49], *chance])
    assert (found.best, found.candidates) == (4, (4, 2))
    found = curves(monkeypatch, [[0.73, 0.2, 0.5, 0.49], *chance])
    assert found.candidates == (4,)


def test_where_nothing_stands_out_there_is_one_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [[0.2 + 0.01 * i, 0.3] for i in range(20)]
    found = curves(monkeypatch, [[0.2, 0.305], *rows])
    assert found.best == 1
    assert found.candidates == (1, 3)
    # Ten of the twenty exceed their mean at two clusters by more than the first does at three.
    assert found.p_value == pytest.approx(11 / 21)


def test_without_sets_to_compare_with_the_largest_silhouette_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    found = curves(monkeypatch, [[0.2, 0.6, 0.6]])
    assert (found.best, found.candidates, found.expected, found.p_value) == (3, (3,), None, None)


def test_no_number_can_be_tried_on_two() -> None:
    found = internal.compare_numbers([[0, 1], [1, 0]])
    assert (found.best, found.candidates, found.n_clusters.size) == (1, (1,), 0)


def test_items_without_clusters_vary_as_the_given_ones_do() -> None:
    rng = np.random.default_rng(4)
    points = rng.normal(size=(60, 3)) @ np.diag([5.0, 2.0, 1.0])
    far = np.abs(points[:, 0, None] - points[:, 0])
    both = np.linalg.norm(points[:, None] - points, axis=2)
    drawn = list(unclustered([1e200 * far, both], 40, 0))
    # Mean squared distances are twice the total variance, in every view and its unit.
    for view, given in enumerate((far, both)):
        means = np.mean([np.mean((pair[view] / (1e200 if view == 0 else 1.0)) ** 2) for pair in drawn])
        assert means == pytest.approx(np.mean(given**2), rel=0.1)
    # The first view sees one of the three directions of the second, for drawn items too.
    for one, other in drawn[:5]:
        assert (one <= 1e200 * other * (1 + 1e-6) + 1e190).all()
        assert np.corrcoef(one.ravel() / 1e200, other.ravel())[0, 1] > 0.8
        np.testing.assert_array_equal(other, other.T)
    again = next(unclustered([1e200 * far, both], 1, 0))
    np.testing.assert_array_equal(again[1], drawn[0][1])
    assert not np.array_equal(drawn[0][1], drawn[1][1])


def test_items_without_clusters_of_what_has_no_extent(recorded: Recorded) -> None:
    assert not np.concatenate(next(unclustered([np.zeros((4, 4))], 1, 0))).any()
    assert list(unclustered([np.ones((3, 3)) - np.eye(3)], 0, 0)) == []
    with recorded.raises(DataError):
        next(unclustered([np.zeros((4, 4)), np.zeros((3, 3))], 1, 0))
    with recorded.raises(DataError):
        next(unclustered([], 1, 0))


def cut(distance: np.ndarray, n_clusters: int) -> np.ndarray:
    return spectral(distance, n_clusters)


def test_far_clusters_are_stable_and_halves_of_one_are_not() -> None:
    _, distance = blobs([0, 20, 40])
    labels = np.repeat([0, 1, 2], 10)
    stable = internal.stability(distance, labels, cut, 20)
    np.testing.assert_allclose(stable.jaccard, 1.0)
    assert stable.ari == 1.0
    _, one = blobs([0], 40)
    assert internal.stability(one, RNG.integers(2, size=40), cut, 20).jaccard.max() < 0.75


def test_stability_is_the_mean_of_the_best_jaccard() -> None:
    _, distance = blobs([0, 20], 6)
    labels = np.repeat([0, 1], 6)
    # A clusterer that puts everything together: the best match of a cluster is the whole sample.
    found = internal.stability(distance, labels, lambda d, k: np.zeros(len(d), dtype=np.int64), 200, random_state=4)
    np.testing.assert_allclose(found.jaccard.sum(), 1.0, atol=0.05)
    assert found.ari == 0.0


def test_rank_correlation_is_spearmans() -> None:
    from scipy.stats import spearmanr

    _, a = blobs([0, 2])
    _, b = blobs([0, 1])
    upper = np.triu_indices(20, 1)
    assert internal.rank_correlation(a, b) == pytest.approx(spearmanr(a[upper], b[upper]).statistic)
    assert internal.rank_correlation(a, a**3) == pytest.approx(1.0)
    assert internal.rank_correlation(a, np.zeros_like(a)) == 0.0
    assert abs(internal.rank_correlation(a, a, most_items=5) - 1.0) < 1e-12


def test_classical_scaling_recovers_points_of_the_plane() -> None:
    _, distance = blobs([0, 3])
    found = maps.classical_mds(distance)
    np.testing.assert_allclose(np.linalg.norm(found[:, None] - found, axis=2), distance, atol=1e-9)


def test_maps_keep_far_clusters_apart() -> None:
    _, distance = blobs([0, 30], 15)
    for name, points in maps.maps(distance).items():
        assert np.isfinite(points).all(), name
        inner = np.linalg.norm(points[:15] - points[:15].mean(axis=0), axis=1).mean()
        assert np.linalg.norm(points[:15].mean(axis=0) - points[15:].mean(axis=0)) > 2 * inner, name
    assert set(maps.maps(np.zeros((9, 9)))) == {"MDS"}
    assert maps.maps(np.zeros((1, 1))) == {}


def test_samples_keep_every_cluster() -> None:
    labels = np.array([0] * 90 + [1] * 9 + [2])
    chosen = maps.sample_items(labels, 20)
    assert np.bincount(labels[chosen]).tolist() == [18, 1, 1]
    assert (np.diff(chosen) > 0).all()
    np.testing.assert_array_equal(maps.sample_items(labels, 100), np.arange(100))


def test_leaves_of_a_group_are_next_to_each_other() -> None:
    _, distance = blobs([0, 9], 4)
    grown = maps.tree(distance)
    assert grown is not None
    assert sorted(grown.leaves.tolist()) == list(range(8))
    assert {frozenset(grown.leaves[:4].tolist()), frozenset(grown.leaves[4:].tolist())} == {
        frozenset(range(4)),
        frozenset(range(4, 8)),
    }


def test_a_tree_joins_groups_from_inside() -> None:
    rng = np.random.default_rng(5)
    points = rng.normal(size=(40, 2))
    distance = np.hypot(*(points[:, None] - points).T)
    coarse = rng.integers(3, size=40)
    fine = 2 * coarse + rng.integers(2, size=40)
    grown = maps.tree(distance, [coarse, fine])
    assert grown is not None
    # Groups of random points would interleave; each stands in one piece, in the order of the names where it can.
    for groups in (coarse, fine):
        assert (np.diff(groups[grown.leaves]) != 0).sum() == len(np.unique(groups)) - 1
    members = [[item] for item in range(40)]
    for node, (left, right, height, size) in enumerate(grown.merges, 40):
        sides = [members[int(left)], members[int(right)]]
        members.append(sides[0] + sides[1])
        assert len(members[node]) == size
        below = [grown.merges[int(side) - 40, 2] for side in (left, right) if side >= 40]
        assert height == pytest.approx(max([distance[np.ix_(*sides)].mean(), *below]))
        if len(set(coarse[members[node]])) == 1 < len(set(fine[members[node]])):
            assert fine[sides[0]].max() < fine[sides[1]].min()


def test_the_share_between_clusters_is_the_adjusted_r_squared_of_a_regression_on_them():
    rng = np.random.default_rng(0)
    values, labels = rng.normal(size=30), rng.integers(4, size=30)
    design = (labels[:, None] == np.arange(4)).astype(float)
    residual = values - design @ np.linalg.lstsq(design, values, rcond=None)[0]
    expected = 1 - (residual @ residual / (30 - 4)) / values.var(ddof=1)
    assert internal.share_between(values, labels) == pytest.approx(expected)
    assert internal.share_between(3.0 * values + 7.0, 10 * labels) == pytest.approx(expected)


def test_the_share_between_clusters_is_0_by_chance_and_where_nothing_can_be_said():
    rng = np.random.default_rng(0)
    drawn = [internal.share_between(rng.normal(size=40), np.arange(40) % 8) for _ in range(400)]
    assert np.mean(drawn) == pytest.approx(0.0, abs=0.02)
    assert internal.share_between([1, 1, 5, 5], [0, 0, 1, 1]) == 1.0
    assert internal.share_between([2, 2, 2], [0, 1, 1]) == 0.0
    assert internal.share_between([1, 2, 3], [0, 1, 2]) == 0.0
    for values, labels in (([1, np.nan], [0, 1]), ([1, 2], [0]), ([[1, 2]], [0, 1])):
        with pytest.raises(DataError, match="share_between"):
            internal.share_between(values, labels)


def test_items_on_a_line_have_one_axis_and_new_ones_are_placed_on_it() -> None:
    places = np.random.default_rng(0).normal(size=12)
    distance = np.abs(places[:, None] - places)
    points = maps.classical_mds(distance)
    np.testing.assert_array_equal(points[:, 1], 0.0)
    np.testing.assert_allclose(np.abs(points[:, :1] - points[:, 0]), distance, atol=1e-9)
    new = np.array([0.3, -2.0])
    placed = maps.place(np.abs(new[:, None] - places), distance, points)
    np.testing.assert_array_equal(placed[:, 1], 0.0)
    np.testing.assert_allclose(np.abs(placed[:, :1] - points[:, 0]), np.abs(new[:, None] - places), atol=1e-9)
