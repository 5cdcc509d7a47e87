"""What a kind of file that other programs write has to offer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ..reading import Reading
from ..table import Table


@dataclass(frozen=True)
class Container:
    """A kind of file that holds one or many sequences.

    Attributes
    ----------
    name : str
        As messages and documentation call it.
    endings : tuple of str
        Of the names of its files, in small letters.
    read : callable
        Returns the table of a file; of several sequences with their ids. Its ``said`` is one sentence on what was recognised.
    """

    name: str
    endings: tuple[str, ...]
    read: Callable[[Path, Reading], Table]

    def matches(self, path: Path) -> bool:
        """Return whether a file has one of the endings."""
        return path.suffix.lower() in self.endings
