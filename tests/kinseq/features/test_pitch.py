"""Pitch of recordings: tones from end to end of the range, noises that have none, pieces."""

import numpy as np
import pytest
from scipy.signal import sosfilt

from kinseq.features.pitch import MIN_PITCH_HZ, PitchMeter

RATE = 16000
TIME = np.arange(RATE) / RATE


def pitch(signal, rate=RATE):
    return PitchMeter(rate).feed(signal).pitch


@pytest.mark.parametrize("hertz", [65, 100, 233, 440, 1000, 2000, 3000, 5000, 6000])
@pytest.mark.parametrize("rate", [RATE, 44100])
def test_tones_have_their_pitch_pure_or_rich(hertz, rate):
    time = np.arange(rate) / rate
    noise = 0.01 * np.random.default_rng(0).normal(size=rate)
    orders = np.arange(1, max(2, min(20, int(0.4 * rate / hertz))))
    rich = (np.sin(2 * np.pi * hertz * np.outer(orders, time) + orders[:, None]) / orders[:, None]).sum(axis=0)
    assert pitch(np.sin(2 * np.pi * hertz * time) + noise, rate) == pytest.approx(hertz, rel=0.005)
    assert pitch(rich + noise, rate) == pytest.approx(hertz, rel=0.005)


def test_a_fundamental_that_is_missing_is_heard():
    sound = sum(np.sin(2 * np.pi * 150 * k * TIME) for k in (3, 4, 5, 6))
    assert pitch(sound) == pytest.approx(150, rel=0.005)


def test_noise_drifts_and_clicks_have_none():
    rng = np.random.default_rng(1)
    for _ in range(20):
        white = rng.normal(size=RATE)
        assert np.isnan(pitch(white))
        assert np.isnan(pitch(np.cumsum(white)))
        # A band of 200 Hz around 2 kHz, by two poles.
        turn, radius = 2 * np.pi * 2000 / RATE, np.exp(-np.pi * 200 / RATE)
        assert np.isnan(pitch(sosfilt([[1, 0, 0, 1, -2 * radius * np.cos(turn), radius**2]], white)))
    assert np.isnan(pitch(np.where(np.arange(RATE) == 5000, 1.0, 0.0)))
    assert np.isnan(pitch(np.zeros(RATE)))
    assert np.isnan(pitch(np.ones(RATE)))
    assert np.isnan(pitch(np.zeros(0)))


def test_what_is_quiet_or_too_short_does_not_count():
    tone = np.sin(2 * np.pi * 300 * TIME)
    loud = np.random.default_rng(2).normal(size=RATE)
    assert np.isnan(pitch(np.concatenate([loud, 0.01 * tone])))
    assert pitch(np.concatenate([loud, tone])) == pytest.approx(300, rel=0.005)
    assert np.isnan(pitch(tone[: int(3 * RATE / MIN_PITCH_HZ) + 10]))


def test_a_pitch_rises_by_the_semitones_between_its_first_and_its_last_third():
    octave = np.sin(2 * np.pi * np.cumsum(200 * 2.0**TIME) / RATE)
    # Of 20 frames of a twentieth of an octave, the middle of the first six and that of the last six.
    assert PitchMeter(RATE).feed(octave).rise == pytest.approx(12 * 14 / 20, abs=0.05)
    assert PitchMeter(RATE).feed(octave[::-1]).rise == pytest.approx(-12 * 14 / 20, abs=0.05)
    assert abs(PitchMeter(RATE).feed(np.sin(2 * np.pi * 300 * TIME)).rise) < 0.05
    assert np.isnan(PitchMeter(RATE).feed(np.random.default_rng(0).normal(size=RATE)).rise)
    # Too few frames for thirds.
    assert np.isnan(PitchMeter(RATE).feed(octave[: RATE // 5]).rise)


def test_pieces_are_as_good_as_the_whole():
    rng = np.random.default_rng(3)
    sound = np.sin(2 * np.pi * np.cumsum(np.linspace(200, 260, RATE)) / RATE) + 0.1 * rng.normal(size=RATE)
    meter = PitchMeter(RATE)
    for piece in np.split(sound, np.sort(rng.integers(0, RATE, size=9))):
        meter.feed(piece)
    assert meter.pitch == pytest.approx(pitch(sound), rel=1e-12)
    assert 215 < meter.pitch < 245


@pytest.mark.parametrize("shape", ["sine", "square", "sawtooth", "triangle"])
@pytest.mark.parametrize("rate", [8000, 16000, 44100])
def test_plain_tones_have_no_octave_errors(shape: str, rate: int) -> None:
    """Also where a period is no whole number of samples, and edges fall on samples again after several periods only."""
    from scipy.signal import sawtooth, square

    time = np.arange(rate) / rate
    tones = {
        "sine": np.sin,
        "square": square,
        "sawtooth": sawtooth,
        "triangle": lambda phase: sawtooth(phase, 0.5),
    }
    for hertz in (70.0, 147.0, 180.0, 220.0, 261.6, 330.0, 440.0, 523.0, 600.0, 700.0, 783.0):
        found = PitchMeter(rate).feed(tones[shape](2.0 * np.pi * hertz * time)).pitch
        assert found == pytest.approx(hertz, rel=0.02), (shape, rate, hertz)


def test_a_square_wave_of_900_hertz_is_not_heard_an_octave_lower() -> None:
    from scipy.signal import square

    for rate in (11025, 16000, 22050, 44100):
        assert PitchMeter(rate).feed(square(2.0 * np.pi * 900.0 * np.arange(rate) / rate)).pitch == pytest.approx(
            900.0, rel=0.02
        )
