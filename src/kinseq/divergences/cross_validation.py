"""Risk of the nearest-neighbour rule between two sets by complete cross-validation, in closed form.

The mean over all ways to split the vectors into training and test needs no splits: it follows from the order of the
neighbours of each vector (Mullin and Sukthankar, 2000; thesis 2011, section 5.2.1).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from ..core.arrays import FloatArray
from ..core.compiled import compiled
from ..core.sequences import SequenceSet
from .checks import as_choice, as_pair, as_real
from .neighbours import Within, comparable, squared_distances

Prior = Literal["half", "empirical"]

PRIORS = ("half", "empirical")


# A chance of this size changes no sum of chances in float64.
_NEGLIGIBLE_CHANCE = 2.0**-60


@lru_cache(maxsize=256)
def rank_weights(n: int, size: int) -> FloatArray:
    """Return the chance that the nearest training vector is the i-th neighbour, for i from 1, and running sums from 0.

    `size` of the ``n - 1`` other vectors are drawn for training: ``C(n-1-i, size-1) / C(n-1, size)``.
    """
    chances = np.empty(n - 1)
    chance = size / (n - 1)
    for i in range(1, n):
        chances[i - 1] = chance
        chance *= max(n - i - size, 0) / (n - 1 - i) if i < n - 1 else 0.0
    sums = np.concatenate([[0.0], np.cumsum(chances)])
    sums.setflags(write=False)
    return sums


@compiled()
def _sort(row):  # type: ignore[no-untyped-def]
    """Sort in place, by insertion if that is faster."""
    if row.shape[0] > 64:
        row.sort()
        return
    for c in range(1, row.shape[0]):
        value = row[c]
        p = c
        while p > 0 and row[p - 1] > value:
            row[p] = row[p - 1]
            p -= 1
        row[p] = value


@compiled()
def _n_relevant(sums):  # type: ignore[no-untyped-def]
    """Number of neighbours beyond which the probability of the nearest training vector is negligible in a sum."""
    reach = 0
    while reach < sums.shape[0] - 1 and sums[-1] - sums[reach] > _NEGLIGIBLE_CHANCE:
        reach += 1
    return reach


@compiled()
def _keep_near(row, bound):  # type: ignore[no-untyped-def]
    """Move the entries up to the bound to the front, in order, and return that part."""
    count = 0
    for c in range(row.shape[0]):
        value = row[c]
        row[count] = value
        count += value <= bound
    return row[:count]


@compiled()
def _errors(cross, own, sums):  # type: ignore[no-untyped-def]
    """Sum over some vectors of the probability that the nearest training vector belongs to the other set.

    `cross` and `own` are squared distances from the other set and from the own one (infinity to themselves); rows of
    `own` rise, those of `cross` are overwritten. `sums` are the running sums of the chances by rank.
    """
    total, reach = 0.0, _n_relevant(sums)
    for r in range(cross.shape[0]):
        ours = own[r]
        # A vector with `reach` closer vectors of its own set is never the nearest neighbour, so its chance is 0.
        theirs = _keep_near(cross[r], ours[min(reach, ours.shape[0] - 1)])
        _sort(theirs)
        a, b = 0, 0
        while b < theirs.shape[0]:
            value = theirs[b]
            while a < ours.shape[0] - 1 and ours[a] < value:
                a += 1
            same, tied = 0, 1
            while a + same < ours.shape[0] - 1 and ours[a + same] == value:
                same += 1
            while b + tied < theirs.shape[0] and theirs[b + tied] == value:
                tied += 1
            # Tied vectors are ordered at random with equal probability.
            total += (sums[a + b + same + tied] - sums[a + b]) * tied / (same + tied)
            a += same
            b += tied
    return total


@compiled()
def _pair_errors(x, y, sums):  # type: ignore[no-untyped-def]
    """Sums of errors of the vectors of either set; `x`, `y` are (n, d) and (m, d)."""
    result = np.zeros(2)
    for side in range(2):
        ours, theirs = (x, y) if side == 0 else (y, x)
        n = ours.shape[0]
        rows = min(n, 256)
        own, cross = np.empty((rows, n)), np.empty((rows, theirs.shape[0]))
        for first in range(0, n, rows):
            size = min(rows, n - first)
            squared_distances(ours[first : first + size], ours.T, own[:size])
            squared_distances(ours[first : first + size], theirs.T, cross[:size])
            for r in range(size):
                own[r, first + r] = np.inf
                _sort(own[r])
            result[side] += _errors(cross[:size], own[:size], sums)
    return result


def training_size(n: int, train: float) -> int:
    """Return the number of n vectors that train: a share of them, rounded down; at least one trains and one is tested."""
    return min(max(int(np.floor(train * n)), 1), n - 1)


def _risk(errors: FloatArray, n: int, m: int, prior: Prior) -> float:
    if prior == "half":
        return float(0.5 * (errors[0] / n + errors[1] / m))
    return float(errors.sum() / (n + m))


def nn_risk(X: ArrayLike, Y: ArrayLike, train: float = 0.5, prior: Prior = "half") -> float:
    """Return the risk of the nearest-neighbour rule between two sets by complete cross-validation.

    The mean over all ways to draw a training set of ``floor(train * (n + m))`` vectors from both sets together, in
    closed form. Vectors at equal distances count as being in each order with the same probability.

    Parameters
    ----------
    X, Y : array_like, shapes (n, d) and (m, d)
    train : float
        Share of the vectors that train, in (0, 1); at least one trains and one is tested.
    prior : {"half", "empirical"}
        How errors are averaged: the mean of the two sets' own means, or the mean over all vectors. With the latter,
        samples of the same distribution that differ in size look apart.

    Returns
    -------
    float
        In [0, 1]; about 1/2 for samples of one distribution (with ``prior="half"``), 0 for sets far apart.

    Raises
    ------
    DataError
        If a set is not a finite (n, d) array or the features differ in number.
    ParameterError
        If the share or the prior is out of range.

    References
    ----------
    Mullin and Sukthankar (2000); thesis 2011, section 5.2.1.
    """
    as_choice("prior", prior, PRIORS)
    share = as_real(train, "train", 0.0, 1.0)
    x, y = as_pair(X, Y)
    n, m = len(x), len(y)
    both = comparable(np.concatenate([x, y]))
    sums = rank_weights(n + m, training_size(n + m, share))
    return _risk(_pair_errors(both[:n], both[n:], sums), n, m, prior)


@compiled()
def _row_of_errors(values, columns, offsets, starts, own, i, first, last, sums, places, errors):  # type: ignore[no-untyped-def]
    a, b = offsets[i], offsets[i + 1]
    n, base = b - a, offsets[first]
    block = np.empty((n, offsets[last] - base))
    squared_distances(values[a:b], columns[:, base : offsets[last]], block)
    square = own[starts[i] : starts[i + 1]].reshape((n, n))
    for j in range(first, last):
        m = offsets[j + 1] - offsets[j]
        cross = block[:, offsets[j] - base : offsets[j + 1] - base]
        theirs = own[starts[j] : starts[j + 1]].reshape((m, m))
        weights = sums[places[n + m] : places[n + m] + n + m]
        errors[j, 0] = _errors(cross.copy(), square, weights)
        errors[j, 1] = _errors(cross.T.copy(), theirs, weights)


def pairwise_nn_risk(sets: SequenceSet, train: float = 0.5, prior: Prior = "half") -> FloatArray:
    """:func:`nn_risk` of every two sets of a collection.

    Parameters
    ----------
    sets : SequenceSet
        N sets of vectors.
    train, prior
        See :func:`nn_risk`.

    Returns
    -------
    ndarray, shape (N, N)
        Symmetric. The diagonal is 1/2, the risk between a distribution and itself.
    """
    as_choice("prior", prior, PRIORS)
    share = as_real(train, "train", 0.0, 1.0)
    lengths, within = sets.lengths, Within.of(sets)
    risk = np.full((len(sets), len(sets)), 0.5)
    for i in range(len(sets) if within.own.size else 0):
        within.own[within.starts[i] : within.starts[i + 1]].reshape(lengths[i], lengths[i]).sort(axis=1)
    # Pairs of sets of one total size share a table, so that it is made once.
    totals = np.unique(lengths[:, None] + lengths)
    places = np.full(int(totals[-1]) + 1, -1, dtype=np.int64)
    tables = [rank_weights(int(total), training_size(int(total), share)) for total in totals]
    places[totals] = np.concatenate([[0], np.cumsum([len(table) for table in tables])[:-1]])
    sums = np.concatenate(tables)
    errors = np.zeros((len(sets), 2))
    for i in range(len(sets) - 1):
        for chunk in within.chunks(i):
            if within.own.size:
                _row_of_errors(
                    within.values, within.columns, sets.offsets, within.starts, within.own, i, chunk[0], chunk[-1] + 1,
                    sums, places, errors,
                )  # fmt: skip
            for j in chunk:
                if not within.own.size:
                    x, y = (within.values[sets.offsets[s] : sets.offsets[s + 1]] for s in (i, j))
                    start = places[len(x) + len(y)]
                    errors[j] = _pair_errors(x, y, sums[start : start + len(x) + len(y)])
                risk[i, j] = risk[j, i] = _risk(errors[j], int(lengths[i]), int(lengths[j]), prior)
    return risk
