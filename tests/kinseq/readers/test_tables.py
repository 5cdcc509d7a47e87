"""Tables as people have them: columns and codes, heads of loggers, poses, series, workbooks, signals. All are made here."""

from __future__ import annotations

import datetime
import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kinseq
from kinseq.cli.request import checked, from_texts
from kinseq.core.clock import clock_of
from kinseq.core.errors import DataError, KinseqError, ParameterError
from kinseq.core.sequences import SequenceSet
from kinseq.core.wording import speaking
from kinseq.options import COMMAND_LINE, command_of
from kinseq.readers.known import LAYOUTS
from kinseq.readers.poses import rotated
from kinseq.readers.reading import Reading
from tests.reading import read_folder
from tests.sentences import Recorded

RNG = np.random.default_rng(49)
N = 12


def _tables(folder: Path, write: Callable[[int], str], files: int = 3, ending: str = ".csv") -> Path:
    for i in range(files):
        (folder / f"s{i}{ending}").write_text(write(i), encoding="utf-8")
    return folder


def _read(path: Path, missing: Any = "refuse", **asked: Any) -> tuple[SequenceSet, list[str]]:
    return read_folder(path, missing=missing, **asked, on_bad_file="refuse")


def _values(i: int, width: int = 3) -> np.ndarray:
    return np.round(np.random.default_rng(i).normal(size=(N, width)), 3)


def _rows(values: np.ndarray, separator: str = ",") -> str:
    return "".join(separator.join(f"{value:.3f}" for value in row) + "\n" for row in values)


# Columns and codes


def _noted(i: int) -> str:
    rows = [
        f"{x:.3f},{-200 if k == 2 else y},{z:.3f},north,{'bad' if k == 1 else k + 0.5}\n"
        for k, (x, y, z) in enumerate(_values(i))
    ]
    return "x,y,z,site,q\n" + "".join(rows)


def test_columns_are_chosen_dropped_and_text_is_left_out(tmp_path: Path) -> None:
    folder = _tables(tmp_path, _noted)
    chosen, _ = _read(folder, value_columns="z,X")
    assert chosen.provenance["columns"] == ["z", "x"]
    np.testing.assert_array_equal(chosen[1], _values(1)[:, [2, 0]])
    rest, notes = _read(folder, drop_columns=["q", "y"])
    assert rest.provenance["columns"] == ["x", "z"]
    assert sum("'site'" in note and "text" in note for note in notes) == 1


def test_codes_are_missing_numbers_and_words(tmp_path: Path, recorded: Recorded) -> None:
    folder = _tables(tmp_path, _noted)
    with recorded.raises(DataError):
        _read(folder)
    with recorded.raises(DataError):
        _read(folder, missing_codes=[-200, "bad"])
    read, notes = _read(folder, "interpolate", missing_codes=[-200, "bad"])
    y = _values(0)[:, 1]
    assert read[0][2, 1] == pytest.approx((y[1] + y[3]) / 2)
    assert read[0][1, 3] == 1.5
    assert any("-200" in note and "6 cells" in note for note in notes)


def test_dashes_are_missing(tmp_path: Path) -> None:
    folder = _tables(tmp_path, lambda i: "x,y\n1.5,2.5\n-,3.5\n3.5,---\n4.5,?\n5.5,1.5\n")
    read, _ = _read(folder, "interpolate")
    np.testing.assert_allclose(read[0][:, 0], [1.5, 2.5, 3.5, 4.5, 5.5])


def test_a_file_with_words_where_others_have_numbers_is_a_bad_file(tmp_path: Path, recorded: Recorded) -> None:
    folder = _tables(tmp_path, lambda i: "x,y\n" + ("1.5,low\n2.5,high\n" if i == 2 else "1.5,2.5\n3.5,1.0\n"))
    with recorded.raises(DataError):
        _read(folder)


def _tidy(kinds: tuple[str, ...] = ("hr", "temp"), when: bool = True) -> str:
    rows = [
        f"{unit},{f'{k},' if when else ''}{kind},{100 * j + k + 10 * (unit == 'b')}\n"
        for unit in ("b", "a")
        for k in range(4)
        for j, kind in enumerate(kinds)
    ]
    return f"unit,{'when,' if when else ''}kind,value\n" + "".join(rows)


@pytest.mark.parametrize("when", [True, False])
def test_a_tidy_table_becomes_wide(tmp_path: Path, when: bool) -> None:
    path = tmp_path / "all.csv"
    path.write_text(_tidy(when=when), encoding="utf-8")
    how = {"id_column": "unit", "value_name": "value", **({"time_column": "when"} if when else {})}
    read, notes = _read(path, **how)
    assert read.ids.tolist() == ["b", "a"]
    assert read.provenance["columns"] == ["hr", "temp"]
    np.testing.assert_array_equal(read[1], [[0, 100], [1, 101], [2, 102], [3, 103]])
    assert any("tidy" in note and "hr, temp" in note for note in notes)


