"""Who is better than whom: scores by set and contender, paired differences, ranks, and a choice that has to generalise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.stats import permutation_test, rankdata

from kinseq.core.arrays import FloatArray
from kinseq.core.errors import DataError
from kinseq_documents.evaluation.summary import contrast

TIE = 0.005
"""Scores closer than this are a draw."""
EQUAL = 0.01
"""Candidates whose means are this close count as equal, and the cheaper one is chosen."""
EXACT = 9999
"""Random sign patterns of the test; all of them where there are fewer."""


@dataclass(frozen=True)
class Difference:
    """The reference less another contender, over the sets on which both have clusters.

    Attributes
    ----------
    other : str
    n : int
        Number of sets.
    mean, low, high : float
        Mean difference and its percentile bootstrap interval over sets, 95 %.
    better, worse : int
        Sets on which the reference is ahead or behind by more than :data:`TIE`.
    p : float
        Two-sided p-value of the sign-flip test of the mean; NaN for fewer than two sets.
    adjusted : float
        The same after Holm's correction for all comparisons of the table.
    """

    other: str
    n: int
    mean: float
    low: float
    high: float
    better: int
    worse: int
    p: float
    adjusted: float


def differences(scores: pd.DataFrame, reference: str) -> list[Difference]:
    """Compare one contender, a column, with each of the others; one row per set, NaN where there are no clusters."""
    others = [name for name in scores.columns if name != reference]
    per_set = [(scores[reference] - scores[other]).dropna().to_numpy(dtype=np.float64) for other in others]
    values = [sign_flip_p(gaps) for gaps in per_set]
    adjusted = holm(values)
    results = []
    for other, gaps, p, corrected in zip(others, per_set, values, adjusted, strict=True):
        over = contrast(gaps)
        better, worse = int((gaps > TIE).sum()), int((gaps < -TIE).sum())
        results.append(Difference(other, gaps.size, over.mean, over.low, over.high, better, worse, p, float(corrected)))
    return results


def sign_flip_p(gaps: ArrayLike) -> float:
    """Two-sided p-value of the mean of paired differences, if either sign of each were as likely.

    Exact where there are at most 13 pairs, else over random sign patterns drawn with a fixed seed.
    """
    pairs = np.asarray(gaps, dtype=np.float64)
    if pairs.size < 2:
        return float("nan")
    test = permutation_test(
        (pairs,),
        np.mean,
        permutation_type="samples",
        vectorized=True,
        n_resamples=EXACT,
        rng=np.random.default_rng(0),
    )
    return float(test.pvalue)


def holm(p: Sequence[float]) -> FloatArray:
    """P-values after Holm's step-down correction (1979); NaN are left out of the count and stay."""
    values = np.asarray(p, dtype=np.float64)
    out = np.full(values.shape, np.nan)
    indices = np.flatnonzero(~np.isnan(values))
    order = indices[np.argsort(values[indices], kind="stable")]
    steps = values[order] * np.arange(order.size, 0, -1)
    out[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return out


def ranks(scores: pd.DataFrame, took_part: pd.DataFrame | None = None) -> pd.DataFrame:
    """Ranks within each set, the best is 1; ties share their mean rank, and who has no clusters (NaN) comes last.

    One row a set, one column a contender. Who was not run on a set, as `took_part` of the same shape says, has no rank
    (NaN), and the others are ranked among themselves.
    """
    here = np.ones(scores.shape, dtype=bool) if took_part is None else took_part.to_numpy(dtype=bool)
    keys = np.where(here, -scores.fillna(-np.inf).to_numpy(dtype=np.float64), np.nan)
    return pd.DataFrame(rankdata(keys, axis=1, nan_policy="omit"), index=scores.index, columns=scores.columns)


@dataclass(frozen=True)
class LeftOut:
    """Choice for each set by the results of the other sets.

    Attributes
    ----------
    choices : Series
        Name of the chosen candidate, by set.
    scores : Series
        Its score on the set that was left out.
    best : str
        The choice of all sets together.
    """

    choices: pd.Series
    scores: pd.Series
    best: str


def choice(scores: pd.DataFrame, costs: Mapping[str, int]) -> str:
    """Return the cheapest candidate whose mean is within :data:`EQUAL` of the best; of equal cost the one with the best mean."""
    means = scores.mean()
    near = [str(name) for name in means.index if means[name] >= means.max() - EQUAL]
    return min(near, key=lambda name: (costs[name], -means[name]))


def leave_one_out(scores: pd.DataFrame, costs: Mapping[str, int]) -> LeftOut:
    """Choose among candidates by their mean over all sets but one, and score the choice on that one.

    One row a set, one column a candidate; sets on which one of them has no clusters are left out, and two must be left.
    `costs` ranks the candidates, the cheapest lowest; see :func:`choice`.
    """
    complete = scores.dropna()
    if len(complete) < 2:
        raise DataError(
            "a choice by leaving one set out needs two sets on which every candidate has clusters; run more"
        )
    choices = {name: choice(complete.drop(index=name), costs) for name in complete.index}
    rows = complete.to_dict(orient="index")
    return LeftOut(
        pd.Series(choices),
        pd.Series({name: rows[name][selected] for name, selected in choices.items()}, dtype=np.float64),
        choice(complete, costs),
    )
