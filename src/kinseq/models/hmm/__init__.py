"""Hidden Markov models with Gaussian emissions, fitted and scored many at a time.

``bank`` holds fitted models and knows nothing of the engine, so that what only reads models does not depend on how they
are fitted. ``training`` is EM of one model a sequence, ``common`` that of one for all; ``chains`` is what both start from and
keep, with defaults in ``presets`` and random starts in ``initialisation``; ``scoring`` is the likelihood of every sequence
under every model, ``smoothing`` the posteriors of the states and the expected transitions, ``decoding`` their most probable
path, ``priors`` EM with priors, ``starts`` what is said of the first state after a fit. :mod:`kinseq.hmm` is the estimator on
top of all this.
"""

from ...core.lazy import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
