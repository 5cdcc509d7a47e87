"""Dynamic time warping against its recursion written out."""

import numpy as np
import pytest
from kinseq.measures.dtw import dtw


def by_recursion(x, y):
    cost = np.full((len(x) + 1, len(y) + 1), np.inf)
    cost[0, 0] = 0.0
    for i in range(1, len(x) + 1):
        for j in range(1, len(y) + 1):
            step = min(cost[i - 1, j - 1], cost[i - 1, j], cost[i, j - 1])
            cost[i, j] = step + ((x[i - 1] - y[j - 1]) ** 2).sum()
    return cost[-1, -1] / (len(x) + len(y))


@pytest.mark.parametrize("d", [1, 3])
def test_against_the_recursion(d):
    random = np.random.default_rng(0)
    sequences = [random.normal(size=(t, d)) for t in (1, 2, 5, 5, 17)]
    distance = dtw(sequences)
    for i in range(5):
        for j in range(5):
            assert distance[i, j] == pytest.approx(by_recursion(sequences[i], sequences[j]), rel=1e-12)


def test_equal_lengths_and_a_single_sequence():
    random = np.random.default_rng(1)
    same = [random.normal(size=(6, 2)) for _ in range(3)]
    assert dtw(same)[0, 2] == pytest.approx(by_recursion(same[0], same[2]), rel=1e-12)
    np.testing.assert_array_equal(dtw(same[:1]), [[0.0]])


def test_warped_copies_are_at_distance_zero():
    x = np.random.default_rng(2).normal(size=(8, 2))
    assert dtw([x, np.repeat(x, 3, axis=0)])[0, 1] == 0.0
