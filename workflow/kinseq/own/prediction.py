"""Clusters of new sequences, under the models already fitted; a sequence's answer does not depend on the others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ..arrays import FloatArray, IntArray
from ..errors import DataError
from ..measures.crossing import cross as cross_distances
from ..measures.needs import NEEDS
from ..seeds import derive_seed
from ..sequences import SequenceSet
from .preparation import Data, cut_long, load
from .result import Result
from .run import Run
from .views import fit_models

if TYPE_CHECKING:
    from ..models.hmm import HMMBank


def nearest_clusters(result: Result, data: Data) -> IntArray:
    """Cluster with the least mean dissimilarity to each new sequence; see :meth:`~kinseq.own.analysis.Analysis.predict`."""
    run = _run(result)
    new = load(data, run)
    if new.n_features != result.sequences.n_features:
        raise DataError(
            f"{new.name}: has {new.n_features} features but the clusters were made from"
            f" {result.sequences.n_features}; give sequences of the same kind"
        )
    distance = cross(result, cut_long(result.scaling.apply(new), run))
    means = np.stack([distance[:, result.labels == k].mean(axis=1) for k in range(result.n_clusters)], axis=1)
    return np.asarray(means.argmin(axis=1), dtype=np.int64)


def cross(result: Result, new: SequenceSet) -> FloatArray:
    """Dissimilarities between new sequences and the old ones under the first measure, shape (M, N)."""
    view, run = result.views[0], _run(result)

    def models_of(sequences: SequenceSet) -> HMMBank | None:
        return fit_models(view.measure, sequences, view.fit, run)

    if view.models is None and NEEDS[view.measure.needs].models is not None:
        # Fitted once more and then kept.
        view.models = models_of(result.sequences)
    return cross_distances(
        view.measure,
        result.sequences,
        new,
        view.models,
        models_of,
        n_clusters=result.n_clusters,
        seed=derive_seed(run.seed, "measure"),
        threads=run.threads,
        **view.params,
    )


def _run(result: Result) -> Run:
    """New sequences are read like the old ones, but have no labels, and nothing is told of them."""
    features = result.sequences.provenance.get("features")
    rate = features.get("sample_rate") if isinstance(features, Mapping) else None
    settings = result.settings
    return Run(
        replace(settings, labels=None, sample_rate=rate or settings.sample_rate), result.seed, threads=result.threads
    )
