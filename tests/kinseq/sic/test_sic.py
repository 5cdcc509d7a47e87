"""Similarity by iterative classifications: sums over pairs, scores, draws and the run as a whole."""

from __future__ import annotations

import itertools
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kinseq import sic
from kinseq.core.errors import DataError, KinseqWarning, ParameterError
from kinseq.core.sequences import SequenceSet
from kinseq.core.tokens import TokenSet
from kinseq.sic import computing, forests, kernels, occurrences, scores
from kinseq.sic.classifying import classify
from kinseq.sic.labels import Labels, sums_of_tested, sums_of_together
from kinseq.sic.samples import as_items, samples_of
from kinseq.sic.sampling_design import draw, plan
from tests.sentences import Recorded

FOREST = sic.Forest(n_trees=2)
"""Good enough, and fast."""


def some_labels(n: int = 23, n_iterations: int = 17, untested: float = 0.3, seed: int = 0) -> Labels:
    """Classes without meaning; one iteration in six tests few samples, one is skipped."""
    rng = np.random.default_rng(seed)
    values = rng.integers(0, rng.integers(2, 9, n_iterations), (n, n_iterations))
    share = np.where(np.arange(n_iterations) % 6 == 3, 0.85, untested)
    values[rng.random((n, n_iterations)) < share] = -1
    values[:, 4] = -1
    return Labels.from_classes(values)


def by_pairs(labels: Labels, same: Any, apart: Any) -> tuple[np.ndarray, np.ndarray]:
    """Sums of scores and counts of tests, pair by pair as they are defined."""
    n = len(labels)
    total, counts = np.zeros((n, n)), np.zeros((n, n), dtype=int)
    for i, (p, q) in itertools.product(range(labels.n_iterations), itertools.product(range(n), repeat=2)):
        a, b = labels.values[p, i], labels.values[q, i]
        if a >= 0 and b >= 0:
            total[p, q] += same[i] if a == b else apart[i]
            counts[p, q] += 1
    return total, counts


# Sums


def test_binary_scores_are_those_of_the_definition() -> None:
    labels = some_labels()
    total, counts = by_pairs(labels, np.ones(17), np.zeros(17))
    np.testing.assert_array_equal(sic.pair_counts(labels), counts)
    expected = np.where(counts > 0, total / np.maximum(counts, 1), 0.0)
    np.fill_diagonal(expected, 1.0)
    np.testing.assert_array_equal(sic.binary(labels), expected)


def test_weighted_scores_are_those_of_the_definition() -> None:
    labels = some_labels(seed=3)
    rates = scores.independent_rate(labels)
    given = sic.weights(rates, mu=0.3, sigma=2.0)
    total, counts = by_pairs(labels, given.same, given.apart)
    expected = np.where(counts > 0, total / np.maximum(counts, 1), 0.0)
    np.testing.assert_allclose(sic.scored(labels, given), expected, atol=1e-12)


def test_large_sets_take_less_memory_and_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    labels = some_labels()
    exact, weighted = sic.binary(labels), sic.scored(labels, sic.weights(scores.pooled_rate(labels)))
    monkeypatch.setattr(scores, "FLOAT32_FROM", 2)
    assert sic.binary(labels).dtype == np.float32
    np.testing.assert_array_equal(sic.binary(labels), exact.astype(np.float32))
    found = sic.scored(labels, sic.weights(scores.pooled_rate(labels)))
    np.testing.assert_allclose(found, weighted, atol=1e-5)


def test_scores_have_the_moments_that_they_are_made_for() -> None:
    rates, q = np.array([0.02, 0.4, 0.9]), 0.3
    for chances in (0.0, q):
        given = sic.weights(rates, chances, mu=-0.7, sigma=1.3)
        p = rates + (1.0 - rates) * chances
        mean = p * given.same + (1.0 - p) * given.apart
        variance = p * given.same**2 + (1.0 - p) * given.apart**2 - mean**2
        np.testing.assert_allclose(mean, -0.7, atol=1e-12)
        np.testing.assert_allclose(variance, 1.69, rtol=1e-12)
    useless = sic.weights(np.array([0.0, 1.0]), mu=0.5)
    np.testing.assert_array_equal([useless.same, useless.apart], np.full((2, 2), 0.5))


def test_pooled_rates_leave_no_bias_over_all_pairs() -> None:
    labels = some_labels(untested=0.0).of_iterations([0, 1, 2, 5, 6])
    matrix = sic.scored(labels, sic.weights(sic.pooled_rate(labels)))
    pairs = np.triu_indices(len(labels), k=1)
    assert abs(matrix[pairs].mean()) < 1e-12
    # The rate of independent draws counts a sample with itself, and is larger for it.
    assert (sic.independent_rate(labels) > sic.pooled_rate(labels)).all()


