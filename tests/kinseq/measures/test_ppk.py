"""Probability product kernel between hidden Markov models."""

import itertools

import numpy as np
import pytest
from scipy import stats

from kinseq import measures
from kinseq.core.errors import ParameterError
from kinseq.measures.ppk import log_ppk, ppk
from kinseq.models.hmm import HMMBank
from kinseq.models.markov import stationary


def random_bank(seed, n=4, k=3, d=2, full=True, spread=1.0):
    rng = np.random.default_rng(seed)
    covars = rng.uniform(0.3, 2.0, size=(n, k, d))
    if full:
        roots = rng.normal(size=(n, k, d, d))
        covars = roots @ np.swapaxes(roots, -1, -2) + 0.3 * np.eye(d)
    return HMMBank(
        rng.dirichlet(np.ones(k), size=n),
        rng.dirichlet(np.ones(k), size=(n, k)),
        spread * rng.normal(size=(n, k, d)),
        covars,
    )


def covariance(bank, n, k):
    return bank.covars[n, k] if bank.full else np.diag(bank.covars[n, k])


def overlap(bank, i, k, j, m, rho):
    """Integral of N_k^rho N_l^rho from the product of the two precisions, another road than the one in the code."""
    a, b = covariance(bank, i, k), covariance(bank, j, m)
    pa, pb = np.linalg.inv(a), np.linalg.inv(b)
    ma, mb = bank.means[i, k], bank.means[j, m]
    d = len(ma)
    precision = rho * (pa + pb)
    centre = np.linalg.solve(precision, rho * (pa @ ma + pb @ mb))
    exponent = 0.5 * (centre @ precision @ centre - rho * (ma @ pa @ ma) - rho * (mb @ pb @ mb))
    norms = ((2 * np.pi) ** d * np.sqrt(np.linalg.det(a) * np.linalg.det(b))) ** -rho
    return norms * np.exp(exponent) * np.sqrt((2 * np.pi) ** d / np.linalg.det(precision))


def by_paths(bank, i, j, rho, length):
    k = bank.n_states
    table = np.array([[overlap(bank, i, a, j, b, rho) for b in range(k)] for a in range(k)])
    total = 0.0
    for p in itertools.product(range(k), repeat=length):
        for q in itertools.product(range(k), repeat=length):
            value = (bank.startprob[i, p[0]] * bank.startprob[j, q[0]]) ** rho * table[p[0], q[0]]
            for t in range(1, length):
                value *= (bank.transmat[i, p[t - 1], p[t]] * bank.transmat[j, q[t - 1], q[t]]) ** rho
                value *= table[p[t], q[t]]
            total += value
    return np.log(total)


