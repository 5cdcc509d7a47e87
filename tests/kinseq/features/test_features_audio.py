"""Audio files: formats, rates, damage, silence, streaming, caching and threads. All recordings are made here."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from kinseq.core.errors import DataError, KinseqError, ParameterError
from kinseq.features import (
    audio_info,
    extract_features,
    extraction,
    mar,
    mfcc,
    normalise,
    read_audio,
    registry,
    stream_audio,
    trim,
)
from kinseq.features.audio import EnergyTrimmer
from kinseq.features.extraction import AudioFeatures, audio_features
from kinseq_documents import fingerprint as prints
from tests.sentences import Recorded

soundfile = pytest.importorskip("soundfile")


def _tone(seconds: float = 0.5, rate: int = 16000, hz: float = 300.0) -> np.ndarray:
    t = np.arange(int(seconds * rate)) / rate
    return 0.3 * np.sin(2 * np.pi * hz * t) * (1.2 + np.sin(7 * t))


def _write(path: Path, signal: np.ndarray, rate: int = 16000, **options: str) -> Path:
    soundfile.write(path, signal, rate, **options)
    return path


def _about_mean(signal: np.ndarray, rate: float = 16000.0) -> np.ndarray:
    """A recording without the offset of the recorder."""
    mean = EnergyTrimmer(rate).feed(signal).mean
    assert mean == pytest.approx(signal.mean(), abs=1e-15)
    return np.asarray(signal - mean)


@pytest.mark.parametrize(
    "suffix, tolerance", [("wav", 2e-4), ("flac", 2e-4), ("ogg", 0.05), ("mp3", 0.05), ("aiff", 2e-4)]
)
def test_formats(tmp_path: Path, suffix: str, tolerance: float) -> None:
    signal = _tone()
    path = _write(tmp_path / f"ä b.{suffix}", signal)
    found, rate = read_audio(path)
    assert rate == 16000.0
    assert abs(len(found) - len(signal)) <= (0 if suffix != "mp3" else 2400)
    n = min(len(found), len(signal))
    np.testing.assert_allclose(found[:n], signal[:n], atol=tolerance)
    assert audio_info(path).seconds == pytest.approx(0.5, abs=0.15 if suffix == "mp3" else 1e-9)


def test_stereo_is_mixed_down_to_the_mean(tmp_path: Path) -> None:
    left, right = _tone(hz=300), _tone(hz=500)
    path = _write(tmp_path / "a.wav", np.column_stack([left, right]), subtype="DOUBLE")
    np.testing.assert_allclose(read_audio(path)[0], (left + right) / 2, atol=1e-15)
    assert audio_info(path).channels == 2


@pytest.mark.parametrize("rate", [8000, 22050, 44100, 48000])
def test_rates_are_brought_together(tmp_path: Path, rate: int) -> None:
    path = _write(tmp_path / "a.wav", _tone(1.0, rate), rate, subtype="DOUBLE")
    found, got = read_audio(path, 16000)
    assert got == 16000.0
    assert len(found) == 16000
    np.testing.assert_allclose(found[500:-500], _tone(1.0, 16000)[500:-500], atol=1e-4)


def test_resampling_in_blocks_is_that_of_librosa(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    librosa = pytest.importorskip("librosa")
    signal = np.random.default_rng(0).normal(size=44100) * 0.1
    path = _write(tmp_path / "a.wav", signal, 44100, subtype="DOUBLE")
    whole = read_audio(path, 16000)[0]
    assert np.array_equal(whole, librosa.resample(signal, orig_sr=44100, target_sr=16000))
    monkeypatch.setattr("kinseq.features.audio._BLOCK_FRAMES", 1000)
    pieces = list(stream_audio(path, 16000))
    assert len(pieces) > 10
    assert np.array_equal(np.concatenate(pieces), whole)


@pytest.mark.parametrize("settings", [{}, {"trim": 30.0}, {"features": "music"}, {"normalise": "mean_variance"}])
def test_a_long_file_in_blocks_has_the_features_of_the_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: dict[str, object]
) -> None:
    rng = np.random.default_rng(1)
    signal = rng.normal(size=30 * 11025) * 0.1
    signal[:20000] *= 1e-4
    signal[-9000:] *= 1e-4
    path = _write(tmp_path / "a.wav", signal, 11025, subtype="DOUBLE")
    (whole, _), rate = extract_features([path], sample_rate=8000, **settings), 8000.0
    monkeypatch.setattr("kinseq.features.audio._BLOCK_FRAMES", 1777)
    monkeypatch.setattr("kinseq.features.extraction._KEEP_SAMPLES", 5000)
    (blocks, _) = extract_features([path], sample_rate=8000, **settings)
    assert np.array_equal(blocks.values, whole.values)
    samples = _about_mean(read_audio(path, rate)[0], rate)
    if "trim" in settings:
        samples = trim(samples, rate, 30.0)[0]
        assert 30 * 8000 - 29000 * 8000 / 11025 < len(samples) < 30 * 8000 - 19000
    expected = mfcc(samples, rate, settings.get("features", "speech"))  # type: ignore[arg-type]
    if "normalise" in settings:
        expected = normalise(expected, "mean_variance")
    assert np.array_equal(whole.values, expected)


def test_music_mar_is_mar_of_the_music_frames(tmp_path: Path) -> None:
    signal = np.random.default_rng(2).normal(size=22050 * 5) * 0.1
    path = _write(tmp_path / "a.wav", signal, 22050, subtype="DOUBLE")
    sequences, notes = extract_features([path], "music_mar")
    assert notes == []
    frames = mfcc(_about_mean(signal, 22050), 22050, "music")
    assert np.array_equal(sequences.values, mar(frames, frame_period=331 / 22050))
    assert sequences.values.shape == (4, 135)


def test_trim_keeps_what_is_loud() -> None:
    signal = np.zeros(16000)
    signal[4000:8000] = _tone(0.25)
    part, (start, stop) = trim(signal, 16000, margin=0.0)
    assert 4000 - 400 < start <= 4000
    assert 8000 <= stop < 8000 + 400
    assert np.array_equal(part, signal[start:stop])
    wide = trim(signal + 0.2, 16000, margin=0.1)[1]  # a constant offset is not sound
    assert wide == (start - 1600, stop + 1600)
    assert trim(_tone(), 16000, margin=10.0)[1] == (0, 8000)
    with pytest.raises(DataError, match="silent"):
        trim(np.full(1000, 0.5), 16000)
    with pytest.raises(ParameterError, match="threshold is -1"):
        trim(signal, 16000, threshold=-1)


def _damaged(folder: Path) -> dict[str, str]:
    """Files that cannot be used, with a part of the sentence that says why."""
    tone = _tone(1.0)
    for name, kind in (("cut.wav", "WAV"), ("cut.flac", "FLAC"), ("cut.ogg", "OGG"), ("cut.mp3", "MP3")):
        content = _write(folder / name, tone, format=kind).read_bytes()
        (folder / name).write_bytes(content[: len(content) // 2])
    (folder / "empty.wav").write_bytes(b"")
    (folder / "text.wav").write_text("this is no audio")
    (folder / "text.mp3").write_text("this is no audio " * 200)
    (folder / "phone.m4a").write_bytes(bytes(range(256)))
    _write(folder / "none.wav", np.zeros(0))
    _write(folder / "zero.wav", np.zeros(16000))
    _write(folder / "offset.wav", np.full(16000, 0.25))
    _write(folder / "short.wav", tone[:100])
    hole = tone.copy()
    hole[77] = np.nan
    _write(folder / "nan.wav", hole, subtype="FLOAT")
    return {
        "cut.flac": "cannot be read as audio",
        "cut.mp3": "is cut short",
        "cut.ogg": "leave it out",
        "cut.wav": "is cut short",
        "empty.wav": "is empty",
        "nan.wav": "sample 77 is nan",
        "none.wav": "holds no sample",
        "offset.wav": "is silent",
        "phone.m4a": "convert it to WAV",
        "short.wav": "shorter than one analysis window",
        "text.mp3": "cannot be read as audio",
        "text.wav": "cannot be read as audio",
        "zero.wav": "is silent",
    }


@pytest.mark.parametrize("jobs", [1, 3])
def test_damaged_files_are_named_and_skipped(tmp_path: Path, jobs: int) -> None:
    damaged = _damaged(tmp_path)
    good = [_write(tmp_path / f"good {i}.wav", _tone(0.5 + i / 10)) for i in range(3)]
    paths = sorted(tmp_path.iterdir())
    sequences, notes = extract_features(paths, ids=[path.name for path in paths], n_jobs=jobs)
    assert sequences.ids.tolist() == [path.name for path in good]
    assert sequences.provenance["skipped"] == len(damaged)
    for name, reason in damaged.items():
        (note,) = [note for note in notes if note.startswith(f"skipped {name}: ")]
        assert reason in note, note
        assert str(tmp_path) not in note
    for i, path in enumerate(good):
        assert np.array_equal(sequences[i], mfcc(_about_mean(read_audio(path)[0]), 16000))


def test_damaged_files_are_refused_if_asked(tmp_path: Path, recorded: Recorded) -> None:
    damaged = _damaged(tmp_path)
    good = _write(tmp_path / "good.wav", _tone())
    for name, reason in damaged.items():
        for jobs in (1, 2):
            with pytest.raises(DataError, match=f"{name}.*{reason}"):
                extract_features([good, tmp_path / name], on_bad_file="refuse", n_jobs=jobs)
    with recorded.raises(DataError):
        extract_features([tmp_path / "empty.wav"])
    with recorded.raises(DataError):
        audio_info(tmp_path / "nowhere.wav")
    with pytest.raises(DataError, match="is a folder"):
        read_audio(tmp_path)


def test_an_unfinished_stream_of_unknown_length_is_read(tmp_path: Path) -> None:
    path = _write(tmp_path / "a.wav", _tone())
    content = bytearray(path.read_bytes())
    content[4:8] = content[40:44] = b"\xff\xff\xff\xff"
    path.write_bytes(bytes(content))
    assert len(read_audio(path)[0]) == 8000


def test_the_common_rate_is_the_lowest_within_bounds(tmp_path: Path, recorded: Recorded) -> None:
    def rate_of(*rates: int, **settings: object) -> tuple[float, list[str]]:
        paths = [_write(tmp_path / f"{rate}.wav", _tone(1.0, rate), rate) for rate in rates]
        sequences, notes = extract_features(paths, **settings)  # type: ignore[arg-type]
        return float(sequences.provenance["features"]["sample_rate"]), notes

    assert rate_of(44100, 48000)[0] == 16000.0
    assert rate_of(44100, features="music")[0] == 22050.0
    assert rate_of(44100, sample_rate=44100)[0] == 44100.0
    assert rate_of(4000, 16000)[0] == 8000.0
    rate, notes = rate_of(11025, 16000)
    assert rate == 11025.0
    recorded(notes)


def test_the_cache_gives_the_same_numbers_and_notices_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = _write(tmp_path / "a.wav", _tone())
    cache = tmp_path / "cache"
    calls = []

    def counted(*arguments):  # type: ignore[no-untyped-def]
        calls.append(arguments)
        return original(*arguments)

    from kinseq.features import extraction

    original = extraction.features_of_file
    monkeypatch.setattr(extraction, "features_of_file", counted)

    def values(**settings: object) -> np.ndarray:
        return extract_features([path], cache=cache, **settings)[0].values  # type: ignore[arg-type]

    first = values()
    assert np.array_equal(values(), first)
    assert len(calls) == 1
    path.rename(tmp_path / "b.wav")  # the content counts, not the name
    path = tmp_path / "b.wav"
    assert np.array_equal(values(), first)
    assert len(calls) == 1
    assert not np.array_equal(values(normalise="mean"), first)
    assert values(features={"n_mels": 30}).shape == first.shape
    assert len(calls) == 3
    (entry,) = [file for file in cache.rglob("*.npy") if np.array_equal(np.load(file), first)]
    entry.write_bytes(b"damaged")
    assert np.array_equal(values(), first)
    assert len(calls) == 4
    _write(path, _tone(hz=900))
    assert not np.array_equal(values(), first)
    monkeypatch.setattr(extraction, "code_stamp", lambda: "another version")
    values()
    assert len(calls) == 6


def test_a_cache_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    path = _write(tmp_path / "a.wav", _tone())
    (tmp_path / "cache").write_text("a file where a folder is needed")
    with pytest.raises(KinseqError, match="cache"):
        extract_features([path], cache=tmp_path / "cache")


def test_progress_names_the_stage(tmp_path: Path, capsys: pytest.CaptureFixture[str], recorded: Recorded) -> None:
    paths = [_write(tmp_path / f"{i}.wav", _tone()) for i in range(3)]
    extract_features(paths, progress=True, name="words", n_jobs=2)
    recorded.within(capsys.readouterr().err)
    extract_features(paths)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    "settings",
    [
        {"features": "speach"},
        {"features": {"recipe": "music", "n_melz": 3}},
        {"normalise": "var"},
        {"sample_rate": -1},
        {"sample_rate": "16k"},
        {"trim": 0},
        {"on_bad_file": "ignore"},
        {"n_jobs": 0},
        {"features": {"mar": True, "mar_order": 0}},
    ],
)
def test_bad_settings_are_refused(tmp_path: Path, settings: dict[str, object], recorded: Recorded) -> None:
    path = _write(tmp_path / "a.wav", _tone())
    with recorded.raises(ParameterError):
        extract_features([path], **settings)  # type: ignore[arg-type]


def test_settings_are_merged(recorded: Recorded) -> None:
    settings = audio_features({"recipe": "music", "n_mels": 40, "trim": 20.0}, sample_rate=8000, trim=None)
    assert (settings.recipe.n_mels, settings.recipe.n_mfcc) == (40, 7)
    assert (settings.trim, settings.sample_rate, settings.highest_rate) == (20.0, 8000, 22050.0)
    assert audio_features(settings) == settings
    with recorded.raises(DataError):
        extract_features([])
    with pytest.raises(DataError, match=r"2 ids .*1 files"):
        extract_features(["a.wav"], ids=["a", "b"])


def test_features_are_registered(recorded: Recorded) -> None:
    assert {"speech", "music", "music_mar"} <= set(registry.names())
    for name in registry.names():
        feature = registry.get(name)
        assert feature.name == name
        length, hop = feature.recipe.samples(16000.0)[:2]
        assert length >= hop >= 1
        if feature.ready is not None:
            # With an optional package, and for words alone: test_features_words.py.
            assert name == "words"
            continue
        settings = audio_features(name)
        assert settings.feature == name
        assert settings.recipe == feature.recipe
        tone, rate = 0.1 * np.sin(np.arange(16000) / 7.0), 250000.0 if name == "ultrasound" else 16000.0
        frames = feature.function(np.split(tone, [100, 5000]), rate, feature.recipe, "tone")
        assert frames.ndim == 2
        assert np.isfinite(frames).all()
    with recorded.raises(ParameterError):
        audio_features("speach")
    with recorded.raises(ParameterError):
        AudioFeatures(registry.get("speech").recipe, feature="speach")


def test_the_stamp_of_the_cache_covers_everything_that_features_are_computed_with() -> None:
    everything = {module for name in registry.names() for module in prints.closure([registry.modules()[name].module])}
    assert len(everything) > 10
    for module in everything | set(prints.closure(["kinseq.features.extraction"])):
        assert module == "kinseq" or module.startswith(extraction.CODE)


def test_the_stamp_of_the_cache_changes_with_the_sources_and_with_the_packages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "computing").mkdir()
    source = tmp_path / "computing" / "helper.py"
    monkeypatch.setattr(extraction, "CODE", ("computing",))
    monkeypatch.setitem(sys.modules, "computing", SimpleNamespace(__path__=[str(tmp_path / "computing")]))

    def stamp() -> str:
        extraction.code_stamp.cache_clear()
        return extraction.code_stamp()

    stamps = [stamp()]
    for text in ("x = 1", "x = 2"):
        source.write_text(text)
        stamps += [stamp()]
    monkeypatch.setattr(extraction, "version", lambda package: "another")
    stamps += [stamp()]
    extraction.code_stamp.cache_clear()
    assert len(set(stamps)) == 4
