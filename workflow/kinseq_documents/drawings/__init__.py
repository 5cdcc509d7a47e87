"""Figures that no scores stand behind: one file a drawing, which computes arrays and draws them."""

from kinseq.core.lazy import attach

__all__ = ["Drawing"]

__getattr__, __dir__ = attach(__name__, {"Drawing": ".registry"})
