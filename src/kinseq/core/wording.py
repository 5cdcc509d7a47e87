"""Words that notes and errors have in common."""

from __future__ import annotations

from collections.abc import Sequence


def count(number: int, word: str) -> str:
    """A number and what it counts: ``1 file``, ``2 files``."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def listed(names: Sequence[str], most: int = 5) -> str:
    """The first names, and how many more there are."""
    text = ", ".join(names[:most])
    return text if len(names) <= most else f"{text} and {len(names) - most} more"
