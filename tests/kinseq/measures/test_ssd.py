"""Distances of state-space dynamics, stationary distributions, and the choice of the number of states."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kinseq import measures
from kinseq.core.errors import DataError, ParameterError
from kinseq.core.seeds import derive_seed
from kinseq.core.sequences import SequenceSet
from kinseq.features import scale
from kinseq.measures import ssd as module
from kinseq.measures.registry import MeasureInput
from kinseq.models import markov, selection
from kinseq.models.hmm import HMMBank, expected_transitions, fit_common, induced_transitions
from tests.sentences import Recorded


def noself(transitions):
    """SSD of what happens where the state changes."""
    return module.ssd(module.without_self(transitions))


def random_transitions(rng, n, k):
    return rng.dirichlet(np.full(k, 0.7), size=(n, k))


def brute(transitions):
    n, k, _ = transitions.shape
    distance = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            if i != j:
                total = sum(np.sqrt(transitions[i, a, b] * transitions[j, a, b]) for a in range(k) for b in range(k))
                distance[i, j] = -np.log(total / k)
    return distance


def gaussian_density(x, mean, covariance):
    gap = x - mean
    scale = np.sqrt(np.linalg.det(2 * np.pi * covariance))
    return np.exp(-0.5 * gap @ np.linalg.solve(covariance, gap)) / scale


def counts_by_paths(bank, x):
    """Expected transition counts as a sum over every path of states."""
    k, total, counts = bank.n_states, 0.0, np.zeros((bank.n_states, bank.n_states))
    for path in itertools.product(range(k), repeat=len(x)):
        p = bank.startprob[0, path[0]]
        for t, state in enumerate(path):
            p *= gaussian_density(x[t], bank.means[0, state], bank.covars[0, state])
            if t:
                p *= bank.transmat[0, path[t - 1], state]
        total += p
        for a, b in itertools.pairwise(path):
            counts[a, b] += p
    return counts / total


def small_bank(rng, k=3, d=2):
    roots = rng.normal(size=(1, k, d, d))
    return HMMBank(
        rng.dirichlet(np.ones(k), size=1),
        rng.dirichlet(np.ones(k), size=(1, k)),
        rng.normal(size=(1, k, d)),
        roots @ np.swapaxes(roots, -1, -2) + 0.5 * np.eye(d),
    )


def test_ssd_equals_the_double_sum_over_rows_and_columns():
    transitions = random_transitions(np.random.default_rng(1), 6, 4)
    np.testing.assert_allclose(module.ssd(transitions), brute(transitions), atol=1e-13)


def test_ssd_of_two_two_state_chains_in_closed_form():
    a = np.array([[[0.6, 0.4], [0.4, 0.6]], [[0.4, 0.6], [0.6, 0.4]]])
    assert module.ssd(a)[0, 1] == pytest.approx(-np.log(2 * np.sqrt(0.24)), abs=1e-14)


def test_induced_transitions_and_distances_follow_from_path_enumeration():
    rng = np.random.default_rng(2)
    bank = small_bank(rng)
    sequences = [rng.normal(size=(length, 2)) for length in (2, 4, 5)]
    counts = np.array([counts_by_paths(bank, x) for x in sequences])
    np.testing.assert_allclose(expected_transitions(bank, sequences), counts, rtol=1e-9)
    rows = counts / counts.sum(axis=2, keepdims=True)
    found = induced_transitions(bank, sequences)
    np.testing.assert_allclose(found, rows, rtol=1e-9)
    np.testing.assert_allclose(module.ssd(found), brute(rows), atol=1e-9)


def test_a_state_never_reached_is_uniform_for_everyone_and_never_the_common_row():
    bank = HMMBank([[1.0, 0.0]], [[[1.0, 0.0], [0.9, 0.1]]], [[[0.0], [50.0]]], [[[1.0], [1.0]]])
    found = induced_transitions(bank, [np.zeros((5, 1)), np.ones((4, 1))])
    np.testing.assert_allclose(found[:, 1], 0.5)


def two_islands():
    """Two pairs of states that no chain leaves, far apart, and sequences of one each."""
    block = np.array([[0.7, 0.3], [0.4, 0.6]])
    bank = HMMBank(
        np.full((1, 4), 0.25),
        np.kron(np.eye(2), block)[None] * (1 - 1e-3) + 1e-3 / 4,
        np.array([[[0.0], [4.0], [500.0], [504.0]]]),
        np.ones((1, 4, 1)),
    )
    rng = np.random.default_rng(5)
    return bank, [rng.choice([0.0, 4.0], 30)[:, None] + 500.0 * (i % 2) + rng.normal(size=(30, 1)) for i in range(6)]


def test_with_eps_rows_of_states_that_are_never_visited_are_uniform_and_others_stay():
    bank, sequences = two_islands()
    eps = np.finfo(np.float64).eps
    counts = expected_transitions(bank, sequences)
    rows = induced_transitions(bank, sequences, rows="eps")
    np.testing.assert_allclose(rows, (counts + eps) / (counts + eps).sum(axis=2, keepdims=True), rtol=1e-14)
    limit = induced_transitions(bank, sequences)
    for i in range(6):
        here, there = (slice(0, 2), slice(2, 4)) if i % 2 == 0 else (slice(2, 4), slice(0, 2))
        assert counts[i, there].sum() < 1e-100
        np.testing.assert_allclose(rows[i, there], 0.25, rtol=1e-12)
        np.testing.assert_allclose(rows[i, here], limit[i, here], atol=1e-13)
        # As printed they are ratios of meaningless numbers, far from uniform.
        assert np.abs(limit[i, there] - 0.25).max() > 0.2


@pytest.mark.parametrize("name", ["ssd", "ssd_st", "ssd_diffusion", "ssd_noself"])
def test_rows_are_a_parameter_of_every_measure_that_looks_at_rows(name, recorded: Recorded):
    bank, sequences = two_islands()
    evidence = MeasureInput(SequenceSet.from_arrays(sequences), common=bank)
    transitions = induced_transitions(bank, sequences, rows="eps")
    of = {"ssd": module.ssd, "ssd_st": module.ssd_st, "ssd_noself": noself}
    expected = of[name](transitions) if name in of else module.diffusion(transitions, 3)
    params = {} if name in of else {"t": 3}
    measure = measures.get(name)
    np.testing.assert_array_equal(measure.compute(evidence, rows="eps", **params)[0], expected)
    np.testing.assert_array_equal(
        measure.compute(evidence, rows="limit", **params)[0], measure.compute(evidence, **params)[0]
    )
    crossed = measure.cross(evidence, evidence, **{**measure.params, **params, "rows": "eps"})
    np.testing.assert_allclose(crossed - np.diag(np.diag(crossed)), expected, atol=1e-12)
    with recorded.raises(ParameterError):
        measure.compute(evidence, rows="epsilon")


def test_a_state_hardly_ever_visited_keeps_the_limit_of_its_row():
    bank = HMMBank([[0.5, 0.5]], [[[0.5, 0.5], [0.3, 0.7]]], [[[0.0], [1000.0]]], [[[1.0], [1.0]]])
    found = induced_transitions(bank, [np.zeros((4, 1))])[0]
    # State 1 is visited with a probability far below the least float64; after it, state 0 follows.
    np.testing.assert_allclose(found[1], [1.0, 0.0], atol=1e-12)


def test_chains_without_a_common_transition_are_floored_not_infinite():
    distance = module.ssd(np.array([[[1.0, 0.0], [1.0, 0.0]], [[0.0, 1.0], [0.0, 1.0]]]))
    assert np.isfinite(distance).all()
    assert distance[0, 1] == pytest.approx(-np.log(1e-300))


@given(st.integers(0, 2**32 - 1), st.integers(1, 5), st.integers(1, 5))
@settings(max_examples=40, deadline=None)
def test_every_variant_is_a_dissimilarity_and_follows_permutations_of_states(seed, n, k):
    rng = np.random.default_rng(seed)
    transitions = random_transitions(rng, n, k)
    order = rng.permutation(k)
    for function in (module.ssd, module.ssd_st, noself, lambda a: module.diffusion(a, 3)):
        distance = function(transitions)
        assert np.isfinite(distance).all()
        assert (distance >= 0).all()
        assert (np.diag(distance) == 0).all()
        np.testing.assert_array_equal(distance, distance.T)
        renamed = transitions[:, order][:, :, order]
        np.testing.assert_allclose(function(renamed), distance, atol=1e-9)


def test_features_give_the_same_distances_without_a_matrix_of_all_pairs():
    transitions = random_transitions(np.random.default_rng(3), 7, 3)
    vectors = module.features(transitions)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0)
    np.testing.assert_allclose(-np.log(vectors[2] @ vectors[5]), module.ssd(transitions)[2, 5], atol=1e-13)


def test_diffusion_takes_powers_and_ends_at_the_stationary_distribution():
    transitions = random_transitions(np.random.default_rng(4), 5, 3)
    powers = np.array([a @ a @ a for a in transitions])
    np.testing.assert_allclose(module.diffusion(transitions, 3), brute(powers), atol=1e-12)
    np.testing.assert_allclose(module.diffusion(transitions, 1), module.ssd(transitions), atol=1e-13)
    np.testing.assert_allclose(module.diffusion(transitions, 500), module.ssd_st(transitions), atol=1e-9)


def test_diffusion_erases_what_tells_the_two_chains_of_the_thesis_apart():
    chains = np.array([[[0.6, 0.4], [0.4, 0.6]], [[0.4, 0.6], [0.6, 0.4]]])
    assert module.ssd(chains)[0, 1] > 0.02
    assert module.ssd_st(chains)[0, 1] < 1e-12
    assert module.diffusion(chains, 2)[0, 1] < 1e-12


def test_without_self_transitions_rows_are_scaled_and_lonely_rows_become_uniform():
    given_ = np.array([[[0.5, 0.3, 0.2], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]])
    expected = np.array([[[0.0, 0.6, 0.4], [0.5, 0.0, 0.5], [1.0, 0.0, 0.0]]])
    np.testing.assert_allclose(module.without_self(given_), expected, atol=1e-15)
    tiny = np.array([[[1.0, 1e-310, 3e-310], [0.5, 0.5, 0.0], [0.5, 0.0, 0.5]]])
    np.testing.assert_allclose(module.without_self(tiny)[0, 0], [0.0, 0.25, 0.75], rtol=1e-9)
    stay = np.array([[[0.9, 0.1], [0.2, 0.8]], [[0.3, 0.7], [0.6, 0.4]]])
    assert noself(stay)[0, 1] == pytest.approx(0.0, abs=1e-15)


def test_stationary_distributions_solve_the_eigenproblem():
    transitions = random_transitions(np.random.default_rng(5), 20, 6)
    pi = markov.stationary(transitions)
    np.testing.assert_allclose(np.einsum("ni,nij->nj", pi, transitions), pi, atol=1e-14)
    for n, matrix in enumerate(transitions):
        system = np.vstack([matrix.T - np.eye(6), np.ones(6)])
        solution = np.linalg.lstsq(system, np.r_[np.zeros(6), 1.0], rcond=None)[0]
        np.testing.assert_allclose(pi[n], solution, atol=1e-12)


def test_stationary_keeps_tiny_probabilities_apart():
    pi = markov.stationary([[1 - 1e-30, 1e-30], [3e-30, 1 - 3e-30]])[0]
    np.testing.assert_allclose(pi, [0.75, 0.25], rtol=1e-12)


def test_a_reducible_chain_gets_the_long_run_shares_of_a_uniform_start():
    # Two closed classes {0} and {1, 2}; state 3 leaves to the first with probability 0.2 and to the second with 0.8.
    chain = np.array([[1.0, 0, 0, 0], [0, 0.0, 1.0, 0], [0, 1.0, 0.0, 0], [0.1, 0.4, 0.0, 0.5]])
    np.testing.assert_allclose(markov.stationary(chain)[0], [0.3, 0.35, 0.35, 0.0], atol=1e-12)
    np.testing.assert_allclose(markov.stationary(np.eye(3))[0], 1 / 3, atol=1e-12)
    absorbing = np.array([[0.5, 0.5, 0.0], [0.0, 0.5, 0.5], [0.0, 0.0, 1.0]])
    np.testing.assert_allclose(markov.stationary(absorbing)[0], [0.0, 0.0, 1.0], atol=1e-12)


def test_bad_transitions_are_named(recorded: Recorded):
    with recorded.raises(DataError):
        module.ssd([[[0.5, 0.5], [0.5, 0.6]]])
    with pytest.raises(DataError, match=r"expected \(N, K, K\)"):
        module.ssd(np.ones((2, 3)))
    with pytest.raises(DataError, match="holds NaN"):
        module.ssd([[[np.nan, 0.5], [0.5, 0.5]]])
    with pytest.raises(ParameterError, match="t is 0"):
        module.diffusion(np.eye(2)[None], 0)


def brute_joint(counts, prior):
    n, k, _ = counts.shape
    distance = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            if i != j:
                total = 0.0
                for a in range(k):
                    for b in range(k):
                        p = (counts[i, a, b] + prior / k**2) / (counts[i].sum() + prior)
                        q = (counts[j, a, b] + prior / k**2) / (counts[j].sum() + prior)
                        total += np.sqrt(p * q)
                distance[i, j] = -np.log(total)
    return distance


def test_ssd_joint_equals_the_sum_over_pairs_of_states():
    counts = np.random.default_rng(9).gamma(0.3, 20.0, size=(6, 4, 4))
    np.testing.assert_allclose(module.ssd_joint(counts), brute_joint(counts, 1.0), atol=1e-13)
    np.testing.assert_allclose(module.ssd_joint(counts, 7.5), brute_joint(counts, 7.5), atol=1e-13)
    frequencies = module.joint(counts)
    np.testing.assert_allclose(frequencies.sum(axis=(1, 2)), 1.0)
    assert (frequencies > 0).all()


def test_ssd_joint_weighs_the_rows_of_ssd_by_the_shares_of_time():
    rng = np.random.default_rng(10)
    rows, shares = random_transitions(rng, 2, 3), rng.dirichlet(np.ones(3), size=2)
    counts = 1e9 * shares[:, :, None] * rows  # so many transitions that the prior does not matter
    affinities = np.sqrt(rows[0] * rows[1]).sum(axis=1)
    expected = -np.log((np.sqrt(shares[0] * shares[1]) * affinities).sum())
    assert module.ssd_joint(counts)[0, 1] == pytest.approx(expected, abs=1e-4)


@given(st.integers(0, 2**32 - 1), st.integers(1, 5), st.integers(1, 5))
@settings(max_examples=40, deadline=None)
def test_ssd_joint_is_a_dissimilarity_and_does_not_know_the_names_of_states(seed, n, k):
    rng = np.random.default_rng(seed)
    counts = rng.gamma(0.05, 50.0, size=(n, k, k))
    order = rng.permutation(k)
    distance = module.ssd_joint(counts)
    assert np.isfinite(distance).all()
    assert (distance >= 0).all()
    assert (np.diag(distance) == 0).all()
    np.testing.assert_array_equal(distance, distance.T)
    np.testing.assert_allclose(module.ssd_joint(counts[:, order][:, :, order]), distance, atol=1e-9)
    # Time reversed in all sequences transposes the counts and changes nothing.
    np.testing.assert_allclose(module.ssd_joint(np.swapaxes(counts, 1, 2)), distance, atol=1e-9)


def two_groups(gap, seed=0):
    """Eight sequences of white noise, every second one moved by `gap`, scaled as one's own data are."""
    rng = np.random.default_rng(seed)
    return scale(SequenceSet.from_arrays([rng.normal(size=(60, 2)) + gap * (i % 2) for i in range(8)]))


