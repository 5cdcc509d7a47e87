"""Sphere packing step by step on sets in the plane, with a linear kernel (thesis 2011, figure 4.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kinseq.clustering.packing import sphere_packing
from kinseq.core.arrays import FloatArray, as_count
from kinseq.core.seeds import stream
from kinseq.core.sequences import SequenceSet
from kinseq.models.spheres import enclosing_spheres

from ..plotting import array_figures
from .registry import Arrays, Drawing

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def _random_sets(seed: int, per_cluster: int, n_vectors: int) -> SequenceSet:
    """Return sets of vectors in the plane in two clusters that are well apart."""
    draw, sets = stream(seed, "packing steps"), []
    for middle in (np.array([-2.5, 0.0]), np.array([2.5, 0.5])):
        places = middle + draw.normal(scale=0.9, size=(per_cluster, 2))
        sets += [place + draw.normal(scale=0.35, size=(n_vectors, 2)) for place in places]
    return SequenceSet.from_arrays(sets, name="packing steps")


def _centres(sets: SequenceSet, coefficients: FloatArray) -> FloatArray:
    """Return centres of the sphere of each set: under a linear kernel they are points of the plane."""
    return np.asarray(np.add.reduceat(coefficients[:, None] * sets.values, sets.offsets[:-1], axis=0))


def _compute(seed: int, per_cluster: int, n_vectors: int, n_clusters: int) -> Arrays:
    count, size = as_count(per_cluster, "per_cluster", least=2), as_count(n_vectors, "n_vectors", least=2)
    sets = _random_sets(seed, count, size)
    first = enclosing_spheres(sets, kernel="linear", C=None)
    packed = sphere_packing(sets, n_clusters, kernel="linear", C=None)
    centres = _centres(sets, first.coefficients)
    return {
        "vectors": sets.values,
        "set": np.repeat(np.arange(len(sets)), sets.lengths),
        "first_centres": centres,
        "first_radii": first.radii,
        "clusters": packed.labels,
        "merges": packed.merges,
        "last_centres": packed.weights @ centres,
        "last_radii": packed.radii,
    }


def _draw(arrays: Arrays, per_cluster: int, n_vectors: int, n_clusters: int) -> Figure:
    vectors, of_vector = arrays["vectors"], arrays["set"]
    alone = np.arange(len(arrays["first_radii"]))
    panels = [
        array_figures.Circles("(a) Sets of vectors", vectors, of_vector),
        array_figures.Circles(
            "(b) The sphere of each set", vectors, of_vector, arrays["first_centres"], arrays["first_radii"], alone
        ),
        array_figures.Circles(
            f"(c) The last {n_clusters} spheres", vectors, arrays["clusters"][of_vector], arrays["last_centres"],
            arrays["last_radii"], np.arange(n_clusters),
        ),
    ]  # fmt: skip
    return array_figures.circles(panels)


DRAWINGS = (
    Drawing(
        name="packing_steps",
        label="sets in the plane, their spheres, and the spheres that are left",
        source="thesis 2011, figure 4.2",
        compute=_compute,
        draw=_draw,
        params={"per_cluster": 4, "n_vectors": 12, "n_clusters": 2},
    ),
)
