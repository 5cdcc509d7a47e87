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


def plain(value: float, digits: int = 3) -> str:
    """A number with some digits, in full from a thousand to ten millions."""
    size = abs(value)
    return f"{value:.0f}" if 10.0**digits - 0.5 <= size < 1e7 else f"{value + 0.0:.{digits}g}"


def pair(first: float, second: float) -> tuple[str, str]:
    """Two numbers with as many digits, from three on, as tell their difference to a tenth of it."""
    texts = plain(first), plain(second)
    for digits in range(3, 9):
        texts = plain(first, digits), plain(second, digits)
        if abs(float(texts[1]) - float(texts[0]) - (second - first)) <= 0.1 * abs(second - first):
            break
    return texts


def in_seconds(seconds: float) -> str:
    """A duration with its unit: in milliseconds below one second."""
    return f"{1000.0 * seconds:.3g} ms" if seconds < 1.0 else f"{seconds:.3g} s"
