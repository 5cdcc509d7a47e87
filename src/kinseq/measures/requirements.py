"""Models that measures may need, and their fitting: one table for the library and the workflow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ..core.errors import ParameterError, is_one_of, unknown_name


@dataclass(frozen=True)
class Requirement:
    """A model fitted before a measure is computed.

    Attributes
    ----------
    models : {"each", "common"} or None
        Whether it comes from one model a sequence, from one model of all sequences of a task, or from none.
    stages : tuple of str
        Stages of the workflow that make it, in their order; the files of the last one hold it.
    """

    models: Literal["each", "common"] | None = None
    stages: tuple[str, ...] = ()


REQUIREMENTS: Mapping[str, Requirement] = {
    "sequences": Requirement(),
    "tokens": Requirement(),
    "items": Requirement(),
    "bank": Requirement("each", ("models",)),
    "loglik": Requirement("each", ("models", "loglik")),
    "common": Requirement("common", ("models",)),
}
"""Requirements by name, which is also that of the field of :class:`~kinseq.measures.registry.MeasureInput` that holds it."""


def require(name: str, where: str) -> Requirement:
    """Return the entry of :data:`REQUIREMENTS`, or a :class:`ParameterError` that lists the valid names."""
    if not is_one_of(name, REQUIREMENTS):
        raise ParameterError(f"{where}: {unknown_name('requirement', name, REQUIREMENTS)}")
    return REQUIREMENTS[name]


def serves(name: str, kinds: Sequence[str], entry: Mapping[str, Any]) -> bool:
    """Whether an entry of ``models.yaml`` suits a measure that supports some kinds of models, all if `kinds` is empty."""
    required_scope = REQUIREMENTS[name].models
    scope = "common" if entry.get("common", False) else "each"
    return required_scope == scope and (not kinds or entry["kind"] in kinds)
