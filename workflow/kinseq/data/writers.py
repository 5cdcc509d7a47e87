"""Sequences out to files that users' own readers take back."""

from __future__ import annotations

import csv
from pathlib import Path

from ..sequences import SequenceSet
from ..store import PathLike, replacing


def write_folder(folder: PathLike, sequences: SequenceSet) -> None:
    """Write a folder of CSV files, one a sequence, and its labels; :func:`kinseq.data.readers.read_folder` reads it.

    Parameters
    ----------
    folder : path-like
        Made if need be.
    sequences : SequenceSet
        Ids become file names with ``.csv``; labels and groups go to ``labels.csv``.
    """
    root = Path(folder)
    root.mkdir(parents=True, exist_ok=True)
    header = [f"x{j}" for j in range(sequences.n_features)]
    names = [f"{name}.csv" for name in sequences.ids.tolist()]
    for name, frames in zip(names, sequences, strict=True):
        _write(root / name, header, [[repr(value) for value in row] for row in frames.tolist()])
    if sequences.labels is not None:
        columns = ["id", "label"] + (["group"] if sequences.groups is not None else [])
        rows = [[name, str(label)] for name, label in zip(names, sequences.labels.tolist(), strict=True)]
        if sequences.groups is not None:
            rows = [[*row, str(group)] for row, group in zip(rows, sequences.groups.tolist(), strict=True)]
        _write(root / "labels.csv", columns, rows)


def _write(path: Path, header: list[str], rows: list[list[str]]) -> None:
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)
