"""How each cluster differs from the others: tested statements in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import FloatArray, IntArray
from ..core.clock import display_clock, in_time, time_of_day
from ..core.random_state import RandomState, check_seed
from ..core.seeds import stream
from ..core.sequences import SequenceSet
from ..core.stored import as_stored
from ..core.wording import pair, plain, signed_difference
from ..features.column_names import column_labels, of_recording, titled
from ..features.explanatory import Traits, courses, traits
from ..features.sound import HEARD
from ..metrics.group_differences import Contrasts, contrasts, unit_shapes, whole_blocks_permuted
from ..metrics.maps import sample_items
from . import limits
from .group_labels import FACTS, MIN_TREND_CORRELATION, is_heard, phrase, phrase_of_share, spoken
from .piece_sources import dependent_sources, permutable_sources

if TYPE_CHECKING:
    import pandas


MAX_P_VALUE = 0.02
"""Largest corrected p-value of a statement. At most this share of random labelings get one."""
EFFECT_STEP = 1.5
"""Factor within which effects count as equally strong; among those, the plainer property goes first."""
MOST_DEVIATIONS, MOST_OF_DERIVED, MOST_WITH_A_SHARE = 30.0, 12.0, 20.0
"""Largest strength of a statement in robust deviations: of plain properties, of derived ones (which vary little where plain
ones do), and of a property that all members and no others have."""
DERIVED = ("form", "roughness", "timing", "regularity", "quickening", "event size")
"""Properties that people notice after the plainer ones."""
MIN_SHARE_ON_A_SIDE = 0.1
"""Least share of other sequences on either side of members that lie in between."""
BETWEEN_GAIN = 0.05
"""Least gain in closeness to the members' median, beyond what exceeding explains, for members to lie in between."""
MIN_SHARE_THROUGHOUT = 0.9
"""Least share of the time for a difference to count as everywhere."""
MIN_SHARE_OF_PLACE = 0.5
"""Least share of the time of a difference that a single place must cover to represent it."""
MIN_SHARE_GAP = 0.5
"""Least difference between the shares of members and of others with a property for a statement."""
MIN_SHARE_WITH, MIN_WITH = 0.5, 2
"""Least share, and number, of members and of others with a property for its values to be compared."""
TWO_PEAKS, MIN_GAP_OF_PEAKS, MIN_SHARE_OF_PEAK, MIN_OF_PEAK = 5.0, 0.2, 0.2, 3
"""Least distance between two parts of a two-peaked group, in deviations within them, and relative to the distance from the
others or to the larger value; least share and number of members in each part."""
ANY_TIME = 0.4
"""Least distance between the deciles of moments, 0 to 1, for these to count as spread over the whole time."""
MIN_IRREGULARITY = 0.05
"""Relative deviation of intervals below which they are regular, since frames and noise alone cause as much."""
SAME_PLACE, PEAK_HEIGHT, WIDEST_PEAK = 0.1, 0.9, 0.15
"""Largest distance between the peaks of two courses at the same place, as a share of the time; share of the range above
which a course counts as being at its peak; widest peak that has a place."""
MIN_AT_PEAK = 0.75
"""Least share of members whose peak is at the peak of the typical course, for the statement about it."""
ALIKE_STATES = 1.3
"""Largest ratio of the times in two states for which one number is given for both."""
MIN_QUICKENING = 1.1
"""Least ratio of the typical steps of the two halves for a sequence to change faster, or slower, towards the end."""
FIRST = 3
"""Number of first statements that include the view or property that decided."""
TRIFLE, TRIFLING_SHARE = 3.0, 0.25
"""Robust deviations, and share of those of the strongest statement on a cluster, below both of which a statement is a trifle."""
COLUMNS = (
    "cluster",
    "column",
    "property",
    "effect",
    "p",
    "where",
    "sentence",
    "words",
    "value",
    "others",
    "low",
    "high",
    "n_with",
    "n_others_with",
    "unit",
    "direction",
    "start",
    "end",
)


def _same(value: float) -> float:
    return value


def _exponent(value: float) -> float:
    return float(np.exp(value))


def _percent(value: float) -> float:
    return 100.0 * value


def _count(value: float) -> str:
    """A number of things; the median of an even number of counts may lie between two of them."""
    low, high = int(np.floor(value + 1e-9)), int(np.ceil(value - 1e-9))
    return str(low) if low == high else f"{low} or {high}"


def _share_of_time(value: float) -> float:
    return 50.0 * (value + 1.0)


def _correlation(value: float) -> float:
    return float(np.tanh(value)) + 0.0


@dataclass(frozen=True)
class Words:
    """How to state a difference in a property; ``{of}`` is `` of `` and the column, if there are several.

    Attributes
    ----------
    more, less : str
        Of members that exceed the others, and the other way round.
    between : str
        Of members in the middle of others.
    shown : callable
        A value as it is compared, in its unit.
    within : str
        What stands around values.
    unit : str
        The unit of values; that of the column, where it is ``"column"``.
    digits : str
        How values are written: with as many digits as distinguish them where it is empty, else a format.
    written : callable or None
        Function that writes a value as it is shown, in place of digits.
    """

    more: str
    less: str
    between: str
    shown: Callable[[float], float] = _same
    within: str = "{}"
    unit: str = ""
    digits: str = ""
    written: Callable[[float], str] | None = None

    def text_of(self, value: float) -> str:
        """A compared value as text, without its unit."""
        shown = self.shown(value)
        if self.written is not None:
            return self.written(shown)
        return format(shown + 0.0, self.digits) if self.digits else plain(shown)


