"""Circular columns, whose ends are one place: headings, phases, hours, longitudes, encoders.

Mardia and Jupp (1999), "Directional statistics": an angle is compared by its sine and cosine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from .arrays import FloatArray
from .errors import DataError, ParameterError, unknown_name
from .sequences import COLUMN_NUMBERS, SequenceSet, numbered_columns
from .wording import as_typed, count, listed, out_of

CIRCULAR = "circular"
"""Provenance key of the columns that were converted to circles, and the lengths of their periods."""
ROUNDS: tuple[float, ...] = (1.0, 2.0 * np.pi, 12.0, 24.0, 60.0, 180.0, 360.0, 1024.0, 4096.0, 65_536.0)
"""Common periods: shares, radians, hours and months, minutes, axes and directions in degrees, counts of encoders."""
_FILLED = 0.9
"""Least share of a period that the values of a column must cover."""
_JUMP = 0.75
"""Share of the range above which a step may cross the seam."""
_SMALL = 0.2
"""Share of the range that most steps of a circular column stay below."""
_MIN_SHARE = 0.05
"""Share of the sequences, at least two, that cross the seam for a common period; for others, more than half must."""
_BINS = 8
"""Number of parts of the period, of which none may be empty, unless it is that of an angle."""
_ANGLES = (2.0 * np.pi, 360.0)
"""Periods of angles, which no switch has as its range: values near both ends alone lie around the seam."""

Circles = tuple[tuple[str, float | None], ...]
"""Names of columns and their periods; None if the range decides."""


def as_circles(value: Any) -> Circles:
    """Return columns and their periods, from ``{"heading": 360}``, ``"heading=360,hour"`` or ``["heading", "hour"]``.

    Raises
    ------
    ParameterError
        If it is none of these, or a round is no positive number.
    """
    if value is None:
        return ()
    entries: list[tuple[Any, Any]]
    if isinstance(value, Mapping):
        entries = list(value.items())
    elif isinstance(value, str):
        entries = [
            (name.strip(), length.strip() or None) for name, _, length in (e.partition("=") for e in value.split(","))
        ]
    elif isinstance(value, Sequence):
        entries = [
            (entry[0], entry[1]) if isinstance(entry, (tuple, list)) and len(entry) == 2 else (entry, None)
            for entry in value
        ]
    else:
        raise ParameterError(
            f"circular is {value!r:.80}, expected columns with the lengths of their rounds, as heading=360"
        )
    circles: list[tuple[str, float | None]] = []
    for name, length in entries:
        try:
            number = None if length is None else float(length)
        except (TypeError, ValueError):
            number = np.nan
        if not str(name) or (number is not None and not (np.isfinite(number) and number > 0)):
            raise ParameterError(
                f"circular holds {name}={length}, expected a column and the length of its round, as heading=360"
            )
        circles.append((str(name), number))
    if len({name for name, _ in circles}) < len(circles):
        raise ParameterError("circular names a column twice; name it once")
    return tuple(circles)


def round_of(low: float, high: float) -> float | None:
    """Return the common period that numbers from `low` to `high` fill; None if there is none."""
    for length in ROUNDS:
        slack = 1e-6 * length
        from_zero = low >= -slack and high <= length + slack
        about_zero = low >= -0.5 * length - slack and high <= 0.5 * length + slack
        # Hours end at 23; months begin at 1.
        if (from_zero or about_zero) and high - low >= min(_FILLED * length, length - 1.0 if length >= 12 else length):
            return length
    return None


def turned(sequences: SequenceSet, circles: Circles) -> tuple[SequenceSet, list[str]]:
    """Return a set with circular columns replaced by their cosine and sine, and notes.

    Raises
    ------
    DataError
        If there is no such column, or the range of one whose round is not given is that of no plain round.
    """
    circles = tuple(entry for entry in circles if entry[0] not in sequences.provenance.get(CIRCULAR, {}))
    if not circles:
        return sequences, []
    names = list(numbered_columns(sequences))
    rounds: dict[int, float] = {}
    for name, given in circles:
        if name not in names:
            raise DataError(f"{sequences.name}: {as_typed('circular')}: {unknown_name('column', name, names)}")
        column = sequences.values[:, names.index(name)]
        length = round_of(float(column.min()), float(column.max())) if given is None else given
        if length is None:
            raise DataError(
                f"{sequences.name}: the values of {name!r} run from {column.min():g} to {column.max():g}, which does not tell"
                f" the length"
                f" of a round; write it, as {as_typed('circular', f'{name}=360')}"
            )
        rounds[names.index(name)] = length
    columns, called = [], []
    for j, name in enumerate(names):
        if j not in rounds:
            columns.append(sequences.values[:, j])
            called.append(name)
            continue
        angle = 2.0 * np.pi * np.mod(sequences.values[:, j] / rounds[j], 1.0)
        columns += [np.cos(angle), np.sin(angle)]
        called += [f"cosine of {name}", f"sine of {name}"]
    provenance = {key: entry for key, entry in sequences.provenance.items() if key != COLUMN_NUMBERS}
    if not sequences.provenance.get("columns"):
        called = [name if " of " in name else f"column {name}" for name in called]
        called = [name.replace(" of ", " of column ") for name in called]
    said = [f"{names[j]} (period {length:.6g})" for j, length in rounds.items()]
    note = f"compared {count(len(said), 'circular column')} by cosine and sine: {listed(said)}"
    known = {names[j]: length for j, length in rounds.items()}
    provenance |= {"columns": called, CIRCULAR: {**provenance.get(CIRCULAR, {}), **known}}
    made = replace(sequences, values=np.column_stack(columns), provenance=provenance)
    return made, [note]


def seams(sequences: SequenceSet) -> dict[str, tuple[float, FloatArray]]:
    """Return circular columns: by name the period, and which sequences cross its seam, shape (N,), 0 or 1.

    In these, steps are small or nearly as long as the range, and what is left of the long ones when the round is taken off is no
    longer than the small ones; the values lie all round, or around the seam of an angle.
    """
    found: dict[str, tuple[float, FloatArray]] = {}
    values, offsets = sequences.values, sequences.offsets
    if len(values) < 2 * _BINS:
        return found
    inside = np.ones(len(values) - 1, dtype=bool)
    inside[offsets[1:-1] - 1] = False
    of_sequence = np.repeat(np.arange(len(sequences)), sequences.lengths)[1:][inside]
    for j, name in enumerate(numbered_columns(sequences)):
        column = values[:, j]
        low, high = float(column.min()), float(column.max())
        span = high - low
        if not span > 0:
            continue
        steps = np.diff(column)[inside]
        jumps = np.abs(steps) > _JUMP * span
        if not jumps.any() or jumps.all() or (np.abs(steps) < _SMALL * span).mean() < _JUMP:
            continue
        plain = round_of(low, high)
        passing = np.zeros(len(sequences))
        passing[np.unique(of_sequence[jumps])] = 1.0
        if passing.sum() < (max(2.0, _MIN_SHARE * len(sequences)) if plain else 0.5 * len(sequences) + 0.5):
            continue
        if len(np.unique(column[: 50 * _BINS])) < _BINS:
            continue
        if plain not in _ANGLES and (np.histogram(column, _BINS)[0] == 0).any():
            continue
        length = plain or span
        rest = np.abs(np.abs(steps[jumps]) - length)
        usual = float(np.quantile(np.abs(steps[~jumps]), 0.95))
        # If the period equals the range, a step across the seam is one step shorter.
        if np.median(rest) <= max(usual, 1e-9 * span) and np.quantile(rest, 0.9) <= 3.0 * usual + 1e-9 * span:
            found[name] = length, passing
    return found


def remark_on_seams(sequences: SequenceSet, found: Mapping[str, tuple[float, FloatArray]]) -> str:
    """Return a sentence on circular columns; empty if there are none."""
    if not found:
        return ""
    named = bool(sequences.provenance.get("columns"))
    parts = [
        f"{name if named else f'column {name}'} ({out_of(int(passing.sum()), len(sequences), 'sequence')} jump"
        " between the ends of its range)"
        for name, (_, passing) in found.items()
    ]
    option = ",".join(f"{name}={length:.6g}" for name, (length, _) in found.items())
    return (
        f"perhaps circular: {listed(parts)}; if both ends are the same angle or time, compare it as such with"
        f" {as_typed('circular', option)}; if it is a counter, {as_typed('drop_columns', next(iter(found)))}"
    )
