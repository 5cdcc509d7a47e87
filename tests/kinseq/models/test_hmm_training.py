"""EM as the recipes promise it: monotone, floored, counted, and dependent on nothing but its own sequence."""

from itertools import pairwise

import numpy as np
import pytest

from kinseq import SequenceSet
from kinseq.core.variances import pooled_variances
from kinseq.models.hmm import fit_bank, fit_common, log_likelihood
from kinseq.models.hmm.initialisation import draw_starts
from kinseq.models.hmm.presets import PRESETS, resolve

from .hmm_reference import agree, random_bank, sequences

PARAMETERS = ("startprob", "transmat", "means", "covars")


def switching(rng, n, d, low, high):
    """Sequences that stay for a while in one of three places."""
    result = []
    for _ in range(n):
        length = rng.integers(low, high + 1)
        place = np.cumsum(rng.random(length) < 0.2) % 3
        result.append(rng.normal(size=(3, d))[place] * 3 + rng.normal(size=(length, d)))
    return result


def same(a, b, rows=slice(None)):
    for name in (*PARAMETERS, "n_iter", "converged", "floor_hits", "dead_states", "falls"):
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name)[rows], err_msg=name)
    np.testing.assert_array_equal(a.loglik, b.loglik[rows])


@pytest.mark.parametrize("covariance", ["full", "diag"])
@pytest.mark.parametrize("floor", [1e-3, 1e-1])
def test_default_never_falls(covariance, floor):
    rng = np.random.default_rng(0)
    xs = switching(rng, 40, 6, 5, 40)
    for bank in (
        fit_bank(xs, 3, covariance, floor=floor, tol=-np.inf, max_iter=40, n_init=1),
        fit_common(xs, 5, covariance, floor=floor, tol=-np.inf, max_iter=40, n_init=1),
    ):
        gains = np.diff(bank.trace, axis=1)
        assert (gains >= -1e-10 * np.maximum(1.0, np.abs(bank.trace[:, 1:]))).all()
        assert (bank.falls == 0).all()
        assert (bank.n_iter == 40).all()


def test_default_never_falls_from_a_start_below_the_floor():
    rng = np.random.default_rng(1)
    xs = switching(rng, 10, 4, 8, 20)
    init = random_bank(rng, 10, 2, 4, full=True)
    init.covars *= 1e-8
    assert (fit_bank(xs, 2, init=init).falls == 0).all()


def test_classic_falls_are_counted_not_forbidden():
    rng = np.random.default_rng(2)
    xs = switching(rng, 40, 8, 6, 12)
    bank = fit_bank([0.1 * x for x in xs], 2, preset="classic")
    assert bank.falls.sum() > 0
    np.testing.assert_array_equal(
        bank.falls, (np.diff(bank.trace, axis=1) < -1e-12 * np.abs(bank.trace[:, :-1])).sum(axis=1)
    )
    assert (bank.n_iter == 10).all()
    assert not bank.converged.any()
    assert f"{(bank.falls > 0).sum()} saw the likelihood fall" in bank.summary()


def test_floor_is_the_constrained_maximum():
    """Eigenvalues relative to D end at the floor or above, and no other admissible covariance does better."""
    rng = np.random.default_rng(3)
    xs = sequences(rng, 5, 6, 5, 7)
    bank = fit_bank(xs, 1, "full", floor=0.05, max_iter=5)
    for x, covar in zip(xs, bank.covars[:, 0], strict=True):
        scale = np.sqrt(x.var(axis=0))
        relative = covar / np.outer(scale, scale)
        values = np.linalg.eigvalsh(relative)
        assert values[0] == pytest.approx(0.05, rel=1e-9)
        sample = np.cov(x.T, ddof=0) / np.outer(scale, scale)

        def objective(sigma, sample=sample):
            return -np.linalg.slogdet(sigma)[1] - np.trace(np.linalg.solve(sigma, sample))

        for _ in range(200):
            step = rng.normal(size=(6, 6)) * 0.01
            v, u = np.linalg.eigh(relative + step + step.T)
            assert objective((u * np.maximum(v, 0.05)) @ u.T) <= objective(relative) + 1e-9
    assert (bank.floor_hits > 0).all()