# Plainest first: of about equal effects, the earlier one is stated first.
WORDS: Mapping[str, Words] = {
    "length": Words("longer", "shorter", "intermediate length", _exponent, "{} frames", "frames"),
    "pulses": Words(
        "faster pulses",
        "slower pulses",
        "intermediate pulse rate",
        _exponent,
        "{} pulses a second",
        "a second",
        ".3g",
    ),
    "pitch": Words("higher pitch", "lower pitch", "intermediate pitch", _exponent, "{} Hz", "Hz", ".0f"),
    "rise of pitch": Words(
        "rising pitch", "falling pitch", "intermediate rise of pitch", _same, "by {} semitones", "semitones", ".1f"
    ),
    "range of pitch": Words(
        "wider pitch range",
        "narrower pitch range",
        "intermediate pitch range",
        _same,
        "{} semitones",
        "semitones",
        ".1f",
    ),
    "loudness": Words("louder", "softer", "intermediate loudness", _same, "{} dB re full scale", "dB", ".0f"),
    "overall loudness": Words(
        "louder overall",
        "softer overall",
        "intermediate overall loudness",
        _same,
        "{} dB re full scale",
        "dB",
        ".0f",
    ),
    "rise of loudness": Words(
        "getting louder", "getting softer", "intermediate rise of loudness", _same, "by {} dB", "dB", ".0f"
    ),
    "silence": Words(
        "more silence", "less silence", "intermediate share of silence", _percent, "{} % of the time", "%", ".0f"
    ),
    "pauses": Words("more pauses", "fewer pauses", "intermediate number of pauses", written=_count),
    "brightness": Words(
        "brighter sound",
        "darker sound",
        "intermediate brightness",
        _exponent,
        "centre of the spectrum at {} Hz",
        "Hz",
        ".0f",
    ),
    "bandwidth": Words("wider band", "narrower band", "intermediate bandwidth", _exponent, "{} Hz", "Hz", ".0f"),
    "level": Words("higher level{of}", "lower level{of}", "intermediate level{of}", unit="column"),
    "period": Words(
        "longer period{of}", "shorter period{of}", "intermediate period{of}", _exponent, "{} frames", "frames"
    ),
    "trend": Words(
        "",
        "",
        "intermediate trend{of}",
        _correlation,
        "correlation with time {}",
        digits=".2f",
    ),
    "spread": Words("larger spread{of}", "smaller spread{of}", "intermediate spread{of}", _exponent, unit="column"),
    "correlation": Words(
        "",
        "",
        "intermediate correlation{of}",
        _correlation,
        "correlation {}",
        digits=".2f",
    ),
    "time high": Words(
        "longer stays in the upper of two states{of}",
        "shorter stays in the upper of two states{of}",
        "intermediate stays in the upper of two states{of}",
        _exponent,
        "{} frames",
        "frames",
    ),
    "time low": Words(
        "longer stays in the lower of two states{of}",
        "shorter stays in the lower of two states{of}",
        "intermediate stays in the lower of two states{of}",
        _exponent,
        "{} frames",
        "frames",
    ),
    "dwell": Words(
        "longer stays in each of two states{of}",
        "shorter stays in each of two states{of}",
        "intermediate stays in each of two states{of}",
        _exponent,
        "{} frames",
        "frames",
    ),
    "event time": Words(
        "later main event{of}",
        "earlier main event{of}",
        "main event{of} at an intermediate time",
        _percent,
        "at {} % of the time",
        "%",
        ".0f",
    ),
    "events": Words("more events{of}", "fewer events{of}", "intermediate number of events{of}", written=_count),
    "event size": Words(
        "larger maximum distance from the median{of}",
        "smaller maximum distance from the median{of}",
        "intermediate maximum distance from the median{of}",
        _exponent,
        unit="column",
    ),
    "form": Words(
        "heavier tails{of}",
        "lighter tails{of}",
        "intermediate tails{of}",
        _exponent,
        "kurtosis {}",
    ),
    "roughness": Words(
        "rougher course{of}",
        "smoother course{of}",
        "intermediate roughness{of}",
        _exponent,
        "typical step {} times its spread",
        "own spread",
    ),
    "timing": Words(
        "later largest deviation from the mean{of}",
        "earlier largest deviation from the mean{of}",
        "largest deviation from the mean{of} at an intermediate time",
        _share_of_time,
        "around {} % of the time",
        "%",
        ".0f",
    ),
    "regularity": Words(
        "less regular changes{of}",
        "more regular changes{of}",
        "intermediate regularity of changes{of}",
        lambda value: 100.0 * _exponent(value),
        "intervals vary by {} %",
        "%",
        ".0f",
    ),
    "quickening": Words(
        "faster changes{of} towards the end",
        "slower changes{of} towards the end",
        "intermediate change of pace{of}",
        _exponent,
        "steps of the second half {} times those of the first",
        "times",
    ),
    "time in state": Words(
        "more time in {column}", "less time in {column}", "intermediate time in {column}", _same, "{} steps", "steps"
    ),
    "entries": Words(
        "more entries into {column}", "fewer entries into {column}", "intermediate number of entries into {column}"
    ),
    "changes": Words("more changes of the state", "fewer changes of the state", "intermediate number of changes"),
    **dict.fromkeys(("first state", "last state", "transition", "order"), Words("", "", "")),
}
"""Properties in words."""
SHARES: Mapping[str, str] = {
    "period": "have a period{of}",
    "dwell": "have two states{of}",
    "event time": "have one main event{of}",
    "pulses": "have regular pulses",
    "pitch": "have a pitch",
    "first state": "begin in {column}",
    "last state": "end in {column}",
    "transition": "go from {column}",
    "order": "have {column}",
}
"""Properties stated as present or absent, as predicates of several sequences."""
SIGNS = {"trend": ("downward", "upward"), "correlation": ("negative", "positive")}
"""Properties whose sign is stated, and the words for both signs."""
WITHOUT_VALUES = frozenset({"first state", "last state", "transition", "order"})
"""Properties that are only present or absent, without a value."""
AGAINST = frozenset({"time in state", "entries", "changes"})
"""Properties whose value for the others is given along with that of a group."""
OF_SYMBOLS = WITHOUT_VALUES | AGAINST
"""Properties of symbols."""
FINEST: Mapping[str, float] = {
    "level": 0.0,
    "time in state": 0.5,
    "entries": 0.5,
    "changes": 0.5,
    "events": 0.5,
    "pauses": 0.5,
    "trend": 0.1,
    "correlation": 0.1,
    "event time": 0.02,
    "timing": 0.05,
    "silence": 0.02,
    "pulses": 0.05,
    "pitch": 0.2 * np.log(2.0) / 12.0,
    "rise of pitch": 0.2,
    "range of pitch": 0.2,
    "loudness": 1.0,
    "overall loudness": 1.0,
    "rise of loudness": 1.0,
    "brightness": 0.05,
    "bandwidth": 0.1,
}
"""Deviations of properties, as compared, that count as none; 0.02 for all others, which is 2 % of a value."""
USUALLY_FINEST = 0.02
FOLLOWING, MAIN_SHARE = (("spread", 1), ("event size", 1), ("roughness", -1)), 0.5
"""Properties, with directions, that follow from a course that rises or swings, and the share of the variance of a column
that its trend must explain for that."""
FOLLOWING_EVENT = ("quickening", "timing", "trend", "shape")
"""Properties that follow from one main event; the last one also from a trend."""
LEAST_HEARD: Mapping[str, float] = {kind: FINEST[kind] for kind in HEARD if kind in FINEST} | {"rise of loudness": 3.0}
"""Inaudible differences of medians, below which there is no statement."""
RISES = frozenset({"rise of pitch", "rise of loudness"})
"""Properties whose sign is stated."""
LEAST_HEARD_LENGTH = 0.01
"""As above, for the lengths of recordings as a share."""
NEXT_TO_NOTHING = 1e-6
"""Relative size below which a number that cannot be 0 is written as such."""
DURATIONS = ("length", "period", "dwell", "time high", "time low")
"""Properties that are logarithms of numbers of frames."""
SHAPE = "shape"
NOTHING = "no single property sets it apart from the others"
ALONE = "there is one cluster only, and nothing to compare it with"
NO_CONTENT = "only dissimilarities were given, without the sequences"


