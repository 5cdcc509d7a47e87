"""In which order the examples of the gallery come."""

from __future__ import annotations

from pathlib import Path

ORDER = Path(__file__).resolve().parents[1] / "gallery" / "order.txt"


class GalleryOrder:
    """Key by which examples are sorted: their place in ``order.txt``; one that is missing there is an error."""

    def __init__(self, folder: str) -> None:
        self.order = ORDER.read_text(encoding="utf-8").split()

    def __call__(self, file: str) -> int:
        """Place of an example."""
        return self.order.index(file.removeprefix("plot_").removesuffix(".py"))

    def __repr__(self) -> str:
        return "GalleryOrder"
