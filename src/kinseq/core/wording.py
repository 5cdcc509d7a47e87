"""Common wording of notes and errors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any


def count(number: int, word: str) -> str:
    """Return a number and what it counts: ``1 file``, ``2 files``."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def out_of(number: int, total: int, word: str) -> str:
    """Return how many of some things there are: ``3 of 45 files``, ``all 45 files``."""
    return f"all {total} {word}s" if number == total > 1 else f"{number} of {count(total, word)}"


def listed(names: Sequence[str], most: int = 5) -> str:
    """Return the first names, and the number of the others."""
    text = ", ".join(names[:most])
    return text if len(names) <= most else f"{text} and {len(names) - most} more"


def plain(value: float, digits: int = 3) -> str:
    """Return a number with some digits, in full from a thousand to ten millions."""
    size = abs(value)
    return f"{value:.0f}" if 10.0**digits - 0.5 <= size < 1e7 else f"{value + 0.0:.{digits}g}"


def pair(first: float, second: float, least: int = 3) -> tuple[str, str]:
    """Return two numbers with as many digits, at least `least`, as show their difference to a tenth."""
    texts = plain(first), plain(second)
    for digits in range(least, 9):
        texts = plain(first, digits), plain(second, digits)
        if abs(float(texts[1]) - float(texts[0]) - (second - first)) <= 0.1 * abs(second - first):
            break
    return texts


def signed_difference(value: float, other: float, signs: tuple[str, str], least: float) -> str:
    """Return how a signed number differs from another: ``stronger positive``, ``weaker negative``.

    `signs` are the words for a negative and a positive one. It is the sign alone where both exceed `least` and have
    opposite signs.
    """
    if value * other < 0.0 and min(abs(value), abs(other)) >= least:
        return signs[value > 0.0]
    larger = value if abs(value) > abs(other) else other
    return f"{'stronger' if abs(value) > abs(other) else 'weaker'} {signs[larger > 0.0]}"


OPEN = object()
"""The value of an unset option."""


class Writer:
    """How sentences write options: as in a Python call by default; the command line sets its own writer.

    Attributes
    ----------
    joint : str
        Stands between several options.
    """

    joint = ", "

    def named(self, name: str) -> str:
        """Return the name of an option in sentences."""
        return name

    def typed(self, name: str, value: Any) -> str:
        """Return an option with its value, :data:`OPEN` if unset, as the reader has to write it."""
        return f"{name}={'...' if value is OPEN else repr(value)}"


_writers = [Writer()]


@contextmanager
def speaking(writer: Writer) -> Iterator[None]:
    """Within this context, sentences write options as `writer` does."""
    _writers.append(writer)
    try:
        yield
    finally:
        _writers.pop()


def option_name(name: str) -> str:
    """Return an option, given by its library name, as the reader knows it: ``n_clusters`` or ``-k``."""
    return _writers[-1].named(name)


def as_typed(name: str, value: Any = OPEN) -> str:
    """Return an option, given by its library name, with its value: ``time_column='t'`` or ``--time t``."""
    return _writers[-1].typed(name, value)


def all_as_typed(**options: Any) -> str:
    """Return several options together, see :func:`as_typed`: ``a=1, b=2`` or ``--a 1 --b 2``."""
    return _writers[-1].joint.join(as_typed(name, value) for name, value in options.items())


def in_seconds(seconds: float) -> str:
    """Return a duration with its unit: in milliseconds below one second."""
    return f"{1000.0 * seconds:.3g} ms" if seconds < 1.0 else f"{seconds:.3g} s"