def test_a_tidy_table_with_gaps_and_with_two_values_of_one_moment(tmp_path: Path, recorded: Recorded) -> None:
    path, lines = tmp_path / "all.csv", _tidy().splitlines()
    how = {"id_column": "unit", "value_name": "value", "time_column": "when"}
    path.write_text("\n".join(lines[:4] + lines[5:]), encoding="utf-8")
    with recorded.raises(DataError):
        _read(path, **how)
    path.write_text("\n".join([*lines, lines[-1]]), encoding="utf-8")
    with recorded.raises(DataError):
        _read(path, **how)


def test_a_folder_is_divided_by_an_id_and_a_label_of_a_file_is_of_all_its_sequences(tmp_path: Path) -> None:
    folder = _tables(tmp_path, lambda i: "side,x\n" + "".join(f"0{k % 2},{k + i}.5\n" for k in range(8)))
    (tmp_path / "labels.csv").write_text("id,label\nunknown,a\n", encoding="utf-8")
    with pytest.raises(DataError, match="unknown"):
        _read(folder, id_column="side")
    (tmp_path / "labels.csv").write_text("id,label\ns0.csv,a\ns1,b\ns2/x,c\ns2.csv/01,c\n", encoding="utf-8")
    read, _ = _read(folder, id_column="side")
    assert read.ids.tolist() == [f"s{i}.csv/0{side}" for i in range(3) for side in range(2)]
    assert read.labels is not None
    assert read.labels.tolist() == ["a", "a", "b", "b", "", "c"]
    np.testing.assert_array_equal(read[3].ravel(), [2.5, 4.5, 6.5, 8.5])


# Heads of loggers


ACTIGRAPH = (
    "------------ Data File Created By X Firmware v3.2.1 date format M/d/yyyy at 30 Hz Filter Normal -----------\n"
    "Serial Number: N1\nStart Time 16:35:00\nStart Date 7/13/2014\nBattery: 4.22     Mode = 12\n"
    "--------------------------------------------------\n"
)
PREAMBLES = {
    "lines of text": ACTIGRAPH,
    "pairs of words": "".join(f"Key {k},value {k}\n" for k in range(70)) + "\n",
    "padded": "Serial: N1,,\nRate,30,\n",
    "one title": "Plot: site\n",
}


@pytest.mark.parametrize("name", PREAMBLES)
def test_preambles_of_any_length_are_passed_over(tmp_path: Path, name: str) -> None:
    head = PREAMBLES[name]
    folder = _tables(tmp_path, lambda i: head + "a,b,c\n" + _rows(_values(i)))
    read, notes = _read(folder)
    assert read.provenance["columns"] == ["a", "b", "c"]
    np.testing.assert_array_equal(read[2], _values(2))
    assert any(f"begins on line {head.count(chr(10)) + 1}" in note for note in notes)


def test_a_preamble_may_stand_above_numbers_without_a_header(tmp_path: Path) -> None:
    folder = _tables(tmp_path, lambda i: ACTIGRAPH + _rows(_values(i), ";"))
    read, _ = _read(folder)
    np.testing.assert_array_equal(read[0], _values(0))


def test_a_broken_table_is_no_preamble(tmp_path: Path, recorded: Recorded) -> None:
    folder = _tables(tmp_path, lambda i: "x,y\n" + "1.5,2.5\n" * 4 + "1.5,2.5,3.5\n" * 5)
    with recorded.raises(DataError):
        _read(folder)


def test_lines_are_skipped(tmp_path: Path, recorded: Recorded) -> None:
    folder = _tables(tmp_path, lambda i: "5,6,7\n1,2,3\na,b,c\n" + _rows(_values(i)))
    read, _ = _read(folder, skip_rows=2)
    assert read.provenance["columns"] == ["a", "b", "c"]
    with recorded.raises(DataError):
        _read(folder, skip_rows=99)


def test_a_row_of_units_joins_the_names_and_gives_the_unit_of_the_time(tmp_path: Path) -> None:
    folder = _tables(
        tmp_path, lambda i: "time,ax,q\n[ms],m/(s^2),no_units\n" + "".join(f"{10 * k},{k}.5,{i}.1\n" for k in range(N))
    )
    read, notes = _read(folder)
    assert read.provenance["columns"] == ["ax [m/(s^2)]", "q"]
    clock = clock_of(read)
    assert clock is not None
    assert (clock.step, clock.unit) == (10.0, "ms")
    assert any("units" in note for note in notes)


DATES = {
    "points": (["31.05.2024 23:59", "1.6.2024 0:01", "1.6.2024 0:03"], {}),
    "day first by another file": (["1/6/2024 10:00", "2/6/2024 10:00", "13/6/2024 10:00"], {}),
    "month first": (["5/30/2024 11:00 AM", "5/30/2024 1:00 PM", "5/31/2024 12:00 AM"], {}),
    "day first as asked": (["1/6/2024", "2/6/2024", "1/7/2024"], {"date_order": "day_first"}),
    "month first as asked": (["6/1/2024", "6/2/2024", "7/1/2024"], {"date_order": "month_first"}),
    "two digits of the year": (["30/05/24", "31/05/24", "1/6/24"], {}),
    "slashes": (["2024/05/30 9:00", "2024/05/31 9:00", "2024/06/01 9:00"], {}),
    "zones in brackets": ([f"2014-05-07 16:29:3{k}.000 [Europe/London]" for k in range(3)], {}),
    "milliseconds behind a colon": ([f"2014-05-07 16:29:30:{k}00" for k in range(3)], {}),
}
STEPS = {
    "points": 120.0,
    "day first as asked": None,
    "month first as asked": None,
    "zones in brackets": 1.0,
    "milliseconds behind a colon": 0.1,
}


