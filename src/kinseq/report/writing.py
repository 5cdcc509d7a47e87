"""The page on a clustering and its files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np

from ..analysis import limits
from ..analysis.diagnostics import cautions
from ..analysis.partition import sizes_of
from ..analysis.result import Result
from ..analysis.verdict import alternative_groupings, sentence, subcluster_sentences, verdict
from ..core.arrays import FloatArray, IntArray
from ..core.sequences import SequenceSet
from ..core.store import PathLike, replacing_files, write_arrays, write_text
from ..core.streamed import SequenceParts
from ..metrics.maps import maps, sample_items, tree
from ..readers.segments.export import tables_with_clusters
from .other_features import heard_by_words

if TYPE_CHECKING:
    from .content import Content


class Whole(Protocol):
    """Clusters of all sequences, if a result is a sample; see :class:`~kinseq.api.results.SampledClustering`."""

    @property
    def sequences(self) -> SequenceSet | SequenceParts:
        """All sequences."""

    @property
    def labels(self) -> IntArray:
        """Cluster of each, shape (N,)."""

    def warnings(self) -> list[str]:
        """Warnings for the reader."""


MAX_DRAWN = 2000
"""Largest number of sequences on maps: those of the largest sample."""
ON_A_SMALL_MAP = 300
"""Largest number of sequences drawn in a notebook."""


def write_report(
    result: Result, path: PathLike, also: Mapping[str, str] | None = None, whole: Whole | None = None
) -> Path:
    """Write the page, the distance matrix and the partition; see :meth:`~kinseq.api.results.Clustering.report`.

    With `whole`, of which the result is a sample, the partition is that of all sequences.
    """
    from .files import PARTITION, explanation_csv, page_at, write_matrix, write_partition
    from .page import write

    page = page_at(path)
    content, ids = content_of(result, whole), result.sequences.ids
    # All or nothing: a page next to tables of another analysis would mislead.
    with replacing_files(page.parent) as folder:
        write_partition(folder / PARTITION, result, whole)
        write_text(folder / "explanation.csv", explanation_csv(content.explanation))
        write_arrays(
            folder / "distance.npz",
            {**{view.measure.name: view.distance for view in result.views}, "ids": ids, "labels": result.labels},
            {"measures": [view.measure.name for view in result.views], "seed": result.options.seed},
        )
        write_matrix(folder / "distance.csv", ids.tolist(), result.distance)
        write(content, folder / page.name, page)
        sequences, labels = (result.sequences, result.labels) if whole is None else (whole.sequences, whole.labels)
        # Streamed data are not recordings, and have no segments.
        tables = tables_with_clusters(sequences, labels) if isinstance(sequences, SequenceSet) else {}
        for name, text in {**tables, **(also or {})}.items():
            write_text(folder / name, text)
    return page


def content_of(result: Result, whole: Whole | None = None) -> Content:
    """Content of page and figures of a clustering, or of a sample of `whole`."""
    from .content import Content

    # The map marks the most typical members.
    positions = sample_items(result.labels, MAX_DRAWN, result.options.seed, first=result.medoid_indices_)
    square = result._overall[np.ix_(positions, positions)]
    crossed = sample_items(result.labels, limits.MAX_EXAMINED, result.options.seed, first=result.medoid_indices_)
    # What fits no group is a block of its own.
    alone = np.isin(crossed, result.details.scattered)
    levels = [np.where(alone, result.n_clusters, level[crossed]) for level in result.details.levels]
    grown = tree(result._overall[np.ix_(crossed, crossed)], levels)
    answer = verdict(result)
    return Content(
        result=result,
        warnings=tuple(cautions(result) if whole is None else whole.warnings()),
        positions=positions,
        tree=grown,
        order=crossed if grown is None else crossed[grown.leaves],
        maps=_first_by_distance(maps(square, result.options.seed), answer.degree),
        whole=whole,
        verdict=sentence(result, None if whole is None else sizes_of(whole.labels, result.n_clusters)),
        evidence_source=answer.evidence_source,
        degree=answer.degree,
        sure=answer.is_sure,
        within=tuple(subcluster_sentences(result)),
        others=tuple(alternative_groupings(result)),
        explanation=result.explain(),
        varying=result.details.varies() if result.n_clusters == 1 and result.details.has_content else None,
        heard=heard_by_words(result) if whole is None and result.details.has_content else "",
    )


def _first_by_distance(drawn: dict[str, FloatArray], degree: str) -> dict[str, FloatArray]:
    """Maps, first the one that shows distances between groups if they are clear; others preserve only neighbours."""
    return dict(sorted(drawn.items(), key=lambda one: degree == "clear" and one[0] != "MDS"))


def small_content(result: Result, whole: Whole | None = None) -> Content:
    """Map that a notebook shows."""
    from .content import Content

    positions = sample_items(result.labels, ON_A_SMALL_MAP, result.options.seed)
    return Content(result, (), positions, positions, {"MDS": result.embedding_[positions]}, None, whole)
