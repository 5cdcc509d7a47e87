"""Measures outside the registry: a function of two sequences, and precomputed dissimilarities."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..core.arrays import FloatArray, as_dissimilarity, as_numbers, as_real, require_finite, without_negative
from ..core.errors import DataError, ParameterError
from ..core.ordering import Ordering
from ..core.seeds import content_key
from ..core.sequences import SequenceSet
from .registry import Measure, MeasureInput, get

Function = Callable[[FloatArray, FloatArray], float]
"""``function(x, y)`` of arrays of shapes (T, d) and (S, d) returns their dissimilarity."""
CHECKED, TOLERANCE = 10, 1e-6
"""Number of pairs computed in both directions, and largest relative difference due to rounding."""


def as_measure(measure: str | Measure | Function) -> Measure:
    """Return a measure by name, as given, or from a function of two arrays; ParameterError for an unknown name."""
    if isinstance(measure, Measure):
        return measure
    return from_function(measure) if callable(measure) else get(measure)


def from_function(function: Function) -> Measure:
    """Return a measure of ``function(x, y)`` of two arrays (T, d) and (S, d), named after it.

    The matrix is refused with a sentence if an entry is no number, if the function is not symmetric in some pairs that are tried
    both ways round, or if it is a similarity.
    """
    name = str(getattr(function, "__name__", type(function).__name__)).strip("<>")
    given = _Given(function, f"measure {name!r}")
    return Measure(
        name=name,
        label=name,
        source="given as a function",
        function=given.compute,
        cross=given.cross,
        requires="sequences",
        accepts=("numbers", "symbols"),
        columns_by_place=True,
    )


@dataclass(frozen=True)
class _Given:
    """Function of a user's measure; picklable if the function is."""

    function: Function
    where: str

    def compute(self, evidence: MeasureInput) -> FloatArray:
        """Return the matrix of all sequences, shape (N, N)."""
        items = list(evidence.sequences)
        n = len(items)
        matrix = np.zeros((n, n))
        for i in range(n):
            for j in range(i, n):
                matrix[i, j] = matrix[j, i] = _value(self.function, items[i], items[j], self.where)
        _require_symmetric(self.function, items, matrix, self.where)
        return without_negative(as_dissimilarity(matrix, self.where), self.where)

    def cross(self, old: MeasureInput, new: MeasureInput) -> FloatArray:
        """Return dissimilarities of new sequences from old ones, shape (M, N)."""
        rows = np.array([[_value(self.function, x, y, self.where) for y in old.sequences] for x in new.sequences])
        return without_negative(rows, self.where)


def _value(function: Function, x: FloatArray, y: FloatArray, where: str) -> float:
    value: Any = function(x, y)
    try:
        return as_real(value, "a value")
    except ParameterError as error:
        raise DataError(
            f"{where}: gives {' '.join(repr(value).split())[:40]} for sequences of {len(x)} and {len(y)} frames, expected a"
            " finite number"
        ) from error


def _require_symmetric(function: Function, items: list[FloatArray], matrix: FloatArray, where: str) -> None:
    """Refuse a function that depends on the order of its two sequences, tested on some pairs."""
    rows, columns = np.triu_indices(len(items), k=1)
    for pair in np.unique(np.linspace(0, rows.size - 1, min(CHECKED, rows.size)).astype(int)):
        i, j = int(rows[pair]), int(columns[pair])
        there, back = float(matrix[i, j]), _value(function, items[j], items[i], where)
        if abs(there - back) > TOLERANCE * max(abs(there), abs(back)):
            raise DataError(
                f"{where}: is not symmetric, it gives {there:g} for a pair and {back:g} the other way round; give a function"
                " that is, such as the mean of both"
            )


def _not_computed(evidence: MeasureInput) -> FloatArray:
    raise DataError("measure 'precomputed': the dissimilarities are the data; there is nothing to compute")


PRECOMPUTED = Measure(
    name="precomputed",
    label="given",
    source="computed elsewhere",
    function=_not_computed,
    requires="sequences",
    scope="task",
)
"""Placeholder for a matrix given in place of sequences."""


def precomputed_matrix(matrix: ArrayLike, signed: bool = False) -> tuple[FloatArray, SequenceSet, Ordering]:
    """The dissimilarities in the given order, placeholder items (one frame each), and an order derived from their rows.

    Whatever order the rows are given in, they are worked on in the same one, but for items whose rows hold the same numbers.
    Negative numbers are refused, unless they are `signed`.
    """
    distance = as_dissimilarity(matrix, "precomputed dissimilarities")
    np.fill_diagonal(distance, 0.0)
    if not signed:
        distance = without_negative(distance, "precomputed dissimilarities")
    n = len(distance)
    names = None if getattr(matrix, "columns", None) is None else [str(name) for name in matrix.columns]  # type: ignore[union-attr]
    items = SequenceSet(
        np.zeros((n, 1)), np.arange(n + 1), ids=np.array(names or [], dtype=np.str_), provenance={"kind": MATRIX}
    )
    keys = [content_key(np.sort(row)).hex() for row in distance]
    positions = np.argsort(keys, kind="stable").astype(np.int64)
    # Equal rows have distance 0 to each other and equal distances to all others, so nothing distinguishes their items.
    _, first, inverse = np.unique(distance[positions] + 0.0, axis=0, return_index=True, return_inverse=True)
    return distance, items, Ordering(positions, first[inverse.reshape(-1)].astype(np.int64))


MATRIX = "matrix"
"""Kind of data without content to show."""


def precomputed_rows(matrix: ArrayLike, n_items: int, signed: bool = False) -> FloatArray:
    """Return dissimilarities of new items from those of a given matrix, shape (M, `n_items`); see :func:`precomputed_matrix`."""
    rows = as_numbers(matrix, "precomputed dissimilarities")
    if rows.ndim != 2 or rows.shape[1] != n_items or not len(rows):
        raise DataError(
            f"precomputed dissimilarities: have shape {rows.shape}, expected a row for each new item and"
            f" {n_items} columns, one for each item that was clustered"
        )
    require_finite(rows, "precomputed dissimilarities", "check how they were computed")
    return rows if signed else without_negative(rows, "precomputed dissimilarities")
