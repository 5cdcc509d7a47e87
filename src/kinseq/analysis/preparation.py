"""Prepare user data for comparison: read, check lengths, scale."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..clustering.registry import get as get_clusterer
from ..core.arrays import FloatArray, IntArray
from ..core.clock_columns import LEFT_OUT
from ..core.cutting import EVERY, pieces_of
from ..core.data_checks import remarks_on_data
from ..core.errors import DataError, ParameterError
from ..core.inputs import TOLD, Collection, as_collection, as_symbol_set
from ..core.jobs import ahead
from ..core.ordering import Ordering, by_content, by_keys
from ..core.progress import Progress
from ..core.seeds import content_key
from ..core.sequences import COLUMN_NUMBERS, SequenceSet, matched_by_name, numbered_columns, require_range
from ..core.shard import Part
from ..core.store import PathLike
from ..core.stored import as_stored
from ..core.streamed import SequenceParts
from ..core.symbols import with_alphabet
from ..core.wording import as_typed, count, listed
from ..features import frames
from ..features.column_names import column_labels
from ..features.frames import SequenceMoments
from ..features.recordings import recording_info
from ..features.registry import get as get_feature
from ..measures.registry import Measure
from ..measures.statistics import summaries
from ..metrics.groupings import MIN_GROUP_SIZE
from ..readers.folder import Processing, finished, is_read, open_large, read_files, symbols_in, timed
from ..readers.notes import remarks_on_equal
from ..readers.reading import Reading
from ..readers.streaming import PLACED_READ_FROM
from . import limits
from .log import NO_REMARKS, Remarks, as_choice, as_notes
from .options import STRETCH, Options, require_reached
from .sampling import drawn, sample_size

Data = PathLike | Collection
"""Accepted data: a folder, a file, or sequences in any form."""


OUTLYING_REACH = 4.0
"""Times as far from the usual level as any other sequence, from which on one is outlying."""
ALIKE_SHARE = 0.5
"""Difference of two outlying sequences, as a share of how far they are out, up to which they are alike."""

AnySequences = TypeVar("AnySequences", SequenceSet, SequenceParts, SequenceSet | SequenceParts)


@dataclass(frozen=True)
class Population:
    """All sequences, of which a sample is compared and the others are assigned.

    Attributes
    ----------
    whole : SequenceSet or SequenceParts
        All of them, as they were given.
    positions : ndarray, shape (n,), int64
        Where those of the sample stand among all, rising.
    representative_of : ndarray, shape (N,), int64
        Position of the sequence that stands for each and its copies: the first of them in order of content.
    unlike : ndarray, int64
        Positions, rising, of those that are unlike everything that was sampled.
    """

    whole: SequenceSet | SequenceParts
    positions: IntArray
    representative_of: IntArray
    unlike: IntArray

    def left_out(self) -> IntArray:
        """Return ascending positions of the assigned sequences, one for each set of equal ones."""
        return np.setdiff1d(np.unique(self.representative_of), self.representative_of[self.positions]).astype(np.int64)

    def blocks(self, positions: IntArray, transform: Transform) -> Iterator[SequenceSet]:
        """Yield prepared sequences at some positions, in blocks small enough to compare at once."""
        for block in self.whole.subset(positions).blocks():
            for start in range(0, len(block), limits.ASSIGNED_AT_ONCE):
                some = block.subset(np.arange(start, min(start + limits.ASSIGNED_AT_ONCE, len(block))))
                yield transform.apply(some)


@dataclass(frozen=True)
class Prepared:
    """Sequences to be compared, in order of content.

    No number depends on the order of files: everything is computed in this order, and put back at the end.

    Attributes
    ----------
    original : SequenceSet
        As they were given.
    ordered : SequenceSet
        As they are compared, in order of content.
    ordering : Ordering
        That order.
    transform : Transform
        How new sequences get into the form of these.
    remarks : Remarks
        Of the steps so far.
    population : Population or None
        All sequences, where these are a sample of them.
    outlying : ndarray, int64
        Positions in `ordered` of sequences that take no part in forming groups, see :func:`outlying`.
    """

    original: SequenceSet
    ordered: SequenceSet
    ordering: Ordering
    transform: Transform
    remarks: Remarks
    population: Population | None = None
    outlying: IntArray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    def counted(self) -> SequenceSet:
        """Return the prepared sequences, with copies once unless they count."""
        positions = self.ordering.counted
        return self.ordered if len(positions) == len(self.ordered) else self.ordered.subset(positions)


def prepare(
    options: Options, whole: SequenceSet | SequenceParts, remarks: Remarks = NO_REMARKS, limited: bool = True
) -> Prepared:
    """Leave out sequences that are too short, transform, and sample many; `remarks` are those of reading.

    Sequences come in blocks: those that are in memory in one, those of a large file in several, which are read anew for each pass.
    The first pass takes the moments that the transform follows from, the second one the order of contents and the statistics that
    a sample is drawn by. `limited` is False for results of earlier versions, whose measures saw glitches as they are, and whose
    scale is of all sequences.
    """
    measures = options.measures
    whole = replace(whole, name=options.name or whole.name)
    whole, of_short = leave_out_short(whole, measures, options)
    require_reached(options.n_clusters, options.n_range, len(whole), whole.name)
    most_clusters = options.n_clusters if options.n_range is None else options.n_range[1]
    size, of_sample = sample_size(whole, measures, most_clusters, options)
    remarks += of_short + of_sample
    if size == len(whole):
        whole = whole.load()
    placed = any(entry.columns_by_place for entry in measures)
    counted = any(entry.counts_features for entry in measures)
    stored = as_stored(whole) if isinstance(whole, SequenceSet) else whole
    transform, as_they_are, out, of_transform = fit_transform(stored, options, placed, counted, limited)
    ordering, statistics, scaled = _in_order(stored, transform, options, sampled=size < len(whole))
    ordering = ordering.counting(as_they_are[ordering.positions])
    remarks = with_copies(remarks + of_transform, whole, ordering, counted=True)
    if scaled is not None:
        return Prepared(
            whole.load(),
            scaled.subset(ordering.positions),
            ordering,
            transform,
            remarks,
            outlying=np.sort(ordering.ranks[out]),
        )
    distinct = ordering.positions[ordering.counted]
    # A copy in the sample would waste a place.
    sampled, unlike = drawn(statistics[distinct], min(size, len(distinct)), options.seed)
    positions = np.sort(distinct[sampled])
    original = whole.subset(positions).load()
    if isinstance(whole, SequenceParts):
        # A sample suffices to find what all sequences share: codes for missing values and columns of times.
        odd = remarks_on_data(original)
        remarks += as_notes(*(f"of {len(original)} sequences that were drawn: {oddity}" for oddity in odd))
    ordered = transform.apply(stored.subset(positions).load()).with_keys()
    ordered = ordered.subset(np.searchsorted(positions, distinct[sampled]))
    order = Ordering(np.searchsorted(positions, distinct[sampled]).astype(np.int64), by_content(ordered).first)
    order = order.counting(as_they_are[distinct[sampled]])
    representative_of = ordering.positions[ordering.first[ordering.ranks]]
    population = Population(whole, positions, representative_of, np.sort(distinct[unlike]))
    return Prepared(original, ordered, order, transform, remarks, population)


def in_order(sequences: SequenceSet, options: Options, counted: bool = False) -> tuple[SequenceSet, Ordering, Remarks]:
    """Return prepared sequences in order of content, that order, and remarks."""
    sequences = as_stored(sequences)
    transform, as_they_are, _, remarks = fit_transform(sequences, options, counted=counted)
    ordering, _, scaled = _in_order(sequences, transform, options)
    ordering = ordering.counting(as_they_are[ordering.positions])
    assert scaled is not None
    return scaled.subset(ordering.positions), ordering, remarks


def needs_all(options: Options) -> bool:
    """Return whether an analysis needs all sequences in memory."""
    by_all = any(entry.counts_features or entry.columns_by_place for entry in options.measures)
    by_all = by_all or get_clusterer(options.clusterer).finds_n_clusters
    return by_all or options.length == STRETCH or options.sample is None


def fit_transform(
    whole: SequenceSet | SequenceParts,
    options: Options,
    all_columns: bool = False,
    counted: bool = False,
    limited: bool = True,
) -> tuple[Transform, NDArray[np.bool_], IntArray, Remarks]:
    """Return the transform of the sequences, which copies count, shape (N,), outlying sequences, and remarks.

    All count as they are where the number of groups is given. Else those do that stand still throughout: two sensors that are
    dead look the same, and neither is a copy of the other's file. Columns in which nothing changes are left out, unless
    `all_columns` are wanted, and those that follow from others where the measure has features `counted`, which needs all
    sequences in memory. Where columns are scaled over the whole set, glitches are left out first where that is `limited`, so
    that they move neither the scale nor what is compared; and where the number of groups is given, the scale is that of the
    sequences that are not :func:`outlying`.
    """
    transform, remarks, out = Transform(), NO_REMARKS, np.zeros(0, dtype=np.int64)
    if isinstance(whole, SequenceSet) and whole.alphabet is not None:
        return transform, np.full(len(whole), options.n_clusters is not None), out, _remarks_on_symbols(whole, options)
    if options.length == STRETCH:
        transform = replace(transform, length=int(np.median(whole.lengths[_distinct(whole, _marks(whole.load()))])))
        value = f"{transform.length} frames, their median; stretched or shortened by lines from frame to frame"
        remarks += as_choice("length of the sequences", value, "given")
    marks: list[NDArray[np.uint64]] = []
    parts: list[SequenceMoments] = []
    for block in _counted(whole, "read sequences", options):
        marks.append(_marks(block))
        parts.append(SequenceMoments.of(transform.framed(block)))
    moments = SequenceMoments.joined(parts)
    as_they_are = np.full(len(whole), options.n_clusters is not None) | (moments.deviations == 0.0).all(axis=1)
    # Count copies once, so that they do not move the scale of the others.
    distinct = np.union1d(_distinct(whole, np.concatenate(marks)), np.flatnonzero(as_they_are)).astype(np.int64)
    moments, reached = moments.subset(distinct), None
    if limited and options.scale == "zscore" and not is_embedded(whole):
        # Every sequence counts where the number is given, so that positions are those in the set.
        leaves_out = options.n_clusters is not None and len(whole) <= limits.MAX_EXAMINED
        # Outliers do not show what is usual; and without their glitches, some may not be outlying.
        moments, reached = _within_limits(whole, moments, distinct, transform, outlying(moments) if leaves_out else out)
        out = outlying(moments) if leaves_out else out
        moments = moments.subset(np.setdiff1d(np.arange(len(moments.lengths)), out))
    mean, deviation, share = moments.pooled()
    # A constant column carries no information, but would change starts of models and counts of parameters.
    changing, where = deviation > 0.0, "in or between sequences"
    if options.scale == "per_sequence":
        changing &= (moments.deviations > 0.0).any(axis=0)
        where = "in any sequence"
    columns = None
    if changing.any() and not all_columns:
        values = None
        if counted:
            held = transform.framed(whole.load().subset(distinct))
            values = (frames.normalise(held) if options.scale == "per_sequence" else held).values
        mask, sentences = informative_columns(whole, changing, where, values)
        if options.columns is None:
            remarks += as_notes(*sentences)
        else:
            mask &= np.isin(np.arange(len(mask)), options.columns)
        columns = None if mask.all() else np.flatnonzero(mask).astype(np.int64)
    places = np.arange(len(mean)) if columns is None else columns
    mean, deviation, share = mean[places], deviation[places], share[places]
    if options.scale == "zscore":
        scaling = frames.Scaling(mean, np.where(deviation > 0.0, deviation, 1.0))
        between = float(share[deviation > 0.0].mean()) if (deviation > 0.0).any() and not is_embedded(whole) else 0.0
        remarks += _remarks_on_scale(options, between)
        scaled = None if reached is None else (reached[:, places] - scaling.shift) / scaling.scale
        return replace(transform, units=scaling.apply, columns=columns, limits=scaled), as_they_are, out, remarks
    units = None if options.scale == "none" else partial(frames.normalise, method="mean_variance")
    remarks += _remarks_on_scale(options, 0.0)
    return replace(transform, units=units, columns=columns), as_they_are, out, remarks


def outlying(moments: SequenceMoments) -> IntArray:
    """Return positions, rising, of sequences that are so far from all others that they take no part in forming groups.

    In some column they reach :data:`OUTLYING_REACH` times as far from the usual level, as a root mean square over frames, as any
    other sequence does; or they stand still in all columns. They are at most :data:`.limits.MAX_OUTLYING` of the set, and never
    three or more that are alike, which may be a group.
    """
    n, still = len(moments.lengths), (moments.deviations == 0.0).all(axis=1)
    most = int(limits.MAX_OUTLYING * n)
    away = moments.means - np.median(moments.means, axis=0)
    reach = np.hypot(away, moments.deviations)
    if not most:
        return np.zeros(0, dtype=np.int64)
    # Those that reach farther than this one may be outlying, and it is not.
    usual = np.sort(reach, axis=0)[-most - 1]
    far = np.flatnonzero((reach > OUTLYING_REACH * usual).any(axis=1) | still)
    if not 0 < len(far) <= most:
        return np.zeros(0, dtype=np.int64)
    unit = np.where(usual > 0.0, usual, 1.0)
    places = np.hstack([away, moments.deviations])[far] / np.tile(unit, 2)
    sizes = np.linalg.norm(places, axis=1)
    apart = np.linalg.norm(places[:, None] - places, axis=2)
    alike = apart <= ALIKE_SHARE * np.minimum(sizes[:, None], sizes)
    return far[(alike | np.eye(len(far), dtype=bool)).sum(axis=1) < MIN_GROUP_SIZE]


def _within_limits(
    whole: SequenceSet | SequenceParts,
    moments: SequenceMoments,
    distinct: IntArray,
    transform: Transform,
    without: IntArray,
) -> tuple[SequenceMoments, FloatArray | None]:
    """Return the moments of distinct sequences within the usual limits of each column, and these; None if none are exceeded.

    Limits are those of the sequences `without` the ones at some positions.
    """
    # Of very many sequences a subset suffices. It depends on content alone, not on blocks or the order of files.
    by_chance = np.argsort(_mixed(np.column_stack([moments.means, moments.deviations])), kind="stable")
    some = np.sort(by_chance[~np.isin(by_chance, without)][: limits.MAX_LIMITED_BY])
    reached = frames.usual_limits(transform.framed(whole.subset(distinct[some]).load()).values)
    usual = moments.beyond(reached).mean(axis=0) < frames.OFTEN
    reached = np.where(usual, reached, [[-np.inf], [np.inf]])
    beyond = np.flatnonzero(moments.beyond(reached).any(axis=1))
    if not beyond.size:
        return moments, None

    def within(block: SequenceSet) -> SequenceMoments:
        return SequenceMoments.of(frames.without_glitches(replace(transform.framed(block), limits=reached)))

    others = SequenceMoments.joined([within(block) for block in whole.subset(distinct[beyond]).blocks()])
    return moments.replaced(beyond, others), reached


def _in_order(
    whole: SequenceSet | SequenceParts, transform: Transform, options: Options, sampled: bool = False
) -> tuple[Ordering, FloatArray, SequenceSet | None]:
    """Return the order of sequences by content, the statistics for sampling, and the prepared sequences.

    Statistics are empty unless a sample is drawn; where it is, sequences are transformed once more as they are wanted.
    """

    def of_block(block: SequenceSet) -> tuple[SequenceSet | None, tuple[bytes, ...], FloatArray]:
        scaled = transform.apply(block)
        if not sampled:
            scaled = scaled.with_keys()
        return (
            None if sampled else scaled,
            scaled.content_keys,
            summaries(frames.without_glitches(scaled)) if sampled else np.zeros((0, 0)),
        )

    def digests(positions: IntArray) -> list[tuple[bytes, bytes]]:
        return [
            (content_key(compared), content_key(given))
            for block in whole.subset(positions).blocks()
            for compared, given in zip(transform.apply(block), block, strict=True)
        ]

    task = "statistics of sequences"
    blocks, keys, statistics = zip(*ahead(of_block, _counted(whole, task, options), options.threads), strict=True)
    ordering = by_keys([key for block in keys for key in block], digests)
    return ordering, np.concatenate(statistics), None if sampled else blocks[0]


def _counted(whole: SequenceSet | SequenceParts, task: str, options: Options) -> Iterator[SequenceSet]:
    """Yield all blocks; progress lines count streamed sequences."""
    is_read = isinstance(whole, SequenceParts)
    reported = Progress(task, len(whole), unit="sequence") if options.progress and is_read else None
    for block in whole.blocks():
        yield block
        if reported is not None:
            reported.step(len(block))


_SPREAD = np.uint64(0x9E3779B97F4A7C15)
"""An odd number with random-looking bits: the golden ratio, as in Knuth's hashes."""


