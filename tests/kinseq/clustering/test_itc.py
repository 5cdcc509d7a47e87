"""Information-theoretic clustering: the compiled run against its definition, the vote, what is asked and refused."""

import itertools
import re
import warnings
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.distance import cdist, pdist, squareform

from kinseq import InformationTheoreticClustering, clustering
from kinseq.clustering import itc, itc_kernels
from kinseq.clustering.itc import information_theoretic, match, seeding, space_of, suggested, vote
from kinseq.core.content_cache import forget
from kinseq.core.errors import DataError, KinseqWarning, ParameterError
from kinseq.core.graphs.kmeans import relabel
from kinseq.core.sequences import SequenceSet
from kinseq.divergences.density import silverman
from kinseq.metrics import clustering_error
from tests.sentences import Recorded

from .itc_reference import Kernel, Knn, Tracer

FIELDS = ("labels", "steps", "costs", "divergences", "removed")


def drawn(seed, n=None, d=None):
    """Points in a few clusters of different scales, and what a run is started with."""
    random = np.random.default_rng(seed)
    n, d = n or int(random.integers(30, 61)), d or int(random.integers(1, 5))
    centers = 4.0 * random.normal(size=(3, d))
    label = random.integers(3, size=n)
    x = centers[label] + random.normal(size=(n, d)) * np.array([0.3, 1.0, 2.0])[label, None]
    k_init = int(random.integers(6, 8))
    return x, random.random(k_init), int(0.8 * n) // k_init


def traced(reference):
    return {
        "labels": np.array(reference.labels),
        "steps": np.array(reference.when),
        "costs": np.array(reference.costs),
        "divergences": np.array(reference.divergences),
        "removed": np.array(reference.removed),
    }


def differences(found, expected):
    """Fields of a trace that differ: numbers of points and clusters exactly, costs up to rounding."""
    return [
        name
        for name, array in zip(FIELDS, found, strict=True)
        if not (
            np.array_equal(array, expected[name])
            if name in ("labels", "steps", "removed")
            else np.allclose(array, expected[name], rtol=1e-9, atol=1e-12)
        )
    ]


def both(seed, method, exponent="d", run=itc_kernels.run, k_end=2, **options):
    """A compiled run and the reference on one random set."""
    x, draws, n_init = drawn(seed)
    if method == "precomputed":
        x = squareform(pdist(x, "cityblock"))
    space, limits = space_of(x, "precomputed" if method == "precomputed" else "euclidean")
    distance = x if method == "precomputed" else cdist(x, x)
    if method == "kernel":
        rate = 0.5 / 1.3**2
        largest = np.abs(x).max()
        cost = itc_kernels.Cost(False, 1.0, rate * (largest * space.unit) ** 2, 1, 0, True)
        definition, space = Kernel(distance, rate), space._replace(floor=0.0)
    else:
        power = itc._exponent(exponent if method == "knn" or exponent != "d" else None, space, limits)
        near, own, factor = options.get("near", 1), options.get("own", "farthest"), options.get("factor", True)
        cost = itc_kernels.Cost(True, power, 0.0, near, 0 if own == "farthest" else own, factor)
        definition = Knn(distance, power, near, own, factor)
    from_start = options.get("from_start", False)
    found = run(space, cost, draws, np.full(len(draws), -1), n_init, k_end, from_start)
    return found, traced(Tracer(distance, definition, draws, n_init, k_end, from_start))


@pytest.mark.parametrize(("method", "exponent"), [("knn", "d"), ("knn", 1.0), ("kernel", "d"), ("precomputed", 1.0)])
def test_a_run_is_what_the_definition_says(method, exponent):
    # 200 sets in all, N from 30 to 60, four removals or more.
    for seed in range(50):
        found, expected = both(seed + 1000 * (exponent == "d"), method, exponent)
        assert len(expected["removed"]) >= 4
        assert not differences(found, expected), f"set {seed}"


@pytest.mark.parametrize(
    "options",
    [
        {"near": 2, "own": 3},
        {"near": 1, "own": 1},
        {"near": 3, "own": "farthest"},
        {"near": 2, "own": 2, "factor": False},
        {"factor": False},
        {"from_start": True},
    ],
    ids=str,
)
def test_options_are_what_the_definition_says(options):
    for seed in range(8):
        found, expected = both(seed, "knn", 2.5 if seed % 2 else 3.0, **options)
        assert not differences(found, expected), f"set {seed}"


