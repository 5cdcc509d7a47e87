"""SequenceClustering as scikit-learn users know it, and which of scikit-learn's own checks it passes."""

import pickle
import warnings

import kinseq
import numpy as np
import pytest
from kinseq import SequenceClustering, SequenceSet, clustering, measures
from kinseq.errors import DataError, ParameterError
from kinseq.kmeans import relabel
from kinseq.ordering import by_content
from sklearn.base import clone
from sklearn.utils.estimator_checks import check_estimator, parametrize_with_checks


def two_kinds(n=10, t=12):
    random = np.random.default_rng(0)
    return [random.normal(4.0 * (i % 2), 1.0, (t + i % 3, 2)) for i in range(n)]


class OneFrameEach(SequenceClustering):
    """Takes a matrix, as most checks of scikit-learn do, for a list of sequences of one frame."""

    def fit(self, X, y=None):
        return super().fit(X if hasattr(X, "toarray") else np.asarray(X)[:, None], y)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array, tags.input_tags.three_d_array = True, False
        return tags


# Every other check passes. These three ask for words or types of an error that differ from those of this library; the
# errors themselves are raised, and tested in their own right below.
EXPECTED_FAILURES = {
    "check_dtype_object": "entries that are no numbers raise DataError, a ValueError, where a TypeError is asked for",
    "check_estimators_empty_data_messages": "the message on sequences without features names the sequence instead",
    "check_estimators_nan_inf": "the message says 'nan' and where it is; the check wants 'NaN'",
}


@parametrize_with_checks(
    [OneFrameEach(measure="dtw", n_clusters=2, random_state=0, layout="channels_last")],
    expected_failed_checks=lambda estimator: EXPECTED_FAILURES,
)
@pytest.mark.filterwarnings("ignore")
def test_checks_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.mark.filterwarnings("ignore")
def test_checks_that_apply_to_lists_of_sequences():
    # Its tags say that X is no matrix, and scikit-learn leaves out what it cannot feed.
    results = check_estimator(SequenceClustering(measure="dtw", n_clusters=2, random_state=0), on_skip=None)
    assert results
    assert {result["status"] for result in results} == {"passed"}


def test_errors_that_the_checks_word_differently():
    estimator = SequenceClustering(measure="dtw")
    with pytest.raises(DataError, match="holds nan at index"):
        estimator.fit([np.zeros((3, 1)), np.full((3, 1), np.nan)])
    with pytest.raises(DataError, match="0 features"):
        estimator.fit([np.zeros((3, 0)), np.zeros((3, 0))])
    with pytest.raises(DataError, match="cannot be read as numbers"):
        estimator.fit([[[{}]], [[{}]]])
    with pytest.raises(DataError, match="Complex data"):
        estimator.fit([np.zeros((3, 1)), np.ones((3, 1)) * 1j])
    with pytest.raises(DataError, match="one array of shape"):
        estimator.fit(np.zeros((5, 3)))
    for nonsense in (None, 3, "abc"):
        with pytest.raises(DataError, match="list of dense"):
            estimator.fit(nonsense)


def computed(measure, sequences, **params):
    """The matrix of a measure on the sequences sorted by content, in their own order."""
    given = SequenceSet.from_arrays(sequences)
    ordering = by_content(given)
    distance = measures.compute(measure, given.subset(ordering.positions), **params)
    return distance, ordering.restore_matrix(distance), ordering


def test_fit_predict_is_measure_then_clusterer():
    sequences = two_kinds()
    estimator = SequenceClustering(measure="dtw", n_clusters=2, clusterer="hierarchical", linkage="average")
    labels = estimator.fit_predict(sequences)
    distance = measures.compute("dtw", sequences)
    np.testing.assert_array_equal(estimator.distance_, distance)
    np.testing.assert_array_equal(labels, clustering.hierarchical(distance, 2, "average"))
    np.testing.assert_array_equal(labels, estimator.labels_)
    assert labels.tolist() == [0, 1] * 5
    assert estimator.n_features_in_ == 2
    assert estimator.findings_ == {}


