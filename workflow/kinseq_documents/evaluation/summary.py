"""From tidy scores to means with their uncertainty, and to paired comparisons; the trial is the unit everywhere.

Tasks of one trial (the pairs of speakers of one repetition, the subjects of one EEG run) share their random numbers and
often their sequences, so they are averaged before anything is said about spread: n counts trials, never tasks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Literal

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from kinseq.core.arrays import FloatArray, IntArray, as_count
from kinseq.core.errors import DataError, ParameterError
from kinseq.core.seeds import stream
from kinseq.metrics import registry

SCORE_COLUMNS = (
    "experiment",
    "dataset",
    "task",
    "trial",
    "model",
    "measure",
    "clusterer",
    "metric",
    "value",
    "seed",
    "x",
    "reading",
)
"""Columns of a table of scores, in the order of its file. `reading` is empty of what belongs to all readings, or to none."""

CELL = ("dataset", "model", "measure", "clusterer", "reading", "metric", "x")
"""Columns that identify a cell of a table or a point of a curve."""

Selection = Mapping[str, Any]
"""Column of the scores to a value, a list of values, or ``{"min": low, "max": high}`` (inclusive, both optional)."""


def records(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Return rows of `table` as dictionaries."""
    return [{str(name): value for name, value in row.items()} for row in table.to_dict("records")]


def read_scores(path: Any) -> pd.DataFrame:
    """Read a table of scores and check it: columns of :data:`SCORE_COLUMNS`, finite values."""
    try:
        # "none" is the name of "no model" and must not be read as a missing value.
        scores = pd.read_csv(
            path, keep_default_na=False, na_values={"x": ["", "nan", "NaN"], "value": ["", "nan", "NaN"]}
        )
    except FileNotFoundError as error:
        raise DataError(f"{path}: no such file; run the stage that makes it") from error
    except (pd.errors.ParserError, pd.errors.EmptyDataError, UnicodeDecodeError) as error:
        raise DataError(
            f"{path}: is not a table of scores ({error}); delete it and run the stage that makes it"
        ) from error
    return check_scores(scores, str(path))


def check_scores(scores: pd.DataFrame, where: str = "scores") -> pd.DataFrame:
    """Return `scores` if it has all columns and finite values, else raise :class:`DataError`."""
    missing = [column for column in SCORE_COLUMNS if column not in scores.columns]
    if missing:
        raise DataError(f"{where}: lacks the column {missing[0]!r}; a table of scores has {', '.join(SCORE_COLUMNS)}")
    values = pd.to_numeric(scores["value"], errors="coerce").to_numpy(dtype=np.float64)
    wrong = np.flatnonzero(~np.isfinite(values))
    if wrong.size:
        row = scores.iloc[int(wrong[0])]
        raise DataError(
            f"{where}: row {int(wrong[0])} ({row['dataset']}, {row['model']}, {row['measure']}, {row['clusterer']},"
            f" trial {row['trial']}) has the value {row['value']!r}, which is not a finite number; rerun the stage that"
            " made it"
        )
    return scores


def select(scores: pd.DataFrame, where: Selection) -> pd.DataFrame:
    """Return rows of `scores`, in their order, that agree with every entry of `where`.

    It maps a column to a value, a list of values, or ``{"min": low, "max": high}``.
    """
    keep = np.ones(len(scores), dtype=bool)
    for column, wanted in where.items():
        if column not in scores.columns:
            raise ParameterError(
                f"selection: there is no column {column!r}; the scores have {', '.join(scores.columns)}"
            )
        entries = scores[column]
        if isinstance(wanted, Mapping):
            extra = set(wanted) - {"min", "max"}
            if extra:
                raise ParameterError(
                    f"selection of {column!r}: a range has the keys min and max, not {sorted(extra)[0]!r}"
                )
            keep &= (entries >= wanted.get("min", -np.inf)).to_numpy() & (
                entries <= wanted.get("max", np.inf)
            ).to_numpy()
        elif isinstance(wanted, (list, tuple, set, frozenset)):
            keep &= entries.isin(list(wanted)).to_numpy()
        else:
            keep &= (entries == wanted).to_numpy()
    return scores[keep]


