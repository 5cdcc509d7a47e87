"""Agreement with hmmlearn, its priors at 0 and the floor off."""

import numpy as np
import pytest

from kinseq.models.hmm import fit_bank, fit_common, log_likelihood, posteriors

from .hmm_reference import agree, random_bank

GaussianHMM = pytest.importorskip("hmmlearn.hmm").GaussianHMM


def walks(rng, n, d, low, high):
    """Smooth enough that a state is worth its while, rough enough that none collapses onto a frame."""
    noise = [rng.normal(size=(rng.integers(low, high + 1) + 4, d)) for _ in range(n)]
    return [(e[4:] + e[3:-1] + e[2:-2] + e[1:-3] + e[:-4]) for e in noise]


def peer(bank, m, n_iter):
    model = GaussianHMM(
        bank.n_states,
        "full" if bank.full else "diag",
        min_covar=0.0,
        startprob_prior=1.0,
        transmat_prior=1.0,
        means_prior=0.0,
        means_weight=0.0,
        covars_prior=0.0,
        # The weights that add nothing to the visits, by hmmlearn's two formulas.
        covars_weight=bank.n_features if bank.full else 1.0,
        n_iter=n_iter,
        tol=-np.inf,
        init_params="",
        implementation="log",
    )
    model.startprob_, model.transmat_ = bank.startprob[m], bank.transmat[m]
    model.means_, model.covars_ = bank.means[m], bank.covars[m]
    return model


@pytest.mark.parametrize("k, d, full, length", [(2, 3, False, 40), (3, 2, True, 60), (4, 1, False, 50)])
def test_likelihood_and_posteriors(k, d, full, length):
    rng = np.random.default_rng(k)
    xs, bank = walks(rng, 20, d, 1, length), random_bank(rng, 1, k, d, full)
    model = peer(bank, 0, 1)
    agree(log_likelihood(bank, xs)[0], [model.score(x) for x in xs], 1e-10)
    for x, gamma in zip(xs, posteriors(bank, xs), strict=True):
        agree(gamma, model.predict_proba(x), 1e-10)


@pytest.mark.parametrize("k, d, full", [(2, 3, False), (2, 2, True), (3, 1, False)])
def test_ten_iterations_of_em(k, d, full):
    rng = np.random.default_rng(10 * k + d)
    xs, bank = walks(rng, 18, d, 60, 80), random_bank(rng, 18, k, d, full, spread=0.7)
    options = {"max_iter": 10, "tol": -np.inf, "floor": 0.0}
    ours = fit_bank(xs, k, init=bank, **options)
    for m, x in enumerate(xs):
        model = peer(bank, m, 10).fit(x)
        agree(ours.startprob[m], model.startprob_, 1e-10)
        agree(ours.transmat[m], model.transmat_, 1e-10)
        agree(ours.means[m], model.means_, 1e-10)
        agree(ours.covars[m], model.covars_ if full else [np.diag(c) for c in model.covars_], 1e-10)
        agree(ours.trace[m, :10], model.monitor_.history, 1e-10)
    together = fit_common(xs, k, init=bank.subset([0]), **options)
    model = peer(bank, 0, 10).fit(np.concatenate(xs), [len(x) for x in xs])
    agree(together.means[0], model.means_, 1e-10)
    agree(together.transmat[0], model.transmat_, 1e-10)
    agree(together.trace[0, :10], list(model.monitor_.history), 1e-10)
