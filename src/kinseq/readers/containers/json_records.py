"""JSON and JSON Lines: records, an object of arrays, or one object per sequence."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...core.errors import DataError
from ..nested import unnested
from ..parquet import table_of_frame
from ..reading import Reading
from ..table import Table
from ..text import decode, read_bytes
from .container import Container

if TYPE_CHECKING:
    import pandas

_LINES = (".jsonl", ".ndjson")
EXTENSIONS = (".json", *_LINES)
EVENT_NAMES = ("state", "action", "event", "symbol", "activity", "status", "code", "label")
"""Names of columns of symbols."""
_VALUE = re.compile(rb'"\s*[,}\]]')
"""The end of a text that is no name of a field."""


def read_json(path: Path, how: Reading) -> Table:
    """Return the table of a JSON file.

    Records are rows; lists in them are sequences. An object of arrays is columns; an object of such objects has a sequence each.

    Raises
    ------
    DataError
        If it is no JSON (with the line), records have different fields, or it holds anything else.
    """
    frame, said = unnested(_frame(_content(path), path), path)
    form = "JSON Lines" if path.suffix.lower() in _LINES else CONTAINER.name
    return replace(table_of_frame(frame, path, how), said=f"{form}: {said or 'read records as rows'}")


def frame_with_text(path: Path) -> pandas.DataFrame | None:
    """Return the rows of a JSON file, with a row for each entry of lists of text, which are sequences; None without text.

    Raises
    ------
    DataError
        As :func:`read_json`.
    """
    import pandas

    if _VALUE.search(read_bytes(path)) is None:
        return None
    data = _content(path)
    rows: Mapping[str, Any] = {}
    if isinstance(data, list) and all(map(_is_text_list, data)):
        rows = {f"row {i}": row for i, row in enumerate(data, start=1)}
    elif isinstance(data, Mapping) and len(data) > 1 and all(map(_is_text_list, data.values())):
        is_columns = any(key.lower() in ("id", "time", *EVENT_NAMES) for key in data)
        rows = {} if is_columns else data
    if rows:
        return pandas.DataFrame([(key, state) for key, row in rows.items() for state in row], columns=["id", "state"])
    return unnested(_frame(data, path), path)[0]


def _content(path: Path) -> Any:
    text, _ = decode(read_bytes(path), path)
    return _of_lines(text, path) if path.suffix.lower() in _LINES else _parsed(text, path)


def _is_text_list(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(entry is None or isinstance(entry, str) for entry in value)


def _parsed(text: str, path: Path) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise DataError(
            f"{path}: line {error.lineno} is no JSON ({error.msg}); correct it or write the file again"
        ) from error


def _of_lines(text: str, path: Path) -> list[Any]:
    records = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            try:
                records.append(json.loads(line))
            except json.JSONDecodeError as error:
                raise DataError(
                    f"{path}: line {number} is no JSON ({error.msg}); correct it or remove the line"
                ) from error
            if isinstance(records[0], Mapping) and not isinstance(records[-1], Mapping):
                raise DataError(f"{path}: line {number} is no object, as the first is; correct it or remove the line")
    return records


def _frame(data: Any, path: Path) -> pandas.DataFrame:
    """Return the rows of the content of a file."""
    import pandas

    if isinstance(data, list) and data and all(isinstance(entry, Mapping) for entry in data):
        fields = set(data[0])
        for i, entry in enumerate(data, start=1):
            if set(entry) != fields:
                odd = sorted(fields ^ set(entry))[0]
                raise DataError(
                    f"{path}: record {i} differs from the first in the field {odd!r}; give all records the same fields"
                )
        return pandas.DataFrame(data)
    if _is_matrix(data):
        channels_first = len(data[0]) >= _MUCH_LONGER * len(data)
        rows = list(zip(*data, strict=True)) if channels_first else data
        return pandas.DataFrame(rows).rename(columns=lambda j: f"column_{j + 1}")
    if isinstance(data, list) and data and all(isinstance(entry, (int, float)) for entry in data):
        return pandas.DataFrame({"value": data})
    if isinstance(data, Mapping) and data:
        return _frame_of_object(data, path)
    raise DataError(
        f"{path}: holds neither records nor an object of arrays; write a list of objects of the same fields, or an object with"
        " one array a channel"
    )


def _frame_of_object(data: Mapping[str, Any], path: Path) -> pandas.DataFrame:
    """Return the rows of an object: of arrays, of sequences by id, or with the records in one of its fields."""
    import pandas

    inner = [value for value in data.values() if isinstance(value, (list, Mapping)) and value]
    if len(inner) > 1 and all(isinstance(value, Mapping) or _are_records(value) for value in inner):
        parts = [
            _frame(value, path).assign(id=key) for key, value in data.items() if isinstance(value, (list, Mapping))
        ]
        if len({tuple(sorted(part.columns)) for part in parts}) > 1:
            raise DataError(f"{path}: its objects have different fields; give all sequences the same channels")
        return pandas.concat(parts, ignore_index=True)
    scalars = {key: value for key, value in data.items() if isinstance(value, (str, int, float))}
    if len(inner) == 1 and (isinstance(inner[0], Mapping) or _are_records(inner[0])):
        frame = _frame(inner[0], path)
        return frame.assign(**{key: scalars[key] for key in scalars if key.lower() in ("id", "label", "group")})
    arrays = {key: value for key, value in data.items() if isinstance(value, list)}
    if not arrays or len({len(value) for value in arrays.values()}) > 1:
        raise DataError(
            f"{path}: the arrays of its object differ in length, or there is none; give all channels the same length"
        )
    kept = {key: scalars[key] for key in scalars if key.lower() in ("id", "label", "group")}
    if all(isinstance(value[0], list) for value in arrays.values() if value) and len(arrays) > 1:
        return pandas.DataFrame(arrays).assign(**kept)
    if len(arrays) == 1 and all(isinstance(entry, list) for entry in next(iter(arrays.values()))):
        return _frame(next(iter(arrays.values())), path).assign(**kept)
    clocks = [key for key, value in arrays.items() if _rises(value)]
    matrices = [key for key, value in arrays.items() if _is_matrix(value)]
    if clocks and matrices:
        # A time and the rows of all channels, not a list a sequence.
        named = {
            f"{key}_{j + 1}": column for key in matrices for j, column in enumerate(zip(*arrays[key], strict=True))
        }
        flat = {key: value for key, value in arrays.items() if key not in matrices}
        return pandas.DataFrame({**flat, **named}).assign(**kept)
    return pandas.DataFrame(arrays).assign(**kept)


_MUCH_LONGER = 5
"""Ratio of the second axis of a matrix to the first from which on the second is time."""


def _is_matrix(value: Any) -> bool:
    """Return whether a value is a list of lists of one length."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(entry, list) for entry in value)
        and len({len(entry) for entry in value}) == 1
    )


def _rises(value: Any) -> bool:
    """Return whether a value is a list of numbers that rise."""
    numbers = isinstance(value, list) and len(value) > 1 and all(isinstance(entry, (int, float)) for entry in value)
    return numbers and all(a < b for a, b in pairwise(value))


def _are_records(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(entry, Mapping) for entry in value)


CONTAINER = Container("JSON", EXTENSIONS, read_json)
