"""Kinds of models for measures, one file per kind or family, found by :mod:`kinseq.models.kinds.registry`."""

from ...core.lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
