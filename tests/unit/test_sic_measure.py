"""Similarity by iterative classifications as a measure, and on one's own data."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import kinseq
import numpy as np
import pytest
from kinseq import measures, sic
from kinseq.errors import ParameterError
from kinseq.evaluation import clustering_error
from kinseq.measures.registry import Evidence, get
from kinseq.measures.sic import choose_classifier
from kinseq.sequences import SequenceSet
from kinseq.tokens import TokenSet

FAST: dict[str, Any] = {"n_iterations": 20, "labels": 4}


def levels(n: int = 36, seed: int = 0) -> SequenceSet:
    rng = np.random.default_rng(seed)
    arrays = [rng.normal(4.0 * (i % 3), 0.5, (rng.integers(6, 12), 2)) for i in range(n)]
    return SequenceSet.from_arrays(arrays, labels=np.arange(n) % 3)


def sentences() -> TokenSet:
    words = [["the", f"w{s % 7}", "is", f"x{s}"] for s in range(30)]
    return TokenSet.from_sentences({"word": words}, [(s, 3, 4) for s in range(30)])


def test_the_classifier_follows_the_kind_of_items() -> None:
    given = levels()
    assert choose_classifier(given) == "forest"
    assert choose_classifier(replace(given, provenance={"kind": "audio"})) == "hmm"
    assert choose_classifier(sentences()) == "crf"


def test_recordings_get_word_models_that_fit_their_lengths() -> None:
    given = replace(levels(), provenance={"kind": "audio"})
    short = SequenceSet.from_arrays([*given, np.zeros((3, 2)), np.ones((3, 2))], provenance={"kind": "audio"})
    found, _ = get("sic").compute(Evidence(short), n_iterations=5, labels=2)
    assert np.isfinite(found).all()
    by_name, _ = get("sic").compute(
        Evidence(short), n_iterations=5, labels=2, classifier="hmm", settings={"n_states": 3}
    )
    np.testing.assert_array_equal(by_name, found)


def test_distances_follow_the_similarity_whatever_the_scores() -> None:
    given = levels()
    for scores in ("binary", "weighted", "flipped", "em"):
        distance, findings = get("sic").compute(Evidence(given, seed=3), scores=scores, **FAST)
        assert distance.min() == 0.0
        same = (np.arange(36)[:, None] - np.arange(36)) % 3 == 0
        np.fill_diagonal(same, False)
        assert distance[same].mean() < distance[~same & ~np.eye(36, dtype=bool)].mean()
        assert findings["n_iterations"] == 20
    whole = measures.compute("sic", given, seed=3, **FAST)
    assert whole.max() <= 1.0


def test_items_in_sentences_are_classified_by_fields() -> None:
    distance, findings = get("sic").compute(Evidence(sentences(), seed=1), n_iterations=4, train=0.3, labels=5)
    assert distance.shape == (30, 30)
    expected = sic.similarity(
        sentences(), "crf", n_iterations=4, train=0.3, labels=5, seed=kinseq.seeds.derive_seed(1, "sic")
    )
    np.testing.assert_array_equal(distance, expected.distance)
    assert findings["skipped"] == 0


def test_what_is_done_is_said_before_it_starts(capsys: pytest.CaptureFixture[str]) -> None:
    measures.compute("sic", levels(), **FAST)
    said = capsys.readouterr().err.splitlines()
    assert said[0] == (
        "sic: 20 iterations, each trains Forest on 9 of 36 samples with 4 random labels and classifies the others"
    )
    assert said[1].startswith("sic: iteration 1/20")


def test_own_data() -> None:
    given = levels()
    found = kinseq.cluster(list(given), 3, measure="sic", n_iterations=30, n_resamples=2)
    assert clustering_error(given.labels, found.labels) < 15.0  # type: ignore[arg-type]
    order = np.random.default_rng(0).permutation(36)
    again = kinseq.cluster([given[i] for i in order], 3, measure="sic", n_iterations=30, n_resamples=2)
    np.testing.assert_array_equal(again.distance, found.distance[np.ix_(order, order)])


@pytest.mark.parametrize(
    "params, says",
    [
        ({"classifier": "svm"}, "unknown classifier 'svm'.*auto"),
        ({"classifier": "forest", "settings": {"n_tree": 3}}, "classifier 'forest': unknown setting 'n_tree'.*n_trees"),
    ],
)
def test_what_cannot_be_is_refused(params: dict[str, Any], says: str) -> None:
    with pytest.raises(ParameterError, match=says):
        measures.compute("sic", levels(), **params)
