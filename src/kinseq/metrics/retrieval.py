"""How well a dissimilarity matrix ranks items of one class together, without clustering.

Every item is a query once; the others are ranked by their dissimilarity to it, ties by index. A query that has no
other item of its class has no relevant item: retrieval metrics leave it out of their mean. In place of classes, metrics
of retrieval take lists of what is to be retrieved for each item, as a matrix of True and False.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.arrays import FloatArray, as_count, as_distance
from ..core.content_cache import ContentCache
from ..core.errors import DataError, ParameterError
from .external import true_labels
from .registry import Metric


def _checked(labels: ArrayLike, distance: ArrayLike) -> tuple[NDArray[np.int64], FloatArray]:
    """Return classes as whole numbers from 0, and the matrix, checked to be over the same items."""
    square = as_distance(distance)
    return _classes(labels, len(square)), square


def ranking(distance: ArrayLike) -> NDArray[np.int64]:
    """The other items of every item, nearest first, ties by index, shape (N, N - 1); `distance` may have negative entries."""
    square = as_distance(distance)
    n = len(square)
    if n < 2:
        raise DataError("a ranking needs at least 2 items; there is 1")
    order = np.argsort(square, axis=1, kind="stable")
    return order[order != np.arange(n)[:, None]].reshape(n, n - 1)


BLOCK_ROWS = 512
"""Number of queries ranked at a time, so that large sets need no second matrix over pairs."""


MAX_REMEMBERED_ITEMS = 4096
"""Number of items up to which the ranks of one matrix are kept for the next metric."""
Rows = tuple[NDArray[np.int64], NDArray[np.bool_]]
_last: ContentCache[list[Rows]] = ContentCache()
_orders: ContentCache[NDArray[np.uint16]] = ContentCache()


def _truth(truth: ArrayLike, n: int) -> NDArray[Any]:
    """Return classes as whole numbers from 0, or the lists of neighbours of the queries."""
    array = np.asarray(truth)
    if array.ndim != 2:
        return _classes(truth, n)
    if array.dtype != np.bool_ or array.shape != (n, n):
        raise DataError(
            f"lists of neighbours have shape {array.shape} and type {array.dtype}, expected True and False for each of"
            f" ({n}, {n}) pairs"
        )
    return array


def _related(truth: NDArray[Any], rows: slice) -> NDArray[np.bool_]:
    """Return rows of the true relation: same class, or in the query's list of neighbours."""
    return np.asarray(truth[rows] if truth.ndim == 2 else truth[rows, None] == truth)


def _classes(labels: ArrayLike, n: int) -> NDArray[np.int64]:
    classes = true_labels(labels)
    if classes.size != n:
        raise DataError(f"there are {classes.size} labels but the matrix has {n} rows; give one label of each item")
    return classes


def orders(square: FloatArray) -> Iterator[tuple[slice, NDArray[np.integer[Any]]]]:
    """Yield the ranked others of some queries at a time, ties by index: slices of queries with (queries, N - 1).

    Up to :data:`MAX_REMEMBERED_ITEMS` items the orders are kept for the next metric, and are not to be written to.
    """
    n = len(square)
    if n > MAX_REMEMBERED_ITEMS:
        for rows in _row_blocks(n):
            yield rows, _order(square, rows)
    else:
        order = _orders.get(
            (square,), lambda: np.concatenate([_order(square, r).astype(np.uint16) for r in _row_blocks(n)])
        )
        for rows in _row_blocks(n):
            yield rows, order[rows].astype(np.int64)


def _row_blocks(n: int) -> list[slice]:
    """Return blocks of queries that are ranked together."""
    return [slice(low, min(low + BLOCK_ROWS, n)) for low in range(0, n, BLOCK_ROWS)]


def _order(square: FloatArray, rows: slice) -> NDArray[np.int64]:
    own = np.arange(rows.start, rows.stop)
    order = np.argsort(square[rows], axis=1, kind="stable")
    return order[order != own[:, None]].reshape(own.size, len(square) - 1)


def _hit_rows(truth: ArrayLike, distance: ArrayLike) -> Iterable[Rows]:
    """Yield queries with relevant items in blocks, and whether the item at each rank is relevant."""
    square = as_distance(distance)
    n = len(square)
    wanted = _truth(truth, n)
    if n < 2:
        raise DataError("a ranking needs at least 2 items; there is 1")
    if n > MAX_REMEMBERED_ITEMS:
        return _ranked(wanted, square)
    return _last.get((wanted, square), lambda: list(_ranked(wanted, square)))


def _ranked(wanted: NDArray[Any], square: FloatArray) -> Iterator[Rows]:
    """Yield queries with relevant items in blocks, and the hits at each rank; an error if there are none at all."""
    n_relevant = 0
    for rows, order in orders(square):
        hits = np.take_along_axis(_related(wanted, rows), order, axis=1)
        some = hits.any(axis=1)
        n_relevant += int(some.sum())
        if some.any():
            yield np.arange(rows.start, rows.stop)[some], hits[some]
    if n_relevant == 0:
        raise DataError("no two items are of one class, so that nothing can be retrieved; give classes with 2 items")


def average_precision(truth: ArrayLike, distance: ArrayLike) -> tuple[NDArray[np.int64], FloatArray]:
    """Return queries with relevant items, and their average precision, above 0, at most 100 percent.

    `truth` are classes (N,), or a matrix of bool whose row i says which items are to be retrieved for item i. Report
    RR-8880, section 1.1.3 (AP).
    """
    queries, precisions = [], []
    for own, same in _hit_rows(truth, distance):
        precision = np.cumsum(same, axis=1) / np.arange(1, same.shape[1] + 1)
        queries.append(own)
        precisions.append(100.0 * (precision * same).sum(axis=1) / same.sum(axis=1))
    return np.concatenate(queries), np.concatenate(precisions)


