"""From what a user gives to sequences that can be compared: read, not too short, not too long, scaled."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import FloatArray, IntArray
from ..core.clock import Clock
from ..core.errors import DataError, ParameterError
from ..core.inputs import TOLD, Collection, as_collection
from ..core.oddities import remarks_on_data
from ..core.ordering import Ordering, by_content
from ..core.parts import Part
from ..core.sequence_parts import SequenceParts
from ..core.sequences import COLUMN_NUMBERS, SequenceSet, matched_by_name, numbered_columns, require_range
from ..core.store import PathLike
from ..core.wording import as_typed, count, listed
from ..features.column_names import column_labels
from ..features.frames import adds, fit_scaling, median_length, normalise, to_length, varies
from ..features.registry import get as get_feature
from ..features.stored import as_stored
from ..measures.registry import Measure
from ..readers import open_in_parts, read_folder
from . import limits
from .options import STRETCH, Options, require_reached
from .remarks import NONE, Remarks, chose, noted
from .sampling import draw_sample, sample_size

Data = PathLike | Collection
"""What people may give: a folder, a file, or sequences in any form."""


@dataclass(frozen=True)
class Prepared:
    """Sequences that were read, cut and scaled, brought into the order of their content, and the sample that was drawn.

    No number depends on the order of files: everything is computed in this order, and put back at the end.

    Attributes
    ----------
    original : SequenceSet
        As they were given.
    ordered : SequenceSet
        As they are compared, in order of content.
    ordering : Ordering
        That order.
    scaling : Scaling
        How new sequences get into the form of these.
    remarks : Remarks
        Of the steps so far.
    sampled : ndarray, int64, or None
        Where the sampled ones stand in order of content, rising; None where all are compared.
    unlike : ndarray, int64
        The same of those that are unlike everything that was sampled.
    """

    original: SequenceSet
    ordered: SequenceSet
    ordering: Ordering
    scaling: Scaling
    remarks: Remarks
    sampled: IntArray | None = None
    unlike: IntArray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    def counted(self) -> SequenceSet:
        """Return the sequences as they are compared, copies once unless they count as they are."""
        positions = self.ordering.counted
        return self.ordered if len(positions) == len(self.ordered) else self.ordered.subset(positions)

    @property
    def positions(self) -> IntArray:
        """Where the sequences that are compared with each other stand among those given, rising."""
        return self.given(np.arange(len(self.original)) if self.sampled is None else self.sampled)

    def given(self, places: IntArray) -> IntArray:
        """Return positions among the given sequences, rising, of some places in order of content."""
        return np.sort(self.ordering.positions[places])

    def compared(self) -> Prepared:
        """Return the sequences that are compared with each other, by themselves."""
        if self.sampled is None:
            return self
        ordered = self.ordered.subset(self.sampled)
        places, positions = self.ordering.positions[self.sampled], self.positions
        ordering = Ordering(np.searchsorted(positions, places).astype(np.int64), by_content(ordered).first)
        if self.ordering.counts is not None:
            ordering = ordering.counting(self.ordering.counts[self.sampled] == self.sampled)
        return Prepared(self.original.subset(positions), ordered, ordering, self.scaling, self.remarks)

    def left_out(self) -> IntArray:
        """Positions, in order of content, of the sequences that are assigned.

        Of equal sequences, the first in order of content speaks for all.
        """
        first = self.ordering.first
        compared = first[self.ordering.ranks[self.positions]]
        return np.setdiff1d(np.unique(first), compared).astype(np.int64)


def prepare(options: Options, data: Any, cache: PathLike | None = None) -> Prepared:
    """Read data in any form that :func:`kinseq.cluster` takes, leave out what is too short, cut what is too long,
    scale, and draw a sample of many.
    """
    measures = options.measures
    originals, of_reading = load(data, options, cache, ordered=any(entry.ordered for entry in measures))
    originals = replace(originals, name=options.name or originals.name)
    originals, of_short = leave_out_short(originals, measures, options, options.strict)
    require_reached(options.n_clusters, options.n_range, len(originals), originals.name)
    sequences, of_long = cut_long(originals, options)
    most_clusters = options.n_clusters if options.n_range is None else options.n_range[1]
    size, of_sample = sample_size(sequences, measures, most_clusters, options)
    placed = any(entry.columns_by_place for entry in measures)
    counted = any(entry.counts_features for entry in measures)
    ordered, scaling, ordering, of_scale = scaled_in_order(sequences, options, all_columns=placed, counted=counted)
    remarks = (
        of_reading + of_short + of_long + of_sample + of_scale + remarks_on_copies(originals, ordering, counted=True)
    )
    every = Prepared(originals, ordered, ordering, scaling, remarks)
    if size == len(originals):
        return every
    # A copy in the sample would be one sequence less.
    counting = ordering.counted
    if size >= len(counting):
        return replace(every, sampled=counting)
    sampled, unlike = draw_sample(every.counted(), size, options.seed)
    return replace(every, sampled=counting[sampled], unlike=counting[unlike])


def load(
    data: Any,
    options: Options,
    cache: PathLike | None = None,
    ordered: bool = True,
    alone: bool = False,
    part: Part | None = None,
) -> tuple[SequenceSet, Remarks]:
    """Return sequences of a folder, a file, arrays or a table, and what reading skipped or repaired.

    Of new sequences for clusters that are there, one file may stand `alone` for a sequence, and a long table in Parquet is read
    without holding its text, where it can be. With `part`, no more than that of them.
    """
    sequences, remarks = _read(data, options, cache, ordered, alone, part)
    rate = options.rate
    if rate is None:
        return sequences, remarks
    if sequences.provenance.get("kind") == "audio":
        raise ParameterError(f"rate is {rate:g}, but {data} holds recordings, whose time is known; leave it out")
    return replace(sequences, provenance={**sequences.provenance, **Clock(1.0 / rate).as_provenance()}), remarks


def _read(
    data: Any, options: Options, cache: PathLike | None, ordered: bool, alone: bool, part: Part | None
) -> tuple[SequenceSet, Remarks]:
    """Return the same, with no more known of the time than the data say."""
    if not isinstance(data, (str, os.PathLike)):
        sequences, remarks = _from_arrays(data, options, ordered)
        if part is not None:
            sequences = sequences.subset(np.arange(len(sequences))[part.of(len(sequences), "sequence")])
        return labelled(sequences, options), remarks
    if not str(data).strip():
        raise DataError("the path of the data is empty; give a folder, a file or a list of arrays")
    large = None if part is None else opened_in_parts(options, data)
    if alone and large is None:
        large = _opened_if_in_order(options, data)
    if large is not None:
        whole, said = large
        places = np.arange(len(whole))
        return whole.subset(places if part is None else places[part.of(len(whole), "sequence")]).load(), noted(*said)
    sequences, notes = read_folder(
        data,
        labels=cast("str | os.PathLike[str] | None", options.labels),
        missing=options.missing,
        on_bad_file=options.on_bad_file,
        features=options.features,
        kind=options.kind,
        sample_rate=options.sample_rate,
        window_seconds=options.window_seconds,
        hop_seconds=options.hop_seconds,
        segments=options.segments,
        tier=options.tier,
        band=options.band,
        trim=options.trim,
        tables=options.tables,
        cache=cache,
        n_jobs=options.threads,
        progress=options.progress,
        alone=alone,
        part=part,
    )
    return sequences, noted(*notes)


def _opened_if_in_order(options: Options, data: str | os.PathLike[str]) -> tuple[SequenceParts, list[str]] | None:
    """Return the same of a file that can be read as a whole too; None where that has to be, or says what is wrong."""
    try:
        return opened_in_parts(options, data, limits.PLACED_READ_FROM)
    except DataError:
        return None


def opened_in_parts(
    options: Options, data: str | os.PathLike[str], least: int | None = None
) -> tuple[SequenceParts, list[str]] | None:
    """Return the sequences of a large file, of which parts can be read, and notes; None of other data.

    It is large if it holds `least` numbers, or :data:`.limits.STREAMED_FROM`.
    """
    if options.kind not in (None, "parquet"):
        return None
    return open_in_parts(
        Path(data),
        limits.STREAMED_FROM if least is None else least,
        limits.READ_AT_ONCE,
        labels=cast("str | os.PathLike[str] | None", options.labels),
        missing=options.missing,
        how=options.tables,
        name=options.name,
        progress=options.progress,
    )


def _from_arrays(data: Any, options: Options, ordered: bool) -> tuple[SequenceSet, Remarks]:
    """Return sequences of arrays or a table, and how the axes were read."""
    sequences, how = as_collection(data, options.layout, ordered, options.columns, options.missing)
    remarks = noted(*sequences.provenance.get(TOLD, ()), *remarks_on_data(sequences))
    if how:
        lengths, d = sequences.lengths, sequences.n_features
        frames = f"{lengths.min()}" if lengths.min() == lengths.max() else f"{lengths.min()} to {lengths.max()}"
        value = f"{count(len(sequences), 'sequence')} of {frames} frames with {count(d, 'feature')}"
        remarks += chose("layout of the arrays", value, how)
    return sequences, remarks


def labelled(sequences: SequenceSet, options: Options) -> SequenceSet:
    """Return labels as the settings say: of the set, none, or a list."""
    labels = options.labels
    if labels is None:
        return replace(sequences, labels=None)
    return sequences if isinstance(labels, (str, os.PathLike)) else replace(sequences, labels=np.asarray(labels))


def in_columns_of(new: SequenceSet, old: SequenceSet) -> SequenceSet:
    """Return new sequences with their columns in the order of the old ones, by their names; DataError if these differ."""
    if new.n_features != old.n_features:
        raise DataError(
            f"{new.name}: has {new.n_features} features but the clusters were made from {old.n_features};"
            " give sequences of the same kind"
        )
    names, wanted = (list(entry.provenance.get("columns") or ()) for entry in (new, old))
    matched = new if names == wanted else matched_by_name(new, old)
    if matched is None:
        raise DataError(
            f"{new.name}: has the columns {', '.join(names[:5])} but the clusters were made from {', '.join(wanted[:5])};"
            " give sequences of the same kind"
        )
    return matched


AnySequences = TypeVar("AnySequences", SequenceSet, SequenceParts)


def leave_out_short(
    sequences: AnySequences, measures: Sequence[Measure], options: Options, every: bool = False
) -> tuple[AnySequences, Remarks]:
    """Leave out sequences of one frame where a measure cannot use them, or they are to be stretched; and say which.

    With `every`, they are refused instead: whoever holds the sequences takes labels by their place. DataError too if
    fewer than two sequences are left.
    """
    short, remarks = sequences.lengths < 2, NONE
    unable = [f"measure {measure.name!r}" for measure in measures if not measure.one_frame]
    unable += [f"length {STRETCH!r}"] if options.length == STRETCH else []
    if short.any() and unable:
        ids = sequences.ids[short].tolist()
        if short.all() and sequences.provenance.get("kind") == "audio":
            raise DataError(
                f"{sequences.name}: every recording is as short as one window, so there are no dynamics to compare; take shorter"
                f" windows ({as_typed('window_seconds', 0.005, 'WINDOW')}), or recordings that are longer"
            )
        if short.all():
            raise DataError(
                f"{sequences.name}: every sequence has a single frame, so there are no dynamics to compare;"
                " give one file a sequence, its rows the frames, or several rows an id"
            )
        if every:
            raise DataError(
                f"{sequences.name}: {count(len(ids), 'sequence')} of a single frame, but {unable[0]} needs at"
                f" least two: {', '.join(ids[:5])}; remove what is so short"
            )
        remarks = noted(f"left out {count(len(ids), 'sequence')} of a single frame: {', '.join(ids[:5])}")
        sequences = sequences.subset(np.flatnonzero(~short))
    if len(sequences) < 2:
        raise DataError(
            f"{sequences.name}: holds a single sequence ({sequences.ids[0]}), there is nothing to compare it with;"
            " give the folder of several, or cut it into pieces"
        )
    return sequences, remarks


def cut_long(sequences: SequenceSet, options: Options) -> tuple[SequenceSet, Remarks]:
    """Middle stretches of sequences that are longer than ``max_frames``, and which these are."""
    most = options.max_frames
    if most is None or not (sequences.lengths > most).any():
        return sequences, NONE
    arrays = [a[(len(a) - most) // 2 :][:most] if len(a) > most else a for a in sequences]
    offsets = np.concatenate([[0], np.cumsum([len(a) for a in arrays])]).astype(np.int64)
    return replace(sequences, values=np.concatenate(arrays), offsets=offsets), remarks_on_long(sequences, options)


def remarks_on_long(sequences: SequenceSet | SequenceParts, options: Options) -> Remarks:
    """Say which sequences are longer than ``max_frames``."""
    most = options.max_frames
    if most is None or not (sequences.lengths > most).any():
        return NONE
    ids = sequences.ids[sequences.lengths > most].tolist()
    return noted(
        f"{count(len(ids), 'sequence')} longer than {most} frames: the {most} in the middle stand for the whole, as"
        f" one model could not do justice to more; cut such recordings into pieces: {', '.join(ids[:5])}"
    )


@dataclass(frozen=True)
class Scaling:
    """How sequences get into the form that they are compared in.

    Attributes
    ----------
    units : callable or None
        Brings a set into the scale; None where it stays as it is.
    columns : ndarray, int64, or None
        Columns that are compared; None where all are.
    length : int or None
        Number of frames that all are stretched to; None where they are left as long as they are.
    """

    units: Callable[[SequenceSet], SequenceSet] | None = None
    columns: IntArray | None = None
    length: int | None = None

    def apply(self, sequences: SequenceSet) -> SequenceSet:
        """Return the same sequences in that form."""
        items = sequences if self.columns is None else only_columns(sequences, self.columns)
        items = items if self.length is None else stretched(items, self.length)
        return items if self.units is None else self.units(items)


def stretched(sequences: SequenceSet, length: int) -> SequenceSet:
    """Return sequences at one length; a single frame has no course that could be stretched, and is refused."""
    ids = sequences.ids[sequences.lengths < 2].tolist()
    if ids:
        raise DataError(
            f"{sequences.name}: {count(len(ids), 'sequence')} of a single frame, which cannot be stretched to {length}:"
            f" {', '.join(ids[:5])}; remove what is so short"
        )
    return to_length(sequences, length)


def only_columns(sequences: SequenceSet, columns: IntArray) -> SequenceSet:
    """Return sequences with some of their columns only."""
    names, key = numbered_columns(sequences), "columns" if sequences.provenance.get("columns") else COLUMN_NUMBERS
    provenance = {**sequences.provenance, key: [names[i] for i in columns]}
    return replace(sequences, values=sequences.values[:, columns], provenance=provenance)


def _columns_to_compare(sequences: SequenceSet, options: Options, counted: bool) -> tuple[IntArray | None, Remarks]:
    """Return columns in which anything happens, None where that is all or none of them; and which are left out.

    A column that never changes says nothing, but would move starts of models and counts of parameters. Where features are
    `counted` by the measure, one that follows from others would be one more.
    """
    frames = sequences.values
    changing = varies(frames)
    where = "in any sequence"
    if options.scale == "per_sequence":
        frames = normalise(sequences, "mean_variance").values
        changing &= varies(frames)
    else:
        where = "in any sequence, nor between them"
    if not changing.any():
        return None, NONE
    mask, sentences = telling(sequences, changing, frames, where, counted)
    return None if mask.all() else np.flatnonzero(mask).astype(np.int64), noted(*sentences)


def telling(
    sequences: SequenceSet | SequenceParts, changing: NDArray[np.bool_], frames: FloatArray, where: str, counted: bool
) -> tuple[NDArray[np.bool_], list[str]]:
    """Return which columns are compared, shape (d,), and a sentence, with names, for each reason that others are not.

    In the columns `changing`, shape (d,), anything happens; nothing changes in the others, in what `where` says.
    `frames`, shape (T, d), are all that is compared. With `counted`, columns that follow from others are left out too.
    """
    mask, sentences = changing.copy(), []
    if counted:
        mask[changing] = adds(frames[:, changing])
    for idle, why in ((~changing, f"in which nothing changes {where}"), (changing & ~mask, FOLLOWS)):
        if idle.any():
            named = [name for name, is_idle in zip(column_labels(sequences), idle, strict=True) if is_idle]
            sentences.append(f"left out {count(len(named), 'column')} {why}: {listed(named)}")
    return mask, sentences


FOLLOWS = (
    "whose values follow from the columns before (a multiple, or a sum of multiples), and would count as a dimension"
)


def scale(
    sequences: SequenceSet, options: Options, all_columns: bool = False, counted: bool = False
) -> tuple[SequenceSet, Scaling, Remarks]:
    """Return sequences in the form they are compared in, how new ones get there, and what was done to them.

    Columns in which nothing changes are left out, unless `all_columns` are asked for, and those that follow from others
    where the measure has features `counted`.
    """
    length, remarks = None, NONE
    if options.length == STRETCH:
        length = median_length(sequences)
        sequences = stretched(sequences, length)
        value = f"{length} frames, their median; stretched or shortened by lines from frame to frame"
        remarks += chose("length of the sequences", value, "given")
    columns, of_columns = (None, NONE) if all_columns else _columns_to_compare(sequences, options, counted)
    sequences = sequences if columns is None else only_columns(sequences, columns)
    method = options.scale
    share = share_of_levels(sequences) if method == "zscore" and not is_embedded(sequences) else 0.0
    remarks += of_columns + remarks_on_scale(method, share)
    scaling = Scaling(fit_scaling(sequences, "zscore").apply if method == "zscore" else units_of(method))
    return in_scale(sequences, scaling), replace(scaling, columns=columns, length=length), remarks


def remarks_on_scale(method: str, share: float) -> Remarks:
    """Say in which scale columns are compared; `share` of the variance lies between the means of sequences."""
    why = "columns may be in different units" if method == Options.scale else "given"
    if share >= MIN_SHARE_OF_LEVELS:
        why += f"; {share:.0%} of the variance lies between the means of sequences, which count (per_sequence removes them)"
    return chose("scale of the columns", SCALES[method], why)


def units_of(method: str) -> Callable[[SequenceSet], SequenceSet] | None:
    """What brings sequences into a scale that follows from no other ones; None where they stay as they are."""
    return None if method == "none" else partial(normalise, method="mean_variance")


def is_embedded(sequences: SequenceSet) -> bool:
    """Whether the features were made to be compared by a measure of their own: their means are what counts, and no levels."""
    features = sequences.provenance.get("features")
    return isinstance(features, Mapping) and "feature" in features and bool(get_feature(features["feature"]).measure)


def scaled_in_order(
    sequences: SequenceSet, options: Options, all_columns: bool = False, counted: bool = False
) -> tuple[SequenceSet, Scaling, Ordering, Remarks]:
    """Sequences in the form they are compared in and in an order of content, how new ones get there, that order, remarks."""
    sequences = as_stored(sequences)
    before = by_content(sequences)
    # Copies count once: they must not move the scale of the others either.
    counting = before.counting(as_they_are(sequences, options)[before.positions]).counted
    scaled, scaling, remarks = scale(sequences.subset(before.positions[counting]), options, all_columns, counted)
    if len(counting) < len(sequences):
        scaled = in_scale(sequences.subset(before.positions), scaling)
    # Once more: without units, the order does not follow the last digits.
    after = by_content(scaled)
    ordering = Ordering(before.positions[after.positions], after.first)
    scaled = scaled.subset(after.positions)
    return scaled, scaling, ordering.counting(as_they_are(scaled, options)), remarks


def as_they_are(sequences: SequenceSet, options: Options) -> NDArray[np.bool_]:
    """Whether each sequence counts also where it is equal to others, shape (N,): all where the number of groups is given.

    Else those that stand still throughout: two sensors that are dead look the same, and neither is a copy of the other's file.
    """
    if options.n_clusters is not None:
        return np.ones(len(sequences), dtype=bool)
    starts = sequences.offsets[:-1]
    low, high = (part.reduceat(sequences.values, starts, axis=0) for part in (np.minimum, np.maximum))
    return np.asarray((low == high).all(axis=1))


def remarks_on_copies(sequences: SequenceSet, ordering: Ordering, counted: bool) -> Remarks:
    """Say which sequences are copies of others; `counted` says whether the number of groups is chosen from them."""
    copies = ordering.copies()
    # What differs only in another scale, beyond the frames that are kept or between two frames is no copy to its owner.
    alike = all(np.array_equal(sequences[i], sequences[j]) for i, j in copies.items())
    return told_copies(sequences.ids, ordering, alike, counted)


def told_copies(ids: NDArray[np.str_], ordering: Ordering, alike: bool, counted: bool) -> Remarks:
    """The same of sequences by their `ids`; `alike` says whether copies are equal in the form that was given."""
    copies, each = ordering.copies(), set(ordering.positions[ordering.counted].tolist())
    once = {i: j for i, j in copies.items() if i not in each}
    some = {i: j for i, j in copies.items() if i in each}
    ending = " and count{s} once for the number of clusters" if counted else ""
    return _told(ids, once, alike, ending) + _told(ids, some, alike, " and count{s} like any other")


def _told(ids: NDArray[np.str_], copies: Mapping[int, int], alike: bool, ending: str) -> Remarks:
    if not copies:
        return NONE
    one = len(copies) == 1
    sentence = f"{count(len(copies), 'sequence')} {'is' if one else 'are'}"
    sentence += f" {'a copy' if one else 'copies'} of {'another' if one else 'others'}"
    sentence += "" if alike else " in the form that they are compared in"
    named = listed([f"{ids[i]} of {ids[j]}" for i, j in copies.items()])
    put = "it is put with it" if one else "they are put with them"
    return noted(f"{sentence} ({named}): {put}{ending.format(s='s' if one else '')}")


def in_scale(sequences: SequenceSet, scaling: Scaling) -> SequenceSet:
    """Return sequences in the form they are compared in."""
    scaled = scaling.apply(sequences)
    require_range(scaled)
    return scaled if scaling.units is None else replace(scaled, rounding=SCALED_STEP)


MIN_SHARE_OF_LEVELS = 0.1
"""Share of the variance between means of sequences from which on the page names the other scale, and a note those in one cluster.

