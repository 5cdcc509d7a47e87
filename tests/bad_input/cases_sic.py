"""Bad input to similarities by iterative classifications, their classifiers, Markov clustering and retrieval."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from kinseq import measures, sic
from kinseq.clustering import get
from kinseq.clustering.mcl import clean, mcl
from kinseq.core.sequences import SequenceSet
from kinseq.core.tokens import TokenSet
from kinseq.metrics import pairs, retrieval
from kinseq.metrics.confidence import confidence_correlation
from kinseq.models.left_to_right import fit_words, frames_of
from kinseq.sic.labels import Labels

from .table import Case

RNG = np.random.default_rng(0)
X = RNG.normal(size=(24, 3))
WORDS = [RNG.normal(size=(8 + i % 4, 2)) for i in range(24)]
TEXT = TokenSet.from_sentences({"word": [["a", f"b{s % 5}", "c"] for s in range(20)]}, [(s, 1, 2) for s in range(20)])
ONCE = TokenSet.from_sentences({"word": [["a", "b"], ["a", "c"]]}, [(0, 0, 1), (0, 1, 2), (1, 0, 1)], [0, 1, 0])
OFTEN = TokenSet.from_sentences(
    {"word": [["a", f"b{s % 5}"] for s in range(20)]}, [(s, 0, 1) for s in range(20)], [0, 1] * 10
)
D = np.abs(X[:, None] - X).sum(axis=2)
CLASSES = np.arange(24) % 3


class Bad:
    """A classifier whose answers are what a test wants them to be."""

    def __init__(self, answer: Callable[[int], Any]) -> None:
        self.answer = answer

    def fit(self, items: Any, labels: Any) -> None:
        pass

    def predict(self, items: Any) -> Any:
        return self.answer(len(items))


def fail(n: int) -> Any:
    raise RuntimeError("out of luck\nand of memory")


def quiet(*given: Any, **options: Any) -> Any:
    """A few iterations, without a word of warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return sic.similarity(*given, **{"n_iterations": 4, "labels": 2, **options})


