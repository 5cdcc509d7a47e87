"""Tables that lie beside the page on a user's own data."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Any

from ...arrays import FloatArray
from ...store import PathLike, replacing


def partition_csv(result: Any) -> str:
    """The partition of a clustering as CSV: one row a sequence, with its neighbours."""
    near = result.neighbours(3)
    medoids = {int(result.typical(k)[0]) for k in range(result.n_clusters)}
    ids, labels = result.sequences.ids.tolist(), result.sequences.labels
    header = ["id", "cluster", "silhouette", "typical", *(f"neighbour_{j + 1}" for j in range(near.shape[1]))]
    header += [f"cluster_{view.measure.name}" for view in result.views[1:]]
    header += ["label"] if labels is not None else []
    rows = []
    for i, name in enumerate(ids):
        row = [name, int(result.labels[i]) + 1, f"{result.silhouettes[i]:.4f}", "yes" if i in medoids else ""]
        row += [ids[j] for j in near[i]] + [int(view.labels[i]) + 1 for view in result.views[1:]]
        rows.append(row + ([str(labels[i])] if labels is not None else []))
    return _csv_text(header, rows)


def write_matrix(path: PathLike, ids: Sequence[str], matrix: FloatArray) -> None:
    """Write a square matrix as CSV with ids as header and first column, six significant digits."""
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(["id", *ids])
        for name, row in zip(ids, matrix, strict=True):
            writer.writerow([name, *(f"{value:.6g}" for value in row.tolist())])


def _csv_text(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return out.getvalue()
