"""Interfaces of known layouts: of a table, and of the files of a folder together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...core.errors import DataError
from ..delimited import Sheet
from ..raw import RawSet
from ..reading import Reading
from ..table import Table

Read = tuple[list[Table | DataError], list[str]]
"""A table for each sheet, or the reason for none, and sentences on what was read."""


Open = Callable[[Path, Reading], Table | Sheet]
"""Function that reads the table in one file."""


@dataclass(frozen=True)
class KnownLayout:
    """A layout.

    Attributes
    ----------
    name : str
    matches : callable
        Whether a sheet has it, perhaps but for something.
    read : callable
        Tables of all sheets that match.
    poses : bool
        Whether tables have positions of body parts.
    """

    name: str
    matches: Callable[[Sheet], bool]
    read: Callable[[Sequence[Sheet], Reading], Read]
    poses: bool = False


@dataclass(frozen=True)
class FolderLayout:
    """A layout of several files that are sequences together.

    Attributes
    ----------
    name : str
    matches : callable
        Whether files have it by their names, perhaps but for something.
    read : callable
        The sequences of files that match, None if what they hold shows that they are files of a sequence each.
    """

    name: str
    matches: Callable[[Sequence[Path], Reading], bool]
    read: Callable[[Sequence[Path], Mapping[Path, str], Reading, Open], RawSet | None]
