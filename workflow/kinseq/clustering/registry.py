"""The clusterer contract, and the registry that finds clusterer files without importing them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from numpy.typing import ArrayLike

from ..arrays import IntArray, as_distance, require_clusters
from ..discovery import Registered, load, registered
from ..errors import ParameterError, unknown_name


@dataclass(frozen=True)
class Clusterer:
    """A way to cut a dissimilarity matrix into clusters; registered in a module's ``CLUSTERERS`` tuple.

    Attributes
    ----------
    name, label : str
        Identifier and the name that is printed.
    source : str
        Document and place, or the paper of the method.
    partition : callable
        ``partition(distance, n_clusters, seed, **params)`` returns cluster numbers, shape (N,).
    params : mapping
        Parameters with their defaults.
    """

    name: str
    label: str
    source: str
    partition: Callable[..., IntArray]
    params: Mapping[str, Any] = field(default_factory=dict)

    def __call__(self, distance: ArrayLike, n_clusters: int, seed: int = 0, **params: Any) -> IntArray:
        """Cluster the items of a dissimilarity matrix.

        Parameters
        ----------
        distance : array_like, shape (N, N)
            Symmetric; entries may be negative.
        n_clusters : int
            Between 1 and N.
        seed : int
            Names the random stream, for clusterers that draw.
        **params
            Override the defaults in `params`.

        Returns
        -------
        ndarray, shape (N,), int64
            Cluster numbers from 0 in order of first appearance. Fewer than `n_clusters` may occur where items coincide.

        Raises
        ------
        ParameterError
            If a parameter is unknown or out of range.
        DataError
            If the distance is not square, finite and symmetric.
        """
        for name in params:
            if name not in self.params:
                raise ParameterError(f"clusterer {self.name!r}: {unknown_name('parameter', name, self.params)}")
        square = as_distance(distance)
        clusters = require_clusters(len(square), n_clusters, f"clusterer {self.name!r}")
        return self.partition(square, clusters, seed=seed, **{**self.params, **params})

    @property
    def function(self) -> Callable[..., IntArray]:
        """The clusterer as a plain function ``function(distance, n_clusters, seed, **params) -> labels``."""
        return self.__call__


PLANNING = ("label",)
"""Fields that a workflow plans with: literals in the source, known without an import."""


def modules() -> dict[str, Registered]:
    """Every registered clusterer by name, read from the source of the clusterer files."""
    return registered(Path(__file__).parent, __name__.rpartition(".")[0], "CLUSTERERS", PLANNING)


def names() -> list[str]:
    """Names of all clusterers, sorted."""
    return sorted(modules())


def segmenters() -> dict[str, Registered]:
    """Every registered segmenter by name: a clusterer of consecutive items whose clusters are runs.

    They are apart from :func:`modules` because the order of the items matters to them, as it may not to a clusterer.
    """
    return registered(Path(__file__).parent, __name__.rpartition(".")[0], "SEGMENTERS", PLANNING)


def get(name: str) -> Clusterer:
    """The clusterer or segmenter called `name`; only its own file is imported.

    Raises
    ------
    ParameterError
        If there is no such clusterer; the message lists the valid names.
    """
    apart = segmenters()
    if name in apart:
        segmenter: Clusterer = load("segmenter", name, apart, "SEGMENTERS")
        return segmenter
    clusterer: Clusterer = load("clusterer", name, modules(), "CLUSTERERS")
    return clusterer
