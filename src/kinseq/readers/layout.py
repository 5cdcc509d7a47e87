"""Meaning of rows and columns of text tables: headers, indices and decimal marks, decided over a whole folder.

One file often cannot tell: ``0,1`` above decimals may be names that a program gave to nameless columns, or the first
frame. Many files can: a row with which all of them begin is hardly a frame. What stays ambiguous is refused, since either
choice might be silently wrong, and the remedy is cheap: a header of names that are no numbers.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import dropwhile, pairwise
from typing import Literal

import numpy as np

from ..core.errors import DataError
from ..core.folders import LABELS_FILE
from ..core.wording import as_typed, count, listed
from .columns import Column, column_of, joined
from .delimited import Sheet
from .reading import USUAL, Reading
from .table import Table, table_of
from .text import (
    DECIMAL_COMMA,
    MISSING_CELLS,
    THOUSANDS,
    day_of,
    is_clock,
    is_date,
    is_grouped,
    is_number,
    is_time_of_day,
)
from .times import tells_time

_WHOLE = re.compile(r"\d{1,9}")
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}")
_NAMELESS = re.compile(r"(Unnamed: \d+)?")  # the second is how pandas writes the first
_HEADER_REMEDY = "write a header of names that are no numbers, such as x1,x2, into all files"


@dataclass(frozen=True)
class Layout:
    """Roles of the first row and the first column of a sheet.

    Attributes
    ----------
    names : tuple of str or None
        Names of all columns, blank for a nameless one; None without a header, when the first row is a frame.
    first_is_header : bool
        Whether the first row of the sheet holds the names; else they come from a comment, or there are none.
    index : bool
        Whether the first column counts or names the rows.
    thousands : str
        Mark between thousands, ``.`` or ``,``; empty where there is none.
    """

    names: tuple[str, ...] | None
    first_is_header: bool
    index: bool = False
    thousands: str = ""


Verdict = Layout | DataError
Settled = tuple[list[Verdict], list[str]]
"""Verdicts on sheets, and notes on interpretations."""


def agree(sheets: Sequence[Sheet], called: Callable[[Sheet], str]) -> Settled:
    """Decide header, index and decimal mark of every sheet of a folder.

    Parameters
    ----------
    sheets : sequence of Sheet
        All text tables that will be sequences together.
    called : callable
        Short name of a sheet, for the notes.

    Returns
    -------
    verdicts : list
        For each sheet its layout, or why it must be refused.
    notes : list of str
        What was taken for what, where the files do not say it.
    """
    verdicts, of_headers = _headers(sheets, called)
    verdicts, of_indices = _indices(sheets, verdicts, called)
    verdicts, of_marks = _decimal_marks(sheets, verdicts, called)
    return verdicts, _passed_over(sheets, called) + of_headers + of_indices + of_marks


def _passed_over(sheets: Sequence[Sheet], called: Callable[[Sheet], str]) -> list[str]:
    """Return sentences on lines outside the table."""
    notes = []
    commented = [sheet for sheet in sheets if sheet.passed]
    if commented:
        first = commented[0]
        notes.append(
            f"passed over {count(sum(len(sheet.passed) for sheet in commented), 'line')} among the rows of"
            f" {count(len(commented), 'file')} as comments, since they begin with # or % and are no rows (the first is line"
            f" {first.passed[0]} of {called(first)})"
        )
    gaps = [sheet for sheet in sheets if sheet.blank]
    if gaps:
        first = gaps[0]
        notes.append(
            f"passed over {count(sum(len(sheet.blank) for sheet in gaps), 'blank line')} among the rows of"
            f" {count(len(gaps), 'file')} (the first is line {first.blank[0]} of {called(first)})"
        )
    cut = [sheet for sheet in sheets if sheet.cut]
    if cut:
        notes.append(
            f"left out the last line of {count(len(cut), 'file')}, which breaks off (line {cut[0].cut} of {called(cut[0])}):"
            f" {listed([called(sheet) for sheet in cut])}"
        )
    holed = [sheet for sheet in sheets if sheet.lost]
    if holed:
        notes.append(
            f"left out {count(sum(sheet.lost for sheet in holed), 'line')} with NUL bytes, which were never written, of"
            f" {count(len(holed), 'file')}: {listed([called(sheet) for sheet in holed])}"
        )
    sized = [sheet for sheet in sheets if sheet.sized]
    if sized:
        notes.append(
            f"read the first line of {count(len(sized), 'file')} as the numbers of rows and columns that follow"
        )
    padded = [sheet for sheet in sheets if sheet.padding]
    if padded:
        first = padded[0]
        notes.append(
            f"left out {count(sum(len(sheet.padding) for sheet in padded), 'row')} without any number at the ends of"
            f" {count(len(padded), 'file')} (the first is line {first.padding[0]} of {called(first)})"
        )
    above = [sheet for sheet in sheets if sheet.above]
    if above:
        lengths = sorted({sheet.above for sheet in above})
        lines = f"{lengths[0]}" if len(lengths) == 1 else f"{lengths[0]} to {lengths[-1]}"
        notes.append(
            f"passed over the first {lines} lines of {count(len(above), 'file')}, which have other numbers of cells than the table"
            f" below them (in {called(above[0])} it begins on line {above[0].first_line})"
        )
    units = [sheet for sheet in sheets if sheet.units]
    if units:
        notes.append(
            f"read the row below the header of {count(len(units), 'file')} as units: {listed(list(units[0].first))}"
        )
    return notes


def tabulate(sheet: Sheet, layout: Layout, how: Reading = USUAL) -> Table:
    """Return the table of a sheet with a known layout; `how` as in :func:`kinseq.readers.table.table_of`.

    Raises
    ------
    DataError
        See :func:`kinseq.readers.table.table_of`.
    """
    columns, lines = sheet.columns, sheet.lines
    if not layout.first_is_header:
        above = [column_of([cell]) for cell in sheet.first]
        columns = [joined([cell, column]) for cell, column in zip(above, columns, strict=True)] if columns else above
        lines = np.concatenate([[sheet.first_line], lines])
    if layout.thousands:
        columns = [column.in_thousands(layout.thousands) for column in columns]
    names = layout.names if layout.names is not None else [str(i + 1) for i in range(len(columns))]
    columns = columns or [column_of([]) for _ in names]
    used = [i for i in range(len(columns)) if not (i == 0 and layout.index)]
    while len(used) > 1 and columns[used[-1]].blank.all() and (layout.names is None or not names[used[-1]]):
        used.pop()  # every row ends with a separator, or several
    if layout.names is not None:
        for i in used:
            if not names[i]:
                raise DataError(f"{sheet.path}: column {i + 1} has no name; give it one or remove it")
        _refuse_labels_file(sheet, names)
    return table_of(
        [columns[i] for i in used],
        [names[i] for i in used],
        layout.names is not None,
        sheet.path,
        lines,
        "line",
        how,
    )


def _refuse_labels_file(sheet: Sheet, names: Sequence[str]) -> None:
    lowered = {name.lower() for name in names}
    if lowered <= {"id", "label", "group"} and {"id", "label"} <= lowered:
        raise DataError(
            f"{sheet.path}: is a labels file, not a sequence; call it {LABELS_FILE} or pass {as_typed('labels', sheet.path.name)}"
        )


# Headers


def _headers(sheets: Sequence[Sheet], called: Callable[[Sheet], str]) -> Settled:
    notes: list[str] = []
    verdicts: dict[int, Verdict] = {}
    open_by_width: dict[int, list[int]] = defaultdict(list)
    for i, sheet in enumerate(sheets):
        own = _several_headers(sheet) or _own_header(sheet)
        if own is not None:
            verdicts[i] = own
        else:
            open_by_width[len(sheet.first)].append(i)
    for members in open_by_width.values():
        settled, said = _settle([sheets[i] for i in members])
        verdicts |= dict(zip(members, settled, strict=True))
        notes += said
    result = [verdicts[i] for i in range(len(sheets))]
    headless = [called(s) for s, v in zip(sheets, result, strict=True) if isinstance(v, Layout) and v.names is None]
    with_header = sum(isinstance(verdict, Layout) and verdict.names is not None for verdict in result)
    if headless and with_header:
        notes.append(
            f"{count(len(headless), 'file')} without a header next to {with_header} with one; their columns were taken in the"
            f" order of the others: {listed(headless)}"
        )
    return result, notes


def _several_headers(sheet: Sheet) -> DataError | None:
    """Return the reason to refuse a sheet with rows of words between its first row and its numbers; otherwise None."""
    rows = [sheet.first, *sheet.sample]
    if not _are_words(rows[0]):
        return None
    words = next((k for k, row in enumerate(rows) if not _are_words(row)), len(rows))
    if words < 2 or words == len(rows):
        return None
    last = int(sheet.lines[words - 2])
    filled = [[cell for cell in row if cell] for row in rows[:words]]
    if sheet.width > 1 and len(filled[-1]) <= max(1, sheet.width // 2):
        end, header = last, "hold no numbers and are no header; if the table begins below them,"
    elif len(filled[0]) < len(filled[-1]):
        end, header = int(sheet.lines[words - 3]) if words > 2 else sheet.first_line, "are no header;"
    else:
        end, header = 0, ""
    if header:
        lines = f"lines {sheet.first_line} to {end}"
        return DataError(
            f"{sheet.path}: {lines} {header} remove them, skip them ({as_typed('skip_rows', end)}), or begin each of them with #"
        )
    if words == 2 and len(set(filled[0])) == len(filled[0]):
        example = f"{rows[0][-1]} [{rows[1][-1]}]"
        return DataError(
            f"{sheet.path}: line {last} holds no numbers ({listed(filled[1])}) below the header; if it is a row of units that"
            f" are not known here, write them into the header, as {example}"
        )
    return DataError(
        f"{sheet.path}: {words} rows of names stand above the numbers (lines {sheet.first_line} to {last}); keep one of them, with"
        " a name of its own for each column, or join them, as nose_x"
    )


def _are_words(row: Sequence[str]) -> bool:
    """Return whether a row holds words and no number, date or time of day."""
    cells = [cell for cell in row if cell not in MISSING_CELLS]
    return bool(cells) and not any(is_number(cell) or _is_moment(cell) for cell in cells)


def _own_header(sheet: Sheet) -> Verdict | None:
    """Return the role of a sheet's first row, if evident; None if it holds numbers only."""
    first = sheet.first
    words = [cell for cell in first if cell not in MISSING_CELLS and not is_number(cell)]
    beside_a_day = any(map(day_of, words))
    if len(first) == len(sheet.columns) and all(
        cell not in words
        or (_is_moment(cell) and tells_time(column))
        or (beside_a_day and is_clock(cell) and all(map(is_clock, column.cells)))
        for cell, column in zip(first, sheet.columns, strict=True)
    ):
        words = []  # the first row is a frame with its time, not a header
    if words and _is_frame_with_words(sheet):
        words = []
    short = bool(len(sheet.lines)) and len(first) == sheet.width - 1
    numbers = list(dropwhile(lambda cell: not cell, first))  # index columns have no name above them
    numbered = 0 < len(numbers) < len(first) and _rising(numbers) and not _starts_blank(sheet)
    if not (words or sheet.quoted or short or numbered):
        names = sheet.comment  # numpy.savetxt writes the header as a comment
        if len(names) == len(first) and not any(is_number(cell) for cell in names):
            return Layout(tuple(names), first_is_header=False)
        return None
    decimals = [cell for cell in first if is_number(cell) and not _WHOLE.fullmatch(cell) and cell not in MISSING_CELLS]
    if words and decimals:
        return DataError(
            f"{sheet.path}: line {sheet.first_line} holds both words ({words[0][:40]!r}) and numbers"
            f" ({decimals[0][:40]!r}), so it is neither a header nor a frame; correct it"
        )
    if short and not (words or sheet.quoted):
        return DataError(
            f"{sheet.path}: line {sheet.first_line} has {count(len(first), 'cell')} and the rows below have {sheet.width}; give"
            " all rows the same"
        )
    if short:
        trailing = sheet.columns[-1].blank.all()
        return Layout(tuple([*first, ""] if trailing else ["", *first]), first_is_header=True)
    return Layout(tuple(first), first_is_header=True)


