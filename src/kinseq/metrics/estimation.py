"""Errors of estimates of a known value.

A trial gives one estimate or several; a mean over trials is then the mean over all of them if each gives as many.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..core.arrays import FloatArray, require_finite
from ..core.errors import DataError
from .registry import Metric


def _numbers(values: ArrayLike, where: str) -> FloatArray:
    """Return numbers as an array of at least one dimension."""
    try:
        array = np.asarray(values)
        if array.dtype.kind not in "biuf":
            raise ValueError(f"its type is {array.dtype}")
        return np.atleast_1d(array.astype(np.float64))
    except (TypeError, ValueError) as error:
        raise DataError(f"{where}: cannot be read as numbers ({error}); give real numbers") from error


def _errors(estimates: ArrayLike, truth: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Estimate minus truth, and the truth, both of shape (R,)."""
    values, true = _numbers(estimates, "estimates"), _numbers(truth, "truth")
    if values.ndim != 1 or values.size == 0:
        raise DataError(f"estimates have shape {values.shape}, expected one number or a list of them")
    if true.shape not in ((1,), values.shape):
        raise DataError(
            f"truth has shape {true.shape} but there are {values.size} estimates; give one true value, or one of each"
        )
    require_finite(values, "estimates")
    require_finite(true, "truth")
    true = np.broadcast_to(true, values.shape)
    return np.asarray(values - true), np.asarray(true)


def _relative(estimates: ArrayLike, truth: ArrayLike, what: str) -> FloatArray:
    errors, true = _errors(estimates, truth)
    if (true == 0.0).any():
        raise DataError(f"{what}: the true value is 0, and nothing is relative to it; use bias or rmse")
    return np.asarray(errors / true)


def bias(estimates: ArrayLike, truth: ArrayLike) -> float:
    """Mean of estimate minus truth, in the unit of the estimates; its mean over trials is the bias. Thesis 2011, section 5.3."""
    return float(_errors(estimates, truth)[0].mean())


def nmse(estimates: ArrayLike, truth: ArrayLike) -> float:
    """Mean squared error over the squared true value, which is not 0. Thesis 2011, section 5.3."""
    return float((_relative(estimates, truth, "nmse") ** 2).mean())


def rmse(estimates: ArrayLike, truth: ArrayLike) -> float:
    """Return the root of the mean squared error, in the unit of the estimates.

    Of a single estimate it is the absolute error; trials are pooled by their root mean square.
    """
    return float(np.sqrt((_errors(estimates, truth)[0] ** 2).mean()))


def relative_error(estimates: ArrayLike, truth: ArrayLike) -> float:
    """Mean absolute error as a share, in percent, of the true value, which is not 0."""
    return float(100.0 * np.abs(_relative(estimates, truth, "relative error")).mean())


def estimate(estimates: ArrayLike, truth: ArrayLike) -> float:
    """Return the mean of the estimates, for tables and figures that show them next to the true value."""
    errors, true = _errors(estimates, truth)
    return float((errors + true).mean())


METRICS = (
    Metric(
        name="estimate",
        label="Estimate",
        unit="number",
        direction="none",
        judges="estimate",
        reproduced_within=0.05,
        close_within=0.15,
        largest_se=0.1,
        relative=True,
        function=estimate,
    ),
    Metric(
        name="bias",
        label="Bias",
        unit="number",
        direction="none",
        judges="estimate",
        reproduced_within=0.01,
        close_within=0.03,
        largest_se=0.02,
        default=True,
        function=bias,
    ),
    Metric(
        name="nmse",
        label="Normalised mean squared error",
        unit="number",
        direction="lower",
        judges="estimate",
        reproduced_within=0.05,
        close_within=0.15,
        largest_se=0.1,
        relative=True,
        least=0.0,
        default=True,
        function=nmse,
    ),
    Metric(
        name="rmse",
        label="Root mean squared error",
        unit="number",
        direction="lower",
        judges="estimate",
        reproduced_within=0.05,
        close_within=0.15,
        largest_se=0.1,
        relative=True,
        least=0.0,
        pooled="root_mean_square",
        function=rmse,
    ),
    Metric(
        name="relative_error",
        label="Relative error",
        unit="percent",
        direction="lower",
        judges="estimate",
        least=0.0,
        function=relative_error,
    ),
)
