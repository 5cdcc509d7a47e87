"""Kinds of experiments, one class each: valid names, jobs, and output files."""

from collections.abc import Mapping
from typing import Any

from .base import Kind
from .comparison import Comparison
from .drawing import Drawing
from .estimation import Estimation
from .multiverse import Multiverse

KINDS: Mapping[str, type[Kind[Any]]] = {kind.name: kind for kind in (Comparison, Estimation, Drawing, Multiverse)}
"""Kind of an experiment to its class."""

DEFAULT = Comparison.name
