"""The engine against sums over all state paths, written out."""

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

from .hmm_reference import agree, enumerate_paths, random_bank, sequences

KINDS = [(2, 1, False), (3, 2, False), (2, 3, True), (3, 2, True), (1, 2, True), (5, 1, False)]


@pytest.fixture(params=KINDS, ids=[f"K{k}-d{d}-{'full' if full else 'diag'}" for k, d, full in KINDS])
def case(request):
    k, d, full = request.param
    rng = np.random.default_rng(k * 10 + d)
    # 19 sequences fill one group of lanes and begin another; lengths 1 to 5 leave lanes half empty.
    return random_bank(rng, 2, k, d, full), sequences(rng, 19, d, 1, 5 if k < 5 else 4)


def test_likelihood(case):
    bank, xs = case
    agree(log_likelihood(bank, xs), [[enumerate_paths(bank, m, x)[0] for x in xs] for m in range(2)], 1e-13)


def test_posteriors_and_transitions(case):
    bank, xs = case
    one = bank.subset([1])
    gammas, counts, induced = posteriors(one, xs), expected_transitions(one, xs), induced_transitions(one, xs)
    for x, gamma, count, rows in zip(xs, gammas, counts, induced, strict=True):
        _, true_gamma, true_count = enumerate_paths(bank, 1, x)
        agree(gamma, true_gamma, 1e-13)
        agree(count, true_count, 1e-13)
        if len(x) > 1:
            agree(rows, true_count / true_count.sum(axis=1, keepdims=True), 1e-12)
        else:
            np.testing.assert_array_equal(rows, 1 / bank.n_states)


def test_posteriors_of_own_model(case):
    bank, xs = case
    for m, gamma in enumerate(posteriors(bank, xs[:2])):
        agree(gamma, enumerate_paths(bank, m, xs[m])[1], 1e-13)


def baum_welch(bank, m, xs):
    """One step of EM from expectations over paths; None where a state is not left or not visited."""
    found = [enumerate_paths(bank, m, x) for x in xs]
    start = sum(gamma[0] for _, gamma, _ in found)
    xi = sum(count for *_, count in found)
    weights = np.concatenate([gamma for _, gamma, _ in found])
    x = np.concatenate(xs).astype(np.longdouble)
    visits = weights.sum(axis=0)
    means = weights.T @ x / visits[:, None]
    gap = x[None] - means[:, None]
    if bank.full:
        covars = np.einsum("tk,kti,ktj->kij", weights, gap, gap) / visits[:, None, None]
    else:
        covars = np.einsum("tk,kti->ki", weights, gap**2) / visits[:, None]
    return start / start.sum(), xi / xi.sum(axis=1, keepdims=True), means, covars


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("together", [False, True])
def test_one_step_of_em(full, together):
    rng = np.random.default_rng(3)
    xs = sequences(rng, 5, 2, 6, 7)
    bank = random_bank(rng, 1 if together else 5, 2, 2, full, spread=0.5)
    fit = fit_common if together else fit_bank
    stepped = fit(xs, 2, init=bank, max_iter=1, tol=-np.inf, floor=0.0)
    for m in range(len(bank)):
        chosen = xs if together else [xs[m]]
        start, trans, means, covars = baum_welch(bank, m, chosen)
        agree(stepped.startprob[m], start, 1e-12)
        agree(stepped.transmat[m], trans, 1e-12)
        agree(stepped.means[m], means, 1e-12)
        agree(stepped.covars[m], covars, 1e-12)
        agree(stepped.trace[m, 0], sum(enumerate_paths(bank, m, x)[0] for x in chosen), 1e-13)
        agree(stepped.trace[m, 1], sum(enumerate_paths(stepped, m, x)[0] for x in chosen), 1e-13)


def test_a_wrong_transition_index_would_show():
    """The emission belongs to the state that is entered: a chain that must move tells the two apart."""
    bank = HMMBank([[1.0, 0.0]], [[[0.5, 0.5], [0.0, 1.0]]], [[[0.0], [10.0]]], [[[1.0], [1.0]]])
    x = np.array([[0.0], [0.0], [10.0]])
    rows, counts = induced_transitions(bank, [x])[0], enumerate_paths(bank, 0, x)[2]
    agree(rows, counts / counts.sum(axis=1, keepdims=True), 1e-12)
    # The first frame leads to state 0 and the second to state 1; the other way round would leave state 0 at once.
    agree(rows, [[0.5, 0.5], [0.0, 1.0]], 1e-9)