@pytest.mark.parametrize("full", [True, False])
@pytest.mark.parametrize("rho", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("length", [1, 3])
def test_the_recursion_is_the_sum_over_all_pairs_of_paths(full, rho, length):
    bank = random_bank(1, n=3, k=2, full=full)
    expected = [[by_paths(bank, i, j, rho, length) for j in range(3)] for i in range(3)]
    np.testing.assert_allclose(log_ppk(bank, rho=rho, n_frames=length), expected, atol=1e-10)


def test_rho_one_is_the_integral_of_the_product_of_the_densities():
    bank = random_bank(2, n=2, k=2, d=1, full=False)

    # Sums over a fine grid are exact for what is smooth and vanishes at its ends.
    grid, step = np.linspace(-15, 15, 1501, retstep=True)

    def density(n):
        """Of every first and second frame."""
        emission = stats.norm.pdf(grid[:, None], bank.means[n, :, 0], np.sqrt(bank.covars[n, :, 0]))
        return (bank.startprob[n] * emission) @ bank.transmat[n] @ emission.T

    value = np.sum(density(0) * density(1)) * step**2
    assert log_ppk(bank, rho=1.0, n_frames=2)[0, 1] == pytest.approx(np.log(value), abs=1e-6)


def test_half_power_of_equal_gaussians_is_one():
    bank = HMMBank(np.ones((1, 1)), np.ones((1, 1, 1)), np.full((1, 1, 2), 3.0), [[[[2.0, 0.5], [0.5, 1.0]]]])
    assert log_ppk(bank, rho=0.5, n_frames=7)[0, 0] == pytest.approx(0.0, abs=1e-12)


def test_kernel_matrices_have_no_negative_eigenvalue():
    for rho in (0.5, 1.0, 2.0):
        logs = log_ppk(random_bank(3, n=8), rho=rho, n_frames=10)
        scale = 0.5 * np.diag(logs)
        assert np.linalg.eigvalsh(np.exp(logs - scale[:, None] - scale)).min() > -1e-10


def test_far_apart_states_and_impossible_transitions_stay_in_logarithms():
    # Both models sit in states 5000 apart and can only meet along one path, through transitions of 1e-150.
    rare = 1e-150
    start = [[1.0, 0.0], [1.0, 0.0]]
    transmat = [[[1 - rare, rare], [0.0, 1.0]]] * 2
    means = [[[0.0], [40.0]], [[10_000.0], [40.0]]]
    bank = HMMBank(start, transmat, means, np.ones((2, 2, 1)))
    logs = log_ppk(bank, rho=1.0, n_frames=3)
    meet = -0.5 * np.log(4 * np.pi)
    apart = meet - 10_000.0**2 / 4
    assert logs[0, 1] == pytest.approx(apart + 2 * np.log(rare) + 2 * meet, rel=1e-12)
    apart_for_good = HMMBank([[1.0, 0.0], [0.0, 1.0]], [np.eye(2)] * 2, means, np.ones((2, 2, 1)))
    assert np.isfinite(ppk(apart_for_good)).all()


def test_logarithms_and_scaled_products_agree():
    bank = random_bank(4, n=5, k=4)
    sharp = HMMBank(bank.startprob, bank.transmat, bank.means * 9.0, bank.covars)
    tiny = sharp.transmat.copy()
    # Transitions that small force every step into logarithms without contributing to the result.
    tiny[:, 0, 1] = 1e-290
    tiny[:, 0] /= tiny[:, 0].sum(axis=1, keepdims=True)
    none = np.where(tiny < 1e-280, 0.0, tiny)
    with_tiny = log_ppk(HMMBank(sharp.startprob, tiny, sharp.means, sharp.covars))
    without = log_ppk(HMMBank(sharp.startprob, none, sharp.means, sharp.covars))
    np.testing.assert_allclose(with_tiny, without, rtol=1e-11)


def test_order_of_models_and_names_of_states_do_not_matter():
    bank = random_bank(5)
    logs = log_ppk(bank)
    np.testing.assert_allclose(log_ppk(bank.subset([2, 0, 3, 1])), logs[np.ix_([2, 0, 3, 1], [2, 0, 3, 1])], atol=1e-12)
    order = [1, 2, 0]
    renamed = HMMBank(
        bank.startprob[:, order], bank.transmat[:, order][:, :, order], bank.means[:, order], bank.covars[:, order]
    )
    np.testing.assert_allclose(log_ppk(renamed), logs, atol=1e-10)


def test_options_of_the_dissimilarity():
    bank = random_bank(6)
    logs = log_ppk(bank)
    own = np.diag(logs)
    expected = -(logs - 0.5 * (own[:, None] + own))
    np.testing.assert_allclose(ppk(bank, start="learnt"), np.where(np.eye(4), 0, expected), atol=1e-12)
    raw = ppk(bank, start="learnt", normalised=False)
    np.testing.assert_allclose(raw, np.where(np.eye(4), 0, -logs), atol=1e-12)
    settled = HMMBank(stationary(bank.transmat), bank.transmat, bank.means, bank.covars)
    np.testing.assert_allclose(ppk(bank), ppk(settled, start="learnt"), atol=1e-12)
    assert (ppk(bank)[~np.eye(4, dtype=bool)] > 0).all()


def test_bad_parameters_and_the_registered_measure():
    bank = random_bank(7)
    for rho in (0, -1.0, float("nan"), "one"):
        with pytest.raises(ParameterError, match="rho is"):
            log_ppk(bank, rho=rho)
    with pytest.raises(ParameterError, match="n_frames is 0"):
        log_ppk(bank, n_frames=0)
    with pytest.raises(ParameterError, match="unknown start"):
        ppk(bank, start="uniform")
    rng = np.random.default_rng(8)
    sequences = [rng.normal(size=(15, 2)) for _ in range(4)]
    distance = measures.compute("ppk", sequences, n_states=2, n_init=1, max_iter=5, rho=0.5)
    assert (distance[~np.eye(4, dtype=bool)] > 0).all()
