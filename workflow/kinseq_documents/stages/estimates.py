"""Estimation: estimates next to the truth, and the time that computations take, on problems of rising size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import process_time
from typing import Any

import numpy as np
import pandas as pd

from kinseq.core.arrays import as_count
from kinseq.core.errors import DataError, ParameterError
from kinseq.core.progress import Progress
from kinseq.core.seeds import derive_seed

from ..problems import registry
from .scores import scores_of_estimates

COLUMNS = ["problem", "estimator", "n", "trial", "estimate", "truth", "error"]
WARM_UP = 20
"""Size of the data of a first call that is not timed: it loads compiled code."""

REPEATED_UP_TO = 1000
REPEATS = 3


def _sizes(sizes: Sequence[Any]) -> list[int]:
    counts = sorted({as_count(size, "sizes") for size in sizes})
    if not counts:
        raise ParameterError("sizes: is an empty list; name at least one number of items")
    return counts


def estimates(
    problem: tuple[str, Mapping[str, Any]],
    estimators: Mapping[str, Mapping[str, Any]],
    sizes: Mapping[str, Sequence[int]],
    trials: Sequence[int],
    seed: int,
) -> pd.DataFrame:
    """Return estimates of every estimator with the truth: columns :data:`COLUMNS`, one row for each estimator, size and trial.

    `problem` is an identifier and ``{"problem": registered name, "params": {...}}``; `estimators` map theirs to
    ``{"estimator": registered name, "params": {...}}``, `sizes` to the sizes of the data. `seed` is the root seed; the
    data are named by problem, size and trial, so that all estimators see the same ones.
    """
    name, entry = problem
    source, params = registry.problem(entry["problem"]), dict(entry.get("params", {}))
    estimator_of = {key: registry.estimator(value["estimator"]) for key, value in estimators.items()}
    truths = {key: source.true_value(estimator.estimates, **params) for key, estimator in estimator_of.items()}
    wanted = {key: _sizes(sizes[key]) for key in estimator_of}
    every = sorted(set().union(*wanted.values()))
    progress = Progress(f"estimates on {name}", len(every) * len(trials), unit="sample")
    rows: list[dict[str, Any]] = []
    for n in every:
        for trial in trials:
            data = source.sample(n, derive_seed(seed, "draw", name, n, trial), **params)
            stream = derive_seed(seed, "estimate", name, n, trial)
            for key in (key for key in estimator_of if n in wanted[key]):
                try:
                    value = estimator_of[key].estimate(data, stream, **estimators[key].get("params", {}))
                except DataError as error:
                    raise DataError(f"{name}, n = {n}, trial {trial}: {error}") from error
                row = {"problem": name, "estimator": key, "n": n, "trial": trial}
                rows.append(row | {"estimate": value, "truth": truths[key], "error": value - truths[key]})
            progress.step()
    return pd.DataFrame(rows, columns=COLUMNS)


def combine(parts: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Return the estimates of several jobs as one table that does not depend on how the work was cut."""
    table = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=COLUMNS)
    return table[COLUMNS].sort_values(["problem", "estimator", "n", "trial"], kind="stable", ignore_index=True)


def scores(table: pd.DataFrame, metrics: Sequence[str]) -> list[dict[str, Any]]:
    """Return rows of scores: one a trial, problem, estimator, size and metric."""
    rows: list[dict[str, Any]] = []
    for row in table.to_dict("records"):
        where = (str(row["problem"]), str(row["estimator"]), int(row["trial"]))
        rows += scores_of_estimates(*where, row["estimate"], row["truth"], metrics, x=float(row["n"]))
    return rows


def times(
    problem: tuple[str, Mapping[str, Any]],
    estimators: Mapping[str, Mapping[str, Any]],
    sizes: Mapping[str, Sequence[int]],
    seed: int,
) -> pd.DataFrame:
    """Processor time of some computations against the size of their data; arguments are those of :func:`estimates`.

    Each run draws data of its own: with data that it has seen, a function that remembers what it computed
    (:func:`kinseq.divergences.neighbours.compared`) would be timed without its work. Columns are problem, method (the
    estimator), n, cpu_seconds (the least of three runs for data of up to 1000 items), and slope: of the logarithm of
    the time against that of the size over the upper decade of the method, NaN if that holds one size.
    """
    name, entry = problem
    source, params = registry.problem(entry["problem"]), dict(entry.get("params", {}))
    estimator_of = {key: registry.estimator(value["estimator"]) for key, value in estimators.items()}
    wanted = {key: _sizes(sizes[key]) for key in estimator_of}
    stream = derive_seed(seed, "time", name)
    for key, estimator in estimator_of.items():
        warm = source.sample(WARM_UP, derive_seed(stream, "warm", key), **params)
        estimator.run(warm, stream, **estimators[key].get("params", {}))
    every = sorted(set().union(*wanted.values()))
    progress = Progress(f"times on {name}", len(every), unit="size")
    rows = []
    for n in every:
        for key in (key for key in estimator_of if n in wanted[key]):
            seconds = []
            for run in range(REPEATS if n <= REPEATED_UP_TO else 1):
                data = source.sample(n, derive_seed(stream, key, n, run), **params)
                start = process_time()
                estimator_of[key].run(data, stream, **estimators[key].get("params", {}))
                seconds.append(process_time() - start)
            rows.append({"problem": name, "method": key, "n": n, "cpu_seconds": min(seconds)})
        progress.step()
    table = pd.DataFrame(rows, columns=["problem", "method", "n", "cpu_seconds"])
    slopes = {str(method): slope(group) for method, group in table.groupby("method")}
    return table.assign(slope=table["method"].map(slopes)).sort_values(["method", "n"], ignore_index=True)


def slope(table: pd.DataFrame) -> float:
    """Slope of log time against log size, by least squares over the upper decade of the sizes."""
    upper = table[table["n"] >= table["n"].max() / 10]
    if len(upper) < 2:
        return float("nan")
    x, y = np.log(upper["n"]), np.log(np.maximum(upper["cpu_seconds"], 1e-9))
    return float(np.polyfit(x, y, 1)[0])
