"""A laboratory for divergences between sets of vectors: estimators, families and their integral representations.

Functions of two arrays, shapes (n, d) and (m, d); results in nats.
"""

from ..core.lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
