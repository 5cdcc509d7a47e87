"""TextGrids of Praat, by the optional package praatio: the intervals of a tier with a text are segments."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...core.errors import DataError, ParameterError, unknown_name
from ...core.extras import from_extra
from ...core.wording import as_typed
from .layout import COLUMN, Segment, SegmentLayout

_HEAD = 200


def matches(path: Path, text: str) -> bool:
    """Return whether it is a TextGrid in one of the two forms of text."""
    return "ooTextFile" in text[:_HEAD] and "TextGrid" in text[:_HEAD]


def read(path: Path, text: str, tier: str | None = None) -> list[Segment]:
    """Intervals with a text of the tier of that name, or of the only tier of intervals; rows count these from 0."""
    intervals = _intervals(_opened(text, path), path, tier)
    return [
        Segment(float(start), float(stop), (row,), row + 1, label) for row, (start, stop, label) in enumerate(intervals)
    ]


def write(text: str, clusters: Mapping[int, str], tier: str | None = None) -> str:
    """Return the TextGrid with one more tier, whose intervals are named after their clusters."""
    from praatio import textgrid

    grid = _opened(text, Path("TextGrid"))
    intervals = _intervals(grid, Path("TextGrid"), tier)
    rows = [(start, stop, clusters[row]) for row, (start, stop, _) in enumerate(intervals) if row in clusters]
    if COLUMN in grid.tierNames:
        grid.removeTier(COLUMN)
    grid.addTier(textgrid.IntervalTier(COLUMN, rows, grid.minTimestamp, grid.maxTimestamp))
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "a.TextGrid")
        grid.save(str(place), format="long_textgrid", includeBlankSpaces=True)
        return place.read_text(encoding="utf-8")


def _opened(text: str, path: Path) -> Any:
    with from_extra("files", f"{path}: reading a TextGrid"):
        from praatio import textgrid
    # The parser accepts only files, and fewer encodings.
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "a.TextGrid")
        place.write_text(text, encoding="utf-8")
        try:
            return textgrid.openTextgrid(str(place), includeEmptyIntervals=False)
        except Exception as error:  # of many kinds, for truncated or hand-written text
            raise DataError(
                f"{path}: cannot be read as a TextGrid ({error!r:.120}); save it anew from Praat"
            ) from error


def _intervals(grid: Any, path: Path, tier: str | None) -> list[tuple[float, float, str]]:
    from praatio import textgrid

    tiers = [name for name in grid.tierNames if isinstance(grid.getTier(name), textgrid.IntervalTier)]
    own = [name for name in tiers if name != COLUMN]
    if tier is None and len(own) != 1:
        some = f"has the tiers {', '.join(own)}" if own else "has no tier of intervals"
        raise ParameterError(f"{path}: {some}; name one ({as_typed('tier')})")
    if tier is not None and tier not in tiers:
        raise ParameterError(f"{path}: {unknown_name('tier', tier, tiers)}")
    entries = grid.getTier(own[0] if tier is None else tier).entries
    return [(entry.start, entry.end, entry.label.strip()) for entry in entries if entry.label.strip()]


LAYOUT = SegmentLayout("TextGrid of Praat", matches, read, write)
