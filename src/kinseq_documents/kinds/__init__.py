"""Kinds of experiments, one module of plain functions a kind: what it may name, the jobs it makes, the files they leave.

Every kind has ``check(cat, experiment)``, ``labels(cat, experiment)``, ``datasets(experiment)``, ``is_scored(experiment)``,
``products(experiment)`` and ``upstream(cat, experiment)``; what the jobs do stands in :mod:`kinseq_documents.stages`.
"""

from collections.abc import Mapping
from types import ModuleType

from . import comparison, drawing, estimation

KINDS: Mapping[str, ModuleType] = {"comparison": comparison, "estimation": estimation, "drawing": drawing}
"""Kind of an experiment to its module. Its schema is ``workflow/schemas/<kind>.schema.yaml``."""

DEFAULT = "comparison"
