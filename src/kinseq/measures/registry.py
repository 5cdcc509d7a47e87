"""The measure contract, and the registry of measures.

A measure file is any module of this folder that assigns a tuple of :class:`Measure` to the name ``MEASURES``; ``measures.jsonl``
has a line for each. Only the file of the measure that is requested is ever imported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ..core.arrays import FloatArray, as_distance
from ..core.errors import DataError, ParameterError, is_one_of
from ..core.registries import Registry, completed
from ..core.sequences import SequenceSet, require_range
from ..core.tokens import Items, TokenSet
from ..core.wording import option_name
from .requirements import require

if TYPE_CHECKING:
    from ..models.hmm import HMMBank

Result = FloatArray | tuple[FloatArray, dict[str, Any]]


@dataclass(frozen=True)
class MeasureInput:
    """Input of a measure: the items of one task and the models fitted to them.

    Attributes
    ----------
    items : SequenceSet or TokenSet
        The N items of the task. Measures take them as `sequences` or as `tokens`, which refuse the other kind.
    loglik : ndarray, shape (P, N), or None
        Total log-likelihoods in nats, rows are models and columns sequences; given to measures that need ``"loglik"``.
        P is N, except for new sequences that are compared with old ones (see `cross` of :class:`Measure`).
    bank : HMMBank or None
        One model per sequence; given to measures that need ``"bank"``.
    common : HMMBank or None
        One model fitted to all sequences; given to measures that need ``"common"``.
    n_clusters : int or None
        Number of clusters looked for, where it is known.
    seed : int
        Seed of the stream that the measure may draw from.
    threads : int
        Number of threads that the measure may use; no number depends on it.
    parts : mapping
        Parts of the measure that were computed before, by name (see `components` of :class:`Measure`).
    """

    items: Items
    loglik: FloatArray | None = None
    bank: HMMBank | None = None
    common: HMMBank | None = None
    n_clusters: int | None = None
    seed: int = 0
    threads: int = 1
    parts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def sequences(self) -> SequenceSet:
        """The items as sequences of vectors, or :class:`DataError`."""
        if isinstance(self.items, TokenSet):
            raise DataError(
                f"{self.items.name}: holds words in sentences, but sequences of numbers are needed; choose a measure of"
                " words"
            )
        return self.items

    @property
    def tokens(self) -> TokenSet:
        """The items as words in sentences, or :class:`DataError`."""
        if isinstance(self.items, SequenceSet):
            raise DataError(
                f"{self.items.name}: holds sequences of numbers, but words in sentences are needed; choose another measure"
            )
        return self.items


@dataclass(frozen=True)
class Measure:
    """Description of a measure; see the module for how it is registered.

    Attributes
    ----------
    name, label : str
        Identifier and the name that the documents print.
    source : str
        Document and equation.
    function : callable
        ``function(evidence, **params)`` returns an ``(N, N)`` array, or the array and a dictionary of findings (counts
        of repairs, the share of models kept...).
    description : str
        What of sequences it compares, in words that follow "it sees".
    requires : str
        What must be fitted beforehand, a name in :data:`~kinseq.measures.requirements.REQUIREMENTS`.
    model_kinds : tuple of str
        Kinds of models that serve; all of them if empty. See :mod:`kinseq.models.kinds`.
    scope : {"pair", "task"}
        ``"pair"`` if an entry depends on its two sequences only, so that the matrix of a task is a slice of a larger
        one.
    params : mapping
        Names of the measure's own parameters with their defaults.
    requires_n_clusters : bool
        Whether the number of clusters must be known.
    signed : bool
        Whether entries may be negative, as with printed formulas that are no distances.
    one_frame : bool
        Whether sequences of a single frame are allowed.
    ordered : bool
        Whether the order of frames matters; if not, arrays are sets of vectors, of which there may be fewer than features.
    counts_features : bool
        Whether the number of features is a factor. Of people's own data, columns that follow from others are then left out.
    cross : callable or None
        ``cross(old, new, **params)`` returns the ``(M, N)`` dissimilarities between M new sequences and N old ones from
        the evidence of both, so that the answer for a new sequence does not depend on the other new ones. Only the
        models of the old sequences take part: ``new.loglik`` is ``(N, M)``, ``new.bank`` is None and ``new.common`` is
        ``old.common``. Without it, measures of scope ``"pair"`` are computed on old and new sequences together, and
        others have no answer for new sequences.
    between : callable or None
        As `cross`, in the unit of the matrix of the old sequences, where `cross` has another one: a copy of an old sequence has the
        row of that one. It takes longer, and serves dissimilarities that are requested by themselves.
    reproduces : bool
        Whether `cross` gives the matrix back where old sequences come again. That of a fusion cannot, since it leaves the
        links between old sequences as they are; its answers are comparable with each other only. Its `between` does.
    reference : callable or None
        ``reference(evidence, items, count, seed, **params)`` returns the dissimilarities of some items and `count`
        matrices of as many items without clusters; see :data:`kinseq.core.graphs.reference.Reference`. Without it they
        are drawn from the matrix.
    reference_views : callable or None
        ``reference_views(evidence, distance, **params)`` says of views that have no part in the matrix how far they agree
        with it, by name: 0 as by chance, 1 if nearest neighbours are the same. Only pages call it.
    locally_scaled : bool
        Whether entries are in units of their surroundings already, so that one kernel width serves all items.
    random : bool
        Whether a measure that needs no models draws random numbers, so that its matrices differ between trials.
    columns_by_place : bool
        Whether it may tell columns by their place, so that an analysis leaves none out.
    classes_by : mapping
        Parameters with the values by which it uses the true classes, as a control may. Otherwise it is given none.
    components : callable or None
        ``components(evidence, with_auxiliary, names, **params)`` returns the parts that are measures by themselves and quick,
        by name, each with its `distance` in the order of the sequences: a fusion may hide groups that one of them shows.
        `with_auxiliary` adds measures that are not part of the matrix, `names` restricts the parts to these.
    fallbacks : tuple of str
        Measures to compare by where it reports that it lost sight of differences; the first takes its place in a fusion.
    properties_may_decide : bool
        Whether a single property or an auxiliary view may decide the groups, of a measure with `components`.
    screens : bool
        Whether `cross` takes ``screen=``, by which each new sequence is compared with few of the old ones
        (:mod:`kinseq.measures.landmarks`).
    cheap : bool
        Whether the measure takes so little time that it can be computed for some dozen other sets, to compare with.
    every_frame : bool
        Whether its time grows no faster than the number of frames, so that long sequences are compared as they are.
    accepts : tuple of str
        Kinds of sequences that it compares: ``"numbers"``, ``"symbols"``, or both.
    chosen : str
        Of a fusion, why it is made of these views.
    """

    name: str
    label: str
    source: str
    function: Callable[..., Result]
    description: str = ""
    requires: str = "sequences"
    model_kinds: tuple[str, ...] = ()
    scope: Literal["pair", "task"] = "pair"
    params: Mapping[str, Any] = field(default_factory=dict)
    requires_n_clusters: bool = False
    signed: bool = False
    one_frame: bool = True
    ordered: bool = True
    counts_features: bool = False
    cross: Callable[..., FloatArray] | None = None
    between: Callable[..., FloatArray] | None = None
    reproduces: bool = True
    reference: Callable[..., tuple[FloatArray, Iterator[FloatArray]]] | None = None
    reference_views: Callable[..., dict[str, float]] | None = None
    locally_scaled: bool = False
    random: bool = False
    columns_by_place: bool = False
    classes_by: Mapping[str, Any] = field(default_factory=dict)
    components: Callable[..., Mapping[str, Any]] | None = None
    fallbacks: tuple[str, ...] = ()
    screens: bool = False
    properties_may_decide: bool = True
    cheap: bool = False
    every_frame: bool = False
    accepts: tuple[str, ...] = ("numbers",)
    chosen: str = "the views that together agreed best with the classes of 78 labelled sets"

    def __post_init__(self) -> None:
        require(self.requires, f"measure {self.name!r}")

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        """Pickle a registered measure by its name, since its functions may be of a kind that cannot be pickled."""
        if base_name(self.name) in modules() and get(self.name) is self:
            return _named, (self.name,)
        return _restored, (vars(self),)

    def compute(self, evidence: MeasureInput, **params: Any) -> tuple[FloatArray, dict[str, Any]]:
        """Compute the dissimilarity matrix of one task.

        Parameters
        ----------
        evidence : MeasureInput
            Must hold what `requires` names.
        **params
            Override the defaults in `params`.

        Returns
        -------
        distance : ndarray, shape (N, N), float64
            Symmetric, finite; zero diagonal, unless the measure has a parameter ``diagonal`` that is ``"own"``: what
            the formula gives an item and itself then stays, for a clusterer that uses it.
        findings : dict
            What the measure reports in addition to the matrix (JSON-compatible).

        Raises
        ------
        ParameterError
            If a parameter is unknown, or the number of clusters is needed and missing.
        DataError
            If what the measure needs was not given, or the result is not finite and symmetric.
        """
        if not isinstance(evidence, MeasureInput):
            raise DataError(
                f"measure {self.name!r}: was given {type(evidence).__name__}, expected MeasureInput;"
                " kinseq.measures.compute takes sequences"
            )
        self.require_params(params)
        if isinstance(evidence.items, SequenceSet):
            require_range(evidence.items)
        if self.requires_n_clusters and evidence.n_clusters is None:
            raise ParameterError(
                f"measure {self.name!r} needs the number of clusters; pass {option_name('n_clusters')}"
            )
        self.require_evidence(evidence)
        full = {**self.params, **params}
        result = self.function(evidence, **full)
        distance, findings = result if isinstance(result, tuple) else (result, {})
        distance = as_distance(distance, f"measure {self.name!r}")
        if not is_one_of(full.get("diagonal"), ("own",)):
            np.fill_diagonal(distance, 0.0)
        return distance, findings

    def require_evidence(self, evidence: MeasureInput) -> None:
        """Raise :class:`DataError` if a required input is missing."""
        if getattr(evidence, self.requires) is None:
            raise DataError(f"measure {self.name!r} needs {self.requires!r} but none was given; fit the models first")

    def require_params(self, params: Mapping[str, Any]) -> None:
        """Raise :class:`ParameterError` for an unknown parameter name."""
        completed("measure", self.name, params, self.params)


def _named(name: str) -> Measure:
    return get(name)


def _restored(described: Mapping[str, Any]) -> Measure:
    return Measure(**described)


PARTS = ("views", "only")
"""Parameters that name the components of a measure."""
MEASURE = "elastic"
"""Default measure; ``docs/reports/answers.md`` gives the reasons."""


MEASURE_OF: Mapping[str, str] = {"numbers": MEASURE, "symbols": "symbolic"}
"""Default measures by kind of sequences."""


def sees_classes(classes_by: Mapping[str, Any], params: Mapping[str, Any]) -> bool:
    """Return whether a measure uses the true classes, given :attr:`Measure.classes_by` and its parameters."""
    return any(name in params and params[name] == value for name, value in classes_by.items())


REGISTRY = Registry(
    "measure",
    Measure,
    __file__,
    __name__,
    "MEASURES",
    ("label", "description", "requires", "model_kinds", "requires_n_clusters", "classes_by", "accepts"),
)
modules, names = REGISTRY.modules, REGISTRY.names


def base_name(name: str) -> str:
    """Return the registered name of a measure that may be one of its parts, as ``"properties"`` of ``"properties[length]"``."""
    return name.partition("[")[0]


def part_name(name: str, part: str) -> str:
    """Return the name of one part of a measure: a fusion of one view, or the distance in one property."""
    return f"{name}[{part}]"


def get(name: str) -> Measure:
    """Return a measure by its name, ``"dtw"``, or one part of a measure, ``"elastic[dtw_delta]"`` or ``"properties[length]"``.

    Raises
    ------
    ParameterError
        If there is no measure of that name.
    """
    of_part = isinstance(name, str) and name.endswith("]") and base_name(name) in modules()
    return _part(name) if of_part else REGISTRY.get(name)


@cache
def _part(name: str) -> Measure:
    measure = REGISTRY.get(base_name(name))
    parameter = next((entry for entry in PARTS if entry in measure.params), None)
    if parameter is None:
        return REGISTRY.get(name)
    part = name[len(measure.name) + 1 : -1]
    return replace(measure, name=name, params={**measure.params, parameter: [part]}, properties_may_decide=False)
