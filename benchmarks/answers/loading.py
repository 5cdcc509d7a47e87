"""Sets of the benchmark: how they are defined, thinned, and read from packages that bring data along."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np
import yaml
from numpy.typing import NDArray

from kinseq import SequenceSet
from kinseq.core.errors import DataError
from kinseq.core.seeds import stream
from kinseq.features.frames import averaged
from kinseq_documents.data import registry
from kinseq_documents.data.acquire import locate, why_missing

CATALOGUE = Path(__file__).resolve().parents[2] / "config" / "datasets.yaml"
LARGEST = 200
"""Sequences of a set; of more, as many of each class are drawn."""
SHAPE, MOTION, SPECTRA, PROCESS = "shape of a curve", "movement", "spectra and images", "random process"
OUTLINE, POWER, SENSOR = "outline of an image", "use of power", "reading of an instrument"
"""Kinds of sets by the differences between classes."""
GROUPS = {
    "open": "open sets",
    "aside": "sets kept aside",
    "deciding": "archive, to decide",
    "confirming": "archive, to confirm",
    "channels": "archive of many channels",
}
"""Uses of sets, and their names: ``open`` ones for all choices; those kept ``aside`` for the first
decision about the default; the archive's since then, but that of many ``channels``, which decided nothing."""

Load = Callable[[Sequence[Path]], SequenceSet]


@dataclass(frozen=True)
class BenchSet:
    """Sequences with labels that only the scores may see.

    Attributes
    ----------
    name : str
    title : str
    kind : str
        What tells the classes apart, as far as is known beforehand; sets are grouped by it.
    load : callable
        ``load(roots) -> SequenceSet``, with folders that mirror data sets; raises DataError where the data are not there.
    largest : int
        Most sequences.
    frames : int, optional
        Median length from which on neighbouring frames are averaged; frames are left alone if not given.
    group : str
        What the set was used for, a key of :data:`GROUPS`.
    source : str
        Where the data come from and under which licence, of sets that are not open.
    """

    name: str
    title: str
    kind: str
    load: Load
    largest: int = LARGEST
    frames: int | None = None
    group: str = "open"
    source: str = ""

    def sequences(self, roots: Sequence[Path] = (), largest: int = LARGEST, draw: int = 0) -> SequenceSet:
        """Return the sequences, cut down as the entry says; of a large set as many of each class as make up `largest`.

        `roots` are folders that mirror data sets. `draw` is 0 for those that everything was chosen with, 1 for as many
        others, and so on.
        """
        return shortened(thinned(self.load(roots), min(largest, self.largest), self.name, draw), self.frames)


def shortened(sequences: SequenceSet, frames: int | None) -> SequenceSet:
    """Return every few frames replaced by their mean, as many as bring the median length to at most `frames`."""
    return averaged(sequences, 1 if frames is None else ceil(float(np.median(sequences.lengths)) / frames))


def thinned(sequences: SequenceSet, largest: int, name: str, draw: int = 0) -> SequenceSet:
    """At most `largest` sequences in the order they had, as many of each class as there are, drawn at random.

    Draws share no sequence. One is refused if the sequences that no earlier draw has are less than half of the first
    one, or fewer than two of some class.
    """
    classes = classes_of(sequences)
    if len(sequences) <= largest and not draw:
        return sequences
    names = np.unique(classes)
    share = largest // names.size
    random = stream(0, "bench", name)
    shuffled = [random.permutation(np.flatnonzero(classes == label)) for label in names]
    members = [positions[draw * share : (draw + 1) * share] for positions in shuffled]
    first = sum(len(positions[:share]) for positions in shuffled)
    if draw and (min(map(len, members)) < 2 or sum(map(len, members)) < first / 2):
        raise DataError(f"{name}: has too few sequences that are in no draw before draw {draw}")
    return sequences.subset(np.sort(np.concatenate(members)))


def classes_of(sequences: SequenceSet) -> NDArray[np.str_]:
    """Return labels as text, shape (N,)."""
    if sequences.labels is None or np.unique(sequences.labels).size < 2:
        raise DataError(f"{sequences.name}: needs labels of at least two classes to be scored by")
    return sequences.labels.astype(str)


def bundled(package: str, *path: str) -> Path:
    """Return a file or folder that a package brings along; the package is not imported."""
    spec = find_spec(package)
    places = spec.submodule_search_locations if spec is not None else None
    if not places:
        raise DataError(f"{path[-1]}: is part of the package {package}, which is not installed; run make install-peers")
    place = Path(places[0]).joinpath(*path)
    if not place.exists():
        raise DataError(
            f"{path[-1]}: is not among the data of this {package}; install the version of requirements-sets.lock"
        )
    return place


def aeon(name: str) -> Load:
    """Return a set that aeon brings along, its training part and its test part."""

    def load(roots: Sequence[Path]) -> SequenceSet:
        from aeon.datasets import load_classification

        # For a set that is not bundled, aeon would start a download.
        bundled("aeon", "datasets", "data", name)
        cases, labels = load_classification(name)
        return SequenceSet.from_arrays([np.asarray(case).T for case in cases], labels=labels, name=name)

    return load


def ts_files(package: str, *path: str) -> Load:
    """Return a set in the text form of the archives of aeon and sktime, in another package: a training and a test part."""

    def load(roots: Sequence[Path]) -> SequenceSet:
        from aeon.datasets import load_from_ts_file

        folder, arrays, labels = bundled(package, *path), [], []
        for part in ("TRAIN", "TEST"):
            cases, classes = load_from_ts_file(str(folder / f"{path[-1]}_{part}.ts"))
            arrays += [np.asarray(case).T for case in cases]
            labels += list(classes)
        return SequenceSet.from_arrays(arrays, labels=labels, name=path[-1])

    return load


def catalogued(name: str, **params: Any) -> Load:
    """Return a data set of ``config/datasets.yaml``; `params` replace those of the entry."""

    def load(roots: Sequence[Path]) -> SequenceSet:
        entry = yaml.safe_load(CATALOGUE.read_text(encoding="utf-8"))[name]
        loader = registry.get(entry["loader"])
        folder = locate(name, entry, roots)
        if folder is None:
            raise DataError(f"{name}: {why_missing(name, entry)}")
        content = loader.function(folder, **loader.with_defaults({**entry.get("params", {}), **params}))
        assert isinstance(content, SequenceSet)
        return content

    return load
