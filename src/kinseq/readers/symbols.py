"""Sequences of symbols in files: event logs, long tables, states in columns, spells, one sequence per line, FASTA.

Files are of symbols where a column of them is named (``symbols``), or where nothing in them is a number but times and ids.
"""

from __future__ import annotations

import ast
import csv
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..core.clock import Clock
from ..core.constant_columns import notes_on_attributes
from ..core.errors import DataError, printable
from ..core.folders import LABELS_FILE, walk
from ..core.id_names import names_ids
from ..core.sequences import SequenceSet
from ..core.spans import seconds_in
from ..core.symbols import (
    CHARACTERS,
    EVENTS,
    MAX_SYMBOLS,
    TIME_NAMES,
    WORDS,
    are_codes,
    as_symbol,
    cut_text,
    is_uneven,
    lasting,
    symbol_set,
)
from ..core.wording import as_typed, count
from .columns import found_name
from .containers.json_records import EVENT_NAMES, EXTENSIONS, frame_with_text
from .discovery import WORKBOOK, Contents, ending_of
from .labels import attach_labels, open_labels
from .nested import unnested
from .parquet import cell_text, text_table
from .reading import Reading
from .text import TRUTH, decode, is_date, is_number, is_time_of_day, read_bytes
from .times import moments
from .workbooks import read_workbook

FASTA = (".fasta", ".fa", ".fna", ".faa", ".fas")
TABLES = (".csv", ".tsv", ".txt", ".tab", ".seq")
FRAMES = (".parquet", ".pq", WORKBOOK, *EXTENSIONS)
"""Extensions of binary tables, and of JSON."""
_STARTS = ("start", "begin", "from", "onset", "start_date", "begin_date", "start_time", "begin_time",
           "start timestamp", "start_timestamp")  # fmt: skip
_ENDS = ("end", "stop", "to", "offset", "end_date", "stop_date", "end_time", "stop_time",
         "end timestamp", "end_timestamp", "complete timestamp", "complete_timestamp")  # fmt: skip
_LASTING = ("duration", "dur")
"""Names of durations of states that follow each other."""
_IDS = ("id", "case:concept:name")
"""Names of columns of ids; the second one is that of event logs of processes (XES)."""
_ACTIVITY, _LIFECYCLE, _DONE = "concept:name", "lifecycle:transition", "complete"
"""Names of XES: of activities, of what happened to them, and the entry by which they are done."""
_STATES = EVENT_NAMES
_MARKS = ("\t", ";", ",")
_SAMPLED_FILES = 5
"""Approximate number of files of a folder examined to decide whether it holds symbols."""
_SAMPLED_CODES = 100
"""Largest number of files examined if the first ones hold few whole numbers, which may be codes of symbols."""
_SNIFFED = 1 << 16
"""Number of bytes of a file examined to decide whether it holds symbols."""
_LEAST_WORDS = 0.5
"""Share of non-numeric cells above which a column holds symbols."""
_STATES_OF_ROWS = ("state", "states", "symbol", "symbols", "value")
"""Names of symbols that are numbers, in tables with a row for a sequence; the last one is what series of rows are called."""
_LEAST_STATES = 3
"""Least number of columns of a wide table of states."""
_LEAST_STEPS = 4
"""Least number of steps of a column that rises by one step to be the time."""
_MANY_STATES = 6
"""Least number of columns of states for other columns next to them to be attributes."""
_LEAST_LETTERS = 5
"""Least length of lines of letters for each to be a sequence of them."""
_LEAST_REPEATS = 5
"""Least mean frequency of words for lines of words to be sequences of symbols."""


@dataclass
class _Sheet:
    """Cells of a table as text, by row, below its header; `first` is the number of the first line."""

    path: Path
    header: list[str]
    rows: list[list[str]]
    first: int = 2

    def column(self, name: str) -> list[str]:
        place = self.header.index(name)
        return [row[place] if place < len(row) else "" for row in self.rows]

    def without(self, columns: Sequence[str]) -> _Sheet:
        """Return the table without some of its columns; DataError if it has no such column."""
        gone = {self.header.index(found_name(name, self.header, self.path, "drop_columns")) for name in columns}
        kept = [i for i in range(len(self.header)) if i not in gone]
        rows = [[row[i] for i in kept if i < len(row)] for row in self.rows]
        return replace(self, header=[self.header[i] for i in kept], rows=rows)

    def named(self, names: Iterable[str]) -> str | None:
        """Return the first column with one of some names, ignoring case."""
        lowered = {name.strip().lower(): name for name in reversed(self.header)}
        return next((lowered[name] for name in names if name in lowered), None)