def test_diagonal_floor_and_added_floor():
    rng = np.random.default_rng(4)
    x = rng.normal(size=(30, 3)) * [1.0, 10.0, 100.0]
    clipped = fit_bank([x], 3, "diag", floor=0.5)
    assert (clipped.covars[0] >= 0.5 * x.var(axis=0) * (1 - 1e-12)).all()
    assert clipped.floor_hits[0] > 0
    added = fit_bank([x], 1, preset="classic")
    np.testing.assert_allclose(added.covars[0, 0], np.cov(x.T, ddof=0) + 0.01 * np.eye(3), rtol=1e-10, atol=1e-9)


def test_presets_and_explicit_values():
    default, classic = PRESETS["default"], PRESETS["classic"]
    assert (default.covariance, default.n_init, default.max_iter, default.tol, default.floor, default.rule) == (
        "auto", 3, 100, 1e-4, 1e-3, "clip",
    )  # fmt: skip
    assert (classic.covariance, classic.n_init, classic.max_iter, classic.floor, classic.rule) == (
        "full", 1, 10, 0.01, "add",
    )  # fmt: skip
    assert resolve("classic", n_init=4, floor=None).n_init == 4
    rng = np.random.default_rng(5)
    assert fit_bank(sequences(rng, 2, 30, 5, 6), 1, max_iter=1).full
    assert not fit_bank(sequences(rng, 2, 31, 5, 6), 1, max_iter=1).full
    assert fit_bank(sequences(rng, 2, 31, 5, 6), 1, preset="classic", max_iter=1).full


def test_stopping_rule():
    xs = switching(np.random.default_rng(6), 30, 2, 20, 40)
    bank = fit_bank(xs, 2, tol=1e-3, n_init=1)
    for trace, n, converged in zip(bank.trace, bank.n_iter, bank.converged, strict=True):
        gains = np.diff(trace[: n + 1])
        enough = gains >= 1e-3 * np.maximum(1.0, np.abs(trace[:n]))
        assert enough[:-1].all()
        assert converged == (not enough[-1])
        assert (trace[n:] == trace[n]).all()
    few = fit_bank(xs, 3, tol=-np.inf, max_iter=3, n_init=1)
    assert (few.n_iter == 3).all()
    assert not few.converged.any()
    agree(np.diag(log_likelihood(few, xs)), few.loglik, 1e-12)


def test_best_start_wins():
    xs = switching(np.random.default_rng(7), 12, 3, 15, 30)
    singles = [fit_bank(xs, 3, n_init=n, random_state=4).loglik for n in (1, 2, 5)]
    assert (np.diff(singles, axis=0) >= 0).all()
    assert singles[2].sum() > singles[0].sum()
    assert fit_common(xs, 4, n_init=5).loglik >= fit_common(xs, 4, n_init=1).loglik


def test_zero_iterations_return_the_start():
    rng = np.random.default_rng(8)
    xs, init = sequences(rng, 20, 2, 4, 9), random_bank(rng, 20, 2, 2)
    bank = fit_bank(xs, 2, init=init, max_iter=0, floor=0.0)
    for name in PARAMETERS:
        np.testing.assert_array_equal(getattr(bank, name), getattr(init, name))
    agree(bank.trace[:, 0], np.diag(log_likelihood(init, xs)), 1e-12)


