"""Plain properties of sequences with everyday names: level, spread, roughness, trend, timing, correlation, length."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import FloatArray
from ..core.sequences import Sequences, SequenceSet, as_sequence_set, numbered_columns
from .column_names import of_recording
from .frames import summarised
from .symbol_properties import plain_properties

STILL_DEVIATION = 1e-3
"""Deviation of a column within a sequence, relative to that over the set, below which the sequence counts as still."""
NEARLY_ONE = 0.999
"""Largest correlation that counts as less than 1."""
MOST_PAIRED = 6
"""Number of columns above which correlations are left out: they would outnumber everything else."""
WORDS = {
    "level": "the level",
    "spread": "the spread",
    "roughness": "how rough they are from frame to frame",
    "trend": "the trend",
    "timing": "when most happens",
    "correlation": "how columns go together",
    "length": "the length",
    "time": "the time in a state",
    "changes": "how often the state changes",
}
"""Kinds of properties, and their names in sentences."""


@dataclass(frozen=True)
class Properties:
    """Properties of the sequences of a set.

    Attributes
    ----------
    names : tuple of str
        ``"level of x"``, ``"correlation of x and y"``, ``"length"``; columns without names by number from 1.
    values : ndarray, shape (N, P)
    """

    names: tuple[str, ...]
    values: FloatArray

    def of(self, name: str) -> FloatArray:
        """Return values of one property, shape (N,)."""
        return np.asarray(self.values[:, self.names.index(name)])


def properties(sequences: Sequences, like: Sequences | None = None) -> Properties:
    """Return properties of each sequence, on scales where ratios become differences.

    Parameters
    ----------
    sequences : SequenceSet or list of array_like, each of shape (T, d)
    like : SequenceSet or list, optional
        Sequences by whose deviation a column counts as still; by default those that are given.

    Returns
    -------
    Properties
        Of each column: its level (mean), spread (logarithm of the deviation), roughness (logarithm of the root mean square
        step in units of the deviation), trend (correlation with time, Fisher's z), timing (centre of the squared deviations
        from the mean, -1 at the first frame and 1 at the last); of each pair of columns their correlation, Fisher's z; and
        the logarithm of the length. Of symbols those of :func:`.symbol_properties.plain_properties`.
    """
    sequence_set = as_sequence_set(sequences)
    if sequence_set.alphabet is not None:
        return Properties(*plain_properties(sequence_set))
    other = sequence_set if like is None else as_sequence_set(like)
    whole = other.values.std(axis=0)
    floor = STILL_DEVIATION * np.where(whole > 0, whole, 1.0)
    paired = 2 <= sequence_set.n_features <= MOST_PAIRED
    rows = summarised(sequence_set, lambda frames: _rows(frames, floor, paired))
    return Properties(_names(sequence_set, paired), rows)


def lacking_properties(sequences: Sequences) -> NDArray[np.bool_]:
    """Return which properties each sequence lacks, shape (N, P), in the order of :func:`properties`.

    A column that is still in a sequence (:data:`STILL_DEVIATION`) has no roughness, trend, timing or correlation there: its
    values of these are conventions. Every sequence has its levels, spreads and length.
    """
    sequence_set = as_sequence_set(sequences)
    if sequence_set.alphabet is not None:
        return np.zeros((len(sequence_set), len(plain_properties(sequence_set)[0])), dtype=bool)
    d = sequence_set.n_features
    floor = STILL_DEVIATION * sequence_set.values.std(axis=0)
    still = np.array([(np.ptp(frames, axis=0) == 0.0) | (frames.std(axis=0) <= floor) for frames in sequence_set])
    parts = [np.zeros((len(still), 2 * d), dtype=bool), still, still, still]
    if 2 <= d <= MOST_PAIRED:
        one, other = np.triu_indices(d, k=1)
        parts.append(still[:, one] | still[:, other])
    return np.hstack([*parts, np.zeros((len(still), 1), dtype=bool)])


def _names(sequence_set: SequenceSet, paired: bool) -> tuple[str, ...]:
    columns = of_recording(sequence_set) or numbered_columns(sequence_set)
    each = [f"{kind} of {column}" for kind in list(WORDS)[:5] for column in columns]
    pairs = zip(*np.triu_indices(len(columns), k=1), strict=True)
    both = [f"correlation of {columns[i]} and {columns[j]}" for i, j in pairs] if paired else []
    return (*each, *both, "length")


def _rows(frames: FloatArray, floor: FloatArray, paired: bool) -> FloatArray:
    """Properties of sequences of one length, shape (n, T, d); a row each."""
    length = frames.shape[1]
    # The mean of equal numbers may differ from them in the last digit, which would look like a trend.
    still = np.ptp(frames, axis=1) == 0.0
    level = np.where(still, frames[:, 0], frames.mean(axis=1))
    spread = np.maximum(np.where(still, 0.0, frames.std(axis=1)), floor)
    units = (frames - level[:, None]) / spread[:, None]
    steps = np.sqrt(np.square(np.diff(units, axis=1)).mean(axis=1)) if length > 1 else np.zeros_like(level)
    time = np.linspace(-1.0, 1.0, length)[:, None] if length > 1 else np.zeros((1, 1))
    energy = np.square(units)
    total = np.maximum(energy.sum(axis=1), np.finfo(float).tiny)
    trend = (units * time).mean(axis=1) / max(float(np.sqrt(np.square(time).mean())), STILL_DEVIATION)
    parts = [
        level,
        np.log(spread),
        np.log(np.maximum(steps, STILL_DEVIATION)),
        _z(trend),
        (energy * time).sum(axis=1) / total,
    ]
    if paired:
        one, other = np.triu_indices(level.shape[1], k=1)
        parts.append(_z(np.stack([x.T @ x / length for x in units])[:, one, other]))
    return np.concatenate([*parts, np.full((len(frames), 1), np.log(length))], axis=1)


def _z(correlation: FloatArray) -> FloatArray:
    return np.asarray(np.arctanh(np.clip(correlation, -NEARLY_ONE, NEARLY_ONE)))


def pairwise_gaps(values: FloatArray) -> FloatArray:
    """Return absolute differences of values, shape (N, N), at least the step in which they are given.

    Where values repeat, as whole numbers do, equal ones are no nearer to each other than neighbours on their grid: or else
    every number would be a group.
    """
    distinct = np.unique(values)
    repeated: NDArray[np.bool_] = np.array(distinct.size < values.size)
    step = float(np.diff(distinct).min()) if repeated and distinct.size > 1 else 0.0
    distance = np.maximum(np.abs(values[:, None] - values), step)
    np.fill_diagonal(distance, 0.0)
    return np.asarray(distance)
