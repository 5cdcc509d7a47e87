"""Similarity by iterative classifications: word models, fields with and without CRFsuite, adding iterations."""

from __future__ import annotations

import argparse
import time
from typing import Any
from unittest.mock import patch

import numpy as np

from kinseq import sic
from kinseq.core.sequences import SequenceSet
from kinseq.core.tokens import TokenSet
from kinseq.sic import crfsuite
from kinseq.sic.labels import Labels
from kinseq_documents.data.sentences import generate
from timing import markdown, say, write_csv

# Sizes of the 950 spoken words with 39 features: frames after trimming silence; the numbers are random.
WORDS, CLASSES, FEATURES, FRAMES = 950, 19, 39, (42, 93)
ITERATIONS = 177
ENTITIES, LABELS, TRAIN = 2000, 100, 0.05
SIZES = (500, 1000, 2000, 5000)
"""A decade of N; classes of 50 samples, as many more classes as samples."""


def spoken(n: int, seed: int = 0) -> SequenceSet:
    """Return words of five parts each, at levels that follow the word, held for random times."""
    random = np.random.default_rng(seed)
    levels = random.normal(size=(CLASSES, 5, FEATURES))
    arrays = []
    for i in range(n):
        parts = random.multinomial(int(random.integers(*FRAMES)) - 5, np.full(5, 0.2)) + 1
        arrays.append(np.repeat(levels[i % CLASSES], parts, axis=0) + 2.0 * random.normal(size=(parts.sum(), FEATURES)))
    return SequenceSet.from_arrays(arrays)


def seconds(work: Any) -> float:
    """CPU seconds of a call."""
    start = time.process_time()
    work()
    return time.process_time() - start


def inside_crfsuite(entities: TokenSet, iterations: range) -> tuple[float, float]:
    """CPU seconds of some iterations of fields as a whole, and of what CRFsuite itself takes to learn them."""
    inside = 0.0
    quiet_trainer = crfsuite._quiet_trainer

    class Timed:
        def __init__(self) -> None:
            self._trainer = quiet_trainer()

        def __getattr__(self, name: str) -> Any:
            attribute = getattr(self._trainer, name)

            def timed(*args: Any) -> None:
                nonlocal inside
                inside += seconds(lambda: attribute(*args))

            return timed

    with patch.object(crfsuite, "_quiet_trainer", Timed):
        whole = seconds(lambda: sic.answers(entities, "crf", iterations, TRAIN, LABELS))
    return whole, inside


def classified(n: int, n_iterations: int, seed: int = 0) -> Labels:
    """Return labels of classes of 50 samples, a quarter not tested."""
    random = np.random.default_rng(seed)
    values = random.integers(0, n // 50, (n, n_iterations))
    values[random.random((n, n_iterations)) < 0.25] = -1
    return Labels.from_classes(values)


def run(options: argparse.Namespace) -> str:
    """Time every workload and return a table."""
    wanted = {name for name in options.only.split(",") if name}
    if wanted and "W9" not in wanted:
        return "## Similarity by iterative classifications\n\nleft out"
    rows: list[dict[str, str]] = []

    def note(what: str, n: int, iterations: int, took: float) -> None:
        rows.append({"id": "W9", "what": what, "N": str(n), "iterations": str(iterations), "seconds": f"{took:.3g}"})

    words = spoken(WORDS)
    sic.similarity(words, "hmm", n_iterations=1, labels=(20, 40))  # compiled
    iterations = 20 if options.quick else ITERATIONS
    say(f"W9: {iterations} iterations of word models")
    note(
        "word models, 20 to 40 labels, 5 states",
        WORDS,
        iterations,
        seconds(lambda: sic.similarity(words, "hmm", n_iterations=iterations, labels=(20, 40))),
    )
    entities = generate(0, items=ENTITIES, classes=4, words=ENTITIES // 5, typical=0.7, repeated=False)[0]
    sic.answers(entities, "crf", range(1), TRAIN, LABELS)  # compiled
    fields = 5 if options.quick else 50
    say(f"W9: {fields} iterations of fields")
    whole, inside = inside_crfsuite(entities, range(1, fields + 1))
    note(f"fields, {LABELS} labels", ENTITIES, fields, whole)
    note("of these inside CRFsuite", ENTITIES, fields, inside)
    for n in SIZES[:2] if options.quick else SIZES:
        say(f"W9: adding iterations, N = {n}")
        labels = classified(n, 50)
        weights = sic.weights(sic.independent_rate(labels))
        note("adding binary scores", n, 50, seconds(lambda labels=labels: sic.binary(labels)))
        note("adding weighted scores", n, 50, seconds(lambda labels=labels, w=weights: sic.scored(labels, w)))
    write_csv(options.out / "sic.csv", rows)
    return "## Similarity by iterative classifications\n\nCPU seconds.\n\n" + markdown(rows, list(rows[0]))
