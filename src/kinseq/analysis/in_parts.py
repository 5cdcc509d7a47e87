"""What :mod:`.preparation` does, for sequences that are too many to be held: the same steps, in passes over parts of the data.

The first pass takes the moments of each sequence, from which those of all follow, and digests of the values, which tell copies.
The second takes the statistics that a sample is drawn by, and digests of the values as they are compared, which order sequences by
their content. Then the sample is read, and afterwards all others, as they are placed. Nothing but numbers of each sequence is held.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

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
    cut_long,
    in_scale,
    leave_out_short,
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


def needs_all(options: Options) -> bool:
    """Whether an analysis needs all sequences at once, so that they have to be held."""
    measure = options.measures[0]
    at_once = options.length != Options.length or measure.counts_features or measure.columns_by_place
    return at_once or options.sample is None


def prepare_in_parts(options: Options, whole: SequenceParts, remarks: Remarks) -> PreparedInParts:
    """What :func:`.preparation.prepare` does with sequences that are held."""
    whole = replace(whole, name=options.name or whole.name)
    whole, of_short = leave_out_short(whole, options.measures, options)
    require_reached(options.n_clusters, options.n_range, len(whole), whole.name)
    most_clusters = options.n_clusters if options.n_range is None else options.n_range[1]
    size, of_sample = sample_size(whole, options.measures, most_clusters, options)
    digests, moments = _moments(whole, options)
    scaling, of_scale = _scaling(whole, options, digests, moments)
    statistics, keys, exact = _statistics(whole, options, scaling)
    ordering = _ordered(keys, exact)
    copies = ordering.copies()
    alike = all((digests[i] == digests[j]).all() for i, j in copies.items())
    of_long = remarks_on_long(whole, options)
    remarks = remarks + of_short + of_long + of_sample + of_scale + told_copies(whole.ids, copies, alike, counted=True)
    distinct = ordering.distinct
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
    """Number of frames, means (N, d), sums of squares around them (N, d) of each sequence, and whether anything changes (d,)."""

    lengths: IntArray
    means: FloatArray
    squares: FloatArray
    changing: NDArray[np.bool_]


def _moments(whole: SequenceParts, options: Options) -> tuple[Digests, _Moments]:
    """Digests of the values as they were given, and moments of what is compared of them."""
    digests, lengths, means, squares, low, high = [], [], [], [], [], []
    for part in _counted(whole, "read sequences", options):
        digests.append(_digests([content_key(values) for values in part]))
        kept = cut_long(part, options)[0]
        starts, n = kept.offsets[:-1], kept.lengths
        mean = np.add.reduceat(kept.values, starts, axis=0) / n[:, None]
        squares.append(np.add.reduceat(np.square(kept.values - np.repeat(mean, n, axis=0)), starts, axis=0))
        lengths.append(n)
        means.append(mean)
        low.append(kept.values.min(axis=0))
        high.append(kept.values.max(axis=0))
    changing = np.max(high, axis=0) > np.min(low, axis=0)
    moments = _Moments(np.concatenate(lengths), np.concatenate(means), np.concatenate(squares), changing)
    return np.concatenate(digests), moments


def _scaling(whole: SequenceParts, options: Options, digests: Digests, moments: _Moments) -> tuple[Scaling, Remarks]:
    """How sequences get into the form they are compared in, by the moments of all but copies, and what is told of it."""
    _, first = np.unique(digests, axis=0, return_index=True)
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
