"""Memory of the machine, and process-wide thread state."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from threading import RLock
from typing import Any

UNKNOWN_BYTES = 2**62
"""Fallback in bytes if the system does not report its memory."""
CONTROL_GROUP = Path("/sys/fs/cgroup/memory.max")
"""Files in which Linux reports the memory limit of a container or a job."""


def memory() -> int:
    """Bytes of memory available to a process: of the machine, or of its container or job."""
    try:
        physical = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        physical = UNKNOWN_BYTES
    try:
        text = CONTROL_GROUP.read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return physical
    return min(physical, int(text)) if text.isdigit() else physical


_ONE = RLock()


@lru_cache(maxsize=1)
def _libraries(n_modules: int) -> Any:
    """Return the loaded libraries, searched again after new imports."""
    from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

    return ThreadpoolController()


@contextmanager
def one_thread() -> Iterator[None]:
    """Limit linear algebra to one thread, and admit one caller at a time.

    Sums over chunks are rounded differently by different numbers of threads. That number belongs to the process, as the
    filters of warnings do: of two callers side by side, the one that ends last would leave to all what the other had set.
    """
    with _ONE, _libraries(len(sys.modules)).limit(limits=1):
        yield
