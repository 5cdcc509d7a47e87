"""Rows on a regular clock, and long logs cut into pieces, by files and by tables in memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import kinseq
from kinseq.core.clock import clock_of
from kinseq.core.cutting import PIECES
from kinseq.core.errors import DataError, KinseqError, ParameterError
from kinseq.core.inputs import TOLD, Columns, as_collection
from kinseq.core.regular import common_step, on_clock
from kinseq.core.sequences import SequenceSet
from kinseq.core.spans import as_span, in_words, seconds_in
from kinseq.readers.folder import reading_like
from kinseq.readers.reading import Reading
from tests.reading import read_folder
from tests.sentences import Recorded

RNG = np.random.default_rng(5)


def in_memory(data: Any, **options: Any) -> SequenceSet:
    how = Reading(**options)
    columns = Columns(how.id_column, how.time_column, how.value_columns)
    return as_collection(data, columns=columns, missing=how.missing, arrangement=how.arrangement)[0]


def by_both(table: pd.DataFrame, folder: Path, **options: Any) -> SequenceSet:
    """Sequences of a long table, which are the same from a file and from memory."""
    path = folder / "log.csv"
    table.to_csv(path, index=False)
    read = kinseq.read(path, **options)
    held = in_memory(table, **options)
    assert isinstance(read, SequenceSet)
    assert read.lengths.tolist() == held.lengths.tolist()
    assert np.allclose(read.values, held.values)
    if "id" in table.columns:
        assert read.ids.tolist() == held.ids.tolist()
        assert read.provenance.get(PIECES) == held.provenance.get(PIECES)
    return read


def log(start: str = "2026-03-01", rows: int = 100, step: str = "1min", **columns: Any) -> pd.DataFrame:
    times = pd.date_range(start, periods=rows, freq=step.replace("d", "D"))
    return pd.DataFrame({"id": "meter_07", "time": times, "x": np.arange(float(rows)), **columns})


# Spans


def test_spans_have_the_words_of_pandas() -> None:
    for text in ("10s", "1min", "2.5h", "1D", "250ms", "3us", "7ns", "90 s"):
        assert seconds_in(text) == pytest.approx(pd.Timedelta(text).total_seconds() or 7e-9)
    assert as_span("256", "cut") == 256
    assert as_span(pd.Timedelta("1h"), "cut") == "3600s"
    assert in_words(60.0, "s") == "60s"
    assert in_words(20.0, "ms") == "20ms"
    assert in_words(0.02, "s") == "20ms"
    assert in_words(3.0, "") == 3.0
    for wrong in ("0s", 0, -1.0, "-5s", "5 parsecs", "1M", "", True, float("nan")):
        with pytest.raises(ParameterError, match="every"):
            as_span(wrong, "every")


# A regular clock


def test_steps_with_several_rows_are_their_means_as_of_pandas() -> None:
    times = np.sort(RNG.random(400)) * 100.0
    values = RNG.normal(size=(400, 2))
    values[RNG.random((400, 2)) < 0.1] = np.nan
    found = on_clock(values, times, 1.0, 1e9, "x", begin=0.0)
    table = pd.DataFrame(values, index=pd.Timestamp("2026-01-01") + pd.to_timedelta(times, "s"))
    expected = table.resample("1s").mean().interpolate(limit_area="inside")
    assert np.allclose(found.values, expected.to_numpy(), equal_nan=True)
    assert np.allclose(found.times, np.arange(np.floor(times[0]), np.floor(times[-1]) + 1))


@pytest.mark.parametrize("step", [1.0, 0.5, 0.3])
def test_lines_in_time_keep_a_line(step: float) -> None:
    times = np.cumsum(1.0 + 0.2 * RNG.uniform(-1, 1, 60)) + 17.0
    found = on_clock(np.c_[2.0 * times - 5.0, -times], times, step, None, "x")
    inside = (found.times >= times[0]) & (found.times <= times[-1])
    assert np.allclose(np.diff(found.times), step)
    assert np.allclose(found.values[inside], np.c_[2.0 * found.times - 5.0, -found.times][inside])


def test_lines_cross_gaps_of_some_steps_and_no_longer_ones() -> None:
    times = np.array([0.0, 1, 5, 6, 11, 12])  # three steps without a row, then four
    values = times[:, None] ** 2
    found = on_clock(values, times, 1.0, None, "x")
    assert np.isnan(found.values[:, 0]).nonzero()[0].tolist() == [7, 8, 9, 10]
    assert found.values[1:6, 0].tolist() == [1.0, 7.0, 13.0, 19.0, 25.0]
    assert found.filled == 3
    assert not np.isnan(on_clock(values, times, 1.0, 4.0, "x").values).any()
    assert np.isnan(on_clock(values, times, 1.0, 2.0, "x").values).sum() == 7


def test_a_step_that_is_too_short_is_refused(recorded: Recorded) -> None:
    with recorded.raises(DataError):
        on_clock(np.zeros((2, 1)), np.array([0.0, 1e9]), 1e-3, None, "x")


def test_sequences_of_different_rates_become_comparable(tmp_path: Path) -> None:
    for name, step in (("slow", 2.0), ("fast", 0.5)):
        times = step * np.arange(int(100 / step))
        pd.DataFrame({"time": times, "x": 3.0 * times}).to_csv(tmp_path / f"{name}.csv", index=False)
    read, notes = read_folder(tmp_path, every=1)
    assert sorted(read.lengths.tolist()) == [99, 100]
    assert all(np.allclose(np.diff(frames[:, 0]), 3.0) for frames in read)
    assert notes[0].startswith("put the rows of 2 sequences on a clock of 1")
    assert any("rates differ" in note and "every=0.5" in note for note in read_folder(tmp_path)[1])


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_a_word_takes_times_since_1970_as_they_are(unit: str, tmp_path: Path) -> None:
    size = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[unit]
    table = log(rows=40)
    table["time"] = (1_772_323_200 + 30 * np.arange(40)) * size
    read = by_both(table, tmp_path, every="1min")
    assert np.allclose(read[0][:, 0], 0.5 + 2.0 * np.arange(20))
    assert any("since 1970" in note for note in read.notes)
    pieces = by_both(table, tmp_path, cut="10min")
    assert pieces.ids.tolist() == ["meter_07 @ 2026-03-01 00:00", "meter_07 @ 2026-03-01 00:10"]


def test_a_number_is_a_step_in_the_unit_and_a_word_takes_plain_numbers_as_seconds(
    tmp_path: Path, recorded: Recorded
) -> None:
    table = log(rows=40)
    table["time"] = np.arange(40) / 2.0
    assert by_both(table, tmp_path, every=2)[0][:, 0].tolist() == [1.5 + 4 * k for k in range(10)]
    read = by_both(table, tmp_path, every="2s")
    assert read[0][:, 0].tolist() == [1.5 + 4 * k for k in range(10)]
    assert any("taken for seconds" in note for note in read.notes)
    clock = clock_of(read)
    assert clock is not None
    assert (clock.step, clock.unit) == (2.0, "s")
    odd = table.rename(columns={"time": "time [frames]"})
    with recorded.raises(ParameterError):
        in_memory(odd, every="2s")


def test_a_longer_gap_is_missing_or_cuts_the_sequence(tmp_path: Path, recorded: Recorded) -> None:
    table = log(rows=60).drop(index=range(20, 30))
    with recorded.raises(DataError):
        in_memory(table, every="1min")
    filled = by_both(table, tmp_path, every="1min", missing="interpolate")
    assert filled[0][:, 0].tolist() == list(range(60))
    assert by_both(table, tmp_path, every="1min", max_gap="10min")[0][:, 0].tolist() == list(range(60))
    pieces = by_both(table, tmp_path, every="1min", missing="cut")
    assert pieces.lengths.tolist() == [20, 30]
    assert pieces.ids.tolist() == ["meter_07 @ 2026-03-01 00:00", "meter_07 @ 2026-03-01 00:30"]


def test_missing_numbers_cut_a_sequence_without_a_clock(tmp_path: Path) -> None:
    table = log(rows=30)
    table.loc[[10, 11, 20], "x"] = np.nan
    assert by_both(table, tmp_path, missing="cut").lengths.tolist() == [10, 8, 9]
    whole = by_both(log(rows=30), tmp_path, missing="cut")
    assert whole.ids.tolist() == ["meter_07"]


def test_missing_rows_of_one_clock_become_lines_whatever_their_share(tmp_path: Path) -> None:
    for i in range(6):
        keep = RNG.random(200) > (0.4 if i % 2 else 0.0)
        keep[[0, -1]] = True
        pd.DataFrame({"time": np.arange(200), "x": 2.0 * np.arange(200)})[keep].to_csv(
            tmp_path / f"r{i}.csv", index=False
        )
    read, notes = read_folder(tmp_path)
    assert read.lengths.tolist() == [200] * 6
    assert all(np.allclose(frames[:, 0], 2.0 * np.arange(200)) for frames in read)
    assert notes[0].startswith("rows are missing by the times in 3 of 6 sequences")
    assert "every=1" in notes[0]
    # New sequences are put on the same clock.
    new = tmp_path / "new"
    new.mkdir()
    pd.DataFrame({"time": [0, 2, 4, 10], "x": [0.0, 4, 8, 20]}).to_csv(new / "a.csv", index=False)
    again = kinseq.read(new / "a.csv", reading_like(read, new / "a.csv"))
    assert again.load()[0][:, 0].tolist() == [2.0 * k for k in range(11)]


@pytest.mark.parametrize(
    ("times", "step"),
    [
        ([[0.0, 1, 2, 4, 5]], 1.0),
        ([[0.0, 1, 2, 3]], None),  # nothing is missing
        ([[0.0, 1, 2.5, 3.5]], None),  # no whole multiple
        ([[0.0, 1, 2, 4], [0.0, 2, 4, 6]], None),  # another rate
        ([[0.0, 7, 10, 16, 17, 22, 24]], None),  # an odd moment is no clock
        ([[2000.0, 4000, 10000, 12000, 14000, 20000, 22000]], None),  # 00:20:00, 00:40:00, 01:00:00 ...
        ([[0.0, 1, 2, 3, 4, 60, 61]], None),  # a gap as long as the log
        ([[0.0, 60.3, 119.9, 240.2, 300.1]], 60.0),
    ],
)
def test_a_common_step_is_that_of_most_rows(times: list[list[float]], step: float | None) -> None:
    found = common_step([np.array(moments) for moments in times])
    assert found == (None if step is None else pytest.approx(step, rel=0.01))


def test_notes_name_the_step_that_mends_unequal_ones(tmp_path: Path) -> None:
    table = log(rows=50)
    table["time"] += pd.to_timedelta(RNG.integers(0, 50, 50) * (np.arange(50) % 4 == 0), "s")
    table.to_csv(tmp_path / "log.csv", index=False)
    read = kinseq.read(tmp_path / "log.csv")
    assert any("every='60s' (most steps are 60 s)" in note for note in read.notes)


def test_the_step_of_a_note_is_the_one_that_a_jittering_clock_was_set_to(tmp_path: Path) -> None:
    table = pd.DataFrame({"time": pd.date_range("2024-03-01", periods=60, freq="10min"), "x": np.arange(60) % 7.0})
    table["time"] += pd.to_timedelta(RNG.integers(-60, 60, 60), "s")
    table.iloc[[i for i in range(60) if i % 10 != 3]].to_csv(tmp_path / "log.csv", index=False)
    notes = [note for note in kinseq.read(tmp_path / "log.csv").notes if "every=" in note]
    assert len(notes) == 2
    assert all("every='600s'" in note for note in notes)


# Cutting


def test_days_begin_at_midnight_and_incomplete_ones_are_left_out(tmp_path: Path, recorded: Recorded) -> None:
    read = by_both(log("2026-03-01 07:00", 24 * 4, "1h"), tmp_path, cut="1d")
    assert read.ids.tolist() == [f"meter_07 @ 2026-03-0{day}" for day in (2, 3, 4)]
    assert [frames[0, 0] for frames in read] == [17.0, 41.0, 65.0]
    assert read.lengths.tolist() == [24] * 3
    assert read.provenance[PIECES]["meter_07 @ 2026-03-02"] == [
        "meter_07",
        "2026-03-02 00:00:00",
        "2026-03-03 00:00:00",
    ]
    recorded(read.notes)


def test_parts_of_days_begin_as_the_day_is_divided_and_may_overlap(tmp_path: Path) -> None:
    table = log("2026-03-01 07:00", 24 * 3, "1h")
    read = by_both(table, tmp_path, cut="8h")
    assert read.ids.tolist()[:2] == ["meter_07 @ 2026-03-01 08:00", "meter_07 @ 2026-03-01 16:00"]
    over = by_both(table, tmp_path, cut="8h", step="4h")
    assert over.ids.tolist()[:3] == [f"meter_07 @ 2026-03-01 {hour}:00" for hour in ("08", "12", "16")]
    assert np.allclose(over[1][:4], over[0][4:])


def test_days_are_those_of_the_zone_of_the_data(tmp_path: Path) -> None:
    times = pd.date_range("2026-03-27", "2026-04-01", freq="1h", tz="Europe/Berlin", inclusive="left")
    found = in_memory(pd.DataFrame({"id": "m", "time": times, "x": np.arange(len(times))}), cut="1d")
    assert found.lengths.tolist() == [24, 24, 23, 24, 24]
    fixed = pd.date_range("2026-03-01 22:00", periods=60, freq="1h", tz="Etc/GMT-2")
    table = pd.DataFrame({"id": "m", "time": fixed, "x": np.arange(60.0)})
    assert by_both(table, tmp_path, cut="1d").ids.tolist() == ["m @ 2026-03-02", "m @ 2026-03-03"]


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe"])
def test_days_follow_offsets_that_change_within_a_file(tmp_path: Path, zone: str) -> None:
    times = pd.date_range("2026-03-05", "2026-04-09", freq="30min", tz=zone, inclusive="left")
    lines = [f"{time.isoformat()},{k % 7}\n" for k, time in enumerate(times)]
    (tmp_path / "log.csv").write_text("time,x\n" + "".join(lines), encoding="utf-8")
    read = kinseq.read(tmp_path / "log.csv", cut="1d")
    days = times.normalize().value_counts().sort_index()
    assert read.lengths.tolist() == days.tolist()
    assert sorted(set(days)) != [48]
    assert [name.partition(" @ ")[2] for name in read.ids] == [f"{day:%Y-%m-%d}" for day in days.index]
    assert any("offset from UTC" in note for note in read.notes)


def test_offsets_of_no_zone_are_named_in_a_note(tmp_path: Path) -> None:
    times = pd.date_range("2026-01-01", periods=96, freq="1h", tz="UTC")
    texts = [time.tz_convert(f"+0{k // 24 % 2 * 5 + 1}:00").isoformat() for k, time in enumerate(times)]
    (tmp_path / "log.csv").write_text(
        "time,x\n" + "".join(f"{text},{k}\n" for k, text in enumerate(texts)), encoding="utf-8"
    )
    read = kinseq.read(tmp_path / "log.csv", cut="1d")
    assert [name.partition(" @ ")[2] for name in read.ids] == ["2026-01-02", "2026-01-03", "2026-01-04"]
    assert any("single time zone" in note for note in read.notes)


def test_weeks_begin_on_mondays(tmp_path: Path) -> None:
    read = by_both(log("2026-03-01", 30, "1d"), tmp_path, cut="7d")
    assert read.ids.tolist() == [f"meter_07 @ 2026-03-{day:02d}" for day in (2, 9, 16, 23)]


def test_numbers_are_frames(tmp_path: Path, recorded: Recorded) -> None:
    arrays = [np.arange(100.0)[:, None], np.arange(70.0)[:, None]]
    found = in_memory(arrays, cut=32, step=16)
    assert found.ids.tolist() == [
        "s00000 @ 1",
        *(f"s00000 @ {k}" for k in (17, 33, 49, 65)),
        "s00001 @ 1",
        "s00001 @ 17",
        "s00001 @ 33",
    ]
    assert [frames[0, 0] for frames in found] == [0, 16, 32, 48, 64, 0, 16, 32]
    recorded(found.provenance[TOLD])
    by_both(log(rows=100), tmp_path, cut=30)
    np.savez(tmp_path / "a.npz", values=np.concatenate(arrays), offsets=[0, 100, 170])
    assert kinseq.read(tmp_path / "a.npz", cut=32).load().lengths.tolist() == [32] * 5


def test_a_rate_gives_arrays_a_time() -> None:
    found = in_memory([np.arange(100.0)[:, None]] * 2, cut="2s", rate=10)
    assert found.lengths.tolist() == [20] * 10


def test_pieces_begin_where_a_column_changes_which_is_no_feature(tmp_path: Path) -> None:
    table = log(rows=60, cycle=np.repeat([1, 2, 3], 20), state=np.repeat(["on", "off", "on"], 20))
    for column, ids in (
        ("cycle", ["1", "2", "3"]),
        ("state", ["2026-03-01 00:00", "2026-03-01 00:20", "2026-03-01 00:40"]),
    ):
        read = by_both(table.drop(columns="state" if column == "cycle" else "cycle"), tmp_path, cut_at=column)
        assert read.ids.tolist() == [f"meter_07 @ {entry}" for entry in ids]
        assert read.lengths.tolist() == [20] * 3
        assert read.provenance["columns"] == ["x"]
    gridded = by_both(table.drop(columns="state"), tmp_path, cut_at="cycle", every="2min")
    assert gridded.lengths.tolist() == [10] * 3


def test_labels_may_be_of_sources_or_of_pieces(tmp_path: Path) -> None:
    for name in ("meter_01", "meter_02"):
        log(rows=48, step="1h").drop(columns="id").to_csv(tmp_path / f"{name}.csv", index=False)
    (tmp_path / "labels.csv").write_text("id,label\nmeter_01.csv,a\nmeter_02,b\n")
    read = kinseq.read(tmp_path, cut="1d").load()
    assert read.ids.tolist() == [f"meter_0{k} @ 2026-03-0{day}" for k in (1, 2) for day in (1, 2)]
    assert read.labels is not None
    assert read.labels.tolist() == ["a", "a", "b", "b"]
    days = "".join(f"{entry},{k % 2}\n" for k, entry in enumerate(read.ids))
    (tmp_path / "labels.csv").write_text(f"id,label\n{days}")
    of_pieces = kinseq.read(tmp_path, cut="1d").load().labels
    assert of_pieces is not None
    assert of_pieces.tolist() == ["0", "1", "0", "1"]


def test_the_partition_names_source_start_and_end(tmp_path: Path) -> None:
    rows = 24 * 12
    x = np.where(np.arange(rows) // 24 % 2, np.sin(np.arange(rows)), np.sign(np.sin(np.arange(rows) / 4)))
    table = log(rows=rows, step="1h").assign(x=x + 0.1 * RNG.normal(size=rows))
    result = kinseq.cluster(table, 2, "mean_vector", cut="1d", labels=["a"], n_resamples=2)
    frame = result.to_frame()
    assert frame.columns[:4].tolist() == ["cluster", "source", "start", "end"]
    assert frame.loc["meter_07 @ 2026-03-02"].iloc[1:4].tolist() == [
        "meter_07",
        "2026-03-02 00:00:00",
        "2026-03-03 00:00:00",
    ]
    assert set(frame["label"]) == {"a"}
    from kinseq.report.files import write_partition

    write_partition(tmp_path / "partition.csv", result)
    written = pd.read_csv(tmp_path / "partition.csv", index_col="id")
    assert written.columns[:4].tolist() == ["cluster", "source", "start", "end"]
    assert written["start"].tolist() == frame["start"].tolist()
    # New pieces have theirs too.
    table.drop(columns="id").iloc[:100].to_csv(tmp_path / "new.csv", index=False)
    page = result.place(tmp_path / "new.csv").report(tmp_path / "placed")
    placed = pd.read_csv(page.parent / "partition.csv", index_col="id")
    assert placed.columns[:4].tolist() == ["cluster", "source", "start", "end"]
    assert placed.loc["new @ 2026-03-02", "start"] == "2026-03-02 00:00:00"
    assert len(placed) == 4


def test_a_single_log_without_an_id_is_clustered_by_its_pieces(tmp_path: Path, recorded: Recorded) -> None:
    rows = 24 * 10
    x = np.where(np.arange(rows) // 24 % 2, np.sin(np.arange(rows)), np.sign(np.sin(np.arange(rows) / 4)))
    table = log(rows=rows, step="1h").assign(x=x + 0.1 * RNG.normal(size=rows)).drop(columns="id")
    table.to_csv(tmp_path / "meter.csv", index=False)
    found = kinseq.cluster(tmp_path / "meter.csv", 2, "mean_vector", cut="1d", n_resamples=2)
    assert found.to_frame()["source"].unique().tolist() == ["meter"]
    assert len(found.labels) == 10
    with recorded.raises(DataError):
        kinseq.cluster(tmp_path / "meter.csv", 2)


def test_warnings_say_that_pieces_depend_and_whether_clusters_are_the_sources(recorded: Recorded) -> None:
    def table(of_source: bool) -> pd.DataFrame:
        parts = []
        for name in ("a", "b"):
            hours = np.arange(24 * 10)
            kind = np.full(len(hours), name == "b") if of_source else hours // 24 % 2 == 0
            x = np.where(kind, np.sin(hours), np.sign(np.sin(hours / 4))) + 0.1 * RNG.normal(size=len(hours))
            parts.append(log(rows=len(hours), step="1h").assign(id=name, x=x))
        return pd.concat(parts)

    for of_source in (True, False):
        found = kinseq.cluster(table(of_source), 2, "statistics", cut="1d", n_resamples=2)
        warnings = found.warnings()
        recorded.within("\n".join(warnings))
        assert any("the sources: 100%" in warning for warning in warnings) == of_source
    whole = kinseq.cluster(
        table(True).assign(id=lambda t: t["id"] + (np.arange(len(t)) // 24).astype(str)), 2, "statistics"
    )
    assert not any("independent" in warning or "sources" in warning for warning in whole.warnings())


@pytest.mark.parametrize(
    "options",
    [
        {"cut": "2d"},
        {"cut": 256},
        {"cut_at": "x"},
        {"cut_at": "nothing"},
        {"cut": "1d", "cut_at": "x"},
        {"cut": "1d", "step": 3},
        {"step": "1h"},
        {"max_gap": "1h"},
        {"cut": 2.5},
        {"every": "0s"},
    ],
)
def test_what_cannot_be_cut_is_refused(options: dict[str, Any], tmp_path: Path, recorded: Recorded) -> None:
    table = log(rows=100, y=1.0)
    table.to_csv(tmp_path / "log.csv", index=False)
    for read in (lambda: kinseq.read(tmp_path / "log.csv", **options), lambda: in_memory(table, **options)):
        with recorded.raises(KinseqError):
            read()


def test_a_clock_needs_times(tmp_path: Path, recorded: Recorded) -> None:
    log(rows=20).drop(columns="time").to_csv(tmp_path / "log.csv", index=False)
    for options in ({"every": "1s"}, {"cut": "5s"}):
        for data in (tmp_path / "log.csv", [np.zeros((20, 1)), np.ones((20, 1))]):
            with recorded.raises(DataError):
                kinseq.cluster(data, **options)


def test_the_estimator_cuts_and_predicts_as_the_function_does(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)

    def days(first: str, n: int) -> pd.DataFrame:
        times = pd.date_range(first, periods=96 * n, freq="15min")
        hours = times.hour + times.minute / 60
        peak = np.where(times.dayofweek >= 5, 15, 8)
        kw = np.exp(-0.5 * ((hours - peak) / 1.5) ** 2) + 0.05 * rng.normal(size=len(times))
        table = pd.DataFrame({"id": "meter", "time": times, "kw": kw})
        return table[rng.random(len(table)) > 0.03]

    how = {"every": "1h", "max_gap": "3h", "cut": "1d"}
    table, later = days("2026-03-02", 21), days("2026-04-06", 7)
    table.to_csv(tmp_path / "log.csv", index=False)
    later.to_csv(tmp_path / "later.csv", index=False)
    estimator = kinseq.SequenceClustering(2, **how).fit(table)
    assert len(estimator.labels_) == 21
    assert [int(k) for k in np.bincount(estimator.labels_)] == [15, 6]
    expected = estimator.predict(later)
    assert expected.tolist() == [0, 0, 0, 0, 0, 1, 1]
    for data, new in ((table, later), (tmp_path / "log.csv", tmp_path / "later.csv")):
        found = kinseq.cluster(data, 2, **how)
        assert found.labels.tolist() == estimator.labels_.tolist()
        assert found.predict(new).tolist() == expected.tolist()
    read = kinseq.cluster(kinseq.read(tmp_path / "log.csv", **how), 2)
    assert read.labels.tolist() == estimator.labels_.tolist()
    assert read.predict(tmp_path / "later.csv").tolist() == expected.tolist()


def test_a_step_as_long_as_the_sequences_leaves_nothing_to_compare(tmp_path: Path, recorded: Recorded) -> None:
    for k in range(4):
        log(rows=30)[["time", "x"]].to_csv(tmp_path / f"{k}.csv", index=False)
    with recorded.raises(DataError):
        kinseq.cluster(tmp_path, every="1h")


def test_times_that_are_all_the_same_are_no_unequal_steps(tmp_path: Path) -> None:
    for k in range(4):
        log(rows=30).assign(time="2026-03-01", x=RNG.normal(size=30))[["time", "x"]].to_csv(
            tmp_path / f"{k}.csv", index=False
        )
    notes = kinseq.read(tmp_path).notes
    assert any(note.startswith("all times of a sequence are the same") for note in notes)
    assert not any("unequal" in note for note in notes)


def test_a_step_shorter_than_the_unit_of_the_lengths_is_given_in_its_own(tmp_path: Path) -> None:
    log(rows=432, step="10min").to_csv(tmp_path / "log.csv", index=False)
    said = repr(kinseq.read(tmp_path / "log.csv", cut="1d"))
    assert "600 s from" in said
    assert "sequence has 24 h" in said
