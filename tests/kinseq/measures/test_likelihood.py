"""Distances read off the likelihood matrix, against loops over the printed formulas."""

import math

import numpy as np
import pytest

from kinseq import measures
from kinseq.core.errors import DataError, KinseqWarning, ParameterError
from kinseq.core.sequences import SequenceSet
from kinseq.measures import likelihood
from kinseq.measures.registry import MeasureInput
from tests.sentences import Recorded

FORMULAS = {
    "sym": lambda ll, i, j: 0.5 * (ll[i, j] + ll[j, i]),
    "sym_neg": lambda ll, i, j: -0.5 * (ll[i, j] + ll[j, i]),
    "bp": lambda ll, i, j: 0.5 * ((ll[i, j] - ll[i, i]) / ll[i, i] + (ll[j, i] - ll[j, j]) / ll[j, j]),
    "por": lambda ll, i, j: abs(math.exp(ll[i, j]) + math.exp(ll[j, i]) - math.exp(ll[i, i]) - math.exp(ll[j, j])),
    "yy": lambda ll, i, j: abs(ll[i, i] + ll[j, j] - ll[i, j] - ll[j, i]),
}


def matrix(n=9, seed=0, shift=-3.0):
    """Log-likelihoods per frame, each sequence likeliest under its own model."""
    random = np.random.default_rng(seed)
    return random.normal(shift, 1.0, (n, n)) + 1.5 * np.eye(n)


def evidence(total, lengths):
    sequences = SequenceSet.from_arrays([np.zeros((t, 1)) for t in lengths])
    return MeasureInput(sequences, loglik=total)


def test_sym_with_its_own_diagonal_is_the_likelihood_of_each_sequence_under_its_own_model(recorded: Recorded):
    ll, lengths = matrix(shift=2.0), np.arange(3, 12)
    given = evidence(ll * lengths, lengths)
    own = measures.get("sym").compute(given, diagonal="own")[0]
    np.testing.assert_allclose(np.diag(own), np.diag(ll), rtol=1e-14)
    zero = measures.get("sym").compute(given)[0]
    np.testing.assert_array_equal(np.diag(zero), 0.0)
    others = ~np.eye(len(ll), dtype=bool)
    np.testing.assert_array_equal(own[others], zero[others])
    with recorded.raises(ParameterError):
        measures.get("sym").compute(given, diagonal="one")


@pytest.mark.filterwarnings("ignore::kinseq.core.errors.KinseqWarning")
@pytest.mark.parametrize("name", sorted(FORMULAS))
@pytest.mark.parametrize("shift", [-3.0, 0.0, 2.0])
def test_formula_as_printed(name, shift):
    ll = matrix(shift=shift)
    distance = getattr(likelihood, name)(ll)
    for i in range(len(ll)):
        for j in range(len(ll)):
            expected = 0.0 if i == j else FORMULAS[name](ll, i, j)
            assert distance[i, j] == pytest.approx(expected, rel=1e-12, abs=1e-12)


def test_sym_is_signed_and_its_negative_is_the_negative():
    ll = matrix(shift=-3.0)
    assert (likelihood.sym(ll)[~np.eye(9, dtype=bool)] < 0).any()
    np.testing.assert_array_equal(likelihood.sym_neg(ll), -likelihood.sym(ll))


@pytest.mark.filterwarnings("ignore::kinseq.core.errors.KinseqWarning")
@pytest.mark.parametrize("name", sorted(FORMULAS))
def test_order_of_sequences_does_not_matter(name):
    ll, order = matrix(), np.random.default_rng(1).permutation(9)
    function = getattr(likelihood, name)
    np.testing.assert_array_equal(function(ll[np.ix_(order, order)]), function(ll)[np.ix_(order, order)])


def test_input_is_left_alone():
    ll = matrix()
    before = ll.copy()
    for name in ("sym", "sym_neg", "bp", "por", "yy"):
        getattr(likelihood, name)(ll)
    np.testing.assert_array_equal(ll, before)


def test_length_normalisation_divides_columns():
    total, lengths = np.arange(6.0).reshape(2, 3), np.array([1, 2, 4])
    np.testing.assert_array_equal(likelihood.length_normalised(total, lengths), [[0.0, 0.5, 0.5], [3.0, 2.0, 1.25]])


@pytest.mark.parametrize(
    "total, lengths",
    [
        (np.zeros((2, 3)), [1, 2]),
        (np.zeros(3), [1, 2, 3]),
        (np.zeros((2, 2)), [1, 0]),
        (np.array([[np.nan, 0.0], [0.0, 0.0]]), [1, 1]),
    ],
)
def test_length_normalisation_refuses(total, lengths, recorded: Recorded):
    with recorded.raises(DataError):
        likelihood.length_normalised(total, lengths)


@pytest.mark.parametrize("name", sorted(FORMULAS))
def test_matrix_must_be_square_and_finite(name):
    with pytest.raises(DataError, match="square"):
        getattr(likelihood, name)(np.zeros((2, 3)))
    with pytest.raises(DataError, match="holds NaN"):
        getattr(likelihood, name)(np.array([[0.0, np.nan], [0.0, 0.0]]))


def test_bp_counts_positive_likelihoods_and_keeps_the_printed_sign():
    ll = matrix(shift=2.0)
    positive = int((np.diag(ll) > 0).sum())
    with pytest.warns(KinseqWarning, match=f"{positive} of 9"):
        distance = likelihood.bp(ll)
    assert distance[0, 1] == pytest.approx(FORMULAS["bp"](ll, 0, 1))
    with pytest.warns(KinseqWarning):
        _, findings = measures.get("bp").compute(evidence(ll, [1] * 9))
    assert findings == {"bp_positive_diagonal": positive, "bp_zero_diagonal": 0}


def test_bp_is_silent_when_nothing_is_positive(recwarn):
    likelihood.bp(matrix(shift=-20.0))
    assert not recwarn.list


def test_bp_survives_a_likelihood_of_exactly_one():
    ll = matrix(4, shift=-3.0)
    ll[2, 2] = 0.0
    with pytest.warns(KinseqWarning):
        distance = likelihood.bp(ll)
    assert np.isfinite(distance).all()


def test_por_clips_and_counts_what_would_overflow():
    ll = matrix(4)
    ll[0, 0], ll[1, 0] = 800.0, 1e6
    with pytest.warns(KinseqWarning, match="2 likelihoods"):
        distance = likelihood.por(ll)
    assert np.isfinite(distance).all()
    assert distance[0, 2] == pytest.approx(math.exp(700.0))


def test_measures_normalise_by_length_first():
    random = np.random.default_rng(3)
    lengths = random.integers(2, 30, 7)
    total = random.normal(-50.0, 10.0, (7, 7))
    for name in ("sym", "yy", "por"):
        distance, _ = measures.get(name).compute(evidence(total, lengths))
        np.testing.assert_array_equal(distance, getattr(likelihood, name)(total / lengths))


def test_sign_turned_measure_starts_at_zero_and_keeps_the_order():
    ll = matrix(shift=1.0)
    apart = ~np.eye(9, dtype=bool)
    shifted, _ = measures.get("sym_neg").compute(evidence(ll, [1] * 9))
    plain, _ = measures.get("sym_neg").compute(evidence(ll, [1] * 9), shift=False)
    np.testing.assert_array_equal(plain, likelihood.sym_neg(ll))
    assert shifted[apart].min() == 0.0
    np.testing.assert_allclose(np.ptp(shifted[apart] - plain[apart]), 0.0, atol=1e-12)