def words_for(sequences: SequenceSet) -> Mapping[str, Words]:
    """Properties in words: durations as time, if it is known, and moments too, if all sequences have one length."""
    clock = display_clock(sequences)
    if clock is None:
        return WORDS
    unit = f"{{}} {clock.unit.replace('{', '{{').replace('}', '}}')}"

    def timed(kind: str, frames: Callable[[float], float], within: str) -> Words:
        return replace(
            WORDS[kind], shown=lambda value: frames(value) * clock.step, within=within, unit=clock.unit, digits=""
        )

    timed_words = {kind: timed(kind, _exponent, unit) for kind in DURATIONS}
    length = _one_length(sequences)
    if length:
        timed_words["event time"] = timed("event time", lambda value: value * length, f"at {unit} after the start")
        timed_words["timing"] = timed(
            "timing", lambda value: (value + 1.0) / 2.0 * length, f"around {unit} after the start"
        )
        if time_of_day(clock, 0.0, length * clock.step):
            timed_words |= {
                kind: replace(
                    timed_words[kind], within=within, written=lambda time: time_of_day(clock, time, length * clock.step)
                )
                for kind, within in (("event time", "at {}"), ("timing", "around {}"))
            }
    in_state = replace(WORDS["time in state"], shown=lambda value: value * clock.step, within=unit, unit=clock.unit)
    return {**WORDS, **timed_words, "time in state": in_state}


def unit_in(words: Mapping[str, Words], kind: str, column: str) -> str:
    """The unit of a property in words."""
    unit = words[kind].unit
    return titled(column)[1] if unit == "column" else unit


def in_unit(words: Mapping[str, Words], kind: str, column: str, text: str) -> str:
    """Values of a property, as text, with what stands around them, and with their unit where it is that of the column."""
    unit = unit_in(words, kind, column) if words[kind].unit == "column" else ""
    return words[kind].within.format(f"{text} {unit}" if unit else text)


def called(items: SequenceSet, column: str) -> str:
    """A column, or two that are joined by "and", in sentences: without the unit that follows numbers, unless names differ in it."""
    titles = {name: titled(name)[0] for name in column_labels(items)}
    both = column.split(" and ")
    parts = both if column not in titles and all(part in titles for part in both) else [column]
    alike = Counter(titles.values())
    return " and ".join(titles[part] if alike[titles.get(part, "")] == 1 else part for part in parts)


def when(sequences: SequenceSet, where: str) -> str:
    """A range of time in words: in its unit, if that is known and all sequences have one length, otherwise as a share."""
    clock, length = display_clock(sequences), _one_length(sequences)
    if clock is None or not length:
        return f"{where} of the time"
    begin, end = (float(part) / 100.0 * length for part in where.removesuffix(" %").split(" to "))
    first, last = (time_of_day(clock, frames * clock.step, length * clock.step) for frames in (begin, end))
    if first:
        return f"{first} to {last}"
    # People who read logs take bare hours for the time of day.
    return f"{in_time(clock, begin)} to {in_time(clock, end)} {clock.unit} after the start"


def _one_length(sequences: SequenceSet) -> int:
    """Number of frames of each sequence; 0 if lengths differ."""
    return int(sequences.lengths[0]) if not np.ptp(sequences.lengths) else 0


@dataclass(frozen=True)
class _Row:
    """A statement about one cluster; see :data:`COLUMNS`.

    `strength` is in robust deviations; `is_share`: whether it says how many sequences have a property.
    """

    column: str
    property: str
    effect: float
    p: float
    where: str
    sentence: str
    words: str
    strength: float
    value: float = np.nan
    others: float = np.nan
    low: float = np.nan
    high: float = np.nan
    n_with: int = 0
    n_others_with: int = 0
    unit: str = ""
    direction: int = 0
    start: float = np.nan
    end: float = np.nan
    is_share: bool = False


def explain(
    sequences: SequenceSet, labels: IntArray, random_state: RandomState = 0, decided: tuple[str, str] | None = None
) -> pandas.DataFrame:
    """Explain each cluster by its differences from all others: the table of :meth:`~kinseq.api.results.Clustering.explain`.

    `sequences` are in the units that words are said in, `labels`, shape (N,), from 0 to K - 1. Of more than 1000
    sequences, as many are drawn, so that clusters keep their shares. `random_state` is that of the permutations. `decided` is the
    property, and its column, that the clusters were found by, if there is one.
    """
    seed = check_seed(random_state)
    n_clusters = int(labels.max()) + 1
    if n_clusters < 2:
        return _frame([(0, _nothing(ALONE))])
    sequences = as_stored(sequences)
    # Ordered by content, so that permutations do not depend on the order of files. Copies add no evidence, unless they
    # are copies of constant sequences.
    still = [not np.ptp(frames, axis=0).any() for frames in sequences]
    contents = zip(sequences.content_keys, labels.tolist(), strict=True)
    keys = [(*key, i if is_still else 0) for i, (key, is_still) in enumerate(zip(contents, still, strict=True))]
    first = {key: i for i, key in reversed(list(enumerate(keys)))}
    indices = np.array([first[key] for key in sorted(first)], dtype=np.int64)
    indices = indices[sample_items(labels[indices], limits.MAX_EXAMINED, seed)]
    items, own = sequences.subset(indices), labels[indices]
    found = _Tested.of(items, own, seed)
    rows = []
    for k in range(n_clusters):
        statements = [*_of_properties(found, k), *_of_shapes(found, k)]
        rows += [(k, row) for row in _ordered(statements, decided) or [_nothing(NOTHING)]]
    return _frame(rows)


