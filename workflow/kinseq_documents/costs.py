"""Computations that matrices of costly measures share, and files that they keep, so that the plan can form jobs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Cost:
    """How the matrices of one measure are made.

    Attributes
    ----------
    stored : bool
        Whether they get a file of their own also where they are clustered, as they take longer than all else.
    same_run : tuple of str
        Parameters on which the long part of the work does not depend: measures that differ in nothing else share it where
        a single process computes them one after the other.
    run_length : callable or None
        ``run_length(params)`` says how much of that work is done with some parameters; a longer run serves shorter ones
        that come after it.
    """

    stored: bool = False
    same_run: tuple[str, ...] = ()
    run_length: Callable[[Mapping[str, Any]], float] | None = None


def _iterations(params: Mapping[str, Any]) -> float:
    """Return iterations of SIC; where a run stops by itself is not known beforehand."""
    return 0.0 if params["stop"] is not None else float(params["n_iterations"])


COSTS: Mapping[str, Cost] = {
    "dtw_symmetric2": Cost(stored=True),
    "sic": Cost(
        stored=True,
        same_run=("scores", "p0", "flips", "sigma", "settling", "n_iterations", "stop"),
        run_length=_iterations,
    ),
    "sic_ova": Cost(same_run=("normalised",)),
}
"""By the name of the measure."""
USUAL = Cost()
"""Of all others."""