def test_single_points_can_be_seeds():
    x = np.random.default_rng(0).normal(size=(12, 2))
    draws = np.random.default_rng(1).random(12)
    space, _ = space_of(x)
    cost = itc_kernels.Cost(True, 2.0, 0.0, 1, 0, True)
    found = itc_kernels.run(space, cost, draws, np.full(12, -1), 1, 4, False)
    distance = cdist(x, x)
    assert not differences(found, traced(Tracer(distance, Knn(distance, 2.0), draws, 1, 4)))


DEFINITIONS = [
    ({}, lambda x, d: Knn(d, x.shape[1])),
    ({"exponent": 1.0, "k_numerator": 2, "k_denominator": 3}, lambda x, d: Knn(d, 1.0, 2, 3)),
    ({"k_denominator": 1, "factor": False}, lambda x, d: Knn(d, x.shape[1], 1, 1, False)),
    ({"metric": "precomputed"}, lambda x, d: Knn(d, 1.0)),
    ({"method": "kernel", "width": 1.3}, lambda x, d: Kernel(d, 0.25 / 1.3**2)),
    ({"method": "kernel", "width": 0.8, "convention": "plug_in"}, lambda x, d: Kernel(d, 0.5 / 0.8**2)),
    ({"method": "kernel", "width": 0.8, "metric": "precomputed"}, lambda x, d: Kernel(d, 0.25 / 0.8**2)),
]


@pytest.mark.parametrize(("options", "define"), DEFINITIONS, ids=[str(options) for options, _ in DEFINITIONS])
def test_costs_of_a_given_partition_are_those_of_the_definition(options, define):
    for seed in range(6):
        random = np.random.default_rng(seed)
        x = random.normal(size=(int(random.integers(15, 30)), int(random.integers(1, 4)))) * 3.0
        x[1] = x[0]
        distance = cdist(x, x)
        names = random.choice([-4, 0, 2, 7], size=3, replace=False)
        labels = random.permutation(np.resize(names, len(x)))
        found = clustering.partition_cost(distance if "metric" in options else x, labels, **options)
        definition, clusters = define(x, distance), [np.flatnonzero(labels == c).tolist() for c in np.sort(names)]
        np.testing.assert_array_equal(found.clusters, np.sort(names))
        assert found.cost == pytest.approx(definition(clusters), rel=1e-9)
        assert found.divergence == pytest.approx(definition.divergence(clusters), rel=1e-9)
        for p, q in ((0, 1), (2, 0), (1, 2)):
            expected = definition.divergence([clusters[p], clusters[q]])
            assert -np.log(found.pairs[p, q]) == pytest.approx(expected, rel=1e-9)


def test_the_best_partition_of_all_has_the_least_cost():
    x = np.concatenate(
        [np.random.default_rng(0).normal(size=(4, 2)), 9.0 + np.random.default_rng(1).normal(size=(4, 2))]
    )
    tried = {
        labels: clustering.partition_cost(x, labels).cost
        for labels in itertools.product((0, 1), repeat=8)
        if labels[0] == 0 and 2 <= sum(labels) <= 6
    }
    assert len(tried) == 2**7 - 1 - 7 - 1
    assert min(tried, key=tried.get) == (0, 0, 0, 0, 1, 1, 1, 1)


def seeds_of(labels, steps):
    """The first point of each seeded cluster."""
    return [int(min(np.flatnonzero(labels == m), key=lambda x: steps[x])) for m in range(labels.max() + 1)]


@pytest.mark.parametrize(
    "options", [{}, {"exponent": 1.0, "growth": "start"}, {"method": "kernel", "width": 1.5}], ids=str
)
def test_runs_from_given_starts_are_what_the_definition_says(options):
    for seed in range(5):
        x, draws, n_init = drawn(seed, n=40)
        distance, from_start = cdist(x, x), options.get("growth") == "start"
        kernel = Kernel(distance, 0.25 / 1.5**2)
        definition = kernel if "method" in options else Knn(distance, options.get("exponent", x.shape[1]))
        taken = Tracer(distance, definition, draws[:6], n_init, 2, from_start)
        starts = seeds_of(taken.labels[0], taken.when[0])
        found = information_theoretic(x, 2, starts=[starts, starts], n_init=n_init, n_voters=1, **options)
        assert len(found.runs) == 2
        for run in found.runs:
            fields = (run.stages, run.steps, run.costs, run.divergences, run.removed)
            assert not differences(fields, traced(taken)), f"set {seed}"
            for k in (2, 4):
                given = clustering.partition_cost(
                    x, run.labels(k), **{k: v for k, v in options.items() if k != "growth"}
                )
                at = run.n_clusters == k
                np.testing.assert_allclose(
                    [given.cost, given.divergence], [run.costs[at][0], run.divergence(k)], rtol=1e-9
                )


