"""A folder of CSV, TSV or NPY files, one sequence each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from kinseq.core.errors import DataError
from kinseq.core.folders import UNLABELLED
from kinseq.core.row_order import RowOrder, told_orders
from kinseq.core.wording import count, listed
from kinseq.features.extraction import OnBadFile, map_files

from .delimited import Sheet, read_sheet
from .finding import Contents
from .known import KnownLayout, known_layout
from .layout import agree, tabulate
from .npy import read_npy
from .raw import Raw, RawSet
from .table import Table, in_time, take_out, time_remarks

Vote = TypeVar("Vote", bound=Hashable)


def open_table(path: Path) -> Table | Sheet:
    """What one CSV, TSV or NPY file holds; what the cells of a text mean is settled over all files."""
    return read_npy(path) if path.suffix.lower() == ".npy" else read_sheet(path)


def read_tables(
    contents: Contents,
    title: str,
    notes: list[str],
    *,
    on_bad_file: OnBadFile,
    jobs: int,
    task: str | None,
    time_column: str | None = None,
) -> RawSet:
    """One sequence from each CSV, TSV or NPY file."""
    read_in = map_files(
        open_table, contents.files, contents.names, notes, on_bad_file=on_bad_file, jobs=jobs, task=task
    )
    opened = {path: each for path, each in zip(contents.files, read_in, strict=True) if each is not None}
    read_in.clear()
    _read_known(opened, notes)
    sheets = [each for each in opened.values() if isinstance(each, Sheet)]
    verdicts = dict(
        zip([sheet.path for sheet in sheets], agree(sheets, lambda s: contents.names[s.path], notes), strict=True)
    )

    def settle(path: Path) -> Table:
        # Let go of, so that numbers are not held as a sheet and as a table until the last file is done.
        table = opened.pop(path)
        if isinstance(table, Sheet):
            verdict = verdicts[path]
            if isinstance(verdict, DataError):
                raise verdict
            table = tabulate(table, verdict, time_column)
        elif time_column is not None:
            raise DataError(f"{path}: has no names of columns, so that none is the time {time_column!r}; give a CSV")
        if table.id is not None:
            raise DataError(
                f"{path}: has a column id, so it is a table of many sequences; give it by itself, or rename the column"
            )
        for name in ("label", "group"):
            entries = getattr(table, name)
            if entries is not None and (entries != entries[0]).any():
                row = int(np.flatnonzero(entries != entries[0])[0])
                raise DataError(
                    f"{path}: {table.row_word} {table.rows[row]}, column {name!r} differs within the sequence; give a"
                    f" sequence one {name}, or rename the column if it is a feature"
                )
        return table

    paths = list(opened)
    sheets.clear()
    tables = map_files(settle, paths, contents.names, notes, on_bad_file=on_bad_file, jobs=jobs)
    good = [(path, table) for path, table in zip(paths, tables, strict=True) if table is not None]
    _require_some(good, contents, notes)
    good = _same_columns(good, contents.root, contents.names, notes, on_bad_file)
    timed = take_out([table for _, table in good])
    notes += time_remarks(timed)
    timed_good = [(path, table) for (path, _), table in zip(good, timed, strict=True)]
    usable = _in_time(timed_good, contents.names, notes, on_bad_file)
    _require_some(usable, contents, notes)
    time_columns = {table.time_source for _, table in usable if table.time_source is not None and table.has_header}
    return RawSet(
        [
            Raw(
                id=contents.names[path],
                where=str(path),
                values=table.values,
                place=table.place,
                time=table.time,
                columns=table.columns if table.has_header else None,
                numbers=None if table.has_header else table.columns,
                unit=table.unit,
            )
            for path, table in usable
        ],
        labels=_column(usable, "label"),
        groups=_column(usable, "group"),
        provenance={
            "files": len(contents.files),
            "skipped": len(contents.files) - len(usable),
            **({"time_column": time_columns.pop()} if len(time_columns) == 1 else {}),
        },
    )


def _read_known(opened: dict[Path, Table | Sheet], notes: list[str]) -> None:
    """Put tables in the place of sheets whose layout is known."""
    found: dict[str, list[Sheet]] = {}
    layouts: dict[str, KnownLayout] = {}
    for each in opened.values():
        layout = known_layout(each) if isinstance(each, Sheet) else None
        if isinstance(each, Sheet) and layout is not None:
            layouts[layout.name] = layout
            found.setdefault(layout.name, []).append(each)
    for name, sheets in found.items():
        tables, said = layouts[name].read(sheets)
        notes += said
        opened.update({sheet.path: table for sheet, table in zip(sheets, tables, strict=True)})


def _require_some(tables: Sequence[object], contents: Contents, notes: Sequence[str]) -> None:
    """Raise :class:`DataError` with the first reason where all files were skipped."""
    if not tables:
        reason = next(note for note in notes if note.startswith("skipped ")).removeprefix("skipped ")
        raise DataError(
            f"{contents.root}: none of the {len(contents.files)} files can be used; the first reason: {reason}"
        )


def _of_most(votes: Sequence[tuple[str, Vote]], wording: Callable[[Vote], str]) -> Vote | str:
    """What more than half of the files have, or a sentence that says between what they are divided."""
    ranked = Counter(vote for _, vote in votes).most_common()
    (first, number), others = ranked[0], ranked[1:]
    if 2 * number > len(votes):
        return first
    example = {vote: name for name, vote in reversed(votes)}
    options = [f"{wording(vote)} (such as {example[vote]})" for vote, _ in (ranked[0], *others)]
    return f"the files do not agree: {number} of {len(votes)} have {', others '.join(options[:3])}"


def _column(tables: Sequence[tuple[Path, Table]], name: str) -> NDArray[np.str_] | None:
    """What a column that is constant in every file says of the files."""
    entries = [getattr(table, name) for _, table in tables]
    if all(entry is None for entry in entries):
        return None
    return np.array([UNLABELLED if entry is None else str(entry[0]) for entry in entries], dtype=np.str_)


def _in_time(
    tables: Sequence[tuple[Path, Table]], names: Mapping[Path, str], notes: list[str], on_bad_file: OnBadFile
) -> list[tuple[Path, Table]]:
    """Put the rows of every table in the order of its time, if it has any."""
    orders: dict[str, RowOrder] = {}
    equal, result = [], []
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
    notes += told_orders(orders, "file")
    if equal:
        notes.append(
            f"{count(len(equal), 'file')} with several rows of the same time, which keep their order: {listed(equal)}; if the rows"
            " are of several animals or sensors, give each a file, or all a column id"
        )
    return result


def _same_columns(
    tables: list[tuple[Path, Table]], root: Path, names: Mapping[Path, str], notes: list[str], on_bad_file: OnBadFile
) -> list[tuple[Path, Table]]:
    """Keep the tables that have the columns of most, in the order of the first of these."""
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
    return matching
