"""How work is cut into jobs, and the names of the pieces in paths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

AT = "@"
"""Stands between the name of an entry and the reading that it is taken under; no name of the configuration holds it."""


def batches(items: Sequence[Any], size: int) -> list[list[Any]]:
    """Cut a list into runs of at most `size`."""
    return [list(items[start : start + size]) for start in range(0, len(items), max(1, size))]


def joined(names: Sequence[str]) -> str:
    """Return several names in one: ``sym+bp``."""
    return "+".join(names)


def split(names: str) -> list[str]:
    """Return the inverse of :func:`joined`."""
    return names.split("+")


def base_of(name: str) -> str:
    """Return the name of an entry without the reading that it is taken under: ``hmm2`` of ``hmm2@authors``."""
    return name.partition(AT)[0]


def trials_slug(trials: Sequence[int]) -> str:
    """``t000-004`` for trials 0 to 4."""
    return f"t{trials[0]:03d}-{trials[-1]:03d}"


def parse_trials(slug: str) -> list[int]:
    """Return the inverse of :func:`trials_slug`; ``all`` is the empty list."""
    if slug == "all":
        return []
    first, last = slug.removeprefix("t").split("-")
    return list(range(int(first), int(last) + 1))
