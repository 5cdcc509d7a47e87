"""Sets of sequences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, ClassVar, Literal, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .arrays import (
    FILL_IN,
    FloatArray,
    IntArray,
    as_frames,
    as_names,
    as_numbers,
    as_whole_numbers,
    column_names,
    for_compiled,
    require_finite,
)
from .errors import DataError, ParameterError, is_one_of, unknown_name
from .seeds import content_key
from .settings import Settings
from .wording import count

Layout = Literal["channels_last", "channels_first"]
LAYOUTS = ("channels_last", "channels_first")

GAPS = f'{FILL_IN}, as kinseq.cluster and SequenceClustering do with missing="interpolate"'
"""Treatment of NaN in sequences."""

ALPHABET = "alphabet"
"""Provenance key of symbols, in the order of their codes; see :mod:`kinseq.core.symbols`."""
MAX_MAGNITUDE = 1e100
"""Values above which squares and products leave the range of float64."""


@dataclass(frozen=True, repr=False)
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
    rounding : float or None
        Step to which values are rounded where they name random streams, see `content_keys`; None for every bit.
    notes : tuple of str
        What reading skipped, repaired, or found that a user should know of, one sentence each.
    reading : Settings or None
        How the sequences were read, the :class:`kinseq.readers.reading.Reading` that :func:`kinseq.read` was given.
    limits : ndarray, shape (2, d), or None
        Least and largest usual value of each feature, where measures take the few frames beyond for glitches.
    """

    values: FloatArray
    offsets: IntArray
    labels: NDArray[Any] | None = None
    groups: NDArray[Any] | None = None
    ids: NDArray[np.str_] = field(default_factory=lambda: np.zeros(0, dtype=np.str_))
    name: str = "sequences"
    provenance: Mapping[str, Any] = field(default_factory=dict)
    rounding: float | None = None
    notes: tuple[str, ...] = ()
    reading: Settings | None = None
    limits: FloatArray | None = None
    _known_keys: ClassVar[tuple[bytes, ...] | None] = None

    def __post_init__(self) -> None:
        values = for_compiled(as_numbers(self.values, f"{self.name}: values"))
        offsets = as_whole_numbers(self.offsets, f"{self.name}: offsets")
        if values.ndim != 2 or values.shape[1] == 0:
            raise DataError(f"{self.name}: values have shape {values.shape}, expected (frames, features)")
        if offsets.ndim != 1 or offsets.size < 2:
            raise DataError(f"{self.name}: holds no sequence; at least one is needed")
        if offsets[0] != 0 or offsets[-1] != len(values) or (np.diff(offsets) < 0).any():
            raise DataError(
                f"{self.name}: offsets must rise from 0 to the number of frames {len(values)},"
                f" they run from {offsets[0]} to {offsets[-1]}"
            )
        ids = np.array(as_names(self.ids, f"{self.name}: ids"), dtype=np.str_)
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
                entries = as_column(entries, f"{self.name}: {column}")
                self._check_column(column, entries, offsets.size - 1)
                object.__setattr__(self, column, entries)
        if not np.isfinite(values).all():
            frame = int(np.flatnonzero(~np.isfinite(values).all(axis=1))[0])
            i = int(np.searchsorted(offsets, frame, side="right")) - 1
            require_finite(values[offsets[i] : offsets[i + 1]], f"{self.name}: sequence {str(ids[i])!r}", gaps=GAPS)
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
        layout: Layout | None = None,
    ) -> SequenceSet:
        """Stack a list of ``(T_i, d)`` arrays.

        Parameters
        ----------
        arrays : sequence of array_like, each of shape (T_i, d), or ndarray of shape (N, T, d)
            At least one; all with the same number of features d. Tables with named columns are joined by these names,
            in the order of the first one.
        labels, groups : array_like, shape (N,), optional
            One entry a sequence.
        ids : sequence of str, optional
            Unique names; ``s00000``, ``s00001`` ... if not given.
        name : str
            Name of the data set, used in messages.
        provenance : mapping, optional
            Where the data come from.
        layout : {"channels_last", "channels_first"}, optional
            Whether arrays are (time, channels), as everywhere in kinseq, or (channels, time), as in aeon and sktime. If
            it is not given, arrays are taken for (time, channels), and one array of shape (N, T, d) with no more time
            steps than channels is refused, since nothing else tells the two apart.

        Returns
        -------
        SequenceSet

        Raises
        ------
        DataError
            If an array is empty, not two-dimensional, not finite, or has another number of features than the first; if
            columns are named differently; or if the layout is not clear.
        ParameterError
            If `layout` is unknown.
        """
        require_list(arrays, name)
        if isinstance(arrays, np.ndarray) and arrays.dtype != object and arrays.ndim != 3:
            raise DataError(
                f"{name}: is one array of shape {arrays.shape}, expected a list of (T, d) arrays or an (N, T, d) array"
            )
        n = len(arrays)
        named = as_names(ids, f"{name}: ids") if ids is not None else [f"s{i:05d}" for i in range(n)]
        if n == 0:
            raise DataError(f"{name}: holds no sequence; at least one is needed")
        if len(named) != n:
            raise DataError(f"{name}: ids have shape ({len(named)},) but there are {n} sequences; give one each")
        if isinstance(arrays, np.ndarray) and arrays.ndim == 3:
            require_layout(arrays.shape[1:], layout, name)
        frames = _as_list_of_frames(arrays, named, name, layout)
        columns = column_names(arrays[0]) if isinstance(arrays, (list, tuple)) else None
        offsets = np.concatenate([[0], np.cumsum([len(array) for array in frames])]).astype(np.int64)
        return cls(
            values=np.concatenate(frames),
            offsets=offsets,
            labels=None if labels is None else as_column(labels, f"{name}: labels"),
            groups=None if groups is None else as_column(groups, f"{name}: groups"),
            ids=np.array(named, dtype=np.str_),
            name=name,
            provenance={
                **({} if columns is None else {"columns": as_column_names(columns, name)}),
                **(provenance or {}),
            },
        )

    def __repr__(self) -> str:
        return repr_of(self)

    def __len__(self) -> int:
        return int(self.offsets.size - 1)

    def __getitem__(self, index: int) -> FloatArray:
        i = range(len(self))[index]
        return self.values[self.offsets[i] : self.offsets[i + 1]]

    def __iter__(self) -> Iterator[FloatArray]:
        return (self[i] for i in range(len(self)))

    @property
    def source(self) -> str | None:
        """Path of the files that the sequences were read from; None for others."""
        path = self.provenance.get("path")
        return None if path is None else str(path)

    @property
    def alphabet(self) -> tuple[str, ...] | None:
        """Symbols encoded by the values, one column of codes, in the order of the codes; None for a set of numbers."""
        letters = self.provenance.get(ALPHABET)
        return None if letters is None else tuple(letters)

    @property
    def content_kind(self) -> Literal["numbers", "symbols"]:
        """Kind of the values; see `accepts` of measures and kinds of models."""
        return "numbers" if self.alphabet is None else "symbols"

    @property
    def lengths(self) -> IntArray:
        """Number of frames of each sequence, shape (N,)."""
        return self.offsets[1:] - self.offsets[:-1]

    @property
    def content_keys(self) -> tuple[bytes, ...]:
        """Digests of the content, which name the random streams of the sequences and order them.

        Equal sequences have equal keys wherever they stand, and with `rounding` those that differ by less, as a rule.
        """
        if self._known_keys is not None:
            return self._known_keys
        if self.rounding is None:
            return tuple(content_key(frames) for frames in self)
        # Adding 0 gives -0 and 0 the same bits.
        rounded = np.round(self.values / self.rounding) + 0.0
        return tuple(content_key(rounded[a:b]) for a, b in pairwise(self.offsets))

    def with_keys(self) -> SequenceSet:
        """Return the same set with cached `content_keys`; for sets whose values no longer change."""
        return self._unchecked(_known_keys=self.content_keys)

    @property
    def n_features(self) -> int:
        """Number of features d of a frame."""
        return int(self.values.shape[1])

    def blocks(self) -> Iterator[SequenceSet]:
        """Yield the set itself as its only block.

        Yields
        ------
        SequenceSet
            The set itself.
        """
        yield self

    def load(self) -> SequenceSet:
        """Return the set itself."""
        return self

    def subset(self, indices: ArrayLike) -> SequenceSet:
        """Return the sequences at `indices`, in that order, as a new set.

        Parameters
        ----------
        indices : array_like of int, shape (M,)
            Distinct positions in 0 .. N - 1, at least one.

        Raises
        ------
        DataError
            If a position is no whole number, out of range or listed twice, or there is none.
        """
        positions = as_positions(indices, len(self), self.name)
        if positions.size == len(self) and (positions == np.arange(len(self))).all():
            return self
        lengths = self.lengths[positions]
        offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        # Frame positions of the chosen sequences, without a Python loop over sequences.
        frames = np.arange(offsets[-1]) + np.repeat(self.offsets[positions] - offsets[:-1], lengths)
        return self._unchecked(
            values=self.values[frames],
            offsets=offsets,
            labels=None if self.labels is None else self.labels[positions],
            groups=None if self.groups is None else self.groups[positions],
            ids=self.ids[positions],
            _known_keys=None if self._known_keys is None else tuple(self._known_keys[i] for i in positions),
        )

    def with_frames(self, values: FloatArray, offsets: IntArray | None = None) -> SequenceSet:
        """Return the same sequences with other frames computed from theirs; `offsets` if lengths differ.

        Names and the like are those of sequences that were checked, which takes longer than most of what is computed of few.
        Infinite numbers are refused as ever.
        """
        if not np.isfinite(values).all():
            return replace(self, values=values, offsets=self.offsets if offsets is None else offsets)
        values = np.ascontiguousarray(values)
        return self._unchecked(values=values, _known_keys=None, **({} if offsets is None else {"offsets": offsets}))

    def _unchecked(self, **fields: Any) -> SequenceSet:
        """Return the set with other fields, known to be valid."""
        other = object.__new__(SequenceSet)
        other.__dict__.update(self.__dict__, **fields)
        return other


