"""Features: turn signals and raw sequences into the frames that models and measures use."""

from ..core.lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
