"""Interface of the readers of containers, files in which other programs store several tables or signals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ..reading import Reading
from ..table import Table
from ..text import unpacked


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
    begins : callable or None
        Whether a file begins as one of this kind; None where all do that have the endings.
    shared : tuple of str
        Endings of its files that those of other kinds have too, so that only how they begin tells.
    """

    name: str
    endings: tuple[str, ...]
    read: Callable[[Path, Reading], Table]
    begins: Callable[[Path], bool] | None = None
    shared: tuple[str, ...] = ()

    def matches(self, path: Path) -> bool:
        """Return whether a file has one of the extensions, and a matching beginning if that is recognisable."""
        return unpacked(path).suffix.lower() in self.endings and (self.begins is None or self.begins(path))
