"""A clusterer of sktime."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from ..api.estimator import SequenceClustering
from ..core.arrays import FloatArray, IntArray
from .speaking import fitted, memberships, missing

try:
    from sktime.clustering.base import BaseClusterer
except ImportError as error:
    raise missing("SktimeClustering", "sktime") from error


class SktimeClustering(BaseClusterer):
    """:class:`kinseq.SequenceClustering` as a clusterer of sktime.

    Parameters
    ----------
    estimator : SequenceClustering or None
        What clusters; a copy of it is fitted. The default one without it. Its parameters can be set as
        ``estimator__measure`` and so on; `layout` is left out.

    Attributes
    ----------
    estimator_ : SequenceClustering
        The fitted copy, with everything else: ``analysis_``, ``medoids_``, ``findings_`` ...
    labels_ : ndarray, shape (n_instances,), int64
        Cluster of each series, from 0, the largest cluster first.
    n_clusters_ : int

    Notes
    -----
    Panels are any of sktime's: an array is ``(n_instances, n_dimensions, n_timepoints)``; a list of frames has one row a time
    point. sktime turns them into such a list, whose index is left out.

    Examples
    --------
    >>> import numpy as np
    >>> from kinseq import SequenceClustering
    >>> from kinseq.adapters import SktimeClustering  # doctest: +SKIP
    >>> series = np.random.default_rng(0).normal(size=(9, 2, 20)) + 3.0 * (np.arange(9) % 2)[:, None, None]
    >>> SktimeClustering(SequenceClustering(2, "dtw")).fit_predict(series)  # doctest: +SKIP
    array([0, 1, 0, 1, 0, 1, 0, 1, 0])
    """

    _tags = {  # noqa: RUF012 - sktime's own way
        "X_inner_mtype": "df-list",
        "capability:multivariate": True,
        "capability:unequal_length": True,
        "capability:random_state": False,
        "python_dependencies": None,
    }

    def __init__(self, estimator: SequenceClustering | None = None) -> None:
        self.estimator = estimator
        super().__init__()

    def _fit(self, X: Sequence[pd.DataFrame], y: Any = None) -> SktimeClustering:
        self.estimator_ = fitted(self.estimator, _values(X), "channels_last")
        self.labels_: IntArray = self.estimator_.labels_
        self.n_clusters_: int = self.estimator_.n_clusters_
        return self

    def fit_predict(self, X: Any, y: Any = None) -> IntArray:
        """`labels_` after a fit, as in kinseq and aeon; sktime would call :meth:`predict`."""
        return np.asarray(self.fit(X, y).labels_)

    def _predict(self, X: Sequence[pd.DataFrame], y: Any = None) -> IntArray:
        return self.estimator_.predict(_values(X))

    def _predict_proba(self, X: Sequence[pd.DataFrame]) -> FloatArray:
        return memberships(self._predict(X), self.n_clusters_)

    @classmethod
    def get_test_params(cls, parameter_set: str = "default") -> list[dict[str, Any]]:
        """Return parameters for sktime's checks: quick measures."""
        return [{"estimator": SequenceClustering(2, measure, n_resamples=1)} for measure in ("dtw", "mean_vector")]


def _values(X: Sequence[pd.DataFrame]) -> list[FloatArray]:
    return [frame.to_numpy(dtype=float) for frame in X]
