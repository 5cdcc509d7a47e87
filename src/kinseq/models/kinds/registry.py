"""The contract of a kind of model, and the registry of kinds.

A kind is any entry of a tuple ``MODEL_KINDS`` in a module of this folder. Names, parameters and the schema of the parameters are in
``model_kinds.jsonl`` too, so that a configuration is checked before anything is imported or fitted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ...core.errors import ConfigError, DataError, ParameterError, unknown_name
from ...core.jobs import as_threads
from ...core.random_state import RandomState, check_seed
from ...core.registries import Registry, completed
from ...core.schema import check
from ...core.sequences import Sequences, as_sequence_set

if TYPE_CHECKING:
    from ..hmm import HMMBank

DEFAULT = "hmm"
"""Default kind."""
RESERVED = ("kind", "common", "label")
"""Keys of an entry in ``models.yaml`` that are not parameters of its kind."""


@dataclass(frozen=True)
class ModelKind:
    """A kind of model; registered in a module's ``MODEL_KINDS`` tuple.

    Attributes
    ----------
    name, label : str
        Identifier and the name that is printed.
    source : str
        Document and place, or the paper of the method.
    each : callable
        ``each(sequences, random_state=..., n_jobs=..., progress=..., **params)`` fits one model a sequence. A model must
        depend on its own sequence and the arguments only.
    common : callable or None
        ``common(sequences, n_clusters=..., random_state=..., n_jobs=..., progress=..., **params)`` fits one model to all
        sequences; `n_clusters` is None where it is not known. None if the kind has no common model.
    params : mapping
        Parameters with their defaults. What is None is not handed on, so that the functions decide.
    schema : mapping
        JSON schema of the value of each parameter; configurations are checked against it.
    accepts : tuple of str
        Kinds of sequences that it is fitted to: ``"numbers"``, ``"symbols"``, or both.
    """

    name: str
    label: str
    source: str
    each: Callable[..., HMMBank]
    common: Callable[..., HMMBank] | None = None
    params: Mapping[str, Any] = field(default_factory=dict)
    schema: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    accepts: tuple[str, ...] = ("numbers",)

    def fit(
        self,
        sequences: Sequences,
        common: bool = False,
        n_clusters: int | None = None,
        random_state: RandomState = 0,
        n_jobs: int | None = None,
        progress: str | Callable[[int, int], None] | None = None,
        **params: Any,
    ) -> HMMBank:
        """Fit one model to each sequence, or one to all of them.

        Parameters
        ----------
        sequences : SequenceSet or list of array_like, each of shape (T, d)
        common : bool
            One model for all sequences.
        n_clusters : int, optional
            Number of clusters looked for; a common model may choose its size by it.
        random_state : int, RandomState, Generator or None
            Root of the random starts.
        n_jobs : int or None
            Number of threads; no number depends on it.
        progress : str or callable, optional
            A label under which lines with an ETA go to standard error, or ``progress(done, total)``.
        **params
            Override the defaults in `params`.

        Returns
        -------
        HMMBank
            One model a sequence, in their order, or one.

        Raises
        ------
        ParameterError
            If a parameter is unknown or out of range, or the kind has no common model.
        DataError
            If the sequences are not usable.
        """
        kind = as_sequence_set(sequences).content_kind
        if kind not in self.accepts:
            raise DataError(
                f"{as_sequence_set(sequences).name}: holds {kind}, but models of kind {self.name!r} are of"
                f" {' and '.join(self.accepts)}; use another kind ({', '.join(repr(name) for name in names())})"
            )
        full = completed("model kind", self.name, params, self.params)
        options = {name: value for name, value in full.items() if value is not None}
        options |= {"random_state": check_seed(random_state), "n_jobs": as_threads(n_jobs), "progress": progress}
        if not common:
            return self.each(as_sequence_set(sequences), **options)
        if self.common is None:
            raise ParameterError(f"model kind {self.name!r} {_NO_COMMON}")
        return self.common(as_sequence_set(sequences), n_clusters=n_clusters, **options)


_NO_COMMON = "has no common model of all sequences; use another kind, or leave out common"


REGISTRY = Registry("model kind", ModelKind, __file__, __name__, "MODEL_KINDS", ("common", "params", "schema"))
modules, names, get = REGISTRY.modules, REGISTRY.names, REGISTRY.get


def params_of(name: str) -> Mapping[str, Any]:
    """Return parameters of a kind with their defaults, without importing it."""
    kinds = modules()
    if name not in kinds:
        raise ParameterError(unknown_name("model kind", name, kinds))
    params: Mapping[str, Any] = kinds[name].fields["params"]
    return params


def check_entry(name: str, entry: Mapping[str, Any]) -> None:
    """Check an entry of ``models.yaml`` against the kind that it names.

    ConfigError if a parameter or its value does not suit the kind, or a common model is requested where the kind has none.
    """
    where, kinds = f"model {name!r}", modules()
    if entry["kind"] not in kinds:
        raise ConfigError(f"{where}: {unknown_name('model kind', entry['kind'], kinds)}")
    kind = kinds[entry["kind"]]
    where = f"{where} of kind {kind.name!r}"
    params = {key: value for key, value in entry.items() if key not in RESERVED}
    check(params, {"additionalProperties": False, "properties": kind.fields["schema"]}, where)
    if entry.get("common", False) and not kind.fields["common"]:
        raise ConfigError(f"{where} {_NO_COMMON}")
