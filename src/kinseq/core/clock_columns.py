"""Columns that are clocks or counters, not measurements: recognised by name, by times since 1970, or by even steps."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .arrays import FloatArray, IntArray
from .epochs import epoch_columns
from .wording import as_typed, listed

LEFT_OUT = "left_out"
"""Provenance key of the names of columns that are clocks or counters, not features."""
_TIME = frozenset(
    """
    time times timestamp timestamps ts millis msec msecs micros usec nanos ms us ns sec secs second seconds
    milliseconds microseconds nanoseconds minutes clock rtc timer stamp date datetime epoch unix unixtime t uptime
    systime elapsed tick ticks zeit uhrzeit zeitstempel datum temps heure tiempo fecha hora tijd czas
    """.split()  # noqa: SIM905  a list of so many words is hard to read
)
"""Words for clocks."""
_COUNTER = frozenset(
    """
    frame frames idx index sample samples row rownum rowid framenumber counter cnt seq seqno seqnum packet pkt
    """.split()  # noqa: SIM905  a list of so many words is hard to read
)
"""Words for counters of rows."""
_WITH_TIME = frozenset(
    """
    s min mins h hr hours rel abs start since id no nr num number device sys system pc host local utc
    """.split()  # noqa: SIM905  a list of so many words is hard to read
)
"""Words that may accompany these."""
_MEASURED = frozenset(
    """
    kwh wh mwh kw w j kj km m cm mm mi mile miles deg degree degrees angle rad rev revs turns rpm v mv a ma c
    k kg g n nm pa kpa bar psi hz count counts of total energy distance dist odometer mileage position pos x
    y z lat lon latitude longitude altitude alt height depth volume l ml liter litre rain cost price steps
    encoder phase heading yaw pitch roll level temp temperature pressure charge soc current voltage power
    speed velocity force load weight age hr bpm rate heart
    """.split()  # noqa: SIM905  a list of so many words is hard to read
)
"""Words and units of measured quantities."""
_NEARLY = 0.9
"""Share of files, and of rows, that counts as nearly all."""
_BY_STEPS, _LAST = 3, 4
"""Ranks, among clocks, of those by even steps alone, and of those by name that fall now and then."""
_MIN_ROWS = 8
"""Least median number of rows of a file for even steps to be informative."""
_EVEN = 0.1
"""Largest relative difference between even steps."""


@dataclass(frozen=True)
class Found:
    """Roles of columns of numbers, by position.

    Attributes
    ----------
    time : int or None
        The one that orders the rows and is the time.
    left_out : list of int
        Further clocks and counters, which are no features.
    open : list of int
        Those that rise as a clock does but may be measured, by even steps, or by any where no time is known; they stay.
    """

    time: int | None
    left_out: list[int]
    open: list[int]


def words_of(name: str) -> set[str]:
    """Return the words of a name: ``tRel_ms`` has t, rel and ms."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return {word for word in re.split(r"[^a-z]+", spaced.lower()) if word}


def names_clock(name: str) -> bool:
    """Return whether a name denotes a clock or a counter of rows."""
    words = words_of(name)
    return bool(words & (_TIME | _COUNTER)) and words <= _TIME | _COUNTER | _WITH_TIME


def why_time(name: str, named: bool = True) -> str:
    """Return the reason, for a note, to take a column as time: its name, or its values."""
    return "by its name" if named and (names_clock(name) or has_time_unit(name)) else "by its values"


def names_time(name: str) -> bool:
    """Return whether a name denotes a time, or has a unit of time."""
    return has_time_unit(name) or (names_clock(name) and bool(words_of(name) & _TIME))


def has_time_unit(name: str) -> bool:
    """Return whether a name has a unit of time in brackets, as ``X [s]``."""
    return bool(re.search(r"[\[(]\s*(s|sec|ms|msec|us|µs|ns)\s*[\])]\s*$", name))


def even_columns(sequences: Sequence[FloatArray]) -> list[int]:
    """Return the columns that change by one constant step in all sequences; none of fewer than two sequences.

    Sequences have at least two frames. A column with a missing value is no such column.
    """
    if len(sequences) < 2:
        return []
    with np.errstate(invalid="ignore", over="ignore"):
        steps = [np.diff(frames, axis=0) for frames in sequences]
        step = steps[0][0]
        # Steps of 0.1 are not all equal in float64, and their sums even less; the same holds for times since 1970.
        largest = np.max([np.abs(frames).max(axis=0) for frames in sequences], axis=0)
        slack = np.maximum(np.minimum(1e-9 * largest, 1e-3 * np.abs(step)), 8.0 * np.finfo(np.float64).eps * largest)
        alike = np.logical_and.reduce([(np.abs(s - step) <= slack).all(axis=0) for s in steps])
    return np.flatnonzero(alike & (np.abs(step) > slack)).tolist()


