"""Clocks that begin again, rows at the head, blank lines: the rows as they were recorded, or a sentence.

Hypothesis makes the input, as in ``test_properties_readers``, where ``KINSEQ_EXAMPLES`` is explained.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas
from hypothesis import given
from hypothesis import strategies as st

from kinseq.core.inputs import TOLD, as_collection
from kinseq.core.sequences import SequenceSet
from tests.reading import read_folder

from .test_properties_readers import attempt, examples, folder_of

# Clocks

MIDNIGHT = datetime.datetime(2024, 3, 30)
COUNTERS = st.sampled_from([2**8, 2**16, 2**24, 2**32, 60, 1440, 3600, 86_400, 86_400_000])
CLOCKS: dict[str, Callable[[datetime.datetime], Any]] = {
    "%H:%M:%S": lambda moment: moment.strftime("%H:%M:%S"),
    "%I:%M:%S": lambda moment: moment.strftime("%I:%M:%S"),
    "%H%M%S": lambda moment: int(moment.strftime("%H%M%S")),
    "%H%M": lambda moment: int(moment.strftime("%H%M")),
    "time": lambda moment: moment.time(),
}


@st.composite
def clocks(draw: Any) -> tuple[list[Any], bool]:
    """Times of 24 to 60 rows, each a step after the one before, that begin again; and whether they are texts."""
    n, begin = draw(st.integers(24, 60)), draw(st.floats(0.0, 1.0))
    kind = draw(st.sampled_from([*CLOCKS, "counter", "counter", "counter"]))
    if kind == "counter":
        period = draw(COUNTERS)
        step = draw(st.integers(1, max(1, period // 8)))
        return [(int(begin * period) + step * k) % period for k in range(n)], False
    minutes = draw(st.integers(1, 90))
    moments = [MIDNIGHT + datetime.timedelta(minutes=int(begin * 1440) + minutes * k) for k in range(n)]
    return [CLOCKS[kind](moment) for moment in moments], kind in ("%H:%M:%S", "%I:%M:%S")


def _tables(times: list[Any], on_index: bool) -> list[pandas.DataFrame]:
    tables = [pandas.DataFrame({"time": pandas.Series(times), "x": np.arange(len(times)) ** 2.0 + i}) for i in range(2)]
    return [table.set_index("time") for table in tables] if on_index else tables


def _of_files(times: list[Any], long: bool, on_index: bool) -> tuple[SequenceSet, list[str]]:
    tables = [table.astype({"time": object}) for table in _tables(times, on_index=False)]
    if long:
        whole = pandas.concat([table.assign(id=f"s{i}") for i, table in enumerate(tables)])
        files = {"all.csv": whole.to_csv(index=False)}
    else:
        files = {f"s{i}.csv": table.to_csv(index=False) for i, table in enumerate(tables)}
    with folder_of(files) as folder:
        return read_folder(folder, on_bad_file="refuse")


def _at_hand(times: list[Any], long: bool, on_index: bool) -> tuple[SequenceSet, list[str]]:
    tables = _tables(times, on_index)
    data: Any = pandas.concat([table.assign(id=f"s{i}") for i, table in enumerate(tables)]) if long else tables
    made, said = as_collection(data)
    return made, [said, *made.provenance.get(TOLD, ())]


@examples(40)
@given(clocks(), st.booleans(), st.booleans(), st.booleans())
def test_a_clock_that_begins_again_moves_no_row(
    drawn: tuple[list[Any], bool], in_files: bool, long: bool, on_index: bool
) -> None:
    times, texts = drawn
    call = _of_files if in_files or texts else _at_hand
    found = attempt(lambda: call(times, long, on_index))
    if found is None:
        return
    made, said = found
    assert [frames[:, -1].tolist() for frames in made] == [[k**2.0 + i for k in range(len(times))] for i in range(2)], (
        said
    )


# Heads, and lines without anything


@st.composite
def headed(draw: Any) -> tuple[dict[str, str], list[list[list[float]]], bool]:
    """Files with rows of numbers at their heads that are not data, the data, and whether anything stands at the head."""
    rng = np.random.default_rng(draw(st.integers(0, 999)))
    d, n = draw(st.integers(1, 4)), draw(st.integers(2, 5))
    head = draw(st.sampled_from(["none", "start", "start and rate", "milliseconds and rate", "size", "far"]))
    separator = draw(st.sampled_from([",", ";", "\t", ", "]))
    files, truth = {}, []
    for i in range(n):
        x = np.round(draw(st.sampled_from([1.0, 20.0])) * rng.normal(size=(int(rng.integers(8, 30)), d)), 3)
        start = 1_600_000_000 + int(rng.integers(0, 10**6))
        rows = {
            "none": [],
            "start": [[f"{start}.000000"] * d],
            "start and rate": [[f"{start}.000000"] * d, ["32.000000"] * d],
            "milliseconds and rate": [[f"{start}000"] * d, ["4"] * d],
            "size": [[str(len(x)), str(d)]],
            "far": [[str(10**7 + i)] * d],
        }[head]
        lines = [separator.join(row) for row in [*rows, *([f"{v:.3f}" for v in row] for row in x)]]
        files[f"s{i}.csv"] = "\n".join(lines) + "\n"
        truth.append(x.tolist())
    return files, truth, head != "none"


@examples(40)
@given(headed())
def test_rows_at_the_head_are_no_data_or_are_told(
    drawn: tuple[dict[str, str], list[list[list[float]]], bool],
) -> None:
    files, truth, anything = drawn
    with folder_of(files) as folder:
        found = attempt(lambda: read_folder(folder, on_bad_file="refuse"))
    if found is None:
        assert anything
        return
    made, notes = found
    if [frames.tolist() for frames in made] != truth:
        assert anything
        assert any("first row" in note or "first 2 rows" in note or "first line" in note for note in notes), notes


BLANK = st.sampled_from(["", "", "  ", "\t", "\r"])


@examples(40)
@given(st.data(), st.integers(2, 4), st.booleans(), st.sampled_from(["refuse", "interpolate"]))
def test_blank_lines_make_no_frames(data: Any, columns: int, head: bool, missing: Any) -> None:
    rng = np.random.default_rng(data.draw(st.integers(0, 999)))
    separator, end = data.draw(st.sampled_from([",", ";", "|"])), data.draw(st.sampled_from(["\n", "\r\n", "\r\r\n"]))
    files, truth = {}, []
    for name in ("a.csv", "b.csv"):
        x = np.round(rng.normal(size=(int(rng.integers(2, 12)), columns)), 3)
        lines = [separator.join(f"{v:.3f}" for v in row) for row in x]
        if head:
            lines.insert(0, separator.join("wxyz"[:columns]))
        kind = data.draw(st.sampled_from(["every other", "separators", "some", "runs"]))
        if kind == "every other":
            lines = [part for line in lines for part in (line, "")]
        elif kind == "separators":
            lines = [part for line in lines for part in (line, separator * (columns - 1))]
        else:
            for _ in range(data.draw(st.integers(0, 3))):
                place = data.draw(st.integers(0, len(lines)))
                lines[place:place] = [data.draw(BLANK)] * (1 if kind == "some" else 3)
        files[name] = end.join(lines) + data.draw(st.sampled_from(["", end, end * 3]))
        truth.append(x.tolist())
    with folder_of({name: text.encode() for name, text in files.items()}) as folder:
        made, notes = read_folder(folder, missing=missing, on_bad_file="refuse")
    assert [frames.tolist() for frames in made] == truth, notes
