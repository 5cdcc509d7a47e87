"""How the numbers of a measure are read: which are rounding, and what a negative one means.

Whatever an analysis does with a matrix (cut it, look at its silhouettes and medoids, assign new sequences) reads it in one way,
and in no unit: the same data in volts and in millivolts have the same clusters.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ..core.arrays import FloatArray, IntArray
from ..core.seeds import stream
from ..measures.registry import Evidence, Measure
from .options import Options
from .partition import DIRECT
from .remarks import NONE, Remarks, chose

SUSPECT = 1e-9
"""Matrices whose largest entry is below this are asked whether they are rounding; of measures of pairs, in squares of the largest
value of the data. It decides by itself only where sequences are compared by models, which have no unit."""
LAST_DIGITS = 2.0**-42
"""By at most this part values are changed to see what rounding does: far more than it does itself, far less than data say."""
SHIFT = "least"
"""Finding that says from where dissimilarities are counted, where they are logarithms."""

Compute = Callable[[Evidence], FloatArray]


def without_rounding(measure: Measure, distance: FloatArray, evidence: Evidence, compute: Compute) -> FloatArray:
    """The matrix, or zeros if all of it is rounding, so that nothing tells the items apart.

    A number that becomes another one where the last digits of the data change was made by these. ``compute(evidence)`` is
    the matrix of other evidence.
    """
    size = np.abs(distance)
    largest = float(size.max(initial=0.0))
    suspect = SUSPECT
    if measure.needs == "sequences" and measure.scope == "pair":
        with np.errstate(over="ignore"):
            suspect *= max(1.0, float(np.square(np.abs(evidence.sequences.values).max(initial=0.0))))
    if largest == 0.0 or largest > suspect:
        return distance
    if measure.needs not in ("sequences", "loglik"):
        return np.zeros_like(distance)
    furthest = np.sort(np.unravel_index(int(size.argmax()), size.shape))
    # Of a measure of pairs no other items are needed.
    items = furthest if measure.scope == "pair" else np.arange(len(distance))
    i, j = np.searchsorted(items, furthest)
    shaken = float(compute(_shaken(evidence, items))[i, j])
    return distance if abs(shaken - float(distance[tuple(furthest)])) <= 0.5 * largest else np.zeros_like(distance)


def _shaken(evidence: Evidence, items: IntArray) -> Evidence:
    """The evidence of some items with other last digits, of their likelihoods or else of themselves."""

    def changed(values: FloatArray) -> FloatArray:
        # None grows, so that none leaves the range of float64.
        less = stream(0, "last digits").choice([0.0, LAST_DIGITS], size=values.shape)
        return np.asarray(values * (1.0 - less))

    sequences = evidence.sequences.subset(items)
    if evidence.loglik is not None:
        return replace(evidence, items=sequences, loglik=changed(evidence.loglik[np.ix_(items, items)]))
    return replace(evidence, items=replace(sequences, values=changed(sequences.values)), parts={})


def is_logarithmic(measure: Measure, options: Options) -> bool:
    """Whether dissimilarities are taken for minus logarithms of affinities, of which only differences count."""
    return measure.locally_scaled or options.clusterer == DIRECT


def nonnegative(
    measure: Measure, distance: FloatArray, findings: dict[str, Any], options: Options
) -> tuple[FloatArray, dict[str, Any], Remarks]:
    """The matrix as everything reads it, its findings, and what is told of that: no entry is negative.

    Logarithms are counted from the least; of printed formulas that have a sign the size counts, as in the documents, whose
    kernel squares them.
    """
    apart = ~np.eye(len(distance), dtype=bool)
    least = float(distance[apart].min(initial=0.0))
    if least >= 0.0:
        return distance, findings, NONE
    if is_logarithmic(measure, options):
        why = "they are logarithms, of which only differences count"
        shifted = np.where(apart, distance - least, 0.0)
        return shifted, {**findings, SHIFT: least}, chose(f"{measure.name}: sign", "counted from the least", why)
    why = "some are negative, and clusters, silhouettes and new sequences have to read them alike"
    return np.abs(distance), findings, chose(f"{measure.name}: sign", "the size of the dissimilarities", why)


def nonnegative_rows(distance: FloatArray, findings: dict[str, Any]) -> FloatArray:
    """Dissimilarities of new sequences, shape (M, N), read as those of the matrix were."""
    return np.maximum(distance - findings[SHIFT], 0.0) if SHIFT in findings else np.abs(distance)
