"""Probabilities of the first state: rotations of a cycle make no difference unless they are learnt."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import kinseq
from kinseq import SequenceSet, measures
from kinseq.analysis.prediction import cross
from kinseq.analysis.views import choose_params
from kinseq.core.errors import ParameterError
from kinseq.models.hmm import HMMBank, fit_bank, log_likelihood, with_start
from kinseq.models.kinds import registry as kinds


def bank(transmat: list[list[float]]) -> HMMBank:
    k = len(transmat)
    means, covars = np.arange(float(k)).reshape(1, k, 1), np.full((1, k, 1), 0.01)
    return HMMBank(np.eye(k)[:1], np.array([transmat]), means, covars)


def cycles(n: int = 16, period: int = 12, frames: int = 96, seed: int = 0) -> tuple[list[np.ndarray], np.ndarray]:
    """One square wave begun at any frame of its cycle, and whether it is on at first."""
    rng = np.random.default_rng(seed)
    phases = np.arange(n) % period
    waves = [((np.arange(frames) + phase) % period < period // 2).astype(float)[:, None] for phase in phases]
    first = np.array([int(wave[0, 0]) for wave in waves])
    return [wave + 0.05 * rng.normal(size=wave.shape) for wave in waves], first


def between_and_within(distance: np.ndarray, labels: np.ndarray) -> tuple[float, float]:
    other = labels[:, None] != labels
    same = ~other & ~np.eye(len(labels), dtype=bool)
    return float(distance[other].mean()), float(distance[same].mean())


def test_the_three_starts() -> None:
    given = bank([[0.9, 0.1], [0.3, 0.7]])
    assert with_start(given, "learnt") is given
    np.testing.assert_allclose(with_start(given, "flat").startprob, [[0.5, 0.5]])
    np.testing.assert_allclose(with_start(given, "stationary").startprob, [[0.75, 0.25]])
    for start in ("flat", "stationary"):
        np.testing.assert_array_equal(with_start(given, start).transmat, given.transmat)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="startprob"):
        with_start(given, "any")  # type: ignore[arg-type]


@pytest.mark.parametrize("frames", [1, 2, 5])
def test_a_flat_start_is_the_likelihood_without_its_first_term(frames: int) -> None:
    """Also of one or two frames, and of a chain that is never left: states are far apart, so that the path is known."""
    transmat = [[0.5, 0.25, 0.25], [0.0, 0.5, 0.5], [0.0, 0.0, 1.0]]
    path = np.minimum(1 + np.arange(frames) // 2, 2)
    sequences = SequenceSet.from_arrays([path.astype(float)[:, None]])
    flat = log_likelihood(with_start(bank(transmat), "flat"), sequences)[0, 0]
    steps = sum(np.log(transmat[i][j]) for i, j in pairwise(path))
    densities = -0.5 * frames * np.log(2 * np.pi * 0.01)
    assert flat == pytest.approx(np.log(1 / 3) + steps + densities, abs=1e-6)
    # A first state that is never re-entered is impossible under the stationary distribution: nearly a thousand nats.
    assert log_likelihood(with_start(bank(transmat), "stationary"), sequences)[0, 0] < flat - 40


def test_a_sequence_of_one_frame_has_a_model() -> None:
    sequences = SequenceSet.from_arrays([np.zeros((1, 1)), np.ones((2, 1)), np.ones((3, 1))])
    models = kinds.get("hmm").fit(sequences, n_states=1, startprob="flat")
    assert np.isfinite(log_likelihood(models, sequences)).all()


def test_rotating_a_cycle_changes_nothing_but_the_edges() -> None:
    sequences, first = cycles()
    models: dict[str, Any] = {"n_states": 2, "covariance": "diag"}
    learnt = measures.compute("kl_ll", sequences, **models)
    flat = measures.compute("kl_ll", sequences, startprob="flat", **models)
    between, within = between_and_within(learnt, first)
    assert between > 5 * within
    between, within = between_and_within(flat, first)
    assert between < 1.5 * within
    # The documents' measure uses the learnt one, by default.
    np.testing.assert_array_equal(learnt, measures.compute("kl_ll", sequences, startprob="learnt", **models))


def test_a_start_is_left_alone_where_nothing_is_said() -> None:
    sequences = SequenceSet.from_arrays(cycles(6)[0])
    fitted = fit_bank(sequences, 2)
    np.testing.assert_array_equal(kinds.get("hmm").fit(sequences).startprob, fitted.startprob)
    np.testing.assert_array_equal(kinds.get("hmm").fit(sequences, startprob="flat").startprob, np.full((6, 2), 0.5))
    common = kinds.get("hmm").fit(sequences, common=True, n_states=2, startprob="flat")
    np.testing.assert_array_equal(common.startprob, [[0.5, 0.5]])


@pytest.mark.parametrize("n_states", [None, 2])
def test_own_data_are_compared_whatever_state_they_begin_in(n_states: int | None) -> None:
    sequences, first = cycles()
    assert choose_params("hmm", False, SequenceSet.from_arrays(sequences), n_states, 0)[0]["startprob"] == "flat"
    found = kinseq.cluster(sequences, measure="kl_ll", n_clusters=2, n_states=n_states, n_resamples=2, progress=False)
    between, within = between_and_within(found.distance, first)
    assert between < 1.5 * within
    new = cycles(seed=1)[0]
    crossed = cross(found, SequenceSet.from_arrays(new))
    between, within = between_and_within(crossed, first)
    assert between < 1.5 * within
    asked = kinseq.cluster(
        sequences,
        measure="kl_ll",
        n_clusters=2,
        n_states=2,
        params={"startprob": "learnt"},
        n_resamples=2,
        progress=False,
    )
    between, within = between_and_within(asked.distance, first)
    assert between > 5 * within


def test_models_of_a_fusion_begin_anywhere() -> None:
    sequences, first = cycles()
    params: dict[str, Any] = {"views": ["kl_ll"], "states_each": 2}
    between, within = between_and_within(
        measures.compute("fusion", sequences, startprob_each="learnt", **params), first
    )
    assert between > within + 1
    between, within = between_and_within(measures.compute("fusion", sequences, **params), first)
    assert between < within + 0.5


@pytest.mark.parametrize("common", [False, True])
def test_fixed_starts_depend_neither_on_the_seed_nor_on_the_last_digits(common: bool) -> None:
    rng = np.random.default_rng(3)
    sequences = [rng.normal(size=(40, 2)).cumsum(axis=0) for _ in range(6)]
    noisy = [frames + 1e-7 * rng.normal(size=frames.shape) for frames in sequences]

    def means(given: list[np.ndarray], seed: int, random_starts: str) -> np.ndarray:
        fit = kinds.get("hmm").fit(given, common, random_state=seed, random_starts=random_starts, n_states=3)
        return np.asarray(fit.means)

    first = means(sequences, 0, "fixed")
    np.testing.assert_array_equal(means(sequences, 1, "fixed"), first)
    np.testing.assert_allclose(means(noisy, 2, "fixed"), first, atol=1e-3)
    backwards = means(sequences[::-1], 0, "fixed")
    np.testing.assert_allclose(backwards if common else backwards[::-1], first, atol=1e-12)
    # Other starts end at other models, or at the same ones with states in another order.
    assert np.abs(means(sequences, 1, "drawn") - means(sequences, 0, "drawn")).max() > 0.1


def test_the_models_of_a_fusion_are_those_of_fixed_starts() -> None:
    rng = np.random.default_rng(4)
    sequences = [rng.normal(size=(50, 1)).cumsum(axis=0) for _ in range(10)]
    noisy = [frames + 1e-7 * rng.normal(size=frames.shape) for frames in sequences]
    first = measures.compute("balanced", sequences, random_state=0)
    np.testing.assert_array_equal(measures.compute("balanced", sequences, random_state=1), first)
    np.testing.assert_allclose(measures.compute("balanced", noisy, random_state=2), first, atol=1e-3)
