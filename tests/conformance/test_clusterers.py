"""Contract of every registered clusterer; a new clusterer file is tested here without a new test."""

import json

import numpy as np
import pytest

from kinseq import clustering
from kinseq.clustering import registry
from kinseq.clustering.registry import Clusterer
from kinseq.core.errors import DataError, ParameterError
from kinseq.core.sequences import SequenceSet
from kinseq.metrics import clustering_error

NAMES = clustering.names()
ON_MATRICES = [name for name in NAMES if clustering.get(name).takes == "matrix"]
FINDING = [name for name in NAMES if clustering.get(name).finds_n_clusters]
ON_ITEMS = [name for name in NAMES if clustering.get(name).takes == "items"]


def points(n=30, n_clusters=3, seed=0):
    random = np.random.default_rng(seed)
    label = random.permutation(np.arange(n) % n_clusters)
    return 15.0 * np.eye(n_clusters, 4)[label] + random.normal(size=(n, 4)), label


def distances(x):
    d = np.sqrt(((x[:, None] - x) ** 2).sum(axis=2))
    return 0.5 * (d + d.T)


def data(name, x, seed=0):
    """Points as the clusterer takes them: their distances, or sets of vectors around them."""
    if clustering.get(name).takes == "matrix":
        return distances(x)
    random = np.random.default_rng(seed)
    return SequenceSet.from_arrays(
        [center + random.normal(size=(20 + i % 3, x.shape[1])) for i, center in enumerate(x)]
    )


def partition(name, d, n_clusters, **options):
    """The clusters, of a clusterer that finds their number itself without it."""
    return clustering.get(name)(d, None if name in FINDING else n_clusters, **options)


def some(given, order):
    return given.subset(order) if isinstance(given, SequenceSet) else given[np.ix_(order, order)]


def assert_contract(name, labels, n, n_clusters):
    assert isinstance(labels, np.ndarray)
    assert labels.shape == (n,)
    assert labels.dtype == np.int64
    assert labels.min() >= (-1 if name in FINDING else 0)
    labels = labels[labels >= 0]
    if not labels.size:
        return
    assert labels.min() == 0
    assert labels.max() < n_clusters
    # Numbered in order of first appearance, without gaps.
    _, first = np.unique(labels, return_index=True)
    assert (np.diff(first) > 0).all()
    assert np.unique(labels).tolist() == list(range(labels.max() + 1))


@pytest.mark.parametrize("name", NAMES)
def test_description(name):
    clusterer = clustering.get(name)
    assert isinstance(clusterer, Clusterer)
    assert clusterer.name == name
    assert clusterer.label
    assert clusterer.source
    assert clusterer.takes in ("matrix", "items")
    assert not set(clusterer.params) & {"n_clusters", "seed", "distance"}
    json.dumps(dict(clusterer.params))


@pytest.mark.parametrize("name", NAMES)
def test_clear_clusters(name):
    x, label = points()
    d, before = data(name, x), data(name, x)
    labels = partition(name, d, 3, random_state=4)
    assert_contract(name, labels, 30, 3)
    assert clustering_error(label, labels) == 0.0
    # The input is unchanged.
    values = (d.values, before.values) if isinstance(d, SequenceSet) else (d, before)
    np.testing.assert_array_equal(*values)
    np.testing.assert_array_equal(partition(name, d, 3, random_state=4, **clustering.get(name).params), labels)


@pytest.mark.parametrize("name", NAMES)
def test_order_of_items_permutes_the_labels(name):
    d = data(name, points(seed=1)[0])
    order = np.random.default_rng(1).permutation(30)
    labels = partition(name, d, 3, random_state=2)
    permuted = partition(name, some(d, order), 3, random_state=2)
    assert clustering_error(labels[order], permuted) == 0.0


@pytest.mark.parametrize("name", NAMES)
def test_same_seed_same_labels(name):
    d = data(name, np.random.default_rng(2).uniform(1.0, 2.0, (25, 4)))
    first = partition(name, d, 4, random_state=2**63 + 11)
    np.testing.assert_array_equal(partition(name, d, 4, random_state=2**63 + 11), first)
    assert_contract(name, first, 25, 4)


