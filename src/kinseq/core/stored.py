"""Resolution of stored numbers: smaller differences do not count.

A number that was rounded to 32 bits in one file and not in another differs by its 8th digit, and sums of decimals differ by the
last digits of 64 bits. Neither was measured, but a column that stands still otherwise has no other differences, and z-scores would
make them as large as any.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .arrays import FloatArray, IntArray
from .sequences import SequenceSet

STEPS = 4
"""Number of floating-point steps up to which two numbers are equal."""
SHORT_DIGITS = 9
"""Largest number of digits of a hand-written decimal: 32-bit numbers need 9, and have many more in 64 bits."""
SEEN_FRAMES = 64
"""Number of frames of a sequence, at even steps, that decide whether its numbers are decimals."""


def as_stored(sequences: SequenceSet) -> SequenceSet:
    """Return sequences without differences below the resolution of their numbers; the set itself if there are none.

    A column that some sequences hold in 32 bits, and others in more, is rounded to 32 bits in all. A column that moves within a
    sequence by no more than :data:`STEPS` steps of its numbers stands still in it, and sequences that stand still as near to each
    other have the same value. Where some of these hold numbers of 16 bits, they are as near within one step of them.

    Parameters
    ----------
    sequences : SequenceSet

    Returns
    -------
    SequenceSet
    """
    columns = [_column(sequences, column) for column in sequences.values.T]
    if all(column is None for column in columns):
        return sequences
    values = sequences.values.copy()
    for j, column in enumerate(columns):
        if column is not None:
            values[:, j] = column
    return sequences.with_frames(values)


def _column(sequences: SequenceSet, column: FloatArray) -> FloatArray | None:
    """Return the values of one column without such differences, shape (T,); None if there are none."""
    starts, lengths = sequences.offsets[:-1], sequences.lengths
    single, fits = _as_single(column)
    exact = np.logical_and.reduceat(fits & (single == column), starts)
    is_single = _hold_singles(sequences, column, exact)
    found = single if is_single and not exact.all() else column
    low, high = np.minimum.reduceat(found, starts), np.maximum.reduceat(found, starts)
    size = np.maximum(np.abs(low), np.abs(high))
    step = STEPS * (_step(size, np.float32) if is_single else np.spacing(np.full_like(size, size.max())))
    if is_single and _are_halves(low[high == low]):
        step = np.maximum(step, _step(size, np.float16))
    still = high - low <= step
    level = _joined(low, step, still)
    moved = still & ((high > low) | (level != low))
    if moved.any():
        found = np.where(np.repeat(moved, lengths), np.repeat(level, lengths), found)
    return None if found is column else found


def _as_single(column: FloatArray) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Return numbers rounded to 32 bits, and which of them fit; others are unchanged."""
    limits, size = np.finfo(np.float32), np.abs(column)
    fits = (size == 0.0) | ((size >= limits.tiny) & (size <= limits.max))
    single = column.copy()
    single[fits] = column[fits].astype(np.float32)
    return single, fits


def _hold_singles(sequences: SequenceSet, column: FloatArray, exact: NDArray[np.bool_]) -> bool:
    """Whether some 32-bit numbers of the sequences have digits that nobody would write."""
    for i in np.flatnonzero(exact):
        begin, end = int(sequences.offsets[i]), int(sequences.offsets[i + 1])
        some = column[np.linspace(begin, end - 1, min(SEEN_FRAMES, end - begin)).astype(np.int64)]
        if any(float(f"{value:.{SHORT_DIGITS}g}") != value for value in some.tolist()):
            return True
    return False


def _are_halves(levels: FloatArray) -> bool:
    """Whether some levels, but not all, have digits that only numbers of 16 bits have."""
    with np.errstate(over="ignore"):
        exact = levels.astype(np.float16) == levels
    return not exact.all() and any(float(f"{value:.{SHORT_DIGITS}g}") != value for value in levels[exact].tolist())


def _step(size: FloatArray, kind: type[np.floating[Any]]) -> FloatArray:
    """Return the distances of numbers from the next ones of a type; 0 for those that do not fit."""
    with np.errstate(over="ignore", invalid="ignore"):
        return np.nan_to_num(np.spacing(size.astype(kind)).astype(np.float64), posinf=0.0)


def _joined(level: FloatArray, step: FloatArray, still: NDArray[np.bool_]) -> FloatArray:
    """Return levels, with those of constant sequences no more than a step above the lowest set equal to it."""
    joined = level.copy()
    order: IntArray = np.flatnonzero(still)[np.argsort(level[still], kind="stable")].astype(np.int64)
    lowest = np.nan
    for i in order.tolist():
        if not level[i] - lowest <= step[i]:
            lowest = level[i]
        joined[i] = lowest
    return joined
