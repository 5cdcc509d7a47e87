"""Retrieval across groups: items that share neither word nor speaker with the query."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..core.arrays import as_distance
from ..core.errors import DataError
from .registry import Metric
from .retrieval import orders


def map_across_groups(classes_and_groups: tuple[ArrayLike, ArrayLike], distance: ArrayLike) -> float:
    """Mean average precision, in percent, with items of the query's own group excluded.

    Groups are occurrences of one word in texts, or recordings of one speaker: what is near for that reason alone does
    not count. Ties go by index; queries that have nothing to retrieve are left out of the mean, and a DataError says if
    all are. Report RR-8880, section 2 (mAP); leaving out the own group is not in the report.
    """
    # Numbers compare faster than names.
    classes, groups = (
        np.unique(np.asarray(column), return_inverse=True)[1].reshape(-1) for column in classes_and_groups
    )
    square = as_distance(distance)
    if classes.shape != (len(square),) or groups.shape != (len(square),):
        raise DataError(
            f"there are {classes.size} classes and {groups.size} groups but the matrix has {len(square)} rows; give one of"
            " either for each item"
        )
    precisions = []
    for rows, order in orders(square) if len(square) > 1 else ():
        for i, row in enumerate(order, start=rows.start):
            others = row[groups[row] != groups[i]]
            hits = classes[others] == classes[i]
            if hits.any():
                precisions.append((np.cumsum(hits) / np.arange(1, hits.size + 1))[hits].mean())
    if not precisions:
        raise DataError(
            "no two items of different groups are of one class, so that nothing can be retrieved across groups"
        )
    return float(100.0 * np.mean(precisions))


METRICS = (
    Metric(
        name="map_across",
        label="Mean average precision across groups",
        unit="percent",
        direction="higher",
        judges="grouped_matrix",
        least=0.0,
        most=100.0,
        function=map_across_groups,
    ),
)
