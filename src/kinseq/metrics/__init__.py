"""Metrics of partitions, matrices and estimates, and the clarity of unlabelled groups."""

from ..core.lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
