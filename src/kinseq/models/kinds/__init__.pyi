from . import registry as registry
from .registry import ModelKind as ModelKind
from .registry import get as get
from .registry import names as names

__all__ = [
    "get",
    "names",
]
