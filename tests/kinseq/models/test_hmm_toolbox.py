"""The preset ``toolbox`` against an implementation that is written out here: starts, every iteration, the stop."""

from itertools import permutations

import numpy as np
import pytest

from kinseq.models.hmm import fit_bank, fit_common
from kinseq.models.hmm.presets import PRESETS, resolve

EPS = np.finfo(float).eps


def data(rng, length, d, places=3):
    """A sequence that stays for a while in one of some places."""
    place = np.cumsum(rng.random(length) < 0.3) % places
    return rng.normal(size=(places, d))[place] * 2 + rng.normal(size=(length, d))


def log_sum(values, axis):
    top = values.max(axis=axis, keepdims=True)
    return np.log(np.exp(values - top).sum(axis=axis)) + np.squeeze(top, axis)


class Toolbox:
    """EM for one model and any sequences, in logarithms; covariances are full or vectors of variances."""

    def __init__(self, start, trans, means, covars):
        self.start, self.trans, self.means, self.covars = start, trans, means, covars

    def densities(self, x):
        columns = []
        for mean, cov in zip(self.means, self.covars, strict=True):
            full = np.diag(cov) if cov.ndim == 1 else cov
            gap = x - mean
            square = np.einsum("ti,ij,tj->t", gap, np.linalg.inv(full), gap)
            columns.append(-0.5 * (square + np.linalg.slogdet(full)[1] + x.shape[1] * np.log(2 * np.pi)))
        return np.stack(columns, axis=1)

    def expectation(self, xs):
        """Log-likelihood, expected first states and transitions, weights, their Y and their Y Y'."""
        k, d = self.means.shape
        loglik, first, pairs = 0.0, np.zeros(k), np.zeros((k, k))
        weight, y, yy = np.zeros(k), np.zeros((k, d)), np.zeros((k, d, d))
        for x in xs:
            b, log_trans = self.densities(x), np.log(self.trans)
            log_start = np.log(np.maximum(self.start, 1e-300))
            alpha, beta = np.empty(b.shape), np.zeros(b.shape)
            alpha[0] = log_start + b[0]
            for t in range(1, len(x)):
                alpha[t] = b[t] + log_sum(alpha[t - 1][:, None] + log_trans, 0)
            for t in range(len(x) - 2, -1, -1):
                beta[t] = log_sum(log_trans + b[t + 1] + beta[t + 1], 1)
            own = log_sum(alpha[-1], 0)
            gamma = np.exp(alpha + beta - own)
            loglik += own
            first += gamma[0]
            for t in range(len(x) - 1):
                pairs += np.exp(alpha[t][:, None] + log_trans + b[t + 1] + beta[t + 1] - own)
            weight += gamma.sum(axis=0)
            y += gamma.T @ x
            yy += np.einsum("tk,ti,tj->kij", gamma, x, x)
        return loglik, first, pairs, weight, y, yy

    def maximisation(self, first, pairs, weight, y, yy):
        self.start = first / first.sum()
        self.trans = pairs / pairs.sum(axis=1, keepdims=True)
        self.means = y / weight[:, None]
        outer = self.means[:, :, None] * self.means[:, None]
        covars = yy / weight[:, None, None] - outer + 0.01 * np.eye(y.shape[1])
        self.covars = np.array([np.diag(c) for c in covars]) if self.covars.ndim == 2 else covars

    def run(self, xs, iterations=10, threshold=1e-4):
        """Log-likelihoods under the first parameters and after each iteration."""
        trace = []
        for iteration in range(iterations + 1):
            loglik, *sums = self.expectation(xs)
            trace.append(loglik)
            if iteration:
                before = trace[-2]
                if abs(loglik - before) / ((abs(loglik) + abs(before) + EPS) / 2) < threshold:
                    break
            if iteration < iterations:
                self.maximisation(*sums)
        return trace


def lloyd(x, centres, iterations):
    for _ in range(iterations):
        labels = ((x[:, None] - centres) ** 2).sum(axis=2).argmin(axis=1)
        centres = np.array([x[labels == k].mean(axis=0) for k in range(len(centres))])
    return labels, centres


def started(bank, m=0):
    return Toolbox(bank.startprob[m].copy(), bank.transmat[m].copy(), bank.means[m].copy(), bank.covars[m].copy())


