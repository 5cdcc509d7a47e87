"""Audible properties of recordings, at the rate of the recording: loudness, silence, spectrum, pulses, pitch."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import FloatArray
from ..core.clock import clock_of
from ..core.sequences import SequenceSet
from ..core.wording import as_typed, count, in_seconds
from .pitch import BLOCK_SECONDS, PitchMeter, half_overlapping
from .recordings import recording_info

BIN_SECONDS = 0.001
"""Length of a bin of the envelope in seconds at rates from 8000 to 48 000 Hz; at others, bins have the same number of
samples as at these limits."""
LOWEST_RATE, HIGHEST_RATE = 8000.0, 48000.0
WINDOW_BINS = 10
"""Number of bins of a window that is classified as sound or silence."""
SPECTRUM_BINS = 32
"""Largest number of bins of a spectrum."""
FLOOR_SHARE = 0.05
"""Share of the windows below the noise floor."""
ABOVE_FLOOR, CLEARLY = 10.0, 15.0
"""Decibels above the floor from which on a window is sound, if the loudest is this far above it; otherwise all windows are."""
CLEAR_OF_NOISE = 2.0
"""Least power of a frequency, relative to the noise floor, to belong to the sound."""
FAINTEST = -100.0
"""Level, in decibels re full scale, below which nothing is heard."""
PAUSE_WINDOWS = 5
"""Least number of consecutive silent windows between sounds for a pause."""
FASTEST_BINS, FEWEST_PULSES = 3, 4
"""Least number of bins between two pulses, and of pulses in a train."""
MIN_PULSE_CORRELATION, MIN_PULSE_RISE = 0.5, 0.3
"""Least autocorrelation of the envelope after one pulse, and its rise from the minimum before."""
PULSE_OCTAVE_COST = 0.1
"""Cost of an interval per octave above the shortest, since pulses also repeat after two intervals."""
MIN_DEPTH = 6.0
"""Least fall of the envelope between two pulses in decibels; tones with vibrato fall less."""
FAST, MIN_DEPTH_OF_FAST = 40.0, 20.0
"""Pulses a second above which they may be a pitch, and the fall of the envelope required then; that of a voice falls less."""
HEARD = {
    "loudness": "loudness",
    "overall loudness": "overall",
    "rise of loudness": "swell",
    "silence": "silence",
    "pauses": "pauses",
    "pulses": "pulses",
    "pitch": "pitch",
    "rise of pitch": "rise",
    "range of pitch": "span",
    "brightness": "brightness",
    "bandwidth": "bandwidth",
}
"""Properties that describe clusters, and their fields of :class:`Sound`."""
LOGARITHMIC = frozenset({"pulses", "pitch", "brightness", "bandwidth"})
"""Fields compared by ratios."""
LOUDNESS_SPAN = 10.0
"""Range, in decibels, between the softest and loudest tenth of the recordings above which a note reports it."""
BLURRED_PULSES, BLURRED_SHARE = 1.2, 0.1
"""Number of pulses within a window above which it blurs them, and share of such recordings above which a note reports it."""
MOST_PERIODS = 8.0
"""Largest multiple of a pitch period at which pulses are waves of that pitch."""
WAVES_A_PULSE = 8.0
"""Least number of waves, at the centre of the spectrum, in a pulse that may be a pitch."""
LOUD = 15.0
"""Range, in decibels below the loudest pulse, of loud pulses."""
PAUSE_INTERVALS = 1.5
"""Least number of pulse intervals in a pause."""


class Sound(NamedTuple):
    """Properties of one recording; NaN for missing ones.

    Attributes
    ----------
    seconds : float
        Duration of the recording.
    loudness, overall : float
        Level of the windows that sound and of the whole, in dB re full scale (a square wave of amplitude 1 has 0 dB).
    swell : float
        Level of the last third of the time from the first to the last window that sounds, less that of the first third, in dB.
    loudest : float
        Level of the loudest window of 25 ms, in dB re full scale.
    silence : float
        Share of the windows that do not sound, 0 to 1.
    pauses : float
        Number of silent stretches of at least 50 ms between sounds.
    brightness, bandwidth : float
        Centre of the power spectrum of what sounds, above the noise floor, and deviation from it (Hz).
    pulses : float
        Pulses a second of a train of pulses.
    pitch : float
        Median over the frames with a pitch (Hz).
    rise, span : float
        From the first to the last third of these frames, and between their lowest and highest tenth (semitones).
    """

    seconds: float
    loudness: float
    overall: float
    swell: float
    loudest: float
    silence: float
    pauses: float
    brightness: float
    bandwidth: float
    pulses: float
    pitch: float
    rise: float
    span: float


class SoundMeter:
    """Properties of a streamed recording.

    Parameters
    ----------
    sample_rate : float
        Samples per second of the recording itself (Hz).
    """

    def __init__(self, sample_rate: float) -> None:
        self.sample_rate = self._rate = float(sample_rate)
        factor = max(LOWEST_RATE / self._rate, 1.0) * min(HIGHEST_RATE / self._rate, 1.0)
        self._bin = max(2, round(BIN_SECONDS * factor * self._rate))
        self._window = WINDOW_BINS * self._bin
        self._fft = 1 << int(math.log2(SPECTRUM_BINS * self._bin))
        self._block = math.ceil(BLOCK_SECONDS * factor * self._rate / self._window) * self._window
        self._pitch = PitchMeter(sample_rate)
        self._held = np.zeros(0)
        self._samples = 0
        self._envelopes: list[FloatArray] = []
        self._edges: list[FloatArray] = []
        self._spectra: dict[int, FloatArray] = {}
        self._counts: dict[int, int] = {}

    def feed(self, piece: FloatArray) -> SoundMeter:
        """Process the next samples; returns the meter itself."""
        self._pitch.feed(piece)
        self._samples += len(piece)
        self._held = np.concatenate([self._held, piece])
        while len(self._held) >= 2 * self._block:
            self._take(self._held[: self._block])
            self._held = self._held[self._block :]
        return self

    def sound(self) -> Sound:
        """Return the properties of all samples so far, and end the stream."""
        self._take(self._held)
        self._held = np.zeros(0)
        envelope = np.concatenate(self._envelopes)
        windows = _means(envelope, WINDOW_BINS)
        level = _decibels(windows)
        sounds, threshold = _sounding(level)
        centre, width = self._centre_and_width(threshold)
        pitch = self._pitch.pitch
        pulses = self._pulse_rate(sounds, centre)
        if pulses > centre:
            # Halves of a slow wave: a train of pulses has no power below its rate.
            pulses = math.nan
        periods = pitch / pulses
        if 1.5 <= periods <= MOST_PERIODS and abs(periods - round(periods)) <= 0.02 * periods:
            # Edges of a wave, of which every few fall on bins alike.
            pulses = math.nan
        if not math.isnan(pulses) and pitch < 1.5 * pulses:
            # Gaps between pulses are heard as gaps, not as a tone.
            pitch = math.nan
        tonal = not math.isnan(pitch)
        longest = 0.0 if math.isnan(pulses) else PAUSE_INTERVALS * self._rate / (pulses * self._window)
        return Sound(
            seconds=self._samples / self._rate,
            loudness=float(_decibels(windows[sounds].mean())),
            overall=float(_decibels(windows.mean())),
            swell=_swell(windows, sounds),
            loudest=float(_decibels(_means(envelope, 25).max())),
            silence=float(1.0 - sounds.mean()),
            pauses=float(_pauses(sounds, longest)),
            brightness=centre,
            bandwidth=width,
            pulses=pulses,
            pitch=pitch,
            rise=self._pitch.rise if tonal else math.nan,
            span=self._pitch.span if tonal else math.nan,
        )

    def _take(self, samples: FloatArray) -> None:
        """Measure consecutive samples; a constant offset is not sound."""
        if not len(samples):
            return
        samples = samples - samples.mean()
        whole = max(1, len(samples) // self._bin)
        self._envelopes.append(_means(np.square(samples), self._bin)[:whole])
        # Second differences detect clicks over a hum.
        self._edges.append(
            _means(np.square(np.diff(samples, n=2, prepend=samples[:1], append=samples[-1:])), self._bin)[:whole]
        )
        self._add_spectra(samples)

    def _add_spectra(self, samples: FloatArray) -> None:
        """Sum power spectra by the level of their frames in whole decibels, so that the floor can be determined at the end."""
        from scipy.fft import rfft

        size = self._fft
        if (missing := size - len(samples)) > 0:
            # In the middle of the window, so that beginning and end count alike.
            samples = np.pad(samples, (missing // 2, missing - missing // 2))
        frames = half_overlapping(samples, size)
        levels = np.round(_decibels(np.square(frames).mean(axis=1))).astype(np.int64)
        spectra = np.square(np.abs(rfft(frames * np.hanning(size + 2)[1:-1], axis=1)))
        for level in np.unique(levels).tolist():
            here = levels == level
            self._spectra[level] = self._spectra.get(level, 0.0) + spectra[here].sum(axis=0)
            self._counts[level] = self._counts.get(level, 0) + int(here.sum())

    def _centre_and_width(self, threshold: float) -> tuple[float, float]:
        """Centre (Hz) of the power spectrum of the frames above a level (dB), minus that of the others, and deviation from it."""
        parts: list[FloatArray] = []
        for above in (True, False):
            levels = [level for level in self._spectra if (level >= threshold) == above]
            total = sum((self._spectra[level] for level in levels), np.zeros(self._fft // 2 + 1))
            parts.append(total / max(1, sum(self._counts[level] for level in levels)))
        # Remaining noise would widen the band where there is little sound.
        power = np.where(parts[0] > CLEAR_OF_NOISE * parts[1], parts[0] - parts[1], 0.0)
        power = power if power.any() else parts[0] + parts[1]
        power[0] = 0.0
        if not power.any():
            return math.nan, math.nan
        hertz = np.fft.rfftfreq(self._fft, 1.0 / self._rate)
        centre = float(power @ hertz / power.sum())
        return centre, math.sqrt(max(float(power @ np.square(hertz - centre) / power.sum()), 1.0))

    def _pulse_rate(self, sounds: NDArray[np.bool_], centre: float) -> float:
        """Return pulses a second, the median over blocks; NaN if half of them have none, or the repetition is a pitch."""
        seconds = self._bin / self._rate
        rates, start = [], 0
        for envelope, edges in zip(self._envelopes, self._edges, strict=True):
            own = np.repeat(sounds, WINDOW_BINS)[start : start + len(envelope)]
            start += len(envelope)
            if own.any():
                # The waves of a hum are not pulses; differences suppress it.
                fastest = centre / WAVES_A_PULSE
                found = [_pulses(part, own, seconds, limit) for part, limit in ((envelope, fastest), (edges, np.inf))]
                rates.append(max(found, key=lambda best: best[1])[0])
        if not rates or np.isnan(rates).mean() > 0.5:
            return math.nan
        return float(np.nanmedian(rates))


def _pulses(envelope: FloatArray, sounds: NDArray[np.bool_], seconds: float, fastest: float) -> tuple[float, float]:
    """Return pulses a second of an envelope (power, in bins), and the strength of repetition; (NaN, 0) without pulses.

    Pulses faster than `fastest` (a second) are none.
    """
    from scipy.fft import irfft, next_fast_len, rfft

    inner = np.flatnonzero(sounds)
    envelope = envelope[inner[0] : inner[-1] + 1]
    longest = len(envelope) // FEWEST_PULSES
    if longest <= FASTEST_BINS + 1:
        return math.nan, 0.0
    heights = np.sqrt(envelope)
    heights = heights - heights.mean()
    size = int(next_fast_len(2 * len(heights), real=True))
    repeated = irfft(np.square(np.abs(rfft(heights, size))), size)[: longest + 2]
    repeated /= np.arange(len(heights), len(heights) - longest - 2, -1) / len(heights)
    if repeated[0] <= 0.0:
        return math.nan, 0.0
    repeated /= repeated[0]
    before, here, after = repeated[FASTEST_BINS - 1 : -2], repeated[FASTEST_BINS:-1], repeated[FASTEST_BINS + 1 :]
    peak = (here >= before) & (here > after) & (here >= MIN_PULSE_CORRELATION)
    peak &= here - np.minimum.accumulate(repeated)[FASTEST_BINS:-1] >= MIN_PULSE_RISE
    if not peak.any():
        return math.nan, 0.0
    places = np.arange(FASTEST_BINS, FASTEST_BINS + len(here))
    best = int(np.where(peak, here - PULSE_OCTAVE_COST * np.log2(places / FASTEST_BINS), -np.inf).argmax())
    shift = 0.5 * (before[best] - after[best]) / (before[best] - 2.0 * here[best] + after[best])
    rate, depth = 1.0 / (seconds * (places[best] + shift)), _depth(envelope, int(places[best]))
    if depth < MIN_DEPTH or (rate > FAST and (rate > fastest or depth < MIN_DEPTH_OF_FAST)):
        return math.nan, 0.0
    return rate, float(here[best])


def _depth(envelope: FloatArray, interval: int) -> float:
    """Return the typical fall (dB) of the envelope within an interval (bins), where it is loud."""
    from scipy.ndimage import maximum_filter1d, minimum_filter1d

    level = _decibels(envelope)
    top = maximum_filter1d(level, interval + 1)
    loud = top >= top.max() - LOUD
    return float(np.median((top - minimum_filter1d(level, interval + 1))[loud]))


def _sounding(level: FloatArray) -> tuple[NDArray[np.bool_], float]:
    """Return which windows contain sound, by their levels (dB), and the level above which they do."""
    floor = max(float(np.quantile(level, FLOOR_SHARE)), FAINTEST)
    if level.max() < floor + CLEARLY:
        return np.ones(len(level), dtype=bool), -math.inf
    return level >= floor + ABOVE_FLOOR, floor + ABOVE_FLOOR


def _swell(power: FloatArray, sounds: NDArray[np.bool_]) -> float:
    """Return decibels from the first to the last third of the sound, from the power of windows; NaN for fewer than three."""
    inner = np.flatnonzero(sounds)
    third = (inner[-1] + 1 - inner[0]) // 3
    if not third:
        return math.nan
    parts = np.array([power[inner[0] : inner[0] + third].mean(), power[inner[-1] + 1 - third : inner[-1] + 1].mean()])
    return float(np.diff(_decibels(parts))[0])


def _pauses(sounds: NDArray[np.bool_], longest_gap: float) -> int:
    """Number of silent stretches between windows with sound, longer than the gaps between pulses (windows)."""
    return int(np.count_nonzero(np.diff(np.flatnonzero(sounds)) > max(PAUSE_WINDOWS, longest_gap)))


def _means(values: FloatArray, size: int) -> FloatArray:
    """Means of `size` consecutive values; the remainder at the end has its own mean."""
    starts = np.arange(0, len(values), size)
    return np.asarray(np.add.reduceat(values, starts) / np.diff(np.append(starts, len(values))))


def _decibels(power: Any) -> FloatArray:
    return np.asarray(10.0 * np.log10(np.maximum(power, 10.0 ** (FAINTEST / 10.0))))


def by_field(sounds: Mapping[str, Sound]) -> dict[str, dict[str, float]]:
    """Return the fields of recordings, by id, as mappings from ids to values, without NaN."""
    return {
        field: {entry: value for entry, sound in sounds.items() if math.isfinite(value := float(getattr(sound, field)))}
        for field in Sound._fields
    }


def remarks_on_sound(sounds: Mapping[str, Sound], recipe: Any) -> list[str]:
    """Return notes on differences between recordings that their features do not show."""
    notes = []
    levels = np.array([sound.loudness for sound in sounds.values()])
    span = float(np.ptp(np.quantile(levels, [0.1, 0.9]))) if levels.size else 0.0
    if span >= LOUDNESS_SPAN:
        notes.append(
            f"most recordings differ in loudness by up to {span:.0f} dB; gains of recorders may differ, so that loudness describes"
            " clusters but does not form them"
        )
    window = getattr(recipe, "window_seconds", None)
    rates = np.array([sound.pulses for sound in sounds.values() if not math.isnan(sound.pulses)])
    if window is None or not rates.size:
        return notes
    blurred = rates[rates * window > BLURRED_PULSES]
    if blurred.size >= max(2, BLURRED_SHARE * len(sounds)) and np.ptp(
        np.quantile(blurred, [0.1, 0.9])
    ) > 0.05 * np.median(blurred):
        shorter = float(f"{0.4 / blurred.max():.1g}")
        notes.append(
            f"{count(len(blurred), 'recording')} have {blurred.min():.0f} to {blurred.max():.0f} pulses a second, which windows of"
            f" {in_seconds(window)} blur; {as_typed('window_seconds', shorter)} compares them"
        )
    return notes


def heard(sequences: SequenceSet) -> dict[str, FloatArray]:
    """Return properties of recordings by name, each shape (N,), on scales where ratios become differences.

    NaN of recordings that do not have one; without those that no recording has, and empty for anything but recordings whose sound
    was measured.
    """
    measured = recording_info(sequences).sound
    found = {}
    for kind, field in HEARD.items():
        known = measured.get(field) or {}
        if known:
            values = np.array([float(known.get(entry, np.nan)) for entry in sequences.ids.tolist()])
            found[kind] = np.log(values) if field in LOGARITHMIC else values
    return found


def durations(sequences: SequenceSet) -> FloatArray | None:
    """Return durations of recordings in steps of frames, shape (N,), with the end that no frame covers; None for other data."""
    known = recording_info(sequences).sound.get("seconds")
    clock = clock_of(sequences)
    if not known or clock is None:
        return None
    return np.array([float(known[entry]) / clock.step for entry in sequences.ids.tolist()])


def in_decibels(sequences: SequenceSet) -> SequenceSet:
    """Return recordings with their energy in dB re full scale instead of relative to their own loudest frame."""
    info = recording_info(sequences)
    loudest = info.sound.get("loudest")
    names = sequences.provenance.get("columns") or []
    if not loudest or "energy" not in names or info.features.get("normalise") != "none":
        return sequences
    if info.recipe.get("energy") != "normalised":
        return sequences
    values, column = sequences.values.copy(), list(names).index("energy")
    levels = np.array([float(loudest[entry]) for entry in sequences.ids.tolist()])
    # Normalised energy is 1 at the loudest frame and falls by 0.1 a neper; convert it to decibels.
    values[:, column] = (values[:, column] - 1.0) * 100.0 / np.log(10.0) + np.repeat(levels, sequences.lengths)
    return replace(sequences, values=values)
