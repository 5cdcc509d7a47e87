"""Sets of vectors from two Gaussians: what they hold, and the error that nobody can beat."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from kinseq.core.sequences import SequenceSet
from kinseq_documents.data.gaussian_sets import LOADERS, OUTLIERS_AT, bayes_error, draw, variances
from kinseq_documents.stages import scores
from kinseq_documents.tasks import Task, read_sequences, write_sequences


def made(seed: int = 0, **params: Any) -> tuple[SequenceSet, Task]:
    sets, (task,) = draw(seed, **LOADERS[0].with_defaults(params))
    return sets, task


def known_classifier(sets: SequenceSet, second: float, share: float = 0.0) -> float:
    """Percentage of sets that likelihoods under the true distributions put into the wrong class."""

    def log_density(values: np.ndarray, variance: float) -> np.ndarray:
        inside = multivariate_normal([0.0, 0.0], np.diag([variance, 1.0])).pdf(values)
        return np.log((1.0 - share) * inside + share * multivariate_normal(OUTLIERS_AT).pdf(values))

    ratio = log_density(sets.values, second) - log_density(sets.values, 1.0)
    found = np.add.reduceat(ratio, sets.offsets[:-1]) > 0.0
    assert sets.labels is not None
    return float(100.0 * np.mean(found != (sets.labels == 1)))


@pytest.mark.parametrize(
    "params, second, share, printed",
    [
        ({}, 1.3, 0.0, 17.81),
        ({"spread": "deviation"}, 1.69, 0.0, 3.33),
        ({"outliers": 0.1}, 1.3, 0.1, 19.07),
        ({"outliers": 0.1, "place": "added"}, 1.3, 0.1 / 1.1, 17.81),
    ],
)
def test_bayes_error_is_that_of_a_classifier_that_knows_the_classes(
    params: dict[str, Any], second: float, share: float, printed: float
) -> None:
    sets, task = made(1, per_class=8000, **params)
    assert task.bayes_error == pytest.approx(printed, abs=0.01)
    # 16000 sets: a standard error of at most 0.31 points. Outliers are so far away that identifying them adds little.
    assert known_classifier(sets, second, share) == pytest.approx(task.bayes_error, abs=1.0)


def test_bayes_error_has_its_limits() -> None:
    assert bayes_error([100], 1.0, 1.0 + 1e-9) == pytest.approx(50.0, abs=1e-3)
    assert bayes_error([100], 1.0, 100.0) == pytest.approx(0.0, abs=1e-6)
    assert bayes_error([100], 2.0, 6.0) == pytest.approx(bayes_error([100], 3.0, 1.0)), (
        "the order and the unit do not matter"
    )
    # One vector: the integral of the smaller density, by hand.
    x = np.linspace(-40.0, 40.0, 400_001)
    densities = [np.exp(-0.5 * x**2 / v) / np.sqrt(2 * np.pi * v) for v in (1.0, 4.0)]
    assert bayes_error([1], 1.0, 4.0) == pytest.approx(50.0 * np.trapezoid(np.minimum(*densities), x), rel=1e-6)


def test_sets_are_those_of_the_text() -> None:
    sets, task = made(3, per_class=300)
    assert sets.labels is not None
    assert np.bincount(sets.labels).tolist() == [300, 300]
    assert (sets.lengths.min(), sets.lengths.max()) == (80, 120)
    assert task.n_clusters == 2
    for label, variance in ((0, 1.0), (1, 1.3)):
        values = np.concatenate([sets[int(i)] for i in np.flatnonzero(sets.labels == label)])
        np.testing.assert_allclose(np.cov(values.T), np.diag([variance, 1.0]), atol=0.04)
        np.testing.assert_allclose(values.mean(axis=0), 0.0, atol=0.03)
    assert variances(1.3, "deviation") == (1.0, pytest.approx(1.69))


def test_outliers_replace_vectors_or_come_beside_them() -> None:
    plain, _ = made(5)
    replaced, _ = made(5, outliers=0.1)
    added, _ = made(5, outliers=0.1, place="added")
    for i in range(len(plain)):
        n = len(plain[i])
        far = int(np.rint(0.1 * n))
        assert len(replaced[i]) == n
        assert len(added[i]) == n + far
        np.testing.assert_array_equal(replaced[i][: n - far], plain[i][: n - far])
        np.testing.assert_array_equal(added[i][:n], plain[i])
        np.testing.assert_array_equal(added[i][n:], replaced[i][n - far :])
    strange = np.concatenate([added[i][len(plain[i]) :] for i in range(len(plain))])
    np.testing.assert_allclose(strange.mean(axis=0), OUTLIERS_AT, atol=0.2)
    np.testing.assert_allclose(np.cov(strange.T), np.eye(2), atol=0.2)


def test_bayes_error_travels_to_the_scores(tmp_path: Path) -> None:
    sets, task = made(2, per_class=5)
    write_sequences(tmp_path / "sets.npz", sets, [task])
    read, tasks = read_sequences(tmp_path / "sets.npz")
    assert tasks[0].bayes_error == task.bayes_error
    rows = scores.scores_of_controls(read, tasks, [0, 1], 1, ["error", "ari"])
    found = [(row["trial"], row["metric"], row["value"]) for row in rows if row["measure"] == "bayes_error"]
    assert found == [(0, "error", task.bayes_error), (1, "error", task.bayes_error)]
    without = scores.scores_of_controls(read, [Task("all", np.arange(10), 2)], [0], 1, ["error"])
    assert "bayes_error" not in {row["measure"] for row in without}
