"""Arrow and Feather files, by the optional package pyarrow: long tables, or lists in cells."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ...core.errors import DataError
from ...core.extras import from_extra
from ..nested import unnested
from ..parquet import table_of_frame
from ..reading import Reading
from ..table import Table
from .container import Container


def read_arrow(path: Path, how: Reading) -> Table:
    """Return the table of an Arrow file or stream.

    Raises
    ------
    ParameterError
        If pyarrow is not installed.
    DataError
        If it is damaged, or :func:`.nested.unnested` refuses it.
    """
    with from_extra("files", f"{path}: reading Arrow"):
        import pyarrow
        import pyarrow.feather
    try:
        try:
            content = pyarrow.feather.read_table(path, memory_map=False)
        except pyarrow.ArrowInvalid:
            with pyarrow.ipc.open_stream(path.read_bytes()) as stream:
                content = stream.read_all()
        frame = content.to_pandas()
    except (OSError, ValueError, TypeError, KeyError, MemoryError, pyarrow.ArrowException) as error:
        raise DataError(
            f"{path}: cannot be read as Arrow ({' '.join(str(error).split())[:120]}); write it again"
        ) from error
    frame, said = unnested(frame, path)
    return replace(table_of_frame(frame, path, how), said=f"{CONTAINER.name}: {said or 'read a long table'}")


CONTAINER = Container("Arrow", (".feather", ".arrow", ".ipc"), read_arrow)
