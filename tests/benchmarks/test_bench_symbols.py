"""The benchmark of sequences of symbols: its rows, with and without other libraries."""

from __future__ import annotations

import argparse
import csv
from pathlib import Path

import pytest

import bench_symbols


def test_ratios_are_of_the_processor() -> None:
    timed = {"kinseq": (2.0, 1.0, 3), "other": (9.0, 0.5, 3)}
    ours, other = bench_symbols.rows_of("OM", "5 × 4", timed, {"other": "1.0e-03"})
    assert (ours["over kinseq"], ours["CPU"], ours["largest difference"]) == ("1.0", "2.000", "")
    assert (other["over kinseq"], other["clock"], other["largest difference"]) == ("4.5", "0.500", "1.0e-03")


def test_without_other_libraries_and_life_courses_the_rows_are_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench_symbols, "find_spec", lambda _: None)
    monkeypatch.setattr(
        bench_symbols, "drawn", lambda n, length=8: [list("abcabcab")[i % 3 :] + ["c"] * (i % 3) for i in range(12)]
    )
    monkeypatch.setenv("KINSEQ_DATA", str(tmp_path))
    options = argparse.Namespace(only="matrices", quick=True, repeats=1, out=tmp_path)
    assert "| OM, constant costs |" in bench_symbols.run(options)
    with (tmp_path / "symbols.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["what"] for row in rows] == list(bench_symbols.MATRICES)
    assert {row["library"] for row in rows} == {"kinseq"}
    assert {row["largest difference"] for row in rows} == {"0.0e+00"}
