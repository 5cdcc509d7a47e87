"""Known file layouts of recorders and programs.

A layout is one module with a :data:`LAYOUT`: ``matches(sheet)`` says whether a sheet has it, and ``read(sheets, how)`` makes
tables of all sheets of a folder that do, and says in one sentence what was read. In the place of the table of a sheet that has
the layout but for something stands the error that says what is missing. A sheet that matches none is read by what its folder
has in common (:mod:`~kinseq.readers.layout`). A new layout is a module here and an entry of :data:`LAYOUTS`.
"""

from __future__ import annotations

from ..delimited import Sheet
from . import (
    anipose,
    channel_files,
    deeplabcut,
    influx,
    key_points,
    opensignals,
    repeated_clock,
    sensor_files,
    sleap,
    start_and_rate,
    trackmate,
    two_headers,
)
from .known_layout import FolderLayout, KnownLayout, Read

LAYOUTS = (
    opensignals.LAYOUT,
    repeated_clock.LAYOUT,
    start_and_rate.LAYOUT,
    deeplabcut.LAYOUT,
    sleap.LAYOUT,
    anipose.LAYOUT,
    trackmate.LAYOUT,
    influx.LAYOUT,
    two_headers.LAYOUT,
)
"""The first match is used."""
FOLDER_LAYOUTS = (channel_files.LAYOUT, key_points.LAYOUT, sensor_files.LAYOUT)
"""Layouts of several files together; the first match is used."""


def known_layout(sheet: Sheet) -> KnownLayout | None:
    """Return the known layout of a sheet, or None."""
    return next((layout for layout in LAYOUTS if layout.matches(sheet)), None)


__all__ = ["FOLDER_LAYOUTS", "LAYOUTS", "FolderLayout", "KnownLayout", "Read", "known_layout"]
