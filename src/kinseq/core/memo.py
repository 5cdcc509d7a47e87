"""Cache values computed from an object for as long as the object lives."""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable
from typing import TypeVar

Argument = TypeVar("Argument")
Value = TypeVar("Value")


def once_per_object(function: Callable[[Argument], Value]) -> Callable[[Argument], Value]:
    """Return a cached version of a function of one immutable object, even if equal objects are not hashable."""
    kept: dict[int, Value] = {}

    @functools.wraps(function)
    def wrapped(argument: Argument) -> Value:
        key = id(argument)
        if key not in kept:
            value = function(argument)
            # The id may be reused by another object.
            weakref.finalize(argument, kept.pop, key, None)
            kept[key] = value
        return kept[key]

    return wrapped
