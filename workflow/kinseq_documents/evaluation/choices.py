"""How a reading was chosen: among how many, and with how many cells it agrees where it was chosen on others.

A multiverse that says ``decides`` gives one row for the reading that it names, of the tables that it left in the results.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from kinseq.core.errors import DataError

COLUMNS = (
    *("reading", "among", "held_out", "held_out_of", "folds", "folds_alike", "agree", "judged", "best", "print"),
    *("contradicts", "trials", "experiment", "commit"),
)
"""Reading; readings that were compared; cells that agree held out, and of how many; tables that were held out, and how many of
these choices were this reading; cells that agree with the reading itself, and of how many; that agree with the best reading, and
with print's own words; axes on which the reading contradicts these, separated by semicolons; least number of runs of a cell under
the reading itself; the multiverse, and the commit that it was made with."""

TABLES = ("readings", "cells", "held_out")
"""Tables of a multiverse that say it."""


def chosen(experiments: Iterable[Mapping[str, Any]], results: Path, commit: str) -> pd.DataFrame:
    """Return one row per reading that some multiverse decides on: of those in the `results`, the multiverse with most readings.

    Columns are :data:`COLUMNS`; no row where nothing is there.

    Raises
    ------
    DataError
        If the tables of a multiverse are of other axes than the configuration has now, or cannot be read.
    """
    rows: dict[str, dict[str, Any]] = {}
    for one in experiments:
        folder = results / "multiverse" / str(one["id"])
        if "decides" not in one or not (folder / "held_out.csv").is_file():
            continue
        row = _row(one, folder) | {"commit": commit}
        before = rows.get(row["reading"])
        if before is None or row["among"] > before["among"]:
            rows[row["reading"]] = row
    return pd.DataFrame(list(rows.values()), columns=list(COLUMNS))


def _row(one: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    name, levels = str(one["decides"]), dict(one["readings"][one["decides"]])
    try:
        tables = {table: pd.read_csv(folder / f"{table}.csv") for table in TABLES}
        readings, cells, held = tables["readings"], tables["cells"], tables["held_out"]
        own = readings[(readings[list(levels)].astype(str) == pd.Series(levels)).all(axis=1)]
        among = math.prod(len(axis["levels"]) for axis in one["axes"])
        if len(readings) != among or len(own) != 1:
            raise DataError(
                f"{folder}: has {len(readings)} readings, the experiment {among}; its axes were changed, so run it again"
            )
        runs = cells.loc[cells[f"{name}_trials"] > 0, f"{name}_trials"]
        return {
            "reading": name,
            "among": among,
            "held_out": int(held["agree"].sum()),
            "held_out_of": int(held["judged"].sum()),
            "folds": len(held),
            "folds_alike": int((held[list(levels)].astype(str) == pd.Series(levels)).all(axis=1).sum()),
            "agree": int(own["agree"].iloc[0]),
            "judged": int(own["judged"].iloc[0]),
            "best": int(readings["agree"].max()),
            "print": int(cells["print_agrees"].sum()),
            "contradicts": "; ".join(
                str(axis["label"])
                for axis in one["axes"]
                if "printed" in axis and axis["printed"] != levels[str(axis["name"])]
            ),
            "trials": int(runs.min()) if len(runs) else 0,
            "experiment": str(one["id"]),
        }
    except (KeyError, ValueError, OSError) as error:
        raise DataError(f"{folder}: cannot be read ({error}); run the multiverse again") from None


def kept(new: pd.DataFrame, before: pd.DataFrame) -> pd.DataFrame:
    """Return the new rows, and those of other readings as they were."""
    others = before[~before["reading"].isin(new["reading"])]
    return pd.concat([others, new], ignore_index=True) if len(others) else new
