"""What every registered clusterer must do; a new clusterer file is tested here without a new test."""

import json

import numpy as np
import pytest
from kinseq import clustering
from kinseq.clustering import registry
from kinseq.clustering.registry import Clusterer
from kinseq.errors import DataError, ParameterError
from kinseq.evaluation import clustering_error

NAMES = clustering.names()


def distances(n=30, n_clusters=3, seed=0):
    random = np.random.default_rng(seed)
    label = random.permutation(np.arange(n) % n_clusters)
    x = 15.0 * np.eye(n_clusters, 4)[label] + random.normal(size=(n, 4))
    d = np.sqrt(((x[:, None] - x) ** 2).sum(axis=2))
    return 0.5 * (d + d.T), label


def assert_contract(labels, n, n_clusters):
    assert isinstance(labels, np.ndarray)
    assert labels.shape == (n,)
    assert labels.dtype == np.int64
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
    assert not set(clusterer.params) & {"n_clusters", "seed", "distance"}
    json.dumps(dict(clusterer.params))


@pytest.mark.parametrize("name", NAMES)
def test_clear_clusters(name):
    d, label = distances()
    before = d.copy()
    labels = clustering.get(name)(d, 3, seed=4)
    assert_contract(labels, 30, 3)
    assert clustering_error(label, labels) == 0.0
    np.testing.assert_array_equal(d, before)
    np.testing.assert_array_equal(clustering.get(name).function(d, 3, seed=4), labels)
    np.testing.assert_array_equal(clustering.get(name)(d, 3, seed=4, **clustering.get(name).params), labels)


@pytest.mark.parametrize("name", NAMES)
def test_order_of_items_permutes_the_labels(name):
    d, _ = distances(seed=1)
    order = np.random.default_rng(1).permutation(30)
    labels = clustering.get(name)(d, 3, seed=2)
    permuted = clustering.get(name)(d[np.ix_(order, order)], 3, seed=2)
    assert clustering_error(labels[order], permuted) == 0.0


@pytest.mark.parametrize("name", NAMES)
def test_same_seed_same_labels(name):
    d = np.random.default_rng(2).uniform(1.0, 2.0, (25, 25))
    d = np.triu(d, 1) + np.triu(d, 1).T
    first = clustering.get(name)(d, 4, seed=2**63 + 11)
    np.testing.assert_array_equal(clustering.get(name)(d, 4, seed=2**63 + 11), first)
    assert_contract(first, 25, 4)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("n_clusters", [1, 2, 3])
@pytest.mark.parametrize(
    "distance",
    [np.zeros((3, 3)), 1.0 - np.eye(3), np.eye(3) - 1.0, 1e300 * (1.0 - np.eye(3)), 1e-300 * (1.0 - np.eye(3))],
    ids=["identical", "equal", "negative", "huge", "tiny"],
)
def test_nothing_to_see(name, distance, n_clusters):
    labels = clustering.get(name)(distance, n_clusters)
    assert_contract(labels, 3, n_clusters)


@pytest.mark.parametrize("name", NAMES)
def test_one_item(name):
    assert clustering.get(name)(np.zeros((1, 1)), 1).tolist() == [0]


@pytest.mark.parametrize("name", NAMES)
def test_bad_input_is_refused(name):
    d, _ = distances(6)
    clusterer = clustering.get(name)
    with pytest.raises(ParameterError, match="only 6 items"):
        clusterer(d, 7)
    with pytest.raises(DataError, match="symmetric"):
        clusterer(np.triu(d), 2)
    with pytest.raises(DataError, match="inf"):
        clusterer(d + np.diag(np.full(6, np.inf)), 2)
    with pytest.raises(ParameterError, match="no_such_parameter") as error:
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
