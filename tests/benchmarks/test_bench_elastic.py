"""The benchmark of elastic distances: its rows, and taking up a table."""

from __future__ import annotations

import argparse
import csv
from pathlib import Path

import numpy as np
import pytest

import bench_elastic


def test_a_table_is_taken_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_elastic, "SIZES", ((5, 12), (4, 20)))
    monkeypatch.setattr(bench_elastic, "LIBRARIES", ("kinseq",))
    calls = bench_elastic.candidates
    timed: list[tuple[str, tuple[int, ...]]] = []

    def candidates(name: str, walks: np.ndarray) -> dict[str, bench_elastic.Call]:
        timed.append((name, walks.shape))
        return {"kinseq": calls(name, walks)["kinseq"]}

    monkeypatch.setattr(bench_elastic, "candidates", candidates)
    options = argparse.Namespace(only="erp,sbd", quick=True, repeats=1, out=tmp_path)
    bench_elastic.run(options)
    first = (tmp_path / "elastic.csv").read_text()
    assert len(timed) == 2 * 2 * 2, "a warm-up and a timed call of two distances with one and three channels"
    options.quick = False
    text = bench_elastic.run(options)
    assert len(timed) == 2 * 2 * 4, "sizes in the table are not timed again"
    assert (tmp_path / "elastic.csv").read_text().startswith(first)
    with (tmp_path / "elastic.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [(row["distance"], row["size"]) for row in rows] == [
        (name, f"{n} × {t} × {d}") for n, t in ((5, 12), (4, 20)) for d in (1, 3) for name in ("erp", "sbd")
    ]
    assert all(float(row["kinseq (clock)"]) > 0 for row in rows)
    assert "| erp | 4 × 20 × 3 |" in text


def test_the_ratio_is_to_the_fastest_other_library(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = {"kinseq": (2.0, 1.0, 1), "aeon": (9.0, 5.0, 1), "tsdistances": (6.0, 7.0, 1)}
    monkeypatch.setattr(bench_elastic, "interleave", lambda *_: seconds)
    row = bench_elastic.row_of("erp", np.zeros((4, 1, 5)), 1)
    assert (row["times as fast"], row["aeon (clock)"], row["dtaidistance (CPU)"]) == ("3.0", "5.0000", "")
