"""How many threads a call may use."""

from __future__ import annotations

from numbers import Integral
from typing import Any

from .errors import ParameterError


def as_threads(n_jobs: Any) -> int:
    """Number of threads that `n_jobs` stands for, as in scikit-learn: None is 1 (or what a ``joblib.parallel_config`` around the
    call says), -1 all processors, -2 all but one.

    Raises
    ------
    ParameterError
        If it is neither None nor a whole number other than 0.
    """
    from joblib import effective_n_jobs

    if n_jobs is not None and (isinstance(n_jobs, bool) or not isinstance(n_jobs, Integral) or n_jobs == 0):
        raise ParameterError(f"n_jobs is {n_jobs!r}, expected None, a number of threads, or -1 for all processors")
    return int(effective_n_jobs(n_jobs))
