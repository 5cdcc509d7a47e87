"""Evidence of single views of the product, and of all together: the evidence that needs no choice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from answers.running import prepared
from kinseq import SequenceSet
from kinseq.core.arrays import FloatArray, IntArray
from kinseq.core.graphs.network_fusion import is_constant
from kinseq.core.ordering import by_content
from kinseq.measures.fusion import REFERENCE_VIEWS, VOTING, one_view
from kinseq.measures.registry import MeasureInput, get
from kinseq.metrics.external import ari
from kinseq.metrics.internal import silhouettes

from .planted import OUTLIER, Planted
from .rules import Matrix

VIEWS = (*VOTING, *REFERENCE_VIEWS, "dtw", "spectrum", "lockstep_shape")
"""Views that are examined one by one: those of the default, and others that it uses without giving them a vote."""
FUSED = "fused"
"""Name of the matrix of all voting views."""
BEYOND_DOUBT = 0.8
"""Mean silhouette from which on a view shows groups that anyone would see."""


def matrices(sequences: Sequence[FloatArray], seed: int = 0) -> dict[str, FloatArray]:
    """Return dissimilarities under each of :data:`VIEWS` and under the fusion, shape (N, N) each.

    Columns are scaled over the whole set, as the default scales them. Views under which all pairs are alike are left out.
    """
    sequence_set = prepared(SequenceSet.from_arrays(list(sequences), name="laboratory", layout="channels_last"))
    measure, ordering = get("elastic"), by_content(sequence_set)
    evidence = MeasureInput(sequence_set.subset(ordering.positions), seed=seed)
    parts = {name: one_view(evidence, name, **measure.params) for name in VIEWS}
    fused = measure.compute(replace(evidence, parts={name: parts[name] for name in VOTING}))[0]
    distances = {name: np.abs(view.distance) for name, view in parts.items()} | {FUSED: fused}
    return {
        name: ordering.restore_matrix(distance) for name, distance in distances.items() if not is_constant(distance)
    }


@dataclass(frozen=True)
class Sight:
    """The groups as one view shows them when it is cut by itself at the true number, outliers left out.

    Attributes
    ----------
    view : str
    silhouette : float
        Mean silhouette of that cut.
    ari : float
        Adjusted Rand index of that cut.
    true_silhouette : float
        Mean silhouette of the true groups.
    """

    view: str
    silhouette: float
    ari: float
    true_silhouette: float


def sights(view_matrices: Mapping[str, FloatArray], truth: IntArray) -> list[Sight]:
    """Return what each view shows of a grouping, the largest silhouette first.

    Each is cut as the product cuts a matrix: by affinities of local widths. With outliers left out: of two groups and an
    outlier, a cut in two that sets the outlier apart has the larger silhouette, and shows nothing of the groups.
    """
    number, members, result = int(truth.max()) + 1, truth != OUTLIER, []
    groups = truth[members]
    for name in VIEWS:
        if name in view_matrices:
            distance = view_matrices[name][np.ix_(members, members)]
            labels = Matrix(distance).cut(number)
            own, true = (float(silhouettes(distance, some).mean()) for some in (labels, groups))
            result.append(Sight(name, own, ari(groups, labels), true))
    return sorted(result, key=lambda sight: -sight.silhouette)


def truths(planted: Planted) -> dict[str, IntArray]:
    """Groupings of a set that there are to find, by name; empty if there is none."""
    if planted.family in ("process", "continuum"):
        return {}
    return {"groups": planted.labels} | ({} if planted.other is None else {"other": planted.other})
