"""The data-set contract, and the registry of loaders."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np

from kinseq.core.arrays import IntArray
from kinseq.core.errors import DataError, ParameterError, unknown_name
from kinseq.core.registries import Registry
from kinseq.core.tokens import Items, TokenSet

from ..tasks import Task


@dataclass(frozen=True)
class Loader:
    """How a kind of data becomes sequences and tasks; registered in a module's ``LOADERS`` tuple.

    Attributes
    ----------
    name : str
        Identifier that ``datasets.yaml`` refers to.
    label : str
        What it makes, in a few words.
    function : callable
        Kind ``"files"``: ``function(folder, **params)`` parses files to a SequenceSet or a TokenSet. Kind
        ``"generated"``: ``function(seed, **params)`` makes one replicate, such a set and a list of Task. Kind
        ``"derived"``: ``function(given, seed, **params)`` makes it of a replicate of another data set.
    kind : {"files", "generated", "derived"}
    params : mapping
        Parameters with their defaults.
    tasks : callable or None
        ``tasks(sequences, seed, **params) -> list of Task`` draws the tasks of one trial from data in files. None: one
        task, the same in every trial, that holds all sequences and has as many clusters as there are labels.
    draws : bool
        Whether `tasks` draws anew with the seed. Tasks that are the same in every trial share what needs no random
        number.
    labelling : tuple of str
        Parameters on which nothing but the classes depends: data that differ in them only are the same items.
    notes : mapping
        What has to be said of a parameter, for the reference.
    """

    name: str
    function: Callable[..., Any]
    kind: Literal["files", "generated", "derived"] = "files"
    params: Mapping[str, Any] = field(default_factory=dict)
    tasks: Callable[..., list[Task]] | None = None
    draws: bool = True
    labelling: tuple[str, ...] = ()
    label: str = ""
    notes: Mapping[str, str] = field(default_factory=dict)

    def with_defaults(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """`params` completed by the defaults; unknown names are refused with the valid ones listed."""
        # Not `completed`: loaders refuse values that are neither true nor false, in the words of a configuration.
        for name in params:
            if name not in self.params:
                raise ParameterError(f"loader {self.name!r}: {unknown_name('parameter', name, self.params)}")
        return {**self.params, **params}


REGISTRY = Registry("data loader", Loader, __file__, __name__, "LOADERS", ("kind", "tasks", "draws", "labelling"))
modules, get = REGISTRY.modules, REGISTRY.get


def everything(sequences: Items) -> Task:
    """The task that clusters all sequences into as many clusters as there are distinct labels."""
    if sequences.labels is None:
        raise DataError(f"{sequences.name}: has no labels, so the number of clusters is not known; define a task")
    count = int(np.unique(sequences.labels).size)
    return Task("all", np.arange(len(sequences)), count)


def checksum(sequences: Items) -> str:
    """SHA-256 over the parsed arrays: values, offsets and labels, independent of the file format they came in."""
    if isinstance(sequences, TokenSet):
        return sequences.checksum()
    digest = hashlib.sha256()
    digest.update(np.ascontiguousarray(sequences.values, dtype="<f8").tobytes())
    digest.update(np.ascontiguousarray(sequences.offsets, dtype="<i8").tobytes())
    digest.update("\n".join(map(str, sequences.labels if sequences.labels is not None else [])).encode())
    return digest.hexdigest()


def verify(sequences: Items, counts: Mapping[str, int], sha256: str | None) -> None:
    """Check parsed data against their expected properties.

    Parameters
    ----------
    sequences : SequenceSet
    counts : mapping
        Any of ``sequences``, ``features``, ``frames``, ``classes``, ``shortest``, ``longest``. Of items in sentences:
        items, attributes, tokens, classes, least and most places of an item.
    sha256 : str or None
        Expected :func:`checksum`; None skips the check.

    Raises
    ------
    DataError
        If a count or the checksum differs: the files are truncated, altered or another edition.
    """
    lengths = sequences.occurrences if isinstance(sequences, TokenSet) else sequences.lengths
    actual_counts = {
        "sequences": len(sequences),
        "features": len(sequences.attributes) if isinstance(sequences, TokenSet) else sequences.n_features,
        "frames": sequences.n_tokens if isinstance(sequences, TokenSet) else int(sequences.offsets[-1]),
        "classes": 0 if sequences.labels is None else int(np.unique(sequences.labels).size),
        "shortest": int(lengths.min()),
        "longest": int(lengths.max()),
    }
    for name, expected in counts.items():
        if name in actual_counts and actual_counts[name] != expected:
            raise DataError(
                f"{sequences.name}: {name} counted {actual_counts[name]}, expected {expected};"
                " the files are truncated or another edition, fetch them again"
            )
    if sha256 is not None and checksum(sequences) != sha256:
        raise DataError(
            f"{sequences.name}: the parsed arrays have SHA-256 {checksum(sequences)[:16]}..., expected {sha256[:16]}...;"
            " the files were altered, fetch them again"
        )


def make(
    name: str, loader: str, params: Mapping[str, Any], folder: Path | None, seed: int, source: Items | None = None
) -> tuple[Items, list[Task]]:
    """Sequences and tasks of one trial.

    Parameters
    ----------
    name : str
        Name of the data set.
    loader : str
        Registered loader.
    params : mapping
        Parameters of the loader.
    folder : Path or None
        Where the files are; not used by generated data.
    seed : int
        Seed of the trial's data stream.
    source : SequenceSet or TokenSet, optional
        The replicate that derived data are made of.
    """
    entry = get(loader)
    full = entry.with_defaults(params)
    if entry.kind == "generated":
        sequences, tasks = entry.function(seed, **full)
        return sequences, tasks
    if entry.kind == "derived":
        if source is None:
            raise DataError(f"{name}: loader {loader!r} makes data of other data; name them under 'of'")
        sequences, tasks = entry.function(source, seed, **full)
        return sequences, tasks
    if folder is None:
        raise DataError(f"{name}: no folder with its files was given; see config/datasets.yaml for where to get them")
    sequences = entry.function(folder, **full)
    if entry.tasks is None:
        return sequences, [everything(sequences)]
    return sequences, entry.tasks(sequences, seed, **full)


def pairs(labels: Any, label_pairs: list[tuple[Any, Any]], pick: Callable[[IntArray], IntArray]) -> list[Task]:
    """Two-class tasks: for each pair of labels the sequences that `pick` keeps of either."""
    tasks = []
    for a, b in label_pairs:
        members = [pick(np.flatnonzero(labels == label).astype(np.int64)) for label in (a, b)]
        tasks.append(Task(f"{a}-{b}", np.concatenate(members), 2))
    return tasks
