"""Spectra as distributions, against closed forms and against SciPy's Wasserstein distance."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import wasserstein_distance

from kinseq import SequenceSet, measures
from kinseq.core.arrays import FloatArray
from kinseq.measures.registry import MeasureInput
from kinseq.measures.spectrum import MAX_FREQUENCY, N_BANDS, PADDING_FACTOR, cumulative_spectra, spectrum


def sine(period: float, frames: int = 400, phase: float = 0.0) -> FloatArray:
    return np.sin(2 * np.pi * (np.arange(frames) / period + phase))[:, None]


@pytest.mark.parametrize("ratio", [1.5, 2.0, 4.0])
def test_sines_are_apart_by_the_logarithm_of_the_ratio_of_their_periods(ratio: float) -> None:
    distance = spectrum([sine(10.0), sine(10.0 * ratio)])
    assert distance[0, 1] == pytest.approx(np.log(ratio), rel=0.02)


def test_phase_level_and_size_count_for_nothing() -> None:
    distance = spectrum([sine(12.0), 7.0 + 30.0 * sine(12.0, phase=0.3), sine(18.0)])
    assert distance[0, 1] < 0.02 * distance[0, 2]


def test_another_form_of_one_period_is_apart_by_its_overtones() -> None:
    wave = sine(20.0)
    square = np.sign(wave + 1e-9)
    # Of a square wave of 20 frames, overtones are odd, and the k-th has a power in proportion to 1 / sin(pi k / 20)^2.
    overtones = np.arange(1, 10, 2)
    powers = 1.0 / np.sin(np.pi * overtones / 20) ** 2
    expected = float((powers / powers.sum() * np.log(overtones)).sum())
    assert spectrum([wave, square])[0, 1] == pytest.approx(expected, rel=0.05)


def test_it_is_the_wasserstein_distance_of_periodograms_over_the_logarithm_of_the_frequency() -> None:
    rng = np.random.default_rng(3)
    pair = [np.cumsum(rng.normal(size=(100, 1)), axis=0), rng.normal(size=(100, 1))]
    slowest = 2.0 / 100.0
    grid = np.fft.rfftfreq(PADDING_FACTOR * 100)
    places = np.log(np.clip(grid, slowest, MAX_FREQUENCY))
    weights = []
    for frames in pair:
        centred = (frames - frames.mean(axis=0)) * np.hanning(102)[1:-1, None]
        weights.append(np.square(np.abs(np.fft.rfft(centred[:, 0], PADDING_FACTOR * 100))))
    expected = wasserstein_distance(places, places, *weights)
    assert spectrum(pair)[0, 1] == pytest.approx(expected, rel=0.03)


def test_shares_of_power_rise_to_one_and_are_one_where_nothing_changes() -> None:
    rng = np.random.default_rng(0)
    frames = np.hstack([rng.normal(size=(50, 1)), np.full((50, 1), 3.0)])
    shares = cumulative_spectra([frames, frames[:20]])
    assert shares.shape == (2, N_BANDS, 2)
    assert np.all(np.diff(shares, axis=1) >= -1e-12)
    assert shares[:, -1] == pytest.approx(1.0)
    assert np.all(shares[:, :, 1] == 1.0)


def test_features_add_up() -> None:
    rng = np.random.default_rng(1)
    one, two = ([rng.normal(size=(60, 1)) for _ in range(4)] for _ in range(2))
    both = [np.hstack(pair) for pair in zip(one, two, strict=True)]
    assert spectrum(both) == pytest.approx(spectrum(one) + spectrum(two))


def test_new_sequences_are_compared_on_the_scale_of_the_old_ones() -> None:
    old = [sine(period, frames=80) for period in (6.0, 9.0, 20.0)]
    measure = measures.get("spectrum")
    assert measure.cross is not None
    evidence = [MeasureInput(SequenceSet.from_arrays(some)) for some in (old, old[1:])]
    assert measure.cross(*evidence) == pytest.approx(spectrum(old)[1:])


def test_two_frames_are_enough() -> None:
    distance = spectrum([np.array([[0.0], [1.0]]), np.array([[1.0], [0.0]]), np.array([[2.0], [2.0]])])
    assert np.isfinite(distance).all()
    assert distance[0, 1] == pytest.approx(0.0, abs=1e-12)
