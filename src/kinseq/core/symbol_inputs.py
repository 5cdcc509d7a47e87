"""The forms in which people hold sequences of symbols in memory: lists, arrays of text, categoricals, texts, tables."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .arrays import IntArray, as_pandas
from .constant_columns import notes_on_attributes
from .errors import DataError, ParameterError, is_one_of, unknown_name
from .sequences import SequenceSet
from .spans import Span, seconds_in
from .symbols import (
    CHARACTERS,
    EVENTS,
    TIME_NAMES,
    WORDS,
    are_codes,
    as_symbol,
    cut_text,
    is_uneven,
    lasting,
    symbol_set,
)
from .table_times import moments_of
from .wording import as_typed, count, option_name

_TEXT_TYPES = ("category", "categorical", "enum", "str", "string", "utf8", "large_string")
"""How names of types of text begin, in lower case."""


def as_symbols(
    data: Any,
    symbols: Hashable | None = None,
    id_column: Hashable | None = None,
    time_column: Hashable | None = None,
    label: Hashable | None = None,
    every: Span | None = None,
) -> SequenceSet | None:
    """Return data in memory as sequences of symbols; None where they hold numbers, and no symbols were named.

    Lists and arrays of text, series and columns of a categorical type, and wide tables of states are symbols without `symbols`.
    Texts are cut only where `symbols` says how.

    Parameters
    ----------
    data : Any
        Whatever :func:`kinseq.cluster` takes.
    symbols : hashable, optional
        Name of the column of symbols, or how text is cut: ``"characters"`` or ``"words"``.
    id_column, time_column, label : hashable, optional
        Columns of a table.
    every : str, int or float, optional
        Step at which states of a long table are taken by its times.

    Raises
    ------
    DataError
        If texts are not cut, sequences have several columns of symbols, or symbols are none.
    ParameterError
        If `symbols` is no way of cutting texts, or `every` is given without times.
    """
    if isinstance(data, SequenceSet):
        return data if data.alphabet is not None else None
    ids: list[str] | None = None
    if isinstance(data, Mapping):
        ids, data = [str(key) for key in data], list(data.values())
    roles = _Roles(symbols, id_column, time_column, label, None if every is None else _step(every))
    if hasattr(data, "columns"):
        table = as_pandas(data, "sequences")
        found = _of_table(table, roles)
        if found is not None:
            roles.require_columns(table)
        return found
    if _is_series(data) or (
        isinstance(data, np.ndarray) and (holds_text(data) or _is_nested(data) or symbols is not None)
    ):
        data = list(data)
    if not isinstance(data, (list, tuple)) or not len(data):
        return None
    if all(isinstance(entry, (str, bytes)) for entry in data):
        return _of_texts([as_symbol(entry) or "" for entry in data], ids, symbols)
    if all(hasattr(entry, "columns") for entry in data):
        return _of_tables([as_pandas(entry, "sequences") for entry in data], ids, roles)
    data = [_without_axis(entry) for entry in data]
    symbolic = [holds_symbols(entry) for entry in data]
    # An empty sequence may be of either kind, and is refused later; numbers next to symbols may be codes of them.
    if symbols is None and not (
        any(symbolic) and all(one or _may_be_codes(entry) for one, entry in zip(symbolic, data, strict=True))
    ):
        return None
    roles.require_times(False)
    return symbol_set([_entries(entry, i, ids) for i, entry in enumerate(data)], ids)


class _Roles:
    """Which columns of a table mean what, and the step at which states are taken, in seconds or in the unit of the times."""

    def __init__(
        self,
        symbols: Hashable | None,
        own: Hashable | None,
        time: Hashable | None,
        label: Hashable | None,
        step: float | None,
    ) -> None:
        self.symbols, self.own, self.time, self.label, self.step = symbols, own, time, label, step

    def found(self, table: Any) -> tuple[Hashable | None, Hashable | None, Hashable | None]:
        """Return the columns of ids, times and labels of a table, None where it has none."""
        names = {str(name).lower(): name for name in reversed(list(table.columns))}
        own, time, label = (
            names.get(str(given).lower() if given is not None else usual)
            for given, usual in ((self.own, "id"), (self.time, ""), (self.label, "label"))
        )
        if self.time is None:
            time = next((names[name] for name in TIME_NAMES if name in names), None)
        return own, time, label if label != self.symbols else None

    def require_columns(self, table: Any) -> None:
        """Refuse a table of symbols without a column that is named."""
        names = {str(name).lower() for name in table.columns}
        for word, given in (("id_column", self.own), ("time_column", self.time)):
            if given is not None and str(given).lower() not in names:
                shown = ", ".join(map(str, list(table.columns)[:8]))
                raise DataError(f"sequences: has no column {given!r}, named by {option_name(word)}; it has {shown}")

    def require_times(self, there: bool) -> None:
        """Refuse a step where there are no times."""
        if self.step is not None and not there:
            raise ParameterError(
                f"every is given, but the sequences have no column of times; name it ({as_typed('time_column')}), or leave it out"
            )


def _step(every: Span) -> float:
    return seconds_in(every) if isinstance(every, str) else float(every)


def _of_texts(texts: Sequence[str], ids: list[str] | None, symbols: Hashable | None) -> SequenceSet:
    """Return texts, cut as `symbols` says."""
    if symbols is None:
        raise DataError(
            f"the data are {count(len(texts), 'text')}; say how to cut them, symbols={CHARACTERS!r} or symbols={WORDS!r}, or"
            " give a list of symbols for each sequence"
        )
    if not is_one_of(symbols, (CHARACTERS, WORDS)):
        raise ParameterError(unknown_name("symbols", symbols, (CHARACTERS, WORDS)))
    return symbol_set([cut_text(text, str(symbols)) for text in texts], ids)


def holds_text(array: NDArray[Any]) -> bool:
    """Return whether an array is of text; one of objects if any of them is."""
    return array.dtype.kind in "USOT" and (
        array.dtype.kind != "O" or any(isinstance(one, (str, bytes)) for one in array.flat)
    )


def _is_nested(array: NDArray[Any]) -> bool:
    """Return whether an array of objects holds sequences."""
    return array.dtype == object and array.ndim == 1


def _is_series(data: Any) -> bool:
    """Return whether data are one series of a table, of texts or of whole sequences."""
    return hasattr(data, "to_list") and hasattr(data, "dtype") and hasattr(data, "name")


def _without_axis(entry: Any) -> Any:
    """Return a sequence without the second axis of one column."""
    if isinstance(entry, np.ndarray) and entry.ndim == 2 and entry.shape[1] == 1:
        return entry[:, 0]
    if (
        isinstance(entry, (list, tuple))
        and entry
        and all(isinstance(one, (list, tuple)) and len(one) == 1 for one in entry)
    ):
        return [one[0] for one in entry]
    return entry


def holds_symbols(entry: Any) -> bool:
    """Return whether a sequence is of symbols: of a categorical type, of text, or of truth values."""
    kind = getattr(entry, "dtype", None)
    if isinstance(entry, np.ndarray) and entry.ndim == 1 and kind is np.dtype(bool):
        return True
    if isinstance(entry, (list, tuple)) and entry and all(isinstance(one, bool) for one in entry):
        return True
    if kind is not None and str(kind).lower().startswith(_TEXT_TYPES):
        return True
    if isinstance(entry, np.ndarray):
        return holds_text(entry)
    if isinstance(entry, (list, tuple)) or str(kind) == "object":
        return any(
            isinstance(one, (str, bytes)) or (isinstance(one, (list, tuple)) and holds_symbols(one)) for one in entry
        )
    return False


def _may_be_codes(entry: Any) -> bool:
    """Return whether a sequence is empty, or of few whole numbers."""
    if not np.size(entry):
        return True
    entries = entry.to_list() if hasattr(entry, "to_list") else list(entry)
    return all(np.ndim(one) == 0 for one in entries) and are_codes(entries)


def _entries(entry: Any, place: int = 0, ids: Sequence[str] | None = None) -> list[Any]:
    """Return the entries of a sequence; DataError where there are several at a time."""
    entries = entry.to_list() if hasattr(entry, "to_list") else list(entry)
    several = next((one for one in entries if isinstance(one, (list, tuple, np.ndarray))), None)
    if several is not None:
        own = f"{place}" if ids is None else repr(ids[place])
        raise DataError(
            f"sequences: sequence {own} has {len(several)} entries at a time, but a sequence of symbols has one;"
            " choose a column, or join them into one symbol"
        )
    return entries


def _symbols_of(table: Any, roles: _Roles, apart: Sequence[Hashable | None]) -> Any:
    """Return the column of symbols: the one that is named, or the only one of text, next to times; else None."""
    if roles.symbols in list(table.columns):
        return table[roles.symbols]
    rest = [name for name in table.columns if name not in apart]
    return table[rest[0]] if len(rest) == 1 and holds_symbols(table[rest[0]]) else None


def _attributes(table: Any, own: Hashable, apart: Sequence[Hashable | None]) -> dict[Any, int]:
    """Return columns with one value within each sequence, and their numbers of values, if one other column remains."""
    rest = [name for name in table.columns if name not in apart]
    text = [name for name in rest if holds_symbols(table[name])]
    if len(rest) < 2 or not text:
        return {}
    firsts = _firsts(table[own])
    # Numbers first, since those that change within sequences are data, and nothing else has to be looked at.
    if not all(_is_steady(table[name], firsts) for name in rest if name not in text):
        return {}
    steady = [name for name in rest if name not in text or _is_steady(table[name], firsts)]
    return {name: len(set(map(str, table[name]))) for name in steady} if len(rest) - len(steady) == 1 else {}


def _firsts(ids: Any) -> IntArray:
    """Return the first row with the id of each row."""
    _, first, codes = np.unique(ids.astype(str).to_numpy(dtype=str), return_index=True, return_inverse=True)
    return np.asarray(first[codes], dtype=np.int64)


def _is_steady(column: Any, firsts: IntArray) -> bool:
    """Return whether a column has one value within each sequence."""
    if getattr(column.dtype, "kind", "O") not in "biuf":
        column = column.astype(str)
    values = column.to_numpy()
    return bool(np.all((values == values[firsts]) | (values != values)))


def _in_time(entries: list[Any], when: Any, roles: _Roles) -> tuple[list[Any], bool]:
    """Return symbols by their times, at every step where there is one, and whether they come at uneven times."""
    roles.require_times(when is not None)
    if when is None:
        return entries, False
    order = np.argsort(when, kind="stable")
    row = [entries[place] for place in order.tolist()]
    if roles.step is not None:
        return lasting(row, when[order], roles.step), False
    return row, is_uneven(when[order])


def _moments(table: Any, time: Hashable | None) -> Any:
    """Return the times of the rows of a table, shape (rows,), None without a column of them."""
    if time is None:
        return None
    import pandas as pd

    column = table[time]
    if holds_symbols(column):
        try:
            column = pd.to_datetime(column)
        except (ValueError, TypeError):
            raise DataError(
                f"sequences: column {time} holds {column.iloc[0]!r}, which is no time; write numbers or dates, or drop it"
            ) from None
    return moments_of(column, f"sequences: column {time}")[0]


def _timed(made: SequenceSet, uneven: bool) -> SequenceSet:
    """Return a set that says whether its symbols are events at uneven times."""
    return replace(made, provenance={**made.provenance, EVENTS: True}) if uneven else made


def _of_tables(tables: Sequence[Any], ids: list[str] | None, roles: _Roles) -> SequenceSet | None:
    """Return a list of tables with one column of symbols each."""
    rows, uneven, labels = [], False, []
    for table in tables:
        _, time, label = roles.found(table)
        column = _symbols_of(table, roles, (time, label))
        if column is None:
            return None
        row, own = _in_time(_entries(column), _moments(table, time), roles)
        rows.append(row)
        labels += [table[label].iloc[0]] if label is not None and len(table) else []
        uneven |= own
    return _timed(symbol_set(rows, ids, labels if len(labels) == len(rows) else None), uneven)


def _of_table(table: Any, roles: _Roles) -> SequenceSet | None:
    """Return a long table with a column of symbols, or a wide one of states, a row a sequence."""
    own, time, label = roles.found(table)
    cells = None if own is None else [str(as_symbol(entry)) for entry in _entries(table[own])]
    tags = None if label is None else _entries(table[label])
    repeats = cells is not None and len(set(cells)) < len(cells)
    left_out = _attributes(table, own, (own, time, label)) if repeats and roles.symbols is None else {}
    column = _symbols_of(table, roles, (own, time, label, *left_out))
    if column is not None and (cells is None or not repeats) and all(isinstance(one, (list, tuple)) for one in column):
        roles.require_times(False)
        return symbol_set([_entries(one, i, cells) for i, one in enumerate(column)], cells, tags)
    if column is not None and cells is not None and len(set(cells)) < len(cells):
        members: dict[str, list[int]] = {}
        for place, cell in enumerate(cells):
            members.setdefault(cell, []).append(place)
        entries, when = _entries(column), _moments(table, time)
        rows, uneven = [], False
        for places in members.values():
            row, is_own = _in_time([entries[i] for i in places], None if when is None else when[places], roles)
            rows.append(row)
            uneven |= is_own
        labels = None if tags is None else [tags[places[0]] for places in members.values()]
        called = str(roles.symbols if roles.symbols in list(table.columns) else getattr(column, "name", "symbol"))
        made = symbol_set(rows, list(members), labels, column=called)
        return _timed(replace(made, notes=(*made.notes, *notes_on_attributes(left_out, symbols=True))), uneven)
    states = [name for name in table.columns if name not in (own, label)]
    if roles.symbols is None and time is not None:
        return None  # moments are no states: a row is a frame
    if len(states) > 1 and (roles.symbols is not None or all(holds_symbols(table[name]) for name in states)):
        roles.require_times(False)
        by_column = [_entries(table[name]) for name in states]
        return symbol_set([list(row) for row in zip(*by_column, strict=True)], cells, tags, column="state")
    return None
