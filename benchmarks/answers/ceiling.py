"""Score of the best choice among all that was measured, made with the labels: a bound for rules that do not see them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from .contenders import CANDIDATES, CONTENDERS, VIEWS, YARDSTICK

TARGETS: Mapping[str, float] = {"open sets": 0.60, "sets kept aside": 0.55}
"""Means of the adjusted Rand index that the project set itself as goals."""
OURS = tuple(entry.name for entry in (CONTENDERS[0], *CANDIDATES, YARDSTICK))
POOLS: Mapping[str, tuple[str, ...]] = {
    "single views": tuple(entry.name for entry in VIEWS),
    "the default, candidates, single views": (*OURS, *(entry.name for entry in VIEWS)),
    "these and other libraries": (*OURS, *(e.name for e in VIEWS), *(e.name for e in CONTENDERS[1:])),
}
"""Contenders that are chosen among."""


@dataclass(frozen=True)
class Ceiling:
    """Score of choosing among some contenders with the labels at hand.

    Attributes
    ----------
    pool : str
        What is chosen among.
    scores : DataFrame
        One row a set, one column a contender; NaN where there are no clusters.
    default : Series
        Score of the default by set; NaN counts as 0.
    target : float
        Mean that is aimed at.
    """

    pool: str
    scores: pd.DataFrame
    default: pd.Series
    target: float

    @property
    def fixed(self) -> tuple[str, float]:
        """The contender with the best mean among those that have clusters of every set, and the mean."""
        means = self.scores.dropna(axis=1).mean()
        return str(means.idxmax()), float(means.max())

    @cached_property
    def gains(self) -> pd.Series:
        """How much better than the default the best is, by set; 0 where the default is as good."""
        best = self.scores.max(axis=1)
        return (best - self.default).clip(lower=0.0).fillna(0.0).sort_values(ascending=False)

    @property
    def oracle(self) -> float:
        """Mean of the best on every set, the default included."""
        return float(self.default.mean() + self.gains.mean())

    @property
    def share(self) -> float:
        """Part of the way from the default to :attr:`oracle` at which the target lies; above 1 it is out of reach."""
        way, missing = self.oracle - float(self.default.mean()), self.target - float(self.default.mean())
        return missing / way if way > 0 else float(np.sign(missing)) * np.inf if missing else 0.0

    @property
    def fewest(self) -> int | None:
        """Least number of sets on which to take the best in place of the default for the target; None if none suffices."""
        reached = self.default.mean() + np.concatenate([[0.0], self.gains.cumsum() / len(self.gains)])
        enough = np.flatnonzero(reached >= self.target)
        return int(enough[0]) if enough.size else None


def ceilings(scores: pd.DataFrame, target: float) -> list[Ceiling]:
    """Return one for each of :data:`POOLS` of which something was run; `scores` have one row per set, one column per contender."""
    names_of = {pool: [name for name in names if name in scores.columns] for pool, names in POOLS.items()}
    default = scores[CONTENDERS[0].name].fillna(0.0)
    return [Ceiling(pool, scores[names], default, target) for pool, names in names_of.items() if names]


def rows(entries: Sequence[Ceiling], titles: Mapping[str, str]) -> list[list[str]]:
    """Return cells of a table, one row each; :data:`HEADER` says what they are."""
    lines = []
    for entry in entries:
        name, mean = entry.fixed
        enough = "none" if entry.fewest is None else f"{entry.fewest} of {len(entry.default)}"
        reached = entry.default.mean() >= entry.target
        way = "reached" if reached else f"{entry.share:.0%}" if np.isfinite(entry.share) else ""
        best = f"{titles[name]} {mean:.2f}"
        lines.append([entry.pool, str(entry.scores.shape[1]), best, f"{entry.oracle:.2f}", way, enough])
    return lines


HEADER = ("Chosen among", "how many", "best of them on all sets", "best on each set", "way to the goal", "fewest sets")
