"""Build the input of a measure, for the library, the workflow stages and own data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..core.arrays import FloatArray, require_clusters
from ..core.errors import DataError
from ..core.sequences import Sequences, SequenceSet
from ..core.tokens import Items, TokenSet, as_items
from .registry import REGISTRY, Measure, MeasureInput
from .requirements import REQUIREMENTS

if TYPE_CHECKING:
    from ..models.hmm import HMMBank


def gather(
    measure: Measure,
    sequences: Sequences | TokenSet,
    models: HMMBank | None = None,
    loglik: FloatArray | None = None,
    n_clusters: int | None = None,
    seed: int = 0,
) -> MeasureInput:
    """Collect the possible inputs of a measure: models, one per sequence or one of all, or their log-likelihoods (P, N).

    Nothing is fitted or scored here, so that what only hands on files does not depend on the code that made them. A
    DataError if sequences are not usable, or too short for the measure; a ParameterError if there are more clusters
    than sequences.
    """
    items = as_items(sequences)
    clusters = require_usable(measure, items, n_clusters)
    fields: dict[str, Any] = {}
    if REQUIREMENTS[measure.requires].models is not None:
        fields[measure.requires] = loglik if measure.requires == "loglik" else models
    return MeasureInput(items, n_clusters=clusters, seed=seed, **fields)


def require_usable(measure: Measure, sequences: Items, n_clusters: int | None) -> int | None:
    """Return the number of clusters, after checking that the measure can use the sequences."""
    if isinstance(sequences, SequenceSet):
        require_kind(measure, sequences)
    if not measure.one_frame and isinstance(sequences, SequenceSet) and (sequences.lengths < 2).any():
        short = sequences.ids[int((sequences.lengths < 2).argmax())]
        raise DataError(
            f"{sequences.name}: sequence {str(short)!r} has a single frame but measure {measure.name!r} needs at least two;"
            " remove it"
        )
    if n_clusters is None:
        return None
    return require_clusters(len(sequences), n_clusters, f"measure {measure.name!r}")


def require_kind(measure: Measure, sequences: SequenceSet) -> None:
    """Raise :class:`DataError` if a measure does not support a kind of sequences."""
    if sequences.content_kind not in measure.accepts:
        others = [name for name, entry in REGISTRY.own.items() if sequences.content_kind in entry.fields["accepts"]]
        raise DataError(
            f"{sequences.name}: holds {sequences.content_kind}, but measure {measure.name!r} compares"
            f" {' and '.join(measure.accepts)}; choose another one, such as {', '.join(map(repr, others[:6]))}"
        )
