"""Kinds of experiments, a class each: what an experiment may name, the jobs it makes, the files they leave."""

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