Sequences = SequenceSet | Sequence[ArrayLike]
"""Type of every argument called ``sequences`` or ``sets``."""


def heading(sequences: Any) -> str:
    """Return number and size of the sequences: ``12 sequences of 40 to 48 frames, 2 features``, or of symbols."""
    low, high = int(sequences.lengths.min()), int(sequences.lengths.max())
    frames = f"{low}" if low == high else f"{low} to {high}"
    if getattr(sequences, "alphabet", None) is not None:
        return f"{count(len(sequences), 'sequence')} of {frames} symbols"
    return f"{count(len(sequences), 'sequence')} of {frames} frames, {count(sequences.n_features, 'feature')}"


def repr_of(sequences: Any) -> str:
    """Return the representation of a set, in memory or streamed: its heading, and how it was read."""
    line = f"{type(sequences).__name__}({sequences.name!r}: {heading(sequences)})"
    was_read = sequences.reading is not None and sequences.source is not None
    return f"{line}\n{sequences.reading.overview(sequences)}" if was_read else line


def as_sequence_set(sequences: Sequences, layout: Layout | None = None) -> SequenceSet:
    """Return `sequences` unchanged if it is a :class:`SequenceSet`, else stack the list of ``(T, d)`` arrays.

    `layout` says how arrays are laid out, see :meth:`SequenceSet.from_arrays`; a set has its axes in order already, and
    giving it one is a ParameterError.
    """
    if not isinstance(sequences, SequenceSet):
        return SequenceSet.from_arrays(sequences, layout=layout)
    if layout is not None:
        raise ParameterError(f"{sequences.name}: layout is for arrays, but a SequenceSet was given; leave it out")
    return sequences


