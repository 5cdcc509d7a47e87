"""Costs of the best alignments of pairs of sequences, compiled: a pair in each vector lane.

One recursion serves the whole family. With :math:`D(i, j)` the cost of aligning the first frames of two sequences, a cell is
the least of coming from :math:`D(i-1, j-1)` by a match, and from :math:`D(i-1, j)` or :math:`D(i, j-1)` by a gap. Members
differ in what a match costs, in what a gap costs, and in the border, the cost of frames before the other sequence begins. A
band leaves out cells that are far from the diagonal.

A cell waits for the one before it, so that many pairs are aligned at once, one in each lane. No cost depends on the pairs in
the other lanes, on the order of the sequences or on which of two comes first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.arrays import FloatArray, IntArray
from ..core.compiled import compiled, dividing, inner, part
from ..core.errors import DataError
from ..core.jobs import each
from ..core.sequences import SequenceSet
from ..core.wording import count

LANES = 32
"""Number of pairs in parallel: a few vectors of the processor, so that one is computed while another waits."""
CELLS_A_CALL = 1 << 22
"""Approximate number of cells per call, since threads wait for the interpreter between calls."""

SQUARED, WEIGHTED, ROOT, UNLIKE, TWICE = range(5)
"""Costs of a match, from the squared distance of two frames: unchanged; times a weight that grows with the difference of
positions; its root; 1 unless the root is below a tolerance; the roots here and one frame before."""
LEAST, PENALISED, GAPS, COMMON, SOFT = range(5)
"""Recursions of a cell from its three predecessors: the least of them plus the match; with a penalty on gaps; match and gap
with separate costs; a common frame or none; the soft minimum plus the match."""
NO_BORDER, ZERO, WHOLE, RUNNING = range(4)
"""Cost of frames before the other sequence begins: forbidden; none; that of all gaps of the sequence; of the gaps so far."""


@dataclass(frozen=True)
class Side:
    """Sequences on one side of the pairs, with per-sequence inputs of a kernel.

    Attributes
    ----------
    sequences : SequenceSet
    gaps : ndarray, shape (n_frames,), or None
        Cost of leaving out a frame, of all sequences one after another.
    tolerance : ndarray, shape (N,), or None
        Frames match that are closer than the larger tolerance of two sequences.
    """

    sequences: SequenceSet
    gaps: FloatArray | None = None
    tolerance: FloatArray | None = None

    def arrays(self) -> tuple[FloatArray, IntArray, FloatArray, FloatArray]:
        """Return values, offsets, gaps and tolerances in the form of kernels."""
        nothing = np.zeros(1)
        return (
            np.ascontiguousarray(self.sequences.values, dtype=np.float64),
            np.ascontiguousarray(self.sequences.offsets, dtype=np.int64),
            nothing if self.gaps is None else np.ascontiguousarray(self.gaps),
            nothing if self.tolerance is None else np.ascontiguousarray(self.tolerance),
        )


@dataclass(frozen=True)
class Alignment:
    """A member of the family: its costs, border, band and parameter.

    Attributes
    ----------
    match, step : int
        How matches and cells are computed: names of this module.
    border : int
        One of `NO_BORDER`, `ZERO`, `WHOLE`, `RUNNING`.
    window : float or None
        Half the width of the band, as a share of the length of the shorter sequence; None is no band.
    parameter : float
        A weight, a penalty or a temperature.
    """

    match: int
    step: int
    border: int = NO_BORDER
    window: float | None = None
    parameter: float = 0.0


def align(
    how: Alignment, first: Side, second: Side | None = None, threads: int = 1, chosen: IntArray | None = None
) -> FloatArray:
    """Return costs (M, N) of aligning each of M sequences with each of N, or of the first with each other without `second`.

    With ``chosen (M, K)``, positions in `second`, each one is aligned with these alone: shape (M, K). Of one set every pair is
    aligned once, and the diagonal is 0. :class:`DataError` if the two sets differ in their number of features.
    """
    other = first if second is None else second
    if first.sequences.n_features != other.sequences.n_features:
        raise DataError(
            f"{first.sequences.name} has {count(first.sequences.n_features, 'feature')} and {other.sequences.name}"
            f" {other.sequences.n_features}; give the same ones"
        )
    # Pairs of similar lengths share lanes, which run until the longest ends.
    rows = np.argsort(first.sequences.lengths, kind="stable").astype(np.int64)
    columns = rows if second is None else np.argsort(other.sequences.lengths, kind="stable").astype(np.int64)
    width = len(columns) if chosen is None else chosen.shape[1]
    counts = np.arange(len(rows)) if second is None else np.full(len(rows), width)
    cells = counts * first.sequences.lengths[rows] * float(other.sequences.lengths.mean())
    call = np.cumsum(cells) // max(CELLS_A_CALL, cells.max(initial=1.0))
    total = np.zeros((len(rows), width))
    tasks = [some for some in np.split(np.arange(len(rows)), np.flatnonzero(np.diff(call)) + 1) if counts[some].sum()]
    if chosen is not None:
        places = np.argsort(other.sequences.lengths[chosen], axis=1, kind="stable")

    def pairs(some: IntArray) -> tuple[IntArray, IntArray]:
        """Return positions of the first of each pair, and columns of the result."""
        left = np.repeat(rows[some], counts[some])
        if chosen is not None:
            return left, places[rows[some]].reshape(-1)
        if second is not None:
            return left, np.tile(columns, len(some))
        return left, np.concatenate([columns[:n] for n in some.tolist()])

    def of(some: IntArray) -> tuple[IntArray, IntArray]:
        left, right = pairs(some)
        return left, right if chosen is None else chosen[left, right]

    results = each(_costs, [of(task) for task in tasks], threads, how, first.arrays(), other.arrays())
    for task, costs in zip(tasks, results, strict=True):
        total[pairs(task)] = costs
    return total + total.T if second is None else total


def align_selves(how: Alignment, side: Side) -> FloatArray:
    """Return costs (N,) of aligning each sequence with itself."""
    every = np.arange(len(side.sequences), dtype=np.int64)
    return _costs((every, every), how, side.arrays(), side.arrays())


def _costs(
    task: tuple[IntArray, IntArray], how: Alignment, first: tuple[Any, ...], second: tuple[Any, ...]
) -> FloatArray:
    left, right = task
    out = np.empty(len(left))
    window = -1.0 if how.window is None else float(how.window)
    kind = np.array([how.match, how.step, how.border, LANES], dtype=np.int64)
    _align(*first, *second, left, right, kind, window, float(how.parameter), out)
    return out


# ---------------------------------------------------------------------------------------------------------------------
# Costs of a match of one frame of each lane with a range of frames of the other, into ``out (T, L)``
# ---------------------------------------------------------------------------------------------------------------------

_FAST = {"contract", "nnan", "nsz"}


@compiled(fastmath=_FAST)
def _squares(x, y, begin, end, out):  # type: ignore[no-untyped-def]
    """Squared distances; the order of the sum is that of :func:`kinseq.divergences.neighbours.two_rows`.

    ``x (d, L)`` are the frames, ``y (d, T, L)`` the others.
    """
    d, lanes = x.shape
    x0, y0 = x[0], y[0]
    k = 4 if d >= 4 else 1
    if k == 1:
        for j in range(begin, end):
            for lane in range(lanes):
                e0 = x0[lane] - y0[j, lane]
                out[j, lane] = e0 * e0
    else:
        x1, x2, x3, y1, y2, y3 = x[1], x[2], x[3], y[1], y[2], y[3]
        for j in range(begin, end):
            for lane in range(lanes):
                e0, e1 = x0[lane] - y0[j, lane], x1[lane] - y1[j, lane]
                e2, e3 = x2[lane] - y2[j, lane], x3[lane] - y3[j, lane]
                out[j, lane] = e0 * e0 + e1 * e1 + e2 * e2 + e3 * e3
    while k + 4 <= d:
        x0, x1, x2, x3, y0, y1, y2, y3 = x[k], x[k + 1], x[k + 2], x[k + 3], y[k], y[k + 1], y[k + 2], y[k + 3]
        for j in range(begin, end):
            for lane in range(lanes):
                e0, e1 = x0[lane] - y0[j, lane], x1[lane] - y1[j, lane]
                e2, e3 = x2[lane] - y2[j, lane], x3[lane] - y3[j, lane]
                out[j, lane] += e0 * e0 + e1 * e1 + e2 * e2 + e3 * e3
        k += 4
    while k < d:
        x0, y0 = x[k], y[k]
        for j in range(begin, end):
            for lane in range(lanes):
                e0 = x0[lane] - y0[j, lane]
                out[j, lane] += e0 * e0
        k += 1


@compiled()
def _roots(x, y, begin, end, out):  # type: ignore[no-untyped-def]
    """Euclidean distances. For one feature these are absolute differences, without a root."""
    lanes = x.shape[1]
    if x.shape[0] == 1:
        x0, y0 = x[0], y[0]
        for j in range(begin, end):
            for lane in range(lanes):
                out[j, lane] = abs(x0[lane] - y0[j, lane])
    else:
        _squares(x, y, begin, end, out)
        for j in range(begin, end):
            for lane in range(lanes):
                out[j, lane] = np.sqrt(out[j, lane])


@compiled()
def _weigh(i, weights, begin, end, out):  # type: ignore[no-untyped-def]
    lanes = out.shape[1]
    for j in range(begin, end):
        weight = weights[abs(i - j)]
        for lane in range(lanes):
            out[j, lane] *= weight[lane]


@part
def _largest_match(tolerance, inclusive, squared):  # type: ignore[no-untyped-def]
    """Return the largest distance below a tolerance, or equal to it; as a square, the largest whose root is that."""
    if not squared:
        return tolerance if inclusive else np.nextafter(tolerance, -np.inf)
    largest = tolerance * tolerance
    while largest > 0.0 and (np.sqrt(largest) > tolerance or (not inclusive and np.sqrt(largest) == tolerance)):
        largest = np.nextafter(largest, -np.inf)
    while largest < np.inf:
        root = np.sqrt(np.nextafter(largest, np.inf))
        if root > tolerance or (not inclusive and root == tolerance):
            break
        largest = np.nextafter(largest, np.inf)
    return largest


@compiled()
def _tell_apart(tolerance, begin, end, out):  # type: ignore[no-untyped-def]
    """Return 0 for distances up to a tolerance and 1 otherwise. Equal frames match whatever the tolerance."""
    lanes = out.shape[1]
    for j in range(begin, end):
        for lane in range(lanes):
            out[j, lane] = 0.0 if (out[j, lane] <= tolerance[lane]) | (out[j, lane] == 0.0) else 1.0


@compiled()
def _add_earlier(i, stiffness, earlier, begin, end, out):  # type: ignore[no-untyped-def]
    """Add the distances of the previous frames, ``earlier (T + 1, L)``, and store those of these for the next row."""
    lanes = out.shape[1]
    for j in range(end - 1, begin - 1, -1):
        beside = 2.0 * stiffness * abs(i - j)
        for lane in range(lanes):
            apart = out[j, lane]
            out[j, lane] = apart + earlier[j, lane] + beside
            earlier[j + 1, lane] = apart


# ---------------------------------------------------------------------------------------------------------------------
# Cells of one row: ``previous`` and ``row (T + 1, L)`` begin with the border
# ---------------------------------------------------------------------------------------------------------------------


@compiled()
def _least_cells(costs, previous, row, begin, end):  # type: ignore[no-untyped-def]
    lanes = costs.shape[1]
    for j in range(begin, end):
        for lane in range(lanes):
            diagonal, above, before = previous[j, lane], previous[j + 1, lane], row[j, lane]
            nearer = above if above < before else before
            row[j + 1, lane] = costs[j, lane] + (diagonal if diagonal < nearer else nearer)


@compiled()
def _penalised_cells(costs, previous, row, begin, end, penalty):  # type: ignore[no-untyped-def]
    lanes = costs.shape[1]
    for j in range(begin, end):
        for lane in range(lanes):
            diagonal, above, before = previous[j, lane], previous[j + 1, lane], row[j, lane]
            nearer = (above if above < before else before) + penalty
            row[j + 1, lane] = costs[j, lane] + (diagonal if diagonal < nearer else nearer)


@compiled()
def _gap_cells(costs, previous, row, begin, end, gap, gaps):  # type: ignore[no-untyped-def]
    """``gap (L,)`` costs a frame of this row, ``gaps (T, L)`` those of the other sequences."""
    lanes = costs.shape[1]
    for j in range(begin, end):
        for lane in range(lanes):
            matched = previous[j, lane] + costs[j, lane]
            above, before = previous[j + 1, lane] + gap[lane], row[j, lane] + gaps[j, lane]
            nearer = above if above < before else before
            row[j + 1, lane] = matched if matched < nearer else nearer


@compiled()
def _common_cells(costs, previous, row, begin, end, tolerance):  # type: ignore[no-untyped-def]
    """Subtract 1 for each common frame, so that the longest common subsequence is the least."""
    lanes = costs.shape[1]
    for j in range(begin, end):
        for lane in range(lanes):
            matched, above, before = previous[j, lane] - 1.0, previous[j + 1, lane], row[j, lane]
            nearer = above if above < before else before
            row[j + 1, lane] = matched if costs[j, lane] <= tolerance[lane] else nearer


@dividing
def _exponential(z):  # type: ignore[no-untyped-def]
    """Return exp(z) for z from minus infinity to 0, to the last digits, in vectorisable form."""
    z = z if z > -708.0 else -708.0
    # Adding this number puts a whole number into the low bits of the sum: no conversion, for which few processors have
    # vector instructions.
    shifted = z * 1.4426950408889634 + 6755399441055744.0
    n = shifted - 6755399441055744.0
    r = (z - n * 0.693147180369123816490) - n * 1.90821492927058770002e-10
    p = 1.0 / 479001600.0
    p = p * r + 1.0 / 39916800.0
    p = p * r + 1.0 / 3628800.0
    p = p * r + 1.0 / 362880.0
    p = p * r + 1.0 / 40320.0
    p = p * r + 1.0 / 5040.0
    p = p * r + 1.0 / 720.0
    p = p * r + 1.0 / 120.0
    p = p * r + 1.0 / 24.0
    p = p * r + 1.0 / 6.0
    p = p * r + 0.5
    p = p * r + 1.0
    p = p * r + 1.0
    power = np.int64((np.float64(shifted).view(np.int64) + 1023) << 52)
    return p * power.view(np.float64)


@dividing
def _logarithm(s):  # type: ignore[no-untyped-def]
    """Return log(s) for s from 1 to 3: the series of the inverse hyperbolic tangent about the root of 3."""
    z = (s - 1.7320508075688772) / (s + 1.7320508075688772)
    w = z * z
    p = 1.0 / 27.0
    p = p * w + 1.0 / 25.0
    p = p * w + 1.0 / 23.0
    p = p * w + 1.0 / 21.0
    p = p * w + 1.0 / 19.0
    p = p * w + 1.0 / 17.0
    p = p * w + 1.0 / 15.0
    p = p * w + 1.0 / 13.0
    p = p * w + 1.0 / 11.0
    p = p * w + 1.0 / 9.0
    p = p * w + 1.0 / 7.0
    p = p * w + 1.0 / 5.0
    p = p * w + 1.0 / 3.0
    p = p * w + 1.0
    return 0.5493061443340549 + 2.0 * z * p


@compiled(error_model="numpy")
def _soft_cells(costs, previous, row, begin, end, temperature):  # type: ignore[no-untyped-def]
    lanes = costs.shape[1]
    for j in range(begin, end):
        for lane in range(lanes):
            diagonal, above, before = previous[j, lane], previous[j + 1, lane], row[j, lane]
            nearer, farther = (above, before) if above < before else (before, above)
            least, rest = (diagonal, nearer) if diagonal < nearer else (nearer, diagonal)
            added = _exponential((least - rest) / temperature) + _exponential((least - farther) / temperature)
            row[j + 1, lane] = costs[j, lane] + (least - temperature * _logarithm(1.0 + added))


@part
def _cells(step, costs, previous, row, begin, end, gap, gaps, tolerance, parameter):  # type: ignore[no-untyped-def]
    if step == LEAST:
        _least_cells(costs, previous, row, begin, end)
    elif step == PENALISED:
        _penalised_cells(costs, previous, row, begin, end, parameter)
    elif step == GAPS:
        _gap_cells(costs, previous, row, begin, end, gap, gaps)
    elif step == COMMON:
        _common_cells(costs, previous, row, begin, end, tolerance)
    else:
        _soft_cells(costs, previous, row, begin, end, parameter)


# ---------------------------------------------------------------------------------------------------------------------
# The band
# ---------------------------------------------------------------------------------------------------------------------


@inner
def _centre(j, shorter, longer):  # type: ignore[no-untyped-def]
    """The frame of the shorter sequence next to frame j of the longer one, on the diagonal, rounded as in aeon."""
    return int(np.floor((j + 1) * (shorter * (1.0 / (longer + 1)))))


@inner
def _move_band(lane, i, n, m, radius, begin, end):  # type: ignore[no-untyped-def]
    """Move the band of a lane to row i; rows are consecutive."""
    if n <= m:
        while begin[lane] < m and _centre(begin[lane], n, m) < i - radius:
            begin[lane] += 1
        while end[lane] < m and _centre(end[lane], n, m) <= i + radius:
            end[lane] += 1
    else:
        middle = _centre(i, m, n)
        begin[lane] = max(0, middle - radius)
        end[lane] = min(m, middle + radius + 1)


@part
def _mask(row, begin, end, first, last, outside):  # type: ignore[no-untyped-def]
    for j in range(first, last):
        for lane in range(row.shape[1]):
            if j < begin[lane] or j >= end[lane]:
                row[j + 1, lane] = outside


# ---------------------------------------------------------------------------------------------------------------------
# All rows of all pairs
# ---------------------------------------------------------------------------------------------------------------------


@part
def _put(values, offsets, item, lane, longest, into):  # type: ignore[no-untyped-def]
    """Fill a lane of ``into (T, d, L)`` with a sequence, repeating its last frame up to `longest`."""
    start, length = offsets[item], offsets[item + 1] - offsets[item]
    for t in range(longest):
        place = start + (t if t < length else length - 1)
        for k in range(values.shape[1]):
            into[t, k, lane] = values[place, k]
    return length


@part
def _put_gaps(gaps, offsets, item, lane, longest, into):  # type: ignore[no-untyped-def]
    """Fill a lane of ``into (T, L)`` with costs of gaps, 0 beyond the end; return their sum."""
    start, length = offsets[item], offsets[item + 1] - offsets[item]
    total = 0.0
    for t in range(longest):
        cost = gaps[start + t] if t < length else 0.0
        into[t, lane] = cost
        total += cost
    return total


@part
def _border(kind, whole, running):  # type: ignore[no-untyped-def]
    if kind == ZERO:
        return 0.0
    if kind == WHOLE:
        return whole
    return running if kind == RUNNING else np.inf


@compiled()
def _align(vx, ox, gx, tx, vy, oy, gy, ty, left, right, kind, window, parameter, out):  # type: ignore[no-untyped-def]
    """Costs of pairs, ``left[k]`` of the first sequences with ``right[k]`` of the second, into `out`.

    Values (n_frames, d), offsets, costs of gaps and tolerances of each side as :meth:`Side.arrays` gives them; `kind` holds
    match, step, border and the number of lanes; `window` is negative without a band.
    """
    match, step, border, lanes = kind
    d, n_pairs = vx.shape[1], left.shape[0]
    most_x, most_y = 0, 0
    for k in range(n_pairs):
        most_x = max(most_x, ox[left[k] + 1] - ox[left[k]])
        most_y = max(most_y, oy[right[k] + 1] - oy[right[k]])
    x, turned, y = np.empty((most_x, d, lanes)), np.empty((most_y, d, lanes)), np.empty((d, most_y, lanes))
    costs, earlier, rows = np.empty((most_y, lanes)), np.zeros((most_y + 1, lanes)), np.empty((2, most_y + 1, lanes))
    nx, ny = np.empty(lanes, np.int64), np.empty(lanes, np.int64)
    begin, end = np.zeros(lanes, np.int64), np.zeros(lanes, np.int64)
    whole_x, whole_y, running = np.zeros(lanes), np.zeros(lanes), np.zeros(lanes)
    tolerance = np.zeros(lanes)
    by_gaps, by_tolerance = gx.shape[0] == vx.shape[0], match == UNLIKE or step == COMMON
    gaps_x, gaps_y = np.ones((most_x, lanes)), np.ones((most_y, lanes))
    weights = np.empty((max(most_x, most_y), lanes))
    # Squares are compared with a tolerance without their roots.
    squared = match in (SQUARED, WEIGHTED) or (by_tolerance and d > 1)
    outside = 0.0 if step == COMMON else np.inf
    banded = 0.0 <= window < 1.0
    for group in range(0, n_pairs, lanes):
        long_x, long_y = 0, 0
        for k in range(group, min(group + lanes, n_pairs)):
            long_x = max(long_x, ox[left[k] + 1] - ox[left[k]])
            long_y = max(long_y, oy[right[k] + 1] - oy[right[k]])
        for lane in range(lanes):
            k = min(group + lane, n_pairs - 1)
            nx[lane] = _put(vx, ox, left[k], lane, long_x, x)
            ny[lane] = _put(vy, oy, right[k], lane, long_y, turned)
            if by_gaps:
                whole_x[lane] = _put_gaps(gx, ox, left[k], lane, long_x, gaps_x)
                whole_y[lane] = _put_gaps(gy, oy, right[k], lane, long_y, gaps_y)
            if by_tolerance:
                tolerance[lane] = _largest_match(max(tx[left[k]], ty[right[k]]), step == COMMON, squared)
            if match == WEIGHTED:
                longer = max(nx[lane], ny[lane])
                for t in range(max(long_x, long_y)):
                    weights[t, lane] = 1.0 / (1.0 + np.exp(-parameter * (t - longer / 2)))
            begin[lane], end[lane], running[lane] = 0, 0, 0.0
        for k in range(d):
            for t in range(long_y):
                for lane in range(lanes):
                    y[k, t, lane] = turned[t, k, lane]
        # Row before the first: the corner costs nothing, the rest is border.
        previous, row = rows[0], rows[1]
        for lane in range(lanes):
            previous[0, lane], before = 0.0, 0.0
            for j in range(long_y):
                before += gaps_y[j, lane]
                previous[j + 1, lane] = _border(border, whole_y[lane], before)
                row[j + 1, lane] = outside
        earlier[:] = 0.0
        for i in range(long_x):
            first, last, all_in, none_out = 0, long_y, 0, long_y
            if banded:
                first, last = long_y, 0
                for lane in range(lanes):
                    if i < nx[lane]:
                        _move_band(lane, i, nx[lane], ny[lane], int(window * min(nx[lane], ny[lane])), begin, end)
                        first, last = min(first, begin[lane]), max(last, end[lane])
                        all_in, none_out = max(all_in, begin[lane]), min(none_out, end[lane])
            if squared:
                _squares(x[i], y, first, last, costs)
            else:
                _roots(x[i], y, first, last, costs)
            if match == WEIGHTED:
                _weigh(i, weights, first, last, costs)
            elif match == UNLIKE:
                _tell_apart(tolerance, first, last, costs)
            elif match == TWICE:
                _add_earlier(i, parameter, earlier, first, last, costs)
            for lane in range(lanes):
                running[lane] += gaps_x[i, lane]
                row[first, lane] = _border(border, whole_x[lane], running[lane]) if first == 0 else outside
            # Left of the band, a cell must not be reached from its predecessor; right of it, no cell is reached from
            # there.
            for j in range(first, all_in):
                _cells(step, costs, previous, row, j, j + 1, gaps_x[i], gaps_y, tolerance, parameter)
                _mask(row, begin, end, j, j + 1, outside)
            _cells(step, costs, previous, row, max(first, all_in), last, gaps_x[i], gaps_y, tolerance, parameter)
            _mask(row, begin, end, max(all_in, none_out), last, outside)
            for lane in range(lanes):
                if i == nx[lane] - 1 and group + lane < n_pairs:
                    out[group + lane] = row[ny[lane], lane]
            if i == 0:
                previous[:] = outside  # border cells there are not cells of the row that is written next
            previous, row = row, previous
