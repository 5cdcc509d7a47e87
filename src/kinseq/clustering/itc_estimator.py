"""Information-theoretic clustering with the conventions of scikit-learn."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import validate_data

from ..core.arrays import require_no_dissimilarities
from ..core.random_state import RandomState
from .itc import Method, Metric, information_theoretic


class InformationTheoreticClustering(ClusterMixin, BaseEstimator):
    """Cluster points, or items with known dissimilarities, by the divergence between the clusters.

    Parameters
    ----------
    n_clusters : int or None
        K. None takes the number from 2 to `max_clusters` whose divergence is largest.
    method : {"knn", "kernel"}
        How densities are estimated.
    n_runs, n_voters : int
        Random starts, and how many of the best of them vote.
    metric : {"euclidean", "precomputed"}
        Whether X holds vectors or a symmetric matrix of dissimilarities.
    exponent : float, "d" or None
        Power of the distance that stands for a volume. None: the number of features, 1 for a matrix.
    width : float or {"mean_deviation", "silverman"}
        Width of the kernel.
    convention : {"convolution", "plug_in"}
        Kernel convention.
    k_numerator : int
    k_denominator : int or "farthest"
    factor : bool
    k_init, n_init : int or None
    share : float
    growth : {"member", "start"}
    max_clusters : int
        See :func:`kinseq.clustering.information_theoretic` for these.
    n_jobs : int or None
        Threads; the result does not depend on it.
    random_state : int, RandomState, Generator or None
        Root of the random streams of the runs. None draws one from NumPy's global state.

    Attributes
    ----------
    labels_ : ndarray, shape (N,), int64
        Vote of the best runs, numbered in order of first appearance.
    n_clusters_ : int
        Number of clusters.
    divergences_ : ndarray, shape (n_runs,)
        Mean pairwise Cauchy-Schwarz divergence of each run, in nats.
    clustering_ : kinseq.clustering.itc.ItcClustering
        All runs with their traces, and the curve of the divergence over numbers of clusters.
    n_features_in_ : int

    References
    ----------
    Thesis 2012, chapter 4.

    Examples
    --------
    >>> import numpy as np
    >>> from kinseq import InformationTheoreticClustering
    >>> points = np.random.default_rng(0).normal(size=(60, 2)) + 9.0 * (np.arange(60) % 2)[:, None]
    >>> InformationTheoreticClustering(n_clusters=2, random_state=0).fit_predict(points)[:6]
    array([0, 1, 0, 1, 0, 1])
    """

    def __init__(
        self,
        n_clusters: int | None = None,
        method: Method = "knn",
        n_runs: int = 50,
        n_voters: int = 5,
        metric: Metric = "euclidean",
        exponent: float | Literal["d"] | None = None,
        width: float | str = "mean_deviation",
        convention: str = "convolution",
        k_numerator: int = 1,
        k_denominator: int | str = "farthest",
        factor: bool = True,
        k_init: int | None = None,
        n_init: int | None = None,
        share: float = 0.8,
        growth: str = "member",
        max_clusters: int = 8,
        n_jobs: int | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.method = method
        self.n_runs = n_runs
        self.n_voters = n_voters
        self.metric = metric
        self.exponent = exponent
        self.width = width
        self.convention = convention
        self.k_numerator = k_numerator
        self.k_denominator = k_denominator
        self.factor = factor
        self.k_init = k_init
        self.n_init = n_init
        self.share = share
        self.growth = growth
        self.max_clusters = max_clusters
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: object = None) -> InformationTheoreticClustering:
        """Cluster.

        Parameters
        ----------
        X : array_like, shape (N, d) or (N, N)
            What `metric` says.
        y : ignored
            Present by convention.

        Returns
        -------
        InformationTheoreticClustering
            The estimator itself.

        Raises
        ------
        ValueError
            If X is not usable or a parameter is out of range.
        """
        # Later code checks the range of a matrix block by block, without a copy.
        data = validate_data(self, X, dtype=np.float64, ensure_all_finite=self.metric != "precomputed")
        if self.metric != "precomputed":
            require_no_dissimilarities(data, "X", "cluster them with metric='precomputed'")
        params = self.get_params(deep=False)
        self.clustering_ = information_theoretic(data, params.pop("n_clusters"), **params)
        self.labels_ = self.clustering_.labels
        self.n_clusters_ = int(self.labels_.max()) + 1
        self.divergences_ = self.clustering_.divergences
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.metric == "precomputed"
        tags.non_deterministic = self.random_state is None
        return tags
