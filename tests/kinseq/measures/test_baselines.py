"""Baselines of SIC: forests of Shi and Horvath, cosines of contexts and of attributes."""

from __future__ import annotations

import math

import numpy as np
import pytest

from kinseq.core.errors import DataError, ParameterError
from kinseq.core.sequences import SequenceSet
from kinseq.core.tokens import TokenSet
from kinseq.measures import contexts, forest
from kinseq.measures.registry import MeasureInput, get
from kinseq.metrics.retrieval import precision_at
from kinseq_documents.data import registry as loaders
from tests.sentences import Recorded

WORDS = [["a", "B", "x", "c", "d"], ["b", "y", "C"], ["x", "c", "e", "y"]]


def some() -> TokenSet:
    """Points: x between b and c, and before c; y between b and c, and after e."""
    return TokenSet.from_sentences(
        {"word": WORDS}, [(0, 2, 3), (1, 1, 2), (2, 0, 1), (2, 3, 4)], items=[0, 1, 0, 1], ids=["x", "y"]
    )


def test_contexts_are_counted_weighted_and_compared() -> None:
    # Window 1: x has b, c, c and y has b, c, e.
    idf_all, idf_one = 1.0, math.log(3.0 / 2.0) + 1.0
    x, y = np.array([1.0, 2.0, 0.0]), np.array([1.0, 1.0, 1.0])
    weights = np.array([idf_all, idf_all, idf_one])
    expected = (x * weights) @ (y * weights) / np.linalg.norm(x * weights) / np.linalg.norm(y * weights)
    found = contexts.contexts(some(), window=1)
    assert found[0, 1] == pytest.approx(expected, rel=1e-12)
    np.testing.assert_array_equal(found, found.T)
    np.testing.assert_array_equal(np.diag(found), 1.0)


def test_contexts_do_not_reach_over_sentences_and_do_not_see_the_item() -> None:
    alone = TokenSet.from_sentences({"word": [["x"], ["y"], ["x", "z"]]}, [(0, 0, 1), (1, 0, 1), (2, 0, 1)])
    np.testing.assert_array_equal(contexts.contexts(alone), np.eye(3))


def test_attributes_are_those_of_the_places() -> None:
    tokens = TokenSet.from_sentences(
        {"word": [["x", "a"], ["x", "b"]], "tag": [["N", "V"], ["N", "V"]]}, [(0, 0, 1), (1, 0, 1)]
    )
    # Of six attributes (word, tag and place of two tokens) five agree.
    assert contexts.attribute_cosine(tokens, window=1)[0, 1] == pytest.approx(5.0 / 6.0)
    assert contexts.attribute_cosine(tokens, window=0)[0, 1] == pytest.approx(1.0)


def test_contexts_find_the_classes_that_show_in_them() -> None:
    tokens, _ = loaders.make("x", "sentences", {"items": 80, "typical": 1.0}, None, 1)
    assert isinstance(tokens, TokenSet)
    distance = 1.0 - contexts.contexts(tokens, window=1)
    assert precision_at(tokens.labels, distance, 1) > 95.0  # type: ignore[arg-type]


def test_leaf_shares_are_counted_tree_by_tree() -> None:
    leaves = np.array([[1, 5], [1, 6], [2, 6]])
    np.testing.assert_array_equal(forest.leaf_shares(leaves), [[1.0, 0.5, 0.0], [0.5, 1.0, 0.5], [0.0, 0.5, 1.0]])


def test_the_forest_sees_how_features_depend_on_each_other() -> None:
    # Each feature by itself has the same distribution in both classes.
    random = np.random.default_rng(0)
    t = random.normal(size=(60, 1))
    sign = np.repeat([1.0, -1.0], 30)[:, None]
    vectors = np.concatenate([t, sign * t], axis=1) + 0.05 * random.normal(size=(60, 2))
    far = np.abs(t[:, 0]) > 0.7
    found = forest.forest_similarity(vectors[far], n_trees=60, random_state=1)
    same = sign[far, 0][:, None] == sign[far, 0]
    near = np.abs(t[far] - t[far].T) < 0.5
    off = ~np.eye(int(far.sum()), dtype=bool)
    assert found[same & near & off].mean() > 2.0 * found[~same & near].mean()
    np.testing.assert_array_equal(found, found.T)
    np.testing.assert_array_equal(found, forest.forest_similarity(1e6 * vectors[far] + 3.0, n_trees=60, random_state=1))


def test_measures_refuse_the_other_kind_of_items(recorded: Recorded) -> None:
    vectors = SequenceSet.from_arrays(np.random.default_rng(0).normal(size=(4, 1, 2)), layout="channels_last")
    with recorded.raises(DataError):
        get("contexts").compute(MeasureInput(vectors))
    with recorded.raises(DataError):
        get("forest").compute(MeasureInput(some()))
    with recorded.raises(ParameterError):
        contexts.contexts(some(), attribute="lemma")
