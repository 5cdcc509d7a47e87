"""Dissimilarities of new sequences from old ones, independent of the other new sequences."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.arrays import FloatArray, require_finite
from ..core.errors import DataError, ParameterError
from ..core.sequences import SequenceSet
from ..core.wording import count
from .fitting import gather_from_models
from .landmarks import Shortlist
from .registry import Measure
from .requirements import REQUIREMENTS

if TYPE_CHECKING:
    from ..models.hmm import HMMBank


def cross(
    measure: Measure,
    old: SequenceSet,
    new: SequenceSet,
    models: HMMBank | None,
    fit: Callable[[SequenceSet], HMMBank | None],
    n_clusters: int | None = None,
    seed: int = 0,
    threads: int = 1,
    screen: Shortlist | None = None,
    one_unit: bool = False,
    **params: Any,
) -> FloatArray:
    """Return dissimilarities (M, N) between M new sequences and the N ones that a matrix was computed from.

    By the `cross` of the measure, from `models` that were fitted to the old ones; a measure of scope ``"pair"`` without
    it is computed on both together, with models of all by ``fit(sequences)``. A ParameterError if entries depend on the
    whole set and there is no `cross`, a DataError if the numbers of features differ. A `screen` is for measures that take one.
    In `one_unit` with the matrix of the old ones, it is by `between` where the measure has that.
    """
    measure.require_params(params)
    if new.n_features != old.n_features:
        raise DataError(
            f"{new.name}: has {count(new.n_features, 'feature')} but the old sequences have {old.n_features};"
            " give sequences of the same kind"
        )
    if measure.cross is not None:
        before = gather_from_models(measure, old, models, n_clusters=n_clusters, random_state=seed, n_jobs=threads)
        measure.require_evidence(before)
        # Models belong to the old sequences; new ones have none to pass on.
        others = None if measure.requires == "bank" else models
        after = gather_from_models(measure, new, others, random_state=seed, n_jobs=threads)
        how = {} if screen is None or not measure.screens else {"screen": screen}
        function = measure.between if one_unit and measure.between is not None else measure.cross
        distance = np.asarray(function(before, after, **how, **{**measure.params, **params}), dtype=np.float64)
        if distance.shape != (len(new), len(old)):
            raise DataError(
                f"measure {measure.name!r}: cross returned shape {distance.shape}, expected {(len(new), len(old))}"
            )
        require_finite(distance, f"measure {measure.name!r}")
        return distance
    if measure.scope == "task":
        raise ParameterError(
            f"measure {measure.name!r} depends on the whole set, so it has no answer for new sequences;"
            " cluster with ssd, kl_ll, dtw or another measure of pairs"
        )
    both = SequenceSet.from_arrays([*old, *new], name=old.name)
    both = replace(both, rounding=old.rounding)
    together = fit(both) if REQUIREMENTS[measure.requires].models == "each" else models
    evidence = gather_from_models(measure, both, together, n_clusters=n_clusters, random_state=seed, n_jobs=threads)
    return measure.compute(evidence, **params)[0][len(old) :, : len(old)]
