"""Cost of similarities by iterative classifications: the timed work is the intended work."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from kinseq import sic
from kinseq.sic.labels import Labels
from kinseq_documents.problems import cost_sic
from kinseq_documents.problems.registry import estimators, problems


def drawn(name: str, n: int) -> object:
    return next(p for p in cost_sic.PROBLEMS if p.name == name).draw(n, 3, **problem_params(name))


def problem_params(name: str) -> dict[str, object]:
    return dict(next(p for p in cost_sic.PROBLEMS if p.name == name).params)


@pytest.mark.parametrize("name", ["word_models", "trees", "fields"])
def test_iterations_that_are_timed_test_all_that_was_not_trained_on(name: str) -> None:
    items = drawn("made_up_entities" if name == "fields" else "made_up_words", 60)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = getattr(cost_sic, f"_{name}")(items, 1)
    assert found.values.shape == (60, cost_sic.ITERATIONS)
    assert not found.skipped.any()
    assert (found.n_trained > 3).all()
    assert 0.6 < found.tested.mean() < 0.85


def test_adding_is_that_of_the_scores() -> None:
    classes = drawn("made_up_classes", 300)
    assert isinstance(classes, np.ndarray)
    labels = Labels.from_classes(classes)
    np.testing.assert_array_equal(cost_sic._binary(classes, 1), sic.binary(labels))
    assert 0.2 < (classes < 0).mean() < 0.3
    assert np.unique(classes[classes >= 0]).size == 6
    weighted = cost_sic._weighted(classes, 1)
    np.testing.assert_array_equal(weighted, sic.scored(labels, sic.weights(sic.independent_rate(labels))))


def test_all_of_it_is_registered() -> None:
    assert {p.name for p in cost_sic.PROBLEMS} <= set(problems())
    assert {e.name for e in cost_sic.ESTIMATORS} <= set(estimators())
