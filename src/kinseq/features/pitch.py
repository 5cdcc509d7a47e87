"""Pitch of recordings: the frequency at which they repeat themselves, from the autocorrelation of their loud frames."""

from __future__ import annotations

import math

import numpy as np

from ..core.arrays import FloatArray

MIN_PITCH_HZ = 60.0
"""Lowest pitch that is looked for (Hz); the highest is 0.4 of the sampling rate."""
FRAME_PERIODS = 3
"""Periods of the lowest pitch in a frame."""
MIN_PERIODIC_SHARE = 0.7
"""Share of the power of a frame that repeats itself, from which on it has a pitch."""
LASTING_SECONDS = 0.005
"""Seconds after which it still has to: noise of a narrow band repeats itself for a short time only."""
MIN_RISE = 0.3
"""Least rise of the autocorrelation to its peak from the least before it: of slow drifts it falls, and hardly rises again."""
QUIET_POWER = 1e-3
"""Power (30 dB) below that of the loudest frame, under which frames do not count."""
FEWEST, LEAST = 2, 0.1
"""Frames, and share of the frames that count, that have a pitch in a recording that has one."""
OCTAVE_COST = 0.02
"""What a period costs for each octave below the highest pitch: a frame that repeats itself does so after two periods as well."""
SAME_SHARE = 0.75
"""Share of the height of the largest peak from which on an earlier peak is the period: where it is no whole number of samples,
edges fall on samples again after several periods only."""
MIN_COURSE_FRAMES = 6
"""Frames with a pitch that a course of it asks for: two in each third of them."""
LAGS_A_SAMPLE = 2
"""Lags of the autocorrelation to a sample: the highest pitch has a period of 2.5 samples only."""


class PitchMeter:
    """The typical pitch of a signal that arrives in pieces.

    Parameters
    ----------
    sample_rate : float
        Samples per second (Hz).
    lowest : float
        Lowest pitch that is looked for (Hz); what is asked of :data:`LASTING_SECONDS` grows with its period.

    References
    ----------
    P. Boersma: Accurate short-term analysis of the fundamental frequency and the harmonics-to-noise ratio of a sampled sound.
    Proc. Institute of Phonetic Sciences 17, 1993 (the autocorrelation of a frame divided by that of its window).
    """

    def __init__(self, sample_rate: float, lowest: float = MIN_PITCH_HZ) -> None:
        self._rate, self._lowest = float(sample_rate), float(lowest)
        self._frame = math.ceil(FRAME_PERIODS * self._rate / self._lowest)
        self._held = np.zeros(0)
        self._parts: list[FloatArray] = []

    def feed(self, piece: FloatArray) -> PitchMeter:
        """Take the next samples; returns the meter itself."""
        joined = np.concatenate([self._held, piece])
        whole = len(joined) // self._frame * self._frame
        if whole:
            self._parts.append(self._looked_at(joined[:whole].reshape(-1, self._frame)))
        self._held = joined[whole:]
        return self

    @property
    def pitch(self) -> float:
        """Median over the frames that have a pitch (Hz); NaN where too few of the loud frames have one."""
        hertz = self._voiced
        return float(np.median(hertz)) if hertz.size else math.nan

    @property
    def rise(self) -> float:
        """Semitones from the median of the first third of these frames to that of the last; NaN where they are too few."""
        hertz = self._voiced
        third = len(hertz) // 3
        if len(hertz) < MIN_COURSE_FRAMES:
            return math.nan
        return float(12.0 * np.log2(np.median(hertz[-third:]) / np.median(hertz[:third])))

    @property
    def _voiced(self) -> FloatArray:
        """Pitch of the frames that have one (Hz), in their order; empty where these are too few."""
        if not self._parts:
            return np.zeros(0)
        power, strength, hertz = np.concatenate(self._parts).T
        loud = power > QUIET_POWER * power.max()
        voiced = loud & (strength >= MIN_PERIODIC_SHARE)
        enough = np.count_nonzero(voiced) >= max(FEWEST, LEAST * np.count_nonzero(loud))
        return np.asarray(hertz[voiced & enough])

    def _looked_at(self, frames: FloatArray) -> FloatArray:
        """Power, strength and pitch of each frame, shape (n, 3)."""
        from scipy.fft import irfft, next_fast_len, rfft

        window = np.hanning(self._frame)
        size, rate = int(next_fast_len(2 * self._frame, real=True)), LAGS_A_SAMPLE * self._rate
        least, most = math.ceil(2.5 * LAGS_A_SAMPLE), math.ceil(rate / self._lowest)
        spectrum = np.square(np.abs(rfft((frames - frames.mean(axis=1, keepdims=True)) * window, size, axis=1)))
        own = irfft(np.square(np.abs(rfft(window, size))), LAGS_A_SAMPLE * size)[: most + 2]
        repeated = irfft(spectrum, LAGS_A_SAMPLE * size, axis=1)[:, : most + 2]
        power = repeated[:, 0].copy()
        repeated /= np.maximum(power, np.finfo(float).tiny)[:, None] * (own / own[0])
        before, here, after = repeated[:, least - 1 : -2], repeated[:, least:-1], repeated[:, least + 1 :]
        # The top of the parabola through each peak and the lags beside it.
        peak = (here >= before) & (here > after)
        shift = np.where(peak, 0.5 * (before - after) / np.where(peak, before - 2.0 * here + after, 1.0), 0.0)
        height = here - 0.25 * (before - after) * shift
        peak &= height - np.minimum.accumulate(repeated, axis=1)[:, least:-1] >= MIN_RISE
        height = np.where(peak, height, 0.0)
        lags = np.arange(least, most + 1)
        best = (height - OCTAVE_COST * np.log2(lags / least)).argmax(axis=1)
        rows = np.arange(len(frames))
        top = height[rows, best]
        once = ((height >= SAME_SHARE * top[:, None]) & (height > 0.0)).argmax(axis=1)
        once = np.where(top > 0.0, once, best)
        # Several periods together are measured more finely than one.
        periods = np.maximum(1.0, np.round((lags[best] + shift[rows, best]) / (lags[once] + shift[rows, once])))
        lasting = height[:, math.ceil(LASTING_SECONDS * MIN_PITCH_HZ / self._lowest * rate) - least :].max(axis=1)
        strength = np.minimum(top, lasting)
        return np.column_stack([power, strength, periods * rate / (lags[best] + shift[rows, best])])
