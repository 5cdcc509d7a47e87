"""Agreement of a partition with the true classes, and two controls that every score must pass."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.arrays import FloatArray, IntArray, as_count
from ..core.errors import DataError, ParameterError, unknown_name
from ..core.random_state import RandomState, check_seed
from ..core.seeds import stream
from .registry import Metric

Average = Literal["arithmetic", "geometric", "max", "min"]

AVERAGES = ("arithmetic", "geometric", "max", "min")


def _codes(labels: ArrayLike, where: str) -> tuple[NDArray[Any], IntArray]:
    """Distinct labels, sorted, and the position of each item's label among them."""
    try:
        array = np.asarray(labels)
    except ValueError as error:
        raise DataError(f"{where}: is a list of lists of different lengths; give one label per item") from error
    if array.ndim != 1 or array.size == 0:
        raise DataError(f"{where}: has shape {array.shape}, expected one label per item, at least one item")
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise DataError(f"{where}: holds a label that is not finite; leave out items without a label")
    try:
        values, codes = np.unique(array, return_inverse=True)
    except TypeError as error:
        raise DataError(f"{where}: holds labels that cannot be sorted ({error}); give labels of one kind") from error
    return values, codes.reshape(-1).astype(np.int64)


def _paired_codes(y_true: ArrayLike, y_pred: ArrayLike) -> tuple[IntArray, IntArray]:
    """Return both partitions as whole numbers from 0, checked to be over the same items."""
    true, pred = _codes(y_true, "y_true")[1], _codes(y_pred, "y_pred")[1]
    if true.size != pred.size:
        raise DataError(f"y_true has {true.size} labels but y_pred has {pred.size}; give one of each per item")
    return true, pred


def confusion(y_true: ArrayLike, y_pred: ArrayLike) -> IntArray:
    """Return the number of items of each class in each cluster.

    Parameters
    ----------
    y_true, y_pred : array_like, shape (N,)
        True classes and cluster numbers, of any sortable type.

    Returns
    -------
    ndarray, shape (n_classes, n_clusters), int64
        Rows are classes and columns clusters, both in sorted order.

    Raises
    ------
    DataError
        If the two do not have the same length, or are empty.
    """
    true, pred = _paired_codes(y_true, y_pred)
    table = np.zeros((int(true.max()) + 1, int(pred.max()) + 1), dtype=np.int64)
    np.add.at(table, (true, pred), 1)
    return table


def _matching(table: IntArray | FloatArray) -> tuple[IntArray, IntArray]:
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(table, maximize=True)
    return rows.astype(np.int64), columns.astype(np.int64)


def matched_confusion(y_true: ArrayLike, y_pred: ArrayLike) -> IntArray:
    """Confusion matrix with clusters ordered so that each is in the column of its matched class.

    Parameters
    ----------
    y_true, y_pred : array_like, shape (N,)
        True classes and cluster numbers.

    Returns
    -------
    ndarray, shape (n_classes, n_columns), int64
        Column c is the cluster matched with class c, and all zero if there is none; clusters without a class follow.
    """
    table = confusion(y_true, y_pred)
    rows, columns = _matching(table)
    spare = np.setdiff1d(np.arange(table.shape[1]), columns)
    ordered = np.zeros((table.shape[0], table.shape[0] + spare.size), dtype=np.int64)
    ordered[:, rows] = table[:, columns]
    ordered[:, table.shape[0] :] = table[:, spare]
    return ordered


