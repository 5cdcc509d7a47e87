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
    return GaussianHMM(**{"n_components": 2, "random_state": 0, "n_iter": 2, "tol": 1e9, "n_init": 1, **options}).fit(
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


def refused(name: str, call: Callable[[], Any]) -> Case:
    """A row that needs no folder and is refused."""
    return Case(f"hmm: {name}", lambda _: call())


def scores(**changed: Any) -> Callable[[], Any]:
    """Result of a model with these settings on the frames."""
    return lambda: made(**changed).score(X)


CASES: tuple[Case, ...] = (
    refused("no states", lambda: fitted(n_components=0)),
    refused("a kind of covariance", lambda: fitted(covariance_type="diagonal")),
    refused("a letter", lambda: fitted(params="stmw")),
    refused("letters in a list", lambda: fitted(init_params=["s"])),
    refused("an algorithm", lambda: fitted().decode(X, algorithm="best")),
    refused("a tolerance", lambda: fitted(tol="small")),
    refused("iterations", lambda: fitted(n_iter=-1)),
    refused("starts", lambda: fitted(n_init=0)),
    refused("verbose", lambda: fitted(verbose="yes")),
    refused("threads", lambda: fitted(n_jobs=0)),
    refused("min_covar below 0", lambda: fitted(min_covar=-1.0)),
    refused("random_state", lambda: fitted(random_state="a")),
    refused("a prior of another shape", lambda: fitted(transmat_prior=np.ones(3))),
    refused("a prior below 0", lambda: fitted(startprob_prior=-1.0)),
    refused("a prior of NaN", lambda: fitted(means_prior=np.nan)),
    refused("lengths of others", lambda: fitted(X, [10, 10])),
    refused("no lengths", lambda: fitted(X, [])),
    refused("half a length", lambda: fitted(X, [0.5, 29.5])),
    refused("an empty sequence", lambda: fitted(X, [0, 30])),
    refused("a length below 0", lambda: fitted(X, [-10, 40])),
    refused("lengths of a list", lambda: fitted(XS, [10, 20])),
    refused("too few frames", lambda: fitted(X[:3], n_components=4)),
    refused("NaN", lambda: fitted(np.full((9, 2), np.nan))),
    refused("infinity", lambda: made().score(np.full((9, 2), np.inf))),
    refused("one axis", lambda: fitted(np.arange(9.0))),
    refused("NaN in a list", lambda: fitted([X, np.full((3, 2), np.nan)])),
    refused("another number of features", lambda: fitted().score(X[:, :1])),
    refused("another number in a list", lambda: fitted().predict([X[:, :1]])),
    refused("a start of another length", scores(startprob_=[1.0])),
    refused("a start that is none", scores(startprob_=[0.5, 0.6])),
    refused("transitions below 0", scores(transmat_=[[1.5, -0.5], [0, 1]])),
    refused("transitions that are not square", scores(transmat_=np.ones((2, 3)) / 3)),
    refused("means of one axis", scores(means_=[0.0, 1.0])),
    refused("means of NaN", scores(means_=[[np.nan, 0], [0, 0]])),
    refused("covariances of others", scores(covars_=np.ones((2, 3)))),
    refused("one axis of covariances", lambda: made(covars_=[1.0, 1.0])),
    refused("variances of 0", lambda: made(covars_=np.zeros((2, 2)))),
    refused("a sample of none", lambda: made().sample(0)),
    refused("a state that is none", lambda: made().sample(3, currstate=2)),
    refused("each with tied", lambda: fit_each(XS, 2, "tied")),
    refused("each, too short", lambda: fit_each([X, X[:1]], 2)),
    refused("scores of something else", lambda: score_matrix([1], XS)),
    refused("scores of one model", lambda: score_matrix(made(), XS)),
    refused("paths of two models", lambda: viterbi(fit_bank(XS, 2), XS)),
    Case(
        "hmm: a list of lists of numbers is one sequence",
        lambda _: made().predict([[0.0, 0.0], [1.0, 1.0], [1.0, 1.0]]),
        gives=lambda states: states.shape == (3,),
    ),
    Case(
        "hmm: values that square beyond float64 are told",
        lambda _: fitted(X * 1e200)),
)  # fmt: skip
