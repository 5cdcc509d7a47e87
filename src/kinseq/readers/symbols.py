"""Sequences of symbols in files: event logs, long tables, states in columns, spells, one sequence per line, FASTA.

Files are of symbols where a column of them is named (``symbols``), or where nothing in them is a number but times and ids.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from ..core.clock import Clock
from ..core.errors import DataError, printable
from ..core.folders import LABELS_FILE, walk
from ..core.sequences import SequenceSet
from ..core.spans import seconds_in
from ..core.symbols import (
    CHARACTERS,
    EVENTS,
    MAX_SYMBOLS,
    TIME_NAMES,
    WORDS,
    as_symbol,
    cut_text,
    is_uneven,
    lasting,
    notes_on_files,
    symbol_set,
)
from ..core.wording import as_typed, count
from .discovery import WORKBOOK, Contents
from .dividing import names_ids
from .labels import attach_labels, open_labels
from .parquet import cell_text, text_table
from .reading import Reading
from .text import decode, is_date, is_number, is_time_of_day, read_bytes
from .times import moments
from .workbooks import read_workbook

FASTA = (".fasta", ".fa", ".fna", ".faa", ".fas")
TABLES = (".csv", ".tsv", ".txt", ".tab", ".seq")
FRAMES = (".parquet", ".pq", WORKBOOK)
"""Extensions of binary tables."""
_STARTS, _ENDS = ("start", "begin", "from", "onset"), ("end", "stop", "to", "offset")
_STATES = ("state", "action", "event", "symbol", "activity", "status", "code", "label")
_MARKS = ("\t", ";", ",")
_SAMPLED_FILES = 5
"""Approximate number of files of a folder examined to decide whether it holds symbols."""
_SNIFFED = 1 << 16
"""Number of bytes of a file examined to decide whether it holds symbols."""
_LEAST_WORDS = 0.5
"""Share of non-numeric cells above which a column holds symbols."""
_LEAST_STATES = 3
"""Least number of columns of a wide table of states."""
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
    sample = files[:: max(1, len(files) // _SAMPLED_FILES)]
    if not files or not _hold_symbols([_holds_symbols(file, how, alone=root.is_file()) for file in sample]):
        return None
    how.require_symbols()
    found = _read(root, files, how)
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
    able = [file for file in files if _suffix(file) in (*TABLES, *FASTA, *FRAMES)]
    return able if able and len(able) == len(files) else []


def _suffix(path: Path) -> str:
    return Path(path.stem).suffix.lower() if path.suffix.lower() == ".gz" else path.suffix.lower()


def _hold_symbols(found: Sequence[bool | None]) -> bool:
    """Return whether all files hold symbols but those without rows, which are refused when they are read."""
    return any(found) and False not in found


def _holds_symbols(path: Path, how: Reading, alone: bool) -> bool | None:
    """Whether a file holds symbols: it is FASTA, they were named, or there is no number in place of symbols.

    None for a file without rows.
    """
    if _suffix(path) in FASTA or how.symbols is not None:
        return True
    if how.changed().keys() & {
        "value_columns",
        "circular",
        "rows",
        "skip_rows",
        "animals",
        "annotations",
        "variable_name",
    }:
        return False
    try:
        if alone and _are_lines(path):
            return True
        sheet = _sheet(path, most=_SNIFFED)
    except (DataError, csv.Error):
        return False
    if sheet is None or not sheet.rows:
        return None
    if len(sheet.header) < 2 or len(set(sheet.header)) < len(sheet.header):
        return False
    if any(is_number(cell.strip()) for cell in sheet.header):
        return False
    if any(any(row[len(sheet.header) :]) for row in sheet.rows):
        # What stands above the table is no header of it.
        return False
    if how.id_column is not None and how.id_column not in sheet.header:
        return False
    return _layout(sheet, how, alone) is not None


def _are_lines(path: Path) -> bool:
    """Return whether each line of a text file is a sequence of frequently repeated words, including its first word."""
    if _suffix(path) not in TABLES:
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


def _sheet(path: Path, most: int | None = None) -> _Sheet | None:
    """Return the cells of a table: the first `most` bytes of a text file, or a binary file that contains text."""
    if _suffix(path) in FRAMES:
        return _sheet_of_frame(path, None if most is None else _SAMPLED_ROWS)
    content = read_bytes(path)
    text, _ = decode(content if most is None else content[:most].rpartition(b"\n")[0] or content[:most], path)
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        return None
    mark = max(_MARKS, key=lines[0].count)
    header, *rows = list(csv.reader(lines, delimiter=mark))
    return _Sheet(path, [cell.strip() for cell in header], rows)


_SAMPLED_ROWS = 1000
"""Number of rows of a binary table examined to decide whether it holds symbols."""


def _sheet_of_frame(path: Path, most: int | None) -> _Sheet | None:
    """Return the cells of a Parquet file or workbook as text; None of Parquet without text, whose numbers stay unread."""
    if path.suffix.lower() == WORKBOOK:
        whole = read_workbook(path)
        columns = [column.cells for column in whole.columns]
        rows = [list(row) for row in zip(*columns, strict=True)][:most]
        return _Sheet(path, [cell.strip() for cell in whole.first], rows)
    table = text_table(path)
    if table is None:
        return None
    columns = [
        ["" if cell is None else cell_text(cell) for cell in column.to_pylist()[:most]] for column in table.columns
    ]
    return _Sheet(
        path, [name.strip() for name in table.column_names], [list(row) for row in zip(*columns, strict=True)]
    )


def _layout(sheet: _Sheet, how: Reading, alone: bool) -> tuple[str, str] | None:
    """Return the layout of a table of symbols, and its column of symbols; None for a table with numbers.

    Layouts are ``spells``, ``long``, ``log`` (a sequence a file) and ``wide`` (a sequence a row).
    """
    own, label, time = _id(sheet, how), sheet.named(["label"]), _time(sheet, how)
    start, end = sheet.named(_STARTS), sheet.named(_ENDS)
    apart = {name for name in (own, label, time, sheet.named(["group"])) if name is not None}
    named = how.symbols if isinstance(how.symbols, str) and how.symbols in sheet.header else None
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
    states = [name for name in sheet.header if name not in apart]
    is_wide = alone and not repeats and named is None and not others
    if is_wide and len(states) >= _LEAST_STATES and len(text) == len(states):
        return "wide", "state"
    column = named or (text[0] if len(text) == 1 and not others else None)
    if column is None or (alone and not repeats):
        return None
    return ("long" if repeats else "log", column)


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
        return sheet.named(["id"]) or next(repeating, None)
    if how.id_column not in sheet.header and how.symbols is not None:
        raise DataError(f"{sheet.path}: has no column {how.id_column!r}; it has {', '.join(sheet.header[:8])}")
    return str(how.id_column)


def _time(sheet: _Sheet, how: Reading) -> str | None:
    if how.time_column is not None and how.time_column in sheet.header:
        return str(how.time_column)
    return sheet.named(TIME_NAMES)


def _read(root: Path, files: Sequence[Path], how: Reading) -> _SymbolRows:
    found = _SymbolRows()
    letters: dict[str, set[str]] = {}
    for file in files:
        name = file.relative_to(root).as_posix() if root.is_dir() else file.name
        before = len(found.rows)
        if _suffix(file) in FASTA:
            _add_fasta(file, found)
        elif how.symbols in (CHARACTERS, WORDS):
            _add_lines(file, str(how.symbols), found, name if root.is_dir() else "")
        elif how.symbols is None and root.is_file() and _are_lines(file):
            _add_lines(file, WORDS, found, "")
            found.notes.append(
                f"{name}: took each line for a sequence of words; {as_typed('symbols', CHARACTERS)} compares their letters"
            )
        else:
            _add_table(file, how, root.is_file(), name, found)
        letters[name] = {
            str(one) for row in found.rows[before:] for entry in row if (one := as_symbol(entry)) is not None
        }
    if len(files) > 1:
        found.notes += notes_on_files(letters)
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


def _add_table(path: Path, how: Reading, alone: bool, name: str, found: _SymbolRows) -> None:
    sheet = _sheet(path)
    layout = None if sheet is None or not sheet.rows else _layout(sheet, how, alone)
    if sheet is None or not sheet.rows:
        raise DataError(f"{path}: holds no rows below its header; remove it")
    is_missing = isinstance(how.symbols, str) and how.symbols not in sheet.header
    if layout is None or (is_missing and layout[0] != "wide"):
        if is_missing:
            raise DataError(
                f"{path}: has no column {how.symbols!r}; it has {', '.join(sheet.header[:8])} ({as_typed('symbols', CHARACTERS)}"
                " cuts lines of text)"
            )
        raise DataError(
            f"{path}: does not say which column holds symbols, as the other files do; name it ({as_typed('symbols', 'COLUMN')})"
        )
    kind, column = layout
    found.column = column
    if kind == "wide":
        own, label = _id(sheet, how), sheet.named(["label"])
        states = [one for one in sheet.header if one not in (own, label, sheet.named(["group"]))]
        columns = [sheet.column(one) for one in states]
        found.rows += [_without_end(list(row)) for row in zip(*columns, strict=True)]
        found.ids += sheet.column(own) if own is not None else [f"row {i}" for i in range(1, len(sheet.rows) + 1)]
        found.labels += sheet.column(label) if label is not None else []
        return
    own = _id(sheet, how)
    if own is not None and how.id_column is None and own.lower() != "id":
        kinds = count(len(set(sheet.column(own))), "sequence")
        found.notes.append(
            f"{name}: took the column {own!r} for the ids of {kinds}; {as_typed('id_column')} names another one"
        )
    if kind == "spells":
        _add_spells(sheet, how, column, found)
    else:
        _add_events(sheet, how, column, found, None if kind == "long" else name)


def _without_end(row: list[str]) -> list[str]:
    """Return a row of a wide table without trailing empty cells."""
    last = max((i for i, cell in enumerate(row) if cell.strip()), default=-1)
    return row[: last + 1]


def _add_events(sheet: _Sheet, how: Reading, column: str, found: _SymbolRows, name: str | None) -> None:
    """Add the events of a file in order of time: of one sequence called `name`, or of several, by id."""
    time, label, own = _time(sheet, how), sheet.named(["label"]), _id(sheet, how)
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
    for entry, places in members.items():
        order = places if when is None else sorted(places, key=lambda place: float(when[place]))
        row = [symbols[place] for place in order]
        if step is not None:
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
