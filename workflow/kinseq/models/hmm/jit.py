"""Compilation of the kernels, cached on disk and never stale.

Numba notices an edit of the file a cached function stands in, but not of the other files whose functions were compiled
into it. The stamp here is a digest of every source file of this package.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba


def _digest_of_sources() -> str:
    digest = hashlib.blake2b(digest_size=16)
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


_STAMP = _digest_of_sources()


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function that Python calls, and cache it.

    The cache lies beside the sources, or in the user's cache folder where that is read-only; without either, every
    process compiles for itself.
    """
    try:
        dispatcher = numba.njit(nogil=True, cache=True)(function)
    except RuntimeError:  # no folder can be written to
        return numba.njit(nogil=True)(function)
    dispatcher._cache._cache_file._source_stamp = _STAMP
    return dispatcher


def part(function: Callable[..., Any]) -> Any:
    """Compile a function that only kernels call: no entry from Python, and cached as part of its callers."""
    return numba.njit(nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)
