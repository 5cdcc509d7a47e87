"""Kinds of models that measures can ask for, one file a kind or family, found by :mod:`kinseq.models.kinds.registry`."""

from ...core.lazy import attach

__all__ = ["get", "names"]

__getattr__, __dir__ = attach(
    __name__,
    {"ModelKind": ".registry", "get": ".registry", "names": ".registry", "registry": ".registry"},
)
