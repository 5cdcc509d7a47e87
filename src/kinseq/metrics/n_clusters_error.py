"""Error of a found number of clusters against the number of classes."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .external import confusion
from .registry import Metric


def n_clusters_off(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Return the absolute difference of the numbers of clusters and of classes."""
    classes, clusters = confusion(y_true, y_pred).shape
    return float(np.abs(classes - clusters))


METRICS = (
    Metric(
        name="n_clusters_off",
        label="Clusters too many or too few",
        unit="count",
        direction="lower",
        judges="partition",
        reproduced_within=0.2,
        close_within=0.5,
        largest_se=0.5,
        least=0.0,
        function=n_clusters_off,
    ),
)
