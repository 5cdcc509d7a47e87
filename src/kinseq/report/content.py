"""Content of the page on a user's data."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ..analysis.verdict import NOT_IN_A_GROUP, Degree
from ..core.arrays import FloatArray, IntArray
from ..metrics.maps import MergeTree

PALETTE = (
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9",
    "#5E3C99", "#7F7F00", "#7A3B10", "#1A1A1A", "#D6336C", "#7A7A7A",
)  # fmt: skip
"""Colours of the clusters, reused cyclically."""
NO_GROUP = "#8A8A8A"
"""Colour of branches with several clusters, and of unassigned sequences."""
DARK = {0: "#3a9bdc", 6: "#9a7fd1", 8: "#b8663a", 9: "#d8d8d8"}
"""Those on a dark page, by place, where they differ."""
TINTS, DARK_TINTS = (-0.35, 0.45), (0.0, 0.6)
"""Parts of black (negative) or white in the first and last tint of a colour, and those on a dark page."""
CLUSTERS, EXAMPLES = 40, 4
"""Largest numbers of clusters, and of typical sequences of each, with a section of their own."""


class Look(NamedTuple):
    """How a cluster is drawn: its number, CSS class, and colours on a light and on a dark page."""

    number: str
    style: str
    ink: str
    dark: str


@dataclass(frozen=True)
class Content:
    """Content of the page.

    Attributes
    ----------
    result : kinseq.analysis.result.Result
    warnings : tuple of str
        What a reader should not overlook.
    positions : ndarray of int64
        Positions of the sequences that figures show.
    order : ndarray of int64
        Positions of the sequences in the heat map, and at the leaves of the dendrogram, from left to right.
    maps : dict of ndarray, each of shape (number shown, 2)
        Coordinates in the plane by the name of the method.
    tree : kinseq.metrics.maps.MergeTree or None
        Dendrogram of the sequences in the heat map.
    whole : kinseq.api.SampledClustering or None
        All sequences, where the result is that of a sample of them.
    verdict : str
        What was found, one sentence.
    evidence_source : str
        The view or property that shows the groups, in words.
    degree : str or None
        How sure the groups are, see :data:`kinseq.analysis.verdict.Degree`; None without a verdict.
    sure : bool
        Whether that is a reason to be sure.
    within : tuple of str
        Groups that fall into several, one sentence each.
    others : tuple of str
        Clear groups that were not taken, one sentence each, in the order of `others` of the decision.
    explanation : pandas.DataFrame or None
        What sets each cluster apart, see :meth:`kinseq.api.results.Clustering.explain`.
    varying : kinseq.analysis.explaining.Varying or None
        What varies most within a single cluster.
    heard : str
        How far the clusters of recordings are those by other features, one sentence; empty where that was not examined.
    """

    # From the library's top layer, which this module may not import.
    result: Any
    warnings: tuple[str, ...]
    positions: IntArray
    order: IntArray
    maps: dict[str, FloatArray]
    tree: MergeTree | None
    whole: Any = None
    verdict: str = ""
    evidence_source: str = ""
    degree: Degree | None = None
    sure: bool = False
    within: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    explanation: Any = None
    varying: Any = None
    heard: str = ""

    @cached_property
    def group_of(self) -> IntArray:
        """Position in `groups` of each sequence, shape (N,); -1 if it fits none."""
        found = np.full(len(self.result.labels), -1, dtype=np.int64)
        for place, (_, _, members) in enumerate(self.groups):
            found[members] = place
        return found

    @cached_property
    def kinds(self) -> list[int]:
        """Group of the first division that each cluster is in, from 0."""
        return kinds_of(self.result.details.numbers)

    @property
    def is_nested(self) -> bool:
        """Whether groups are divided further, so that their numbers are those of the tree."""
        return len(set(self.kinds)) < len(self.kinds)

    @cached_property
    def looks(self) -> list[Look]:
        """How each cluster is drawn; groups within a group have tints of its colour."""
        return looks_of(self.result.details.numbers)

    def look(self, cluster: int) -> Look:
        """How a cluster is drawn, or -1, what is in none."""
        return self.looks[cluster] if cluster >= 0 else Look("", ink_class(-1), NO_GROUP, NO_GROUP)

    @cached_property
    def groups(self) -> list[tuple[str, str, IntArray]]:
        """Number, CSS class, and members of each cluster, without sequences that fit none."""
        labels = self.result.labels
        return [
            (look.number, look.style, np.setdiff1d(np.flatnonzero(labels == k), self.outside))
            for k, look in enumerate(self.looks)
        ]

    @property
    def outside(self) -> IntArray:
        """Positions of the sequences that fit none of the groups."""
        return np.asarray(self.result.details.scattered)

    @property
    def outside_as(self) -> str:
        """Words for a sequence that fits none of the groups."""
        return f"is {NOT_IN_A_GROUP}" if self.result.details.unassigned.size else "fits none of the groups"

    @property
    def silhouette(self) -> float:
        """Mean silhouette of the first division, in the matrix it was chosen by; the only overall one on the page."""
        result = self.result._division
        by, numbers = result.decision.by, result.numbers
        if by is not None:
            return float(by.grouping.silhouette)
        if numbers is not None and result.n_clusters in numbers.n_clusters:
            return float(numbers.silhouette[numbers.n_clusters == result.n_clusters][0])
        return float(np.nanmean(result.silhouettes))

    @property
    def compared_by(self) -> str:
        """Name of the measure of distances on maps."""
        view = self.result.views[0]
        return str(self.result.options.measures[0].label if view.whole is not None else view.measure.label)

    @property
    def everything(self) -> Any:
        """Clustering for counts: of all sequences, even if figures and dissimilarities are of a sample."""
        return self.result if self.whole is None else self.whole


def typeset(text: str) -> str:
    """A sentence with a minus before its negative numbers, and a space before per cent."""
    return re.sub(r"(?<=\d)%", "\u00a0%", re.sub(r"(?<![\w)\]-])-(?=\d)", "−", text))


def on(ink: str) -> str:
    """Text colour on a background, black or white, by contrast."""
    parts = [int(ink[at : at + 2], 16) / 255.0 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return "#fff" if 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.179 else "#000"


def colour(cluster: int) -> str:
    """Colour of a cluster, counted from 0."""
    return PALETTE[cluster % len(PALETTE)]


def look_of(cluster: int) -> Look:
    """How a cluster of a first division, counted from 0, is drawn."""
    ink = colour(cluster)
    return Look(str(cluster + 1), ink_class(cluster), ink, DARK.get(cluster % len(PALETTE), ink))


def kinds_of(numbers: Sequence[str]) -> list[int]:
    """Group of the first division, from 0, of each cluster by its number in the tree."""
    return [int(number.partition(".")[0]) - 1 for number in numbers]


def looks_of(numbers: Sequence[str]) -> list[Look]:
    """How clusters are drawn, by their numbers in the tree; groups within a group have tints of its colour."""
    looks, kinds = [], kinds_of(numbers)
    for k, (number, kind) in enumerate(zip(numbers, kinds, strict=True)):
        plain, alike = look_of(kind), kinds.count(kind)
        if alike > 1:
            at = k - kinds.index(kind)
            inks = [
                tint(ink, float(np.linspace(*ends, alike)[at]))
                for ink, ends in ((plain.ink, TINTS), (plain.dark, DARK_TINTS))
            ]
            plain = Look(number, f"k{len(PALETTE) + k}", *inks)
        looks.append(plain)
    return looks


def tint(ink: str, part: float) -> str:
    """A colour with a part of white, or of black if negative."""
    end = 255.0 if part > 0.0 else 0.0
    parts = [int(ink[at : at + 2], 16) for at in (1, 3, 5)]
    return "#" + "".join(f"{round(value + abs(part) * (end - value)):02x}" for value in parts)


def ink_class(cluster: int) -> str:
    """CSS class for the colour of a cluster; -1 fits none."""
    return "out" if cluster < 0 else f"k{cluster % len(PALETTE)}"