@pytest.mark.parametrize("covariance", ["full", "diag"])
def test_a_model_depends_on_its_own_sequence_only(covariance):
    """Order, company, duplicates and threads change no bit of a model or of a likelihood."""
    rng = np.random.default_rng(9)
    xs = switching(rng, 37, 3, 4, 60)
    bank = fit_bank(xs, 3, covariance, random_state=5)
    scores = log_likelihood(bank, xs)
    order = rng.permutation(37)
    shuffled = fit_bank([xs[i] for i in order], 3, covariance, random_state=5)
    same(shuffled, bank, order)
    np.testing.assert_array_equal(log_likelihood(shuffled, [xs[i] for i in order]), scores[np.ix_(order, order)])
    same(fit_bank(xs, 3, covariance, random_state=5, n_jobs=3), bank)
    np.testing.assert_array_equal(log_likelihood(bank, xs, n_jobs=2), scores)
    for chosen in ([11], [3, 3, 20], list(range(30))):
        part = fit_bank([xs[i] for i in chosen], 3, covariance, random_state=5)
        same(part, bank, chosen)
        np.testing.assert_array_equal(log_likelihood(part, [xs[i] for i in chosen]), scores[np.ix_(chosen, chosen)])
    other = fit_bank(xs, 3, covariance, random_state=6)
    assert (other.means != bank.means).any(axis=(1, 2)).mean() > 0.5


def test_pool_of_all_sequences_is_an_option():
    rng = np.random.default_rng(10)
    xs = [rng.normal(size=(10, 2)), 100 * rng.normal(size=(10, 2))]
    variances = np.concatenate(xs).var(axis=0)
    together = fit_bank(xs, 2, "diag", pool="all", floor=1e-2)
    assert (together.covars >= 1e-2 * variances * (1 - 1e-12)).all()
    agree(fit_bank(xs, 2, "diag", pool=variances, floor=1e-2).covars, together.covars, 1e-12)
    assert fit_bank(xs, 2, "diag", floor=1e-2).covars[0].max() < together.covars[0].min()


def test_pooled_variances_of_constant_columns():
    def pooled(x):
        return pooled_variances(SequenceSet.from_arrays([x]), np.arange(1), np.arange(2))[0]

    rng = np.random.default_rng(11)
    x = rng.normal(size=(50, 4)) * [1.0, 1e-6, 1e6, 1.0] + [0.0, 1e6, 0.0, 0.0]
    x[:, 3] = 1.0 / 3.0
    variances = pooled(x)
    np.testing.assert_allclose(variances[[0, 2]], x.var(axis=0)[[0, 2]], rtol=1e-12)
    assert variances[1] == pytest.approx(1e-12, rel=0.5)
    assert variances[3] == variances[:3].min()
    np.testing.assert_array_equal(pooled(np.full((5, 2), 9.0)), 1.0)
    np.testing.assert_array_equal(pooled(np.full((1, 2), 9.0)), 1.0)


@pytest.mark.parametrize("covariance", ["full", "diag"])
def test_default_recipe_follows_a_change_of_units(covariance):
    """Likelihoods move by the log of the scale at every frame, parameters with the units; powers of two are exact."""
    rng = np.random.default_rng(12)
    xs = switching(rng, 8, 3, 15, 25)
    scale = 2.0 ** np.array([-20.0, 3.0, 20.0])
    init = fit_bank(xs, 2, covariance).subset(np.arange(8))
    again = fit_bank(xs, 2, covariance, init=init, max_iter=5, tol=-np.inf)
    init.means = init.means * scale
    init.covars = init.covars * (np.outer(scale, scale) if init.full else scale**2)
    moved = fit_bank([x * scale for x in xs], 2, covariance, init=init, max_iter=5, tol=-np.inf)
    agree(moved.trace + np.log(scale).sum() * np.array([[len(x)] for x in xs]), again.trace, 1e-9)
    agree(moved.means / scale, again.means, 1e-9)


def test_global_fit_does_not_depend_on_order_or_threads():
    rng = np.random.default_rng(13)
    xs = switching(rng, 150, 2, 3, 20)
    fit = fit_common(xs, 4, random_state=1)
    same(fit_common([xs[i] for i in rng.permutation(150)], 4, random_state=1), fit)
    same(fit_common(xs, 4, random_state=1, n_jobs=3), fit)
    agree(log_likelihood(fit, xs).sum(), fit.loglik[0], 1e-12)


def test_global_fit_with_frames_packed_anew(monkeypatch):
    from kinseq.models.hmm import shared_model

    xs = switching(np.random.default_rng(14), 40, 2, 3, 20)
    fit = fit_common(xs, 3)
    monkeypatch.setattr(shared_model, "PACKED_LIMIT", 0)
    same(fit_common(xs, 3), fit)


