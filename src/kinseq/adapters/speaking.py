"""Code that the adapters share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from sklearn.base import clone

from ..api.estimator import SequenceClustering
from ..core.arrays import FloatArray, IntArray
from ..core.errors import KinseqError, ParameterError
from ..core.sequences import Layout


def missing(adapter: str, package: str) -> KinseqError:
    """Return the error for a library that is not installed."""
    return KinseqError(f"kinseq.adapters.{adapter} needs the package {package}, which is not installed; install it")


def fitted(estimator: SequenceClustering | None, series: Sequence[FloatArray], layout: Layout) -> SequenceClustering:
    """Return a fitted copy of an estimator, by default of one with default parameters.

    A ParameterError if it is no such estimator, or says another layout than the one in which series are handed on.
    """
    mine = SequenceClustering() if estimator is None else estimator
    if not isinstance(mine, SequenceClustering):
        raise ParameterError(f"estimator is {estimator!r:.80}, expected a kinseq.SequenceClustering or None")
    if mine.layout not in (None, layout):
        raise ParameterError(f"layout is {mine.layout!r}, but series come as {layout!r} here; leave it out")
    return clone(mine).set_params(layout=layout).fit(list(series))


def memberships(labels: IntArray, n_clusters: int) -> FloatArray:
    """1 for the cluster of a sequence and 0 for the others, shape (n, n_clusters)."""
    return np.eye(n_clusters)[labels]
