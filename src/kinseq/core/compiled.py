"""Compiled functions that are cached on disk and never stale.

Numba notices an edit of the file that a cached function stands in, but not of other files whose functions or constants
were compiled into it. So the cache lies in a folder that is named by a digest of all files with compiled code: an edit of
any of them begins a new folder. What a compiled function uses of our own must stand in such a file; a test looks.

The folder lies in ``NUMBA_CACHE_DIR`` if that is set, else beside the sources, or in the user's cache folder where those
are read-only; without any of them, every process compiles for itself.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

import numba
from numba.core.event import Event, Listener, register

from .sources import digest

COMPILES = re.compile(rb"^(?:from \S*\bcompiled import|(?:import|from) numba)\b", re.MULTILINE)
"""A file with compiled code, by how it begins."""
KEPT = 4
"""Folders of other digests that are left, the newest ones; of checkouts that share a cache, for example."""
KEPT_SECONDS = 24 * 3600.0
"""Nor does a folder go that a process has started with within this time."""

TOLD = "kinseq: compiling its numeric code, about half a minute; done once, and kept (python -m kinseq.compile does it ahead)"

_PACKAGE = __name__.partition(".")[0]
_DECORATING = Lock()


def _parents() -> Iterator[Path]:
    """Folders that a cache may lie in, the best first."""
    if numba.config.CACHE_DIR:
        yield Path(numba.config.CACHE_DIR)
    yield Path(__file__).parents[1] / "__pycache__"
    yield Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / _PACKAGE


@cache
def cache_folder(package: str) -> Path | None:
    """The folder that compiled functions of a package are cached in, None if none can be written to."""
    name = f"numba-{digest({package, _PACKAGE}, also=numba.__version__, only=COMPILES)}"
    for parent in _parents():
        folder = parent / name
        try:
            is_new = not folder.exists()
            folder.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
            os.utime(folder)
        except OSError:
            continue
        if is_new:
            _remove_old(parent)
        return folder
    return None


def _remove_old(parent: Path) -> None:
    """Remove what other digests left. Another process may do so too, and one that misses its folder makes it anew."""
    aged = []
    for folder in parent.glob("numba-" + "[0-9a-f]" * 16):
        try:
            aged.append((folder.stat().st_mtime, folder))
        except OSError:  # gone meanwhile
            continue
    for used, folder in sorted(aged, reverse=True)[KEPT + 1 :]:
        if used < time.time() - KEPT_SECONDS:
            shutil.rmtree(folder, ignore_errors=True)


class _Telling(Listener):
    """Says once in a process that something of ours is compiled, since nothing else happens for seconds then."""

    def __init__(self) -> None:
        self.announced = False

    def on_start(self, event: Event) -> None:
        module = str(getattr(event.data["dispatcher"].py_func, "__module__", ""))
        if not self.announced and module.partition(".")[0] == _PACKAGE:
            self.announced = True
            print(TOLD, file=sys.stderr, flush=True)

    def on_end(self, event: Event) -> None:
        """Nothing is said: what was compiled goes on at once."""


@cache
def _tell_of_compilation() -> None:
    register("numba:compile", _Telling())


def compiled(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Decorator: compile a function on first use, without the lock of the interpreter, and cache it; options of ``numba.njit``."""

    def decorate(function: Callable[..., Any]) -> Any:
        folder = cache_folder(function.__module__.partition(".")[0])
        _tell_of_compilation()
        if folder is None or numba.config.DISABLE_JIT:
            return numba.njit(nogil=True, **options)(function)
        # Numba looks at the setting while it decorates. It is the user's, for functions of their own.
        with _DECORATING:
            theirs, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(folder)
            try:
                dispatcher = numba.njit(nogil=True, cache=True, **options)(function)
            finally:
                numba.config.CACHE_DIR = theirs
        if folder in Path(dispatcher.stats.cache_path).parents:
            return dispatcher
        # The folder has just become read-only, and numba took another, where code would be stale.
        return numba.njit(nogil=True, **options)(function)

    return decorate


part = numba.njit(nogil=True)
"""Decorator: compile a function that only compiled ones call; it is cached as part of them."""

inner = numba.njit(nogil=True, forceinline=True)
"""Decorator: the same for the innermost loops of short work, where calls would take a tenth of the time."""

inlined = numba.njit(nogil=True, inline="always")
"""Decorator: the same, but put where it is called before anything is compiled.

Numba optimises a part by itself, and again on every level of functions that it is linked into. What is called in one or
two places, and calls parts, is better no level of its own: compiling the HMMs takes a quarter less.
"""
