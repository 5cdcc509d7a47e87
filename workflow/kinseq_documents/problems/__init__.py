"""Estimators against a known truth: problems that are drawn, and what is estimated from them; a file registers either."""

from kinseq.core.lazy import attach

__all__ = ["Estimator", "Problem"]

__getattr__, __dir__ = attach(__name__, {"Estimator": ".registry", "Problem": ".registry"})
