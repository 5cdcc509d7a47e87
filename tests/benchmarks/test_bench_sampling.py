"""The benchmark of a sample against all pairs: its sequences, what counts as found, its tables."""

from __future__ import annotations

import argparse
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.stats import norm

import bench_sampling
from kinseq.analysis import Options


@pytest.mark.parametrize("separation", bench_sampling.SEPARATIONS)
def test_the_nearest_centre_errs_as_often_as_normal_levels_overlap(separation: float) -> None:
    sequences, kinds, best = bench_sampling.touching(separation)
    assert len(sequences) == bench_sampling.N
    assert sequences[0].shape == (bench_sampling.FRAMES, 2)
    deviation = np.sqrt(1 + 1 / bench_sampling.FRAMES)
    right = norm.cdf(separation / 2 / deviation) ** 2
    assert (kinds == best).mean() == pytest.approx(right, abs=4 * np.sqrt(right * (1 - right) / len(kinds)))


def test_small_clusters_are_small() -> None:
    sequences, kinds = bench_sampling.small()
    assert len(sequences) == len(kinds) == bench_sampling.N
    sizes = np.bincount(kinds)
    assert sizes[bench_sampling.LARGE :].tolist() == [bench_sampling.MEMBERS] * bench_sampling.SMALL
    assert sizes[: bench_sampling.LARGE].min() > 10 * bench_sampling.MEMBERS


def test_a_kind_is_found_if_most_of_it_is_most_of_a_cluster() -> None:
    kinds = np.array([0] * 6 + [1] * 4 + [2] * 4)
    assert bench_sampling.n_recovered(np.array([1, 2]), kinds, kinds) == 2
    merged = np.where(kinds == 2, 1, kinds)
    assert bench_sampling.n_recovered(np.array([1, 2]), kinds, merged) == 0
    swallowed = np.where(np.arange(14) < 8, 0, kinds)  # half of the second
    assert bench_sampling.n_recovered(np.array([1, 2]), kinds, swallowed) == 1


@pytest.mark.filterwarnings("ignore:Graph is not fully connected")
def test_a_graph_of_neighbours_finds_groups_that_nothing_links() -> None:
    places = np.array([0.0, 0.1, 0.25, 0.3, 0.42, 9.0, 9.1, 9.25, 9.3, 9.42])
    labels = bench_sampling.graph(np.abs(np.subtract.outer(places, places)), 2, 4)
    assert labels[:5].tolist() == [labels[0]] * 5
    assert labels[5:].tolist() == [1 - labels[0]] * 5


def test_tables_hold_both_ways(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_sampling, "N", 60)
    monkeypatch.setattr(bench_sampling, "MEMBERS", 4)

    def clustered(sequences: list[np.ndarray], n_clusters: int, sample: int | None) -> tuple[Any, float]:
        means = np.array([frames.mean(axis=0) for frames in sequences])
        labels = np.arange(len(sequences)) % n_clusters if sample is None else np.zeros(len(sequences), dtype=np.int64)
        distance = np.linalg.norm(means[:, None] - means, axis=2)
        views = [SimpleNamespace(width="local")]
        found = SimpleNamespace(
            labels=labels, distance=distance, views=views, options=Options(), seed=0, _comes_back=0.5
        )
        return found, 2.0

    monkeypatch.setattr(bench_sampling, "clustered", clustered)
    text = bench_sampling.run(argparse.Namespace(only="", out=tmp_path))
    assert text.count("\n| ") == 1 + len(bench_sampling.SEPARATIONS) + 1 + 2 + len(bench_sampling.NEIGHBOURS)
    assert "| 6.0 |" in text
    assert (tmp_path / "sampling_touching.csv").is_file()
    assert bench_sampling.run(argparse.Namespace(only="W1", out=tmp_path)) == ""
