"""EM, laws, levels and diagnostics of similarities: against enumeration, closed forms, simulation and plain versions."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from scipy import stats

from kinseq import sic
from kinseq.core.errors import DataError, ParameterError
from kinseq.sic.labels import Labels
from tests.sentences import Recorded

from .test_sic import some_labels

# EM


def plain_em(
    seen: np.ndarray, tested: np.ndarray, shares: np.ndarray, rounds: int
) -> tuple[float, np.ndarray, np.ndarray, np.ndarray, list[float]]:
    """EM over an array of pairs by iterations, from responsibilities."""
    trace = []
    for _ in range(rounds):
        pi1 = shares.mean()
        p1 = (shares[:, None] * seen * tested).sum(axis=0) / (shares[:, None] * tested).sum(axis=0)
        p0 = ((1 - shares)[:, None] * seen * tested).sum(axis=0) / ((1 - shares)[:, None] * tested).sum(axis=0)
        of = [
            np.log(pi) + (tested * (seen * np.log(p) + (1 - seen) * np.log(1 - p))).sum(axis=1)
            for pi, p in ((pi1, p1), (1 - pi1, p0))
        ]
        trace.append(np.logaddexp(*of).sum())
        shares = np.exp(of[0] - np.logaddexp(*of))
    return pi1, p1, p0, shares, trace


def test_em_is_that_of_pairs_by_iterations() -> None:
    rng = np.random.default_rng(4)
    values = rng.integers(0, 5, (30, 20))
    values[rng.random((30, 20)) < 0.25] = -1
    values[:, 7] = -1
    values[:2, :10] = values[2, 10:] = -1
    labels = Labels.from_classes(values)
    upper = np.triu_indices(30, k=1)
    used = labels.used().values
    tested = ((used[:, None] >= 0) & (used >= 0))[upper] * 1.0
    seen = (used[:, None] == used)[upper] * tested
    ever = tested.sum(axis=1) > 0
    assert not ever.all()
    start = seen[ever].sum(axis=1) / tested[ever].sum(axis=1)
    pi1, p1, p0, shares, trace = plain_em(seen[ever], tested[ever], start, 6)
    found = sic.bernoulli_mixture(labels, max_iter=5, tol=-1.0)
    np.testing.assert_allclose(found.trace, trace, rtol=1e-9)
    assert found.pi1 == pytest.approx(pi1, rel=1e-9)
    on = ~labels.skipped
    np.testing.assert_allclose(found.p1[on], p1, rtol=1e-8)
    np.testing.assert_allclose(found.p0[on], p0, rtol=1e-8)
    np.testing.assert_allclose(found.responsibilities[upper][ever], shares, atol=1e-9)
    np.testing.assert_array_equal(found.responsibilities[upper][~ever], 0.0)
    np.testing.assert_array_equal(found.p1[~on], 0.0)


def test_em_from_a_given_start_is_that_of_pairs_by_iterations() -> None:
    rng = np.random.default_rng(5)
    values = rng.integers(0, 3, (7, 5))
    values[rng.random((7, 5)) < 0.2] = -1
    values[:, 2] = -1
    labels = Labels.from_classes(values)
    pi1, p1, p0 = 0.35, rng.uniform(0.3, 0.9, 5), rng.uniform(0.1, 0.6, 5)
    # Pair by pair and iteration by iteration, as the mixture is defined.
    pairs = [(a, b) for a, b in itertools.combinations(range(7), 2) if ((values[a] >= 0) & (values[b] >= 0)).any()]

    def density(a: int, b: int, p: np.ndarray) -> float:
        told = [(p[i] if values[a, i] == values[b, i] else 1 - p[i]) for i in range(5) if min(values[[a, b], i]) >= 0]
        return float(np.prod(told))

    def logarithm(pi1: float, p1: np.ndarray, p0: np.ndarray) -> float:
        return sum(np.log(pi1 * density(a, b, p1) + (1 - pi1) * density(a, b, p0)) for a, b in pairs)

    first = {}
    for a, b in pairs:
        one, other = pi1 * density(a, b, p1), (1 - pi1) * density(a, b, p0)
        first[a, b] = one / (one + other)
    expected = np.zeros((2, 5))
    for i in (0, 1, 3, 4):
        both = [(a, b) for a, b in pairs if min(values[[a, b], i]) >= 0]
        for row, sign in ((0, 1), (1, -1)):
            weights = {pair: first[pair] if sign == 1 else 1 - first[pair] for pair in both}
            hits = sum(weights[a, b] for a, b in both if values[a, i] == values[b, i])
            expected[row, i] = hits / sum(weights.values())
    share = sum(first.values()) / len(first)
    found = sic.bernoulli_mixture(labels, max_iter=1, tol=-1.0, start=(pi1, p1, p0))
    turned = expected[0, [0, 1, 3, 4]].mean() < expected[1, [0, 1, 3, 4]].mean()
    assert found.pi1 == pytest.approx(1 - share if turned else share, rel=1e-9)
    np.testing.assert_allclose([found.p1, found.p0], expected[::-1] if turned else expected, rtol=1e-9, atol=1e-8)
    np.testing.assert_allclose(found.trace, [logarithm(pi1, p1, p0), logarithm(share, *expected)], rtol=1e-9)
    # An interrupted run continues where it ended.
    whole = sic.bernoulli_mixture(labels, max_iter=6, tol=-1.0, start=(pi1, p1, p0))
    rest = sic.bernoulli_mixture(labels, max_iter=5, tol=-1.0, start=(found.pi1, found.p1, found.p0))
    np.testing.assert_allclose(rest.trace, whole.trace[1:], rtol=1e-9)
    np.testing.assert_allclose(rest.responsibilities, whole.responsibilities, atol=1e-7)


@pytest.mark.parametrize(
    "start",
    [
        (0.5, [0.5] * 4),
        np.ones((3, 4)),
        (0.5, [0.5] * 3, [0.5] * 4),
        ([0.5], [0.5] * 4, [0.5] * 4),
        (0.5, [0.5] * 4, [0.5, 0.5, 0.5, 1.5]),
        (np.nan, [0.5] * 4, [0.5] * 4),
    ],
)
def test_a_start_that_is_none_is_refused(start: Any, recorded: Recorded) -> None:
    with recorded.raises((DataError, ParameterError)):
        sic.bernoulli_mixture(Labels.from_classes(np.arange(24).reshape(6, 4) % 3), start=start)


def drawn(n: int = 80, n_iterations: int = 60, seed: int = 0) -> tuple[Labels, np.ndarray]:
    """Two kinds of items; a classifier that puts those of one kind together now and then."""
    rng = np.random.default_rng(seed)
    kinds = np.arange(n) % 2
    values = np.where(rng.random((n, n_iterations)) < 0.5, kinds[:, None] * 8, rng.integers(0, 16, (n, n_iterations)))
    return Labels.from_classes(values), kinds


def test_em_gains_and_tells_the_components_apart() -> None:
    labels, kinds = drawn()
    found = sic.bernoulli_mixture(labels)
    assert (np.diff(found.trace) > -1e-8 * np.abs(found.trace[:-1])).all()
    assert found.converged
    assert found.p1.mean() > found.p0.mean()
    same = (kinds[:, None] == kinds)[np.triu_indices(80, k=1)]
    shares = found.responsibilities[np.triu_indices(80, k=1)]
    assert ((shares > 0.5) == same).mean() > 0.97
    assert found.pi1 == pytest.approx(same.mean(), abs=0.03)
    # Separated pairs of one class: by Bayes' rule.
    i = 3
    expected = found.pi1 * (1 - found.p1[i]) / (found.pi1 * (1 - found.p1[i]) + found.pi0 * (1 - found.p0[i]))
    assert found.chances[i] == pytest.approx(expected)


def test_em_of_pairs_that_are_all_alike_says_nothing_and_stays_finite(recorded: Recorded) -> None:
    for values in (np.zeros((6, 4)), np.arange(24).reshape(6, 4)):
        found = sic.bernoulli_mixture(Labels.from_classes(values))
        assert np.isfinite(found.responsibilities).all()
        assert np.isfinite(found.trace).all()
    with recorded.raises(DataError):
        sic.bernoulli_mixture(Labels.from_classes([[0, -1], [-1, 0]]))


# Laws


P = np.array([0.1, 0.5, 0.05, 0.9, 0.3])


def test_poisson_binomial_against_enumeration() -> None:
    expected = np.zeros(6)
    for outcome in itertools.product((0, 1), repeat=5):
        expected[sum(outcome)] += np.prod([p if o else 1 - p for p, o in zip(P, outcome, strict=True)])
    for method in ("fft", "recursion"):
        np.testing.assert_allclose(sic.poisson_binomial(P, method), expected, atol=1e-14)  # type: ignore[attr-defined]
    same = np.full(200, 0.3)
    np.testing.assert_allclose(
        sic.poisson_binomial(same),
        stats.binom.pmf(np.arange(201), 200, 0.3),
        atol=1e-13,  # type: ignore[attr-defined]
    )
    small = np.linspace(0.001, 0.02, 300)
    close = sic.poisson_binomial(small, "poisson")  # type: ignore[attr-defined]
    assert close.sum() == pytest.approx(1.0)
    # Le Cam: the sum of differences is at most twice the sum of squares.
    assert np.abs(close - sic.poisson_binomial(small)).sum() <= 2 * (small**2).sum()  # type: ignore[attr-defined]


@pytest.mark.parametrize("alpha", [1.0, 0.7])
def test_law_of_the_similarity_against_enumeration(alpha: float) -> None:
    expected: dict[float, float] = {}
    both = alpha**2
    for state in itertools.product((None, 0, 1), repeat=5):
        weight = np.prod([1 - both if s is None else both * (p if s else 1 - p) for p, s in zip(P, state, strict=True)])
        t, k = sum(s is not None for s in state), sum(s or 0 for s in state)
        value = k / t if t else 0.0
        expected[value] = expected.get(value, 0.0) + float(weight)
    found = sic.similarity_law(P, alpha)
    assert found.probabilities.sum() == pytest.approx(1.0)
    if alpha == 1.0:
        expected = {v: w for v, w in expected.items() if w > 0}
    np.testing.assert_allclose(found.values, sorted(expected), atol=1e-15)
    np.testing.assert_allclose(found.probabilities, [expected[v] for v in sorted(expected)], atol=1e-14)
    mean, variance = sic.moments(P, alpha)  # type: ignore[attr-defined]
    assert found.mean == pytest.approx(mean, rel=1e-12)
    assert found.variance == pytest.approx(variance, rel=1e-12)


def test_law_of_the_similarity_is_what_runs_give() -> None:
    rng, n = np.random.default_rng(0), 20_000
    p = rng.uniform(0.0, 0.4, 30)
    tested = rng.random((n, 30)) < 0.75**2
    together = tested & (rng.random((n, 30)) < p)
    s = together.sum(axis=1) / np.maximum(tested.sum(axis=1), 1)
    law = sic.similarity_law(p, 0.75)
    assert s.mean() == pytest.approx(law.mean, abs=4 * np.sqrt(law.variance / n))
    cdf = np.cumsum(law.probabilities)
    empirical = np.searchsorted(np.sort(s), law.values + 1e-12, side="right") / n
    assert np.abs(cdf - empirical).max() < 1.63 / np.sqrt(n)


def test_joint_law_without_tests_and_with_all() -> None:
    joint = sic.joint_law(P, [1.0, 1.0, 0.0, 0.0, 1.0])  # type: ignore[attr-defined]
    np.testing.assert_allclose(joint[3, :4], sic.poisson_binomial(P[[0, 1, 4]]), atol=1e-14)  # type: ignore[attr-defined]
    assert joint[3].sum() == pytest.approx(1.0)


# Levels


def test_levels_are_exceeded_as_often_as_is_asked_for_where_the_limit_holds() -> None:
    rng = np.random.default_rng(1)
    labels = Labels.from_classes(rng.integers(0, 6, (120, 400)))
    counts = sic.pair_counts(labels)  # type: ignore[attr-defined]
    matrix = sic.scored(labels, sic.weights(sic.pooled_rate(labels), sigma=2.0))  # type: ignore[attr-defined]
    for risk in (0.05, 0.2):
        found = sic.threshold(matrix, counts, risk, sigma=2.0, classes=np.arange(120))
        assert found.across == found.above == pytest.approx(risk, abs=0.012)
        np.testing.assert_allclose(found.levels[0, 1], stats.norm.isf(risk) * 2.0 / np.sqrt(400))
    never = np.zeros((3, 3), dtype=int)
    never[0, 1] = never[1, 0] = 4
    some = sic.threshold(np.ones((3, 3)), never, 0.05)
    assert some.above == 1.0
    assert np.isinf(some.levels[0, 2])
    assert some.across is None


def test_weighted_scores_of_other_classes_are_too_low_for_good() -> None:
    labels, kinds = drawn(n_iterations=300)
    matrix = sic.scored(labels, sic.weights(sic.independent_rate(labels)))  # type: ignore[attr-defined]
    other = kinds[:, None] != kinds
    assert matrix[other].mean() < -0.1
    mixture = sic.bernoulli_mixture(labels)
    right = sic.scored(labels, sic.weights(mixture.p0))  # type: ignore[attr-defined]
    assert abs(right[other].mean()) < 0.02


# Diagnostics


def test_correlations_are_those_of_scipy() -> None:
    rng = np.random.default_rng(0)
    a, b = (np.round(x + x.T, 1) for x in rng.random((2, 12, 12)))
    upper = np.triu_indices(12, k=1)
    assert sic.correlation(a, b) == pytest.approx(stats.pearsonr(a[upper], b[upper])[0])
    assert sic.correlation(a, b, "spearman") == pytest.approx(stats.spearmanr(a[upper], b[upper])[0])
    assert sic.correlation(a, np.ones((12, 12))) == 0.0


def test_partial_sums_give_the_correlations_of_their_definition() -> None:
    labels, _ = drawn(40, 20)
    at = [13, 4, 20, 13, 5]
    found = sic.convergence(labels, at)
    final = sic.binary(labels)
    for row, x in enumerate(at):
        halves = [sic.binary(labels.of_iterations(np.arange(start, x, 2))) for start in (0, 1)]
        for kind in ("pearson", "spearman"):
            assert getattr(found, kind)[row] == sic.correlation(sic.binary(labels.first(x)), final, kind)
            assert getattr(found, f"disjoint_{kind}")[row] == sic.correlation(*halves, kind)


def test_convergence_is_one_at_the_end_and_two_runs_agree_less() -> None:
    labels, _ = drawn()
    found = sic.convergence(labels, [10, 30, 60])
    assert found.pearson[-1] == pytest.approx(1.0)
    assert (np.diff(found.pearson) > 0).all()
    assert (found.disjoint_pearson < found.pearson).all()
    halves = [sic.binary(labels.of_iterations(np.arange(start, 60, 2))) for start in (0, 1)]
    assert found.disjoint_spearman[-1] == sic.correlation(halves[0], halves[1], "spearman")
    with pytest.raises(ParameterError, match="up to 60"):
        sic.convergence(labels, [61])


def test_confidence_against_scipy() -> None:
    rng = np.random.default_rng(2)
    x = rng.random((9, 9)) ** 2
    x += x.T
    x[4] = x[:, 4] = 0.5
    found = sic.confidence(x)
    for i in range(9):
        s = np.delete(x[i], i)
        assert found["max"][i] == s.max()
        if i == 4:
            assert found["variance"][i] == found["bimodality"][i] == found["skewness"][i] == 0.0
            continue
        assert found["variance"][i] == pytest.approx(s.var())
        g, k = stats.skew(s, bias=False), stats.kurtosis(s, bias=False)
        assert found["bimodality"][i] == pytest.approx((g**2 + 1) / (k + 3 * 49 / (6 * 5)))
        upper = s[s > s.mean()]
        assert found["skewness"][i] == pytest.approx(-stats.skew(upper) if upper.size >= 3 else 0.0)
    with pytest.raises(DataError, match="at least 5"):
        sic.confidence(np.eye(4))


@pytest.mark.parametrize(
    "call",
    [
        lambda: sic.similarity_law([]),
        lambda: sic.similarity_law([0.5, 1.5]),
        lambda: sic.similarity_law([0.5], tested=[0.1, 0.2]),
        lambda: sic.threshold(np.zeros((3, 3)), np.ones((3, 3)), 1.0),
        lambda: sic.threshold(np.zeros((3, 3)), np.zeros((3, 3))),
        lambda: sic.threshold(np.zeros((3, 3)), np.ones((3, 3)), classes=[1]),
        lambda: sic.correlation(np.eye(3), np.eye(4)),
        lambda: Labels.from_classes([0, 1]),
        lambda: Labels.from_classes([[40000]]),
        lambda: Labels.join([]),
        lambda: Labels.join([some_labels(), some_labels()]),
        lambda: Labels.join([some_labels(), some_labels(n=9)]),
    ],
)
def test_what_cannot_be_is_refused(call: Any, recorded: Recorded) -> None:
    with recorded.raises((DataError, ParameterError)):
        call()
