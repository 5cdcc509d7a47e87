"""Clustering of sequences with the conventions of scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils import check_random_state

from .arrays import FloatArray, as_count, as_seed, require_clusters
from .clustering.registry import get as get_clusterer
from .clustering.registry import names as clusterer_names
from .clustering.registry import segmenters
from .errors import ParameterError, unknown_name
from .kmeans import relabel
from .measures.evidence import compute_with_findings, valid_params
from .measures.registry import get as get_measure
from .measures.registry import names as measure_names
from .ordering import by_content
from .sequences import Layout, Sequences, SequenceSet, as_sequence_set


class SequenceClustering(ClusterMixin, BaseEstimator):
    """Cluster sequences: dissimilarities under a measure, then a clusterer of the matrix, or a clusterer of the sequences.

    Parameters
    ----------
    measure : str
        One of :func:`kinseq.measures.names`; without effect if the clusterer takes the sequences themselves.
    n_clusters : int or None
        Number of clusters; None for clusterers that can do without.
    clusterer : str
        One of :func:`kinseq.clustering.names`.
    random_state : int, RandomState instance or None
        Seed of the models and of the clusterer. An int makes the result reproducible; None draws a seed from NumPy's
        global state.
    layout : {"channels_last", "channels_first"} or None
        Whether arrays are (time, channels) or, as in aeon and sktime, (channels, time); see
        :meth:`kinseq.SequenceSet.from_arrays`.
    **params
        Parameters of the measure, of the models it needs (``model``: their kind; for HMMs ``n_states``, ``preset``,
        ``covariance``, ``n_init``, ``max_iter``, ``tol``, ``floor``, ``pool``) and of the clusterer, told apart by
        name; a name that measure and clusterer both know (``width`` and ``diagonal`` of ``kl_ll_ms``) goes
        to both. They are checked by :meth:`fit`.

    Attributes
    ----------
    labels_ : ndarray, shape (N,), int64
        Cluster number of each sequence, from 0 in order of first appearance.
    distance_ : ndarray, shape (N, N), or None
        Dissimilarities that were clustered; None if the sequences themselves were.
    findings_ : dict
        What the measure reported beside the matrix.
    n_features_in_ : int
        Number of features of a frame.

    Notes
    -----
    Sequences are sorted by content first, and what is found is put back into the order of X: their order changes neither
    the dissimilarities nor the partition, and equal sequences are in one cluster. The matrix is that of
    ``kinseq.measures.compute(..., seed=random_state)`` up to rounding and to ties, which go to the lowest position. A
    segmenter (``"spectral_segmentation"``) takes the sequences in the order of X.

    Examples
    --------
    >>> import numpy as np
    >>> from kinseq import SequenceClustering
    >>> random = np.random.default_rng(0)
    >>> sequences = [random.normal(3 * (i % 2), 1, size=(30, 2)) for i in range(10)]
    >>> SequenceClustering(measure="dtw", n_clusters=2, random_state=0).fit_predict(sequences)
    array([0, 1, 0, 1, 0, 1, 0, 1, 0, 1])
    """

    def __init__(
        self,
        measure: str = "kl_ll",
        n_clusters: int | None = 2,
        clusterer: str = "spectral",
        random_state: Any = None,
        layout: Layout | None = None,
        **params: Any,
    ) -> None:
        self.measure = measure
        self.n_clusters = n_clusters
        self.clusterer = clusterer
        self.random_state = random_state
        self.layout = layout
        # Kept as attributes of their own, as scikit-learn does with named parameters; the list says which they are.
        self._extra = tuple(params)
        for name, value in params.items():
            setattr(self, name, value)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Parameters by name, those given as ``**params`` included.

        Parameters
        ----------
        deep : bool
            Without effect: no parameter is an estimator.
        """
        return {**super().get_params(deep=deep), **{name: getattr(self, name) for name in self._extra}}

    def set_params(self, **params: Any) -> SequenceClustering:
        """Set parameters, old or new ones of the measure, its models and the clusterer.

        Returns
        -------
        SequenceClustering
            The estimator itself.

        Raises
        ------
        ParameterError
            If neither the measure nor the clusterer knows such a parameter. Values are checked by :meth:`fit`.
        """
        known = super().get_params(deep=False)
        measure, clusterer = params.get("measure", self.measure), params.get("clusterer", self.clusterer)
        if str(measure) in measure_names() and str(clusterer) in clusterer_names():
            valid = self._valid(measure, clusterer, params.get("model", getattr(self, "model", None)))
            for name in params:
                if name not in known and name not in valid:
                    raise ParameterError(f"SequenceClustering: {unknown_name('parameter', name, {*known, *valid})}")
        for name, value in params.items():
            setattr(self, name, value)
        self._extra = tuple(dict.fromkeys([*self._extra, *(name for name in params if name not in known)]))
        return self

    @staticmethod
    def _valid(measure: str, clusterer: str, model: str | None) -> list[str]:
        chosen = get_clusterer(clusterer)
        of_measure = valid_params(get_measure(measure), model) if chosen.takes == "matrix" else ()
        return sorted({*of_measure, *chosen.params})

    def fit(self, X: Sequences, y: Any = None) -> SequenceClustering:
        """Compute the dissimilarities and cluster them.

        Parameters
        ----------
        X : SequenceSet, list of array_like, each of shape (T, d), or ndarray of shape (N, T, d)
            At least `n_clusters` sequences of any lengths; see `layout` for arrays of channels first.
        y : ignored
            Present by convention.

        Returns
        -------
        SequenceClustering
            The estimator itself.

        Raises
        ------
        DataError
            If the sequences are not usable.
        ParameterError
            If a parameter is unknown or out of range.
        """
        measure, clusterer = get_measure(self.measure), get_clusterer(self.clusterer)
        params = {name: getattr(self, name) for name in self._extra}
        valid = self._valid(self.measure, self.clusterer, params.get("model"))
        for name in params:
            if name not in valid:
                raise ParameterError(
                    f"SequenceClustering(measure={self.measure!r}, clusterer={self.clusterer!r}):"
                    f" {unknown_name('parameter', name, valid)}"
                )
        seed, clusters = self._seed(), None
        if self.n_clusters is not None or clusterer.needs_n_clusters:
            clusters = as_count(self.n_clusters, "n_clusters")
        given = as_sequence_set(X, self.layout)
        if clusters is not None:
            require_clusters(len(given), clusters, "SequenceClustering")
        ordering = by_content(given)
        ordered = given.subset(ordering.positions)
        for_clusterer = {name: value for name, value in params.items() if name in clusterer.params}
        data: FloatArray | SequenceSet = ordered
        self.distance_: FloatArray | None = None
        self.findings_: dict[str, Any] = {}
        if clusterer.takes == "matrix":
            known = valid_params(measure, params.get("model"))
            for_measure = {name: value for name, value in params.items() if name in known}
            data, self.findings_ = compute_with_findings(
                self.measure, ordered, n_clusters=clusters, seed=seed, **for_measure
            )
            data = ordering.equal_alike(data)
            self.distance_ = ordering.restore_matrix(data)
        if self.clusterer in segmenters():
            data = given if self.distance_ is None else self.distance_
            self.labels_ = clusterer(data, clusters, seed=seed, **for_clusterer)
        else:
            found = clusterer(data, clusters, seed=seed, **for_clusterer)
            self.labels_ = relabel(ordering.restore_labels(found))
        self.n_features_in_ = given.n_features
        return self

    def _seed(self) -> int:
        if self.random_state is None or isinstance(self.random_state, np.random.RandomState):
            return int(check_random_state(self.random_state).randint(2**31 - 1))
        return as_seed(self.random_state, "random_state")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.input_tags.three_d_array = True
        tags.non_deterministic = self.random_state is None
        return tags
