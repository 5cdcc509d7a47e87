"""Order of sequences by content alone, so that results do not depend on the order of files.

Sums are rounded in the order of their terms, random draws pick positions and ties go to the lowest index: whoever wants
the same answer for the same sequences in any order sorts them by content on entry and maps back on exit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .arrays import FloatArray, IntArray
from .seeds import content_key, stream
from .sequences import SequenceSet


@dataclass(frozen=True)
class Ordering:
    """Order of sequences by content, and which of them are equal.

    Attributes
    ----------
    positions : ndarray, shape (N,), int64
        Where the sequences, sorted by content, stand in the order that was given.
    first : ndarray, shape (N,), int64
        In sorted order: position of the first sequence of equal content, its own where there is no other.
    counts : ndarray, shape (N,), int64, or None
        In sorted order: position of the sequence that counts for each. None where that is the first of its equals.
    """

    positions: IntArray
    first: IntArray
    counts: IntArray | None = None

    @property
    def ranks(self) -> IntArray:
        """Position of each given sequence in sorted order, shape (N,)."""
        return np.argsort(self.positions).astype(np.int64)

    def copies(self) -> dict[int, int]:
        """Return ascending positions of copies, and of the first sequence equal to each.

        Positions in the order that was given. Of sequences that are equal to the last bit, the first is the earliest.
        """
        again = np.flatnonzero(self.first != np.arange(len(self.first)))
        return dict(
            sorted(zip(self.positions[again].tolist(), self.positions[self.first[again]].tolist(), strict=True))
        )

    @property
    def distinct(self) -> IntArray:
        """Ascending positions, in sorted order, of sequences that are not copies of an earlier one."""
        return np.flatnonzero(self.first == np.arange(len(self.first))).astype(np.int64)

    @property
    def counted(self) -> IntArray:
        """Ascending positions, in sorted order, of counted sequences: distinct ones, and copies that count."""
        counting = self.first if self.counts is None else self.counts
        return np.flatnonzero(counting == np.arange(len(counting))).astype(np.int64)

    @property
    def counted_by(self) -> IntArray:
        """For each given sequence, the position among the counted ones of the sequence that represents it, shape (N,)."""
        counting = self.first if self.counts is None else self.counts
        return np.searchsorted(self.counted, counting)[self.ranks].astype(np.int64)

    @property
    def first_counted(self) -> IntArray:
        """Position, among the counted sequences, of the first of equal content."""
        return np.searchsorted(self.counted, self.first[self.counted]).astype(np.int64)

    def counting(self, as_they_are: NDArray[np.bool_]) -> Ordering:
        """Return the ordering with some sequences, shape (N,) in sorted order, counted individually, others with copies."""
        return Ordering(self.positions, self.first, np.where(as_they_are, np.arange(len(self.first)), self.first))

    def sort_matrix(self, matrix: FloatArray) -> FloatArray:
        """Return a matrix over pairs, in sorted order."""
        return matrix[np.ix_(self.positions, self.positions)]

    def restore_matrix(self, matrix: FloatArray) -> FloatArray:
        """Return a matrix over pairs, from sorted to given order."""
        return matrix[np.ix_(self.ranks, self.ranks)]

    def equal_alike(self, distance: FloatArray) -> FloatArray:
        """Return a matrix in sorted order with identical rows for sequences of equal content.

        All take what the first one of them has, and among themselves the distance of the first two.
        """
        alike = distance[np.ix_(self.first, self.first)]
        sizes = np.bincount(self.first, minlength=len(distance))
        for start in np.flatnonzero(sizes > 1):
            members = np.flatnonzero(self.first == start)
            alike[np.ix_(members, members)] = distance[members[0], members[1]]
        np.fill_diagonal(alike, 0.0)
        return alike

    def restore_labels(self, labels: NDArray[Any]) -> NDArray[Any]:
        """Return entries, from sorted to given order; sequences of equal content get the same."""
        return labels[self.first][self.ranks]


def by_content(sequences: SequenceSet) -> Ordering:
    """Return the order of sequences by their keys and a digest of their values; ids, labels and groups do not matter.

    The same for the same sequences in any order, but for sequences that are equal to the last bit.
    """
    return by_keys(sequences.content_keys, lambda some: [(content_key(sequences[i]), b"") for i in some])


def by_keys(keys: Sequence[bytes], exact: Callable[[IntArray], Sequence[tuple[bytes, bytes]]]) -> Ordering:
    """Return the order of sequences by their content keys.

    Keys may be of a coarser grid, on which rounding by another unit leaves no trace. Sequences with one key are ordered by two
    digests, which ``exact(positions)`` returns for some of them, at rising positions: of their values, which decides which of
    them are equal, and of something more, by which equal ones are ordered.
    """
    names = _as_array(keys)
    positions = np.argsort(names, kind="stable").astype(np.int64)
    again = names[positions[1:]] == names[positions[:-1]]
    if not again.any():
        return Ordering(positions, np.arange(len(names)))
    alike = np.sort(positions[np.append(again, False) | np.append(False, again)])
    of_values, of_more = names.copy(), np.zeros_like(names)
    digests = exact(alike)
    of_values[alike] = _as_array([first for first, _ in digests])
    of_more[alike] = [second for _, second in digests]
    positions = np.lexsort((of_more, of_values, names)).astype(np.int64)
    values = of_values[positions]
    begins = np.append(True, values[1:] != values[:-1])
    return Ordering(positions, np.maximum.accumulate(np.where(begins, np.arange(len(names)), 0)))


MOMENTS = 16
"""Places, evenly spread over a sequence, between which the weights of :func:`steady_order` are interpolated."""


def steady_order(sequences: SequenceSet) -> IntArray:
    """Return positions of sequences in an order that follows their values, in which a change of the last digits moves none.

    Random draws pick positions, so that draws in this order are as good as the same where values change little. Sequences are
    ordered by weighted sums of their values and squares, in units of the set, with the same random weights for all columns;
    sequences of one sum, and symbols, by their keys.
    """
    names = _as_array(sequences.content_keys)
    if sequences.alphabet is not None:
        return np.argsort(names, kind="stable").astype(np.int64)
    spread = sequences.values.std(axis=0)
    values = (sequences.values - sequences.values.mean(axis=0)) / np.where(spread > 0.0, spread, 1.0)
    weights = stream(0, "steady order").normal(size=(2, MOMENTS))
    sums, squares, lengths = values.sum(axis=1), np.square(values).sum(axis=1), sequences.lengths
    keys = np.empty(len(sequences))
    for length in np.unique(lengths):
        at = np.linspace(0.0, MOMENTS - 1.0, int(length))
        of_values, of_squares = (np.interp(at, np.arange(MOMENTS), row) for row in weights)
        members = np.flatnonzero(lengths == length)
        rows = sequences.offsets[members, None] + np.arange(length)
        keys[members] = (sums[rows] * of_values + squares[rows] * of_squares).mean(axis=1)
    # Rounding by the unit of the data must not decide.
    return np.lexsort((names, np.round(keys, 9))).astype(np.int64)


def _as_array(digests: Sequence[bytes]) -> NDArray[np.bytes_]:
    return np.frombuffer(b"".join(digests), dtype="S16")
