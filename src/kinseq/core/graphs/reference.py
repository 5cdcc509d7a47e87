"""Sets without clusters that otherwise resemble the given items: the reference for a number of clusters.

Any algorithm cuts any cloud of items into as many pieces as requested, and scores of the pieces rise or fall with
their number even where there is nothing to find. So the same is done with items drawn from one Gaussian distribution
with the covariance of the given ones, as the gap statistic does with k-means.

Sources: Tibshirani, Walther and Hastie (2001), "Estimating the number of clusters in a data set via the gap statistic";
Liu, Hayes, Nobel and Marron (2008), "Statistical significance of clustering for high-dimension, low-sample size data".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import FloatArray, IntArray, as_count, as_dissimilarity
from ..errors import DataError
from ..seeds import stream

Reference = Callable[[IntArray, int, int], tuple[FloatArray, Iterator[FloatArray]]]
"""``reference(items, count, seed)`` returns the dissimilarities of some items, and `count` matrices of as many items
without clusters."""


def coordinates(distance: ArrayLike) -> tuple[FloatArray, float]:
    """Return points with the nearest Euclidean distances to given ones, by classical scaling, and their unit.

    Centred, (N, N), in units of the largest distance (1 if all are 0). What no Euclidean space can hold, negative
    eigenvalues, is left out; magnitudes of distances count.
    """
    square = np.abs(as_dissimilarity(distance))
    unit = float(square.max(initial=0.0)) or 1.0
    squares = (square / unit) ** 2
    np.fill_diagonal(squares, 0.0)
    means = squares.mean(axis=0)
    inner = 0.5 * (means[:, None] + means - squares - squares.mean())
    values, vectors = np.linalg.eigh(inner)
    return vectors * np.sqrt(np.maximum(values, 0.0)), unit


def unclustered(views: Sequence[ArrayLike], count: int, seed: int) -> Iterator[list[FloatArray]]:
    """Draw N items `count` times from one Gaussian distribution, and return their distances in every view, in its unit.

    An item is a random combination of the given ones, the same in all views, so that views vary together as they do for
    the given items. A DataError if there is no view, or views differ in shape.
    """
    clouds = [coordinates(view) for view in views]
    if len({len(points) for points, _ in clouds}) != 1:
        raise DataError(f"reference: {len(clouds)} views of different sets; give views of one set of items")
    n = len(clouds[0][0])
    for i in range(as_count(count, "count", 0)):
        weights = stream(seed, "unclustered", i).normal(scale=1.0 / np.sqrt(n), size=(n, n))
        yield [_distances(weights @ points) * unit for points, unit in clouds]


def _distances(points: FloatArray) -> FloatArray:
    norms = np.einsum("ij,ij->i", points, points)
    squares = norms[:, None] + norms - 2.0 * points @ points.T
    distance = np.sqrt(np.maximum(0.5 * (squares + squares.T), 0.0))
    np.fill_diagonal(distance, 0.0)
    return distance


def of_matrix(distance: FloatArray) -> Reference:
    """Reference for a measure from its matrix alone, shape (N, N)."""

    def reference(items: IntArray, count: int, seed: int) -> tuple[FloatArray, Iterator[FloatArray]]:
        some = distance[np.ix_(items, items)]
        return some, (matrix for (matrix,) in unclustered([some], count, seed))

    return reference
