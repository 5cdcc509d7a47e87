"""Divergences that a classifier induces between sets of vectors, for every pair of a collection.

Any classifier with the methods of scikit-learn serves; a workflow names one of :data:`CLASSIFIERS`.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from ..core.arrays import FloatArray, as_count
from ..core.errors import ParameterError, unknown_name
from ..core.progress import Progress
from ..divergences.classifiers import LossName, classifier_divergence
from ..divergences.families import as_divergence
from .registry import Measure, MeasureInput

CLASSIFIERS = ("logistic", "nearest")
"""Classifiers by name: logistic regression, and the nearest-neighbour rule."""


def _classifier(classifier: Any) -> Any:
    """Return the named classifier, or the given one."""
    if not isinstance(classifier, str):
        return classifier
    if classifier == "logistic":
        from sklearn.linear_model import LogisticRegression

        return LogisticRegression(max_iter=1000)
    if classifier == "nearest":
        from sklearn.neighbors import KNeighborsClassifier

        return KNeighborsClassifier(1, algorithm="brute")
    raise ParameterError(unknown_name("classifier", classifier, CLASSIFIERS))


def _compute(
    evidence: MeasureInput, classifier: Any, divergence: str, loss: LossName, n_priors: int, n_splits: int
) -> FloatArray:
    rule, f_divergence = _classifier(classifier), as_divergence(divergence)
    if not f_divergence.symmetric:
        raise ParameterError(
            f"divergence is {f_divergence.name!r}, which is not symmetric; take 'jeffreys' or another that is"
        )
    sets, n = list(evidence.sequences), len(evidence.sequences)
    priors, splits = as_count(n_priors, "n_priors", least=2), as_count(n_splits, "n_splits", least=2)
    pairs = [(i, j) for i in range(n) for j in range(i)]
    print(
        f"classifier: {len(pairs)} pairs, {len(pairs) * priors * splits} fits of {type(rule).__name__}", file=sys.stderr
    )
    progress = Progress("classifier", len(pairs), unit="pair")
    # Divisions of two sets are named by position: sorted by content, the given order does not matter.
    keys = evidence.sequences.content_keys
    distance = np.zeros((n, n))
    for i, j in pairs:
        if keys[i] != keys[j]:
            x, y = (sets[k] for k in sorted((i, j), key=keys.__getitem__))
            distance[i, j] = distance[j, i] = classifier_divergence(
                x, y, rule, f_divergence, loss, priors, n_splits=splits, quiet=True
            )
        progress.step()
    return distance


MEASURES = (
    Measure(
        name="classifier",
        description="how well a classifier separates the vectors of two sequences, regardless of their order",
        label="classifier",
        source="thesis 2011, section 5.4 and eq. 5.44",
        function=_compute,
        requires="sequences",
        one_frame=False,
        ordered=False,
        params={"classifier": "logistic", "divergence": "jeffreys", "loss": "zero_one", "n_priors": 6, "n_splits": 2},
    ),
)
