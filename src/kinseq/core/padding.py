"""Padding: rows of zeros, or of a constant in all columns, that extend sequences to one length."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .arrays import IntArray
from .sequences import SequenceSet
from .wording import as_typed, out_of

_MIN_ROWS = 3
"""Least number of equal rows at an end that may be padding."""
_MIN_TIMES = 3
"""Least ratio of their number to that of the longest run of equal rows elsewhere in the sequence."""
_MIN_SHARE = 0.1
"""Share of the sequences, at least two, above which padding is reported."""
_CHANGING = 0.8
"""Least share of other rows that differ from the row before, if equal rows are nothing but padding."""


@dataclass(frozen=True)
class Padding:
    """Number of padding rows at the beginning and end of each sequence.

    Attributes
    ----------
    head, tail : ndarray, shape (N,), int64
        Numbers of rows; 0 where there is none.
    zeros : bool
        Whether all of it is zeros.
    """

    head: IntArray
    tail: IntArray
    zeros: bool

    @property
    def rows(self) -> IntArray:
        """Rows of padding of each sequence, shape (N,)."""
        return self.head + self.tail


def padding_of(sequences: SequenceSet) -> Padding:
    """Return the padding of each sequence: equal rows at an end if rows otherwise change, or zeros that occur nowhere else."""
    values, offsets = sequences.values, sequences.offsets
    changes = np.ones(len(values), dtype=bool)
    changes[1:] = (values[1:] != values[:-1]).any(axis=1)
    changes[offsets[:-1]] = True
    starts = np.flatnonzero(changes)
    rows = np.diff(np.append(starts, len(values)))
    first = np.searchsorted(starts, offsets[:-1])
    last = np.append(first[1:], len(starts)) - 1
    zero: NDArray[np.bool_] = ~np.asarray(values[starts].any(axis=1))
    inner = np.ones(len(starts), dtype=bool)
    inner[first] = inner[last] = False
    longest = np.zeros(len(sequences), dtype=np.int64)
    np.maximum.at(longest, np.repeat(np.arange(len(sequences)), last - first + 1)[inner], rows[inner])
    # Zeros are padding whatever the other rows hold, unless some of those are zeros too.
    zeros_elsewhere = bool(zero[inner].any())
    ends = []
    for run, other in ((first, last), (last, first)):
        rest = sequences.lengths - rows[run]
        longest_other = np.maximum(longest, np.where(rows[other] < rows[run], rows[other], 0))
        long = (rows[run] >= _MIN_ROWS) & (rows[run] > _MIN_TIMES * longest_other) & (first != last)
        changing = (last - first) >= _CHANGING * np.maximum(rest, 1)
        ends.append(np.where(long & (changing | (zero[run] & (not zeros_elsewhere))), rows[run], 0).astype(np.int64))
    head, tail = ends
    used = np.concatenate([first[head > 0], last[tail > 0]])
    return Padding(head, tail, bool(used.size) and bool(zero[used].all()))


def remark_on_padding(sequences: SequenceSet, padding: Padding) -> str:
    """Return a sentence on padding of different lengths in many sequences; empty if there is none."""
    padded = padding.rows > 0
    many = int(padded.sum())
    if many < max(2, _MIN_SHARE * len(sequences)) or len(np.unique(padding.rows)) < 2:
        return ""
    where = "begin" if not padding.tail.any() else "end" if not padding.head.any() else "begin or end"
    what = "zeros" if padding.zeros else "one and the same row"
    least, most = int(padding.rows[padded].min()), int(padding.rows[padded].max())
    number = f"{least}" if least == most else f"{least} to {most}"
    return (
        f"{out_of(many, len(sequences), 'sequence')} {where} with {number} rows of {what}, as padding does, compared like the rest;"
        f" {as_typed('trim_padding', True)} cuts it"
    )


def without_padding(sequences: SequenceSet, padding: Padding) -> SequenceSet:
    """Return sequences without padding; of a repeated row other than zero, one remains."""
    stays = 0 if padding.zeros else 1
    keep: NDArray[np.bool_] = np.ones(len(sequences.values), dtype=bool)
    for i in np.flatnonzero(padding.rows).tolist():
        begin, end = int(sequences.offsets[i]), int(sequences.offsets[i + 1])
        if padding.head[i]:
            keep[begin : begin + int(padding.head[i]) - stays] = False
        if padding.tail[i]:
            keep[end - int(padding.tail[i]) + stays : end] = False
    lengths = np.add.reduceat(keep.astype(np.int64), sequences.offsets[:-1])
    return sequences.with_frames(sequences.values[keep], np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64))
