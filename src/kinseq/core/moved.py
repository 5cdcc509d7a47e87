"""Modules by the names that they had before version 1.0: found for one release, with a warning that says the new name."""

from __future__ import annotations

import importlib
import sys
import warnings
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, cast

PACKAGE = "kinseq"
MOVED = {
    "kinseq.affinity": "kinseq.core.graphs.affinity",
    "kinseq.arrays": "kinseq.core.arrays",
    "kinseq.batches": "kinseq_documents.batches",
    "kinseq.catalogue": "kinseq_documents.catalogue",
    "kinseq.comparing": "kinseq_app.comparing",
    "kinseq.compiled": "kinseq.core.compiled",
    "kinseq.console": "kinseq_app.console",
    "kinseq.core.fingerprint": "kinseq_documents.fingerprint",
    "kinseq.data": "kinseq_documents.data",
    "kinseq.data.folders": "kinseq.core.folders",
    "kinseq.data.readers": "kinseq_app.readers",
    "kinseq.data.readers.wording": "kinseq.core.wording",
    "kinseq.data.writers": "kinseq_app.writers",
    "kinseq.density": "kinseq.divergences.density",
    "kinseq.discovery": "kinseq.core.discovery",
    "kinseq.drawings": "kinseq_documents.drawings",
    "kinseq.drawings.density_plots": "kinseq_documents.drawings.densities",
    "kinseq.epochs": "kinseq.core.epochs",
    "kinseq.errors": "kinseq.core.errors",
    "kinseq.estimation": "kinseq_documents.problems",
    "kinseq.estimators": "kinseq.analysis.estimator",
    "kinseq.evaluation": "kinseq.metrics",
    "kinseq.evaluation.claims": "kinseq_documents.evaluation.claims",
    "kinseq.evaluation.fidelity": "kinseq_documents.evaluation.fidelity",
    "kinseq.evaluation.pictures": "kinseq.metrics.maps",
    "kinseq.evaluation.summary": "kinseq_documents.evaluation.summary",
    "kinseq.fingerprint": "kinseq_documents.fingerprint",
    "kinseq.graphs": "kinseq.core.graphs",
    "kinseq.information": "kinseq.divergences.information",
    "kinseq.inputs": "kinseq.core.inputs",
    "kinseq.jobs": "kinseq_documents.jobs",
    "kinseq.kinds": "kinseq_documents.kinds",
    "kinseq.kmeans": "kinseq.core.graphs.kmeans",
    "kinseq.laplacian": "kinseq.core.graphs.laplacian",
    "kinseq.lazy": "kinseq.core.lazy",
    "kinseq.machine": "kinseq.core.machine",
    "kinseq.measures.views": "kinseq.measures.view_texts",
    "kinseq.metrics.pictures": "kinseq.metrics.maps",
    "kinseq.models.variances": "kinseq.core.variances",
    "kinseq.network_fusion": "kinseq.core.graphs.network_fusion",
    "kinseq.ordering": "kinseq.core.ordering",
    "kinseq.own": "kinseq.analysis",
    "kinseq.own.cautions": "kinseq.analysis.diagnostics",
    "kinseq.own.commanded": "kinseq_app.commands",
    "kinseq.own.memory": "kinseq_app.readers.memory",
    "kinseq.own.naming": "kinseq_app.naming",
    "kinseq.own.report": "kinseq_app.report",
    "kinseq.own.request": "kinseq_app.request",
    "kinseq.own.truth": "kinseq.analysis.external",
    "kinseq.plan": "kinseq_documents.plan",
    "kinseq.progress": "kinseq.core.progress",
    "kinseq.recent": "kinseq.core.recent",
    "kinseq.reference": "kinseq.core.graphs.reference",
    "kinseq.render": "kinseq_documents.rendering",
    "kinseq.render.comparison": "kinseq_app.page.comparison",
    "kinseq.render.diagrams": "kinseq_drawing.array_figures",
    "kinseq.render.figures": "kinseq_drawing.figures",
    "kinseq.render.html": "kinseq_drawing.html",
    "kinseq.render.layout": "kinseq_drawing.layout",
    "kinseq.render.own": "kinseq_app.page",
    "kinseq.render.planes": "kinseq_drawing.panels",
    "kinseq.render.style": "kinseq_drawing.style",
    "kinseq.render.ticks": "kinseq_drawing.ticks",
    "kinseq.roots": "kinseq.core.roots",
    "kinseq.schema": "kinseq.core.schema",
    "kinseq.seeds": "kinseq.core.seeds",
    "kinseq.segmenting": "kinseq.clustering.segmenting",
    "kinseq.sequences": "kinseq.core.sequences",
    "kinseq.stages": "kinseq_documents.stages",
    "kinseq.stages.views": "kinseq_documents.stages.confusion",
    "kinseq.store": "kinseq.core.store",
    "kinseq.surrogates": "kinseq.analysis.surrogates",
    "kinseq.tokens": "kinseq.core.tokens",
}
"""New names of modules and packages by their old ones; what lies in a package has moved with it."""


def new_name(old: str) -> str | None:
    """The name that a module has today, None if it has not moved."""
    parts = old.split(".")
    for end in range(len(parts), 1, -1):
        start = ".".join(parts[:end])
        if start in MOVED:
            return ".".join([MOVED[start], *parts[end:]])
    return None


class _AsBefore:
    """Gives the module of today for the old name."""

    def __init__(self, name: str) -> None:
        self.module = importlib.import_module(name)
        self.spec = self.module.__spec__

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return self.module

    def exec_module(self, module: ModuleType) -> None:
        # It has run under its own name, which it keeps.
        module.__spec__ = self.spec


class _Finder:
    """Asked first, or what lies in a package that has moved would be found there, and run a second time under its old name."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        name = new_name(fullname)
        if name is None:
            return None
        warnings.warn(f"{fullname} is {name} now; the old name goes with version 1.1", FutureWarning, stacklevel=2)
        return ModuleSpec(fullname, cast(Any, _AsBefore(name)))


def with_old_names(
    named: Callable[[str], Any], listed: Callable[[], list[str]]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Make old names known to the import system, and to the ``__getattr__`` of the package."""
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, cast(Any, _Finder()))

    def __getattr__(name: str) -> Any:
        try:
            return named(name)
        except AttributeError:
            if f"{PACKAGE}.{name}" not in MOVED:
                raise
        return importlib.import_module(f"{PACKAGE}.{name}")

    return __getattr__, listed
