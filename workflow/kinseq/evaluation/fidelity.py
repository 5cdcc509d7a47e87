"""How close regenerated numbers come to printed ones: cell by cell, table by table, claim by claim.

Verdict of a cell, in this order:

``not available``
    Nothing was computed for it (the data cannot be had, or the experiment leaves it out).
``too few runs``
    Fewer than 5 trials, or a standard error of more than 2 points: nothing can be said yet.
``reproduced``
    The difference is at most 1 point, or at most 2 combined standard errors. The printed mean's own standard error
    takes part where deviation and number of runs are printed.
``better``, ``worse``
    More than 3 points to the good or to the bad side. A quantity without a good side (a share of models kept) is
    ``different`` instead.
``close``
    What lies between.

The models' default preset stands for the printed cell. Other presets that were run get a verdict of their own beside
it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from ..errors import DataError
from .claims import evaluate
from .summary import CELL, preset_view, records, summarise

REPRODUCED, CLOSE, BETTER, WORSE = "reproduced", "close", "better", "worse"
TOO_FEW, NOT_AVAILABLE, DIFFERENT = "too few runs", "not available", "different"
VERDICTS = (REPRODUCED, CLOSE, BETTER, WORSE, DIFFERENT, TOO_FEW, NOT_AVAILABLE)

MIN_RUNS = 5
MAX_STANDARD_ERROR = 2.0
REPRODUCED_WITHIN = 1.0
CLOSE_WITHIN = 3.0

LOWER_IS_BETTER = frozenset({"error", "segmentation_error"})
NO_GOOD_SIDE = frozenset({"models_kept", "n_clusters", "count", "bandwidth"})

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


def read_published(path: Any) -> pd.DataFrame:
    """Read published numbers as text, exactly as they were printed.

    Raises
    ------
    DataError
        If the file is missing or lacks a column.
    """
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
    return published


def to_common_scale(published: pd.DataFrame) -> pd.DataFrame:
    """Bring printed numbers to percent, and accuracies to errors.

    Parameters
    ----------
    published : DataFrame
        As :func:`read_published` gives it.

    Returns
    -------
    DataFrame
        The rows that hold numbers, with the columns ``printed`` (value as printed), ``printed_metric``, ``metric``
        (``error`` where an accuracy was printed) and, as floats, ``published``, ``published_std``, ``published_n`` and
        ``x``.
    """
    missing = [column for column in PUBLISHED_COLUMNS if column not in published.columns]
    if missing:
        raise DataError(
            f"published numbers: lack the column {missing[0]!r}; the columns are {', '.join(PUBLISHED_COLUMNS)}"
        )
    cells = published.astype(dict.fromkeys(("value", "std", "n_runs", "x"), str)).copy()
    numbers = {
        new: pd.to_numeric(cells[old].replace("nan", ""), errors="coerce").to_numpy(dtype=np.float64)
        for old, new in (("value", "published"), ("std", "published_std"), ("n_runs", "published_n"), ("x", "x"))
    }
    scale = np.where(cells["unit"] == "fraction", 100.0, 1.0)
    accuracy = (cells["metric"] == "accuracy").to_numpy()
    value = numbers["published"] * scale
    cells["printed"] = cells["value"]
    cells["printed_metric"] = cells["metric"]
    cells["metric"] = np.where(accuracy, "error", cells["metric"])
    # Two decimals are printed; rounding keeps 100 - 66.67 from becoming 33.33000000000000x.
    cells["published"] = np.round(np.where(accuracy, 100.0 - value, value), 6)
    cells["published_std"] = np.round(numbers["published_std"] * scale, 6)
    cells["published_n"] = numbers["published_n"]
    cells["x"] = numbers["x"]
    numeric = cells["unit"].isin(["percent", "fraction", "number", "count"]).to_numpy() & np.isfinite(
        numbers["published"]
    )
    return cells[numeric].reset_index(drop=True)


def verdict(
    published: float,
    published_se: float,
    mean: float,
    se: float,
    n: int,
    metric: str = "error",
) -> str:
    """Verdict of one cell; see the module.

    Parameters
    ----------
    published, published_se : float
        Printed mean and its standard error, in percent; a standard error of NaN counts as 0.
    mean, se : float
        Regenerated mean and its standard error, in percent.
    n : int
        Trials behind `mean`; 0 if there is nothing.
    metric : str
        Says which side is the good one.
    """
    if n == 0 or not np.isfinite(mean):
        return NOT_AVAILABLE
    if n < MIN_RUNS or not se <= MAX_STANDARD_ERROR:
        return TOO_FEW
    # Printed numbers have two decimals, so a difference of exactly 1 or 3 points must not depend on the last bit.
    difference = round(mean - published, 9)
    combined = float(np.hypot(se, published_se if np.isfinite(published_se) else 0.0))
    if abs(difference) <= max(REPRODUCED_WITHIN, 2.0 * combined):
        return REPRODUCED
    if abs(difference) <= CLOSE_WITHIN:
        return CLOSE
    if metric in NO_GOOD_SIDE:
        return DIFFERENT
    return BETTER if (difference < 0) == (metric in LOWER_IS_BETTER) else WORSE


def compare(
    published: pd.DataFrame,
    scores: pd.DataFrame,
    experiment: str = "",
    unavailable: Mapping[str, str] | None = None,
    presets: Sequence[str] = ("classic",),
) -> pd.DataFrame:
    """Set every printed cell beside what was regenerated.

    Parameters
    ----------
    published : DataFrame
        As :func:`read_published` gives it.
    scores : DataFrame
        Tidy scores of the experiment; may be empty.
    experiment : str
        Its id, for the first column.
    unavailable : mapping, optional
        Name of a data set that cannot be had to the reason.
    presets : sequence of str
        Presets of the models beside the default.

    Returns
    -------
    DataFrame
        One row a printed cell: experiment, document, item, place, row, column, dataset, model, measure, clusterer,
        metric, x, printed, printed_metric, published, published_std, published_n, mean, std, n, se, difference
        (regenerated minus published, in points), verdict; then mean, std, n, se, difference, verdict of every other
        preset with its name in front; errata (anchors), note (on the print), reason (why nothing was regenerated).
    """
    reasons = dict(unavailable or {})
    cells = to_common_scale(published)
    summaries = {}
    for preset in ("", *presets):
        view = preset_view(scores, preset, presets)
        if preset and not (view["model"] != "none").any():
            view = view.iloc[:0]
        summaries[preset] = {_key(row): row for row in records(summarise(view))} if len(view) else {}
    rows = []
    for cell in records(cells):
        row: dict[str, Any] = {"experiment": experiment}
        row |= {name: cell[name] for name in ("document", "item", "place", "row", "column")}
        row |= {name: cell[name] for name in CELL}
        row |= {name: cell[name] for name in ("printed", "printed_metric", "published", "published_std", "published_n")}
        published_se = cell["published_std"] / np.sqrt(cell["published_n"])
        for preset, found in summaries.items():
            prefix = f"{preset}_" if preset else ""
            match = found.get(_key(cell), {"mean": np.nan, "std": np.nan, "n": 0, "se": np.nan})
            row |= {f"{prefix}{name}": match[name] for name in ("mean", "std", "n", "se")}
            row[f"{prefix}difference"] = match["mean"] - cell["published"]
            row[f"{prefix}verdict"] = verdict(
                cell["published"], published_se, match["mean"], match["se"], int(match["n"]), cell["metric"]
            )
        row |= {"errata": cell["errata"], "note": cell["note"], "reason": ""}
        if row["verdict"] == NOT_AVAILABLE:
            reason = reasons.get(cell["dataset"])
            row["reason"] = f"data not available: {reason}" if reason else "not among what the experiment computes"
        rows.append(row)
    return pd.DataFrame(rows, columns=_cell_columns(presets))


def _cell_columns(presets: Sequence[str]) -> list[str]:
    numbers = ["mean", "std", "n", "se", "difference", "verdict"]
    columns = ["experiment", "document", "item", "place", "row", "column", *CELL]
    columns += ["printed", "printed_metric", "published", "published_std", "published_n", *numbers]
    columns += [f"{preset}_{number}" for preset in presets for number in numbers]
    return [*columns, "errata", "note", "reason"]


def _key(row: Mapping[Any, Any]) -> tuple[Any, ...]:
    """Cell that a row belongs to; a missing position on the axis equals another missing one."""
    x = float(row["x"])
    return (*(row[name] for name in CELL[:-1]), None if np.isnan(x) else round(x, 9))


def rankings(cells: pd.DataFrame, presets: Sequence[str] = ("classic",)) -> pd.DataFrame:
    """Whether the methods come in the printed order: per row of every printed table, and over the whole table.

    Parameters
    ----------
    cells : DataFrame
        As :func:`compare` gives it.
    presets : sequence of str
        Presets of the models beside the default.

    Returns
    -------
    DataFrame
        experiment, document, item, place, preset (``default``...), row (empty: methods by their mean over the rows that
        can be compared), methods (how many), published_best, best (names of the measures; several if they tie),
        same_best (``yes``; ``undecided`` if the printed best lies within 2 standard errors of the regenerated best;
        ``no``), correlation (Spearman over the methods; NaN with fewer than 3 methods or without variation).
    """
    rows = []
    columns = ["experiment", "document", "item", "place", "preset", "row", "methods"]
    columns += ["published_best", "best", "same_best", "correlation"]
    for preset in ("", *presets):
        prefix = f"{preset}_" if preset else ""
        had = cells[(cells[f"{prefix}n"] > 0) & ~cells["metric"].isin(NO_GOOD_SIDE)]
        for key, table in had.groupby(["experiment", "document", "item", "place"], sort=False):
            # A method is a column of the table: the same measure may stand there twice with another clusterer.
            view = table.assign(mean_=table[f"{prefix}mean"], se_=table[f"{prefix}se"].fillna(0.0))
            view = view.assign(
                method=view["measure"] + np.where(view["clusterer"] == "spectral", "", "/" + view["clusterer"])
            )
            sign = 1.0 if table["metric"].iloc[0] in LOWER_IS_BETTER else -1.0
            for name, line in view.groupby("row", sort=False):
                if line["method"].nunique() > 1:
                    rows.append((*key, preset or "default", name, *_rank(line, sign)))
            grid = view.groupby("method", sort=False)
            full = grid.agg(
                published=("published", "mean"), mean_=("mean_", "mean"), se_=("se_", _root_mean)
            ).reset_index()
            if len(full) > 1:
                rows.append((*key, preset or "default", "", *_rank(full, sign)))
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
    names = (", ".join(str(methods[i]) for i in chosen) for chosen in (printed_best, best))
    return (len(methods), *names, same, correlation)  # type: ignore[return-value]


@dataclass(frozen=True)
class Fidelity:
    """What became of one or several experiments.

    Attributes
    ----------
    cells, orders, claims : DataFrame
        As :func:`compare`, :func:`rankings` and :func:`kinseq.evaluation.claims.evaluate` give them.
    titles : mapping
        Id of an experiment to its title, in the order in which they are shown.
    """

    cells: pd.DataFrame
    orders: pd.DataFrame
    claims: pd.DataFrame
    titles: Mapping[str, str]


def assess(
    experiment: Mapping[str, Any],
    scores: pd.DataFrame,
    published: pd.DataFrame | None = None,
    unavailable: Mapping[str, str] | None = None,
    labels: Mapping[str, str] | None = None,
    presets: Sequence[str] = ("classic",),
) -> Fidelity:
    """Compare, rank and decide the claims of one experiment.

    Parameters
    ----------
    experiment : mapping
        The parsed experiment: ``id``, ``title``, ``metric`` (default ``error``), ``claims`` (may be absent).
    scores : DataFrame
        Tidy scores; may be empty.
    published : DataFrame, optional
        As :func:`read_published` gives it; None if the documents print no numbers.
    unavailable, labels, presets
        See :func:`compare` and :func:`kinseq.evaluation.claims.evaluate`.
    """
    name = str(experiment["id"])
    printed = published if published is not None else pd.DataFrame(columns=list(PUBLISHED_COLUMNS), dtype=str)
    cells = compare(printed, scores, name, unavailable, presets)
    claims = evaluate(
        experiment.get("claims") or [],
        scores,
        experiment=name,
        metric=str(experiment.get("metric", "error")),
        labels=labels,
        presets=presets,
    )
    return Fidelity(cells, rankings(cells, presets), claims, {name: str(experiment.get("title", name))})


def combine(parts: Sequence[Fidelity]) -> Fidelity:
    """Put the experiments' results under one another, in the order given."""

    def stack(frames: list[pd.DataFrame]) -> pd.DataFrame:
        filled = [frame for frame in frames if len(frame)]
        return pd.concat(filled, ignore_index=True) if filled else frames[0]

    if not parts:
        raise DataError("fidelity: no experiment was given; at least one is needed")
    titles = {name: title for part in parts for name, title in part.titles.items()}
    return Fidelity(
        stack([part.cells for part in parts]),
        stack([part.orders for part in parts]),
        stack([part.claims for part in parts]),
        titles,
    )


