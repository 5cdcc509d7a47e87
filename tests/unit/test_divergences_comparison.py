"""Comparison of two samples: estimates, spread of the intervals, and p-values."""

from __future__ import annotations

import numpy as np
import pytest
from kinseq import divergences as dv
from kinseq.arrays import FloatArray


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
    assert dv.compare(x, y, n_subsamples=20, n_permutations=19) == found
    assert dv.compare(x, y, ["mmd2"], n_subsamples=20, n_permutations=19, seed=1)["mmd2"].low != found["mmd2"].low


def test_ties_are_shared_as_in_the_risk_of_two_sets() -> None:
    x, y = np.repeat(draw(5, 1, 0), 2, axis=0), np.concatenate([draw(5, 1, 0), draw(6, 1, 1)])
    found = dv.compare(x, y, ["nn_risk"], n_subsamples=20, n_permutations=19)
    assert found["nn_risk"].value == pytest.approx(dv.nn_risk(x, y), abs=1e-12)


def test_intervals_are_as_wide_as_estimates_vary() -> None:
    names = ("nn_risk", "nn_j", "nn_bound_j", "mmd2")
    runs = [
        dv.compare(
            draw(60, 1, s), draw(60, 1, 1000 + s, 1.0), names, n_subsamples=30, n_permutations=19, sigma=1.0, seed=s
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
    null = [dv.compare(draw(9, 2, s), draw(14, 2, 5000 + s), dv_tests(), **options, seed=s) for s in range(300)]
    for name in dv_tests():
        p = np.array([run[name].p_value for run in null])
        assert p.min() >= 1 / 40
        for level in (0.1, 0.25, 0.5, 0.75):
            # Four standard errors about the level; p-values take the values 1/40, 2/40 and so on.
            assert (p <= level + 1e-9).mean() == pytest.approx(level, abs=4 * np.sqrt(level * (1 - level) / 300))
    apart = dv.compare(draw(20, 2, 0), draw(20, 2, 1, 2.0), dv_tests(), n_subsamples=20, n_permutations=199)
    assert all(made.p_value == 1 / 200 for made in apart.estimates)


def dv_tests() -> tuple[str, ...]:
    return ("nn_risk", "mmd2")