@pytest.mark.parametrize("gap", [5.0, 10.0, 20.0, 30.0, 50.0, 1e3, 1e6])
@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("n_states", [2, 4, 8])
def test_ssd_joint_tells_groups_apart_however_far_apart_they_are(gap, seed, n_states):
    sequences = two_groups(gap, seed)
    distance, found = measures.compute_with_findings("ssd_joint", sequences, n_states=n_states)
    same = np.equal.outer(np.arange(8) % 2, np.arange(8) % 2)
    assert distance[~same].min() > 10 * distance[same].max()
    assert distance[~same].min() > 1.5
    assert "collapsed" not in found  # nothing is lost


def test_ssd_collapses_on_groups_far_apart_and_says_so():
    # Two states that no sequence leaves: every induced matrix is the identity.
    distance, found = measures.compute_with_findings("ssd", two_groups(50.0), n_states=2)
    assert distance.max() == 0.0
    assert found["collapsed"] is True
    assert found["disjoint_pairs"] == 16
    assert found["saturated_rows"] == 0.5
    near, found = measures.compute_with_findings("ssd", two_groups(2.0), n_states=2)
    assert near.max() > 0.1
    assert found["collapsed"] is False
    assert found["disjoint_pairs"] == 0
    assert found["saturated_rows"] == 0.0


