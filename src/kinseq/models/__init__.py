"""Models of sequences and of sets of vectors."""

from ..core.lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
