"""Splice sequences without groups: pieces of several sequences, each continuing where the previous one ended.

Machines that are switched on and off, pulses and days have no course that could be averaged: a combination of several
sequences (:mod:`.surrogates`) does not switch, and pieces that are joined anywhere lose the cycle. So each piece is taken from
a sequence drawn at random, from about the same time on, at the very place at which that sequence has just run as the spliced one
did: it is as far in its cycle. What belongs to a sequence as a whole, by which it could be of a group, is mixed; levels and
spreads are drawn apart.

That is of use only where every moment is as good as another, :func:`is_stationary`: of days with a peak in the morning or in the
afternoon, pieces would make days with both and with none.

Sources: Small, Yu and Harrison (2001), "Surrogate test for pseudoperiodic time series data", who go on at a neighbour in state
space; Lall and Sharma (1996), "A nearest neighbor bootstrap for resampling hydrologic time series".
"""

from __future__ import annotations

import numpy as np

from ..core.arrays import FloatArray, IntArray
from ..core.sequences import SequenceSet
from ..features.frames import summarised, to_length

PIECE_SHARES = 0.15, 0.35
"""Shortest and longest piece, relative to the spliced sequence: about four pieces make one sequence."""
REACH_SHARE = 0.25
"""Largest shift of a piece against the splice, and number of frames before it that must be alike, relative to the length:
half a cycle if there are two in a sequence."""
CONSTANT_DEVIATION = 1e-6
"""Deviation of a sequence, relative to the whole set, below which it is constant."""

MAX_MOMENTS = 50
"""Largest number of moments at which sequences are compared to see whether these are equivalent."""
MAX_UNEVENNESS = 1.5
"""Largest unevenness in time of products of values, in units of that of one stationary Gaussian process by chance. Sets of
the laboratory with random starts have 0 to 1.5; those with a trend, or an event at one of two times, 1.2 to 1.8 for 12
sequences and 2 to 7 for 40."""

CHANGE = 1.0 / 3.0
"""Sums from which on sequences change once: those of seven independent moments. Of the laboratory, steps and pulses have 0.39 to
0.58 in the mean of a set, waves and machines that switch 0.06 to 0.11, noise of heavy tails 0.18 to 0.30."""


def is_stationary(courses: FloatArray) -> bool:
    """Return whether sequences of a set could begin at any moment; `courses`, shape (N, T, d), each have mean 0.

    The mean product of values at two moments depends on nothing but the time between them, column by column. With N Gaussian
    sequences the squared deviations from that add up to (tr(P)^2 + ||P||^2)/N, P the matrix of the products.
    """
    n, length = courses.shape[:2]
    moments = courses if length <= MAX_MOMENTS else np.stack([to_length(course, MAX_MOMENTS) for course in courses])
    return all(_unevenness(column, n) <= MAX_UNEVENNESS for column in np.moveaxis(moments, 2, 0))


def _unevenness(column: FloatArray, n: int) -> float:
    from scipy.linalg import toeplitz

    products = column.T @ column / n
    even = toeplitz([np.diagonal(products, gap).mean() for gap in range(len(products))])
    expected = np.trace(even) ** 2 + np.square(even).sum()
    return float(n * np.square(products - even).sum() / expected) if expected > 0 else 0.0


def changes_once(courses: FloatArray) -> bool:
    """Return whether level or power of sequences changes in their course, as by one step or pulse; `courses`, shape (N, T, d).

    Courses have mean 0 and deviation 1. The largest sum of values, or of their squares less 1, from the first moment on is
    compared, in units of T: of one step or pulse 0.44 and more, of n independent moments 0.9 / sqrt(n). Three quarters of the
    sequences have to reach the threshold, since some of several kinds of sequences may change once.
    """
    sums = np.stack([np.cumsum(courses, axis=1), np.cumsum(np.square(courses) - 1.0, axis=1)])
    return bool(np.quantile(np.abs(sums).max(axis=(0, 2, 3)) / courses.shape[1], 0.25) > CHANGE)


def unnamed(sequences: SequenceSet) -> SequenceSet:
    """Return the same frames without names and labels, as material for drawn sets."""
    return SequenceSet(sequences.values, sequences.offsets, name=sequences.name, provenance=sequences.provenance)


