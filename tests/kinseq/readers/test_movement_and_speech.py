"""Files of motion capture, tracks, speech features and key points, made as their programs write them."""

from __future__ import annotations

import json
import struct
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kinseq
from kinseq.core.clock import clock_of
from kinseq.core.errors import DataError, ParameterError
from kinseq.readers.containers.gpx import EARTH
from tests.sentences import Recorded

RNG = np.random.default_rng(3)


def the_same(read: Any, expected: list[np.ndarray], tolerance: float = 0.0) -> None:
    assert len(read) == len(expected)
    for own, other in zip(read, expected, strict=True):
        np.testing.assert_allclose(own, other, atol=tolerance)


# Motion capture

SKELETON = """HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Left Leg
  {
    OFFSET 0 1 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 1 0
    }
  }
}
MOTION
Frames: %d
Frame Time: 0.05
"""


def bvh(path: Path, values: np.ndarray) -> None:
    path.write_text(SKELETON % len(values) + "".join(" ".join(f"{x:.6f}" for x in row) + "\n" for row in values))


def test_bvh_has_the_channels_of_joints_and_their_time(tmp_path: Path) -> None:
    expected = [RNG.normal(size=(20 + k, 9)).round(6) for k in range(4)]
    for k, values in enumerate(expected):
        bvh(tmp_path / f"walk{k}.bvh", values)
    read = kinseq.read(tmp_path)
    the_same(read, expected)
    assert read.provenance["columns"][0] == "Hips Xposition"
    assert read.provenance["columns"][-1] == "Left Leg Yrotation"
    clock = clock_of(read)
    assert clock is not None
    assert (clock.step, clock.unit) == (pytest.approx(0.05), "s")
    chosen = kinseq.read(tmp_path, value_columns=["Left Leg Xrotation"])
    the_same(chosen, [values[:, [7]] for values in expected])


# Tracks


def gpx(tracks: dict[str, list[tuple[float, float, float, int | None]]], heights: bool = True) -> str:
    """A file of tracks of (latitude, longitude, height, second)."""
    body = ""
    for name, points in tracks.items():
        inside = ""
        for latitude, longitude, height, second in points:
            time = "" if second is None else f"<time>2024-05-01T10:00:{second:02d}Z</time>"
            ele = f"<ele>{height}</ele>" if heights else ""
            inside += f'<trkpt lat="{latitude!r}" lon="{longitude!r}">{ele}{time}</trkpt>'
        body += f"<trk><name>{name}</name><trkseg>{inside}</trkseg></trk>"
    return f'<?xml version="1.0"?><gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">{body}</gpx>'


def test_tracks_are_metres_from_the_start_with_speed_and_heading(tmp_path: Path) -> None:
    # On the equator, to the north-east, across the date line; a degree is as long there in both directions.
    degree = EARTH * np.pi / 180.0
    points = [(k * 1e-4, (179.9998 + k * 1e-4 + 180.0) % 360.0 - 180.0, 100.0 + k, 2 * k) for k in range(10)]
    (tmp_path / "a.gpx").write_text(gpx({"way": points}))
    read = kinseq.read(tmp_path / "a.gpx")
    way = np.arange(10) * 1e-4 * degree
    columns = ["east [m]", "north [m]", "height [m]", "speed [m/s]", "cosine of heading", "sine of heading"]
    assert list(read.provenance["columns"]) == columns
    speed, heading = np.full(10, np.sqrt(2.0) * 1e-4 * degree / 2.0), np.full(10, np.sqrt(0.5))
    expected = np.column_stack([way, way, 100.0 + np.arange(10), speed, heading, heading])
    np.testing.assert_allclose(read[0], expected, atol=1e-4)
    clock = clock_of(read)
    assert clock is not None
    assert (clock.step, clock.unit) == (2.0, "s")
    assert len(kinseq.read(tmp_path / "a.gpx", every="1s")[0]) == 19


def test_several_tracks_are_sequences_and_heights_are_those_that_all_have(tmp_path: Path) -> None:
    points = [(60.0 + k * 1e-4, 10.0, 0.0, k) for k in range(8)]
    (tmp_path / "a.gpx").write_text(gpx({"one": points, "two": points[:6]}, heights=False))
    read = kinseq.read(tmp_path / "a.gpx")
    assert read.ids.tolist() == ["one", "two"]
    assert read.lengths.tolist() == [8, 6]
    assert "height [m]" not in read.provenance["columns"]


