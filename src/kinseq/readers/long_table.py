"""One table of many sequences, distinguished by a column id."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np

from ..core.clock_columns import LEFT_OUT
from ..core.errors import DataError, printable
from ..core.row_order import notes_on_order
from ..core.wording import as_typed, count, listed
from .dates import settle_dates
from .delimited import Sheet, with_breaks
from .dividing import division_of, label_of
from .known import known_layout
from .layout import agree, tabulate
from .nested import unnested
from .parquet import read_parquet, table_of_frame
from .raw import Raw, RawSet
from .reading import USUAL, Reading
from .series import are_moments, are_series, items_of_columns, series_of, series_of_columns
from .signals import require_signals
from .single_tables import in_blocks, notes_on_breaks, open_table
from .table import Table, in_time, ordered, require_poses, table_remarks, take_out, time_remarks, without_attributes
from .text import is_number


def read_long(path: Path, alone: bool = False, how: Reading = USUAL) -> RawSet:
    """Many sequences from one table with a column id; without one a single sequence, if `alone` is allowed."""
    is_parquet = path.suffix.lower() in (".parquet", ".pq")
    open_ = _opened_parquet if is_parquet else _opened
    table, said = open_(path, how)
    if _has_unique_ids(table, how):
        other = how.altered(drop_columns=(*how.drop_columns, "id"))
        apart, told = open_(path, other)
        if apart.id is not None or division_of(apart, path) is not None:
            how, table, said = other, apart, told
            said = [*said, f"{path.name}: left out the column 'id', which numbers the rows"]
    if table.id is None and how.id_column is None and how.rows is None and how.cut_at is None:
        division = division_of(table, path)
        if division is not None:
            label = division.label if how.labels_file is not None and how.label_column is None else how.label_column
            time = division.time if how.time_column is None else how.time_column
            how = how.altered(id_column=division.id, label_column=label, time_column=time)
            table, said = open_(path, how)
            said = [*said, f"{path.name}: {division.said}"]
    elif table.restart_column and not table.has_ids and how.labels_file is not None and table.label is None:
        label = label_of(table)
        if label is not None:
            table, said = open_(path, how.altered(label_column=label))
            said = [*said, f"{path.name}: using column {label!r} as the labels of the sequences"]
    if (items := items_of_columns(table, path, how)) is not None:
        table, note = items
        said = [*said, note]
    elif are_moments(table, how):
        table, note = series_of_columns(table, path)
        said = [*said, note]
    raw = sequences_of(table, path, alone, how)
    return replace(raw, notes=(*said, *raw.notes))


def _has_unique_ids(table: Table, how: Reading) -> bool:
    """Return whether the ids of a table that were found by their name number its rows."""
    if (
        table.id is None
        or how.id_column is not None
        or how.rows is not None
        or how.cut_at is not None
        or not table.has_header
    ):
        return False
    return table.has_ids and len(table.id) > 1 and len(set(table.id.tolist())) == len(table.id)


def _opened_parquet(path: Path, how: Reading) -> tuple[Table, list[str]]:
    """Return the table of a Parquet file, without notes."""
    return read_parquet(path, how), []


def sequences_of(table: Table, path: Path, alone: bool = False, how: Reading = USUAL) -> RawSet:
    """The sequences in a table with a column id, with notes; see :func:`read_long`."""
    whole = table
    if table.id is None and alone:
        table = replace(table, id=np.full(len(table.values), printable(path.name)))
    if table.id is None:
        raise DataError(
            f"{path}: is a single table without a column id, hence a single sequence; add a column id that says which"
            f" sequence a row belongs to or name it ({as_typed('id_column')}), give a folder with one file for each"
            f" sequence, cut it into pieces ({as_typed('cut')}), or pass {as_typed('rows', 'series')} if each row is a sequence"
        )
    table, orders = in_time(table, path)
    before = table.columns
    (table,), said_of_clocks = take_out([table], how)
    (table,), attributes, first = without_attributes([table], how)
    left_out = [name for name in before if name not in table.columns and name != table.time_source]
    left_out += [name for name in attributes if name not in left_out]
    assert table.id is not None
    starts = np.concatenate([[0], np.flatnonzero(table.id[1:] != table.id[:-1]) + 1, [len(table.id)]])
    notes = [
        *table_remarks([whole], how, attributes),
        *(f"{path.name}: {said}" for said in notes_on_order(orders, "sequence")),
        *time_remarks([table]),
        *said_of_clocks,
        *_notes_on_rows(table, len(starts) - 1, path),
        *_notes_on_ids(table.id[starts[:-1]].tolist(), path),
    ]
    sequences = []
    for start, stop in pairwise(starts.tolist()):
        part = ordered(table, slice(start, stop))
        name, where = str(table.id[start]), str(path)
        names, numbers = (part.columns, None) if part.has_header else (None, part.columns)
        sequences.append(Raw(name, where, part.values, part.place, part.time, names, numbers, part.unit))
        sequences[-1].origin, sequences[-1].epoch, sequences[-1].marks = part.origin, part.epoch, part.mark
    provenance = {} if table.time_source is None else {"time_column": table.time_source}
    raw = RawSet(sequences, provenance=provenance, notes=tuple(notes), first=tuple(first))
    raw.provenance |= {LEFT_OUT: left_out} if left_out else {}
    for column, target in (("label", "labels"), ("group", "groups")):
        entries = getattr(table, column)
        if entries is None:
            continue
        own = entries[starts[:-1]]
        wrong = np.flatnonzero(entries != np.repeat(own, np.diff(starts)))
        if wrong.size:
            raise DataError(
                f"{path}: {table.row_word} {table.rows[wrong[0]]}, column {column!r} differs within sequence"
                f" {str(table.id[wrong[0]])!r}; give a sequence one {column}, leave the column out"
                f" ({as_typed('drop_columns', column)}), or rename it if it is a feature"
            )
        setattr(raw, target, own)
    return raw


def _notes_on_rows(table: Table, n_sequences: int, path: Path) -> list[str]:
    """Return sentences on ids of one row each, and on rows of the same time."""
    assert table.id is not None
    notes = []
    if n_sequences == len(table.id) > 1 and len(table.columns) > 1:
        notes.append(f"every id has one row; if a row is a series of one feature, pass {as_typed('rows', 'series')}")
    if table.time is not None:
        same = (np.diff(table.time) == 0.0) & (table.id[1:] == table.id[:-1])
        if same.any():
            row = int(np.flatnonzero(same)[0])
            notes.append(
                f"{path.name}: {count(int(same.sum()), 'row')} with the time of the row before (the first in sequence"
                f" {str(table.id[row])!r}); their order in the file was kept"
            )
    return notes


def _notes_on_ids(ids: list[str], path: Path) -> list[str]:
    """Return a sentence on ids of digits that differ by zeros in front alone."""
    by_number: dict[str, set[str]] = {}
    for entry in ids:
        if entry.isdecimal():
            by_number.setdefault(entry.lstrip("0"), set()).add(entry)
    alike = [" and ".join(sorted(each)) for each in by_number.values() if len(each) > 1]
    if not alike:
        return []
    return [f"{path.name}: ids that differ by zeros in front alone count as different: {listed(alike)}"]


def _nested(sheet: Sheet, path: Path, how: Reading) -> Table | None:
    """Return the table of a sheet with lists in its cells, as JSON writes them; None for other sheets."""
    names = sheet.first
    if len(names) != len(sheet.columns) or not len(sheet.lines) or any(map(is_number, names)):
        return None
    cells = {name: column.cells for name, column in zip(names, sheet.columns, strict=True)}
    lists = [name for name, own in cells.items() if own[0].startswith("[") and all(cell[-1:] == "]" for cell in own)]
    if not lists:
        return None
    import pandas

    try:
        parsed = {name: [json.loads(cell) for cell in cells[name]] for name in lists}
    except json.JSONDecodeError:
        return None
    frame, said = unnested(pandas.DataFrame(cells | parsed), path)
    return replace(table_of_frame(frame, path, how), said=said)


def _opened(path: Path, how: Reading) -> tuple[Table, list[str]]:
    """Return the table of a single file, and notes."""
    require_signals(how, [path])
    sheet = open_table(path, how)
    if isinstance(sheet, Table):
        require_poses(how, 0)
        return sheet, []
    if (nested := _nested(sheet, path, how)) is not None:
        return nested, []
    layout = known_layout(sheet)
    require_poses(how, int(layout is not None and layout.poses))
    if layout is not None:
        (table,), said = layout.read([sheet], how)
        if isinstance(table, DataError):
            raise table
        return table, list(said)
    (sheet,), notes = settle_dates([sheet], how)
    if how.id_column is None and how.rows != "series":
        notes += notes_on_breaks(with_breaks([sheet]), lambda _: path.name, alone=True)
    (verdict,), said = agree([sheet], lambda _: path.name)
    notes += said
    if isinstance(verdict, DataError):
        raise verdict
    if are_series(sheet, verdict, how):
        table, note = series_of(sheet, verdict, how)
        return table, [*notes, note]
    return in_blocks(tabulate(sheet, verdict, how), sheet, path.name, alone=True), notes
