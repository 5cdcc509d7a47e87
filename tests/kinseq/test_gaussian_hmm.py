"""kinseq.hmm: the names of hmmlearn on the engine that is there; paths against all paths, fits against hmmlearn."""

from __future__ import annotations

import doctest
import importlib
import itertools
import pickle
import sys
import warnings
from dataclasses import replace

import numpy as np
import pytest
from numba.core.dispatcher import Dispatcher
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.utils.estimator_checks import parametrize_with_checks
from threadpoolctl import threadpool_limits

import kinseq
from kinseq.core.errors import KinseqWarning
from kinseq.core.sequences import SequenceSet
from kinseq.hmm import HMMLEARN, ConvergenceMonitor, GaussianHMM, fit_each, score_matrix
from kinseq.hmm import estimator as estimator_module
from kinseq.models.hmm import fit_bank, viterbi
from kinseq.models.hmm.presets import FramePrior
from tests.sentences import Recorded

from .models.hmm_reference import agree, log_densities, random_bank, sequences

KINDS = ("spherical", "diag", "full", "tied")


@pytest.fixture(autouse=True)
def one_thread():
    """Threads of linear algebra cost hmmlearn seconds on matrices of three rows."""
    with threadpool_limits(limits=1):
        yield


FLAT = {"startprob_prior": 1.0, "transmat_prior": 1.0, "covars_prior": 0.0}
"""Priors of maximum likelihood."""


def log_probability(bank, x, path):
    """Log p(path, x), written out."""
    b = log_densities(x, bank.means[0], bank.covars[0])
    with np.errstate(divide="ignore"):
        start, trans = np.log(bank.startprob[0]), np.log(bank.transmat[0])
    steps = sum(trans[i, j] for i, j in itertools.pairwise(path))
    return float(start[path[0]] + steps + sum(b[t, j] for t, j in enumerate(path)))


def plain_viterbi(bank, x):
    """The recursion without lanes, blocks or anything taken out."""
    b = log_densities(x, bank.means[0], bank.covars[0])
    start, trans = np.log(bank.startprob[0]), np.log(bank.transmat[0])
    delta, back = start + b[0], []
    for row in b[1:]:
        reached = delta[:, None] + trans
        back.append(reached.argmax(axis=0))
        delta = reached.max(axis=0) + row
    path = [int(delta.argmax())]
    for origin in reversed(back):
        path.append(int(origin[path[-1]]))
    return float(delta.max()), path[::-1]


@pytest.mark.parametrize("k, d, full", [(2, 1, False), (3, 2, True), (1, 2, False), (4, 3, False)])
def test_paths_are_the_best_of_all(k, d, full):
    rng = np.random.default_rng(10 * k + d)
    bank, xs = random_bank(rng, 1, k, d, full), sequences(rng, 7, d, 1, 5)
    loglik, paths = viterbi(bank, xs)
    for x, reached, path in zip(xs, loglik, paths, strict=True):
        everything = {way: log_probability(bank, x, way) for way in itertools.product(range(k), repeat=len(x))}
        best = max(everything, key=lambda way: everything[way])
        assert tuple(path) == best
        agree(reached, everything[best], 1e-13)


@pytest.mark.parametrize("k, n", [(3, 600), (20, 300), (33, 257)])
def test_long_paths_and_many_states(k, n):
    """Frames beyond one block, and states beyond one group of lanes, on any number of threads."""
    rng = np.random.default_rng(k)
    bank, xs = random_bank(rng, 1, k, 2, spread=0.4), [rng.normal(size=(length, 2)) for length in (n, 1, 40, 256)]
    loglik, paths = viterbi(bank, xs)
    for x, reached, path in zip(xs, loglik, paths, strict=True):
        expected, way = plain_viterbi(bank, x)
        assert path.tolist() == way
        agree(reached, expected, 1e-12)
    again, others = viterbi(bank, xs, n_jobs=3)
    np.testing.assert_array_equal(loglik, again)
    np.testing.assert_array_equal(np.concatenate(paths), np.concatenate(others))


