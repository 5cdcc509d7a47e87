"""Accepted forms of several sequences: arrays, lists, padded arrays, long tables.

:mod:`kinseq.core.sequences` takes one form only, a list of ``(T, d)`` arrays, since a function of one set could not tell a
table of series from one sequence. Where sequences are compared with each other, nothing but several can be meant. What
remains ambiguous then is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .arrays import (
    FloatArray,
    IntArray,
    as_names,
    as_numbers,
    as_pandas,
    column_names,
    require_no_dissimilarities,
)
from .clock import SECONDS, named_time, read_clock, time_unit, unevenness
from .clock_columns import LEFT_OUT
from .constant_columns import note_on_blank_columns, note_on_labels, note_on_text_columns, notes_on_attributes
from .cutting import EVERY, PIECES, Arrangement, Stretch, arranged, begin_of_day
from .errors import DataError, ParameterError, is_one_of, unknown_name
from .folders import UNLABELLED, Missing
from .id_names import names_ids
from .interpolation import filled
from .row_order import RowOrder, Times, goes_on, notes_on_order, orders_within, row_order, telling_apart
from .sequences import LAYOUTS, Layout, SequenceSet, as_column_names, as_sequence_set, require_layout, require_list
from .symbol_inputs import as_symbols, holds_symbols
from .symbols import are_words
from .table_times import (
    TIME,
    TIME_OF_INDEX,
    attributes_of,
    clocks_of,
    holds_times,
    moments_of,
    origin_of,
    tells_seconds,
    time_by_content,
    unread,
    with_day,
    with_levels,
    with_time_of_index,
)
from .wording import as_typed

if TYPE_CHECKING:
    import pandas


class ArrowTable(Protocol):
    """A table with Arrow's stream interface: of pandas, polars, pyarrow, duckdb and others."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


Collection = (
    SequenceSet | ArrayLike | Sequence[ArrayLike | ArrowTable] | Mapping[Any, ArrayLike | ArrowTable] | ArrowTable
)
"""Types that :func:`as_collection` accepts."""
ID = "id"
"""Default id column of a long table, as in files."""
TOLD = "told"
"""Provenance key of sentences on the arrangement of rows."""


@dataclass(frozen=True)
class Columns:
    """Roles of the columns of a long table.

    Attributes
    ----------
    id : hashable or None
        Says which sequence a row belongs to; None for ``"id"``.
    time : hashable or None
        Orders the rows of a sequence; None for ``"time"`` where there is one, else for the one column of dates, or of times
        since 1970 that rise; where there is none either, rows stay in their order.
    values : sequence of hashable or None
        The features; None for all other columns.
    label : hashable or None
        The labels of the sequences; None for ``"label"`` where there is one.
    drop : sequence of hashable
        Left out.
    idle : sequence of hashable
        Left out where they are there.
    symbols : hashable or None
        The symbols, or how text is cut into them; see :func:`kinseq.core.symbol_inputs.as_symbols`.
    """

    id: Hashable | None = None
    time: Hashable | None = None
    values: Sequence[Hashable] | None = None
    label: Hashable | None = None
    drop: Sequence[Hashable] = ()
    idle: Sequence[Hashable] = ()
    symbols: Hashable | None = None

    @property
    def arguments(self) -> list[str]:
        """Names of the given arguments."""
        named = {"id_column": self.id, "time_column": self.time, "value_columns": self.values}
        named["drop_columns"] = self.drop or None
        return [name for name, value in named.items() if value is not None]


def as_collection(
    data: Any,
    layout: Layout | None = None,
    ordered: bool = True,
    columns: Columns | None = None,
    missing: Missing = "refuse",
    arrangement: Arrangement | None = None,
) -> tuple[SequenceSet, str]:
    """Return several sequences of any form as a set, and how their axes were interpreted.

    Parameters
    ----------
    data : SequenceSet, list, dict, ndarray or pandas.DataFrame
        A list of ``(T, d)`` arrays or of series of shape ``(T,)``, or a dict of them, whose keys are the ids; an array of
        shape ``(N, T, d)``, or ``(N, T)`` with one series a row, where frames that are NaN from there to the end are padding;
        or a table with a row a frame and a column that says which sequence the row belongs to. Tables may be of pandas,
        pyarrow, polars or anything with Arrow's stream interface; the time of those in a list orders their rows and is no
        feature.
    layout : {"channels_last", "channels_first"}, optional
        Whether arrays are (time, channels) or (channels, time); see :meth:`SequenceSet.from_arrays`.
    ordered : bool
        Whether the order of frames matters to what follows. If it does, a list of arrays of one shape with no more rows
        than columns is refused without `layout`: as sets of vectors they are fine, as sequences they may be turned.
    columns : Columns, optional
        What the columns of a table mean.
    missing : {"refuse", "interpolate"}
        What is done with NaN that is no padding: by lines between the known numbers of the sequence, along the time of a long
        table, else along the frames.
    arrangement : Arrangement, optional
        How rows are put on a clock and cut into pieces.

    Returns
    -------
    sequences : SequenceSet
    how : str
        How the axes were read; empty for a :class:`SequenceSet`.

    Raises
    ------
    DataError
        If the sequences are not usable, or the layout is not clear.
    ParameterError
        If `layout` is unknown, or `layout` or `columns` say nothing about the data.
    """
    named = Columns() if columns is None else columns
    plan = Arrangement(missing=missing) if arrangement is None else arrangement
    data = as_held(data)
    symbolic = as_symbol_set(data, named, plan)
    if symbolic is not None:
        return symbolic, ""
    if named.symbols is not None:
        raise DataError(f"symbols is {named.symbols!r}, but the data hold no such symbols; leave it out")
    sequences, how = _collected(data, layout, ordered, named, missing, plan)
    if PIECES in sequences.provenance or EVERY in sequences.provenance or not (plan.cuts or plan.every):
        return sequences, how
    return _in_pieces(sequences, plan), how


