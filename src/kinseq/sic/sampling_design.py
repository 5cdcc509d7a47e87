"""Choose the training samples of an iteration, and their random labels."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from ..core.arrays import IntArray, as_count, as_real
from ..core.errors import DataError, ParameterError
from ..core.seeds import stream
from .samples import Samples

NumberOfLabels = str | int | tuple[int, int]
EXPECTED = "expected 'auto', 'classes', a number, or the least and greatest number"


@dataclass(frozen=True)
class Plan:
    """Settings of the draws; see :func:`kinseq.sic.similarity`.

    Attributes
    ----------
    train : float
        Share of the samples that is trained on.
    labels : tuple of int
        Least and greatest number of random labels.
    min_per_label : int
        Labels with fewer samples are dropped, and their samples tested.
    test : int or None
        Number of samples that are tested, all if None.
    train_tested : bool
        Whether what was trained on is tested as well.
    seed : int
        Root of the streams.
    classes : ndarray of int, shape (N,), or None
        True classes that are learnt in place of random labels, from 0.
    """

    train: float
    labels: tuple[int, int]
    min_per_label: int
    test: int | None = None
    train_tested: bool = False
    seed: int = 0
    classes: IntArray | None = field(default=None, compare=False)


class Draw(NamedTuple):
    """One iteration before training."""

    train: IntArray
    """Positions of the training samples, ascending"""
    labels: IntArray
    """Their random labels, from 0 without gaps"""
    tested: IntArray
    """Positions of the test samples, ascending"""
    n_classes: int


def n_trained(samples: Samples, train: float) -> int:
    """Return the number of units of training samples: at least two, and at most two less than there are."""
    units = int(samples.together.max()) + 1
    return min(max(2, round(train * units)), max(1, units - 2))


def plan(
    samples: Samples,
    train: float = 0.25,
    labels: NumberOfLabels = "auto",
    min_per_label: int | None = None,
    test: int | None = None,
    train_tested: bool = False,
    seed: int = 0,
    usual: int = 2,
) -> Plan:
    """Check the plan against the samples; a ParameterError for numbers out of range or too many labels.

    Without a least number of samples of a label it is `usual`, what the classifier requires, or a quarter of the
    training samples where that is less, so that two labels can have it.
    """
    share = as_real(train, "train", "a share above 0 and below 1")
    if not 0.0 < share < 1.0:
        raise ParameterError(f"train is {train!r}, expected a share above 0 and below 1")
    size = len(samples) * n_trained(samples, share) / (int(samples.together.max()) + 1)
    default = max(1, min(usual, int(size) // 4))
    least = default if min_per_label is None else as_count(min_per_label, "min_per_label")
    classes = None
    if labels == "classes":
        classes = true_classes(samples)
        low = high = int(classes.max()) + 1
    elif isinstance(labels, str):
        if labels != "auto":
            raise ParameterError(f"labels is {labels!r}, {EXPECTED}")
        high = max(2, int(size / least))
        low = max(2, high // 2)
    else:
        low, high = _range(labels)
        if low > len(samples):
            raise ParameterError(
                f"labels is {labels!r} but {samples.name} holds only {len(samples)} samples; ask for fewer labels"
            )
    at_once = None if test is None else as_count(test, "test")
    return Plan(share, (low, high), least, at_once, bool(train_tested), seed, classes)


def true_classes(samples: Samples) -> IntArray:
    """Class of each sample as a number from 0, that of its item; a DataError if the items have none, or only one."""
    labels = samples.items.labels
    if labels is None:
        raise DataError(f"{samples.name}: has no classes to be learnt; leave labels at 'auto', or give classes")
    names, codes = np.unique(labels, return_inverse=True)
    if names.size < 2:
        raise DataError(f"{samples.name}: is of one class, {names[0]!r}, and there is nothing to tell apart; give two")
    own = np.asarray(codes, dtype=np.int64).reshape(-1)
    return own if samples.owners is None else own[samples.owners]


def _range(labels: Any) -> tuple[int, int]:
    pair = tuple(labels) if isinstance(labels, (tuple, list)) else (labels, labels)
    if len(pair) != 2:
        raise ParameterError(f"labels is {labels!r}, {EXPECTED}")
    low, high = (as_count(number, "labels", least=2) for number in pair)
    if low > high:
        raise ParameterError(f"labels runs from {low} to {high}; give the least number first")
    return low, high


def draw(samples: Samples, how: Plan, iteration: int) -> Draw:
    """Return the training and test samples of one iteration, determined by samples, plan and number.

    Samples that go together are drawn together, and those that are alike bear one label. Labels with too few samples
    are dropped and their samples tested, unless all are. With fewer than two classes nothing is to be tested.
    """
    rng = stream(how.seed, "sic", "draw", iteration)
    units = int(samples.together.max()) + 1
    in_training = np.zeros(units, dtype=bool)
    in_training[rng.permutation(units)[: n_trained(samples, how.train)]] = True
    n_labels = int(rng.integers(how.labels[0], how.labels[1] + 1))
    random_labels = rng.integers(n_labels, size=int(samples.alike.max()) + 1)
    label = random_labels[samples.alike] if how.classes is None else how.classes
    trained = in_training[samples.together]
    sizes = np.bincount(label[trained], minlength=n_labels)
    trained &= (sizes >= how.min_per_label)[label]
    used = np.unique(label[trained])
    if used.size < 2:
        nothing = np.zeros(0, dtype=np.int64)
        return Draw(nothing, nothing, nothing, int(used.size))
    tested = np.arange(len(samples)) if how.train_tested else np.flatnonzero(~trained)
    if how.test is not None and how.test < tested.size:
        tested = _some_units(samples, tested, how.test, rng)
    train = np.flatnonzero(trained)
    return Draw(train, np.searchsorted(used, label[train]), tested, int(used.size))


def _some_units(samples: Samples, tested: IntArray, wanted: int, rng: np.random.Generator) -> IntArray:
    """Test samples from as many units, in random order, as give at least the requested number."""
    rank = rng.permutation(int(samples.together.max()) + 1)[samples.together[tested]]
    bound = np.sort(rank)[wanted - 1]
    return np.asarray(tested[rank <= bound])
