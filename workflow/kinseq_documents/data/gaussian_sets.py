"""Sets of vectors from two Gaussians that differ in one variance, with or without outliers (T 4.5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from kinseq.core.arrays import FloatArray, IntArray, as_count
from kinseq.core.errors import ParameterError, is_one_of, unknown_name
from kinseq.core.seeds import stream
from kinseq.core.sequences import SequenceSet

from ..tasks import Task
from .registry import Loader

OUTLIERS_AT = (5.0, 5.0)
"""Mean of the outliers, whose covariance is the identity."""

Place = Literal["replaced", "added"]
Spread = Literal["variance", "deviation"]

PLACES = ("replaced", "added")
SPREADS = ("variance", "deviation")


def _number(value: Any, name: str, above: float, below: float) -> float:
    good = isinstance(value, (int, float, np.number)) and not isinstance(value, bool) and above <= value < below
    if not good:
        raise ParameterError(f"gaussian sets: {name} is {value!r}, expected a number from {above:g} to below {below:g}")
    return float(value)


def variances(scale: float, spread: Spread) -> tuple[float, float]:
    """Return the variance of the first coordinate in either class: 1, and that of the second class.

    `spread` says whether the printed value of the second class is a variance or a deviation.
    """
    if not is_one_of(spread, SPREADS):
        raise ParameterError(f"gaussian sets: {unknown_name('spread', spread, SPREADS)}")
    printed = _number(scale, "scale", 0.0, np.inf)
    if printed in (0.0, 1.0):
        raise ParameterError(f"gaussian sets: scale is {scale!r}, expected a positive number other than 1")
    return 1.0, printed if spread == "variance" else printed**2


def bayes_error(sizes: ArrayLike, first: float, second: float) -> float:
    """Return the least error (percent) of a classifier of single sets that knows both covariances, averaged over `sizes`.

    The classes are as frequent as each other, as are the sizes (S,), and all that distinguishes them is the variance of
    one coordinate with mean 0, `first` and `second`. A set of n vectors is then given to the class with the larger
    likelihood, which compares the sum of n squares with a threshold; under either class that sum is a multiple of a
    chi-squared variable with n degrees of freedom. The printed 16.50 of KL-Gauss in thesis 2011, table 4.1 (a) lies
    below it.
    """
    from scipy.stats import chi2

    n, (low, high) = np.asarray(sizes, dtype=np.float64), sorted((first, second))
    threshold = n * np.log(high / low) / (1.0 / low - 1.0 / high)
    missed = chi2.sf(threshold / low, n), chi2.cdf(threshold / high, n)
    return float(50.0 * np.mean(missed[0] + missed[1]))


def _range(sizes: Any) -> tuple[int, int]:
    """Return the least and greatest size of a set."""
    if not isinstance(sizes, (list, tuple)) or len(sizes) != 2:
        raise ParameterError(f"gaussian sets: sizes is {sizes!r}, expected the least and the greatest: [80, 120]")
    least, most = (as_count(size, "gaussian sets: sizes") for size in sizes)
    if least > most:
        raise ParameterError(f"gaussian sets: sizes is {sizes!r}, expected the least and the greatest: [80, 120]")
    return least, most


def _outliers(size: IntArray, share: float) -> IntArray:
    """Return the number of outliers in sets of some sizes."""
    return np.rint(share * size).astype(np.int64)


def draw(
    seed: int,
    per_class: int,
    sizes: Sequence[int],
    scale: float,
    spread: Spread,
    outliers: float,
    place: Place,
) -> tuple[SequenceSet, list[Task]]:
    """Return one data set: as many sets of either class, N(0, I) and N(0, diag(variance, 1)) in two dimensions.

    Labels are 0 and 1. The number of vectors in a set is uniform between the two `sizes`; `scale` and `spread` are those of
    :func:`variances`. `outliers` is their share in each set, in [0, 1); they replace vectors of the set or are added to
    them. Without outliers and with them, a seed gives the same vectors otherwise. The one task has the error of a
    classifier that knows both covariances and which vectors are outliers.
    """
    count = as_count(per_class, "gaussian sets: per_class")
    least, most = _range(sizes)
    if not is_one_of(place, PLACES):
        raise ParameterError(f"gaussian sets: {unknown_name('place', place, PLACES)}")
    share = _number(outliers, "outliers", 0.0, 1.0)
    both = variances(scale, spread)
    labels = np.repeat([0, 1], count)
    # Separate streams, so that the vectors do not depend on the outliers.
    vectors, strange = stream(seed, "gaussian sets"), stream(seed, "gaussian sets", "outliers")
    set_sizes = vectors.integers(least, most, endpoint=True, size=2 * count)
    arrays: list[FloatArray] = []
    for label, size, far in zip(labels, set_sizes, _outliers(set_sizes, share), strict=True):
        own = vectors.normal(size=(size, 2)) * np.array([np.sqrt(both[label]), 1.0])
        n_own = size - far if place == "replaced" else size
        arrays.append(np.concatenate([own[:n_own], OUTLIERS_AT + strange.normal(size=(far, 2))]))
    every = np.arange(least, most + 1)
    telling = every - _outliers(every, share) if place == "replaced" else every
    if telling.min() < 1:
        raise ParameterError(f"gaussian sets: outliers is {outliers!r}, which leaves sets of {least} with nothing else")
    task = Task("all", np.arange(2 * count), 2, bayes_error=bayes_error(telling, *both))
    return SequenceSet.from_arrays(arrays, labels=labels, name="gaussian_sets"), [task]


_DEFAULTS: dict[str, Any] = {
    "per_class": 25,
    "sizes": [80, 120],
    "scale": 1.3,
    "spread": "variance",
    "outliers": 0.0,
    "place": "replaced",
}

LOADERS = (
    Loader(
        name="gaussian_sets",
        label="sets of vectors from N(0, I) and N(0, diag(1.3, 1)), anew in every trial",
        notes={
            "sizes": "vectors, uniform",
            "spread": "or `deviation`: what 1.3 is",
            "outliers": "share",
            "place": "or `added`: outliers next to the vectors",
        },
        function=draw,
        kind="generated",
        params=_DEFAULTS,
    ),
)