def as_symbol_set(data: Any, columns: Columns, arrangement: Arrangement | None = None) -> SequenceSet | None:
    """Return sequences of symbols as a set, None for numbers; see :func:`kinseq.core.symbol_inputs.as_symbols`."""
    table = _without_dropped(as_held(data), columns)
    every = None if arrangement is None else arrangement.every
    return as_symbols(table, columns.symbols, columns.id, columns.time, columns.label, every)


def _without_dropped(data: Any, columns: Columns) -> Any:
    """Return tables with the levels of their index as columns, and without the dropped columns; other data unchanged."""
    if _is_table(data):
        return _dropped(with_levels(data, columns.id), columns, "sequences")
    if not columns.drop:
        return data
    if isinstance(data, Mapping):
        tables = [_as_table(entry, "sequences") for entry in data.values()]
        return dict(zip(data, _each_without_dropped(tables, columns, _ids(data)), strict=True))
    return _each_without_dropped(data, columns, None) if isinstance(data, (list, tuple)) else data


def _each_without_dropped(data: Sequence[Any], columns: Columns, ids: Sequence[str] | None) -> list[Any]:
    tables = [_as_table(entry, "sequences") for entry in data]
    return [
        _dropped(table, columns, f"sequences: {_called(i, ids)}") if _is_table(table) else table
        for i, table in enumerate(tables)
    ]


def as_held(data: Any) -> Any:
    """Return tables as those of pandas, a group-by as the dict of its groups, and anything else as it is.

    A stream of Arrow, which can be read only once, becomes a table. A :class:`DataError` for what holds no rows yet.
    """
    data = _as_table(_grouped(data), "sequences")
    for key, entry in _entries(data):
        _require_rows(entry, f"sequences: sequence {key!r}")
    return data


def _entries(data: Any) -> Iterable[tuple[Any, Any]]:
    """Return the entries of a list or a dict with their places or keys; none of other data."""
    if isinstance(data, (list, tuple)):
        return enumerate(data)
    return data.items() if isinstance(data, Mapping) else ()


def _grouped(data: Any) -> Any:
    """Return the groups of a group-by as a dict; anything else as it is."""
    _require_rows(data, "sequences")
    if all(hasattr(data, name) for name in ("df", "by", "map_groups")):
        # A group-by of polars has its groups in any order, unless it is made so.
        return _groups(data.df.group_by(*data.by, maintain_order=True), [by for by in data.by if isinstance(by, str)])
    if hasattr(data, "get_group") and hasattr(data, "exclusions"):
        return _groups(data, data.exclusions)
    return data


def _collected(
    data: Any, layout: Layout | None, ordered: bool, named: Columns, missing: Missing, plan: Arrangement
) -> tuple[SequenceSet, str]:
    """Return several sequences; tables are already arranged."""
    ids, data = None, _grouped(data)
    if isinstance(data, Mapping):
        ids, data = _ids(data), list(data.values())
    data = _as_table(data, "sequences")
    if isinstance(data, (list, tuple)):
        data = [_as_table(entry, f"sequences: {_called(i, ids)}") for i, entry in enumerate(data)]
    is_table = _is_table(data)
    of_tables = isinstance(data, list) and bool(data) and all(map(_is_table, data))
    of_each = ("time_column", "drop_columns") if of_tables else ()
    idle = [word for word in named.arguments if not is_table and word not in of_each]
    if idle:
        raise ParameterError(f"{idle[0]} is for a table, but the data are {_kind(data)}; leave it out")
    if named.label is not None and not is_table and not of_tables:
        raise ParameterError(
            f"labels is {named.label!r}, but the data are arrays; give a list with one label a sequence"
        )
    if layout is not None and not is_one_of(layout, LAYOUTS):
        raise ParameterError(unknown_name("layout", layout, LAYOUTS))
    if isinstance(data, SequenceSet):
        return as_sequence_set(data, layout), ""
    if is_table:
        if layout is not None:
            raise ParameterError("layout is for arrays, but the data are a table, a row a frame; leave it out")
        return from_long(data, named, missing=missing, arrangement=plan)
    if isinstance(data, np.ndarray) and data.dtype != object and data.ndim in (2, 3):
        if data.ndim == 2 and data.dtype.kind in "iuf":
            require_no_dissimilarities(np.asarray(data, dtype=np.float64), "sequences", AS_SERIES)
        return _stacked(data, layout, missing)
    require_list(data, "sequences")
    own: dict[str, Any] = {}
    n_tables = len(data)
    if of_tables:
        data, own, attributes, said = _one_a_sequence(data, named, ids, plan.cut_at)
        entries, by, known, ids = _in_time(data, named.time, ids, plan)
        known = _with_attributes(known, attributes, said)
        # Pieces of a sequence have no labels.
        own = own if len(entries) == n_tables else {}
    else:
        entries, by, known, ids = _series_in_time(list(data), ids, plan)
    entries, of_gaps = _filled(entries, ids, layout, missing)
    sequence_set, how = _listed(entries, layout, ordered, ids)
    sequence_set = replace(sequence_set, **own)
    if known:
        sequence_set = replace(sequence_set, provenance={**sequence_set.provenance, **known})
    by += of_gaps
    return sequence_set, how + by + ("" if ids is None or PIECES in known else "; keys are ids")


def _in_pieces(sequences: SequenceSet, plan: Arrangement) -> SequenceSet:
    """Return sequences without times cut into pieces."""
    given = [
        Stretch(entry, f"sequences: sequence {entry!r}", frames)
        for entry, frames in zip(sequences.ids.tolist(), sequences, strict=True)
    ]
    found, said, known = arranged(given, plan)
    if not said:
        return sequences
    owners = [piece.owner for piece in found]
    labels, groups = (None if entries is None else entries[owners] for entries in (sequences.labels, sequences.groups))
    return SequenceSet.from_arrays(
        [piece.values for piece in found],
        labels=labels,
        groups=groups,
        ids=[piece.id for piece in found],
        name=sequences.name,
        provenance={**sequences.provenance, **known, TOLD: [*said, *sequences.provenance.get(TOLD, ())]},
        layout="channels_last",
    )


