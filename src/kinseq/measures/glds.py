"""Generalised linear discriminant sequence kernel: means of polynomial expansions."""

from __future__ import annotations

import math
from itertools import combinations_with_replacement
from typing import Literal

import numpy as np

from ..core.arrays import FloatArray, as_count
from ..core.errors import ParameterError, is_one_of, unknown_name
from ..core.sequences import SequenceSet
from .registry import Measure, MeasureInput

Scaling = Literal["full", "diagonal"]

SCALINGS = ("full", "diagonal")

MAX_MONOMIALS = 3000
"""Largest number of monomials in an expansion."""

_RANK = 1e-10


def _expansion(values: FloatArray, degree: int) -> FloatArray:
    """Return all monomials of the features up to a degree, the constant first, shape (n, number of monomials)."""
    columns = [np.ones(len(values))]
    for power in range(1, degree + 1):
        for factors in combinations_with_replacement(range(values.shape[1]), power):
            columns.append(np.prod(values[:, factors], axis=1))
    return np.stack(columns, axis=1)


def glds(sets: SequenceSet, degree: int = 2, scaling: Scaling = "full") -> FloatArray:
    """Distance ``sqrt(k_ii + k_jj - 2 k_ij)``, (N, N), between sets of vectors in the feature space of the GLDS kernel.

    The kernel is ``b_i' R^-1 b_j`` for the means b of the polynomial expansions, of a degree, of two sets, R being the
    matrix of second moments of the expansions of all vectors (directions without variation are left out) or its
    diagonal. With ``"full"`` scaling it does not change with an affine map of the vectors. A ParameterError if there
    are more than :data:`MAX_MONOMIALS` monomials. Campbell et al. (2006); thesis 2011, section 4.2.2.
    """
    power, d = as_count(degree, "degree"), sets.n_features
    if not is_one_of(scaling, SCALINGS):
        raise ParameterError(unknown_name("scaling", scaling, SCALINGS))
    if math.comb(d + power, power) > MAX_MONOMIALS:
        raise ParameterError(
            f"degree is {power}, which makes {math.comb(d + power, power)} monomials of {d} features, more than"
            f" {MAX_MONOMIALS}; take a smaller degree or fewer features"
        )
    # Divide by the largest entry first, so that squares stay in the range of float64.
    values = sets.values / max(float(np.abs(sets.values).max()), float(np.finfo(np.float64).tiny))
    deviation = values.std(axis=0)
    values = (values - values.mean(axis=0)) / np.where(deviation > 0.0, deviation, 1.0)
    expanded = _expansion(values, power)
    means = np.add.reduceat(expanded, sets.offsets[:-1], axis=0) / sets.lengths[:, None]
    moments = expanded.T @ expanded / len(expanded)
    if scaling == "diagonal":
        own = np.diag(moments)
        scaled = means / np.sqrt(np.where(own > 0.0, own, 1.0))
    else:
        spread, vectors = np.linalg.eigh(moments)
        significant = spread > _RANK * spread[-1]
        scaled = means @ (vectors[:, significant] / np.sqrt(spread[significant]))
    products = scaled @ scaled.T
    own = np.diag(products)
    return np.asarray(np.sqrt(np.maximum(own[:, None] + own - 2.0 * products, 0.0)))


def _compute(evidence: MeasureInput, degree: int, scaling: Scaling) -> FloatArray:
    return glds(evidence.sequences, degree, scaling)


MEASURES = (
    Measure(
        name="glds",
        description="means of powers and products of the values, regardless of the order of frames",
        label="GLDS",
        source="Campbell et al. 2006; thesis 2011, section 4.2.2",
        function=_compute,
        requires="sequences",
        ordered=False,
        scope="task",
        params={"degree": 2, "scaling": "full"},
    ),
)
