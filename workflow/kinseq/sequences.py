"""What travels: a set of sequences, and the tasks that say which of them are clustered together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .arrays import FloatArray, IntArray, as_count, as_frames, require_finite
from .errors import DataError, ParameterError


@dataclass(frozen=True)
class SequenceSet:
    """Sequences of vectors, or sets of vectors if the order is ignored, stacked into one array.

    Attributes
    ----------
    values : ndarray, shape (sum of T_i, d), float64
        Frames of all sequences one after another.
    offsets : ndarray, shape (N + 1,), int64
        Sequence i is ``values[offsets[i]:offsets[i + 1]]``.
    labels : ndarray, shape (N,), or None
        True class of each sequence.
    groups : ndarray, shape (N,), or None
        Speaker, subject, session or whatever else a sequence belongs to.
    ids : ndarray of str, shape (N,)
        Unique names.
    name : str
        Name of the data set.
    provenance : mapping
        Where the data come from (JSON-compatible).
    """

    values: FloatArray
    offsets: IntArray
    labels: NDArray[Any] | None = None
    groups: NDArray[Any] | None = None
    ids: NDArray[np.str_] = field(default_factory=lambda: np.zeros(0, dtype=np.str_))
    name: str = "sequences"
    provenance: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        values = np.ascontiguousarray(self.values, dtype=np.float64)
        offsets = np.asarray(self.offsets, dtype=np.int64)
        if values.ndim != 2 or values.shape[1] == 0:
            raise DataError(f"{self.name}: values have shape {values.shape}, expected (frames, features)")
        if offsets.ndim != 1 or offsets.size < 2:
            raise DataError(f"{self.name}: holds no sequence; at least one is needed")
        if offsets[0] != 0 or offsets[-1] != len(values) or (np.diff(offsets) < 0).any():
            raise DataError(
                f"{self.name}: offsets must rise from 0 to the number of frames {len(values)},"
                f" they run from {offsets[0]} to {offsets[-1]}"
            )
        ids = np.asarray(self.ids, dtype=np.str_)
        if ids.size == 0:
            ids = np.array([f"s{i:05d}" for i in range(offsets.size - 1)], dtype=np.str_)
        empty = np.flatnonzero(np.diff(offsets) == 0)
        if empty.size:
            raise DataError(f"{self.name}: sequence {str(ids[empty[0]])!r} is empty (0 frames); remove it")
        self._check_column("ids", ids, offsets.size - 1)
        unique, counts = np.unique(ids, return_counts=True)
        if (counts > 1).any():
            double = str(unique[counts > 1][0])
            raise DataError(f"{self.name}: id {double!r} is used more than once; ids must be unique")
        for column in ("labels", "groups"):
            entries = getattr(self, column)
            if entries is not None:
                entries = np.asarray(entries)
                self._check_column(column, entries, offsets.size - 1)
                object.__setattr__(self, column, entries)
        if not np.isfinite(values).all():
            frame = int(np.flatnonzero(~np.isfinite(values).all(axis=1))[0])
            i = int(np.searchsorted(offsets, frame, side="right")) - 1
            require_finite(values[offsets[i] : offsets[i + 1]], f"{self.name}: sequence {str(ids[i])!r}")
        object.__setattr__(self, "values", values)
        object.__setattr__(self, "offsets", offsets)
        object.__setattr__(self, "ids", ids)

    def _check_column(self, column: str, entries: NDArray[Any], n: int) -> None:
        if entries.shape != (n,):
            raise DataError(
                f"{self.name}: {column} have shape {entries.shape} but there are {n} sequences; give one each"
            )

    @classmethod
    def from_arrays(
        cls,
        arrays: Sequence[ArrayLike],
        labels: ArrayLike | None = None,
        ids: Sequence[str] | None = None,
        groups: ArrayLike | None = None,
        name: str = "sequences",
        provenance: Mapping[str, Any] | None = None,
    ) -> SequenceSet:
        """Stack a list of ``(T_i, d)`` arrays.

        Parameters
        ----------
        arrays : sequence of array_like, each of shape (T_i, d)
            At least one; all with the same number of features d.
        labels, groups : array_like, shape (N,), optional
            One entry a sequence.
        ids : sequence of str, optional
            Unique names; ``s00000``, ``s00001`` ... if not given.
        name : str
            Name of the data set, used in messages.
        provenance : mapping, optional
            Where the data come from.

        Returns
        -------
        SequenceSet

        Raises
        ------
        DataError
            If an array is empty, not two-dimensional, not finite, or has another number of features than the first.
        """
        if isinstance(arrays, np.ndarray) and arrays.dtype != object and arrays.ndim != 3:
            raise DataError(
                f"{name}: is one array of shape {arrays.shape}, expected a list of (T, d) arrays or an (N, T, d) array"
            )
        named = list(ids) if ids is not None else [f"s{i:05d}" for i in range(len(arrays))]
        if len(arrays) == 0:
            raise DataError(f"{name}: holds no sequence; at least one is needed")
        if len(named) != len(arrays):
            raise DataError(
                f"{name}: ids have shape ({len(named)},) but there are {len(arrays)} sequences; give one each"
            )
        frames = [as_frames(array, f"{name}: sequence {named[i]!r}") for i, array in enumerate(arrays)]
        for i, array in enumerate(frames):
            if array.shape[1] != frames[0].shape[1]:
                raise DataError(
                    f"{name}: sequence {named[i]!r} has {array.shape[1]} features but {named[0]!r} has"
                    f" {frames[0].shape[1]}; all sequences need the same number"
                )
        offsets = np.concatenate([[0], np.cumsum([len(array) for array in frames])]).astype(np.int64)
        return cls(
            values=np.concatenate(frames),
            offsets=offsets,
            labels=None if labels is None else np.asarray(labels),
            groups=None if groups is None else np.asarray(groups),
            ids=np.array(named, dtype=np.str_),
            name=name,
            provenance=dict(provenance or {}),
        )

    def __len__(self) -> int:
        return int(self.offsets.size - 1)

    def __getitem__(self, index: int) -> FloatArray:
        i = range(len(self))[index]
        return self.values[self.offsets[i] : self.offsets[i + 1]]

    def __iter__(self) -> Iterator[FloatArray]:
        return (self[i] for i in range(len(self)))

    @property
    def lengths(self) -> IntArray:
        """Number of frames of each sequence, shape (N,)."""
        return np.diff(self.offsets)

    @property
    def n_features(self) -> int:
        """Number of features d of a frame."""
        return int(self.values.shape[1])

    def subset(self, indices: ArrayLike) -> SequenceSet:
        """The sequences at `indices`, in that order, as a set of their own.

        Parameters
        ----------
        indices : array_like of int, shape (M,)
            Distinct positions in 0 .. N - 1.
        """
        chosen = np.asarray(indices, dtype=np.int64)
        if chosen.size == len(self) and (chosen == np.arange(len(self))).all():
            return self
        lengths = self.lengths[chosen]
        offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        # Frame positions of the chosen sequences without a Python loop over sequences.
        frames = np.arange(offsets[-1]) + np.repeat(self.offsets[chosen] - offsets[:-1], lengths)
        return SequenceSet(
            values=self.values[frames],
            offsets=offsets,
            labels=None if self.labels is None else self.labels[chosen],
            groups=None if self.groups is None else self.groups[chosen],
            ids=self.ids[chosen],
            name=self.name,
            provenance=self.provenance,
        )


Sequences = SequenceSet | Sequence[ArrayLike]
"""What every argument called ``sequences`` or ``sets`` takes."""


def as_sequence_set(sequences: Sequences) -> SequenceSet:
    """Return `sequences` unchanged if it is a :class:`SequenceSet`, else stack the list of ``(T, d)`` arrays."""
    if isinstance(sequences, SequenceSet):
        return sequences
    return SequenceSet.from_arrays(sequences)


@dataclass(frozen=True)
class Task:
    """What is clustered together: a choice of sequences and a number of clusters.

    Attributes
    ----------
    name : str
        Unique within its data set and trial; a short slug, for example ``"all"``, ``"l125"`` or ``"hot-cold"``.
    indices : ndarray, shape (M,), int64
        Positions of the sequences in their :class:`SequenceSet`.
    n_clusters : int
        Number of clusters to look for.
    trial : int or None
        The trial the task belongs to; None if every trial clusters the same sequences.
    x : float
        Position on the horizontal axis of a curve; NaN if there is none.
    n_segments : int or None
        For sequences that are consecutive windows of a recording, in the order of `indices`: the number of segments to
        cut it into.
    """

    name: str
    indices: IntArray
    n_clusters: int
    trial: int | None = None
    x: float = float("nan")
    n_segments: int | None = None

    def __post_init__(self) -> None:
        indices = np.asarray(self.indices, dtype=np.int64)
        if indices.ndim != 1 or indices.size == 0:
            raise DataError(f"task {self.name!r}: indices have shape {indices.shape}, expected at least one position")
        if np.unique(indices).size != indices.size:
            raise DataError(f"task {self.name!r}: a sequence is listed twice; indices must be distinct")
        clusters = as_count(self.n_clusters, "n_clusters")
        if clusters > indices.size:
            raise ParameterError(
                f"task {self.name!r}: n_clusters is {clusters} but there are only {indices.size} sequences"
            )
        object.__setattr__(self, "indices", indices)
        object.__setattr__(self, "n_clusters", clusters)
        if self.n_segments is not None:
            segments = as_count(self.n_segments, "n_segments")
            if segments > indices.size:
                raise ParameterError(
                    f"task {self.name!r}: n_segments is {segments} but there are {indices.size} windows"
                )
            object.__setattr__(self, "n_segments", segments)
