"""SequenceClustering as scikit-learn users know it, and which of scikit-learn's own checks it passes."""

import html
import pickle
import re
import warnings
from inspect import signature

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import cdist
from sklearn import config_context
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.metrics import silhouette_score
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator, parametrize_with_checks

import kinseq
from kinseq import SequenceClustering, SequenceSet, clustering, measures
from kinseq.analysis.options import OPTIONS
from kinseq.api.results import SampledClustering
from kinseq.core.errors import DataError, ParameterError
from kinseq.core.graphs.kmeans import relabel
from kinseq.core.ordering import by_content
from kinseq.readers.reading import OPTIONS as OF_READING
from tests.sentences import Recorded


def two_kinds(n=10, t=12):
    random = np.random.default_rng(0)
    return [random.normal(4.0 * (i % 2), 1.0, (t + i % 3, 2)) for i in range(n)]


@parametrize_with_checks([SequenceClustering(measure="dtw", n_clusters=2)])
@pytest.mark.filterwarnings("ignore")
def test_checks_of_scikit_learn(estimator, check):
    check(estimator)


# What goes in and comes out is checked above, where an analysis takes a tenth of the time.
@pytest.mark.slow
@parametrize_with_checks([SequenceClustering(n_clusters=2)])
@pytest.mark.filterwarnings("ignore")
def test_checks_of_scikit_learn_by_default(estimator, check):
    check(estimator)


# The same checks as above, one by one.
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_no_check_is_avoided():
    results = check_estimator(SequenceClustering(measure="dtw", n_clusters=2), on_skip=None)
    assert sum(result["status"] == "passed" for result in results) >= 45
    # It needs an environment variable.
    assert {r["check_name"] for r in results if r["status"] != "passed"} <= {"check_array_api_input"}


def test_errors_of_lists_of_sequences(recorded: Recorded):
    estimator = SequenceClustering(measure="dtw")
    with recorded.raises(DataError):
        estimator.fit([np.zeros((3, 1)), np.full((3, 1), np.nan)])
    with pytest.raises(DataError, match="0 features"):
        estimator.fit([np.zeros((3, 0)), np.zeros((3, 0))])
    with recorded.raises(DataError):
        estimator.fit([[[{}]], [[{}]]])
    with pytest.raises(DataError, match="Complex data"):
        estimator.fit([np.zeros((3, 1)), np.ones((3, 1)) * 1j])
    with recorded.raises(ValueError):
        estimator.fit(np.zeros(5))
    with pytest.raises(DataError, match="single sequence"):
        estimator.fit([np.zeros((3, 1))])
    fitted = SequenceClustering(2, "dtw").fit(two_kinds())
    with pytest.raises(DataError, match=r"1 feature .*from 2"):
        fitted.predict([np.zeros((3, 1))])
    with recorded.raises(ValueError):
        fitted.predict(np.zeros(3))
    with recorded.raises(DataError):
        SequenceClustering(2).fit(np.arange(5.0)[:, None])
    for nonsense in (None, 3, "abc"):
        with recorded.raises(DataError):
            estimator.fit(nonsense)


def computed(measure, sequences, **params):
    """The matrix of a measure on the sequences sorted by content, in their own order."""
    given = SequenceSet.from_arrays(sequences)
    ordering = by_content(given)
    # Models of one sequence ignore its first state for users' data.
    start = {"startprob": "flat"} if "n_states" in params and "kl_ll" in str(measure) else {}
    distance = measures.compute(measure, given.subset(ordering.positions), **start, **params)
    return distance, ordering.restore_matrix(distance), ordering


def test_fit_predict_is_measure_then_clusterer():
    sequences = two_kinds()
    estimator = SequenceClustering(2, "dtw", clusterer="hierarchical", scale="none", params={"linkage": "average"})
    labels = estimator.fit_predict(sequences)
    distance = measures.compute("dtw", sequences)
    np.testing.assert_array_equal(estimator.distance_, distance)
    np.testing.assert_array_equal(relabel(labels), clustering.hierarchical(distance, 2, "average"))
    np.testing.assert_array_equal(labels, estimator.labels_)
    assert relabel(labels).tolist() == [0, 1] * 5
    assert estimator.n_features_in_ == 2
    assert estimator.findings_ == {}