def same_parameters(bank, expected):
    np.testing.assert_allclose(bank.startprob[0], expected.start, rtol=1e-7, atol=1e-10)
    np.testing.assert_allclose(bank.transmat[0], expected.trans, rtol=1e-7, atol=1e-10)
    np.testing.assert_allclose(bank.means[0], expected.means, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(bank.covars[0], expected.covars, rtol=1e-7, atol=1e-8)


@pytest.mark.parametrize("covariance", ["full", "diag"])
@pytest.mark.parametrize("seed", range(6))
def test_every_iteration_of_one_model_is_that_of_the_implementation_written_out(covariance, seed):
    x = data(np.random.default_rng(seed), 40, 3)
    how = {"preset": "toolbox", "covariance": covariance, "random_state": seed, "n_init": 1}
    first = fit_bank([x], 3, max_iter=0, **how)
    for iterations in range(1, 11):
        bank = fit_bank([x], 3, max_iter=iterations, **how)
        expected = started(first)
        trace = expected.run([x], iterations)
        np.testing.assert_allclose(bank.trace[0], trace, rtol=1e-9)
        assert bank.n_iter[0] == len(trace) - 1
        same_parameters(bank, expected)
    assert np.array_equal(bank.means, fit_bank([x], 3, **how).means)


@pytest.mark.parametrize("seed", range(3))
def test_every_iteration_of_a_common_model_is_that_of_the_implementation_written_out(seed):
    rng = np.random.default_rng(seed)
    xs = [data(rng, length, 2) for length in (12, 30, 21, 17)]
    how = {"preset": "toolbox", "random_state": seed, "n_init": 1}
    first = fit_common(xs, 3, max_iter=0, **how)
    bank, expected = fit_common(xs, 3, **how), started(first)
    trace = expected.run(xs)
    np.testing.assert_allclose(bank.trace[0], trace, rtol=1e-9)
    same_parameters(bank, expected)


def test_the_floor_makes_the_likelihood_fall_and_a_fall_is_no_reason_to_stop():
    """Data of small units: 0.01 is much there. ``classic`` with a tolerance would stop at the first fall."""
    seen = 0
    for seed in range(30):
        x = 0.1 * data(np.random.default_rng(seed), 30, 3)
        bank = fit_bank([x], 2, preset="toolbox", random_state=seed, n_init=1)
        expected = started(fit_bank([x], 2, preset="toolbox", random_state=seed, n_init=1, max_iter=0))
        np.testing.assert_allclose(bank.trace[0], expected.run([x]), rtol=1e-8)
        falls = np.flatnonzero(np.diff(bank.trace[0]) < -1e-3 * np.abs(bank.trace[0, :-1]))
        seen += bool(falls.size and falls[0] + 1 < bank.n_iter[0])
    assert seen


def test_a_start_is_five_steps_from_different_frames():
    """Some order of frames leads to the clusters that are found."""
    for seed in range(3):
        x = np.random.default_rng(seed).uniform(size=(9, 2))
        bank = fit_bank([x], 3, preset="toolbox", random_state=seed, n_init=1, max_iter=0)
        fits = []
        for frames in permutations(range(9), 3):
            labels, centres = lloyd(x, x[list(frames)], 5)
            if np.allclose(centres, bank.means[0], atol=1e-9):
                fits.append(labels)
        assert fits
        for state in range(3):
            covariance = np.cov(x[fits[0] == state].T, ddof=0).reshape(2, 2)
            if np.linalg.matrix_rank(covariance) < 2:
                covariance = covariance + np.eye(2)
            np.testing.assert_allclose(bank.covars[0, state], covariance, atol=1e-9)


def test_five_steps_are_not_always_all_and_each_is_one_that_five_steps_lead_to():
    """On frames that lie ever farther apart one start in six has not come to rest after five steps."""
    x = 1.1 ** np.arange(50.0)[:, None]
    reached = np.array([np.sort(lloyd(x, x[list(frames)], 5)[1], axis=0) for frames in permutations(range(50), 2)])
    moving = 0
    for seed in range(40):
        centres = np.sort(fit_bank([x], 2, preset="toolbox", random_state=seed, n_init=1, max_iter=0).means[0], axis=0)
        assert np.abs(reached - centres).max(axis=(1, 2)).min() < 1e-8
        moving += not np.allclose(lloyd(x, centres, 1)[1], centres, rtol=1e-9)
    assert 0 < moving < 20


def test_first_covariances_of_less_than_full_rank_get_one_on_the_diagonal():
    rng = np.random.default_rng(1)
    x = rng.normal(size=(9, 12)) * 0.1
    bank = fit_bank([x], 2, preset="toolbox", n_init=1, max_iter=0)
    for k in range(2):
        values = np.linalg.eigvalsh(bank.covars[0, k])
        # Nine frames show at most eight directions; in the others the variance is 1.
        np.testing.assert_allclose(values[0], 1.0, rtol=1e-9)
        assert values[-1] > 1.001
    x = rng.normal(size=(60, 2)) * 0.1
    assert np.linalg.eigvalsh(fit_bank([x], 2, preset="toolbox", n_init=1, max_iter=0).covars[0]).max() < 0.1
    x[:, 1] = 3.0
    bank = fit_bank([x], 2, "diag", preset="toolbox", n_init=1, max_iter=0)
    np.testing.assert_allclose(bank.covars[0, :, 1], 1.0, rtol=1e-12)
    assert (bank.covars[0, :, 0] < 0.1).all()


def test_first_rows_are_uniform_numbers_over_their_sum():
    """Of two such numbers the first is below a quarter of the sum with probability 1/6, and below a half with 1/2."""
    rng = np.random.default_rng(2)
    xs = [rng.normal(size=(4, 1)) for _ in range(1500)]
    bank = fit_bank(xs, 2, preset="toolbox", n_init=1, max_iter=0)
    entries = np.concatenate([bank.startprob[:, 0], bank.transmat[:, 0, 0], bank.transmat[:, 1, 0]])
    assert (entries < 0.25).mean() == pytest.approx(1 / 6, abs=0.02)
    assert (entries < 0.5).mean() == pytest.approx(0.5, abs=0.03)


def test_the_likeliest_of_three_starts_is_kept():
    rng = np.random.default_rng(3)
    xs = [data(rng, 30, 2) for _ in range(5)]
    bank = fit_bank(xs, 3, preset="toolbox")
    singles = [fit_bank(xs, 3, preset="toolbox", n_init=n).loglik for n in (1, 2)]
    assert (bank.loglik >= singles[1]).all()
    assert (singles[1] >= singles[0]).all()
    assert (bank.loglik > singles[0]).any()


def test_the_recipe():
    recipe = PRESETS["toolbox"]
    assert (recipe.covariance, recipe.n_init, recipe.max_iter, recipe.tol, recipe.floor) == ("full", 3, 10, 1e-4, 0.01)
    assert (recipe.rule, recipe.scaled, recipe.start, recipe.stop) == ("add", False, "toolbox", "change")
    assert resolve("toolbox", n_init=10, covariance="diag").n_init == 10
