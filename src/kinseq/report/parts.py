"""Parts of the page as data, cells and tables, for templates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..plotting.html import render
from ..plotting.style import number
from .content import PALETTE, Content, ink_class, on
from .drawing import live_map


class Cell(NamedTuple):
    """A styled text.

    Attributes
    ----------
    text : str
    kind : str
        Its class in the style sheet; ``"dot"`` is the number of a cluster in its colour.
    colour : int or None
        Cluster whose colour it has.
    """

    text: str
    kind: str = ""
    colour: int | None = None


class Sequenced(NamedTuple):
    """The name of a sequence, which selects it."""

    item: int
    name: str


Entry = str | Cell | Sequenced | Sequence[Cell]
"""Cell of a table: a text, a styled text, a sequence, or several texts."""


@dataclass(frozen=True)
class PageTable:
    """A table; `numeric` columns are right-aligned."""

    header: Sequence[str]
    rows: Sequence[Sequence[Entry]]
    numeric: Sequence[int] = ()


def grade(value: float, good: float, fair: float) -> Cell:
    """A number coloured by quality."""
    return Cell(number(value, 2), "good" if value >= good else "fair" if value >= fair else "poor")


def graded(content: Content, value: float, good: float, fair: float) -> Cell:
    """The same on a page about clusters; without green if its first sentence expresses doubt."""
    return grade(value, good if content.sure else float("inf"), fair)


def badge(k: int) -> Cell:
    """Number of a cluster, from 0, in its colour."""
    return Cell(str(k + 1), "dot", k)


def written(template: str, **context: object) -> str:
    """A template of the page, with the palette."""
    return render("kinseq", "report", template, palette=PALETTE, on=on, ink_class=ink_class, **context)


def small_map(content: Content) -> str:
    """The first map with its caption, styled inline for notebooks."""
    method, points = next(iter(content.maps.items()))
    n, n_drawn = len(content.everything.sequences), len(content.positions)
    caption = repr(content.everything) + ("" if n == n_drawn else f", {n_drawn} of them drawn")
    return written("small_map.html.jinja", caption=caption, map=live_map(content, method, points)).strip()