def test_models_follow_the_random_state():
    sequences = two_kinds()
    params = {"measure": "kl_ll_ms", "n_clusters": 2, "n_states": 2, "covariance": "diag", "min_pool": "N/2"}
    first, again = (SequenceClustering(random_state=7, **params).fit(sequences) for _ in range(2))
    np.testing.assert_array_equal(first.distance_, again.distance_)
    _, expected, _ = computed(
        "kl_ll_ms", sequences, n_clusters=2, seed=7, n_states=2, covariance="diag", min_pool="N/2"
    )
    np.testing.assert_array_equal(first.distance_, expected)
    assert first.findings_["pool_size"] >= 5
    other = SequenceClustering(random_state=8, **params).fit(sequences)
    assert (other.distance_ != first.distance_).any()


def test_without_random_state_numpy_is_asked():
    sequences = two_kinds()
    found = []
    for _ in range(2):
        np.random.seed(3)  # noqa: NPY002
        found.append(SequenceClustering(measure="yy", random_state=None, covariance="diag").fit(sequences).distance_)
    np.testing.assert_array_equal(*found)
    shared = np.random.RandomState(3)
    SequenceClustering(measure="dtw", random_state=shared).fit(sequences)


def test_parameters_of_measure_models_and_clusterer():
    estimator = SequenceClustering("kl_ll_ms", 3, n_states=4, min_pool="N/3", diagonal="one")
    assert estimator.get_params() == {
        "measure": "kl_ll_ms",
        "n_clusters": 3,
        "clusterer": "spectral",
        "random_state": None,
        "layout": None,
        "n_states": 4,
        "min_pool": "N/3",
        "diagonal": "one",
    }
    estimator.set_params(n_states=2, width="median")
    assert (estimator.n_states, estimator.width) == (2, "median")
    assert estimator.get_params()["width"] == "median"
    copy = clone(estimator)
    assert copy is not estimator
    assert copy.get_params() == estimator.get_params()
    assert "min_pool='N/3'" in repr(copy)
    assert pickle.loads(pickle.dumps(estimator)).get_params() == estimator.get_params()


def test_shared_parameters_go_to_measure_and_clusterer():
    sequences = two_kinds()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        params = {"random_state": 0, "covariance": "diag"}
        estimator = SequenceClustering("kl_ll_ms", 2, diagonal="one", width="median", **params).fit(sequences)
    options = {"diagonal": "one", "width": "median"}
    ordered, expected, ordering = computed("kl_ll_ms", sequences, n_clusters=2, covariance="diag", **options)
    np.testing.assert_array_equal(estimator.distance_, expected)
    labels = clustering.get("spectral")(ordered, 2, seed=0, **options)
    np.testing.assert_array_equal(estimator.labels_, relabel(ordering.restore_labels(labels)))


@pytest.mark.parametrize(
    "params, message",
    [
        ({"measure": "euclid"}, "unknown measure 'euclid'.*kl_ll"),
        ({"clusterer": "dbscan"}, "unknown clusterer 'dbscan'.*spectral"),
        ({"linkage": "average"}, "unknown parameter 'linkage'.*embedding"),
        ({"n_state": 2}, "did you mean 'n_states'"),
        ({"measure": "dtw", "n_states": 2}, "unknown parameter 'n_states'"),
        ({"n_clusters": 11}, "only 10 items"),
        ({"n_clusters": 0}, "at least 1"),
        ({"width": "wide"}, "width rule"),
    ],
)
def test_bad_parameters_are_refused_by_fit(params, message):
    estimator = SequenceClustering(**{"measure": "kl_ll", "random_state": 0, "covariance": "diag", **params})
    if params.get("measure") == "dtw":
        estimator = SequenceClustering(**params)
    with pytest.raises(ParameterError, match=message):
        estimator.fit(two_kinds())


