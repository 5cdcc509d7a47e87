"""The bank: checks at the door, storage, subsets and blocks of rows."""

import numpy as np
import pytest

from kinseq.core.errors import DataError, KinseqError
from kinseq.core.store import write_arrays
from kinseq.models.hmm import (
    HMMBank,
    expected_transitions,
    fit_bank,
    fit_common,
    induced_transitions,
    log_likelihood,
    posteriors,
)
from tests.sentences import Recorded

from .hmm_reference import random_bank, sequences


def parts(**changed):
    good = {
        "startprob": np.array([[0.5, 0.5]]),
        "transmat": np.array([[[0.9, 0.1], [0.2, 0.8]]]),
        "means": np.zeros((1, 2, 3)),
        "covars": np.ones((1, 2, 3)),
    }
    return {**good, **changed}


WRONG = {
    "startprob has shape (2,), expected (N, K)": {"startprob": np.ones(2) / 2},
    "startprob of model 0 is not a probability distribution": {"startprob": [[0.5, 0.6]]},
    "transmat has shape (1, 2), expected (N, K, K) with N=1, K=2": {"transmat": [[0.5, 0.5]]},
    "transmat of model 0 is not a probability distribution at (0, 1)": {"transmat": [[[1, 0], [-0.1, 1.1]]]},
    "means has shape (1, 3)": {"means": np.zeros((1, 3))},
    "means: holds NaN at index (0, 1, 2)": {"means": [[[0, 0, 0], [0, 0, np.nan]]]},
    "covars has shape (1, 2, 2)": {"covars": np.ones((1, 2, 2))},
    "covars of model 0, state 1 are not positive definite": {"covars": [[[1, 1, 1], [1, 0, 1]]]},
    "covars of model 0, state 0 are not positive definite": {
        "covars": np.tile(np.ones((3, 3)), (1, 2, 1, 1)) - 2 * np.eye(3)
    },
    "covars of model 0, state 0 are not symmetric": {"covars": np.tile(np.eye(3) + np.eye(3, k=1), (1, 2, 1, 1))},
    "means cannot be read as numbers": {"means": [[["a"]]]},
}


@pytest.mark.parametrize("message", WRONG)
def test_wrong_parameters(message):
    with pytest.raises(DataError) as error:
        HMMBank(**parts(**WRONG[message]))
    assert message in str(error.value)
    assert "\n" not in str(error.value)


BANK = HMMBank(**parts())
XS = [np.zeros((4, 3)), np.ones((2, 3))]
CALLS = {
    "frames have 2 features but the models have 3": lambda: log_likelihood(BANK, [np.zeros((4, 2))]),
    "holds NaN at index (0, 0)": lambda: log_likelihood(BANK, [np.full((2, 3), np.nan)]),
    "is empty (0 frames)": lambda: fit_bank([np.zeros((0, 3))], 1),
    "has 2 frames, fewer than n_states=3": lambda: fit_bank(XS, 3),
    "has 6 frames in all, fewer than n_states=7": lambda: fit_common(XS, 7),
    "n_states is 0, expected a whole number of at least 1": lambda: fit_bank(XS, 0),
    "n_states is 1.5": lambda: fit_bank(XS, 1.5),
    "n_init is 0": lambda: fit_bank(XS, 1, n_init=0),
    "max_iter is -1": lambda: fit_bank(XS, 1, max_iter=-1),
    "tol is nan": lambda: fit_bank(XS, 1, tol=float("nan")),
    "floor is -0.1": lambda: fit_bank(XS, 1, floor=-0.1),
    "unknown covariance 'ful' (did you mean 'full'?); valid names: auto, diag, full": lambda: fit_bank(XS, 1, "ful"),
    "unknown preset 'clasic' (did you mean 'classic'?)": lambda: fit_bank(XS, 1, preset="clasic"),
    "init holds 1 models, K=2, d=3, diagonal": lambda: fit_bank(XS, 2, init=BANK),
    "but the fit needs 1 models, K=2, d=3, full": lambda: fit_common(XS, 2, "full", init=BANK),
    "pool is 'each'": lambda: fit_bank(XS, 1, pool="each"),
    "pool has shape (2,)": lambda: fit_bank(XS, 1, pool=np.ones(2)),
    "pool is 'sequence', expected 'all'": lambda: fit_common(XS, 1, pool="sequence"),
    "n_jobs is 0": lambda: log_likelihood(BANK, XS, n_jobs=0),
    "block has step 2": lambda: log_likelihood(BANK, XS, block=slice(0, 1, 2)),
    "there are 2 sequences but 3 models": lambda: posteriors(BANK.subset([0, 0, 0]), XS),
    "the bank holds 2; use fit_common": lambda: induced_transitions(BANK.subset([0, 0]), XS),
    "one common model but the bank holds 2": lambda: expected_transitions(BANK.subset([0, 0]), XS),
    "no such file": lambda: HMMBank.load("nowhere.npz"),
    "lacks transmat, means, covars": lambda: HMMBank.from_arrays({"startprob": np.ones((1, 1))}),
}


@pytest.mark.parametrize("message", CALLS)
def test_wrong_arguments(message):
    with pytest.raises(KinseqError) as error:
        CALLS[message]()
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_another_file_is_refused(tmp_path, recorded: Recorded):
    write_arrays(tmp_path / "x.npz", {"a": np.zeros(2)})
    with recorded.raises(DataError):
        HMMBank.load(tmp_path / "x.npz")


@pytest.mark.parametrize("fitted", [False, True])
def test_storage(tmp_path, fitted):
    rng = np.random.default_rng(0)
    bank = fit_bank(sequences(rng, 3, 2, 6, 9), 2) if fitted else random_bank(rng, 3, 2, 2, full=True)
    bank.save(tmp_path / "bank.npz")
    again = HMMBank.load(tmp_path / "bank.npz")
    assert again.to_arrays().keys() == bank.to_arrays().keys()
    for name, array in bank.to_arrays().items():
        np.testing.assert_array_equal(again.to_arrays()[name], array)
        assert again.to_arrays()[name].dtype == array.dtype
    assert again.summary() == bank.summary()


def test_blocks_of_rows_and_subsets():
    rng = np.random.default_rng(1)
    bank, xs = random_bank(rng, 7, 3, 2, full=True), sequences(rng, 20, 2, 1, 30)
    whole = log_likelihood(bank, xs)
    np.testing.assert_array_equal(log_likelihood(bank, xs, block=(2, 5)), whole[2:5])
    np.testing.assert_array_equal(log_likelihood(bank, xs, block=slice(-2, None)), whole[-2:])
    assert log_likelihood(bank, xs, block=(3, 3)).shape == (0, 20)
    np.testing.assert_array_equal(log_likelihood(bank.subset([6, 0]), xs), whole[[6, 0]])
    np.testing.assert_array_equal(log_likelihood(bank.subset(np.arange(7) < 2), xs), whole[:2])
    assert (len(bank), bank.n_states, bank.n_features, bank.full) == (7, 3, 2, True)
    assert bank.loglik is None
    assert "not fitted" in bank.summary()
