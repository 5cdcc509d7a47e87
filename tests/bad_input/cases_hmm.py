"""Bad input to the estimator of hidden Markov models, and to what fits and scores many of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from kinseq.hmm import GaussianHMM, fit_each, score_matrix
from kinseq.models.hmm import fit_bank, viterbi

from .table import Case

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(30, 2))
XS = [X[:10], X[10:]]


def fitted(*given: Any, **options: Any) -> GaussianHMM:
    """A small fit."""
    return GaussianHMM(**{"n_components": 2, "random_state": 0, "n_iter": 2, "n_init": 1, **options}).fit(
        *(given or (X,))
    )


def made(**changed: Any) -> GaussianHMM:
    """A model whose parameters are set, one of them wrongly."""
    right = {
        "startprob_": [0.5, 0.5],
        "transmat_": [[0.5, 0.5], [0.5, 0.5]],
        "means_": [[0.0, 0.0], [1.0, 1.0]],
        "covars_": np.ones((2, 2)),
    }
    model = GaussianHMM(2)
    for name, value in {**right, **changed}.items():
        setattr(model, name, value)
    return model


def refused(name: str, call: Callable[[], Any], says: str) -> Case:
    """A row that needs no folder and is refused."""
    return Case(f"hmm: {name}", lambda _: call(), says=says)


def scores(**changed: Any) -> Callable[[], Any]:
    """What a model that is set so makes of the frames."""
    return lambda: made(**changed).score(X)


CASES: tuple[Case, ...] = (
    refused("no states", lambda: fitted(n_components=0), r"n_components is 0, expected a whole number of at least 1"),
    refused("a kind of covariance", lambda: fitted(covariance_type="diagonal"), r"unknown covariance_type.*mean 'diag'"),
    refused("a letter", lambda: fitted(params="stmw"), r"params is 'stmw', expected some of the letters 'stmc'"),
    refused("letters in a list", lambda: fitted(init_params=["s"]), r"init_params is \['s'\]"),
    refused("an algorithm", lambda: fitted().decode(X, algorithm="best"), r"unknown algorithm 'best'.*map, viterbi"),
    refused("a tolerance", lambda: fitted(tol="small"), r"tol is 'small'"),
    refused("iterations", lambda: fitted(n_iter=-1), r"n_iter is -1"),
    refused("starts", lambda: fitted(n_init=0), r"n_init is 0"),
    refused("verbose", lambda: fitted(verbose="yes"), r"verbose is 'yes', expected True or False"),
    refused("threads", lambda: fitted(n_jobs=0), r"n_jobs is 0"),
    refused("min_covar below 0", lambda: fitted(min_covar=-1.0), r"min_covar is -1.0, expected None or a number"),
    refused("random_state", lambda: fitted(random_state="a"), r"random_state is 'a'"),
    refused("a prior of another shape", lambda: fitted(transmat_prior=np.ones(3)), r"transmat_prior has shape \(3,\)"),
    refused("a prior below 0", lambda: fitted(startprob_prior=-1.0), r"startprob_prior holds a number below 0"),
    refused("a prior of NaN", lambda: fitted(means_prior=np.nan), r"means_prior: holds NaN"),
    refused("lengths of others", lambda: fitted(X, [10, 10]), r"lengths sum to 20 but X has 30 frames"),
    refused("no lengths", lambda: fitted(X, []), r"lengths sum to 0 but X has 30 frames"),
    refused("half a length", lambda: fitted(X, [0.5, 29.5]), r"lengths: holds 0.5.*whole numbers"),
    refused("an empty sequence", lambda: fitted(X, [0, 30]), r"is empty \(0 frames\)"),
    refused("a length below 0", lambda: fitted(X, [-10, 40]), r"offsets must rise"),
    refused("lengths of a list", lambda: fitted(XS, [10, 20]), r"several sequences were given; leave them out"),
    refused("too few frames", lambda: fitted(X[:3], n_components=4), r"X has 3 frames, fewer than n_components=4"),
    refused("NaN", lambda: fitted(np.full((9, 2), np.nan)), r"Input X contains NaN; remove or interpolate"),
    refused("infinity", lambda: made().score(np.full((9, 2), np.inf)), r"Input X contains infinity"),
    refused("one axis", lambda: fitted(np.arange(9.0)), r"Expected 2D array, got 1D array"),
    refused("NaN in a list", lambda: fitted([X, np.full((3, 2), np.nan)]), r"holds NaN at index \(0, 0\)"),
    refused("another number of features", lambda: fitted().score(X[:, :1]), r"X has 1 features, but GaussianHMM is expecting 2"),
    refused("another number in a list", lambda: fitted().predict([X[:, :1]]), r"X has 1 features.*expecting 2"),
    refused("a start of another length", scores(startprob_=[1.0]), r"startprob_ has shape \(1,\), expected \(K,\) with.*K=2"),
    refused("a start that is none", scores(startprob_=[0.5, 0.6]), r"startprob_ must hold probabilities.*1\.1"),
    refused("transitions below 0", scores(transmat_=[[1.5, -0.5], [0, 1]]), r"transmat_ must hold probabilities"),
    refused("transitions that are not square", scores(transmat_=np.ones((2, 3)) / 3), r"transmat_ has shape \(2, 3\)"),
    refused("means of one axis", scores(means_=[0.0, 1.0]), r"means_ has shape \(2,\), expected \(K, d\)"),
    refused("means of NaN", scores(means_=[[np.nan, 0], [0, 0]]), r"means_: holds NaN"),
    refused("covariances of others", scores(covars_=np.ones((2, 3))), r"shape \(2, 3\) but means_ \(2, 2\); expected \(K, d\)"),
    refused("one axis of covariances", lambda: made(covars_=[1.0, 1.0]), r"covars_ of covariance_type='diag' have shape \(2,\)"),
    refused("variances of 0", lambda: made(covars_=np.zeros((2, 2))), r"are not positive; give others"),
    refused("a sample of none", lambda: made().sample(0), r"n_samples is 0"),
    refused("a state that is none", lambda: made().sample(3, currstate=2), r"currstate is 2, expected a state from 0 to 1"),
    refused("each with tied", lambda: fit_each(XS, 2, "tied"), r"'tied'.*valid names: diag, full; fit a GaussianHMM"),
    refused("each, too short", lambda: fit_each([X, X[:1]], 2), r"'s00001' has 1 frames, fewer than n_states=2"),
    refused("scores of something else", lambda: score_matrix([1], XS), r"something else than GaussianHMM"),
    refused("scores of one model", lambda: score_matrix(made(), XS), r"give a list of them"),
    refused("paths of two models", lambda: viterbi(fit_bank(XS, 2), XS), r"paths are those of one model but the bank holds 2"),
    Case(
        "hmm: a list of lists of numbers is one sequence",
        lambda _: made().predict([[0.0, 0.0], [1.0, 1.0], [1.0, 1.0]]),
        gives=lambda states: states.shape == (3,),
    ),
    Case(
        "hmm: values that square beyond float64 are told",
        lambda _: fitted(X * 1e200),
        says=r"squares leave the range of float64",
    ),
)  # fmt: skip