def test_forbidden_transitions_and_ties():
    bank = random_bank(np.random.default_rng(0), 1, 3, 1)
    bank.startprob[0], bank.transmat[0] = [1, 0, 0], [[0.5, 0.5, 0], [0, 0.5, 0.5], [0, 0, 1]]
    bank.means[0, :, 0], bank.covars[0] = [0.0, 1.0, 2.0], 1.0
    # The last frame wants state 0 by 1e6 nats, which may not be entered again.
    x = np.array([[0.0], [2.0], [2.0], [-1e6]])
    (reached,), (path,) = viterbi(bank, [x])
    ways = {way: log_probability(bank, x, way) for way in itertools.product(range(3), repeat=4)}
    assert tuple(path) == max(ways, key=lambda way: ways[way])
    assert np.isfinite(reached)
    bank.means[:], bank.startprob[:], bank.transmat[:] = 0.0, 1 / 3, 1 / 3
    assert viterbi(bank, [np.zeros((300, 1))])[1][0].tolist() == [0] * 300


# ---------------------------------------------------------------------------------------------------------------------
# hmmlearn
# ---------------------------------------------------------------------------------------------------------------------


def walks():
    rng = np.random.default_rng(1)
    return [0.3 * np.cumsum(rng.normal(size=(n, 3)), axis=0) for n in (40, 70, 1, 55)]


def start(kind, k=4, d=3):
    rng = np.random.default_rng(2)
    bank = random_bank(rng, 1, k, d, full=kind in ("full", "tied"))
    covars = {"spherical": bank.covars[0, :, 0], "tied": bank.covars[0, 0]}.get(kind, bank.covars[0])
    return {"startprob_": bank.startprob[0], "transmat_": bank.transmat[0], "means_": bank.means[0], "covars_": covars}


def begun(which, kind, **options):
    model = which(4, kind, init_params="", **options)
    for name, value in start(kind).items():
        setattr(model, name, value)
    return model


SHAPED = np.random.default_rng(3)
PRIORS = {
    "flat": {},
    "numbers": {
        "startprob_prior": 2.0,
        "transmat_prior": 1.5,
        "means_prior": 0.3,
        "means_weight": 2.0,
        "covars_prior": 0.2,
        "covars_weight": 7.0,
    },
    "arrays": {
        "startprob_prior": SHAPED.uniform(0.5, 3.0, 4),
        "transmat_prior": SHAPED.uniform(0.5, 3.0, (4, 4)),
        "means_prior": SHAPED.normal(size=(4, 3)),
        "means_weight": 1.0,
    },
    "columns": {"transmat_prior": SHAPED.uniform(0.5, 3.0, 4)},
}


def both(kind, **changed):
    peer = pytest.importorskip("hmmlearn.hmm").GaussianHMM
    options = {**HMMLEARN, "tol": -np.inf, "n_iter": 6, **changed}
    theirs = {name: value for name, value in options.items() if name != "n_init"}
    return begun(GaussianHMM, kind, **options), begun(peer, kind, **theirs)


@pytest.mark.parametrize("kind", KINDS)
def test_likelihoods_posteriors_and_paths_of_hmmlearn(kind):
    ours, theirs = both(kind)
    xs = walks()
    X, lengths = np.concatenate(xs), [len(x) for x in xs]
    agree(ours.score(X, lengths), theirs.score(X, lengths), 1e-12)
    agree(ours.score_samples(X, lengths)[0], theirs.score(X, lengths), 1e-12)
    agree(ours.predict_proba(X, lengths), theirs.predict_proba(X, lengths), 1e-12)
    for algorithm in ("viterbi", "map"):
        reached, states = ours.decode(X, lengths, algorithm)
        expected, path = theirs.decode(X, lengths, algorithm=algorithm)
        np.testing.assert_array_equal(states, path)
        agree(reached, expected, 1e-12)
    agree(ours.aic(X, lengths), theirs.aic(X, lengths), 1e-12)
    agree(ours.bic(X, lengths), theirs.bic(X, lengths), 1e-12)
    agree(ours.covars_, theirs.covars_, 0.0)
    agree(ours.get_stationary_distribution(), theirs.get_stationary_distribution(), 1e-12)