def _filled(
    data: list[Any], ids: Sequence[str] | None, layout: Layout | None, missing: Missing
) -> tuple[list[Any], str]:
    """Return sequences with gaps filled if requested, and the number of filled values."""
    if missing != "interpolate":
        return data, ""
    arrays, count = [], 0
    for i, entry in enumerate(data):
        where = f"sequences: {_called(i, ids)}"
        values = as_numbers(entry, where)
        gaps = int(np.isnan(values).sum())
        if gaps and values.ndim in (1, 2):
            turned = layout == "channels_first" and values.ndim == 2
            whole = filled(values[:, None] if values.ndim == 1 else values.T if turned else values, where)
            whole = whole[:, 0] if values.ndim == 1 else whole.T if turned else whole
            entry = type(entry)(whole, columns=entry.columns) if _is_table(entry) else whole
        count += gaps
        arrays.append(entry)
    return arrays, _note_of_gaps(count)


def _note_of_gaps(count: int) -> str:
    return f"; {count} missing {'number' if count == 1 else 'numbers'} interpolated" if count else ""


def _called(place: int, ids: Sequence[str] | None) -> str:
    """Return the name of a sequence for messages."""
    return f"sequence {place if ids is None else repr(ids[place])}"


def _ids(data: Mapping[Any, Any]) -> list[str]:
    """Return keys of sequences as their ids."""
    ids = as_names([str(key) for key in data], "sequences: keys")
    if len(set(ids)) < len(ids):
        raise DataError("sequences: holds keys that are written alike but differ in type; make all of them text")
    return ids


def _groups(grouped: Any, made_by: Iterable[Any]) -> dict[str, Any]:
    """Return the groups of a table of pandas or polars by key, without the key columns."""
    tables = {
        "/".join(map(plain_cell, key)) if isinstance(key, tuple) else plain_cell(key): _as_table(group, "sequences")
        for key, group in grouped
    }
    return {
        key: group.drop(columns=[column for column in made_by if column in group.columns])
        if _is_table(group)
        else group
        for key, group in tables.items()
    }


def _as_table(table: Any, where: str) -> Any:
    """Return a table of any object with Arrow's stream interface as one of pandas; other objects are returned unchanged."""
    _require_rows(table, where)
    if any(hasattr(table, name) for name in ("iloc", "to_pandas")) or not hasattr(table, "__arrow_c_stream__"):
        return as_pandas(table, where)
    import pandas as pd

    read: Any = getattr(pd.DataFrame, "from_arrow", None)
    if read is None:
        raise DataError(
            f"{where}: a table with Arrow's stream interface needs pandas 3; install it, or give a table of pandas"
        )
    try:
        return read(table)
    except Exception as error:  # other libraries may raise anything
        raise DataError(f"{where}: cannot be read as an Arrow table ({' '.join(str(error).split())})") from error


def _require_rows(table: Any, where: str) -> None:
    """Raise :class:`DataError` for a lazy table, or the groups of one, which hold no rows yet."""
    name = type(table).__name__
    if hasattr(table, "collect") and hasattr(table, "collect_schema"):
        raise DataError(f"{where}: a {name} holds no rows yet; give the table that its .collect() returns")
    if hasattr(table, "map_groups") and not hasattr(table, "__iter__"):
        raise DataError(f"{where}: a {name} holds no rows yet; call .collect() before .group_by()")


def _is_table(data: Any) -> bool:
    return not isinstance(data, SequenceSet) and hasattr(data, "columns") and hasattr(data, "iloc")


def _require_named(columns: Sequence[Any], where: str) -> None:
    """Raise :class:`DataError` for a missing name, since such a column cannot be selected."""
    for place, column in enumerate(columns, 1):
        if column is None or repr(column) in ("nan", "<NA>", "NaT"):
            raise DataError(f"{where}: column {place} of the table has no name; name it, or leave it out")


def _numbers_of(entries: Any, where: str, column: Hashable) -> FloatArray:
    """Return a column of a long table as numbers; DataError of text, which may be symbols."""
    if holds_symbols(entries) and are_words(entries.to_list()):
        raise DataError(
            f"{where}: holds {entries.iloc[0]!r}, which is no number; name the column if it has symbols"
            f" ({as_typed('symbols', column)}), or leave it out ({as_typed('drop_columns', [column])})"
        )
    return as_numbers(entries.to_numpy(), where)


def _with_attributes(
    known: Mapping[str, Any], attributes: Mapping[Hashable, int], said: Sequence[str]
) -> dict[str, Any]:
    """Return provenance entries with attributes of sequences, and their sentences first."""
    idle = [*known.get(LEFT_OUT, ()), *map(str, attributes)]
    first = [*notes_on_attributes(attributes), *said, *known.get(TOLD, ())]
    return {**known, **({LEFT_OUT: idle} if idle else {}), **({TOLD: first} if first else {})}


def _dropped(table: Any, roles: Columns, where: str) -> Any:
    """Return a table without the dropped columns."""
    header = list(table.columns)
    gone = [_column(column, "", header, where, "drop_columns") for column in roles.drop]
    gone += [column for column in header if column in roles.idle and column not in gone]
    return table.drop(columns=gone) if gone else table