@pytest.mark.parametrize("name", ON_MATRICES)
@pytest.mark.parametrize("n_clusters", [1, 2, 3])
@pytest.mark.parametrize(
    "distance",
    [np.zeros((3, 3)), 1.0 - np.eye(3), np.eye(3) - 1.0, 1e300 * (1.0 - np.eye(3)), 1e-300 * (1.0 - np.eye(3))],
    ids=["identical", "equal", "negative", "huge", "tiny"],
)
def test_nothing_to_see(name, distance, n_clusters):
    labels = partition(name, distance, n_clusters)
    assert_contract(name, labels, 3, n_clusters)


@pytest.mark.parametrize("name", ON_ITEMS)
@pytest.mark.parametrize("n_clusters", [1, 2, 3])
@pytest.mark.parametrize(
    "items",
    [
        [np.zeros((4, 2))] * 3,
        [np.full((4, 2), 1e300), np.full((2, 2), -1e300), np.zeros((1, 2))],
        [np.full((4, 2), 1e-300), np.full((2, 2), -1e-300), np.zeros((1, 2))],
        [np.arange(2.0)[None], np.arange(2.0)[None], np.ones((1, 2))],
    ],
    ids=["identical", "huge", "tiny", "one frame each"],
)
def test_little_to_see_in_the_items(name, items, n_clusters):
    labels = clustering.get(name)(items, n_clusters)
    assert_contract(name, labels, 3, n_clusters)


@pytest.mark.parametrize("name", [name for name in NAMES if name not in FINDING])
def test_one_item(name):
    assert clustering.get(name)(data(name, np.zeros((1, 2))), 1).tolist() == [0]


@pytest.mark.parametrize("name", NAMES)
def test_number_of_clusters_is_asked_for_unless_the_clusterer_can_do_without(name):
    clusterer, d = clustering.get(name), data(name, points()[0])
    if clusterer.requires_n_clusters:
        with pytest.raises(ParameterError, match="pass n_clusters"):
            clusterer(d)
    else:
        assert_contract(name, clusterer(d), 30, 30)


@pytest.mark.parametrize("name", ON_MATRICES)
def test_bad_matrices_are_refused(name):
    d = data(name, points(6)[0])
    with pytest.raises(DataError, match="symmetric"):
        partition(name, np.triu(d), 2)
    with pytest.raises(DataError, match="holds inf"):
        partition(name, d + np.diag(np.full(6, np.inf)), 2)


@pytest.mark.parametrize("name", ON_ITEMS)
def test_bad_items_are_refused(name):
    clusterer = clustering.get(name)
    with pytest.raises(DataError, match="holds NaN"):
        clusterer([np.zeros((2, 1)), np.full((2, 1), np.nan)], 2)
    with pytest.raises(DataError, match="features"):
        clusterer([np.zeros((2, 1)), np.zeros((2, 3))], 2)


@pytest.mark.parametrize("name", NAMES)
def test_bad_parameters_are_refused(name):
    d, clusterer = data(name, points(6)[0]), clustering.get(name)
    with pytest.raises(ParameterError) as error:
        clusterer(d, 7)
    assert ("finds the number" if name in FINDING else "only 6 items") in str(error.value)
    with pytest.raises(ParameterError, match="such_parameter") as error:
        clusterer(d, 2, no_such_parameter=1)
    assert all(param in str(error.value) for param in clusterer.params)


def test_unknown_clusterer_is_refused_with_the_valid_ones():
    with pytest.raises(ParameterError) as error:
        clustering.get("spectrale")
    assert all(name in str(error.value) for name in NAMES)


def test_clusterers_are_found_without_being_imported(fresh_python):
    loaded = fresh_python(
        "import kinseq\n"
        "names = kinseq.clustering.names()\n"
        "print(*[m for m in sys.modules if m.startswith('kinseq.clustering.')])"
    ).split()
    assert loaded == ["kinseq.clustering.registry"]
    assert set(registry.modules()) == set(NAMES)
