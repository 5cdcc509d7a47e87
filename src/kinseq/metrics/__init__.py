"""Metrics of partitions, matrices and estimates; how clear groups are where nothing is known of them."""

from ..core.lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