def _own(
    header: Sequence[Any],
    cells_of: Callable[[Any], Any],
    lengths: Sequence[int],
    roles: Columns,
    name: str,
    ids: Sequence[str],
) -> tuple[dict[str, Any], list[Any], list[str]]:
    """Return labels and groups of sequences from named or recognised columns, these columns, and sentences.

    ``cells_of(column)`` has the rows of all sequences one after the other, of these `lengths`.
    """
    own, taken, said = {}, [], []
    for word, choice in (("label", roles.label), ("group", None)):
        if choice is not None:
            _column(choice, "", list(header), name, "labels")
        named = [column for column in header if isinstance(column, str) and column.lower() == word]
        column = (
            choice
            if choice is not None
            else next((entry for entry in named if entry not in (roles.values or ())), None)
        )
        if column is None or column in (roles.id, roles.time):
            continue
        cells = cells_of(column)
        gaps = np.asarray(cells.isna())
        entries = [UNLABELLED if gap else plain_cell(cell).strip() for cell, gap in zip(cells, gaps, strict=True)]
        codes, distinct = (
            np.unique(np.array(entries, dtype=np.str_), return_inverse=True)[1],
            set(entries) - {UNLABELLED},
        )
        starts = np.concatenate([[0], np.cumsum(lengths)[:-1]]).astype(np.int64)
        wrong = np.flatnonzero(codes != np.repeat(codes[starts], lengths))
        if wrong.size:
            entry = ids[int(np.searchsorted(np.cumsum(lengths), wrong[0], side="right"))]
            raise DataError(
                f"{name}: column {column!r} differs within sequence {entry!r}; give a sequence one {word}, leave the column out"
                f" ({as_typed('drop_columns', [column])}), or name the features if it is one ({as_typed('value_columns')})"
            )
        own[f"{word}s"] = np.array([entries[start] for start in starts.tolist()], dtype=np.str_)
        taken.append(column)
        said += [] if choice is not None else [note_on_labels(word, str(column), len(distinct))]
    return own, taken, said


def _one_a_sequence(
    tables: list[Any], roles: Columns, ids: Sequence[str] | None, cut_at: Any = None
) -> tuple[list[Any], dict[str, Any], dict[Hashable, int], list[str]]:
    """Return one table per sequence without attributes; labels and groups; these attributes; and sentences."""
    called = [f"s{i:05d}" for i in range(len(tables))] if ids is None else ids
    tables = [_dropped(table, roles, f"sequences: {_called(i, ids)}") for i, table in enumerate(tables)]
    header = list(tables[0].columns)
    if len(set(header)) < len(header) or any(set(table.columns) != set(header) for table in tables):
        return tables, {}, {}, []
    _require_named(header, "sequences: sequence 0")
    lengths = [len(table) for table in tables]
    if not all(lengths):
        return tables, {}, {}, []
    import pandas as pd

    def cells_of(column: Any) -> Any:
        return pd.concat([table[column] for table in tables])

    own, taken, said = _own(header, cells_of, lengths, roles, "sequences", called)
    timed = (roles.time, TIME, named_time(header), cut_at)
    rest = [column for column in header if column not in taken and column not in timed]
    # A day next to a time of day is a part of the time.
    joined, _ = with_day(tables, next((column for column in timed if column in header), None))
    rest = [column for column in rest if column in joined[0].columns]
    attributes, others, sentences = _left_out(cells_of, rest, lengths)
    gone = [*taken, *others]
    return [table.drop(columns=gone) for table in tables] if gone else tables, own, attributes, [*said, *sentences]


def _left_out(
    cells_of: Callable[[Any], Any], columns: Sequence[Any], lengths: Sequence[int]
) -> tuple[dict[Hashable, int], list[Any], list[str]]:
    """Return attributes of sequences with their numbers of values; these and the columns of text or without entries; sentences."""
    attributes = attributes_of(cells_of, columns, lengths)
    kept = [column for column in columns if column not in attributes]
    words, blank = unread(cells_of, kept, lengths)
    said = [note_on_text_columns([str(column) for column in words], _hint(words[0]))] if words else []
    said += [note_on_blank_columns([str(column) for column in blank])] if blank else []
    return attributes, [*attributes, *words, *blank], said


def _hint(column: Any) -> str:
    return f"if it tells classes of sequences, {as_typed('labels', str(column))}"


