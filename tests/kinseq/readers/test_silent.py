"""Files that were misread silently: each kind with its note, and its right reading."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import kinseq
from kinseq.analysis.preparation import load
from kinseq.core.arrays import FloatArray
from kinseq.core.circular import as_circles, round_of
from kinseq.core.clock_columns import find_clocks, names_clock
from kinseq.core.confounders import SUSPECTS
from kinseq.core.data_checks import remarks_on_ids
from kinseq.core.errors import DataError, KinseqError, ParameterError
from kinseq.core.inputs import Columns, as_collection
from kinseq.core.row_order import goes_on, row_order
from kinseq.core.sequences import SequenceSet
from kinseq.features.frames import averaged
from kinseq.readers.folder import Processing
from kinseq.readers.reading import Reading
from tests.reading import read_folder
from tests.sentences import Recorded

RNG = np.random.default_rng(0)


def written(folder: Path, texts: dict[str, str | bytes]) -> Path:
    for name, text in texts.items():
        (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


def table(rows: FloatArray, header: str = "", form: str = "%.4f", separator: str = ",") -> str:
    lines = [separator.join(form % cell for cell in row) for row in rows]
    return "\n".join([header, *lines] if header else lines) + "\n"


def said(notes: list[str], *words: str) -> bool:
    return all(any(word in note for note in notes) for word in words)


def settled(arrays: Any, **options: Any) -> tuple[SequenceSet, list[str]]:
    sequences, remarks = load(arrays, Reading(**{"layout": "channels_last", **options}), Processing())
    return sequences, list(remarks.notes)


# Power loss


@pytest.mark.parametrize(
    ("tail", "lost"),
    [(b"", 0), (b"0.12", 0), (b"0.12,", 0), (b"0.1234,0.1", 0), (b"\0" * 512, 0), (b"0.1234,0.5\0\0\0", 0)],
)
def test_a_last_line_that_breaks_off_loses_no_other_row(tmp_path: Path, tail: bytes, lost: int) -> None:
    rows = RNG.normal(size=(12, 2))
    whole = table(rows, "a,b").encode()
    read, notes = read_folder(written(tmp_path, {"a.csv": whole + tail, "b.csv": whole}))
    np.testing.assert_array_equal(read[0], read[1])
    assert said(notes, "left out the last line of 1 file, which breaks off") == bool(tail)


def test_a_block_that_was_never_written_loses_its_lines_alone(tmp_path: Path) -> None:
    rows = np.random.default_rng(3).normal(size=(60, 2))
    whole = table(rows, "a,b").encode()
    at = len(whole) // 2
    read, notes = read_folder(written(tmp_path, {"a.csv": whole[:at] + b"\0" * 64 + whole[at + 64 :], "b.csv": whole}))
    assert said(notes, "with NUL bytes")
    lost = len(read[1]) - len(read[0])
    assert 0 < lost < 9
    kept = next(i for i in range(60) if not np.array_equal(read[0][i], read[1][i]))
    np.testing.assert_array_equal(read[0], np.delete(read[1], np.arange(kept, kept + lost), axis=0))


def test_a_last_line_without_an_end_stays_where_nothing_is_missing(tmp_path: Path) -> None:
    whole = table(RNG.normal(size=(12, 2)), "a,b").rstrip("\n")
    read, notes = read_folder(written(tmp_path, {"a.csv": whole, "b.csv": whole}))
    assert read.lengths.tolist() == [12, 12]
    assert not said(notes, "breaks off")


# Marks between thousands


@pytest.mark.parametrize("mark", [".", ",", "'", "\u2019", "\u00a0", "\u202f", "\u2009", " "])
def test_marks_between_thousands_are_taken_out(tmp_path: Path, mark: str) -> None:
    values = np.round(RNG.uniform(-5000, 5000, size=(40, 2)))
    values[0] = 1_234_567

    def text(separator: str) -> str:
        rows = [separator.join(f"{int(v):,d}".replace(",", mark).replace("-", "\u2212") for v in row) for row in values]
        return "a;b\n" + "\n".join(rows) + "\n"

    read, notes = read_folder(written(tmp_path, {"a.csv": text(";"), "b.csv": text(";")}))
    np.testing.assert_array_equal(read[0], values)
    assert said(notes, "between thousands")


def test_points_are_decimal_where_any_number_says_so(tmp_path: Path) -> None:
    text = "a;b\n1.595;2\n801;3\n2.5;4\n1.250;5\n"
    read, notes = read_folder(written(tmp_path, {"a.csv": text, "b.csv": text}))
    assert read[0][:2, 0].tolist() == [1.595, 801.0]
    assert not said(notes, "thousands")


def test_few_numbers_that_may_be_read_in_two_ways_are_refused(tmp_path: Path, recorded: Recorded) -> None:
    text = "a;b\n1.595;2\n801;3\n2.512;4\n"
    with recorded.raises(DataError):
        read_folder(written(tmp_path, {"a.csv": text, "b.csv": text}))


def test_first_rows_of_other_locales_are_no_header(tmp_path: Path) -> None:
    text = "\u22121;2'500\n\u22123;4'500\n\u22125;6'500\n"
    read, _ = read_folder(written(tmp_path, {"a.csv": text, "b.csv": text.replace("2'", "3'")}))
    assert read[0].tolist() == [[-1.0, 2500.0], [-3.0, 4500.0], [-5.0, 6500.0]]


# Times


def trials(frames: int, **more: Any) -> pd.DataFrame:
    parts = [
        pd.DataFrame({"id": f"m{i}", "trial": t, "time": np.arange(frames), "x": RNG.normal(size=frames)})
        for i in range(3)
        for t in (1, 2)
    ]
    return pd.concat(parts, ignore_index=True).assign(**more)


@pytest.mark.parametrize("frames", [12, 24, 59, 60, 256])
def test_trials_under_one_id_are_sequences(tmp_path: Path, frames: int, recorded: Recorded) -> None:
    data = trials(frames)
    sets = [as_collection(data)[0], as_collection(data, columns=Columns(id=["id", "trial"]))[0]]
    data.to_csv(tmp_path / "all.csv", index=False)
    read, notes = read_folder(tmp_path / "all.csv")
    sets += [read, read_folder(tmp_path / "all.csv", id_column="id,trial")[0]]
    for found in sets:
        assert found.ids.tolist() == [f"m{i}/{t}" for i in range(3) for t in (1, 2)]
        assert found.provenance["columns"] == ["x"]
        assert set(found.lengths.tolist()) == {frames}
    assert said(notes, "wherever the column 'trial' changes: each stretch is a sequence")
    with recorded.raises(DataError):
        as_collection(data.drop(columns="trial"))


@pytest.mark.parametrize("period", [60, 256, 1000])
def test_a_counter_that_goes_round_is_told_from_recordings_of_that_length(period: int) -> None:
    assert goes_on(np.arange(period // 3, 4 * period) % period)
    assert goes_on(np.arange(5 * period + period // 2) % period)
    # Few stretches of one length from the first number on may be trials.
    for rows in (2 * period, period + period // 2, 2 * period + period // 2):
        times = np.arange(rows) % period
        with pytest.raises(DataError, match="begins again"):
            row_order(times.astype(float), "numbers", "t")


@pytest.mark.parametrize("period", [60, 1000, 1024])
def test_a_column_named_trial_tells_trials_apart_whatever_their_lengths(tmp_path: Path, period: int) -> None:
    lengths = [period, period, 20]
    rows = [pd.DataFrame({"id": "m", "trial": k, "time": np.arange(n), "x": 0.5 * k}) for k, n in enumerate(lengths)]
    data = pd.concat(rows, ignore_index=True)
    data.to_csv(tmp_path / "all.csv", index=False)
    for found in (as_collection(data)[0], read_folder(tmp_path / "all.csv")[0]):
        assert found.lengths.tolist() == lengths
    # Minutes change where seconds begin again, and are no trials.
    at = np.arange(6 * period + 20)
    clock = pd.DataFrame({"id": "m", "minute": at // period, "time": at % period, "x": np.sin(at)})
    assert as_collection(clock)[0].lengths.tolist() == [len(at)]


def test_missing_rows_and_other_rates_come_first_and_are_kept_with_the_set(tmp_path: Path) -> None:
    for i in range(8):
        keep = RNG.random(200) > (0.25 if i % 2 else 0.0)
        frame = pd.DataFrame({"time": np.arange(200) * (2.0 if i >= 6 else 1.0), "x": RNG.normal(size=200)})
        frame[keep].to_csv(tmp_path / f"r{i}.csv", index=False)
    read, notes = read_folder(tmp_path)
    assert notes[0].startswith("rows are missing by the times in 4 of 8 sequences")
    assert notes[1].startswith("rates differ: the time from frame to frame is 1 to 2")
    missing, rates = read.provenance[SUSPECTS].values()
    assert [missing[name] > 0.1 for name in read.ids] == [False, True] * 4
    assert np.exp(rates["r7.csv"]) == pytest.approx(2.0)


def test_groups_that_coincide_with_missing_rows_are_never_sure(recorded: Recorded) -> None:
    tables = []
    for i in range(12):
        t, phase = np.arange(120), RNG.random()
        keep = RNG.random(120) > (0.4 if i % 2 else 0.0)
        x = np.sin(2 * np.pi * (t / 10 + phase)) + RNG.normal(scale=0.1, size=120)
        # To a twentieth, the times are not multiples of one step, so missing rows stay missing.
        tables.append(pd.DataFrame({"time": t + 0.05 * RNG.random(120), "x": x})[keep])
    result = kinseq.cluster(tables, 2, "mean_vector")
    from kinseq.analysis import verdict
    from kinseq.analysis.verdict import coinciding

    result.views[0].labels[:] = np.arange(12) % 2
    recorded(coinciding(result))
    assert verdict.verdict(result).degree == "unclear"


def test_a_group_of_none_but_padded_sequences_is_never_sure() -> None:
    from kinseq.analysis.verdict import coinciding, explaining_a_group

    rng = np.random.default_rng(2)
    frames = [np.cumsum(rng.normal(size=(80, 2)), axis=0) for _ in range(24)]
    padded = [np.vstack([x[:50], np.tile(x[49], (30, 1))]) if i < 12 else x for i, x in enumerate(frames)]
    result = kinseq.cluster(padded, 2, "mean_vector")
    result.views[0].labels[:] = np.arange(24) >= 7  # a part of the padded ones
    assert not coinciding(result)
    assert "padding" in explaining_a_group(result)
    result.views[0].labels[:] = np.arange(24) % 2
    assert not explaining_a_group(result)


# Padding and circles


@pytest.mark.parametrize("end", ["tail", "head"])
@pytest.mark.parametrize("value", [0.0, 7.5])
def test_padding_is_said_and_cut(end: str, value: float) -> None:
    frames = [RNG.normal(size=(int(n), 2)) for n in RNG.integers(20, 40, size=10)]
    padded = np.full((10, 40, 2), value)
    for i, rows in enumerate(frames):
        where = slice(0, len(rows)) if end == "tail" else slice(40 - len(rows), 40)
        padded[i, where] = rows
    whole, notes = settled(padded)
    assert said(notes, "as padding does")
    amounts = whole.provenance[SUSPECTS]["how many rows of padding they have"]
    short = [i for i, rows in enumerate(frames) if len(rows) <= 36]
    assert [amounts[whole.ids[i]] for i in short] == [40 - len(frames[i]) for i in short]
    cut, notes = settled(padded, trim_padding=True)
    assert said(notes, "rows of padding from")
    for i in short:
        stays = 0 if value == 0 else 1
        assert len(cut[i]) == len(frames[i]) + stays
    assert not said(settled(frames)[1], "padding")


def test_states_that_last_are_no_padding() -> None:
    states = [np.repeat(RNG.integers(0, 3, size=8), 5)[:, None].astype(float) for _ in range(10)]
    assert not said(settled(states)[1], "padding")


def headings(n: int = 20) -> list[FloatArray]:
    rng = np.random.default_rng(0)
    return [np.mod(rng.uniform(0, 360) + np.cumsum(rng.normal(scale=6, size=150)), 360)[:, None] for _ in range(n)]


def test_columns_that_go_round_are_named_and_turned() -> None:
    data = headings()
    whole, notes = settled(data)
    assert said(notes, "circular: column 1", "circular='1=360'")
    passing = whole.provenance[SUSPECTS]["whether 1 passes the ends of its range"]
    assert list(passing.values()) == [float((np.abs(np.diff(x[:, 0])) > 270).any()) for x in data]
    for value in ("1=360", "1", {"1": 360}, ["1"]):
        turned, notes = settled(data, circular=value)
        np.testing.assert_allclose(turned[0], np.column_stack([f(np.deg2rad(data[0][:, 0])) for f in (np.cos, np.sin)]))
        assert turned.provenance["columns"] == ["cosine of column 1", "sine of column 1"]
        assert said(notes, "by cosine and sine: 1 (period 360)")
    for noise in (
        [RNG.normal(size=(150, 1)) for _ in range(10)],
        [RNG.integers(0, 2, size=(150, 1)) * 1.0 for _ in range(10)],
    ):
        assert not said(settled(noise)[1], "circular")


def test_longitudes_near_the_seam_alone_are_named_and_a_switch_is_not() -> None:
    rng = np.random.default_rng(1)
    steps = [np.cumsum(rng.normal(scale=0.05, size=150)) for _ in range(20)]
    assert said(settled([((179.9 + x + 180) % 360 - 180)[:, None] for x in steps])[1], "circular='1=360'")
    switches = [24.0 * (x > 0)[:, None] + rng.normal(scale=0.01, size=(150, 1)) for x in steps]
    assert not said(settled(switches)[1], "circular")


def test_new_headings_go_round_as_the_old_ones_did() -> None:
    tables = [pd.DataFrame({"heading": x[:, 0]}) for x in headings()]
    result = kinseq.cluster(tables, 2, "mean_vector", circular="heading")
    few = [i for i in range(len(tables)) if np.ptp(tables[i]["heading"]) < 300][:3]
    assert result.predict([tables[i] for i in few]).tolist() == result.labels[few].tolist()


def test_rounds_follow_from_the_range_or_are_asked_for(recorded: Recorded) -> None:
    assert [round_of(0, 359.9), round_of(-179, 179), round_of(0, 23), round_of(-3.1, 3.1)] == [360, 360, 24, 2 * np.pi]
    assert round_of(0, 100) is None
    assert as_circles("a=2,b") == (("a", 2.0), ("b", None))
    with recorded.raises(DataError):
        settled([100 * np.random.default_rng(seed).random((20, 1)) for seed in range(3)], circular="1")
    with recorded.raises(DataError):
        settled(headings(3), circular={"north": 360})
    for wrong in ("a=0", "a=x", 3, "a,a"):
        with pytest.raises(ParameterError, match="circular"):
            as_circles(wrong)


# Clocks


@pytest.mark.parametrize("name", ["millis", "ts", "t_rel", "foo", ""])
def test_a_clock_by_any_name_is_no_feature(tmp_path: Path, name: str) -> None:
    for i in range(10):
        clock = 1000 * i + np.cumsum(np.round(20 * (1 + 0.03 * RNG.normal(size=50)), 3))
        rows = np.column_stack([clock, RNG.normal(size=(50, 2))])
        (tmp_path / f"r{i}.csv").write_text(table(rows, f"{name},a,b" if name else ""))
    read, notes = read_folder(tmp_path)
    assert read.n_features == 2
    assert said(notes, f"using column {name or '1'!r} as time", "to keep it as a feature")
    kept, _ = read_folder(tmp_path, value_columns=(name or "1", "a" if name else "2"))
    assert kept.n_features == 2
    assert kept[0][0, 0] > 10


@pytest.mark.parametrize("kept", ["encoder_deg", "energy_kwh", "km", "count_of_steps", "angle"])
def test_what_is_measured_stays_however_evenly_it_rises(tmp_path: Path, kept: str) -> None:
    for i in range(20):
        rows = pd.DataFrame({kept: 3.0 * np.arange(60) + 0.01 * i, "torque": RNG.normal(size=60)})
        rows.to_csv(tmp_path / f"r{i:02d}.csv", index=False)
    read, notes = read_folder(tmp_path)
    assert read.provenance["columns"] == [kept, "torque"]
    assert said(notes, f"time_column='{kept}'", f"drop_columns='{kept}'")


def test_second_clocks_and_counters_are_left_out() -> None:
    names = ["session", "time_s", "row", "x", "speed"]
    files = [
        np.column_stack([np.full(50, i), 0.02 * np.arange(50), np.arange(50), RNG.normal(size=(50, 2))])
        for i in range(6)
    ]
    found = find_clocks(names, files, timed=False)
    assert (found.time, found.left_out, found.open) == (1, [2], [])
    assert find_clocks(["a"], [np.arange(9.0)[:, None]], timed=False).time is None
    assert find_clocks(["t", "frame"], [np.column_stack([np.arange(9.0)] * 2)] * 3, timed=False).time is None
    # Steps of each file alone may be a speed.
    ramps = [np.column_stack([(i + 1) * np.arange(50.0), RNG.normal(size=50)]) for i in range(6)]
    assert find_clocks(["x", "y"], ramps, timed=False).open == [0]
    assert [names_clock(name) for name in ("timestamp_ms", "FrameNumber", "lifetime", "time_to_failure_km")] == [
        True,
        True,
        False,
        False,
    ]


def test_new_files_are_read_without_what_was_left_out(tmp_path: Path) -> None:
    for i in range(8):
        frame = pd.DataFrame({"session": i, "millis": 20.0 * np.arange(50), "x": RNG.normal(3 * (i % 2), 1, size=50)})
        frame.to_csv(tmp_path / f"r{i}.csv", index=False)
    result = kinseq.cluster(tmp_path, 2, "mean_vector")
    assert result.original.provenance["columns"] == ["x"]
    new = tmp_path / "new"
    new.mkdir()
    for i in (0, 1):
        (tmp_path / f"r{i}.csv").rename(new / f"r{i}.csv")
    assert result.predict(new).tolist() == result.labels[:2].tolist()
    frames = [pd.read_csv(file) for file in sorted(tmp_path.glob("**/*.csv"))]
    assert kinseq.cluster(frames, 2, "mean_vector").original.provenance["columns"] == ["x"]


def test_columns_without_names_are_named_by_their_numbers(tmp_path: Path) -> None:
    for i in range(3):
        rows = np.column_stack([np.cumsum(RNG.exponential(size=30)), RNG.normal(size=(30, 2))])
        (tmp_path / f"r{i}.csv").write_text(table(rows))
    assert read_folder(tmp_path)[0].n_features == 3
    assert read_folder(tmp_path, time_column="1")[0].n_features == 2


# Classes, states, ids


@pytest.mark.parametrize("place", ["first", "last"])
@pytest.mark.parametrize("kind", ["numbers", "words", "whole numbers", "header"])
def test_the_class_of_series_is_no_value(tmp_path: Path, place: str, kind: str, recorded: Recorded) -> None:
    values = RNG.normal(size=(40, 12))
    values = np.round(50 + 20 * values) if kind == "whole numbers" else values
    classes = [("walk", "run")[i % 2] if kind == "words" else str(10 * (i % 2 + 1)) for i in range(40)]
    cells = [[f"{v:g}" for v in row] for row in values]
    rows = [[c, *row] if place == "first" else [*row, c] for c, row in zip(classes, cells, strict=True)]
    names = [f"v{j}" for j in range(12)]
    header = [["class", *names] if place == "first" else [*names, "class"]] if kind == "header" else []
    (tmp_path / "a.csv").write_text("\n".join(",".join(row) for row in [*header, *rows]) + "\n")
    read, notes = read_folder(tmp_path / "a.csv", rows="series")
    assert read.labels is not None
    assert read.labels.tolist() == classes
    assert set(read.lengths.tolist()) == {12}
    assert said(notes, f"the {place} column as their labels")
    if kind == "numbers":
        whole, _ = read_folder(tmp_path / "a.csv", labels="none", rows="series")
        assert set(whole.lengths.tolist()) == {13}
        told, _ = read_folder(tmp_path / "a.csv", labels=place, rows="series")
        assert told.labels is not None
        assert told.labels.tolist() == classes
        (tmp_path / place).write_text("id,label\n")
        with recorded.raises(ParameterError):
            read_folder(tmp_path / "a.csv", labels=place, rows="series")


def test_series_of_few_values_have_no_class(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(table(RNG.integers(0, 2, size=(40, 12)), form="%d"))
    read, _ = read_folder(tmp_path / "a.csv", rows="series")
    assert set(read.lengths.tolist()) == {12}


def test_a_log_without_a_header_is_no_table_of_series(tmp_path: Path, recorded: Recorded) -> None:
    rows = np.column_stack([np.full(60, 7.0), 3e6 + 2e4 * np.arange(60), RNG.normal(size=(60, 7))])
    for first in (7.0, np.arange(60) % 3):
        rows[:, 0] = first
        (tmp_path / "log.csv").write_text(table(rows, form="%.6g"))
        with recorded.raises(DataError):
            read_folder(tmp_path / "log.csv")


def test_a_column_of_labels_is_named(tmp_path: Path) -> None:
    frame = pd.DataFrame({"id": np.repeat(["a", "b"], 5), "kind": np.repeat(["u", "v"], 5), "x": RNG.normal(size=10)})
    frame.to_csv(tmp_path / "all.csv", index=False)
    read, _ = read_folder(tmp_path / "all.csv", labels="kind")
    assert read.labels is not None
    assert read.labels.tolist() == ["u", "v"]


def test_states_of_rows_skip_no_file(tmp_path: Path) -> None:
    for i in range(4):
        state = ["cold"] * 5 * (i == 0) + ["warm"] * (20 - 5 * (i == 0))
        pd.DataFrame({"a": RNG.normal(size=20), "label": state}).to_csv(tmp_path / f"r{i}.csv", index=False)
    read, notes = read_folder(tmp_path)
    assert (len(read), read.n_features, read.labels) == (4, 1, None)
    assert said(notes, "id_column='label'", "drop_columns='label'")
    assert len(read_folder(tmp_path, id_column="label")[0]) == 5
    assert len(read_folder(tmp_path, drop_columns=("label",))[0]) == 4


def test_a_column_that_many_files_lack_is_left_out(tmp_path: Path) -> None:
    for i in range(6):
        more = {"mark": RNG.normal(size=9)} if i % 2 else {}
        pd.DataFrame({"a": RNG.normal(size=9), "b": RNG.normal(size=9), **more}).to_csv(
            tmp_path / f"r{i}.csv", index=False
        )
    read, notes = read_folder(tmp_path)
    assert (len(read), read.provenance["columns"]) == (6, ["a", "b"])
    assert said(notes, "left out 1 column that 3 of 6 files lack: mark")


def test_ids_of_digits_are_text_and_blanks_do_not_divide_them(tmp_path: Path) -> None:
    for i in range(3):
        frame = pd.DataFrame({"session": [f"{i}_2031_15"] * 9, "a": RNG.normal(size=9)})
        frame.to_csv(tmp_path / f"r{i}.csv", index=False)
    read, notes = read_folder(tmp_path)
    assert (len(read), read.n_features) == (3, 1)
    assert said(notes, "'session' (3 values)")
    frame = pd.DataFrame({"id": ["a", "a ", "b", "b b", "bb"], "x": np.arange(5.0)})
    assert as_collection(frame)[0].ids.tolist() == ["a", "b", "b b", "bb"]
    remark = "ids that differ in blanks alone: 'b b', 'bb'"
    assert said(settled(as_collection(frame)[0], layout=None)[1] + remarks_on_ids(as_collection(frame)[0]), remark)


# Stacked recordings


@pytest.mark.parametrize("between", ["", "nod", "-----", "a,b"])
def test_recordings_one_below_the_other_are_cut(tmp_path: Path, between: str) -> None:
    blocks = [table(RNG.normal(size=(int(n), 2)), form="%.3f") for n in RNG.integers(9, 14, size=5)]
    (tmp_path / "x.csv").write_text("a,b\n" + f"{between}\n".join(blocks))
    (tmp_path / "y.csv").write_text("a,b\n" + f"{between}\n".join(blocks[::-1]))
    read, notes = read_folder(tmp_path)
    assert len(read) == 10
    assert read.lengths.tolist()[:5] == [block.count("\n") for block in blocks]
    assert said(notes, "cut 2 files at", "into 10 recordings")
    assert read.labels is not None
    assert read.labels[-1] == ("nod" if between == "nod" else "y")


def test_a_stray_blank_line_cuts_nothing(tmp_path: Path) -> None:
    rows = table(RNG.normal(size=(20, 2)), "a,b").splitlines()
    text = "\n".join([*rows[:3], "", *rows[3:]]) + "\n"
    read, notes = read_folder(written(tmp_path, {"x.csv": text, "y.csv": text.replace("0.", "1.")}))
    assert read.lengths.tolist() == [20, 20]
    assert said(notes, "passed over 2 blank lines")


# Others


def test_one_short_sequence_stays_next_to_long_ones() -> None:
    frames = [RNG.normal(size=(n, 2)) for n in (2, 20, 900)]
    shorter = averaged(SequenceSet.from_arrays(frames, layout="channels_last"), 30)
    assert shorter.lengths.tolist() == [2, 2, 30]
    for own, given in zip(shorter, frames, strict=True):
        np.testing.assert_allclose(
            own[-1], given[-len(given) // 2 :].mean(axis=0) if len(given) <= 30 else given[870:].mean(axis=0)
        )
    for own, given in zip(averaged(frames, 30), shorter, strict=True):
        np.testing.assert_array_equal(own, given)


def test_one_recording_in_another_unit_is_named() -> None:
    data = [20 + RNG.normal(size=(50, 2)) for _ in range(21)]
    assert not said(settled(data)[1], "another unit")
    for change in (lambda x: 1000 * x, lambda x: 1.8 * x + 32):
        odd = [change(x) if i == 7 else x for i, x in enumerate(data)]
        assert said(settled(odd)[1], "of s00007 is about", "if that is another unit")


def test_endings_and_letters(tmp_path: Path) -> None:
    rows = [",".join([("A", "B")[i % 2], *map(str, RNG.integers(0, 15, size=10))]) for i in range(30)]
    (tmp_path / "letters.data").write_text("\n".join(rows) + "\n")
    read, _ = read_folder(tmp_path / "letters.data")
    assert read.labels is not None
    assert (len(read), read.labels.tolist()[:2]) == (30, ["A", "B"])
    (tmp_path / "letters.data").unlink()
    for ending in ("data", "tra", "train", "dat"):
        (tmp_path / f"a.{ending}").write_text(table(RNG.normal(size=(9, 2))))
    for i in range(7):
        (tmp_path / f"b{i}.mat").write_bytes(b"x")
    read, notes = read_folder(tmp_path)
    assert len(read) == 4
    assert said(notes, "(7 .mat)")


def test_every_message_is_one_of_the_project(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a,b\n1,2\n")
    for options in ({"time_column": "7"}, {"id_column": "a,z"}):
        with pytest.raises(KinseqError):
            read_folder(tmp_path, **options)