def test_set_params_refuses_names_that_nothing_knows():
    estimator = SequenceClustering("dtw")
    with pytest.raises(ParameterError, match="unknown parameter 'n_states'"):
        estimator.set_params(n_states=3)
    assert estimator.set_params(measure="kl_ll", n_states=3).n_states == 3


def test_takes_sequence_sets_and_stacked_arrays():
    stacked = np.random.default_rng(1).normal(size=(6, 5, 2))
    from_array = SequenceClustering("dtw", 2, random_state=0).fit(stacked)
    from_set = SequenceClustering("dtw", 2, random_state=0).fit(SequenceSet.from_arrays(list(stacked)))
    np.testing.assert_array_equal(from_array.labels_, from_set.labels_)


def same_partition(a, b):
    return bool((np.equal.outer(a, a) == np.equal.outer(b, b)).all())


@pytest.mark.parametrize("measure", ["kl_ll", "kl_ll_ms", "ssd", "ssd_joint", "dtw"])
@pytest.mark.parametrize("clusterer", ["spectral", "kmedoids", "hierarchical"])
def test_the_order_of_the_sequences_changes_nothing(measure, clusterer):
    random = np.random.default_rng(4)
    # Hard to tell apart, so that a tie or a last digit could decide; three of them twice.
    sequences = [random.normal(0.6 * (i % 3), 1.0, (9 + i % 4, 2)) for i in range(15)]
    sequences += [sequences[2].copy(), sequences[2].copy(), sequences[7].copy()]
    fit = {} if measure == "dtw" else {"n_states": 2, "n_init": 1, "max_iter": 10, "covariance": "diag"}
    one = SequenceClustering(measure, 3, clusterer, random_state=0, **fit).fit(sequences)
    order = random.permutation(len(sequences))
    other = SequenceClustering(measure, 3, clusterer, random_state=0, **fit).fit([sequences[i] for i in order])
    np.testing.assert_array_equal(other.distance_, one.distance_[np.ix_(order, order)])
    assert same_partition(other.labels_, one.labels_[order])
    # Equal sequences are treated alike, wherever they stand.
    others = np.setdiff1d(np.arange(18), [2, 15, 16])
    np.testing.assert_array_equal(one.distance_[15, others], one.distance_[2, others])
    assert one.distance_[2, 15] == one.distance_[15, 16] == one.distance_[16, 2]
    assert one.labels_[2] == one.labels_[15] == one.labels_[16]
    assert one.labels_[7] == one.labels_[17]


def test_a_segmenter_sees_the_order_of_the_sequences():
    random = np.random.default_rng(5)
    windows = [random.normal(4.0 * (i // 4 % 2), 1.0, (20, 1)) for i in range(12)]
    found = SequenceClustering("dtw", 2, "spectral_segmentation", random_state=0, n_segments=3).fit(windows)
    np.testing.assert_array_equal(found.labels_, np.repeat([0, 1, 2], 4))


def test_layout_of_arrays():
    random = np.random.default_rng(6)
    stacked = np.array([random.normal(4.0 * (i % 2), 1.0, (3, 20)) for i in range(6)])
    with pytest.raises(DataError, match=r"shape \(3, 20\).*layout='channels_first'"):
        SequenceClustering("dtw", 2, random_state=0).fit(stacked)
    found = SequenceClustering("dtw", 2, random_state=0, layout="channels_first").fit(stacked)
    assert found.n_features_in_ == 3
    expected = SequenceClustering("dtw", 2, random_state=0).fit(np.swapaxes(stacked, 1, 2))
    np.testing.assert_array_equal(found.distance_, expected.distance_)
    assert SequenceClustering("dtw", 2, layout="channels_last").fit(stacked).n_features_in_ == 20


@pytest.mark.parametrize("state", [1.5, "7", True, np.random.default_rng(0), [1]])
def test_random_state_is_a_whole_number(state):
    with pytest.raises(ParameterError, match="random_state is"):
        SequenceClustering("dtw", 2, random_state=state).fit(two_kinds())


def test_exported_at_the_top():
    assert kinseq.SequenceClustering is SequenceClustering
