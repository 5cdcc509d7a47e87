"""The contract of classifiers, and the iterations that train and test them."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import FloatArray, IntArray
from ..core.errors import DataError, KinseqError
from ..core.jobs import each
from ..core.seeds import derive_seed, stream
from ..core.sequences import SequenceSet
from ..core.tokens import Items
from .labels import UNTESTED, Labels
from .samples import Samples
from .sampling_design import Draw, Plan, draw

MANY_LABELS = "The number of unique classes is greater than 50%"
"""Beginning of a warning of scikit-learn."""

Answer = Callable[[IntArray, IntArray, IntArray, np.random.Generator], NDArray[Any]]
"""``answer(train, labels, tested, generator)`` trains on some samples and returns a class for each tested one."""


@runtime_checkable
class Classifier(Protocol):
    """Interface of classifiers, as in scikit-learn: learn classes from items and predict others.

    Items are what :meth:`kinseq.core.sequences.SequenceSet.subset` gives. Equal calls must give equal answers.
    """

    def fit(self, items: Any, labels: IntArray, /) -> object:
        """Learn the classes of some items."""

    def predict(self, items: Any, /) -> NDArray[Any]:
        """Return classes of other items."""


@runtime_checkable
class ClassifierRecipe(Protocol):
    """A recipe of classifiers: it prepares the whole set once, and draws its settings at every iteration."""

    @property
    def min_per_label(self) -> int:
        """Default least number of samples of a class."""

    def prepare(self, items: Items) -> Answer:
        """Return the state shared by all iterations."""


def vectors_of(items: Items) -> FloatArray:
    """Return vectors unchanged; of sequences, the mean, standard deviation, minimum, maximum and slope of each feature.

    Means over the first and the last half differ by the slope, which says something about the order: shape (N, 5 d). A
    DataError if the items are words in sentences.
    """
    if not isinstance(items, SequenceSet):
        raise DataError(f"{items.name}: holds words in sentences, which are no vectors; take the classifier 'crf'")
    if (items.lengths == 1).all():
        return items.values
    rows = []
    for frames in items:
        half = (len(frames) + 1) // 2
        slope = frames[-half:].mean(axis=0) - frames[:half].mean(axis=0)
        rows.append(
            np.concatenate([frames.mean(axis=0), frames.std(axis=0), frames.min(axis=0), frames.max(axis=0), slope])
        )
    return np.array(rows)


def _answered(output: Any, split: Draw, where: str) -> NDArray[np.int16]:
    """Return the classes of the tested samples as numbers from 0, or an error that names the iteration."""
    classes = np.asarray(output)
    if classes.shape != split.tested.shape:
        raise DataError(
            f"{where}: gave classes of shape {classes.shape} for {split.tested.size} samples, expected one each"
        )
    return np.asarray(np.unique(classes, return_inverse=True)[1], dtype=np.int16).reshape(-1)


def classify(
    samples: Samples, answer: Answer, how: Plan, iterations: Iterable[int], threads: int = 1, name: str = "classifier"
) -> Labels:
    """Run some iterations.

    `answer` is what :meth:`ClassifierRecipe.prepare` gave for these samples. Each iteration has streams of its own, so that it
    gives the same in any batch and on any number of threads. If a classifier fails, a KinseqError names it, the
    iteration and the seed.
    """
    numbers = sorted({int(i) for i in iterations})
    with warnings.catch_warnings():
        # Many labels for few items are intended; this is not a regression problem. All threads share the filters.
        warnings.filterwarnings("ignore", message=MANY_LABELS)
        results = list(each(_iteration, numbers, threads, samples, answer, how, name, os.getpid()))
    values = np.empty((len(samples), len(results)), dtype=np.int16)
    for at, (column, _) in enumerate(results):
        values[:, at] = column
    trained = np.array([classes for _, classes in results], dtype=np.int64)
    return Labels(values, np.array(numbers, dtype=np.int64), trained)


def _iteration(
    i: int, samples: Samples, answer: Answer, how: Plan, name: str, asker: int
) -> tuple[NDArray[np.int16], int]:
    """Return the answers of one iteration, and its number of classes; `asker` is the calling process."""
    if os.getpid() != asker:
        warnings.filterwarnings("ignore", message=MANY_LABELS)
    split = draw(samples, how, i)
    column = np.full(len(samples), UNTESTED, dtype=np.int16)
    if split.n_classes >= 2 and split.tested.size:
        where = f"{samples.name}: classifier {name!r} at iteration {i} (seed {how.seed})"
        try:
            output = answer(split.train, split.labels, split.tested, stream(how.seed, "sic", "classifier", i))
        except KinseqError:
            raise
        except Exception as error:
            text = " ".join(str(error).split())
            raise DataError(f"{where} fails with {type(error).__name__}: {text}; change its settings") from error
        column[split.tested] = _answered(output, split, where)
    return column, split.n_classes


def flip_keys(seed: int, iterations: IntArray) -> NDArray[np.uint64]:
    """Return keys of the draws of the flipped scores, one per iteration."""
    return np.array([derive_seed(seed, "sic", "flip", int(i)) for i in iterations], dtype=np.uint64)
