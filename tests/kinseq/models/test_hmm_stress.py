"""Numerics where they bite: against an independent log-space reference in extended precision."""

import numpy as np
import pytest

from kinseq.models.hmm import (
    HMMBank,
    expected_transitions,
    fit_bank,
    fit_common,
    induced_transitions,
    log_likelihood,
    posteriors,
)

from .hmm_reference import Reference, agree, random_bank, sequences


def check(bank, xs, eps, transitions=True):
    """Likelihoods of all models; posteriors and transitions under the first."""
    agree(log_likelihood(bank, xs), [[Reference(bank, m, x).loglik for x in xs] for m in range(len(bank))], eps)
    one = bank.subset([0])
    gammas = posteriors(one, xs)
    counts, rows = expected_transitions(one, xs), induced_transitions(one, xs)
    for x, gamma, count, row in zip(xs, gammas, counts, rows, strict=True):
        truth = Reference(bank, 0, x)
        agree(gamma, truth.gamma, eps)
        if transitions:
            agree(count, truth.xi, eps * len(x))
            leaving = truth.log_xi.max(axis=1, keepdims=True)
            reached = np.isfinite(leaving[:, 0])
            true_row = np.exp(truth.log_xi[reached] - leaving[reached])
            agree(row[reached], true_row / true_row.sum(axis=1, keepdims=True), 10 * eps)
            np.testing.assert_array_equal(row[~reached], 1 / bank.n_states)


ORDINARY = {
    "small": (3, 2, 4, 1, 40),
    "one state": (1, 3, 3, 1, 30),
    "one feature": (4, 1, 4, 1, 50),
    "one frame": (3, 2, 4, 1, 1),
    "sixty states": (60, 2, 2, 20, 40),
    "two hundred features": (2, 200, 2, 5, 12),
}


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("name", ORDINARY)
def test_ordinary(name, full):
    k, d, n, low, high = ORDINARY[name]
    if full and d == 200:
        d = 40
    rng = np.random.default_rng(5)
    check(random_bank(rng, n, k, d, full), sequences(rng, 18, d, low, high), 1e-12)


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("offset, scale", [(1e6, 1.0), (0.0, 1e-6), (0.0, 1e6), (1e6, 1e-3), (-1e9, 1e3)])
def test_offset_and_scale(offset, scale, full):
    rng = np.random.default_rng(1)
    bank, xs = random_bank(rng, 3, 3, 3, full), sequences(rng, 17, 3, 5, 20)
    moved = HMMBank(bank.startprob, bank.transmat, bank.means * scale + offset, bank.covars * scale**2)
    shifted = [x * scale + offset for x in xs]
    # The reference sees the same rounded inputs; what remains is the rounding of the engine.
    check(moved, shifted, 1e-9)
    plain = log_likelihood(bank, xs) - np.log(scale) * 3 * np.array([len(x) for x in xs])
    agree(log_likelihood(moved, shifted), plain, 1e-6)


@pytest.mark.parametrize("epsilon", [1e-300, 1e-200, 1e-100, 1e-30, 0.0])
def test_states_far_apart_with_hardly_a_transition(epsilon):
    """States 1000 nats apart: what is lost to underflow at one frame decides the next."""
    trans = [[[1 - epsilon, epsilon], [epsilon, 1 - epsilon]]]
    bank = HMMBank([[0.5, 0.5]], trans, [[[0.0], [45.0]]], [[[1.0], [1.0]]])
    rng = np.random.default_rng(2)
    a, b = rng.normal(size=(9, 1)), 45 + rng.normal(size=(9, 1))
    xs = [a, b, np.concatenate([a, b]), np.concatenate([a, b, a]), np.full((8, 1), 22.5), np.concatenate([a[:1], b])]
    check(bank, xs, 1e-9)


def test_underflow_spread_over_several_frames():
    """No single normaliser is small, yet the path that was lost at the first frame is the one that counts."""
    step = 30.0
    bank = HMMBank([[0.5, 0.5]], [[[1.0, 0.0], [0.0, 1.0]]], [[[0.0], [step]]], [[[1.0], [1.0]]])
    # At first state 0 is ahead by 2 * 450 nats, then state 1 by 4 * 450.
    x = np.array([[0.0]] * 2 + [[step]] * 4)
    check(bank, [x, x[::-1].copy(), x[:3]], 1e-9)


def test_left_to_right_with_structural_zeros():
    k = 5
    trans = np.diag(np.full(k, 0.7)) + np.diag(np.full(k - 1, 0.3), 1)
    trans[-1, -1] = 1.0
    rng = np.random.default_rng(4)
    means = 3.0 * np.arange(k, dtype=float)[:, None]
    bank = HMMBank(np.eye(1, k), trans[None], means[None], np.ones((1, k, 1)))
    xs = [np.repeat(means, 30, axis=0) + rng.normal(size=(150, 1)), rng.normal(size=(2000, 1)) + 12.0, np.zeros((1, 1))]
    check(bank, xs, 1e-11)
    rows = induced_transitions(bank, xs)[2]
    np.testing.assert_array_equal(rows, 1 / k)


