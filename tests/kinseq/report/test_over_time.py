"""Sources over time on the page: calendars of days, strips of other pieces, and which cluster follows which."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import kinseq

RNG = np.random.default_rng(11)


def page_of(found: kinseq.Clustering, folder: Path) -> str:
    found.report(folder)
    page = (folder / "index.html").read_text(encoding="utf-8")
    match = re.search(r'<section id="sources">.*?</section>', page, re.DOTALL)
    return match[0] if match else ""


def test_days_are_a_calendar_of_weeks(tmp_path: Path) -> None:
    # From a Wednesday on, five weeks; weekends are of another kind.
    times = pd.date_range("2025-01-01", periods=24 * 35, freq="1h")
    peak = np.where(times.dayofweek >= 5, 16, 6)
    kw = np.exp(-0.5 * ((times.hour - peak) / 1.5) ** 2) + 0.02 * RNG.normal(size=len(times))
    table = pd.DataFrame({"time": times, "kw": kw})
    found = kinseq.cluster({"meter": table}, 2, "dtw", cut="1d", n_resamples=2, time_column="time")
    section = page_of(found, tmp_path)
    marks = re.findall(
        r'<rect class="(\w+)" x="([\d.]+)" y="([\d.]+)"[^>]*><title>([\d-]+): cluster (\d)</title>', section
    )
    assert len(marks) == 35
    for ink, x, y, day, cluster in marks:
        moment = pd.Timestamp(day)
        assert float(y) == moment.dayofweek
        assert float(x) == (moment - pd.Timestamp("2024-12-30")).days // 7
        assert ink == f"k{int(cluster) - 1}"
        assert (int(cluster) == 2) == (moment.dayofweek >= 5)
    # 25 working days and 10 days of weekends; from Friday to Saturday five times, and from Sunday to Monday as often.
    cells = re.findall(r"<td[^>]*>(?:<[^>]+>)?([^<]+)", section)
    assert cells[:3] == ["meter", "25", "10"]
    assert cells[3:] == ["1", "19", "5", "2", "5", "5"]


def test_other_pieces_are_runs_on_a_strip(tmp_path: Path) -> None:
    parts = [np.sin(np.arange(30) / (1.0 if k < 4 or k == 9 else 5.0)) + 0.05 * RNG.normal(size=30) for k in range(12)]
    found = kinseq.cluster({"log": np.concatenate(parts)[:, None]}, 2, "statistics", cut=30, n_resamples=2)
    section = page_of(found, tmp_path)
    marks = re.findall(
        r' x="([\d.]+)" y="0.0" width="([\d.]+)" height="1"><title>(\d+) to (\d+): cluster (\d)', section
    )
    assert [(int(a), int(b)) for _, _, a, b, _ in marks] == [(1, 120), (121, 270), (271, 300), (301, 360)]
    assert [m[4] for m in marks] == [str(1 + k) for k in found.labels[[0, 4, 9, 10]]]
    np.testing.assert_allclose([float(w) for _, w, *_ in marks], np.array([119, 149, 29, 59]) / 359 * 1000, rtol=1e-3)


def test_groups_within_groups_have_one_name_and_tables_hold_every_piece(tmp_path: Path) -> None:
    # Two levels far apart, of which the lower one is of two; one piece fits no cluster.
    rng = np.random.default_rng(0)
    levels = np.tile(np.repeat([0.0, 0.8, 12.0], 7), 2)
    frames = np.concatenate([level + 0.1 * rng.normal(size=30) for level in levels])
    found = kinseq.cluster({"log": pd.DataFrame({"x": frames})}, 2, cut=30, n_resamples=2)
    found = replace(found, _by_leaves=True)
    assert found.details.numbers == ["1.1", "1.2", "2"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(found.details), "scattered", np.array([9]))
        section = page_of(found, tmp_path)
    heads = ["cluster 1.1", "cluster 1.2", "cluster 2", "fits no cluster"]
    assert re.findall(r"<th[^>]*>([^<]+)", section) == ["source", *heads, "after", *heads]
    names = re.findall(r"<title>\d+ to \d+: ([^<]+)", section)
    assert [name for name in names if name != heads[-1]][:2] == [heads[found.labels[0]], heads[found.labels[7]]]
    assert names.count(heads[-1]) == 1
    cells = re.findall(r"<td[^>]*>(?:<[^>]+>)?([^<]+)", section)
    of_each = np.bincount(np.delete(found.labels, 9), minlength=3)
    assert cells[:5] == ["log", *map(str, of_each), "1"]
    rows = np.array(cells[5:]).reshape(4, 5)
    assert rows[:, 0].tolist() == ["1.1", "1.2", "2", heads[-1]]
    counts = np.where(rows[:, 1:] == "·", "0", rows[:, 1:]).astype(int)
    # Every piece but the last is followed by one.
    assert counts.sum() == len(levels) - 1
    assert counts[3].sum() == counts[:, 3].sum() == 1
    at = found.labels[8]
    assert counts[at, 3] == counts[3, at] == 1


def test_there_is_no_such_section_where_nothing_was_cut(tmp_path: Path) -> None:
    waves = [
        np.sin(np.arange(30) / (1.0 if k % 2 else 5.0))[:, None] + 0.05 * RNG.normal(size=(30, 1)) for k in range(12)
    ]
    assert not page_of(kinseq.cluster(waves, 2, "statistics", n_resamples=2), tmp_path)