def _is_frame_with_words(sheet: Sheet) -> bool:
    """Return whether words of a first row belong to columns of words, one of them repeated, and its numbers are data.

    So begins a table without a header whose rows begin or end with a class, as A,2,8,3.
    """
    if len(sheet.first) != len(sheet.columns) or not len(sheet.lines):
        return False
    numbers, again = [], False
    for cell, column in zip(sheet.first, sheet.columns, strict=True):
        if is_number(cell):
            numbers.append(cell)
        elif column.text is not None or not _of_words(column):
            return False
        elif _is_moment(cell) or any(map(_is_moment, column.words[:1])):
            if not all(map(_is_moment, (cell, *column.words))):
                return False
        else:
            again = again or cell in column.odd.values()
    return again and len(numbers) > 1 and not _rising(numbers)


def _is_moment(cell: str) -> bool:
    return is_date(cell) or is_time_of_day(cell)


def _starts_blank(sheet: Sheet) -> bool:
    """Return whether a cell of the first column is blank below the first row."""
    return not sheet.columns or bool(sheet.columns[0].blank.any())


def _settle(sheets: Sequence[Sheet]) -> Settled:
    """Decide headers or frames for first rows of numbers only, in files of the same width."""
    verdicts: list[Verdict] = [Layout(None, first_is_header=False)] * len(sheets)
    notes = []
    row, shared = Counter(tuple(sheet.first) for sheet in sheets).most_common(1)[0]
    same = [(i, sheet) for i, sheet in enumerate(sheets) if tuple(sheet.first) == row]
    meaning = _meaning(row, [sheet for _, sheet in same], len(sheets))
    text = ",".join(row)
    if meaning == "header":
        for i, _ in same:
            verdicts[i] = Layout(row, first_is_header=True)
        notes.append(f"took the row {text}, with which all {shared} files without names begin, for their header")
    elif meaning == "shared frame":
        notes.append(
            f"all {shared} files begin with {text}, which was taken for numbers; if it is a header, write names that are"
            " no numbers"
        )
    elif meaning == "unknown":
        others = "" if shared == 1 else ", as all files do" if shared == len(sheets) else ", as other files do"
        for i, sheet in same:
            verdicts[i] = DataError(
                f"{sheet.path}: begins with {text}{others}, which may be a header or a frame; {_HEADER_REMEDY}"
            )
    return verdicts, notes


