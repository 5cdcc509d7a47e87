"""Recordings of OpenSignals, the program of biosignalsplux and BITalino: a header in JSON with the columns and the rate."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...core.clock import SECONDS
from ...core.errors import DataError
from ...core.wording import count, listed, plain
from ..delimited import Sheet
from ..layout import Layout, tabulate
from ..reading import Reading
from ..table import Table
from ..text import beginning_of
from .known_layout import KnownLayout, Read

_TITLE, _END = b"# OpenSignals", "EndOfHeader"
_COUNTER = "nSeq"
"""Column of numbers of rows, which begin again at a power of two."""
_HEADER = 1 << 16
"""Bytes of a header at most."""


def matches(sheet: Sheet) -> bool:
    """Return whether the lines above the rows are a header of the program."""
    return sheet.comment == [_END] and beginning_of(sheet.path).startswith(_TITLE)


def read(sheets: Sequence[Sheet], how: Reading) -> Read:
    """Return tables with the columns and the rate of their headers, without counters of rows, and what was read."""
    tables: list[Table | DataError] = []
    rates: set[float] = set()
    for sheet in sheets:
        try:
            names, rate = _header(sheet)
            counters = [name for name in names if name.endswith(_COUNTER) and how.value_columns is None]
            blank = [""] * (sheet.width - len(names))
            layout = Layout((*names, *blank), first_is_header=False)
            table = tabulate(sheet, layout, how.altered(drop_columns=(*how.drop_columns, *counters)))
        except DataError as error:
            tables.append(error)
            continue
        if table.time is None:
            table.time, table.unit = np.arange(len(table.values)) / rate, SECONDS
        rates.add(rate)
        tables.append(table)
    hertz = listed([plain(rate) for rate in sorted(rates)])
    said = [f"read the columns and the rate ({hertz} Hz) of {count(len(sheets), 'file')} from headers of OpenSignals"]
    return tables, said if rates else []


def _header(sheet: Sheet) -> tuple[list[str], float]:
    """Return the names of columns and the rate in Hz; of several devices the names have the device in front."""
    wrong = f"{sheet.path}: its header of OpenSignals"
    lines = beginning_of(sheet.path, _HEADER).decode("utf-8", errors="replace").splitlines()
    try:
        devices: Mapping[str, Mapping[str, Any]] = json.loads(lines[1].lstrip("# "))
        columns = {device: [str(name) for name in each["column"]] for device, each in devices.items()}
        rates = {float(each["sampling rate"] or "none") for each in devices.values()}
    except (IndexError, KeyError, TypeError, AttributeError, ValueError) as error:
        raise DataError(f"{wrong} has no columns or no sampling rate; export it again, or remove the header") from error
    if len(rates) != 1:
        raise DataError(f"{wrong} gives devices of different rates; export each device by itself")
    many = len(columns) > 1
    names = [f"{device} {name}" if many else name for device, own in columns.items() for name in own]
    if len(names) > sheet.width:
        raise DataError(
            f"{wrong} names {count(len(names), 'column')}, but its rows have {sheet.width}; export it again"
        )
    return names, rates.pop()


LAYOUT = KnownLayout("OpenSignals", matches, read)
