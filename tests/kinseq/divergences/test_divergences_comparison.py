"""Comparison of two samples: estimates, spread of the intervals, and p-values."""

from __future__ import annotations

import numpy as np
import pytest

from kinseq import divergences as dv
from kinseq.core.arrays import FloatArray, IntArray
from kinseq.divergences.comparison import BIAS_FALLS, _Pooled, _subsampled, _Units
from tests.sentences import Recorded


def draw(n: int, d: int, seed: int, shift: float = 0.0) -> FloatArray:
    return np.random.default_rng(seed).normal(loc=shift, size=(n, d))


def test_estimates_are_those_of_the_single_functions() -> None:
    x, y = draw(20, 2, 0), draw(31, 2, 1, 0.5)
    found = dv.compare(x, y, n_subsamples=20, n_permutations=19)
    assert found["nn_risk"].value == pytest.approx(dv.nn_risk(x, y), abs=1e-12)
    assert found["nn_j"].value == pytest.approx(dv.nn_jeffreys(x, y, clip=False), abs=1e-10)
    assert found["wang_j"].value == pytest.approx(dv.wang_jeffreys(x, y, clip=False), abs=1e-10)
    assert found["nn_bound_j"].value == pytest.approx(dv.mahalanobis_bound_jeffreys(x, y), abs=1e-12)
    assert found["mmd2"].value == pytest.approx(dv.mmd2(x, y, unbiased=True), abs=1e-12)
    assert all(made.low < made.value < made.high for made in found.estimates)
    assert {made.name for made in found.estimates if made.p_value is not None} == {"nn_risk", "mmd2"}
    again = dv.compare(1024.0 * x, 1024.0 * y, n_subsamples=20, n_permutations=19)
    assert [made.p_value for made in again.estimates] == [made.p_value for made in found.estimates]
    assert "95 % intervals" in str(found)
    assert found["mmd2"].null is not None
    assert found["mmd2"].null.shape == (19,)
    assert found["nn_j"].null is None
    assert dv.compare(x, y, n_subsamples=20, n_permutations=19) == found
    assert (
        dv.compare(x, y, ["mmd2"], n_subsamples=20, n_permutations=19, random_state=1)["mmd2"].low != found["mmd2"].low
    )


def test_ties_are_shared_as_in_the_risk_of_two_sets() -> None:
    x, y = np.repeat(draw(5, 1, 0), 2, axis=0), np.concatenate([draw(5, 1, 0), draw(6, 1, 1)])
    found = dv.compare(x, y, ["nn_risk"], n_subsamples=20, n_permutations=19)
    assert found["nn_risk"].value == pytest.approx(dv.nn_risk(x, y), abs=1e-12)


def test_intervals_are_as_wide_as_estimates_vary() -> None:
    names = ("nn_risk", "nn_j", "nn_bound_j", "mmd2")
    runs = [
        dv.compare(
            draw(60, 1, s),
            draw(60, 1, 1000 + s, 1.0),
            names,
            n_subsamples=30,
            n_permutations=19,
            sigma=1.0,
            random_state=s,
        )
        for s in range(60)
    ]
    for name in names:
        values = np.array([run[name].value for run in runs])
        widths = np.array([run[name].high - run[name].low for run in runs]) / (2 * 1.96)
        assert widths.mean() == pytest.approx(values.std(), rel=0.3)
        inside = np.mean([run[name].low <= values.mean() <= run[name].high for run in runs])
        assert 0.85 <= inside <= 1.0


def test_p_values_are_uniform_under_equal_distributions_and_small_under_others() -> None:
    options = {"n_subsamples": 20, "n_permutations": 39}
    null = [dv.compare(draw(9, 2, s), draw(14, 2, 5000 + s), dv_tests(), **options, random_state=s) for s in range(300)]
    for name in dv_tests():
        p = np.array([run[name].p_value for run in null])
        assert p.min() >= 1 / 40
        for level in (0.1, 0.25, 0.5, 0.75):
            # Four standard errors about the level; p-values take the values 1/40, 2/40 and so on.
            assert (p <= level + 1e-9).mean() == pytest.approx(level, abs=4 * np.sqrt(level * (1 - level) / 300))
    apart = dv.compare(draw(20, 2, 0), draw(20, 2, 1, 2.0), dv_tests(), n_subsamples=20, n_permutations=199)
    assert all(made.p_value == 1 / 200 for made in apart.estimates)


def test_estimates_of_a_part_are_those_of_its_vectors_alone() -> None:
    # Ties within and between the samples, with left-out vectors in between.
    both = np.round(draw(40, 2, 0), 1)
    both[10:14] = both[30:34]
    first, second = np.arange(0, 20, 2), np.arange(23, 40, 3)
    pooled = _Pooled.of(both, 0.8)
    x, y = both[first], both[second]
    found = pooled(("nn_risk", "nn_j", "mmd2"), first, second)
    expected = [dv.nn_risk(x, y), dv.nn_jeffreys(x, y, clip=False), dv.mmd2(x, y, 0.8, unbiased=True)]
    np.testing.assert_allclose(found, expected, atol=1e-10)
    labels = np.repeat([[1.0], [0.0]], [16, 24], axis=0)
    for name, k in (("nn_risk", 0), ("mmd2", 2)):
        whole = pooled((name,), np.arange(16), np.arange(16, 40))
        np.testing.assert_allclose(pooled.relabelled(name, labels), whole, atol=1e-12)
        assert abs(whole[0] - expected[k]) > 1e-3


