"""What the machine has."""

from __future__ import annotations

import os
from pathlib import Path

UNKNOWN = 2**62
"""Bytes where nobody tells how many there are."""
CONTROL_GROUP = Path("/sys/fs/cgroup/memory.max")
"""Where Linux says how much of the memory a container or a job of a cluster may take."""


def memory() -> int:
    """Bytes of memory that a process may take: those of the machine, or of the container or job that it runs in."""
    try:
        physical = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        physical = UNKNOWN
    try:
        said = CONTROL_GROUP.read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return physical
    return min(physical, int(said)) if said.isdigit() else physical
