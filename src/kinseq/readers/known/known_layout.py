"""Interface of a known layout."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from kinseq.core.errors import DataError

from ..delimited import Sheet
from ..reading import Reading
from ..table import Table

Read = tuple[list[Table | DataError], list[str]]
"""A table of each sheet, or why there is none, and sentences on what was read."""


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