def _in_time(
    tables: list[Any], choice: Any, ids: list[str] | None, plan: Arrangement
) -> tuple[list[Any], str, dict[str, Any], list[str] | None]:
    """One table per sequence, with rows in order of time, on a clock and in pieces, and without the time.

    And how it was found, what is known of it, and the ids.
    """
    name = "sequences"
    tables, marks = _without_marks(tables, plan, [f"{name}: {_called(i, ids)}" for i in range(len(tables))])
    tables = [with_time_of_index(table, choice) for table in tables]
    headers = [list(table.columns) for table in tables]
    for i, columns in enumerate(headers):
        _require_named(columns, f"{name}: sequence {i}")
    if any(len(set(columns)) < len(columns) or set(columns) != set(headers[0]) for columns in headers):
        if choice is not None:
            raise DataError(f"{name}: the tables have different columns, or some of one name; give the same to all")
        timed = [place for place, table in enumerate(tables) if TIME_OF_INDEX in table.attrs]
        if timed and len(timed) < len(tables):
            odd = next(place for place in range(len(tables)) if place not in timed)
            raise DataError(
                f"{name}: {_called(timed[0], ids)} has times in its index but {_called(odd, ids)} has none; give them to all"
            )
        return tables, "", {}, ids
    of_index = next((table.attrs[TIME_OF_INDEX] for table in tables if TIME_OF_INDEX in table.attrs), None)
    time_column = _column(choice, TIME, headers[0], name, "time_column")
    time_column = of_index if time_column is None else time_column
    tables, time_column = with_day(tables, time_column)
    columns = list(tables[0].columns)
    found = time_column
    if time_column is None:
        time_column = time_by_content(tables, columns)
    of_clocks: dict[str, Any] = {}
    if len(columns) > 1 and all(map(len, tables)):
        rest = [column for column in columns if column != time_column]
        taken, idle, said = clocks_of(
            tables, columns if found is None else rest, time_column is not None and found is not None
        )
        idle = [column for column in idle if column != time_column]
        if len(idle) < len(rest):
            tables = [table.drop(columns=idle) for table in tables] if idle else tables
            of_clocks = {TOLD: said} if said and (idle or taken == time_column) else {}
            of_clocks |= {LEFT_OUT: [str(column) for column in idle]} if idle else {}
    named = [f"s{i:05d}" if ids is None else ids[i] for i in range(len(tables))]
    if time_column is None or len(columns) == 1 or not all(map(len, tables)):
        tables, provenance_of_times, ids = _arranged(tables, named, ids, plan, marks)
        if said := [*provenance_of_times.get(TOLD, ()), *of_clocks.get(TOLD, ())]:
            provenance_of_times = {**provenance_of_times, TOLD: said}
        return tables, "", {**of_clocks, **provenance_of_times}, ids
    sorted_tables, times, orders = [], [], {}
    for i, table in enumerate(tables):
        moments, kind = moments_of(table[time_column], f"{name}: {_called(i, ids)}, column {time_column!r}")
        order = row_order(moments, kind, f"{name}: {_called(i, ids)}, column {time_column!r}")
        if order.moved or order.again:
            orders[str(i) if ids is None else ids[i]] = order
        same = np.flatnonzero(np.diff(order.times) == 0.0)
        if same.size and plan.every is None:
            row = int(order.positions[same[0]])
            raise DataError(_twice(f"{name}: {_called(i, ids)}", time_column, table[time_column].iloc[row]))
        sorted_tables.append(table.drop(columns=time_column).iloc[order.positions])
        times.append(order.times)
        if marks is not None:
            marks[i] = marks[i][order.positions]
    of_time = [table[time_column] for table in tables]
    unit = _unit(of_time, orders)
    seconds = any(order.seconds for order in orders.values())
    origins = [(None, False) if seconds else origin_of(column) for column in of_time]
    stretches = [
        Stretch(
            named[i],
            f"{name}: sequence {named[i]!r}",
            as_numbers(table, f"{name}: {_called(i, ids)}"),
            times[i],
            unit or "",
            origins[i][0],
            None if marks is None else marks[i],
            epoch=origins[i][1],
        )
        for i, table in enumerate(sorted_tables)
    ]
    found_stretches, provenance_of_times, said = _with_times(stretches, plan)
    if said:
        sorted_tables = _as_tables(found_stretches, sorted_tables)
        times = [stretch.times for stretch in found_stretches if stretch.times is not None]
        named = [stretch.id for stretch in found_stretches]
        ids = named if PIECES in provenance_of_times else ids
        unit = found_stretches[0].unit
    known, remark = _clock(times, unit, orders, named, [stretch.origin for stretch in found_stretches])
    known = {**known, **provenance_of_times, **({TOLD: [*said, *known.get(TOLD, ())]} if said else {})}
    where = "the index" if time_column == of_index else f"the column {time_column!r}"
    if of_clocks:
        known = {**known, **of_clocks, TOLD: [*known.get(TOLD, ()), *of_clocks[TOLD]]}
    if said := _notes_on_case({TIME: time_column}, Columns(time=choice)):
        known = {**known, TOLD: [*said, *known.get(TOLD, ())]}
    return sorted_tables, f", in {where}{remark}", known, ids


def _with_times(stretches: Sequence[Stretch], plan: Arrangement) -> tuple[list[Stretch], dict[str, Any], list[str]]:
    """Return arranged sequences, provenance entries, and sentences; without times nothing changes."""
    found, said, known = arranged(stretches, plan)
    return found, known if said else {}, said


def _arranged(
    tables: list[Any], named: Sequence[str], ids: list[str] | None, plan: Arrangement, marks: Any
) -> tuple[list[Any], dict[str, Any], list[str] | None]:
    """Return tables without times in pieces, provenance entries, and ids."""
    if not (plan.cuts or plan.every):
        return tables, {}, ids
    stretches = [
        Stretch(
            entry,
            f"sequences: sequence {entry!r}",
            as_numbers(table, f"sequences: sequence {entry!r}"),
            marks=None if marks is None else marks[i],
        )
        for i, (entry, table) in enumerate(zip(named, tables, strict=True))
    ]
    found, known, said = _with_times(stretches, plan)
    if not said:
        return tables, {}, ids
    return _as_tables(found, tables), {**known, TOLD: said}, [stretch.id for stretch in found]


def _without_marks(
    tables: list[Any], plan: Arrangement, where: Sequence[str]
) -> tuple[list[Any], list[NDArray[np.str_]] | None]:
    """Return tables without the column that they are cut at, and its entries as text."""
    if plan.cut_at is None:
        return tables, None
    marks = []
    for table, called in zip(tables, where, strict=True):
        _column(plan.cut_at, "", list(table.columns), called, "cut_at")
        marks.append(np.array([plain_cell(cell) for cell in table[plan.cut_at]], dtype=np.str_))
    return [table.drop(columns=plan.cut_at) for table in tables], marks


def _as_tables(stretches: Sequence[Stretch], tables: Sequence[Any]) -> list[Any]:
    """Return the rows of sequences as tables again, with the original columns."""
    return [type(tables[s.owner])(s.values, columns=tables[s.owner].columns) for s in stretches]


def _twice(where: str, time_column: Any, moment: Any) -> str:
    """Return a note that several rows of a sequence have the same time."""
    return (
        f"{where} has several rows with the {time_column} {moment}; keep one of them, separate animals or sensors by an id,"
        " or leave the column out to keep the order of the rows"
    )


def _series_in_time(
    entries: list[Any], ids: list[str] | None, plan: Arrangement
) -> tuple[list[Any], str, dict[str, Any], list[str] | None]:
    """Series of pandas, with values ordered by the times in their index."""
    timed = [hasattr(entry, "iloc") and not _is_table(entry) and holds_times(entry.index, None) for entry in entries]
    if not any(timed):
        if plan.cut_at is not None:
            raise ParameterError("cut_at is the name of a column, but the data are arrays; leave it out")
        return entries, "", {}, ids
    if not all(timed):
        one, odd = timed.index(True), timed.index(False)
        raise DataError(
            f"sequences: {_called(one, ids)} has times in its index but {_called(odd, ids)} has none; give them to all"
        )
    tables = [entry.rename(0).to_frame() for entry in entries]
    tables, how, known, ids = _in_time(tables, None, ids, plan)
    return [table.iloc[:, 0] for table in tables], how, known, ids


