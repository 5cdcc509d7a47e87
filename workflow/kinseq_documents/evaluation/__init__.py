"""Summaries over trials, claims, and the comparison with published numbers."""

from kinseq.core.lazy import attach

__getattr__, __dir__ = attach(__name__, {"claims": ".claims", "fidelity": ".fidelity", "summary": ".summary"})