def test_lost_information_counts_rows_and_pairs():
    counts = np.zeros((3, 3, 3))
    counts[0, 0, 1], counts[0, 1, 0] = 5.0, 4.0  # states 0 and 1
    counts[1, 2, 2] = 9.0  # state 2 alone
    counts[2, 1, 2], counts[2, 0, 0] = 8.0, 1e-20  # states 1 and 2; state 0 is rounding
    far = np.array([[0.0, 1.0, 1.0], [1.0, 0.0, 1.0], [1.0, 1.0, 0.0]])
    found = module.lost_information(counts, far)
    # Row 2 of the first, rows 0 and 1 of the second, rows 0 and 2 of the third.
    assert found == {"saturated_rows": 5 / 9, "disjoint_pairs": 1, "collapsed": False}
    far[0, 1] = far[1, 0] = 1e-12
    assert module.lost_information(counts, far)["collapsed"] is True
    far[0, 1] = far[1, 0] = 1.0
    far[0, 2] = far[2, 0] = 0.0
    assert module.lost_information(counts, far)["collapsed"] is False  # these two meet in state 1


def test_bad_counts_are_named(recorded: Recorded):
    with recorded.raises(DataError):
        module.ssd_joint(-np.ones((2, 2, 2)))
    with pytest.raises(DataError, match=r"expected \(N, K, K\)"):
        module.ssd_joint(np.ones((2, 2)))
    with pytest.raises(ParameterError, match="prior is 0"):
        module.ssd_joint(np.ones((2, 2, 2)), prior=0)