@pytest.mark.filterwarnings("ignore::kinseq.core.errors.KinseqWarning")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("priors, params", [*((name, "stmc") for name in PRIORS), ("numbers", "mc"), ("flat", "st")])
def test_fits_of_hmmlearn(kind, priors, params):
    ours, theirs = both(kind, params=params, **PRIORS[priors])
    xs = walks()
    ours.fit(xs)
    theirs.fit(np.concatenate(xs), [len(x) for x in xs])
    for name in ("startprob_", "transmat_", "means_"):
        agree(getattr(ours, name), getattr(theirs, name), 1e-10)
    # hmmlearn keeps a spherical model as (K, d) after a fit, and returns K d matrices.
    kept = theirs._covars_
    columns = kept[:, :, None] * np.eye(3) if kept.ndim == 2 and kind != "tied" else theirs.covars_
    agree(ours.covars_, [c * np.eye(3) for c in kept] if kept.ndim == 1 else columns, 1e-10)
    agree(ours.monitor_.history, theirs.monitor_.history, 1e-12)
    assert ours.monitor_.iter == theirs.monitor_.iter
    # If the iterations run out, hmmlearn reports convergence.
    assert not ours.monitor_.converged


def test_a_fit_ends_where_that_of_hmmlearn_ends():
    ours, theirs = both("diag", tol=0.5, n_iter=100)
    X = np.concatenate(walks())
    assert ours.fit(X).monitor_.iter == theirs.fit(X).monitor_.iter < 100
    agree(ours.means_, theirs.means_, 1e-9)


# ---------------------------------------------------------------------------------------------------------------------
# Closed forms and invariances
# ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_one_state_is_a_gaussian(kind):
    xs = walks()
    X = np.concatenate(xs)
    model = GaussianHMM(1, kind, random_state=0, **FLAT).fit(xs)
    cov = np.cov(X.T, bias=True)
    expected = {"spherical": np.trace(cov) / 3 * np.eye(3), "diag": np.diag(np.diag(cov))}.get(kind, cov)
    agree(model.means_[0], X.mean(axis=0), 1e-12)
    agree(model.covars_[0], expected, 1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_priors_by_state(kind):
    """K numbers are one for each state, as many as there may be features."""
    xs = [np.hstack([x, x[:, :1] ** 2]) for x in walks()]
    rows = np.array([1.0, -2.0, 3.0, 0.5])
    models = []
    for values in (rows, np.repeat(rows[:, None], 4, axis=1)):
        of_covars = np.abs(values) if kind in ("spherical", "diag") else 0.0
        options = {"means_prior": values, "means_weight": 3.0, "covars_prior": of_covars, "n_iter": 4, "n_init": 1}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            models.append(GaussianHMM(4, kind, random_state=0, **options).fit(xs))
    agree(models[0].means_, models[1].means_, 0.0)
    agree(models[0].covars_, models[1].covars_, 0.0)


@pytest.mark.parametrize("kind", KINDS)
def test_covariances_about_means_that_are_kept(kind):
    """Where hmmlearn forgets the visits."""
    X = np.concatenate(walks())
    model = GaussianHMM(1, kind, params="c", init_params="stc", random_state=0, **FLAT)
    model.means_ = [[1.0, -2.0, 0.5]]
    gap = X - [1.0, -2.0, 0.5]
    squares = gap.T @ gap / len(X)
    expected = {"spherical": np.trace(squares) / 3 * np.eye(3), "diag": np.diag(np.diag(squares))}.get(kind, squares)
    agree(model.fit(X).covars_[0], expected, 1e-12)
    agree(model.means_, [[1.0, -2.0, 0.5]], 0.0)


@pytest.mark.parametrize("kind", KINDS)
def test_the_likelihood_never_falls(kind):
    model = GaussianHMM(3, kind, n_iter=30, tol=-np.inf, n_init=1, random_state=0, **FLAT)
    with warnings.catch_warnings():
        warnings.simplefilter("error", KinseqWarning)
        history = np.array(model.fit(walks()).monitor_.history)
    assert len(history) == 30
    assert history[-1] > history[0] + 1.0


def test_neither_units_nor_offsets_nor_order_nor_threads_matter():
    xs = walks()
    model = GaussianHMM(3, "full", random_state=5)
    states = [model.fit(xs).predict(x) for x in xs]
    fitted = model.means_
    for change in (lambda x: 2.0**-20 * x, lambda x: x + 2.0**20):
        again = clone(model).fit([change(x) for x in xs])
        for x, path in zip(xs, states, strict=True):
            np.testing.assert_array_equal(again.predict(change(x)), path)
        np.testing.assert_allclose(again.means_, change(fitted), rtol=1e-7)
    np.testing.assert_array_equal(clone(model).fit(xs[::-1]).means_, fitted)
    np.testing.assert_array_equal(clone(model).set_params(n_jobs=3).fit(xs).means_, fitted)


def test_the_three_forms_are_one():
    xs = walks()
    X, lengths = np.concatenate(xs), [len(x) for x in xs]
    models = [
        GaussianHMM(2, random_state=0).fit(*given)
        for given in ((X, lengths), (xs,), (kinseq.SequenceSet.from_arrays(xs),))
    ]
    for model in models[1:]:
        np.testing.assert_array_equal(model.means_, models[0].means_)
    assert models[0].score(xs) == models[0].score(X, lengths) != models[0].score(X)
    assert models[0].n_features_in_ == 3
    np.testing.assert_array_equal(models[0].predict(xs), models[0].predict(X, lengths))


def test_zeros_stay_and_states_that_nobody_visits_keep_what_they_have():
    xs = walks()
    model = GaussianHMM(3, "full", init_params="", n_iter=5, tol=-np.inf, **FLAT)
    model.startprob_, model.transmat_ = [1, 0, 0], [[0.9, 0.1, 0], [0, 1, 0], [0, 0.5, 0.5]]
    model.means_, model.covars_ = [[0] * 3, [1] * 3, [7] * 3], [np.eye(3)] * 3
    model.fit(xs)
    assert (model.transmat_ == 0.0).tolist() == [[False, False, True], [True, False, True], [True, False, False]]
    assert model.startprob_.tolist() == [1, 0, 0]
    assert model.means_[2].tolist() == [7] * 3
    assert model.transmat_[2].tolist() == [0, 0.5, 0.5]
    assert (model.covars_[2] == np.eye(3)).all()
    assert not (model.covars_[1] == np.eye(3)).all()


def test_constant_and_dependent_columns_can_be_fitted():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(60, 1))
    X = np.hstack([x, 2 * x, np.full_like(x, 715.0)])
    for kind in KINDS:
        assert np.isfinite(GaussianHMM(2, kind, random_state=0).fit(X).score(X))


