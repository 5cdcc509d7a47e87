"""Sequences chosen from a data set that was made in code, in other units or in another order of their frames.

What is dear to make is made once, and pairs of classes, scaled features and controls follow from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from kinseq.core.errors import DataError, ParameterError, is_one_of, unknown_name
from kinseq.core.seeds import stream
from kinseq.core.sequences import SequenceSet
from kinseq.features.frames import scale as scaled

from ..tasks import Task
from .registry import Loader


def select(
    sequences: SequenceSet, seed: int, labels: Sequence[str], scale: str, shuffle: bool
) -> tuple[SequenceSet, list[Task]]:
    """Return the sequences of some classes, of one replicate with labels; they keep their order.

    `labels` are the classes to take, all of them if empty; `scale` is over all sequences that are taken. `shuffle` puts
    the frames of each sequence into a random order, which destroys all dynamics and nothing else: a control. A class
    that is unknown or named twice is refused.
    """
    if sequences.labels is None:
        raise DataError(f"{sequences.name}: has no labels to select by; take a data set with labels")
    classes = np.asarray(sequences.labels).astype(str)
    all_labels = list(dict.fromkeys(classes.tolist()))
    wanted = labels or all_labels
    if isinstance(wanted, str) or len(set(wanted)) != len(wanted) or len(wanted) < 2:
        raise ParameterError(f"selection: labels is {labels!r}, expected at least two different names, or none for all")
    for label in wanted:
        if label not in all_labels:
            raise ParameterError(f"selection: {unknown_name('label', label, all_labels)}")
    if not is_one_of(scale, ("zscore", "none")):
        raise ParameterError(f"selection: {unknown_name('scale', scale, ('zscore', 'none'))}")
    if not isinstance(shuffle, bool):
        raise ParameterError(f"selection: shuffle is {shuffle!r}, expected true or false")
    selected = sequences.subset(np.flatnonzero(np.isin(classes, wanted)))
    if shuffle:
        selected = _shuffled(selected, seed)
    scaled_sequences = scaled(selected, "zscore" if scale == "zscore" else "none")
    return scaled_sequences, [Task("all", np.arange(len(scaled_sequences)), len(wanted))]


def _shuffled(sequences: SequenceSet, seed: int) -> SequenceSet:
    """Return every sequence with its frames in an order that its name and the seed decide."""
    mixed = [
        frames[stream(seed, "order of frames", str(name)).permutation(len(frames))]
        for name, frames in zip(sequences.ids, sequences, strict=True)
    ]
    return replace(sequences, values=np.concatenate(mixed))


LOADERS = (
    Loader(
        name="selection",
        label="sequences of the generated data set named under `derived_from`, made once for all data sets derived from it",
        notes={
            "labels": "classes to take; all",
            "scale": "or `zscore`, over the sequences taken",
            "shuffle": "frames in a random order, a control",
        },
        function=select,
        kind="derived",
        params={"labels": [], "scale": "none", "shuffle": False},
    ),
)
