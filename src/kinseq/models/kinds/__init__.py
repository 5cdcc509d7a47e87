"""Kinds of models that measures can ask for, one file a kind or family, found by :mod:`kinseq.models.kinds.registry`."""

from ...core.lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
