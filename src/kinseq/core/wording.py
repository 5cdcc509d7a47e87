"""Words that notes and errors have in common."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal


def count(number: int, word: str) -> str:
    """Return a number and what it counts: ``1 file``, ``2 files``."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def listed(names: Sequence[str], most: int = 5) -> str:
    """Return the first names, and how many more there are."""
    text = ", ".join(names[:most])
    return text if len(names) <= most else f"{text} and {len(names) - most} more"


def plain(value: float, digits: int = 3) -> str:
    """Return a number with some digits, in full from a thousand to ten millions."""
    size = abs(value)
    return f"{value:.0f}" if 10.0**digits - 0.5 <= size < 1e7 else f"{value + 0.0:.{digits}g}"


def pair(first: float, second: float, least: int = 3) -> tuple[str, str]:
    """Return two numbers with as many digits, `least` at least, as tell their difference to a tenth of it."""
    texts = plain(first), plain(second)
    for digits in range(least, 9):
        texts = plain(first, digits), plain(second, digits)
        if abs(float(texts[1]) - float(texts[0]) - (second - first)) <= 0.1 * abs(second - first):
            break
    return texts


Language = Literal["python", "command"]
"""Where sentences are read: beside a call in Python, or on the command line."""
_language: list[Language] = ["python"]


@contextmanager
def speaking(language: Language) -> Iterator[None]:
    """Within this, options are called what they are called there."""
    _language.append(language)
    try:
        yield
    finally:
        _language.pop()


def language() -> Language:
    """Return where what is written now will be read."""
    return _language[-1]


def all_as_typed(*options: tuple[str, Any] | tuple[str, Any, str]) -> str:
    """Return several options together, see :func:`as_typed`: ``a=1, b=2`` in Python, ``--a 1 --b 2`` on the command line."""
    return (", " if language() == "python" else " ").join(as_typed(*entry) for entry in options)


def as_typed(name: str, value: Any = None, word: str | None = None) -> str:
    """Return an option as the reader has to write it: ``time_column='t'`` or ``--time t``.

    Parameters
    ----------
    name : str
        Of the argument in Python.
    value : object, optional
        The value; left open if it is not given.
    word : str, optional
        What the command line calls it, in capitals; the name if it is the same there.
    """
    if language() == "python":
        return f"{name}={'...' if value is None else repr(value)}"
    several = isinstance(value, (list, tuple))
    if isinstance(value, float):
        value = f"{value:.15g}"
    text = "" if value is None else ",".join(map(str, value)) if several else str(value)
    called = (word or name).lower().replace("_", "-")
    text = "" if value is True else text
    option = "-k" if called == "k" else f"--{called}"
    return f"{option} {shlex.quote(text)}" if text else option


def in_seconds(seconds: float) -> str:
    """Return a duration with its unit: in milliseconds below one second."""
    return f"{1000.0 * seconds:.3g} ms" if seconds < 1.0 else f"{seconds:.3g} s"
