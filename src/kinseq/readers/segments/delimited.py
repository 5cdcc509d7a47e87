"""CSV and TSV with one row per segment: onset and offset (or duration), optionally file, label and band, in the usual names."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

from .layout import Segment, SegmentLayout, SegmentSheet, edges, number_in, sheet_of, with_column

NAMES: Mapping[str, tuple[str, ...]] = {
    kind: tuple(names.split())
    for kind, names in {
        "start": "onset start begin start_time begin_time onset_time t_start tmin start_seconds starttime from",
        "stop": "offset stop end end_time stop_time offset_time t_end tmax end_seconds endtime to",
        "duration": "duration dur length delta_time",
        "label": "label labels annotation species common_name scientific_name class call call_type type syllable unit name tag"
        " text",
        "file": "file filename file_name recording audio audio_file sound_file sound_files wav path file_path filepath notated_path"
        " begin_file",
        "low": "low low_freq low_frequency f_low fmin freq_min min_freq minfreq bottom_freq",
        "high": "high high_freq high_frequency f_high fmax freq_max max_freq maxfreq top_freq",
    }.items()
}
"""Names of columns, as returned by :func:`~.layout.plain_name`."""
_MILLISECONDS = ("_ms", "_msec", "_[ms]", "_(ms)", "_milliseconds")


def matches(path: Path, text: str) -> bool:
    """Return whether the header names a start, and an end or a duration."""
    sheet = sheet_of("\n".join(text.splitlines()[:2]))
    if sheet is None:
        return False
    columns = _columns(sheet)
    return "start" in columns and ("stop" in columns or "duration" in columns)


def _columns(sheet: SegmentSheet) -> dict[str, tuple[int, float]]:
    """Return the column of each kind, and the factor to seconds (or Hz)."""
    found = {}
    for kind, names in NAMES.items():
        for name in names:
            if name in sheet.names:
                found[kind] = (sheet.names[name], 1.0)
                break
            thousandths = next((name + ending for ending in _MILLISECONDS if name + ending in sheet.names), None)
            if thousandths is not None and kind in ("start", "stop", "duration"):
                found[kind] = (sheet.names[thousandths], 1e-3)
                break
    return found


def read(path: Path, text: str, tier: str | None = None) -> list[Segment]:
    """Return segments in the order of the table; rows count from 0 below the header."""
    sheet = sheet_of(text)
    assert sheet is not None
    columns = _columns(sheet)
    place = {kind: column for kind, (column, _) in columns.items()}
    segments = []
    for row, (line, cells) in enumerate(sheet.rows):
        times = {
            kind: number_in(sheet.cell(cells, column), path, line, f"the {kind}") * unit
            for kind, (column, unit) in columns.items()
            if kind in ("start", "stop", "duration") and not (kind == "duration" and "stop" in columns)
        }
        stop = times["stop"] if "stop" in times else times["start"] + times["duration"]
        low, high = edges(sheet, cells, (place.get("low"), place.get("high")), path, line)
        label, file = (sheet.cell(cells, place.get(kind)) for kind in ("label", "file"))
        segments.append(Segment(times["start"], stop, (row,), line, label, file, low, high if high > 0.0 else math.inf))
    return segments


def write(text: str, clusters: Mapping[int, str], tier: str | None = None) -> str:
    """Return the table with a column of clusters."""
    return with_column(text, clusters)


LAYOUT = SegmentLayout("table of segments", matches, read, write)
