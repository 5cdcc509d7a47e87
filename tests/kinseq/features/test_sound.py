"""Properties of recordings: levels, noise floors, spectra, pulses and durations of sounds that are made here."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
import soundfile
from scipy.signal import welch

import kinseq
from kinseq.analysis.explaining import explain
from kinseq.features.cepstral import CepstralRecipe
from kinseq.features.sound import Sound, SoundMeter, _pauses, durations, heard, in_decibels, remarks_on_sound
from tests.sentences import Recorded

RATES = [8000, 16000, 44100, 96000, 250000]


def sound(signal: np.ndarray, rate: int) -> Sound:
    return SoundMeter(rate).feed(signal).sound()


def noise(samples: int, level: float, seed: int = 0) -> np.ndarray:
    return level * np.random.default_rng(seed).normal(size=samples)


def tone(hertz: float, rate: int, seconds: float = 1.0) -> np.ndarray:
    return np.sin(2 * np.pi * hertz * np.arange(round(seconds * rate)) / rate)


def pulses(each_second: float, rate: int, hertz: float, seconds: float = 1.0, width: float = 0.004) -> np.ndarray:
    signal, length = np.zeros(round(seconds * rate)), round(width * rate)
    pulse = np.hanning(length) * tone(hertz, rate, width)[:length]
    for start in np.arange(0.003, seconds - 2 * width, 1 / each_second):
        place = round(start * rate)
        signal[place : place + length] += pulse
    return signal


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("amplitude", [1.0, 0.1, 0.001])
def test_levels_are_decibels_re_full_scale(rate: int, amplitude: float) -> None:
    found = sound(amplitude * tone(rate / 20, rate), rate)
    expected = 20 * math.log10(amplitude) - 10 * math.log10(2)
    assert found.loudness == pytest.approx(expected, abs=0.05)
    assert found.overall == pytest.approx(expected, abs=0.05)
    # A constant offset is not sound.
    assert sound(amplitude * tone(rate / 20, rate) + 0.3, rate).loudness == pytest.approx(expected, abs=0.05)


@pytest.mark.parametrize("rate", RATES)
def test_silence_is_below_the_noise_floor_of_the_recording_whatever_the_loudness(rate: int) -> None:
    gaps = np.concatenate(
        [np.zeros(rate), tone(rate / 20, rate), np.zeros(rate), tone(rate / 20, rate), np.zeros(rate)]
    )
    scale = min(1.0, 48000 / rate)
    for amplitude in (0.5, 0.02):
        found = sound(amplitude * gaps + noise(len(gaps), 0.0003), rate)
        assert found.silence == pytest.approx(0.6, abs=0.01)
        assert found.pauses == 1
        assert found.loudness == pytest.approx(20 * math.log10(amplitude) - 3.01, abs=0.1)
        assert found.overall == pytest.approx(found.loudness + 10 * math.log10(0.4), abs=0.1)
    assert sound(noise(rate, 0.1), rate).silence == 0.0
    assert scale <= 1.0


@pytest.mark.parametrize("rate", RATES)
def test_centre_and_width_are_those_of_the_power_spectrum_of_what_sounds(rate: int) -> None:
    clean = tone(0.02 * rate, rate) + 0.5 * tone(0.1 * rate, rate)
    found = sound(np.pad(0.1 * clean, rate // 2) + noise(2 * rate, 0.003), rate)
    power = np.array([0.8, 0.2])
    hertz = np.array([0.02, 0.1]) * rate
    centre = power @ hertz
    assert found.brightness == pytest.approx(centre, rel=0.02)
    assert found.bandwidth == pytest.approx(math.sqrt(power @ (hertz - centre) ** 2), rel=0.05)
    # Noise fills its whole band, as in Welch's estimate.
    white = noise(3 * rate, 0.1)
    frequencies, density = welch(white, rate, nperseg=1024)
    assert sound(white, rate).brightness == pytest.approx(density @ frequencies / density.sum(), rel=0.03)


@pytest.mark.parametrize("rate", [16000, 22050, 44100, 96000])
@pytest.mark.parametrize("each_second", [4.0, 12.0, 35.0, 70.0, 90.0])
def test_pulses_are_counted_by_the_second(rate: int, each_second: float) -> None:
    train = pulses(each_second, rate, 3000, 2.0)
    for amplitude in (0.5, 0.05):
        found = sound(np.pad(amplitude * train, rate // 20) + noise(len(train) + 2 * (rate // 20), 0.0005), rate)
        assert found.pulses == pytest.approx(each_second, rel=0.02)
        # Gaps between pulses are not pauses.
        assert found.pauses == 0


def test_clicks_over_a_hum_are_pulses_and_a_hum_has_none() -> None:
    rate = 16000
    hum = 0.1 * sum(tone(50 * order, rate, 3.0) / order for order in (1, 2, 3)) + noise(3 * rate, 0.005)
    clicks = 0.1 * pulses(9, rate, 3500, 3.0)
    assert math.isnan(sound(hum, rate).pulses)
    assert sound(hum, rate).pitch == pytest.approx(50, rel=0.01)
    assert sound(hum + clicks, rate).pulses == pytest.approx(9, rel=0.02)
    for hertz in (60, 300, 1000):
        assert math.isnan(sound(tone(hertz, rate), rate).pulses)
    assert math.isnan(sound(noise(rate, 0.1), rate).pulses)
    for hertz in (120, 150, 210):
        sawtooth = 2 * (hertz * np.arange(rate) / rate % 1) - 1
        assert math.isnan(sound(0.2 * sawtooth, rate).pulses)


def test_pauses_are_between_sounds_and_last_50_ms() -> None:
    silent = np.repeat([True, False, True, False, True, False, True], [9, 2, 5, 1, 4, 3, 9])
    # Five windows of 10 ms are a pause, four are not, and leading or trailing silence is not.
    assert _pauses(~silent, 0.0) == 1
    assert _pauses(~silent, 6.0) == 0
    assert _pauses(np.zeros(20, dtype=bool), 0.0) == _pauses(np.ones(20, dtype=bool), 0.0) == 0


def test_pieces_are_as_good_as_the_whole() -> None:
    rate = 8000
    signal = pulses(7, rate, 1500, 50.0) + noise(50 * rate, 0.001)
    whole, meter = sound(signal, rate), SoundMeter(rate)
    for piece in np.array_split(signal, 23):
        meter.feed(piece)
    assert meter.sound() == pytest.approx(whole, rel=1e-9, nan_ok=True)
    assert whole.seconds == 50.0


def test_durations_are_those_of_the_files_and_energy_is_in_decibels(tmp_path) -> None:
    rate = 16000
    for number, (seconds, amplitude) in enumerate([(0.3, 0.5), (0.6, 0.05)] * 3):
        signal = amplitude * tone(1500, rate, seconds) + noise(round(seconds * rate), 0.0005, number)
        soundfile.write(tmp_path / f"{number}.wav", signal, rate)
    sequences = kinseq.read(tmp_path)
    step = sequences.provenance["clock"]["step"]
    np.testing.assert_allclose(durations(sequences) * step, [0.3, 0.6] * 3)
    energy = in_decibels(sequences)
    column = energy.provenance["columns"].index("energy")
    levels = np.array([np.median(frames[:, column]) for frames in energy])
    np.testing.assert_allclose(levels, (20 * np.log10([0.5, 0.05] * 3)) - 3.01, atol=0.5)
    assert set(heard(sequences)) >= {"loudness", "pitch", "brightness", "bandwidth"}


def test_the_louder_and_the_softer_of_the_same_calls_are_said_to_be(tmp_path, recorded: Recorded) -> None:
    rate = 16000
    for number in range(20):
        call = (0.4, 0.03)[number % 2] * pulses(18, rate, 2000) * np.random.default_rng(number).uniform(0.9, 1.1)
        soundfile.write(tmp_path / f"{number:02d}.wav", np.pad(call, 1500) + noise(rate + 3000, 0.0004, number), rate)
    sequences = kinseq.read(tmp_path)
    table = explain(sequences, np.arange(20) % 2)
    said = table[table["property"] == "loudness"]["sentence"].tolist()
    assert [sentence.split(" (")[0] for sentence in said] == ["louder", "softer"]
    recorded.within("\n".join(sequences.notes))
    # The same pulses in the same band are neither faster nor brighter.
    assert not set(table["property"]) & {"pulses", "brightness", "bandwidth", "pitch"}


def test_pulses_that_windows_blur_get_a_note_with_a_shorter_window(recorded: Recorded) -> None:
    each = Sound(1.0, -20.0, -20.0, 0.0, -20.0, 0.0, 0.0, 3000.0, 100.0, 70.0, math.nan, math.nan, math.nan)
    sounds = {str(k): each._replace(pulses=(70.0, 90.0)[k % 2] + k / 100) for k in range(10)}
    (note,) = remarks_on_sound(sounds, CepstralRecipe())
    recorded(note)
    assert "window_seconds=0.004" in note
    assert not remarks_on_sound({name: each._replace(pulses=12.0) for name in "abcd"}, CepstralRecipe())
    assert not remarks_on_sound(dict.fromkeys("abcd", each), CepstralRecipe())


@pytest.mark.parametrize("hertz", [17.0, 23.0])
def test_slow_waves_have_a_pitch_and_no_pulses(hertz: float) -> None:
    found = sound(0.3 * tone(hertz, 8000, 2.0) + noise(16000, 0.002), 8000)
    assert found.pitch == pytest.approx(hertz, rel=0.01)
    assert math.isnan(found.pulses)


@pytest.mark.parametrize("seconds", [0.003, 0.008, 0.0301, 0.4])
def test_brightness_and_width_are_those_of_the_recording_backwards(seconds: float) -> None:
    """The last part of a short recording counts as the first does."""
    rate = 250_000
    time = np.arange(round(seconds * rate)) / rate
    up = 0.5 * np.sin(2 * np.pi * (40_000.0 * time + 20_000.0 * time**2 / seconds))
    one, other = sound(up, rate), sound(up[::-1].copy(), rate)
    assert one.brightness == pytest.approx(other.brightness, rel=0.005)
    assert one.brightness == pytest.approx(60_000.0, rel=0.02)
    assert one.bandwidth == pytest.approx(other.bandwidth, rel=0.01)


@pytest.mark.parametrize("rate", RATES)
def test_a_swinging_pitch_is_no_train_of_pulses_and_a_deep_tremolo_is(rate: int) -> None:
    time = np.arange(rate) / rate
    carrier = 0.05 * rate
    swinging = np.sin(2 * np.pi * np.cumsum(carrier * (1 + 0.06 * np.sin(2 * np.pi * 6 * time))) / rate)
    assert math.isnan(sound(0.3 * swinging + noise(rate, 0.0003), rate).pulses)
    trembling = (1 + 0.8 * np.sin(2 * np.pi * 6 * time)) * np.sin(2 * np.pi * carrier * time)
    assert sound(0.3 * trembling + noise(rate, 0.0003), rate).pulses == pytest.approx(6, rel=0.03)


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("decibels", [-12.0, -6.0, 0.0, 12.0])
def test_the_rise_of_loudness_is_that_between_the_outer_thirds_of_what_sounds(rate: int, decibels: float) -> None:
    thirds = 10 ** (np.array([0.0, 0.5, 1.0]) * decibels / 20).repeat(rate // 3)
    signal = 0.01 * thirds * tone(0.05 * rate, rate, len(thirds) / rate)
    quiet = np.concatenate([np.zeros(rate // 2), signal, np.zeros(rate // 3)])
    for every in (signal, quiet + noise(len(quiet), 1e-5)):
        assert sound(every, rate).swell == pytest.approx(decibels, abs=0.3)


def written(folder: Path, name: str, signals: list[np.ndarray], rate: int = 16000) -> None:
    for number, signal in enumerate(signals):
        soundfile.write(folder / f"{name}{number}.wav", signal, rate)


def test_calls_that_fade_and_calls_that_swell_are_called_so(tmp_path: Path) -> None:
    fading = np.geomspace(0.5, 0.02, 8000) * tone(1200, 16000, 0.5)
    pads = np.random.default_rng(0).integers(1000, 2000, size=24)
    signals = [np.pad(x, (pad, 3000 - pad)) for x, pad in zip([fading, fading[::-1]] * 12, pads, strict=True)]
    signals = [x + noise(len(x), 0.0003, seed) for seed, x in enumerate(signals)]
    written(tmp_path, "fade", signals[::2])
    written(tmp_path, "swell", signals[1::2])
    sequences = kinseq.read(tmp_path)
    table = explain(sequences, np.array([int(entry.startswith("swell")) for entry in sequences.ids]))
    rows = table[table["property"] == "rise of loudness"]
    assert rows["words"].tolist() == ["getting softer", "getting louder"]
    # Reversed calls are as loud and as bright.
    assert not set(table["property"]) & {"loudness", "overall loudness", "brightness", "length"}


def test_gaps_of_pulses_are_not_compared_with_pauses(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)

    def notes(number: int) -> np.ndarray:
        on = int(16000 * 0.6 / number)
        gap = (19200 - number * on) // (number - 1)
        note = 0.3 * tone(2500, 16000, on / 16000)[:on] * np.hanning(on) ** 0.2
        signal = np.concatenate([np.append(note, np.zeros(gap)) for _ in range(number)])[:19200]
        signal = np.pad(signal, (2000, 2000 + int(rng.integers(0, 40))))
        return signal + noise(len(signal), 0.0003, int(rng.integers(1000)))

    written(tmp_path, "few", [notes(3) for _ in range(10)])
    written(tmp_path, "many", [notes(5) for _ in range(10)])
    sequences = kinseq.read(tmp_path)
    table = explain(sequences, np.array([int(entry.startswith("many")) for entry in sequences.ids]))
    assert "pulses" in set(table["property"])
    assert not set(table["property"]) & {"pauses", "length"}
