"""Results in files: arrays and JSON, so that opening a file never runs code.

What was measured and decided is kept; what follows from the sequences (their order, scale and sample) is made again when the
file is loaded (:mod:`.loading`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from .. import __version__
from ..core.errors import ParameterError
from ..core.sequences import SequenceSet
from ..core.store import PathLike, replacing
from ..measures.custom import PRECOMPUTED
from ..measures.registry import base_name, modules
from ..metrics.groupings import Grouping, Structure
from ..metrics.internal import Numbers
from ..models.hmm import HMMBank
from ..readers.reading import Reading
from .candidates import Candidate
from .options import OPTIONS
from .result import Result
from .rules import Decision, Details
from .views import View

FORMAT_NUMBER = 4
"""Format of the file; a larger number is from a later kinseq."""
LIMITED_FROM = 3
"""Format from which on measures clip values to limits."""
META = "meta"
CLASSES = {
    entry.__name__: entry for entry in (Decision, Details, Candidate, Grouping, Structure, Numbers, HMMBank, Reading)
}
"""Classes that a file may hold, as their fields."""
KEPT = ("params", "n_clusters", "n_range", "coarse", "command", "seed", "columns")
"""Settings other than the options of the table."""


def save(sequences: SequenceSet, result: Result, path: PathLike, assigned: Mapping[str, Any] | None = None) -> None:
    """Write a result of all `sequences`, or of the compared sample, then with `assigned`.

    See :meth:`~kinseq.api.results.Clustering.save`.
    """
    for view in result.views:
        if view.measure is not PRECOMPUTED and base_name(view.measure.name) not in modules():
            raise ParameterError(
                f"measure {view.measure.name!r} is a function of yours, which a file cannot hold; save labels and distance"
                " by themselves, or register the measure"
            )
    arrays: dict[str, np.ndarray[Any, Any]] = {}
    meta = {
        "format": FORMAT_NUMBER,
        "kinseq": __version__,
        "given": {entry.name: getattr(sequences, entry.name) for entry in fields(SequenceSet)},
        **_decided(result),
        "assigned": assigned,
    }
    text = json.dumps({name: _packed(entry, arrays) for name, entry in meta.items()})
    with replacing(path) as draft, draft.open("wb") as stream:
        np.savez_compressed(stream, **{META: np.array(text)}, **arrays)  # type: ignore[arg-type]


def _decided(result: Result) -> dict[str, Any]:
    """Measurements and decisions, with those of each group that is divided where the clusters are leaves."""
    result.decision.found()
    return {
        "asked": {
            "measures": [entry.name for entry in result.options.measures],
            "values": {name: getattr(result.options, name) for name in (*OPTIONS, *KEPT)},
        },
        "views": [
            {
                entry.name: getattr(view, entry.name)
                for entry in fields(View)
                if entry.name not in ("reference", "reference_views")
            }
            | {"measure": view.measure.name}
            for view in result.views
        ],
        "decision": result.decision,
        # Parts that are larger than the matrix.
        "known": {"carriers": result.details.carriers, "corrected": result.details.corrected},
        "notes": result.notes,
        "choices": result.choices,
        "within": {k: _decided(inner) for k, inner in result.details.within.items()} if result._by_leaves else None,
    }


def _packed(value: Any, arrays: dict[str, np.ndarray[Any, Any]]) -> Any:
    """Return a value as JSON, with its arrays separate."""
    pack: Callable[[Any], Any] = lambda entry: _packed(entry, arrays)  # noqa: E731
    if isinstance(value, np.ndarray):
        if value.dtype == object:
            return {"objects": pack(value.tolist())}
        name = f"a{len(arrays)}"
        arrays[name] = value
        return {"array": name}
    if isinstance(value, np.generic):
        return value.item()
    if is_dataclass(value) and type(value).__name__ in CLASSES:
        named = {entry.name: pack(getattr(value, entry.name)) for entry in fields(value)}
        return {"class": type(value).__name__, "fields": named}
    if isinstance(value, Mapping):
        return {"mapping": [[pack(key), pack(entry)] for key, entry in value.items()]}
    if isinstance(value, (tuple, frozenset, set)):
        return {"tuple": [pack(entry) for entry in value]}
    if isinstance(value, list):
        return [pack(entry) for entry in value]
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    raise ParameterError(
        f"a result holds {value!r}, which a file cannot hold; leave the setting out, or name what it stands for"
    )