@dataclass(frozen=True)
class _Tested:
    """Data for statements.

    Attributes
    ----------
    items : SequenceSet
    labels : ndarray, int64, shape (N,)
    traits : Traits
    shares : dict of int
        Of properties that not all sequences have, by their places: where it stands, among what was tested, whether they have it.
    curves : ndarray, shape (d, N, L)
    contrast : Contrasts
    words : mapping
    """

    items: SequenceSet
    labels: IntArray
    traits: Traits
    shares: Mapping[int, int]
    curves: FloatArray
    contrast: Contrasts
    words: Mapping[str, Words]

    @classmethod
    def of(cls, items: SequenceSet, labels: IntArray, seed: int) -> _Tested:
        """Compute and test properties of some sequences together."""
        item_traits, curves = traits(items), courses(items)
        there = ~np.isnan(item_traits.values)
        mixed = [
            j
            for j, kind in enumerate(item_traits.kinds)
            if kind in SHARES and there[:, j].any() and not there[:, j].all()
        ]
        tested = np.hstack([item_traits.values, there[:, mixed].astype(np.float64)])
        contrast = contrasts(tested, curves, labels, MAX_P_VALUE, seed, permutable_sources(items, labels, MAX_P_VALUE))
        shares = {j: len(item_traits.kinds) + i for i, j in enumerate(mixed)}
        return cls(items, labels, item_traits, shares, curves, contrast, words_for(items))

    def unit_of(self, kind: str, column: str) -> str:
        """The unit of a property."""
        return unit_in(self.words, kind, column)

    @property
    def least_length(self) -> float:
        """Least difference of lengths for a statement, as a share; 0 except for recordings."""
        return LEAST_HEARD_LENGTH if "loudness" in self.traits.kinds else 0.0

    def come_in_pulses(self, some: NDArray[np.bool_]) -> bool:
        """Whether most of some recordings come in regular pulses."""
        if "pulses" not in self.traits.kinds:
            return False
        rates = self.traits.values[some, self.traits.kinds.index("pulses")]
        return bool(np.isfinite(rates).mean() > 0.5)

    def scale(self, j: int) -> float:
        """Robust deviation of a property within clusters."""
        values = self.traits.values[:, j]
        within = np.concatenate(
            [np.abs(some - np.median(some)) for some in self._of_clusters(values) if some.size] or [np.zeros(1)]
        )
        return max(1.4826 * float(np.median(within)), FINEST.get(self.traits.kinds[j], USUALLY_FINEST))

    def medians(self, j: int) -> FloatArray:
        """Median of each cluster, NaN without values, shape (K,)."""
        every = self._of_clusters(self.traits.values[:, j])
        return np.array([np.median(some) if some.size else np.nan for some in every])

    def _of_clusters(self, values: FloatArray) -> list[FloatArray]:
        there = ~np.isnan(values)
        return [values[(self.labels == k) & there] for k in range(int(self.labels.max()) + 1)]

    def place(self, k: int, column: str, direction: int) -> tuple[str, float, float]:
        """Where a cluster exceeds or falls below others most, or has another shape (`direction` 0).

        A share of the time as text, and begin and end in the time of the clock, else in frames; empty and NaN if nowhere,
        everywhere, or at several places.
        """
        names = column_labels(self.items)
        nowhere = "", float("nan"), float("nan")
        if column not in names:
            return nowhere
        j = names.index(column)
        own = self.labels == k
        difference = self.curves[j][own].mean(axis=0) - self.curves[j][~own].mean(axis=0)
        bent = self.contrast.bent[k, j]
        if direction:
            signs = np.sign(difference), np.sign(self.contrast.course[k, j]), np.sign(self.contrast.bend[k, j])
            sure = bent & self.contrast.places[k, j] & np.logical_and.reduce([sign == direction for sign in signs])
            size = direction * difference
        else:
            size = np.abs(self.contrast.bend[k, j])
            # Centred courses can differ where the courses themselves are equal.
            sure = bent & self.contrast.places[k, j] & (np.abs(difference) >= np.abs(difference).max() / 2.0)
            if sure.any():
                top = int(np.where(sure, size, -np.inf).argmax())
                sure &= np.sign(self.contrast.bend[k, j]) == np.sign(self.contrast.bend[k, j, top])
        if not sure.any():
            return nowhere
        top = int(np.where(sure, size, -np.inf).argmax())
        marked = sure & (size >= size[top] / 2.0)
        ends = np.flatnonzero(~marked)
        low = int(ends[ends < top].max(initial=-1)) + 1
        high = int(ends[ends > top].min(initial=len(size))) - 1
        begin, end = low / len(size), (high + 1) / len(size)
        is_most = high + 1 - low >= MIN_SHARE_OF_PLACE * np.count_nonzero(marked)
        if end - begin >= MIN_SHARE_THROUGHOUT or not is_most:
            return nowhere
        clock, length = display_clock(self.items), float(np.median(self.items.lengths))
        step = length * (1.0 if clock is None else clock.step)
        return f"{100 * begin:.0f} to {100 * end:.0f} %", begin * step, end * step


def _of_properties(found: _Tested, k: int) -> list[_Row]:
    """Statements on one cluster by single properties."""
    rows = []
    own, contrast = found.labels == k, found.contrast
    for j, values in enumerate(found.traits.values.T):
        there = ~np.isnan(values)
        counts = int((own & there).sum()), int((~own & there).sum())
        row = None
        if j in found.shares and contrast.higher_p[k, found.shares[j]] <= MAX_P_VALUE:
            row = _of_share(found, k, j, counts)
        enough = all(
            n >= max(MIN_WITH, MIN_SHARE_WITH * side.sum()) for n, side in zip(counts, (own, ~own), strict=True)
        )
        if row is None and enough and min(contrast.higher_p[k, j], contrast.close_p[k, j]) <= MAX_P_VALUE:
            row = _of_values(found, k, j, counts)
        if row is not None:
            rows.append(row)
    return [row for row in rows if not _is_said_by_states(row, found, k)]


def _is_said_by_states(row: _Row, found: _Tested, k: int) -> bool:
    """Whether the times in two states are better stated as one number for both, or as one for each."""
    if row.property not in ("dwell", "time high", "time low") or row.direction == 0 or np.isnan(row.value):
        return False
    high, low = _states(found, k, row.column)
    alike = max(high, low) <= ALIKE_STATES * min(high, low)
    return alike != (row.property == "dwell")


def _states(found: _Tested, k: int, column: str) -> tuple[float, float]:
    """Typical times of members in the upper and the lower state, as shown."""
    names = list(zip(found.traits.kinds, found.traits.columns, strict=True))
    high, low = (
        found.words[kind].shown(float(found.medians(names.index((kind, column)))[k]))
        for kind in ("time high", "time low")
    )
    return high, low


