"""Time of sensors: what columns of times and a stated rate say, and how pages and explanations tell it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import soundfile

import kinseq
from kinseq.analysis.explaining import explain
from kinseq.core.clock import UNTOLD, Clock, clock_of, display_clock, duration, read_clock, time_of_day
from kinseq.core.errors import ParameterError
from kinseq.core.sequences import SequenceSet
from tests.reading import read_folder
from tests.sentences import Recorded

FRAMES, EACH = 50, 10
ISO = pd.Timestamp("2024-05-31 10:00:00")


def stamps(kind: str) -> object:
    """Times of 50 frames, 0.04 s apart, as different devices write them."""
    ticks = np.arange(FRAMES)
    return {
        "seconds": 7.0 + 0.04 * ticks,
        "milliseconds": 40 * ticks,
        "rounded": np.round(ticks / 30, 2),
        "dates": [(ISO + pd.Timedelta(milliseconds=40 * int(i))).isoformat(timespec="milliseconds") for i in ticks],
        "epoch": 1_700_000_000_000 + 40 * ticks,
        "counted": ticks,
        "irregular": np.where(ticks < 20, 0.04 * ticks, 5.0 + 0.04 * ticks),
    }[kind]


def write(folder: Path, header: str | None, kind: str, jumps: bool = True, lengths: int = 0) -> Path:
    """Sequences of two groups in a folder; the level of one rises from 60 to 80 % of the time on."""
    folder.mkdir()
    rng = np.random.default_rng(4)
    for i in range(2 * EACH):
        values = rng.normal(size=FRAMES)
        values[30:40] += 9.0 * (i % 2) * jumps
        columns = {"x": values} if header is None else {header: stamps(kind), "x": values}
        pd.DataFrame(columns).iloc[: FRAMES - lengths * (i % 3)].to_csv(folder / f"{i:02d}.csv", index=False)
    return folder


@pytest.mark.parametrize(
    ("header", "kind", "clock"),
    [
        ("time", "seconds", Clock(0.04, UNTOLD)),
        ("time [s]", "seconds", Clock(0.04)),
        ("Time (ms)", "milliseconds", Clock(40.0, "ms")),
        ("time [s]", "rounded", Clock(1 / 30)),
        ("when", "dates", Clock(0.04)),
        ("time", "dates", Clock(0.04)),
        ("stamp", "epoch", Clock(40.0, "ms")),
        ("time", "counted", None),
        ("time", "irregular", None),
        (None, "", None),
    ],
)
def test_columns_of_times_are_read_with_their_unit(
    header: str | None, kind: str, clock: Clock | None, tmp_path: Path
) -> None:
    found, notes = read_folder(write(tmp_path / "data", header, kind))
    assert found.n_features == 1
    tables = [pd.read_csv(tmp_path / "data" / name) for name in found.ids]
    if header == "when":
        tables = [table.assign(when=pd.to_datetime(table["when"])) for table in tables]
    read = [clock_of(found)]
    if (header, kind) != ("time", "dates"):
        read.append(clock_of(kinseq.cluster(tables, 2, "mean_vector", n_resamples=2).original))
        long = pd.concat([table.assign(id=name) for table, name in zip(tables, found.ids, strict=True)])
        if header is not None:
            read.append(clock_of(kinseq.cluster(long, 2, "mean_vector", n_resamples=2).original))
    for made in read:
        if clock is None:
            assert made is None
        else:
            assert made is not None
            assert made.unit == clock.unit
            assert made.step == pytest.approx(clock.step, rel=0.02)
    said = [note for note in notes if "the time has no unit" in note]
    assert len(said) == ((header, kind) == ("time", "seconds"))
    assert any("irregular time" in note for note in notes) == (kind == "irregular")


def test_sequences_of_different_rates_are_told_in_frames(recorded: Recorded) -> None:
    clock, said = read_clock([0.1 * np.arange(30), 0.2 * np.arange(30)], "s")
    assert clock is None
    recorded(said)
    # Rounding of the ends is no other rate.
    clock, said = read_clock([np.array([0.0, 0.1, 0.2]), np.array([0.0, 0.1, 0.3])], "s")
    assert clock is not None
    assert not said
    assert read_clock([np.zeros(1)], "s") == (None, "")
    assert read_clock([np.zeros(5)], "s")[0] is None


@pytest.mark.parametrize(
    ("clock", "frames", "told"),
    [
        (Clock(1.0), 999, Clock(1.0)),
        (Clock(1.0), 1000, Clock(1 / 60, "min")),
        (Clock(2.0), 1800, Clock(2 / 60, "min")),
        (Clock(60.0), 1440, Clock(1 / 60, "h")),
        (Clock(3600.0), 1500, Clock(1 / 24, "d")),
        (Clock(1.0, "min"), 1440, Clock(1 / 60, "h")),
        (Clock(40.0, "ms"), 5000, Clock(40.0, "ms")),
        (Clock(3.6e6, "ms"), 24, Clock(1.0, "h")),
        (Clock(2e7, "ns"), 50, Clock(0.02)),
        (Clock(1.0, UNTOLD), 5000, Clock(1.0, UNTOLD)),
    ],
)
def test_many_seconds_are_told_in_minutes_hours_or_days(clock: Clock, frames: int, told: Clock) -> None:
    given = SequenceSet.from_arrays([np.zeros((5, 1)), np.zeros((frames, 1))])
    given = replace(given, provenance=clock.as_provenance())
    assert clock_of(given) == clock
    found = display_clock(given)
    assert found is not None
    assert found.unit == told.unit
    assert found.step == pytest.approx(told.step)
    assert display_clock(replace(given, provenance={})) is None


def test_lengths_in_words() -> None:
    assert duration(None, 1) == "1 frame"
    assert duration(None, 1200) == "1200 frames"
    assert duration(Clock(0.04), 50) == "2 s"
    assert duration(Clock(40.0, "ms"), 50) == "2000 ms"


def test_explanation_and_page_tell_the_time_of_sensors(tmp_path: Path, recorded: Recorded) -> None:
    found = kinseq.cluster(write(tmp_path / "data", "time [ms]", "milliseconds"), 2, "dtw", n_resamples=2)
    said = " ".join(found.explain()["sentence"])
    # From frame 30 to 40 of 50, on a grid of 50 points.
    recorded.within(said)
    assert "of the time" not in said
    page = found.report(tmp_path / "page").read_text(encoding="utf-8")
    assert "50 frames (2000 ms)" in page
    assert '<td data-name="length: ">2000 ms</td>' in page
    recorded.within(page)
    assert '<div class="axis"><span>0</span><span>2000 ms</span></div>' in page
    assert kinseq.cluster(write(tmp_path / "no", None, ""), 2, "dtw", n_resamples=2).explain()["sentence"].str.contains(
        "60 to 80 %"
    ).any()  # fmt: skip


def days(begin: str, step: str, shift: str = "0s") -> list[pd.DataFrame]:
    """Logs of one day each; half of them with an event in the middle, the second one shifted."""
    rng, tables = np.random.default_rng(0), []
    for day in range(1, 25):
        first = pd.Timestamp(f"2024-03-{day:02d} {begin}") + (pd.Timedelta(shift) if day == 2 else pd.Timedelta(0))
        values = rng.normal(scale=0.3, size=120)
        values[60:84] += 3.0 * (day % 2)
        tables.append(pd.DataFrame({"time": pd.date_range(first, periods=120, freq=step), "co2": values}))
    return tables


def test_logs_that_begin_at_one_time_of_day_tell_places_by_the_clock(tmp_path: Path) -> None:
    tables = days("06:00", "5min")
    for i, table in enumerate(tables):
        table.to_csv(tmp_path / f"{i:02d}.csv", index=False)
    table = pd.concat([entry.assign(id=f"{i:02d}") for i, entry in enumerate(tables)])
    for data in (tmp_path, table, tables):
        said = " ".join(kinseq.cluster(data, 2, "dtw", n_resamples=2).explain()["sentence"])  # type: ignore[arg-type]
        assert "11:00 to 13:00" in said
        assert "(at 12:00)" in said
        assert "after the start" not in said


def test_logs_that_begin_at_several_times_of_day_tell_places_after_the_start(recorded: Recorded) -> None:
    said = " ".join(kinseq.cluster(days("06:00", "5min", "2h"), 2, "dtw", n_resamples=2).explain()["sentence"])  # type: ignore[arg-type]
    recorded.within(said)
    recorded.within(said)


def test_logs_that_pass_midnight_tell_places_by_the_clock(recorded: Recorded) -> None:
    said = " ".join(kinseq.cluster(days("20:00", "5min"), 2, "dtw", n_resamples=2).explain()["sentence"])  # type: ignore[arg-type]
    recorded.within(said)
    recorded.within(said)
    assert "after the start" not in said


def test_times_of_day_have_seconds_where_sequences_are_short() -> None:
    clock = Clock(1.0, "min", 6.5 * 3600)
    assert time_of_day(clock, 30.0, 120.0) == "07:00"
    assert time_of_day(clock, 0.5, 10.0) == "06:30:30"
    assert time_of_day(clock, 17.5 * 60.0, 24 * 60.0) == "24:00"
    assert time_of_day(clock, 18 * 60.0, 24 * 60.0) == "00:30 the next day"
    assert time_of_day(clock, 30.0, 24 * 60.0 + 1.0) == ""
    assert time_of_day(Clock(1.0, "min"), 30.0, 120.0) == ""
    assert time_of_day(Clock(1.0, "units of time", 0.0), 30.0, 120.0) == ""


def test_lengths_are_told_in_time_and_places_as_shares_where_they_differ(tmp_path: Path) -> None:
    found = kinseq.cluster(write(tmp_path / "data", "time [s]", "seconds", lengths=6), 2, "dtw", n_resamples=2)
    page = found.report(tmp_path / "page").read_text(encoding="utf-8")
    assert "38 to 50 frames (1.52 to 2 s)" in page
    assert '<td data-name="length: ">1.52–2 s</td>' in page
    assert "% of the time" in " ".join(found.explain()["sentence"])


def test_a_stated_rate_tells_time_and_changes_no_cluster(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    arrays = [rng.normal(size=(FRAMES // (1 + i % 2), 2)) for i in range(2 * EACH)]
    plain, timed = (kinseq.cluster(arrays, 2, "dtw", n_resamples=2, rate=rate) for rate in (None, 25))
    np.testing.assert_array_equal(plain.labels, timed.labels)
    np.testing.assert_array_equal(plain.distance, timed.distance)
    assert clock_of(timed.original) == Clock(0.04)
    table = explain(timed.original, np.arange(2 * EACH) % 2)
    (said,) = table[(table["cluster"] == 1) & (table["property"] == "length")]["sentence"]
    assert said.startswith("longer (2 against 1 s)")
    # It is kept, and takes precedence over columns.
    timed.save(tmp_path / "result")
    assert clock_of(kinseq.load(tmp_path / "result").original) == Clock(0.04)
    found = kinseq.cluster(write(tmp_path / "data", "time", "seconds"), 2, "mean_vector", n_resamples=2, rate=10)
    assert clock_of(found.original) == Clock(0.1)


@pytest.mark.parametrize("rate", [0, -1, np.nan, "fast", True])
def test_a_rate_is_a_positive_number(rate: object) -> None:
    with pytest.raises(ParameterError, match="rate is"):
        kinseq.cluster([np.zeros((3, 1)), np.ones((3, 1))], rate=rate)


def test_recordings_have_their_time(tmp_path: Path) -> None:
    for i in range(4):
        sound = np.random.default_rng(i).normal(size=8000)
        soundfile.write(tmp_path / f"{i}.wav", 0.1 * sound, 8000)
    assert clock_of(read_folder(tmp_path)[0]) == Clock(0.01)
    with pytest.raises(ParameterError, match=r"recordings, .*time"):
        kinseq.cluster(tmp_path, 2, rate=100)