class ByClass(NamedTuple):
    """A retrieval score of each class."""

    classes: NDArray[Any]
    """The classes, sorted"""
    sizes: NDArray[np.int64]
    """Number of items of each"""
    scores: FloatArray
    """Mean over the queries of each; 0 for a class of one item, which retrieves nothing"""

    @property
    def total(self) -> float:
        """Mean over all items, so that classes weigh by size."""
        mask = self.sizes > 1
        return float(np.average(self.scores[mask], weights=self.sizes[mask]))


def map_by_class(labels: ArrayLike, distance: ArrayLike) -> ByClass:
    """Mean average precision of the queries of each class. Report RR-8880, tables 1 and 4."""
    queries, precision = average_precision(labels, distance)
    classes, codes = np.unique(np.asarray(labels), return_inverse=True)
    own = codes.reshape(-1)[queries]
    sums = np.bincount(own, weights=precision, minlength=classes.size)
    counts = np.bincount(own, minlength=classes.size)
    return ByClass(classes, np.bincount(codes.reshape(-1)).astype(np.int64), sums / np.maximum(counts, 1))


def roc_curves(truth: ArrayLike, distance: ArrayLike, grid: ArrayLike) -> tuple[NDArray[np.int64], FloatArray]:
    """ROC curve of every query: share of relevant items against the share of others retrieved with them.

    Returns the M queries that have something to retrieve, and something not to, and their true positive rates (M, G) at
    the false positive rates of the grid; the upper end of a vertical piece. Items at equal distances are retrieved
    together: the curve is straight there. Report RR-8880, figures 25 and 27.
    """
    from sklearn.metrics import roc_curve

    square, at = as_distance(distance), np.asarray(grid, dtype=np.float64)
    wanted = _truth(truth, len(square))
    if at.ndim != 1 or at.size == 0 or not ((at >= 0.0) & (at <= 1.0)).all():
        raise ParameterError("grid holds numbers outside of 0 to 1; give false positive rates")
    queries, rates = [], []
    for i in range(len(square)):
        others = np.arange(len(square)) != i
        hits = _related(wanted, slice(i, i + 1))[0, others]
        if hits.any() and not hits.all():
            false, true, _ = roc_curve(hits, -square[i, others], drop_intermediate=False)
            queries.append(i)
            # Of points at the same abscissa, the upper one is found.
            rates.append(np.interp(at, false, true))
    if not queries:
        raise DataError("no item has both something to retrieve and something not to; give two classes with 2 items")
    return np.array(queries, dtype=np.int64), np.array(rates)


def _relevant(truth: ArrayLike, distance: ArrayLike) -> NDArray[np.bool_]:
    """Return whether the item at each rank is relevant; queries without relevant items are left out."""
    return np.concatenate([same for _, same in _hit_rows(truth, distance)])


def mean_average_precision(labels: ArrayLike, distance: ArrayLike) -> float:
    """Return the mean over queries of the average precision: the precision at the rank of each relevant item, averaged over them.

    Above 0, at most 100 percent; `labels` are as the truth of :func:`average_precision`. Report RR-8880, section 2
    (mAP).
    """
    return float(average_precision(labels, distance)[1].mean())


def _hits(same: NDArray[np.bool_], rank: int) -> NDArray[np.int64]:
    r = as_count(rank, "rank")
    if r > same.shape[1]:
        raise ParameterError(f"rank is {r} but every item has only {same.shape[1]} others; ask for a lower rank")
    return np.asarray(same[:, :r].sum(axis=1), dtype=np.int64)


def precision_at(labels: ArrayLike, distance: ArrayLike, rank: int = 1) -> float:
    """Return the mean over queries of the share, in percent, of items of the class among the nearest `rank` others.

    `labels` are as the truth of :func:`average_precision`. Report RR-8880, section 2 (precision at rank r).
    """
    hits = _hits(_relevant(labels, distance), rank)
    return float(100.0 * (hits / rank).mean())


def f_at(labels: ArrayLike, distance: ArrayLike, rank: int) -> float:
    """Return the mean over queries of the F-score at a rank, the harmonic mean of precision and recall there, in percent.

    0 for queries without a hit; `labels` are as the truth of :func:`average_precision`. Report RR-8880, section 2
    (f@r).
    """
    same = _relevant(labels, distance)
    # 2 P R / (P + R) with P = hits / rank and R = hits / relevant.
    return float(100.0 * (2.0 * _hits(same, rank) / (rank + same.sum(axis=1))).mean())


def nearest_neighbour_accuracy(labels: ArrayLike, distance: ArrayLike) -> float:
    """Share, in percent, of items whose nearest other item is of their class (leave-one-out accuracy of the 1-NN classifier).

    An item that is alone in its class counts as wrong.
    """
    classes, square = _checked(labels, distance)
    return float(100.0 * (classes[ranking(square)[:, 0]] == classes).mean())


def roc_auc(labels: ArrayLike, distance: ArrayLike) -> float:
    """Return the share of (pair within a class, pair across classes) in which the pair within is nearer; ties count half.

    Area under the ROC curve, between 0 and 1; each unordered pair counts once. Report RR-8880, appendix C (ROC curves).
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
    """Mean silhouette width, -1 to 1, of the true classes, at least two and fewer than items; single items count 0.

    If a dissimilarity is negative, all are shifted so that the least is 0, since a silhouette is a ratio and needs a
    zero. Rousseeuw (1987).
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
        least=-1.0,
        most=1.0,
        function=silhouette,
    ),
)
