"""The main picture: one row per group, and one column for each of the most informative columns or properties.

A column of the picture has one scale in all rows.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..analysis.explaining import WORDS, facts, words_for
from ..analysis.explaining import called as in_words
from ..analysis.partition import sizes_of
from ..analysis.result import MOST_AVERAGED
from ..core.arrays import FloatArray, IntArray
from ..core.clock import display_clock, duration
from ..core.sequences import SequenceSet
from ..features.column_names import column_labels, titled, with_unit
from ..features.explanatory import Traits, courses, traits
from ..measures.averaging import barycentre
from ..plotting.states import LegendState, legend_of
from .content import CLUSTERS, Content, on, typeset
from .panels import Layer, Panel, Tick, cuts, dots, ends, path_of, ticks, upright
from .states import pictures
from .thumbnails import Thumbnails

if TYPE_CHECKING:
    import pandas

STATEMENTS, LISTED = 2, 10
"""Largest number of statements on a group next to its curves, and including those shown on request."""
FEWEST, MOST = 3, 4
"""Number of pictures of a group: the usual number if there are as many columns, and the largest."""
MAX_MEMBERS = 100
"""Largest number of members drawn in a row of pictures over all groups, at equal steps through each."""
MAX_ROWS = 400
"""Largest number of sequences of symbols drawn as rows over all groups."""
DRAWN_AS_COURSE = frozenset({"level", "trend", "timing", "event time", "shape", "spread", "event size", "quickening"})
"""Properties visible in the course of their column; others are numbers, drawn as dots on an axis."""
IN_COMMON, FLOWING = 0.2, 0.5
"""Least share of the variance over time for a common course, below which members are out of phase; least correlation of
points, adjacent or some time apart, for a sequence to be more than noise about a level."""
ROOM_FOR_NUMBERS, FEW_GROUPS, MOST_NUMBERED = 10.0, 4, 8
"""Least distance of two numbers in percent of the height; groups up to which rows have their full height, and lines numbers."""
MAX_OUTSIDE = 3
"""Largest number of sequences without a group that have pictures of their own."""
MAX_DEVIATIONS = 3.0
"""Standard deviations shown in the darkest colours in the table of groups and columns."""

_NEARLY_ALL = re.compile(r", in (9[5-9]|100) of 100 pairs")


@dataclass(frozen=True)
class GroupRow:
    """A group: number, cluster (-1 if it fits none), CSS class, size, differences in words, more of them, pictures."""

    number: str
    cluster: int
    look: str
    size: int
    sentences: Sequence[str]
    more: Sequence[str]
    panels: Sequence[Panel]


class Deviation(NamedTuple):
    """A cell of the table of groups and columns: deviation of a mean from the overall one, colours, whether it is the largest."""

    text: str
    ground: str
    ink: str
    tells: bool


@dataclass(frozen=True)
class Answer:
    """The main picture.

    Attributes
    ----------
    rows : sequence of Row
    width : int
        Pictures of a row.
    columns : sequence of str
        Names of the columns in the table of groups and columns, without what all begin and end with.
    common : str
        A name with dots for what differs; empty where names have nothing in common.
    deviations : sequence of sequence of Deviation
        A row for each group; empty of few columns.
    has_examples : bool
        Whether a thick curve is that of the most typical member, since members have no course in common.
    is_warped : bool
        Whether a thick curve is a mean along alignments, since lengths differ.
    legend : sequence of State
        States with their colours, of sequences of symbols.
    """

    rows: Sequence[GroupRow]
    width: int
    columns: Sequence[str] = ()
    common: str = ""
    deviations: Sequence[Sequence[Deviation]] = ()
    has_examples: bool = False
    is_warped: bool = False
    legend: Sequence[LegendState] = ()


class _Key(NamedTuple):
    """A picture of a row: a property with its column; for a course, the property is empty."""

    kind: str
    column: str


@dataclass(frozen=True)
class _Group:
    number: str
    cluster: int
    look: str
    size: int
    inside: IntArray
    typical: int
    statements: Any


def statements(explanation: pandas.DataFrame) -> list[pandas.DataFrame]:
    """The statements on each cluster, in the order of the clusters."""
    return [rows for _, rows in explanation.groupby("cluster", sort=True)]


def short_sentences(rows: pandas.DataFrame, called: Mapping[str, str] | None = None) -> list[str]:
    """Statements without the share of pairs if it is nearly all, and with columns as they are `called`."""
    said = []
    for sentence, column in zip(rows["sentence"], rows["column"], strict=True):
        name, short = titled(column)[0], (called or {}).get(column)
        text = _NEARLY_ALL.sub("", sentence.replace(name, f"column {short}") if short else sentence)
        said.append(typeset(text))
    return said


def has_no_course(values: FloatArray) -> bool:
    """Whether sequences, shape (N, L), have no common course, as waves of random phase: their median resembles none."""
    centred = values - values.mean(axis=1, keepdims=True)
    total = float(np.square(centred).sum())
    if len(values) < 2 or total <= 0.0:
        return False
    half = max(2, centred.shape[1] // 2)
    flowing = max(float((centred[:, lag:] * centred[:, :-lag]).sum()) for lag in range(1, half)) / total
    common = len(values) * float(np.square(centred.mean(axis=0)).sum()) / total
    # Of N sequences out of phase, chance leaves a share of 1 / N.
    return flowing >= FLOWING and common < IN_COMMON + 1.0 / len(values)


def shortened(names: Sequence[str]) -> tuple[list[str], str]:
    """Names without the common beginning and end, as whole words; and the pattern of the names, empty if there is none."""
    parts, first, last = [name.split("_") for name in names], 0, 0
    while len(names) > 1 and all(len(part) > first + 1 for part in parts) and len({part[first] for part in parts}) == 1:
        first += 1
    while (
        len(names) > 1
        and all(len(part) > first + last + 1 for part in parts)
        and len({part[-1 - last] for part in parts}) == 1
    ):
        last += 1
    common = "_".join([*parts[0][:first], "…", *parts[0][len(parts[0]) - last :]])
    return ["_".join(part[first : len(part) - last]) for part in parts], common if first + last else ""


def answer(content: Content, thumbnails: Thumbnails) -> Answer | None:
    """The main picture; None without sequences or groups."""
    result = content.result
    if content.explanation is None or not result.details.has_content or not result.n_clusters:
        return None
    sequences = result.original.subset(content.positions)
    groups, names = _groups(content), column_labels(sequences)
    is_sound = bool(thumbnails.recordings)
    is_table = len(names) > MOST and not is_sound and len(groups) > 1
    short, common = shortened(names) if is_table else (names, "")
    called = dict(zip(names, short, strict=True))
    if sequences.alphabet is not None:
        return _of_symbols(groups, content, sequences)
    picked = _picked(groups, content, [] if is_sound else names)
    drawn = _Drawn(groups, sequences, called, {key for keys in picked for key in keys})
    said = _said(groups, content, sequences, called if common else {})
    rows = []
    for k, (group, keys) in enumerate(zip(groups, picked, strict=True)):
        panels = [drawn.panel(k, key) for key in keys]
        if is_sound:
            item = int(content.positions[group.typical])
            panels.insert(0, thumbnails.recordings.panel(item, "the most typical", with_pitch=True))
        rows.append(_row(group, said[k], panels))
    return Answer(
        rows,
        max(1, *(len(row.panels) for row in rows)),
        short,
        common,
        _deviations(groups, sequences, picked, names) if is_table else [],
        any(drawn.examples.values()),
        drawn.is_warped,
    )


def _row(group: _Group, said: Sequence[str], panels: Sequence[Panel]) -> GroupRow:
    return GroupRow(
        group.number, group.cluster, group.look, group.size, said[:STATEMENTS], said[STATEMENTS:LISTED], panels
    )


def _said(
    groups: Sequence[_Group], content: Content, sequences: SequenceSet, called: Mapping[str, str]
) -> list[list[str]]:
    """The sentences of each row, the strongest of each fact first; of what fits no group, why it does not."""
    found = []
    for group in groups:
        if group.cluster < 0:
            far = content.result.details.outlying
            why = map(typeset, far["sentence"][far["item"] == content.positions[group.typical]])
            found.append([f"{sequences.ids[group.typical]} {content.outside_as}; the scale is its own", *why])
        elif group.statements is None:
            found.append([])
        else:
            first = facts(group.statements, STATEMENTS)
            rest = group.statements.drop(first.index)
            found.append([*short_sentences(first, called), *short_sentences(rest, called)])
    return found


def _of_symbols(groups: Sequence[_Group], content: Content, sequences: SequenceSet) -> Answer:
    """The main picture for sequences of symbols: coloured states in place of curves."""
    end, most = span(sequences, sequences.lengths), max(8, MAX_ROWS // len(groups))
    rows = [
        _row(group, said, pictures(sequences, group.inside, group.typical, most, f"group {group.number}", end))
        for group, said in zip(groups, _said(groups, content, sequences, {}), strict=True)
    ]
    return Answer(rows, len(rows[0].panels), legend=legend_of(sequences))


def _groups(content: Content) -> list[_Group]:
    """The groups of the page."""
    result, groups = content.result, []
    sizes, said = sizes_of(content.everything.labels, result.n_clusters), statements(content.explanation)
    place = {int(item): row for row, item in enumerate(content.positions)}
    for k, (number, look, members) in enumerate(content.groups):
        inside = np.array([place[item] for item in members.tolist() if item in place], dtype=np.int64)
        if k < CLUSTERS and inside.size:
            typical = int(inside[result.details.typicality[content.positions[inside]].argmin()])
            rows = None if result.n_clusters == 1 else said[k]
            size = members.size if content.whole is None else int(sizes[k])
            groups.append(_Group(number, k, look, size, inside, typical, rows))
    outside = [] if content.whole is not None else content.outside.tolist()
    alone = [place[item] for item in outside if item in place][:MAX_OUTSIDE]
    return [*groups, *(_Group("", -1, "out", 1, np.array([at]), at, None) for at in alone)]


def _picked(groups: Sequence[_Group], content: Content, names: Sequence[str]) -> list[list[_Key]]:
    """The pictures of each row: shared by all rows for few columns, otherwise the most informative of each group."""
    if content.varying is not None:
        own = [_keys(content.varying.properties, names)]
    else:
        own = [
            [] if group.statements is None else _keys(facts(group.statements, STATEMENTS), names) for group in groups
        ]
    if len(names) > MOST:
        fill = [_Key("", name) for name in names[:STATEMENTS]]
        # A property alone is drawn with the course of its column.
        with_course = [[*keys, *(_Key("", key.column) for key in keys if key.column in names)] for keys in own]
        return [list(dict.fromkeys(keys))[:STATEMENTS] or fill for keys in with_course]
    # The strongest statement of each group first, then the second of each.
    ranked = [keys[rank] for rank in range(MOST) for keys in own if rank < len(keys)]
    chosen = list(dict.fromkeys(ranked))[:MOST]
    for key in (_Key("", name) for name in names):
        if len(chosen) < FEWEST and key not in chosen:
            chosen.append(key)
    return [chosen] * len(groups)


def _keys(rows: pandas.DataFrame, names: Sequence[str]) -> list[_Key]:
    keys = []
    for kind, column in zip(rows["property"], rows["column"], strict=True):
        if column in names and kind in DRAWN_AS_COURSE:
            keys.append(_Key("", column))
        elif kind in WORDS:
            keys.append(_Key(kind, column))
    return keys


def span(sequences: SequenceSet, lengths: IntArray) -> str:
    """Lengths in words, as time if known."""
    low, high = (duration(display_clock(sequences), int(end)) for end in (lengths.min(), lengths.max()))
    return low if low == high else f"{low.partition(' ')[0]}–{high}"


class _Drawn:
    """Curves and dots of all groups on the scale of each picture."""

    def __init__(
        self, groups: Sequence[_Group], sequences: SequenceSet, called: Mapping[str, str], keys: set[_Key]
    ) -> None:
        self._groups, self._sequences, self._called, self._names = groups, sequences, called, list(called)
        self._courses = courses(sequences)
        self._traits = traits(sequences) if any(key.kind for key in keys) else None
        self._words = words_for(sequences)
        self.examples: dict[tuple[int, _Key], bool] = {}
        self._middles: dict[int, FloatArray] = {}
        self._scales = {key: self._scale(key) for key in sorted(keys)}

    def panel(self, k: int, key: _Key) -> Panel:
        """The picture of one group."""
        low, high, typical = self._scales[key]
        group, values, number = self._groups[k], self._values(key), len(self._groups)
        if group.cluster < 0 and np.isfinite(values[group.inside]).any():
            low, high = ends(values[group.inside], [typical[k]])
        parts = (values[group.inside] - low) / (high - low)
        lines = [self._line((line - low) / (high - low), bool(key.kind)) for line in typical]
        others = [j for j, other in enumerate(self._groups) if j != k and other.cluster >= 0 and lines[j][0]]
        layers = [Layer("other", lines[j][0]) for j in others]
        if lines[k][0]:
            layers += [Layer("halo", lines[k][0]), Layer("own", lines[k][0])]
        if key.kind:
            layers.append(Layer("members", dots(parts)))
        else:
            some = np.linspace(0, len(parts) - 1, max(8, MAX_MEMBERS // number)).round().astype(int)
            layers.insert(0, Layer("members", "".join(map(path_of, parts[np.unique(some)]))))
        room = ROOM_FOR_NUMBERS if key.kind or number <= FEW_GROUPS else 2 * ROOM_FOR_NUMBERS
        labels = [Tick(lines[j][1], self._groups[j].number) for j in others] if number <= MOST_NUMBERED else []
        title = self._title(key)
        which = f" of group {group.number}, and the medians of the others" if number > 1 else " of all sequences"
        # Rows that are low have one axis of time, under the last of them.
        end = span(self._sequences, self._sequences.lengths) if number <= FEW_GROUPS or k == number - 1 else ""
        return Panel(
            title,
            title + which,
            layers,
            ticks(low, high),
            not key.kind,
            _parted(labels, room),
            "" if key.kind else end,
            [] if key.kind else cuts(parts),
            is_missing=not lines[k][0],
        )

    @staticmethod
    def _line(part: FloatArray, is_value: bool) -> tuple[str, float]:
        """Path of a typical course or value, and where its number stands in percent; empty of a value that is missing."""
        if is_value:
            return upright(float(np.nan_to_num(part, nan=-1.0))), 100.0 * float(np.clip(part, 0.0, 1.0))
        return path_of(part), 100.0 * (1.0 - float(np.clip(part[-1], 0.05, 0.95)))

    def _title(self, key: _Key) -> str:
        short = self._called.get(key.column, key.column)
        name, unit = (short if short != key.column else in_words(self._sequences, key.column)), titled(key.column)[1]
        if key.kind:
            words = self._words[key.kind]
            unit = unit if words.unit == "column" else words.unit
            name = f"{key.kind} of {name}" if key.column else key.kind
        return with_unit(name, unit)

    def _values(self, key: _Key) -> FloatArray:
        """Courses, shape (N, L), or values as stated, shape (N,)."""
        if not key.kind:
            return np.asarray(self._courses[self._names.index(key.column)])
        found: Traits = self._traits  # type: ignore[assignment]
        column = found.values[:, list(zip(found.kinds, found.columns, strict=True)).index((key.kind, key.column))]
        return np.array([self._words[key.kind].shown(value) for value in column.tolist()])

    @property
    def is_warped(self) -> bool:
        """Whether the typical course of a group is a barycentre."""
        return bool(self._middles)

    def _middle(self, k: int, column: str) -> FloatArray:
        """The typical course of a group in a column: the median, or a DTW barycentre for unequal lengths."""
        own, name = self._courses[:, self._groups[k].inside], self._names.index(column)
        if np.ptp(self._sequences.lengths[self._groups[k].inside]) == 0:
            return np.asarray(np.median(own[name], axis=0))
        if k not in self._middles:
            some = own[:, np.unique(np.linspace(0, own.shape[1] - 1, MOST_AVERAGED).astype(int))]
            deviation = some.std(axis=(1, 2))
            units = np.where(deviation > 0.0, deviation, 1.0)
            self._middles[k] = barycentre(list(some.transpose(1, 2, 0) / units)) * units
        return self._middles[k][:, name]

    def _scale(self, key: _Key) -> tuple[float, float, list[FloatArray]]:
        """Both ends of the scale, and the typical course, or value, of each group."""
        values, typical = self._values(key), []
        for k, group in enumerate(self._groups):
            own = values[group.inside]
            if key.kind:
                typical.append(np.asarray(np.nanmedian(own) if np.isfinite(own).any() else np.nan))
                continue
            self.examples[k, key] = has_no_course(own)
            typical.append(values[group.typical] if self.examples[k, key] else self._middle(k, key.column))
        belongs = [k for k, group in enumerate(self._groups) if group.cluster >= 0]
        inside = values[np.concatenate([self._groups[k].inside for k in belongs])]
        return *ends(inside, [typical[k] for k in belongs]), typical


def _parted(labels: Sequence[Tick], room: float) -> list[Tick]:
    """Labels that are far enough from each other to be read, as long as there is room."""
    ordered = sorted(labels)
    places = [label.at for label in ordered]
    for j in range(1, len(places)):
        places[j] = max(places[j], places[j - 1] + room)
    for j in range(len(places) - 1, -1, -1):
        places[j] = min(places[j], 97.0 - room * (len(places) - 1 - j))
    return [label._replace(at=place) for label, place in zip(ordered, places, strict=True)]


def _deviations(
    groups: Sequence[_Group], sequences: SequenceSet, picked: Sequence[Sequence[_Key]], names: Sequence[str]
) -> list[list[Deviation]]:
    """Deviation of each group's mean from the overall one in each column, in standard deviations of the sequences' means."""
    import matplotlib
    from matplotlib.colors import to_hex

    shades = matplotlib.colormaps["RdBu_r"]
    means = np.array([frames.mean(axis=0) for frames in sequences])
    spread = means.std(axis=0)
    away = (np.array([means[group.inside].mean(axis=0) for group in groups]) - means.mean(axis=0)) / np.where(
        spread > 0.0, spread, 1.0
    )
    rows: list[list[Deviation]] = []
    for line, keys in zip(away.tolist(), picked, strict=True):
        told = {key.column for key in keys}
        rows.append([])
        for value, name in zip(line, names, strict=True):
            part = max(-1.0, min(1.0, value / MAX_DEVIATIONS))
            text = f"{value:+.1f}".replace("-", "−") if abs(value) >= 0.05 else "0"
            ground = to_hex(shades(0.5 + 0.5 * part))
            rows[-1].append(Deviation(text, ground, on(ground), name in told))
    return rows
