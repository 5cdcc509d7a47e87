"""Gaussian hidden Markov models with the names and meanings of hmmlearn, on the engine of :mod:`kinseq.models.hmm`.

``GaussianHMM`` is the estimator, ``fit_each`` fits one model to each of many sequences at once, and ``score_matrix`` scores
all sequences under all models.
"""

from ..core.lazy import attach

__all__ = ["HMMLEARN", "ConvergenceMonitor", "GaussianHMM", "fit_each", "score_matrix"]

__getattr__, __dir__ = attach(
    __name__,
    {
        "ConvergenceMonitor": ".monitor",
        "GaussianHMM": ".estimator",
        "HMMLEARN": ".estimator",
        "fit_each": ".many",
        "score_matrix": ".many",
    },
)
