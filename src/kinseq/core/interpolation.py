"""Linear interpolation of missing numbers within a sequence."""

from __future__ import annotations

import numpy as np

from .arrays import FloatArray
from .errors import DataError


def filled(values: FloatArray, where: str, moments: FloatArray | None = None) -> FloatArray:
    """Interpolate missing numbers (NaN) of a (T, d) sequence, column by column, along ascending `moments`, or 0, 1, 2 ...

    Before the first known one and after the last, these. A DataError, with the name `where`, if a column has no known
    number.
    """
    missing = np.isnan(values)
    if not missing.any():
        return values
    times = np.arange(len(values), dtype=np.float64) if moments is None else moments
    complete = values.copy()
    for column in np.flatnonzero(missing.any(axis=0)):
        present = ~missing[:, column]
        if not present.any():
            raise DataError(f"{where}: column {column + 1} holds no number; leave the column or the sequence out")
        complete[:, column] = np.interp(times, times[present], values[present, column])
    return complete
