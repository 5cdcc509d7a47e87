"""Columns, rows and values of a set that may not be data: clocks, counters, head rows, codes for missing values."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .arrays import FloatArray
from .clock_columns import even_columns
from .constant_columns import notes_on_constant_columns, steady_columns
from .epochs import epoch_columns
from .sequences import SequenceSet, numbered_columns
from .stored import as_stored
from .symbols import MOST_CODES
from .wording import as_typed, count, listed, out_of, plain

FAR_RANGES = 10.0
"""Distance from all other values, in units of their range, beyond which a value may not be a measurement."""
_MAX_HEAD_ROWS = 3
"""Largest number of rows of a head, and of a foot, that are searched."""
_MIN_OTHER_ROWS = 5
"""Least number of other rows of a sequence."""
CODES = (-9.0, -99.0, -200.0, -999.0, -9999.0, -99_999.0, -999_999.0)
"""Numbers commonly used for missing values."""
LEAST_TIMES = 10
"""Least mean frequency of distinct whole numbers that may be codes of states."""
_STATES = frozenset(
    ["action", "activity", "code", "event", "mode", "phase", "stage", "state", "states", "status", "symbol"]
)
"""Lower-case names of columns of states."""
_MAX_ROUNDS = 3
_LEVELS, _SEEN = 6, 1000
"""Number of distinct values, and of values, within which a column has levels, and any value may be one."""


def remarks_on_data(sequences: SequenceSet) -> list[str]:
    """Return sentences on values that may not be data; none for symbols."""
    if sequences.alphabet is not None:
        return []
    return (
        notes_on_constant_columns([_display_names(sequences)[j] for j in _steady(sequences)])
        + remarks_on_times(sequences)
        + remarks_on_rows(sequences)
        + remarks_on_codes(sequences)
        + remarks_on_states(sequences)
        + remarks_on_units(sequences)
        + remarks_on_ids(sequences)
    )


def _steady(sequences: SequenceSet) -> list[int]:
    """Return columns constant within every sequence, with differences between sequences that their numbers resolve."""
    found = steady_columns(list(sequences))
    return steady_columns(list(as_stored(sequences))) if found else found


def name_it() -> str:
    """Return advice for a time column that was not recognised."""
    return f"name its column ({as_typed('time_column')})"


def remarks_on_states(sequences: SequenceSet) -> list[str]:
    """Return a sentence on a column of few whole numbers, which may be unordered states.

    That is the only column, or one with such a name.
    """
    remarks = []
    for name, shown, values in zip(
        numbered_columns(sequences), _display_names(sequences), sequences.values.T, strict=True
    ):
        if sequences.n_features > 1 and name.lower() not in _STATES:
            continue
        found = np.unique(values)
        few = 2 < len(found) <= MOST_CODES and LEAST_TIMES * len(found) <= len(values)
        if few and (found == np.round(found)).all() and found[0] >= 0.0:
            remarks.append(
                f"{shown} holds {len(found)} different numbers ({listed([f'{value:g}' for value in found.tolist()])}), compared as"
                f" numbers; if they are codes of states, compare them as symbols ({as_typed('symbols', name)})"
            )
    return remarks


def remarks_on_times(sequences: SequenceSet) -> list[str]:
    """Return sentences on features that may be the time, or a row counter."""
    names, remarks = _display_names(sequences), []
    rising = even_columns([frames for frames in sequences if len(frames) > 2])
    if rising:
        increases = "increases" if len(rising) == 1 else "increase"
        remarks.append(
            f"{listed([names[j] for j in rising])} {increases} by the same step in every sequence ({_if_time(sequences, rising)})"
        )
    epochs = [j for j in epoch_columns(list(sequences)) if j not in rising]
    if epochs:
        holds = "holds" if len(epochs) == 1 else "hold"
        remarks.append(
            f"{listed([names[j] for j in epochs])} {holds} numbers like times since 1970 ({_if_time(sequences, epochs)})"
        )
    turns = [j for j in _in_turns(sequences) if j not in epochs]
    if turns:
        counts = "counts" if len(turns) == 1 else "count"
        remarks.append(
            f"{listed([names[j] for j in turns])} {counts} in steps, with equally many rows for each number (if the table has the"
            " rows of several animals or sensors: write one file for each, or add a column id;"
            f" {_if_time(sequences, turns)})"
        )
    return remarks


def _if_time(sequences: SequenceSet, columns: Sequence[int]) -> str:
    """Return advice on a column, the first of some, that is the time or counts rows; named by its option if it has a name."""
    if not sequences.provenance.get("columns"):
        return f"if it is the time: {name_it()}; if it counts rows: remove it"
    name = numbered_columns(sequences)[columns[0]]
    return f"if it is the time: {as_typed('time_column', name)}; if it counts rows: {as_typed('drop_columns', name)}"


def _display_names(sequences: SequenceSet) -> list[str]:
    """Return names of columns for sentences."""
    names = numbered_columns(sequences)
    return names if sequences.provenance.get("columns") else [f"column {name}" for name in names]


def _in_turns(sequences: SequenceSet) -> list[int]:
    """Features that count in whole steps in every sequence, with each number repeated, in turn or in rounds."""
    found = [j for j in range(sequences.n_features) if _counts_in_turns(sequences[0][:, j])]
    for frames in list(sequences)[1:] if found else ():
        found = [j for j in found if _counts_in_turns(frames[:, j])]
    return found


def _counts_in_turns(column: FloatArray) -> bool:
    steps = np.diff(column)
    if len(column) < 6 or (column != np.round(column)).any() or (steps == 0).all():
        return False
    numbers, times = np.unique(column, return_counts=True)
    gaps = np.diff(numbers)
    often = int(np.median(times))
    if len(numbers) < 3 or often < 2 or (times > often).any() or 10 * int((times < often).sum()) > 3 * len(times):
        return False
    if (gaps != np.median(gaps)).mean() > 0.1:
        return False
    rounds = bool((steps[steps <= 0] <= 0.5 * (column.min() - column.max())).all()) and int((steps < 0).sum()) < often
    return bool((steps >= 0).all()) or rounds


def remarks_on_rows(sequences: SequenceSet) -> list[str]:
    """Return sentences on rows at the head or foot of most sequences that are far from all their other rows."""
    remarks = []
    for at_head in (True, False):
        found = _far_rows(sequences, at_head)
        if found is None:
            continue
        rows, where, i, j = found
        frames = sequences[i]
        odd, rest = (frames[0], frames[rows:]) if at_head else (frames[-1], frames[:-rows])
        which = ("first" if at_head else "last") + (" row" if rows == 1 else f" {rows} rows")
        names = _display_names(sequences)
        remarks.append(
            f"the {which} of {out_of(where, len(sequences), 'sequence')} {'is' if rows == 1 else 'are'} far from all other rows"
            f" ({odd[j]:g} in {names[j]} of {sequences.ids[i]}, where the others are {rest[:, j].min():g} to"
            f" {rest[:, j].max():g}); if that is no data but a start time, a rate, a size or a sum, remove it"
        )
    return remarks


def _far_rows(sequences: SequenceSet, at_head: bool) -> tuple[int, int, int, int] | None:
    """Return how many rows are far from the others in most sequences, the number of these, and an example."""
    for rows in range(1, _MAX_HEAD_ROWS + 1):
        long = np.flatnonzero(sequences.lengths >= rows + _MIN_OTHER_ROWS)
        if 2 * long.size <= len(sequences) or long.size < 2:
            return None
        starts, stops = sequences.offsets[long], sequences.offsets[long + 1]
        begin, end = (starts + rows, stops) if at_head else (starts, stops - rows)
        low, high = (_reduced(part, sequences.values, begin, end) for part in (np.minimum, np.maximum))
        span = high - low
        far = np.ones(long.size, dtype=bool)
        where: NDArray[np.bool_] = np.zeros_like(span, dtype=bool)
        for row in range(rows):
            odd = sequences.values[starts + row if at_head else stops - 1 - row]
            away = np.maximum(low - odd, odd - high)
            beyond = (span > 0) & (away > FAR_RANGES * span)
            far &= beyond.any(axis=1)
            where = beyond if row == 0 else where
        if 2 * int(far.sum()) > len(sequences):
            first = int(np.argmax(far))
            return rows, int(far.sum()), int(long[first]), int(np.argmax(where[first]))
    return None


def _reduced(part: np.ufunc, values: FloatArray, begin: NDArray[np.int64], end: NDArray[np.int64]) -> FloatArray:
    """Apply a ufunc to rows from each `begin` to its `end`, shape (N, d)."""
    places = np.stack([begin, end], axis=1).ravel()
    if places[-1] == len(values):
        places = places[:-1]
    return np.asarray(part.reduceat(values, places, axis=0)[::2], dtype=np.float64)


_UNIT_RATIO = 20.0
"""Least ratio between the deviations within a sequence and those of others for a different unit."""
_ALIKE_RATIO = 5.0
"""Largest ratio among the others."""
_MOST_ODD = 0.1
"""Largest share of sequences that may have another unit than the rest."""
_MIN_SEQUENCES = 6


def remarks_on_units(sequences: SequenceSet) -> list[str]:
    """Return sentences on a few sequences that may have another unit: their deviations or levels are far from the others."""
    if len(sequences) < _MIN_SEQUENCES:
        return []
    with np.errstate(over="ignore", invalid="ignore"):
        starts, lengths = sequences.offsets[:-1], sequences.lengths[:, None]
        levels = np.add.reduceat(sequences.values, starts, axis=0) / lengths
        away = sequences.values - np.repeat(levels, sequences.lengths, axis=0)
        spreads = np.sqrt(np.add.reduceat(away * away, starts, axis=0) / lengths)
    if not np.isfinite(spreads).all():
        return []
    found: dict[str, list[str]] = {}
    for j, name in enumerate(_display_names(sequences)):
        odd = _of_other_unit(levels[:, j], spreads[:, j])
        for i in np.flatnonzero(odd):
            rest = levels[~odd, j]
            about, varying, low, high, least, most = (
                plain(float(value))
                for value in (
                    levels[i, j],
                    spreads[i, j],
                    rest.min(),
                    rest.max(),
                    spreads[~odd, j].min(),
                    spreads[~odd, j].max(),
                )
            )
            found.setdefault(str(sequences.ids[i]), []).append(
                f"{name} of {sequences.ids[i]} is about {about} (others {low} to {high}) and varies by {varying} (others {least} to"
                f" {most})"
            )
    said = [sentence for sentences in found.values() for sentence in sentences]
    if not said:
        return []
    return [f"{listed(said, 3)}; if that is another unit, convert it before the comparison"]


def _of_other_unit(levels: FloatArray, spreads: FloatArray) -> NDArray[np.bool_]:
    """Return which sequences have levels or deviations far from those of all others in a column, shape (N,)."""
    none = np.zeros(len(levels), dtype=bool)
    usual, middle = float(np.median(spreads)), float(np.median(levels))
    if not usual > 0:
        return none
    with np.errstate(divide="ignore"):
        ratios = np.abs(np.log(spreads / usual))
    for odd in (ratios >= np.log(_UNIT_RATIO), np.abs(levels - middle) > FAR_RANGES * usual):
        odd = odd & (spreads > 0)
        if not odd.any() or odd.sum() > max(1.0, _MOST_ODD * len(levels)):
            continue
        rest = ~odd & (spreads > 0)
        alike = spreads[rest].max() <= _ALIKE_RATIO * spreads[rest].min()
        apart = np.minimum(np.abs(levels[odd] - levels[rest].min()), np.abs(levels[odd] - levels[rest].max())).min()
        if alike and (
            bool((ratios[odd] >= np.log(_UNIT_RATIO)).all()) or apart > FAR_RANGES * float(np.ptp(levels[rest]))
        ):
            return odd
    return none


def remarks_on_ids(sequences: SequenceSet) -> list[str]:
    """Return sentences on ids written in two ways."""
    cases: dict[str, list[str]] = {}
    for entry in sequences.ids.tolist():
        cases.setdefault("".join(entry.casefold().split()), []).append(entry)
    remarks = []
    for alike in [sorted(spellings) for spellings in cases.values() if len(spellings) > 1][:5]:
        blanks = len({entry.casefold() for entry in alike}) > 1
        shown = [repr(entry) for entry in alike] if blanks else alike
        remarks.append(f"ids that differ in {'blanks' if blanks else 'case'} alone: {listed(shown)}")
    return remarks


def remarks_on_codes(sequences: SequenceSet) -> list[str]:
    """Return a sentence on values that may be codes for missing values."""
    names = _display_names(sequences)
    found: dict[float, dict[str, int]] = {}
    columns = [np.ascontiguousarray(values) for values in sequences.values.T]
    for name, values in zip(names, columns, strict=True):
        for code, times in _codes(values):
            found.setdefault(code, {})[name] = times
    for name, values in zip(names, columns, strict=True):
        low, high = float(values.min()), float(values.max())
        for code in sorted({*found, *CODES}):
            # A code of other columns may also be one here if it is less extreme or most values are missing.
            if not low <= code <= high or name in found.get(code, {}):
                continue
            rest = values[~np.isin(values, [*found, *CODES])]
            times = int((values == code).sum())
            if times < 2 or not rest.size or rest.min() <= code <= rest.max():
                continue
            gap, span = float(np.abs(rest - code).min()), float(np.ptp(rest))
            levels = np.unique(rest[:_SEEN]).size < _LEVELS
            if not levels and (gap > span or code < 0 <= rest.min()):
                found.setdefault(code, {})[name] = times
    if not found:
        return []
    marks = []
    for code, places in found.items():
        where = f"in {next(iter(places))}" if len(places) == 1 else f"in {len(places)} columns: {listed(list(places))}"
        marks.append(f"{code:g} ({count(sum(places.values()), 'time')} {where})")
    return [f"a value far from all others may stand for a missing one (write nan): {listed(marks)}"]


def _codes(values: FloatArray) -> list[tuple[float, int]]:
    """Repeated or common extreme codes such as -999 far from all other values, and their frequency."""
    found: list[tuple[float, int]] = []
    rest = values
    for _ in range(_MAX_ROUNDS):
        low, high = float(rest.min()), float(rest.max())
        # Next to one code, another at the opposite end, such as -99999 and 99999, would look near.
        for extremes in ((low,), (high,), (low, high)):
            others = rest[~np.isin(rest, extremes)]
            times = [int((rest == extreme).sum()) for extreme in extremes]
            usual = any(many < 2 and code not in CODES for code, many in zip(extremes, times, strict=True))
            if usual or 2 * sum(times) > values.size or not others.size:
                continue
            nearest = min(float(np.abs(others - extreme).min()) for extreme in extremes)
            if nearest > float(np.ptp(others)) > 0:
                found += zip(extremes, times, strict=True)
                rest = others
                break
        else:
            break
    span = float(np.ptp(rest))
    return [(code, times) for code, times in found if np.abs(rest - code).min() > FAR_RANGES * span]
