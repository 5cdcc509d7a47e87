"""What sets a cluster apart, or varies most in a single one: sentences, and typical courses with bands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinseq.analysis.explaining import facts, when
from kinseq.core.arrays import FloatArray
from kinseq.core.clock import duration, told_clock
from kinseq.core.sequences import SequenceSet
from kinseq.core.wording import pair
from kinseq.features.column_names import column_labels
from kinseq.features.traits import courses

from .content import Content

STATEMENTS, LISTED = 3, 10
"""Most sentences on a cluster at once, and with those that are shown on request."""
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
        if content.explanation is None or not result._has_content:
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
    """Sentences and figures on a cluster, counted from 0, under a heading; further sentences, and how many are left out."""

    cluster: int
    heading: str
    sentences: Sequence[str]
    figures: Sequence[Course]
    further: Sequence[str] = ()
    left: int = 0


def apart(content: Content, k: int, curves: Courses | None) -> Apart | None:
    """Sentences and figures on one cluster; None if there are no sequences."""
    if curves is None:
        return None
    if content.varying is not None:
        return _alone(content, curves)
    every = content.explanation[content.explanation["cluster"] == k + 1]
    rows = facts(every, STATEMENTS)
    others = every.drop(rows.index)["sentence"].tolist()
    further = others[: LISTED - len(rows)]
    named = [(column, where) for column, where in zip(rows["column"], rows["where"], strict=True) if column]
    column, where = next((entry for entry in named if entry[0] in curves.names), (curves.names[0], ""))
    own = content.result.labels[content.positions] == k
    typical = content.result.medoid_indices_
    beside = int(typical[0 if k else 1]) if len(typical) > 1 else -1
    figure = _figure(curves, own, column, where, [_place(content, beside), _place(content, int(typical[k]))])
    sentences, left = rows["sentence"].tolist(), len(others) - len(further)
    return Apart(k, "What sets it apart", sentences, [figure], further, left)


def _alone(content: Content, curves: Courses) -> Apart:
    """What varies most within a single cluster, and its typical course in these columns."""
    rows = content.varying.properties[:STATEMENTS]
    sentences = rows["sentence"].tolist() or [
        "no simple property: none of those examined is related to how similar two sequences are"
    ]
    named = [column for column in dict.fromkeys(rows["column"]) if column in curves.names]
    columns = [*named, *(column for column in curves.names if column not in named)][:MOST_DRAWN]
    everything = np.ones(len(content.positions), dtype=bool)
    medoid = _place(content, int(content.result.medoid_indices_[0]))
    figures = [_figure(curves, everything, column, "", [-1, medoid]) for column in columns]
    return Apart(0, "What varies most within it", sentences, figures)


IN_COMMON, FLOWING = 0.2, 0.5
"""Share of the variance over time that a course in common must have, or else members are out of phase; and correlation of
neighbouring points from which on a sequence is more than noise about a level."""


def has_no_course(values: FloatArray) -> bool:
    """Whether sequences, shape (N, L), flow each in a way of its own, as waves of any phase do: no median is like any of them."""
    centred = values - values.mean(axis=1, keepdims=True)
    total = float(np.square(centred).sum())
    if len(values) < 2 or total <= 0.0:
        return False
    flowing = float((centred[:, 1:] * centred[:, :-1]).sum()) / total
    common = len(values) * float(np.square(centred.mean(axis=0)).sum()) / total
    # Of N sequences out of phase, chance leaves a share of 1 / N.
    return flowing >= FLOWING and common < IN_COMMON + 1.0 / len(values)


def _place(content: Content, item: int) -> int:
    """Where a sequence stands among those shown; -1 where it does not."""
    found = np.flatnonzero(content.positions == item)
    return int(found[0]) if found.size else -1


def _figure(
    curves: Courses, own: NDArray[np.bool_], column: str, where: str, examples: Sequence[int] = (-1, -1)
) -> Course:
    """Median and quartiles of members and of others, if there are any, over the time, the place marked.

    Where members have no course in common, it is one of them, and one of the others: `examples` are these, others first.
    """
    values = curves.values[curves.names.index(column)]
    sides = [(side, inside) for side, inside in ((~own, False), (own, True)) if side.any()]
    alone = has_no_course(values[own]) and all(examples[inside] >= 0 for _, inside in sides)
    quartiles = (
        [np.stack([values[examples[inside]]] * 3) for _, inside in sides]
        if alone
        else [np.quantile(values[side], (0.25, 0.5, 0.75), axis=0) for side, _ in sides]
    )
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
    how = f"one example{' each' * several}, since members have no course in common" if alone else "median and quartiles"
    return Course(
        f"typical course of {column}{title}{'' if alone else ', with quartiles'}",
        f"{column}, {' to '.join(pair(low, high))}, from beginning to end: {how}{others}{marked}",
        curves.end,
        place,
        bands,
    )


def _points(x: FloatArray, y: FloatArray) -> str:
    return " ".join(f"{a:.0f},{b:.1f}" for a, b in zip(x, y, strict=True))