def digest(fidelity: Fidelity, presets: Sequence[str] = ("classic",)) -> pd.DataFrame:
    """One line an experiment and preset: how many cells got which verdict, and how the order of the methods held.

    Returns
    -------
    DataFrame
        experiment, title, preset, cells (printed), one column a verdict of :data:`VERDICTS`, same_best (as ``2 of 4
        rows``), correlation (Spearman over the whole table, the first document's), held, not_held, undecided (claims).
    """
    rows = []
    for name, title in fidelity.titles.items():
        cells = fidelity.cells[fidelity.cells["experiment"] == name]
        claims = fidelity.claims[fidelity.claims["experiment"] == name]
        for preset in ("default", *presets):
            prefix = "" if preset == "default" else f"{preset}_"
            counts = cells[f"{prefix}verdict"].value_counts()
            decided = claims[f"{prefix}verdict"].value_counts()
            if preset != "default" and not (cells[f"{prefix}n"] > 0).any() and set(decided.index) <= {""}:
                continue
            orders = fidelity.orders[(fidelity.orders["experiment"] == name) & (fidelity.orders["preset"] == preset)]
            lines = orders[orders["row"] != ""]
            whole = orders[orders["row"] == ""]
            rows.append(
                {
                    "experiment": name,
                    "title": title,
                    "preset": preset,
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
        "preset",
        "cells",
        *VERDICTS,
        "same_best",
        "correlation",
        "held",
        "not_held",
        "undecided",
    ]
    return pd.DataFrame(rows, columns=columns)
