"""The interface of sets without groups, of numbers or symbols."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Literal

import numpy as np

from ..core.seeds import stream
from ..core.sequences import SequenceSet
from .splicing import REACH_SHARE

Source = Literal["given", "moved", "surrogates", "between", "for properties", "spliced"]
"""The given sequences, these begun at other moments, or a kind of sets without groups."""
N_KINDS_OF_SETS = 2
"""Kinds of sets, drawn in turn."""


class NullSets(ABC):
    """Sets of N sequences without groups, in the original units, by number, in any order and from any thread.

    Parameters
    ----------
    sequences : SequenceSet
        In an order of content.
    seed : int
        The k-th set follows from it and the sequences.
    """

    def __init__(self, sequences: SequenceSet, seed: int) -> None:
        self._given, self._seed = sequences, seed

    @property
    @abstractmethod
    def begin_anywhere(self) -> bool:
        """Whether absolute time within a sequence is irrelevant."""

    @property
    @abstractmethod
    def has_third_kind(self) -> bool:
        """Whether views that vote are compared with sets of the source "between", too."""

    @abstractmethod
    def drawn(self, source: Source, k: int, same_lengths: bool = True) -> SequenceSet:
        """Return the k-th set of a source, of the given lengths in another order, or of any lengths."""

    def moved(self, k: int) -> SequenceSet:
        """Return the given sequences, each started later by a random part of its length, drawn again for each k.

        All are shortened by the same part. What is so of a sequence stays; how far in its cycle it begins does not.
        """
        random, lengths = stream(self._seed, "moved", k), self._given.lengths
        spare = (REACH_SHARE * lengths).astype(np.int64)
        first, kept = random.integers(0, spare + 1), lengths - spare
        offsets = np.concatenate([[0], np.cumsum(kept)]).astype(np.int64)
        rows = np.repeat(self._given.offsets[:-1] + first - offsets[:-1], kept) + np.arange(offsets[-1])
        return self._unnamed.with_frames(self._given.values[rows], offsets)

    @property
    def _unnamed(self) -> SequenceSet:
        """The given sequences with the names of columns that their sets have."""
        return self._given
