"""Compiled functions that are cached on disk and never stale.

Numba notices an edit of the file that a cached function stands in, but not of other files whose functions or constants
were compiled into it. Here the stamp of a cached function is the fingerprint of its module, which covers all of them.

The stamp lies where numba does not document it, so ``pyproject.toml`` bounds the version of numba.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba

from .fingerprint import fingerprint


def compiled(*, stamp: str | None = None, **options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Decorator: compile a function on first use, without the lock of the interpreter, and cache it.

    The cache lies beside the sources, or in the user's cache folder where that is read-only; without either, every
    process compiles for itself.

    Parameters
    ----------
    stamp : str, optional
        What the cached code is valid for; the fingerprint of the function's module if not given.
    **options
        Further options of ``numba.njit``.
    """

    def decorate(function: Callable[..., Any]) -> Any:
        try:
            dispatcher = numba.njit(nogil=True, cache=True, **options)(function)
        except RuntimeError:  # no folder can be written to
            return numba.njit(nogil=True, **options)(function)
        index = dispatcher._cache._cache_file
        if not isinstance(
            index._source_stamp, tuple
        ):  # or else the attribute is gone, and code would be stale silently
            raise RuntimeError("this version of numba keeps its stamps elsewhere; install the one in requirements.lock")
        index._source_stamp = fingerprint(function.__module__) if stamp is None else stamp
        return dispatcher

    return decorate