@pytest.mark.parametrize("name", DATES)
def test_dates_are_read_and_order_the_rows(tmp_path: Path, name: str) -> None:
    cells, how = DATES[name]
    # Only the last file may show which number is the day.
    rows = list(zip(cells, (1, 2, 3), strict=True))[::-1]
    folder = _tables(tmp_path, lambda i: "when;a;b\n" + "".join(f"{cell};{k},5;{k},25\n" for cell, k in rows))
    read, _ = _read(folder, **how)
    assert read.provenance["columns"] == ["a", "b"]
    np.testing.assert_array_equal(read[0][:, 0], [1.5, 2.5, 3.5])
    if STEPS.get(name) is not None:
        clock = clock_of(read)
        assert clock is not None
        assert clock.step == pytest.approx(STEPS[name])


def test_dates_whose_order_makes_no_difference_are_no_question(tmp_path: Path, recorded: Recorded) -> None:
    folder = _tables(tmp_path, lambda i: "time,x\n" + "".join(f"05/0{i + 6}/2024 10:00:0{k},{k}.5\n" for k in range(4)))
    read, notes = _read(folder)
    clock = clock_of(read)
    assert clock is not None
    assert clock.step == 1.0
    recorded.within("\n".join(notes))
    # Days of a calendar are different, and so is a night.
    with recorded.raises(DataError):
        _read(folder, cut="1d")
    (folder / "s9.csv").write_text("time,x\n05/06/2024 23:59:59,1.5\n06/06/2024 00:00:00,2.5\n", encoding="utf-8")
    with recorded.raises(DataError):
        _read(folder)


def test_one_file_tells_the_order_of_all(tmp_path: Path, recorded: Recorded) -> None:
    folder = _tables(tmp_path, lambda i: "time,x\n" + "".join(f"0{k + 1}/0{i + 2}/2024,{k}.5\n" for k in range(4)))
    with recorded.raises(DataError):
        _read(folder)
    with speaking(COMMAND_LINE), recorded.raises(DataError):
        _read(folder)
    (folder / "s3.csv").write_text("time,x\n13/05/2024,1.5\n14/05/2024,2.5\n", encoding="utf-8")
    read, notes = _read(folder)
    clock = clock_of(read)
    assert clock is not None
    assert clock.step == 86400.0
    assert any("day first" in note for note in notes)
    with recorded.raises(DataError):
        _read(folder, date_order="month_first")
    (folder / "s4.csv").write_text("time,x\n05/13/2024,1.5\n05/14/2024,2.5\n", encoding="utf-8")
    with recorded.raises(DataError):
        _read(folder)


def test_day_and_time_of_day_in_two_columns(tmp_path: Path, recorded: Recorded) -> None:
    folder = _tables(
        tmp_path,
        lambda i: (
            "Date,Time,x\n" + "".join(f"7/13/2014,{11 + k}:30:00 {'AM' if k < 1 else 'PM'},{k}.5\n" for k in range(2))
        ),
    )
    read, notes = _read(folder)
    assert read.provenance["columns"] == ["x"]
    clock = clock_of(read)
    assert clock is not None
    assert clock.step == 3600.0
    recorded.within("\n".join(notes))


# Poses


PARTS = ("nose", "ear", "tail")


def _poses(seed: int, frames: int = N) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return np.round(rng.normal(100, 20, (frames, 3, 2)), 4), np.round(rng.uniform(0.5, 1, (frames, 3)), 4)


def _deeplabcut(animals: dict[str, tuple[np.ndarray, np.ndarray]]) -> str:
    columns = [(animal, part, kind) for animal in animals for part in PARTS for kind in ("x", "y", "likelihood")]
    lines = ["scorer," + ",".join("net" for _ in columns)]
    if list(animals) != [""]:
        lines.append("individuals," + ",".join(animal for animal, _, _ in columns))
    lines.append("bodyparts," + ",".join(part for _, part, _ in columns))
    lines.append("coords," + ",".join(kind for _, _, kind in columns))
    for k in range(N):
        cells = [np.column_stack([positions[k], scores[k]]).ravel() for positions, scores in animals.values()]
        lines.append(f"{k}," + ",".join("" if np.isnan(cell) else str(cell) for cell in np.concatenate(cells)))
    return "\n".join(lines) + "\n"


