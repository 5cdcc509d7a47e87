"""Results that the trials of an experiment leave undecided, the reasons, and whether further trials can decide them.

Trials are numbered and seeded by themselves, so that further ones are added to those that are there. How often a cell or claim is
judged again is fixed beforehand (:data:`.looks.LOOKS`), and these looks share one level: judged at the full level after every few
trials, a fifth of true ties would be decided. What its own trials decide keeps its verdict.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .claims import UNDECIDED, cells_behind
from .fidelity import ONE_DRAW, ONE_RUN, PRINT, TOO_FEW, Fidelity
from .looks import LOOKS, NAMES
from .summary import reading_view, records

if TYPE_CHECKING:
    import pandas as pd

MORE_RUNS, NO_SCORES, ONE_SET = "more runs", "no scores", "one set"
FIXED, LAST_LOOK = "trials cannot be added", "undecided after the last look"
"""Causes of undecided results, next to the verdicts of cells that more runs cannot change."""

COLUMNS = ("experiment", "kind", "what", "verdict", "cause", "number", *NAMES, "n", "until", "seconds")
"""Columns of the table of what is undecided. `until` is the next look, empty where no further trial helps; `seconds` are what its
trials are estimated to take."""


def undecided(
    fidelity: Fidelity,
    experiment: Mapping[str, Any],
    scores: pd.DataFrame,
    timings: pd.DataFrame,
    own_trials: int | None,
) -> list[dict[str, Any]]:
    """Return undecided results of one experiment, as rows with :data:`COLUMNS`: one per cell of a table, several per claim.

    `timings` has the columns ``job`` and ``seconds`` of its jobs. `own_trials` is the number of trials of the experiment at the
    scale of the run; None where it has no trials that can be added.
    """
    found = []
    name = str(experiment["id"])
    for cell in records(fidelity.cells):
        if cell["verdict"] not in (TOO_FEW, PRINT, ONE_DRAW, ONE_RUN):
            continue
        printed = cell["published_std"] / cell["published_n"] ** 0.5
        number = f"difference {cell['difference']:+.2f}, standard error {cell['se']:.2f} here"
        number += f", {printed:.2f} in print" if printed == printed else ""
        cause = MORE_RUNS if cell["verdict"] == TOO_FEW else str(cell["verdict"])
        what = ", ".join(str(cell[part]) for part in ("item", "row", "column") if cell[part])
        found.append(
            {
                **{part: cell[part] for part in ("verdict", "n", *NAMES)},
                **{"experiment": name, "kind": "cell", "what": what, "cause": cause, "number": number},
            }
        )
    judged = next(iter(experiment.get("readings", ())), "")
    for claim, row in zip(experiment.get("claims") or (), records(fidelity.claims), strict=True):
        if row["verdict"] != UNDECIDED:
            continue
        cause = NO_SCORES if row["n"] == 0 else ONE_SET if own_trials == 1 else MORE_RUNS
        own = {"experiment": name, "kind": "claim", "what": row["claim"], "verdict": UNDECIDED, "cause": cause}
        own |= {"number": row["numbers"], "n": row["n"]}
        cells = cells_behind(claim, reading_view(scores, judged), str(experiment.get("metric", "error")))
        found += [{**own, **dict(zip(NAMES, names, strict=True))} for names in cells or [("",) * len(NAMES)]]
    rows = []
    for row in found:
        until = next((look for look in LOOKS if look > row["n"]), None)
        if row["cause"] == MORE_RUNS and until is None:
            row["cause"] = LAST_LOOK
        elif row["cause"] == MORE_RUNS and own_trials is None:
            row["cause"] = FIXED
        further = row["cause"] == MORE_RUNS and until is not None
        row["until"] = until if further else ""
        row["seconds"] = round(_seconds(timings, row) * (until - row["n"]), 1) if further and until is not None else ""
        rows.append({column: row[column] for column in COLUMNS})
    return rows


def _seconds(timings: pd.DataFrame, row: Mapping[str, Any]) -> float:
    """Return about how long a trial of a cell takes, by the jobs of its data set that name its model, measure and clusterer.

    A job of several of them counts in equal parts.
    """
    seconds = 0.0
    for job in records(timings):
        _, _, *parts = str(job["job"]).split("/benchmarks/")[-1].split("/")
        if f"/{row['dataset']}/" not in str(job["job"]) or not parts:
            continue
        first, last = (int(number) for number in parts[-1].removeprefix("t").split("-")) if "-" in parts[-1] else (0, 0)
        share = 1.0 / (last - first + 1)
        for part in parts[:-1]:
            names = [each.partition("@")[0] for each in part.split("+")]
            mine = sum(each in (row["model"], row["measure"], row["clusterer"]) for each in names)
            share *= mine / len(names)
        seconds += share * float(job["seconds"])
    return seconds
