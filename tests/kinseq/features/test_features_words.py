"""Embeddings of words: what is said where the extra is missing, and the numbers where it is there."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import soundfile

import kinseq
from kinseq import measures
from kinseq.analysis.options import usual_measure
from kinseq.cli import request
from kinseq.core.errors import DataError, ParameterError
from kinseq.features import extract_features, spoken
from kinseq.features.extraction import audio_features
from kinseq.features.registry import get
from kinseq.features.spoken import SAMPLE_RATE_HZ, SpokenRecipe, embeddings
from kinseq.measures.pooled import pooled
from kinseq.report import sections
from kinseq.report.advice import next_steps
from kinseq.report.other_features import heard_by_words
from kinseq.report.writing import content_of
from tests.sentences import Recorded

THERE = all(importlib.util.find_spec(name) for name in ("openwakeword", "onnxruntime"))


@pytest.fixture
def missing(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As if the extra were not installed, whether it is or not."""
    spoken.networks.cache_clear()
    monkeypatch.setattr(spoken, "find_spec", lambda name: None)
    yield
    spoken.networks.cache_clear()


def stand_in(network: str, given: np.ndarray) -> np.ndarray:
    """Shapes as of the networks: levels of 512 samples every 160, and the mean and more of 76 of them."""
    if network == "levels":
        windows = np.lib.stride_tricks.sliding_window_view(given[0], 512)[::160]
        return np.repeat(10.0 * np.log10(np.square(windows).mean(axis=1) + 1e-10)[:, None], 32, axis=1)
    means = given[..., 0].mean(axis=1)
    return np.concatenate([means, means**2, given[:, 0, :, 0]], axis=1)[:, None, None, :]


