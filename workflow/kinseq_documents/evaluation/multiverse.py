"""Agreement of each reading with the printed numbers, the best reading, and its agreement on held-out numbers.

A cell agrees with print if the means differ by no more than 2 points, or twice the standard error of the difference of
two means; strictly, by no more than 2 points.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from kinseq.core.arrays import FloatArray
from kinseq.core.errors import DataError

from .axes import SEPARATOR, Axes, Reading, picked
from .passes import METRICS, NOTHING, Pass

POINTS = 2.0
"""Difference, in points, within which two numbers agree whatever their errors."""
RUNS = 10
"""Printed deviations count as of this many runs at least, as most are."""
CAP = 20.0
"""Differences count as this at most where they are averaged."""

CELL = ("table", "dataset", "model", "measure", "metric", "x")


class Piece(NamedTuple):
    """A pass: of which data, under which levels of the axes that enter the models."""

    dataset: str
    levels: tuple[str, ...]
    passed: Pass


def tolerance(printed_std: FloatArray, n_printed: FloatArray, std: FloatArray, n: FloatArray) -> FloatArray:
    """Return differences within which means agree, in points: :data:`POINTS`, or twice the standard error of the difference.

    `printed_std` is of `n_printed` runs, counted as :data:`RUNS` at least, `std` of our `n`; a deviation that is NaN counts as 0.
    """
    variance = np.nan_to_num(printed_std) ** 2 / np.maximum(RUNS, np.nan_to_num(n_printed))
    own = np.nan_to_num(std) ** 2 / np.maximum(n, 1)
    return np.asarray(np.maximum(POINTS, 2.0 * np.sqrt(variance + own)))


@dataclass(frozen=True)
class Verse:
    """Everything about R readings and C cells.

    Attributes
    ----------
    axes : Axes
    readings : list of tuple
        Levels by axis.
    cells : DataFrame
        One row a cell: :data:`CELL`, ``printed`` and ``printed_std``, ``n_printed``.
    means, deviations : ndarray, shape (R, C)
        Over trials, of the mean over tasks; NaN where nothing was computed.
    trials : ndarray of int, shape (R, C)
        Number of trials.
    """

    axes: Axes
    readings: list[Reading]
    cells: pd.DataFrame
    means: FloatArray
    deviations: FloatArray
    trials: FloatArray

    @property
    def differences(self) -> FloatArray:
        """Absolute differences from print, in points, (R, C)."""
        return np.asarray(np.abs(self.means - self.cells["printed"].to_numpy()))

    @property
    def allowed(self) -> FloatArray:
        """Differences within which cells agree, (R, C)."""
        printed = self.cells["printed_std"].to_numpy(), self.cells["n_printed"].to_numpy()
        return tolerance(*printed, self.deviations, self.trials)

    @property
    def agree(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Which cells agree, (R, C)."""
        return np.asarray(self.differences <= self.allowed + 1e-9)

    @property
    def strict(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Which cells agree within :data:`POINTS`, (R, C)."""
        return np.asarray(self.differences <= POINTS + 1e-9)

    @property
    def tables(self) -> list[str]:
        """Names of the tables, in the order of the cells."""
        return list(dict.fromkeys(self.cells["table"]))

    def index(self, reading: Reading) -> int:
        """Return the row of a reading."""
        return self.readings.index(reading)


def printed_cells(
    published: Mapping[str, pd.DataFrame], tables: Sequence[Mapping[str, Any]], corrected: Sequence[Mapping[str, Any]]
) -> pd.DataFrame:
    """Return cells of the tables that are computed, from the printed numbers by file, those of an erratum as they are corrected.

    A table says ``name``, ``file``, ``items`` (as the file names them), ``parts`` of ``datasets``, ``models``, ``measures`` and
    perhaps ``clusterers`` of items, and perhaps ``printed_as``: data sets by the name under which print is compared. A correction
    says ``erratum``, ``value``, and perhaps ``measures``.
    """

    def meant(row: Mapping[str, Any]) -> float:
        for each in corrected:
            if row["errata"] == each["erratum"] and row["measure"] in each.get("measures", [row["measure"]]):
                return float(each["value"])
        return _number(row["value"])

    rows: list[dict[str, Any]] = []
    for table in tables:
        printed = published[table["file"]]
        printed = printed[printed["item"].isin(table["items"]) & printed["metric"].isin(METRICS)]
        lines: list[dict[str, Any]] = [
            {str(key): value for key, value in each.items()} for each in printed.to_dict("records")
        ]
        for part in table["parts"]:
            for dataset in part["datasets"]:
                name = table.get("printed_as", {}).get(dataset, dataset)
                for row in lines:
                    # What clusters items takes the place of a measure.
                    measure = row["clusterer"] if row["measure"] == NOTHING else row["measure"]
                    if row["dataset"] != name or row["model"] not in (*part["models"], NOTHING):
                        continue
                    if measure not in (*part["measures"], *part.get("clusterers", ())):
                        continue
                    x = "" if np.isnan(_number(row["x"])) else f"{_number(row['x']):g}"
                    cell = (table["name"], dataset, row["model"], measure, row["metric"], x)
                    numbers = {
                        "printed": meant(row),
                        "printed_std": _number(row["std"]),
                        "n_printed": _number(row["n_runs"]),
                    }
                    rows.append({**dict(zip(CELL, cell, strict=True)), **numbers})
    if not rows:
        raise DataError("the tables of the experiment name no printed number; look at items, data sets and measures")
    return pd.DataFrame(rows).drop_duplicates(list(CELL), ignore_index=True)


def _number(value: Any) -> float:
    """Return a printed number; NaN if there is none."""
    return np.nan if value in ("", None) else float(value)


def verse(axes: Axes, cells: pd.DataFrame, pieces: Iterable[Piece]) -> Verse:
    """Look up every cell under every reading."""
    looked_up = _looked_up(axes, pieces)
    readings = axes.readings()
    shape = len(readings), len(cells)
    means, deviations, trials = np.full(shape, np.nan), np.full(shape, np.nan), np.zeros(shape)
    places = [
        [axes.axes.index(axis) for axis in axes.entering(where)]
        for where in ("models", "affinity", "width", "embedding")
    ]
    for c, cell in enumerate(cells.to_dict("records")):
        own = axes.axis_of(cell["measure"])
        # Few axes matter to a cell: a result serves all readings that share their levels.
        seen: dict[tuple[Any, ...], tuple[float, float, int]] = {}
        for r, reading in enumerate(readings):
            levels = tuple(tuple(reading[p] for p in some) for some in places)
            measure = cell["measure"]
            if own is not None:
                measure = f"{measure}{SEPARATOR}{reading[axes.axes.index(own)]}"
            dataset = axes.dataset_under(cell["dataset"], reading)
            key = (dataset, measure, cell["model"], cell["x"], cell["metric"], *levels)
            if key not in seen:
                seen[key] = _summary(looked_up.get(key, {}))
            means[r, c], deviations[r, c], trials[r, c] = seen[key]
    return Verse(axes, readings, cells, means, deviations, trials)


def _looked_up(axes: Axes, pieces: Iterable[Piece]) -> dict[tuple[Any, ...], dict[int, list[float]]]:
    """Return values of the tasks of each trial, by what a cell and a reading name."""
    found: dict[tuple[Any, ...], dict[int, list[float]]] = {}
    for dataset, levels, passed in pieces:
        for m, (measure, model, trial, _, x) in enumerate(passed.names):
            for g, graph in enumerate(passed.graphs):
                for width, rule in axes.rules.items():
                    w = picked(rule, passed.eigenvalues[m, g], axes.widths)
                    if w is None:
                        continue
                    for e, embedding in enumerate(passed.embeddings):
                        for n, metric in enumerate(METRICS):
                            value = float(passed.values[m, g, w, e, n])
                            if not np.isnan(value):
                                key = (dataset, measure, model, x, metric, levels, graph, width, embedding)
                                found.setdefault(key, {}).setdefault(trial, []).append(value)
    return found


def _summary(by_trial: Mapping[int, Sequence[float]]) -> tuple[float, float, int]:
    """Mean, deviation and number of trials."""
    if not by_trial:
        return np.nan, np.nan, 0
    values = [float(np.mean(values)) for _, values in sorted(by_trial.items())]
    return float(np.mean(values)), float(np.std(values, ddof=1)) if len(values) > 1 else 0.0, len(values)


def table_of_readings(found: Verse) -> pd.DataFrame:
    """One row a reading, by falling agreement: its levels, ``agree``, ``strict``, ``judged``, median difference, by table."""
    names = [axis.name for axis in found.axes.axes]
    table = pd.DataFrame(found.readings, columns=names)
    judged = ~np.isnan(found.means)
    differences = found.differences
    table["agree"], table["strict"] = found.agree.sum(axis=1), found.strict.sum(axis=1)
    table["judged"] = judged.sum(axis=1)
    table["median_difference"] = _median(differences)
    table["mean_difference"] = _mean(np.minimum(differences, CAP))
    for name in found.tables:
        here = (found.cells["table"] == name).to_numpy()
        table[f"agree, {name}"] = found.agree[:, here].sum(axis=1)
    return table.sort_values(["agree", "mean_difference"], ascending=[False, True], kind="stable", ignore_index=True)


def _median(values: FloatArray) -> FloatArray:
    return np.array([float(np.median(row[~np.isnan(row)])) if (~np.isnan(row)).any() else np.nan for row in values])


def _mean(values: FloatArray) -> FloatArray:
    known = ~np.isnan(values)
    return np.asarray(np.where(known, values, 0.0).sum(axis=1) / np.maximum(known.sum(axis=1), 1))


def best(found: Verse, cells: np.ndarray[Any, np.dtype[np.bool_]] | None = None) -> int:
    """Row of the reading that most of some cells agree with; of equals, the one with the least capped mean difference."""
    some = np.ones(len(found.cells), dtype=bool) if cells is None else cells
    agree = found.agree[:, some].sum(axis=1)
    differences = _mean(np.minimum(found.differences[:, some], CAP))
    return int(np.lexsort((differences, -agree))[0])


def held_out(found: Verse) -> pd.DataFrame:
    """Return each table under the reading that is best on all others: one row per table, or a measure if there is one table only.

    ``agree`` of ``judged``; ``best``: of its own best reading; ``median``: of the middle one; and the levels chosen.
    """
    rows = []
    units = found.cells["table"] if len(found.tables) > 1 else found.cells["measure"]
    for name in dict.fromkeys(units):
        here = (units == name).to_numpy()
        chosen = best(found, ~here)
        counts = found.agree[:, here].sum(axis=1)
        levels = dict(zip((axis.name for axis in found.axes.axes), found.readings[chosen], strict=True))
        rows.append(
            {
                "table": name,
                "agree": int(counts[chosen]),
                "judged": int((~np.isnan(found.means[chosen, here])).sum()),
                "best": int(counts.max()),
                "median": float(np.median(counts)),
                **levels,
            }
        )
    return pd.DataFrame(rows)


def effects(found: Verse) -> pd.DataFrame:
    """Return each level of each axis: agreement of its best and of its middle reading, and of the best one with it put in place.

    ``changed`` is the agreement of the best reading of all if only this axis is set to the level.
    """
    counts = found.agree.sum(axis=1)
    top = found.readings[best(found)]
    rows = []
    for place, axis in enumerate(found.axes.axes):
        for level, entry in axis.levels.items():
            having = np.array([reading[place] == level for reading in found.readings])
            changed = found.index((*top[:place], level, *top[place + 1 :]))
            rows.append(
                {
                    "axis": axis.name,
                    "level": level,
                    "label": str(entry.get("label", level)),
                    "printed": level == axis.printed,
                    "best": int(counts[having].max()),
                    "median": float(np.median(counts[having])),
                    "changed": int(counts[changed]),
                }
            )
    return pd.DataFrame(rows)


def table_of_cells(found: Verse, marked: Mapping[str, Reading]) -> pd.DataFrame:
    """Return one row per cell: print, the readings that agree, the range of all, each marked reading, and single changes that help.

    ``changes`` are levels that, put into the best reading by themselves, bring a cell to print that does not agree.
    """
    table = found.cells.copy()
    agree, means = found.agree, found.means
    table["readings_agree"], table["readings"] = agree.sum(axis=0), (~np.isnan(means)).sum(axis=0)
    known = np.asarray(~np.isnan(means).all(axis=0))
    for name, function in (("least", np.nanmin), ("most", np.nanmax)):
        table[name] = [float(function(means[:, c])) if known[c] else np.nan for c in range(len(table))]
    top = best(found)
    for name, reading in {**marked, "best": found.readings[top]}.items():
        r = found.index(reading)
        table[name], table[f"{name}_std"] = means[r], found.deviations[r]
        table[f"{name}_trials"] = found.trials[r].astype(int)
        table[f"{name}_agrees"] = agree[r, :]
    changes = []
    for c in range(len(table)):
        helping = []
        for place, axis in enumerate(found.axes.axes):
            for level in axis.levels:
                other = (*found.readings[top][:place], level, *found.readings[top][place + 1 :])
                r = found.index(other)
                if not agree[top, c] and agree[r, c]:
                    helping.append(f"{axis.name}={level} ({means[r, c]:.1f})")
        changes.append("; ".join(helping))
    table["changes"] = changes
    return table