def test_starts_that_were_drawn_give_the_same_runs_again():
    x, _ = clear()
    first = information_theoretic(x, 3, n_runs=4, n_voters=3, k_init=7, random_state=5)
    starts = [seeds_of(run.stages[0], run.steps[0]) for run in first.runs]
    again = information_theoretic(x, 3, starts=starts, n_voters=3, random_state=99)
    for one, other in zip(first.runs, again.runs, strict=True):
        np.testing.assert_array_equal(one.stages, other.stages)
        np.testing.assert_array_equal(one.steps, other.steps)
    np.testing.assert_array_equal(first.labels, again.labels)


# Lines that bring a number up to date, with what is put in their place to break them.
BROKEN = [
    ("state.nearest[i, m] = squares[i]\n        if not cost.knn", "pass\n        if not cost.knn"),
    ("state.similar[i, m] += weights[i]", "pass"),
    ("entry, state.top[level, i, m] = state.top[level, i, m], entry", "pass"),
    ("state.far[i] = min(state.far[i], weights[i])", "pass"),
    ("state.far[x] = min(state.far[x], weights[i])", "pass"),
    ("state.sizes[m] += 1", "state.sizes[m] += squares[x] >= 0 and step_of(state) < 0"),
    ("state.masses[m, q] += state.similar[x, q]", "pass"),
    ("state.masses[m, m] += 2.0 * state.similar[x, m] + 1.0", "state.masses[m, m] += 2.0 * state.similar[x, m]"),
    ("state.crossing[m, q] += state.top[cost.near - 1, x, q]", "pass"),
    ("state.crossing[q, m] = trial.crossing[q, m]", "pass"),
    ("costs[m, q] = trial.pairs[m, q]", "pass"),
    ("state.within[m] = trial.own[m]", "pass"),
    ("trial.own[q] += min(state.far[i], weight)", "trial.own[q] += state.far[i]"),
    ("trial.own[m] += trial.least[m] if", "trial.own[m] += 0.0 if"),
    ("trial.crossing[q, m] += weight if weight > largest else largest", "trial.crossing[q, m] += largest"),
    ("state.top[level, i, m] = state.top[level, i, m + 1]", "pass"),
    ("state.nearest[i, m] = state.nearest[i, m + 1]", "pass"),
    ("state.similar[i, m] = state.similar[i, m + 1]", "pass"),
    ("names[m] = names[m + 1]", "pass"),
    ("state.sizes[m] = state.sizes[m + 1]", "pass"),
    ("state.within[m] = state.within[m + 1]", "pass"),
    ("table[m, q] = table[m + 1, q]", "pass"),
    ("table[p, m] = table[p, m + 1]", "pass"),
    ("closest[i] = min(closest[i], squares[i])", "pass"),
]


def interpreted(line="", broken=""):
    """The run without compilation, one line of it replaced."""
    source = Path(itc_kernels.__file__).read_text(encoding="utf-8")
    assert not line or source.count(line) == 1, line
    source = source.replace(line, broken) if line else source
    source = source.replace("from ..core.compiled import compiled", "compiled = lambda: lambda function: function")
    source = source.replace("from ..core.arrays import", "from kinseq.core.arrays import")
    scope = {"step_of": lambda state: 0, "__name__": "interpreted"}
    exec(compile(source, "interpreted", "exec"), scope)
    return scope["run"]


def traces_that_differ(run, seeds=range(3)):
    found = []
    with np.errstate(all="ignore"):
        for method in ("knn", "kernel"):
            for seed in seeds:
                try:
                    found += differences(*both(seed, method, 1.0, run=run))
                except (ValueError, ZeroDivisionError, OverflowError, IndexError):
                    found.append("stopped")
    return found


def test_the_interpreted_run_is_right():
    assert not traces_that_differ(interpreted(), range(2))


@pytest.mark.parametrize(("line", "broken"), BROKEN, ids=[line.strip()[:40] for line, _ in BROKEN])
def test_a_broken_update_is_noticed(line, broken):
    assert traces_that_differ(interpreted(line, broken))


