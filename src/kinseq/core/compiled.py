"""Compiled functions cached on disk, and never stale.

Numba notices an edit of the file that a cached function stands in, but not of other files whose functions or constants were
compiled into it. So the cache lies in a folder named by a digest of all files with compiled code. What a compiled function uses
of our own must stand in such a file; a test looks. The folder lies in ``NUMBA_CACHE_DIR``, next to the sources, or in the user's
cache folder: the first that can be written to. Without any, every process compiles for itself.
"""

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

import numba

from .code_digest import digest, folder_for
from .progress import tell_of_compilation

COMPILES = re.compile(rb"^(?:from \S*\bcompiled import|(?:import|from) numba)\b", re.MULTILINE)
"""Prefix of files with compiled code."""
_DECORATING = Lock()


@cache
def cache_folder(package: str) -> Path | None:
    """Find the cache folder for compiled functions of a package; None if none is writable."""
    name = f"numba-{digest({package, 'kinseq'}, also=numba.__version__, only=COMPILES)}"
    theirs = [Path(numba.config.CACHE_DIR)] if numba.config.CACHE_DIR else []
    return folder_for(name, [*theirs, Path(__file__).parents[1] / "__pycache__"])


def compiled(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Compile a function on first use, without the interpreter lock, and cache it; options of ``numba.njit``."""

    def decorate(function: Callable[..., Any]) -> Any:
        tell_of_compilation()
        folder = cache_folder(function.__module__.partition(".")[0])
        # Numba reads the setting when it decorates. The setting belongs to the user, for functions of their own.
        with _DECORATING:
            theirs, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(folder or "")
            try:
                return numba.njit(nogil=True, cache=folder is not None, **options)(function)
            finally:
                numba.config.CACHE_DIR = theirs

    return decorate


part = numba.njit(nogil=True)
"""Decorator: compile a function that only compiled ones call; it is cached as part of them."""

inner = numba.njit(nogil=True, forceinline=True)
"""Decorator: as above for inner loops of short work, where calls would take a tenth of the time."""

dividing = numba.njit(nogil=True, forceinline=True, error_model="numpy")
"""Decorator: as above for divisors that are never 0, since checks prevent vectorised loops."""

# Numba optimises each part separately, and again at every level that links it: HMMs compile a quarter faster this way.
inlined = numba.njit(nogil=True, inline="always")
"""Decorator: as above, but inlined before compilation; for functions called in one or two places."""
