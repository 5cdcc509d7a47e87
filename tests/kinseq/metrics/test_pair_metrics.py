"""Metrics of pairs and of confidence: against counting, closed forms, scikit-learn's relatives and invariances."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from kinseq import sic
from kinseq.core.errors import DataError
from kinseq.metrics import pairs, registry
from kinseq.metrics.confidence import METRICS, confidence_correlation
from kinseq.metrics.retrieval import average_precision
from kinseq.sic.labels import Labels
from tests.sentences import Recorded

CLASSES = np.array([0, 0, 0, 1, 1, 2])


def distances(n: int, seed: int) -> np.ndarray:
    """Symmetric, zeros on the diagonal."""
    upper = np.triu(np.random.default_rng(seed).random((n, n)), k=1)
    return upper + upper.T


def test_shares_and_means_are_those_of_counting() -> None:
    d = distances(6, 1)
    within, apart = [], []
    for i in range(6):
        for j in range(i):
            (within if CLASSES[i] == CLASSES[j] else apart).append(1.0 - d[i, j])
    assert pairs.share_apart(CLASSES, d) == pytest.approx(len(apart) / 15)
    assert pairs.similarity_within(CLASSES, d) == pytest.approx(np.mean(within))
    assert pairs.similarity_apart(CLASSES, d) == pytest.approx(np.mean(apart))
    related = CLASSES[:, None] == CLASSES
    assert pairs.similarity_apart(related, d) == pytest.approx(np.mean(apart))


def test_means_of_a_similarity_are_the_true_parameters_of_its_mixture() -> None:
    """Where all items are tested at every iteration, the mean over iterations may be taken first or last."""
    values = np.random.default_rng(2).integers(0, 3, (6, 9))
    d = 1.0 - sic.binary(Labels.from_classes(values))
    p0, p1 = [], []
    for column in values.T:
        together = column[:, None] == column
        upper, same = np.triu(np.ones((6, 6), dtype=bool), 1), CLASSES[:, None] == CLASSES
        p0.append(together[upper & ~same].mean())
        p1.append(together[upper & same].mean())
    assert pairs.similarity_apart(CLASSES, d) == pytest.approx(np.mean(p0))
    assert pairs.similarity_within(CLASSES, d) == pytest.approx(np.mean(p1))


def test_gap_to_a_normal_law_is_that_of_kolmogorov_and_smirnov() -> None:
    classes, d = np.arange(40) % 4, distances(40, 3)
    upper = np.triu_indices(40, 1)
    apart = d[upper][classes[upper[0]] != classes[upper[1]]]
    expected = stats.kstest(apart, "norm", args=(apart.mean(), apart.std())).statistic
    assert pairs.normality_gap(classes, d) == pytest.approx(expected, rel=1e-9)
    assert pairs.normality_gap(classes, 7.0 - 3.0 * d) == pytest.approx(expected, rel=1e-9)
    assert pairs.normality_gap(classes, np.ones((40, 40)) - np.eye(40)) == 1.0


def test_flipped_scores_are_nearer_to_their_law() -> None:
    """The skewness of a sum of Bernoulli variables falls with p until 1/2, and flips raise p (section 2.3.2)."""
    rng = np.random.default_rng(5)
    classes = np.repeat(np.arange(4), 15)
    # Items of one class meet in one of 8 groups of their class with probability 1/2, others rarely.
    values = np.where(rng.random((60, 40)) < 0.5, classes[:, None] * 8, rng.integers(0, 40, (60, 40)))
    labels = Labels.from_classes(values)
    rates = sic.independent_rate(labels)
    gaps = []
    for chance in (0.0, 0.2):
        matrix = sic.scored(labels, sic.weights(rates, chance), random_state=1)
        gaps.append(pairs.normality_gap(classes, matrix.max() - matrix))
    assert gaps[1] < 0.8 * gaps[0]


@pytest.mark.parametrize("name", sic.confidence(np.eye(5)))
def test_confidence_is_correlated_with_the_precision_of_each_query(name: str) -> None:
    classes = np.array([0, 0, 0, 0, 1, 1, 1, 1, 2, 3])
    d = distances(10, 6)
    queries, precision = average_precision(classes, d)
    assert queries.tolist() == list(range(8))
    own = sic.confidence(1.0 - d)[name][queries]
    assert confidence_correlation(classes, d, name, "pearson") == pytest.approx(stats.pearsonr(own, precision)[0])
    assert confidence_correlation(classes, d, name, "spearman") == pytest.approx(stats.spearmanr(own, precision)[0])
    for kind in ("pearson", "spearman"):
        found = registry.function(f"{name}_{kind}")(classes, d)
        assert found == pytest.approx(confidence_correlation(classes, d, name, kind))


def test_confidence_of_equal_items_says_nothing() -> None:
    same = np.where(CLASSES[:, None] == CLASSES, 0.0, 1.0)
    assert [metric.function(CLASSES, same) for metric in METRICS if metric.function] == [0.0] * 8


def test_pairs_of_both_kinds_are_needed(recorded: Recorded) -> None:
    for classes in (np.zeros(6), np.arange(6)):
        with recorded.raises(DataError):
            pairs.share_apart(classes, distances(6, 1))
    with pytest.raises(DataError, match=r"3 labels .*6 rows"):
        pairs.similarity_within(CLASSES[:3], distances(6, 1))