def _meaning(
    row: Sequence[str], sheets: Sequence[Sheet], number: int
) -> Literal["header", "frame", "shared frame", "unknown"]:
    """Return the role of the first row that `sheets` share, out of `number` sheets of the same width.

    Names of numbered columns rise, are written without a point, and are the same in all files. The rows below speak for a
    header if they are written in another way.
    """
    body = [cell for sheet in sheets for cells in sheet.sample for cell in cells if cell not in MISSING_CELLS]
    if not body:
        return "frame"
    whole = sum(_WHOLE.fullmatch(cell.lstrip("+-")) is not None for cell in body)
    if len(sheets) == number > 1:
        if _rising(row):
            if len(row) > 1 and (whole == 0 or (_counting(row) and whole < len(body))):
                return "header"
            return "unknown" if len(row) > 1 or whole == 0 else "shared frame"
        if len({tuple(map(tuple, sheet.sample)) for sheet in sheets}) == 1:
            return "frame"  # copies of one file share everything
        alike = whole == len(body) and all(_WHOLE.fullmatch(cell) for cell in row)
        return "unknown" if 1 < len(row) == len(set(row)) and not alike else "shared frame"
    suspicious = _rising(row) and whole == 0 and (len(row) > 1 or len(sheets) > 1)
    return "unknown" if suspicious and (number == 1 or len(sheets) * 2 > number) else "frame"


