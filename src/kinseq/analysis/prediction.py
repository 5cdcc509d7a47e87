"""Clusters of new sequences, under the models already fitted; a sequence's answer does not depend on the others."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.arrays import FloatArray, IntArray
from ..core.seeds import derive_seed
from ..core.sequences import Layout, SequenceSet
from ..features.extraction import as_made
from ..measures.crossing import cross as cross_distances
from ..measures.custom import PRECOMPUTED, precomputed_rows
from ..measures.needs import NEEDS
from ..metrics.maps import place
from .preparation import cut_long, in_columns_of, in_scale, load
from .result import Result
from .run import Run
from .views import fit_models

if TYPE_CHECKING:
    from ..models.hmm import HMMBank


def nearest_clusters(result: Result, data: Any) -> IntArray:
    """Cluster with the least mean dissimilarity to each new sequence; see :meth:`~kinseq.analysis.analysis.Analysis.predict`."""
    distance, labels = _from_old(result, data), result.labels[result.ordering.positions]
    means = np.stack([distance[:, labels == k].mean(axis=1) for k in range(result.n_clusters)], axis=1)
    return np.asarray(means.argmin(axis=1), dtype=np.int64)


def placed(result: Result, data: Any) -> FloatArray:
    """Coordinates of new sequences in the embedding; see :meth:`~kinseq.analysis.analysis.Analysis.transform`."""
    return located(result, _from_old(result, data))


def located(result: Result, distance: FloatArray) -> FloatArray:
    """The same by dissimilarities from the old sequences, these in order of content."""
    order = result.ordering
    return place(distance, order.sort_matrix(result.distance), result.embedding_[order.positions])


def _from_old(result: Result, data: Any) -> FloatArray:
    """Dissimilarities of new sequences from the old ones, as these are ordered by content."""
    if result.views[0].measure is PRECOMPUTED:
        return precomputed_rows(data, len(result.sequences))[:, result.ordering.positions]
    new, run = prepared(result, data)
    return compared(result, new, run)


def prepared(result: Result, data: Any) -> tuple[SequenceSet, Run]:
    """New sequences read as the old ones were, in the scale that these were compared in, and how they are worked on."""
    run = _run(result, data)
    new = cut_long(in_columns_of(load(data, run)[0], result.original), run)[0]
    return in_scale(new, result.scaling), run


def cross(result: Result, new: SequenceSet) -> FloatArray:
    """Dissimilarities between new sequences and the old ones under the first measure, shape (M, N)."""
    return compared(result, new, _run(result, new))[:, result.ordering.ranks]


def compared(result: Result, new: SequenceSet, run: Run) -> FloatArray:
    """The same, the old sequences in their order of content, as they were when they were clustered."""
    view, old = result.views[0], result.sequences.subset(result.ordering.positions)

    def models_of(sequences: SequenceSet) -> HMMBank | None:
        return fit_models(view.measure, sequences, view.fit, run)

    if view.models is None and NEEDS[view.measure.needs].models is not None:
        # Fitted once more and then kept.
        view.models = models_of(old)
    return cross_distances(
        view.measure,
        old,
        new,
        view.models,
        models_of,
        n_clusters=result.n_clusters,
        seed=derive_seed(run.seed, "measure"),
        threads=run.threads,
        **view.params,
    )


def _run(result: Result, data: Any) -> Run:
    """New sequences are read like the old ones, but have no labels, and nothing is told of them."""
    features = result.sequences.provenance.get("features")
    rate = features.get("sample_rate") if isinstance(features, Mapping) else None
    settings = result.settings
    if isinstance(features, Mapping):
        # As frames were fitted to the old recordings: by themselves, new ones might be fitted otherwise.
        made = {**as_made(settings.features, features), "follow_power": False}
        settings = replace(settings, features=made, window_seconds=None, hop_seconds=None)
    if settings.segments not in (None, "auto", "beside"):
        # The table is of the old recordings.
        settings = replace(settings, segments=None)
    # The number of features says which axis is which, where nobody did.
    table = hasattr(data, "columns")
    arrays = not isinstance(data, (str, os.PathLike, SequenceSet)) and not table
    layout: Layout | None = (settings.layout or "channels_last") if arrays else None
    changed = replace(settings, labels=None, sample_rate=rate or settings.sample_rate, layout=layout)
    if not table:
        changed = replace(changed, id_column=None, value_columns=None)
    of_tables = table or (isinstance(data, (list, tuple)) and any(hasattr(entry, "columns") for entry in data))
    if isinstance(data, (str, os.PathLike)):
        # What was told to be the time by all that was given may not be told by a few.
        changed = replace(changed, time_column=changed.time_column or result.sequences.provenance.get("time_column"))
    elif not of_tables:
        changed = replace(changed, time_column=None)
    return Run(changed, result.seed, threads=result.threads)
