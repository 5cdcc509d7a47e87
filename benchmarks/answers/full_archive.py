"""All sets of the UCR or UEA archive that lie in a folder, at full size, next to results that others have published.

The archives are not part of the project: who has one runs ``make bench ARCHIVE=folder``. A set is a folder of its name with
``NAME_TRAIN`` and ``NAME_TEST`` as ``.ts`` or ``.arff``, of one channel or several, or as ``.tsv``, ``.txt`` or ``.csv``: one row a
sequence, the class first. Both parts are taken together. Values that are missing at the end are where a sequence is shorter; others
are interpolated.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from kinseq import SequenceSet
from kinseq.core.arrays import FloatArray
from kinseq.core.errors import DataError
from kinseq.core.store import write_text

from .comparison import differences
from .contenders import named
from .loading import SHAPE, BenchSet
from .running import Limits, Outcome, outcomes

ENDINGS = (".tsv", ".ts", ".arff", ".txt", ".csv")
"""Of the files of a set, in the order in which they are looked for."""
OURS = "kinseq, default"
WHOLE = 10**9
"""Sequences of a set: all of them."""


def sets_in(folder: Path) -> list[BenchSet]:
    """Return the sets of a folder, by name.

    Raises
    ------
    DataError
        If the folder is not there, or holds no set.
    """
    if not folder.is_dir():
        raise DataError(f"{folder}: is no folder; give the one that holds a folder for each set of the archive")
    names = [path.name for path in sorted(folder.iterdir()) if path.is_dir() and _part(path, "TRAIN") is not None]
    if not names:
        raise DataError(
            f"{folder}: holds no set; expected NAME/NAME_TRAIN.tsv and NAME/NAME_TEST.tsv, or the same as .ts or .arff"
        )
    return [
        BenchSet(name, name, SHAPE, loader_of(folder / name), largest=WHOLE, source="UCR or UEA archive")
        for name in names
    ]


def _part(folder: Path, part: str) -> Path | None:
    candidates = [folder / f"{folder.name}_{part}{ending}" for ending in ENDINGS]
    return next((path for path in candidates if path.is_file()), None)


def loader_of(folder: Path) -> Callable[[Sequence[Path]], SequenceSet]:
    """Return what reads both parts of a set in a folder of its name."""

    def load(roots: Sequence[Path]) -> SequenceSet:
        arrays, labels = [], []
        for part in ("TRAIN", "TEST"):
            path = _part(folder, part)
            if path is None:
                raise DataError(f"{folder}: has no part {part}; copy {folder.name}_{part}.tsv, .ts or .arff there")
            for number, (label, frames) in enumerate(_cases(path), start=1):
                labels.append(label)
                arrays.append(_sequence(frames, f"{path}, sequence {number}"))
        return SequenceSet.from_arrays(arrays, labels=labels, name=folder.name, layout="channels_last")

    return load


def _cases(path: Path) -> Iterator[tuple[str, FloatArray]]:
    """Yield the class and the frames of each sequence, shape (T, d)."""
    if path.suffix not in (".ts", ".arff"):
        yield from ((f"{row[0]:g}", row[1:, None]) for row in _rows(path))
        return
    from aeon.datasets import load_from_arff_file, load_from_ts_file

    try:
        cases, labels = (load_from_ts_file if path.suffix == ".ts" else load_from_arff_file)(str(path))
    except Exception as error:  # the parsers raise many kinds
        raise DataError(f"{path}: is not a readable {path.suffix} file ({error}); fetch the file again") from error
    if len(cases) == 0:
        raise DataError(f"{path}: holds no sequence; fetch the file again")
    yield from ((str(label), np.asarray(case, dtype=np.float64).T) for case, label in zip(cases, labels, strict=True))


def _rows(path: Path) -> FloatArray:
    separator = {".tsv": "\t", ".txt": r"\s+", ".csv": ","}[path.suffix]
    try:
        table = pd.read_csv(
            path, sep=separator, header=None, dtype=np.float64, engine="python" if path.suffix == ".txt" else "c"
        )
    except ValueError as error:
        raise DataError(f"{path}: is no table of numbers with the class first ({error})") from None
    return table.to_numpy()


def _sequence(frames: FloatArray, where: str) -> FloatArray:
    """Return frames (T, d) up to the last one with a value, and without missing values."""
    known = np.isfinite(frames)
    if not known.any(axis=0).all():
        raise DataError(f"{where}: has a channel without a value; remove the sequence")
    places = np.arange(np.flatnonzero(known.any(axis=1))[-1] + 1)
    columns = [np.interp(places, np.flatnonzero(here), x[here]) for x, here in zip(frames.T, known.T, strict=True)]
    return np.stack(columns, axis=1)


def published_in(file: Path) -> pd.DataFrame:
    """Published results, shape (sets, methods), from a table with the columns method, set and ari.

    Raises
    ------
    DataError
        If a column is missing, an index is no number up to 1, or a method names a set twice.
    """
    try:
        table = pd.read_csv(file)
    except (OSError, ValueError) as error:
        raise DataError(f"{file}: cannot be read as a table of published results ({error})") from None
    lacking = [name for name in ("method", "set", "ari") if name not in table]
    if lacking:
        raise DataError(f"{file}: lacks the column {', '.join(lacking)}; expected method, set and ari")
    scores = pd.to_numeric(table["ari"], errors="coerce")
    if not scores.between(-1.0, 1.0).all():
        wrong = int(np.flatnonzero(~scores.between(-1.0, 1.0))[0])
        raise DataError(
            f"{file}, row {wrong + 2}: the ari is {table['ari'].iloc[wrong]!r}, expected a number from -1 to 1"
        )
    twice = table.duplicated(["method", "set"])
    if twice.any():
        row = table[twice].iloc[0]
        raise DataError(f"{file}: {row['method']} has two results of {row['set']}; keep one")
    return table.assign(ari=scores).pivot(index="set", columns="method", values="ari")


def run(
    folder: Path,
    published: Path | None,
    out: Path,
    limits: Limits,
    seed: int = 0,
    say: Callable[[str], None] = print,
) -> Path:
    """Cluster all sets of a folder with the default, and write them next to published results.

    Results of earlier calls are kept: the same call goes on where the budget ended.

    Parameters
    ----------
    folder : Path
        Folder with a folder for each set.
    published : Path, optional
        Table of published results, see :func:`published_in`.
    out : Path
        Folder of ``archive.csv`` and ``archive.md``.
    limits : Limits
        CPU seconds a set, and seconds of the call.
    seed : int
    say : callable
        Gets a line for every run.

    Returns
    -------
    Path
        ``archive.md``.
    """
    others = None if published is None else published_in(published)
    results = list(_outcomes(sets_in(folder), out / "archive", limits, seed, say))
    table = pd.DataFrame(
        [
            {"set": entry.data, "status": entry.status, OURS: entry.ari, "cpu_s": entry.cpu, "why": entry.why}
            for entry in results
        ]
    ).set_index("set")
    if others is not None:
        table = table.join(others)
    out.mkdir(parents=True, exist_ok=True)
    write_text(out / "archive.csv", table.reset_index().to_csv(index=False, float_format="%.4g", lineterminator="\n"))
    methods = [] if others is None else [str(name) for name in others]
    write_text(out / "archive.md", report(table, methods))
    return out / "archive.md"


def _outcomes(
    sets: Sequence[BenchSet], folder: Path, limits: Limits, seed: int, say: Callable[[str], None]
) -> Iterator[Outcome]:
    """Yield one set in memory at a time."""
    contenders, end = named(["kinseq"]), time.monotonic() + limits.budget
    for number, entry in enumerate(sets, start=1):
        left = Limits(limits.each, max(0.0, end - time.monotonic()))

        def counted(line: str, number: int = number) -> None:
            say(f"{number}/{len(sets)} {line}")

        yield from outcomes([(entry, entry.sequences(largest=WHOLE))], contenders, folder, left, seed, counted)


def report(table: pd.DataFrame, methods: Sequence[str]) -> str:
    """Return the table in Markdown: means and differences over the sets that both have, then every set."""
    done = table[OURS].notna()
    lines = ["# The archive at full size", ""]
    lines += [f"{done.sum()} of {len(table)} sets, the true number of clusters given; mean adjusted Rand index"]
    lines += [f"{table[OURS].mean():.3f}, {table['cpu_s'].sum():.0f} s of CPU in all.", ""]
    if methods and done.any():
        lines += [
            "| against | sets | kinseq | published | better / same / worse | p |",
            "| --- | --: | --: | --: | --- | --: |",
        ]
        for found in differences(table[[OURS, *methods]].astype(float), OURS):
            both = table[[OURS, found.other]].dropna()
            counts = f"{found.better} / {found.n - found.better - found.worse} / {found.worse}"
            means = f"{both[OURS].mean():.3f} | {both[found.other].mean():.3f}"
            lines.append(f"| {found.other} | {found.n} | {means} | {counts} | {found.p:.2g} |")
        lines.append("")
    lines += ["| set | " + " | ".join([OURS, *methods, "CPU (s)"]) + " |", "| --- |" + " --: |" * (len(methods) + 2)]
    for name, row in table.iterrows():
        scores = ["" if pd.isna(row[key]) else f"{row[key]:.3f}" for key in (OURS, *methods)]
        seconds = row["status"] if pd.isna(row["cpu_s"]) else f"{row['cpu_s']:.1f}"
        lines.append(f"| {name} | " + " | ".join([*scores, seconds]) + " |")
    return "\n".join(lines) + "\n"
