"""Bad input of sequences of symbols: free text, a single symbol, empty sequences, codes, spells, events without a duration."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import kinseq
from kinseq import clustering
from kinseq.core.symbols import symbol_set

from .table import Case

ROWS = [list("abcab"), list("abcca"), list("cbaab"), list("ccbaa"), list("bacba"), list("abacc")]
SPELLS = "id,start,end,state\n1,0,3,work\n1,{begin},6,home\n2,0,6,work\n2,6,7,home\n"


def listed(name: str, rows: Any, **how: Any) -> Case:
    """A row for kinseq.cluster on lists of symbols."""
    return Case(f"symbols: {name}", lambda _: kinseq.cluster(rows, 2, **how))


def file(name: str, text: str, gives: Callable[[Any], bool] | None = None, /, **how: Any) -> Case:
    """A row for kinseq.read on one table."""

    def call(folder: Path) -> Any:
        (folder / "data.csv").write_text(text, encoding="utf-8")
        return kinseq.read(folder / "data.csv", **how)

    return Case(f"symbols: {name}", call, gives=gives)


def logs(
    name: str, texts: dict[str, str], call: Callable[[Path], Any], gives: Callable[[Any], bool] | None = None
) -> Case:
    """A row on a folder of logs."""

    def written(folder: Path) -> Any:
        for own, text in texts.items():
            (folder / own).write_text(text, encoding="utf-8")
        return call(folder)

    return Case(f"symbols: {name}", written, gives=gives)


def noted(*words: str) -> Callable[[Any], bool]:
    """Whether a note has all these words."""
    return lambda found: any(all(word in note for word in words) for note in found.notes)


UNEVEN = {"a.csv": "time,action\n0,x\n1,y\n5,x\n6,z\n", "b.csv": "time,action\n0,x\n2,y\n3,x\n9,z\n"}
CASES = (
    listed("free text", [[f"note {i} {j}" for i in range(40)] for j in range(6)]),
    listed("more symbols than an alphabet has", [[f"w{(7 * i + j) % 260}" for i in range(130)] for j in range(12)]),
    listed("a single symbol", [["a"] * n for n in (3, 4, 5)]),
    listed("an empty sequence", [["a", "b"], [], ["b"]]),
    listed("a sequence that is missing throughout", [["a", "b"], [None, "-"], ["b", "a"]]),
    listed("numbers among symbols", [["a", 1.5], ["b", "a"], ["a", 2.5]]),
    listed("texts that are not cut", ["ACGT", "ACGA", "TTTT"]),
    listed("a way of cutting that is none", ["ACGT", "ACGA", "TTTT"], symbols="letters"),
    listed("a measure of numbers", ROWS, measure="dtw"),
    listed("risks of nearest neighbours", ROWS, measure="nn_risk"),
    listed("stretched", ROWS, length="stretch"),
    listed("hamming of unequal lengths", [*ROWS, list("ab")], measure="hamming"),
    listed("a view of numbers", ROWS, params={"views": ["dtw"]}),
    listed("costs of the wrong shape", ROWS, measure="om", params={"substitution": [[0.0, 1.0], [1.0, 0.0]]}),
    listed("free insertions", ROWS, measure="om", params={"indel": 0.0}),
    listed("pieces of a length", ROWS, cut=5),
    listed("missing ones are interpolated", ROWS, missing="interpolate"),
    listed("steps without times", ROWS, every=2),
    listed("gaps of a clock without times", ROWS, every=1, max_gap=2),
    Case("symbols: a new one is empty", lambda _: kinseq.cluster(ROWS, 2).predict([[]])),
    Case("symbols: new ones are numbers", lambda _: kinseq.cluster(ROWS, 2).predict([[1.0, 2.0]])),
    Case("symbols: vectors are clustered", lambda _: clustering.get("kernel_itc")(symbol_set(ROWS), 2)),
    Case("symbols: two samples", lambda _: kinseq.compare(ROWS[:3], ROWS[3:])),
    Case("symbols: all new ones are strange", lambda _: kinseq.cluster(ROWS, 2).predict([["x", "y"]])),
    Case(
        "symbols: some new ones are strange",
        lambda _: kinseq.cluster(ROWS, 2, "edit").place([["a", "b", "x"]]),
        gives=noted("1 symbol of 1 kind", "(x)"),
    ),
    Case(
        "symbols: one in two ways",
        lambda _: kinseq.cluster([["Work", "home"], ["work ", "home"], ["home", "home"], ["Work", "Work"]], 2),
        gives=noted("'Work' and 'work'"),
    ),
    file("spells that overlap", SPELLS.format(begin=2), every=1.0),
    file("files are cut into pieces", "id,time,state\n1,0,a\n1,1,b\n2,0,a\n2,1,b\n", cut=5),
    file("missing rows are bridged", "id,time,state\n1,0,a\n1,1,b\n2,0,a\n2,1,b\n", missing="interpolate"),
    file("empty in the middle of states", "id,t1,t2,t3\n1,a,b,a\n2,,,\n3,b,b,a\n4,a,a,a\n"),
    file("spells with a gap", SPELLS.format(begin=5), noted("1 gap between spells"), every=1.0),
    file("spells without steps", SPELLS.format(begin=3)),
    file("a column that is not there", "id,time,state\n1,0,a\n1,1,b\n2,0,a\n2,1,b\n", symbols="action"),
    logs("events without a duration", UNEVEN, lambda folder: kinseq.cluster(folder, measure="durations")),
    logs(
        "a file without rows",
        {"a.csv": "time,state\n", "b.csv": "time,state\n0,x\n1,y\n", "c.csv": "time,state\n0,x\n1,x\n"},
        lambda folder: kinseq.read(folder),
    ),
    logs(
        "numbers in one file and letters in another",
        {"a.csv": "state\n1\n2\n1\n", "b.csv": "state\nA\nB\nA\n"},
        lambda folder: kinseq.read(folder, symbols="state"),
        noted("codes of the same"),
    ),
)
