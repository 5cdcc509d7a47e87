"""What a user should know of sequences that were read without fault."""

from __future__ import annotations

import numpy as np

from kinseq.core.epochs import epoch_columns
from kinseq.core.seeds import content_key
from kinseq.core.sequences import SequenceSet
from kinseq.core.wording import count, listed

from .text import NAME_IT


def remarks_on(sequences: SequenceSet) -> list[str]:
    """Sentences on sequences that no measure can make much of."""
    remarks = []
    ids = sequences.ids.tolist()
    single = [ids[i] for i in np.flatnonzero(sequences.lengths == 1)]
    if single:
        remarks.append(f"{count(len(single), 'sequence')} of a single frame, without dynamics: {listed(single)}")
    still = [ids[i] for i, frames in enumerate(sequences) if len(frames) > 1 and (frames == frames[0]).all()]
    if still:
        remarks.append(f"{count(len(still), 'sequence')} constant from first to last frame: {listed(still)}")
    # Features of recordings are made as rows.
    if sequences.provenance.get("kind") != "audio" and (sequences.lengths < sequences.n_features).all():
        remarks.append(
            f"every sequence has fewer frames than features ({sequences.lengths.max()} or fewer, {sequences.n_features});"
            " rows are frames, so transpose files whose rows are channels"
        )
    remarks += remarks_on_times(sequences)
    marks = _marks(sequences)
    if marks:
        remarks.append(
            f"a value far from all others stands out, perhaps for what is missing (write nan): {listed(marks)}"
        )
    cases: dict[str, list[str]] = {}
    for entry in ids:
        cases.setdefault(entry.casefold(), []).append(entry)
    for alike in [sorted(spellings) for spellings in cases.values() if len(spellings) > 1][:5]:
        remarks.append(f"ids that differ in case alone: {listed(alike)}")
    twins: dict[bytes, list[str]] = {}
    for i, frames in enumerate(sequences):
        twins.setdefault(content_key(frames), []).append(ids[i])
    for group in [group for group in twins.values() if len(group) > 1][:5]:
        remarks.append(f"{len(group)} sequences are identical: {listed(group)}")
    return remarks


def remarks_on_times(sequences: SequenceSet) -> list[str]:
    """Sentences on features that may be the time."""
    remarks = []
    rising = clocks(sequences)
    if rising:
        remarks.append(
            f"{count(len(rising), 'feature')} that rises by the same step in every sequence: {listed(rising)}; if it is"
            f" the time, {NAME_IT}; if it counts the rows, remove it"
        )
    names = _names(sequences)
    epochs = [names[j] for j in epoch_columns(list(sequences)) if names[j] not in rising]
    if epochs:
        remarks.append(
            f"{count(len(epochs), 'feature')} of numbers like times since 1970: {listed(epochs)}; if it is the time, {NAME_IT},"
            " or remove it"
        )
    return remarks


def clocks(sequences: SequenceSet) -> list[str]:
    """Names of features that rise by one and the same step throughout, in all sequences of at least three frames."""
    long = [frames for frames in sequences if len(frames) > 2]
    if len(long) < 2:
        return []
    steps = [np.diff(frames, axis=0) for frames in long]
    step = steps[0][0]
    # Steps of 0.1 are not all the same in float64, and sums of them even less; nor are those of times since 1970.
    largest = np.abs(sequences.values).max(axis=0)
    slack = np.maximum(np.minimum(1e-9 * largest, 1e-3 * np.abs(step)), 8.0 * np.finfo(np.float64).eps * largest)
    alike = np.logical_and.reduce([(np.abs(s - step) <= slack).all(axis=0) for s in steps])
    names = _names(sequences)
    return [names[i] for i in np.flatnonzero(alike & (np.abs(step) > slack))]


def _names(sequences: SequenceSet) -> list[str]:
    """Names of the features, or their numbers from 0."""
    return [str(name) for name in sequences.provenance.get("columns") or range(sequences.n_features)]


def _marks(sequences: SequenceSet) -> list[str]:
    """Extremes such as -999 that occur several times, ten ranges away from the rest of their feature."""
    names, marks = _names(sequences), []
    for i, values in enumerate(sequences.values.T):
        for extreme in (values.min(), values.max()):
            rest = values[values != extreme]
            times = values.size - rest.size
            if times < 2 or 2 * times > values.size or not (span := float(np.ptp(rest))):
                continue
            if np.abs(rest - extreme).min() > 10 * span:
                marks.append(f"{extreme:g} ({times} times in {names[i]})")
    return marks
