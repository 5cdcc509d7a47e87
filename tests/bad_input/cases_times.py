"""Times in tables, whatever their column is called: what orders the rows is not a feature, and no row is lost for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pandas

from kinseq.cli.request import checked, from_texts
from kinseq.core.inputs import Columns, as_collection
from kinseq.core.sequences import SequenceSet
from tests.reading import read_folder

from .table import Case, texts

Read = tuple[SequenceSet, list[str]]
X = ([3.5, 1.0, 2.0, 9.0], [4.0, 0.5, 7.0, 8.0])
"""A feature of two sequences."""
DAY = 1_700_000_000
ISO = [f"2024-05-31 10:00:0{i}" for i in range(4)]


def columns(heads: Sequence[str], *cells: Sequence[Any]) -> dict[str, str]:
    """Two files with some columns before a column ``x``."""
    files = {}
    for name, feature in zip(("a.csv", "b.csv"), X, strict=True):
        rows = [[*entries, value] for *entries, value in zip(*cells, feature, strict=True)]
        files[name] = "".join(",".join(map(str, row)) + "\n" for row in ([*heads, "x"], *rows))
    return files


def reading(files: Mapping[str, str], at: str = "", **options: Any) -> Callable[[Path], Read]:
    def call(folder: Path) -> Read:
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8")
        return read_folder(folder / at, **{"on_bad_file": "refuse", **options})

    return call


def ordered(*positions: int, told: str = "") -> Callable[[Read], bool]:
    """Whether the only feature is `x`, in this order of the rows, and a note says what is the time."""

    def right(read: Read) -> bool:
        found = [frames.ravel().tolist() for frames in read[0]]
        return found == [[feature[i] for i in positions] for feature in X] and any(told in note for note in read[1])

    return right


def as_features(*names: str, note: str = "") -> Callable[[Read], bool]:
    def right(read: Read) -> bool:
        return read[0].provenance["columns"] == list(names) and any(note in said for said in read[1])

    return right


CLOCK = [f"10:0{i}" for i in range(4)]


def hours(form: str, start: int, minutes: int) -> list[str]:
    """Forty times of day from an hour on."""
    begin = datetime(2024, 3, 30, start)
    return [f"{begin + timedelta(minutes=minutes * k):{form}}" for k in range(40)]


def again(name: str, cells: Sequence[Any]) -> dict[str, str]:
    """Two files of forty rows, which are numbered in the column x."""
    text = f"{name},x\n" + "".join(f"{cell},{k * k}\n" for k, cell in enumerate(cells))
    return {"a.csv": text, "b.csv": text}


def as_written(told: str) -> Callable[[Read], bool]:
    """Whether rows stand as they do in the files of :func:`again`, and a note says so."""

    def right(read: Read) -> bool:
        rows = [float(k * k) for k in range(40)]
        return [frames.ravel().tolist() for frames in read[0]] == [rows] * 2 and any(told in note for note in read[1])

    return right


def parquet(folder: Path, name: str | None) -> Read:
    """A long table whose index holds dates, the newest first."""
    index = pandas.DatetimeIndex(ISO[::-1], name=name)
    pandas.DataFrame({"id": "a", "x": X[0]}, index=index).to_parquet(folder / "all.parquet")
    return read_folder(folder / "all.parquet")


UNITS = {
    "seconds": ([DAY + 60 * i for i in range(4)], "epoch"),
    "hundredths of seconds": ([f"{DAY + i / 100:.2f}" for i in range(4)], "date"),
    "milliseconds": ([DAY * 10**3 + step for step in (0, 33, 67, 67)], "timestamp"),
    "microseconds": ([DAY * 10**6 + 10 * i for i in range(4)], "ms"),
    "nanoseconds": ([DAY * 10**9 + i for i in range(4)], "t"),
}
LONG = "id,when,x\na,{},3\na,{},4\nb,{},5\nb,{},7\n"
FILES = (
    *(
        Case(f"time: {unit} since 1970", reading(columns([name], cells)), gives=ordered(0, 1, 2, 3, told=repr(name)))
        for unit, (cells, name) in UNITS.items()
    ),
    *(
        Case(
            f"time: dates called {name}",
            reading(columns([name], ISO[::-1])),
            gives=ordered(3, 2, 1, 0, told=f"using column {name!r} as time"),
        )
        for name in ("Timestamp", "DateTime", "date", "{}")
    ),
    *(
        Case(
            f"time: written as {cell}",
            reading(columns(["when"], [cell.format(i) for i in (1, 0, 3, 2)])),
            gives=ordered(1, 0, 3, 2, told="'when'"),
        )
        for cell in (
            "2024-05-1{}",
            "2024-05-31T10:00:0{}Z",
            "2024-05-31 10:00:0{} UTC",
            "2024-05-31 10:00:0{}.25+02:00",
            "20240531T10000{}",
        )
    ),
    Case(
        "time: times of day that rise",
        reading(columns(["clock"], [f"10:0{i}" for i in range(4)])),
        gives=ordered(0, 1, 2, 3),
    ),
    Case("time: durations that fall are no time", reading(columns(["pace"], ["5:31", "5:30", "5:32", "5:29"]))),
    *(
        Case(
            f"time: a day and a time of day, {names[0]} and {names[1]}, named {named.get('time_column')}",
            reading(columns(names, ["2024-05-31", "2024-06-01", "2024-05-31", "2024-06-01"], clocks), **named),
            gives=ordered(*right, told=f"the columns {names[0]!r} and {names[1].replace('Time', 'time')!r} together"),
        )
        for names, clocks, right, named in (
            (["day", "clock"], ["22:00", "01:00", "23:00", "00:00"], (0, 2, 3, 1), {}),
            (["Date", "Time"], ["9:00:00", "9:00:00", "10:00:00", "8:30:00.5"], (0, 2, 3, 1), {}),
            (["day", "clock"], ["10:01", "10:00", "10:00", "10:01"], (2, 0, 1, 3), {"time_column": "day"}),
            (["day", "clock"], ["10:01", "10:00", "10:00", "10:01"], (2, 0, 1, 3), {"time_column": "clock"}),
        )
    ),
    Case(
        "time: a day and a time of day without a header",
        reading(
            {
                k: v.partition("\n")[2]
                for k, v in columns(["d", "t"], ["2024-05-31"] * 4, ["10:03", "10:01", "10:02", "10:00"]).items()
            }
        ),
        gives=ordered(3, 1, 2, 0, told="the columns '1' and '2' together"),
    ),
    Case(
        "time: two days and a time of day",
        reading(columns(["from", "to", "clock"], ["2024-05-31"] * 4, ["2024-06-01"] * 4, CLOCK)),
    ),
    *(
        Case(
            f"time: {what}, in a column {name}",
            reading(again(name, cells)),
            gives=as_written(f"the time of 2 files begins again ({clock}, {times}"),
        )
        for name, what, cells, clock, times in (
            ("time", "a night", hours("%H:%M:%S", 22, 10), "24-hour clock", "1 time"),
            ("when", "a night", hours("%H:%M", 22, 10), "24-hour clock", "1 time"),
            ("time", "three days", hours("%H:%M:%S", 22, 120), "24-hour clock", "4 times"),
            ("time", "a clock of 12 hours", hours("%I:%M:%S", 10, 30), "12-hour clock", "2 times"),
            (
                "time",
                "dates of one day",
                [f"1900-01-01 {cell}" for cell in hours("%H:%M:%S", 22, 10)],
                "24-hour clock",
                "1 time",
            ),
            ("time", "HHMMSS", hours("%H%M%S", 22, 10), "hours, minutes and seconds of the day", "1 time"),
            (
                "time [ms]",
                "16 bits",
                [str((65_000 + 20 * k) % 65_536) for k in range(40)],
                "counter of 16 bits",
                "1 time",
            ),
            (
                "time",
                "32 bits",
                [str((2**32 - 90 + 30 * k) % 2**32) for k in range(40)],
                "counter of 32 bits",
                "1 time",
            ),
            (
                "time",
                "seconds of the day",
                [str((86_390 + k) % 86_400) for k in range(40)],
                "seconds of the day",
                "1 time",
            ),
        )
    ),
    Case("time: hours of work of three days", reading(again("time", hours("%H:%M", 8, 10)[:13] * 3 + ["09:00"]))),
    Case(
        "time: two animals, one after the other", reading(again("time", [*range(20), *range(20)]), on_bad_file="skip")
    ),
    Case(
        "time: two animals, in turns",
        reading(again("time", [k // 2 for k in range(40)])),
        gives=as_written(
            "several rows of the same time, which keep their order: a.csv, b.csv; if the rows are of several animals"
        ),
    ),
    Case(
        "long: a night of each id",
        reading(
            {
                "all.csv": "id,time,x\n"
                + "".join(f"{i},{c},{k}\n" for k, c in enumerate(hours("%H:%M", 22, 10)) for i in "ab")
            },
            "all.csv",
        ),
        gives=lambda read: (
            [frames.ravel().tolist() for frames in read[0]] == [list(range(40))] * 2
            and "the time of 2 sequences begins again (24-hour clock" in " ".join(read[1])
        ),
    ),
    *(
        Case(
            f"parquet: times in an index called {name}",
            lambda folder, name=name: parquet(folder, name),
            gives=lambda read: (
                read[0].n_features == 1
                and read[0][0].ravel().tolist() == [X[0][i] for i in (3, 2, 1, 0)]
                and "sorted the rows of 1 sequence" in " ".join(read[1])
            ),
        )
        for name in (None, "time", "when")
    ),
    Case(
        "time: day first",
        reading(columns(["day"], ["1.6.2024", "31.05.2024", "30.05.2024", "29.05.2024"])),
        gives=ordered(3, 2, 1, 0, told="using column 'day' as time"),
    ),
    Case(
        "time: dates without a header",
        reading({k: v.partition("\n")[2] for k, v in columns(["when"], ISO).items()}),
        gives=ordered(0, 1, 2, 3, told="using column '1' as time"),
    ),
    Case(
        "time: a nameless index of dates",
        reading(columns([""], ISO[::-1])),
        gives=ordered(3, 2, 1, 0, told="first column of 2 files, which has no name and holds times"),
    ),
    Case(
        "time: numbers since 1970 that fall are told",
        reading(columns(["t"], [DAY + i for i in (3, 1, 2, 0)])),
        gives=as_features("t", "x", note="t holds numbers like times since 1970 (if it is the time: time_column="),
    ),
    Case(
        "time: a step below the last digits",
        reading(columns(["t"], [1e6 + i / 1000 for i in range(4)])),
        gives=as_features("x", note="using column 't' as time"),
    ),
    Case(
        "time: nothing but times",
        reading(
            {
                k: "".join(line.split(",")[0] + "\n" for line in v.splitlines())
                for k, v in columns(["t"], [f"2024-05-1{i}" for i in range(4)]).items()
            }
        ),
    ),
    Case(
        "time: named", reading(columns(["t"], [3, 1, 2, 0]), time_column="t"), gives=ordered(3, 1, 2, 0, told="sorted")
    ),
    Case(
        "time: named in other case", reading(columns(["T"], [3, 1, 2, 0]), time_column="t"), gives=ordered(3, 1, 2, 0)
    ),
    Case(
        "time: another column than time",
        reading(columns(["time", "t"], [0, 1, 2, 3], [3, 1, 2, 0]), time_column="t"),
        gives=as_features("x", note="left out the column 'time'"),
    ),
    Case("time: named, not there", reading(columns(["t"], ISO), time_column="u")),
    Case("time: named as the label", reading(columns(["label"], [1] * 4), time_column="label")),
    Case("time: a blank name", reading(columns(["t"], ISO), time_column=" ")),
    Case(
        "time: named for an archive",
        lambda folder: (
            np.savez(folder / "a.npz", values=[[1.0]], offsets=[0, 1]),
            read_folder(folder, time_column="t"),
        )[1],
    ),
    Case(
        "time: named for arrays without names",
        lambda folder: (np.save(folder / "a.npy", np.eye(3)), read_folder(folder, time_column="t"))[1],
    ),
    Case(
        "long: dates by what they are",
        reading({"all.csv": LONG.format(*ISO[1::-1], *ISO[2:])}, "all.csv"),
        gives=lambda read: [frames.ravel().tolist() for frames in read[0]] == [[4, 3], [5, 7]],
    ),
    Case(
        "long: times since 1970 by what they are",
        reading({"all.csv": LONG.format(DAY + 5, DAY + 6, DAY, DAY + 1)}, "all.csv"),
        gives=lambda read: [frames.ravel().tolist() for frames in read[0]] == [[3, 4], [5, 7]],
    ),
    Case(
        "long: durations that rise within every id",
        reading({"all.csv": "id,when,x\na,5:00,3\nb,1:00,5\na,6:00,4\nb,2:00,7\n"}, "all.csv"),
        gives=lambda read: [frames.ravel().tolist() for frames in read[0]] == [[3, 4], [5, 7]],
    ),
)


def frame(**cells: Any) -> Any:
    return pandas.DataFrame({**cells, "x": X[0]})


def held(name: str, data: Any, gives: Callable[[SequenceSet], bool], **named: Any) -> Case:
    return Case(f"time: {name}", lambda _: as_collection(data, columns=Columns(**named))[0], gives=gives)


def first(*positions: int) -> Callable[[SequenceSet], bool]:
    return lambda made: made.n_features == 1 and made[0].ravel().tolist() == [X[0][i] for i in positions]


DATES = pandas.to_datetime(ISO)
HELD = (
    held("dates in a table", frame(id=1, when=DATES[::-1]), first(3, 2, 1, 0)),
    held("dates in a list of tables", [frame(when=DATES[::-1])] * 2, first(3, 2, 1, 0)),
    held("time in a list of tables", [frame(time=[3, 1, 2, 0])] * 2, first(3, 1, 2, 0)),
    held("named in a list of tables", [frame(t=[3, 1, 2, 0])] * 2, first(3, 1, 2, 0), time="t"),
    held("milliseconds in a table", frame(id=1, ms=[DAY * 1000 + i for i in range(4)]), first(0, 1, 2, 3)),
    held(
        "milliseconds as a feature by name",
        frame(id=1, ms=[DAY * 1000 + i for i in range(4)]),
        lambda made: made.n_features == 2,
        values=["ms", "x"],
    ),
    Case("time: twice in a table of a list", lambda _: as_collection([frame(time=[0, 0, 1, 2])] * 2)),
    Case("time: named for arrays", lambda _: as_collection([np.eye(3)], columns=Columns(time="t"))),
)


def words(*entries: str) -> Callable[[Path], Any]:
    def call(folder: Path) -> Any:
        (folder / "a.csv").write_text("1\n", encoding="utf-8")
        return checked(from_texts({"data": str(folder), **texts(entries)}), folder.parent / "elsewhere")

    return call


DOORS = (
    Case("word: TIME", words("time_column=when"), gives=lambda own: own["time_column"] == "when"),
    Case("word: TIME empty", words("time_column= ")),
    *(
        Case(f"--rate {text}", words(f"rate={text}"), gives=lambda own, rate=rate: own["rate"] == rate)
        for text, rate in (("50", 50.0), ("12.5", 12.5), (".5", 0.5), ("1e3", 1000.0))
    ),
    *(
        Case(f"--rate {text}", words(f"rate={text}"))
        for text in ("0", "-1", "nan", "inf", "1e999", "1_0", ".", "e3", "fast", "٣", "50 Hz")
    ),
)

CASES: tuple[Case, ...] = (*FILES, *HELD, *DOORS)
