"""A regular clock: put rows of unequal steps, with gaps or of several rates, on equal time steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .arrays import FloatArray, IntArray
from .errors import DataError
from .row_order import is_written_clock
from .wording import as_typed

MAX_GAP_STEPS = 3.0
"""Number of empty steps that are interpolated if no other gap is given."""
_CLOSE = 0.05
"""Largest share of steps below half of the new one for rows to be about as frequent as new ones, and not averaged."""
_MOST_STEPS = 50_000_000
"""Largest number of steps of a sequence."""
_SAME = 1e-6
"""Largest rounding error, as a part of a step, of a row's time below the beginning of its step."""


@dataclass(frozen=True)
class Gridded:
    """Rows on a clock.

    Attributes
    ----------
    values : ndarray, shape (T, d), float64
        NaN where a gap is too long.
    times : ndarray, shape (T,), float64
    last : ndarray, shape (T,), int64
        Position of the last old row in or before each step.
    filled, averaged : int
        Steps without a row that lines cross; rows that were averaged with others.
    """

    values: FloatArray
    times: FloatArray
    last: IntArray
    filled: int
    averaged: int


def on_clock(
    values: FloatArray, times: FloatArray, step: float, max_gap: float | None, where: str, begin: float | None = None
) -> Gridded:
    """Return rows on a regular clock.

    Parameters
    ----------
    values : ndarray, shape (T, d), float64
        NaN where a number is missing, as in a step without rows.
    times : ndarray, shape (T,), float64
        Which never fall.
    step, max_gap : float
        In their unit; up to `max_gap`, three steps if it is None, lines cross empty steps.
    where : str
        The sequence, for the message.
    begin : float, optional
        A time at which a step begins where several rows are averaged; the first row's if not given.

    Returns
    -------
    Gridded
        Where several rows lie in a step, their means, as of pandas' ``resample``, and lines from step to step. Where rows come
        about as often as steps, or more rarely, lines in time between them, at the times of the clock, which begins with the
        first row.

    Raises
    ------
    DataError
        If there would be more steps than can be held.
    """
    between = np.diff(times)
    rarely = not len(between) or float((between <= 0.5 * step).mean()) <= _CLOSE
    zero = float(times[0]) if rarely or begin is None else begin
    moments = (times - zero) / step
    if moments[-1] - moments[0] > _MOST_STEPS:
        raise DataError(
            f"{where} would have {moments[-1] - moments[0]:.3g} steps by {as_typed('every')}; give a longer one"
        )
    places = np.floor(moments + (0.5 if rarely else _SAME)).astype(np.int64)
    starts = np.concatenate([[0], np.flatnonzero(np.diff(places)) + 1])
    counts = np.diff(np.append(starts, len(places)))
    known = np.isfinite(values)
    number = np.add.reduceat(known.astype(np.float64), starts, axis=0)
    with np.errstate(invalid="ignore"):
        means = np.add.reduceat(np.where(known, values, 0.0), starts, axis=0) / number
    at = np.add.reduceat(moments, starts) / counts
    own = places[starts]
    grid = np.arange(own[0], own[-1] + 1)
    most = np.floor((MAX_GAP_STEPS if max_gap is None else max_gap / step) + _SAME)
    result = np.full((len(grid), values.shape[1]), np.nan)
    for j in range(values.shape[1]):
        here = number[:, j] > 0
        if here.any():
            result[:, j] = _lines(grid, own[here], at[here] if rarely else None, means[here, j], most)
    last = np.searchsorted(places, grid, side="right") - 1
    empty = np.ones(len(grid), dtype=bool)
    empty[own - own[0]] = False
    filled = int((empty & np.isfinite(result).all(axis=1)).sum())
    return Gridded(result, zero + step * grid, last.astype(np.int64), filled, int(counts[counts > 1].sum()))


def _lines(grid: IntArray, places: IntArray, at: FloatArray | None, means: FloatArray, most: float) -> FloatArray:
    """Return a column on all steps: interpolated, NaN before the first, after the last and in long gaps."""
    line: FloatArray = np.interp(grid, places if at is None else at, means)
    long = np.diff(places) - 1 > most
    if at is not None:
        # Next to a long gap, no line crosses it.
        left, right = np.append(long, False), np.append(False, long)
        alone = (left & (at < places)) | (right & (at > places))
        line[places[alone] - grid[0]] = means[alone]
    gaps = np.zeros(len(grid) + 1, dtype=np.int64)
    gaps[places[:-1][long] + 1 - grid[0]] += 1
    gaps[places[1:][long] - grid[0]] -= 1
    outside = (grid < places[0]) | (grid > places[-1])
    line[(np.cumsum(gaps[:-1]) > 0) | outside] = np.nan
    return line


def common_step(times: list[FloatArray]) -> float | None:
    """Return the most frequent step of which every step is a whole multiple; None if there is none.

    To a hundredth of it. It is None too where no row is missing, where a sequence does not have the step itself, which is then
    of another rate, and where a gap is longer than a tenth of its sequence.
    """
    between = [np.diff(moments) for moments in times]
    if not between or any(not len(steps) or float(steps.min()) <= 0 for steps in between):
        return None
    step = float(np.median([steps.min() for steps in between]))
    every_step = np.concatenate(between)
    own = every_step[every_step < 1.5 * step]
    if not len(own):
        return None
    step = float(own.mean())
    lost = 0.0
    every: dict[int, int] = {}
    for steps in between:
        whole = np.round(steps / step)
        if float(np.abs(steps / step - whole).max()) > 0.01 or whole.min() != 1.0:
            return None
        if whole.max() > max(MAX_GAP_STEPS + 1.0, 0.1 * whole.sum()):
            return None
        lost += float((whole - 1.0).sum())
        for size, number in zip(*np.unique(whole, return_counts=True), strict=True):
            every[int(size)] = every.get(int(size), 0) + int(number)
    if any(is_written_clock(moments) for moments in times):
        return None
    return step if lost and every[1] == max(every.values()) else None


def midnight_before(origin: Any, moment: float, seconds: float) -> float:
    """Return the start of the day of a moment, in units of `seconds`, by the calendar of `origin`, which is 0."""
    import pandas

    day = (origin + pandas.Timedelta(moment * seconds, "s")).normalize()
    return float((day - origin).total_seconds() / seconds)
