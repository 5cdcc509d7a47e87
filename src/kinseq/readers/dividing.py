"""Find the column of a long table without a column id that divides its rows into sequences."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..core.arrays import FloatArray, IntArray
from ..core.clock_columns import names_clock, words_of
from ..core.errors import DataError
from ..core.id_names import names_ids
from ..core.wording import as_typed, count, listed
from .table import Table

_LEAST_ROWS = 5
"""Least median number of rows of a sequence."""
_OFTEN = 0.2
"""Least share of rows at which the sensor changes where rows of several alternate."""
_NEARLY = 0.9
_LEAP = 100.0
"""Steps of a time, relative to the longest within sequences, above which another recording begins."""
_MOMENT = 0.5
"""Time within a block against that to the next one, at most, where the rows of a block are of one moment."""
_SENSORS = frozenset({"sensor", "device", "imu", "mote", "node", "channel"})
"""Words for what measures a part of one recording."""


@dataclass(frozen=True)
class Division:
    """Columns of a table for sequence, label and, without a header, time."""

    id: str
    label: str | None
    said: str
    time: str | None = None


@dataclass(frozen=True)
class _Candidate:
    name: str
    codes: IntArray
    changes: IntArray  # rows at which a new block begins
    is_text: bool
    is_named: bool

    @property
    def kinds(self) -> int:
        return int(self.codes.max()) + 1


def division_of(table: Table, path: Path) -> Division | None:
    """Return the columns that divide the rows of a table into sequences; None if there are none.

    A column divides the rows if each of its values stands in one block of rows, and its name says so, times begin anew between
    the blocks, or it holds text. The finest of several nested ones is the id; a coarser one of text that
    several sequences share is their label.

    Raises
    ------
    DataError
        If several columns divide the rows, and cross.
    """
    numbers = {name: table.values[:, j] for j, name in enumerate(table.columns)}
    texts = {} if table.texts is None else {name: table.texts[:, j] for j, name in enumerate(table.words)}
    clocks = [table.time] if table.time is not None else []
    found = [
        candidate
        for columns, is_text in ((numbers, False), (texts, True))
        for name, values in columns.items()
        if (candidate := _candidate(name, values, is_text, table)) is not None
    ]
    found = [each for each in found if _divides(each, numbers, clocks, table.has_header)]
    if not found:
        return None
    found.sort(key=lambda each: -each.kinds)
    anew = [each for each in found if _begins_anew(each, numbers, clocks)]
    fine = (anew or found)[0]
    crossing = [
        each for each in found if each is not fine and not _is_coarser(fine, each) and not _is_coarser(each, fine)
    ]
    if crossing:
        names = [fine.name, *(each.name for each in crossing)]
        commands = [as_typed("id_column", name) for name in (*names, ",".join(names))]
        raise DataError(
            f"{path}: {listed([repr(name) for name in names])} divide the rows into sequences in different ways; pass"
            f" {', '.join(commands[:-1])} or {commands[-1]}"
        )
    if not anew and (finer := _finer(fine, numbers, texts, table)) is not None:
        return finer
    labels = [
        each
        for each in found
        if each.is_text and each is not fine and each.kinds < fine.kinds and _is_coarser(fine, each)
    ]
    labels += [
        each
        for name, values in texts.items()
        if (each := _label(name, values, fine)) is not None and each.name not in _names(found)
    ]
    label = labels[0].name if labels and table.label is None else None
    said = f"took {_called(fine.name, table)} for the ids of {count(fine.kinds, 'sequence')}"
    said += f" and {_called(label, table)} for their labels" if label is not None else ""
    other = as_typed("id_column")
    time = _clock_of(fine, numbers) if table.time is None and not table.has_header else None
    if time is not None:
        said += f", and {_called(time, table)}, which rises in each of them, as time ({as_typed('time_column')})"
    return Division(fine.name, label, f"{said}; {other} names another one", time)


def _finer(
    fine: _Candidate, numbers: dict[str, FloatArray], texts: dict[str, FloatArray], table: Table
) -> Division | None:
    """Return the division by a column and a second one, at whose changes together a time begins anew; None without."""
    for columns, is_text in ((texts, True), (numbers, False)):
        for name, values in columns.items():
            other = _candidate(name, values, is_text, table)
            if other is None or name == fine.name or names_clock(name):
                continue
            codes = np.unique(np.column_stack([fine.codes, other.codes]), axis=0, return_inverse=True)[1].reshape(-1)
            changes = np.flatnonzero(np.diff(codes)) + 1
            both = _Candidate(name, codes.astype(np.int64), changes.astype(np.int64), is_text, False)
            times = numbers if table.time is None else {"": table.time}
            clock = _clock_of(both, times)
            if len(changes) != both.kinds - 1 or both.kinds == fine.kinds or clock is None:
                continue
            label = name if is_text and table.label is None else None
            said = f"took {_called(fine.name, table)} and {_called(name, table)} for the ids of {count(both.kinds, 'sequence')}"
            said += ", at whose changes the time begins anew"
            said += f", and {_called(name, table)} for their labels" if label is not None else ""
            time = clock if table.time is None and (not table.has_header or names_clock(clock)) else None
            return Division(f"{fine.name},{name}", label, f"{said}; {as_typed('id_column')} names another one", time)
    return None


def interleaved(table: Table) -> list[str]:
    """Return columns that say which sensor, or animal, each row is of, where they alternate, the finest one first.

    Kinds of sensors are among them where one says which sensor it is.
    """
    clocks = [table.time] if table.time is not None else []
    found = [_candidate(name, table.values[:, j], False, table) for j, name in enumerate(table.columns)]
    often = [
        each for each in found if each is not None and len(each.changes) >= max(each.kinds, _OFTEN * len(each.codes))
    ]
    alternating = [each for each in often if each.is_named or _take_turns(each, clocks)]
    if any(names_sensor(each.name) for each in alternating):
        alternating += [each for each in often if each not in alternating and names_sensor(each.name)]
    return [each.name for each in sorted(alternating, key=lambda each: -each.kinds)]


def names_sensor(name: str) -> bool:
    """Return whether a name denotes a sensor, or a kind of sensors."""
    return bool(_SENSORS & words_of(name))


def label_of(table: Table) -> str | None:
    """Return the first column of text that is constant within the sequences of a table and that several share; None without."""
    if table.id is None or table.texts is None:
        return None
    distinct, codes = np.unique(table.id, return_inverse=True)
    fine = _Candidate("", codes.astype(np.int64), np.empty(0, dtype=np.int64), True, False)
    labels = [name for j, name in enumerate(table.words) if _label(name, table.texts[:, j], fine) is not None]
    return labels[0] if labels and len(distinct) > 1 else None


def counts_rows(table: Table) -> bool:
    """Return whether the column of ids of a table counts its rows, which another column, never falling, gives the times of."""
    if table.id is None or len(table.id) < _LEAST_ROWS or not all(map(str.isdecimal, table.id.tolist())):
        return False
    steps = np.diff(table.values, axis=0)
    timed = table.time is not None or bool(((steps >= 0).all(axis=0) & ((steps > 0).mean(axis=0) >= _NEARLY)).any())
    if not timed:
        return False
    return bool((np.diff(table.id.astype(np.float64)) == 1.0).all())


def _called(name: str, table: Table) -> str:
    return f"the column {name!r}" if table.has_header else f"column {name}"


def _names(candidates: list[_Candidate]) -> set[str]:
    return {each.name for each in candidates}


def _candidate(name: str, values: FloatArray, is_text: bool, table: Table) -> _Candidate | None:
    """Return a column of whole numbers or of text with several values; otherwise None."""
    if np.isnan(values).any() or (not is_text and (values != np.round(values)).any()):
        return None
    distinct, codes, numbers = np.unique(values, return_inverse=True, return_counts=True)
    if len(distinct) < 2 or np.median(numbers) < _LEAST_ROWS:
        return None
    changes = np.flatnonzero(codes[1:] != codes[:-1]) + 1
    named = table.has_header and names_ids(name)
    return _Candidate(name, codes.astype(np.int64), changes.astype(np.int64), is_text, named)


def _divides(each: _Candidate, numbers: dict[str, FloatArray], clocks: list[FloatArray], has_header: bool) -> bool:
    in_blocks = len(each.changes) == each.kinds - 1
    if not in_blocks:
        # Rows ordered by time, with the sequences interleaved.
        return (each.is_named or _take_turns(each, clocks)) and each.kinds > 1
    if not each.is_named and ((names_clock(each.name) and has_header) or _are_moments(each, clocks)):
        return False
    if each.is_named or _begins_anew(each, numbers, clocks):
        return True
    return each.kinds > 2 and each.is_text


def _take_turns(each: _Candidate, clocks: list[FloatArray]) -> bool:
    """Return whether each value of a column occurs once at nearly every moment."""
    rounds = len(each.codes) // each.kinds
    if rounds < _LEAST_ROWS:
        return False
    turns = np.sort(each.codes[: rounds * each.kinds].reshape(rounds, each.kinds), axis=1)
    if (turns == np.arange(each.kinds)).all(axis=1).mean() < _NEARLY:
        return False
    for clock in clocks:
        begins, ends = clock[:: each.kinds][:rounds], clock[each.kinds - 1 :: each.kinds][:rounds]
        between = np.diff(begins)
        if (between > 0).all() and (np.abs(ends - begins) <= _MOMENT * np.median(between)).mean() >= _NEARLY:
            return True
    return False


def _are_moments(each: _Candidate, clocks: list[FloatArray]) -> bool:
    """Return whether the blocks of a column are moments, each with a row of every item: the time hardly goes on within them."""
    starts = np.concatenate([[0], each.changes])
    ends = np.concatenate([each.changes, [len(each.codes)]]) - 1
    for clock in clocks:
        between, within = np.diff(clock[starts]), clock[ends] - clock[starts]
        if (between > 0).all() and (np.abs(within) <= _MOMENT * np.median(between)).mean() >= _NEARLY:
            return True
    return False


def _begins_anew(each: _Candidate, numbers: dict[str, FloatArray], clocks: list[FloatArray]) -> bool:
    """Return whether a time, or a column ascending in every block, falls or jumps at nearly all changes."""
    times = {str(i): clock for i, clock in enumerate(clocks)}
    return _clock_of(each, numbers) is not None or _clock_of(each, times, own=False) is not None


def _clock_of(each: _Candidate, numbers: dict[str, FloatArray], own: bool = True) -> str | None:
    """Return the first column that ascends in every block, and falls or jumps at nearly all changes; None if there is none."""
    if not len(each.changes):
        return None
    inside = np.ones(len(each.codes) - 1, dtype=bool)
    inside[each.changes - 1] = False
    for name, values in numbers.items():
        if own and name == each.name:
            continue
        if not inside.any():
            return None
        steps = np.diff(values)
        with np.errstate(invalid="ignore"):
            falls = (steps < 0) | (steps > _LEAP * np.max(steps[inside], initial=0.0))
        if (
            (steps[inside] >= 0).all()
            and (steps[inside] > 0).mean() >= _NEARLY
            and falls[each.changes - 1].mean() >= _NEARLY
        ):
            return name
    return None


def _is_coarser(fine: _Candidate, coarse: _Candidate) -> bool:
    """Return whether a column has one value within each value of another."""
    pairs = np.unique(np.column_stack([fine.codes, coarse.codes]), axis=0)
    return len(pairs) == fine.kinds


def _label(name: str, values: FloatArray, fine: _Candidate) -> _Candidate | None:
    """Return a column of text that is constant within each sequence and shared by several; otherwise None."""
    if np.isnan(values).any():
        return None
    distinct, codes = np.unique(values, return_inverse=True)
    each = _Candidate(name, codes.astype(np.int64), np.empty(0, dtype=np.int64), True, False)
    return each if 1 < len(distinct) < fine.kinds and _is_coarser(fine, each) else None
