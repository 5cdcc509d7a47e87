"""A folder of CSV, TSV or NPY files, one sequence each."""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import FloatArray
from ..core.clock_columns import LEFT_OUT
from ..core.constant_columns import STATES
from ..core.errors import DataError
from ..core.folders import UNLABELLED
from ..core.row_order import RowOrder, notes_on_order
from ..core.wording import as_typed, count, listed
from ..features.extraction import OnBadFile, map_files
from .containers import CONTAINERS
from .dates import settle_dates
from .delimited import Sheet, read_sheet, with_breaks
from .discovery import Contents, ending_of
from .dividing import counts_rows, interleaved, names_sensor
from .edf import read_edf
from .joining import Sensor, on_one_clock
from .known import FOLDER_LAYOUTS, KnownLayout, known_layout
from .layout import Verdict, agree, tabulate
from .npy import read_npy
from .raw import Raw, RawSet
from .reading import USUAL, Reading
from .records import read_record
from .series import series_of, series_of_columns
from .signals import require_signals
from .table import (
    Table,
    in_time,
    ordered,
    require_poses,
    table_remarks,
    take_out,
    time_remarks,
    without_attributes,
)
from .text import PACKED, is_number, read_bytes, unpacked
from .workbooks import read_workbook

READERS: dict[str, Callable[[Path, Reading], Table | Sheet]] = {
    ".npy": read_npy,
    ".xlsx": read_workbook,
    ".edf": read_edf,
    ".hea": read_record,
    **{ending: container.read for container in CONTAINERS for ending in container.endings},
}
"""Readers of tables by file extension; other files are text."""
Vote = TypeVar("Vote", bound=Hashable)


Tables = list[tuple[Path, Table]]
"""Files and their tables."""
Opened = Table | Sheet | DataError
"""Content of a file: numbers, cells to be interpreted over all files, or nothing readable."""


def open_table(path: Path, how: Reading = USUAL) -> Table | Sheet:
    """Return the content of one file of a table; the meaning of text cells is decided over all files."""
    suffix = ending_of(path)
    reader = READERS.get(suffix)
    if reader is not None and path.suffix.lower() == PACKED:
        return _unpacked(path, reader, how)
    for container in CONTAINERS if reader is None else ():
        if suffix in container.shared and container.begins is not None and container.begins(path):
            return container.read(path, how)
    return read_sheet(path, how) if reader is None else reader(path, how)


def _unpacked(path: Path, reader: Callable[[Path, Reading], Table | Sheet], how: Reading) -> Table | Sheet:
    """Return the content of a gzip file that a reader of unpacked files reads."""
    with tempfile.TemporaryDirectory() as folder:
        inner = Path(folder) / unpacked(path).name
        inner.write_bytes(read_bytes(path))
        try:
            return reader(inner, how)
        except DataError as error:
            raise DataError(str(error).replace(str(inner), str(path))) from error


def read_together(contents: Contents, how: Reading) -> RawSet | None:
    """Return the sequences of files that form sequences together, see :data:`.known.FOLDER_LAYOUTS`; otherwise None."""
    layout = next((layout for layout in FOLDER_LAYOUTS if layout.matches(contents.files, how)), None)
    return None if layout is None else layout.read(contents.files, contents.names, how, open_table)


def read_tables(contents: Contents, how: Reading, *, jobs: int = 1, task: str | None = None) -> RawSet:
    """One sequence from each CSV, TSV or NPY file; several if its rows are of several animals, or an id is requested."""
    require_signals(how, contents.files)
    names = dict(contents.names)
    good, notes = _tables(contents, names, how, jobs, task)
    before = good
    good = _divided(good, names, how)
    said_of_cuts = (
        [f"cut {count(len(contents.files), 'recording')} by their annotations into {count(len(good), 'segment')}"]
        if how.annotations == "segments"
        else []
    )
    good, said_of_ids = _without_ids_of_files(good, names, how)
    good, said_of_numbers = _without_own_numbers(good)
    good, said_of_columns = _same_columns(good, contents.root, names, how.on_bad_file)
    # Of a divided file, the paths of its parts lie below its own.
    own, kept = {path for path, _ in before}, {path for path, _ in good}
    kept |= {place for path in kept - own for place in path.parents}
    whole = [table for path, table in before if path in kept]
    timed, said_of_clocks = take_out([table for _, table in good], how)
    timed, attributes, first = without_attributes(timed, how)
    timed_good, said_of_sensors = _sensors_as_channels(
        [(path, table) for (path, _), table in zip(good, timed, strict=True)], names, how
    )
    usable, said_of_orders = _in_time(timed_good, names, how.on_bad_file)
    notes += [
        *table_remarks(whole, how, attributes),
        *said_of_cuts,
        *said_of_ids,
        *said_of_numbers,
        *said_of_columns,
        *said_of_sensors,
        *time_remarks(timed),
        *said_of_clocks,
        *said_of_orders,
    ]
    _require_some(usable, contents, notes)
    raw = _raw_set(usable, names, len(contents.files), tuple(notes))
    left_out = [
        name for name in good[0][1].columns if name not in timed[0].columns and name not in _time_columns(usable)
    ]
    left_out += [name for name in attributes if name not in left_out]
    raw.provenance |= {LEFT_OUT: left_out} if left_out else {}
    return replace(raw, first=tuple(first))


