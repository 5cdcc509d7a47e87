"""How an analysis was called: what all its steps are given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..core.arrays import IntArray
from ..core.progress import Progress
from ..core.seeds import stream
from .settings import Settings


@dataclass(frozen=True)
class Run:
    """How an analysis was called; handed from step to step.

    Attributes
    ----------
    settings : Settings
    seed : int
        Root of every random stream.
    threads : int
    progress : bool
        Whether long stages report to standard error.
    alternatives : bool
        Whether numbers of clusters are compared even if one was given, for a page that shows them.
    """

    settings: Settings
    seed: int
    threads: int = 1
    progress: bool = False
    alternatives: bool = True

    def task(self, text: str) -> str | None:
        """Name of a stage for those who report it themselves; None where nobody wants to know."""
        return text if self.progress else None


def counter(progress: bool, task: str, total: int, unit: str) -> Callable[[], None] | None:
    """What to call after each of `total` steps; None where nobody wants to know."""
    return Progress(task, total, unit=unit).step if progress and total > 0 else None


def plural(number: int, word: str) -> str:
    """A number with its noun."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def subsample(n_items: int, most: int, seed: int, purpose: str) -> IntArray:
    """Positions of all items, of many those of some drawn at random."""
    if n_items <= most:
        return np.arange(n_items)
    return np.sort(stream(seed, purpose).permutation(n_items)[:most])
