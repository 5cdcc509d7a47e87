"""Scores of partitions against scikit-learn, against all permutations, and on the controls."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kinseq import evaluation
from kinseq.errors import DataError, ParameterError
from sklearn import metrics

labels = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 5)), min_size=1, max_size=40)


def error_by_permutation(y_true, y_pred):
    """Best over all ways to name clusters after classes, with blanks where the numbers differ."""
    classes, clusters = sorted(set(y_true)), sorted(set(y_pred))
    size = max(len(classes), len(clusters))
    names = classes + [None] * (size - len(classes))
    hits = 0
    for order in permutations(names):
        name = dict(zip(clusters, order, strict=False))
        hits = max(hits, sum(name[p] == t for t, p in zip(y_true, y_pred, strict=True)))
    return 100.0 * (len(y_true) - hits) / len(y_true)


@settings(max_examples=60, deadline=None)
@given(labels)
def test_clustering_error_is_the_best_of_all_permutations(pairs):
    y_true, y_pred = (list(column) for column in zip(*pairs, strict=True))
    assert evaluation.clustering_error(y_true, y_pred) == pytest.approx(error_by_permutation(y_true, y_pred))


@settings(max_examples=80, deadline=None)
@given(labels)
def test_scores_against_scikit_learn(pairs):
    y_true, y_pred = (list(column) for column in zip(*pairs, strict=True))
    assert evaluation.ari(y_true, y_pred) == pytest.approx(metrics.adjusted_rand_score(y_true, y_pred), abs=1e-12)
    for beta in (0.5, 1.0, 2.0):
        expected = metrics.v_measure_score(y_true, y_pred, beta=beta)
        assert evaluation.v_measure(y_true, y_pred, beta) == pytest.approx(expected, abs=1e-9)
    for average in ("arithmetic", "geometric", "max", "min"):
        expected = metrics.normalized_mutual_info_score(y_true, y_pred, average_method=average)
        ours = evaluation.nmi(y_true, y_pred, average)
        if len(set(y_true)) > 1 and len(set(y_pred)) > 1:
            assert ours == pytest.approx(expected, abs=1e-9)
        assert 0.0 <= ours <= 1.0
    np.testing.assert_array_equal(
        evaluation.confusion(y_true, y_pred), metrics.cluster.contingency_matrix(y_true, y_pred)
    )


@pytest.mark.parametrize(
    "y_true, y_pred, error",
    [
        ([0, 0, 1, 1], [1, 1, 0, 0], 0.0),
        ([0, 0, 1, 1], [0, 0, 0, 0], 50.0),
        ([0, 0, 1, 1], [0, 1, 2, 3], 50.0),
        (["a", "a", "b"], [7, 7, 7], 100.0 / 3.0),
        # Taking the largest cell first may leave 60 %.
        ([0, 0, 0, 1, 1], [0, 0, 1, 0, 0], 40.0),
        ([0] * 5 + [1] * 4, [0] * 5 + [0] * 4, 400.0 / 9.0),
    ],
)
def test_clustering_error_by_hand(y_true, y_pred, error):
    assert evaluation.clustering_error(y_true, y_pred) == pytest.approx(error)


def test_purities_by_hand():
    y_true, y_pred = [0, 0, 1, 1, 1, 2], [0, 0, 0, 1, 1, 2]
    assert evaluation.purity(y_true, y_pred) == pytest.approx(5 / 6)
    # Clusters of 3, 2 and 1: one of three pairs, one of one, none.
    assert evaluation.adjusted_purity(y_true, y_pred) == pytest.approx((3 * (1 / 3) + 2 * 1.0 + 1 * 0.0) / 6)
    singles = np.arange(5)
    assert evaluation.purity([0, 0, 1, 1, 1], singles) == 1.0
    assert evaluation.adjusted_purity([0, 0, 1, 1, 1], singles) == 0.0
    assert evaluation.adjusted_purity([0, 0, 1, 1, 1], [5, 5, 3, 3, 3]) == 1.0


def test_matched_confusion_has_the_hits_on_its_diagonal():
    y_true, y_pred = [0, 0, 1, 1, 2, 2], [2, 2, 0, 0, 1, 3]
    matched = evaluation.matched_confusion(y_true, y_pred)
    assert matched.shape == (3, 4)
    assert 100.0 * (1 - np.trace(matched) / 6) == pytest.approx(evaluation.clustering_error(y_true, y_pred))
    np.testing.assert_array_equal(matched.sum(axis=1), [2, 2, 2])
    fewer = evaluation.matched_confusion([0, 1, 2], [0, 0, 0])
    assert fewer.shape == (3, 3)
    assert fewer.sum() == 3


def test_true_labels_score_perfectly():
    y = np.array(["x", "x", "y", "z", "y"])
    control = evaluation.true_labels(y)
    assert evaluation.clustering_error(y, control) == 0.0
    for score in (evaluation.ari, evaluation.nmi, evaluation.v_measure, evaluation.purity):
        assert score(y, control) == pytest.approx(1.0)


def test_random_labels_score_chance():
    y = np.arange(3000) % 5
    control = evaluation.random_labels(y, 5, seed=3)
    assert abs(evaluation.ari(y, control)) < 0.01
    assert 75.0 < evaluation.clustering_error(y, control) < 80.0
    np.testing.assert_array_equal(control, evaluation.random_labels(3000, 5, seed=3))
    assert (control != evaluation.random_labels(3000, 5, seed=4)).any()
    assert set(control) == set(range(5))


@pytest.mark.parametrize(
    "y_true, y_pred, message",
    [
        ([0, 1], [0, 1, 2], "2 labels but y_pred has 3"),
        ([], [], "at least one item"),
        ([[0, 1]], [0, 1], "shape \\(1, 2\\)"),
        ([0.0, np.nan], [0, 1], "not finite"),
    ],
)
def test_bad_labels_are_refused(y_true, y_pred, message):
    for score in (evaluation.clustering_error, evaluation.ari, evaluation.nmi, evaluation.purity):
        with pytest.raises(DataError, match=message):
            score(y_true, y_pred)


def test_bad_parameters_are_refused():
    with pytest.raises(ParameterError, match="arithmetic, geometric"):
        evaluation.nmi([0, 1], [0, 1], average="mean")
    with pytest.raises(ParameterError, match="beta"):
        evaluation.v_measure([0, 1], [0, 1], beta=0.0)
    with pytest.raises(ParameterError, match="n_clusters"):
        evaluation.random_labels(4, 0)
    with pytest.raises(ParameterError, match="number of items"):
        evaluation.random_labels(0, 2)