class Splices:
    """Pieces of spliced sequences.

    Each sequence is taken in units of its own: less its middle, over its half width. That is the mean and the
    deviation, or the middle and half of its range, column by column whichever vary less from sequence to sequence: of two
    states that are held for longer or shorter, the mean depends on the moment at which a sequence begins, and the range does not.
    """

    def __init__(self, sequences: SequenceSet) -> None:
        self.unnamed = unnamed(sequences)
        whole = sequences.values.std(axis=0)
        self.floor = CONSTANT_DEVIATION * np.where(whole > 0, whole, 1.0)
        every = summarised(sequences, lambda frames: _middles_and_widths(frames, self.floor))
        units = np.exp(2.0 * every[:, :, 1].mean(axis=0))
        self.rule = (every[:, :, 0].var(axis=0) / units + every[:, :, 1].var(axis=0)).argmin(axis=0)
        columns = np.arange(sequences.n_features)
        self.middles, self.widths = every[:, self.rule, 0, columns], every[:, self.rule, 1, columns]
        self.lengths, self.longest = sequences.lengths, np.flatnonzero(sequences.lengths == sequences.lengths.max())
        self.courses = [(x - m) / np.exp(w) for x, m, w in zip(sequences, self.middles, self.widths, strict=True)]

    def drawn(self, lengths: IntArray, weights: FloatArray, random: np.random.Generator) -> SequenceSet:
        """Return sequences of these lengths; `weights`, shape (M, N), combine middles and widths of the given ones."""
        offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        values = np.concatenate([self._spliced(length, random) for length in lengths.tolist()])
        courses, columns = self.unnamed.with_frames(values, offsets), np.arange(self.middles.shape[1])
        every = summarised(courses, lambda frames: _middles_and_widths(frames, CONSTANT_DEVIATION))
        own_middles, own_widths = every[:, self.rule, 0, columns], every[:, self.rule, 1, columns]
        widths = _made_up(self.widths, own_widths, weights)
        middles = _made_up(self.middles, np.exp(self.widths.mean(axis=0)) * own_middles, weights)
        middle, factor = (np.repeat(rows, lengths, axis=0) for rows in (middles, np.exp(widths)))
        return courses.with_frames(middle + factor * values)

    def _spliced(self, length: int, random: np.random.Generator) -> FloatArray:
        course = np.empty((length, self.middles.shape[1]))
        reach, now = max(1, round(REACH_SHARE * length)), 0
        while now < length:
            piece = min(max(1, round(length * random.uniform(*PIECE_SHARES))), length - now)
            serving = np.flatnonzero(self.lengths >= now + piece)
            serving = serving if serving.size else self.longest
            # As `choice`, without its checks.
            source = self.courses[serving[random.integers(serving.size)]]
            place = _alike(course[max(0, now - reach) : now], source, now, reach, piece)
            piece = min(piece, len(source) - place)
            course[now : now + piece] = source[place : place + piece]
            now += piece
        return course


def _middles_and_widths(frames: FloatArray, floor: FloatArray | float) -> FloatArray:
    """Mean and log deviation of each column, middle and log half-range.

    Of sequences of one length, ``frames (n, T, d)``; shape (n, 2, 2, d).
    """
    low, high = frames.min(axis=-2), frames.max(axis=-2)
    by_moments = [frames.mean(axis=-2), np.log(np.maximum(frames.std(axis=-2), floor))]
    by_range = [0.5 * (low + high), np.log(np.maximum(0.5 * (high - low), floor))]
    return np.stack([np.stack(by_moments, axis=1), np.stack(by_range, axis=1)], axis=1)


def _made_up(given: FloatArray, own: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the offset of each sequence: a Gaussian supplies the variation that the weights remove."""
    there, mean = given.var(axis=0), given.mean(axis=0)
    missing = np.sqrt(np.clip(1.0 - own.var(axis=0) / np.where(there > 0, there, 1.0), 0.0, 1.0))
    return np.asarray(mean - own.mean(axis=0) + missing * (weights @ (given - mean)))


def _alike(past: FloatArray, source: FloatArray, now: int, reach: int, piece: int) -> int:
    """Return where a source behaved as in the past, near the present time, and continues for at least a piece."""
    # A planned workflow splices and compiles nothing.
    from .closest_segment import closest_segment

    last = max(min(now + reach, len(source) - piece), 0)
    first = min(max(now - reach, len(past)), last)
    memory = min(len(past), first)
    if memory == 0:
        return min(now, last)
    return first + int(closest_segment(past[len(past) - memory :], source[first - memory : last]))
