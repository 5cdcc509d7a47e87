"""Rows at the head that are not data, codes for what is missing, numbers of columns: reported, read, or refused; never silent."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import kinseq
from kinseq.core.clock import clock_of
from kinseq.core.data_checks import remarks_on_data
from kinseq.core.sequences import SequenceSet
from tests.reading import read_folder

from .table import Case

Read = tuple[SequenceSet, list[str]]
RNG = np.random.default_rng(5)
WAVES = [np.round(20 * RNG.normal(size=(40 + i, 3)), 3) for i in range(4)]
START = 1_600_000_000


def written(
    folder: Path, head: Callable[[int, np.ndarray], str], sep: str = ",", columns: int = 3, files: int = 4
) -> None:
    for i, x in enumerate(WAVES[:files]):
        rows = "".join(sep.join(f"{v:.3f}" for v in row[:columns]) + "\n" for row in x)
        (folder / f"s{i}.csv").write_text(head(i, x) + rows, encoding="utf-8")


def reading(head: Callable[[int, np.ndarray], str], columns: int = 3, **options: Any) -> Callable[[Path], Read]:
    def call(folder: Path) -> Read:
        written(folder, head, columns=columns, **options)
        return read_folder(folder, on_bad_file="refuse")

    return call


def whole(told: str, columns: int = 3, rate: float | None = None, head: int = 0) -> Callable[[Read], bool]:
    """Whether all rows of data were read and no others, but for some of the head, and a note says so."""

    def right(read: Read) -> bool:
        sequences, notes = read
        clock = clock_of(sequences)
        step = None if clock is None else clock.step
        return (
            all(np.array_equal(a[head:], b[:, :columns]) for a, b in zip(sequences, WAVES, strict=False))
            and [len(a) for a in sequences] == [len(b) + head for b in WAVES[: len(sequences)]]
            and any(told in note for note in notes)
            and (rate is None or (step is not None and abs(step * rate - 1) < 1e-9))
        )

    return right


def times(number: str, columns: int) -> str:
    return ", ".join([number] * columns) + "\n"


def at_hand(arrays: list[Any]) -> list[str]:
    return kinseq.cluster(arrays, n_clusters=2, measure="statistics", n_resamples=1).notes


HEADED = [np.vstack([[START + i, START + i, START + i], x]) for i, x in enumerate(WAVES)]
HEADS = (
    *(
        Case(
            f"head: start and rate, {columns} columns",
            reading(lambda i, x, c=columns: times(f"{START + 77 * i}.000000", c) + times("32.000000", c), columns),
            gives=whole("first two rows of 4 files as start time and sampling rate (32 Hz)", columns, rate=32.0),
        )
        for columns in (1, 3)
    ),
    Case(
        "head: start in milliseconds and rate, whole numbers, one column",
        reading(lambda i, x: f"{START + i}000\n4\n", 1),
        gives=whole("first two rows of 4 files as start time and sampling rate (4 Hz)", 1, rate=4.0),
    ),
    Case(
        "head: rates that differ",
        reading(lambda i, x: times(str(START), 3) + times(str(32 * (1 + i % 2)), 3)),
        gives=whole("time steps differ between sequences"),
    ),
    Case(
        "head: start alone",
        reading(lambda i, x: times(str(START + i), 3)),
        gives=whole("the first row of 4 files as the start time, which is no data"),
    ),
    Case(
        "head: start alone, one column",
        reading(lambda i, x: f"{START + i}\n", 1),
        gives=whole("the first row of 4 files as the start time, which is no data", 1),
    ),
    Case(
        "head: start in one of the columns",
        reading(lambda i, x: f"{START + i},0,0\n"),
        gives=whole("the first row of all 4 sequences is far from all other rows (1.6e+09 in column 1", head=1),
    ),
    Case(
        "head: rows and columns",
        reading(lambda i, x: f"{len(x)} 3\n", sep=" "),
        gives=whole("first line of 4 files as the numbers of rows and columns"),
    ),
    Case(
        "head: rows and columns of another form",
        reading(lambda i, x: f"{1000 * len(x)},{len(x)},7\n"),
        gives=whole("the first row of all 4 sequences is far from all other rows", head=1),
    ),
    Case(
        "head: a few files only",
        reading(lambda i, x: times("90000", 3) if i == 0 else ""),
        gives=lambda read: not any("far from all other rows" in note for note in read[1]),
    ),
    Case(
        "head: no header, a start and a time that is named",
        lambda folder: (written(folder, lambda i, x: times(str(START), 3)), read_folder(folder, time_column="t"))[1],
    ),
    Case(
        "foot: a sum",
        lambda folder: remarks_on_data(SequenceSet.from_arrays([np.vstack([x, 1e4 + 0 * x[:1]]) for x in WAVES])),
        gives=lambda said: any("the last row of all 4 sequences is far from all other rows" in one for one in said),
    ),
    Case(
        "head: arrays with a start",
        lambda _: at_hand(HEADED),
        gives=lambda notes: any("the first row of all 4 sequences is far" in note for note in notes),
    ),
    Case(
        "head: tables with two rows of a head",
        lambda _: at_hand([pd.DataFrame(np.vstack([1e6 + x[:2], x]), columns=["a", "b", "c"]) for x in WAVES]),
        gives=lambda notes: any(
            "the first 2 rows of all 4 sequences are far" in note and " in a of" in note for note in notes
        ),
    ),
    Case(
        "head: arrays that begin as they go on",
        lambda _: remarks_on_data(SequenceSet.from_arrays([np.cumsum(x, axis=0) for x in WAVES])),
        gives=lambda said: said == [],
    ),
)


def coded(*codes: float, columns: int = 3, scale: float = 1.0) -> list[np.ndarray]:
    """Sequences in all columns of which each code stands three times."""
    arrays = [np.abs(scale * x[:, :columns]) for x in WAVES]
    for k, code in enumerate(codes):
        for column in range(columns):
            arrays[0][[5 + 4 * k, 20 + 4 * k], column] = code
            arrays[2][11 + k, column] = code
    return arrays


def found(*marks: str) -> Callable[[list[str]], bool]:
    return lambda said: all(any("may stand for a missing one" in one and mark in one for one in said) for mark in marks)


def remarks(arrays: list[np.ndarray]) -> Callable[[Path], list[str]]:
    return lambda _: remarks_on_data(SequenceSet.from_arrays(arrays))


UNLIKE = [x * [1, 50, 1000] for x in coded(scale=1.0)]
for _x in UNLIKE[::2]:
    _x[::7] = -200.0
TWINS = [np.c_[np.repeat(np.arange(20.0), 2), np.sin(np.arange(40.0) + i)] for i in range(4)]
ROUNDS = [np.c_[np.tile(np.arange(20.0), 2), np.sin(np.arange(40.0) + i)] for i in range(4)]
CODES = (
    Case("code: one", remarks(coded(-999)), gives=found("-999 (9 times in 3 columns: column 1, column 2, column 3)")),
    Case("code: two", remarks(coded(-999, -9999)), gives=found("-999 (9 times", "-9999 (9 times")),
    Case("code: two, one of them once", remarks([*coded(-999), *coded(-9999)[1:3]]), gives=found("-999 (", "-9999 (")),
    *(
        Case(
            f"code: two of opposite signs, {code:g}",
            remarks(coded(code, -code)),
            gives=found(f"{-code:g} (", f"{code:g} ("),
        )
        for code in (9999.0, 1e6)
    ),
    Case("code: large", remarks(coded(1e20)), gives=found("1e+20 (9 times")),
    Case(
        "code: in columns of all sizes",
        remarks(UNLIKE),
        gives=found("-200 (", "in 3 columns: column 1, column 2, column 3"),
    ),
    Case("code: none", remarks(coded()), gives=lambda said: said == []),
    Case("code: levels", remarks([np.sign(x) * 200 for x in WAVES]), gives=lambda said: said == []),
    Case("code: arrays", lambda _: at_hand(coded(-999)), gives=found("-999")),
    Case(
        "code: tables",
        lambda _: at_hand([pd.DataFrame(x, columns=["a", "b", "c"]) for x in coded(-999)]),
        gives=found("in 3 columns: a, b, c"),
    ),
    Case(
        "code: compared arrays",
        lambda _: kinseq.compare(np.vstack(coded(-999)), np.vstack(WAVES)).notes,
        gives=found("-999 (9 times"),
    ),
    *(
        Case(
            f"counter: several animals, {name}",
            remarks(arrays),
            gives=lambda said: any(
                "column 1 counts in steps" in one and "(if the table has the rows of several animals" in one
                for one in said
            ),
        )
        for name, arrays in (("in turns", TWINS), ("one after the other", ROUNDS))
    ),
    Case(
        "counter: levels are none",
        remarks([np.round(x) for x in WAVES]),
        gives=lambda said: not any("counts" in one for one in said),
    ),
)


def without_header(folder: Path) -> None:
    """Sixteen files that differ in their third column; nothing changes in the second."""
    rng, t = np.random.default_rng(8), np.arange(60)
    for i in range(12):
        a, b = (
            rng.normal(size=60),
            np.sin(2 * np.pi * t / (6 if i % 2 else 20) + 6 * rng.random()) + 0.1 * rng.normal(size=60),
        )
        (folder / f"f{i:02d}.csv").write_text("".join(f"{p:.4f},7.5,{q:.4f}\n" for p, q in zip(a, b, strict=True)))


def numbered(text: str) -> str:
    return "".join(f"{k},{row}\n" for k, row in enumerate(text.splitlines()))


def clustered(folder: Path, **options: Any) -> Any:
    without_header(folder)
    return kinseq.cluster(folder, n_clusters=2, n_resamples=1, **options)


COLUMNS = (
    Case(
        "columns: numbers of the file after one is left out",
        lambda folder: clustered(folder, measure="properties", params={"only": ["roughness of 3"]}),
        gives=lambda result: (
            any("left out 1 column without any change" in note and note.endswith(": column 2") for note in result.notes)
            and "column 3" in str(result.explain())
            and "column 2" not in str(result.explain())
        ),
    ),
    Case(
        "columns: a property by the name of its column, beside sequences without groups",
        lambda folder: (
            without_header(folder),
            kinseq.cluster(
                [
                    pd.DataFrame(np.loadtxt(file, delimiter=","), columns=["x", "idle", "y"])
                    for file in sorted(folder.iterdir())
                ],
                n_clusters=2,
                measure="properties",
                params={"only": ["roughness of y"]},
                n_resamples=1,
            ),
        )[1],
        gives=lambda result: result.n_clusters == 2,
    ),
    Case(
        "columns: numbers of an array",
        lambda folder: (
            without_header(folder),
            kinseq.cluster(
                [np.loadtxt(file, delimiter=",") for file in sorted(folder.iterdir())],
                n_clusters=2,
                measure="properties",
                params={"only": ["roughness of 3"]},
                n_resamples=1,
            ),
        )[1],
        gives=lambda result: (
            any(note.endswith(": column 2") for note in result.notes) and "column 3" in str(result.explain())
        ),
    ),
    Case(
        "columns: numbers of the file behind an index",
        lambda folder: (
            written(folder, lambda i, x: ""),
            [file.write_text(numbered(file.read_text())) for file in sorted(folder.iterdir())],
            read_folder(folder),
        )[2],
        gives=lambda read: read[0].provenance["column_numbers"] == ["2", "3", "4"],
    ),
)

CASES: tuple[Case, ...] = (*HEADS, *CODES, *COLUMNS)