def test_flipped_scores_are_drawn_once_a_pair_at_the_right_rate() -> None:
    rng = np.random.default_rng(1)
    labels = Labels.from_classes(rng.integers(0, 40, (160, 30)))
    chances = np.linspace(0.0, 0.6, 30)
    given = sic.weights(scores.pooled_rate(labels), chances)
    # Iterations separately: the addition shows which pairs were flipped.
    for i in (0, 10, 29):
        one = labels.of_iterations([i])
        part = scores.Weights(np.array([1.0]), np.array([0.0]), chances[i : i + 1])
        flipped = sic.scored(one, part, random_state=7)
        np.testing.assert_array_equal(flipped, flipped.T)
        apart = one.values != one.values.T
        assert set(np.unique(flipped[apart]).tolist()) <= {0.0, 1.0}
        n = int(apart.sum()) / 2
        assert abs(flipped[apart].mean() - chances[i]) <= 4.5 * np.sqrt(chances[i] * (1.0 - chances[i]) / n)
        np.testing.assert_array_equal(flipped[~apart], 1.0)
    whole = sic.scored(labels, given, random_state=7)
    one_by_one = [
        sic.scored(
            labels.of_iterations([i]), scores.Weights(*(x[i : i + 1] for x in vars(given).values())), random_state=7
        )
        for i in range(30)
    ]
    np.testing.assert_allclose(whole, np.mean(one_by_one, axis=0), atol=1e-12)
    assert (whole != sic.scored(labels, given, random_state=8)).any()


def test_sums_of_a_matrix_over_the_pairs_of_an_iteration() -> None:
    labels, rng = some_labels(n=40), np.random.default_rng(0)
    matrix = rng.random((40, 40))
    matrix += matrix.T
    upper = np.triu_indices(40, k=1)
    for i, column in enumerate(labels.values.T):
        both = ((column[:, None] >= 0) & (column >= 0))[upper]
        same = (column[:, None] == column)[upper] & both
        np.testing.assert_allclose(sums_of_tested(labels, matrix)[i], matrix[upper][both].sum(), atol=1e-9)
        np.testing.assert_allclose(sums_of_together(labels, matrix)[i], matrix[upper][same].sum(), atol=1e-9)


# Invariances


def test_order_of_samples_and_names_of_classes_do_not_matter() -> None:
    labels, rng = some_labels(), np.random.default_rng(5)
    order = rng.permutation(len(labels))
    renamed = labels.values.copy()
    for column in renamed.T:
        column[column >= 0] = rng.permutation(50)[column[column >= 0]]
    other = Labels.from_classes(renamed[order])
    given = sic.weights(scores.independent_rate(labels))
    for found, expected in (
        (sic.binary(other), sic.binary(labels)),
        (sic.scored(other, given), sic.scored(labels, given)),
        (sic.bernoulli_mixture(other).responsibilities, sic.bernoulli_mixture(labels).responsibilities),
    ):
        np.testing.assert_allclose(found, expected[np.ix_(order, order)], atol=1e-9)


