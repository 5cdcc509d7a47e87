"""Tables whose lines are plain are cut at once; this gives what the general way gives."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinseq.core.errors import DataError
from kinseq.readers import delimited
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


def _fields(sheet: delimited.Sheet) -> dict[str, Any]:
    columns = [{**vars(column), "numbers": column.numbers.tobytes()} for column in sheet.columns]
    for column in columns:
        column["dotted"] = None if column["dotted"] is None else column["dotted"].tolist()
    return {**vars(sheet), "columns": columns, "lines": sheet.lines.tolist()}


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


def test_chunks_of_plain_lines_join(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(0).standard_normal((50, 3)).round(4)
    text = "a,b,c\n" + "".join(",".join(map(str, row)) + "\n" for row in values.tolist())
    whole = _read(text)
    monkeypatch.setattr(delimited, "_CHUNK", 7)
    assert _read(text) == whole
    monkeypatch.setattr(delimited, "_body", None)  # the general way is not needed
    assert np.frombuffer(_read(text)["columns"][1]["numbers"]).tolist() == values[:, 1].tolist()  # type: ignore[index]
