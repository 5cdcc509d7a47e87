"""KL-LL against loops over the definition of the divergence, and the building and selection of pools."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kinseq import measures
from kinseq.core.errors import DataError, KinseqWarning, ParameterError
from kinseq.core.graphs import affinity
from kinseq.core.sequences import SequenceSet
from kinseq.measures import kl_ll as module
from kinseq.measures.kl_ll import build_pool, kl_ll, model_distributions, pool_sizes, select_pool
from kinseq.measures.registry import MeasureInput
from tests.sentences import Recorded


def matrix(p=8, n=11, seed=0, spread=3.0):
    return np.random.default_rng(seed).normal(-5.0, spread, (p, n))


def divergence(p, q):
    return sum(a * math.log(a / b) for a, b in zip(p, q, strict=True))


def brute_force(ll, pool=None, norm="exp"):
    """Definition 2.6-2.8 with explicit loops; probabilities must be well above the floor."""
    rows = range(len(ll)) if pool is None else pool
    columns = []
    for j in range(ll.shape[1]):
        weights = [math.exp(ll[i, j]) if norm == "exp" else ll[i, j] for i in rows]
        columns.append([w / sum(weights) for w in weights])
    n = ll.shape[1]
    return np.array(
        [
            [0.5 * (divergence(columns[i], columns[j]) + divergence(columns[j], columns[i])) for j in range(n)]
            for i in range(n)
        ]
    )


@pytest.mark.parametrize("norm", ["exp", "linear"])
@pytest.mark.parametrize("pool", [None, [3], [5, 0, 2], list(range(8))])
def test_definition(norm, pool):
    ll = -np.abs(matrix()) - 0.1 if norm == "linear" else matrix()
    np.testing.assert_allclose(kl_ll(ll, pool, norm), brute_force(ll, pool, norm), rtol=1e-11, atol=1e-12)


def test_symmetrised_with_one_half():
    ll = np.log(np.array([[0.25, 0.5], [0.75, 0.5]]))
    one = 0.25 * math.log(0.5) + 0.75 * math.log(1.5)
    other = 0.5 * math.log(2.0) + 0.5 * math.log(2.0 / 3.0)
    assert kl_ll(ll)[0, 1] == pytest.approx(0.5 * (one + other), rel=1e-12)


def test_constant_added_to_a_column_changes_nothing():
    ll = matrix()
    shift = np.random.default_rng(5).normal(0.0, 1e4, 11)
    np.testing.assert_allclose(kl_ll(ll + shift), kl_ll(ll), rtol=1e-9, atol=1e-9)


def test_order_of_sequences_and_of_models_does_not_matter():
    ll, random = matrix(), np.random.default_rng(2)
    columns, rows = random.permutation(11), random.permutation(8)
    np.testing.assert_allclose(kl_ll(ll[:, columns]), kl_ll(ll)[np.ix_(columns, columns)], atol=1e-13)
    np.testing.assert_allclose(kl_ll(ll[rows]), kl_ll(ll), atol=1e-13)


def test_duplicated_sequence_is_at_distance_zero_and_duplicated_models_change_nothing():
    ll = matrix()
    twice = kl_ll(np.column_stack([ll, ll[:, 4]]))
    assert twice[4, 11] == pytest.approx(0.0, abs=1e-13)
    np.testing.assert_allclose(twice[:11, :11], kl_ll(ll), atol=1e-13)
    # Every model twice halves all probabilities: the divergence stays.
    np.testing.assert_allclose(kl_ll(np.vstack([ll, ll])), kl_ll(ll), atol=1e-12)


def test_small_differences_are_not_lost_to_cancellation():
    ll = matrix(6, 2)
    ll[:, 1] = ll[:, 0] + 1e-7 * np.arange(6)
    p, q = (np.exp(ll[:, j] - ll[:, j].max()) for j in (0, 1))
    p, q = p / p.sum(), q / q.sum()
    # To second order the symmetrised divergence is half the variance of the difference of the exponents.
    expected = 0.5 * 1e-14 * (p @ np.arange(6) ** 2 - (p @ np.arange(6)) ** 2)
    assert kl_ll(ll)[0, 1] == pytest.approx(expected, rel=1e-3)


def test_vanishing_probabilities_keep_their_exact_logarithm():
    ll = np.array([[0.0, -2000.0, -3000.0], [-2000.0, 0.0, -4000.0], [-5000.0, -6000.0, 0.0]])
    _, logs, n_floored = model_distributions(ll)
    assert n_floored == 0
    np.testing.assert_allclose(logs, ll, atol=1e-12)
    # Columns are one-hot to the last bit, so each divergence is the log-likelihood that was lost.
    np.testing.assert_allclose(kl_ll(ll), [[0, 2000, 4000], [2000, 0, 5000], [4000, 5000, 0]], rtol=1e-12)


def test_linear_norm_floors_shares_of_the_wrong_sign_with_a_warning():
    ll = np.array([[1.0, -1.0], [2.0, 3.0]])
    with pytest.warns(KinseqWarning, match="norm='exp'"):
        distance = kl_ll(ll, norm="linear")
    assert np.isfinite(distance).all()
    with pytest.warns(KinseqWarning):
        assert np.isfinite(kl_ll(np.array([[1.0, 2.0], [-1.0, 3.0]]), norm="linear")).all()


def test_one_model_tells_nothing_apart():
    np.testing.assert_array_equal(kl_ll(matrix(), pool=[2]), np.zeros((11, 11)))


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 6), st.integers(1, 6), st.integers(0, 10**6), st.floats(0.0, 2000.0))
def test_always_a_finite_symmetric_matrix_without_negatives(p, n, seed, spread):
    distance = kl_ll(np.random.default_rng(seed).normal(0.0, 1.0, (p, n)) * spread)
    assert np.isfinite(distance).all()
    assert (distance >= 0).all()
    np.testing.assert_array_equal(distance, distance.T)
    np.testing.assert_array_equal(np.diag(distance), 0.0)


@pytest.mark.parametrize("pool", [[0, 0], [8], [], [0.5]])
def test_bad_pool_is_refused(pool, recorded: Recorded):
    with recorded.raises(ParameterError):
        kl_ll(matrix(), pool=pool)


def test_bad_matrix_and_norm_are_refused(recorded: Recorded):
    with recorded.raises(DataError):
        kl_ll(np.zeros((0, 3)))
    with pytest.raises(DataError, match="holds inf"):
        kl_ll(np.array([[np.inf, 0.0]]))
    with pytest.raises(ParameterError, match="exp, linear"):
        kl_ll(matrix(), norm="softmax")


def pool_by_hand(ll, lengths):
    order = [max(range(len(lengths)), key=lambda i: (lengths[i], -i))]
    while len(order) < len(lengths):
        rest = [j for j in range(len(lengths)) if j not in order]
        mass = {j: sum(math.exp(ll[i, j]) for i in order) for j in rest}
        order.append(min(rest, key=lambda j: (mass[j], j)))
    return order


@pytest.mark.parametrize("seed", range(5))
def test_pool_grows_by_the_worst_represented_sequence(seed):
    ll, lengths = matrix(12, 12, seed), np.random.default_rng(seed).integers(5, 9, 12)
    assert build_pool(ll, lengths, "least_mass").tolist() == pool_by_hand(ll, lengths)


def test_pool_by_length_breaks_ties_by_index():
    assert build_pool(np.zeros((4, 4)), [3, 9, 9, 1], "longest").tolist() == [1, 2, 0, 3]
    assert build_pool(np.zeros((4, 4)), [3, 9, 9, 1], "least_mass").tolist() == [1, 0, 2, 3]


def test_pool_does_not_underflow():
    ll = np.full((4, 4), -5000.0)
    ll[0] = [-1.0, -5003.0, -5001.0, -5002.0]
    assert build_pool(ll, [9, 1, 1, 1], "least_mass").tolist()[:2] == [0, 1]


@pytest.mark.parametrize(
    "n, least, step, sizes",
    [
        (10, 0, 4, [4, 8, 10]),
        (10, "N/3", 1, [4, 5, 6, 7, 8, 9, 10]),
        (10, 0.5, 2, [6, 8, 10]),
        (40, 0, "N/20", list(range(2, 41, 2))),
        (41, 0, "N/20", [*range(2, 41, 2), 41]),
        (5, 0, "N/20", [2, 3, 4, 5]),
        (30, 10, "N / 3", [10, 20, 30]),
        (270, "N/3", "N/20", [*range(91, 271, 13), 270]),
        (3, "N", 1, [3]),
        (1, 0, 1, [1]),
    ],
)
def test_pool_sizes(n, least, step, sizes):
    assert pool_sizes(n, least, step).tolist() == sizes


@pytest.mark.parametrize("value", ["third", "N/0", "N/x", -1, 1.5, True, None, float("nan")])
def test_bad_pool_sizes_are_refused(value):
    with pytest.raises(ParameterError, match="whole number"):
        pool_sizes(10, value, 1)


def blocks(n_each=12, n_clusters=3, seed=0):
    """Likelihoods with clear clusters of sequences, and lengths."""
    random = np.random.default_rng(seed)
    label = np.repeat(np.arange(n_clusters), n_each)
    ll = random.normal(-4.0, 0.6, (label.size, label.size)) + 2.0 * (label[:, None] == label)
    return ll, random.integers(10, 40, label.size), label


@pytest.mark.parametrize("diagonal", ["zero", "one"])
@pytest.mark.parametrize("width", ["eigengap", "median", "local", 0.3])
@pytest.mark.parametrize("rule", ["least_mass", "longest"])
@pytest.mark.parametrize("criterion", ["eigengap", "ratio"])
def test_selected_pool_is_the_best_of_all_that_were_tried(criterion, rule, width, diagonal):
    ll, lengths, _ = blocks()
    order = build_pool(ll, lengths, rule)
    scores = {}
    for size in pool_sizes(len(ll), "N/6", "N/9"):
        distance = kl_ll(ll, order[:size])
        sigma = width if not isinstance(width, str) else affinity.choose_width(distance, 3, width, diagonal=diagonal)
        if criterion == "eigengap":
            scores[int(size)] = affinity.eigengap(distance, 3, sigma, diagonal)
        else:
            values = affinity.spectrum(distance, sigma, diagonal)
            scores[int(size)] = values[3] / values[-1]
    chosen = select_pool(
        ll, lengths, 3, rule, criterion, min_pool="N/6", pool_step="N/9", width=width, diagonal=diagonal
    )
    best = max(scores.values())
    assert chosen.score == pytest.approx(best, rel=1e-9)
    assert chosen.pool.size == min(size for size, score in scores.items() if score >= best - 1e-10)
    assert chosen.pool.tolist() == order[: chosen.pool.size].tolist()
    assert chosen.sizes.tolist() == sorted(scores)


def test_indifferent_pools_give_the_smallest():
    ll = np.full((30, 30), -2.0)
    assert select_pool(ll, np.full(30, 5), 3, pool_step=1).pool.tolist() == [0, 1]


def evidence(ll, lengths):
    sequences = SequenceSet.from_arrays([np.zeros((t, 1)) for t in lengths])
    return MeasureInput(sequences, loglik=ll * np.asarray(lengths), n_clusters=3)


@pytest.mark.parametrize(
    "name, rule, criterion", [("kl_ll_ms", "least_mass", "eigengap"), ("kl_ll_ms_length", "longest", "ratio")]
)
def test_registered_selections(name, rule, criterion):
    ll, lengths, _ = blocks(seed=4)
    distance, found = measures.get(name).compute(evidence(ll, lengths), min_pool="N/3")
    chosen = select_pool(ll, lengths, 3, rule, criterion, min_pool="N/3")
    np.testing.assert_allclose(distance, kl_ll(ll, chosen.pool), atol=1e-9)
    assert found["models_kept"] == pytest.approx(100.0 * chosen.pool.size / 36)
    assert found["pool_size"] == chosen.pool.size
    assert found["pools_tried"] == chosen.sizes.size
    assert found["kl_ll_floored"] == 0


def test_selection_needs_the_number_of_clusters():
    ll, lengths, _ = blocks()
    bare = MeasureInput(evidence(ll, lengths).sequences, loglik=ll)
    with pytest.raises(ParameterError, match="n_clusters"):
        measures.get("kl_ll_ms").compute(bare)


def test_unknown_rules_are_refused(recorded: Recorded):
    ll, lengths, _ = blocks()
    with recorded.raises(ParameterError):
        build_pool(ll, lengths, "heaviest")
    with pytest.raises(ParameterError, match="eigengap, ratio"):
        select_pool(ll, lengths, 3, criterion="gap")
    with recorded.raises(DataError):
        build_pool(ll[:5], lengths, "longest")
    assert module.MIN_PROBABILITY == 1e-300
