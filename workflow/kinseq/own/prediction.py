"""Clusters of new sequences, under the models already fitted; a sequence's answer does not depend on the others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ..arrays import FloatArray, IntArray
from ..errors import DataError, ParameterError
from ..sequences import SequenceSet
from .preparation import Data, cut_long, load
from .result import Result
from .run import Run
from .views import View, evidence_for, fit_models

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
    view, old, run = result.views[0], result.sequences, _run(result)
    measure = view.measure
    if measure.name == "kl_ll":
        return _cross_kl_ll(view, old, new, run)
    if measure.scope == "task" and measure.needs != "global":
        raise ParameterError(
            f"measure {measure.name!r} depends on the whole set, so it has no answer for new sequences;"
            " cluster with ssd, kl_ll, dtw or another measure of pairs"
        )
    both = SequenceSet.from_arrays([*old, *new], name=old.name)
    models = view.common if measure.needs == "global" else fit_models(measure, both, view.fit, run)
    evidence = evidence_for(measure, both, models, result.n_clusters, run)
    return measure.compute(evidence)[0][len(old) :, : len(old)]


def _run(result: Result) -> Run:
    """New sequences are read like the old ones, but have no labels, and nothing is told of them."""
    features = result.sequences.provenance.get("features")
    rate = features.get("sample_rate") if isinstance(features, Mapping) else None
    settings = result.settings
    return Run(
        replace(settings, labels=None, sample_rate=rate or settings.sample_rate), result.seed, threads=result.threads
    )


def _cross_kl_ll(view: View, old: SequenceSet, new: SequenceSet, run: Run) -> FloatArray:
    """Only the models of the old sequences take part, so that the answer for one new sequence is its own."""
    from ..measures.kl_ll import kl_ll
    from ..measures.likelihood import length_normalised
    from ..models.hmm import log_likelihood

    bank = _bank(view, old, run)
    scores = [length_normalised(log_likelihood(bank, s, threads=run.threads), s.lengths) for s in (old, new)]
    return kl_ll(np.concatenate(scores, axis=1))[len(old) :, : len(old)]


def _bank(view: View, old: SequenceSet, run: Run) -> HMMBank:
    """Models of the old sequences, fitted once more and then kept."""
    if view.bank is None:
        view.bank = fit_models(view.measure, old, view.fit, run)
    assert view.bank is not None
    return view.bank
