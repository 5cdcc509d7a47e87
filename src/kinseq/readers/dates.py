"""Dates in common formats, converted to ISO 8601; the order of day and month is decided over a folder."""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from ..core.errors import DataError
from ..core.wording import as_typed, count
from .columns import Column
from .delimited import Sheet
from .reading import Reading
from .text import MISSING_CELLS, is_date

_CLOCK = r"(?P<h>\d{1,2}):(?P<m>\d\d)(?::(?P<s>\d\d)(?:[.,:](?P<f>\d+))?)?(?: ?(?P<half>[AaPp])\.?[Mm]\.?)?"
_ZONE = r" ?(?P<zone>Z|UTC|[+-]\d\d:?\d\d)?(?: ?\[[^\]]+\])?"
_DAYS = r"(?P<a>\d{1,2})(?P<mark>[./-])(?P<b>\d{1,2})(?P=mark)(?P<year>\d{4}|\d\d)"
_BIG = r"(?P<y>\d{4})(?P<sep>[./-])(?P<mo>\d{1,2})(?P=sep)(?P<d>\d{1,2})"
_LOCAL = re.compile(rf"{_DAYS}(?:[T ,]+ ?{_CLOCK}{_ZONE})?")
_YEAR_FIRST = re.compile(rf"{_BIG}(?:[T ,]+ ?{_CLOCK}{_ZONE})?")
_HALF_DAY = re.compile(rf"{_CLOCK}")
_MONTHS = 12


def settle_dates(sheets: Sequence[Sheet], how: Reading) -> tuple[list[Sheet], list[str]]:
    """Return sheets with ``31.05.2024 10:00`` and ``5/31/2024 1:05 PM`` converted to ISO 8601, and notes on them.

    Parameters
    ----------
    sheets : sequence of Sheet
        All text tables of a folder.
    how : Reading
        With the order of day and month, if it is given; columns that are dropped are passed over.

    Raises
    ------
    DataError
        If all dates may be read in two ways, or files contradict each other.
    """
    found = {i: columns for i, sheet in enumerate(sheets) if (columns := _columns(sheet, how))}
    if not found:
        return list(sheets), []
    day_first, month_first, doubtful = _evidence_of_order(sheets, found)
    order = how.date_order
    options = [as_typed("date_order", name) for name in ("day_first", "month_first")]
    if day_first is not None and month_first is not None:
        raise DataError(
            f"{day_first.path} holds dates with the day first and {month_first.path} dates with the month first (a number is above"
            " 12); write dates such as 2024-05-31 10:00:00"
        )
    explicit_order = "day_first" if day_first is not None else "month_first" if month_first is not None else None
    if order is not None and explicit_order is not None and order != explicit_order:
        which = (day_first or month_first or sheets[0]).path
        raise DataError(
            f"{which}: {how.as_typed('date_order')} cannot be, since the other number of a date is above 12; leave it out"
        )
    order = order or explicit_order  # type: ignore[assignment]
    open_order = order is None and doubtful is not None
    if doubtful is not None and open_order and (isinstance(how.cut, str) or not _same_steps(sheets, found)):
        unclear, cell = doubtful
        raise DataError(
            f"{unclear.path}: {cell!r} may begin with the day or the month, and no date of {count(len(sheets), 'file')} tells; pass"
            f" {' or '.join(options)}"
        )
    result = list(sheets)
    for i, columns in found.items():
        result[i] = _written(sheets[i], columns, order != "month_first")
    if open_order:
        return result, [
            f"dates such as {_example(sheets, found)} may begin with the day or the month, which makes no difference to the steps"
            " between rows"
        ]
    if explicit_order is None and how.date_order is None:
        return result, []
    first = "day" if order == "day_first" else "month"
    why = "" if how.date_order is not None else ", since a number in the files is above 12"
    return result, [f"read dates such as {_example(sheets, found)} with the {first} first{why}"]


def _evidence_of_order(
    sheets: Sequence[Sheet], found: Mapping[int, Sequence[int]]
) -> tuple[Sheet | None, Sheet | None, tuple[Sheet, str] | None]:
    """Return the first sheet with the day first, the first with the month first, and an ambiguous date."""
    day_first: Sheet | None = None
    month_first: Sheet | None = None
    doubtful: tuple[Sheet, str] | None = None
    for i, columns in found.items():
        sheet = sheets[i]
        for j in columns:
            for cell in dict.fromkeys([sheet.first[j] if j < len(sheet.first) else "", *_texts(sheet.columns[j])]):
                match = _LOCAL.fullmatch(cell)
                if match is None or match["mark"] == ".":
                    continue
                if int(match["a"]) > _MONTHS:
                    day_first = day_first or sheet
                elif int(match["b"]) > _MONTHS:
                    month_first = month_first or sheet
                elif match["a"] != match["b"]:
                    doubtful = doubtful or (sheet, cell)
    return day_first, month_first, doubtful


