"""Tables whose lines are plain are cut at once; this gives what the general way gives."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kinseq.core.errors import DataError
from kinseq.readers import delimited, plain_numbers
from kinseq.readers.columns import Column, column_of
from kinseq.readers.reading import USUAL

CELLS = (
    "1",
    "-2.5",
    "1.595",
    "",
    " 3 ",
    "nan",
    "x",
    "# y",
    '"4"',
    "a_b",
    "5,6",
    "007",
    "1e3",
    "2024-05-31",
    "-",
    "\x00",
)
LINES = ("", ",", "# a remark", "time,a,b", "word", "1,2", "1;2;3", "1 2 3")


def _comparable(column: Column) -> dict[str, Any]:
    dotted = None if column.dotted is None else column.dotted.tolist()
    return {**vars(column), "numbers": column.numbers.tobytes(), "dotted": dotted}


def _fields(sheet: delimited.Sheet) -> dict[str, Any]:
    return {**vars(sheet), "columns": [_comparable(column) for column in sheet.columns], "lines": sheet.lines.tolist()}


def _read(text: str) -> dict[str, Any] | str:
    try:
        return _fields(delimited.sheet_of(text, Path("a.csv"), USUAL))
    except DataError as error:
        return str(error)


def _general(text: str) -> dict[str, Any] | str:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(delimited, "_plain_body", lambda *_: None)
        return _read(text)


@st.composite
def tables(draw: st.DrawFn) -> str:
    mark = draw(st.sampled_from([",", ";", "\t", " "]))
    end = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    width = draw(st.integers(1, 4))
    plain = st.lists(st.sampled_from(("1", "-2.5", "1.595", "12.25")), min_size=width, max_size=width).map(mark.join)
    any_row = st.lists(st.sampled_from(CELLS), min_size=width, max_size=width).map(mark.join)
    rows = draw(st.lists(plain, min_size=1, max_size=8))
    for line in draw(st.lists(st.one_of(any_row, st.sampled_from(LINES)), max_size=2)):
        rows.insert(draw(st.integers(0, len(rows))), line)
    head = draw(st.sampled_from([[], [mark.join(["time", "a", "b", "c"][:width])]]))
    return end.join([*head, *rows]) + draw(st.sampled_from(["", end]))


@given(tables())
def test_plain_lines_are_read_as_all_lines_are(text: str) -> None:
    assert _read(text) == _general(text)


@settings(deadline=None)  # the first call may compile
@given(tables())
def test_compiled_code_reads_plain_lines_as_all_lines_are(text: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(delimited, "_PARSED_LINES", 0)
        found = _read(text)
    assert found == _general(text)


SIGN = st.sampled_from(["", "-"])
DIGITS = st.text("0123456789", min_size=1, max_size=9)
DECIMALS = st.builds(lambda *parts: "".join(parts), SIGN, DIGITS, st.one_of(st.just(""), DIGITS.map(".{}".format)))


@settings(deadline=None)
@given(st.lists(st.tuples(DECIMALS, DECIMALS), min_size=1, max_size=6))
def test_decimals_are_parsed_to_the_last_bit(rows: list[tuple[str, str]]) -> None:
    text = "".join(f"{one};{other}\n" for one, other in rows)
    found = plain_numbers.plain_columns(text, ";", len(rows), 2)
    for column, cells in zip(found or [None, None], zip(*rows, strict=True), strict=True):
        if column is None:  # the general parser takes numbers of more digits
            assert any(sum(map(str.isdigit, cell)) > plain_numbers.MOST_DIGITS for row in rows for cell in row)
        else:
            assert column.numbers.tobytes() == np.array([float(cell) for cell in cells]).tobytes()
            assert _comparable(column) == _comparable(column_of(cells))


@pytest.mark.parametrize(
    "text",
    [
        "1,2\r3,4\n",
        "1,2\n3\n",
        "1,2\n\n",
        "1,2\n3,4,5\n",
        "1,.5\n3,4\n",
        "1,5.\n3,4\n",
        "1,+5\n3,4\n",
        "1,2e3\n3,4\n",
        "1,2\n3,4\n5,6\n",
    ],
)
def test_what_is_no_plain_decimal_is_left_to_the_general_way(text: str) -> None:
    assert plain_numbers.plain_columns(text, ",", 2, 2) is None


def test_chunks_of_plain_lines_join(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(0).standard_normal((50, 3)).round(4)
    text = "a,b,c\n" + "".join(",".join(map(str, row)) + "\n" for row in values.tolist())
    whole = _read(text)
    monkeypatch.setattr(delimited, "_CHUNK", 7)
    assert _read(text) == whole
    monkeypatch.setattr(delimited, "_body", None)  # the general parser is not needed
    assert np.frombuffer(_read(text)["columns"][1]["numbers"]).tolist() == values[:, 1].tolist()  # type: ignore[index]