def _of_share(found: _Tested, k: int, j: int, counts: tuple[int, int]) -> _Row | None:
    """State that members have a property and others lack it, or the other way round; None if the shares hardly differ."""
    kind, column, own = found.traits.kinds[j], found.traits.columns[j], found.labels == k
    sizes = int(own.sum()), int((~own).sum())
    gap = counts[0] / sizes[0] - counts[1] / sizes[1]
    if abs(gap) < MIN_SHARE_GAP:
        return None
    words, values, name = found.words[kind], found.traits.values[:, j], called(found.items, column)
    there = ~np.isnan(values)
    typical = [
        _typical(values[side & there], kind, words) if kind not in WITHOUT_VALUES else ((), "") for side in (own, ~own)
    ]
    shown = [[words.shown(value) for value in found_values] for found_values, _ in typical]
    of = f" of {spoken(name)}" if found.items.n_features > 1 else ""
    texts = [
        in_unit(found.words, kind, column, joint.join(words.text_of(value) for value in some)) if some else ""
        for some, joint in typical
    ]
    have = SHARES[kind].format(of=of, column=spoken(name))
    inside, outside = (f" ({text})" if text else "" for text in texts)
    members, others = _part(counts[0], sizes[0]), f"{_part(counts[1], sizes[1], 'the ')} others"
    if 0 < counts[1] < sizes[1] and counts[0]:
        sentence = f"{members} {have}{inside}, against {others}{outside}"
    else:
        sentence = f"{members} {have}{inside}, but {others} do{outside}"
    value = texts[0]
    if kind == "dwell" and value:
        duration = found.words["time high"].within
        value = " and ".join(
            f"{side} for about {duration.format(plain(time))}"
            for side, time in zip(("high", "low"), _states(found, k, column), strict=True)
        )
    share = counts[0] / sizes[0]
    short = phrase_of_share(kind, _nameless(found.items).get(column, name), value, share, gap > 0)
    low, high = shown[0] if len(shown[0]) == 2 else (np.nan, np.nan)
    return _Row(
        column,
        kind,
        0.5 + gap / 2.0,
        float(found.contrast.higher_p[k, found.shares[j]]),
        "",
        sentence,
        short,
        MOST_WITH_A_SHARE * abs(gap),
        value=_single(shown[0]),
        others=_single(shown[1]),
        low=low,
        high=high,
        n_with=counts[0],
        n_others_with=counts[1],
        unit=found.unit_of(kind, column),
        direction=1 if gap > 0 else -1,
        is_share=True,
    )


def _part(number: int, size: int, article: str = "") -> str:
    """A number of sequences as part of all: ``none of 10``, ``2 of 10``, ``all 10``."""
    return f"all {size}" if number == size else f"{number or 'none'} of {article}{size}"


def _in_pairs(share: float) -> str:
    """In how many of 100 pairs of a member and another sequence a statement holds; empty if it holds in all."""
    return f", in {round(100 * share)} of 100 pairs" if round(100 * share) < 100 else ""


def _of_values(found: _Tested, k: int, j: int, counts: tuple[int, int]) -> _Row | None:
    """State that members have larger or smaller values than others, or values in between."""
    kind, column, own = found.traits.kinds[j], found.traits.columns[j], found.labels == k
    values, words, contrast = found.traits.values[:, j], found.words[kind], found.contrast
    there = ~np.isnan(values)
    inside, outside = values[own & there], values[~own & there]
    medians = [float(np.median(inside)), float(np.median(outside))]
    higher, higher_p = float(contrast.higher[k, j]), float(contrast.higher_p[k, j])
    middle = np.abs(values[there] - medians[0])
    nearer = 1.0 - _exceeds(middle, own[there])
    on_nearer_side = min(float((outside > medians[0]).mean()), float((outside < medians[0]).mean()))
    between = contrast.close_p[k, j] <= MAX_P_VALUE and on_nearer_side >= MIN_SHARE_ON_A_SIDE
    between = between and (higher_p > MAX_P_VALUE or nearer > max(higher, 1.0 - higher) + BETWEEN_GAIN)
    if not between and higher_p > MAX_P_VALUE:
        return None
    direction = 0 if between else 1 if higher > 0.5 else -1
    if direction and direction * (medians[0] - medians[1]) <= 0.0:
        # Most pairs differ in this direction but the medians do not, so no two numbers could be stated.
        return None
    if direction and abs(medians[0] - medians[1]) < LEAST_HEARD.get(
        kind, found.least_length if kind == "length" else 0.0
    ):
        return None
    if kind == "pauses" and found.come_in_pulses(own) != found.come_in_pulses(~own):
        # Gaps between regular pulses are not pauses, so these numbers cannot be compared.
        return None
    if kind == "quickening" and direction and direction * medians[0] < np.log(MIN_QUICKENING):
        # Slowing down less than others is not speeding up.
        return None
    if kind in RISES and direction and direction * medians[0] < LEAST_HEARD[kind]:
        # A pitch or loudness that rises less than elsewhere does not fall.
        return None
    if kind == "regularity" and max(medians) < np.log(MIN_IRREGULARITY):
        return None
    texts = _distinct_texts(found, j, k, medians)
    away = abs(medians[0] - medians[1])
    typical, joint = ((medians[0],), "") if between else _typical(inside, kind, words, away)
    of_others, joint_of_others = _typical(outside, kind, words, away)
    if direction and len(typical) == len(of_others) == 1 and texts[0] == texts[1]:
        # The rounded numbers are equal.
        return None
    title = called(found.items, column)
    of = f" of {spoken(title)}" if column and found.items.n_features > 1 else ""
    statement = (words.between if between else words.more if direction > 0 else words.less).format(
        of=of, column=spoken(title)
    )
    if kind in SIGNS and not between:
        own_value, of_others_value = (words.shown(value) for value in medians)
        signed = signed_difference(own_value, of_others_value, SIGNS[kind], MIN_TREND_CORRELATION)
        statement = f"{signed} {kind}{of}"
    said = texts[0] if not joint else joint.join(_texts(words, list(typical), 2))
    others_said = texts[1] if not joint_of_others else joint_of_others.join(_texts(words, list(of_others), 2))
    against = in_unit(found.words, kind, column, said if between else f"{said} against {others_said}")
    against += "; others lie on both sides" if between else ""
    effect, p = (nearer, float(contrast.close_p[k, j])) if between else (higher, higher_p)
    sentence = f"{statement} ({against}){_in_pairs(max(effect, 1.0 - effect))}"
    where, start, end = found.place(k, column, direction) if kind == "level" and direction else ("", np.nan, np.nan)
    if where:
        sentence += f", mainly from {when(found.items, where)}"
    name = _nameless(found.items).get(column, title)
    value = f"{said} against {others_said}" if kind in AGAINST else said
    short = phrase(kind, name, in_unit(found.words, kind, column, value), direction > 0, between, medians)
    if between:
        # If others lie on both sides, their median can be anywhere; the nearer side says how far apart members are.
        sides = (outside[sign * outside > sign * medians[0]] - medians[0] for sign in (-1, 1))
        away = min(float(np.median(np.abs(side))) for side in sides)
    elif joint_of_others:
        away = min(abs(medians[0] - value) for value in of_others)
    strength = away / max(found.scale(j), 1e-9 * float(np.abs(values[there]).max()), np.finfo(float).tiny)
    shown, shown_of_others = ([words.shown(value) for value in some] for some in (typical, of_others))
    low, high = shown if joint else (np.nan, np.nan)
    return _Row(
        column,
        kind,
        effect,
        p,
        where,
        sentence,
        short,
        # Numbers of symbols use the same scale as the shares next to them.
        MOST_WITH_A_SHARE * abs(2.0 * effect - 1.0)
        if kind in AGAINST
        else min(strength, MOST_OF_DERIVED if kind in DERIVED else MOST_DEVIATIONS),
        _single(shown),
        words.shown(medians[1]) if between else _single(shown_of_others),
        low,
        high,
        *counts,
        found.unit_of(kind, column),
        direction,
        start,
        end,
    )