def test_an_interval_reaches_where_an_estimate_with_a_known_bias_is_going() -> None:
    def estimate(names: tuple[str, ...], first: IntArray, second: IntArray) -> FloatArray:
        falls = np.array([BIAS_FALLS[name] for name in names])
        return 3.0 - 2.0 * float(len(first)) ** -falls

    names, rng = ("nn_j", "nn_bound_j"), np.random.default_rng(0)
    units = (_Units.from_groups(64, None, "x", 0), _Units.from_groups(64, None, "y", 64))
    spread, drift = _subsampled(estimate, names, *units, 20, rng, None)  # type: ignore[arg-type]
    np.testing.assert_allclose(spread, 0.0, atol=1e-12)
    np.testing.assert_allclose(drift, [2.0 / 8.0, 2.0 / 64.0], atol=1e-12)


def test_groups_keep_dependent_vectors_from_looking_like_a_difference() -> None:
    options = {"estimators": dv_tests(), "n_subsamples": 20, "n_permutations": 39}
    p: dict[str, list[float]] = {"groups": [], "vectors": []}
    for s in range(60):
        # Ten groups per sample, each of five close vectors: one distribution of groups.
        centres = draw(20, 2, s).repeat(5, axis=0)
        both = centres + 0.1 * draw(100, 2, 900 + s)
        of = np.arange(10).repeat(5)
        found = dv.compare(both[:50], both[50:], **options, random_state=s, groups=(of, of))
        assert found.units == (10, 10)
        p["groups"].append(found["mmd2"].p_value)
        p["vectors"].append(dv.compare(both[:50], both[50:], **options, random_state=s)["mmd2"].p_value)
    # Four standard errors of a share of 60 about 0.1; without groups most samples look different.
    assert np.mean(np.array(p["groups"]) <= 0.1) <= 0.1 + 4 * np.sqrt(0.09 / 60)
    assert np.mean(np.array(p["vectors"]) <= 0.1) > 0.5
    one_each = dv.compare(both[:50], both[50:], **options, groups=(np.arange(50), np.arange(50)))
    assert one_each == dv.compare(both[:50], both[50:], **options)


def dv_tests() -> tuple[str, ...]:
    return ("nn_risk", "mmd2")


@pytest.mark.parametrize(
    ("n", "d", "without"),
    [
        (20, 3, set()),
        (20, 4, {"wang_j"}),
        (20, 10, {"wang_j"}),
        (20, 11, {"wang_j", "nn_bound_j"}),
        (64, 32, {"wang_j"}),
        (66, 33, {"wang_j", "nn_j"}),
    ],
)
def test_no_interval_is_given_where_intervals_are_not_good(n: int, d: int, without: set[str]) -> None:
    found = dv.compare(draw(n, d, 0), draw(80, d, 1), n_subsamples=20, n_permutations=19)
    assert {made.name for made in found.estimates if made.low is None} == without
    assert {made.name for made in found.estimates if made.high is None} == without
    assert {made.name for made in found.estimates if made.why} == without
    assert str(found).count("no interval") == len(without)
    assert all(np.isfinite(made.value) for made in found.estimates)


def test_intervals_are_open_above_or_none_where_samples_lie_apart(recorded: Recorded) -> None:
    options = {"n_subsamples": 20, "n_permutations": 19}
    # J = 36, of which 50 vectors show no more than about 7.
    found = dv.compare(draw(50, 1, 0), draw(60, 1, 1, 6.0), ["nn_j", "wang_j", "nn_bound_j"], **options)
    for name in ("nn_j", "wang_j"):
        assert found[name].value > np.log(50)
        assert found[name].low is not None
        assert found[name].low < 36.0
        assert found[name].high is None
        assert found[name].interval.startswith("above ")
        recorded.within(found[name].why)
    assert found["nn_bound_j"].high is not None
    # No part of the samples has an error.
    far = dv.compare(draw(50, 1, 0), draw(50, 1, 1, 90.0), ["nn_risk"], **options)["nn_risk"]
    assert (far.low, far.high, far.p_value) == (None, None, 1 / 20)
    recorded.within(far.why)


