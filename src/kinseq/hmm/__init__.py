"""Gaussian hidden Markov models with the names and meanings of hmmlearn, on the engine of :mod:`kinseq.models.hmm`.

``GaussianHMM`` is the estimator, ``fit_each`` fits one model to each of many sequences at once, and ``score_matrix`` scores
all sequences under all models.
"""

from ..core.lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