def _sleap(animals: dict[str, tuple[np.ndarray, np.ndarray]], without: tuple[int, ...] = ()) -> str:
    header = ",".join(f"{part}.{kind}" for part in PARTS for kind in ("x", "y", "score"))
    lines = [f"track,frame_idx,instance.score,{header}"]
    for k in range(N):
        if k in without:
            continue
        for animal, (positions, scores) in animals.items():
            row = ",".join(map(str, np.column_stack([positions[k], scores[k]]).ravel()))
            lines.append(f"{animal},{k},0.9,{row}")
    return "\n".join(lines) + "\n"


def _anipose(seed: int) -> tuple[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    places = np.round(rng.normal(size=(N, 3, 3)), 4)
    kinds = ("x", "y", "z", "error", "ncams", "score")
    header = ",".join(f"{part}_{kind}" for part in PARTS for kind in kinds) + ",M_00,center_0,fnum"
    rows = [
        ",".join(f"{x},{y},{z},0.5,2,{0.3 if (k, j) == (4, 0) else 0.9}" for j, (x, y, z) in enumerate(places[k]))
        + f",1,0,{k}"
        for k in range(N)
    ]
    return "\n".join([header, *rows]) + "\n", places


def test_deeplabcut_of_one_animal(tmp_path: Path, recorded: Recorded) -> None:
    made = [_poses(i) for i in range(3)]
    folder = _tables(tmp_path, lambda i: _deeplabcut({"": made[i]}))
    read, notes = _read(folder)
    assert read.provenance["columns"] == [f"{part}_{axis}" for part in PARTS for axis in "xy"]
    np.testing.assert_array_equal(read[1], made[1][0].reshape(N, -1))
    recorded.within("\n".join(notes))


def test_unlikely_positions_are_missing(tmp_path: Path, recorded: Recorded) -> None:
    made = [_poses(i) for i in range(3)]
    folder = _tables(tmp_path, lambda i: _deeplabcut({"": made[i]}))
    with pytest.raises(DataError, match="is missing"):
        _read(folder, likelihood=0.75, rate=4)
    read, notes = _read(folder, "interpolate", likelihood=0.75)
    positions, scores = made[0]
    assert not (scores >= 0.75).all()
    for j in range(3):
        likely = np.flatnonzero(scores[:, j] >= 0.75)
        expected = np.interp(np.arange(N), likely, positions[likely, j, 1])
        np.testing.assert_allclose(read[0][:, 2 * j + 1], expected)
    recorded.within("\n".join(notes))


def test_animals_are_sequences_or_columns(tmp_path: Path) -> None:
    made = [{"m1": _poses(i), "m2": _poses(10 + i)} for i in range(3)]
    folder = _tables(tmp_path, lambda i: _deeplabcut(made[i]))
    apart, notes = _read(folder)
    assert apart.ids.tolist()[:2] == ["s0.csv/m1", "s0.csv/m2"]
    np.testing.assert_array_equal(apart[3], made[1]["m2"][0].reshape(N, -1))
    assert any("2 animals, each a sequence" in note for note in notes)
    together, _ = _read(folder, animals="columns")
    assert together.n_features == 12
    assert together.provenance["columns"][6] == "m2_nose_x"
    np.testing.assert_array_equal(together[2][:, 6:], made[2]["m2"][0].reshape(N, -1))
    alone, _ = _read(folder / "s1.csv")
    assert alone.ids.tolist() == ["m1", "m2"]


def test_an_animal_that_is_not_there_is_no_sequence(tmp_path: Path) -> None:
    nobody = (np.full((N, 3, 2), np.nan), np.full((N, 3), np.nan))
    folder = _tables(tmp_path, lambda i: _deeplabcut({"m1": _poses(i), "m2": nobody if i else _poses(9)}))
    assert _read(folder)[0].ids.tolist() == ["s0.csv/m1", "s0.csv/m2", "s1.csv", "s2.csv"]


def test_sleap_with_tracks_and_gaps(tmp_path: Path) -> None:
    made = [{"a": _poses(i), "b": _poses(10 + i)} for i in range(3)]
    folder = _tables(tmp_path, lambda i: _sleap(made[i], without=(3, 4)))
    with pytest.raises(DataError, match="is missing"):
        _read(folder, rate=5)
    read, notes = _read(folder, "interpolate")
    np.testing.assert_allclose(_read(folder)[0].values, read.values)
    assert read.ids.tolist()[:2] == ["s0.csv/a", "s0.csv/b"]
    positions = made[1]["b"][0].reshape(N, -1)
    assert read[3].shape == (N, 6)
    np.testing.assert_allclose(read[3][3], positions[2] + (positions[5] - positions[2]) / 3)
    assert any("SLEAP" in note and "12 frames" in note for note in notes)


def test_short_gaps_are_lines_and_longer_ones_are_missing(tmp_path: Path, recorded: Recorded) -> None:
    positions, scores = _poses(5, N)
    scores[:] = 0.9
    scores[3:6, 0] = 0.1
    scores[9, 2] = 0.1
    folder = _tables(tmp_path, lambda i: _deeplabcut({"": (positions, scores)}), files=2)
    read, notes = _read(folder, likelihood=0.5, rate=20)
    expected = positions.copy()
    expected[3:6, 0] = positions[2, 0] + np.array([[0.25], [0.5], [0.75]]) * (positions[6, 0] - positions[2, 0])
    expected[9, 2] = (positions[8, 2] + positions[10, 2]) / 2
    np.testing.assert_allclose(read[0], expected.reshape(N, -1))
    recorded.within("\n".join(notes))
    # Without a rate, that of most cameras.
    recorded.within("\n".join(_read(folder, likelihood=0.5)[1]))
    with recorded.raises(DataError):
        _read(folder, likelihood=0.5, rate=10)


def test_sleap_without_tracks(tmp_path: Path) -> None:
    made = [_poses(i) for i in range(3)]
    read, _ = _read(_tables(tmp_path, lambda i: _sleap({"": made[i]})))
    assert read.ids.tolist() == ["s0.csv", "s1.csv", "s2.csv"]
    np.testing.assert_array_equal(read[2], made[2][0].reshape(N, -1))


def test_anipose(tmp_path: Path, recorded: Recorded) -> None:
    folder = _tables(tmp_path, lambda i: _anipose(i)[0])
    read, notes = _read(folder)
    np.testing.assert_array_equal(read[1], _anipose(1)[1].reshape(N, -1))
    recorded.within("\n".join(notes))
    with recorded.raises(DataError):
        _read(folder, likelihood=0.6, rate=4)


def test_egocentric_positions_do_not_depend_on_place_and_direction(tmp_path: Path, recorded: Recorded) -> None:
    positions, scores = _poses(1)
    angle, shift = RNG.uniform(0, 6, N), RNG.normal(0, 50, (N, 1, 2))
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    elsewhere = np.einsum("abt,tpb->tpa", turn, positions) + shift
    folder = _tables(tmp_path, lambda i: _deeplabcut({"": (positions if i == 0 else elsewhere, scores)}), files=2)
    read, notes = _read(folder, relative_to="tail", heading="nose")
    assert read.provenance["columns"] == ["nose_x", "ear_x", "ear_y"]
    np.testing.assert_allclose(read[0], read[1], atol=1e-9)
    # The distance to the nose, derived from the angle between nose and ear.
    nose, ear = positions[:, 0] - positions[:, 2], positions[:, 1] - positions[:, 2]
    length = np.linalg.norm(nose, axis=1)
    np.testing.assert_allclose(read[0][:, 0], length)
    np.testing.assert_allclose(read[0][:, 1], (nose * ear).sum(axis=1) / length)
    np.testing.assert_allclose(read[0][:, 2], (nose[:, 0] * ear[:, 1] - nose[:, 1] * ear[:, 0]) / length)
    recorded.within("\n".join(notes))
    shifted, _ = _read(folder, relative_to="tail")
    np.testing.assert_allclose(shifted[0], (positions[:, :2] - positions[:, 2:]).reshape(N, -1))


def test_where_the_direction_is_missing_all_positions_are() -> None:
    turned = rotated(np.ones((2, 3, 2)), np.array([[0.0, 2.0], [0.0, 0.0]]))
    np.testing.assert_allclose(turned[0], np.tile([1.0, -1.0], (3, 1)))
    assert np.isnan(turned[1]).all()


def _dlc(i: int) -> str:
    return _deeplabcut({"": _poses(i)})


WRONG: dict[str, tuple[Callable[[int], str], dict[str, Any]]] = {
    "DeepLabCut without coords": (lambda i: _dlc(i).replace("coords", "kind"), {}),
    "DeepLabCut without y": (lambda i: _dlc(i).replace("x,y,likelihood", "x,likelihood,likelihood"), {}),
    "DeepLabCut with a word": (lambda i: _dlc(i).replace("\n3,", "\n3,far", 1), {}),
    "SLEAP without y": (lambda i: _sleap({"": _poses(i)}).replace("ear.y", "ear.q"), {}),
    "SLEAP with a frame twice": (lambda i: _sleap({"": _poses(i)}).replace("\n,3,", "\n,2,"), {}),
    "SLEAP with a row without track": (lambda i: _sleap({"a": _poses(i)}).replace("\na,3,", "\n,3,"), {}),
    "anipose without z": (lambda i: _anipose(i)[0].replace("ear_z", "ear_q"), {}),
    "no such body part": (_dlc, {"relative_to": "hip"}),
    "an id of poses": (_dlc, {"id_column": "who"}),
    "poses asked of numbers": (lambda i: "x,y\n" + _rows(_values(i, 2)), {"likelihood": 0.5}),
    "annotations of numbers": (_noted, {"annotations": "labels"}),
    "no such column": (_noted, {"value_columns": "x,w"}),
    "no such column to drop": (_noted, {"drop_columns": "w"}),
    "the time as a feature": (lambda i: "time,x\n1,2.5\n2,3.5\n", {"value_columns": "time"}),
    "no such id": (_noted, {"id_column": "who"}),
    "names of numbers alone": (lambda i: _rows(_values(i)), {"id_column": "who"}),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_not_quite_right_is_refused_with_what_is_missing(tmp_path: Path, name: str, recorded: Recorded) -> None:
    write, how = WRONG[name]
    with recorded.raises(DataError):
        _read(_tables(tmp_path, write), **how)


ASKED_BADLY: tuple[dict[str, Any], ...] = (
    {"likelihood": 0},
    {"likelihood": "high"},
    {"heading": "nose"},
    {"heading": "nose", "relative_to": "nose"},
    {"variable_name": "kind"},
    {"value_columns": "x,x"},
    {"value_columns": 3},
    {"value_columns": [None]},
    {"missing_codes": [True]},
    {"missing_codes": ","},
    {"drop_columns": [" "]},
    {"id_column": 3},
    {"skip_rows": 0},
    {"rows": "rows"},
    {"date_order": "dmy"},
    {"animals": "both"},
)


@pytest.mark.parametrize("how", ASKED_BADLY, ids=str)
def test_options_are_checked_before_a_file_is_opened(tmp_path: Path, how: dict[str, Any], recorded: Recorded) -> None:
    with recorded.raises(ParameterError):
        Reading(**how).of_files()
    with recorded.raises(KinseqError):
        kinseq.cluster(tmp_path / "nothing here", **how)


def test_layouts_have_names_of_their_own() -> None:
    assert len({layout.name for layout in LAYOUTS}) == len(LAYOUTS)


# Rows that are series, arrays, archives


def _ucr(separator: str, number: str) -> str:
    rows = np.random.default_rng(3).normal(size=(6, 12))
    return "".join(
        separator.join([number.format(float(i % 2 + 1)), *(f"{v:.7e}" for v in row)]) + "\n"
        for i, row in enumerate(rows)
    )


@pytest.mark.parametrize(("ending", "separator", "number"), [(".tsv", "\t", "{:.0f}"), (".txt", "  ", "  {:.7e}")])
def test_series_of_the_archive_have_their_label_first(tmp_path: Path, ending: str, separator: str, number: str) -> None:
    path = tmp_path / f"Made_TRAIN{ending}"
    path.write_text(_ucr(separator, number), encoding="utf-8")
    read, notes = _read(path)
    assert read.labels is not None
    assert read.labels.tolist() == ["1", "2"] * 3
    np.testing.assert_allclose(read[4][:, 0], np.random.default_rng(3).normal(size=(6, 12))[4], rtol=1e-6)
    assert any("6 rows as series" in note and "labels" in note for note in notes)


def test_wide_tables_are_series_if_asked_with_padding_at_the_ends(tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    path.write_text("id,label,t0,t1,t2\nb,u,1.5,2.5,3.5\na,v,4.5,5.5,\n", encoding="utf-8")
    read, _ = _read(path, rows="series")
    assert read.ids.tolist() == ["b", "a"]
    assert read.labels is not None
    assert read.labels.tolist() == ["u", "v"]
    assert [frames.ravel().tolist() for frames in read] == [[1.5, 2.5, 3.5], [4.5, 5.5]]
    frames, notes = _read(path, "interpolate", value_columns="t0,t1")
    assert frames.lengths.tolist() == [1, 1]
    assert any("rows='series'" in note for note in notes)
    path.write_text("t0,t1\n1.5,2.5\n4.5,5.5\n", encoding="utf-8")
    with pytest.raises(DataError, match="rows='series'"):
        _read(path)
    (tmp_path / "sub").mkdir()
    both = _tables(tmp_path / "sub", lambda i: "t0,t1\n1.5,2.5\n4.5,5.5\n", 2)
    assert _read(both, rows="series")[0].ids.tolist() == ["s0.csv/1", "s0.csv/2", "s1.csv/1", "s1.csv/2"]


def test_an_array_of_several_sequences(tmp_path: Path, recorded: Recorded) -> None:
    values = RNG.normal(size=(3, 5, 2))
    values[1, 3:] = np.nan
    np.save(tmp_path / "all.npy", values)
    read, _ = _read(tmp_path / "all.npy")
    assert read.lengths.tolist() == [5, 3, 5]
    np.testing.assert_array_equal(read[2], values[2])
    values[1] = np.nan
    np.save(tmp_path / "all.npy", values)
    with recorded.raises(DataError):
        _read(tmp_path / "all.npy")


def test_archives_of_named_arrays_and_of_one_with_labels(tmp_path: Path, recorded: Recorded) -> None:
    b, a = RNG.normal(size=(5, 2)), RNG.normal(size=(4, 2))
    np.savez(tmp_path / "named.npz", b=b, a=a)
    read, _ = _read(tmp_path / "named.npz")
    assert read.ids.tolist() == ["a", "b"]
    np.testing.assert_array_equal(read[1], b)
    whole = RNG.normal(size=(3, 4, 2))
    np.savez(tmp_path / "whole.npz", X=whole, y=np.array([0, 1, 1]))
    read, _ = _read(tmp_path / "whole.npz")
    assert read.labels is not None
    assert read.labels.tolist() == ["0", "1", "1"]
    np.testing.assert_array_equal(read[2], whole[2])
    np.savez(tmp_path / "whole.npz", X=whole, y=np.array([0, 1]))
    with recorded.raises(DataError):
        _read(tmp_path / "whole.npz")


def test_packed_tables_and_their_labels(tmp_path: Path, recorded: Recorded) -> None:
    for i in range(3):
        (tmp_path / f"s{i}.csv.gz").write_bytes(gzip.compress(("x,y\n" + _rows(_values(i, 2))).encode()))
    (tmp_path / "labels.csv").write_text("id,label\ns0,a\ns1.csv.gz,b\n", encoding="utf-8")
    read, _ = _read(tmp_path)
    np.testing.assert_array_equal(read[2], _values(2, 2))
    assert read.labels is not None
    assert read.labels.tolist() == ["a", "b", ""]
    (tmp_path / "s1.csv.gz").write_bytes(b"no archive")
    with recorded.raises(DataError):
        _read(tmp_path)


@pytest.mark.parametrize("ending", [".txt", ".dat", ""])
def test_names_that_say_nothing_are_tables_by_what_they_hold(tmp_path: Path, ending: str) -> None:
    folder = _tables(tmp_path, lambda i: "a b\n" + _rows(_values(i, 2), " "), ending=ending)
    (folder / "README").write_text("Made in May.\nBy nobody, of 2 animals.\n", encoding="utf-8")
    read, notes = _read(folder)
    assert read.provenance["columns"] == ["a", "b"]
    assert len(read) == 3
    assert any("ignored" in note and "README" in note for note in notes)
    (folder / "named.csv").write_text("a,b\n1.5,2.5\n3.5,1.5\n", encoding="utf-8")
    (folder / "also.csv").write_text("a,b\n1.5,2.5\n2.5,1.5\n", encoding="utf-8")
    assert _read(folder)[0].ids.tolist() == ["also.csv", "named.csv"]


def test_workbooks(tmp_path: Path, recorded: Recorded) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    start = datetime.datetime(2024, 5, 31, 10)
    for i in range(2):
        book = openpyxl.Workbook()
        book.active.append(["time", "x", "note"])
        for k, value in enumerate(_values(i, 1)[:, 0].tolist()):
            book.active.append([start + datetime.timedelta(seconds=k), value, "ok"])
        book.save(tmp_path / f"s{i}.xlsx")
    read, _ = _read(tmp_path)
    np.testing.assert_array_equal(read[1], _values(1, 1))
    clock = clock_of(read)
    assert clock is not None
    assert clock.step == 1.0
    (tmp_path / "s2.csv").write_text("x\n1.5\n2.5\n", encoding="utf-8")
    (tmp_path / "s3.csv").write_text("x\n1.5\n3.5\n", encoding="utf-8")
    beside, notes = _read(tmp_path)
    assert beside.ids.tolist() == ["s2.csv", "s3.csv"]
    assert any("ignored" in note and "s0.xlsx" in note for note in notes)
    for name in ("s2.csv", "s3.csv"):
        (tmp_path / name).unlink()
    book.create_sheet("more").append([1, 2])
    book.save(tmp_path / "s1.xlsx")
    with pytest.raises(DataError, match="2 sheets"):
        _read(tmp_path)
    (tmp_path / "s1.xlsx").write_bytes(b"no workbook")
    with recorded.raises(DataError):
        _read(tmp_path)


# Physiology


def test_edf_by_channels_of_one_rate(tmp_path: Path, recorded: Recorded) -> None:
    edfio = pytest.importorskip("edfio")
    waves = RNG.normal(size=(2, 300))
    for i in range(2):
        slow = edfio.EdfSignal(RNG.normal(size=30), 10, label="resp")
        channels = [edfio.EdfSignal(wave, 100, label=name) for wave, name in zip(waves, ("C3", "C4"), strict=True)]
        edfio.Edf([*channels, slow]).write(tmp_path / f"s{i}.edf")
    with recorded.raises(DataError):
        _read(tmp_path)
    read, _ = _read(tmp_path, value_columns="C4,C3")
    assert read.provenance["columns"] == ["C4", "C3"]
    np.testing.assert_allclose(read[0][:, 1], waves[0], atol=1e-3)
    clock = clock_of(read)
    assert clock is not None
    assert clock.step == pytest.approx(0.01)
    (tmp_path / "s1.edf").write_bytes(b"0       nothing")
    with recorded.raises(DataError):
        _read(tmp_path, drop_columns="resp")


def test_annotations_are_segments_or_labels(tmp_path: Path, recorded: Recorded) -> None:
    edfio = pytest.importorskip("edfio")
    wave = RNG.normal(size=300)
    notes = [(0.5, 1.0, "N2"), (1.5, 0.25, "REM"), (2.0, None, "click"), (2.9, 3.0, "N2")]
    for i in range(2):
        kept = [edfio.EdfAnnotation(*note) for note in (notes if i == 0 else notes[:1])]
        edfio.Edf([edfio.EdfSignal(wave, 100, label="C3")], annotations=kept).write(tmp_path / f"s{i}.edf")
    read, said = _read(tmp_path, annotations="segments")
    assert read.ids.tolist() == [
        "s0.edf/0.500-1.500",
        "s0.edf/1.500-1.750",
        "s0.edf/2.900-5.900",
        "s1.edf/0.500-1.500",
    ]
    assert read.labels is not None
    assert read.labels.tolist() == ["N2", "REM", "N2", "N2"]
    assert read.lengths.tolist() == [100, 25, 10, 100]
    np.testing.assert_allclose(read[1][:, 0], wave[150:175], atol=1e-3)
    assert any("4 segments" in note for note in said)
    with recorded.raises(DataError):
        _read(tmp_path, annotations="labels")
    (tmp_path / "s0.edf").unlink()
    labelled, _ = _read(tmp_path, annotations="labels")
    assert labelled.labels is not None
    assert labelled.labels.tolist() == ["N2"]


def test_rhythms_of_a_record_are_segments(tmp_path: Path, recorded: Recorded) -> None:
    wfdb = pytest.importorskip("wfdb")
    wave = RNG.normal(size=(300, 1))
    wfdb.wrsamp("r", fs=100, units=["mV"], sig_name=["I"], p_signal=wave, fmt=["16"], write_dir=str(tmp_path))
    with recorded.raises(DataError):
        _read(tmp_path, annotations="segments")
    wfdb.wrann(
        "r",
        "atr",
        np.array([10, 50, 110]),
        symbol=["+", "N", "+"],
        aux_note=["(N", "", "(AFIB"],
        write_dir=str(tmp_path),
    )
    read, _ = _read(tmp_path, annotations="segments")
    assert read.ids.tolist() == ["r.hea/0.100-1.100", "r.hea/1.100-3.000"]
    assert read.labels is not None
    assert read.labels.tolist() == ["N", "AFIB"]
    np.testing.assert_allclose(read[1][:, 0], wave[110:, 0], atol=1e-3)


def test_records_of_wfdb_with_their_signals_beside(tmp_path: Path, recorded: Recorded) -> None:
    wfdb = pytest.importorskip("wfdb")
    waves = RNG.normal(size=(300, 2))
    for i in range(2):
        wfdb.wrsamp(
            f"s{i}",
            fs=100,
            units=["mV", "mV"],
            sig_name=["I", "II"],
            p_signal=waves,
            write_dir=str(tmp_path),
            fmt=["16"] * 2,
        )
    read, notes = _read(tmp_path, value_columns="II")
    np.testing.assert_allclose(read[0][:, 0], waves[:, 1], atol=1e-3)
    assert not any("ignored" in note for note in notes)
    (tmp_path / "s1.dat").unlink()
    with recorded.raises(DataError):
        _read(tmp_path)


@pytest.mark.parametrize(("ending", "kind", "coding"), [(".sph", "NIST", "PCM_16"), (".aifc", "AIFF", "FLOAT")])
def test_endings_of_recordings_that_the_decoder_knows(tmp_path: Path, ending: str, kind: str, coding: str) -> None:
    soundfile = pytest.importorskip("soundfile")
    soundfile.write(tmp_path / f"a{ending}", RNG.normal(0, 0.1, 8000), 8000, format=kind, subtype=coding)
    assert len(read_folder(tmp_path)[0]) == 1


# The same on the command line and in Python


def test_options_have_the_same_meaning_where_they_are_typed(tmp_path: Path, recorded: Recorded) -> None:
    _tables(tmp_path, _noted, files=6)
    texts = {"data": str(tmp_path), "value_columns": "x,z", "missing_codes": "-200,bad", "skip_rows": "1"}
    own = checked(from_texts(texts), tmp_path.parent / "results")
    assert own["value_columns"] == ["x", "z"]
    assert own["missing_codes"] == ["-200", "bad"]
    assert own["skip_rows"] == 1
    line = command_of("cluster", own)
    assert "--columns x,z" in line
    assert "--missing-code=-200,bad" in line
    assert "--skip-rows 1" in line
    found = kinseq.cluster(
        tmp_path, 2, "statistics", value_columns=["x", "z"], missing_codes=[-200, "bad"], n_resamples=1
    )
    assert found.labels.shape == (6,)
    with speaking(COMMAND_LINE), recorded.raises(KinseqError):
        kinseq.cluster(tmp_path, 2, "statistics", value_columns=["x", "w"])


def test_tables_are_read_by_options_of_tables_alone(tmp_path: Path, recorded: Recorded) -> None:
    soundfile = pytest.importorskip("soundfile")
    soundfile.write(tmp_path / "a.wav", RNG.normal(0, 0.1, 8000), 8000)
    with recorded.raises(ParameterError):
        read_folder(tmp_path, skip_rows=1)
    with recorded.raises(ParameterError):
        kinseq.cluster([np.zeros((5, 2)), np.ones((5, 2))], 2, drop_columns=["x"])
