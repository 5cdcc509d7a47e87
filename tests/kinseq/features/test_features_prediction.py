"""Linear prediction stage by stage: known processes, closed forms, and Hermansky's own formulas written out."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.linalg import solve_toeplitz

from kinseq.core.errors import DataError, ParameterError
from kinseq.features import linear_prediction
from kinseq.features.cepstral import RECIPES, mfcc_of_stream
from kinseq.features.extraction import audio_features
from kinseq.features.frames import delta
from kinseq.features.linear_prediction import PredictionRecipe, linear_prediction_features
from kinseq.features.registry import get
from kinseq.features.stacked import KINDS, PARTS, StackedRecipe, several
from tests.sentences import Recorded

RATE = 16000.0
A = np.array([1.3, -0.9, 0.2])


def signal(seconds: float = 0.2, seed: int = 1) -> np.ndarray:
    rng = np.random.default_rng(seed)
    t = np.arange(int(seconds * RATE)) / RATE
    return 0.3 * np.sin(2 * np.pi * 440 * t * (1 + t)) + 0.05 * rng.normal(size=t.size)


def process_lags(a: np.ndarray, count: int) -> np.ndarray:
    """Autocorrelations of the process with unit noise, by its impulse response."""
    response = np.zeros(4000)
    for n in range(response.size):
        response[n] = (n == 0) + sum(a[k] * response[n - k - 1] for k in range(a.size) if n > k)
    return np.array([response[: response.size - k] @ response[k:] for k in range(count + 1)])


def test_a_known_process_is_recovered() -> None:
    lags = process_lags(A, 3)
    found, error = linear_prediction.predictors(lags[None])
    np.testing.assert_allclose(found[0], A, atol=1e-6)
    np.testing.assert_allclose(error, 1.0, rtol=1e-6)
    # More coefficients than the process has are 0.
    np.testing.assert_allclose(linear_prediction.predictors(process_lags(A, 6)[None])[0][0, 3:], 0.0, atol=1e-6)


def test_a_known_process_is_recovered_from_its_samples() -> None:
    noise = np.random.default_rng(3).normal(size=60000)
    values = np.zeros(noise.size)
    for n in range(3, noise.size):
        values[n] = A @ values[n - 3 : n][::-1] + noise[n]
    found, error = linear_prediction.predictors(linear_prediction.autocorrelation(values[None], 3))
    np.testing.assert_allclose(found[0], A, atol=0.02)
    np.testing.assert_allclose(error / values.size, 1.0, rtol=0.02)


def test_autocorrelation_is_its_definition() -> None:
    rows = np.random.default_rng(0).normal(size=(4, 30))
    expected = [[np.correlate(row, row, "full")[29 + k] for k in range(6)] for row in rows]
    np.testing.assert_allclose(linear_prediction.autocorrelation(rows, 5), expected, atol=1e-12)


def test_predictors_solve_the_normal_equations() -> None:
    lags = linear_prediction.autocorrelation(np.random.default_rng(5).normal(size=(5, 60)), 8)
    found, error = linear_prediction.predictors(lags)
    for row, coefficients in zip(lags, found, strict=True):
        np.testing.assert_allclose(coefficients, solve_toeplitz(row[:-1], row[1:]), rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(error, lags[:, 0] - (found * lags[:, 1:]).sum(axis=1), rtol=1e-12)


def test_a_frame_without_power_predicts_nothing() -> None:
    found, error = linear_prediction.predictors(np.zeros((2, 4)))
    np.testing.assert_array_equal(found, 0.0)
    assert (error > 0.0).all()


def test_cepstra_are_those_of_the_spectrum() -> None:
    n_fft = 4096
    for count in (3, 12):
        model = 1.0 / np.fft.rfft(np.concatenate([[1.0], -A]), n_fft)
        # The real cepstrum of a minimum-phase system is half of its complex one beyond 0.
        expected = 2.0 * np.fft.irfft(np.log(np.abs(model)), n_fft)[1 : count + 1]
        np.testing.assert_allclose(linear_prediction.cepstra_of(A[None], count)[0], expected, atol=1e-9)


def test_bark_scale_and_its_inverse() -> None:
    assert linear_prediction.bark(0.0) == 0.0
    for frequency in (50.0, 600.0, 4000.0):
        w = 2 * math.pi * frequency
        expected = 6.0 * math.log(w / (1200 * math.pi) + math.sqrt((w / (1200 * math.pi)) ** 2 + 1))
        assert float(linear_prediction.bark(frequency)) == pytest.approx(expected, rel=1e-12)
        assert float(linear_prediction.hertz(linear_prediction.bark(frequency))) == pytest.approx(frequency, rel=1e-12)


def test_bands_cover_the_range_about_a_bark_apart() -> None:
    for rate in (8000.0, 16000.0):
        centres = linear_prediction.band_centres(rate)
        assert centres[0] == 0.0
        assert centres[-1] == pytest.approx(float(linear_prediction.bark(rate / 2)))
        assert 0.9 < centres[1] <= 1.0


def test_a_tone_masks_higher_bands_more_than_lower_ones() -> None:
    weights = linear_prediction.critical_bands(512, RATE)
    centres, bins = linear_prediction.band_centres(RATE), linear_prediction.bark(np.arange(257) * RATE / 512)
    for b, k in [(5, 10), (10, 60), (12, 60), (8, 40), (20, 250)]:
        away = bins[k] - centres[b]
        if away < -2.5 or away > 1.3:
            expected = 0.0
        elif away <= -0.5:
            expected = 10.0 ** (away + 0.5)
        elif away < 0.5:
            expected = 1.0
        else:
            expected = 10.0 ** (-2.5 * (away - 0.5))
        assert weights[b, k] == pytest.approx(expected, abs=1e-12)
    tone = weights[:, 100]
    nearest = int(np.abs(centres - bins[100]).argmin())
    assert tone[nearest + 2] > tone[nearest - 2]


def test_equal_loudness_is_hermanskys_at_the_frequencies_of_bands() -> None:
    for frequency in (100.0, 1000.0, 4000.0):
        w2 = (2 * math.pi * frequency) ** 2
        expected = (w2 + 56.8e6) * w2**2 / ((w2 + 6.3e6) ** 2 * (w2 + 0.38e9))
        assert float(linear_prediction.equal_loudness(frequency, above_5_khz=False)) == pytest.approx(
            expected, rel=1e-12
        )
    grid = np.arange(0.0, 8000.0, 50.0)
    gain = linear_prediction.equal_loudness(grid)
    assert gain[0] == 0.0
    # The ear is most sensitive at a few kHz; 400 Hz are heard at less than half the power gain of 1 kHz.
    assert 2500.0 < grid[gain.argmax()] < 6000.0
    assert gain[8] < 0.6 * gain[20]


def test_auditory_spectrum_of_a_tone_peaks_at_its_band() -> None:
    centres = linear_prediction.band_centres(RATE)
    for frequency in (500.0, 1500.0, 3500.0):
        power = np.full((1, 257), 1.0)
        power[0, round(frequency / RATE * 512)] = 1e9
        found = linear_prediction.auditory_spectrum(power, RATE)[0]
        assert abs(centres[found.argmax()] - float(linear_prediction.bark(frequency))) < 0.6
        assert found[0] == found[1]
        assert found[-1] == found[-2]


def test_loudness_is_the_cube_root_of_power() -> None:
    power = np.random.default_rng(1).random((3, 257)) + 1.0
    np.testing.assert_allclose(
        linear_prediction.auditory_spectrum(8.0 * power, RATE),
        2.0 * linear_prediction.auditory_spectrum(power, RATE),
        rtol=1e-12,
    )


def test_correlation_of_a_spectrum_is_its_cosine_series() -> None:
    spectrum = np.random.default_rng(2).random((2, 21)) + 0.1
    found = linear_prediction.correlation_of_spectrum(spectrum, 4)
    weights = np.ones(21)
    weights[1:-1] = 2.0
    for k in range(5):
        expected = (spectrum * weights * np.cos(np.pi * k * np.arange(21) / 20)).sum(axis=1) / 40.0
        np.testing.assert_allclose(found[:, k], expected, atol=1e-12)


def test_an_all_pole_spectrum_gives_its_model_back() -> None:
    steps = 2001
    model = np.abs(1.0 / np.fft.rfft(np.concatenate([[1.0], -A]), 2 * (steps - 1))) ** 2
    found, _ = linear_prediction.predictors(linear_prediction.correlation_of_spectrum(model[None], 3))
    np.testing.assert_allclose(found[0], A, atol=1e-6)


@pytest.mark.parametrize("kind", ["plp", "lpc", "lpcepstra"])
def test_features_are_the_stages_one_after_another(kind: str) -> None:
    recipe = PredictionRecipe(kind=kind, preemphasis=0.97, deltas=1)  # type: ignore[arg-type]
    samples = signal()
    found = linear_prediction_features([samples], RATE, recipe)
    frame = samples[160:560] * 32768.0
    energy = math.log((frame**2).sum())
    emphasised = frame - 0.97 * np.concatenate([frame[:1], frame[:-1]])
    windowed = emphasised * np.hamming(400)
    if kind == "plp":
        spectrum = linear_prediction.auditory_spectrum(np.abs(np.fft.rfft(windowed, 512))[None] ** 2, RATE)
        lags = linear_prediction.correlation_of_spectrum(spectrum, 12)
    else:
        lags = linear_prediction.autocorrelation(windowed[None], 12)
    expected, _ = linear_prediction.predictors(lags)
    if kind != "lpc":
        n = np.arange(1, 13)
        expected = linear_prediction.cepstra_of(expected, 12) * (1.0 + 11.0 * np.sin(np.pi * n / 22))
    np.testing.assert_allclose(found[1, :12], expected[0], rtol=1e-9, atol=1e-9)
    energies = np.log([((samples[i * 160 : i * 160 + 400] * 32768.0) ** 2).sum() for i in range(len(found))])
    assert found[1, 12] == pytest.approx(1.0 - 0.1 * (energies.max() - energy))
    np.testing.assert_allclose(found[:, 13:], delta(found[:, :13]), atol=1e-12)


@pytest.mark.parametrize("kind", ["plp", "lpc", "lpcepstra"])
def test_loudness_of_the_recording_changes_nothing_and_pieces_neither(kind: str) -> None:
    recipe = PredictionRecipe(kind=kind)  # type: ignore[arg-type]
    whole = linear_prediction_features([signal()], RATE, recipe)
    np.testing.assert_allclose(linear_prediction_features([0.1 * signal()], RATE, recipe), whole, atol=1e-6)
    parts = np.split(signal(), [7, 500, 1100])
    np.testing.assert_array_equal(linear_prediction_features(parts, RATE, recipe), whole)


def test_silence_has_finite_features() -> None:
    for name in ("plp", "lpc", "lpcepstra", "several"):
        feature = get(name)
        frames = feature.function([np.zeros(2000)], RATE, feature.recipe, "silence")
        assert np.isfinite(frames).all()


def test_several_kinds_stand_side_by_side_and_say_where() -> None:
    recipe = StackedRecipe()
    found, columns = several([signal()], RATE, recipe, "x"), recipe.columns()
    assert list(columns) == list(KINDS)
    assert found.shape[1] == 39 * len(KINDS)
    everything = sorted(c for parts in columns.values() for part in parts.values() for c in part)
    assert everything == list(range(found.shape[1]))
    mfcc = mfcc_of_stream([signal()], RATE, RECIPES["speech"])
    np.testing.assert_array_equal(found[:, columns["mfcc"]["static"]], mfcc[:, :12])
    np.testing.assert_array_equal(found[:, columns["mfcc"]["delta"]], mfcc[:, 13:25])
    np.testing.assert_array_equal(found[:, columns["mfcc"]["energy"][:2]], mfcc[:, [12, 25]])
    for kind in ("plp", "lpc", "lpcepstra"):
        own = get(kind)
        alone = own.function([signal()], RATE, own.recipe, "x")
        np.testing.assert_array_equal(found[:, columns[kind]["static"]], alone[:, :12])
    np.testing.assert_allclose(
        found[:, columns["lpc"]["acceleration"]], delta(found[:, columns["lpc"]["delta"]]), atol=1e-12
    )
    assert all(list(parts) == list(PARTS) for parts in columns.values())


def test_settings_are_checked(recorded: Recorded) -> None:
    with recorded.raises(ParameterError):
        StackedRecipe(kinds=("mfcc", "fft"))
    with recorded.raises(ParameterError):
        PredictionRecipe(window_seconds=0.0005).samples(8000.0)
    with pytest.raises(ParameterError, match="order is 30"):
        linear_prediction_features([signal()], RATE, PredictionRecipe(order=30))
    with pytest.raises(DataError, match="analysis window"):
        linear_prediction_features([np.ones(100)], RATE, PredictionRecipe(), "short")
    with pytest.raises(DataError, match="overflow"):
        linear_prediction_features([np.full(1000, 1e160)], RATE, PredictionRecipe(), "loud")
    assert audio_features({"recipe": "plp", "order": 8}).recipe == PredictionRecipe(order=8)
