"""Tables of InfluxDB, which has a row for each value: its time, its field, and the tags that say what it is of."""

from __future__ import annotations

from collections.abc import Sequence

from ...core.errors import DataError
from ...core.wording import as_typed, count, listed
from ..delimited import Sheet
from ..reading import Reading
from ..table import Table, table_of
from .known_layout import KnownLayout, Read

_TIME, _VALUE, _FIELD = "_time", "_value", "_field"
_OWN = frozenset({"", "result", "table", "_start", "_stop", "_measurement", _TIME, _VALUE, _FIELD})
"""Columns of the program; others are tags."""


def matches(sheet: Sheet) -> bool:
    """Return whether the first row has the names of times, values and fields."""
    return {_TIME, _VALUE, _FIELD} <= set(sheet.first)


def read(sheets: Sequence[Sheet], how: Reading) -> Read:
    """Return tables of the series of each sheet, the fields as columns, and what was read."""
    tables: list[Table | DataError] = []
    taken: list[str] = []
    for sheet in sheets:
        names = list(sheet.first)
        kept = [j for j, name in enumerate(names) if name not in _OWN or name in (_TIME, _VALUE, _FIELD)]
        tags = [names[j] for j in kept if names[j] not in _OWN and len(set(sheet.columns[j].cells)) > 1]
        if not tags and "table" in names:
            tags = ["table"]
            kept.append(names.index("table"))
        idle = [names[j] for j in kept if names[j] not in (*tags, _TIME, _VALUE, _FIELD)]
        own = how.altered(
            id_column=how.id_column or ",".join(tags) or None,
            time_column=how.time_column or _TIME,
            value_name=_VALUE,
            variable_name=_FIELD,
            drop_columns=(*how.drop_columns, *idle),
        )
        taken = taken or tags
        try:
            columns = [sheet.columns[j] for j in kept]
            tables.append(table_of(columns, [names[j] for j in kept], True, sheet.path, sheet.lines, "line", own))
        except DataError as error:
            tables.append(error)
    said = (
        f"read values of InfluxDB in {count(len(sheets), 'file')}: {_FIELD!r} names the channels, {_TIME!r} is the time"
    )
    if taken:
        said += (
            f", and a sequence is what {listed([repr(name) for name in taken])} tell apart ({as_typed('id_column')})"
        )
    return tables, [said]


LAYOUT = KnownLayout("InfluxDB", matches, read)
