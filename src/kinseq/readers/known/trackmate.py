"""Spots of TrackMate, the tracker of cells in Fiji: a row a spot, below one row of names or four.

The second and the third row hold the same names in words, the fourth has the units.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from ...core.errors import DataError
from ...core.wording import count, listed
from ..delimited import Sheet
from ..reading import Reading
from ..table import Table, table_of
from ..text import MISSING_CELLS, is_number
from .known_layout import KnownLayout, Read

_TRACK, _TIME = "TRACK_ID", "POSITION_T"
_NO_CHANNELS = frozenset({"LABEL", "ID", "FRAME", "VISIBILITY", "MANUAL_SPOT_COLOR", "MANUAL_COLOR"})
_MOST_NAMES = 3
"""Rows of names and units below the first."""


def matches(sheet: Sheet) -> bool:
    """Return whether the first row has the names of spots."""
    return {_TRACK, _TIME, "POSITION_X", "POSITION_Y"} <= set(sheet.first)


def read(sheets: Sequence[Sheet], how: Reading) -> Read:
    """Return tables of the spots of tracks, and what was read."""
    tables: list[Table | DataError] = []
    lone = 0
    left_out: Counter[str] = Counter()
    for sheet in sheets:
        try:
            table, spots = _table(sheet, how)
            lone += spots
            left_out.update(name for name in sheet.first if name in _NO_CHANNELS)
            tables.append(table)
        except DataError as error:
            tables.append(error)
    said = f"read spots of TrackMate in {count(len(sheets), 'file')}: a track of {_TRACK!r} is a sequence, {_TIME!r} the time"
    said += f"; left out {listed([repr(name) for name in left_out])}" if left_out else ""
    said += f", and {count(lone, 'spot')} of no track" if lone else ""
    return tables, [said]


def _table(sheet: Sheet, how: Reading) -> tuple[Table, int]:
    """Return the table of the spots of tracks, and how many spots are of none."""
    names, rows = list(sheet.first), sheet.sample[: _MOST_NAMES + 1]
    place = names.index("POSITION_X")
    above = next((i for i, row in enumerate(rows) if is_number(row[place])), 0)
    units = rows[above - 1] if above else [""] * len(names)
    time = names.index(_TIME)
    unit = units[time].strip("()")
    names[time] = f"{_TIME} [{'s' if unit == 'sec' else unit}]" if unit and not is_number(unit) else _TIME
    columns = [column.after(above) for column in sheet.columns]
    lines = sheet.lines[above:]
    tracks = np.array(columns[names.index(_TRACK)].cells)
    own = ~np.isin(tracks, list(MISSING_CELLS))
    if not own.any():
        raise DataError(f"{sheet.path}: holds no spot of a track; export it after tracking")
    wanted = how.value_columns is not None
    how = how.altered(
        id_column=how.id_column or _TRACK,
        time_column=how.time_column or names[time],
        drop_columns=how.drop_columns
        if wanted
        else (*how.drop_columns, *(name for name in names if name in _NO_CHANNELS)),
    )
    picked = np.flatnonzero(own)
    table = table_of([column.at(picked) for column in columns], names, True, sheet.path, lines[picked], "line", how)
    return table, int((~own).sum())


LAYOUT = KnownLayout("TrackMate", matches, read)
