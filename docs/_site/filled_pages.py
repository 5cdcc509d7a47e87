"""Numbers and tables that stand as text in pages between two marks, so that the pages read well where the repository is browsed.

``<!-- value: versus.sets -->78<!-- end -->`` stands in a line, or around a table with the marks on lines of their own.
``make pages`` fills all of them with what ``numbers_of_results.values`` says; a test compares.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

PLACE = re.compile(r"(<!-- value: (\S+) -->)(.*?)(<!-- end -->)", re.DOTALL)
"""A place with its name, what stands there, and its end."""


def value_of(name: str, values: Mapping[str, Any]) -> str:
    """The text of a name such as ``versus.sets``.

    Raises
    ------
    KeyError
        If there is no value of that name.
    """
    group, _, key = name.partition(".")
    if group not in values or (key and key not in values[group]):
        raise KeyError(f"no value has the name {name}; numbers_of_results.values has all")
    return str(values[group][key] if key else values[group]).strip()


def filled(page: str, values: Mapping[str, Any]) -> str:
    """A page with all its places filled anew."""

    def fill(place: re.Match[str]) -> str:
        around = "\n\n" if place[3].startswith("\n") else ""
        return f"{place[1]}{around}{value_of(place[2], values)}{around}{place[4]}"

    return PLACE.sub(fill, page)


def pages(root: Path) -> list[Path]:
    """Pages with places to fill."""
    candidates = [root / "README.md", root / "config" / "README.md", *sorted((root / "docs").rglob("*.md"))]
    return [path for path in candidates if PLACE.search(path.read_text(encoding="utf-8"))]
