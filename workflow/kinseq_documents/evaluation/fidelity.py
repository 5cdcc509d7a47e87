"""How close regenerated numbers come to printed ones: cell by cell, table by table, claim by claim.

Verdict of a cell, in this order:

``not available``
    Nothing was computed for it (the data cannot be had, the experiment leaves it out, or it is no number to compare).
``too few runs``
    Fewer than 5 trials, or a standard error above the largest one of the metric: nothing can be said yet. Also a difference
    that is within the first tolerance or 2 combined standard errors where the combined one lies above that tolerance: the runs,
    here or in print, cannot tell an equal number from another, whether they happen to agree or not.
``equal``
    The same, but the 90 % interval of the difference lies within the largest standard error of the metric on either side (2 points
    of an error): the runs cannot tell a difference of one point from none, and show that there is none of two.
``print uncertain``
    The same where the printed standard error alone covers the difference and lies above the first tolerance: no number of runs
    here could decide it.
``one draw``
    The same with the deviation between draws of the data as a part of the combined standard error, where the data, here or
    in print, are one draw of many: another draw would have come out elsewhere. Also where this deviation and the printed error
    cover the difference whatever the number of runs.
``one run``
    The same with the deviation of a single run here, where print gives a single run (``n_runs`` is 1 and no deviation is
    printed): another run would have come out elsewhere.
``reproduced``
    The difference is within the first tolerance of the metric, or at most 2 combined standard errors. The printed mean's
    own standard error takes part where deviation and number of runs are printed.
``better``, ``worse``
    Beyond the second tolerance of the metric, to the good or to the bad side. A metric without a good side (a share of
    models kept) is ``different`` instead.
``close``
    What lies between.

Of a cell that was given further trials (:mod:`kinseq_documents.evaluation.settling`) intervals are wider, since several looks share
their level.

Tolerances belong to the metric and are in its unit (:mod:`kinseq.metrics.registry`); printed numbers are converted to
that unit before anything is compared. The second one is at most half of the printed number, unless the first one is more: 0.47
is not close to 2.66, though it is within five points.

A cell of print that is no result of the document has another standing and joins no count: ``formula`` is computed from a
formula that print gives (``agrees`` or ``differs``), ``cited`` is a number of somebody else. A known misprint is compared as it is
meant.

The first reading that an experiment is shown under stands for the printed cell. The others get a verdict of their own next to
it. Where an experiment says that its data are one draw of many (``spreads``), the deviation between draws is a part of the
combined standard error, and a difference that only this covers is ``one draw``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import norm

from kinseq.core.arrays import FloatArray
from kinseq.core.errors import ConfigError, DataError, KinseqError, unknown_name
from kinseq.metrics import registry

from .claims import evaluate
from .looks import LOOKS, has_further
from .summary import CELL, Selection, reading_view, records, select, summarise

REPRODUCED, CLOSE, BETTER, WORSE = "reproduced", "close", "better", "worse"
TOO_FEW, NOT_AVAILABLE, DIFFERENT, ONE_RUN = "too few runs", "not available", "different", "one run"
EQUAL, ONE_DRAW, PRINT = "equal", "one draw", "print uncertain"
VERDICTS = (REPRODUCED, EQUAL, CLOSE, BETTER, WORSE, DIFFERENT, ONE_RUN, ONE_DRAW, PRINT, TOO_FEW, NOT_AVAILABLE)

AGREES, DIFFERS, CITED = "agrees", "differs", "cited"
"""Verdicts of cells that are no printed results, which no count has."""
FORMULA = "formula"
"""Standing of cells that are computed from a formula in print."""

MIN_RUNS = 5
LARGEST_SHARE = 0.5
"""Part of the printed number that a difference may have to be close, at most."""

NO_NUMBER = "text"
"""Unit of printed cells that are not compared: formulas and words, times of other machines, numbers that nothing computes."""

PUBLISHED_COLUMNS = (
    "document",
    "item",
    "row",
    "column",
    "dataset",
    "model",
    "measure",
    "clusterer",
    "metric",
    "value",
    "std",
    "n_runs",
    "unit",
    "place",
    "errata",
    "note",
    "x",
)
"""Columns of published numbers. `value` and `std` stand as printed; `x` is empty but in tables with an axis."""
OPTIONAL_COLUMNS = ("standing", "meant")
"""Columns that a table may have: `standing` is ``formula`` or ``cited`` where the cell is no result of the document, `meant` is the
number where `value` is a known misprint."""


def read_published(path: Any) -> pd.DataFrame:
    """Read published numbers as text, exactly as they were printed, in units that their metrics can have."""
    try:
        published = pd.read_csv(path, dtype=str, keep_default_na=False)
    except FileNotFoundError as error:
        raise DataError(f"{path}: no such file; add the published numbers of the experiment there") from error
    except (pd.errors.ParserError, pd.errors.EmptyDataError, UnicodeDecodeError) as error:
        raise DataError(
            f"{path}: is not a table of published numbers ({error}); compare it with another one"
        ) from error
    missing = [column for column in PUBLISHED_COLUMNS if column not in published.columns]
    if missing:
        raise DataError(f"{path}: lacks the column {missing[0]!r}; the columns are {', '.join(PUBLISHED_COLUMNS)}")
    published = published.reindex(columns=list(dict.fromkeys([*published.columns, *OPTIONAL_COLUMNS])), fill_value="")
    for standing in set(published["standing"]) - {"", FORMULA, CITED}:
        raise DataError(f"{path}: {unknown_name('standing', standing, (FORMULA, CITED))}")
    _factors(published, str(path))
    return published


def _factors(published: pd.DataFrame, where: str) -> FloatArray:
    """Return what each printed number is multiplied with to be in the unit of its metric; NaN where there is not a number."""
    factors = np.full(len(published), np.nan)
    for (metric, unit), rows in published.reset_index(drop=True).groupby(["metric", "unit"], sort=False):
        if unit == NO_NUMBER:
            continue
        place = f"{where}, line {int(rows.index[0]) + 2}"
        if not registry.is_known(str(metric)):
            raise ConfigError(f"{place}: {unknown_name('metric', metric, registry.names())}")
        try:
            factors[rows.index] = registry.describe(str(metric)).factor(str(unit))
        except KinseqError as error:
            raise ConfigError(f"{place}: {error}; {NO_NUMBER} for cells that hold no number") from error
    return factors


def _compared_as(printed: str, metric: str) -> str:
    """Metric that a printed one is compared as: errors stand for accuracies, unless accuracies are shown."""
    if printed == metric:
        return metric
    description = registry.describe(metric)
    return metric if description.complement == printed else registry.describe(printed).complement or printed


def to_common_scale(published: pd.DataFrame, metric: str = "error") -> pd.DataFrame:
    """Bring printed numbers to the units of their metrics, and a metric to the complement that is shown instead.

    `metric` is the one that the experiment shows: accuracies become errors, unless accuracies are shown; then errors
    become accuracies. Gives the rows that hold numbers, with the columns ``printed`` (value as printed),
    ``printed_metric``, ``metric`` (that it is compared as) and, as floats in the unit of that metric, ``published``,
    ``published_std``; further ``published_n`` and ``x``.
    """
    missing = [column for column in PUBLISHED_COLUMNS if column not in published.columns]
    if missing:
        raise DataError(
            f"published numbers: lack the column {missing[0]!r}; the columns are {', '.join(PUBLISHED_COLUMNS)}"
        )
    cells = published.reindex(columns=list(dict.fromkeys([*published.columns, *OPTIONAL_COLUMNS])), fill_value="")
    cells = cells.astype(dict.fromkeys(("value", "std", "n_runs", "x"), str))
    numbers = {
        new: pd.to_numeric(cells[old].replace("nan", ""), errors="coerce").to_numpy(dtype=np.float64)
        for old, new in (("value", "published"), ("std", "published_std"), ("n_runs", "published_n"), ("x", "x"))
    }
    factors = _factors(cells, "published numbers")
    meant = pd.to_numeric(cells["meant"].replace("nan", ""), errors="coerce").to_numpy(dtype=np.float64)
    value = np.where(np.isfinite(meant), meant, numbers["published"]) * factors
    cells["printed"] = cells["value"]
    cells["printed_metric"] = cells["metric"]
    # A few decimals are printed; rounding keeps 100 - 66.67 from becoming 33.33000000000000x.
    cells["published"] = np.round(value, 9)
    cells["published_std"] = np.round(numbers["published_std"] * factors, 9)
    cells["published_n"] = numbers["published_n"]
    cells["x"] = numbers["x"]
    cells = cells[np.isfinite(value)].reset_index(drop=True)
    for printed in cells["printed_metric"].unique():
        target = _compared_as(str(printed), metric)
        if target != printed:
            rows = cells["printed_metric"] == printed
            top = registry.describe(target).most
            assert top is not None
            cells.loc[rows, "published"] = np.round(top - cells.loc[rows, "published"], 9)
            cells.loc[rows, "metric"] = target
    return cells


def verdict(
    published: float,
    published_se: float,
    mean: float,
    se: float,
    n: int,
    metric: str = "error",
    one_run: bool = False,
    spread: float = 0.0,
    looks: int = 1,
) -> str:
    """Verdict of one cell, by the rules of the module: the tolerances of the metric, and which side is its good one.

    Means and standard errors are in the unit of the metric; a printed standard error of NaN counts as 0. `n` trials are
    behind `mean`, 0 if there is nothing; `one_run` says that a single run is behind the printed number. `spread` is the
    deviation between draws of the data, where they are one draw of many. `looks` verdicts share one level.
    """
    judged = registry.describe(metric)
    if n == 0 or not np.isfinite(mean):
        return NOT_AVAILABLE
    reproduced, close, largest = (judged.tolerance(within, published) for within in judged.tolerances)
    if n < MIN_RUNS or not se <= largest:
        return TOO_FEW
    # Printed numbers have few decimals, so a difference of exactly a tolerance must not depend on the last bit.
    difference, close = round(mean - published, 9), max(reproduced, min(close, LARGEST_SHARE * abs(published)))
    printed = published_se if np.isfinite(published_se) else 0.0
    combined, width, one_sided = float(np.hypot(se, printed)), norm.isf(norm.sf(2.0) / looks), norm.isf(0.05 / looks)

    def cannot_tell(error: float) -> bool:
        return error > reproduced and abs(difference) <= width * error

    def within_largest(error: float) -> bool:
        return bool(abs(difference) + one_sided * error <= largest)

    if cannot_tell(combined):
        if within_largest(float(np.hypot(combined, spread))):
            return EQUAL
        # What is left of the error however many runs there are.
        for cause, error in ((PRINT, printed), (ONE_DRAW, float(np.hypot(printed, spread)))):
            if cannot_tell(error) and not within_largest(error):
                return cause
        return TOO_FEW
    if spread > 0.0 and cannot_tell(float(np.hypot(combined, spread))):
        return ONE_DRAW
    if one_run and cannot_tell(float(np.hypot(se, se * np.sqrt(n)))):
        return ONE_RUN
    if abs(difference) <= round(max(reproduced, width * combined), 9):
        return REPRODUCED
    if abs(difference) <= round(close, 9):
        return CLOSE
    if judged.direction == "none":
        return DIFFERENT
    return BETTER if (difference < 0) == (judged.direction == "lower") else WORSE


def standing_verdict(verdict_: str, standing: str) -> str:
    """Return the verdict of a printed cell by its status: cells that are not results of the document are not counted."""
    if standing == CITED:
        return CITED
    if standing == FORMULA and verdict_ != NOT_AVAILABLE:
        return AGREES if verdict_ == REPRODUCED else DIFFERS
    return verdict_


def compare(
    published: pd.DataFrame,
    scores: pd.DataFrame,
    experiment: str = "",
    unavailable: Mapping[str, str] | None = None,
    readings: Sequence[str] = (),
    metric: str = "error",
    spreads: Sequence[Mapping[str, Any]] = (),
    further: Sequence[Mapping[str, Any]] = (),
) -> pd.DataFrame:
    """Compare every printed cell with the regenerated one: one row each.

    `published` is what :func:`read_published` gives; tidy `scores` may be empty. `unavailable` maps data sets that
    cannot be had to the reason; `metric` is the one that the experiment shows, see :func:`to_common_scale`. `readings` are
    those that it is shown under, the judged one first. `spreads` say of cells, by ``where``, that their data are one draw of
    many, whose deviation is ``sd`` in the unit of the metric. `further` names the cells that were given further trials.

    Columns are experiment, document, item, place, row, column, dataset, model, measure, clusterer, reading, metric, x, unit (of
    the metric), printed, printed_metric, published, published_std, published_n, mean, std, n, se, difference
    (regenerated minus published, in that unit), spread, verdict; then mean, std, n, se, difference, verdict under every other
    reading with its name in front; errata (anchors), note (on the print), reason (why nothing was regenerated).
    """
    reasons = dict(unavailable or {})
    first, *others = readings or ("",)
    cells = to_common_scale(published, metric).assign(reading=first)
    spread_of = _spreads(cells, spreads)
    summaries = {}
    for reading in (first, *others):
        view = reading_view(scores, reading)
        summaries[reading] = {_key(row): row for row in records(summarise(view))} if len(view) else {}
    rows = []
    for cell, spread in zip(records(cells), spread_of, strict=True):
        row: dict[str, Any] = {"experiment": experiment}
        row |= {name: cell[name] for name in ("document", "item", "place", "row", "column")}
        row |= {name: cell[name] for name in CELL}
        row["unit"] = registry.describe(cell["metric"]).unit
        row |= {name: cell[name] for name in ("printed", "printed_metric", "published", "published_std", "published_n")}
        row["spread"] = spread
        published_se = cell["published_std"] / np.sqrt(cell["published_n"])
        for reading, cell_of in summaries.items():
            prefix = "" if reading == first else f"{reading}_"
            match = cell_of.get(
                _key({**cell, "reading": reading}), {"mean": np.nan, "std": np.nan, "n": 0, "se": np.nan}
            )
            row |= {f"{prefix}{name}": match[name] for name in ("mean", "std", "n", "se")}
            row[f"{prefix}difference"] = match["mean"] - cell["published"]
            found = verdict(
                cell["published"],
                published_se,
                match["mean"],
                match["se"],
                int(match["n"]),
                cell["metric"],
                one_run=cell["published_n"] == 1 and not np.isfinite(cell["published_std"]),
                spread=spread,
                looks=len(LOOKS) if reading == first and has_further(further, cell) else 1,
            )
            row[f"{prefix}verdict"] = standing_verdict(found, cell["standing"])
        row |= {"errata": cell["errata"], "note": cell["note"], "reason": ""}
        if row["verdict"] == NOT_AVAILABLE:
            row["reason"] = _why_not(cell["dataset"], reasons)
        rows.append(row)
    rows += [
        _uncompared({**cell, "reading": first}, experiment, reasons)
        for cell in records(published[published["unit"] == NO_NUMBER])
    ]
    return pd.DataFrame(rows, columns=_cell_columns(others))


def _spreads(cells: pd.DataFrame, spreads: Sequence[Mapping[str, Any]]) -> list[float]:
    """Deviation between draws of the data of each cell, by the first entry that names it; 0 where none does."""
    found = np.zeros(len(cells))
    for entry in reversed(spreads):
        where: Selection = entry["where"]
        found[select(cells.reset_index(drop=True), where).index] = float(entry["sd"])
    return found.tolist()


def _why_not(dataset: str, reasons: Mapping[str, str]) -> str:
    reason = reasons.get(dataset)
    return f"data not available: {reason}" if reason else "not among what the experiment computes"


def _uncompared(cell: Mapping[str, Any], experiment: str, reasons: Mapping[str, str]) -> dict[str, Any]:
    """Return the row of a printed cell that is not compared."""
    row = {name: cell[name] for name in ("document", "item", "place", "row", "column", *CELL, "unit", "errata", "note")}
    row |= {"experiment": experiment, "x": np.nan, "n": 0, "printed": cell["value"], "printed_metric": cell["metric"]}
    return row | {"verdict": NOT_AVAILABLE, "reason": _why_not(cell["dataset"], reasons)}


def _cell_columns(others: Sequence[str]) -> list[str]:
    numbers = ["mean", "std", "n", "se", "difference", "verdict"]
    columns = ["experiment", "document", "item", "place", "row", "column", *CELL, "unit"]
    columns += ["printed", "printed_metric", "published", "published_std", "published_n", "spread", *numbers]
    columns += [f"{reading}_{number}" for reading in others for number in numbers]
    return [*columns, "errata", "note", "reason"]


def _key(row: Mapping[Any, Any]) -> tuple[Any, ...]:
    """Cell that a row belongs to; a missing position on the axis equals another missing one."""
    x = float(row["x"])
    return (*(row[name] for name in CELL[:-1]), None if np.isnan(x) else round(x, 9))


def rankings(cells: pd.DataFrame, readings: Sequence[str] = ()) -> pd.DataFrame:
    """Return whether the methods come in the printed order, per row of every printed table of :func:`compare`, and overall.

    Columns are experiment, document, item, place, reading, row (empty: methods by their mean over the
    rows that can be compared), methods (how many), published_best, best (names of the measures; several if they tie),
    same_best (``yes``; ``undecided`` if the printed best lies within 2 standard errors of the regenerated best;
    ``no``), correlation (Spearman over the methods; NaN with fewer than 3 methods or without variation).
    """
    rows = []
    columns = ["experiment", "document", "item", "place", "reading", "row", "methods"]
    columns += ["published_best", "best", "same_best", "correlation"]
    cells = cells[cells["unit"] != NO_NUMBER]
    first, *others = readings or ("",)
    for reading in (first, *others):
        prefix = "" if reading == first else f"{reading}_"
        directions = cells["metric"].map(lambda name: registry.describe(name).direction)
        had = cells.assign(direction_=directions)[(cells[f"{prefix}n"] > 0) & (directions != "none")]
        # Values of different units are not comparable.
        for (*key, _, direction), table in had.groupby(
            ["experiment", "document", "item", "place", "unit", "direction_"], sort=False
        ):
            # A method is a column of the table: the same measure may occur with several clusterers.
            view = table.assign(mean_=table[f"{prefix}mean"], se_=table[f"{prefix}se"].fillna(0.0))
            view = view.assign(
                method=view["measure"] + ("/" + view["clusterer"] if view["clusterer"].nunique() > 1 else "")
            )
            sign = 1.0 if direction == "lower" else -1.0
            for name, line in view.groupby("row", sort=False):
                if line["method"].nunique() > 1:
                    rows.append((*key, reading, name, *_rank(line, sign)))
            grid = view.groupby("method", sort=False)
            full = grid.agg(
                published=("published", "mean"), mean_=("mean_", "mean"), se_=("se_", _root_mean)
            ).reset_index()
            if len(full) > 1:
                rows.append((*key, reading, "", *_rank(full, sign)))
    return pd.DataFrame(rows, columns=columns)


def _root_mean(errors: pd.Series) -> float:
    """Standard error of a mean of independent means."""
    return float(np.sqrt((errors**2).sum()) / len(errors))


def _rank(line: pd.DataFrame, sign: float) -> tuple[int, str, str, str, float]:
    from scipy.stats import spearmanr

    methods = line["method"].to_numpy()
    published = sign * line["published"].to_numpy(dtype=np.float64)
    regenerated = sign * line["mean_"].to_numpy(dtype=np.float64)
    errors = line["se_"].to_numpy(dtype=np.float64)
    printed_best = np.flatnonzero(published == published.min())
    best = np.flatnonzero(regenerated == regenerated.min())
    same = "no"
    if set(printed_best) & set(best):
        same = "yes"
    elif any(
        regenerated[i] - regenerated[best[0]] <= 2.0 * float(np.hypot(errors[i], errors[best[0]])) for i in printed_best
    ):
        same = "undecided"
    correlation = float("nan")
    if len(methods) > 2 and np.ptp(published) > 0 and np.ptp(regenerated) > 0:
        correlation = float(spearmanr(published, regenerated).statistic)
    names = (", ".join(str(methods[i]) for i in indices) for indices in (printed_best, best))
    return (len(methods), *names, same, correlation)  # type: ignore[return-value]


@dataclass(frozen=True)
class Fidelity:
    """Counts of the verdicts on one or several experiments.

    Attributes
    ----------
    cells, orders, claims : DataFrame
        As :func:`compare`, :func:`rankings` and :func:`kinseq_documents.evaluation.claims.evaluate` give them.
    titles : mapping
        Id of an experiment to its title, in the order in which they are shown.
    readings : mapping
        Id of an experiment to the readings that it is shown under, the judged one first; ``("",)`` if it names none.
    """

    cells: pd.DataFrame
    orders: pd.DataFrame
    claims: pd.DataFrame
    titles: Mapping[str, str]
    readings: Mapping[str, tuple[str, ...]]

    @property
    def beside(self) -> tuple[str, ...]:
        """Readings that some experiment is shown under and not judged by."""
        return tuple(dict.fromkeys(reading for readings in self.readings.values() for reading in readings[1:]))


def assess(
    experiment: Mapping[str, Any],
    scores: pd.DataFrame,
    published: pd.DataFrame | None = None,
    unavailable: Mapping[str, str] | None = None,
    labels: Mapping[str, str] | None = None,
    decided_on: Mapping[str, str] | None = None,
) -> Fidelity:
    """Compare, rank and decide the claims of one parsed experiment.

    `decided_on` says of claims by their ids what data they are decided on (:func:`kinseq_documents.plan.data_kinds_of_claims`); it
    becomes the column ``decided_on``.

    Of it ``id``, ``title``, ``metric`` (default ``error``), ``claims``, ``readings`` and ``spreads`` (may be absent) are
    read. `published` is None
    if the documents print no numbers. For the others see :func:`compare` and
    :func:`kinseq_documents.evaluation.claims.evaluate`.
    """
    name, metric = str(experiment["id"]), str(experiment.get("metric", "error"))
    printed = published if published is not None else pd.DataFrame(columns=list(PUBLISHED_COLUMNS), dtype=str)
    readings = tuple(experiment.get("readings", ()))
    further = experiment.get("further", ())
    cells = compare(printed, scores, name, unavailable, readings, metric, experiment.get("spreads", ()), further)
    claims = evaluate(
        experiment.get("claims") or [],
        scores,
        experiment=name,
        metric=metric,
        labels=labels,
        readings=readings,
        further=further,
    )
    claims["decided_on"] = claims["claim"].map(dict(decided_on or {})).fillna("").astype(str)
    titles = {name: str(experiment.get("title", name))}
    return Fidelity(cells, rankings(cells, readings), claims, titles, {name: readings or ("",)})


def combine(parts: Sequence[Fidelity]) -> Fidelity:
    """Put the experiments' results under one another, in the order given."""

    def stack(frames: list[pd.DataFrame]) -> pd.DataFrame:
        # Readings without rows still have columns: those that nothing in print is judged under.
        columns = list(dict.fromkeys(column for frame in frames for column in frame.columns))
        filled = [frame for frame in frames if len(frame)]
        stacked = pd.concat(filled, ignore_index=True) if filled else frames[0]
        return stacked.reindex(columns=columns)

    if not parts:
        raise DataError("fidelity: no experiment was given; at least one is needed")
    titles = {name: title for part in parts for name, title in part.titles.items()}
    return Fidelity(
        stack([part.cells for part in parts]),
        stack([part.orders for part in parts]),
        stack([part.claims for part in parts]),
        titles,
        {name: readings for part in parts for name, readings in part.readings.items()},
    )