def fit(path: Path, rows: list[tuple[int, ...]], message: int = 20) -> None:
    """A FIT file of records: second, latitude and longitude in semicircles, altitude as stored, heart rate."""
    crc = pytest.importorskip("fitdecode.utils").compute_crc
    fields = bytes([253, 4, 0x86, 0, 4, 0x85, 1, 4, 0x85, 2, 2, 0x84, 3, 1, 0x02])
    body = struct.pack("<BBBHB", 0x40, 0, 0, message, 5) + fields
    body += b"".join(struct.pack("<BIiiHB", 0, *row) for row in rows)
    head = struct.pack("<BBHI4s", 14, 0x20, 2132, len(body), b".FIT")
    whole = head + struct.pack("<H", crc(head)) + body
    path.write_bytes(whole + struct.pack("<H", crc(whole)))


NOWHERE = 0x7FFFFFFF


def test_records_of_activities_are_tracks_with_what_the_watch_measures(tmp_path: Path) -> None:
    # Five semicircles east a second, on the equator; at 120 m, as (120 + 500) * 5.
    fit(tmp_path / "a.fit", [(10**9 + 2 * k, 0, 5 * k, 3100, 90 + k) for k in range(10)])
    read = kinseq.read(tmp_path / "a.fit")
    columns = ["east [m]", "north [m]", "speed [m/s]", "cosine of heading", "sine of heading", "height [m]"]
    assert list(read.provenance["columns"]) == [*columns, "heart rate [1/min]"]
    east = 5 * np.arange(10) * np.pi / 2**31 * EARTH
    expected = [
        east,
        0 * east,
        0 * east + east[1] / 2.0,
        0 * east,
        0 * east + 1.0,
        0 * east + 120.0,
        90.0 + np.arange(10),
    ]
    np.testing.assert_allclose(read[0], np.column_stack(expected), atol=1e-9)
    clock = clock_of(read)
    assert clock is not None
    assert (clock.step, clock.unit) == (2.0, "s")


def test_records_before_the_first_place_are_missing_there(tmp_path: Path, recorded: Recorded) -> None:
    rows = [(10**9 + k, NOWHERE if k == 3 else 0, NOWHERE if k == 3 else k, 3100, 90) for k in range(10)]
    fit(tmp_path / "a.fit", rows)
    with recorded.raises(DataError):
        kinseq.read(tmp_path / "a.fit")
    read = kinseq.read(tmp_path / "a.fit", missing="interpolate")
    np.testing.assert_allclose(read[0][:, 0], np.arange(10) * np.pi / 2**31 * EARTH, atol=1e-9)
    fit(tmp_path / "inside.fit", [(10**9 + k, NOWHERE, NOWHERE, 3100, 90 + k) for k in range(10)])
    assert list(kinseq.read(tmp_path / "inside.fit").provenance["columns"]) == ["height [m]", "heart rate [1/min]"]


def test_fit_files_that_hold_no_activity_are_refused(tmp_path: Path, recorded: Recorded) -> None:
    fit(tmp_path / "course.fit", [(10**9, 0, 0, 3100, 90)], message=0)
    with recorded.raises(DataError):
        kinseq.read(tmp_path / "course.fit")
    fit(tmp_path / "cut.fit", [(10**9 + k, 0, k, 3100, 90) for k in range(5)])
    (tmp_path / "cut.fit").write_bytes((tmp_path / "cut.fit").read_bytes()[:-20])
    with recorded.raises(DataError):
        kinseq.read(tmp_path / "cut.fit")


def test_fit_names_its_extra_where_fitdecode_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recorded: Recorded
) -> None:
    monkeypatch.setitem(sys.modules, "fitdecode", None)
    (tmp_path / "a.fit").write_bytes(b"\x0e\x20")
    with recorded.raises(ParameterError):
        kinseq.read(tmp_path / "a.fit")


# Speech


def htk(path: Path, values: np.ndarray, kind: int = 9, period: int = 100_000) -> None:
    body = values.astype(">f4").tobytes()
    path.write_bytes(struct.pack(">iiHH", len(values), period, 4 * values.shape[1], kind) + body)


