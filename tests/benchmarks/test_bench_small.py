"""The benchmark of small clusters: its data, its graphs, and what counts."""

from __future__ import annotations

import argparse
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import bench_small
import kinseq
from kinseq.analysis import Options


def test_kinds_have_the_sizes_that_are_told() -> None:
    rng = np.random.default_rng(0)
    sizes = np.bincount(bench_small.kinds_of(rng, equal=False))
    assert sizes.sum() == bench_small.N
    assert sizes[bench_small.LARGE :].tolist() == list(bench_small.SIZES)
    assert np.ptp(sizes[: bench_small.LARGE]) <= 1
    shares = [f"{100 * size / bench_small.N:g} %" for size in bench_small.SIZES[::2]]
    assert shares == list(bench_small.SHARES)
    assert np.ptp(np.bincount(bench_small.kinds_of(rng, equal=True))) == 0


def test_levels_are_as_far_apart_as_told() -> None:
    kinds = np.arange(2000) % bench_small.PLACES
    means = np.array([s.mean(axis=0) for s in bench_small.level(kinds, 8.0, np.random.default_rng(0))])
    centres = np.array([means[kinds == kind].mean(axis=0) for kind in range(bench_small.PLACES)])
    gaps = np.linalg.norm(centres[:, None] - centres, axis=2) + np.diag(np.full(bench_small.PLACES, np.inf))
    np.testing.assert_allclose(gaps.min(axis=1), 8.0, atol=0.5)


def test_frequencies_are_those_of_the_kinds() -> None:
    kinds = np.arange(90) % bench_small.PLACES
    made = bench_small.frequency(kinds, 50.0, np.random.default_rng(0))
    peak = np.array([np.abs(np.fft.rfft(s[:, 0], 4096)).argmax() for s in made])
    periods = np.array([4096 / np.median(peak[kinds == kind]) for kind in range(bench_small.PLACES)])
    np.testing.assert_allclose(np.sort(periods), np.geomspace(4, 64, bench_small.PLACES), rtol=0.15)


def test_shapes_vary_about_the_curve_of_their_kind() -> None:
    kinds = np.arange(400) % 4
    made = np.array(bench_small.shape(kinds, 8.0, np.random.default_rng(0)))[:, :, 0]
    within = np.mean([made[kinds == kind].var(axis=0).mean() for kind in range(4)])
    assert within == pytest.approx((2 / 8) ** 2 + 0.01, rel=0.2)


def test_mutual_links_are_of_both_sides_and_nobody_is_alone() -> None:
    places = np.array([0.0, 1.0, 2.1, 3.3, 20.0])
    distance = np.abs(np.subtract.outer(places, places))
    one_sided, mutual = (bench_small.links(distance, 2, both) for both in (False, True))
    for graph in (one_sided, mutual):
        np.testing.assert_array_equal(graph, graph.T)
        assert not graph.diagonal().any()
    # The last one is no one's neighbour: it keeps its nearest.
    assert mutual[4].tolist() == [0, 0, 0, 1, 0]
    assert one_sided[4].tolist() == [0, 0, 1, 1, 0]
    # Brute force: the two nearest of each.
    near = [set(np.argsort(row)[1:3]) for row in distance]
    for i in range(4):
        for j in range(4):
            assert mutual[i, j] == (j in near[i] and i in near[j])


def test_a_graph_of_separate_groups_is_cut_between_them() -> None:
    places = np.concatenate([np.linspace(start, start + 1, 8) ** 1.1 for start in (0, 10, 30)])
    labels = bench_small.cut(bench_small.links(np.abs(np.subtract.outer(places, places)), 3, True), 3)
    assert [len(set(labels[i : i + 8])) for i in (0, 8, 16)] == [1, 1, 1]
    assert len(set(labels)) == 3


def test_tables_sum_over_all_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_small, "N", 120)
    monkeypatch.setattr(bench_small, "NEIGHBOURS", (4,))

    def cluster(sequences: list[np.ndarray], **_: object) -> SimpleNamespace:
        means = np.array([frames.mean(axis=0) for frames in sequences])
        distance = np.linalg.norm(means[:, None] - means, axis=2)
        return SimpleNamespace(
            distance=distance, views=[SimpleNamespace(width="local")], options=Options(), seed=0, n_clusters=3
        )

    monkeypatch.setattr(kinseq, "cluster", cluster)
    text = bench_small.run(argparse.Namespace(only="level", out=tmp_path))
    assert "found of 4, 0.3 %" in text
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    assert len(lines) == 1 + 3 * 3
    assert (tmp_path / "small.csv").read_text().count("\n") == 1 + 2 * 2 * 3 * 3
    assert bench_small.run(argparse.Namespace(only="W1", out=tmp_path)) == ""