def _unit(columns: list[Any], orders: Mapping[str, RowOrder]) -> str | None:
    """Return the unit of times in columns, empty if not given; None if they differ."""
    seconds = tells_seconds(columns[0]) or any(order.seconds for order in orders.values())
    units = {SECONDS if seconds else time_unit(str(entry.name), float(entry.iloc[0])) for entry in columns}
    return units.pop() if len(units) == 1 else None


def _clock(
    times: list[FloatArray],
    unit: str | None,
    orders: Mapping[str, RowOrder],
    ids: Sequence[str],
    origins: Sequence[Any],
) -> tuple[dict[str, Any], str]:
    """Return provenance entries for the time from frame to frame and its notes, and sentences."""
    uneven, known = unevenness(times, ids, unit or "")
    provenance_of_times: dict[str, Any] = {
        **known,
        **({TOLD: said} if (said := [*uneven, *notes_on_order(orders, "sequence")]) else {}),
    }
    if unit is None:
        return provenance_of_times, ""
    begins = begin_of_day((origin, moments, unit) for origin, moments in zip(origins, times, strict=True))
    clock, remark = read_clock(times, unit, begins)
    return ({} if clock is None else clock.as_provenance()) | provenance_of_times, f"; {remark}" if remark else ""


def from_long(
    table: pandas.DataFrame,
    columns: Columns | None = None,
    name: str = "sequences",
    missing: Missing = "refuse",
    arrangement: Arrangement | None = None,
) -> tuple[SequenceSet, str]:
    """Return sequences of a table with one row per frame, in order of first appearance, and the interpretation of columns.

    The set is called `name` and has the ids of the table. A DataError if there is no such column, an id or a time is
    missing, or two rows of a sequence have the same time.
    """
    roles = Columns() if columns is None else columns
    plan = Arrangement(missing=missing) if arrangement is None else arrangement
    (table,), marks = _without_marks([table], plan, [name])
    table = with_levels(table, roles.id)
    table, own_id = _with_joined_id(table, roles.id, name)
    roles = replace(roles, id=own_id)
    table = _dropped(with_time_of_index(table, roles.time), roles, name)
    of_index = table.attrs.get(TIME_OF_INDEX)
    header = list(table.columns)
    if len(set(header)) < len(header):
        raise DataError(f"{name}: column names of the table are not unique; rename them")
    _require_named(header, name)
    if not len(table):
        raise DataError(f"{name}: the table holds no row; at least one is needed")
    id_column = _column(roles.id, ID, header, name, "id_column")
    if id_column is None and (plan.cut is not None or plan.cut_at is not None):
        # One long log is cut into sequences.
        table, id_column, header = table.assign(**{ID: name}), ID, [*header, ID]
    if id_column is None:
        rows = ""
        if all(getattr(dtype, "kind", "O") in "iuf" for dtype in table.dtypes):
            require_no_dissimilarities(as_numbers(table, name), name, AS_SERIES)
            rows = "; if each row is one sequence, and each column a moment, give .to_numpy()[:, :, None]"
        levels = " (or the level of its index, by table.index.names)" if getattr(table.index, "nlevels", 1) > 1 else ""
        raise DataError(
            f"{name}: is one table without a column {ID!r}; name the column{levels} that says which sequence a row belongs to with"
            f" id_column=..., or put one table a sequence into a list{rows}"
        )
    time_column = _column(roles.time, TIME, header, name, "time_column")
    time_column = of_index if time_column is None else time_column
    (table,), time_column = with_day([table], time_column, id_column)
    header = list(table.columns)
    codes, ids = _codes(table[id_column], f"{name}: column {id_column!r}")
    table, apart = _distinguish_restarts(table, id_column, time_column, codes, roles.values)
    if apart is not None:
        header = list(table.columns)
        codes, ids = _codes(table[id_column], f"{name}: column {id_column!r}")
    if time_column is None:
        rest = [column for column in header if column != id_column]
        features = None if roles.values is None or isinstance(roles.values, str) else list(roles.values)
        found = time_by_content([part[rest] for _, part in table.groupby(codes, sort=False)], rest)
        time_column = None if features is not None and found in features else found
    values: list[Any] = [column for column in header if column not in (id_column, time_column)]
    of_clocks: list[str] = []
    idle_columns: list[str] = []
    if roles.values is None:
        given = time_column if roles.time is not None or time_column in (TIME, of_index) else None
        rest = [column for column in header if column not in (id_column, given)]
        taken, idle, said = clocks_of(
            [part[rest] for _, part in table.groupby(codes, sort=False)], rest, given is not None
        )
        idle = [column for column in idle if column != time_column]
        values = [column for column in values if column not in idle] if len(idle) < len(values) else values
        of_clocks = said if idle or (taken is not None and taken == time_column) else []
        idle_columns = [str(column) for column in header if column not in (id_column, time_column, *values)]
    if roles.values is not None:
        if isinstance(roles.values, (str, bytes)) or not hasattr(roles.values, "__iter__"):
            raise ParameterError(f"value_columns is {roles.values!r}, expected a list of names of columns")
        values = list(roles.values)
        for column in values:
            _column(column, "", header, name, "value_columns")
    if not values or set(values) & {id_column, time_column} or len(set(values)) < len(values):
        raise DataError(f"{name}: the columns of features are {values}; name at least one, none twice, no id, no time")
    moments, orders = None, {}
    order = np.argsort(codes, kind="stable")
    lengths = np.bincount(codes).tolist()

    def cells_of(column: Any) -> Any:
        return table[column].iloc[order]

    # For a clock, the note says how it was recognised.
    sentences_on_case = _notes_on_case({ID: id_column} if of_clocks else {ID: id_column, TIME: time_column}, roles)
    roles = replace(roles, id=id_column, time=time_column)
    own, taken_columns, sentences_on_labels = _own(header, cells_of, lengths, roles, name, ids)
    values = [column for column in values if column not in taken_columns]
    attributes: dict[Hashable, int] = {}
    if roles.values is None:
        attributes, gone, sentences_on_gone = _left_out(cells_of, values, lengths)
        values = [column for column in values if column not in gone]
        idle_columns += [str(column) for column in gone if column not in attributes]
        sentences_on_labels += sentences_on_gone
    if not values:
        raise DataError(f"{name}: the table holds no column of features; name them ({as_typed('value_columns')})")
    if time_column is not None:
        where = f"{name}: column {time_column!r}"
        order, moments, found_orders = orders_within(
            *_timed_rows(table[time_column], codes, where), lambda code: f"{where}, in sequence {ids[code]!r},"
        )
        orders = {ids[code]: entry for code, entry in found_orders.items()}
        same = np.flatnonzero((np.diff(moments) == 0.0) & (np.diff(codes[order]) == 0))
        if same.size and plan.every is None:
            row = int(order[same[0]])
            moment = table[time_column].iloc[row]
            raise DataError(_twice(f"{name}: sequence {ids[int(codes[row])]!r}", time_column, moment))
    frames = [_numbers_of(table[column], f"{name}: column {column!r}", column)[order] for column in values]
    stops = np.flatnonzero(np.diff(codes[order])) + 1
    parts = np.split(np.column_stack(frames), stops)
    times: list[FloatArray | None] = [None] * len(parts) if moments is None else [*np.split(moments, stops)]
    of_marks = [None] * len(parts) if marks is None else np.split(marks[0][order], stops)
    unit, origin, epoch = None, None, False
    if time_column is not None:
        unit = _unit([table[time_column]], orders)
        origin, epoch = (
            (None, False) if any(entry.seconds for entry in orders.values()) else origin_of(table[time_column])
        )
    found, provenance_of_times, sentences_on_rows = _with_times(
        [
            Stretch(entry, f"{name}: sequence {entry!r}", part, times[i], unit or "", origin, of_marks[i], epoch=epoch)
            for i, (entry, part) in enumerate(zip(ids, parts, strict=True))
        ],
        plan,
    )
    if sentences_on_rows:
        ids, parts, times = [s.id for s in found], [s.values for s in found], [s.times for s in found]
        own = {word: entries[[s.owner for s in found]] for word, entries in own.items()}
        unit = found[0].unit
    gaps = sum(int(np.isnan(part).sum()) for part in parts) if missing == "interpolate" else 0
    if gaps:
        parts = [filled(*entry) for entry in zip(parts, [f"{name}: sequence {i!r}" for i in ids], times, strict=True)]
    by = "the order of the rows"
    said_apart = (
        []
        if apart is None
        else [
            f"the time begins again within sequences wherever the column {apart!r} changes: each stretch is a sequence"
        ]
    )
    known: dict[str, Any] = {}
    if moments is not None:
        timed = [(entry, stretch.origin) for entry, stretch in zip(times, found, strict=True) if entry is not None]
        known, remark = _clock([entry for entry, _ in timed], unit, orders, ids, [origin for _, origin in timed])
        by = f"{'the index' if time_column == of_index else f'the column {time_column!r}'}{remark}"
    if idle_columns:
        known = {**known, LEFT_OUT: idle_columns}
    known = {**known, **provenance_of_times}
    if said_apart or of_clocks or sentences_on_rows:
        known = {**known, TOLD: [*sentences_on_rows, *said_apart, *known.get(TOLD, ()), *of_clocks]}
    known = _with_attributes(known, attributes, [*sentences_on_labels, *sentences_on_case])
    sequence_set = SequenceSet.from_arrays(
        parts,
        ids=ids,
        name=name,
        provenance={"columns": as_column_names(values, name), **known},
        **own,
    )
    return sequence_set, f"rows of a table, divided by the column {id_column!r}, in {by}{_note_of_gaps(gaps)}"


