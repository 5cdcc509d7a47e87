"""Kinds of files that were misread silently, or refused without a command that works; a few tiny files each."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import kinseq
from kinseq.core.clock import clock_of
from kinseq.core.clock_columns import find_clocks
from kinseq.core.epochs import epoch_unit
from kinseq.core.errors import DataError
from tests.sentences import Recorded

RNG = np.random.default_rng(12)
WAVES = [
    (np.sin(np.arange(24.0)[:, None] / (1 + k % 2) + np.arange(2)) + RNG.normal(size=(24, 2)) / 9).round(4)
    for k in range(6)
]


def written(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def rows_of(wave: np.ndarray, separator: str = ",") -> list[str]:
    return [separator.join(f"{x:.4f}" for x in row) for row in wave]


def same(read: object, expected: list[np.ndarray]) -> None:
    assert [np.asarray(own).tolist() for own in read] == [other.tolist() for other in expected]


# Clocks


def test_the_name_of_a_time_takes_precedence_over_that_of_a_counter() -> None:
    rows = np.arange(20.0)
    sequences = [np.column_stack([rows, 40 * rows + k, np.sin(rows + k)]) for k in range(4)]
    found = find_clocks(["frame_no", "time_stamp", "x"], sequences, timed=False)
    assert (found.time, found.left_out) == (1, [0])


@pytest.mark.parametrize("name", ["pkt", "seqno", "stamp", "Zeit [min]", "nanoseconds", "rtc"])
def test_clocks_of_unequal_steps_are_known_by_name(name: str) -> None:
    sequences = [np.column_stack([np.cumsum(RNG.uniform(1, 9, 30)), RNG.normal(size=30)]) for _ in range(4)]
    assert find_clocks([name, "x"], sequences, timed=False).time == 0


def test_a_column_that_wraps_names_the_option_that_leaves_it_out(tmp_path: Path) -> None:
    for k in range(6):
        lines = [f"{(17 * i + k) % 256},{np.sin(i):.3f}" for i in range(120)]
        written(tmp_path / f"{k}.csv", "position,x\n" + "\n".join(lines))
    assert any("if it is a counter, drop_columns='position'" in note for note in kinseq.read(tmp_path).notes)


def test_nanoseconds_since_a_start_are_no_milliseconds_since_1970() -> None:
    rng = np.random.default_rng(0)
    jitter = 5e7 + rng.integers(-(10**6), 10**6, size=50)
    assert epoch_unit(1.5e12, jitter) == ""
    assert epoch_unit(1.5e12, np.full(50, 86_400_000.0)) == "ms"
    assert epoch_unit(1.5e12, np.full(50, 20.0)) == "ms"


def test_a_log_of_a_phone_in_nanoseconds_has_no_step_of_hours(tmp_path: Path) -> None:
    lines = [
        f"{17 + k},{1_500_000_000_000 + 10**9 * k + 50_000_000 * i + 1000 * (i % 3)},{row};"
        for k, wave in enumerate(WAVES)
        for i, row in enumerate(rows_of(wave))
    ]
    read = kinseq.read(written(tmp_path / "raw.txt", "\n".join(lines)))
    same(read, WAVES)
    clock = clock_of(read)
    assert clock is None or clock.unit not in ("ms", "h", "s")


def test_a_time_of_day_in_several_columns_is_one_time(tmp_path: Path) -> None:
    for k, wave in enumerate(WAVES):
        times = [36_000_000 + 60_000 * k + 40 * i + 59_700 for i in range(24)]
        lines = [
            f"{t // 3_600_000},{t // 60_000 % 60},{t // 1000 % 60},{t % 1000},{row}"
            for t, row in zip(times, rows_of(wave), strict=True)
        ]
        written(tmp_path / f"{k}.csv", "hour,minute,second,ms,x,y\n" + "\n".join(lines))
    read = kinseq.read(tmp_path)
    same(read, WAVES)
    clock = clock_of(read)
    assert clock is not None
    assert clock.step == pytest.approx(0.04)


def test_a_second_clock_in_nanoseconds_is_left_out(tmp_path: Path) -> None:
    for k, wave in enumerate(WAVES):
        begin = 1_600_000_000_000_000_000 + k * 10**12
        lines = [f"{begin + i * 10**7 + i % 2},{begin + i * 10**7},{row}" for i, row in enumerate(rows_of(wave))]
        written(tmp_path / f"{k}.csv", "%time,field.stamp,x,y\n" + "\n".join(lines))
    read = kinseq.read(tmp_path)
    same(read, WAVES)
    assert any("'field.stamp'" in note and "left out" in note for note in read.notes)


# Numbers of devices and states


def test_the_number_of_a_device_in_first_columns_without_names_is_no_feature(
    tmp_path: Path, recorded: Recorded
) -> None:
    for k, wave in enumerate(WAVES):
        written(tmp_path / f"{k}.csv", "\n".join(f"4,{7 + k % 2},{row}" for row in rows_of(wave)))
    read = kinseq.read(tmp_path)
    assert read.n_features == 3
    recorded.within("\n".join(read.notes))


def test_a_state_that_is_called_so_gets_a_note(tmp_path: Path) -> None:
    for k in range(4):
        lines = [f"{np.sin(i + k):.3f},{i // 25 % 2}" for i in range(100)]
        written(tmp_path / f"{k}.csv", "x,mode\n" + "\n".join(lines))
    assert any("cut_at='mode'" in note and "drop_columns='mode'" in note for note in kinseq.read(tmp_path).notes)


def test_text_without_a_name_names_options_that_work(tmp_path: Path) -> None:
    lines = [f"{k},{'AB'[i // 12]},{row}" for k, wave in enumerate(WAVES) for i, row in enumerate(rows_of(wave))]
    path = written(tmp_path / "log.csv", "\n".join(f"{i},{line}" for i, line in enumerate(lines)))
    read = kinseq.read(path, id_column="2", time_column="1")
    assert any("id_column='2,3' divides each sequence by it" in note for note in read.notes)
    assert len(kinseq.read(path, id_column="2,3", time_column="1")) == 12


# Rows that are series


@pytest.mark.parametrize("place", ["first", "last"])
@pytest.mark.parametrize("name", ["activity", "target"])
def test_numbered_columns_next_to_a_class_are_series(tmp_path: Path, place: str, name: str) -> None:
    rows = [f"{np.sin(np.arange(12) / (1 + k % 2)).round(3).tolist()}"[1:-1].replace(" ", "") for k in range(10)]
    points = ",".join(f"t{j}" for j in range(12))
    head = f"{name},{points}" if place == "first" else f"{points},{name}"
    lines = [f"{'ab'[k % 2]},{row}" if place == "first" else f"{row},{'ab'[k % 2]}" for k, row in enumerate(rows)]
    read = kinseq.read(written(tmp_path / "train.csv", "\n".join([head, *lines])))
    assert len(read) == 10
    assert read.labels is not None
    assert read.labels.tolist() == list("ab") * 5


def test_a_log_of_numbered_channels_with_states_in_stretches_is_a_log(tmp_path: Path) -> None:
    walk = np.cumsum(RNG.normal(size=(200, 10)), axis=0).round(3)
    lines = [f"{','.join(map(str, row))},{i // 20 % 2}" for i, row in enumerate(walk)]
    read = kinseq.read(
        written(tmp_path / "log.csv", ",".join(f"ch{j}" for j in range(10)) + ",activity\n" + "\n".join(lines)), cut=50
    )
    assert read.n_features == 10


def test_series_with_an_id_a_row_are_series(tmp_path: Path) -> None:
    lines = [f"s{k},{','.join(f'{x:.3f}' for x in np.sin(np.arange(12) / (1 + k % 2)))},{k % 2}" for k in range(8)]
    head = "id," + ",".join(f"v{j}" for j in range(12)) + ",target"
    read = kinseq.read(written(tmp_path / "d.csv", "\n".join([head, *lines])))
    assert read.ids.tolist() == [f"s{k}" for k in range(8)]
    assert read.labels is not None
    assert read.n_features == 1


@pytest.mark.parametrize("ends", [False, True])
def test_whole_numbers_with_a_class_are_series(tmp_path: Path, ends: bool) -> None:
    phases = RNG.uniform(0, 6, size=24)
    waves = [
        np.round(500 + 300 * np.sin(np.arange(40) / (2 + k % 3) + phases[k])).astype(int).tolist() for k in range(24)
    ]
    lines = [
        ",".join(map(str, [*wave, 10 * (k % 3)] if ends else [10 * (k % 3), *wave])) for k, wave in enumerate(waves)
    ]
    read = kinseq.read(written(tmp_path / "adc.csv", "\n".join(lines)))
    assert len(read) == 24
    assert read.labels is not None
    assert read.labels.tolist() == ["0", "10", "20"] * 8


def test_a_single_sequence_of_many_columns_names_rows_that_are_series(tmp_path: Path, recorded: Recorded) -> None:
    path = written(tmp_path / "a.csv", "\n".join(",".join(map(str, RNG.integers(0, 2, size=40))) for _ in range(20)))
    with recorded.raises(DataError):
        kinseq.cluster(path)


@pytest.mark.parametrize("name", ["batch.dat", "train.libsvm"])
def test_vectors_of_libsvm_are_series_with_labels(tmp_path: Path, name: str) -> None:
    lines = ["1;10.0 1:0.5 2:1.5 3:2.5 ", "+2 1:1e-1 3:4.25", "1 1:1 2:2 3:3"]
    read = kinseq.read(written(tmp_path / name, "\n".join(lines)).parent)
    same(read, [np.array([[0.5], [1.5], [2.5]]), np.array([[0.1], [0.0], [4.25]]), np.array([[1.0], [2.0], [3.0]])])
    assert read.labels is not None
    assert read.labels.tolist() == ["1", "2", "1"]


def test_a_line_of_libsvm_that_is_none_is_named(tmp_path: Path, recorded: Recorded) -> None:
    path = written(tmp_path / "a.libsvm", "1 1:0.5 2:1.5\n2 1:0.5 2;1.5\n")
    with recorded.raises(DataError):
        kinseq.read(path)


# Recordings one below the other


@pytest.mark.parametrize("separator", [",", " "])
def test_lines_of_marks_name_recordings(tmp_path: Path, separator: str) -> None:
    parts = [f"=== rec {k} ===\n" + "\n".join(rows_of(wave, separator)) for k, wave in enumerate(WAVES)]
    read = kinseq.read(written(tmp_path / "log.txt", "\n".join(parts)))
    same(read, WAVES)
    assert read.ids.tolist() == [f"rec {k}" for k in range(6)]
    assert read.labels is None


def test_comments_that_name_one_thing_divide_and_label(tmp_path: Path) -> None:
    parts = [f"# gesture: {'ab'[k % 2]}\n" + "\n".join(rows_of(wave)) for k, wave in enumerate(WAVES)]
    read = kinseq.read(written(tmp_path / "log.txt", "\n".join(parts)))
    same(read, WAVES)
    assert read.labels is not None
    assert read.labels.tolist() == list("ab") * 3


def test_other_comments_divide_nothing(tmp_path: Path) -> None:
    parts = [
        f"# {word}\n" + "\n".join(rows_of(wave))
        for word, wave in zip(("start: 1", "battery: 3", "end"), WAVES, strict=False)
    ]
    assert len(kinseq.read(written(tmp_path / "log.csv", "\n".join(parts)))) == 1


def test_recordings_of_one_file_have_no_label_by_file(tmp_path: Path) -> None:
    text = "\n\n".join("x,y\n" + "\n".join(rows_of(wave)) for wave in WAVES)
    read = kinseq.read(written(tmp_path / "serial.csv", text))
    same(read, WAVES)
    assert read.labels is None


# Ids


def test_devices_that_take_turns_at_each_moment_are_the_sequences(tmp_path: Path) -> None:
    lines = [
        f"2024-03-01 {i:02d}:00:00,room{k},{row}"
        for i in range(24)
        for k, row in enumerate(rows_of(np.stack([w[i] for w in WAVES])))
    ]
    read = kinseq.read(written(tmp_path / "log.txt", "\n".join(lines)))
    same(read, WAVES)
    assert read.ids.tolist() == [f"room{k}" for k in range(6)]


def test_hours_of_days_take_no_turns(tmp_path: Path) -> None:
    lines = [f"{1.7e9 + 3600 * i:.0f},{i % 24},{np.sin(i):.3f}" for i in range(240)]
    assert len(kinseq.read(written(tmp_path / "log.csv", "time,slot,x\n" + "\n".join(lines)))) == 1


def test_an_id_that_numbers_the_rows_gives_way_to_one_that_divides_them(tmp_path: Path, recorded: Recorded) -> None:
    lines = [
        f"{row},{i},{1000 + k},{24 * k + i}" for k, wave in enumerate(WAVES) for i, row in enumerate(rows_of(wave))
    ]
    read = kinseq.read(written(tmp_path / "Position.csv", "x,y,Time,TrackID,ID\n" + "\n".join(lines)))
    same(read, WAVES)
    recorded.within("\n".join(read.notes))


def test_numbered_columns_of_several_channels_are_the_items(tmp_path: Path) -> None:
    names = "\t".join(f"X{k + 1}\tY{k + 1}" for k in range(6))
    lines = ["\t".join(f"{x:.4f}" for x in row) for row in np.column_stack(WAVES)]
    path = written(tmp_path / "trajectories.txt", "\n".join([names, *lines]))
    read = kinseq.read(path)
    same(read, WAVES)
    assert read.provenance["columns"] == ["X", "Y"]
    assert kinseq.read(path, rows="frames").n_features == 12


# Tables about recordings


@pytest.mark.parametrize("form", ["P{:02d}.csv", "P{:02d}_walk.csv"])
def test_a_table_about_recordings_names_them_by_number_or_beginning(tmp_path: Path, form: str) -> None:
    for k, wave in enumerate(WAVES):
        written(tmp_path / form.format(k + 1), "x,y\n" + "\n".join(rows_of(wave)))
    own = [str(k + 1) if form == "P{:02d}.csv" else f"P{k + 1:02d}" for k in range(6)]
    written(
        tmp_path / "subjects.csv",
        "subject,age,label\n" + "\n".join(f"{name},{30 + k},{'ab'[k % 2]}" for k, name in enumerate(own)),
    )
    read = kinseq.read(tmp_path)
    same(read, WAVES)
    assert read.labels is not None
    assert read.labels.tolist() == list("ab") * 3
    assert not any("changes within" in note for note in read.notes)


def test_a_long_table_and_a_table_about_its_ids_are_read_together(tmp_path: Path) -> None:
    lines = [f"{k} {i} {row}" for k, wave in enumerate(WAVES) for i, row in enumerate(rows_of(wave, " "))]
    written(tmp_path / "sensors.dat", "id time R1 R2\n" + "\n".join(lines))
    written(
        tmp_path / "metadata.dat", "id\tdate\tclass\n" + "\n".join(f"{k}\t07-04-15\t{'ab'[k % 2]}" for k in range(6))
    )
    read = kinseq.read(tmp_path)
    same(read, WAVES)
    assert read.labels is not None
    assert read.labels.tolist() == list("ab") * 3


# Lists


def test_a_json_of_times_and_rows_is_one_sequence(tmp_path: Path) -> None:
    for k, wave in enumerate(WAVES):
        entry = {"device": "a", "timestamps": [1_700_000_000_000 + 20 * i for i in range(24)], "values": wave.tolist()}
        written(tmp_path / f"{k}.json", json.dumps(entry))
    read = kinseq.read(tmp_path)
    same(read, WAVES)
    assert clock_of(read) is not None


def test_a_json_matrix_of_channels_is_turned(tmp_path: Path) -> None:
    for k, wave in enumerate(WAVES):
        written(tmp_path / f"{k}.json", json.dumps({"fs": 100, "data": wave.T.tolist()}))
    same(kinseq.read(tmp_path), WAVES)


def test_lists_in_cells_of_a_text_table_are_sequences(tmp_path: Path) -> None:
    lines = [f'"t{k}","{"AB"[k % 2]}","{json.dumps(wave.tolist())}"' for k, wave in enumerate(WAVES)]
    read = kinseq.read(written(tmp_path / "train.csv", '"trip","call","POLYLINE"\n' + "\n".join(lines)))
    same(read, WAVES)


def test_units_with_powers_are_units(tmp_path: Path) -> None:
    for k, wave in enumerate(WAVES):
        written(tmp_path / f"{k}.csv", "x,area\ncm,cm2\n" + "\n".join(rows_of(wave)))
    assert kinseq.read(tmp_path).provenance["columns"] == ["x [cm]", "area [cm2]"]