def test_recovers_a_known_model():
    rng = np.random.default_rng(15)
    trans = np.array([[0.9, 0.1], [0.3, 0.7]])
    means, sd = np.array([[0.0, 0.0], [2.0, -1.0]]), np.array([[1.0, 0.5], [0.3, 1.0]])
    xs = []
    for _ in range(60):
        states = [rng.integers(2)]
        for _ in range(199):
            states.append(rng.choice(2, p=trans[states[-1]]))
        xs.append(means[states] + sd[states] * rng.normal(size=(200, 2)))
    fit = fit_common(xs, 2, "diag", tol=1e-8)
    order = np.argsort(fit.means[0, :, 0])
    np.testing.assert_allclose(fit.means[0, order], means, atol=0.05)
    np.testing.assert_allclose(fit.transmat[0][np.ix_(order, order)], trans, atol=0.03)
    np.testing.assert_allclose(fit.covars[0, order], sd**2, atol=0.05)


def test_progress_is_told():
    xs = switching(np.random.default_rng(16), 20, 2, 8, 12)
    for fit in (fit_bank, fit_common):
        told = []
        fit(xs, 2, progress=lambda done, total, told=told: told.append((done, total)))
        assert told[-1][0] == told[-1][1]
        assert all(a[0] <= b[0] for a, b in pairwise(told))


def test_progress_lines(capsys):
    fit_bank(switching(np.random.default_rng(17), 20, 2, 8, 12), 2, progress="fit hmm2")
    assert "fit hmm2: fit 60/60" in capsys.readouterr().err


def test_starts_are_kmeans_on_scaled_columns():
    """Two far groups are found although the other column is wider; rows of probabilities are proper."""
    rng = np.random.default_rng(18)
    x = rng.normal(size=(40, 2)) * [0.01, 50.0]
    x[20:, 0] += 1.0
    data = SequenceSet.from_arrays([x])
    seeds = np.arange(5, dtype=np.uint64)[None]
    start, trans, means, covars = np.empty((5, 2)), np.empty((5, 2, 2)), np.empty((5, 2, 2)), np.empty((5, 2, 2))
    draw_starts(data.values, data.offsets, x.std(axis=0)[None], seeds, False, False, start, trans, means, covars)
    for r in range(5):
        if abs(means[r, 0, 0] - means[r, 1, 0]) > 0.5:
            order = np.argsort(means[r, :, 0])
            np.testing.assert_allclose(means[r, order], [x[:20].mean(axis=0), x[20:].mean(axis=0)], rtol=1e-12)
            np.testing.assert_allclose(covars[r, order], [x[:20].var(axis=0), x[20:].var(axis=0)], rtol=1e-10)
    assert (np.abs(means[:, 0, 0] - means[:, 1, 0]) > 0.5).sum() >= 3
    np.testing.assert_allclose(start.sum(axis=1), 1.0, rtol=1e-15)
    np.testing.assert_allclose(trans.sum(axis=2), 1.0, rtol=1e-15)
    assert len({row.tobytes() for row in start}) == 5


def test_start_probabilities_are_flat_dirichlet():
    """Entries of a flat Dirichlet over K = 3 have mean 1/3 and variance 1/18."""
    data = SequenceSet.from_arrays([np.arange(12.0)[:, None]])
    n = 4000
    start, trans = np.empty((n, 3)), np.empty((n, 3, 3))
    means, covars = np.empty((n, 3, 1)), np.empty((n, 3, 1))
    seeds = np.random.default_rng(0).integers(2**63, size=(1, n)).astype(np.uint64)
    draw_starts(data.values, data.offsets, np.ones((1, 1)), seeds, False, False, start, trans, means, covars)
    rows = np.concatenate([start, trans.reshape(-1, 3)])
    np.testing.assert_allclose(rows.mean(axis=0), 1 / 3, atol=0.01)
    np.testing.assert_allclose(rows.var(axis=0), 1 / 18, atol=0.004)
    assert abs(np.corrcoef(start[:, 0], trans[:, 0, 0])[0, 1]) < 0.06
