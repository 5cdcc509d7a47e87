"""Kinds of models: Gaussians and mixtures against closed forms, and the contract that every kind keeps."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from scipy.special import logsumexp
from scipy.stats import multivariate_normal
from sklearn.mixture import GaussianMixture

from kinseq import measures
from kinseq.core.errors import ConfigError, DataError, ParameterError
from kinseq.core.seeds import derive_seed
from kinseq.core.sequences import SequenceSet
from kinseq.measures.likelihood import length_normalised
from kinseq.models.hmm import fit_bank, log_likelihood
from kinseq.models.kinds import registry as kinds
from kinseq_documents.stages import distances, loglik
from kinseq_documents.stages.models import fit_models
from kinseq_documents.tasks import Task

NAMES = [name for name in kinds.names() if "numbers" in kinds.get(name).accepts]


def sets(n: int = 5, d: int = 3, size: int = 30, seed: int = 0) -> SequenceSet:
    rng = np.random.default_rng(seed)
    return SequenceSet.from_arrays([rng.normal(i % 2, 1.0 + 0.2 * i, (size + i, d)) for i in range(n)])


def two_groups(size: int = 120, seed: int = 0) -> np.ndarray[Any, Any]:
    rng = np.random.default_rng(seed)
    covariance = np.array([[1.0, 0.6], [0.6, 2.0]])
    near = rng.multivariate_normal([0.0, 0.0], covariance, size)
    return np.concatenate([near, rng.multivariate_normal([12.0, -9.0], np.diag([0.5, 3.0]), size // 2)])


@pytest.mark.parametrize("name", NAMES)
def test_description(name: str) -> None:
    kind = kinds.get(name)
    assert kind.name == name
    assert kind.label
    assert kind.source
    assert list(kind.params) == list(kind.schema)
    assert not set(kind.params) & {*kinds.RESERVED, "model", "seed", "threads", "progress", "n_clusters"}
    json.dumps(dict(kind.params))
    kinds.check_entry(name, {"kind": name, **{k: v for k, v in kind.params.items() if v is not None}})


@pytest.mark.parametrize("name", NAMES)
def test_a_model_depends_on_its_own_sequence_only(name: str) -> None:
    kind, given = kinds.get(name), sets()
    bank = kind.fit(given, random_state=3)
    assert len(bank) == len(given)
    order = [4, 1, 3]
    for of_bank, expected in zip(
        kind.fit(given.subset(order), random_state=3, n_jobs=2).to_arrays().values(),
        bank.subset(order).to_arrays().values(),
        strict=True,
    ):
        if of_bank.ndim != 2 or of_bank.shape == expected.shape:
            np.testing.assert_array_equal(of_bank, expected)
    np.testing.assert_array_equal(kind.fit(given, random_state=3).means, bank.means)


@pytest.mark.parametrize("name", NAMES)
def test_unknown_parameters_are_refused_with_the_valid_ones(name: str) -> None:
    with pytest.raises(ParameterError, match="no_such") as error:
        kinds.get(name).fit(sets(), no_such=1)
    assert all(param in str(error.value) for param in kinds.params_of(name))


def test_a_gaussian_has_the_moments_of_its_set() -> None:
    given = sets(d=2)
    bank = kinds.get("gaussian").fit(given, floor=1e-9)
    for i, vectors in enumerate(given):
        np.testing.assert_allclose(bank.means[i, 0], vectors.mean(axis=0), rtol=0, atol=1e-12)
        np.testing.assert_allclose(bank.covars[i, 0], np.cov(vectors.T, bias=True), rtol=1e-10)


def test_likelihoods_of_gaussians_are_those_of_the_density() -> None:
    given = sets()
    bank = kinds.get("gaussian").fit(given)
    expected = [
        [multivariate_normal(bank.means[m, 0], bank.covars[m, 0]).logpdf(x).sum() for x in given] for m in range(5)
    ]
    np.testing.assert_allclose(log_likelihood(bank, given), expected, rtol=1e-10)


def test_likelihoods_of_mixtures_are_those_of_the_density() -> None:
    given = sets()
    bank = kinds.get("gmm").fit(given, n_components=3)
    weights = bank.startprob
    expected = np.zeros((5, 5))
    for m in range(5):
        for i, x in enumerate(given):
            parts = [multivariate_normal(bank.means[m, c], bank.covars[m, c]).logpdf(x) for c in range(3)]
            expected[m, i] = logsumexp(np.array(parts) + np.log(weights[m])[:, None], axis=0).sum()
    np.testing.assert_allclose(log_likelihood(bank, given), expected, rtol=1e-10)
    # The recorded likelihood of EM is that of the returned mixture.
    np.testing.assert_allclose(bank.trace[:, -1], np.diag(expected), rtol=1e-10)


def test_a_mixture_is_where_another_em_ends() -> None:
    x = two_groups()
    bank = kinds.get("gmm").fit([x], tol=1e-10, max_iter=500, floor=1e-9)
    other = GaussianMixture(2, tol=1e-10, max_iter=500, reg_covar=0.0, n_init=3, random_state=0).fit(x)
    assert log_likelihood(bank, [x])[0, 0] == pytest.approx(other.score(x) * len(x), rel=1e-8)
    ours, theirs = np.argsort(bank.startprob[0]), np.argsort(other.weights_)
    np.testing.assert_allclose(bank.startprob[0][ours], other.weights_[theirs], rtol=1e-4)
    np.testing.assert_allclose(bank.means[0][ours], other.means_[theirs], atol=1e-3)
    np.testing.assert_allclose(bank.covars[0][ours], other.covariances_[theirs], atol=1e-2)


@pytest.mark.parametrize("name", ["gaussian", "gmm"])
def test_the_order_of_the_vectors_plays_no_part(name: str) -> None:
    x = two_groups(40)
    mixed = np.random.default_rng(5).permutation(x)
    one, other = (kinds.get(name).fit([given], random_state=2) for given in (x, mixed))
    np.testing.assert_allclose(other.means, one.means, atol=1e-12)
    np.testing.assert_allclose(log_likelihood(other, [x]), log_likelihood(one, [mixed]), rtol=1e-12)


@pytest.mark.parametrize("name", ["gaussian", "gmm"])
def test_fewer_vectors_than_features(name: str) -> None:
    given = SequenceSet.from_arrays(list(np.random.default_rng(0).normal(size=(6, 7, 12))))
    bank = kinds.get(name).fit(given)
    assert (np.linalg.eigvalsh(bank.covars) > 0).all()
    assert np.isfinite(log_likelihood(bank, given)).all()
    distance = measures.compute("kl_ll", given, model=name)
    assert np.isfinite(distance).all()


def test_the_floor_is_relative_to_the_pool() -> None:
    # One set is a point in the second column; its floor comes from its own first column, or from all sets.
    rng = np.random.default_rng(0)
    given = SequenceSet.from_arrays(
        [np.column_stack([rng.normal(size=50), np.zeros(50)]), rng.normal(scale=100.0, size=(50, 2))]
    )
    for name in ("gaussian", "gmm"):
        own, pooled = (
            kinds.get(name).fit(given, pool=pool, floor=1e-2).covars[0, 0, 1, 1] for pool in ("sequence", "all")
        )
        assert own < 1.0 < pooled, name


def test_a_measure_runs_on_every_kind_of_model() -> None:
    given = sets(8)
    for name in NAMES:
        bank = kinds.get(name).fit(given, random_state=derive_seed(4, "fit"))
        matrix = length_normalised(log_likelihood(bank, given), given.lengths)
        expected = measures.likelihood.yy(matrix)
        np.testing.assert_allclose(measures.compute("yy", given, random_state=4, model=name), expected, rtol=1e-12)
    one_state = fit_bank(given, 1)
    np.testing.assert_allclose(
        measures.compute("yy", given, model="gaussian"),
        measures.likelihood.yy(length_normalised(log_likelihood(one_state, given), given.lengths)),
        rtol=1e-9,
        atol=1e-9,
    )


def test_the_stages_fit_and_score_any_kind() -> None:
    given, tasks = sets(8), [Task("all", np.arange(8), 2), Task("some", np.array([6, 1, 4]), 2)]
    specs = {"gauss1": {"kind": "gaussian", "label": "x"}, "gmm3": {"kind": "gmm", "n_components": 3}}
    banks = fit_models(given, tasks, specs, [0], seed=1)
    fitted = {"loglik": loglik.log_likelihoods(given, tasks, banks)}
    asked = {"kl": {"measure": "kl_ll", "models": list(specs)}}
    found = {(d.model, d.task.name): d.matrix for d in distances.distances(given, tasks, asked, [0], 1, fitted)}
    assert set(found) == {(model, task) for model in specs for task in ("all", "some")}
    # A Gaussian has no random start, so that the seeds of workflow and library do not matter.
    np.testing.assert_allclose(found["gauss1", "all"], measures.compute("kl_ll", given, model="gaussian"), rtol=1e-12)
    part = measures.compute("kl_ll", given.subset([6, 1, 4]), model="gaussian")
    np.testing.assert_allclose(found["gauss1", "some"], part, rtol=1e-12)


def test_too_few_vectors_for_a_mixture() -> None:
    with pytest.raises(DataError, match=r"'s00001' .*2 vectors, .*n_components=3"):
        kinds.get("gmm").fit([np.zeros((4, 1)), np.zeros((2, 1))], n_components=3)


@pytest.mark.parametrize(
    "entry, words",
    [
        ({"kind": "hm"}, ["unknown model kind 'hm'", "did you mean 'hmm'", "gaussian"]),
        ({"kind": "gaussian", "n_states": 2}, ["of kind 'gaussian'", "unknown key 'n_states'", "covariance"]),
        ({"kind": "gmm", "n_component": 2}, ["did you mean 'n_components'"]),
        ({"kind": "gmm", "n_components": 0}, ["n_components", "at least 1"]),
        ({"kind": "gaussian", "common": True}, ["'gaussian' has no common model"]),
    ],
)
def test_bad_entries_are_refused(entry: dict[str, Any], words: list[str]) -> None:
    with pytest.raises(ConfigError) as caught:
        kinds.check_entry("mine", entry)
    for word in ["model 'mine'", *words]:
        assert word in str(caught.value)
