"""Checks of input: pairs of sets, priors, limits."""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from ..core.arrays import FloatArray, as_frames
from ..core.errors import DataError, ParameterError, is_one_of, unknown_name
from ..core.wording import count

Repeats = Literal["once", "each"]
REPEATS: tuple[str, ...] = get_args(Repeats)
"""Weight of a vector that occurs several times in one sample and not in the other."""


def as_pair(X: ArrayLike, Y: ArrayLike, least: int = 1) -> tuple[FloatArray, FloatArray]:
    """Return two sets of vectors (n, d) and (m, d) with at least `least` vectors each.

    :class:`DataError` says what is wrong: a shape, a number that is not finite, too few vectors, or another number of features.
    """
    x, y = as_frames(X, "first set"), as_frames(Y, "second set")
    if x.shape[1] != y.shape[1]:
        raise DataError(
            f"second set: has {count(y.shape[1], 'feature')} but the first set has {x.shape[1]}; both need the same number"
        )
    for array, where in ((x, "first set"), (y, "second set")):
        require_vectors(len(array), least, where)
    return x, y


def require_vectors(n: int, least: int, where: str) -> None:
    """Raise :class:`DataError` if a set of `n` vectors has fewer than `least`."""
    if n < least:
        raise DataError(
            f"{where}: has {n} vector{'s' if n > 1 else ''}, at least {least} are needed; add more or leave it out"
        )


def as_choice(kind: str, value: Any, valid: tuple[str, ...]) -> None:
    """Raise :class:`ParameterError` unless `value` is one of the valid names."""
    if not is_one_of(value, valid):
        raise ParameterError(unknown_name(kind, value, valid))


def as_real(value: Any, name: str, low: float, high: float, closed: bool = False) -> float:
    """Return `value` as a float between `low` and `high` (included if `closed`), or raise :class:`ParameterError`."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = float("nan")
    inside = low <= number <= high if closed else low < number < high
    if isinstance(value, bool) or not inside:
        ends = "including both" if closed else "both excluded"
        raise ParameterError(f"{name} is {value!r}, expected a number between {low:g} and {high:g}, {ends}")
    return number


def as_limits(limits: Any) -> tuple[float, float]:
    """Return limits of priors as two floats with ``0 <= low < high <= 1``, or raise :class:`ParameterError`."""
    try:
        low, high = (float(limit) for limit in limits)
    except (TypeError, ValueError):
        low, high = 1.0, 0.0
    if not 0.0 <= low < high <= 1.0:
        raise ParameterError(f"limits are {limits!r}, expected two priors that rise, such as (0, 1)")
    return low, high


def as_priors(priors: ArrayLike) -> FloatArray:
    """Return priors as a one-dimensional array of numbers in [0, 1], or raise :class:`ParameterError`."""
    try:
        array = np.atleast_1d(np.asarray(priors, dtype=np.float64))
    except (TypeError, ValueError) as error:
        raise ParameterError(f"priors are {priors!r}, expected numbers between 0 and 1") from error
    if array.ndim != 1 or array.size == 0 or not ((array >= 0.0) & (array <= 1.0)).all():
        raise ParameterError(f"priors have shape {array.shape} or leave [0, 1]; give numbers between 0 and 1")
    return array