def _with_joined_id(table: Any, choice: Any, name: str) -> tuple[Any, Any]:
    """Return a table with several id columns combined into one, and its name; unchanged for one id column."""
    header = list(table.columns)
    parts = choice if isinstance(choice, (list, tuple)) and choice not in header else None
    if isinstance(choice, str) and "," in choice and choice not in header:
        parts = [part.strip() for part in choice.split(",")]
    if parts is None:
        return table, choice
    for part in parts:
        _column(part, ID, header, name, "id_column")
    together = ",".join(map(str, parts))
    missing = table[list(parts)].isna().any(axis=1)
    cells = ["/".join(map(plain_cell, row)) for row in zip(*(table[part] for part in parts), strict=True)]
    rest = table.drop(columns=list(parts))
    rest.insert(0, together, cells)
    return rest.mask(missing.to_numpy()[:, None] & (rest.columns == together)[None, :]), together


def plain_cell(cell: Any) -> str:
    """Return a cell of an id as text; whole numbers without a point."""
    return str(int(cell)) if isinstance(cell, (float, np.floating)) and float(cell).is_integer() else str(cell)


def _distinguish_restarts(
    table: Any, id_column: Any, time_column: Any, codes: IntArray, values: Any
) -> tuple[Any, Any]:
    """Return a table with ids extended by another column that separates restarts of the time, and that column."""
    if time_column is None or getattr(table[time_column].dtype, "kind", "O") not in "iuf":
        return table, None
    times = table[time_column].to_numpy(dtype=np.float64, na_value=np.nan)
    kept = [] if values is None or isinstance(values, (str, bytes)) or not hasattr(values, "__iter__") else list(values)
    candidates: dict[Any, IntArray] = {}
    for column in table.columns:
        if column in (id_column, time_column, *kept) or getattr(table[column].dtype, "kind", "O") == "f":
            continue
        entries, distinct = table[column].factorize()
        if 1 < len(distinct) <= len(table) / 3 and (np.asarray(entries) >= 0).all():
            candidates[column] = np.asarray(entries, dtype=np.int64)
    found = telling_apart(times, codes, candidates)
    if found is None or (not names_ids(found[0]) and all(goes_on(times[codes == code]) for code in np.unique(codes))):
        return table, None
    column = found[0]
    ids = [
        f"{plain_cell(entry)}/{plain_cell(cell)}" for entry, cell in zip(table[id_column], table[column], strict=True)
    ]
    changed = table.drop(columns=column)
    changed[id_column] = ids
    return changed, column


