"""Hidden Markov models and Markov chains of symbols against sums over all paths, hmmlearn, and the laws of EM."""

from itertools import product

import numpy as np
import pytest

import kinseq
from kinseq.core.errors import DataError, ParameterError
from kinseq.core.symbols import symbol_set, symbols_of
from kinseq.hmm import CategoricalHMM
from kinseq.measures import compute
from kinseq.measures.ppk import log_ppk
from kinseq.models.hmm import HMMBank, fit_bank, fit_common, log_likelihood, posteriors, viterbi
from kinseq.models.kinds import registry as kinds
from tests.sentences import Recorded

LETTERS = "abc"


def drawn(n=6, seed=0, length=(3, 7)):
    random = np.random.default_rng(seed)
    rows = [[LETTERS[c] for c in random.integers(0, 3, random.integers(*length))] for _ in range(n)]
    return symbol_set([*rows, list("abc")])


def random_bank(n=1, k=2, seed=0):
    random = np.random.default_rng(seed)
    return HMMBank.of_symbols(
        random.dirichlet(np.ones(k), n), random.dirichlet(np.ones(k), (n, k)), random.dirichlet(np.ones(3), (n, k))
    )


def by_paths(bank, codes, i=0):
    """Probabilities of all paths of states with the sequence."""
    start, trans, emission = bank.startprob[i], bank.transmat[i], bank.emissionprob[i]
    paths = list(product(range(bank.n_states), repeat=len(codes)))
    weights = []
    for path in paths:
        weight = start[path[0]]
        for t, state in enumerate(path):
            weight *= emission[state, codes[t]] if codes[t] >= 0 else 1.0
            weight *= trans[path[t - 1], state] if t else 1.0
        weights.append(weight)
    return paths, np.array(weights)


@pytest.mark.parametrize("missing", [False, True])
def test_likelihoods_posteriors_and_paths_are_sums_over_all_paths(missing):
    rows = [list("abcab"), list("cc"), list("bacb")]
    if missing:
        rows[0][2], rows[2][0] = None, None
    data, bank = symbol_set(rows), random_bank()
    likelihoods, states = log_likelihood(bank, data)[0], posteriors(bank, data)
    best, paths = viterbi(bank, data)
    for i, codes in enumerate(np.split(symbols_of(data), data.offsets[1:-1])):
        every, weights = by_paths(bank, codes)
        assert np.isclose(likelihoods[i], np.log(weights.sum()), rtol=1e-12)
        share = [
            [weights[[path[t] == k for path in every]].sum() / weights.sum() for k in range(2)]
            for t in range(len(codes))
        ]
        assert np.allclose(states[i], share, atol=1e-12)
        assert tuple(paths[i]) == every[int(weights.argmax())]
        assert np.isclose(best[i], np.log(weights.max()))


def test_em_climbs_and_ends_where_its_equations_hold():
    data = drawn(n=20, length=(10, 30))
    for bank in (fit_bank(data, 2, n_init=2, tol=-np.inf), fit_common(data, 2, n_init=2, tol=-np.inf)):
        assert (np.diff(bank.trace, axis=1) >= -1e-9).all()
        assert np.allclose(bank.emissionprob.sum(axis=2), 1.0)
    common = fit_common(data, 2, max_iter=2000, tol=0.0)
    gamma, codes = np.concatenate(posteriors(common, data)), symbols_of(data)
    seen = np.stack([gamma[codes == s].sum(axis=0) for s in range(3)], axis=1)
    assert np.allclose(common.emissionprob[0], seen / seen.sum(axis=1, keepdims=True), atol=1e-4)
    assert np.isclose(common.loglik[0], log_likelihood(common, data).sum())


def test_a_model_depends_on_its_own_sequence_only():
    data = drawn(n=20, length=(10, 30))
    whole, some = fit_bank(data, 2), fit_bank(data.subset([3, 17]), 2)
    assert np.array_equal(whole.emissionprob[[3, 17]], some.emissionprob)
    assert np.array_equal(fit_bank(data, 2, n_jobs=2).emissionprob, whole.emissionprob)


def test_one_state_is_the_share_of_each_symbol():
    data = drawn()
    shares = [[(codes == s).mean() for s in range(3)] for codes in np.split(symbols_of(data), data.offsets[1:-1])]
    assert np.allclose(fit_bank(data, 1).emissionprob[:, 0], shares)
    smoothed = kinds.get("hmm").fit(data, n_states=1).emissionprob[:, 0]
    lengths = data.lengths[:, None]
    assert np.allclose(smoothed, (np.array(shares) * lengths + 1 / 3) / (lengths + 1))


def test_markov_chains_count_steps():
    data = symbol_set([list("aabca"), ["b", None, "c", "a"]])
    bank = kinds.get("markov").fit(data, pseudo_count=0.5)
    # aa, ab, bc, ca
    assert np.allclose(bank.transmat[0] * [[3.5], [2.5], [2.5]], [[1.5, 1.5, 0.5], [0.5, 0.5, 1.5], [1.5, 0.5, 0.5]])
    assert np.allclose(bank.startprob[1], np.array([0.5, 1.5, 0.5]) / 2.5)
    likelihood = log_likelihood(bank, data)
    start, trans = bank.startprob[0], bank.transmat[0]
    steps = [(0, 0), (0, 1), (1, 2), (2, 0)]
    assert np.isclose(likelihood[0, 0], np.log(start[0]) + sum(np.log(trans[step]) for step in steps))
    # Over a missing symbol, all transitions are possible.
    assert np.isclose(likelihood[0, 1], np.log(start[1] * (trans @ trans)[1, 2] * trans[2, 0]))
    assert np.allclose(kinds.get("markov").fit(data, common=True).startprob[0], np.array([1.5, 1.5, 0.5]) / 3.5)


