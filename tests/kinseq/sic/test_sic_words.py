"""Word models as classifiers of similarity by iterative classifications."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from kinseq import sic
from kinseq.core.errors import DataError, ParameterError
from kinseq.core.sequences import SequenceSet
from kinseq.features import normalise
from kinseq.metrics.retrieval import mean_average_precision
from kinseq.models.left_to_right import fit_words, frames_of, word_log_likelihood
from tests.sentences import Recorded


def words(n: int = 48, seed: int = 0) -> SequenceSet:
    """Three words of three sounds each, two of them the same sounds in another order; a fourth feature is noise."""
    rng = np.random.default_rng(seed)
    sounds = np.eye(3) * 2.0
    orders = [(0, 1, 2), (2, 1, 0), (1, 0, 1)]
    sequences = []
    for i in range(n):
        parts = [rng.normal(sounds[s], 0.6, (rng.integers(3, 7), 3)) for s in orders[i % 3]]
        frames = np.concatenate(parts)
        sequences.append(np.column_stack([frames, rng.normal(size=len(frames))]))
    return SequenceSet.from_arrays(sequences, labels=np.arange(n) % 3, name="words")


SETTINGS: dict[str, Any] = {"n_iterations": 25, "labels": 2, "min_per_label": 3, "train": 0.3}


def test_words_that_differ_in_the_order_of_sounds_are_told_apart() -> None:
    items = words()
    found = sic.similarity(items, sic.WordHMMs(n_states=3), **SETTINGS)
    assert mean_average_precision(items.labels, found.distance) > 80.0  # type: ignore[arg-type]
    np.testing.assert_array_equal(
        sic.similarity(items, sic.WordHMMs(n_states=3), n_jobs=2, **SETTINGS).matrix, found.matrix
    )


def test_an_answer_is_the_likeliest_model() -> None:
    items = words()
    frames = frames_of(items)
    train, tested = np.arange(0, 30), np.arange(30, 48)
    labels = np.arange(30) % 4
    answer = sic.WordHMMs(n_states=3, min_per_label=2).prepare(items)
    models = fit_words(frames, [train[labels == c] for c in range(4)], 3, n_viterbi=4, n_baum_welch=0)
    expected = word_log_likelihood(models, frames, tested).argmax(axis=1)
    np.testing.assert_array_equal(answer(train, labels, tested, np.random.default_rng(0)), expected)


def test_an_iteration_looks_at_one_kind_of_features() -> None:
    kinds = {"good": {"static": [0, 1, 2]}, "noise": {"static": [3]}}
    items = words()
    good, noise, both = (
        mean_average_precision(
            items.labels,  # type: ignore[arg-type]
            sic.similarity(items, sic.WordHMMs(n_states=3, features=kinds, kinds=some), **SETTINGS).distance,
        )
        for some in (["good"], ["noise"], None)
    )
    assert good > both > noise
    said = SequenceSet(items.values, items.offsets, labels=items.labels, provenance={"columns_of": kinds})
    np.testing.assert_array_equal(
        sic.similarity(said, "hmm", **SETTINGS).matrix,
        sic.similarity(items, sic.WordHMMs(features=kinds), **SETTINGS).matrix,
    )


def test_settings_are_drawn_anew_at_every_iteration(monkeypatch: pytest.MonkeyPatch) -> None:
    from kinseq.sic import words as module

    seen = []

    def fit(frames: Any, members: Any, n_states: int, topology: int, *rest: Any) -> Any:
        seen.append((n_states, topology, len(rest[2])))
        return fit_words(frames, members, n_states, topology, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "fit_words", fit)
    recipe = sic.WordHMMs((2, 4), "either", features={"x": {"static": [0], "delta": [1, 2], "energy": [3]}})
    sic.similarity(words(), recipe, **{**SETTINGS, "n_iterations": 60})
    assert {states for states, _, _ in seen} == {2, 3, 4}
    assert {topology for _, topology, _ in seen} == {1, 2}
    assert {size for _, _, size in seen} == {1, 2, 3, 4}


@pytest.mark.parametrize(
    "settings",
    [
        {"n_states": (5, 3)},
        {"n_states": 0},
        {"topology": 3},
        {"decoding": "beam"},
        {"floor": 0.0},
        {"n_states": 40},
        {"kinds": ["mfcc"]},
        {"features": {"a": {"x": [0]}}, "kinds": ["b"]},
        {"features": {"a": {"x": [9]}}},
    ],
)
def test_what_cannot_be_is_refused(settings: dict[str, Any], recorded: Recorded) -> None:
    with recorded.raises((ParameterError, DataError)):
        sic.similarity(words(12), sic.WordHMMs(**settings), **SETTINGS)


def test_words_in_their_own_units_are_those_that_were_brought_there_before(recorded: Recorded) -> None:
    items = words()
    louder = np.random.default_rng(1).uniform(0.2, 5.0, size=len(items))
    spoilt = [gain * x + 10.0 * gain for gain, x in zip(louder, items, strict=True)]
    train, tested = np.arange(24), np.arange(24, 48)

    def classes(given: SequenceSet, normalisation: str) -> list[int]:
        recipe = sic.WordHMMs(n_states=3, normalisation=normalisation)  # type: ignore[arg-type]
        return [int(c) for c in recipe.prepare(given)(train, train % 3, tested, np.random.default_rng(0))]

    expected = classes(normalise(items), "none")
    assert classes(items, "mean_variance") == expected
    # Gain and offset of a word are then irrelevant.
    assert classes(SequenceSet.from_arrays(spoilt), "mean_variance") == expected
    assert classes(SequenceSet.from_arrays(spoilt), "none") != expected
    with recorded.raises(ParameterError):
        classes(items, "all")


@pytest.mark.parametrize("normalisation", ["none", "mean_variance"])
def test_features_that_are_never_looked_at_do_not_matter(normalisation: Any) -> None:
    items, train, tested = words(), np.arange(0, 30), np.arange(30, 48)
    few = SequenceSet(items.values[:, [3, 1]], items.offsets, name="words")
    found = [
        sic.WordHMMs(3, features={"own": columns}, normalisation=normalisation).prepare(some)
        for some, columns in ((items, {"first": [3], "second": [1]}), (few, {"first": [0], "second": [1]}))
    ]
    for seed in range(4):
        one, other = (answer(train, np.arange(30) % 4, tested, np.random.default_rng(seed)) for answer in found)
        np.testing.assert_array_equal(one, other)
