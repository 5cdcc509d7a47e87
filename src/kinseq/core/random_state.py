"""``random_state`` of scikit-learn as the root of the random streams of :mod:`kinseq.core.seeds`."""

from __future__ import annotations

import numpy as np

from .arrays import as_seed

RandomState = int | np.random.RandomState | np.random.Generator | None
"""Type of arguments called `random_state`, as in scikit-learn; a generator of NumPy is accepted too."""
ROOT = 0
"""Default root in every function and command, so that the same data give the same answer. Experiments of the documents use
that of their configuration, and ``GaussianHMM`` uses hmmlearn's, None."""


def check_seed(random_state: RandomState) -> int:
    """Return the root of the random streams: a whole number, or one drawn as scikit-learn does.

    An int is the root itself. A generator draws one, so that its next call gives another; None asks NumPy's
    global state. Anything else is a ParameterError.
    """
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31 - 1))
    if random_state is None or isinstance(random_state, np.random.RandomState):
        from sklearn.utils import check_random_state

        return int(check_random_state(random_state).randint(2**31 - 1))
    return as_seed(random_state, "random_state")
