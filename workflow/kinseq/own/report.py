"""The page on a clustering and the files beside it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..evaluation.pictures import block_order, maps, sample_items, tree
from ..store import PathLike, replacing_files, write_arrays, write_text
from . import limits
from .cautions import cautions
from .result import Result

if TYPE_CHECKING:
    from ..render.own.content import Content


def write_report(result: Result, path: PathLike, also: Mapping[str, str] | None = None) -> Path:
    """Write the page, the distance matrix and the partition; see :meth:`~kinseq.own.analysis.Analysis.report`.

    Texts `also` are written beside them, by the names of their files.
    """
    from ..render.own.files import partition_csv, write_matrix
    from ..render.own.page import write

    target = Path(path)
    page = target if target.suffix.lower() in (".html", ".htm") else target / "index.html"
    shown, ids = content_of(result), result.sequences.ids
    # All or nothing: a page beside the tables of another analysis would be worse than none.
    with replacing_files(page.parent) as folder:
        write_text(folder / "partition.csv", partition_csv(result))
        write_arrays(
            folder / "distance.npz",
            {**{view.measure.name: view.distance for view in result.views}, "ids": ids, "labels": result.labels},
            {"measures": [view.measure.name for view in result.views], "seed": result.seed},
        )
        write_matrix(folder / "distance.csv", ids.tolist(), result.distance)
        write(shown, folder / page.name)
        for name, text in (also or {}).items():
            write_text(folder / name, text)
    return page


def content_of(result: Result) -> Content:
    """What page and pictures show of a clustering: of many sequences, some."""
    from ..render.own.content import Content

    shown = sample_items(result.labels, limits.MANY, result.seed)
    square = result.distance[np.ix_(shown, shown)]
    grown = tree(square)
    return Content(
        result=result,
        warnings=tuple(cautions(result)),
        shown=shown,
        tree=grown,
        order=np.arange(shown.size) if grown is None else block_order(result.labels[shown], grown.leaves),
        maps=maps(square, result.seed),
    )
