"""Arguments and attributes that have another name than they had: the old one works for one release, with a warning."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import Any, ParamSpec, TypeVar

from .errors import ParameterError

P = ParamSpec("P")
R = TypeVar("R")


def renames(**names: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Decorator: take arguments by the names that they had, ``old="new"``; a ParameterError if one comes by both names."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            for old in names.keys() & kwargs.keys():
                new = names[old]
                if new in kwargs or new in signature(function).bind_partial(*args).arguments:
                    raise ParameterError(f"{new} and {old} are given, which are the same; leave {old} out")
                text = f"{old} is called {new} now; the old name goes with the next release"
                warnings.warn(text, FutureWarning, stacklevel=2)
                kwargs[new] = kwargs.pop(old)
            return function(*args, **kwargs)

        return call

    return decorate


def former_name(old: str, new: str) -> property:
    """An attribute by the name that it had: ``old = former_name("old", "new")`` in the body of the class."""

    def read(owner: Any) -> Any:
        warnings.warn(
            f"{old} is called {new} now; the old name goes with the next release", FutureWarning, stacklevel=2
        )
        return getattr(owner, new)

    return property(read, doc=f"The old name of ``{new}``.")
