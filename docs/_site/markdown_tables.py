"""Tables in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any


def markdown(heads: Sequence[str], rows: Iterable[Sequence[Any]], right: int = 1) -> str:
    """A table; columns from `right` on are set to the right."""
    rule = ["---" if i < right else "--:" for i in range(len(heads))]
    lines = [heads, rule, *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines) + "\n"