def _tables(
    contents: Contents, names: Mapping[Path, str], how: Reading, jobs: int, task: str | None
) -> tuple[Tables, list[str]]:
    """Return the table of each usable file, and notes."""
    read_in, said_of_files = map_files(
        partial(open_table, how=how), contents.files, names, on_bad_file=how.on_bad_file, jobs=jobs, task=task
    )
    opened: dict[Path, Opened] = {
        path: each for path, each in zip(contents.files, read_in, strict=True) if each is not None
    }
    read_in.clear()
    known, said_of_layouts = _known_tables(opened, how)
    opened |= known
    sheets, settled, said_of_sheets = _settle([each for each in opened.values() if isinstance(each, Sheet)], names, how)
    opened.update({sheet.path: sheet for sheet in sheets})
    sheets.clear()
    paths = list(opened)
    # Release each sheet before its table is made, to avoid holding each file twice.
    tables, said_of_tables = map_files(
        lambda path: settled.table(path, opened.pop(path)), paths, names, on_bad_file=how.on_bad_file, jobs=jobs
    )
    good = [(path, table) for path, table in zip(paths, tables, strict=True) if table is not None]
    said_of_counts = (
        [
            f"left out the column 'id' of {count(len(settled.counting), 'file')}, which counts the rows of each;"
            f" {as_typed('id_column', 'id')} takes it for the ids"
        ]
        if settled.counting
        else []
    )
    notes = [*said_of_files, *said_of_layouts, *said_of_sheets, *said_of_tables, *said_of_counts]
    _require_some(good, contents, notes)
    good, said_of_states = _without_states(good, settled.changing, names)
    good, said_of_words = _without_words(good, names, how.on_bad_file)
    return good, [*notes, *said_of_states, *sorted(settled.said_of_series), *said_of_words]


def _settle(
    sheets: Sequence[Sheet], names: Mapping[Path, str], how: Reading
) -> tuple[list[Sheet], _Settled, list[str]]:
    """Return sheets with dates in ISO 8601, their interpretation decided over all of them, and notes."""

    def called(sheet: Sheet) -> str:
        return names[sheet.path]

    dated, said_of_dates = settle_dates(sheets, how)
    broken = with_breaks(dated) if how.id_column is None and how.rows != "series" else []
    said_of_breaks = notes_on_breaks(broken, called)
    verdicts, said = agree(dated, called)
    settled = _Settled(how, names, dict(zip([sheet.path for sheet in dated], verdicts, strict=True)))
    return dated, settled, [*said_of_dates, *said_of_breaks, *said]


def _time_columns(tables: Sequence[tuple[Path, Table]]) -> set[str]:
    """Return columns recognised as the time."""
    return {table.time_source for _, table in tables if table.time_source is not None}


