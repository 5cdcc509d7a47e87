"""Find sounds in a long recording by the power of its bands above their background."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import FloatArray, IntArray
from ..core.store import PathLike
from .audio import audio_info, stream_audio

WINDOW_SECONDS = 0.010
"""Seconds between windows at rates from 8000 to 48 000 Hz; at others, windows have the same number of samples as at these
limits."""
BANDS_AN_OCTAVE, NARROWEST_BINS = 3, 6
"""Bands of the spectrum per octave, and least bins of each: the power of fewer bins fluctuates too much."""
BACKGROUND_SHARE = 0.2
"""Share of the windows that are background; its level is that of the loudest of them, in each band."""
RISE, SHARE, HIGHEST_RISE = 11.0, 1.0 / 3.0, 18.0
"""Least decibels above the background in some band of a sound: a third of the difference to the loudest window if that is
more, up to the last number."""
GAP, SHORTEST, MARGIN = 10, 2, 2
"""Numbers of windows: longest gap within a segment, shortest segment, margin before and after."""
LOUDEST_SHARE = 0.999
"""Share of the windows below the reference for the loudest level, so that a single crack does not count."""
FEWEST_PULSES, LONGEST_INTERVAL, UNEVENNESS, LONGEST_PULSE = 3, 30, 0.35, 0.7
"""Pulses of one call: least number of runs, largest distance in windows, largest relative deviation of intervals from their
median, largest share of the interval in a run."""
COARSE = 3
"""Gaps of a coarser setting, relative to the usual one."""
OTHER_SHARE = 0.1
"""Share of segments that change under the coarser setting, above which a note reports it."""
_FINEST = 0.5
"""Resolution of levels in decibels."""


def active_segments(path: PathLike, gap: int = GAP) -> FloatArray:
    """Return segments of a recording that contain sound.

    Parameters
    ----------
    path : path-like
        A recording, of any length; it is read in blocks.
    gap : int
        Windows of silence that are part of a segment at most.

    Returns
    -------
    ndarray, shape (n, 2)
        Beginning and end of each segment, in seconds, in the order of time.

    Raises
    ------
    DataError
        As :func:`~kinseq.features.stream_audio`.

    Notes
    -----
    Power is taken in bands of a third of an octave, in windows of 20 ms every 10 ms. A segment is a run of windows in which a band
    lies at least 11 dB above its background (the level that a fifth of the windows does not exceed), or a third of the way up to
    the loudest window, at most 18 dB; gaps of up to 10 windows are part of it, and so are those between regular short pulses.
    Segments of fewer than 2 windows are left out, and 2 windows before and behind each are kept.
    """
    return segments_of(excess(path), gap)


class Excess(NamedTuple):
    """Level of a recording above its background.

    Attributes
    ----------
    above : ndarray, shape (windows,)
        Decibels, in the band in which that is most.
    step : float
        Seconds from one window to the next.
    seconds : float
        Duration of the recording.
    """

    above: FloatArray
    step: float
    seconds: float


def excess(path: PathLike) -> Excess:
    """Return the largest excess over the background in any band, for each window of a recording.

    Parameters
    ----------
    path : path-like

    Returns
    -------
    Excess
    """
    rate = float(audio_info(path).sample_rate)
    seconds = WINDOW_SECONDS * max(8000.0 / rate, 1.0) * min(48000.0 / rate, 1.0)
    window = max(2, round(seconds * rate))
    edges = _edges(window)
    parts: list[NDArray[np.int16]] = []
    held, total = np.zeros(0), 0
    for piece in stream_audio(path):
        total += len(piece)
        held = np.concatenate([held, piece])
        whole = len(held) // window - 1
        if whole > 0:
            parts.append(_levels(held[: (whole + 1) * window], window, edges))
            held = held[whole * window :]
    if not parts:
        return Excess(np.zeros(0), window / rate, total / rate)
    levels = np.concatenate(parts)
    background = np.quantile(levels, BACKGROUND_SHARE, axis=0)
    above = (levels - background).max(axis=1) * _FINEST
    return Excess(above, window / rate, total / rate)


def segments_of(found: Excess, gap: int = GAP) -> FloatArray:
    """Return segments, shape (n, 2), in seconds, above the background; see :func:`active_segments`."""
    above = found.above
    if not len(above):
        return np.zeros((0, 2))
    threshold = min(max(RISE, SHARE * float(np.quantile(above, LOUDEST_SHARE))), HIGHEST_RISE)
    loud = above >= threshold
    runs = np.flatnonzero(np.diff(np.concatenate([[0], loud.astype(np.int8), [0]]))).reshape(-1, 2)
    if not len(runs):
        return np.zeros((0, 2))
    joined = (runs[1:, 0] - runs[:-1, 1] <= gap) | _between_pulses(runs)
    starts, stops = runs[np.append(True, ~joined), 0], runs[np.append(~joined, True), 1]
    long = stops - starts >= SHORTEST
    # A window of 20 ms extends one step further.
    spans = np.column_stack([starts[long] + 1 - MARGIN, stops[long] + MARGIN]) * found.step
    return np.clip(spans, 0.0, math.nextafter(found.seconds, math.inf))


def _between_pulses(runs: IntArray) -> NDArray[np.bool_]:
    """Return which gaps between runs, shape (n - 1,), lie between regular short pulses of one call."""
    intervals = np.diff(runs[:, 0]).astype(np.float64)
    lengths = (runs[:, 1] - runs[:, 0])[:-1]
    between = np.zeros(len(intervals), dtype=bool)
    needed = FEWEST_PULSES - 1
    for first in range(len(intervals) - needed + 1):
        some = intervals[first : first + needed]
        typical = float(np.median(some))
        even = np.abs(some - typical) <= UNEVENNESS * typical
        short = lengths[first : first + needed] <= LONGEST_PULSE * typical
        if typical <= LONGEST_INTERVAL and even.all() and short.all():
            between[first : first + needed] = True
    return between


def _edges(window: int) -> IntArray:
    """Return first bins of the bands of spectra of two windows, and one behind the last band."""
    edges, last = [2], window
    while edges[-1] < last:
        edges.append(min(last, max(edges[-1] + NARROWEST_BINS, round(edges[-1] * 2.0 ** (1.0 / BANDS_AN_OCTAVE)))))
    if len(edges) > 2 and edges[-1] - edges[-2] < NARROWEST_BINS:
        del edges[-2]
    return np.array(edges if len(edges) > 1 else [0, last + 1], dtype=np.int64)


def _levels(samples: FloatArray, window: int, edges: IntArray) -> NDArray[np.int16]:
    """Return power of each band, shape (windows, bands), in steps of half a decibel."""
    from scipy.fft import rfft

    frames = np.lib.stride_tricks.sliding_window_view(samples, 2 * window)[::window]
    # Differences suppress rumble and its tails in other bands.
    spectra = np.square(
        np.abs(rfft(np.diff(frames, axis=1, append=frames[:, -1:]) * np.hanning(2 * window + 2)[1:-1], axis=1))
    )
    power = np.add.reduceat(spectra[:, : edges[-1]], edges[:-1], axis=1)
    return np.asarray(np.round(10.0 / _FINEST * np.log10(np.maximum(power, 1e-30))), dtype=np.int16)
