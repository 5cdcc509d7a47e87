"""Parquet files as tables; pyarrow is needed only when there is one."""

from __future__ import annotations

from pathlib import Path

from ...errors import DataError
from .table import Table, table_of


def read_parquet(path: Path) -> Table:
    """Table of a Parquet file; a named index counts as columns."""
    try:
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise DataError(
            f"{path}: Parquet files need the package pyarrow, which is not installed; install it or save the table as"
            " CSV"
        ) from error
    import pandas

    try:
        frame = pandas.read_parquet(path, engine="pyarrow")
    except (OSError, ValueError) as error:
        raise DataError(
            f"{path}: cannot be read as Parquet ({' '.join(str(error).split())}); write it again"
        ) from error
    stored = [entry for entry in frame.index.names if entry is not None]
    if stored:
        frame = frame.reset_index()
    columns = [str(column) for column in frame.columns]
    frame.columns = pandas.RangeIndex(len(columns))
    frame.index = pandas.RangeIndex(1, len(frame) + 1)
    return table_of(frame, columns, True, path, "row")
