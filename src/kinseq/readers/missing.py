"""Refuse or interpolate missing numbers between reading and the set of sequences."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import FloatArray
from ..core.clock import read_clock, unevenness
from ..core.cutting import Stretch, arranged, begin_of_day
from ..core.errors import DataError
from ..core.folders import Missing
from ..core.sequences import COLUMN_NUMBERS, SequenceSet
from ..core.wording import as_typed, count
from .raw import Raw, RawSet
from .reading import Reading

MAX_MAGNITUDE = 1e150
"""Largest numbers that can be squared and summed."""


def assemble(raw: RawSet, title: str, how: Reading) -> SequenceSet:
    """Put rows on a clock, interpolate or refuse missing numbers, cut into pieces and stack the sequences.

    Notes are those of the raw ones, and on what was done.
    """
    missing = how.missing
    raw, of_rows = _arranged(raw, how)
    notes = [*raw.notes]
    arrays, filled, touched, timed = [], 0, 0, False
    for sequence in raw.sequences:
        gaps = completed(sequence, missing)
        if gaps:
            filled += gaps
            timed = timed or sequence.time is not None
            touched += 1
        arrays.append(sequence.values)
    provenance = dict(raw.provenance)
    if filled:
        notes.append(
            f"interpolated {count(filled, 'missing number')} in {count(touched, 'sequence')}, linearly in"
            f" {'time' if timed else 'the order of frames'}"
        )
        provenance["interpolated"] = filled
    clock, first, last = _clock(raw)
    provenance |= clock
    notes = [*raw.first, *of_rows, *first, *notes, *last]
    columns = raw.sequences[0].columns
    if columns is not None:
        provenance["columns"] = list(columns)
    numbers = raw.sequences[0].numbers
    if columns is None and numbers is not None and list(numbers) != [str(i + 1) for i in range(len(numbers))]:
        provenance[COLUMN_NUMBERS] = list(numbers)
    sequences = SequenceSet.from_arrays(
        arrays,
        labels=raw.labels,
        groups=raw.groups,
        ids=[sequence.id for sequence in raw.sequences],
        name=title,
        provenance=provenance,
    )
    return replace(sequences, notes=tuple(notes))


def _arranged(raw: RawSet, how: Reading) -> tuple[RawSet, list[str]]:
    """Return sequences on a clock and in pieces, if requested or implied by the times, and notes."""
    given = [Stretch(s.id, s.where, s.values, s.time, s.unit, s.origin, s.marks, epoch=s.epoch) for s in raw.sequences]
    found, notes, known = arranged(given, how.arrangement)
    if not notes:
        return raw, []
    owners = [stretch.owner for stretch in found]
    sequences = [_raw_of(stretch, raw.sequences[stretch.owner]) for stretch in found]
    labels, groups = (None if entries is None else entries[owners] for entries in (raw.labels, raw.groups))
    changed = replace(raw, sequences=sequences, labels=labels, groups=groups, provenance={**raw.provenance, **known})
    return changed, notes


def _raw_of(stretch: Stretch, old: Raw) -> Raw:
    """Return a sequence derived from rows of another."""
    names = old.columns or old.numbers or ()

    def place(row: int, column: int) -> str:
        name = repr(names[column]) if old.columns is not None else names[column] if names else f"{column + 1}"
        at = f"frame {row + 1}" if stretch.times is None else f"time {stretch.moment(float(stretch.times[row]))}"
        return f"{at}, column {name}"

    return replace(
        old,
        id=stretch.id,
        values=stretch.values,
        place=place,
        time=stretch.times,
        unit=stretch.unit,
        marks=stretch.marks,
    )


def completed(sequence: Raw, missing: Missing) -> int:
    """Interpolate or refuse missing numbers in one sequence, in place; return the number of interpolated ones."""
    bad = ~np.isfinite(sequence.values)
    if bad.any():
        sequence.values = _fill(sequence, bad, missing)
    _refuse_overflow(sequence)
    return int(bad.sum())


def _clock(raw: RawSet) -> tuple[dict[str, Any], list[str], list[str]]:
    """Return the provenance entry of the time from frame to frame, and notes: leading and trailing ones."""
    times = [sequence.time for sequence in raw.sequences if sequence.time is not None]
    units = {sequence.unit for sequence in raw.sequences}
    if len(times) < len(raw.sequences) or len(units) > 1:
        return {}, [], []
    (unit,) = units
    begins = begin_of_day((sequence.origin, sequence.time, unit) for sequence in raw.sequences)
    clock, remark = read_clock(times, unit, begins)
    said, known = unevenness(times, [sequence.id for sequence in raw.sequences], unit)
    return known | ({} if clock is None else clock.as_provenance()), list(said), [remark] if remark else []


def _refuse_overflow(sequence: Raw) -> None:
    """Refuse numbers whose squares, summed over a set, would leave float64."""
    beyond = np.argwhere(np.abs(sequence.values) > MAX_MAGNITUDE)
    if len(beyond):
        row, column = (int(i) for i in beyond[0])
        raise DataError(
            f"{sequence.where}: {sequence.place(row, column)} is {sequence.values[row, column]:g}, beyond"
            f" {MAX_MAGNITUDE:g}, so that sums of squares overflow; rescale the column"
        )


def _fill(sequence: Raw, bad: NDArray[np.bool_], missing: Missing) -> FloatArray:
    """Return values of a sequence with missing ones interpolated; infinite ones are always refused."""
    values = sequence.values
    infinite = np.argwhere(np.isinf(values))
    if len(infinite):
        row, column = (int(i) for i in infinite[0])
        raise DataError(
            f"{sequence.where}: {sequence.place(row, column)} is infinite; correct it or leave the sequence out"
        )
    empty = np.flatnonzero(bad.all(axis=0))
    if empty.size and (len(values) > 1 or missing != "refuse"):
        name = sequence.place(0, int(empty[0])).rpartition(", ")[2]
        raise DataError(
            f"{sequence.where}: all numbers of {name} are missing in sequence {sequence.id!r}; there is nothing to interpolate,"
            " leave the sequence or the column out"
        )
    row, column = (int(i) for i in np.argwhere(bad)[0])
    if missing == "refuse":
        raise DataError(
            f"{sequence.where}: {sequence.place(row, column)} is missing ({int(bad.sum())} missing in this sequence);"
            f" fill it in, leave the sequence out, or pass {as_typed('missing', 'interpolate')}"
        )
    filled = values.copy()
    moments = np.arange(len(values), dtype=np.float64) if sequence.time is None else sequence.time
    for column in np.flatnonzero(bad.any(axis=0)):
        present = ~bad[:, column]
        filled[:, column] = np.interp(moments, moments[present], values[present, column])
    return filled