def test_product_kernels_are_sums_over_all_sequences():
    bank = random_bank(n=2, k=2, seed=3)
    sequences = list(product(range(3), repeat=4))
    chances = np.array([[by_paths(bank, codes, i)[1].sum() for codes in sequences] for i in range(2)])
    assert np.allclose(log_ppk(bank, rho=1.0, n_frames=4), np.log(chances @ chances.T), atol=1e-12)


@pytest.mark.parametrize(
    "name", ["sym", "bp", "por", "yy", "kl_ll", "kl_ll_ms", "ssd", "ssd_joint", "ppk", "fisher", "sic"]
)
def test_measures_of_models_tell_chains_apart(name):
    random = np.random.default_rng(0)
    chains = [[[0.8, 0.1, 0.1]] * 3, [[0.1, 0.1, 0.8], [0.8, 0.1, 0.1], [0.1, 0.8, 0.1]]]
    rows = []
    for i in range(12):
        states = [0]
        while len(states) < 60:
            states.append(int(random.choice(3, p=chains[i % 2][states[-1]])))
        rows.append([LETTERS[state] for state in states])
    how = {"params": {"classifier": "hmm", "settings": {"n_states": 3}}} if name == "sic" else {"n_states": 3}
    labels = kinseq.cluster(rows, 2, name, **how).labels
    assert len({(label, i % 2) for i, label in enumerate(labels.tolist())}) == 2


def test_models_of_numbers_refuse_symbols_and_the_other_way_round(recorded: Recorded):
    with pytest.raises(DataError, match="of 3 symbols"):
        log_likelihood(random_bank(), [np.zeros((4, 1))])
    with recorded.raises(DataError):
        compute("kl_ll", [list("abc"), list("cab")], model="gmm")
    with recorded.raises(DataError):
        compute("kl_ll", [np.zeros((4, 1)), np.ones((4, 1))], model="markov")


# ---------------------------------------------------------------------------------------------------------------------
# The estimator
# ---------------------------------------------------------------------------------------------------------------------


def started(kind, seed=0, **params):
    random = np.random.default_rng(seed)
    model = kind(3, init_params="", n_iter=8, tol=-np.inf, **params)
    model.startprob_, model.transmat_ = random.dirichlet(np.ones(3)), random.dirichlet(np.ones(3), 3)
    model.emissionprob_, model.n_features = random.dirichlet(np.ones(4), 3), 4
    return model


@pytest.mark.parametrize("params", [{}, {"startprob_prior": 1.5, "transmat_prior": 2.0, "emissionprob_prior": 1.2}])
def test_fits_are_those_of_hmmlearn(params):
    theirs = pytest.importorskip("hmmlearn.hmm").CategoricalHMM
    random, lengths = np.random.default_rng(1), [5, 40, 12, 1, 30]
    X = random.integers(0, 4, (sum(lengths), 1))
    own, other = started(CategoricalHMM, **params), started(theirs, **params)
    own.fit(X, lengths=lengths)
    other.fit(X, lengths)
    for name in ("startprob_", "transmat_", "emissionprob_"):
        assert np.allclose(getattr(own, name), getattr(other, name), atol=1e-9)
    assert np.isclose(own.score(X, lengths=lengths), other.score(X, lengths))
    assert np.allclose(own.predict_proba(X, lengths), other.predict_proba(X, lengths), atol=1e-9)
    assert np.isclose(own.decode(X, lengths)[0], other.decode(X, lengths)[0])
    assert np.allclose(own.monitor_.history, other.monitor_.history)
    assert np.isclose(own.bic(X, lengths), other.bic(X, lengths))


def test_a_model_finds_the_process_that_it_is_fitted_to():
    source = started(CategoricalHMM)
    source.startprob_, source.transmat_ = np.full(3, 1 / 3), np.full((3, 3), 0.1) + 0.7 * np.eye(3)
    source.emissionprob_ = np.array([[0.9, 0.1, 0, 0], [0, 0.1, 0.9, 0], [0, 0, 0.1, 0.9]])
    X, states = source.sample(4000, random_state=0)
    assert X.shape == (4000, 1)
    assert np.allclose(np.bincount(states, minlength=3) / 4000, 1 / 3, atol=0.08)
    found = CategoricalHMM(3, n_iter=200, n_init=4, tol=1e-4, random_state=0).fit(X)
    order = found.emissionprob_[:, [0, 2, 3]].argmax(axis=0)
    assert np.allclose(found.emissionprob_[order], source.emissionprob_, atol=0.05)
    assert np.allclose(found.transmat_[np.ix_(order, order)], source.transmat_, atol=0.06)


@pytest.mark.parametrize(
    "params, X",
    [
        ({"params": "stm"}, [[0], [1]]),
        ({}, [[0, 1], [1, 0]]),
        ({}, [[0], [-2]]),
        ({"n_features": 2}, [[0], [2]]),
    ],
)
def test_what_an_estimator_refuses(params, X, recorded: Recorded):
    with recorded.raises((ParameterError, DataError)):
        CategoricalHMM(1, **params).fit(np.array(X))
