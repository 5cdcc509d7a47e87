"""Costs of the best alignments of all pairs of sequences, compiled: one sequence with a pack of others at a time.

The recursion of an alignment goes cell by cell, each waiting for the one before. So a sequence is aligned with several
others side by side, one in each lane, and the processor does their cells at once. A sequence shorter than the longest of
its pack goes on with its last frame, and its cost is read where it ends.

No cost depends on the lanes that others have, on the order of the sequences or on which of two comes first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import ceil
from typing import Any

import numpy as np

from ..core.arrays import FloatArray, IntArray
from ..core.compiled import compiled, inner, part
from ..core.errors import DataError
from ..core.jobs import each
from ..core.sequences import SequenceSet
from ..core.wording import count
from ..divergences.neighbours import two_rows

LANES = 16
"""Number of sequences in parallel: a few vectors of the processor, so that one is computed while another waits."""
MORE_LANES = 24
"""As above for cheap cells with all pairs aligned: this many are faster by two frames at once."""
COLUMNS = 32
"""Columns of a table of costs that are left out together."""
ROUNDING = 1e-9
"""Share by which a bound is raised, since it is a sum of rounded costs."""
SEQUENCES_A_CALL, CELLS_A_CALL = 16, 1 << 19
"""Least numbers of sequences, and of pairs of frames, that one call aligns with a pack, since threads wait for the
interpreter between calls."""

Kernel = Callable[[FloatArray, IntArray, FloatArray, IntArray, FloatArray], None]
"""``kernel(values, spans, others, lengths, totals)`` adds to ``totals (n, L)`` the costs of aligning each of n sequences,
which are the rows ``values[start:stop]`` of their `spans` (n, 2), with the sequences in the lanes of ``others (d, S, L)``,
of `lengths` (L,). A plain function, so that another process can find it by name and load the compiled one from the
cache."""

Chosen = Callable[[FloatArray, IntArray, FloatArray, IntArray, IntArray, FloatArray], None]
"""``kernel(values, spans, padded, lengths, chosen, totals)`` does this with different others for each of the sequences:
``padded[chosen[s]]``, of `lengths`, rows of ``padded (N, S, d)`` with the last frames of shorter ones repeated."""


@dataclass(frozen=True)
class Pack:
    """Sequences of similar lengths side by side.

    Attributes
    ----------
    members : ndarray, shape (n,), int64
        Their positions; the lanes beyond n repeat the last one.
    frames : ndarray, shape (d, T, L)
        Feature, time, lane.
    lengths : ndarray, shape (L,), int64
    """

    members: IntArray
    frames: FloatArray
    lengths: IntArray


def packs(sequences: SequenceSet, order: IntArray, lanes: int) -> list[Pack]:
    """Return sequences in packs of a given size, in `order`."""
    return [_pack(sequences, order[start : start + lanes], lanes) for start in range(0, len(order), lanes)]


def _pack(sequences: SequenceSet, members: IntArray, lanes: int) -> Pack:
    every = np.append(members, np.repeat(members[-1:], lanes - len(members)))
    lengths = np.ascontiguousarray(sequences.lengths[every])
    # Shorter sequences repeat their last frames.
    places = sequences.offsets[every] + np.minimum(np.arange(lengths.max())[:, None], lengths - 1)
    return Pack(members, np.ascontiguousarray(sequences.values[places].transpose(2, 0, 1)), lengths)


def align_all(
    kernel: Kernel, first: SequenceSet, second: SequenceSet | None, threads: int = 1, lanes: int = LANES
) -> FloatArray:
    """Return costs (M, N) of aligning each of M sequences with each of N, or of the first with each other if `second` is None.

    With one set the matrix is symmetric, with zero diagonal, and every pair is aligned once. No number depends on `threads`,
    nor on `lanes`.
    :class:`DataError` if the two sets differ in their number of features.
    """
    if second is not None and first.n_features != second.n_features:
        raise DataError(
            f"{first.name} has {count(first.n_features, 'feature')} and {second.name} {second.n_features}; give the same ones"
        )
    other = first if second is None else second
    by_length = np.argsort(other.lengths, kind="stable").astype(np.int64)
    values, spans = np.ascontiguousarray(first.values), np.stack([first.offsets[:-1], first.offsets[1:]], axis=1)
    total = np.zeros((len(first), len(other)))
    tasks = []
    for i, group in enumerate(packs(other, by_length, lanes)):
        # Within one set, each pack is compared with its own sequences and those of later packs; the last pack has the
        # fewest pairs.
        rows = np.arange(len(first)) if second is not None else by_length[i * lanes :]
        at_once = _at_once(lanes, group.frames.shape[1], float(first.lengths.mean()))
        tasks += [(group, rows[start : start + at_once]) for start in range(0, len(rows), at_once)]
    for (group, rows), totals in zip(tasks, each(_tile, tasks, threads, kernel, values, spans), strict=True):
        total[rows[:, None], group.members] = totals[:, : len(group.members)]
    if second is None:
        _mirror(total, by_length)
    return total


def _at_once(lanes: int, longest: int, length: float) -> int:
    """Number of sequences of a mean length, in frames, that one call aligns with a pack whose longest has `longest` frames."""
    return max(SEQUENCES_A_CALL, ceil(CELLS_A_CALL / (lanes * longest * length)))


def _tile(task: tuple[Pack, IntArray], kernel: Kernel, values: FloatArray, spans: IntArray) -> FloatArray:
    """Return costs of some sequences with one pack, shape (n, L)."""
    group, rows = task
    totals = np.zeros((len(rows), len(group.lengths)))
    kernel(values, spans[rows], group.frames, group.lengths, totals)
    return totals


def align_some(
    kernel: Chosen, first: SequenceSet, second: SequenceSet, chosen: IntArray, threads: int = 1
) -> FloatArray:
    """Costs (M, K) of aligning each of M sequences with its own K others, ``chosen (M, K)``, positions in `second`.

    The numbers are those of :func:`align_all`, to the last bit.
    """
    if first.n_features != second.n_features:
        raise DataError(
            f"{first.name} has {count(first.n_features, 'feature')} and {second.name} {second.n_features}; give the same ones"
        )
    values, spans = np.ascontiguousarray(first.values), np.stack([first.offsets[:-1], first.offsets[1:]], axis=1)
    lengths = second.lengths
    # Concatenated with repeated last frames, frames first: the source that lanes are filled from.
    padded = np.stack([second.values[start + np.minimum(np.arange(lengths.max()), n - 1)] for start, n in
                       zip(second.offsets[:-1].tolist(), lengths.tolist(), strict=True)])  # fmt: skip
    # Other sequences of similar lengths share a pack, which is as long as its longest.
    order = np.argsort(lengths[chosen], axis=1, kind="stable")
    packed = np.take_along_axis(chosen, order, axis=1)
    at_once = _at_once(chosen.shape[1], int(lengths.max()), float(first.lengths.mean()))
    tasks = [slice(start, start + at_once) for start in range(0, len(first), at_once)]
    rows = each(_some_rows, tasks, threads, kernel, values, spans, padded, lengths, packed)
    total = np.empty(chosen.shape)
    np.put_along_axis(total, order, np.concatenate(list(rows)), axis=1)
    return total


def _some_rows(
    task: slice,
    kernel: Chosen,
    values: FloatArray,
    spans: IntArray,
    padded: FloatArray,
    lengths: IntArray,
    chosen: IntArray,
) -> FloatArray:
    """Costs of some sequences, each with its own others, shape (n, K)."""
    rows = np.ascontiguousarray(chosen[task])
    totals = np.zeros(rows.shape)
    kernel(values, spans[task], padded, lengths, rows, totals)
    return totals


def _mirror(total: FloatArray, order: IntArray) -> None:
    """Copy computed pairs, whose first comes later in `order`, to the other half; in place."""
    ordered = np.tril(total[np.ix_(order, order)], k=-1)
    total[np.ix_(order, order)] = ordered + ordered.T


@compiled()
def _further(costs, row, left, diagonal):  # type: ignore[no-untyped-def]
    """Go on with one frame of the sequence: ``costs (S, L)`` are its distances from some frames of the others."""
    for j in range(costs.shape[0]):
        for lane in range(left.shape[0]):
            above = row[j, lane]
            least = above if above < left[lane] else left[lane]
            least = diagonal[lane] if diagonal[lane] < least else least
            cost = costs[j, lane] + least
            row[j, lane] = cost
            left[lane] = cost
            diagonal[lane] = above


@compiled()
def _warped_row(costs, row, left, diagonal):  # type: ignore[no-untyped-def]
    """Add one frame of the sequence: ``costs (S, L)`` are its distances from the frames of the others."""
    for lane in range(left.shape[0]):
        left[lane] = np.inf
    _further(costs, row, left, diagonal)
    for lane in range(left.shape[0]):
        diagonal[lane] = np.inf


@compiled()
def _warped_rows(costs, after, row, left, diagonal, below):  # type: ignore[no-untyped-def]
    """Add two frames at once, of `costs` and `after`: `below` is to the second one what `left` is to the first."""
    lanes = left.shape[0]
    for lane in range(lanes):
        left[lane] = np.inf
        below[lane] = np.inf
    for j in range(costs.shape[0]):
        for lane in range(lanes):
            above, before = row[j, lane], left[lane]
            least = above if above < before else before
            least = diagonal[lane] if diagonal[lane] < least else least
            cost = costs[j, lane] + least
            diagonal[lane] = above
            left[lane] = cost
            least = cost if cost < below[lane] else below[lane]
            least = before if before < least else least
            cost = after[j, lane] + least
            row[j, lane] = cost
            below[lane] = cost
    for lane in range(lanes):
        diagonal[lane] = np.inf


@compiled()
def _weighted_rows(costs, after, weights, beyond, row, left, diagonal, below):  # type: ignore[no-untyped-def]
    """As :func:`_warped_rows` for some columns, `costs` times ``weights (S, L)`` and those `after` times those `beyond`."""
    for j in range(costs.shape[0]):
        for lane in range(left.shape[0]):
            above, before = row[j, lane], left[lane]
            least = above if above < before else before
            least = diagonal[lane] if diagonal[lane] < least else least
            cost = weights[j, lane] * costs[j, lane] + least
            diagonal[lane] = above
            left[lane] = cost
            least = cost if cost < below[lane] else below[lane]
            least = before if before < least else least
            cost = beyond[j, lane] * after[j, lane] + least
            row[j, lane] = cost
            below[lane] = cost


def warped(*arguments: Any) -> None:
    """Kernel of dynamic time warping: squared Euclidean distances of frames, steps of equal weight, no window."""
    _warped(*arguments)


@compiled()
def _warped(values, spans, others, lengths, totals):  # type: ignore[no-untyped-def]
    d, n_others, lanes = others.shape
    columns = others.reshape(d, n_others * lanes)
    costs = np.empty((2, n_others * lanes))
    row = np.empty((n_others, lanes))
    left, diagonal = np.empty(lanes), np.empty(lanes)
    below = np.empty(lanes)
    for s in range(spans.shape[0]):
        row[:] = np.inf
        diagonal[:] = 0.0  # the path starts at no cost before the first frames, and nowhere else
        start, stop = spans[s]
        for i in range(start, stop, 2):
            two_rows(values[i], values[min(i + 1, stop - 1)], columns, costs[0], costs[1])
            first, second = costs[0].reshape(n_others, lanes), costs[1].reshape(n_others, lanes)
            if i + 1 < stop and lanes > LANES:
                _warped_rows(first, second, row, left, diagonal, below)
            else:
                _warped_row(first, row, left, diagonal)
                if i + 1 < stop:
                    _warped_row(second, row, left, diagonal)
        for lane in range(lanes):
            totals[s, lane] += row[lengths[lane] - 1, lane]


def weighted(steepness: float) -> Kernel:
    """Return the kernel of weighted dynamic time warping: squared distances times a logistic function of the shift of positions.

    The weight is 1/2 at half the longer length.
    """
    return partial(_with_weights, steepness)


def _with_weights(steepness: float, *arguments: Any) -> None:
    _weighted(*arguments, steepness)


@compiled()
def _cost_of_diagonal(x, others, lengths, weights, most, bound):  # type: ignore[no-untyped-def]
    """Weighted costs of the path along the diagonal, then along the end of the shorter one, into ``bound (L,)``."""
    bound[:] = 0.0
    for t in range(max(x.shape[0], others.shape[1])):
        i = min(t, x.shape[0] - 1)
        for lane in range(bound.shape[0]):
            j = min(t, lengths[lane] - 1)
            if t < max(x.shape[0], lengths[lane]):
                squared = 0.0
                for k in range(x.shape[1]):
                    squared += (x[i, k] - others[k, j, lane]) ** 2
                bound[lane] += weights[most + j - i, lane] * squared


@part
def _any_within(costs, bound):  # type: ignore[no-untyped-def]
    """Whether the cost of any lane is at most its bound."""
    found = False
    for lane in range(bound.shape[0]):
        found |= costs[lane] <= bound[lane]
    return found


@part
def _left_out(cells, bound):  # type: ignore[no-untyped-def]
    """Whether all cells of a block are beyond the bound; the first and last columns decide most blocks."""
    # Check the last column and then the first, where a cell within the bound is most likely.
    columns = cells.shape[0]
    place, found = columns - 1, False
    while place >= 0 and not found:
        found = _any_within(cells[(place + 1) % columns], bound)
        place -= 1
    return not found


@compiled()
def _weighted(values, spans, others, lengths, totals, steepness):  # type: ignore[no-untyped-def]
    """No path through a cell that costs more than the diagonal is the best one, so that columns of such cells are left out."""
    d, n_others, lanes = others.shape
    # Columns in blocks, each contiguous; the last one is filled up with last frames.
    n_blocks = (n_others + COLUMNS - 1) // COLUMNS
    blocks = np.empty((n_blocks, d, COLUMNS * lanes))
    for j in range(n_blocks * COLUMNS):
        block, place = j // COLUMNS, j % COLUMNS * lanes
        for k in range(d):
            blocks[block, k, place : place + lanes] = others[k, min(j, n_others - 1)]
    costs = np.empty((2, COLUMNS * lanes))
    first, second = costs[0].reshape(COLUMNS, lanes), costs[1].reshape(COLUMNS, lanes)
    row = np.empty((n_blocks * COLUMNS, lanes))
    left, diagonal, below, bound = np.empty(lanes), np.empty(lanes), np.empty(lanes), np.empty(lanes)
    most = 0
    for s in range(spans.shape[0]):
        most = max(most, spans[s, 1] - spans[s, 0])
    # By the difference of the positions, from -most on: those of one frame and all others follow each other.
    weights = np.empty((most + 1 + n_blocks * COLUMNS, lanes))
    longer = np.zeros(lanes, np.int64)
    for s in range(spans.shape[0]):
        start, stop = spans[s]
        for lane in range(lanes):
            longest = max(stop - start, lengths[lane])
            if longer[lane] != longest:
                longer[lane] = longest
                for place in range(weights.shape[0]):
                    apart = abs(place - most)
                    weights[place, lane] = 1.0 / (1.0 + np.exp(-steepness * (apart - longest / 2)))
        _cost_of_diagonal(values[start:stop], others, lengths, weights, most, bound)
        for lane in range(lanes):
            bound[lane] *= 1.0 + ROUNDING
        row[:] = np.inf
        diagonal[:] = 0.0
        # Blocks of columns from `begin` to `end`, exclusive, have cells within the bound in the last row.
        begin, end = 0, 1
        for i in range(start, stop, 2):
            both = i + 1 < stop
            here = most - (i - start)
            left[:] = np.inf
            below[:] = np.inf
            block = begin
            while block < n_blocks:
                two_rows(values[i], values[min(i + 1, stop - 1)], blocks[block], costs[0], costs[1])
                at = block * COLUMNS
                cells = row[at : at + COLUMNS]
                if both:
                    beyond = weights[here - 1 + at :]
                    _weighted_rows(first, second, weights[here + at :], beyond, cells, left, diagonal, below)
                else:
                    _further(first * weights[here + at : here + at + COLUMNS], cells, left, diagonal)
                block += 1
                # Beyond the end, cells are reached along these two rows alone.
                if block >= end and not (_any_within(left, bound) or _any_within(below, bound)):
                    break
            row[block * COLUMNS : end * COLUMNS] = np.inf
            end = block
            diagonal[:] = np.inf
            while end > begin + 1 and _left_out(row[(end - 1) * COLUMNS : end * COLUMNS], bound):
                end -= 1
                row[end * COLUMNS : (end + 1) * COLUMNS] = np.inf
            while begin < end - 1 and _left_out(row[begin * COLUMNS : (begin + 1) * COLUMNS], bound):
                begin += 1
        for lane in range(lanes):
            totals[s, lane] += row[lengths[lane] - 1, lane]


@part
def _side_by_side(padded, lengths, chosen, others, own):  # type: ignore[no-untyped-def]
    """Fill the lanes of ``others (d, S, LANES)`` with up to ``LANES`` sequences, `own` with their lengths; return the longest."""
    longest = 0
    for lane in range(LANES):
        item = chosen[min(lane, chosen.shape[0] - 1)]
        own[lane] = lengths[item]
        longest = max(longest, own[lane])
    for lane in range(LANES):
        item = chosen[min(lane, chosen.shape[0] - 1)]
        for j in range(longest):
            for k in range(padded.shape[2]):
                others[k, j, lane] = padded[item, j, k]
    return longest


def warped_some(*arguments: Any) -> None:
    """As :func:`warped`, each sequence with its own others."""
    _warped_some(*arguments)


@compiled()
def _warped_some(values, spans, padded, lengths, chosen, totals):  # type: ignore[no-untyped-def]
    others, own = np.empty((padded.shape[2], padded.shape[1], LANES)), np.empty(LANES, np.int64)
    costs = np.zeros((1, LANES))
    for s in range(chosen.shape[0]):
        for first in range(0, chosen.shape[1], LANES):
            some = chosen[s, first : first + LANES]
            longest = _side_by_side(padded, lengths, some, others, own)
            costs[:] = 0.0
            _warped(values, spans[s : s + 1], np.ascontiguousarray(others[:, :longest]), own, costs)
            totals[s, first : first + LANES] = costs[0, : some.shape[0]]


@compiled()
def _symmetric_row(costs, row, left, diagonal):  # type: ignore[no-untyped-def]
    """As :func:`_warped_row`, with diagonal steps counted twice."""
    lanes = left.shape[0]
    for lane in range(lanes):
        left[lane] = np.inf
        diagonal[lane] = np.inf
    for j in range(costs.shape[0]):
        for lane in range(lanes):
            cost = costs[j, lane]
            above = row[j, lane]
            least = above if above < left[lane] else left[lane]
            both = diagonal[lane] + cost
            least = both if both < least else least
            row[j, lane] = cost + least
            left[lane] = cost + least
            diagonal[lane] = above


def warped_symmetric(*arguments: Any) -> None:
    """Kernel of dynamic time warping with the symmetric steps of Sakoe and Chiba.

    Euclidean distances of frames count twice where both sequences advance (``symmetric2`` of R's package dtw).
    """
    _warped_symmetric(*arguments)


@compiled()
def _warped_symmetric(values, spans, others, lengths, totals):  # type: ignore[no-untyped-def]
    d, n_others, lanes = others.shape
    columns = others.reshape(d, n_others * lanes)
    squares = np.empty((2, n_others * lanes))
    row = np.empty((n_others, lanes))
    left, diagonal = np.empty(lanes), np.empty(lanes)
    for s in range(spans.shape[0]):
        start, stop = spans[s]
        for i in range(start, stop):
            if (i - start) % 2 == 0:
                two_rows(values[i], values[min(i + 1, stop - 1)], columns, squares[0], squares[1])
            costs = np.sqrt(squares[(i - start) % 2]).reshape(n_others, lanes)
            if i == start:
                # First row of the table: the first frame of this sequence against all frames of the other one.
                row[0] = costs[0]
                for j in range(1, n_others):
                    row[j] = row[j - 1] + costs[j]
            else:
                _symmetric_row(costs, row, left, diagonal)
        for lane in range(lanes):
            totals[s, lane] += row[lengths[lane] - 1, lane]


@inner
def _beyond(way, step):  # type: ignore[no-untyped-def]
    """Cost of going `way` beyond a value, back to the nearer of it and its neighbour at distance `step`."""
    none = step - step
    way = way if way < step else step
    return way if way > none else none


@inner
def _edited_cell(gap, merged, split, diagonal, cost):  # type: ignore[no-untyped-def]
    """The lesser of moving a value by `gap`, and the movement within a merge and a split, before their cost."""
    edited = cost + (merged if merged < split else split)
    moved = diagonal + abs(gap)
    return moved if moved < edited else edited


@compiled()
def _edited_row(x, rise, y, steps, signs, cost, row, left, diagonal):  # type: ignore[no-untyped-def]
    """Add one frame of value `x`, `rise` above the last one; ``y (S, L)`` are the values of the others.

    A value that lies beyond its predecessor on the way from the other sequence's value costs the way to the nearer of
    the two: with s the sign of the step from the predecessor, ``min(|step|, s (value - other))`` if that is positive.
    """
    lanes = left.shape[0]
    step, sign = abs(rise), np.sign(rise)
    for lane in range(lanes):
        above = row[0, lane]
        row[0, lane] = cost + (above + _beyond(sign * (x - y[0, lane]), step))
        left[lane] = row[0, lane]
        diagonal[lane] = above
    for j in range(1, y.shape[0]):
        for lane in range(lanes):
            gap, above = x - y[j, lane], row[j, lane]
            merged = above + _beyond(sign * gap, step)
            split = left[lane] + _beyond(-(signs[j, lane] * gap), steps[j, lane])
            least = _edited_cell(gap, merged, split, diagonal[lane], cost)
            row[j, lane] = least
            left[lane] = least
            diagonal[lane] = above


@compiled()
def _edited_rows(x, rise, z, run, y, steps, signs, cost, row, left, diagonal, below):  # type: ignore[no-untyped-def]
    """Add two frames at once, the second of value `z`, `run` above the first; `below` is to it what `left` is to the first."""
    lanes = left.shape[0]
    step, sign, next_step, next_sign = abs(rise), np.sign(rise), abs(run), np.sign(run)
    for lane in range(lanes):
        above = row[0, lane]
        here = cost + (above + _beyond(sign * (x - y[0, lane]), step))
        row[0, lane] = cost + (here + _beyond(next_sign * (z - y[0, lane]), next_step))
        left[lane] = here
        below[lane] = row[0, lane]
        diagonal[lane] = above
    for j in range(1, y.shape[0]):
        for lane in range(lanes):
            gap, above, before = x - y[j, lane], row[j, lane], left[lane]
            merged = above + _beyond(sign * gap, step)
            split = before + _beyond(-(signs[j, lane] * gap), steps[j, lane])
            least = _edited_cell(gap, merged, split, diagonal[lane], cost)
            diagonal[lane] = above
            left[lane] = least
            gap = z - y[j, lane]
            merged = least + _beyond(next_sign * gap, next_step)
            split = below[lane] + _beyond(-(signs[j, lane] * gap), steps[j, lane])
            least = _edited_cell(gap, merged, split, before, cost)
            row[j, lane] = least
            below[lane] = least


@compiled()
def _edited(values, spans, others, lengths, totals, cost):  # type: ignore[no-untyped-def]
    d, n_others, lanes = others.shape
    row = np.empty((n_others, lanes))
    left, diagonal = np.empty(lanes), np.empty(lanes)
    below = np.empty(lanes)
    steps, signs = np.empty((n_others, lanes)), np.empty((n_others, lanes))
    for k in range(d):
        y = others[k]
        for j in range(1, n_others):
            for lane in range(lanes):
                rise = y[j, lane] - y[j - 1, lane]
                steps[j, lane] = abs(rise)
                signs[j, lane] = np.sign(rise)
        for s in range(spans.shape[0]):
            start, stop = spans[s]
            before = values[start, k]
            for lane in range(lanes):
                row[0, lane] = abs(before - y[0, lane])
            for j in range(1, n_others):
                for lane in range(lanes):
                    beyond = _beyond(signs[j, lane] * (y[j, lane] - before), steps[j, lane])
                    row[j, lane] = cost + (row[j - 1, lane] + beyond)
            i = start + 1
            while i + 1 < stop:
                x, z = values[i, k], values[i + 1, k]
                _edited_rows(x, x - before, z, z - x, y, steps, signs, cost, row, left, diagonal, below)
                before = z
                i += 2
            if i < stop:
                _edited_row(values[i, k], values[i, k] - before, y, steps, signs, cost, row, left, diagonal)
            for lane in range(lanes):
                totals[s, lane] += row[lengths[lane] - 1, lane]


def edited(cost: float) -> Kernel:
    """Return the kernel of move-split-merge for a cost of splits and merges, with each feature aligned separately."""
    return partial(_with_cost, cost)


def _with_cost(cost: float, *arguments: Any) -> None:
    _edited(*arguments, cost)


@compiled()
def _edited_some(values, spans, padded, lengths, chosen, totals, cost):  # type: ignore[no-untyped-def]
    others, own = np.empty((padded.shape[2], padded.shape[1], LANES)), np.empty(LANES, np.int64)
    costs = np.zeros((1, LANES))
    for s in range(chosen.shape[0]):
        for first in range(0, chosen.shape[1], LANES):
            some = chosen[s, first : first + LANES]
            longest = _side_by_side(padded, lengths, some, others, own)
            costs[:] = 0.0
            _edited(values, spans[s : s + 1], np.ascontiguousarray(others[:, :longest]), own, costs, cost)
            totals[s, first : first + LANES] = costs[0, : some.shape[0]]


def edited_some(cost: float) -> Chosen:
    """As :func:`edited`, each sequence with its own others."""
    return partial(_some_with_cost, cost)


def _some_with_cost(cost: float, *arguments: Any) -> None:
    _edited_some(*arguments, cost)
