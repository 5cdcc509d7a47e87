"""Why sequences are together: what sets each cluster apart, tested and in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import FloatArray, IntArray
from ..core.clock import in_time, told_clock
from ..core.roots import RandomState, check_seed
from ..core.seeds import stream
from ..core.sequences import SequenceSet
from ..core.wording import pair, plain
from ..features.column_names import column_labels, of_recording
from ..features.stored import as_stored
from ..features.traits import Traits, courses, traits
from ..metrics.contrasts import Contrasts, contrasts, unit_shapes
from ..metrics.maps import sample_items
from . import limits
from .phrases import FACTS, IN_BETWEEN, is_heard, phrase

if TYPE_CHECKING:
    import pandas


MOST_PLACES = 2
"""Digits behind the first one of the larger of two values up to which the smaller one is told."""
MAX_P_VALUE = 0.02
"""Largest corrected p-value of a statement. Random labels get one in at most this share of cases."""
EFFECT_STEP = 0.05
"""Effects are about as strong within steps of this; of such, the property that is more particular goes first."""
MIN_SHARE_BESIDE = 0.1
"""Least share of other sequences on either side of members that lie in between."""
MIN_SHARE_THROUGHOUT = 0.9
"""Share of the time from which on a difference is everywhere."""
COLUMNS = ("cluster", "column", "property", "effect", "p", "where", "sentence", "words")


@dataclass(frozen=True)
class Words:
    """How a difference in a property is said; ``{of}`` is `` of `` and the column, where there are several.

    Attributes
    ----------
    more, less : str
        Of members that exceed the others, and the other way round.
    between : str
        Of members in the middle of others.
    text_of : callable
        A value as it is compared, as text.
    unit : str
        What stands around values.
    """

    more: str
    less: str
    between: str
    text_of: Callable[[float], str]
    unit: str = "{}"


def _number(value: float) -> str:
    return plain(value)


def _exponent(value: float) -> str:
    return _number(float(np.exp(value)))


def _rounded(value: float) -> str:
    return f"{value:.0f}"


def _exponent_rounded(value: float) -> str:
    return f"{np.exp(value):.0f}"


def _rate(value: float) -> str:
    return f"{np.exp(value):.2g}" if value < np.log(100.0) else _exponent_rounded(value)


def _semitones(value: float) -> str:
    return f"{value:.1f}"


def _percent(value: float) -> str:
    return f"{100 * value:.0f}"


def _correlation(value: float) -> str:
    return f"{np.tanh(value) + 0.0:.2f}"


def _centre(value: float) -> str:
    return _percent((value + 1.0) / 2.0)


# The more particular a property is, the earlier: a pulse has a spread, and a wave a roughness, but not the other way round.
WORDS: Mapping[str, Words] = {
    "length": Words("longer", "shorter", "of middle length", _exponent, "{} frames"),
    "pulses": Words("faster pulses", "slower pulses", "rate of pulses in between", _rate, "{} pulses a second"),
    "pitch": Words("higher pitch", "lower pitch", "pitch in between", _exponent_rounded, "{} Hz"),
    "rise of pitch": Words("rising pitch", "falling pitch", "rise of pitch in between", _semitones, "by {} semitones"),
    "range of pitch": Words(
        "wider range of pitch", "narrower range of pitch", "range of pitch in between", _semitones, "{} semitones"
    ),
    "loudness": Words("louder", "softer", "loudness in between", _rounded, "{} dB re full scale"),
    "overall loudness": Words(
        "louder as a whole", "softer as a whole", "loudness of the whole in between", _rounded, "{} dB re full scale"
    ),
    "silence": Words("more silence", "less silence", "share of silence in between", _percent, "{} % of the time"),
    "pauses": Words("more pauses", "fewer pauses", "number of pauses in between", _number),
    "brightness": Words(
        "brighter sound", "darker sound", "brightness in between", _exponent_rounded, "centre of the spectrum at {} Hz"
    ),
    "bandwidth": Words("wider band", "narrower band", "width of the band in between", _exponent_rounded, "{} Hz"),
    "event time": Words(
        "later main event{of}", "earlier main event{of}", "main event{of} in between", _percent, "at {} % of the time"
    ),
    "events": Words("more events{of}", "fewer events{of}", "number of events{of} in between", _number),
    "period": Words("longer period{of}", "shorter period{of}", "period{of} in between", _exponent, "{} frames"),
    "dwell": Words(
        "longer in each of two states{of}",
        "shorter in each of two states{of}",
        "time in each of two states{of} in between",
        _exponent,
        "{} frames",
    ),
    "level": Words("higher level{of}", "lower level{of}", "level{of} in between", _number),
    "trend": Words(
        "upward trend{of}", "downward trend{of}", "trend{of} in between", _correlation, "correlation with time {}"
    ),
    "correlation": Words("higher correlation{of}", "lower correlation{of}", "correlation{of} in between", _correlation),
    "spread": Words("larger spread{of}", "smaller spread{of}", "spread{of} in between", _exponent),
    "timing": Words(
        "most change{of} later",
        "most change{of} earlier",
        "time of most change{of} in between",
        _centre,
        "at {} % of the time",
    ),
    "form": Words(
        "more peaked values{of}", "flatter values{of}", "peakedness{of} in between", _exponent, "kurtosis {}"
    ),
    "quickening": Words(
        "faster changes{of} towards the end",
        "slower changes{of} towards the end",
        "change of pace{of} in between",
        _exponent,
        "roughness at the end {} times that at the beginning",
    ),
    "roughness": Words("rougher course{of}", "smoother course{of}", "roughness{of} in between", _exponent),
    "regularity": Words(
        "at less regular intervals{of}",
        "at more regular intervals{of}",
        "regularity of intervals{of} in between",
        lambda value: _percent(np.exp(value)),
        "intervals vary by {} %",
    ),
    "event size": Words(
        "larger main event{of}", "smaller main event{of}", "size of main event{of} in between", _number, "{} deviations"
    ),
}
"""Properties in words; of those about as strong, the first one is named first, and the shape last."""
LEAST_DIFFERENCE: Mapping[str, float] = {
    "loudness": 1.0,
    "overall loudness": 1.0,
    "silence": 0.02,
    "pulses": 0.05,
    "pitch": 0.2 * np.log(2.0) / 12.0,
    "rise of pitch": 0.2,
    "range of pitch": 0.2,
    "brightness": 0.05,
    "bandwidth": 0.1,
}
"""Differences of medians, on the scale of the property, that nobody hears: below them nothing is said."""
DURATIONS = ("length", "period", "dwell")
"""Properties that are logarithms of numbers of frames."""
SHAPE = "shape"
NOTHING = "nothing simple tells it apart from the others"
ALONE = "there is one cluster only, and nothing to compare it with"
NO_CONTENT = "only dissimilarities were given, and no sequences that could be looked at"


def words_for(sequences: SequenceSet) -> Mapping[str, Words]:
    """Properties in words: durations as time, where that is known, and moments too, where all sequences are of one length."""
    clock = told_clock(sequences)
    if clock is None:
        return WORDS
    unit = f"{{}} {clock.unit.replace('{', '{{').replace('}', '}}')}"

    def timed(kind: str, frames: Callable[[float], float], within: str) -> Words:
        return replace(WORDS[kind], text_of=lambda value: in_time(clock, frames(value)), unit=within)

    timed_words = {kind: timed(kind, lambda value: float(np.exp(value)), unit) for kind in DURATIONS}
    length = _one_length(sequences)
    if length:
        timed_words["event time"] = timed("event time", lambda value: value * length, f"at {unit}")
        timed_words["timing"] = timed("timing", lambda value: (value + 1.0) / 2.0 * length, f"at {unit}")
    return {**WORDS, **timed_words}


def when(sequences: SequenceSet, where: str) -> str:
    """A range of time in words, as a share, or in its unit where that is known and all sequences are of one length."""
    clock, length = told_clock(sequences), _one_length(sequences)
    if clock is None or not length:
        return f"{where} of the time"
    begin, end = (in_time(clock, float(part) / 100.0 * length) for part in where.removesuffix(" %").split(" to "))
    return f"{begin} to {end} {clock.unit}"


def _one_length(sequences: SequenceSet) -> int:
    """Frames of each sequence; 0 where they are not of one length."""
    return int(sequences.lengths[0]) if not np.ptp(sequences.lengths) else 0


@dataclass(frozen=True)
class _Row:
    """A statement about one cluster."""

    column: str
    property: str
    effect: float
    p: float
    where: str
    sentence: str
    words: str
    apart: float


def explain(sequences: SequenceSet, labels: IntArray, random_state: RandomState = 0) -> pandas.DataFrame:
    """What sets each cluster apart from all others: the table of :meth:`~kinseq.api.results.Clustering.explain`.

    `sequences` are in the units that words are said in, `labels`, shape (N,), from 0 to K - 1. Of more than 1000
    sequences, as many are drawn, so that clusters keep their shares. `random_state` is that of the permutations.
    """
    seed = check_seed(random_state)
    n_clusters = int(labels.max()) + 1
    if n_clusters < 2:
        return _frame([(0, _nothing(ALONE))])
    sequences = as_stored(sequences)
    # An order that follows from the content, so that permutations do not depend on that of the files; copies say nothing more,
    # unless they are of sequences that stand still.
    still = [not np.ptp(frames, axis=0).any() for frames in sequences]
    keys = [
        (*key, i if is_still else 0)
        for i, (key, is_still) in enumerate(
            zip(zip(sequences.content_keys, labels.tolist(), strict=True), still, strict=True)
        )
    ]
    first = {key: i for i, key in reversed(list(enumerate(keys)))}
    indices = np.array([first[key] for key in sorted(first)], dtype=np.int64)
    indices = indices[sample_items(labels[indices], limits.MAX_EXAMINED, seed)]
    items, own = sequences.subset(indices), labels[indices]
    item_traits, curves = traits(items), courses(items)
    contrast = contrasts(item_traits.values, curves, own, MAX_P_VALUE, seed)
    names = column_labels(items)
    places = [{name: _place(contrast, k, j) for j, name in enumerate(names)} for k in range(n_clusters)]
    rows = []
    for k in range(n_clusters):
        statements = _of_properties(items, item_traits, contrast, own == k, k, places[k])
        statements += _of_shapes(items, curves, contrast, own == k, k, places[k])
        rows += [(k, row) for row in _ordered(statements) or [_nothing(NOTHING)]]
    return _frame(rows)


def _of_properties(
    items: SequenceSet,
    item_traits: Traits,
    contrast: Contrasts,
    own: NDArray[np.bool_],
    k: int,
    places: Mapping[str, str],
) -> list[_Row]:
    """What can be said of one cluster by single properties."""
    rows, named, several, names = [], words_for(items), items.n_features > 1, _nameless(items)
    for j in np.flatnonzero(np.minimum(contrast.higher_p[k], contrast.close_p[k]) <= MAX_P_VALUE):
        kind, column, values = item_traits.kinds[j], item_traits.columns[j], item_traits.values[:, j]
        words, where = named[kind], places.get(column, "")
        of = f" of {column}" if column and several else ""
        middle = np.abs(values - np.median(values[own]))
        nearer = 1.0 - _exceeds(middle, own)
        higher, higher_p = float(contrast.higher[k, j]), float(contrast.higher_p[k, j])
        above = float((values[~own] > np.median(values[own])).mean())
        below = float((values[~own] < np.median(values[own])).mean())
        between = contrast.close_p[k, j] <= MAX_P_VALUE and min(above, below) >= MIN_SHARE_BESIDE
        between = between and (higher_p > MAX_P_VALUE or nearer > max(higher, 1.0 - higher) + EFFECT_STEP)
        if not between and higher_p > MAX_P_VALUE:
            continue
        effect, text = (nearer, words.between) if between else (higher, words.more if higher > 0.5 else words.less)
        statement = text.format(of=of)
        medians = [float(np.median(values[side])) for side in (own, ~own)]
        if not between and abs(medians[0] - medians[1]) < LEAST_DIFFERENCE.get(kind, 0.0):
            continue
        inside, outside = pair(medians[0], medians[1]) if words.text_of is _number else map(words.text_of, medians)
        pairs = round(100 * (effect if between else max(effect, 1.0 - effect)))
        against = words.unit.format(inside if between else f"{inside} against {outside}")
        against += "; others lie on both sides" if between else ""
        sentence = f"{statement} ({against}), in {pairs} of 100 pairs"
        if kind == "level" and where:
            sentence += f", most from {when(items, where)}"
        p, apart = (float(contrast.close_p[k, j]), middle) if between else (higher_p, values)
        short = phrase(
            kind,
            names.get(column, column),
            words.unit.format(_short(words, medians, inside)),
            higher > 0.5,
            between,
            medians,
        )
        name = f"{kind}{IN_BETWEEN}" if between else kind
        rows.append(_Row(column, name, effect, p, where, sentence, short, _apart(apart, own)))
    return rows


def _of_shapes(
    items: SequenceSet,
    curves: FloatArray,
    contrast: Contrasts,
    own: NDArray[np.bool_],
    k: int,
    places: Mapping[str, str],
) -> list[_Row]:
    """What can be said of one cluster by the shapes of its members."""
    rows, names, nameless = [], column_labels(items), _nameless(items)
    for j in np.flatnonzero(contrast.alike_p[k] <= MAX_P_VALUE):
        name, where = names[j], places[names[j]]
        shape = unit_shapes(curves[j : j + 1])[0]
        total = shape[own].sum(axis=0)
        # A member is compared with the other members.
        typical = total - np.where(own[:, None], shape, 0.0)
        size = np.linalg.norm(typical, axis=1)
        like = (shape * typical).sum(axis=1) / np.where(size > 0, size, 1.0)
        effect = _exceeds(like, own)
        of = f" of {name}" if len(names) > 1 else ""
        near, far = (f"{np.median(like[side]) + 0.0:.2f}" for side in (own, ~own))
        sentence = (
            f"shape{of} of its own (correlation {near} with its typical course, others {far}),"
            f" in {round(100 * effect)} of 100 pairs"
        )
        sentence += f", most from {when(items, where)}" if where else ""
        short = phrase(SHAPE, nameless.get(name, name), "", True, False)
        rows.append(_Row(name, SHAPE, effect, float(contrast.alike_p[k, j]), where, sentence, short, 0.0))
    return rows


def _short(words: Words, medians: list[float], text: str) -> str:
    """The first of two values with as few digits as tell them apart, two or more; of other than plain numbers its text.

    What is next to nothing beside the other is no number with many zeros.
    """
    if words.text_of is _number:
        larger, apart = float(np.abs(medians).max()), abs(medians[1] - medians[0])
        places = MOST_PLACES - int(np.floor(np.log10(larger))) if larger > 0 else 0
        if apart > 0:
            places = max(places, 1 - int(np.floor(np.log10(apart))))
        return pair(round(medians[0], places) + 0.0, medians[1], 2)[0]
    if words.text_of is _exponent and words.unit == "{}":
        return pair(float(np.exp(medians[0])), float(np.exp(medians[1])), 2)[0]
    return text


def _nameless(items: SequenceSet) -> dict[str, str]:
    """The only column of sequences that has no name is not called by its number."""
    has_name = items.n_features > 1 or items.provenance.get("columns") or of_recording(items)
    return {} if has_name else dict.fromkeys(column_labels(items), "")


def _ordered(rows: list[_Row]) -> list[_Row]:
    """Strongest first, of about equals the more particular one, then the one whose values lie further apart."""

    place = {kind: k for k, kind in enumerate([*WORDS, *(f"{kind}{IN_BETWEEN}" for kind in WORDS), SHAPE])}
    return sorted(rows, key=lambda row: (-_step(row), place[row.property], -row.apart))


def _step(row: _Row) -> int:
    """How strong an effect is, in steps; one less of what lies in between, which says less."""
    return round(max(row.effect, 1.0 - row.effect) / EFFECT_STEP) - row.property.endswith(IN_BETWEEN)


def _exceeds(values: FloatArray, own: NDArray[np.bool_]) -> float:
    """Chance that a value of a member exceeds that of another item, ties half."""
    others = np.sort(values[~own])
    below = np.searchsorted(others, values[own], "left") + np.searchsorted(others, values[own], "right")
    return float(below.mean() / 2.0 / len(others))


def _apart(values: FloatArray, own: NDArray[np.bool_]) -> float:
    """Difference of means in units of the deviation within."""
    inside, outside = values[own], values[~own]
    within = np.sqrt((inside.var() * inside.size + outside.var() * outside.size) / values.size)
    return float(abs(inside.mean() - outside.mean()) / max(within, 1e-9 * np.abs(values).max(), np.finfo(float).tiny))


def _place(contrast: Contrasts, k: int, column: int) -> str:
    """Share of the time in which the typical course differs most; empty if nowhere, or everywhere about as much."""
    sure, size = contrast.places[k, column], np.abs(contrast.course[k, column])
    if not sure.any():
        return ""
    marked, top = sure & (size >= size.max() / 2.0), int(size.argmax())
    ends = np.flatnonzero(~marked)
    low = int(ends[ends < top].max(initial=-1)) + 1
    high = int(ends[ends > top].min(initial=len(size))) - 1
    begin, end = low / len(size), (high + 1) / len(size)
    return "" if end - begin >= MIN_SHARE_THROUGHOUT else f"{100 * begin:.0f} to {100 * end:.0f} %"


def _nothing(sentence: str) -> _Row:
    return _Row("", "", np.nan, np.nan, "", sentence, "", 0.0)


def facts(rows: pandas.DataFrame, most: int) -> pandas.DataFrame:
    """The strongest statements on one cluster, each of another fact, in the words of people where there are such.

    `rows` are those of one cluster in the table of :func:`explain`. Coefficients of recordings come where nothing else is said.
    """
    heard = rows[[is_heard(column) for column in rows["column"]]]
    rows = heard if len(heard) else rows
    kinds = rows["property"].str.removesuffix(IN_BETWEEN)
    same = [(column, FACTS.get(kind, kind)) for column, kind in zip(rows["column"], kinds, strict=True)]
    first = [same.index(fact) == place for place, fact in enumerate(same)]
    return rows[first][:most]


def no_content(n_clusters: int) -> pandas.DataFrame:
    """What can be said of clusters of given dissimilarities."""
    return _frame([(k, _nothing(NO_CONTENT)) for k in range(n_clusters)])


def _frame(rows: list[tuple[int, _Row]]) -> pandas.DataFrame:
    """Return statements on clusters, counted from 0 here, as the table, which counts from 1."""
    import pandas as pd

    entries: list[tuple[Any, ...]] = [
        (k + 1, row.column, row.property, row.effect, row.p, row.where, row.sentence, row.words) for k, row in rows
    ]
    return pd.DataFrame(entries, columns=list(COLUMNS))


MAX_COMPARED_SEQUENCES = 150
"""Most sequences whose pairs are looked at."""
N_PERMUTATIONS = 199
"""Random orders of the sequences that correlations are compared with."""
RANGE_QUANTILES = (0.1, 0.9)
"""Shares of the sequences below the ends of what is named as the range of a property."""
MIN_CORRELATED_SEQUENCES = 5
"""Sequences that correlations ask for."""
MAX_LISTED_SEQUENCES = 5
"""Sequences that are listed as being furthest from others, and most that are listed for a property of theirs."""
MIN_UNUSUAL_DEVIATIONS = 6.0
"""Deviations from the median from which on a sequence is listed for a property that the dissimilarities may not see."""
VARIATION = ("column", "property", "correlation", "p", "low", "high", "sentence")
OUTLIERS = ("item", "away", "property", "deviations", "value", "usual")


N_SHOWN_PROPERTIES = 3
"""Properties whose values are given of each sequence."""


class Varying(NamedTuple):
    """What varies within one cluster.

    Attributes
    ----------
    properties : pandas.DataFrame
        Properties that differ where sequences are dissimilar, most of all first: ``column``, ``property``, ``correlation``
        (Spearman's, over all pairs, of the difference in the property and the dissimilarity), ``p`` (of one as high if the
        dissimilarities had nothing to do with any property: Mantel's test (1967), corrected for all properties by the
        largest of each permutation; up to 0.02), ``low`` and ``high`` (deciles of the property, as compared), ``sentence``.
    outliers : pandas.DataFrame
        The 5 sequences that are furthest from all others, furthest first, and at most 5 more with a property 6 or more
        deviations from its median: ``item`` (position), ``away`` (mean dissimilarity to the others), ``property`` that is
        furthest from its median, by how many ``deviations``, its ``value`` and the ``usual`` one, the median, as texts.
    values : dict of list of str
        The first of these properties by name: its value of each sequence, as text, empty of those not looked at.
    """

    properties: pandas.DataFrame
    outliers: pandas.DataFrame
    values: dict[str, list[str]]


def varying(sequences: SequenceSet, distance: FloatArray, random_state: RandomState = 0) -> Varying:
    """What the dissimilarities of sequences follow, and which sequences are far from all others.

    They are in the units that words are said in. Of more than 1000, properties are looked at of as many, drawn at
    random, and of the furthest ones; correlations are of 150 at most, copies once. `random_state` is that of the
    permutations.
    """
    seed = check_seed(random_state)
    away = distance.sum(axis=1) / max(len(distance) - 1, 1)
    # Those that pages show of many, and the outliers: spectra of long sequences take their time.
    sample = sample_items(np.zeros(len(sequences), dtype=np.int64), limits.MAX_EXAMINED, seed)
    looked_at = np.union1d(sample, np.argsort(-away, kind="stable")[:MAX_LISTED_SEQUENCES])
    items, item_traits = sequences.subset(looked_at), traits(sequences.subset(looked_at))
    table, places = _properties(items, item_traits, distance[np.ix_(looked_at, looked_at)], seed)
    values, words = {}, words_for(items)
    for j in places[:N_SHOWN_PROPERTIES]:
        texts = [""] * len(sequences)
        for item, value in zip(looked_at.tolist(), item_traits.values[:, j].tolist(), strict=True):
            texts[item] = words[item_traits.kinds[j]].text_of(value)
        values[named(item_traits, j)] = texts
    return Varying(table, _outliers(item_traits, words, looked_at, away), values)


def _properties(
    sequences: SequenceSet, item_traits: Traits, distance: FloatArray, seed: int
) -> tuple[pandas.DataFrame, list[int]]:
    """Properties that dissimilarities follow as a table, and as positions."""
    import pandas as pd

    # An order that follows from the content, so that permutations do not depend on that of the files.
    first = {key: i for i, key in reversed(list(enumerate(sequences.content_keys)))}
    indices = np.array([first[key] for key in sorted(first)], dtype=np.int64)
    indices = indices[sample_items(np.zeros(len(indices), dtype=np.int64), MAX_COMPARED_SEQUENCES, seed)]
    if len(indices) < MIN_CORRELATED_SEQUENCES:
        return pd.DataFrame([], columns=list(VARIATION)), []
    values = item_traits.values[indices]
    correlations, p = _followed(values, distance[np.ix_(indices, indices)], seed)
    particular = {kind: k for k, kind in enumerate(WORDS)}
    order = sorted(
        np.flatnonzero(p <= MAX_P_VALUE).tolist(),
        key=lambda j: (-round(float(correlations[j]), 2), particular[item_traits.kinds[j]]),
    )
    rows, named_in = [], words_for(sequences)
    for j in order:
        low, high = (float(end) for end in np.quantile(values[:, j], RANGE_QUANTILES))
        words = named_in[item_traits.kinds[j]]
        span = words.unit.format(f"{words.text_of(low)} to {words.text_of(high)}")
        sentence = (
            f"{named(item_traits, j)}: {span} in 80 of 100 sequences; the more two differ in it, the less alike they are"
            f" (correlation {correlations[j]:.2f})"
        )
        rows.append(
            (item_traits.columns[j], item_traits.kinds[j], float(correlations[j]), float(p[j]), low, high, sentence)
        )
    return pd.DataFrame(rows, columns=list(VARIATION)), order


def _outliers(
    item_traits: Traits, named_in: Mapping[str, Words], looked_at: IntArray, away: FloatArray
) -> pandas.DataFrame:
    """The sequences that are furthest from all others on average, or unusual in some property, and in which one."""
    import pandas as pd

    if len(away) < 2:
        return pd.DataFrame([], columns=list(OUTLIERS))
    usual = np.median(item_traits.values, axis=0)
    from_usual = np.abs(item_traits.values - usual)
    units = 1.4826 * np.median(from_usual, axis=0)
    # Most are often equal, as numbers of events are.
    units = np.where(units > 0.0, units, item_traits.values.std(axis=0))
    unusual = from_usual / np.where(units > 0.0, units, 1.0)
    most = unusual.max(axis=1)
    listed = np.argsort(-away[looked_at], kind="stable")[:MAX_LISTED_SEQUENCES].tolist()
    beside = [
        item
        for item in np.argsort(-most, kind="stable").tolist()
        if most[item] >= MIN_UNUSUAL_DEVIATIONS and item not in listed
    ]
    rows = []
    for item in [*listed, *beside[:MAX_LISTED_SEQUENCES]]:
        j = int(unusual[item].argmax())
        words = named_in[item_traits.kinds[j]]
        value, median = (
            words.unit.format(words.text_of(float(one))) for one in (item_traits.values[item, j], usual[j])
        )
        rows.append(
            (
                int(looked_at[item]),
                float(away[looked_at[item]]),
                named(item_traits, j),
                float(most[item]),
                value,
                median,
            )
        )
    return pd.DataFrame(rows, columns=list(OUTLIERS))


def named(item_traits: Traits, j: int) -> str:
    """A property with its column."""
    return f"{item_traits.kinds[j]} of {item_traits.columns[j]}" if item_traits.columns[j] else item_traits.kinds[j]


def _followed(values: FloatArray, distance: FloatArray, seed: int) -> tuple[FloatArray, FloatArray]:
    """Rank correlations of differences in each property with dissimilarities over all pairs, and corrected p-values; (P,)."""
    n = len(values)
    upper = np.triu_indices(n, k=1)
    differences = np.array([_standard(np.abs(column[upper[0]] - column[upper[1]])) for column in values.T])
    ranks = np.zeros((n, n))
    ranks[upper] = _standard(distance[upper])
    ranks += ranks.T
    correlations = differences @ ranks[upper]
    rng = stream(seed, "varying")
    permuted: list[IntArray] = [rng.permutation(n) for _ in range(N_PERMUTATIONS)]
    by_chance = differences @ np.array([ranks[np.ix_(order, order)][upper] for order in permuted]).T
    exceeded = (by_chance.max(axis=0)[:, None] >= correlations - 1e-12).sum(axis=0)
    return correlations, (1.0 + exceeded) / (1.0 + N_PERMUTATIONS)


def _standard(values: FloatArray) -> FloatArray:
    """Ranks of mean 0 and length 1; zeros of values that are equal."""
    from scipy.stats import rankdata

    centred = rankdata(values) - (len(values) + 1) / 2.0
    size = float(np.linalg.norm(centred))
    return centred / size if size > 0.0 else centred
