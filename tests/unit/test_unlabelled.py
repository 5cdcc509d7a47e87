"""Scores without labels, against their definitions."""

from __future__ import annotations

import numpy as np
import pytest
from kinseq.clustering import spectral
from kinseq.errors import DataError
from kinseq.evaluation import pictures, unlabelled

RNG = np.random.default_rng(3)


def blobs(centres: list[float], each: int = 10, spread: float = 0.5) -> tuple[np.ndarray, np.ndarray]:
    """Points on a plane and their distances."""
    points = np.concatenate([RNG.normal([centre, 0.0], spread, size=(each, 2)) for centre in centres])
    return points, np.linalg.norm(points[:, None] - points, axis=2)


def test_silhouettes_are_those_of_scikit_learn() -> None:
    from sklearn.metrics import silhouette_samples

    _, distance = blobs([0, 2, 5])
    labels = np.repeat([2, 0, 7], 10)
    labels[4] = 1
    expected = silhouette_samples(distance, labels, metric="precomputed")
    np.testing.assert_allclose(unlabelled.silhouettes(distance, labels), expected, atol=1e-12)


def test_silhouettes_without_a_second_cluster_or_a_distance() -> None:
    _, distance = blobs([0])
    assert not unlabelled.silhouettes(distance, np.zeros(10)).any()
    assert not unlabelled.silhouettes(np.zeros((4, 4)), [0, 0, 1, 1]).any()
    with pytest.raises(DataError, match="give one each"):
        unlabelled.silhouettes(distance, [0, 1])


def test_typicality_is_the_mean_over_the_others() -> None:
    _, distance = blobs([0, 4], 5)
    labels = np.repeat([0, 1], 5)
    expected = [np.mean([distance[i, j] for j in range(10) if j != i and labels[j] == labels[i]]) for i in range(10)]
    np.testing.assert_allclose(unlabelled.typicality(distance, labels), expected)


@pytest.mark.parametrize("number", [2, 3, 4])
def test_the_number_of_far_clusters_is_seen(number: int) -> None:
    _, distance = blobs([10.0 * k for k in range(number)])
    found = unlabelled.compare_numbers(distance, 7)
    assert found.by_silhouette == number
    assert found.n_clusters.tolist() == [2, 3, 4, 5, 6, 7]
    assert np.isfinite(found.eigengap).all()


def test_a_number_within_a_standard_error_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    _, distance = blobs([0, 5])
    made = {2: (0.50, 0.2), 3: (0.45, 0.2), 4: (0.53, 0.2)}

    def fake(square: np.ndarray, labels: np.ndarray) -> np.ndarray:
        mean, deviation = made[int(labels.max()) + 1]
        return mean + deviation * np.tile([1.0, -1.0], 10) * np.sqrt(19 / 20)

    monkeypatch.setattr(unlabelled, "silhouettes", fake)
    # A standard error is 0.2 / sqrt(20) = 0.045.
    assert unlabelled.compare_numbers(distance, 4).by_silhouette == 2
    made[4] = (0.55, 0.2)
    assert unlabelled.compare_numbers(distance, 4).by_silhouette == 4


def test_no_number_can_be_tried_on_two() -> None:
    found = unlabelled.compare_numbers([[0, 1], [1, 0]])
    assert (found.by_silhouette, found.by_eigengap, found.n_clusters.size) == (1, 1, 0)


def cut(distance: np.ndarray, n_clusters: int) -> np.ndarray:
    return spectral(distance, n_clusters)


def test_far_clusters_are_stable_and_halves_of_one_are_not() -> None:
    _, distance = blobs([0, 20, 40])
    labels = np.repeat([0, 1, 2], 10)
    stable = unlabelled.stability(distance, labels, cut, 20)
    np.testing.assert_allclose(stable.jaccard, 1.0)
    assert stable.ari == 1.0
    _, one = blobs([0], 40)
    assert unlabelled.stability(one, RNG.integers(2, size=40), cut, 20).jaccard.max() < 0.75


def test_stability_is_the_mean_of_the_best_jaccard() -> None:
    _, distance = blobs([0, 20], 6)
    labels = np.repeat([0, 1], 6)
    # A clusterer that puts everything together: the best match of a cluster is the whole sample.
    found = unlabelled.stability(distance, labels, lambda d, k: np.zeros(len(d), dtype=np.int64), 200, seed=4)
    np.testing.assert_allclose(found.jaccard.sum(), 1.0, atol=0.05)
    assert found.ari == 0.0


def test_rank_correlation_is_spearmans() -> None:
    from scipy.stats import spearmanr

    _, a = blobs([0, 2])
    _, b = blobs([0, 1])
    upper = np.triu_indices(20, 1)
    assert unlabelled.rank_correlation(a, b) == pytest.approx(spearmanr(a[upper], b[upper]).statistic)
    assert unlabelled.rank_correlation(a, a**3) == pytest.approx(1.0)
    assert unlabelled.rank_correlation(a, np.zeros_like(a)) == 0.0
    assert abs(unlabelled.rank_correlation(a, a, most_items=5) - 1.0) < 1e-12


def test_classical_scaling_recovers_points_of_the_plane() -> None:
    _, distance = blobs([0, 3])
    found = pictures.classical_mds(distance)
    np.testing.assert_allclose(np.linalg.norm(found[:, None] - found, axis=2), distance, atol=1e-9)


def test_maps_keep_far_clusters_apart() -> None:
    _, distance = blobs([0, 30], 15)
    for name, points in pictures.maps(distance).items():
        assert np.isfinite(points).all(), name
        inner = np.linalg.norm(points[:15] - points[:15].mean(axis=0), axis=1).mean()
        assert np.linalg.norm(points[:15].mean(axis=0) - points[15:].mean(axis=0)) > 2 * inner, name
    assert set(pictures.maps(np.zeros((9, 9)))) == {"MDS"}
    assert pictures.maps(np.zeros((1, 1))) == {}


def test_samples_keep_every_cluster() -> None:
    labels = np.array([0] * 90 + [1] * 9 + [2])
    chosen = pictures.sample_items(labels, 20)
    assert np.bincount(labels[chosen]).tolist() == [18, 1, 1]
    assert (np.diff(chosen) > 0).all()
    np.testing.assert_array_equal(pictures.sample_items(labels, 100), np.arange(100))


def test_rows_stand_by_cluster_and_within_by_leaf() -> None:
    order = pictures.block_order([1, 0, 1, 0], [3, 2, 0, 1])
    assert order.tolist() == [3, 1, 2, 0]
    _, distance = blobs([0, 9], 4)
    grown = pictures.tree(distance)
    assert grown is not None
    assert sorted(grown.leaves.tolist()) == list(range(8))
    assert {frozenset(grown.leaves[:4].tolist()), frozenset(grown.leaves[4:].tolist())} == {
        frozenset(range(4)),
        frozenset(range(4, 8)),
    }