def clustering_error(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Return the percentage of items in a wrong cluster when clusters are matched to classes in the best way.

    Each cluster is matched with at most one class and each class with at most one cluster; items of clusters without a
    class are errors.

    Parameters
    ----------
    y_true, y_pred : array_like, shape (N,)
        True classes and cluster numbers, of any sortable type; the numbers of classes and clusters may differ.

    Returns
    -------
    float
        Between 0 and 100.

    Raises
    ------
    DataError
        If the two do not have the same length, or are empty.

    References
    ----------
    Thesis 2011, section 2.4.1 (error under an optimal permutation of the cluster labels).
    """
    table = confusion(y_true, y_pred)
    rows, columns = _matching(table)
    total = int(table.sum())
    return 100.0 * (total - int(table[rows, columns].sum())) / total


def accuracy(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Return the percentage of items in the right cluster under the best matching: 100 minus :func:`clustering_error`."""
    return 100.0 - clustering_error(y_true, y_pred)


def balanced_accuracy(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Return the mean over classes of the share of items in the matched cluster, under the matching that maximises it.

    Parameters
    ----------
    y_true, y_pred : array_like, shape (N,)
        True classes and cluster numbers; the numbers of classes and clusters may differ. Classes without a cluster
        count 0.

    Returns
    -------
    float
        Above 0, at most 100 percent. Every class weighs the same, however many items it has.
    """
    table = confusion(y_true, y_pred)
    share = table / table.sum(axis=1, keepdims=True)
    rows, columns = _matching(share)
    return float(100.0 * share[rows, columns].sum() / len(share))


def n_clusters(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Return the number of non-empty clusters."""
    return float(np.unique(_paired_codes(y_true, y_pred)[1]).size)


def nmi_geometric(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Mutual information over the geometric mean of the entropies; see :func:`nmi`."""
    return nmi(y_true, y_pred, "geometric")


def nmi_max(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Mutual information over the larger entropy; see :func:`nmi`."""
    return nmi(y_true, y_pred, "max")


def ari(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Adjusted Rand index.

    Parameters
    ----------
    y_true, y_pred : array_like, shape (N,)
        Two partitions; symmetric in both.

    Returns
    -------
    float
        1 for equal partitions, 0 on average for random ones, at least -0.5.

    References
    ----------
    Hubert and Arabie (1985); report RR-8880, section 2.
    """
    true, pred = _paired_codes(y_true, y_pred)
    n = true.size
    # Ordered pairs of items, each also with itself: together in both partitions, in the first, in the second. Python
    # integers, since products of four sizes may overflow. Checks of a library would take most of the time.
    both, one, other = (
        int(np.square(np.unique(codes, return_counts=True)[1]).sum())
        for codes in (true * (int(pred.max()) + 1) + pred, true, pred)
    )
    only_one, only_other = one - both, other - both
    if only_one == only_other == 0:
        return 1.0
    together, apart = both - n, n * n - one - only_other
    total = (together + only_one) * (only_one + apart) + (together + only_other) * (only_other + apart)
    return 2.0 * (together * apart - only_one * only_other) / total


def nmi(y_true: ArrayLike, y_pred: ArrayLike, average: Average = "arithmetic") -> float:
    """Mutual information of two partitions over a mean of their entropies.

    Parameters
    ----------
    y_true, y_pred : array_like, shape (N,)
        Two partitions; symmetric in both.
    average : {"arithmetic", "geometric", "max", "min"}
        Mean of the two entropies.

    Returns
    -------
    float
        Between 0 and 1; 1 if both partitions have a single cluster.

    References
    ----------
    Vinh, Epps and Bailey (2010).
    """
    if average not in AVERAGES:
        raise ParameterError(unknown_name("average", average, AVERAGES))
    from sklearn.metrics import normalized_mutual_info_score

    true, pred = _paired_codes(y_true, y_pred)
    # Rounding can push a perfect score above 1.
    return min(1.0, float(normalized_mutual_info_score(true, pred, average_method=average)))


def v_measure(y_true: ArrayLike, y_pred: ArrayLike, beta: float = 1.0) -> float:
    """Weighted harmonic mean of homogeneity (clusters hold one class) and completeness (classes lie in one cluster).

    Parameters
    ----------
    y_true, y_pred : array_like, shape (N,)
        True classes and cluster numbers.
    beta : float
        Weight of completeness over homogeneity, positive. With 1 the result equals ``nmi(..., "arithmetic")``.

    Returns
    -------
    float
        Between 0 and 1.

    References
    ----------
    Rosenberg and Hirschberg (2007).
    """
    if not (np.isfinite(beta) and beta > 0):
        raise ParameterError(f"beta is {beta!r}, expected a positive number")
    from sklearn.metrics import v_measure_score

    true, pred = _paired_codes(y_true, y_pred)
    return min(1.0, float(v_measure_score(true, pred, beta=beta)))


def purity(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Return the share of items that belong to the majority class of their cluster.

    Parameters
    ----------
    y_true, y_pred : array_like, shape (N,)
        True classes and cluster numbers.

    Returns
    -------
    float
        Above 0, at most 1; 1 also if every item is a cluster of its own.
    """
    table = confusion(y_true, y_pred)
    return float(table.max(axis=0).sum() / table.sum())


def adjusted_purity(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Return the share of a cluster's pairs that are of one class, averaged over clusters weighted by size.

    Parameters
    ----------
    y_true, y_pred : array_like, shape (N,)
        True classes and cluster numbers.

    Returns
    -------
    float
        Between 0 and 1. A cluster of one item has no pair and counts 0, so that splitting earns nothing.

    References
    ----------
    Report RR-8880, section 2.
    """
    table = confusion(y_true, y_pred)
    sizes = table.sum(axis=0)
    pairs = sizes * (sizes - 1) / 2.0
    share = np.divide((table * (table - 1) / 2.0).sum(axis=0), pairs, out=np.zeros(sizes.size), where=pairs > 0)
    return float((sizes * share).sum() / sizes.sum())


def true_labels(labels: ArrayLike) -> IntArray:
    """Control that must score perfectly: the true classes as cluster numbers.

    Parameters
    ----------
    labels : array_like, shape (N,)
        True classes.

    Returns
    -------
    ndarray, shape (N,), int64
        Cluster numbers from 0.
    """
    return _codes(labels, "labels")[1]


def random_labels(labels: ArrayLike, n_clusters: int, random_state: RandomState = 0) -> IntArray:
    """Control that must score at chance level: clusters drawn uniformly and independently.

    Parameters
    ----------
    labels : int, or array_like of shape (N,)
        Number of items, or anything with one entry per item.
    n_clusters : int
        Number of clusters to draw from.
    random_state : int, RandomState, Generator or None
        Names the random stream.

    Returns
    -------
    ndarray, shape (N,), int64
        Cluster numbers in 0 .. n_clusters - 1.
    """
    seed = check_seed(random_state)
    array = np.asarray(labels)
    n_items = as_count(array.item() if array.ndim == 0 else array.shape[0], "number of items")
    clusters = as_count(n_clusters, "n_clusters")
    return stream(seed, "random labels").integers(clusters, size=n_items, dtype=np.int64)


METRICS = (
    Metric(
        name="error",
        label="Clustering error",
        unit="percent",
        direction="lower",
        judges="partition",
        least=0.0,
        most=100.0,
        default=True,
        attained="bayes_error",
        function=clustering_error,
    ),
    Metric(
        name="ari",
        label="Adjusted Rand index",
        unit="fraction",
        direction="higher",
        judges="partition",
        least=-0.5,
        most=1.0,
        default=True,
        function=ari,
    ),
    Metric(
        name="nmi",
        label="Normalised mutual information",
        unit="fraction",
        direction="higher",
        judges="partition",
        least=0.0,
        most=1.0,
        default=True,
        function=nmi,
    ),
    Metric(
        name="segmentation_error",
        label="Segmentation error",
        unit="percent",
        direction="lower",
        judges="segmentation",
        least=0.0,
        most=100.0,
        default=True,
        function=clustering_error,
    ),
    Metric(
        name="accuracy",
        label="Clustering accuracy",
        unit="percent",
        direction="higher",
        judges="partition",
        least=0.0,
        most=100.0,
        complement="error",
        function=accuracy,
    ),
    Metric(
        name="balanced_accuracy",
        label="Balanced accuracy",
        unit="percent",
        direction="higher",
        judges="partition",
        least=0.0,
        most=100.0,
        function=balanced_accuracy,
    ),
    Metric(
        name="nmi_geometric",
        label="Normalised mutual information (geometric mean)",
        unit="fraction",
        direction="higher",
        judges="partition",
        least=0.0,
        most=1.0,
        function=nmi_geometric,
    ),
    Metric(
        name="nmi_max",
        label="Normalised mutual information (larger entropy)",
        unit="fraction",
        direction="higher",
        judges="partition",
        least=0.0,
        most=1.0,
        function=nmi_max,
    ),
    Metric(
        name="v_measure",
        label="V-measure",
        unit="fraction",
        direction="higher",
        judges="partition",
        least=0.0,
        most=1.0,
        function=v_measure,
    ),
    Metric(
        name="purity",
        label="Purity",
        unit="fraction",
        direction="higher",
        judges="partition",
        least=0.0,
        most=1.0,
        function=purity,
    ),
    Metric(
        name="adjusted_purity",
        label="Adjusted purity",
        unit="fraction",
        direction="higher",
        judges="partition",
        least=0.0,
        most=1.0,
        function=adjusted_purity,
    ),
    Metric(
        name="n_clusters",
        label="Number of clusters",
        unit="count",
        direction="none",
        judges="partition",
        reproduced_within=0.5,
        close_within=2.0,
        largest_se=1.0,
        function=n_clusters,
    ),
)
