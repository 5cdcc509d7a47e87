"""Tables of registries, made from what the modules next to them register; ``make pages`` writes them, a test compares them."""

from __future__ import annotations

import json
from importlib import import_module
from typing import Any

from kinseq.clustering import registry as clusterers
from kinseq.core.errors import ParameterError
from kinseq.core.registries import Registry
from kinseq.features import registry as features
from kinseq.measures import registry as measures
from kinseq.metrics import registry as metrics
from kinseq.models.kinds import registry as kinds

from .data import registry as loaders
from .drawings import registry as drawings
from .problems import registry as problems

REGISTRIES: tuple[Registry[Any], ...] = (
    measures.REGISTRY,
    clusterers.CLUSTERER_REGISTRY,
    clusterers.SEGMENTER_REGISTRY,
    metrics.REGISTRY,
    features.REGISTRY,
    kinds.REGISTRY,
    loaders.REGISTRY,
    drawings.REGISTRY,
    problems.PROBLEM_REGISTRY,
    problems.ESTIMATOR_REGISTRY,
)


def table(registry: Registry[Any]) -> str:
    """Return the table of a registry: a line for each entry, in the order of files and, within one, of the tuple.

    Raises
    ------
    ParameterError
        If two entries have the same name.
    """
    rows: dict[str, str] = {}
    for path in sorted(registry.folder.glob("*.py")):
        module = import_module(f"{registry.package}.{path.stem}")
        for entry in registry.entries_of(module) if hasattr(module, registry.variable) else ():
            if entry.name in rows:
                raise ParameterError(f"{path}: {registry.kind} {entry.name!r} is registered twice; rename one")
            fields = registry.fields_of(entry)
            given = {key: value for key, value in fields.items() if value != registry.planning[key]}
            rows[entry.name] = json.dumps({"name": entry.name, "module": path.stem, **given}, ensure_ascii=False)
    return "".join(f"{row}\n" for row in rows.values())


def write() -> None:
    """Write all tables again."""
    for registry in REGISTRIES:
        registry.table.write_text(table(registry), encoding="utf-8")
        registry.forget()
