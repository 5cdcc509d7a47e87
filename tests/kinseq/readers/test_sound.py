"""Recordings as people have them: ultrasound, low sound, offsets, clicks, long ones. All are made here."""

from __future__ import annotations

import io
import shlex
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kinseq
from kinseq.analysis.verdict import in_words
from kinseq.cli.console import parser
from kinseq.cli.request import checked, from_texts
from kinseq.comparing.run import compare
from kinseq.core.errors import DataError, ParameterError
from kinseq.core.progress import waiting
from kinseq.features import audio, extraction, mfcc, read_audio
from kinseq.features.audio import Excerpt, in_band, power_above, stream_audio
from kinseq.features.column_names import column_labels
from kinseq.features.extraction import AS_WRITTEN, extract_features
from kinseq.features.properties import properties
from kinseq.options import OPTIONS, command_of
from kinseq_documents.data.genres import load as load_genres
from tests.reading import read_folder
from tests.sentences import Recorded

soundfile = pytest.importorskip("soundfile")


def _tone(hz: float, seconds: float, rate: int, level: float = 0.3) -> np.ndarray:
    time = np.arange(round(seconds * rate)) / rate
    return np.asarray(level * np.sin(2 * np.pi * hz * time) * np.hanning(len(time)) ** 0.25)


def _folder(
    where: Path, hertz: list[float], rate: int, seconds: float = 0.4, offset: float = 0.0, copies: int = 4
) -> Path:
    """Recordings of tones with a little noise; of every second one the zero is shifted by `offset`."""
    where.mkdir()
    rng = np.random.default_rng(7)
    for number, hz in enumerate(hertz * copies):
        sound = _tone(hz * rng.uniform(0.99, 1.01), seconds, rate) + 0.002 * rng.normal(size=round(seconds * rate))
        soundfile.write(where / f"r{number:02d}.wav", sound + offset * (number % 2), rate, subtype="FLOAT")
    return where


def test_the_share_of_power_above_a_frequency(tmp_path: Path) -> None:
    rate = 48000
    both = _tone(2000, 1.0, rate, 0.2) + _tone(15000, 1.0, rate, 0.4)
    soundfile.write(tmp_path / "a.wav", both + 0.3, rate, subtype="FLOAT")
    part = Excerpt(tmp_path / "a.wav")
    # Powers are as the squares of the levels, and an offset is no power.
    assert power_above(part, 8000.0) == pytest.approx(0.8, abs=0.01)
    assert power_above(part, 1000.0) == pytest.approx(1.0, abs=0.01)
    assert power_above(part, 20000.0) == pytest.approx(0.0, abs=0.01)
    assert power_above(part, 24001.0) == 0.0
    soundfile.write(tmp_path / "click.wav", both[:900], rate, subtype="FLOAT")
    assert power_above(Excerpt(tmp_path / "click.wav"), 8000.0) == pytest.approx(0.8, abs=0.05)


def test_the_rate_follows_the_power(tmp_path: Path) -> None:
    read, notes = read_folder(_folder(tmp_path / "bats", [40e3, 60e3, 80e3], 250_000))
    assert read.provenance["features"]["sample_rate"] == 250_000.0
    assert any("250000 Hz" in note and "100%" in note for note in notes)
    window = read.provenance["features"]["recipe"]["window_seconds"]
    # As many samples as at 48 000 Hz.
    assert window == pytest.approx(0.025 * 48 / 250)
    assert read.provenance["clock"]["step"] == pytest.approx(0.010 * 48 / 250, rel=1e-2)
    birds, none = read_folder(_folder(tmp_path / "birds", [3e3, 4e3], 44_100))
    assert birds.provenance["features"]["sample_rate"] == 16_000.0
    assert birds.provenance["features"]["recipe"]["window_seconds"] == 0.025
    assert not any("power" in note for note in none)


def test_lost_power_is_told_where_the_rate_cannot_follow(tmp_path: Path) -> None:
    folder = _folder(tmp_path / "both", [12e3, 13e3], 44_100)
    soundfile.write(folder / "slow.wav", _tone(3e3, 0.4, 16_000), 16_000)
    read, notes = read_folder(folder)
    assert read.provenance["features"]["sample_rate"] == 16_000.0
    (note,) = [note for note in notes if "power" in note]
    assert "8 of 9 recordings" in note
    (folder / "slow.wav").unlink()
    _, notes = read_folder(folder, sample_rate=16_000)
    assert any("sample_rate=44100" in note for note in notes)


