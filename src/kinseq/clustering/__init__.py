"""Clusterers of dissimilarity matrices and of items, found by :mod:`kinseq.clustering.registry`."""

from ..core.lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