def test_rows_of_states_hardly_visited_are_ratios_not_the_common_row():
    bank = HMMBank([[1.0, 0.0]], [[[0.9, 0.1], [0.4, 0.6]]], [[[0.0], [60.0]]], [[[1.0], [1.0]]])
    x = np.random.default_rng(0).normal(size=(12, 1))
    rows = induced_transitions(bank, [x])[0]
    truth = Reference(bank, 0, x)
    assert truth.log_xi[1].max() < -1000
    ratio = np.exp(truth.log_xi[1] - truth.log_xi[1].max())
    agree(rows[1], ratio / ratio.sum(), 1e-9)
    assert abs(rows[1, 0] - 0.4) > 0.1


def test_long_sequence():
    rng = np.random.default_rng(6)
    bank = random_bank(rng, 2, 3, 2)
    x = rng.normal(size=(100_000, 2)) * 1.5
    truth = Reference(bank, 0, x)
    agree(log_likelihood(bank, [x, x[:10]])[0, 0], truth.loglik, 1e-12)
    agree(posteriors(bank.subset([0]), [x])[0], truth.gamma, 1e-9)
    agree(expected_transitions(bank.subset([0]), [x])[0], truth.xi, 1e-9)


def test_long_sequence_with_lost_alphas():
    """A state 1000 nats away is lost at every frame; the product of the normalisers is far below float64's range."""
    rng = np.random.default_rng(7)
    bank = HMMBank(
        [[0.4, 0.3, 0.3]],
        [[[0.5, 0.5, 1e-5], [0.5, 0.5, 1e-5], [0.2, 0.2, 0.6]]] / np.array([1.00001, 1.00001, 1.0])[None, :, None],
        [[[0.0], [0.5], [50.0]]],
        np.ones((1, 3, 1)),
    )
    x = rng.normal(size=(3000, 1))
    x[1500:1510] += 50
    check(bank, [x, x[:100]], 1e-9)


@pytest.mark.parametrize("covariance", ["full", "diag"])
@pytest.mark.parametrize("preset", ["default", "classic"])
def test_fits_survive(covariance, preset):
    """Constant columns, offsets, scales, few frames: counted and reported, never NaN."""
    rng = np.random.default_rng(8)
    base = sequences(rng, 6, 3, 8, 12)
    hard = [x.copy() for x in base]
    hard[0][:, 1] = 7.0
    hard[1][:] = 3.0
    hard[2] += 1e6
    hard[3] *= 1e-6
    hard[4] *= 1e6
    hard[5] = np.repeat(hard[5][:2], 5, axis=0)
    fit = fit_bank(hard, 2, covariance=covariance, preset=preset)
    scores = log_likelihood(fit, hard)
    assert np.isfinite(scores).all()
    assert np.isfinite(fit.trace).all()
    if preset == "default":
        assert (fit.falls == 0).all()
        assert (fit.floor_hits > 0)[[0, 1]].all()
    # The added 0.01 leaves a condition number of 1e14 at scale 1e6.
    agree(np.diag(scores), fit.loglik, 1e-9 if preset == "default" else 1e-6)
    together = fit_common(hard, 3, covariance=covariance, preset=preset)
    assert np.isfinite(log_likelihood(together, hard)).all()
    single = fit_bank([np.array([[2.0, 1e6, -3.0]])], 1, covariance=covariance, preset=preset)
    assert np.isfinite(log_likelihood(single, hard)).all()
    np.testing.assert_allclose(single.means[0, 0], [2.0, 1e6, -3.0], rtol=1e-15)


def test_a_dying_state_keeps_its_parameters_and_is_counted():
    rng = np.random.default_rng(9)
    xs = sequences(rng, 3, 1, 30, 40)
    init = HMMBank(
        np.tile([1.0, 0.0], (3, 1)), np.tile([[1.0, 0.0], [0.5, 0.5]], (3, 1, 1)),
        np.tile([[0.0], [1e3]], (3, 1, 1)), np.ones((3, 2, 1)),
    )  # fmt: skip
    fit = fit_bank(xs, 2, init=init)
    np.testing.assert_array_equal(fit.dead_states, 1)
    np.testing.assert_array_equal(fit.means[:, 1], init.means[:, 1])
    np.testing.assert_array_equal(fit.covars[:, 1], init.covars[:, 1])
    np.testing.assert_array_equal(fit.transmat[:, 1], init.transmat[:, 1])
    assert "3 lost a state" in fit.summary()
    for x, mean in zip(xs, fit.means, strict=True):
        assert mean[0, 0] == pytest.approx(x.mean())


def test_em_in_log_space_agrees_with_expectations():
    """One step of EM whose E-step cannot be scaled."""
    tiny = 1e-300
    init = HMMBank([[0.5, 0.5]], [[[1 - tiny, tiny], [tiny, 1 - tiny]]], [[[0.0], [45.0]]], np.ones((1, 2, 1)))
    rng = np.random.default_rng(3)
    x = np.concatenate([rng.normal(size=(9, 1)), 45 + rng.normal(size=(7, 1)), rng.normal(size=(5, 1))])
    truth = Reference(init, 0, x)
    for fit in (fit_bank, fit_common):
        step = fit([x], 2, init=init, max_iter=1, floor=0.0)
        assert step.rescues[0] >= 1
        agree(step.trace[0, 0], truth.loglik, 1e-9)
        agree(step.startprob[0], truth.gamma[0], 1e-9)
        agree(step.transmat[0], truth.xi / truth.xi.sum(axis=1, keepdims=True), 1e-9)
        agree(step.means[0], truth.gamma.T @ x / truth.gamma.sum(axis=0)[:, None], 1e-9)
