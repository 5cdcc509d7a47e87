"""A folder of CSV, TSV or NPY files, one sequence each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from ...errors import DataError
from ...features.extraction import OnBadFile, map_files
from .delimited import read_csv
from .finding import Found
from .npy import read_npy
from .raw import Raw, RawSet
from .table import Table, by_time, ordered
from .wording import count, listed


def read_tables(
    found: Found, title: str, notes: list[str], *, on_bad_file: OnBadFile, jobs: int, task: str | None
) -> RawSet:
    """One sequence from each CSV, TSV or NPY file."""

    def read(path: Path) -> Table:
        table = read_npy(path) if path.suffix.lower() == ".npy" else read_csv(path)
        if table.id is not None:
            raise DataError(
                f"{path}: has a column id, so it is a table of many sequences; give it by itself, or rename the column"
            )
        if table.time is not None:
            table = ordered(table, by_time(table))
        return table

    if any(path.suffix.lower() != ".npy" for path in found.files):
        import pandas  # noqa: F401  (once, before threads ask for it at the same time)
    tables = map_files(read, found.files, found.names, notes, on_bad_file=on_bad_file, jobs=jobs, task=task)
    good = [(path, table) for path, table in zip(found.files, tables, strict=True) if table is not None]
    if not good:
        raise DataError(
            f"{found.root}: none of the {len(found.files)} files can be used; the first reason:"
            f" {notes[-len(tables)].removeprefix('skipped ')}"
        )
    kept = _same_columns(good, found.names, notes, on_bad_file)
    return RawSet(
        [
            Raw(
                id=found.names[path],
                where=str(path),
                values=table.values,
                place=table.place,
                time=table.time,
                columns=table.columns if table.has_header else None,
            )
            for path, table in kept
        ],
        provenance={"files": len(found.files), "skipped": len(found.files) - len(kept)},
    )


def _same_columns(
    tables: list[tuple[Path, Table]], names: Mapping[Path, str], notes: list[str], on_bad_file: OnBadFile
) -> list[tuple[Path, Table]]:
    """Keep the tables that have the columns of most, in the order of the first of these."""
    headed = [table.columns for _, table in tables if table.has_header]
    sizes = Counter(len(table.columns) for _, table in tables)
    size = sizes.most_common(1)[0][0]
    usual: tuple[str, ...] | None = None
    sets = Counter(frozenset(columns) for columns in headed if len(columns) == size)
    if sets:
        common = sets.most_common(1)[0][0]
        usual = next(columns for columns in headed if frozenset(columns) == common)
    kept: list[tuple[Path, Table]] = []
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
            kept.append((path, table))
        elif on_bad_file == "refuse":
            raise DataError(f"{path}: {problem}; give all files the same columns")
        else:
            notes.append(f"skipped {names[path]}: {problem}; give all files the same columns")
    if moved:
        notes.append(f"put the columns of {count(len(moved), 'file')} in the order of the others: {listed(moved)}")
    return kept