def as_column_names(columns: Sequence[Any], where: str) -> list[str]:
    """Return names of columns as text, or raise :class:`DataError` if different ones become equal."""
    names = [str(column) for column in columns]
    if len(set(columns)) > len(set(names)):
        raise DataError(f"{where}: names of columns differ in their type only, as 1 and '1' do; rename them")
    return names


COLUMN_NUMBERS = "column_numbers"
"""Provenance key of column numbers, from 1, in a file or array without names."""


class WithColumns(Protocol):
    """Interface of objects with columns, in memory or streamed."""

    @property
    def provenance(self) -> Mapping[str, Any]:
        """Origin of the data, with the names of the columns."""

    @property
    def n_features(self) -> int:
        """Number of the columns."""


def numbered_columns(sequences: WithColumns) -> list[str]:
    """Return labels of columns: their names, or else their original numbers, from 1."""
    provenance = sequences.provenance
    names = provenance.get("columns") or provenance.get(COLUMN_NUMBERS) or range(1, sequences.n_features + 1)
    return [str(name) for name in names]


def matched_by_name(new: SequenceSet, old: SequenceSet) -> SequenceSet | None:
    """Return a set with its columns in the order of another set, by name; unchanged if a set has no names.

    None where names leave open which column is which: they are not those of the other set, come twice, or are not as
    many as there are features.
    """
    columns, wanted = (list(some.provenance.get("columns") or ()) for some in (new, old))
    if not columns or not wanted:
        return new
    counts = {new.n_features, old.n_features, len(columns), len(wanted), len(set(columns))}
    if len(counts) > 1 or set(columns) != set(wanted):
        return None
    if columns == wanted:
        return new
    values = np.ascontiguousarray(new.values[:, [columns.index(column) for column in wanted]])
    return replace(new, values=values, provenance={**new.provenance, "columns": wanted})