def test_htk_has_the_time_of_its_frames(tmp_path: Path) -> None:
    expected = [RNG.normal(size=(15 + k, 5)).astype(np.float32).astype(float) for k in range(4)]
    for k, values in enumerate(expected):
        htk(tmp_path / f"u{k}.mfc", values)
    read = kinseq.read(tmp_path)
    the_same(read, expected)
    clock = clock_of(read)
    assert clock is not None
    assert clock.step == pytest.approx(0.01)


def test_htk_of_two_bytes_a_number_is_scaled_back(tmp_path: Path) -> None:
    values = RNG.normal(size=(30, 3))
    scale = np.float32(2.0) * 32767 / (values.max(axis=0) - values.min(axis=0)).astype(np.float32)
    shift = ((values.max(axis=0) + values.min(axis=0)) / 2 * scale).astype(np.float32)
    packed = np.round(values * scale - shift).astype(">i2").tobytes()
    scales = scale.astype(">f4").tobytes() + shift.astype(">f4").tobytes()
    (tmp_path / "u.htk").write_bytes(struct.pack(">iiHH", 34, 100_000, 6, 0o2000 | 6) + scales + packed)
    the_same(kinseq.read(tmp_path / "u.htk"), [values], tolerance=1e-4)


def kaldi_text(found: dict[str, np.ndarray]) -> str:
    return "".join(
        f"{name}  [\n" + "\n".join("  " + " ".join(f"{x:.6f}" for x in row) for row in values) + " ]\n"
        for name, values in found.items()
    )


def kaldi_binary(found: dict[str, np.ndarray]) -> bytes:
    return b"".join(
        name.encode()
        + b" \0BFM \4"
        + struct.pack("<i", len(values))
        + b"\4"
        + struct.pack("<i", values.shape[1])
        + values.astype("<f4").tobytes()
        for name, values in found.items()
    )


@pytest.mark.parametrize("name", ["feats.ark", "feats.txt", "binary.ark"])
def test_kaldi_has_an_utterance_a_matrix(name: str, tmp_path: Path) -> None:
    found = {f"spk{k % 2}-utt{k}": RNG.normal(size=(12 + k, 4)).round(4) for k in range(5)}
    if name.startswith("binary"):
        (tmp_path / name).write_bytes(kaldi_binary(found))
    else:
        (tmp_path / name).write_text(kaldi_text(found))
    for path in (tmp_path / name, tmp_path):
        read = kinseq.read(path)
        assert read.ids.tolist() == list(found)
        the_same(read, list(found.values()), tolerance=1e-6)


# Key points


def of_openpose(points: np.ndarray) -> dict[str, Any]:
    people = [{"person_id": [-1], "pose_keypoints_2d": points.reshape(-1).tolist()}] if len(points) else []
    return {"version": 1.3, "people": people}


def of_mediapipe(points: np.ndarray) -> dict[str, Any]:
    return {"pose_landmarks": [{"x": x, "y": y, "z": 0.5, "visibility": v} for x, y, v in points.tolist()]}


@pytest.mark.parametrize("write", [of_openpose, of_mediapipe])
@pytest.mark.parametrize("folders", [False, True])
def test_files_of_key_points_are_frames_of_videos(
    write: Callable[[np.ndarray], dict[str, Any]], folders: bool, tmp_path: Path
) -> None:
    expected = []
    for k in range(3):
        values = RNG.uniform(1.0, 9.0, size=(8 + k, 3, 3)).round(3)
        values[:, :, 2] = 0.9
        expected.append(values)
        for i, points in enumerate(values):
            name = f"{i:012d}_keypoints.json" if folders else f"video{k}_{i:012d}_keypoints.json"
            place = tmp_path / f"video{k}" / name if folders else tmp_path / name
            place.parent.mkdir(exist_ok=True)
            place.write_text(json.dumps(write(points)))
    read = kinseq.read(tmp_path)
    assert read.ids.tolist() == ["video0", "video1", "video2"]
    positions = [values[:, :, :2] for values in expected]
    if write is of_mediapipe:
        positions = [np.concatenate([xy, np.full_like(xy[:, :, :1], 0.5)], axis=2) for xy in positions]
    the_same(read, [xyz.reshape(len(xyz), -1) for xyz in positions])


