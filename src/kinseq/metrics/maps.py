"""Maps of items, and other parts of figures of a partition: selected items, order of rows, a tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..core.arrays import FloatArray, IntArray, as_distance
from ..core.graphs.affinity import choose_width, spectral_embedding
from ..core.random_state import RandomState, check_seed
from ..core.seeds import derive_seed, stream
from ..core.system import one_thread


@dataclass(frozen=True)
class MergeTree:
    """An average-linkage dendrogram.

    Attributes
    ----------
    merges : ndarray, shape (N - 1, 4)
        As SciPy's ``linkage`` writes them.
    leaves : ndarray, shape (N,), int64
        Items from left to right.
    """

    merges: FloatArray
    leaves: IntArray


def sample_items(
    labels: ArrayLike, most: int, random_state: RandomState = 0, first: ArrayLike | None = None
) -> IntArray:
    """Return sorted positions of at most `most` items, drawn so that every cluster keeps its share and at least one item.

    Items of `first`, at most one a cluster, are always among them.
    """
    seed = check_seed(random_state)
    codes = np.asarray(labels)
    if codes.size <= most:
        return np.arange(codes.size, dtype=np.int64)
    random = stream(seed, "shown")
    parts = []
    for label in np.unique(codes):
        members = random.permutation(np.flatnonzero(codes == label))
        if first is not None:
            members = members[np.argsort(~np.isin(members, first), kind="stable")]
        parts.append(members[: max(1, int(members.size * most / codes.size))])
    return np.sort(np.concatenate(parts)).astype(np.int64)


def tree(distance: ArrayLike, levels: Sequence[ArrayLike] = ()) -> MergeTree | None:
    """Dendrogram of at least two items, which joins groups from inside; None of fewer.

    Parameters
    ----------
    distance : array_like, shape (N, N)
        Negative dissimilarities shift all up by the least.
    levels : sequence of array_like, each of shape (N,)
        Groups of the items, each level within the one before it: members of a group join before they join others.
        Groups stand from left to right in the order of their names, as far as the tree allows.

    Returns
    -------
    MergeTree or None
        Heights are mean dissimilarities between the two parts of a branch, but at least those of the branches below it.
    """
    square = as_distance(distance)
    n = len(square)
    if n < 2:
        return None
    from scipy.cluster.hierarchy import leaves_list, linkage, optimal_leaf_ordering

    groups = [np.unique(np.asarray(level), return_inverse=True)[1] for level in levels]
    apart = sum((group[:, None] != group for group in groups), np.zeros((n, n), dtype=np.int64))
    pairs = np.triu_indices(n, k=1)
    condensed = square[pairs] - min(0.0, float(square[pairs].min()))
    # More than any mean dissimilarity; a power of two, which means of equal numbers keep exactly.
    step = 2.0 ** np.ceil(np.log2(condensed.max() + 1.0))
    condensed = condensed + step * apart[pairs]
    merges = linkage(condensed, method="average")
    if n <= 300:
        merges = optimal_leaf_ordering(merges, condensed)
    heights, first = np.zeros(2 * n - 1), np.append(np.arange(n), np.zeros(n - 1, dtype=np.int64))
    for node, merge in enumerate(merges, n):
        left, right = merge[:2].astype(int)
        between = apart[first[left], first[right]]
        if between and [group[first[left]] for group in groups] > [group[first[right]] for group in groups]:
            merge[:2] = left, right = right, left
        first[node] = first[left]
        merge[2] = heights[node] = max(merge[2] - step * between, heights[left], heights[right])
    return MergeTree(merges, leaves_list(merges).astype(np.int64))


FLAT_EIGENVALUE = 1e-12
"""Eigenvalue, relative to the largest one, below which it is a rounding error: for items on a line the second one is."""


def classical_mds(distance: ArrayLike) -> FloatArray:
    """Return coordinates of items in the plane by classical scaling; shape (N, 2)."""
    square = as_distance(distance)
    n = len(square)
    centred = square**2
    centred = centred - centred.mean(axis=0) - centred.mean(axis=1)[:, None] + centred.mean()
    from scipy.linalg import eigh

    values, vectors = eigh(-0.5 * centred, subset_by_index=[max(0, n - 2), n - 1])
    # Skip axes of rounding errors: new items would be placed far out along them.
    values = np.where(values > FLAT_EIGENVALUE * values.max(initial=0.0), values, 0.0)
    points = vectors[:, ::-1] * np.sqrt(values[::-1])
    points = np.pad(points, ((0, 0), (0, 2 - points.shape[1])))
    # The sign of an eigenvector is arbitrary; make the entry of largest magnitude positive.
    largest = points[np.abs(points).argmax(axis=0), [0, 1]]
    return np.asarray(points * np.where(largest < 0, -1.0, 1.0))


def place(new: ArrayLike, distance: ArrayLike, points: ArrayLike) -> FloatArray:
    """Return coordinates (M, 2) of new items on an existing map by :func:`classical_mds`.

    From their dissimilarities (M, N) to the old items, those of the old ones and their points: that of an old item for
    an item with the same dissimilarities. A number that is added to all squared dissimilarities of a new item changes
    nothing. Gower (1968), "Adding a point to vector diagrams in multivariate analysis"; de Silva and Tenenbaum (2004).
    """
    old, coordinates = as_distance(distance), np.asarray(points, dtype=np.float64)
    power = np.square(coordinates).sum(axis=0)
    directions = np.divide(coordinates, power, out=np.zeros_like(coordinates), where=power > 0)
    return np.asarray(-0.5 * (np.square(np.asarray(new)) - np.square(old).mean(axis=0)) @ directions)


def eigenmap(distance: ArrayLike) -> FloatArray:
    """Second and third generalised eigenvector of the Laplacian at the median kernel width, shape (N, 2)."""
    square = as_distance(distance)
    width = choose_width(square, 2, "median")
    return spectral_embedding(square, 3, width, embedding="shi_malik")


ON_A_LINE = 1e-3
"""Largest deviation of the second coordinate, relative to that of the first, for items on a line."""


def tsne(distance: ArrayLike, random_state: RandomState = 0) -> FloatArray:
    """Return coordinates by t-SNE (van der Maaten and Hinton, 2008), started from classical scaling; shape (N, 2)."""
    seed = check_seed(random_state)
    from sklearn.manifold import TSNE

    square = np.abs(as_distance(distance))
    start = classical_mds(square)
    spread = float(start[:, 0].std())
    if start[:, 1].std() <= ON_A_LINE * spread:
        # Items on a line could not pass each other, and would stay mixed; by rank, so that their order does not matter.
        beside = stream(seed, "tsne", "line").normal(size=len(start))
        start[np.argsort(start[:, 0], kind="stable"), 1] = spread * beside
    model = TSNE(
        metric="precomputed",
        init=start * (1e-4 / spread if spread > 0 else 0.0),
        perplexity=min(30.0, (len(square) - 1) / 3.0),
        random_state=derive_seed(seed, "tsne") % 2**32,
        n_jobs=1,
    )
    # Its threads busy-wait for each other: on a loaded machine a hundred times as long as the computation.
    with one_thread():
        return np.asarray(model.fit_transform(square), dtype=np.float64)


def maps(distance: ArrayLike, random_state: RandomState = 0) -> dict[str, FloatArray]:
    """Return every kind of 2-D map that the number of items allows, by name, the recommended one first."""
    seed = check_seed(random_state)
    square = as_distance(distance)
    coordinates: dict[str, FloatArray] = {}
    varied = float(np.abs(square).max()) > 0
    if len(square) >= 8 and varied:
        coordinates["t-SNE"] = tsne(square, seed)
    if len(square) >= 2:
        coordinates["MDS"] = classical_mds(square)
    if len(square) >= 4 and varied:
        coordinates["Laplacian eigenmap"] = eigenmap(square)
    return coordinates