It is 0.11 to 0.15 in words, speakers and digits by features of speech, 0.3 to 0.4 in signs of one person, and both scales
win somewhere: which levels count is not in the data.
"""


def share_of_levels(sequences: SequenceSet, labels: IntArray | None = None) -> float:
    """Return the share of the variance of a column that lies between the means of sequences, the mean over columns that vary.

    With `labels`, between the means of those in one cluster.
    """
    changing = varies(sequences.values)
    if not changing.any():
        return 0.0
    scaled = fit_scaling(sequences, "zscore").apply(sequences)
    means = np.array([frames.mean(axis=0) for frames in scaled])
    for members in () if labels is None else (labels == label for label in np.unique(labels)):
        means[members] -= np.average(means[members], axis=0, weights=scaled.lengths[members])
    between = (scaled.lengths[:, None] * np.square(means)).sum(axis=0) / len(scaled.values)
    return float(between[changing].mean())


SCALED_STEP = 1e-6
"""Step, in standard deviations, to which scaled values are rounded where they name random streams.

Scaled values of the same data in another unit differ by rounding. Streams named by every bit would then start models elsewhere,
and volts would be clustered otherwise than millivolts.
"""


SCALES = {
    "none": "as they are",
    "zscore": "z-scores over the whole set",
    "per_sequence": "z-scores over each sequence by itself",
}
