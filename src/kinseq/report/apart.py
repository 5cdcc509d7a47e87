"""What sets a cluster apart, or varies most in a single one: sentences, and typical courses with bands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinseq.analysis.explaining import when
from kinseq.core.arrays import FloatArray
from kinseq.core.clock import duration, told_clock
from kinseq.core.sequences import SequenceSet
from kinseq.core.wording import pair
from kinseq.features.column_names import column_labels
from kinseq.features.traits import courses

from .content import Content

STATEMENTS = 3
"""Most sentences on a cluster."""
MOST_DRAWN = 3
"""Most columns whose typical course is drawn of a single cluster."""
WIDTH, HEIGHT = 400.0, 90.0


@dataclass(frozen=True)
class Courses:
    """Courses of all sequences that are looked at, in the units that were given.

    Attributes
    ----------
    names : list of str
        Of the columns.
    values : ndarray, shape (d, N, L)
    sequences : SequenceSet
        The sequences.
    """

    names: list[str]
    values: FloatArray
    sequences: SequenceSet

    @classmethod
    def of(cls, content: Content) -> Courses | None:
        """Of what the page shows; None where there are no sequences, or nothing to compare."""
        result = content.result
        if content.explanation is None or not result.has_content:
            return None
        sequences = result.original.subset(content.positions)
        return cls(column_labels(sequences), courses(sequences), sequences)

    @property
    def end(self) -> str:
        """What stands at the end of the axis of time."""
        lengths = self.sequences.lengths
        return duration(told_clock(self.sequences), int(lengths[0])) if lengths.min() == lengths.max() else "end"


@dataclass(frozen=True)
class Band:
    """A median, and the quartiles around it, as points of a line and of a polygon; of the cluster in its colour, or grey."""

    line: str
    edge: str
    own: bool


@dataclass(frozen=True)
class Course:
    """Typical courses of a cluster and of all others.

    Attributes
    ----------
    title, caption : str
    end : str
        What stands at the end of the axis.
    place : (float, float) or None
        Left end and width of what is marked.
    bands : sequence of Band
    width, height : float
    """

    title: str
    caption: str
    end: str
    place: tuple[float, float] | None
    bands: Sequence[Band]
    width: float = WIDTH
    height: float = HEIGHT


@dataclass(frozen=True)
class Apart:
    """Sentences and figures on a cluster, whose number counts from 0, under a heading."""

    cluster: int
    heading: str
    sentences: Sequence[str]
    figures: Sequence[Course]


def apart(content: Content, k: int, curves: Courses | None) -> Apart | None:
    """Sentences and figures on one cluster; None if there are no sequences."""
    if curves is None:
        return None
    if content.varying is not None:
        return _alone(content, curves)
    rows = content.explanation[content.explanation["cluster"] == k][:STATEMENTS]
    named = [(column, where) for column, where in zip(rows["column"], rows["where"], strict=True) if column]
    column, where = next((entry for entry in named if entry[0] in curves.names), (curves.names[0], ""))
    own = content.result.labels[content.positions] == k
    figure = _figure(curves, own, column, where)
    return Apart(k, "What sets it apart", rows["sentence"].tolist(), [figure])


def _alone(content: Content, curves: Courses) -> Apart:
    """What varies most within a single cluster, and its typical course in these columns."""
    rows = content.varying.properties[:STATEMENTS]
    sentences = rows["sentence"].tolist() or [
        "no simple property: none of those examined is related to how similar two sequences are"
    ]
    named = [column for column in dict.fromkeys(rows["column"]) if column in curves.names]
    columns = [*named, *(column for column in curves.names if column not in named)][:MOST_DRAWN]
    everything = np.ones(len(content.positions), dtype=bool)
    figures = [_figure(curves, everything, column, "") for column in columns]
    return Apart(0, "What varies most within it", sentences, figures)


def _figure(curves: Courses, own: NDArray[np.bool_], column: str, where: str) -> Course:
    """Median and quartiles of members and of others, if there are any, over the time, the place marked."""
    values = curves.values[curves.names.index(column)]
    sides = [(side, inside) for side, inside in ((~own, False), (own, True)) if side.any()]
    quartiles = [np.quantile(values[side], (0.25, 0.5, 0.75), axis=0) for side, _ in sides]
    low, high = min(float(band.min()) for band in quartiles), max(float(band.max()) for band in quartiles)
    place = None
    if where:
        begin, end = (float(part) / 100.0 * WIDTH for part in where.removesuffix(" %").split(" to "))
        place = (begin, end - begin)
    x = np.linspace(0.0, WIDTH, values.shape[1])
    scale = (HEIGHT - 8.0) / (high - low if high > low else 1.0)
    bands = []
    for band, (_, inside) in zip(quartiles, sides, strict=True):
        lower, middle, upper = (HEIGHT - 4.0 - scale * (line - low) for line in band)
        edge = _points(np.concatenate([x, x[::-1]]), np.concatenate([lower, upper[::-1]]))
        bands.append(Band(_points(x, middle), edge, inside))
    marked = f"; yellow: {when(curves.sequences, where)}, where they differ most" if where else ""
    several = len(sides) > 1
    title = ": the cluster (in its colour) against the others (grey)" if several else ""
    others = ", the others grey" if several else ""
    return Course(
        f"typical course of {column}{title}, with quartiles",
        f"{column}, {' to '.join(pair(low, high))}, from beginning to end: median and quartiles{others}{marked}",
        curves.end,
        place,
        bands,
    )


def _points(x: FloatArray, y: FloatArray) -> str:
    return " ".join(f"{a:.0f},{b:.1f}" for a, b in zip(x, y, strict=True))
