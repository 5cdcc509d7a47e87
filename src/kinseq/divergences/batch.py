"""Estimates of the Jeffreys divergence for every two sets of a collection, in one pass over the distances."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..core.arrays import FloatArray, as_count
from ..core.sequences import Sequences, as_sequence_set
from .checks import as_choice
from .nearest import Integral, PairwiseJeffreys
from .neighbours import Within
from .wang import PairwiseWang, require_for_all

ESTIMATORS = ("nn", "wang")


def pairwise_jeffreys(
    sets: Sequences, estimators: Iterable[str] = ("nn",), k: int = 1, **integral: Any
) -> dict[str, FloatArray]:
    """Jeffreys divergence of every two sets by nearest neighbours, not clipped.

    Parameters
    ----------
    sets : SequenceSet or list of array_like, each of shape (n_i, d)
        N sets of vectors.
    estimators : iterable of {"nn", "wang"}
        :func:`kinseq.divergences.nn_jeffreys` and :func:`kinseq.divergences.wang_jeffreys`; both share the distances.
    k : int
        Neighbour of the second.
    **integral
        Options of the first: ``grid``, ``n_priors``, ``limits``, ``pool``, ``tail``.

    Returns
    -------
    dict of str to ndarray, shape (N, N)
        In nats; symmetric, zero diagonal, entries may be negative.

    Raises
    ------
    DataError, ParameterError
        If the sets or the arguments are not usable.
    """
    data, wanted = as_sequence_set(sets), tuple(estimators)
    for name in wanted:
        as_choice("estimator", name, ESTIMATORS)
    count, options = as_count(k, "k"), Integral(**integral)
    if "wang" in wanted:
        require_for_all(data, count)
    matrices = {name: np.zeros((len(data), len(data))) for name in wanted}
    within = Within.of(data, count)
    estimate = PairwiseJeffreys(data.lengths, options)
    by_distance = PairwiseWang(within) if "wang" in wanted else None
    for runs in within.blocks():
        j = slice(runs.others.start, runs.others.stop)
        if "nn" in matrices:
            matrices["nn"][runs.i, j] = matrices["nn"][j, runs.i] = estimate(runs)
        if by_distance is not None:
            matrices["wang"][runs.i, j] = matrices["wang"][j, runs.i] = by_distance(runs).sum(axis=0)
    return matrices
