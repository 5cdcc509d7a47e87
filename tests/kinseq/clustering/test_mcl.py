"""Markov clustering: the walk against a plain implementation, the clean-up against its definition, searches."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from kinseq import clustering
from kinseq.clustering import mcl as module
from kinseq.clustering.mcl import clean, markov, mcl
from kinseq.core.errors import DataError, ParameterError
from kinseq.metrics import clustering_error
from tests.sentences import Recorded


def plain(graph: np.ndarray, inflation: float) -> np.ndarray:
    """Expansion and inflation of a dense matrix without pruning; clusters are the rows that keep flow."""
    flow = graph.copy()
    np.fill_diagonal(flow, np.where(graph.max(axis=0) > 0, graph.max(axis=0), 1.0))
    flow /= flow.sum(axis=0)
    for _ in range(200):
        flow = (flow @ flow) ** inflation
        flow /= flow.sum(axis=0)
    return flow.argmax(axis=0)


def planted(n: int = 40, k: int = 4, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    truth = np.arange(n) % k
    graph = np.where(truth[:, None] == truth, 0.5, 0.02) + 0.3 * rng.random((n, n))
    graph = 0.5 * (graph + graph.T)
    np.fill_diagonal(graph, 0.0)
    return graph, truth


@pytest.mark.parametrize("dense", [0.0, 1.1])
@pytest.mark.parametrize("inflation", [1.4, 2.0, 4.0])
def test_the_walk_ends_where_a_plain_one_does(inflation: float, dense: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "DENSE_ABOVE", dense)
    for seed in range(4):
        graph = planted(seed=seed)[0]
        graph[graph < 0.3] = 0.0
        found = mcl(graph, inflation, least=0.0, most=40)
        assert clustering_error(plain(graph, inflation), found) == 0.0
        np.testing.assert_array_equal(mcl(csr_matrix(graph), inflation, least=0.0, most=40), found)


def settled(graph: np.ndarray, inflation: float, least: float = 1e-4) -> np.ndarray:
    """The walk on a graph with its own diagonal, entry by entry: pruned, until it has settled; systems of attractors."""
    n = len(graph)
    flow = graph / graph.sum(axis=0)
    power = 1.0
    for _ in range(101):
        flow = flow**power
        flow /= flow.sum(axis=0)
        for j in range(n):
            kept = (flow[:, j] >= least) | (flow[:, j] == flow[:, j].max())
            flow[:, j] = np.where(kept, flow[:, j], 0.0) / flow[kept, j].sum()
        if power > 1.0 and max(flow[:, j].max() - (flow[:, j] ** 2).sum() for j in range(n)) < 1e-4:
            break
        flow, power = flow @ flow, inflation
    to = flow.argmax(axis=0)
    held = sorted({*to.tolist(), *(i for i in range(n) if flow[i, i] > 0.0)})
    system = {i: i for i in held}
    for _ in held:
        for i, j in itertools.product(held, held):
            if flow[i, j] > 0.0:
                system[i] = system[j] = min(system[i], system[j])
    return np.array([system[i] for i in to])


@pytest.mark.parametrize("inflation", [1.4, 2.0, 4.0])
def test_the_diagonal_is_taken_as_it_is_given(inflation: float) -> None:
    different = False
    for seed in range(8):
        rng = np.random.default_rng(100 + seed)
        graph = np.triu(rng.random((14, 14)) * (rng.random((14, 14)) < 0.2), 1)
        graph += graph.T + np.eye(14)[::-1] * 0.1
        for own in (np.zeros(14), rng.uniform(0.0, 2.0, 14)):
            np.fill_diagonal(graph, own)
            found = mcl(graph, inflation, loops="given")
            assert clustering_error(settled(graph, inflation), found) == 0.0
            np.testing.assert_array_equal(mcl(csr_matrix(graph), inflation, loops="given"), found)
            different |= bool((found != mcl(graph, inflation)).any())
        # As strong as the strongest other edge: the default.
        np.fill_diagonal(graph, 0.0)
        strongest = graph.max(axis=0)
        np.fill_diagonal(graph, strongest)
        np.testing.assert_array_equal(
            mcl(graph, inflation, sharpen=2.0, loops="given"), mcl(graph, inflation, sharpen=2.0)
        )
        assert clustering_error(settled(graph, inflation), mcl(graph, inflation)) == 0.0
    assert different


def test_two_sides_without_self_loops_are_walked_to_and_fro() -> None:
    # After two steps the walk is on its own side again, and with self loops on either.
    sides = 1.0 - np.eye(2)[[0, 0, 0, 1, 1, 1]] @ np.eye(2)[[0, 0, 0, 1, 1, 1]].T
    assert mcl(sides, loops="given").tolist() == [0, 0, 0, 1, 1, 1]
    assert mcl(sides).max() == 0
    assert mcl(np.zeros((3, 3)), loops="given").tolist() == [0, 1, 2]
    assert markov(1.0 - sides - np.eye(6), 2, clean=False, loops="given").tolist() == [0, 0, 0, 1, 1, 1]


def test_sharpening_is_a_power_of_the_weights() -> None:
    graph, truth = planted(seed=2)
    weak = np.sqrt(graph)
    np.testing.assert_array_equal(mcl(weak, 1.6, sharpen=6.0), mcl(weak**6, 1.6))
    assert mcl(weak, 1.6).max() == 0
    assert clustering_error(truth, mcl(weak, 1.6, sharpen=6.0)) == 0.0
    assert np.array_equal(mcl(1e200 * graph, 2.0, sharpen=3.0), mcl(graph, 2.0, sharpen=3.0))


def test_van_dongens_example() -> None:
    # The small graph of the thesis of the method: three clusters at inflation 2.
    edges = [
        (0, 1), (0, 5), (0, 6), (0, 9), (1, 2), (1, 4), (2, 3), (2, 4), (3, 7), (3, 8), (3, 10), (4, 6), (4, 7),
        (5, 9), (6, 9), (7, 8), (7, 10), (8, 10), (8, 11), (10, 11),
    ]  # fmt: skip
    graph = np.zeros((12, 12))
    for i, j in edges:
        graph[i, j] = graph[j, i] = 1.0
    labels = mcl(graph, 2.0)
    groups = sorted(np.flatnonzero(labels == c).tolist() for c in range(labels.max() + 1))
    assert groups == [[0, 5, 6, 9], [1, 2, 4], [3, 7, 8, 10, 11]]


def test_clean_up_is_that_of_the_definition() -> None:
    rng = np.random.default_rng(0)
    s = rng.random((9, 9))
    s += s.T
    s[3] = s[:, 3] = 1.0
    expected = np.zeros((9, 9))
    for i in range(9):
        others = np.delete(s[i], i)
        z = (s[i] - others.mean()) / (others.std() if others.std() > 0 else 1.0)
        expected[i] = np.where(others.std() > 0, np.maximum(z, 0.0), 1.0)
        expected[i, i] = 0.0
    both = np.maximum(expected, expected.T)
    np.testing.assert_allclose(clean(s).toarray(), both, atol=1e-12)
    np.testing.assert_allclose(clean(s, "mean").toarray(), 0.5 * (expected + expected.T), atol=1e-12)
    np.testing.assert_allclose(clean(7.0 * s - 3.0).toarray(), both, atol=1e-10)
    thin = np.where(s > 0.9, s, 0.0)
    thin[3, 5:] = thin[5:, 3] = 0.0
    assert ((thin - np.diag(np.diag(thin))) > 0).any(axis=1).all()
    np.testing.assert_allclose(clean(csr_matrix(thin)).toarray(), clean(thin).toarray(), atol=1e-12)
    alone = thin.copy()
    alone[3] = alone[:, 3] = 0.0
    assert clean(csr_matrix(alone))[3].nnz == 0


def test_dissimilarities_are_clustered_by_their_negatives() -> None:
    graph, truth = planted()
    for d in (1.0 - graph, 50.0 - 3.0 * graph):
        np.fill_diagonal(d, 0.0)
        assert clustering_error(truth, markov(d)) == 0.0
        assert clustering_error(truth, markov(d, 4)) == 0.0
        np.testing.assert_array_equal(markov(d, 9, inflation=2.0), markov(d, inflation=2.0))


def test_a_number_of_clusters_is_searched_for() -> None:
    rng = np.random.default_rng(3)
    x = rng.normal(size=(40, 2))
    d = np.linalg.norm(x[:, None] - x, axis=2)
    numbers = [1, 2, 3, 5, 7, 9]
    found = [int(markov(d, k).max()) + 1 for k in numbers]
    assert all(f <= k for f, k in zip(found, numbers, strict=True))
    assert sum(f == k for f, k in zip(found, numbers, strict=True)) >= 5
    path = clustering.get("mcl").for_numbers(d, numbers)
    for k, labels in zip(numbers, path, strict=True):
        np.testing.assert_array_equal(labels, markov(d, k))


def test_parts_that_nothing_joins_are_joined_by_their_mean_distance() -> None:
    x = np.array([0.0, 0.1, 0.2, 5.0, 5.1, 5.2, 20.0, 20.1, 20.2])
    d = np.abs(x[:, None] - x)
    assert markov(d, 3).tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    assert markov(d, 2).tolist() == [0, 0, 0, 0, 0, 0, 1, 1, 1]


@pytest.mark.parametrize(
    "call",
    [
        lambda: mcl(np.ones((3, 3)), 1.0),
        lambda: mcl(-np.ones((3, 3))),
        lambda: mcl(np.ones((3, 2))),
        lambda: mcl(np.ones((3, 3)), least=1.0),
        lambda: markov(np.ones((3, 3)) - np.eye(3), 2, symmetrise="min"),  # type: ignore[arg-type]
        lambda: clean(csr_matrix(-np.eye(3))),
    ],
)
def test_what_cannot_be_is_refused(call: Any, recorded: Recorded) -> None:
    with recorded.raises((DataError, ParameterError)):
        call()


@pytest.mark.parametrize(
    ("wanted", "found", "weakest"), [(25, 25, 2.0), (110, 110, 2.0), (12, 12, 1.0), (3, 10, 1.05), (500, 120, 12.0)]
)
def test_weak_inflation_is_tried_only_where_it_is_needed(wanted: int, found: int, weakest: float) -> None:
    """Ten clusters for each unit of inflation: what is wanted is found, by bisection from above."""
    asked = []

    def cluster(inflation: float) -> np.ndarray:
        asked.append(inflation)
        return np.arange(round(10 * inflation))

    assert len(module._closest(cluster, wanted)) == found
    assert len(asked) <= module.N_INFLATIONS
    assert len(set(asked)) == len(asked)
    assert min(asked) >= weakest
    assert asked[0] == 12.0


def test_a_search_ends_at_a_few_clusters_too_many_but_only_of_many() -> None:
    asked: list[float] = []

    def sevens(inflation: float) -> np.ndarray:
        asked.append(inflation)
        return np.arange(7 * max(1, round(10 * inflation / 7)))

    assert len(module._closest(sevens, 100)) == 105
    assert len(asked) < module.N_INFLATIONS
    asked.clear()
    assert len(module._closest(sevens, 15)) == 14
    assert len(asked) == module.N_INFLATIONS