def digest(fidelity: Fidelity) -> pd.DataFrame:
    """Return one line per experiment and reading: how many cells have each verdict, and how the order of the methods held.

    Columns are experiment, title, reading, cells (printed), one a verdict of :data:`VERDICTS`, same_best (as ``2 of 4
    rows``), correlation (Spearman over the whole table, the first document's), held, not_held, undecided (claims).
    """
    rows = []
    for name, title in fidelity.titles.items():
        cells = fidelity.cells[fidelity.cells["experiment"] == name]
        claims = fidelity.claims[fidelity.claims["experiment"] == name]
        first, *others = fidelity.readings[name]
        for reading in (first, *others):
            prefix = "" if reading == first else f"{reading}_"
            counts = cells[f"{prefix}verdict"].value_counts()
            decided = claims[f"{prefix}verdict"].value_counts()
            if reading != first and not (cells[f"{prefix}n"] > 0).any() and set(decided.index) <= {""}:
                continue
            orders = fidelity.orders[(fidelity.orders["experiment"] == name) & (fidelity.orders["reading"] == reading)]
            lines = orders[orders["row"] != ""]
            whole = orders[orders["row"] == ""]
            rows.append(
                {
                    "experiment": name,
                    "title": title,
                    "reading": reading,
                    "cells": len(cells),
                    **{verdict_: int(counts.get(verdict_, 0)) for verdict_ in VERDICTS},
                    "same_best": f"{int((lines['same_best'] == 'yes').sum())} of {len(lines)} rows"
                    if len(lines)
                    else "",
                    "correlation": float(whole["correlation"].iloc[0]) if len(whole) else float("nan"),
                    "held": int(decided.get("held", 0)),
                    "not_held": int(decided.get("not held", 0)),
                    "undecided": int(decided.get("undecided", 0)),
                }
            )
    columns = [
        "experiment",
        "title",
        "reading",
        "cells",
        *VERDICTS,
        "same_best",
        "correlation",
        "held",
        "not_held",
        "undecided",
    ]
    return pd.DataFrame(rows, columns=columns)