@dataclass
class _Settled:
    """Tables of sheets, with the layout decided over all files.

    Attributes
    ----------
    how : Reading
    names : mapping
        Of the files.
    verdicts : dict
        What the cells of each sheet mean, or why they cannot be read.
    said_of_series : list of str
        Notes on series.
    changing : dict
        Columns of labels and groups that change within files, with the files and where they change first.
    counting : list of Path
        Files whose column id numbers the rows.
    """

    how: Reading
    names: Mapping[Path, str]
    verdicts: dict[Path, Verdict]
    said_of_series: list[str] = field(default_factory=list)
    changing: dict[str, list[tuple[Path, str]]] = field(default_factory=dict)
    counting: list[Path] = field(default_factory=list)

    def table(self, path: Path, opened: Opened) -> Table:
        """Return the table of a file; :class:`DataError` unless it holds one sequence."""
        if isinstance(opened, DataError):
            raise opened
        table = self._of_sheet(path, opened) if isinstance(opened, Sheet) else opened
        if table.id is not None or (isinstance(opened, Sheet) and self.how.rows == "series"):
            return table
        for name in ("label", "group"):
            entries = getattr(table, name)
            if entries is not None and (entries != entries[0]).any():
                row = int(np.flatnonzero(entries != entries[0])[0])
                self.changing.setdefault(name, []).append((path, f"{table.row_word} {table.rows[row]}"))
        return table

    def _of_sheet(self, path: Path, sheet: Sheet) -> Table:
        verdict = self.verdicts[path]
        if isinstance(verdict, DataError):
            raise verdict
        if self.how.rows == "series":
            table, note = series_of(sheet, verdict, self.how)
            self.said_of_series.append(note)
            return table
        table = in_blocks(tabulate(sheet, verdict, self.how), sheet, self.names[path])
        if self.how.rows == "moments":
            table, note = series_of_columns(table, path)
            self.said_of_series.append(note)
            return table
        if self.how.id_column is None and counts_rows(table):
            self.counting.append(path)
            return replace(table, id=None, has_ids=False)
        if table.has_ids and self.how.id_column is None:
            raise DataError(
                f"{path}: has a column id, so it is a table of many sequences; give it by itself, rename the column, or divide each"
                f" file by it ({as_typed('id_column', 'id')})"
            )
        return table


def _raw_set(
    tables: Sequence[tuple[Path, Table]], names: Mapping[Path, str], n_files: int, notes: tuple[str, ...]
) -> RawSet:
    """Return the sequences of tables with one each."""
    time_columns = _time_columns(tables)
    return RawSet(
        [
            Raw(
                id=names[path],
                where=str(path),
                values=table.values,
                place=table.place,
                time=table.time,
                columns=table.columns if table.has_header else None,
                numbers=None if table.has_header else table.columns,
                unit=table.unit,
                origin=table.origin,
                epoch=table.epoch,
                marks=table.mark,
            )
            for path, table in tables
        ],
        labels=_column(tables, "label"),
        groups=_column(tables, "group"),
        provenance={
            "files": n_files,
            "skipped": n_files - len(tables),
            **({"time_column": time_columns.pop()} if len(time_columns) == 1 else {}),
        },
        notes=notes,
    )


def _without_states(
    tables: Tables, changing: Mapping[str, list[tuple[Path, str]]], names: Mapping[Path, str]
) -> tuple[Tables, list[str]]:
    """Return tables without labels or groups that change within files: these describe rows, not files."""
    notes = []
    usual = Counter(table.columns for _, table in tables).most_common(1)
    columns = {own: table.columns for own, table in tables}
    for column, everywhere in changing.items():
        # Of a file with other columns, its own note says why it is skipped.
        places = [entry for entry in everywhere if columns.get(entry[0]) == usual[0][0]] or everywhere
        if len(tables) > 2 * len(everywhere) and places is everywhere:
            gone = {own for own, _ in everywhere}
            tables = [(own, _lacking(table, column) if own in gone else table) for own, table in tables]
            continue
        path, place = min(places, key=lambda entry: names[entry[0]])
        tables = [(own, _lacking(table, column)) for own, table in tables]
        notes.append(
            f"left out the column {column!r}, which changes within {count(len(places), 'file')} (the first at {place} of"
            f" {names[path]}) and so is a state of rows and no {column} of sequences; {as_typed('id_column', column)}"
            f" divides each"
            f" file by it, {as_typed('drop_columns', column)} leaves it out without a word"
        )
    return tables, notes


def _lacking(table: Table, column: str) -> Table:
    """Return a table without its labels, or its groups."""
    return replace(table, label=None) if column == "label" else replace(table, group=None)


