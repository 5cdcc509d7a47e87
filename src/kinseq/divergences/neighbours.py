"""Nearest neighbours between sets of vectors, shared by the estimators by ranks and by distances, for all pairs at once.

Eq. 5.41 of the thesis of 2011 needs, for each vector, how many vectors of its own set lie before the nearest one of the
other set, and the other way round. These two counts are called runs here. Runs of a pair are kept as histograms, since
the risk at every prior is linear in them.

Distances are sums of squared differences, not the expansion by inner products: equal vectors then are exactly 0 apart,
and equal distances stay equal. Vectors at equal distances count as being in each order with the same probability.

Work goes on in blocks: the vectors of one set against those of some others. What is held at a time is one block of
distances, and the distances within each set, as long as these are not many.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from ..core.arrays import FloatArray, IntArray
from ..core.compiled import compiled
from ..core.content_cache import ContentCache
from ..core.sequences import SequenceSet

BLOCK_COLUMNS = 256
"""Number of vectors whose distances are computed together, few enough to stay in the cache while the rows pass by."""

BLOCK_NUMBERS = 1 << 15
"""Approximate size, in numbers, of the vectors on the other side of a block of distances."""

MAX_STORED_DISTANCES = 1 << 25
"""Largest number of distances within sets that are kept (256 MB); more are recomputed by blocks of rows."""

STORED_OF_A_PAIR = 1 << 20
"""As above for two sets: allocating more memory takes longer than computing them twice."""

BLOCK_ROWS = 256

_FAST = {"contract", "nnan", "nsz"}


@dataclass(frozen=True)
class Runs:
    """Histograms of runs of one set against some others, in both directions.

    Attributes
    ----------
    i : int
        The set.
    others : range
        Sets that it is compared with, P of them.
    own, other : ndarray, shape (2, P, R)
        ``own[0, p, k]`` is the number of vectors of set i that have k vectors of set i before the nearest one of set
        ``others[p]``, ``other[0, p, k]`` the number with k vectors of that set before the nearest one of their own;
        ``[1, p]`` is the same for the vectors of the other set. Fractions come from ties.
    logs : ndarray, shape (2, P)
        Sums of the logarithms of positive distances from each vector to the k-th nearest one of the other set.
    zeros : ndarray, shape (2, P)
        Number of these distances that are zero.
    least : ndarray, shape (P,)
        Least positive squared distance between the two sets; infinity if there is none. Only found where `zeros` are.
    """

    i: int
    others: range
    own: FloatArray
    other: FloatArray
    logs: FloatArray
    zeros: FloatArray
    least: FloatArray


@compiled(fastmath=_FAST)
def _one_row(x, columns, out):  # type: ignore[no-untyped-def]
    d, m = columns.shape
    for c in range(m):
        out[c] = 0.0
    k = 0
    # Four features at a time, so that running sums are read and written a quarter as often.
    while k + 4 <= d:
        x0, x1, x2, x3 = x[k], x[k + 1], x[k + 2], x[k + 3]
        y0, y1, y2, y3 = columns[k], columns[k + 1], columns[k + 2], columns[k + 3]
        for c in range(m):
            e0, e1, e2, e3 = x0 - y0[c], x1 - y1[c], x2 - y2[c], x3 - y3[c]
            out[c] += e0 * e0 + e1 * e1 + e2 * e2 + e3 * e3
        k += 4
    while k < d:
        x0, y0 = x[k], columns[k]
        for c in range(m):
            e0 = x0 - y0[c]
            out[c] += e0 * e0
        k += 1


@compiled(fastmath=_FAST)
def two_rows(x, z, columns, out_x, out_z):  # type: ignore[no-untyped-def]
    """Squared Euclidean distances of two vectors, (d,), from those in ``columns (d, m)``, reading these once for both.

    What :func:`_one_row` gives for each, to the last bit, into `out_x` and `out_z`, (m,).
    """
    d, m = columns.shape
    x0, z0, y0 = x[0], z[0], columns[0]
    # Write the first features instead of adding them, which saves setting the array to zero.
    k = 4 if d >= 4 else 1
    if k == 1:
        for c in range(m):
            e0, f0 = x0 - y0[c], z0 - y0[c]
            out_x[c] = e0 * e0
            out_z[c] = f0 * f0
    else:
        x1, x2, x3, z1, z2, z3 = x[1], x[2], x[3], z[1], z[2], z[3]
        y1, y2, y3 = columns[1], columns[2], columns[3]
        for c in range(m):
            e0, e1, e2, e3 = x0 - y0[c], x1 - y1[c], x2 - y2[c], x3 - y3[c]
            f0, f1, f2, f3 = z0 - y0[c], z1 - y1[c], z2 - y2[c], z3 - y3[c]
            out_x[c] = e0 * e0 + e1 * e1 + e2 * e2 + e3 * e3
            out_z[c] = f0 * f0 + f1 * f1 + f2 * f2 + f3 * f3
    while k + 4 <= d:
        x0, x1, x2, x3, z0, z1, z2, z3 = x[k], x[k + 1], x[k + 2], x[k + 3], z[k], z[k + 1], z[k + 2], z[k + 3]
        y0, y1, y2, y3 = columns[k], columns[k + 1], columns[k + 2], columns[k + 3]
        for c in range(m):
            e0, e1, e2, e3 = x0 - y0[c], x1 - y1[c], x2 - y2[c], x3 - y3[c]
            f0, f1, f2, f3 = z0 - y0[c], z1 - y1[c], z2 - y2[c], z3 - y3[c]
            out_x[c] += e0 * e0 + e1 * e1 + e2 * e2 + e3 * e3
            out_z[c] += f0 * f0 + f1 * f1 + f2 * f2 + f3 * f3
        k += 4
    while k < d:
        x0, z0, y0 = x[k], z[k], columns[k]
        for c in range(m):
            e0, f0 = x0 - y0[c], z0 - y0[c]
            out_x[c] += e0 * e0
            out_z[c] += f0 * f0
        k += 1


@compiled()
def squared_distances(rows, columns, out):  # type: ignore[no-untyped-def]
    """Squared Euclidean distances of ``rows (n, d)`` from the vectors in ``columns (d, m)``, into ``out (n, m)``.

    Fast if `out` is contiguous.
    """
    n, m = out.shape
    for first in range(0, m, BLOCK_COLUMNS):
        last = min(m, first + BLOCK_COLUMNS)
        # A copy, because rows far apart in memory evict each other from the cache.
        near = columns[:, first:last].copy()
        for r in range(0, n - 1, 2):
            two_rows(rows[r], rows[r + 1], near, out[r, first:last], out[r + 1, first:last])
        if n % 2:
            _one_row(rows[n - 1], near, out[n - 1, first:last])


@compiled()
def _add_run(histogram, base, same, other):  # type: ignore[no-untyped-def]
    """Add one vector with run `base`, plus those among `same` tied vectors that precede the first of `other`."""
    survive = 1.0
    for j in range(same + 1):
        stop = other / (same - j + other)
        histogram[base + j] += survive * stop
        survive *= 1.0 - stop


@compiled(fastmath=_FAST)
def _least(row):  # type: ignore[no-untyped-def]
    lowest = np.inf
    for c in range(row.shape[0]):
        lowest = min(lowest, row[c])
    return lowest


@compiled(fastmath=_FAST)
def _count(row, bound):  # type: ignore[no-untyped-def]
    """Number of entries below the bound, and number equal to it."""
    below, equal = 0, 0
    for c in range(row.shape[0]):
        below += row[c] < bound
        equal += row[c] == bound
    return below, equal


@compiled()
def _kth(row, k, room):  # type: ignore[no-untyped-def]
    """The k-th smallest entry."""
    if k == 1:
        return _least(row)
    room[:k] = np.inf
    for c in range(row.shape[0]):
        value = row[c]
        if value < room[k - 1]:
            p = k - 1
            while p > 0 and room[p - 1] > value:
                room[p] = room[p - 1]
                p -= 1
            room[p] = value
    return room[k - 1]


@compiled()
def _scan(cross, own, near, k, own_runs, other_runs, room):  # type: ignore[no-untyped-def]
    """Add the runs of some vectors to histograms.

    `cross` are their squared distances from the other set, `own` from their own set (infinity to themselves), `near`
    the least of those. Returns the sum of logarithms of the positive k-th distances in `cross` and the number of zeros.
    """
    logs, zeros = 0.0, 0.0
    for r in range(cross.shape[0]):
        lowest = _least(cross[r])
        if lowest > near[r]:
            below, same = _count(own[r], lowest)
            tied = _count(cross[r], lowest)[1] if same else 1
            _add_run(own_runs, below, same, tied)
            other_runs[0] += 1.0
        elif lowest < near[r]:
            below, tied = _count(cross[r], near[r])
            same = _count(own[r], near[r])[1] if tied else 1
            _add_run(other_runs, below, tied, same)
            own_runs[0] += 1.0
        else:
            same, tied = _count(own[r], lowest)[1], _count(cross[r], lowest)[1]
            _add_run(own_runs, 0, same, tied)
            _add_run(other_runs, 0, tied, same)
        kth = lowest if k == 1 else _kth(cross[r], k, room)
        if kth > 0.0:
            logs += 0.5 * math.log(kth)
        else:
            zeros += 1.0
    return logs, zeros


@compiled()
def _least_positive(cross):  # type: ignore[no-untyped-def]
    lowest = np.inf
    for r in range(cross.shape[0]):
        for c in range(cross.shape[1]):
            if 0.0 < cross[r, c] < lowest:
                lowest = cross[r, c]
    return lowest


@compiled()
def _neighbours_within(values, columns, offsets, starts, k, own, near, kth, least):  # type: ignore[no-untyped-def]
    """Nearest neighbours within each set, with all distances cached if there is room; infinity from a vector to itself."""
    room = np.empty(k)
    stored = own.shape[0] > 0
    for i in range(offsets.shape[0] - 1):
        a, b = offsets[i], offsets[i + 1]
        size = b - a if stored else min(BLOCK_ROWS, b - a)
        block = own[starts[i] : starts[i + 1]].reshape((b - a, b - a)) if stored else np.empty((size, b - a))
        for first in range(a, b, size):
            rows = min(size, b - first)
            squared_distances(values[first : first + rows], columns[:, a:b], block[:rows])
            zeros = 0
            for r in range(rows):
                block[r, first - a + r] = np.inf
                near[first + r] = _least(block[r])
                kth[first + r] = _kth(block[r], k, room)
                zeros += kth[first + r] == 0.0
            if zeros:
                least[i] = min(least[i], _least_positive(block[:rows]))


@compiled()
def _against(  # type: ignore[no-untyped-def]
    values,
    columns,
    offsets,
    starts,
    own,
    near,
    i,
    first,
    last,
    k,
    work,
    tiles,
    own_runs,
    other_runs,
    logs,
    zeros,
    least,
):
    """Runs of set i against the sets from `first` up to (not including) `last`, and of each of those against set i."""
    room = np.empty(k)
    a, b = offsets[i], offsets[i + 1]
    n, base = b - a, offsets[first]
    block = work[: n * (offsets[last] - base)].reshape((n, offsets[last] - base))
    squared_distances(values[a:b], columns[:, base : offsets[last]], block)
    square = own[starts[i] : starts[i + 1]].reshape((n, n))
    for j in range(first, last):
        p, m = j - first, offsets[j + 1] - offsets[j]
        # Contiguous copies in both orientations make the scans fast.
        cross, back = tiles[0, : n * m].reshape((n, m)), tiles[1, : m * n].reshape((m, n))
        for r in range(n):
            for c in range(m):
                cross[r, c] = block[r, offsets[j] - base + c]
        for c in range(m):
            for r in range(n):
                back[c, r] = cross[r, c]
        logs[0, p], zeros[0, p] = _scan(cross, square, near[a:b], k, own_runs[0, p], other_runs[0, p], room)
        theirs = own[starts[j] : starts[j + 1]].reshape((m, m))
        logs[1, p], zeros[1, p] = _scan(
            back, theirs, near[offsets[j] : offsets[j + 1]], k, own_runs[1, p], other_runs[1, p], room
        )
        least[p] = _least_positive(cross) if zeros[0, p] + zeros[1, p] > 0.0 else np.inf


@compiled()
def _large(rows, own_columns, columns, near, k, own_runs, other_runs):  # type: ignore[no-untyped-def]
    """Runs of the vectors of one set against another set, by blocks of rows."""
    n, m = rows.shape[0], columns.shape[1]
    room = np.empty(k)
    own, cross = np.empty((BLOCK_ROWS, n)), np.empty((BLOCK_ROWS, m))
    logs, zeros, least = 0.0, 0.0, np.inf
    for a in range(0, n, BLOCK_ROWS):
        size = min(BLOCK_ROWS, n - a)
        squared_distances(rows[a : a + size], own_columns, own[:size])
        squared_distances(rows[a : a + size], columns, cross[:size])
        for r in range(size):
            own[r, a + r] = np.inf
        more_logs, more_zeros = _scan(cross[:size], own[:size], near[a : a + size], k, own_runs, other_runs, room)
        logs += more_logs
        zeros += more_zeros
        if more_zeros > 0.0:
            least = min(least, _least_positive(cross[:size]))
    return logs, zeros, least


def comparable(values: FloatArray) -> FloatArray:
    """Scale vectors by a power of two that keeps their squared distances from overflowing, which changes no ratio."""
    peak = float(np.abs(values).max())
    if 1e-100 < peak < 1e100 or peak == 0.0:
        return values
    return np.asarray(np.ldexp(values, -math.frexp(peak)[1]))


@dataclass(frozen=True)
class Within:
    """Nearest neighbours within each set of a collection, shared by all its pairs.

    Attributes
    ----------
    sets : SequenceSet
    values : ndarray, shape (n, d)
        Vectors as they are compared; see :func:`comparable`.
    columns : ndarray, shape (d, n)
        The same, transposed.
    k : int
        Number of the neighbour whose distance is taken.
    starts : ndarray, shape (N + 1,)
        Where the distances within each set begin in `own`; `own` is empty if there are more than :data:`MAX_STORED_DISTANCES`, or,
        of two sets, :data:`STORED_OF_A_PAIR`.
    own : ndarray
        Squared distances within each set, infinity on the diagonals.
    near, kth : ndarray, shape (n,)
        Squared distance of each vector from the nearest and the k-th nearest one of its set, infinity where there is
        none.
    least : ndarray, shape (N,)
        Least positive squared distance within each set. Only found where a k-th distance is zero, else infinity.
    """

    sets: SequenceSet
    values: FloatArray
    columns: FloatArray
    k: int
    starts: IntArray
    own: FloatArray
    near: FloatArray
    kth: FloatArray
    least: FloatArray

    @classmethod
    def of(cls, sets: SequenceSet, k: int = 1) -> Within:
        """Compare the vectors within each set; ``k >= 1`` is the neighbour whose distance is used."""
        most = MAX_STORED_DISTANCES if len(sets) > 2 else STORED_OF_A_PAIR
        values = comparable(sets.values)
        columns = np.ascontiguousarray(values.T)
        near, kth, least = np.empty(len(values)), np.empty(len(values)), np.full(len(sets), np.inf)
        starts = np.concatenate([[0], np.cumsum(sets.lengths**2)])
        own = np.empty(int(starts[-1]) if starts[-1] <= most else 0)
        _neighbours_within(values, columns, sets.offsets, starts, k, own, near, kth, least)
        return cls(sets, values, columns, k, starts, own, near, kth, least)

    @property
    def width(self) -> int:
        """Vectors on the other side of a block of distances."""
        return max(8 * BLOCK_COLUMNS, BLOCK_NUMBERS // self.values.shape[1])

    def chunks(self, i: int) -> Iterator[range]:
        """Ranges of sets after set i that hold about :attr:`width` vectors each, or one set."""
        offsets, n_sets = self.sets.offsets, len(self.sets)
        j = i + 1
        while j < n_sets:
            last = j + 1
            if self.own.size:
                last = max(last, int(np.searchsorted(offsets, offsets[j] + self.width, side="right")) - 1)
            yield range(j, last)
            j = last

    def blocks(self) -> Iterator[Runs]:
        """Yield runs of every pair of sets ``i < j``, a block at a time, in order of i and then j."""
        longest = int(self.sets.lengths.max())
        stored = self.own.size > 0
        work = np.empty(longest * max(self.width, longest) if stored else 0)
        tiles = np.empty((2, longest**2 if stored else 0))
        for i in range(len(self.sets) - 1):
            for others in self.chunks(i):
                p = len(others)
                runs = Runs(
                    i, others, np.zeros((2, p, longest + 1)), np.zeros((2, p, longest + 1)), np.zeros((2, p)),
                    np.zeros((2, p)), np.full(p, np.inf),
                )  # fmt: skip
                if stored:
                    _against(
                        self.values, self.columns, self.sets.offsets, self.starts, self.own, self.near, i, others[0],
                        others[-1] + 1, self.k, work, tiles, runs.own, runs.other, runs.logs, runs.zeros, runs.least,
                    )  # fmt: skip
                else:
                    self._by_rows(runs)
                yield runs

    def _by_rows(self, runs: Runs) -> None:
        offsets = self.sets.offsets
        a, j = (slice(offsets[s], offsets[s + 1]) for s in (runs.i, runs.others[0]))
        for side, (x, y) in enumerate(((a, j), (j, a))):
            logs, zeros, least = _large(
                self.values[x], self.columns[:, x], self.columns[:, y],
                self.near[x], self.k, runs.own[side, 0], runs.other[side, 0],
            )  # fmt: skip
            runs.logs[side, 0], runs.zeros[side, 0] = logs, zeros
            runs.least[0] = min(runs.least[0], least)


_last: ContentCache[tuple[Within, Runs]] = ContentCache()


def compared(x: FloatArray, y: FloatArray, k: int = 1) -> tuple[Within, Runs]:
    """Two sets (n, d) and (m, d) compared without storing distances; runs of both against the other.

    The last pair is remembered: one pair of samples usually gets several estimates, which differ in what they make of the same
    neighbours.
    """
    return _last.get((x, y), lambda: _compared(x, y, k), k)


def _compared(x: FloatArray, y: FloatArray, k: int) -> tuple[Within, Runs]:
    within = Within.of(SequenceSet.from_arrays([x, y]), k)
    runs = next(within.blocks())
    nothing = np.empty(0)
    return replace(within, own=nothing, columns=nothing), runs
