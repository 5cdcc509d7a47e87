"""The clusterer contract, and the registries of clusterers and segmenters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, cast, get_args

from numpy.typing import ArrayLike

from ..core.arrays import FloatArray, IntArray, as_dissimilarity, as_distance, require_clusters
from ..core.errors import DataError, ParameterError, is_one_of, unknown_name
from ..core.random_state import RandomState, check_seed
from ..core.registries import Registry, completed
from ..core.sequences import Sequences, SequenceSet, as_sequence_set
from ..core.wording import option_name

Takes = Literal["matrix", "items"]


@dataclass(frozen=True)
class Clusterer:
    """A way to cluster; registered in a module's ``CLUSTERERS`` tuple.

    Attributes
    ----------
    name, label : str
        Identifier and the name that is printed.
    source : str
        Document and place, or the paper of the method.
    partition : callable
        ``partition(data, n_clusters, seed, **params)`` returns cluster numbers, shape (N,). The data are what `takes`
        says.
    takes : {"matrix", "items"}
        Whether it clusters a dissimilarity matrix, shape (N, N), or a :class:`~kinseq.core.sequences.SequenceSet` itself.
    requires_n_clusters : bool
        Whether the number of clusters must be known. Without, `partition` is given None where it is not known.
    finds_n_clusters : bool
        Whether it finds the number of clusters itself and refuses one that is given; items in no cluster have the label -1.
    random : bool
        Whether the partition depends on the seed. One that does not is made once for a task that all trials share.
    path : callable or None
        ``path(data, numbers, seed, **params)`` returns the partitions into several numbers of clusters, where that is
        cheaper than one after the other.
    params : mapping
        Parameters with their defaults.
    runs : str
        The parameter that says how often it is run before one partition is made; empty if there is none. A single run
        takes a fraction of a second.
    findings : callable or None
        ``findings(data, **params)`` returns numbers by name that it derives from the data before it clusters them, as the
        width of a kernel by a rule; they are scored next to the partition.
    """

    name: str
    label: str
    source: str
    partition: Callable[..., IntArray]
    takes: Takes = "matrix"
    requires_n_clusters: bool = True
    finds_n_clusters: bool = False
    random: bool = True
    path: Callable[..., list[IntArray]] | None = None
    params: Mapping[str, Any] = field(default_factory=dict)
    runs: str = ""
    findings: Callable[..., Mapping[str, float]] | None = None

    def __post_init__(self) -> None:
        if not is_one_of(self.takes, get_args(Takes)):
            raise ParameterError(
                f"clusterer {self.name!r}: {unknown_name('value of takes', self.takes, get_args(Takes))}"
            )

    def __call__(
        self, data: ArrayLike | Sequences, n_clusters: int | None = None, random_state: RandomState = 0, **params: Any
    ) -> IntArray:
        """Cluster items.

        Parameters
        ----------
        data : array_like, shape (N, N), or SequenceSet or list of array_like, each of shape (T, d)
            What `takes` says: a symmetric matrix, whose entries may be negative, or N sequences or sets of vectors.
        n_clusters : int, optional
            Between 1 and N.
        random_state : int, RandomState, Generator or None
            Names the random stream, for clusterers that draw.
        **params
            Override the defaults in `params`.

        Returns
        -------
        ndarray, shape (N,), int64
            Cluster numbers from 0 in order of first appearance. Fewer than `n_clusters` may occur where items coincide. -1 of
            items in no cluster, of a clusterer that finds the number itself.

        Raises
        ------
        ParameterError
            If a parameter is unknown or out of range, the number of clusters is needed and missing, or it is given to a
            clusterer that finds it itself.
        DataError
            If the distance is not square, finite and symmetric, or the items are not usable.
        """
        seed = check_seed(random_state)
        where = f"clusterer {self.name!r}"
        full = completed("clusterer", self.name, params, self.params)
        if n_clusters is None and self.requires_n_clusters:
            raise ParameterError(f"{where} needs the number of clusters; pass {option_name('n_clusters')}")
        self.require_no_number(n_clusters)
        items = (
            _as_matrix(cast(ArrayLike, data), full)
            if self.takes == "matrix"
            else as_sequence_set(cast(Sequences, data))
        )
        if isinstance(items, SequenceSet) and items.alphabet is not None:
            raise DataError(
                f"{items.name}: holds symbols, but {where} compares the numbers of items; take one that cuts a matrix, such as"
                " 'spectral'"
            )
        clusters = None if n_clusters is None else require_clusters(len(items), n_clusters, where)
        return self.partition(items, clusters, seed=seed, **full)

    def require_no_number(self, n_clusters: object) -> None:
        """Refuse a number of clusters, or a range, if the clusterer finds the number itself."""
        if self.finds_n_clusters and n_clusters is not None:
            raise ParameterError(
                f"{option_name('n_clusters')} is {n_clusters}, but clusterer {self.name!r} finds the number of clusters itself;"
                " leave it out"
            )

    def findings_of(self, items: SequenceSet | FloatArray, **params: Any) -> dict[str, float]:
        """Return the `findings` for some data; empty for a clusterer that has none.

        Parameters
        ----------
        items : SequenceSet or ndarray, shape (N, N)
            As a call takes them.
        **params
            As in a call.
        """
        if self.findings is None:
            return {}
        return dict(self.findings(items, **completed("clusterer", self.name, params, self.params)))

    def for_numbers(
        self, distance: ArrayLike, numbers: Iterable[int], random_state: RandomState = 0, **params: Any
    ) -> list[IntArray]:
        """Cluster the items of a matrix into several numbers of clusters.

        Parameters
        ----------
        distance : array_like, shape (N, N)
        numbers : iterable of int
            Between 1 and N.
        random_state, **params
            As in a call.

        Returns
        -------
        list of ndarray, each of shape (N,), int64
            What a call gives for each number.
        """
        seed = check_seed(random_state)
        wanted = list(numbers)
        if self.path is None:
            return [self(distance, number, seed, **params) for number in wanted]
        full = completed("clusterer", self.name, params, self.params)
        return self.path(_as_matrix(distance, full), wanted, seed=seed, **full)


def _as_matrix(distance: ArrayLike, params: Mapping[str, Any]) -> FloatArray:
    """Refuse a matrix that looks like a similarity, unless its diagonal is declared to be intended."""
    return as_distance(distance) if is_one_of(params.get("diagonal"), ("own",)) else as_dissimilarity(distance)


_PLANNING = ("label", "takes", "runs")

CLUSTERER_REGISTRY = Registry("clusterer", Clusterer, __file__, __name__, "CLUSTERERS", _PLANNING)
SEGMENTER_REGISTRY = Registry("segmenter", Clusterer, __file__, __name__, "SEGMENTERS", _PLANNING)
"""Clusterers of consecutive items, whose clusters are runs; separate, since the order of the items matters to them."""
modules, names, segmenters = CLUSTERER_REGISTRY.modules, CLUSTERER_REGISTRY.names, SEGMENTER_REGISTRY.modules


def get(name: str) -> Clusterer:
    """Return the clusterer or segmenter called `name`, importing only its own file.

    Raises
    ------
    ParameterError
        If there is no such clusterer; the message lists the valid names.
    """
    return (
        SEGMENTER_REGISTRY.get(name) if isinstance(name, str) and name in segmenters() else CLUSTERER_REGISTRY.get(name)
    )