def in_blocks(table: Table, sheet: Sheet, name: str, alone: bool = False) -> Table:
    """Return a table of stacked recordings with these as ids, and their labels, or the file's name unless it is `alone`.

    Lines between them that are all different name the recordings.
    """
    if not sheet.breaks or table.id is not None:
        return table
    blocks = sheet.block_of(table.rows)
    width = len(str(int(blocks.max()) + 1))
    ids = np.array([f"{block + 1:0{width}d}" for block in blocks.tolist()], dtype=np.str_)
    words = sheet.words_of(table.rows)
    if len(set(words)) == int(blocks.max()) + 1 and all(words):
        return replace(table, id=np.array(words, dtype=np.str_))
    own = words if any(words) else [Path(name).stem] * len(words)
    label = np.array(own, dtype=np.str_) if table.label is None and (any(words) or not alone) else table.label
    return replace(table, id=ids, label=label)


def notes_on_breaks(sheets: Sequence[Sheet], called: Callable[[Sheet], str], alone: bool = False) -> list[str]:
    """Return a sentence on files, or on one that stands `alone`, that were cut into recordings."""
    if not sheets:
        return []
    number = sum(int(sheet.block_of(sheet.lines).max()) + 1 for sheet in sheets)
    lines = "blank lines" if not any(sheet.marks for sheet in sheets) else "lines between them"
    said = [{word for _, word in sheet.marks if word} for sheet in sheets]
    if not any(said):
        by = "" if alone else ", labelled by file"
    elif sum(map(len, said)) == number:
        by = ", named by the lines above them"
    else:
        by = ", labelled by the lines above them"
    for sheet in sheets:
        sheet.blank = []
    return [
        f"cut {count(len(sheets), 'file')} at {lines} into {count(number, 'recording')}{by}:"
        f" {listed([called(sheet) for sheet in sheets])}"
    ]


def _known_tables(opened: Mapping[Path, Opened], how: Reading) -> tuple[dict[Path, Opened], list[str]]:
    """Return tables of sheets whose layout is known, and notes."""
    known: dict[Path, Opened] = {}
    notes: list[str] = []
    found: dict[str, list[Sheet]] = {}
    layouts: dict[str, KnownLayout] = {}
    for each in opened.values():
        layout = known_layout(each) if isinstance(each, Sheet) else None
        if isinstance(each, Sheet) and layout is not None:
            layouts[layout.name] = layout
            found.setdefault(layout.name, []).append(each)
    for name, sheets in found.items():
        tables, said = layouts[name].read(sheets, how)
        notes += said
        known |= {sheet.path: table for sheet, table in zip(sheets, tables, strict=True)}
    require_poses(how, sum(layout.poses for layout in layouts.values()))
    return known, notes


def _without_words(tables: Tables, names: Mapping[Path, str], on_bad_file: OnBadFile) -> tuple[Tables, list[str]]:
    """Return tables without columns of text; if most files have numbers in a column, a file with text is bad."""
    numbers: Counter[str] = Counter()
    words: Counter[str] = Counter()
    for _, table in tables:
        words.update(table.words.keys())
    for _, table in tables if words else ():
        numbers.update(
            name for j, name in enumerate(table.columns) if name in words and np.isfinite(table.values[:, j]).any()
        )
    result, notes = [], []
    for path, table in tables:
        bad = next((name for name in table.words if numbers[name] >= words[name]), None)
        if bad is not None:
            row, cell = table.words[bad]
            problem = f"{table.row_word} {row}, column {bad!r} holds {cell[:40]!r}, where other files hold numbers; correct it"
            if on_bad_file == "refuse":
                raise DataError(f"{path}: {problem}")
            notes.append(f"skipped {names[path]}: {problem}")
            continue
        kept = [
            j
            for j, name in enumerate(table.columns)
            if name not in words or numbers[name] or np.isfinite(table.values[:, j]).any()
        ]
        if 0 < len(kept) < len(table.columns):
            table = replace(table, values=table.values[:, kept], columns=tuple(table.columns[j] for j in kept))
        result.append((path, table))
    return result, notes


