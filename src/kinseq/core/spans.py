"""Durations in user input: pandas strings such as ``10s`` or ``1d``, or numbers in the current unit."""

from __future__ import annotations

import math
import re
from numbers import Real
from typing import Any

from .errors import ParameterError

Span = str | float
"""A time in words, or a number."""
_WORD = re.compile(r"\s*((?:\d+(?:\.\d*)?|\.\d+)?)\s*([A-Za-zµμ]+)\s*")
_WORDS = "a time such as 10s, 1min, 1h or 1d"


def as_span(value: Any, name: str) -> Span:
    """Return a duration string, or a number, which may be text too.

    Raises
    ------
    ParameterError
        If it is none, is not above 0, or has a unit that pandas does not know.
    """
    if hasattr(value, "total_seconds"):
        value = f"{value.total_seconds():.12g}s"
    number = _number(value)
    if number is None and isinstance(value, str):
        try:
            number = seconds_in(value)
        except ValueError:
            raise ParameterError(f"{name} is {value!r:.80}, expected {_WORDS}, or a number") from None
        if 0.0 < number < math.inf:
            return value.strip()
    if number is None or not 0.0 < number < math.inf:
        raise ParameterError(f"{name} is {value!r:.80}, expected {_WORDS}, or a number; it has to be above 0")
    return int(number) if number.is_integer() else number


def seconds_in(text: str) -> float:
    """Return the seconds of a duration string; ValueError if it is invalid."""
    import pandas

    match = _WORD.fullmatch(text)
    if match is None:
        raise ValueError(text)
    return float(match[1] or 1.0) * float(pandas.Timedelta(1, _unit(match[2])) / pandas.Timedelta(1, "s"))


def seconds_of_unit(unit: str) -> float | None:
    """Return the seconds in a unit of a column of times; None if it is not a unit of time."""
    try:
        return seconds_in(f"1 {unit.strip().rstrip('.')}")
    except ValueError:
        return None


def in_words(step: float, unit: str) -> Span:
    """Return a step of a column of times in the form of an option: as text, or as a number without a unit of time."""
    seconds = seconds_of_unit(unit) if unit else None
    if seconds is None:
        return float(f"{step:.6g}")
    length = step * seconds
    for name, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if length >= size:
            return f"{length / size:.6g}{name}"
    return f"{length / 1e-9:.6g}ns"


def _unit(word: str) -> Any:
    """Return a unit in the notation of pandas."""
    lowered = word.lower()
    words = {"sec": "s", "secs": "s", "mins": "min", "hr": "h", "hrs": "h", "µs": "us", "μs": "us", "msec": "ms"}
    known = words.get(lowered, lowered)
    if word == "M":
        raise ValueError(word)
    return "D" if known == "d" else "W" if known in ("w", "week", "weeks") else known


def _number(value: Any) -> float | None:
    if isinstance(value, Real) and not isinstance(value, bool):
        return float(value)
    try:
        return float(value) if isinstance(value, str) else None
    except ValueError:
        return None