@pytest.mark.parametrize("block", [1, 7, 256])
def test_blocks_and_threads_do_not_matter(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    labels = some_labels(n=60)
    given = sic.weights(scores.independent_rate(labels), 0.2)
    expected = sic.scored(labels, given, random_state=1)
    monkeypatch.setattr(kernels, "BLOCK_ROWS", block)
    np.testing.assert_array_equal(sic.scored(labels, given, random_state=1, n_jobs=3), expected)


def blobs(n: int = 48, n_classes: int = 3, seed: int = 0, spread: float = 0.4) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    classes = np.arange(n) % n_classes
    return 3.0 * np.eye(n_classes, 3)[classes] + spread * rng.normal(size=(n, 3)), classes


def test_any_cut_into_batches_gives_the_same_labels(tmp_path: Path) -> None:
    items = as_items(blobs()[0])
    samples = samples_of(items)
    how, answer = plan(samples, seed=3), FOREST.prepare(items)
    whole = classify(samples, answer, how, range(12))
    parts = [
        classify(samples, answer, how, numbers, threads=2) for numbers in ([7, 3], range(8, 12), [0, 1, 2, 4, 5, 6])
    ]
    parts[1].save(tmp_path / "part.npz")
    joined = Labels.join([parts[0], Labels.load(tmp_path / "part.npz"), parts[2]])
    for name in ("values", "iterations", "n_trained"):
        np.testing.assert_array_equal(getattr(joined, name), getattr(whole, name))
    result = sic.similarity(items, FOREST, n_iterations=12, random_state=3, n_jobs=2)
    np.testing.assert_array_equal(result.labels.values, whole.values)
    np.testing.assert_array_equal(result.matrix, sic.binary(whole))
    batches = [sic.answers(items, FOREST, numbers, random_state=3) for numbers in (range(5, 12), range(5))]
    for kind in ("binary", "flipped"):
        np.testing.assert_array_equal(
            sic.score(Labels.join(batches), kind, random_state=3).matrix,
            sic.similarity(items, FOREST, n_iterations=12, random_state=3, scores=kind).matrix,
        )
    followed = sic.similarity(items, FOREST, n_iterations=12, random_state=3, trace=True)
    np.testing.assert_array_equal(followed.matrix, result.matrix)
    np.testing.assert_array_equal(followed.counts, result.counts)


# Draws


def test_draws_follow_the_plan() -> None:
    rng = np.random.default_rng(0)
    x = np.repeat(rng.normal(size=(60, 2)), rng.integers(1, 4, 60), axis=0)
    samples = samples_of(as_items(x))
    how = plan(samples, train=0.4, labels=(3, 6), min_per_label=5, seed=1)
    numbers = set()
    for i in range(40):
        made = draw(samples, how, i)
        assert np.intersect1d(made.train, made.tested).size == 0
        np.testing.assert_array_equal(np.sort(np.concatenate([made.train, made.tested])), np.arange(len(x)))
        # Equal vectors are on one side, and bear one label.
        sides = np.zeros(len(x), dtype=int)
        sides[made.train] = 1
        for unit in range(60):
            assert np.unique(sides[samples.together == unit]).size == 1
        for kind in np.unique(samples.alike[made.train]):
            assert np.unique(made.labels[samples.alike[made.train] == kind]).size == 1
        if made.n_classes >= 2:
            assert np.bincount(made.labels).min() >= 5
            assert np.bincount(made.labels).size == made.n_classes <= 6
            numbers.add(made.n_classes)
    assert len(numbers) > 1
    again = draw(samples, how, 7)
    np.testing.assert_array_equal(draw(samples, how, 7).labels, again.labels)
    other = draw(samples, plan(samples, train=0.4, labels=(3, 6), min_per_label=5, seed=2), 7)
    assert not np.array_equal(other.train, again.train)


def test_tests_can_be_of_all_or_of_a_few() -> None:
    samples = samples_of(as_items(blobs(60)[0]))
    everything = draw(samples, plan(samples, labels=3, train_tested=True), 0)
    np.testing.assert_array_equal(everything.tested, np.arange(60))
    few = draw(samples, plan(samples, labels=3, test=11), 0)
    assert few.tested.size == 11
    assert np.intersect1d(few.tested, few.train).size == 0


def test_labels_are_uniform_and_every_sample_is_trained_as_often() -> None:
    samples = samples_of(as_items(blobs(40)[0]))
    how = plan(samples, train=0.25, labels=4, min_per_label=1)
    trained = np.zeros(40)
    labels: list[int] = []
    for i in range(600):
        made = draw(samples, how, i)
        trained[made.train] += 1
        labels += made.labels.tolist() if made.n_classes == 4 else []
    assert abs(trained.mean() - 150.0) < 1e-9
    assert np.abs(trained - 150.0).max() < 4.5 * np.sqrt(600 * 0.25 * 0.75)
    assert np.abs(np.bincount(labels) / len(labels) - 0.25).max() < 0.03


def sentences(n: int = 30, seed: int = 0) -> TokenSet:
    rng = np.random.default_rng(seed)
    words = [[f"w{rng.integers(9)}" for _ in range(5)] for _ in range(n)]
    places = [(s, p, p + 1) for s in range(n) for p in (1, 3)]
    return TokenSet.from_sentences({"word": words}, places)


def test_items_of_a_sentence_go_together_and_equal_words_bear_one_label() -> None:
    items = sentences()
    samples = samples_of(items)
    np.testing.assert_array_equal(samples.together, np.repeat(np.arange(30), 2))
    words = np.array(items.strings())
    for kind in np.unique(words):
        assert np.unique(samples.alike[words == kind]).size == 1
    assert np.unique(samples.alike).size == np.unique(words).size
    assert np.unique(samples_of(items, same_label=False).alike).size == 60


# The run as a whole


def test_classes_that_a_classifier_can_tell_apart_come_out() -> None:
    from sklearn.metrics import roc_auc_score
    from sklearn.neighbors import KNeighborsClassifier

    x, classes = blobs(90)
    upper = np.triu_indices(90, k=1)
    same = (classes[:, None] == classes)[upper]
    for classifier in ("forest", KNeighborsClassifier(5)):
        found = sic.similarity(x, classifier, n_iterations=30, labels=(3, 6), random_state=1)
        assert roc_auc_score(same, found.matrix[upper]) > 0.95
        np.testing.assert_array_equal(found.matrix, found.matrix.T)
        np.testing.assert_allclose(found.distance, 1.0 - found.matrix)
    # A classifier that ignores its input distinguishes nothing.
    assert abs(roc_auc_score(same, sic.similarity(x, _Blind(), n_iterations=30).matrix[upper]) - 0.5) < 0.06


@pytest.mark.parametrize("n_labels", [2, 5, 12])
def test_trees_that_learn_indicators_are_those_that_learn_labels(n_labels: int) -> None:
    rng = np.random.default_rng(n_labels)
    x = rng.normal(size=(90, 6)).astype(np.float32)
    labels = rng.permutation(np.arange(30) % n_labels)
    for state in range(10):
        votes = []
        for add in (forests._by_indicators, forests._by_labels):
            votes.append(np.zeros((60, n_labels)))
            add(x[:30], labels, x[30:], votes[-1], 3, np.random.RandomState(state))
        np.testing.assert_allclose(*votes, atol=1e-12)
        np.testing.assert_allclose(votes[0].sum(axis=1), 1.0)
        assert votes[0].any(axis=0).sum() == n_labels


class _Blind:
    """Puts items into classes at random, by a generator that the number of items seeds."""

    def fit(self, items: SequenceSet, labels: np.ndarray) -> None:
        self.n = int(labels.max()) + 1
        self.state = int(labels @ np.arange(len(labels)))

    def predict(self, items: SequenceSet) -> np.ndarray:
        return np.random.default_rng(self.state).integers(0, self.n, len(items))


class _Failing:
    def fit(self, items: Any, labels: Any) -> None:
        raise ZeroDivisionError("no luck")

    def predict(self, items: Any) -> Any:
        return None


class _Short(_Blind):
    def predict(self, items: Any) -> Any:
        return np.zeros(3)


def test_a_classifier_that_fails_is_named_with_iteration_and_seed(recorded: Recorded) -> None:
    with recorded.raises(DataError):
        sic.similarity(blobs()[0], _Failing(), random_state=4, n_iterations=3)
    with recorded.raises(DataError):
        sic.similarity(blobs()[0], _Short(), n_iterations=3)


def test_skipped_iterations_and_unseen_pairs_are_counted_and_warned_of(recorded: Recorded) -> None:
    x = blobs(24)[0]
    with recorded.warns(KinseqWarning) as caught:
        found = sic.similarity(x, FOREST, n_iterations=20, labels=(2, 8), train=0.3, min_per_label=3, random_state=0)
    assert found.findings["skipped"] == found.labels.skipped.sum() > 2
    assert len(caught) >= 1
    with recorded.warns(KinseqWarning):
        rare = sic.similarity(x, FOREST, n_iterations=3, labels=2, test=5, random_state=0)
    off = ~np.eye(24, dtype=bool)
    unseen = (rare.counts == 0) & off  # type: ignore[operator]
    assert rare.findings["unseen_pairs"] == pytest.approx(unseen.sum() / off.sum())
    np.testing.assert_array_equal(rare.matrix[unseen], 0.0)
    with recorded.raises(DataError):
        sic.similarity(x, FOREST, n_iterations=4, labels=20, min_per_label=6)


def test_the_run_ends_when_the_entropy_has_settled_twice() -> None:
    assert not computing.settled([0.0, 1.0], 0.5)
    assert not computing.settled([0.0, 1.0, 1.1], 0.5)
    assert not computing.settled([0.0, 0.1, 1.1, 1.2], 0.5)
    assert computing.settled([0.0, 1.0, 1.1, 1.0], 0.5)
    x = blobs(40)[0]
    long = sic.similarity(x, FOREST, n_iterations=60, labels=3, random_state=0, trace=True)
    short = sic.similarity(x, FOREST, n_iterations=60, labels=3, random_state=0, stop=2e-2)
    stopped = short.labels.n_iterations
    assert 15 <= stopped < 60
    assert stopped % 5 == 0
    np.testing.assert_array_equal(short.labels.values, long.labels.values[:, :stopped])
    np.testing.assert_array_equal(short.trace.entropy, long.trace.entropy[: stopped // 5])
    first = next(j for j in range(3, 13) if computing.settled(long.trace.entropy[:j], 2e-2))
    assert stopped == 5 * first


def test_entropy_is_the_mean_over_pairs() -> None:
    labels = some_labels(n_iterations=10)
    found = sic.entropy_trace(labels)
    np.testing.assert_array_equal(found.iterations, [5, 10])
    s = sic.binary(labels)[np.triu_indices(len(labels), k=1)]
    inside = s[(s > 0) & (s < 1)]
    expected = -(inside * np.log(inside) + (1 - inside) * np.log(1 - inside)).sum() / s.size
    assert found.entropy[-1] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("kind", ["weighted", "flipped", "em"])
def test_all_scores_rank_pairs_of_one_class_first(kind: Any) -> None:
    x, classes = blobs(60)
    found = sic.similarity(x, FOREST, n_iterations=25, labels=(3, 6), scores=kind, random_state=2)
    same = (classes[:, None] == classes) & ~np.eye(60, dtype=bool)
    assert found.matrix[same].mean() > found.matrix[~same & ~np.eye(60, dtype=bool)].mean() + 0.3
    assert np.isfinite(found.matrix).all()
    np.testing.assert_array_equal(found.matrix, found.matrix.T)


# Items that occur often, and matrices too large


def test_occurrences_follow_equation_10_without_its_indicator() -> None:
    labels, rng = some_labels(n=30), np.random.default_rng(2)
    owners = np.concatenate([np.arange(7), rng.integers(0, 7, 23)])
    found, counts, _ = occurrences.by_occurrences(labels, owners)
    total, times = np.zeros((7, 7)), np.zeros((7, 7), dtype=int)
    for column in labels.values.T:
        for p, q in itertools.product(range(7), repeat=2):
            of_p, of_q = column[(owners == p) & (column >= 0)], column[(owners == q) & (column >= 0)]
            if of_p.size and of_q.size:
                times[p, q] += 1
                total[p, q] += np.mean([[a == b for a in of_p] for b in of_q])
    expected = np.where(times > 0, total / np.maximum(times, 1), 0.0)
    np.fill_diagonal(expected, 1.0)
    np.testing.assert_allclose(found, expected, atol=1e-12)
    np.testing.assert_array_equal(counts, times)


def test_items_that_occur_once_have_binary_scores() -> None:
    labels = some_labels()
    found, counts, _ = occurrences.by_occurrences(labels, np.arange(len(labels)))
    np.testing.assert_allclose(found, sic.binary(labels), atol=1e-12)
    np.testing.assert_array_equal(counts, sic.pair_counts(labels) * 1)


def test_nearest_ones_are_those_of_the_whole_matrix(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "BLOCK_ROWS", 10)
    labels = some_labels(n=33)
    whole = sic.binary(labels)
    found = occurrences.nearest(labels, 5).toarray()
    np.testing.assert_array_equal(found, found.T)
    kept = found > 0
    np.testing.assert_allclose(found[kept], whole[kept], atol=1e-15)
    for p in range(33):
        others = np.delete(whole[p], p)
        least = np.sort(others)[-5]
        missing = np.delete(~kept[p], p) & (others > least)
        assert not missing.any()
        assert kept[p].sum() >= min(6, 1 + (others > 0).sum())
    every = occurrences.nearest(labels, 50).toarray()
    np.testing.assert_allclose(every, whole, atol=1e-15)
    sparse = sic.similarity(blobs()[0], FOREST, n_iterations=10, neighbours=4)
    assert sparse.counts is None
    assert sparse.matrix.shape == (48, 48)


def test_what_does_not_fit_into_memory_is_said_before_it_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(computing, "_memory", lambda: 50_000)
    with pytest.raises(DataError, match=r"60 items.*neighbours=100"):
        sic.similarity(blobs(60)[0], _Failing())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert sic.similarity(blobs(60)[0], FOREST, n_iterations=3, neighbours=5).matrix.nnz > 0


@pytest.mark.parametrize(
    "arguments",
    [
        {"train": 0.0},
        {"labels": "many"},
        {"labels": (5, 3)},
        {"labels": 100},
        {"scores": "ternary"},
        {"occurrences": [0, 1]},
        {"classifier": "svm"},
        {"classifier": 3},
        {"n_iterations": 0},
        {"stop": -1.0},
        {"neighbours": 3, "scores": "em"},
        {"scores": "weighted", "p0": "mine"},
        {"scores": "flipped", "flips": 1.5},
    ],
)
def test_what_cannot_be_is_refused(arguments: dict[str, Any], recorded: Recorded) -> None:
    with recorded.raises((ParameterError, DataError)):
        sic.similarity(blobs()[0], **{"n_iterations": 2, **arguments})