@lru_cache(maxsize=64)
def _resamples(n: int, n_resamples: int) -> IntArray:
    """Bootstrap draws of n units; they depend on n only, so that no cell changes when another is added."""
    draws = stream(0, "bootstrap", n).integers(0, n, size=(n_resamples, n))
    draws.flags.writeable = False
    return draws


def bootstrap_means(values: FloatArray, n_resamples: int = 2000) -> FloatArray:
    """Return means of resamples of one value a trial, drawn with replacement, shape (n_resamples,).

    The same numbers at every call with the same values.
    """
    units = np.asarray(values, dtype=np.float64)
    return np.asarray(units[_resamples(units.size, as_count(n_resamples, "n_resamples"))].mean(axis=1))


def mean_interval(
    values: FloatArray,
    level: float = 0.95,
    kind: Literal["bootstrap", "t"] = "bootstrap",
    n_resamples: int = 2000,
) -> tuple[float, float]:
    """Confidence interval (low, high) of the mean of `values`, shape (n,): percentile bootstrap, or Student's t.

    The bootstrap never leaves the range of the values (an error is never below 0), but is too narrow by a factor of
    about sqrt((n - 1) / n) and more for n below 10. Both are NaN if n = 1, where nothing is known of the spread.
    """
    if not 0.0 < level < 1.0:
        raise ParameterError(f"level is {level!r}, expected a number between 0 and 1, such as 0.95")
    units = np.asarray(values, dtype=np.float64)
    if units.size < 2:
        return float("nan"), float("nan")
    if kind == "bootstrap":
        low, high = np.quantile(bootstrap_means(units, n_resamples), [(1 - level) / 2, (1 + level) / 2])
        return float(low), float(high)
    if kind == "t":
        half = float(stdtrit(units.size - 1, (1 + level) / 2)) * float(units.std(ddof=1)) / np.sqrt(units.size)
        return float(units.mean() - half), float(units.mean() + half)
    raise ParameterError(f"interval {kind!r} is not known; valid: bootstrap, t")


@cache
def _is_squared(metric: str) -> bool:
    """Return whether trials are put together by their root mean square; findings without an entry are averaged."""
    return registry.is_known(metric) and registry.describe(metric).pooled == "root_mean_square"


def _root_mean_square(
    squares: FloatArray, se: float, low: float, high: float
) -> tuple[float, float, float, float, float]:
    """Root of a mean square, deviation of the roots, and the uncertainty of the mean square carried through the root."""
    root = float(np.sqrt(squares.mean()))
    roots = np.sqrt(squares)
    std = float(roots.std(ddof=1)) if roots.size > 1 else float("nan")
    spread = se / (2.0 * root) if root > 0.0 else se
    return root, std, spread, float(np.sqrt(max(low, 0.0))), float(np.sqrt(high))


def summarise(
    scores: pd.DataFrame,
    by: Sequence[str] = CELL,
    level: float = 0.95,
    interval: Literal["bootstrap", "t"] = "bootstrap",
    n_resamples: int = 2000,
) -> pd.DataFrame:
    """Return the mean over trials, with its uncertainty, of every group of scores, in the order of first appearance.

    `by` are the columns that name a group; what is not among them (tasks, and data sets if they are left out) is
    averaged within a trial first. The interval is that of :func:`mean_interval`. Columns are `by`, then ``mean``,
    ``std`` (divisor n - 1), ``n`` (trials), ``se`` (of the mean), ``low``, ``high``. With a single trial all but mean
    and n are NaN. Metrics that are pooled by their root mean square have it as ``mean``, with the standard error and
    the interval of the mean square carried through the root.
    """
    check_scores(scores)
    if "trial" in by or not set(by) <= set(scores.columns):
        raise ParameterError(f"by is {list(by)!r}; name columns of the scores other than 'trial'")
    squared = scores["metric"].map(_is_squared).to_numpy(dtype=bool)
    if squared.any():
        if "metric" not in by:
            raise ParameterError("by leaves out 'metric', but the scores hold a root mean square; add it")
        scores = scores.assign(value=np.where(squared, scores["value"] ** 2, scores["value"]))
    per_trial = scores.groupby([*by, "trial"], sort=False, dropna=False)["value"].mean().reset_index()
    rows = []
    for key, group in per_trial.groupby(list(by), sort=False, dropna=False):
        values = group.sort_values("trial")["value"].to_numpy(dtype=np.float64)
        std = float(values.std(ddof=1)) if values.size > 1 else float("nan")
        low, high = mean_interval(values, level, interval, n_resamples)
        se = std / np.sqrt(values.size)
        mean = float(values.mean())
        if squared.any() and _is_squared(key[list(by).index("metric")]):
            mean, std, se, low, high = _root_mean_square(values, se, low, high)
        rows.append((*key, mean, std, values.size, se, low, high))
    return pd.DataFrame(rows, columns=[*by, "mean", "std", "n", "se", "low", "high"])


