"""Scores of partitions against scikit-learn, against all permutations, and on the controls."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics

from kinseq import metrics as evaluation
from kinseq.core.errors import ConfigError, DataError, ParameterError
from kinseq.metrics import across, estimation, registry, retrieval
from kinseq.metrics.confidence import confidence_correlation
from tests.sentences import Recorded

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
    assert registry.function("nmi_geometric")(y_true, y_pred) == evaluation.nmi(y_true, y_pred, "geometric")
    assert registry.function("nmi_max")(y_true, y_pred) == evaluation.nmi(y_true, y_pred, "max")
    assert evaluation.accuracy(y_true, y_pred) == pytest.approx(100.0 - evaluation.clustering_error(y_true, y_pred))
    assert registry.function("n_clusters")(y_true, y_pred) == len(set(y_pred))
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
    control = evaluation.random_labels(y, 5, random_state=3)
    assert abs(evaluation.ari(y, control)) < 0.01
    assert 75.0 < evaluation.clustering_error(y, control) < 80.0
    np.testing.assert_array_equal(control, evaluation.random_labels(3000, 5, random_state=3))
    assert (control != evaluation.random_labels(3000, 5, random_state=4)).any()
    assert set(control) == set(range(5))


@pytest.mark.parametrize(
    "y_true, y_pred",
    [
        ([0, 1], [0, 1, 2]),
        ([], []),
        ([[0, 1]], [0, 1]),
        ([0.0, np.nan], [0, 1]),
    ],
)
def test_bad_labels_are_refused(y_true, y_pred, recorded: Recorded):
    for score in (evaluation.clustering_error, evaluation.ari, evaluation.nmi, evaluation.purity):
        with recorded.raises(DataError):
            score(y_true, y_pred)


def test_bad_parameters_are_refused(recorded: Recorded):
    with pytest.raises(ParameterError, match="arithmetic, geometric"):
        evaluation.nmi([0, 1], [0, 1], average="mean")
    with pytest.raises(ParameterError, match="beta"):
        evaluation.v_measure([0, 1], [0, 1], beta=0.0)
    with pytest.raises(ParameterError, match="n_clusters"):
        evaluation.random_labels(4, 0)
    with recorded.raises(ParameterError):
        evaluation.random_labels(0, 2)


@settings(max_examples=40, deadline=None)
@given(labels)
def test_balanced_accuracy_is_the_best_of_all_permutations(pairs):
    y_true, y_pred = (list(column) for column in zip(*pairs, strict=True))
    classes, clusters = sorted(set(y_true)), sorted(set(y_pred))
    size = max(len(classes), len(clusters))
    best = 0.0
    for order in permutations(classes + [-1 - k for k in range(size - len(classes))]):
        name = dict(zip(clusters, order, strict=False))
        named = np.array([name[p] for p in y_pred])
        # scikit-learn would count a name without items as a class; recall of each class is its definition.
        best = max(best, np.mean([np.mean(named[np.array(y_true) == c] == c) for c in classes]))
    assert evaluation.balanced_accuracy(y_true, y_pred) == pytest.approx(100.0 * best)


def random_matrix(seed, n=30, classes=4, ties=False):
    rng = np.random.default_rng(seed)
    square = rng.integers(0, 6, size=(n, n)).astype(float) if ties else rng.random((n, n))
    square = np.triu(square, 1)
    return rng.integers(0, classes, size=n), square + square.T


@pytest.mark.parametrize("seed", range(5))
def test_retrieval_against_scikit_learn(seed):
    classes, distance = random_matrix(seed)
    queries = [i for i in range(30) if np.sum(classes == classes[i]) > 1]
    precisions, firsts = [], []
    for i in queries:
        others = np.arange(30) != i
        relevant, score = classes[others] == classes[i], -distance[i, others]
        precisions.append(metrics.average_precision_score(relevant, score))
        nearest = np.argsort(-score, kind="stable")
        firsts.append([relevant[nearest[:r]].sum() / r for r in (1, 7)])
    assert retrieval.mean_average_precision(classes, distance) == pytest.approx(100 * np.mean(precisions))
    for rank, column in zip((1, 7), np.transpose(firsts), strict=True):
        assert retrieval.precision_at(classes, distance, rank) == pytest.approx(100 * column.mean())
        assert registry.function(f"p_at_{rank}")(classes, distance) == pytest.approx(100 * column.mean())
    rows, columns = np.triu_indices(30, 1)
    auc = metrics.roc_auc_score(classes[rows] == classes[columns], -distance[rows, columns])
    assert retrieval.roc_auc(classes, distance) == pytest.approx(auc)
    assert retrieval.silhouette(classes, distance) == pytest.approx(
        metrics.silhouette_score(distance, classes, metric="precomputed")
    )


@pytest.mark.parametrize("seed", range(3))
def test_ties_are_broken_by_index_and_count_half_in_the_area(seed):
    classes, distance = random_matrix(seed, ties=True)
    ranked = [sorted((j for j in range(30) if j != i), key=lambda j: (distance[i, j], j)) for i in range(30)]
    np.testing.assert_array_equal(retrieval.ranking(distance), ranked)
    expected = []
    for i, order in enumerate(ranked):
        hits = [classes[j] == classes[i] for j in order]
        if any(hits):
            expected.append(np.mean([sum(hits[: k + 1]) / (k + 1) for k, hit in enumerate(hits) if hit]))
    assert retrieval.mean_average_precision(classes, distance) == pytest.approx(100 * np.mean(expected))
    pairs = [(distance[i, j], classes[i] == classes[j]) for i in range(30) for j in range(i)]
    within, across = ([d for d, same in pairs if same is np.bool_(flag)] for flag in (True, False))
    wins = [(w < a) + 0.5 * (w == a) for w in within for a in across]
    assert retrieval.roc_auc(classes, distance) == pytest.approx(np.mean(wins))


@pytest.mark.parametrize("rank", [1, 2, 5])
def test_f_at_a_rank_is_the_harmonic_mean(rank):
    classes, distance = random_matrix(3, n=12, classes=3)
    found = []
    for i in range(12):
        order = sorted((j for j in range(12) if j != i), key=lambda j: distance[i, j])
        relevant = np.sum(classes == classes[i]) - 1
        hits = sum(classes[j] == classes[i] for j in order[:rank])
        precision, recall = hits / rank, hits / relevant
        found.append(2 * precision * recall / (precision + recall) if hits else 0.0)
    assert retrieval.f_at(classes, distance, rank) == pytest.approx(100 * np.mean(found))


def test_lists_of_neighbours_take_the_place_of_classes(monkeypatch, recorded: Recorded):
    classes, distance = random_matrix(1)
    related = (classes[:, None] == classes) & ~np.eye(30, dtype=bool)
    for name in ("map", "p_at_3", "f_at_5"):
        assert registry.function(name)(related, distance) == registry.function(name)(classes, distance)
    # Lists may be of one direction, and empty.
    related = np.random.default_rng(0).random((30, 30)) < 0.2
    related[4] = False
    np.fill_diagonal(related, False)
    queries, found = retrieval.average_precision(related, distance)
    assert 4 not in queries
    for i, precision in zip(queries, found, strict=True):
        others = np.arange(30) != i
        expected = metrics.average_precision_score(related[i, others], -distance[i, others])
        assert precision == pytest.approx(100 * expected)
    monkeypatch.setattr(retrieval, "BLOCK_ROWS", 7)
    np.testing.assert_array_equal(retrieval.average_precision(related, distance)[1], found)
    with recorded.raises(DataError):
        retrieval.mean_average_precision(related.astype(int), distance)


def test_retrieval_by_class_weighs_items():
    classes, distance = random_matrix(2)
    classes[classes == 3] = 2
    classes[0] = 9
    found = retrieval.map_by_class(classes, distance)
    assert found.total == pytest.approx(retrieval.mean_average_precision(classes, distance))
    queries, precision = retrieval.average_precision(classes, distance)
    for one, size, score in zip(*found, strict=True):
        assert size == np.sum(classes == one)
        own = precision[classes[queries] == one]
        assert score == pytest.approx(own.mean() if own.size else 0.0)
    assert found.scores[found.classes == 9] == 0.0


@pytest.mark.parametrize("ties", [False, True])
def test_roc_curves_have_the_area_of_scikit_learn(ties):
    classes, distance = random_matrix(5, ties=ties)
    grid = np.linspace(0.0, 1.0, 20001)
    queries, rates = retrieval.roc_curves(classes, distance, grid)
    assert (np.diff(rates, axis=1) >= 0).all()
    np.testing.assert_array_equal(rates[:, -1], 1.0)
    for i, curve in zip(queries, rates, strict=True):
        others = np.arange(30) != i
        expected = metrics.roc_auc_score(classes[others] == classes[i], -distance[i, others])
        assert np.trapezoid(curve, grid) == pytest.approx(expected, abs=2e-3)


def test_retrieval_by_hand():
    """Queries 0 and 1 see each other first; 2 sees 1 first and 3 last; 3 sees 1, 0, 2."""
    distance = np.array([[0, 1, 3, 5], [1, 0, 2, 4], [3, 2, 0, 9], [5, 4, 9, 0]], dtype=float)
    classes = ["a", "a", "b", "b"]
    assert retrieval.mean_average_precision(classes, distance) == pytest.approx(100 * (1 + 1 + 1 / 3 + 1 / 3) / 4)
    assert retrieval.precision_at(classes, distance, 1) == 50.0
    assert retrieval.nearest_neighbour_accuracy(classes, distance) == 50.0
    assert retrieval.f_at(classes, distance, 2) == pytest.approx(100 * (2 * 0.5 / 1.5) / 2)
    # Pairs within: 1 and 9; across: 3, 5, 2, 4.
    assert retrieval.roc_auc(classes, distance) == pytest.approx(0.5)


def test_perfect_and_constant_matrices():
    classes = np.array([0, 0, 0, 1, 1, 2, 2])
    perfect = (classes[:, None] != classes).astype(float)
    for name in ("map", "p_at_1", "accuracy_1nn"):
        assert registry.function(name)(classes, perfect) == 100.0
    assert retrieval.roc_auc(classes, perfect) == retrieval.silhouette(classes, perfect) == 1.0
    assert retrieval.roc_auc(classes, np.zeros((7, 7))) == 0.5
    assert retrieval.silhouette(classes, np.zeros((7, 7))) == 0.0
    # Signed "distances" are shifted so that the least is 0.
    assert retrieval.silhouette(classes, (perfect - 4.0) * (1 - np.eye(7))) == 1.0


def test_retrieval_across_groups_is_that_of_the_others(recorded: Recorded):
    rng = np.random.default_rng(3)
    classes, groups = rng.integers(3, size=20), rng.integers(6, size=20)
    distance = rng.random((20, 20))
    distance = np.triu(distance, 1) + np.triu(distance, 1).T
    found = []
    for i in range(20):
        others = [j for j in range(20) if groups[j] != groups[i]]
        hits = [classes[j] == classes[i] for j in sorted(others, key=lambda j: (distance[i, j], j))]
        if any(hits):
            found.append(np.mean([np.mean(hits[: r + 1]) for r in range(len(hits)) if hits[r]]))
    assert across.map_across_groups((classes, groups), distance) == pytest.approx(100.0 * np.mean(found))
    alone = across.map_across_groups((classes, np.arange(20)), distance)
    assert alone == pytest.approx(retrieval.mean_average_precision(classes, distance))
    with recorded.raises(DataError):
        across.map_across_groups(([0, 0, 1, 1], [0, 0, 1, 1]), distance[:4, :4])
    with pytest.raises(DataError, match=r"3 groups .*4 rows"):
        across.map_across_groups(([0, 0, 1, 1], [0, 0, 1]), distance[:4, :4])


def test_items_alone_in_their_class():
    classes, distance = [0, 0, 1], np.array([[0, 1, 2], [1, 0, 3], [2, 3, 0]], dtype=float)
    assert retrieval.mean_average_precision(classes, distance) == 100.0
    assert retrieval.nearest_neighbour_accuracy(classes, distance) == pytest.approx(200 / 3)


def test_estimates_by_closed_forms():
    estimates, truth = [1.0, 2.0, 4.0], 2.0
    assert estimation.bias(estimates, truth) == pytest.approx(1 / 3)
    assert estimation.nmse(estimates, truth) == pytest.approx((1 + 0 + 4) / 3 / 4)
    assert estimation.rmse(estimates, truth) == pytest.approx(np.sqrt(5 / 3))
    assert estimation.relative_error(estimates, truth) == pytest.approx(50.0)
    assert estimation.estimate(estimates, truth) == pytest.approx(7 / 3)
    assert estimation.bias(3.0, 2.0) == 1.0
    assert estimation.nmse(-1.0, -2.0) == 0.25
    assert estimation.relative_error([1.0, 3.0], [2.0, 2.0]) == 50.0
    rng = np.random.default_rng(0)
    drawn = rng.normal(5.0, 2.0, size=200_000)
    assert estimation.nmse(drawn, 4.0) == pytest.approx((1.0 + 4.0) / 16.0, rel=0.02)


def test_every_metric_is_complete_and_in_its_range(recorded: Recorded):
    classes, distance = random_matrix(1)
    examples = {
        "partition": (classes, classes % 3),
        "segmentation": (classes, classes % 3),
        "matrix": (classes, distance),
        "grouped_matrix": ((classes, np.arange(len(classes)) % 2), distance),
        "estimate": ([1.0, 2.0], 3.0),
    }
    names = [name.replace("<rank>", "2") for name in registry.names()]
    assert {registry.describe(name).judges for name in names} == set(registry.JUDGES)
    for name in names:
        metric = registry.describe(name)
        assert metric.label
        assert "{" not in metric.title
        if metric.judges == "finding":
            with recorded.raises(ParameterError):
                registry.function(name)
            continue
        value = registry.function(name)(*examples[metric.judges])
        assert np.isfinite(value)
        assert metric.least is None or value >= metric.least
        assert metric.most is None or value <= metric.most
        if metric.complement:
            other = registry.function(metric.complement)(*examples[metric.judges])
            assert value + other == pytest.approx(metric.most)
            assert registry.describe(metric.complement).unit == metric.unit


def test_the_direction_is_that_of_the_best_value():
    truth = np.array([0, 0, 1, 1])
    near = (truth[:, None] != truth).astype(float)
    examples = {
        "partition": [(truth, truth), (truth, [0, 1, 2, 1])],
        "segmentation": [(truth, truth), (truth, [0, 1, 0, 1])],
        "matrix": [(truth, near), (truth, 1.0 - near - np.eye(4))],
        "grouped_matrix": [((truth, [0, 1, 0, 1]), near), ((truth, [0, 1, 0, 1]), 1.0 - near - np.eye(4))],
        "estimate": [(1.0, 1.0), (3.0, 1.0)],
    }
    # Informative statistics are independent of good and bad matrices: the same distances, with classes on which the
    # confident items are right, and classes on which they are not.
    random = np.triu(np.random.default_rng(0).random((8, 8)), 1)
    distance = random + random.T
    told = [([0, 1, 0, 1, 0, 1, 0, 1], distance), ([0, 1, 1, 0, 0, 0, 1, 1], distance)]
    for name in (name.replace("<rank>", "1") for name in registry.names()):
        metric = registry.describe(name)
        if metric.judges == "finding" or metric.direction == "none":
            continue
        pairs = told if name.endswith(("_pearson", "_spearman")) else examples[metric.judges]
        if name == "normality_gap":  # distances that vary, and a single one
            pairs = [told[0], (truth, near)]
        good, bad = (registry.function(name)(*pair) for pair in pairs)
        assert good < bad if metric.direction == "lower" else good > bad, name


def test_metrics_that_are_computed():
    clustered, matrices = {"partition", "segmentation", "finding"}, {"matrix", "grouped_matrix", "finding"}
    assert registry.computed(clustered) == ["error", "ari", "nmi", "segmentation_error"]
    assert registry.computed(clustered, always=["models_kept"])[-1] == "models_kept"
    assert registry.computed(matrices) == ["map", "accuracy_1nn", "roc_auc"]
    assert registry.computed(matrices, ["map"], ["f_at_50"]) == ["map", "f_at_50"]
    assert registry.computed(clustered | matrices, ["map", "error"], ["map"]) == ["map", "error"]
    assert registry.computed({"estimate"}, always=["rmse"]) == ["bias", "nmse", "rmse"]


def test_metrics_of_their_own_files_only():
    found = registry.modules_of(["error", "p_at_10", "models_kept"])
    assert found == [f"kinseq.metrics.{name}" for name in ("external", "findings", "retrieval")]


def test_a_metric_is_checked_when_it_is_made(recorded: Recorded):
    right = {"name": "m", "label": "M", "unit": "percent", "direction": "lower", "judges": "partition"}
    right |= {"reproduced_within": 1.0, "close_within": 3.0, "largest_se": 2.0}
    assert registry.Metric(**right).title == "M (%)"
    for key, value in (
        ("unit", "seconds"),
        ("direction", "up"),
        ("judges", "partitions"),
        ("close_within", 0.5),
        ("largest_se", 0.0),
    ):
        with recorded.raises(ParameterError):
            registry.Metric(**{**right, key: value})
    with recorded.raises(ConfigError):
        registry.Metric(**right).factor("nats")


def test_tolerances_are_those_of_the_unit_unless_a_metric_has_its_own(recorded: Recorded):
    right = {"name": "m", "label": "M", "unit": "percent", "direction": "lower", "judges": "partition"}
    assert registry.Metric(**right).tolerances == (1.0, 3.0, 2.0)
    assert registry.Metric(**right, close_within=5.0).tolerances == (1.0, 5.0, 2.0)
    with recorded.raises(ParameterError):
        registry.Metric(**{**right, "unit": "count"})
    # A number that repeats its unit would hide a change of the unit.
    for name, entry in registry.modules().items():
        given, unit = entry.fields, registry.UNITS[entry.fields["unit"]]
        own = [given.get(key) for key in registry.TOLERANCES]
        assert own != [getattr(unit, key) for key in registry.TOLERANCES], name


def test_a_matrix_that_was_changed_is_ranked_anew():
    rng = np.random.default_rng(8)
    truth = np.repeat([0, 1, 2], 6)
    square = rng.random((18, 18))
    square = square + square.T
    np.fill_diagonal(square, 0.0)
    first = retrieval.mean_average_precision(truth, square)
    swapped = truth.copy()
    swapped[[0, 17]] = swapped[[17, 0]]
    others = [retrieval.mean_average_precision(given, square) for given in (swapped, truth[:, None] == truth)]
    assert others[0] != first
    assert others[1] == first
    # In place, so that only the content tells.
    square *= -1.0
    assert retrieval.mean_average_precision(truth, square) != first
    square *= -1.0
    assert retrieval.mean_average_precision(truth, square) == first
    largest = confidence_correlation(truth, square, "max", "pearson")
    square[0, 1] = square[1, 0] = -5.0
    assert confidence_correlation(truth, square, "max", "pearson") != largest


def test_the_next_metric_of_a_matrix_ranks_nothing(monkeypatch):
    rng = np.random.default_rng(9)
    truth, square = np.repeat([0, 1], 5), rng.random((10, 10))
    square = square + square.T
    np.fill_diagonal(square, 0.0)
    expected = [retrieval.precision_at(truth, square, rank) for rank in (1, 2)]
    monkeypatch.setattr(retrieval, "MAX_REMEMBERED_ITEMS", 5)
    assert [retrieval.precision_at(truth, square, rank) for rank in (1, 2)] == expected
    monkeypatch.setattr(retrieval, "MAX_REMEMBERED_ITEMS", 10)
    monkeypatch.setattr(retrieval, "_ranked", None)
    assert [retrieval.precision_at(truth, square, rank) for rank in (1, 2)] == expected


def test_cells_of_the_confusion_matrix_are_counted_along_its_rows():
    classes = ["a", "a", "a", "b", "b", "c", "c", "c"]
    clusters = [7, 7, 5, 5, 5, 9, 9, 2]
    # Cluster 7 is matched with a, 5 with b, 9 with c; 2 has no class.
    cells = [registry.function(f"confusion_{rank}")(classes, clusters) for rank in range(1, 10)]
    assert cells == [2, 1, 0, 0, 2, 0, 0, 0, 2]
    with pytest.raises(ParameterError, match="9 cells"):
        registry.function("confusion_10")(classes, clusters)
