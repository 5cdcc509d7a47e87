"""Tables of trades: trackers of cells, wristbands, receivers, laboratories, historians, databases; two sequences or more each."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kinseq
from kinseq.core.clock import clock_of
from kinseq.core.errors import DataError
from tests.sentences import Recorded

RNG = np.random.default_rng(8)
WAVES = [np.sin(np.arange(24.0)[:, None] / (1 + k) + np.arange(2)).round(4) + k for k in range(4)]


def written(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def rows_of(wave: np.ndarray, separator: str = ",") -> list[str]:
    return [separator.join(f"{x:.4f}" for x in row) for row in wave]


def same(read: Any, expected: list[np.ndarray], tolerance: float = 0.0) -> None:
    assert len(read) == len(expected)
    for own, other in zip(read, expected, strict=True):
        np.testing.assert_allclose(own, other, atol=tolerance)


def step_of(read: Any) -> tuple[float, str]:
    clock = clock_of(read)
    assert clock is not None
    return clock.step, clock.unit


# Trackers


def test_particles_whose_rows_are_in_the_order_of_frames_are_the_sequences(tmp_path: Path) -> None:
    lines = [
        f"{24 * k + i},{row},{k},{i}"
        for k in range(24)
        for i, row in enumerate(rows_of(np.stack([w[k] for w in WAVES])))
    ]
    written(tmp_path / "tracks.csv", ",y,x,frame,particle\n" + "\n".join(lines) + "\n")
    read = kinseq.read(tmp_path / "tracks.csv")
    same(read, WAVES)
    assert read.provenance["columns"] == ["y", "x"]


HEADS = (
    "LABEL,ID,TRACK_ID,POSITION_X,POSITION_Y,POSITION_T,FRAME",
    "Label,Spot ID,Track ID,X,Y,T,Frame",
    "Label,Spot ID,Track ID,X,Y,T,Frame",
    ",,,(micron),(micron),(sec),",
)


@pytest.mark.parametrize("heads", [1, 4])
def test_tracks_of_trackmate_are_the_sequences_below_one_row_of_names_or_four(
    heads: int, tmp_path: Path, recorded: Recorded
) -> None:
    spots = [
        f"S{k},{100 * k + i},{k},{row},{30 * i},{i}"
        for k, wave in enumerate(WAVES)
        for i, row in enumerate(rows_of(wave))
    ]
    lone = ["S9,999,None,1.0,2.0,0,0"]
    written(tmp_path / "spots.csv", "\n".join([*HEADS[:heads], *spots, *lone]) + "\n")
    read = kinseq.read(tmp_path / "spots.csv")
    same(read, WAVES)
    assert read.provenance["columns"] == ["POSITION_X", "POSITION_Y"]
    assert step_of(read) == (30.0, "s" if heads == 4 else "units of time")
    recorded.within("\n".join(read.notes))


# Recorders


def test_sensors_of_a_session_are_channels_on_the_clock_of_the_slowest(tmp_path: Path) -> None:
    fast = [RNG.normal(size=(160, 3)).round(4) for _ in range(3)]
    slow = [RNG.normal(size=(22, 1)).round(4) for _ in range(3)]
    for k in range(3):
        start = 1_500_000_000 + 1000 * k
        for name, rate, values, late in (("ACC", 8, fast[k], 0), ("EDA", 1, slow[k], 2)):
            head = [
                ", ".join([f"{start + late}.000000"] * values.shape[1]),
                ", ".join([f"{rate}.000000"] * values.shape[1]),
            ]
            written(tmp_path / f"S{k}" / f"{name}.csv", "\n".join([*head, *rows_of(values)]) + "\n")
        written(tmp_path / f"S{k}" / "tags.csv", "")
    read = kinseq.read(tmp_path)
    # Both were recorded from 2 s to 20 s; a step has 8 rows of the fast one.
    same(
        read,
        [np.column_stack([f[16:].reshape(18, 8, 3).mean(axis=1), s[:18]]) for f, s in zip(fast, slow, strict=True)],
        1e-12,
    )
    assert read.provenance["columns"] == ["ACC 1", "ACC 2", "ACC 3", "EDA"]
    assert step_of(read) == (1.0, "s")
    alone = kinseq.read(tmp_path, value_columns=["ACC"])
    same(alone, fast, 1e-12)
    assert step_of(alone) == (0.125, "s")


def sentence(body: str) -> str:
    total = 0
    for letter in body:
        total ^= ord(letter)
    return f"${body}*{total:02X}"


def test_logs_of_receivers_are_tracks_in_metres_past_midnight_too(tmp_path: Path) -> None:
    for k in range(2):
        lines = ["$GPGSA,A,3,,,,,,,,,,,,,1,1,1*00"]
        for i in range(6):
            second = (86397 + i) % 86400
            clock = f"{second // 3600:02d}{second // 60 % 60:02d}{second % 60:02d}.00"
            place = f"{4730 + 0.06 * i:.4f},S,00815.0000,W"
            lines.append(sentence(f"GPRMC,{clock},A,{place},5.0,45.0,010524,,,A"))
            lines.append(sentence(f"GPGGA,{clock},{place},1,08,0.9,{400 + i}.0,M,46.9,M,,"))
        written(tmp_path / f"walk{k}.nmea", "\n".join(lines) + "\n")
    read = kinseq.read(tmp_path)
    from kinseq.readers.containers.gpx import EARTH

    north = -EARTH * np.radians(0.001 * np.arange(6))
    np.testing.assert_allclose(read[0][:, 0], 0.0, atol=1e-6)
    np.testing.assert_allclose(read[0][:, 1], north, rtol=1e-6, atol=1e-6)
    np.testing.assert_array_equal(read[0][:, 2], 400 + np.arange(6.0))
    assert step_of(read) == (1.0, "s")


def test_a_log_of_a_receiver_without_a_place_is_refused(tmp_path: Path, recorded: Recorded) -> None:
    for k in range(2):
        written(tmp_path / f"{k}.nmea", "$GPRMC,100000.00,V,,,,,,,010524,,,N*00\n")
    with recorded.raises(DataError):
        kinseq.read(tmp_path)


LABVIEW = """LabVIEW Measurement\t
Separator\tTab
***End_of_Header***\t
\t
Channels\t2\t\t
Samples\t24\t24\t
X_Dimension\tTime\tTime\t
Delta_X\t0.5\t0.5\t
***End_of_Header***\t\t\t
X_Value\tVoltage\tVoltage 1\tComment
"""
OPENSIM = "Coordinates\nversion=1\nnRows=24\nnColumns=3\ninDegrees=yes\n\nendheader\ntime\thip\tknee\n"
VICON = "Trajectories\n100\n,,S:LASI,,S:RASI,\nFrame,Sub Frame,X,Y,X,Y\n,,mm,mm,mm,mm\n"
POLAR = "Name,Sport,Date\nAnna,RUNNING,2024-05-01\nSample rate,Time,HR (bpm),Speed,Power (W)\n"


def labview(wave: np.ndarray) -> str:
    return LABVIEW + "".join(f"{i / 2}\t{row}\t\n" for i, row in enumerate(rows_of(wave, "\t")))


def opensim(wave: np.ndarray) -> str:
    return OPENSIM + "".join(f"{i / 2}\t{row}\n" for i, row in enumerate(rows_of(wave, "\t")))


def polar(wave: np.ndarray) -> str:
    return POLAR + "".join(f"{'1' * (i == 0)},00:00:{i:02d},{row},\n" for i, row in enumerate(rows_of(wave)))


@pytest.mark.parametrize(
    ("make", "ending", "columns"),
    [
        (labview, ".lvm", ["Voltage", "Voltage 1"]),
        (opensim, ".mot", ["hip", "knee"]),
        (polar, ".csv", ["HR (bpm)", "Speed"]),
    ],
)
def test_tables_below_headers_of_programs(
    make: Callable[[np.ndarray], str], ending: str, columns: list[str], tmp_path: Path
) -> None:
    for k, wave in enumerate(WAVES):
        written(tmp_path / f"run{k}{ending}", make(wave))
    read = kinseq.read(tmp_path)
    same(read, WAVES)
    assert read.provenance["columns"] == columns
    assert step_of(read)[0] == (1.0 if ending == ".csv" else 0.5)


def test_names_of_markers_and_axes_stand_in_two_rows_below_a_rate(tmp_path: Path) -> None:
    for k, wave in enumerate(WAVES):
        body = [f"{i + 1},0,{row},{row}" for i, row in enumerate(rows_of(wave))]
        written(tmp_path / f"trial{k}.csv", VICON + "\n".join(body) + "\n")
    read = kinseq.read(tmp_path, drop_columns=["Sub Frame"])
    same(read, [np.column_stack([wave, wave]) for wave in WAVES])
    assert read.provenance["columns"] == ["S:LASI X [mm]", "S:LASI Y [mm]", "S:RASI X [mm]", "S:RASI Y [mm]"]


# Workbooks and databases


@pytest.mark.parametrize("sheets", [False, True])
def test_titles_above_the_header_of_a_sheet_are_passed_over(sheets: bool, tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    books = [openpyxl.Workbook() for _ in range(1 if sheets else len(WAVES))]
    for k, wave in enumerate(WAVES):
        book = books[0 if sheets else k]
        sheet = book.active if not sheets or k == 0 else book.create_sheet(f"run {k}")
        for row in (["Tensile test"], ["Operator", "Meyer"], [], ["Time (s)", "Force (N)", "Strain (%)"]):
            sheet.append(row)
        for i, row in enumerate(wave.tolist()):
            sheet.append([i / 2, *row])
    for k, book in enumerate(books):
        book.save(tmp_path / f"book{k}.xlsx")
    read = kinseq.read(tmp_path)
    same(read, WAVES)
    assert read.provenance["columns"] == ["Force (N)", "Strain (%)"]


def test_values_of_influxdb_are_series_by_tag_with_a_channel_a_field(tmp_path: Path) -> None:
    head = "#datatype,string,long,dateTime:RFC3339,double,string,string,string\n#default,_result,,,,,,\n"
    lines = [
        f",,{2 * k + j},2024-05-01T00:00:{i:02d}Z,{value},{field},cpu,host{k}"
        for k, wave in enumerate(WAVES)
        for j, field in enumerate(("user", "idle"))
        for i, value in enumerate(wave[:, j])
    ]
    written(
        tmp_path / "q.csv", head + ",result,table,_time,_value,_field,_measurement,host\n" + "\n".join(lines) + "\n"
    )
    read = kinseq.read(tmp_path / "q.csv")
    same(read, WAVES)
    assert read.ids.tolist() == [f"host{k}" for k in range(4)]
    assert read.provenance["columns"] == ["user", "idle"]
    assert step_of(read) == (1.0, "s")


def test_a_table_of_r_has_quoted_ids_and_labels(tmp_path: Path) -> None:
    lines = [
        f'"{24 * k + i + 1}" "p{k}" "{"ab"[k % 2]}" {i / 2} {row}'
        for k, wave in enumerate(WAVES)
        for i, row in enumerate(rows_of(wave, " "))
    ]
    written(tmp_path / "d.txt", '"subj" "cond" "time" "v1" "v2"\n' + "\n".join(lines) + "\n")
    read = kinseq.read(tmp_path / "d.txt")
    same(read, WAVES)
    assert read.ids.tolist() == [f"p{k}" for k in range(4)]
    assert read.labels is not None
    assert read.labels.tolist() == ["a", "b", "a", "b"]


# Columns


def test_year_month_day_and_hour_in_columns_are_the_time(tmp_path: Path) -> None:
    for k, wave in enumerate(WAVES):
        body = [
            f"2013,2,{28 if i < 12 else 1},{i + 12 if i < 12 else i - 12},{row}" for i, row in enumerate(rows_of(wave))
        ]
        body = [line if i < 12 else line.replace(",2,1,", ",3,1,", 1) for i, line in enumerate(body)]
        written(tmp_path / f"station{k}.csv", "year,month,day,hour,PM2.5,TEMP\n" + "\n".join(body) + "\n")
    read = kinseq.read(tmp_path)
    same(read, WAVES)
    assert step_of(read) == (3600.0, "s")


def test_a_class_that_changes_within_files_is_no_feature_and_what_is_advised_works(
    tmp_path: Path, recorded: Recorded
) -> None:
    for k, wave in enumerate(WAVES):
        body = [f"{row},{i // 8 % 2}" for i, row in enumerate(rows_of(wave))]
        written(tmp_path / f"s{k}.csv", "x,y,class\n" + "\n".join(body) + "\n")
    read = kinseq.read(tmp_path)
    same(read, WAVES)
    recorded.within("\n".join(read.notes))
    assert len(kinseq.read(tmp_path, cut_at="class")) == 12
    divided = kinseq.read(tmp_path, id_column="class")
    assert divided.labels is not None
    assert divided.labels.tolist() == ["0", "1"] * 4
    kept = kinseq.read(tmp_path, value_columns=["x", "class"])
    assert kept.n_features == 2


def test_numbers_of_a_class_name_that_change_from_row_to_row_are_data(tmp_path: Path) -> None:
    for k, wave in enumerate(WAVES):
        body = [f"{row},{(i * (k + 3)) % 7}" for i, row in enumerate(rows_of(wave))]
        written(tmp_path / f"s{k}.csv", "x,y,target\n" + "\n".join(body) + "\n")
    assert kinseq.read(tmp_path).n_features == 3


def test_states_without_a_name_stay_with_a_note_and_what_is_advised_works(tmp_path: Path) -> None:
    waves = [np.tile(wave, (5, 1)) for wave in WAVES]
    for k, wave in enumerate(waves):
        body = [f"{8.38 + i / 100:.2f} {1 + 3 * (i // 60)} {row}" for i, row in enumerate(rows_of(wave, " "))]
        written(tmp_path / f"subject{k}.dat", "\n".join(body) + "\n")
    read = kinseq.read(tmp_path)
    assert read.n_features == 3
    assert any(note.startswith("column 2 holds few whole numbers") for note in read.notes)
    same(kinseq.read(tmp_path, drop_columns=["2"]), waves)
    assert len(kinseq.read(tmp_path, cut_at="2")) == 8


def test_the_number_in_the_name_of_a_file_is_no_feature(tmp_path: Path, recorded: Recorded) -> None:
    for k, wave in enumerate(WAVES):
        written(tmp_path / f"data_{1600 + k}_phone.txt", "\n".join(f"{1600 + k},{row}" for row in rows_of(wave)) + "\n")
    same(kinseq.read(tmp_path), WAVES)
    for path in tmp_path.iterdir():
        path.rename(path.with_name(path.name.replace("16", "17")))
    read = kinseq.read(tmp_path)
    assert read.n_features == 2
    recorded.within("\n".join(read.notes))


def test_names_of_columns_with_the_number_of_the_file_are_one_name(tmp_path: Path) -> None:
    from scipy.io import savemat

    for k, wave in enumerate(WAVES):
        savemat(tmp_path / f"{91 + k}.mat", {f"X{91 + k:03d}_DE": wave[:, :1], f"X{91 + k:03d}_FE": wave[:, 1:]})
    read = kinseq.read(tmp_path)
    same(read, WAVES)
    assert read.provenance["columns"] == ["X_DE", "X_FE"]


def test_an_array_of_a_file_with_several_is_taken_by_its_name(tmp_path: Path, recorded: Recorded) -> None:
    from scipy.io import savemat

    for k, wave in enumerate(WAVES):
        savemat(tmp_path / f"s{k}.mat", {"emg": wave, "glove": np.column_stack([wave, wave])})
    with recorded.raises(DataError):
        kinseq.read(tmp_path)
    same(kinseq.read(tmp_path, value_columns=["emg"]), WAVES)


@pytest.mark.parametrize("name", ["label", "condition"])
def test_attributes_of_groups_of_hdf5_are_labels(tmp_path: Path, name: str) -> None:
    h5py = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "data.h5", "w") as file:
        for k, wave in enumerate(WAVES):
            group = file.create_group(f"trial{k}")
            group["imu"] = wave
            group.attrs[name] = "ab"[k % 2]
    read = kinseq.read(tmp_path / "data.h5")
    same(read, WAVES)
    assert read.labels is not None
    assert read.labels.tolist() == ["a", "b", "a", "b"]


def test_rows_of_series_with_the_class_in_the_last_column_are_series(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    rows = [np.sin(np.arange(40.0) / (3 + k % 2)) + 0.01 * rng.normal(size=40) for k in range(12)]
    body = [f"{','.join(f'{x:.4e}' for x in row)},{k % 2:.1f}" for k, row in enumerate(rows)]
    written(tmp_path / "beats.csv", "\n".join(body) + "\n")
    read = kinseq.read(tmp_path / "beats.csv")
    assert len(read) == 12
    assert read.labels is not None
    assert read.labels.tolist() == ["0", "1"] * 6
    np.testing.assert_allclose(read[3][:, 0], rows[3], atol=1e-4)


def test_rows_of_a_log_with_the_class_in_the_last_column_are_frames(tmp_path: Path, recorded: Recorded) -> None:
    frames = np.cumsum(RNG.normal(size=(200, 40)), axis=0) + 100.0 * np.arange(40)
    body = [f"{','.join(f'{x:.4f}' for x in row)},{i // 50}" for i, row in enumerate(frames)]
    written(tmp_path / "log.csv", "\n".join(body) + "\n")
    with recorded.raises(DataError):
        kinseq.cluster(tmp_path / "log.csv", 2)


# Bodies of sensors


def test_an_id_that_counts_the_rows_next_to_a_time_divides_no_file(tmp_path: Path) -> None:
    for k, wave in enumerate(WAVES):
        lines = [f"{i + 1},{1435993725000 + 20 * i + i % 3},{row}" for i, row in enumerate(rows_of(wave))]
        written(tmp_path / f"acc_{k}.csv", "id,attr_time,attr_x,attr_y\n" + "\n".join(lines) + "\n")
    read = kinseq.read(tmp_path)
    same(read, WAVES)
    assert any("'id' of 4 files" in note for note in read.notes)


def test_an_id_that_counts_rows_without_a_time_is_refused_as_before(tmp_path: Path, recorded: Recorded) -> None:
    for k, wave in enumerate(WAVES):
        lines = [f"{i + 1},{row}" for i, row in enumerate(rows_of(wave - np.arange(24.0)[:, None] % 2))]
        written(tmp_path / f"acc_{k}.csv", "id,x,y\n" + "\n".join(lines) + "\n")
    with recorded.raises(DataError):
        kinseq.read(tmp_path)


def test_files_of_the_ending_ts_that_hold_rows_of_numbers_are_tables(tmp_path: Path) -> None:
    for k, wave in enumerate(WAVES):
        rows = [f"{20 + 1.1 * i:.4f}\t{row}" for i, row in enumerate(rows_of(wave, "\t"))]
        written(tmp_path / f"control{k}.ts", "\n".join(rows) + "\n")
    same(kinseq.read(tmp_path), WAVES)


def test_a_file_of_the_ending_ts_with_a_header_of_the_archive_is_a_set_of_its_own(tmp_path: Path) -> None:
    cases = "\n".join(":".join(",".join(map(str, column)) for column in wave.T) for wave in WAVES)
    written(
        tmp_path / "set.ts",
        f"@problemName a\n@univariate false\n@dimensions 2\n@classLabel false\n@data\n{cases}\n",
    )
    same(kinseq.read(tmp_path / "set.ts"), WAVES)


def test_states_next_to_whole_measurements_are_named_in_a_note(tmp_path: Path) -> None:
    states = np.repeat([0, 1, 0, 2], 100)
    for k in range(4):
        measured = 2000 + 100 * np.random.default_rng(k).normal(size=(400, 2))
        rows = "\n".join(f"{int(a)},{int(b)},{c}" for (a, b), c in zip(measured, states, strict=True))
        written(tmp_path / f"{k}.csv", rows + "\n")
    read = kinseq.read(tmp_path)
    assert read.values.shape[1] == 3
    assert any(note.startswith("column 3 holds few whole numbers") for note in read.notes)


def test_states_alone_are_no_states_next_to_measurements(tmp_path: Path) -> None:
    for k in range(4):
        states = np.repeat(np.random.default_rng(k).integers(0, 4, size=(8, 2)), 50, axis=0)
        written(tmp_path / f"{k}.csv", "\n".join(",".join(map(str, row)) for row in states) + "\n")
    assert not any("few whole numbers" in note for note in kinseq.read(tmp_path).notes)


def alternating(folder: Path, name: str) -> None:
    for k in range(3):
        rows = [
            f"{50 * i + 3 * sensor};{row};{sensor}"
            for i, pair in enumerate(zip(rows_of(WAVES[k], ";"), rows_of(WAVES[k + 1], ";"), strict=True))
            for sensor, row in enumerate(pair)
        ]
        written(folder / f"fall{k}.csv", f"TimeStamp;X-Axis;Y-Axis;{name}\n" + "\n".join(rows) + "\n")


def test_sensors_whose_rows_alternate_are_channels_on_one_clock(tmp_path: Path) -> None:
    alternating(tmp_path, "Sensor ID")
    read = kinseq.read(tmp_path)
    assert read.provenance["columns"] == [f"{axis} (Sensor ID {s})" for s in (0, 1) for axis in ("X-Axis", "Y-Axis")]
    assert step_of(read)[0] == 50.0
    # The clock begins with the later sensor: 3 of 50 further on a line between rows of the earlier one.
    first = WAVES[0] + 3 / 50 * np.diff(WAVES[0], axis=0, append=np.nan)
    for own, begin in zip(read, range(3), strict=True):
        np.testing.assert_allclose(own[:, 2:], WAVES[begin + 1][: len(own)], atol=1e-12)
    np.testing.assert_allclose(read[0][:, :2], first[: len(read[0])], atol=1e-12)
    divided = kinseq.read(tmp_path, id_column="Sensor ID")
    same(divided, [WAVES[0], WAVES[1], WAVES[1], WAVES[2], WAVES[2], WAVES[3]])
    assert not any("alternate" in note for note in divided.notes)


def test_animals_whose_rows_alternate_are_named_in_a_note(tmp_path: Path) -> None:
    alternating(tmp_path, "animal")
    read = kinseq.read(tmp_path)
    assert len(read) == 3
    assert any("'animal'" in note for note in read.notes)


@pytest.mark.parametrize(
    "form", ["{sensor}_exp{k}.txt", "exp{k}/{sensor}.txt", "{sensor}/exp{k}.txt", "exp{k}-{sensor}.txt"]
)
def test_files_that_differ_by_the_sensor_are_channels(tmp_path: Path, form: str) -> None:
    for k in range(3):
        for sensor, wave in (("acc", WAVES[k]), ("gyro", WAVES[k + 1])):
            written(tmp_path / form.format(k=k, sensor=sensor), "\n".join(rows_of(wave, " ")) + "\n")
    read = kinseq.read(tmp_path)
    same(read, [np.hstack([WAVES[k], WAVES[k + 1]]) for k in range(3)])
    assert [Path(name).stem for name in read.ids] == ["exp0", "exp1", "exp2"]
    same(kinseq.read(tmp_path, value_columns=["gyro 2"]), [WAVES[k + 1][:, 1:] for k in range(3)])
    assert len(kinseq.read(tmp_path, rows="frames")) == 6


def test_sensors_of_other_rates_share_the_clock_of_the_slowest(tmp_path: Path) -> None:
    for k in range(2):
        fast = np.repeat(WAVES[k], 4, axis=0)
        for sensor, wave, step in (("ecg", fast, 0.25), ("resp", WAVES[k + 1], 1.0)):
            rows = [f"{step * i},{row}" for i, row in enumerate(rows_of(wave))]
            written(tmp_path / f"s{k}_{sensor}.csv", "time [s],a,b\n" + "\n".join(rows) + "\n")
    same(kinseq.read(tmp_path), [np.hstack([WAVES[k], WAVES[k + 1]]) for k in range(2)], 1e-12)


def test_one_kind_of_sensor_or_unequal_lengths_are_files_of_their_own(tmp_path: Path) -> None:
    for k in range(3):
        written(tmp_path / "one" / f"acc_{k}.txt", "\n".join(rows_of(WAVES[k], " ")) + "\n")
        for sensor, length in (("acc", 24), ("gyro", 20)):
            written(tmp_path / "two" / f"{sensor}_{k}.txt", "\n".join(rows_of(WAVES[k][:length], " ")) + "\n")
    assert len(kinseq.read(tmp_path / "one")) == 3
    assert len(kinseq.read(tmp_path / "two")) == 6


def test_times_before_each_sensor_are_one_clock(tmp_path: Path) -> None:
    for k in range(2):
        rows = [f"{i / 2},{a[0]:.4f},{i / 2},{a[1]:.4f}" for i, a in enumerate(WAVES[k])]
        written(tmp_path / f"{k}.csv", "X[s],EMG 1[V],X[s],EMG 2[V]\n" + "\n".join(rows) + "\n")
    read = kinseq.read(tmp_path)
    same(read, WAVES[:2], 1e-12)
    assert step_of(read) == (0.5, "s")
    same(kinseq.read(tmp_path, drop_columns=["EMG 1[V]"]), [wave[:, 1:] for wave in WAVES[:2]], 1e-12)


TRACK = (
    '<gpx xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>'
    + "".join(
        f'<trkpt lat="{47 + i / 1e4:.5f}" lon="8"><time>2024-05-01T08:00:{i:02d}Z</time></trkpt>' for i in range(20)
    )
    + "</trkseg></trk></gpx>"
)


def test_packed_tracks_next_to_a_table_about_them(tmp_path: Path) -> None:
    rows = ["Activity ID,Activity Type,Distance,Filename"]
    for k in range(4):
        (tmp_path / "activities").mkdir(exist_ok=True)
        (tmp_path / "activities" / f"90{k}.gpx.gz").write_bytes(gzip.compress(TRACK.encode()))
        rows.append(f"90{k},{('Ride', 'Walk')[k % 2]},{k},activities/90{k}.gpx.gz")
    written(tmp_path / "activities.csv", "\n".join(rows) + "\n")
    written(tmp_path / "bikes.csv", "Bike Name,Brand\nroad,Foo\n")
    read = kinseq.read(tmp_path)
    assert [len(own) for own in read] == [20] * 4
    assert read.labels.tolist() == ["Ride", "Walk", "Ride", "Walk"]
    assert any("bikes.csv" in note for note in read.notes)
    plain = tmp_path / "plain"
    for k in range(2):
        written(plain / f"{k}.gpx", TRACK)
    np.testing.assert_array_equal(read[0], kinseq.read(plain)[0])


def test_a_damaged_packed_track_is_named_by_its_own_path(tmp_path: Path, recorded: Recorded) -> None:
    (tmp_path / "1.gpx.gz").write_bytes(gzip.compress(b"<gpx>"))
    with recorded.raises(DataError):
        kinseq.read(tmp_path / "1.gpx.gz")


def test_tables_about_recordings_in_a_folder_below(tmp_path: Path) -> None:
    for k in range(4):
        written(tmp_path / "data" / f"rec{k}.csv", "x,y\n" + "\n".join(rows_of(WAVES[k])) + "\n")
    written(tmp_path / "metadata.csv", "recording,condition\n" + "".join(f"rec{k},{'ab'[k % 2]}\n" for k in range(4)))
    read = kinseq.read(tmp_path)
    assert read.labels.tolist() == ["a", "b", "a", "b"]


def test_ids_that_differ_by_zeros_in_front_are_named_in_a_note(tmp_path: Path) -> None:
    rows = [f"{name},{row}" for name, wave in zip(("100", "0100", "7"), WAVES, strict=False) for row in rows_of(wave)]
    written(tmp_path / "t.csv", "id,x,y\n" + "\n".join(rows) + "\n")
    read = kinseq.read(tmp_path / "t.csv")
    assert read.ids.tolist() == ["100", "0100", "7"]
    assert any("0100 and 100" in note for note in read.notes)


def open_signals(rows: list[str], **header: Any) -> str:
    device = {"sensor": ["ECG", "EDA"], "column": ["nSeq", "DI", "CH1", "CH2"], "sampling rate": 100, **header}
    text = json.dumps({"00:07:80:3B:46:61": device})
    return f"# OpenSignals Text File Format. Version 1\n# {text}\n# EndOfHeader\n" + "\n".join(rows) + "\n"


def test_headers_of_opensignals_give_columns_and_rate(tmp_path: Path) -> None:
    for k, wave in enumerate(WAVES):
        rows = [f"{i % 16}\t{i % 2}\t{row}\t" for i, row in enumerate(rows_of(wave, "\t"))]
        written(tmp_path / f"opensignals_{k}.txt", open_signals(rows))
    read = kinseq.read(tmp_path)
    assert read.provenance["columns"] == ["DI", "CH1", "CH2"]
    same([sequence[:, 1:] for sequence in read], WAVES)
    assert step_of(read) == (0.01, "s")


@pytest.mark.parametrize("header", [{"column": None}, {"sampling rate": 0}, {"column": list("abcdefgh")}])
def test_headers_of_opensignals_that_do_not_fit_are_refused(
    tmp_path: Path, recorded: Recorded, header: dict[str, Any]
) -> None:
    for k, wave in enumerate(WAVES):
        rows = [f"{i % 16}\t{i % 2}\t{row}" for i, row in enumerate(rows_of(wave, "\t"))]
        written(tmp_path / f"opensignals_{k}.txt", open_signals(rows, **header))
    with recorded.raises(DataError):
        kinseq.read(tmp_path)


def test_a_line_of_json_that_is_no_object_among_objects_is_named(tmp_path: Path, recorded: Recorded) -> None:
    written(tmp_path / "log.jsonl", '{"id": "a", "x": [1, 2, 3]}\n[1, 2]\n')
    with recorded.raises(DataError):
        kinseq.read(tmp_path / "log.jsonl")