def _marks(block: SequenceSet) -> NDArray[np.uint64]:
    """Return a number for each sequence from its length and some frames; equal sequences have equal numbers."""
    first, last, values = block.offsets[:-1], block.offsets[1:] - 1, block.values
    return _mixed(np.column_stack([values[first], values[(first + last) // 2], values[last], block.lengths]))


def _mixed(rows: FloatArray) -> NDArray[np.uint64]:
    """Return a hash of the bits of each row, shape (N,)."""
    marks = np.zeros(len(rows), dtype=np.uint64)
    for bits in (np.ascontiguousarray(rows) + 0.0).view(np.uint64).T:
        # Numbers with few digits differ only in their high bits, which are mixed into the others.
        marks = (marks ^ bits) * _SPREAD
        marks ^= marks >> np.uint64(32)
    return marks


def _distinct(whole: SequenceSet | SequenceParts, marks: NDArray[np.uint64]) -> IntArray:
    """Return ascending positions of the first of equal sequences, compared by `marks` and then by content."""
    _, groups, sizes = np.unique(marks, return_inverse=True, return_counts=True)
    alike = np.flatnonzero(sizes[groups] > 1)
    first: dict[bytes, int] = {}
    for i, key in zip(alike.tolist(), _contents(whole, alike), strict=True):
        first.setdefault(key, i)
    copies = np.setdiff1d(alike, np.array([*first.values()], dtype=np.int64))
    return np.setdiff1d(np.arange(len(marks)), copies).astype(np.int64)


def _contents(whole: SequenceSet | SequenceParts, positions: IntArray) -> list[bytes]:
    """Return digests of the given values of some sequences, at ascending positions."""
    if not positions.size:
        return []
    # Adding 0 gives -0 and 0 the same bits.
    return [content_key(values + 0.0) for block in whole.subset(positions).blocks() for values in block]


def load(
    data: Any,
    reading: Reading,
    work: Processing,
    *,
    ordered: bool = True,
    alone: bool = False,
    part: Part | None = None,
) -> tuple[SequenceSet, Remarks]:
    """Return sequences of any accepted form in memory, and the remarks of reading.

    Parameters
    ----------
    data : path-like, SequenceSet, SequenceParts, list, dict, ndarray or table
    reading : Reading
    work : Processing
    ordered : bool
        Whether the order of frames matters, see :func:`kinseq.core.inputs.as_collection`.
    alone : bool
        Whether one file may stand for a sequence, as of new sequences for clusters that are there.
    part : Part, optional
        No more than that of them is read.
    """
    if not isinstance(data, (str, os.PathLike)):
        sequences, remarks = _from_arrays(data, reading, ordered)
        held = sequences if isinstance(sequences, SequenceSet) else sequences.load()
        return (held if part is None else _part_of(held, part)), remarks
    large = None
    if part is not None:
        large = open_large(data, reading, work=work)
    if alone and large is None:
        try:
            large = open_large(data, reading, work=work, least=PLACED_READ_FROM)
        except DataError:
            # Reading the whole file may succeed, or give a clearer error.
            large = None
    if large is None:
        held = read_files(data, reading, work=work, alone=alone, part=part)
    else:
        held = finished((large if part is None else _part_of(large, part)).load(), reading)
    return held, as_notes(*held.notes)


def as_symbolic(data: Any, reading: Reading) -> SequenceSet | None:
    """Return data of any form as sequences of symbols; None for numbers, which are not read."""
    if isinstance(data, (str, os.PathLike)):
        return symbols_in(data, reading)
    return as_symbol_set(data, reading.columns, reading.arrangement)


def kind_of(symbolic: SequenceSet | None) -> str:
    """Return the result of :func:`as_symbolic` as the kind of sequences that measures accept."""
    return "numbers" if symbolic is None else symbolic.content_kind


def opened(data: Any, reading: Reading, work: Processing) -> SequenceParts | None:
    """Return streamed sequences of a large file, or already streamed ones; None for other data."""
    if isinstance(data, (str, os.PathLike)):
        return open_large(data, reading, work=work)
    return timed(labelled(data, reading), reading) if isinstance(data, SequenceParts) else None


def _part_of(sequences: AnySequences, part: Part) -> AnySequences:
    return sequences.subset(np.arange(len(sequences))[part.of(len(sequences), "sequence")])


def _from_arrays(data: Any, reading: Reading, ordered: bool) -> tuple[SequenceSet | SequenceParts, Remarks]:
    """Return sequences of arrays, a table, or a set already read, and how the axes were interpreted."""
    if is_read(data):
        return timed(labelled(data, reading), reading), as_notes(*data.notes)
    sequences, how = as_collection(data, reading.layout, ordered, reading.columns, reading.missing, reading.arrangement)
    if sequences.alphabet is not None:
        reading.require_symbols()
    sequences = replace(labelled(sequences, reading), reading=reading)
    remarks = as_notes(*sequences.notes) + remarks_of(sequences)
    if how:
        lengths, d = sequences.lengths, sequences.n_features
        frames = f"{lengths.min()}" if lengths.min() == lengths.max() else f"{lengths.min()} to {lengths.max()}"
        value = f"{count(len(sequences), 'sequence')} of {frames} frames with {count(d, 'feature')}"
        remarks += as_choice("layout of the arrays", value, how)
    made = finished(replace(sequences, notes=()), reading)
    return made, remarks + as_notes(*made.notes)


def remarks_of(sequences: SequenceSet) -> Remarks:
    """Return the remarks on sequences in memory."""
    return as_notes(*sequences.provenance.get(TOLD, ()), *remarks_on_data(sequences))


def labelled(sequences: AnySequences, reading: Reading) -> AnySequences:
    """Return sequences with the labels of the reading options: their own, none, or a list."""
    labels = reading.labels
    if labels is None:
        return replace(sequences, labels=None)
    if isinstance(labels, (str, os.PathLike)):
        return sequences
    pieces = pieces_of(sequences.provenance)
    sources = list(dict.fromkeys(source for source, *_ in pieces.values()))
    if pieces and len(labels) == len(sources) != len(sequences):
        # Per source, for all of its pieces.
        place = {source: i for i, source in enumerate(sources)}
        owners = [place[pieces[entry][0]] for entry in sequences.ids.tolist()]
        return replace(sequences, labels=np.asarray(labels)[owners])
    return replace(sequences, labels=np.asarray(labels))


def in_columns_of(new: SequenceSet, old: SequenceSet) -> SequenceSet:
    """Return new sequences with columns in the order of the old ones, by name; DataError if these differ.

    Of symbols, by the alphabet of the old ones.
    """
    if old.alphabet is not None:
        return with_alphabet(new, old.alphabet)
    idle, columns = old.provenance.get(LEFT_OUT, ()), new.provenance.get("columns") or ()
    if new.n_features > old.n_features and any(name in idle for name in columns):
        # A column left out of the old sequences, such as a clock, may look like data in a few new ones.
        new = only_columns(new, np.array([j for j, name in enumerate(columns) if name not in idle], dtype=np.int64))
    if new.n_features != old.n_features:
        one = new.n_features == 1 and (new.lengths == old.n_features).all()
        raise DataError(
            f"{new.name}: has {new.n_features} feature{'s' if new.n_features > 1 else ''} but the clusters were made from"
            f" {old.n_features}; " + ("one new sequence goes into a list" if one else "give sequences of the same kind")
        )
    names, wanted = (list(entry.provenance.get("columns") or ()) for entry in (new, old))
    matched = new if names == wanted else matched_by_name(new, old)
    if matched is None:
        raise DataError(
            f"{new.name}: has the columns {', '.join(names[:5])} but the clusters were made from {', '.join(wanted[:5])};"
            " give sequences of the same kind"
        )
    return matched


def leave_out_short(
    sequences: AnySequences, measures: Sequence[Measure], options: Options
) -> tuple[AnySequences, Remarks]:
    """Leave out sequences of one frame if a measure cannot use them or they are to be stretched, with a note.

    Of sequences that were not read from files, they are refused instead: whoever holds them takes labels by their place. DataError
    too if fewer than two sequences are left.
    """
    short, remarks = sequences.lengths < 2, NO_REMARKS
    unable = [f"measure {measure.name!r}" for measure in measures if not measure.one_frame]
    unable += [f"length {STRETCH!r}"] if options.length == STRETCH else []
    if short.any() and unable:
        ids = sequences.ids[short].tolist()
        if short.all() and recording_info(sequences).from_files:
            raise DataError(
                f"{sequences.name}: every recording is as short as one window, so there are no dynamics to compare; take shorter"
                f" windows ({as_typed('window_seconds', 0.005)}), or recordings that are longer"
            )
        if short.all() and EVERY in sequences.provenance:
            raise DataError(
                f"{sequences.name}: every sequence is as short as one step of the clock; give a shorter step ({as_typed('every')})"
            )
        if short.all():
            raise DataError(
                f"{sequences.name}: every sequence has a single frame, so there are no dynamics to compare;"
                " give one file a sequence, its rows the frames, or several rows an id"
            )
        if sequences.source is None:
            raise DataError(
                f"{sequences.name}: {count(len(ids), 'sequence')} of a single frame, but {unable[0]} needs at"
                f" least two: {', '.join(ids[:5])}; remove what is so short"
            )
        remarks = as_notes(f"left out {count(len(ids), 'sequence')} of a single frame: {', '.join(ids[:5])}")
        sequences = sequences.subset(np.flatnonzero(~short))
    if len(sequences) < 2:
        is_piece = bool(pieces_of(sequences.provenance))
        what = "whole piece" if is_piece else "sequence"
        raise DataError(
            f"{sequences.name}: holds a single {what} ({sequences.ids[0]}), there is nothing to compare it with;"
            f" {'cut shorter pieces' if is_piece else f'give the folder of several{_or_series(sequences)}'}"
        )
    return sequences, remarks


_MANY_COLUMNS = 8
"""Least number of columns of a table whose rows may be series."""


def _or_series(sequences: SequenceSet | SequenceParts) -> str:
    """Return the options by which one sequence that was read becomes several."""
    how = sequences.reading
    if not isinstance(how, Reading) or how.rows is not None or sequences.n_features < _MANY_COLUMNS:
        return ", or cut it into pieces"
    return (
        f", cut it into pieces ({as_typed('cut', 256)}), or pass {as_typed('rows', 'series')} if each row is a sequence"
    )


@dataclass(frozen=True)
class Transform:
    """Transform of sequences into the form that is compared.

    Attributes
    ----------
    units : callable or None
        Brings a set into the scale; None where it stays as it is.
    columns : ndarray, int64, or None
        Columns that are compared; None where all are.
    length : int or None
        Number of frames that all are stretched to; None where they are left as long as they are.
    limits : ndarray, shape (2, d), or None
        Least and largest usual value of each column, in the scale; measures see no glitches beyond.
    """

    units: Callable[[SequenceSet], SequenceSet] | None = None
    columns: IntArray | None = None
    length: int | None = None
    limits: FloatArray | None = None

    def framed(self, sequences: SequenceSet) -> SequenceSet:
        """Return sequences with the number of frames used for comparison."""
        return sequences if self.length is None else stretched(sequences, self.length)

    def apply(self, sequences: SequenceSet) -> SequenceSet:
        """Return sequences in the form that is compared; DataError if squares leave the range of float64."""
        items = self.framed(sequences)
        items = items if self.columns is None else only_columns(items, self.columns)
        items = items if self.units is None else self.units(items)
        require_range(items)
        return items if self.units is None else replace(items, rounding=SCALED_STEP, limits=self.limits)


def stretched(sequences: SequenceSet, length: int) -> SequenceSet:
    """Return sequences at one length; refuse single frames, which cannot be stretched."""
    ids = sequences.ids[sequences.lengths < 2].tolist()
    if ids:
        raise DataError(
            f"{sequences.name}: {count(len(ids), 'sequence')} of a single frame, which cannot be stretched to {length}:"
            f" {', '.join(ids[:5])}; remove what is so short"
        )
    return frames.to_length(sequences, length)


def only_columns(sequences: SequenceSet, columns: IntArray) -> SequenceSet:
    """Return sequences with a subset of their columns."""
    names, key = numbered_columns(sequences), "columns" if sequences.provenance.get("columns") else COLUMN_NUMBERS
    provenance = {**sequences.provenance, key: [names[i] for i in columns]}
    return replace(sequences, values=sequences.values[:, columns], provenance=provenance)


def informative_columns(
    whole: SequenceSet | SequenceParts, changing: NDArray[np.bool_], where: str, values: FloatArray | None = None
) -> tuple[NDArray[np.bool_], list[str]]:
    """Return which columns are compared, shape (d,), and a sentence with names for each reason to omit others.

    In the columns `changing`, shape (d,), anything happens; nothing changes in the others, in the place that `where` names. With
    `values`, shape (T, d), of all that is compared, columns that follow from others are left out too.
    """
    mask, sentences = changing.copy(), []
    if values is not None:
        mask[changing] = frames.adds(values[:, changing])
    for idle, why in ((~changing, f"without any change {where}"), (changing & ~mask, FOLLOWS)):
        if idle.any():
            named = [name for name, is_idle in zip(column_labels(whole), idle, strict=True) if is_idle]
            sentences.append(f"left out {count(len(named), 'column')} {why}: {listed(named)}")
    return mask, sentences


FOLLOWS = (
    "whose values follow from the columns before (a multiple, or a sum of multiples), and would count as a dimension"
)


def _remarks_on_symbols(sequences: SequenceSet, options: Options) -> Remarks:
    """Describe the symbols; they are compared unchanged, and cannot be stretched."""
    if options.length == STRETCH:
        raise ParameterError(
            f"{sequences.name}: holds symbols, between which there are no others, so that they cannot be stretched; leave"
            f" {as_typed('length')} out"
        )
    letters = sequences.alphabet or ()
    return as_choice("symbols", f"{len(letters)}: {listed(list(letters))}", "all that come")


def _remarks_on_scale(options: Options, share: float) -> Remarks:
    """Describe the scale of columns; `share` of the variance lies between the means of sequences."""
    why = "columns may be in different units" if options.scale == Options.scale else "given"
    if share >= MIN_SHARE_OF_LEVELS:
        why += f"; {share:.0%} of the variance lies between the means of sequences, which count (per_sequence removes them)"
    return as_choice("scale of the columns", SCALES[options.scale], why)


def is_embedded(sequences: SequenceSet | SequenceParts) -> bool:
    """Whether the features were made for a measure of their own, so that means matter and levels do not."""
    feature = recording_info(sequences).feature
    return bool(feature) and bool(get_feature(feature).measure)


def with_copies(remarks: Remarks, whole: SequenceSet | SequenceParts, ordering: Ordering, counted: bool) -> Remarks:
    """Add notes on copies, in place of those of reading; `counted`: the number of groups is chosen with them."""
    copies = ordering.copies()
    if not copies:
        return remarks
    # To the user, a sequence that differs only in scale or between two frames is not a copy.
    involved = np.unique([*copies.keys(), *copies.values()])
    content = dict(zip(involved.tolist(), _contents(whole, involved), strict=True))
    alike = all(content[i] == content[j] for i, j in copies.items())
    each = set(ordering.positions[ordering.counted].tolist())
    once = {i: j for i, j in copies.items() if i not in each}
    some = {i: j for i, j in copies.items() if i in each}
    counts = "once for the number of clusters" if counted else ""
    said = remarks_on_equal(whole.ids[list(content)].tolist(), list(content.values()))
    return (
        remarks.without(said)
        + _on_copies(whole.ids, once, alike, counts)
        + _on_copies(whole.ids, some, alike, "like any other")
    )


def _on_copies(ids: NDArray[np.str_], copies: Mapping[int, int], alike: bool, counts: str) -> Remarks:
    """Describe copies by positions; `alike`: they are equal as given; `counts`: how they count, if it has to be said."""
    if not copies:
        return NO_REMARKS
    one = len(copies) == 1
    sentence = f"{count(len(copies), 'sequence')} {'is' if one else 'are'}"
    sentence += f" {'a copy' if one else 'copies'} of {'another' if one else 'others'}"
    sentence += "" if alike else " in the form that they are compared in"
    named = listed([f"{ids[i]} of {ids[j]}" for i, j in copies.items()])
    shares, count_as = ("it shares its cluster", "counts") if one else ("they share their clusters", "count")
    return as_notes(f"{sentence} ({named}): {shares}{f' and {count_as} {counts}' if counts else ''}")


MIN_SHARE_OF_LEVELS = 0.1
"""Share of the variance between means of sequences above which the page names the other scale, and a note those in one
cluster. It is 0.11 to 0.15 in words, speakers and digits by features of speech, 0.3 to 0.4 in signs of one person, and both
scales win somewhere: the data do not say which levels count."""


def share_of_levels(sequences: SequenceSet, labels: IntArray) -> float:
    """Return the share of variance between means of sequences in one cluster, averaged over varying columns.

    It is 0 of symbols, which have no levels.
    """
    changing = frames.varies(sequences.values)
    if not changing.any() or sequences.alphabet is not None:
        return 0.0
    scaled = frames.fit_scaling(sequences, "zscore").apply(sequences)
    means = np.array([values.mean(axis=0) for values in scaled])
    for members in (labels == label for label in np.unique(labels)):
        means[members] -= np.average(means[members], axis=0, weights=scaled.lengths[members])
    between = (scaled.lengths[:, None] * np.square(means)).sum(axis=0) / len(scaled.values)
    return float(between[changing].mean())


SCALED_STEP = 1e-6
"""Step, in standard deviations, to which scaled values are rounded before they name random streams. Scaled values of the
same data in another unit differ by rounding; if every bit named streams, models would start elsewhere, and volts would be
clustered differently from millivolts."""


SCALES = {
    "none": "as they are",
    "zscore": "z-scores over the whole set",
    "per_sequence": "z-scores over each sequence by itself",
}
