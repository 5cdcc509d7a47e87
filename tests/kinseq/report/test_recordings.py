"""Recordings on a page: what of them is played, and what their spectrograms show."""

from __future__ import annotations

import base64
import io
import json
import re
from pathlib import Path
from urllib.parse import unquote

import numpy as np
import pytest
import soundfile
from PIL import Image

import kinseq
from kinseq.api.results import Clustering
from kinseq.report import recordings
from kinseq.report.page import to_html
from kinseq.report.recordings import MIN_PLAYED_SECONDS, Recordings, loudest, plan, spectrogram
from kinseq.report.writing import content_of

RATE = 8000
PITCHES = (500.0, 2500.0)
SECONDS = 1.5


def tone(pitch: float, seconds: float, rate: int = RATE) -> np.ndarray:
    return np.asarray(0.3 * np.sin(2 * np.pi * pitch * np.arange(round(seconds * rate)) / rate))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tones of two pitches, louder in their second half."""
    root = tmp_path_factory.mktemp("data") / "birds #1"
    root.mkdir()
    rng = np.random.default_rng(2)
    for i in range(8):
        signal = tone(PITCHES[i % 2] * (1 + 0.01 * i), SECONDS)
        signal[: signal.size // 2] *= 0.1
        soundfile.write(root / f"{i} a.wav", signal + 0.001 * rng.normal(size=signal.size), RATE)
    return root


@pytest.fixture(scope="module")
def found(folder: Path) -> Clustering:
    result = kinseq.cluster(folder, 2, "mean_vector", n_resamples=2)
    assert isinstance(result, Clustering)
    return result


def script_data(page: str) -> dict[str, object]:
    (text,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    return dict(json.loads(text))


def test_all_are_played_where_there_is_room() -> None:
    seconds = np.array([3.0, 9.0, 1.0])
    np.testing.assert_array_equal(plan(seconds, np.array([0, 1, 3]), 13.0), seconds)


def test_all_are_cut_before_one_is_left_out() -> None:
    seconds, ranks = np.array([2.0, 30.0, 60.0, 90.0]), np.array([0, 1, 2, 3])
    given = plan(seconds, ranks, 32.0)
    np.testing.assert_allclose(given, [2.0, 10.0, 10.0, 10.0])
    # With less room for each than that, the last rank is left out first.
    given = plan(seconds, ranks, 2.0 + 2.9 * MIN_PLAYED_SECONDS)
    np.testing.assert_allclose(given, [2.0, 1.45 * MIN_PLAYED_SECONDS, 1.45 * MIN_PLAYED_SECONDS, 0.0])
    assert plan(seconds, ranks, 0.5).tolist() == [0.5, 0.0, 0.0, 0.0]


@pytest.mark.parametrize("room", [0.1, 3.0, 20.0, 77.0, 1e4])
def test_no_plan_needs_more_room_than_there_is(room: float) -> None:
    rng = np.random.default_rng(1)
    seconds, ranks = rng.exponential(5.0, size=50), rng.integers(0, 4, size=50)
    given = plan(seconds, ranks, room)
    assert given.sum() <= room * (1 + 1e-12)
    assert (given <= seconds).all()
    played = given > 0
    # All of a rank are played or none, and better ranks first.
    assert max(ranks[played], default=0) <= min(ranks[~played], default=3)


def test_what_is_cut_is_the_loudest_part() -> None:
    levels = np.full((4, 10), 0.2)
    levels[2, 6:9] = 1.0
    assert loudest(levels, 0.3) == pytest.approx(0.6)
    assert loudest(levels, 0.5) <= 0.5
    assert loudest(None, 0.5) == 0.0


@pytest.mark.parametrize("rate", [8000, 44100])
@pytest.mark.parametrize("seconds", [0.005, 0.3, 40.0])
def test_a_tone_is_a_line_in_its_spectrogram(rate: int, seconds: float, tmp_path: Path) -> None:
    soundfile.write(tmp_path / "tone.wav", tone(2050.0, seconds, rate), rate)
    levels = spectrogram(tmp_path / "tone.wav", 4000.0)
    assert levels.shape[0] == recordings.BANDS
    assert 1 <= levels.shape[1] <= recordings.COLUMNS
    np.testing.assert_allclose(levels.argmax(axis=0), 2050 / 4000 * recordings.BANDS, atol=1.5)
    assert levels.max() == 1.0
    assert levels.min() >= 0.0


def test_frequencies_that_were_not_recorded_are_blank(tmp_path: Path) -> None:
    soundfile.write(tmp_path / "noise.wav", 0.1 * np.random.default_rng(1).normal(size=8000), 8000)
    levels = spectrogram(tmp_path / "noise.wav", 8000.0)
    half = recordings.BANDS // 2
    assert not levels[half:].any()
    assert levels[:half].min() > 0.3


def test_a_page_plays_what_was_recorded(found: Clustering, folder: Path, tmp_path: Path) -> None:
    page = found.report(tmp_path / "page")
    given = script_data(page.read_text(encoding="utf-8"))
    assert given["top"] == "4 kHz"
    assert given["times"] == ["1.5 s"] * 8
    sounds = given["sounds"]
    assert isinstance(sounds, dict)
    assert set(sounds) == {str(item) for item in range(8)}
    for item, (text, said) in sounds.items():
        heard, rate = soundfile.read(io.BytesIO(base64.b64decode(text)))
        assert rate == RATE
        # MP3 is written in frames of 72 ms, and begins with the delay of the encoder.
        assert SECONDS <= len(heard) / rate <= SECONDS + 3 * 576 / rate
        assert said == ""
        peak = np.abs(np.fft.rfft(heard)).argmax() * rate / len(heard)
        assert peak == pytest.approx(PITCHES[int(item) % 2] * (1 + 0.01 * int(item)), rel=0.02)
    beside = str(given["recordings"])
    assert beside.endswith("/birds%20%231/")
    assert (page.parent / unquote(beside)).resolve() == folder.resolve()
    # The lowest frequency is at the bottom.
    image = np.asarray(Image.open(io.BytesIO(base64.b64decode(given["thumbnails"][0]))))  # type: ignore[index]
    dark = image.shape[0] - 1 - int(image.mean(axis=1).argmin())
    assert dark == pytest.approx(PITCHES[0] / 4000 * recordings.BANDS, abs=1.5)


def test_clips_are_cut_where_there_is_little_room(found: Clustering, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recordings, "MIN_PLAYED_SECONDS", 0.5)
    monkeypatch.setattr(recordings, "MAX_SOUND_BYTES", round(8 * 0.7 * recordings.BYTES_A_SECOND * 4 / 3))
    clips = Recordings(content_of(found)).clips()
    assert len(clips) == 8
    assert sum(len(clip.mp3) for clip in clips.values()) < 1.5 * recordings.MAX_SOUND_BYTES
    for clip in clips.values():
        begin = re.fullmatch(r"0.7 s of 1.5 s, from (.*) s on", clip.part)
        assert begin is not None
        assert 0.7 <= float(begin[1]) <= 0.8


def test_recordings_that_are_gone_are_no_error(folder: Path, tmp_path: Path) -> None:
    moved = tmp_path / "moved"
    moved.mkdir()
    for path in folder.iterdir():
        (moved / path.name).write_bytes(path.read_bytes())
    result = kinseq.cluster(moved, 2, "mean_vector", n_resamples=2)
    assert isinstance(result, Clustering)
    (moved / "3 a.wav").write_bytes(b"nothing")
    (moved / "4 a.wav").unlink()
    given = script_data(to_html(content_of(result)))
    assert isinstance(given["sounds"], dict)
    assert set(given["sounds"]) == set("012567")
    for path in moved.iterdir():
        path.unlink()
    given = script_data(to_html(content_of(result)))
    assert given["sounds"] == {}
    assert given["recordings"] is None
    assert given["times"][0].endswith("s")  # type: ignore[index]


def test_tables_have_no_sound() -> None:
    result = kinseq.cluster([np.arange(9.0) + i for i in range(6)], 2, "mean_vector", n_resamples=2)
    assert isinstance(result, Clustering)
    given = script_data(to_html(content_of(result)))
    assert given["sounds"] == {}
    assert given["recordings"] is None
