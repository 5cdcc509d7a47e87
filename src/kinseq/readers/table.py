"""A table: columns of numbers with id, time, label and group, every cell checked."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import FloatArray, IntArray
from ..core.clock import SECONDS, named_time, time_unit
from ..core.clock_columns import find_clocks, notes_on_clocks, why_time, words_of
from ..core.constant_columns import (
    are_states,
    codes_of,
    find_blank,
    find_constant,
    find_states,
    note_on_blank_columns,
    note_on_labels,
    note_on_lasting_values,
    note_on_state_column,
    note_on_text_columns,
    notes_on_attributes,
)
from ..core.cutting import origin_of_epoch
from ..core.data_checks import name_it
from ..core.errors import DataError
from ..core.folders import LABEL_PLACES
from ..core.id_names import names_ids
from ..core.row_order import RowOrder, Times, goes_on, orders_within, telling_apart
from ..core.wording import as_typed, count, listed
from .columns import Column, column_of, found_name, numbers_of
from .reading import USUAL, Reading
from .text import MISSING_CELLS, TRUTH, day_of, is_clock, is_moment_like, plain_text, to_number
from .tidy import widened
from .times import kind_of_time, moments, offsets_of, origin_of_time, tells_time, unit_of_time

SPECIAL = ("id", "time", "label", "group")


@dataclass
class Table:
    """A table of numbers with named columns, and the positions of its rows in the file."""

    values: FloatArray
    columns: tuple[str, ...]
    has_header: bool
    rows: IntArray  # line (or row) of the file that each row of `values` came from, counted from 1
    row_word: str
    time: FloatArray | None = None
    id: NDArray[np.str_] | None = None
    label: NDArray[np.str_] | None = None
    group: NDArray[np.str_] | None = None
    time_source: str | None = None  # name of the time column
    day: str | None = None  # name of the date column, if date and time of day are separate
    unit: str = ""  # unit of the time, if given
    time_name: str = "time"
    time_kind: Times = "numbers"
    # omitted text columns: name, row of the first word, and the word
    words: Mapping[str, tuple[int, str]] = field(default_factory=dict)
    texts: FloatArray | None = None  # cells of these columns, by the numbers that stand for them
    coded: int = 0  # cells that matched a given missing-value code
    kinds: tuple[str, ...] = ()  # name of the values of a tidy table
    restart_column: str = ""  # column that separates rows whose time restarts
    origin: Any = None  # moment of time 0, if known
    epoch: bool = False  # whether the time is a number since 1970
    offsets_change: bool = False  # whether the offset from UTC of the times changes
    mark: NDArray[np.str_] | None = None  # entries of the column whose changes divide the rows
    said: str = ""  # sentence on the recognised kind of file
    has_ids: bool = False  # whether an id column says which sequence a row belongs to

    def place(self, row: int, column: int) -> str:
        """Return the position of a number in the file, for messages."""
        return f"{self.row_word} {self.rows[row]}, {_named(self.columns[column], self.has_header)}"


def table_of(
    columns: Sequence[Column],
    names: Sequence[str],
    has_header: bool,
    path: Path,
    rows: IntArray,
    row_word: str,
    options: Reading = USUAL,
) -> Table:
    """Return the table of columns of cells.

    Parameters
    ----------
    columns : sequence of Column
        Equally long; those called id, time, label and group as text.
    names : sequence of str
        Name of each column.
    has_header : bool
        Whether the names come from the file.
    path : Path
        File, for messages.
    rows : ndarray of int, shape (rows,)
        Line or row of the file, for messages.
    row_word : str
        What `rows` counts.
    options : Reading
        Which columns are what. Of the time it is one called time if nothing is given, perhaps with a unit as ``time [ms]``,
        else one that can be nothing else (:mod:`.times`). Columns of text are left out unless they are requested.

    Raises
    ------
    DataError
        If a name is doubled, a cell is no number, a row has no id, several columns hold times, there is no column
        `time_column`, or nothing is left.
    """
    _require_names(options, has_header, path)
    names, columns = _without_dropped(names, columns, options, path)
    names, columns, marks = _without_marks(names, columns, options, has_header, path)
    kinds: tuple[str, ...] = ()
    if options.value_name is not None:
        if marks is not None:
            raise DataError(
                f"{path}: {as_typed('cut_at')} is for tables with a row a moment, but this one is tidy; widen it first"
            )
        names, columns, rows, kinds = widened(names, columns, rows, row_word, path, options)
    roles = _with_its_time(_roles(names, columns, has_header, options, path), has_header, options, path)
    features, coded = roles.features, 0
    if options.missing_codes:
        features, coded = _without_codes(features, options.missing_codes)
    texts: dict[str, Column] = {}
    if options.value_columns is not None:
        by_name = dict(features)
        wanted = [_feature(str(entry), by_name, roles.special, path) for entry in options.value_columns]
        features = [(name, by_name[name]) for name in wanted]
    else:
        entries = np.array(roles.special["id"].cells) if "id" in roles.special else None
        texts = {
            name: column
            for name, column in features
            if _is_text(
                column,
                has_time=roles.time is not None or (entries is not None and _is_steady(column, entries)),
            )
        }
        # Without other information, name the first cell.
        if len(texts) == len(features):
            texts = {}
        features = [(name, column) for name, column in features if name not in texts]
    if not features:
        raise DataError(f"{path}: holds no column of numbers; put the features next to the other columns")
    if not len(rows):
        raise DataError(f"{path}: holds no row of numbers; leave it out or write it again")
    values = _numbers(features, has_header, path, rows, row_word)
    table = Table(
        values,
        tuple(name for name, _ in features),
        has_header,
        rows,
        row_word,
        time_source=roles.time_source,
        day=roles.day,
        words={name: _first_word(column, rows) for name, column in texts.items()},
        coded=coded,
        kinds=kinds,
        mark=marks,
        texts=np.column_stack([codes_of(column.cells, MISSING_CELLS) for column in texts.values()]) if texts else None,
    )
    return _with_special(table, roles, path)


@dataclass
class _Roles:
    """Columns of a table by role.

    Attributes
    ----------
    by_name : dict
        All columns.
    names : list of str
        Their names but for that of the ids, where it was given.
    special : dict
        Columns of ids, times, labels and groups, by these words.
    features : list
        Names of all other columns, and these.
    id : str or None
        Name of the column of ids, if it was given.
    time : str or None
        Name of the column of times.
    time_source : str or None
        The same, if only what the column holds tells it.
    day : str or None
        Name of the column of days, where days and times of day stand apart.
    """

    by_name: dict[str, Column]
    names: list[str]
    special: dict[str, Column]
    features: list[tuple[str, Column]]
    id: str | None
    time: str | None = None
    time_source: str | None = None
    day: str | None = None


def _roles(names: Sequence[str], columns: Sequence[Column], has_header: bool, options: Reading, path: Path) -> _Roles:
    """Return columns by role from names and options; the time is decided later."""
    # Names in files are text.
    id_column = None if options.id_column is None else str(options.id_column)
    names, columns = _with_joined_id(names, columns, id_column, options.label_column, path)
    own_id = None if id_column is None else found_name(id_column, names, path, "id_column")
    given = {"time"} if options.time_column is not None else set()
    given |= {"id"} if own_id is not None else set()
    usual = [name for name in SPECIAL if name not in given]
    lowered = [name.lower() if has_header and name.lower() in usual else name for name in names]
    doubled = [name for name, number in Counter(lowered).items() if number > 1]
    if doubled:
        raise DataError(f"{path}: column {doubled[0]!r} occurs more than once; rename or remove one")
    pairs = list(zip(lowered, columns, strict=True))
    special = {name: column for name, column in pairs if has_header and name in usual}
    by_name = dict(zip(names, columns, strict=True))
    if options.label_column not in (None, *LABEL_PLACES) and (has_header or _is_place(str(options.label_column))):
        own_label = found_name(str(options.label_column), names, path, "labels")
        label_cells = by_name[own_label]
        pairs = [(name, column) for name, column in pairs if name not in (own_label, "label")]
        by_name = dict(pairs)
        special = {name: column for name, column in special.items() if name in by_name} | {"label": label_cells}
    if own_id is not None:
        special["id"] = by_name[own_id]
    own = [(name, column) for name, column in pairs if name != own_id]
    features = [(name, column) for name, column in own if not (name in special and name in usual)]
    return _Roles(by_name, [name for name, _ in own], special, features, own_id)


def _with_its_time(roles: _Roles, has_header: bool, options: Reading, path: Path) -> _Roles:
    """Return the columns with the time column among the special ones, if there is one, and not a feature."""
    special, features = dict(roles.special), roles.features
    timed, time_source, day = None, None, None
    if options.time_column is not None:
        timed = _named_time(str(options.time_column), roles.names, special, path)
    elif "time" not in special:
        timed = named_time([name for name, _ in features]) if has_header else None
    else:
        timed = "time"
        features = [*features, (timed, special.pop("time"))]
    calendar = _calendar(features, special) if has_header and timed is None else None
    if calendar is not None:
        parts, moment = calendar
        timed, day = parts[-1], listed(parts[:-1])
        features = [(name, moment if name == timed else column) for name, column in features if name not in parts[:-1]]
    together = None if calendar is not None else _day_and_clock(features, timed)
    if together is not None:
        day, timed, moment = together
        features = [(name, moment if name == timed else column) for name, column in features if name != day]
    elif timed is None:
        timed = time_source = _recognised_time(features, special.get("id"), path)
    if timed is not None:
        special["time"] = dict(features)[timed]
        features = [(name, column) for name, column in features if name != timed]
    return replace(roles, special=special, features=features, time=timed, time_source=time_source, day=day)


def _numbers(
    features: Sequence[tuple[str, Column]], has_header: bool, path: Path, rows: IntArray, row_word: str
) -> FloatArray:
    """Return the numbers of columns, shape (rows, features)."""

    def placed(name: str) -> Callable[[int], str]:
        return lambda row: f"{row_word} {row}, {_named(name, has_header)}"

    numeric = [(name, column if column.text is None else column_of(column.text)) for name, column in features]
    values = np.column_stack([numbers_of(column, path, placed(name), rows) for name, column in numeric])
    if np.isnan(values).all():
        raise DataError(f"{path}: holds no row of numbers; leave it out or write it again")
    return values


def _with_special(table: Table, roles: _Roles, path: Path) -> Table:
    """Return a table with its ids, times, labels and groups."""
    rows = table.rows
    for name, column in roles.special.items():
        if name == "time":
            table.time_name = roles.time or name
            table.time = moments(column.cells, path, rows, table.row_word, table.time_name)
            table.unit = unit_of_time(column.cells, table.time_name, np.diff(table.time))
            table.time_kind = kind_of_time(column.cells)
            table.origin, table.epoch = origin_of_time(column.cells, table.time, table.time_name)
            table.offsets_change = len(set(offsets_of(column.cells).values())) > 1
        else:
            setattr(table, name, _plain_texts(column))
    table.has_ids = table.id is not None
    if table.time is not None and table.time_kind == "numbers" and (np.diff(table.time) < 0).any():
        table = _distinguish_restarts(table, roles.by_name, {roles.id, roles.time, roles.day})
    if table.id is not None and (table.id == "").any():
        row = int(np.flatnonzero(table.id == "")[0])
        raise DataError(f"{path}: {table.row_word} {rows[row]} has no id; fill it in or remove the row")
    return table


def _plain_texts(column: Column) -> NDArray[np.str_]:
    """Return the cells of a column as texts."""
    cells = column.cells
    plain = {cell: plain_text(cell) for cell in set(cells)}
    return np.array([plain[cell] for cell in cells], dtype=np.str_)


def _without_marks(
    names: Sequence[str], columns: Sequence[Column], options: Reading, has_header: bool, path: Path
) -> tuple[list[str], list[Column], NDArray[np.str_] | None]:
    """Return columns without the one that the rows are cut at, and its entries."""
    if options.cut_at is None:
        return list(names), list(columns), None
    own = found_name(str(options.cut_at), names, path, "cut_at")
    kept = [(name, column) for name, column in zip(names, columns, strict=True) if name != own]
    marks = _plain_texts(dict(zip(names, columns, strict=True))[own])
    return [name for name, _ in kept], [column for _, column in kept], marks


def _is_place(name: str) -> bool:
    """Return whether a name denotes an unnamed column: its number from 1, or several."""
    return all(part.strip().isdecimal() for part in name.split(","))


def _with_joined_id(
    names: Sequence[str], columns: Sequence[Column], id_column: str | None, label_column: object, path: Path
) -> tuple[list[str], list[Column]]:
    """Return columns with several id columns combined into one, as ``animal,trial``; one of them may be that of the labels."""
    if id_column is None or "," not in id_column or id_column in names:
        return list(names), list(columns)
    parts = [found_name(name.strip(), names, path, "id_column") for name in id_column.split(",")]
    by_name = dict(zip(names, columns, strict=True))
    entries = zip(*([plain_text(cell) for cell in by_name[part].cells] for part in parts), strict=True)
    joined_cells = Column(text=["/".join(cells) if all(cells) else "" for cells in entries])
    rest = {name: column for name, column in by_name.items() if name not in parts or name == label_column}
    return [id_column, *rest], [joined_cells, *rest.values()]


_MOST_TRIALS = 0.34
"""Largest ratio of distinct cells to rows for a column that distinguishes recordings."""


def _distinguish_restarts(table: Table, columns: Mapping[str, Column], apart: set[str | None]) -> Table:
    """Return a table with ids extended by another column that separates restarts of the time."""
    codes = np.zeros(len(table.values), dtype=np.int64)
    if table.id is not None:
        codes = np.unique(table.id, return_inverse=True)[1].astype(np.int64)
    assert table.time is not None
    candidates: dict[str, IntArray] = {}
    for name, column in columns.items():
        if name in apart or name.lower() == "id" or (column.text is None and column.points):
            continue
        distinct, entries = np.unique(
            np.array(column.cells if column.text is not None or column.odd else column.numbers), return_inverse=True
        )
        if 1 < len(distinct) <= _MOST_TRIALS * len(table.values):
            candidates[name] = entries.astype(np.int64)
    found = telling_apart(table.time, codes, candidates)
    if found is None:
        return table
    # Minutes change wherever seconds begin again, but a trial is a recording.
    if not names_ids(found[0]) and all(goes_on(table.time[codes == code]) for code in np.unique(codes)):
        return table
    name, _ = found
    cells = [plain_text(cell) for cell in columns[name].cells]
    ids = cells if table.id is None else [f"{entry}/{cell}" for entry, cell in zip(table.id, cells, strict=True)]
    kept = [j for j, own in enumerate(table.columns) if own.lower() != name.lower()]
    if not kept:
        return table
    return replace(
        table,
        id=np.array(ids, dtype=np.str_),
        values=table.values[:, kept],
        columns=tuple(table.columns[j] for j in kept),
        restart_column=name,
    )


_BY_NAME = ("id_column", "time_column", "value_name", "variable_name")
"""Options that need column names."""


def _require_names(options: Reading, has_header: bool, path: Path) -> None:
    """Refuse options that need column names, for a table without any."""
    wanted = [name for name in _BY_NAME if not _is_place(getattr(options, name) or "1")]
    if wanted and not has_header:
        what = {"id_column": "the id", "time_column": "the time", "value_name": "that of the values"}
        raise DataError(
            f"{path}: has no names of columns, so that none is {what[wanted[0]]} {getattr(options, wanted[0])!r}; leave"
            f" {as_typed(wanted[0])} out, or write a header"
        )


def _without_dropped(
    names: Sequence[str], columns: Sequence[Column], options: Reading, path: Path
) -> tuple[list[str], list[Column]]:
    """Return columns without the dropped ones."""
    if not options.drop_columns and not options.idle_columns:
        return list(names), list(columns)
    dropped = {found_name(entry, names, path, "drop_columns") for entry in options.drop_columns}
    idle = {entry.lower() for entry in options.idle_columns}
    dropped |= {name for name in names if name.lower() in idle}
    kept = [(name, column) for name, column in zip(names, columns, strict=True) if name not in dropped]
    return [name for name, _ in kept], [column for _, column in kept]


def _feature(wanted: str, features: Mapping[str, Column], special: Mapping[str, Column], path: Path) -> str:
    """Return the name of a given feature."""
    if wanted.lower() in special and wanted not in features:
        raise DataError(
            f"{path}: the column {wanted!r}, which {as_typed('value_columns')} names, is the {wanted.lower()} and no"
            " feature; leave it out"
        )
    return found_name(wanted, list(features), path, "value_columns")


def _without_codes(
    features: Sequence[tuple[str, Column]], codes: Sequence[str]
) -> tuple[list[tuple[str, Column]], int]:
    """Return columns with cells for missing numbers marked as missing, and their number."""
    numbers = []
    for code in codes:
        try:
            numbers.append(to_number(code.replace(",", ".")))
        except ValueError:
            continue
    found, result = 0, []
    for name, column in features:
        column = column if column.text is None else column_of(column.text)
        hits = np.isin(column.numbers, numbers)
        odd = {row: "" if cell in codes else cell for row, cell in column.odd.items()}
        gone = dict.fromkeys(np.flatnonzero(hits).tolist(), "")
        found += len(gone) + sum(cell in codes for cell in column.odd.values())
        rounded = {row: cell for row, cell in column.rounded.items() if row not in gone}
        kept = np.where(hits, np.nan, column.numbers)
        result.append((name, replace(column, numbers=kept, odd={**odd, **gone}, rounded=rounded)))
    return result, found


_NUMBER_LED = re.compile(r"\W*\d")
_ID_LIKE = re.compile(r"\w+([_#:-]\w+)+")
"""Numbers and letters with separators of ids, as 4_2031_15."""


def _is_text(column: Column, *, has_time: bool) -> bool:
    """Return whether a column holds several words and no number, even with a unit or a mark.

    Dates and times are words where a time is known by another column.
    """
    if column.text is not None:
        column = column_of(column.text)
    if not column.odd:
        return False
    words = column.words
    if len(words) < 2 or len(column.odd) < len(column) or all(cell.lower() in TRUTH for cell in words):
        return False
    return not any(
        _NUMBER_LED.match(cell)
        and not (has_time and is_moment_like(cell))
        and not (_ID_LIKE.fullmatch(cell) and not is_moment_like(cell))
        for cell in words
    )


def _first_word(column: Column, rows: IntArray) -> tuple[int, str]:
    """Return the position of the first word of a column of text, and the word."""
    cells = column.odd.items() if column.text is None else enumerate(column.text)
    return next((int(rows[row]), cell) for row, cell in cells if cell not in MISSING_CELLS)


def selected(table: Table, options: Reading, path: Path) -> Table:
    """Return a table of numbers with the requested columns, and codes for missing numbers replaced."""
    _require_names(options, table.has_header, path)
    if options.time_column is not None and options.time_column in table.columns:
        table = _with_time(table, table.columns.index(options.time_column))
        options = options.altered(time_column=None)
    wanted = [name for name in _BY_NAME if getattr(options, name) is not None]
    if wanted:
        raise DataError(
            f"{path}: has no column for {options.as_typed(wanted[0])}, since all of its columns are numbers; leave it out"
        )
    if not options.given_of_tables:
        return table
    names = list(table.columns)
    dropped = {found_name(entry, names, path, "drop_columns") for entry in options.drop_columns}
    names = [name for name in names if name not in dropped]
    mark = None
    if options.cut_at is not None:
        own = found_name(str(options.cut_at), names, path, "cut_at")
        names = [name for name in names if name != own]
        mark = np.array([f"{entry:g}" for entry in table.values[:, table.columns.index(own)]], dtype=np.str_)
    if options.value_columns is not None:
        names = [found_name(str(entry), names, path, "value_columns") for entry in options.value_columns]
    if not names:
        raise DataError(f"{path}: no column is left; drop fewer")
    codes = [column.numbers for column in map(column_of, [[code] for code in options.missing_codes])]
    hits = np.isin(table.values, [code[0] for code in codes if np.isfinite(code[0])])
    values = np.where(hits, np.nan, table.values)[:, [table.columns.index(name) for name in names]]
    return replace(table, values=values, columns=tuple(names), coded=int(hits.sum()), mark=mark)


def require_poses(options: Reading, poses: int) -> None:
    """Refuse options of pose tables for other tables."""
    given = options.given("poses")
    if given and not poses:
        raise DataError(
            f"{options.as_typed(given[0])} is for tables of poses (DeepLabCut, SLEAP, anipose), but there is none; leave it out"
        )


def table_remarks(
    tables: Sequence[Table], options: Reading, attributes: Mapping[str, int] = MappingProxyType({})
) -> list[str]:
    """Return sentences on omitted text columns other than `attributes`, values that became columns, and codes."""
    said = Counter(table.said for table in tables if table.said)
    remarks = [f"{sentence} ({count(number, 'file')})" if number > 1 else sentence for sentence, number in said.items()]
    words = sorted({name for table in tables for name in table.words} - set(attributes))
    if words:
        hint = _hint_on_classes(tables, words) + _hint_on_states(tables, words, options)
        remarks.append(note_on_text_columns(words, hint))
    apart = sorted({table.restart_column for table in tables if table.restart_column})
    if apart:
        some = sum(bool(table.restart_column) for table in tables)
        remarks.append(
            f"the time begins again within sequences of {count(some, 'table')} wherever the column"
            f" {listed(list(map(repr, apart)))} changes:"
            " each stretch is a sequence"
        )
    kinds = list(dict.fromkeys(kind for table in tables for kind in table.kinds))
    if kinds:
        remarks.append(f"read a tidy table, whose values are of {count(len(kinds), 'kind')}: {listed(kinds)}")
    if options.missing_codes:
        number = sum(table.coded for table in tables)
        remarks.append(f"took {listed(options.missing_codes)} for missing ({count(number, 'cell')})")
    return remarks


def _hint_on_classes(tables: Sequence[Table], words: Sequence[str]) -> str:
    """Return how columns of text become labels."""
    if all(table.has_header for table in tables):
        return "a column of classes is read if it is called label"
    return f"if it holds classes of sequences, {as_typed('labels', words[0])}"


def _hint_on_states(tables: Sequence[Table], words: Sequence[str], options: Reading) -> str:
    """Return how to divide files by a column of text that holds states, which last several rows; empty where none does."""
    for name in words:
        own = [
            part[:, None]
            for table in tables
            if table.texts is not None and name in table.words and (table.id is None or options.id_column is not None)
            for part in _by_id(table, table.texts[:, list(table.words).index(name)])
        ]
        if len(own) >= len(tables) and are_states(own):
            both = name if options.id_column is None else f"{options.id_column},{name}"
            return f"; {as_typed('id_column', both)} divides each {'file' if options.id_column is None else 'sequence'} by it"
    return ""


def _named_time(time_column: str, names: Sequence[str], special: Mapping[str, Column], path: Path) -> str:
    """Return the name of the column given as the time, ignoring case."""
    matches = [name for name in names if name == time_column] or [
        name for name in names if name.lower() == time_column.lower()
    ]
    if len(matches) != 1 or matches[0] in special:
        what = (
            "says which sequence, label or group a row is of"
            if matches and matches[0] in special
            else "is none of its columns"
        )
        raise DataError(f"{path}: the time column {time_column!r} {what} ({listed(list(names))}); name another one")
    return matches[0]


def _day_and_clock(features: Sequence[tuple[str, Column]], timed: str | None) -> tuple[str, str, Column] | None:
    """Return names of the columns of date and time of day, and the combined column; None unless there is one of each.

    If a column is known to be the time, that is one of them.
    """
    days = [name for name, column in features if _all_are(column, day_of)]
    clocks = [name for name, column in features if _all_are(column, is_clock)] if days else []
    days, clocks = ([timed] if timed in names else names for names in (days, clocks))
    if len(days) != 1 or len(clocks) != 1 or timed not in (None, *days, *clocks):
        return None
    cells = dict(features)
    parts = zip(cells[days[0]].cells, cells[clocks[0]].cells, strict=True)
    return days[0], clocks[0], Column(text=[f"{day_of(day)} {'0' * (clock[1] == ':')}{clock}" for day, clock in parts])


_CALENDAR = ("year", "month", "day", "hour", "minute", "second", "millisecond")
_PARTS_OF_TIME = {
    **{word: word for word in _CALENDAR},
    **{f"{word}s": word for word in _CALENDAR},
    **{"hr": "hour", "hh": "hour", "min": "minute", "mm": "minute", "sec": "second", "ss": "second"},
    **{"ms": "millisecond", "millis": "millisecond", "msec": "millisecond"},
}
"""Names of columns of parts of a date and a time of day."""
_LEAST_PART, _MOST_PART = (1000, 1, 1, 0, 0, 0, 0), (9999, 12, 31, 23, 59, 59, 999)


def _calendar(features: Sequence[tuple[str, Column]], special: Mapping[str, Column]) -> tuple[list[str], Column] | None:
    """Return names of columns of parts of a date, of a time of day, or of both, and all in one; None without them.

    These are the year, the month and the day, perhaps with parts of it, or the hour, the minute and the second.
    """
    by_word: dict[str, tuple[str, Column]] = {}
    for name, column in features:
        by_word.setdefault(_PARTS_OF_TIME.get(name.lower(), ""), (name, column))
    words = [word for word in _CALENDAR if word in by_word]
    begin = _CALENDAR.index(words[0]) if words else 0
    own = slice(begin, begin + len(words))
    if (
        "time" in special
        or words != list(_CALENDAR[own])
        or len(words) < 3
        or begin not in (0, _CALENDAR.index("hour"))
    ):
        return None
    parts = [by_word[word][0] for word in words]
    numbers = np.column_stack([by_word[word][1].numbers for word in words if by_word[word][1].text is None])
    if numbers.shape[1] < len(words) or not np.isfinite(numbers).all() or (numbers != np.round(numbers)).any():
        return None
    if (numbers < _LEAST_PART[own]).any() or (numbers > _MOST_PART[own]).any():
        return None
    whole = np.zeros((len(numbers), len(_CALENDAR)), dtype=np.int64)
    whole[:, own] = numbers
    end = "" if words[-1] != _CALENDAR[-1] else ".{6:03d}"
    form = ("{0:04d}-{1:02d}-{2:02d} " if begin == 0 else "") + "{3:02d}:{4:02d}:{5:02d}" + end
    return parts, Column(text=[form.format(*row) for row in whole.tolist()])


def _all_are(column: Column, kind: Callable[[str], object]) -> bool:
    """Return whether all cells are of a non-numeric kind."""
    cells = column.text if column.text is not None else list(column.odd.values())
    return bool(cells) and len(cells) == len(column) and all(map(kind, cells))


def _is_steady(column: Column, ids: NDArray[np.str_]) -> bool:
    """Return whether a column has one entry within each sequence, as the day of a recording, and some sequence has several rows."""
    n_sequences = len(np.unique(ids))
    return n_sequences < len(ids) and len(set(zip(ids.tolist(), column.cells, strict=True))) == n_sequences


def _recognised_time(features: Sequence[tuple[str, Column]], ids: Column | None, path: Path) -> str | None:
    """Return the name of the only possible time column."""
    entries = None if ids is None else np.array(ids.cells)
    times = [
        name
        for name, column in features
        if tells_time(column, entries) and (entries is None or not _is_steady(column, entries))
    ]
    if len(times) > 1:
        raise DataError(
            f"{path}: the columns {listed([repr(name) for name in times])} hold times; {name_it()}, and remove the others"
        )
    return times[0] if times else None


def take_out(tables: Sequence[Table], options: Reading = USUAL) -> tuple[list[Table], list[str]]:
    """Return tables without clocks and counters, the first of them as the time if there is none, and notes.

    Parameters
    ----------
    tables : sequence of Table
        With the same columns; rows of one id follow each other.
    options : Reading
        Columns that it names as features stay.
    """
    if options.value_columns is not None:
        return list(tables), []
    blank = find_blank([table.values for table in tables])
    if blank:
        gone = [tables[0].columns[j] for j in blank]
        taken, said = take_out([_without_columns(table, set(gone)) for table in tables], options)
        return taken, [note_on_blank_columns(gone), *said]
    timed = any(table.time is not None for table in tables)
    names, named = tables[0].columns, tables[0].has_header
    found = find_clocks(names, [values for table in tables for values in _by_id(table)], timed, named)
    said = notes_on_clocks(names, replace(found, time=None), named)
    taken = [_with_time(table, found.time) if found.time is not None else table for table in tables]
    idle = {names[j] for j in found.left_out}
    return [_without_columns(table, idle) for table in taken] if idle else taken, said


def without_attributes(
    tables: Sequence[Table], options: Reading = USUAL
) -> tuple[list[Table], dict[str, int], list[str]]:
    """Return tables without attributes of sequences, these with their numbers of values, and notes.

    Parameters
    ----------
    tables : sequence of Table
        With the same columns; rows of one id follow each other.
    options : Reading
        With columns that it names as features, all stay.
    """
    said = []
    for name in ("label", "group"):
        cells = [getattr(table, name) for table in tables]
        if (
            (options.label_column is None or name == "group")
            and any(entry is not None for entry in cells)
            and "labels" not in tables[0].said
        ):
            known = {cell for entry in cells if entry is not None for cell in entry.tolist()}
            said.append(note_on_labels(name, name, len(known - {""})))
    if options.value_columns is not None:
        return list(tables), {}, said
    words = [
        name for name in tables[0].words if all(name in table.words and table.texts is not None for table in tables)
    ]
    texts = []
    for table in tables if words else ():
        assert table.texts is not None
        texts.append(table.texts[:, [list(table.words).index(name) for name in words]])
    names = [*tables[0].columns, *words]
    values = [part for table in tables for part in _by_id(table)]
    coded = [part for table, own in zip(tables, texts, strict=False) for part in _by_id(table, own)]
    found = find_constant(names, values, tables[0].has_header, coded, devices=True)
    left_out = {names[j]: number for j, number in found.items()}
    states = find_states(tables[0].columns, values) if tables[0].has_header else {}
    if lasting := _lasting(tables[0].columns, values, tables[0].has_header):
        said.append(note_on_lasting_values(lasting))
    said = [
        *notes_on_attributes(left_out),
        *(note_on_state_column(names[j], number) for j, number in states.items()),
        *said,
    ]
    left_out |= {names[j]: number for j, number in states.items()}
    gone = set(left_out) & set(tables[0].columns)
    return [_without_columns(table, gone) for table in tables] if gone else list(tables), left_out, said


_STATE_WORDS = frozenset(
    {"state", "status", "mode", "phase", "stage", "step", "cycle", "event", "marker", "trigger", "block"}
)
"""Words of names of states of rows."""
_LASTING = 20
"""Rows of a stretch of one value, as a mean, from which on numbers of a column without a name may be states."""


def _lasting(names: Sequence[str], sequences: Sequence[FloatArray], named: bool) -> list[str]:
    """Return columns that look like states: few different whole numbers, each constant over many rows.

    Other columns must have fractions or many values. Named columns must also have a name that is used for states.
    """
    whole = [all(not np.mod(known, 1.0).any() for known in _finite_values(sequences, j)) for j in range(len(names))]
    if all(whole) and (named or all(_has_few_values(sequences, j) for j in range(len(names)))):
        return []
    rows = sum(map(len, sequences))
    found = []
    for j in np.flatnonzero(whole).tolist():
        if named and not words_of(names[j]) & _STATE_WORDS:
            continue
        columns = [values[:, j : j + 1] for values in sequences]
        changes = sum(int(np.count_nonzero(np.diff(column[:, 0]))) for column in columns)
        if are_states(columns) and rows >= _LASTING * (changes + len(columns)):
            found.append(names[j])
    return found


def _finite_values(sequences: Sequence[FloatArray], column: int) -> list[FloatArray]:
    return [values[np.isfinite(values[:, column]), column] for values in sequences]


_MEASURED = 50
"""Distinct whole numbers of a column from which on it is taken for a measurement."""


def _has_few_values(sequences: Sequence[FloatArray], column: int) -> bool:
    return len(np.unique(np.concatenate(_finite_values(sequences, column)))) < _MEASURED


def _without_columns(table: Table, idle: set[str]) -> Table:
    kept = [j for j, name in enumerate(table.columns) if name not in idle]
    return replace(table, values=table.values[:, kept], columns=tuple(table.columns[j] for j in kept))


def _by_id(table: Table, values: FloatArray | None = None) -> list[FloatArray]:
    """Return values of a table, of its features or others, by sequence."""
    values = table.values if values is None else values
    if table.id is None:
        return [values]
    return np.split(values, np.flatnonzero(table.id[1:] != table.id[:-1]) + 1)


def time_remarks(tables: Sequence[Table]) -> list[str]:
    """Return a sentence on each column used as the time, with the reason."""
    said = [
        f"using column {name!r} as time, {why_time(name)} (choose another with {as_typed('time_column')}; to keep it as a"
        f" feature, name the features with {as_typed('value_columns')})"
        for name in sorted({table.time_source for table in tables if table.time_source is not None})
    ]
    pairs = sorted({(table.day, table.time_name) for table in tables if table.day is not None})
    said += [f"read the columns {day!r} and {clock!r} together as the time" for day, clock in pairs]
    return [*said, *_notes_on_offsets([table.origin.tz for table in tables if table.offsets_change])]


def _notes_on_offsets(zones: Sequence[Any]) -> list[str]:
    """Return a sentence on times whose offset from UTC changes, by the zone of each table."""
    if not zones:
        return []
    named = sorted({str(zone) for zone in zones if isinstance(zone, ZoneInfo)})
    if len(named) == 1 and all(isinstance(zone, ZoneInfo) for zone in zones):
        return [f"the offset from UTC changes within the times, as in {named[0]}: days begin at midnight there"]
    return [
        "the offset from UTC changes within the times, as it does in no single time zone: days begin at midnight by the first"
        " offset of each file"
    ]


def _with_time(table: Table, column: int) -> Table:
    columns = tuple(name for j, name in enumerate(table.columns) if j != column)
    times = table.values[:, column]
    return replace(
        table,
        values=np.delete(table.values, column, axis=1),
        columns=columns,
        time=times,
        time_source=table.columns[column],
        time_name=table.columns[column],
        unit=(unit := time_unit(table.columns[column], float(times[0]), np.diff(times))),
        origin=(origin := origin_of_epoch(unit, float(times[0]))),
        epoch=origin is not None,
    )


def in_time(table: Table, path: Path) -> tuple[Table, dict[str, RowOrder]]:
    """Return a table with its rows by id (first appearance) and time, and by id the orders of unsorted ones.

    Where there is no column of ids, the one sequence is called "". Equal times keep their order.

    Raises
    ------
    DataError
        If times begin again in a way that is that of no clock.
    """
    codes, names = np.zeros(len(table.values), dtype=np.int64), [""]
    if table.id is not None:
        unique, first, found = np.unique(table.id, return_index=True, return_inverse=True)
        codes, names = np.argsort(np.argsort(first))[found], unique[np.argsort(first)].tolist()
    if table.time is None:
        return (table if table.id is None else ordered(table, np.argsort(codes, kind="stable"))), {}

    def where(code: int) -> str:
        return f"{path}: column {table.time_name!r}" + (
            f", in sequence {names[code]!r}," if table.id is not None else ""
        )

    order, times, orders = orders_within(table.time, codes, table.time_kind, where)
    if table.id is not None or orders:
        unit = SECONDS if any(entry.seconds for entry in orders.values()) else table.unit
        table = replace(ordered(table, order), time=times, unit=unit)
    return table, {names[code]: entry for code, entry in orders.items()}


def ordered(table: Table, order: IntArray | slice) -> Table:
    """Return the rows of a table in another order, or a subset."""
    picked: dict[str, Any] = {name: getattr(table, name) for name in ("values", "rows", "texts", "mark", *SPECIAL)}
    changes: dict[str, Any] = {name: entry if entry is None else entry[order] for name, entry in picked.items()}
    return replace(table, **changes)


def _named(column: str, has_header: bool) -> str:
    return f"column {column!r}" if has_header else f"column {column}"
