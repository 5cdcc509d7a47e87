"""Write sequences to files that users and kinseq can read."""

from __future__ import annotations

import csv
from pathlib import Path

from ..core.errors import DataError
from ..core.folders import LABELS_FILE, is_clutter
from ..core.sequences import SequenceSet
from ..core.store import PathLike, replacing, shielded


def write_folder(folder: PathLike, sequences: SequenceSet) -> None:
    """Write a folder of CSV files, one per sequence, and its labels; :func:`kinseq.read` reads it.

    Parameters
    ----------
    folder : path-like
        Made if need be.
    sequences : SequenceSet
        Ids become file names with ``.csv``; labels and groups go to ``labels.csv``.

    Raises
    ------
    DataError
        If an id is no name of a file that the reader would read; nothing is written then.
    """
    _check(sequences.ids.tolist())
    root = Path(folder)
    root.mkdir(parents=True, exist_ok=True)
    header = [f"x{j}" for j in range(sequences.n_features)]
    names = [f"{name}.csv" for name in sequences.ids.tolist()]
    for name, frames in zip(names, sequences, strict=True):
        _write(root / name, header, [[repr(value) for value in row] for row in frames.tolist()])
    if sequences.labels is not None:
        columns = ["id", "label"] + (["group"] if sequences.groups is not None else [])
        rows = [
            [shielded(name), shielded(str(label))] for name, label in zip(names, sequences.labels.tolist(), strict=True)
        ]
        if sequences.groups is not None:
            rows = [[*row, shielded(str(group))] for row, group in zip(rows, sequences.groups.tolist(), strict=True)]
        _write(root / LABELS_FILE, columns, rows)


def _check(ids: list[str]) -> None:
    folded: dict[str, str] = {}
    for name in ids:
        parts = name.split("/")
        problem = ""
        if "" in parts or ".." in parts or "\0" in name:
            problem = "leaves the folder"
        elif name.casefold() == Path(LABELS_FILE).stem:
            problem = "is the name of the labels file"
        elif any(is_clutter(part) for part in parts):
            problem = "is hidden, so that it would not be read"
        elif name.casefold() in folded:
            raise DataError(
                f"ids {name!r} and {folded[name.casefold()]!r} differ in case alone, which not all file systems tell"
                " apart; rename one"
            )
        if problem:
            raise DataError(f"id {name!r} is to be the name of a file but {problem}; rename the sequence")
        folded[name.casefold()] = name


def _write(path: Path, header: list[str], rows: list[list[str]]) -> None:
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)