def _divided(tables: Tables, names: dict[Path, str], how: Reading) -> Tables:
    """Split each table by its ids into one per sequence; enter the ids of files with several into `names`.

    Ids from a given column also become labels if they look like classes: words, or numbers in a column called as classes,
    in several files.
    """
    result: Tables = []
    are_classes = _are_classes([table for _, table in tables], how)
    for path, table in tables:
        if table.id is None:
            result.append((path, table))
            continue
        entries_of, first, codes = np.unique(table.id, return_index=True, return_inverse=True)
        rows_of = np.split(np.argsort(codes, kind="stable"), np.cumsum(np.bincount(codes))[:-1])
        for k in np.argsort(first).tolist():
            entry = str(entries_of[k])
            part = ordered(table, rows_of[k])
            part = replace(part, id=None, label=part.id if are_classes else part.label)
            for name in ("label", "group"):
                entries = getattr(part, name)
                if entries is not None and (entries != entries[0]).any():
                    raise DataError(
                        f"{path}: the column {name!r} differs within sequence {entry!r}; give a sequence one {name}, or rename the"
                        " column if it is a feature"
                    )
            place = path / entry
            names[place] = f"{names[path]}/{entry}"
            result.append((place, part))
    return result


def _sensors_as_channels(tables: Tables, names: Mapping[Path, str], how: Reading) -> tuple[Tables, list[str]]:
    """Return tables in which sensors whose rows alternate are channels on one clock, and a note on them.

    Rows that alternate by another column, or without times, stay as they are, with a note.
    """
    first = tables[0][1]
    if how.id_column is not None or not first.has_header or not (columns := interleaved(first)):
        return tables, []
    alternating = [path for path, table in tables if interleaved(table)[:1] == columns[:1]]
    if 2 * len(alternating) <= len(tables):
        return tables, []
    sensors = [name for name in columns if names_sensor(name)]
    kept = [name for name in first.columns if name not in sensors]
    if sensors and kept and all(table.time is not None and set(sensors) < set(table.columns) for _, table in tables):
        own = {path: np.unique(_of(table, sensors), axis=0) for path, table in tables}
        usual = own[alternating[0]]
        if len(usual) <= _MOST_SENSORS and all(np.array_equal(usual, each) for each in own.values()):
            said = (
                f"rows of {count(len(usual), 'sensor')} alternate in {count(len(alternating), 'file')}, by"
                f" {listed([repr(name) for name in sensors])}, and are channels of one sequence a file, on the clock of the"
                f" slowest; {as_typed('id_column', ','.join(sensors))} makes a sequence of each"
            )
            return [(path, _on_one_clock(table, sensors, usual, names[path])) for path, table in tables], [said]
    name = columns[0]
    return tables, [
        f"rows of several sensors or animals alternate in {count(len(alternating), 'file')}, by the column {name!r}, and are"
        f" compared as one sequence; {as_typed('id_column', name)} makes a sequence of each"
    ]


_MOST_SENSORS = 64
"""Largest number of sensors of a recording."""


def _of(table: Table, columns: Sequence[str]) -> FloatArray:
    """Return some columns of a table."""
    return table.values[:, [table.columns.index(name) for name in columns]]


def _on_one_clock(table: Table, sensors: Sequence[str], each: FloatArray, where: str) -> Table:
    """Return a table with a channel for each column of each sensor."""
    assert table.time is not None
    order = np.argsort(table.time, kind="stable")
    kept = [name for name in table.columns if name not in sensors]
    values, of_sensors, times = _of(table, kept)[order], _of(table, sensors)[order], table.time[order]
    parts = []
    for entry in each:
        own = (of_sensors == entry).all(axis=1)
        called = ", ".join(f"{name} {value:g}" for name, value in zip(sensors, entry, strict=True))
        parts.append(Sensor(tuple(f"{name} ({called})" for name in kept), values[own], times[own]))
    joined, grid = on_one_clock(parts, where)
    return replace(
        table,
        values=joined,
        columns=tuple(name for part in parts for name in part.columns),
        time=grid,
        rows=np.arange(1, len(grid) + 1),
        row_word="step",
        label=None if table.label is None else table.label[: len(grid)],
        group=None if table.group is None else table.group[: len(grid)],
        mark=None,
    )


def _are_classes(tables: Sequence[Table], how: Reading) -> bool:
    """Return whether the column of ids that was given divides several files by the same classes, and there are no labels."""
    if how.id_column is None or how.labels_file is None or len(tables) < 2:
        return False
    if any(table.id is None or table.label is not None for table in tables):
        return False
    held = Counter(entry for table in tables if table.id is not None for entry in set(table.id.tolist()))
    are_words = str(how.id_column).lower() in STATES or not any(map(is_number, held))
    return len(held) > 1 and min(held.values()) > 1 and are_words


