"""The benchmark of data without clusters: what is drawn, and how it is counted."""

from __future__ import annotations

import argparse
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.stats import beta

import bench_unclustered
import kinseq


def pooled(make: Any, n: int = 400) -> np.ndarray:
    return np.concatenate(bench_unclustered.draw_set(make, n, 0))


def test_sets_repeat_and_differ_by_draw_kind_and_size() -> None:
    def first(make: Any, n: int, draw: int) -> float:
        return float(bench_unclustered.draw_set(make, n, draw)[0][0, 0])

    made = [first(bench_unclustered.white, 25, 0), first(bench_unclustered.white, 25, 1)]
    made += [first(bench_unclustered.white, 60, 0), first(bench_unclustered.heavy, 25, 0)]
    assert len(set(made)) == 4
    assert made[0] == first(bench_unclustered.white, 25, 0)
    lengths = [len(frames) for frames in bench_unclustered.draw_set(bench_unclustered.sine, 200, 0)]
    assert (min(lengths), max(lengths)) == (60, 119)
    same = bench_unclustered.draw_set(bench_unclustered.sine, 5, 0, bench_unclustered.SAME)
    assert {len(frames) for frames in same} == {90}


def test_the_autoregressive_process_has_the_moments_of_its_coefficient() -> None:
    made = bench_unclustered.draw_set(bench_unclustered.autoregressive, 400, 0)
    assert np.concatenate(made).var() == pytest.approx(1 / (1 - 0.8**2), rel=0.05)
    lagged = np.concatenate([np.column_stack([frames[1:, 0], frames[:-1, 0]]) for frames in made])
    assert np.corrcoef(lagged.T)[0, 1] == pytest.approx(0.8, abs=0.02)


def test_states_are_left_as_often_as_told() -> None:
    values = pooled(bench_unclustered.hmm)
    # Two states three apart, each held half of the time in the long run, the first a little longer.
    assert values.mean() == pytest.approx(1.5, abs=0.15)
    assert values.var() == pytest.approx(1 + 9 / 4, rel=0.05)
    states = np.concatenate(
        [frames[:-1, 0] > 1.5 for frames in bench_unclustered.draw_set(bench_unclustered.hmm, 50, 0)]
    )
    assert 0.05 < np.mean(states[1:] != states[:-1]) < 0.35


def test_noise_has_the_moments_that_are_told() -> None:
    white = pooled(bench_unclustered.white)
    assert (white.mean(), white.std()) == (pytest.approx(0, abs=0.02), pytest.approx(1, abs=0.02))
    # Quartiles of Student's t of 2.5 degrees of freedom.
    assert np.quantile(pooled(bench_unclustered.heavy), 0.75) == pytest.approx(0.7834, abs=0.02)


def test_continua_vary_between_sequences_as_told() -> None:
    made = bench_unclustered.draw_set(bench_unclustered.levels, 600, 0)
    assert np.std([frames.mean() for frames in made]) == pytest.approx(1, rel=0.1)
    assert np.std(np.log([frames.std() for frames in made])) == pytest.approx(0.5, rel=0.1)
    steps = np.concatenate([np.diff(s[:, 0]) for s in bench_unclustered.draw_set(bench_unclustered.walk, 200, 0)])
    assert steps.std() == pytest.approx(1, rel=0.03)
    sines = bench_unclustered.draw_set(bench_unclustered.sine, 200, 0)
    peaks = np.array([np.abs(np.fft.rfft(s[:, 0], 4096)).argmax() / 4096 for s in sines])
    assert (peaks.min(), peaks.max()) == (pytest.approx(0.02, abs=0.01), pytest.approx(0.15, abs=0.01))


def test_a_bump_is_one_bell_of_height_one() -> None:
    made = bench_unclustered.draw_set(bench_unclustered.bump, 200, 0)
    tops = np.array([frames[:, 0].argmax() / len(frames) for frames in made])
    assert 0.1 < tops.min() < 0.35
    assert 0.65 < tops.max() < 0.9
    assert np.mean([frames.max() for frames in made]) == pytest.approx(1.1, abs=0.1)


def test_rates_have_their_exact_interval() -> None:
    rows = [
        {"clusters": 2 if i < 3 else 1, "no gaps": i == 0, "lengths": 0.3 * i, "by length": i > 0} for i in range(20)
    ]
    line = bench_unclustered.counted("x", rows)
    low, high = beta.ppf(0.025, 3, 18), beta.ppf(0.975, 4, 17)
    assert line["95 % interval"] == f"{low:.3f} to {high:.3f}"
    # One minus the chance of at most two of twenty at one in twenty.
    assert line["p, if 0.05"] == "0.075"
    assert line["of lengths, between clusters"] == "0.30"
    told = [line[name] for name in ("cut", "warned: lengths", "no gaps", "either")]
    assert told == ["3 of 20", "2 of 3", "1 of 3", "3 of 3"]


def test_kinds_that_are_asked_for_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def cluster(sequences: list[np.ndarray], **_: object) -> SimpleNamespace:
        labels = np.arange(len(sequences)) % 2
        return SimpleNamespace(n_clusters=1 + len(sequences) // 60, numbers=SimpleNamespace(p_value=0.5), labels=labels)

    monkeypatch.setattr(kinseq, "cluster", cluster)
    for name in ("continuous", "by length"):
        monkeypatch.setitem(bench_unclustered.CHECKS, name, lambda found: [])
    text = bench_unclustered.run(argparse.Namespace(only="white,sine", quick=True, out=tmp_path))
    lines = [line.split(" | ")[:2] for line in text.splitlines() if line.startswith("| ")][1:]
    counts = {words.removeprefix("| "): cut for words, cut in lines}
    assert counts["one model"] == counts["a continuum"] == "4 of 8"
    assert counts["one model, 90 frames"] == "4 of 4"
    assert (counts["one model, 25"], counts["one model, 60"]) == ("0 of 4", "4 of 4")
    assert counts["a continuum, sine"] == "4 of 8"
    assert (tmp_path / "unclustered.csv").read_text().count("\n") == 1 + (2 * 2 + 1) * 4
    text = bench_unclustered.run(argparse.Namespace(only="one_length", quick=True, out=tmp_path))
    assert "| one model, 90 frames | 20 of 20 |" in text
    assert "continuum" not in text
    assert bench_unclustered.run(argparse.Namespace(only="W1", quick=True, out=tmp_path)) == ""
