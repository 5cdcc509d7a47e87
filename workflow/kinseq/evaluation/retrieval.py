"""How well a dissimilarity matrix brings items of one class together, before anything is clustered.

Every item is a query once; the others are ranked by their dissimilarity to it, ties by index. A query that has no
other item of its class has no relevant item: retrieval metrics leave it out of their mean.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..arrays import FloatArray, as_count, as_distance
from ..errors import DataError, ParameterError
from .clustering import true_labels
from .registry import Metric


def _checked(labels: ArrayLike, distance: ArrayLike) -> tuple[NDArray[np.int64], FloatArray]:
    """Classes as whole numbers from 0, and the matrix, checked to be over the same items."""
    classes, square = true_labels(labels), as_distance(distance)
    if classes.size != len(square):
        raise DataError(
            f"there are {classes.size} labels but the matrix has {len(square)} rows; give one label of each item"
        )
    return classes, square


def ranking(distance: ArrayLike) -> NDArray[np.int64]:
    """The other items of every item, nearest first; ties by index.

    Parameters
    ----------
    distance : array_like, shape (N, N)
        Symmetric dissimilarities, N at least 2; entries may be negative.

    Returns
    -------
    ndarray, shape (N, N - 1), int64
        Row i holds every index but i.
    """
    square = as_distance(distance)
    n = len(square)
    if n < 2:
        raise DataError("a ranking needs at least 2 items; there is 1")
    order = np.argsort(square, axis=1, kind="stable")
    return order[order != np.arange(n)[:, None]].reshape(n, n - 1)


def _relevant(labels: ArrayLike, distance: ArrayLike) -> NDArray[np.bool_]:
    """Whether the item at each rank is of the class of the query; queries without any such item are left out."""
    classes, square = _checked(labels, distance)
    same = classes[ranking(square)] == classes[:, None]
    same = same[same.any(axis=1)]
    if len(same) == 0:
        raise DataError("no two items are of one class, so that nothing can be retrieved; give classes with 2 items")
    return np.asarray(same)


def mean_average_precision(labels: ArrayLike, distance: ArrayLike) -> float:
    """Mean over queries of the average precision: the precision at the rank of each relevant item, averaged over them.

    Parameters
    ----------
    labels : array_like, shape (N,)
        True classes.
    distance : array_like, shape (N, N)
        Symmetric dissimilarities.

    Returns
    -------
    float
        Above 0, at most 100 percent.

    References
    ----------
    Report RR-8880, section 2 (mAP).
    """
    same = _relevant(labels, distance)
    precision = np.cumsum(same, axis=1) / np.arange(1, same.shape[1] + 1)
    return float(100.0 * ((precision * same).sum(axis=1) / same.sum(axis=1)).mean())


def _hits(same: NDArray[np.bool_], rank: int) -> NDArray[np.int64]:
    r = as_count(rank, "rank")
    if r > same.shape[1]:
        raise ParameterError(f"rank is {r} but every item has only {same.shape[1]} others; ask for a lower rank")
    return np.asarray(same[:, :r].sum(axis=1), dtype=np.int64)


def precision_at(labels: ArrayLike, distance: ArrayLike, rank: int = 1) -> float:
    """Mean over queries of the share of items of the class among the nearest `rank` others.

    Parameters
    ----------
    labels : array_like, shape (N,)
        True classes.
    distance : array_like, shape (N, N)
        Symmetric dissimilarities.
    rank : int
        Between 1 and N - 1.

    Returns
    -------
    float
        Between 0 and 100 percent.

    References
    ----------
    Report RR-8880, section 2 (precision at rank r).
    """
    hits = _hits(_relevant(labels, distance), rank)
    return float(100.0 * (hits / rank).mean())


def f_at(labels: ArrayLike, distance: ArrayLike, rank: int) -> float:
    """Mean over queries of the F-score at a rank, the harmonic mean of precision and recall there.

    Parameters
    ----------
    labels : array_like, shape (N,)
        True classes.
    distance : array_like, shape (N, N)
        Symmetric dissimilarities.
    rank : int
        Between 1 and N - 1.

    Returns
    -------
    float
        Between 0 and 100 percent; 0 for queries without a hit.

    References
    ----------
    Report RR-8880, section 2 (f@r).
    """
    same = _relevant(labels, distance)
    # 2 P R / (P + R) with P = hits / rank and R = hits / relevant.
    return float(100.0 * (2.0 * _hits(same, rank) / (rank + same.sum(axis=1))).mean())


def nearest_neighbour_accuracy(labels: ArrayLike, distance: ArrayLike) -> float:
    """Share of items whose nearest other item is of their class (leave-one-out accuracy of the 1-NN classifier).

    Parameters
    ----------
    labels : array_like, shape (N,)
        True classes. An item that is alone in its class counts as wrong.
    distance : array_like, shape (N, N)
        Symmetric dissimilarities.

    Returns
    -------
    float
        Between 0 and 100 percent.
    """
    classes, square = _checked(labels, distance)
    return float(100.0 * (classes[ranking(square)[:, 0]] == classes).mean())


def roc_auc(labels: ArrayLike, distance: ArrayLike) -> float:
    """Share of (pair within a class, pair across classes) in which the pair within is nearer; ties count half.

    Parameters
    ----------
    labels : array_like, shape (N,)
        True classes.
    distance : array_like, shape (N, N)
        Symmetric dissimilarities; each unordered pair counts once.

    Returns
    -------
    float
        Area under the ROC curve, between 0 and 1.

    References
    ----------
    Report RR-8880, appendix C (ROC curves).
    """
    from scipy.stats import rankdata

    classes, square = _checked(labels, distance)
    rows, columns = np.triu_indices(len(square), k=1)
    within = classes[rows] == classes[columns]
    n_within, n_across = int(within.sum()), int((~within).sum())
    if n_within == 0 or n_across == 0:
        raise DataError("the area under a ROC curve needs pairs within a class and pairs across classes; add classes")
    ranks = rankdata(-square[rows, columns])
    return float((ranks[within].sum() - n_within * (n_within + 1) / 2.0) / (n_within * n_across))


def silhouette(labels: ArrayLike, distance: ArrayLike) -> float:
    """Mean silhouette width of the true classes.

    Parameters
    ----------
    labels : array_like, shape (N,)
        True classes, at least two and fewer than items.
    distance : array_like, shape (N, N)
        Symmetric dissimilarities. If one is negative, all are shifted so that the least is 0, since a silhouette is a
        ratio and needs a zero.

    Returns
    -------
    float
        Between -1 and 1; items alone in their class count 0.

    References
    ----------
    Rousseeuw (1987).
    """
    from sklearn.metrics import silhouette_score

    classes, square = _checked(labels, distance)
    n_classes = int(classes.max()) + 1
    if not 2 <= n_classes < classes.size:
        raise DataError(
            f"a silhouette needs at least 2 classes and fewer classes than items; there are {n_classes} classes of"
            f" {classes.size} items"
        )
    shifted = square - min(0.0, float(square.min()))
    np.fill_diagonal(shifted, 0.0)
    return float(silhouette_score(shifted, classes, metric="precomputed"))


METRICS = (
    Metric(
        name="map",
        label="Mean average precision",
        unit="percent",
        direction="higher",
        judges="matrix",
        reproduced_within=1.0,
        close_within=3.0,
        largest_se=2.0,
        least=0.0,
        most=100.0,
        default=True,
        function=mean_average_precision,
    ),
    Metric(
        name="p_at",
        label="Precision at {rank}",
        unit="percent",
        direction="higher",
        judges="matrix",
        reproduced_within=1.0,
        close_within=3.0,
        largest_se=2.0,
        least=0.0,
        most=100.0,
        ranked=True,
        function=precision_at,
    ),
    Metric(
        name="f_at",
        label="F-score at {rank}",
        unit="percent",
        direction="higher",
        judges="matrix",
        reproduced_within=1.0,
        close_within=3.0,
        largest_se=2.0,
        least=0.0,
        most=100.0,
        ranked=True,
        function=f_at,
    ),
    Metric(
        name="accuracy_1nn",
        label="Accuracy of the nearest neighbour",
        unit="percent",
        direction="higher",
        judges="matrix",
        reproduced_within=1.0,
        close_within=3.0,
        largest_se=2.0,
        least=0.0,
        most=100.0,
        default=True,
        function=nearest_neighbour_accuracy,
    ),
    Metric(
        name="roc_auc",
        label="Area under the ROC curve of pairs",
        unit="fraction",
        direction="higher",
        judges="matrix",
        reproduced_within=0.01,
        close_within=0.03,
        largest_se=0.02,
        least=0.0,
        most=1.0,
        default=True,
        function=roc_auc,
    ),
    Metric(
        name="silhouette",
        label="Silhouette of the true classes",
        unit="fraction",
        direction="higher",
        judges="matrix",
        reproduced_within=0.01,
        close_within=0.03,
        largest_se=0.02,
        least=-1.0,
        most=1.0,
        function=silhouette,
    ),
)
