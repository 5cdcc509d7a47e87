"""Sequences too large for memory: their attributes, and frames read in blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .arrays import IntArray
from .sequences import SequenceSet, repr_of
from .settings import Settings

Read = Callable[[IntArray], Iterator[SequenceSet]]
"""``read(places)`` returns the sequences at ascending places of a file, in consecutive blocks."""


@dataclass(frozen=True, repr=False)
class SequenceParts:
    """Many sequences without their frames, which are read on each use.

    It has the attributes of a :class:`~kinseq.core.sequences.SequenceSet` that need no frames.

    Attributes
    ----------
    ids : ndarray of str, shape (N,)
    lengths : ndarray, shape (N,), int64
        Number of frames of each.
    n_features : int
    places : ndarray, shape (N,), int64
        Where they stand in the file, rising.
    read : callable
        Reads some of them.
    labels, groups, name, provenance, notes, reading
        As of a set.
    """

    ids: NDArray[np.str_]
    lengths: IntArray
    n_features: int
    places: IntArray
    read: Read
    labels: NDArray[Any] | None = None
    groups: NDArray[Any] | None = None
    name: str = "sequences"
    provenance: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    reading: Settings | None = None

    def __len__(self) -> int:
        return len(self.ids)

    def __repr__(self) -> str:
        return repr_of(self)

    @property
    def source(self) -> str | None:
        """Path of the files that the sequences were read from; None for others."""
        path = self.provenance.get("path")
        return None if path is None else str(path)

    def subset(self, positions: IntArray) -> SequenceParts:
        """Subset at ascending positions, without reading frames."""
        return replace(
            self,
            ids=self.ids[positions],
            lengths=self.lengths[positions],
            places=self.places[positions],
            labels=None if self.labels is None else self.labels[positions],
            groups=None if self.groups is None else self.groups[positions],
        )

    def blocks(self) -> Iterator[SequenceSet]:
        """Yield all sequences, in consecutive blocks."""
        start = 0
        for part in self.read(self.places):
            stop = start + len(part)
            yield replace(
                part,
                ids=self.ids[start:stop],
                labels=None if self.labels is None else self.labels[start:stop],
                groups=None if self.groups is None else self.groups[start:stop],
                name=self.name,
                provenance=self.provenance,
                notes=self.notes,
                reading=self.reading,
            )
            start = stop

    def load(self) -> SequenceSet:
        """Load all sequences into memory."""
        parts = list(self.blocks())
        offsets = np.concatenate([[0], np.cumsum(self.lengths)]).astype(np.int64)
        return replace(
            parts[0],
            values=np.concatenate([part.values for part in parts]),
            offsets=offsets,
            ids=self.ids,
            labels=self.labels,
            groups=self.groups,
        )
