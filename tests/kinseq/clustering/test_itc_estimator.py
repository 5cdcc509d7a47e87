"""InformationTheoreticClustering as scikit-learn users know it."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

from kinseq import InformationTheoreticClustering
from kinseq.core.errors import DataError, ParameterError
from kinseq.metrics import clustering_error
from tests.sentences import Recorded

# These checks pass vectors to an estimator of matrices, which it refuses.
OF_VECTORS = ("check_clustering", "check_estimators_nan_inf")


@parametrize_with_checks(
    [
        InformationTheoreticClustering(n_clusters=2, n_runs=5, random_state=0),
        InformationTheoreticClustering(n_runs=3, n_voters=1, method="kernel", width=1.0, random_state=0),
        InformationTheoreticClustering(n_clusters=2, metric="precomputed", n_runs=3, n_voters=1, random_state=0),
    ],
    expected_failed_checks=lambda estimator: {
        name: "X is no square matrix" for name in OF_VECTORS if estimator.metric == "precomputed"
    },
)
@pytest.mark.filterwarnings("ignore")
def test_checks_of_scikit_learn(estimator, check):
    check(estimator)


def blobs():
    random = np.random.default_rng(0)
    label = np.arange(60) % 3
    return 10.0 * np.eye(3)[label] + random.normal(size=(60, 3)), label


def test_what_is_found():
    x, label = blobs()
    model = InformationTheoreticClustering(n_runs=7, n_voters=3, random_state=1).fit(x)
    assert clustering_error(label, model.labels_) == 0.0
    assert model.n_clusters_ == 3
    assert model.divergences_.shape == (7,)
    assert model.n_features_in_ == 3
    np.testing.assert_array_equal(clone(model).fit_predict(x), model.labels_)


def test_precomputed(recorded: Recorded):
    x, label = blobs()
    model = InformationTheoreticClustering(n_clusters=3, metric="precomputed", random_state=0)
    assert clustering_error(label, model.fit_predict(cdist(x, x))) == 0.0
    assert model.__sklearn_tags__().input_tags.pairwise
    with pytest.raises(DataError, match="symmetric"):
        model.fit(np.triu(cdist(x, x)))
    with recorded.raises(DataError):
        model.fit(np.where(np.eye(60) > 0, np.nan, 1.0))


def test_random_state():
    x = np.random.default_rng(1).normal(size=(40, 2))
    runs = [
        InformationTheoreticClustering(2, n_runs=3, n_voters=1, random_state=state).fit(x).divergences_
        for state in (0, 0, 1, np.random.RandomState(0))
    ]
    np.testing.assert_array_equal(runs[0], runs[1])
    assert not np.array_equal(runs[0], runs[2])
    with pytest.raises(ParameterError, match="random_state"):
        InformationTheoreticClustering(2, random_state="0").fit(x)