def _rising(row: Sequence[str]) -> bool:
    """Return whether cells are ascending whole numbers, as names of numbered columns are."""
    if not all(_WHOLE.fullmatch(cell) for cell in row):
        return False
    numbers = [int(cell) for cell in row]
    return all(a < b for a, b in pairwise(numbers))


def _counting(row: Sequence[str]) -> bool:
    return [int(cell) for cell in row] in (list(range(len(row))), list(range(1, len(row) + 1)))


# Indices


def _indices(sheets: Sequence[Sheet], verdicts: Sequence[Verdict], called: Callable[[Sheet], str]) -> Settled:
    result, notes = list(verdicts), []
    dropped: list[str] = []
    timed: list[str] = []
    for i, (sheet, verdict) in enumerate(zip(sheets, verdicts, strict=True)):
        if isinstance(verdict, Layout) and verdict.names is not None and _NAMELESS.fullmatch(verdict.names[0]):
            verdict_now = result[i] = _named_index(sheet, verdict)
            if isinstance(verdict_now, Layout):
                (dropped if verdict_now.index else timed).append(called(sheet))
    if timed:
        notes.append(
            f"took the first column of {count(len(timed), 'file')}, which has no name and holds times, for the time:"
            f" {listed(timed)}"
        )
    if dropped:
        notes.append(
            f"left out the first column of {count(len(dropped), 'file')}, which has no name and counts the rows:"
            f" {listed(dropped)}"
        )
    headless = [
        (i, sheet)
        for i, (sheet, verdict) in enumerate(zip(sheets, verdicts, strict=True))
        if isinstance(verdict, Layout) and verdict.names is None
    ]
    if len(headless) > 1 and all(_counts_rows(sheet) for _, sheet in headless):
        for i, _ in headless:
            result[i] = Layout(None, first_is_header=False, index=True)
        notes.append(
            f"left out the first column of {count(len(headless), 'file')} without a header, which counts the rows in"
            f" all of them: {listed([called(sheet) for _, sheet in headless])}"
        )
    return result, notes


