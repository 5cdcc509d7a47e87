"""Similarity by iterative classifications as a measure, and on one's own data."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import kinseq
from kinseq import measures, sic
from kinseq.core.errors import DataError, ParameterError
from kinseq.core.ordering import by_content
from kinseq.core.sequences import SequenceSet
from kinseq.core.tokens import TokenSet
from kinseq.measures import sic as of_measure
from kinseq.measures.registry import MeasureInput, get
from kinseq.measures.sic import choose_classifier
from kinseq.metrics import clustering_error
from kinseq.metrics.retrieval import mean_average_precision
from kinseq.sic.cache import Remembered, key_of
from kinseq.sic.samples import samples_of
from kinseq.sic.sampling_design import true_classes
from tests.sentences import Recorded

FAST: dict[str, Any] = {"n_iterations": 20, "labels": 4}


def levels(n: int = 36, seed: int = 0) -> SequenceSet:
    rng = np.random.default_rng(seed)
    arrays = [rng.normal(4.0 * (i % 3), 0.5, (rng.integers(6, 12), 2)) for i in range(n)]
    return SequenceSet.from_arrays(arrays, labels=np.arange(n) % 3)


def sentences() -> TokenSet:
    words = [["the", f"w{s % 7}", "is", f"x{s}"] for s in range(30)]
    return TokenSet.from_sentences({"word": words}, [(s, 3, 4) for s in range(30)])


def in_pairs(labels: Any = None) -> TokenSet:
    """The same sentences with two places of each item."""
    names = np.array([f"i{k}" for k in range(15)])
    return replace(sentences(), items=np.arange(30) // 2, ids=names, labels=labels)


def test_the_classifier_follows_the_kind_of_items() -> None:
    given = levels()
    assert choose_classifier(given) == "forest"
    assert choose_classifier(replace(given, provenance={"kind": "audio"})) == "hmm"
    assert choose_classifier(sentences()) == "crf"


def test_recordings_get_word_models_that_fit_their_lengths() -> None:
    given = replace(levels(), provenance={"kind": "audio"})
    short = SequenceSet.from_arrays([*given, np.zeros((3, 2)), np.ones((3, 2))], provenance={"kind": "audio"})
    found, _ = get("sic").compute(MeasureInput(short), n_iterations=5, labels=2)
    assert np.isfinite(found).all()
    by_name, _ = get("sic").compute(
        MeasureInput(short), n_iterations=5, labels=2, classifier="hmm", settings={"n_states": 3}
    )
    np.testing.assert_array_equal(by_name, found)


def test_distances_follow_the_similarity_whatever_the_scores() -> None:
    given = levels()
    for scores in ("binary", "weighted", "flipped", "em"):
        distance, findings = get("sic").compute(MeasureInput(given, seed=3), scores=scores, **FAST)
        assert distance.min() == 0.0
        same = (np.arange(36)[:, None] - np.arange(36)) % 3 == 0
        np.fill_diagonal(same, False)
        assert distance[same].mean() < distance[~same & ~np.eye(36, dtype=bool)].mean()
        assert findings["n_iterations"] == 20
    whole = measures.compute("sic", given, random_state=3, **FAST)
    assert whole.max() <= 1.0


def test_items_in_sentences_are_classified_by_fields() -> None:
    distance, findings = get("sic").compute(MeasureInput(sentences(), seed=1), n_iterations=4, train=0.3, labels=5)
    assert distance.shape == (30, 30)
    expected = sic.similarity(
        sentences(), "crf", n_iterations=4, train=0.3, labels=5, random_state=kinseq.core.seeds.derive_seed(1, "sic")
    )
    np.testing.assert_array_equal(distance, expected.distance)
    assert findings["skipped"] == 0


def test_what_is_done_is_said_before_it_starts(capsys: pytest.CaptureFixture[str], recorded: Recorded) -> None:
    measures.compute("sic", levels(), **FAST)
    said = capsys.readouterr().err.splitlines()
    recorded(said[0])
    assert said[1].startswith("sic: iteration 1/20")


def test_own_data() -> None:
    given = levels()
    found = kinseq.cluster(list(given), 3, measure="sic", params={"n_iterations": 30}, n_resamples=2)
    assert clustering_error(given.labels, found.labels) < 15.0  # type: ignore[arg-type]
    order = np.random.default_rng(0).permutation(36)
    again = kinseq.cluster([given[i] for i in order], 3, measure="sic", params={"n_iterations": 30}, n_resamples=2)
    np.testing.assert_array_equal(again.distance, found.distance[np.ix_(order, order)])


@pytest.mark.parametrize(
    "params",
    [
        {"classifier": "svm"},
        {"classifier": "forest", "settings": {"n_tree": 3}},
    ],
)
def test_what_cannot_be_is_refused(params: dict[str, Any], recorded: Recorded) -> None:
    with recorded.raises(ParameterError):
        measures.compute("sic", levels(), **params)


def test_measures_that_differ_in_their_scores_share_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """And give what they would by themselves: the answers do not depend on the scores."""
    given, other = levels(), levels(seed=1)
    runs = []
    original = of_measure.similarity

    def counted(*args: Any, **params: Any) -> Any:
        runs.append(params["random_state"])
        return original(*args, **params)

    monkeypatch.setattr(of_measure, "similarity", counted)
    monkeypatch.setattr(of_measure, "_RUNS", Remembered())
    ways: tuple[dict[str, Any], ...] = ({}, {"scores": "em"}, {"scores": "flipped", "flips": 0.2}, {"sigma": 2.0})
    shared = [get("sic").compute(MeasureInput(given, seed=3), **way, **FAST) for way in ways]
    assert len(runs) == 1
    for way, (distance, findings) in zip(ways, shared, strict=True):
        monkeypatch.setattr(of_measure, "_RUNS", Remembered())
        alone, told = get("sic").compute(MeasureInput(given, seed=3), **way, **FAST)
        np.testing.assert_array_equal(distance, alone)
        assert findings == told
    runs.clear()
    for seed, items, more in ((3, given, {}), (4, given, {}), (4, other, {}), (4, other, {"train": 0.3})):
        get("sic").compute(MeasureInput(items, seed=seed), **more, **FAST)
    assert len(runs) == 3  # all but the first, which was the last of those above
    found = get("sic").compute(MeasureInput(replace(other, labels=None), seed=4), **FAST)[0]
    np.testing.assert_array_equal(found, get("sic").compute(MeasureInput(other, seed=4), **FAST)[0])


def test_a_run_is_the_beginning_of_a_longer_one(monkeypatch: pytest.MonkeyPatch) -> None:
    given, calls = levels(), []

    def counted(*args: Any, **params: Any) -> Any:
        calls.append(params["n_iterations"])
        return sic.similarity(*args, **params)

    monkeypatch.setattr(of_measure, "similarity", counted)

    def computed(n: int, **ways: Any) -> tuple[Any, Any]:
        return get("sic").compute(MeasureInput(given, seed=3), n_iterations=n, labels=4, **ways)

    def alone(n: int, **ways: Any) -> tuple[Any, Any]:
        monkeypatch.setattr(of_measure, "_RUNS", Remembered())
        return computed(n, **ways)

    asked: list[tuple[int, dict[str, Any]]] = [
        (12, {}), (60, {}), (8, {}), (8, {"scores": "weighted"}), (55, {"stop": 0.015}), (61, {}), (60, {"train": 0.3})
    ]  # fmt: skip
    expected = [alone(n, **ways) for n, ways in asked]
    assert expected[4][1]["n_iterations"] < 55
    monkeypatch.setattr(of_measure, "_RUNS", Remembered())
    calls.clear()
    for (n, ways), (matrix, findings) in zip(asked, expected, strict=True):
        found, said = computed(n, **ways)
        np.testing.assert_array_equal(found, matrix)
        assert said == findings
    assert calls == [12, 60, 61, 60]


def test_a_run_that_stops_is_the_beginning_of_one_that_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    given, ways = levels(), {**FAST, "n_iterations": 60}
    monkeypatch.setattr(of_measure, "_RUNS", Remembered())
    stopped, told = get("sic").compute(MeasureInput(given, seed=3), stop=0.01, **ways)
    assert 15 <= told["n_iterations"] < 60
    monkeypatch.setattr(of_measure, "_RUNS", Remembered())
    get("sic").compute(MeasureInput(given, seed=3), **ways)
    again, said = get("sic").compute(MeasureInput(given, seed=3), stop=0.01, **ways)
    np.testing.assert_array_equal(again, stopped)
    assert said == told


def test_what_is_remembered_is_forgotten_in_time() -> None:
    labels = [sic.Labels.from_classes(np.full((50, 4), k)) for k in range(4)]
    held = Remembered(3 * 400)
    for name, each in zip(b"abc", labels, strict=False):
        held.put(bytes([name]), each, each.values.nbytes)
    assert held.get(b"a") is labels[0]
    held.put(b"d", labels[3], labels[3].values.nbytes)
    assert held.get(b"b") is None
    assert [held.get(name) for name in (b"a", b"c", b"d")] == [labels[0], labels[2], labels[3]]


def test_classes_of_items_are_in_their_key() -> None:
    """A run that learns true classes must not answer for items of others."""
    given, text = levels(), sentences()
    keys = [key_of(given, {"seed": 1}), key_of(given, {"seed": 2}), key_of(replace(given, labels=None), {"seed": 1})]
    keys += [key_of(replace(given, labels=np.roll(given.labels, 1)), {"seed": 1}), key_of(text, {"seed": 1})]  # type: ignore[arg-type]
    keys += [key_of(in_pairs(), {"seed": 1})]
    keys += [key_of(replace(text, provenance={"kind": "audio"}), {"seed": 1})]
    assert len(set(keys)) == len(keys)
    assert key_of(levels(), {"seed": 1}) == keys[0]


def test_a_run_says_how_far_it_had_settled(recorded: Recorded) -> None:
    given = levels()
    findings = get("sic").compute(MeasureInput(given, seed=3), settling=0.25, **FAST)[1]
    order = by_content(given)
    run = sic.similarity(
        given.subset(order.positions), "forest", random_state=kinseq.core.seeds.derive_seed(3, "sic"), **FAST
    )
    first = sic.binary(run.labels.first(5))
    for kind in ("pearson", "spearman"):
        assert findings[f"settled_{kind}"] == pytest.approx(sic.correlation(first, run.matrix, kind))  # type: ignore[arg-type]
    for share in (0.0, 1.0, -1.0):
        with recorded.raises(ParameterError):
            get("sic").compute(MeasureInput(given), settling=share, **FAST)
    with recorded.raises(ParameterError):
        get("sic").compute(MeasureInput(in_pairs()), settling=0.5, n_iterations=4, train=0.3, labels=3)


def test_true_classes_are_a_bound_from_above() -> None:
    """A classifier that learns the true classes tells items of overlapping classes apart better than one that does not."""
    rng = np.random.default_rng(2)
    classes = np.arange(60) % 3
    arrays = [rng.normal(0.6 * (k % 3), 1.0, (8, 2)) for k in range(60)]
    given = SequenceSet.from_arrays(arrays, labels=classes)
    bound = measures.compute("sic", given, labels="classes", n_iterations=30)
    blind = measures.compute("sic", given, labels="auto", n_iterations=30)
    assert mean_average_precision(classes, bound) > mean_average_precision(classes, blind)
    named = replace(given, labels=np.array(["c", "a", "b"])[classes])
    np.testing.assert_array_equal(measures.compute("sic", named, labels="classes", n_iterations=30) > 1.0, False)


def test_true_classes_of_items_that_occur_often_are_those_of_their_places(recorded: Recorded) -> None:
    often = in_pairs(np.arange(15) % 2)
    assert true_classes(samples_of(often)).tolist() == [0, 0, 1, 1] * 7 + [0, 0]
    for labels in (None, np.zeros(15)):
        with recorded.raises(DataError):
            sic.similarity(in_pairs(labels), "crf", n_iterations=2, labels="classes")


def test_what_is_learnt_is_said(capsys: pytest.CaptureFixture[str], recorded: Recorded) -> None:
    measures.compute("sic", levels(), n_iterations=2, labels="classes")
    recorded.within(capsys.readouterr().err)
