"""CSV and TSV files as tables: how a file is written is found from its first lines."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import DataError
from .finding import LABELS_FILE
from .table import Table, table_of
from .text import MISSING_CELLS, cells_of, decode, read_bytes

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class _Dialect:
    """How a text table is written."""

    encoding: str
    skip: int  # lines before the data, comments and the header included
    separator: str
    decimal: str
    columns: tuple[str, ...]
    has_header: bool


def read_csv(path: Path) -> Table:
    """Table of a CSV or TSV file, whichever way its cells are separated."""
    import pandas

    dialect = _sniff(path)
    columns = list(dialect.columns)
    doubled = [column for column, count in Counter(columns).items() if count > 1 and column]
    if doubled:
        raise DataError(f"{path}: column {doubled[0]!r} occurs more than once; rename or remove one")
    lowered = [column.lower() for column in columns] if dialect.has_header else [""] * len(columns)
    if dialect.has_header and set(lowered) <= {"id", "label", "group"} and {"id", "label"} <= set(lowered):
        raise DataError(f"{path}: is a labels file, not a sequence; call it {LABELS_FILE} or pass labels={path.name!r}")
    text = [i for i, column in enumerate(lowered) if column in ("id", "label", "group")]
    options: dict[str, Any] = {
        "sep": dialect.separator,
        "decimal": dialect.decimal,
        "header": None,
        "names": list(range(len(columns))),
        "index_col": False,
        "skiprows": dialect.skip,
        "encoding": dialect.encoding,
        "encoding_errors": "replace",
        "dtype": dict.fromkeys(text, str),
        # Ids and labels are text even where they read "NA" or "007".
        "na_values": {i: MISSING_CELLS for i in range(len(columns)) if i not in text},
        "keep_default_na": False,
        "skip_blank_lines": False,
        "skipinitialspace": True,
        "float_precision": "round_trip",
        "on_bad_lines": "error",
        "low_memory": False,
    }
    try:
        frame: pandas.DataFrame = pandas.read_csv(path, **options)
    except pandas.errors.EmptyDataError as error:
        raise DataError(f"{path}: holds a header but no row; leave it out or write it again") from error
    except (pandas.errors.ParserError, ValueError, OSError) as error:
        reason = " ".join(str(error).split()).removeprefix("Error tokenizing data. C error: ")
        raise DataError(f"{path}: cannot be read as a table ({reason}); check its rows and its separator") from error
    frame.index = pandas.RangeIndex(dialect.skip + 1, dialect.skip + 1 + len(frame))
    return table_of(frame, columns, dialect.has_header, path, "line")


def _sniff(path: Path) -> _Dialect:
    """Find encoding, separator, decimal mark and header of a text table.

    Raises
    ------
    DataError
        If the file is empty or no text.
    """
    text, encoding = decode(read_bytes(path, 1 << 16), path)
    lines = text.splitlines()
    skip = 0
    comment = None
    while skip < len(lines) and (not lines[skip].strip() or lines[skip].lstrip().startswith("#")):
        if lines[skip].strip():
            comment = lines[skip].lstrip().lstrip("#").strip()
        skip += 1
    if skip == len(lines):
        raise DataError(f"{path}: holds no row; leave it out or write it again")
    first = lines[skip]
    rest = [line for line in lines[skip + 1 : skip + 20] if line.strip()]
    separator = "," if path.suffix.lower() != ".tsv" else "\t"
    for candidate in ("\t", ";", ","):
        if candidate in first:
            separator = candidate
            break
    else:
        if len(first.split()) > 1 and all(len(line.split()) == len(first.split()) for line in rest):
            separator = r"\s+"
    cells = cells_of(first, separator)
    decimal = "."
    if separator != "," and any("," in line for line in rest or [first]):
        plain = [cell for line in rest or [first] for cell in cells_of(line, separator)]
        if any(_is_number(cell.replace(",", ".", 1)) and not _is_number(cell) for cell in plain):
            decimal = ","
    has_header = not all(_is_number(cell.replace(decimal, ".")) or cell in MISSING_CELLS for cell in cells)
    if has_header:
        skip += 1
    else:
        # numpy.savetxt writes its header as a comment
        named = cells_of(comment, separator) if comment else []
        has_header = len(named) == len(cells) and not any(_is_number(cell) for cell in named)
        cells = named if has_header else [f"{i + 1}" for i in range(len(cells))]
    return _Dialect(encoding, skip, separator, decimal, tuple(cells), has_header)


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return "_" not in cell