@pytest.mark.parametrize("features", ["speech", "music", "chroma", "plp", "several"])
def test_an_offset_of_the_recorder_changes_no_feature(tmp_path: Path, features: str) -> None:
    plain, _ = read_folder(_folder(tmp_path / "plain", [1500.0, 2500.0], 16_000), features=features)
    shifted, _ = read_folder(_folder(tmp_path / "shifted", [1500.0, 2500.0], 16_000, offset=0.05), features=features)
    np.testing.assert_allclose(shifted.values, plain.values, atol=1e-3 * np.abs(plain.values).max())


def test_features_of_published_experiments_are_their_recipe_and_nothing_else(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    for genre in ("calm", "loud"):
        (tmp_path / genre).mkdir()
        for number in range(2):
            noise = rng.normal(size=44_100) * 0.1 + 0.05
            soundfile.write(tmp_path / genre / f"{number}.wav", noise, 44_100, subtype="FLOAT")
    read = load_genres(tmp_path, "genres", [], None, "none", "music")
    raw = [read_audio(tmp_path / entry, 22_050)[0] for entry in read.ids.tolist()]
    assert np.array_equal(read.values, np.concatenate([mfcc(samples, 22_050, "music") for samples in raw]))
    exactly, notes = extract_features([tmp_path / "calm" / "0.wav"], {"recipe": "speech", **AS_WRITTEN})
    assert np.array_equal(exactly.values, mfcc(read_audio(tmp_path / "calm" / "0.wav", 16_000)[0], 16_000))
    assert notes == []


@pytest.mark.parametrize("rate, seconds", [(500, 20.0), (100, 100.0), (20, 400.0)])
def test_low_sound_is_read_with_long_windows(tmp_path: Path, rate: int, seconds: float) -> None:
    read, notes = read_folder(_folder(tmp_path / "whales", [0.1 * rate, 0.3 * rate], rate, seconds))
    assert read.provenance["features"]["sample_rate"] == rate
    assert read.provenance["features"]["recipe"]["window_seconds"] == pytest.approx(200 / rate)
    assert any("windows of" in note and "window_seconds=" in note for note in notes)
    for how in ({"window_seconds": 400 / rate}, {"features": "low_sound"}):
        other, _ = read_folder(tmp_path / "whales", **how)
        assert other.provenance["features"]["sample_rate"] == rate
    # Both pitches are distinguished by all columns together.
    means = np.array([frames.mean(axis=0) for frames in read])
    apart = np.linalg.norm(means[::2].mean(axis=0) - means[1::2].mean(axis=0))
    assert apart > 3.0 * np.linalg.norm(means[::2].std(axis=0))


@pytest.mark.parametrize("milliseconds", [20, 30])
def test_clicks_get_windows_that_suit_them(tmp_path: Path, milliseconds: int, recorded: Recorded) -> None:
    folder = _folder(tmp_path / "clicks", [2e3, 4e3, 6e3], 44_100, milliseconds / 1000)
    read, notes = read_folder(folder)
    assert (read.lengths >= 4).all()
    assert any("window_seconds=" in note for note in notes)
    by_hand, _ = read_folder(folder, window_seconds=0.004)
    recipe = by_hand.provenance["features"]["recipe"]
    assert (recipe["window_seconds"], recipe["hop_seconds"]) == pytest.approx((0.004, 0.0016))
    with pytest.raises(DataError, match=r"window_seconds=0\.01"):
        read_folder(folder, window_seconds=0.05)
    with recorded.raises(DataError):
        kinseq.cluster(folder, window_seconds=milliseconds / 1000 - 1e-4)
    with pytest.raises(ParameterError, match="window_seconds"):
        read_folder(folder, window_seconds=-1.0)


def _mp3_in_wav(signal: np.ndarray, rate: int) -> bytes:
    """MP3 of variable bit rate inside WAV, without the frame that tells how many samples there are."""
    out = io.BytesIO()
    soundfile.write(out, signal, rate, format="MP3", bitrate_mode="VARIABLE")
    data = out.getvalue()
    frames = data[data.index(data[:2], 4) :]
    layout = struct.pack("<HHIIHHHHIHHH", 0x55, 1, rate, 8000, 1, 0, 12, 1, 2, 417, 1, 1393)
    chunks = b"fmt " + struct.pack("<I", len(layout)) + layout + b"fact" + struct.pack("<II", 4, len(signal))
    chunks += b"data" + struct.pack("<I", len(frames)) + frames
    return b"RIFF" + struct.pack("<I", len(chunks) + 4) + b"WAVE" + chunks


def test_mp3_inside_wav_is_read_and_a_cut_one_refused(tmp_path: Path) -> None:
    rate, rng = 22_050, np.random.default_rng(3)
    signal = np.concatenate([np.zeros(rate), 0.2 * rng.normal(size=2 * rate)])
    whole = _mp3_in_wav(signal, rate)
    (tmp_path / "a.wav").write_bytes(whole)
    # The decoder's guess is too large, based on the first, quiet frame.
    samples = read_audio(tmp_path / "a.wav")[0]
    assert soundfile.info(tmp_path / "a.wav").frames > 1.2 * len(samples)
    assert len(samples) == pytest.approx(len(signal), abs=4000)
    (tmp_path / "cut.wav").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DataError, match="cut short"):
        read_audio(tmp_path / "cut.wav")


