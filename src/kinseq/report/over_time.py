"""Sources of pieces over time, coloured by cluster: strips, or calendars for daily pieces, and transitions between clusters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from ..core.arrays import IntArray
from ..core.cutting import pieces_of
from .content import Content
from .parts import Entry, PageTable, badge, counted
from .sections import COLUMNS

MAX_SOURCES, MAX_MARKS = 12, 2000
"""Largest numbers of sources drawn, and of runs of pieces of each."""
WIDTH = 1000.0
"""Width of a strip, in its own units."""
NO_CLUSTER = "fits no cluster"
"""Name of pieces outside of all clusters."""
_DAYS_OF_A_WEEK = 7


class Mark(NamedTuple):
    """Consecutive pieces of one cluster, as a rectangle with its CSS class and name."""

    x: float
    y: float
    width: float
    look: str
    name: str


@dataclass(frozen=True)
class Strip:
    """A source: its marks, the size of the figure, and the ends of its time."""

    source: str
    marks: Sequence[Mark]
    width: float
    height: float
    begin: str
    end: str

    @property
    def is_calendar(self) -> bool:
        """Whether a column is a week."""
        return self.height > 1


@dataclass(frozen=True)
class OverTime:
    """The section on sources; `more` sources are omitted."""

    strips: Sequence[Strip]
    more: int
    counts: PageTable
    follows: PageTable | None


class _Piece(NamedTuple):
    start: str
    end: str
    cluster: int


def over_time(content: Content) -> OverTime | None:
    """Return the section on the sources of pieces; None if nothing was cut or there is a single cluster."""
    result = content.everything
    pieces, labels = pieces_of(result.sequences.provenance), np.array(result.labels)
    if not pieces or content.result.n_clusters < 2:
        return None
    if content.whole is None:
        labels[content.outside] = -1
    clusters = dict(zip(result.sequences.ids.tolist(), labels.tolist(), strict=True))
    sources: dict[str, list[_Piece]] = {}
    for entry, (source, start, end) in pieces.items():
        if entry in clusters:
            sources.setdefault(source, []).append(_Piece(start, end, clusters[entry]))
    drawn = [
        strip for name in list(sources)[:MAX_SOURCES] if (strip := _strip(content, name, sources[name])) is not None
    ]
    number = min(content.result.n_clusters, COLUMNS)
    looks, is_outside = content.looks[:number], bool((labels < 0).any())
    columns = [f"cluster {look.number}" for look in looks] + [NO_CLUSTER] * is_outside
    rows: list[Entry] = [*map(badge, looks), *[NO_CLUSTER] * is_outside]
    places = [_places(own, number) for own in sources.values()]
    held = np.array([np.bincount(own, minlength=len(columns))[: len(columns)] for own in places[:MAX_SOURCES]])
    counts = counted("source", list(sources)[:MAX_SOURCES], columns, held)
    after = _follows(places, len(columns))
    follows = counted("after", rows, columns, after) if after.any() else None
    return OverTime(drawn, max(0, len(sources) - MAX_SOURCES), counts, follows)


def _places(own: Sequence[_Piece], number: int) -> IntArray:
    """Return the column of each piece in the tables: its cluster, `number` outside of all, and more for clusters left out."""
    found = np.array([piece.cluster for piece in own], dtype=np.int64)
    return np.where(found < 0, number, found + (found >= number))


def _follows(sources: Sequence[IntArray], size: int) -> IntArray:
    """Return how often a piece in each place (rows) is followed by one in each (columns), over all sources."""
    counts = np.zeros((size, size), dtype=np.int64)
    for own in sources:
        kept = (own[:-1] < size) & (own[1:] < size)
        np.add.at(counts, (own[:-1][kept], own[1:][kept]), 1)
    return counts


def _strip(content: Content, name: str, own: Sequence[_Piece]) -> Strip | None:
    """Return the figure of a source; None if its pieces have no time, or change too often to be visible."""
    spans = _spans(own)
    if spans is None:
        return None
    begins, ends = spans
    if _are_days(own, begins, ends):
        return _calendar(content, name, own, begins)
    first, length = float(begins.min()), float(ends.max() - begins.min())
    if length <= 0.0:
        return None
    marks: list[Mark] = []
    runs = [0, *(i for i in range(1, len(own)) if _breaks(own, begins, ends, i)), len(own)]
    if len(runs) - 1 > MAX_MARKS:
        return None
    for a, b in pairwise(runs):
        x, end = WIDTH * (begins[a] - first) / length, WIDTH * (ends[b - 1] - first) / length
        marks.append(
            Mark(
                float(x), 0.0, float(end - x), content.look(own[a].cluster).style, _called(content, own[a], own[b - 1])
            )
        )
    return Strip(name, marks, WIDTH, 1.0, own[0].start, own[-1].end)


def _breaks(own: Sequence[_Piece], begins: Any, ends: Any, i: int) -> bool:
    """Return whether a piece has another cluster than the previous one, or does not follow it directly."""
    return own[i].cluster != own[i - 1].cluster or begins[i] - ends[i - 1] > 0.5 * (ends[i] - begins[i])


def _called(content: Content, first: _Piece, last: _Piece) -> str:
    return f"{first.start} to {last.end}: {_name(content, first)}"


def _name(content: Content, piece: _Piece) -> str:
    """Name of the cluster of a piece."""
    return f"cluster {content.look(piece.cluster).number}" if piece.cluster >= 0 else NO_CLUSTER


def _spans(own: Sequence[_Piece]) -> tuple[Any, Any] | None:
    """Return starts and ends of pieces as numbers, seconds for dates; None for other values."""
    import pandas

    for read in (lambda texts: np.array(texts, dtype=np.float64), lambda texts: _seconds(pandas.to_datetime(texts))):
        try:
            return read([piece.start for piece in own]), read([piece.end for piece in own])
        except ValueError:
            continue
    return None


def _seconds(moments: Any) -> Any:
    return np.asarray(moments.to_numpy().astype("datetime64[ns]").astype(np.int64) / 1e9)


def _are_days(own: Sequence[_Piece], begins: Any, ends: Any) -> bool:
    """Return whether every piece is a calendar day."""
    midnight = all(piece.start.endswith(" 00:00:00") for piece in own)
    return midnight and bool((np.abs(ends - begins - 86_400.0) <= 7_200.0).all()) and len(own) > _DAYS_OF_A_WEEK


def _calendar(content: Content, name: str, own: Sequence[_Piece], begins: Any) -> Strip:
    """Return a calendar whose columns are weeks that begin on Mondays."""
    # 1970 began on a Thursday.
    days = np.round(begins / 86_400.0).astype(np.int64) + 3
    weeks = days // _DAYS_OF_A_WEEK - days.min() // _DAYS_OF_A_WEEK
    marks = [
        Mark(
            float(week),
            float(day % _DAYS_OF_A_WEEK),
            1.0,
            content.look(piece.cluster).style,
            _called_day(content, piece),
        )
        for week, day, piece in zip(weeks.tolist(), days.tolist(), own, strict=True)
    ][:MAX_MARKS]
    return Strip(name, marks, float(weeks.max() + 1), float(_DAYS_OF_A_WEEK), own[0].start[:10], own[-1].start[:10])


def _called_day(content: Content, piece: _Piece) -> str:
    return f"{piece.start[:10]}: {_name(content, piece)}"