@dataclass(frozen=True)
class Contrast:
    """A number computed in every trial (usually a difference of two means), with the interval of its mean.

    Attributes
    ----------
    per_trial : ndarray, shape (n,)
        In the unit of the metric.
    mean, low, high : float
        Mean over trials and its interval by Student's t; NaN where there are too few trials to tell. Of five trials a percentile
        bootstrap would cover 84 % where 95 % are meant.
    """

    per_trial: FloatArray
    mean: float
    low: float
    high: float

    @property
    def n(self) -> int:
        """Number of trials."""
        return int(self.per_trial.size)


def contrast(per_trial: FloatArray, level: float = 0.95) -> Contrast:
    """Wrap one number a trial into a :class:`Contrast`."""
    values = np.asarray(per_trial, dtype=np.float64)
    if values.size == 0:
        return Contrast(values, float("nan"), float("nan"), float("nan"))
    low, high = mean_interval(values, level, "t")
    return Contrast(values, float(values.mean()), low, high)


def paired_differences(scores: pd.DataFrame, a: Selection, b: Selection, relative: bool = False) -> pd.Series:
    """Return the mean of `a` minus mean of `b`, by trial, in every trial that has both; :func:`select` says what they are.

    Rows are matched by every column that the selections do not tell apart (data set, task, position, model...) and
    averaged within the trial afterwards, so that what only one side has plays no part. A side without models, such as
    DTW, is matched with all models of the other. If `relative`, differences are in percent of `b`, and pairs whose `b`
    is 0 are left out.
    """
    fixed = {column for column in {*a, *b} if a.get(column) != b.get(column)}
    if "trial" in fixed:
        raise ParameterError("paired differences: a and b may not select different trials; the trial is the unit")
    # A task belongs to one data set at one position, so its name is meaningless otherwise.
    if fixed & {"dataset", "x", "task"}:
        fixed |= {"task"}
    if "task" in a or "task" in b:
        fixed |= {"x"}
    sides = [select(scores, side) for side in (a, b)]
    if any((side["model"] == "none").all() for side in sides):
        fixed |= {"model"}
    free = [column for column in (*CELL, "task", "trial") if column not in fixed]
    means = [
        side.groupby(free, sort=True, dropna=False)["value"].mean().rename(name).reset_index()
        for side, name in zip(sides, ("a", "b"), strict=True)
    ]
    both = means[0].merge(means[1], on=free, how="inner")
    both["difference"] = both["a"] - both["b"]
    if relative:
        both = both[both["b"] != 0.0].assign(difference=lambda pairs: 100.0 * pairs["difference"] / pairs["b"].abs())
    return both.groupby("trial", sort=True)["difference"].mean()


def paired(scores: pd.DataFrame, a: Selection, b: Selection, level: float = 0.95) -> Contrast:
    """Return the difference of two selections, mean(a) - mean(b), with its interval; see :func:`paired_differences`.

    `n` is 0 and the numbers are NaN if no trial has both.
    """
    return contrast(paired_differences(scores, a, b).to_numpy(dtype=np.float64), level)


def reading_view(scores: pd.DataFrame, reading: str = "") -> pd.DataFrame:
    """Return the scores as if only one reading had been run: its rows and those that belong to all, under its name.

    Empty if nothing was run under `reading`. Without one (``""``), the rows that are shown under none.
    """
    of_reading = scores["reading"] == reading
    if not of_reading.any():
        return scores[np.zeros(len(scores), dtype=bool)]
    return scores[of_reading | (scores["reading"] == "")].assign(reading=reading)
