"""Numbers of looks at undecided results, and cells with further trials; used by planning too."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

LOOKS = (20, 50, 100)
"""Numbers of trials after which an undecided cell or claim is judged again; there is no further look after the last one."""

NAMES = ("dataset", "model", "measure", "clusterer")
"""Subject of further trials, as the scores name it."""


def has_further(further: Iterable[Mapping[str, Any]], cell: Mapping[str, Any]) -> bool:
    """Return whether a cell is among those that were given further trials."""
    return any(all(entry[name] == cell[name] for name in NAMES) for entry in further)
