"""Bad input to the readers of users' files: tables, arrays, archives, recordings, labels, folders."""

from __future__ import annotations

import csv
import os
import socket
import struct
import wave
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

import kinseq
from kinseq.core.sequences import SequenceSet
from kinseq.readers.writers import write_folder
from kinseq_documents.data.feature_files import load_speakers
from tests.reading import read_folder

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
    """Read a folder of files, or one file of it; a bad file is refused by default."""
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
    Case("csv: header one cell short, first column of values", _reading(_pair("x,y\n", first=[0.1, 0.2, 0.3]))),
    Case("csv: one name over decimal commas", _reading({"a.csv": "x\n1,5\n7,5\n", "b.csv": "x\n1,5\n2,5\n"})),
    Case("csv: quoted newline in a header", _reading(_pair('"x\n(m)",y\n')), gives=_rows(A, B)),
    Case("csv: form feed in a header", _reading(_pair("x\x0c(m),y\n")), gives=_rows(A, B)),
    Case("csv: extra cell in one row", _reading({**_pair(), "c.csv": "x,y\n1,2\n3,4,5\n"})),
    Case("csv: extra cell in the first row", _reading({**_pair(), "c.csv": "x,y\n1,2,3,4\n"})),
    Case("csv: cell lacking in one row", _reading({**_pair(), "c.csv": "x,y\n1,2\n3\n"})),
    Case(
        "csv: cell lacking is not interpolated", _reading({**_pair(), "c.csv": "1,2\n3\n5,6\n"}, missing="interpolate")
    ),
    Case("csv: cell lacking in the header", _reading({"a.csv": "x,\n1,2\n3,4\n", "b.csv": "x,\n1,2\n"})),
    Case("csv: numbered header", _reading(_pair("0,1\n")), gives=_rows(A, B, note="took the row 0,1")),
    Case("csv: years as header", _reading(_pair("2019,2020\n")), gives=_rows(A, B, note="took the row 2019,2020")),
    Case("csv: quoted years as header", _reading(_pair('"2019","2020"\n')), gives=_rows(A, B)),
    Case(
        "csv: years as header over whole numbers", _reading({"a.csv": "2019,2020\n5,6\n", "b.csv": "2019,2020\n7,8\n"})
    ),
    Case("csv: numbered header in most files", _reading({**_pair("0,1\n"), "c.csv": "3.5,4.5\n"})),
    Case(
        "csv: numbered header in the only file without names",
        _reading({"a.csv": _text(A, "x,y\n"), "b.csv": _text(B, "0,1\n")}),
    ),
    *(
        Case(f"csv: {what}", _reading(_pair(f"{row}\n")))
        for what, row in {
            "years that fall as header": "2020,2019",
            "decimals as header": "0.25,0.75",
            "negative numbers as header": "-1,1",
        }.items()
    ),
    Case(
        "csv: all begin with the same frame of whole numbers",
        _reading({"a.csv": "1,0\n0,1\n", "b.csv": "1,0\n1,0\n"}),
        gives=_rows([[1, 0], [0, 1]], [[1, 0], [1, 0]], note="all 2 files begin with 1,0, which was taken for numbers"),
    ),
    Case(
        "csv: all begin at the origin",
        _reading(_pair("0,0\n")),
        gives=_rows([[0, 0], *A], [[0, 0], *B], note="all 2 files begin with 0,0"),
    ),
    Case(
        "csv: copies of one file", _reading({"a.csv": _text(A), "b.csv": _text(A)}), gives=_rows(A, A, note="identical")
    ),
    Case("csv: two index columns of pandas", _reading(_pair(",,0,1\n", first=["0,0", "0,1", "0,2"]))),
    Case("csv: one numbered column over decimals", _reading({"a.csv": "0\n1.5\n", "b.csv": "0\n2.5\n"})),
    Case(
        "csv: all begin with the same whole number",
        _reading({"a.csv": "0\n1\n", "b.csv": "0\n2\n"}),
        gives=_rows([[0], [1]], [[0], [2]], note="all 2 files begin with 0, which was taken for numbers"),
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
    Case("csv: nameless column of decimals", _reading(_pair(",x,y\n", first=[0.1, 0.2, 0.3]))),
    Case(
        "csv: nameless column of dates",
        _reading(_pair(",x,y\n", first=["2024-05-01"] * 3)),
        gives=_rows(A, B, note="which has no name and holds times"),
    ),
    Case("csv: constant nameless column", _reading(_pair(",x,y\n", first=[1, 1, 1]))),
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
    Case("csv: words and decimals in the first row", _reading({**_pair(), "c.csv": "low,0.5\n1,2\n"})),
    Case("csv: two lines of header", _reading(_pair("x,y\nleft,right\n"))),
    Case(
        "csv: a row of units",
        _reading(_pair("x,y\nm,s\n")),
        gives=_rows(A, B, note="as units: x [m], y [s]"),
    ),
    Case(
        "csv: a title and a serial number above the header",
        _reading(_pair("Plot: site\nSerial: N1\nx,y\n")),
        gives=_rows(A, B, note="in a.csv it begins on line 3"),
    ),
    Case(
        "csv: a preamble padded with commas",
        _reading(_pair("Serial: N1,\nStart 09:00,\n")),
        gives=_rows(A, B, note="in a.csv it begins on line 3"),
    ),
    Case(
        "csv: a title above the header",
        _reading(_pair("Plot: site\nx,y\n")),
        gives=_rows(A, B, note="in a.csv it begins on line 2"),
    ),
    *(
        Case(f"csv: {name}", _reading(_pair(head)))
        for name, head in (
            (
                "three rows of names",
                "model,m\nbodyparts,nose\ncoords,x\n",
            ),
        )
    ),
    Case(
        "csv: several separators at the ends of lines",
        _reading({name: text.replace("\n", ",,\n") for name, text in _pair("x,y\n").items()}),
        gives=_rows(A, B),
    ),
    Case(
        "csv: dates with the day first throughout",
        _reading(_pair("time,x,y\n", first=["31.05.2024", "30.05.2024", "1.6.2024"])),
        gives=_rows([A[1], A[0], A[2]], [B[1], B[0], B[2]]),
    ),
    Case(
        "npy: several sequences in one file by itself",
        lambda folder: (np.save(folder / "a.npy", np.zeros((2, 3, 4))), read_folder(folder / "a.npy"))[1],
    ),
    Case("csv: doubled name", _reading(_pair("x,x\n"))),
    Case("csv: time twice", _reading(_pair("time,Time\n"))),
    Case(
        "csv: header in one file only",
        _reading({"a.csv": _text(A, "x,y\n"), "b.csv": _text(B)}),
        gives=_rows(A, B, note="1 file without a header next to 1 with one"),
    ),
    Case(
        "csv: columns in another order",
        _reading({"a.csv": _text(A, "x,y\n"), "b.csv": _text([[y, x] for x, y in B], "y,x\n")}),
        gives=_rows(A, B, note="put the columns of 1 file"),
    ),
    Case(
        "csv: no two files agree on the names",
        _reading({"a.csv": _text(A, "x,y\n"), "b.csv": _text(B, "u,v\n")}, on_bad_file="skip"),
    ),
    Case(
        "csv: half the files have another number of columns",
        _reading({"a.csv": _text(A), "b.csv": "1.5\n2.5\n"}, on_bad_file="skip"),
    ),
    Case(
        "npy: channels in rows",
        _reading({"a.npy": RNG.normal(size=(3, 40)), "b.npy": RNG.normal(size=(3, 50))}, on_bad_file="skip"),
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
        gives=lambda read: (
            _noted("left out the column 'label', which changes within 1 file")(read) and read[0].labels is None
        ),
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
        gives=_rows([[1, 2], [3, 4]], [[5, 6]], note="passed over 1 line among the rows of 1 file as comments"),
    ),
    Case(
        "csv: comments above the rows are not told",
        _reading({k: "# made\n% in May\n" + v for k, v in _pair("x,y\n").items()}),
        gives=lambda read: _rows(A, B)(read) and read[1] == [],
    ),
    Case(
        "csv: a comment below one column",
        _reading({"a.csv": "x\n1\n# 2 s of pause\n3\n", "b.csv": "x\n5\n"}),
        gives=_rows([[1], [3]], [[5]], note="the first is line 3 of a.csv"),
    ),
    Case(
        "csv: rows of separators alone at the end",
        _reading({"a.csv": "x,y\n1,2\n,\n3,4\n,\n,\n\n", "b.csv": "x,y\n5,6\n\n"}, missing="interpolate"),
        gives=_rows(
            [[1, 2], [2, 3], [3, 4]], [[5, 6]], note="left out 2 rows without any number at the ends of 1 file"
        ),
    ),
    Case("csv: a frame that is commented out", _reading({"a.csv": "x,y\n1,2\n#3,4\n", "b.csv": "x,y\n5,6\n"})),
    Case(
        "csv: a comment that opens a quote",
        _reading({"a.csv": 'x,y\n1,2\n# a, "b\n3,4\n# c, d"\n5,6\n', "b.csv": "x,y\n5,6\n"}),
    ),
    Case(
        "csv: names in a comment, one of them the time",
        _reading({k: "# time,x,y\n" + v for k, v in _pair(first=[3, 1, 2]).items()}),
        gives=_rows([A[1], A[2], A[0]], [B[1], B[2], B[0]], note="sorted the rows of 2 files by time"),
    ),
    Case(
        "long: ids that begin as comments do",
        _reading({"all.csv": "id,x\n#1,3\n#1,4\n%2,5\n#3,NA\n#3,6\n"}, "all.csv", missing="interpolate"),
        gives=lambda read: _rows([[3], [4]], [[5]], [[6], [6]])(read) and read[0].ids.tolist() == ["#1", "%2", "#3"],
    ),
    Case(
        "ts: a line of a comment among the cases",
        _reading({"a.ts": "@classLabel false\n@data\n1,2\n# 3,4\n#N/A,6,7\n"}, "a.ts", missing="interpolate"),
        gives=_rows([[1], [2]], [[6], [6], [7]], note="passed over 1 line among the cases"),
    ),
    *(
        Case(
            f"csv: {error} in the first column",
            _reading({"a.csv": f"x,y\n1,2\n{error},3\n3,4\n", "b.csv": f"{error},6\n7,8\n"}, missing="interpolate"),
            gives=_rows([[1, 2], [2, 3], [3, 4]], [[7, 6], [7, 8]], note="interpolated 2 missing numbers"),
        )
        for error in ("#N/A", "#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!")
    ),
    *(
        Case(f"csv: {what}", _reading({"a.csv": content, "b.csv": content}))
        for what, content in (
            ("braces in a header", "{x},y\na,2\n"),
            ("an open brace in a header", "{x,y\na,2\n"),
            ("a number in braces in a header", "{0},y\na,2\n"),
            (
                "a rounded number below braces",
                "{x},y\n9007199254740993,2\n",
            ),
            ("lines of JSON", "{'x': 1, 'y': 2}\n{'x': 3, 'y': 4}\n"),
        )
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
    Case("csv: decimal commas and points", _reading({**_pair("x;y\n", ";"), "c.csv": "x;y\n1.5;2,5\n"})),
    Case(
        "csv: decimal commas as separators",
        _reading({"a.csv": "1,05,2,50\n3,10,4,25\n", "b.csv": "7,5,8,5\n9,5,8,5\n"}),
    ),
    Case("csv: thousands", _reading({"a.csv": 'x,y\n"1,234","5,678"\n', "b.csv": "x,y\n1,2\n"})),
    Case(
        "csv: thousands and decimals",
        _reading({**_pair("x,y\n"), "c.csv": 'x,y\n"1,234.5",2\n'}),
        gives=lambda read: (
            _noted("read commas between thousands in 1 file")(read) and read[0][2].tolist() == [[1234.5, 2.0]]
        ),
    ),
    Case(
        "csv: thousands by blanks",
        _reading({**_pair("x;y\n", ";"), "c.csv": "x;y\n1 234;2\n"}),
        gives=lambda read: (
            _noted("read numbers such as '1 234' in 1 file")(read) and read[0][2].tolist() == [[1234.0, 2.0]]
        ),
    ),
    Case("csv: units in cells", _reading({**_pair("x,y\n"), "c.csv": "x,y\n5 kg,2\n"})),
    Case("csv: percent", _reading({**_pair("x,y\n"), "c.csv": "x,y\n5%,2\n"})),
    Case("csv: hexadecimal", _reading({**_pair("x,y\n"), "c.csv": "x,y\n0x1F,2\n"})),
    Case("csv: underscore in a number", _reading({**_pair("x,y\n"), "c.csv": "x,y\n1_000,2\n"})),
    Case("csv: error of a spreadsheet", _reading({**_pair("x,y\n"), "c.csv": "x,y\n#DIV/0!,2\n1,#REF!\n"})),
    Case(
        "csv: true and false",
        _reading({"a.csv": "x,y\n1,True\n2,false\n", "b.csv": "x,y\n3,TRUE\n"}),
        gives=_rows([[1, 1], [2, 0]], [[3, 1]]),
    ),
    Case("csv: true among numbers", _reading({"a.csv": "x\n1\ntrue\n", "b.csv": "x\n3\n"})),
    Case("csv: beyond 2**53", _reading({"a.csv": "x\n9007199254740993\n", "b.csv": "x\n3\n"})),
    Case("csv: infinity", _reading({"a.csv": "x\n1\n-inf\n", "b.csv": "x\n3\n"})),
    Case("csv: 1e400", _reading({"a.csv": "x\n1e400\n", "b.csv": "x\n3\n"})),
    Case("csv: 1e200", _reading({"a.csv": "x\n1\n1e200\n", "b.csv": "x\n3\n"})),
    Case("npy: 1e200", _reading({"a.npy": np.array(A), "b.npy": np.array(B) * 1e200})),
    Case("csv: missing rows at the end are missing", _reading({"a.csv": "x,y\n1,2\nNA,NA\n", "b.csv": "x,y\n3,4\n"})),
    Case("csv: last column without a number stays", _reading({"a.csv": "1.5,nan\n2.5,nan\n", "b.csv": "3.5,4\n"})),
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
    Case("csv: quote that is not closed", _reading({**_pair("x,y\n"), "c.csv": 'x,y\n1,2\n"3,4\n5,6\n'})),
    Case("csv: header only", _reading({**_pair("x,y\n"), "c.csv": "x,y\n"})),
    Case("csv: blanks only", _reading({**_pair("x,y\n"), "c.csv": " \n\n"})),
    Case(
        "csv: UTF-16 with its mark",
        _reading({k: v.encode("utf-16") for k, v in _pair("größe,y\n").items()}),
        gives=_rows(A, B),
    ),
    Case("csv: UTF-16 without its mark", _reading({k: v.encode("utf-16-le") for k, v in _pair("x,y\n").items()})),
    Case("csv: UTF-32", _reading({k: v.encode("utf-32") for k, v in _pair("x,y\n").items()})),
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
    Case("csv: a spreadsheet with the wrong ending", _reading({**_pair(), "c.csv": b"PK\x03\x04\x00\x00"})),
)

MARKED = [[0.1, -999.0], [0.2, 1.0], [0.3, 3.0], [0.2, 2.0], [0.4, -999.0]]

TIMES = (
    Case(
        "csv: a number that stands for missing",
        _reading({"a.csv": _text(MARKED, "x,y\n"), "b.csv": _text(A, "x,y\n")}),
        gives=_noted("may stand for a missing one (write nan): -999 (2 times in y)"),
    ),
    Case(
        "csv: order of accents",
        _reading({"e\u0301.csv": _text(A), "f.csv": _text(B)}),
        gives=lambda read: read[0].ids.tolist() == ["f.csv", "\u00e9.csv"],
    ),
    Case(
        "labels: in the data and beside them",
        _reading({"a.csv": "x,label\n1,u\n", "b.csv": "x,label\n2,v\n", "labels.csv": "id,label\na,w\nb,w\n"}),
        gives=_labelled("w", "w", note="takes the place of the labels that the data themselves hold"),
    ),
    Case("csv: day or month first", _reading(_pair("time,x,y\n", first=["05/06/2024", "06/06/2024", "07/06/2024"]))),
    Case(
        "csv: times of day",
        _reading(_pair("time,x,y\n", first=["10:00:01.5", "10:00:01", "10:00:00.5"])),
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
    Case("csv: a year among dates", _reading(_pair("time,x,y\n", first=["2024-05-01", "2024", "2024-05-03"]))),
    Case(
        "csv: a named clock",
        _reading(
            {"a.csv": _text(A, "t,x,y\n", index=[0.0, 0.1, 0.2]), "b.csv": _text(B, "t,x,y\n", index=[0.0, 0.1, 0.2])}
        ),
        gives=_noted("using column 't' as time", "to keep it as a feature"),
    ),
    Case(
        "long: time goes back",
        _reading({"all.csv": "id,time,x\na,2,1\na,1,2\nb,1,3\n"}, "all.csv"),
        gives=_rows([[2], [1]], [[3]], note="sorted the rows of 1 sequence by time: a"),
    ),
    Case(
        "long: ids that differ in case",
        _reading({"all.csv": "id,x\na,1\nA,2\n"}, "all.csv"),
        gives=_noted("ids that differ in case alone: A, a"),
    ),
    Case("long: blank id", _reading({"all.csv": "id,x\na,1\n ,2\n"}, "all.csv")),
    Case("long: id twice", _reading({"all.csv": "id,ID,x\na,1,1\n"}, "all.csv")),
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


def _archive(arrays: Mapping[str, Any], **options: Any) -> Callable[[Path], Read]:
    def call(folder: Path) -> Read:
        np.savez(folder / "set.npz", **{name: np.asarray(array) for name, array in arrays.items()})
        return read_folder(folder / "set.npz", **options)

    return call


def _zipped(members: Mapping[str, bytes]) -> Callable[[Path], Read]:
    def call(folder: Path) -> Read:
        with zipfile.ZipFile(folder / "set.npz", "w") as archive:
            for name, content in members.items():
                archive.writestr(name, content)
        return read_folder(folder / "set.npz")

    return call


def _frame(columns: Mapping[str, Any], **options: Any) -> Callable[[Path], Read]:
    def call(folder: Path) -> Read:
        import pandas

        pandas.DataFrame(columns).to_parquet(folder / "all.parquet")
        return read_folder(folder, **options)

    return call


ONE, TWO = np.array(A), np.array(B)
NUMBERS = {"values": np.vstack([ONE, TWO]), "offsets": [0, 3, 6]}

ARRAYS = (
    Case("npy: header claims 1e13 rows", _reading({"a.npy": HUGE, "b.npy": ONE})),
    Case("npy: cut short", lambda folder: _cut(folder, "a.npy")),
    Case(
        "npy: negative shape",
        _reading({"a.npy": _npy("{'descr': '<f8', 'fortran_order': False, 'shape': (-1, 2), }"), "b.npy": ONE}),
    ),
    Case("npy: header that is code", _reading({"a.npy": _npy("__import__('os').getcwd()"), "b.npy": ONE})),
    Case("npy: empty file", _reading({"a.npy": b"", "b.npy": ONE})),
    Case("npy: an archive with the wrong ending", _reading({"a.npy": b"PK\x03\x04", "b.npy": ONE})),
    Case("npy: Python objects", _reading({"a.npy": np.array([None, 1]), "b.npy": ONE})),
    Case("npy: three dimensions", _reading({"a.npy": np.zeros((2, 3, 4)), "b.npy": ONE})),
    Case("npy: no dimension", _reading({"a.npy": np.array(1.0), "b.npy": ONE})),
    Case("npy: complex", _reading({"a.npy": ONE + 1j, "b.npy": ONE})),
    Case("npy: dates", _reading({"a.npy": np.array(["2024-05-01"], dtype="datetime64[D]"), "b.npy": ONE})),
    Case("npy: records", _reading({"a.npy": np.zeros(3, dtype=[("x", float)]), "b.npy": ONE})),
    Case(
        "npy: half precision, big endian and columns first",
        _reading({"a.npy": ONE.astype(">f2"), "b.npy": np.asfortranarray(TWO)}),
        gives=_rows(A, B),
    ),
    Case(
        "npy: truth values",
        _reading({"a.npy": np.array([True, False]), "b.npy": np.array([False])}),
        gives=_rows([[1], [0]], [[0]]),
    ),
    Case("npy: beyond 2**53", _reading({"a.npy": np.array([2**53 + 1]), "b.npy": np.array([1])})),
    Case(
        "npy: long doubles",
        _reading({"a.npy": np.array([1.5], dtype=np.longdouble), "b.npy": np.array([2.5])}),
        gives=_rows([[1.5]], [[2.5]]),
    ),
    Case(
        "npy: long doubles out of range",
        _reading({"a.npy": np.array([2.0], dtype=np.longdouble) ** 2000, "b.npy": np.array([1.0])}),
    ),
    Case(
        "npz: offsets without a sign",
        _archive({**NUMBERS, "offsets": np.array([0, 3, 6], dtype=np.uint64)}),
        gives=_rows(A, B),
    ),
    Case("npz: falling offsets without a sign", _archive({**NUMBERS, "offsets": np.array([0, 7, 6], dtype=np.uint64)})),
    Case("npz: lengths for offsets", _archive({**NUMBERS, "offsets": [3, 3]})),
    Case("npz: decimals for offsets", _archive({**NUMBERS, "offsets": [0.0, 3.5, 6.0]})),
    Case(
        "npz: ids as bytes",
        _archive({**NUMBERS, "ids": np.array([b"a", b"b"])}),
        gives=lambda read: read[0].ids.tolist() == ["a", "b"],
    ),
    Case(
        "npz: ids as decimals",
        _archive({**NUMBERS, "ids": [1.0, 2.0]}),
        gives=lambda read: read[0].ids.tolist() == ["1", "2"],
    ),
    Case("npz: blank id", _archive({**NUMBERS, "ids": ["a", " "]})),
    Case("npz: labels as bytes", _archive({**NUMBERS, "labels": np.array([b"u", b"v"])}), gives=_labelled("u", "v")),
    Case("npz: label that is no number", _archive({**NUMBERS, "labels": [1.0, np.nan]})),
    Case(
        "npz: arrays that nobody reads", _archive({**NUMBERS, "mask": [1]}), gives=_noted("set.npz: did not read mask")
    ),
    Case(
        "npz: aeon's names",
        _archive({"X": np.arange(6.0).reshape(2, 1, 3), "y": [0, 1]}),
        gives=lambda read: (
            [frames.tolist() for frames in read[0]] == [[[0.0], [1.0], [2.0]], [[3.0], [4.0], [5.0]]]
            and read[0].labels.tolist() == ["0", "1"]
        ),
    ),
    Case("npz: complex values", _archive({**NUMBERS, "values": NUMBERS["values"] + 1j})),
    Case("npz: member claims 1e13 rows", _zipped({"values.npy": HUGE})),
    Case("npz: member is no array", _zipped({"values.npy": b"text"})),
    Case("npz: values beyond 1e150", _archive({**NUMBERS, "values": NUMBERS["values"] * 1e200})),
    Case(
        "parquet: dates as a feature",
        _frame(
            {"id": ["a", "a"], "x": [1.0, 2.0], "day": np.array(["2024-05-02", "2024-05-01"], dtype="datetime64[ns]")}
        ),
        gives=_rows([[2], [1]], note="using column 'day' as time"),
    ),
    Case("parquet: lists of different lengths", _frame({"id": ["a"], "x": [[1.0, 2.0]], "y": [[1.0]]})),
    Case("parquet: words as a feature", _frame({"id": ["a"], "x": ["tall"]})),
    Case("parquet: missing id", _frame({"id": [1.0, None], "x": [1.0, 2.0]})),
    Case("parquet: beyond 2**53", _frame({"id": ["a"], "x": np.array([2**53 + 1])})),
    Case(
        "parquet: nanoseconds as time",
        _frame({"id": ["a", "a"], "time": np.array([2, 1]) + 17 * 10**17, "x": [1.0, 2.0]}),
        gives=_rows([[2], [1]]),
    ),
    Case(
        "parquet: dates as time",
        _frame(
            {"id": ["a", "a"], "time": np.array(["2024-05-02", "2024-05-01"], dtype="datetime64[ns]"), "x": [1.0, 2.0]}
        ),
        gives=_rows([[2], [1]]),
    ),
    Case("parquet: missing time", _frame({"id": ["a", "a"], "time": [1.0, None], "x": [1.0, 2.0]})),
    Case(
        "parquet: ids as decimals",
        _frame({"id": [1.0, 2.0], "x": [True, False]}),
        gives=lambda read: read[0].ids.tolist() == ["1", "2"],
    ),
)


def _cut(folder: Path, name: str) -> Read:
    """A folder of arrays, one of which lost its end."""
    _write(folder, {name: ONE, "z.npy": TWO})
    content = (folder / name).read_bytes()
    (folder / name).write_bytes(content[:-8])
    return read_folder(folder, on_bad_file="refuse")


def _ts(header: str, *cases: str) -> Callable[[Path], Read]:
    return _reading({"a.ts": header + "@data\n" + "".join(case + "\n" for case in cases)})


TS = (
    Case("ts: labels promised but absent", _ts("@classLabel true u v\n", "1,2:3,4", "5,6:7,8")),
    Case("ts: labels promised but absent, classes unknown", _ts("@classLabel true\n", "1,2:3,4")),
    Case("ts: a label that is not announced", _ts("@classLabel true u v\n", "1,2:w")),
    Case("ts: blank label", _ts("@classLabel true\n", "1,2:")),
    Case("ts: labels that are not announced", _ts("@classLabel false\n", "1,2:3,4:u")),
    Case("ts: tabs in the header", _ts("@classLabel\ttrue\tu\n", "1,2:u"), gives=_labelled("u", note="")),
    Case("ts: time stamps", _ts("@timeStamps true\n", "(0,1),(1,2)")),
    Case("ts: univariate with two dimensions", _ts("@univariate true\n@classLabel false\n", "1,2:3,4")),
    Case("ts: other number of dimensions", _ts("@dimensions 3\n", "1,2:3,4")),
    Case(
        "ts: unequal though said equal",
        _ts("@equalLength true\n", "1,2", "1,2,3"),
        gives=_noted("says equalLength true but its cases have 2 to 3 frames"),
    ),
    Case("ts: missing inside", _ts("", "1,?,3")),
    Case("ts: underscore", _ts("", "1_0,2")),
    Case("ts: no data line", _reading({"a.ts": "@classLabel false\n1,2\n"})),
)


def _wav(samples: np.ndarray, rate: int = 16000, width: int = 2) -> Callable[[Path], None]:
    """Write samples of shape (n, channels) in [-1, 1] as whole numbers of `width` bytes."""

    def write(path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        scaled = np.round(samples * (2 ** (8 * width - 1) - 1)).astype(np.int64)
        if width == 1:
            scaled += 128
        with wave.open(str(path), "wb") as file:
            file.setnchannels(samples.shape[1])
            file.setsampwidth(width)
            file.setframerate(rate)
            file.writeframes(scaled.astype({1: np.uint8, 2: "<i2", 4: "<i4"}[width]).tobytes())

    return write


def _recordings(files: Mapping[str, Callable[[Path], None]], **options: Any) -> Callable[[Path], Read]:
    def call(folder: Path) -> Read:
        for name, write in files.items():
            write(folder / name)
        return read_folder(folder, **{"on_bad_file": "refuse", **options})

    return call


NOISE = 0.1 * np.random.default_rng(1).normal(size=(8000, 1))
GOOD = _wav(NOISE)

AUDIO = (
    Case("audio: sample_rate 1e9", _recordings({"a.wav": GOOD, "b.wav": GOOD}, sample_rate=1e9)),
    Case("audio: sample_rate 1", _recordings({"a.wav": GOOD, "b.wav": GOOD}, sample_rate=1)),
    Case("audio: sample_rate is a string", _recordings({"a.wav": GOOD}, sample_rate="16k")),
    Case(
        "audio: sample_rate above that of the files",
        _recordings({"a.wav": GOOD, "b.wav": GOOD}, sample_rate=44100),
        gives=_noted("hold nothing above 8000 Hz"),
    ),
    Case("audio: header of 1 Hz", _recordings({"a.wav": _wav(NOISE, 1), "b.wav": GOOD})),
    Case("audio: header of 4 GHz", _recordings({"a.wav": _wav(NOISE, 2**30), "b.wav": GOOD})),
    Case("audio: opposite channels", _recordings({"a.wav": _wav(np.hstack([NOISE, -NOISE])), "b.wav": GOOD})),
    Case(
        "audio: nearly opposite channels",
        _recordings({"a.wav": _wav(np.hstack([NOISE, -0.98 * NOISE])), "b.wav": GOOD}, trim=40.0),
    ),
    Case(
        "audio: one silent channel",
        _recordings({"a.wav": _wav(np.hstack([NOISE, 0 * NOISE])), "b.wav": GOOD}),
        gives=_noted("1 to 2 channels"),
    ),
    Case("audio: no sample", _recordings({"a.wav": _wav(NOISE[:0]), "b.wav": GOOD})),
    Case("audio: one sample", _recordings({"a.wav": _wav(NOISE[:1]), "b.wav": GOOD})),
    Case("audio: silence with an offset", _recordings({"a.wav": _wav(0 * NOISE + 0.5), "b.wav": GOOD})),
    Case(
        "audio: eight bits",
        _recordings({"a.wav": _wav(NOISE, width=1), "b.wav": GOOD}),
        gives=lambda read: bool(np.isfinite(read[0].values).all()) and len(read[0]) == 2,
    ),
    Case(
        "audio: rates differ",
        _recordings({"a.wav": GOOD, "b.wav": _wav(NOISE, 22050)}),
        gives=_noted("2 sampling rates from 16000 to 22050 Hz"),
    ),
    Case("audio: a table with the wrong ending", lambda folder: read_folder(_write(folder, {"a.wav": "1,2\n3,4\n"}))),
    Case(
        "audio: a kind that cannot be decoded",
        lambda folder: read_folder(_write(folder, {"a.m4a": b"\0\0\0\x18ftypM4A "})),
    ),
    Case(
        "audio: numbers beyond full scale",
        lambda folder: _floats(folder),
        gives=_noted(r"skipped a.wav: holds samples up to"),
    ),
)


def _floats(folder: Path) -> Read:
    """One recording in floating point that was never divided by 32768."""
    import soundfile

    soundfile.write(folder / "a.wav", NOISE * 32768, 16000, subtype="FLOAT")
    GOOD(folder / "b.wav")
    return read_folder(folder)


def _three(labels: Content, name: str = "labels.csv", given: str | None = "labels.csv") -> Callable[[Path], Read]:
    return _reading(
        {"001.csv": "x\n1\n2\n", "002.csv": "x\n2\n5\n", "Ann.csv": "x\n3\n9\n", name: labels}, labels=given
    )


LABELS = (
    Case(
        "labels: zeros lost in a spreadsheet",
        _three("id,label\n1,u\n2,v\nAnn,w\n"),
        gives=_labelled(
            "u", "v", "w", note="took 2 ids that differ in case, extension or zeros at the front: 1 for 001.csv"
        ),
    ),
    Case(
        "labels: other case",
        _three("id,label\n001,u\n002,v\nANN.CSV,w\n"),
        gives=_labelled("u", "v", "w", note="ANN.CSV for Ann.csv"),
    ),
    Case("labels: other extension", _three("id,label\n001.npy,u\n002.wav,v\nAnn,w\n"), gives=_labelled("u", "v", "w")),
    Case(
        "labels: unknown ids",
        _three("id,label\n001,u\nbob,v\n"),
        gives=_labelled("u", "", "", note="1 id without a sequence: bob"),
    ),
    Case("labels: only unknown ids", _three("id,label\nbob,v\n")),
    Case("labels: twice with a contradiction", _three("id,label\n001,u\n1,v\n")),
    Case("labels: twice in agreement", _three("id,label\n001,u\n1,u\n002,u\nAnn,v\n"), gives=_labelled("u", "u", "v")),
    Case(
        "labels: semicolons and BOM",
        _three(b"\xef\xbb\xbfid;label\n001;u\n002;v\nAnn;w\n"),
        gives=_labelled("u", "v", "w"),
    ),
    Case("labels: sep line", _three("sep=;\nid;label\n001;u\n002;v\nAnn;w\n"), gives=_labelled("u", "v", "w")),
    Case("labels: blanks around", _three("id , label\n 001 , u \n002,u\nAnn, v\n"), gives=_labelled("u", "u", "v")),
    Case(
        "labels: older Windows",
        _three("id,label\n001,gr\xfcn\n002,u\nAnn,u\n".encode("cp1252")),
        gives=_labelled("grün", "u", "u", note="was read as Windows-1252"),
    ),
    Case(
        "labels: alike but for case",
        _three("id,label\n001,Yes\n002,yes\nAnn,no\n"),
        gives=_noted("labels that differ in case or blanks alone count as different: 'Yes' and 'yes'"),
    ),
    Case(
        "labels: all the same", _three("id,label\n001,u\n002,u\nAnn,u\n"), gives=_noted("there is a single label, 'u'")
    ),
    Case("labels: all different", _three("id,label\n001,u\n002,v\nAnn,w\n"), gives=_noted("every label occurs once")),
    Case("labels: all blank", _three("id,label\n001,\n002,\n"), gives=_noted("holds no label, so there are no scores")),
    Case("labels: other header", _three("file,class\n001,u\n")),
    Case("labels: two columns of groups", _three("id,label,group,group\n001,u,a,b\n")),
    Case("labels: quote that is not closed", _three('id,label\n001,"u\n002,v\n')),
    Case("labels: name is blank", _three("id,label\n001,u\n", given=" ")),
    Case("labels: no such file", _three("id,label\n001,u\n", given="truth.csv")),
    Case("labels: a link that leads nowhere", lambda folder: _dangling(folder)),
    Case("labels: a folder", lambda folder: _labels_folder(folder)),
    Case("labels: a pipe", lambda folder: _labels_pipe(folder)),
    Case("labels: written another way", _three("id,label\n001,u\n002,u\nAnn,v\n", "truth.csv", "./sub/../truth.csv")),
)


def _dangling(folder: Path) -> Read:
    (folder / "labels.csv").symlink_to(folder / "gone")
    return read_folder(_write(folder, _pair("x,y\n")))


def _labels_folder(folder: Path) -> Read:
    (folder / "labels.csv").mkdir()
    return read_folder(_write(folder, _pair("x,y\n")))


def _labels_pipe(folder: Path) -> Read:
    os.mkfifo(folder / "labels.csv")
    return read_folder(_write(folder, _pair("x,y\n")))


def _beside(make: Callable[[Path], object]) -> Callable[[Path], Read]:
    """Read two good files and something next to them."""

    def call(folder: Path) -> Read:
        make(folder)
        return read_folder(_write(folder, _pair("x,y\n")))

    return call


def _socket(folder: Path) -> None:
    home = Path.cwd()
    os.chdir(folder)  # names of sockets are short
    try:
        with socket.socket(socket.AF_UNIX) as server:
            server.bind("c.csv")
    finally:
        os.chdir(home)


def _bytes_name(folder: Path) -> None:
    (folder / os.fsdecode(b"\xff.csv")).write_text(_text(A, "x,y\n"))


def _bad_bytes_name(folder: Path) -> None:
    (folder / os.fsdecode(b"\xff.csv")).write_text("x,y\n1,oops\n")


def _writable(read: Read) -> bool:
    """Whether ids and notes can be written to a file in UTF-8."""
    return bool("\n".join([*read[0].ids.tolist(), *read[1], str(read[0].provenance)]).encode())


FOLDERS = (
    Case("folder: empty path", lambda _: read_folder("")),
    Case("folder: blank path", lambda _: read_folder("  ")),
    Case("folder: no path", lambda _: read_folder(None)),  # type: ignore[arg-type]
    Case("folder: bytes", lambda _: read_folder(b"folder")),  # type: ignore[arg-type]
    Case("folder: null byte", lambda _: read_folder("a\0b")),
    Case("folder: path too long", lambda _: read_folder("a" * 5000)),
    Case("folder: a pipe for the data", lambda folder: read_folder(_pipe(folder))),
    Case("folder: a device for the data", lambda _: read_folder("/dev/zero")),
    Case(
        "folder: a pipe among files",
        _beside(lambda folder: _pipe(folder)),
        gives=_rows(A, B, note="neither a file nor a folder: c.csv"),
    ),
    Case(
        "folder: a socket among files", _beside(_socket), gives=_rows(A, B, note="neither a file nor a folder: c.csv")
    ),
    Case(
        "folder: a link to a device",
        _beside(lambda folder: (folder / "c.csv").symlink_to("/dev/zero")),
        gives=_rows(A, B, note="neither a file nor a folder: c.csv"),
    ),
    Case(
        "folder: a link that leads nowhere",
        _beside(lambda folder: (folder / "c.csv").symlink_to("gone")),
        gives=_rows(A, B, note="skipped c.csv: cannot be opened"),
    ),
    Case(
        "folder: a link to itself",
        _beside(lambda folder: (folder / "c.csv").symlink_to("c.csv")),
        gives=_rows(A, B, note="skipped c.csv: cannot be opened"),
    ),
    Case(
        "folder: a link that leads back",
        _beside(lambda folder: (folder / "sub").symlink_to(folder)),
        gives=_rows(A, B, note="read already: sub"),
    ),
    Case(
        "folder: a folder with the name of a file",
        _beside(lambda folder: (folder / "c.csv").mkdir()),
        gives=_rows(A, B),
    ),
    Case(
        "folder: a name that is not UTF-8",
        _beside(_bytes_name),
        gives=lambda read: read[0].ids.tolist() == [r"\xff.csv", "a.csv", "b.csv"] and _writable(read),
    ),
    Case(
        "folder: a bad file whose name is not UTF-8",
        _beside(_bad_bytes_name),
        gives=lambda read: len(read[0]) == 2 and _writable(read) and _noted(r"skipped \xff.csv: line 2")(read),
    ),
    Case(
        "folder: a name with a line break",
        _beside(lambda folder: (folder / "c\nd.csv").write_text("x,y\n1,oops\n")),
        gives=lambda read: len(read[0]) == 2,
    ),
    Case("option: kind", _reading(_pair(), kind="tables")),
    Case("option: missing", _reading(_pair(), missing="zero")),
    Case("option: n_jobs", _reading(_pair(), n_jobs=0)),
    Case("option: n_jobs is checked for archives too", _archive(NUMBERS, n_jobs=1.5)),
    Case("option: sample_rate for tables", _reading(_pair(), sample_rate=8000)),
    Case("option: trim", _recordings({"a.wav": GOOD}, trim=-1)),
    Case("option: features", _recordings({"a.wav": GOOD}, features="speach")),
    Case("option: label of folders without any", _reading(_pair(), labels="folders")),
)


def _pipe(folder: Path) -> Path:
    os.mkfifo(folder / "c.csv")
    return folder / "c.csv"


def _written(*ids: str) -> Callable[[Path], None]:
    """Write a folder of sequences with some ids."""
    return lambda folder: write_folder(folder / "out", SequenceSet.from_arrays([ONE] * len(ids), ids=list(ids)))


def _speakers(files: Mapping[str, Content]) -> Callable[[Path], SequenceSet]:
    return lambda folder: load_speakers(_write(folder, files), "gpm")


FORMULAS = ("=1+1", "'=1+1", "+x", "-1+1", "-5", "@a", "\uff1d1", "'b")
"""Labels and names of files that spreadsheets compute, and some that only look so."""


def _labels_back(folder: Path) -> list[str]:
    """Labels of a folder by the partition that was written of it, and how the cells of that file begin."""
    items = SequenceSet.from_arrays(
        [RNG.normal(size=(3, 2)) for _ in FORMULAS], ids=list(FORMULAS), labels=np.array(FORMULAS[::-1])
    )
    write_folder(folder / "data", items)
    page = kinseq.cluster(str(folder / "data"), 2, "dtw").report(folder / "page")
    with (page.parent / "partition.csv").open(encoding="utf-8", newline="") as stream:
        cells = [cell for row in csv.reader(stream) for cell in row]
    assert not [cell for cell in cells if cell[0:1] in ("=", "+", "-", "@", "\uff1d") and cell != "-5"]
    (folder / "data/labels.csv").unlink()
    read = read_folder(folder / "data", labels=str(page.parent / "partition.csv"))[0]
    return [str(read.labels[read.ids.tolist().index(f"{name}.csv")]) for name in FORMULAS]  # type: ignore[index]


HELD = (
    Case("labels: formulas go to spreadsheets and back", _labels_back, gives=lambda found: found == [*FORMULAS[::-1]]),
    Case("writer: id that leaves the folder", _written("../a")),
    Case("writer: absolute id", _written("/a")),
    Case("writer: id of the labels file", _written("a", "labels")),
    Case("writer: hidden id", _written("sub/.a")),
    Case("writer: ids that one file system takes for one", _written("a", "A")),
    Case("held: empty table", _speakers({"ann/a.txt": ""})),
    Case("held: words", _speakers({"ann/a.txt": "1 x\n"})),
    Case("held: other number of columns", _speakers({"ann/a.txt": "1 2\n", "bob/b.txt": "1\n"})),
    Case("held: not a number", _speakers({"ann/a.txt": "1 nan\n"})),
    Case("held: nothing there", _speakers({"a.txt": "1\n"})),
    Case("held: a pipe", lambda folder: _held_pipe(folder), gives=lambda found: len(found) == 1),
)


def _held_pipe(folder: Path) -> SequenceSet:
    _write(folder, {"ann/a.txt": "1 2\n"})
    os.mkfifo(folder / "ann/b.txt")
    return load_speakers(folder, "gpm")


CASES: tuple[Case, ...] = (*HEADERS, *CELLS, *TIMES, *ARRAYS, *TS, *AUDIO, *LABELS, *FOLDERS, *HELD)
