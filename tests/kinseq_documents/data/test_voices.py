"""Voices made in code: the filter is the one it says, and speakers are what is said of them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.signal import freqz, welch

from kinseq_documents.data import voices
from kinseq_documents.data.registry import make


def speaker(number: int = 0, **changes: object) -> voices.Speaker:
    return voices.Speaker(**{**vars(voices.draw_speaker(1, number)), **changes})  # type: ignore[arg-type]


def test_the_filter_is_resonators_one_after_another() -> None:
    formants, bandwidths = np.array([[500.0, 1500.0, 2500.0], [300.0, 870.0, 2240.0]]), np.array([70.0, 90.0, 130.0])
    frequencies = np.linspace(0.0, voices.RATE / 2, 101)
    found = voices.formant_response(formants, bandwidths, frequencies)
    for line, row in zip(formants, found, strict=True):
        expected = np.ones(len(frequencies))
        for centre, width in zip(line, bandwidths, strict=True):
            r, angle = np.exp(-np.pi * width / voices.RATE), 2 * np.pi * centre / voices.RATE
            poles = [1.0, -2.0 * r * np.cos(angle), r * r]
            expected *= np.abs(freqz([sum(poles)], poles, worN=frequencies, fs=voices.RATE)[1])
        np.testing.assert_allclose(row, expected, rtol=1e-9)
    # A formant above half the rate is absent.
    high = voices.formant_response(np.array([[500.0, 9000.0]]), np.array([70.0, 90.0]), frequencies)
    np.testing.assert_allclose(high, voices.formant_response(np.array([[500.0]]), np.array([70.0]), frequencies))


@pytest.mark.parametrize("vowel", voices.VOWELS)
def test_a_vowel_is_loudest_at_its_formants(vowel: str) -> None:
    word = (voices.Sound(vowel, 0.6),)
    plain = speaker(pitch=100.0, melody=0.0, breath=1.0, tone=0.0, hiss=1e-4, formants=np.ones(5), bandwidth=1.0)
    said = voices.say(word, plain, np.random.default_rng(0))
    f, power = welch(said, voices.RATE, nperseg=512)
    for formant in voices.VOWELS[vowel][:2]:
        near = power[np.abs(f - formant) <= 60.0].max()
        # Between the first two formants and above them there is less.
        assert near > 2.0 * power[np.abs(f - 1.35 * voices.VOWELS[vowel][1]) <= 40.0].min()
    low, high = voices.VOWELS[vowel][:2]
    between = power[(f > low + 0.4 * (high - low)) & (f < high - 0.4 * (high - low))].min()
    assert between < power[np.abs(f - low) <= 60.0].max()


def test_pitch_is_that_of_the_speaker() -> None:
    for pitch in (90.0, 210.0):
        rng = np.random.default_rng(0)
        low = speaker(pitch=pitch, melody=0.0, jitter=0.0, breath=0.0, rate=1.0)
        wanted = voices.tracks((voices.Sound("a", 0.8),), 1.0, rng)
        voice, noise = voices.source(wanted, low, rng)
        middle = voice[len(voice) // 4 : -len(voice) // 4]
        period = voices.RATE / pitch
        # The lag of the largest autocorrelation, up to one and a half periods.
        shifts = np.arange(30, int(1.5 * period))
        alike = [np.corrcoef(middle[:-shift], middle[shift:])[0, 1] for shift in shifts]
        found = voices.RATE / shifts[int(np.argmax(alike))]
        assert found == pytest.approx(pitch, rel=0.1)
        assert not noise.any()


def test_words_are_sound_and_stops_are_silent_first() -> None:
    for number in range(4):
        said = voices.say(voices.draw_word(1, number), voices.draw_speaker(1, number), np.random.default_rng(number))
        assert np.isfinite(said).all()
        assert np.abs(said).max() == pytest.approx(0.5)
        assert 0.3 < len(said) / voices.RATE < 1.6
    wanted = voices.tracks(
        (voices.Sound("a", 0.2), voices.Sound("t", 0.2), voices.Sound("a", 0.2)), 1.0, np.random.default_rng(0)
    )
    quiet = (wanted.voiced == 0.0) & (wanted.noise == 0.0)
    inside = quiet[20:-20]
    assert 20 <= inside.sum() <= 45  # 0.7 of 50 periods, less what the vowels reach into


def test_speakers_say_the_same_words_and_differ() -> None:
    made, tasks = make("v", "voices", {"speakers": 3, "words": 2, "per_speaker": 4, "join": 2}, None, 5)
    assert len(made) == 6
    assert made.n_features == 26
    assert made.labels is not None
    assert made.labels.tolist() == ["000", "000", "001", "001", "002", "002"]
    assert [task.name for task in tasks] == ["000-001", "000-002", "001-002"]
    single, _ = make("v", "voices", {"speakers": 3, "words": 2, "per_speaker": 4}, None, 5)
    np.testing.assert_array_equal(made[0], np.concatenate([single[0], single[1]]))
    # More speakers do not change the others; the second take of a word is different.
    fewer, _ = make("v", "voices", {"speakers": 2, "words": 2, "per_speaker": 4}, None, 5)
    np.testing.assert_array_equal(fewer[3], single[3])
    assert single[0].shape != single[2].shape or not np.array_equal(single[0], single[2])


@pytest.mark.slow
def test_speakers_are_neither_trivial_nor_noise() -> None:
    """A supervised check of the generator: the nearest mean of frames among all other words of 30 speakers."""
    made, _ = make("v", "voices", {"per_speaker": 12, "words": 12}, None, 1)
    means = np.array([frames.mean(axis=0) for frames in made])
    means = (means - means.mean(axis=0)) / means.std(axis=0)
    distance = ((means[:, None] - means) ** 2).sum(axis=-1)
    np.fill_diagonal(distance, np.inf)
    assert made.labels is not None
    right = (made.labels[distance.argmin(axis=1)] == made.labels).mean()
    # Chance is 3 %; recorded words of 30 speakers (Arabic Speech Commands) come to 27 %.
    assert 0.12 < right < 0.5