def _column(choice: Any, usual: str, header: list[Any], name: str, argument: str) -> Any:
    """Return a column by name, by default the usual one if it exists."""
    if choice is None:
        found = usual if usual in header else named_time(header) if usual == TIME else None
        alike = [column for column in header if isinstance(column, str) and usual and column.lower() == usual]
        return alike[0] if found is None and len(alike) == 1 else found
    if choice not in header:
        raise DataError(f"{name}: {argument}: {unknown_name('column', choice, map(str, header))}")
    return choice


def _notes_on_case(columns: Mapping[str, Any], roles: Columns) -> list[str]:
    """Return a sentence for each column recognised by its name in another case than usual."""
    given = {ID: roles.id, TIME: roles.time}
    words = {ID: ("id of the sequences", "id_column"), TIME: ("time", "time_column")}
    return [
        f"using column {column!r} as {words[usual][0]} (choose another with {as_typed(words[usual][1])})"
        for usual, column in columns.items()
        if given[usual] is None and isinstance(column, str) and column != usual and column.lower() == usual
    ]


def _codes(column: Any, where: str) -> tuple[IntArray, list[str]]:
    """Return the sequence number of each row in order of first appearance, and the ids."""
    missing = np.flatnonzero(np.asarray(column.isna()))
    if missing.size:
        raise DataError(
            f"{where}: row {missing[0]} has no entry ({missing.size} such rows); say which sequence it is of"
        )
    if getattr(column.dtype, "kind", "O") == "O":
        # As in files, blanks around an id are ignored.
        column = column.map(lambda entry: entry.strip() if isinstance(entry, str) else entry)
    codes, uniques = column.factorize()
    ids = as_names(list(uniques), where)
    if len(set(ids)) < len(ids):
        raise DataError(f"{where}: holds entries that are written alike but differ in type; make all of them text")
    return np.asarray(codes, dtype=np.int64), ids


def _timed_rows(column: Any, codes: IntArray, where: str) -> tuple[FloatArray, IntArray, Times]:
    moments, kind = moments_of(column, where)
    return moments, codes, kind


def _stacked(data: np.ndarray[Any, Any], layout: Layout | None, missing: Missing) -> tuple[SequenceSet, str]:
    """Return sequences of one array without their padding."""
    if data.ndim == 3:
        require_layout(data.shape[1:], layout, "sequences")
        how = "" if layout is None else f"layout {layout!r} given"
    else:
        how = "rows are series of one feature"
    array = data[:, :, None] if data.ndim == 2 else np.swapaxes(data, 1, 2) if layout == "channels_first" else data
    lengths = None
    if len(array) and array.dtype.kind == "f" and not np.ma.isMaskedArray(array) and np.isnan(array).any():
        lengths = _without_padding(array)
    cut: Any = (
        array if lengths is None else [frames[:stop] for frames, stop in zip(array, lengths.tolist(), strict=True)]
    )
    cut, of_gaps = _filled(list(cut), None, None, missing) if missing != "refuse" else (cut, "")
    sequence_set = SequenceSet.from_arrays(cut, layout="channels_last")
    padded = lengths is not None and int(lengths.min()) < array.shape[1]
    return sequence_set, (how or _AS_IS) + ("; NaN to the end of a sequence is padding" if padded else "") + of_gaps


def _without_padding(array: np.ndarray[Any, Any]) -> IntArray:
    """Return lengths of sequences of shape (N, T, d) up to the last frame that is not all NaN."""
    unknown = np.isnan(array).all(axis=2)
    if unknown.all(axis=1).any():
        which = int(unknown.all(axis=1).argmax())
        raise DataError(f"sequences: sequence {which} is NaN from its first frame on; leave it out")
    return np.asarray(array.shape[1] - np.argmin(unknown[:, ::-1], axis=1), dtype=np.int64)


_AS_IS = "arrays are taken for (time, channels)"
AS_SERIES = (
    "cluster them with measure='precomputed', or if they are series give an array of shape (series, time, 1), as of"
    " x[:, :, None]"
)
"""Treatment of dissimilarities, and of series that resemble them."""


def _listed(data: list[Any], layout: Layout | None, ordered: bool, ids: list[str] | None) -> tuple[SequenceSet, str]:
    """Return sequences of a list; series of one feature become columns."""
    axes = [_axes(entry) for entry in data]
    if data and all(count == 1 for count in axes):
        columns = [as_numbers(entry, f"sequences: {_called(i, ids)}")[:, None] for i, entry in enumerate(data)]
        if ids is None and all(len(column) == len(columns) for column in columns):
            require_no_dissimilarities(np.hstack(columns), "sequences", AS_SERIES)
        return SequenceSet.from_arrays(columns, ids=ids, layout="channels_last"), "series of one feature"
    if 1 in axes and 2 in axes:
        odd, even = axes.index(1), axes.index(2)
        raise DataError(
            f"sequences: {_called(odd, ids)} has one axis but {_called(even, ids)} has two; give (T, d) arrays only, or series only"
        )
    sequence_set = SequenceSet.from_arrays(cast("Sequence[ArrayLike]", data), ids=ids, layout=layout)
    alike = len(sequence_set) > 1 and bool((sequence_set.lengths == sequence_set.lengths[0]).all())
    if ordered and alike and not any(column_names(entry) for entry in data):
        # For arrays of unequal lengths, the axis of equal size holds the features.
        require_layout((int(sequence_set.lengths[0]), sequence_set.n_features), layout, sequence_set.name)
    return sequence_set, _AS_IS if layout is None else f"layout {layout!r} given"


def _axes(entry: Any) -> int | None:
    """Return the number of axes; None if it cannot be determined."""
    try:
        return int(entry.ndim) if hasattr(entry, "ndim") else np.ndim(entry)
    except (TypeError, ValueError, RuntimeError, MemoryError):  # as nested lists of unequal lengths
        return None


def _kind(data: Any) -> str:
    return "a SequenceSet" if isinstance(data, SequenceSet) else f"of type {type(data).__name__}"