def test_parts_of_mp3_are_those_of_the_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rate, path = 22_050, tmp_path / "a.mp3"
    sound = 0.2 * np.random.default_rng(3).normal(size=4 * rate)
    soundfile.write(path, sound, rate, format="MP3", bitrate_mode="CONSTANT", compression_level=0.9)
    whole = soundfile.read(path)[0]
    for start in (0.5, 1.13, 1.7, 2.57, 3.1):
        first = int(start * rate + 0.5)
        part = np.concatenate([*stream_audio(path, None, start, start + 0.5)])
        np.testing.assert_allclose(part, whole[first : first + len(part)], atol=1e-5)
    monkeypatch.setattr(audio, "_BLOCK_FRAMES", 5000)
    np.testing.assert_allclose(read_audio(path)[0], whole, atol=1e-5)


def test_mp3_that_its_decoder_gives_up_is_no_short_recording(tmp_path: Path, recorded: Recorded) -> None:
    # A loud beginning has large frames, from which the guess is too small.
    sound = np.concatenate([0.2 * np.random.default_rng(3).normal(size=22_050), np.zeros(5 * 22_050)])
    (tmp_path / "a.wav").write_bytes(_mp3_in_wav(sound, 22_050))
    with recorded.raises(DataError):
        read_audio(tmp_path / "a.wav")


def test_columns_of_recordings_have_one_name(tmp_path: Path, recorded: Recorded) -> None:
    read, _ = read_folder(_folder(tmp_path / "birds", [2e3, 3e3], 16_000))
    names = column_labels(read)
    assert names[:2] == ["coefficient 1", "coefficient 2"]
    assert names[12:14] == ["energy", "change of coefficient 1"]
    assert "spread of coefficient 12" in properties(read).names
    found = kinseq.cluster(read, n_clusters=2, measure="properties", params={"only": ["level of coefficient 3"]})
    sighting = type("Sighting", (), {"by_property": True, "name": "spread of coefficient 3"})()
    recorded(in_words(sighting))
    assert not any("column" in sentence for sentence in found.explain()["sentence"])
    for features, first in (("plp", "coefficient 1"), ("chroma", "note C"), ("several", "mfcc coefficient 1")):
        read, _ = read_folder(tmp_path / "birds", features=features)
        assert column_labels(read)[0] == first


def test_two_kinds_of_bats_are_told_apart_by_compare(tmp_path: Path) -> None:
    a = _folder(tmp_path / "a", [40e3], 250_000, copies=8)
    b = _folder(tmp_path / "b", [80e3], 250_000, copies=8)
    found = compare(a, b)
    assert min(estimate.p_value for estimate in found.comparison.estimates if estimate.p_value is not None) < 0.05
    assert any("250000 Hz" in note for note in found.notes)


