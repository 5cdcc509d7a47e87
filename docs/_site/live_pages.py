"""Pages that the product writes, made from tiny sets during the build, and shown live."""

from __future__ import annotations

from typing import Any


def setup(app: Any) -> dict[str, bool]:
    """Tell Sphinx."""
    return {"parallel_read_safe": True, "parallel_write_safe": True}
