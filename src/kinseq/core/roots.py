"""``random_state`` of scikit-learn as the root of the random streams of :mod:`kinseq.core.seeds`."""

from __future__ import annotations

from typing import Any

import numpy as np

from .arrays import as_seed


def as_root(random_state: Any) -> int:
    """Root of the random streams: a whole number, or one that is drawn as scikit-learn does.

    Parameters
    ----------
    random_state : int, RandomState instance or None
        None draws from NumPy's global state.

    Raises
    ------
    ParameterError
        If it is nothing of the kind.
    """
    if random_state is None or isinstance(random_state, np.random.RandomState):
        from sklearn.utils import check_random_state

        return int(check_random_state(random_state).randint(2**31 - 1))
    return as_seed(random_state, "random_state")