# ---------------------------------------------------------------------------------------------------------------------
# Samples
# ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_samples_follow_the_model(kind):
    model = begun(GaussianHMM, kind, random_state=1)
    X, states = model.sample(40_000)
    assert X.shape == (40_000, 3)
    for i in range(4):
        left = states[1:][states[:-1] == i]
        share = np.bincount(left, minlength=4) / len(left)
        np.testing.assert_allclose(share, model.transmat_[i], atol=5 * np.sqrt(0.25 / len(left)))
        frames = X[states == i]
        deviation = np.sqrt(np.diagonal(model.covars_[i]))
        assert (np.abs(frames.mean(axis=0) - model.means_[i]) < 5 * deviation / np.sqrt(len(frames))).all()
        errors = 5 * np.outer(deviation, deviation) * np.sqrt(2 / len(frames))
        assert (np.abs(np.cov(frames.T) - model.covars_[i]) < errors).all()


def test_samples_repeat_and_go_on():
    model = begun(GaussianHMM, "diag", random_state=1)
    np.testing.assert_array_equal(model.sample(5)[0], model.sample(5)[0])
    assert not np.array_equal(model.sample(5)[0], model.sample(5, random_state=2)[0])
    assert [model.sample(1, currstate=i)[1][0] for i in range(4)] == [0, 1, 2, 3]
    drawn = np.random.RandomState(0)
    assert not np.array_equal(model.sample(5, random_state=drawn)[0], model.sample(5, random_state=drawn)[0])
    firsts = np.bincount([model.sample(1, random_state=seed)[1][0] for seed in range(2000)], minlength=4)
    np.testing.assert_allclose(firsts / 2000, model.startprob_, atol=5 * np.sqrt(0.25 / 2000))


# ---------------------------------------------------------------------------------------------------------------------
# The conventions
# ---------------------------------------------------------------------------------------------------------------------


def test_parameters_are_explicit():
    model = GaussianHMM(3, "tied", means_weight=2.0)
    assert clone(model).get_params() == model.get_params()
    assert model.set_params(n_iter=7).n_iter == 7
    assert set(vars(GaussianHMM())) == set(GaussianHMM().get_params())
    assert set(HMMLEARN) <= set(model.get_params())


