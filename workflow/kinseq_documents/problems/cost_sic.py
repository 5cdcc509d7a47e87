"""Cost of similarities by iterative classifications against the number of items (report RR-8880, 3.4)."""

from __future__ import annotations

from typing import Any

import numpy as np

from kinseq.core.arrays import IntArray
from kinseq.core.seeds import stream
from kinseq.core.sequences import SequenceSet
from kinseq.core.tokens import TokenSet
from kinseq.sic.computing import answers
from kinseq.sic.crf import CRF
from kinseq.sic.forests import Forest
from kinseq.sic.labels import Labels
from kinseq.sic.scores import binary, independent_rate, scored, weights
from kinseq.sic.words import WordHMMs

from ..data.sentences import generate
from .registry import Estimator, Problem

ITERATIONS = 5
"""The cost grows in proportion to them."""
LABELS = 20


def _words(n: int, seed: int, classes: int, parts: int, features: int, shortest: int, longest: int) -> SequenceSet:
    """Return words of some parts each, at levels that follow the word, which are held for random times."""
    draw = stream(seed, "words")
    levels = draw.normal(size=(classes, parts, features))
    arrays = []
    for i in range(n):
        held = draw.multinomial(int(draw.integers(shortest, longest)) - parts, np.full(parts, 1.0 / parts)) + 1
        noise = 2.0 * draw.normal(size=(held.sum(), features))
        arrays.append(np.repeat(levels[i % classes], held, axis=0) + noise)
    return SequenceSet.from_arrays(arrays, name="words")


def _entities(n: int, seed: int) -> TokenSet:
    return generate(seed, items=n, classes=4, words=n // 5, typical=0.7, repeated=False)[0]


def _classes(n: int, seed: int, size: int, untested: float) -> IntArray:
    """Return classes of `size` items on average, -1 where an item is not tested."""
    draw = stream(seed, "classes")
    classes = draw.integers(0, max(2, n // size), size=(n, ITERATIONS))
    classes[draw.random(classes.shape) < untested] = -1
    return classes


def _word_models(words: SequenceSet, seed: int) -> Any:
    recipe = WordHMMs(n_states=5, topology=1)
    return answers(words, recipe, range(ITERATIONS), labels=LABELS, min_per_label=1, random_state=seed)


def _trees(words: SequenceSet, seed: int) -> Any:
    return answers(words, Forest(), range(ITERATIONS), labels=LABELS, min_per_label=1, random_state=seed)


def _fields(entities: TokenSet, seed: int) -> Any:
    return answers(entities, CRF(), range(ITERATIONS), labels=LABELS, min_per_label=1, random_state=seed)


def _binary(classes: IntArray, seed: int) -> Any:
    return binary(Labels.from_classes(classes))


def _weighted(classes: IntArray, seed: int) -> Any:
    labels = Labels.from_classes(classes)
    return scored(labels, weights(independent_rate(labels)))


PROBLEMS = (
    Problem(
        name="made_up_words",
        label="words with five parts",
        source="report RR-8880, 3.3",
        draw=_words,
        params={"classes": 19, "parts": 5, "features": 39, "shortest": 42, "longest": 93},
    ),
    Problem(
        name="made_up_entities",
        label="entities in generated sentences",
        source="report RR-8880, 3.1",
        draw=_entities,
    ),
    Problem(
        name="made_up_classes",
        label="classes of 50 items, a quarter not tested",
        source="report RR-8880, 3.4",
        draw=_classes,
        params={"size": 50, "untested": 0.25},
    ),
)

ESTIMATORS = (
    Estimator(
        name="cost_word_models",
        label="five iterations of word models",
        source="report RR-8880, 3.4",
        function=_word_models,
    ),
    Estimator(
        name="cost_trees",
        label="five iterations of trees",
        source="report RR-8880, 3.4",
        function=_trees,
    ),
    Estimator(
        name="cost_fields",
        label="five iterations of random fields",
        source="report RR-8880, 3.4",
        function=_fields,
    ),
    Estimator(
        name="cost_adding",
        label="adding five iterations, binary scores",
        source="report RR-8880, 3.4",
        function=_binary,
    ),
    Estimator(
        name="cost_adding_weighted",
        label="adding five iterations, weighted scores",
        source="report RR-8880, 3.4",
        function=_weighted,
    ),
)