def _require_some(tables: Sequence[object], contents: Contents, notes: Sequence[str]) -> None:
    """Raise :class:`DataError` with the first reason if all files were skipped."""
    if not tables:
        reason = next(note for note in notes if note.startswith("skipped ")).removeprefix("skipped ")
        raise DataError(
            f"{contents.root}: none of the {len(contents.files)} files can be used; the first reason: {reason}"
        )


def _of_most(votes: Sequence[tuple[str, Vote]], wording: Callable[[Vote], str]) -> Vote | str:
    """Return the value shared by more than half of the files, or a sentence on the values that occur."""
    ranked = Counter(vote for _, vote in votes).most_common()
    (first, number), others = ranked[0], ranked[1:]
    if 2 * number > len(votes):
        return first
    example = {vote: name for name, vote in reversed(votes)}
    options = [f"{wording(vote)} (such as {example[vote]})" for vote, _ in (ranked[0], *others)]
    return f"the files do not agree: {number} of {len(votes)} have {', others '.join(options[:3])}"


def _column(tables: Sequence[tuple[Path, Table]], name: str) -> NDArray[np.str_] | None:
    """Return the values of a column that is constant in every file."""
    entries = [getattr(table, name) for _, table in tables]
    if all(entry is None for entry in entries):
        return None
    return np.array([UNLABELLED if entry is None else str(entry[0]) for entry in entries], dtype=np.str_)


def _in_time(
    tables: Sequence[tuple[Path, Table]], names: Mapping[Path, str], on_bad_file: OnBadFile
) -> tuple[Tables, list[str]]:
    """Order the rows of every table by its time, if it has any."""
    orders: dict[str, RowOrder] = {}
    equal, result, notes = [], [], []
    for path, table in tables:
        try:
            table, found = in_time(table, path)
        except DataError as error:
            if on_bad_file == "refuse":
                raise
            notes.append(f"skipped {str(error).replace(str(path), names[path])}")
            continue
        for order in found.values():
            orders[names[path]] = order
        if table.time is not None and (np.diff(table.time) == 0).any():
            equal.append(names[path])
        result.append((path, table))
    notes += notes_on_order(orders, "file")
    if equal:
        notes.append(
            f"{count(len(equal), 'file')} with several rows of the same time, which keep their order: {listed(equal)}; if the rows"
            " are of several animals or sensors, give each a file, or all a column id"
        )
    return result, notes


_MANY_LACK = 0.4
"""Share of the files without a column above which the column is left out instead of these files."""


def _common(tables: Tables) -> tuple[Tables, list[str]]:
    """Return tables without columns that many others lack, if nearly all files share some."""
    if len({frozenset(table.columns) for _, table in tables}) < 2 or not all(table.has_header for _, table in tables):
        return tables, []
    having = Counter(name for _, table in tables for name in table.columns)
    shared = {name for name, number in having.items() if number > (1.0 - _MANY_LACK) * len(tables)}
    idle = sorted(set(having) - shared)
    own = {path: [j for j, name in enumerate(table.columns) if name in shared] for path, table in tables}
    # If only one file is unusual, leave out that file.
    rare = [name for name in idle if having[name] < _MANY_LACK * len(tables)]
    idle = [name for name in idle if name not in rare]
    if not shared or not idle or not any(len(own[path]) == len(shared) for path, _ in tables):
        return tables, []
    lacking = len(tables) - min(having[name] for name in idle)
    gone, result = set(idle), []
    for path, table in tables:
        kept = [j for j, name in enumerate(table.columns) if name not in gone]
        if kept and len(kept) < len(table.columns):
            table = replace(table, values=table.values[:, kept], columns=tuple(table.columns[j] for j in kept))
        result.append((path, table))
    return result, [f"left out {count(len(idle), 'column')} that {lacking} of {len(tables)} files lack: {listed(idle)}"]


