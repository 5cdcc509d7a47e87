"""Tables of intervals that cut tables with times: file or id, start, end (or duration), perhaps a label."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np

from ...core.cutting import PIECES
from ...core.errors import DataError
from ...core.spans import seconds_of_unit
from ...core.wording import as_typed, count, listed
from ..raw import Raw, RawSet
from ..reading import Reading
from ..text import decode, is_date, read_bytes, to_number
from .delimited import NAMES
from .layout import SegmentSheet, sheet_of

_IDS = ("id", "source", "sequence", "series", *NAMES["file"])


@dataclass(frozen=True)
class _Interval:
    """A row of the table, with its times in the unit of the sequence that it cuts."""

    line: int
    start: float
    stop: float
    begins: str
    ends: str
    label: str


def cut_tables(raw: RawSet, path: Path, how: Reading) -> RawSet:
    """Return the rows of sequences within intervals, each a sequence, end excluded.

    Raises
    ------
    DataError
        If the table says no intervals, or one ends before it begins, lies outside its sequence or overlaps another.
    """
    if how.cut is not None or how.cut_at is not None:
        raise DataError(
            f"{path}: {as_typed('segments')} cuts already; leave {as_typed('cut')} and {as_typed('cut_at')} out"
        )
    sheet = sheet_of(decode(read_bytes(path), path)[0])
    place = (
        {} if sheet is None else {kind: _column(sheet, NAMES[kind]) for kind in ("start", "stop", "duration", "label")}
    )
    if sheet is None or place["start"] is None or (place["stop"] is None and place["duration"] is None):
        raise DataError(
            f"{path}: is no table of intervals; write a CSV with the header file,start,end,label (or duration in the place of end)"
        )
    found: dict[int, list[_Interval]] = defaultdict(list)
    for line, cells in sheet.rows:
        i = _owner(sheet.cell(cells, _column(sheet, _IDS)), raw, path, line)
        found[i].append(_interval(sheet, cells, place, raw.sequences[i], path, line))
    pieces: list[Raw] = []
    owners: list[int] = []
    labels: list[str] = []
    known: dict[str, list[str]] = {}
    for i in sorted(found):
        sequence = raw.sequences[i]
        stem = str(PurePosixPath(sequence.id).with_suffix(""))
        for interval, rows in _rows(found[i], sequence, path):
            piece = _part(sequence, rows, f"{stem} @ {interval.begins}")
            pieces.append(piece)
            owners.append(i)
            labels.append(interval.label)
            known[piece.id] = [stem, interval.begins, interval.ends]
    if not pieces:
        raise DataError(f"{path}: holds no interval; write a row for each")
    own = None if raw.labels is None else raw.labels[owners]
    return replace(
        raw,
        sequences=pieces,
        labels=np.array(labels, dtype=np.str_) if any(labels) and how.labels is not None else own,
        groups=None if raw.groups is None else raw.groups[owners],
        provenance={**raw.provenance, PIECES: known},
        notes=(
            *raw.notes,
            f"cut {count(len(found), 'sequence')} by {path.name} into {count(len(pieces), 'interval')}"
            + (", with their labels" if any(labels) else ""),
        ),
    )


def _column(sheet: SegmentSheet, names: tuple[str, ...]) -> int | None:
    return next((sheet.names[name] for name in names if name in sheet.names), None)


def _owner(name: str, raw: RawSet, path: Path, line: int) -> int:
    """Return the sequence of an interval."""
    ids = [sequence.id for sequence in raw.sequences]
    stem = PurePosixPath(name).name.rpartition(".")[0] or PurePosixPath(name).name
    tests = (
        lambda entry: entry == name,
        lambda entry: PurePosixPath(entry).name == PurePosixPath(name).name,
        lambda entry: PurePosixPath(entry).stem == stem,
    )
    for test in tests if name else ():
        matches = [i for i, entry in enumerate(ids) if test(entry)]
        if len(matches) == 1:
            return matches[0]
    if not name and len(ids) == 1:
        return 0
    if not name:
        raise DataError(
            f"{path}: line {line} does not say which of {len(ids)} sequences it is of; add a column file or id"
        )
    raise DataError(
        f"{path}: line {line}: {name!r} is none of the sequences, or of several ({listed(ids)}); correct it"
    )


def _interval(
    sheet: SegmentSheet, cells: list[str], place: dict[str, int | None], sequence: Raw, path: Path, line: int
) -> _Interval:
    if sequence.time is None:
        raise DataError(
            f"{sequence.where}: has no column of times, by which {path.name} could cut it; name it ({as_typed('time_column')})"
        )
    begins, ends = sheet.cell(cells, place["start"]), sheet.cell(cells, place["stop"])
    start = _moment(begins, sequence, path, line)
    if place["stop"] is None:
        duration = sheet.cell(cells, place["duration"])
        stop = start + _moment(duration, sequence, path, line)
        ends = f"{stop:.12g}"
    else:
        stop = _moment(ends, sequence, path, line)
    if stop <= start:
        raise DataError(f"{path}: line {line} ends ({ends}) before it begins ({begins}); correct it")
    return _Interval(line, start, stop, begins, ends, sheet.cell(cells, place["label"]))


def _moment(cell: str, sequence: Raw, path: Path, line: int) -> float:
    """Return a time in the unit of a sequence, from a number or a date."""
    import pandas

    try:
        if not is_date(cell):
            return to_number(cell)
        if sequence.origin is None:
            raise ValueError("a date, but the time of the data is none")
        moment: Any = pandas.Timestamp(cell)
        origin = sequence.origin
        if moment.tzinfo is None and origin.tzinfo is not None:
            moment = moment.tz_localize(origin.tzinfo)
        elif moment.tzinfo is not None and origin.tzinfo is None:
            moment = moment.tz_convert("UTC").tz_localize(None)
        return float((moment - origin).total_seconds()) / (seconds_of_unit(sequence.unit) or 1.0)
    except ValueError as error:
        raise DataError(
            f"{path}: line {line}: the time {cell!r} is {'no number or date' if not is_date(cell) else error}; write it as the"
            " times of the data are"
        ) from error


def _rows(intervals: list[_Interval], sequence: Raw, path: Path) -> list[tuple[_Interval, slice]]:
    """Return the rows of each interval, in the order of time."""
    assert sequence.time is not None
    ordered = sorted(intervals, key=lambda interval: interval.start)
    for first, second in pairwise(ordered):
        if second.start < first.stop:
            raise DataError(
                f"{path}: lines {min(first.line, second.line)} and {max(first.line, second.line)} overlap in {sequence.id!r}; give"
                " each row to one interval"
            )
    result = []
    for interval in ordered:
        a, b = np.searchsorted(sequence.time, [interval.start, interval.stop]).tolist()
        if a == b:
            raise DataError(
                f"{path}: line {interval.line}: no row of {sequence.id!r} lies from {interval.begins} to {interval.ends}; correct"
                " or remove the line"
            )
        result.append((interval, slice(a, b)))
    return result


def _part(sequence: Raw, rows: slice, name: str) -> Raw:
    assert sequence.time is not None
    begin, place = rows.start, sequence.place
    return replace(
        sequence,
        id=name,
        values=sequence.values[rows],
        time=sequence.time[rows],
        place=lambda row, column: place(row + begin, column),
        marks=None if sequence.marks is None else sequence.marks[rows],
    )
