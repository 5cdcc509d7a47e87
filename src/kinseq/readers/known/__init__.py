"""Layouts of files that recorders and programs are known to write.

A layout is one module: ``matches(sheet)`` says whether a sheet has it, and ``read(sheets)`` makes tables of all sheets of a
folder that do, and says in one sentence what was read. A sheet that matches none is read by what its folder has in common
(:mod:`~kinseq.readers.layout`). A new layout is a module here and an entry of :data:`LAYOUTS`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..delimited import Sheet
from ..table import Table
from . import start_and_rate


@dataclass(frozen=True)
class KnownLayout:
    """A layout: whether a sheet has it, and how those that do are read."""

    name: str
    matches: Callable[[Sheet], bool]
    read: Callable[[Sequence[Sheet]], tuple[list[Table], list[str]]]


LAYOUTS = (KnownLayout("start and rate", start_and_rate.matches, start_and_rate.read),)
"""The first that matches is taken."""


def known_layout(sheet: Sheet) -> KnownLayout | None:
    """The layout of a sheet; None if it is none of those that are known."""
    return next((layout for layout in LAYOUTS if layout.matches(sheet)), None)