def _typical(values: FloatArray, kind: str, words: Words, away: float = np.inf) -> tuple[tuple[float, ...], str]:
    """Typical value of a group, two values if it is two-peaked, or the range of moments at any time; and the joining word.

    Nothing of no values.
    """
    if not values.size:
        return (), ""
    peaks = _peaks(values, words, away)
    if peaks is not None:
        return peaks, " or "
    if kind == "event time":
        low, high = (float(end) for end in np.quantile(values, RANGE_QUANTILES))
        if high - low >= ANY_TIME:
            return (low, high), " to "
    return (float(np.median(values)),), ""


def _single(values: list[float]) -> float:
    """The only value; NaN of none or two."""
    return values[0] if len(values) == 1 else float("nan")


def _peaks(values: FloatArray, words: Words, away: float) -> tuple[float, float] | None:
    """The two values of a two-peaked group, each the median of its part; None otherwise.

    Two that are near each other, against how far `away` all others are, and as they are shown, are one.
    """
    ordered = np.sort(values)
    n = len(ordered)
    least = max(MIN_OF_PEAK, int(np.ceil(MIN_SHARE_OF_PEAK * n)))
    if n < 2 * least:
        return None
    best: tuple[float, int] | None = None
    for cut in range(least, n - least + 1):
        low, high = ordered[:cut], ordered[cut:]
        within = float(low.var() * cut + high.var() * (n - cut))
        if best is None or within < best[0]:
            best = within, cut
    assert best is not None
    low, high = ordered[: best[1]], ordered[best[1] :]
    deviation = max(np.sqrt((low.var() + high.var()) / 2.0), 1e-9 * np.abs(ordered).max(), np.finfo(float).tiny)
    peaks = float(np.median(low)), float(np.median(high))
    shown = [words.shown(peak) for peak in peaks]
    is_near = abs(shown[1] - shown[0]) < MIN_GAP_OF_PEAKS * max(abs(shown[0]), abs(shown[1]))
    if high.mean() - low.mean() < max(TWO_PEAKS * deviation, MIN_GAP_OF_PEAKS * away if is_near else 0.0):
        return None
    return peaks


def _distinct_texts(found: _Tested, j: int, k: int, medians: list[float]) -> list[str]:
    """Values of a cluster and of all others, with enough digits to distinguish it from each separated cluster."""
    words = found.words[found.traits.kinds[j]]
    every, scale = found.medians(j), found.scale(j)
    away = np.delete(every, k)
    away = away[~np.isnan(away) & (np.abs(away - every[k]) >= scale)]
    for digits in range(2, 10):
        own = _texts(words, [medians[0], *away.tolist()], digits)
        if words.digits or own[0] not in own[1:]:
            break
    two = _texts(words, medians, max(digits, 2))
    return [own[0] if own[0] != two[1] else two[0], two[1]]


def _texts(words: Words, values: list[float], digits: int) -> list[str]:
    """Values as texts with this many digits, or more if the first two would be equal; negligible values are short."""
    shown = [words.shown(value) for value in values]
    if words.written is not None:
        return [words.written(value) for value in shown]
    if words.digits:
        return [format(value + 0.0, words.digits) for value in shown]
    if len(shown) > 1:
        larger, apart = max(abs(shown[0]), abs(shown[1])), abs(shown[1] - shown[0])
        if larger > 0.0:
            places = 2 - int(np.floor(np.log10(larger)))
            places = max(places, 1 - int(np.floor(np.log10(apart)))) if apart > 0.0 else places
            if words.shown is not _same and abs(shown[0]) >= NEXT_TO_NOTHING * larger:
                places = max(places, -int(np.floor(np.log10(abs(shown[0])))))
            shown[0] = round(shown[0], places) + 0.0
        return [*pair(shown[0], shown[1], digits), *(plain(value, digits) for value in shown[2:])]
    return [plain(value, digits) for value in shown]


def _of_shapes(found: _Tested, k: int) -> list[_Row]:
    """Statements on one cluster by the shapes of its members."""
    rows, names, nameless = [], column_labels(found.items), _nameless(found.items)
    own, contrast = found.labels == k, found.contrast
    for j in np.flatnonzero(contrast.alike_p[k] <= MAX_P_VALUE):
        name = names[j]
        where, start, end = found.place(k, name, 0)
        shape = unit_shapes(found.curves[j : j + 1])[0]
        total = shape[own].sum(axis=0)
        # A member is compared with the other members.
        typical = total - np.where(own[:, None], shape, 0.0)
        size = np.linalg.norm(typical, axis=1)
        like = (shape * typical).sum(axis=1) / np.where(size > 0, size, 1.0)
        effect = _exceeds(like, own)
        title = called(found.items, name)
        of = f" of {spoken(title)}" if len(names) > 1 else ""
        medians = [float(np.median(like[side])) + 0.0 for side in (own, ~own)]
        if f"{medians[0]:.2f}" == f"{medians[1]:.2f}":
            continue
        sentence = (
            f"distinct shape{of} (correlation {medians[0]:.2f} with its typical course, others {medians[1]:.2f})"
            f"{_in_pairs(effect)}"
        )
        sentence += f", mainly from {when(found.items, where)}" if where else ""
        at = _extremes(found, shape, own)
        short = phrase(SHAPE, nameless.get(name, title), at or "of a distinct shape", True, False)
        counts = int(own.sum()), int((~own).sum())
        rows.append(
            _Row(
                name,
                SHAPE,
                effect,
                float(contrast.alike_p[k, j]),
                where,
                sentence,
                short,
                # A difference of shape without a place counts half, since it is less informative.
                MOST_DEVIATIONS * max(effect - 0.5, 0.0) * (1.0 if at else 0.5),
                value=medians[0],
                others=medians[1],
                n_with=counts[0],
                n_others_with=counts[1],
                direction=1,
                start=start,
                end=end,
            )
        )
    return rows


