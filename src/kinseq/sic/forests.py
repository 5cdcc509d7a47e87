"""Extremely randomised trees on vectors, or on summaries of sequences."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import FloatArray, IntArray, as_count, as_real, keep_checked
from ..core.errors import ParameterError
from ..core.tokens import Items
from .classifying import Answer, vectors_of

MANY_LABELS = 50
"""Number of labels above which trees learn the labels themselves and not an indicator of each."""


@dataclass(frozen=True)
class Forest:
    """A few voting randomised trees; each iteration uses a random share of the features.

    An iteration needs no good classifier: errors that differ between iterations cancel, and five trees a hundred times
    are five hundred.

    Attributes
    ----------
    n_trees : int
        Trees that vote at an iteration.
    leaf : int
        Least number of training samples of a leaf, lowered to a quarter of them where there are few. Labels are random, so
        that a pure leaf has learnt nothing but chance; what neighbours have in common shows where some vote together.
    features : float
        Share of the features that an iteration uses, at least one.
    min_per_label : int
    """

    n_trees: int = 5
    leaf: int = 4
    features: float = 1.0
    min_per_label: int = 2

    def __post_init__(self) -> None:
        keep_checked(self, as_count, "n_trees", "leaf", "min_per_label")
        if not 0.0 < as_real(self.features, "features") <= 1.0:
            raise ParameterError(f"features is {self.features!r}, expected a share above 0 and at most 1")

    def prepare(self, items: Items) -> Answer:
        """Return vectors once for all iterations."""
        from sklearn import config_context

        # Trees split by comparisons: scaled columns fit into float32.
        vectors = vectors_of(items)
        centred = vectors - vectors.mean(axis=0)
        spread = np.abs(centred).max(axis=0)
        data = (centred / np.where(spread > 0.0, spread, 1.0)).astype(np.float32)
        n_features = max(1, round(self.features * data.shape[1]))

        def answer(
            train: IntArray, labels: IntArray, tested: IntArray, generator: np.random.Generator
        ) -> NDArray[np.int64]:
            columns = np.sort(generator.permutation(data.shape[1])[:n_features])
            train_data, test_data = data[np.ix_(train, columns)], data[np.ix_(tested, columns)]
            add = _by_indicators if labels.max() < MANY_LABELS else _by_labels
            votes = np.zeros((tested.size, int(labels.max()) + 1))
            leaf = max(1, min(self.leaf, train.size // 4))
            # Creating a generator takes longer than growing a small tree; a reseeded one gives the same numbers.
            legacy = np.random.RandomState(0)
            # Checks repeated for hundreds of small trees cost as much as the trees.
            with config_context(skip_parameter_validation=True, assume_finite=True):
                for state in generator.integers(2**31, size=self.n_trees):
                    legacy.seed(int(state))
                    add(train_data, labels, test_data, votes, leaf, legacy)
            return np.asarray(votes.argmax(axis=1), dtype=np.int64)

        return answer


def _by_indicators(
    train_data: NDArray[np.float32],
    labels: IntArray,
    test_data: NDArray[np.float32],
    votes: FloatArray,
    leaf: int,
    state: np.random.RandomState,
) -> None:
    """Add the share of each label in the leaf of each item to `votes`.

    The variances of the indicators of the labels add up to Gini's index, so that this is the tree of
    :func:`_by_labels` but for ties, and takes a third of its time where labels are few: nothing is checked of numbers.
    """
    from sklearn.tree import ExtraTreeRegressor

    tree = ExtraTreeRegressor(max_features="sqrt", min_samples_leaf=leaf, random_state=state)
    tree.fit(train_data, np.eye(votes.shape[1])[labels], check_input=False)
    votes += tree.predict(test_data, check_input=False)


def _by_labels(
    train_data: NDArray[np.float32],
    labels: IntArray,
    test_data: NDArray[np.float32],
    votes: FloatArray,
    leaf: int,
    state: np.random.RandomState,
) -> None:
    """As above for many labels, whose indicators would take longer."""
    from sklearn.tree import ExtraTreeClassifier

    tree = ExtraTreeClassifier(max_features="sqrt", min_samples_leaf=leaf, random_state=state)
    tree.fit(train_data, labels, check_input=False)
    votes[:, tree.classes_] += tree.predict_proba(test_data, check_input=False)