def test_both_samples_of_a_comparison_have_one_rate_and_one_window(tmp_path: Path, recorded: Recorded) -> None:
    a = _folder(tmp_path / "a", [12e3], 44_100, copies=8)
    b = _folder(tmp_path / "b", [3e3], 44_100, seconds=0.08, copies=8)
    found = compare(a, b)
    # The power of A requires B's rate, and the clicks of B short windows.
    recorded.within("\n".join(found.notes))
    said = compare(a, b, sample_rate=44_100, window_seconds=0.01)
    assert "sample_rate=44100" in said.content.call
    with recorded.raises(ParameterError):
        compare(np.zeros((20, 2)), np.ones((20, 2)), sample_rate=8000)


def test_long_recordings_are_averaged_and_new_ones_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = _folder(tmp_path / "long", [1500.0, 2500.0], 16_000, seconds=3.0)
    whole, _ = read_folder(folder)
    monkeypatch.setattr(extraction, "LONG_FRAMES", 600)
    monkeypatch.setattr(extraction, "LEAST_FRAMES", 60)
    read, notes = read_folder(folder)
    # 8 times 298 frames are 4 times the limit.
    assert read.provenance["features"]["average"] == 4
    assert any("every 4 frames" in note for note in notes)
    np.testing.assert_allclose(read[0][0], whole[0][:4].mean(axis=0))
    assert read.provenance["clock"]["step"] == pytest.approx(0.04)
    found = kinseq.cluster(folder, n_clusters=2)
    new = tmp_path / "new"
    new.mkdir()
    for name in ("r00.wav", "r01.wav"):
        (new / name).write_bytes((folder / name).read_bytes())
    # Two recordings alone would not have been averaged.
    assert found.predict(new).tolist() == found.labels[:2].tolist()
    assert extraction.frames_to_average([3.0, 3.0], extraction.audio_features("speech").at(16_000)) == 1


def test_the_rate_and_the_windows_are_options_of_the_commands(tmp_path: Path) -> None:
    folder = _folder(tmp_path / "bats", [40e3], 250_000)
    line = ["cluster", str(folder), "--sample-rate", "96000", "--window", "0.01", "--hop", "0.005"]
    options = parser().parse_args(line)
    typed = {name: text for name in OPTIONS if (text := getattr(options, name, None)) is not None}
    own = checked(from_texts(typed), tmp_path / "results")
    assert {own[key] for key in ("sample_rate", "window_seconds", "hop_seconds")} == {96000.0, 0.01, 0.005}
    assert parser().parse_args(shlex.split(command_of("cluster", own))[1:]).sample_rate == "96000"
    read, _ = read_folder(folder, sample_rate=96000, window_seconds=0.01, hop_seconds=0.005)
    assert read.provenance["features"]["recipe"]["hop_seconds"] == 0.005
    with pytest.raises(ParameterError, match="--window is 'x'"):
        from_texts({"data": str(folder), "window_seconds": "x"})
    for name in ("ultrasound", "low_sound"):
        preset, _ = read_folder(folder, features=name)
        assert preset.n_features == 26
    assert preset.provenance["features"]["sample_rate"] == 2000.0
    with pytest.raises(DataError, match="ultrasound"):
        read_folder(_folder(tmp_path / "birds", [3e3], 16_000), features="ultrasound")


def test_tables_have_no_windows(tmp_path: Path, recorded: Recorded) -> None:
    (tmp_path / "a.csv").write_text("x\n1\n2\n")
    (tmp_path / "b.csv").write_text("x\n1\n3\n")
    for how in ({"window_seconds": 0.1}, {"hop_seconds": 0.1}):
        with recorded.raises(ParameterError):
            read_folder(tmp_path, **how)


def test_a_band_is_kept_and_the_rest_removed() -> None:
    rate = 16_000
    low, high = _tone(500, 0.5, rate), _tone(4000, 0.5, rate)
    for edges, kept in (((2000.0, np.inf), high), ((0.0, 2000.0), low), ((3000.0, 5000.0), high)):
        np.testing.assert_allclose(in_band(low + high, rate, *edges), kept, atol=0.01)
    assert np.array_equal(in_band(low, rate, 0.0, np.inf), low)


def test_a_stage_without_steps_says_that_it_goes_on() -> None:
    import time

    out: Any = io.StringIO()
    with waiting("compare", every=0.05, out=out):
        time.sleep(0.3)
    assert out.getvalue().count("compare: 0 s so far") >= 2
    quiet: Any = io.StringIO()
    with waiting(None, every=0.01, out=quiet):
        time.sleep(0.05)
    assert quiet.getvalue() == ""
