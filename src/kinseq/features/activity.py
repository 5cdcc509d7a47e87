"""Where in a long recording something sounds, by its energy."""

from __future__ import annotations

import math

import numpy as np

from ..core.arrays import FloatArray
from ..core.store import PathLike
from .audio import audio_info, stream_audio

WINDOW_SECONDS = 0.010
"""Seconds of a window at rates from 8000 to 48 000 Hz; at others it has as many samples as there."""
BACKGROUND_SHARE = 0.2
"""Share of the windows that are held to be background: the level is that of the loudest of them."""
RISE, SHARE = 10.0, 1.0 / 3.0
"""Decibels above the background that sound has at least, and share of the way from there to the loudest window."""
GAP, SHORTEST, MARGIN = 10, 2, 2
"""Windows: of a gap within a segment at most, of a segment at least, and kept before and behind it."""
LOUDEST_SHARE = 0.999
"""Share of the windows below the level that is held to be the loudest: a single crack counts for nothing."""


def active_segments(path: PathLike) -> FloatArray:
    """Return segments of a recording in which something sounds.

    Parameters
    ----------
    path : path-like
        A recording, of any length; it is read in blocks.

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
    The level is the mean square of the differences from sample to sample, in windows of 10 ms, which sees rumble and offsets less
    than calls. A segment is a run of windows that lie at least 10 dB above the background (the quiet fifth of the windows), and
    a third of the way up to the loudest; gaps of up to 10 windows are part of it. Segments of fewer than 2 windows are left
    out, and 2 windows before and behind each are kept.
    """
    rate = float(audio_info(path).sample_rate)
    seconds = WINDOW_SECONDS * max(8000.0 / rate, 1.0) * min(48000.0 / rate, 1.0)
    window = max(2, round(seconds * rate))
    parts: list[FloatArray] = []
    held, total = np.zeros(0), 0
    for piece in stream_audio(path):
        total += len(piece)
        held = np.concatenate([held, piece])
        # One sample more, so that each has a difference from the one before.
        whole = max(0, (len(held) - 1) // window)
        if whole:
            steps = np.diff(held[: whole * window + 1]).reshape(-1, window)
            parts.append(np.square(steps).mean(axis=1))
            held = held[whole * window :]
    if not parts:
        return np.zeros((0, 2))
    levels = 10.0 * np.log10(np.maximum(np.concatenate(parts), 1e-30))
    background, top = np.quantile(levels, [BACKGROUND_SHARE, LOUDEST_SHARE])
    loud = levels >= background + max(RISE, SHARE * (top - background))
    edges = np.flatnonzero(np.diff(np.concatenate([[0], loud.astype(np.int8), [0]])))
    runs = edges.reshape(-1, 2)
    if not len(runs):
        return np.zeros((0, 2))
    apart = np.flatnonzero(runs[1:, 0] - runs[:-1, 1] > GAP)
    starts, stops = runs[np.append(0, apart + 1), 0], runs[np.append(apart, len(runs) - 1), 1]
    long = stops - starts >= SHORTEST
    spans = np.column_stack([starts[long] - MARGIN, stops[long] + MARGIN]) * (window / rate)
    return np.clip(spans, 0.0, math.nextafter(total / rate, math.inf))
