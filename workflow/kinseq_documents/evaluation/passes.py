"""Results of a pass over the widths of a kernel; see :mod:`kinseq_documents.stages.multiverse`."""

from __future__ import annotations

from dataclasses import dataclass

from kinseq.core.arrays import FloatArray
from kinseq.core.store import PathLike, read_arrays, write_arrays

NOTHING = "none"
"""Model of what has none, and measure of what clusters items."""

METRICS = ("error", "segmentation_error")
"""Scores of a pass: those of the clusters of k-means, and of the segments where a task has some."""


@dataclass(frozen=True)
class Pass:
    """Results of the second stage for M matrices.

    Attributes
    ----------
    names : list of tuple
        Measure with its level, model, trial, task, and its position on an axis as text. A clusterer of items takes the place of a
        measure; no graph or embedding changes its values.
    graphs, embeddings : list of tuple
        Levels of the axes that enter the affinity, and the embedding.
    eigenvalues : ndarray, shape (M, graphs, widths, 2)
        Of ``D^-1/2 A D^-1/2``, the K-th largest and the next, NaN at widths that no rule uses.
    values : ndarray, shape (M, graphs, widths, embeddings, 2)
        Percent, by :data:`METRICS`; NaN at widths that no rule picks, and for a task without segments.
    distortions : ndarray, shape (M, graphs, widths, embeddings)
        Of k-means.
    """

    names: list[tuple[str, str, int, str, str]]
    graphs: list[tuple[str, ...]]
    embeddings: list[tuple[str, ...]]
    eigenvalues: FloatArray
    values: FloatArray
    distortions: FloatArray


def write(path: PathLike, passed: Pass) -> None:
    """Store a pass."""
    arrays = {"eigenvalues": passed.eigenvalues, "values": passed.values, "distortions": passed.distortions}
    meta = {"names": passed.names, "graphs": passed.graphs, "embeddings": passed.embeddings}
    write_arrays(path, arrays, meta)


def read(path: PathLike) -> Pass:
    """Read the output of :func:`write`."""
    arrays, meta = read_arrays(path)
    names = [(name[0], name[1], int(name[2]), name[3], name[4]) for name in meta["names"]]
    graphs, embeddings = ([tuple(levels) for levels in meta[key]] for key in ("graphs", "embeddings"))
    return Pass(names, graphs, embeddings, arrays["eigenvalues"], arrays["values"], arrays["distortions"])