def find_clocks(names: Sequence[str], sequences: Sequence[FloatArray], timed: bool, named: bool = True) -> Found:
    """Return which columns are clocks or counters.

    Parameters
    ----------
    names : sequence of str
        Of the columns.
    sequences : sequence of ndarray, each of shape (T_i, d)
        Rows in the order of the time, where that is known.
    timed : bool
        Whether the time is known by another column.
    named : bool
        Whether the names are those of the data, and not numbers.
    """
    d = len(names)
    candidates = _candidates(sequences)
    if len(candidates) < d:
        if not len(candidates):
            return Found(None, [], [])
        # One more column stands for the features, since a choice never takes all columns.
        other = np.setdiff1d(np.arange(d), candidates)[:1]
        some = np.sort(np.concatenate([candidates, other]))
        if len(some) < d:
            part = find_clocks([names[j] for j in some], [values[:, some] for values in sequences], timed, named)
            time = None if part.time is None else int(some[part.time])
            return Found(time, [int(some[j]) for j in part.left_out], [int(some[j]) for j in part.open])
    long = [values for values in sequences if len(values) > 1]
    if not long or d < 2:
        return Found(None, [], [])
    rising, never_falling, mostly, even, strict, medians = (np.zeros((len(long), d)) for _ in range(6))
    for i, values in enumerate(long):
        with np.errstate(invalid="ignore", over="ignore"):
            steps = np.diff(values, axis=0)
        known = np.isfinite(steps).all(axis=0)
        steps = np.where(known, steps, 0.0)
        middle = np.median(steps, axis=0)
        never_falling[i] = known & (steps >= 0).all(axis=0)
        rising[i] = never_falling[i].astype(bool) & (values[-1] > values[0])
        mostly[i] = known & ((steps >= 0).mean(axis=0) >= _NEARLY) & (middle >= 0) & (steps > 0).any(axis=0)
        even[i] = known & (middle > 0) & ((np.abs(steps - middle) <= _EVEN * middle).mean(axis=0) >= _NEARLY)
        strict[i] = known & ((steps > 0).mean(axis=0) >= _NEARLY)
        medians[i] = middle
    usual = np.median(medians, axis=0)
    rises = rising.mean(axis=0) >= _NEARLY
    since = (never_falling.mean(axis=0) >= _NEARLY) & rising.any(axis=0)
    enough = float(np.median([len(values) for values in long])) >= _MIN_ROWS
    steady = rises & (even.mean(axis=0) >= _NEARLY) & enough
    alike = (np.abs(medians - usual) <= _EVEN * np.abs(usual)).mean(axis=0) >= _NEARLY
    epochs = set(epoch_columns(sequences))
    clocks: list[tuple[int, int]] = []
    unsure: list[int] = []
    for j, name in enumerate(names):
        by_name = named and (names_clock(name) or (bool(rises[j]) and has_time_unit(name)))
        measured = named and bool(words_of(name) & _MEASURED) and not by_name
        if by_name and (rises[j] or mostly[:, j].mean() >= _NEARLY):
            # The time takes precedence over the number of a row.
            clocks.append((0 if words_of(name) & _TIME else 2, j) if rises[j] else (_LAST, j))
        elif j in epochs and since[j]:
            clocks.append((1, j))
        elif steady[j] and measured:
            unsure.append(j)
        elif steady[j] and alike[j]:
            clocks.append((_BY_STEPS, j))
        elif steady[j] or (rises[j] and strict[:, j].mean() >= _NEARLY and enough and not timed):
            unsure.append(j)
    # The remarks on the finished set name those that rise by one step everywhere.
    evenly = even_columns([values for values in long if len(values) > 2])
    unsure = [j for j in unsure if j not in evenly]
    clocks.sort()
    if timed:
        # Next to a known time column, an unnamed one counts as time only if it follows the rows exactly.
        clocks = [
            (kind, j) for kind, j in clocks if kind != _BY_STEPS or _goes_with_rows([values[:, j] for values in long])
        ]
    places = [j for _, j in clocks]
    if len(places) >= d:
        return Found(None, [], sorted({*places, *unsure}))
    time = None
    if not timed and clocks and all((np.diff(values[:, clocks[0][1]]) >= 0).all() for values in sequences):
        time = clocks[0][1]
    return Found(time, sorted(j for j in places if j != time), unsure)


_SEEN = 20
"""Number of files that suffices to rule out most columns as clocks."""


def _candidates(sequences: Sequence[FloatArray]) -> IntArray:
    """Return columns that never fall in most of a few sequences."""
    long = [values for values in sequences if len(values) > 1]
    some = long[:: max(1, len(long) // _SEEN)]
    if not some:
        return np.zeros(0, dtype=np.int64)
    with np.errstate(invalid="ignore", over="ignore"):
        shares = [(np.diff(values, axis=0) >= 0).mean(axis=0) >= _NEARLY for values in some]
    return np.flatnonzero(np.mean(shares, axis=0) >= 0.5).astype(np.int64)


def _goes_with_rows(columns: Sequence[FloatArray]) -> bool:
    """Return whether nearly all steps of a column are equal to a thousandth."""
    steps = [np.diff(column) for column in columns]
    middle = float(np.median(np.concatenate(steps)))
    return all(float((np.abs(step - middle) <= 1e-3 * abs(middle)).mean()) >= _NEARLY for step in steps)


def notes_on_clocks(names: Sequence[str], found: Found, named: bool = True) -> list[str]:
    """Return sentences on clocks left out as features, and on columns that may be clocks."""
    said = []
    shown = [repr(name) if named else name for name in names]
    how = f"to keep a column as a feature, name the features ({as_typed('value_columns')})"
    if found.time is not None:
        another = f"choose another with {as_typed('time_column')}"
        why = why_time(names[found.time], named)
        said.append(f"using column {shown[found.time]} as time, {why} ({another}; {how})")
    if found.left_out:
        what = "a clock, or counts rows" if len(found.left_out) == 1 else "clocks, or count rows"
        verb = "is" if len(found.left_out) == 1 else "are"
        which = "the column" if len(found.left_out) == 1 else "the columns"
        said.append(f"left out {which} {listed([shown[j] for j in found.left_out])}, which {verb} {what}; {how}")
    if found.open:
        which = "the column" if len(found.open) == 1 else "the columns"
        verb, kept = ("increases", "was") if len(found.open) == 1 else ("increase", "were")
        first = names[found.open[0]]
        said.append(
            f"{which} {listed([shown[j] for j in found.open])} {verb} like a clock but {kept} kept as data (if it is the time:"
            f" {as_typed('time_column', first)}; if it is a counter: {as_typed('drop_columns', first)})"
        )
    return said
