"""Bad input to the readers of users' files: tables, arrays, archives, recordings, labels, folders."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from kinseq.data.readers import read_folder
from kinseq.sequences import SequenceSet

from .table import Case

Read = tuple[SequenceSet, list[str]]
Content = str | bytes | np.ndarray
RNG = np.random.default_rng(0)


def _write(folder: Path, files: Mapping[str, Content]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, np.ndarray):
            np.save(path, content)
        else:
            path.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def _reading(files: Mapping[str, Content], at: str = "", **options: Any) -> Callable[[Path], Read]:
    """Read a folder of files, or one file of it; a bad file is refused unless it is asked for otherwise."""
    return lambda folder: read_folder(_write(folder, files) / at, **{"on_bad_file": "refuse", **options})


def _rows(*sequences: list[list[float]], note: str = "") -> Callable[[Read], bool]:
    """Whether just these frames were read, in this order, and a note says so."""

    def right(read: Read) -> bool:
        found = [frames.tolist() for frames in read[0]]
        return found == list(sequences) and (not note or any(note in said for said in read[1]))

    return right


def _noted(*words: str) -> Callable[[Read], bool]:
    return lambda read: all(any(word in said for said in read[1]) for word in words)


def _labelled(*labels: str, note: str = "") -> Callable[[Read], bool]:
    def right(read: Read) -> bool:
        found = None if read[0].labels is None else read[0].labels.tolist()
        return found == list(labels) and (not note or any(note in said for said in read[1]))

    return right


A, B = [[0.5, 1.5], [2.5, 3.5], [4.5, 5.5]], [[6.5, 7.5], [8.5, 9.5], [0.25, 1.0]]


def _text(rows: list[list[float]], head: str = "", sep: str = ",", index: list[Any] | None = None) -> str:
    cells = [[*([] if index is None else [index[i]]), *row] for i, row in enumerate(rows)]
    return head + "".join(sep.join(str(cell) for cell in row) + "\n" for row in cells)


def _pair(head: str = "", sep: str = ",", first: list[Any] | None = None, second: list[Any] | None = None) -> dict:  # type: ignore[type-arg]
    return {"a.csv": _text(A, head, sep, first), "b.csv": _text(B, head, sep, second or first)}


def _npy(header: str, data: bytes = b"") -> bytes:
    text = header.encode() + b" " * (117 - len(header)) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text + data


HUGE = _npy("{'descr': '<f8', 'fortran_order': False, 'shape': (10000000000000, 2), }")

HEADERS = (
    Case(
        "csv: header one cell short, as R writes",
        _reading(_pair('"x","y"\n', first=['"1"', '"2"', '"3"'])),
        gives=_rows(A, B, note="counts the rows"),
    ),
    Case(
        "csv: header one cell short, rows named",
        _reading(_pair("x,y\n", first=["ann", "bob", "eve"])),
        gives=_rows(A, B, note="left out the first column"),
    ),
    Case(
        "csv: header one cell short, first column of values",
        _reading(_pair("x,y\n", first=[0.1, 0.2, 0.3])),
        says=r"a\.csv: line 1 has 2 cells and the rows below have 3.*write a name for each",
    ),
    Case(
        "csv: one name over decimal commas",
        _reading({"a.csv": "x\n1,5\n7,5\n", "b.csv": "x\n1,5\n2,5\n"}),
        says=r"a\.csv: line 1 has 1 cell .*points if commas are decimal marks",
    ),
    Case("csv: quoted newline in a header", _reading(_pair('"x\n(m)",y\n')), gives=_rows(A, B)),
    Case("csv: form feed in a header", _reading(_pair("x\x0c(m),y\n")), gives=_rows(A, B)),
    Case(
        "csv: extra cell in one row", _reading({**_pair(), "c.csv": "x,y\n1,2\n3,4,5\n"}), says=r"c\.csv: line 3.* 3 c"
    ),
    Case(
        "csv: extra cell in the first row", _reading({**_pair(), "c.csv": "x,y\n1,2,3,4\n"}), says=r"c\.csv: line 2.*4 "
    ),
    Case(
        "csv: cell lacking in one row",
        _reading({**_pair(), "c.csv": "x,y\n1,2\n3\n"}),
        says=r"c\.csv: line 3 has 1 cell",
    ),
    Case(
        "csv: cell lacking is not interpolated",
        _reading({**_pair(), "c.csv": "1,2\n3\n5,6\n"}, missing="interpolate"),
        says=r"c\.csv: line 2 has 1 cell",
    ),
    Case(
        "csv: cell lacking in the header",
        _reading({"a.csv": "x,\n1,2\n3,4\n", "b.csv": "x,\n1,2\n"}),
        says="column 2 has no name",
    ),
    Case("csv: numbered header", _reading(_pair("0,1\n")), gives=_rows(A, B, note="took the row 0,1")),
    Case("csv: years as header", _reading(_pair("2019,2020\n")), gives=_rows(A, B, note="took the row 2019,2020")),
    Case("csv: quoted years as header", _reading(_pair('"2019","2020"\n')), gives=_rows(A, B)),
    Case(
        "csv: years as header over whole numbers",
        _reading({"a.csv": "2019,2020\n5,6\n", "b.csv": "2019,2020\n7,8\n"}),
        says=r"a\.csv: begins with 2019,2020, as all files do.*write a header of names",
    ),
    Case(
        "csv: numbered header in most files",
        _reading({**_pair("0,1\n"), "c.csv": "3.5,4.5\n"}),
        says=r"a\.csv: begins with 0,1, as other files do",
    ),
    Case(
        "csv: numbered header in the only file without names",
        _reading({"a.csv": _text(A, "x,y\n"), "b.csv": _text(B, "0,1\n")}),
        says=r"b\.csv: begins with 0,1",
    ),
    Case(
        "csv: one numbered column over decimals",
        _reading({"a.csv": "0\n1.5\n", "b.csv": "0\n2.5\n"}),
        says=r"a\.csv: begins with 0, as all files do",
    ),
    Case(
        "csv: all begin with the same whole number",
        _reading({"a.csv": "0\n1\n", "b.csv": "0\n2\n"}),
        gives=_rows([[0], [1]], [[0], [2]], note="all 2 files begin with 0, which was taken for a number"),
    ),
    Case(
        "csv: pandas without names",
        _reading(_pair(",0,1\n", first=[0, 1, 2])),
        gives=_rows(A, B, note="counts the rows"),
    ),
    Case(
        "csv: pandas index from any start",
        _reading(_pair(",x,y\n", first=[7, 8, 9], second=[100, 102, 150])),
        gives=_rows(A, B, note="left out the first column of 2 files, which has no name and counts the rows"),
    ),
    Case("csv: pandas index saved twice", _reading(_pair("Unnamed: 0,x,y\n", first=[0, 1, 2])), gives=_rows(A, B)),
    Case(
        "csv: nameless column of decimals",
        _reading(_pair(",x,y\n", first=[0.1, 0.2, 0.3])),
        says=r"a\.csv: its first column has no name and does not count the rows; name it \(time",
    ),
    Case(
        "csv: nameless column of dates",
        _reading(_pair(",x,y\n", first=["2024-05-01"] * 3)),
        says="first column has no name",
    ),
    Case("csv: constant nameless column", _reading(_pair(",x,y\n", first=[1, 1, 1])), says="does not count the rows"),
    Case(
        "csv: counting column without a header",
        _reading(_pair(first=[0, 1, 2], second=[3, 4, 5])),
        gives=_rows(A, B, note="without a header, which counts the rows in all of them"),
    ),
    Case(
        "csv: counting column in some files only stays",
        _reading(_pair(first=[0, 1, 2], second=[3, 9, 5])),
        gives=_rows([[i, *row] for i, row in enumerate(A)], [[i, *row] for i, row in zip((3, 9, 5), B, strict=True)]),
    ),
    Case(
        "csv: words and decimals in the first row",
        _reading({**_pair(), "c.csv": "-,0.5\n1,2\n"}),
        says=r"c\.csv: line 1 holds both words \('-'\)",
    ),
    Case("csv: two lines of header", _reading(_pair("x,y\nm,s\n")), says=r"line 2, column 'x' holds 'm'"),
    Case("csv: doubled name", _reading(_pair("x,x\n")), says="'x' occurs more than once"),
    Case("csv: time twice", _reading(_pair("time,Time\n")), says="'time' occurs more than once"),
    Case(
        "csv: header in one file only",
        _reading({"a.csv": _text(A, "x,y\n"), "b.csv": _text(B)}),
        gives=_rows(A, B, note="1 file without a header beside 1 with one"),
    ),
    Case(
        "csv: columns in another order",
        _reading({"a.csv": _text(A, "x,y\n"), "b.csv": _text([[y, x] for x, y in B], "y,x\n")}),
        gives=_rows(A, B, note="put the columns of 1 file"),
    ),
    Case(
        "csv: no two files agree on the names",
        _reading({"a.csv": _text(A, "x,y\n"), "b.csv": _text(B, "u,v\n")}, on_bad_file="skip"),
        says=r"do not agree.*x, y.*u, v",
    ),
    Case(
        "csv: half the files have another number of columns",
        _reading({"a.csv": _text(A), "b.csv": "1.5\n2.5\n"}, on_bad_file="skip"),
        says=r"do not agree.*2 features.*1 feature",
    ),
    Case(
        "npy: channels in rows",
        _reading({"a.npy": RNG.normal(size=(3, 40)), "b.npy": RNG.normal(size=(3, 50))}, on_bad_file="skip"),
        says=r"all have 3 rows.*transpose",
    ),
    Case(
        "npy: fewer frames than features",
        _reading({"a.npy": RNG.normal(size=(3, 40)), "b.npy": RNG.normal(size=(3, 40))}),
        gives=_noted("every sequence has fewer frames than features"),
    ),
    Case(
        "csv: column label is the label",
        _reading({"a.csv": "x,label\n1,u\n2,u\n", "b.csv": "x,label\n3,v\n"}),
        gives=_labelled("u", "v"),
    ),
    Case(
        "csv: column label changes",
        _reading({"a.csv": "x,label\n1,u\n2,v\n", "b.csv": "x,label\n3,v\n"}),
        says=r"a\.csv: line 3, column 'label' differs",
    ),
)

CELLS = (
    Case("csv: sep line", _reading({k: "sep=;\n" + v for k, v in _pair("x;y\n", ";").items()}), gives=_rows(A, B)),
    Case(
        "csv: sep line with an odd mark",
        _reading({k: "sep=:\n" + v for k, v in _pair("x:y\n", ":").items()}),
        gives=_rows(A, B),
    ),
    Case("csv: pipes", _reading(_pair("x|y\n", "|")), gives=_rows(A, B)),
    Case(
        "csv: comments between rows",
        _reading({"a.csv": "# made\nx,y\n1,2\n# pause, long\n3,4\n", "b.csv": "x,y\n5,6\n"}),
        gives=_rows([[1, 2], [3, 4]], [[5, 6]]),
    ),
    Case(
        "csv: comments of Matlab", _reading({k: "% made in May\n" + v for k, v in _pair().items()}), gives=_rows(A, B)
    ),
    Case(
        "csv: quoted decimal commas",
        _reading({"a.csv": 'x,y\n"0,5","1,5"\n"2,5","3,5"\n"4,5","5,5"\n', "b.csv": _text(B, "x,y\n")}),
        gives=_rows(A, B, note="decimal commas in 1 file: a.csv"),
    ),
    Case(
        "csv: decimal comma after many lines",
        _reading({"a.csv": "x;y\n" + "1;2\n" * 300 + "3,5;4\n", "b.csv": "x;y\n1;2\n"}),
        gives=lambda read: read[0][0][-1].tolist() == [3.5, 4.0] and len(read[0][0]) == 301,
    ),
    Case(
        "csv: decimal commas between blanks",
        _reading({k: v.replace(".", ",") for k, v in _pair(sep=" ").items()}),
        gives=_rows(A, B),
    ),
    Case(
        "csv: decimal commas and points",
        _reading({**_pair("x;y\n", ";"), "c.csv": "x;y\n1.5;2,5\n"}),
        says=r"c\.csv: holds both decimal commas \(2,5\) and decimal points",
    ),
    Case(
        "csv: decimal commas as separators",
        _reading({"a.csv": "1,05,2,50\n3,10,4,25\n", "b.csv": "7,5,8,5\n9,5,8,5\n"}),
        says=r"a\.csv: is of files that hold cells such as '05' and no decimal point",
    ),
    Case(
        "csv: thousands",
        _reading({"a.csv": 'x,y\n"1,234","5,678"\n', "b.csv": "x,y\n1,2\n"}),
        says=r"a\.csv: '1,234' may have a decimal comma or a comma between thousands",
    ),
    Case(
        "csv: thousands and decimals",
        _reading({**_pair("x,y\n"), "c.csv": 'x,y\n"1,234.5",2\n'}),
        says=r"c\.csv: line 2, column 'x' holds '1,234\.5'",
    ),
    Case(
        "csv: thousands by blanks",
        _reading({**_pair("x;y\n", ";"), "c.csv": "x;y\n1 234;2\n"}),
        says=r"holds '1 234', which is no number",
    ),
    Case(
        "csv: units in cells",
        _reading({**_pair("x,y\n"), "c.csv": "x,y\n5 kg,2\n"}),
        says=r"c\.csv: line 2, column 'x' holds '5 kg'",
    ),
    Case("csv: percent", _reading({**_pair("x,y\n"), "c.csv": "x,y\n5%,2\n"}), says=r"holds '5%', which is no number"),
    Case(
        "csv: hexadecimal",
        _reading({**_pair("x,y\n"), "c.csv": "x,y\n0x1F,2\n"}),
        says="holds '0x1F', which is no number",
    ),
    Case(
        "csv: underscore in a number",
        _reading({**_pair("x,y\n"), "c.csv": "x,y\n1_000,2\n"}),
        says="holds '1_000', which is no number",
    ),
    Case(
        "csv: error of a spreadsheet", _reading({**_pair("x,y\n"), "c.csv": "x,y\n#DIV/0!,2\n1,#REF!\n"}), says="c.csv"
    ),
    Case(
        "csv: true and false",
        _reading({"a.csv": "x,y\n1,True\n2,false\n", "b.csv": "x,y\n3,TRUE\n"}),
        gives=_rows([[1, 1], [2, 0]], [[3, 1]]),
    ),
    Case(
        "csv: true among numbers",
        _reading({"a.csv": "x\n1\ntrue\n", "b.csv": "x\n3\n"}),
        says=r"line 3, column 'x' holds 'true'",
    ),
    Case(
        "csv: beyond 2**53",
        _reading({"a.csv": "x\n9007199254740993\n", "b.csv": "x\n3\n"}),
        says=r"line 2, column 'x' holds 9007199254740993, a whole number beyond 2\*\*53",
    ),
    Case(
        "csv: infinity", _reading({"a.csv": "x\n1\n-inf\n", "b.csv": "x\n3\n"}), says=r"line 3, column 'x' is infinite"
    ),
    Case("csv: 1e400", _reading({"a.csv": "x\n1e400\n", "b.csv": "x\n3\n"}), says=r"line 2, column 'x' is infinite"),
    Case(
        "csv: 1e200",
        _reading({"a.csv": "x\n1\n1e200\n", "b.csv": "x\n3\n"}),
        says=r"line 3, column 'x' is 1e\+200.*rescale",
    ),
    Case(
        "npy: 1e200",
        _reading({"a.npy": np.array(A), "b.npy": np.array(B) * 1e200}),
        says=r"b\.npy: row \(from 0\) 0, column 0 is 6\.5e\+200",
    ),
    Case(
        "csv: missing rows at the end are missing",
        _reading({"a.csv": "x,y\n1,2\nNA,NA\n", "b.csv": "x,y\n3,4\n"}),
        says=r"line 3, column 'x' is missing",
    ),
    Case(
        "csv: last column without a number stays",
        _reading({"a.csv": "1.5,nan\n2.5,nan\n", "b.csv": "3.5,4\n"}),
        says=r"a\.csv: line 1, column 2 is missing",
    ),
    Case(
        "csv: padding by empty rows",
        _reading({"a.csv": "x,y\n1,2\n,\n,\n", "b.csv": "x,y\n3,4\n"}),
        gives=_rows([[1, 2]], [[3, 4]]),
    ),
    Case(
        "csv: separator at every end",
        _reading({"a.csv": "x,y\n1,2,\n3,4,\n", "b.csv": "x,y\n3,4\n"}),
        gives=_rows([[1, 2], [3, 4]], [[3, 4]]),
    ),
    Case(
        "csv: quote that is not closed",
        _reading({**_pair("x,y\n"), "c.csv": 'x,y\n1,2\n"3,4\n5,6\n'}),
        says=r"c\.csv: cannot be read as a table.*quote",
    ),
    Case("csv: header only", _reading({**_pair("x,y\n"), "c.csv": "x,y\n"}), says=r"c\.csv: holds no row of numbers"),
    Case("csv: blanks only", _reading({**_pair("x,y\n"), "c.csv": " \n\n"}), says=r"c\.csv: holds no row"),
    Case(
        "csv: UTF-16 with its mark",
        _reading({k: v.encode("utf-16") for k, v in _pair("größe,y\n").items()}),
        gives=_rows(A, B),
    ),
    Case(
        "csv: UTF-16 without its mark",
        _reading({k: v.encode("utf-16-le") for k, v in _pair("x,y\n").items()}),
        says="UTF-16 without its mark; save it as UTF-8",
    ),
    Case("csv: UTF-32", _reading({k: v.encode("utf-32") for k, v in _pair("x,y\n").items()}), says="save it as UTF-8"),
    Case(
        "csv: BOM",
        _reading({k: b"\xef\xbb\xbf" + v.encode() for k, v in _pair("time,y\n").items()}),
        gives=lambda read: read[0].n_features == 1,
    ),
    Case(
        "csv: old Mac line ends",
        _reading({k: v.replace("\n", "\r") for k, v in _pair("x,y\n").items()}),
        gives=_rows(A, B),
    ),
    Case(
        "csv: a spreadsheet with the wrong ending",
        _reading({**_pair(), "c.csv": b"PK\x03\x04\x00\x00"}),
        says=r"c\.csv: is no text table but holds binary data",
    ),
)

TIMES = (
    Case(
        "csv: dates first",
        _reading(_pair("date,x,y\n", first=["2024-05-01", "2024-05-02", "2024-05-03"])),
        says=r"holds '2024-05-01', which is no number.*call the column time",
    ),
    Case(
        "csv: times of day first",
        _reading(_pair("clock,x,y\n", first=["10:00:00", "10:00:01", "10:00:02"])),
        says="call the column time",
    ),
    Case(
        "csv: day or month first",
        _reading(_pair("time,x,y\n", first=["05/06/2024", "06/06/2024", "07/06/2024"])),
        says=r"line 2, column 'time' is neither.*05/06/2024",
    ),
    Case(
        "csv: times of day",
        _reading(_pair("time,x,y\n", first=["10:00:02", "10:00:01", "10:00:00.5"])),
        gives=_rows(A[::-1], B[::-1], note="sorted the rows of 2 files by time"),
    ),
    Case(
        "csv: nanoseconds since 1970",
        _reading(_pair("time,x,y\n", first=[1700000000000000002, 1700000000000000001, 1700000000000000000])),
        gives=_rows(A[::-1], B[::-1]),
    ),
    Case(
        "csv: time goes back",
        _reading(_pair("time,x,y\n", first=[1, 3, 2])),
        gives=_rows([A[0], A[2], A[1]], [B[0], B[2], B[1]], note="sorted the rows of 2 files by time: a.csv, b.csv"),
    ),
    Case(
        "csv: same time twice",
        _reading(_pair("time,x,y\n", first=[1, 1, 2])),
        gives=_rows(A, B, note="several rows of the same time"),
    ),
    Case(
        "csv: a year among dates",
        _reading(_pair("time,x,y\n", first=["2024-05-01", "2024", "2024-05-03"])),
        says=r"line 3, column 'time'",
    ),
    Case(
        "csv: a named clock",
        _reading(
            {"a.csv": _text(A, "t,x,y\n", index=[0.0, 0.1, 0.2]), "b.csv": _text(B, "t,x,y\n", index=[0.0, 0.1, 0.2])}
        ),
        gives=_noted("rises by the same step in every sequence: t"),
    ),
    Case(
        "long: time goes back",
        _reading({"all.csv": "id,time,x\na,2,1\na,1,2\nb,1,3\n"}, "all.csv"),
        gives=_rows([[2], [1]], [[3]], note="sorted the rows by time within 1 sequence"),
    ),
    Case(
        "long: ids that differ in case",
        _reading({"all.csv": "id,x\na,1\nA,2\n"}, "all.csv"),
        gives=_noted("ids that differ in case alone: A, a"),
    ),
    Case("long: blank id", _reading({"all.csv": "id,x\na,1\n ,2\n"}, "all.csv"), says="line 3 has no id"),
    Case("long: id twice", _reading({"all.csv": "id,ID,x\na,1,1\n"}, "all.csv"), says="'id' occurs more than once"),
    Case(
        "long: ids with zeros stay apart",
        _reading({"all.csv": "id,x\n01,1\n1,2\n"}, "all.csv"),
        gives=lambda read: read[0].ids.tolist() == ["01", "1"],
    ),
    Case(
        "long: index of pandas",
        _reading({"all.csv": ",id,x\n0,a,1\n1,b,2\n"}, "all.csv"),
        gives=_rows([[1]], [[2]], note="counts the rows"),
    ),
)

CASES: tuple[Case, ...] = (*HEADERS, *CELLS, *TIMES)
