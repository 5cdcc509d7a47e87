"""New sequences among the clusters of a result, with queries and output files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..analysis.novelty import MIN_FAR_RATIO
from ..analysis.result import MIN_OWN_SILHOUETTE
from ..core.arrays import FloatArray, IntArray
from ..core.cutting import OF_PIECES
from ..core.errors import DataError
from ..core.store import PathLike
from ..core.wording import count, listed

if TYPE_CHECKING:
    import pandas

MAX_NAMED_SEQUENCES = 5
"""Number of sequences that a sentence names."""
MAX_SHOWN_ROWS = 20
"""Rows of a table in a notebook; longer ones omit the middle."""


@dataclass(frozen=True, repr=False)
class Assignment:
    """New sequences among the clusters of a result, as :meth:`~kinseq.api.results.Clustering.place` returns them.

    Attributes
    ----------
    name : str
        Of the set of new sequences.
    ids : ndarray, shape (M,)
        Of the new sequences.
    labels : ndarray, shape (M,), int64
        Cluster of each, the same as of `predict`; of one that fits nowhere, no more than the nearest one.
    next_labels : ndarray, shape (M,), int64
        The next cluster of each; the same as `labels` where there is one cluster.
    silhouettes, memberships : ndarray, shape (M,)
        How clearly it is that cluster and not the next: the silhouette, and the membership from 0.5 to 1.
    times : ndarray, shape (M,)
        How many times as far each is from the members of its cluster as is usual there, at most over the views of the measure.
    points : ndarray, shape (M, 2)
        Coordinates in the plane of the old sequences.
    old : ndarray, shape (N, 2)
        Coordinates of the old ones; of a sample, of the representatives of its clusters.
    old_labels : ndarray, shape (N,), int64
    old_ids : ndarray, shape (N,)
    sizes : ndarray, shape (n_clusters,), int64
        How many sequences each cluster was made of.
    curves : ndarray, shape (M, C, L)
        New sequences in the columns that tell the clusters apart most, lengths stretched to one; no columns of recordings.
    furthest : ndarray, shape (M,)
        Of one that fits nowhere, the property that is furthest from its cluster, in words; else empty.
    bands : ndarray, shape (n_clusters, 3, C, L)
        Lower decile, median and upper decile of the members of each cluster in these columns.
    columns : ndarray, shape (C,)
    pieces : ndarray, shape (M, 3) or (M, 0)
        Source, start and end of each where sequences were cut into pieces, else nothing.
    numbers : ndarray, shape (n_clusters,)
        Number of each cluster on the page that it is from; of groups within groups, as ``"1.2"``.
    words : ndarray, shape (n_clusters,)
        What sets each cluster apart, in a few words; may be empty.
    page : str
        Address of the page that the clusters are from, relative to this one; empty if it is not known.
    notes : list of str
        What reading left out or repaired, one sentence each.
    command : str
        What the page names as the command that repeats it; empty if there is none.
    call : str
        The same in Python.
    """

    name: str
    ids: NDArray[np.str_]
    labels: IntArray
    next_labels: IntArray
    silhouettes: FloatArray
    memberships: FloatArray
    times: FloatArray
    points: FloatArray
    old: FloatArray
    old_labels: IntArray
    old_ids: NDArray[np.str_]
    sizes: IntArray
    curves: FloatArray
    furthest: NDArray[np.str_]
    bands: FloatArray
    columns: NDArray[np.str_]
    numbers: NDArray[np.str_]
    words: NDArray[np.str_]
    pieces: NDArray[np.str_]
    page: str = ""
    notes: list[str] = field(default_factory=list)
    command: str = ""
    call: str = "placed = kinseq.load('result.kinseq').place(sequences)\nplaced.report('page')"

    @property
    def n_clusters(self) -> int:
        """Number of clusters."""
        return len(self.sizes)

    @property
    def nowhere(self) -> IntArray:
        """Positions of the sequences that fit nowhere, furthest first."""
        far = np.flatnonzero(self.times > MIN_FAR_RATIO)
        return far[np.argsort(-self.times[far], kind="stable")].astype(np.int64)

    @property
    def between(self) -> IntArray:
        """Positions of the sequences between two clusters, the most central first.

        They are not too far from the nearest cluster, but nearer to it than to the next by less than a fifth.
        """
        if self.n_clusters == 1:
            return np.zeros(0, dtype=np.int64)
        middle = np.flatnonzero((self.silhouettes < MIN_OWN_SILHOUETTE) & (self.times <= MIN_FAR_RATIO))
        return middle[np.argsort(self.silhouettes[middle], kind="stable")].astype(np.int64)

    @property
    def verdict(self) -> str:
        """How many fit nowhere, how many lie between two clusters, and how many went to each cluster, one sentence."""
        return self.sentence(self._counted)

    @property
    def _counted(self) -> list[str]:
        """Numbers of the clusters as in tables, from 1."""
        return [str(k + 1) for k in range(self.n_clusters)]

    def sentence(self, numbers: Sequence[str]) -> str:
        """Return `verdict` with other numbers of the clusters, such as those of the page."""
        n, far, between = len(self.labels), self.nowhere, self.between
        fitting = np.ones(n, dtype=bool)
        fitting[far] = fitting[between] = False
        counts = np.bincount(self.labels[fitting], minlength=self.n_clusters)
        sizes = zip(numbers, counts.tolist(), strict=True)
        went = ", ".join(f"{size} in cluster {number}" for number, size in sizes if size)
        parts = []
        if far.size:
            parts.append(f"{far.size} of {n} {'fits' if far.size == 1 else 'fit'} nowhere ({self._named(far)})")
        if between.size:
            lie = "lies" if between.size == 1 else "lie"
            parts.append(f"{between.size} of {n} {lie} between two clusters ({self._named(between)})")
        if not parts:
            parts.append("it fits" if n == 1 else f"all {n} fit")
        return "; ".join([*parts, went] if went else parts)

    def _named(self, positions: IntArray) -> str:
        """Names of some sequences; for many, the first ones and the number of the others."""
        names = listed([str(name) for name in self.ids[positions[:MAX_NAMED_SEQUENCES]]], MAX_NAMED_SEQUENCES)
        more = positions.size - MAX_NAMED_SEQUENCES
        return f"{names} and {more} more" if more > 0 else names

    def between_which(self, numbers: Sequence[str] | None = None) -> list[str]:
        """Return the numbers of the two clusters that each sequence lies between, as ``"1 and 3"``; empty of others.

        Clusters count from 1, or have the `numbers` given.
        """
        named = self._counted if numbers is None else numbers
        texts = [""] * len(self.labels)
        for i in self.between.tolist():
            first, second = sorted((int(self.labels[i]), int(self.next_labels[i])))
            texts[i] = f"{named[first]} and {named[second]}"
        return texts

    def to_frame(self) -> pandas.DataFrame:
        """One row per sequence, with its id as index.

        Returns
        -------
        pandas.DataFrame
            ``cluster`` (from 1), of pieces ``source``, ``start`` and ``end``, ``silhouette``, ``membership``, ``times_as_far`` (as
            `times`), ``fits`` (whether it is near enough to a cluster), ``between`` (the two clusters that it lies between, as
            ``"1 and 3"``; else empty).
        """
        import pandas as pd

        columns = {
            "cluster": self.labels + 1,
            **dict(zip(OF_PIECES, self.pieces.T, strict=False)),
            "silhouette": self.silhouettes,
            "membership": self.memberships,
            "times_as_far": self.times,
            "fits": self.times <= MIN_FAR_RATIO,
            "between": self.between_which(),
        }
        return pd.DataFrame(columns, index=pd.Index(self.ids, name="id"))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r}: {count(len(self.labels), 'sequence')}: {self.verdict})"

    def _repr_html_(self) -> str:
        """Return the sentence and the table, for notebooks."""
        table = self.to_frame().to_html(max_rows=MAX_SHOWN_ROWS, float_format="{:.2f}".format)
        return f"<div>{escape(self.verdict)}</div>\n{table}"

    def report(self, path: PathLike, also: Mapping[str, str] | None = None) -> Path:
        """Write a page, and next to it ``partition.csv`` and ``summary.csv``.

        Parameters
        ----------
        path : path-like
            A folder, made if need be, or the ``.html`` file to write.
        also : mapping, optional
            Texts to write next to them, by the names of their files.

        Returns
        -------
        Path
            The page.

        Raises
        ------
        ParameterError
            If `path` is empty or no path, or another page is in the folder, whose tables would be overwritten.
        """
        from ..report.assignment_page import write_placed

        return write_placed(self, path, also)


OF_EACH = (
    "ids",
    "labels",
    "next_labels",
    "silhouettes",
    "memberships",
    "times",
    "points",
    "curves",
    "furthest",
    "pieces",
)
"""Columns of the table of new sequences."""
ARRAYS = (*OF_EACH, "old", "old_labels", "old_ids", "sizes", "bands", "columns", "numbers", "words")
"""Fields of a shard that are kept in addition to name and notes."""


def joined(parts: Sequence[Assignment]) -> Assignment:
    """All sequences of several shards, in order; :class:`DataError` if two shards share one."""
    columns = {name: np.concatenate([getattr(part, name) for part in parts]) for name in OF_EACH}
    if len(np.unique(columns["ids"])) < len(columns["ids"]):
        raise DataError(f"{parts[0].name}: parts hold the same sequences; make them again from the same data")
    return replace(parts[0], **columns, notes=list(dict.fromkeys(note for part in parts for note in part.notes)))