def test_models_follow_the_random_state():
    sequences = two_kinds()
    params = {
        "measure": "kl_ll_ms",
        "n_clusters": 2,
        "scale": "none",
        "n_states": 2,
        "params": {"covariance": "diag", "min_pool": "N/2"},
    }
    first, again = (SequenceClustering(random_state=7, **params).fit(sequences) for _ in range(2))
    np.testing.assert_array_equal(first.distance_, again.distance_)
    _, expected, _ = computed(
        "kl_ll_ms", sequences, n_clusters=2, random_state=7, n_states=2, covariance="diag", min_pool="N/2"
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
        found.append(
            SequenceClustering(measure="yy", random_state=None, params={"covariance": "diag"}).fit(sequences).distance_
        )
    np.testing.assert_array_equal(*found)
    shared = np.random.RandomState(3)
    SequenceClustering(measure="dtw", random_state=shared).fit(sequences)


def test_parameters_are_those_of_the_signature():
    estimator = SequenceClustering(3, "kl_ll_ms", n_states=4, params={"min_pool": "N/3", "diagonal": "one"})
    assert set(estimator.get_params()) == set(signature(SequenceClustering).parameters)
    assert all(p.kind is not p.VAR_KEYWORD for p in signature(SequenceClustering).parameters.values())
    estimator.set_params(n_states=2, width="median")
    assert (estimator.n_states, estimator.width) == (2, "median")
    copy = clone(estimator)
    assert copy is not estimator
    assert copy.get_params() == estimator.get_params()
    assert "'min_pool': 'N/3'" in repr(copy)
    assert pickle.loads(pickle.dumps(estimator)).get_params() == estimator.get_params()


def test_every_setting_of_arrays_is_a_parameter():
    of_arrays = {name for name, entry in OF_READING.items() if entry.of in (None, "arrays", "columns")} - {"labels"}
    assert {*OPTIONS, *of_arrays} <= set(signature(SequenceClustering).parameters)


def test_shared_parameters_go_to_measure_and_clusterer():
    sequences = two_kinds()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        more = {"covariance": "diag", "diagonal": "one"}
        estimator = SequenceClustering(2, "kl_ll_ms", scale="none", n_states=2, width="median", params=more).fit(
            sequences
        )
    options = {"diagonal": "one", "width": "median"}
    ordered, expected, ordering = computed(
        "kl_ll_ms", sequences, n_clusters=2, n_states=2, covariance="diag", **options
    )
    np.testing.assert_array_equal(estimator.distance_, expected)
    labels = clustering.get("spectral")(ordered, 2, random_state=0, **options)
    np.testing.assert_array_equal(relabel(estimator.labels_), relabel(ordering.restore_labels(labels)))


@pytest.mark.parametrize(
    "params",
    [
        {"measure": "euclid"},
        {"clusterer": "dbscan"},
        {"params": {"linkage": "average"}},
        {"params": {"n_state": 2}},
        {"params": {"n_states": 2}},
        {"params": {"labels": [1]}},
        {"params": "covariance=diag"},
        {"n_jobs": 0},
        {"n_jobs": 1.5},
        {"measure": "dtw", "n_states": 2},
        {"n_clusters": 11},
        {"n_clusters": 0},
        {"width": "wide"},
    ],
)
def test_bad_parameters_are_refused_by_fit(params, recorded: Recorded):
    estimator = SequenceClustering(**{"measure": "kl_ll", "params": {"covariance": "diag"}, **params})
    if params.get("measure") == "dtw":
        estimator = SequenceClustering(**params)
    with recorded.raises(ParameterError):
        estimator.fit(two_kinds())


def test_set_params_refuses_names_that_nothing_knows(recorded: Recorded):
    with recorded.raises(ValueError):
        SequenceClustering(measure="dtw").set_params(metric="dtw")


def test_rows_of_a_matrix_are_series():
    random = np.random.default_rng(2)
    rows = random.normal(4.0 * (np.arange(8) % 2)[:, None], 1.0, (8, 12))
    model = SequenceClustering(2, "dtw").fit(rows)
    listed = SequenceClustering(2, "dtw").fit(list(rows))
    np.testing.assert_array_equal(model.distance_, listed.distance_)
    assert (model.n_features_in_, listed.n_features_in_) == (12, 1)
    np.testing.assert_array_equal(model.predict(rows), listed.predict(list(rows)))
    with pytest.raises(ValueError, match="12 features"):
        model.predict(rows[:, :9])
    assert listed.predict([rows[0, :9]]).shape == (1,)
    padded = rows.copy()
    padded[1, 9:] = np.nan
    cut = SequenceClustering(2, "dtw").fit([row[~np.isnan(row)] for row in padded])
    np.testing.assert_array_equal(SequenceClustering(2, "dtw").fit(padded).distance_, cut.distance_)


@pytest.mark.parametrize("n_jobs", [None, 2, -1])
def test_no_number_depends_on_the_number_of_jobs(n_jobs):
    one, other = (SequenceClustering(n_clusters=2, n_jobs=jobs).fit(two_kinds()) for jobs in (1, n_jobs))
    np.testing.assert_array_equal(one.distance_, other.distance_)
    np.testing.assert_array_equal(one.labels_, other.labels_)


def test_takes_sequence_sets_and_stacked_arrays():
    stacked = np.random.default_rng(1).normal(size=(6, 5, 2))
    from_array = SequenceClustering(2, "dtw", random_state=0).fit(stacked)
    from_set = SequenceClustering(2, "dtw", random_state=0).fit(SequenceSet.from_arrays(list(stacked)))
    np.testing.assert_array_equal(from_array.labels_, from_set.labels_)


def same_partition(a, b):
    return bool((np.equal.outer(a, a) == np.equal.outer(b, b)).all())


@pytest.mark.parametrize("measure", ["kl_ll", "kl_ll_ms", "ssd", "ssd_joint", "dtw"])
@pytest.mark.parametrize("clusterer", ["spectral", "kmedoids", "hierarchical"])
def test_the_order_of_the_sequences_changes_nothing(measure, clusterer):
    random = np.random.default_rng(4)
    # Hard to distinguish, so that a tie or a last digit could decide; three of them twice.
    sequences = [random.normal(0.6 * (i % 3), 1.0, (9 + i % 4, 2)) for i in range(15)]
    sequences += [sequences[2].copy(), sequences[2].copy(), sequences[7].copy()]
    models = {"n_states": 2, "params": {"n_init": 1, "max_iter": 10, "covariance": "diag"}}
    fit = {} if measure == "dtw" else models
    one = SequenceClustering(3, measure, clusterer=clusterer, random_state=0, **fit).fit(sequences)
    order = random.permutation(len(sequences))
    other = SequenceClustering(3, measure, clusterer=clusterer, random_state=0, **fit).fit(
        [sequences[i] for i in order]
    )
    np.testing.assert_array_equal(other.distance_, one.distance_[np.ix_(order, order)])
    assert same_partition(other.labels_, one.labels_[order])
    # Equal sequences are treated alike, whatever their position.
    others = np.setdiff1d(np.arange(18), [2, 15, 16])
    np.testing.assert_array_equal(one.distance_[15, others], one.distance_[2, others])
    assert one.distance_[2, 15] == one.distance_[15, 16] == one.distance_[16, 2]
    assert one.labels_[2] == one.labels_[15] == one.labels_[16]
    assert one.labels_[7] == one.labels_[17]


def test_a_segmenter_sees_the_order_of_the_sequences():
    random = np.random.default_rng(5)
    windows = [random.normal(4.0 * (i // 4 % 2), 1.0, (20, 1)) for i in range(12)]
    found = SequenceClustering(2, "dtw", clusterer="spectral_segmentation", params={"n_segments": 3}).fit(windows)
    np.testing.assert_array_equal(found.labels_, np.repeat([0, 1, 2], 4))


def test_layout_of_arrays(recorded: Recorded):
    random = np.random.default_rng(6)
    stacked = np.array([random.normal(4.0 * (i % 2), 1.0, (3, 20)) for i in range(6)])
    with recorded.raises(DataError):
        SequenceClustering(2, "dtw", random_state=0).fit(stacked)
    found = SequenceClustering(2, "dtw", random_state=0, layout="channels_first").fit(stacked)
    assert found.n_features_in_ == 3
    expected = SequenceClustering(2, "dtw", random_state=0).fit(np.swapaxes(stacked, 1, 2))
    np.testing.assert_array_equal(found.distance_, expected.distance_)
    assert SequenceClustering(2, "dtw", layout="channels_last").fit(stacked).n_features_in_ == 20


@pytest.mark.parametrize("state", [1.5, "7", True, [1]])
def test_random_state_is_a_whole_number(state, recorded: Recorded):
    with recorded.raises(ParameterError):
        SequenceClustering(2, "dtw", random_state=state).fit(two_kinds())


def test_exported_at_the_top():
    assert kinseq.SequenceClustering is SequenceClustering


# --- the same words and results as kinseq.cluster ---------------------------------------------------------------------


def test_both_doors_have_the_same_words_and_defaults():
    ours = [(p.name, p.kind, p.default) for p in signature(SequenceClustering).parameters.values()]
    theirs = [(p.name, p.kind, p.default) for p in signature(kinseq.cluster).parameters.values()]
    both = {name for name, _, _ in ours} & {name for name, _, _ in theirs}
    assert {name for name, _, _ in ours} - both <= OF_READING.keys()
    assert [entry for entry in theirs if entry[0] in both] == [entry for entry in ours if entry[0] in both]
    assert all(default == OF_READING[name].default for name, _, default in ours if name not in both)
    # Editors see every option.
    options = {name: entry.default for name, entry in OPTIONS.items()}
    assert options.items() <= {name: default for name, _, default in theirs}.items()
    assert len(theirs) <= 20


@pytest.mark.parametrize(
    "words",
    [
        {"measure": "dtw"},
        {"measure": "dtw", "n_clusters": 2, "clusterer": "kmedoids", "scale": "per_sequence"},
        {
            "measure": "kl_ll",
            "n_clusters": 3,
            "width": 2.5,
            "params": {"covariance": "diag"},
            "n_states": 2,
            "random_state": 4,
        },
        {"measure": "kl_ll", "model": "gaussian", "params": {"covariance": "full"}, "n_clusters": 2, "scale": "none"},
        {
            "measure": "dtw",
            "n_clusters": 2,
            "clusterer": "hierarchical",
            "params": {"linkage": "average"},
            "max_frames": 9,
        },
        {"measure": "dtw", "n_clusters": 2, "length": "stretch"},
        {"measure": "fusion", "params": {"views": ["dtw", "statistics"]}, "n_clusters": 2},
        {"measure": lambda x, y: float(np.abs(x.mean(axis=0) - y.mean(axis=0)).sum()), "n_clusters": 2},
    ],
)
def test_both_doors_give_the_same(words):
    sequences, new = two_kinds(12), two_kinds(5, 9)
    found, model = kinseq.cluster(sequences, n_resamples=2, **words), SequenceClustering(**words).fit(sequences)
    for attribute in ("embedding_", "medoid_indices_"):
        np.testing.assert_array_equal(getattr(model, attribute), getattr(found, attribute))
    np.testing.assert_array_equal(model.distance_, found.distance)
    np.testing.assert_array_equal(model.labels_, found.labels)
    assert model.n_clusters_ == found.n_clusters
    np.testing.assert_array_equal(model.predict(new), found.predict(new))
    np.testing.assert_array_equal(model.transform(new), found.transform(new))
    assert model.findings_ == found.views[0].findings
    for medoid, i in zip(model.medoids_, model.medoid_indices_, strict=True):
        np.testing.assert_array_equal(medoid, sequences[i])


def test_options_reach_what_they_name():
    sequences = two_kinds()
    plain = measures.compute("kl_ll", sequences, n_states=2, covariance="full", floor=1e-3, startprob="flat")
    found = kinseq.cluster(
        sequences, 2, "kl_ll", scale="none", n_states=2, params={"covariance": "full", "floor": 1e-3}
    )
    np.testing.assert_allclose(found.distance, plain, rtol=1e-9)
    costly = kinseq.cluster(sequences, 2, "msm", scale="none", params={"cost": 3.0})
    np.testing.assert_allclose(costly.distance, measures.compute("msm", sequences, cost=3.0), rtol=1e-12)
    average = kinseq.cluster(sequences, 3, "dtw", clusterer="hierarchical", params={"linkage": "average"}, scale="none")
    expected = clustering.hierarchical(average.distance, 3, "average")
    np.testing.assert_array_equal(relabel(average.labels), expected)


def test_medoids_are_the_nearest_to_their_clusters_by_brute_force():
    sequences = two_kinds(11)
    model = SequenceClustering(3, "dtw").fit(sequences)
    for k, i in enumerate(model.medoid_indices_):
        members = np.flatnonzero(model.labels_ == k)
        totals = model.distance_[np.ix_(members, members)].sum(axis=1)
        assert model.labels_[i] == k
        assert totals[members.tolist().index(i)] == totals.min()


def test_the_embedding_is_classical_scaling_and_old_sequences_come_to_where_they_are():
    sequences = two_kinds()
    model = SequenceClustering(2, "dtw").fit(sequences)
    np.testing.assert_allclose(model.transform(sequences), model.embedding_, atol=1e-9)
    np.testing.assert_array_equal(model.fit_transform(sequences), model.embedding_)


def test_sequences_that_were_clustered_are_transformed_to_where_they_are_under_every_measure() -> None:
    rng = np.random.default_rng(0)
    sequences = [rng.normal(3.0 * (i % 2), 1.0, (20, 2)) for i in range(10)]
    for measure in ("elastic", "fusion", "dtw"):
        model = SequenceClustering(2, measure).fit(sequences)
        np.testing.assert_allclose(model.transform(sequences), model.embedding_, atol=1e-9)
        again = model.transform([rng.normal(size=(20, 2)), *sequences[3:5]])
        np.testing.assert_allclose(again[1:], model.embedding_[3:5], atol=1e-9)


def spread_apart(a, b):
    """A measure of a user's own, in a module."""
    return abs(float(a.std()) - float(b.std()))


def test_a_measure_of_ones_own_is_pickled_with_what_was_fitted() -> None:
    rng = np.random.default_rng(0)
    sequences = [rng.normal(0.0, 1.0 + 3.0 * (i % 2), (20, 2)) for i in range(10)]
    model = SequenceClustering(2, spread_apart).fit(sequences)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict(sequences), model.labels_)
    # Points in a plane come back but for a turn.
    points = np.random.default_rng(3).normal(size=(20, 2)) * [3.0, 1.0]
    model = SequenceClustering(2, "precomputed").fit(cdist(points, points))
    np.testing.assert_allclose(cdist(model.embedding_, model.embedding_), cdist(points, points), atol=1e-9)
    new = np.random.default_rng(4).normal(size=(5, 2))
    np.testing.assert_allclose(
        cdist(model.transform(cdist(new, points)), model.embedding_), cdist(new, points), atol=1e-9
    )


@pytest.mark.parametrize("clusterer", ["spectral", "hierarchical", "kmedoids"])
def test_precomputed_dissimilarities(clusterer):
    sequences, new = two_kinds(12), two_kinds(4)
    distance, cross = measures.compute("dtw", sequences), measures.compute("dtw", new, sequences)
    plain = SequenceClustering(2, "dtw", clusterer=clusterer, scale="none").fit(sequences)
    given = SequenceClustering(2, "precomputed", clusterer=clusterer).fit(distance)
    np.testing.assert_array_equal(given.labels_, plain.labels_)
    np.testing.assert_array_equal(given.predict(cross), plain.predict(new))
    assert given.n_features_in_ == 12
    order = np.random.default_rng(0).permutation(12)
    turned = SequenceClustering(2, "precomputed", clusterer=clusterer).fit(distance[np.ix_(order, order)])
    np.testing.assert_array_equal(turned.labels_, given.labels_[order])
    np.testing.assert_array_equal(turned.predict(cross[:, order]), given.predict(cross))


def test_a_precomputed_matrix_has_a_page_and_names(tmp_path, recorded: Recorded):
    names = [f"item {i}" for i in range(12)]
    table = pd.DataFrame(measures.compute("dtw", two_kinds(12)), index=names, columns=names)
    found = kinseq.cluster(table, measure="precomputed", labels=["a", "b"] * 6, name="mine")
    assert found.sequences.ids.tolist() == names
    text = found.report(tmp_path).read_text(encoding="utf-8")
    assert "item 3" in text
    recorded.within(text)
    # Its script knows the values to show.
    assert "frames" not in re.sub(r"<script>.*?</script>", "", text, flags=re.DOTALL)


def test_per_sequence_scale_forgets_levels():
    shape = [np.sin(np.arange(30.0) * (0.3 if i % 2 else 0.9))[:, None] for i in range(8)]
    moved = [(i + 1.0) * frames + 50.0 * i for i, frames in enumerate(shape)]
    found = kinseq.cluster(moved, 2, "dtw", scale="per_sequence")
    np.testing.assert_allclose(
        found.distance, kinseq.cluster(shape, 2, "dtw", scale="per_sequence").distance, atol=1e-9
    )
    assert relabel(found.labels).tolist() == [0, 1] * 4
    np.testing.assert_array_equal(found.predict([1e3 * frames - 7.0 for frames in shape]), found.labels)


def test_clusterers_without_a_matrix_leave_labels_only():
    sequences = two_kinds()
    model = SequenceClustering(clusterer="kmeans_of_means", n_clusters=2).fit(sequences)
    assert relabel(model.labels_).tolist() == [0, 1] * 5
    assert model.distance_ is None
    assert not hasattr(model, "embedding_")
    with pytest.raises(ParameterError, match="new sequences"):
        model.predict(sequences)
    refitted = model.set_params(clusterer="spectral", measure="dtw").fit(sequences)
    assert refitted.embedding_.shape == (10, 2)
    assert not hasattr(refitted.set_params(clusterer="kmeans_of_means", measure="auto").fit(sequences), "analysis_")


def test_representations_are_short(recorded):
    found = kinseq.cluster(two_kinds(), 2, "dtw", name="two kinds")
    recorded(repr(found))
    assert found.degree == "clear"
    assert len(found.verdict.split()) < 40
    recorded(found.evidence_source)
    assert len(repr(found.views[0])) < 60
    assert len(repr(found.sequences)) < 100
    text = found._repr_html_()
    assert text.count("<circle") == 10
    assert repr(found) in html.unescape(text)
    assert "http" not in text
    assert len(text) < 5000


@pytest.mark.parametrize("sample", ["auto", 6])
def test_the_estimator_says_how_sure_the_groups_are_and_by_which_measure(sample):
    fitted = SequenceClustering(2, "dtw", sample=sample).fit(two_kinds())
    found = kinseq.cluster(two_kinds(), 2, "dtw", sample=sample)
    assert (fitted.degree_, fitted.measure_) == (found.degree, found.measure) == ("clear", "dtw")
    # There are no notes if only labels remain.
    assert not hasattr(SequenceClustering(2, clusterer="kmeans_of_means").fit(two_kinds()), "degree_")


def test_what_is_written_into_attributes_changes_no_prediction():
    items = two_kinds()
    found, model = kinseq.cluster(items, 2, "dtw"), SequenceClustering(2, "dtw").fit(items)
    before = found.predict(items)
    model.labels_[:] = 0
    assert (model.predict(items) == before).all()
    for name in (
        "labels",
        "distance",
        "embedding_",
        "medoid_indices_",
        "silhouettes",
        "membership_",
    ):
        with pytest.raises(ValueError, match="read-only"):
            getattr(found, name)[...] = 0
    for array in (*found._partitions.values(), *found.details.medoids):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


def test_an_estimator_shows_what_it_found(recorded: Recorded):
    model = SequenceClustering(2, "dtw").fit(two_kinds())
    distance, labels = model.distance_, model.labels_
    others = distance.sum(axis=1)
    to_own = np.array([distance[i, labels == label].sum() for i, label in enumerate(labels)])
    own, other = to_own / 4, (others - to_own) / 5
    np.testing.assert_allclose(model.membership_, other / (own + other), rtol=1e-12)
    assert len(model.plot().axes) == len(model.analysis_.plot().axes) >= 4
    with recorded.raises(AttributeError):
        SequenceClustering().membership_  # noqa: B018
    with pytest.raises(NotFittedError):
        SequenceClustering().plot()


def test_dissimilarity_is_the_matrix_of_a_measure(recorded: Recorded):
    items = two_kinds()
    default = kinseq.dissimilarity(items)
    np.testing.assert_array_equal(default, measures.compute("elastic", items))
    by_name = {f"s{i}": frames for i, frames in enumerate(items)}
    of_two = kinseq.dissimilarity(by_name, items[:3], "kl_ll", random_state=3, n_jobs=2, n_states=2)
    np.testing.assert_array_equal(of_two, measures.compute("kl_ll", items, items[:3], random_state=3, n_states=2))
    assert of_two.shape == (10, 3)

    def levels(x, y):
        return abs(x.mean() - y.mean())

    means = np.array([frames.mean() for frames in items])
    expected = abs(means[:, None] - means)
    np.testing.assert_allclose(kinseq.dissimilarity(items, measure=levels), expected, atol=1e-15)
    np.testing.assert_allclose(kinseq.dissimilarity(items[:4], items, levels), expected[:4], atol=1e-15)
    with recorded.raises(ParameterError):
        kinseq.dissimilarity(items, measure="dwt")


def test_the_sentence_on_a_gap_names_the_option_that_fills_it():
    gap = two_kinds()
    gap[1][3, 0] = np.nan
    with pytest.raises(DataError, match='missing="interpolate"'):
        SequenceClustering(measure="dtw").fit(gap)
    assert SequenceClustering(2, "dtw", missing="interpolate").fit(gap).n_clusters_ == 2


def test_the_score_is_the_mean_silhouette():
    sequences = two_kinds()
    fitted = SequenceClustering(2, "dtw").fit(sequences)
    expected = silhouette_score(fitted.distance_, fitted.labels_, metric="precomputed")
    assert fitted.score(sequences) == pytest.approx(expected, abs=1e-12)
    matrix = SequenceClustering(2, "precomputed").fit(fitted.distance_)
    assert matrix.score(fitted.distance_) == pytest.approx(expected, abs=1e-12)
    # New ones alone: nearer to the one group than to the other.
    rows = fitted.distance_[:3] * 0.5
    means = np.array([rows[:, matrix.labels_ == cluster].mean(axis=1) for cluster in (0, 1)])
    assert matrix.score(rows) == pytest.approx(np.mean(1 - means.min(axis=0) / means.max(axis=0)), abs=1e-12)
    assert SequenceClustering(1, "dtw").fit(sequences).score(sequences[:4]) == 0.0


def test_the_score_by_a_sample():
    sequences = two_kinds(24)
    fitted = SequenceClustering(2, "dtw", sample=12).fit(sequences)
    assert isinstance(fitted.analysis_, SampledClustering)
    assert 0.3 < fitted.score(sequences) <= 1.0
    assert SequenceClustering(1, "dtw", sample=12).fit(sequences).score(sequences) == 0.0


def test_a_grid_search_without_classes():
    # Three kinds far apart: two clusters leave one of them between both, four cut one of them.
    random = np.random.default_rng(1)
    sequences = [random.normal(9.0 * (i % 3), 1.0, (8, 1)) for i in range(18)]
    search = GridSearchCV(
        SequenceClustering(measure="dtw"), {"n_clusters": [2, 3, 4]}, cv=KFold(3), error_score="raise"
    ).fit(sequences)
    assert search.best_params_ == {"n_clusters": 3}
    assert np.unique(search.predict(sequences)).size == 3
    best = search.cv_results_["mean_test_score"][1]
    assert best > 0.7
    assert search.best_estimator_.score(sequences) > 0.7


def test_nothing_to_score_by(recorded: Recorded):
    with recorded.raises(ParameterError):
        SequenceClustering(2, clusterer="spectral_segmentation", measure="dtw").fit(two_kinds()).score(two_kinds())


def test_a_measure_that_the_clusterer_has_no_use_for_is_refused(recorded: Recorded):
    with recorded.raises(ParameterError):
        SequenceClustering(2, "kl_ll", clusterer="kmeans_of_means").fit(two_kinds())


def test_a_matrix_that_may_be_one_recording_is_read_as_rows_with_a_warning(recorded: Recorded):
    recording = np.random.default_rng(0).normal(size=(60, 2)).cumsum(axis=0)
    with recorded.warns(UserWarning):
        fitted = SequenceClustering(2, "dtw", n_resamples=2).fit(recording)
    assert fitted.labels_.shape == (60,)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        SequenceClustering(2, "dtw").fit(np.random.default_rng(0).normal(size=(12, 20)))


def test_frames_of_a_pipeline_are_read_as_its_matrices(recorded: Recorded):
    random = np.random.default_rng(0)
    series = np.stack([random.normal(6.0 * (i % 2), 1.0, 30) for i in range(20)])
    plain = make_pipeline(StandardScaler(), SequenceClustering(2, "dtw")).fit(series)
    expected = plain.predict(series)
    with config_context(transform_output="pandas"):
        framed = make_pipeline(StandardScaler(), SequenceClustering(2, "dtw")).fit(series)
        np.testing.assert_array_equal(framed.predict(series), expected)
    np.testing.assert_array_equal(framed[-1].labels_, plain[-1].labels_)
    assert framed[-1].feature_names_in_.tolist() == [f"x{i}" for i in range(30)]
    assert not hasattr(plain[-1], "feature_names_in_")
    # Channels of one recording are not series in rows, whatever their names.
    for names in (list("abcdefghijkl"), [f"x{i}" for i in range(4)]):
        with recorded.raises(DataError):
            SequenceClustering(2, "dtw").fit(pd.DataFrame(random.normal(size=(40, len(names))), columns=names))


def test_columns_of_a_frame_with_a_row_a_frame_are_features(recorded: Recorded):
    random = np.random.default_rng(0)
    sequences = [random.normal(6.0 * (i % 2), 1.0, (20, 2)) for i in range(12)]
    frame = pd.concat([pd.DataFrame(x, columns=["a", "b"]).assign(id=i) for i, x in enumerate(sequences)])
    estimator = SequenceClustering(2, "dtw").fit(frame)
    assert estimator.feature_names_in_.tolist() == ["a", "b"]
    assert estimator.n_features_in_ == 2
    with recorded.raises(DataError):
        estimator.predict(sequences[0])
    assert not hasattr(estimator.fit(sequences), "feature_names_in_")
