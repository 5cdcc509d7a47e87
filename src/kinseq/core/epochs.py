"""Times since 1970, recognised by their values."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .arrays import FloatArray

_FIRST, _LAST = 946_684_800, 4_102_444_800
"""Seconds from 1970 to 2000 and to 2100."""
_UNITS = (1, 10**3, 10**6, 10**9)
"""Seconds, milliseconds, microseconds, nanoseconds."""
_HOUR = 3600.0
_NAMES = ("s", "ms", "µs", "ns")
NANOSECONDS = float(_FIRST * _UNITS[-1])
"""Least whole number that may be nanoseconds since 1970; the largest is a ninth more than four times as much."""


def epoch_columns(sequences: Sequence[FloatArray]) -> list[int]:
    """Return columns whose numbers are all times of the years 2000 to 2100 in one unit, from seconds to nanoseconds.

    Sequences have at least one row each; a column in which a number is missing is none of these.
    """
    low = np.min([values.min(axis=0) for values in sequences], axis=0)
    high = np.max([values.max(axis=0) for values in sequences], axis=0)
    inside = np.logical_or.reduce([(low >= _FIRST * unit) & (high <= _LAST * unit) for unit in _UNITS])
    return np.flatnonzero(inside).tolist()


def epoch_unit(moment: float, steps: FloatArray | None = None) -> str:
    """Return the unit in which a number is a time of the years 2000 to 2100; empty if there is none.

    Numbers with `steps` of hours that are hardly ever whole minutes count nanoseconds since a device was started.
    """
    unit = next((unit for unit in _UNITS if _FIRST * unit <= moment <= _LAST * unit), 0)
    if not unit:
        return ""
    some = np.zeros(0) if steps is None else steps[np.isfinite(steps) & (steps > 0)] / unit
    if some.size and np.median(some) > _HOUR and (np.abs(some - 60.0 * np.round(some / 60.0)) > 1.0).mean() > 0.5:
        return ""
    return _NAMES[_UNITS.index(unit)]
