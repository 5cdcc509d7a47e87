"""The number of clusters as it is asked for: one number, a range that it is chosen from, or nothing."""

from __future__ import annotations

import re
from typing import Any

from ..core.arrays import as_count, require_clusters
from ..core.errors import ParameterError
from . import limits

Range = tuple[int, int]
"""Lowest and highest number of clusters, both included."""
RANGE = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")
"""A range in words; not ``\\d``, which takes the digits of every script."""
EXPECTED = "a whole number of at least 1, or a range such as 3-6"


def as_number(value: Any, name: str = "n_clusters") -> tuple[int | None, Range | None]:
    """The number of clusters that was asked for, or the range as (lowest, highest); at most one of them.

    A range of at least 2 is two numbers or ``"3-6"``; one of a single number is that number. `name` is what the user
    calls it. ParameterError if it is none of these, or the ends are in the wrong order.
    """
    if value is None:
        return None, None
    ends: Any = value
    if isinstance(value, str):
        match = RANGE.fullmatch(value)
        if match is None:
            raise ParameterError(f"{name} is {value!r}, expected {EXPECTED}")
        ends = [int(text) for text in match.groups()]
    if not isinstance(ends, (tuple, list)):
        return as_count(value, name), None
    if len(ends) != 2:
        raise ParameterError(f"{name} is {value!r}, expected {EXPECTED}: its lowest and its highest number")
    low, high = (as_count(end, f"{where} of {name}", 2) for end, where in zip(ends, ("lowest", "highest"), strict=True))
    if low > high:
        raise ParameterError(f"{name} is {in_words((low, high))}, but the lowest number comes first; give {high}-{low}")
    return (low, None) if low == high else (None, (low, high))


def in_words(n_range: Range) -> str:
    """A range as on the command line: ``"3-6"``."""
    return f"{n_range[0]}-{n_range[1]}"


def require_reached(n_clusters: int | None, n_range: Range | None, n_items: int, where: str) -> None:
    """Refuse a number that the items cannot be cut into, and a range of which some numbers could not be compared."""
    if n_clusters is not None:
        require_clusters(n_items, n_clusters, where)
    if n_range is None:
        return
    beginning = f"{where}: n_clusters is {in_words(n_range)}"
    if n_range[1] > n_items:
        raise ParameterError(f"{beginning} but there are only {n_items} items; ask for fewer clusters")
    if n_items > limits.COMPARED <= n_range[1]:
        raise ParameterError(
            f"{beginning}, but numbers of clusters are compared on {limits.COMPARED} of the {n_items} items; end the range below"
            f" {limits.COMPARED}, or give one number"
        )