def _extremes(found: _Tested, shape: FloatArray, own: NDArray[np.bool_]) -> str:
    """Times of the maximum and minimum of the members' typical course, if each is one place and differs from that of the others."""
    said, words = [], found.words["event time"]
    before, _, behind = words.within.partition("{}")
    for name, sign in (("highest", 1.0), ("lowest", -1.0)):
        places = [_place_of_peak(sign * shape[side].mean(axis=0)) for side in (own, ~own)]
        tops = (sign * shape[own]).argmax(axis=1) / (shape.shape[1] - 1)
        is_of_most = (np.abs(tops - places[0]) <= SAME_PLACE).mean() >= MIN_AT_PEAK
        if is_of_most and not abs(places[0] - places[1]) <= SAME_PLACE:
            said.append(f"{name} {before}{words.text_of(places[0])}")
    return " and ".join(said) + behind * bool(said)


def _place_of_peak(course: FloatArray) -> float:
    """Centre of the one stretch where a course is near its maximum, 0 to 1; NaN for several stretches or a wide one."""
    high = np.flatnonzero(course >= course.min() + PEAK_HEIGHT * np.ptp(course))
    is_one = len(high) == high[-1] - high[0] + 1 <= WIDEST_PEAK * len(course)
    return float((high[0] + high[-1]) / 2.0 / (len(course) - 1)) if is_one else float("nan")


def _nameless(items: SequenceSet) -> dict[str, str]:
    """Omit the number of a single unnamed column."""
    has_name = items.n_features > 1 or items.provenance.get("columns") or of_recording(items)
    return {} if has_name else dict.fromkeys(column_labels(items), "")


def _ordered(rows: list[_Row], decided: tuple[str, str] | None = None) -> list[_Row]:
    """Order statements by strength, of about equal ones the plainest first.

    The property that decided the groups is among the first three. Statements that repeat a fact of the same column, or
    follow from another statement on it (a larger spread from a trend), and trifles move behind all others. Coefficients of
    recordings come last, since nobody speaks of them. Properties of symbols are equally plain: the one that holds for more
    pairs comes first, and what members have before what they lack.
    """
    place = {kind: k for k, kind in enumerate([*WORDS, SHAPE])}
    trifle = min(TRIFLE, TRIFLING_SHARE * max((row.strength for row in rows if is_heard(row.column)), default=0.0))

    def key(row: _Row) -> tuple[bool, int, bool, int, float, bool, int]:
        step, plainness = _step(row), place[row.property]
        causes = [cause for cause in rows if cause.column == row.column and _follows(row, cause)]
        if causes:
            cause = max(causes, key=_step)
            step, plainness = min(step, _step(cause)), max(plainness, place[cause.property] + 1)
        plain_as = place["time in state"] if row.property in OF_SYMBOLS else plainness
        is_lacking = row.direction < 0
        return not is_heard(row.column), -step, row.direction == 0, plain_as, -row.strength, is_lacking, plainness

    ordered = sorted(rows, key=key)
    said: set[tuple[str, str]] = set()
    behind = []
    for row in ordered:
        fact = row.column, FACTS.get(row.property, row.property)
        is_repeated = fact in said or any(cause.column == row.column and _follows(row, cause) for cause in rows)
        behind.append((is_repeated and row.property not in OF_SYMBOLS) or row.strength < trifle)
        said.add(fact)
    by_news = sorted(zip(behind, ordered, strict=True), key=lambda entry: (not is_heard(entry[1].column), entry[0]))
    ordered = [row for _, row in by_news]
    at = next((i for i, row in enumerate(ordered) if (row.property, row.column) == decided), 0)
    if at >= FIRST:
        ordered.insert(FIRST - 1, ordered.pop(at))
    return ordered


def _follows(row: _Row, cause: _Row) -> bool:
    """Whether a statement follows from another one of the same column."""
    has_event = cause.property == "event time" and cause.direction >= (1 if cause.is_share else -1)
    if has_event and row.property in FOLLOWING_EVENT and not _side_of_spread(row):
        return True
    side = _side_of_spread(cause)
    if cause.property == "trend" and row.property == SHAPE:
        return side > 0
    return (row.property, side * row.direction) in FOLLOWING


def _side_of_spread(row: _Row) -> int:
    """Sign of a statement about the main source of spread: 1 if members have it, -1 if the others do, otherwise 0."""
    if row.direction == 0:
        return 0
    if row.property == "trend":
        value, others = (abs(np.nan_to_num(one)) for one in (row.value, row.others))
        return int(np.sign(value - others)) if max(value, others) ** 2 >= MAIN_SHARE else 0
    if row.direction < 0:
        return -1 if row.is_share and row.property == "period" else 0
    return 1 if row.property in SHARES else 0


def _step(row: _Row) -> int:
    """Size of a difference in logarithmic steps."""
    return round(float(np.log(max(row.strength, 0.1)) / np.log(EFFECT_STEP)))


def _exceeds(values: FloatArray, own: NDArray[np.bool_]) -> float:
    """Probability that a value of a member exceeds that of another item, ties half."""
    others = np.sort(values[~own])
    below = np.searchsorted(others, values[own], "left") + np.searchsorted(others, values[own], "right")
    return float(below.mean() / 2.0 / len(others))


def _nothing(sentence: str) -> _Row:
    return _Row("", "", np.nan, np.nan, "", sentence, "", 0.0)


def facts(rows: pandas.DataFrame, most: int) -> pandas.DataFrame:
    """The strongest statements on one cluster, each on another fact, preferring everyday properties.

    `rows` are those of one cluster in the table of :func:`explain`. Coefficients of recordings come where nothing else is said.
    """
    heard = rows[[is_heard(column) for column in rows["column"]]]
    rows = heard if len(heard) else rows
    same = [(column, FACTS.get(kind, kind)) for column, kind in zip(rows["column"], rows["property"], strict=True)]
    first = [same.index(fact) == place for place, fact in enumerate(same)]
    return rows[first][:most]


def no_content(n_clusters: int) -> pandas.DataFrame:
    """Placeholder statements for clusters of given dissimilarities."""
    return _frame([(k, _nothing(NO_CONTENT)) for k in range(n_clusters)])


