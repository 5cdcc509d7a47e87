"""The benchmark of many sequences: its sizes, its slopes, its figure."""

from __future__ import annotations

import argparse
import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bench_many
import kinseq
from kinseq.metrics import ari
from tests.sentences import Recorded


def test_slopes_are_exponents() -> None:
    assert bench_many.slopes([10, 100, 1000], [1.0, 100.0, 100.0]) == ["", "2.00", "0.00"]


def test_sequences_repeat_and_begin_alike_whatever_their_number() -> None:
    few, kinds = bench_many.draw_sequences(30)
    again, same = bench_many.draw_sequences(30)
    assert all(np.array_equal(one, other) for one, other in zip(few, again, strict=True))
    np.testing.assert_array_equal(kinds, same)
    assert set(kinds.tolist()) == set(range(bench_many.KINDS))
    assert all(frames.ndim == 2 and abs(len(frames) - bench_many.LENGTH) <= 10 for frames in few)


@pytest.mark.parametrize(("only", "quick", "sizes"), [("", True, 6), ("1000,20000", False, 2), ("restarts", False, 0)])
def test_sizes_that_are_asked_for_are_run(
    only: str, quick: bool, sizes: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recorded: Recorded
) -> None:
    def measured(n: int) -> dict[str, Any]:
        return {"sequences": n, "analysis (s)": 0.01 * n, "page (s)": 1.0, "CPU (s)": 0.002 * n, "peak (GB)": 1.0}

    monkeypatch.setattr(bench_many, "of_process", measured)
    monkeypatch.setattr(bench_many, "_agreement", lambda options: ["## agreement"])
    text = bench_many.run(argparse.Namespace(only=only, quick=quick, out=tmp_path))
    assert text.count("\n| ") == (sizes + 1 if sizes else 0)
    assert ("## agreement" in text) == (not only)
    if not sizes:
        return
    recorded.within(text)
    with (tmp_path / "many.csv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["slope of CPU"] for row in rows] == ["", *["1.00"] * (sizes - 1)]
    assert (tmp_path / "many.png").stat().st_size > 5000


def test_a_rare_kind_has_the_members_that_are_asked_for() -> None:
    sequences, kinds = bench_many.rare(120, 7)
    assert len(sequences) == len(kinds) == 120
    assert np.bincount(kinds)[bench_many.KINDS - 1] == 7
    # The first of all, in their order.
    every, of_every = bench_many.draw_sequences(240)
    last = [frames for frames, kind in zip(every, of_every, strict=True) if kind == bench_many.KINDS - 1][:7]
    rare = [frames for frames, kind in zip(sequences, kinds, strict=True) if kind == bench_many.KINDS - 1]
    assert all(np.array_equal(one, other) for one, other in zip(rare, last, strict=True))


def test_a_sample_is_held_against_all_pairs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recorded: Recorded
) -> None:
    monkeypatch.setattr(bench_many, "PAIRS", ((60, 30, 3, None), (60, 30, 3, 4)))
    text = bench_many.run(argparse.Namespace(only="agreement", quick=False, out=tmp_path))
    recorded.within(text)
    with (tmp_path / "many_agreement.csv").open(encoding="utf-8") as stream:
        first, second = list(csv.DictReader(stream))
    assert second["of the last kind"] == "4"
    assert first["clusters, sample"] == first["clusters, all pairs"] == "3"
    sequences, kinds = bench_many.draw_sequences(60)
    dense = kinseq.cluster(sequences, 3, sample=None, n_resamples=1)
    assert float(first["ARI, all pairs"]) == round(ari(kinds, dense.labels), 3)
    assert 0.5 < float(first["as by all sampled"]) <= 1