def _named_index(sheet: Sheet, layout: Layout) -> Verdict:
    """Return the layout of a sheet with a nameless first column, which must be an index."""
    assert layout.names is not None
    if not sheet.columns or len(sheet.columns) == 1:
        return DataError(f"{sheet.path}: holds no column of numbers with a name; write a header")
    index = sheet.columns[0]
    if tells_time(index) and "time" not in {name.lower() for name in layout.names}:
        return Layout(("time", *layout.names[1:]), first_is_header=layout.first_is_header)
    short_header = len(sheet.first) < sheet.width
    text = list(index.odd.values())
    names_rows = short_header and len(set(text)) == len(index) and not any(is_number(cell) for cell in text)
    counts = index.counts if sheet.quoted_start or not short_header else index.counts_by_one
    if counts or names_rows:
        return Layout(("", *layout.names[1:]), first_is_header=layout.first_is_header, index=True)
    if short_header:
        return DataError(
            f"{sheet.path}: line {sheet.first_line} has {count(len(sheet.first), 'cell')} and the rows below have {sheet.width},"
            " but the first column does not count or name the rows; write a name for each column, and points if commas"
            " are decimal marks"
        )
    return DataError(
        f"{sheet.path}: its first column has no name and does not count the rows; name it (time, if it is that) or"
        " remove it"
    )