@pytest.fixture
def networks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Functions in place of the networks, so that all around them is tested wherever they are not."""
    monkeypatch.setattr(spoken, "networks", lambda: ("levels", "embedding"))
    monkeypatch.setattr(spoken, "_run", stand_in)


def syllables(seconds: float, rate: float = SAMPLE_RATE_HZ, pitch: float = 150.0) -> np.ndarray:
    """A voice of harmonics that swells and fades, over a quiet floor."""
    time = np.arange(int(seconds * rate)) / rate
    voice = sum(np.sin(2 * np.pi * k * pitch * time) / k for k in range(1, 8))
    floor = 1e-3 * np.random.default_rng(0).normal(size=len(time))
    return 0.1 * voice * np.sin(2 * np.pi * time) ** 4 + floor


@pytest.mark.usefixtures("missing")
def test_every_door_asks_for_the_extra_before_anything_is_read(tmp_path: Path, recorded: Recorded) -> None:
    soundfile.write(tmp_path / "a.wav", syllables(0.5), int(SAMPLE_RATE_HZ))
    for door in (
        lambda: kinseq.cluster(tmp_path, features="words"),
        lambda: extract_features([tmp_path / "a.wav"], "words"),
        lambda: request.checked({"data": str(tmp_path), "name": "n", "features": "words"}, tmp_path / "results"),
        lambda: embeddings([syllables(0.5)], SAMPLE_RATE_HZ, SpokenRecipe(), "x"),
    ):
        with recorded.raises(ParameterError):
            door()


@pytest.mark.usefixtures("missing")
def test_other_features_do_without_it() -> None:
    assert audio_features("speech").feature == "speech"
    assert get("words").recipe == SpokenRecipe()


@pytest.mark.parametrize("hop", [0.0, 0.005, 0.041, -0.04])
def test_a_hop_is_of_whole_frames(hop: float, recorded: Recorded) -> None:
    with recorded.raises(ParameterError):
        SpokenRecipe(hop_seconds=hop)


def test_what_the_network_fixes_is_refused(recorded: Recorded) -> None:
    with recorded.raises(ParameterError):
        SpokenRecipe(window_seconds=0.5)
    with recorded.raises(ParameterError):
        SpokenRecipe().samples(8000.0)


@pytest.mark.usefixtures("networks")
@pytest.mark.parametrize("seconds", [0.1, 0.3, 1.0, 25.0])
def test_pieces_give_the_bits_of_the_whole(seconds: float) -> None:
    signal = syllables(seconds)
    whole = embeddings([signal], SAMPLE_RATE_HZ, SpokenRecipe(), "x")
    # The first around the first sample, then one every 40 ms; the last needs half a window before the end of the zeros.
    frames = 1 + (len(signal) + 2 * 6080 - 512) // 160
    assert whole.shape == (1 + (frames - 76) // 4, 96)
    np.testing.assert_array_equal(embeddings(np.array_split(signal, 7), SAMPLE_RATE_HZ, SpokenRecipe(), "x"), whole)


@pytest.mark.usefixtures("networks")
def test_what_is_heard_is_of_its_place() -> None:
    """The frames that an embedding sees are those around its time, also beyond the first run of them."""
    signal = syllables(25.0)
    signal[320000:320160] = 0.9
    changed = np.flatnonzero(
        np.any(
            embeddings([signal], SAMPLE_RATE_HZ, SpokenRecipe(), "x")
            != embeddings([syllables(25.0)], SAMPLE_RATE_HZ, SpokenRecipe(), "x"),
            axis=1,
        )
    )
    # 20 s, seen from within half a window of 0.775 s.
    assert abs(changed[0] * 0.04 - (20.0 - 0.3875)) < 0.06
    assert abs(changed[-1] * 0.04 - (20.0 + 0.3875)) < 0.06
    assert (np.diff(changed) == 1).all()


@pytest.mark.usefixtures("networks")
def test_noise_hum_and_what_is_too_short_are_no_words() -> None:
    random = np.random.default_rng(1)
    for level in (
        1e-4 * random.normal(size=16000),
        0.1 * random.normal(size=16000),
        np.sin(np.arange(16000) * 0.02),
    ):
        with pytest.raises(DataError, match=r"x: .*loud .*[0-9.]+ dB"):
            embeddings([level], SAMPLE_RATE_HZ, SpokenRecipe(), "x")
    with pytest.raises(DataError, match=r"x: .*0\.1 s"):
        embeddings([syllables(0.09)], SAMPLE_RATE_HZ, SpokenRecipe(), "x")


@pytest.mark.usefixtures("networks")
def test_a_folder_of_any_rate_is_compared_by_pooled_vectors(tmp_path: Path, recorded: Recorded) -> None:
    for i, rate in enumerate((8000, 16000, 48000, 16000, 44100, 16000)):
        soundfile.write(tmp_path / f"{i}.wav", syllables(0.5 + 0.1 * i, rate, 100.0 + 100.0 * (i % 2)), rate)
    soundfile.write(tmp_path / "noise.wav", 0.1 * np.random.default_rng(2).normal(size=8000), 16000)
    found = kinseq.cluster(tmp_path, 2, features="words", n_resamples=1)
    assert found.views[0].measure.name == "pooled_dtw"
    assert len(found.labels) == 6
    recorded.within("\n".join(found.notes))
    assert not any("transpose" in note for note in found.notes)
    # The means of embeddings are what they are compared by.
    assert not any("between the means" in note for note in found.notes)
    # Recordings at 8000 Hz cover all that the network uses.
    assert not any("hold nothing above" in note for note in found.notes)
    again = kinseq.cluster(
        kinseq.read(tmp_path, features="words", n_jobs=2, cache=tmp_path / "cache"), 2, n_resamples=1, n_jobs=2
    )
    np.testing.assert_array_equal(again.distance, found.distance)
    page = tmp_path / "page"
    found.report(page)
    said = (page / "index.html").read_text(encoding="utf-8")
    recorded.within(said)
    recorded.within(said)


@pytest.mark.usefixtures("networks")
def test_the_page_says_what_was_compared_and_what_words_would_say(tmp_path: Path, recorded: Recorded) -> None:
    data = tmp_path / "data"
    data.mkdir()
    for i in range(8):
        soundfile.write(
            data / f"{i}.wav", syllables(0.5 + 0.02 * i, SAMPLE_RATE_HZ, 100.0 + 400.0 * (i % 2)), int(SAMPLE_RATE_HZ)
        )
    found = kinseq.cluster(data, 2, "mean_vector", n_resamples=1)
    said = heard_by_words(found)
    assert re.fullmatch(
        r"By the features called words, .* 8 of these recordings fall into .* 2 groups \(adjusted .* -?[0-9.]+\)\.",
        said,
    )
    intro = sections.intro(content_of(found))
    recorded.within(intro)
    assert intro.endswith(said)
    (step,) = (one for one in next_steps(content_of(found)) if "short words" in one.what)
    assert "features='words'" in step.command


@pytest.mark.usefixtures("missing")
def test_nothing_is_said_of_words_without_the_extra_or_of_other_data(tmp_path: Path) -> None:
    for i in range(4):
        soundfile.write(
            tmp_path / f"{i}.wav", syllables(0.5, SAMPLE_RATE_HZ, 100.0 + 400.0 * (i % 2)), int(SAMPLE_RATE_HZ)
        )
    found = kinseq.cluster(tmp_path, 2, "mean_vector", n_resamples=1)
    assert heard_by_words(found) == ""
    random = np.random.default_rng(0)
    arrays = [random.normal(size=(9, 2)) + 9 * (i % 2) for i in range(6)]
    assert heard_by_words(kinseq.cluster(arrays, 2, "dtw", n_resamples=1)) == ""


def test_a_measure_that_is_named_is_taken(tmp_path: Path) -> None:
    assert usual_measure(None) == usual_measure("music") == "elastic"
    assert request.measures_of({"features": "speech"}) == ["elastic"]
    assert request.measures_of({"features": "words", "measure": "dtw"}) == ["dtw"]


def test_pooled_is_the_cosine_of_mean_and_maximum() -> None:
    random = np.random.default_rng(3)
    sequences = [random.normal(size=(n, 3)) for n in (1, 4, 7)]
    vectors = np.array([np.r_[frames.mean(axis=0), frames.max(axis=0)] for frames in sequences])
    cosine = vectors @ vectors.T / np.outer(*2 * [np.linalg.norm(vectors, axis=1)])
    distance = pooled(sequences)
    np.testing.assert_allclose(distance, 1.0 - cosine, atol=1e-12)
    # Neither the order of frames nor the size of all counts.
    np.testing.assert_allclose(pooled([5.0 * frames[::-1] for frames in sequences]), distance, atol=1e-12)
    np.testing.assert_array_equal(np.diag(distance), 0.0)
    some = measures.compute("pooled", sequences[:2], sequences, layout="channels_last")
    np.testing.assert_allclose(some, distance[:2], atol=1e-12)


def test_pooled_zeros_are_apart_from_all_else() -> None:
    sequences = [np.zeros((3, 2)), np.ones((4, 2)), np.zeros((5, 2)), 1e200 * np.ones((2, 2))]
    expected = [[0.0, 1.0, 0.0, 1.0], [1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 1.0], [1.0, 0.0, 1.0, 0.0]]
    np.testing.assert_allclose(pooled(sequences), expected, atol=1e-15)


@pytest.mark.skipif(THERE, reason="the extra speech is installed")
def test_the_missing_extra_is_named(recorded: Recorded) -> None:
    with recorded.raises(ParameterError):
        spoken.networks()


@pytest.mark.skipif(not THERE, reason="needs the extra speech; make test-speech installs it")
def test_the_networks_are_asked_in_pieces_and_runs() -> None:
    signal = syllables(1.0)
    found = embeddings([signal], SAMPLE_RATE_HZ, SpokenRecipe(), "x")
    assert found.shape == (25, 96)
    np.testing.assert_array_equal(embeddings(np.array_split(signal, 5), SAMPLE_RATE_HZ, SpokenRecipe(), "x"), found)
    # Windows separately, and levels of the whole at once.
    to_levels, to_embedding = spoken.networks()
    padded = np.pad(signal, 6080)
    levels = spoken._run(to_levels, padded[None] * 32768.0).reshape(-1, 32) / 10.0 + 2.0
    alone = spoken._run(to_embedding, levels[None, 40:116, :, None]).ravel()
    np.testing.assert_allclose(found[10], alone, atol=1e-4)
    assert np.abs(found).mean() > 1.0