def test_points_that_are_not_seen_are_missing_and_never_seen_ones_left_out(tmp_path: Path, recorded: Recorded) -> None:
    values = RNG.uniform(1.0, 9.0, size=(10, 3, 3))
    values[:, 1] = 0.0
    values[4, 2] = 0.0
    for i, points in enumerate(values):
        (tmp_path / f"v_{i}.json").write_text(json.dumps(of_openpose(points if i != 6 else points[:0])))
    read = kinseq.read(tmp_path, missing="interpolate")
    assert list(read.provenance["columns"]) == ["point 0_x", "point 0_y", "point 2_x", "point 2_y"]
    np.testing.assert_allclose(read[0][4, 2:], (values[3, 2, :2] + values[5, 2, :2]) / 2)
    np.testing.assert_allclose(read[0][6, :2], (values[5, 0, :2] + values[7, 0, :2]) / 2)
    recorded.within("\n".join(read.notes))
    np.testing.assert_allclose(kinseq.read(tmp_path).values, read.values)
    with pytest.raises(DataError, match="is missing"):
        kinseq.read(tmp_path, rate=4)


# EEG


def test_recordings_and_epochs_of_fif_are_read_by_mne(tmp_path: Path) -> None:
    mne = pytest.importorskip("mne")
    info = mne.create_info(["Fz", "Cz", "STI 014"], 100.0, ["eeg", "eeg", "stim"])
    values = RNG.normal(size=(3, 400)) * 1e-5
    raw = mne.io.RawArray(values, info, verbose="error")
    raw.save(tmp_path / "rest_raw.fif", fmt="double", verbose="error")
    read = kinseq.read(tmp_path / "rest_raw.fif")
    the_same(read, [values[:2].T * 1e6], tolerance=1e-6)
    assert list(read.provenance["columns"]) == ["Fz", "Cz"]
    events = np.array([[40 + 60 * k, 0, 1 + k % 2] for k in range(5)])
    epochs = mne.Epochs(
        raw, events, {"left": 1, "right": 2}, tmin=0, tmax=0.49, baseline=None, preload=True, verbose="error"
    )
    epochs.save(tmp_path / "rest-epo.fif", fmt="double", verbose="error")
    cut = kinseq.read(tmp_path / "rest-epo.fif")
    the_same(cut, [values[:2, 40 + 60 * k : 90 + 60 * k].T * 1e6 for k in range(5)], tolerance=1e-6)
    assert cut.labels is not None
    assert cut.labels.tolist() == ["left", "right", "left", "right", "left"]
    clock = clock_of(cut)
    assert clock is not None
    assert clock.step == pytest.approx(0.01)


def test_eeg_names_its_extra_where_mne_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recorded: Recorded
) -> None:
    monkeypatch.setitem(sys.modules, "mne", None)
    (tmp_path / "a.vhdr").write_text("BrainVision Data Exchange Header File Version 1.0\n")
    with recorded.raises(ParameterError):
        kinseq.read(tmp_path / "a.vhdr")


# What is wrong

BAD: dict[str, tuple[str, str | bytes]] = {
    "bvh without motion": ("a.bvh", "HIERARCHY\nROOT Hips\n{\nCHANNELS 1 Xposition\n}\n"),
    "bvh of another width": ("a.bvh", SKELETON % 1 + "1 2 3\n"),
    "bvh without frames": ("a.bvh", SKELETON % 0),
    "gpx without times": ("a.gpx", gpx({"a": [(1.0, 1.0, 0.0, None)] * 3})),
    "gpx that is no XML": ("a.gpx", "<gpx><trk>"),
    "gpx of a route": ("a.gpx", gpx({})),
    "htk that breaks off": ("a.htk", struct.pack(">iiHH", 10, 100_000, 8, 9) + b"\0" * 40),
    "kaldi that breaks off": ("a.ark", kaldi_text({"u": np.ones((3, 2))})[:-3]),
    "kaldi of uneven rows": ("a.ark", "u [\n 1 2\n 3 ]\n"),
    "kaldi, compressed": ("a.ark", b"u \0BCM " + b"\0" * 60),
    "kaldi of several widths": ("a.ark", kaldi_text({"u": np.ones((3, 2)), "v": np.ones((3, 4))})),
}


@pytest.mark.parametrize("case", BAD)
def test_what_is_damaged_is_refused_in_one_sentence(case: str, tmp_path: Path, recorded: Recorded) -> None:
    name, content = BAD[case]
    (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    with recorded.raises(DataError) as caught:
        kinseq.read(tmp_path / name)
    assert name in str(caught.value)
    assert "\n" not in str(caught.value)
