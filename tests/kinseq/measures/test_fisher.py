"""Fisher-score kernel on transition parameters."""

import numpy as np
import pytest

from kinseq import measures
from kinseq.core.errors import DataError, ParameterError
from kinseq.measures.fisher import fisher, fisher_features
from kinseq.models.hmm import HMMBank, expected_transitions, log_likelihood
from tests.sentences import Recorded


def bank_with(transmat):
    k = len(transmat)
    return HMMBank(
        np.full((1, k), 1 / k), transmat[None], np.arange(k, dtype=float)[None, :, None] * 1.5, np.ones((1, k, 1))
    )


def test_scores_are_gradients_of_the_log_likelihood():
    rng = np.random.default_rng(1)
    transmat = rng.dirichlet(np.ones(3), size=3)
    sequence = [rng.normal(1.5, 1.5, size=(9, 1))]
    counts = expected_transitions(bank_with(transmat), sequence)
    score = fisher_features(counts, transmat, information="identity").reshape(3, 3) * counts.sum()
    step = 1e-6
    for i in range(3):
        for j in range(3):
            sides = []
            for sign in (1, -1):
                moved = transmat.copy()
                moved[i, j] *= np.exp(sign * step)
                moved[i] /= moved[i].sum()
                sides.append(log_likelihood(bank_with(moved), sequence)[0, 0])
            assert score[i, j] == pytest.approx((sides[0] - sides[1]) / (2 * step), abs=1e-6)


def test_whitening_is_the_inverse_of_the_fisher_information():
    rng = np.random.default_rng(2)
    common = rng.dirichlet(np.ones(3), size=3)
    counts = rng.random((4, 3, 3))
    share = counts / counts.sum(axis=(1, 2), keepdims=True)
    raw = fisher_features(counts, common, information="identity").reshape(4, 3, 3)
    visits = share.sum(axis=2).mean(axis=0)
    kernel = np.zeros((4, 4))
    for row in range(3):
        information = visits[row] * (np.diag(common[row]) - np.outer(common[row], common[row]))
        kernel += raw[:, row] @ np.linalg.pinv(information) @ raw[:, row].T
    features = fisher_features(counts, common)
    np.testing.assert_allclose(features @ features.T, kernel, atol=1e-10)
    own = np.diag(kernel)
    np.testing.assert_allclose(
        fisher(counts, common), np.sqrt(np.maximum(own[:, None] + own - 2 * kernel, 0)), atol=1e-7
    )


def test_length_does_not_matter_and_equal_sequences_coincide():
    common = np.array([[0.5, 0.5], [0.2, 0.8]])
    counts = np.array([[[1.0, 2.0], [3.0, 4.0]], [[10.0, 20.0], [30.0, 40.0]], [[4.0, 3.0], [2.0, 1.0]]])
    distance = fisher(counts, common)
    assert distance[0, 1] < 1e-15
    assert distance[0, 2] > 0.1


def test_impossible_transitions_leave_no_trace():
    common = np.array([[1.0, 0.0], [0.5, 0.5]])
    features = fisher_features(np.array([[[3.0, 0.0], [1.0, 1.0]], [[2.0, 0.0], [2.0, 1.0]]]), common)
    assert np.isfinite(features).all()
    assert (features.reshape(2, 2, 2)[:, 0] == 0).all()


def test_bad_input_and_the_registered_measure(recorded: Recorded):
    with pytest.raises(DataError, match="positive sum"):
        fisher(np.zeros((1, 2, 2)), np.eye(2))
    with recorded.raises(DataError):
        fisher(np.ones((1, 3, 3)), np.eye(2))
    with pytest.raises(ParameterError, match="unknown information"):
        fisher(np.ones((1, 2, 2)), np.full((2, 2), 0.5), information="empirical")
    rng = np.random.default_rng(3)
    sequences = [rng.normal(size=(20, 1)) for _ in range(4)]
    distance = measures.compute("fisher", sequences, n_states=2, n_init=1, max_iter=5)
    assert distance.shape == (4, 4)
    assert (distance[~np.eye(4, dtype=bool)] > 0).all()