def _same_steps(sheets: Sequence[Sheet], found: Mapping[int, Sequence[int]]) -> bool:
    """Return whether the days of each column are equally spaced with either order."""
    for i, columns in found.items():
        for j in columns:
            cells = [sheets[i].first[j] if j < len(sheets[i].first) else "", *_texts(sheets[i].columns[j])]
            parts = [
                match.group("a", "b", "year")
                for cell in cells
                if (match := _LOCAL.fullmatch(cell)) and match["mark"] != "."
            ]
            distinct = list(dict.fromkeys(parts))
            days = [(_day(year, b, a), _day(year, a, b)) for a, b, year in distinct]
            if len(days) > 1 and len({first - second for first, second in days}) > 1:
                return False
    return True


def _day(year: str, month: str, day: str) -> int:
    return datetime.date(int(year) + 2000 * (len(year) == 2), int(month), int(day)).toordinal()


def _columns(sheet: Sheet, how: Reading) -> list[int]:
    """Return columns of dates or times of day that need conversion."""
    dropped = {name.lower() for name in how.drop_columns}
    found = []
    for j, column in enumerate(sheet.columns):
        if column.text is None and (not column.odd or len(column.odd) < len(column)):
            continue
        cell = next((cell for cell in _texts(column) if cell not in MISSING_CELLS), "")
        if j < len(sheet.first) and sheet.first[j].lower() in dropped:
            continue
        if _rewritten(cell, True) != cell or _rewritten(cell, False) != cell:
            found.append(j)
    return found


def _texts(column: Column) -> Iterable[str]:
    return column.odd.values() if column.text is None else column.text


def _example(sheets: Sequence[Sheet], found: dict[int, list[int]]) -> str:
    i, columns = next(iter(found.items()))
    return next(cell for cell in _texts(sheets[i].columns[columns[0]]) if cell not in MISSING_CELLS)


def _written(sheet: Sheet, columns: Sequence[int], day_first: bool) -> Sheet:
    known: dict[str, str] = {}

    def iso(cell: str) -> str:
        if cell not in known:
            known[cell] = _rewritten(cell, day_first)
        return known[cell]

    # Row names without a header precede the columns that have one.
    shift = len(sheet.columns) - len(sheet.first) if len(sheet.first) == len(sheet.columns) - 1 else 0
    changed = list(sheet.columns)
    for j in columns:
        column = changed[j]
        if column.text is not None:
            changed[j] = Column(text=[iso(cell) for cell in column.text])
        else:
            changed[j] = replace(column, odd={row: iso(cell) for row, cell in column.odd.items()}, points=False)
    own = set(columns)
    rows = [[iso(cell) if j in own else cell for j, cell in enumerate(row)] for row in sheet.sample]
    first = [iso(cell) if j + shift in own else cell for j, cell in enumerate(sheet.first)]
    return replace(sheet, columns=changed, packed=json.dumps(rows), first=first)


def _rewritten(cell: str, day_first: bool) -> str:
    """Return a date or time of day in ISO 8601; unchanged if it is neither, or needs no conversion."""
    if not cell[:1].isdigit() or is_date(cell):
        return cell
    match = _LOCAL.fullmatch(cell)
    if match is not None:
        a, b = int(match["a"]), int(match["b"])
        if match["mark"] == "-" and len(match["year"]) == 2:
            return cell
        day, month = (a, b) if day_first or match["mark"] == "." else (b, a)
        year = match["year"] if len(match["year"]) == 4 else f"20{match['year']}"
        return cell if not _is_day(day, month) else f"{year}-{month:02d}-{day:02d}{_clock(match)}"
    match = _YEAR_FIRST.fullmatch(cell)
    if match is not None:
        day, month = int(match["d"]), int(match["mo"])
        return cell if not _is_day(day, month) else f"{match['y']}-{month:02d}-{day:02d}{_clock(match)}"
    match = _HALF_DAY.fullmatch(cell)
    if match is not None and match["half"]:
        return _clock(match, zone=False).strip()
    return cell


def _is_day(day: int, month: int) -> bool:
    return 1 <= month <= _MONTHS and 1 <= day <= 31


def _clock(match: re.Match[str], zone: bool = True) -> str:
    """Return the time of day preceded by a blank; empty if there is none."""
    if match["h"] is None:
        return ""
    hour = int(match["h"])
    if match["half"]:
        if not 1 <= hour <= 12:
            return f" {match[0]}"
        hour = hour % 12 + 12 * (match["half"] in "pP")
    text = f" {hour:02d}:{match['m']}"
    if match["s"]:
        text += f":{match['s']}" + (f".{match['f']}" if match["f"] else "")
    return text + ((match["zone"] or "") if zone else "")