def _counts_rows(sheet: Sheet) -> bool:
    if len(sheet.first) < 2 or len(sheet.lines) < 1 or not _WHOLE.fullmatch(sheet.first[0]):
        return False
    start = joined([column_of(sheet.first[:1]), sheet.columns[0]])
    return start.counts_by_one and (len(start) > 2 or any(column.points for column in sheet.columns[1:]))


# Decimal marks


def _decimal_marks(sheets: Sequence[Sheet], verdicts: Sequence[Verdict], called: Callable[[Sheet], str]) -> Settled:
    result, mark, notes = _thousands(sheets, verdicts, called)
    if mark:
        return result, notes
    commas: dict[int, list[str]] = {}
    split = {sheet.width: zero for sheet in sheets if (zero := _split_decimals(sheet))}
    for i, (sheet, verdict) in enumerate(zip(sheets, verdicts, strict=True)):
        if isinstance(verdict, DataError):
            continue
        problem = ""
        if sheet.width in split and sheet.separator == "," and not any(column.points for column in sheet.columns):
            problem = (
                f"is of files that hold cells such as {split[sheet.width]!r} and no decimal point, as if decimal commas"
                " separated cells; write points, or semicolons between cells"
            )
        numeric = [
            column
            for column in sheet.columns
            if column.text is None and not tells_time(column) and not _of_words(column)
        ]
        cells = [cell for column in numeric for cell in column.commas]
        if not verdict.first_is_header:
            cells += [cell for cell in sheet.first if "," in cell]
        if cells and any(column.points for column in numeric):
            problem = f"holds both decimal commas ({cells[0]}) and decimal points; write points throughout"
        if problem:
            result[i] = DataError(f"{sheet.path}: {problem}")
        elif cells:
            commas[i] = cells
    doubtful = bool(commas) and all(_THOUSANDS.fullmatch(cell) for cells in commas.values() for cell in cells)
    if doubtful:
        for i, cells in commas.items():
            result[i] = DataError(
                f"{sheets[i].path}: {cells[0]!r} may have a decimal comma or a comma between thousands; write numbers"
                " without commas"
            )
    elif commas:
        notes.append(
            f"read decimal commas in {count(len(commas), 'file')}: {listed([called(sheets[i]) for i in commas])}"
        )
    return result, notes


_SURE_ROWS = 45
"""Number of cells with three digits behind the point from which on it is no chance that none ends with an (unwritten) zero."""


def _thousands(
    sheets: Sequence[Sheet], verdicts: Sequence[Verdict], called: Callable[[Sheet], str]
) -> tuple[list[Verdict], str, list[str]]:
    """Decide thousands separators over all sheets: the layouts, the mark, empty if there is none, and notes."""
    result, notes = list(verdicts), []
    marked = [sheet for sheet in sheets if any(column.marks for column in sheet.columns)]
    if marked:
        example = next(column.marks for column in marked[0].columns if column.marks)
        notes.append(
            f"read numbers such as {example!r} in {count(len(marked), 'file')}: marks between thousands, or a typeset minus"
        )
    places = [i for i, verdict in enumerate(verdicts) if isinstance(verdict, Layout)]
    cells = {i: _cells_with_marks(sheets[i]) for i in places}
    grouped = [(i, cell) for i in places for cell in cells[i] if is_grouped(cell)]
    kinds = {next(mark for mark, form in THOUSANDS.items() if form.fullmatch(cell)): (i, cell) for i, cell in grouped}
    if len(kinds) == 2:
        for i, cell in kinds.values():
            result[i] = DataError(
                f"{sheets[i].path}: {cell!r} has its decimal mark where another number of these files has one between thousands;"
                " write numbers without marks between thousands"
            )
        return result, "", notes
    mixed, rows = _mixed(sheets, places)
    if not kinds and not mixed:
        return result, "", notes
    mark = next(iter(kinds), ".")
    if kinds:
        contrary = [i for i in places if not _fits(sheets[i], cells[i], mark)]
        for i in contrary:
            result[i] = DataError(
                f"{sheets[i].path}: holds numbers that have {mark!r} as a decimal mark, where others have it between thousands"
                f" ({next(iter(kinds.values()))[1]}); write numbers without marks between thousands"
            )
    elif not all(_fits(sheets[i], cells[i], mark) for i in places):
        return result, "", notes
    elif rows < _SURE_ROWS:
        for i, (dotted, whole) in mixed.items():
            result[i] = DataError(
                f"{sheets[i].path}: {dotted!r} next to {whole!r} may have a point between thousands or a decimal point; write"
                f" numbers"
                f" without points between thousands, or decimals throughout ({whole}.0)"
            )
        return result, "", notes
    used = [i for i in places if isinstance(result[i], Layout) and (cells[i] or _has_dotted(sheets[i]))]
    for i in places:
        layout = result[i]
        if isinstance(layout, Layout):
            result[i] = replace(layout, thousands=mark)
    if used:
        notes.append(
            f"read {'points' if mark == '.' else 'commas'} between thousands in {count(len(used), 'file')}:"
            f" {listed([called(sheets[i]) for i in used])}"
        )
    return result, mark, notes


