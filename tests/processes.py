"""Sets of sequences without groups, the first ones of a stream."""

from __future__ import annotations

from kinseq.analysis.surrogates import Sets
from kinseq.core.sequences import SequenceSet


def surrogates(sequences: SequenceSet, count: int, seed: int, same_lengths: bool = True) -> list[SequenceSet]:
    sets = Sets(sequences, seed)
    return [sets.surrogate(k, same_lengths) for k in range(count)]


def spliced(sequences: SequenceSet, count: int, seed: int, same_lengths: bool = True) -> list[SequenceSet]:
    sets = Sets(sequences, seed)
    return [sets.spliced(k, same_lengths) for k in range(count)]
