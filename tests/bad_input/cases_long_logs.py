"""Long logs: clocks and pieces that cannot be."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.reading import read_folder

from .table import Case

ROWS = "time,x,cycle\n" + "".join(f"{k if k < 20 else k + 40},{k % 7},{k // 10}\n" for k in range(40))


def log(text: str = ROWS, **options: Any) -> Callable[[Path], Any]:
    def call(folder: Path) -> Any:
        (folder / "log.csv").write_text(text, encoding="utf-8")
        return read_folder(folder / "log.csv", alone=True, **options)

    return call


CASES: tuple[Case, ...] = (
    Case("log: a step of 0", log(every="0s")),
    Case("log: a step below 0", log(every=-1)),
    Case("log: a step in an unknown unit", log(every="5 parsecs")),
    Case("log: a step in a unit that is no time", log(ROWS.replace("time", "time [rows]"), every="5s")),
    Case(
        "log: a clock without times",
        log(ROWS.replace("time", "y").replace("60,", "7,", 1), every="5s", drop_columns="y"),
    ),
    Case("log: a gap that no line crosses", log(every=1)),
    Case("log: a longest gap without a step", log(max_gap=5)),
    Case("log: pieces longer than the log", log(cut=1000)),
    Case("log: pieces longer than the time of the log", log(cut="1d")),
    Case("log: pieces of half a frame", log(cut=2.5)),
    Case("log: an overlap without pieces", log(step=5)),
    Case("log: an overlap in frames of pieces in time", log(cut="10s", step=5)),
    Case("log: cut in two ways", log(cut=10, cut_at="cycle")),
    Case("log: a column to cut at that is not there", log(cut_at="lap")),
    Case("log: a column to cut at that changes at every row", log(cut_at="x")),
    Case("log: cut at a column", log(cut_at="cycle"), gives=lambda read: read[0].lengths.tolist() == [10] * 4),
    Case("log: cut at a gap", log(every=1, missing="cut"), gives=lambda read: read[0].lengths.tolist() == [20, 20]),
)