@dataclass
class _SymbolRows:
    """Sequences as found: rows of symbols, their ids, labels and notes."""

    rows: list[list[Any]] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    left_out: dict[str, set[str]] = field(default_factory=dict)
    column: str = "symbol"
    step: float | None = None
    is_time: bool = False
    uneven: bool = False


def read_symbols(root: Path, how: Reading, name: str) -> SequenceSet | None:
    """Return the sequences of symbols in a file or folder; None if it holds no symbols, and none were named.

    Raises
    ------
    DataError
        If a column that was named is not there, spells overlap or leave gaps, or symbols are none.
    """
    files = _files(root, how)
    column = _column_of_symbols(files, how, alone=root.is_file()) if files else None
    if column is None:
        if root.is_file() and files and how.symbols is None and _are_letters(root):
            raise DataError(
                f"{root}: holds lines of letters without blanks; if each is a sequence of letters, say so"
                f" ({as_typed('symbols', CHARACTERS)})"
            )
        return None
    how.require_symbols()
    found = _read(root, files, how, column)
    ids = found.ids
    made = symbol_set(found.rows, ids, found.labels or None, name=name, column=found.column)
    provenance: dict[str, Any] = {**made.provenance, "path": printable(str(root)), "kind": "symbols"}
    if found.step is not None and found.is_time:
        provenance |= Clock(found.step).as_provenance()
    if found.uneven:
        provenance |= {EVENTS: True}
    made = replace(made, provenance=provenance, notes=(*made.notes, *found.notes), reading=how)
    if root.is_dir():
        contents = Contents(root, "table", list(files), {file: file.relative_to(root).as_posix() for file in files})
        made = attach_labels(made, contents, how.labels_file, open_labels(contents, how.labels_file))
    return made


def _files(root: Path, how: Reading) -> list[Path]:
    """Return files that may hold symbols."""
    if how.kind not in (None, "table"):
        return []
    files = (
        [root]
        if root.is_file()
        else [file for file in walk(root).files if file.name != (how.labels_file or LABELS_FILE)]
    )
    able = [file for file in files if ending_of(file) in (*TABLES, *FASTA, *FRAMES)]
    return able if able and len(able) == len(files) else []


class _Held(NamedTuple):
    """Whether a file holds symbols, None where it does not show, and the column that may hold them."""

    are_symbols: bool | None
    column: str = ""


