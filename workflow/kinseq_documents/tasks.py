"""Tasks, which define the items clustered together, and files of a set with its tasks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from kinseq.core.arrays import IntArray, as_count, as_whole_numbers
from kinseq.core.errors import DataError, ParameterError
from kinseq.core.sequences import SequenceSet
from kinseq.core.store import PathLike, read_arrays, write_arrays
from kinseq.core.tokens import Items, TokenSet

_OF_FRAMES = ("values", "offsets", "ids")
_OF_WORDS = ("sentences", "places", "items", "ids")
_TASK_FIELDS = ("name", "n_clusters", "trial", "x", "n_segments", "bayes_error")


@dataclass(frozen=True)
class Task:
    """One clustering problem: a choice of sequences and a number of clusters.

    Attributes
    ----------
    name : str
        Unique within its data set and trial; a short slug, for example ``"all"``, ``"l125"`` or ``"hot-cold"``.
    indices : ndarray, shape (M,), int64
        Positions of the sequences in their :class:`SequenceSet`.
    n_clusters : int or None
        Number of clusters to look for; None if it is not known.
    trial : int or None
        The trial the task belongs to; None if every trial clusters the same sequences.
    x : float
        Position on the horizontal axis of a curve; NaN if there is none.
    n_segments : int or None
        For sequences that are consecutive windows of a recording, in the order of `indices`: the number of segments to
        cut it into.
    bayes_error : float or None
        Where the process that made the sequences is known: percentage of them that a classifier gets wrong that knows it
        too, and sees one sequence at a time.
    """

    name: str
    indices: IntArray
    n_clusters: int | None
    trial: int | None = None
    x: float = float("nan")
    n_segments: int | None = None
    bayes_error: float | None = None

    def __post_init__(self) -> None:
        indices = as_whole_numbers(self.indices, f"task {self.name!r}: indices")
        if indices.ndim != 1 or indices.size == 0:
            raise DataError(f"task {self.name!r}: indices have shape {indices.shape}, expected at least one position")
        if np.unique(indices).size != indices.size:
            raise DataError(f"task {self.name!r}: a sequence is listed twice; indices must be distinct")
        if (indices < 0).any():
            raise DataError(f"task {self.name!r}: indices hold {indices.min()}, expected positions from 0")
        object.__setattr__(self, "indices", indices)
        if self.n_clusters is not None:
            clusters = as_count(self.n_clusters, "n_clusters")
            if clusters > indices.size:
                raise ParameterError(
                    f"task {self.name!r}: n_clusters is {clusters} but there are only {indices.size} sequences"
                )
            object.__setattr__(self, "n_clusters", clusters)
        if self.n_segments is not None:
            segments = as_count(self.n_segments, "n_segments")
            if segments > indices.size:
                raise ParameterError(
                    f"task {self.name!r}: n_segments is {segments} but there are {indices.size} windows"
                )
            object.__setattr__(self, "n_segments", segments)
        if self.bayes_error is not None and not 0.0 <= self.bayes_error <= 100.0:
            raise ParameterError(f"task {self.name!r}: bayes_error is {self.bayes_error!r}, expected 0 to 100 percent")


def write_sequences(path: PathLike, sequences: Items, tasks: list[Task]) -> None:
    """Store sequences, or items in sentences, together with their tasks."""
    words = isinstance(sequences, TokenSet)
    arrays: dict[str, Any] = {name: getattr(sequences, name) for name in (_OF_WORDS if words else _OF_FRAMES)}
    for column in ("labels", "groups", *(("neighbours",) if words else ())):
        entries = getattr(sequences, column)
        if entries is not None:
            arrays[column] = entries
    if isinstance(sequences, TokenSet):
        for number, name in enumerate(sequences.attributes):
            arrays |= {f"codes{number}": sequences.codes[name], f"vocabulary{number}": sequences.vocabularies[name]}
    arrays["task_indices"] = np.concatenate([task.indices for task in tasks])
    described = [
        {"size": int(task.indices.size), **{name: getattr(task, name) for name in _TASK_FIELDS}} for task in tasks
    ]
    meta = {"name": sequences.name, "provenance": dict(sequences.provenance), "tasks": described}
    if isinstance(sequences, TokenSet):
        meta["attributes"] = list(sequences.attributes)
    write_arrays(path, arrays, meta)


def read_sequences(path: PathLike) -> tuple[SequenceSet, list[Task]]:
    """Read the output of :func:`write_sequences` of sequences of vectors; a DataError for any other file, as of words."""
    items, tasks = read_items(path)
    if isinstance(items, TokenSet):
        raise DataError(f"{path}: holds words in sentences, expected sequences of numbers; name another data set")
    return items, tasks


def _items(arrays: Mapping[str, Any], meta: Mapping[str, Any]) -> Items:
    common = {"name": meta["name"], "provenance": meta["provenance"], "ids": arrays["ids"]}
    common |= {column: arrays.get(column) for column in ("labels", "groups")}
    if "attributes" not in meta:
        return SequenceSet(values=arrays["values"], offsets=arrays["offsets"], **common)
    named = list(enumerate(meta["attributes"]))
    return TokenSet(
        codes={name: arrays[f"codes{number}"] for number, name in named},
        vocabularies={name: arrays[f"vocabulary{number}"] for number, name in named},
        neighbours=arrays.get("neighbours"),
        **{key: arrays[key] for key in ("sentences", "places", "items")},
        **common,
    )


def read_items(path: PathLike) -> tuple[Items, list[Task]]:
    """Read the output of :func:`write_sequences`, whichever kind of items it is."""
    arrays, meta = read_arrays(path)
    try:
        sequences = _items(arrays, meta)
        ends = np.cumsum([task["size"] for task in meta["tasks"]])
        tasks = [
            Task(
                name=task["name"],
                indices=arrays["task_indices"][end - task["size"] : end],
                n_clusters=task["n_clusters"],
                trial=task["trial"],
                x=task["x"],
                n_segments=task.get("n_segments"),
                bayes_error=task.get("bayes_error"),
            )
            for task, end in zip(meta["tasks"], ends, strict=True)
        ]
    except KeyError as error:
        raise DataError(
            f"{path}: lacks {error}; it was not written by kinseq, delete it and run the stage again"
        ) from error
    return sequences, tasks