def test_measures_give_what_the_functions_give_on_the_fitted_model():
    rng = np.random.default_rng(6)
    sequences = [rng.normal(size=(12, 1)) + 3 * (np.arange(12)[:, None] % (2 + i % 2)) for i in range(6)]
    bank = fit_common(sequences, 3, random_state=derive_seed(0, "fit"), n_init=1, max_iter=10)
    induced = induced_transitions(bank, sequences)
    options = {"random_state": 0, "n_states": 3, "n_init": 1, "max_iter": 10}
    np.testing.assert_allclose(measures.compute("ssd", sequences, **options), module.ssd(induced), atol=1e-12)
    np.testing.assert_allclose(measures.compute("ssd_st", sequences, **options), module.ssd_st(induced), atol=1e-12)
    np.testing.assert_allclose(
        measures.compute("ssd_diffusion", sequences, t=4, **options), module.diffusion(induced, 4), atol=1e-12
    )
    np.testing.assert_allclose(measures.compute("ssd_noself", sequences, **options), noself(induced), atol=1e-12)
    counts = expected_transitions(bank, sequences)
    joint = measures.compute("ssd_joint", sequences, prior=2.5, **options)
    np.testing.assert_allclose(joint, brute_joint(counts, 2.5), atol=1e-12)
    with pytest.raises(DataError, match="single frame"):
        measures.compute("ssd", [np.zeros((1, 1)), np.ones((4, 1))], n_states=1)