def _without_ids_of_files(tables: Tables, names: Mapping[Path, str], how: Reading) -> tuple[Tables, list[str]]:
    """Return tables without a column that holds, in every row of a file, the number that its name has, and a note."""
    columns = tables[0][1].columns if tables else ()
    if len(tables) < _FEWEST_NUMBERED or how.value_columns is not None or tables[0][1].has_header:
        return tables, []
    if len(columns) < 2 or any(table.columns != columns for _, table in tables):
        return tables, []
    for j, name in enumerate(columns):
        firsts = [table.values[0, j] for _, table in tables]
        if len(set(firsts)) < _FEWEST_NUMBERED or not all(first.is_integer() for first in firsts):
            continue
        if all(
            (table.values[:, j] == first).all() and f"{first:.0f}" in _whole_numbers(names[path])
            for (path, table), first in zip(tables, firsts, strict=True)
        ):
            kept = [k for k in range(len(columns)) if k != j]
            rest = tuple(columns[k] for k in kept)
            said = f"left out the column {name!r}, which holds the number in the name of each file and is no feature"
            return [(path, replace(table, values=table.values[:, kept], columns=rest)) for path, table in tables], [
                said
            ]
    return tables, []


_FEWEST_NUMBERED = 3
"""Files from which on it is no chance that a column holds the numbers in their names."""


def _whole_numbers(name: str) -> set[str]:
    return {number.lstrip("0") or "0" for number in re.findall(r"\d+", name)}


def _without_own_numbers(tables: Tables) -> tuple[Tables, list[str]]:
    """Return tables whose columns have the same names once the number that all names of a file share is gone, and a note."""
    if len({table.columns for _, table in tables}) < 2 or not all(table.has_header for _, table in tables):
        return tables, []
    renamed: Tables = []
    for path, table in tables:
        shared = set.intersection(*(set(re.findall(r"\d+", name)) for name in table.columns))
        if len(shared) != 1:
            return tables, []
        (number,) = shared
        names = tuple(name.replace(number, "", 1).strip("_ -.") for name in table.columns)
        if not all(names) or len(set(names)) < len(names):
            return tables, []
        renamed.append((path, replace(table, columns=names)))
    if len({table.columns for _, table in renamed}) > 1:
        return tables, []
    first, then = tables[0][1].columns[0], renamed[0][1].columns[0]
    return renamed, [f"left the number of each file out of the names of its columns ({first!r} is {then!r})"]


def _same_columns(
    tables: Tables, root: Path, names: Mapping[Path, str], on_bad_file: OnBadFile
) -> tuple[Tables, list[str]]:
    """Keep the tables with the columns of most files, in the order of the first of these.

    Columns that a good part of the files lack are left out.
    """
    tables, notes = _common(tables)
    size = _of_most([(names[path], len(table.columns)) for path, table in tables], lambda n: count(n, "feature"))
    if isinstance(size, str):
        rows = {len(table.values) for _, table in tables}
        if len(rows) == 1:
            size += f" (all have {count(rows.pop(), 'row')}: if rows are channels and columns frames, transpose them)"
        raise DataError(f"{root}: {size}; give all files the same columns")
    headed = [(names[path], table.columns) for path, table in tables if table.has_header and len(table.columns) == size]
    usual: tuple[str, ...] | None = None
    if headed:
        common = _of_most(
            [(name, tuple(sorted(columns))) for name, columns in headed],
            lambda columns: f"the columns {listed(columns)}",
        )
        if isinstance(common, str):
            raise DataError(f"{root}: {common}; give all files the same columns")
        usual = next(columns for _, columns in headed if tuple(sorted(columns)) == common)
    matching: list[tuple[Path, Table]] = []
    moved: list[str] = []
    for path, table in tables:
        problem = None
        if len(table.columns) != size:
            problem = f"has {count(len(table.columns), 'feature')} where most files have {size}"
        elif table.has_header and usual is not None and set(table.columns) != set(usual):
            strange = sorted(set(table.columns) - set(usual))[0]
            problem = f"has a column {strange!r}, which most files do not have"
        elif table.has_header and usual is not None and table.columns != usual:
            order = [table.columns.index(column) for column in usual]
            table = replace(table, values=np.ascontiguousarray(table.values[:, order]), columns=usual)
            moved.append(names[path])
        if problem is None:
            matching.append((path, table))
        elif on_bad_file == "refuse":
            raise DataError(f"{path}: {problem}; give all files the same columns")
        else:
            notes.append(f"skipped {names[path]}: {problem}; give all files the same columns")
    if moved:
        notes.append(f"put the columns of {count(len(moved), 'file')} in the order of the others: {listed(moved)}")
    return matching, notes