def test_every_update_is_among_those_that_are_broken():
    source = Path(itc_kernels.__file__).read_text(encoding="utf-8")
    body = (
        source[source.index("def join") : source.index("def tally")]
        + source[source.index("def add") : source.index("def seed")]
    )
    updates = re.findall(r"^ +((?:state\.|costs\[|names\[|table\[).*? \+?= .*)$", body, re.MULTILINE)
    listed = "\n".join(line for line, _ in BROKEN)
    # The mirror images of symmetric tables, the start of a lone point, and labels, which are visible anyway.
    spared = {
        "state.masses[q, m] += state.similar[x, q]",
        "costs[q, m] = trial.pairs[m, q]",
        "state.far[x] = weights[x]",
        "state.labels[x] = m",
        "state.labels[i] = -1",
        "state.labels[i] -= 1",
    }
    assert [line for line in updates if line not in listed and line not in spared] == []


def clear(seed=0, n=60):
    random = np.random.default_rng(seed)
    label = np.arange(n) % 3
    return 12.0 * np.eye(3)[label] + random.normal(size=(n, 3)), label


def test_clear_clusters_whatever_the_method():
    x, label = clear()
    for options in ({}, {"method": "kernel"}, {"method": "kernel", "width": "silverman", "convention": "plug_in"}):
        assert clustering_error(label, information_theoretic(x, 3, n_runs=10, **options).labels) == 0.0
    assert clustering_error(label, information_theoretic(cdist(x, x), 3, metric="precomputed").labels) == 0.0


def test_units_and_places_do_not_matter():
    x, _ = clear(1)
    expected = information_theoretic(x, 3, n_runs=5, n_voters=1).run_labels()
    for other in (1024.0 * x, x + 7.0, x @ np.linalg.qr(np.random.default_rng(0).normal(size=(3, 3)))[0]):
        np.testing.assert_array_equal(information_theoretic(other, 3, n_runs=5, n_voters=1).run_labels(), expected)


def test_distances_of_vectors_are_clustered_as_the_vectors():
    x, _ = clear(2)
    vectors = information_theoretic(x, 3, n_runs=5, n_voters=1, exponent=1.0)
    matrix = information_theoretic(cdist(x, x), 3, n_runs=5, n_voters=1, metric="precomputed")
    np.testing.assert_array_equal(vectors.run_labels(), matrix.run_labels())
    np.testing.assert_allclose(vectors.divergences, matrix.divergences, rtol=1e-9)


def test_threads_change_nothing():
    x, _ = clear(3)
    one, two = (information_theoretic(x, 3, n_runs=7, n_voters=3, n_jobs=n) for n in (1, 2))
    np.testing.assert_array_equal(one.run_labels(), two.run_labels())
    np.testing.assert_array_equal(one.divergences, two.divergences)


@pytest.mark.parametrize("method", ["knn", "kernel"])
def test_distances_that_are_kept_are_those_computed_at_every_step(monkeypatch, method):
    points = np.random.default_rng(5).normal(size=(70, 3))
    kept = information_theoretic(points, 3, method=method, n_runs=3, n_voters=1)
    monkeypatch.setattr(itc, "MAX_KEPT_POINTS", 69)
    computed = information_theoretic(points, 3, method=method, n_runs=3, n_voters=1)
    for one, other in zip(kept.runs, computed.runs, strict=True):
        np.testing.assert_array_equal(one.stages, other.stages)
        np.testing.assert_array_equal(one.steps, other.steps)
        np.testing.assert_array_equal(one.costs, other.costs)


def test_more_runs_keep_the_first_ones():
    x, _ = clear(4)
    few, many = (information_theoretic(x, 3, n_runs=n, n_voters=1).run_labels() for n in (3, 6))
    np.testing.assert_array_equal(few, many[:3])


def test_the_number_of_clusters_is_where_the_divergence_peaks():
    random = np.random.default_rng(0)
    label = np.arange(80) % 4
    x = 10.0 * np.array([[0, 0], [0, 1], [1, 0], [1, 1]])[label] + random.normal(size=(80, 2))
    found = information_theoretic(x, n_runs=10)
    assert found.n_clusters == 4
    assert clustering_error(label, found.labels) == 0.0
    numbers, curve = found.curve()
    assert numbers.tolist() == list(range(2, 16))
    assert curve.shape == (10, 14)
    np.testing.assert_array_equal(curve[:, 2], found.divergences)


def test_suggested_takes_the_least_number_in_a_tie():
    assert suggested([2, 3, 4], [[1.0, 3.0, 3.0], [1.0, 1.0, 1.0]]) == 3


