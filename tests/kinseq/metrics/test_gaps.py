"""Gaps between clusters: there where there are some, and as rare as promised if there are none."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

import kinseq
from kinseq.core.errors import DataError
from kinseq.metrics.gaps import depth_between, gaps
from tests.sentences import Recorded


def cut_evenly(points, n_clusters):
    """Clusters of equally many items from left to right."""
    rank = np.argsort(np.argsort(points[:, 0], kind="stable"), kind="stable")
    return rank * n_clusters // len(points)


def test_depth_by_hand():
    # Two points of width w at a distance of d: the density falls from 1 + e to 2 e', by Gaussian sums.
    line, first = np.array([0.0, 2.0]), np.array([True, False])
    width = 0.45 * 1.0 * 2**-0.2
    middle, end = 2.0 * np.exp(-0.5 / width**2), 1.0 + np.exp(-0.5 * (2.0 / width) ** 2)
    assert depth_between(line, first) == pytest.approx(1.0 - middle / end)
    assert depth_between(line, ~first) == pytest.approx(depth_between(line, first))
    assert depth_between(5.0 * line - 7.0, first) == pytest.approx(depth_between(line, first))
    assert depth_between(np.zeros(4), np.arange(4) < 2) == 0.0


def test_clear_clusters_have_gaps_and_each_pair_counts_once():
    random = np.random.default_rng(0)
    points = np.concatenate([random.normal([10.0 * k, 0.0], size=(20, 2)) for k in range(3)])
    found = gaps(cdist(points, points), np.repeat(np.arange(3), 20))
    assert found.pairs.tolist() == [[0, 1], [1, 2]]
    assert found.depth.min() > 0.9
    assert found.p_value < 0.01


def test_pieces_of_an_even_line_have_none_more_often_than_promised():
    values = []
    for seed in range(30):
        points = np.random.default_rng(seed).uniform(size=(30, 1))
        values.append(gaps(cdist(points, points), cut_evenly(points, 2), seed).p_value)
    # 30 draws at a level of .05: 6 or more have a chance of .003.
    assert (np.array(values) <= 0.05).sum() < 6
    assert np.mean(values) > 0.35


def test_a_bent_continuum_has_none():
    angle = np.random.default_rng(1).uniform(0, 1.8 * np.pi, size=80)
    points = np.column_stack([np.cos(angle), np.sin(angle)])
    found = gaps(cdist(points, points), (np.argsort(np.argsort(angle)) * 5) // 80)
    assert found.p_value > 0.05


def test_order_names_and_unit_do_not_matter():
    random = np.random.default_rng(2)
    points = random.normal(size=(40, 3))
    points[:15] += 3.0
    labels, order = np.arange(40) // 15, random.permutation(40)
    given = gaps(cdist(points, points), labels)
    other = gaps(7.0 * cdist(points[order], points[order]), 10 * labels[order] + 3)
    np.testing.assert_allclose(other.depth, given.depth, rtol=1e-6)
    assert other.pairs.tolist() == (10 * given.pairs + 3).tolist()
    assert other.p_value == pytest.approx(given.p_value)


def test_single_items_and_single_clusters_have_no_gaps(recorded: Recorded):
    distance = 1.0 - np.eye(5)
    for labels in ([0] * 5, [0, 0, 0, 0, 1]):
        found = gaps(distance, labels)
        assert (len(found.pairs), found.p_value) == (0, 1.0)
    with recorded.raises(DataError):
        gaps(distance, [0, 1])


def test_the_page_warns_of_pieces_of_a_continuum_and_not_of_clusters():
    random = np.random.default_rng(3)
    for levels, warned in ((random.uniform(size=40), True), (np.repeat([0.0, 1.0], 20), False)):
        series = [10.0 * level + 0.1 * random.normal(size=12) for level in levels]
        found = kinseq.cluster(series, n_clusters=2, measure="dtw", n_resamples=2)
        assert any("continuum" in text for text in found.warnings()) == warned


def test_the_page_says_where_clusters_are_of_shorter_and_longer_sequences(recorded):
    rng = np.random.default_rng(0)

    def found(lengths: list[int], gap: float) -> list[str]:
        given = [gap * (i % 2) + rng.normal(size=(n, 1)) for i, n in enumerate(lengths)]
        return [text for text in kinseq.cluster(given, 2, measure="dtw", n_resamples=1).warnings() if "longer" in text]

    by_class = [20 + 20 * (i % 2) for i in range(24)]
    (said,) = found(by_class, 30.0)
    recorded(said)
    # Lengths that have nothing to do with the clusters; that hardly vary; of few sequences; of one cluster.
    assert not found([20 + 20 * (i // 2 % 2) for i in range(24)], 30.0)
    assert not found([40 + i % 2 for i in range(24)], 30.0)
    assert not found(by_class[:10], 30.0)
    assert not found([30] * 24, 30.0)
