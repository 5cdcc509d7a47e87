"""Pitch of recordings: the repetition frequency, from the autocorrelation of short frames."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import FloatArray


class PitchBand(NamedTuple):
    """Range of pitches measurable in frames of one length (Hz)."""

    lowest: float
    highest: float


BANDS = (
    PitchBand(60.0, 4000.0),
    PitchBand(240.0, 16000.0),
    PitchBand(960.0, 64000.0),
    PitchBand(3840.0, 256000.0),
    PitchBand(15360.0, 256000.0),
    PitchBand(15.0, 240.0),
)
"""Bands in the order tried: a voice has a pitch in the first, short or fast calls in a later one."""
LOW_RATE = 8000.0
"""Sampling rate (Hz) below which bands are lowered in proportion: low sound has low pitches."""
HIGHEST_SHARE = 0.48
"""Highest pitch as a share of the sampling rate."""
FRAME_PERIODS = 3
"""Number of periods of the lowest pitch in a frame."""
MIN_PERIODIC_SHARE = 0.7
"""Least share of repeated power for a frame with a pitch."""
LASTING_PERIODS = 0.3
"""Periods of the lowest pitch after which the frame must still repeat: narrow-band noise repeats only for a short time."""
MIN_RISE = 0.3
"""Least rise of the autocorrelation from the minimum before a peak: that of slow drifts hardly rises again."""
QUIET_POWER = 1e-3
"""Power (30 dB) relative to the loudest frame below which frames do not count."""
FEWEST, LEAST = 2, 0.1
"""Least number, and share, of counted frames with a pitch in a recording that has one."""
MOSTLY = 0.5
"""Share of such frames above which a band is accepted without trying the next one."""
TRIED_FRAMES = 60
"""Number of frames of a band measured first: if half of the share is not reached, the others are skipped."""
MAX_BEND = 0.4
"""Largest deviation, in semitones, of the pitch of a short frame from the line between its neighbours: that of noise jumps."""
OCTAVE_COST = 0.06
"""Cost of a period per octave below the highest pitch, since a frame that repeats also does so after two periods."""
SAME_SHARE = 0.885
"""Least share of the height of the best peak for an earlier peak to be the period."""
MIN_TRACK_FRAMES = 6
"""Fewest frames with a pitch for a rise: two in each third."""
LAGS_A_PERIOD = 10
"""Number of lags of the autocorrelation per period of the highest pitch."""
BLOCK_SECONDS = 20.0
"""Seconds processed at a time."""


class PitchMeter:
    """Pitch of a streamed signal.

    Parameters
    ----------
    sample_rate : float
        Samples per second (Hz).

    Notes
    -----
    Frames of three periods of the lowest pitch of a band overlap by half and reach from the first sample to the last. Bands of
    higher pitches have shorter frames, which show short calls and pitches that rise or fall fast. Each 20 s are measured in the
    first band in which half of the frames that are not quiet have a pitch, or else in the one with the largest share.

    References
    ----------
    P. Boersma: Accurate short-term analysis of the fundamental frequency and the harmonics-to-noise ratio of a sampled sound.
    Proc. Institute of Phonetic Sciences 17, 1993 (the autocorrelation of a frame divided by that of its window).
    """

    def __init__(self, sample_rate: float) -> None:
        self._rate = float(sample_rate)
        self._block = max(1, round(BLOCK_SECONDS * self._rate * max(1.0, LOW_RATE / self._rate)))
        self._held = np.zeros(0)
        self._tracks: list[FloatArray] = []
        self._found: FloatArray | None = None

    def feed(self, piece: FloatArray) -> PitchMeter:
        """Process the next samples; returns the meter itself."""
        self._held, self._found = np.concatenate([self._held, piece]), None
        while len(self._held) >= 2 * self._block:
            self._tracks.append(track(self._held[: self._block], self._rate))
            self._held = self._held[self._block :]
        return self

    @property
    def pitch(self) -> float:
        """Median over the frames with a pitch (Hz); NaN if too few of those that are not quiet have one."""
        hertz = self._voiced
        return float(np.median(hertz)) if hertz.size else math.nan

    @property
    def rise(self) -> float:
        """Semitones from the median of the first third of these frames to that of the last; NaN for fewer than six."""
        hertz = self._voiced
        third = len(hertz) // 3
        if len(hertz) < MIN_TRACK_FRAMES:
            return math.nan
        return float(12.0 * np.log2(np.median(hertz[-third:]) / np.median(hertz[:third])))

    @property
    def span(self) -> float:
        """Semitones between the lowest and the highest tenth of these frames; NaN for fewer than six."""
        hertz = self._voiced
        if len(hertz) < MIN_TRACK_FRAMES:
            return math.nan
        low, high = np.quantile(hertz, [0.1, 0.9])
        return float(12.0 * np.log2(high / low))

    @property
    def _voiced(self) -> FloatArray:
        """Pitch of the frames that have one (Hz), in order; empty if these are too few."""
        if self._found is None:
            power, hertz = np.concatenate([*self._tracks, track(self._held, self._rate)]).T
            loud = power > QUIET_POWER * power.max(initial=0.0)
            voiced = loud & ~np.isnan(hertz)
            enough = np.count_nonzero(voiced) >= max(FEWEST, LEAST * np.count_nonzero(loud))
            self._found = np.asarray(hertz[voiced & enough])
        return self._found


def track(signal: FloatArray, rate: float) -> FloatArray:
    """Return power and pitch of overlapping frames.

    Parameters
    ----------
    signal : ndarray, shape (n,)
    rate : float
        Samples per second (Hz).

    Returns
    -------
    ndarray, shape (frames, 2)
        Mean square, and pitch (Hz, NaN without one) of frames of the band that suits the signal; no rows of a signal
        that is shorter than every frame.
    """
    best, largest = np.zeros((0, 2)), -1.0
    scale = min(1.0, rate / LOW_RATE)
    for number, (lowest, highest) in enumerate(BANDS):
        band = PitchBand(lowest * scale, min(highest * scale, HIGHEST_SHARE * rate))
        samples = math.ceil(FRAME_PERIODS * rate / band.lowest)
        # The step between two lags must be finer than the period.
        if samples < 4 * FRAME_PERIODS or samples > len(signal):
            continue
        frames = half_overlapping(signal, samples)
        power = frames.var(axis=1)
        loud = power > QUIET_POWER * power.max()
        hertz = np.full(len(frames), np.nan)
        some = np.flatnonzero(loud)
        if number and len(some) > TRIED_FRAMES:
            tried = _pitches(frames[some[np.linspace(0, len(some) - 1, TRIED_FRAMES).astype(np.int64)]], rate, band)
            some = some if np.count_nonzero(~np.isnan(tried)) >= 0.5 * MOSTLY * TRIED_FRAMES else some[:0]
        if len(some):
            hertz[some] = _pitches(frames[some], rate, band)
        if number:
            hertz[~_is_smooth(hertz)] = np.nan
        share = int(np.count_nonzero(~np.isnan(hertz))) / max(1, int(np.count_nonzero(loud)))
        # Ringing after each period of a voice repeats too, so shorter frames must be clearly better.
        if not number or share >= max(MOSTLY, 2.0 * largest):
            best, largest = np.column_stack([power, hertz]), share
        if largest >= MOSTLY:
            break
    return best


def half_overlapping(signal: FloatArray, samples: int) -> FloatArray:
    """Return frames that overlap by about half, from the beginning to the end."""
    count = 1 + math.ceil(2 * (len(signal) - samples) / samples)
    starts = np.round(np.linspace(0, len(signal) - samples, count)).astype(np.int64)
    return np.asarray(np.lib.stride_tricks.sliding_window_view(signal, samples)[starts])


def _is_smooth(hertz: FloatArray) -> NDArray[np.bool_]:
    """Return which frames lie near the line between their neighbours."""
    semitones = 12.0 * np.log2(hertz)
    smooth = np.zeros(len(hertz), dtype=bool)
    with np.errstate(invalid="ignore"):
        inner = np.abs(semitones[1:-1] - 0.5 * (semitones[:-2] + semitones[2:])) <= MAX_BEND
    smooth[1:-1] |= inner
    smooth[:-2] |= inner
    smooth[2:] |= inner
    return smooth


def _pitches(frames: FloatArray, rate: float, band: PitchBand) -> FloatArray:
    """Return the pitch of each frame (Hz), NaN without one."""
    from scipy.fft import irfft, next_fast_len, rfft

    samples = frames.shape[1]
    window = np.hanning(samples + 2)[1:-1]
    size = int(next_fast_len(2 * samples, real=True))
    # Single precision suffices for pitch, and takes half the time.
    centred = ((frames - frames.mean(axis=1, keepdims=True)) * window).astype(np.float32)
    transform = rfft(centred, size, axis=1)
    spectrum = np.square(transform.real) + np.square(transform.imag)
    kept = min(spectrum.shape[1], math.ceil(band.highest * size / rate) + 1)
    lags = int(next_fast_len(max(2 * kept, math.ceil(LAGS_A_PERIOD * band.highest * size / rate)), real=True))
    step = size / (rate * lags)
    least, most = math.ceil(1.0 / (band.highest * step)), math.ceil(1.0 / (band.lowest * step))
    own = irfft(np.square(np.abs(rfft(window, size)))[:kept], lags)[: most + 2]
    total = spectrum.sum(axis=1)
    repeated = irfft(spectrum[:, :kept], lags, axis=1)[:, : most + 2]
    share = spectrum[:, :kept].sum(axis=1) / np.maximum(total, np.finfo(np.float32).tiny)
    repeated *= (share / np.maximum(repeated[:, 0], np.finfo(np.float32).tiny))[:, None] / (own / own[0])
    before, here, after = repeated[:, least - 1 : -2], repeated[:, least:-1], repeated[:, least + 1 :]
    # Vertex of the parabola through each peak and the adjacent lags.
    peak = (here >= before) & (here > after)
    shift = np.where(peak, 0.5 * (before - after) / np.where(peak, before - 2.0 * here + after, 1.0), 0.0)
    height = here - 0.25 * (before - after) * shift
    peak &= height - np.minimum.accumulate(repeated, axis=1)[:, least:-1] >= MIN_RISE
    height = np.where(peak, height, 0.0)
    places = np.arange(least, least + height.shape[1], dtype=np.float64)
    best = (height - OCTAVE_COST * np.log2(places / least)).argmax(axis=1)
    rows = np.arange(len(frames))
    top = height[rows, best]
    # If the period is not a whole number of samples, edges of a wave fall on samples again only after several periods.
    once = ((height >= SAME_SHARE * top[:, None]) & (height > 0.0)).argmax(axis=1)
    once = np.where(top > 0.0, once, best)
    length = places[best] + shift[rows, best]
    # Several periods together are measured more precisely than one.
    periods = np.maximum(1.0, np.round(length / (places[once] + shift[rows, once])))
    lasting = height[:, max(0, math.ceil(LASTING_PERIODS / (band.lowest * step)) - least) :].max(axis=1)
    strength = np.minimum(top, lasting)
    return np.where(strength >= MIN_PERIODIC_SHARE, periods / (step * length), np.nan)
