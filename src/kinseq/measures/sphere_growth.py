"""Growth of the sphere around one set of vectors needed to contain that of another, in feature space."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.arrays import FloatArray, IntArray, as_count
from ..core.seeds import stream
from ..core.sequences import SequenceSet
from ..divergences.mmd import median_distance
from ..models.spheres import Radius, as_kernel, enclosing_sphere, enclosing_spheres
from .registry import Measure, MeasureInput


def common_radii(squares: FloatArray, radii: FloatArray) -> FloatArray:
    """Radius of the smallest sphere around every two of N spheres, shape (N, N).

    From squared distances of centres (N, N) and `radii`: thesis 2011, eq. 4.4; where one sphere holds the other, it is
    the larger one.
    """
    apart = 0.5 * (np.sqrt(squares) + radii[:, None] + radii)
    return np.asarray(np.maximum(apart, np.maximum(radii[:, None], radii)))


def _some_pairs(n: int, count: int, seed: int) -> IntArray:
    """Return some distinct pairs of n items, shape (2, at most `count`)."""
    first, second = np.triu_indices(n, k=1)
    indices = stream(seed, "unions").permutation(first.size)[:count]
    return np.stack([first[indices], second[indices]])


def _compute(
    evidence: MeasureInput,
    sigma: float | None,
    C: float | None,
    nu: float | None,
    radius: Radius,
    n_unions: int,
) -> tuple[FloatArray, dict[str, Any]]:
    sets, wanted = evidence.sequences, as_count(n_unions, "n_unions", least=0)
    width = median_distance(sets.values) if sigma is None else sigma
    spheres = enclosing_spheres(sets, "gaussian", width, C, nu, radius)
    common = common_radii(spheres.squares, spheres.radii)
    growth = common - np.maximum(spheres.radii[:, None], spheres.radii)
    pairs = _some_pairs(len(sets), wanted, evidence.seed)
    if not pairs.size:
        return growth, {}
    exact = _radii_of_unions(sets, pairs, width, C, nu, radius)
    findings = {"merged_radius": float(common[pairs[0], pairs[1]].mean()), "exact_radius": float(exact.mean())}
    return growth, findings


def _radii_of_unions(
    sets: SequenceSet, pairs: IntArray, width: float, C: float | None, nu: float | None, radius: Radius
) -> FloatArray:
    """Radii of the smallest spheres around the vectors of two sets, by optimisation, shape (P,).

    The sphere of a union may leave out as many vectors as those of the two sets together. A bound C on the coefficients
    leaves out at most ``1 / C - 1``, so that ``C / (2 - C)`` leaves out twice as many.
    """
    function, ceiling = as_kernel("gaussian", sets.values, width), None if C is None else C / (2.0 - C)
    radii = np.empty(pairs.shape[1])
    for place, (i, j) in enumerate(pairs.T):
        both = np.concatenate([sets[int(i)], sets[int(j)]])
        radii[place] = enclosing_sphere(function(both, both), ceiling, nu, radius).radius
    return radii


MEASURES = (
    Measure(
        name="sphere_growth",
        description="how much a sphere around the values of one sequence grows when it has to hold those of the other",
        label="sphere growth",
        source="thesis 2011, eq. 4.4",
        function=_compute,
        requires="sequences",
        ordered=False,
        scope="task",
        params={"sigma": None, "C": 0.05, "nu": None, "radius": "least", "n_unions": 30},
    ),
)
