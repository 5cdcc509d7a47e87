r"""Labels of Audacity: start, end, text, separated by tabs, no header; a row that begins with ``\`` holds its band."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ...core.errors import DataError
from ..text import is_number
from .layout import Segment, SegmentLayout, number_in

_BAND = "\\"


def matches(path: Path, text: str) -> bool:
    """Return whether the first row is two numbers separated by a tab, possibly with a text."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    cells = first.split("\t")
    return len(cells) in (2, 3) and all(is_number(cell.strip()) for cell in cells[:2])


def read(path: Path, text: str, tier: str | None = None) -> list[Segment]:
    """Return labels in the order of the file; rows count from 0, including bands."""
    segments: list[Segment] = []
    for row, line in enumerate(text.splitlines()):
        cells = line.split("\t")
        if not line.strip():
            continue
        if cells[0].strip() == _BAND:
            if not segments or len(cells) < 3:
                raise DataError(
                    f"{path}: line {row + 1}: is a band (it begins with \\) without a label before it; remove it"
                )
            low, high = (number_in(cell, path, row + 1, "a frequency") for cell in cells[1:3])
            # Audacity writes -1 for a missing edge.
            segments[-1] = replace(segments[-1], low=max(low, 0.0), high=high if high > 0.0 else math.inf)
            continue
        if len(cells) < 2:
            raise DataError(f"{path}: line {row + 1}: expected start, end and a label with tabs between; correct it")
        start, stop = (
            number_in(cell, path, row + 1, what) for cell, what in zip(cells, ("the start", "the end"), strict=False)
        )
        segments.append(Segment(start, stop, (row,), row + 1, "\t".join(cells[2:]).strip()))
    return segments


def write(text: str, clusters: Mapping[int, str], tier: str | None = None) -> str:
    """Return the labels with the cluster in brackets after each."""
    rows = []
    for row, line in enumerate(text.splitlines()):
        if row in clusters:
            cells = line.split("\t")
            label = "\t".join(cells[2:]).strip()
            line = "\t".join([*cells[:2], f"{label} [{clusters[row]}]".strip()])
        rows.append(line)
    return "\n".join(rows) + "\n"


def labels(segments: Sequence[tuple[float, float, str]]) -> str:
    """Start, end (s) and text of some segments as a file of labels."""
    return "".join(f"{start:.6f}\t{stop:.6f}\t{text}\n" for start, stop, text in segments)


LAYOUT = SegmentLayout("labels of Audacity", matches, read, write)
