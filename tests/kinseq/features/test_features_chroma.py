"""Chroma: that of librosa, in pieces as in one, and notes where they belong."""

from __future__ import annotations

from pathlib import Path

import librosa
import numpy as np
import pytest
import soundfile

from kinseq import api as own
from kinseq.core.errors import DataError, ParameterError
from kinseq.features import registry
from kinseq.features.chroma import Chroma, chroma
from kinseq.options import OPTIONS
from tests.sentences import Recorded

RATE = 16000.0


def notes(*frequencies: float, seconds: float = 1.0, rate: float = RATE) -> np.ndarray:
    time = np.arange(int(seconds * rate)) / rate
    return 0.1 * np.sum([np.sin(2 * np.pi * f * time) for f in frequencies], axis=0)


def test_it_is_that_of_librosa() -> None:
    signal = np.random.default_rng(0).normal(size=12345) + notes(220.0, 330.0)[:12345].sum()
    window, hop, n_fft = Chroma().samples(RATE)
    # librosa puts a window that is shorter than the transform into its middle, which no magnitude depends on.
    frames = librosa.util.frame(signal, frame_length=window, hop_length=hop)
    spectrum = np.abs(np.fft.rfft(frames * librosa.filters.get_window("hann", window)[:, None], n=n_fft, axis=0)) ** 2
    expected = librosa.feature.chroma_stft(S=spectrum, sr=RATE, n_fft=n_fft, tuning=0.0)
    np.testing.assert_allclose(chroma([signal], RATE, Chroma(), "x"), expected.T, rtol=1e-5, atol=1e-7)


def test_pieces_give_the_bits_of_the_whole() -> None:
    signal = np.random.default_rng(1).normal(size=30000)
    whole = chroma([signal], RATE, Chroma(), "x")
    np.testing.assert_array_equal(chroma(np.array_split(signal, 17), RATE, Chroma(), "x"), whole)


@pytest.mark.parametrize("octave", [0.5, 1.0, 2.0])
def test_a_note_is_found_in_every_octave(octave: float) -> None:
    for k, name in enumerate(("C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B")):
        frequency = octave * librosa.note_to_hz(f"{name}4")
        found = chroma([notes(frequency)], RATE, Chroma(), "x")
        assert (found.argmax(axis=1) == k).all()
        np.testing.assert_array_equal(found.max(axis=1), 1.0)


def test_tuning_moves_the_notes() -> None:
    sharp = notes(440.0 * 2 ** (0.4 / 12))
    mistuned, tuned = (chroma([sharp], RATE, Chroma(tuning=t), "x")[:, [8, 10]].sum(axis=1).mean() for t in (0.0, 0.4))
    assert tuned < mistuned


def test_silence_is_zero_and_what_is_short_is_refused(recorded: Recorded) -> None:
    np.testing.assert_array_equal(chroma([np.zeros(8000)], RATE, Chroma(), "x"), 0.0)
    with pytest.raises(DataError, match=r"x: .*window \(0.2 s\)"):
        chroma([np.ones(100)], RATE, Chroma(), "x")
    with recorded.raises(ParameterError):
        Chroma(hop_seconds=0)
    with recorded.raises(ParameterError):
        Chroma(window_seconds=1e-5, hop_seconds=1e-5).samples(RATE)


def test_chords_are_told_apart_by_the_feature_that_is_asked_for(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    chords = {"major": (261.6, 329.6, 392.0), "other": (277.2, 349.2, 415.3)}
    for name, chord in chords.items():
        for i in range(4):
            octaves = np.array(chord) * 2.0 ** rng.integers(-1, 2, size=3)
            signal = notes(*octaves, seconds=0.8, rate=8000.0) + 0.01 * rng.normal(size=6400)
            soundfile.write(tmp_path / f"{name}{i}.wav", signal, 8000)
    found = own.cluster(tmp_path, 2, measure="mean_vector", features="chroma", n_resamples=1)
    assert found.sequences.n_features == 12
    assert len(set(found.labels[:4].tolist())) == 1
    assert set(found.labels[:4].tolist()) != set(found.labels[4:].tolist())


def test_the_command_line_names_every_feature() -> None:
    for name in registry.names():
        assert name in OPTIONS["features"].help
