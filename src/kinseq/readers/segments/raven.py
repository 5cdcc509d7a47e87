"""Selection tables of Raven: tabs between cells, a header with ``Begin Time (s)`` and ``End Time (s)``.

A selection has a row for each view in which it was drawn, the waveform and the spectrogram, with the same number: it counts once.
``Begin File`` names the recording; where recordings were opened as one sequence, ``File Offset (s)`` is the place in it, while
``Begin Time (s)`` counts from the beginning of the first.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ...core.errors import DataError
from .layout import Segment, SegmentLayout, edges, number_in, sheet_of, with_column

_LABELS = (
    "annotation",
    "label",
    "labels",
    "species",
    "call_type",
    "type",
    "class",
    "name",
    "tags",
    "tag",
    "notes",
    "comment",
)
_FILES = ("begin_file", "begin_path")


def matches(path: Path, text: str) -> bool:
    """Return whether the header is that of a selection table."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    return "\t" in first and {"begin time (s)", "end time (s)"} <= {cell.strip().lower() for cell in first.split("\t")}


def read(path: Path, text: str, tier: str | None = None) -> list[Segment]:
    """Selections in the order of the table."""
    sheet = sheet_of(text, ("\t",))
    assert sheet is not None
    names = sheet.names
    label = next((names[name] for name in _LABELS if name in names), None)
    file = next((names[name] for name in _FILES if name in names), None)
    offset = names.get("file_offset") if file is not None else None
    band = names.get("low_freq"), names.get("high_freq")
    found: dict[tuple[str, str, float, float, int | None], Segment] = {}
    for row, (line, cells) in enumerate(sheet.rows):
        start = number_in(sheet.cell(cells, names["begin_time"]), path, line, "the begin time")
        stop = number_in(sheet.cell(cells, names["end_time"]), path, line, "the end time")
        if sheet.cell(cells, offset):
            start, stop = (
                (place := number_in(sheet.cell(cells, offset), path, line, "the file offset")),
                place + stop - start,
            )
        low, high = edges(sheet, cells, band, path, line)
        channel = _channel(sheet.cell(cells, names.get("channel")), path, line)
        recording = sheet.cell(cells, file)
        number = sheet.cell(cells, names.get("selection")) or f"row {row}"
        key = (recording, number, start, stop, channel)
        before = found.get(key)
        if before is None:
            found[key] = Segment(start, stop, (row,), line, sheet.cell(cells, label), recording, low, high, channel)
        else:
            # A row for the waveform has no frequency band, or the full one.
            found[key] = Segment(
                start,
                stop,
                (*before.rows, row),
                before.line,
                before.label or sheet.cell(cells, label),
                recording,
                max(before.low, low),
                min(before.high, high),
                channel,
            )
    return list(found.values())


def _channel(cell: str, path: Path, line: int) -> int | None:
    if not cell:
        return None
    if not cell.isdecimal() or int(cell) < 1:
        raise DataError(f"{path}: line {line}: the channel is {cell!r}, expected a number from 1; correct it")
    return int(cell)


def write(text: str, clusters: Mapping[int, str], tier: str | None = None) -> str:
    """Return the table with a column of clusters."""
    return with_column(text, clusters, ("\t",))


LAYOUT = SegmentLayout("Raven selection table", matches, read, write)