def warned(*given: Any, **options: Any) -> str:
    """The warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        sic.similarity(*given, **{"n_iterations": 4, "labels": 2, **options})
    return " ".join(str(one.message) for one in caught)


def finite(found: Any) -> bool:
    return bool(np.isfinite(found.matrix).all() and np.array_equal(found.matrix, found.matrix.T))


def saved(folder: Path) -> Any:
    """A file of something else."""
    np.savez(folder / "labels.npz", values=np.zeros((2, 2)))
    return Labels.load(folder / "labels.npz")


CASES: tuple[Case, ...] = (
    Case("sic: one item", lambda _: quiet(X[:1])),
    Case("sic: no items", lambda _: quiet(X[:0])),
    Case("sic: NaN", lambda _: quiet(np.where(np.eye(24, 3) > 0, np.nan, 0.0))),
    Case("sic: text", lambda _: quiet([["a"], ["b"]])),
    Case("sic: fewer items than labels", lambda _: quiet(X, labels=25)),
    Case("sic: one label", lambda _: quiet(X, labels=1)),
    Case("sic: three numbers of labels", lambda _: quiet(X, labels=(2, 3, 4))),
    Case("sic: everything is trained on", lambda _: quiet(X, train=1.0)),
    Case("sic: train is text", lambda _: quiet(X, train="half")),
    Case("sic: a class is dropped everywhere", lambda _: quiet(X, labels=12, min_per_label=5)),
    Case(
        "sic: some iterations have one class",
        lambda _: warned(X, n_iterations=20, labels=(2, 6), min_per_label=2),
        gives=lambda said: "iterations were skipped" in said,
    ),
    Case(
        "sic: items never tested together",
        lambda _: warned(X, test=4),
        gives=lambda said: "never tested together" in said,
    ),
    Case("sic: all items equal", lambda _: quiet(np.ones((24, 2)), labels="auto", min_per_label=1)),
    Case("sic: many equal items", lambda _: quiet(np.repeat(X[:8], 3, axis=0), n_iterations=30), gives=finite),
    Case("sic: a constant feature", lambda _: quiet(np.column_stack([X, np.ones(24)])), gives=finite),
    Case("sic: huge numbers", lambda _: quiet(1e90 * X), gives=finite),
    Case("sic: as few items as can be", lambda _: quiet(X[:4], n_iterations=30), gives=finite),
    Case("sic: no iterations", lambda _: quiet(X, n_iterations=0)),
    Case("sic: random_state", lambda _: quiet(X, random_state=0.5)),
    Case("sic: classifier that fails", lambda _: quiet(X, Bad(fail), random_state=3)),
    Case("sic: classes of some only", lambda _: quiet(X, Bad(lambda n: np.zeros(n - 1)))),
    Case(
        "sic: one class for all",
        lambda _: quiet(X, Bad(np.zeros), n_iterations=40).matrix,
        gives=lambda s: bool((s == 1).all()),
    ),
    Case(
        "sic: classes are words",
        lambda _: quiet(X, Bad(lambda n: ["a", "b"] * (n // 2) + ["a"] * (n % 2))),
        gives=finite,
    ),
    Case("sic: a class as classifier", lambda _: quiet(X, Bad)),
    Case("sic: unknown classifier", lambda _: quiet(X, "hmmm")),
    Case("sic: text for word models", lambda _: quiet(TEXT, "hmm")),
    Case("sic: text for trees", lambda _: quiet(TEXT, "forest")),
    Case("sic: vectors for fields", lambda _: quiet(X, "crf")),
    Case("sic: vectors for word models", lambda _: quiet(X, "hmm")),
    Case("sic: scores", lambda _: quiet(X, scores="soft")),
    Case("sic: rates beyond 1", lambda _: quiet(X, scores="weighted", p0=1.2)),
    Case("sic: rates of other iterations", lambda _: quiet(X, scores="weighted", p0=[0.1, 0.2])),
    Case("sic: weights where all are put together", lambda _: quiet(X, Bad(np.zeros), scores="weighted"), gives=finite),
    Case("sic: EM where all are put together", lambda _: quiet(X, Bad(np.zeros), scores="em"), gives=finite),
    Case("sic: EM where none are", lambda _: quiet(X, Bad(np.arange), scores="em"), gives=finite),
    Case("sic: sigma", lambda _: quiet(X, scores="weighted", sigma=0.0)),
    Case("sic: gaps in occurrences", lambda _: quiet(X, occurrences=[0, 2] * 12)),
    Case("sic: occurrences with EM", lambda _: quiet(X, occurrences=[0, 1] * 12, scores="em")),
    Case("sic: occurrences and stop", lambda _: quiet(X, occurrences=[0, 1] * 12, stop=0.1)),
    Case("sic: no neighbours", lambda _: quiet(X, neighbours=0)),
    Case("sic: labels that are no whole numbers", lambda _: Labels.from_classes([[0.5]])),
    Case("sic: labels below -1", lambda _: Labels.from_classes([[-2]])),
    Case("sic: another file", saved),
    Case(
        "sic measure: settings of another classifier",
        lambda _: measures.compute("sic", WORDS, classifier="forest", settings={"topology": 1}),
    ),
    Case(
        "sic measure: text as recordings",
        lambda _: measures.compute("sic", WORDS, classifier="hmm", settings={"n_states": 20}),
    ),
    Case(
        "one against all: an item that occurs once",
        lambda _: sic.one_versus_all(ONCE, n_iterations=2),
        gives=lambda found: bool(np.isfinite(found.matrix).all()),
    ),
    Case("one against all: sequences", lambda _: sic.one_versus_all(WORDS)),  # type: ignore[arg-type]
    Case("words: members of no class", lambda _: fit_words(frames_of(WORDS), [])),
    Case("words: topology", lambda _: fit_words(frames_of(WORDS), [[0]], topology=3)),  # type: ignore[arg-type]
    Case("words: floor", lambda _: fit_words(frames_of(WORDS), [[0]], floor=0.0)),
    Case(
        "words: columns that are not there",
        lambda _: quiet(SequenceSet.from_arrays(WORDS), sic.WordHMMs(2, features={"a": {"b": [0, 5]}})),
    ),
    Case("mcl: inflation", lambda _: get("mcl")(D, inflation=1.0)),
    Case("mcl: NaN", lambda _: get("mcl")(np.where(np.eye(24) > 0, np.nan, D))),
    Case("mcl: more clusters than items", lambda _: get("mcl")(D, 25)),
    Case("mcl: clean", lambda _: get("mcl")(D, clean=1)),
    Case("mcl: negative weights", lambda _: mcl(-D)),
    Case("mcl: entries kept", lambda _: get("mcl")(D, most=0)),
    Case("mcl: no square", lambda _: clean(X)),
    Case("mcl: all at one distance", lambda _: get("mcl")(1.0 - np.eye(6)), gives=lambda labels: not labels.any()),
    Case("retrieval: lists as numbers", lambda _: retrieval.mean_average_precision(np.ones((24, 24)), D)),
    Case("retrieval: lists of other items", lambda _: retrieval.average_precision(np.ones((3, 3), dtype=bool), D)),
    Case("retrieval: empty lists", lambda _: retrieval.precision_at(np.zeros((24, 24), dtype=bool), D)),
    Case("retrieval: no rates", lambda _: retrieval.roc_curves(CLASSES, D, [])),
    Case("retrieval: one class", lambda _: retrieval.roc_curves([0] * 24, D, [0.5])),
    Case("sic: true classes of items without", lambda _: quiet(X, labels="classes")),
    Case(
        "sic: true classes, all alike",
        lambda _: quiet(SequenceSet.from_arrays(WORDS, labels=[1] * 24), labels="classes"),
    ),
    Case("sic: labels in another word", lambda _: quiet(X, labels="true")),
    Case("sic: settled after all", lambda _: measures.compute("sic", WORDS, settling=1)),
    Case("sic: settled in words", lambda _: measures.compute("sic", WORDS, settling="half")),
    Case(
        "sic: settling of words that occur often",
        lambda _: measures.compute("sic", OFTEN, settling=0.5, n_iterations=4, labels=2),
    ),
    Case("sic_ova: normalised", lambda _: measures.compute("sic_ova", OFTEN, normalised=1)),
    Case("pairs: of one class", lambda _: pairs.normality_gap([0] * 24, D)),
    Case("pairs: NaN", lambda _: pairs.similarity_apart(CLASSES, np.where(np.eye(24) > 0, 0, np.nan))),
    Case("pairs: labels of others", lambda _: pairs.share_apart(CLASSES[:3], D)),
    Case("confidence: four items", lambda _: confidence_correlation([0, 0, 1, 1], D[:4, :4], "max", "pearson")),
    Case("confidence: nothing to retrieve", lambda _: confidence_correlation(np.arange(24), D, "max", "pearson")),
)
