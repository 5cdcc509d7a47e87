"""Other readings of open choices in print, computed in addition to the printed cells, and their distance from print."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from .fidelity import BETTER, CLOSE, DIFFERENT, MIN_RUNS, REPRODUCED, WORSE, verdict
from .summary import CELL, records, summarise

VARIED = ("model", "measure", "clusterer", "reading")
"""Columns in which a reading may differ."""


@dataclass(frozen=True)
class Tried:
    """Other readings of a cell that is not reproduced: how many there are, and a sentence on the nearest to print.

    The sentence is empty if none reproduces the printed number or is close.
    """

    number: int = 0
    nearest: str = ""


def readings(
    cells: pd.DataFrame,
    scores: pd.DataFrame,
    families: Mapping[str, Mapping[str, str]],
    labels: Mapping[str, str] | None = None,
) -> list[Tried]:
    """For each compared cell that is better or worse, the other readings with at least :data:`MIN_RUNS` trials.

    `cells` and `scores` are those of :func:`kinseq_documents.evaluation.fidelity.compare`. `families` maps for each of
    :data:`VARIED` an id to what it is a reading of: variants of one measure share a family, settings of one model, and
    readings that
    are changes of one. Next to a cell that is judged under a reading, single changes of that count: a change of the reading,
    or another
    model, measure or clusterer of the family under the same reading. What is printed itself is no reading of another cell.
    """
    if not cells["verdict"].isin((BETTER, WORSE, DIFFERENT)).any():
        return [Tried()] * len(cells)
    words = dict(labels or {})
    printed = {tuple(row[name] for name in VARIED) for row in records(cells)}
    rows = [row for row in records(summarise(scores)) if tuple(row[name] for name in VARIED) not in printed]
    places: dict[tuple[str, ...], list[dict[str, object]]] = {}
    for row in rows:
        places.setdefault(_place(row, families), []).append(row)
    return [_tried(cell, places.get(_place(cell, families), []), words) for cell in records(cells)]


def _place(row: Mapping[str, object], families: Mapping[str, Mapping[str, str]]) -> tuple[str, ...]:
    """Return what readings of one cell share; a missing position on the axis is that of others that miss it."""
    own = [str(row[name]) for name in CELL if name not in VARIED]
    return (*own, *(families.get(name, {}).get(str(row[name]), str(row[name])) for name in VARIED))


def _tried(cell: Mapping[str, object], rows: list[dict[str, object]], words: Mapping[str, str]) -> Tried:
    if cell["verdict"] not in (BETTER, WORSE, DIFFERENT):
        return Tried()
    published, metric, number = float(str(cell["published"])), str(cell["metric"]), 0
    near = []
    for row in rows:
        differs = [name for name in VARIED if row[name] != cell[name]]
        mean, se, n = float(str(row["mean"])), float(str(row["se"])), int(str(row["n"]))
        if n < MIN_RUNS or ("reading" in differs and len(differs) > 1):
            continue
        number += 1
        judged = verdict(published, float("nan"), mean, se, n, metric)
        if judged in (REPRODUCED, CLOSE):
            changed = [words.get(str(row[name]), str(row[name])) for name in differs]
            near.append((abs(mean - published), f"{', '.join(changed)}: {mean:.4g} ({judged})"))
    kind = "a single change" if cell["reading"] else "another reading"
    return Tried(number, f"{kind}, {min(near)[1]}" if near else "")
