"""Tables next to the page on a user's data."""

from __future__ import annotations

import csv
import io
import math
import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat
from pathlib import Path
from typing import Any

from ..analysis.partition import numbered
from ..core.arrays import FloatArray
from ..core.cutting import columns_of_pieces
from ..core.errors import ParameterError
from ..core.store import PathLike, replacing, shielded

PAGE, PARTITION = "index.html", "partition.csv"
"""Names of the page in a folder, and of the table of sequences next to it."""

N_NEIGHBOURS = 3
"""Number of nearest sequences of each one in the table."""


def page_at(path: PathLike) -> Path:
    """Return the path of a page: in a folder, or an ``.html`` file.

    Raises
    ------
    ParameterError
        If `path` is empty or no path, or if another page is there, whose tables would be overwritten.
    """
    if not isinstance(path, (str, os.PathLike)) or not str(path).strip():
        raise ParameterError(f"path is {path!r}, expected a folder or an .html file")
    target = Path(path)
    page = target if target.suffix.lower() in (".html", ".htm") else target / PAGE
    if not page.exists() and (page.parent / PARTITION).exists():
        others = sorted(other.name for other in page.parent.glob("*.htm*"))
        if others:
            raise ParameterError(
                f"{page.parent}: {others[0]} is there with its tables, which {page.name} would overwrite; write the page into"
                " another folder"
            )
    return page


def write_partition(path: PathLike, result: Any, whole: Any = None) -> None:
    """Write the partition of a clustering as CSV: one row per sequence, with its neighbours.

    Of a sample of `whole`, all sequences have a row, which says whether they were sampled or assigned. What follows from
    dissimilarities is known of the sampled ones only.
    """
    header, rows = _rows(result)
    every: Iterable[list[Any]] = rows
    if whole is not None:
        header, every = [*header[:2], "how", *header[2:]], _rows_of_all(header, rows, whole)
    of_pieces = columns_of_pieces(result.sequences if whole is None else whole.sequences)
    header = [*header[:2], *of_pieces, *header[2:]]
    places = zip(*of_pieces.values(), strict=True) if of_pieces else repeat(())
    every = ([*row[:2], *map(shielded, place), *row[2:]] for row, place in zip(every, places, strict=False))
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(every)


def _rows(result: Any) -> tuple[list[str], list[list[Any]]]:
    near = result.details.neighbours(N_NEIGHBOURS)
    medoids = {int(result.details.typical(k)[0]) for k in range(result.n_clusters)}
    ids, labels = [shielded(name) for name in result.sequences.ids.tolist()], result.sequences.labels
    near_by = [f"neighbour_{j + 1}" for j in range(near.shape[1])]
    header = ["id", "cluster", "silhouette", "membership", "typical", *near_by]
    header += [f"cluster_{view.measure.name}" for view in result.views[1:]]
    header += ["label"] if labels is not None else []
    rows, clusters = [], [numbered(labels) for labels in result._partitions.values()]
    for i, name in enumerate(ids):
        cells = [
            "" if math.isnan(value[i]) else f"{value[i]:.4f}" for value in (result.silhouettes, result.membership_)
        ]
        row = [name, int(clusters[0][i]), *cells, "yes" if i in medoids else ""]
        row += [ids[j] for j in near[i]] + [int(own[i]) for own in clusters[1:]]
        rows.append(row + ([shielded(str(labels[i]))] if labels is not None else []))
    return header, rows


def _rows_of_all(header: list[str], rows: list[list[Any]], whole: Any) -> Iterator[list[Any]]:
    """Yield rows of a sample among those of all sequences."""
    sampled, labels = dict(zip(whole.sample_positions.tolist(), rows, strict=True)), whole.sequences.labels
    blank = [""] * (len(header) - 2 - (labels is not None))
    for i, name in enumerate(whole.sequences.ids):
        if i in sampled:
            yield [*sampled[i][:2], "sampled", *sampled[i][2:]]
        else:
            row = [shielded(str(name)), int(numbered(whole.labels[i])), "assigned", *blank]
            yield row + ([shielded(str(labels[i]))] if labels is not None else [])


def explanation_csv(explanation: Any) -> str:
    """Return the statements on clusters as CSV, one row per statement, with missing numbers empty."""
    rows = [[_cell(value) for value in row] for row in explanation.itertuples(index=False)]
    return csv_text(list(explanation.columns), rows)


def _cell(value: Any) -> Any:
    if isinstance(value, float):
        return "" if math.isnan(value) else f"{value:.6g}"
    return shielded(value) if isinstance(value, str) else value


def write_matrix(path: PathLike, ids: Sequence[str], matrix: FloatArray) -> None:
    """Write a square matrix as CSV with ids as header and first column, six significant digits."""
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        names = [shielded(name) for name in ids]
        writer.writerow(["id", *names])
        for name, row in zip(names, matrix, strict=True):
            writer.writerow([name, *(f"{value:.6g}" for value in row.tolist())])


def csv_text(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Return a table as CSV."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return out.getvalue()
