"""Measures between sets of vectors, against closed forms and invariances."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import dblquad, quad

from kinseq import divergences as dv
from kinseq import measures
from kinseq.core.seeds import content_key
from kinseq.core.sequences import SequenceSet
from kinseq.measures.el import log_expected_likelihood
from kinseq.measures.glds import glds
from kinseq.models.hmm import HMMBank
from tests.sentences import Recorded


def sets(n: int = 6, d: int = 2, seed: int = 0) -> SequenceSet:
    rng = np.random.default_rng(seed)
    return SequenceSet.from_arrays([rng.normal(loc=i % 2, size=(int(rng.integers(4, 20)), d)) for i in range(n)])


def mixtures(d: int) -> HMMBank:
    rng = np.random.default_rng(d)
    weights = rng.dirichlet(np.ones(2), size=3)
    roots = rng.normal(size=(3, 2, d, d))
    covars = roots @ roots.swapaxes(-1, -2) + 0.3 * np.eye(d)
    return HMMBank(weights, np.repeat(weights[:, None], 2, axis=1), rng.normal(size=(3, 2, d)), covars)


def density(bank: HMMBank, i: int, x: np.ndarray) -> float:
    total = 0.0
    for w, mean, cov in zip(bank.startprob[i], bank.means[i], bank.covars[i], strict=True):
        gap = x - mean
        total += w * np.exp(-0.5 * gap @ np.linalg.solve(cov, gap)) / np.sqrt(np.linalg.det(2 * np.pi * cov))
    return float(total)


def test_expected_likelihood_by_integration() -> None:
    line, plane = mixtures(1), mixtures(2)
    for i, j in ((0, 0), (0, 1), (1, 2)):
        on_line = quad(
            lambda t, i=i, j=j: density(line, i, np.array([t])) * density(line, j, np.array([t])), -30, 30, limit=300
        )
        assert np.exp(log_expected_likelihood(line)[i, j]) == pytest.approx(on_line[0], rel=1e-6)
    on_plane = dblquad(
        lambda s, t: density(plane, 0, np.array([s, t])) * density(plane, 1, np.array([s, t])),
        -9,
        9,
        -9,
        9,
        epsabs=1e-6,
    )
    assert np.exp(log_expected_likelihood(plane)[0, 1]) == pytest.approx(on_plane[0], rel=1e-3)


def test_measures_are_the_functions_of_two_sets() -> None:
    given = sets()
    width = dv.median_distance(given.values)
    found = {name: measures.compute(name, given) for name in ("mmd", "nn_risk", "nn_j", "wang_j")}
    found["nn_risk_log"] = measures.compute("nn_risk", given, log=True)
    for i in range(6):
        for j in range(i):
            x, y = given[i], given[j]
            assert found["mmd"][i, j] == pytest.approx(np.sqrt(dv.mmd2(x, y, width)), abs=1e-9)
            risk = dv.nn_risk(x, y)
            assert found["nn_risk"][i, j] == pytest.approx(max(0.5 - risk, 0), abs=1e-12)
            assert np.exp(-found["nn_risk_log"][i, j]) == pytest.approx(min(2 * risk, 1), abs=1e-12)
            assert found["nn_j"][i, j] == pytest.approx(dv.nn_jeffreys(x, y), abs=1e-10)
            assert found["wang_j"][i, j] == pytest.approx(dv.wang_jeffreys(x, y), abs=1e-10)
    double = measures.compute("mmd", given, width_factor=2.0)
    np.testing.assert_array_equal(double, measures.compute("mmd", given, sigma=2.0 * width))
    assert not np.allclose(double, found["mmd"])
    squared = measures.compute("mmd", given, squared=True)
    np.testing.assert_allclose(squared, found["mmd"] ** 2, atol=1e-12)
    printed = measures.compute("nn_j", given, grid="uniform", n_priors=100, limits=[0.01, 0.9], sampling="printed")
    options = {"grid": "uniform", "n_priors": 100, "limits": (0.01, 0.9), "pool": "printed"}
    assert printed[1, 0] == pytest.approx(dv.nn_jeffreys(given[0], given[1], **options), abs=1e-10)


def test_clipped_estimates_are_counted() -> None:
    rng = np.random.default_rng(0)
    same = [rng.normal(size=(15, 2)) for _ in range(8)]
    for name in ("nn_risk", "nn_j", "wang_j"):
        distance, findings = measures.compute_with_findings(name, same)
        zero = int((distance[np.triu_indices(8, k=1)] == 0).sum())
        assert findings[f"{name}_clipped"] == zero > 0


def test_glds_is_a_distance_in_the_space_of_monomials_and_ignores_affine_maps() -> None:
    given = sets(5, 2)
    x = given.values
    expanded = np.stack([np.ones(len(x)), x[:, 0], x[:, 1], x[:, 0] ** 2, x[:, 0] * x[:, 1], x[:, 1] ** 2], axis=1)
    means = np.array([expanded[a:b].mean(axis=0) for a, b in zip(given.offsets[:-1], given.offsets[1:], strict=True)])
    inverse = np.linalg.inv(expanded.T @ expanded / len(x))
    gaps = means[:, None] - means
    expected = np.sqrt(np.einsum("ijk,kl,ijl->ij", gaps, inverse, gaps))
    np.testing.assert_allclose(glds(given), expected, atol=1e-7)
    turned = SequenceSet.from_arrays([array @ np.array([[2.0, 1.0], [-1.0, 3.0]]) + 50.0 for array in given])
    np.testing.assert_allclose(glds(turned), expected, atol=1e-6)
    # The first degree sees means only.
    mirrored = SequenceSet.from_arrays([array - array.mean(axis=0) for array in given])
    np.testing.assert_allclose(glds(mirrored, degree=1), 0, atol=1e-6)
    assert glds(mirrored, degree=2).max() > 0.1


def test_new_sets_are_compared_at_the_width_of_the_old_ones() -> None:
    given = sets(8)
    old, new = given.subset(np.arange(5)), given.subset(np.arange(5, 8))
    measure = measures.get("mmd")
    assert measure.cross is not None
    from kinseq.measures.registry import MeasureInput

    found = measure.cross(MeasureInput(old), MeasureInput(new), **measure.params)
    width = dv.median_distance(old.values)
    assert found[2, 1] == pytest.approx(np.sqrt(dv.mmd2(new[2], old[1], width)), abs=1e-9)


def test_any_classifier_of_scikit_learn_is_a_measure(capsys: pytest.CaptureFixture[str], recorded: Recorded) -> None:
    from sklearn.linear_model import LogisticRegression
    from sklearn.svm import SVC

    rng = np.random.default_rng(4)
    given = [rng.normal(shift, 1.0, size=(14 + k, 2)) for k, shift in enumerate((0.0, 0.0, 2.0))]
    found = measures.compute("classifier", given, n_priors=4, n_splits=3)
    recorded.within(capsys.readouterr().err.splitlines()[0])
    x, y = sorted((given[0], given[2]), key=content_key)
    rule = LogisticRegression(max_iter=1000)
    assert found[0, 2] == dv.classifier_divergence(x, y, rule, n_priors=4, n_splits=3, quiet=True)
    assert found[0, 2] > found[0, 1]
    turned = measures.compute("classifier", given[::-1], n_priors=4, n_splits=3)
    np.testing.assert_array_equal(turned, found[::-1, ::-1])
    kernel = measures.compute("classifier", given, classifier=SVC(), loss="hinge")
    assert kernel[0, 2] > kernel[0, 1]
    nearest = measures.compute("classifier", given, classifier="nearest", loss="square")
    assert nearest[0, 2] > nearest[0, 1]
    assert measures.compute("classifier", [given[0], given[0].copy()])[0, 1] == 0.0
