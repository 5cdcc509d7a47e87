"""Random shapes: the engine agrees with the extended-precision reference, whatever fills the lanes."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from kinseq.models.hmm import (
    HMMBank,
    expected_transitions,
    fit_bank,
    fit_common,
    induced_transitions,
    log_likelihood,
    posteriors,
)

from .hmm_reference import Reference, agree, random_bank

SHAPES = {
    "k": st.integers(1, 9),
    "d": st.integers(1, 7),
    "full": st.booleans(),
    "lengths": st.lists(st.integers(1, 30), min_size=1, max_size=20),
    "seed": st.integers(0, 2**32 - 1),
}


@settings(max_examples=40, deadline=None)
@given(**SHAPES, spread=st.sampled_from([0.1, 2.0, 30.0]))
def test_agrees_with_the_reference(k, d, full, lengths, seed, spread):
    rng = np.random.default_rng(seed)
    bank = random_bank(rng, 2, k, d, full, spread)
    xs = [spread * rng.normal(size=(n, d)) for n in lengths]
    truths = [[Reference(bank, m, x) for x in xs] for m in range(2)]
    agree(log_likelihood(bank, xs), [[truth.loglik for truth in row] for row in truths], 1e-12)
    one = bank.subset([0])
    for gamma, xi, truth in zip(posteriors(one, xs), expected_transitions(one, xs), truths[0], strict=True):
        agree(gamma, truth.gamma, 1e-10)
        agree(xi, truth.xi, 1e-9)
    rows = induced_transitions(one, xs)
    np.testing.assert_allclose(rows.sum(axis=2), 1.0, rtol=1e-12)


@settings(max_examples=15, deadline=None)
@given(**SHAPES, zeros=st.floats(0.0, 0.7))
def test_structural_zeros(k, d, full, lengths, seed, zeros):
    rng = np.random.default_rng(seed)
    bank = random_bank(rng, 1, k, d, full, 8.0)
    mask = (rng.random((k, k)) >= zeros) | np.eye(k, dtype=bool)
    trans = bank.transmat * mask
    bank = HMMBank(bank.startprob, trans / trans.sum(axis=2, keepdims=True), bank.means, bank.covars)
    xs = [8.0 * rng.normal(size=(n, d)) for n in lengths]
    agree(log_likelihood(bank, xs)[0], [Reference(bank, 0, x).loglik for x in xs], 1e-11)
    counts = expected_transitions(bank, xs)
    assert (counts[:, ~mask] == 0.0).all()


@settings(max_examples=15, deadline=None)
@given(**SHAPES)
def test_fits_climb_and_stand_alone(k, d, full, lengths, seed):
    rng = np.random.default_rng(seed)
    xs = [rng.normal(size=(max(n, k), d)) for n in lengths]
    covariance = "full" if full else "diag"
    bank = fit_bank(xs, k, covariance, n_init=1, max_iter=12, random_state=seed)
    assert (bank.falls == 0).all()
    chosen = int(rng.integers(len(xs)))
    alone = fit_bank([xs[chosen]], k, covariance, n_init=1, max_iter=12, random_state=seed)
    np.testing.assert_array_equal(alone.means[0], bank.means[chosen])
    np.testing.assert_array_equal(alone.covars[0], bank.covars[chosen])
    np.testing.assert_array_equal(log_likelihood(alone, xs)[0], log_likelihood(bank, xs)[chosen])
    together = fit_common(xs, k, covariance, n_init=1, max_iter=12, random_state=seed)
    assert (together.falls == 0).all()
