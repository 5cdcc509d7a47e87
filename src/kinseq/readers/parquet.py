"""Parquet files as tables; pyarrow is needed only when there is one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..core.data_checks import name_it
from ..core.errors import DataError
from ..core.extras import from_extra
from ..core.table_times import TIME, holds_times
from .arrays import as_floats
from .columns import Column, column_of
from .nested import unnested
from .reading import USUAL, Reading
from .table import SPECIAL, Table, require_poses, table_of

if TYPE_CHECKING:
    import pandas
    import pyarrow


def read_parquet(path: Path, how: Reading = USUAL) -> Table:
    """Table of a Parquet file; a named index, and one of times, counts as columns.

    `how` is as of :func:`kinseq.readers.table.table_of`.

    Raises
    ------
    DataError
        If it cannot be read, or a column holds neither numbers nor text that reads as numbers.
    """
    with from_extra("files", f"{path}: reading a Parquet file"):
        import pyarrow
    import pandas

    try:
        frame = pandas.read_parquet(path, engine="pyarrow")
    except (OSError, ValueError, TypeError, KeyError, MemoryError, pyarrow.ArrowException) as error:
        raise DataError(
            f"{path}: cannot be read as Parquet ({' '.join(str(error).split())}); write it again"
        ) from error
    frame, said = unnested(frame, path)
    return replace(table_of_frame(frame, path, how), said=said)


def text_table(path: Path) -> pyarrow.Table | None:
    """Return the table of a Parquet file; None without a column of text or of lists of text, leaving it unread.

    Raises
    ------
    DataError
        If it cannot be read.
    """
    with from_extra("files", f"{path}: reading a Parquet file"):
        import pyarrow
        import pyarrow.parquet
    try:
        schema = pyarrow.parquet.read_schema(path)
        is_text = (pyarrow.types.is_string, pyarrow.types.is_large_string, pyarrow.types.is_dictionary)
        is_list = (pyarrow.types.is_list, pyarrow.types.is_large_list)
        kinds = [field.type.value_type if any(of(field.type) for of in is_list) else field.type for field in schema]
        if not any(of(kind) for kind in kinds for of in is_text):
            return None
        return pyarrow.parquet.read_table(path)
    except (OSError, ValueError, pyarrow.ArrowException) as error:
        raise DataError(
            f"{path}: cannot be read as Parquet ({' '.join(str(error).split())}); write it again"
        ) from error


def table_of_frame(frame: pandas.DataFrame, path: Path, how: Reading = USUAL) -> Table:
    """Table of the content of a Parquet file; `path` is for messages."""
    require_poses(how, 0)
    timed = holds_times(frame.index, how.time_column)
    if timed or any(entry is not None for entry in frame.index.names):
        nameless = timed and frame.index.name is None
        try:
            frame = (
                frame.reset_index(names=TIME if TIME not in frame.columns else "index")
                if nameless
                else frame.reset_index()
            )
        except ValueError as error:
            raise DataError(f"{path}: its index is called like a column ({error}); rename one of them") from error
    names = [str(column).strip() for column in frame.columns]
    text = {*SPECIAL, *(str(name).lower() for name in (how.time_column, how.id_column) if name is not None)}
    columns = [_column(frame.iloc[:, i], names[i], path, names[i].lower() in text) for i in range(len(names))]
    return table_of(columns, names, True, path, np.arange(1, len(frame) + 1), "row", how)


def _column(cells: pandas.Series[Any], name: str, path: Path, as_text: bool) -> Column:
    import pandas

    if isinstance(cells.dtype, pandas.PeriodDtype):
        cells = cells.dt.to_timestamp()
    missing = cells.isna().to_numpy(dtype=bool)
    if isinstance(cells.dtype, pandas.DatetimeTZDtype) or cells.dtype.kind == "M":
        return Column(text=["" if gap else cell.isoformat() for cell, gap in zip(cells, missing, strict=True)])
    if as_text:
        if cells.dtype.kind == "m":
            cells = cells.dt.total_seconds()
        return Column(text=_texts(cells, missing))
    if pandas.api.types.is_numeric_dtype(cells.dtype) and cells.dtype.kind != "c":
        values = cells[~missing].to_numpy()
        numbers = np.full(len(cells), np.nan)
        numbers[~missing] = as_floats(values, path, f"has a column {name!r}")
        return Column(numbers)
    if all(isinstance(cell, str) for cell in cells[~missing]):
        return column_of(["" if gap else cell.strip() for cell, gap in zip(cells, missing, strict=True)])
    kind = type(cells[~missing].iloc[0]).__name__
    raise DataError(
        f"{path}: column {name!r} holds no numbers but entries of type {kind}; turn them into numbers or remove the"
        f" column (if it is the time, {name_it()})"
    )


def _texts(cells: pandas.Series[Any], missing: NDArray[np.bool_]) -> list[str]:
    """Cells as text, missing ones empty."""
    import pandas

    # Many rows share an id, so convert distinct cells once; not for mixed types, where 1 and True are equal.
    if cells.dtype.kind in "iuf" or pandas.api.types.infer_dtype(cells, skipna=True) == "string":
        codes, distinct = pandas.factorize(cells)
        texts = ["", *map(cell_text, distinct)]
        return [texts[code] for code in (codes + 1).tolist()]
    return ["" if gap else cell_text(cell) for cell, gap in zip(cells, missing, strict=True)]


def cell_text(cell: Any) -> str:
    """A cell as text; whole numbers without a point, so that ids 3 and 3.0 are the same."""
    if isinstance(cell, bytes):
        return cell.decode("utf-8", "backslashreplace")
    if isinstance(cell, (float, np.floating)) and float(cell).is_integer():
        return str(int(cell))
    return repr(float(cell)) if isinstance(cell, (float, np.floating)) else str(cell)