def test_defaults_of_hmmlearn_are_theirs():
    peer = pytest.importorskip("hmmlearn.hmm").GaussianHMM
    theirs = peer().get_params()
    assert {name: theirs[name] for name in HMMLEARN if name != "n_init"} == {
        name: value for name, value in HMMLEARN.items() if name != "n_init"
    }
    ours, same = GaussianHMM().get_params(), set(theirs) - set(HMMLEARN) - {"implementation"}
    assert same < set(ours)
    assert {name for name in same if ours[name] != theirs[name]} == set()


@pytest.mark.parametrize("method", ["score", "score_samples", "decode", "predict", "predict_proba", "aic", "bic"])
def test_nothing_without_a_fit(method):
    with pytest.raises(NotFittedError):
        getattr(GaussianHMM(2), method)(np.zeros((4, 1)))
    with pytest.raises(NotFittedError):
        GaussianHMM(2).sample()
    assert not hasattr(GaussianHMM(2), "covars_")


@pytest.mark.parametrize("kind", ["diag", "full"])
def test_models_of_each_sequence_do_not_depend_on_units(kind):
    rng = np.random.default_rng(0)
    time = np.arange(60)[:, None]
    xs = [np.sin(2 * np.pi * time / (4 + 12 * (i % 2))) + rng.normal(0.0, 0.3, (60, 2)) for i in range(6)]

    def scores(unit, shift):
        moved = [unit * x + shift for x in xs]
        return score_matrix(fit_each(moved, 2, kind), moved) + np.log(unit) * 120

    plain = scores(1.0, 0.0)
    for unit, shift in ((1.0, 1e-9), (1e-6, 0.0), (1e6, 0.0), (1.0, 100.0)):
        np.testing.assert_allclose(scores(unit, shift), plain, atol=1e-4)


def test_a_model_survives_a_pickle():
    xs = walks()
    model = GaussianHMM(2, "tied", random_state=0).fit(xs)
    again = pickle.loads(pickle.dumps(model))
    assert again.score(xs) == model.score(xs)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        again.fit(xs)
    np.testing.assert_array_equal(again.means_, model.means_)


def test_read_only_arrays_compile_nothing_anew():
    """As joblib maps large arrays into its processes, and as a model comes out of such a process."""
    x = np.random.default_rng(0).normal(size=(40, 2))
    model = GaussianHMM(2, random_state=0).fit(x)
    score, path = model.score(x), model.predict(x)
    kernels = {
        id(entry): entry
        for name, module in list(sys.modules.items())
        if name.startswith("kinseq.models.hmm")
        for entry in vars(module).values()
        if isinstance(entry, Dispatcher)
    }
    compiled = {key: len(kernel.signatures) for key, kernel in kernels.items()}
    assert sum(compiled.values()) > 0
    x.flags.writeable = False
    again = GaussianHMM(2, random_state=0).fit(x)
    for name in ("startprob_", "transmat_", "means_", "covars_"):
        getattr(again, name).flags.writeable = False
    assert again.score(x) == score
    assert (again.predict(x) == path).all()
    assert {key: len(kernel.signatures) for key, kernel in kernels.items()} == compiled


@pytest.mark.parametrize("kind", KINDS)
def test_covariances_can_be_set_as_they_are_given(kind):
    model = begun(GaussianHMM, kind)
    given = model.covars_
    assert given.shape == (4, 3, 3)
    model.covars_ = given
    np.testing.assert_array_equal(model.covars_, given)


def test_what_is_warned_of():
    model = GaussianHMM(2, random_state=0)
    model.means_ = [[0.0], [1.0]]
    with pytest.warns(KinseqWarning, match=r"means_ .*overwritten.*'m'"):
        model.fit(np.arange(20.0)[:, None])
    with pytest.warns(KinseqWarning, match=r"23 numbers .*12 of X"):
        GaussianHMM(3, "spherical", random_state=0, n_iter=1).fit(
            np.random.default_rng(0).normal(size=(2, 6)).reshape(3, 4), [2, 1]
        )


