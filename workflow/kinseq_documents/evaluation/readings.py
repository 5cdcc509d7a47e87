"""Other readings of what print leaves open, which an experiment computes beside its printed cells, and how near print they come."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from .fidelity import BETTER, CLOSE, DIFFERENT, REPRODUCED, WORSE, verdict
from .summary import CELL, records, summarise

VARIED = ("model", "measure", "clusterer")
"""Columns in which a reading may differ."""


def readings(
    cells: pd.DataFrame,
    scores: pd.DataFrame,
    families: Mapping[str, Mapping[str, str]],
    labels: Mapping[str, str] | None = None,
) -> list[str]:
    """For each compared cell that is better or worse, the reading that comes nearest to print, if it reproduces it or is close.

    `cells` and `scores` are those of :func:`kinseq_documents.evaluation.fidelity.compare`. `families` maps for each of
    :data:`VARIED` an id to what it is a reading of: variants of one measure share a family, and so do presets of one model. What
    is printed itself is no reading of another cell. Gives a sentence for each cell, empty where there is none.
    """
    if not cells["verdict"].isin((BETTER, WORSE, DIFFERENT)).any():
        return [""] * len(cells)
    words = dict(labels or {})
    printed = {tuple(row[name] for name in VARIED) for row in records(cells)}
    rows = [row for row in records(summarise(scores)) if tuple(row[name] for name in VARIED) not in printed]
    places: dict[tuple[str, ...], list[dict[str, object]]] = {}
    for row in rows:
        places.setdefault(_place(row, families), []).append(row)
    return [_nearest(cell, places.get(_place(cell, families), []), words) for cell in records(cells)]


def _place(row: Mapping[str, object], families: Mapping[str, Mapping[str, str]]) -> tuple[str, ...]:
    """What readings of one cell share; a missing position on the axis is that of others that miss it."""
    own = [str(row[name]) for name in CELL if name not in VARIED]
    return (*own, *(families.get(name, {}).get(str(row[name]), str(row[name])) for name in VARIED))


def _nearest(cell: Mapping[str, object], rows: list[dict[str, object]], words: Mapping[str, str]) -> str:
    if cell["verdict"] not in (BETTER, WORSE, DIFFERENT):
        return ""
    published, metric = float(str(cell["published"])), str(cell["metric"])
    near = []
    for row in rows:
        mean, se, n = float(str(row["mean"])), float(str(row["se"])), int(str(row["n"]))
        judged = verdict(published, float("nan"), mean, se, n, metric)
        if judged in (REPRODUCED, CLOSE):
            changed = [words.get(str(row[name]), str(row[name])) for name in VARIED if row[name] != cell[name]]
            near.append((abs(mean - published), f"{', '.join(changed)}: {mean:.4g} ({judged})"))
    return f"another reading, {min(near)[1]}" if near else ""
