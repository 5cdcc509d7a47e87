"""Whether statistics of an item's similarities tell how well its neighbours are found: correlations with its precision."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import ArrayLike

from ..core.arrays import FloatArray, as_distance
from ..core.discovery import family
from ..core.recent import Recent
from ..sic.diagnostics import confidence
from .registry import Metric
from .retrieval import average_precision

Kind = Literal["pearson", "spearman"]
_last: Recent[Mapping[str, FloatArray]] = Recent()


def confidence_correlation(truth: ArrayLike, distance: ArrayLike, statistic: str, kind: Kind) -> float:
    """Return the correlation over the items of a statistic of their similarities with their average precision.

    Similarities are one minus the dissimilarities; the statistic is one of :func:`kinseq.sic.confidence`. 0 where the
    statistic or the precision is the same for all items. Report RR-8880, section 4.2 and table 26.
    """
    from scipy.stats import rankdata

    queries, precision = average_precision(truth, distance)
    square = as_distance(distance)
    own = _last.get((square,), lambda: confidence(1.0 - square))[statistic][queries]
    x, y = (rankdata(own), rankdata(precision)) if kind == "spearman" else (own, precision)
    if np.ptp(x) <= 1e-12 * np.abs(x).max() or np.ptp(y) <= 1e-12:
        return 0.0
    return float(np.clip(np.corrcoef(x, y)[0, 1], -1.0, 1.0))


def _metric(name: str, **fields: Any) -> Metric:
    """Return the correlation that the name tells: a statistic and a kind."""
    statistic, kind = name.split("_")
    return Metric(
        name=name, function=partial(confidence_correlation, statistic=statistic, kind=cast(Kind, kind)), **fields
    )


METRICS = (
    *family(
        _metric,
        {"unit": "number", "direction": "higher", "judges": "matrix", "least": -1.0, "most": 1.0},
        {"name": "max_pearson", "label": "Precision and largest similarity, Pearson"},
        {"name": "max_spearman", "label": "Precision and largest similarity, Spearman"},
        {"name": "variance_pearson", "label": "Precision and variance of similarities, Pearson"},
        {"name": "variance_spearman", "label": "Precision and variance of similarities, Spearman"},
        {"name": "skewness_pearson", "label": "Precision and skewness of similarities, Pearson"},
        {"name": "skewness_spearman", "label": "Precision and skewness of similarities, Spearman"},
        {"name": "bimodality_pearson", "label": "Precision and bimodality of similarities, Pearson"},
        {"name": "bimodality_spearman", "label": "Precision and bimodality of similarities, Spearman"},
    ),
)
