"""The benchmark of choosing the number: its sets, and the arithmetic of its table."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import pytest

import bench_choosing
from tests.sentences import Recorded


def test_sets_are_the_same_each_time_and_of_the_size_in_their_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_choosing, "SIZES", ((6, 20, 2), (4, 10, 1)))
    monkeypatch.setattr(bench_choosing, "MIDDLE", (4, 10, 1))
    first, again = (list(bench_choosing.cases({"periods", "levels", "noise"})) for _ in range(2))
    assert [name for _, name, _, _ in first] == [
        "periods, 6 × 20 × 2", "periods, 4 × 10 × 1", "levels, 4 × 10 × 1", "noise, 4 × 10 × 1",
    ]  # fmt: skip
    for (_, name, sequences, _), (_, _, same, _) in zip(first, again, strict=True):
        n, frames, columns = (int(word) for word in name.split(", ")[1].split(" × "))
        assert np.shape(sequences) == (n, frames, columns)
        np.testing.assert_array_equal(sequences, same)
    means = [np.mean(sequence) for sequence in bench_choosing.levels(8, 200, 2)]
    np.testing.assert_allclose(means, [0.0, 4.0] * 4, atol=0.3)
    # Ten cycles of one group in a hundred frames.
    powers = [np.abs(np.fft.rfft(x[:, 0])) for x in bench_choosing.periods(6, 160, 1)]
    assert [int(power.argmax()) for power in powers] == [16, 10] * 3


def test_the_table_compares_chosen_with_given(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, recorded: Recorded
) -> None:
    seconds = {"given 1": (2.0, 2.0, 1), "given 2": (2.0, 1.0, 1), "chosen 1": (5.0, 6.0, 1), "chosen 2": (5.0, 4.0, 1)}
    seconds["aeon"] = (9.0, 9.0, 1)
    monkeypatch.setattr(bench_choosing, "SIZES", ((6, 20, 1),))
    monkeypatch.setattr(bench_choosing, "interleave", lambda calls, repeats: seconds)
    text = bench_choosing.run(argparse.Namespace(only="periods", quick=True, repeats=1, out=tmp_path))
    assert "| periods, 6 × 20 × 1 | 1 | 2.00 | 5.00 | 2.5 | 1.5 | 1.00 | 2.00 | 4.00 | 1.50 | 9.00 | 4.5 |" in text
    recorded.within(text)
    del seconds["aeon"]
    text = bench_choosing.run(argparse.Namespace(only="periods", quick=True, repeats=1, out=tmp_path))
    assert "| 4.00 | 1.50 |  |  |" in text
    assert (tmp_path / "choosing.csv").read_text(encoding="utf-8").startswith("kind,set,found")
    assert bench_choosing.run(argparse.Namespace(only="other", quick=True, repeats=1, out=tmp_path)) == ""
