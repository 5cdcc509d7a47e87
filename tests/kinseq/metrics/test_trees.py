"""Trees and what they are cut into, against SciPy, scikit-learn and the cuts one by one."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import pdist, squareform
from sklearn.metrics import silhouette_samples

from kinseq.core.arrays import FloatArray
from kinseq.metrics import trees


def distances(n: int, seed: int, ties: bool) -> FloatArray:
    """Distances of points, or of whole numbers, of which many are equal and some 0."""
    random = np.random.default_rng(seed)
    points = random.integers(4, size=(n, 2)).astype(float) if ties else random.normal(size=(n, 2))
    return np.asarray(squareform(pdist(points)))


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("n", [2, 3, 7, 20, 61])
@pytest.mark.parametrize("rule", ["average", "ward"])
def test_trees_are_those_of_scipy_to_the_last_bit(rule: str, n: int, ties: bool) -> None:
    square = distances(n, n, ties)
    before = square.copy()
    found = trees.tree(square, rule)  # type: ignore[arg-type]
    expected = linkage(squareform(square, checks=False), rule)
    np.testing.assert_array_equal(found.heights, expected[:, 2])
    np.testing.assert_array_equal(square, before)
    # Members joined by each step: the items below its second branch.
    below = [{item} for item in range(n)]
    for step, (one, other) in enumerate(expected[:, :2].astype(int)):
        below.append(below[one] | below[other])
        start, stop = found.spans[step]
        assert set(found.items[start:stop]) == below[other]


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("number", [2, 3, 8])
def test_labels_are_those_of_a_cut_into_so_many_at_most(number: int, ties: bool) -> None:
    square = distances(24, 5, ties)
    labels = trees.tree(square, "ward").labels(number)
    expected = fcluster(linkage(squareform(square, checks=False), "ward"), number, "maxclust")
    same = labels[:, None] == labels
    np.testing.assert_array_equal(same, expected[:, None] == expected)
    assert set(labels) == set(range(len(set(expected))))


def test_distances_that_overflow_end_all_the_same() -> None:
    square = np.full((6, 6), 1e308)
    np.fill_diagonal(square, 0.0)
    found = trees.tree(square)
    assert sorted(found.items) == list(range(6))


@pytest.mark.parametrize("seed", range(4))
def test_silhouettes_are_those_of_scikit_learn_in_each_view(seed: int) -> None:
    random = np.random.default_rng(seed)
    views = np.stack([distances(150, seed, ties) for ties in (False, True)])
    labels = random.integers(-1, 4, size=150)
    found = trees.silhouettes_of_views(views, labels)
    inside = np.flatnonzero(labels >= 0)
    for view, (mean, weakest) in zip(views, found, strict=True):
        each = silhouette_samples(view[np.ix_(inside, inside)], labels[inside], metric="precomputed")
        assert mean == pytest.approx(each.mean(), abs=1e-12)
        assert weakest == pytest.approx(min(each[labels[inside] == k].mean() for k in range(4)), abs=1e-12)


def test_items_alone_and_a_single_group_count_as_nothing() -> None:
    square = distances(5, 0, False)
    assert trees.silhouettes_of_views(square[None], np.zeros(5, dtype=np.int64)).tolist() == [[0.0, 0.0]]
    alone = trees.silhouettes_of_views(square[None], np.array([0, 0, 0, 0, 1]))
    assert alone[0, 1] == 0.0


@pytest.mark.parametrize("seed", range(5))
def test_cuts_are_the_first_of_their_number_with_the_silhouettes_of_their_labels(seed: int) -> None:
    """One by one: the branches after each step from the root, small ones left over."""
    square, n, most, spare, fewest = distances(40, seed, bool(seed % 2)), 40, 6, 4, (3, 5)
    along = trees.tree(square)
    codes, expected, tried = np.zeros(n, dtype=np.int64), [], set()
    for code in range(1, most + spare):
        start, stop = along.spans[n - 1 - code]
        codes[along.items[start:stop]] = code
        sizes = np.bincount(codes)
        for least in fewest:
            large = sizes >= least
            key = int(large.sum()), least
            if 2 <= key[0] <= most and sizes[~large].sum() <= spare and key not in tried:
                tried.add(key)
                expected.append(np.where(large[codes], codes, -1))
    labels, found = trees.cuts_along_tree(square, most, spare, *fewest)
    assert len(labels) == len(expected) > 0
    for row, values, cut in zip(labels, found, expected, strict=True):
        np.testing.assert_array_equal(row < 0, cut < 0)
        inside = cut >= 0
        np.testing.assert_array_equal(row[inside][:, None] == row[inside], cut[inside][:, None] == cut[inside])
        # Groups are numbered in order.
        first = np.unique(row[inside], return_index=True)[1]
        assert (np.diff(first) > 0).all()
        np.testing.assert_array_equal(values, trees.silhouettes_of_views(square[None], row)[0])