def _column_of_symbols(files: Sequence[Path], how: Reading, alone: bool) -> str | None:
    """Return the column of symbols of some files, empty where they have none; None if they hold numbers.

    Numbers in the same column as other files' symbols are codes of them. Files without rows are refused when they are read.
    """
    sample = files[:: max(1, len(files) // _SAMPLED_FILES)]
    found = [_held(file, how, alone) for file in sample]
    if all(held.are_symbols is None for held in found):
        # Codes of other files' symbols, or numbers: only these files show which.
        found += [_held(file, how, alone) for file in files[:_SAMPLED_CODES] if file not in sample]
    columns = [held.column for held in found if held.are_symbols]
    codes = {held.column for held in found if held.are_symbols is None and held.column}
    if not columns or any(held.are_symbols is False for held in found) or not codes <= set(columns):
        return None
    return columns[0]


def _held(path: Path, how: Reading, alone: bool) -> _Held:
    """Return whether a file holds symbols: it is FASTA, they were named, or there is no number in place of symbols.

    It does not show in a file without rows, or with few whole numbers, which may be codes of the symbols of other files.
    """
    if ending_of(path) in FASTA or how.symbols is not None:
        return _Held(True)
    if how.changed().keys() & {
        "value_columns",
        "circular",
        "rows",
        "skip_rows",
        "animals",
        "annotations",
        "variable_name",
    }:
        return _Held(False)
    try:
        if alone and _are_lines(path):
            return _Held(True)
        sheet = _sheet(path, how, most=_SNIFFED)
    except (DataError, csv.Error):
        return _Held(False)
    if sheet is None or not sheet.rows:
        return _Held(None)
    if len(set(sheet.header)) < len(sheet.header):
        return _Held(False)
    if len(sheet.header) == 1 and (alone or not _are_single_words([sheet.header[0], *sheet.column(sheet.header[0])])):
        return _Held(False)
    if any(is_number(name) and not _is_words(sheet.column(name)) for name in sheet.header):
        return _Held(False)
    if any(any(row[len(sheet.header) :]) for row in sheet.rows):
        # What stands above the table is no header of it.
        return _Held(False)
    if how.id_column is not None and how.id_column not in sheet.header:
        return _Held(False)
    if (layout := _layout(sheet, how, alone)) is not None:
        return _Held(True, layout[1])
    codes = None if alone else _codes(sheet, how)
    return _Held(False) if codes is None else _Held(None, codes)


def _are_single_words(cells: Sequence[str]) -> bool:
    """Return whether the lines of a file are single words or codes, some of which repeat, below a word."""
    name, *known = (cell.strip() for cell in cells if as_symbol(cell) is not None)
    words = all(cell.isidentifier() for cell in known) or are_codes(known)
    return name.isidentifier() and words and len(set(known)) < len(known)


def _codes(sheet: _Sheet, how: Reading) -> str | None:
    """Return the only column of a table next to times and ids if it holds few whole numbers."""
    apart = _apart(sheet, how)
    rest = [name for name in sheet.header if name not in apart]
    return rest[0] if len(rest) == 1 and are_codes(sheet.column(rest[0])) else None


def _are_lines(path: Path) -> bool:
    """Return whether each line of a text file is a sequence of frequently repeated words, including its first word."""
    if ending_of(path) not in TABLES:
        return False
    content = read_bytes(path)[:_SNIFFED]
    text, _ = decode(content.rpartition(b"\n")[0] or content, path)
    lines = [cut_text(line, WORDS) for line in text.splitlines() if line.strip()]
    if len(lines) < 2 or min(map(len, lines)) < 2:
        return False
    counts = Counter(word for line in lines for word in line)
    few = len(counts) <= MAX_SYMBOLS and _LEAST_REPEATS * len(counts) <= counts.total()
    below = {word for line in lines[1:] for word in line}
    return few and set(lines[0]) <= below and not any(map(is_number, counts))


def _are_letters(path: Path) -> bool:
    """Return whether each line of a text file is a word of few letters, each of them frequent."""
    if ending_of(path) not in TABLES:
        return False
    content = read_bytes(path)[:_SNIFFED]
    text, _ = decode(content.rpartition(b"\n")[0] or content, path)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    counts = Counter("".join(lines))
    return (
        len(lines) > 1
        and all(line.isalpha() and len(line) >= _LEAST_LETTERS for line in lines)
        and _LEAST_REPEATS * len(counts) <= counts.total()
    )


def _sheet(path: Path, how: Reading, most: int | None = None) -> _Sheet | None:
    """Return the cells of a table without dropped columns: of the first `most` bytes of a text file, or a binary one with text."""
    whole = _whole_sheet(path, most)
    if whole is None:
        return None
    whole = _with_header(whole)
    return whole.without(how.drop_columns) if how.drop_columns else whole


def _with_header(sheet: _Sheet) -> _Sheet:
    """Return a table of symbols, or of times and symbols, whose first line is no header but one of its rows, with a header."""
    names = {1: ["state"], 2: ["time", "state"]}.get(len(sheet.header))
    if names is None or sheet.first == 1 or len(set(sheet.header)) < len(sheet.header):
        return sheet
    time, symbol = sheet.header[0], sheet.header[-1]
    cells = sheet.column(symbol)
    is_row = symbol in cells and _is_words(cells) and (len(names) == 1 or is_number(time) or is_date(time))
    return replace(sheet, header=names, rows=[sheet.header, *sheet.rows], first=1) if is_row else sheet


def _whole_sheet(path: Path, most: int | None) -> _Sheet | None:
    if ending_of(path) in FRAMES:
        return _sheet_of_frame(path, None if most is None else _SAMPLED_ROWS)
    content = read_bytes(path)
    text, _ = decode(content if most is None else content[:most].rpartition(b"\n")[0] or content[:most], path)
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        return None
    mark = max(_MARKS, key=lines[0].count)
    header, *rows = list(csv.reader(lines, delimiter=mark))
    return _unpacked(_Sheet(path, [cell.strip() for cell in header], rows))


def _unpacked(sheet: _Sheet) -> _Sheet:
    """Return a table with a row for each entry of the lists of text in its cells, if one column has such lists."""
    lists: dict[int, list[list[str]]] = {}
    for place, name in enumerate(sheet.header):
        cells = [cell.strip() for cell in sheet.column(name)]
        if cells and all(cell.startswith("[") and cell.endswith("]") for cell in cells):
            try:
                found = [ast.literal_eval(cell) for cell in cells]
            except (ValueError, SyntaxError):
                continue
            if all(row and all(isinstance(entry, str) for entry in row) for row in found):
                lists[place] = found
    if len(lists) != 1:
        return sheet
    ((place, found),) = lists.items()
    header, rows = sheet.header, sheet.rows
    if _id_of_rows(sheet) is None:
        header, place = ["id", *header], place + 1
        rows = [[f"row {i}", *row] for i, row in enumerate(rows, start=1)]
    parts = [[*row[:place], entry, *row[place + 1 :]] for row, own in zip(rows, found, strict=True) for entry in own]
    return replace(sheet, header=header, rows=parts)


def _id_of_rows(sheet: _Sheet) -> str | None:
    """Return the column that tells the rows of a table apart."""
    called = (name for name in sheet.header if names_ids(name))
    return next((name for name in called if len(set(sheet.column(name))) == len(sheet.rows)), None)


_SAMPLED_ROWS = 1000
"""Number of rows of a binary table examined to decide whether it holds symbols."""


def _sheet_of_frame(path: Path, most: int | None) -> _Sheet | None:
    """Return the cells of a Parquet file or workbook as text; None of Parquet without text, whose numbers stay unread."""
    if path.suffix.lower() == WORKBOOK:
        whole = read_workbook(path)
        columns = [column.cells for column in whole.columns]
        rows = [list(row) for row in zip(*columns, strict=True)][:most]
        return _Sheet(path, [cell.strip() for cell in whole.first], rows)
    if ending_of(path) in EXTENSIONS:
        frame = frame_with_text(path)
    else:
        table = text_table(path)
        frame = None if table is None else unnested(table.to_pandas(ignore_metadata=True), path)[0]
    if frame is None:
        return None
    cells = [frame.iloc[:most, j].astype(object) for j in range(frame.shape[1])]
    missing = [column.isna() for column in cells]
    columns = [
        ["" if gap else cell_text(cell) for cell, gap in zip(column, gaps, strict=True)]
        for column, gaps in zip(cells, missing, strict=True)
    ]
    rows = [list(row) for row in zip(*columns, strict=True)]
    return _Sheet(path, [str(name).strip() for name in frame.columns], rows, 1 if ending_of(path) in EXTENSIONS else 2)


def _layout(sheet: _Sheet, how: Reading, alone: bool) -> tuple[str, str] | None:
    """Return the layout of a table of symbols, and its column of symbols; None for a table with numbers.

    Layouts are ``spells``, ``long``, ``log`` (a sequence a file) and ``wide`` (a sequence a row), and ``long durations`` and
    ``durations`` (a sequence a file) for states with how long they last.
    """
    own, time = _id(sheet, how), _time(sheet, how)
    start, end = sheet.named(_STARTS), sheet.named(_ENDS)
    apart = _apart(sheet, how)
    named = how.symbols if isinstance(how.symbols, str) and how.symbols in sheet.header else None
    if how.symbols is None and own == _IDS[1] and _ACTIVITY in sheet.header:
        named = _ACTIVITY
    text = [
        name
        for name in sheet.header
        if name not in apart and name not in (start, end) and _is_words(sheet.column(name))
    ]
    if start is not None and end is not None:
        state = named or sheet.named(_STATES) or (text[0] if len(text) == 1 else None)
        return ("spells", state) if state in (*text, named) and state is not None else None
    others = [name for name in sheet.header if name not in apart and name not in text]
    repeats = alone and own is not None and len(set(sheet.column(own))) < len(sheet.rows)
    lasting_for = _durations(sheet)
    if lasting_for is not None and (repeats or not alone) and set(others) <= {lasting_for, start}:
        state = named or (text[0] if len(text) == 1 else None)
        if state is not None:
            return ("long durations" if repeats else "durations"), state
    if named is None and (repeats or not alone) and (left_out := _attributes(sheet, how)):
        text, others = [name for name in text if name not in left_out], []
    states = _states(sheet, how)
    codes = how.symbols in _STATES_OF_ROWS and time is None and all(are_codes(sheet.column(name)) for name in others)
    is_wide = alone and not repeats and named is None and (codes or set(states) <= set(text))
    if is_wide and len(states) >= _LEAST_STATES:
        return "wide", "state"
    column = named or (text[0] if len(text) == 1 and not others else None)
    if column is None or (alone and not repeats):
        return None
    return ("long" if repeats else "log", column)


def _durations(sheet: _Sheet) -> str | None:
    """Return the column of how long each state lasts, if all its cells are numbers."""
    name = sheet.named(_LASTING)
    return name if name is not None and all(is_number(cell.strip()) for cell in sheet.column(name)) else None


def _apart(sheet: _Sheet, how: Reading) -> set[str]:
    """Return the columns of ids, labels, times and groups."""
    found = (_id(sheet, how), _label(sheet, how), _time(sheet, how), sheet.named(["group"]))
    return {name for name in found if name is not None}


def _states(sheet: _Sheet, how: Reading) -> list[str]:
    """Return the columns of states of a table with a row for a sequence.

    They are all but ids, labels and groups, or, next to attributes, the many ones that have most symbols in common with others.
    """
    columns = [name for name in sheet.header if name not in _apart(sheet, how)]
    symbols = {name: set(sheet.column(name)) for name in columns}
    often = Counter(symbol for own in symbols.values() for symbol in own)
    words = [name for name in columns if _is_words(sheet.column(name))]
    alike = [
        name for name in words if sum(often[one] > _LEAST_STATES for one in symbols[name]) > 0.5 * len(symbols[name])
    ]
    return alike if _MANY_STATES <= len(alike) < len(columns) else columns


def _label(sheet: _Sheet, how: Reading) -> str | None:
    """Return the column of labels: the named one, or ``label``."""
    return how.labels if isinstance(how.labels, str) and how.labels in sheet.header else sheet.named(["label"])


def _attributes(sheet: _Sheet, how: Reading) -> dict[str, set[str]]:
    """Return columns with one value within each sequence, and their values, if one other column remains."""
    columns = [name for name in sheet.header if name not in _apart(sheet, how)]
    if len(columns) < 2:
        return {}
    own = _id(sheet, how)
    ids = [""] * len(sheet.rows) if own is None else sheet.column(own)
    steady: dict[str, set[str]] = {}
    for name in columns:
        cells = sheet.column(name)
        if all(as_symbol(cell) is None for cell in cells):
            # What stands above a table is no header of it.
            return {}
        first: dict[str, str] = {}
        if all(first.setdefault(entry, cell) == cell for entry, cell in zip(ids, cells, strict=True)):
            steady[name] = set(cells)
    return steady if len(columns) - len(steady) == 1 else {}


def _is_words(cells: Sequence[str]) -> bool:
    """Return whether cells are words: neither numbers, nor lists as of JSON, nor dates or times of day."""
    known = [cell.strip() for cell in cells if as_symbol(cell) is not None]
    if (
        not known
        or all(cell.startswith("[") and cell.endswith("]") for cell in known)
        or all(is_date(cell) or is_time_of_day(cell) for cell in known)
    ):
        return False
    return sum(not is_number(cell) for cell in known) > _LEAST_WORDS * len(known)


def _id(sheet: _Sheet, how: Reading) -> str | None:
    """Return the column of ids: the named one, ``id``, or the first one with a matching name and repeated entries."""
    if how.id_column is None:
        called = [name for name in sheet.header if names_ids(name) and name != how.symbols]
        repeating = (name for name in called if len(set(sheet.column(name))) < len(sheet.rows))
        unnamed = sheet.header[0] if sheet.header[0] == "" and len(set(sheet.column(""))) == len(sheet.rows) else None
        return sheet.named(_IDS) or next(repeating, unnamed)
    if how.id_column not in sheet.header and how.symbols is not None:
        raise DataError(f"{sheet.path}: has no column {how.id_column!r}; it has {', '.join(sheet.header[:8])}")
    return str(how.id_column)


def _time(sheet: _Sheet, how: Reading) -> str | None:
    if how.time_column is not None and how.time_column in sheet.header:
        return str(how.time_column)
    return sheet.named(TIME_NAMES) or _rising(sheet, how)


def _rising(sheet: _Sheet, how: Reading) -> str | None:
    """Return the only column next to one of words if it rises by one step throughout, as times of any name do."""
    own, label = _id(sheet, how), _label(sheet, how)
    rest = [name for name in sheet.header if name not in (own, label)]
    moving = [name for name in rest if not _is_words(sheet.column(name))]
    if len(rest) != 2 or len(moving) != 1:
        return None
    (words,) = (name for name in rest if name not in moving)
    cells = [cell.strip() for cell in sheet.column(moving[0])]
    if not all(map(is_number, cells)) or all(cell.strip().lower() in TRUTH for cell in sheet.column(words)):
        return None
    times: dict[str, list[float]] = {}
    for entry, cell in zip([""] * len(cells) if own is None else sheet.column(own), cells, strict=True):
        times.setdefault(entry, []).append(float(cell))
    steps = np.concatenate([np.diff(own_times) for own_times in times.values()])
    is_clock = len(steps) >= _LEAST_STEPS and steps[0] > 0.0 and np.allclose(steps, steps[0])
    return moving[0] if is_clock else None


def _read(root: Path, files: Sequence[Path], how: Reading, column: str) -> _SymbolRows:
    found = _SymbolRows()
    for file in files:
        name = file.relative_to(root).as_posix() if root.is_dir() else file.name
        if ending_of(file) in FASTA:
            _add_fasta(file, found)
        elif how.symbols in (CHARACTERS, WORDS):
            _add_lines(file, str(how.symbols), found, name if root.is_dir() else "")
        elif how.symbols is None and root.is_file() and _are_lines(file):
            _add_lines(file, WORDS, found, "")
            found.notes.append(
                f"{name}: took each line for a sequence of words; {as_typed('symbols', CHARACTERS)} compares their letters"
            )
        else:
            _add_table(file, how, root.is_file(), name, found, column)
    found.notes += notes_on_attributes({name: len(values) for name, values in found.left_out.items()}, symbols=True)
    if len(set(found.ids)) < len(found.ids):
        twice = next(entry for entry in found.ids if found.ids.count(entry) > 1)
        raise DataError(f"{root}: id {twice!r} is used more than once; ids must be unique")
    return found


def _add_fasta(path: Path, found: _SymbolRows) -> None:
    """Add the records of a FASTA file; `-` and `*` are missing."""
    text, _ = decode(read_bytes(path), path)
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith(">"):
            found.ids.append((line[1:].split() or [f"record {len(found.ids) + 1}"])[0])
            found.rows.append([])
        elif line.strip() and not line.startswith(";"):
            if not found.rows:
                raise DataError(
                    f"{path}: line {number} stands before the first name (a line that begins with >); add one"
                )
            found.rows[-1].extend(line.strip().upper())
    found.column = "letter"


def _add_lines(path: Path, how: str, found: _SymbolRows, prefix: str) -> None:
    """Add one sequence per line."""
    text, _ = decode(read_bytes(path), path)
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            found.ids.append(f"{prefix}{'/' if prefix else ''}line {number}")
            found.rows.append(cut_text(line, how))
    found.column = how.removesuffix("s")


def _add_table(path: Path, how: Reading, alone: bool, name: str, found: _SymbolRows, usual: str) -> None:
    """Add the sequences of a table; where it does not show which column holds symbols, that of the other files does."""
    sheet = _sheet(path, how)
    layout = None if sheet is None or not sheet.rows else _layout(sheet, how, alone)
    if layout is None and sheet is not None and usual in sheet.header:
        layout = _layout(sheet, how.altered(symbols=usual), alone)
    if sheet is None or not sheet.rows:
        raise DataError(f"{path}: holds no rows below its header; remove it")
    is_missing = isinstance(how.symbols, str) and how.symbols not in sheet.header
    if layout is None or (is_missing and layout[0] != "wide"):
        if is_missing:
            raise DataError(
                f"{path}: has no column {how.symbols!r}; it has {', '.join(sheet.header[:8])} ({as_typed('symbols', CHARACTERS)}"
                " cuts lines of text)"
            )
        if alone and how.symbols is not None:
            raise DataError(
                f"{path}: has one row for each sequence, so that column {how.symbols!r} has no sequence of symbols; write a row for"
                f" each symbol, with the id of its sequence ({as_typed('id_column')}), or a column for each moment"
            )
        raise DataError(
            f"{path}: does not say which column holds symbols, as the other files do; name it ({as_typed('symbols', 'COLUMN')})"
        )
    kind, column = layout
    found.column = column
    if kind in ("long", "log") and how.symbols is None and column != _ACTIVITY:
        for left_out, values in _attributes(sheet, how).items():
            found.left_out.setdefault(left_out, set()).update(values)
    if kind == "wide":
        own, label, states = _id(sheet, how), _label(sheet, how), _states(sheet, how)
        for left_out in sheet.header:
            if left_out not in (*states, *_apart(sheet, how)):
                found.left_out[left_out] = set(sheet.column(left_out))
        columns = [sheet.column(one) for one in states]
        found.rows += [_without_end(list(row)) for row in zip(*columns, strict=True)]
        found.ids += sheet.column(own) if own is not None else [f"row {i}" for i in range(1, len(sheet.rows) + 1)]
        found.labels += sheet.column(label) if label is not None else []
        return
    own = _id(sheet, how)
    if own is not None and how.id_column is None and own.lower() not in (*_IDS, ""):
        kinds = count(len(set(sheet.column(own))), "sequence")
        found.notes.append(
            f"{name}: took the column {own!r} for the ids of {kinds}; {as_typed('id_column')} names another one"
        )
    if kind == "spells":
        _add_spells(sheet, how, column, found)
    else:
        sheet = _done(sheet, column, found, name)
        _add_events(sheet, how, column, found, None if kind.startswith("long") else name, kind.endswith("durations"))


def _done(sheet: _Sheet, column: str, found: _SymbolRows, name: str) -> _Sheet:
    """Return an event log of XES without the beginnings of activities that it has the ends of, with a note."""
    if column != _ACTIVITY or _LIFECYCLE not in sheet.header:
        return sheet
    place = sheet.header.index(_LIFECYCLE)
    done = [row for row in sheet.rows if len(row) > place and row[place].strip().lower() == _DONE]
    if not done or len(done) == len(sheet.rows):
        return sheet
    found.notes.append(
        f"{name}: left out {count(len(sheet.rows) - len(done), 'row')} in which {_LIFECYCLE} is not {_DONE}, so that each"
        " activity counts once"
    )
    return replace(sheet, rows=done)


def _without_end(row: list[str]) -> list[str]:
    """Return a row of a wide table without trailing empty cells."""
    last = max((i for i, cell in enumerate(row) if cell.strip()), default=-1)
    return row[: last + 1]


def _add_events(
    sheet: _Sheet, how: Reading, column: str, found: _SymbolRows, name: str | None, last: bool = False
) -> None:
    """Add the events of a file in order of time: of one sequence called `name`, or of several, by id.

    Where states `last`, a column has their durations.
    """
    time, label, own = _time(sheet, how), _label(sheet, how), _id(sheet, how)
    time = sheet.named(_STARTS) if last and time is None else time
    numbers = np.arange(sheet.first, sheet.first + len(sheet.rows))
    when = None
    if time is not None:
        when = moments([cell.strip() for cell in sheet.column(time)], sheet.path, numbers, "line", time)
    ids = [name] * len(sheet.rows) if name is not None and own is None else sheet.column(own or "")
    ids = [f"{name}/{entry}" for entry in ids] if name is not None and own is not None else ids
    symbols, tags = sheet.column(column), None if label is None or label == column else sheet.column(label)
    members: dict[str, list[int]] = {}
    for place, entry in enumerate(ids):
        members.setdefault(str(entry).strip(), []).append(place)
    step = _step(how)
    if last and step is None:
        raise DataError(
            f"{sheet.path}: holds states and their durations, which have to be taken at steps of time; say at which"
            f" ({as_typed('every')}), as 1 or 1d, or leave the durations out ({as_typed('drop_columns', _durations(sheet))})"
        )
    durations = np.array([float(cell) for cell in sheet.column(_durations(sheet) or "")]) if last else np.zeros(0)
    if last and (durations < 0.0).any():
        raise DataError(f"{sheet.path}: line {numbers[np.argmax(durations < 0.0)]}: a duration is negative; correct it")
    for entry, places in members.items():
        order = places if when is None else sorted(places, key=lambda place: float(when[place]))
        row = [symbols[place] for place in order]
        if last and step is not None:
            ends = np.rint(np.cumsum(durations[order]) / step).astype(np.int64)
            row = np.repeat(row, np.diff(ends, prepend=0)).tolist() or row[:1]
        elif step is not None:
            if when is None:
                raise DataError(
                    f"{sheet.path}: has no column of times, so that events have no duration; name it"
                    f" ({as_typed('time_column')}) or leave {as_typed('every')} out"
                )
            row = lasting(row, when[order], step)
        elif when is not None:
            found.uneven |= is_uneven(when[order])
        found.rows.append(row)
        found.ids.append(entry)
        found.labels += [] if tags is None else [tags[order[0]]]
    found.step, found.is_time = step, step is not None


def _step(how: Reading) -> float | None:
    if how.every is None:
        return None
    return seconds_in(how.every) if isinstance(how.every, str) else float(how.every)


def _add_spells(sheet: _Sheet, how: Reading, column: str, found: _SymbolRows) -> None:
    """Add spells at every step of their duration; refuse overlaps and gaps."""
    step, own = _step(how), _id(sheet, how)
    start, end = sheet.named(_STARTS), sheet.named(_ENDS)
    if step is None:
        raise DataError(
            f"{sheet.path}: holds spells (from {start} to {end}), which have to be taken at steps of time; say at which"
            f" ({as_typed('every')}), as 1 or 1d"
        )
    if own is None:
        raise DataError(
            f"{sheet.path}: does not say which sequence a spell is of; name the column ({as_typed('id_column')})"
        )
    assert start is not None
    assert end is not None
    numbers = np.arange(sheet.first, sheet.first + len(sheet.rows))
    n = len(sheet.rows)
    # Both columns together, since dates are counted from the first one.
    both = moments(
        [cell.strip() for cell in (*sheet.column(start), *sheet.column(end))],
        sheet.path, np.concatenate([numbers, numbers]), "line", start,
    )  # fmt: skip
    begins, ends, states = both[:n], both[n:], sheet.column(column)
    members: dict[str, list[int]] = {}
    for place, entry in enumerate(sheet.column(own)):
        members.setdefault(entry.strip(), []).append(place)
    gaps = 0
    for entry, places in members.items():
        order = sorted(places, key=lambda place: float(begins[place]))
        row: list[str | None] = []
        for before, place in zip([None, *order], order, strict=False):
            if ends[place] < begins[place]:
                raise DataError(
                    f"{sheet.path}: line {numbers[place]}: a spell of {entry!r} ends before it begins; mend it"
                )
            if before is not None and ends[before] > begins[place] + 1e-9 * step:
                raise DataError(
                    f"{sheet.path}: line {numbers[place]}: a spell of {entry!r} begins before the one of line {numbers[before]}"
                    " ends; end that one first"
                )
            if before is not None and begins[place] > ends[before] + step * (1.0 + 1e-9):
                gaps += 1
            # Steps between two intervals are missing symbols.
            reached = round((begins[place] - begins[order[0]]) / step)
            row += [None] * (reached - len(row))
            row += [states[place]] * max(round((ends[place] - begins[order[0]]) / step) - len(row), 0)
        found.rows.append(row or [states[order[0]]])
        found.ids.append(entry)
    if gaps:
        found.notes.append(f"{count(gaps, 'gap')} between spells: what is in between is missing")
    found.step, found.is_time = step, True
