"""Distances between sequences of symbols: edits, common subsequences, mismatches, short subsequences, and time in each state.

``om`` is what the social sciences call optimal matching: the least cost of insertions, deletions and substitutions that make one
sequence of the other. The others are its relatives with fixed costs, or look at what sequences are made of.

Sources: Levenshtein (1966); Abbott and Forrest (1986) for optimal matching; Studer and Ritschard (2016), which compares what
distances between life courses see; Lesnard (2010) for the dynamic Hamming distance; Yujian and Bo (2007) for the normalised
distance that is a metric; Hyyrö (2004) for common subsequences by bits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import FloatArray, IntArray, as_count, as_flag, as_numbers, as_real
from ..core.compiled import compiled
from ..core.errors import DataError, ParameterError, is_one_of, unknown_name
from ..core.jobs import each
from ..core.sequences import SequenceSet
from ..core.symbols import EVENTS, alphabet_of, symbols_of, with_alphabet
from ..core.wording import as_typed
from .alignment import align_all
from .registry import Measure, MeasureInput

NORMALISATIONS = ("none", "longer", "yujian_bo")
TRANSITIONS = "transitions"
ROWS_A_CALL = 32
"""Number of sequences per call that are compared with all others."""
Substitution = float | str | list[list[float]]


@compiled()
def _matched(values, spans, others, lengths, totals, indel, costs):  # type: ignore[no-untyped-def]
    """Kernel of :func:`~kinseq.measures.alignment.align_all`: costs of edits; missing symbols have the last row of `costs`."""
    n_others, lanes = others.shape[1], others.shape[2]
    profile = np.empty((costs.shape[0], n_others, lanes))
    for j in range(n_others):
        for lane in range(lanes):
            other = int(others[0, j, lane])
            for own in range(costs.shape[0]):
                profile[own, j, lane] = costs[own, other]
    row = np.empty((n_others + 1, lanes))
    left, diagonal = np.empty(lanes), np.empty(lanes)
    for s in range(spans.shape[0]):
        for j in range(n_others + 1):
            for lane in range(lanes):
                row[j, lane] = j * indel
        for i in range(spans[s, 0], spans[s, 1]):
            own = int(values[i, 0])
            if own < 0:
                own = costs.shape[0] - 1
            substituted = profile[own]
            for lane in range(lanes):
                diagonal[lane] = row[0, lane]
                left[lane] = row[0, lane] + indel
                row[0, lane] = left[lane]
            for j in range(n_others):
                for lane in range(lanes):
                    above = row[j + 1, lane]
                    least = above if above < left[lane] else left[lane]
                    least += indel
                    changed = diagonal[lane] + substituted[j, lane]
                    least = changed if changed < least else least
                    row[j + 1, lane] = least
                    left[lane] = least
                    diagonal[lane] = above
        for lane in range(lanes):
            totals[s, lane] += row[lengths[lane], lane]


@compiled()
def _in_common(codes, offsets, others, other_offsets, start, stop, symmetric, n_symbols, out):  # type: ignore[no-untyped-def]
    """Lengths of longest common subsequences of the sequences ``start .. stop - 1`` with the others, into the rows of `out`.

    A bit of `seen` is a symbol of the sequence, 0 where one more symbol is common up to there; an addition carries it along.
    """
    zero, one, full = np.uint64(0), np.uint64(1), ~np.uint64(0)
    for s in range(start, stop):
        begin, n = offsets[s], offsets[s + 1] - offsets[s]
        words = (n + 63) // 64
        masks = np.zeros((n_symbols + 1, words), np.uint64)
        for i in range(n):
            masks[codes[begin + i], i // 64] |= one << np.uint64(i % 64)
        seen = np.empty(words, np.uint64)
        for o in range(s + 1 if symmetric else 0, other_offsets.shape[0] - 1):
            if words == 2:
                first, second = full, full
                for j in range(other_offsets[o], other_offsets[o + 1]):
                    low, high = masks[others[j], 0], masks[others[j], 1]
                    added = first + (first & low)
                    carry = one if added < first else zero
                    first = added | (first & ~low)
                    second = (second + (second & high) + carry) | (second & ~high)
                seen[0], seen[1] = first, second
            else:
                seen[:] = full
                for j in range(other_offsets[o], other_offsets[o + 1]):
                    mask = masks[others[j]]
                    carry = zero
                    for w in range(words):
                        held = seen[w]
                        added = held + (held & mask[w])
                        carried = added + carry
                        carry = one if added < held or carried < added else zero
                        seen[w] = carried | (held & ~mask[w])
            common = 0
            for w in range(words):
                left = min(n - 64 * w, 64)
                zeros = ~seen[w]
                if left < 64:
                    zeros &= (one << np.uint64(left)) - one
                while zeros != zero:
                    zeros &= zeros - one
                    common += 1
            out[s - start, o] = common


@compiled()
def _in_step(codes, offsets, others, other_offsets, start, stop, costs, out):  # type: ignore[no-untyped-def]
    """Sums over time of the costs ``costs (T, K + 1, K + 1)`` of two simultaneous symbols, into the rows of `out`."""
    steps, n = costs.shape[0], costs.shape[1]
    row = np.empty((steps, n))
    for s in range(start, stop):
        for t in range(steps):
            row[t] = costs[t, codes[offsets[s] + t]]
        for o in range(other_offsets.shape[0] - 1):
            total = 0.0
            for t in range(steps):
                other = others[other_offsets[o] + t]
                total += row[t, other if other >= 0 else n - 1]
            out[s - start, o] = total


def _over_rows(n: int, columns: int, threads: int, fill: Callable[[int, int, NDArray[Any]], None]) -> FloatArray:
    """Return a matrix filled by blocks of rows."""
    out = np.zeros((n, columns))

    def some(start: int) -> None:
        stop = min(start + ROWS_A_CALL, n)
        fill(start, stop, out[start:stop])

    for _ in each(some, range(0, n, ROWS_A_CALL), threads):
        pass
    return out


def transition_rates(sequences: SequenceSet, at: int | None = None) -> FloatArray:
    """Return transition frequencies between symbols over a set, shape (K, K).

    Rows of symbols that nothing follows are 0.
    With `at`, of the step from that time to the next one only.
    """
    k, codes = len(alphabet_of(sequences)), symbols_of(sequences)
    begins = sequences.offsets[:-1]
    if at is None:
        first = np.setdiff1d(np.arange(len(codes)), sequences.offsets[1:] - 1, assume_unique=True)
    else:
        first = begins[sequences.lengths > at + 1] + at
    known = (codes[first] >= 0) & (codes[first + 1] >= 0)
    counts = np.zeros((k, k))
    np.add.at(counts, (codes[first[known]], codes[first[known] + 1]), 1.0)
    totals = counts.sum(axis=1, keepdims=True)
    return np.asarray(counts / np.where(totals > 0, totals, 1.0))


def substitution_costs(sequences: SequenceSet, substitution: Any) -> FloatArray:
    """Return costs of substitutions, shape (K + 1, K + 1); the last row and column are for a missing symbol.

    Parameters
    ----------
    sequences : SequenceSet
        Of K symbols.
    substitution : float, array_like of shape (K, K), or {"transitions"}
        One cost of all; one for each pair, in the order of the alphabet; or ``2 - p(a -> b) - p(b -> a)``, by the shares of
        transitions over the set. A missing symbol costs as much as the dearest one.

    Raises
    ------
    ParameterError
        If it is none of these, negative, or not symmetric.
    """
    letters = alphabet_of(sequences)
    k = len(letters)
    if isinstance(substitution, str):
        if substitution != TRANSITIONS:
            raise ParameterError(
                f"substitution is {substitution!r}, expected a number, a matrix of shape ({k}, {k}), or {TRANSITIONS!r}"
            )
        rates = transition_rates(sequences)
        costs = 2.0 - rates - rates.T
    elif np.ndim(substitution) == 0:
        costs = np.full((k, k), as_real(substitution, "substitution", "a number of at least 0"))
    else:
        costs = as_numbers(substitution, "substitution")
        if costs.shape != (k, k):
            raise ParameterError(
                f"substitution has shape {costs.shape}, expected ({k}, {k}): a cost for each pair of {', '.join(letters[:8])}"
            )
        if not np.allclose(costs, costs.T, rtol=0.0, atol=1e-12):
            raise ParameterError("substitution is not symmetric; give one cost to each pair")
    if not np.isfinite(costs).all() or (costs < 0.0).any():
        raise ParameterError("substitution holds a cost that is negative or no number; give costs of at least 0")
    whole = np.full((k + 1, k + 1), costs[~np.eye(k, dtype=bool)].max(initial=0.0))
    whole[:k, :k] = costs
    np.fill_diagonal(whole, 0.0)
    return whole


def _alike(first: SequenceSet, second: SequenceSet | None) -> SequenceSet:
    """Return the second set in the alphabet of the first, or the first itself."""
    return first if second is None else with_alphabet(second, alphabet_of(first))


def _common_lengths(first: SequenceSet, second: SequenceSet | None, threads: int) -> FloatArray:
    """Return lengths of longest common subsequences, shape (M, N)."""
    other, k = _alike(first, second), len(alphabet_of(first))
    codes, others = (np.where(c < 0, k, c) for c in (symbols_of(first), symbols_of(other)))
    symmetric = second is None

    def fill(start: int, stop: int, out: NDArray[Any]) -> None:
        _in_common(codes, first.offsets, others, other.offsets, start, stop, symmetric, k, out)

    common = _over_rows(len(first), len(other), threads, fill)
    if symmetric:
        common = common + common.T
        np.fill_diagonal(common, first.lengths)
    return common


def _edit_costs(
    first: SequenceSet, second: SequenceSet | None, indel: float, costs: FloatArray, threads: int
) -> FloatArray:
    """Return least costs of edits, shape (M, N); copies of a sequence are compared once."""
    once, of_rows = _without_copies(first)
    others, of_columns = (None, of_rows) if second is None else _without_copies(_alike(first, second))
    return _costs_between(once, others, indel, costs, threads)[np.ix_(of_rows, of_columns)]


def _without_copies(sequences: SequenceSet) -> tuple[SequenceSet, IntArray]:
    """Return the different sequences of a set, and which of them each one is, shape (N,)."""
    _, first, places = np.unique([key.hex() for key in sequences.content_keys], return_index=True, return_inverse=True)
    return (sequences, np.arange(len(sequences))) if len(first) == len(sequences) else (sequences.subset(first), places)


def _costs_between(
    first: SequenceSet, second: SequenceSet | None, indel: float, costs: FloatArray, threads: int
) -> FloatArray:
    """Return least costs of edits between different sequences, shape (M, N)."""
    other = first if second is None else second
    apart = costs[~np.eye(len(costs), dtype=bool)]
    if apart.size and apart.min() >= 2.0 * indel:
        # No substitution is cheaper than a deletion and an insertion, so only common symbols count.
        common = _common_lengths(first, second, threads)
        total = indel * (first.lengths[:, None] + other.lengths - 2.0 * common)
    else:
        kernel = partial(_edited, indel=indel, costs=costs)
        total = align_all(kernel, first, None if second is None else other, threads)
    return np.asarray(total)


def _edited(*arguments: Any, indel: float, costs: FloatArray) -> None:
    _matched(*arguments, indel, costs)


def _normalised(total: FloatArray, lengths: IntArray, others: IntArray, indel: float, how: str) -> FloatArray:
    """Return costs relative to the largest that two lengths allow, or as the metric of Yujian and Bo."""
    if how == "none":
        return total
    if how == "longer":
        return np.asarray(total / np.maximum(lengths[:, None], others))
    both = indel * (lengths[:, None] + others)
    return np.asarray(2.0 * total / (both + total))


def _om(
    old: SequenceSet, new: SequenceSet | None, threads: int, indel: float, substitution: Any, normalise: Any
) -> FloatArray:
    cost = as_real(indel, "indel", "a number above 0")
    if not cost > 0.0:
        raise ParameterError(f"indel is {indel!r}, expected a number above 0")
    how = "none" if normalise is None or normalise is False else normalise
    if not is_one_of(how, NORMALISATIONS):
        raise ParameterError(unknown_name("normalise", normalise, NORMALISATIONS))
    costs = substitution_costs(old, substitution)
    if new is None:
        total, lengths = _edit_costs(old, None, cost, costs, threads), old.lengths
    else:
        total, lengths = _edit_costs(old, new, cost, costs, threads).T, new.lengths
    return _normalised(total, lengths, old.lengths, cost, how)


def _edit(old: SequenceSet, new: SequenceSet | None, threads: int, normalise: Any) -> FloatArray:
    how = "longer" if as_flag(normalise, "normalise") else "none"
    return _om(old, new, threads, 1.0, 1.0, how)


def _lcs(old: SequenceSet, new: SequenceSet | None, threads: int, normalise: Any) -> FloatArray:
    common = _common_lengths(old, None, threads) if new is None else _common_lengths(old, new, threads).T
    lengths = (old if new is None else new).lengths
    if as_flag(normalise, "normalise"):
        return np.asarray(1.0 - common / np.maximum(lengths[:, None], old.lengths))
    return np.asarray(lengths[:, None] + old.lengths - 2.0 * common)


def _of_one_length(old: SequenceSet, new: SequenceSet | None, name: str) -> int:
    lengths = old.lengths if new is None else np.concatenate([old.lengths, new.lengths])
    if np.ptp(lengths):
        raise DataError(
            f"{old.name}: sequences have {lengths.min()} to {lengths.max()} symbols, but measure {name!r} compares those at one"
            " time; take measure 'om' or 'edit', or cut them to one length"
        )
    return int(lengths[0])


def _stepwise(old: SequenceSet, new: SequenceSet | None, threads: int, costs: FloatArray) -> FloatArray:
    rows = old if new is None else with_alphabet(new, alphabet_of(old))
    codes, others = symbols_of(rows), symbols_of(old)

    def fill(start: int, stop: int, out: NDArray[Any]) -> None:
        _in_step(codes, rows.offsets, others, old.offsets, start, stop, costs, out)

    return _over_rows(len(rows), len(old), threads, fill)


def _hamming(old: SequenceSet, new: SequenceSet | None, threads: int, normalise: Any) -> FloatArray:
    steps, k = _of_one_length(old, new, "hamming"), len(alphabet_of(old)) + 1
    costs = np.broadcast_to(1.0 - np.eye(k), (steps, k, k))
    total = _stepwise(old, new, threads, np.ascontiguousarray(costs))
    return total / steps if as_flag(normalise, "normalise") else total


def dynamic_costs(sequences: SequenceSet) -> FloatArray:
    """Return costs of substitutions at each time, shape (T, K + 1, K + 1), from the transitions around it.

    ``4 - p(a -> b) - p(b -> a)`` of the step before and of the step after, as Lesnard (2010) has it; at the ends the one step
    there is counts twice. A missing symbol costs 4, the most.
    """
    steps, k = _of_one_length(sequences, None, "dynamic_hamming"), len(alphabet_of(sequences))
    rates = [transition_rates(sequences, at) for at in range(steps - 1)] or [np.zeros((k, k))]
    both = [rate + rate.T for rate in rates]
    costs = np.full((steps, k + 1, k + 1), 4.0)
    for t in range(steps):
        costs[t, :k, :k] = 4.0 - both[max(t - 1, 0)] - both[min(t, len(both) - 1)]
    costs[:, np.arange(k + 1), np.arange(k + 1)] = 0.0
    return costs


def _dynamic_hamming(old: SequenceSet, new: SequenceSet | None, threads: int) -> FloatArray:
    _of_one_length(old, new, "dynamic_hamming")
    return _stepwise(old, new, threads, dynamic_costs(old))


def subsequence_counts(sequences: SequenceSet, size: int, gaps: int) -> list[FloatArray]:
    """Return frequencies of each subsequence of 1 to `size` symbols, one array (N, K^n) for each n.

    Symbols follow each other at once, or with up to `gaps` others between two that follow; those with a missing one do not count.
    """
    k, codes, n = len(alphabet_of(sequences)), symbols_of(sequences), len(sequences)
    owner = np.repeat(np.arange(n), sequences.lengths)
    ends = np.repeat(sequences.offsets[1:], sequences.lengths)
    places = np.flatnonzero(codes >= 0)
    words, counts = codes[places], []
    for length in range(1, size + 1):
        kinds, columns = np.unique(words, return_inverse=True)
        table = np.zeros((n, len(kinds)))
        np.add.at(table, (owner[places], columns), 1.0)
        counts.append(table)
        if length == size:
            break
        longer: list[IntArray] = []
        at: list[IntArray] = []
        for step in range(1, gaps + 2):
            following = places + step
            able = following < ends[places]
            after = codes[following[able]]
            known = after >= 0
            longer.append(words[able][known] * k + after[known])
            at.append(following[able][known])
        words, places = np.concatenate(longer), np.concatenate(at)
    return counts


def _subsequences(old: SequenceSet, new: SequenceSet | None, threads: int, size: Any, gaps: Any) -> FloatArray:
    size, gaps = as_count(size, "size"), as_count(gaps, "gaps", least=0)
    n, both = len(old), old
    if new is not None:
        matched = with_alphabet(new, alphabet_of(old))
        both = old.with_frames(
            np.concatenate([old.values, matched.values]),
            np.concatenate([old.offsets, old.offsets[-1] + matched.offsets[1:]]),
        )
    tables = subsequence_counts(both, size, gaps)
    total = np.zeros((len(both.offsets) - 1 - n if new is not None else n, n))
    for table in tables:
        shares = np.sqrt(table / np.maximum(table.sum(axis=1, keepdims=True), 1.0))
        rows = shares[n:] if new is not None else shares
        # Sequences too short for any are at an unknown distance.
        total += np.maximum(1.0 - rows @ shares[:n].T, 0.0)
    distance = np.sqrt(total / len(tables))
    distance[distance < 1e-7] = 0.0
    return distance


def _durations(old: SequenceSet, new: SequenceSet | None, threads: int) -> FloatArray:
    from scipy.spatial.distance import cdist

    if old.provenance.get(EVENTS):
        raise DataError(
            f"{old.name}: holds events, which have no duration; say at which steps states are taken"
            f" ({as_typed('every')}), or choose a measure of their order"
        )
    times, others = time_in_states(old), None if new is None else time_in_states(with_alphabet(new, alphabet_of(old)))
    return np.asarray(0.5 * cdist(times if others is None else others, times, "cityblock"))


def time_in_states(sequences: SequenceSet) -> FloatArray:
    """Return the number of frames of each sequence in each state, shape (N, K)."""
    k, codes = len(alphabet_of(sequences)), symbols_of(sequences)
    owner = np.repeat(np.arange(len(sequences)), sequences.lengths)[codes >= 0]
    times = np.bincount(owner * k + codes[codes >= 0], minlength=len(sequences) * k)
    return times.reshape(len(sequences), k).astype(np.float64)


def _measure(
    function: Callable[..., FloatArray], name: str, label: str, source: str, description: str, params: Mapping[str, Any]
) -> Measure:
    """Return the registry entry of a measure of symbols."""
    return Measure(
        name=name,
        label=label,
        source=source,
        description=description,
        function=_Within(function),
        cross=_Across(function),
        requires="sequences",
        accepts=("symbols",),
        scope="task",
        params=params,
        cheap=True,
        every_frame=True,
    )


class _Within:
    """A function of a set as a measure calls it."""

    def __init__(self, function: Callable[..., FloatArray]) -> None:
        self.function = function

    def __call__(self, evidence: MeasureInput, **params: Any) -> FloatArray:
        return self.function(evidence.sequences, None, evidence.threads, **params)


class _Across(_Within):
    """A measure of symbols between new and old sequences; costs come from the old ones."""

    def __call__(self, old: MeasureInput, new: MeasureInput, **params: Any) -> FloatArray:  # type: ignore[override]
        return self.function(old.sequences, new.sequences, old.threads, **params)


MEASURES = (
    _measure(
        _om,
        "om",
        "optimal matching",
        "Abbott and Forrest 1986",
        "what it costs to make one sequence of the other by insertions, deletions and substitutions",
        {"indel": 1.0, "substitution": 2.0, "normalise": None},
    ),
    _measure(
        _edit,
        "edit",
        "edit distance",
        "Levenshtein 1966",
        "how many symbols have to be inserted, deleted or changed, as a share of the longer sequence",
        {"normalise": True},
    ),
    _measure(
        _lcs,
        "lcs",
        "longest common subsequence",
        "Hyyrö 2004",
        "the symbols that two sequences have in common in the same order",
        {"normalise": True},
    ),
    _measure(
        _hamming,
        "hamming",
        "Hamming",
        "Hamming 1950",
        "at how many times two sequences of one length differ",
        {"normalise": False},
    ),
    _measure(
        _dynamic_hamming,
        "dynamic_hamming",
        "dynamic Hamming",
        "Lesnard 2010",
        "at which times two sequences of one length differ, where a change that is rare at that time counts more",
        {},
    ),
    _measure(
        _subsequences,
        "subsequences",
        "subsequences",
        "Studer and Ritschard 2016",
        "how often symbols come, and how often one follows another",
        {"size": 2, "gaps": 0},
    ),
    _measure(
        _durations,
        "durations",
        "time in states",
        "Studer and Ritschard 2016",
        "how long sequences are in each state, whenever that is",
        {},
    ),
)
