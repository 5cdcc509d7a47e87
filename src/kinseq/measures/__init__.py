"""Similarity measures between sequences, one file per measure or family, found by :mod:`kinseq.measures.registry`."""

from ..core.lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
