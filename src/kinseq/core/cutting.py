"""Long logs arranged as sequences: put on a regular clock, and cut into pieces with their source and place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .arrays import FloatArray, IntArray
from .clock import SECONDS
from .confounders import suspect
from .epochs import epoch_unit
from .errors import DataError, ParameterError
from .regular import Gridded, common_step, midnight_before, on_clock
from .spans import Span, in_words, seconds_in, seconds_of_unit
from .wording import as_typed, count, listed, option_name, out_of, plain

PIECES = "pieces"
"""Provenance key of pieces: by id, their source, start and end."""
EVERY = "every"
"""Provenance key of the step of the clock that the rows were put on."""
_DAY = 86_400.0
_SAME = 1e-6
"""Largest relative rounding difference of times, as a part of a step."""
SAME_BEGIN = 60.0
"""Largest difference, in seconds, between the times of day at which sequences begin."""


@dataclass(frozen=True)
class Arrangement:
    """Options for arranging long logs; fields are the reading options of these names."""

    every: Span | None = None
    max_gap: Span | None = None
    cut: Span | None = None
    step: Span | None = None
    cut_at: Any = None
    missing: str = "refuse"
    rate: float | None = None

    @property
    def cuts(self) -> bool:
        """Whether sequences are cut into pieces."""
        return self.cut is not None or self.cut_at is not None or self.missing == "cut"


@dataclass(frozen=True)
class Stretch:
    """Rows of a sequence in order.

    Attributes
    ----------
    id, where : str
        Name, and what it is called in messages.
    values : ndarray, shape (T, d), float64
    times : ndarray, shape (T,), float64, or None
    unit : str
        Of the times; empty if it is not given.
    origin : pandas.Timestamp or None
        The moment at which the times are 0, in the zone of the data; None where it is not known.
    marks : ndarray of str, shape (T,), or None
        Entries of the column at whose changes it is cut.
    source, start, end : str
        Of a piece, what it was cut from and where.
    owner : int
        Position of the sequence that it was cut from.
    gridded : bool
        Whether its rows are steps of a clock, and no rows of a file.
    epoch : bool
        Whether the times are numbers since 1970.
    """

    id: str
    where: str
    values: FloatArray
    times: FloatArray | None = None
    unit: str = ""
    origin: Any = None
    marks: NDArray[np.str_] | None = None
    source: str = ""
    start: str = ""
    end: str = ""
    owner: int = 0
    gridded: bool = False
    epoch: bool = False

    def rows(self, a: int, b: int) -> Stretch:
        """Return some rows."""
        return replace(
            self,
            values=self.values[a:b],
            times=None if self.times is None else self.times[a:b],
            marks=None if self.marks is None else self.marks[a:b],
        )

    def moment(self, time: float) -> str:
        """Return a time in words: a date if known."""
        if self.origin is None:
            return f"{time:.12g}"
        import pandas

        moment = (self.origin + pandas.Timedelta(time * (seconds_of_unit(self.unit) or 1.0), "s")).round("us")
        return str(moment.tz_localize(None))


def begin_of_day(stretches: Iterable[tuple[Any, FloatArray | None, str]]) -> float | None:
    """Return the time of day, in seconds after midnight, at which all sequences begin; None if unknown or different.

    Parameters
    ----------
    stretches : iterable of (Timestamp or None, ndarray or None, str)
        Of each sequence the moment at which its times are 0, the times, and their unit.
    """
    import pandas

    begins = []
    for origin, times, unit in stretches:
        seconds = seconds_of_unit(unit)
        if origin is None or times is None or not len(times) or seconds is None:
            return None
        moment = origin + pandas.Timedelta(float(times[0]) * seconds, "s")
        begins.append((moment - moment.normalize()).total_seconds())
    if not begins or max(begins) - min(begins) > SAME_BEGIN:
        return None
    return float(np.median(begins))


def origin_of_epoch(unit: str, first: float, subtracted: float = 0.0) -> Any:
    """Return the zero of times since 1970, minus the subtracted part; None for other numbers."""
    if not unit or epoch_unit(first) != unit:
        return None
    import pandas

    short: Any = "us" if unit == "µs" else unit
    return pandas.Timestamp(0) + pandas.Timedelta(int(subtracted), short)


def arranged(stretches: Sequence[Stretch], how: Arrangement) -> tuple[list[Stretch], list[str], dict[str, Any]]:
    """Return sequences on a clock and cut into pieces, notes, and provenance entries.

    Raises
    ------
    DataError
        If there is no time, a gap is too long for lines and is not to be filled in otherwise, or there is no piece.
    ParameterError
        If a time in words is given where the unit of the data is no time.
    """
    notes: list[str] = []
    known: dict[str, Any] = {}
    found = [replace(stretch, owner=i) for i, stretch in enumerate(stretches)]
    if how.rate is not None:
        rate = how.rate
        found = [
            replace(stretch, times=np.arange(len(stretch.values)) / rate, unit=SECONDS)
            if stretch.times is None
            else stretch
            for stretch in found
        ]
    if how.every is not None:
        found, notes, known = _regular(found, how, how.every)
    elif (step := _missing_rows(found)) is not None:
        found, notes, known = _on_common(found, step)
    if not how.cuts:
        return found, notes, known
    whole = _stems(found)
    if how.missing == "cut":
        parts = [_without_gaps(stretch) for stretch in found]
        more = sum(len(part) for part in parts) - len(found)
        if more > 0 or any(
            len(part) and len(part[0].values) < len(s.values) for part, s in zip(parts, found, strict=True)
        ):
            notes.append(f"cut {count(len(found), 'sequence')} at gaps into {sum(map(len, parts))}")
        found = [piece for part in parts for piece in part]
        if not found:
            raise DataError(
                f"{stretches[0].where}: a number is missing in every row; leave the sequence or the column out"
            )
    if how.cut_at is not None:
        found, note = _at_changes(found, str(how.cut_at))
        notes = [*notes, note]
    elif how.cut is not None:
        found, note = _in_lengths(found, how, how.cut)
        notes = [*notes, note]
    named = _named(found, whole, how)
    known[PIECES] = {piece.id: [piece.source, piece.start, piece.end] for piece in named}
    return named, notes, known


def _in_units(span: Span, stretch: Stretch, name: str) -> float:
    """Return a time in the unit of a sequence."""
    if not isinstance(span, str):
        return float(span)
    seconds = seconds_of_unit(stretch.unit or SECONDS)
    if seconds is None:
        raise ParameterError(
            f"{option_name(name)} is {span!r}, but the time of {stretch.where} is in {stretch.unit!r}, which is no unit of time;"
            " give a number of these"
        )
    return seconds_in(span) / seconds


def _regular(found: list[Stretch], how: Arrangement, every: Span) -> tuple[list[Stretch], list[str], dict[str, Any]]:
    """Return sequences on the given clock."""
    result, filled, averaged, crossed = [], 0, 0, 0
    untold = 0
    for stretch in found:
        if stretch.times is None:
            raise DataError(
                f"{stretch.where}: has no column of times, which {as_typed('every', every)} needs; name it"
                f" ({as_typed('time_column')})"
            )
        times = stretch.times
        if isinstance(every, str) and not stretch.unit:
            untold += 1
            stretch = replace(stretch, unit=SECONDS)
        step = _in_units(every, stretch, "every")
        gap = None if how.max_gap is None else _in_units(how.max_gap, stretch, "max_gap")
        begin = _midnight(stretch)
        gridded = on_clock(stretch.values, times, step, gap, stretch.where, begin)
        filled, averaged = filled + gridded.filled, averaged + gridded.averaged
        after = _gridded(stretch, gridded)
        lost = np.flatnonzero(np.isnan(gridded.values).any(axis=1))
        if lost.size:
            crossed += 1
            if how.missing == "refuse":
                raise DataError(_of_gap(after, lost, gap, step))
        result.append(after)
    notes = [
        f"put the rows of {count(len(found), 'sequence')} on a clock of {_span_text(every, found[0].unit)}: {averaged} rows"
        f" averaged within a step, {count(filled, 'empty step')} filled in by lines"
        + (f"; {count(crossed, 'sequence')} with longer gaps" if crossed else "")
    ]
    if untold:
        notes.append("the time has no unit, and its numbers were taken for seconds")
    elif found[0].epoch:
        notes.append(f"the time is in {found[0].unit} since 1970")
    return result, notes, {EVERY: every}


def _span_text(every: Span, unit: str) -> str:
    return every if isinstance(every, str) else f"{every:g} {unit}".rstrip()


def _gridded(stretch: Stretch, gridded: Gridded) -> Stretch:
    marks = None if stretch.marks is None else stretch.marks[gridded.last]
    return replace(stretch, values=gridded.values, times=gridded.times, marks=marks, gridded=True)


def _midnight(stretch: Stretch) -> float | None:
    if stretch.origin is None or stretch.times is None:
        return None
    seconds = seconds_of_unit(stretch.unit) or 1.0
    return midnight_before(stretch.origin, float(stretch.times[0]), seconds)


def _of_gap(stretch: Stretch, lost: IntArray, gap: float | None, step: float) -> str:
    """Return a note on a gap too long for interpolation."""
    assert stretch.times is not None
    first = int(lost[0])
    length = int(np.argmax(np.append(np.diff(lost) != 1, True))) + 1
    took = plain(length * step)
    unit = f" {stretch.unit}" if stretch.unit else ""
    most = plain(3.0 * step if gap is None else gap)
    return (
        f"{_called(stretch)} has a gap of {took}{unit} at the time {stretch.moment(float(stretch.times[first]))},"
        f" longer than {most}{unit}; let lines cross longer gaps ({as_typed('max_gap')}), fill it in"
        f" ({as_typed('missing', 'interpolate')}) or cut the sequence there ({as_typed('missing', 'cut')})"
    )


def _called(stretch: Stretch) -> str:
    """Return the name of a sequence for messages."""
    return stretch.where if stretch.id in stretch.where else f"{stretch.where}: sequence {stretch.id!r}"


def _missing_rows(found: Sequence[Stretch]) -> float | None:
    """Return the step of a clock with missing rows, in the common unit of all sequences; None for other data."""
    times = [stretch.times for stretch in found if stretch.times is not None]
    if len(times) < len(found) or len({stretch.unit for stretch in found}) > 1:
        return None
    if not all(np.isfinite(stretch.values).all() for stretch in found):
        return None
    return common_step(times)


def _on_common(found: Sequence[Stretch], step: float) -> tuple[list[Stretch], list[str], dict[str, Any]]:
    """Return sequences with missing rows interpolated, if times are whole multiples of a step."""
    result, filled, some, shares, lost = [], 0, [], [], []
    for stretch in found:
        assert stretch.times is not None
        lost.append(0.0)
        length = float(stretch.times[-1] - stretch.times[0])
        gridded = on_clock(stretch.values, stretch.times, step, length, stretch.where)
        if not gridded.filled:
            result.append(stretch)
            continue
        filled += gridded.filled
        some.append(stretch.id)
        lost[-1] = gridded.filled / len(gridded.values)
        shares.append(100.0 * lost[-1])
        result.append(_gridded(stretch, gridded))
    low, high = (f"{share:.2g}" for share in (min(shares), max(shares)))
    word = in_words(step, found[0].unit)
    return (
        result,
        [
            f"rows are missing by the times in {out_of(len(some), len(found), 'sequence')} ("
            f"{low if low == high else f'{low} to {high}'} % of their rows): every time is a whole multiple of"
            f" {_span_text(word, found[0].unit)}, and {count(filled, 'missing row')} became lines between the others:"
            f" {listed(some)}; {as_typed('every', word)} with {as_typed('max_gap')} sets how long a gap they cross"
        ],
        {EVERY: word, **suspect("the share of rows that are missing by their times", [s.id for s in found], lost)},
    )


def _without_gaps(stretch: Stretch) -> list[Stretch]:
    """Return runs of rows without missing numbers."""
    good = np.isfinite(stretch.values).all(axis=1)
    edges = np.flatnonzero(np.diff(np.concatenate([[False], good, [False]]).astype(np.int8)))
    return [_placed(stretch, int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def _placed(stretch: Stretch, a: int, b: int, first: int = 0) -> Stretch:
    """Return rows of a sequence with their first and last time, or the numbers of the rows from 1."""
    piece = stretch.rows(a, b)
    if stretch.times is None:
        return replace(piece, start=str(first + a + 1), end=str(first + b))
    return replace(
        piece, start=stretch.moment(float(stretch.times[a])), end=stretch.moment(float(stretch.times[b - 1]))
    )


def _at_changes(found: Sequence[Stretch], column: str) -> tuple[list[Stretch], str]:
    """Return pieces that begin at each change of a column, and a note."""
    pieces: list[Stretch] = []
    rows = 0
    for stretch in found:
        if stretch.marks is None:
            raise DataError(
                f"{stretch.where}: holds no column {column!r} to cut at ({as_typed('cut_at', column)}); name one of its columns"
            )
        first = int(stretch.start) - 1 if stretch.times is None and stretch.start else 0
        edges = [0, *(np.flatnonzero(stretch.marks[1:] != stretch.marks[:-1]) + 1).tolist(), len(stretch.marks)]
        rows += len(stretch.marks)
        pieces += [_placed(stretch, a, b, first) for a, b in pairwise(edges)]
    if len(pieces) == rows and rows > len(found):
        raise DataError(
            f"{found[0].where}: the column {column!r} changes at every row, so that every piece would be a single row; name one"
            f" that stays for some rows ({as_typed('cut_at')})"
        )
    return pieces, (
        f"cut {count(len(found), 'sequence')} into {count(len(pieces), 'piece')} wherever the column {column!r} changes, which is"
        " no feature"
    )


def _in_lengths(found: Sequence[Stretch], how: Arrangement, cut: Span) -> tuple[list[Stretch], str]:
    """Return pieces of one length in time or frames, and a note; incomplete ones at the ends are left out."""
    pieces: list[Stretch] = []
    out = 0
    longest = 0.0
    for stretch in found:
        if isinstance(cut, str):
            own, incomplete, length = _in_time(stretch, how, cut)
        else:
            own, incomplete, length = _in_frames(stretch, int(cut), int(how.step or cut))
        pieces += own
        out += incomplete
        longest = max(longest, length)
    if not pieces:
        unit = f" {found[0].unit}".rstrip() if isinstance(cut, str) else " frames"
        raise DataError(
            f"{found[0].where}: no piece of {cut if isinstance(cut, str) else f'{cut} frames'} is whole, since the longest sequence"
            f" has {plain(longest)}{unit}; give a shorter length ({as_typed('cut')})"
        )
    said = f"cut {count(len(found), 'sequence')} into {count(len(pieces), 'piece')} of {cut}" + " frames" * (
        not isinstance(cut, str)
    )
    return pieces, said + (f", and left out {count(out, 'incomplete one')} at the ends" if out else "")


def _in_frames(stretch: Stretch, cut: int, step: int) -> tuple[list[Stretch], int, float]:
    rows = len(stretch.values)
    first = int(stretch.start) - 1 if stretch.times is None and stretch.start else 0
    starts = range(0, rows - cut + 1, step)
    end = starts[-1] + max(cut, step) if len(starts) else 0
    return [_placed(stretch, a, a + cut, first) for a in starts], int(end < rows), float(rows)


def _in_time(stretch: Stretch, how: Arrangement, cut: str) -> tuple[list[Stretch], int, float]:
    """Return the complete pieces of a sequence, the number of incomplete ones at its ends, and its duration."""
    times = stretch.times
    if times is None:
        raise DataError(
            f"{stretch.where}: has no column of times, which {as_typed('cut', cut)} needs; name it ({as_typed('time_column')}),"
            f" give the frames per second ({as_typed('rate')}), or a number of frames"
        )
    length = _in_units(cut, stretch, "cut")
    every = length if how.step is None else _in_units(how.step, stretch, "step")
    between = np.diff(times)
    usual = float(np.median(between[between > 0])) if (between > 0).any() else 0.0
    slack = _SAME * max(usual, _SAME * length)
    begins, ends = _borders(stretch, float(times[0]), float(times[-1]) + usual + slack, length, every)
    a = np.searchsorted(times, begins - slack)
    b = np.searchsorted(times, ends - slack)
    early = begins <= times[0] - max(usual, 2.0 * slack) + slack
    late = ends > times[-1] + usual + slack
    held = b > a
    whole = held & ~early & ~late
    pieces = [
        replace(stretch.rows(i, j), start=stretch.moment(begin), end=stretch.moment(end))
        for i, j, begin, end in zip(
            a[whole].tolist(), b[whole].tolist(), begins[whole].tolist(), ends[whole].tolist(), strict=True
        )
    ]
    return pieces, int((held & (early | late)).sum()), float(times[-1] - times[0])


def _borders(stretch: Stretch, first: float, end: float, length: float, every: float) -> tuple[FloatArray, FloatArray]:
    """Return starts and ends of pieces: by the calendar if known, otherwise counted from the first row."""
    if stretch.origin is None:
        begins: FloatArray = np.arange(first, end, every, dtype=np.float64)
        return begins, begins + length
    seconds = seconds_of_unit(stretch.unit) or 1.0
    day = midnight_before(stretch.origin, first, seconds)
    days = _DAY / seconds
    if length % days == 0.0 and every % days == 0.0:
        return _days(stretch, day, end, round(length / days), round(every / days), seconds)
    # Borders since midnight, from the last one before the first row on.
    begins = np.arange(day + np.floor((first - day) / length) * length, end, every, dtype=np.float64)
    return begins, begins + length


def _days(
    stretch: Stretch, day: float, end: float, length: int, every: int, seconds: float
) -> tuple[FloatArray, FloatArray]:
    """Return starts and ends of pieces of whole days, in the time zone of the data; weeks begin on Mondays."""
    import pandas

    def at(time: float) -> Any:
        return stretch.origin + pandas.Timedelta(time * seconds, "s")

    begin = at(day).normalize()
    if length % 7 == 0:
        begin = (begin - pandas.DateOffset(days=begin.dayofweek)).normalize()
    until = at(end) + pandas.DateOffset(days=length)
    starts = pandas.date_range(begin, until, freq=pandas.DateOffset(days=every))
    stops = starts + pandas.DateOffset(days=length)
    begins = np.asarray((starts - stretch.origin).total_seconds(), dtype=np.float64) / seconds
    ends = np.asarray((stops - stretch.origin).total_seconds(), dtype=np.float64) / seconds
    inside = begins < end
    return begins[inside], ends[inside]


_ENDINGS = (
    ".gz",
    ".bz2",
    ".xz",
    ".zip",
    ".csv",
    ".tsv",
    ".txt",
    ".npy",
    ".edf",
    ".bdf",
    ".hea",
    ".parquet",
    ".pq",
    ".xlsx",
    ".dat",
)


def _stems(found: Sequence[Stretch]) -> list[str]:
    """Return names of sources without file extensions, if these remain distinct."""
    names = []
    for stretch in found:
        name = stretch.id
        while (ending := next((e for e in _ENDINGS if name.lower().endswith(e) and len(name) > len(e)), "")) != "":
            name = name[: -len(ending)]
        names.append(name)
    return names if len(set(names)) == len(names) else [stretch.id for stretch in found]


def _named(found: Sequence[Stretch], whole: Sequence[str], how: Arrangement) -> list[Stretch]:
    """Return named pieces: the source and the start, or the value of the column that they were cut at."""
    short = _shortest(found)
    entries = [str(piece.marks[0]) if how.cut_at is not None and piece.marks is not None else "" for piece in found]
    pairs = [(piece.owner, entry) for piece, entry in zip(found, entries, strict=True)]
    by_entry = how.cut_at is not None and len(set(pairs)) == len(pairs)
    named = []
    for piece, entry in zip(found, entries, strict=True):
        source = whole[piece.owner]
        name = f"{source} @ {entry if by_entry else short(piece.start)}"
        named.append(replace(piece, id=name, source=source))
    return named


def _shortest(found: Sequence[Stretch]) -> Callable[[str], str]:
    """Return the date format: without the time of day if all pieces begin at midnight, otherwise without zero seconds."""
    if any(piece.origin is None for piece in found):
        return str
    if all(piece.start.endswith(" 00:00:00") for piece in found):
        return lambda start: start[:10]
    if all(len(piece.start) == 19 and piece.start.endswith(":00") for piece in found):
        return lambda start: start[:16]
    return str


OF_PIECES = ("source", "start", "end")
"""Columns on pieces in tables."""


def columns_of_pieces(sequences: Any) -> dict[str, list[str]]:
    """Return columns with source, start and end of each sequence of a set; empty if sequences were not cut."""
    pieces = pieces_of(sequences.provenance)
    if not pieces:
        return {}
    about = [pieces[entry] for entry in sequences.ids.tolist()]
    return {name: [entry[j] for entry in about] for j, name in enumerate(OF_PIECES)}


def pieces_of(provenance: Mapping[str, Any]) -> Mapping[str, Sequence[str]]:
    """Return source, start and end of each piece by id; empty if sequences were not cut."""
    found: Mapping[str, Sequence[str]] = provenance.get(PIECES, {})
    return found
