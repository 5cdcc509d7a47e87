"""A clusterer of aeon."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..api.estimator import SequenceClustering
from ..core.arrays import FloatArray, IntArray
from .speaking import fitted, memberships, missing

try:
    from aeon.clustering import BaseClusterer
except ImportError as error:
    raise missing("AeonClustering", "aeon") from error


class AeonClustering(BaseClusterer):
    """:class:`kinseq.SequenceClustering` as a clusterer of aeon.

    Parameters
    ----------
    estimator : SequenceClustering or None
        What clusters; a copy of it is fitted. The default one without it. Its parameters can be set as
        ``estimator__measure`` and so on; `layout` is left out.

    Attributes
    ----------
    estimator_ : SequenceClustering
        The fitted copy, with everything else: ``analysis_``, ``medoids_``, ``findings_`` ...
    labels_ : ndarray, shape (n_cases,), int64
        Cluster of each series, from 0, the largest cluster first.
    n_clusters_ : int

    Notes
    -----
    Collections are those of aeon: an array ``(n_cases, n_channels, n_timepoints)``, one of shape ``(n_cases, n_timepoints)``, or
    a list of arrays ``(n_channels, n_timepoints)`` of unequal lengths. In kinseq an array of two axes in a list is (time,
    channels) without a `layout`; here it is (channels, time) always.

    Examples
    --------
    >>> import numpy as np
    >>> from kinseq import SequenceClustering
    >>> from kinseq.adapters import AeonClustering  # doctest: +SKIP
    >>> random = np.random.default_rng(0)
    >>> series = [random.normal(3 * (i % 2), 1, size=(2, 20 + i)) for i in range(9)]
    >>> AeonClustering(SequenceClustering(2, "dtw")).fit_predict(series)  # doctest: +SKIP
    array([0, 1, 0, 1, 0, 1, 0, 1, 0])
    """

    _tags = {  # noqa: RUF012 - aeon's own way
        "capability:multivariate": True,
        "capability:unequal_length": True,
        "X_inner_type": ["np-list", "numpy3D"],
        "algorithm_type": "distance",
    }

    def __init__(self, estimator: SequenceClustering | None = None) -> None:
        self.estimator = estimator
        super().__init__()

    def _fit(self, X: Sequence[FloatArray], y: Any = None) -> AeonClustering:
        self.estimator_ = fitted(self.estimator, X, "channels_first")
        self.labels_: IntArray = self.estimator_.labels_
        self.n_clusters_: int = self.estimator_.n_clusters_
        return self

    def _predict(self, X: Sequence[FloatArray]) -> IntArray:
        return self.estimator_.predict(list(X))

    def _predict_proba(self, X: Sequence[FloatArray]) -> FloatArray:
        return memberships(self._predict(X), self.n_clusters_)

    @classmethod
    def _get_test_params(cls, parameter_set: str = "default") -> dict[str, Any]:
        """Return parameters for aeon's checks: a quick measure."""
        return {"estimator": SequenceClustering(2, "dtw", n_resamples=1)}