def test_the_monitor(capsys, recorded: Recorded):
    class Above(ConvergenceMonitor):
        @property
        def converged(self):
            return self.history[-1] > self.tol

    xs = walks()
    model = begun(GaussianHMM, "diag", n_iter=50, tol=-np.inf, verbose=True)
    model.fit(xs)
    history = list(model.monitor_.history)
    told = capsys.readouterr()
    assert (len(history), len(told.err.splitlines()), told.out) == (50, 50, "")
    other = begun(GaussianHMM, "diag", n_iter=50)
    other.monitor_ = Above(history[3] - 1e-6, 50)
    assert other.fit(xs).monitor_.iter == 4
    assert type(other.monitor_) is Above
    monitor = ConvergenceMonitor(0.1, 9)
    monitor.report(-10.0)
    with recorded.warns(KinseqWarning):
        monitor.report(-11.0)
    assert monitor.converged


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", estimator_module.PRIORS)
def test_priors_of_the_covariance_of_one_state(monkeypatch, kind, name):
    monkeypatch.setattr(estimator_module, "PRIORS", (name,))
    xs = walks()
    X = np.concatenate(xs)
    n, d = X.shape
    model = GaussianHMM(1, kind, random_state=0).fit(xs)
    squares, pooled = (X - X.mean(axis=0)).T @ (X - X.mean(axis=0)), np.diag(X.var(axis=0))
    if name in ("pooled", "broad"):
        expected = (squares + {"pooled": 0.5, "broad": 2.0}[name] * pooled) / (n + 1)
    else:
        # Frames of the covariance within states, here of all frames, and frames of half the pooled variances in it.
        of_kind = {"spherical": (4, 1), "diag": (4, 1), "full": (2 * d, d), "tied": (0, d)}[kind]
        frames, own = (0.1, 0.1) if name == "weak" else of_kind
        within = (squares + own * 0.5 * pooled) / (n - 1 + own)
        expected = within if kind == "tied" else (squares + frames * within) / (n + frames)
    if kind == "spherical":
        expected = np.trace(expected) / d * np.eye(d)
    elif kind == "diag":
        expected = np.diag(np.diag(expected))
    agree(model.covars_[0], expected, 1e-9)
    assert model.prior_ == name


def test_the_prior_follows_from_how_much_is_known():
    random = np.random.default_rng(3)
    # Within states two features are nearly one, and there are many frames of each.
    states = random.integers(3, size=(40, 100))
    along = random.normal(size=(40, 100, 1)) * [1.0, 1.0]
    plenty = 5.0 * np.eye(3)[:, :2][states] + along + random.normal(scale=1e-3, size=(40, 100, 2))
    assert GaussianHMM(3, "full", random_state=0).fit(plenty).prior_ == "weak"
    few = random.normal(size=(6, 12, 8))
    assert GaussianHMM(6, "full", random_state=0).fit(few).prior_ in ("strong", "broad")
    assert GaussianHMM(6, "full", random_state=0).fit(few[:, :, :1]).prior_ in estimator_module.PRIORS
    assert GaussianHMM(5, random_state=0).fit(few[0, :8]).prior_ == "pooled"
    assert GaussianHMM(2, **HMMLEARN).fit(few).prior_ == "given"


def test_models_of_single_sequences_have_the_same_priors():
    xs = [x for x in walks() if len(x) > 4]
    for kind in ("diag", "full"):
        for x, model in zip(xs, fit_each(xs, 1, kind), strict=True):
            expected = (np.cov(x.T, bias=True) * len(x) + 0.5 * np.diag(x.var(axis=0))) / (len(x) + 1)
            agree(model.covars_[0], np.diag(np.diag(expected)) if kind == "diag" else expected, 1e-9)
    assert min(model.transmat_.min() for model in fit_each(xs, 4)) > 0.0
    with pytest.warns(ConvergenceWarning, match="n_iter=2"):
        models = fit_each(xs, 4, n_iter=2)
    assert not all(model.monitor_.converged for model in models)


def test_the_first_rows_are_drawn_by_the_law_of_hmmlearn():
    xs = walks()
    for concentration, expected in ((None, 0.65), (1.0, 0.18)):
        rows = [
            GaussianHMM(20, n_iter=0, n_init=1, random_state=seed, start_concentration=concentration).fit(xs).transmat_
            for seed in range(10)
        ]
        assert abs(np.max(rows, axis=2).mean() - expected) < 0.04


def test_iterations_that_run_out_are_a_warning():
    with pytest.warns(ConvergenceWarning, match="n_iter=2"):
        model = GaussianHMM(3, n_iter=2, random_state=0).fit(walks())
    assert not model.monitor_.converged