def test_matching_is_the_best_one():
    random = np.random.default_rng(0)
    from itertools import permutations

    for _ in range(20):
        a, b = random.integers(4, size=(2, 30))
        most = max((np.array(names)[a] == b).sum() for names in permutations(range(4)))
        assert (match(a, b, 4) == b).sum() == most


def test_vote_is_a_majority_of_matched_labels():
    first = np.array([0, 0, 0, 1, 1, 1, 2, 2])
    second = np.array([1, 1, 2, 2, 2, 2, 0, 0])  # point 2 differs, under other names
    third = np.array([2, 2, 0, 0, 0, 0, 1, 1])  # and here too
    np.testing.assert_array_equal(vote([first, second, third]), relabel(np.array([0, 0, 1, 1, 1, 1, 2, 2])))
    np.testing.assert_array_equal(vote([first, second]), relabel(first))
    np.testing.assert_array_equal(vote([first]), relabel(first))


def test_a_tie_goes_to_the_best_run_that_has_one_of_the_labels():
    # Point 8: labels 0, 1, 1, 2, 2 after matching; the tie of 1 and 2 goes to 1, which the better run has.
    base = [0, 0, 0, 1, 1, 1, 2, 2, 2]
    runs = [[*base[:8], last] for last in (0, 1, 1, 2, 2)]
    voted = vote([np.array(run) for run in runs])
    assert voted[8] == voted[3]


def test_the_best_runs_vote():
    x, _ = clear(5)
    found = information_theoretic(x + np.random.default_rng(0).normal(scale=4.0, size=x.shape), 3, n_runs=9, n_voters=3)
    np.testing.assert_array_equal(found.ranking, np.argsort(-found.divergences, kind="stable"))
    np.testing.assert_array_equal(found.labels, vote(found.run_labels()[found.ranking[:3]]))


def test_seeding_by_default():
    assert seeding(178, 3) == (10, 14)
    assert seeding(178, 5) == (12, 11)
    assert seeding(1000, 2, k_init=8) == (8, 100)
    assert seeding(100, 2, k_init=8, n_init=3) == (8, 3)
    with pytest.warns(KinseqWarning, match=r"12 points .*10"):
        assert seeding(12, 3) == (4, 2)


def test_nothing_is_warned_of_where_all_is_well():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        information_theoretic(clear()[0], 3, n_runs=5, n_voters=3)


def test_an_even_number_of_voters_is_warned_of():
    with pytest.warns(KinseqWarning, match="4 runs vote"):
        information_theoretic(clear()[0], 3, n_runs=5, n_voters=4)


def test_duplicates_and_constant_features_are_no_problem():
    x, label = clear(6)
    x = np.column_stack([x[label % 2 == 0].repeat(2, axis=0), np.ones(80)])
    found = information_theoretic(x, 2, n_runs=5)
    assert np.isfinite(found.divergences).all()
    assert len(np.unique(found.labels)) == 2
    same = information_theoretic(np.ones((30, 2)), 2, n_runs=3, n_voters=1)
    assert np.isfinite(same.divergences).all()


def test_a_precomputed_matrix_is_neither_copied_nor_changed():
    d = squareform(pdist(clear()[0]))
    before = d.copy()
    space, _ = space_of(d, "precomputed")
    assert np.shares_memory(space.data, d)
    information_theoretic(d, 3, metric="precomputed", n_runs=2, n_voters=1)
    np.testing.assert_array_equal(d, before)
    by_columns = np.asfortranarray(d)
    assert np.shares_memory(space_of(by_columns, "precomputed")[0].data, by_columns)


def test_negative_dissimilarities_are_shifted():
    d = squareform(pdist(clear()[0]))
    shifted = d - 0.5
    np.fill_diagonal(shifted, 0.0)
    expected = d - 0.5
    expected = expected - expected[~np.eye(len(d), dtype=bool)].min()
    np.fill_diagonal(expected, 0.0)
    one, two = (information_theoretic(m, 3, metric="precomputed", n_runs=3, n_voters=1) for m in (shifted, expected))
    np.testing.assert_array_equal(one.run_labels(), two.run_labels())


def test_high_dimensions_are_refused_or_clustered_with_exponent_one():
    x = np.random.default_rng(0).normal(size=(40, 560))
    x[0] = x[1] + 1e-3
    with pytest.raises(ParameterError, match="exponent=1"):
        information_theoretic(x, 2)
    assert len(information_theoretic(x, 2, exponent=1, n_runs=3, n_voters=1).labels) == 40


