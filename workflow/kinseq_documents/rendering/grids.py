"""Tables without scores: grids of words and numbers that drawings give, written in the forms of all tables."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Grid:
    """Rows under a header, ready to be printed.

    Attributes
    ----------
    heads : tuple of str
        One for each column.
    rows : tuple of tuple of str
        Cells of each row; the first cells of two rows differ, since a name that repeats the one above it is left out.
    title : str
    names : int
        How many columns from the left hold words; numbers stand flush right.
    """

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    title: str = ""
    names: int = 1
