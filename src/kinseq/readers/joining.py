"""Rows of several sensors of one recording, as channels of one sequence on one clock."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..core.arrays import FloatArray
from ..core.errors import DataError
from ..core.regular import MAX_GAP_STEPS, on_clock
from ..core.wording import as_typed

_SLOWEST = 0.5
"""Share of a step above which the steps of a sensor are as long as those of the clock."""


class Sensor(NamedTuple):
    """Rows of one sensor: names of columns, values of shape (T, d), and times that never fall, shape (T,)."""

    columns: tuple[str, ...]
    values: FloatArray
    times: FloatArray


def on_one_clock(sensors: Sequence[Sensor], where: str) -> tuple[FloatArray, FloatArray]:
    """Return values and times of all sensors on the clock of the slowest, while all were recorded.

    Faster sensors are averaged within its steps, others are read off lines between their rows; NaN in gaps.

    Raises
    ------
    DataError
        If the sensors were not recorded at one time.
    """
    steps = [float(np.median(np.diff(sensor.times))) if len(sensor.times) > 1 else 0.0 for sensor in sensors]
    step, begin = max(steps), max(float(sensor.times[0]) for sensor in sensors)
    end = min(float(sensor.times[-1]) + own for sensor, own in zip(sensors, steps, strict=True))
    rows = int(np.floor((end - begin) / step + 1e-9)) if step > 0 else 0
    if rows < 1:
        raise DataError(
            f"{where}: its sensors were recorded one after the other; read one ({as_typed('value_columns')})"
        )
    grid = begin + step * np.arange(rows, dtype=np.float64)
    parts = [
        _lines(sensor, grid, step) if own > _SLOWEST * step else _means(sensor, grid, step, where)
        for sensor, own in zip(sensors, steps, strict=True)
    ]
    return np.column_stack(parts), grid.astype(np.float64)


def _means(sensor: Sensor, grid: FloatArray, step: float, where: str) -> FloatArray:
    """Return means of rows within the steps of a clock."""
    gridded = on_clock(sensor.values, sensor.times, step, None, where, float(grid[0]))
    result = np.full((len(grid), sensor.values.shape[1]), np.nan)
    places = np.round((gridded.times - grid[0]) / step).astype(np.int64)
    inside = (places >= 0) & (places < len(grid))
    result[places[inside]] = gridded.values[inside]
    return result


def _lines(sensor: Sensor, grid: FloatArray, step: float) -> FloatArray:
    """Return values on lines between rows at the steps of a clock; NaN in long gaps."""
    after = np.clip(np.searchsorted(sensor.times, grid, side="left"), 1, max(1, len(sensor.times) - 1))
    gaps = sensor.times[np.minimum(after, len(sensor.times) - 1)] - sensor.times[after - 1]
    lines = np.column_stack([np.interp(grid, sensor.times, column) for column in sensor.values.T])
    lines[gaps > (MAX_GAP_STEPS + 1.0) * step] = np.nan
    return lines
