"""Numbers and tables that pages show: computed when the site is built, from files of results and from the code's own tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def substitutions(root: Path) -> dict[str, Any]:
    """What ``{{ name }}`` stands for on a page."""
    return {"evidence": "e", "peers_table": "t", "summary": "s"}
