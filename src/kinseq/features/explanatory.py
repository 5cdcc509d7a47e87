"""Properties of sequences that explain clusters; those that decide clusters are in `properties`."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from ..core.arrays import FloatArray
from ..core.memo import once_per_object
from ..core.sequences import SequenceSet
from .column_names import column_labels
from .properties import STILL_DEVIATION, WORDS, properties
from .sound import durations, heard, in_decibels
from .symbol_properties import explained

LEAST_HEARD_PERIOD = 4.0
"""Frames of features of recordings below which there is no period."""
MIN_WAVE_SHARE = 0.5
"""Least share of the power in the largest wave of the spectrum for a period."""
TWO_STATES, MOST_BETWEEN, LEAST_IN_STATE = 0.85, 0.12, 0.2
"""Least share of the variance between the values above and below a threshold for two states (0.81 for a sine), largest
share of the frames in the middle between the states, least share in each state."""
MIN_EVENT_DEVIATIONS, EVENT_EDGE = 7.5, 3.5
"""Median absolute deviations from the median (7.5 are about 5 deviations of normal noise) beyond which a frame is an event,
and above which an event continues."""
MOST_EVENT_SHARE, LEAST_PAUSES, FEWEST_PAUSED, PAUSE_OF_STRETCHES = 0.5, 50, 2, 2
"""Largest share of frames far from the median for events to be counted; pause after which an event is over, as a part of
the sequence, or in typical lengths of a stretch far from the median if that is less; least pause in frames."""
RARE_STATE_SHARE = 0.125
"""Share of the frames below which a state is rare, so that each visit counts as an event."""
MIN_MAIN_SHARE, MIN_MAIN_SHARPNESS = 0.5, 0.1
"""Least share of the variance that one interval explains for the main event, and least excess over a line: a steady rise
has no moment."""
MIN_BEND_GAIN = 0.05
"""Least excess of the variance explained by a line with a bend over a step for a course that keeps rising."""
MAIN_BINS = 100
"""Number of parts of a sequence between which the ends of the main event are searched."""
MOST_TIMING_DEVIATION = 0.35
"""Largest deviation in time, from -1 to 1, of the squared deviations from the mean for a single moment; 0.58 if even."""
PADDING_FACTOR = 8
"""Factor by which spectra are computed at more frequencies than the length requires."""
OF_EACH_COLUMN = (
    "period",
    "event time",
    "event size",
    "events",
    "dwell",
    "time high",
    "time low",
    "form",
    "regularity",
    "quickening",
)
"""Properties of each column, in addition to those of :func:`~kinseq.features.properties.properties`."""
SWITCH_DEVIATIONS = 0.5
"""Deviations from the mean on either side that values must pass, so that noise at the mean is no switch."""
FEWEST_INTERVALS = 3
"""Least number of intervals between switches for regularity."""
MIN_INTERVAL_DEVIATION = 0.01
"""Least relative deviation of such intervals: frames are no finer."""
FEWEST_FRAMES = 8
"""Least number of frames for a roughness of each half."""
COURSE_POINTS = 50
"""Number of points that courses are stretched to."""
OF_SOUND = re.compile(r"(second )?(change of )?([\w/]+ )?(coefficient \d+|energy|note [A-G]#?)( \(loudness\))?")
"""Pattern of names of columns that are features of recordings."""


@dataclass(frozen=True)
class Traits:
    """Properties of the sequences of a set, each on a scale suitable for comparison.

    Attributes
    ----------
    kinds : tuple of str, length P
        Of each property; ``"period"``, ``"event time"`` and so on.
    columns : tuple of str, length P
        Name of its column, of two columns, or ``""``.
    values : ndarray, shape (N, P)
        NaN where a sequence has no such property: nothing that swings has a period, and no other has one.
    """

    kinds: tuple[str, ...]
    columns: tuple[str, ...]
    values: FloatArray

    @property
    def filled(self) -> FloatArray:
        """The values with missing ones replaced by the median of the others, 0 if there are none."""
        values = self.values.copy()
        for column in values.T:
            blank = np.isnan(column)
            if blank.any():
                column[blank] = 0.0 if blank.all() else np.median(column[~blank])
        return values


@once_per_object
def traits(sequences: SequenceSet) -> Traits:
    """Return properties of each sequence that have words.

    Parameters
    ----------
    sequences : SequenceSet

    Returns
    -------
    Traits
        Those of :func:`~kinseq.features.properties.properties`, the ``timing`` only where it is one moment, and of each column:
        ``period`` (logarithm of the frames of the largest wave of the spectrum, where it carries half of the power and is there
        twice), ``event time`` (0 to 1: the edge of the largest step, or the middle of the largest burst, where one of them
        explains half of the variance), ``event size`` (logarithm of the largest distance from the median, in the unit of the
        column), ``events`` (number of stretches far from the median), ``time high`` and ``time low`` (logarithms of the typical
        frames that whole
        stretches above and below a threshold last, where values are of two states), ``dwell`` (of both together), ``form``
        (logarithm of the kurtosis), ``regularity`` (logarithm of the deviation of intervals between upward passings of the mean,
        as a share of their mean, where there are three or more), ``quickening`` (logarithm of the root mean square step of the
        second half over that of the first). Of recordings those of
        :func:`~kinseq.features.sound.heard`; of symbols those of :func:`.symbol_properties.explained`.
    """
    if sequences.alphabet is not None:
        return Traits(*explained(sequences))
    names, sequences = column_labels(sequences), in_decibels(sequences)
    plain = properties(sequences)
    kinds, columns = _split(plain.names, names)
    floor = np.maximum(STILL_DEVIATION * sequences.values.std(axis=0), np.finfo(float).tiny)
    own = np.array([_row(frames, floor) for frames in sequences])
    values = plain.values.copy()
    seconds = durations(sequences)
    if seconds is not None:
        values[:, -1] = np.log(seconds)
        # Frames blur faster pulses; their rate is measured in the sound itself.
        periods = own[:, : len(names)]
        periods[periods < np.log(LEAST_HEARD_PERIOD)] = np.nan
    is_moment, moves = own[:, -2 * len(names) : -len(names)] > 0.0, own[:, -len(names) :] > 0.0
    of = np.array(kinds)
    values[:, of == "timing"] = np.where(is_moment, values[:, of == "timing"], np.nan)
    values[:, of == "roughness"] = np.where(moves, values[:, of == "roughness"], np.nan)
    parts = [values, own[:, : -2 * len(names)]]
    kinds += [kind for kind in OF_EACH_COLUMN for _ in names]
    columns += names * len(OF_EACH_COLUMN)
    for kind, of_each in heard(sequences).items():
        parts.append(of_each[:, None])
        kinds, columns = [*kinds, kind], [*columns, ""]
    return Traits(tuple(kinds), tuple(columns), np.hstack(parts))


def courses(sequences: SequenceSet, points: int = COURSE_POINTS) -> FloatArray:
    """Return each column of each sequence at `points` places from beginning to end, shape (d, N, points)."""
    if sequences.alphabet is not None:
        # Codes of states have no course.
        return np.zeros((1, len(sequences), points))
    places, sequences = np.linspace(0.0, 1.0, points), in_decibels(sequences)
    values = np.empty((sequences.n_features, len(sequences), points))
    for i, frames in enumerate(sequences):
        time = np.linspace(0.0, 1.0, len(frames)) if len(frames) > 1 else np.array([0.5])
        for k, column in enumerate(frames.T):
            values[k, i] = np.interp(places, time, column)
    return values


def _split(properties_of: tuple[str, ...], names: list[str]) -> tuple[list[str], list[str]]:
    """Return kinds and columns of plain properties, in order."""
    d = len(names)
    kinds = [kind for kind in list(WORDS)[:5] for _ in names]
    columns = names * 5
    pairs = len(properties_of) - 5 * d - 1
    if pairs:
        kinds += ["correlation"] * pairs
        columns += [f"{names[i]} and {names[j]}" for i, j in zip(*np.triu_indices(d, k=1), strict=True)]
    return [*kinds, "length"], [*columns, ""]


def _row(frames: FloatArray, floor: FloatArray) -> FloatArray:
    """Return the properties of all columns of one sequence, by kind.

    Then come whether there is a moment of largest deviation, and whether anything moves.
    """
    length, level = len(frames), frames.mean(axis=0)
    moves = np.ptp(frames, axis=0) > floor
    spread = np.maximum(frames.std(axis=0), floor)
    away = np.abs(frames - np.median(frames, axis=0))
    usual = np.maximum(np.median(away, axis=0), floor)
    units = (frames - level) / spread
    squares = np.square(units)
    kurtosis = np.maximum((squares**2).mean(axis=0), STILL_DEVIATION)
    time = np.linspace(-1.0, 1.0, length)[:, None] if length > 1 else np.zeros((1, 1))
    weight = squares / np.maximum(squares.sum(axis=0), np.finfo(float).tiny)
    deviation = np.sqrt(np.maximum((weight * time**2).sum(axis=0) - (weight * time).sum(axis=0) ** 2, 0.0))
    states = np.array([_states(column) for column in frames.T])
    above = (frames > (frames.min(axis=0) + frames.max(axis=0)) / 2.0).mean(axis=0)
    rare = np.minimum(above, 1.0 - above) < RARE_STATE_SHARE
    return np.concatenate(
        [
            np.log(_period(frames - level)),
            np.where(moves, [_main_event(column) for column in frames.T], np.nan),
            np.log(np.maximum(away.max(axis=0), floor)),
            # Of two states, neither is an event unless one is rare.
            np.where(
                np.isnan(states[:, 0]) | rare,
                [_events(column / unit) for column, unit in zip(away.T, usual, strict=True)],
                np.nan,
            ),
            np.log(states.mean(axis=1)),
            np.log(states[:, 0]),
            np.log(states[:, 1]),
            np.where(moves, np.log(kurtosis), np.nan),
            np.array([_regularity(column) for column in units.T]),
            _quickening(frames, floor),
            np.where(moves & (deviation <= MOST_TIMING_DEVIATION), 1.0, 0.0),
            np.where(moves, 1.0, 0.0),
        ]
    )


def _main_event(column: FloatArray) -> float:
    """Return the time of the main event of one column, 0 to 1: edge of a step, or middle of a burst; NaN if there is none.

    An interval in which values, or their distances from the median, are larger than elsewhere explains some share of the variance.
    One that begins with the sequence, or ends with it, has one edge, and is a step.
    """
    length = len(column)
    if length < FEWEST_FRAMES:
        return float("nan")
    edges = np.unique(np.linspace(0, length, min(length, MAIN_BINS) + 1).astype(np.int64))
    sizes = np.diff(edges)
    found = [
        _interval(np.add.reduceat(values, edges[:-1]) / sizes, only_larger)
        for values, only_larger in ((column, False), (np.abs(column - np.median(column)), True))
    ]
    share, begin, end = max(found)
    if share < MIN_MAIN_SHARE:
        return float("nan")
    low, high = edges[begin], edges[end]
    place = high if begin == 0 else low if end == len(sizes) else (low + high) / 2.0
    return float(place / length)


def _interval(values: FloatArray, only_larger: bool) -> tuple[float, int, int]:
    """Return the share of the variance that the best interval explains, and its ends.

    The share is 0 if a line does nearly as well, or, of an interval with one edge, if a line with a bend does: what goes on rising
    has no moment.
    """
    n = len(values)
    centred = values - values.mean()
    total = float(np.square(centred).sum())
    if total <= 0.0:
        return 0.0, 0, n
    summed = np.concatenate([[0.0], np.cumsum(centred)])
    inside = summed[None, :] - summed[:, None]
    size = np.arange(n + 1)[None, :] - np.arange(n + 1)[:, None]
    usable = (size > 0) & (size < n)
    if only_larger:
        usable &= inside > 0.0
    explained = np.where(usable, np.square(inside) * n / np.where(usable, size * (n - size), 1), 0.0) / total
    begin, end = np.unravel_index(int(explained.argmax()), explained.shape)
    time = np.arange(n)
    later = np.maximum(time - time[:, None], 0)
    bends = np.concatenate([later, time - later])
    bends = bends - bends.mean(axis=1, keepdims=True)
    sizes = np.square(bends).sum(axis=1)
    by_bends = np.square(bends @ centred) / np.where(sizes > 0.0, sizes, 1.0) / total
    share = float(explained[begin, end])
    has_one_edge = begin == 0 or end == n
    is_gradual = share < by_bends[0] + MIN_MAIN_SHARPNESS or (has_one_edge and share < by_bends.max() - MIN_BEND_GAIN)
    return (0.0 if is_gradual else share), int(begin), int(end)


def _events(away: FloatArray) -> float:
    """Return the number of events from distances from the median in units of the typical one; NaN if most frames are in one."""
    near = np.flatnonzero(away > EVENT_EDGE)
    if np.count_nonzero(away > MIN_EVENT_DEVIATIONS) > MOST_EVENT_SHARE * len(away):
        return float("nan")
    stretches = np.split(near, np.flatnonzero(np.diff(near) > 1) + 1)
    usual = float(np.median([len(stretch) for stretch in stretches]))
    # Swings of a burst with short pauses are one event; frequent spikes are several.
    pause = max(FEWEST_PAUSED, min(len(away) // LEAST_PAUSES, PAUSE_OF_STRETCHES * usual))
    parts = np.split(near, np.flatnonzero(np.diff(near) > pause) + 1)
    return float(sum(bool(part.size and away[part].max() > MIN_EVENT_DEVIATIONS) for part in parts))


def _states(column: FloatArray) -> tuple[float, float]:
    """Return typical durations, in frames, of high and of low values; NaN if values are not of two states."""
    none = float("nan"), float("nan")
    low, high = float(column.min()), float(column.max())
    if high <= low:
        return none
    threshold = (low + high) / 2.0
    for _ in range(10):
        above = column > threshold
        if above.all() or not above.any():
            return none
        means = float(column[~above].mean()), float(column[above].mean())
        threshold, before = (means[0] + means[1]) / 2.0, threshold
        if threshold == before:
            break
    above = column > threshold
    share = float(above.mean())
    half = (means[1] - means[0]) / 2.0
    between = share * (1.0 - share) * (2.0 * half) ** 2 / float(column.var())
    if not LEAST_IN_STATE <= share <= 1.0 - LEAST_IN_STATE:
        return none
    if between < TWO_STATES or float((np.abs(column - threshold) < 0.4 * half).mean()) > MOST_BETWEEN:
        return none
    # A value that returns to the middle has not changed its state.
    sides = np.where(column > threshold + 0.4 * half, 1, np.where(column < threshold - 0.4 * half, -1, 0))
    places = np.flatnonzero(sides)
    turns = np.concatenate([[0], places[1:][np.diff(sides[places]) != 0], [len(column)]])
    lasting, side = np.diff(turns)[1:-1], sides[turns[1:-2]]
    if not (side > 0).any() or not (side < 0).any():
        return none
    return float(np.median(lasting[side > 0])), float(np.median(lasting[side < 0]))


def _regularity(units: FloatArray) -> float:
    """Return the logarithm of the variation of intervals between upward switches of one column; NaN for too few."""
    sides = np.where(units > SWITCH_DEVIATIONS, 1, np.where(units < -SWITCH_DEVIATIONS, -1, 0))
    places = np.flatnonzero(sides)
    upward = places[1:][np.diff(sides[places]) > 0]
    intervals = np.diff(upward)
    if intervals.size < FEWEST_INTERVALS:
        return float("nan")
    return float(np.log(max(intervals.std() / intervals.mean(), MIN_INTERVAL_DEVIATION)))


def _quickening(frames: FloatArray, floor: FloatArray) -> FloatArray:
    """Return the log ratio of the typical steps of the second half to the first, shape (d,); NaN if a half is constant."""
    if len(frames) < FEWEST_FRAMES:
        return np.full(frames.shape[1], np.nan)
    steps = np.array([np.sqrt(np.square(np.diff(half, axis=0)).mean(axis=0)) for half in np.array_split(frames, 2)])
    moving = (steps > floor).all(axis=0)
    return np.where(moving, np.log(np.where(moving, steps[1] / np.where(moving, steps[0], 1.0), 1.0)), np.nan)


def _period(centred: FloatArray) -> FloatArray:
    """Return the period, in frames, of the largest wave of each column, shape (d,); NaN if it has too little power."""
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
