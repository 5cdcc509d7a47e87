"""Anybody's own data: a folder of files that ``kinseq cluster`` takes, with a label for each sequence."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np

from kinseq.core.errors import DataError, KinseqWarning, ParameterError, is_one_of, unknown_name
from kinseq.core.folders import UNLABELLED, Missing
from kinseq.core.sequences import SequenceSet
from kinseq.features.frames import normalise
from kinseq.features.frames import scale as scaled
from kinseq.readers.folder import read_files
from kinseq.readers.reading import Reading

from .registry import Loader

SCALES = ("zscore", "per_sequence", "none")


def load(
    folder: Path,
    labels: str | None,
    scale: str,
    missing: Missing,
    features: str,
    segments: str | None,
    time_column: str | None,
) -> SequenceSet:
    """Return sequences of a folder as ``kinseq cluster`` reads them, and their labels, of which there are two at least.

    Parameters are those of :func:`kinseq.read`; `scale` as of :func:`kinseq.cluster`. What reading skipped or
    repaired is a warning. DataError if a sequence has no label.
    """
    if not is_one_of(scale, SCALES):
        raise ParameterError(f"{folder}: {unknown_name('scale', scale, SCALES)}")
    table = segments if segments in (None, "beside", "auto") else str(folder / segments)
    reading = Reading(labels=labels, missing=missing, features=features, segments=table, time_column=time_column)
    sequences = read_files(folder, reading)
    for note in sequences.notes:
        warnings.warn(f"{folder.name}: {note}", KinseqWarning, stacklevel=2)
    _require_labels(sequences, folder, labels)
    # The location of the files affects no number, and differs between machines.
    plain = replace(sequences, provenance={}, notes=(), reading=None)
    if scale == "per_sequence":
        return normalise(plain, "mean_variance")
    return scaled(plain, "zscore" if scale == "zscore" else "none")


def _require_labels(sequences: SequenceSet, folder: Path, labels: str | None) -> None:
    without = (
        sequences.ids
        if sequences.labels is None
        else sequences.ids[np.asarray(sequences.labels).astype(str) == UNLABELLED]
    )
    if len(without):
        raise DataError(
            f"{folder}: {len(without)} of {len(sequences)} sequences have no label, {without[0]} first; give each one by"
            f" {'sub-folders' if labels == 'folders' else 'a file labels.csv with the header id,label'},"
            " or name another file, or 'folders', under params: labels"
        )
    if np.unique(np.asarray(sequences.labels)).size < 2:
        raise DataError(f"{folder}: all sequences have the same label; give at least two classes")


LOADERS = (
    Loader(
        name="folder",
        label="a folder of files that `kinseq cluster` takes, with labels from `labels.csv` or from the names of sub-folders",
        function=load,
        params={
            "labels": "labels.csv",
            "scale": "zscore",
            "missing": "refuse",
            "features": "speech",
            "segments": None,
            "time_column": None,
        },
        notes={
            "labels": "a labels file in the folder, or `folders`",
            "scale": "`zscore`, `per_sequence` or `none`",
            "missing": "`refuse` or `interpolate`",
            "segments": "a table that cuts recordings, `beside` or `auto`",
        },
    ),
)
