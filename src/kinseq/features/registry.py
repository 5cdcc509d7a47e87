"""The contract of features of recordings, and their registry.

A feature is any entry of a tuple ``FEATURES`` in a module of this folder: a function from samples to frames, and what of
the settings that all features share differs from their defaults.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from ..core.arrays import FloatArray
from ..core.registries import Registry


class FeatureRecipe(Protocol):
    """The parameters of a feature: a frozen dataclass."""

    def samples(self, sample_rate: float) -> tuple[int, ...]:
        """Return the length of a frame and the hop, both in samples; further numbers are specific to the feature."""


@dataclass(frozen=True)
class Feature:
    """A feature of recordings; registered in a module's ``FEATURES`` tuple.

    Attributes
    ----------
    name, label : str
        Identifier and the name that is printed.
    source : str
        Document and place, or the paper of the method.
    recipe : Recipe
        Its parameters with their defaults, a frozen dataclass. Users replace them by name.
    function : callable
        ``function(pieces, sample_rate, recipe, where)`` returns finite frames, shape (T, d), of a recording that arrives
        in consecutive pieces, each of shape (n_i,); `sample_rate` is in Hz, `where` names the recording in messages.
    settings : mapping
        Attributes of :class:`~kinseq.features.extraction.AudioFeatures` that differ from their defaults.
    measure : str
        The measure that recordings are compared by where none is named; empty for that of all other data.
    terms : str
        Under which terms what it computes with may be used, where they are not those of this package.
    ready : callable or None
        Raises :class:`~kinseq.core.errors.ParameterError` where an optional package that it computes with is missing.
    """

    name: str
    label: str
    source: str
    recipe: FeatureRecipe
    function: Callable[[Iterable[FloatArray], float, Any, str], FloatArray]
    settings: Mapping[str, Any] = field(default_factory=dict)
    measure: str = ""
    terms: str = ""
    ready: Callable[[], None] | None = None


REGISTRY = Registry("features", Feature, __file__, __name__, "FEATURES")
modules, names, get = REGISTRY.modules, REGISTRY.names, REGISTRY.get