def test_vectors_that_one_sample_repeats_count_once(recorded: Recorded) -> None:
    options = {"n_subsamples": 20, "n_permutations": 39}
    x, y = draw(25, 2, 0), draw(30, 2, 1)
    plain = dv.compare(x, y, **options)
    copied = dv.compare(np.repeat(x, 4, axis=0), np.repeat(y, 2, axis=0), **options)
    assert copied.repeated == (75, 30)
    assert copied.estimates == plain.estimates
    assert (copied.n, copied.m, copied.units) == (25, 30, (25, 30))
    recorded.within(str(copied))
    each = dv.compare(np.repeat(x, 4, axis=0), np.repeat(y, 2, axis=0), **options, repeats="each")
    assert (each.n, each.m, each.repeated) == (100, 60, (0, 0))
    assert each["nn_risk"].value == pytest.approx(dv.nn_risk(np.repeat(x, 4, axis=0), np.repeat(y, 2, axis=0)))
    assert each["nn_risk"].p_value == 1 / 40  # copies are close to each other, and nothing else is
    # A value in both samples counts as frequent, in any order and whatever the sign of 0.
    both = np.concatenate([x, np.zeros((9, 2)), x[:1]]), np.concatenate([y, -np.zeros((3, 2)), x[:1]])
    shared = dv.compare(*both, **options)
    assert (shared.n, shared.m, shared.repeated) == (25 + 9 + 1, 34, (0, 0))


def test_groups_that_one_sample_repeats_count_once() -> None:
    options = {"estimators": dv_tests(), "n_subsamples": 20, "n_permutations": 39}
    x, y, of = draw(30, 2, 0), draw(30, 2, 1), np.arange(10).repeat(3)
    plain = dv.compare(x, y, **options, groups=(of, of))
    # Group 2 again, its vectors in another order; each vector of group 4 twice.
    more = np.concatenate([x, x[[8, 7, 6]], x[12:15]])
    repeated = dv.compare(more, y, **options, groups=(np.concatenate([of, [10] * 3, [4] * 3]), of))
    assert repeated.repeated == (6, 0)
    assert repeated.estimates == plain.estimates
    # Vectors in several groups are frequent values.
    several = np.concatenate([x, np.zeros((10, 2))]), np.concatenate([of, np.arange(10)])
    assert dv.compare(several[0], y, **options, groups=(several[1], of)).repeated == (0, 0)


def test_p_values_are_not_small_where_nothing_differs_but_vectors_are_repeated_or_have_few_levels(
    recorded: Recorded,
) -> None:
    options = {"estimators": dv_tests(), "n_subsamples": 20, "n_permutations": 39}

    def coin(seed: int) -> FloatArray:
        return (np.random.default_rng(seed).random((40, 2)) < 0.3).astype(np.float64)

    draws = {
        "repeated": lambda s: np.repeat(draw(12, 2, s), 4, axis=0),
        "repeated in one": lambda s: np.repeat(draw(12, 2, s), 4, axis=0) if s < 5000 else draw(30, 2, s),
        "coins": coin,
        "more features than vectors": lambda s: draw(10, 40, s),
    }
    for name, sample in draws.items():
        runs = [dv.compare(sample(s), sample(5000 + s), **options, random_state=s) for s in range(60)]
        for test in dv_tests():
            # Four standard errors of a share of 60 about 0.1.
            assert np.mean([run[test].p_value <= 0.1 for run in runs]) <= 0.1 + 4 * np.sqrt(0.09 / 60), (name, test)
    few, many = (np.random.default_rng(0).random((50, 1)) < share for share in (0.2, 0.8))
    told = dv.compare(few.astype(float), many.astype(float), n_subsamples=20, n_permutations=199)
    assert told["nn_risk"].p_value == told["mmd2"].p_value == 1 / 200
    # The risk of a value in both samples is its common share; distances carry no information on it.
    p, q = few.mean(), many.mean()
    share = p * q / (p + q) + (1 - p) * (1 - q) / (2 - p - q)
    assert told["nn_risk"].value == pytest.approx(share, abs=0.03)
    recorded.within(told["wang_j"].why)


def test_nothing_is_tested_where_nearly_all_vectors_are_repeats() -> None:
    found = dv.compare(np.zeros((20, 1)), np.ones((20, 1)), n_subsamples=20, n_permutations=19)
    assert {(made.low, made.high, made.p_value) for made in found.estimates} == {(None, None, None)}
    assert (found.n, found.m, found.repeated) == (20, 20, (0, 0))
    assert found["nn_risk"].value == pytest.approx(0.0, abs=1e-6)
    assert all("fewer than 8 vectors" in made.why for made in found.estimates)
    each = dv.compare(np.zeros((20, 1)), np.ones((20, 1)), n_subsamples=20, n_permutations=19, repeats="each")
    assert each["mmd2"].p_value == 1 / 20


def test_a_figure_draws_an_estimate_without_an_interval() -> None:
    from kinseq.divergences.columns import differences
    from kinseq.report.comparison import ComparisonContent, png, table, text

    found = dv.compare(draw(20, 5, 0), draw(20, 5, 1), n_subsamples=20, n_permutations=19)
    shown = ComparisonContent(
        found,
        ("a", "b"),
        (),
        (),
        "",
        differences(draw(20, 5, 0), draw(20, 5, 1)),
        (),
        (draw(20, 5, 0), draw(20, 5, 1)),
        "",
        (np.arange(20), np.arange(20)),
    )
    assert png(shown)
    assert "no interval" in text(shown)
    assert ",," in next(row for row in table(shown).splitlines() if row.startswith("wang_j"))
