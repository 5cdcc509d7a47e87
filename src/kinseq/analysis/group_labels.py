"""Labels of groups in a few words: ``with load about 3.1``, ``with temperature rising``, ``of about 80 frames``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..core.arrays import FloatArray, IntArray
from ..features.column_names import LOUDNESS
from ..features.explanatory import OF_SOUND

if TYPE_CHECKING:
    import pandas

JOINTS = frozenset({"about", "at", "by", "every", "for", "of", "with"})
"""Words that stay on the line of the next word."""
MIN_TREND_CORRELATION, CLEAR_TREND_CORRELATION = 0.3, 0.6
"""Least absolute correlation with time for a course to rise or fall overall, and to do nothing else; the first is also that
of two columns that vary together."""
EVEN_PACE = 0.1
"""Largest logarithm of the ratio of the typical steps of two halves for an even pace."""
MOST, MANY = 0.9, 0.67
"""Least share of members with, or without, a property for a statement about all, and about most, of them."""


class Templates(NamedTuple):
    """Names of groups with more or less of a property than others, or in between."""

    more: str
    less: str
    between: str


TEMPLATES: Mapping[str, Templates] = {
    "length": Templates(*["of about {value}"] * 3),
    "loudness": Templates("with louder sound", "with softer sound", "of medium loudness"),
    "overall loudness": Templates("louder overall", "softer overall", "of medium overall loudness"),
    "rise of loudness": Templates("getting louder", "getting softer", "with a medium rise of loudness"),
    "silence": Templates("with more silence", "with less silence", "with some silence"),
    "pauses": Templates(*["with about {value} pause{s}"] * 3),
    "pitch": Templates(*["with pitch about {value}"] * 3),
    "pulses": Templates(*["with about {value}"] * 3),
    "range of pitch": Templates("of wide pitch range", "of narrow pitch range", "of medium pitch range"),
    "rise of pitch": Templates("with pitch rising", "with pitch falling", "with a medium rise of pitch"),
    "brightness": Templates("with brighter sound", "with darker sound", "of medium brightness"),
    "bandwidth": Templates("of wide-band sound", "of narrow-band sound", "of medium bandwidth"),
    "event time": Templates(*["with the main event of {column} {value}"] * 3),
    "events": Templates(*["with about {value} event{s} of {column}"] * 3),
    "period": Templates(*["with {column} cycling every {value}"] * 3),
    "time high": Templates(*["with {column} high for about {value} at a time"] * 3),
    "time low": Templates(*["with {column} low for about {value} at a time"] * 3),
    "dwell": Templates(*["with {column} staying in each of two states for about {value}"] * 3),
    "trend": Templates("with {column} rising", "with {column} falling", "with {column} neither rising nor falling"),
    "level": Templates(*["with {column} about {value}"] * 3),
    "correlation": Templates(
        "with positive correlation of {column}",
        "with negative correlation of {column}",
        "without correlation of {column}",
    ),
    "spread": Templates(*["with {column} varying by about {value}"] * 3),
    "timing": Templates(*["with {column} furthest from its mean {value}"] * 3),
    "form": Templates(
        "with heavier tails of {column}",
        "with lighter tails of {column}",
        "with medium tails of {column}",
    ),
    "quickening": Templates(
        "with {column} changing faster towards the end",
        "with {column} changing slower towards the end",
        "with {column} changing its pace less than in others",
    ),
    "roughness": Templates(
        "with {column} rougher relative to its spread",
        "with {column} smoother relative to its spread",
        "with {column} of medium roughness relative to its spread",
    ),
    "regularity": Templates(
        "with {column} changing at less regular times",
        "with {column} changing at more regular times",
        "with {column} changing at fairly regular times",
    ),
    "event size": Templates(*["with {column} up to {value} from its median"] * 3),
    "shape": Templates(*["with {column} {value}"] * 3),
    "time in state": Templates(
        "with more time in {column} ({value})",
        "with less time in {column} ({value})",
        "with some time in {column} ({value})",
    ),
    "entries": Templates(
        "that enter {column} more often ({value})",
        "that enter {column} less often ({value})",
        "that enter {column} at times ({value})",
    ),
    "changes": Templates("with more changes ({value})", "with fewer changes ({value})", "with some changes ({value})"),
}
"""Templates by kind of property; ``{value}`` is the median of the group, with its unit."""


OF_SHARES: Mapping[str, tuple[str, str]] = {
    "period": ("with {column} cycling every {value}", "without a period of {column}"),
    "dwell": ("with {column} switching between two states, {value}", "without two states of {column}"),
    "event time": ("with one main event of {column} {value}", "without one main event of {column}"),
    "pulses": ("with about {value}", "without regular pulses"),
    "pitch": ("with pitch about {value}", "without a pitch"),
    "first state": ("that begin in {column}", "most of which do not begin in {column}"),
    "last state": ("that end in {column}", "most of which do not end in {column}"),
    "transition": ("that go from {column}", "most of which never go from {column}"),
    "order": ("with {column}", "mostly without {column}"),
}
"""Templates for properties that a group has and others lack, and the other way round."""


FACTS: Mapping[str, str] = {
    **dict.fromkeys(("level", "event size", "spread", "form", "silence"), "values"),
    **dict.fromkeys(("loudness", "overall loudness"), "loudness"),
    "rise of loudness": "change of loudness",
    **dict.fromkeys(("rise of pitch", "range of pitch"), "change of pitch"),
    **dict.fromkeys(("event time", "timing", "trend", "quickening", "shape"), "course"),
    **dict.fromkeys(("period", "dwell", "time high", "time low", "events", "regularity", "roughness"), "rhythm"),
}
"""Fact that a property of a column describes. Two properties of one fact mostly go together: a higher value has a larger event
too."""


def phrase(
    kind: str, column: str, value: str, exceeds: bool, between: bool, medians: Sequence[float] = (np.nan, np.nan)
) -> str:
    """A group in words; `medians` are its own value and that of the others as compared, correlations transformed."""
    templates = TEMPLATES[kind]
    if kind in ("trend", "correlation"):
        # If others lie on both sides, their median is meaningless.
        outside = np.nan if between else medians[1]
        text = _of_trend(medians[0], outside) if kind == "trend" else _of_correlation(medians[0], outside)
    elif kind == "events" and value == "0":
        text = "without events of {column}"
    elif kind == "quickening" and between and abs(medians[0]) <= EVEN_PACE:
        text = "with {column} changing at an even pace"
    else:
        text = templates.between if between else templates.more if exceeds else templates.less
    if kind == "period" and column.endswith(LOUDNESS):
        # A loudness with a period is a repeated sound.
        return f"repeating every {value}"
    name = "loudness" if column.endswith(LOUDNESS) else spoken(column) or "the values"
    return text.format(column=name, value=value, s="" if value == "1" else "s")


def phrase_of_share(kind: str, column: str, value: str, share: float, has: bool) -> str:
    """Words for a group that has, or lacks, a property unlike others; `share` is that of members with it."""
    if has and kind == "period" and column.endswith(LOUDNESS):
        return f"repeating every {value}"
    name = "loudness" if column.endswith(LOUDNESS) else spoken(column) or "the values"
    text = OF_SHARES[kind][0 if has else 1].format(column=name, value=value)
    as_said = share if has else 1.0 - share
    if as_said >= MOST or text.startswith(("most", "repeating")):
        return text
    if text.startswith("that "):
        return f"most of which {text.removeprefix('that ')}"
    return f"{'mostly' if as_said >= MANY else 'often'} {text}"


def _of_correlation(inside: float, outside: float) -> str:
    """The template for two columns by their own correlation, and by that of others if it has the same sign."""
    templates = TEMPLATES["correlation"]
    own, others = float(np.tanh(inside)), float(np.tanh(outside))
    if abs(own) < MIN_TREND_CORRELATION:
        return templates.between
    text = templates.more if own > 0 else templates.less
    if abs(others) >= MIN_TREND_CORRELATION and own * others > 0:
        return text.replace("with", f"with {'stronger' if abs(own) > abs(others) else 'weaker'}", 1)
    return text


def _of_trend(inside: float, outside: float) -> str:
    """The template for a course by its own correlation with time, and by that of others if it is of the same kind.

    Both are transformed (Fisher's z); `outside` is NaN where there is nothing to compare with.
    """
    templates = TEMPLATES["trend"]
    own, others = float(np.tanh(inside)), float(np.tanh(outside))
    is_more, rises_or_falls = abs(own) > abs(others), templates.more if own > 0 else templates.less
    if abs(own) < MIN_TREND_CORRELATION:
        is_a_little = is_more and abs(others) < MIN_TREND_CORRELATION
        return f"{rises_or_falls} a little" if is_a_little else templates.between
    if abs(others) >= MIN_TREND_CORRELATION and own * others > 0:
        return f"{rises_or_falls} {'more' if is_more else 'less'} steadily"
    return rises_or_falls if abs(own) >= CLEAR_TREND_CORRELATION else f"{rises_or_falls} overall"


def spoken(column: str) -> str:
    """Return the name of a column in a sentence: coefficients of recordings are "cepstral", and part of the timbre."""
    return f"cepstral {column} (timbre)" if "coefficient" in column and not is_heard(column) else column


def is_heard(column: str) -> bool:
    """Whether a column has an everyday name: coefficients of recordings do not, except the loudness."""
    return not OF_SOUND.fullmatch(column) or column.endswith(LOUDNESS)


MOST_WORDS = 30
"""Most words for all groups together; people do not read longer sentences."""
MOST_GROUPS = 5
"""Number of groups up to which all are named; of more, only the largest are."""
MAX_NAMED_PROPERTIES = 3
"""Number of groups named then."""
MIN_CLEAR_EFFECT, FIRST_ROWS = 0.9, 3
"""Least effect of a clear difference, and number of rows searched for the first clear one."""
PLAIN = ("length", "level", "spread", "period", "trend", "correlation")
"""Properties that may describe a group although another one comes first."""
MIN_SECOND_EFFECT = 0.75
"""Least effect of a second property that distinguishes a group where the first does not."""
MAX_SAME_EFFECT_GAP = 0.05
"""Largest difference of effects for two groups to lie at the same place among the others."""
MIN_EFFECT_DROP = 0.1
"""Least difference in effect by which another group exceeds one that is described by lacking a property."""


def groups_in_words(table: pandas.DataFrame, sizes: IntArray, notes: Sequence[str] = ()) -> str:
    """Groups by their largest differences: ``10 with load rising; 10 with pressure cycling every 15 min; 9 with neither``.

    Parameters
    ----------
    table : pandas.DataFrame
        As :func:`.explaining.explain` gives it.
    sizes : ndarray, int64, shape (K,)
        Number of sequences of each group.
    notes : sequence of str
        Text after each group that is named, K entries or none.

    Returns
    -------
    str
        Empty where nothing sets any group apart.
    """
    rows = called_by(table)
    told = [row is not None for row in rows]
    said = ["" if row is None else str(row["words"]) for row in rows]
    said = _with_second_words(said, rows, table)
    if not any(told):
        return ""
    groups: Sequence[int] = range(len(said))
    if len(said) > MOST_GROUPS:
        groups = sorted(np.argsort(-sizes, kind="stable")[:MAX_NAMED_PROPERTIES].tolist())
    properties = [None if row is None else _what(row) for row in rows]
    parts: list[str] = []
    words, before = 0, -1
    rest = [k for k in groups if not told[k]]
    several = len(said) - sum(told) > 1
    for k in groups:
        if not told[k]:
            if several:
                # Several groups without a description of their own cannot be named "the other ones".
                continue
            text = _rest(int(sizes[k]), sum(told), len(said))
        elif before >= 0 and properties[before] == properties[k] and (properties[k] or ("",))[0] != "shape":
            text = f"{sizes[k]} {_without_repetition(said[k], said[before])}"
        else:
            text = f"{sizes[k]} {said[k]}"
        words += len(text.split())
        if parts and words > MOST_WORDS:
            break
        parts.append(f"{text}{notes[k] if notes else ''}")
        before = k if told[k] else -1
    if several and rest:
        parts.append(f"others {', '.join(str(sizes[k]) for k in rest)}")
    named = len(parts) + (len(rest) - 1 if several and rest else 0)
    return "; ".join(parts) + ("; ..." if named < len(said) else "")


def called_by(table: pandas.DataFrame) -> list[dict[str, Any] | None]:
    """The row of the table that names each group; None for a group named by what others have, or without words.

    `table` is as of :func:`groups_in_words`.
    """
    effects, chosen = _chosen(table)
    largest = float(effects.max(initial=0.0))
    return [
        row
        if row["words"]
        and not (largest >= MIN_CLEAR_EFFECT and effect < min(MIN_CLEAR_EFFECT, largest - MIN_EFFECT_DROP))
        else None
        for row, effect in zip(chosen, effects, strict=True)
    ]


def _chosen(table: pandas.DataFrame) -> tuple[FloatArray, list[dict[str, Any]]]:
    """How clearly each group differs in the property that names it, 0 to 1, and the row."""
    effects: list[float] = []
    chosen: list[dict[str, Any]] = []
    every_entry: list[list[dict[str, Any]]] = []
    for _, every in table.groupby("cluster", sort=True):
        heard = every[[is_heard(column) for column in every["column"]]]
        rows = heard if len(heard) else every.iloc[:1].assign(effect=np.nan, words="")
        effect = rows["effect"].to_numpy(dtype=np.float64)
        sizes = np.nan_to_num(np.maximum(effect, 1.0 - effect))
        # In the order of the table: largest difference first, then the plainer property.
        entries: list[dict[str, Any]] = [
            {str(key): value for key, value in row.items()} for row in rows.to_dict("records")
        ]
        clear = (
            i
            for i, entry in enumerate(entries[:FIRST_ROWS])
            if sizes[i] >= MIN_CLEAR_EFFECT and (i == 0 or (entry["property"] in PLAIN and entry["direction"] != 0))
        )
        first = next(clear, 0)
        effects.append(float(sizes[first]))
        chosen.append(entries[first])
        every_entry.append(entries)
    common = _common(chosen)
    for k, entries in enumerate(every_entry):
        same = next((row for row in entries if common is not None and _what(row) == common), None)
        if same is not None and _size(same) >= MIN_CLEAR_EFFECT:
            effects[k], chosen[k] = _size(same), same
    return np.array(effects), chosen


def _common(chosen: Sequence[dict[str, Any]]) -> tuple[str, str] | None:
    """Property and column that name at least half of the groups, and at least two: the others use it too if they can."""
    counts = Counter(_what(row) for row in chosen if row["words"])
    what, number = counts.most_common(1)[0] if counts else (("", ""), 0)
    return what if number >= 2 and 2 * number >= len(chosen) else None


def _with_second_words(
    said: Sequence[str], rows: Sequence[dict[str, Any] | None], table: pandas.DataFrame
) -> list[str]:
    """Words for groups, with a second property for those that the first does not distinguish."""
    texts = list(said)
    for k, row in enumerate(rows):
        alike = [other for j, other in enumerate(rows) if j != k and row and other and _same_said(row, other)]
        if row is None or not alike:
            continue
        own = table[table["cluster"] == row["cluster"]].to_dict("records")
        second = next((other for other in own if _is_other_fact(other, row)), None)
        if second is not None:
            texts[k] = f"{said[k]}, {_without_repetition(str(second['words']), said[k])}"
    return texts


def _same_said(row: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two groups have the same name: equal words, or on the same side of the others and as far."""
    if row["words"] == other["words"]:
        return True
    sides = {entry["direction"] == 0 for entry in (row, other)}
    return (
        _what(row) == _what(other) and sides == {False} and abs(row["effect"] - other["effect"]) <= MAX_SAME_EFFECT_GAP
    )


def _is_other_fact(row: Mapping[str, Any], first: Mapping[str, Any]) -> bool:
    """Whether a row of the table adds information to the name of a group, and clearly enough to be stated."""
    is_same = _what(row) == _what(first) or (
        row["column"] == first["column"] and FACTS.get(_what(row)[0]) == FACTS.get(_what(first)[0])
    )
    return bool(
        row["words"]
        and not is_same
        and is_heard(str(row["column"]))
        and row["property"] != "shape"
        and _size(row) >= MIN_SECOND_EFFECT
    )


def _what(row: Mapping[str, Any]) -> tuple[str, str]:
    return str(row["property"]), str(row["column"])


def _size(row: Mapping[str, Any]) -> float:
    return max(float(row["effect"]), 1.0 - float(row["effect"]))


def _without_repetition(words: str, before: str) -> str:
    """Return the words for a group that differ from those of the group before: ``at 14 h`` after ``with a peak at 8 h``."""
    new, old = words.split(), before.split()
    shorter = min(len(new), len(old))
    same = next((i for i in range(shorter) if new[i] != old[i]), shorter)
    while same and new[same - 1] in JOINTS:
        same -= 1
    # Groups whose words are equal by chance are described in full.
    return " ".join(new[same:]) or words


def _rest(size: int, told: int, groups: int) -> str:
    """Name of a group that lacks what the others have."""
    if groups == 2:
        return f"the other {size}"
    return f"{size} with {'neither' if told == 2 else 'none of these'}"
