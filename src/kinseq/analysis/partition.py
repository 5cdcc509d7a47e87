"""Cut dissimilarities into clusters: their number and members."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Literal, Protocol

import numpy as np

from ..clustering.registry import Clusterer, get
from ..core.arrays import FloatArray, IntArray
from ..core.graphs.affinity import WidthRule, choose_width
from ..core.graphs.kmeans import relabel
from ..core.graphs.laplacian import typical
from ..core.graphs.reference import Reference, of_matrix
from ..core.progress import counter
from ..core.seeds import derive_seed
from ..measures.registry import Measure
from ..metrics.internal import Numbers, compare_numbers
from . import limits
from .log import Remarks, as_choice
from .options import Options
from .rules import NUMBER
from .sampling import subsample

Width = WidthRule | Literal["none"] | float
"""Rule for the kernel width of spectral clustering, or the width; none if dissimilarities are logarithms of affinities."""
KERNEL_WIDTH = "kernel width"
"""Name of this choice."""
SPECTRAL, DIRECT_CLUSTERER = "spectral", "spectral_direct"
"""Clusterer with Gaussian affinities of some width, and the same for given affinities."""
ROUNDING_SHARE = 1e-9
"""Relative difference up to which two dissimilarities are equal when distinct rows are counted."""


class HasReference(Protocol):
    """Interface of objects with a matrix, and perhaps items without clusters to compare it with."""

    distance: FloatArray
    reference: Reference | None


def choose_rule(measure: Measure, options: Options) -> tuple[Width, Remarks]:
    """Return the rule for the kernel width, and the reason: one width per item unless the measure's own scale is local."""
    rule = options.width
    if rule == "auto":
        width: Width = "none" if measure.locally_scaled else "local"
        why = "its entries are logarithms of affinities" if measure.locally_scaled else "groups may differ in density"
    else:
        width, why = rule, "given"
    return width, as_choice(f"{measure.name}: {KERNEL_WIDTH}", str(width), why)


def cut(distance: FloatArray, n_clusters: int, width: Width, options: Options, first: IntArray) -> IntArray:
    """Return clusters of a matrix, shape (N,), numbered from the largest.

    `first`, shape (N,), has the position of the first item that is equal to each: all equal items are put into its
    cluster. A single kernel width of many items is chosen on some of them.
    """
    if not distance.any():
        return np.zeros(len(distance), dtype=np.int64)
    many = len(distance) > limits.MAX_EXAMINED and n_clusters > 1
    if many and (width == "eigengap" or width == "tightness" or width == "median"):
        width = choose_width(_some(distance, options.seed, "width"), n_clusters, width)
    return by_size(relabel(cutter(width, options)(distance, n_clusters)[first]))


def by_size(labels: IntArray) -> IntArray:
    """Return clusters numbered from the largest; of equal sizes the first in order of appearance. -1 stays."""
    sizes = sizes_of(labels)
    rank = np.full(sizes.size + 1, -1, dtype=np.int64)
    rank[np.argsort(-sizes, kind="stable")] = np.arange(sizes.size)
    return rank[labels]


def sizes_of(labels: IntArray, n_clusters: int = 0) -> IntArray:
    """Return the number of members of each cluster, shape (K,), with K at least `n_clusters`."""
    return np.bincount(labels[labels >= 0], minlength=n_clusters).astype(np.int64)


def numbered(labels: IntArray) -> IntArray:
    """Return cluster numbers as in tables, from 1; unassigned items stay -1."""
    return np.where(labels < 0, -1, labels + 1)


def cut_into_several(width: Width, options: Options, distance: FloatArray, numbers: list[int]) -> list[IntArray]:
    """Return a matrix cut into several numbers of clusters."""
    clusterer, params = _clusterer(width, options)
    return clusterer.for_numbers(distance, numbers, options.seed, **params)


def remarks_on_fewer(n_clusters: int | None, labels: IntArray, distance: FloatArray, remarks: Remarks) -> Remarks:
    """Remarks if there are fewer clusters than requested; the choice gives the actual number."""
    number = int(labels.max()) + 1
    if n_clusters is None or number >= n_clusters:
        return remarks
    differing = _n_differing(distance)
    few = f"only {differing} of the sequences differ" if differing > 1 else "no two sequences differ"
    why = f"{n_clusters} were requested, but {few if differing < n_clusters else 'the clusterer found no more'}"
    choices = tuple(
        (what, str(number), why) if what == NUMBER else (what, value, by) for what, value, by in remarks.choices
    )
    return Remarks((*remarks.notes, f"{number} {'cluster' if number == 1 else 'clusters'}: {why}"), choices)


def _n_differing(distance: FloatArray) -> int:
    """Return the number of distinct rows of a matrix."""
    if not distance.any():
        return 1
    with np.errstate(over="ignore"):
        return len(np.unique(np.round(distance / typical(np.abs(distance)) / ROUNDING_SHARE), axis=0))


def cutter(width: Width, options: Options) -> Callable[[FloatArray, int], IntArray]:
    """Settings for cutting a matrix of all sequences or of samples into any number of clusters."""
    clusterer, params = _clusterer(width, options)
    finds = clusterer.finds_n_clusters
    return lambda distance, n_clusters: clusterer(
        distance, None if finds else n_clusters, random_state=options.seed, **params
    )


def _clusterer(width: Width, options: Options) -> tuple[Clusterer, dict[str, Any]]:
    """Return the clusterer with its parameters; groups depend on no random start unless those are given."""
    name = DIRECT_CLUSTERER if options.clusterer == SPECTRAL and width == "none" else options.clusterer
    clusterer = get(name)
    params = {"starts": "fixed", **options.params} if "starts" in clusterer.params else options.params
    params = {name: value for name, value in params.items() if name in clusterer.params}
    if "width" in clusterer.params:
        params["width"] = width
    return clusterer, params


def some_of(view: HasReference, items: IntArray, seed: int) -> FloatArray:
    """Return the matrix of some items, fused again if they are not all."""
    if view.reference is None or len(items) == len(view.distance):
        return view.distance[np.ix_(items, items)]
    return view.reference(items, 0, seed)[0]


def compare_with_chance(
    numbers: Sequence[int],
    count: int,
    distance: FloatArray,
    width: Width,
    options: Options,
    reference: Reference | None,
) -> Numbers:
    """Return evidence for numbers of clusters against `count` sets without clusters; for many items, on a random sample."""
    items = subsample(len(distance), limits.MAX_COUNTED_ON, options.seed, "numbers")
    square, references = (reference or of_matrix(distance))(items, count, derive_seed(options.seed, "reference"))
    step = counter(options.progress, "numbers of clusters", count + 1, "set")
    return compare_numbers(square, references, numbers, partial(cut_into_several, width, options), step)


def _some(distance: FloatArray, seed: int, purpose: str) -> FloatArray:
    """Return the matrix, or that of a random sample of many items."""
    some = subsample(len(distance), limits.MAX_EXAMINED, seed, purpose)
    return distance[np.ix_(some, some)] if len(some) < len(distance) else distance
