"""Rules that people use on one matrix of dissimilarities, each at what its source or its library proposes.

A rule is given the matrix and how it is cut, and returns labels; their number is the number it finds. Items that HDBSCAN
calls noise have the label -1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property

import numpy as np
from scipy.linalg import eigvalsh
from sklearn.cluster import HDBSCAN

from kinseq.clustering.direct import as_gaussian
from kinseq.clustering.registry import get
from kinseq.core.arrays import FloatArray, IntArray
from kinseq.core.graphs.affinity import gaussian, local_widths
from kinseq.core.graphs.kmeans import kmeans
from kinseq.core.graphs.reference import coordinates
from kinseq.core.seeds import derive_seed, stream
from kinseq.metrics.internal import silhouettes

from .planted import LEAST

MOST = 10
"""Largest number of clusters that a rule tries; no set has more groups."""
REFERENCES = 10
"""Sets without clusters of the gap statistic."""
DIMENSIONS = 10
"""Leading coordinates of the matrix in which the gap statistic is taken."""


class Matrix:
    """Dissimilarities, and how they are cut: spectral clustering, at local widths or of affinities as they are.

    Parameters
    ----------
    distance : ndarray, shape (N, N)
    logarithmic : bool
        Whether entries are minus the logarithm of affinities, as of a fusion.
    seed : int
    """

    def __init__(self, distance: FloatArray, logarithmic: bool = False, seed: int = 0) -> None:
        self.distance, self.logarithmic, self.seed = distance, logarithmic, seed
        self._partitions: dict[int, IntArray] = {1: np.zeros(len(distance), dtype=np.int64)}

    @property
    def numbers(self) -> list[int]:
        """Numbers of clusters above 1 that are tried: as many as there may be groups of the least size."""
        return list(range(2, max(2, min(MOST, len(self.distance) // LEAST)) + 1))

    def cut(self, number: int) -> IntArray:
        """Clusters, shape (N,)."""
        missing = [number for number in {number, *self.numbers} if number not in self._partitions]
        if missing:
            name, params = ("spectral_direct", {}) if self.logarithmic else ("spectral", {"width": "local"})
            self._partitions |= dict(
                zip(missing, get(name).for_numbers(self.distance, missing, self.seed, **params), strict=True)
            )
        return self._partitions[number]

    @cached_property
    def affinity(self) -> FloatArray:
        """Affinities that it is cut by, shape (N, N), zero diagonal."""
        if self.logarithmic:
            return gaussian(as_gaussian(self.distance), 1.0)
        return gaussian(self.distance, local_widths(self.distance))


def silhouette_rule(matrix: Matrix) -> IntArray:
    """Return the number from 2 on with the largest mean silhouette (Rousseeuw 1987)."""
    means = [float(silhouettes(matrix.distance, matrix.cut(number)).mean()) for number in matrix.numbers]
    return matrix.cut(matrix.numbers[int(np.argmax(means))])


def eigengap_rule(matrix: Matrix) -> IntArray:
    """Return the number from 1 on behind which the eigenvalues of the normalised affinity fall most (von Luxburg 2007)."""
    degree = np.maximum(matrix.affinity.sum(axis=1), 1e-300)
    normalised = matrix.affinity / np.sqrt(np.outer(degree, degree))
    values = np.sort(eigvalsh(normalised))[::-1][: matrix.numbers[-1] + 1]
    return matrix.cut(1 + int(np.argmax(values[:-1] - values[1:])))


def gap_rule(matrix: Matrix) -> IntArray:
    """Return the least number whose gap is within one error of the largest gap (Dudoit and Fridlyand 2002).

    The gap is that of Tibshirani, Walther and Hastie (2001): k-means of the coordinates that classical scaling gives to the
    matrix, against points that are uniform along their principal axes. Their own rule, one error of the next gap, stops at a
    single cluster of three evenly spaced ones.
    """
    points = coordinates(matrix.distance)[0]
    leading = np.argsort(-(points**2).sum(axis=0), kind="stable")[:DIMENSIONS]
    points = points[:, leading]
    numbers = [1, *matrix.numbers]
    if not np.ptp(points, axis=0).any():
        return matrix.cut(1)
    least, most = points.min(axis=0), points.max(axis=0)
    rng = stream(matrix.seed, "laboratory", "gap")
    here, labels = _log_within(points, numbers, matrix.seed)
    boxes = [rng.uniform(least, most, size=points.shape) for _ in range(REFERENCES)]
    there = np.array([_log_within(box, numbers, matrix.seed)[0] for box in boxes])
    gaps = there.mean(axis=0) - here
    errors = there.std(axis=0) * np.sqrt(1.0 + 1.0 / REFERENCES)
    best = int(np.argmax(gaps))
    return labels[int(np.flatnonzero(gaps >= gaps[best] - errors[best])[0])]


def _log_within(points: FloatArray, numbers: list[int], seed: int) -> tuple[FloatArray, list[IntArray]]:
    """Return logarithms of the sums of squares within clusters of k-means, and the clusters."""
    runs = [kmeans(points, number, derive_seed(seed, "gap", number), n_init=3) for number in numbers]
    return np.log(np.maximum([distortion for _, distortion in runs], 1e-300)), [labels for labels, _ in runs]


def hdbscan_rule(matrix: Matrix) -> IntArray:
    """HDBSCAN of scikit-learn; the smallest cluster is the smallest group there is."""
    model = HDBSCAN(min_cluster_size=LEAST, metric="precomputed", copy=True).fit(matrix.distance)
    return np.asarray(model.labels_, dtype=np.int64)


RULES: Mapping[str, Callable[[Matrix], IntArray]] = {
    "silhouette": silhouette_rule,
    "gap": gap_rule,
    "eigengap": eigengap_rule,
    "hdbscan": hdbscan_rule,
}
"""All rules by name."""
