"""Answers do not follow the last bits of scaled values, and what two files of answers differ in is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kinseq
import unchanged
from kinseq.clustering.registry import get

from ..moving import Move, move_values

SAMPLE = (
    "made up, elastic, None",
    "made up, fusion, 2",
    "made up, dtw, None",
    "made up, kl_ll, 2",
    "made up, properties, None",
    "copies",
    "stretched",
    "by themselves",
    "a constant column",
    "other clusterers",
    "nothing to tell apart",
    "a sample, number given",
)
"""Names of answers, of each kind one."""


@pytest.fixture
def move(monkeypatch: pytest.MonkeyPatch) -> Move:
    return move_values(monkeypatch)


def without_numbers(answer: dict[str, Any]) -> dict[str, Any]:
    return {name: entry for name, entry in answer.items() if name not in unchanged.KINDS["distance"]}


@pytest.mark.parametrize("name", SAMPLE)
def test_answers_do_not_follow_the_last_bits(name: str, move: Move) -> None:
    calls = dict(unchanged.small_calls())
    answer = without_numbers(calls[name]())
    for seed in (1, 2):
        move(seed)
        assert without_numbers(calls[name]()) == answer


def equidistant(sizes: tuple[int, ...]) -> list[Any]:
    """Sequences of groups at the corners of a regular simplex, each a constant with a little noise of its own."""
    random = np.random.default_rng(0)
    corners = np.repeat(10.0 * np.eye(len(sizes)), sizes, axis=0)
    return [corner + 0.01 * random.normal(size=(12, len(sizes))) for corner in corners]


@pytest.mark.parametrize("measure", ["dtw", "elastic"])
@pytest.mark.parametrize("sizes", [(6, 6, 6), (5, 6, 7)])
def test_a_cut_of_equidistant_groups_does_not_follow_the_last_bits(
    measure: str, sizes: tuple[int, ...], move: Move
) -> None:
    """Which two of three groups are joined is open; it must not be rounding that says so."""
    sequences = equidistant(sizes)
    labels = kinseq.cluster(sequences, 2, measure).labels
    for seed in range(4):
        move(seed)
        np.testing.assert_array_equal(kinseq.cluster(sequences, 2, measure).labels, labels)


@pytest.mark.parametrize("clusterer", ["hierarchical", "kmedoids", "spectral"])
def test_a_cut_of_equal_distances_does_not_follow_the_last_bits(clusterer: str) -> None:
    """Corners of three squares that are as far from each other, in two clusters: everything ties."""
    groups = np.repeat(np.arange(3), 4)
    distance = np.where(groups[:, None] == groups, 1.0, np.sqrt(7.0))
    np.fill_diagonal(distance, 0.0)
    cut = get(clusterer)
    labels = cut(distance, 2)
    for seed in range(10):
        noise = np.random.default_rng(seed).integers(-2, 3, size=distance.shape) * np.spacing(distance)
        np.testing.assert_array_equal(cut(distance + np.triu(noise, 1) + np.triu(noise, 1).T, 2), labels)


def test_kinds_of_entries_are_left_out_of_a_comparison(tmp_path: Path) -> None:
    lines = [
        {"call": "one", "distance": "a", "labels": [0, 1], "verdict": "two"},
        {"call": "one", "distance": "b", "labels": [0, 1], "verdict": "2"},
    ]
    before, after = tmp_path / "before", tmp_path / "after"
    for path, line in zip((before, after), lines, strict=True):
        path.write_text(json.dumps(line) + "\n")
    assert len(unchanged.differences(before, after)) == 1
    (sentence,) = unchanged.differences(before, after, ["distance"])
    assert "verdict was" in sentence
    assert "distance" not in sentence
    assert unchanged.differences(before, after, ["distance", "sentences"]) == []
