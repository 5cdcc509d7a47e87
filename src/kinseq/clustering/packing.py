"""Clustering of sets of vectors by packing their enclosing spheres (thesis 2011, chapter 4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.arrays import FloatArray, IntArray, require_clusters
from ..core.errors import DataError
from ..core.graphs.kmeans import relabel
from ..core.sequences import Sequences, SequenceSet, as_sequence_set
from ..models.spheres import Kernel, Radius, enclosing_spheres, merge_spheres, packed
from .registry import Clusterer


@dataclass(frozen=True)
class SpherePacking:
    """Result of :func:`sphere_packing`.

    Attributes
    ----------
    labels : ndarray, shape (N,), int64
        Cluster numbers from 0 in order of first appearance.
    merges : ndarray, shape (M - 1, 4)
        Every merge, down to one sphere, like a linkage of SciPy: with the radius of the common sphere as its height. M
        is the number of sets after those of one group are put together, else N.
    items : ndarray, shape (N,), int64
        Which of the M sets each item is part of.
    weights : ndarray, shape (K, M)
        The centres of the K last spheres are sums of the first M centres times these.
    radii : ndarray, shape (K,)
        Their radii, in feature space.
    """

    labels: IntArray
    merges: FloatArray
    items: IntArray
    weights: FloatArray
    radii: FloatArray


def _grouped(sets: SequenceSet, groups: ArrayLike) -> tuple[SequenceSet, IntArray]:
    """Return sets merged by group, and the set that each item belongs to."""
    labels: NDArray[Any] = np.asarray(groups)
    if labels.shape != (len(sets),) or not np.issubdtype(labels.dtype, np.integer):
        raise DataError(
            f"{sets.name}: groups have shape {labels.shape} and type {labels.dtype}, expected {len(sets)} whole numbers,"
            " -1 for items without a label"
        )
    alone = labels < 0
    # Each unlabelled item is a group of its own.
    keys = np.where(alone, labels.max(initial=0) + 1 + np.arange(len(sets)), labels)
    _, first, items = np.unique(keys, return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.argsort(order)[items]
    arrays = [np.concatenate([sets[i] for i in np.flatnonzero(place == k)]) for k in range(len(order))]
    return SequenceSet.from_arrays(arrays, name=sets.name), place


def sphere_packing(
    sets: Sequences,
    n_clusters: int,
    kernel: Kernel = "gaussian",
    sigma: float | None = None,
    C: float | None = 0.05,
    nu: float | None = None,
    radius: Radius = "least",
    groups: ArrayLike | None = None,
) -> SpherePacking:
    """Enclose each set of vectors by a sphere in feature space, and merge spheres until `n_clusters` are left.

    The two whose common sphere is smallest are merged.

    Parameters
    ----------
    sets : SequenceSet or list of array_like, each of shape (n_i, d)
        N sets of vectors. A single vector is a sphere of radius 0.
    n_clusters : int
        K, between 1 and N (the number of groups and unlabelled items).
    kernel : {"gaussian", "linear"} or callable
        ``kernel(X, Y)`` gives the (n, m) kernel between vectors.
    sigma : float, optional
        Width of the Gaussian kernel; the median distance between all vectors if not given.
    C, nu, radius
        Softness of the spheres; see :func:`kinseq.models.spheres.enclosing_sphere`. None for both encloses every vector.
    groups : array_like of int, shape (N,), optional
        Semi-supervised use: items with the same number from 0 on are one set of vectors, those with -1 stand for
        themselves.

    Returns
    -------
    SpherePacking

    Raises
    ------
    DataError, ParameterError
        If the sets or the arguments are not usable.

    References
    ----------
    Thesis 2011, section 4.4 and algorithm 2.
    """
    data = as_sequence_set(sets)
    merged, items = (data, np.arange(len(data))) if groups is None else _grouped(data, groups)
    clusters = require_clusters(len(merged), n_clusters, "sphere packing")
    spheres = enclosing_spheres(merged, kernel, sigma, C, nu, radius)
    merges, shares = merge_spheres(spheres)
    labels, weights, radii = packed(merges, shares, spheres.radii, clusters)
    return SpherePacking(labels[items], merges, items, weights, radii)


def _partition(data: SequenceSet, n_clusters: int, seed: int, **params: Any) -> IntArray:
    return relabel(sphere_packing(data, n_clusters, **params).labels)


CLUSTERERS = (
    Clusterer(
        name="sphere_packing",
        label="SPH",
        source="thesis 2011, algorithm 2",
        partition=_partition,
        takes="items",
        random=False,
        params={"kernel": "gaussian", "sigma": None, "C": 0.05, "nu": None, "radius": "least"},
    ),
)
