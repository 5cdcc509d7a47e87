"""Correlations of statistics of an item's similarities with the precision of its neighbours."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from ..core.arrays import FloatArray, as_distance
from ..core.content_cache import ContentCache
from ..sic.diagnostics import confidence
from .registry import Metric
from .retrieval import average_precision

Kind = Literal["pearson", "spearman"]
_last: ContentCache[Mapping[str, FloatArray]] = ContentCache()


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


def _metric(statistic: str, kind: Kind, words: str) -> Metric:
    return Metric(
        name=f"{statistic}_{kind}",
        label=f"Precision and {words}, {kind.capitalize()}",
        unit="number",
        direction="higher",
        judges="matrix",
        least=-1.0,
        most=1.0,
        function=partial(confidence_correlation, statistic=statistic, kind=kind),
    )


STATISTICS = {
    "max": "largest similarity",
    "variance": "variance of similarities",
    "skewness": "skewness of similarities",
    "bimodality": "bimodality of similarities",
}

METRICS = tuple(_metric(statistic, kind, words) for statistic, words in STATISTICS.items() for kind in get_args(Kind))
