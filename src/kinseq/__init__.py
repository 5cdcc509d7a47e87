"""kinseq clusters sequences: similarity measures, clustering and evaluation for sequences and sets."""

from .core.lazy import attach_stub

__version__ = "1.0.0"
__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