def test_items_of_several_frames_stand_by_their_means():
    items = SequenceSet.from_arrays([np.array([[0.0, 2.0], [2.0, 4.0]]), np.array([[5.0, 5.0]])])
    np.testing.assert_allclose(itc.points_of(items) * 5.0, [[1.0, 3.0], [5.0, 5.0]])


def test_best_by_labels_bounds_every_run(recorded: Recorded):
    x, label = clear(7)
    noisy = x + np.random.default_rng(1).normal(scale=5.0, size=x.shape)
    items = SequenceSet.from_arrays(
        [point[None] for point in noisy], labels=[str(c) for c in label], layout="channels_last"
    )
    from kinseq.clustering import get

    best = get("knn_itc")(items, 3, random_state=3, choose="labels", n_runs=10)
    errors = [
        clustering_error(label, run)
        for run in information_theoretic(itc.points_of(items), 3, n_runs=10, random_state=3).run_labels()
    ]
    assert clustering_error(label, best) == min(errors) < max(errors)
    with recorded.raises(DataError):
        get("knn_itc")([point[None] for point in noisy], 3, choose="labels")


def test_a_sweep_of_widths_needs_labels_to_choose():
    from kinseq.clustering import get

    items = [point[None] for point in clear()[0]]
    with pytest.raises(ParameterError, match="2 widths"):
        get("kernel_itc")(items, 3, width=[0.1, 0.2])


def test_variants_that_keep_other_runs_share_them(monkeypatch):
    from kinseq.clustering import get

    calls = []

    def counted(*given, **options):
        calls.append(options["random_state"])
        return information_theoretic(*given, **options)

    monkeypatch.setattr(itc, "information_theoretic", counted)
    forget()
    items, clusterer = [point[None] for point in clear(8)[0]], get("knn_itc")
    found = information_theoretic(itc.points_of(SequenceSet.from_arrays(items)), 3, n_runs=6, random_state=1)
    assert clusterer(items, 3, random_state=1, n_runs=6).tolist() == found.labels.tolist()
    for rank in (1, 2, 6):
        kept = clusterer(items, 3, random_state=1, n_runs=6, choose="divergence", rank=rank)
        np.testing.assert_array_equal(kept, found.run_labels()[found.ranking[rank - 1]])
    assert calls == [1]
    # Another seed, or other settings, are other runs.
    clusterer(items, 3, random_state=2, n_runs=6)
    clusterer(items, 3, random_state=2, n_runs=6, exponent=1.0)
    assert calls == [1, 2, 2]


@pytest.mark.parametrize(
    ("width", "expected"), [("mean_deviation", 5.0), ("silverman", None), (0.25, 0.25), ([0.1, 0.2], None)]
)
def test_the_width_of_the_kernel_is_told_in_the_units_of_the_items(width, expected):
    from kinseq.clustering import get

    # Deviations 2 and 8 with ddof = 1, in units far from those of the computation.
    points = np.array([[1.0, 4.0], [3.0, 12.0], [-1.0, -4.0]]) * 1.0
    items = SequenceSet.from_arrays([point[None] for point in points], layout="channels_last")
    found = get("kernel_itc").findings_of(items, width=width)
    if isinstance(width, list):
        assert found == {}
    else:
        expected = silverman(points) if expected is None else expected
        assert found == {"bandwidth": pytest.approx(expected)}
    assert get("knn_itc").findings_of(items) == {}


@pytest.mark.parametrize("method", ["knn", "kernel"])
@pytest.mark.parametrize("metric", ["euclidean", "precomputed"])
def test_equal_points_are_in_one_cluster_and_fewer_clusters_are_said_so(
    method: str, metric: str, recorded: Recorded
) -> None:
    for different, asked in (([[0.0, 0.0]], 2), ([[0.0, 0.0], [5.0, 5.0]], 3)):
        points = np.repeat(different, 20, axis=0)
        data = points if metric == "euclidean" else np.linalg.norm(points[:, None] - points, axis=2)
        how = {"width": 1.0} if metric == "precomputed" else {}
        model = InformationTheoreticClustering(asked, method=method, metric=metric, **how)
        with recorded.warns(KinseqWarning):
            model.fit(data)
        assert model.n_clusters_ == len(different)
        np.testing.assert_array_equal(model.labels_, np.repeat(np.arange(len(different)), 20))
