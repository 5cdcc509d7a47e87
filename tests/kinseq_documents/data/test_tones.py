"""Harmonics by blocks are the sum that they say, bit for bit."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.signal import lfilter

from kinseq_documents.data.tones import harmonics, low_passed


@pytest.mark.parametrize("n", [1, 255, 256, 257, 1000])
@pytest.mark.parametrize("dies", [True, False])
def test_blocks_give_the_bits_of_the_whole(n: int, dies: bool) -> None:
    rng = np.random.default_rng(n)
    phase, partials = np.cumsum(rng.uniform(0.0, 0.3, n)), rng.uniform(size=7)
    fade, fading = rng.uniform(0.5, 1.0, (2, n))
    before, sine, level, expected = np.zeros(n), np.sin(phase), fade.copy(), np.zeros(n)
    for partial in partials:
        expected += partial * level * sine
        before, sine = sine, 2.0 * np.cos(phase) * sine - before
        if dies:
            level = level * fading
    found = harmonics(np.sin(phase), 2.0 * np.cos(phase), fade, fading, partials, dies)
    np.testing.assert_array_equal(found, expected)


def test_harmonics_are_sines_of_multiples() -> None:
    phase, partials = np.linspace(0.0, 20.0, 700), np.array([1.0, 0.0, 0.5])
    fade, fading = np.exp(-0.1 * phase), np.exp(-0.02 * phase)
    found = harmonics(np.sin(phase), 2.0 * np.cos(phase), fade, fading, partials, True)
    np.testing.assert_allclose(found, fade * (np.sin(phase) + 0.5 * fading**2 * np.sin(3 * phase)), atol=1e-12)


def test_the_filter_is_that_of_scipy() -> None:
    signal = np.random.default_rng(0).normal(size=500)
    np.testing.assert_array_equal(low_passed(signal, 0.7), lfilter([1.0 - 0.7], [1.0, -0.7], signal))
