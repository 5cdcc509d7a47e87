"""Dynamic time warping against its recursion written out."""

import numpy as np
import pytest

from kinseq.core.errors import DataError, ParameterError
from kinseq.core.sequences import SequenceSet
from kinseq.measures.dtw import dtw
from kinseq.measures.dtw_words import dtw_symmetric2
from tests.sentences import Recorded


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


def by_symmetric_recursion(x, y):
    cost = np.array([[np.linalg.norm(a - b) for b in y] for a in x])
    total = np.full(cost.shape, np.inf)
    for i in range(len(x)):
        for j in range(len(y)):
            ways = [cost[0, 0]] if i == j == 0 else []
            if i:
                ways.append(total[i - 1, j] + cost[i, j])
            if j:
                ways.append(total[i, j - 1] + cost[i, j])
            if i and j:
                ways.append(total[i - 1, j - 1] + 2.0 * cost[i, j])
            total[i, j] = min(ways)
    return total[-1, -1] / (len(x) + len(y))


@pytest.mark.parametrize("d", [1, 3])
def test_symmetric_steps_against_the_recursion(d):
    random = np.random.default_rng(4)
    sequences = [random.normal(size=(t, d)) for t in (1, 2, 5, 5, 37, 20)]
    distance = dtw_symmetric2(sequences)
    for i in range(6):
        for j in range(6):
            if i != j:
                expected = by_symmetric_recursion(sequences[i], sequences[j])
                assert distance[i, j] == pytest.approx(expected, rel=1e-12)


def test_symmetric_steps_of_frames_that_are_all_apart_by_one():
    # Every path costs its weight: n + m - 1, as the first frames are matched once.
    distance = dtw_symmetric2([np.zeros((4, 1)), np.ones((7, 1))])
    assert distance[0, 1] == pytest.approx(10.0 / 11.0)


def test_sequences_in_units_of_their_own_lose_level_and_spread():
    x = np.random.default_rng(5).normal(size=(9, 2))
    assert dtw_symmetric2([x, 3.0 * x + 5.0], "mean_variance")[0, 1] == pytest.approx(0.0, abs=1e-12)
    assert dtw_symmetric2([x, x + 5.0], "mean")[0, 1] == pytest.approx(0.0, abs=1e-12)
    assert dtw_symmetric2([x, x + 5.0])[0, 1] > 1.0


def test_one_kind_of_several_features_is_compared_without_its_energy(recorded: Recorded):
    random = np.random.default_rng(6)
    columns = {"mfcc": {"static": [0, 2], "delta": [4], "energy": [1]}, "plp": {"static": [3], "energy": [5]}}
    arrays = [random.normal(size=(t, 6)) for t in (4, 6, 5)]
    given = SequenceSet.from_arrays(arrays, provenance={"columns_of": columns})
    expected = dtw_symmetric2([frames[:, [0, 2, 4]] for frames in arrays])
    np.testing.assert_allclose(dtw_symmetric2(given, kind="mfcc"), expected, rtol=1e-12)
    with recorded.raises(ParameterError):
        dtw_symmetric2(given, kind="lpc")
    with recorded.raises(DataError):
        dtw_symmetric2(arrays, kind="mfcc")
