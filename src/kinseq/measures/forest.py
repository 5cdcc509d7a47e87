"""Random-forest similarity: items in the same leaf of trees trained to distinguish them from synthetic ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.arrays import FloatArray, as_count
from ..core.random_state import RandomState, check_seed
from ..core.seeds import stream
from ..sic.classifying import vectors_of
from .registry import Measure, MeasureInput


def leaf_shares(leaves: FloatArray) -> FloatArray:
    """Return the share of the trees in which two items are in one leaf, shape (N, N), from leaves of shape (N, trees)."""
    total = np.zeros((len(leaves), len(leaves)))
    for column in leaves.T:
        total += column[:, None] == column
    return total / leaves.shape[1]


def forest_similarity(
    vectors: FloatArray, n_trees: int = 500, least: int = 1, random_state: RandomState = 0
) -> FloatArray:
    """Return similarity (N, N) of vectors (N, d) under a random forest trained to distinguish them from synthetic ones.

    As many vectors are made up as there are, each feature drawn by itself from its values, so that what tells them
    apart is how features depend on each other. Two items are as similar as the share of the trees that put them into
    one leaf, of `least` items at least. Shi and Horvath (2006), "Unsupervised learning with random forest predictors".
    Report RR-8880, section 1.2.2 and equation 1, which trains each tree on a part and counts the rest; here all items
    go through all trees, as in the cited paper.
    """
    seed = check_seed(random_state)
    from sklearn.ensemble import RandomForestClassifier

    trees, leaf = as_count(n_trees, "n_trees"), as_count(least, "least")
    # Sorted by content, so that the given order does not matter.
    order = np.lexsort(vectors.T)
    observed = vectors[order]
    draw = stream(seed, "made-up vectors")
    synthetic = np.column_stack([draw.choice(column, size=len(observed)) for column in observed.T])
    # Trees only compare numbers: after scaling, columns of any size fit into their float32.
    both = np.concatenate([observed, synthetic])
    centred = both - both.mean(axis=0)
    spread = np.abs(centred).max(axis=0)
    data = (centred / np.where(spread > 0.0, spread, 1.0)).astype(np.float32)
    forest = RandomForestClassifier(
        trees, min_samples_leaf=leaf, random_state=int(stream(seed, "forest").integers(2**31)), n_jobs=1
    )
    forest.fit(data, np.repeat([1, 0], len(observed)))
    similarity = np.empty((len(observed), len(observed)))
    similarity[np.ix_(order, order)] = leaf_shares(forest.apply(data[: len(observed)]))
    return similarity


def _compute(evidence: MeasureInput, **params: Any) -> FloatArray:
    # The square root of one minus the proximity, as in the cited paper.
    similarity = forest_similarity(vectors_of(evidence.sequences), random_state=evidence.seed, **params)
    return np.sqrt(np.maximum(0.0, 1.0 - similarity))


MEASURES = (
    Measure(
        name="forest",
        description="which vectors fall into the same leaves of random trees",
        label="random forest",
        source="Shi and Horvath 2006; report RR-8880, section 1.2.2",
        function=_compute,
        requires="sequences",
        scope="task",
        params={"n_trees": 500, "least": 1},
        random=True,
    ),
)
