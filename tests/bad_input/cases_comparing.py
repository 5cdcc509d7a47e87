"""Bad input to the comparison of two samples of one's own."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np

import kinseq
from kinseq.cli import console
from kinseq.comparing.request import checked, from_texts

from .table import Case, texts

VALUES = np.random.default_rng(0).normal(size=(12, 2))


def pair(folder: Path, first: Any, second: Any = VALUES + 1.0) -> tuple[str, str]:
    """Two arrays as files."""
    np.save(folder / "a.npy", first)
    np.save(folder / "b.npy", second)
    return str(folder / "a.npy"), str(folder / "b.npy")


def compared(folder: Path, first: Any, second: Any = VALUES + 1.0, **options: Any) -> Any:
    """Comparison of two arrays."""
    return kinseq.compare(*pair(folder, first, second), **options)


def words(folder: Path, *entries: str) -> Any:
    """A request in words, with ``{}`` for the folder of two samples."""
    pair(folder, VALUES)
    return checked(from_texts(texts(entry.format(folder) for entry in entries)), folder / "results")


def inside(folder: Path) -> Any:
    """A folder next to a file of its own."""
    a, _ = pair(folder, VALUES)
    return kinseq.compare(folder, a)


def text(folder: Path, content: str, **options: Any) -> Any:
    """A table that was written by hand next to a sound one."""
    (folder / "a.csv").write_text(content)
    np.save(folder / "b.npy", VALUES)
    return kinseq.compare(folder / "a.csv", folder / "b.npy", **options)


def huge(_: Path) -> Any:
    """Samples with one entry whose square is not a number, without a warning."""
    first = VALUES.copy()
    first[0, 0] = 1e300
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return kinseq.compare(first, VALUES + 1.0)


CASES: tuple[Case, ...] = (
    Case(
        "compare: an entry of 1e300",
        huge,
        gives=lambda made: bool(np.isfinite([entry.value for entry in made.comparison.estimates]).all()),
    ),
    Case("compare: dependent", lambda f: compared(f, VALUES, dependent="drop")),
    Case("kinseq compare: dependent", lambda f: words(f, "a={}/a.npy", "b={}/b.npy", "dependent=x")),
    Case("kinseq compare: nothing", lambda _: from_texts({})),
    Case("kinseq compare: one sample", lambda f: words(f, "a={}/a.npy")),
    Case("kinseq compare: blank sample", lambda f: words(f, "a= ", "b={}/b.npy")),
    Case("kinseq compare: blank kind", lambda f: words(f, "a={}/a.npy", "kind=")),
    Case("kinseq compare: no such file", lambda f: words(f, "a={}/a.npy", "b={}/c.npy")),
    Case("kinseq compare: name", lambda f: words(f, "a={}/a.npy", "b={}/b.npy", "name=../x")),
    Case("kinseq compare: kind", lambda f: words(f, "a={}/a.npy", "b={}/b.npy", "kind=csv")),
    Case("kinseq compare: the same twice", lambda f: words(f, "a={}/a.npy", "b={}/a.npy")),
    Case("kinseq compare: around the results", lambda f: words(f, "a={}", "b={}/b.npy")),
    Case("compare: the same twice", lambda f: kinseq.compare(pair(f, VALUES)[0], f / "." / "a.npy")),
    Case("compare: a copy", lambda f: compared(f, VALUES, VALUES[::-1])),
    Case("compare: a folder and its part", inside),
    Case("compare: dimensions", lambda f: compared(f, VALUES, VALUES[:, :1])),
    Case("compare: one vector", lambda f: compared(f, VALUES[:1])),
    Case("compare: seven rows", lambda f: compared(f, VALUES, VALUES[:7] + 1)),
    Case("compare: a missing number", lambda f: compared(f, np.where(VALUES > 1, np.nan, VALUES))),
    Case(
        "compare: a missing number that is filled in",
        lambda f: compared(f, np.where(VALUES > 1, np.nan, VALUES), missing="interpolate"),
        gives=lambda made: any("A: interpolated" in note for note in made.notes),
    ),
    Case("compare: an infinite number", lambda f: compared(f, np.where(VALUES > 1, np.inf, VALUES))),
    Case("compare: scale", lambda f: compared(f, VALUES, scale="unit")),
    Case("compare: text", lambda f: text(f, "x,y\n1,a\n")),
    Case("compare: an empty table", lambda f: text(f, "x,y\n")),
    Case("compare: random_state", lambda f: compared(f, VALUES, random_state="one")),
    Case(
        "compare: a constant feature",
        lambda f: compared(f, VALUES * [1, 0], VALUES * [1, 0] + [1, 0]),
        gives=lambda made: any(
            "left out 1 column without any change in both samples together: column 2" in note for note in made.notes
        ),
    ),
    Case(
        "compare: huge numbers",
        lambda f: compared(f, 1e100 * VALUES, 1e100 * VALUES + 1e100),
        gives=lambda made: all(np.isfinite([e.value, e.low, e.high]).all() for e in made.comparison.estimates),
    ),
    Case(
        "compare: huge numbers as they are",
        lambda f: compared(f, 1e140 * VALUES, 1e140 * VALUES + 1e140, scale="none"),
        gives=lambda made: all(np.isfinite([e.value, e.low, e.high]).all() for e in made.comparison.estimates),
    ),
    Case("compare: repeats", lambda f: compared(f, VALUES, repeats="twice")),
    Case("compare: no sample", lambda _: kinseq.compare(None, VALUES)),
    Case(
        "compare: an array of three axes and one of two",
        lambda _: kinseq.compare(np.zeros((9, 3, 2)), VALUES),
        gives=bool,
    ),
    Case("compare: a list of series", lambda _: kinseq.compare(VALUES, list(VALUES))),
    Case("compare: NaN in an array", lambda _: kinseq.compare(VALUES, VALUES * np.nan)),
    Case("compare: kind of arrays", lambda _: kinseq.compare(VALUES, VALUES + 1, kind="table")),
    Case("compare: arrays of unlike width", lambda _: kinseq.compare(VALUES, VALUES[:, :1])),
    Case("compare: few vectors in an array", lambda _: kinseq.compare(VALUES[:3], VALUES)),
    Case("compare: the same array", lambda _: kinseq.compare(VALUES, VALUES)),
    Case(
        "compare: repeated vectors",
        lambda f: compared(f, np.repeat(VALUES, 4, axis=0)),
        gives=lambda made: made.comparison.repeated == (36, 0),
    ),
    Case(
        "compare: one column of two values",
        lambda f: compared(f, np.eye(5, 1)[[0, 1, 1, 1, 1] * 6], np.eye(5, 1)[[0, 0, 0, 0, 1] * 6]),
        gives=lambda made: made.comparison["mmd2"].p_value < 0.01,
    ),
    Case(
        "compare: more features than vectors",
        lambda _: kinseq.compare(
            np.random.default_rng(1).normal(size=(20, 60)), np.random.default_rng(2).normal(size=(20, 60))
        ),
        gives=lambda made: (
            made.comparison["nn_bound_j"].low is None and any("NN Bound-J" in note for note in made.notes)
        ),
    ),
    Case(
        "kinseq compare: threads",
        lambda f: console.run(["compare", *pair(f, VALUES), "--threads", "0", "--results", str(f / "results")]),
    ),
)
