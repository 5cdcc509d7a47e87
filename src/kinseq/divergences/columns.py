"""Columns in which two samples differ: in level, spread, skewness, form, and correlations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import rankdata

from ..core.arrays import FloatArray, as_count
from ..core.errors import DataError
from ..core.random_state import RandomState, check_seed
from ..core.seeds import stream
from ..core.wording import signed_difference
from .checks import REPEATS, Repeats, as_choice, as_pair
from .comparison import MIN_VECTORS, _counted_once, _labellings, _Units, too_few

if TYPE_CHECKING:
    import pandas

COLUMNS = ("column", "property", "effect", "p", "a", "b", "sentence")
MOST_PAIRED = 6
"""Number of columns above which correlations are left out: they would outnumber everything else."""
MIN_CORRELATION = 0.1
"""Least absolute value of two correlations of opposite signs for the sign to be the difference."""
EQUAL_DIFFERENCE = 1e-9
"""Largest difference between equal statistics."""


TWO_PEAKED = 0.8
"""Share of the variance between the values below and above a threshold above which a column is two-peaked: two normal
densities 4 deviations apart (0.64 for one, 0.75 for uniform values)."""
LEAST_PEAK, PEAK_BINS = 0.1, 64
"""Least share of the values in each of two peaks, and quantiles between which the threshold is searched."""
MIN_PAIRS = 55
"""Least number of 100 pairs, with one vector exceeding the other, that is stated."""
FAR = 5.0
"""Deviations from the median beyond which values are counted, if a few values make the difference."""
OUTSIDE_DISTANCES = 8.0
"""Median distances from the median beyond which values count as present, so that a few do not decide."""


class _Property(NamedTuple):
    """Property of a sample: its value, the values of the vectors, and the words for more and less in B."""

    of_sample: Callable[[FloatArray], float]
    of_vectors: Callable[[FloatArray], FloatArray]
    more: str
    less: str
    statistic: str


def _scaled(values: FloatArray) -> tuple[FloatArray, float]:
    """Return values of magnitude at most 1, whose squares cannot overflow, and the divisor."""
    largest = float(np.abs(values).max())
    return (values / largest, largest) if largest > 0.0 else (values, 1.0)


def _deviation(values: FloatArray) -> float:
    scaled, unit = _scaled(values)
    return unit * float(scaled.std())


def _units(values: FloatArray) -> FloatArray:
    """Return values with mean 0 and deviation 1."""
    values, _ = _scaled(values)
    deviation = float(values.std())
    return np.asarray((values - values.mean()) / (deviation if deviation > 0.0 else 1.0))


def _robust(values: FloatArray) -> FloatArray:
    """Return values in units of their median distance from their median."""
    away = values - np.median(values)
    unit = float(np.median(np.abs(away)))
    return np.asarray(away / unit) if unit > 0.0 else _units(values)


def _parted(values: FloatArray) -> tuple[float, float, float]:
    """Return the largest share of the variance between the values below and above a threshold, and the medians of both parts."""
    ordered = np.sort(_scaled(values)[0])
    n, unit = len(ordered), _scaled(values)[1]
    least = max(1, int(np.ceil(LEAST_PEAK * n)))
    cuts = np.arange(least, n - least + 1)
    total = np.cumsum(ordered - ordered.mean())[cuts - 1]
    variance = float(ordered.var())
    if not cuts.size or variance <= EQUAL_DIFFERENCE**2:
        middle = float(np.median(values))
        return 0.0, middle, middle
    shares = np.square(total) / (cuts * (n - cuts) * variance)
    cut = int(cuts[shares.argmax()])
    return float(shares.max()), unit * float(np.median(ordered[:cut])), unit * float(np.median(ordered[cut:]))


def _to_peaks(values: FloatArray) -> FloatArray:
    """Return the distance of each value from the nearer of two peaks, in deviations."""
    _, low, high = _parted(values)
    deviation = _deviation(values)
    return np.asarray(np.minimum(np.abs(values - low), np.abs(values - high)) / (deviation if deviation > 0.0 else 1.0))


# Simplest first: of about equal effects, the earlier one is named first.
_PROPERTIES = {
    "level": _Property(lambda x: float(np.median(x)), lambda x: x, "higher", "lower", "median"),
    "spread": _Property(
        _deviation,
        lambda x: np.abs(x - np.median(x)),
        "spread more widely",
        "spread less widely",
        "standard deviation",
    ),
    "skewness": _Property(
        lambda x: float((_units(x) ** 3).mean()),
        _robust,
        "skewed more to high values",
        "skewed more to low values",
        "skewness",
    ),
    "form": _Property(
        lambda x: float((_units(x) ** 4).mean()),
        lambda x: np.abs(_robust(x)),
        "heavier in the tails",
        "lighter in the tails",
        "kurtosis",
    ),
    "peaks": _Property(
        lambda x: _parted(x)[0],
        lambda x: -_to_peaks(x),
        "more clearly two-peaked",
        "less clearly two-peaked",
        "share of the variance between two parts",
    ),
}


def differences(
    X: ArrayLike,
    Y: ArrayLike,
    names: Sequence[str] | None = None,
    *,
    n_permutations: int = 999,
    random_state: RandomState = 0,
    groups: tuple[ArrayLike, ArrayLike] | None = None,
    repeats: Repeats = "once",
) -> pandas.DataFrame:
    """Return columns in which two samples differ, tested together.

    Parameters
    ----------
    X, Y : array_like, shapes (n, d) and (m, d)
        A and B, at least 8 vectors of each.
    names : sequence of str, optional
        Of the columns; numbers from 1 without.
    n_permutations : int
        At least 19.
    random_state : int, RandomState, Generator or None
        Names the random stream.
    groups : pair of array_like, shapes (n,) and (m,), optional
        What each vector belongs to; groups are permuted whole.
    repeats : {"once", "each"}
        As of :func:`kinseq.divergences.compare`.

    Returns
    -------
    pandas.DataFrame
        A row for each column and property, the surest first: ``column``; ``property`` (``level``, ``spread``, ``skewness``,
        ``form``; ``peaks`` where a sample has two; of up to 6 columns ``correlation`` of each two); ``effect``, the chance,
        0 to 1, that a vector of B exceeds one of A in it, ties half; ``p``; ``a`` and ``b``, what each sample has; ``sentence``.
        Empty where repeats leave too few units, or there are too few groups to be permuted.

    Raises
    ------
    DataError, ParameterError
        If the samples or the arguments are not usable.

    Notes
    -----
    Compared are sums of ranks (level), logarithms of standard deviations (spread), third and fourth standardised moments
    (skewness, form), the largest share of the variance between the values below and above a threshold, where it is 0.8 or
    more (peaks), and coefficients of correlation; of what lies further than 8 median distances from the median, these take
    the ends. P-values come from permutations of the units, for which all of this is computed anew, and are corrected
    for all columns and properties by the largest statistic of each (Westfall and Young, 1993), in units of its deviation.
    """
    import pandas as pd

    seed, permutations = check_seed(random_state), as_count(n_permutations, "n_permutations", least=19)
    x, y = as_pair(X, Y)
    as_choice("repeats", repeats, REPEATS)
    column_names = [str(name) for name in (range(1, x.shape[1] + 1) if names is None else names)]
    if len(column_names) != x.shape[1]:
        raise DataError(f"names: there are {len(column_names)} but {x.shape[1]} columns; give one each")
    of_x, of_y = (None, None) if groups is None else groups
    first, second = (
        _Units.from_groups(len(x), of_x, "first set", 0),
        _Units.from_groups(len(y), of_y, "second set", len(x)),
    )
    least = min(MIN_VECTORS, first.number, second.number)
    if repeats == "once":
        left = np.zeros(len(x) + len(y), dtype=bool)
        left[_counted_once(np.concatenate([x, y]), first, second)] = True
        first, second = first.within(left[: len(x)], 0), second.within(left[len(x) :], int(left[: len(x)].sum()))
        x, y = x[left[: len(x)]], y[left[len(x) :]]
        if min(first.number, second.number) < least:
            return pd.DataFrame([], columns=list(COLUMNS))
    if too_few(first.number, second.number):
        return pd.DataFrame([], columns=list(COLUMNS))
    labels = _labellings(first, second, permutations, stream(seed, "compare", "columns"))
    entries = _entries(x, y, column_names)
    away = _away(x, y, labels)
    p = _corrected(away)
    rows: list[tuple[Any, ...]] = []
    for (column, name, a, b, more, less, statistic, vectors), direction, chance in zip(
        entries, away[:, 0].tolist(), p.tolist(), strict=True
    ):
        effect = _exceeds(*vectors)
        words = more if direction > 0.0 else less
        if name == "correlation":
            words = f"{signed_difference(b, a, ('negative', 'positive'), MIN_CORRELATION)} correlation"
        what = f"{column}: {words} in B"
        at = 0 if name == "correlation" else column_names.index(column)
        if name == "peaks":
            if direction == 0.0:
                continue
            what = _peaked(column, what, x[:, at], y[:, at])
        support = _support(100.0 * (effect if direction > 0.0 else 1.0 - effect))
        if not support and name in ("spread", "form"):
            support = _outlier_note(x[:, at], y[:, at], direction)
        rows.append(
            (
                column,
                name,
                effect,
                chance,
                a,
                b,
                f"{what} ({statistic} {a:.3g} in A, {b:.3g} in B){support}",
            )
        )
    table = pd.DataFrame(rows, columns=list(COLUMNS))
    strength = -(table["effect"] - 0.5).abs().round(2)
    return table.iloc[np.lexsort((np.arange(len(table)), strength, table["p"]))].reset_index(drop=True)


def _entries(x: FloatArray, y: FloatArray, names: Sequence[str]) -> list[list[Any]]:
    """Column, property, values in A and B, words for more and less, and finally the values of the vectors."""
    entries: list[list[Any]] = []
    for name, kind in _PROPERTIES.items():
        for j, column in enumerate(names):
            a, b = x[:, j], y[:, j]
            words = [kind.more, kind.less, kind.statistic]
            entries.append(
                [column, name, kind.of_sample(a), kind.of_sample(b), *words, (kind.of_vectors(a), kind.of_vectors(b))]
            )
    if len(names) <= MOST_PAIRED:
        words = ["", "", "correlation"]
        for i, j in zip(*np.triu_indices(len(names), k=1), strict=True):
            products = [_units(z[:, i]) * _units(z[:, j]) for z in (x, y)]
            both = [float(product.mean()) for product in products]
            entries.append([f"{names[i]} and {names[j]}", "correlation", *both, *words, tuple(products)])
    return entries


def _support(pairs: float) -> str:
    """The number of 100 pairs in which one vector exceeds the other, if many more than half."""
    return f", in {round(pairs)} of 100 pairs" if MIN_PAIRS <= round(pairs) < 100 else ""


def _outlier_note(a: FloatArray, b: FloatArray, direction: float) -> str:
    """Return a note on the values far from the median in both samples, if these make the difference."""
    centre = float(np.median(a if direction > 0.0 else b))
    unit = 1.4826 * _sized((a if direction > 0.0 else b) - centre)
    in_a, in_b = (int((np.abs(values - np.median(values)) > FAR * unit).sum()) for values in (a, b))
    if direction * (in_b / len(b) - in_a / len(a)) <= 0.0:
        return ""
    return f"; {in_b} of {len(b)} values in B lie more than {FAR:g} deviations from the median, and {in_a} of {len(a)} in A"


def _peaked(column: str, otherwise: str, a: FloatArray, b: FloatArray) -> str:
    """Describe which of two samples has two peaks, and where; otherwise the usual words."""
    parted = {"A": _parted(a), "B": _parted(b)}
    two = [side for side, (share, _, _) in parted.items() if share >= TWO_PEAKED]
    if len(two) != 1:
        return otherwise
    _, low, high = parted[two[0]]
    return f"{column}: two-peaked in {two[0]}, at about {low:.3g} and {high:.3g}, and not in {'A' if two == ['B'] else 'B'}"


def _exceeds(a: FloatArray, b: FloatArray) -> float:
    """Return the probability that a value of B exceeds one of A, ties half."""
    ranks = rankdata(np.concatenate([a, b]))
    return float(0.5 + (ranks[len(a) :].mean() - ranks[: len(a)].mean()) / len(ranks))


def _away(x: FloatArray, y: FloatArray, labels: FloatArray) -> FloatArray:
    """Excess of B over A in each property under each labelling, 1 for A; in the order of :func:`_entries`.

    Everything but the level is computed anew for each labelling, of values from which the own median is taken, and but for
    the spread in units of their own median size: a mean and a deviation that are those of the given samples would be no
    more than chance makes them under other labels.
    """
    d = x.shape[1]
    level = [_means(rankdata(np.concatenate([x[:, j], y[:, j]])), labels) for j in range(d)]
    centred = np.concatenate([x - np.median(x, axis=0), y - np.median(y, axis=0)])
    outside = OUTSIDE_DISTANCES * np.array([_sized(column) for column in centred.T])
    centred = np.clip(centred, -outside, outside)
    alike = np.clip(
        np.concatenate([np.column_stack([_robust(c) for c in z.T]) for z in (x, y)]),
        -OUTSIDE_DISTANCES,
        OUTSIDE_DISTANCES,
    )
    spreads = [np.log(np.maximum(_deviations(column, labels), np.finfo(float).tiny)) for column in centred.T]
    moments = [[_means(column**k, labels) for k in range(1, 5)] for column in alike.T]
    deviations = [np.sqrt(np.maximum(m[1] - m[0] ** 2, EQUAL_DIFFERENCE)) for m in moments]
    skews = [(m[2] - 3 * m[0] * m[1] + 2 * m[0] ** 3) / s**3 for m, s in zip(moments, deviations, strict=True)]
    fourths = [
        (m[3] - 4 * m[0] * m[2] + 6 * m[0] ** 2 * m[1] - 3 * m[0] ** 4) / s**4
        for m, s in zip(moments, deviations, strict=True)
    ]
    pairs = [*level, *spreads, *skews, *fourths, *(_peaks(column, labels) for column in np.concatenate([x, y]).T)]
    if d <= MOST_PAIRED:
        for i, j in zip(*np.triu_indices(d, k=1), strict=True):
            both = _means(alike[:, i] * alike[:, j], labels) - moments[i][0] * moments[j][0]
            pairs.append(both / (deviations[i] * deviations[j]))
    return np.array([b - a for a, b in pairs])


def _peaks(values: FloatArray, labels: FloatArray) -> FloatArray:
    """Largest shares of the variance between two parts of A and of B under each labelling, shape (2, labellings)."""
    # Take units and bins from both samples together, so that samples of equal distributions are exchangeable.
    values = np.clip(_robust(values), -OUTSIDE_DISTANCES, OUTSIDE_DISTANCES)
    edges = np.unique(np.quantile(values, np.linspace(0.0, 1.0, PEAK_BINS + 1)[1:-1]))
    bins = np.searchsorted(edges, values, "left")
    number = len(edges) + 1
    counts, sums = np.zeros((number, labels.shape[1])), np.zeros((number, labels.shape[1]))
    for k in range(number):
        inside = bins == k
        counts[k], sums[k] = labels[inside].sum(axis=0), values[inside] @ labels[inside]
    every = np.bincount(bins, minlength=number)[:, None], np.bincount(bins, values, number)[:, None]
    squares = np.square(values)
    shares = []
    for of, total, mean_square in (
        (counts, sums, (squares @ labels) / labels.sum(axis=0)),
        (every[0] - counts, every[1] - sums, (squares.sum() - squares @ labels) / (len(labels) - labels.sum(axis=0))),
    ):
        n = of.sum(axis=0)
        mean = total.sum(axis=0) / n
        variance = np.maximum(mean_square - mean**2, EQUAL_DIFFERENCE)
        below = np.cumsum(of, axis=0)[:-1]
        away = np.cumsum(total, axis=0)[:-1] - below * mean
        split = np.square(away) / np.maximum(below * (n - below) * variance, np.finfo(float).tiny)
        usable = (below >= LEAST_PEAK * n) & (n - below >= LEAST_PEAK * n)
        # Below this, there are no two peaks to differ in.
        shares.append(np.where(usable, split, 0.0).max(axis=0, initial=TWO_PEAKED))
    return np.array(shares)


def _sized(centred: FloatArray) -> float:
    """Median magnitude of centred values, or else their deviation."""
    size = float(np.median(np.abs(centred)))
    return size if size > 0.0 else float(centred.std())


def _means(values: FloatArray, labels: FloatArray) -> FloatArray:
    """Return means of A and of B under each labelling, shape (2, labellings)."""
    of_a = labels.sum(axis=0)
    in_a = values @ labels
    return np.array([in_a / of_a, (values.sum() - in_a) / (len(labels) - of_a)])


def _deviations(values: FloatArray, labels: FloatArray) -> FloatArray:
    """Standard deviations of A and of B under each labelling, shape (2, labellings)."""
    return np.asarray(np.sqrt(np.maximum(_means(values**2, labels) - _means(values, labels) ** 2, 0.0)))


def _corrected(away: FloatArray) -> FloatArray:
    """Corrected p-values of the first column, two-sided; all columns are equally likely if there is no difference."""
    deviation = away.std(axis=1, keepdims=True)
    size = np.abs(away) / np.where(deviation > EQUAL_DIFFERENCE, deviation, 1.0)
    return np.asarray((size.max(axis=0) >= size[:, :1] - EQUAL_DIFFERENCE).mean(axis=1))
