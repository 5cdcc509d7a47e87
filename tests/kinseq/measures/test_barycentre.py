"""DTW barycentres: closed forms, and that no round raises the cost."""

import itertools

import numpy as np
import pytest

import kinseq
from kinseq.core.errors import DataError, ParameterError
from kinseq.core.sequences import as_sequence_set
from kinseq.measures import barycentre
from kinseq.measures.dtw import dtw_between
from tests.sentences import Recorded


def cost(middle, sequences):
    return float(dtw_between(as_sequence_set([middle]), as_sequence_set(sequences), normalise=False).sum())


def test_equal_sequences_are_their_own_middle():
    walk = np.random.default_rng(0).normal(size=(12, 2)).cumsum(axis=0)
    np.testing.assert_allclose(barycentre([walk] * 3), walk, rtol=1e-14)
    # Slower versions have the same barycentre.
    np.testing.assert_allclose(barycentre([walk, walk, np.repeat(walk, 2, axis=0)]), walk, rtol=1e-14)


def test_levels_are_averaged():
    middle = barycentre([np.full((5, 1), 1.0), np.full((7, 1), 2.0), np.full((6, 1), 6.0)])
    # A frame of the average gets one frame or more of each; lengths differ, so that some frames get more of one level.
    assert ((middle > 1.0) & (middle < 6.0)).all()
    np.testing.assert_allclose(barycentre([np.full((4, 1), 1.0), np.full((4, 1), 2.0)]), 1.5)


def test_one_round_by_brute_force():
    """The average after one round is that of the best path among all paths."""
    first, second = np.array([[0.0], [3.0], [1.0]]), np.array([[0.5], [2.0], [2.5], [0.0]])

    def paths(i, j):
        if i == j == 0:
            yield [(0, 0)]
        for a, b in ((i - 1, j - 1), (i - 1, j), (i, j - 1)):
            if a >= 0 and b >= 0:
                yield from ([*path, (i, j)] for path in paths(a, b))

    start = first  # The two are equally far from each other, and the first of equals wins.
    totals, counts = np.zeros(3), np.zeros(3)
    for other in (first, second):
        best = min(paths(2, len(other) - 1), key=lambda path: sum((start[i, 0] - other[j, 0]) ** 2 for i, j in path))
        for i, j in best:
            totals[i], counts[i] = totals[i] + other[j, 0], counts[i] + 1
    np.testing.assert_allclose(barycentre([first, second], max_iter=1)[:, 0], totals / counts, rtol=1e-14)


@pytest.mark.parametrize("seed", range(3))
def test_rounds_never_raise_the_cost_and_units_scale(seed):
    random = np.random.default_rng(seed)
    sequences = [
        np.sin(np.linspace(0, 6, n))[:, None] * [1.0, 2.0] + random.normal(0, 0.3, (n, 2))
        for n in random.integers(20, 40, 8)
    ]
    costs = [cost(barycentre(sequences, rounds), sequences) for rounds in range(1, 8)]
    assert all(later <= earlier * (1 + 1e-12) for earlier, later in itertools.pairwise(costs))
    assert costs[-1] < min(cost(one, sequences) for one in sequences)
    np.testing.assert_allclose(barycentre([1e6 * one for one in sequences]), 1e6 * barycentre(sequences), rtol=1e-9)


def test_barycentres_of_clusters(recorded: Recorded):
    random = np.random.default_rng(0)
    sequences = [random.normal(8.0 * (i % 2), 1.0, (20 + i, 2)) * [1.0, 1000.0] for i in range(12)]
    found = kinseq.cluster(sequences, 2)
    assert len(found.details.barycentres) == 2
    for k, middle in enumerate(found.details.barycentres):
        level = np.mean([sequences[i].mean(axis=0) for i in np.flatnonzero(found.labels == k)], axis=0)
        np.testing.assert_allclose(middle.mean(axis=0) / [1.0, 1000.0], level / [1.0, 1000.0], atol=0.5)
    with pytest.raises(ParameterError, match="max_iter"):
        barycentre(sequences, max_iter=0)
    with pytest.raises(DataError, match="dissimilarities alone"):
        _ = kinseq.cluster(found.distance, 2, "precomputed").details.barycentres
    with recorded.raises(DataError):
        _ = kinseq.cluster([list("abab"), list("aabb"), list("cdcd"), list("ccdd")] * 2, 2).details.barycentres
