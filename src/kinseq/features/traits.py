"""Properties of sequences by which clusters are explained; those that decide about clusters are in `properties`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.arrays import FloatArray, IntArray
from ..core.sequences import SequenceSet
from .column_names import column_labels
from .properties import STILL_DEVIATION, WORDS, properties
from .sound import durations, heard, in_decibels

MIN_WAVE_SHARE = 0.5
"""Share of the power in the largest wave of the spectrum from which on a sequence has a period."""
TWO_STATES = 0.7
"""Bimodality, (1 + squared skewness) / kurtosis, from which on values are of two states; 2/3 of a sine, 1 of two values."""
MAX_EVENT_SHARE = 0.2
"""Share of outlying frames up to which these are events; least share of frames in each of two states."""
MIN_EVENT_DEVIATIONS = 7.5
"""Median absolute deviations (about 5 deviations of normal noise) from the median, beyond which frames are an event."""
PADDING_FACTOR = 8
"""Spectra are computed at this many times the frequencies that the length asks for."""
OF_EACH_COLUMN = ("period", "event time", "event size", "events", "dwell", "form", "regularity", "quickening")
"""Properties of each column, beside those of :func:`~kinseq.features.properties.properties`."""
SWITCH_DEVIATIONS = 0.5
"""Deviations from the mean that values pass on either side, so that noise at the mean is no switch."""
FEWEST_INTERVALS = 3
"""Intervals between switches from which on they are regular or not."""
MIN_INTERVAL_DEVIATION = 0.01
"""Least deviation of such intervals, as a share of their mean: frames are no finer."""
FEWEST_FRAMES = 8
"""Frames whose halves have a roughness each."""
COURSE_POINTS = 50
"""Points that courses are stretched to."""
OF_SOUND = re.compile(r"(second )?(change of )?([\w/]+ )?(coefficient \d+|energy|note [A-G]#?)( \(loudness\))?")
"""What columns of features of recordings are called, and hardly any others."""


@dataclass(frozen=True)
class Traits:
    """Properties of the sequences of a set, each on a scale on which it is compared.

    Attributes
    ----------
    kinds : tuple of str, length P
        Of each property; ``"period"``, ``"event time"`` and so on.
    columns : tuple of str, length P
        Name of its column, of two columns, or ``""``.
    values : ndarray, shape (N, P)
    """

    kinds: tuple[str, ...]
    columns: tuple[str, ...]
    values: FloatArray


def traits(sequences: SequenceSet) -> Traits:
    """Return properties of each sequence that can be said in words.

    Parameters
    ----------
    sequences : SequenceSet

    Returns
    -------
    Traits
        Those of :func:`~kinseq.features.properties.properties`, and of each column: ``period`` (logarithm of the frames of
        the largest wave of the spectrum, where it carries half of the power and is there twice), ``event time`` and
        ``event size`` (of the largest excursion from the median: 0 to 1; deviations), ``events`` (number of runs of outlying
        frames), ``dwell`` (logarithm of the mean frames between two passings of the mean, where values are of two states),
        ``form`` (logarithm of the kurtosis), ``regularity`` (logarithm of the deviation of intervals between upward passings of
        the mean, as a share of their mean, where there are three or more), ``quickening`` (logarithm of the roughness of the
        second half over that of the first). Of recordings those of :func:`~kinseq.features.sound.heard`. Sequences without a
        period, a pitch, intervals or two states have the median of those with one.
    """
    names, sequences = column_labels(sequences), in_decibels(sequences)
    plain = properties(sequences)
    kinds, columns = _split(plain.names, names)
    frames_long = durations(sequences)
    if frames_long is not None:
        plain.values[:, -1] = np.log(frames_long)
    floor = np.maximum(STILL_DEVIATION * sequences.values.std(axis=0), np.finfo(float).tiny)
    parts = [plain.values, _filled(np.array([_row(frames, floor) for frames in sequences]))]
    kinds += [kind for kind in OF_EACH_COLUMN for _ in names]
    columns += names * len(OF_EACH_COLUMN)
    for kind, values in heard(sequences).items():
        parts.append(_filled(values[:, None].copy()))
        kinds, columns = [*kinds, kind], [*columns, ""]
    return Traits(tuple(kinds), tuple(columns), np.hstack(parts))


def courses(sequences: SequenceSet, points: int = COURSE_POINTS) -> FloatArray:
    """Return each column of each sequence at `points` places from beginning to end, shape (d, N, points)."""
    places, sequences = np.linspace(0.0, 1.0, points), in_decibels(sequences)
    values = np.empty((sequences.n_features, len(sequences), points))
    for i, frames in enumerate(sequences):
        time = np.linspace(0.0, 1.0, len(frames)) if len(frames) > 1 else np.array([0.5])
        for k, column in enumerate(frames.T):
            values[k, i] = np.interp(places, time, column)
    return values


def _split(properties_of: tuple[str, ...], names: list[str]) -> tuple[list[str], list[str]]:
    """Return kinds and columns of plain properties, in their order."""
    d = len(names)
    kinds = [kind for kind in list(WORDS)[:5] for _ in names]
    columns = names * 5
    pairs = len(properties_of) - 5 * d - 1
    if pairs:
        kinds += ["correlation"] * pairs
        columns += [f"{names[i]} and {names[j]}" for i, j in zip(*np.triu_indices(d, k=1), strict=True)]
    return [*kinds, "length"], [*columns, ""]


def _row(frames: FloatArray, floor: FloatArray) -> FloatArray:
    """Return properties of all columns of one sequence, one kind after another."""
    length, level = len(frames), frames.mean(axis=0)
    spread = np.maximum(frames.std(axis=0), floor)
    away = frames - np.median(frames, axis=0)
    largest = np.abs(away).argmax(axis=0)
    size = np.abs(away)[largest, np.arange(away.shape[1])]
    usual = np.maximum(np.median(np.abs(away), axis=0), floor)
    units = (frames - level) / spread
    kurtosis = np.maximum((units**4).mean(axis=0), STILL_DEVIATION)
    bimodal = (1.0 + np.square((units**3).mean(axis=0))) / kurtosis >= TWO_STATES
    share = (units > 0).mean(axis=0)
    bimodal &= (share >= MAX_EVENT_SHARE) & (share <= 1.0 - MAX_EVENT_SHARE)
    dwell = np.log(length / (1.0 + np.count_nonzero(np.diff(units > 0, axis=0), axis=0)))
    outlying = np.abs(away) > MIN_EVENT_DEVIATIONS * usual
    return np.concatenate(
        [
            np.log(_period(frames - level)),
            largest / max(length - 1, 1),
            size / spread,
            np.where(outlying.mean(axis=0) <= MAX_EVENT_SHARE, _runs(outlying), 0),
            np.where(bimodal, dwell, np.nan),
            np.log(kurtosis),
            np.array([_regularity(column) for column in units.T]),
            _quickening(frames, floor),
        ]
    )


def _regularity(units: FloatArray) -> float:
    """Return the logarithm of how much intervals between upward switches of one column vary; NaN of too few."""
    sides = np.where(units > SWITCH_DEVIATIONS, 1, np.where(units < -SWITCH_DEVIATIONS, -1, 0))
    places = np.flatnonzero(sides)
    upward = places[1:][np.diff(sides[places]) > 0]
    intervals = np.diff(upward)
    if intervals.size < FEWEST_INTERVALS:
        return float("nan")
    return float(np.log(max(intervals.std() / intervals.mean(), MIN_INTERVAL_DEVIATION)))


def _quickening(frames: FloatArray, floor: FloatArray) -> FloatArray:
    """Return the logarithm of the roughness of the second half over that of the first, shape (d,); NaN where a half is still."""
    if len(frames) < FEWEST_FRAMES:
        return np.full(frames.shape[1], np.nan)
    halves = np.array_split(frames, 2)
    steps = np.array([np.sqrt(np.square(np.diff(half, axis=0)).mean(axis=0)) for half in halves])
    spreads = np.array([half.std(axis=0) for half in halves])
    moving = (spreads > floor).all(axis=0) & (steps > floor).all(axis=0)
    rough = np.where(moving, steps / np.where(moving, spreads, 1.0), 1.0)
    return np.where(moving, np.log(rough[1] / rough[0]), np.nan)


def _filled(values: FloatArray) -> FloatArray:
    """Return what is not known of a sequence is the median of what is known of others, 0 if that is nothing."""
    blank = np.isnan(values)
    for j in np.flatnonzero(blank.any(axis=0)):
        others = values[~blank[:, j], j]
        values[blank[:, j], j] = np.median(others) if others.size else 0.0
    return values


def _period(centred: FloatArray) -> FloatArray:
    """Return frames of the largest wave of each column, shape (d,); NaN where it carries too little of the power."""
    length = len(centred)
    if length < 4:
        return np.full(centred.shape[1], np.nan)
    size = PADDING_FACTOR * (1 << (length - 1).bit_length())
    power = np.square(np.abs(np.fft.rfft(centred * np.hanning(length)[:, None], size, axis=0)))
    lowest, lobe = size // length, 2 * size // length
    peak = lowest + power[lowest:].argmax(axis=0)
    summed = np.vstack([np.zeros(power.shape[1]), np.cumsum(power, axis=0)])
    columns = np.arange(power.shape[1])
    carried = summed[np.minimum(peak + lobe + 1, len(power)), columns] - summed[np.maximum(peak - lobe, 0), columns]
    there = carried > MIN_WAVE_SHARE * np.maximum(summed[-1], np.finfo(float).tiny)
    return np.where(there & (peak >= 2 * lowest), size / peak, np.nan)


def _runs(marked: Any) -> IntArray:
    """Return the number of runs of marked frames in each column, shape (d,)."""
    return np.asarray(
        marked[0].astype(np.int64) + np.count_nonzero(np.diff(marked.astype(np.int8), axis=0) > 0, axis=0)
    )