def test_information_criteria_find_two_well_separated_states():
    rng = np.random.default_rng(7)
    sequences = [np.where(rng.random((60, 1)) < 0.5, 0.0, 8.0) + rng.normal(size=(60, 1)) for _ in range(8)]
    sweep = selection.sweep_states(sequences, [1, 2, 3, 4], random_state=1)
    assert sweep.best == 2
    assert (np.diff(sweep.loglik) > -1e-6).all()
    np.testing.assert_allclose(sweep.bic, -2 * sweep.loglik + sweep.n_parameters * np.log(480))
    np.testing.assert_allclose(sweep.aic, -2 * sweep.loglik + 2 * sweep.n_parameters)
    # One state: mean and variance. Two: one start, two transitions, two means, two variances.
    assert sweep.n_parameters[:2].tolist() == [2, 7]
    with pytest.raises(ParameterError, match="unknown criterion"):
        selection.sweep_states(sequences, [2], criterion="icl")


def test_a_sweep_stops_where_one_more_number_is_no_better():
    rng = np.random.default_rng(7)
    sequences = [np.where(rng.random((60, 1)) < 0.5, 0.0, 8.0) + rng.normal(size=(60, 1)) for _ in range(8)]
    whole = selection.sweep_states(sequences, [1, 2, 3, 4], random_state=1)
    sweep = selection.sweep_states(sequences, [4, 3, 2, 1], random_state=1, until_worse=True)
    assert sweep.best == whole.best == 2
    assert sweep.n_states.tolist() == [1, 2, 3]
    np.testing.assert_array_equal(sweep.bic, whole.bic[:3])
    np.testing.assert_array_equal(sweep.least_occupancy, whole.least_occupancy[:3])
    assert selection.sweep_states(sequences, [2], random_state=1, until_worse=True).best == 2


def test_parameters_of_a_full_covariance_model():
    assert selection.n_parameters(3, 4, full=True) == 2 + 6 + 12 + 30
    assert selection.n_parameters(3, 4, full=False) == 2 + 6 + 12 + 12


def test_occupancy_is_the_mean_posterior():
    rng = np.random.default_rng(8)
    bank = small_bank(rng)
    sequences = [rng.normal(size=(length, 2)) for length in (3, 4)]
    visits = np.zeros(3)
    for x in sequences:
        total, share = 0.0, np.zeros(3)
        for path in itertools.product(range(3), repeat=len(x)):
            p = bank.startprob[0, path[0]]
            for t, state in enumerate(path):
                p *= gaussian_density(x[t], bank.means[0, state], bank.covars[0, state])
                p *= bank.transmat[0, path[t - 1], state] if t else 1.0
            total += p
            share += p * np.bincount(path, minlength=3)
        visits += share / total
    np.testing.assert_allclose(selection.state_occupancy(bank, sequences), visits / 7, rtol=1e-9)
