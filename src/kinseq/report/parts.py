"""Parts of the page as data, cells and tables, for templates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..core.arrays import IntArray
from ..core.wording import plain
from ..plotting.html import render
from ..plotting.style import number
from .content import DARK, PALETTE, Content, Look, ink_class, on
from .drawing import interactive_map


class Cell(NamedTuple):
    """A styled text.

    Attributes
    ----------
    text : str
    kind : str
        Its classes in the style sheet; ``"dot"`` is the number of a cluster.
    """

    text: str
    kind: str = ""


class Sequenced(NamedTuple):
    """The name of a sequence, which selects it."""

    item: int
    name: str


Entry = str | Cell | Sequenced | Sequence[Cell] | Sequence[Sequenced]
"""Cell of a table: a text, one with a look, a sequence, or several texts."""


@dataclass(frozen=True)
class PageTable:
    """A table; `numeric` columns are right-aligned."""

    header: Sequence[str]
    rows: Sequence[Sequence[Entry]]
    numeric: Sequence[int] = ()


def counted(corner: str, names: Sequence[Entry], columns: Sequence[str], counts: IntArray) -> PageTable:
    """A table of numbers, shape (names, columns), with a dot for none."""
    rows = [[name, *(str(v) if v else "·" for v in line)] for name, line in zip(names, counts.tolist(), strict=True)]
    return PageTable([corner, *columns], rows, range(1, len(columns) + 1))


def graded(content: Content, value: float, good: float, fair: float) -> Cell:
    """A number in the colour of what it is worth; no green where the first sentence says that one cannot be sure."""
    return Cell(number(value, 2), "good" if content.sure and value >= good else "fair" if value >= fair else "poor")


def badge(look: Look) -> Cell:
    """Number of a cluster in its colour."""
    return Cell(look.number, f"dot {look.style}")


def written(template: str, **context: object) -> str:
    """A template of the page, with the palette."""
    names = {"palette": PALETTE, "dark": DARK, "on": on, "ink_class": ink_class, "plain": plain}
    return render("kinseq", "report", template, **names, **context)


def small_map(content: Content) -> str:
    """The first map with its caption, styled inline for notebooks."""
    method, points = next(iter(content.maps.items()))
    n, n_drawn = len(content.everything.sequences), len(content.positions)
    caption = repr(content.everything) + ("" if n == n_drawn else f", {n_drawn} of them drawn")
    return written("small_map.html.jinja", caption=caption, map=interactive_map(content, method, points)).strip()
