"""Layouts that people bring: MATLAB, HDF5, JSON, workbooks, tracks, intervals, where they are damaged or leave it open."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

import kinseq
from tests.reading import read_folder

from .cases_long_logs import ROWS, log
from .table import Case

RNG = np.random.default_rng(5)
WAVES = [np.sin(np.arange(30.0)[:, None] / (2.0 + k) + np.array([0.0, 1.0])) for k in range(4)]


def folder_of(files: Mapping[str, str | bytes], at: str = "", **options: Any) -> Callable[[Path], Any]:
    def call(folder: Path) -> Any:
        for name, content in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        return read_folder(folder / at, **{"on_bad_file": "refuse", **options})

    return call


def matlab(**variables: Any) -> bytes:
    from scipy.io import savemat

    file = io.BytesIO()
    savemat(file, variables)
    return file.getvalue()


def cells(*entries: Any) -> np.ndarray:
    made = np.empty((1, len(entries)), dtype=object)
    for j, entry in enumerate(entries):
        made[0, j] = entry
    return made


def hdf5(cut: int | None = None) -> bytes:
    import h5py

    file = io.BytesIO()
    with h5py.File(file, "w") as tree:
        for k, wave in enumerate(WAVES):
            tree[f"run{k}"] = wave
    return file.getvalue()[:cut]


def workbook(sheets: Mapping[str, list[list[Any]]]) -> bytes:
    import openpyxl

    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def sheet(*names: str) -> list[list[Any]]:
    return [list(names), *([float(k + j) for j in range(len(names))] for k in range(20))]


def records(*names: str) -> str:
    return json.dumps([{name: float(k + j) for j, name in enumerate(names)} for k in range(20)])


def lines_of(*entries: str) -> str:
    return "\n".join(entries) + "\n"


def table_of(wave: np.ndarray) -> str:
    return lines_of("x,y", *(f"{x:.4f},{y:.4f}" for x, y in wave))


OBJECT = json.dumps({"id": "a", "x": [1.0, 2.0, 3.0], "y": [2.0, 3.0, 1.0]})
SHORTER = json.dumps({"id": "b", "x": [1.0, 2.0, 3.0]})
TRACK = '<gpx xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>{}</trkseg></trk></gpx>'
POINTS = "".join(f'<trkpt lat="60.{k}" lon="10.0"></trkpt>' for k in range(5))
LOGS = {f"logs/m{k}.csv": ROWS for k in range(2)}


def of_intervals(*rows: str) -> Callable[[Path], Any]:
    return folder_of(
        {**LOGS, "logs/intervals.csv": lines_of("file,start,end,label", *rows)}, "logs", segments="intervals.csv"
    )


def piece_in_all(folder: Path) -> Any:
    (folder / "log.csv").write_text(ROWS, encoding="utf-8")
    return kinseq.cluster(folder / "log.csv", cut=40)


CASES: tuple[Case, ...] = (
    Case(
        "log: times that run backwards",
        log("time,x\n" + "".join(f"{40 - k},{k % 7}\n" for k in range(40)), every=1),
        gives=lambda read: (
            read[0][0][:, 0].tolist() == [(39 - k) % 7 for k in range(40)]
            and any("sorted the rows of 1 sequence by time" in note for note in read[1])
        ),
    ),
    Case(
        "log: times that repeat",
        log("time,x\n" + "".join(f"{k // 2},{k % 7}\n" for k in range(40))),
        gives=lambda read: any("20 rows with the time of the row before" in note for note in read[1]),
    ),
    Case(
        "log: times that repeat, on a clock",
        log("time,x\n" + "".join(f"{k // 2},{k}\n" for k in range(40)), every=1),
        gives=lambda read: read[0][0][:, 0].tolist() == [2 * k + 0.5 for k in range(20)],
    ),
    Case(
        "log: a gap as long as the log",
        log("time,x\n" + "".join(f"{k if k < 20 else k + 20},{k % 7}\n" for k in range(40)), every=1),
    ),
    Case("log: one piece in all", piece_in_all),
    Case("intervals: outside the log", of_intervals("m0,0,10,a", "m1,500,900,b")),
    Case("intervals: outside every log", of_intervals("m0,500,900,a")),
    Case("intervals: that overlap", of_intervals("m0,0,15,a", "m0,10,19,b")),
    Case("intervals: of no file", of_intervals("m7,0,10,a")),
    Case("matlab: nothing but strings", folder_of({"a.mat": matlab(name="walk", kind="fast")}, "a.mat")),
    Case("matlab: nested cells", folder_of({"a.mat": matlab(x=cells(cells(*WAVES[:2]), cells(*WAVES[2:])))}, "a.mat")),
    Case("matlab: two candidates", folder_of({"a.mat": matlab(x=cells(*WAVES), z=cells(*WAVES[:3]))}, "a.mat")),
    Case("matlab: damaged", folder_of({"a.mat": matlab(x=cells(*WAVES))[:300]}, "a.mat")),
    Case("hdf5: damaged", folder_of({"a.h5": hdf5(900)}, "a.h5")),
    Case("hdf5: no HDF5", folder_of({"a.h5": b"nothing of the kind"}, "a.h5")),
    Case("json: damaged", folder_of({"a.json": '[{"x": 1, "y": 2},\n {"x": 2, "y": 1},\n {"x": 3 "y": 4}]'}, "a.json")),
    Case(
        "json: a damaged line",
        folder_of({"a.jsonl": lines_of(OBJECT, OBJECT.replace('"a"', '"c"'), OBJECT[:20])}, "a.jsonl"),
    ),
    Case("json: objects of different fields", folder_of({"a.jsonl": lines_of(OBJECT, SHORTER)}, "a.jsonl")),
    Case("json: files of different fields", folder_of({"a.json": records("x", "y"), "b.json": records("u", "v", "w")})),
    Case(
        "workbook: sheets with different columns",
        folder_of({"a.xlsx": workbook({"A": sheet("x", "y"), "B": sheet("u", "v", "w")})}, "a.xlsx"),
    ),
    Case("track: without times", folder_of({"a.gpx": TRACK.format(POINTS)}, "a.gpx")),
    Case("track: no activity", folder_of({"a.fit": b"\x0e\x20"}, "a.fit")),
    Case(
        "labels: of other files",
        folder_of({**LOGS, "logs/labels.csv": "id,label\nz1,a\nz2,b\n"}, "logs"),
    ),
    Case(
        "folder: one bad file among others",
        folder_of(
            {
                **{f"d/g{k}.csv": table_of(RNG.normal(size=(20, 2))) for k in range(9)},
                "d/bad.csv": "x,y\n1,2\n3,oops\n",
            },
            "d",
            on_bad_file="skip",
        ),
        gives=lambda read: len(read[0]) == 9 and any("bad.csv" in note for note in read[1]),
    ),
)