_FEW_COLUMNS = 8
"""Columns up to which NumPy finds extremes faster one column at a time."""


def _extremes(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the largest and the smallest value of each column."""
    if values.shape[1] > _FEW_COLUMNS:
        return values.max(axis=0), values.min(axis=0)
    return np.array([column.max() for column in values.T]), np.array([column.min() for column in values.T])


def require_range(sequences: SequenceSet) -> None:
    """Raise :class:`DataError` if squares of values, or of their differences, leave the range of float64."""
    top, bottom = _extremes(sequences.values)
    largest = np.maximum(np.abs(top), np.abs(bottom))
    for column in np.flatnonzero((largest > MAX_MAGNITUDE) | ((top > bottom) & (top - bottom < 1.0 / MAX_MAGNITUDE))):
        size = float(largest[column])
        what = "is as large as" if size > MAX_MAGNITUDE else "varies by no more than"
        size = size if size > MAX_MAGNITUDE else float(top[column] - bottom[column])
        raise DataError(
            f"{sequences.name}: column {numbered_columns(sequences)[column]} {what} {size:g}, so that squares leave the range of"
            " float64; divide it by a power of ten or z-score it first"
        )


def require_list(arrays: Any, name: str) -> None:
    """Raise :class:`DataError` unless `arrays` is a list of sequences, or one array of several."""
    expected = "expected a SequenceSet or a list of dense (T, d) arrays"
    kind = type(arrays).__name__
    if hasattr(arrays, "toarray"):
        raise DataError(f"{name}: is sparse ({kind}), {expected}; make it dense with .toarray()")
    if isinstance(arrays, Mapping):
        raise DataError(f"{name}: is a {kind}, {expected}; give its values as a list, and its keys as ids")
    if isinstance(arrays, Set):
        raise DataError(f"{name}: is a {kind}, which has no order, {expected}")
    if column_names(arrays) is not None or getattr(arrays, "columns", None) is not None:
        raise DataError(f"{name}: is one table, {expected}; put one table a sequence into a list")
    if hasattr(arrays, "read") and hasattr(arrays, "readline"):
        raise DataError(f"{name}: is an open file ({kind}), {expected}; give its path, or what pandas reads from it")
    if isinstance(arrays, Iterator):
        raise DataError(f"{name}: is a {kind}, which can be read only once, {expected}; make a list of it with list()")
    if isinstance(arrays, (str, bytes)) or not hasattr(arrays, "__len__") or not hasattr(arrays, "__iter__"):
        raise DataError(f"{name}: is of type {kind}, {expected}")
    if isinstance(arrays, np.ndarray) and arrays.ndim != 3 and (arrays.dtype != object or arrays.ndim != 1):
        raise DataError(
            f"{name}: is one array of shape {arrays.shape}, expected a list of (T, d) arrays or an (N, T, d) array"
        )


def require_layout(shape: Sequence[int], layout: Layout | None, name: str) -> None:
    """Raise :class:`DataError` for arrays of one shape that may be (channels, time) as well as (time, channels)."""
    steps, channels = shape
    if layout is None and channels >= steps and (steps, channels) != (1, 1):
        raise DataError(
            f"{name}: arrays of shape ({steps}, {channels}) may be {count(steps, 'time step')} of"
            f" {count(channels, 'channel')} or the other way round; say"
            " layout='channels_last' for (time, channels) or layout='channels_first' for (channels, time),"
            " here or in SequenceSet.from_arrays"
        )


def _as_list_of_frames(
    arrays: Sequence[ArrayLike], names: Sequence[str], where: str, layout: Layout | None
) -> list[FloatArray]:
    """Return the sequences as (T, d) arrays of one d, the columns of tables in the order of the first."""
    if layout is not None and not is_one_of(layout, LAYOUTS):
        raise ParameterError(unknown_name("layout", layout, LAYOUTS))
    items = list(arrays)
    frames = [as_frames(array, f"{where}: sequence {names[i]!r}", GAPS) for i, array in enumerate(items)]
    columns = [column_names(array) for array in items]
    if any(columns):
        frames = _by_column(frames, columns, names, where, layout)
    if layout == "channels_first":
        frames = [array.T for array in frames]
    for i, array in enumerate(frames):
        if array.shape[1] != frames[0].shape[1]:
            same = array.shape[0] == frames[0].shape[0] and layout is None
            hint = "; if arrays are (channels, time), say layout='channels_first'" if same else ""
            raise DataError(
                f"{where}: sequence {names[i]!r} has {count(array.shape[1], 'feature')} but {names[0]!r} has"
                f" {frames[0].shape[1]}; all sequences need the same number{hint}"
            )
    return frames


def _by_column(
    frames: Sequence[FloatArray],
    columns: Sequence[list[Any] | None],
    names: Sequence[str],
    where: str,
    layout: Layout | None,
) -> list[FloatArray]:
    """Return frames of tables with the columns in the order of the first one, by name."""
    first = columns[0]
    if layout == "channels_first":
        raise ParameterError(
            f"{where}: layout is 'channels_first' but columns are named; columns of tables are channels"
        )
    joined = []
    for i, (array, header) in enumerate(zip(frames, columns, strict=True)):
        if first is None or header is None:
            raise DataError(
                f"{where}: {names[0]!r} and {names[i]!r} cannot be joined, as only one of them has named columns;"
                " name the columns of all or of none"
            )
        if header == first:
            joined.append(array)
            continue
        if len(set(first)) < len(first) or len(set(header)) < len(header):
            raise DataError(
                f"{where}: column names of {names[i]!r} are not unique and not those of {names[0]!r}; rename"
            )
        if set(header) != set(first):
            odd = sorted(str(column) for column in set(header) ^ set(first))
            raise DataError(
                f"{where}: {names[0]!r} and {names[i]!r} have different columns ({', '.join(odd[:3])} in one of them only);"
                " give the same columns to all"
            )
        joined.append(array[:, [header.index(column) for column in first]])
    return joined


def as_column(entries: ArrayLike, where: str) -> NDArray[Any]:
    """Return labels or groups as an array without missing entries."""
    if isinstance(entries, np.ma.MaskedArray) and np.ma.getmaskarray(entries).any():
        raise DataError(f"{where}: have masked entries; give one to each sequence")
    single = isinstance(entries, np.ndarray) and entries.ndim == 0
    if single or isinstance(entries, (str, bytes, Mapping, Set, Iterator)) or not hasattr(entries, "__iter__"):
        raise DataError(f"{where}: are of type {type(entries).__name__}, expected a list with one entry a sequence")
    try:
        column = np.asarray(entries)
    except (TypeError, ValueError) as error:
        raise DataError(f"{where}: are no list with one entry a sequence ({error})") from error
    for i, entry in enumerate(column.tolist() if column.ndim == 1 and column.dtype.kind in "fO" else []):
        missing = entry is None or (isinstance(entry, float) and entry != entry) or repr(entry) in ("<NA>", "NaT")
        if missing:
            raise DataError(
                f"{where}: entry {i} is {entry}; give one to each sequence, '' where it is not known, or leave it out"
            )
    return column


def as_positions(indices: ArrayLike, n: int, where: str, what: str = "sequence") -> IntArray:
    """Distinct positions in 0 .. n - 1, at least one; otherwise :class:`DataError` with the invalid entry."""
    positions = as_whole_numbers(indices, f"{where}: indices")
    if positions.ndim != 1 or positions.size == 0:
        raise DataError(f"{where}: indices have shape {positions.shape}, expected at least one position")
    wrong = (positions < 0) | (positions >= n)
    if wrong.any():
        raise DataError(f"{where}: there is no {what} at position {positions[wrong][0]}, expected 0 to {n - 1}")
    if np.unique(positions).size != positions.size:
        raise DataError(
            f"{where}: {'an' if what[0] in 'aeiou' else 'a'} {what} is listed twice; indices must be distinct"
        )
    return positions