def _has_dotted(sheet: Sheet) -> bool:
    return any(column.dotted is not None for column in sheet.columns)


def _cells_with_marks(sheet: Sheet) -> list[str]:
    """Return cells with points or commas that are not decimal points."""
    columns = [column for column in sheet.columns if column.text is None and not _of_other_words(column)]
    return [
        cell for column in columns for cell in column.odd.values() if is_grouped(cell) or DECIMAL_COMMA.fullmatch(cell)
    ]


def _of_other_words(column: Column) -> bool:
    return tells_time(column) or (len(column.odd) == len(column) and not any(map(is_number, column.odd.values())))


def _mixed(sheets: Sequence[Sheet], places: Sequence[int]) -> tuple[dict[int, tuple[str, str]], int]:
    """Return sheets with columns of both 1.595 and 801, with an example of each, and the number of the first.

    A program that writes three digits behind each point would write 801.000.
    """
    found: dict[int, tuple[str, str]] = {}
    rows = 0
    for i in places:
        if sheets[i].separator not in (";", "\t", "|") or sheets[i].path.suffix.lower() == ".xlsx":
            continue
        for column in sheets[i].columns:
            if column.dotted is None:
                continue
            whole = column.numbers[~column.dotted & ~np.isnan(column.numbers)]
            if whole.size and column.dotted.any() and bool((np.abs(whole) < 1000.0).all()):
                found.setdefault(i, (f"{column.numbers[column.dotted][0]:.3f}", f"{whole[0]:.0f}"))
                rows += int(column.dotted.sum())
    return found, rows


def _fits(sheet: Sheet, cells: Sequence[str], mark: str) -> bool:
    """Return whether every mark of a sheet may be a thousands separator."""
    points = [column for column in sheet.columns if column.points and not tells_time(column)]
    if mark == ".":
        return all(column.dotted is not None for column in points)
    return all(is_grouped(cell) or THOUSANDS[","].fullmatch(cell) for cell in cells)


def _of_words(column: Column) -> bool:
    """Return whether no cell of a column is a number."""
    return bool(column.odd) and len(column.odd) == len(column) and not column.commas


def _split_decimals(sheet: Sheet) -> str:
    """Return a cell that reveals decimal commas taken for separators: digits after a comma may begin with a zero."""
    if sheet.separator != "," or sheet.width % 2 or any(column.points for column in sheet.columns):
        return ""
    cells = [cell for row in (sheet.first, *sheet.sample) for cell in row[1::2]]
    return next((cell for cell in cells if len(cell) > 1 and cell[0] == "0" and _WHOLE.fullmatch(cell)), "")
