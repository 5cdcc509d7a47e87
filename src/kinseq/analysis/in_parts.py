"""What :mod:`.preparation` does, for sequences that are too many to be held: the same steps, in passes over parts of the data.

The first pass takes the moments of each sequence, from which those of all follow, and digests of the values, which tell copies.
The second takes the statistics that a sample is drawn by, and digests of the values as they are compared, which order sequences by
their content. Then the sample is read, and afterwards all others, as they are placed. Nothing but numbers of each sequence is held.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import FloatArray, IntArray
from ..core.jobs import ahead
from ..core.oddities import remarks_on_data
from ..core.ordering import Ordering, by_content
from ..core.progress import Progress
from ..core.seeds import content_key
from ..core.sequence_parts import SequenceParts
from ..core.sequences import SequenceSet
from ..features import frames
from ..measures.statistics import summaries
from . import limits
from .options import Options, require_reached
from .preparation import (
    Prepared,
    Scaling,
    as_they_are,
    cut_long,
    in_scale,
    leave_out_short,
    opened_in_parts,
    remarks_on_long,
    remarks_on_scale,
    telling,
    told_copies,
    units_of,
)
from .remarks import NONE, Remarks, noted
from .sampling import drawn, sample_size

Digests = NDArray[np.uint64]
"""Two numbers a sequence, which sort as the digests do."""


@dataclass(frozen=True)
class PreparedInParts:
    """Sequences that are read in parts, and the sample that was drawn of them.

    Attributes
    ----------
    whole : SequenceParts
        All of them, as they are given.
    sample : Prepared
        Those that are compared with each other.
    positions : ndarray, int64
        Where these stand among all, rising.
    speakers : ndarray, shape (N,), int64
        Position of the sequence that stands for each and its copies: its own where there is none before it in order of content.
    unlike : ndarray, int64
        Positions, rising, of those that are unlike everything that was sampled.
    """

    whole: SequenceParts
    sample: Prepared
    positions: IntArray
    speakers: IntArray
    unlike: IntArray
    options: Options

    def left_out(self) -> IntArray:
        """Positions, rising, of the sequences that are assigned; of equal ones, one speaks for all."""
        return np.setdiff1d(np.unique(self.speakers), self.speakers[self.positions]).astype(np.int64)

    def blocks(self, positions: IntArray) -> Iterator[SequenceSet]:
        """Those at some positions in the scale that they are compared in, in parts of a size that can be compared at once."""
        for part in self.whole.subset(positions):
            for start in range(0, len(part), limits.ASSIGNED_AT_ONCE):
                some = part.subset(np.arange(start, min(start + limits.ASSIGNED_AT_ONCE, len(part))))
                yield in_scale(cut_long(some, self.options)[0], self.sample.scaling)


def in_parts(options: Options, data: Any) -> tuple[SequenceParts, Remarks] | None:
    """Sequences that are read in parts, if data are a file of a size and kind for that and nothing asked for needs all at once."""
    measure = options.measures[0]
    needs_all = options.length != Options.length or measure.counts_features or measure.columns_by_place
    labels_are_given = not (options.labels is None or isinstance(options.labels, (str, os.PathLike)))
    whole_read = options.sample is None or options.rate is not None
    if not isinstance(data, (str, os.PathLike)) or needs_all or labels_are_given or whole_read:
        return None
    found = opened_in_parts(options, data)
    if found is None:
        return None
    whole, notes = found
    # Of few long sequences all pairs are compared, or nearly.
    return (whole, noted(*notes)) if len(whole) > limits.MAX_ALL_PAIRS else None


def prepare_in_parts(options: Options, whole: SequenceParts, remarks: Remarks) -> PreparedInParts:
    """What :func:`.preparation.prepare` does with sequences that are held."""
    whole, of_short = leave_out_short(whole, options.measures, options, options.strict)
    require_reached(options.n_clusters, options.n_range, len(whole), whole.name)
    most_clusters = options.n_clusters if options.n_range is None else options.n_range[1]
    size, of_sample = sample_size(whole, options.measures, most_clusters, options)
    digests, moments = _moments(whole, options)
    scaling, of_scale = _scaling(whole, options, digests, moments)
    statistics, keys, exact = _statistics(whole, options, scaling)
    still = np.ones_like(moments.still) if options.n_clusters is not None else moments.still
    ordering = _ordered(keys, exact)
    ordering = ordering.counting(still[ordering.positions])
    copies = ordering.copies()
    alike = all((digests[i] == digests[j]).all() for i, j in copies.items())
    of_long = remarks_on_long(whole, options)
    remarks = (
        remarks + of_short + of_long + of_sample + of_scale + told_copies(whole.ids, ordering, alike, counted=True)
    )
    distinct = ordering.counted
    sampled, unlike = drawn(statistics[ordering.positions[distinct]], min(size, len(distinct)), options.seed)
    places = ordering.positions[distinct[sampled]]
    positions = np.sort(places)
    original = whole.subset(positions).load()
    # What all have alike, a sample shows: codes for what is missing, columns that are a time.
    remarks += noted(
        *(f"of {len(original)} sequences that were drawn: {oddity}" for oddity in remarks_on_data(original))
    )
    scaled = in_scale(cut_long(original, options)[0], scaling)
    ordered = scaled.subset(np.searchsorted(positions, places))
    order = Ordering(np.searchsorted(positions, places).astype(np.int64), by_content(ordered).first)
    order = order.counting(as_they_are(ordered, options))
    return PreparedInParts(
        whole,
        Prepared(original, ordered, order, scaling, remarks),
        positions,
        ordering.positions[ordering.first[ordering.ranks]],
        np.sort(ordering.positions[distinct[unlike]]),
        options,
    )


def _counted(whole: SequenceParts, task: str, options: Options) -> Iterator[SequenceSet]:
    """All parts, with lines that say how many are done."""
    reported = Progress(task, len(whole), unit="sequence") if options.progress else None
    for part in whole:
        yield part
        if reported is not None:
            reported.step(len(part))


@dataclass(frozen=True)
class _Moments:
    """Number of frames, means (N, d), sums of squares around them (N, d) of each sequence, whether it stands still throughout (N,),
    and whether anything changes (d,).
    """

    lengths: IntArray
    means: FloatArray
    squares: FloatArray
    still: NDArray[np.bool_]
    changing: NDArray[np.bool_]


def _moments(whole: SequenceParts, options: Options) -> tuple[Digests, _Moments]:
    """Digests of the values as they were given, and moments of what is compared of them."""
    digests, lengths, means, squares, still, low, high = [], [], [], [], [], [], []
    for part in _counted(whole, "read sequences", options):
        digests.append(_digests([content_key(values) for values in part]))
        kept = cut_long(part, options)[0]
        starts, n = kept.offsets[:-1], kept.lengths
        mean = np.add.reduceat(kept.values, starts, axis=0) / n[:, None]
        squares.append(np.add.reduceat(np.square(kept.values - np.repeat(mean, n, axis=0)), starts, axis=0))
        lengths.append(n)
        means.append(mean)
        least, most = (part.reduceat(kept.values, starts, axis=0) for part in (np.minimum, np.maximum))
        still.append((least == most).all(axis=1))
        low.append(least.min(axis=0))
        high.append(most.max(axis=0))
    changing = np.max(high, axis=0) > np.min(low, axis=0)
    moments = _Moments(
        np.concatenate(lengths), np.concatenate(means), np.concatenate(squares), np.concatenate(still), changing
    )
    return np.concatenate(digests), moments


def _scaling(whole: SequenceParts, options: Options, digests: Digests, moments: _Moments) -> tuple[Scaling, Remarks]:
    """How sequences get into the form they are compared in, by the moments of all but copies, and what is told of it."""
    _, first = np.unique(digests, axis=0, return_index=True)
    if options.n_clusters is not None:
        first = np.arange(len(digests))
    first = np.union1d(first, np.flatnonzero(moments.still))
    n, means, squares = moments.lengths[first, None], moments.means[first], moments.squares[first]
    total = n.sum()
    mean = (n * means).sum(axis=0) / total
    between = (n * np.square(means - mean)).sum(axis=0) / total
    deviation = np.sqrt(between + squares.sum(axis=0) / total)
    changing = moments.changing & (deviation > frames.CONSTANT_SHARE * np.abs(mean))
    where = "in any sequence, nor between them"
    if options.scale == "per_sequence":
        where, changing = "in any sequence", changing & (squares > 0.0).any(axis=0)
    columns, remarks = None, NONE
    if changing.any() and not changing.all():
        columns = np.flatnonzero(changing).astype(np.int64)
        remarks = noted(*telling(whole, changing, means, where, counted=False)[1])
    if options.scale != "zscore":
        return Scaling(units_of(options.scale), columns), remarks + remarks_on_scale(options.scale, 0.0)
    some = changing if changing.any() else np.ones_like(changing)
    share = float((between[changing] / np.square(deviation[changing])).mean()) if changing.any() else 0.0
    fitted = frames.Scaling(mean[some], np.where(deviation > 0.0, deviation, 1.0)[some])
    return Scaling(fitted.apply, columns), remarks + remarks_on_scale(options.scale, share)


def _statistics(whole: SequenceParts, options: Options, scaling: Scaling) -> tuple[FloatArray, Digests, Digests]:
    """Statistics of the sequences as they are compared, keys by which they are ordered, and digests of every bit."""

    def of_part(part: SequenceSet) -> tuple[FloatArray, Digests, Digests]:
        scaled = in_scale(cut_long(part, options)[0], scaling)
        exact = _digests([content_key(values) for values in scaled])
        return summaries(scaled), _digests(list(scaled.content_keys)), exact

    parts = ahead(of_part, _counted(whole, "statistics of sequences", options), options.threads)
    columns, keys, exact = zip(*parts, strict=True)
    return np.concatenate(columns), np.concatenate(keys), np.concatenate(exact)


def _digests(keys: list[bytes]) -> Digests:
    return np.frombuffer(b"".join(keys), dtype=">u8").reshape(-1, 2).astype(np.uint64)


def _ordered(keys: Digests, exact: Digests) -> Ordering:
    """The order of :func:`~kinseq.core.ordering.by_content`, by digests."""
    positions = np.lexsort((exact[:, 1], exact[:, 0], keys[:, 1], keys[:, 0])).astype(np.int64)
    _, first, inverse = np.unique(exact[positions], axis=0, return_index=True, return_inverse=True)
    return Ordering(positions, first[inverse.ravel()].astype(np.int64))