def test_the_best_of_several_starts_is_kept():
    xs = walks()
    each = [GaussianHMM(4, random_state=0, n_init=n).fit(xs).monitor_.history[-1] for n in (1, 2, 4)]
    assert each == sorted(each)
    assert each[0] < each[-1]


# ---------------------------------------------------------------------------------------------------------------------
# Many at once
# ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["diag", "full"])
def test_one_model_each(kind):
    xs = [x for x in walks() if len(x) > 1]
    models = fit_each(xs, 2, kind, random_state=3)
    # Those of sequences in units of their own deviations, transformed back.
    units = [(x.mean(axis=0), x.std(axis=0)) for x in xs]
    standard = SequenceSet.from_arrays([(x - mean) / unit for x, (mean, unit) in zip(xs, units, strict=True)])
    bank = fit_bank(replace(standard, rounding=1e-6), 2, kind, random_state=3, prior=FramePrior(1.0, 0.5, 0.3))
    for m, (model, (mean, unit)) in enumerate(zip(models, units, strict=True)):
        np.testing.assert_allclose(model.means_, bank.means[m] * unit + mean, rtol=1e-9)
        loglik = bank.loglik[m] - len(xs[m]) * np.log(unit).sum()
        assert model.monitor_.history[-1] == pytest.approx(loglik, rel=1e-9)
        assert model.score(xs[m]) == pytest.approx(loglik, rel=1e-9)
        assert model.monitor_.converged == bank.converged[m]
        assert model.predict(xs[m]).shape == (len(xs[m]),)
    scores = score_matrix(models, xs)
    np.testing.assert_allclose(scores, [[model.score(x) for x in xs] for model in models], rtol=1e-9)


def test_scores_of_models_of_several_kinds():
    xs = walks()
    models = [begun(GaussianHMM, kind) for kind in KINDS]
    models.insert(1, GaussianHMM(2, random_state=0).fit(xs))
    agree(score_matrix(models, xs), [[model.score(x) for x in xs] for model in models], 1e-13)
    assert score_matrix([], xs).shape == (0, 4)


@pytest.mark.parametrize("module", ["estimator", "many"])
def test_examples_of_the_docstrings(module):
    found = doctest.testmod(importlib.import_module(f"kinseq.hmm.{module}"))
    assert found.attempted > 3
    assert found.failed == 0


# ---------------------------------------------------------------------------------------------------------------------
# Checks of scikit-learn
# ---------------------------------------------------------------------------------------------------------------------

OF_HMMLEARN = {
    "check_methods_sample_order_invariance": "score_samples returns a likelihood and posteriors, as in hmmlearn",
    "check_methods_subset_invariance": "frames are no samples that could be taken one by one: what comes before and after counts",
}


@parametrize_with_checks([GaussianHMM(n_components=2)], expected_failed_checks=lambda estimator: OF_HMMLEARN)
@pytest.mark.filterwarnings("ignore")
def test_checks_of_scikit_learn(estimator, check):
    check(estimator)


def test_the_second_argument_is_lengths_unless_it_can_be_none(recorded: Recorded):
    xs = sequences(np.random.default_rng(8), 3, 2, 20, 30)
    X, lengths = np.concatenate(xs), [len(x) for x in xs]
    by_name = GaussianHMM(2, random_state=0).fit(X, lengths=lengths)
    by_place = GaussianHMM(2, random_state=0).fit(X, lengths)
    assert by_place.score(X, lengths) == by_name.score(X, lengths=lengths) != by_name.score(X)
    for targets in (np.arange(len(X)) % 2, np.full(len(X), "a"), np.linspace(0.0, 1.0, len(X))):
        assert GaussianHMM(2, random_state=0).fit(X, targets).score(X, targets) == by_name_of_one(X)
    with recorded.raises(kinseq.KinseqError):
        GaussianHMM(2).fit(X, [3, 4])
    # As many lengths as frames are lengths where all are 1.
    assert GaussianHMM(2, n_iter=1, random_state=0).fit(X, np.ones(len(X), dtype=int)).score(X[:3], [1, 1, 1]) < 0


def by_name_of_one(X):
    return GaussianHMM(2, random_state=0).fit(X).score(X)
