"""Pitch of recordings: tones from end to end of the range, noises that have none, pieces."""

import numpy as np
import pytest
from scipy.signal import sosfilt

from kinseq.features.pitch import PitchMeter

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
    # A call of 40 ms has frames of 12 ms; 3 ms are less than a period.
    assert pitch(tone[: RATE // 25]) == pytest.approx(300, rel=0.005)
    assert np.isnan(pitch(tone[: 3 * RATE // 1000]))


def test_a_pitch_rises_by_the_semitones_between_its_first_and_its_last_third():
    octave = np.sin(2 * np.pi * np.cumsum(200 * 2.0**TIME) / RATE)
    # Of 39 frames of 50 ms, from the middle of the first 13 to that of the last 13; the span leaves out a tenth at each end.
    assert PitchMeter(RATE).feed(octave).rise == pytest.approx(12 * 0.95 * 26 / 38, abs=0.05)
    assert PitchMeter(RATE).feed(octave[::-1]).rise == pytest.approx(-12 * 0.95 * 26 / 38, abs=0.05)
    assert PitchMeter(RATE).feed(octave).span == pytest.approx(12 * 0.95 * 0.8, abs=0.05)
    assert abs(PitchMeter(RATE).feed(np.sin(2 * np.pi * 300 * TIME)).rise) < 0.05
    assert PitchMeter(RATE).feed(np.sin(2 * np.pi * 300 * TIME)).span < 0.05
    assert np.isnan(PitchMeter(RATE).feed(np.random.default_rng(0).normal(size=RATE)).rise)
    # Too few frames for thirds.
    assert np.isnan(PitchMeter(RATE).feed(octave[: RATE // 10]).rise)


@pytest.mark.parametrize(
    ("hertz", "rate"),
    [
        (17, 250),
        (17, 44100),
        (30, 2000),
        (7000, 16000),
        (7000, 44100),
        (12000, 44100),
        (20000, 48000),
        (40000, 96000),
        (80000, 250000),
        (110000, 250000),
    ],
)
def test_tones_from_17_hz_to_110_khz_have_their_pitch(hertz, rate):
    time = np.arange(rate * (8 if rate < 1000 else 1)) / rate
    noise = 0.01 * np.random.default_rng(4).normal(size=time.size)
    assert pitch(np.sin(2 * np.pi * hertz * time) + noise, rate) == pytest.approx(hertz, rel=0.002)


@pytest.mark.parametrize("rate", [16000, 22050, 44100])
@pytest.mark.parametrize("hertz", [220, 450, 900])
def test_waves_that_are_not_sines_have_no_error_of_an_octave(hertz, rate):
    time = np.arange(rate) / rate
    assert pitch(np.sign(np.sin(2 * np.pi * hertz * time + 0.1)), rate) == pytest.approx(hertz, rel=0.005)
    assert pitch(2 * (hertz * time % 1) - 1, rate) == pytest.approx(hertz, rel=0.005)


@pytest.mark.parametrize(
    ("low", "high", "seconds", "rate"),
    [
        (2000, 3000, 0.535, 16000),
        (2000, 4000, 0.4, 22050),
        (2000, 8000, 0.2, 44100),
        (30000, 80000, 0.005, 250000),
    ],
)
def test_fast_sweeps_have_the_same_pitch_up_and_down_and_opposite_rises(low, high, seconds, rate):
    samples = round(seconds * rate)
    sweep = np.sin(2 * np.pi * np.cumsum(np.linspace(low, high, samples)) / rate)
    sweep = np.pad(sweep * np.hanning(samples) ** 0.25, rate // 50)
    noise = 1e-3 * np.random.default_rng(5).normal(size=sweep.size)
    up, down = PitchMeter(rate).feed(sweep + noise), PitchMeter(rate).feed(sweep[::-1] + noise)
    semitones = 12 * np.log2(high / low)
    assert up.pitch == pytest.approx((low + high) / 2, rel=0.05)
    # A fifth of a semitone counts as no difference.
    assert abs(12 * np.log2(up.pitch / down.pitch)) < 0.2
    assert 0.5 * semitones < up.rise < semitones
    assert down.rise == pytest.approx(-up.rise, rel=0.03)
    assert 0.6 * semitones < up.span < semitones


def test_pieces_are_as_good_as_the_whole():
    rng = np.random.default_rng(3)
    sound = np.sin(2 * np.pi * np.cumsum(np.linspace(200, 260, RATE)) / RATE) + 0.1 * rng.normal(size=RATE)
    meter = PitchMeter(RATE)
    for piece in np.split(sound, np.sort(rng.integers(0, RATE, size=9))):
        meter.feed(piece)
    assert meter.pitch == pitch(sound)
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