def _frame(rows: list[tuple[int, _Row]]) -> pandas.DataFrame:
    """Return statements on clusters, counted from 0, as the table, which counts from 1."""
    import pandas as pd

    entries = [(k + 1, *(getattr(row, name) for name in COLUMNS[1:])) for k, row in rows]
    return pd.DataFrame(entries, columns=list(COLUMNS))


MAX_COMPARED_SEQUENCES = 150
"""Largest number of sequences whose pairs are examined."""
N_PERMUTATIONS = 199
"""Number of random orders of the sequences that correlations are compared with."""
RANGE_QUANTILES = (0.1, 0.9)
"""Quantiles that bound the stated range of a property."""
MIN_CORRELATED_SEQUENCES = 5
"""Least number of sequences for correlations."""
VARIATION = ("column", "property", "correlation", "p", "low", "high", "sentence")


N_SHOWN_PROPERTIES = 3
"""Number of properties whose values are listed for each sequence."""


class Varying(NamedTuple):
    """Variation within one cluster.

    Attributes
    ----------
    properties : pandas.DataFrame
        Properties that differ where sequences are dissimilar, most of all first: ``column``, ``property``, ``correlation``
        (Spearman's, over all pairs, of the difference in the property and the dissimilarity), ``p`` (of one as high if the
        dissimilarities had nothing to do with any property: Mantel's test (1967), corrected for all properties by the
        largest of each permutation; up to 0.02), ``low`` and ``high`` (deciles of the property, as compared), ``sentence``.
    values : dict of list of str
        The first of these properties by name: its value of each sequence, as text, empty for those not examined.
    """

    properties: pandas.DataFrame
    values: dict[str, list[str]]


def varying(sequences: SequenceSet, distance: FloatArray, random_state: RandomState = 0) -> Varying:
    """Properties that the dissimilarities follow.

    They are in the units that words are said in. Of more than 1000, properties are computed of as many, drawn at
    random; correlations are of 150 at most, copies once. `random_state` is that of the
    permutations.
    """
    seed = check_seed(random_state)
    # At most as many as a page shows, because spectra of long sequences are slow.
    examined = sample_items(np.zeros(len(sequences), dtype=np.int64), limits.MAX_EXAMINED, seed)
    items, item_traits = sequences.subset(examined), traits(sequences.subset(examined))
    table, places = _properties(items, item_traits, distance[np.ix_(examined, examined)], seed)
    values, words = {}, words_for(items)
    for j in places[:N_SHOWN_PROPERTIES]:
        texts = [""] * len(sequences)
        for item, value in zip(examined.tolist(), item_traits.values[:, j].tolist(), strict=True):
            texts[item] = "" if np.isnan(value) else words[item_traits.kinds[j]].text_of(value)
        values[named(item_traits, j)] = texts
    return Varying(table, values)


def _properties(
    sequences: SequenceSet, item_traits: Traits, distance: FloatArray, seed: int
) -> tuple[pandas.DataFrame, list[int]]:
    """Properties that dissimilarities follow as a table, and as positions."""
    import pandas as pd

    # Ordered by content, so that permutations do not depend on the order of files.
    first = {key: i for i, key in reversed(list(enumerate(sequences.content_keys)))}
    indices = np.array([first[key] for key in sorted(first)], dtype=np.int64)
    indices = indices[sample_items(np.zeros(len(indices), dtype=np.int64), MAX_COMPARED_SEQUENCES, seed)]
    if len(indices) < MIN_CORRELATED_SEQUENCES:
        return pd.DataFrame([], columns=list(VARIATION)), []
    values = item_traits.filled[indices]
    blocks = dependent_sources(sequences.subset(indices))
    correlations, p = _followed(values, distance[np.ix_(indices, indices)], seed, blocks)
    particular = {kind: k for k, kind in enumerate(WORDS)}
    order = sorted(
        np.flatnonzero(p <= MAX_P_VALUE).tolist(),
        key=lambda j: (-round(float(correlations[j]), 2), particular[item_traits.kinds[j]]),
    )
    rows, named_in = [], words_for(sequences)
    for j in order:
        low, high = (float(end) for end in np.quantile(values[:, j], RANGE_QUANTILES))
        kind, column = item_traits.kinds[j], item_traits.columns[j]
        ends = " to ".join(named_in[kind].text_of(end) for end in (low, high))
        span = in_unit(named_in, kind, column, ends)
        sentence = (
            f"{named(item_traits, j, sequences)}: {span} in the middle 80 % of the sequences; sequences that differ in it are"
            f" less similar (correlation {correlations[j]:.2f})"
        )
        rows.append(
            (item_traits.columns[j], item_traits.kinds[j], float(correlations[j]), float(p[j]), low, high, sentence)
        )
    return pd.DataFrame(rows, columns=list(VARIATION)), order


def named(item_traits: Traits, j: int, items: SequenceSet | None = None) -> str:
    """A property with its column, as options have it; or as sentences on some sequences have it."""
    kind, column = item_traits.kinds[j], item_traits.columns[j]
    name = called(items, column) if items is not None else column
    return f"{kind} of {name}" if column else kind


def _followed(
    values: FloatArray, distance: FloatArray, seed: int, blocks: Sequence[IntArray]
) -> tuple[FloatArray, FloatArray]:
    """Rank correlations of differences in each property with dissimilarities over all pairs, and corrected p-values; (P,).

    With `blocks`, positions of pieces of one source, whole ones are permuted.
    """
    n = len(values)
    upper = np.triu_indices(n, k=1)
    differences = np.array([_standard(np.abs(column[upper[0]] - column[upper[1]])) for column in values.T])
    ranks = np.zeros((n, n))
    ranks[upper] = _standard(distance[upper])
    ranks += ranks.T
    correlations = differences @ ranks[upper]
    rng = stream(seed, "varying")
    permuted: list[IntArray] = [
        whole_blocks_permuted(blocks, rng) if blocks else rng.permutation(n) for _ in range(N_PERMUTATIONS)
    ]
    by_chance = differences @ np.array([ranks[np.ix_(order, order)][upper] for order in permuted]).T
    exceeded = (by_chance.max(axis=0)[:, None] >= correlations - 1e-12).sum(axis=0)
    return correlations, (1.0 + exceeded) / (1.0 + N_PERMUTATIONS)


def _standard(values: FloatArray) -> FloatArray:
    """Ranks of mean 0 and length 1; zeros of values that are equal."""
    from scipy.stats import rankdata

    centred = rankdata(values) - (len(values) + 1) / 2.0
    size = float(np.linalg.norm(centred))
    return centred / size if size > 0.0 else centred
